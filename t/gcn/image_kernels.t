#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiled OpenCL kernels with images and samplers as arguments, against the same in Perl.
use strict;
use warnings;
use File::Temp qw(tempdir);
use POSIX qw(floor);
use Test::More;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);

sub put {
    my ($name, $bytes) = @_;
    open my $file, '>:raw', "$dir/$name" or die "$dir/$name: $!\n";
    print $file $bytes;
    close $file;
    return "\@$dir/$name";
}

# Launches, runs, gives the bytes of the argument and what was printed.
sub run {
    my ($object, $launch, $argument, $source) = @_;
    my @words = ($gpudbg, '--batch', "t/data/kernels/gfx7/@{[$source // 'images']}-$object.co", '-e', "launch $launch",
        '-e', 'continue', defined $argument ? ('-e', "save arg $argument $dir/out") : ());
    open my $pipe, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @words or die "$gpudbg: $!\n";
    my $printed = do { local $/; <$pipe> } // '';
    close $pipe;
    open my $file, '<:raw', "$dir/out" or return ('', $printed);
    my $bytes = do { local $/; <$file> };
    close $file;
    unlink "$dir/out";
    return ($bytes, $printed);
}

my ($w, $h) = (12, 8);
my @random = map { int(($_ * 7919 + 13) * 104729 / 64) % 256 } 0 .. 4 * $w * $h - 1;
my $bytes = put('bytes', pack 'C*', @random);

for my $object (qw(O0 O2)) {
    my ($got, $printed) = run($object, "flip -g $w,$h -l 4,4 $bytes:unorm8x4:${w}x$h zero:384:unorm8x4:${w}x$h", 1);
    my @want = map { my $i = $_; my ($x, $y, $c) = ($i / 4 % $w, int($i / 4 / $w), $i % 4);
        $random[4 * ($y * $w + $w - 1 - $x) + $c] } 0 .. $#random;
    is_deeply([unpack 'C*', $got], \@want, "$object: flip") or diag $printed;

    ($got, $printed) = run($object, "blur -g $w,$h -l 4,4 $bytes:unorm8x4:${w}x$h zero:1536:float4:${w}x$h", 1);
    my @f = unpack 'f<*', $got;
    my $worst = 0;
    for my $i (0 .. $#f) {
        my ($x, $y, $c, $sum) = ($i / 4 % $w, int($i / 4 / $w), $i % 4, 0);
        for my $dy (-1 .. 1) {
            for my $dx (-1 .. 1) {
                my ($u, $v) = ($x + $dx, $y + $dy);
                $u = $u < 0 ? 0 : $u >= $w ? $w - 1 : $u;
                $v = $v < 0 ? 0 : $v >= $h ? $h - 1 : $v;
                $sum += $random[4 * ($v * $w + $u) + $c] / 255;
            }
        }
        my $apart = abs($f[$i] - $sum / 9);
        $worst = $apart if $apart > $worst;
    }
    ok(@f == 4 * $w * $h && $worst < 1e-6, "$object: blur ($worst apart)") or diag $printed;

    ($got, $printed) = run($object, sprintf('enlarge -g %d,%d -l 8,8 %s:unorm8x4:%dx%d zero:%d', 2 * $w, 2 * $h, $bytes,
        $w, $h, 64 * $w * $h), 1);
    @f = unpack 'f<*', $got;
    $worst = 0;
    for my $i (0 .. $#f) {
        my ($x, $y, $c) = ($i / 4 % (2 * $w), int($i / 4 / (2 * $w)), $i % 4);
        my ($u, $v) = (($x + 0.5) / 2 - 0.5, ($y + 0.5) / 2 - 0.5);
        my ($i0, $j0) = (floor($u), floor($v));
        my ($fu, $fv, $sum) = ($u - $i0, $v - $j0, 0);
        for my $n (0 .. 3) {
            my ($p, $q) = (($i0 + $n % 2) % $w, ($j0 + int($n / 2)) % $h);
            $sum += ($n % 2 ? $fu : 1 - $fu) * ($n > 1 ? $fv : 1 - $fv) * $random[4 * ($q * $w + $p) + $c] / 255;
        }
        my $apart = abs($f[$i] - $sum);
        $worst = $apart if $apart > $worst;
    }
    ok(@f == 16 * $w * $h && $worst < 1e-5, "$object: enlarge ($worst apart)") or diag $printed;

    # Four texels 1 2 3 4 (x), coordinates -1 to 2.75 in quarters; samplers as OpenCL numbers them.
    my $line = put('line', pack 'f<*', map { ($_, 0, 0, 1) } 1 .. 4);
    my @x = map { $_ * 0.25 - 1 } 0 .. 15;
    my %how = (
        0x17 => [map { 1 + floor($_ * 4) % 4 } @x],                                                # nearest, repeat
        0x13 => [map { my $i = floor($_ * 4); 1 + ($i < 0 ? 0 : $i > 3 ? 3 : $i) } @x],            # nearest, edge
        0x15 => [map { my $i = floor($_ * 4); $i < 0 || $i > 3 ? 0 : 1 + $i } @x],                 # nearest, border
        0x19 => [map { my $i = floor($_ * 4) % 8; 1 + ($i > 3 ? 7 - $i : $i) } @x],                # nearest, mirrored
        0x12 => [map { my $i = floor($_); 1 + ($i < 0 ? 0 : $i) } @x],
                                    # nearest, edge, unnormalised
    );
    for my $sampler (sort { $a <=> $b } keys %how) {
        ($got, $printed) = run($object, "by_argument -g 16 -l 16 $line:float4:4x1 $sampler zero:256", 2);
        my @got = unpack 'f<*', $got;
        is_deeply([@got[map { 4 * $_ } 0 .. 15]], $how{$sampler}, sprintf '%s: sampler 0x%x', $object, $sampler)
            or diag $printed;
    }

    # Outside, alpha is 1 where the image has none (OpenCL C 2.0, 6.13.14.1), 0 where it has.
    for (['r32_float', 1], ['32_32_float', 2], ['32_32_32_float', 3], ['float4', 4], ['8_unorm', 1],
        ['5_6_5_unorm', 3]) {
        my ($format, $n) = @$_;
        my $texels = $format =~ /unorm/ ? "fill:64:255:$format:4x1" : put('line', pack 'f<*', (1) x (4 * $n))
            . ":$format:4x1";
        ($got, $printed) = run($object, "by_argument -g 8 -l 8 $texels 0x15 zero:256", 2);
        my @inside = $n < 4 ? ((1) x $n, (0) x (3 - $n), 1) : (1) x 4;
        is_deeply([unpack 'f<*', $got], [((0, 0, 0, $n < 4 ? 1 : 0) x 4), (@inside) x 4, (0) x 32],
            "$object: the border of $format")
            or diag $printed;
    }

    my @layers = map { $_ % 200 } 0 .. 4 * 4 * 3 * 2 - 1;
    my $layers = put('layers', pack 'C*', @layers);
    my $table = put('table', pack 'S<*', 1 .. 8);
    my $more = put('more', pack 'L<*', 10, 20, 30);
    ($got, $printed) = run($object,
        "layers -g 4,3,2 -l 4,3,1 $layers:8_8_8_8_uint:4x3x2 zero:384:uint4:4x3x2 $table:16_16_uint $more:r32_uint", 1);
    my @sum = map {
        my ($x, $y, $c) = ($_ / 4 % 4, int($_ / 16) % 3, $_ % 4);
        $layers[$_] + ($c == 0 ? 2 * int($x) + 1 : $c == 1 ? 2 * int($x) + 2 : $c == 3 ? 1 : 0) + ($c == 0
            ? 10 * $y + 10 : $c == 3 ? 1 : 0)
    } 0 .. $#layers;
    is_deeply([unpack 'L<*', $got], \@sum, "$object: layers, a volume, one dimension, a buffer") or diag $printed;

    ($got, $printed) = run($object, 'about -g 1 -l 1 zero:800:unorm8x4:10x5x4 zero:240:16_float:4x5x6 zero:32', 2);
    is_deeply([unpack 'l<*', $got], [10, 5, 4, 1, 1, 6, 1, 1], "$object: what images are") or diag $printed;
}

# CLK_DEPTH by the type, CLK_sRGBA by the format, CLK_RGBA and CLK_R else; what a channel is: CLK_FLOAT, CLK_UNORM_INT8,
# CLK_UNORM_INT16.
for (['r32_float', 'r32_float', '8_8_8_8_srgb', 0x10c1, 0x10de, 0x10d2],
    ['16_unorm', '8_unorm', '8_8_8_8_unorm', 0x10b5, 0x10d3, 0x10d2],
    ['r32_float', 'r32_float', '16_unorm', 0x10b0, 0x10de, 0x10d3]) {
    my ($depth, $depths, $colour, $order, @types) = @$_;
    my ($got, $printed) = run('O2',
        "orders -g 1 -l 1 zero:64:$depth:4x4 zero:32:$depths:2x2x2 zero:64:$colour:4x4 zero:20", 3, 'orders');
    is_deeply([unpack 'L<*', $got], [0x10bd, 0x10bd, $order, @types], "$colour beside depth: orders of channels")
        or diag $printed;
}

# What cannot be is said.
my @refused = (
    ['flip -g 4,4 -l 4,4 zero:64 zero:64:unorm8x4:4x4', qr/needs a buffer with a format/],
    ['flip -g 4,4 -l 4,4 zero:64:unorm9x4:4x4 zero:64:unorm8x4:4x4', qr/'unorm9x4' is not an image format/],
    ['flip -g 4,4 -l 4,4 zero:64:unorm8x4:4x5 zero:64:unorm8x4:4x4', qr/takes 80 bytes, the buffer has 64/],
    ['flip -g 4,4 -l 4,4 zero:64:unorm8x4 zero:64:unorm8x4:4x4', qr/does not give the 2 sizes that image2d_t needs/],
    ['flip -g 4,4 -l 4,4 zero:64:unorm8x4/6:4x4 zero:64:unorm8x4:4x4',
        qr/a line cannot have 6 bytes: it has 4 blocks of 4 bytes/],
    ['by_argument -g 4 -l 4 zero:64:float4:4x1 0x40 zero:64', qr/0x40 is not a sampler/],
);
for (@refused) {
    my ($launch, $why) = @$_;
    like((run('O2', $launch))[1], $why, $launch);
}

done_testing;
