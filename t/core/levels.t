#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The tests that compare with a model, once for every vector level that this processor has: what users run is the widest
# of them. What could not be tried is said.  GPUDBG_NIGHTLY=1 adds those that take long.
use v5.36;
use lib 't/lib';
use Gpudbg;
use Test::More;

my $build = $ENV{BUILD} // 'build';
my $machine = `uname -m`;
plan skip_all => 'one vector level on this machine' if $machine !~ /^x86_64/;
plan skip_all => "built with one vector level ($build)"
    if !grep { -e } glob "$build/decoders/gcn/alu/gcn_lanes_simd.4.o";

# What each level is compiled for, as the processor names it: x86-64-v3 and v4 in gcc's manual, by their last members.
my %flags = (1 => '', 3 => 'avx2 bmi2 fma', 4 => 'avx512f avx512bw avx512dq avx512vl');
my ($have) = do { local @ARGV = '/proc/cpuinfo'; grep { /^flags/ } <> };
my @tests = qw(gcn/exec_operands gcn/exec_vector gcn/exceptions gcn/images gcn/memory_ops gen/arith);
push @tests, 'gen/ops' if $ENV{GPUDBG_NIGHTLY};
plan skip_all => "the tests in C are not built in $build" if !grep { -e "$build/t/$_" } @tests;

sub lacks ($level) { return grep { $have !~ /\b$_\b/ } split / /, $flags{$level} }
my ($widest) = grep { !lacks($_) } reverse sort keys %flags;
for my $level (sort keys %flags) {
    next if $level == $widest && $level > 1 && !every_case(); # the tests run on it by themselves
    if (my @missing = lacks($level)) {
        diag "vector level $level was not tried: this processor has no @missing";
        next;
    }
    for my $test (@tests) {
        my @lines = do { local $ENV{GPUDBG_SIMD} = $level; `$build/t/$test 2>&1` };
        my $bad = grep { /^not ok/ } @lines;
        ok !$? && !$bad && @lines > 1, "$test holds on vector level $level"
            or diag map { "$test: $_" } grep { /^not ok|^#/ } @lines;
    }
}
ok scalar(@tests), 'there are tests to run';
done_testing;
