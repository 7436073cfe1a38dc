# SPDX-License-Identifier: GPL-3.0-or-later
#
# RDNA code in text: as llvm-objdump and llvm-mc print it, as Mesa's drivers print shaders.  Words and texts are LLVM
# 19's for gfx1030.  And shaders with the header of the console with RDNA, from the layout that emulators publish; the
# files are made here.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

sub file_of ($path) { my ($file) = grep { $_->{type} eq 'file' } records(commands('info file'), $path); return $file }
sub text_of ($path) {
    return [map { $_->{text} } grep { $_->{type} eq 'insn' } records(commands('disassemble'), $path)];
}

my @code = ('v_cndmask_b32_e32 v0, v1, v2, vcc_lo', 'global_load_dword v3, v[0:1], off',
    'image_sample v[0:3], [v0, v5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D', 's_endpgm');
my @wide = ($code[0] =~ s/vcc_lo/vcc/r, @code[1 .. 3]);
my @words = ([0x02000501], [0xdc308000, 0x037d0000], [0xf0800f0a, 0x00400000, 5], [0xbf810000]);

my @at = (0, 4, 12, 24);

my $objdump = "\n/tmp/x.co:\tfile format elf64-amdgpu\n\nDisassembly of section .text:\n\n0000000000001e00 <first>:\n";
for my $i (0 .. $#code) {
    $objdump .= sprintf "\t%-60s// %012X: %s\n", $code[$i], 0x1e00 + $at[$i],
        join ' ', map { sprintf '%08X', $_ } $words[$i]->@*;
}
$objdump .= sprintf "\ts_code_end %48s// 000000001E1C: BF9F0000\n", '';
$objdump .= "\n0000000000001f00 <second>:\n\ts_cbranch_vccnz 1          // 000000001F00: BF870001 <second+0x8>\n"
    . "\ts_gl1_inv                  // 000000001F04: F47C0000 00000000\n"
    . "\ts_endpgm                   // 000000001F0C: BF810000\n";
my $file = spill('objdump.txt', $objdump);
is_deeply(text_of("$file(first)"), \@code, 'a function of llvm-objdump, without the padding after it');
is(file_of("$file(first)")->{isa}, 'gfx10', '... the first generation that has its instructions');
is_deeply(text_of("$file(second)"), ['s_cbranch_vccnz 1', 's_gl1_inv', 's_endpgm'],
    '... and the next one, with a branch');

$file = spill('named.txt', "clang -mcpu=gfx1030\n$objdump");
is(file_of("$file(first)")->{isa}, 'gfx10.3', 'the chip that the text names');

my $mc = join '', map { my $i = $_; sprintf "\t%-60s; encoding: [%s]\n", $wide[$i], join ',',
    map { sprintf '0x%02x', $_ } unpack 'C*', pack 'V*', $words[$i]->@* } 0 .. $#wide;
$file = spill('mc.txt', $mc);
is_deeply(text_of($file), \@wide, 'llvm-mc -show-encoding');
is(file_of($file)->{isa}, 'gfx10-wave64', '... with masks of 64 lanes');

my $clrx = join '', map {
    my $i = $_;
    sprintf "/*%04x: %-17s*/ %s\n", 0x300 + $at[$i], join(' ', map { sprintf '%08x', $_ } $words[$i]->@*), $code[$i]
        } 0 .. $#code;
is_deeply(text_of(spill('clrx.txt', $clrx)), \@code, 'dwords in a comment before each instruction, as CLRX has them');
is_deeply(text_of(spill('clrx.txt', $clrx =~ s/(?<=\*)[0-9a-f]{4}: //gr)), \@code, '... without addresses');
(undef, my $hint) = gpudbg('--isa', 'gfx10.3', spill('code.s', "s_nop 0\ns_endpgm\n"), commands('disassemble'));
like($hint, qr/gpudbg --isa gfx10\.3 --batch -e "assemble/, 'text alone: how to assemble it, for the chip asked for');

my $mesa = "AMD NAVI21 (navi21, LLVM 15)\nPixel Shader:\nShader main disassembly:\nBB0_0:\n" . join '', map {
    my $i = $_;
    sprintf "\t%-60s; %s\n", $code[$i], join ' ', map { sprintf '%08x', $_ } $words[$i]->@* } 0 .. $#code;
$file = spill('mesa.txt', "$mesa\nSPI_PS_INPUT_ADDR = 0x2\n********************\n");
is_deeply(text_of($file), \@code, 'a shader of radeonsi');
my $of = file_of($file);
is($of->{isa}, 'gfx10.3', '... of the chip in the first line');
like($of->{facts}{stage}, qr/Pixel Shader/, '... and its stage');
$file = spill('other.txt', $mesa =~ s/NAVI21 \(navi21/GFX906 (gfx906/r . "********************\n");
my (undef, $err) = gpudbg($file);
like($err, qr/the text names gfx906, whose code is not read/, 'a chip that is not read is named');

# The header: "1234", the version, tables at distances, sizes, kind.
sub shader (%o) {
    my $code = pack 'V*', map { @$_ } @words;
    my @context = ([0x1b6, $o{context} // 0], [0x1b4, 2]);
    my @registers = map { [$_->[0], $_->[1]] } ($o{registers} // [])->@*;
    my $tables = join '', map { pack 'V2', @$_ } @context, @registers;
    my $special = pack 'V5', 0x25b, 0, 0x2d5, $o{stages} // 0, $o{dispatch} // 0;
    my $context = 0x60;
    my $sh = $context + 8 * @context;
    my $sp = $sh + 8 * @registers;
    my $size = $sp + length $special;
    return pack('V2 Q<7 V5 v3 C3', 0x34333231, 0x18, 0, 0, $context - 0x18, $sh - 0x20, $sp - 0x28, 0, 0, $size,
        $o{length} // length $code, 0, 0, 0, 12, 0, 20, $o{kind}, scalar @context, scalar @registers) . "\0" x 3
        . $tables . $special . $code;
}
$file = spill('pixel', shader(kind => 1, context => 1 << 15, registers => [[0x00a, 0x123], [0x00b, 0x456]]));
$of = file_of($file);
is($of->{isa}, 'gfx1013', 'a pixel shader with waves of 32, by SPI_PS_IN_CONTROL');
is_deeply([@{ $of->{facts} }{qw(rsrc1 rsrc2 scratch)}], ['0x00000123', '0x00000456', 48], '... its registers');
like($of->{facts}{stage}, qr/pixel/, '... its stage');
is_deeply(text_of($file), \@code, '... its code');
$of = file_of(spill('compute', shader(kind => 0, dispatch => 0)));
is($of->{isa}, 'gfx1013-wave64', 'a compute shader with waves of 64, by the modifier of its dispatch');
$of = file_of(spill('geometry', shader(kind => 2, stages => 1 << 22)));
is($of->{isa}, 'gfx1013', 'a geometry shader with waves of 32, by VGT_SHADER_STAGES_EN');
(undef, $err) = gpudbg(spill('cut', shader(kind => 1, length => 4096)));
like($err, qr/names 4096 bytes of code, and the file has/, 'code in another file is asked for');
# A dword that the disassembler did not know is code as any other (a public report of v_writelane_b32 from RADV).
my ($listed) = gpudbg(spill('unknown.txt', <<'END'), commands('disassemble'));
	s_inst_prefetch 0x3                                        // 000000000318: BFA00003
	.long 0xd761000b // unrecognized instruction               // 00000000031C: D761000B
	.long 0x42d4001 // unrecognized instruction                // 000000000320: 042D4001
	s_mov_b32 s1, 0                                            // 000000000324: BE810380
	s_endpgm                                                   // 000000000328: BF810000
END
like $listed, qr/s_inst_prefetch.*0000\n.*v_writelane_b32.*0004\n.*s_mov_b32.*000c\n.*s_endpgm.*0010/s,
    'it keeps its place';

# What is posted: parts, quoted, by other tools.  Words and texts are LLVM 19's (llvm-mc) for gfx1010 and gfx1013.
my $sp3 = "UC_VERSION_GFX10 | UC_VERSION_W64_BIT   // 000000000000: B0802004";
my @posted = (
    ["  s_version     $sp3\n  s_inst_prefetch  0x0003               // 000000000004: BFA00003\n"
            . "  v_mov_b32     v0, lit(0x3c003c00)     // 000000000008: 7E0002FF 3C003C00\n"
            . "  v_or_b32      v0, v1, v2 src0_sel:BYTE_0 // 000000000010: 380004F9 06000601\n",
        "AMD's own disassembler, which names no encoding", 'gfx10-wave64',
        's_version 0x2004 s_inst_prefetch 3 v_mov_b32_e32 v0, 0x3c003c00 v_or_b32_sdwa v0, v1, v2 dst_sel:DWORD '
            . 'dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD'],
    ["_amdgpu_cs_main:\ns_version 0x4004 ; 000000000000: B0804004\ns_inst_prefetch 0x3 ; 000000000004: BFA00003\n"
            . "s_getpc_b64 s[0:1] ; 000000000008: BE801F80\n; ...\n",
        'dwords behind a semicolon and their address', 'gfx10',
        's_version 0x4004 s_inst_prefetch 3 s_getpc_b64 s[0:1]'],
    ["   0x00007ff58936746c <+20588>:\t05 03 fc be\ts_mov_b32 m0, s5\n"
            . "=> 0x00007ff589367470 <k+20592>:\t00 00 a0 bf\ts_inst_prefetch 0x0\n"
            . "   0x00007ff589367474 <+20596>:\t00 00 81 bf\ts_endpgm\n",
        'bytes behind an address, as debuggers print them', 'gfx10', 's_mov_b32 m0, s5 s_inst_prefetch 0 s_endpgm'],
    ["On Monday someone wrote:\n> > ```\n" . join('', map { "> > $_\n" } 's_mul_i32 s1, 64, s7       ; 930107c0',
            's_load_dwordx8 s[48:55], s[18:19], s1  ; f40c0c09 02000000', 's_waitcnt lgkmcnt(0)  ; bf8cc07f')
            . "> > ```\n",
        'quoted in mail', 'gfx10', 's_mul_i32 s1, 64, s7 s_load_dwordx8 s[48:55], s[18:19], s1 s_waitcnt lgkmcnt(0)'],
    ["BB6:\n\ts_mov_b64 exec, s[0:1]     ; befe0400\n\ts_clause 0x1     ; bfa10001\n"
            . "\tv_and_b32_e32 v1, 12, v0     ; 3602008c\n\ts_endpgm     ; bf810000\n",
        'masks of 64 lanes without a name that says so', 'gfx10-wave64',
        's_mov_b64 exec, s[0:1] s_clause 1 v_and_b32_e32 v1, 12, v0 s_endpgm'],
    ["; llvm-objdump -d, target gfx1013.\n\ts_clause 0x3  // 00000001ED00: BFA10003\n"
            . "\ts_waitcnt_depctr depctr_vm_vsrc(0) // 00000001ED04: BFA3FF03\n"
            . "\tv_add3_u32 v34, v34, v23, 0x400 // 00000001ED08: D76D0022 03FE2F22 00000400\n",
        'a chip whose name is that of its instruction set', 'gfx1013',
        's_clause 3 s_waitcnt_depctr depctr_vm_vsrc(0) v_add3_u32 v34, v34, v23, 0x400'],
);
for (@posted) {
    my ($text, $what, $isa, $is) = @$_;
    my $posted = spill('posted.txt', $text);
    my $file = file_of($posted);
    is("$file->{isa} @{text_of($posted)}", "$isa $is", $what);
    is(defined $file->{facts}{'cut off'}, $is !~ /s_endpgm/, '... and whether it is cut off is said');
}
my $parts = spill('parts.txt', "00000100 <f>:\n" . join '',
    map { sprintf "\ts_inst_prefetch 0x%x // %012X: BFA0%04X\n", @$_ }
    [1, 0x100, 1], [2, 0x104, 2], [3, 0x200, 3], [4, 0x104, 4]);
is_deeply([map { text_of("$parts($_)") } 'f', 2, 'shader'],
    [['s_inst_prefetch 1', 's_inst_prefetch 2'], ['s_inst_prefetch 3'], ['s_inst_prefetch 4']],
    'where addresses do not go on, another part begins');
my ($open) = gpudbg(spill('open.txt', "0x10 <k: 00 00 80 bf s_nop 0\n0x14 <" . "x" x 9 . "\n" . join '', $posted[2][0]),
    commands('disassemble'));
like($open, qr/s_mov_b32 m0, s5/, 'a name in brackets that do not close is no address');
my @refused = gpudbg(spill('bare.txt', join '', map { "   0x00007ff58936746c <+4>: $_\n" } 's_add_u32 s1, s12, s4',
    'v_mad_u64_u32 v[2:3], null, v1, s2, v[0:1]', 's_mul_i32 s4, s1, s2'), commands('disassemble'));
like($refused[1], qr/AMD's instructions without their bytes: .*disassemble \/r/, 'lines without bytes: what to do');
like($refused[1], qr/--isa CHIP .*does not say which/, '... and no chip is guessed');
# rocgdb's x/i, to the end of the program or not: without bytes, it is no assembly; the chip is the one that it names.
my @lines = ('s_load_dwordx2 s[0:1], s[4:5], 0x0', 'v_mov_b32_e32 v2, 0', 's_waitcnt lgkmcnt(0)',
    'global_load_dword v1, v2, s[0:1]', 'v_add_nc_u32_e32 v1, 1, v1', 's_endpgm');
for my $of ([4, '', 'CHIP'], [5, '', 'CHIP'], [5, "Thread 5 on gfx1036\n", 'gfx1036']) {
    my ($last, $first, $chip) = @$of;
    my $x = spill('x.txt', $first . join '', map {
        sprintf "%s 0x7ffff52000%02x <kern+%d>:\t%s\n", $_ == 1 ? '=>' : '  ', 8 * $_, 8 * $_, $lines[$_] } 0 .. $last);
    my (undef, $why) = gpudbg($x, commands('disassemble'));
    like($why, qr/AMD's instructions without their bytes: .*disassemble \/r.*--isa $chip --batch/,
        "x/i of $last+1 lines: $chip");
    unlike($why, qr/gfx7/, '... and no other');
}
done_testing;
