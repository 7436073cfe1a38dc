#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts of what was executed, against what the source of the demo says: 4 tiles of 16 steps for each of 64 waves.
use strict;
use warnings;
use File::Temp;
use JSON::PP;
no warnings 'portable';
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

my @before = grep { $_->{type} eq 'hash' } records('stepi 100', 'info hash', 'info stats', 'info hash',
    'reverse-stepi 10', 'stepi 10', 'info hash');
is($before[0]{value}, $before[1]{value}, 'counting leaves the machine where it was');
is($before[1]{value}, $before[2]{value}, 'and its past as it was');

# Divergence: lanes of collatz stop at different steps, so its loop runs with lanes masked off.
my @collatz = map { decode_json($_) } `$gpudbg --batch --json --demo=collatz -e continue -e 'info profile'`;
ok((grep { $_->{type} eq 'profile' && $_->{partial} > 0 } @collatz) > 0, 'lanes that left a loop are seen');

# Counted as it runs, or by running it again: the same, wherever one stands and whatever way one came.
my @ways = (['continue'], ['continue', 'reverse-stepi 700', 'stepi 40'],
    ['break *$pc+8', 'continue', 'continue', 'delete', 'continue'], ['stepi 9', 'set $v1[3] = 7', 'continue']);
for my $way (@ways) {
    my ($again, $counted) = map { [grep { $_->{type} eq 'profile' } records(@$_, @$way, 'info profile')] } [],
        ['set profile on', 'run'];
    ok(@$again > 5, 'a profile after ' . join ', ', @$way);
    is_deeply($counted, $again, '... the same counted as it runs');
}

# Against steps: one wave of 40 lanes, instruction by instruction.
my $script = File::Temp->new;
print $script "kill\nlaunch collatz -g 40 -l 64 zero:160 30\n", map { "print \$pc\nprint \$exec\nstepi\n" } 1 .. 2000;
close $script;
my @steps = map { decode_json($_) } `$gpudbg --batch --json --demo=collatz -x $script 2>/dev/null`;
my @values = map { hex $_->{value} } grep { $_->{type} eq 'value' } @steps;
my ($position) = reverse map { $_->{position} } grep { $_->{type} eq 'stop' } @steps;
my (%executed, %lanes, %partial);
for my $i (0 .. $position - 1) {
    my ($pc, $exec) = @values[2 * $i, 2 * $i + 1];
    $executed{$pc}++;
    $lanes{$pc} += grep { $exec >> $_ & 1 } 0 .. 63;
    $partial{$pc} += $exec != (1 << 40) - 1;
}
my @asked = grep { $_->{type} eq 'profile' } map { decode_json($_) }
    `$gpudbg --batch --json --demo=collatz -e 'launch collatz -g 40 -l 64 zero:160 30' \\
        -e 'stepi 2000' -e 'info profile'`;
cmp_ok($position, '>', 200, "a wave ran, $position instructions");
is_deeply({ map { hex $_->{pc} => $_->{executed} } @asked }, \%executed,
    'each instruction as often as the steps met it');
my @vector = grep { $_->{text} =~ /^v_/ } @asked;
is_deeply([map { [$_->{lanes}, $_->{partial}] } @vector],
    [map { [$lanes{ hex $_->{pc} }, $partial{ hex $_->{pc} }] } @vector], '... with the lanes of EXEC');

done_testing;
