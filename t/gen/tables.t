#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables of the manuals: every field of every architecture register (Ivy Bridge, volume 4 part 3, 3.3.3.4 to 3.3.3.12),
# as `print/fields` shows it of a thread, and the names of its values; data types and their sizes (3.1), constants
# (3.1.2 and 3.1.3: packed nibbles and small floats), and the numbers of architecture registers (3.3.3.1).
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;
use lib "$FindBin::Bin/../lib";
use GenWords qw(word gen7);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
my %section = (a0 => '3.3.3.4', acc0 => '3.3.3.5', f0 => '3.3.3.6', f1 => '3.3.3.6', sr0 => '3.3.3.7', cr0 => '3.3.3.8',
    n0 => '3.3.3.9', ip => '3.3.3.10', tdr0 => '3.3.3.11', tm0 => '3.3.3.12');

sub code { my ($bytes) = @_; open my $f, '>:raw', "$dir/code" or die; print $f $bytes; close $f; return "$dir/code" }
sub run { my (@args) = @_; open my $f, '-|', $gpudbg, '--batch', @args or die; local $/; return scalar <$f> // '' }
sub commands { map { ('-e', $_) } @_ }

my $nop = code(gen7(exec => 8, dst => {type => 'f', reg => 2, sub => 0, h => 1},
    src0 => {type => 'f', reg => 4, sub => 0, v => 8, w => 8, h => 1}));
open my $table, '<', "t/data/registers/gen7-arf.tsv" or die;
my (undef, @rows) = map { chomp; [split /\t/, $_, -1] } <$table>;
for my $isa ('gen7', 'gen7.5') {
    for my $register (sort keys %section) {
        my @mine = grep { $_->[0] eq $register && $_->[3] =~ /^\d+$/ && $_->[4] =~ /^\d+$/ } @rows;
        next if !@mine;
        my $text = run('--isa', $isa, '--raw', $nop, commands('launch -g 8 -l 8', "print/fields \$$register"));
        my %have = map { /^\s+(\S+)\s+(\d+):(\d+) = / ? ("$2:$3" => $1) : () } split /\n/, $text;
        my @wrong;
        for my $row (@mine) {
            my ($name) = map { s/^FLAG\d_/FLAG_/r } $row->[6] =~ /^(\w+)/;
            my $range = join ':', map { $_ + 32 * $row->[3] } $row->[4], $row->[5];
            my $found = $have{$range} // 'no field';
            next if $name =~ /^(?:RESERVED|UNDEFINED)$/
                && !grep { my ($hi, $lo) = split /:/;
                $have{$_} ne '-' && $hi >= $row->[5] + 32 * $row->[3] && $lo <= $row->[4] + 32 * $row->[3] } keys %have;
            push @wrong, "$range $name: $found" if $found ne lc $name;
        }
        is_deeply \@wrong, [], "$isa, $section{$register}: all " . @mine . " fields of $register" or diag $text;
    }
    # Values that have names, one after another.
    my @commands = ('launch -g 8 -l 8');
    my @want;
    for my $row (grep { $_->[0] =~ /^(?:cr0|tdr0)$/ && $_->[3] < 2 && $_->[8] } @rows) {
        my $name = lc(($row->[6] =~ /^(\w+)/)[0]);
        for (split /;/, $row->[8]) {
            my ($value, $meaning) = split /=/;
            push @commands, sprintf('set $%s = 0x%x', $row->[0], $value << $row->[5] + 32 * $row->[3]),
                "print/fields \$$row->[0]";
            push @want, [$row->[0], $name, $meaning];
        }
    }
    my @answers = split /^(?=\$\w+ = 0x)/m, run('--isa', $isa, '--raw', $nop, commands(@commands));
    @answers = grep { /^\$\w+ = 0x/ } @answers;
    my @wrong = grep { my ($k, $w) = ($_, $want[$_]); ($answers[$k] // '') !~ /^\s+\Q$w->[1]\E\s.*\b\Q$w->[2]\E\b/m }
        0 .. $#want;
    is_deeply [map { "@{ $want[$_] }" } @wrong], [],
        "$isa, 3.3.3.8 and 3.3.3.11: " . @want . ' named values' or diag $answers[$wrong[0]] // 'no answer',
        scalar @answers;
}

# Types (3.1): how wide an element of each is: the byte where the second one lies.
my %size = (ub => 1, b => 1, uw => 2, w => 2, ud => 4, d => 4, f => 4, df => 8);
for my $type (sort keys %size) {
    my ($record) = map { decode_json($_) } grep { /"region"/ } split /\n/, run('--json', '--isa', 'gen7.5', '--raw',
        code(gen7(exec => 2, dst => {type => $type, reg => 2, sub => 0, h => 1},
        src0 => {type => $type, reg => 4, sub => 0, v => 2, w => 2, h => 1})), commands('print region'));
    my ($source) = grep { $_->{role} eq 'src0' } @{ $record->{operands} };
    is "$source->{element_type} $source->{element_size} $source->{elements}[1]{byte}",
        "$type $size{$type} $size{$type}", "3.1: :$type has $size{$type} bytes";
}

# Constants: eight nibbles, signed or not, and small floats of 1, 3 and 4 bits (3.1.2, 3.1.3), as a run writes them.
sub constant { my ($type, $bits, $dst) = @_; return code(word([6, 0, 1], [9, 9, 1], [23, 21, $dst eq 'f' ? 2 : 3],
    [33, 32, 1], [36, 34, {w => 3, uw => 2, f => 7}->{$dst}], [62, 61, 1], [60, 53, 2], [38, 37, 3],
    [41, 39, {uv => 4, vf => 5, v => 6}->{$type}], [127, 96, $bits])) }
sub register {
    my ($file, $format) = @_;
    my $text = run('--isa', 'gen7.5', '--raw', $file, commands('launch -g 8 -l 8', 'stepi', "print/$format \$r2"));
    return $text =~ /^\$\w+ = (.*)$/m ? $1 : $text;
}
is register(constant('v', 0x123478f1, 'w'), 'x'), '{0xffff0001, 0x7fff8, 0x30004, 0x10002, 0x0, 0x0, 0x0, 0x0}',
    '3.1.2: v: signed nibbles, the lowest first';
is register(constant('uv', 0x123478f1, 'uw'), 'x'), '{0xf0001, 0x70008, 0x30004, 0x10002, 0x0, 0x0, 0x0, 0x0}',
    '3.1.2: uv: unsigned nibbles';
# 00 and 80 are zeros, else 1.mmmm * 2^(e - 3): B0 is -1, 38 is 1.5, 7F is 1.9375 * 16.
for (['00', 0], ['80', 0x80000000], ['30', 0x3f800000], ['b0', 0xbf800000], ['38', 0x3fc00000], ['7f', 0x41f80000],
    ['01', 0x3e080000]) {
    is register(constant('vf', hex($_->[0]) * 0x01010101, 'f'), 'x'),
        '{' . join(', ', (sprintf '0x%x', $_->[1]) x 4, ('0x0') x 4) . '}', "3.1.3: small float $_->[0]";
}
# Haswell's manual and Gen12's differ about (f0.0.anyv): the program takes the later one, and says so.
my $anyv = run('--isa', 'gen7.5', commands('decode 0x00620001 0x202000a5 0x008d0040 0x00000000', 'enum PredCtrl 2'));
like($anyv, qr/pred_ctrl .* f0\.0\.anyv, of f0 and f1 \(Gen12's manual; Haswell's: f0\.0 and f0\.1\)/,
    'the fields of (f0.0.anyv) say which manual is followed');
like($anyv, qr/reads .* f0\.0, f1\.0$/m, 'its operands are both flags');
like($anyv, qr/f0\.0-f0\.1.*gpudbg takes f0 and f1, as Gen12's manual says/, 'its enumeration says so, too');

done_testing;
