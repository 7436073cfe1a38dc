#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What stands in which register of a message: descriptors of every shared function, put together by hand, against
# layouts written down from the sheets of messages; and what their fields say.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;
use lib "$FindBin::Bin/../lib";
use GenWords qw(word);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);

# A send from r20 (gen12: then r40) to r60.
sub send7 {
    my ($sfid, $desc, $exec) = @_;
    return word([6, 0, 0x31], [9, 9, 0], [23, 21, $exec], [27, 24, $sfid], [33, 32, 1], [36, 34, 7], [38, 37, 1],
        [41, 39, 0], [43, 42, 3], [44, 44, 0], [60, 53, 60], [62, 61, 1], [76, 69, 20], [88, 85, 4], [84, 82, 3],
        [81, 80, 1], [127, 96, $desc]);
}
sub send12 {
    my ($sfid, $desc, $exec, $more) = @_;
    return word([6, 0, 0x31], [18, 16, $exec], [50, 50, 1], [63, 56, 60], [66, 66, 1], [79, 72, 20], [98, 98, 1],
        [111, 104, 40], [95, 92, $sfid], [123, 122, $desc >> 30 & 3], [71, 67, $desc >> 25 & 31],
        [55, 51, $desc >> 20 & 31], [121, 113, $desc >> 11 & 511], [91, 81, $desc & 0x7ff], [103, 99, $more]);
}
# Lengths and the header's bit; a data port's type.
sub lengths { my ($sent, $back, $header) = @_; return $sent << 25 | $back << 20 | ($header // 0) << 19 }
sub type { return $_[0] << 14 }

my ($SIMD8, $SIMD16) = (3, 4);
my @cases = (
    # isa, function, descriptor, execution size, registers of the second payload, what is where
    ['gen7', 0xa, lengths(2, 8) | type(5) | 1 << 12, $SIMD16, 0, 'src0 r20-r21 addresses 0-15',
        map { "dst r@{[60 + 2 * $_]}-r@{[61 + 2 * $_]} @{[(qw(x y z w))[$_]]} 0-15" } 0 .. 3],
    ['gen7', 0xa, lengths(4, 0, 1) | type(13) | 2 << 12 | 0xc << 8, $SIMD8, 0, 'src0 r20 header',
    'src0 r21 addresses 0-7', 'src0 r22 x 0-7', 'src0 r23 y 0-7'],
    ['gen7', 0xa, lengths(3, 1) | type(6) | 1 << 13 | 1 << 12 | 14 << 8, $SIMD8, 0, 'src0 r20 addresses 0-7',
    'src0 r21 compare with 0-7', 'src0 r22 new values 0-7', 'dst r60 old values 0-7'],
    ['gen7.5', 0xc, lengths(2, 0) | type(2) | 5 << 8, $SIMD16, 0, 'src0 r20-r21 addresses 0-15'],
    ['gen7.5', 0xc, lengths(4, 2) | type(2) | 1 << 13 | 7 << 8, $SIMD16, 0, 'src0 r20-r21 addresses 0-15',
    'src0 r22-r23 operand 0-15', 'dst r60-r61 old values 0-15'],
    ['gen7.5', 0xc, lengths(1, 1) | type(1), $SIMD8, 0, 'src0 r20 addresses', 'dst r60 x y z w'],
    ['gen7', 0xa, lengths(1, 2, 1) | type(0) | 3 << 8, $SIMD16, 0, 'src0 r20 header', 'dst r60-r61 block'],
    ['gen7', 0xa, lengths(2, 0, 1) | type(8) | 2 << 8, $SIMD8, 0, 'src0 r20 header', 'src0 r21 block'],
    ['gen7', 0xa, lengths(2, 1, 1) | type(2), $SIMD8, 0, 'src0 r20 header', 'src0 r21 offsets', 'dst r60 owords'],
    ['gen7', 0xa, lengths(3, 0, 1) | type(11) | 2 << 8, $SIMD8, 0, 'src0 r20 header', 'src0 r21 offsets 0-7',
    'src0 r22 data 0-7'], ['gen7', 0xa, lengths(2, 2) | type(4) | 1 << 8 | 2 << 10, $SIMD16, 0,
    'src0 r20-r21 addresses 0-15', 'dst r60-r61 data 0-15'],
    ['gen7', 0xa, lengths(1, 1, 1) | type(7) | 1 << 13, $SIMD8, 0, 'src0 r20 header', 'dst r60 commit'],
    ['gen7', 0xa, lengths(3, 0, 1) | 1 << 18 | 1 << 17 | 1 << 12, $SIMD8, 0, 'src0 r20 header',
    'src0 r21-r22 registers'],
    ['gen7', 5, lengths(6, 0, 1) | type(12) | 4 << 8, $SIMD8, 0, 'src0 r20 header', 'src0 r21 header',
    map { "src0 r@{[22 + $_]} @{[(qw(red green blue alpha))[$_]]} 0-7" } 0 .. 3],
    ['gen7', 5, lengths(9, 0) | type(12), $SIMD16, 0, 'src0 r20 oMask',
    map { "src0 r@{[21 + 2 * $_]}-r@{[22 + 2 * $_]} @{[(qw(red green blue alpha))[$_]]} 0-15" } 0 .. 3],
    ['gen7', 5, lengths(3, 4) | type(5), $SIMD8, 0, 'src0 r20 u 0-7', 'src0 r21 v 0-7', 'src0 r22 r 0-7',
    map { "dst r@{[60 + $_]} @{[(qw(x y z w))[$_]]} 0-7" } 0 .. 3],
    ['gen7', 5, lengths(1, 2, 1) | type(4), $SIMD8, 0, 'src0 r20 header', 'dst r60-r61 block'],
    ['gen7', 2, lengths(3, 4, 1) | 1 << 17, $SIMD8, 0, 'src0 r20 header', 'src0 r21 u 0-7', 'src0 r22 v 0-7',
    map { "dst r@{[60 + $_]} @{[(qw(x y z w))[$_]]} 0-7" } 0 .. 3],
    ['gen7', 2, lengths(6, 8) | 2 << 17 | 7 << 12, $SIMD16, 0, 'src0 r20-r21 u 0-15', 'src0 r22-r23 lod 0-15',
    'src0 r24-r25 v 0-15', map { "dst r@{[60 + 2 * $_]}-r@{[61 + 2 * $_]} @{[(qw(x y z w))[$_]]} 0-15" } 0 .. 3],
    ['gen7', 2, lengths(1, 1) | 7 << 12, $SIMD8, 0, 'src0 r20 parameters', 'dst r60 x y z w'],
    ['gen12', 2, lengths(2, 4) | 1 << 17 | 0x18 << 12, $SIMD8, 0, 'src0 r20 u 0-7', 'src0 r21 v 0-7',
    map { "dst r@{[60 + $_]} @{[(qw(x y z w))[$_]]} 0-7" } 0 .. 3],
    ['gen12', 2, lengths(3, 4) | 1 << 17 | 0x19 << 12, $SIMD8, 0, 'src0 r20 reference 0-7', 'src0 r21 u 0-7',
    'src0 r22 v 0-7', map { "dst r@{[60 + $_]} @{[(qw(x y z w))[$_]]} 0-7" } 0 .. 3],
    ['gen12', 2, lengths(3, 4) | 1 << 17 | 0x1a << 12, $SIMD8, 0, 'src0 r20 u 0-7', 'src0 r21 v 0-7', 'src0 r22 r 0-7',
    map { "dst r@{[60 + $_]} @{[(qw(x y z w))[$_]]} 0-7" } 0 .. 3],
    ['gen12', 2, lengths(2, 2) | 1 << 17 | 1 << 29 | 1 << 30, $SIMD8, 0, 'src0 r20-r21 parameters',
    'dst r60-r61 answer'], ['gen7.5', 4, lengths(2, 1, 1) | type(3) | 2 << 8, $SIMD8, 0, 'src0 r20 header',
    'src0 r21 offsets 0-7', 'dst r60 data 0-7'], ['gen7', 3, lengths(1, 0) | 4, $SIMD8, 0, 'src0 r20 request'],
    ['gen7', 6, lengths(4, 0, 1) | 1 << 14 | 1 << 15, $SIMD8, 0, 'src0 r20 header',
    map { "src0 r@{[21 + $_]} slot" } 0 .. 2], ['gen7', 6, lengths(1, 2, 1) | 3, $SIMD8, 0, 'src0 r20 header',
    'dst r60-r61 slots'], ['gen7', 7, lengths(1, 0) | 0x10, $SIMD8, 0, 'src0 r20 copy of r0'],
    ['gen7', 0xb, lengths(2, 2) | 3 << 12, $SIMD8, 0, 'src0 r20 offset x 0-7', 'src0 r21 offset y 0-7', 'dst r60 u 0-7',
    'dst r61 v 0-7'], ['gen7', 8, lengths(5, 4, 1) | 3 << 13, $SIMD8, 0, 'src0 r20-r24 payload', 'dst r60-r63 answer'],
    ['gen12', 0xc, lengths(2, 0) | type(9) | 1 << 12 | 0xc << 8, $SIMD16, 4, 'src0 r20-r21 addresses 0-15',
    'src1 r40-r41 x 0-15', 'src1 r42-r43 y 0-15'],
    ['gen12', 0xc, lengths(4, 4) | type(0x10) | 1 << 12 | 1 << 10 | 1 << 8, $SIMD16, 0, 'src0 r20-r23 addresses 0-15',
    'dst r60-r61 element 0 0-15', 'dst r62-r63 element 1 0-15'],
    ['gen12', 0xc, lengths(2, 0) | type(0x1a) | 2 << 8, $SIMD8, 2, 'src0 r20-r21 addresses 0-7',
    'src1 r40-r41 element 0 0-7'], ['gen12', 0xc, lengths(2, 2) | type(0x12) | 1 << 13 | 1 << 12 | 14 << 8, $SIMD8, 4,
    'src0 r20-r21 addresses 0-7', 'src1 r40-r41 compare with 0-7', 'src1 r42-r43 new values 0-7',
    'dst r60-r61 old values 0-7'], ['gen12', 0xc, lengths(1, 1, 1) | type(0x14) | 1 << 11, $SIMD8, 0, 'src0 r20 header',
    'dst r60 block'], ['gen12', 0xc, lengths(2, 1) | type(0x1d) | 1 << 13 | 1 << 8, $SIMD8, 1,
    'src0 r20-r21 addresses 0-7', 'src1 r40 operand 0-7', 'dst r60 old values 0-7'],
    ['gen12', 0xc, lengths(3, 0) | type(0x11) | 2 << 12 | 0xe << 8, $SIMD8, 0, 'src0 r20-r21 addresses 0-7',
    'src0 r22 more'], ['gen12', 0xa, lengths(1, 0, 1) | 0xf0 | 1 << 18 | 1 << 17 | 1 << 12, $SIMD8, 2,
    'src0 r20 header', 'src1 r40-r41 registers'], ['gen12', 0xa, lengths(3, 0) | type(12) | 1 << 8 | 1 << 10, $SIMD16,
    1, 'src0 r20-r21 addresses 0-15', 'src0 r22 data 0-7', 'src1 r40 data 8-15'],
    ['gen12', 6, lengths(3, 0) | 7 | 1 << 17, $SIMD8, 2, 'src0 r20 handles 0-7', 'src0 r21 slot offsets 0-7',
    'src0 r22 dwords 0-7', 'src1 r40 dwords 0-7', 'src1 r41 dwords 0-7'],
    ['gen12', 6, lengths(1, 4) | 8, $SIMD8, 0, 'src0 r20 handles 0-7', map { "dst r@{[60 + $_]} dwords 0-7" } 0 .. 3],
    ['gen12', 2, lengths(4, 8) | 2 << 17 | 2 << 12, $SIMD16, 2, 'src0 r20-r21 lod 0-15', 'src0 r22-r23 u 0-15',
    'src1 r40-r41 v 0-15', map { "dst r@{[60 + 2 * $_]}-r@{[61 + 2 * $_]} @{[(qw(x y z w))[$_]]} 0-15" } 0 .. 3],
);

sub records { my ($isa, $code, @commands) = @_; open my $f, '>:raw', "$dir/code" or die; print $f $code; close $f;
    return map { decode_json($_) } split /\n/,
        qx(@{[join ' ', map { quotemeta } $gpudbg, '--batch', '--json', '--isa', $isa, '--raw', "$dir/code",
        map { ('-e', $_) } @commands]} 2>&1) }

for my $case (@cases) {
    my ($isa, $sfid, $desc, $exec, $more, @want) = @$case;
    my ($record) = records($isa, $isa eq 'gen12' ? send12($sfid, $desc, $exec, $more) : send7($sfid, $desc, $exec),
        'print region');
    my @have;
    for my $o (@{ $record->{operands} }) {
        next if !defined $o->{part};
        my @lanes = map { $_->{channel} // () } @{ $o->{elements} };
        push @have, "$o->{role} $o->{text} $o->{part}" . (@lanes ? " $lanes[0]-$lanes[-1]" : '');
    }
    @have = ((grep { !/^dst/ } @have), (grep { /^dst/ } @have));
    is_deeply \@have, \@want, sprintf '%s: function %x, %08x: %s', $isa, $sfid, $desc,
        $record->{text} or diag explain \@have;
}

# Elements: the k-th channel's address of a SIMD16 message of 64 bits is eight bytes wide, four a register.
my ($record) = records('gen12', send12(0xc, lengths(4, 2) | type(0x10) | 1 << 12 | 1 << 8, $SIMD16, 0), 'print region');
my ($addresses) = grep { ($_->{part} // '') eq 'addresses' } @{ $record->{operands} };
is_deeply [map { "$_->{channel} $_->{register}+$_->{byte}/$_->{size}" } @{ $addresses->{elements} }],
    [map { "$_ r@{[20 + int $_ / 4]}+@{[$_ % 4 * 8]}/8" } 0 .. 15], 'addresses of 64 bits, element by element';

# Fields of descriptors that were only numbers.
sub field {
    my ($isa, $code, $name) = @_;
    my ($r) = records($isa, $code, 'decode ' . join ' ', map { sprintf '%08x', $_ } unpack 'V4', $code);
    my ($f) = grep { $_->{name} eq $name } @{ $r->{fields} // [] };
    return $f ? $f->{meaning} : "no field $name";
}
my $urb = send12(6, lengths(3, 0) | 7 | 5 << 4 | 1 << 17, $SIMD8, 2);
is field('gen12', $urb, 'opcode') =~ /send/ ? 'send' : '', 'send', 'the first field is the opcode';
is field('gen12', $urb, 'offset'), '5', 'offset of a SIMD8 write to the URB';
is field('gen12', $urb, 'per_slot'), 'yes', '... with offsets of its own for each entry'
    or diag explain [records('gen12', $urb, 'decode ' . join ' ', map { sprintf '%08x', $_ } unpack 'V4', $urb)];
my @sizes = map { my $code = $_;
    [map { field($_, ($_ eq 'gen12' ? send12(0xa, lengths(1, 1, 1) | 1 << 18 | $code << 12, $SIMD8, 0)
    : send7(0xa, lengths(1, 1, 1) | 1 << 18 | $code << 12, $SIMD8)), 'size') } 'gen7', 'gen7.5', 'gen12'] } 0 .. 3;
is_deeply \@sizes, [['1 register', '1 register', '1 register'], ['2 registers', '2 registers', '2 registers'],
    ['reserved', 'reserved', '4 registers'], ['4 registers', '4 registers', '8 registers']],
    'how many registers a scratch block has, by generation';
my $sampler = send12(2, lengths(3, 4) | 1 << 17 | 0x1a << 12 | 1 << 30, $SIMD8, 0);
is field('gen12', $sampler, 'type'), 'ld_lz', 'Gen12 loads without a level';
is field('gen12', $sampler, 'half_answer'), 'yes', '... and is answered in 16 bits';
is field('gen7.5', send7(4, lengths(1, 1, 1) | type(1), $SIMD8), 'type'), 'unaligned oword block read',
    'the sampler cache reads unaligned blocks';
my $vme = send7(8, lengths(5, 4, 1) | 3 << 13 | 2 << 11 | 6 << 8 | 9, $SIMD8);
is field('gen7', $vme, 'surface'), 'surface 9', 'motion estimation: surface';
is field('gen7', $vme, 'search_path'), '6', '... search path';
is field('gen7', $vme, 'costs'), '2', '... costs';
is field('gen7', $vme, 'type'), 'inter and intra', '... type';
is field('gen7', send7(0xb, lengths(1, 2) | 0x2f, $SIMD8), 'data'), '-1/16, +2/16',
    'an offset of the pixel interpolator';
# Gateway and render targets by generation: what IGA says of the descriptor (iga64 -Xdsd, IGA 1.1), and for Gen8 Mesa
# and Intel's GED.  The templates are IGA's: a send from r20 to r60.
my %template = (gen9 => '310060030c0280278002000604001002', 'gen12.5' => '3100038000000c3c0c14083000000000');
@template{qw(gen8 gen11 gen12)} = @template{qw(gen9 gen9 gen12.5)};
sub send_of {
    my ($isa, $sfid, $desc, $extended) = @_;
    return send12($sfid, $desc, $SIMD8, $extended // 0) if $isa =~ /gen12/;
    my @dwords = unpack 'V4', pack 'H*', $template{$isa};
    $dwords[0] = $dwords[0] & ~(15 << 24) | $sfid << 24;
    return pack 'V4', @dwords[0 .. 2], $desc;
}
my @opened = ('open gateway', 'close gateway', 'forward message', 'get time stamp', 'barrier', 'update gateway state',
    'read or write of a register', 'gateway message');
my @events = ('gateway message', 'signal event', 'monitor event', 'unmonitor event', 'barrier',
    'gateway message', 'wait for event', 'gateway message');
for my $isa (qw(gen8 gen9 gen11 gen12 gen12.5)) {
    my @want = $isa eq 'gen8' ? @opened : @events;
    $want[0] = 'end of thread' if $isa eq 'gen12.5';
    is_deeply [map { field($isa, send_of($isa, 3, lengths(1, 0) | $_), 'subfunction') } 0 .. 7], \@want,
        "$isa: messages of the gateway";
    my $notify = field($isa, send_of($isa, 3, lengths(1, 0) | 4 | 1 << 15), 'notify');
    is $notify, $isa =~ /gen12/ ? 'no field notify' : 'a notification', "$isa: notifications up to Gen11";
}
is field('gen7', send7(3, lengths(1, 1) | 1 << 14, $SIMD8), 'acknowledge'), 'yes', 'a gateway that answers';

# isa, descriptor, fields
my @targets = (
    ['gen8', lengths(10, 0, 1) | type(12) | 3 << 8 | 1 << 12, kind => 'SIMD8, dual source, high', last => 'yes'],
    ['gen9', 0x060b1c03, kind => 'SIMD8', slots => 'yes', last => 'yes', per_sample => 'no', halves => 'no',
    type => 'render target write'],
    ['gen9', lengths(2, 4, 1) | type(13) | 1 << 8 | 1 << 13, kind => 'SIMD8', per_sample => 'yes',
    type => 'render target read'],
    ['gen9', lengths(4, 0) | type(12) | 1 << 30, halves => 'yes'],
    ['gen11', lengths(8, 0) | type(12) | 1 << 18, coarse => 'yes', type => 'render target write', kind => 'SIMD16'],
    ['gen12', lengths(8, 0) | type(12) | 1 << 18 | 1 << 8, coarse => 'yes', kind => 'SIMD16, replicated'],
    ['gen12.5', lengths(2, 8, 1) | type(13), kind => 'SIMD16', type => 'render target read'],
);
for (@targets) {
    my ($isa, $desc, %want) = @$_;
    my $code = send_of($isa, 5, $desc);
    is_deeply { map { $_ => field($isa, $code, $_) } keys %want }, \%want, sprintf '%s: render target, %08x', $isa,
        $desc;
}
# Mesa writes source 0 alpha, oMask, colours, depth, stencil.  A length that fits several sets of them says none.
sub parts {
    my ($isa, $desc) = @_;
    my ($r) = records($isa, send_of($isa, 5, $desc), 'print region');
    return join ', ', map { defined $_->{part} ? $_->{part} : () } grep { $_->{role} ne 'dst' }
        @{ $r->{operands} };
}
my $colours = 'red, green, blue, alpha';
my %parts = (
    # registers after the header; SIMD16, SIMD8, SIMD8 with two sources
    "gen8 12 0" => "source 0 alpha, $colours, depth", "gen8 13 0" => "source 0 alpha, oMask, $colours, depth",
    "gen8 10 0" => 'pixels', "gen8 9 0" => "oMask, $colours", "gen8 8 0" => $colours, "gen8 1 1" => 'colour',
    "gen8 4 4" => $colours, "gen8 5 4" => 'pixels', "gen8 7 4" => "source 0 alpha, oMask, $colours, depth",
    "gen9 7 4" => 'pixels', "gen9 8 4" => "source 0 alpha, oMask, $colours, depth, stencil",
    "gen12 9 0" => "oMask, $colours", "gen12 10 0" => "$colours, depth", "gen12 11 0" => "oMask, $colours, depth",
    "gen12 7 4" => "oMask, $colours, depth, stencil",
    "gen8 8 2" => "$colours, red 1, green 1, blue 1, alpha 1",
    "gen8 10 3" => "oMask, $colours, red 1, green 1, blue 1, alpha 1, depth",
);
for (sort keys %parts) {
    my ($isa, $sent, $kind) = split;
    is parts($isa, lengths($sent, 0) | type(12) | $kind << 8), $parts{$_}, "$isa: $sent registers, kind $kind";
}

# Barriers that are not of the whole group do not run: nothing else is known of when they end.
for (['gen8', 1 << 15 | 3 << 9, 3], ['gen11', 1 << 15 | 3 << 8, 3], ['gen12', 1 << 15 | 2 << 8, 2],
    ['gen12.5', 2 << 24 | 2 << 16, 2]) {
    my ($isa, $request, $threads) = @$_;
    for my $of (2, 3) {
        my $items = 8 * $of;
        my @all = records($isa, send_of($isa, 3, lengths(1, 0) | 4),
            "launch -g $items -l $items simd=8 r20=hex:" . unpack('H*', pack 'V3', 0, 0, $request), 'stepi');
        my ($said) = map { $_->{message} // () } grep { $_->{type} eq 'stop' && $_->{reason} eq 'fault' } @all;
        my $stops = "barrier 0x@{[sprintf '%08x', $request]}: not implemented, it is not one of all $of threads of the"
            . ' group';
        is(($said // q()) =~ s{.*?: (?=barrier)}{}r, $of == $threads ? q() : $stops,
            "$isa: a barrier of $threads threads in a group of $of");
    }
}
for (1, 2, 3, 6) {
    my ($said) = map { $_->{message} // () } grep { $_->{type} eq 'stop' }
        records('gen9', send_of('gen9', 3, lengths(1, 0) | $_), 'launch -g 8 -l 8 simd=8', 'stepi');
    like $said, qr/\Q$events[$_]\E.*not implemented/, "gen9: $events[$_] stops and says its name";
}

# Payloads that are one register short: what the message would find there is said by nobody.  The lengths are those of
# the layouts above.
my @short = (
    # isa, function, descriptor without its lengths, header, registers of the payload, of its second part
    ['gen7', 0xa, type(5) | 1 << 12, 0, 2], ['gen7', 0xa, type(13) | 2 << 12 | 0xc << 8, 1, 4],
        ['gen7', 0xa, type(6) | 1 << 13 | 1 << 12 | 14 << 8, 0, 3],
    ['gen7.5', 0xc, type(2) | 5 << 8, 0, 2], ['gen7.5', 0xc, type(2) | 1 << 13 | 7 << 8, 0, 4],
    ['gen7.5', 0xc, type(1), 0, 1], ['gen7', 0xa, 3 << 8, 1, 1], ['gen7', 0xa, type(8) | 2 << 8, 1, 2],
    ['gen7', 0xa, type(8) | 4 << 8, 1, 5], ['gen7', 0xa, type(2), 1, 2], ['gen7', 0xa, type(10) | 2 << 8, 1, 6],
    ['gen7', 0xa, type(11) | 2 << 8, 1, 3], ['gen7', 0xa, type(4) | 1 << 8 | 2 << 10, 0, 2],
    ['gen7', 0xa, type(12) | 1 << 8 | 2 << 10, 0, 4], ['gen7', 0xa, 1 << 18 | 1 << 17 | 1 << 12, 1, 3],
    ['gen7', 5, type(5) | 2, 0, 1], ['gen7', 5, type(13) | 2, 0, 5], ['gen7', 5, type(6) | 1 << 13 | 7 << 8 | 2, 0, 2],
    ['gen7', 6, 1, 1, 2], ['gen12', 0xc, type(9) | 1 << 12 | 0xc << 8, 0, 2, 4],
    ['gen12', 0xc, type(0x10) | 1 << 12 | 1 << 10 | 1 << 8, 0, 4, 0], ['gen12', 0xc, type(0x1a) | 2 << 8, 0, 2, 2],
    ['gen12', 0xc, type(0x12) | 1 << 13 | 1 << 12 | 14 << 8, 0, 2, 4], ['gen12', 0xc, type(0x14) | 1 << 11, 0, 1, 0],
    ['gen12', 0xc, type(0x1d) | 1 << 13 | 1 << 8, 0, 2, 1], ['gen12', 0xa, 0xf0 | 1 << 18 | 1 << 17 | 1 << 12, 1, 1, 2],
    ['gen12', 0xa, type(12) | 1 << 8 | 1 << 10, 0, 3, 1], ['gen12', 6, 7 | 1 << 17, 0, 2, 0],
);
for my $case (@short) {
    my ($isa, $sfid, $desc, $header, $sent, $more) = @$case;
    my $all = $sent + ($more // 0);
    my $launch = 'launch -g 16 -l 16 simd=16 bti0=zero:4096 bti2=zero:256:uint4/16 urb=hex:' . '00' x 1024
        . ' scratch=1024';
    for my $cut (0, 1) {
        my $second = $more ? $more - $cut : 0;
        my $words = lengths($sent - ($more ? 0 : $cut), 0, $header) | $desc;
        my @all = records($isa, ($isa eq 'gen12' ? send12($sfid, $words, $SIMD16, $second)
            : send7($sfid, $words, $SIMD16)), $launch, ('info hash', 'stepi') x 2, 'info hash');
        my %hash = map { $_->{type} eq 'hash' ? ($_->{value} => 1) : () } @all;
        my @said = map { $_->{message} // () } grep { $_->{type} eq 'stop' } @all;
        my $name = sprintf '%s function %d 0x%x', $isa, $sfid, $desc;
        if ($cut) {
            my $want = sprintf 'the payload has %d register%s, the message takes %d', $all - 1, $all == 2 ? '' : 's',
                $all;
            is_deeply [map { /(the payload has .*)/ ? $1 : $_ } @said], [$want, $want], "$name: a register short";
            is scalar keys %hash, 1, '... changes nothing';
        } else {
            unlike "@said", qr/the payload has/, "$name: all of them";
        }
    }
}

done_testing;
