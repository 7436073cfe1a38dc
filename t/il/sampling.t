#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# AMD IL: filters across the edges and corners of cubes, anisotropic filters, levels of texture stages, centroids:
# against arithmetic written here.
use v5.36;
use Test::More;
use POSIX 'floor';
use List::Util qw(sum max min);
use IL;

sub floats (@f) { return pack 'f<*', @f }
my $seed = 12345;
sub random () { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; return ($seed >> 8 & 0xffff) / 65536 }

# Samples a compute kernel's literals: list of [x, y, z, w] -> list of results.
sub run_samples ($what, $points, %o) {
    my $text = "il_ps_2_0\ndcl_input_generic v0\ndcl_output_generic o0\n$o{head}$what\nend\n";
    my $n = @$points;
    my $got = run_il($text, launch => "-g $n,1", in =>
        { v0 => floats(map { @$_ } @$points), $o{res} ? (res0 => $o{res}) : (), $o{in} ? $o{in}->%* : () },
        format => { res0 => $o{format} }, args => 'o0=zero:' . 16 * $n . ' ' . ($o{args} // ''), save => ['o0'],
        before => $o{before} // []);
    diag $got->{output} if $got->{status};
    my @f = unpack 'f<*', $got->{o0};
    return map { [@f[4 * $_ .. 4 * $_ + 3]] } 0 .. $n - 1;
}
sub near_all ($got, $want, $name, $error = 1e-5) {
    my @bad = grep { abs($got->[$_] - $want->[$_]) > $error } 0 .. $#$want;
    ok(@$got == @$want && !@bad, $name) or diag map { "$_: $got->[$_], not $want->[$_]\n" } @bad[0 .. min(5, $#bad)];
}

# ---- Cubes: 4 x 4 x 6 texels, all different ----
my $n = 4;
my @texel = map { random() } 1 .. $n * $n * 6;
sub cube ($face, $x, $y) { return $texel[($face * $n + $y) * $n + $x] }
my %cube = (head => "dcl_resource_id(0)_type(cubemap)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n",
    res => floats(map { ($_, 1 - $_, 0, 1) } @texel), format => "float4:${n}x${n}x6");
my $sample = 'sample_l_resource(0)_sampler(0) o0, v0.xyzz, v0.w';
# Directions just beside each of the twelve edges, at several places along it: both sides are alike, which one face
# alone does not give.
my (@pairs, @corners);
for my $a (0 .. 2) {
    for my $b ($a + 1 .. 2) {
        my ($c) = grep { $_ != $a && $_ != $b } 0 .. 2;
        for my $sa (-1, 1) {
            for my $sb (-1, 1) {
                for my $along (-0.7, -0.3, 0.1, 0.6) {
                    for my $side (-1, 1) {
                        my @d = (0) x 4;
                        ($d[$a], $d[$b], $d[$c]) = ($sa * (1 + 1e-5 * $side), $sb * (1 - 1e-5 * $side), $along);
                        push @pairs, \@d;
                    }
                }
            }
        }
    }
}
my @got = map { $_->[0] } run_samples($sample, \@pairs, %cube, args => 'sampler0=linear');
near_all([map { $got[2 * $_] } 0 .. $#got / 2], [map { $got[2 * $_ + 1] } 0 .. $#got / 2],
    'both sides of an edge are alike: 12 edges, 4 places each', 1e-3);
my @face = map { $_->[0] } run_samples($sample, \@pairs, %cube, args => 'sampler0=linear',
    before => ['set il cube face']);
cmp_ok(max(map { abs($face[2 * $_] - $face[2 * $_ + 1]) } 0 .. $#face / 2), '>', 0.05,
    'set il cube face: a filter stays on its face, and edges show');
# By hand: +X at z = 0.9, between rows 2 and 3: 0.3 of the way to +Z's last column.
my ($hand) = run_samples($sample, [[1, -0.5, 0.9, 0]], %cube, args => 'sampler0=linear');
my ($x, $y) = ((1 - 0.9) / 2 * $n - 0.5, (1 + 0.5) / 2 * $n - 0.5);
my $row = floor($y);
my $want = sum map { my $r = $_; my $w = $r == $row ? 1 - ($y - $row) : $y - $row;
    $w * ((1 + $x) * cube(0, 0, $r) - $x * cube(4, $n - 1, $r)) } $row, $row + 1;
near_all([$hand->[0]], [$want], 'a place beside +X and +Z, by hand');
# Corners: the missing texel is the mean of three, so in the very corner all is the mean of the three there.
my @corner_texels = ([0, $n - 1, 0], [2, $n - 1, 0], [5, 0, 0]); # +X +Y -Z
my ($corner) = run_samples($sample, [[1, 1, -1, 0]], %cube, args => 'sampler0=linear');
near_all([$corner->[0]], [sum(map { cube(@$_) } @corner_texels) / 3], 'the corner of +X, +Y and -Z', 1e-5);
for my $most (1, 2) { # comparisons: as many of the three pass
    my @values = sort { $a <=> $b } map { cube(@$_) } @corner_texels;
    my $reference = ($values[$most - 1] + $values[$most]) / 2; # `greater`: so many are smaller
    my ($fetched) = run_samples(
        "dcl_literal l0, ${reference}f, 0, 0, 0\nfetch4c_resource(0)_sampler(0) o0, v0.xyzz, l0.x",
        [[1, 0.999, -0.999, 0]], %cube, args => 'sampler0=greater');
    my ($synthesized) = grep { $_ != 0 && $_ != 1 } @$fetched;
    is($synthesized // 'none', $most == 1 ? 0.25 : 0.75, "fetch4c in a corner: $most of three pass");
}

# ---- Anisotropic: 32 x 32, the level below is all 100 ----
my $m = 32;
my @flat = map { random() } 1 .. $m * $m;
my %flat = (head => "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n",
    format => "float4:${m}x${m}:2", res => floats((map { ($_, 0, 0, 1) } @flat), (100, 0, 0, 1) x ($m * $m / 4)));
sub flat ($u, $v) {
    my ($x, $y) = ($u * $m - 0.5, $v * $m - 0.5);
    my ($i, $j) = (floor($x), floor($y));
    my $total = 0;
    for my $dx (0, 1) { for my $dy (0, 1) {
        my ($a, $b) = map { max(0, min($m - 1, $_)) } $i + $dx, $j + $dy;
        $total += $flat[$b * $m + $a] * ($dx ? $x - $i : 1 - $x + $i) * ($dy ? $y - $j : 1 - $y + $j);
    } }
    return $total;
}
my @places = map { [0.1 + 0.8 * random(), 0.1 + 0.8 * random(), 0, 0] } 1 .. 8;
for my $c ([8, 1, 16, 'x'], [1, 8, 16, 'y'], [3, 1, 16, 'x'], [2.5, 1, 16, 'x']) { # gradients in texels, taps at most
    my ($gx, $gy, $aniso, $axis) = @$c;
    my $taps = min($aniso, POSIX::ceil(max($gx, $gy) / min($gx, $gy)));
    my $l = sprintf "dcl_literal l0, %.9gf, 0, 0, 0\ndcl_literal l1, 0, %.9gf, 0, 0\n", $gx / $m, $gy / $m;
    my @f = map { $_->[0] } run_samples("${l}sample_g_resource(0)_sampler(0) o0, v0, l0, l1", \@places, %flat,
        args => "sampler0=aniso=$aniso");
    my @w = map { my $p = $_; sum(map { my $o = ($_ / ($taps + 1) - 0.5) * max($gx, $gy) / $m;
        flat($p->[0] + ($axis eq 'x' ? $o : 0), $p->[1] + ($axis eq 'y' ? $o : 0)) } 1 .. $taps) / $taps } @places;
    near_all(\@f, \@w, "$gx by $gy texels: $taps taps along $axis, of the sharp level", 1e-4);
}
my $l = sprintf "dcl_literal l0, %.9gf, 0, 0, 0\ndcl_literal l1, 0, %.9gf, 0, 0\n", 8 / $m, 1 / $m;
my @blurred = map { $_->[0] } run_samples("${l}sample_g_resource(0)_sampler(0) o0, v0, l0, l1", \@places, %flat,
    args => 'sampler0=linear');
near_all(\@blurred, [(100) x 8], 'without it the blurred level', 1e-3);
@blurred = map { $_->[0] } run_samples("${l}sample_g_resource(0)_sampler(0) o0, v0, l0, l1", \@places, %flat,
    args => 'sampler0=aniso=2');
near_all(\@blurred, [(100) x 8], '... and with two taps, for four texels each are left', 1e-3);
my $stage = "dclpt_stage(0)_type(2d)_coordmode(normalized)\n";
my @own = map { $_->[0] } run_samples("${l}texldd_stage(0)_mag(aniso)_min(aniso)_mip(linear)_aniso(8) o0, v0, l0, l1",
    \@places, %flat, head => $stage);
my @eight = map { my $p = $_; sum(map { flat($p->[0] + ($_ / 9 - 0.5) * 8 / $m, $p->[1]) } 1 .. 8) / 8 } @places;
near_all(\@own, \@eight, 'texldd with a filter of its own, up to 8 taps', 1e-4);
@own = map { $_->[0] } run_samples(
    "${l}texldd_stage(0)_mag(aniso)_min(aniso)_mip(linear)_aniso(disabled) o0, v0, l0, l1", \@places, %flat,
    head => $stage);
near_all(\@own, [(100) x 8], '... disabled', 1e-3);

# ---- Levels of texture stages ----
my %levels = (head => $stage, format => 'float4:4x4:3',
    res => floats((1, 1, 1, 1) x 16, (2, 2, 2, 2) x 4, (3, 3, 3, 3)));
my ($level) = run_samples("dcl_literal l0, 0, 0, 0, 1.25f\ntexldb_stage(0)_absolute o0, v0, l0", [[0.5, 0.5, 0, 0]],
    %levels, args => 'sampler0=linear');
near_all([$level->[0]], [2.25], 'texldb_absolute: the bias is the level');
($level) = run_samples("dcl_literal l0, 0.125f, 0, 0, 0\ntexldd_stage(0)_lodbias(1.5) o0, v0, l0, l0",
    [[0.5, 0.5, 0, 0]], %levels, args => 'sampler0=linear,lod=0/0');
near_all([$level->[0]], [2.5], 'lodbias is added behind the limits of the state');
my %volume = (head => "dclpt_stage(0)_type(3d)_coordmode(normalized)\n", format => 'float4:2x2x2',
    res => floats((1, 0, 0, 1) x 4, (2, 0, 0, 1) x 4));
($level) = run_samples("texld_stage(0)_mag(linear)_volmag(point) o0, v0", [[0.5, 0.5, 0.6, 0]], %volume);
near_all([$level->[0]], [2], 'volmag(point) takes the nearer layer');
($level) = run_samples("texld_stage(0)_mag(linear)_volmag(linear) o0, v0", [[0.5, 0.5, 0.6, 0]], %volume);
near_all([$level->[0]], [1.7], 'volmag(linear) lies between two');
my ($compared) = run_samples("dcl_literal l0, 0.5f, 0, 0, 0\nsample_c_lz_resource(0)_sampler(0) o0, v0, l0.x",
    [[0.5, 0.5, 0, 0]], %flat, args => 'sampler0=always');
near_all($compared, [1, 1, 1, 1], 'the result of a comparison stands in all components');

# ---- Centroids: a row of pixels whose input is 10 x, of four samples; sample 2 lies at (-6, 2) sixteenths ----
my @row = map { [10 * $_, 0, 0, 0] } 0 .. 7;
my @covered = (15, 0, 4, 12, 8, 1, 15, 2); # bit 2 first, then bit 3, bit 0, bit 1
my @place = (0, 0, -6, -6, 2, -2, 0, 6);
my %mask = (in => { vCoverageMask => pack 'V*', map { ($_, 0, 0, 0) } @covered });
my @centroid = map { $_->[0] } run_samples('eval_centroid o0, v0', \@row, head => '', res => '', format => '',
    in => $mask{in}, before => ['set il samples 4']);
near_all(\@centroid, [map { 10 * $_ + 10 * $place[$_] / 16 } 0 .. 7],
    'eval_centroid: the first covered sample, where not all are');
@centroid = map { $_->[0] } run_samples('eval_centroid o0, v0', \@row, head => '', res => '', format => '',
    in => $mask{in});
near_all(\@centroid, [map { 10 * $_ } 0 .. 7], '... of one sample a pixel it is the centre');
my @indexed = map { $_->[0] } run_samples("dcl_literal l0, 1, 0, 0, 0\neval_sample_index o0, v0, l0", \@row, head => '',
    res => '', format => '', before => ['set il samples 4']);
near_all(\@indexed, [map { 10 * $_ + 10 * 6 / 16 } 0 .. 7], 'eval_sample_index: sample 1 of 4');
my @texture = map { $_->[0] } run_samples('texld_stage(0)_centroid o0, v0',
    [map { [($_ + 0.5) / 8, 0.5, 0, 0] } 0 .. 7], head => $stage, format => 'float4:8x1',
    res => floats(map { ($_, 0, 0, 0) } 0 .. 7), in => $mask{in}, args => 'sampler0=linear',
    before => ['set il samples 4']);
near_all(\@texture, [map { max(0, min(7, $_ + $place[$_] / 16)) } 0 .. 7], 'texld_centroid samples there', 1e-5);
my @unknown = map { $_->[0] } run_samples('mov o0, v0_divcomp(unknown)', [[8, 4, 2, 16]], head => '', res => '',
    format => '');
my @by_z = map { $_->[0] } run_samples('mov o0, v0_divcomp(unknown)', [[8, 4, 2, 16]], head => '', res => '',
    format => '', before => ['set il divcomp z']);
near_all([@unknown, @by_z], [0.5, 4], 'divcomp(unknown) divides by what is set');

# ---- Samplers that a register picks ----
# A texture of four texels 0 1 2 3 in a row, read at u = 1.375: five and a half texels on.  What a state makes of it is
# known by hand, so each of the 16 states has its own answer.
my @state = ('point,wrap', 'point,clamp', 'point,mirror', 'linear,wrap', 'linear,clamp', 'linear,mirror',
    (map { "point,border,border=$_/0/0/0" } 20 .. 29));
my @answer = (1, 3, 2, 1, 3, 2, 20 .. 29);
my %row4 = (head => "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n" .
    "dcl_literal l0, 1.375f, 0.5f, 0, 0\ndcl_literal l1, 0, 1, 0, 0\n", format => 'float4:4x1',
    res => floats(map { ($_, 0, 0, 1) } 0 .. 3), args => join(' ', map { "sampler$_=$state[$_]" } 0 .. 15));
my $picks = "ftoi r0.x, v0.x\n";
my $each = [map { [$_, 0, 0, 0] } 0 .. 15];
for my $form (['sample_ext', ''], ['sample_l_ext', 'l1.x, '], ['sample_b_ext', 'l1.x, '],
    ['sample_g_ext', 'l1.x, l1.x, ']) {
    my ($name, $more) = @$form;
    near_all([map { $_->[0] } run_samples("$picks${name}_resource(0)_sampler(0) o0, l0, ${more}l1.x, r0.x", $each,
        %row4)], \@answer, "$name: each lane takes the state of the sampler that its register picks");
}
near_all([map { $_->[0] } run_samples("${picks}fetch4_ext_resource(0)_sampler(0) o0, l0, l1.x, r0.x",
    [map { [$_, 0, 0, 0] } 6 .. 15], %row4)], [20 .. 29], 'fetch4_ext: so does a gather');
near_all([map { $_->[0] } run_samples("${picks}sample_l_ext_resource(0)_sampler(10) o0, l0, l1.x, l1.x, r0.x_neg(x)",
    [map { [$_, 0, 0, 0] } 0 .. 10], %row4)], [reverse @answer[0 .. 10]],
    '... the register is a whole number, which is added to the number that stands in the text');
near_all([(run_samples("sample_l_resource(0)_sampler(15) o0, l0, l1.x", [[0, 0, 0, 0]], %row4,
    args => 'sampler15=point,border,border=7/0/0/0'))[0][0]], [7], 'sampler15 named by the text');
my $outside = run_il("il_ps_2_0\ndcl_input_generic v0\ndcl_output_generic o0\n$row4{head}${picks}" .
    "sample_l_ext_resource(0)_sampler(0) o0, l0, l1.x, l1.x, r0.x\nend\n", launch => '-g 1,1',
    in => { v0 => floats(16, 0, 0, 0), res0 => $row4{res} }, format => { res0 => $row4{format} }, args => 'o0=zero:16');
like($outside->{output}, qr/sample_l: sampler 16: samplers have numbers from 0 to 15/, 'a sampler 16 is a stop');
my $unpicked =
    run_il("il_ps_2_0\ndcl_output_generic o0\n$row4{head}sample_l_resource(0)_sampler(2) o0, l0, l1.x\nend\n",
    launch => '-g 1,1', args => 'o0=zero:16 res0=zero:64:float4:4x1 sampler3=point');
like($unpicked->{output}, qr/has no argument 'sampler3'/, 'a sampler that nothing can pick is no argument');
done_testing;
