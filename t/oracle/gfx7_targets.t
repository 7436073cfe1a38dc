# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels with subgroup functions, loops, calls, local memory and scratch, compiled by clang-19 for each of gfx700 to
# gfx705 at -O0 to -O3, and by clang-14 as code objects 2 and 3, give what Perl computes from the same input.
use v5.36;
use Test::More;
use File::Temp 'tempdir';

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $libs   = $ENV{DEVICE_LIBS} // '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode';
my $dir    = tempdir(CLEANUP => 1);
sub have ($name) { return scalar grep { -x } map { "$_/$name" } split /:/, $ENV{PATH} }
if (!have('clang-19') || !-d $libs) {
    die "clang-19 and rocm-device-libs are required\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'clang-19 or rocm-device-libs is not installed (make deps-oracle)';
}

open my $source, '>', "$dir/k.cl" or die "$dir/k.cl: $!\n";
print $source <<'END';
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#ifdef OLD
#define LANE ((uint)__builtin_amdgcn_workitem_id_x())
#define barrier(which) __builtin_amdgcn_s_barrier()
#else
#define LANE ((uint)get_local_id(0))
#endif
__attribute__((noinline)) uint mix(uint x, uint n)
{
    uint spread[8];
    for (uint k = 0; k < 8; k++) spread[k] = x * (k + 3);
    for (uint k = 0; k < n; k++) spread[k & 7] ^= spread[(k + x) & 7] >> 3;
    return spread[n & 7];
}
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void mixes(global uint *o, global const uint *in)
{
    local uint all[64];
    uint i = LANE;
    all[i] = mix(in[i], i & 15);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = all[63 - i] + (i & 1 ? in[i] / 7 : in[i] % 11);
}
#ifndef OLD
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void groups(global uint *o, global const uint *in)
{
    uint i = LANE, x = in[i];
    uint sum = sub_group_reduce_add(x), scan = sub_group_scan_inclusive_add(x), most = sub_group_reduce_max(x);
    uint third = sub_group_broadcast(x, 3);
    uint some = sub_group_any(x > 4000000000u) | sub_group_all(x > 7u) << 1;
    o[i] = sum ^ scan ^ most ^ third ^ some << 7 ^ get_sub_group_local_id();
}
#endif
END
close $source;

my @in = map { ($_ * 2654435761 + 12345) & 0xffffffff } 0 .. 63;
open my $in, '>:raw', "$dir/in" or die "$dir/in: $!\n";
print $in pack 'L<*', @in;
close $in;

sub mix ($x, $n) {
    my @spread = map { ($x * ($_ + 3)) & 0xffffffff } 0 .. 7;
    $spread[$_ & 7] ^= $spread[($_ + $x) & 7] >> 3 for 0 .. $n - 1;
    return $spread[$n & 7];
}
my @all   = map { mix($in[$_], $_ & 15) } 0 .. 63;
my @mixes = map { ($all[63 - $_] + ($_ & 1 ? int($in[$_] / 7) : $in[$_] % 11)) & 0xffffffff } 0 .. 63;
my ($sum, $most) = (0, 0);
my @scan = map { $sum = ($sum + $_) & 0xffffffff; $most = $_ if $_ > $most; $sum } @in;
my $some   = ((grep { $_ > 4000000000 } @in) ? 1 : 0) | ((grep { $_ <= 7 } @in) ? 0 : 2);
my @groups = map { ($sum ^ $scan[$_] ^ $most ^ $in[3] ^ $some << 7 ^ $_) & 0xffffffff } 0 .. 63;

sub result ($file, $kernel) {
    unlink "$dir/out";
    my $said = readpipe("$gpudbg --batch $file -e 'launch $kernel -g 64 -l 64 zero:256 \@"
        . "$dir/in' -e continue -e 'save arg 0 $dir/out' 2>&1");
    open my $f, '<:raw', "$dir/out" or return "no buffer: $said";
    local $/;
    return [unpack 'L<*', <$f>];
}

for my $cpu (700 .. 705) {
    for my $level (0 .. 3) {
        my $file = "$dir/k-$cpu-$level.co";
        system "clang-19 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -target amdgcn-amd-amdhsa -mcpu=gfx$cpu"
            . " --rocm-device-lib-path=$libs -w -O$level $dir/k.cl -o $file 2>$dir/err";
        ok(-s $file, "gfx$cpu -O$level: clang-19 compiles") or next;
        is_deeply(result($file, 'mixes'), \@mixes, '... calls, scratch and local memory');
        is_deeply(result($file, 'groups'), \@groups, '... subgroup functions');
    }
}
for my $version (2, 3) {
    SKIP: {
        skip 'no clang-14', 1 if !have('clang-14');
        my $file = "$dir/old-$version.co";
        system "clang-14 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -DOLD -target amdgcn-amd-amdhsa "
            . "-mcpu=gfx700 -nogpulib"
            . " -mcode-object-version=$version -w -O$_ $dir/k.cl -o $file 2>$dir/err" for 2;
        skip "clang-14 makes no code object $version with barriers", 1 if !-s $file;
        is_deeply(result($file, 'mixes'), \@mixes, "clang-14, code object $version");
    }
}
done_testing;
