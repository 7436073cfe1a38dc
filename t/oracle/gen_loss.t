# SPDX-License-Identifier: GPL-3.0-or-later
#
# IGA never changes an instruction in silence: instructions of the corpus with some bits turned over are written for the
# assembler, which refuses them, or gives a word that the manual's syntax prints alike; or the line says what IGA writes
# otherwise.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use Gpudbg;
use OracleGen qw(need_iga corpus instructions assemble write_file);
use OracleRandom qw(generator);

need_iga();
my $dir = tempdir(CLEANUP => 1);
my %platform = ('gen7.5' => '7p5', gen8 => '8', gen9 => '9', gen11 => '11', gen12 => '12p1', 'gen12.5' => '12p71');

# The lines of a file in a syntax, without labels.
sub lines ($isa, $syntax, $flags, $file) {
    return map { s/^\s+//r } grep { !/^\S+:$/ && !m{^\s*//} } split /\n/,
        output('--isa', $isa, '--raw', '-e', "set syntax $syntax", '-e', "disassemble $flags", $file);
}
sub bare (@lines) { return map { s{\s*//.*}{}r } @lines }

for my $isa (sort keys %platform) {
    my $random = generator(20260);
    my @base = instructions((corpus($isa, 800))[0]);
    my @words;
    while (@words < 1500) {
        my $word = $base[$random->(scalar @base)];
        for (1 .. 1 + $random->(3)) {
            my $bit = 7 + $random->(8 * length($word) - 7);
            vec($word, $bit, 1) ^= 1 if $bit != 29;
        }
        push @words, $word;
    }
    my $file = write_file("$dir/$isa.bin", join '', @words);
    my @iga = lines($isa, 'iga', '/a', $file);
    my @prm = bare(lines($isa, 'prm', '', $file));
    is(scalar @iga, scalar @words, "$isa: a line an instruction");
    my @todo = grep { $iga[$_] !~ /^\.long|\bL[0-9a-f]{4}|which mean nothing/
        && $prm[$_]
        !~ /^(?:\(\S+ )?(?:if|else|endif|while|break|cont|halt|jmpi|calla?|br[cd]|goto|join|ret|nop|illegal)\b/
    } 0 .. $#iga;
    my %count = map { $_ => 0 } qw(same alike refused changed);
    while (my @piece = splice @todo, 0, 40) {
        my ($insns, $texts) = assemble($platform{$isa}, [@iga[@piece]], '-Xno-ir-checking');
        my @other = grep { defined $texts->[$_] && $insns->[$_] ne $words[$piece[$_]] } 0 .. $#$texts;
        $count{refused} += grep { !defined } @$texts;
        $count{same} += grep { defined $texts->[$_] && $insns->[$_] eq $words[$piece[$_]] } 0 .. $#$texts;
        next if !@other;
        my @again = bare(lines($isa, 'prm', '', write_file("$dir/again.bin", join '', @$insns[@other])));
        for my $i (0 .. $#other) {
            my $n = $piece[$other[$i]];
            $count{$again[$i] eq $prm[$n] ? 'alike' : 'changed'}++;
            diag("$prm[$n] became $again[$i]") if $again[$i] ne $prm[$n] && $count{changed} <= 10;
        }
    }
    is($count{changed}, 0,
        "$isa: $count{same} the same, $count{alike} but for bits that mean nothing, "
        . "$count{refused} refused, none changed");
}
done_testing;
