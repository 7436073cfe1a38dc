#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# gfx6 (Southern Islands): what it lacks, has of its own, and does otherwise than gfx7.  Words and refusals are those of
# llvm-mc 19, -mcpu=gfx600; the addresses, sums and limits were worked out on paper.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my @on6 = ('--isa', 'gfx6');

# The bytes of the text, in the order of memory.
sub assembled ($text, @isa) {
    my ($record) = grep { $_->{type} =~ /^(?:insn|error)$/ } records(@isa, commands("assemble /i $text"));
    return $record->{bytes} // "refused: $record->{message}";
}

for (['s_endpgm', '000081bf'], ['buffer_wbinvl1_sc', '0000c0e100000000'],
    ['s_load_dword s0, s[0:1], 0xff', 'ff0100c0'], ['ds_min_f32 v0, v0', '000048d800000000'],
    ['buffer_load_dword v0, v[0:1], s[0:3], 0 addr64', '008030e000000080'],
    ['image_atomic_rsub v0, v0, s[0:7] dmask:0x1', '00014cf000000000']) {
    is(assembled($_->[0], @on6), $_->[1], "gfx6: $_->[0]");
}
for ('flat_load_dword v0, v[4:5]', 'v_floor_f64_e32 v[2:3], s[4:5]', 'ds_read_b128 v[0:3], v0', 's_dcache_inv_vol',
    'v_mad_u64_u32 v[10:11], s[10:11], v0, v5, v[12:13]', 'buffer_wbinvl1_vol', 's_load_dword s0, s[0:1], 0x100',
    's_mov_b32 s0, flat_scratch_lo', 'ds_gws_sema_release_all gds') {
    like(assembled($_, @on6), qr/^refused: /, "gfx6 has no $_");
    unlike(assembled($_, '--isa', 'gfx7'), qr/^refused: /, '... and gfx7 has') unless /gds/;
}
like(assembled('buffer_wbinvl1_sc', '--isa', 'gfx7'), qr/^refused: /, 'what gfx6 has of its own, gfx7 lacks');

# Names of LLVM and of the chips; what the set lacks is not told of.
for my $name (qw(gfx600 gfx601 gfx602 tahiti pitcairn verde oland hainan southern-islands)) {
    my ($record) = grep { $_->{type} eq 'insn' } records('--isa', $name, commands('decode bf810000'));
    is($record->{isa}, 'gfx6', "$name is gfx6");
}
my (undef, $err) = gpudbg(@on6, commands('help insn flat_load_dword'));
like($err, qr/no instruction "flat_load_dword"/, 'help does not know what the chip lacks');
my ($out) = gpudbg(@on6, commands('decode dc300000', 'decode c00001ff', 'decode c00000ff', 'decode be800368'));
like($out, qr/\.long 0xdc300000 .*no instruction/, 'FLAT words are no instructions');
like($out, qr/s_load_dword s0, s\[0:1\], 0xff/, 'an offset of 8 bits');
like($out, qr/\.long 0xc00000ff .*no instruction/, 'a scalar load has no literal offset');
like($out, qr/s_mov_b32 s0, reserved_104/, 'FLAT_SCRATCH is not there');

sub stops ($name, $words, @launch) {
    Kernels::write_file("$dir/code", pack 'V*', @$words, 0xbf810000);
    return gpudbg(@on6, '--raw', "$dir/code", commands("launch -g 64 -l 64 @launch", 'continue'));
}
# v_fract_f64 v[2:3], v[0:1] of NaN, of numbers whose distance from -1 rounds to 1, and of others.  LLVM replaces the
# results of the first two: isnan(x) ? x : min(v_fract(x), the largest number below 1).
for (['0x7ff8000000000000', 1], ['0xfff0000000000001', 1], ['0xbc90000000000000', 1], ['0x8010000000000000', 1],
    ['0xbc90000000000001', 0], ['0xbca0000000000000', 0], ['0x8000000000000000', 0], ['0xfff0000000000000', 0],
    ['0xc00c000000000000', 0], ['0x0', 0]) {
    my ($x, $unknown) = @$_;
    my ($high, $low) = unpack 'NN', pack 'H16', substr('0' x 16 . substr($x, 2), -16);
    ($out, $err) = stops('fract', [0x7e0002ff, $low, 0x7e0202ff, $high, 0x7e047d00]);
    my $why = 'v_fract_f64: the result of this input on gfx6 is not known: an erratum';
    is("$out$err" =~ /lane 0.*\Q$why\E/ ? 1 : 0, $unknown, "v_fract_f64 of $x " . ($unknown ? 'stops' : 'is known'));
}
for (['0x7fc00000', 1], ['0xb3000000', 1], ['0xb3000001', 0], ['0x80000001', 0], ['0xbfc00000', 0]) {
    my ($x, $unknown) = @$_;
    ($out, $err) = stops('fract', [0x7e0002ff, hex $x, 0x7e024100]);
    is("$out$err" =~ /lane 0.*v_fract_f32: the result of this input on gfx6 is not known/ ? 1 : 0, $unknown,
        "v_fract_f32 of $x " . ($unknown ? 'stops' : 'is known'));
}
# v_qsad_u8 v[4:5], v[0:1], v2, v[0:1]: four sums of four bytes each, on paper.
Kernels::write_file("$dir/code", pack 'V*', 0x7e0002ff, 0x04030201, 0x7e0202ff, 0x00000605, 0x7e0402ff, 0x01010101,
    0xd2e40004, 0x04020500, 0xbf810000);
($out) = gpudbg(@on6, '--raw', "$dir/code", commands('launch -g 64 -l 64', 'stepi 4', 'print /x $v4', 'print /x $v5'));
like($out, qr/0x40d0207\n.*0xd0613\n/s, 'v_qsad_u8');
# s_mov_b32 m0, -1; v_mov_b32 v0, -16; ds_read_b32 v1, v0 offset:32
my @negative = (0xbefc03c1, 0x7e0002d0, 0xd8d80020, 0x01000000);
($out, $err) = stops('negative', \@negative, 'lds=256');
like($out . $err, qr/0xfffffff0, plus an offset: what gfx6 makes of it is not known/,
    'a negative LDS address plus an offset stops');
(undef, $err) = stops('limit', [], 'lds=40000');
like($err, qr/lds=40000 is not 0 to 32768 bytes/, 'a group has 32 KB of LDS');

# v_readfirstlane_b32 s4, v0; s_load_dword s0, s[4:5], 0x0: four wait states on this chip alone (LLVM's recognizer).
for ([3, 1], [4, 0]) {
    my ($states, $reports) = @$_;
    Kernels::write_file("$dir/code", pack 'V*', 0x7e080500, 0xbf800000 + $states - 1, 0xc0000500, 0xbf810000);
    for my $isa (qw(gfx6 gfx7)) {
        ($out) = gpudbg('--isa', $isa, '--raw', "$dir/code", commands('check hazard'));
        is(scalar(() = $out =~ /s_load_dword reads s4 .* after v_readfirstlane_b32 wrote it; 4 are needed/g),
            $isa eq 'gfx6' ? $reports : 0, "$isa: a scalar load $states wait states after its address is written");
    }
}
done_testing;
