# SPDX-License-Identifier: GPL-3.0-or-later
#
# gpudbg's assembler against LLVM's, for every instruction of the corpora of gfx7 and gfx6: text as a user writes it,
# text as llvm-mc prints it, and text written in other ways that llvm-mc takes (other numbers, blanks, spellings of
# registers and signs).  The bytes are the same.  What one of the two refuses is counted by the reason, and the reasons
# are listed here.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use Gpudbg;
use OracleGfx7 qw(need_assembler chips corpus assemble_lines chip_cpu use_chip);
use OracleRandom qw(generator);

need_assembler();
my $chip = 'gfx7';
my $dir = tempdir(CLEANUP => 1);

# What gpudbg makes of each line: bytes, or the reason.
sub assembled ($lines) {
    open my $script, '>', "$dir/lines" or die "$dir/lines: $!\n";
    print $script map { "assemble /i $_\n" } @$lines;
    close $script;
    my @records = grep { /^\{"type":"(?:insn|error)"/ } split /\n/,
        output_of('--isa', $chip, '--json', '-x', "$dir/lines");
    die scalar(@records) . ' records for ' . @$lines . " lines\n" if @records != @$lines;
    return map { /"bytes":"([0-9a-f]+)"/ ? [pack('H*', $1)] : [undef, /"message":"(.*?)"[,}]/ ? $1 : $_] } @records;
}
sub output_of (@args) { return qx('${\ Gpudbg::program()}' --batch -n @args 2>'$dir/errors') }

sub compare ($name, $lines, $bytes, %may_refuse) {
    my @got = assembled($lines);
    my (@wrong, %refused);
    for my $i (0 .. $#$lines) {
        next if defined $got[$i][0] && $got[$i][0] eq $bytes->[$i];
        my ($known) = defined $got[$i][0] ? () : grep { $got[$i][1] =~ $may_refuse{$_} } sort keys %may_refuse;
        if ($known) { $refused{$known}++; next }
        push @wrong, "$lines->[$i]: " . unpack('H*', $bytes->[$i]) . ', not '
            . (defined $got[$i][0] ? unpack('H*', $got[$i][0]) : $got[$i][1]);
    }
    is(scalar @wrong, 0, "$chip $name: " . @$lines . ' lines give LLVM\'s bytes');
    diag($_) for @wrong > 20 ? @wrong[0 .. 19] : @wrong;
    note("$chip $name: refused, though LLVM takes it: $_ ($refused{$_})") for sort keys %refused;
    return;
}

# v_div_scale's register of flags has the bits that abs and clamp have elsewhere: LLVM makes another register of it.
my @mixes = ('its flags in another register' =>
    qr/the instruction has no absolute values|modifier is expected here: v_div_scale/);

# In other ways.
my $rnd = generator(0x5eed1e55);
sub pick (@list) { return $list[$rnd->(scalar @list)] }
sub number ($n) {
    return pick($n, sprintf('0x%x', $n), sprintf('0x%X', $n), $n < 2 ? $n : '0b' . sprintf('%b', $n), "($n)", "$n+0",
        "1*$n", $n ? sprintf('0%o', $n) : 0);
}
sub otherwise ($text) {
    my ($name, $rest) = $text =~ /^(\S+)\s*(.*)$/;
    $rest =~ s/(?<![\w.\[:"])(\d+)(?![\w.:\]"])/$rnd->(3) ? $1 : number($1)/ge;                  # whole numbers
    $rest =~ s/(?<![\w.])([vs])\[(\d+):(\d+)\]/$rnd->(4) || $3 - $2 > 7 ? "$1\[$2:$3]"
        : '[' . join(',', map { "$1$_" } $2 .. $3) . ']'/ge;
    $rest =~ s/(?<![\w.])([vs])(\d+)\b(?!\.)/$rnd->(5) ? "$1$2" : pick("$1\[$2]", "$1\[$2:$2]", "[$1$2]")/ge;
    $rest =~ s/-\|([^|]+)\|/pick("-|$1|", "-abs($1)", "neg(|$1|)", "neg(abs($1))")/ge;
    $rest =~ s/(?<![-\w(])\|([^|]+)\|/pick("|$1|", "abs($1)")/ge;
    $rest =~ s/(?<![\w)\]|])-(?=[vs]\d)([vs]\d+)/pick("-$1", "neg($1)")/ge;
    $rest =~ s/\bsrc_(vccz|execz|scc|lds_direct)/pick("src_$1", $1)/ge;
    $rest =~ s/, /pick(', ', ',', ' , ', ",\t")/ge;
    $name =~ s/_e(?:32|64)$// if $rnd->(4) == 0;
    return $name . pick(' ', '  ', "\t") . $rest . pick('', ' ', ' // a remark', ' ; another');
}

for my $one (chips()) {
    use_chip($chip = $one);
    my (undef, $insns) = corpus();
    @$insns = sampled(@$insns);
    my @texts = map { $_->[1] } @$insns;
    my @bytes = map { $_->[0] } @$insns;
    compare('as written', \@texts, \@bytes, @mixes);

    # As llvm-mc prints it.
    {
        open my $in, '>', "$dir/in.s" or die;
        print $in map { "$_\n" } @texts;
        close $in;
        my @printed = map { /^\t(.*?)\s*; encoding: \[/ ? $1 =~ s/^\s+|\s+$//gr =~ s/\t/ /r : () }
            qx('$OracleGfx7::ASSEMBLER' -arch=amdgcn -mcpu=${\ chip_cpu()} -show-encoding '$dir/in.s' 2>/dev/null);
        is(scalar @printed, scalar @texts, 'llvm-mc prints every line');
        my $read = assemble_lines(\@printed);    # some swizzles are printed with another meaning
        my $same = grep { defined $read->[$_] && $read->[$_] eq $bytes[$_] } 0 .. $#printed;
        cmp_ok($same, '>', 0.97 * @printed, "llvm-mc reads $same of them as it printed them");
        # Of the 1.0 that it prints as a literal of s_setreg_imm32_b32 it reads the low half of the double, 0.
        my @read = grep { defined $read->[$_] && $printed[$_] !~ /^s_setreg_imm32_b32 .*, 1\.0$/ } 0 .. $#printed;
        compare('as llvm-mc prints it', [@printed[@read]], [@$read[@read]], @mixes);
    }
    my @other = map { otherwise($_) } @texts;
    my $why = [];
    my $theirs = assemble_lines(\@other, $why);
    my @taken = grep { defined $theirs->[$_] } 0 .. $#other;
    cmp_ok(scalar @taken, '>', 0.8 * @other, scalar(@taken)
        . ' lines are taken by llvm-mc when they are written otherwise');
    compare('written otherwise', [map { $other[$_] } @taken], [map { $theirs->[$_] } @taken], @mixes);
}
use_chip($chip = 'gfx7');

# What LLVM takes and loses something of, and we refuse.
my %refused = (
    's_nop 0x10000' => qr/65535/,                                  # the upper bits are dropped
    'v_cvt_f32_f64 v0, 0.1' => qr/low 32 bits/,                    # half of the number is dropped
    'exp mrt0 v0, v2, v1, v3 compr' => qr/twice/,                  # two registers are dropped
);
my @refused = sort keys %refused;
my @answers = assembled(\@refused);
like($answers[$_][1] // '', $refused{$refused[$_]}, "$refused[$_] is refused: LLVM loses a part of it")
    for 0 .. $#refused;
# What LLVM refuses, and we take.
my %taken = (
    'v_add_f32 v0, v1, v2 mul:2 clamp' => '000806d201050208',      # modifiers in any order
    'buffer_load_dword v0, off, s[0:3], 0 glc offset:4' => '044030e000000080',
    's_mov_fed_b32 s0, s1' => '013580be',                          # the manual has it
);
my @taken_lines = sort keys %taken;
@answers = assembled(\@taken_lines);
is(unpack('H*', $answers[$_][0] // ''), $taken{$taken_lines[$_]}, "$taken_lines[$_] is taken, though LLVM refuses it")
    for 0 .. $#taken_lines;
done_testing;
