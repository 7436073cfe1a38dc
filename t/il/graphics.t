#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Pixels, vertices, primitives, patches and textures of AMD IL, against sums in Perl.
use strict;
use warnings;
use POSIX qw(floor);
use Test::More;
use FindBin;
use lib "$FindBin::Bin/../lib";
use IL;

sub floats { pack 'f<*', @_ }
sub got_floats { map { $_ + 0 } unpack 'f<*', $_[0] }
sub are { my ($got, $want, $name, $error) = @_;
    my ($at) = grep { !defined $got->[$_] || abs($got->[$_] - $want->[$_]) > ($error
        // 1e-6) * (1 + abs $want->[$_]) } 0 .. $#$want;
    ok(!defined $at && @$got == @$want, $name) or diag defined $at ? "at $at: " . ($got->[$at] // 'nothing')
        . ", not $want->[$at]" : @$got . ' values, not ' . @$want }

# ---- Pixels ----
my $ps = "il_ps_2_0\n";
my ($W, $H) = (10, 5);
my @xy = map { my $y = $_; map { [$_, $y] } 0 .. $W - 1 } 0 .. $H - 1;
sub pixels { my ($name, $text, $model, %o) = @_;
    my $got = run_il("$ps$text", launch => "-g $W,$H", args => 'o0=zero:' . 16 * $W * $H . ' ' . ($o{args} // ''),
        in => $o{in}, format => $o{format}, save => ['o0'], before => $o{before});
    my @out = got_floats($got->{o0});
    are(\@out, [map { my @v = $model->(@$_); map { $v[$_] // 0 } 0 .. 3 } @xy], $name, $o{error})
        or diag $got->{output};
    $got }
pixels('window position',
    "dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__\ndcl_output_generic o0\nmov o0, vWinCoord0\nend\n",
    sub { ($_[0] + 0.5, $_[1] + 0.5, 0, 1) });
pixels('inputs from a file, outputs by register',
    "dcl_input_generic_interp(linear) v0\ndcl_input_generic_interp(linear) v1\ndcl_output_generic o0\n"
    . "add o0, v0, v1\nend\n", sub { ($_[0] + 1, $_[1] + 2, 3, $_[0] * $_[1]) },
    in => {v0 => floats(map { ($_->[0], $_->[1], 0, $_->[0] * $_->[1]) } @xy), v1 => floats(map { (1, 2, 3, 0) } @xy)});
my %square = (in => {v0 => floats(map { ($_->[0]**2, $_->[1]**2, 3 * $_->[0] + 5 * $_->[1], 0) } @xy)});
sub coarse { my ($x, $y) = @_; ($x & ~1, $y & ~1) }
# (pixels beyond the edge continue the line through the last two)
sub sq { my ($x, $n) = @_; $x < $n ? $x * $x : 2 * ($n - 1)**2 - ($n - 2)**2 }
pixels('dsx', "dcl_input_generic v0\ndcl_output_generic o0\ndsx o0, v0\nend\n",
    sub { my ($x) = coarse(@_); (sq($x + 1, $W) - sq($x, $W), 0, 3, 0) }, %square);
pixels('dsy', "dcl_input_generic v0\ndcl_output_generic o0\ndsy o0, v0\nend\n",
    sub { my ($x, $y) = coarse(@_); (0, sq($y + 1, $H) - sq($y, $H), 5, 0) }, %square);
pixels('dsx_fine of a product',
    "dcl_input_generic v0\ndcl_output_generic o0\nmul r0, v0.z, v0.z\ndsx_fine o0, r0\nend\n",
    sub { my ($x, $y) = @_; my $x0 = $x & ~1; my $z = sub { 3 * $_[0] + 5 * $_[1] };
    ($z->($x0 + 1, $y)**2 - $z->($x0, $y)**2) x 4 }, %square);
pixels('dsy_fine of a product',
    "dcl_input_generic v0\ndcl_output_generic o0\nmul r0, v0.z, v0.z\ndsy_fine o0, r0\nend\n",
    sub { my ($x, $y) = @_; my $y0 = $y & ~1; my $z = sub { 3 * $_[0] + 5 * $_[1] };
    ($z->($x, $y0 + 1)**2 - $z->($x, $y0)**2) x 4 }, %square);
pixels('fwidth', "dcl_input_generic v0\ndcl_output_generic o0\nfwidth o0, v0.zzzz\nend\n", sub { (8) x 4 }, %square);
pixels('eval_snapped, eval_centroid, eval_sample_index',
    "dcl_input_generic v0\ndcl_output_generic o0\ndcl_literal l0, 0.25f, -0.5f, 0, 0\n"
    . "eval_snapped r0.x, v0.zzzz, l0.xy\neval_centroid r0.y, v0.zzzz\neval_sample_index r0.z, v0.zzzz, l0.zzzz\n"
    . "mov o0, r0\nend\n", sub { my $z = 3 * $_[0] + 5 * $_[1]; ($z + 0.75 - 2.5, $z, $z, 0) }, %square);
my $odd = "dcl_input_position vWinCoord0\ndcl_output_generic o0\ndcl_literal l0, 1.0f, 7.0f, 2, 1\nmov o0, l0.y\n"
    . "ftoi r0.x, vWinCoord0.x\niand r0.x, r0.x, l0.w\n";
pixels('discard_logicalnz', "${odd}discard_logicalnz r0.x\nend\n", sub { $_[0] & 1 ? (0) x 4 : (7) x 4 });
pixels('discard_logicalz; execution goes on', "${odd}discard_logicalz r0.x\nmov o0.x, l0.x\nend\n",
    sub { $_[0] & 1 ? (1, 7, 7, 7) : (0) x 4 });
pixels('kill',
    "dcl_input_position vWinCoord0\ndcl_output_generic o0\ndcl_literal l0, 4.0f, 1.0f, 0, 0\n"
    . "sub r0, vWinCoord0.xxxx, l0.xxxx\nmov o0, l0.yyyy\nkill r0.xxxx\nend\n", sub { $_[0] >= 4 ? (1) x 4 : (0) x 4 });
{
    my $got = run_il(
        $ps . ("dclpi_x(1)_y(1)_z(1)_w(1) vPriColor0\ndclpi_x(1)_y(1)_z(*)_w(*) vT0\n"
            . "def c0, 0.5, 1, 0, 0\ndef c1, 0.0, 1.0, 0.0, 1.0\nmod r0.x, vT0.x, c0.y\nifc_relop(lt) r0.x, c0.x\n"
            . "mov oC0, vPriColor0\nelse\nmov oC0.rgb1, c1\nendif\nend\n"), launch => '-g 8,1', args => 'oC0=zero:128',
            in => {vPriColor0 => floats((1, 0, 0, 1) x 8), vT0 => floats(map { ($_ * 0.25, 0, 0, 0) } 0 .. 7)},
            save => ['oC0']);
    are([got_floats($got->{oC0})], [map { ($_ * 0.25 - int($_ * 0.25)) < 0.5 ? (1, 0, 0, 1) : (0, 1, 0, 1) } 0 .. 7],
        'the manual\'s first shader pair: green stripes') or diag $got->{output};
    $got = run_il(
        "il_vs\ndclv_elem(0) v0\ndclv_elem(1) v1\ndclv_elem(2) v2\nmmul_matrix(4x4) oPos, v0, c[0]\n"
            . "mov oPriColor0, v1\nmov oT0, v2\nend\n", launch => '-g 3',
            args => 'oPos=zero:48 oPriColor0=zero:48 oT0=zero:48',
            in => {v0 => floats(map { ($_, $_ + 1, $_ + 2, 1) } 0 .. 2), v1 => floats(1 .. 12), v2 => floats(13 .. 24),
            c => floats(2, 0, 0, 5, 0, 3, 0, 6, 0, 0, 4, 7, 0, 0, 0, 1)}, save => [qw(oPos oPriColor0 oT0)]);
    are([got_floats($got->{oPos})], [map { (2 * $_ + 5, 3 * ($_ + 1) + 6, 4 * ($_ + 2) + 7, 1) } 0 .. 2],
        '... vertices through a matrix') or diag $got->{output};
    are([got_floats($got->{oT0})], [13 .. 24], '... and a texture coordinate');
}
# ---- Matrices ----
{
    my @m = map { $_ * 0.5 - 3 } 0 .. 15;
    my $cs = "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\ndcl_cb cb0[8]\ndcl_literal l0, 0, 16, 32, 48\n"
        . "mov r0, cb0[0]\nmov r1, cb0[1]\nmov r2, cb0[2]\nmov r3, cb0[3]\nmov r4, cb0[4]\nmov r5, r10\n";
    for my $s (['4x4', 4, 4], ['4x3', 3, 4], ['3x4', 4, 3], ['3x3', 3, 3], ['3x2', 2, 3]) {
        my $got = run_il("${cs}mmul_matrix($s->[0]) r5, r4, r0\nuav_raw_store_id(0) mem.xyzw, l0.x, r5\nend\n",
            launch => '-g 1 -l 1', args => 'uav0=zero:16', in => {cb0 => floats(@m, 1, 2, 3, 4)}, save => ['uav0']) ;
        $got = run_il("${cs}mmul_matrix($s->[0]) r5, r4, r0\nuav_raw_store_id(0) mem.xyzw, l0.x, r5\nend\n",
            launch => '-g 64 -l 64', args => 'uav0=zero:16', in => {cb0 => floats(@m, 1, 2, 3, 4)}, save => ['uav0']);
        are([got_floats($got->{uav0})], [map { my $k = $_; my $t = 0;
            $t += ($_ + 1) * $m[4 * $k + $_] for 0 .. $s->[2] - 1; $k < $s->[1] ? $t : 0 } 0 .. 3],
            "mmul_matrix($s->[0])") or diag $got->{output};
    }
    my $got = run_il(
        $cs . ("det r5, r0\ntranspose r6, r0\nuav_raw_store_id(0) mem.xyzw, l0.x, r7\n"
            . "uav_raw_store_id(0) mem.xyzw, l0.y, r5\nend\n"), launch => '-g 64 -l 64', args => 'uav0=zero:32',
            in => {cb0 => floats(2, 1, 0, 3, 4, -1, 2, 0, 1, 5, 2, 1, 0, 2, 1, 4)}, save => ['uav0']);
    my @d = ([2, 1, 0, 3], [4, -1, 2, 0], [1, 5, 2, 1], [0, 2, 1, 4]);
    my $det; $det = sub { my @m = @_; return $m[0][0] if @m == 1; my $s = 0;
        for my $c (0 .. $#m) { $s += (-1)**$c * $m[0][$c] * $det->(map { my $r = $_;
        [@{$m[$r]}[grep { $_ != $c } 0 .. $#m]] } 1 .. $#m) } $s };
    are([got_floats($got->{uav0})], [1, -1, 5, 2, ($det->(@d)) x 4], 'det, transpose') or diag $got->{output};
    my $noise = run_il(
        "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\ndcl_literal l0, 4, 0.37f, 16, 0\n"
            . "utof r0, vaTid.x\nmul r0, r0, l0.y\nnoise_type(perlin2d) r1, r0\nishl r2.x, vaTid.x, l0.x\n"
            . "uav_raw_store_id(0) mem.xyzw, r2.x, r1\nend\n", launch => '-g 1024 -l 64', args => 'uav0=zero:16384',
            save => ['uav0']);
    my @n = got_floats($noise->{uav0}); @n = @n[map { 4 * $_ } 0 .. 1023];
    my ($sum, $most, $step) = (0, 0, 0); for (0 .. 1023) { $sum += $n[$_]; $most = abs $n[$_] if abs $n[$_] > $most;
        $step = abs($n[$_] - $n[$_ - 1]) if $_ && abs($n[$_] - $n[$_ - 1]) > $step }
    ok($most <= 1 && $most > 0.2 && abs($sum / 1024) < 0.05 && $step < 0.7,
        'noise lies in [-1, 1], around 0, without jumps') or diag "most $most, mean ", $sum / 1024, ", step $step";
}

# ---- Textures ----
my @tex = map { ($_ * 0.25, 10 + $_, -$_, 1) } 0 .. 15; # 4 x 4
my $tex = floats(@tex);
sub texel {
    my ($x, $y, $wrap) = @_;
    ($x, $y) = map { $wrap eq 'wrap' ? $_ & 3 : $wrap eq 'mirror' ? do { my $m = $_ & 7; $m < 4 ? $m : 7 - $m } : $_ < 0
        ? $wrap eq 'border' ? return (9, 8, 7, 6) : 0 : $_ > 3 ? $wrap eq 'border' ? return (9, 8, 7, 6) : 3 : $_ } ($x,
        $y);
    @tex[4 * (4 * $y + $x) .. 4 * (4 * $y + $x) + 3];
}
sub linear { my ($u, $v, $wrap) = @_; my ($x, $y) = ($u * 4 - 0.5, $v * 4 - 0.5); my ($i, $j) = (floor($x), floor($y));
    my ($a, $b) = ($x - $i, $y - $j); my @s = (0) x 4;
    for ([0, 0, (1 - $a) * (1 - $b)], [1, 0, $a * (1 - $b)], [0, 1, (1 - $a) * $b],
        [1, 1, $a * $b]) { my @t = texel($i + $_->[0], $j + $_->[1], $wrap); my $w = $_->[2];
        for my $c (0 .. 3) { $s[$c] += $t[$c] * $w } } @s }
my $head = $ps . ("dcl_input_generic v0\ndcl_output_generic o0\n"
    . "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n");
my @uv = map { [($_->[0] - 2) * 0.21, ($_->[1] - 1) * 0.37] } @xy;
my %uv; $uv{"$xy[$_][0],$xy[$_][1]"} = $uv[$_] for 0 .. $#xy;
sub textured { my ($name, $op, $model, %o) = @_; (my $h = $head) =~ s/^\Q$ps\E//;
    pixels($name, ($o{head} // $h) . ($o{dcl} // '') . "$op\nend\n", sub { $model->(@{$uv{"$_[0],$_[1]"}}, @_) },
        in => {v0 => floats(map { (@$_, 0, 0) } @uv), res0 => $o{res} // $tex},
        format => {res0 => $o{format} // 'float4:4x4'}, args => $o{args}, error => $o{error}) }
for my $wrap (qw(wrap clamp mirror border)) {
    textured("sample, point, $wrap", 'sample_resource(0)_sampler(0) o0, v0',
        sub { texel(floor($_[0] * 4), floor($_[1] * 4), $wrap) }, args => "sampler0=point,$wrap,border=9/8/7/6");
    textured("sample, linear, $wrap", 'sample_resource(0)_sampler(0) o0, v0', sub { linear(@_[0, 1], $wrap) },
        args => "sampler0=linear,$wrap,border=9/8/7/6", error => 1e-5);
}
textured('sample with a constant offset', 'sample_resource(0)_sampler(0)_aoffimmi(1,-1,0) o0, v0',
    sub { texel(floor($_[0] * 4 + 1), floor($_[1] * 4 - 1), 'wrap') }, args => 'sampler0=wrap');
textured('sample, coordinates in texels', 'sample_resource(0)_sampler(0)_coordtype(unnormalized) o0, v0',
    sub { texel(floor($_[0]), floor($_[1]), 'clamp') });
textured('fetch4', 'fetch4_resource(0)_sampler(0) o0, v0',
    sub { my ($i, $j) = map { floor($_ * 4 - 0.5) } @_[0, 1];
    map { (texel($i + $_->[0], $j + $_->[1], 'clamp'))[0] } [0, 1], [1, 1], [1, 0], [0, 0] });
textured('fetch4 of y', 'fetch4_resource(0)_sampler(0)_compselect(y) o0, v0',
    sub { my ($i, $j) = map { floor($_ * 4 - 0.5) } @_[0, 1];
    map { (texel($i + $_->[0], $j + $_->[1], 'clamp'))[1] } [0, 1], [1, 1], [1, 0], [0, 0] });
textured('fetch4c', "fetch4c_resource(0)_sampler(0) o0, v0, l0.x",
    sub { my ($i, $j) = map { floor($_ * 4 - 0.5) } @_[0, 1];
    map { 1.6 < (texel($i + $_->[0], $j + $_->[1], 'clamp'))[0] ? 1 : 0 } [0, 1], [1, 1], [1, 0], [0, 0] },
    dcl => "dcl_literal l0, 1.6f, 0, 0, 0\n", args => 'sampler0=less');
textured('fetch4po', "fetch4po_resource(0)_sampler(0) o0, v0, l0.xy",
    sub { my ($i, $j) = map { floor($_ * 4 - 0.5) } @_[0, 1];
    map { (texel($i + 1 + $_->[0], $j - 1 + $_->[1], 'wrap'))[0] } [0, 1], [1, 1], [1, 0], [0, 0] },
    dcl => "dcl_literal l0, 1, -1, 0, 0\n", args => 'sampler0=wrap');
textured('fetch4poc', "fetch4poc_resource(0)_sampler(0) o0, v0, l0.z, l0.xy",
    sub { my ($i, $j) = map { floor($_ * 4 - 0.5) } @_[0, 1];
    map { 1.6 < (texel($i + 1 + $_->[0], $j - 1 + $_->[1], 'wrap'))[0] ? 1 : 0 } [0, 1], [1, 1], [1, 0], [0, 0] },
    dcl => "dcl_literal l0, 1, -1, 1.6f, 0\n", args => 'sampler0=wrap,less');
for my $c (['never', sub { 0 }], ['less', sub { 2 < $_[0] }], ['equal', sub { 2 == $_[0] }],
    ['lequal', sub { 2 <= $_[0] }], ['greater', sub { 2 > $_[0] }], ['notequal', sub { 2 != $_[0] }],
    ['gequal', sub { 2 >= $_[0] }], ['always', sub { 1 }]) {
    textured("sample_c, $c->[0]", "mov r0, l0.yyyy\nsample_c_resource(0)_sampler(0) r0.x, v0, l0.x\nmov o0, r0.xyyy",
        sub { ($c->[1]->((texel(floor($_[0] * 4), floor($_[1] * 4), 'clamp'))[0]) ? 1 : 0, 0, 0, 0) },
        dcl => "dcl_literal l0, 2.0f, 0, 0, 0\n", args => "sampler0=$c->[0]");
}
textured('sample_c_lz', "mov r0, l0.yyyy\nsample_c_lz_resource(0)_sampler(0) r0.x, v0, l0.x\nmov o0, r0.xyyy",
    sub { (2 < (texel(floor($_[0] * 4), floor($_[1] * 4), 'clamp'))[0] ? 1 : 0, 0, 0, 0) },
    dcl => "dcl_literal l0, 2.0f, 0, 0, 0\n", args => 'sampler0=less');
# Levels: 4x4, 2x2, 1x1, each all of one value
my $mips = floats((1, 1, 1, 1) x 16, (2, 2, 2, 2) x 4, (3, 3, 3, 3));
my %mips = (res => $mips, format => 'float4:4x4:3');
my $l = "dcl_literal l0, 0.0f, 1.0f, 1.5f, 0.6f\ndcl_literal l1, 0.5f, 0.25f, 9.0f, 0.125f\n"
    . "dcl_literal l2, 2.0f, 2.5f, 0, 1\n";
textured('sample_l, point mips', 'sample_l_resource(0)_sampler(0) o0, v0, l0.w', sub { (2) x 4 }, %mips, dcl => $l,
    args => 'sampler0=point');
textured('sample_l, linear mips', 'sample_l_resource(0)_sampler(0) o0, v0, l0.z', sub { (2.5) x 4 }, %mips, dcl => $l,
    args => 'sampler0=linear');
textured('sample_l beyond the last level', 'sample_l_resource(0)_sampler(0) o0, v0, l1.z', sub { (3) x 4 }, %mips,
    dcl => $l, args => 'sampler0=linear');
textured('sample_g: gradients of two texels', 'sample_g_resource(0)_sampler(0) o0, v0, l1.xyyw, l0.xxxx',
    sub { (2) x 4 }, %mips, dcl => "dcl_literal l0, 0.0f, 0.0f, 0.0f, 0.0f\ndcl_literal l1, 0.5f, 0.0f, 0.0f, 0.0f\n",
    args => 'sampler0=point');
textured('sample by the quad: 0.21 of 4 texels a pixel, 0.37 down', 'sample_resource(0)_sampler(0) o0, v0',
    sub { (1 + log(0.37 * 4) / log(2)) x 4 }, %mips, args => 'sampler0=linear', error => 1e-5);
textured('sample_b', 'sample_b_resource(0)_sampler(0) o0, v0, l0.y', sub { (2 + log(0.37 * 4) / log(2)) x 4 }, %mips,
    dcl => $l, args => 'sampler0=linear', error => 1e-5);
textured('limits and bias of a sampler', 'sample_resource(0)_sampler(0) o0, v0', sub { (2.25) x 4 }, %mips,
    args => 'sampler0=linear,bias=5,lod=0/1.25', error => 1e-5);
textured('sample_c_l, sample_c_b, sample_c_g',
    "sample_c_l_resource(0)_sampler(0) r0.x, v0, l2.y, l0.y\n"
    . "sample_c_b_resource(0)_sampler(0) r0.y, v0.xyxy, l2.y, l1.z\n"
    . "mov r1, r0.xxxx\nsample_c_b_resource(0)_sampler(0) r1, v0, l2.y, l1.z\n"
    . "sample_c_g_resource(0)_sampler(0) r2, v0, l2.y, l1.x000, l0.xxxx\nmov r0.y, r1.x\nmov r0.z, r2.x\n"
    . "mov r0.w, l0.x\nmov o0, r0", sub { (0, 1, 0, 0) }, %mips, dcl => $l, args => 'sampler0=point,lequal');
textured('load, by whole numbers and level; nothing outside',
    "ftoi r0.xy, vWinCoord0.xy\nmov r0.zw, l0.x\nload_resource(0) o0, r0",
    sub { my ($x, $y) = @_[2, 3]; $x < 4 && $y < 4 ? texel($x, $y, 'clamp') : (0) x 4 },
    dcl => "dcl_input_position vWinCoord0\ndcl_literal l0, 0, 0, 0, 0\n");
textured('resinfo, resinfo_uint',
    "resinfo_resource(0) r0, l3.x\nresinfo_resource(0)_uint r1, l3.y\nutof r1, r1\nmov o0.xyw, r0\nmov o0.z, r1.x",
    sub { (4, 4, 2, 3) }, %mips, dcl => "dcl_literal l3, 0, 1, 0, 0\n");
textured('bufinfo, sampleinfo',
    "bufinfo_resource(0) r0\nutof r0, r0\nsampleinfo_resource(0) r1\nmov r0.y, r1.x\nmov o0, r0.xyyy",
    sub { (16, 0, 0, 0) });
textured('unorm8x4', 'sample_resource(0)_sampler(0) o0, v0',
    sub { my ($x, $y) = map { my $t = floor($_ * 4); $t < 0 ? 0 : $t > 3 ? 3 : $t } @_[0, 1];
    map { (($y * 4 + $x) * 16 + $_) % 256 / 255 } 0 .. 3 },
    res => pack('C*', map { my $t = $_; map { ($t * 16 + $_) % 256 } 0 .. 3 } 0 .. 15), format => 'unorm8x4:4x4');
textured('an array: the layer is rounded',
    "mov r0.xy, v0.xy\nmov r0.z, l0.x\nmov r0.w, l0.y\nsample_resource(0)_sampler(0) o0, r0", sub { (3) x 4 },
    head => "dcl_input_generic v0\ndcl_output_generic o0\n"
    . "dcl_resource_id(0)_type(2darray)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n",
    res => floats((1) x 16, (2) x 16, (3) x 16), format => 'float4:2x2x3', dcl => "dcl_literal l0, 1.7f, 0, 0, 0\n");
textured('a volume', "mov r0.xy, l0.xx\nmov r0.z, l0.y\nmov r0.w, l0.z\nsample_resource(0)_sampler(0) o0, r0",
    sub { (1.5) x 4 },
    head => "dcl_input_generic v0\ndcl_output_generic o0\n"
    . "dcl_resource_id(0)_type(3d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n",
    res => floats((1) x 16, (2) x 16), format => 'float4:2x2x2',
    dcl => "dcl_literal l0, 0.5f, 0.5f, 0, 0\n", args => 'sampler0=linear');
textured('a cube', "dcl_literal l0, 0.1f, -2.0f, 0.3f, 0\nsample_resource(0)_sampler(0) o0, l0", sub { (4) x 4 },
    head => "dcl_input_generic v0\ndcl_output_generic o0\n"
    . "dcl_resource_id(0)_type(cubemap)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n",
    res => floats(map { ($_) x 16 } 1 .. 6), format => 'float4:2x2x6');
# Shader model 3 stages
my $stage = "dclpt_stage(0)_type(2d)_coordmode(normalized)\n";
(my $plain = $head) =~ s/^\Q$ps\E//; $plain =~ s/dcl_resource.*\n/$stage/;
textured('texld', 'texld_stage(0) o0, v0', sub { texel(floor($_[0] * 4), floor($_[1] * 4), 'wrap') }, head => $plain,
    args => 'sampler0=wrap');
textured('texld, filters of its own', 'texld_stage(0)_mag(linear)_min(linear) o0, v0', sub { linear(@_[0, 1], 'wrap') },
    head => $plain, args => 'sampler0=wrap', error => 1e-5);
textured('texldb', 'texldb_stage(0) o0, v0, l0.yyyy', sub { (2 + log(0.37 * 4) / log(2)) x 4 }, %mips, head => $plain,
    dcl => $l, args => 'sampler0=linear', error => 1e-5);
textured('texldd', 'texldd_stage(0) o0, v0, l1.x000, l0.xxxx', sub { (2) x 4 }, %mips, head => $plain, dcl => $l,
    args => 'sampler0=point');
textured('texweight', "mov r0, l0.xxxx\ntexweight_stage(0) r0, v0\nmov o0, r0",
    sub { my ($x, $y) = map { $_ * 4 - 0.5 } @_[0, 1]; ($x - floor($x), $y - floor($y), 0, 0) }, head => $plain,
    dcl => $l, error => 1e-5);
textured('lod', 'lod_stage(0) o0, v0', sub { (log(0.37 * 4) / log(2)) x 4 }, %mips, head => $plain,
    args => 'sampler0=linear', error => 1e-5);

textured('getlod: within the limits and without', "getlod_resource(0)_sampler(0) r0, v0\nmov o0, r0.xyyy",
    sub { my $l = log(0.37 * 4) / log(2); ($l - 2 < 0 ? 0 : $l - 2, $l - 2, $l - 2, $l - 2) }, %mips,
    args => 'sampler0=linear,bias=-2', error => 1e-5);
textured('project: divided by w', "mov r0, l0.yyyy\nmov r0.w, l2.x\nproject_stage(0) o0, r0_divcomp(w)",
    sub { (0.5, 0.5, 0.5, 2) }, head => $plain, dcl => $l);
# Multisampled: 2 x 2 texels of 4 samples
my $ms = "dcl_input_generic v0\ndcl_output_generic o0\n"
    . "dcl_resource_id(0)_type(2dmsaa)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\ndcl_literal l0, 1, 0, 0, 2\n";
my %ms = (res => floats(map { ($_) x 4 } 0 .. 15), format => 'float4:2x2:4');
textured('load of a sample, sampleinfo, samplepos, load_fptr',
    "load_resource(0) r0, l0\nsampleinfo_resource(0) r1\nsamplepos_resource(0) r2, l0.xxxx\n"
    . "load_fptr_resource(0) r3, l0\nutof r3, r3\nmov r0.y, r1.x\nmov r0.z, r2.x\nmov r0.w, r3.x\nmov o0, r0",
    sub { (6, 4, 0.375, 0x3210) }, %ms, head => $ms);
(my $mstage = $plain) =~ s/type\(2d\)/type(2dmsaa)/;
textured('texldms', "mov r0, l0.yyyy\ntexldms_stage(0) o0, l0.xyz", sub { (7) x 4 }, %ms,
    head => $mstage . "dcl_literal l0, 1.0f, 0.0f, 3.0f, 0.0f\n");

# ---- Primitives ----
{
    my $gs = "il_gs_2_0\ndcl_input_primitive triangle\ndcl_output_topology triangle_strip\n"
        . "dcl_max_output_vertex_count 4\ndcl_input_generic v0\ndcl_output_generic o0\ndcl_literal l0, 2.0f, 0, 1, 0\n"
        . "mov o0, v[0][0]\nemit\nmov o0, v[1][0]\nemit\nadd o0, v[2][0], l0.xxxx\nemitthencut\nmov o0, l0.xxxx\nemit\n"
        . "mov o0, l0.xxxx\nemit\ncut\nend\n";
    my $got = run_il($gs, launch => '-g 2', args => 'o0=zero:128 stream=zero:32',
        in => {v0 => floats(map { ($_) x 4 } 1 .. 6)}, save => [qw(o0 stream)]);
    are([(got_floats($got->{o0}))[map { 4 * $_ } 0 .. 7]], [1, 2, 5, 2, 4, 5, 8, 2],
        'emit: the declared maximum ends it') or diag $got->{output};
    is(join(' ', words($got->{stream})), '1 1 3 3 1 1 3 3', 'cut: where strips end');
    $got = run_il(
        "il_gs_2_0\ndcl_input_primitive point\ndcl_max_output_vertex_count 3\ndcl_stream 1\ndcl_output_generic o0\n"
            . "dcl_literal l0, 7.0f, 0, 1, 0\nmov o0, l0.xxxx\nemit_stream 1\nemit_stream 0\ncut_stream 1\n"
            . "emitcut_stream 1\nend\n", launch => '-g 1', args => 'o0=zero:48 stream=zero:12', save => [qw(stream)]);
    is(join(' ', words($got->{stream})), join(' ', 1 | 2 | 256, 3, 3 | 256), 'streams; the end cuts all of them')
        or diag $got->{output};
}
# ---- Patches ----
{
    my $hs = "il_hs_2_0\ndcl_num_icp 3\ndcl_num_ocp 3\nhs_cp_phase\ndcl_output_generic o0\n"
        . "dcl_literal l0, 2.0f, 10.0f, 0, 1\nmov r0.x, vOutputControlPointID0.x\nmul o0, vicp[r0.x][0], l0.xxxx\n"
        . "endphase\n"
        . "hs_fork_phase 2\nmov r1.x, vInstanceID\nutof r2, r1.xxxx\nadd o[r1.x], r2, vocp[1][0].xxxx\nendphase\n"
        . "hs_join_phase 1\nadd o2, vpc[0], vpc[1]\nendphase\nend\n";
    my $got = run_il($hs, launch => '-g 2', args => 'vocp=zero:96 vpc=zero:96',
        in => {vicp => floats(map { ($_) x 4 } 1 .. 6)}, save => [qw(vocp vpc)]);
    are([(got_floats($got->{vocp}))[map { 4 * $_ } 0 .. 5]], [map { 2 * $_ } 1 .. 6], 'hull: control points')
        or diag $got->{output};
    are([(got_floats($got->{vpc}))[map { 4 * $_ } 0 .. 5]], [4, 5, 9, 10, 11, 21], 'hull: fork and join phases');
    my $ds = "il_ds_2_0\ndcl_ts_domain tri\ndcl_num_icp 3\ndcl_output_position o0\nmul r0, vicp[0][0], vDomain.xxxx\n"
        . "mad r0, vicp[1][0], vDomain.yyyy, r0\nmad r0, vicp[2][0], vDomain.zzzz, r0\nadd o0, r0, vpc[0]\nend\n";
    $got = run_il($ds, launch => '-g 2,2', args => 'o0=zero:64',
        in => {vicp => floats(map { ($_) x 4 } 1 .. 6), vpc => floats((100) x 4, (200) x 4),
        vDomain => floats((1, 0, 0, 0, 0.5, 0.25, 0.25, 0) x 2)}, save => ['o0']);
    are([(got_floats($got->{o0}))[map { 4 * $_ } 0 .. 3]], [101, 100 + 0.5 + 0.5 + 0.75, 204, 200 + 2 + 1.25 + 1.5],
        'domain: points of patches') or diag $got->{output};
}
# ---- Old ways to memory ----
{
    my $got = run_il(
        "il_vs_2_0\ndclv_elem(0) v0\ndef c0, 1.0, 0.0, 0.0, 0.0\nmemimport_elem(0) r0, v0.yyyy\n"
            . "memexport_exportStream(2)_elemOffset(1) v0.xxxx, r0\nmov o0, r0\nend\n", launch => '-g 3',
            args => 'export2=zero:64 o0=zero:48', in => {v0 => floats(map { ($_, 2 - $_, 5, $_ * 7) } 0 .. 2)},
            save => [qw(export2 o0)]);
    are([got_floats($got->{o0})], [map { (2 - $_, $_, 5, (2 - $_) * 7) } 0 .. 2], 'memimport') or diag $got->{output};
    are([got_floats($got->{export2})], [0, 0, 0, 0, map { (2 - $_, $_, 5, (2 - $_) * 7) } 0 .. 2], 'memexport');
}
{
    my $got = run_il(
        $ps . ("dcl_input_position vWinCoord0\ndcl_literal l0, 0.0f, 1.0f, 0, 0\nmov r0.xy, vWinCoord0.yxxx\n"
            . "mov r0.z, l0.y\nmul r0.w, vWinCoord0.x, vWinCoord0.y\nscatter r0\nend\n"), launch => '-g 4,4',
            args => 'scatter=zero:128', save => ['scatter']);
    are([got_floats($got->{scatter})], [(0) x 16, map { my $y = $_; map { ($_ + 0.5) * ($y + 0.5) } 0 .. 3 } 0 .. 3],
        'scatter: a dword at x, y and index') or diag $got->{output};
    $got = run_il(
        "il_vs_2_0\ndclv_elem(0) v0\ndef c0, 5.0, 0.0, 0.0, 0.0\ndef c1, 6.0, 0.0, 0.0, 0.0\n"
            . "def c2, 7.0, 0.0, 0.0, 0.0\ndef c3, 8.0, 0.0, 0.0, 0.0\nmova a0.x, v0.x\nmov o0, c[a0.x+1]\nend\n",
            launch => '-g 3', args => 'o0=zero:48', in => {v0 => floats(map { ($_, 0, 0, 0) } 0 .. 2)}, save => ['o0']);
    are([(got_floats($got->{o0}))[0, 4, 8]], [6, 7, 8], 'mova, c[a0.x+n]') or diag $got->{output};
    $got = run_il(
        "il_vs_2_0\ndclv_elem(0) v0\ndef c0, 1.0, 0.0, 0.0, 5.0\ndef c1, 0.0, 2.0, 0.0, 6.0\n"
            . "def c2, 0.0, 0.0, 3.0, 7.0\ndef c3, 0.0, 0.0, 0.0, 1.0\nmmul_matrix(4x4) o0, v0, c0\n"
            . "mmul_matrix(4x4) o1, v0, c[0]\nend\n", launch => '-g 1', args => 'o0=zero:16 o1=zero:16',
            in => {v0 => floats(1, 1, 1, 1)}, save => [qw(o0 o1)]);
    are([got_floats($got->{o0} . $got->{o1})], [6, 8, 10, 1, 6, 8, 10, 1], 'a matrix of constants')
        or diag $got->{output};
    $got = run_il(
        "il_vs_2_0\ndclv_elem(0) v0\ndclv_elem(1) v1\ndclv_elem(2) v2\ndef i0, 3, 0, 1, 0\nmov r0, v0.0000\nloop i0\n"
            . "add r0, r0, v[aL]\nmov o[aL], r0\nendloop\nmov o3, r0\nend\n", launch => '-g 2',
            args => join(' ', map { "o$_=zero:32" } 0 .. 3), in => {map { ("v$_" => floats(($_ + 1) x 8)) } 0 .. 2},
            save => [qw(o0 o1 o2 o3)]);
    are([map { (got_floats($got->{"o$_"}))[5] } 0 .. 3], [1, 3, 6, 6], 'v[aL], o[aL]') or diag $got->{output};
    $got = run_il("il_vs_2_0\ndclv_elem(0) v0\ninitv v0, v0_neg(xyzw)\nmov o0, v0\nend\n", launch => '-g 2',
        args => 'o0=zero:32', in => {v0 => floats(1 .. 8)}, save => ['o0']);
    are([got_floats($got->{o0})], [map { -$_ } 1 .. 8], 'initv') or diag $got->{output};
}
# ---- Who stores ----
{
    my $dcl = $ps . ("dcl_raw_uav_id(0)\ndcl_raw_uav_id(1)\ndcl_gds_id(0) 64\ndcl_input_position vWinCoord0\n"
        . "dcl_literal l0, 0, 1, 4, 8\ndcl_literal l1, 0.25, 8.0, 99, 2.0\n");
    my $with = sub { (launch => '-g 3,1', args => join(' ', map { "$_=zero:64" } @_), save => [@_]) };
    my $got = run_il(
        $dcl . ("uav_add_id(0) l0.x, l0.y\nuav_read_add_id(0) r0.x, l0.z, l0.y\nappend_buf_alloc_id(1) r0.x\n"
            . "gds_add_id(0) l0.x, l0.y\nadd g[0].x, g[0].x, l1.w\nftoi r1.x, vWinCoord0.x\nishl r1.x, r1.x, l1.w\n")
        . "iadd g[r1.x+1].y, g[0].w, l0.y\nend\n", $with->(qw(uav0 uav1 g gds counters)));
    is_deeply([(unpack 'V3', $got->{uav0})[0, 1], unpack('V', $got->{gds})], [3, 3, 3],
        'pixels beyond the domain change no memory: uav_add, uav_read_add, gds_add') or diag $got->{output};
    is(unpack('x4V', $got->{counters}), 3, '... no counter');
    is(unpack('x20V', $got->{g}), 1, '... the others do');
    $got = run_il(
        $dcl . ("uav_add_id(0) l0.x, l0.y\nge r0.x, vWinCoord0.x, l1.w\ndiscard_logicalnz r0.x\n"
            . "uav_add_id(0) l0.z, l0.y\nuav_raw_load_id(0) r1.x, l0.x\nuav_raw_store_id(1) mem.x, l0.x, r1\nend\n"),
            $with->(qw(uav0 uav1)));
    is_deeply([unpack 'V2', $got->{uav0}], [3, 2],
        'what a pixel stores before its discard stays, what it stores after it does not') or diag $got->{output};
    $got = run_il(
        $dcl . ("ge r0.x, vWinCoord0.x, l0.x\ndiscard_logicalnz r0.x\nmov g[0], l1\nappend_buf_alloc_id(1) r0.x\n"
            . "uav_raw_store_id(1) mem.x, l0.x, l1\nend\n"), $with->(qw(uav1 g counters)));
    is("$got->{g}$got->{uav1}" =~ tr/\0//c, 0, '... in g[] and UAVs');
    is(unpack('x4V', $got->{counters}), 0, '... nor counters');
}
# ---- Numbers of primitives ----
{
    my $got = run_il(
        "il_gs_2_0\ndcl_input_primitive point\ndcl_output_topology point_list\ndcl_max_output_vertex_count 1\n"
            . "dcl_num_instances 2\ndcl_vprim\ndcl_output_generic o0\nmov o0.x, vPrim\nmov o0.y, vInstanceID.x\nemit\n"
            . "end\n", launch => '-g 2,2', args => 'o0=zero:64', save => ['o0']);
    is(join(' ', map { join ',', (unpack 'V16', $got->{o0})[4 * $_, 4 * $_ + 1] } 0 .. 3), '0,0 1,0 0,1 1,1',
        'vPrim is the same for all instances of a primitive') or diag $got->{output};
    $got = run_il(
        "il_ds_2_0\ndcl_input_primitiveid v0.x\ndcl_output_generic o0\nmov o0.x, vPrim\nmov o0.y, v0.x\nend\n",
        launch => '-g 2,2', args => 'o0=zero:64', save => ['o0']);
    is(join(' ', map { join ',', (unpack 'V16', $got->{o0})[4 * $_, 4 * $_ + 1] } 0 .. 3), '0,0 0,0 1,1 1,1',
        '... and for all points of a patch') or diag $got->{output};
    $got = run_il(
        "il_gs_2_0\ndcl_input_primitive point\ndcl_output_topology point_list\ndcl_max_output_vertex_count 2\n"
            . "dcl_output_generic o0\ndcl_literal l0, 7, 0, 0, 0\nmov o0, l0\nwhileloop\nemit\nendloop\nmov g[0], l0\n"
            . "end\n", launch => '-g 2', args => 'o0=zero:64 stream=zero:16 g=zero:16', save => [qw(o0 stream g)]);
    is_deeply([unpack 'V4', $got->{stream}], [1, 3, 1, 3],
        'an invocation ends, and its strip, with the last vertex that is declared') or diag $got->{output};
    is($got->{g} =~ tr/\0//c, 0, '... and does nothing behind it');
}
# ---- Patches ----
{
    my $points = floats(map { my $p = $_; map { (100 * $p + $_, 1, 2, 3) } 0 .. 2 } 0, 1);
    for my $r ('ret_dyn', "if_logicalz vOutputControlPointID0.y\nret_dyn\nendif\nmov o0, l0", "call 1\nret_dyn") {
        my $text = "il_hs_2_0\ndcl_num_icp 3\ndcl_num_ocp 2\n"
            . "dcl_literal l0, 0, 1, 4, 16\nhs_cp_phase\nmov r0.x, vOutputControlPointID0.x\nmov o0, vicp[r0.x][0]\n"
            . ($r =~ /if/ ? "mov r1, l0.x\nif_logicalz r1.x\nret_dyn\nendif\nmov o0, l0" : $r)
            . "\nendphase\nhs_fork_phase 1\nmov o0, vicp[2][0]\nret_dyn\nendphase\n"
            . ($r =~ /call/ ? "endmain\nfunc 1\nnop\nret\n" : '') . "end\n";
        my $got = run_il($text, launch => '-g 2 -l 2', in => {vicp => $points}, args => 'vocp=zero:64 vpc=zero:32',
            save => [qw(vocp vpc)]);
        is(join(' ', (got_floats($got->{vocp}))[0, 4, 8, 12]), '0 1 100 101',
            'a return ends one instance of a phase' . ($r =~ /^(\w+)/ && ": $1")) or diag $got->{output};
        is(join(' ', (got_floats($got->{vpc}))[0, 4]), '2 102', '... and not the phases behind it');
    }
    my $body = "dcl_output_position o0\nmov o0, vicp[2][0]\nend\n";
    for my $s (['dcl_input vicp[n][a] counts the points of a domain shader', "dcl_input_generic vicp[3][0]\n", 3],
        ['without it the largest number named does', '', 3],
        ['... which is less', "dcl_input_generic vicp[4][0]\n", 4]) {
        my ($name, $dcl, $n) = @$s;
        my $got = run_il("il_ds_2_0\n$dcl$body", launch => '-g 1,2',
            in => {vicp => floats(map { ($_) x 4 } 1 .. 2 * $n)}, args => 'o0=zero:32', save => ['o0']);
        is(join(' ', (got_floats($got->{o0}))[0, 4]), '3 ' . ($n + 3), $name) or diag $got->{output};
    }
}
# ---- Arrays of interpolators ----
{
    my $got = run_il(
        "il_vs_2_0\ndclv_elem(0) v0\ndclarray oT0, oT3\ndef i0, 3, 1, 1, 0\nloop i0\n"
            . "mov oT[aL], v0\nendloop\nmov oPos, v0\nend\n", launch => '-g 1', in => {v0 => floats(1 .. 4)},
            args => join(' ', map { "oT$_=zero:16" } 0 .. 3), save => [map { "oT$_" } 0 .. 3]);
    is(join(' ', map { (got_floats($got->{"oT$_"}))[1] } 0 .. 3), '0 2 2 2',
        'dclarray gives registers that only an index names') or diag $got->{output};
}
# ---- Shadow modes (table 6.28) ----
{
    my $got = run_il("${ps}dclpt_stage(0)_type(2d)_coordmode(normalized)\ndclpi_x(*)_y(*)_z(*)_w(*) vT0\n"
        . join('', map { my ($n, $m) = @$_; "texld_stage(0)_shadowmode($m) oC$n, vT0\n" } [0, 'never'], [1, 'z'],
        [2, 'unknown']) . "end\n", launch => '-g 1', in => {vT0 => floats(0.5, 0.5, 0.75, 1), res0 => floats(0.5)},
        format => {res0 => 'float:1x1'}, args => 'sampler0=point,clamp,less '
        . join(' ', map { "oC$_=zero:16" } 0 .. 2), save => [map { "oC$_" } 0 .. 2]);
    is(join(' ', map { (got_floats($got->{"oC$_"}))[0] } 0 .. 2), '0.5 0 0', 'never loads, z and unknown compare')
        or diag $got->{output};
    my $text = "il_cs_2_0\ndcl_num_thread_per_group 64\n"
        . "dcl_raw_uav_id(0)\ndcl_resource_id(0)_type(2dmsaa)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
        . "dcl_literal l0, 0, 0, 0, 9\nload_fptr_resource(0) r0, l0\nuav_raw_store_id(0) mem.x, l0.x, r0\nend\n";
    $got = run_il($text, launch => '-g 1 -l 64', in => {res0 => floats((0) x 16)}, format => {res0 => 'float:2x2:4'},
        args => 'uav0=zero:4', save => ['uav0']);
    is(sprintf('%x', unpack 'V', $got->{uav0}), '3210', 'load_fptr ignores w') or diag $got->{output};
}
# ---- Defaults (tables 6.5 and 6.9) ----
{
    my $got = run_il("il_vs_2_0\ndcldef_x(1)_y(0)_z(1)_w(*) r0\nmov oPos, r5\nmov r5.y, r5.x\nmov oT0, r5\nend\n",
        launch => '-g 2', args => 'oPos=zero:32 oT0=zero:32', save => [qw(oPos oT0)]);
    is(join(' ', got_floats($got->{oPos})), '1 0 1 0 1 0 1 0', 'dcldef: what temporaries hold at first')
        or diag $got->{output};
    is(join(' ', got_floats($got->{oT0})), '1 1 1 0 1 1 1 0', '... until they are written');
    my $ps = "il_ps_2_0\ndclpi_x(1)_y(0)_z(*)_w(1) vT0\ndclpi_x(1)_y(1)_z(1)_w(1) vWinCoord0\nmov oC0, vT0\n"
        . "mov oC1, vWinCoord0\nend\n";
    $got = run_il($ps, launch => '-g 1', args => 'oC0=zero:16 oC1=zero:16', save => [qw(oC0 oC1)]);
    is(join(' ', got_floats($got->{oC0})), '1 0 0 1', 'dclpi: an interpolator that nobody exports')
        or diag $got->{output};
    is(join(' ', got_floats($got->{oC1})), '0.5 0.5 0 1', '... a window coordinate is always there');
    $got = run_il($ps, launch => '-g 1', in => {vT0 => floats(2 .. 5)}, args => 'oC0=zero:16', save => ['oC0']);
    is(join(' ', got_floats($got->{oC0})), '2 3 4 5', '... and one that somebody does');
    $got = run_il("il_ps_2_0\ndclpin_usage(color)_usageIndex(0)_x(0)_y(1)_z(-)_w(1) vPixIn1\nmov oC0, vPixIn1\nend\n",
        launch => '-g 1', args => 'oC0=zero:16', save => ['oC0']);
    is(join(' ', got_floats($got->{oC0})), '0 1 0 1', 'dclpin');
    $got = run_il(
        "il_vs_2_0\ndclv_elem(0) v0\ndclvout_usage(pos)_usageIndex(0)_x(*)_y(*)_z(*)_w(1) oVtxOut0\n"
            . "dclvout_usage(generic)_usageIndex(1)_x(0)_y(1)_z(1)_w(1) oVtxOut1\nmov oVtxOut0.xyz, v0\nend\n",
            launch => '-g 1', in => {v0 => floats(5 .. 8)}, args => 'oVtxOut0=zero:16 oVtxOut1=zero:16',
            save => [qw(oVtxOut0 oVtxOut1)]);
    is(join(' ', got_floats($got->{oVtxOut0}), got_floats($got->{oVtxOut1})), '5 6 7 1 0 1 1 1',
        'dclvout: components that are not written') or diag $got->{output};
}
# ---- What is asked of resources ----
{
    my $cs = "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\n";
    for my $s (['raw', 'dcl_raw_srv_id(3)', 48], ['struct', 'dcl_struct_srv_id(3) 16', 3]) {
        my $got = run_il(
            $cs . $s->[1] . ("\ndcl_literal l0, 0, 0, 0, 0\nbufinfo_resource(3) r0\n"
                . "uav_raw_store_id(0) mem.x, l0.x, r0\nend\n"),
            launch => '-g 1', args => 'uav0=zero:16 srv3=zero:48', save => ['uav0']);
        is(unpack('V', $got->{uav0}), $s->[2], "bufinfo of a $s->[0] SRV") or diag $got->{output};
    }
    my $ps = "il_ps_2_0\ndcl_resource_id(0)_type(1darray)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
        . "dcl_output_generic o0\ndcl_literal l0, 0, 3, 0, 2\nload_resource(0) r0, l0\nmov o0, r0\nend\n";
    my $texture = floats(map { ($_) x 4 } 0 .. 27); # 16 texels, 8, 4: every level has all slices
    my $got = run_il($ps, launch => '-g 1', in => {res0 => $texture}, format => {res0 => 'float4:4x4:3'},
        args => 'o0=zero:16', save => ['o0']);
    is((got_floats($got->{o0}))[0], 27, 'levels of a one-dimensional array') or diag $got->{output};
    like(run_il($ps, launch => '-g 1', in => {res0 => substr $texture, 0, 336}, format => {res0 => 'float4:4x4:3'},
        args => 'o0=zero:16')->{output}, qr/res0: 336 bytes.*need 448/, '... all of them must be there');
}
# ---- Coverage (5.18) ----
{
    my $text =
        "${ps}dcl_output_generic o0\nutof r0, vCoverageMask\ndsx r1, r0.xxxx\nmov o0.x, r0.x\nmov o0.y, r1.x\nend\n";
    my $got = run_il($text, launch => '-g 1', args => 'o0=zero:16', save => ['o0'], before => ['set il samples 4']);
    is(join(' ', (got_floats($got->{o0}))[0, 1]), '15 -15',
        'all samples of a pixel are covered, none of a pixel that helps') or diag $got->{output};
    $got = run_il($text, launch => '-g 1', in => {vCoverageMask => pack 'V4', 6}, args => 'o0=zero:16', save => ['o0']);
    is(join(' ', (got_floats($got->{o0}))[0, 1]), '6 -6', '... where a buffer says which, too') or diag $got->{output};
}
done_testing();
