#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# A breakpoint on a line or a function stops wherever that is.  The addresses of t/data/kernels/inlined.cl at -O2 are
# those that llvm-dwarfdump-19 prints: --debug-line for lines (rows marked is_stmt), --debug-info for copies of
# functions (DW_AT_low_pc and the first of DW_AT_ranges) and prologue_end:
#     steps     1900 (prologue ends at 1904), inlined at 19cc, 1b44, 1bb8      outside  1978 (prologue ends at 197c)
#     line 5    1904 1928 1934   19cc 19d8 19f4 1a00   1b44 1b6c 1b78   1bb8 1bdc 1be8      line 6   193c 1a08 1b80 1bf0
use strict;
use warnings;
use FindBin;
use JSON::PP;
use Test::More;

my $gpudbg  = $ENV{GPUDBG} // 'build/gpudbg';
my $kernels = "$FindBin::Bin/../data/kernels/gfx7";
my $launch  = 'launch -g 64 -l 64 zero:256 zero:256 6';

sub run {
    my ($level, $json, @commands) = @_;
    my @words = ($gpudbg, '--batch', $json ? '--json' : (), "$kernels/inlined-O$level-g.co",
        map { ('-e', $_) } @commands);
    open my $pipe, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @words or die "$gpudbg: $!\n";
    local $/;
    return scalar <$pipe>;
}
sub records {
    my $type = shift;
    return grep { $_->{type} eq $type } map { /^\{/ ? decode_json($_) : () } split /\n/, run(2, 1, @_);
}
sub stops { return map { $_->{reason} eq 'breakpoint' ? $_->{pc} : $_->{reason} } records('stop', $launch, @_) }
sub addresses { return [map { $_->{addr} } map { @{ $_->{locations} } } records('breakpoint', @_)] }

my @steps = qw(0x1904 0x19cc 0x1b44 0x1bb8);
is_deeply addresses('break steps'), \@steps, 'a function: behind the prologue of its own copy, and where it is inlined';
# The `while`: 1904 is before the loop, 1928 and 1934 in it; one stops before the loop, and once a turn.
is_deeply addresses('break 5'), [qw(0x1904 0x1928 0x19cc 0x19f4 0x1b44 0x1b6c 0x1bb8 0x1bdc)],
    'a line: where it begins in each copy of its function, and in each loop there';
is_deeply addresses('set line-stops all', 'break 5'),
    [qw(0x1904 0x1928 0x1934 0x19cc 0x19d8 0x19f4 0x1a00 0x1b44 0x1b6c 0x1b78 0x1bb8 0x1bdc 0x1be8)],
    '... or each of its statements';
is_deeply addresses('break inlined.cl:6'), [qw(0x193c 0x1a08 0x1b80 0x1bf0)], '... of which rows inside are none';
is_deeply addresses('break *steps'), ['0x1900'], 'an address is one';
is_deeply addresses('break outside'), ['0x197c'], 'behind the prologue';
is_deeply addresses('break *outside'), ['0x1978'], '... or not';

# twice() calls steps() twice and outside() calls it once: 1b44, 1bb8, 19cc is the order; no call is left of steps' own
# copy.
is_deeply [stops('break steps', ('continue') x 4)], [@steps[2, 3, 1], 'done'],
    'an inlined function stops every time it begins';
is_deeply [stops('tbreak steps', ('continue') x 2)], [$steps[2], 'done'], 'tbreak: once in all';
is_deeply [stops('break steps', 'disable 1.3', ('continue') x 3)], [@steps[3, 1], 'done'], 'disable N.M';
is_deeply [stops('break steps', 'disable 1.3', 'enable 1.3', 'disable 1', 'enable 1', 'continue')], [$steps[2]],
    'enable N.M, enable N';
is_deeply [stops('break steps', 'ignore 1 2', 'continue')], [$steps[1]], 'ignore counts the number, not its locations';
is_deeply [stops('break steps if $pc == 0x1bb8', 'continue', 'continue')], [$steps[3], 'done'], 'so does a condition';
is_deeply [stops('break steps', 'delete 1', 'continue')], ['done'], 'delete takes all of them';
is_deeply [stops('break steps', 'clear steps', 'continue')], ['done'], 'clear FUNCTION';
is_deeply [stops('break steps', 'break *0x1bb8', 'clear *0x1bb8', 'continue')], ['done'],
    'clear ADDRESS: all numbers that stop there';
is_deeply [stops('break steps', 'break 5', 'delete 1', 'continue')], ['0x1b44'],
    'what two numbers share stays for the other';
is_deeply [map { $_->{pc} } records('stop', $launch, 'advance steps', 'until steps', 'advance 23',
    'reverse-advance steps')], [@steps[2, 3], '0x1a3c', $steps[1]], 'advance, until and reverse-advance to any of them';
is_deeply [stops($launch, 'break steps', 'continue', 'run', 'continue')], [($steps[2]) x 2],
    'armed again by a new launch';

my ($stop) = records('stop', $launch, 'break steps', 'continue');
is_deeply [@$stop{qw(number location)}], [1, 3], 'the stop says which';
my @infos = records('breakpoint', $launch, 'break steps', ('continue') x 4, 'info breakpoints');
is $infos[-1]{hits}, 3, 'hits are those of the number';
is scalar(@infos), 2, 'one record a number';
is_deeply [map { $_->{number} } @{ $infos[-1]{locations} }], [qw(1.1 1.2 1.3 1.4)], 'its locations have numbers';
is_deeply [map { [@$_{qw(function inlined line)}] } @{ $infos[-1]{locations} }],
    [['steps', JSON::PP::false, 5], (['steps', JSON::PP::true, 5]) x 3], '... and say where they are';

my $text = run(2, 0, $launch, 'break steps', 'continue', 'info breakpoints', 'break 24', 'commands 1', 'print 7', 'end',
    'continue');
like $text, qr/^Breakpoint 1 at steps: 4 locations$/m, 'how many';
like $text, qr/^Breakpoint 1\.3, wave 0 at inlined\+0x44: v_cmp/m, 'which';
like $text,
    qr/^ *1 +breakpoint +on +steps +1 *\n *1\.1 +on +0x1904 +steps\+0x4 at (?#
    )\S*inlined\.cl:5 *\n *1\.2 +on +0x19cc +outside\+0x54 in steps at \S*inlined\.cl:5 *$/m, 'info breakpoints';
like $text, qr/^Breakpoint 2 at .*; that line has no code, line 27 was taken$/m,
    'a line without code says which was taken';
like $text, qr/^\$1 = 7$/m, 'commands are those of the number';
my ($moved, $exact) = records('breakpoint', 'break 24', 'break 27');
is_deeply [$moved->{line}, $exact->{line}], [27, undef], '... in JSON too';
like run(0, 0, $launch, 'tbreak outside', 'continue', 'lane 3', 'print n'), qr/^\$1 = 9$/m,
    'behind the prologue, parameters are there at -O0';
like run(2, 0, 'complete break st', 'break nosuch'), qr/no buffer, symbol or label "nosuch"/, 'a name of nothing';

# ---- finish ----

# What the functions of returns.cl return to lane 5, by their source; the kernel `more` calls the second half.
my @returned = (
    ['int', 'int', 5 * 3 - 100], ['uchar', 'uchar', 255], ['short', 'short', -15], ['long', 'long', 5 * 2**33 - 1],
    ['float', 'float', 1.25], ['double', 'double', -0.625], ['int2', 'int2', '{5, -5}'],
    ['float3', 'float3', '{5.0, 5.5, -1.0}'], ['float4', 'float4', '{5.0, 5.5, -1.0, 8.0}'],
    ['long2', 'long2', '{5, ' . 5 * 2**40 . '}'], ['two', 'two', '{a = 5, b = 2.5}'],
    ['three', 'three', '{a = 5, b = 2.5, c = ' . 5 * 2**35 . '}'], ['packed', 'packed', '{a = 5, b = -5, c = 7}'],
    ['padded', 'padded', '{a = 5, b = 5}'], ['large', 'large', '{all = {5, 6' . ', 0' x 38 . '}}'],
    ['pointer', 'int *', sprintf '0x%x <out+0x14>', 2**32 + 20], ['char4', 'char4', '{5, 2, 3, 4}']);
my $to_16 = join ', ', 3 .. 16;
my @more = (
    ['half', 'half', 2.5], ['half3', 'half3', '{5.0, 0.5, 2.0}'], ['uchar3', 'uchar3', '{5, 251, 3}'],
    ['char16', 'char16', "{5, -5, $to_16}"], ['short2', 'short2', '{5, -5}'], ['long16', 'long16', "{5, -5, $to_16}"],
    ['mixed', 'mixed', '{a = 5, f = {5.0, 2.0}, c = 3, q = 4}'],
    ['vectors', 'vectors', '{v = {5, 1, 2, 3}, w = {5.0, 7.0, 8.0}, h = 0.5}'],
    ['halves', 'halves', '{a = 5.0, b = 0.5}'],
    ['wider', 'wider', '{a = 5.0, b = 0.5, c = 5}'], ['single', 'single', '{only = 5.0}'],
    ['nested', 'nested', '{in = {x = 5, y = 5}, d = 5.0}'],
    ['either', 'either', '{i = {5, 1, 2, 3}, l = ' . (2**32 + 5) . '}'],
    ['bytes', 'bytes', '{all = {5, 2, 3' . ', 0' x 37 . '}}']);
sub finished {
    my ($level, $kernel, @functions) = @_;
    my @commands = map { ("tbreak give_$_", 'continue', 'finish') } @functions;
    my $launched = "-e 'launch $kernel -g 64 -l 64 zero:256 zero:512'";
    my $said = qx('$gpudbg' --batch '$kernels/returns-O$level-g.co' $launched -e "lane 5" @{[map {
        "-e '$_'" } @commands]} 2>&1);
    return map { /^give_(\w+) returned (.*), lane 5: (.*)/ ? [$1, $2, $3] : () } split /\n/, $said;
}
for my $level (0, 1, 2) {
    my @names = map { $_->[0] } @returned;
    is_deeply [finished($level, 'returns', @names[0 .. 15], 'nothing', $names[16])], \@returned,
        "finish says what was returned, -O$level";
    is_deeply [finished($level, 'more', map { $_->[0] } @more)], \@more, "... halves, bytes and memory, -O$level";
}
my $variables = "-e 'launch -g 64 -l 64 zero:256 3 -7 hex:01020304 zero:80 local:256'";
my $until_deepest = "-e 'tbreak deepest' -e continue -e 'lane 3' -e finish";
my $masked = qx('$gpudbg' --batch '$kernels/variables-O2-g.co' $variables $until_deepest 2>&1);
like $masked, qr/^deepest returned int, lane 3: <the lane is off>$/m, '... not to a lane that was off';

# Copies end: the first of steps at 1bac, of twice (which has it inlined) at 1c1c.
is_deeply [map { $_->{pc} } records('stop', $launch, 'tbreak steps', 'continue', 'finish')], [qw(0x1b44 0x1bac)],
    'finish leaves an inlined function';
is_deeply [map { $_->{pc} } records('stop', $launch, 'tbreak steps', 'continue', 'up', 'finish')], [qw(0x1b44 0x1c1c)],
    '... or the frame that is selected';

# The code pane: a mark at each location; small where it is off.
my $shown = "-e '$launch' -e 'break steps' -e 'disable 1.4' -e 'advance *0x1b40' -e screenshot";
my $screen = qx('$gpudbg' --batch --screen 120x220 '$kernels/inlined-O2-g.co' $shown 2>&1);
my @marks = $screen =~ /\b?([Bb])[ !w][ >]0*(1[0-9a-f]{3})\b/g;
is_deeply \@marks, [qw(B 1b44 b 1bb8)], 'marks of those on the screen' or diag $screen;
done_testing;
