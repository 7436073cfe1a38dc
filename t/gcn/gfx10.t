# SPDX-License-Identifier: GPL-3.0-or-later
#
# gfx10 (RDNA 1 and 2): all words are read and assembled; scalar and vector arithmetic runs.  Words and texts are those
# of llvm-mc 19 for gfx1010 and gfx1030, with waves of 32 and of 64.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my @WORDS = (
    [ALL => '7e3c80be', 's_and_saveexec_b32 s0, exec_lo'],
    [ALL => '7e2480be', 's_and_saveexec_b64 s[0:1], exec'],
    [ALL => '7b7d6980', 's_add_u32 s105, ttmp15, null'],
    [ALL => '7a04e8be', 's_mov_b64 s[104:105], ttmp[14:15]'],
    [ALL => '02ff019834120000', 's_lshl3_add_u32 s1, s2, 0x1234'],
    [ALL => '01028099', 's_pack_lh_b32_b16 s0, s1, s2'],
    [ALL => '006a12bf', 's_cmp_eq_u64 s[0:1], vcc'],
    [ALL => '71bf8cbf', 's_waitcnt vmcnt(33)'],
    [ALL => '7fff8cbf', 's_waitcnt vmcnt(63) expcnt(7) lgkmcnt(63)'],
    [ALL => '70288cbf', 's_waitcnt vmcnt(0) lgkmcnt(40)'],
    [ALL => '0300fdbb', 's_waitcnt_vscnt null, 0x3'],
    [ALL => '14f800b9', 's_getreg_b32 s0, hwreg(HW_REG_FLAT_SCR_LO)'],
    [ALL => '010980b9', 's_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s0'],
    [ALL => '01f880ba78563412', 's_setreg_imm32_b32 hwreg(HW_REG_MODE), 0x12345678'],
    [ALL => '090090bf', 's_sendmsg sendmsg(MSG_GS_ALLOC_REQ)'],
    [ALL => '220290bf', 's_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 2)'],
    [ALL => '0300a1bf', 's_clause 3'],
    [ALL => '0300a0bf', 's_inst_prefetch 3'],
    [ALL => 'feffa3bf', 's_waitcnt_depctr 0xfffe'],
    [RDNA1 => '1effa3bf', 's_waitcnt_depctr depctr_sa_sdst(0)'],
    [RDNA2 => '1effa3bf', 's_waitcnt_depctr depctr_hold_cnt(0) depctr_sa_sdst(0)'],
    [RDNA2 => '8c27a3bf', 's_waitcnt_depctr depctr_sa_sdst(0) depctr_va_vdst(2) depctr_va_sdst(3) depctr_va_vcc(0) '
        . 'depctr_vm_vsrc(3)'],
    [ALL => '00009fbf', 's_code_end'],
    [ALL => '042080b0', 's_version 0x2004'],
    [ALL => '023b80be', 's_bitreplicate_b64_b32 s[0:1], s2'],
    [ALL => 'eb02007e', 'v_mov_b32_e32 v0, src_shared_base'],
    [ALL => 'f802007e', 'v_mov_b32_e32 v0, 0.15915494'],
    [ALL => '0104004a', 'v_add_nc_u32_e32 v0, s1, v2'],
    [ALL => '01050056', 'v_fmac_f32_e32 v0, v1, v2'],
    [ALL => '01050058cdcc8c3f', 'v_fmamk_f32 v0, v1, 0x3f8ccccd, v2'],
    [ALL => '0105007034120000', 'v_fmaak_f16 v0, v1, v2, 0x1234'],
    [ALL => '01cb007e', 'v_swap_b32 v0, v1'],
    [ALL => '0105227c', 'v_cmpx_lt_f32_e32 v1, v2'],
    [ALL => 'ff043c7d34120000', 'v_cmpx_ge_i16_e32 0x1234, v2'],
    [ALL => 'ffb0007e67450000', 'v_exp_f16_e32 v0, 0x4567'],
    [ALL => '0191007e', 'v_movrelsd_2_b32_e32 v0, v1'],
    [ALL => '01050078', 'v_pk_fmac_f16 v0, v1, v2'],
    [ALL => '6a04003c', 'v_xnor_b32_e32 v0, vcc_lo, v2'],
    [W32 => '0003547d', 'v_cmp_eq_u16_e32 vcc_lo, v0, v1'],
    [W64 => '0003547d', 'v_cmp_eq_u16_e32 vcc, v0, v1'],
    [W32 => '01050050', 'v_add_co_ci_u32_e32 v0, vcc_lo, v1, v2, vcc_lo'],
    [W64 => '01050050', 'v_add_co_ci_u32_e32 v0, vcc, v1, v2, vcc'],
    [W32 => '01050002', 'v_cndmask_b32_e32 v0, v1, v2, vcc_lo'],
    [W64 => '01050002', 'v_cndmask_b32_e32 v0, v1, v2, vcc'],
    [W32 => '00031e7d', 'v_cmp_class_f16_e32 vcc_lo, v0, v1'],
    [W64 => '00031e7d', 'v_cmp_class_f16_e32 vcc, v0, v1'],
    [RDNA1 => '0105003e', 'v_mac_f32_e32 v0, v1, v2'],
    [RDNA1 => '16f800b9', 's_getreg_b32 s0, hwreg(HW_REG_XNACK_MASK)'],
    [RDNA2 => '1df800b9', 's_getreg_b32 s0, hwreg(HW_REG_SHADER_CYCLES)'],
    [ALL => '080054d800010000', 'ds_add_f32 v0, v1 offset:8'],
    [ALL => '0400ccda01020000', 'ds_bpermute_b32 v0, v1, v2 offset:4'],
    [ALL => '00008cda01000000', 'ds_read_u8_d16_hi v0, v1'],
    [ALL => '0102e0d904000000', 'ds_read2st64_b64 v[0:3], v4 offset0:1 offset1:2'],
    [ALL => '1000c4da00000000', 'ds_read_addtid_b32 v0 offset:16'],
    [RDNA1 => '040000da00000000', 'ds_add_src2_u32 v0 offset:4'],
    [ALL => '00000dd701050200', 'v_add_nc_i16 v0, v1, v2'],
    [ALL => '00d040d701050e04', 'v_mad_u16 v0, v1, v2, v3 op_sel:[0,1,0,1] clamp'],
    [ALL => '00d24bd701050e2c', 'v_fma_f16 v0, -v1, |v2|, v3 op_sel:[0,1,0,1] clamp mul:2'],
    [ALL => '00006dd701ff110078563412', 'v_add3_u32 v0, v1, 0x12345678, s4'],
    [ALL => '00004cd5ff04120400003412', 'v_fma_f64 v[0:1], 0x12340000, v[2:3], v[4:5]'],
    [ALL => '000005d7ff04020034120000', 'v_mul_lo_u16 v0, 0x1234, v2'],
    [W32 => '048101d401050240', 'v_cmp_lt_f32_e64 s4, |v1|, -v2 clamp'],
    [W64 => '048101d401050240', 'v_cmp_lt_f32_e64 s[4:5], |v1|, -v2 clamp'],
    [ALL => '7d0001d401050200', 'v_cmp_lt_f32_e64 null, v1, v2'],
    [ALL => '7e0011d401050200', 'v_cmpx_lt_f32_e64 v1, v2'],
    [ALL => '001877d701050c00', 'v_permlane16_b32 v0, v1, s2, s3 op_sel:[1,1]'],
    [ALL => '000060d701050000', 'v_readlane_b32 s0, v1, s2'],
    [ALL => '000061d701060100', 'v_writelane_b32 v0, s1, 3'],
    [W32 => '00ea0fd701050200', 'v_add_co_u32 v0, vcc_lo, v1, v2 clamp'],
    [W64 => '00ea0fd701050200', 'v_add_co_u32 v0, vcc, v1, v2 clamp'],
    [ALL => '018001d602020208', 'v_interp_p2_f32_e64 v1, v1, attr2.x clamp mul:2'],
    [ALL => '000043d702031204', 'v_interp_p1lv_f16 v0, v1, attr2.x, v4 high'],
    [ALL => '000002d6c0000000', 'v_interp_mov_f32_e64 v0, p10, attr0.w'],
    [ALL => '00d00fcc01ff012834120000', 'v_pk_add_f16 v0, v1, 0x1234 op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[1,0] clamp'],
    [ALL => '001020cc01050e0c', 'v_fma_mix_f32 v0, v1, v2, v3 op_sel:[0,1,0] op_sel_hi:[1,0,0]'],
    [ALL => 'fa02007e01e404ff', 'v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf fi:1'],
    [ALL => 'fa02007e015309ff', 'v_mov_b32_dpp v0, v1 row_share:3 row_mask:0xf bank_mask:0xf bound_ctrl:1'],
    [ALL => 'ea02007e01773905', 'v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0] fi:1'],
    [ALL => 'f904000601108005',
        'v_add_f32_sdwa v0, s1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0 src1_sel:WORD_1'],
    [W32 => 'f904027c01840005', 'v_cmp_lt_f32_sdwa s4, v1, v2 src0_sel:BYTE_0 src1_sel:WORD_1'],
    [ALL => 'f904227c01000005', 'v_cmpx_lt_f32_sdwa v1, v2 src0_sel:BYTE_0 src1_sel:WORD_1'],
    [DOTS => '004013cc01050e1c', 'v_dot2_f32_f16 v0, v1, v2, v3'],
    [DOTS => '01050004', 'v_dot2c_f32_f16 v0, v1, v2'],
    [ALL => '000000f4000000fa', 's_load_dword s0, s[0:1], null'],
    [ALL => '000000f4ffff1ffa', 's_load_dword s0, s[0:1], -0x1'],
    [ALL => '014001f410000006', 's_load_dword s0, s[2:3], s3 offset:0x10 glc dlc'],
    [ALL => '3c0020f410000006', 's_buffer_load_dword s0, ttmp[12:15], s3 offset:0x10'],
    [ALL => '400098f410000002', 's_atc_probe 1, s[0:1], s1 offset:0x10'],
    [ALL => '000090f400000000', 's_memtime s[0:1]'],
    [ALL => '00007cf400000000', 's_gl1_inv'],
    [RDNA1 => '404009f610000006', 's_atomic_add s1, s[0:1], s3 offset:0x10 glc dlc'],
    [RDNA1 => '400054f410001006', 's_scratch_store_dword s1, s[0:1], s3 offset:-0xffff0'],
    [ALL => 'ff0730dc01007d00', 'flat_load_dword v0, v[1:2] offset:2047'],
    [ALL => '0000c9dc01037d02', 'flat_atomic_add v2, v[1:2], v3 glc'],
    [ALL => 'ff8f30dc01007d00', 'global_load_dword v0, v[1:2], off offset:-1'],
    [ALL => '008030dc01000200', 'global_load_dword v0, v1, s[2:3]'],
    [ALL => '00a030dc01007d00', 'global_load_dword v[1:2], off lds'],
    [ALL => '0080c9dc01030402', 'global_atomic_add v2, v1, v3, s[4:5] glc'],
    [ALL => '005033dc01007d00', 'scratch_load_dword v0, v1, off glc slc dlc'],
    [ALL => '004070dc00030600', 'scratch_store_dword off, v3, s6'],
    [RDNA2 => '004030dc00007f00', 'scratch_load_dword v0, off, off'],
    [RDNA2 => '008058dc00000402', 'global_load_dword_addtid v2, s[4:5]'],
    [RDNA2 => '0080d1dc01037d02', 'global_atomic_csub v2, v[1:2], v3, off glc'],
    [ALL => 'ff8f30e00002017d', 'buffer_load_dword v2, off, s[4:7], null offset:4095 dlc'],
    [ALL => '003030e003020180', 'buffer_load_dword v2, v[3:4], s[4:7], 0 idxen offen'],
    [ALL => '000031e000000180', 'buffer_load_dword off, s[4:7], 0 lds'],
    [ALL => '000004e200028180', 'buffer_load_format_d16_xy v[2:3], off, s[4:7], 0 tfe'],
    [ALL => '0000c8e100000000', 'buffer_gl1_inv'],
    [ALL => '000008e800020180', 'tbuffer_load_format_x v2, off, s[4:7], 0'],
    [ALL => '000000e900020180', 'tbuffer_load_format_x v2, off, s[4:7], 0 format:[BUF_FMT_10_11_11_USCALED]'],
    [ALL => '00800ce800026180', 'tbuffer_store_format_d16_x v2, off, s[4:7], 0 slc dlc'],
    [ALL => '883f00f003020100', 'image_load v[2:5], v[3:4], s[4:11] dmask:0xf dim:SQ_RSRC_IMG_2D unorm glc dlc'],
    [ALL => '080f00f0030201c0', 'image_load v[2:3], v3, s[4:11] dmask:0xf dim:SQ_RSRC_IMG_2D a16 d16'],
    [ALL => '108f00f003020100', 'image_load v[2:5], v[3:5], s[4:11] dmask:0xf dim:SQ_RSRC_IMG_3D r128'],
    [ALL => '0a0f80f00302410005000000',
        'image_sample v[2:5], [v3, v5], s[4:11], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D'],
    [ALL => '0c0f88f0030241000102030405000000',
        'image_sample_d v[2:5], [v3, v1, v2, v3, v4, v5], s[4:11], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D'],
    [ALL => '100fecf003024100',
        'image_sample_c_d_cl_o v[2:5], v[3:14], s[4:11], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D'],
    [ALL => '090f88f003024100', 'image_sample_d_g16 v[2:5], v[3:6], s[4:11], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D'],
    [RDNA2 => '310100f003020100', 'image_msaa_load v2, v[3:5], s[4:11] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA'],
    [RDNA2 => '079f98f1030201000102030405060708090a0000',
        'image_bvh_intersect_ray v[2:5], [v3, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10], s[4:7]'],
    [RDNA2 => '019f9cf103020140', 'image_bvh64_intersect_ray v[2:5], v[3:11], s[4:7] a16'],
    [ALL => '410900f800000000', 'exp prim v0, off, off, off done'],
    [ALL => '0f1c00f800010000', 'exp mrt0 v0, v0, v1, v1 done compr vm'],
    [ALL => '010800c8', 'v_interp_p1_f32_e32 v0, v1, attr2.x'],
    [ALL => '000302c8', 'v_interp_mov_f32_e32 v0, p10, attr0.w'],
);
my @CHIPS = qw(gfx10 gfx1011 gfx1013 gfx10.3);
my %of = (W32 => [@CHIPS], W64 => [map { "$_-wave64" } @CHIPS], ALL => [map { ($_, "$_-wave64") } @CHIPS],
    RDNA1 => [map { ($_, "$_-wave64") } @CHIPS[0 .. 2]], RDNA2 => [qw(gfx10.3 gfx10.3-wave64)],
    DOTS => [map { ("gfx$_", "gfx$_-wave64") } qw(1011 10.3)]);


sub units (@arguments) { return grep { $_->{type} =~ /^(?:insn|data)$/ } records(@arguments) }

for my $isa ($of{ALL}->@*) {
    my @words = grep { my $chips = $_->[0]; grep { $_ eq $isa } $of{$chips}->@* } @WORDS;
    my $code = spill("$isa.bin", pack 'H*', join '', map { $_->[1] } @words);
    my @got = units('--isa', $isa, '--raw', commands('disassemble /a'), $code);
    is_deeply([map { $_->{text} // 'data' } @got], [map { $_->[2] } @words], "$isa: what the words say");
    my $text = spill("$isa.s", join '', map { "$_->[2]\n" } @words);
    gpudbg('--isa', $isa, commands("assemble $text $dir/out"));
    open my $in, '<:raw', "$dir/out" or die "out: $!\n";
    is(unpack('H*', do { local $/; <$in> }), join('', map { $_->[1] } @words), '... and what the texts are');
}
# Texts in other words than those that are written: the bytes are those of llvm-mc.
my %texts;
open my $texts, '<', "$FindBin::Bin/../data/oracle/gcn-texts.tsv" or die "gcn-texts.tsv: $!\n";
while (<$texts>) {
    chomp;
    my ($isa, $bytes, $text) = split /\t/;
    push $texts{$isa}->@*, [$bytes, $text] unless /^#/;
}
for my $isa (sort keys %texts) {
    my @all = $texts{$isa}->@*;
    my @got = map { $_->{bytes} } records('--isa', $isa, commands(map { "assemble /i $_->[1]" } @all));
    my @other = map { "$all[$_][1]: " . ($got[$_] // 'nothing') . ", not $all[$_][0]" }
        grep { ($got[$_] // '') ne $all[$_][0] } 0 .. $#all;
    is(join("\n", @other), '', "$isa: " . @all . ' texts in other words');
}
# Masks are as wide as the waves; what one generation lacks is no word of it.
for (['gfx10', 'v_cndmask_b32_e32 v0, v1, v2, vcc'], ['gfx10-wave64', 'v_cndmask_b32_e32 v0, v1, v2, vcc_lo'],
    ['gfx10.3', 'v_mac_f32_e32 v0, v1, v2'], ['gfx10', 'v_add_i32_e32 v0, vcc_lo, v1, v2'],
    ['gfx10', 's_mov_b32 s106, 0'],
    ['gfx7', 's_clause 3'], ['gfx7', 's_mov_b32 s104, 0'], ['gfx7', 's_mov_b32 null, 0']) {
    my ($isa, $text) = @$_;
    my (undef, $err, $status) = gpudbg('--isa', $isa, commands("assemble /i $text"));
    isnt($status, 0, "$isa has no $text") or diag $err;
}
# A word of no operation takes its whole size: a double with DPP, an image word with more addresses.
for (['fa08007e01e400ff', 8], ['064ffff100000000' . '00' x 12, 20]) {
    my ($hex, $size) = @$_;
    my $code = spill('no_operation', pack 'H*', $hex . '000081bf');
    my @got = units('--isa', 'gfx10', '--raw', commands('disassemble'), $code);
    is(join(' ', map { "$_->{type}:$_->{size}" } @got), "data:$size insn:4", "$hex is data of $size bytes");
}
# Bare code runs: EXEC_HI and VCC_HI are registers of a wave of 32, and halves of masks in one of 64.
my $text = spill('run.s', join '', map { "$_\n" } 'v_lshlrev_b32_e32 v1, 2, v0', 'v_add3_u32 v2, v1, 0x12345678, 5',
    's_mov_b32 vcc_hi, 7', 'v_cmp_gt_u32_e64 s6, 10, v0', 's_mov_b32 exec_hi, 0x1234', 's_and_saveexec_b32 s4, s6',
    'v_add_nc_u32_e32 v3, v2, v1', 's_mov_b32 exec_lo, s4', 'v_add_co_u32 v4, vcc_lo, -1, v0', 's_add_u32 s5, null, 3',
    's_mov_b32 null, 3', 'v_readlane_b32 s7, v0, 33', 'v_cmpx_eq_u32_e32 3, v0', 'v_mov_b32_e32 v5, s5', 's_endpgm');
my $rows = 'hex:' . unpack 'H*', pack 'V64', 0 .. 63;
sub run_as ($isa, $source, @commands) {
    my $assembled = spill("$isa.run", '');
    gpudbg('--isa', $isa, commands("assemble $source $assembled"));
    my ($out) = gpudbg('--isa', $isa, '--raw', commands("launch -g 64 -l 64 vgprs=8 v0=$rows", 'break 0x50', 'continue',
        @commands), $assembled);
    return $out;
}
my $said = run_as('gfx10', $text, 'print $v3[9]', 'print/x $exec', 'print/x $vcc', 'print $v4[0]', 'print $s5',
    'print $s7', 'print $v5[3] + $v5[4]', 'info waves');
like($said, qr/= 305419973$/m, 'gfx10: three dwords of VOP3, a mask of one SGPR');
like($said, qr/= 0x123400000008$/m, '... EXEC_HI is kept and no mask, v_cmpx writes EXEC_LO');
like($said, qr/= 0x7fffffffe$/m, '... a carry leaves VCC_HI alone');
like($said, qr/= 3\n\$\d+ = 1\n/, '... null reads as 0 and keeps nothing; lane 33 of 32 is lane 1');
my ($stopped) = gpudbg('--isa', 'gfx10', '--raw', commands('launch -g 1 -l 1', 'continue'),
    spill('stop', pack 'V*', 0xbd800000, 0xbf810000));
like($stopped, qr{s_subvector_loop_begin.*a subvector loop in a wave of 32 lanes},
    'a row that was not read against a source stops with its name');
($stopped) = gpudbg('--isa', 'gfx10', '--raw', commands('launch -g 1 -l 1', 'continue'),
    spill('stop', pack 'V*', 0x060004fa, 0xff013001, 0xbf810000));
like($stopped, qr/v_add_f32 with a reserved dpp_ctrl: not implemented/, '... and so does a DPP word of other chips');
# s104 and s105 are SGPRs there; FLAT_SCRATCH is a hardware register, and TBA cannot be given.
my @registers = ('launch -g 1 -l 1 vgprs=4 s[104:105]=hex:0100000002000000 flat_scratch=0x300000004', 'stepi 2',
    'print $s[104:105]', 'print $s1');
($stopped) = gpudbg('--isa', 'gfx10', '--raw', commands(@registers),
    spill('registers', pack 'V*', 0xb901f814, 0xbf800000, 0xbf810000));
like($stopped, qr/= 0x0000000200000001\n\$\d+ = 4$/m, 'bare code starts with s104, s105 and FLAT_SCRATCH');
(undef, my $refused) = gpudbg('--isa', 'gfx10', '--raw', commands('launch -g 1 -l 1 ttmp=4'), "$dir/registers");
like($refused, qr/'ttmp' is not one of/, '... and other names are refused');

# TTMPs are 16 where TBA and TMA are no registers, else 12.
for (['gfx7', 12], ['gfx10', 16], ['gfx10.3-wave64', 16]) {
    my ($isa, $n) = @$_;
    my ($said) = gpudbg('--isa', $isa, '--raw', commands('launch -g 1 -l 1 vgprs=4', 'info registers',
        "set \$ttmp@{[$n - 1]} = 7", "print \$ttmp@{[$n - 1]}"), spill('ended', pack 'V', 0xbf810000));
    is(scalar(() = $said =~ /\bttmp\d+ +0x/g), $n, "$isa has $n TTMPs");
    like($said, qr/= 7$/m, '... that can be set');
}

# Ops are made in blocks: an instruction of three dwords at the end of one leads into the next one.
($stopped) = gpudbg('--isa', 'gfx10', '--raw', commands('launch -g 1 -l 1 vgprs=4', 'continue', 'print/x $s5'),
    spill('block', pack 'V*', (0xbf800000) x 253, 0xbe8503ff, 0x12345678, 0xd7690002, 0x000200ff, 0x000002bc,
        0xbf810000));
like($stopped, qr/^Done: 1 wave, 256 instructions/m, 'three dwords across the end of a block');
($stopped) = gpudbg('--isa', 'gfx10', '--raw', commands('launch -g 1 -l 1', 'continue'),
    spill('stop', pack 'V*', 0xba8005c1, 1, 0xbf810000)); # s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1
like($stopped, qr/MODE.fp16_ovfl, halves that do not overflow: not implemented/, 'a mode that changes results stops');
for my $known (['v_add3_u32', 'its meaning, compiled for this chip and run'], ['v_permlane16_b32', 'LLVM 19, read'],
    ['v_sqrt_f64', 'inferred: the manuals of older chips'], ['ds_min_f32', 'AMD: its manual of RDNA 3'],
    ['s_bitset0_b32', 'AMD: its manuals of RDNA 1 and 2'], ['s_subvector_loop_end', "inferred: what Mesa's notes"]) {
    my ($row, $says) = @$known;
    like(output("--isa", "gfx10", "-e", "help insn $row"), qr{known   .*\Q$says\E}, "$row: $says");
}

# `info coverage` counts what `help insn` says of each operation that the table names.
for my $chip (qw(gfx6 gfx7 gfx7-pro gfx10 gfx10.3)) {
    open my $table, '<', 'decoders/gcn/ops.def' or die;
    my %name = map { (/^OP(?:_AS)?\(\w+, (?:CODES\([^)]*\)|[-\w]+), (\w+),/ ? ($1 => 1) : ()) } <$table>;
    my (%row, %said);
    $row{"$_->{name} $_->{operands} $_->{format} $_->{code}"} = $_
        for grep { $_->{type} eq 'opcode' } records('--isa', $chip, commands(map { "help insn $_" } sort keys %name));
    like(output('--isa', $chip, '-e', 'help insn ds_add_src2_u32'), qr/\(Sea Islands registers, chapter 4, DS\)/,
        'what only newer chips lack is in the manual')
        if $chip eq 'gfx7';
    $said{ $_->{known} // 'manual' }++ for values %row;
    my @counts = grep { $_->{type} eq 'coverage' } records(commands("info coverage $chip"));
    my ($isa) = grep { $_->{name} eq $chip } records(commands('info isa'));
    my $sum = 0;
    $sum += $_->{opcodes} for @counts;
    is($sum, $isa->{opcodes}, "$chip: every opcode is counted once");
    is_deeply({ map { ($_->{source} => $_->{opcodes}) } grep { $said{ $_->{source} } } @counts },
        { map { ($_ => $said{$_}) } grep { $_ ne 'manual' } keys %said }, '... by what help insn says of it');
}
like(output('--isa', 'gfx10', '-e', 'help insn image_gather4h'), qr/known   not known: .* stops/,
    'what does not run says so');
(undef, my $err) = gpudbg('--isa', 'gfx10', '--raw', commands('check scoreboard'), "$dir/no_operation");
like($err, qr/check scoreboard does not check gfx10 code/, 'a checker of other chips says so');
done_testing;
