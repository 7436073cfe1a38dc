# SPDX-License-Identifier: GPL-3.0-or-later
#
# What instructions and messages of gen12.5 do that Gen12 lacks: add3, bfn, LSC's loads, stores and atomics to a surface
# and to local memory, vectors, elements side by side; and what stops with its name.  Results are worked out by hand.
use v5.36;
use Test::More;
use File::Temp 'tempdir';

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);

sub gpudbg (@words) {
    open my $p, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', $gpudbg, '--batch', @words or die;
    local $/;
    return <$p> // '';
}

# Runs the text to its last instruction but one, the end of the thread; what the last commands say.
sub run ($text, $parts, @show) {
    open my $f, '>', "$dir/t.s" or die;
    print $f $text, "send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}\n";
    close $f;
    my $said = gpudbg('--isa', 'gen12.5', '-e', 'set syntax iga', '-e', "assemble $dir/t.s $dir/t.krn");
    like($said, qr/bytes/, 'the text is assembled') or diag($said);
    my $steps = () = $text =~ /\n/g;
    return gpudbg('--raw', '--isa', 'gen12.5', "$dir/t.krn", '-e', "launch -g 8 -l 8 simd=8 $parts", '-e',
        "stepi $steps", map { ('-e', $_) } @show);
}
sub dwords ($said, $reg) {
    my ($row) = $said =~ /^$reg\s.*?((?:0x[0-9a-f]{8}\s*)+)$/m;
    return [map { hex } ($row // '') =~ /0x([0-9a-f]{8})/g];
}
sub hex_of (@dwords) { return unpack 'H*', pack 'L<*', @dwords }

my @a = map { 0x01234567 * (2 * $_ + 1) & 0xffffffff } 0 .. 7;
my @b = map { 0x89abcdef * ($_ + 3) & 0xffffffff } 0 .. 7;
my @c = map { 0x0f0f3355 * ($_ + 1) & 0xffffffff } 0 .. 7;
my $parts = join ' ', 'r2=hex:' . hex_of(@a), 'r3=hex:' . hex_of(@b), 'r4=hex:' . hex_of(@c);
my $said = run(<<'T', $parts, map { "info registers r$_" } 5 .. 8);
add3 (8|M0) r5.0<1>:ud r2.0<1;0>:ud r3.0<1;0>:ud r4.0<1>:ud
bfn.0xCA (8|M0) r6.0<1>:ud r2.0<1;0>:ud r3.0<1;0>:ud r4.0<1>:ud
bfn.(s0&s1|~s2) (8|M0) r7.0<1>:ud r2.0<1;0>:ud r3.0<1;0>:ud r4.0<1>:ud
bfn.(s0^s1^s2) (8|M0) r8.0<1>:ud r2.0<1;0>:ud r3.0<1;0>:ud r4.0<1>:ud
T
is_deeply(dwords($said, 'r5'), [map { $a[$_] + $b[$_] + $c[$_] & 0xffffffff } 0 .. 7], 'add3');
is_deeply(dwords($said, 'r6'), [map { ($a[$_] & ~$c[$_] | $b[$_] & $c[$_]) & 0xffffffff } 0 .. 7],
    'bfn.0xCA chooses by source 2');
is_deeply(dwords($said, 'r7'), [map { ($a[$_] & $b[$_] | ~$c[$_]) & 0xffffffff } 0 .. 7], 'bfn by an expression');
is_deeply(dwords($said, 'r8'), [map { $a[$_] ^ $b[$_] ^ $c[$_] } 0 .. 7], 'bfn of three exclusive ors');

# bf: the upper half of an f; to the nearest, ties to even, computed as an f and rounded at the end.
sub float_bits (@v) { return unpack 'L<*', pack 'f<*', @v }
sub brain ($v) { my ($b) = float_bits($v); return $b + 0x7fff + ($b >> 16 & 1) >> 16 }
my @x = (1, -2.5, 1 + 1 / 256, 1 + 3 / 256, 3.14159, 1e30, -1e-30, 65504);
my @y = (0.3, 7, -1 / 3, 100, 1e-3, 2, 5, 0.1);
my $floats = "r2=hex:" . hex_of(float_bits(@x)) . " r3=hex:" . hex_of(float_bits(@y));
$said = run(<<'T', $floats, map { "info registers r$_" } 10 .. 17);
mov (8|M0) r10.0<1>:bf r2.0<1;1,0>:f
mov (8|M0) r11.0<1>:f r10.0<1;1,0>:bf
add (8|M0) r12.0<1>:bf r2.0<1;1,0>:f r3.0<1;1,0>:f
mul (8|M0) r13.0<1>:f r10.0<1;1,0>:bf r3.0<1;1,0>:f
mad (8|M0) r14.0<1>:bf r10.0<1;0>:bf r3.0<1;0>:f r2.0<1>:f
(W) mov (8|M0) f0.0<1>:uw 0:uw
cmp (8|M0) (lt)f0.0 r15.0<1>:f r10.0<1;1,0>:bf r3.0<1;1,0>:f
(f0.0) sel (8|M0) r16.0<1>:bf r10.0<1;1,0>:bf r12.0<1;1,0>:bf
mov (8|M0) r17.0<1>:f -r10.0<1;1,0>:bf
T
sub halves ($reg) { return [(unpack 'S<16', pack 'L<8', @{ dwords($said, $reg) })[0 .. 7]] }
my @bx = map { brain($_) } @x;
my @wide = unpack 'f<*', pack 'L<*', map { $_ << 16 } @bx;
is_deeply(halves('r10'), \@bx, 'mov to bf rounds to the nearest');
is_deeply(dwords($said, 'r11'), [map { $_ << 16 } @bx], '... and back is exact');
sub f32 ($v) { return unpack 'f<', pack 'f<', $v }
is_deeply(halves('r12'), [map { brain(f32(f32($x[$_]) + f32($y[$_]))) } 0 .. 7], 'add of f to bf');
is_deeply(dwords($said, 'r13'), [map { float_bits($wide[$_] * f32($y[$_])) } 0 .. 7], 'mul of bf and f');
is_deeply(halves('r14'), [map { brain(f32($wide[$_] + f32($y[$_]) * f32($x[$_]))) } 0 .. 7], 'mad with bf');
my @less = map { $wide[$_] < f32($y[$_]) } 0 .. 7;
is_deeply(halves('r16'), [map { $less[$_] ? $bx[$_] : brain(f32(f32($x[$_]) + f32($y[$_]))) } 0 .. 7], 'cmp and sel');
is_deeply(dwords($said, 'r17'), [map { ($_ << 16) ^ 0x80000000 } @bx], 'a negated bf');

# Messages of LSC as instructions of their own: the bytes of IGA 1.1 for each text, by the form with a descriptor; where
# no number of registers is given, as many as the message needs.  What is wrong is named.
sub bytes_of ($line) {
    open my $f, '>', "$dir/l.s" or die;
    print $f "set syntax iga\nassemble /i $line\n";
    close $f;
    return gpudbg('-n', '--isa', 'gen12.5', '-x', "$dir/l.s") =~ s/^.*?://sr =~ s/\s+\z//r;
}
for (
    ['load.ugm.d32.a64 (16|M0) r23 [r10] {$3}', 'send.ugm (16|M0) r23 r10 null:0 0x0 0x08200580 {$3}'],
    ['load.ugm.a64.ca.uc.d32 (16|M0) r23:2 flat[r10:4] {$3}', 'send.ugm (16|M0) r23 r10 null:0 0x0 0x08260580 {$3}'],
    ['load.ugm.d32x64t.a64 (1|M0) r20 [r10] {$3}', 'send.ugm (1|M0) r20 r10 null:0 0x0 0x0280F580 {$3}'],
    ['load.slm.d8.a32 (16|M0) r20 [r10]', 'send.slm (16|M0) r20 r10 null:0 0x0 0x04100100'],
    ['load.ugm.d32.a32 (16|M0) r23:2 bti[0x5] [ r10 : 2 ] {$3}',
        'send.ugm (16|M0) r23 r10 null:0 0x5000000 0x64200500 {$3}'],
    ['load.ugm.d32.a32 (16|M0) r23:2 ss[a0.2][r10:2] {ExBSO,$3}',
        'send.ugm (16|M0) r23 r10 null:0 a0.2 0x44200500 {ExBSO,$3}'],
    ['load.ugm.d32.a32 (16|M0) r23:2 ss[a0.2][r10:2]', 'send.ugm (16|M0) r23 r10 null a0.2 0x44200500'],
    ['load_cmask.tgm.d32.yx.a32 (16|M0) r23:4 bti[1][r10:4]', 'send.tgm (16|M0) r23 r10 null:0 0x1000000 0x68403502'],
    ['(W&f0.0) store.ugm.d16u32h.a32.wt.wb (16|M0) bss[0x123000][r10] r12 {I@1}',
        '(W&f0.0) send.ugm (16|M0) null r10 r12:2 0x123000 0x24080D04 {I@1}'],
    ['atomic_icas.ugm.d64.a64 (8|M0) null [r10:2] r12:4', 'send.ugm (8|M0) null r10 r12:4 0x0 0x04000792'],
    ['load_block2d.ugm.d16vt.a64 (1|M0) r20:4 [r10:1] {$3}', 'send.ugm (1|M0) r20 r10 null:0 0x0 0x02408283 {$3}'],
) {
    my ($own, $send) = @$_;
    is(bytes_of($own), bytes_of($send), $own);
}
for (
    ['load.dc0.d32.a64 (8|M0) r23 [r10]', 'has .ugm, .ugml, .slm or .tgm'],
    ['load.ugm.d32 (8|M0) r23 [r10]', 'the bits of an address is expected'],
    ['load_quad.ugm.d32.a64 (8|M0) r23 [r10]', 'are expected here'],
    ['load.ugm.d32.a64.wb.wb (8|M0) r23 [r10]', 'caches are expected here'],
    ['load.ugm.d64x64.a64 (32|M0) r23 [r10]', 'at most 31 registers here, and needs 512'],
    ['load.ugm.d32.a64 (8|M0) r23 bits[r10]', 'an address is expected here'],
    ['load.ugm.d32.a64 (8|M0) r23 ss[0x123][r10]', 'bits 11 to 0'],
    ['store.ugm.d32.a64 (8|M0) r23 [r10] r12', 'an address is expected here'],
) {
    my ($line, $why) = @$_;
    like(bytes_of($line), qr/\Q$why/, "$line is refused");
}

# Local memory: two dwords at each address, both components; then eight side by side; atomics; words in dwords.
my $own = 'slm=1024 r10=hex:' . hex_of(map { 8 * $_ } 0 .. 7) . ' r11=hex:' . hex_of(@a) . ' r12=hex:' . hex_of(@b);
$said = run(<<'T', $own, map { "info registers r$_" } 20 .. 29);
send.slm (8|M0) null r10 r11:2 0x0 0x02001504 {$0}
send.slm (8|M0) r20 r10 null:0 0x0 0x02201500 {$1}
(W) send.slm (1|M0) r22 r10 null:0 0x0 0x0210C500 {$2}
send.slm (8|M0) r23 r10 r12:1 0x0 0x0210050C {$3}
send.slm (8|M0) r24 r10 null:0 0x0 0x02100500 {$4}
send.slm (8|M0) r25 r10 null:0 0x0 0x02100B00 {$5}
send.slm (8|M0) r26 r10 r11:2 0x0 0x02100512 {$6}
send.slm (8|M0) r27 r10 null:0 0x0 0x02108502 {$7}
(W) send.slm (1|M0) r29 r10 null:0 0x0 0x0210011F {$8}
T
is_deeply(dwords($said, 'r20'), \@a, 'store and load of d32x2: the first element');
is_deeply(dwords($said, 'r21'), \@b, '... the second');
is_deeply(dwords($said, 'r22'), [map { ($a[$_], $b[$_]) } 0 .. 3], 'd32x8t: elements of one address side by side');
is_deeply(dwords($said, 'r23'), \@a, 'atomic add gives the old values');
my @sum = map { $a[$_] + $b[$_] & 0xffffffff } 0 .. 7;
is_deeply(dwords($said, 'r24'), \@sum, '... and adds');
is_deeply(dwords($said, 'r25'), [map { $_ & 0xffff } @sum], 'd16u32: words in dwords');
is_deeply(dwords($said, 'r26'), \@sum, 'compare and swap gives the old values');
is_deeply([@{ dwords($said, 'r27') }[0 .. 6]], [@b[1 .. 7]], 'a load of component w alone is 12 bytes on');

# d8 and d16 lie side by side in registers; one address and a distance serve all channels.
my $narrow = 'slm=1024 r10=hex:' . hex_of(map { 3 * $_ } 0 .. 7) . ' r14=hex:' . hex_of(40, 0, 7, (0) x 5)
    . ' r11=hex:' . hex_of(@a) . ' r20=hex:' . hex_of((0x77777777) x 8);
$said = run(<<'T', $narrow, map { "info registers r$_" } 20 .. 24);
send.slm (8|M0) null r10 r11:1 0x0 0x02000104 {$0}
send.slm (8|M0) r20 r10 null:0 0x0 0x02100100 {$1}
send.slm (8|M0) null r14 r11:1 0x0 0x02000505 {$4}
send.slm (8|M0) r21 r14 null:0 0x0 0x02100501 {$5}
send.slm (8|M0) r22 r14 null:0 0x0 0x02100301 {$6}
send.slm (8|M0) r23 r14 null:0 0x0 0x02201301 {$7}
T
is_deeply(dwords($said, 'r20'), [@a[0, 1], (0x77777777) x 6], 'd8: bytes side by side, and none after them');
is_deeply(dwords($said, 'r21'), \@a, 'strided: dwords, seven bytes apart');
my @low = map { $_ & 0xffff } @a;
is_deeply([unpack 'S<8', pack 'L<*', @{ dwords($said, 'r22') }], \@low, 'strided d16: words side by side');
is_deeply([unpack 'S<8', pack 'L<*', @{ dwords($said, 'r24') }], [map { $_ >> 16 } @a], '... vectors: the second');

# Rectangles of words in memory of 9 x 3 in rows of 20 bytes: by rows, by columns, two blocks mixed for dpas, stored.
open my $plane, '>:raw', "$dir/plane" or die;
print $plane pack 'S<*', map { 100 + $_ } 0 .. 59;
close $plane;
sub rectangle ($x, $y, $w, $h, $n = 1) {
    return hex_of(0, 1, 17, 2, 19, $x & 0xffffffff, $y & 0xffffffff, ($w - 1) | ($h - 1) << 8 | ($n - 1) << 16);
}
sub there ($x, $y) { return $x >= 0 && $x < 9 && $y >= 0 && $y < 3 ? 100 + 10 * $y + $x : 0 }
sub words ($said, @regs) { return [map { unpack 'S<16', pack 'L<8', @{ dwords($said, "r$_") } } @regs] }
my $shapes = "buf0=\@$dir/plane r10=hex:" . rectangle(4, -1, 6, 4) . ' r11=hex:' . rectangle(2, 1, 4, 2, 2)
    . ' r12=hex:' . rectangle(7, 0, 4, 4) . ' r13=hex:' . rectangle(5, 0, 4, 4);
$said = run(<<'T', $shapes, map { "info registers r$_" } 20 .. 27);
(W) send.ugm (1|M0) r20 r10 null:0 0x0 0x02200203 {$0}
(W) send.ugm (1|M0) r22 r10 null:0 0x0 0x02208203 {$1}
(W) send.ugm (1|M0) r24 r11 null:0 0x0 0x02200283 {$2}
(W) send.ugm (1|M0) null r12 r20:1 0x0 0x02000207 {$3}
(W) send.ugm (1|M0) r26 r13 null:0 0x0 0x02100203 {$4}
T
is_deeply(words($said, 20, 21), [map { my $y = $_; map { $_ < 6 ? there(4 + $_, $y - 1) : 0 } 0 .. 7 } 0 .. 3],
    'a rectangle by rows, some of it outside');
is_deeply(words($said, 22, 23), [(map { my $x = $_; map { there(4 + $x, $_ - 1) } 0 .. 3 } 0 .. 5), (0) x 8],
    '... by columns');
is_deeply(words($said, 24, 25), [map { my $b = $_; (map { my $x = $_; map { there(2 + 4 * $b + $x, 1 + $_) } 0, 1 }
    0 .. 3), (0) x 8 } 0, 1], '... two, mixed as dpas takes them');
my @stored = map { my $y = $_; map { $_ < 6 ? there(4 + $_, $y - 1) : 0 } 0 .. 7 } 0, 1;
is_deeply(words($said, 26), [map { my $y = $_; map { my $x = 5 + $_; $x >= 7 && $x < 9 && $y < 3
    ? $stored[4 * $y + $x - 7] : there($x, $y) } 0 .. 3 } 0 .. 3], '... and what of one is inside is stored');

# A surface by the offset of its state, in either heap, which only bits 31:12 of the descriptor choose; a typed one; and
# a rectangle of pixels.
open my $pixels, '>:raw', "$dir/pixels" or die;
print $pixels pack 'L<*', 1 .. 32;
close $pixels;
$said = run(<<'T', "bti0=hex:" . hex_of(1 .. 8) . " bti2=\@$dir/pixels:R32_UINT:8x4 r10=hex:"
mov (1|M0) a0.0<1>:ud 0x1000:ud
send.ugm (8|M0) r20 r10 null:0 a0.0 0x22100500 {$0}
send.ugm (8|M0) r21 r10 null:0 a0.0 0x42100500 {$1}
mov (1|M0) a0.0<1>:ud 0x3000:ud
send.tgm (8|M0) r22 r11 null:0 a0.0 0x22101502 {$2}
(W) send.tgm (1|M0) r23 r12 null:0 0x2000000 0x62100003 {$3}
mov (1|M0) a0.0<1>:ud 0x5000:ud
send.ugm (8|M0) r20 r10 null:0 a0.0 0x22100500 {$0}
T
    . hex_of(map { 28 - 4 * $_ } 0 .. 7) . ' r11=hex:' . hex_of(0 .. 7) . ' r12=hex:'
    . hex_of((0) x 5, 8, -1 & 0xffffffff, 7 | 3 << 8), map { "info registers r$_" } 20 .. 23);
is_deeply(dwords($said, "r$_"), [reverse 1 .. 8], "r$_: a surface by the offset of its state") for 20, 21;
is_deeply(dwords($said, 'r22'), [1 .. 8], '... a typed one');
is_deeply(dwords($said, 'r23'), [0, 0, 3, 4, 11, 12, 19, 20], 'a rectangle of pixels, whose first row is outside');
like($said, qr/no bindless surface has the state that 0x5000 names/, 'an offset that no state has stops with its name');

# A surface; what is outside of it reads as 0, and writes are dropped.
my $places = ' r10=hex:' . hex_of(0, 4, 8, 12, 28, 32, 24, 36);
$said = run(<<'T', 'bti0=hex:' . hex_of(1 .. 8) . $places, 'info registers r20');
send.ugm (8|M0) r20 r10 null:0 0x0 0x62100500 {$0}
T
is_deeply(dwords($said, 'r20'), [1, 2, 3, 4, 8, 0, 7, 0], 'a load from a surface, two channels outside');

# A block of scratch space, which r0.5 names; it may be smaller than a KB, and ends there.
my $scratch = 'scratch=128 r11=hex:' . hex_of(@a);
$said = run(<<'T', $scratch, 'info registers r20');
mov (8|M0) r30.0<1>:ud r0.0<1;1,0>:ud
send.dc0 (8|M0) null r30 r11:1 0x0 0x020F0003 {$0}
send.dc0 (8|M0) r20 r30 null:0 0x0 0x021C0003 {$1}
T
is_deeply(dwords($said, 'r20'), \@a, 'registers are spilled to the end of 128 bytes');
$said = run(<<'T', $scratch);
mov (8|M0) r30.0<1>:ud r0.0<1;1,0>:ud
send.dc0 (8|M0) r20 r30 null:0 0x0 0x021C0004 {$1}
T
like($said, qr/0x80 is outside of the thread's scratch space of 128 bytes/, '... and no further');

# A surface of 4 x 2 elements of four bytes: two components are read, four are written, one has an atomic.
open my $picture, '>:raw', "$dir/picture" or die;
print $picture pack 'L<*', 1 .. 8;
close $picture;
my $where = "bti1=zero:32:R8G8B8A8_UINT:4x2 bti2=\@$dir/picture:R32_UINT:4x2 r10=hex:"
    . hex_of(0, 1, 2, 3, 0, 1, 4, 3) . ' r11=hex:' . hex_of(0, 0, 0, 0, 1, 1, 1, 1) . ' '
    . join ' ', map { my $c = $_; "r@{[12 + $c]}=hex:" . hex_of(map { 16 * $c + $_ } 0 .. 7) } 0 .. 3;
$said = run(<<'T', $where, (map { "info registers r$_" } 20 .. 23));
send.tgm (8|M0) null r10 r12:4 0x1000000 0x6400F506 {$0}
send.tgm (8|M0) r20 r10 null:0 0x1000000 0x6420A502 {$1}
send.tgm (8|M0) r22 r10 r12:1 0x2000000 0x6410050C {$2}
send.tgm (8|M0) r23 r10 null:0 0x2000000 0x64101502 {$3}
T
is_deeply(dwords($said, 'r20'), [16 .. 21, 0, 23], 'typed components y, one channel outside');
is_deeply(dwords($said, 'r21'), [48 .. 53, 0, 55], '... and w');
is_deeply(dwords($said, 'r22'), [1 .. 6, 0, 8], 'a typed atomic gives the old values');
is_deeply(dwords($said, 'r23'), [1, 3, 5, 7, 9, 11, 0, 15], '... and adds');
for (
    ['send.tgm (8|M0) r20 r10 null:0 0x1000000 0x62108502 {$0}', qr/binding table index 1/, 'an unbound surface'],
    ['send.slm (1|M0) r20 r10 null:0 0x0 0x02100503 {$0}', qr/block with two axes.*not implemented/, 'a local block'],
    ['send.ugm (8|M0) r20 r10 null:0 0x0 0x0210051b {$0}', qr/load status, .*not implemented/, 'load status'],
    ['send.ugm (8|M0) r20 r10 null:0 0x0 0x02100528 {$0}', qr/append counter add, .*not implemented/, 'a counter'],
    ['send.ugm (8|M0) r20 r10 null:0 0x0 0x0210051e {$0}', qr/read state, .*not implemented/, 'a state read'],
    ['send.gtwy (8|M0) r20 r10 null:0 0x0 0x02100003 {$0}', qr/unmonitor event; .*not implemented/, 'an event'],
    ['send.rc (8|M0) r20 r10 null:0 0x0 0x024b5400 {$0}', qr/render target read, .*not implemented/, 'pixels read'],
    ['mov (8|M0) r1.0<1>:d r2.0<1;1,0>:bf', qr/mov has no operands of type bf, or not beside/, 'bf beside d'],
    ['avg (8|M0) r1.0<1>:bf r2.0<1;1,0>:bf r3.0<1;1,0>:bf', qr/avg has no operands of type bf/, 'avg of bf']) {
    my ($text, $says, $what) = @$_;
    like(run("$text\n", 'r10=hex:' . hex_of((0) x 8)), $says, "$what stops with its name");
}

# Registers above r127, which threads of 256 have: a message reads its whole payload, also what no channel is in.
open my $large, '>', "$dir/large.s" or die;
print $large "mov (8|M0) r201.0<1>:ud 1:uw\n(W) send.ugm (1|M0) r10 r200 null:0 0x0 0x04100580 {A\@1,\$0}\n";
close $large;
gpudbg('--isa', 'gen12.5', '-e', 'set syntax iga', '-e', "assemble $dir/large.s $dir/large.krn");
like(gpudbg('--raw', '--isa', 'gen12.5', "$dir/large.krn", '-e', 'info live 0x10'), qr/^r201 +alive.* send\.ugm/m,
    'the payload of a message above r127 is alive');

# A launch of bare code says how many registers a thread has.  Elements that cross r127, an address above it, a payload
# and an answer there; then the way back.
open $large, '>', "$dir/large.s" or die;
print $large <<'T';
add (16|M0) r127.0<1>:d r200.0<1;1,0>:d 5:w
(W) mov (1|M0) a0.0<1>:uw 0x1be0:uw
(W) mov (8|M0) r240.0<1>:ud r[a0.0,32]<1;1,0>:ud {A@1}
(W) mov (8|M0) r254.0<1>:ud r10.0<1;1,0>:ud {I@1}
(W) send.ugm (8|M0) r255 r254 null:0 0x0 0x62100500 {A@1,$0}
(W) add (8|M0) r1.0<1>:ud r255.0<1;1,0>:ud 1:uw {$0.dst}
send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}
T
close $large;
gpudbg('--isa', 'gen12.5', '-e', 'set syntax iga', '-e', "assemble $dir/large.s $dir/large.krn");
sub large { return gpudbg('--raw', '--isa', 'gen12.5', "$dir/large.krn", map { ('-e', $_) } @_) }
sub row { my ($n, @v) = @_; return qr/^r$n .*@{[join ' ', map { sprintf '0x%08x', $_ } @v]} *$/m }
my @launch = ('launch -g 16 -l 16 simd=16 grfs=256 bti0=hex:' . hex_of(map { 100 + $_ } 0 .. 7)
        . ' r10=hex:' . hex_of(map { 4 * (7 - $_) } 0 .. 7) . ' r200=hex:' . hex_of(1 .. 16)
        . ' r224=hex:' . hex_of(41 .. 48));
my $big = large(@launch, 'stepi 6', 'info registers r127', 'info registers r128', 'info registers r240',
    'info registers r255', 'info registers r1');
like($big, row(127, 6 .. 13), 'the lower half of a result at r127');
like($big, row(128, 14 .. 21), '... its upper half is in r128');
like($big, row(240, 41 .. 48), 'an address register reaches r224');
like($big, row(255, reverse 100 .. 107), 'a message answers to r255');
like($big, row(1, reverse 101 .. 108), '... which is read again');
like(large(@launch, 'stepi 6', 'reverse-stepi 6', 'info registers r128'), row(128, (0) x 8), '... and back');
like(large($launch[0] =~ s/ grfs=256| r2\d\d=\S+//gr, 'continue'),
    qr/writes byte 4096 of the registers, which have 4096/, 'a thread of 128 registers has no r128');
like(large('launch -g 8 -l 8 simd=8 grfs=200'), qr/launch: grfs=200: threads of gen12.5 have 128 registers or 256/,
    'threads have 128 registers or 256');
like(gpudbg('--raw', '--isa', 'gen12', "$dir/large.krn", '-e', 'launch -g 8 -l 8 simd=8 grfs=256'),
    qr/launch: grfs=256: threads of gen12 have 128 registers$/m, '... on Gen12 always 128');

# Distances count the instructions of a pipe: floats and integers apart, A@ each of them.
open my $f, '>', "$dir/s.s" or die;
print $f <<'T';
mov (8|M0) r1.0<1>:f 1.0:f
mov (8|M0) r2.0<1>:d 1:w
mov (8|M0) r3.0<1>:d 2:w
add (8|M0) r4.0<1>:f r1.0<1;1,0>:f r1.0<1;1,0>:f {F@1}
add (8|M0) r5.0<1>:d r2.0<1;1,0>:d r2.0<1;1,0>:d {I@2}
send.slm (8|M0) null r5 r4:1 0x0 0x02000504 {A@1,$0}
send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}
T
close $f;
gpudbg('--isa', 'gen12.5', '-e', 'set syntax iga', '-e', "assemble $dir/s.s $dir/s.krn");
$said = gpudbg('--raw', '--isa', 'gen12.5', "$dir/s.krn", '-e', 'info scoreboard');
is_deeply([map { /^ *0x(\w+) .* ([A-Z]@\d) +0x(\w+) / ? "$1 $2 $3" : () } split /\n/, $said],
    ['0030 F@1 0000', '0040 I@2 0010', '0050 A@1 0030', '0050 A@1 0040'], 'info scoreboard counts by pipe')
    or diag($said);

# `check scoreboard`, by pipe.  What each pair needs is what IGA 1.1 puts there (iga64 -a -p=12p71 -Xauto-deps).
sub unwaited {
    my (@lines) = @_;
    open my $f, '>', "$dir/u.s" or die;
    print $f join "\n", @lines, 'sync.allwr null', 'send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}', '';
    close $f;
    my $made = gpudbg('--isa', 'gen12.5', '-e', 'set syntax iga', '-e', "assemble $dir/u.s $dir/u.krn");
    my %found;
    for my $how (['check scoreboard'], ['check scoreboard on', 'launch -g 8 -l 8 simd=8', ('continue') x 4,
        'info checks']) {
        my $said = gpudbg('--raw', '--isa', 'gen12.5', "$dir/u.krn", map { ('-e', $_) } @$how);
        my $key = join ' ', map { /scoreboard: (r\d+) is (read|written), .*\((\S+)\)/ ? "$1 $2 $3" : () }
            split /\n/, $said;
        $found{$key}++;
    }
    return keys %found == 1 ? (keys %found)[0] : join ' but ', sort(keys %found), $made;
}
my %in = (f => 'mov (8|M0) r14.0<1>:f r11.0<1;1,0>:f', d => 'mov (8|M0) r14.0<1>:d r11.0<1;1,0>:d',
    q => 'mov (4|M0) r14.0<1>:q r11.0<1;1,0>:d');
for (
    [f => 'mov (8|M0) r20.0<1>:f r14.0<1;1,0>:f', 'r14 read F@1', 'F@1'],
    [f => 'mov (8|M0) r20.0<1>:d r14.0<1;1,0>:d', 'r14 read F@1', 'F@1'],
    [d => 'mov (8|M0) r20.0<1>:f r14.0<1;1,0>:f', 'r14 read I@1', 'I@1'],
    [q => 'mov (8|M0) r20.0<1>:d r14.0<1;1,0>:d', 'r14 read L@1', 'L@1'],
    [f => 'mov (8|M0) r14.0<1>:d 1:w', 'r14 written F@1', 'F@1'],
    [f => 'mov (8|M0) r14.0<1>:f r12.0<1;1,0>:f', '', 'F@1'],
    [f => 'mov (8|M0) r11.0<1>:d 1:w', 'r11 written F@1', 'F@1'],
) {
    my ($first, $second, $want, $wait) = @$_;
    is(unwaited($in{$first}, $second), $want, "$second behind one of :$first");
    is(unwaited($in{$first}, "$second {$wait}"), '', "... with $wait");
    is(unwaited($in{$first}, "$second {A\@1}"), '', '... with A@1');
    my $other = $wait eq 'I@1' ? 'F@1' : 'I@1';
    is(unwaited($in{$first}, "$second {$other}"), $want, "... $other waits for another pipe");
}
my $read = 'mov (8|M0) r20.0<1>:f r14.0<1;1,0>:f';
my @integers = map { "mov (8|M0) r$_.0<1>:d 1:w" } 30 .. 33;
is(unwaited($in{f}, @integers, "$read {F\@1}"), '', 'integers between do not count in F@1');
is(unwaited($in{f}, @integers, "$read {F\@2}"), 'r14 read F@1', '... nor in F@2, which is one too far');
is(unwaited($in{f}, @integers, "$read {\@1}"), '', '@1 counts the pipe of the sources');
is(unwaited($in{d}, 'mov (8|M0) r20.0<1>:f r14.0<1;1,0>:d {@1}'), '', '... which is that of integers here');
is(unwaited('math.inv (8|M0) r14.0<1>:f r11.0<1;1,0>:f {$3}', $read), 'r14 read $3.dst', 'a token is waited for');
is(unwaited('math.inv (8|M0) r14.0<1>:f r11.0<1;1,0>:f {$3}', "$read {\$3.dst}"), '', '... so');
is(unwaited($in{d}, 'math.inv (8|M0) r11.0<1>:f r12.0<1;1,0>:f {$3}'), 'r11 written I@1',
    'a result out of order is written over a source in order');

# Eleven later instructions of its pipe, and an instruction has finished; fifteen if its result has 64 bits (Intel's
# compiler, G4_INST::getMaxDepDistance).
my %later = (d => 'mov (8|M0) r%d.0<1>:d 1:w', q => 'mov (4|M0) r%d.0<1>:q 1:w');
for (['d', 10, 'r14 read I@7'], ['d', 11, ''], ['q', 11, 'r14 read L@7'], ['q', 14, 'r14 read L@7'], ['q', 15, '']) {
    my ($type, $n, $want) = @$_;
    is(unwaited($in{$type}, (map { sprintf $later{$type}, 30 + $_ } 1 .. $n), $read), $want, "$n of :$type later");
}
done_testing;
