# SPDX-License-Identifier: GPL-3.0-or-later
#
# Words first: random words of every encoding, and instructions of the corpus with one to three bits flipped.  What
# gpudbg prints of them assembles to the same bytes; and it prints an instruction exactly where the assembler has a text
# for it, by rules that were found by asking the assembler, not gpudbg (OracleGfx7Rules).
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use Gpudbg;
use OracleGfx7 qw(need_assembler corpus insn_length listing_items listing_failures word_format word_opcode);
use OracleFields qw(field_failures fast_json);
use OracleGfx7Rules qw(unproducible);
use OracleRandom qw(generator);

need_assembler();
my (undef, $insns) = corpus();

my @broken = grep { unproducible($_->[0]) } @$insns;
is(scalar @broken, 0, 'the rules call nothing impossible that the assembler made');
diag(unpack('H*', $_->[0]) . " $_->[1]: " . unproducible($_->[0])) for @broken > 10 ? @broken[0 .. 9] : @broken;

my $rnd = generator($ENV{ORACLE_SEED} // 0x77073096);         # another seed, other words
my (@words, %seen);
sub add ($bytes) {
    my $n = insn_length($bytes);
    $bytes .= pack 'V', $rnd->(1 << 32) if length $bytes < $n;
    $bytes = substr $bytes, 0, $n;
    push @words, $bytes if !$seen{$bytes}++;
    return;
}

# Up to 40 of each opcode, damaged.
my %taken;
for my $insn (@$insns) {
    my $bytes = $insn->[0];
    next if $taken{word_format($bytes)}{word_opcode($bytes)}++ >= 40;
    my @bits = split //, unpack 'b*', $bytes;
    for (0 .. $rnd->(3)) { my $i = $rnd->(scalar @bits); $bits[$i] = 1 - $bits[$i] }
    add(pack 'b*', join '', @bits);
}
# Each encoding: its leading bits, the rest at random, often few bits set.
my @LEADING = ([0, 0, 0x80000000], map { [$_->[0] << $_->[1], 0, (0xffffffff << $_->[1]) & 0xffffffff] } [0x3e, 25],
    [0x3f, 25], [2, 30], [0xb, 28], [0x17d, 23], [0x17e, 23], [0x17f, 23], [0x18, 27], [0x32, 26], [0x34, 26],
    [0x36, 26], [0x37, 26], [0x38, 26], [0x3a, 26], [0x3c, 26], [0x3e, 26]);
for my $lead (@LEADING) {
    for my $i (1 .. ($ENV{GPUDBG_NIGHTLY} ? 50000 : 1500)) {
        my ($w, $second) = ($rnd->(1 << 32), $rnd->(1 << 32));
        $w &= $rnd->(1 << 32) & $rnd->(1 << 32) if $i % 3;
        $second &= $rnd->(1 << 32) if $i % 3 == 1;
        add(pack 'V2', $w & ~$lead->[2] | $lead->[0], $second);
    }
}
# Every SIMM16 bit, opcode and unused encoding once more.
add(pack 'V2', $_ << 26 | $rnd->(1 << 26), $rnd->(1 << 32)) for map { ($_) x 20 } 0x31, 0x33, 0x35, 0x39, 0x3b, 0x3d,
    0x3f;

my $code = join '', @words;
my $path = tempdir(CLEANUP => 1) . '/words.bin';
open my $out, '>:raw', $path or die "$path: $!\n";
print $out $code;
close $out or die "$path: $!\n";

my $listing = output('--isa', 'gfx7', '--raw', '-e', 'disassemble /a', $path);
my @failures = listing_failures($listing, $code, 1);
is(scalar @failures, 0, 'what is printed of ' . @words . ' words assembles to them again');
diag(sprintf '%06x %s  %s -- %s', $_->[0], unpack('H*', $_->[1]), $_->[2], $_->[3]) for @failures > 20
    ? @failures[0 .. 19] : @failures;

# What is printed at the start of each word: an instruction or data.
my ($offset, %shown) = (0);
for my $item (listing_items([split /\n/, $listing])->@*) {
    $shown{$offset} = defined $item->[2] ? '' : $item->[1];
    $offset += defined $item->[2] ? length $item->[2] : insn_length($code, $offset);
}
my ($at, %count, @missed, @wrong) = (0);
for my $bytes (@words) {
    my $text = $shown{$at};
    my $why = unproducible($bytes);
    if (!defined $text) { $count{unseen}++ }
    elsif ($text eq '' && $why eq '') { push @missed, sprintf '%s %d: %s', word_format($bytes), word_opcode($bytes),
        unpack 'H*', $bytes }
    elsif ($text ne '' && $why ne '') { push @wrong, unpack('H*', $bytes) . " $text: $why" }
    else { $count{$text eq '' ? 'data' : 'insns'}++ }
    $at += length $bytes;
}
is(scalar @missed, 0, 'none is shown as data for which the assembler has a text');
diag($_) for @missed > 20 ? @missed[0 .. 19] : @missed;
is(scalar @wrong, 0, 'none is shown as an instruction that the rules call impossible');
diag($_) for @wrong > 20 ? @wrong[0 .. 19] : @wrong;
cmp_ok($count{$_} // 0, '>=', 5000, ($count{$_} // 0) . " words are shown as $_, rightly") for qw(insns data);
cmp_ok($count{unseen} // 0, '<', @words / 20, ($count{unseen} // 0)
    . ' words follow one that was cut elsewhere, and are not looked at');

SKIP: {
    skip 'no fast JSON reader', 1 if !fast_json();
    my ($failures, $fields) = field_failures(isa => 'gfx7', file => $path);
    is($fields->{failed}, 0, "the fields of $fields->{insns} instructions among them give their bytes back");
    diag($_) for @$failures;
}
done_testing;
