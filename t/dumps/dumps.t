#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Dumps of every format, invented after their grammars, against what was worked out by hand from the registers' layouts
# and the packets' headers.
use strict;
use warnings;
use Files qw(slurp spill);
use utf8;
no warnings 'portable'; # numbers of 64 bits
use File::Temp qw(tempdir);
use IO::Compress::Gzip qw(gzip);
use JSON;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $data    = "t/data/dumps";
my $dir     = tempdir(CLEANUP => 1);

sub run {
    my (@arguments) = @_;
    open my $out, '-|', 'sh', '-c', 'exec "$0" "$@" 2>&1', $program, '--batch', @arguments or die;
    my $text = do { local $/; <$out> } // '';
    close $out;
    return ($text, $? & 127 ? "signal $?" : $? >> 8);
}
sub records { map { JSON->new->utf8->decode($_) } grep { /^\{/ } split /\n/, (run('--json', @_))[0] }
sub dump_of {
    my ($file, @commands) = @_;
    return records(($file =~ m{/} ? $file : "$data/$file"), map { ('-e', $_) } @commands ? @commands : 'info dump');
}
sub registers {
    return map { ($_->{unit} ? "$_->{unit}." : '') . "$_->{name}=$_->{value}" } grep { $_->{type} eq 'register' } @_;
}
sub field {
    my ($record, $name) = @_;
    return (map { $_->{value} } grep { $_->{name} eq $name } @{$record->{fields}})[0];
}
sub first { my ($want, @from) = @_; return (grep { $want->($_) } @from)[0] // {} }

subtest 'a kernel log with a VM fault and a soft reset' => sub {
    my @all = dump_of('softreset.log');
    my $fault = first(sub { $_[0]{type} eq 'incident' && $_[0]{kind} eq 'vm-fault' }, @all);
    is_deeply $fault->{values}, {source => '0x92', data => '0xa430c', page => '0x45678', status => '0xa04300c',
        vmid => '0x5', protections => '0xc',
        client => '0x43', write => '0x0', tag => '0x54433100'}, 'the fault, from its four lines';
    is "$fault->{line}-$fault->{last}", '2-5', '... which are named';
    my @captures = grep { $_->{type} eq 'capture' } @all;
    is_deeply [map { $_->{line} } @captures], [1, 10, 27],
        'before the hang, before and after the reset are captures of their own';
    is $captures[0]{family}, 'gfx7', 'the chip says the generation';
    my @status = grep { ($_->{name} // '') eq 'GRBM_STATUS' } @all;
    is_deeply [map { [$_->{capture}, $_->{line}, $_->{value}] } @status], [[1, 11, '0xa0423028'], [2, 27, '0x3028']],
        'a register twice, not merged';
    is field($status[0], 'SPI_BUSY'), '0x1', 'bit 22 of 0xa0423028: SPI is busy';
    is field($status[0], 'CB_BUSY'), '0x0', '... bit 30: CB is not';
    is scalar(grep { $_->{type} eq 'note' } @all), 0, 'nothing is wrong with it';
    my ($text) = run("$data/softreset.log", '-e', 'info dump diff 1 2');
    like $text, qr/^GRBM_STATUS +0xa0423028 -> 0x00003028/m, 'the difference of two captures';
    like $text, qr/VGT_BUSY +busy -> idle/, '... by field';
    for my $words ('1 nosuch', '1 2 3', '1 -1', 'i915.txt 1') {
        unlike((run("$data/softreset.log", '-e', "info dump diff $words"))[0], qr/differ|->/,
            "info dump diff $words compares nothing");
    }
};

subtest 'logs as they come' => sub {
    my $plain = slurp("$data/softreset.log");
    my @want = registers(dump_of('softreset.log'));
    my %form = (
        'with CR LF' => $plain =~ s/\n/\r\n/gr,
        'from syslog' => $plain =~ s/^/Nov 21 23:16:01 host kernel: /gmr,
        'from journalctl with ISO dates' => $plain =~ s/^\[.*?\] /2026-11-21T23:16:01+0100 host kernel: /gmr,
        'quoted in mail' => $plain =~ s/^/> > /gmr,
        'quoted-printable' => $plain =~ s/=/=3D/gr,
        'of dmesg -x' => $plain =~ s/^/kern  :err   : /gmr,
        'with tasks' => $plain =~ s/^(\[.*?\])/$1\[ T1617]/gmr,
        'coloured' => $plain =~ s/^(\[.*?\])/\e[32m$1\e[0m/gmr,
    );
    is_deeply [registers(dump_of(spill('log', $form{$_})))], \@want, $_ for sort keys %form;
    gzip(\$plain => \my $packed);
    is_deeply [registers(dump_of(spill('log.gz', $packed)))], \@want, 'packed with gzip';
    my $noise = "[    1.000000] usb 1-1: nothing of a GPU\n" x 4000;
    is_deeply [registers(dump_of(spill('long', $noise . $plain)))], \@want, 'behind 160 KB of other lines';
    my @lines = split /(?<=\n)/, $plain;
    my $fault = first(sub { $_[0]{type} eq 'incident' && $_[0]{kind} eq 'vm-fault' },
        dump_of(spill('reversed', join '', reverse @lines)));
    is $fault->{values}{page}, '0x45678', 'sorted backwards: the fault is put together';
};

subtest 'what is wrong with a log is said by line' => sub {
    my $plain = slurp("$data/softreset.log");
    my @notes = grep { $_->{type} eq 'note' } dump_of(spill('mixed', $plain =~ s/vmid 5/vmid 6/r));
    is_deeply [map { "$_->{line} $_->{kind}" } @notes], ['5 mixed'], 'a fault whose lines disagree';
    like $notes[0]{text}, qr/vmid 6.*says 5/, '... with both numbers';
    @notes = grep { $_->{type} eq 'note' }
        dump_of(spill('cut', $plain =~ s/SRBM_STATUS2=0x0000/SRBM_STATUS2=\n/r));
    is_deeply [map { "$_->{line} $_->{kind}" } @notes], ['18 cut-off'], 'a register without a value';
    @notes = grep { $_->{type} eq 'note' } dump_of(spill('cut', $plain =~ s/( GRBM_STATUS=0x\w{5}).*/$1/sr));
    is_deeply [map { "$_->{line} $_->{kind}" } @notes], ['11 cut-off'], 'a file that ends within a value';
    is_deeply [grep { $_->{type} eq 'note' } dump_of(spill('whole', $plain =~ s/( GRBM_STATUS=0x\w{8}).*/$1/sr))],
        [], '... or behind one that is whole';
    my @two = map { my $l = $_; $l =~ /GRBM_STATUS|SRBM_STATUS/ ? ($l, $l =~ s/=0x./=0xF/r) : $l } split /(?<=\n)/,
        $plain;
    @notes = grep { $_->{type} eq 'note' } dump_of(spill('two', join '', @two));
    is $notes[0]{kind}, 'mixed', 'lines of two lists are mixed';
    is $notes[0]{line}, 12, '... from the first that repeats';
    @notes = grep { $_->{type} eq 'note' }
        dump_of(spill('ones', $plain =~ s/=( ?)0x[0-9A-Fa-f]{8}/=$1 0xffffffff/gr));
    ok((grep { $_->{kind} eq 'lost' } @notes), 'registers of ones: the device does not answer');
    my ($text) = run(spill('r600', "GPU softreset: 0x00000009\n  R_008010_GRBM_STATUS = 0xA0003028\n"
        . "  R_00D034_DMA_STATUS_REG = 0x44C83D57\n"), '-e', 'info dump');
    like $text, qr/another generation/, 'an older generation is refused';
    unlike $text, qr/CP_BUSY/, '... and not decoded';
    my ($out, $status) = run(spill('garbage', join '',
        map { chr(32 + $_ * 7 % 90) . ($_ % 60 ? '' : "\n") } 1 .. 9000));
    is $status, 3, 'garbage is no dump';
};

subtest 'umr' => sub {
    my @all = dump_of('umr.txt');
    is_deeply [registers(@all)], ['gfx720.GRBM_STATUS=0xa0003028', 'gfx720.CP_STAT=0x0',
        'gfx720.DB_DEPTH_CONTROL=0x70'], 'registers, through colours';
    my ($note) = grep { $_->{type} eq 'note' } @all;
    is "$note->{line} $note->{kind}", '3 disagrees', 'a field that disagrees with its register';
    @all = dump_of('waves1.txt');
    my ($wave, $cut) = grep { $_->{type} eq 'dump-wave' } @all;
    is "$wave->{unit} $wave->{pc}", 'se0.sh0.cu1.simd2.wave0 0x800102308', 'a wave of the first layout';
    is_deeply $wave->{s}, ['0x5', '0x7', '0x640', '0x27fac'], '... with its scalars';
    ok !exists $cut->{pc}, 'a row cut off has no program counter';
    ok((grep { $_->{type} eq 'note' && $_->{line} == 7 && $_->{kind} eq 'cut-off' } @all), '... and a note');
    my $status = first(sub { $_[0]{name} && $_[0]{name} eq 'SQ_WAVE_IB_STS' }, @all);
    is field($status, 'VM_CNT'), '0x3', 'three loads outstanding';
    @all = dump_of('waves2.txt');
    ($wave) = grep { $_->{type} eq 'dump-wave' } @all;
    is "$wave->{unit} $wave->{pc}", 'se1.sh0.cu4.simd3.wave2 0x800102300', 'a wave of the second layout';
    my ($ring, $ib) = grep { $_->{type} eq 'stream' } dump_of('ring.txt');
    is "$ring->{kind} $ring->{size} $ring->{read} $ring->{write}", 'ring 20 0xc 0x10', 'a ring with its pointers';
    is "$ib->{kind} $ib->{addr} $ib->{size}", 'ib 0x400 12', 'an indirect buffer';
};

# Linux, radeon_debugfs_ring_info: from 32 dwords before the read pointer on; here around the end of a ring of 8 dwords.
subtest 'rings as radeon prints them' => sub {
    my @words = (0xc0012d00, 12, 2, 0xffff1000, 0xc0012d00, 3, 2, 0xffff1000);
    my @order = (4 .. 7, 0 .. 3);
    my @new = ("wptr: 0x00000003 [    3]\n", "rptr: 0x00000000 [    0]\n",
        "driver's copy of the wptr: 0x00000003 [    3]\n", "5 free dwords in ring\n", "3 dwords in ring\n",
        map { sprintf "r[%5d]=0x%08x%s\n", $order[$_], $words[$_], $order[$_] == 0 ? ' *' : '' } 0 .. 7);
    my @old = ("wptr(0xc114): 0x00000003\n", "rptr(0xc110): 0x00000000\n", "driver's copy of the wptr: 0x00000003\n",
        "5 free dwords in ring\n", "3 dwords in ring\n",
        map { sprintf "r[%04d]=0x%08x\n", $order[$_], $words[$_] } 0 .. 7);
    for my $case (['', @new], [' before 2013', @old]) {
        my ($when, @lines) = @$case;
        my @all = records(spill('radeon', join '', @lines), '-e', 'info dump', '-e', 'packets');
        is join('; ', map { "$_->{kind} $_->{addr} $_->{size} $_->{read} $_->{write}" } grep { $_->{type} eq 'stream' }
            @all), 'ring 0x10 32 0x10 0x1c', "a ring with its pointers$when, in the order of time";
        is join(' ', map { $_->{mnemonic} } grep { $_->{type} eq 'insn' } @all),
            'DRAW_INDEX_AUTO NOP DRAW_INDEX_AUTO NOP', '... its packets';
        is scalar(grep { $_->{type} eq 'capture' } @all), 1, '... one capture';
    }
    my @all = records(spill('radeon', join '', @new, @new), '-e', 'info dump');
    is scalar(grep { $_->{type} eq 'capture' } @all), 2, 'two rings in one file';
    my ($said, $status) = run(spill('radeon', "wptr: 0x00000001\nhello\n"), '-e', 'info dump');
    is $status, 3, 'a line alone is no ring';
};

# What versions of umr print of indirect buffers: the VMID in hex (its hub above it), "Dumping IB" with addresses and
# with indices.  The words are a draw of 12 vertices, and SDMA's write of one dword (Linux, cikd.h: opcode 2, four
# dwords before the data).
subtest 'indirect buffers as versions of umr print them' => sub {
    my @draw = (0xc0012d00, 12, 2);
    my $stream = join '', map { sprintf "[0x105\@0x100001000 + 0x%04x]\t[        0x%08x]\t%s\n", 4 * $_, $draw[$_],
        $_ ? '|---> X=1' : 'Opcode 0x2d [PKT3_DRAW_INDEX_AUTO] (2 words)' } 0 .. 2;
    my $sdma = join '', map { sprintf "[0x0\@0x00002000 + 0x%04x]\t[        0x%08x]\t%s\n", 4 * $_,
        (2, 0x1000, 0, 1, 0xabcd)[$_], $_ ? '|---> X=1' : 'Opcode 0x2/0x0 [WRITE] (4 words)' } 0 .. 4;
    my $title = 'Dumping IB at (gfxhub) VMID:5 0x100001000 of 3 words from ring[4]';
    my %file = (
        'VMID in hex' => "Decoding IB at 0x105\@0x100001000 from 0x0\@0x10 of 3 words (type 1)\n$stream",
        'with addresses' => "$title\n" . join('', map { sprintf "IB[5\@0x100001000 + 0x%-4x] = 0x%08x ... %s\n", 4 * $_,
            $draw[$_], $_ ? '|---+ PKT3 OPCODE 0x2d' : 'PKT3, COUNT:2' } 0 .. 2) . "End of IB\n",
        'with indices' => "$title\n" . join('', map { sprintf "IB[%5u] = 0x%08x ... %s\n", $_, $draw[$_],
            $_ ? '|---+ PKT3 OPCODE 0x2d' : 'PKT3, COUNT:2' } 0 .. 2),
        'a part of them' => "$title\n" . join('', map { sprintf "IB[%5u] = 0x%08x ...\n", 100 + $_, $draw[$_] } 0 .. 2),
    );
    for my $name (sort keys %file) {
        my $at = $name eq 'a part of them' ? '0x100001190' : '0x100001000';
        my $written = spill('ib', $file{$name});
        my @all = records($written, '-e', 'info dump', '-e', 'packets');
        is join('; ', map { "$_->{kind} $_->{addr} $_->{size} $_->{vmid}" } grep { $_->{type} eq 'stream' } @all),
            "ib $at 12 5", "$name: the buffer";
        is join('; ', map { "$_->{mnemonic} $_->{addr}" } grep { $_->{type} eq 'insn' } @all), "DRAW_INDEX_AUTO $at",
            '... and its packet';
    }
    my $ring = join '', map { "bonaire.sdma0.ring[   $_] == 0x00000000    ... OPCODE: [NOP]\n" } 0 .. 1;
    for my $case (['of a stream', "Decoding IB at 0x0\@0x2000 from 0x0\@0x0 of 5 words (type 5)\n$sdma"],
        ['by its opcode',
            $title . ("\nIB[0\@0x2000 + 0x0   ] = 0x00000002 ... OPCODE: [WRITE], SUB-OPCODE: [0], LINEAR_WRITE\n"
            . "IB[0\@0x2000 + 0x4   ] = 0x00001000 ... |---+ WORD [1]\n")],
        ['by its ring',
            "$ring\nDumping IB at (gfxhub) VMID:0 0x2000 of 1 words from ring[1]\nIB[    0] = 0x00000000 ...\n"]) {
        my ($name, $text) = @$case;
        my ($said, $status) = run(spill('sdma', $text), '-e', 'packets ' . ($name eq 'by its ring' ? 1 : 0),
            '-e', 'info dump');
        like $said, qr/^stream \d: ib, AMD DMA engine packets/m,
            "the DMA engine's buffer, $name, is not taken for the command processor's";
    }
};

# Until 2023 -O bits gave registers short names and rows of scalars a title of their own; fields are decimal.
subtest 'waves with fields, as umr printed them until 2023' => sub {
    my $groups = sub {
        my ($title, @values) = @_;
        return "\n\n$title:\n\t" . join('', map { sprintf '%20s: %8s | ', @{ $values[$_] } } 0 .. $#values) . "\n";
    };
    my $text = "\n" . '-' x 54 . "\nse0.sh0.cu1.simd2.wave3\n"
        . $groups->('Main Registers', ['pc_hi', '00000008'], ['pc_lo', '00102340'], ['wave_inst_dw0', 'bf8c0070'],
        ['wave_inst_dw1', '7e000280'], ['exec_hi', '00000000'], ['exec_lo', '0000ffff'], ['m0', '80000000']) .
        $groups->('Wave_Status[08012001]', ['scc', 1], ['halt', 1], ['data_atc', 0])
        . $groups->('HW_ID[10010120]', ['simd_id', 2], ['cu_id', 1]) .
        $groups->('GPR_ALLOC[01000300]', ['vgpr_size', 3]) . "\n\nSGPRS:\n" . join('',
        map { sprintf "\t[%4u..%4u] = { %08x, %08x, %08x, %08x }\n", $_, $_ + 3, $_ + 1, $_ + 2, $_ + 3, $_ + 4 }
            0, 4) .
        ("\nTBA/TMA:\n\t[   0..   3] = { 00001000, 00000000, 00002000, 00000000 }\n\n" .
        "TTMP:\n\t[   0..   3] = { 0000000a, 0000000b, 0000000c, 0000000d }\n") .
        ("\n\nPGM_MEM:\n *  pgm[5\@0x800102340 + 0x0   ] = 0xbf8c0070\ts_waitcnt\t\n" .
        "    pgm[5\@0x800102340 + 0x4   ] = 0x7e000280\tv_mov_b32\t\n") .
        $groups->('IB_STS[00000003]', ['vm_cnt', 3]);
    my @all = records(spill('bits', $text), '-e', 'info dump', '-e', 'explain');
    my ($wave) = grep { $_->{type} eq 'dump-wave' } @all;
    is "$wave->{unit} $wave->{pc}", 'se0.sh0.cu1.simd2.wave3 0x800102340', 'a wave and its program counter';
    is_deeply $wave->{s}, [map { sprintf '0x%x', $_ } 1 .. 8], '... its scalars';
    is_deeply [map { s/ of .*//r } map { "$_->{name}=$_->{value}" } grep { $_->{type} eq 'register' } @all],
        [qw(SQ_WAVE_PC_HI=0x8 SQ_WAVE_PC_LO=0x102340 SQ_WAVE_INST_DW0=0xbf8c0070
        SQ_WAVE_INST_DW1=0x7e000280 SQ_WAVE_EXEC_HI=0x0 SQ_WAVE_EXEC_LO=0xffff SQ_WAVE_M0=0x80000000
        SQ_WAVE_STATUS=0x8012001 SQ_WAVE_HW_ID=0x10010120 SQ_WAVE_GPR_ALLOC=0x1000300
        SQ_WAVE_TBA_LO=0x1000 SQ_WAVE_TBA_HI=0x0 SQ_WAVE_TMA_LO=0x2000 SQ_WAVE_TMA_HI=0x0 SQ_WAVE_IB_STS=0x3)],
        '... its registers';
    is join(' ', map { "$_->{kind} $_->{addr} $_->{size}" } grep { $_->{type} eq 'stream' } @all), 'code 0x800102340 8',
        '... its code';
    ok((grep { ($_->{cause} // '') eq 'waiting-memory' } @all), '... and what it waits for');
    my $header = "SE SH CU SIMD WAVE# WAVE_STATUS PC_HI PC_LO\n0 0 6 0 3 08010100 00000001 00040a30\n";
    is join(' ', map { "$_->{kind} $_->{addr} $_->{size}" } grep { $_->{type} eq 'stream' } records(spill('words',
        "$header>pgm[4\@100040a30] = 7e021101\n>pgm[4\@100040a34] = bf8c007f\n"), '-e', 'info dump')),
        'code 0x100040a30 8', 'code without 0x';
    for my $later ("SE SA WGP SIMD WAVE# WAVE_STATUS PC_HI\n 0 0 1 2 3 00012345 00000001\n",
        "se0.sa0.wgp1.simd2.wave3\n\n\nMain Registers:\n\t   regSQ_WAVE_STATUS: 08012001 |\n") {
        @all = records(spill('later', $later), '-e', 'info dump');
        is join(' ', map { $_->{family} } grep { $_->{type} eq 'capture' } @all), 'gfx10, gfx10.3, gfx11 or gfx12',
            'waves of a later generation are told as such';
    }
};

# umr's scan_log.c: +N counts the registers between the one named and the one meant.
subtest 'umr\'s traces, and registers of shaders' => sub {
    my @all = records(spill('trace',
        "bonaire.gfx720.mmGRBM_STATUS +0x0000 => 0xa0003028\nbonaire.gfx720.mmSCRATCH_REG0 +0x0001 <= 0x00000007\n" .
        "bonaire.gfx720.mmNO_SUCH +0x0002 <= 0x00000008\n" . join '',
        map { "      gfx720.mmCOMPUTE_PGM_RSRC1(5\@0x10000${_}010) == 0xac004$_\n" } 1, 2), '-e', 'info dump');
    is_deeply [registers(@all)], [map { "gfx720.$_" } qw(GRBM_STATUS=0xa0003028 SCRATCH_REG1=0x7 NO_SUCH+0x2=0x8
        COMPUTE_PGM_RSRC1=0xac0041 COMPUTE_PGM_RSRC1=0xac0042)], 'names and values';
    is scalar(grep { $_->{type} eq 'capture' } @all), 1, 'in one capture';
};

subtest 'recordings of umr\'s test harness' => sub {
    my @all = dump_of('harness.txt', 'info dump', 'packets');
    is_deeply [map { "$_->{name} $_->{addr} $_->{value}" }
        grep { $_->{type} eq 'register' && $_->{unit} && $_->{unit} =~ /^gfx/ } @all],
        ['GRBM_STATUS 0x8010 0xa0003028'], 'a register';
    is_deeply [map { "$_->{kind} $_->{size}" } grep { $_->{type} eq 'stream' } @all], ['vram 8', 'ring 12'],
        'memory and a ring';
    is first(sub { $_[0]{type} eq 'insn' }, @all)->{mnemonic}, 'DRAW_INDEX_AUTO', '... with its packet';
};

subtest 'packets' => sub {
    my ($text) = run("$data/ring.txt", '-e', 'packets');
    like $text, qr/DRAW_INDEX_AUTO index_count=12 source_select=DI_SRC_SEL_AUTO_INDEX/, 'a draw of twelve vertices';
    like $text, qr/read pointer.*\n.*NOP/, 'the read pointer is marked';
    like $text, qr/SET_CONTEXT_REG register 0x28800 0x70\n +DB_DEPTH_CONTROL = 0x00000070/,
        'a register that a packet sets';
    my @all = dump_of('ring.txt', 'packets 1');
    my ($insn) = grep { $_->{type} eq 'insn' } @all;
    is $insn->{mnemonic}, 'SET_CONTEXT_REG', 'a packet is an instruction';
    my ($reg) = grep { $_->{type} eq 'register' } @all;
    is "$reg->{name} $reg->{value} $reg->{line}", 'DB_DEPTH_CONTROL 0x70 11', '... and its register knows the line';
    is field($reg, 'ZFUNC'), '0x7', '... and its fields';
    ($text) = run(spill('waits', join '', map { sprintf "0x%08x\n", $_ }
        0xc0053c00, 3, 0x2004, 0, 0, 0x80000000, 4), '-e', 'packets', '-e', 'info file');
    like $text, qr/WAIT_REG_MEM.*function=equal mem_space=register.*\n +reads GRBM_STATUS$/m,
        'a packet that waits for a register';
    like $text, qr/^recognised as +word-list: one word of hex a line$/m, 'info file says what was recognised and why';
    my @words = map { sprintf "0x%08x\n", $_ } 0xc0012d00, 6, 2, 0xc0017600, 0x48, 0x1234;
    ($text) = run(spill('words', join '', @words), '-e', 'packets');
    like $text, qr/SPI_SHADER_PGM_LO_VS = 0x00001234/, 'words alone: PM4 that chains to its end';
    ($text) = run("$data/i915.txt", '-e', 'packets');
    like $text,
        qr/0x1008 +MI_BATCH_BUFFER_START address=0xa01000\n +-> batch in stream 1\n.*3DPRIMITIVE (?#
        )topology=3DPRIM_TRILIST vertex_count=3/,
        'a ring, and the batch that it runs';
};

# Linux, cik_hdp_flush_cp_ring_emit and cikd.h: GPU_HDP_FLUSH_REQ 0x54dc, GPU_HDP_FLUSH_DONE 0x54e0, bit 0 the graphics
# ring.
subtest 'a packet that writes a register, waits for another and writes again' => sub {
    my @flush = (0xc0053c00, 1 << 8 | 1 << 6 | 3, 0x54dc / 4, 0x54e0 / 4, 1, 1, 0x20);
    my ($text) = run('--isa', 'gfx7', '--format', 'pm4-buffer', spill('flush', pack 'V*', @flush),
        '-e', 'packets');
    like $text,
        qr/WAIT_REG_MEM writes register 0x054dc register 0x054e0 function=equal mem_space=register (?#
        )operation=write, wait, write engine=PFP .*reference=0x1 mask=0x1 poll_interval=32$/m,
        'both are named';
    like $text, qr/^ +GPU_HDP_FLUSH_REQ = 0x00000001\n +reads GPU_HDP_FLUSH_DONE$/m,
        '... each for what is done with it';
    my ($insn) = grep { $_->{type} eq 'insn' } records('--isa', 'gfx7', '--format', 'pm4-buffer',
        spill('flush', pack 'V*', @flush), '-e', 'packets');
    is join(' ', map { "$_->{name}=$_->{value}" } grep { $_->{name} =~ /register$/ } @{ $insn->{fields} }),
        'write_register=0x1537 register=0x1538', 'fields';
};

subtest 'rings of engines whose commands are others' => sub {
    my $ring = sub {
        join '', map { sprintf "\tbonaire.%s.ring[%4d] == 0x%08x    %s \n", $_[0], @$_ } [0, 0xc0012d00, 'r..'],
            [1, 6, '...'], [2, 2, '...'], [3, 0x80000000, '.wD'];
    };
    for my $unit (qw(gfx comp_1.0.0)) {
        like +(run(spill('ring', $ring->($unit)), '-e', 'packets'))[0],
            qr/ring of $unit, AMD.*\n.*\n.*DRAW_INDEX_AUTO/, "$unit is the command processor's";
    }
    my $core = slurp("$data/devcoredump.txt");
    for my $unit (qw(sdma0 sdma1 uvd vce1)) {
        my ($text) = run(spill('ring', $ring->($unit)), '-e', 'packets 0', '-e', 'explain');
        like $text, $unit =~ /sdma/ ? qr/ring of $unit, AMD DMA engine packets/ : qr/ring of $unit is not decoded/,
            "$unit is not";
        unlike $text, qr/DRAW_INDEX_AUTO/, '... and not by explain either';
        unlike +(run(spill('core', $core =~ s/ring name: gfx/ring name: $unit/r), '-e', 'packets',
            '-e', 'explain'))[0], qr/NOP|SET_|next packet/, '... nor in a core dump';
    }
};

subtest 'device core dump' => sub {
    my @all = dump_of('devcoredump.txt');
    my ($stream) = grep { $_->{type} eq 'stream' } @all;
    is "$stream->{unit} $stream->{read} $stream->{write} $stream->{size}", 'gfx 0x8 0x14 32',
        'the ring: pointers are dwords, cut by the mask';
    is first(sub { $_[0]{type} eq 'capture' }, @all)->{family}, 'gfx7', 'SOC family 120 in decimal';
    my $fault = first(sub { $_[0]{type} eq 'incident' && $_[0]{kind} eq 'page-fault' }, @all);
    is_deeply $fault->{values}, {address => '0x12340000', status => '0x604800c'}, 'the page fault';
    my $listed = first(sub { ($_[0]{register} // $_[0]{name} // '') eq 'GRBM_STATUS' }, @all);
    is "$listed->{addr} $listed->{value} $listed->{line}", '0x8010 0xa0003028 41', 'a register by its dword index';
    my $none = slurp("$data/devcoredump.txt") =~ s/0x0000000012340000/0x0000000000000000/r =~ s/0x604800c/0x0/r;
    ok !(grep { ($_->{kind} // '') eq 'page-fault' } dump_of(spill('none', $none))),
        'address and status 0: no fault';
    for my $given ([$none, 'zero'], [slurp("$data/devcoredump.txt"), 'the address']) {
        my @cut = dump_of(spill('cut', $given->[0] =~ s/^Protection fault status.*//msr));
        my ($incident) = grep { ($_->{kind} // '') eq 'page-fault' } @cut;
        is_deeply $incident && $incident->{values}, $given->[1] eq 'zero' ? undef : {address => '0x12340000'},
            "cut off behind $given->[1]: what is there";
        ok !(grep { ($_->{key} // $_->{name} // $_->{register} // '') =~ /page-fault|FAULT_STATUS/ } @cut),
            '... and neither a status nor a word that there was no fault';
    }
    my @notes = grep { $_->{type} eq 'note' }
        dump_of(spill('short', slurp("$data/devcoredump.txt") =~ s/0x10 .*//sr));
    like $notes[-1]{text}, qr/4 of 8 dwords/, 'a ring that is cut off';

    # Linux 7.1 (amdgpu_devcoredump_print_ibs): the job's buffers behind the rings; one whose memory could not be read.
    my $newer = "**** AMDGPU Device Coredump ****\nversion: 1\nkernel: 7.1.0\nmodule: amdgpu\ntime: 77.000000001\n"
        . "SOC Family: 120\nRing timed out details\nIP Type: 0 Ring Name: gfx\nRing buffer information\n"
        . "VRAM lost check is skipped!\n\nIB #0 0x8000012a0000 6 dw\n"
        . join('', map { "0x$_\n" } qw(c0017600 00000048 00001234 c0012d00 00000006 00000002))
        . "\nIB #1 0x8000012b0000 64 dw\n\nIB #2 0x8000012c0000 3 dw\n0xc0012d00\n0x00000007\n";
    my @read = dump_of(spill('newer', $newer));
    is_deeply [map { "$_->{kind} $_->{unit} $_->{addr} $_->{size}" } grep { $_->{type} eq 'stream' } @read],
        ['ib gfx 0x8000012a0000 24', 'ib gfx 0x8000012b0000 0', 'ib gfx 0x8000012c0000 8'], 'the buffers of the job';
    like +(run(spill('newer', $newer), '-e', 'packets 0'))[0],
        qr/SET_SH_REG.*\n.*SPI_SHADER_PGM_LO_VS = 0x00001234.*\n.*DRAW_INDEX_AUTO index_count=6/, '... their commands';
    is_deeply [map { $_->{text} } grep { $_->{type} eq 'note' } @read],
        ['IB #1: the driver could not read its words', 'IB #2: 2 of 3 dwords are there'], '... and what is missing';
    ok !(grep { ($_->{kind} // '') eq 'vram-lost' } @read), '... and nothing of video memory that nobody looked at';
};

# A command that HEAD stands in is the one that IPEHR names; where ACTHD repeats HEAD the engine executes from its ring.
subtest 'HEAD within a command of a ring' => sub {
    my $state = sub {
        my ($ipehr, $tail, $head) = (@_, '06200004');
        return spill('state', "Kernel: 4.15.0\nTime: 1 s 1 us\nPCI ID: 0x0166\nEIR: 0x00000000\n"
            . "render command stream:\n  START: 0x0012d000\n  HEAD:  0x" . "$head [0x00000000]\n" .
            "  TAIL:  $tail\n  ACTHD: 0x00000000 $head\n  IPEHR: $ipehr"
            . "\n  INSTDONE: 0xffffffff\nrender --- gtt_offset = 0x00000000 01a01000\n00000000 :  05000000\n" .
            "render --- ringbuffer = 0x00000000 0012d000\n" . join '',
            map { sprintf "%08x :  %s\n", 4 * $_->[0], $_->[1] }
            [0, '0b140001'], [1, '00000010'], [2, '00000000'], [3, '00000000']);
    };
    my ($text) = run($state->('0x0b140001', '0x00000010'), '-e', 'packets', '-e', 'explain');
    like $text, qr/read pointer, 0x4 bytes into this.*\n.*0x12d000  MI_SEMAPHORE_MBOX .*value=0x10/,
        'the command is whole';
    like $text, qr/rcs0 stands at rcs0 ring\+0x4: MI_SEMAPHORE_MBOX/, '... and the engine stands in it';
    unlike $text, qr/which no object|was idle/, '... not elsewhere, and not idle';
    ($text) = run($state->('0x7a000003', '0x00000010'), '-e', 'packets');
    like $text, qr/0x12d000  \.long 0x0b140001\n--> read pointer: .*\n.*0x12d004/,
        'another than IPEHR names may be older: the listing starts afresh';
    ($text) = run($state->('0x00000000', '0x00000008', '06200008'), '-e', 'explain');
    like $text, qr/the rings are empty.*was idle/, 'empty rings prove that nothing was to be done';
};

# radeon's r600.c, evergreen.c, ni.c and si.c pad names or print addresses, and know no GRBM_STATUS2 (but si.c); cik.c
# does not.
subtest 'register lists of generations before gfx7' => sub {
    my $family = sub {
        join ' ', map { $_->{family} // '-' } grep { $_->{type} eq 'capture' }
            records(spill('list', join '', map { "radeon 0000:01:00.0: $_\n" } @_), '-e', 'info dump');
    };
    my @silent = ('GRBM_STATUS=0xE5704828', 'GRBM_STATUS_SE0=0xFC000005', 'SRBM_STATUS=0x200000C0');
    my $old = 'a generation before gfx7';
    is $family->('GPU softreset: 0x00000019', '  GRBM_STATUS               = 0xA2701CA0',
        '  SRBM_STATUS               = 0x200000C0'), $old, 'padded names';
    is $family->('GPU softreset: 0x00000019', '  R_008010_GRBM_STATUS=0xA0003028'), $old, 'an address before the name';
    is $family->('GPU softreset: 0x00000019', map { "  $_" } @silent), $old, 'GRBM_STATUS_SE0 behind GRBM_STATUS';
    is $family->('GPU softreset ', map { "  $_" } @silent), $old, 'a reset without a mask';
    is $family->('GPU softreset: 0x00000009', '  GRBM_STATUS=0xA0403028', '  GRBM_STATUS2=0x50000008',
        '  GRBM_STATUS_SE0=0x08000006', '  CP_STALLED_STAT1 = 0x00000c00'), 'gfx7', "gfx7's own";
    is $family->('GPU softreset: 0x00000009', '  GRBM_STATUS=0xA0403028', '  GRBM_STATUS_SE0=0x08000006',
        '  SDMA0_STATUS_REG   = 0x46CEED57'), 'gfx7', '... with a line lost, by its DMA engine';
};

subtest 'error state of i915' => sub {
    my @all = dump_of('i915.txt');
    is first(sub { $_[0]{type} eq 'capture' }, @all)->{family}, 'gen7.5', 'the PCI id says the generation';
    my $hang = first(sub { $_[0]{type} eq 'incident' }, @all);
    is_deeply [$hang->{text}, $hang->{values}],
        ['demo', {generation => '0x7', engines => '0x1', ecode => '0x84dffffe', pid => '0x1092'}], 'the hang';
    is first(sub { ($_[0]{name} // '') eq 'ACTHD' }, @all)->{value}, '0xa01008', 'two words of an address';
    my $done = first(sub { ($_[0]{name} // '') eq 'INSTDONE' }, @all);
    is "$done->{unit} $done->{register}", 'rcs0 INSTDONE_1', 'a register of an engine';
    is field($done, 'CS Done'), '0x0', '... whose zeros are busy units';
    is first(sub { ($_[0]{name} // '') eq 'FAULT_REG' }, @all)->{register}, 'RCS_FAULT_REG', 'a fault register';
    is_deeply [map { "$_->{kind} $_->{addr} $_->{size}" } grep { $_->{type} eq 'stream' } @all],
        ['ring 0x1000 16', 'batch 0xa01000 32', 'batch 0xb00000 8'],
        'objects: ASCII85, packed ASCII85, hex lines';
    my $cut = slurp("$data/i915.txt") =~ s/(^:.{24}).*/$1/mr;
    my @notes = grep { $_->{type} eq 'note' } dump_of(spill('cut85', $cut));
    is "$notes[0]{line} $notes[0]{kind}", '25 cut-off', 'a packed object that ends early';
};

subtest 'Mesa' => sub {
    my @all = dump_of('mesa.log');
    my $status = first(sub { ($_[0]{name} // '') eq 'GRBM_STATUS' }, @all);
    is "$status->{value} $status->{mask}", '0xa0000008 0xa000002f',
        'a register put together from fields: bits 3:0, 5, 29, 31';
    ok $status->{rebuilt}, '... and it says so';
    my $wave = first(sub { $_[0]{type} eq 'dump-wave' }, @all);
    is "$wave->{unit} $wave->{pc}", 'se0.sh0.cu3.simd1.wave2 0x102340', 'a wave';
    my $buffer = first(sub { ($_[0]{kind} // '') eq 'buffer' }, @all);
    is_deeply $buffer->{values}, {start => '0x100000', size => '0x10000', end => '0x110000'},
        'a buffer, in pages of 4 KB';
    my $point = first(sub { ($_[0]{kind} // '') eq 'trace-point' }, @all);
    is $point->{values}{last}, '0x1', 'the last trace point';
};

subtest 'lists' => sub {
    is_deeply [map { "$_->{addr} $_->{value}" } grep { $_->{type} eq 'register' } dump_of('list.txt')],
        ['0x28a40 0x3', '0x8010 0xa0003028', '0x28800 0x70'], 'byte addresses';
    is_deeply [map { "$_->{addr} $_->{value} " . ($_->{mask} // 'all') }
        grep { $_->{type} eq 'register' } dump_of('golden.txt')],
        ['0x28040 0x3 all', '0x28800 0x70 0xf0', '0x8010 0x3028 all'], 'dword indices, with a mask between';
    is_deeply [registers(records('--isa', 'gen7', "$data/intel_reg.txt", '-e', 'info dump'))],
        ['RENDER_RING_HEAD=0x3a10', 'INSTDONE_1=0xfffffffe'], 'intel_reg';
    my @ports = records('--isa', 'gen7.5', spill('ports', join '',
        map { sprintf "%35s (%s): 0x%08x\n", @$_ } ['', '0x00002034', 1], ['SOME_REG', '0x00180000:0x00002034', 2],
        ['flisdsi:OTHER', '0x1b:0x00000100', 3], ['portio-vga:0x000003c0', 'portio-vga:0x000003c0', 4]),
        '-e', 'info dump');
    is_deeply [map { ($_->{unit} // 'mmio') . " $_->{addr} $_->{value}" } grep { $_->{type} eq 'register' } @ports],
        ['mmio 0x2034 0x1', 'mmio 0x182034 0x2', 'port flisdsi 0x100 0x3', 'port portio-vga 0x3c0 0x4'],
        '... without a name, with a base, behind ports';
};

subtest 'binaries' => sub {
    my $file = spill('wave', pack 'V*', 0, 0x10001, 0x102300, 8, 0xffff, 0, 0x10010120, 0xbf8c0070);
    my @all = records('--format', 'amdgpu-wave', $file, '-e', 'info dump');
    my $wave = first(sub { $_[0]{type} eq 'dump-wave' }, @all);
    is "$wave->{unit} $wave->{pc}", 'se0.sh0.cu1.simd2.wave0 0x800102300', 'one wave, placed by HW_ID';
    $file = spill('regs', pack 'V*', map { $_ == 0x2004 ? 0xa0003028 : 0 } 0 .. 0x2fff);
    my $status = first(sub { ($_[0]{name} // '') eq 'GRBM_STATUS' },
        records('--format', 'amdgpu-regs', $file, '-e', 'info dump GRBM_STATUS'));
    is $status->{value}, '0xa0003028', 'a register file: the dword at 0x8010';
    my ($packets) = run('--format', 'pm4-buffer', spill('ib', pack 'V*', 0xc0012d00, 6, 2), '-e', 'packets');
    like $packets, qr/DRAW_INDEX_AUTO index_count=6/, 'a binary command buffer';
    ($packets) = run('--isa', 'gen12', '--format', 'batch-buffer',
        spill('batch', pack 'V*', 0x7a000004, 0x100000, 0, 0, 0, 0, 0x05000000), '-e', 'packets');
    like $packets, qr/PIPE_CONTROL.*cs_stall.*\n.*MI_BATCH_BUFFER_END/, 'a binary batch';
    $file = spill('oa', pack 'V*', 0x10000 | 1 << 19, 0x1234, 7, 99, (map { 1000 + $_ } 0 .. 31),
        (map { 2000 + $_ } 32 .. 35), (0x03020100, (0) x 7), (map { 3000 + $_ } 0 .. 7), (map { 4000 + $_ } 0 .. 7));
    my %counter = map { $_->{name} => $_->{value} }
        records('--isa', 'gen12', '--format', 'oa-report', $file, '-e', 'info oa 0');
    is $counter{A2}, sprintf('0x%x', 2 * 2**32 + 1002), 'a counter of 40 bits';
    is "$counter{A33} $counter{B0} $counter{C7}", join(' ', map { sprintf '0x%x', $_ } 2033, 3000, 4007), 'others';
    for ([1, 'timer'], [2, 'trigger 1'], [8, 'context switch'], [16, 'transition to or from the GO state'],
        [32, 'the ratio of clocks changed']) {
        my $report = spill('oa', pack 'V*', 0x10000 | $_->[0] << 19, (0) x 63);
        like +(run('--isa', 'gen12', '--format', 'oa-report', $report, '-e', 'info oa 0'))[0], qr/reason: $_->[1]/,
            "why a report was written: $_->[1]";
    }
    my ($list) = run('--format', 'list');
    like $list, qr/^$_\b/m, "--format list names $_"
        for qw(kernel-log umr-waves gputool radeon-ring devcoredump i915-error-state mesa-log amdgpu-regs eu-state),
        'i915-perf';
};

subtest 'packets that nobody knows are passed over whole' => sub {
    my $list = sub {
        my ($name, $isa, $format, @words) = @_;
        (run('--isa', $isa, '--format', $format, spill($name, pack 'V*', @words), '-e', 'packets'))[0];
    };
    # Opcode 0x9c is nobody's; what it carries looks like a draw.
    my $text = $list->('unknown', 'gfx7', 'pm4-buffer', 0xc0029c00, 1, 0xc0012d00, 3, 0xc0012d00, 6, 2);
    like $text,
        qr/0x0000  unknown opcode 0x9c, 4 dwords: 0xc0029c00 0x1 0xc0012d00 0x3\n.*0x0010  DRAW_INDEX_AUTO (?#
        )index_count=6/,
        'a type 3 packet with its body';
    $text = $list->('cut', 'gfx7', 'pm4-buffer', 0xc0ff9c00, 0x80000000, 0xc0012d00, 6, 2);
    like $text, qr/0x0000  \.long 0xc0ff9c00\n.*0x0004  TYPE2.*\n.*0x0008  DRAW_INDEX_AUTO/,
        'one that does not fit is one dword';
    my @all = records('--isa', 'gfx7', '--format', 'pm4-buffer',
        spill('unknown', pack 'V*', 0xc0029c00, 1, 2, 3, 0x80000000), '-e', 'packets');
    is_deeply [map { "$_->{type} $_->{size}" } grep { exists $_->{size} && $_->{type} =~ /insn|data/ } @all],
        ['data 16', 'insn 4'], '... as records';
    # 3DSTATE of subopcode 0x7f: no such command; its length field says four dwords.
    $text = $list->('unknown', 'gen7.5', 'batch-buffer', 0x787f0002, 0x7a000003, 0, 0, 0x05000000);
    like $text, qr/unknown opcode 0x187f, 4 dwords: .*\n.*0x0010  MI_BATCH_BUFFER_END/, 'a command of a batch';
    my @words = map { sprintf "0x%08x\n", $_ } 0xc0029c00, 1, 2, 3, 0xc0012d00, 6, 2, 0x80000000;
    ($text) = run(spill('words', join '', @words), '-e', 'packets');
    like $text, qr/stream 0: ib, AMD.*\n.*unknown opcode 0x9c.*\n.*DRAW_INDEX_AUTO/,
        'counts that chain to the end are a buffer, unknown opcodes or not';
};

subtest 'packets of HSA queues' => sub {
    my @packets = (
        pack('vvvvvvVVVVVQ<Q<Q<Q<', 0x1502, 2, 64, 2, 1, 0, 256, 128, 1, 16, 512, 0x7f0000001000, 0x7f0000002000, 0,
            0x7f0000003000),
        pack('vvVQ<5Q<Q<', 0x1503, 0, 0, 0x1000, 0x2000, 0, 0, 0, 0, 0x3000),
        pack('vvVQ<5Q<Q<', 0x0905, 0, 0, 0x1000, 0, 0, 0, 0, 0, 0),
        pack('vvVQ<Q<4Q<Q<', 0x0004, 0x8000, 0, 0x5000, 1, 2, 3, 4, 0, 0x6000));
    my $text = sub {
        (run(spill('aql', join '', map { sprintf "0x%08x\n", $_ } unpack 'V*', join '', @_), '-e', 'packets'))[0];
    };
    my $all = $text->(@packets);
    like $all,
        qr/KERNEL_DISPATCH dimensions=2 barrier acquire=system release=system group_x=64 group_y=2 group_z=1 (?#
        )grid_x=256 grid_y=128 grid_z=1 private_segment=16 group_segment=512 (?#
        )kernel_object=0x7f0000001000 kernarg=0x7f0000002000 completion_signal=0x7f0000003000/,
        'a dispatch';
    like $all,
        qr/BARRIER_AND barrier acquire=system release=system signal_0=0x1000 signal_1=0x2000 signal_2=0x0 (?#
        ).*completion_signal=0x3000/,
        'a barrier of all signals';
    like $all, qr/BARRIER_OR barrier acquire=none release=agent signal_0=0x1000/, '... of any';
    like $all,
        qr/AGENT_DISPATCH function=32768 .*return_address=0x5000 arg_0=0x1 arg_1=0x2 arg_2=0x3 arg_3=0x4 (?#
        )completion_signal=0x6000/,
        'a call of the agent';
    like $text->($packets[$_]), qr/stream 0: aql/, "packet $_ alone is recognised" for 0 .. 3;
};

# Words made by hand from the manuals' layouts; the names are those of the enumerations of 'Haswell' and 'DG1'.
subtest 'a core dump of Xe' => sub {
    my $ascii85 = sub {
        join '', map { my $v = $_; $v ? join '', map { chr(33 + int($v / 85 ** $_) % 85) } reverse 0 .. 4 : 'z' }
            unpack 'V*', $_[0];
    };
    my $memory = ("\0" x 64) . pack 'V*', 0x69040000, 0x7a000004, (0) x 5, 0x05000000;
    my $log = <<END;
**** Xe Device Coredump ****
kernel: 6.12.0
module: xe
Process: demo [77]
PCI ID: 0x4905
**** Job ****
\tbatch_addr[0]: 0x0000123456780040
**** HW Engines ****
rcs0 (physical), logical instance=0
\tRING_HEAD: 0x00000120
\tRING_TAIL: 0x00000190
\tIPEHR: 0x7a000004
\tACTHD: 0x0000123456780044
\tRING_INSTDONE: 0xfffffffb
bcs0 (physical), logical instance=0
\tRING_HEAD: 0x00000000
**** VM state ****
[1000].length: 0x4
[1000].data: z
[123456780000].length: 0x@{[sprintf '%x', length $memory]}
[123456780000].data: @{[$ascii85->($memory)]}
[99000].error: -14
END
    my ($text, $status) = run(spill('xe.txt', $log), '-e', 'info dump registers', '-e', 'info dump streams',
        '-e', 'info dump notes', '-e', 'packets', '-e', 'explain');
    is $status, 0, 'is read';
    like $text, qr/^ +10   RING_HEAD of rcs0 +0x00000120  RCS_RING_BUFFER_HEAD$/m, 'registers of an engine';
    like $text, qr/^ +16   RING_HEAD of bcs0 +0x00000000  BCS_RING_BUFFER_HEAD$/m, '... and of another';
    like $text, qr/^ +14   RING_INSTDONE of rcs0 .*INSTDONE_1\n(?: {9,}.*\n)*? +2:2  VS Done +busy/m,
        'units that are not done';
    like $text, qr/object object, 96 bytes at 0x123456780000$/m, 'an object of its memory';
    like $text,
        qr/^ +21  0x123456780040  PIPELINE_SELECT pipeline=3D\n +21  0x123456780044  PIPE_CONTROL .*\n +21  (?#
        )0x12345678005c  MI_BATCH_BUFFER_END$/m,
        "the job's batch in it, from its first command on";
    like $text, qr/rcs0: the last command parsed is PIPE_CONTROL/, 'explained as an error state';
    unlike $text, qr/the batch is not in this/, '... which is whole';
};

subtest 'registers that streams of drivers set and the guide leaves out' => sub {
    my ($text) = run('--isa', 'gfx7', '--format', 'pm4-buffer', spill('stream', pack 'V*', 0xc0017900, 0x40,
        0xcafedead, 0xc0047600, 0x216, 3, 0xffff, 0, 1, 0xc0017900, 0x3f, 1), '-e', 'packets/f');
    like $text, qr/SCRATCH_REG0 = 0xcafedead\n/, 'a ring test writes a scratch register';
    like $text,
        qr/STATIC_THREAD_MGMT_SE0 = 0x00000003\n.*STATIC_THREAD_MGMT_SE1 = 0x0000ffff\n.*COMPUTE_TMPRING_SIZE = (?#
        )0x00000000\n.*STATIC_THREAD_MGMT_SE2 = 0x00000001\n/s,
        'compute units of the shader engines lie around another register';
    like $text, qr/CP_STRMOUT_CNTL = 0x00000001\n/, 'stream output';
};

subtest 'fields of batch commands that enumerations name' => sub {
    my $element = 1 << 25 | 0x40 << 16 | 12;
    my $controls = 1 << 28 | 1 << 24 | 2 << 20 | 3 << 16;
    my %want = (
        'gen7.5' => [
            [[0x78090001, $element, $controls],
                qr/VERTEX_ELEMENTS offset=12 format=R32G32B32_FLOAT valid buffer=0 component_3=VFCOMP_STORE_1_FP (?#
                )component_2=VFCOMP_STORE_0 component_1=VFCOMP_STORE_SRC/],
            [[0x06800004], qr/MI_TOPOLOGY_FILTER topology=3DPRIM_TRILIST/],
            [[0x78110005, 0x40, 0, 0, 5 << 17, 0, 0], qr/3DSTATE_GS kernel=0x40 .*output_topology=3DPRIM_TRISTRIP/],
            [[0x7b000005, 4, 3, 0, 1, 0, 0], qr/3DPRIMITIVE topology=3DPRIM_TRILIST vertex_count=3 .*instance_count=1/],
            [[0x780a0101, 0x1000, 0x1fff], qr/INDEX_BUFFER index_format=words address=0x1000 end=0x1fff/],
            [[0x0d000000, 0x08008001], qr/MI_MATH op=LOAD operand_1=SRCA operand_2=REG1$/],
            [[0x69040000], qr/PIPELINE_SELECT pipeline=3D/],
            [[0x781f000c, 4 << 22 | 2 << 11 | 3 << 4, (0) x 12],
                qr/3DSTATE_SBE attributes=4 urb_read_length=2 urb_read_offset=3\b/],
            [[0x09000000, 100 << 16 | 200], qr/MI_LOAD_SCAN_LINES_INCL .*first=100 last=200$/],
        ],
        'gen12' => [
            [[0x784d0000, 1 << 30 | 1 << 29 | 1 << 24 | 17 << 19 | 3 << 14 | 19 << 9],
                qr/PS_BLEND writes_targets blend source_alpha=BLENDFACTOR_ONE destination_alpha=BLENDFACTOR_ZERO (?#
                )source=BLENDFACTOR_SRC_ALPHA destination=BLENDFACTOR_INV_SRC_ALPHA$/],
            [[0x784e0002, 2 << 26 | 4 << 8 | 3 << 5 | 3, 0xff00ff00, 0x0100],
                qr/stencil_depth_fail=STENCILOP_REPLACE .*stencil_test=COMPAREFUNCTION_LEQUAL (?#
                )depth_test=COMPAREFUNCTION_EQUAL depth_enable depth_write test_mask=0xff .*reference=1/],
            [[0x78550003, 0xf731, 0xf, 0, 0],
                qr/VF_COMPONENT_PACKING element_0=X element_1=XY element_2=XYZ element_3=XYZW element_8=XYZW$/],
            [[0x78510009, (0) x 8, 5, 0], qr/SBE_SWIZ wrap_0=XZ$/],
            [[0x781f0004, 4 << 22 | 2 << 11, 0, 0, 0x1b, 0],
                qr/3DSTATE_SBE attributes=4 urb_read_length=2 attribute_0=\.xyzw attribute_1=\.xyz attribute_2=\.xy$/],
            [[0x784b0000, 5], qr/VF_TOPOLOGY topology=3DPRIM_TRISTRIP/],
            [[0x78110008, 0x40, 0, 0, 0, 0, 4 << 17, 0, 0, 0], qr/3DSTATE_GS .*output_topology=3DPRIM_TRILIST/],
            [[0x0e00c002, 0x10, 0x2000, 0],
                qr/SEMAPHORE_WAIT compare=memory == value mode=polling value=0x10 address=0x2000/],
            [[0x781f0004, 4 << 22 | 2 << 11 | 3 << 5, (0) x 4],
                qr/3DSTATE_SBE attributes=4 urb_read_length=2 urb_read_offset=3$/],
            [[0x786d0002, 0x10000, 0x4003, 0],
                qr/3DSTATE_CONSTANT_ALL mocs=0 pointer_buffer_mask=0x1 .*read_length=3 .*buffer=0x4000$/],
            [[0x786c0004, 1 << 16 | 2, (0) x 4],
                qr/3DSTATE_PRIMITIVE_REPLICATION replica_mask=0x1 replicas_minus_1=2\b/],
            [[0x78710002, 1, 0, unpack 'V', pack 'f<', 0.5],
                qr/3DSTATE_DEPTH_BOUNDS enable depth_min=0(?:\.0)? depth_max=0\.5$/],
            [[0x5040000a, 1 << 30 | 511, 0, 64 << 16 | 128, 0x100000, 1, 0, 0, 511, 0x200000, 2, 0],
                qr/XY_BLOCK_COPY_BLT pitch_minus_1=511 .*tiling=Y .*y2=64 x2=128 address=0x100100000 (?#
                ).*source=0x200200000/],
            [[0x18800101, 0x1000, 2], qr/MI_BATCH_BUFFER_START in_ppgtt address=0x200001000/],
        ],
    );
    # Mesa's genxml: flags of MI_MATH, and operations that gen12.5 adds.
    $want{'gen12.5'} = [[[0x0d008500, 0x10500000], qr/MI_MATH predication op=SHL/],
        [[0x0d000000, 0x00100000], qr/MI_MATH (?:mocs=0 )?op=FENCE_RD/]];
    for my $isa (sort keys %want) {
        for my $case (@{ $want{$isa} }) {
            my ($text) = run('--isa', $isa, '--format', 'batch-buffer', spill('batch', pack 'V*', @{ $case->[0] }),
                '-e', 'packets');
            like $text =~ /^ +0  0x0000  (.*)$/m ? $1 : $text, $case->[1], sprintf '%s %08x', $isa, $case->[0][0];
        }
    }
    # Lengths, as Mesa's genxml has them: 7:0 of GPGPU_WALKER, below its flags; 8:0 of lists of stream output; 9:0 of
    # Gen12's stores.
    for my $case (['gen7', [0x71050509, (0) x 10], 'GPGPU_WALKER predicate indirect'],
        ['gen7.5', [0x71050509, (0) x 10], 'GPGPU_WALKER predicate indirect'],
        ['gen12', [0x7105050d, (0) x 14], 'GPGPU_WALKER predicate indirect'],
        ['gen7', [0x79170101, (0) x 258], '3DSTATE_SO_DECL_LIST'],
        ['gen7.5', [0x78430100, (0) x 257], '3DSTATE_BINDING_TABLE_EDIT_VS'],
        ['gen12', [0x10000102, (0) x 259], 'MI_STORE_DATA_IMM']) {
        my ($isa, $words, $want) = @$case;
        my ($text) = run('--isa', $isa, '--format', 'batch-buffer', spill('batch', pack 'V*', @$words, 0x05000000),
            '-e', 'packets');
        my $end = sprintf '0x%04x', 4 * @$words;
        like $text, qr/0x0000  $want\b.*\n(?: .*\n)?.*$end  MI_BATCH_BUFFER_END/,
            "$isa: $want, @{[scalar @$words]} dwords";
    }
    my ($text) = run('--isa', 'gen12', '--format', 'batch-buffer', spill('batch', pack 'V*', 0x784b0000, 5),
        '-e', 'packets/f');
    like $text, qr/37:32 .*topology +0x5 +3DPRIM_TRISTRIP/, 'as fields, too';
    my ($code) = run('--isa', 'gen12', '--raw', '--base', '0x40', '--format', 'batch-buffer',
        spill('code', "\0" x 64), spill('batch', pack 'V*', 0x78110008, 0x40, (0) x 5, 1, 0, 0),
        '-e', 'packets');
    like $code, qr/kernel 0x40 counts from the instruction base, which nothing before it sets; if it is 0 -> 0x40 of /,
        'a program that the file beside holds, perhaps';
};

# state.txt: a batch for Haswell with surface state at 0x300000, dynamic state at 0x400000, kernels at 0x200000.
subtest 'what commands point at' => sub {
    my ($text) = run("$data/state.txt", '-e', 'packets');
    like $text,
        qr/3DSTATE_PS kernel=0x40 .*\n +kernel 0x200040 -> object in stream 1: mov \(8\) r127\.0<1>:ud (?#
        )r0\.0.*\n +kernel_2 0x200080 -> /,
        'kernels behind the instruction base, those that are on';
    like $text, qr/3DSTATE_VS kernel=0xc0 .*\n +kernel 0x2000c0 -> .*\n.*3DSTATE_VS kernel=0x0.*\n +\d+  0x10078/,
        'a shader that is off has none';
    like $text,
        qr/0x300100  BINDING_TABLE surface=0x40\n +0x300040  SURFACE_STATE type=2D format=B8G8R8A8_UNORM tiled (?#
        )tile_walk=Y .*address=0x200040 width=1920 height=1024 pitch=7680 .*red=red green=green blue=blue alpha=alpha/,
        'a surface behind its table';
    like $text,
        qr/0x300104  BINDING_TABLE surface=0x60\n +0x300060  SURFACE_STATE type=buffer format=RAW .*\n +41  0x10080/,
        '... and another; a third points nowhere and ends it';
    like $text,
        qr/0x400040  SAMPLER_STATE mip_filter=linear mag_filter=linear min_filter=linear lod_bias=0 min_lod=1 (?#
        )max_lod=14 .*x=CLAMP y=CLAMP z=CLAMP/,
        'a sampler';
    like $text,
        qr/0x400080  BLEND_STATE blend alpha_function=BLENDFUNCTION_ADD source_alpha=BLENDFACTOR_SRC_ALPHA (?#
        )destination_alpha=BLENDFACTOR_INV_SRC_ALPHA/,
        'blending';
    like $text,
        qr/0x4000c0  COLOR_CALC_STATE stencil_reference=18 back_stencil_reference=52 .*red=0\.5 green=0\.25 blue=1 (?#
        )alpha=-2/,
        'colours';
    like $text,
        qr/0x400100  INTERFACE_DESCRIPTOR kernel=0x80 .*threads=4.*\n +kernel 0x200080 -> .*\n +0x400040  (?#
        )SAMPLER_STATE.*\n(?: +\w+  SAMPLER_STATE.*\n){0,3} +0x300100  BINDING_TABLE.*\n.*SURFACE_STATE (?#
        ).*\n +0x300104  BINDING_TABLE/,
        'a descriptor with its kernel, sampler and two surfaces';
    my @points = grep { $_->{type} eq 'point' } dump_of('state.txt', 'packets');
    is_deeply [map { $points[0]{$_} } qw(name base offset addr where)],
        ['kernel', 'instruction base', '0x40', '0x200040', 'object in stream 1'], '... as records';
    my $batch = sub {
        my ($isa, @words) = @_;
        (run('--isa', $isa, '--raw', '--base', '0x1200000000', '--format', 'batch-buffer',
            spill('code', "\0" x 4096), spill('batch', pack 'V*', @words), '-e', 'packets'))[0];
    };
    my @base = (0x61010014, (0) x 3, 0x1, 0x12, 0x801, 0x12, 0, 0, 0x1, 0x12, (0) x 10);
    like $batch->('gen12', @base, 0x78200 << 12 | 10, 0x80, 0, 0, 0, 0, 2, (0) x 5),
        qr/kernel 0x1200000080 -> 0x1200000080 of /, 'Gen12: bases of 48 bits';
    like $batch->('gen12', @base, 0x78240000, 0x41),
        qr/0x1200000040  BLEND_STATE alpha_test_function=COMPAREFUNCTION_ALWAYS .*source=Reserved/, '... for state';
    like $batch->('gen12', @base, 0x78260000, 0x40),
        qr/0x1200000040  BINDING_TABLE surface=0x0\n +0x1200000000  SURFACE_STATE type=1D (?#
        )format=R32G32B32A32_FLOAT tile_mode=linear/,
        '... and for surfaces';
    like $batch->('gen12', @base, 0x79190002, 0x900, 0x12, 0, 0x78260000, 0x40), qr/0x1200000040  BINDING_TABLE/,
        'a pool of tables stands for the surface base';
    like $batch->('gen12', 0x78100007, 0x80, (0) x 5, 0, 1), qr/kernel=0x80 .*\n(?! *kernel)/, 'off is off';
    like $batch->('gen12', 0x78100007, 0x80, (0) x 5, 1, 0),
        qr/kernel 0x80 counts from the instruction base, which nothing before it sets/,
        'without a base nothing is guessed';
    like $batch->('gen12', @base[0 .. 21], 0x78100007, 0x80000080, 0, (0) x 4, 1, 0),
        qr/kernel 0x1280000080 is not in the dump/, 'bytes that nobody has';
    like $batch->('gen12', 0xac000003, 1, 2, 3, 4), qr/RESOURCE_BARRIER 0x1 0x2 0x3 0x4|RESOURCE_BARRIER data=0x1/,
        'a barrier by its name and length';
};

subtest 'waves of a dump in the machine' => sub {
    my $code = spill('code', pack 'V*', 0x81020100, 0x81030402, 0x7e000204, 0x7e020207, 0x80040104, 0xbf810000);
    my ($text) = run('--isa', 'gfx7', '--raw', $code, "$data/waves1.txt", map { ('-e', $_) } 'restore', 'print $s1',
        'print $s9', 'stepi', 'set $s4 = 5', 'stepi', 'print $v0',
        'rsi', 'print $v0', 'print $pc');
    like $text, qr/dump's address 0x800102300 is 0x0 here/, 'the code is found by its words';
    my ($waves) = run('--isa', 'gfx7', '--raw', $code, "$data/waves1.txt", '-e', 'info dump waves');
    like $waves, qr/wave 0: .*pc 0x800102308 at 0x8,/, 'the program counter is placed in the code';
    my ($rows) = run('--isa', 'gfx7', '--raw', $code, "$data/waves1.txt", '-e', 'info dump code');
    my @row = map { /^ +((?:\d+ > )?) *(0x\w+) +(\w+)/ ? "$1$2 $3" =~ s/  +/ /r : () } split /\n/, $rows;
    is_deeply \@row, ['0x0 s_add_i32', '0x4 s_add_i32', '1 > 0x8 v_mov_b32_e32', '0xc v_mov_b32_e32', '0x10 s_add_u32',
        '0x14 s_endpgm'], 'the code with the number of waves at each instruction';
    my ($told) = run('--isa', 'gfx7', "$data/waves1.txt", '-e', 'info dump code');
    like $told, qr/^ +1 >  0x800102308 +v_mov_b32/m, '... or the words that the waves tell';
    my ($many) = run('t/data/explain/waves.log', '-e', 'info dump code');
    like $many, qr/^ +2 >  0x800102340 +s_waitcnt vmcnt\(0\).*^ +1 >  0x8001023a0 +s_barrier  <- at a barrier$/ms,
        'waves at one place are counted';
    like $many, qr/0x800102440 +0xffffffff, which is not an instruction of gfx7/, 'words that are no instruction';
    my ($all) = run("$data/waves1.txt", '-e', 'info dump');
    unlike $all, qr/ >  0x800102308/, 'code is shown when it is asked for';
    like $text, qr/^\$1 = 7$/m, 'a register that is known';
    like $text, qr/\$s9 is not known/, 'one that is not';
    like $text, qr/Fault.*s4 is not known/, 'a step stops where it is needed';
    like $text, qr/^\$2 = 5$/m, 'with a value it goes on';
    like $text, qr/\$v0 is not known.*\n\$3 = .*0x8/, '... and back it is unknown again';
    # s_movreld_b32 s1, 5; s_movrels_b32 s2, s1
    my $moves = spill('moves', pack 'V*', 0x81020100, 0x81030402, 0x7e000204, 0xbf810000, 0xbe813085, 0xbe822e01);
    ($text) = run('--isa', 'gfx7', '--raw', $moves, "$data/waves1.txt", map { ('-e', $_) } 'restore', 'set $pc = 0x10',
        'set $m0 = 8', 'stepi', 'print $s9', 'set $m0 = 9', 'stepi');
    like $text, qr/^\$1 = 5$/m, 'a register that M0 leads to is known when it is written';
    like $text, qr/Fault.*s10 is not known/, '... and needed when it is read';
    my @files = ('--isa', 'gfx7', '--raw', $code, "$data/waves1.txt");
    unlike +(run(@files, '-e', 'info waves'))[0], qr/ready/, 'a script says `restore` itself';
    like +(run('--screen', '150x44', @files, '-e', 'screenshot'))[0], qr{>0008   v_mov_b32},
        'on the screen code and dump open with the waves in place';
    ($text) = run('--isa', 'gfx7', '--raw', spill('other', pack 'V*', (0xbf800000) x 6), "$data/waves1.txt",
        '-e', 'restore');
    like $text, qr/are not in the loaded code/, 'other code is refused';
};

subtest 'EU threads of a dump in the machine' => sub {
    my $explain = "t/data/explain";
    my @code = ('--isa', 'gen7', '--raw', '--format', 'eu-state', spill('eu', pack 'V*',
        0x80800040, 0x228035ad, 0x00b10140, 0x00b10160,   # add.sat (16) r20.0<1>:w r10.0<16;16,1>:w r11.0<16;16,1>:w
        0x00600001, 0x2fe00021, 0x008d0000, 0x00000000,   # mov (8) r127.0<1>:ud r0.0<8;8,1>:ud
        0x00200001, 0x2fe00001, 0x00001800, 0x00000000)); # mov (2) r127.0<1>:ud tm0.0
    my ($text) = run(@code, "$explain/threads.bin.gz", map { ('-e', $_) } 'restore', 'restore 0', 'print/x $r10',
        'print/x $acc0', 'print/x $f0', 'print/x $a0', 'print $sp', 'info waves',
        'stepi', 'print/x $r20', 'stepi', 'stepi', 'rsi', 'print $pc', 'set $ce = 1', 'info waves 0');
    like $text, qr/no wave names its instruction: give the address/,
        'a thread outside of the code: where it lies must be said';
    like $text, qr/does not contain ce: the dispatched channels/, 'what is taken without proof is said';
    like $text, qr/^\$1 = \{0xa0001, 0xa0004, /m, 'general registers are set';
    like $text, qr/^\$2 = \{0x7, 0x0, /m, 'an accumulator';
    like $text, qr/^\$3 = 0x30001$/m, 'flags, from two halves';
    like $text, qr/\$sp is not known/, 'one that no record has is unknown';
    like $text, qr/2 +ready +0x200 /, 'threads stand where their records say';
    like $text, qr/0x000000ff/, 'dispatched channels run';
    like $text, qr/^\$5 = \{0x150002, 0x150008, 0x15000e, 0x150014, 0x14000d, /m, 'a step computes from them';
    like $text, qr/Fault.*tm0 is not known/, '... until an unknown value is needed';
    like $text, qr/^\$6 = 0x10$/m, 'and goes back';
    like $text, qr/>.*0x00000001 /, 'channels can be set';
    my @dump = records('--isa', 'gen7', '--format', 'eu-state', "$explain/threads.bin.gz", '-e', 'info dump');
    my ($wave) = grep { $_->{type} eq 'dump-wave' && $_->{number} == 2 } @dump;
    is "$wave->{unit} $wave->{pc} $wave->{general}", 'thread2 0x200 128', 'a thread as a record';
    my ($slot) = grep { ($_->{name} // '') =~ /^tdr0\.0/ && ($_->{unit} // '') eq 'thread6' } @dump;
    is_deeply [map { "$_->{name}=$_->{value}" } grep { $_->{name} ne '-' && $_->{name} ne 'RESERVED' }
        @{ $slot->{fields} }], ['VALID0=0x1', 'FFTID0=0x5'], 'a word of a dependency register';
};

subtest 'text, decoded view and packets side by side' => sub {
    my ($text) = run('--screen', '110x30', "$data/devcoredump.txt", '-e', 'layout log', '-e', 'focus log',
        '-e', 'pane find Rptr', '-e', 'screenshot');
    like $text, qr/decoded +line 25 .*log +devcoredump.txt/, 'the log moves the decoded view';
    like $text, qr/^ +25 +rptr of gfx +0x00000002/m, '... to what stands on its line';
    like $text, qr/packets.*\n.*stream 0: ring of gfx/, 'the packets stand below';
    ($text) = run('--screen', '110x30', "$data/devcoredump.txt", '-e', 'layout log', '-e', 'focus decoded',
        '-e', 'pane find page-fault', '-e', 'screenshot');
    like $text, qr/ 18 Faulty page/, 'and back: the decoded view moves the log';
    my $long = spill('long', join '',
        map { sprintf "radeon 0000:03:00.0:   VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x%08X\n"
            . "radeon 0000:03:00.0:   VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x0A04300C\n", $_ } 1 .. 9000);
    ($text) = run('--screen', '110x30', $long, '-e', 'layout log', '-e', 'focus decoded', '-e', 'pane bottom',
        '-e', 'screenshot');
    like $text, qr/^\(lines before 4001\)/m, 'what is too long for one list comes page by page';
    ($text) = run('--screen', '110x30', $long, '-e', 'layout log', '-e', 'focus log', '-e', 'pane find 0x00002300',
        '-e', 'screenshot');
    like $text, qr/^ *17919 +vm-fault, page 0x2300/m, '... the page that the log is at';
    ($text) = run($long, '-e', 'info dump -l 17919-17920 registers');
    is scalar(() = $text =~ /VM_CONTEXT1/g), 2, 'lines of the file as a filter';
};

subtest 'memory' => sub {
    # A program under the address sanitizer reserves more than this before it begins.
    plan skip_all => 'the program does not start in so little memory'
        if `sh -c 'ulimit -v 400000; exec $program --version' 2>&1` !~ /^gpudbg/;
    my $log = spill('big', '');
    open my $f, '>', $log or die;
    for my $i (1 .. 60000) {
        printf $f "[%5d.000000] radeon 0000:03:00.0: GPU fault detected: 146 0x000a430c\n"
            . "[%5d.000001] radeon 0000:03:00.0:   VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x%08X\n" .
            "[%5d.000002] radeon 0000:03:00.0:   VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x0A04300C\n"
            . "[%5d.000003] VM fault (0x0c, vmid 5) at page %d, read from TC1 (0x54433100) (67)\n",
            $i, $i, $i, $i, $i, $i;
    }
    close $f;
    my ($peak) = `/usr/bin/env sh -c 'ulimit -v 400000; exec $program --batch $log -e "info dump captures"' 2>&1`;
    like $peak, qr/^capture 0, line \d/, 'a long log in bounded memory';
};

subtest 'what loggers and mails put around lines' => sub {
    my $registers = sub {
        join ' ', sort map { "$_->{name}=$_->{value}" }
            grep { $_->{type} eq 'register' } records($_[0], '-e', 'info dump');
    };
    for my $file (qw(list.txt golden.txt softreset.log)) {
        my $plain = slurp("$data/$file") =~ s/^\[ *[0-9.]+\] //mgr;
        my $want = $registers->(spill('plain', $plain));
        isnt $want, '', "$file has registers";
        for my $front ('[   12.345678] ', '[   12.345678] [T1617] ', 'Nov 22 03:04:05 host kernel: ', '| ', '> ') {
            is $registers->(spill('front', $plain =~ s/^/$front/mgr)), $want, "... behind '$front'";
        }
        is $registers->(spill('colour', $plain =~ s/(0x[0-9a-fA-F]{8})/\e[1;32m$1\e[0m/gr)), $want,
            '... in colour';
        is $registers->(spill('crlf', $plain =~ s/\n/\r\n/gr)), $want, '... with other ends of lines';
    }
};

subtest 'logs as people post them' => sub {
    my $plain = "amdgpu 0000:01:00.0: GPU fault detected: 146 0x0006480c\n"
        . "amdgpu 0000:01:00.0:   VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x00123400\n" .
        "amdgpu 0000:01:00.0:   VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x0604800C\n"
        . "amdgpu 0000:01:00.0: VM fault (0x0c, vmid 3, pasid 7) at page 1192960, read from 'TC0' (0x54433000) (72)\n";
    my %front = ('Russian journal' => "авг 28 11:54:20 host.example kernel: ",
        'lower-case month' => 'nov 07 01:36:56 host kernel: ', 'Polish dmesg -T' => "[pi\x{105} sie 11 08:21:38 2017] ",
        'Chinese dmesg -T' => "[三 9月  6 11:00:27 2017] ", 'dmesg -H' => '[Nov21 23:16] ',
        'dmesg -H, later' => '[  +0.000003] ', 'dmesg in ISO times' => '2026-11-21T23:16:01,123456+01:00 ',
        'syslog with uptime' => 'Jul  6 10:01:39 host kernel: [667904.231505] ', 'kernel alone' => 'kernel: ',
        'quoted, indented' => '> >     ');
    for my $name (sort keys %front) {
        my $front = $front{$name};
        utf8::encode($front);
        my @all = dump_of(spill('posted', $plain =~ s/^/$front/gmr));
        my $fault = first(sub { ($_[0]{kind} // '') eq 'vm-fault' }, @all);
        is_deeply [@{ $fault->{values} // {} }{qw(page vmid pasid)}], ['0x123400', '0x3', '0x7'], $name;
    }
    my @older = dump_of(spill('older', $plain =~ s/'TC0' \(0x54433000\) /TC /r));
    is_deeply [@{ first(sub { ($_[0]{kind} // '') eq 'vm-fault' }, @older)->{values} }{qw(client tag)}],
        ['0x48', '0x54430000'], 'a client named without its tag';
    is scalar(grep { $_->{type} eq 'note' && $_->{kind} eq 'cut-off' } @older), 0, '... is no line that ends early';
    my @all = dump_of(spill('bsd', $plain =~ s/^amdgpu \S+/drmn0:/gmr));
    is first(sub { $_[0]{type} eq 'capture' }, @all)->{device}, 'drmn0', 'FreeBSD';
    @all = dump_of(spill('twice', $plain =~ s/^(amdgpu \S+ )/$1amdgpu: /gmr));
    is first(sub { ($_[0]{kind} // '') eq 'vm-fault' }, @all)->{values}{page}, '0x123400', 'the driver named twice';
    @all = dump_of(spill('gfx8', "[1.0] gmc_v8_0_process_interrupt: 46 callbacks suppressed\n$plain"));
    is first(sub { $_[0]{type} eq 'capture' }, @all)->{family}, 'gfx8', 'a line of the kernel tells the generation';
    @all =
        dump_of(spill('both', $plain . "i915 0000:00:02.0: [drm] GPU HANG: ecode 7:1:01fffbfe, in Xorg [5337]\n"));
    is join(' ', map { $_->{family} // '-' } grep { $_->{type} eq 'capture' } @all), 'gfx7 or gfx8 gen7 or gen7.5',
        'what one driver leaves open is not said of the other';
    @all = dump_of(spill('older', join '', map { "radeon 0000:01:00.0: $_\n" }
        'ring 0 stalled for more than 10119msec', 'GPU softreset: 0x00000019',
        '  GRBM_STATUS               = 0xA2701CA0', '  R_00D034_DMA_STATUS_REG   = 0x44C83D57'));
    is join(', ', map { $_->{family} // '-' } grep { $_->{type} eq 'capture' } @all),
        'a generation before gfx7, a generation before gfx7',
        'a device is of one generation in all its captures';
    @all = dump_of(spill('waiting',
        "radeon 0000:01:00.0: GPU lockup (waiting for 0x0000000000000024 last fence id 0x0000000000000021)\n"));
    is_deeply [@{ first(sub { ($_[0]{kind} // '') eq 'lockup' }, @all)->{values} }{qw(current last)}], ['0x21', '0x24'],
        'older kernels name the fence that is waited for first';
    my ($text) = run(spill('timeout',
        "[1.0] [drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, signaled seq=24, emitted seq=26\n"
        . "amdgpu 0000:03:00.0: amdgpu:  Process demo.exe pid 47714 thread submit pid 47850\n"), '-e', 'info dump');
    like $text, qr/timeout gfx, signaled 24, emitted 26\n.*process "demo\.exe", pid 47714/,
        'what people count in tens is decimal';
};

# Messages as the drivers' sources print them, and what each says.
subtest 'one line, one incident' => sub {
    my @said = (
        ['GPU reset begin!', 'reset'], ['GPU reset(4) succeeded!', 'reset-done number=0x4'],
        ['GPU reset(4) failed', 'reset-failed number=0x4'],
        ['GPU reset end with ret = 0', 'reset-done'],
        ['GPU reset end with ret = -62', 'reset-failed error=0xffffffffffffffc2'],
        ['GPU reset succeeded, trying to resume', 'reset-done'],
        ['Ring gfx_0.0.0 reset failed', 'reset-failed @gfx_0.0.0'],
        ['Starting gfx_0.0.0 ring reset', 'reset @gfx_0.0.0'], ['MODE1 reset', 'reset "MODE1"'],
        ['GPU pci config reset', 'reset "through the PCI configuration"'],
        ['Resetting chip for stopped heartbeat on rcs0', 'reset "stopped heartbeat on rcs0"'],
        ['Resetting rcs0 for preemption time out', 'reset @rcs0 "preemption time out"'],
        ['rcs0 reset request timed out: {request: 00000001, RESET_CTL: 00000001}', 'reset-failed @rcs0'],
        ['GT0: Engine reset failed on 0:0 (rcs0) because 0x00000001', 'reset-failed @rcs0'],
        ['VRAM is lost due to GPU reset!', 'vram-lost'],
        ['ring 3 stalled for more than 10240msec', 'stalled @dma0 milliseconds=0x2800 ring=0x3'],
        ['stuck on render ring', 'stalled @render'],
        ['ring 3 test failed (scratch(0xC040)=0xCAFEDEAD)', 'ring-test-failed @dma0'],
        ['ring gfx test failed (-110)', 'ring-test-failed @gfx error=0xffffffffffffff92'],
        ['failed testing IB on comp (1) (-35).', 'ring-test-failed @comp (1) error=0xffffffffffffffdd'],
        ['GPU lockup (current fence id 0x0000000000000012 last fence id 0x0000000000000010 on ring 0)',
            'lockup @gfx current=0x12 last=0x10 ring=0x0'],
        ['GPU lockup CP stall for more than 10000msec', 'stalled milliseconds=0x2710'],
        ['GPU lockup CP stall', 'lockup'], ['Saved 21 dwords of commands on ring 17.', 'saved dwords=0x15 ring=0x11'],
        ['Fence fallback timer expired on ring sdma0', 'fence-late @sdma0'],
        ['Illegal instruction in SDMA command stream', 'illegal-instruction @sdma'],
        ['Illegal register access in command stream', 'illegal-register'],
        ['IH ring buffer overflow (0x00000010, 0x00000020, 0x00000030)', 'interrupts-lost'],
        ['GpuTest[1234] context reset due to GPU hang', 'process "GpuTest" pid=0x4d2'],
        ['Process information: process a b pid 77 thread a:cs0 pid 78', 'process "a b" pid=0x4d'],
        ['Process information: process  pid 0 thread  pid 0', undef],
        ['[drm:cik_sdma_ring_test_ring [amdgpu]] *ERROR* amdgpu: ring 9 test failed (0xCAFEDEAD)',
            'ring-test-failed @sdma0'],
        ['[drm:gfx_v7_0_ring_test_ring [amdgpu]] *ERROR* amdgpu: ring 3 test failed (0xCAFEDEAD)',
            'ring-test-failed @compute 3'],
        ['[drm:gfx_v7_0_ring_test_ring [amdgpu]] *ERROR* ring 0 test failed (0xCAFEDEAD)', 'ring-test-failed @gfx'],
        ['failed testing IB on GFX ring (-35).', 'ring-test-failed @gfx error=0xffffffffffffffdd'],
        ['failed testing IB on ring 5 (-35).', 'ring-test-failed @uvd error=0xffffffffffffffdd'],
        ['IB test failed on comp_1.0.1 (-110).', 'ring-test-failed @comp_1.0.1 error=0xffffffffffffff92'],
        ['ib ring test failed (-35).', 'ring-test-failed error=0xffffffffffffffdd'],
        ['error initializing UVD (-22)', 'init-failed @UVD error=0xffffffffffffffea'],
        ['Failed to initialize parser -125!', 'commands-refused error=0xffffffffffffff83'],
        ['GPU Recovery Failed: -110', 'reset-failed error=0xffffffffffffff92'],
        ['device wedged, but recovered through reset', 'reset-done'], ['GPU softreset', 'soft-reset'],
        ['hw_init of IP block <gfx_v7_0> failed -110', 'init-failed @gfx_v7_0 error=0xffffffffffffff92'],
        ['GPU resetting soon', undef], ['ring', undef],
    );
    my %want = map { ($_ + 2 => $said[$_][1]) } grep { $said[$_][1] } 0 .. $#said;
    my (%got, $device);
    for my $i (grep { $_->{type} eq 'incident' && $_->{line} > 1 } dump_of(spill('said', join '',
        map { sprintf "amdgpu 0000:%02x:00.0: %s\n", ++$device, $_ } 'ring gfx timeout, signaled seq=1, emitted seq=2',
        map { $_->[0] } @said))) {
        my $values = join '', map { " $_=$i->{values}{$_}" } grep { defined $i->{values}{$_} }
            qw(milliseconds dwords current last ring signaled emitted number error pid);
        $got{ $i->{line} } = $i->{kind} . ($i->{unit} ? " \@$i->{unit}" : '') . ($i->{text} ? " \"$i->{text}\"" : '')
            . $values;
    }
    is_deeply \%got, \%want, 'each';
};

# Bits 20:17 of the interrupt's data are the address space, on gfx7.
subtest 'a fault whose status is lost is checked against its interrupt' => sub {
    my %id = (BONAIRE => '0x6658', TONGA => '0x6938');
    my $fault = sub { join '',
        map { "amdgpu 0000:01:00.0: $_\n" } "initializing kernel modesetting ($_[0] 0x1002:$id{$_[0]}).",
        'GPU fault detected: 146 0x0006480c', '  VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x00123400',
        "VM fault (0x0c, vmid $_[1]) at page 1192960, read from 'TC0' (0x54433000) (72)" };
    my $notes = sub {
        join ' ', map { "$_->{line} $_->{kind}" } grep { $_->{type} eq 'note' }
            dump_of(spill('fault', $fault->(@_)));
    };
    is $notes->('BONAIRE', 3), '', 'lines that agree';
    is $notes->('BONAIRE', 6), '4 mixed', 'lines of two faults';
    is $notes->('TONGA', 6), '', 'later generations keep other things there';
};

subtest 'core dumps of older and newer kernels' => sub {
    my $dump = "**** AMDGPU Device Coredump ****\nkernel: 6.7.0\nmodule: amdgpu\ntime: 29.725011811\n"
        . "\nSOC Family: 120\n\n[gfxhub] Page fault observed\nFaulty page starting at address 0x0000000012340000\n"
        . "Protection fault status register:0x301031\n";
    my @all = dump_of(spill('core', $dump));
    is_deeply first(sub { ($_[0]{kind} // '') eq 'page-fault' }, @all)->{values},
        {address => '0x12340000', status => '0x301031'}, 'without the colons';
    is first(sub { ($_[0]{key} // '') eq 'kernel' }, @all)->{text}, '6.7.0', 'the kernel\'s version';
    @all = dump_of(spill('core', $dump =~ s/120/152/r));
    is first(sub { $_[0]{type} eq 'capture' }, @all)->{family}, 'gfx12', 'a family that came later';
    @all = dump_of(spill('reset', "amdgpu 0000:06:00.0: amdgpu: Ring comp_1.1.0 reset succeeded\n"
        . "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, but soft recovered\n"));
    is join(' ', map { "$_->{kind}:" . ($_->{unit} // '-') } grep { $_->{type} eq 'incident' } @all),
        'reset-done:comp_1.1.0 timeout:gfx soft-recovered:gfx', 'rings that come back';
    my $log = join '', map { sprintf "radeon 0000:03:00.0: GPU softreset: 0x00000009\n"
        . "radeon 0000:03:00.0:   GRBM_STATUS=0xA04230%02X\nradeon 0000:03:00.0:   GRBM_STATUS2=0x50000008\n", $_ }
        1 .. 230;
    my ($text) = run(spill('many', $log), '-e', 'explain', '-e', 'explain -c 200');
    like $text,
        qr/capture 199.*30 more captures are not explained here: `explain -c 200` goes on.*capture 200: .*capture (?#
        )229: /s,
        'captures beyond the first 200';
};

subtest 'error states of older kernels' => sub {
    my $state = join "\n", 'GPU HANG: ecode 0:0x85dffffb, in demo [1234], reason: Ring hung, action: reset',
        'Time: 1408463122 s 12345 us', 'Kernel: 3.16.1', 'PCI ID: 0x0416', 'EIR: 0x00000000',
        'Missed interrupts: 0x00000000', '  INSTDONE_0: 0xffdfffff', '  INSTDONE_1: 0xfffffffe',
        '  INSTDONE_2: 0xfffffffd', '  INSTDONE_3: 0xfffffffb', 'render command stream:', '  HEAD:  0x06a0a6e4',
        '  ACTHD: 0x00000000 0f2c01a4', '  hangcheck: hung [60]', '  hung: yes', 'render ring --- 1 requests',
        '  seqno 0x0018f3f1, emitted 4294954212, tail 0x0000a6e8', 'render ring --- HW Status = 0x00007000',
        '[0000] 00000001 00000002 00000003 00000004', '[0010] 00000005 00000006 00000007 00000008', 'Num Pipes: 3',
        'Pipe [0]:', '  SRC: 077f0437', 'CPU transcoder: A', '  HTOTAL: 0897077f', '';
    my @all = dump_of(spill('state', $state));
    my %unit = map { ($_->{name} => $_) } grep { $_->{type} eq 'register' } @all;
    is field($unit{INSTDONE_1}, 'WM Done') // field($unit{INSTDONE_1},
        (grep { $_->{bits} eq '0:0' } @{ $unit{INSTDONE_1}{fields} })[0]{name}), '0x0',
        'the second counted register is the shader core\'s';
    is $unit{INSTDONE_1}{unit}, 'rcs0', '... of the render engine';
    is "$unit{hung}{value} $unit{hung}{unit}", '0x1 rcs0', 'an answer in words';
    is "$unit{SRC}{unit} $unit{SRC}{value} $unit{HTOTAL}{unit}", 'pipe0 0x77f0437 transcoderA', 'values of the display';
    is_deeply [map { "$_->{addr} $_->{size}" } grep { $_->{type} eq 'stream' } @all], ['0x7000 32'],
        'rows of the status page';
    my %fact = map { ($_->{key} => $_->{text} // $_->{value}) } grep { $_->{type} eq 'fact' } @all;
    is $fact{'request of rcs0'}, 'seqno 0x0018f3f1, emitted 4294954212, tail 0x0000a6e8', 'a request';
    is "$fact{Kernel} $fact{'hangcheck of rcs0'}", '3.16.1 hung [60]', 'facts';
    my ($text) = run(spill('state', $state), '-e', 'explain', '-e', 'info dump');
    like $text, qr/the driver found rcs0 hung: ecode 0x85dffffb/, 'the engine by its number';
    like $text, qr/INSTDONE_1 of rcs0: not done: /, 'who is busy, by all four';
    unlike $text, qr/bits that no field claims/, 'spare bits are not told';
};

subtest 'two devices, line by line' => sub {
    my $file = spill('two', join '', map { "[  140.00000$_->[0]] radeon 0000:0$_->[1]:00.0: $_->[2]\n" }
        [0, 3, 'GPU softreset: 0x00000009'], [1, 3, '  GRBM_STATUS=0xA0403028'],
        [2, 4, 'GPU softreset: 0x00000001'], [3, 3, '  GRBM_STATUS2=0x50000008'], [4, 4, '  GRBM_STATUS=0x00003028'],
        [5, 3, '  CP_STAT = 0x80000000'], [6, 4, '  CP_STAT = 0x00000001']);
    my @all = records($file, '-e', 'info dump');
    is join(' ', map { "$_->{capture}:$_->{name}=$_->{value}" } grep { $_->{type} eq 'register' } @all),
        '0:GRBM_STATUS=0xa0403028 0:GRBM_STATUS2=0x50000008 1:GRBM_STATUS=0x3028 0:CP_STAT=0x80000000 1:CP_STAT=0x1',
        'each register belongs to the capture of its device';
    is join(' ', map { $_->{isa} // $_->{family} // '-' } grep { $_->{type} eq 'capture' } @all), 'gfx7 gfx7',
        'what is assumed holds for both';
    is join(' ', map { $_->{capture} } grep { $_->{type} eq 'note' } @all), '0 1', '... and is said of both';
};

subtest 'every prefix of every dump' => sub {
    for my $file (glob "$data/*") {
        my $whole = slurp($file);
        my @bad;
        for (my $n = 1; $n < length $whole; $n += 1 + int(length($whole) / 12)) {
            my ($out, $status) = run(spill('prefix', substr $whole, 0, $n), '-e', 'info dump', '-e', 'packets');
            push @bad, "$n: $status" if $status =~ /signal/;
        }
        is_deeply \@bad, [], $file =~ s{.*/}{}r;
    }
};
done_testing;
