# SPDX-License-Identifier: GPL-3.0-or-later
#
# Where Ivy Bridge (gen7) and Haswell (gen7.5) read the same word differently, and where text and targets follow from
# rules of the manual rather than from an assembler.
use v5.36;
use Test::More;
use JSON::PP;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';

sub decode ($isa, $hex, @more) {
    my ($record) = grep { $_->{type} =~ /^(?:insn|data)$/ } map { decode_json($_) } split /\n/,
        `$gpudbg --batch --json --isa $isa @more -e 'decode $hex' 2>/dev/null`;
    return $record;
}
sub field ($record, $name) { my ($f) = grep { $_->{name} eq $name && !$_->{derived} } $record->{fields}->@*;
    return $f ? $f->{meaning} : undef }

# Opcodes of Haswell only: dim, calla.  brd and brc came with Ivy Bridge (its manual, vol. 4 part 3, 1.3).
for my $op ([0x0a, 'dim'], [0x2b, 'calla']) {
    my $hex = sprintf '%08x 00000000 00000000 00000000', $op->[0];
    is(decode('gen7', $hex)->{type}, 'data', "$op->[1] is illegal on Ivy Bridge");
    is(decode('gen7.5', $hex)->{mnemonic}, $op->[1], "$op->[1] is an operation of Haswell");
}
for my $op ([0x21, 'brd'], [0x23, 'brc']) {
    is(decode($_, sprintf '%08x 00000000 00000000 00000000', $op->[0])->{mnemonic}, $op->[1],
        "$op->[1] is an operation of $_") for qw(gen7 gen7.5);
}
# sends and sendsc stand in the enumeration of Haswell, but are of later hardware; join and goto are of Xe.
for my $code (0x33, 0x34, 0x2e, 0x2f, 0x58) {
    my $hex = sprintf '%08x 00000000 00000000 00000000', $code;
    is(decode($_, $hex)->{type}, 'data', sprintf('%02Xh is illegal on %s', $code, $_)) for qw(gen7 gen7.5);
}

# jmpi counts from the next instruction: units of 8 bytes on Ivy Bridge, bytes on Haswell.
my $jmpi = '00000220 34001c00 00001400 00000010';
is(field(decode('gen7', $jmpi), 'jip32'), '0x90 (+128 B)', 'jmpi 16 of Ivy Bridge goes 128 bytes beyond its end');
is(field(decode('gen7.5', $jmpi), 'jip32'), '0x20 (+16 B)', 'jmpi 16 of Haswell goes 16 bytes beyond its end');
my $back = '00000220 34001c00 00001400 fffffffe';
is(field(decode('gen7', $back), 'jip32'), '0x0 (-16 B)', 'jmpi -2 of Ivy Bridge goes to itself');
is(field(decode('gen7.5', '00000220 34001c00 00001400 fffffff0'), 'jip32'), '0x0 (-16 B)',
    'jmpi -16 of Haswell goes to itself');
like(decode('gen7', $jmpi)->{text}, qr/^jmpi \(1\) 16 /, 'its text holds the number as encoded');

# if and its kin count 8 bytes from themselves on both, in 16 bits each.
for my $isa (qw(gen7 gen7.5)) {
    my $if = decode($isa, '00610022 20001c84 00000000 000a0004');
    is(field($if, 'jip'), '0x20 (+32 B)', "$isa: JIP 4 is 32 bytes on");
    is(field($if, 'uip'), '0x50 (+80 B)', "$isa: UIP 10 is 80 bytes on");
    my $while = decode($isa, '00600027 20001c00 00000000 0000fff0');
    is(field($while, 'jip'), '0xffffffffffffff80 (-128 B)', "$isa: while goes back");
}
# call counts as jmpi does, but from itself.
my $call = '0060002c 21401c05 00450000 00000010';
is(field(decode('gen7', $call), 'jip32'), '0x80 (+128 B)', 'call 16 of Ivy Bridge');
is(field(decode('gen7.5', $call), 'jip32'), '0x10 (+16 B)', 'call 16 of Haswell');

# Operands of math have subregisters; those of Xe's macros have numbers in their place.
for my $isa (qw(gen7 gen7.5)) {
    is(field(decode($isa, '01600038 205003bd 008d0040 00000000'), 'dst_subreg'), 'byte 16, element 4',
        "$isa: the destination of math begins at a byte");
}

# Data cache messages moved: function C does not exist on Ivy Bridge, and A has what C has on Haswell.
my %untyped = ('gen7' => ['', 'untyped surface read'],
    'gen7.5' => ['0c600031 21401ca1 000002a0 02106e05', 'untyped surface read']);
$untyped{gen7}[0] = sprintf '0a600031 21401ca1 000002a0 %08x', 1 << 25 | 1 << 20 | 5 << 14 | 2 << 12 | 14 << 8 | 5;
for my $isa (sort keys %untyped) {
    my $r = decode($isa, $untyped{$isa}[0]);
    is(field($r, 'type'), $untyped{$isa}[1], "$isa: untyped surface read");
    is(field($r, 'simd'), 'SIMD8', "$isa: of 8 channels");
    is(field($r, 'absent'), 'x', "$isa: of the first component");
    is(field($r, 'surface'), 'surface 5', "$isa: of surface 5");
    is(field($r, 'mlen'), '1 register', "$isa: mlen");
    is(field($r, 'rlen'), '1 register', "$isa: rlen");
}
is(field(decode('gen7', $untyped{'gen7.5'}[0]), 'sfid'), 'reserved', 'function C is reserved on Ivy Bridge');
is(field(decode('gen7.5', $untyped{'gen7.5'}[0]), 'sfid'), 'dc1', 'and the second data cache port on Haswell');
# Spawner, end of thread; barrier; URB write of vertex programs; scratch.
my %messages = (
    '07000031 20001ca0 00000e00 82000010' => qr/dereference resource/,
    '03000231 20001ca0 00000e00 02000004' => qr/barrier/, '06600131 200f1fbc 006e0e24 8a08c000' => qr/URB write/,
);
for my $hex (sort keys %messages) {
    my $r = decode('gen7.5', $hex);
    my ($f) = grep { ($_->{meaning} // '') =~ $messages{$hex} } $r->{fields}->@*;
    ok($f, "$hex asks for $messages{$hex}");
}
# The syntaxes: the manual's is the default of gen7 and gen7.5, IGA's of gen12.
is(decode('gen7', '80600040 21407fbd 008d0040 3f800000')->{text}, 'add.sat (8) r10.0<1>:f r2.0<8;8,1>:f 1.0:f {Q1}',
    'gen7 speaks prm');
is(decode('gen7.5', '80810040 214077bd 008d0040 008d0080')->{text},
    '(f0.0) add.sat (16) r10.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f {Q1}', 'as the manual writes it');
is(decode('gen7.5', '80810040 214077bd 008d0040 008d0080', '-e', "'set syntax iga'")->{text},
    '(f0.0) add (16|M0) (sat)r10.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f', 'or IGA');
done_testing;
