#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Small programs for Gen7.5, assembled by iga64 (t/data/gen7/build.sh), on gen7.5 and, with what differs in the words,
# on gen7: the registers they leave are worked out here by other means.  A vertex shader in Align16, whose words are
# built here from the layouts, writes its vertices to the URB.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use GenWords 'to_gen7';
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $folder  = "t/data/gen7";
my $dir     = tempdir(CLEANUP => 1);

sub signed { unpack 'l', pack 'L', $_[0] & 0xffffffff }
sub f_bits { unpack 'L', pack 'f', $_[0] }
sub words { unpack 's*', pack 'L*', @_ }
sub from_words { unpack 'L*', pack 'S*', map { $_ & 0xffff } @_ }
sub dwords { map { $_ & 0xffffffff } @_ }
sub floor { my $i = int $_[0]; $i > $_[0] ? $i - 1 : $i }

my @a = dwords(5, -3, 100, 0, -2147483648, 7, 65536, -1);
my @b = dwords(3, -3, -100, 1, 2, -7, 65535, 2);
my @f = map { f_bits($_) } 1.5, -2.25, 0, 100, -0.5, 2.5, 3.5, -1e9;
my @g = map { f_bits($_) } 0.5, 4, -1, 0.125, 8, -2.5, 1, 3;
my @fa = map { unpack 'f', pack 'L', $_ } @f;
my @ga = map { unpack 'f', pack 'L', $_ } @g;
my @sa = map { signed($_) } @a;
my @sb = map { signed($_) } @b;
my @zero = (0) x 8;

sub even { my $x = shift; my $l = floor($x); my $d = $x - $l; $d < 0.5 || ($d == 0.5 && $l % 2 == 0) ? $l : $l + 1 }
sub clamp { my ($x, $lo, $hi) = @_; $x < $lo ? $lo : $x > $hi ? $hi : $x }
sub trunc { my ($q) = @_; return int($q) }

# name => [r10, r11, {register => values}, further words of `launch`]
my %run = (
    fadd => [\@f, \@g, { 20 => [map { f_bits($fa[$_] - $ga[$_]) } 0 .. 7] }],
    fmul_scalar => [\@f, \@g, { 20 => [map { f_bits($_ * $ga[3]) } @fa] }],
    iadd_word => [\@a, \@b, { 20 => [do { my (@x, @y); @x = words(@a); @y = words(@b);
    from_words(map { $x[$_] + $y[$_] } 0 .. 15) }] }],
    iadd_sat => [\@a, \@b, { 20 => [do { my @x = words(@a); my @y = words(@b);
    from_words(map { clamp($x[$_] + $y[$_], -32768, 32767) } 0 .. 15) }] }],
    strided => [\@a, \@b, { 20 => [do { my @x = words(@a); dwords(map { $x[2 * $_ + 1] } 0 .. 7) }] }],
    replicate => [\@a, \@b, { 20 => [@a[0, 0, 1, 1, 2, 2, 3, 3]] }],
    transpose => [\@a, \@b, { 20 => [@a[0, 2, 4, 6, 1, 3, 5, 7]] }],
    lanes => [\@a, \@b, { 20 => [from_words(0 .. 15)] }],
    vf => [\@a, \@b, { 20 => [f_bits(0) | 0x80000000, f_bits(16), f_bits(2), f_bits(1), @zero[4 .. 7]] }],
    mul32 => [\@a, \@b, { 20 => [dwords(map { my $p = $sa[$_] * $sb[$_]; floor($p / 2**32) } 0 .. 7)],
        21 => [map { my $p = $sa[$_] * $sb[$_]; $p & 0xffffffff } 0 .. 7] }],
    cmp_sel => [\@a, \@b, { 20 => [dwords(map { $sa[$_] > $sb[$_] ? $sa[$_] : $sb[$_] } 0 .. 7)],
        21 => [dwords(map { $sa[$_] < $sb[$_] ? $sa[$_] : $sb[$_] } 0 .. 7)] }],
    if_else => [\@a, \@b, { 20 => [map { $_ < 0 ? 11 : 12 } @sa] }],
    loop => [[1, 2, 3, 4, 0, 9, 5, 1], \@b, { 20 => [1, 2, 3, 4, 1, 9, 5, 1] }],
    loop_break => [[0, 1, 2, 3, 4, 5, 6, 7], \@b, { 20 => [0 .. 7], 21 => [map { int($_ / 2) } 0 .. 7] }],
    any_all => [[1, 0, 0, 0, 1, 1, 1, 1], \@b, { 20 => [(1) x 8], 21 => [0, 0, 0, 0, 1, 1, 1, 1],
    22 => [0, 0, 1, 1, 0, 0, 0, 0], 23 => [(0) x 8] }],
    bits => [\@a, [1 .. 8], { 20 => [map { my $v = sprintf '%032b', $_; oct '0b' . reverse $v } @a],
    21 => [map { my $n = sprintf('%b', $_) =~ tr/1//; $n } @a],
        22 => [map { my ($z) = sprintf('%032b', $_) =~ /^(0*)/; length $z } @a],
        23 => [map { my ($z) = sprintf('%032b', $_) =~ /1(0*)$/; defined $z ? length $z : 0xffffffff } @a],
        24 => [map { my ($z) = sprintf('%032b', $_) =~ /^(0*)1/; defined $z ? length $z : 0xffffffff } @a],
        25 => [map { ((1 << $_) - 1) << 4 } 1 .. 8] }],
    shifts => [\@a, [0 .. 7], { 20 => [map { $a[$_] >> $_ } 0 .. 7], 21 => [dwords(map { $a[$_] << $_ } 0 .. 7)],
        22 => [dwords(map { floor($sa[$_] / 2**$_) } 0 .. 7)], 23 => [map { ($a[$_] + $_ + 1) >> 1 } 0 .. 7] }],
    carry => [\@a, \@b, { 20 => [dwords(map { $a[$_] + $b[$_] } 0 .. 7)],
    21 => [map { $a[$_] + $b[$_] > 0xffffffff ? 1 : 0 } 0 .. 7],
        22 => [dwords(map { $a[$_] - $b[$_] } 0 .. 7)], 23 => [map { $a[$_] < $b[$_] ? 1 : 0 } 0 .. 7] }],
    half => [[map { f_bits($_) } 1, -2, 0.5, 65504, 1 / 1024, 3, 0, -0.25], \@b,
    { 21 => [map { f_bits($_) } 1, -2, 0.5, 65504, 1 / 1024, 3, 0, -0.25] }],
    round => [\@f, \@g, { 20 => [map { f_bits(floor($_)) } @fa],
    21 => [map { my $r = -floor(-$_); f_bits($r) | ($r == 0 && $_ < 0 ? 0x80000000 : 0) } @fa],
        22 => [map { my $r = even($_); f_bits($r) | ($r == 0 && $_ < 0 ? 0x80000000 : 0) } @fa],
        23 => [map { my $r = int $_; f_bits($r) | ($r == 0 && $_ < 0 ? 0x80000000 : 0) } @fa],
        24 => [map { f_bits($_ - floor($_)) } @fa], 25 => [dwords(map { int } @fa)] }],
    divide => [\@a, \@b, { 20 => [dwords(map { trunc($sa[$_] / $sb[$_]) } 0 .. 7)],
    21 => [dwords(map { $sa[$_] - $sb[$_] * trunc($sa[$_] / $sb[$_]) } 0 .. 7)] }],
    # a0.n = 320 + 4 * (7 - n): r10 from its end, a register further on (r11); then element 5 of r10.
    indirect => [\@a, [from_words(map { 320 + 4 * (7 - $_) } 0 .. 7), 0, 0, 0, 0],
        { 20 => [(from_words((map { 320 + 4 * (7 - $_) } 0 .. 7), (0) x 8))[7, 6, 5, 4, 3, 2, 1, 0]],
        21 => [($a[5]) x 8] }],
    plane => [\@f, \@g, { 20 => [map { f_bits(2 * $fa[$_] + 4 * $ga[$_] + 1) } 0 .. 7],
    21 => [map { f_bits(2 * $fa[$_] + 1) } 0 .. 7] },
        'r12=hex:' . unpack 'H*', pack 'f4', 2, 4, 0, 1],
    mac => [\@a, \@b, { 20 => [do { my @x = words(@a); my @y = words(@b);
    from_words(map { 2 * $x[$_] * $y[$_] } 0 .. 15) }] }],
    sad => [[0x04030201, 0xff00ff00, @zero[2 .. 7]], [0x01020304, 0x00ff00ff, @zero[2 .. 7]],
        { 20 => [4, 4, 510, 510, 0, 0, 0, 0] }],
    narrow => [[dwords(5, -3, 100, 200, -300, 127, -128, 1000)], \@b,
    { 20 => [from_words(map { my $v = $_ & 0xff; $v } 5, -3, 100, 200, -300, 127, -128, 1000), 0, 0, 0, 0],
        21 => [from_words(map { clamp($_, -128, 127) & 0xff } 5, -3, 100, 200, -300, 127, -128, 1000), 0, 0, 0, 0] }],
    store => [[7, 6, 5, 4, 3, 2, 1, 0], \@g, { 20 => [map { f_bits(2 * $_) } @ga] }, 'bti0=zero:32 bti1=fill:32:0'],
);
# What was stored to one surface is not in the other: the read must give zeros there.
$run{store}[2] = { 20 => [@zero] };

sub registers {
    my ($isa, $file, $launch, @more) = @_;
    open my $out, '-|', $program, '--batch', '--raw', '--isa', $isa, $file, map { ('-e', $_) } $launch, 'continue',
        @more, map { "info registers r$_" } 20 .. 25;
    my %r;
    while (<$out>) {
        my ($n, $row) = /^r(\d+)\s+\[ *0\](.*)/ or next;
        $r{$n} = [map { hex } $row =~ /0x([0-9a-f]+)/g];
    }
    close $out;
    return \%r;
}

for my $name (sort keys %run) {
    my ($r10, $r11, $want, $more) = @{ $run{$name} };
    open my $in, '<:raw', "$folder/$name.krn" or die;
    open my $out, '>:raw', "$dir/$name.krn" or die;
    print $out to_gen7(do { local $/; <$in> });
    close $out;
    for my $isa ('gen7.5', 'gen7') {
        my $launch = join ' ', 'launch -g 8 -l 8 simd=' . ($name =~ /word|sat|sad|lanes|mac/ ? 16 : 8), 'mask=0xffff',
            'r10=hex:' . unpack('H*', pack 'L*', @$r10), 'r11=hex:' . unpack('H*', pack 'L*', @$r11), $more // ();
        $launch =~ s/-g 8 -l 8/-g 16 -l 16/ if $launch =~ /simd=16/;
        my $got = registers($isa, ($isa eq 'gen7' ? $dir : $folder) . "/$name.krn", $launch);
        is_deeply([map { sprintf '%08x', $_ } @{ $got->{$_} // [] }], [map { sprintf '%08x', $_ } @{ $want->{$_} }],
            "$isa: $name leaves r$_")
            for sort keys %$want;
    }
}

# ---- Align16: words from the layouts of gen7-encoding ----

sub word {
    my (%field) = @_;
    my @w = (0, 0, 0, 0);
    while (my ($place, $value) = each %field) {
        my ($hi, $lo) = split /:/, $place;
        for my $bit ($lo .. $hi // $lo) {
            $w[$bit >> 5] |= (($value >> ($bit - $lo)) & 1) << ($bit & 31);
        }
    }
    return pack 'L4', @w;
}

# op (8), Align16: dst.mask = src0.swizzle [op src1.swizzle], all F; swizzle 0xe4 is xyzw; vertical stride 4, or 0 for
# one vector.
sub align16 {
    my ($op, $dst, $mask, @sources) = @_;
    my %f = ('6:0' => $op, '8:8' => 1, '23:21' => 3, '33:32' => 1, '36:34' => 7, '51:48' => $mask, '60:53' => $dst,
        '62:61' => 1);
    for my $i (0 .. $#sources) {
        my ($reg, $swizzle, $stride) = @{ $sources[$i] };
        my $at = 64 + 32 * $i;
        my ($file, $type) = $i ? ('43:42', '46:44') : ('38:37', '41:39');
        @f{ $file, $type } = (1, 7);
        $f{ ($at + 3) . ":$at" } = $swizzle & 15;
        $f{ ($at + 12) . ':' . ($at + 5) } = $reg;
        $f{ ($at + 19) . ':' . ($at + 16) } = $swizzle >> 4;
        $f{ ($at + 24) . ':' . ($at + 21) } = $stride ? 3 : 0;
    }
    return word(%f);
}

# position = attribute * row vector (dp4 by components), colour = attribute.wzyx; then one URB write that ends the
# thread.
my @code = (
    align16(0x54, 114, 1, [3, 0xe4, 4], [2, 0xe4, 0]),  # dp4 r114.x r3 r2<0>
    align16(0x41, 114, 6, [3, 0xe4, 4], [2, 0xe4, 0]),  # mul r114.yz r3 r2<0>
    align16(0x01, 114, 8, [3, 0x00, 4]),                # mov r114.w r3.xxxx
    align16(0x01, 115, 15, [3, 0x1b, 4]),               # mov r115 r3.wzyx
    # mov (8) r113 0:f; mov (8) r112:ud r0:ud; or (1) r112.5:ud r112.5:ud 0xff00:ud, NoMask
    word('6:0' => 1, '23:21' => 3, '33:32' => 1, '36:34' => 7, '38:37' => 3, '41:39' => 7, '60:53' => 113, '62:61' => 1,
        '9:9' => 1),
    word('6:0' => 1, '23:21' => 3, '33:32' => 1, '38:37' => 1, '60:53' => 112, '62:61' => 1, '9:9' => 1, '84:82' => 3,
    '81:80' => 1, '88:85' => 4), word('6:0' => 6, '23:21' => 0, '33:32' => 1, '38:37' => 1, '52:48' => 20,
    '60:53' => 112, '62:61' => 1, '9:9' => 1, '68:64' => 20, '76:69' => 112,
        '43:42' => 3, '127:96' => 0xff00),
    # send (8) null r112 URB, mlen 4, header, hword write, interleaved, complete, EOT; Align16
    word('6:0' => 0x31, '8:8' => 1, '23:21' => 3, '27:24' => 6, '33:32' => 0, '36:34' => 7, '38:37' => 1, '51:48' => 15,
        '60:53' => 0, '62:61' => 1, '67:64' => 4, '76:69' => 112, '83:80' => 14, '88:85' => 3, '43:42' => 3,
        '127:96' => 0x8808c000),
);
my @row = (1, 2, 3, 4);
my @vertex = ([1, 0.5, -2, 1], [-3, 4, 8, 0.25]);
my $file = "$dir/vertex.krn";
open my $out, '>:raw', $file or die;
print $out @code;
close $out;
my $launch = 'launch -g 8 -l 8 simd=8 r0=hex:' . unpack('H*', pack 'L8', 3, 9, (0) x 6) . ' r2=hex:'
    . unpack('H*', pack 'f4', @row) . ' r3=hex:' .
    unpack('H*', pack 'f8', map { @$_ } @vertex);
open my $in, '-|', $program, '--batch', '--json', '--raw', '--isa', 'gen7', $file, '-e', $launch, '-e', 'continue',
    '-e', 'info messages', '-e', "x/48xw urb" or die;
my @lines = <$in>;
close $in;
my ($message) = grep { /"type":"message"/ } @lines;
like($message // '', qr/"sfid":"URB","desc":"0x808c000"/, 'gen7: the vertex shader sends one message to the URB');
my ($payload) = ($message // '') =~ /"payload":"([0-9a-f]*)"/;
my @p = unpack 'f*', pack 'H*', $payload // '';
is(scalar @p, 32, '... of four registers');
my @want = map { my @v = @$_; my $dot = 0; $dot += $v[$_] * $row[$_] for 0 .. 3;
    [$dot, $v[1] * $row[1], $v[2] * $row[2], $v[0]] } @vertex;
is_deeply([@p[16 .. 23]], [map { @$_ } @want], '... with both positions side by side');
is_deeply([@p[24 .. 31]], [map { reverse @$_ } @vertex], '... and the swizzled attributes behind them');
is(unpack('L', pack 'H*', substr($payload // '', 40, 8)) & 0xff00, 0xff00,
    '... and all channels of both vertices enabled');
done_testing;
