#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Real kernels run forward, back and forward again through the same states, and end with the same buffers.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my %only = map { $_ => 1 } @ARGV;

# The hashes that a run with these commands prints, in order, and the position at its end.
sub journey {
    my ($object, $case, @commands) = @_;
    my $output = Kernels::run($ENV{GPUDBG} // 'build/gpudbg', '--batch', $object, '-e',
        'launch ' . join(' ', Kernels::launch_words($case, $dir)), map { ('-e', $_) } @commands);
    my ($end) = $output =~ /^Done: .*?(\d+) instructions/m;
    return ($end, $output =~ /^hash (0x\w+)/mg);
}

for my $case (%only ? Kernels::cases() : sampled(Kernels::cases())) {
    next if %only && !$only{ $case->{file} } && !$only{ $case->{kernel} };
    my ($object) = grep { /-O2\.co$/ } @{ $case->{objects} };
    subtest Kernels::title($case) => sub {
        my ($end, $first, $last) = journey($object, $case, 'info hash', 'continue', 'info hash');
        ok($end && $first && $last, 'it runs') or return;
        isnt($first, $last, 'running changes the state');

        # Five places in the run, found again from behind, from the front, and in single steps.
        my $random = Kernels::generator($end);
        my @at = map { (($random->() << 16) + $random->()) % $end } 1 .. 5;
        my @back = map { ("goto $_", 'info hash') } @at;
        my @front = map { ("goto $_", 'info hash') } sort { $a <=> $b } @at;
        my (undef, @seen) = journey($object, $case, 'continue', @back, 'goto 0', 'info hash', @front, 'goto -1',
            'goto +1', 'info hash', 'continue', 'info hash',
            map { "save arg $_ $dir/gpudbg$_.bin" } sort keys %{ $case->{save} });
        my %at;
        @at{@at} = @seen[0 .. 4];
        is($seen[5], $first, 'the launch is found again');
        is_deeply([@seen[6 .. 10]], [map { $at{$_} } sort { $a <=> $b } @at],
            'so is every place on the way, from either side');
        is($seen[11], $seen[10], 'a step back and a step forward lead to the same place');
        is($seen[12], $last, 'and the end is the end');
        my %got = Kernels::collect($case, $dir, 'gpudbg');
        my %want = Kernels::run_reference($case, $dir);
        is(Kernels::difference($got{$_}, $want{$_}, $case->{save}{$_}), undef, "argument $_ is as plain C has it")
            for sort keys %want;
    };
}
done_testing();
