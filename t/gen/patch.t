#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Intel code that the user changes: an instruction is patched, in the middle of a run too, the binary is saved in its
# container, and what is saved runs.  What saxpy must leave is worked out here, in Perl.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $data = "$FindBin::Bin/../data/kernels/gen12";
my @x = map { 2 * $_ + 1 } 0 .. 31;
my @y = map { 100 - $_ } 0 .. 31;
spill("$dir/x", pack 'f<*', @x);
spill("$dir/y", pack 'f<*', @y);
my $launch = "launch saxpy -g 32 -l 32 \@$dir/y \@$dir/x 3.0 32";
my $save = "save arg 0 $dir/out";
sub result { return [unpack 'f<*', slurp("$dir/out")] }
sub of { my ($file, @commands) = @_; return (gpudbg(commands(@commands), $file))[0, 1] }

my @right = map { 3 * $x[$_] + $y[$_] } 0 .. 31;
my @wrong = map { $_ < 16 ? $x[$_] : $right[$_] } 0 .. 31;    # the first half stores another payload
my ($bad, $good) = map { "patch *0x100 send.dc1 (16|M0) null r16 r$_ 0x80 0x04025E00 {\@1,\$4}" } 21, 25;

for my $kind (qw(ze bin)) {
    my $file = "$data/saxpy.$kind";
    of($file, $launch, 'continue', $save);
    is_deeply(result(), \@right, "$kind: the kernel runs");
    my ($out, $err) = of($file, $bad, $launch, 'continue', $save, "save code $dir/wrong.$kind");
    is($err, '', "$kind: an instruction is patched");
    is_deeply(result(), \@wrong, '... and the launch runs the patch');
    is(length slurp("$dir/wrong.$kind"), -s $file, '... and the binary is saved in its container');
    of("$dir/wrong.$kind", $launch, 'continue', $save);
    is_deeply(result(), \@wrong, '... which runs as it was patched');
    ($out, $err) = of("$dir/wrong.$kind", $launch, 'continue', $good, 'continue', $save, "save code $dir/right.$kind");
    like($out, qr/time went back/, "$kind: it is mended after its run, and time goes back");
    is_deeply(result(), \@right, '... and running goes on to the right result');
    is(slurp("$dir/right.$kind"), slurp($file), '... and what is saved is the file that was never wrong');
    ($out, $err) = of("$dir/wrong.$kind", $launch, 'stepi 20', 'patch -f *0x100 src1_reg=25', 'continue', $save);
    is_deeply(result(), \@right, "$kind: a field is mended in the middle of the run, and the result is right");
}

my $file = "$data/saxpy.ze";
my ($out, $err) = of($file, 'patch *0xf8 mov (16|M0) r25.0<1>:f 1.5:f');
like($err, qr/8 bytes are missing/, 'a native instruction has no room in place of a compacted one');
($out, $err) = of($file, 'patch *0x60 sync.nop null {Compacted}', 'disassemble saxpy');
is($err, '', 'what is left behind a shorter instruction is filled');
is(scalar(() = $out =~ m{sync\.nop null \{Compacted\} +// 00(?:60|68)}g), 2, '... with what does nothing');
($out, $err) = of($file, 'set syntax prm',
    'patch *0x60 cmp.l.f0.0 (16) null<1>:d r12.0<8;8,1>:d r8.5<0;1,0>:d {Q1, @2}');
is($err, '', 'a patch is read in the syntax of the session') or diag $err;
($out, $err) = of($file, 'patch *0xa0 jmpi L0140', 'patch *0x90 nop', $launch, 'continue');
like($err, qr/^gpudbg: .*8 bytes are missing/m, 'a jump needs the room of a native instruction');
($out, $err) = of($file, 'patch -m *0xb0 mov (16|M0) r21.0<1>:f 1.5:f', $launch, 'continue', $save);
is($err, '', 'what fits is not moved');

# Moved: a jump has 16 bytes, the compacted mad 8, so the send behind it goes along.
for my $kind (qw(ze bin)) {
    my @moved = ("$data/saxpy.$kind", 'patch -m *0xf8 mov (16|M0) r25.0<1>:f 1.5:f {$0.dst}');
    ($out, $err) = of(@moved, $launch, 'continue', $save, 'disassemble', "save code $dir/moved.$kind");
    is($err, '', "$kind: a longer instruction is moved to a free place") or diag $err;
    is_deeply(result(), [map { $_ < 16 ? 1.5 : $right[$_] } 0 .. 31], '... and runs there, and back');
    my $code = qr{jmpi L(\w+) +// 00f8\n.*// 0108\n.*\nL\1:\n.*mov \(16\|M0\) r25\.0<1>:f 1\.5:f \{\$0\.dst\} .*\n}s;
    like($out, qr{$code.*send\.dc1 \(16\|M0\) null r16 r25 .*\n.*jmpi L0110 }, '... with the instruction behind it');
    ok(slurp("$dir/moved.$kind") ne slurp($moved[0]), '... and is saved');
    of("$dir/moved.$kind", $launch, 'continue', $save);
    is_deeply(result(), [map { $_ < 16 ? 1.5 : $right[$_] } 0 .. 31], '... and what is saved runs');
    ($out, $err) = of($moved[0], $launch, 'continue', $moved[1], 'continue', $save);
    is_deeply(result(), [map { $_ < 16 ? 1.5 : $right[$_] } 0 .. 31], '... after its run, too: time goes back');
    ($out, $err) = of(@moved, 'unpatch all', $launch, 'continue', $save, 'info patches');
    is_deeply(result(), \@right, '... and it is taken back');
    like($out, qr/^No patches\.$/m, '... whole');
}

# What cannot move along, and where there is no place.
sub bare {
    spill("$dir/bare.s", $_[0]);
    gpudbg('--isa', 'gen12', '-e', "assemble $dir/bare.s $dir/bare.bin");
    return ("$dir/bare.bin", '--isa', 'gen12', '--raw');
}
my $short = 'add (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f {Compacted}';
my $long = 'patch -m *0 mov (8|M0) r1.0<1>:f 1.7:f';
sub refused { my ($text) = @_; my ($bin, @options) = bare($text); return (gpudbg(@options, '-e', $long, $bin))[1] }
like(refused("$short\nL: $short\njmpi L\n.space 64\n"), qr/at 0x8, cannot move with it: it is where a branch leads/,
    'what a branch leads to stays');
like(refused("$short\nL: jmpi L\n.space 64\n"), qr/at 0x8, cannot move with it: it is a branch/, 'so does a branch');
like(refused("$short\nmov (1|M0) r1.0<1>:ud ip.0<0;1,0>:ud\n.space 64\n"), qr/at 0x8, .* it reads where it is/,
    '... and what reads where it is');
like(refused("$short\n$short\nL: jmpi L\n"), qr/no free place of 40 bytes/, 'a place is needed');
like(refused("$short\n$short\nnop\nnop\nnop\nnop\nL: jmpi L\n"), qr/no free place of 40 bytes/,
    '... which code that runs is not');
($out, $err) = do { my ($bin, @options) = bare("$short\n$short\nL: jmpi L\n.space 64\n"); gpudbg(@options, '-e', $long,
    '-e', 'disassemble', $bin) };
like($out, qr/jmpi L0020 .*jmpi L0010 .*mov \(8\|M0\) r1\.0<1>:f 1\.7:f .*\n.*add .*\n.*jmpi L0010 /s,
    'zeros behind bare code are one');
done_testing;
