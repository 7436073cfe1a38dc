#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `info occupancy` of kernels that take more and more registers, against what LLVM prints for them ("Occupancy").
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Test::More;

my $clang = 'clang-19';
plan skip_all => "no $clang" if system("$clang --version >/dev/null 2>&1");
my $dir = tempdir(CLEANUP => 1);

# A kernel that keeps n numbers of each lane until its end, and s of the wave.
sub kernel ($name, $n, $s) {
    my $loads = join '', map { "  float v$_ = in[$_ * 64 + i];\n" } 0 .. $n - 1;
    my $scalars = join '', map { "  int s$_ = given[$_];\n" } 0 .. $s - 1;
    my $uses = join '', map { '  out[i + ' . 64 * $_ . "] = v$_ * v" . ($n - 1 - $_) . ";\n" } 0 .. $n - 1;
    my $asm = join '', map { "  __asm__ volatile(\"; hold %0\" :: \"s\"(s$_));\n" } 0 .. $s - 1;
    return "kernel void $name(global float *out, global float *in, constant int *given, int i)\n{\n$loads$scalars"
        . "  __builtin_amdgcn_s_barrier();\n$uses$asm}\n";
}

my $text = join '', (map { kernel("v$_", $_, 0) } map { 8 * $_ } 1 .. 16), map { kernel("s$_", 2, $_) } map { 8 * $_ }
    1 .. 10;
# The last VGPR that a kernel touches decides how many it takes.
$text .= "kernel void c$_(global int *out) { __asm__ volatile(\"; hold\" ::: \"v" . ($_ - 1) . "\"); out[0] = 1; }\n"
    for map { 23 * $_ } 1 .. 11;
open my $cl, '>', "$dir/k.cl" or die;
print $cl $text;
close $cl;
for my $chip (['bonaire', 64, 4], ['gfx1010', 32, 4], ['gfx1010', 64, 3, '-mwavefrontsize64', '-mcumode'],
    ['gfx1030', 32, 3], ['gfx1030', 64, 4, '-mwavefrontsize64']) {
    my ($cpu, $lanes, $least, @mode) = @$chip;
    my @flags = (qw(-x cl -target amdgcn-amd-amdhsa -nogpulib -O2 -Xclang -finclude-default-header), "-mcpu=$cpu",
        @mode);
    is(system("$clang @flags -S -o $dir/k.s $dir/k.cl"), 0, "$cpu, waves of $lanes: clang compiles to text") or next;
    is(system("$clang @flags -o $dir/k.co $dir/k.cl"), 0, '... and to a code object') or next;
    my (%want, $name);
    open my $s, '<', "$dir/k.s" or die;
    while (<$s>) {
        $name = $1 if /^(\w+):\s+; \@\w+/;
        $want{$name} = $1 if /^; Occupancy: (\d+)/;
    }
    my %got = map { $_->{kernel} => $_->{waves} } grep { $_->{type} eq 'occupancy' }
        records(commands("info occupancy -l $lanes"), "$dir/k.co");
    is(scalar keys %got, 37, '... all kernels are listed');
    is($got{$_}, $want{$_}, "... $_: as LLVM has it") for sort keys %want;
    cmp_ok(scalar(keys %{ { reverse %want } }), '>=', $least, '... they differ');
}
done_testing;
