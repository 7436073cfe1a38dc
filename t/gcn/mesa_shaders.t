#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Shaders as radeonsi and RADV print them, in the middle of a log: each opens as a member with its stage and registers.
# The dwords are LLVM's, assembled here; the lines around them are in the drivers' form.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $assembler = $ENV{LLVM_MC} // 'llvm-mc-19';
plan skip_all => "no $assembler" if system("command -v $assembler >/dev/null 2>&1") != 0;

sub facts { my ($file) = grep { $_->{type} eq 'file' } @_; return $file->{facts} // {} }
sub mnemonics { return join ' ', map { $_->{mnemonic} } grep { $_->{type} eq 'insn' } @_ }

# Instructions as the drivers print them: LLVM's text, then its dwords in hexadecimal.
sub printed {
    my ($chip, @lines) = @_;
    my $file = spill('in.s', join '', map { "$_\n" } @lines);
    return map {
        my ($text, $bytes) = /^\t(\S.*?)\s*; encoding: \[(.*)\]/ or die $_;
        sprintf "\t%-60s ; %s\n", $text, join ' ', map { sprintf '%08X', $_ } unpack 'V*',
            pack 'C*', map { hex } split /,/, $bytes;
    } grep { /encoding/ } qx($assembler -triple amdgcn -mcpu=$chip -show-encoding $file);
}
my @pixel = ('s_mov_b32 m0, s5', 'v_interp_mov_f32 v0, p0, attr0.x', 'v_interp_mov_f32 v1, p0, attr0.y');
my @epilog = ('v_cvt_pkrtz_f16_f32 v0, v0, v1', 'exp mrt0 v0, v0, v1, v1 done compr vm', 's_endpgm');
my @compute = ('v_mov_b32 v3, 0x2a', 's_endpgm');

my $stars = '*' x 20;
my $text = join '', "radeonsi: Compiling shader 1\n; ModuleID = 'mesa-shader'\nSHADER KEY\n  as_es = 0\n\n",
    "Pixel Shader:\nShader main disassembly:\nmain:\nBB0_0:\n", printed('gfx700', @pixel),
    "Shader epilog disassembly:\nps_epilog:\n", printed('gfx700', @epilog),
    "\n*** SHADER CONFIG ***\nSPI_PS_INPUT_ADDR = 0x0302\nSPI_PS_INPUT_ENA  = 0x0002\n*** SHADER STATS ***\n",
    "SGPRS: 8\nVGPRS: 24\nCode Size: 68 bytes\n$stars\n\n\nCompute Shader:\nBB0:\n", printed('gfx700', 's_nop 0'),
    "\t(then repeated 3 times)\n", printed('gfx700', @compute),
    "COMPUTE_PGM_RSRC1 = 0x002c0040\nCOMPUTE_PGM_RSRC2 = 0x00000090\nSGPRS: 16\n$stars\n",
    "Tessellation Evaluation Shader as VS:\n", printed('gfx700', 's_nop 0', @compute), "$stars\n",
    "Vertex Shader as VS:\n", printed('gfx803', 's_load_dwordx4 s[0:3], s[8:9], 0x0', 's_endpgm'), "$stars\n";

subtest 'shaders of Tahiti' => sub {
    my @code = ('s_nop 0', 'buffer_wbinvl1_sc', 'v_mov_b32 v3, 0x2a', 's_endpgm'); # no gfx7 has the second
    my $file = spill('si.txt', join '', "Compute Shader:\n", printed('tahiti', @code), ('*' x 20) . "\n");
    my @all = records($file, commands('info file', 'disassemble'));
    my ($opened) = grep { $_->{type} eq 'file' } @all;
    is $opened->{isa}, 'gfx6', 'what no gfx7 has is opened as gfx6';
    is mnemonics(@all), 's_nop buffer_wbinvl1_sc v_mov_b32 s_endpgm', '... whole';
    # Code that both chips have is of the one that the log names: radeonsi's renderer, RADV's device, LLVM's command.
    my $both = join '', "Compute Shader:\n", printed('tahiti', 's_nop 0', @compute), "$stars\n";
    for (['AMD TAHITI (DRM 2.50.0, LLVM 5.0.0)', 'gfx6', 'TAHITI'], ['AMD RADV OLAND (LLVM 8.0.1)', 'gfx6', 'OLAND'],
        ['llc -march=amdgcn -mcpu=tahiti', 'gfx6', 'tahiti'], ['"target-cpu"="gfx600"', 'gfx6', 'gfx600'],
        ['AMD Radeon HD 7900 (radeonsi, tahiti, LLVM 15.0.7, DRM 3.49)', 'gfx6', 'tahiti'],
        ['AMD BONAIRE (DRM 2.50.0, LLVM 5.0.0)', 'gfx7', 'BONAIRE'],
        ['no chip here', 'gfx7', 'assumed: the file does not name it (--isa does)']) {
        my ($line, $isa, $chip) = @$_;
        my $log = spill('named.txt', "$line\n\n$both");
        ($opened) = grep { $_->{type} eq 'file' } records($log, commands('info file'));
        is "$opened->{isa}, $opened->{facts}{chip}", "$isa, $chip", $line;
    }
    my $refused = qx('@{[Gpudbg::program()]}' --batch '@{[spill('vi.txt', "AMD POLARIS (gfx803)\n$both")]}' 2>&1);
    like $refused, qr/the text names gfx803, whose code is not read/, 'a chip that is not read is named';
};

subtest 'a shader that only ends' => sub {
    my $file = spill('end.txt', join '', "Pixel Shader:\n", printed('gfx700', 's_endpgm'), "$stars\n",
        "Compute Shader:\n", printed('gfx700', 's_nop 0', 's_nop 1', 's_endpgm'), "$stars\n");
    my @all = records($file, commands('info file', 'info folder', 'disassemble'));
    is facts(@all)->{stage}, 'pixel', 'it opens, with its stage';
    is mnemonics(@all), 's_endpgm', '... and is its one instruction';
    is join(' ', map { $_->{form} } grep { $_->{type} eq 'code-file' } @all), 'mesa-shaders mesa-shaders',
        'the list names the form of the log, not how its members are handed on';
};

# As aco's print_asm writes them; they lie directly behind the code.
subtest 'constants behind the code' => sub {
    my $file = spill('aco.txt', join '', "Compute Shader:\ndisasm:\nBB0:\n", printed('gfx700',
        's_getpc_b64 s[4:5]', 's_load_dwordx2 s[8:9], s[4:5], 0x3', 's_waitcnt lgkmcnt(0)', 's_endpgm'),
        "\n/* constant data */\n[000000] 3f800000 40000000 40400000 40800000 40a00000 40c00000 40e00000 41000000\n",
        "[000032] 41100000\n\n", "COMPUTE_PGM_RSRC2 = 0x00000090\n$stars\n");
    my @all = records($file, commands('info sections', 'disassemble', 'launch -g 64 -l 64', 'stepi 3', 'print $s8',
        'print $s9'));
    is mnemonics(@all), 's_getpc_b64 s_load_dwordx2 s_waitcnt s_endpgm', 'the code is its instructions alone';
    my ($tables) = grep { $_->{type} eq 'section' && $_->{name} eq 'tables' } @all;
    is_deeply [$tables->{addr} // $tables->{address}, $tables->{size}], ['0x10', 36], '... with the constants behind it'
        or diag explain [grep { $_->{type} eq 'section' } @all];
    is join(' ', map { hex } map { $_->{value} } grep { $_->{type} eq 'value' } @all),
        join(' ', 0x3f800000, 0x40000000), 'code loads them by its own address';
};

subtest 'a log with four shaders' => sub {
    my $file = spill('log.txt', $text);
    my @all = records($file, commands('info file', 'info folder', 'disassemble', 'launch -g 8,8 -l 8,8', 'continue'));
    is join(' ', map { $_->{name} =~ s/.*\((\w+)\)$/$1/r } grep { $_->{type} eq 'code-file' } @all),
        'ps cs ds vs', 'each is a member';
    my $facts = facts(@all);
    is $facts->{stage}, 'pixel', 'the first has its stage';
    is_deeply [@$facts{qw(sgprs vgprs)}, $facts->{'ps input'} =~ /^(\w+)/], [8, 24, '0x00000302'], '... its registers';
    is mnemonics(@all), 's_mov_b32 v_interp_mov_f32 v_interp_mov_f32 v_cvt_pkrtz_f16_f32 exp s_endpgm',
        '... its parts, one behind the other';
    like((grep { $_->{type} eq 'launch' } @all)[0]{assumed}, qr/^one triangle/, '... and is launched as pixels');
    @all = records("$file(cs)", commands('info file', 'disassemble', 'launch -g 64 -l 64', 'continue', 'print $v3[9]'));
    is mnemonics(@all), 's_nop s_nop s_nop s_nop v_mov_b32 s_endpgm', 'what is repeated is there so often';
    is facts(@all)->{rsrc2} =~ s/ .*//r, '0x00000090', '... RSRC2';
    is((grep { $_->{type} eq 'launch' } @all)[0]{assumed}, 'user data is 0 in s[0:7]', '... by which it starts');
    is((grep { $_->{type} eq 'stop' } @all)[-1]{reason}, 'done', '... and runs');
    like facts(records("$file(ds)", commands('info file')))->{stage}, qr/^Tessellation Evaluation Shader/,
        'a stage without registers of its own';
    my $said = qx('@{[Gpudbg::program()]}' --batch '$file(vs)' -e 'info file' 2>&1);
    like $said, qr/not, on gfx7, the instructions that the text names: it is of another chip/,
        'another chip is refused';
    is $? >> 8, 3, '... as an error of the file';
};

# Nothing of the text is believed: what is cut, repeated without end or no hexadecimal is no code.
subtest 'hostile text' => sub {
    my @lines = printed('gfx700', 's_nop 0', 's_nop 1', 's_nop 2', 's_endpgm');
    my %case = (
        'no end' => ["Pixel Shader:\n@lines[0 .. 2]", qr/^cut off +the code does not end/m, 0],
        'repeated without end' => ["Pixel Shader:\n$lines[0]\t(then repeated 4294967295 times)\n@lines[1 .. 3]",
            qr/more than 65536 dwords/],
        'repeated before anything' => ["Pixel Shader:\n\t(then repeated 9 times)\n" . join('', @lines[1 .. 2]) .
            "\tv_nop ; 7e000000\n", qr/^cut off +the code does not end/m, 0],
        'another name' => ["Pixel Shader:\n" . join('', @lines) =~ s/s_nop 1/s_sleep 1/r, qr/of another chip/],
        'two instructions in a line' => ["Pixel Shader:\n" . join('', @lines[0 .. 2]) .
            "\ts_nop 0 ; bf800000 bf810000\n", qr/of another chip/],
    );
    for my $name (sort keys %case) {
        my $file = spill('h.txt', $case{$name}[0]);
        my $said = qx(timeout 20 '@{[Gpudbg::program()]}' --batch '$file' -e 'info file' 2>&1);
        like $said, $case{$name}[1], $name;
        is $? >> 8, $case{$name}[2] // 3, '... is an error of the file, or read as far as it goes';
    }
    for my $cut (sampled(1 .. 40)) {
        my $file = spill('cut.txt', substr $text, 0, $cut * int(length($text) / 41));
        qx(timeout 20 '@{[Gpudbg::program()]}' --batch '$file' -e 'info file' 2>&1);
        my $status = $? >> 8;
        ok $status == 0 || $status == 3, "cut after $cut of 41 parts" or diag $status;
    }
};

done_testing;
