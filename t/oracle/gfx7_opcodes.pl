#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes gfx7_opcodes.tsv, the list of opcodes the gfx7 oracle tests stand on, from two sources that are not gpudbg:
# the manual's own text (chapter 4, "SQ_UC" word layouts) and the assembler.
#
#   perl t/oracle/gfx7_opcodes.pl MANUAL.txt >t/oracle/gfx7_opcodes.tsv
#   perl t/oracle/gfx7_opcodes.pl t/oracle/gfx7_opcodes.tsv >TABLE    the last column alone, of a table that is there
#
# The last column says which chip alone has a row: the assembler is asked for one line of every form with -mcpu=gfx600,
# too, and for names that only gfx600 knows.
#
# The assembler has no listing of its mnemonics, so every word in its library that looks like one is tried, and for
# each that it knows, every shape of operand list, until the shapes it takes are known.  Encoding and number are then
# read from the bytes it makes.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use OracleGfx7 qw(assemble_lines word_format word_opcode opcode_table use_chip);

# Names the scan of the manual damaged; everything else is taken as it stands, blanks read as underscores.
my %MEND = (
    'VOP2 2' => 'v_writelane_b32', 'SOP1 24' => 's_flbit_i32_i64',
    'FLAT 13' => 'flat_load_dwordx2', 'FLAT 14' => 'flat_load_dwordx4', 'FLAT 15' => 'flat_load_dwordx3',
    'FLAT 29' => 'flat_store_dwordx2', 'FLAT 30' => 'flat_store_dwordx4', 'FLAT 31' => 'flat_store_dwordx3',
    'FLAT 24' => 'flat_store_byte',
);

# The opcodes of the manual: { "VOP2 3" => "v_add_f32" }.
sub manual_opcodes ($path) {
    open my $in, '<:utf8', $path or die "$path: $!\n";
    my (%op, $word, $in_op);
    while (my $line = <$in>) {
        if ($line =~ /^SQ[_ ]UC:SQ_(\w+?)(?:_0)? .*R\/W/) { $word = $1; $in_op = 0 }
        next if !defined $word || $word =~ /_1$|SDST_ENC/;
        $in_op = $1 eq 'OP' if $line =~ /^([A-Z][A-Z0-9_]*)\t\d+/;
        $in_op = 0 if $line =~ /^SQ[_ ]UC:(?!SQ_$word)/;
        next unless $in_op;
        $line =~ s{</?(?:p|u|ul|li|pre)\b[^>]*>}{ }g;
        while ($line =~ /\b(\d{2,3}) - SQ_([^\s:]+(?: [A-Z0-9_]+)?)\s*:/g) {
            my ($number, $name) = ($1 + 0, lc $2);
            next if $name =~ /offset$/;
            $name =~ tr/ /_/;
            my $key = "$word $number";
            $op{$key} //= $MEND{$key} // $name;
        }
    }
    $op{'EXP 0'} = 'exp';
    return \%op;
}

# Every word of the assembler's library that could be a mnemonic of this family.
sub candidate_names {
    my ($library) = glob '/usr/lib/*/libLLVM.so.19* /usr/lib/*/libLLVM-19.so* /usr/lib/llvm-19/lib/libLLVM.so*';
    open my $in, '<:raw', $library or die "libLLVM: $!\n";
    local $/;
    my %seen = (exp => 1);
    my $all = <$in>;
    $seen{$1} = 1 while $all =~ /((?:s|v|ds|buffer|tbuffer|image|flat)_[a-z0-9_]{2,40})/g;
    return sort keys %seen;
}

# { line => bytes } of the lines the assembler takes.
sub accepted (@lines) {
    my %bytes;
    while (my @part = splice @lines, 0, 20000) {
        my $got = assemble_lines(\@part);
        for my $i (0 .. $#part) { $bytes{$part[$i]} = $got->[$i] if defined $got->[$i] }
    }
    return \%bytes;
}

# All ways to take one of each list.
sub combine (@lists) {
    my @out = ([]);
    for my $list (@lists) { @out = map { my $head = $_; map { [@$head, $_] } @$list } @out }
    return @out;
}

# Operand shapes: how a shape is written in the table, and an example of it.
my %SHAPE = (
    v1 => 'v9', v2 => 'v[10:11]', v3 => 'v[12:14]', v4 => 'v[12:15]',
    (map { ("v$_" => 'v[12:' . (11 + $_) . ']') } 5 .. 12), s1 => 's9', s2 => 's[10:11]', s4 => 's[12:15]',
    s8 => 's[16:23]', s16 => 's[32:47]', vcc => 'vcc', off => 'off', imm => '0x123', attr => 'attr3.y',
    p => 'p10', soff => 's7', n1 => '1', exec => 'exec', '*' => '',
);

# A shape that starts with '+' is a modifier the opcode cannot go without.
sub line_of ($name, @shapes) { text_of($name, map { $SHAPE{$_} // $_ } @shapes) }
sub text_of ($name, @texts) { $name = 'exp mrt0' if $name eq 'exp';
    join(' ', $name, join(', ', grep { !/^\+/ } @texts), map { s/^\+//r } grep { /^\+/ } @texts) }

# The shapes to try for a name.  Data tuples of images and exports have rules of their own and are not listed.
sub shapes_to_try ($name) {
    my @scalar = (['s1', 's2'], ['s1', 's2'], ['s1', 's2']);
    return [[]], [['imm']], combine($scalar[0]), combine(@scalar[0, 1]), combine(@scalar),
        combine(['s1', 's2'], ['imm']), combine(['imm'], ['s1', 's2']),
        combine(['s1', 's2', 's4', 's8', 's16'], ['s2', 's4'], ['imm']), combine(['imm'], ['imm'])
        if $name =~ /^s_/;
    return [['+gds']], [['v1', '+gds']], [['v1', 'v1', '+gds']] if $name =~ /_gws_|_ordered_/;
    return [[]], combine(['v1'], ['v1', 'v2', 'v3', 'v4']), combine(['v1', 'v2', 'v3', 'v4'], ['v1']), [['v1']],
        combine(['v1'], ['v1', 'v2', 'v3', 'v4'], ['v1', 'v2', 'v3', 'v4']),
        combine(['v1', 'v2', 'v3', 'v4'], ['v1'], ['v1', 'v2', 'v3', 'v4']),
        combine(['v1', 'v2', 'v3', 'v4'], ['v1'], ['v1', 'v2'], ['v1', 'v2'])
        if $name =~ /^ds_/;
    return combine(['v1', 'v2', 'v3', 'v4'], ['v2']), combine(['v2'], ['v1', 'v2', 'v3', 'v4']),
        if $name =~ /^flat_/;
    return [['*']], combine(['v1', 'v2', 'v3', 'v4'], ['off'], ['s4'], ['soff']) if $name =~ /^t?buffer_/;
    my @tuples = (['v1', 'v2', 'v3', 'v4'], ['v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8', 'v9', 'v10', 'v11',
        'v12']);
    return combine(['v4'], $tuples[1], ['s8'], ['s4'], ['+dmask:0x1']) if $name =~ /^image_gather4/;
    return combine(@tuples, ['s8'], ['+dmask:0x1', '+dmask:0x3']) if $name =~ /^image_atomic/;
    return combine(['v1'], $tuples[1], ['s8'], ['+dmask:0x1']),
        combine(['v1'], $tuples[1], ['s8'], ['s4'], ['+dmask:0x1']) if $name =~ /^image_/;
    return combine(['v1'], ['v1'], ['v1'], ['v1']) if $name eq 'exp';
    return [['v1', 'v1', 'attr']], [['v1', 'p', 'attr']] if $name =~ /^v_interp/;
    return if $name !~ /^v_/;
    my @to = ('v1', 'v2', 'v4', 's1', 's2');
    my @from = ('v1', 'v2', 'v4');
    my @carry = combine(['v1', 'v2'], ['s2'], \@from, \@from, [@from, 's2']);
    return [[]], combine(\@to, \@from), combine(\@to, \@from, ['v1', 'v2', 'v4', 's1']),
        combine(\@to, \@from, \@from, \@from), combine(['v1'], ['s1'], ['s1']), combine(['v1'], ['v1'], ['v1'], ['s2']),
        combine(['v1'], ['v1'], ['imm'], ['v1']), combine(['v1'], ['v1'], ['v1'], ['imm']),
        combine(['v1', 'v2'], ['s2'], \@from, \@from), @carry if $name =~ /_e64$|^(?!.*_e32$)/;
    return [[]], combine(['v1', 's1'], \@from), combine(['vcc', 'v1', 'v2'], \@from, ['v1', 'v2', 's1']),
        combine(['v1'], ['vcc'], ['v1'], ['v1']), combine(['v1'], ['v1'], ['v1'], ['vcc']),
        combine(['v1'], ['vcc'], ['v1'], ['v1'], ['vcc']);
}

# For an operand that takes a VGPR: does it take an SGPR (or a constant) there too?  Then the shape is upper case.
sub widen ($name, $shapes) {
    my %wide = (v1 => ['s8', '1'], v2 => ['s[8:9]', '1'], v4 => ['s[8:11]', '1'], s1 => ['1'], s2 => ['1']);
    my @lines;
    for my $i (0 .. $#$shapes) {
        my $tries = $wide{$shapes->[$i]} or next;
        for my $t (@$tries) {
            my @text = map { $SHAPE{$_} // $_ } @$shapes;
            $text[$i] = $t;
            push @lines, [$i, text_of($name, @text)];
        }
    }
    return @lines;
}

# ---- Which chips have a row ----

# Of gfx6, by CLRX's table, and in no assembler of LLVM: [encoding, number, name].
my @MANUAL6 = (['MUBUF', 52, 'buffer_atomic_rsub'], ['MUBUF', 84, 'buffer_atomic_rsub_x2'], ['VOP3', 370, 'v_qsad_u8']);
# Of gfx7's manual, gone like ds_condxchg32_rtn_b64: no assembler of LLVM has it.
my %GONE6 = (ds_condxchg32_rtn_b128 => 1);

sub forms_taken ($chip, @lines) {
    use_chip($chip);
    my $taken = accepted(@lines);
    use_chip('gfx7');
    return $taken;
}

# The lines of a table, each with its last column; and those of gfx6 alone behind them.
sub with_chips (@lines) {
    my %line;    # by row: a line of each form
    for my $i (0 .. $#lines) {
        next if $lines[$i] =~ /^#/;
        my ($format, $number, $name, $source, $forms) = split /\t/, $lines[$i];
        for my $form (split / \| /, $forms // '') {
            my ($suffix, $list) = $form =~ /^(\w*):(.*)$/;
            # 0x23 is an offset that scalar loads of both chips take.
            push $line{$i}->@*, text_of($suffix ? "${name}_$suffix" : $name,
                map { $_ eq 'imm' ? '0x23' : /^\+/ ? $_ : $SHAPE{lc $_} // $_ } split ' ', $list);
        }
    }
    my $taken = forms_taken('gfx6', map { @$_ } values %line);
    my @out;
    for my $i (0 .. $#lines) {
        if ($lines[$i] =~ /^#/) { push @out, $lines[$i]; next }
        my @column = split /\t/, $lines[$i], -1;
        $column[5] //= '';
        $column[6] = ($line{$i} ? !grep { exists $taken->{$_} } $line{$i}->@* : $GONE6{$column[2]}) ? 'gfx7' : '';
        $#column = 5 if !$column[6];
        push @out, join "\t", @column if $lines[$i] !~ /\tgfx6$/;
    }
    my %gfx7 = map { $_ => 1 } OracleGfx7::known_mnemonics([candidate_names()])->@*;
    use_chip('gfx6');
    my @own = grep { !$gfx7{$_} && !/_(?:e32|e64|sdwa|dpp)$/ } OracleGfx7::known_mnemonics([candidate_names()])->@*;
    use_chip('gfx7');
    for my $name (@own) {
        my %shape = map { (line_of($name, @$_) => $_) } map { ref $_->[0] ? @$_ : $_ } shapes_to_try($name);
        my $got = forms_taken('gfx6', keys %shape);
        for my $text (sort keys %$got) {
            push @out, join "\t", word_format($got->{$text}), word_opcode($got->{$text}), $name, 'assembler',
                ":@{$shape{$text}}", '', 'gfx6';
        }
    }
    push @out, join "\t", @$_, 'manual', '', '', 'gfx6' for @MANUAL6;
    return @out;
}

@ARGV == 1 or die "usage: gfx7_opcodes.pl MANUAL.txt\n";
if ($ARGV[0] =~ /\.tsv$/) {
    open my $table, '<', $ARGV[0] or die "$ARGV[0]: $!\n";
    chomp(my @lines = <$table>);
    say for with_chips(@lines);
    exit;
}
my $manual = manual_opcodes($ARGV[0]);

my @names = candidate_names();
my @bare = map { ($_, /^v_/ ? ("${_}_e32", "${_}_e64") : ()) } grep { !/_(?:e32|e64|sdwa|dpp)$/ } @names;
my $known = OracleGfx7::known_mnemonics(\@bare);
my %probe;
for my $name (@$known) { $probe{line_of($name, @$_)} = [$name, $_]
    for map { ref $_->[0] ? @$_ : $_ } shapes_to_try($name) }
my $taken = accepted(sort keys %probe);

my %rows;
for my $line (sort keys %$taken) {
    my ($name, $shapes) = $probe{$line}->@*;
    my $bytes = $taken->{$line};
    push $rows{word_format($bytes) . ' ' . word_opcode($bytes)}{$name}->@*, [@$shapes];
}
my @wide = map { my $key = $_; map { my $name = $_;
    map { my $s = $_; map { [$s, @$_] } widen($name, $s) } $rows{$key}{$name}->@* } keys $rows{$key}->%* } keys %rows;
my $widened = accepted(map { $_->[2] } @wide);
my %upper;
for (@wide) { my ($s, $i, $line) = @$_; $upper{$s}{$i}++ if exists $widened->{$line} }
for my $s (map { map { @$_ } values %$_ } values %rows) { $s->[$_] = uc $s->[$_] for keys %{$upper{$s} // {}} }

# Which source and result modifiers the 8-byte form takes: neg0..2, abs0..2, clamp, omod.
sub modifier_lines ($name, $shapes) {
    my @from = (@$shapes > 1 && $shapes->[1] eq 's2' ? 2 : 1) .. $#$shapes;
    my @lines = map { [$_, text_of($name, map { $SHAPE{lc $_} } @$shapes)
        . ($_ eq 'omod' ? ' mul:2' : " $_")] } 'clamp', 'omod';
    for my $i (0 .. $#from) {
        for my $how (['neg', '-%s'], ['abs', '|%s|']) {
            my @text = map { $SHAPE{lc $_} } @$shapes;
            $text[$from[$i]] = sprintf $how->[1], $text[$from[$i]];
            push @lines, ["$how->[0]$i", text_of($name, @text)];
        }
    }
    return @lines;
}
my (%modifier_of, @modifier_lines);
for my $key (grep { /^VOP3 / } keys %rows) {
    for my $name (keys $rows{$key}->%*) { push @modifier_lines,
        map { [$key, @$_] } map { modifier_lines($name, $_) } $rows{$key}{$name}->@* }
}
my $with_modifier = accepted(map { $_->[2] } @modifier_lines);
for (@modifier_lines) { $modifier_of{$_->[0]}{$_->[1]} = 1 if exists $with_modifier->{$_->[2]} }

my @table;
push @table, '# SPDX-License-Identifier: GPL-3.0-or-later';
push @table, '# Opcodes of gfx7 from the manual and from the assembler; made by gfx7_opcodes.pl, which says how.  '
    . 'llvm-mc 19.1.7.';
push @table, '# encoding, number, name, sources, then the operand lists the assembler takes '
    . '("e64:" before those of the suffix),';
push @table, '# for VOP3 the modifiers of sources and result, and the chip that alone has the row.';
push @table, '# Shapes: v1 v2 .. = that many VGPRs; s1 s2 .. = SGPRs; upper case: constants, or the other file, too; '
    . '+x: with the modifier x.';
my %all = map { $_ => 1 } keys %rows, keys %$manual;
for my $key (sort { my ($x, $y) = ([split ' ', $a], [split ' ', $b]);
    $x->[0] cmp $y->[0] || $x->[1] <=> $y->[1] } keys %all) {
    my ($format, $number) = split ' ', $key;
    my @llvm = sort keys %{$rows{$key} // {}};
    my ($base) = map { s/_e(32|64)$//r } (grep { !/_co_u32/ } @llvm), @llvm;
          # v_add_co_u32 is a later name of v_add_i32
    my $from_vop = $format eq 'VOP3' && !exists $manual->{$key};
    my $source = $from_vop ? 'assembler' : !@llvm ? 'manual' : !$manual->{$key} ? 'assembler' : 'both';
    my %lists;
    for my $name (grep { s/_e(32|64)$//r eq $base } @llvm) {
        my $form = $name =~ /_(e32|e64)$/ ? "$1:" : ':';
        $lists{"$form" . join(' ', @$_)} = 1 for $rows{$key}{$name}->@*;
        warn "$key: manual has $manual->{$key}, assembler $name\n" if $manual->{$key}
            && $name !~ /^\Q$manual->{$key}\E(_e..)?$/;
    }
    push @table, join "\t", $format, $number, $manual->{$key} // $base, $source, join(' | ', sort keys %lists),
        join(' ', sort keys %{$modifier_of{$key} // {}});
}
say for with_chips(@table);
