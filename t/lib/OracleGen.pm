# SPDX-License-Identifier: GPL-3.0-or-later
#
# Intel's assembler IGA as an oracle for gen7.5 (7p5), gen8 (8), gen9 (9), gen11 (11), gen12 (12p1) and gen12.5
# (12p71).
package OracleGen;
use v5.36;
use Exporter 'import';
use File::Temp qw(tempdir);
use OracleRandom qw(generator);
use Test::More;

our @EXPORT_OK = qw(need_iga assemble corpus instructions reassembly_failures write_file read_file);

my $dir = tempdir(CLEANUP => 1);
my %PLATFORM = ('gen7.5' => '7p5', 'gen8' => '8', 'gen9' => '9', 'gen11' => '11', 'gen12' => '12p1',
    'gen12.5' => '12p71');

# Without IGA there is nothing to compare with: skips, or fails where oracles are required.
sub need_iga () {
    return if `iga64 --help 2>&1` =~ /Graphics Assembler/;
    plan(skip_all => 'no iga64 (package libigc-tools)') if !$ENV{GPUDBG_ORACLE_REQUIRED};
    die "no iga64 (package libigc-tools)\n";
}

sub write_file ($path, $bytes) { open my $f, '>:raw', $path or die "$path: $!\n"; print $f $bytes;
    close $f or die "$path: $!\n"; return $path }
sub read_file ($path) { open my $f, '<:raw', $path or die "$path: $!\n"; local $/; return <$f> // '' }

# One run of the assembler: (bytes, numbers of the lines it refuses).
sub run_iga ($platform, $text, @options) {
    my ($asm, $bin) = ("$dir/t.asm", "$dir/t.bin");
    write_file($asm, $text);
    unlink $bin;
    my $said = `iga64 -a -p=$platform @options $asm -o $bin 2>&1`;
    my @lines = $said =~ /line (\d+)\.\d+: error/g;
    my $ok = $? == 0 && -f $bin && !@lines;
    # Where it only gives an offset, or nothing.
    return ($ok ? read_file($bin) : undef, $said, map { $_ - 1 } @lines);
}

# Bytes of instructions: compacted ones have bit 29.
sub instructions ($bytes) {
    my @out;
    for (my $at = 0; $at + 8 <= length $bytes;) {
        my $size = ord(substr $bytes, $at + 3, 1) & 0x20 ? 8 : 16;
        last if $at + $size > length $bytes;
        push @out, substr $bytes, $at, $size;
        $at += $size;
    }
    return @out;
}

# Assembles up to 40 lines with labels B0.. before them; what is refused becomes a nop.  Returns (bytes, texts kept).
sub assemble ($platform, $lines, @options) {
    my @lines = @$lines;
    my %bad;
    for (1 .. 2 + @lines) {
        my @text = map { "B$_:\n" . ($bad{$_} ? 'nop' : $lines[$_]) } 0 .. $#lines;
        my ($bytes, $said, @refused) = run_iga($platform, join("\n", @text, map { "B$_:\nnop" } @lines .. 39) . "\n",
            @options);
        if (defined $bytes) {
            my @insns = instructions($bytes);
            return ([@insns[0 .. $#lines]], [map { $bad{$_} ? undef : $lines[$_] } 0 .. $#lines]);
        }
        @refused = grep { $_ >= 0 && $_ < @lines && !$bad{$_} } map { int($_ / 2) } @refused;
        # No line named: leave out half by half.
        if (!@refused) {
            @refused = grep { my $n = $_; !$bad{$n}
                && !defined((run_iga($platform, join("\n", map { "B$_:\n" . ($_ == $n ? $lines[$_] : 'nop') } 0 .. 39)
                . "\n", @options))[0]) } 0 .. $#lines;
        }
        return ([], []) if !@refused;
        $bad{$_} = 1 for @refused;
    }
    return ([], []);
}

# Random compacted words that IGA can read and write: the rows of all tables meet here.
sub compacted ($isa, $count, $seed) {
    my $platform = $PLATFORM{$isa};
    my $g12 = $isa =~ /^gen12/;
    my $g125 = $isa eq 'gen12.5';
    my $random = generator($seed ^ ($g125 ? 0xc0de125 : $g12 ? 0xc0de12 : $isa =~ /^gen(8|9|11)$/ ? 0xc0de0 + $1
        : 0xc0de75));
    my @ops = $g12 ? (0x61, 0x62, 0x64 .. 0x6f, 0x70, 0x71, 0x72, 0x40, 0x41, 0x43, 0x48, 0x49, 0x4e, 0x58, 0x5b, 0x78,
        0x7a, 0x77, 0x01, $g125 ? (0x52, 0x59, 0x5a) : ())
                   : (1, 2, 4 .. 9, 0x0c, 0x10, 0x11, 0x17, 0x38, 0x40 .. 0x4f, 0x54 .. 0x57, 0x59, 0x5a, 0x31, 0x22,
                   0x25);
    my $arf = sub { my $r = $random->(3); $r == 0 ? 0 : $r == 1 ? (0, 0x10, 0x20, 0x21, 0x30, 0x31)[$random->(6)]
        : $random->(128) };
    my @kept;
    while (@kept < $count) {
        my @words;
        for (1 .. 400) {
            my $op = $ops[$random->(scalar @ops)];
            my ($lo, $hi);
            if ($g12) {
                my @swsb = (0, 0, 1 .. 7, 0x20 .. 0x3f,
                    $g125 ? (9 .. 15, 0x11 .. 0x17, 0x19 .. 0x1f, 0x51 .. 0x57) : ());
                $lo = $op | $swsb[$random->(scalar @swsb)] << 8 | $arf->() << 16 | $random->(
                    32) << 24 & 0x1f000000 | 1 << 29 | $random->(4) << 30;
                $hi = $random->(256) | $arf->() << 8 | ($random->(2) ? $arf->() << 16
                    : $random->(256) << 16) | $arf->() << 24;
            } else {
                my $cond = (0, 0, 0, 1 .. 6, 8, 9)[$random->(11)];
                $lo = $op | $random->(65536) << 8 & 0x7fff00 | $random->(2) << 23 | $cond << 24 | 1 << 29 | $random->(
                    4) << 30;
                $hi = $random->(256) | $arf->() << 8 | $arf->() << 16 | $arf->() << 24;
            }
            push @words, pack 'VV', $lo, $hi;
        }
        write_file("$dir/words.bin", join '', @words);
        my $said = `iga64 -d -p=$platform $dir/words.bin -o $dir/words.asm 2>&1`;
        my %bad = map { hex($_) / 8 => 1 } $said =~ /byte offset 0x([0-9a-fA-F]+): error/g;
        @words = @words[grep { !$bad{$_} } 0 .. $#words];
        while (my @piece = splice @words, 0, 40) {
            write_file("$dir/words.bin", join '', @piece);
            my @lines = split /\n/, `iga64 -d -n -p=$platform $dir/words.bin 2>/dev/null`;
            s{//.*}{} for @lines;
            @lines = grep { /\S/ } @lines;
            next if @lines != @piece || grep { /\b(?:if|endif|jmpi)\b/ } @lines;
            # No legal words: the enable bits of Align16 as the number of a register, an accumulator as a message's.
            @lines = grep { !/\bm(?:me|sg)\d/ } @lines;
            my ($insns, $texts) = assemble($platform, \@lines, '-Xno-ir-checking');
            push @kept, map { [$insns->[$_], $texts->[$_]] } grep { defined $texts->[$_] && length $insns->[$_]
                == 8 } 0 .. $#$texts;
        }
    }
    return @kept;
}

# The corpus of a seed: (bytes, texts, how many instructions besides nops), native and compacted.
sub corpus ($isa, $count, $seed = 0) {
    my $platform = $PLATFORM{$isa};
    system($^X, '-It/lib', 't/oracle/gen_corpus.pl', $platform, $count, "$dir/$platform.asm", $seed) == 0
        or die "no corpus\n";
    my @lines = split /\n/, read_file("$dir/$platform.asm");
    my ($bytes, $kept) = ('', 0);
    my @texts;
    while (my @piece = splice @lines, 0, 40) {
        my ($insns, $texts) = assemble($platform, \@piece, '-Xno-ir-checking');
        next if !@$insns;
        my @good = grep { defined $texts->[$_] } 0 .. $#$texts;
        $bytes .= join '', @$insns;
        push @texts, map { $_ // 'nop' } @$texts;
        $kept += @good;
    }
    for my $word (compacted($isa, int($count / 4), $seed)) {
        $bytes .= $word->[0];
        push @texts, $word->[1];
    }
    return ($bytes, \@texts, $kept);
}

# Gives text back to the assembler, piece by piece, and compares: lists [number, bytes wanted, bytes got, text].
sub reassembly_failures ($isa, $text, $bytes) {
    my $platform = $PLATFORM{$isa};
    my @want = instructions($bytes);
    my (@body, @labels);
    for my $line (split /\n/, $text) {
        if ($line =~ /^(\S+):$/) { push @labels, $1; next }
        next if $line =~ m{^\s*(?://(?!# \.long .*UNKNOWN).*)?$};    # words that are no instruction are remarks
        push @body, [join('', map { "$_:\n" } @labels), $line];
        @labels = ();
    }
    my $whole = join('', map { $_->[0] . $_->[1] . "\n" } @body) . join('', map { "$_:\n" } @labels);
    my ($got, @failures) = (undef);
    my %bad = map { $_ => 1 } grep { $body[$_][1] =~ m{^\s*(?://|\.long)} } 0 .. $#body;
    push @failures, [-1, '', '', scalar(@body) . ' lines for ' . @want . ' instructions'] if @body != @want;
    for (1 .. 200) {
        my $n = 0;
        my @at;    # line number -> instruction
        my $text = '';
        for my $i (0 .. $#body) {
            my $line = $bad{$i} ? (length $want[$i] // '') == 8 ? $isa =~ /^gen12/ ? 'sync.nop null {Compacted}'
                : 'mov (8|M0) r1.0<1>:f r1.0<8;8,1>:f {Compacted}' : 'nop' : $body[$i][1];
            $n += $body[$i][0] =~ tr/\n//;
            $at[$n++] = $i;
            $text .= "$body[$i][0]$line\n";
        }
        $text .= join '', map { "$_:\n" } @labels;
        my ($out, $said, @refused) = run_iga($platform, $text, '-Xno-ir-checking');
        if (defined $out) { $got = $out; last }
        @refused = grep { defined $_ && !$bad{$_} } map { $at[$_] } @refused;
        if (!@refused) { push @failures, [-1, '', '', "iga64: $said"]; last }
        $bad{$_} = 1 for @refused;
    }
    my @got = instructions($got // '');
    for my $i (0 .. $#want) {
        push @failures, [$i, unpack('H*', $want[$i]), $bad{$i} ? 'refused' : unpack('H*', $got[$i] // ''),
            $body[$i] ? $body[$i][1] : ''] if $bad{$i} || ($got[$i] // '') ne $want[$i];
    }
    return @failures;
}

1;
