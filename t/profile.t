#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts of what was executed, against what the source of the demo says: 4 tiles of 16 steps for each of 64 waves.
use strict;
use warnings;
use JSON::PP;
use Test::More;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
sub records { map { decode_json($_) } `$gpudbg --batch --json --demo=matmul @{[map {"-e '$_'"} @_]}` }

my @all = records('continue', 'info stats', 'info profile', 'info profile lines');
my ($done) = grep { $_->{type} eq 'stop' } @all;
my ($stats) = grep { $_->{type} eq 'stats' } @all;
my @places = grep { $_->{type} eq 'profile' && defined $_->{text} } @all;
my @lines = grep { $_->{type} eq 'profile' && !defined $_->{text} } @all;
my $sum = sub { my ($key, @rows) = @_; my $n = 0; $n += $_->{$key} for @rows; $n };

is($stats->{instructions}, $done->{position}, 'as many instructions as the position says');
is($sum->('executed', @places), $stats->{instructions}, 'the addresses add up');
is($sum->('executed', @lines), $stats->{instructions}, 'the source lines add up');
is($sum->('lanes', @places), $stats->{lane_operations}, 'the lanes add up');
my ($mac) = grep { $_->{text} =~ /^v_mac_f32/ } @places;
is($mac->{executed}, 64 * 4 * 16, 'the inner product: 64 waves, 4 tiles, 16 steps');
is($mac->{lanes}, 64 * 64 * 64, '64 lanes of each: one multiplication for each of 64 x 64 x 64');
is($mac->{partial}, 0, 'with all lanes');
my ($end) = grep { $_->{text} eq 's_endpgm' } @places;
is($end->{executed}, 64, 'every wave ends once');
my ($branch) = grep { $_->{text} =~ /^s_cbranch_scc0/ && $_->{executed} == 4096 } @places;
is($branch->{jumped}, 64 * 4 * 15, 'the inner loop jumps back 15 times of 16');

my @before = grep { $_->{type} eq 'hash' } records('stepi 100', 'info hash', 'info stats', 'info hash', 'reverse-stepi 10', 'stepi 10', 'info hash');
is($before[0]{value}, $before[1]{value}, 'counting leaves the machine where it was');
is($before[1]{value}, $before[2]{value}, 'and its past as it was');

# Divergence: lanes of collatz stop at different steps, so its loop runs with lanes masked off.
my @collatz = map { decode_json($_) } `$gpudbg --batch --json --demo=collatz -e continue -e 'info profile'`;
ok((grep { $_->{type} eq 'profile' && $_->{partial} > 0 } @collatz) > 0, 'lanes that left a loop are seen');

done_testing;
