#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Values in expressions once there are registers and memory: parts of registers, patterns read as another type, several
# lanes.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

sub said ($demo, @commands) {
    my ($out, $err) = gpudbg(@$demo, map { ('-e', $_) } @commands);
    return join '', map { "$_\n" } grep { !/at entry/ } split /\n/, $out . $err;
}
sub prints ($demo, $commands, $wanted, $what) {
    is said($demo, @$commands) =~ s/^\$\d+ = //mgr, join('', map { "$_\n" } @$wanted), $what;
}
my $gfx7 = ['--demo'];
my $gen = ['--demo=dg1'];

subtest 'halves of a mask' => sub {
    prints $gfx7, ['set $vcc = 0x1122334455667788', 'print $vcc_lo', 'print $vcc_hi'], [qw(0x55667788 0x11223344)],
        'are read';
    prints $gfx7, ['set $vcc = 0x1122334455667788', 'set $vcc_lo = 1', 'print $vcc', 'set $vcc_hi = 2', 'print $vcc'],
        [qw(0x1122334400000001 0x0000000200000001)], 'the other one stays';
    prints $gfx7, ['set $exec_lo = -1', 'print $exec', 'set $exec_lo = 0', 'print/x $exec[32]', 'print/x $exec[31]'],
        [qw(0xffffffffffffffff 0x1 0x0)], 'of exec, too';
};

# 0x40000000 is 2.0, 0x40400000 is 3.0.
subtest 'a pattern keeps being one' => sub {
    prints $gfx7, ['set $v0[2] = 0x40000000', 'print $v0[2]', 'print (f32)$1', 'set $v0[3] = (f32)$1', 'print/x $v0[3]',
        'set $x = $v0[2]', 'print (f32)$x + 1'], [qw(1073741824 2.0 0x40000000 3.0)], 'in the history and in variables';
    prints $gfx7, ['set $s4 = 0x40400000', 'print (f32)(1 ? $s4 : 0)', 'print (i32)(1 ? $s4 : 0)', 'set $s4 = -2',
        'print $s4', 'print (i32)$'], [qw(3.0 1077936128 -2 -2)], 'through ? :';
    prints $gfx7, ['set $s4 = -1', 'print $s4 == 0xffffffffffffffff', 'print $s4 == 0xffffffff', 'print $s4 == -1',
        'print (i32)$s4 == 0xffffffff'], [0, 1, 1, 1], 'compared with numbers that do not fit it';
};

# 0x7fc00000 and 0xff800000 are IEEE 754's.
subtest 'what is shown can be typed' => sub {
    prints $gfx7, ['set $v0[2] = nan', 'print/x $v0[2]', 'set $s4 = -inf', 'print/x $s4', 'print inf', 'print 2 * nan',
        'print inf > 1e300', 'print nan == nan'], [qw(0x7fc00000 0xff800000 inf nan 1 0)], 'nan and inf';
    prints $gen, ['set $r5:f[0] = nan', 'print $r5:f[0]'], ['nan'], '... on Intel';
};

# s4 holds an integer of the launch, v10 gets one.
subtest 'the user is a writer, too' => sub {
    prints $gfx7, ['set $s4 = 1.5', 'print $s4', 'print $s4 + 1', 'set $s4 = -3', 'print $s4', 'undo', 'print $s4'],
        ['1.5', 0x3fc00001, -3, '$s4: -3 -> 1.5, as it was', '1.5'], 'a float is one, a sign stays';
    prints $gfx7, ['set $v2[3] = 2.5', 'print $v2[2:4]', 'set $v2[4] = 7', 'print $v2[2:4]', 'set $v2 = 0.5',
        'print $v2[0]'], ['{0, 2.5, 0}', '{0, 2.5, 7}', '0.5'], 'in its lane';
    prints ['--demo=matmul'], ['stepi 20', 'set $v10 = 1.5', 'print $v10', 'stepi', 'print $v10 == $s9'],
        ['Wave 0 at matmul+0x58: v_mov_b32_e32 v10, s9', '1.5', 'Wave 0 at matmul+0x5c: s_mov_b32 m0, -1', 1],
        '... until an instruction writes';
};

subtest 'several lanes, or more than 64 bits, are no number' => sub {
    for my $use ('print $s[4:7] == 1', 'set $y = -$v0[0:3]', 'set $y = 1 ? $v0[0:3] : 2',
        'print (u32*)$s[4:7]', 'print *$s[4:7]', 'set $x = $v0[0:3]', 'set $v1[0:3] = $v0[0:3]',
        'break *$pc if $v0[0:3] == 3', 'break *$pc if $v0[0:3]', 'x $v0[0:3]', 'lane $s[4:7]',
        'printf "%d", $v0[0:3]') {
        like said($gfx7, $use),
            qr/^gpudbg: -e: the value has several (?:lanes or more than 64 bits|registers or lanes, or is wide)/, $use;
    }
    like said($gfx7, 'print $v0[0:3]', 'print $ + 1', 'print'),
        qr/^\$1 = \{0, 1, 2, 3\}\n(.*\$1 was several lanes, .*\n){2}\z/, 'nor are they in the history';
    like said($gen, 'print $r10 == 1'), qr/and one number is needed/, 'a register of 256 bits';
    prints $gfx7, ['set $v0[0:3] = 5', 'print $v0[2:5]', 'set $v0[0] = 0x40000000', 'print (f32)$v0[0:0]',
        'set $s[4:5] = 7', 'print $s[4:5] - 1'], ['{5, 5, 4, 5}', '2.0', 6], 'but are stored to and shown';
};

subtest 'what is stored to a wide register' => sub {
    prints $gen, ['set $r10 = -1', 'print/x $r10', 'set $r10 = 5', 'print/x $r10'],
        ['{' . join(', ', ('0xffffffff') x 8) . '}', '{0x5' . ', 0x0' x 7 . '}'], 'is a number of all its bits';
    like said($gen, 'set $r10 = 1.5'), qr/\$r10 has 256 bits: a float goes to one of its elements, \$r10\.0:f = 1\.5/,
        'a float is of one element';
    prints $gen, ['set $r10 = 0', 'set $r10.1:f = 1.5', 'print/x $r10'], ['{0x0, 0x3fc00000' . ', 0x0' x 6 . '}'],
        '... which says its width';
};

subtest 'x goes on where it ended' => sub {
    my @all = grep { /^.. 0x/ } split /\n/, said($gfx7, 'x/4i matmul');
    my @parts = grep { /^.. 0x/ } split /\n/, said($gfx7, 'x/2i matmul', 'x/2i');
    is_deeply \@parts, \@all, 'with instructions';
    is said($gfx7, 'x/4xw a[3]'), said($gfx7, 'x/4xw *(u32*)(a+12)'),
        'memory with the type of a float is a place like any other';
    like said($gfx7, 'x/4xw a[3]'), qr/^0x\w+ <a\+0xc>:(  0x[0-9a-f]{8}){4}$/m, '... its own';
    like said($gfx7, 'x 1.5'), qr/1\.5 is a float, not an address/, 'a float is none';
};

# As gdb's: a format with a number asks for memory.  The values are those of the file that the demo loads.
subtest 'displays of memory' => sub {
    open my $file, '<:raw', 'share/demo/matmul_a.bin' or die $!;
    read $file, my $bytes, 16;
    my $hex = join ', ', map { sprintf '0x%08x', $_ } unpack 'V4', $bytes;
    my $floats = join ', ', map { sprintf '%g', $_ } unpack 'f<4', $bytes;
    my $halves = join ', ', unpack 's<2', $bytes;
    is said($gfx7, 'display/4xw a', 'display/4fw a', 'display/2dh a'),
        "1: /4xw *(u32*)(a)\@4 = {$hex}\n2: /4fw *(f32*)(a)\@4 = {$floats}\n3: /2dh *(i16*)(a)\@2 = {$halves}\n",
        'show its elements';
    like said($gfx7, 'display/2i $pc'), qr/display shows one instruction/, '... and say what they do not show';
};
done_testing;
