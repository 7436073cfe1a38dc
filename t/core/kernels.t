#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Real kernels, as compilers made them, give the buffers that plain C gives.  Names after `::` choose files or kernels:
#   prove t/core/kernels.t :: matmul
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

my $cases = 0;
for my $case (Kernels::cases()) {
    $cases++;
    next if %only && !$only{ $case->{file} } && !$only{ $case->{kernel} };
    subtest Kernels::title($case) => sub {
        ok(scalar @{ $case->{objects} }, 'there are code objects') or return;
        my %want = Kernels::run_reference($case, $dir);
        for my $object (sampled_from($cases, @{ $case->{objects} })) {
            my %got = eval { Kernels::run_gpudbg($object, $case, $dir) };
            my $name = basename($object);
            is($@, '', "$name runs") or next;
            is(Kernels::difference($got{$_}, $want{$_}, $case->{save}{$_}), undef,
                "$name: argument $_ is as plain C has it")
                for sort keys %want;
        }
    };
}
for my $demo (grep { !%only || $only{demo} } Kernels::demos()) {
    subtest "--demo=$demo->{file}" => sub {
        my %want = Kernels::run_reference($demo, $dir);
        my %got = eval { Kernels::run_demo($demo, $dir) };
        is($@, '', 'it runs') or return;
        is(Kernels::difference($got{0}, $want{0}, 'bits'), undef, 'its result is as plain C has it');
    };
}

done_testing();
