#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the user changed is there again after a journey through time: registers of every file, the pc, and memory of
# every space, on each machine.  The values are those that were written; the hash is the one before the journey.
use v5.36;
use lib 't/lib';
use File::Temp 'tempdir';
use Gpudbg;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $waves = "$dir/waves";
open my $f, '>:raw', $waves or die $!;
print $f pack 'V*', 0x81020100, 0x81030402, 0x7e000204, 0x7e020207, 0x80040104, 0xbf810000;
close $f;
my $kernels = 't/data/kernels';

# title, files, commands up to the change; the last column: the wave has ended, and others of its group have not.
my @launches = (
    ['gfx7', ['--demo=matmul'], ['stepi 60', 'wave 1', 'stepi 20'], 0],
    ['gfx7, scratch', ["$kernels/gfx7/calls-O0-g.co"],
        ['launch calls_chain -g 64 -l 64 zero:4096 zero:4096', 'stepi 90'], 0],
    ['gfx7, an ended wave', ['--demo=matmul'], ['stepi 100000'], 1],
    ['gfx7, a wave of a dump', ['--isa', 'gfx7', '--raw', $waves, 't/data/dumps/waves1.txt'], ['restore'], 0],
    ['gen12', ["$kernels/gen12/reduce.ze"], ['launch reduce_f32 -g 256 -l 128 zero:64 zero:1024', 'stepi 30'], 0],
    ['gen12, scratch', ["$kernels/gen12/pointers-O0.ze"], ['launch picks -g 32 -l 8 zero:4096', 'stepi 60'], 0],
    ['gen12, an ended wave', ["$kernels/gen12/reduce.ze"],
        ['launch reduce_f32 -g 256 -l 128 zero:64 zero:1024', 'stepi 100000'], 1],
    ['il', ['--demo=il'], ['stepi 60', 'wave 1', 'stepi 20'], 0],
    ['il, an ended wave', ['--demo=il'], ['stepi 346'], 1],
);

# Ways there and back.  P is the position of the change.
my @journeys = (
    ['goto 0', 'goto P'],
    ['find-time $position > 99999'],
    ['set threads 1', 'find-time $position > 99999', 'set threads 0'],
    ['find-time $pc == 1'],
    ['continue', 'goto P'],
    ['reverse-continue', 'goto P'],
    ['goto -1', 'goto +1'],
    ['set history-budget 1', 'goto 0', 'goto P'],
    ['check all on', 'info checks', 'check all off'],
    ['save session SAVED', 'load SAVED'],
);

for my $launch (@launches) {
    my ($title, $files, $start, $ended) = @$launch;
    subtest $title => sub {
        my $run = sub (@lines) { records(@$files, commands('set confirm off', @$start, @lines)) };
        # Registers: the first of each file, in the forms that one can have; and memory.
        my ($names) = gpudbg(@$files, commands(@$start, 'complete print $'));
        my @files = grep { !/^\$_|Idx|Dim/ } $names =~ /^(\$\w+)$/mg;
        my @places = map { ($_, "${_}0", "${_}1.y", "${_}0.x", "${_}0[3]", "${_}3.2") } @files;
        push @places, map { ("*(u32*)$_->{name}", "*(u8*)($_->{name} + 7)") }
            grep { $_->{type} eq 'buffer' && $_->{name} =~ /^\w+$/ } $run->('info buffers');
        push @places, '*(u32*)lds:420', '*(u8*)lds:3' if $title !~ /scratch|dump/;
        my ($wave) = map { $_->{wave} } grep { $_->{selected} } $run->('info waves');
        my ($history, @tried) = grep { $_->{type} =~ /^(?:history|value|error)$/ }
            $run->('info history', map { "print $_ = 1" } @places);
        my $position = $history->{position};
        is scalar @tried, @places, @places . ' places are tried';
        my @all = map { $tried[$_]{type} eq 'value' ? $places[$_] : () } 0 .. $#places;
        my $memory = grep { /\*/ } @all;
        cmp_ok scalar @all, '>', $ended ? 1 : 4, 'places that can be changed: ' . @all;
        cmp_ok $memory, '>', 0, "... $memory of them in memory" if $title !~ /dump/;
        my @set = map { "set $all[$_] = " . (1 + $_ % 3) } 0 .. $#all;
        my @look = ("wave $wave", 'lane 0', 'info hash', map { "print $_" } @all);
        my $seen = sub (@r) {
            [map { $_->{value} // $_->{hash} // $_->{text} } grep { $_->{type} =~ /^(hash|value)$/ } @r] };
        my $want = $seen->($run->(@set, @look));
        is scalar @$want, @all + 1, 'all of them are changed at once';
        for my $journey (sampled(@journeys)) {
            next if $title =~ /dump/ && "@$journey" =~ /find-time|continue/;
            my @way = map { s/P$/$position/r =~ s/SAVED/$dir\/saved/r } @$journey;
            my @r = $run->(@set, @way, @look);
            my $is = $seen->(@r[-@look + 2 .. -1]);
            is_deeply $is, $want, join(', ', @way);
        }
    };
}

done_testing;
