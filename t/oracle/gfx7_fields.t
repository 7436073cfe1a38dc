# SPDX-License-Identifier: GPL-3.0-or-later
#
# The fields gpudbg shows for an instruction hold all of its bits, once, and each says what it means: the bytes of
# every instruction of the corpus are rebuilt from them.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use Gpudbg;
use OracleGfx7 qw(need_assembler corpus opcode_table word_format word_opcode);
use OracleFields qw(field_failures fast_json);

need_assembler();
my ($path, $insns) = corpus();

# Without a fast JSON reader: of every opcode, ten.
if (!fast_json()) {
    my %n;
    $insns = [grep { $n{word_format($_->[0])}{word_opcode($_->[0])}++ < 10 } @$insns];
    $path = tempdir(CLEANUP => 1) . '/sample.bin';
    open my $out, '>:raw', $path or die "$path: $!\n";
    print $out map { $_->[0] } @$insns;
    close $out or die "$path: $!\n";
}

# Opcodes as the manual names them; other fields whose values all have names: formats, targets, result modifiers,
# channels.
my $rows = opcode_table('t/oracle/gfx7_opcodes.tsv');
my %OPCODE = map { ("$_->{format} $_->{number}" => $_->{name}) } @$rows;
my %NAMED = map { $_ => 1 } qw(encoding dfmt nfmt tgt omod attrchan);
# Fields that hold an operand code, and what the code is a multiple of; and fields that hold a VGPR.
my %CODE = (src0 => 1, src1 => 1, src2 => 1, ssrc0 => 1, ssrc1 => 1, sdst => 1, soffset => 1, sbase => 2, srsrc => 4,
    ssamp => 4);
my %VGPR = map { $_ => 1 } qw(vdst vaddr vdata vsrc vsrc0 vsrc1 vsrc2 vsrc3 addr data data0 data1);

my @FLOATS = qw(0.5 -0.5 1.0 -1.0 2.0 -2.0 4.0 -4.0);
my %STATUS = (251 => 'src_vccz', 252 => 'src_execz', 253 => 'src_scc', 254 => 'src_lds_direct');
my %PAIR = (104 => 'flat_scratch', 106 => 'vcc', 108 => 'tba', 110 => 'tma', 126 => 'exec');

# A register or a run of them from the first on.
sub run_of ($file, $first) { return qr/^\Q$file\E(?:$first|\[$first:\d+\])$/ }

# What the name of an operand code looks like.
sub code_name ($code) {
    return run_of('v', $code - 256) if $code >= 256;
    return run_of('s', $code) if $code < 104;
    return run_of('ttmp', $code - 112) if $code >= 112 && $code < 124;
    return qr/^m0$/ if $code == 124;
    if ($code < 128) { my ($name, $half) = ($PAIR{$code & ~1}, $code & 1 ? '_hi' : '_lo');
        return $code & 1 ? qr/^$name$half$/ : qr/^$name(?:$half)?$/ }
    my $constant = $code <= 192 ? $code - 128 : $code <= 208 ? 192 - $code : $code < 251 ? $FLOATS[$code - 240]
        : $STATUS{$code};
    return $code == 255 ? qr/^(?:0x|-?\d)/ : defined $constant ? qr/^\Q$constant\E$/ : qr/(?!)/;
}

my %name_of;    # compiled once a code
sub wrong_meaning ($field) {
    my ($name, $meaning) = @$field{qw(name meaning)};
    return 'which is no name' if $NAMED{$name} && $meaning !~ /[A-Za-z]/;
    my $value = hex $field->{value};
    return $meaning eq ($OPCODE{"$field->{word} $value"} // '') ? undef : 'which is another opcode' if $name eq 'op';
    return if $value == 0 && $meaning =~ /^(?:off|not used)$/;
    if (my $unit = $CODE{$name}) { return $meaning =~ ($name_of{$value * $unit} //= code_name($value * $unit)) ? undef
        : 'not what the operand code says' }
    return if !$VGPR{$name};
    # In a few places one of these fields holds an operand code, or one of three parameters.
    return if $meaning =~ ($name_of{$value + 256} //= code_name($value + 256)) || $meaning
        =~ ($name_of{$value} //= code_name($value)) || $meaning =~ /^p[12]?0$/;
    return 'not the register of that number';
}

my ($failures, $count) = field_failures(isa => 'gfx7', file => $path, check => \&wrong_meaning);
is($count->{failed}, 0, "the fields of $count->{insns} instructions give their bytes back and have meanings");
diag($_) for @$failures;
is($count->{insns}, scalar @$insns, 'every instruction of the corpus is an instruction');
cmp_ok($count->{fields}, '>=', 3 * $count->{insns}, "they have $count->{fields} fields");

# What the manual has and the assembler has not is decoded all the same, under the manual's name.
my %LEADING = (DS => [0xd8000000, 18], MIMG => [0xf0000000, 18], SOP1 => [0xbe800000, 8], SOPK => [0xb0000000, 23],
    VOP1 => [0x7e000000, 9]);
for my $row (grep { $_->{source} eq 'manual' } @$rows) {
    my ($bits, $shift) = $LEADING{$row->{format}}->@*;
    my $word = sprintf '%08x', $bits | $row->{number} << $shift;
    like(output('--isa', 'gfx7', '-e', "decode $word 00000000"), qr/^\S+\s+\Q$row->{name}\E(?:_e32)?\b/,
        "$word is $row->{name}");
}
done_testing;
