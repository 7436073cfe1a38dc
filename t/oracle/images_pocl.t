#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Image kernels on PoCL: formats, samplers, filters; every number within a few units in the last place of ours.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Kernels;
use Test::More;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/cache";
$ENV{POCL_CACHE_DIR} = "$dir/cache";

my $pocl = eval { Kernels::build_host($dir, 'oclrun', [qw(oclrun args)], '-lOpenCL') };
my $source = "t/data/kernels/images.cl";
open my $file, '>:raw', "$dir/in" or die "$dir/in: $!\n";
print $file pack 'C*', map { int(($_ * 7919 + 13) * 104729 / 64) % 256 } 0 .. 4 * 12 * 8 - 1;
close $file;
open $file, '>:raw', "$dir/floats" or die "$dir/floats: $!\n";
print $file pack 'f<*', map { sin $_ } 1 .. 64;
close $file;

sub bytes {
    open my $file, '<:raw', shift or return '';
    local $/;
    return scalar <$file>;
}

# [words, saved argument, template, allowed difference]
my @cases = (
    (map { ["flip -g 12,8 -l 4,4 \@$dir/in:$_:12x8 zero:384:$_:12x8", 1, 'C*', 0] } qw(unorm8x4 8_8_8_8_snorm)),
    ["flip -g 6,8 -l 2,4 \@$dir/in:16_16_16_16_unorm:6x8 zero:768:float4:6x8", 1, 'f<*', 1e-7],
    ["flip -g 4,4 -l 4,4 \@$dir/floats:float4:4x4 zero:64:unorm8x4:4x4", 1, 'C*', 0],
    ["flip -g 4,4 -l 4,4 \@$dir/floats:float4:4x4 zero:128:16_16_16_16_float:4x4", 1, 'S<*', 0],
    ["flip -g 4,4 -l 4,4 \@$dir/floats:float4:4x4 zero:64:8_8_8_8_snorm:4x4", 1, 'c*', 0],
    ["blur -g 12,8 -l 4,4 \@$dir/in:unorm8x4:12x8 zero:1536:float4:12x8", 1, 'f<*', 1e-6],
    ["enlarge -g 24,16 -l 8,8 \@$dir/in:unorm8x4:12x8 zero:6144", 1, 'f<*', 1e-5],
    ["enlarge -g 20,20 -l 4,4 \@$dir/floats:float4:4x4 zero:6400", 1, 'f<*', 1e-5],
    # Where a coordinate is the edge of two texels, mirroring it and mirroring the texel differ: three texels have none
    # here.
    ["by_argument -g 16 -l 16 \@$dir/floats:float4:3x4 0x19 zero:256", 2, 'f<*', 1e-6],
    map({ ["by_argument -g 16 -l 16 \@$dir/floats:float4:4x4 $_ zero:256", 2, 'f<*', 1e-5] } 0x13, 0x15, 0x17, 0x23,
    0x25, 0x27, 0x29, 0x12, 0x14, 0x22, 0x24),
);

sub on_pocl {
    my ($words, $saved) = @_;
    unlink "$dir/pocl";
    system("'$pocl' '$source' -cl-std=CL2.0 $words --save $saved '$dir/pocl' >'$dir/log' 2>&1");
    return bytes("$dir/pocl");
}

if (!$pocl || !length on_pocl(@{ $cases[0] })) {
    die 'PoCL is required and does not run: ' . bytes("$dir/log") if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'PoCL (pocl-opencl-icd, ocl-icd-opencl-dev) is not installed';
}

# Lines of a multiple of 256 bytes, as images of gfx10 have them: arguments with them, and their bytes without.
my %texel = (unorm8x4 => 4, '8_8_8_8_snorm' => 4, float4 => 16, map { ("16_16_16_16_$_" => 8) } qw(unorm float));
sub padded {
    my ($argument, $n) = @_;
    my ($what, $format, $across, $down) = $argument =~ /^(.*):(\w+):(\d+)x(\d+)$/ or return $argument;
    my $line = $across * $texel{$format};
    my $bytes = $what =~ s/^\@// ? bytes($what) : "\0" x ($line * $down);
    open my $file, '>:raw', "$dir/padded$n" or die "$dir/padded$n: $!\n";
    print $file map { $_ . "\0" x (-length($_) % 256) } map { substr $bytes, $_ * $line, $line } 0 .. $down - 1;
    close $file;
    return "\@$dir/padded$n:$format/" . int(($line + 255) / 256) * 256 . ":${across}x$down";
}
sub unpadded {
    my ($bytes, $argument) = @_;
    my ($format, $across, $down) = $argument =~ /:(\w+):(\d+)x(\d+)$/ or return $bytes;
    my $line = $across * $texel{$format};
    return join '', map { substr $bytes, $_ * int(($line + 255) / 256) * 256, $line } 0 .. $down - 1;
}

# Objects: of gfx7 in the tree, of gfx10 compiled here where clang's library is there.
my ($library) = grep { -d } $ENV{DEVICE_LIBS} // (), glob '/usr/lib/*/amdgcn/bitcode';
my %objects = map { ("gfx7 $_" => "t/data/kernels/gfx7/images-$_.co") } qw(O0 O2);
for my $how (map { my $level = $_; map { [split(' '), $level] } 'gfx1010 32', 'gfx1010 64', 'gfx1030 32' } qw(O0 O2)) {
    my ($chip, $lanes, $level) = @$how;
    my $object = "$dir/images-$chip-$lanes-$level.co";
    $objects{"$chip $lanes $level"} = $object if $library && eval {
        Kernels::run('clang-19', '-x', 'cl', '-Xclang', '-finclude-default-header', '-target', 'amdgcn-amd-amdhsa',
            "-mcpu=$chip", $lanes == 64 ? '-mwavefrontsize64' : (), "--rocm-device-lib-path=$library", '-w',
            "-$level", '-o', $object, $source);
        1;
    };
}
cmp_ok(scalar keys %objects, '>', 2, 'clang compiles images for gfx10') if $ENV{GPUDBG_ORACLE_REQUIRED};

for my $case (@cases) {
    my ($words, $saved, $template, $allowed) = @$case;
    my @want = unpack $template, on_pocl($words, $saved);
    for my $object (sort keys %objects) {
        my $n = 0;
        my $newer = $object !~ /^gfx7/;
        my ($kernel, @options) = split ' ', $words;
        my @arguments = splice @options, 4;
        my $launch = join ' ', $kernel, @options, map { $newer ? padded($_, $n++) : $_ } @arguments;
        unlink "$dir/ours";
        system($gpudbg, '--batch', $objects{$object}, '-e', "launch $launch", '-e', 'continue',
            '-e', "save arg $saved $dir/ours") if open my $quiet, '>&', \*STDOUT;
        my $bytes = bytes("$dir/ours");
        my @got = unpack $template, $newer ? unpadded($bytes, $arguments[$saved]) : $bytes;
        my @apart = grep { !(abs($got[$_] - $want[$_]) <= $allowed) } 0 .. $#want;
        (my $title = $words) =~ s/\@\S*\///g;
        ok(@want && @got == @want && !@apart, "$object: $title")
            or diag(@apart ? "number $apart[0] of " . @want . ": $got[$apart[0]], PoCL has $want[$apart[0]]"
            : bytes("$dir/log"));
    }
}
done_testing();
