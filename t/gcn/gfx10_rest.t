#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Less usual operations on gfx10: traps with a handler, scalar stores and atomics, GDS and its barriers, buffer formats
# in halves, rays against boxes; and what geometry and hull shaders, which are merged there, start with.  Words are
# llvm-mc's; numbers are computed here.
use strict;
use warnings;
no warnings 'portable';
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
sub code { my ($name, @words) = @_; open my $f, '>:raw', "$dir/$name" or die; print $f pack 'V*', @words; "$dir/$name" }
sub values_of { return map { $_->{value} =~ /^0x/ ? hex $_->{value} : $_->{value} } grep { $_->{type} eq 'value' } @_ }
my $buffer = 0x100000000;

subtest 'a trap with a handler' => sub {
    # s_trap 5; s_mov_b32 s9, 1; s_getreg_b32 of TMA_LO and TBA_LO; s_endpgm.  At 0x100: keeps TTMP0 and TTMP1, returns.
    my $file = code('trap', 0xbf920005, 0xbe890381, 0xb90af812, 0xb90bf810, 0xbf810000, (0xbf800000) x 59, 0xbe84036c,
        0xbe85036d, 0x806c846c, 0x826d806d, 0xbe80226c, 0xbf810000);
    for my $isa (qw(gfx10 gfx10.3-wave64)) {
        my @all = records('--isa', $isa, '--raw', $file, commands('launch -g 32 -l 32 tba=0x100 tma=0x4200', 'stepi',
            'print $pc', 'print $status >> 5 & 1', 'reverse-stepi', 'print $pc', 'continue', 'continue', 'print $s4',
            'print $s5',             'print $s9', 'print $s10', 'print $s11', 'print $status >> 5 & 1'));
        is join(' ', values_of(@all)), join(' ', 0x100, 1, 0, 0, 5 << 16, 1, 0x42, 1, 0),
            "$isa: entered, stepped back, left; its number, TMA and TBA in units of 256 bytes";
    }
};

# LLVM's names and numbers (SIDefines.h); sizes as Linux' handler of traps reads them (cwsr_trap_handler_gfx10.asm).
subtest 'hardware registers by name' => sub {
    my %number = (MODE => 1, STATUS => 2, TRAPSTS => 3, GPR_ALLOC => 5, LDS_ALLOC => 6, IB_STS => 7, SH_MEM_BASES => 15,
        TBA_LO => 16, TBA_HI => 17, TMA_LO => 18, TMA_HI => 19, FLAT_SCR_LO => 20, FLAT_SCR_HI => 21, XNACK_MASK => 22,
        HW_ID1 => 23, HW_ID2 => 24, POPS_PACKER => 25, SHADER_CYCLES => 29);
    my %lacks = (IB_STS => 1, TBA_HI => 1, POPS_PACKER => 1);
    for my $isa (map { ($_, "$_-wave64") } qw(gfx10 gfx1011 gfx1013 gfx10.3)) {
        my ($newest, $lanes) = (scalar $isa =~ /10\.3/, $isa =~ /64/ ? 64 : 32);
        my (%want, %got);
        for my $name (sort keys %number) {
            my $file = code($name, 0xb902f800 | $number{$name}, 0xbf810000); # s_getreg_b32 s2, hwreg(NAME)
            my ($out, $err) = gpudbg('--isa', $isa, '--raw', $file, commands(
                'launch -g 640 -l 320 lds=1000 tba=0x12345600 tma=0x4567890100', 'wave 7', 'stepi', 'print/x $s2',
                'print/x $status', 'print/x $mode', 'disassemble 0 1'));
            my %of = $out =~ /^\$(\d) = (\S+)/mg;
            $got{$name} = "$out$err" =~ /HW_REG_$name: not implemented/ ? 'stops'
                : $name eq 'SHADER_CYCLES' && ($of{1} // '') =~ /^0x[0-9a-f]{1,5}$/ ? 'counts' : $of{1} // 'nothing';
            $want{$name} = $lacks{$name} || $name eq ($newest ? 'XNACK_MASK' : 'SHADER_CYCLES') ? 'stops'
                : $name eq 'SHADER_CYCLES' ? 'counts' : $name eq 'MODE' ? $of{3} : $name eq 'STATUS' ? $of{2} : '0x0';
        }
        $want{GPR_ALLOC} = sprintf '0x%x', (256 / 4 - 1) << 8; # in fours for either size of waves
        $want{LDS_ALLOC} = sprintf '0x%x', 4 << 12; # 1,000 bytes are given as 1,024, 64 dwords are counted as one
        $want{SH_MEM_BASES} = '0x10002';
        $want{TBA_LO} = '0x123456';
        @want{qw(TMA_LO TMA_HI)} = ('0x45678901', '0x0');
        # Wave 7 of the launch: of ten in the first group, or the third of five in the second.
        $want{HW_ID1} = $lanes == 32 ? sprintf '0x%x', 3 << 8 | 1 : sprintf '0x%x', 1 << 10 | 2 << 8;
        is_deeply(\%got, \%want, $isa) or diag explain \%got;
    }
};

subtest 'scalar stores and atomics' => sub {
    my $file = code('scalar', 0xf4440100, 0xfa000008, 0xf4410100, 0x0c000000, 0xf4680104, 0xfa000014, 0xf6090100,
        0xfa000020, 0xf6850300, 0xfa000028, 0xf51c0404, 0xfa000000, 0xf4a80440, 0x00000000, 0xbf810000);
    # s[4:7] data, s6 16, s[8:11] a buffer of 32 bytes, s[12:15] new 1 and compared 0, s16 7.
    my $descriptor = unpack 'H*', pack 'V4', $buffer & 0xffffffff, $buffer >> 32, 32, 0;
    my @all = records('--isa', 'gfx10', '--raw', $file, commands(
        'launch -g 64 -l 64 buf0=zero:64 s[0:1]=&buf0 s[4:7]=hex:' . unpack('H*', pack 'V4', 11, 22, 16, 44)
        . " s[8:11]=hex:$descriptor s[12:15]=hex:" . unpack('H*', pack 'V4', 1, 2, 0, 0) . ' s16=7', 'stepi 7',
        map({ "print buf0[$_]" } 0, 2, 3, 4, 5, 6, 7, 8, 10, 11), 'print $s4', 'print $s12', 'print $s17',
        'wave 1', 'continue', 'print $s17'));
    my @got = values_of(@all);
    is join(' ', @got[0 .. 9]), join(' ', 7, 11, 22, 11, 11, 22, 16, 11, 1, 2),
        'two dwords, one by a register, three of four in a buffer; sum, exchange, maximum';
    is join(' ', @got[10 .. 12]), '0 0 0', 'the old values come back';
    is $got[13], 1, 'the number of a wave in its group';
};

subtest 'scalar access to scratch, and lines that are dropped' => sub {
    # s_scratch_load_dwordx2 s[4:5], s[0:1], s3 offset:0x8; _store_dword s6, s[0:1], s3 offset:-0x4; _store_dwordx4
    # s[4:7],
    # s[0:1], 0x20; s_dcache_discard s[0:1], 0x40; s_dcache_discard_x2 s[0:1], s3.  The register counts 64 bytes.
    my $file = code('scratch', 0xf4180100, 0x06000008, 0xf4540180, 0x061ffffc, 0xf45c0100, 0xfa000020, 0xf4a00000,
        0xfa000040, 0xf4a40000, 0x06000000, 0xbf810000);
    my @got = values_of(records('--isa', 'gfx10', '--raw', $file, commands(
        'launch -g 32 -l 32 buf0=hex:' . unpack('H*', pack 'V64', 100 .. 163) . ' s[0:1]=&buf0 s3=2 s6=7 s7=8',
        'continue', 'print $s4', 'print $s5', map { "print buf0[$_]" } 30, 31, 32, 8 .. 11)));
    is "@got", '134 135 130 7 132 134 135 7 8', 'read at 2 * 64 + 8, ' .
        'written at 2 * 64 - 4 and 32; lines keep their bytes';
};

subtest 'a word for each lane' => sub {
    # global_load_dword_addtid v1, s[0:1] offset:16; global_store_dword_addtid v1, s[2:3] offset:-8
    my $file = code('addtid', 0xdc588010, 0x01000000, 0xdc5c8ff8, 0x00020100, 0xbf810000);
    for (['gfx10.3', 32], ['gfx10.3-wave64', 64]) {
        my ($isa, $lanes) = @$_;
        my @got = values_of(records('--isa', $isa, '--raw', $file, commands(
            "launch -g $lanes -l $lanes buf0=hex:" . unpack('H*', pack 'V256',
                1000 .. 1255) . ' s[0:1]=&buf0 s[2:3]=hex:'
            . unpack('H*', pack 'Q<', $buffer + 520), 'continue', "print \$v1[0]", 'print $v1[' . ($lanes - 1) . ']',
            map { "print buf0[$_]" } 127, 128, 127 + $lanes, 128 + $lanes)));
        is "@got", join(' ', 1004, 1003 + $lanes, 1127, 1004, 1003 + $lanes, 1128 + $lanes), "$isa: read, written";
    }
    my ($out) = gpudbg('--isa', 'gfx10.3', '--raw', code('off', 0xdc588010, 0x017d0000, 0xbf810000),
        commands('launch -g 32 -l 32', 'continue'));
    like $out, qr/global_load_dword_addtid: not implemented/, 'without a base it stops with its name';
    ($out) = gpudbg('--isa', 'gfx10', '--raw', code('gather4h', 0xf1840108, 0x00400100, 0xbf810000),
        commands('launch -g 32 -l 32 vgprs=8', 'continue'));
    like $out, qr/image_gather4h: not run on gfx10 yet/, '... and so does the gather whose texels nothing says';
};

subtest 'loops over the halves of a wave' => sub {
    # s_mov_b32 s20, 3; s_subvector_loop_begin s8; s_add_i32 s20, s20, 1; v_add_nc_u32 v1, 5, v1;
    # s_subvector_loop_end s8
    my @loop = (0xbe940383, 0xbd880003, 0x81148114, 0x4a020285, 0xbe08fffd, 0x7e040287, 0xbf810000);
    my ($no_low, $no_high) = (0xbefe0380, 0xbeff0380);    # s_mov_b32 exec_lo, 0; exec_hi
    for (['both halves', [], 5, 15, 15, 0xffffffffffffffff], ['the lower one', [$no_high], 4, 15, 10, 0xffffffff],
        ['the upper one', [$no_low], 4, 10, 15, 0xffffffff00000000], ['none', [$no_low, $no_high], 3, 10, 10, 0])
    {
        my ($name, $before, @want) = @$_;
        my @got = values_of(records('--isa', 'gfx10-wave64', '--raw', code('halves', @$before, @loop), commands(
            'launch -g 64 -l 64 v[1]=10', 'continue', 'print $s20', 'print $v1[3]', 'print $v1[40]', 'print/x $exec')));
        is "@got", "@want", $name;
    }
    my ($out) = gpudbg('--isa', 'gfx10', '--raw', code('halves', @loop), commands('launch -g 32 -l 32', 'continue'));
    like $out, qr/a subvector loop in a wave of 32 lanes: only waves of 64 have halves/, 'a wave of 32 stops';
};

# Which bits of the offset mean what depends on its highest three (LLVM 19: rotations from 0xc000 on, 0xe000).
subtest 'fields of ds_swizzle_b32' => sub {
    for (['gfx10', 0xd8d4c421, 'rotation', lanes => 1, down => 1, kept => 1],
        ['gfx10.3', 0xd8d4e00f, 'order of a Fourier transform', kept => 15],
        ['gfx10', 0xd8d480e4, 'quad permutation', lane1 => 1, lane3 => 3],
        ['gfx7', 0xd8d4c421, 'quad permutation', lane2 => 2, lane0 => 1])
    {
        my ($isa, $word, $mode, %want) = @$_;
        my ($insn) = grep { $_->{type} eq 'insn' } records('--isa', $isa, '-e',
            sprintf 'decode 0x%x 0x08000002', $word);
        my %field = map { $_->{name} => $_ } @{ $insn->{fields} };
        is $field{mode}{meaning}, $mode, sprintf '%s: 0x%x', $isa, $word;
        is_deeply { map { $_ => hex $field{$_}{value} } keys %want }, \%want, '... its fields';
    }
};

# Examples and formulas of AMD's manuals of RDNA 3 and 3.5; the parts of 2 / pi were computed with long integers.
subtest 'what the manuals of RDNA 3 and 3.5 say of single results' => sub {
    open my $f, '>', "$dir/cases" or die;
    print $f <<'END';
v_exp_f32 v0, v1 v1=0xff800000 -> v0=0x00000000
v_exp_f32 v0, v1 v1=0x80000000 -> v0=0x3f800000
v_exp_f32 v0, v1 v1=0x7f800000 -> v0=0x7f800000
v_log_f32 v0, v1 v1=0xff800000 -> v0=0xffc00000
v_log_f32 v0, v1 v1=0xbf800000 -> v0=0xffc00000
v_log_f32 v0, v1 v1=0x80000000 -> v0=0xff800000
v_log_f16 v0, v1 v1=0xbc00 -> v0=0xfe00
v_rsq_f16 v0, v1 v1=0xfc00 -> v0=0xfe00
v_rsq_f16 v0, v1 v1=0x8000 -> v0=0xfc00
v_sqrt_f32 v0, v1 v1=0xff800000 -> v0=0xffc00000
v_sqrt_f32 v0, v1 v1=0x80000000 -> v0=0x80000000
v_sin_f32 v0, v1 v1=0xff800000 -> v0=0xffc00000
v_sin_f32 v0, v1 v1=0xff7fffff -> v0=0
v_sin_f32 v0, v1 v1=0x43801000 -> v0=0x3f3504f3
v_cos_f32 v0, v1 v1=0xff7fffff -> v0=0x3f800000
v_cos_f32 v0, v1 v1=0x4affffff -> v0=0xbf800000
v_sin_f16 v0, v1 v1=0x5c01 -> v0=0x3c00
v_sin_f16 v0, v1 v1=0xfbff -> v0=0x0000
v_cos_f16 v0, v1 v1=0xfbff -> v0=0x3c00
v_cos_f16 v0, v1 v1=0xfc00 -> v0=0xfe00
v_rsq_f16 v0, v1 v1=0x4400 -> v0=0x3800
v_rsq_f16 v0, v1 v1=0x7c00 -> v0=0x0000
v_rsq_f32 v0, v1 v1=0xff800000 -> v0=0xffc00000
v_rsq_f32 v0, v1 v1=0x40800000 -> v0=0x3f000000
v_log_f16 v0, v1 v1=0x8000 -> v0=0xfc00
v_log_f16 v0, v1 v1=0x3c00 -> v0=0x0000
v_log_f32 v0, v1 v1=0x3f800000 -> v0=0x00000000
v_exp_f16 v0, v1 v1=0xfc00 -> v0=0x0000
v_exp_f16 v0, v1 v1=0x8000 -> v0=0x3c00
v_exp_f16 v0, v1 v1=0x7c00 -> v0=0x7c00
v_cvt_off_f32_i4 v0, v1 v1=8 -> v0=0xbf000000
v_cvt_off_f32_i4 v0, v1 v1=15 -> v0=0xbd800000
v_cvt_off_f32_i4 v0, v1 v1=7 -> v0=0x3ee00000
v_cvt_rpi_i32_f32 v0, v1 v1=0x40200000 -> v0=3
v_cvt_rpi_i32_f32 v0, v1 v1=0xc0200000 -> v0=0xfffffffe
v_cvt_flr_i32_f32 v0, v1 v1=0xc0200000 -> v0=0xfffffffd
v_sat_pk_u8_i16 v0, v1 v1=0x0123fff0 -> v0=0xff00
v_sat_pk_u8_i16 v0, v1 v1=0x00ff0012 -> v0=0xff12
v_mul_legacy_f32 v0, v1, v2 v1=0x80000000 v2=0x7fc00000 -> v0=0
v_mul_legacy_f32 v0, v1, v2 v1=0xff800000 v2=0 -> v0=0
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0x7b3d76d4f1446bea v4=33 -> v[0:1]=0xca45aea4f758fd6
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0x7afe6a160d464138 v4=10 -> v[0:1]=0x0
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0xe88b33e617959ce v4=6 -> v[0:1]=0x2b9924bba8274600
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0x7a8687c9377b9aa2 v4=17 -> v[0:1]=0x0
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0x1759e306238642ea v4=39 -> v[0:1]=0x28b21cfe1deb1cb1
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0x390df146f8eb18b9 v4=0 -> v[0:1]=0x3fe45f306dc9c882
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0x1ad504b74a0fe75d v4=12 -> v[0:1]=0x181272117e2ef7e4
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0x451f7f35f0e3cd97 v4=12 -> v[0:1]=0x166177bf250763ff
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0x7bc6a3755c76f18a v4=10 -> v[0:1]=0x0
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0x77d4d25d54f46a69 v4=38 -> v[0:1]=0x0
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0x4b15af844f596727 v4=19 -> v[0:1]=0x0
v_trig_preop_f64 v[0:1], v[2:3], v4 v[2:3]=0x438b465378f845f5 v4=11 -> v[0:1]=0x1b31d639835339f4
END
    close $f;
    for my $isa ('gfx10', 'gfx10.3-wave64') {
        my ($out) = gpudbg('--isa', $isa, '-e', "try -f $dir/cases");
        like $out, qr/^52 cases: 52 as expected/m, "$isa: all of them";
    }
};

subtest 'the global data share' => sub {
    my $file = code('gds', 0xd8020000, 0x00000100, 0xd8da0004, 0x02000000, 0xda000004, 0x00000003, 0xd8d80000,
        0x05000003, 0xd8660001,
        0x00000004, 0xd8760001, 0x00000004, 0xbf810000);
    # M0: 64 bytes from byte 0 on.  v0 0, v1 3: 32 lanes add.  v3 8: [8] += [8 + 4 * 4].  v4: a barrier of one wave.
    my @all = records('--isa', 'gfx10', '--raw', $file, commands(
        'launch -g 32 -l 32 gds=hex:' . unpack('H*', pack 'V16', 100, 9, 5, 0, 0, 0, 70, (0) x 9)
        . ' lds=hex:' . unpack('H*', pack 'V16', 0, 0, 5, 0, 0, 0, 70, (0) x 9)
        . ' m0=64 v[0]=0 v[1]=3 v[3]=8 v[4]=1', 'continue', 'print $v2[3]', 'x/1wd gds', 'print $v5[7]'));
    my @got = values_of(@all);
    my ($gds) = grep { $_->{type} eq 'memory' } @all;
    is $got[0], 9, 'a word of it is read';
    is $gds->{values}[0], 100 + 32 * 3, '... each lane adds to one';
    is $got[1], 5 + 32 * 70, 'a word of LDS is added to another';
    my ($done) = grep { $_->{type} eq 'stop' } @all;
    is $done->{reason}, 'done', 'a barrier of one wave passes';
};

subtest 'formats in halves' => sub {
    my $file = code('halves', 0xe20c2000, 0x80000200, 0xe9c92000, 0x80200400, 0xe0982000, 0x80000500, 0xe21c2000,
        0x80000201, 0xe09c2000, 0x80000506, 0xbf810000);
    # unorm8x4, records of 4 bytes, bounds by the index.
    my $descriptor = unpack 'H*', pack 'V4', $buffer & 0xffffffff, $buffer >> 32 | 4 << 16, 64,
        4 | 5 << 3 | 6 << 6 | 7 << 9 | 56 << 12 | 1 << 24 | 1 << 28;
    my $bytes = unpack 'H*', pack 'C*', 0, 255, 51, 204, 129, 127, (0) x 250;
    for my $isa (qw(gfx10.3 gfx10-wave64)) {
        my @all = records('--isa', $isa, '--raw', $file, commands(
            "launch -g 1 -l 1 buf0=hex:$bytes s[0:3]=hex:$descriptor v[0]=0 v[1]=8 v[5]=0x1234 v[6]=9", 'continue',
            map({ "print \$v$_\[0]" } 2, 3, 4, 5), map { "print buf0[$_]" } 8, 9));
        # 51 / 255 is 0.2, 204 / 255 0.8: 0x3266 and 0x3a66 as halves; 0 and -1/127: 0 and 0xa008.
        is join(' ', values_of(@all)), join(' ', 0x3c00 << 16 | 0, 0x3a66 << 16 | 0x3266, 0xa008 << 16, 0x1234,
            204 << 24 | 51 << 16 | 255 << 8, 0), "$isa: loaded, stored again";
    }
};

subtest 'merged stages' => sub {
    my $end = code('end', 0xbf810000);
    my @all = records('--isa', 'gfx10.3', '--raw', $end, commands('set gfx7 stage geometry',
        'launch -g 128 -l 64 rsrc2=8', 'wave 3', map({ "print \$s$_" } 2, 3), map { "print \$v$_\[5]" } 0, 1, 2, 5, 8));
    my ($launched) = grep { $_->{type} eq 'launch' } @all;
    like $launched->{assumed}, qr/v5 counts vertices from 0 along x.*s4 is 0.*s5 is 0.*user data is 0 in s\[8:11\]/,
        'what is taken for granted';
    # Wave 1 of the second group: 64 vertices, 21 triangles of the group, none of which begin in this wave.
    is join(' ', values_of(@all)), join(' ', 64 << 12 | 21 << 22, 32 | 0 << 8 | 1 << 24 | 2 << 28,
        111 | 112 << 16, 113, 101, 101, 0), 'a geometry shader: its group, its wave; a triangle, a vertex';
    @all = records('--isa', 'gfx10', '--raw', $end, commands('set gfx7 stage hull',
        'launch -g 4,16 -l 4,8 rsrc2=8', 'wave 1', 'print $s3', map { "print \$v$_\[6]" } 0, 1, 2, 3));
    is join(' ', values_of(@all)), join(' ', 32 | 32 << 8 | 1 << 28, 9, 1 | 2 << 8, 2, 1), 'a hull shader';
};

# Four boxes in a row on the x axis: from 4 on, from 1 on, aside, none.  As floats (node 0) and halves (node 2).
subtest 'rays and boxes' => sub {
    my $file = code('rays', 0xf1989f01, 0x00001400, 0xf19c9f05, 0x4000181e, 0x0302010b, 0x0e0d0c04, 0xbf810000);
    my @box = ([4, 0, 0, 6, 1, 1], [1, 0, 0, 2, 1, 1], [1, 3, 0, 2, 4, 1], [('nan') x 6]);
    my %half = (0 => 0, 1 => 0x3c00, 2 => 0x4000, 3 => 0x4200, 4 => 0x4400, 6 => 0x4600, nan => 0x7e00);
    my $nodes = pack('V4', 100, 101, 102, 103) . pack('f<24', map { @$_ } @box) . "\0" x 16
        . pack('V4', 200, 201, 202, 203) . pack('v24', map { $half{$_} } map { @$_ } @box);
    my $tree = unpack 'H*', pack 'V4', $buffer >> 8, $buffer >> 40 | 1 << 31, 7, 8 << 28;
    my $float = sub { return unpack 'V', pack 'f<', shift };
    my $run = sub {
        my ($node, $extent, $y, @print) = @_;
        my $launch = 'launch -g 32 -l 32 vgprs=64 buf0=hex:' . unpack('H*', $nodes) . " s[0:3]=hex:$tree v[0]=$node"
            . ' v[1]=' . $float->($extent) . ' v[2]=0 v[3]=' . $float->($y) . ' v[4]=' . $float->(0.5)
            . ' v[5]=' . $float->(1) . ' v[6]=0 v[7]=0 v[8]=' . $float->(1) . ' v[9]=0x7f800000 v[10]=0x7f800000'
            . ' v[30]=' . (2 << 3 | 4) . ' v[11]=0 v[12]=0x3c00 v[13]=' . (0x3c00 << 16)
            . ' v[14]=' . (0x7c00 << 16 | 0x7c00);
        my ($out, $err) = gpudbg('--isa', 'gfx10.3', '--raw', $file, commands($launch, 'continue', @print));
        return $out . $err;
    };
    my @first = map { "print/x \$v$_\[9]" } 20 .. 23;
    my @second = map { "print/x \$v$_\[9]" } 24 .. 27;
    my $of = sub { return join ' ', map { hex } shift =~ /= 0x([0-9a-f]+)/g };
    my $none = 0xffffffff;
    is $of->($run->(5, 100, 0.5, @first)), "101 100 $none $none", 'the nearest first, then none';
    is $of->($run->(5, 3, 0.5, @first)), "101 $none $none $none", 'a ray that ends before the second';
    is $of->($run->(5, 100, 3.5, @first)), "102 $none $none $none", 'a ray beside them';
    is $of->($run->(5, 100, 0.5, @second)), "201 200 $none $none", 'halves, a pointer of 64 bits';
    like $run->(5, 100, 1), qr/lane 0 at 0x0.*a ray that grazes a box, or ends at it: not known/s, 'an edge stops';
    like $run->(5, 1, 0.5), qr/grazes a box, or ends at it/, '... and the end of a ray';
    is $of->($run->(6, 100, 0.5, @first)), "$none $none $none $none", "a node of the program's own";
    # Three boxes that the ray begins in, and boxes that are not sorted: AMD's network of exchanges, by hand.
    @box = ([4, 3, 0, 6, 4, 1], ([-1, 0, 0, 6, 1, 1]) x 3);
    $nodes = pack('V4', 100 .. 103) . pack('f<24', map { @$_ } @box);
    is $of->($run->(5, 100, 0.5, @first)), "102 101 103 $none", 'boxes that are as far away';
    $tree =~ s/80(.{16})$/00$1/;
    is $of->($run->(5, 100, 0.5, @first)), "$none 101 102 103", '... not sorted';
    like $run->(8 * 9 + 5, 100, 0.5), qr/node 0x4d is beyond the size of the tree/, '... and a node that is not there';
};
done_testing;
