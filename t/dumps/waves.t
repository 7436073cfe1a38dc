#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `info dump code`: random waves of two programs, and a model that knows where each stands, what it waits for and what
# its registers hold.  Layouts are written down here again: SQ_WAVE_IB_STS, SQ_WAVE_STATUS, SQ_BUFSRC_WORD* and
# SQ_IMG_RSRC_WORD* of the register guide.  Then the waves of one program go on.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $seed = 21;
sub pick ($n) { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; return ($seed >> 8) % $n }

# address => [words, descriptors as [letter, first register, registers]]
my @code = (
    [0x00, [0xc0820300], [['A', 2, 2]]],                               # s_load_dwordx4 s[4:7], s[2:3], 0x0
    [0x04, [0xbf8c007f], []],                                          # s_waitcnt lgkmcnt(0)
    [0x08, [0xe0302000, 0x80010100], [['V', 4, 4]]],                   # buffer_load_dword v1, v0, s[4:7], 0 idxen
    [0x10, [0xbf8c0f70], []],                                          # s_waitcnt vmcnt(0)
    [0x14, [0xbf8a0000], []],                                          # s_barrier
    [0x18, [0xf0800f00, 0x00820402], [['T', 8, 8], ['S', 16, 4]]],     # image_sample v[4:7], v[2:3], s[8:15], s[16:19]
    [0x20, [0xbe9503ff, 0x00000007], []],                              # s_mov_b32 s21, 7
    [0x28, [0xbf810000], []]);                                         # s_endpgm
my @other = (
    [0x00, [0xbf800001], []],                                          # s_nop 1
    [0x04, [0xc2000904], [['V', 8, 4]]],                               # s_buffer_load_dword s0, s[8:11], 0x4
    [0x08, [0x7e000280], []], [0x0c, [0xbf810000], []]);               # v_mov_b32 v0, 0
sub words (@rows) { return pack 'V*', map { @{ $_->[1] } } @rows }
my $first = spill('first.bin', words(@code));
my $second = spill('second.bin', words(@other));
my %base = (first => (8 << 32) + 0x102300, second => (8 << 32) + 0x204500);

# ---- Descriptors, and what is wrong with them ----

my @buffers = (
    [[0x00400000, 0x00100001, 100, 0x00024fac], undef],                # stride 16, 100 records
    [[0, 0, 0, 0], 'it is all zeros'],
    [[0x00400000, 0x00100001, 0, 0x00024fac], 'it has no records: every access is past its end'],
    [[0x00400000, 0x00100001, 100, 0x80024fac], 'its type, 2, is not that of a buffer'],
    [[0, 0x00100000, 100, 0x00024fac], 'its address is 0']);
my @images = (
    [[0x00401000, 0x00a00000, 0x003fc0ff, 0x90000fac, 0x001fe000, 0, 0, 0], undef],
    [[0x00401000, 0x00a00000, 0x003fc0ff, 0x00000fac, 0, 0, 0, 0], 'its type, 0, is not that of an image'],
    [[0x00401000, 0x00000000, 0x003fc0ff, 0x90000fac, 0, 0, 0, 0], 'its data format is invalid'],
    [[(0) x 8], 'it is all zeros']);
my @pointers = ([[0x00500000, 0x1], undef], [[0, 0], 'its address is 0']);
my %pool = (V => \@buffers, T => \@images, A => \@pointers, S => [[[0x92, 0xfff000, 0, 0], undef]]);

# ---- Waves ----

sub wave ($slot) { # its registers, at a place of its own
    my $program = pick(4) ? 'first' : 'second';
    my @rows = $program eq 'first' ? @code : @other;
    my $row = $rows[pick(scalar @rows)];
    my %s = map { $_ => pick(1 << 30) } 0 .. 23;
    my %bad;
    for my $d (map { @{ $_->[2] } } @rows) { # all that the program uses
        my $one = $pool{ $d->[0] }[pick(scalar @{ $pool{ $d->[0] } })];
        $s{ $d->[1] + $_ } = $one->[0][$_] for 0 .. $d->[2] - 1;
        $bad{"$d->[1]"} = $one->[1];
    }
    my ($vm, $lgkm, $exp) = map { pick(3) ? 0 : 1 + pick(7) } 1 .. 3;
    my ($barrier, $halt) = (pick(3) == 0, pick(5) == 0);
    return { program => $program, at => $row->[0], words => $row->[1], s => \%s, bad => \%bad, vm => $vm,
        lgkm => $lgkm, exp => $exp, barrier => $barrier, halt => $halt, slot => $slot };
}

sub text_of (@waves) {
    my $text = 'SE SH CU SIMD WAVE# WAVE_STATUS PC_HI PC_LO INST_DW0 INST_DW1 EXEC_HI EXEC_LO HW_ID GPRALLOC LDSALLOC '
        . "TRAPSTS IBSTS TBA_HI TBA_LO TMA_HI TMA_LO IB_DBG0 M0\n";
    for my $w (@waves) {
        my $pc = $base{ $w->{program} } + $w->{at};
        $text .= sprintf "0 0 %d %d %d %08x %08x %08x %08x %08x 0 ffffffff 0 0 0 0 %08x 0 0 0 0 0 0\n",
            $w->{slot} >> 4, $w->{slot} >> 2 & 3, $w->{slot} & 3,
            0x10000 | $w->{barrier} << 12 | $w->{halt} << 13, $pc >> 32, $pc & 0xffffffff, $w->{words}[0],
            $w->{words}[1] // 0, $w->{vm} | $w->{exp} << 4 | $w->{lgkm} << 8;
        for (my $i = 0; $i < 24; $i += 4) {
            $text .= sprintf ">SGPRS[%d..%d] = { %s }\n", $i, $i + 3,
                join ', ', map { sprintf '%08x', $w->{s}{$_} } $i .. $i + 3;
        }
    }
    return $text;
}

# ---- The model ----

sub waits (@here) {
    my @said;
    for my $row (['vm', 'vector memory'], ['lgkm', 'scalar memory, LDS, GDS or messages'], ['exp', 'exports'],
        ['barrier', 'at a barrier'], ['halt', 'halted']) {
        my ($key, $words) = @$row;
        my @values = sort { $a <=> $b } map { $_->{$key} || 0 } @here;
        my $set = grep { $_ } @values or next;
        my $how = $key =~ /barrier|halt/ ? '' : $values[0] < $values[-1] ? " $values[0] to $values[-1]" : " $values[0]";
        push @said, "$words$how" . ($set < @here ? " ($set of " . @here . ' waves)' : '');
    }
    return join '; ', @said;
}

# "registers=how bad" of what the waves that stand at $pc hold for an instruction: of all of them but those whose loads
# may still write them.
sub held ($row, $pc, @here) {
    my %seen;
    for my $w (@here) {
        next if $row->[0] > $pc && $w->{lgkm};
        for my $d (@{ $row->[2] }) {
            my $values = join ',', map { $w->{s}{ $d->[1] + $_ } } 0 .. $d->[2] - 1;
            $seen{ sprintf 's[%d:%d]', $d->[1], $d->[1] + $d->[2] - 1 }{$values} //= [0, $w->{bad}{ $d->[1] }];
            $seen{ sprintf 's[%d:%d]', $d->[1], $d->[1] + $d->[2] - 1 }{$values}[0]++;
        }
    }
    return map {
        my $r = $_;
        map { "$r $_->[0] " . ($_->[1] // 'good') } values %{ $seen{$r} }
    } keys %seen;
}

for my $try (sampled(1 .. 6)) {
    my @waves = map { wave($_) } 0 .. 3 + pick(20);
    my $log = spill('waves.txt', text_of(@waves));
    my @rows = grep { $_->{type} eq 'wave-code' }
        records('--isa', 'gfx7', '--raw', $first, $second, $log, commands('info dump code'));
    for my $program ('first', 'second') {
        my @shown = grep { ($_->{file} // $first) eq "$dir/$program.bin" } @rows;
        my (@want, @got, @want_held, @got_held);
        for my $row ($program eq 'first' ? @code : @other) {
            my @here = grep { $_->{program} eq $program && $_->{at} == $row->[0] } @waves or next;
            my ($is) = grep { hex $_->{address} == $row->[0] && $_->{waves} } @shown;
            push @want, sprintf '%d waves at 0x%x: %s', scalar @here, $base{$program} + $row->[0], waits(@here);
            push @got, $is ? "$is->{waves} waves at $is->{pc}: " . ($is->{waits} // '') : 'none';
            my @held = sort { $a cmp $b } held($row, $row->[0], @here);
            next if @held > 4; # of more than four different ones some are counted
            push @want_held, sprintf '0x%x: %s', $row->[0], join '; ', @held;
            push @got_held, sprintf '0x%x: %s', $row->[0], join '; ', sort { $a cmp $b }
                map { "$_->{registers} $_->{waves} " . ($_->{bad} // 'good') } @{ $is->{descriptors} };
        }
        is_deeply \@got, \@want, "$try: the waves of the $program program, and what they wait for";
        is_deeply \@got_held, \@want_held, '... and what they hold';
    }
}

# ---- Around a wave ----

my %quiet = (vm => 0, lgkm => 0, exp => 0, barrier => 0, halt => 0, slot => 0, program => 'first', bad => {});
my %s = map { $_ => 0 } 0 .. 23;
@s{ 4 .. 7 } = @{ $buffers[0][0] };
@s{ 8 .. 15 } = @{ $images[0][0] };
sub code_of (%more) {
    my $log = spill('one.txt', text_of({ %quiet, s => \%s, %more }));
    return (gpudbg('--isa', 'gfx7', '--raw', $first, $log, commands('info dump code')))[0];
}
my $at_wait = code_of(at => 0x10, words => [0xbf8c0f70], vm => 1);
like $at_wait, qr/^ +1 >  0x10 +s_waitcnt vmcnt\(0\)  <- vector memory 1$/m, 'a wave waits';
like $at_wait, qr/0x8 +buffer_load_dword .*\n +s\[4:7\]: V# base_address 0x100400000, stride 16 B, num_records 100, /,
    '... for a load whose descriptor is shown';
like $at_wait, qr/image_sample .*\n +s\[8:15\]: T# .*width 256.*height 256.*\n +s\[16:19\]: S#$/m,
    '... and what comes next';
unlike code_of(at => 0x04, words => [0xbf8c007f], lgkm => 1), qr/s\[4:7\]: V#/,
    'what a load that has not returned may write is not shown';
like code_of(at => 0x04, words => [0xbf8c007f]), qr/s\[4:7\]: V#/, '... and what is there is';
unlike code_of(at => 0x00, words => [0xc0820300]), qr/s\[4:7\]: V#/, 'nor what the code between writes';

# ---- Source lines: a compiled kernel ----

my $object = "$FindBin::Bin/../../share/demo/matmul.co";
my ($insn) = grep { $_->{type} eq 'insn' && $_->{mnemonic} =~ /buffer_load|flat_load|s_waitcnt/ }
    records($object, commands('disassemble'));
my ($line) = map { m{(\w+\.cl:\d+)} ? $1 : () } (gpudbg($object, commands("info line $insn->{addr}")))[0];
my $text = text_of({ %quiet, s => \%s, at => 0, words => [unpack 'V', pack 'H*', $insn->{bytes}] });
my $low = sprintf '%08x', hex $insn->{addr};
$text =~ s/ 00000008 00102300 / 00000000 $low /;
my ($lined) = gpudbg($object, spill('kernel.txt', $text), commands('info dump code'));
like $lined, qr/\Q$line\E\n(?: .*\n)* +1 > +0x0*\Q${\ substr $insn->{addr}, 2}\E /, 'the source line';

# ---- They go on ----

my @two = ({ %quiet, s => \%s, at => 0x20, words => [0xbe9503ff], slot => 1 },
    { %quiet, s => \%s, program => 'second', at => 0x08, words => [0x7e000280], slot => 2 });
my ($said) = gpudbg('--isa', 'gfx7', '--raw', $first, $second, spill('two.txt', text_of(@two)),
    commands('info dump code', 'restore', 'stepi', 'print $s21', 'info waves'));
like $said, qr/^in \S*second\.bin, which `file 2` loads:\n.*^ +1 >  0x8 +v_mov_b32/ms, 'which file has the other wave';
like $said, qr/^1 wave; the dump's address 0x800102300 is 0x0 here/m, 'the waves of the loaded code are restored';
like $said, qr/^1 other wave of the dump: not in this code/m, '... and the others are said to be left out';
like $said, qr/^\$1 = 7$/m, '... and they go on';
($said) = gpudbg('--isa', 'gfx7', '--raw', $first, $second, "$dir/two.txt",
    commands('file 2', 'restore', 'stepi', 'print $v0'));
my ($loaded) = gpudbg('--isa', 'gfx7', '--raw', $first, $second, "$dir/two.txt",
    commands(sprintf 'file *0x%x', $base{second} + 8));
like $loaded, qr/^\S*second\.bin: /m, 'the file where the wave at an address stands';
like $said, qr/^1 wave; the dump's address 0x800204500.*^\$1 = (?:0|\{0, 0, )/ms, '... so do those of the other file';
done_testing;
