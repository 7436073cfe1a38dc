# SPDX-License-Identifier: GPL-3.0-or-later
#
# Files with very many of one thing.  Whoever compares each with all others takes minutes here; the answers are what is
# tested.
use v5.36;
use lib 't/lib';
use AmdElf;
use File::Temp ();
use Gpudbg;
use Test::More;

my $folder = File::Temp->newdir;

sub file ($name, $bytes) {
    open my $to, '>:raw', "$folder/$name" or die;
    print $to $bytes;
    close $to or die;
    return "$folder/$name";
}

# ---- ELF files of AMD's GPUs ----

use constant {CODE => 6, DATA => 2, FUNCTION => 0x12, OBJECT => 0x11, STOP => pack('V', 0xbf810000)};

{
    my ($own, $own_names) = symbols(['only', FUNCTION, 1, 0, 4]);
    my ($dynamic, $dynamic_names) = symbols(['only', FUNCTION, 1, 0, 4],
        map { ["d$_", FUNCTION, 1, 4 * $_, 4] } 1 .. 300_000);
    my $path = file('dynamic', elf(2, ['.text', 1, CODE, 0, 0, 0, 0, STOP x 300_001],
        ['.symtab', 2, 0, 0, 3, 0, 24, $own],
        ['.strtab', 3, 0, 0, 0, 0, 0, $own_names], ['.dynsym', 11, 2, 0, 5, 0, 24, $dynamic], ['.dynstr', 3, 0, 0, 0, 0,
            0, $dynamic_names]));
    is(output(commands('info symbols only', 'info symbol d299999'), $path) =~ s/ +/ /gr,
        "address bytes kind symbol\n 0x0 4 function only\n0x124f7c is d299999 in .text\n",
        '300,000 dynamic symbols beside a table of one');
}

# Kernels whose descriptors lie at 0 on and whose code is 16 instructions in turn, with metadata as MessagePack.
sub word ($text) { return pack('CC/a*', 0xd9, $text) }
{
    my $n = 40_000;
    my $text = 0x1000_0000;
    my $descriptors = join '', map { pack('x16q<x24V2vx6', $text + 4 * ($_ % 16) - 64 * $_, 0, 0, 0) } 0 .. $n - 1;
    my ($table, $names) = symbols((map { ["k$_.kd", OBJECT, 2, 64 * $_, 64] } 0 .. $n - 1),
        map { ["k$_", FUNCTION, 1, $text + 4 * ($_ % 16), 4] } 0 .. $n - 1);
    my $metadata = pack('C', 0x81) . word('amdhsa.kernels') . pack('CN', 0xdd, $n)
        . join '', map { pack('C', 0x82) . word('.symbol') . word("k$_.kd") . word('.sgpr_count') . pack('Cn', 0xcd,
            $_ % 100) } 0 .. $n - 1;
    my $note = pack('V3a8', 7, length $metadata, 32, 'AMDGPU') . $metadata . "\0" x (-length($metadata) % 4);
    my $path = file('kernels', elf(2, ['.text', 1, CODE, $text, 0, 0, 0, STOP x 16], ['.rodata', 1, DATA, 0, 0, 0, 0,
        $descriptors],
        ['.symtab', 2, 0, 0, 4, 0, 24, $table], ['.strtab', 3, 0, 0, 0, 0, 0, $names], ['.note', 7, 2, 0x7000_0000, 0,
            0, 0, $note]));
    my ($last) = records(commands('info kernel k39999'), $path);
    is_deeply([@$last{qw(name entry)}], ['k39999', '0x1000003c'], '40,000 kernels, each in the metadata: the last one');
    is($last->{facts}{sgprs} // $last->{sgprs}, 99, '... has what the metadata says of it');
}

# Kernels whose arguments only the debug information names.
{
    my $n = 30_000;
    my $text = 0x1000_0000;
    my $descriptors = join '', map { pack('x16q<x24V2vx6', $text + 4 * $_ - 64 * $_, 0, 0, 0) } 0 .. $n - 1;
    my ($table, $names) = symbols((map { ["k$_.kd", OBJECT, 2, 64 * $_, 64] } 0 .. $n - 1));
    my $argument = pack('C', 0x83) . word('.value_kind') . word('global_buffer') . word('.size') . pack('C', 8)
        . word('.offset') . pack('C', 0);
    my $metadata = pack('C', 0x81) . word('amdhsa.kernels') . pack('CN', 0xdd, $n)
        . join '', map { pack('C', 0x82) . word('.symbol') . word("k$_.kd") . word('.args') . pack('C', 0x91)
            . $argument } 0 .. $n - 1;
    my $note = pack('V3a8', 7, length $metadata, 32, 'AMDGPU') . $metadata . "\0" x (-length($metadata) % 4);
    my $abbreviations = pack('C*', 1, 0x11, 1, 0x11, 1, 0x12, 6, 0, 0, 2, 0x2e, 1, 3, 8, 0x11, 1, 0x12, 6, 0, 0, 3, 5,
        0, 3, 8, 0, 0, 0);
    my $unit = pack('vVC', 4, 0, 8) . pack('CQ<V', 1, $text, 4 * $n)
        . join('', map { pack('C', 2) . "k$_\0" . pack('Q<V', $text + 4 * $_, 4) . pack('C', 3)
            . "of_k$_\0\0" } 0 .. $n - 1) . "\0";
    my $path = file('unnamed', elf(2, ['.text', 1, CODE, $text, 0, 0, 0, STOP x $n], ['.rodata', 1, DATA, 0, 0, 0, 0,
        $descriptors],
        ['.symtab', 2, 0, 0, 4, 0, 24, $table], ['.strtab', 3, 0, 0, 0, 0, 0, $names], ['.note', 7, 2, 0x7000_0000, 0,
            0, 0, $note],
        ['.debug_abbrev', 1, 0, 0, 0, 0, 0, $abbreviations], ['.debug_info', 1, 0, 0, 0, 0, 0,
            pack('V', length $unit) . $unit]));
    my ($last) = records(commands('info kernel k29999'), $path);
    is($last->{params}[0]{name}, 'of_k29999', '30,000 kernels whose arguments the debug information names');
}

# Sections one after another, and relocations that each add to a word of one of them.
{
    my $n = 60_000;
    my ($table, $names) = symbols(['x', FUNCTION, 1, 0x1000, 4]);
    my $relocations = join '', map { pack('Q<2', 0x1000 + 16 * ($_ % $n), 1 << 32 | 6) } 1 .. 5 * $n;
    my $path = file('sections', elf(2, (map { ['s', 1, CODE, 0x1000 + 16 * $_, 0, 0, 0, STOP x 4] } 0 .. $n - 1),
        ['.symtab', 2, 0, 0, $n + 2, 0, 24, $table],
        ['.strtab', 3, 0, 0, 0, 0, 0, $names], ['.rel', 9, 0, 0, $n + 1, 0, 16, $relocations]));
    my @lines = split /\n/, output(commands('disassemble', sprintf('x/1xw 0x%x', 0x1000 + 16 * ($n - 1))), $path);
    is(scalar(@lines), 4 * $n + 1 + 1, '60,000 sections of code with 300,000 relocations are listed whole');
    like($lines[-1], qr/0xbf811000$/, '... and memory is as the last relocation leaves it');
}

# Text that libyaml would take the square of its length for.
for my $case (['anchors', "Kernels:\n" . join('', map {"  - &a$_ x\n"} 1 .. 200_000), qr/anchors/],
    ['brackets', '[' x 1_000_000, qr/nested deeper/]) {
    my ($name, $yaml, $says) = @$case;
    my ($table, $names) = symbols(['x', FUNCTION, 1, 0, 4]);
    my $note = pack('V3a4', 4, length $yaml, 10, 'AMD') . $yaml . "\0" x (-length($yaml) % 4);
    my $path = file("yaml-$name", elf(0, ['.text', 1, CODE, 0, 0, 0, 0, STOP x 16], ['.symtab', 2, 0, 0, 3, 0,
        24, $table],
        ['.strtab', 3, 0, 0, 0, 0, 0, $names], ['.note', 7, 2, 0x7000_0000, 0, 0, 0, $note]));
    like(output(commands('info file'), $path), $says, "metadata of many $name is refused, the code is read");
}

# A line table whose rows each name a file of their own.
{
    my $n = 150_000;
    my $header = pack('CCCcCC', 1, 1, 1, -5, 14, 13) . pack('C12', 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1) . "\0"
        . join('', map {"f$_.cl\0\0\0\0"} 1 .. $n) . "\0";
    my $program = pack('C3Q<', 0, 9, 2, 0) . join('', map { "\x02\x04\x04" . leb($_) . "\x01" } 1 .. $n) . pack("C5", 2,
        4, 0, 1, 1);
    my $lines = pack('vV', 4, length $header) . $header . $program;
    my $unit = pack('vVC', 4, 0, 8) . pack('CV', 1, 0) . "a.cl\0/src\0";
    my $path = file('files', elf(2, ['.text', 1, CODE, 0, 0, 0, 0, STOP x $n], ['.debug_abbrev', 1, 0, 0, 0, 0, 0,
        pack('C12', 1, 0x11, 0, 0x10, 0x17, 3, 8, 0x1b, 8, 0, 0, 0)],
        ['.debug_info', 1, 0, 0, 0, 0, 0, pack('V', length $unit) . $unit], ['.debug_line', 1, 0, 0, 0, 0, 0,
            pack('V', length $lines) . $lines]));
    my @files = split /\n/, output(commands('info source'), $path);
    is(scalar(@files), $n, 'a line table of 150,000 files');
    like($files[-1], qr{ /src/f150000\.cl }, '... in their order');
}

sub leb ($n) {
    my $bytes = '';
    for (; $n > 127; $n >>= 7) { $bytes .= chr($n & 127 | 128) }
    return $bytes . chr $n;
}

# Jumps from the end back, one after another: what is known of the scoreboard comes to the first block last.
{
    my $n = 60_000;
    my $jump = sub ($from, $to) { return pack('H16x4V', '2000030000410000', 16 * ($to - $from) & 0xffff_ffff) };
    my $path = file('jumps', $jump->(0, $n - 1) . pack('H32', '60' . '0' x 30) . join '',
        map { $jump->($_, $_ - 1) } 2 .. $n - 1);
    is(output('--isa', 'gen12', '--raw', commands('info scoreboard'), $path),
        "no instruction of this code uses a scoreboard\n", '60,000 jumps, each to the one before it');
}

{
    my $path = file('buffers.il', "il_cs_2_0\n" . join('', map {"dcl_cb cb$_\[1]\n"} 0 .. 64_999)
        . join('', map {"mov r0, cb64999[0]\n"} 1 .. 20_000) . "end\n");
    my ($kernel) = records(commands('info kernels'), $path);
    is(scalar(@{$kernel->{params}}), 65_000,
        'a program of AMD IL with 65,000 constant buffers, and 20,000 uses of the last');
}

# ---- Dumps ----

{
    my $n = 120_000;
    my $path = file('devices', join '', map {
        sprintf "[    1.000000] amdgpu %04x:%02x:%02x.0: amdgpu: VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x%08x\n",
        $_ >> 13, $_ >> 5 & 255, $_ & 31, $_
    } 0 .. $n - 1);
    like(output(commands('explain -c ' . ($n - 1)), $path), qr/capture 119999.*from line 120000\n/,
        'a log of 120,000 devices');
}

{
    my $n = 60_000;
    my $path = file('faults', join '', map {
        sprintf "[    1.0] amdgpu 0000:01:00.0: GPU fault detected: 147 0x%08x\n"
            . "[    1.0] amdgpu 0000:01:00.0:   VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x%08x\n"
            . "[    1.0] amdgpu 0000:01:00.0:   VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x0604400C\n", $_, $_
    } 0 .. $n - 1);
    like(output(commands('explain'), $path), qr/page-fault/, '60,000 faults, each told in three lines');
}

{
    my $n = 200_000;
    my $path = file('again', join '', map { sprintf "0x8010 0x%08x\n", $_ } 1 .. $n);
    like(output(commands('explain'), $path), qr/^capture 0, gfx7/m,
        'one register 200,000 times, and rules that ask for another');
}

my $hung = "Time: 1 s 2 us\nKernel: 4.9\nPCI ID: 0x0412\nrender command stream:\n  START: 0x00001000\n  IPEHR: 0x1\n";
{
    my $n = 80_000;
    my $path = file('batches', $hung . join '', map {
        sprintf "render ring --- gtt_offset = 0x%08x\n00000000 :  18800100\n00000004 :  %08x\n", 4096 * $_,
        4096 * ($_ + 1)
    } 1 .. $n);
    like(output(commands('packets ' . ($n - 2)), $path), qr/MI_BATCH_BUFFER_START.*\n +-> batch in stream 79999\n/,
        '80,000 batches, each running the next');
}

{
    my $text = $hung;
    for my $at (1 .. 3) {
        my $next = 0x10000 * ($at % 3 + 1);
        $text .= sprintf "render ring --- gtt_offset = 0x%08x\n", 0x10000 * $at;
        $text .= sprintf "%08x :  18800100\n%08x :  %08x\n", 8 * $_, 8 * $_ + 4, $next for 0 .. 1999;
    }
    my @lines = split /\n/, output(commands('packets 0'), file('loop', $text));
    ok(@lines < 40_000,
        'three batches that run each other two thousand times are listed once each, not by the fourth power');
    is(scalar(grep { /listed above/ } @lines), 1999 + 1999 + 2000, '... the other calls say so');
}

done_testing;
