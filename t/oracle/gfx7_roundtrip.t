# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every instruction that llvm-mc can produce, disassembled by gpudbg and assembled again, gives the same bytes.
# The instructions come from gfx7_corpus.pl, which knows neither gpudbg nor its tables.
use v5.36;
use Test::More;
use Gpudbg;
use OracleGfx7 qw(need_assembler corpus listing_failures word_format word_opcode);

# Opcodes an encoding has, by the manual and the assembler: what the manual lists, less what the assembler does not
# know (S_MOV_REGRD_B32, S_MOV_FED_B32, S_GETREG_REGRD_B32, V_MOV_FED_B32, DS_CONDXCHG32_RTN_B128, two internal MIMG),
# and V_WRITELANE_B32 and IMAGE_ATOMIC_RSUB more.  VOP3 has its own 56 and the long forms of the other three.
my %OPCODES = (SOP2 => 43, SOP1 => 48, SOPC => 17, SOPK => 20, SOPP => 26, SMRD => 13, VOP1 => 65, VOP2 => 50,
    VOPC => 196, VOP3 => 362, VINTRP => 3, DS => 139, MUBUF => 56, MTBUF => 8, MIMG => 93, FLAT => 46, EXP => 1);

need_assembler();
my ($path, $insns) = corpus();
cmp_ok(scalar @$insns, '>=', 60_000, 'the corpus holds ' . @$insns . ' distinct instructions');

my $code = join '', map { $_->[0] } @$insns;
my @failures = listing_failures(output('--isa', 'gfx7', '--raw', '-e', 'disassemble /a', $path), $code);
is(scalar @failures, 0, 'all of them assemble to the same bytes again');
diag(sprintf '%06x %s  %s -- %s', $_->[0], unpack('H*', $_->[1]), $_->[2], $_->[3]) for @failures > 40
    ? @failures[0 .. 39] : @failures;

my (%good, %wrong, %count);
$wrong{$_->[1]} = 1 for @failures;
for my $insn (@$insns) {
    my $format = word_format($insn->[0]);
    $count{$format}++;
    $good{$format}{word_opcode($insn->[0])} = 1 if !$wrong{$insn->[0]};
}
for my $format (sort keys %OPCODES) {
    my $n = keys %{$good{$format} // {}};
    cmp_ok($n, '>=', $OPCODES{$format}, "$format: $n opcodes, " . ($count{$format} // 0) . ' instructions');
}
diag('opcodes covered: ' . join ', ', map { "$_ " . keys %{$good{$_} // {}} } sort keys %OPCODES);
done_testing;
