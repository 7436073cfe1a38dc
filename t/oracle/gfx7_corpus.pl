#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gfx7_corpus.pl BIN INDEX [gfx6]: writes a corpus of instructions of gfx7, or of gfx6, that llvm-mc can produce:
# BIN the bytes, one after the other, INDEX a line an instruction: hex, tab, the text it was assembled from.
#
# Text is generated from gfx7_opcodes.tsv (manual and assembler, not gpudbg) and given to the assembler; what it refuses
# is dropped, and the .t files fail when too little is left.  Per opcode: every operand place with one of every kind of
# operand; per shape of operand list: every place with every operand there is; then modifiers alone and mixed.
# Always the same: the numbers come from OracleRandom.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use OracleGfx7 qw(assemble_lines opcode_table use_chip);
use OracleRandom qw(generator);

@ARGV == 2 || @ARGV == 3 or die "usage: gfx7_corpus.pl BIN INDEX [CHIP]\n";
use_chip($ARGV[2] // 'gfx7');

my $random = generator(0x600d5eed);
sub rnd ($n) { return $random->($n) }
sub pick (@list) { return $list[rnd(scalar @list)] }
sub maybe ($text) { return rnd(2) ? " $text" : '' }

# --- Operands ------------------------------------------------------------------------------------------------------

my %SPECIAL = (
    1 => [qw(flat_scratch_lo flat_scratch_hi vcc_lo vcc_hi tba_lo tba_hi tma_lo tma_hi), (map { "ttmp$_" } 0 .. 11),
    qw(m0 exec_lo exec_hi)], 2 => [qw(flat_scratch vcc tba tma),
    (map { "ttmp[$_:" . ($_ + 1) . ']' } 0, 2, 4, 6, 8, 10), 'exec'], 4 => ['ttmp[0:3]', 'ttmp[4:7]', 'ttmp[8:11]'],
    8 => ['ttmp[0:7]', 'ttmp[4:11]'],
    16 => [],
);
my @STATUS = qw(src_vccz src_execz src_scc src_lds_direct);
my @INTS = (0 .. 64, -16 .. -1);
my @FLOATS = qw(0.5 -0.5 1.0 -1.0 2.0 -2.0 4.0 -4.0);
my @LITERALS = (qw(0x41 0xffffffef 0x7fffffff 0x80000000 0x80000001 0xdeadbeef 0x3e22f983 0x40490fdb 0x7fc00000
    0x7f800001 0x3c00 0xbf000001
    0x12345678 0xff 0x100 0xffff 0xffff8000 0xfffffff5 0xffffffff
    0x3f800000 0x3ff00000 0x3ff00001 0x3c01 0x3f7fffff 0x40800001 0xc0000001));

# A run of $n registers of a file, written as the assembler wants it.
sub tuple ($file, $first, $n) { return $n == 1 ? "$file$first" : "${file}[$first:" . ($first + $n - 1) . ']' }
sub vgprs ($n) { return map { tuple('v', $_, $n) } 0 .. 256 - $n }
sub sgprs ($n) { my $step = $n > 4 ? 4 : $n; return map { tuple('s', $_ * $step, $n) } 0 .. int((104 - $n) / $step) }
sub vgpr ($n = 1) { return tuple('v', rnd(257 - $n), $n) }
sub sgpr ($n = 1) { return pick(sgprs($n)) }

# Is the shape a place for a VGPR, for constants too, and how wide?
sub shape_parts ($shape) { return $shape =~ /^([vsVS])(\d+)$/ ? (lc $1, $1 eq uc $1, $2) : () }

# Every operand the shape may take.
sub all_operands ($shape) {
    my ($file, $wide, $n) = shape_parts($shape) or return;
    my @out = $file eq 'v' ? vgprs($n) : ();
    push @out, sgprs($n), $SPECIAL{$n}->@* if $file eq 's' || $wide;
    push @out, @INTS, @FLOATS, @STATUS, @LITERALS if $wide;
    return @out;
}

# One operand of every kind.
sub kinds_of_operand ($shape) {
    my ($file, $wide, $n) = shape_parts($shape) or return;
    my @out = $file eq 'v' ? (tuple('v', 0, $n), tuple('v', 256 - $n, $n), vgpr($n)) : ();
    if ($file eq 's' || $wide) { my @s = sgprs($n); push @out, $s[0], $s[-1], pick(@s), $SPECIAL{$n}->@* }
    push @out, 0, -1, -16, 64, pick(@INTS), pick(@INTS), @FLOATS, @STATUS, '0xff', pick(@LITERALS), pick(@LITERALS),
        pick(@LITERALS) if $wide;
    return @out;
}

# An operand that gets in nobody's way: a VGPR, or an SGPR where only those go.
sub plain_operand ($shape) {
    my ($file, undef, $n) = shape_parts($shape) or return $shape;
    return $file eq 'v' ? vgpr($n) : sgpr($n);
}

# --- Lines ---------------------------------------------------------------------------------------------------------

my (@lines, %full);
sub emit ($line) { push @lines, $line; return }

sub imm16 {
    return map { sprintf '0x%x', $_ } 0, 1, 0x7fff, 0x8000, 0xffff, 0xff, 0x100, rnd(65536), rnd(65536), rnd(65536);
}

# Every place of a plain operand list in turn, the others kept quiet; every operand the first time a list is met.
sub emit_operands ($name, $shapes, $list) {
    my $all = !$full{$list}++;
    for my $place (0 .. $#$shapes) {
        # A status bit may stand where an SGPR is read, and where a destination has 8 bits; not in those of 7.
        my $seven_bits = $name =~ /^s_/ ? $place == 0 && @$shapes > 1 : $place == 1 && $shapes->[0] =~ /^v/;
        my $status = $shapes->[$place] =~ /^s[12]/ && !$seven_bits;
        for my $operand ($all ? all_operands($shapes->[$place]) : kinds_of_operand($shapes->[$place]),
            $status ? @STATUS : ()) {
            my @texts = map { plain_operand($_) } @$shapes;
            $texts[$place] = $operand;
            emit("$name " . join ', ', @texts);
        }
    }
    return;
}

# --- Vector ALU ----------------------------------------------------------------------------------------------------

# Replaces $text by one of its signed or absolute forms; a plain sign before a constant would be part of it.
sub signed ($text) { return pick($text =~ /^-?\d/ ? "neg($text)" : "-$text", "|$text|", "-|$text|") }

sub emit_modifiers ($name, $shapes) {
    my @from = grep { $shapes->[$_] =~ /^[VS]/ && $_ > 0 } 0 .. $#$shapes;
    my $fresh = sub { map { plain_operand($_) } @$shapes };
    for my $place (@from) {
        for my $how ('-%s', '|%s|', '-|%s|') {
            my @texts = $fresh->();
            $texts[$place] = sprintf $how, $texts[$place];
            emit("$name " . join ', ', @texts);
        }
        for my $constant (pick(@INTS), pick(@FLOATS), pick(@FLOATS), pick(@STATUS),
            pick($SPECIAL{(shape_parts($shapes->[$place]))[2] > 1 ? 2 : 1}->@*)) {
            my @texts = $fresh->();
            $texts[$place] = signed($constant);
            emit("$name " . join ', ', @texts);
        }
    }
    for my $out ('clamp', 'mul:2', 'mul:4', 'div:2', 'clamp mul:2', 'clamp mul:4', 'clamp div:2') {
        emit("$name " . join(', ', $fresh->()) . " $out");
    }
    for (1 .. 6) {
        my @texts = $fresh->();
        for my $place (@from) { $texts[$place] = signed($texts[$place]) if rnd(2) }
        emit("$name " . join(', ', @texts) . maybe('clamp') . pick('', '', ' mul:2', ' mul:4', ' div:2'));
    }
    return;
}

# Sources mixed at random, at most one register of the scalar file, perhaps twice.
sub emit_mixed_sources ($name, $shapes, $times) {
    for (1 .. $times) {
        my @texts = map { plain_operand($_) } @$shapes;
        my %scalar = map { my $n = $_; $n => pick(sgprs($n), $SPECIAL{$n}->@*) } 1, 2;
        for my $place (grep { $shapes->[$_] =~ /^[VS][12]$/ } 0 .. $#$shapes) {
            my $n = substr $shapes->[$place], 1;
            $texts[$place] = pick($texts[$place], $scalar{$n}, pick(@INTS), pick(@FLOATS));
        }
        emit("$name " . join ', ', @texts);
    }
    return;
}

sub emit_valu ($row) {
    # The longest list of each suffix says most: it names VCC.
    my %best;
    for my $form ($row->{forms}->@*) {
        my ($suffix, $list) = $form =~ /^(\w*):(.*)$/;
        my $weight = ($list =~ tr/ //) * 100 + ($list =~ tr/V//) * 10 + ($list =~ /v1$/ ? 0 : 1) - 500 * ($list
            =~ /^[VS]\d/);
        $best{$suffix} = [$weight, $list] if !$best{$suffix} || $best{$suffix}[0] < $weight;
    }
    delete $best{''} if keys %best > 1;
    if ($row->{name} eq 'v_writelane_b32') {
        # The lane select M0 is free, and the value may be a literal then.
        emit("v_writelane_b32 " . vgpr() . ", $_, " . pick('m0', 'm0', @INTS)) for @LITERALS, all_operands('s1'), @INTS;
    }
    for my $suffix (sort keys %best) {
        my $name = $row->{name} . ($suffix ? "_$suffix" : '');
        my $list = $best{$suffix}[1];
        my @shapes = split ' ', $list;
        if (!@shapes) { emit($name); next }
        if (grep { $_ eq 'imm' } @shapes) { emit_madmk($name, \@shapes); next }
        emit_operands($name, \@shapes, $row->{format} . $list);
        emit_mixed_sources($name, \@shapes, $row->{format} eq 'VOP3' ? 8 : 4);
        emit_modifiers($name, \@shapes) if $row->{format} eq 'VOP3';
    }
    return;
}

# V_MADMK and V_MADAK: a constant of its own, which may be any value, and may be the literal of SRC0 as well.
sub emit_madmk ($name, $shapes) {
    for my $k (0, 1, '0xfffffff0', '0x3f800000', @LITERALS) {
        emit("$name " . join ', ', map { $_ eq 'imm' ? $k : plain_operand($_) } @$shapes);
    }
    for my $source (@INTS, @FLOATS, 'src_lds_direct', 'v255') {
        my @texts = map { $_ eq 'imm' ? pick(@LITERALS) : plain_operand($_) } @$shapes;
        $texts[1] = $source;
        emit("$name " . join ', ', @texts);
    }
    for my $k (@LITERALS) {
        my @texts = map { $_ eq 'imm' ? $k : plain_operand($_) } @$shapes;
        $texts[1] = $k;
        emit("$name " . join ', ', @texts);
    }
    return;
}

sub emit_vintrp ($row) {
    my @slots = $row->{name} =~ /mov/ ? qw(p10 p20 p0) : ();
    for my $attr (0 .. 32) {
        for my $channel (qw(x y z w)) { emit("$row->{name} " . vgpr() . ', ' . (@slots ? pick(@slots) : vgpr())
            . ", attr$attr.$channel") }
    }
    emit("$row->{name} v$_, " . (@slots ? pick(@slots) : 'v' . rnd(256)) . ', attr' . rnd(33) . '.x') for 0 .. 255;
    emit("$row->{name} v0, v$_, attr1.y") for @slots ? () : 0 .. 255;
    return;
}

# --- Scalar --------------------------------------------------------------------------------------------------------

sub emit_scalar ($row) {
    for my $form (grep { !/imm/ } $row->{forms}->@*) {
        my @shapes = split ' ', $form =~ s/^\w*://r;
        if (!@shapes) { emit($row->{name}); next }
        emit_operands($row->{name}, \@shapes, "$row->{format} $form");
        emit_mixed_sources($row->{name}, \@shapes, 6);
        next if @shapes < 2;
        # One literal may serve both sources.
        for my $literal (@LITERALS) {
            my @texts = map { /^S/ ? $literal : plain_operand($_) } @shapes;
            emit("$row->{name} " . join ', ', @texts);
        }
    }
    return;
}

sub emit_sopk ($row) {
    my ($form) = map { s/^\w*://r } $row->{forms}->@*;
    my $name = $row->{name};
    if ($name =~ /getreg|setreg/) {
        my @regs = map { 'hwreg(' . join(', ', @$_) . ')' } (map { [$_] } 0 .. 63),
            (map { [rnd(64), $_, 1 + rnd(32)] } 0 .. 31), (map { [rnd(64), rnd(32), $_] } 1 .. 32),
            [qw(HW_REG_MODE 4 2)], [qw(HW_REG_STATUS)], [qw(HW_REG_TRAPSTS 0 31)];
        for my $reg (@regs, imm16(), map { rnd(65536) } 1 .. 40) {
            emit($name eq 's_getreg_b32' ? "$name " . sgpr() . ", $reg" : $name eq 's_setreg_b32' ? "$name $reg, "
                . sgpr()
                : "$name $reg, " . pick(0, 1, 64, '0xfffffff0', '0x3f800000', @LITERALS));
        }
        for my $s ($name =~ /imm/ ? () : all_operands('s1')) {
            emit($name eq 's_getreg_b32' ? "$name $s, hwreg(1)" : "$name hwreg(1), $s") }
        return;
    }
    my ($shape) = split ' ', $form;
    emit("$name $_, " . sprintf '0x%x', rnd(65536)) for all_operands($shape);
    emit("$name " . plain_operand($shape) . ", $_") for imm16(), imm16();
    return;
}

sub emit_sopp ($row) {
    my $name = $row->{name};
    emit($name) if grep { $_ eq ':' } $row->{forms}->@*;
    return if !grep { $_ eq ':imm' } $row->{forms}->@*;
    emit("$name $_") for imm16(), 0 .. 15;
    if ($name eq 's_waitcnt') {
        for my $vm (0 .. 15) { for my $exp (0 .. 7) {
            for my $lgkm (0 .. 15) { emit("$name " . ($vm | $exp << 4 | $lgkm << 8)) } } }
        emit("$name " . rnd(65536)) for 1 .. 512;
        emit("$name " . (0x0f7f | 1 << $_)) for 7, 12 .. 15;
        emit("$name vmcnt($_)"), emit("$name lgkmcnt($_)") for 0 .. 15;
    } elsif ($name =~ /sendmsg/) {
        emit("$name $_") for 0 .. 1023;
        emit("$name " . rnd(65536)) for 1 .. 256;
        for my $message (0 .. 15) { for my $op (0 .. 7) { emit("$name sendmsg($message, $op, $_)") for 0 .. 3 } }
        for my $op (qw(GS_OP_CUT GS_OP_EMIT GS_OP_EMIT_CUT)) { emit("$name sendmsg($_, $op, " . rnd(4) . ')')
            for qw(MSG_GS MSG_GS_DONE) }
        emit("$name sendmsg($_)") for qw(MSG_INTERRUPT),
            map { "MSG_SYSMSG, SYSMSG_OP_$_" } qw(ECC_ERR_INTERRUPT REG_RD HOST_TRAP_ACK TTRACE_PC);
    } else {
        emit("$name " . rnd(65536)) for 1 .. 24;
    }
    return;
}

sub emit_smrd ($row) {
    my $name = $row->{name};
    my ($list) = map { s/^\w*://r } grep { /imm$/ } $row->{forms}->@*;
    if (!$list) {
        my ($shape) = map { s/^\w*://r } $row->{forms}->@*;
        if ($shape eq '') { emit($name) } else { emit("$name $_") for all_operands($shape) }
        return;
    }
    my ($to, $base) = split ' ', $list;
    my @offsets = map { sprintf '0x%x', $_ } 0, 1, 127, 128, 254, 255, rnd(256), 0x100, 0x101, 0x7fffffff, 0x80000000,
        0xffffffff, rnd(1 << 24), 0xfffff;
    emit("$name " . join ', ', plain_operand($to), plain_operand($base), $_) for @offsets, all_operands('s1'), @STATUS;
    emit("$name " . join ', ', $_, plain_operand($base), pick(@offsets, all_operands('s1'))) for all_operands($to);
    emit("$name " . join ', ', plain_operand($to), $_, pick(@offsets, all_operands('s1'))) for all_operands($base);
    return;
}

# --- Memory --------------------------------------------------------------------------------------------------------

sub emit_ds ($row) {
    my $name = $row->{name};
    my @shapes = split ' ', ($row->{forms}[0] // ':') =~ s/^\w*://r;
    my $gds = grep { $_ eq '+gds' } @shapes;
    @shapes = grep { $_ ne '+gds' } @shapes;
    my @tails = ('', map { " offset:$_" } 1, 2, 255, 256, 0x8000, 65535, rnd(65536), rnd(65536));
    if ($name =~ /2(?:st64)?_(?:rtn_)?b(?:32|64)$/ && $name !~ /src2|condxchg/) {
        @tails = ('', map { $_->[0] || $_->[1] ? (map { s/ offset[01]:0//gr } " offset0:$_->[0] offset1:$_->[1]") : '' }
            [0, 1], [1, 0], [255, 255], [0, 255], [255, 0], [rnd(256), rnd(256)], [rnd(256), rnd(256)]);
    }
    if ($name eq 'ds_swizzle_b32') {
        push @tails, map { " offset:$_" } 0 .. 31,
            map { (0x8000 + $_, $_ * 33, rnd(0x8000), rnd(65536), rnd(0x8000)) } 0 .. 255;
        push @tails, map { " offset:swizzle($_)" } 'QUAD_PERM,0,1,2,3', 'QUAD_PERM,3,2,1,0', 'BITMASK_PERM,"01pip"',
            'BITMASK_PERM,"p0i1p"', 'BROADCAST,2,1', 'BROADCAST,32,31', 'BROADCAST,8,3', 'SWAP,1', 'SWAP,16',
            'REVERSE,2', 'REVERSE,32', 'REVERSE,8';
    }
    my $join = sub { my @t = @_; return @t ? ' ' . join ', ', @t : '' };
    for my $tail (@tails) {
        emit($name . $join->(map { plain_operand($_) } @shapes) . $tail . ' gds');
        emit($name . $join->(map { plain_operand($_) } @shapes) . $tail) if !$gds;
    }
    for my $place (0 .. $#shapes) {
        my $n = substr $shapes[$place], 1;
        for my $v (0, 256 - $n, rnd(257 - $n)) {
            my @texts = map { plain_operand($_) } @shapes;
            $texts[$place] = tuple('v', $v, $n);
            emit($name . $join->(@texts) . ($gds ? ' gds' : ''));
        }
    }
    if (!$full{"DS @shapes"}++) {
        for my $v (0 .. 255) {
            emit($name . $join->(map { my $n = substr $_, 1; tuple('v', $v > 256 - $n ? 256 - $n : $v, $n) } @shapes)
            . ($gds ? ' gds' : '')) }
    }
    return;
}

# Modifiers that may each be there or not, in the order the assembler wants.
sub flags ($bits, @names) { return join '', map { $bits >> $_ & 1 ? " $names[$_]" : '' } 0 .. $#names }

sub emit_flat ($row) {
    my $name = $row->{name};
    my ($list) = map { s/^\w*://r } $row->{forms}->@*;
    my @shapes = split ' ', $list;
    my $data = $name =~ /load/ ? 0 : 1;
    my $width = substr $shapes[$data], 1;
    my $back = $name =~ /cmpswap/ ? $width / 2 : $width;
    for my $bits (0 .. 3) {
        for (1 .. 4) {
            my @texts = map { plain_operand($_) } @shapes;
            unshift @texts, vgpr($back) if $name =~ /atomic/ && $bits & 1;
            emit("$name " . join(', ', @texts) . flags($bits, qw(glc slc)));
        }
    }
    for my $v (0, 1, 253, 254) { emit("$name " . join ', ',
        map { my $n = substr $_, 1; tuple('v', $v + $n > 256 ? 256 - $n : $v, $n) } @shapes) }
    return;
}

my @SOFFSETS = (sgprs(1), $SPECIAL{1}->@*, @INTS, @FLOATS, @STATUS);
my %NEXT;
sub soffset { return $SOFFSETS[$NEXT{soffset}++ % @SOFFSETS] }

# The address part of a buffer instruction: modifier, then the VGPRs it takes.
my @ADDRESSING = (['', 0], ['idxen', 1], ['offen', 1], ['idxen offen', 2], ['addr64', 2]);

sub emit_buffer ($row, @formats) {
    my $name = $row->{name};
    my ($list) = map { s/^\w*://r } $row->{forms}->@*;
    my ($data) = split ' ', $list;
    if ($data !~ /^v/) { emit($name); return }
    my $width = substr $data, 1;
    my @srsrc = all_operands('s4');
    my $line = sub ($address, $format, $offset, $bits) {
        my ($mode, $n) = @$address;
        my $tfe = $bits >> 2 & 1;
        my $lds = $bits >> 3 & 1;
        my $vaddr = $n ? vgpr($n) : 'off';
        my $head = join ', ', ($lds ? () : vgpr($width + $tfe)), $vaddr, $srsrc[$NEXT{srsrc}++ % @srsrc], soffset();
        emit("$name $head" . ($format ? " $format" : '') . ($mode ? " $mode" : '') . ($offset ? " offset:$offset" : '')
            . flags($bits, qw(glc slc tfe lds)));
    };
    my @flag_sets = $name =~ /^buffer_load/ ? (0 .. 15) : (0 .. 3);     # TFE and LDS are for loads alone
    for my $address (@ADDRESSING) {
        for my $bits (@flag_sets) { $line->($address, pick(@formats), pick(0, 1, 4095, 2048, rnd(4096)), $bits)
            for 1 .. 2 }
        $line->($address, pick(@formats), $_, 0) for 0, 1, 255, 4095;
    }
    $line->(pick(@ADDRESSING), $_, rnd(4096), rnd(4)) for @formats;
    if (!$full{"buffer $list"}++) { $line->(pick(@ADDRESSING), pick(@formats), rnd(4096), rnd(4))
        for 1 .. 3 * @SOFFSETS }
    return;
}

sub emit_mimg ($row) {
    my $name = $row->{name};
    my @lists = map { [split ' ', s/^\w*://r] } $row->{forms}->@*;
    my $sampled = grep { $_ eq 's4' } $lists[0]->@*;
    my @srsrc = all_operands('s8');
    my @ssamp = all_operands('s4');
    my $base = $name =~ /cmpswap/ ? 2 : 1;
    for my $dmask (0 .. 15) {
        for my $tfe (0, 1) {
            for (1 .. 2) {
                my $list = pick(@lists);
                my $count = () = sprintf('%b', $dmask) =~ /1/g;
                my $width = $name =~ /gather4/ ? 4 : $count || 1;
                my @head = (vgpr($width + $tfe), vgpr(substr $list->[1], 1), $srsrc[$NEXT{image}++ % @srsrc],
                    $sampled ? $ssamp[$NEXT{sampler}++ % @ssamp] : ());
                emit("$name " . join(', ', @head) . " dmask:$dmask" . maybe('unorm') . maybe('glc') . maybe('slc')
                    . maybe('r128') . ($tfe ? ' tfe' : '') . maybe('lwe') . maybe('da'));
            }
        }
    }
    for my $bits (0 .. 63) {
        my $list = pick(@lists);
        my $dmask = $name =~ /cmpswap/ ? 3 : $name =~ /gather4|atomic/ ? 1 : 7;
        my $width = $name =~ /gather4/ ? 4 : $dmask == 7 ? 3 : $dmask == 3 ? 2 : 1;
        my @head = (vgpr($width), vgpr(substr $list->[1], 1), $srsrc[$NEXT{image}++ % @srsrc],
            $sampled ? $ssamp[$NEXT{sampler}++ % @ssamp] : ());
        emit("$name " . join(', ', @head) . " dmask:$dmask" . flags($bits, qw(unorm glc slc r128 lwe da)));
    }
    return;
}

sub emit_exp {
    for my $target ((map { "mrt$_" } 0 .. 7), 'mrtz', 'null', (map { "pos$_" } 0 .. 3), map { "param$_" } 0 .. 31) {
        for my $mask (0 .. 15) {
            my @sources = map { $mask >> $_ & 1 ? vgpr() : 'off' } 0 .. 3;
            emit("exp $target " . join(', ', @sources) . maybe('done') . maybe('vm'));
        }
        for my $mask (0 .. 3) {
            my @pair = map { $mask >> $_ & 1 ? vgpr() : 'off' } 0, 1;
            emit("exp $target " . join(', ', @pair[0, 0, 1, 1]) . flags($_, qw(done)) . ' compr'
                . ($_ & 2 ? ' vm' : '')) for 0 .. 3;
        }
        emit("exp $target " . join(', ', map { vgpr() } 1 .. 4) . flags($_, qw(done vm))) for 0 .. 3;
    }
    return;
}

# --- All of it -----------------------------------------------------------------------------------------------------

my @TFORMATS = ('', map { my $d = $_; map { "format:" . ($d | $_ << 4) } 0 .. 7 } 0 .. 15);
my %EMIT = (
    (map { $_ => \&emit_valu } qw(VOP1 VOP2 VOPC VOP3)), (map { $_ => \&emit_scalar } qw(SOP1 SOP2 SOPC)),
    VINTRP => \&emit_vintrp, SOPK => \&emit_sopk, SOPP => \&emit_sopp, SMRD => \&emit_smrd, DS => \&emit_ds,
    FLAT => \&emit_flat, MIMG => \&emit_mimg, MUBUF => sub ($row) { emit_buffer($row, '') },
    MTBUF => sub ($row) { emit_buffer($row, @TFORMATS) }, EXP => \&emit_exp,
);
for my $row (opcode_table("$FindBin::Bin/gfx7_opcodes.tsv")->@*) {
    $EMIT{$row->{format}}->($row) if $row->{source} ne 'manual';
}
emit('s_endpgm');

my (%seen, $why);
@lines = grep { !$seen{$_}++ } @lines;
my $bytes = assemble_lines(\@lines, $why = []);
open my $bin, '>:raw', $ARGV[0] or die "$ARGV[0]: $!\n";
open my $index, '>', $ARGV[1] or die "$ARGV[1]: $!\n";
my ($n, %refused, %have) = (0);
for my $i (0 .. $#lines) {
    if (!defined $bytes->[$i]) { push @{$refused{$why->[$i] // 'no bytes'}}, $lines[$i]; next }
    next if $have{$bytes->[$i]}++;
    print $bin $bytes->[$i];
    print $index unpack('H*', $bytes->[$i]), "\t$lines[$i]\n";
    $n++;
}
close $bin or die "$ARGV[0]: $!\n";
close $index or die "$ARGV[1]: $!\n";
say "# ", scalar(@lines), " lines, $n distinct instructions";
if ($ENV{CORPUS_VERBOSE}) { for my $r (sort keys %refused) { say "$r\t$_" for $refused{$r}->@* } }
