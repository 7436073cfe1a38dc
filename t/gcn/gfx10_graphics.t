#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What only graphics shaders do on gfx10: a pixel shader of the console is read, launched by its stage, run to its
# export and stepped back from it; interpolation in long words and of halves; exports of positions and primitives;
# messages of NGG.  Words are llvm-mc's, numbers computed here.
use strict;
use warnings;
no warnings 'portable';
use FindBin;
use lib "$FindBin::Bin/../lib";
use ConsoleShader;
use Files;
use Gpudbg;
use Test::More;

sub values_of { return map { $_->{value} =~ /^0x/ ? hex $_->{value} : $_->{value} } grep { $_->{type} eq 'value' } @_ }
sub float { return unpack 'V', pack 'f<', shift }

my $shader = spill('pixel.bin', ConsoleShader::pixel());
my $texture = spill('texture', pack 'C*', map { my $y = $_; map { (4 * $_, 100 * $y, 7, 255) } 0 .. 63 } 0 .. 1);

subtest 'a pixel shader of the console' => sub {
    my $buffer = '0x100000000';
    my $launch = ConsoleShader::launch("\@$texture");
    my @all = records($shader, commands($launch, 'info buffers', 'break *0x20', 'continue', 'print $v4[9]', 'stepi',
        'info exports mrt0', 'reverse-stepi', 'print $pc', 'info exports', 'reverse-stepi', 'reverse-stepi',
        'print $pc', 'continue'));
    my ($launched) = grep { $_->{type} eq 'launch' } @all;
    like $launched->{assumed}, qr/one triangle.*s4 is 0 \(where primitives begin, for M0\)/, 'its stage is the file\'s';
    is((grep { ($_->{name} // '') eq 'buf0' } @all)[0]{addr}, $buffer, 'the texture is where T# says');
    my @exports = grep { $_->{type} eq 'export' } @all;
    is scalar @exports, 32, 'a row for each pixel of a wave of 32';
    my ($at, $before, $earlier) = values_of(@all);
    # The centre of pixel (x, y) of 8 x 4 is (2 x + 1) / 16 of the width, (2 y + 1) / 8 of the height.
    for my $lane (0, 9, 31) {
        my ($x, $y) = (int($lane / 4) % 4 * 2 + $lane % 2, int($lane / 16) * 2 + int($lane / 2) % 2); # in quads
        my @texel = (4 * int(64 * (2 * $x + 1) / 16), 100 * int(2 * (2 * $y + 1) / 8), 7, 255);
        my ($row) = grep { $_->{lane} == $lane } @exports;
        is_deeply [map { hex $row->{$_} } qw(x y z w)], [map { float($_ / 255) } @texel], "pixel $x, $y has its texel";
    }
    is_deeply [@{ $exports[0] }{qw(target done valid)}], ['mrt0', 1, '0xffffffff'], 'the last export, with a mask';
    is $before, 0x20, 'stepped back from its export';
    is $earlier, 0x14, '... and before its sample';
    my @stops = grep { $_->{type} eq 'stop' } @all;
    is $stops[-1]{reason}, 'breakpoint', '... and forward again';
    my ($list) = gpudbg($shader, commands($launch, 'continue', 'info exports'));
    ok length((split /\bx\b/, (grep { /^step/ } split /\n/, $list)[0])[0]) < 80, 'the floats fit in 80 columns';
    my ($picture) = gpudbg($shader, commands($launch, 'picture $s[8:15]'));
    like $picture, qr/8_8_8_8_unorm, 64x2, rgba/, 'the texture as a picture';
};

# P0, P10 and P20 of attribute 0 (pairs of halves) and 1.
my @words = (0xd6000002, 0x00020041,    # v_interp_p1_f32_e64 v2, v0, attr1.y
    0xd6010002, 0x40020241,             # v_interp_p2_f32_e64 v2, -v1, attr1.y
    0xd6020003, 0x00000241,             # v_interp_mov_f32_e64 v3, p20, attr1.y
    0xd7420004, 0x00020000,             # v_interp_p1ll_f16 v4, v0, attr0.x
    0xd75a0005, 0x04120200,             # v_interp_p2_f16 v5, v1, attr0.x, v4
    0xd7430006, 0x041e0100,             # v_interp_p1lv_f16 v6, v0, attr0.x, v7 high
    0xd75a0008, 0x041a0300,             # v_interp_p2_f16 v8, v1, attr0.x, v6 high
    0xbf810000);
my %half = (0.5 => 0x3800, 1 => 0x3c00, 2 => 0x4000, 3 => 0x4200, 4 => 0x4400, -1 => 0xbc00, 8 => 0x4800);
subtest 'interpolation in long words' => sub {
    my @attributes;
    $attributes[$_] = pack 'V', 0 for 0 .. 23;
    my @low = (1, 2, 3);        # P0, P10, P20 of attr0.x, low halves; high halves
    my @high = (4, -1, 0.5);
    $attributes[4 * $_] = pack 'v2', $half{ $low[$_] }, $half{ $high[$_] } for 0 .. 2;
    $attributes[12 + 4 * $_ + 1] = pack 'f<', (10, 6, -3)[$_] for 0 .. 2;
    for my $isa (qw(gfx10 gfx10.3 gfx1013-wave64)) {
        my @got = values_of(records('--isa', $isa, '--raw', spill('long', pack 'V*', @words), commands(
            'set gfx7 stage pixel', 'launch -g 32 -l 32 v[0]=' . float(0.5) . ' v[1]=' . float(0.25)
            . ' v[5]=0xabcd1234 v[7]=' . ($half{8} << 16 | 77) . ' params='
                . ConsoleShader::hex_of(@attributes), 'continue',
            map { "print/x \$v$_\[7]" } 2 .. 6, 8)));
        is_deeply [@got[0 .. 4]], [float(13.75), float(-3), float(2), 0xabcd4180, float(7.5)], "$isa: floats, halves";
        is $got[5] & 0xffff, 0x47a0, '... and of the high halves: 7.5 + 0.5 / 4 = 7.625';
    }
    # v_interp_p2_f16 v5, v1, attr0.x, v4; the same with clamp to v6.  1 + 2**-11 + 2**-30 is above the middle between
    # halves, which a float is not.
    $attributes[8] = pack 'V', 0x0400;
    my $once = spill('once', pack 'V*', 0xd75a0005, 0x04120200, 0xd75a8006, 0x041e0200, 0xbf810000);
    my @once = values_of(records('--isa', 'gfx10.3', '--raw', $once, commands('set gfx7 stage pixel',
        'launch -g 32 -l 32 v[1]=' . float(2**-16) . ' v[4]=' . float(1 + 2**-11) . ' v[7]=' . float(3)
        . ' v[5]=0xabcd1234 v[6]=0x77770000 params=' . ConsoleShader::hex_of(@attributes), 'continue',
        map { "print/x \$v$_\[7]" } 5, 6)));
    is_deeply \@once, [0xabcd3c01, 0x77773c00], 'a half is rounded once, limited by clamp, and the other half stays';
    my ($out) = gpudbg('--isa', 'gfx10', '--raw', spill('clamp', pack 'V*', 0xd6018001, 0x00020202, 0xbf810000),
        commands('launch -g 32 -l 32 lds=256', 'continue'));
    like $out, qr/v_interp_p2_f32 with clamp or omod: not implemented/, 'a clamp, of which nothing is known, stops';
};

# The value of a half, and the bits of the half that is nearest to a value, by whole numbers.
sub of_half {
    my ($bits) = @_;
    my $e = $bits >> 10 & 31;
    return ($bits & 0x8000 ? -1 : 1) * (($e ? 1024 : 0) + ($bits & 1023)) * 2 ** (($e || 1) - 25);
}
sub half {
    my ($x) = @_;
    my ($sign, $scaled, $e) = ($x < 0 ? 0x8000 : 0, abs $x, 1);
    $e++ while $scaled >= 2 ** ($e - 14);
    $scaled *= 2 ** (25 - $e);    # 1024 to 2047, or below 1024 of a denormal
    my $n = int $scaled;
    my $rest = $scaled - $n;
    $n++ if $rest > 0.5 || ($rest == 0.5 && $n & 1);
    return $sign | (($e - 1) * 1024 + $n);
}
subtest 'halves that must be rounded, of eight primitives' => sub {
    my ($i, $j) = map { unpack 'f<', pack 'f<', $_ } 0.3, 0.6;
    my @halves = map { [map { my $at = $_; ($at * 0x2f35 + 0x1357) & 0xbfff } 3 * $_ .. 3 * $_ + 2] } 0 .. 15;
    my ($parameters, @want) = ('');
    for my $p (0 .. 7) {
        my ($low, $high) = @halves[$p, 8 + $p];
        $parameters .= pack 'v2 x12', $low->[$_], $high->[$_] for 0 .. 2;
        my @p = map { of_half($_) } @$low;
        my @q = map { of_half($_) } @$high;
        my ($sum, $other) = map { unpack 'f<', pack 'f<', $_ } $p[0] + $p[1] * $i, of_half(0x3555) + $q[1] * $i;
        push @want, [float($sum), half($sum + $p[2] * $j), float($other), half($other + $q[2] * $j)];
    }
    my @lanes = map { 4 * $_ + 1 } 0 .. 7;
    my $code = spill('halves', pack 'V*', @words[6 .. $#words]);
    for my $isa (qw(gfx10 gfx10.3-wave64)) {
        my @got = values_of(records('--isa', $isa, '--raw', $code, commands('set gfx7 stage pixel',
            "launch -g 32 -l 32 m0=0x007f0000 v[0]=@{[float($i)]} v[1]=@{[float($j)]} v[5]=0 v[8]=0 v[7]=0x35550000"
            . ' params=' . ConsoleShader::hex_of($parameters), 'continue',
            map { my $lane = $_; map { "print/x \$v$_\[$lane]" } 4, 5, 6, 8 } @lanes)));
        is_deeply [map { [@got[4 * $_ .. 4 * $_ + 3]] } 0 .. 7], \@want, "$isa: float sums, nearest halves";
    }
};

subtest 'vertices and primitives' => sub {
    my $file = spill('vertex', pack 'V*', 0xbf900009, 0xf8000941, 0x00000000, 0xf80008cf, 0x04030201, 0xf8000103,
        0x00000101, 0xf800023f, 0x06050605, 0xbfa80007, 0xbf810000);
    my @all = records('--isa', 'gfx10.3', '--raw', $file, commands(
        'launch -g 32 -l 32 m0=0x3003 v[0]=0x40200 v[1]=5 v[6]=6', 'continue', 'continue', 'continue', 'continue',
        'continue', 'continue', 'continue', 'info messages', 'info exports'));
    my ($message) = grep { $_->{type} eq 'sendmsg' } @all;
    is_deeply [@$message{qw(message m0)}], ['gs_alloc_req', '0x3003'], 'space for vertices and primitives is asked for';
    my %of;
    push @{ $of{ $_->{target} } }, $_ for grep { $_->{type} eq 'export' } @all;
    is join(' ', sort keys %of), 'param3 pos0 pos4 prim', 'targets have the names of their chip';
    is hex $of{prim}[3]{x}, 0x40200, 'the vertices of a primitive';
    is_deeply [@{ $of{pos4}[0] }{qw(x z)}], ['0x5', undef], 'two components of pos4';
};
done_testing;
