#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What a person pastes: words of packets, of descriptors, values of registers; and buffers that are damaged.
use strict;
use warnings;
use Test::More;
use File::Temp qw(tempdir);

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);

sub said {
    my (@commands) = @_;
    open my $f, '-|', $program, '--batch', map { ref $_ ? @$_ : ('-e', $_) } @commands or die $!;
    local $/;
    return scalar <$f>;
}

sub piped {
    my ($text) = @_;
    open my $f, '>', "$dir/in" or die;
    print $f $text;
    close $f;
    return scalar `$program --batch -e 'packets -' <$dir/in 2>&1`;
}

my @draw = qw(c0012d00 00000006 00000002);
my @set = qw(c0017600 00000048 00001234);
my $both = qr/0x\w+  DRAW_INDEX_AUTO index_count=6 .*\n.*0x\w+  SET_SH_REG .*\n +SPI_SHADER_PGM_LO_VS = 0x00001234/;

# The forms in which words stand in mails, debuggers and C.
my %forms = (
    'one a line' => join('', map { "$_\n" } @draw, @set),
    'one line' => "@draw @set",
    'with 0x and commas' => join(', ', map { "0x$_" } @draw, @set),
    'short' => '0xc0012d00 6 2 0xc0017600 48 1234',
    'addresses and colons' => "00001000: @draw\n0000100c: @set\n",
    'addresses alone' => "1000 @draw\n100c @set\n",
    'an array of C' => "uint32_t ib[] = {\n    [0] = 0xc0012d00, 0x6, 0x2, // draw 12\n"
        . "    [3] = 0xc0017600, 0x48, 0x1234,\n};\n",
    'names in front' => join('', map { "dw$_->[0] = 0x$_->[1]\n" } map { [$_, (@draw, @set)[$_]] } 0 .. 5),
    'shell comments' => "# a draw\n0xc0012d00 6 2 # six\n0xc0017600 48 1234\n",
    '64 bits at once' => "0x00000006c0012d00 0xc001760000000002 0x0000123400000048\n",
);
like piped($forms{$_}), $both, "packets -: $_" for sort keys %forms;
like piped($forms{'addresses alone'}), qr/ 0x1000  DRAW/, 'an address in front is the address';
like piped($forms{'addresses and colons'}), qr/ 0x100c  SET_SH/, '... also with a colon';
like said("packets @draw @set"), $both, 'packets WORD...';
like said([qw(--isa gen7.5)], 'packets 7a000003 0 0 0 0 05000000'), qr/PIPE_CONTROL.*\n.*0x0014  MI_BATCH_BUFFER_END/,
    'commands of Intel, by --isa';
like piped('0xc0012d00 6 zz 2 0xc00zz600'), qr/line 1: "0xc00zz600" is not a word of hex/, 'what is no number is said';
like scalar(`$program --batch -e 'packets hello there' 2>&1`), qr/no words of hex|nothing about a GPU/, 'no words';
like scalar(`echo 'packets -' | $program --batch -x - 2>&1`), qr/standard input is not free here/,
    'standard input that holds the commands holds no words';

my $vs = 'SPI_SHADER_PGM_LO_VS';
# Damage: the packet is listed up to where it is cut, and the listing goes on at the next one.
like said("packets @draw c0027600 48 1234"),
    qr/DRAW_INDEX_AUTO.*\n.*0x000c  SET_SH_REG of 4 dwords: 3 are here: 0xc0027600 0x48 0x1234\n +$vs = 0x00001234/,
    'the last packet is cut: what is there of its registers is shown';
like said("packets c00f2d00 6 2 @draw"),
    qr/0x0000  DRAW_INDEX_AUTO of 17 dwords: 3 are here: .*\n.*0x000c  DRAW_INDEX_AUTO index/,
    'a count that goes past the end';
like said("packets @draw c0082d00 6 2 @set @set @draw @draw"),
    qr/0x000c  DRAW_INDEX_AUTO of 10 dwords: 3 are here: .*\n.*0x0018  SET_SH_REG (?:.*\n)*.*0x0024  SET_SH_REG/,
    'a count that is too large, within the buffer';
like said("packets @draw c0002d00 6 2 @set @set"), qr/0x0014  \.long 0x00000002\n.*0x0018  SET_SH_REG/,
    'a count that is too small';
like said("packets c0031000 @set c0012d00 0 0 0 @draw"), qr/NOP.*\n/, 'a payload that holds packets stays whole';
# Any one count, damaged in any way: the packets before it and the last ones are still listed.
my @stream = map { @$_ } ([qw(c0012d00 1 2)], [qw(c0017600 48 1)], [qw(c0012d00 2 2)], [qw(c0017600 49 2)],
    [qw(c0012d00 3 2)], [qw(c0017600 48 3)], [qw(c0012d00 4 2)]);
my @lost;
for my $at (map { 3 * $_ } 1 .. 3) {
    for my $count (0, 2, 3, 4, 7, 100, 0x3ffe) {
        my @words = @stream;
        $words[$at] = sprintf '%08x', hex($words[$at]) & ~0x3fff0000 | $count << 16;
        my $text = said("packets @words");
        push @lost, "$at/$count" if $text !~ /index_count=1 .*index_count=4 /s || $text !~ /0x0048  DRAW_INDEX/;
    }
}
is_deeply \@lost, [], 'one damaged count hides no packet but its own and the next';

# Descriptors by their words, without a file.
like said('print/V 00001000 00100001 00000040 00027fac'),
    qr/base_address .*0x100001000 .*\n +stride .*0x10 .*\n(?:.*\n)*? +num_records .*0x40 /,
    'print/V WORD...';
like said('print/S 0 0 0 0'), qr/S#/, 'print/S';
like scalar(`$program --batch -e 'print/T 1 2 3' 2>&1`), qr/a T# has 8 words, and 3 are given/, 'too few words';
like scalar(`$program --batch -e 'print/V 1 2 3 0x4q' 2>&1`), qr/"0x4q" is not a word of hex/, 'a word that is none';
like said('print/x 1'), qr/= 0x1$/m, 'an expression is one';

# reg -v: registers of which a number could be a value.
my ($first) = said([qw(--isa gfx7)], 'reg -v 0xa0003028') =~ /^(.*)/;
my $grbm = said([qw(--isa gfx7)], 'reg GRBM_STATUS 0xa0003028');
like said([qw(--isa gfx7)], 'reg -v 0xffffffff'), qr/\S/, 'a value of plain numbers alone';
unlike said([qw(--isa gfx7)], 'reg -v 0xffffffff'), qr/\bGRBM_STATUS\b/, 'reserved bits rule a register out';
like said([], 'reg -v 37'), qr/\S/, 'registers of every instruction set, where none is chosen';
my @order = said([qw(--isa gfx7)], 'reg -v 0x00000240') =~ /(\d+) bits agree/g;
is_deeply \@order, [sort { $b <=> $a } @order], 'the most plausible first';
cmp_ok scalar @order, '<=', 20, '... twenty of them';
open my $json, '-|', $program, qw(--batch --json --isa gfx7 -e), 'reg -v 0x00000240' or die;
my @records = <$json>;
cmp_ok scalar(grep { /"type":"register".*"agrees":\d+/ } @records), '>', scalar @order, 'records have them all';
for my $name (qw(PA_SU_SC_MODE_CNTL DB_DEPTH_CONTROL CB_COLOR0_INFO SPI_SHADER_PGM_RSRC1_PS)) {
    my %reset = (PA_SU_SC_MODE_CNTL => '0x240', DB_DEPTH_CONTROL => '0x77', CB_COLOR0_INFO => '0x00018628',
        SPI_SHADER_PGM_RSRC1_PS => '0x002c0041');
    open my $f, '-|', $program, qw(--batch --json --isa gfx7 -e), "reg -v $reset{$name}" or die;
    ok scalar(grep { /"name":"$name"/ } <$f>), "$name could be $reset{$name}";
}

# Names as the manuals print them.
like said([qw(--isa gen7.5)], 'enum "Data Type" 7'), qr/DataType.*\n.*0x7/, 'enum "Data Type" is DataType';
like said('reg SQ_BUFSRC_WORD0'), qr/^SQ_BUF_RSRC_WORD0 /, 'reg SQ_BUFSRC_WORD0';
done_testing;
