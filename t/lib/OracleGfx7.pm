# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the gfx7 oracle tests share: the assembler that is the oracle, and just enough of the encoding to cut a stream
# of bytes into instructions and to name them.  Written from the manual's chapter 4 and kept apart from gpudbg's tables.
package OracleGfx7;
use v5.36;
use Exporter 'import';
use Fcntl qw(:flock);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir tempfile);

our @EXPORT_OK = qw(need_assembler corpus assemble_lines assemble_code elf_text known_mnemonics
    word_format word_opcode insn_length split_code opcode_table listing_items listing_failures use_chip chip_cpu
    chips);

our $ASSEMBLER = $ENV{LLVM_MC} // 'llvm-mc-19';
# The chips, and what LLVM calls one of each.  All that follows asks about one of them: gfx7 until use_chip says
# another.
my %CPU = (gfx7 => 'bonaire', gfx6 => 'gfx600');
my $chip = 'gfx7';
sub use_chip ($name) { $CPU{$name} or die "$name: no chip of this oracle\n"; $chip = $name; return }
sub chip_cpu () { return $CPU{$chip} }
sub chips () { return qw(gfx7 gfx6) }

# Ends the test where the assembler is missing: skipped, or failed where an oracle is required.
sub need_assembler () {
    my $text = qx('$ASSEMBLER' --version 2>/dev/null) // '';
    return if $text =~ /LLVM version 19/;
    die "$ASSEMBLER: no LLVM 19 assembler\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    print "1..0 # SKIP no $ASSEMBLER (LLVM 19)\n";
    exit 0;
}

# The corpus of gfx7_corpus.pl for the chip, made when it is older than its maker: (path of the bytes, [[bytes, text],
# ...]).
sub corpus () {
    my $tests = dirname(__FILE__) . '/..';
    my $dir = ($ENV{BUILD} // 'build') . '/t/oracle';
    make_path($dir);
    my ($bin, $index) = ("$dir/$chip.bin", "$dir/$chip.txt");
    open my $lock, '>', "$dir/$chip.lock" or die "$dir/$chip.lock: $!\n";
    flock $lock, LOCK_EX or die "$dir/$chip.lock: $!\n";
    my @makers = (map {
        "$tests/$_" } qw(oracle/gfx7_corpus.pl oracle/gfx7_opcodes.tsv lib/OracleGfx7.pm lib/OracleRandom.pm));
    if (!-s $index || grep { -M $_ < -M $index } @makers) {
        system($^X, $makers[0], $bin, "$index.new", $chip) == 0 or die "$makers[0] failed\n";
        rename "$index.new", $index or die "$index: $!\n";
    }
    open my $in, '<', $index or die "$index: $!\n";
    my @insns;
    while (<$in>) { chomp; my ($hex, $text) = split /\t/; push @insns, [pack('H*', $hex), $text] }
    return ($bin, \@insns);
}

# Runs the assembler over lines; returns (stdout, stderr).
sub run_assembler ($lines, @options) {
    my ($in, $path) = tempfile(UNLINK => 1);
    print $in map { "$_\n" } @$lines;
    close $in;
    my (undef, $errors) = tempfile(UNLINK => 1);
    my $out = qx('$ASSEMBLER' -arch=amdgcn -mcpu=$CPU{$chip} @options '$path' 2>'$errors');
    open my $err, '<', $errors or die "$errors: $!\n";
    local $/;
    my $messages = <$err> // '';
    unlink $path, $errors;
    return ($out, $messages);
}

# Assembles lines, each by itself one instruction.  Returns a list of the same length: the bytes, or undef where
# the assembler refuses; with $why, a reference to a list that receives the assembler's reasons.
sub assemble_lines ($lines, $why = undef) {
    my @bytes = (undef) x @$lines;
    my @live = (0 .. $#$lines);
    my ($out, $messages) = run_assembler($lines, '-show-encoding');
    my %refused;
    while ($messages =~ /:(\d+):\d+: error: ([^\n]*)/g) { $refused{$1 - 1} //= $2 }
    if ($why) { $why->[$_] = $refused{$_} for keys %refused }
    @live = grep { !exists $refused{$_} } @live;
    my @got = $out =~ /; encoding: \[([^\]]*)\]/g;
    die scalar(@live) . " lines taken, " . scalar(@got) . " encodings given\n" if @got != @live;
    for my $i (@live) {
        my $text = shift @got;
        $bytes[$i] = pack 'C*', map { hex } split /,/, $text if $text !~ /[A-Z']/;
    }
    return \@bytes;
}

# Those of the names that are mnemonics of this target.
sub known_mnemonics ($names) {
    my @known;
    my ($out, $messages) = run_assembler([map { "$_ " } @$names]);
    my %refused;
    while ($messages =~ /:(\d+):\d+: error: ([^\n]*)/g) { $refused{$1 - 1} //= $2 }
    for my $i (0 .. $#$names) {
        push @known, $names->[$i] if ($refused{$i} // '') !~ /^invalid instruction|not supported/;
    }
    return \@known;
}

# The encoding that the first word of $bytes belongs to, as the manual names it; '' for none.
sub word_format ($bytes) {
    my $w = unpack 'V', $bytes;
    if (!($w >> 31)) { my $t = $w >> 25; return $t == 0x3e ? 'VOPC' : $t == 0x3f ? 'VOP1' : 'VOP2' }
    if ($w >> 30 == 2) {
        my $t = $w >> 23;
        return $t == 0x17d ? 'SOP1' : $t == 0x17e ? 'SOPC' : $t == 0x17f ? 'SOPP' : $w >> 28 == 0xb ? 'SOPK' : 'SOP2';
    }
    return 'SMRD' if $w >> 27 == 0x18;
    return {0x32 => 'VINTRP', 0x34 => 'VOP3', 0x36 => 'DS', 0x37 => 'FLAT', 0x38 => 'MUBUF', 0x3a => 'MTBUF',
        0x3c => 'MIMG', 0x3e => 'EXP'}->{$w >> 26} // '';
}

my %OPCODE = (VOP2 => [25, 63], VOPC => [17, 255], VOP1 => [9, 255], SOP2 => [23, 127], SOPK => [23, 31],
    SOP1 => [8, 255], SOPC => [16, 127], SOPP => [16, 127], SMRD => [22, 31], VINTRP => [16, 3], VOP3 => [17, 511],
    DS => [18, 255], FLAT => [18, 127], MUBUF => [18, 127], MTBUF => [16, 7], MIMG => [18, 127], EXP => [0, 0]);

sub word_opcode ($bytes) {
    my ($shift, $mask) = @{$OPCODE{word_format($bytes)} // [0, 0]};
    return unpack('V', $bytes) >> $shift & $mask;
}

# Bytes of the instruction that starts at $offset.  Scalar loads of gfx6 have no literal.
sub insn_length ($code, $offset = 0) {
    my $first = substr $code, $offset, 4;
    my $w = unpack 'V', $first;
    my $format = word_format($first);
    return 8 if $format =~ /^(?:VOP3|DS|FLAT|MUBUF|MTBUF|MIMG|EXP)$/;
    return ($w >> 25 & 63) =~ /^3[23]$/ || ($w & 511) == 255 ? 8 : 4 if $format eq 'VOP2';
    return ($w & 511) == 255 ? 8 : 4 if $format =~ /^VOP[1C]$/;
    return ($w & 255) == 255 || ($w >> 8 & 255) == 255 ? 8 : 4 if $format =~ /^SOP[2C]$/;
    return ($w & 255) == 255 ? 8 : 4 if $format eq 'SOP1';
    return ($w >> 23 & 31) == 21 ? 8 : 4 if $format eq 'SOPK';
    return $chip ne 'gfx6' && !($w >> 8 & 1) && ($w & 255) == 255 ? 8 : 4 if $format eq 'SMRD';
    return 4;
}

# The instructions of a stream of code, in order.
sub split_code ($code) {
    my ($offset, @insns) = (0);
    while ($offset < length $code) {
        my $n = insn_length($code, $offset);
        push @insns, substr $code, $offset, $n;
        $offset += $n;
    }
    return \@insns;
}

# The contents of section .text of a 64-bit little-endian ELF file.
sub elf_text ($path) {
    open my $in, '<:raw', $path or die "$path: $!\n";
    local $/;
    my $elf = <$in>;
    my $table = unpack 'Q<', substr $elf, 0x28, 8;
    my ($size, $count, $names) = unpack 'v3', substr $elf, 0x3a, 6;
    my @sections = map { [unpack 'V V Q< Q< Q< Q<', substr $elf, $table + $_ * $size, 40] } 0 .. $count - 1;
    for my $section (@sections) {
        my $name = unpack 'Z*', substr $elf, $sections[$names][4] + $section->[0], 64;
        return substr $elf, $section->[4], $section->[5] if $name eq '.text';
    }
    die "$path: no .text\n";
}

# Assembles a whole listing; returns (bytes of .text or undef, { line from 0 => the assembler's reason }).
sub assemble_code ($lines) {
    my $object = tempdir(CLEANUP => 1) . '/text.o';
    my (undef, $messages) = run_assembler($lines, '-filetype=obj', '-o', $object);
    my %refused;
    while ($messages =~ /:(\d+):\d+: error: ([^\n]*)/g) { $refused{$1 - 1} //= $2 }
    return (%refused || !-s $object ? undef : elf_text($object), \%refused);
}

# The lines of an assembler listing that stand for bytes: [line from 0, text, bytes of data or undef for an
# instruction].
sub listing_items ($lines) {
    my @items;
    for my $i (0 .. $#$lines) {
        my $text = $lines->[$i] =~ s{/\*.*?\*/}{}gr =~ s{(?://|;).*}{}r =~ s/^\s+|\s+$//gr;
        next if $text eq '' || $text =~ /^[\w.\$]+:$/;
        if ($text =~ /^\.(long|byte)\s+(.*)$/) {
            my ($unit, $values) = ($1 eq 'long' ? 'V' : 'C', $2);
            push @items, [$i, $text, join '', map { pack $unit, /^0/ ? oct : $_ } split /\s*,\s*/, $values];
        } elsif ($text !~ /^\./) {
            push @items, [$i, $text, undef];
        }
    }
    return \@items;
}

# Assembles a listing of $code back and compares: a list of [offset, bytes, line of the listing, what is wrong],
# empty where all is right.  Data in the listing is wrong unless $data_is_right.
sub listing_failures ($listing, $code, $data_is_right = 0) {
    my @lines = split /\n/, $listing;
    my $items = listing_items(\@lines);
    my ($offset, @failures, %at) = (0);
    for my $item (@$items) {
        my ($line, $text, $data) = @$item;
        return [$offset, '', $text, 'more lines than code'], @failures if $offset >= length $code;
        my $bytes = substr $code, $offset, defined $data ? length $data : insn_length($code, $offset);
        $at{$line} = [$offset, $bytes, $text];
        push @failures, [$offset, $bytes, $text, 'shown as data'] if defined $data && !$data_is_right;
        $offset += length $bytes;
    }
    push @failures, [$offset, '', '', 'the listing ends here, ' . (length($code) - $offset) . ' bytes early']
        if $offset < length $code;

    # What the assembler refuses is named and replaced by its bytes, until it takes the rest.
    my $back;
    for (1 .. 5) {
        ($back, my $refused) = assemble_code(\@lines);
        last if !%$refused;
        for my $line (sort { $a <=> $b } keys %$refused) {
            my $where = $at{$line} // [0, '', $lines[$line]];
            push @failures, [@$where, $refused->{$line}];
            $lines[$line] = '.byte ' . join ', ', unpack 'C*', $where->[1];
        }
    }
    return @failures if defined $back && $back eq $code;
    return [0, '', '', 'the assembler gives nothing'], @failures if !defined $back;

    # Not the same: instruction by instruction, labels replaced by the numbers they stand for.
    my (%label, @single);
    my $next = 0;
    for my $i (0 .. $#lines) {
        if ($lines[$i] =~ /^\s*([\w.\$]+):/) { $label{$1} = $next }
        $next = $at{$i}[0] + length $at{$i}[1] if $at{$i};
    }
    for my $line (sort { $a <=> $b } keys %at) {
        my ($offset, $bytes, $text) = $at{$line}->@*;
        $text =~ s{\b([\w.\$]+)$}{exists $label{$1} ? ($label{$1} - $offset - 4) / 4 & 0xffff : $1}e if $text
            =~ /^s_c?branch/;
        push @single, [$line, $text];
    }
    my $each = assemble_lines([map { $lines[$_->[0]] =~ /^\s*\.(?:byte|long)/ ? 's_nop 0' : $_->[1] } @single]);
    for my $i (0 .. $#single) {
        my ($line, $text) = $single[$i]->@*;
        my ($offset, $bytes) = $at{$line}->@*;
        next if $lines[$line] =~ /^\s*\.(?:byte|long)/;
        push @failures, [$offset, $bytes, $text, 'assembles to ' . unpack 'H*', $each->[$i] // '']
            if ($each->[$i] // '') ne $bytes;
    }
    return @failures ? @failures : [0, '', '', 'differs as a whole, though each line agrees'];
}

# Rows of gfx7_opcodes.tsv that the chip has: { format, number, name, source, forms => ["e64:v1 V1", ...], modifiers =>
# { neg0 => 1 }, only => 'gfx7', where one chip alone has it }.  With 'all' those of every chip.
sub opcode_table ($path, $of = $chip) {
    open my $in, '<', $path or die "$path: $!\n";
    my @rows;
    local $_;
    while (<$in>) {
        next if /^#/;
        chomp;
        my ($format, $number, $name, $source, $forms, $modifiers, $only) = split /\t/;
        next if $only && $of ne 'all' && $only ne $of;
        push @rows, {format => $format, number => $number, name => $name, source => $source, only => $only // '',
            forms => [split / \| /, $forms // ''], modifiers => {map { $_ => 1 } split ' ', $modifiers // ''}};
    }
    return \@rows;
}

1;
