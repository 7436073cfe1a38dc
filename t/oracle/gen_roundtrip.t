# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every instruction of gen7.5, gen8, gen9, gen11, gen12 and gen12.5 that IGA can assemble, disassembled by gpudbg and
# assembled again, gives the same bytes, compacted or not.  The instructions come from gen_corpus.pl and from random
# compacted words; neither knows gpudbg.
#   prove t/oracle/gen_roundtrip.t :: gen9 70000 5     another corpus: 70,000 of gen9, made from the seed 5
use v5.36;
use Test::More;
use Gpudbg;
use OracleGen qw(need_iga corpus instructions reassembly_failures write_file);
use File::Temp qw(tempdir);

need_iga();
my $dir = tempdir(CLEANUP => 1);
my ($only, $size, $seed) = @ARGV;
my $count = $size // $ENV{GPUDBG_CORPUS} // ($ENV{GPUDBG_NIGHTLY} ? 60000 : 3000);
for my $isa ($only // qw(gen7.5 gen8 gen9 gen11 gen12 gen12.5)) {
    my ($bytes, $texts, $kept) = corpus($isa, $count, $seed // 0);
    my @insns = instructions($bytes);
    my $short = grep { length $_ == 8 } @insns;
    cmp_ok($kept, '>=', $count * 0.6, "$isa: $kept native instructions that IGA takes");
    cmp_ok($short, '>=', $count / 5, "$isa: $short compacted ones");
    my %ops = map { ord(substr $_, 0, 1) & 127 => 1 } @insns;
    cmp_ok(scalar keys %ops, '>=', $isa =~ /^gen12/ ? 50 : 52, "$isa: " . keys(%ops) . ' opcodes');
    my $file = write_file("$dir/$isa.bin", $bytes);
    my @failures = reassembly_failures($isa, output('--isa', $isa, '--raw', '-e', 'set syntax iga', '-e',
        'disassemble /a', $file), $bytes);
    is(scalar @failures, 0, "$isa: all assemble to the same bytes again");
    diag("$_->[1] became $_->[2]: $_->[3]  was $texts->[$_->[0]]") for @failures > 30 ? @failures[0 .. 29] : @failures;
}
done_testing;
