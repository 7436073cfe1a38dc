#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The position of a field is written once: in formats.def and descriptors.def.  Code says GET(word, MUBUF, vdata).  This
# looks for code that shifts or masks an instruction word or a descriptor by a number.  The number 32 is no field: it
# leads to the second dword of an instruction.
use v5.36;
use FindBin;
use Test::More;

chdir "$FindBin::Bin/../.." or die;

# What code calls the words of an instruction and of a descriptor.
my $word = qr/\b(?:w|word|[a-z]+->word|[a-z]+->w|[a-z]+\.word|[wvts]\[\d\]|le_u32\(insn->raw[^)]*\)
    |word_of\([^)]*\)|[a-z]+->literal|op->imm|simm16)/x;
my $number = qr/(?:\(?\(?u?int\w*\)\s*)?\(?(?:UINT64_C\()?(?:0x[0-9a-f]+|\d+)/;
my @kinds = (
    [qr/$word\)?\s*>>\s*(?!32\b)\d/, 'shifts a word by a number'],
    [qr/$word\s*&\s*(?!0xf{8}\b|~\(\(uint64_t\)1 <<)~?$number/, 'masks a word with a number'],
    [qr/$word\s*\|=\s*$number(?!\w*\s*\?)/, 'sets a bit of a word by its number'],
    [qr/$word\s*\|=[^;]*<<\s*\d/, 'puts a value into a word at a number'],
    [qr/\bbits_of\w*\([^,()]*(?:\([^()]*\))?,\s*\d/, 'asks for bits by their numbers'],
    [qr/\bRANGE\w*\(\s*\d+\s*[,:]/, 'names bits by their numbers'],
);

sub lines ($file) {
    open my $in, '<', $file or die "$file: $!";
    local $/;
    my $text = <$in>;
    $text =~ s{/\*.*?\*/}{ my $c = $&; $c =~ s/[^\n]//g; $c }gse; # comments may name positions
    $text =~ s/"(?:[^"\\]|\\.)*"/""/g;
    return split /\n/, $text;
}

sub found (@lines) {
    my @found;
    for my $i (0 .. $#lines) {
        for my $kind (@kinds) {
            push @found, [$i + 1, $kind->[1], $lines[$i] =~ s/^\s+//r] if $lines[$i] =~ $kind->[0];
        }
    }
    return @found;
}

# What was written so before, and what it looks for.
for my $old ('unsigned code = bits_of(w, 25, 17);', 'if (w >> 13 & 1)', 'op->d = w[1] >> 8 & 0xff;',
    'uint32_t stride = v[1] >> 16 & 0x3fff;', 'a->w |= (uint64_t)target << 4;', '[GCN_SOP1] = RANGE(31, 23),',
    'sdst = word_of(insn) >> 16 & 0x7f;', 'if (d->word & 0x8000)', 'depth = (t[4] & 0x1fff) + 1;') {
    ok(scalar found($old), "is found: $old");
}
for my $good ('GET(w, MUBUF, vdata)', 'a->w |= IN_PLACE(n, EXP, tgt);', 'w & MASK(VOP3, neg)', 'op->mods & 0xff') {
    is_deeply([found($good)], [], "is not: $good");
}

my @files = grep { !m{/(?:files|launch)/} } glob 'decoders/gcn/*.[ch] decoders/gcn/*/*.[ch]';
cmp_ok(scalar @files, '>', 60, 'there are files');
my @bad = map { my $file = $_; map { "$file:$_->[0] $_->[1]: $_->[2]" } found(lines($file)) } @files;
is(join("\n", @bad), '', 'positions of fields are in formats.def and descriptors.def alone');

# A name that the tables have twice would be two positions.
for my $table (qw(formats descriptors)) {
    my (%at, @twice);
    my $layout = '';
    for (lines("decoders/gcn/$table.def")) {
        $layout = $1
            if /^\s*FORMAT(?:_THEN\(.*?\), \w+, .*?\), \w+, |_ON\(.*?\), (?:\w+|".*?"), |\()(\w+)/ && $1 ne 'layout';
        $layout = '' if /^#define/;
        push @twice, "$layout.$1" if $layout && /\bFIELD\((\w+),/ && $at{"$layout.$1"}++;
    }
    is_deeply(\@twice, [], "$table.def has a field once a layout");
}
done_testing;
