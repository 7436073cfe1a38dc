#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The life of an address: what commands set and waves hold near it.  Which draw, and how far past the end, is calculated
# here from the words that are written (register guide: SQ_BUFSRC_WORD*, CB_COLOR0_BASE, SPI_SHADER_USER_DATA_PS_0).
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

sub high ($n) { return $n << 32 } # of an address

# ---- Commands ----

my @buffer = (0x00400000, 0x00100001, 100, 0x00024fac); # 100 records of 16 bytes at 0x100400000
sub set_sh ($offset, @values) { return (0xc0007600 | @values << 16, $offset, @values) }
sub set_context ($offset, @values) { return (0xc0006900 | @values << 16, $offset, @values) }
my @draw = (0xc0012d00, 6, 2);
my $ib = spill('ib', pack 'V*',
    set_sh(0xc, @buffer, 0x00800000, 0x2), @draw,           # SPI_SHADER_USER_DATA_PS_0 to 5: a buffer, an address
    set_context(0x318, 0x03000000), 0xc0012600, 0x00a00000, 0x4, @draw, # CB_COLOR0_BASE, INDEX_BASE
    set_sh(0xc, @buffer), @draw);
sub life ($at, @files) {
    return map { delete @{$_}{qw(type dump line)}; $_ } grep { $_->{type} eq 'address' }
        records('--isa', 'gfx7', @files, commands(sprintf 'info address 0x%x', $at));
}
my @of_ib = ('--format', 'pm4-buffer', $ib);
my ($start, $end) = ('0x100400000', '0x100400640');
is_deeply [life(high(1) + 0x400700, @of_ib)], [{ what => 'what commands set', where => 'past', distance => '0xc0',
    start => $start, end => $end, text => 'SPI_SHADER_USER_DATA_PS_0 as V#', draw => 0, times => 2 }],
    'past the end of a buffer that a draw was given';
is_deeply [life(high(1) + 0x400010, @of_ib)], [{ what => 'what commands set', where => 'inside', distance => '0x10',
    start => $start, end => $end, text => 'SPI_SHADER_USER_DATA_PS_0 as V#', draw => 0, times => 2 }],
    '... inside of it';
is_deeply [life(high(2) + 0x800040, @of_ib)], [{ what => 'what commands set', where => 'inside', distance => '0x40',
    start => '0x200800000', text => 'SPI_SHADER_USER_DATA_PS_4 as an address', draw => 0 }], 'behind a pointer';
is_deeply [life(high(3) + 8, @of_ib)], [{ what => 'what commands set', where => 'inside', distance => '0x8',
    start => '0x300000000', text => 'CB_COLOR0_BASE', draw => 1 }], 'in a target of the second draw';
is_deeply [life(high(4) + 0xa00001, @of_ib)], [{ what => 'what commands set', where => 'inside', distance => '0x1',
    start => '0x400a00000', text => 'INDEX_BASE addr', draw => 1 }], 'in its indices';
is_deeply [life(high(9), @of_ib)], [], 'nothing is near: nothing is said';

# ---- Waves ----

my $code = spill('code.bin', pack 'V*', 0xe0302000, 0x80010100, 0xbf8c0f70, 0xbf810000); # buffer_load_dword; s_waitcnt
my $wave = spill('wave.txt', "SE SH CU SIMD WAVE# WAVE_STATUS PC_HI PC_LO INST_DW0 INST_DW1 EXEC_HI EXEC_LO HW_ID "
    . "GPRALLOC LDSALLOC TRAPSTS IBSTS TBA_HI TBA_LO TMA_HI TMA_LO IB_DBG0 M0\n"
    . "0 0 1 2 0 08012001 00000008 00102308 bf8c0f70 bf810000 0 ffff 0 0 0 0 1 0 0 0 0 0 0\n"
    . sprintf(">SGPRS[0..3] = { 00000000, 00000000, 00000000, 00000000 }\n>SGPRS[4..7] = { %08x, %08x, %08x, %08x }\n",
        @buffer));
my @of_wave = life(high(1) + 0x400700, '--raw', $code, $wave);
is_deeply \@of_wave, [{ what => q{a wave's descriptor}, where => 'past', distance => '0xc0', start => $start,
    end => $end, text => 'V# in s[4:7] for buffer_load_dword at 0x0' }], 'a wave waits for a load past the end';
my ($text) = gpudbg('--isa', 'gfx7', '--raw', $code, $wave, commands('info address 0x100400700'));
like $text, qr/^ +2   0xc0 bytes past the end of a wave's descriptor 0x100400000-0x100400640, V# in s\[4:7\] for /m,
    '... in words';
done_testing;
