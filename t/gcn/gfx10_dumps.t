#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Dumps of gfx10: packets of its command processor, its descriptors, its waves beside their code.  Words are put
# together here as the kernel's driver does (Linux, nvd.h and gfx_v10_0.c) and Mesa's (ac_pm4, sid.h, gfx10-rsrc.json),
# by shifts, and held against the names that gpudbg gives.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
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

# Units as Linux' handlers of traps count them (get_vgpr_size_bytes, get_svgpr_size_bytes, get_sgpr_size_bytes; LDS by
# SQ_WAVE_LDS_ALLOC_GRANULARITY): gfx10 for either size of waves, gfx8 and gfx9 with SGPRs in 16.
for my $of (['gfx10', 8], ['gfx10.3', 8], ['gfx8', 16], ['gfx9', 16]) {
    my ($family, $scalars) = @$of;
    my ($given) = gpudbg(commands(map { "reg $family:SQ_WAVE_$_" } qw(GPR_ALLOC LDS_ALLOC)));
    like($given, qr/SGPR_SIZE +how many, in $scalars, less one.*LDS_SIZE +how much, in 256 bytes/s, "$family: units");
    like($given, qr/VGPR_SIZE +how many, in 4, less one.*VGPR_SHARED_SIZE .*, in 8$/ms, '... of vector registers')
        if $family =~ /gfx10/;
}

# A T# of 1920 x 1080 and three slices: width is WIDTH_LO (31:30 of dword 1) and WIDTH_HI (11:0 of dword 2).
my ($width, $height) = (1920 - 1, 1080 - 1);
my @image = (0x00345678, 0x12 | 56 << 20 | ($width & 3) << 30, $width >> 2 | $height << 14 | 1 << 31,
    4 | 5 << 3 | 6 << 6 | 7 << 9 | 27 << 20 | 13 << 28, 2, 0, 0, 0);
my $end = spill('end', pack 'V', 0xbf810000);
my ($fields) = gpudbg('--isa', 'gfx10', '--raw', $end,
    commands('launch -g 32 -l 32 ' . join(' ', map { sprintf 's[%d]=0x%x', $_, $image[$_] } 0 .. 7),
        'print/T $s[0:7]'));
like($fields, qr/\bwidth\b.*\s1920 .*\bheight\b.*\s1080 .*dst_sel_x\b.*SQ_SEL_X.*sw_mode\b.*SW_64KB_R_X/s, 'an image');
like($fields, qr/base_address\b.*0x1200345678\s+0x120034567800 .*\bformat\b.*IMG_FMT_8_8_8_8_UNORM/s, '... its format');
like($fields, qr/\btype\b.*SQ_RSRC_IMG_2D_ARRAY.*\bdepth\b.*0x2\b/s, '... and last slice');

# A buffer as umr prints it since 2023: without the words that name a register, and without the initiator of a dispatch
# (src/lib/ring_decode of a public capture of gfx1033 has both).
my @words = ([0, packet3(0x76, 1), 'SET_SH_REG'], [8, 0x00123456, 'mmCOMPUTE_PGM_LO'],
    [12, packet3(0x15, 3) | 2, 'DISPATCH_DIRECT'], [16, 30, 'DIM_X'], [20, 17, 'DIM_Y'], [24, 1, 'DIM_Z'],
    [32, packet3(0x10, 0), 'NOP'], [36, 0, '']);
my $cut = spill('ib.txt', "Decoding IB at 0x3\@0x80010005a100 from 0x0\@0x28 of 10 words (type 4)\n" . join '', map {
    my ($at, $word, $name) = @$_;
    my $text = $name =~ /^[A-Z]+_?(?:SH_REG|DIRECT|)$/ && $word >> 30 == 3
        ? sprintf 'Opcode 0x%x [PKT3_%s] (%d words, type: 3, hdr: 0x%x)', $word >> 8 & 255, $name,
            ($word >> 16 & 0x3fff) + 1, $word
        : $name =~ /^mm/ ? sprintf('|---> gfx1033.%s=0x%x', $name, $word) : "|---> $name=$word";
    sprintf "[0x3\@0x80010005a100 + 0x%04x]\t[        0x%08x]\t%s\n", $at, $word, $text;
} @words);
my ($draws) = gpudbg($cut, commands('info draws', 'info draw 0'));
like($draws, qr/draw 0  DISPATCH_DIRECT of 5 dwords: 4 are here: 0xc0031502 0x1e 0x11 0x1$/m,
    'a dispatch of which one word is not printed is a draw');
like($draws, qr/COMPUTE_PGM_LO\s+0x00123456/, '... with the state that was set before it');

# Waves as umr prints them from gfx10 on, beside their code.
my $code = spill('code', pack 'V*', 0x81020100, 0x81030402, 0x7e000204, 0x7e020207, 0x80040104, 0xbf810000);
my @columns = (qw(SE 0 SA 0 WGP 1 SIMD 2), 'WAVE#', qw(0 WAVE_STATUS 08012001 PC_HI 00000008 PC_LO 00102308),
    qw(INST_DW0 7e000204 EXEC_HI 00000000 EXEC_LO 0000ffff HW_ID1 10010120 HW_ID2 00000000 GPRALLOC 01000300),
    qw(LDSALLOC 00000000 TRAPSTS 20000000 IBSTS1 00000183 IBSTS2 00000000 IB_DBG1 00000000 M0 80000000 MODE 000000f0));
my ($names, $values) = map { my $odd = $_; join ' ', @columns[grep { $_ % 2 == $odd } 0 .. $#columns] } 0, 1;
# Rows of waves, with IB_STS2 (bit 11: WAVE64) or without it, and more lines behind.
sub waves_text ($sts2, $more = '') {
    my ($names_of, $values_of) = ($names, $values);
    $names_of =~ s/IBSTS2 // if !defined $sts2;
    $values_of =~ s/(00000183) 00000000/defined $sts2 ? "$1 " . sprintf '%08x', $sts2 : $1/e;
    return "$names_of\n$values_of\n" . <<'END' . $more;
>SGPRS[0..3] = { 00000005, 00000007, 00000640, 00027fac }
   pgm[3@0x800102300 + 0x0] = 0x81020100       s_add_i32 s2, s0, s1
   pgm[3@0x800102300 + 0x4] = 0x81030402       s_add_i32 s3, s2, s4
 * pgm[3@0x800102300 + 0x8] = 0x7e000204       v_mov_b32 v0, s4
END
}
my $waves = spill('waves.txt', waves_text(0));
for my $isa (qw(gfx10 gfx10-wave64 gfx10.3)) {
    my $of_isa = spill('waves-of-isa.txt', waves_text($isa =~ /64/ ? 0x800 : 0));
    my @open = ('--isa', $isa, '--raw', $code, $of_isa);
    my ($said) = gpudbg(@open, commands('restore', 'print $s1', 'stepi', 'set $s4 = 5', 'stepi', 'print $v0',
        'print/x $exec', 'rsi', 'why off 20'));
    like($said, qr/dump's address 0x800102300 is 0x0 here; the words of 1 fit/, "$isa: waves are put into the machine");
    like($said, qr/^\$1 = 7\n.*s4 is not known.*^\$2 = 5\n\$3 = 0xffff\n/ms, '... stepped once what lacks is given');
    like($said, qr/lane 20/, '... asked why a lane is off');
    my ($rows) = gpudbg(@open, commands('info dump code'));
    like($rows, qr/^ +1 >  0x8 +v_mov_b32_e32 v0, s4  <- vector loads 3; (?#
        )scalar memory, LDS, GDS or messages 1; 16 more of scalar memory or LDS; halted$/m,
        '... and listed with what they wait for');
}

# How many lanes waves have: what the dump says comes first, by IB_STS2, by its vector registers, by the high half of
# EXEC.  Code that was opened for the other size is not restored, and what is to be typed is said, and works.
sub vectors ($lanes) {
    return 'VGPRS: ' . join(' ', map { sprintf ' t%02u', $_ } 0 .. $lanes - 1) . "\n    [  0] = { "
        . join(' ', map { sprintf '%08x', 3 * $_ } 0 .. $lanes - 1) . " }\n";
}
my %says = ('IB_STS2 of 64' => [64, waves_text(0x800)], 'IB_STS2 of 32' => [32, waves_text(0)],
    'vectors of 64' => [64, waves_text(undef, vectors(64))], 'vectors of 32' => [32, waves_text(undef, vectors(32))],
    'EXEC_HI' => [64, waves_text(undef) =~ s/7e000204 00000000 0000ffff/7e000204 00000001 0000ffff/r],
    'nothing' => [0, waves_text(undef)]);
for my $what (sort keys %says) {
    my ($lanes, $text) = @{ $says{$what} };
    my $file = spill('lanes.txt', $text);
    for my $chip (qw(gfx10 gfx1011 gfx1013 gfx10.3)) {
        for my $opened (32, 64) {
            my $isa = $opened == 64 ? "$chip-wave64" : $chip;
            my ($out, $err) = gpudbg('--isa', $isa, '--raw', $code, $file, commands('restore', 'print/x $exec'));
            my $good = !$lanes || $lanes == $opened;
            my $want = $good ? qr/^\$1 = 0x(?:10000)?ffff$/m
                : qr/have $lanes lanes \(.+\), but .* is \Q$isa\E, for waves of $opened: type `(.+?)`, then/;
            like($good ? $out : $err, $want, "$what: restored into $isa, or refused");
            next if $good || $chip ne 'gfx10.3' || $err !~ $want;
            my ($again) = gpudbg('--isa', $isa, '--raw', $code, $file, commands($1, 'restore', 'print/x $exec'));
            like($again, qr/waves of $lanes .*^\$1 = 0x/ms, '... and what it says to type restores them');
        }
    }
}
# Without code beside it: a buffer as umr prints it, and the code that its last command starts, at 0x123400.
sub program_of (@packets) {
    my ($at, $text) = (0, "Decoding IB at 0x3\@0x80010005a100 from 0x0\@0x28 of 40 words (type 4)\n");
    for my $packet (@packets) {
        for my $i (0 .. $#$packet) {
            my $said = $i ? sprintf('|---> gfx1033.mmCOMPUTE_DIM_X=0x%x', $packet->[$i])
                : sprintf('Opcode 0x%x [PKT3_X] (%d words, type: 3, hdr: 0x%x)', $packet->[0] >> 8 & 255, $#$packet,
                    $packet->[0]);
            $text .= sprintf "[0x3\@0x80010005a100 + 0x%04x]\t[        0x%08x]\t%s\n", $at, $packet->[$i], $said;
            $at += 4;
        }
    }
    my $n = 0;
    return join '', $text, "\n",
        map { sprintf "   pgm[3\@0x123400 + 0x%x] = 0x%08x\n", 4 * $n++, $_ } 0x7d840300, 0xbf810000;
}
sub sh ($addr, @values) { return [packet3(0x76, scalar @values), ($addr - 0xb000) / 4, @values] }
sub context ($addr, $value) { return [packet3(0x69, 1), ($addr - 0x28000) / 4, $value] }
my $draw = [packet3(0x2d, 1), 3, 2]; # DRAW_INDEX_AUTO
sub dispatch ($initiator) { return [packet3(0x15, 3) | 2, 8, 4, 1, $initiator] }
my %of_commands = (
    'a dispatch of 32' => [32, sh(0xb830, 0x1234, 0), dispatch(1 << 15 | 1)],
    'a dispatch of 64' => [64, sh(0xb830, 0x1234, 0), dispatch(1)],
    'dispatches of both' => [0, sh(0xb830, 0x1234, 0), dispatch(1), dispatch(1 << 15 | 1)],
    'a dispatch of other code' => [0, sh(0xb830, 0x1235, 0), dispatch(1)],
    'a dispatch with PS of 64 set' => [0, sh(0xb020, 0x1234, 0), context(0x286d8, 0), dispatch(1 << 15 | 1)],
    'pixels of 32' => [32, sh(0xb020, 0x1234, 0), context(0x286d8, 1 << 15), $draw],
    'pixels of 64' => [64, sh(0xb020, 0x1234, 0), context(0x286d8, 0x7fff), $draw],
    'vertices of 32' => [32, sh(0xb120, 0x1234, 0), context(0x28b54, 1 << 23), $draw],
    'vertices of 64' => [64, sh(0xb120, 0x1234, 0), context(0x28b54, 3 << 21), $draw],
    'geometry of 32' => [32, sh(0xb320, 0x1234, 0), context(0x28b54, 1 << 22), $draw],
    'geometry of 64' => [64, sh(0xb320, 0x1234, 0), context(0x28b54, 5 << 21), $draw],
    'hulls of 32' => [32, sh(0xb520, 0x1234, 0), context(0x28b54, 1 << 21), $draw],
    'hulls of 64' => [64, sh(0xb520, 0x1234, 0), context(0x28b54, 6 << 21), $draw],
    'a stage without VGT_SHADER_STAGES_EN' => [0, sh(0xb520, 0x1234, 0), $draw],
);
for my $what (sort keys %of_commands) {
    my ($lanes, @packets) = @{ $of_commands{$what} };
    my $file = spill('program.txt', program_of(@packets));
    my ($said) = gpudbg($file, commands('packets 1', 'info dump streams'));
    my ($size, $mask) = $lanes == 64 ? (64, 'vcc') : (32, 'vcc_lo');
    my $assumed = $lanes ? '' : ' \(the dump does not say for how many lanes\)';
    my $title = $lanes ? '' : '; the dump does not say for how many lanes';
    like($said, qr/^stream 1: code, AMD RDNA 2, waves of $size \(help gfx10\)\Q$title\E\n.*v_cmp_\w+ $mask, v0, v1$/ms,
        "$what: its code");
    like($said, qr/stream 1: code, 8 bytes at 0x123400, gfx10\.3(?:-wave64)?$assumed$/m, '... in the list of streams');
    next if $lanes;
    my ($asked) = gpudbg('--isa', 'gfx10.3-wave64', $file, commands('packets 1'));
    like($asked, qr/waves of 64 \(help gfx10\)\n.*vcc, v0, v1$/ms, '... as --isa says');
}

# The code says which generation it is, where the dump leaves it open: v2 = v4 + (v3 >> 4) in lane 8.
my @wave32 = ('t/data/kernels/gfx10/divergence-O2.co', 't/data/dumps/waves-gfx1030.txt');
like((gpudbg(@wave32, commands('info dump code')))[0], qr/^ +\d+ >  0x29a8 +v_lshrrev_b32_e32 v2, 4, v3/m,
    'waves of a gfx1030 code object, beside its code');
like((gpudbg(@wave32, commands('restore', 'stepi', 'stepi', 'lane 8', 'print/x $v2', 'print/x $s2')))[0],
    qr/^\$1 = 0xfe92907f\n\$2 = 0x822281$/m, '... continued');

# The same wave in umr's other layouts for gfx10, as its print_waves.c writes them (umr_print_waves_nv until 2023, the
# groups of registers since then): all say the same.
my ($head, $row, @rest) = do { open my $in, '<', $wave32[1] or die "$wave32[1]: $!\n"; <$in> };
my %reg;
@reg{split ' ', $head} = split ' ', $row;
my %full = (WAVE_STATUS => 'STATUS', GPRALLOC => 'GPR_ALLOC', LDSALLOC => 'LDS_ALLOC', IBSTS1 => 'IB_STS',
    IBSTS2 => 'IB_STS2');
my $where = "se$reg{SE}.sa$reg{SA}.wgp$reg{WGP}.simd$reg{SIMD}.wave$reg{'WAVE#'}";
my $rule = '-' x 54;
my @scalars = map { /^>SGPRS\[(\d+)\.\.(\d+)\](.*)/ ? sprintf "\t[%4u..%4u]%s\n", $1, $2, $3 : () } @rest;
my @vectors = grep { /^VGPRS|^ +\[ *\d+\] = / } @rest;
my @pgm = grep { /pgm\[/ } @rest;
my ($n, %of) = (0);
sub column ($name, $value) { return sprintf '%20s: %s |%s', $name, $value, ++$n % 4 ? '' : "\n" }
sub titled ($title, $key, @fields) {
    $n = 0;
    return "\n\n\t$title\[$reg{$key}]:\n\t" . join('', map { column($_, sprintf '%8u', 0) } @fields);
}
$of{bits} = "\n$rule\n$where\n\n\n\tMain Registers:\n\t" . join('', map { column($$_[0], $reg{$$_[1]}) }
    [pc_hi => 'PC_HI'], [pc_lo => 'PC_LO'], [wave_inst_dw0 => 'INST_DW0'], [exec_hi => 'EXEC_HI'],
    [exec_lo => 'EXEC_LO'], [m0 => 'M0'], [ib_dbg1 => 'IB_DBG1'])
    . titled('Wave_Status', 'WAVE_STATUS', qw(scc execz vccz in_tg halt valid)) . titled('HW_ID1', 'HW_ID1', 'wave_id')
    . titled('HW_ID2', 'HW_ID2', 'queue_id', 'vm_id') . titled('GPR_ALLOC', 'GPRALLOC', 'vgpr_base')
    . join('', "\n\nSGPRS:\n", @scalars, "\n", @vectors, "\n\nPGM_MEM:\n\n", @pgm)
    . titled('LDS_ALLOC', 'LDSALLOC', 'lds_base') . titled('IB_STS', 'IBSTS1', 'vm_cnt', 'replay_w64h')
    . titled('IB_STS2', 'IBSTS2', 'inst_prefetch', 'wave64', 'subv_loop') . titled('TRAPSTS', 'TRAPSTS', 'excp')
    . titled('MODE', 'MODE', 'fp_round') . "\n";
$n = 0;
$of{groups} = "\n$rule\n$where\n\n\nMain Registers:\n" . join('', map {
        column('ixSQ_WAVE_' . ($full{$_} // $_), $reg{$_}) } grep { !/^(?:SE|SA|WGP|SIMD|WAVE#)$/ } split ' ', $head)
    . join('', "\n\nSGPRS:\n", @scalars, "\n", @vectors, "\n\nPGM_MEM:\n\n", @pgm);
sub said_of ($file) {
    return join "\n", map { s/^ *\d+ +//gmr } map { s/\Q$file\E/FILE/gr =~ s/, line \d+,/,/r }
        (gpudbg($wave32[0], $file, commands('info dump code')))[0],
        (gpudbg($wave32[0], $file, commands('restore', 'info registers', 'stepi 2', 'print/x $v2')))[0],
        join ' ', sort map { "$_->{name}=$_->{value}" } grep { $_->{type} eq 'register' && $_->{name} =~ /^SQ_WAVE/ }
        records(commands('info dump registers'), $file);
}
my $first = said_of($wave32[1]);
like($first, qr/SQ_WAVE_IB_STS2=/, 'a wave in rows');
for my $layout (sort keys %of) {
    is(said_of(spill("$layout.txt", $of{$layout})), $first, "umr's layout with $layout: the same wave, and it goes on");
}
# Rows of code alone, as a page about umr shows them: read, whether the program ends there or not; without a generation
# what is missing is said.
for my $rows (3, 4) {
    my @rows = map { sprintf "   pgm[3\@0x800102300 + 0x%x ] = 0x%08x\ttext\n", 4 * $_,
        (0x81020100, 0x7d840300, 0x7e000204, 0xbf810000)[$_] } 0 .. $rows - 1;
    my $page = spill('page.md', join '', "# umr\n\n```\n", map({ s/text/s_endpgm/r } @rows), "```\n");
    my (undef, $missing) = gpudbg($page, commands('packets 0'));
    like($missing, qr/code of a generation that is not said is not decoded: name the generation with --isa/,
        "$rows rows alone");
    for my $isa (qw(gfx10 gfx10-wave64 gfx1033 gfx10.3-wave64 gfx7)) {
        my ($read) = gpudbg('--isa', $isa, $page, commands('packets 0'));
        my $mask = $isa =~ /64|gfx7/ ? 'vcc' : 'vcc_lo';
        like($read, qr/0x800102300  s_add_i32 s2, s0, s1\n.*v_cmp_eq_u32_e32 $mask, v0, v1\n/, "... with --isa $isa");
    }
}
like((gpudbg($waves, commands('packets 0')))[1],
    qr/of gfx10, gfx10\.3, gfx11 or gfx12 is not decoded: name the .*--isa/,
    'one of several generations: what is missing');

my (undef, $other) = gpudbg('--isa', 'gfx7', '--raw', $code, $waves, commands('restore'));
like($other, qr/waves run gfx10, gfx10\.3, gfx11 or gfx12 code, but the loaded code is gfx7/, 'code of another chip');
like((gpudbg('--screen', '150x44', '--isa', 'gfx10.3', '--raw', $code, $waves, commands('screenshot')))[0],
    qr/>0008   v_mov_b32/, 'on the screen code and dump open with the waves in place');
done_testing;
