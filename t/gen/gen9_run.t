# SPDX-License-Identifier: GPL-3.0-or-later
#
# What single instructions of Gen8, Gen9 and Gen11 do that those of Gen7.5 and Gen12 do not: products and shifts of 64
# bits, doubles to floats, goto's predicate, smov, macros of math.  Results are worked out by hand.
use v5.36;
use Test::More;
use File::Temp 'tempdir';

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir    = tempdir(CLEANUP => 1);

sub gpudbg (@words) {
    open my $p, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', $gpudbg, '--batch', @words or die;
    local $/;
    return <$p> // '';
}

# Runs the text, `steps` instructions or all of it; what the last commands say.
sub run ($isa, $text, $steps, $parts, @show) {
    open my $f, '>', "$dir/t.s" or die;
    print $f $text;
    close $f;
    my $said = gpudbg('--isa', $isa, '-e', "assemble $dir/t.s $dir/t.krn");
    like($said, qr/bytes/, "$isa: the text is assembled") or diag($said);
    return gpudbg('--raw', '--isa', $isa, "$dir/t.krn", '-e', "launch -g 8 -l 8 simd=8 $parts", '-e', "stepi $steps",
        map { ('-e', $_) } @show);
}
sub dwords ($said, $reg) {
    my ($row) = $said =~ /^$reg\s.*?((?:0x[0-9a-f]{8}\s*)+)$/m;
    return [($row // '') =~ /0x([0-9a-f]{8})/g];
}

for my $isa (qw(gen8 gen9)) {
    my $parts = 'r2=hex:ffffff7f00000080 r3=hex:0300010002000000';
    my $said = run($isa, <<'END', 5, $parts, 'info registers r4 r5 r6 r7 r8');
mul (1) r4.0<1>:d r2.0<0;1,0>:d r3.0<0;1,0>:d {NoMask}
mul (1) r5.0<1>:q r2.0<0;1,0>:d r3.0<0;1,0>:d {NoMask}
shl (1) r6.0<1>:q r3.0<0;1,0>:d 33:w {NoMask}
shr (1) r7.0<1>:uq r2.1<0;1,0>:ud 31:w {NoMask}
shl (1) r8.0<1>:d r3.0<0;1,0>:d 33:w {NoMask}
END
    # 7fffffff * 10003 = 8001_7ffefffd
    is(dwords($said, 'r4')->[0], '7ffefffd', "$isa: mul of two whole dwords");
    is_deeply([@{ dwords($said, 'r5') }[0, 1]], ['7ffefffd', '00008001'], "$isa: mul to a qword");
    is_deeply([@{ dwords($said, 'r6') }[0, 1]], ['00000000', '00020006'], "$isa: a qword's shift by 33");
    is(dwords($said, 'r7')->[0], '00000001', "$isa: shr to a qword");
    is(dwords($said, 'r8')->[0], '00020006', "$isa: a dword's shift by 33 is one by 1");

    # 1 + 3 * 2^-25 is nearer to 1 + 2^-23 than to 1.
    my $double = unpack 'H*', pack 'd<', 1 + 3 * 2**-25;
    $said = run($isa, "mov (1) r4.0<1>:f r2.0<0;1,0>:df {NoMask}\n", 1, "r2=hex:$double", 'info registers r4');
    is(dwords($said, 'r4')->[0], '3f800001', "$isa: a double becomes the nearest float");
    $said = run($isa, "mov (1) r4.0<1>:f r2.0<0;1,0>:df {NoMask}\n", 1, "r2=hex:$double cr0=0x30", 'info registers r4');
    is(dwords($said, 'r4')->[0], '3f800000', "$isa: ... and as cr0.0 says");

    # Channels 0 to 3 pass the predicate: they go on, the others wait at the join.
    $said = run($isa, <<'END', 5, 'r4=hex:' . '00' x 32, 'info registers r4');
mov (1) f0.0<1>:uw 0xF:uw {NoMask}
(f0.0) goto (8) L1 L1
mov (8) r4.0<1>:d 1:w
L1:
join (8) L2
L2:
add (8) r4.0<1>:d r4.0<8;8,1>:d 4:w
END
    is_deeply(dwords($said, 'r4'), [('00000005') x 4, ('00000004') x 4], "$isa: channels that fail a goto leave");

    # A function that lies behind the endif where channels 3 to 7 wait, called and left by jumps of the thread; channels
    # part in it, too.
    $said = run($isa, <<'END', 15, 'r4=hex:' . '00' x 32, 'info registers r4');
mov (1) f0.0<1>:uw 0x7:uw {NoMask}
(f0.0) if (8) L1 L1
add (1) r10.0<1>:ud ip<0;1,0>:ud 0x20:ud {NoMask}
jmpi FUNCTION
add (8) r4.0<1>:d r4.0<8;8,1>:d 100:w
L1:
endif (8) L2
L2:
add (8) r4.0<1>:d r4.0<8;8,1>:d 1000:w
jmpi LAST
FUNCTION:
mov (1) f1.0<1>:uw 0x3:uw {NoMask}
(f1.0) if (8) L3 L3
add (8) r4.0<1>:d r4.0<8;8,1>:d 10:w
L3:
endif (8) L4
L4:
add (8) r4.0<1>:d r4.0<8;8,1>:d 1:w
add (1) r11.0<1>:d -ip<0;1,0>:d r10.0<0;1,0>:d {NoMask}
add (1) r11.0<1>:d r11.0<0;1,0>:d -48:w {NoMask}
jmpi r11.0<0;1,0>:d
LAST:
nop
END
    is_deeply([map { hex } @{ dwords($said, 'r4') }], [1111, 1111, 1101, (1000) x 5],
        "$isa: channels that wait do not run while a function is called by a jump") or diag($said);

    $said = run($isa, <<'END', 2, 'r2=hex:' . unpack('H*', pack 'L*', 7) . ' r6=hex:' . '00' x 32, 'info registers r6');
mov (1) a0.3<1>:uw 192:uw {NoMask}
smov (8) r[a0.3]<1>:d r2.0<0;1,0>:d 0x8:uw
END
    is_deeply(dwords($said, 'r6'), [('00000000') x 3, '00000007', ('00000000') x 4], "$isa: smov writes one channel");
}

# Gen11: the low half of a product takes mul and mach; channels that pass a goto leave; a region with rows of 2.
my $said = run('gen11', <<'END', 4, 'r2=hex:78563412 r3=hex:f0debc9a', 'info registers r4 r5');
mul (1) acc0.0<1>:d r2.0<0;1,0>:d r3.0<0;1,0>:uw {NoMask}
mach (1) r4.0<1>:d r2.0<0;1,0>:d r3.0<0;1,0>:d {NoMask}
mul (1) r5.0<1>:d r2.0<0;1,0>:d r3.0<0;1,0>:d {NoMask}
mov (1) r6.0<1>:d 0:w {NoMask}
END
# 12345678h * 9abcdef0h = b00ea4e242d2080h, and 12345678h * def0h (as unsigned) = fda740d2080h.
is(dwords($said, 'r4')->[0], '242d2080', 'gen11: mul and mach give the low half');
is(dwords($said, 'r5')->[0], '740d2080', 'gen11: mul takes the low word of src1');
$said = run('gen11', <<'END', 5, 'r4=hex:' . '00' x 32, 'info registers r4');
mov (1) f0.0<1>:uw 0xF:uw {NoMask}
(f0.0) goto (8) L1 L1
mov (8) r4.0<1>:d 1:w
L1:
join (8) L2
L2:
add (8) r4.0<1>:d r4.0<8;8,1>:d 4:w
END
is_deeply(dwords($said, 'r4'), [('00000004') x 4, ('00000005') x 4], 'gen11: channels that pass a goto leave');
$said = run('gen11', "mad (8) r4.0<1>:d r2.0<2;1>:d r3.0<4;2>:d 3:w {NoMask}\n", 1,
    'r2=hex:' . unpack('H*', pack 'L*', 0 .. 7) . ' r3=hex:' . unpack('H*', pack 'L*', map { 10 * $_ } 0 .. 7)
        . ' r4=hex:' . '00' x 32,
    'info registers r4');
# src0: 0 1 2 3 ...; src1: rows of two, two apart: elements 0 2 4 6 8 ... are 0 20 40 60, then those of r4: 0
is_deeply([map { hex } @{ dwords($said, 'r4') }], [0, 61, 122, 183, 4, 5, 6, 7], 'gen11: regions of three sources');
# An extended descriptor in a register has the shared function, too (Mesa, brw_send_indirect_split_message), and the
# length of the second payload; from bit 12 on the place of a bindless surface's state.
for my $isa (qw(gen9 gen11)) {
    my $said = run($isa, <<'END', 4, 'bti1=zero:32 r5=hex:' . join('', map { sprintf '%02x000000', 4 * $_ } 0 .. 7)
mov (1) a0.0<1>:ud 0x204C:ud {NoMask}
sends (8) null:ud r5.0 r5.0 a0.0 0x02026EFC {Q1}
mov (1) a0.0<1>:ud 0x200C:ud {NoMask}
sends (8) r6.0:ud r5.0 null a0.0 0x02106EFC {Q1}
END
        , 'info registers r6');
    is_deeply([map { hex } @{ dwords($said, 'r6') }], [map { 4 * $_ } 0 .. 7],
        "$isa: stored to a bindless surface and loaded");
}
# The place of a state has bits in the whole of the dword (ocloc names a0.2, a0.4 ...).  Gen7's send takes a0.0 alone.
for my $isa (qw(gen8 gen9 gen11)) {
    my $said = run($isa, "add (1) a0.2<1>:ud r9.5<0;1,0>:ud 0xC:ud {NoMask}\n", 1,
        'r9=hex:' . '00' x 20 . '00f00e00' . '00' x 8, 'info registers a0');
    is(dwords($said, 'a0')->[2], '000ef00c', "$isa: a descriptor in a0.2 keeps its bits");
}
# ocloc for Skylake reverses the bits of a float where the program reverses six bits of an integer.
like(run('gen9', "bfrev (8) r4.0<1>:d r2.0<8;8,1>:f {NoMask}\n", 1, 'r2=hex:' . '00' x 32),
    qr/: bfrev: the manual allows integers alone, and does not say what it does with floats/,
    'gen9: an operation without a meaning for a type stops, and says so');
done_testing;
