# SPDX-License-Identifier: GPL-3.0-or-later
#
# gpudbg's assembler against IGA: every line of the corpus that IGA takes gives IGA's bytes, native and compacted, with
# labels; also when it is written in other ways that IGA takes.  What one of the two refuses is listed here with its
# reason.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use Gpudbg;
use OracleGen qw(need_iga corpus instructions assemble write_file read_file);
use OracleRandom qw(generator);

need_iga();
my $dir = tempdir(CLEANUP => 1);
my $sample = $ENV{GPUDBG_SAMPLE} // 1;
my $count = $ENV{GPUDBG_CORPUS} // ($ENV{GPUDBG_NIGHTLY} ? 60000 : int(3000 / $sample));
my %PLATFORM = ('gen7.5' => '7p5', gen8 => '8', gen9 => '9', gen11 => '11', gen12 => '12p1', 'gen12.5' => '12p71');

# A file of text becomes one of bytes; what gpudbg says.
sub file_assembled ($isa, $from, $to, $how = '') {
    unlink $to;
    my @commands = ('set syntax iga', "assemble $how $from $to");
    return scalar qx('${\ Gpudbg::program()}' --batch -n --isa $isa -e '$commands[0]' -e '$commands[1]' 2>&1);
}

# What gpudbg makes of each line: [bytes], or [undef, reason].
sub assembled ($isa, $lines) {
    write_file("$dir/lines", join '', "set syntax iga\n", map { "assemble /i $_\n" } @$lines);
    my @records = grep { /^\{"type":"(?:insn|error)"/ }
        split /\n/, qx('${\ Gpudbg::program()}' --batch -n --isa $isa --json -x '$dir/lines' 2>'$dir/errors');
    die scalar(@records) . ' records for ' . @$lines . " lines\n" if @records != @$lines;
    return map { /"bytes":"([0-9a-f]+)"/ ? [pack('H*', $1)] : [undef, /"message":"(.*?)"[,}]/ ? $1 : $_] } @records;
}

sub compare ($name, $isa, $lines, $bytes) {
    my @got = assembled($isa, $lines);
    my %lost;
    for (grep { !defined $got[$_][0] && $got[$_][1] =~ /IGA forgets/ } 0 .. $#got) {
        $lost{$1}++ if $got[$_][1] =~ /(IGA forgets[^)]*)/;
        $got[$_][0] = $bytes->[$_];
    }
    note("$isa, $name: refused, because $_ ($lost{$_})") for sort keys %lost;
    my @wrong = map { "$lines->[$_]: " . unpack('H*', $bytes->[$_]) . ', not '
            . (defined $got[$_][0] ? unpack('H*', $got[$_][0]) : $got[$_][1]) }
        grep { !defined $got[$_][0] || $got[$_][0] ne $bytes->[$_] } 0 .. $#$lines;
    is(scalar @wrong, 0, "$isa, $name: " . @$lines . ' lines give IGA\'s bytes');
    diag($_) for @wrong > 20 ? @wrong[0 .. 19] : @wrong;
    return;
}

# Other ways to write a line: numbers, blanks, options in another order, regions that go without saying.
my $rnd = generator(0x16 << 32 | 0xa0ddba11);
sub pick (@list) { return $list[$rnd->(scalar @list)] }
sub otherwise ($text) {
    my ($body, $options) = $text =~ /^(.*?)\s*(?:\{(.*)\})?$/;
    $body =~ s/(?<=\s)(0x[0-9A-F]{1,8})(?=\s|$|:[uvq]?[dwbqv])/pick($1, lc $1, hex $1)/ge if $body !~ /^\S*send|:v/;
    $body =~ s/<1;1,0>|<1>(?=:)/pick($&, '')/ge if $body =~ /^\S*mov/ && $body !~ /\./;
    $body =~ s/ (?=\S)/pick(' ', '  ', "\t")/ge;
    $options = join pick(',', ', ', ' , '), reverse split /\s*,\s*/, $options if $options && $options !~ /@/;
    return $body . ($options ? pick(' ', '') . "{$options}" : '') . pick('', ' ', ' // a remark');
}

for my $isa (qw(gen7.5 gen8 gen9 gen11 gen12 gen12.5)) {
    my ($bytes, $texts, $kept) = corpus($isa, $count);
    my @insns = instructions($bytes);
    my @plain = grep { $texts->[$_] !~ /\bB\d+\b/ } 0 .. $#insns;
    compare('as written', $isa, [@$texts[@plain]], [@insns[@plain]]);

    # Lines that are refused because IGA forgets a part of them become nops.
    my ($nop) = instructions((assembled($isa, ['nop']))[0][0]);
    my @all = assembled($isa, [map { s/\bB\d+\b/0/gr } @$texts[0 .. $count - 1]]);
    for my $i (grep { !defined $all[$_][0] && $all[$_][1] =~ /IGA forgets/ } 0 .. $#all) {
        $texts->[$i] = 'nop';
        $insns[$i] = $nop;
    }

    # With labels: pieces of 40 lines, each with its own.
    my ($text, $want, $n) = ('', '', 0);
    for (my $at = 0; $at + 40 <= $count; $at += 40) {
        my @piece = @$texts[$at .. $at + 39];
        s/\bB(\d+)\b/P${n}B$1/g for @piece;
        $text .= "P${n}B$_:\n$piece[$_]\n" for 0 .. 39;
        $want .= join '', @insns[$at .. $at + 39];
        $n++;
    }
    write_file("$dir/labels.asm", $text);
    my $said = file_assembled($isa, "$dir/labels.asm", "$dir/labels.bin");
    like($said, qr/bytes$/, "$isa: a file of $n pieces with labels is assembled");
    my @got = instructions(-f "$dir/labels.bin" ? read_file("$dir/labels.bin") : '');
    my @want = instructions($want);
    my @wrong = grep { ($got[$_] // '') ne $want[$_] } 0 .. $#want;
    is(scalar @wrong, 0, "$isa: its " . @want . ' instructions are IGA\'s');
    diag("$texts->[$_]: " . unpack('H*', $want[$_]) . ', not ' . unpack('H*', $got[$_] // '')) for
        @wrong > 20 ? @wrong[0 .. 19] : @wrong;

    # Written otherwise.
    my @other = map { otherwise($texts->[$_]) } grep { $rnd->(6000) < 2400 / $sample * 6000 / $count } @plain;
    my (@lines, @theirs);
    while (my @piece = splice @other, 0, 40) {
        my ($insns, $taken) = assemble($PLATFORM{$isa}, \@piece, '-Xno-ir-checking');
        for my $i (grep { defined $taken->[$_] } 0 .. $#$taken) {
            push @lines, $piece[$i];
            push @theirs, $insns->[$i];
        }
    }
    cmp_ok(scalar @lines, '>', 1000 / $sample,
        "$isa: " . @lines . ' lines are taken by IGA when they are written otherwise');
    compare('written otherwise', $isa, \@lines, \@theirs);
}
# The shortest forms, with labels that move.  IGA leaves nop and illegal as they are, and math of gen12: it says that
# math has no compacted form there, and so do we.
for my $isa (qw(gen7.5 gen8 gen9 gen11 gen12 gen12.5)) {
    my (undef, $texts) = corpus($isa, $count);
    my ($n, @wrong) = (0);
    for (my $at = 0; $at + 40 <= $count; $at += 40) {
        my @piece = map { /[{,]Compacted|^nop|^illegal/ ? 'nop {NoCompact}' : $_ } @$texts[$at .. $at + 39];
        my ($theirs, $kept) = assemble($PLATFORM{$isa}, \@piece, '-Xno-ir-checking', '-Xautocompact');
        next if !@$theirs || grep { !defined } @$kept;
        write_file("$dir/short.asm", join '', map { "B$_:\n$piece[$_]\n" } 0 .. $#piece);
        my $said = file_assembled($isa, "$dir/short.asm", "$dir/short.bin", '/c');
        my @ours = instructions(-f "$dir/short.bin" ? read_file("$dir/short.bin") : '');
        next if $said =~ /IGA forgets/;
        $n += @piece;
        push @wrong, map { "$piece[$_]: " . unpack('H*', $theirs->[$_]) . ', not ' . unpack('H*', $ours[$_] // '') }
            grep { ($ours[$_] // '') ne $theirs->[$_] } 0 .. $#piece;
    }
    cmp_ok($n, '>=', $count / 15, "$isa: $n instructions in the shortest form");
    is(scalar @wrong, 0, '... are those of IGA');
    diag($_) for @wrong > 20 ? @wrong[0 .. 19] : @wrong;
}

# Parts that IGA reads and its own text lacks: regions and subregisters of messages' registers, which say nothing (but a
# source's subregister before Gen9), and wider rows among three sources of Align16.
{
    my @sends = map { my $d = $_; map { "$d $_" } 'r40:ud', 'r40<0;1,0>:ud', 'r40.2<8;8,1>:ud' } 'r30:w', 'r30<1>:w',
        'r30.1<1>:w', 'null:w';
    my @threes = map { my $r = $_; map { "mad ($_->[0]|M0) r1.0<1>:$_->[1] r2.0<$r;1>:$_->[1] r3.0<2;1>:$_->[1] "
            . "r4.0<1>:$_->[1]" } [8, 'f'], [4, 'df'] } 2, 4, 8;
    my @new = map { my $d = $_; map { "$d $_ null 0x0 0x02106E04" } 'r40', 'r40<8;8,1>', 'r40.2<0;1,0>' } 'r30',
        'r30<1>';
    for my $isa (qw(gen7.5 gen8 gen9 gen11 gen12)) {
        my @lines = $isa eq 'gen12' ? map { "send.dc1 (8|M0) $_" } @new
            : ((map { "send (8|M0) $_ 0xC 0x02106E04" } grep { $isa !~ /gen[78]/ || !/r40\.2/ } @sends),
            $isa eq 'gen11' ? () : @threes);
        my ($insns, $taken) = assemble($PLATFORM{$isa}, \@lines, '-Xno-ir-checking');
        my @good = grep { defined $taken->[$_] } 0 .. $#lines;
        is(scalar @good, scalar @lines, "$isa: IGA takes " . @lines . ' lines with regions that say nothing');
        compare('regions that say nothing', $isa, [@lines[@good]], [@$insns[@good]]);
    }
}

# Messages of the load store cache as instructions of their own: IGA's text of random ones is ours, and is read to the
# bytes of the form with a descriptor.  Not asked: what IGA leaves out because the message cannot use it (caches of
# local memory, VNNI of stores).
{
    my @lines;
    for (1 .. int(3000 / $sample)) {
        my $op = pick(0 .. 0x1a, 0x1c);
        my ($load, $store) = ($op < 4, scalar $op =~ /^(?:4|5|6|7|28)$/);
        my ($block, $quad) = ($op == 3 || $op == 7, $op == 2 || $op == 6);
        my $memory = pick(qw(ugm ugm slm tgm ugml));
        my $atomic = $op >= 8 && $op != 0x1c;
        my $by = $memory eq 'slm' ? 0 : pick(0, 0 .. 3);
        my ($vector, $transposed) = ($atomic ? 0 : pick(0 .. 7), $op < 8 ? pick(0, 0, 0, 1) : 0);
        ($vector, $transposed) = $block ? (0, $transposed) : $quad ? (pick(0 .. 7), 1) : ($vector, $transposed);
        my $address = !$block ? pick(1 .. 3) : $load ? pick(0, 1) : 0;
        my $desc = $op | $address << 7 | pick(0 .. 6) << 9 | $vector << 12 | $transposed << 15
            | ($memory eq 'slm' ? 0 : pick(0, 0 .. ($atomic ? 2 : 7))) << 17 | pick(1 .. 8) << 25 | $by << 29;
        $desc |= pick(0 .. 8) << 20 if !$store;
        my $number = pick(0 .. 255) << ($by == 3 ? 24 : 12);
        my $extended = !$by ? '0x0' : pick('a0.' . 2 * pick(0 .. 3), sprintf '0x%X', $number);
        my $second = $load ? 'null:0' : pick('r' . pick(0 .. 127), 'null') . ':' . pick(0 .. 5);
        $second = 'null:0' if $second =~ /null/;
        push @lines, sprintf '%ssend.%s (%d|M0) %s r%d %s %s 0x%08X {%s$%d}', pick('', '(W) ', '(f0.0) ', '(W&~f1.1) '),
            $memory, pick(1, 8, 16, 32), $store ? 'null' : 'r' . pick(0 .. 127), pick(0 .. 127), $second, $extended,
            $desc, $extended =~ /a0/ ? 'ExBSO,' : '', pick(0 .. 15);
    }
    write_file("$dir/sends.asm", join '', map { "$_\n" } @lines);
    system("iga64 -a -p=12p71 -Xno-ir-checking '$dir/sends.asm' -o '$dir/sends.bin' 2>/dev/null");
    my $bytes = read_file("$dir/sends.bin");
    my @sent = instructions($bytes);
    is(scalar @sent, scalar @lines, scalar(@lines) . ' messages of the load store cache');
    sub plain ($text) {
        return grep { /\S/ && !/^\S+:$/ } map { s{//.*}{}r =~ s/\s+/ /gr =~ s/^ | $//gr } split /\n/, $text;
    }
    my @theirs = plain(scalar qx(iga64 -d -q -p=12p71 -Xprint-ldst '$dir/sends.bin'));
    my @ours = plain(output('--isa', 'gen12.5', '--raw', '-e', 'set syntax iga-ldst', '-e', 'disassemble /a',
        "$dir/sends.bin"));
    my @wrong = map { "$theirs[$_] not " . ($ours[$_] // '') } grep { ($ours[$_] // '') ne $theirs[$_] } 0 .. $#theirs;
    is(scalar @wrong, 0, '... are written as IGA writes them');
    cmp_ok(scalar(grep { !/send/ } @ours), '>', 0.9 * @lines, '... and most have no descriptor');
    compare('load and store', 'gen12.5', \@theirs, \@sent);
    diag($_) for @wrong > 20 ? @wrong[0 .. 19] : @wrong;
}

# What IGA refuses of the corpus, and we take: the word has a place for it, so that a listing of it can be read again.
my @reasons = (
    [qr/GED_Set(?:Dst|Src\d)(?:RegFile|AddrMode)/, 'math, dp2 to dph, line and pln are given no architecture registers,'
        . ' no indirect operands: rules of the hardware, which `check` and the listing name'],
    [qr/GED_Set\w+(?:SubRegNum|DataType)/, 'a type or a subregister that IGA has no template for'],
    [qr/source modifier not supported/, 'signs that the instruction has no use for; the word has their bits'],
    [qr/GED_SetThreadCtrl/, 'thread control of a send, which IGA has on Gen7.5 and Gen9'],
    [qr/targets after kernel end/, 'IGA wants the code that is called in the same file'],
);
for my $isa (qw(gen7.5 gen8 gen9 gen11 gen12 gen12.5)) {
    my %kept = map { $_ => 1 } @{ (corpus($isa, $count))[1] };
    system($^X, '-It/lib', 't/oracle/gen_corpus.pl', $PLATFORM{$isa}, $count, "$dir/lines") == 0 or die "no corpus\n";
    my @refused = map { s/\bB\d+\b/0/gr } grep { !$kept{$_} } split /\n/, read_file("$dir/lines");
    my @ours = assembled($isa, \@refused);
    my @taken = grep { defined $ours[$_][0] } 0 .. $#refused;
    my ($both, %why, @other) = (@refused - @taken);
    for my $i (@taken > 400 ? @taken[0 .. 399] : @taken) {
        write_file("$dir/one.asm", "$refused[$i]\n");
        my $said = qx(iga64 -a -p=$PLATFORM{$isa} -Xno-ir-checking $dir/one.asm -o $dir/one.bin 2>&1);
        my ($reason) = grep { $said =~ $_->[0] } @reasons;
        $reason ? $why{ $reason->[1] }++ : push @other, "$refused[$i]: $said";
    }
    is(scalar @other, 0, "$isa: of " . @refused . " lines that IGA refuses $both are refused here, too, and the reason"
        . ' why others are taken is listed');
    note("$isa: $why{$_} taken: $_") for sort keys %why;
    diag($_) for @other > 20 ? @other[0 .. 19] : @other;
    # What was taken says the same when it is printed.
    write_file("$dir/taken.bin", join '', map { $ours[$_][0] } @taken);
    my $text = output('--isa', $isa, '--raw', '-e', 'set syntax iga', '-e', 'disassemble /a', "$dir/taken.bin");
    write_file("$dir/taken.asm", $text);
    file_assembled($isa, "$dir/taken.asm", "$dir/again.bin");
    ok(read_file("$dir/again.bin") eq read_file("$dir/taken.bin"), '... and their listing gives the bytes back');
}

# What IGA refuses, and we take.
my %taken = (
    'gen7.5' => {
        'jmpi 64' => '20020000001c00340014000030000000',                             # beyond the end of the text
        'math.pow (8|M0) r1.0<1>:f r2.0<8;8,1>:f 0x3:f' => '3800600abd7f202040008d0003000000',  # its tables forbid it
        'dim (8|M0) r1.0<1>:df 0x123456789:df' => '0a006000f90320208967452301000000',           # has no template of it
        'brc (8|M0) 16 16' => '23006000e00100200000000002000200',  # an error inside of IGA
    },
    gen12 => { 'jmpi 64' => '20000080004000000000000040000000' },
);
for my $isa (sort keys %taken) {
    my @lines = sort keys %{ $taken{$isa} };
    my (undef, $theirs) = assemble($PLATFORM{$isa}, [map { s/ 16 16$/ B1 B1/r } @lines], '-Xno-ir-checking');
    my @ours = assembled($isa, \@lines);
    for my $i (0 .. $#lines) {
        is(unpack('H*', $ours[$i][0] // ''), $taken{$isa}{ $lines[$i] }, "$isa: $lines[$i] is taken");
        ok(!defined $theirs->[$i], '... though IGA refuses it') if $lines[$i] !~ /^jmpi/;
    }
}

# Sends as other encoders write them: the region of the payload means nothing, and IGA has no words for it.  With /d it
# takes them, and loses nothing but the bits that are named.
my @sends = map {
    my ($sfid, $payload) = ((4, 5, 10, 12)[$rnd->(4)], $rnd->(32) << 16 | $rnd->(16) << 21);
    pack 'V4', 0x00800031 | $sfid << 24, 0x20000c3d | $rnd->(128) << 21, $rnd->(128) << 5 | $payload,
        0x02000000 | $rnd->(1 << 19);
} 1 .. 60;
write_file("$dir/sends.bin", join '', @sends);
my @said = map { output('--isa', 'gen7.5', '--raw', '-e', 'set syntax iga', '-e', "disassemble $_", "$dir/sends.bin") }
    '/a', '/d';
like($said[0], qr/^\s*\.long/m, 'payloads with a region are data with /a');
unlike($said[1], qr/\.long/, '... and not with /d');
my ($bytes, $complaint) = OracleGen::run_iga('7p5', $said[1]);
ok(defined $bytes, 'IGA takes all of /d') or diag($complaint);
my @texts = split /\n/, $said[1];
my @lost = grep {
    my $differ = unpack('b*', $sends[$_]) ^. unpack 'b*', substr $bytes, 16 * $_, 16;
    for my $run (($texts[$_] =~ m{//# (.*),})[0] ? split / /, ($texts[$_] =~ m{//# (.*),})[0] : ()) {
        my ($hi, $lo) = $run =~ /^(\d+)(?::(\d+))?=/;
        substr($differ, $lo // $hi, $hi - ($lo // $hi) + 1) = "\0" x ($hi - ($lo // $hi) + 1);
    }
    $differ =~ /[^\0]/;
} 0 .. $#sends;
is("@lost", '', 'IGA drops the bits that the remarks name, and no others');
done_testing;
