#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Shaders as Mesa's drivers for Intel print them with INTEL_DEBUG=hex, in the middle of a log.  The bytes are iga64's
# (t/data/gen7), the names are those of the texts that it read; the lines around them are in the drivers' form.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $data = "$FindBin::Bin/../data/gen7";
plan skip_all => 'no kernels beside the tests' unless -r "$data/mac.krn";
sub slurp { my ($name) = @_; open my $f, '<:raw', $name or die $name; local $/; return scalar <$f> }
sub write_file {
    my ($name, $bytes) = @_;
    open my $f, '>:raw', "$dir/$name" or die;
    print $f $bytes;
    close $f;
    return "$dir/$name";
}
sub of_type { my ($type, @all) = @_; return grep { $_->{type} eq $type } @all }

# A kernel as Mesa's disassembler prints it, by its bytes and the names of its text.
sub printed {
    my ($name, $stage, $width) = @_;
    my @names = map { /^\s*(?:\([^)]*\)\s*)?([a-z][a-z0-9]*)/ ? $1 : () } split /\n/, slurp("$data/$name.asm");
    my $code = slurp("$data/$name.krn");
    is 16 * @names, length $code, "$name: as many names as instructions";
    my @lines = map { sprintf "%s %s(8)%sg%d<1>F { align1 1Q };\n", join(' ', map { sprintf '%02x', ord }
        split //, substr $code, 16 * $_, 16), $names[$_], ' ' x 8, $_ } 0 .. $#names;
    $lines[1] =~ s/ (\w+\(8\))/ (+f0.0) $1/;
    return "Native code for unnamed $stage shader GLSL3 (src_hash 0x00000000) (sha1 0)\n" .
        "SIMD$width shader: " . @names . " instructions. 0 loops. 26 cycles.\n   START B0 (26 cycles)\n" .
        join('', @lines) . "   END B0\n\n";
}
my $log = "MESA: info: something else\n" . printed('mac', 'fragment', 8) . "10:42:01 more of the log\n" .
    printed('shifts', 'compute', 16);

subtest 'a log with two shaders' => sub {
    my $file = write_file('log.txt', $log);
    my @all = records($file, commands('info file', 'info folder', 'disassemble'));
    is join(' ', map { $_->{name} =~ s/.*\((\w+)\)$/$1/r } of_type('code-file', @all)), 'fs_simd8 cs_simd16',
        'each is a member, with its width';
    is((of_type('file', @all))[0]{isa}, 'gen7.5', 'the chip is found by the names');
    is join(' ', map { $_->{mnemonic} } of_type('insn', @all)), 'mul mac mov send', 'the first one\'s code';
    @all = records("$file(cs_simd16)", commands('info file', 'disassemble'));
    is scalar(of_type('insn', @all)), length(slurp("$data/shifts.krn")) / 16, 'the second by name';
    @all = records('--isa', 'gen7', $file, commands('info file'));
    is((of_type('file', @all))[0]{isa}, 'gen7', '--isa chooses among chips that fit');
    is((of_type('code-file', records($file, commands('info folder'))))[0]{form}, 'intel-debug',
        'the list names the form of the container');
};

subtest 'what does not fit is refused' => sub {
    (my $other = $log) =~ s/mac\(8\)/dp4a(8)/;
    my @all = records(write_file('other.txt', $other), commands('info folder'));
    my ($refused) = grep { $_->{name} =~ /fs_simd8/ } of_type('code-file', @all);
    like $refused->{stage} // '', qr/are not, on any chip that gpudbg knows/, 'an instruction of another chip';
    for my $cut (map { int(length($log) * $_ / 24) } 0 .. 24) {
        my $file = write_file('cut.txt', substr $log, 0, $cut);
        qx('@{[Gpudbg::program()]}' --batch '$file' -e 'info folder' -e disassemble 2>&1);
        is $? & 127, 0, "cut at $cut";
    }
    for my $hostile ('00 ' x 16 . "mov(8)\n", '00 ' x 17 . "mov(8)\n", '00 ' x 8 . "(\n", '0g ' x 16 . "mov(8)\n",
        'ff ' x 16 . '(' x 5000 . "\n") {
        my $file = write_file('bad.txt', "Native code for x\nSIMD99999999999999999999 shader\n" . $hostile x 9);
        my $said = qx('@{[Gpudbg::program()]}' --batch '$file' -e 'info folder' 2>&1);
        is $? & 127, 0, 'hostile lines';
        unlike $said, qr/[^\n\t -~]/, '... and what is said is text';
    }
};

done_testing;
