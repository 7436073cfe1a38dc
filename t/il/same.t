#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The same algorithm in AMD IL, written by hand, and on Sea Islands and DG1, compiled from OpenCL: equal to the bit.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files qw(spill);
use IL;
use Digest::SHA 'sha256';

my ($here, $share) = ("t/data/kernels", "share/demo");
sub run { my ($file, $launch, $save) = @_; unlink "$dir/out";
    system("$IL::program --batch $file -e '$launch' -e continue -e 'save arg $save $dir/out' > $dir/log 2>&1");
    open(my $f, '<:raw', "$dir/out") or do { diag `cat $dir/log`; return '' }; local $/; <$f> }
srand 11;

my $in = spill('blocks', pack 'N*', map { int rand 2**32 } 1 .. 16 * 64);
my $il = run("$here/il/sha256.il", "launch -g 64 -l 64 uav0=zero:2048 uav1=\@$in", 'uav0');
is(length $il, 2048, 'SHA-256 in IL');
ok($il eq run("$here/gfx7/sha256-O2.co", "launch sha256_twice -g 64 -l 64 zero:2048 \@$in", 0),
    '... equal on Sea Islands');
ok($il eq run("$here/gen12/sha256.bin", "launch sha256_twice -g 64 -l 64 zero:2048 \@$in", 0), '... and on DG1');
open(my $f, '<:raw', $in); local $/; my $blocks = <$f>;
ok($il eq join('', map { sha256(sha256(substr $blocks, 64 * $_, 64)) } 0 .. 63), '... and equal to what Perl says');

my $floats = spill('floats', pack 'f<*', map { (rand(2) - 1) * 2**int(rand(20)) } 1 .. 512);
$il = run("$here/il/reduce.il", "launch -g 512 -l 128 uav0=zero:16 uav1=\@$floats", 'uav0');
is(length $il, 16, 'a reduction in IL');
ok($il eq run("$here/gfx7/reduce-O2.co", "launch reduce_f32 -g 512 -l 128 zero:16 \@$floats", 0),
    '... equal on Sea Islands');
ok($il eq run("$here/gen12/reduce.bin", "launch reduce_f32 -g 512 -l 128 zero:16 \@$floats", 0), '... and on DG1');

my ($a, $b) = map { spill($_, pack 'f<*', map { rand(2) - 1 } 1 .. 4096) } qw(a b);
$il = run("$here/il/matmul.il",
    "launch -g 64,64 -l 16,16 uav0=zero:16384 uav1=\@$a uav2=\@$b cb0=hex:40000000000000000000000000000000", 'uav0');
is(length $il, 16384, 'a product of matrices in IL');
ok($il eq run("$share/matmul.co", "launch matmul -g 64,64 -l 16,16 zero:16384 \@$a \@$b 64", 0),
    '... equal on Sea Islands');
ok($il eq run("$here/gen12/matmul.bin", "launch matmul -g 64,64 -l 16,16 zero:16384 \@$a \@$b 64", 0),
    '... and on DG1');

$il = run("$here/il/mandelbrot.il", 'launch -g 80,24 -l 16,4 uav0=zero:1920 cb0=hex:50000000180000003c00000000000000',
    'uav0');
is($il, run("$share/mandelbrot.co", 'launch mandelbrot -g 80,24 -l 16,4 zero:1920 80 24 60', 0), 'the Mandelbrot set');
like($il, qr/#{10}/, '... and there is something to be seen');
$il = run("$here/il/mandelbrot_fixed.il",
    'launch -g 64,48 -l 8,8 uav0=zero:11280 cb0=hex:3c0000002f0000006400000000000000', 'uav0');
is(length $il, 11280, 'the Mandelbrot set in fixed point');
ok($il eq run("$here/gfx7/loops-O2.co", 'launch mandelbrot_fixed -g 64,48 -l 8,8 zero:11280 60 47 100', 0),
    '... equal on Sea Islands');
ok($il eq run("$here/gen12/loops.bin", 'launch mandelbrot_fixed -g 64,48 -l 8,8 zero:11280 60 47 100', 0),
    '... and on DG1');
# A product of doubles of real size: tiles in LDS, barriers, pairs.  Small whole numbers, so that sums are exact in any
# order.
my $n = 64;
my @m = map { [map { int(rand 17) - 8 } 1 .. $n * $n] } 0 .. 2;
my @file = map { spill("m$_", pack 'd<*', $m[$_]->@*) } 0 .. 2;
my $cb = spill('cb', pack 'V4 d<2', $n, 0, 0, 0, 2, -3);
my $launch = "launch -g 32,64 -l 8,16 uav0=\@$file[0] uav1=\@$file[1] uav2=\@$file[2] cb0=\@$cb";
my @sums;
for my $y (0 .. $n - 1) {
    for my $x (0 .. $n - 1) {
        my $sum = 0;
        $sum += $m[1][$y * $n + $_] * $m[2][$_ * $n + $x] for 0 .. $n - 1;
        push @sums, 2 * $sum - 3 * $m[0][$y * $n + $x];
    }
}
ok(run("$here/il/dgemm.il", $launch, 'uav0') eq pack('d<*', @sums), 'a product of doubles in IL');
my ($one, $two) = map { my $steps = $_; `$IL::program --batch $here/il/dgemm.il -e '$launch' $steps -e 'info hash'`
    =~ /hash (0x\w+)/ } '-e "goto 9000"',
    '-e "goto 20000" -e "reverse-stepi 50" -e "goto 8000" -e "stepi 3" -e "goto 9000"';
is($one, $two, '... whose steps lead back and forth');
done_testing();
