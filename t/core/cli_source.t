#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Source lines: stepping by them both ways, breakpoints and places by line, listing.  The addresses are those that
# llvm-dwarfdump-19 --debug-line prints for share/demo/collatz.co:
#     1900 line 6   1928 line 7   1934 line 9   1938 line 11   1974 line 12   1984 line 13   19a8 line 15   19e4 line 19
use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use AmdElf;
use JSON;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $demo    = "share/demo";
my $launch  = 'launch collatz -g 64 -l 64 zero:256 64';

our $file = "$demo/collatz.co";
sub records {
    my (@commands) = @_;
    open my $out, '-|', 'sh', '-c', 'exec "$0" "$@" 2>/dev/null', $program, '--batch', '--json',
        (map { ('-e', $_) } @commands), $file or die;
    local $/;
    return map { decode_json($_) } split /\n/, <$out> // '';
}
sub stops { return map { $_->{pc} } grep { $_->{type} eq 'stop' } records(@_) }

is_deeply [stops($launch, 'step', 'step', 'next', 'step')], [qw(0x1928 0x1934 0x1938 0x1974)],
    'step and next go from line to line';
is_deeply [stops($launch, 'step 3', 'reverse-step', 'reverse-next 2')], [qw(0x1938 0x1934 0x1900)], 'and back';
is_deeply [stops($launch, 'break 12', 'continue', 'stepi', 'reverse-continue')], [qw(0x1974 0x1978 0x1974)],
    'break LINE';
is_deeply [stops($launch, 'tbreak collatz.cl:13', 'c', 'advance collatz.cl:15', 'reverse-advance 13')],
    [qw(0x1984 0x19a8 0x1984)], 'FILE:LINE, advance, reverse-advance';
is_deeply [stops($launch, 'break collatz+0x58', 'break L1984', 'c', 'c')], [qw(0x1984 0x1958)], 'SYMBOL+OFF, a label';
is_deeply [stops($launch, 'advance L19a8', 'until')], [qw(0x19a8 0x19bc)], 'until leaves the loop';
my @end = records($launch, 'stepi 3', 'finish');
is_deeply [map { $_->{kind} } grep { $_->{type} eq 'error' } @end], ['not-now'],
    'finish is not meaningful in the outermost frame';
is scalar(grep { ($_->{reason} // '') eq 'done' } @end), 0, '... and nothing runs';
# Calls, as llvm-objdump-19 -d and llvm-dwarfdump-19 print them: calls_chain calls chain at 2f78, chain calls stir at
# 2b00, stir calls twist at 2a70, all by s_swappc_b64; they return by s_setpc_b64.  Lines: 54 from 2f30, 55 from 2f90;
# 18 from 2aec, 19 from 2b04.
{
    local $file = "t/data/kernels/gfx7/calls-O2-g.co";
    my @start = ('launch calls_chain -g 1 -l 1 zero:4 fill:4:7', 'advance *0x2f78');
    my @in    = ('tbreak *0x2a04', 'c');
    is_deeply [stops(@start, @in, ('finish') x 3)], [qw(0x2f78 0x2a04 0x2a74 0x2b04 0x2f7c)], 'finish: behind the call';
    is_deeply [stops(@start, 'rsi 2', 'nexti 4', 'reverse-nexti 4')], [qw(0x2f78 0x2f70 0x2f80 0x2f70)],
        'nexti N counts a call as one';
    is_deeply [stops(@start, 'next', 'reverse-next')], [qw(0x2f78 0x2f90 0x2f30)],
        'next and reverse-next at a call pass over it';
    is_deeply [stops(@start, 'advance *0x2b00', 'next', ('reverse-next') x 3)],
        [qw(0x2f78 0x2b00 0x2b04 0x2aec 0x2ac0 0x2f78)], '... and reverse-next leaves a function to its caller';
}
# Loops that a call stands before, and that begin where their function does: going back through them is not going back
# to a call.
{
    my $dir = tempdir(CLEANUP => 1);
    my @code = (
        0xbe880383, 0xbe940380, 0xbe821f00, 0x8002ff02, 0x20, 0x82038003, # 00  main: s8 = 3; s20 = 0; s[2:3] = f
        0xbe842102,             # 18  s_swappc_b64 s[4:5], s[2:3]
        0x80148114,             # 1c  s_add_u32 s20, s20, 1
        0xbf0a8414,             # 20  s_cmp_lt_u32 s20, 4
        0xbf85fffd,             # 24  s_cbranch_scc1 0x1c
        0xbf810000,             # 28  s_endpgm
        0x80888108,             # 2c  f: s_sub_u32 s8, s8, 1
        0xbf078008,             # 30  s_cmp_lg_u32 s8, 0
        0xbf85fffd,             # 34  s_cbranch_scc1 f
        0xbf800000,             # 38  s_nop 0
        0xbe802004,             # 3c  s_setpc_b64 s[4:5]
    );
    my ($table, $names) = symbols(['main', 0x12, 1, 0, 0x2c], ['f', 0x12, 1, 0x2c, 0x14]);
    local $file = "$dir/loops";
    open my $f, '>:raw', $file or die;
    print $f elf(2, ['.text', 1, 6, 0, 0, 0, 0, pack 'V*', @code], ['.symtab', 2, 0, 0, 3, 0, 24, $table],
        ['.strtab', 3, 0, 0, 0, 0, 0, $names]);
    close $f;
    # Executed: 6 of main with the call, 3 rounds of 3 in f, 2 behind them, then rounds of 3 in main.
    my @start = ('launch -g 64 -l 64');
    is_deeply [map { $_->{position} // () } records(@start, 'goto 20', 'reverse-nexti', 'goto 17', 'reverse-nexti')],
        [20, 19, 17, 5], 'reverse-nexti at the head of a loop goes back to its branch, then to the call';
    my @in = (@start, 'break *0x38', 'continue');
    is_deeply [map { $_->{where} } grep { $_->{type} eq 'frame' } records(@in, 'backtrace')], ['f+0xc', 'main+0x18'],
        'backtrace: two functions';
    is_deeply [(stops(@in, 'reverse-finish'))[-1]], ['0x18'], 'reverse-finish goes to the call';
}
is_deeply [map { $_->{addr} } grep { $_->{type} eq 'breakpoint' } records('break 8', 'break 10')], [qw(0x1934 0x1938)],
    'a line without code means the next one that has some';

my ($error) = grep { $_->{type} eq 'error' } records('break 99');
like $error->{message}, qr/no code for .*collatz\.cl:99/, 'a line behind the last is an error';
($error) = grep { $_->{type} eq 'error' } records('break other.cl:3');
like $error->{message}, qr/other\.cl/, 'and so is a file that is not there';

my @lines = grep { $_->{type} eq 'source' } records($launch, 'step', 'list', 'list 5', 'list');
open my $source, '<', "$demo/collatz.cl" or die;
my @want = ('', map { chomp; $_ } <$source>);
is scalar(grep { $_->{text} ne $want[$_->{line}] } @lines), 0, 'list shows the lines of the file';
is_deeply [map { $_->{line} } grep { $_->{current} } @lines], [7, 7], '... and marks the current one';
is_deeply [map { $_->{line} } @lines], [2 .. 11, 1 .. 10, 11 .. $#want], '... ten around, ten from there, the next ten';
for (['list 3,6' => 3 .. 6], ['list 4,' => 4 .. 13], ['list ,6' => 1 .. 6], ['list collatz.cl:2,collatz.cl:3' => 2, 3],
    ['list 13,14' => 13, 14]) {
    my ($command, @numbers) = @$_;
    is_deeply [map { $_->{line} } grep { $_->{type} eq 'source' } records($command)], \@numbers, $command;
}
is_deeply [map { $_->{line} } grep { $_->{type} eq 'source' } records('list 13,14', 'list -', 'list')],
    [13, 14, 3 .. 12, 13 .. $#want], 'list - shows the ten before';
is scalar(grep { $_->{type} eq 'error' } records('list 6,3', 'list ,', 'list 1,2', 'list -')), 3,
    'lines that there are not';
my ($line) = grep { $_->{type} eq 'line' } records('info line *0x19a8');
is_deeply [@$line{qw(line where)}], [15, 'collatz+0xa8'], 'info line';
my ($at) = grep { $_->{type} eq 'symbol-at' } records('info symbol 0x1910');
is_deeply [@$at{qw(name symbol section)}], ['collatz', '0x1900', '.text'], 'info symbol';
done_testing;
