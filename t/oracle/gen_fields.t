# SPDX-License-Identifier: GPL-3.0-or-later
#
# The fields that gpudbg shows of an instruction hold all of its bits, once, and each says what it means: the bytes of
# random instructions of every opcode and format, and of all that IGA makes of the corpus, native and compacted, are
# rebuilt from them.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use OracleGen qw(need_iga corpus write_file instructions);
use OracleFields qw(field_failures);
use OracleRandom qw(generator);

need_iga();
my $dir = tempdir(CLEANUP => 1);
my $random = generator(0xf1e1d5);
for my $isa (qw(gen7 gen7.5 gen8 gen9 gen11 gen12 gen12.5)) {
    my $bytes = $isa eq 'gen7' ? '' : (corpus($isa, 1200))[0];
    for my $opcode (map { ($_) x 24 } 0 .. 127) {
        my $word = pack 'V4', map { $random->(65536) << 16 | $random->(65536) } 1 .. 4;
        my $first = unpack('V', $word) & ~0x200000ff | $opcode;
        my $compacted = $random->(4) == 0;
        $bytes .= $compacted ? pack('V', $first | 0x20000000) . substr($word, 4, 4) : pack('V', $first) . substr $word,
            4;
    }
    my ($failures, $count) = field_failures(isa => $isa, file => write_file("$dir/$isa.bin", $bytes));
    is($count->{failed}, 0, "$isa: the fields of $count->{insns} instructions give their bytes back and have meanings");
    diag($_) for @$failures;
    cmp_ok($count->{insns}, '>=', 1000, "$isa: $count->{data} units of data");
}
done_testing;
