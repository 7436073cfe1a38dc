#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels in many styles (t/data/kernels/gen12/styles.cl), compiled here by ocloc for DG1, optimised and not, in both
# containers: the buffers that PoCL leaves.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/cache";
$ENV{POCL_CACHE_DIR} = "$dir/cache";
my $source = "t/data/kernels/gen12/styles.cl";
my $options = '-cl-fp32-correctly-rounded-divide-sqrt';

# Kernel, global and local size, arguments, what is saved and how it is compared: as in Kernels.pm.
my @table = (
    ['bitonic', 256, 128, ['zero:1024', ['u32', 256, 2], 'local:512'], { 0 => 'bits' }],
    ['sha', 128, 32, ['zero:512', ['u32', 1024, 3]], { 0 => 'bits' }],
    ['blur', '32,16', '8,8', ['zero:2048', ['u32', 512, 5], 32, 16], { 0 => 'bits' }],
    ['hist', 128, 64, ['fill:1044:0', ['u32', 1000, 6], 1000], { 0 => 'bits' }],
    ['structs', 32, 16, ['zero:512', 'hex:' . join('', map { sprintf '%02x', ($_ * 37 + 11) % 251 } 0 .. 63),
    ['u32', 512, 7]], { 0 => 'bits' }], ['sw', 256, 64, ['fill:1024:255', ['u32', 256, 8]], { 0 => 'bits' }],
    ['calls', 128, 64, ['zero:512', ['wide32', 128, 9, 2]], { 0 => 'f32' }],
    ['longdiv', 64, 32, ['zero:3072', ['u32', 128, 10], ['u32', 128, 11]], { 0 => 'bits' }],
    ['char16s', 64, 32, ['zero:1024', ['u32', 256, 12], ['u32', 256, 13]], { 0 => 'bits' }],
    ['acopy', 256, 64, ['zero:2048', ['wide32', 512, 14, 3]], { 0 => 'f32' }],
    ['priv', 128, 32, ['zero:512', ['u32', 1024, 15]], { 0 => 'bits' }],
    ['bytesw', 128, 32, ['zero:384', ['u32', 128, 16], 7], { 0 => 'bits' }],
    ['scan', 256, 128, ['zero:1024', ['u32', 256, 17]], { 0 => 'bits' }],
    ['mandel', '32,32', '8,8', ['zero:4096', 32, -2.0, -1.25, 0.0625], { 0 => 'bits' }],
    ['mathf', 256, 64, ['zero:16384', ['wide32', 256, 18, 4], 256], { 0 => 'f32' }],
    ['conv', 256, 64, ['zero:10240', ['wide32', 256, 19, 34], 256], { 0 => 'bits' }],
    ['transpose', '48,32', '16,16', ['zero:9216', ['u32', 2304, 20], 48], { 0 => 'bits' }],
    ['shorts', 128, 32, ['zero:2048', ['u32', 64, 21], ['u32', 64, 22]], { 0 => 'bits' }],
    ['atom64', 128, 32, ['fill:32:255', ['u32', 128, 24]], { 0 => 'bits' }],
    ['xorshift', 64, 32, ['zero:512', 100], { 0 => 'bits' }],
    ['gid3', '8,4,6', '4,2,3', ['zero:768'], { 0 => 'bits' }],
    ['halfc', 256, 64, ['zero:1024', ['u32', 128, 61], 'zero:2048'], { 0 => 'f32', 2 => 'f16' }],
    ['hashes', 64, 16, ['zero:768', ['u32', 128, 30], 50], { 0 => 'bits' }],
    ['aesish', 64, 32, ['zero:1024', ['u32', 256, 31], ['u32', 64, 32]], { 0 => 'bits' }],
    ['lu', 32, 32, [['wide32', 1024, 33, 2], 32], { 0 => 'f32' }],
    ['qsortk', 32, 16, [['u32', 1280, 34], 40], { 0 => 'bits' }],
    ['lzd', 32, 16, ['zero:2048', ['u32', 128, 35], 9], { 0 => 'bits' }],
    ['collz', 128, 32, ['zero:256', '0x123456789ab'], { 0 => 'bits' }],
    ['raym', '32,16', '8,4', ['zero:2048', 32, 16, 'hex:0000003e000000be0000404000000040'], { 0 => 'bits' }],
    ['packs', 64, 32, ['zero:512', ['wide32', 256, 36, 3]], { 0 => 'bits' }],
    ['bothkinds', 128, 32, ['zero:512', ['u32', 128, 38], 'local:128', 'local:256'], { 0 => 'bits' }],
    ['wraps', 256, 64, ['zero:8192', ['edge32', 256, 39], ['edge32', 256, 40]], { 0 => 'bits' }],
    ['red64', 128, 64, ['zero:16', ['u32', 1000, 37], 1000], { 0 => 'bits' }],
);
my @cases = map { my %c; @c{qw(kernel global local args save source options)} = (@$_, $source, $options); \%c } @table;

my $pocl = eval { Kernels::run_opencl($cases[0], $dir) };
if (!$pocl || !-x '/usr/bin/ocloc') {
    die "PoCL and ocloc are required: $@" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'PoCL (pocl-opencl-icd, ocl-icd-opencl-dev) or ocloc (intel-opencl-icd) is not installed';
}
my %object;
for my $level ('', '-cl-opt-disable') {
    for my $container ('', '-ze-allow-zebin') {
        my $name = join ' ', grep { $_ } $level || 'optimised', $container;
        system(qw(ocloc compile -q -file), $source, qw(-device dg1 -options), "-cl-std=CL3.0 $options $level",
            '-internal_options', $container, qw(-output k -out_dir), "$dir/$name");
        ($object{$name}) = glob "'$dir/$name'/k*.bin";
    }
}
for my $case (@cases) {
    subtest $case->{kernel} => sub {
        my %want = eval { Kernels::run_opencl($case, $dir) };
        is($@, '', 'PoCL runs it') or return;
        for my $name (sort keys %object) {
            my %got = eval { Kernels::run_gpudbg($object{$name}, $case, $dir) };
            is($@ || Kernels::difference($got{$_}, $want{$_}, $case->{save}{$_}), undef,
                "$name: argument $_ is as PoCL has it") for sort keys %want;
        }
    };
}
done_testing;
