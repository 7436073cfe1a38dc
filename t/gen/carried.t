#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What a message carries to memory is a copy: where nobody wrote the register, the store is what `check uninitialised`
# reports, with the place that has no value now; the register counts as used where it says where to store.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $set = '01' x 32;
my $addresses = unpack 'H*', pack 'Q<8', map { (1 << 32) + 64 * $_ } 0 .. 7;

# [message for the assembler, registers that hold something, what is reported].  Addresses are in r2 and r3.
for (['send.dc1 (8|M0) null r2 r4 0x80 0x040685FF', "r4=hex:$set", 'what is stored to buf0+0x4 was never written'],
    ['send.dc1 (8|M0) null r2 r4 0x100 0x040689FF', "r4=hex:$set$set$set",
        'what is stored to buf0+0xc was never written'],
    ['send.dc1 (8|M0) null r2 r4 0x40 0x040681FF', '', 'what is stored to buf0+0x0 was never written'],
    ['send.dc1 (8|M0) null r2 r4 0x80 0x040685FF', "r4=hex:$set$set", ''],
    ['send.dc1 (8|M0) null r8 r4 0x80 0x040685FF', "r4=hex:$set$set",
        'r8 is read, and nothing was ever written to it']) {
    my ($message, $registers, $want) = @$_;
    open my $f, '>', "$dir/x.asm" or die;
    print $f "(W) $message {\$0}\n(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}\n";
    close $f;
    output('--isa', 'gen12', commands("assemble $dir/x.asm $dir/x.bin"));
    my @r = records('--isa', 'gen12', '--raw', commands('check uninitialised on',
        "launch -g 8 -l 8 simd=8 buf0=zero:512 r2=hex:$addresses r127=hex:$set $registers", ('continue') x 3,
        'info checks'), "$dir/x.bin");
    my ($first) = grep { $_->{type} eq 'check' } @r;
    is($first ? $first->{message} : '', $want, "$message: " . ($want || 'nothing')) or diag(explain(\@r));
}

# A message whose descriptor is in a0 writes as many registers as that says: r4 and r5 here, not r6.
for (['r4', ''], ['r5', 'r6 is read, and nothing was ever written to it']) {
    my ($used, $want) = @$_;
    open my $f, '>', "$dir/x.asm" or die;
    print $f "(W) mov (1|M0) a0.0<1>:ud 0x042405FF:ud\n(W) send.dc1 (8|M0) r4 r2 null 0x0 a0.0 {\@1,\$0}\n"
        . "(W) send.dc1 (8|M0) null $used r2 0x40 0x040681FF {\$0}\n"    # addresses in $used and the next
        . "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}\n";
    close $f;
    output('--isa', 'gen12', commands("assemble $dir/x.asm $dir/x.bin"));
    my @r = records('--isa', 'gen12', '--raw', commands('check uninitialised on',
        "launch -g 8 -l 8 simd=8 buf0=zero:512 r2=hex:$addresses r127=hex:$set", ('continue') x 3, 'info checks'),
        "$dir/x.bin");
    my ($first) = grep { $_->{type} eq 'check' } @r;
    is($first ? $first->{message} : '', $want, "a descriptor in a0, $used is used: " . ($want || 'nothing'))
        or diag(explain(\@r));
}

# An instruction writes the channels that execute it, and of them the bytes of its destination: all others stay as they
# were.  Eight dwords go from r4 to buf0, a channel each, 64 bytes apart.
sub stored {
    my ($code) = @_;
    open my $f, '>', "$dir/x.asm" or die;
    print $f "$code\nsend.dc1 (8|M0) null r2 r4 0x40 0x040681FF {\@1,\$0}\n"
        . "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}\n";
    close $f;
    output('--isa', 'gen12', commands("assemble $dir/x.asm $dir/x.bin"));
    my @r = records('--isa', 'gen12', '--raw', commands('check uninitialised on',
        "launch -g 8 -l 8 simd=8 buf0=zero:512 r2=hex:$addresses r127=hex:$set", ('continue') x 9, 'info checks'),
        "$dir/x.bin");
    is((grep { $_->{type} eq 'stop' } @r)[-1]{reason}, 'done', '... it comes to its end');
    return [map { ($_->{message} =~ /(buf0\+\w+|^r\d+)/)[0] . " $_->{lanes}" } grep { $_->{type} eq 'check' } @r];
}
my $flag = '(W) mov (1|M0) f0.0<1>:uw 0x0F:uw';
for (['half of the channels', "$flag\n(f0.0) mov (8|M0) r4.0<1>:ud 7:uw {\@1}", 'buf0+0x100 0xf0'],
    ['... and the other half', "$flag\n(f0.0) mov (8|M0) r4.0<1>:ud 7:uw {\@1}\n"
        . "(~f0.0) mov (8|M0) r4.0<1>:ud 7:uw", ''],
    ['all of them', 'mov (8|M0) r4.0<1>:ud 7:uw', ''],
    ['the first four', '(W) mov (4|M0) r4.0<1>:ud 7:uw', 'buf0+0x100 0xf0'],
    ['the first four, in two instructions',
        "(W) mov (1|M0) r4.0<1>:ud 7:uw\n(W) mov (1|M0) r4.1<1>:ud 7:uw", 'buf0+0x80 0xfc'],
    ['half of the channels, computed', "$flag\n(f0.0) add (8|M0) r4.0<1>:ud r127.0<8;8,1>:ud 7:uw {\@1}",
        'buf0+0x100 0xf0'],
    ['all of them, of which half was not written', "$flag\n(f0.0) mov (8|M0) r6.0<1>:ud 7:uw {\@1}\n"
        . 'mov (8|M0) r4.0<1>:ud r6.0<8;8,1>:ud {@1}', 'buf0+0x100 0xf0'],
    ['all of them, and half from nowhere', "$flag\nmov (8|M0) r4.0<1>:ud 7:uw\n"
        . '(f0.0) mov (8|M0) r4.0<1>:ud r6.0<8;8,1>:ud {@1}', 'buf0+0x0 0xf']) {
    my ($what, $code, $want) = @$_;
    is_deeply(stored($code), [$want || ()], $what);
}

# An instruction that is executed again, with other channels each time: by its predicate, and inside of an if.
my $twice = "(W) mov (1|M0) f1.0<1>:uw 2:uw\n(W) mov (1|M0) f0.0<1>:uw 0x0F:uw\nL0:\n%s"
    . "(W) mov (1|M0) f0.0<1>:uw %s:uw {\@1}\n(W) shr (1|M0) f1.0<1>:uw f1.0<0;1,0>:uw 1:uw {\@1}\n"
    . '(W&f1.0) jmpi L0 {@1}';
my $write = 'mov (8|M0) r4.0<1>:ud 7:uw {@1}';
for (['by a predicate, the other half', "(f0.0) $write\n", '0xF0', ''],
    ['by a predicate, three more', "(f0.0) $write\n", '0x70', 'buf0+0x1c0 0x80'],
    ['in an if, the other half', "(f0.0) if (8|M0) L1 L1 {\@1}\n$write\nL1:\nendif (8|M0) L2\nL2:\n", '0xF0', ''],
    ['in an if, three more', "(f0.0) if (8|M0) L1 L1 {\@1}\n$write\nL1:\nendif (8|M0) L2\nL2:\n", '0x70',
        'buf0+0x1c0 0x80']) {
    my ($what, $code, $next, $want) = @$_;
    is_deeply(stored(sprintf $twice, $code, $next), [$want || ()], "twice, $what");
}

# Of a register in parts only what an instruction reads counts: random moves and sums without carry of one, two, four or
# eight dwords, in a loop that runs twice, against a walk over dwords.
for my $seed (sampled(1 .. 40)) {
    srand $seed;
    my (@code, @steps, %written);
    for (1 .. 4 + int rand 10) {
        my $n = (1, 2, 4, 8)[rand 4];
        my @r = sort { rand() <=> .5 } 4, 6, 8;
        my ($to, @from) = map { [$_, $n * int rand 8 / $n] } @r;
        my $kind = int rand 3;
        $#from = $kind - 1;
        my $region = $n == 1 ? '<0;1,0>' : "<$n;$n,1>";
        push @code, sprintf '(W) %s (%d|M0) r%d.%d<1>:ud %s {@1}', $kind == 2 ? 'xor' : 'mov', $n, @$to,
            join ' ', map({ "r$_->[0].$_->[1]$region:ud" } @from), $kind ? () : '7:uw';
        push @steps, [$n, $to, @from];
    }
    for my $step (@steps, @steps) {
        my ($n, $to, @from) = @$step;
        for my $i (0 .. $n - 1) {
            $written{$to->[0], $to->[1] + $i} = !grep { !$written{$_->[0], $_->[1] + $i} } @from;
        }
    }
    my @missing = grep { !$written{4, $_} } 0 .. 7;
    my $mask = 0;
    $mask |= 1 << $_ for @missing;
    my $code = join "\n", '(W) mov (1|M0) f1.0<1>:uw 2:uw', 'L0:', @code,
        '(W) shr (1|M0) f1.0<1>:uw f1.0<0;1,0>:uw 1:uw {@1}', '(W&f1.0) jmpi L0 {@1}';
    is_deeply(stored($code), [@missing ? sprintf 'buf0+0x%x 0x%x', 64 * $missing[0], $mask : ()],
        "seed $seed: parts of registers") or diag $code;
}

# Of a header only the dwords that the message takes: the address is in the first two, of a block of two owords.  Where
# there is no surface, they are an offset, a size and a base: dwords 2, 3 and 5.
my ($missing, $at_64, $at_32) = ('r6 is read, and nothing was ever written to it', '0x021D0AFF', '0x021802FF');
for (['0 and 1', 'dc1', $at_64, ''], ['0', 'dc1', $at_64, $missing], ['2, 3 and 5', 'dc0', $at_32, ''],
    ['2 and 5', 'dc0', $at_32, $missing], ['2 and 3', 'dc0', $at_32, $missing]) {
    my ($dwords, $unit, $message, $want) = @$_;
    open my $f, '>', "$dir/x.asm" or die;
    print $f map({ "(W) mov (1|M0) r6.$_<1>:ud r2.$_<0;1,0>:ud\n" } $dwords =~ /\d/g),
        "(W) send.$unit (8|M0) r8 r6 null 0x0 $message {\@1,\$0}\n",
        "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}\n";
    close $f;
    output('--isa', 'gen12', commands("assemble $dir/x.asm $dir/x.bin"));
    my @r = records('--isa', 'gen12', '--raw', commands('check uninitialised on',
        "launch -g 8 -l 8 simd=8 buf0=zero:512 r2=hex:$addresses r127=hex:$set", ('continue') x 3, 'info checks'),
        "$dir/x.bin");
    my ($first) = grep { $_->{type} eq 'check' } @r;
    is($first ? $first->{message} : '', $want, "a header with dwords $dwords: " . ($want || 'nothing'))
        or diag(explain(\@r));
}
done_testing;
