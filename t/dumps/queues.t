#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Rings and slots of queues: packets of the DMA engines as the drivers write them, registers and descriptors
# of compute queues as amdkfd prints them (bits: cikd.h), page tables as umr walks them.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;


# ---- Packets of a DMA engine ----

sub packet ($op, $sub, $extra, @words) { return ($extra << 16 | $sub << 8 | $op, @words) }
my @ring = (
    [[packet(8, 0, 1 << 10 | 3 << 12, 0x5418, 0x541c, 0x400, 0x400, 0xfff << 16 | 10)], # cik_sdma_ring_emit_hdp_flush
        qr/POLL_REG_MEM register 0x05418 operation=write, wait function=equal space=register (?#
            )register=0x5418 written=0x541c reference=0x400 mask=0x400 interval=10 retries=4095/],
    [[packet(8, 0, 3 << 12 | 1 << 15, 0x1000, 0x80, 7, 0xffffffff, 0xfff << 16 | 4)],   # ..._emit_pipeline_sync
        qr/POLL_REG_MEM operation=wait function=equal space=memory addr_lo=0x1000 addr_hi=0x80 reference=0x7/],
    [[packet(4, 0, 5, 0x401000, 1, 16)], qr/INDIRECT_BUFFER.*addr_lo=0x401000 addr_hi=0x1 size=16/],
    [[packet(5, 0, 0, 0x2000, 0, 0x1234)], qr/FENCE addr_lo=0x2000 addr_hi=0x0 fence=0x1234/],
    [[packet(6, 0, 0, 0)], qr/TRAP context=0x0/],
    [[packet(7, 0, 1 << 14, 0x3000, 0)], qr/SEMAPHORE signal_type=increment action=signal addr_lo=0x3000/],
    [[packet(14, 0, 0xf000, 0x54f, 0x123)], qr/SRBM_WRITE register 0x0153c.*register_index=0x54f value=0x123/],
    [[packet(1, 0, 0, 4096, 0, 0x10000, 0, 0x20000, 1)],
        qr/COPY_LINEAR byte_count=4096.*src_lo=0x10000 src_hi=0x0 dst_lo=0x20000 dst_hi=0x1/],
    [[packet(2, 0, 0, 0x5000, 0, 2, 0xdead, 0xbeef)], qr/WRITE_LINEAR dst_lo=0x5000 dst_hi=0x0 dwords=2 0xdead 0xbeef/],
    [[packet(11, 0, 2 << 14, 0x6000, 0, 0x55, 64)],
        qr/CONSTANT_FILL unit=dwords dst_lo=0x6000 dst_hi=0x0 fill=0x55 byte_count=64/],
    [[packet(12, 0, 0, 0x7000, 0, 0x73, 0, 0x100000, 0, 0x1000, 0, 8)],
        qr/GENERATE_PTE_PDE dst_lo=0x7000 dst_hi=0x0 flags_lo=0x73 flags_hi=0x0 (?#
            )value_lo=0x100000 value_hi=0x0 increment_lo=0x1000 increment_hi=0x0 entries=8/],
    [[packet(13, 2, 0, 0x8000, 0)], qr/TIMESTAMP_GET_GLOBAL addr_lo=0x8000/],
    [[packet(1, 4, 0, 0x9000, 0, 1 | 2 << 16, 3 | 63 << 16, 4095, 0xa000, 0, 5 | 6 << 16, 7 | 127 << 16, 8191,
        16 | 8 << 16, 1)],
        qr/COPY_LINEAR_SUB_WINDOW .*src_x=1 src_y=2 src_z=3 src_pitch=63.*width=16 height=8 depth=1/],
    [[packet(1, 5, 1 << 15, 0x9000, 0, 0, 7 << 16, 63, 0x1234, 0xa000, 0, 0, 127 << 16, 8191, 16 | 8 << 16, 1)],
        qr/COPY_TILED_SUB_WINDOW direction=from tiles.*tiling=0x1234 linear_lo=0xa000/],
    [[packet(0, 0, 2, 0, 0)], qr/NOP/],
    [[packet(9, 0, 0, 0xb000, 0, 1, 4)], qr/COND_EXEC addr_lo=0xb000 addr_hi=0x0 reference=0x1 exec_count=4/],
);
my @words = map { @{ $_->[0] } } @ring;
my $umr = join '', "\tbonaire.sdma0.rptr == 0\n\tbonaire.sdma0.wptr == " . @words . "\n",
    map { sprintf "\tbonaire.sdma0.ring[%4d] == 0x%08x    ...\n", $_, $words[$_] } 0 .. $#words;
my $ring = spill('ring.txt', $umr);
my @insns = grep { $_->{type} eq 'insn' } records($ring, commands('packets'));
is scalar @insns, scalar @ring, 'a packet each';
for my $i (0 .. $#ring) {
    like $insns[$i]{text} // '', $ring[$i][1], "packet $i";
    is $insns[$i]{size} // 0, 4 * @{ $ring[$i][0] }, '... and its length';
}
# ---- ... of gfx10 and gfx10.3: positions of navi10_sdma_pkt_open.h, in the order of sdma_v5_0.c ----

my @navi = (
    # ..._mem_sync, ..._emit_ib, ...
    [[packet(17, 0, 0, 0, (1 << 5 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 14 | 1 << 15 | 1) << 16, 0, 5 << 24)],
        qr/GCR_REQ base_lo=0x0 base_hi=0x0 gli_inv=1 gl1_range=0 glm_inv glk_inv glv_inv gl1_inv gl2_range=0 (?#
            )gl2_inv gl2_wb seq=0 limit_lo=0x0 limit_hi=0x0 vmid=5/],
    [[packet(17, 0, 0, 0, 0x40000000, 0xffffff80 | 4, 0xffff)],
        qr/GCR_REQ .*gl2_inv seq=0 range_is_pa limit_lo=0x1ffffff limit_hi=0xffff vmid=0/],
    [[packet(4, 0, 5, 0x401000, 1, 16, 0x8000, 2)],                                         # ..._emit_ib
        qr/INDIRECT_BUFFER addr_lo=0x401000 addr_hi=0x1 size=16 csa_lo=0x8000 csa_hi=0x2/, vmid => 5],
    [[packet(5, 0, 3 | 2 << 8, 0x2000, 0, 0x1234)], qr/FENCE addr_lo=0x2000 addr_hi=0x0 fence=0x1234/, mtype => 3,
        l2_policy => 2],
    [[packet(6, 0, 0, 7)], qr/TRAP context=0x7/],
    [[packet(8, 0, 1 << 10 | 3 << 12, 0x5418, 0x541c, 0x400, 0x400, 0xfff << 16 | 10)],     # ..._emit_hdp_flush
        qr/POLL_REG_MEM register 0x05418 hdp_flush function=equal space=register register=0x5418 written=0x541c (?#
            )reference=0x400 mask=0x400 interval=10 retries=4095/],
    [[packet(8, 0, 3 << 12, 0x1a000 << 2, 0, 1, 3, 0xfff << 16 | 10)],                      # ..._emit_reg_wait
        qr/POLL_REG_MEM function=equal space=register register=0x68000 /],
    [[packet(14, 0, 0xf000, 0x2a3f1, 0x123)], qr/SRBM_WRITE register_index=0x2a3f1 aperture=0 value=0x123/,
        byte_enable => 15],
    [[packet(14, 0, 0xf000, 0x54f, 0x123)], qr/SRBM_WRITE register 0x0153c register_index=0x54f/, byte_enable => 15],
    [[packet(1, 0, 1 << 2, 4095, 1 << 16 | 2 << 24, 0x10000, 0, 0x20000, 1)],               # ..._emit_copy_buffer
        qr/COPY_LINEAR tmz byte_count=4095 dst_swap=1 src_swap=2 src_lo=0x10000 src_hi=0x0 dst_lo=0x20000 dst_hi=0x1/],
    [[packet(1, 0, 1 << 11, 63, 0, 0x1000, 0, 0x2000, 0, 0x3000, 9)],
        qr/COPY_LINEAR broadcast byte_count=63 .*dst_lo=0x2000 dst_hi=0x0 dst2_lo=0x3000 dst2_hi=0x9/],
    [[packet(2, 0, 0, 0x5000, 0, 1, 0xdead, 0xbeef)],                                       # ..._vm_write_pte
        qr/WRITE_LINEAR dst_lo=0x5000 dst_hi=0x0 dwords=1 swap=0 0xdead 0xbeef/],
    [[packet(11, 0, 2 << 14, 0x6000, 0, 0x55, 63)],                                         # ..._emit_fill_buffer
        qr/CONSTANT_FILL unit=dwords dst_lo=0x6000 dst_hi=0x0 fill=0x55 byte_count=63/],
    [[packet(12, 0, 0, 0x7000, 0, 0x73, 0, 0x100000, 0, 0x1000, 0, 7)],                     # ..._vm_set_pte_pde
        qr/GENERATE_PTE_PDE dst_lo=0x7000 .*flags_lo=0x73 .*value_lo=0x100000 .*increment_lo=0x1000 .*entries=7/],
    [[packet(12, 2, 0, 0x7000, 0, 1, 2, 3, 4)], qr/PTEPDE_RMW addr_lo=0x7000 .*mask_hi=0x2 data_lo=0x3 data_hi=0x4/],
    [[packet(9, 0, 0, 0xb000, 0, 1, 4)], qr/COND_EXEC addr_lo=0xb000 addr_hi=0x0 reference=0x1 exec_count=4/],
    [[packet(10, 0, 1 | 47 << 9, 0xc000, 1, 2, 3, 4, 5, 6)],
        qr/ATOMIC loop addr_lo=0xc000 addr_hi=0x1 data_lo=0x2 .*compared_lo=0x4 compared_hi=0x5 interval=6/,
        atomic => 47],
    [[packet(16, 0, 0, 1 << 3 | 1 << 19 | 1 << 26, 0x2001, 3)],
        qr/GPUVM_INV vmids=0x8 flush_type=0 l2_ptes four_kilobytes s page_lo=0x1000 page_hi=0x3/],
    [[packet(8, 1, 0, 0x54f << 2, 0xd000, 0)], qr/POLL_REG_WRITE_MEM register_index=0x54f dst_lo=0xd000/],
    [[packet(8, 2, 1, 0xd000, 0, 0x120, 9)], qr/POLL_DBIT_WRITE_MEM dst_lo=0xd000 .*start_page=0x12 pages=9/, ea => 1],
    [[packet(8, 3, 1 << 15, 1 .. 12)], qr/POLL_MEM_VERIFY pattern=0x1 first_lo=0x2 .*record_hi=0xb/, mode => 1],
    [[packet(11, 1, 0, 256, 4, 0xe000, 0, 64)], qr/DATA_FILL_MULTI stride=256 places=4 dst_lo=0xe000 .*byte_count=64/],
    [[packet(15, 0, 2, 8)], qr/PRE_EXE exec_count=8/, dev_sel => 2],
    [[packet(13, 2, 0, 0x8000, 0)], qr/TIMESTAMP_GET_GLOBAL addr_lo=0x8000/],
    # Long packets are shown without the fields that are 0.  Copies of images, 12 x 8 x 3 elements of 4 bytes from
    # (1, 2, 3) to (4, 5, 6): ac_cmdbuf_sdma.c of Mesa.
    [[packet(1, 4, 2 << 13 | 4, 0x9000, 1, 1 | 2 << 16, 3 | 0x3ffff << 13, 0xfffffff, 0xa000, 2, 4 | 5 << 16,
        6 | 63 << 13, 4095, 11 | 7 << 16, 2 | 1 << 16 | 3 << 24)],
        qr/COPY_LINEAR_SUB_WINDOW tmz src_lo=0x9000 src_hi=0x1 src_x=1 src_y=2 src_z=3 src_pitch=262143 (?#
            )src_slice=268435455 dst_lo=0xa000 dst_hi=0x2 dst_x=4 dst_y=5 dst_z=6 dst_pitch=63 dst_slice=4095 (?#
            )rect_x=11 rect_y=7 rect_z=2 dst_swap=1 src_swap=3/, element_size => 2],
    [[packet(1, 5, 1 << 15, 0x9000, 1, 1 | 2 << 16, 3 | 99 << 16, 49 | 19 << 16,
        2 | 27 << 3 | 1 << 9 | 6 << 16 | 5 << 20,
        0xa000, 2, 4 | 5 << 16, 6 | 63 << 16, 4095, 11 | 7 << 16, 2 | 2 << 16 | 1 << 24)],
        qr/COPY_TILED_SUB_WINDOW direction=from tiles tiled_lo=0x9000 tiled_hi=0x1 tiled_x=1 tiled_y=2 tiled_z=3 (?#
            )width=99 height=49 depth=19 element_size=2 swizzle_mode=27 dimension=1 mip_max=6 mip_id=5 (?#
            )linear_lo=0xa000 linear_hi=0x2 linear_x=4 linear_y=5 linear_z=6 linear_pitch=63 linear_slice=4095 (?#
            )rect_x=11 rect_y=7 rect_z=2 linear_swap=2 tiled_swap=1$/],
    [[packet(1, 5, 1 << 3, (0) x 13, 0xb000, 3, 10 | 1 << 8 | 4 << 9 | 1 << 26 | 1 << 28 | 1 << 30)],
        qr/COPY_TILED_SUB_WINDOW dcc meta_lo=0xb000 meta_hi=0x3 data_format=10 alpha_is_on_msb (?#
            )number_type=4 max_uncomp_block_size=1 write_compress_enable pipe_aligned/],
    [[packet(1, 6, 0, 1, 2, 3 | 4 << 16, 5 | 6 << 16, 7 | 8 << 16, 3 | 4 << 3 | 2 << 9, 9, 10, 11 | 12 << 16,
        13 | 14 << 16,
        15 | 16 << 16, 4 | 31 << 3, 17 | 18 << 16, 19)],
        qr/COPY_T2T_SUB_WINDOW src_lo=0x1 src_hi=0x2 src_x=3 src_y=4 src_z=5 src_width=6 src_height=7 src_depth=8 (?#
            )element_size=3 swizzle_mode=4 dimension=2 dst_lo=0x9 dst_hi=0xa dst_x=11 dst_y=12 (?#
            )dst_z=13 dst_width=14 dst_height=15 dst_depth=16 element_size=4 swizzle_mode=31 .*rect_x=17 rect_y=18 (?#
            )rect_z=19$/],
    [[packet(1, 6, 1 << 3 | 1 << 15, (0) x 14, 0xb000, 3, 1 << 29)],
        qr/COPY_T2T_SUB_WINDOW dcc .*meta_lo=0xb000 meta_hi=0x3 .*meta_tmz/, dcc_dir => 1],
    [[packet(1, 1, 1 << 15, 1, 2, 99, 49 | 19 << 16, 1 | 9 << 3, 4 | 5 << 16, 6 | 1 << 20, 0xa000, 2, 0x7ffff, 77,
        4095)],
        qr/COPY_TILED direction=from tiles tiled_lo=0x1 tiled_hi=0x2 width=99 height=49 depth=19 element_size=1 (?#
            )swizzle_mode=9 .*tiled_x=4 tiled_y=5 tiled_z=6 linear_cc linear_lo=0xa000 (?#
            )linear_hi=0x2 linear_pitch=524287 linear_slice=77 count=4095/],
    [[packet(1, 1, 3 << 10, 1, 2, 3, 4, 99, 49 | 19 << 16, 1, 4 | 5 << 16, 6, 1 << 8 | 2 << 16 | 3 << 24, 0xa000, 2,
        7, 8, 9)],
        qr/COPY_TILED videocopy broadcast tiled_lo=0x1 tiled_hi=0x2 dst2_lo=0x3 dst2_hi=0x4 width=99 (?#
            ).*tiled_z=6 dst2_swap=1 linear_swap=2 tiled_swap=3 linear_lo=0xa000 .*linear_slice=8 count=9/],
    [[packet(1, 3, 1 << 15, 1, 2, 3, 4, 2047 | 1 << 16 | 2 << 24, 5, 6)],
        qr/COPY_SOA direction=from tiles structures_lo=0x1 structures_hi=0x2 start_index=3 structs=4 (?#
            )struct_stride=2047 linear_swap=1 struct_swap=2 linear_lo=0x5 linear_hi=0x6/],
    [[packet(1, 7, 1 << 15, 4095, 3 << 3 | 1 << 6 | 5 << 11 | 2 << 14 | 1 << 19 | 1 << 20 | 1 << 31, 1, 2, 3, 4)],
        qr/COPY_DIRTY_PAGE all byte_count=4095 dst_mtype=3 dst_l2_policy=1 src_mtype=5 src_l2_policy=2 dst_swap=0 (?#
            )dst_gcc dst_sys src_swap=0 src_gpa src_lo=0x1 src_hi=0x2 dst_lo=0x3 dst_hi=0x4/],
    [[packet(1, 8, 4, 4095, 1 << 21 | 1 << 27 | 1 << 30, 1, 2, 3, 4)],
        qr/COPY_LINEAR_PHY tmz byte_count=4095 .*dst_log src_swap=0 src_gcc src_snoop src_lo=0x1 .*dst_hi=0x4/],
    [[packet(1, 16, 0, 63, 1 << 16 | 1 << 22 | 2 << 24 | 1 << 30, 1, 2, 3, 4)],
        qr/COPY_LINEAR_BC byte_count=63 dst_swap=1 dst_ha src_swap=2 src_ha src_lo=0x1 src_hi=0x2 dst_lo=0x3 (?#
            )dst_hi=0x4/],
    [[packet(1, 17, 1 << 15, 1, 2, 99, 49 | 7 << 16, 2 | 4 << 3 | 1 << 8 | 3 << 11 | 2 << 15 | 1 << 18 | 3 << 21
        | 2 << 24 | 12 << 26, 4 | 5 << 16, 6, 7, 8, 9, 10 << 2)],
        qr/COPY_TILED_BC direction=from tiles .*width=99 height=49 depth=7 element_size=2 array_mode=4 mit_mode=1 (?#
            )tilesplit_size=3 bank_w=2 bank_h=1 num_bank=3 mat_aspt=2 pipe_config=12 .*linear_pitch=9 count=10/],
    [[packet(1, 20, 2 << 13, 1, 2, 3, 4 | 63 << 13, 5, 6, 7, 8, 9 | 31 << 13, 10, 11 | 12 << 16, 13 | 1 << 22)],
        qr/COPY_LINEAR_SUB_WIND_BC .*src_z=4 src_pitch=63 .*dst_z=9 dst_pitch=31 .*rect_x=11 rect_y=12 rect_z=13 (?#
            )dst_ha/, element_size => 2],
    [[packet(1, 21, 0, 1, 2, 3, 4 | 99 << 16, 49 | 5 << 16, 2, 6, 7, 8, 9 | 63 << 16, 10, 11, 12)],
        qr/COPY_TILED_SUB_WIND_BC .*tiled_z=4 width=99 height=49 depth=5 .*linear_pitch=63 .*rect_z=12/],
    [[packet(1, 22, 0, 1 .. 14)], qr/COPY_T2T_SUB_WIND_BC .*src_height=5 .*dst_lo=0x7 .*rect_x=13 .*rect_z=14/],
    [[packet(2, 1, 0, 1, 2, 99, 49, 2, 3 | 4 << 16, 5 | 1 << 24, 1, 0xdead, 0xbeef)],
        qr/WRITE_TILED dst_lo=0x1 dst_hi=0x2 width=99 height=49 .*tiled_y=4 tiled_z=5 swap=1 dwords=1 0xdead 0xbeef/],
    [[packet(2, 17, 0, 1, 2, 99, 49, 2, 3 | 4 << 16, 5, 1 << 2, 0xdead, 0xbeef)],
        qr/WRITE_TILED_BC dst_lo=0x1 .*tiled_z=5 dwords=1 0xdead 0xbeef/],
    [[packet(12, 1, 1 << 15, 1, 2, 3, 4, 5, 6, 7)],
        qr/PTEPDE_COPY src_lo=0x1 src_hi=0x2 dst_lo=0x3 dst_hi=0x4 mask_lo=0x5 mask_hi=0x6 entries=7/, ptepde_op => 1],
    [[packet(12, 3, 1 << 14 | 2 << 12, 1, 2, 3, 4, 0x80 | 0x1 << 8, 7)],
        qr/PTEPDE_COPY_BACKWARDS src_lo=0x1 .*mask_first=0x80 mask_last=0x1 transfers=7/,
        pte_size => 2, direction => 1],
    [[packet(32, 0, 0, 1)], qr/DUMMY_TRAP context=0x1/],
    [[packet(0, 0, 2, 0, 0)], qr/NOP/],
);
for my $chip (qw(navi10 sienna_cichlid)) {
    my @given = map { @{ $_->[0] } } @navi;
    my $of_ring = spill("$chip.txt", join '', "\t$chip.sdma0.rptr == 0\n\t$chip.sdma0.wptr == " . @given . "\n",
        map { sprintf "\t$chip.sdma0.ring[%4d] == 0x%08x    ...\n", $_, $given[$_] } 0 .. $#given);
    my @read = grep { $_->{type} eq 'insn' } records($of_ring, commands('packets'));
    is scalar @read, scalar @navi, "$chip: a packet each";
    for my $i (0 .. $#navi) {
        like $read[$i]{text} // '', $navi[$i][1], "$chip: packet $i";
        is $read[$i]{size} // 0, 4 * @{ $navi[$i][0] }, '... and its length';
        my ($words, $said, %header) = @{ $navi[$i] };
        my %of = map { ($_->{name} => hex $_->{value}) } grep { $_->{hi} < 32 } @{ $read[$i]{fields} };
        is $of{$_} // 'none', $header{$_}, "... $_" for sort keys %header;
    }
}
unlike +(gpudbg('--isa', 'sdma', '--raw', spill('old', pack 'V*', packet(17, 0, 0, (0) x 4)),
    commands('disassemble')))[0], qr/GCR_REQ/, 'Sea Islands have no packet for caches';
my ($cut) = gpudbg('--isa', 'sdma', '--raw', spill('cut', pack 'V*', 5, 0x2000), commands('disassemble'));
unlike $cut, qr/FENCE addr/, 'a packet that is cut is not read';

# ---- Slots and descriptors of queues ----

my @slot = (0x6ed000, 0, 1, 0x304, 0x4c01, 2, 5, 0x811, 0x12345678, 0x9, 0x40, 0x1000, 0x2, 0x2000, 0x3, 0x40000040,
    0x80, 0xe000_0503 | 1 << 20 | 1 << 24 | 1 << 27, 0, 0, 0, 3 << 20, 0xe205_2307, 0x2a, 0x111,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x102);
sub rows ($first, @values) {
    my $text = '';
    for (my $i = 0; $i < @values; $i += 8) {
        my $last = $i + 7 > $#values ? $#values : $i + 7;
        $text .= sprintf "    %08x:%s\n", $first + 4 * $i, join '', map { sprintf ' %08x', $_ } @values[$i .. $last];
    }
    return $text;
}
sub fields (@records) {
    my %of;
    for my $r (grep { $_->{type} eq 'register' } @records) {
        $of{ ($r->{unit} // '') . '.' . ($r->{register} // $r->{name}) . ".$_->{name}" } = hex $_->{value}
            for @{ $r->{fields} };
    }
    return \%of;
}
my %want = ('CP_HQD_ACTIVE.ACTIVE' => 1, 'CP_HQD_VMID.VMID' => 4, 'CP_HQD_VMID.IB_VMID' => 3,
    'CP_HQD_PERSISTENT_STATE.PRELOAD_REQ' => 1, 'CP_HQD_PERSISTENT_STATE.PRELOAD_SIZE' => 0x4c,
    'CP_HQD_QUANTUM.QUANTUM_EN' => 1, 'CP_HQD_QUANTUM.QUANTUM_SCALE' => 1, 'CP_HQD_QUANTUM.QUANTUM_DURATION' => 8,
    'CP_HQD_PQ_BASE.ADDR' => 0x12345678, 'CP_HQD_PQ_RPTR.CONSUMED_OFFSET' => 0x40, 'CP_HQD_PQ_WPTR.OFFSET' => 0x80,
    'CP_HQD_PQ_DOORBELL_CONTROL.DOORBELL_EN' => 1, 'CP_HQD_PQ_DOORBELL_CONTROL.DOORBELL_OFFSET' => 0x10,
    'CP_HQD_PQ_CONTROL.QUEUE_SIZE' => 3, 'CP_HQD_PQ_CONTROL.RPTR_BLOCK_SIZE' => 5,
    'CP_HQD_PQ_CONTROL.MIN_AVAIL_SIZE' => 1, 'CP_HQD_PQ_CONTROL.NO_UPDATE_RPTR' => 1,
    'CP_HQD_PQ_CONTROL.CACHE_POLICY' => 1, 'CP_HQD_PQ_CONTROL.ROQ_PQ_IB_FLIP' => 1,
    'CP_HQD_IQ_TIMER.WAIT_TIME' => 7, 'CP_HQD_IQ_TIMER.RETRY_TYPE' => 3, 'CP_HQD_IQ_TIMER.INTERRUPT_TYPE' => 2,
    'CP_HQD_IQ_TIMER.INTERRUPT_SIZE' => 5, 'CP_HQD_IQ_TIMER.CACHE_POLICY' => 2, 'CP_HQD_IQ_TIMER.PROCESS_IQ_EN' => 1,
    'CP_HQD_IQ_TIMER.PROCESSING_IQ' => 1, 'CP_HQD_IQ_TIMER.ACTIVE' => 1, 'CP_HQD_IQ_RPTR.OFFSET' => 0x2a,
    'CP_HQD_DEQUEUE_REQUEST.IQ_REQ_PEND' => 1, 'CP_HQD_DEQUEUE_REQUEST.DEQUEUE_INT' => 1,
    'CP_HQD_PQ_CONTROL.PRIV_STATE' => 1, 'CP_HQD_PQ_CONTROL.KMD_QUEUE' => 1,
    'CP_HQD_IB_CONTROL.MIN_IB_AVAIL_SIZE' => 3, 'CP_HQD_DEQUEUE_REQUEST.DEQUEUE_REQ' => 1,
    'CP_MQD_CONTROL.PRIV_STATE' => 1, 'CP_MQD_CONTROL.VMID' => 2, 'CP_MQD_BASE_ADDR.BASE_ADDR' => 0x6ed000);
my $hqds = spill('hqds', "Node 1, gpu_id 1002:\n  CP Pipe 0, Queue 1\n" . rows(0xc914, @slot));
my $of = fields(records('--isa', 'gfx7', $hqds, commands('info dump -a registers')));
is_deeply { map { $_ => $of->{"pipe0.queue1.$_"} } keys %want }, \%want, 'a slot on the hardware';
my @descriptor = (0xc0310800, map({ 0x1000 + $_ } 1 .. 50), @slot);
my $mqds = spill('mqds', "Process 1234 PASID 32770:\n  Compute queue on device f7bc\n" . rows(0, @descriptor));
$of = fields(records('--isa', 'gfx7', $mqds, commands('info dump -a registers')));
is_deeply { map { $_ => $of->{"mqd0.$_"} } keys %want }, \%want, '... and its descriptor in memory';
my %compute = map { ($_->{addr} => $_->{value}) } grep { $_->{type} eq 'register' && hex $_->{addr} < 0xc000 }
    records('--isa', 'gfx7', $mqds, commands('info dump registers'));
is hex $compute{'0xb830'}, 0x1000 + 13, 'the address of its program';
is hex $compute{'0xb93c'}, 0x1000 + 48, '... and its last user data';
my ($unsaid) = gpudbg($mqds, commands('info dump'));
like $unsaid, qr/--isa gfx7 decodes/, 'without a generation a descriptor is not decoded';
unlike $unsaid, qr/CP_HQD/, '... at all';

# ---- Page tables ----

my $early = <<'END';
mmVM_CONTEXT1_PAGE_TABLE_START_ADDR=0x100
mmVM_CONTEXT1_PAGE_TABLE_BASE_ADDR=0xf400
PDE=0x00000000f5fd0001, VA=0x0100000000, PBA==0x00f5fd0000, V=1
\-> PTE=0x0000000123456077, VA=0x0000041000, PBA==0x0123456000, V=1, S=1
END
my $later = <<'END';
=== VM Decoding of address 3@0x800100041000 ===
PTE=0x0000000123456060, VA=0x0000800100041000, PBA==0x000123456000, F=0, V=0, S=0
[ERROR]: No valid mapping for 3@800100041000
END
sub walks ($text) {
    return map { $_->{values} } grep { $_->{type} eq 'incident' && $_->{kind} eq 'page-walk' }
        records(spill('walk', $text), commands('info dump incidents'));
}
is_deeply [walks($early)], [{ address => '0x100141000', pde => '0xf5fd0001', pte => '0x123456077',
    physical => '0x123456000', valid => '0x1', system => '0x1' }], 'a walk of early chips: two parts of an address';
is_deeply [walks($later)], [{ address => '0x800100041000', vmid => '0x3', pte => '0x123456060', valid => '0x0',
    system => '0x0' }], '... of later ones, where nothing is mapped: told once';
my ($life) = gpudbg(spill('walk', $later), commands('info address 0x800100041234'));
like $life, qr/page-walk.*address 0x800100041000/, 'an address finds its walk';

# ---- A context's registers, as i915 saves them ----

my @saved = (0, 0x11000003, 0x2358, 0x12345678, 0x209c, 0x40, 0x05000000, 0); # MI_LOAD_REGISTER_IMM of two
my $state = spill('error', "GPU HANG: ecode 7:1:0x85dffffb, in demo [42]\nPCI ID: 0x0412\n"
    . "rcs0 --- HW Context = 0x00012000\n" . join '',
    map { sprintf "[%04x] %08x %08x %08x %08x\n", 16 * $_, @saved[4 * $_ .. 4 * $_ + 3] } 0, 1);
my ($context) = gpudbg($state, commands('packets', 'info draws'));
like $context, qr/MI_LOAD_REGISTER_IMM.*0x0*2358.*0x12345678/s, 'registers of a hardware context';
unlike $context, qr/draw 0/, '... which draws nothing';
done_testing;
