# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every instruction that llvm-mc can produce for gfx7 and gfx6, disassembled by gpudbg and assembled again, gives the
# same bytes.  The instructions come from gfx7_corpus.pl, which knows neither gpudbg nor its tables.
use v5.36;
use Test::More;
use Gpudbg;
use OracleGfx7 qw(need_assembler chips corpus listing_failures opcode_table use_chip word_format word_opcode);

# Opcodes an encoding has, by the manual and the assembler: what the manual lists, less what the assembler does not
# know (S_MOV_REGRD_B32, S_MOV_FED_B32, S_GETREG_REGRD_B32, V_MOV_FED_B32, DS_CONDXCHG32_RTN_B128, two internal MIMG),
# and V_WRITELANE_B32 and IMAGE_ATOMIC_RSUB more.  VOP3 has its own 56 and the long forms of the other three.
# gfx6 lacks the 66 that gfx7_opcodes.tsv says, six of them with a long form, and has one other MUBUF.
my %OPCODES = (gfx7 => {SOP2 => 43, SOP1 => 48, SOPC => 17, SOPK => 20, SOPP => 26, SMRD => 13, VOP1 => 65, VOP2 => 50,
    VOPC => 196, VOP3 => 362, VINTRP => 3, DS => 139, MUBUF => 56, MTBUF => 8, MIMG => 93, FLAT => 46, EXP => 1});
$OPCODES{gfx6} = {$OPCODES{gfx7}->%*, SMRD => 12, VOP1 => 59, VOP3 => 352, DS => 131};
delete $OPCODES{gfx6}{FLAT};

need_assembler();
for my $chip (chips()) {
    use_chip($chip);
    my ($path, $insns) = corpus();
    cmp_ok(scalar @$insns, '>=', 60_000, "$chip: the corpus holds " . @$insns . ' distinct instructions');

    my $code = join '', map { $_->[0] } @$insns;
    my @failures = listing_failures(output('--isa', $chip, '--raw', '-e', 'disassemble /a', $path), $code);
    is(scalar @failures, 0, "$chip: all of them assemble to the same bytes again");
    diag(sprintf '%06x %s  %s -- %s', $_->[0], unpack('H*', $_->[1]), $_->[2], $_->[3]) for @failures > 40
        ? @failures[0 .. 39] : @failures;

    my (%good, %wrong, %count);
    $wrong{$_->[1]} = 1 for @failures;
    for my $insn (@$insns) {
        my $format = word_format($insn->[0]);
        $count{$format}++;
        $good{$format}{word_opcode($insn->[0])} = 1 if !$wrong{$insn->[0]};
    }
    for my $format (sort keys $OPCODES{$chip}->%*) {
        my $n = keys %{$good{$format} // {}};
        cmp_ok($n, '>=', $OPCODES{$chip}{$format}, "$chip $format: $n opcodes, " . ($count{$format} // 0)
            . ' instructions');
    }
    diag("$chip: opcodes covered: " . join ', ', map { "$_ " . keys %{$good{$_} // {}} } sort keys $OPCODES{$chip}->%*);
}

# What one chip alone has is no instruction of the other: neither its words nor its names are.
my %lead = (DS => [0xd8000000, 18], FLAT => [0xdc000000, 18], MUBUF => [0xe0000000, 18], SMRD => [0xc0000000, 22],
    VOP1 => [0x7e000000, 9], VOP3 => [0xd0000000, 17]);
my @rows = opcode_table('t/oracle/gfx7_opcodes.tsv', 'all')->@*;
my %named = map { ("$_->{only} $_->{format} $_->{number}" => $_->{name}) } @rows;
cmp_ok(scalar(grep { $_->{only} } @rows), '==', 77, 'gfx6 and gfx7 differ in so many rows');
for my $row (grep { $_->{only} } @rows) {
    my ($bits, $shift) = $lead{$row->{format}}->@*;
    my $other = $row->{only} eq 'gfx7' ? 'gfx6' : 'gfx7';
    my $theirs = $named{"$other $row->{format} $row->{number}"};
    my $word = sprintf '%08x', $bits | $row->{number} << $shift;
    my $said = output('--isa', $other, '-e', "decode $word 00000000");
    like($said, $theirs ? qr/^0000: \Q$theirs\E\b/ : qr{^0000: \.long .*// no instruction},
        "$word, $row->{name}, is " . ($theirs // 'nothing') . " on $other");
    like(output('--isa', $row->{only}, '-e', "decode $word 00000000"), qr/^0000: \Q$row->{name}\E(?:_e32|_e64)?\b/,
        "... and $row->{name} on $row->{only}");
}
done_testing;
