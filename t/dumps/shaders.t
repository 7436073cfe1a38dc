#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# info shaders and shader: code that the batch of an i915 error state points at.  The batch is made here, command by
# command, as the PRM (Haswell, volume 2) has them; the code is iga64's (t/data/gen7).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $data = "$FindBin::Bin/../data/gen7";
plan skip_all => 'no kernels beside the tests' unless -r "$data/mac.krn";
sub of_type { my ($type, @all) = @_; return grep { $_->{type} eq $type } @all }

my ($mac, $shifts, $if_else) = map { slurp("$data/$_.krn") } qw(mac shifts if_else);
my $instructions = $mac . "\0" x (0x400 - length $mac) . $shifts . "\0" x (0x800 - 0x400 - length $shifts) . $if_else;
my @bases = (0x61010008, 1, 0x00b00001, 0x00c00001, 1, 0x00d00001, 0, 0, 0, 0);
my @commands = (
    @bases,
    0x78100004, 0x40, 0, 0, 0, 0,              # 3DSTATE_VS, not enabled
    0x78100004, 0, 0, 0, 0, 1,                 # 3DSTATE_VS: a kernel at the instruction base
    0x78200006, 0x400, 0, 0, 3, 0, 0, 0x800,   # 3DSTATE_PS: a kernel, and kernel_2
    0x78100004, 0, 0, 0, 0, 1,                 # again
    0x70020002, 0, 64, 0x20,                   # MEDIA_INTERFACE_DESCRIPTOR_LOAD: two descriptors
    0x05000000);
my @descriptors = ((0) x 8, 0x800, (0) x 7, 0x00400000, (0) x 7);
sub object { my ($title, $at, @words) = @_;
    return sprintf("rcs0 --- %s = 0x00000000 %08x\n", $title, $at) .
        join '', map { sprintf "%08x :  %08x\n", 4 * $_, $words[$_] } 0 .. $#words }
sub state_of {
    my ($device, @objects) = @_;
    return "GPU HANG: ecode 7:1:84dffffe, in demo [4242]\nKernel: 5.15.0\nPCI ID: $device\n" .
        "rcs0 command stream:\n  ACTHD: 0x00000000 00a01008\n" . join '', @objects;
}
my @objects = (object('batch', 0xa00000, @commands), object('user', 0xc00000, @descriptors),
    object('user', 0xd00000, unpack 'V*', $instructions . "\0" x (-length($instructions) % 4)));
my $error = spill('error', state_of('0x0412', @objects));

subtest 'what the batch points at' => sub {
    my @all = of_type('shader', records($error, commands('info shaders')));
    is join(' | ', map { "$_->{command} $_->{name} $_->{address}" . ($_->{ends} ? " $_->{bytes}" : '') } @all),
        join(' | ', '3DSTATE_VS kernel 0xd00000 ' . length $mac, '3DSTATE_PS kernel 0xd00400 ' . length $shifts,
            '3DSTATE_PS kernel_2 0xd00800 ' . length $if_else,
            'MEDIA_INTERFACE_DESCRIPTOR_LOAD kernel 0xd00800 ' . length $if_else,
            'MEDIA_INTERFACE_DESCRIPTOR_LOAD kernel 0x1100000'), 'each once, with its bytes';
    is $all[4]{held}, JSON::PP::false(), 'one whose object the error state does not hold';
};

subtest 'one as code' => sub {
    my @all = records($error, commands('shader 1', 'info file', 'disassemble'));
    is((of_type('file', @all))[0]{isa}, 'gen7.5', 'of the generation of the device');
    my @insns = of_type('insn', @all);
    is scalar @insns, length($shifts) / 16, 'all of the program';
    is $insns[0]{addr} // $insns[0]{address}, '0xd00400', '... at its address';
    my @gen7 = records(spill('ivb', state_of('0x0152', @objects)), commands('shader 0', 'info file'));
    is((of_type('file', @gen7))[0]{isa}, 'gen7', 'another device');
    my ($out, $err, $status) = gpudbg('--batch', $error, commands('shader 4'));
    like $err, qr/shader 4: not in the dump/, 'what is not there';
    ($out, $err, $status) = gpudbg('--batch', $error, commands('shader 5'));
    like $err, qr/no shader 5: `info shaders` lists 5/, 'a number that is not';
    my $gen9 = spill('gen9', state_of('0x1912', @objects));
    ($out, $err, $status) = gpudbg('--batch', $gen9, commands('info shaders'));
    unlike $out, qr/gen7/, 'another generation is not taken for one of these';
};

# On the screen, Enter on the row of a kernel opens it; the row's first word is the one that the disassembly has.
subtest 'from the packets to the code' => sub {
    my @to = ('layout packets:20;prompt:2', 'focus packets', ('key Down') x 4, 'key Enter', 'layout code:20;prompt:2',
        'screenshot');
    my ($out) = gpudbg('--screen', '120x40', $error, commands(@to));
    my ($code) = gpudbg('--batch', $error, commands('shader 0', 'disassemble'));
    my ($first) = $code =~ /^ +(mul .*?) *\/\/ d00000$/m;
    like $out, qr/3DSTATE_VS kernel at 0xd00000 gen7\.5/, 'the code is the one that is open';
    like $out, qr/^ +>?d00000 .*\Q@{[substr $first, 0, 30]}\E/m, '... and is shown from its first instruction on';
    for my $size ('120x40', '80x24') {
        my ($both) = gpudbg('--batch', '--screen', $size, $error,
            commands('focus packets', ('key Down') x 4, 'key Enter', 'screenshot'));
        like $both, qr/packets.*3DSTATE_VS.*code.*\Q@{[substr $first, 0, 30]}\E/s, "$size: beside the packets";
    }
};

subtest 'bases' => sub {
    my @without = @commands[scalar @bases .. $#commands];
    my @all = of_type('shader', records(spill('nobase', state_of('0x0412', object('batch', 0xa00000, @without),
        @objects[1, 2])), commands('info shaders')));
    is $all[0]{based}, JSON::PP::false(), 'an offset without its base is said to be one';
    my ($out) = gpudbg('--batch', "$dir/nobase", commands('info shaders'));
    like $out, qr/counts from the instruction base, which no command before it sets/, '... in words';
};

subtest 'any word changed, any length' => sub {
    my $worst = 0;
    for my $at (sampled(0 .. $#commands)) {
        for my $word (0, 0xffffffff, 0x7fffffff, 0x70020000) {
            my @changed = @commands;
            $changed[$at] = $word;
            my $file = spill('changed', state_of('0x0412', object('batch', 0xa00000, @changed), @objects[1, 2]));
            qx(timeout 60 '@{[Gpudbg::program()]}' --batch '$file' -e 'info shaders' -e 'shader 0' -e disassemble 2>&1);
            $worst = $? if $? & 127 || $? >> 8 > 3;
        }
    }
    my $whole = slurp($error);
    for my $cut (sampled(map { int(length($whole) * $_ / 60) } 0 .. 60)) {
        my $file = spill('cut', substr $whole, 0, $cut);
        qx(timeout 60 '@{[Gpudbg::program()]}' --batch '$file' -e 'info shaders' -e 'shader 1' 2>&1);
        $worst = $? if $? & 127 || $? >> 8 > 3;
    }
    is $worst, 0, 'no crash';
};

done_testing;
