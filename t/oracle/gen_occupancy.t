#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `info occupancy` of Intel's kernels: what they take, against the text .ze_info that ocloc writes, and how many threads
# an EU holds, worked out here from that text by the numbers of a dual subslice of Gen12.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Test::More;

plan skip_all => 'no ocloc' if system('ocloc --help >/dev/null 2>&1');
my $dir = tempdir(CLEANUP => 1);
my $text = '';
for my $bytes (0, 256, 1024, 5000, 16384, 40000, 65536) {
    for my $group (16, 64, 256) {
        my ($slm, $use) = $bytes ? ("    local char t[$bytes];\n    t[get_local_id(0)] = a[0];\n"
                . "    barrier(CLK_LOCAL_MEM_FENCE);\n", "t[get_local_id(0) ^ 1]") : ('', 'a[3]');
        $text .= "__attribute__((reqd_work_group_size($group, 1, 1)))\n"
            . "kernel void k${bytes}_$group(global float *a)\n{\n$slm    a[get_global_id(0)] += $use;\n}\n";
    }
}
$text .= "kernel void private_$_(global float *a)\n{\n    float x[$_];\n    for (int i = 0; i < $_; i++) x[i] = a[i];\n"
    . "    for (int i = 0; i < $_; i++) a[get_global_id(0) + i] += x[((int)a[i]) % $_];\n}\n" for 100, 600, 3000;
open my $cl, '>', "$dir/k.cl" or die;
print $cl $text;
close $cl;
my $options = '-file k.cl -device tgllp -output k -output_no_suffix -out_dir . --format zebin';
system("cd $dir && ocloc compile $options >ocloc.log 2>&1");
my ($file) = grep { -f } "$dir/k.bin", "$dir/k";
ok($file, 'ocloc compiles') or done_testing, exit;

# The kernels of .ze_info: names, and the numbers of execution_env and per_thread_memory_buffers.
open my $f, '<:raw', $file or die;
local $/;
my ($info) = <$f> =~ /(kernels: *\n.*?)\0/s;
my %want;
for my $kernel (split /^ *- name: +/m, $info // '') {
    my ($name) = $kernel =~ /^(\w+)/ or next;
    next if $kernel !~ /simd_size: +(\d+)/;
    my %k = (simd => $1);
    $k{$_->[0]} = $kernel =~ /\b$_->[1]: +(\d+)/ ? $1 : 0
        for ['registers', 'grf_count'], ['slm', 'slm_size'], ['barriers', 'barrier_count'];
    $k{scratch} = 0;
    for my $buffer ($kernel =~ /- type: +scratch(.*?)(?=- type:|\z)/sg) {
        $k{scratch} = $1 if $buffer =~ /\bsize: +(\d+)/ && $1 > $k{scratch};
    }
    $k{group} = $name =~ /^k\d+_(\d+)$/ ? $1 : 256;
    $want{$name} = \%k;
}
my %got = map { $_->{kernel} => $_ } grep { $_->{type} eq 'occupancy' } records(commands("info occupancy"), $file);
is_deeply([sort keys %got], [sort keys %want], 'the kernels of .ze_info');
for my $name (sort keys %want) {
    my ($w, $g) = ($want{$name}, $got{$name});
    my $threads = int(($w->{group} + $w->{simd} - 1) / $w->{simd});
    is_deeply({map { $_ => $g->{$_} } qw(registers slm barriers scratch threads)},
        {(map { $_ => $w->{$_} } qw(registers slm barriers scratch)), threads => $threads},
        "$name takes what ocloc says");
    # A dual subslice has 16 EUs of 7 threads, 128 KB of SLM given in powers of two from 1 KB, 32 barriers.
    my $given = 1024;
    $given *= 2 while $given < $w->{slm};
    my $groups = 1e9;
    $groups = 131072 / $given if $w->{slm};
    $groups = 32 / $w->{barriers} if $w->{barriers} && $groups > 32 / $w->{barriers};
    my $all = int(($groups * $threads + 15) / 16);
    is($g->{waves}, $all < 7 ? $all : 7, "$name: threads of an EU");
}
cmp_ok(scalar(keys %{ { map { $_->{waves} => 1 } values %got } }), '>', 2, 'they differ');
done_testing;
