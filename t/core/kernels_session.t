#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# A person's session with the demo: stop in the inner loop, look at one lane, step and step back, change a sum, see it
# in the result.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my ($demo) = grep { $_->{file} eq 'matmul' } Kernels::demos();
my %plain = Kernels::run_reference($demo, $dir);
my @plain = unpack 'f<*', $plain{0};

my @commands = (
    'break matmul.cl:20 wave 2 lane 37',
    'continue',
    'ignore 1 9',
    'continue',
    'info hash',
    'print/f $v0[37]',
    'stepi 8',
    'print/f $v0[37]',
    'reverse-stepi 8',
    'info hash',
    'print/f $v0[37]',
    'set $v0[37] = 1000.0',
    'delete',
    'continue',
    "save arg 0 $dir/c.bin",
);
my $output = Kernels::run($ENV{GPUDBG} // 'build/gpudbg', '--batch', '--demo=matmul', map { ('-e', $_) } @commands);
my @hash = $output =~ /^hash (\S+)/mg;
my @sum = $output =~ /^\$\d+ = (\S+)/mg;
my @c = unpack 'f<*', Kernels::read_file("$dir/c.bin");

# Wave 2, lane 37 of a 16 x 16 group is item (5, 10).  Ten products are in its sum when line 20 is met for the 11th
# time.
my @a = unpack 'f<*', Kernels::read_file($demo->{args}[1] =~ s/^@//r);
my @b = unpack 'f<*', Kernels::read_file($demo->{args}[2] =~ s/^@//r);
sub dot { my ($n) = @_; my $sum = 0; $sum += $a[10 * 64 + $_] * $b[$_ * 64 + 5] for 0 .. $n - 1; return $sum }

is($sum[0], dot(10), 'the accumulator holds ten products at the eleventh stop');
is($sum[1], dot(11), 'one more after a turn of the loop');
is($sum[2], $sum[0], 'and ten again after stepping back');
is($hash[1], $hash[0], 'stepping back leads to the very state');
is($c[10 * 64 + 5], $plain[10 * 64 + 5] - dot(10) + 1000, 'the changed sum is in the result');
$c[10 * 64 + 5] = $plain[10 * 64 + 5];
is_deeply(\@c, \@plain, 'and nothing else has changed');
done_testing();
