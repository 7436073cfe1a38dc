#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The same kernels from the same source and inputs on PoCL: its buffers equal ours, and those of the plain C form.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Basename 'basename';
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my %only = map { $_ => 1 } @ARGV;
mkdir "$dir/cache";
$ENV{POCL_CACHE_DIR} = "$dir/cache";

my @cases = grep { !$_->{why} && (!%only || $only{ $_->{file} } || $only{ $_->{kernel} }) } Kernels::cases();
if (!eval { Kernels::run_opencl($cases[0], $dir) }) {
    die "PoCL is required and does not run: $@" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'PoCL (pocl-opencl-icd, ocl-icd-opencl-dev) is not installed';
}

for my $case (%only ? @cases : sampled_from(1, @cases)) {
    subtest Kernels::title($case) => sub {
        my %pocl = eval { Kernels::run_opencl($case, $dir) };
        is($@, '', 'PoCL runs it') or return;
        my %plain = Kernels::run_reference($case, $dir);
        for my $n (sort keys %pocl) {
            is(Kernels::difference($pocl{$n}, $plain{$n}, $case->{save}{$n}), undef,
                "argument $n: PoCL agrees with plain C");
        }
        for my $object (@{ $case->{objects} }) {
            my %got = eval { Kernels::run_gpudbg($object, $case, $dir) };
            my $name = basename($object);
            is($@, '', "$name runs") or next;
            is(Kernels::difference($got{$_}, $pocl{$_}, $case->{save}{$_}), undef,
                "$name: argument $_ is as PoCL has it")
                for sort keys %pocl;
        }
    };
}
done_testing();
