#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Questions to recorded time, on the matrix multiply of share/demo.  What an element's sum must be after each product is
# worked out here from the two matrices; witness.h compares registers of random programs with a tracer.
use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use JSON;
use Test::More;

my $demo = 'share/demo';
my $launch = "launch matmul -g 64,64 -l 16,16 zero:16384 \@$demo/matmul_a.bin \@$demo/matmul_b.bin 64";

# The records of a batch of commands.
sub answers {
    my ($text) = gpudbg('--json', commands($launch, @_), "$demo/matmul.co");
    return map { decode_json($_) } split /\n/, $text;
}
sub of_type { my ($type, @commands) = @_; return grep { $_->{type} eq $type } answers(@commands) }

sub floats {
    my ($file) = @_;
    open my $in, '<:raw', "$demo/$file" or die "$file: $!";
    local $/;
    return unpack 'f<*', <$in>;
}
my @a = floats('matmul_a.bin');
my @b = floats('matmul_b.bin');

# The sums of an element of the result after 1 to 64 products, in order.
sub sums {
    my ($row, $col) = @_;
    my ($sum, @all) = 0;
    push @all, $sum = unpack 'f<', pack 'f<', $sum + $a[$row * 64 + $_] * $b[$_ * 64 + $col] for 0 .. 63;
    return @all;
}

# Wave 2 of a group of 16 x 16 holds rows 8 to 11: lane 37 is row 10, column 5.
my @want = sums(10, 5);
my @told = of_type('written', 'continue', 'goto 0', 'wave 2', 'info writes (f32)$v0[37]');
my @got = map { $_->{new} =~ /^(\S+)/ ? $1 + 0 : () } grep { $_->{text} =~ /v_mac_f32/ } @told;
is_deeply(\@got, \@want, 'info writes lists each product that was added to an element, in order');
is_deeply([grep { $_->{wave} != 2 || $_->{lane} ne '37' } @told], [], '... by this wave, in this lane');

my ($last) = of_type('write', 'continue', 'last-write *(f32*)(c+4*(10*64+5))');
is($last->{new_value} + 0, $want[63], 'last-write of an element of the result has its whole sum');
is($last->{wave}, 2, '... of the wave that computes it');
is($last->{lanes}, sprintf('0x%x', 1 << 37), '... and its lane');

# Of a whole buffer: the element that was stored first, 64 of them.  Wave 63 holds rows 60 to 63 of columns 48 to 63.
my ($whole) = of_type('write', 'continue', 'last-write c');
is_deeply([@{ $whole // {} }{qw(wave element elements)}], [63, 'c[' . (60 * 64 + 48) . ']', 64],
    'last-write of a buffer names what was stored of it');
is_deeply([map { $_ + 0 } @{ $whole // {} }{qw(old_value new_value)}], [0, (sums(60, 48))[63]],
    '... from what to what');
is_deeply([map { "@$_{qw(element elements)}" } of_type('written', 'stepi 100', 'info writes $s4'),
        (of_type('written', 'stepi 100', 'info writes $v[11:12][0:3]'))[0]], ['$s4 1', '$v[11:12][0:3] 4'],
    'info writes of registers: their name, and how many lanes were written');
my @stored = of_type('written', 'continue', 'info writes c');
is(scalar(@stored), 64, 'info writes of a buffer: a store a wave');
is_deeply([map { [@{$_}{qw(element elements old)}, $_->{new} + 0] } @stored],
    [map { my ($row, $col) = (int($_->{wave} / 16) * 16 + $_->{wave} % 4 * 4, int($_->{wave} / 4) % 4 * 16);
        ['c[' . ($row * 64 + $col) . ']', 64, '0.0', (sums($row, $col))[63]] } @stored], '... each of its own element');
my ($same) = of_type('write', 'set *(f32*)(c+4*3888) = 7', 'continue', 'last-write c');
is_deeply([@{ $same // {} }{qw(element elements)}], ['c[3889]', 63], '... and the first that changed');

my ($next) = of_type('write', 'continue', 'goto 0', 'next-write *(f32*)(c+4*(10*64+5))');
is($next->{position}, $last->{position}, 'next-write from the launch finds the same store');

my (undef, $at) = of_type('stop', 'continue', 'last-write/g *(f32*)(c+4*(10*64+5))');
is_deeply([@{$at // {}}{qw(position wave pc)}], [$last->{position}, 2, $last->{pc}],
    'last-write/g goes to the instruction');

my ($none) = of_type('write', 'stepi 3', 'last-write $v0[37]');
ok(!$none->{found}, 'a register that nobody has written yet has no last write');

my @lds = of_type('written', 'continue', 'goto 0', 'info writes lds:64');
is(scalar @lds, 4, 'a dword of LDS is written once for each tile');
is_deeply([grep { $_->{wave} > 3 } @lds], [], '... by waves of its own group only');

# The sum is below -14 for the first time after some product.
my @over = grep { $want[$_] < -14 } 0 .. 63;
my ($time) = of_type('time', 'continue', 'goto 1', 'wave 2', 'lane 37', 'find-time (f32)$v0 < -14 && $position > 110');
my @adds = grep { $_->{text} =~ /v_mac_f32/ } @told;
if (@over) {
    is($time->{first}, $adds[$over[0]]{position} + 1,
        'find-time finds the first product after which a sum is below a bound');
} else {
    is($time->{times}, 0, 'find-time finds that a sum is never below a bound');
}

# A watched register, there and back.
my @stops = of_type('stop', 'wave 2', 'watch $v0[37] if (f32)$v0[37] != 0 && $position > 450', ('continue') x 3,
    'reverse-continue');
is_deeply([map { $_->{position} } @stops], [map { $_->{position} + 1 } @adds[0, 1, 2, 1]],
    'a watched register stops after each write, and backwards after the one before');
is_deeply([map { unpack 'f<', pack 'H*', $_->{new} } @stops], [@want[0, 1, 2, 1]], '... with the new value');
is($stops[1]{old}, $stops[0]{new}, '... and the old one');
is($stops[0]{lane}, 37, '... in its lane');

my ($edited) = of_type('write', 'goto 700', 'set $v0[37] = 7', 'wave 2', 'last-write $v0[37]');
ok(!$edited->{edited}, 'a change of another wave is not taken for one of this');
($edited) = of_type('write', 'goto 700', 'wave 2', 'set $v0[37] = 7', 'last-write $v0[37]');
ok($edited->{edited}, 'what was changed by hand after the last write is said');

# The last product is a[10][63] * b[63][5].
my @tree = of_type('origin', 'continue', 'origin *(f32*)(c+4*(10*64+5))');
is(scalar @tree, 4, 'origin shows an element of the result, and the three inputs of the instruction that computed it');
is($tree[0]{value} =~ /^(\S+)/ && $1 + 0, $want[63], '... its value');
like($tree[0]{text}, qr/v_mac_f32/, '... computed by the last addition, not by the store that copied it');
is($tree[1]{value} =~ /^(\S+)/ && $1 + 0, $want[62], '... from the sum so far');
is($tree[2]{leaf}, 'a[703] as launched (row 10, column 63)', '... the element of a, through LDS');
is($tree[2]{value} =~ /^(\S+)/ && $1 + 0, $a[10 * 64 + 63], '... with its value');
is($tree[3]{leaf}, 'b[4037] as launched (row 63, column 5)', '... and the element of b');
is($tree[3]{value} =~ /^(\S+)/ && $1 + 0, $b[63 * 64 + 5], '... with its value');
my @deep = of_type('origin', 'continue', 'origin/tree 5 *(f32*)(c+4*(10*64+5))');
is_deeply([map { $_->{value} =~ /^(\S+)/ && $1 + 0 } grep { $_->{expression} eq '$v0[37]' } @deep],
    [@want[reverse 58 .. 62]],
    'origin/tree goes on through the sums before');
my @all = of_type('origin', 'continue', 'origin/all *(f32*)(c+4*(10*64+5))');
is_deeply([map { $_->{role} } @all], [qw(value address address value)],
    'origin/all shows the store, its address and its data');

# AMD IL: 2 * id + a constant, through LDS; registers that follow from the launch are where the value begins.
my $il = tempdir(CLEANUP => 1) . '/past.il';
open my $file, '>', $il or die "$il: $!";
print $file "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\ndcl_lds_id(0) 1024\ndcl_literal l0, 4, "
    . "2, 7, 0\n",
    "imul r0.x, vaTid.x, l0.x\nimad r1.x, vaTid.x, l0.y, l0.z\nlds_store_id(0) r0.x, r1.x\nlds_load_id(0) r3.x, r0.x\n",
    "uav_raw_store_id(0) mem0.x, r0.x, r3.x\nend\n";
close $file;
my ($text) = gpudbg('--json', commands('launch -g 64 -l 64 uav0=zero:256', 'continue', 'origin *(u32*)(uav0+20)'), $il);
my @il = grep { $_->{type} eq 'origin' } map { decode_json($_) } split /\n/, $text;
is($il[0]{value}, '17 (0x00000011)', 'origin of AMD IL: 5 * 2 + 7');
like($il[0]{text}, qr/^imad/, '... is what computed it, through LDS');
is_deeply([map { $_->{value} =~ /^(\d+)/ } @il[1 .. $#il]], [5, 2, 7], '... from the id and two literals');

my ($before) = of_type('hash', 'goto 2000', 'info hash');
my (undef, $after) = of_type('hash', 'goto 2000', 'info hash', 'wave 2', 'last-write $v0[37]', 'info writes c',
    'find-time $v0 > 3', 'next-write c', 'origin/tree 4 $v0[37]', 'info hash');
is($after->{hash} // $after->{value}, $before->{hash} // $before->{value}, 'questions change nothing');

# t/core/threads.c has the proof, on random programs; this is the way from the commands.
sub by_processes {
    my ($n) = @_;
    my $larger = 'launch matmul -g 128,128 -l 16,16 zero:65536 fill:65536:63 fill:65536:63 128';
    return scalar gpudbg('--json', commands("set threads $n", $larger, 'continue', 'info profile',
        'find-time *(f32*)(c+30000) > 0.5', 'info writes *(f32*)(c+20000)', 'break *0x1808 if $s5 == 64 && $v0[5] > 30',
        'reverse-continue', 'reverse-continue', 'delete', 'break *0x1808 if $s5 == 64 && $group == 3',
        'reverse-continue', 'delete', 'watch *(u32*)(c+64)', 'goto -1', 'reverse-continue',
        'info hash'), "$demo/matmul.co");
}
my $alone = by_processes(1);
is(by_processes($_), $alone, "$_ processes find what one finds") for 2, 3, 8;

# rwatch: all instructions whose text names the register as a source, while its lane runs, and no others; also
# comparisons and branches that other bits there would not change.  The lanes of `lane` run at each instruction (gfx7),
# or the instructions are of a part of the kernel where all run.
sub sources_of {
    my ($text) = @_;
    return "$1$2" if $text =~ /^((?:\([^)]*\) )?)\w+ \(\d+\|M\d+\) (?:\S*f\d\S* )?(?:\S+ )?(.*)/; # Gen
    my ($name) = $text =~ s/^(\S+) *// ? $1 : '';
    return 'exec' if $name eq 's_cbranch_execz';
    $text =~ s/^[^,]*// if $name !~ /^(break_|lds_store|flat_store)/;
    $text =~ s/^, vcc// if $name =~ /^v_(add|sub)_i32/;
    return ($name =~ /saveexec/ ? 'exec' : (), $text);
}

sub read_at {
    my ($kernel, $count, $register, $where, $lane) = @_;
    my ($exec, $reads, @expected);
    for my $r (records("--demo=$kernel", commands(map { ('p $exec', 'x/i $pc', 'stepi') } 1 .. $count))) {
        $exec = $r->{value} if $r->{type} eq 'value';
        $reads = grep { /$where/ } sources_of($r->{text}) if $r->{type} eq 'insn';
        push @expected, $r->{position}
            if $r->{type} eq 'stop' && $reads && (!defined $lane || hex(substr $exec, -8) >> $lane & 1);
    }
    my @stops = grep { $_->{type} eq 'stop' && $_->{reason} eq 'watchpoint' }
        records("--demo=$kernel", commands("rwatch $register", ('continue') x @expected));
    is_deeply([map { $_->{position} } @stops], \@expected, "rwatch $register stops behind each source");
    cmp_ok(scalar @expected, '>', 0, '... of which there are some');
}
read_at('collatz', 100, '$v1[6]', qr/\bv1\b/, 6);
read_at('collatz', 100, '$v3[7]', qr/\bv3\b|v\[3:4\]/, 7);
read_at('collatz', 100, '$exec', qr/^exec|\bexec\b/);
read_at('collatz', 100, '$vcc', qr/\bvcc\b/);
read_at('il', 40, 'r2.x', qr/\br2\.x/);
read_at('il', 40, 'r2.y', qr/\br2\.y/);
read_at('il', 40, 'r4.x', qr/\br4\.x/);
read_at('il', 100, 'r2.w', qr/\br2\.(?:w|zw)/);
read_at('dg1', 12, '$r8.3:d', qr/\br8\.0</);
read_at('dg1', 13, '$f0.0', qr/\(f0\.0\)/);
read_at('dg1', 13, '$f0.1', qr/\(f0\.1\)/);
done_testing;
