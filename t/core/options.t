#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Options of the command line: each row of ui/options.def is in --help and in `info options`, and is an option that is
# taken.
use strict;
use warnings;
use Test::More;
use JSON;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $help = `$program --help`;
my @options = map { decode_json($_) } `$program --batch --json -e 'info options'`;
cmp_ok scalar @options, '>=', 15, 'there are options';

my %value = (ISA => 'gfx7', ADDR => 0, NAME => 'raw', COLSxROWS => '80x24', SCRIPT => '/dev/null', COMMAND => 'show',
    WHEN => 'never');
for my $o (@options) {
    like $help, qr/^  \Q$o->{option}\E +\Q$o->{summary}\E$/m, "$o->{option} is in --help";
    cmp_ok length "  $o->{option}  $o->{summary}", '<=', 120, '... on a line that fits';
    next if $o->{option} =~ /^--(?:plugin FILE|signatures|stats|stats-diff)$/; # need files of their own
    next if $o->{word} eq q(--dap); # speaks with an editor, so it does not go with --batch: t/ui/dap.t
    my @words = ($o->{word}, $o->{argument} =~ /^\w/ ? $value{ $o->{argument} } // die("$o->{argument}: no value here")
        : ());
    system "$program @words --batch >/dev/null 2>&1";
    is $? >> 8, 0, "@words is taken";
    if ($o->{argument} =~ /^\w/) {
        my $said = `$program --batch $o->{word} 2>&1`;
        is $? >> 8, 2, '... not without its value';
        like $said, qr/^gpudbg: \Q$o->{word}\E: its value is missing/, '... and says so';
    }
}
my %in = map { $_->{option} => 1 } @options;
ok $in{$1}, "$1 of --help is in info options" while $help =~ /^  (-\S+(?: [A-Z]\S*)?) /mg;
done_testing;
