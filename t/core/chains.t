#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Where a value comes from, in kernels of compilers: a sum over local memory.  Without optimisation every variable goes
# through scratch, and scalars through lanes of a vector register.  An element of an inclusive scan is the sum of all
# inputs up to it, so its tree must end in each of those once, and have nothing but additions on the way.
use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use JSON;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my @in = map { 1000 + $_ * $_ * 7 } 0 .. 127;
open my $f, '>:raw', "$dir/in.bin" or die;
print $f pack 'L<*', @in;
close $f;
my $kernels = "$FindBin::Bin/../data/kernels";

# The records of a command, after the run.
sub rows {
    my ($file, $launch, @commands) = @_;
    my ($text) = gpudbg('--json', commands($launch, @commands), "$kernels/$file");
    return grep { $_->{type} eq 'origin' } map { decode_json($_) } split /\n/, $text;
}
sub number { return $_[0]{value} =~ /^(-?\d+)/ ? $1 + 0 : 'none' }

my $scan = "launch scan_inclusive -g 128 -l 128 zero:512 \@$dir/in.bin local:1024";
for my $file (qw(gfx7/scan-O0.co gfx7/scan-O2.co gen12/scan-O0.bin gen12/scan.bin)) {
    for my $element (0, 20, 31) {
        my $what = sprintf '*(u32*)(0x100000000+%d)', 4 * $element;
        my $name = "$file, element $element";
        my @tree = rows($file, $scan, 'continue', "origin/tree 32 $what");
        my $want = 0;
        $want += $_ for @in[0 .. $element];
        is(number($tree[0] // { value => '' }), $want, "$name: its value");
        my @leaves = grep { defined $_->{leaf} } @tree;
        my @from = sort { $a <=> $b }
            map { $_->{leaf} =~ /^\w+\[(\d+)\] as launched$/ ? $1 : -1 } @leaves;
        is_deeply(\@from, [0 .. $element], "$name: every input of the sum, once");
        is_deeply([grep { $_->{leaf} =~ /\[(\d+)\]/ && number($_) != $in[$1] } @leaves], [], '... with its value');
        is_deeply([map { $_->{text} } grep { defined $_->{text} && $_->{text} !~ /^v_add_i32|^add / } @tree], [],
            '... through nothing but additions');
        next unless $element;
        my @all = rows($file, $scan, 'continue', "origin/all $what");
        like($all[0]{text}, qr{^(\(f0\.0\) )?(flat_store_dword|send)}, "$name: with copies the store comes first");
        ok(scalar(grep { $_->{role} eq 'address' } @all), '... with its address');
    }
}

# A pointer of a kernel at -O0: an argument is kept in a lane of a register, which is spilled.
my $matmul = 'launch matmul -g 64,64 -l 16,16 zero:16384 @share/demo/matmul_a.bin @share/demo/matmul_b.bin 64';
my ($kept) = rows('gfx7/matmul-O0.co', $matmul, 'break *0x32b4', 'continue', 'origin $s14');
is($kept->{leaf}, 'set by the launch', 'a scalar that was spilled to a lane, and the lane to scratch');
is($kept->{copies}, 4, '... is followed through all four copies');
my @shown = rows('gfx7/matmul-O0.co', $matmul, 'break *0x32b4', 'continue', 'origin/all $s14');
like("$shown[0]{text}, $shown[1]{text}", qr/^v_readlane_b32 s14, v2, 0, buffer_load_dword v2, off,/,
    '... which /all shows');

# What an address that is out of range was computed from: the read of the tile of b, 1,500 bytes further.
my ($range) = gpudbg(commands('check range on', 'patch *0x17dc ds_read_b32 v13, v11 offset:1500', $matmul, 'continue',
    'info checks'), 'share/demo/matmul.co');
my $from = qr/the address is from \$v11\[0\] = 1024 .*: v_or_b32_e32 v7, 0x400, v0$/m;
like($range, qr/: range: ds_read_b32: .*\n(?: {4}.*\n)* {4}$from/m,
    'a report of what is out of range says what the address was computed from');
done_testing;
