#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The row walk: every opcode of AMD IL that the machine knows is executed in a test that compares what it computed; the
# tests are run again and their kernels read.  What is not executed stands here with the reason.
use strict;
use warnings;
use Test::More;
use File::Temp 'tempdir';

my %reason = (
    precomp => 'listed in appendix B only; nobody says what it does',
);
open(my $f, '<', "decoders/il/ops.def") or plan skip_all => 'no source beside the tests';
local $/;
my $table = <$f>;
my (%declares, %operation, %spelled);
while ($table =~ /^OP\(\d+, (\w+), (\w+), (\w+),((?:(?!^OP\(|^#).)*)/gms) {
    my ($id, $name, $layout, $rest) = ($1, $2, $3, $4);
    my $operation = $rest =~ /\bNONE\)\s*$/ ? 'NONE' : $rest;
    $operation{$name} = $operation;
    $declares{$name} = $rest =~ /\bDECL\b/;
    $spelled{$name} = $name;
}
cmp_ok(scalar keys %operation, '>', 400, 'the table of opcodes is read');
my $seen = tempdir(CLEANUP => 1) . '/seen';
$ENV{IL_SEEN} = $seen;
for my $test (qw(alu flow memory graphics)) {
    my $output = `$^X -It/lib t/il/$test.t 2>&1`;
    is($?, 0, "$test.t passes") or diag join "\n", grep { /^not ok/ } split /\n/, $output;
}
open(my $s, '<', $seen) or die;
my %executed;
my @names = sort { length $b <=> length $a } keys %operation;
my %cache;
for my $line (split /\n/, do { local $/; <$s> }) {
    my ($word) = lc($line) =~ /^\s*([a-z]\w*)/ or next;
    $cache{$word} //= (grep { $word eq $_ || index($word, $_ . '_') == 0 } @names)[0]
        // ($word =~ /^ffb/ ? 'ffb' : $word eq 'and' ? 'iand' : '');
    $executed{$cache{$word}}++;
}
my @work = grep { !$declares{$_} || $operation{$_} ne 'NONE' } sort keys %operation;
my @none = grep { $operation{$_} eq 'NONE' && !/^(comment|func|mdef|prefix)$/ } @work;
is("@none", join(' ', sort keys %reason), 'opcodes without an operation, and there is a reason for each');
my @missing = grep { $operation{$_} ne 'NONE' && !$executed{$_} } @work;
is("@missing", '', 'every other opcode is executed in a test that compares a value');
diag scalar(grep { $executed{$_} } @work), ' of ', scalar(@work), ' opcodes that do something are executed by tests';
done_testing();
