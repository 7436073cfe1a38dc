#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# How many lanes were off is what `info profile` counts, and the values behind instructions are
# those that `print` gives right behind each of them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg qw(gpudbg commands);
use Test::More;

$ENV{LC_ALL} = 'C';
my @demo = ('--demo=collatz');
my @there = ('stepi 400', 'lane 11');
my ($picture) = gpudbg('--screen', '160x50', @demo, commands('set profile on', 'set lane-values on', 'run', @there,
    'layout code:40@100|lanes:40@50', 'screenshot'));
# address => [percent of lanes off, register, value, off]
my %row;
for (map { substr $_, 0, 99 } split /\n/, $picture) {
    my ($addr, $heat, $percent, $rest) = /^...([0-9a-f]{4}) +([.,:=+*#-]) +(?:(\d+)% )?(.*?) *$/ or next;
    $row{hex $addr} = {percent => $percent // 0, $rest =~ /  (\w+)(?:\[\d+\])?=(\S+)( off)?$/
        ? (register => $1, value => $2, off => $3) : ()};
}
cmp_ok scalar keys %row, '>', 20, 'rows with heat';

my %place = map { hex($_->{pc} // $_->{addr}) => $_ } grep { $_->{type} eq 'profile' || defined $_->{executed} }
    Gpudbg::records(@demo, commands(@there, 'info profile'));
my $compared = 0;
for my $addr (sort keys %row) {
    my $p = $place{$addr} or next;
    my $lanes = $p->{lanes} // 0;
    next unless $lanes;
    is $row{$addr}{percent}, int(100 * (64 * $p->{executed} - $lanes) / (64 * $p->{executed})),
        sprintf '%x: how many lanes were off', $addr;
    $compared++;
}
cmp_ok $compared, '>', 5, 'several were compared';

# The last time that each instruction was behind the program, as `print` says it there.
my @values = sort grep { $row{$_}{register} && $row{$_}{register} =~ /^v\d+$/ } keys %row;
cmp_ok scalar @values, '>', 1, 'values stand behind instructions';
my ($trace) = gpudbg(@demo, commands('stepi 145', 'lane 11',
    map { ('print $pc', 'stepi', map { "print \$$_" } qw(v1 v2 v3)) } 145 .. 399));
my (%last, $pc, @got);
for (grep { /^\$\d+ = / } split /\n/, $trace) {
    my ($v) = /= (\S+)/;
    if (!defined $pc) { $pc = hex $v; next }
    push @got, $v;
    next if @got < 3;
    $last{$pc} = {v1 => $got[0], v2 => $got[1], v3 => $got[2]};
    ($pc, @got) = ();
}
for my $addr (@values) {
    my $want = $last{$addr} && $last{$addr}{ $row{$addr}{register} };
    next unless defined $want;
    is $row{$addr}{value}, $want, sprintf '%x: %s', $addr, $row{$addr}{register};
}
# Scalar registers as `print` has them: one alone in its type, a pair as one number in hex.
my @three = ('stepi 17', 'lane 11'); # behind both s_and_saveexec s[0:1], before s[2:3] is written again
my ($early) = gpudbg('--screen', '160x50', @demo, commands('set lane-values on', @three,
    'layout code:40@100|lanes:40@50', 'pane top', 'screenshot'));
my @names = ('$s2', '$s3', '$s1', '/x $s[0:1]');
my ($printed) = gpudbg(@demo, commands('stepi 17', map { /^\// ? "print$_" : "print $_" } @names));
my @print = map { /^\$\d+ = (.*)/ ? $1 : () } split /\n/, $printed;
my %shown;
$shown{$1} = $2 while $early =~ /  (s\d+|s\[\d+:\d+\])=(\S+)/g;
is $shown{s3}, $print[1], 'a scalar register behind its load';
is $shown{'s[0:1]'}, $print[3], 'a pair, as one number';
like $shown{'s[0:1]'}, qr/^0x[0-9a-f]{16}$/, '... with all digits';
unlike $early, qr/  s\d+=[0-9a-f]*[a-f][0-9a-f]*\b/, 'no hex digits without 0x';
# Variables of the source in their pane: * where a step changed the value, y where it is from, Enter all lanes.
my @o0 = ("$FindBin::Bin/../data/kernels/gfx7/inlined-O0-g.co", commands('launch -g 64 -l 64 zero:256 zero:256 6',
    'tbreak outside', 'continue', 'lane 3', 'layout code:8@44|locals:6/args:6@35;prompt:4', 'focus args'));
my ($locals) = gpudbg('--screen', '80x24', @o0, commands('key s', 'screenshot'));
like $locals, qr/ mine int +own memory, fram\S+ *\*45 *$/m, 'a local that the step changed: n * 5';
my ($twice) = gpudbg('--screen', '80x24', @o0, commands('key s s', 'screenshot'));
like $twice, qr/ mine int +own memory, fram\S+ +45 *$/m, '... and the next step did not';
my ($origin) = gpudbg('--screen', '80x24', @o0, commands('key y', 'screenshot'));
like $origin, qr/^=origin  n  asked at /m, 'y on a parameter asks where it is from';
like $origin, qr/\$v0\[3\] = 6 +argument n as launched/, '... the kernel\'s argument';
my ($lanes) = gpudbg('--screen', '80x24', @o0, commands('key Enter', 'screenshot'));
like $lanes, qr/^ *9 +1 lane: 3$/m, 'Enter: its values in all lanes';
# Lines that name a position lead there: of the pane compare, and of the pane prompt with single keys.
my @planted = ('--demo=matmul', commands('patch *0x1744 v_sub_i32 v6, vcc, v5, v0', 'continue'));
my ($there) = gpudbg('--screen', '80x24', @planted, commands('diffrun -n', 'key Enter', 'screenshot'));
like $there, qr/^ matmul\.co .* step 15 of/m, 'Enter in the pane compare: the planted instruction';
($there) = gpudbg('--screen', '80x24', '--demo=matmul', commands('continue', 'key :', 'last-write $v0', 'key Escape',
    'focus prompt', 'key Up Enter', 'screenshot'));
like $there, qr/^ matmul\.co .* step 2,371 of/m, 'in the pane prompt: Up chooses the line, Enter goes there';
my ($found) = gpudbg('--screen', '80x24', '--demo=matmul', commands('patch *0x1744 v_sub_i32 v6, vcc, v5, v0',
    'key |', 'screenshot'));
like $found, qr/^!>1744 v_sub_i32_e32 v6, .*!>1744 v_add_i32_e32 v6, /m, 'one key from a patch to what it changed';

# All lanes in one look: what holds in all lanes that run is not what the selected lane holds, which is off; what an
# instruction left in a lane that is off looks off, and the mark alone says that it changed.
my @one_runs = ('--demo=mandelbrot', commands('stepi 99', 'lane 11', 'layout lanes', 'focus lanes'));
my ($all) = gpudbg('--screen', '80x24', @one_runs, commands('key H', 'screenshot', 'print $v0[63]', 'print $v3[63]'));
my ($v0, $v3) = $all =~ /^\$\d+ = (\S+)$/mg;
like $all, qr/^ *v0 +d +\Q$v0\E in all lanes that run .* 11\b/m, 'the lanes that run have another value than lane 11';
like $all, qr/^\*v3 +f +\Q$v3\E in all lanes that run .* 1\b/m, '... which may be of another type, too';
# Where nothing is launched, the ribbon has no marks to go to.
my ($none) = gpudbg('--screen', '80x24', "$FindBin::Bin/../data/explain/fault-interrupt-gfx7.log",
    commands('layout timeline', 'focus timeline', 'key ]', 'screenshot'));
like $none, qr/^=timeline=.*nothing is launched/ms, 'a log has no ribbon: ] does no harm';

# A value that has no room is cut; it does not vanish, nor do the others with it.
for my $width (24, 40, 80, 132, 200) {
    my ($narrow) = gpudbg('--screen', "${width}x20", '--demo=matmul',
        commands('stepi 40', 'layout locals:10;code:5;prompt:4', 'screenshot'));
    like $narrow, qr/^ +tile_a .*\{\{-8/m, "$width columns: an array's first element";
    like $narrow, qr/^ +y .*0 *$/m, '... and a number';
}
done_testing;
