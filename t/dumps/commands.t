#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands of Gen8 to Gen12.5: number, length and the positions of all fields, against those of Mesa's genxml
# (t/data/dumps/genxml.tsv).
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my %of;
open my $f, '<', "$FindBin::Bin/../data/dumps/genxml.tsv" or die;
while (<$f>) {
    next if /^#/;
    chomp;
    my ($generations, $name, $first, $dwords, $places) = split /\t/;
    push $of{$_}->@*, [$name, $first, $dwords, $places] for split /,/, $generations;
}
my @runs = ([80, 'gen8'], [90, 'gen9'], [110, 'gen11'], [120, 'gen12'], [125, 'gen12.5']);
for my $run (@runs) {
    my ($number, $isa) = @$run;
    my @rows = $of{$number}->@*;
    # Commands of video engines share numbers with others.
    my @sets = ([[grep { $_->[0] !~ /^VD_/ } @rows], "$isa-batch"],
        [[grep { $_->[0] =~ /^VD_/ } @rows], "$isa-video-batch"]);
    @rows = map { $_->[0]->@* } @sets;
    my @got = grep { $_->{type} eq 'insn' } map { my ($of, $set) = @$_; !@$of ? () : records('--isa', $set,
        commands(map { join ' ', 'decode', $_->[1], ('00000000') x ($_->[2] - 1) } @$of)) } @sets;
    is scalar @got, scalar @rows, "$isa: each command is decoded" or next;
    for my $n (0 .. $#rows) {
        my ($name, $first, $dwords, $places) = $rows[$n]->@*;
        my $insn = $got[$n];
        my @fields = grep { $_->{name} ne '-' && $_->{word} ne 'DATA' && ($_->{meaning} // '') ne 'reserved' }
            $insn->{fields}->@*;
        my %is = map { ($_->{bits} => 1) } grep { $_->{lo} >= 32 || $places =~ /\b$_->{bits}\b/ } @fields;
        is "$insn->{mnemonic} " . $insn->{size} / 4 . ' ' . join(' ', sort keys %is),
            "$name $dwords " . join(' ', sort split / /, $places), "$isa: $name";
    }
}
done_testing;
