#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Modifiers of sources and destinations, masks, swizzles, settings, and what launches of AMD IL take and refuse.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/../lib";
use IL;

my $head = "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\n"
    . "dcl_literal l0, 0.25f, -1.5f, 3.0f, -0.0f\ndcl_literal l1, 5, -7, 0x80000000, 9\ndcl_literal l2, 0, 16, 32, 48\n"
    . "dcl_literal l3, 0x7fc00000, 0x00000001, 2.0f, 4.0f\n"
    . "dcl_literal l4, 1.0f, 2.0f, 3.0f, 4.0f\nmov r9, l2.xxxx\nmov r8, l1.wwww\n";
# The four words that `text` leaves in r8, of lane 0
sub r8 { my ($text, %o) = @_;
    my $got = run_il("$head${text}\nuav_raw_store_id(0) mem.xyzw, r9.x, r8\nend\n", launch => '-g 64 -l 64',
        args => 'uav0=zero:16 ' . ($o{args} // ''), save => ['uav0'], before => $o{before});
    my @w = words($got->{uav0});
    diag $got->{output} if @w != 4 || $got->{output} !~ /Done/;
    @w }
sub floats {
    my ($text, $want, $name, %o) = @_;
    my @w = map { is_nan($_) ? 'nan' : number($_) + 0 } r8($text, %o);
    is("@w", "@$want", $name // $text);
}
sub bits_are {
    my ($text, $want, $name, %o) = @_;
    is(join(' ', map { sprintf '%08x', $_ } r8($text, %o)), join(' ', map { sprintf '%08x', $_ } @$want),
        $name // $text);
}

# Sources
floats('mov r8, l0.wzyx', [0, 3, -1.5, 0.25]);
floats('mov r8, l0.x01y', [0.25, 0, 1, -1.5]);
floats('add r8, l0_invert, l0.0000', [0.75, 2.5, -2, 1]);
floats('add r8, l0_bias, l0.0000', [-0.25, -2, 2.5, -0.5]);
floats('add r8, l0_x2, l0.0000', [0.5, -3, 6, 0]);
floats('add r8, l0_bx2, l0.0000', [-0.5, -4, 5, -1]);
floats('add r8, l0_sign, l0.0000', [1, -1, 1, 0]);
floats('add r8, l0_abs, l0.0000', [0.25, 1.5, 3, 0]);
floats('add r8, l0_neg(xz), l0.0000', [-0.25, -1.5, -3, 0]);
floats('add r8, l0_abs_neg(y), l0.0000', [0.25, -1.5, 3, 0]);
floats('add r8, l0.zw00_neg(x), l0.0000', [-3, 0, 0, 0], 'neg names the slot after the swizzle');
floats('mov r8, l4_divcomp(y)', [0.5, 2, 3, 4]);
floats('mov r8, l4_divcomp(w)', [0.25, 0.5, 0.75, 4]);
bits_are('mov r8, l0.xyzz_divcomp(z)', [map { unpack 'V', pack 'f<', $_ } 0.25 / 3, -0.5, 3, 3],
    'divcomp(z) divides two');
bits_are('mov r8, l0_divcomp(w)', [0x7f7fffff, 0xff7fffff, 0x7f7fffff, 0x80000000],
    'divcomp by zero: the largest number of the sign');
bits_are('mov r8, l3.xzzy_divcomp(w)', [0x7f7fffff, 0x7f7fffff, 0x7f7fffff, 1], '... and by a denormal');
bits_are('iadd r8, l1_neg(xy), l1.0000', [0xfffffffb, 7, 0x80000000, 9], 'neg of integers is two\'s complement');
bits_are('iadd r8, l1.1111, l2.xxxx', [(0x3f800000) x 4], 'a 1 in a swizzle is a float, whatever the opcode');
bits_are('mov r8, l3_neg(xyzw)', [0xffc00000, 0x80000001, 0xc0000000, 0xc0800000],
    'mov leaves denormals and NaN alone, neg flips the sign');
bits_are('add r8, l3.yyyy, l3.yyyy', [(0) x 4], 'denormals count as zeros');
bits_are("f2d r7.xy, l0.y\ndmov r8.xy, r7.xy_abs\ndmov r8.zw, r7.xy_neg(y)", [0, 0x3ff80000, 0, 0x3ff80000],
    'abs and neg of a double change its high word');
bits_are("f2d r7.xy, l0.y\ndmov r8.xy, r7.xy_neg(x)", [0, 0xbff80000, 9, 9],
    '... a letter on the low word does nothing');
# Destinations
floats('mov_x2 r8, l0', [0.5, -3, 6, 0]); floats('mov_x4 r8, l0', [1, -6, 12, 0]);
    floats('mov_x8 r8, l0', [2, -12, 24, 0]);
floats('mov_d2 r8, l4', [0.5, 1, 1.5, 2]); floats('mov_d4 r8, l4', [0.25, 0.5, 0.75, 1]);
    floats('mov_d8 r8, l4', [0.125, 0.25, 0.375, 0.5]);
floats('mov_sat r8, l0', [0.25, 0, 1, 0]);
floats('mov_x2_sat r8, l0', [0.5, 0, 1, 0], 'scale before clamp');
floats('add_sat r8, l3.xxzz, l0.0000', [0, 0, 1, 1], 'clamp(NaN) is 0');
bits_are("f2d r7.xy, l0.z\ndmul_x2 r8.xy, r7.xy, r7.xy", [0, 0x40320000, 9, 9], 'a double is scaled as one');
bits_are('mov r8.x_z_, l4', [0x3f800000, 9, 0x40400000, 9]);
bits_are('mov r8.y_w, l4', [9, 0x40000000, 9, 0x40800000]);
bits_are('mov r8.01z1, l4', [0, 0x3f800000, 0x40400000, 0x3f800000]);
bits_are('mov r8.r_01, l4', [0x3f800000, 9, 0, 0x3f800000]);
bits_are('crs r8.xyz1, l4, l0', [map({ bits $_ } 2 * 3 - 3 * -1.5 + 0, 3 * 0.25 - 1 * 3, 1 * -1.5 - 2 * 0.25),
    0x3f800000], 'a mask of 1 is written where the instruction has no result');
bits_are('sincos r8.__01, l0.wwww', [9, 9, 0, 0x3f800000]);
# Choices
bits_are("f2d r7.xy, l4.x\nf2d r7.zw, l4.y\ndmovc r8.xy, l1.x, r7.xy, r7.zw", [0, 0x3ff00000, 9, 9],
    'dmovc: not 0 takes source 1');
bits_are("f2d r7.xy, l4.x\nf2d r7.zw, l4.y\ndmovc r8.xy, l1.x, r7.xy, r7.zw", [0, 0x40000000, 9, 9],
    '... set il dmovc manual: source 2', before => ['set il dmovc manual']);
bits_are('rcp_zeroop(inf_else_max) r8.x, l2.x', [0x7f800000, 9, 9, 9]);
bits_are('rcp_zeroop(inf_else_max) r8.x, l2.x', [0x7f7fffff, 9, 9, 9], '... set il inf-else-max max',
    before => ['set il inf-else-max max']);
{   # reflect_normalize: n = (2 2 0 0), |n|^2 = 8, i = (1 2 3 4), 2 i.n = 12
    my @formula = map { bits $_ } 8 * 1 - 12 * 2, 8 * 2 - 12 * 2, 8 * 3, 8 * 4;
    my @divide = map { bits $_ } 1 - 1.5 * 2, 2 - 1.5 * 2, 3, 4;
    bits_are('reflect_normalize r8, l4, l3.zz00', \@formula, 'reflect_normalize by the printed formula');
    bits_are('reflect_normalize r8, l4, l3.zz00', \@divide, '... set il reflect divide',
        before => ['set il reflect divide']);
}
# Indices: the register is a source of integers, of which x counts
my $array = "dcl_indexed_temp_array x0[8]\nmov x0[0], l1.w\nmov x0[3], l1.x\nmov x0[5], l1.y\nmov r7, l2\n";
bits_are("${array}mov r8, x0[r7.y_neg(x)+19]", [(5) x 4], 'an index may be negated');
bits_are("${array}mov r8, x0[r7.0+5]", [(0xfffffff9) x 4], '... and a 0 of the swizzle is 0');
bits_are("${array}mov r8, x0[l2.y-13]", [(5) x 4], 'a literal may be an index');
bits_are("${array}mov x0[r7.y_neg(x)+21], l1.w\nmov r8, x0[5]", [(9) x 4], '... where it is written, too');
# Launches
sub refused {
    my ($launch, $like, $name, $text) = @_;
    my $got = run_il(($text // $head) . "uav_raw_store_id(0) mem.x, r9.x, r8\nend\n", launch => $launch);
    like($got->{output}, $like, $name);
}
refused('-g 64 -l 64', qr/uav0.*missing/, 'a buffer that is used must be given');
refused('-g 64 -l 32 uav0=zero:16', qr/requires 64,1,1/, 'the declared group size');
refused('-g 64 uav1=zero:16', qr/no argument 'uav1' \(uav0\)/, 'a name that the program does not have');
refused('-g 64 uav0=zero:16:float9', qr/uav0.*FORMAT/, 'a format that is none');
my $got = run_il("$head\nuav_raw_store_id(0) mem.x, r9.x, r8\nend\n", launch => '-g 64', args => 'zero:16',
    save => ['uav0']);
is(unpack('H*', $got->{uav0}), '09000000' . '0' x 24, 'arguments without names stand in the order of declaration');
{   # as OpenCL compilers wrote it: macros first, the kernel a subroutine, buffers as offsets in one UAV
    open(my $f, '<', "t/data/kernels/il/opencl.il") or die;
    local $/;
    my $text = <$f>;
    my $buffers = pack 'f<192', (0) x 64, map({ 3 * $_ } 0 .. 63), map({ $_ + 1 } 0 .. 63);
    my $args = {uav11 => $buffers, cb0 => pack('V8', 64, 1, 1, 0, 64, 1, 1, 0) . "\0" x 208, cb1 => pack 'V12', 0, 0, 0,
        0, 256, 0, 0, 0, 512, 0, 0, 0};
    my $got = run_il($text, launch => '-g 64 -l 64', in => $args, save => ['uav11']);
    my @want = map { unpack 'f', pack 'f', 3 * $_ / ($_ + 1) } 0 .. 63;
    is(join(' ', unpack 'f<64', $got->{uav11}), "@want", 'an OpenCL kernel') or diag $got->{output};
    like(run_il($text, launch => '', before => ['info kernels'])->{output},
        qr/0 cb0 .*\n.*1 uav11 .*\n.*2 uav8 .*\n.*3 cb1 /, 'its arguments in the order of declaration');
}
$got = run_il("il_cs_2_0\ndcl_num_thread_per_group 64\nclass r0, r1, r2\nprecomp\nend\n", launch => '-g 64');
like($got->{output}, qr/precomp: not implemented/, 'what nobody describes stops with its name');
$got = run_il("$head\nuav_raw_store_id(0) mem.x, l2.w, r8\nend\n", launch => '-g 64', args => 'uav0=zero:16',
    after => ['info events']);
like($got->{output}, qr/uav_raw_store.*uav0 has no such place/, 'a store beyond the buffer is dropped and reported');
is($got->{status}, 0, '... and no failure');
for my $s (['g', 'mov g[7], l0', 'g=zero:64', 'g has no such place (first: 0x7)'],
    ['reading g', 'mov r8, g[4]', 'g=zero:64', 'g has no such place (first: 0x4)'],
    ['reading p', 'mov r8, p[9]', 'p=zero:16', 'p has no such place (first: 0x9)'],
    ['reading cb', "dcl_cb cb2[9]\nmov r8, cb2[1]", 'cb2=zero:16', 'cb2 has no such place (first: 0x1)'],
    ['sr', "dcl_shared_temp sr2\nmov sr5, l0", '', 'sr5 has no such place']) {
    my ($name, $body, $args, $like) = @$s;
    $got = run_il("$head$body\nuav_raw_store_id(0) mem.x, r9.x, r8\nend\n", launch => '-g 64',
        args => "uav0=zero:16 $args", after => ['info events']);
    like($got->{output}, qr/bounds  mov: lanes 0-\d+ of wave 0: \Q$like\E/, "beyond the end: $name");
    is($got->{status}, 0, '... which is no failure');
}
$got = run_il("il_vs_2_0\ndcl_indexed_temp_array x0[8]\nmov x0[v0.x+3], v1\nmov o0, x0[c1.y]\nend\n", launch => '-g 1',
    args => 'o0=zero:16', save => ['o0'], in => {v0 => pack('V4', 2), v1 => pack('V4', 5 .. 8), c => pack 'V8', (0) x 5,
    5});
is(join(' ', unpack 'V*', $got->{o0}), '5 6 7 8', 'registers that are only indices are arguments, too')
    or diag $got->{output};
$got = run_il("il_vs_2_0\ndclv_elem(0) v0\nmov o0, v0\nend\n", launch => '-g 2', args => 'o0=zero:32',
    steps => ['print/f $v0.y[1]', 'stepi', 'print/f $o0.w[1]', 'set $exec = 1', 'print/x $exec', 'continue'],
    in => {v0 => pack 'f<*', 1 .. 8}, save => ['o0']);
like($got->{output}, qr/= 6\n.*= 8\n/s, 'registers by component and lane') or diag $got->{output};
done_testing();
