#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Code of an Intel EU alone, as Mesa's INTEL_SHADER_BIN_DUMP_PATH writes it: a file a shader, named by its SHA-1.  The
# bytes are iga64's (t/data/gen7, t/data/eu), whose command line names the chip.
use strict;
use warnings;
use Digest::SHA qw(sha1_hex);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $data = "$FindBin::Bin/../data";
plan skip_all => 'no kernels beside the tests' unless -r "$data/gen7/mac.krn";
sub of_type { my ($type, @all) = @_; return grep { $_->{type} eq $type } @all }

my %code = map { $_ => slurp("$data/$_.krn") } qw(gen7/mac gen7/shifts gen7/if_else eu/break.12p1 eu/goto.12p1);
my %file = map { $_ => spill(sha1_hex($code{$_}) . '.bin', $code{$_}) } keys %code;

subtest 'a folder of dumped shaders opens without a flag' => sub {
    my @all = of_type('code-file', records($dir, commands('info folder')));
    is scalar @all, scalar keys %code, 'all are listed';
    is join(' ', sort map { $_->{form} } @all), join(' ', ('intel-code') x @all), 'with their form';
    for my $name (sort keys %code) {
        @all = records($file{$name}, commands('info file', 'disassemble'));
        my ($f) = of_type('file', @all);
        is $f->{isa}, $name =~ /12p1/ ? 'gen12' : 'gen7.5', "$name: the chip, by its instructions";
        like $f->{facts}{hash}, qr/^@{[sha1_hex($code{$name})]}, by the file's name/,
            '... the hash that the log prints';
        is scalar(of_type('insn', @all)), length($code{$name}) / 16, '... all of its instructions';
    }
    is((of_type('file', records('--isa', 'gen7', $file{'gen7/mac'}, commands('info file'))))[0]{isa}, 'gen7',
        '--isa says otherwise');
    is((of_type('file', records(spill('nops.bin', $code{'gen7/mac'} . pack('V4', 0x7e, 0, 0, 0) . "\0" x 48),
        commands('info file'))))[0]{isa}, 'gen7.5', 'nops and zeros behind the end do no harm');
};

subtest 'what is not code is not taken for it' => sub {
    my $whole = $code{'gen7/if_else'};
    my %is = (0 => 'opens', 3 => 'refused');
    for my $cut (sampled(0 .. length($whole) - 1)) {
        qx('@{[Gpudbg::program()]}' --batch '@{[spill('cut.bin', substr $whole, 0, $cut)]}' -e disassemble 2>&1);
        is $is{$? >> 8} . ($? & 127), 'refused0', "cut at $cut";
    }
    srand 24;
    for my $try (1 .. 20) {
        my $noise = pack 'C*', map { int rand 256 } 1 .. 256;
        qx('@{[Gpudbg::program()]}' --batch '@{[spill('noise.bin', $noise)]}' -e disassemble 2>&1);
        is $? >> 8, 3, 'noise is refused';
    }
    for my $at (sampled(0 .. length($whole) / 4 - 1)) {
        my $bytes = $whole;
        substr $bytes, 4 * $at, 4, pack 'V', 0xffffffff;
        qx('@{[Gpudbg::program()]}' --batch '@{[spill('bad.bin', $bytes)]}' -e 'info file' -e disassemble 2>&1);
        is $? & 127, 0, "word $at changed";
    }
    # The head of a long file looks like code, and its end does not.
    my $long = join('', ($code{'gen7/shifts'}) x (70000 / length $code{'gen7/shifts'})) . "\xff" x 64;
    my $said = qx('@{[Gpudbg::program()]}' --batch '@{[spill('long.bin', $long)]}' -e 'info file' 2>&1);
    is $? >> 8, 3, 'a long file that does not end as code does';
    like $said, qr/does not end as one/, '... says so';
};

done_testing;
