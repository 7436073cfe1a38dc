#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `try`: instructions alone.  The values are those of the manuals' formulas, worked out by hand or by Perl.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

sub status { my (undef, undef, $status) = gpudbg(@_); return $status }
sub one {
    my ($isa, $line) = @_;
    my ($r) = grep { $_->{type} eq 'tried' } records('--isa', $isa, '-e', "try $line");
    return $r;
}

# ---- Values, ten instructions of each set and more ----

my %cases = (
    gfx7 => <<'END',
# a 64-bit multiply-add with its carry: 7 * 3 + 2^32, and (2^32-1)^2 + 2^64-1
v_mad_u64_u32 v[0:1], vcc, v2, s4, v[6:7]  v2=7 s4=3 v[6:7]=0x100000000 -> v[0:1]=0x100000015 vcc=0
v_mad_u64_u32 v[0:1], vcc, v2, s4, v[6:7]  v2=-1 s4=-1 v[6:7]=-1 -> v[0:1]=0xfffffffe00000000 vcc=-1
v_bfe_i32 v0, v1, 4, 4  v1=0xf0 -> v0=-1 only
v_sad_u8 v0, v1, v2, v3  v1=0x01020304 v2=0x04030201 v3=100 -> v0=108
v_med3_f32 v0, v1, v2, v3  v1=1.0 v2=3.0 v3=2.0 -> v0=2.0
v_mul_hi_u32 v0, v1, v2  v1=0x80000000 v2=6 -> v0=3
v_alignbyte_b32 v0, v1, v2, 1  v1=0x11223344 v2=0x55667788 -> v0=0x44556677
v_cvt_pkrtz_f16_f32 v0, v1, v2  v1=1.0 v2=-2.0 -> v0=0xc0003c00 v0:hf=1.0,-2.0
v_readlane_b32 s0, v1, 5  v1[5]=77 -> s0=77 only
v_add_f64 v[0:1], v[2:3], v[4:5]  v[2:3]=1.5 v[4:5]=0.25 -> v[0:1]=1.75
v_add_f32 v0, v1, v2  v1=inf v2=-inf -> v0=nan
v_cndmask_b32 v0, v1, v2, vcc  v1=1 v2=2 vcc=0xf0 -> v0=1,1,1,1,2,2,2,2,1 vcc[4]=1
v_mov_b32 v0, 5  mask=5 -> v0[0]=5 v0[1]=0 v0[2]=5 exec=5
s_brev_b32 s0, s1  s1=1 -> s0=0x80000000
s_bfm_b64 s[0:1], 40, 4 -> s[0:1]=0xffffffffff0
s_add_u32 s0, s1, s2; s_addc_u32 s3, s4, s5  s1=0xffffffff s2=1 s4=10 s5=20 -> s0=0 s3=31 scc=0
s_flbit_i32_b32 s0, s1  s1=0x00010000 -> s0=15
s_movrels_b32 s0, s1  m0=2 s3=99 -> s0=99
# memory: a buffer by a descriptor and by an address, LDS under M0's limit, an atomic and what it returns
buffer_load_dword v0, off, s[0:3], 0  s[0:3]=&buf0,64,0x27fac buf0=hex:0102030405060708 -> v0=0x04030201
flat_store_dword v[0:1], v2  v[0:1]=&buf0+4 v2=0x11223344 buf0=zero:64 mask=1 -> buf0=hex:0000000044332211 only
ds_write_b32 v0, v1  v0=4 v1=5 m0=64 lds=64 -> lds+4=hex:05000000
ds_add_rtn_u32 v2, v0, v1  v0=4 v1=5 m0=64 lds=64 lds+4=hex:07000000 mask=1 -> v2[0]=7 lds+4=hex:0c000000
s_load_dwordx2 s[0:1], s[4:5], 1  s[4:5]=&buf0 buf0=hex:000102030405060708090a0b -> s[0:1]=0x0b0a090807060504
# flow
s_cbranch_scc1 4  scc=1 -> branch=0x14
s_cbranch_scc1 4  scc=0 -> falls-through only
s_branch 4  pc=0x100 -> branch=0x114
s_endpgm -> end
s_barrier -> barrier only
flat_load_dword v0, v[2:3]  v[2:3]=0x1234 -> fault
.long 0x7e0002f8 -> fault
s_getpc_b64 s[0:1]  pc=0x1000 -> s[0:1]=0x1004
s_mov_b32 s0, 3; loop: s_sub_u32 s0, s0, 1; s_add_u32 s1, s1, 10; s_cmp_lg_u32 s0, 0; s_cbranch_scc1 loop -> s0=0 s1=30
.long 0x7e000285 -> v0=5
END
    'gfx7-pro' => <<'END',
.long 0x65020702  v2:hf=1.5 v3:hf=2.25 -> v129:hf=3.75,0
# v_add3_u32, v_or3_b32, v_and_or_b32 with neg, abs, clamp and omod, and 1 / (2 pi): values of shadPS4's tests
.long 0xd2db0800, 0x040e0501  v1=2000000000 v2=2000000000 v3=2000000000 -> v0=0x65a0bc00
.long 0xd2db0000, 0x240e0501  v1=0 v2=1 v3=2 -> v0=0x80000003
.long 0xd2e50000, 0x840e0501  v1=0x07070707 v2=0x11111111 v3=0x40404040 -> v0=0xd7575757
.long 0xd2e50800, 0x040e0501  v1=0x07070707 v2=0x11111111 v3=0x40404040 -> v0=0x57575757
.long 0xd2e30000, 0x240e0501  v1=0x07070707 v2=0x11111111 v3=0xf0f0f0f0 -> v0=0xf1f1f1f1
.long 0xd2e30100, 0x240e0501  v1=0x77777777 v2=0xb0b0b0b0 v3=0x11111111 -> v0=0xb1313131
.long 0xd2e30000, 0x0c0e0501  v1=0x40404040 v2=0x40404040 v3=0x40404040 -> v0=0x40404040
.long 0xd2e30000, 0x1c0e0501  v1=0xb0b0b0b0 v2=0x77777777 v3=0x40404040 -> v0=0x70707070
.long 0xd2e30300, 0x040e0501  v1=0xb0b0b0b0 v2=0x11111111 v3=0x11111111 -> v0=0x11111111
.long 0xcc0f4000, 0x1801f080 -> v0=0x00003118
.long 0xcc0f7000, 0x1801f080  v0=1 -> v0=0
.long 0xcc0f0000, 0x0001f080 -> v0=0x31183118
.long 0xcc0f4000, 0x1801e0f0 -> v0=0x3c00
.long 0x7e0002f8 -> v0=0x3e22f983
v_add3_u32 v0, -v1, v2, v3  v1=0 v2=1 v3=2 -> v0=0x80000003
v_and_or_b32 v0, -|v1|, v2, v3  v1=0x77777777 v2=0xb0b0b0b0 v3=0x11111111 -> v0=0xb1313131
v_mov_b32 v0, 0.15915494 -> v0=0x3e22f983
v_add_f16 v0, v1, v2  v1:hf=1.0 v2:hf=1.0 -> v0:hf=2.0,0
v_add_f16_e64 v0, v1, v2 op_sel:[1,1,1]  v0:hf=1.0,2.0 v1:hf=1.0,2.0 v2:hf=1.0,2.0 -> v0:hf=1.0,4.0
v_pk_add_f16 v0, v1, v2  v1:hf=1.0,2.0 v2:hf=3.0,4.0 -> v0:hf=4.0,6.0
v_pk_add_f16 v0, v1, v2 op_sel:[1,1] op_sel_hi:[0,0]  v1:hf=1.0,2.0 v2:hf=3.0,4.0 -> v0:hf=6.0,4.0
v_pk_add_f16 v0, v1, v2 neg_lo:[1,1]  v1:hf=1.0,2.0 v2:hf=3.0,4.0 -> v0:hf=-4.0,6.0
v_lshrrev_b16 v0, v1, v2  v0=0xfffffff2 v1=0xfffffff2 v2=0x88881000 -> v0=0xffff0400
v_mad_mix_f32 v0, v1, v2, v3  v1=2.0 v2=3.0 v3=4.0 -> v0=10.0
END
    gen7 => <<'END',
add (8) r1<1>:f r2<8;8,1>:f r3<8;8,1>:f  r2:f=1.5 r3.1:f=2 -> r1:f=1.5,3.5,1.5,1.5,1.5,1.5,1.5,1.5 only
mov (8) r1<1>:d r2<8;8,1>:f  r2:f=-2.75 -> r1:d=-2
asr (8) r1<1>:d r2<8;8,1>:d 4:d  r2:d=-256 -> r1:d=-16
bfrev (8) r1<1>:ud r2<8;8,1>:ud  r2=1 -> r1=0x80000000
cbit (8) r1<1>:ud r2<8;8,1>:ud  r2=0xf0f -> r1=8
avg (8) r1<1>:d r2<8;8,1>:d r3<8;8,1>:d  r2:d=3 r3:d=4 -> r1:d=4
sel.ge.f0.0 (8) r1<1>:f r2<8;8,1>:f r3<8;8,1>:f  r2:f=1,5,3,7,0,0,0,0 r3:f=4 -> r1:f=4,5,4,7,4,4,4,4
cmp.g.f0.0 (8) null<1>:f r2<8;8,1>:f 0.0:f  r2:f=-1,2,3,0,5,6,7,8 -> f0=0xf6
(f0.0) mov (8) r1<1>:d 5:d  f0=5 -> r1:d=5,0,5,0,0,0,0,0
mul (8) r1<1>:d r2<8;8,1>:d r3<8;8,1>:w  r2:d=1000 r3:w=-7 -> r1:d=-7000
add (16) r1<1>:w r2<16;16,1>:w r3<16;16,1>:w  r2:w=32767 r3:w=1 -> r1:w=-32768
add.sat (16) r1<1>:w r2<16;16,1>:w r3<16;16,1>:w  r2:w=32767 r3:w=1 -> r1:w=32767
mov (8) r1<1>:d r2<8;8,1>:d  r2=7 mask=3 -> r1=7,7,0,0,0,0,0,0 only
# conditions look at what the destination gets, saturated and converted
add.sat.z.f0.0 (8) r1<1>:f r2<8;8,1>:f r3<8;8,1>:f  r2:f=-1,0,1,2,-3,0.5,-0.5,4 r3:f=0.25 -> f0=0x51
mov.z.f0.0 (8) r1<1>:d r2<8;8,1>:f  r2:f=0.5,-0.5,1,0,2.5,-1,0.25,-7 -> f0=0x4b
mov.l.f0.0 (8) r1<1>:d r2<8;8,1>:f  r2:f=-0.5,-1,1,0,-2.5,-0.25,0.25,-7 -> f0=0x92
mov.nz.f0.0 (8) null<1>:ud r2<8;8,1>:f  r2:f=-5,0.75,1,0,3,-1,0.25,7 -> f0=0x94
jmpi 32 -> branch=0x110
END
    gen12 => <<'END',
add (16|M0) r1.0<1>:d r3.0<8;8,1>:d r5.0<8;8,1>:d  r3=1 r4=2 r5=10 r6=20 -> r1=11 r2=22 only
mov (8|M0) r1.0<2>:w r3.0<8;8,1>:w  r3:w=-3 -> r1:w=-3,0,-3,0,-3,0,-3,0,-3,0,-3,0,-3,0,-3,0
math.inv (8|M0) r1.0<1>:f r3.0<8;8,1>:f  r3:f=4 -> r1:f=0.25 only
mad (8|M0) r1.0<1>:f r2.0<8;1>:f r3.0<8;1>:f r4.0<1>:f  r2:f=1 r3:f=2 r4:f=3 -> r1:f=7
and (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud 0xff:ud  r2=0x1234 -> r1=0x34
(~f0.0) mov (8|M0) r1.0<1>:d 5:d  f0=0xfe -> r1:d=5,0,0,0,0,0,0,0
shl (8|M0) r1.0<1>:d r2.0<8;8,1>:d 3:w  r2=5 -> r1=40
fbl (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud  r2=0x100 -> r1=8
rol (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud 8:ud  r2=0x12345678 -> r1=0x34567812
cmp (8|M0) (lt)f1.0 null<1>:d r2.0<8;8,1>:d 3:d  r2=1,2,3,4,5,6,7,8 -> f1=3
# conditions look at what the destination gets, saturated and converted: ocloc makes the first four of
# clamp(a + b, 0, 1) == 0, (int)a == 0, (uint)a == 0 and (char)a == 0
add (8|M0) (eq)f0.0 (sat)r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f  r2:f=-1,0,1,2,-3,0.5,-0.5,4 r3:f=0.25 -> f0=0x51
mov (8|M0) (eq)f0.0 r1.0<1>:d r2.0<8;8,1>:f  r2:f=0.5,-0.5,1,0,2.5,-1,0.25,-7 -> f0=0x4b
mov (8|M0) (eq)f0.0 r1.0<1>:ud r2.0<8;8,1>:f  r2:f=0.5,-0.5,1,0,2.5,-1,0.25,-7 -> f0=0xeb
mov (8|M0) (eq)f0.0 r1.0<4>:b r2.0<8;8,1>:f  r2:f=0.5,-0.5,1,0,2.5,-1,0.25,-7 -> f0=0x4b
mul (8|M0) (eq)f0.0 r1.0<1>:hf r2.0<8;8,1>:f 2.0:f  r2:f=0x1p-30,1,0,1,0x1p-40,1,1,1 -> f0=0x15
add (8|M0) (ne)f0.0 (sat)r1.0<1>:ud r2.0<8;8,1>:d r3.0<8;8,1>:d  r2:d=-5,0,1,2,3,4,-5,6 r3:d=4 -> f0=0xbe
add (8|M0) (ov)f0.0 (sat)r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d  r2:d=0x7fffffff,0,1,2,3,4,5,6 r3:d=1 -> f0=1
END
    amdil => <<'END',
add r0, r1, r2  r1:f=1.5,2,3,4 r2=1.0 -> r0:f=2.5,3,4,5
mad r0, r1, r2, r3  r1=2.0 r2=3.0 r3=1.0 -> r0=7.0
iadd r0.x___, r1.y, r1.x  r1.x=5 r1.y=7 -> r0.x=12 r0.y=0
dp4 r0, r1, r2  r1:f=1,2,3,4 r2:f=1,1,1,1 -> r0.x=10.0
ilt r0, r1, r2  r1=-1 r2=1 -> r0=-1
umul_high r0, r1, r2  r1=0x80000000 r2=6 -> r0=3
cmov_logical r0, r1, r2, r3  r1=1,0,1,0 r2=5 r3=6 -> r0=5,6,5,6
dcl_literal l0, 0x40000000, 0, 0, 0; mul r0, r1, l0.x  r1=1.5 -> r0=3.0
ishl r0, r1, r2  r1=1 r2=4 -> r0=16
frc r0, r1  r1=2.75 -> r0=0.75
if_logicalnz r1.x; iadd r0, r1, r1; else; iadd r0, r2, r2; endif  r1[0]=1 r2=4 -> r0.x[0]=2 r0.x[1]=8
dcl_raw_uav_id(0); uav_raw_store_id(0) mem.x___, r1.x, r2.x  r1.x=4 r2=7  uav0=zero:8 mask=1 -> uav0+4=hex:07000000
END
);
$cases{'gen7.5'} = $cases{gen7} =~ s/^jmpi.*\n//mr;
for my $isa (sort keys %cases) {
    my $file = spill("$dir/$isa", $cases{$isa});
    my $n = grep { /^[^#]/ } split /\n/, $cases{$isa};
    my ($out, $err, $status) = gpudbg('--isa', $isa, '-e', "try -f $file");
    is($out, "$n case" . ($n > 1 ? 's' : '') . ": $n as expected, 0 different, 0 not tried\n", "$isa: $n cases")
        or diag $err;
    is($status, 0, '... and the exit status says so');
}

# ---- What a user reads ----

is(output('--isa', 'gfx7', '-e', 'try v_mad_u64_u32 v[0:1], vcc, v2, s4, v[6:7]  v2=7 s4=3 v[6:7]=0x100000000'),
    "v[0:1]    0x0000000100000015  4294967317 all 64 lanes\nunchanged: vcc\n", 'a pair is one number');
is(output('--isa', 'gfx7', '-e', 'try v_add_f32 v0, v1, v2 v1=1.5 v2[5]=2.0'),
    <<'END', 'lanes that differ, and what was assumed');
v0        0x3fc00000  1.5              lanes 0-4,6-63
          0x40600000  3.5              lane 5
assumed to be 0: v2 (lanes 0-4,6-63)
END
like(output('--isa', 'gfx7', '-e', 'try v_mbcnt_lo_u32_b32 v0, -1, 0'),
    qr/^v0 +\[ 0\] .*\n +\[ 4\] +0x0{7}4 +0x0{7}5(?!.*unchanged)/s,
    'each lane, where there are many values');
is(output('--isa', 'gfx7', '-e', 'try s_cmp_eq_u32 s0, s1'), "scc       0x1\nassumed to be 0: s[0:1]\n",
    'a register that only repeats others is not shown');
is(output('--isa', 'gfx7', '-e', 'try s_cbranch_vccz 1'), "branches from 0x0 to 0x8\nassumed to be 0: vcc\n",
    'an implicit source that nobody set');
is(output('--isa', 'gfx7', '-e', 'try s_mov_b64 s[0:1], exec'), "s[0:1]    0xffffffffffffffff  -1\n"
    . "as a launch has it: exec = 0xffffffffffffffff\n", 'one that a launch sets');
is(output('--isa', 'gfx7', '-e', 'try v_readlane_b32 s0, v1, 5'), "unchanged: s0\nassumed to be 0: v1 (lane 5)\n",
    'of one lane of all, only that is read');
is(output('--isa', 'gfx7', '-e', 'try s_nop 0'), "nothing changes\n", 'nothing');
is(output('--isa', 'gen7', '-e', 'try add (8) r1<1>:f r2<8;8,1>:f r3<8;8,1>:f r2:f=1.5 r3.1:f=2'),
    "r1:f      1.5 3.5 1.5 1.5 1.5 1.5 1.5 1.5\nassumed to be 0: r3 (a part)\n",
    'elements of a wide register by their type');
like(output('--isa', 'gfx7', '-e', 'try flat_load_dword v0, v[2:3] v[2:3]=0x1234'), qr/\Afault at 0x0: .*0x1234.*\n\z/,
    'a fault, with its reason, and nothing else');
like(output('--isa', 'gfx7', '-e', 'try l: s_branch l'), qr/^still running after 65536 instructions/m,
    'a loop without end');
like(output('--isa', 'gen7', '-e', 'try send (8) null<1>:f r2<8;8,1>:f 0x6 0x0a08c000'), qr/./, 'a message is told');

# ---- The record ----

my $r = one('gfx7', 'v_add_i32 v0, vcc, v1, v2  v1=-1 v2[5]=1 -> v0[5]=0 v0[6]=-1 vcc=0x20');
is_deeply($r->{changed}, [
    {register => 'v0', lanes => '0xffffffffffffffdf', before => '0x0', after => '0xffffffff'},
    {register => 'vcc', before => '0x0', after => '0x20'}], 'what changed');
ok($r->{as_expected} && !@{ $r->{differences} }, '... as expected');
is_deeply($r->{assumed}, [{register => 'v2', lanes => '0xffffffffffffffdf', value => '0x0'}], '... what was assumed');
is_deeply([@$r{qw(isa text bytes ended executed pc)}], ['gfx7', 'v_add_i32_e32 v0, vcc, v1, v2', '0105004a', 'done', 1,
    '0x4'], '... and the instruction');
$r = one('gfx7', 'v_mov_b32 v0, 5 mask=3 -> v0=5');
is($r->{differences}[0]{what}, 'v0[2]', 'a difference has its lane');
is(scalar @{ $r->{differences} }, 62, '... and there is one for each lane');

# ---- Exit status ----

is(status('--isa', 'gfx7', '-e', 'try s_mov_b32 s0, 5 -> s0=5'), 0, 'as expected: 0');
is(status('--isa', 'gfx7', '-e', 'try s_mov_b32 s0, 5 -> s0=6'), 1, 'different: 1');
is(status('--isa', 'gfx7', '-e', 'try s_movv_b32 s0, 5'), 2, 'not tried: 2');
is(status('--isa', 'gfx7', '-e', "try -f $dir/none"), 2, 'no such file: 2');
spill("$dir/mixed", "# three\ns_mov_b32 s0, 1 -> s0=1\n\ns_mov_b32 s0, 1 -> s0=2\nfoo\n"
    . "--isa gen7 mov (8) r1<1>:d 5:d -> r1=5\n");
my ($out, $err, $status) = gpudbg('--isa', 'gfx7', '-e', "try -f $dir/mixed");
is($out, "$dir/mixed:4: s0: 0x1, expected: 0x2\n4 cases: 2 as expected, 1 different, 1 not tried\n",
    'the line of a difference');
like($err, qr{^gpudbg: \Q$dir\E/mixed:5: }, '... and of one that could not be tried');
is($status, 2, '... which is the status of all');
for my $bad ('v999=1', 'v0[64]=1', 'v0:zz=1', 's0=0x100000000', 'scc=2', 'nosuch=1', 'v0=1,x', 's0=hex:0', 'buf0=7',
    'pc=1', 'mask=zz', 'v[3:1]=1', 'vcc[64]=1', 'buf0+0=1', 'lds+4=1') {
    my (undef, $err, $status) = gpudbg('--isa', 'gfx7', '-e', "try s_nop 0 $bad");
    ok($status == 2 && $err =~ /^gpudbg: -e: ./, "$bad is refused with a reason: " . ($err =~ /: -e: (.*)/)[0]);
}
for my $bad ('v999=1', 'nosuch', 'branch=x', 'lds=1') {
    is(status('--isa', 'gfx7', '-e', "try s_nop 0 -> $bad"), 2, "-> $bad is refused");
}

# ---- It touches nothing ----

my $demo = "$FindBin::Bin/../../share/demo/collatz.co";
my @state = ('info hash', 'info history', 'info launch', 'info where', 'info files', 'print $v0', 'info registers');
my @before = commands('launch collatz -g 64 -l 64 zero:256 64', 'stepi 5', @state);
my @after = commands('launch collatz -g 64 -l 64 zero:256 64', 'stepi 5', 'try v_mov_b32 v0, 99',
    'try buffer_store_dword v0, off, s[0:3], 0 s[0:3]=&buf0,64,0x27fac buf0=zero:64', 'try s_endpgm', @state);
(my $tried = output(@after, $demo)) =~ s/^.*the wave ends\n//s;
my $without = output(@before, $demo);
ok(length $tried && $without =~ /\Q$tried\E\z/, 'a launch, its history and its hash are as they were');
my ($name) = output(commands('launch collatz -g 64 -l 64 zero:256 64', 'stepi 5', 'try s_mov_b32 s0, 5'), $demo)
    =~ /(s0 .*)/;
like($name, qr/0x00000005/, '... and the instruction set of the file is used');

# ---- What is launched as a start ----

my @on = ('launch collatz -g 64 -l 64 zero:256 64', 'stepi 8');
my $add = 'try v_add_i32 v0, vcc, 3, v0 start=now';
my @now = grep { /^v0|^ +\[/ } split /\n/, output(commands(@on, $add), $demo);
is_deeply([map { hex } map { /(0x\w+)/g } @now], [3 .. 66], 'start=now: the ids of the launch in v0');
is_deeply([hashes(@on, 'info hash', $add, 'info hash')], [(hashes(@on, 'info hash')) x 2],
    '... and the launch is as it was');
sub hashes { return map { /^hash (\S+)/ ? $1 : () } split /\n/, output(commands(@_), $demo) }
my @memory = commands(@on, 'continue', 'x/1wx steps+8', 'launch collatz -g 64 -l 64 zero:256 64',
    'set *(u32*)(steps+8) = 77', 'try flat_load_dword v9, v[10:11] start=now v[10:11]=0x100000008 mask=1');
like(output(@memory, $demo), qr/^v9 +0x0000004d  77 +lane 0$/m, '... and the memory of the launch is there');
# What is neither a register nor memory: where the instruction is, declarations and resources, tables of surfaces.
for my $case (['matmul', 'stepi 4', 's_getpc_b64 s[0:1]', qr/^s\[0:1\] +0x0*1714\b/m],
    ['matmul', 'stepi 4', 's_getpc_b64 s[0:1]; s_load_dword s2, s[0:1], 0', qr/^s2 +0xc0010100\b/m],
    ['il', 'stepi 20', 'iadd r2.x___, r2.x, l0.z', qr/^r2\.x +\[ 0\] +0x00000003 /m],
    ['il', 'stepi 20', 'iadd r2.x___, r2.x, cb0[0].x', qr/^r2\.x +\[ 0\] +0x00000020 /m],
    ['il', 'stepi 20', 'uav_raw_load_id(1) r6.xy__, r1.x', qr/^unchanged: r6\.x/m],
    ['il', 'stepi 20', 'uav_raw_load_id(1) r6.xy__, r1.x uav1=fill:8192:7', qr/^r6\.x +0x07070707/m],
    ['dg1', 'advance *0x278', 'send.dc1 (16|M0) null r24 r26 0x80 0x04025E00', qr/^out\+0x8 +01 00 00 00$/m],
    ['dg1', 'advance *0x278', 'send.dc1 (16|M0) null r24 r26 0x80 0x04025E01', qr/^fault .*no surface is bound/m]) {
    my ($demo, $to, $line, $want) = @$case;
    like(output("--demo=$demo", commands($to, "try $line start=now")), $want, "$line, in $demo");
}
is(status('--isa', 'gfx7', '-e', 'try s_nop 0 start=now'), 2, '... but without a launch there is none');

# ---- As a service: each answer comes before the next question ----

use IPC::Open2;
my $pid = open2(my $answers, my $questions, Gpudbg::program(), '--batch', '--json', '--isa', 'gfx7', '-e', 'try -f -');
for my $n (1 .. 3) {
    print $questions "s_add_u32 s0, s1, 1 s1=$n -> s0=" . ($n + 1) . "\n";
    $questions->flush;
    my $answer = <$answers>;
    like($answer, qr/^\{"type":"tried".*"line":$n,.*"as_expected":true/, "answer $n");
}
close $questions;
like(scalar <$answers>, qr/"tried-cases","cases":3,"as_expected":3/, '... and the sum at the end');
waitpid $pid, 0;
is($? >> 8, 0, '... with the exit status');
done_testing();
