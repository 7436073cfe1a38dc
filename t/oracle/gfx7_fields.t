# SPDX-License-Identifier: GPL-3.0-or-later
#
# The fields gpudbg shows for an instruction hold all of its bits, once, and each says what it means: the bytes of
# every instruction of the corpus are rebuilt from them.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use OracleGfx7 qw(need_assembler corpus word_format word_opcode);
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

# Fields whose values all have names: opcodes, formats, targets, result modifiers, channels.
my %NAMED = map { $_ => 1 } qw(encoding op dfmt nfmt tgt omod attrchan);
my ($failures, $count) = field_failures(isa => 'gfx7', file => $path, named => sub ($field) { $NAMED{lc $field->{name}} });
is($count->{failed}, 0, "the fields of $count->{insns} instructions give their bytes back and have meanings");
diag($_) for @$failures;
is($count->{insns}, scalar @$insns, 'every instruction of the corpus is an instruction');
cmp_ok($count->{fields}, '>=', 3 * $count->{insns}, "they have $count->{fields} fields");
done_testing;
