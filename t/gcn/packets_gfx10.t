#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Packets of gfx10's command processor.  Words are put together here as the kernel's driver does (Linux, nvd.h and
# gfx_v10_0.c) and Mesa's (ac_pm4, sid.h), by shifts, and held against the names that gpudbg gives.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

sub packet3 ($op, $count) { return 3 << 30 | $op << 8 | $count << 16 }

sub packets ($isa, @words) {
    my ($out) = gpudbg('--isa', $isa, commands('packets ' . join ' ', map { sprintf '%08x', $_ } @words));
    return $out;
}

# gfx_v10_0_ring_emit_fence of 64 bits with an interrupt.
my @fence = (packet3(0x49, 6), 1 << 22 | 1 << 21 | 1 << 13 | 1 << 12 | 3 << 25 | 20 | 5 << 8, 2 << 29 | 2 << 24,
    0x10203040, 0x12, 0x123, 0, 0);
for my $isa (qw(gfx10 gfx10-wave64 gfx1011 gfx10.3)) {
    my $said = packets($isa, @fence);
    like($said, qr/RDNA/, "$isa: its packets");
    like($said, qr/RELEASE_MEM event_type=CACHE_FLUSH_AND_INV_TS_EVENT event_index=5 glm_wb glm_inv .*gl2_wb seq=for/,
        '... a fence, with what it flushes');
    like($said, qr/int_sel=when the write is confirmed data_sel=64 bits addr_lo=0x10203040 addr_hi=0x12 data_lo=0x123/,
        '... and what it writes');
}
unlike(packets('gfx7', @fence), qr/glm_wb|RDNA/, 'gfx7 reads the same words in its own way');

# gfx_v10_0_emit_mem_sync.
like(packets('gfx10', packet3(0x58, 6), 0, 0xffffffff, 0xffffff, 0, 0, 10,
        1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 14 | 1 << 15 | 1 << 0),
    qr/ACQUIRE_MEM .*size_hi=0xffffff .*gli_inv=all .*glm_inv glk_wb glk_inv glv_inv gl1_inv .*gl2_inv gl2_wb/,
    'what a wait for memory invalidates');
# gfx_v10_0_ring_emit_ib_gfx.
my $ib = packets('gfx10', packet3(0x3f, 2), 0x400000, 1, 1 << 24 | 1 << 23 | 78);
like($ib, qr/INDIRECT_BUFFER addr_lo=0x400000 addr_hi=0x1 size=78 valid vmid=1/, 'a buffer');
like($ib, qr/the buffer at 0x100400000 is not in the dump/, '... that is not here');
# Its queues: gfx10_kiq_map_queues.
my @map = (3 << 13 | 1 << 16 | 1 << 18 | 4 << 26 | 1 << 29, 0x24 << 2, 0x1000, 1, 0x2000, 2);
like(packets('gfx10', packet3(0xa2, 5), @map),
    qr/MAP_QUEUES .*queue=3 pipe=1 me=1 .*engine_sel=4 num_queues=1 .*doorbell_offset=0x24 mqd_addr_lo=0x1000/,
    'a queue is mapped');
# nvd.h has it, cikd.h has not.
like(packets('gfx10', packet3(0x98, 0), 1 << 4 | 0x8001 << 5), qr/INVALIDATE_TLBS .*all_hub pasid=0x?8001|pasid=32769/,
    'gfx10 alone: INVALIDATE_TLBS');

# Registers: radv_emit_compute's, by Mesa's numbers (gfx10.json).
my $dispatch = packets('gfx10.3', packet3(0x76, 2), (0xb830 - 0xb000) / 4, 0x00123456, 0,
    packet3(0x76, 2), (0xb848 - 0xb000) / 4, 1 << 30 | 1 << 29 | 0xc0 << 12 | 5, 0x90,
    packet3(0x15, 3) | 2, 8, 4, 1, 1 << 15 | 1 << 2 | 1);
like($dispatch, qr/COMPUTE_PGM_LO\s+= 0x00123456/, 'the address of a shader');
like($dispatch, qr/COMPUTE_PGM_RSRC1\s+= 0x600c0005.*\n(?:.*\n)*?.*DISPATCH_DIRECT/, '... its registers');
like($dispatch, qr/DISPATCH_DIRECT compute dim_x=8 dim_y=4 dim_z=1 compute_shader_en force_start_at_000 .*cs_w32_en/,
    '... and its groups, in waves of 32');
like((gpudbg(commands('reg CB_COLOR0_INFO 0x10000028')))[0], qr/gfx10 CB.*DCC_ENABLE\s+0x1/s,
    'reg: fields of gfx10');
done_testing;
