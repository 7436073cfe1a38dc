# SPDX-License-Identifier: GPL-3.0-or-later
#
# Which words llvm-mc cannot produce for gfx7, and why.  The hardware has more encodings than the assembler has texts:
# an operand code without a name, a reserved bit, two scalar registers in one vector instruction.  These rules were
# found by asking the assembler (19.1.7); gfx7_words.t holds them against gpudbg, and the corpus against them.
package OracleGfx7Rules;
use v5.36;
use Exporter 'import';
use File::Basename qw(dirname);
use OracleGfx7 qw(word_format word_opcode opcode_table);

our @EXPORT_OK = qw(unproducible);

my %ROW = map { ("$_->{format} $_->{number}" => $_) } grep { $_->{source} ne 'manual' } opcode_table(dirname(__FILE__)
    . '/../oracle/gfx7_opcodes.tsv')->@*;

# The shapes of a row's operands for a suffix ('e32', 'e64' or ''): of several lists the one that takes most.
my %SHAPES;
sub shapes ($row, $suffix) {
    return $SHAPES{$row}{$suffix} //= do {
        my ($best, $most) = ([], -1);
        for my $form ($row->{forms}->@*) {
            my ($of, $list) = $form =~ /^(\w*):(.*)$/;
            my @shapes = split ' ', $list;
            my $weight = ($of eq $suffix ? 1000 : 0) + 100 * @shapes + 10 * ($list =~ tr/V//) + ($list =~ /V\d$/ ? 1
                : 0);
            $weight -= 2000 if ($shapes[0] // '') =~ /^[VS]\d/ && $row->{format} eq 'VOPC';
            ($best, $most) = (\@shapes, $weight) if $weight > $most;
        }
        $best;
    };
}

# --- Operand codes ---------------------------------------------------------------------------------------------------

# A run of $n SGPRs or special registers starting at $code, as source or destination: undef if it has no name.
sub scalar_register ($code, $n) {
    my $step = $n > 4 ? 4 : $n;
    return $code % $step == 0 && $code + $n <= 104 ? "s$code.$n" : undef if $code <= 103;
    return $code >= 112 && ($code - 112) % $step == 0 && $code + $n <= 124 ? "s$code.$n" : undef if $code >= 112
        && $code <= 123;
    return undef if $n > 2 || $code > 127 || $code == 125;
    return $n == 2 ? undef : "s124.1" if $code == 124;
    return $code % $n == 0 ? "s$code.$n" : undef;
}

my %HALF = map { $_ => 1 } 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400;
my %SINGLE = map { $_ => 1 } map { unpack 'V', pack 'f<', $_ } 0.5, -0.5, 1, -1, 2, -2, 4, -4;
my %DOUBLE = map { $_ => 1 } map { unpack 'x4V', pack 'd<', $_ } 0.5, -0.5, 1, -1, 2, -2, 4, -4;

# Would the assembler turn this literal into an inline constant?  $kind: i32 (and f32), i64, f64, f16.
sub is_inline ($value, $kind) {
    return 1 if $value <= 64;
    return $DOUBLE{$value} if $kind eq 'f64';
    return 0 if $kind eq 'i64';
    return $value > 0xffff || $value >= 0xfff0 || $HALF{$value} if $kind eq 'f16';
    return $value >= 0xfffffff0 || $SINGLE{$value};
}

# A source of $shape with $code: a reason, or ('', what it reads from the scalar file).  %o: literal (its value), kind,
# lds (LDS_DIRECT may stand here).
sub source_reason ($shape, $code, %o) {
    my ($file, $n) = $shape =~ /^([vsVS])(\d+)$/ or die "shape $shape";
    if ($code >= 256) {
        return "a VGPR in a scalar place" if lc $file eq 's';
        return $code - 256 + $n > 256 ? 'VGPRs past v255' : ('');
    }
    return 'a scalar in a VGPR place' if $file eq 'v';
    if ($code < 128) {
        my $register = scalar_register($code, $n);
        return defined $register ? ('', $register) : "no register at $code for $n";
    }
    # The status bits count as 32-bit registers, and stand for a pair in the conditions of vector instructions.
    return ('', "status$code") if $code >= 251 && $code <= 253 && ($file ne 's' || $n == 1 || $o{condition});
    return 'a constant in a register place' if $file eq 's';
    return "a constant of $n registers" if $n > 2;
    return $o{no_inline} ? 'an inline constant in the long form of a 16-bit operand' : ('') if $code <= 208
        || ($code >= 240 && $code <= 247);
    return $o{lds} && $n == 1 ? ('') : 'LDS_DIRECT out of place' if $code == 254;
    if ($code == 255) {
        return 'a literal where none may be' if !defined $o{literal};
        return is_inline($o{literal}, $o{kind} // ($n == 2 ? 'i64' : 'i32'))
            ? 'a literal that equals an inline constant' : ('', 'literal');
    }
    return "no operand has code $code";
}

sub dest_reason ($shape, $code) {
    my ($file, $n) = $shape =~ /^([vs])(\d+)$/ or die "shape $shape";
    return $code + $n > 256 ? 'VGPRs past v255' : '' if $file eq 'v';
    return '' if $code >= 251 && $code <= 253;      # the assembler does write status bits where the field has 8 bits
    return defined scalar_register($code, $n) ? '' : "no register at $code for $n";
}

sub vgprs_reason ($code, $n) { return $code + $n > 256 ? 'VGPRs past v255' : '' }

# --- Vector ALU ------------------------------------------------------------------------------------------------------

sub literal_kind ($name, $shape) {
    return 'f16' if $name eq 'v_cvt_f32_f16';
    return $shape =~ /2$/ ? $name =~ /f64/ ? 'f64' : 'i64' : 'i32';
}

# What an instruction reads besides its operands.
sub implicit_read ($name, $long) {
    return 's106.2' if $name =~ /^v_div_fmas/ || (!$long && $name =~ /^v_(?:cndmask|addc|subb|subbrev)_/);
    return 's124.1' if $name =~ /^v_movrel/;
    return;
}

# LDS_DIRECT is refused in the reversed opcodes.
sub lds_direct ($name) { return $name !~ /(?<!bf)rev_/ }

# Sources in order: [shape, code].
sub valu_reason ($name, $long, $literal, @sources) {
    my %reads = map { $_ => 1 } implicit_read($name, $long);
    for my $i (0 .. $#sources) {
        my ($shape, $code) = $sources[$i]->@*;
        my ($why, $read) = source_reason($shape, $code, literal => $literal, kind => literal_kind($name, $shape),
            lds => $i == 0 && lds_direct($name), condition => 1, no_inline => $long && $name eq 'v_cvt_f32_f16');
        return $why if $why;
        $reads{$read} = 1 if defined $read;
    }
    return keys %reads > 1 ? 'more than one read of the constant bus: ' . join ' ', sort keys %reads : '';
}

sub vop1 ($row, $w, $literal) {
    my ($to, $from) = shapes($row, 'e32')->@*;
    return $w & 0x1fe01ff ? 'operands of an instruction without any' : '' if !defined $to;
    return dest_reason($to, $w >> 17 & 255) || valu_reason($row->{name}, 0, $literal, [$from, $w & 511])
        if $row->{name} ne 'v_readfirstlane_b32';
    return dest_reason($to, $w >> 17 & 255) || (($w & 511) == 254 ? ''
        : valu_reason($row->{name}, 0, undef, [$from, $w & 511]));
}

sub vop2 ($row, $w, $literal) {
    my $name = $row->{name};
    my @shapes = grep { $_ ne 'vcc' } shapes($row, 'e32')->@*;
    my ($to, $src0, $src1) = ($w >> 17 & 255, $w & 511, $w >> 9 & 255);
    if ($name =~ /^v_(?:readlane|writelane)/) {
        my $why = dest_reason($shapes[0], $to);
        return $why if $why;
        return valu_reason('', 0, undef, ['S1', $src1]) if $name =~ /read/ && $src0 == 254;
        return valu_reason($name, 0, undef, ['v1', $src0], ['S1', $src1]) if $name =~ /read/;
        # M0 as the lane select is free; the value may be a literal, the lane may not.
        return valu_reason($name, 0, $literal, ['S1', $src0])
            || ($src1 == 124 ? '' : $src1 == 255 ? 'a literal lane select'
            : valu_reason($name, 0, $literal, ['S1', $src0], ['S1', $src1]));
    }
    if ($name =~ /^v_mad[ma]k/) {
        # K uses the constant bus whatever its value; SRC0 may be the same literal.
        my ($why, $read) = source_reason('V1', $src0, literal => $literal, kind => 'i32', lds => 1);
        return $why if $why;
        return defined $read && $read ne 'literal' ? 'a scalar beside K' : '';
    }
    return dest_reason($shapes[0], $to) || valu_reason($name, 0, $literal, [$shapes[1], $src0],
        [lc $shapes[2], 256 + $src1]);
}

sub vopc ($row, $w, $literal) {
    my (undef, $src0, $src1) = shapes($row, 'e32')->@*;
    return valu_reason($row->{name}, 0, $literal, [$src0, $w & 511], [$src1, 256 + ($w >> 9 & 255)]);
}

sub vop3 ($row, $w, $second) {
    my $name = $row->{name};
    my @shapes = shapes($row, $row->{source} eq 'both' && !grep({ /^e64:/ } $row->{forms}->@*) ? '' : 'e64')->@*;
    my @codes = ($second & 511, $second >> 9 & 511, $second >> 18 & 511);
    my $carry = @shapes > 1 && $shapes[1] eq 's2';
    my ($clamp, $abs, $omod, $neg) = $carry ? (0, 0, $second >> 27 & 3, $second >> 29)
        : ($w >> 11 & 1, $w >> 8 & 7, $second >> 27 & 3, $second >> 29);
    return 'reserved bits' if $carry ? $w >> 15 & 3 : $w >> 12 & 31;
    my $has = $row->{modifiers};
    return 'clamp on an opcode without' if $clamp && !$has->{clamp};
    return 'omod on an opcode without' if $omod && !$has->{omod};
    for my $i (0 .. 2) {
        return "abs on source $i" if $abs >> $i & 1 && !$has->{"abs$i"};
        return "neg on source $i" if $neg >> $i & 1 && !$has->{"neg$i"};
    }
    my $vdst = $w & 255;
    return $w & 0x1ff || $second ? 'operands of an instruction without any' : '' if !@shapes;
    my $to = shift @shapes;
    my $why = dest_reason($to, $vdst);
    return $why if $why;
    if ($carry) {
        shift @shapes;
        return 'no such carry destination' if !defined scalar_register($w >> 8 & 127, 2);
    }
    for my $i (scalar @shapes .. 2) { return 'a source the opcode does not have' if $codes[$i] }
    return valu_reason($name, 1, undef, map { [$shapes[$_], $codes[$_]] } 0 .. $#shapes);
}

sub vintrp ($row, $w, $ = 0) {
    return 'an attribute past 32' if ($w >> 10 & 63) > 32;
    return 'no such slot' if $row->{name} =~ /mov/ && ($w & 255) > 2;
    return '';
}

# --- Scalar ----------------------------------------------------------------------------------------------------------

# Sources with one literal between them.
sub salu_reason ($literal, @sources) {
    for (@sources) {
        my ($why) = source_reason(@$_, literal => $literal);
        return $why if $why;
    }
    return '';
}

sub sop2 ($row, $w, $literal) {
    my @shapes = grep { $_ ne 'imm' } shapes($row, '')->@*;
    if ($row->{name} eq 's_cbranch_g_fork') {
        return $w >> 16 & 127 ? 'a destination the opcode does not have'
            : salu_reason(undef, ['S2', $w & 255], ['S2', $w >> 8 & 255]);
    }
    return dest_reason($shapes[0], $w >> 16 & 127)
        || salu_reason($literal, [$shapes[1], $w & 255], [$shapes[2], $w >> 8 & 255]);
}

sub sop1 ($row, $w, $literal) {
    my ($form) = grep { !/imm/ } $row->{forms}->@*;
    my @shapes = split ' ', $form =~ s/^\w*://r;
    my ($sdst, $ssrc) = ($w >> 16 & 127, $w & 255);
    return dest_reason($shapes[0], $sdst) || salu_reason($literal, [$shapes[1], $ssrc]) if @shapes == 2;
    return $ssrc ? 'a source the opcode does not have' : dest_reason($shapes[0], $sdst)
        if $row->{name} eq 's_getpc_b64';
    return $sdst ? 'a destination the opcode does not have' : salu_reason(undef, [$shapes[0], $ssrc]);
}

sub sopc ($row, $w, $literal) {
    my ($form) = grep { !/imm/ } $row->{forms}->@*;
    my @shapes = split ' ', $form =~ s/^\w*://r;
    return salu_reason($literal, [$shapes[0], $w & 255], [$shapes[1], $w >> 8 & 255]);
}

sub sopk ($row, $w, $ = 0) {
    my $sdst = $w >> 16 & 127;
    return $sdst ? 'a destination the opcode does not have' : '' if $row->{name} eq 's_setreg_imm32_b32';
    return dest_reason($row->{name} eq 's_cbranch_i_fork' ? 's2' : 's1', $sdst);
}

sub sopp ($row, $w, $ = 0) {
    return $w & 0xffff && !grep({ $_ eq ':imm' } $row->{forms}->@*) ? 'a SIMM16 the opcode does not have' : '';
}

sub smrd ($row, $w, $literal) {
    my $name = $row->{name};
    my ($offset, $imm, $sbase, $sdst) = ($w & 255, $w >> 8 & 1, $w >> 9 & 63, $w >> 15 & 127);
    if ($name !~ /load/) {
        return 'operands of an instruction without any' if $w & ($name eq 's_memtime' ? 0x7fff : 0x3fffff);
        return $name eq 's_memtime' ? $sdst == 126 ? 'EXEC as destination' : dest_reason('s2', $sdst) : '';
    }
    my ($list) = map { s/^\w*://r } grep { /imm$/ } $row->{forms}->@*;
    my ($to, $base) = split ' ', $list;
    return 'M0 or EXEC as destination' if $sdst == 124 || $sdst >= 126;
    return dest_reason($to, $sdst) || dest_reason($base, 2 * $sbase) || ($imm ? ''
        : $offset == 255 ? $literal < 0x100 ? 'a literal that would be an immediate' : ''
        : defined scalar_register($offset, 1) || ($offset >= 251 && $offset <= 253) ? '' : 'no such offset register');
}

# --- Memory ----------------------------------------------------------------------------------------------------------

# The bytes of a second word that must be VGPRs: [byte value, how many], or 0 for one that must be zero.
sub vgpr_bytes (@wanted) {
    for (@wanted) {
        my ($byte, $n) = @$_;
        return 'bits of an operand the opcode does not have' if !$n && $byte;
        return 'VGPRs past v255' if $n && $byte + $n > 256;
    }
    return '';
}

sub ds ($row, $w, $second) {
    my $name = $row->{name};
    my @shapes = split ' ', ($row->{forms}[0] // ':') =~ s/^\w*://r;
    return 'reserved bit 16' if $w >> 16 & 1;
    return 'operands of an instruction without any' if $name eq 'ds_nop' && ($w & 0x3ffff || $second);
    return 'GDS must be set' if grep({ $_ eq '+gds' } @shapes) && !($w >> 17 & 1);
    my @n = map { substr $_, 1 } grep { !/^\+/ } @shapes;
    my $returns = $name =~ /_rtn_|_read|swizzle|append|consume|ordered_count/ ? shift @n : 0;
    my ($addr, $data0, $data1) = $name =~ /append|consume/ ? (0, 0, 0) : (@n, 0, 0, 0);
    return vgpr_bytes([$second & 255, $addr], [$second >> 8 & 255, $data0], [$second >> 16 & 255, $data1],
        [$second >> 24, $returns]);
}

sub flat ($row, $w, $second) {
    my $name = $row->{name};
    my ($list) = map { s/^\w*://r } $row->{forms}->@*;
    my @n = map { substr $_, 1 } split ' ', $list;
    return 'reserved bits' if $w & 0x200ffff || $second >> 16 & 127;
    return 'TFE' if $second >> 23 & 1;
    my ($data, $to) = $name =~ /load/ ? (0, $n[0]) : ($n[1], 0);
    $to = $name =~ /cmpswap/ ? $data / 2 : $data if $name =~ /atomic/ && $w >> 16 & 1;
    return vgpr_bytes([$second & 255, 2], [$second >> 8 & 255, $data], [$second >> 24, $to]);
}

sub soffset_reason ($code) {
    my ($why) = source_reason('S1', $code);
    return $why;
}

sub buffer ($row, $w, $second) {
    my $name = $row->{name};
    my ($list) = map { s/^\w*://r } $row->{forms}->@*;
    my ($data) = split ' ', $list;
    if ($data !~ /^v/) { return $w & 0x2ffff || $second ? 'operands of an instruction without any' : '' }
    my $width = substr $data, 1;
    my ($offen, $idxen, $addr64) = map { $w >> $_ & 1 } 12, 13, 15;
    my $tfe = $second >> 23 & 1;
    my $lds = $row->{format} eq 'MUBUF' ? $w >> 16 & 1 : 0;
    return 'ADDR64 with IDXEN or OFFEN' if $addr64 && ($offen || $idxen);
    return 'reserved bits' if $second >> 21 & 1 || ($row->{format} eq 'MUBUF' && $w >> 17 & 1)
        || ($row->{format} eq 'MUBUF' && $w >> 25 & 1);
    return 'TFE on what is no untyped load' if $tfe && $name !~ /^buffer_load/;
    return 'LDS on what is no load of a dword' if $lds && ($name !~ /^buffer_load/ || $width > 1);
    return 'LDS with TFE' if $lds && $tfe;
    my $why = dest_reason('s4', 4 * ($second >> 16 & 31)) || soffset_reason($second >> 24);
    return $why || vgpr_bytes([$second & 255, $addr64 ? 2 : $offen + $idxen],
        [$second >> 8 & 255, $lds ? 0 : $width + $tfe]);
}

sub mimg ($row, $w, $second) {
    my $name = $row->{name};
    my ($dmask, $tfe) = ($w >> 8 & 15, $w >> 16 & 1);
    my @lists = map { [split ' ', s/^\w*://r] } $row->{forms}->@*;
    my $sampled = grep { $_ eq 's4' } $lists[0]->@*;
    return 'reserved bits' if $w & 0xff || $second >> 26;
    my $count = () = sprintf('%b', $dmask) =~ /1/g;
    my $width = $count || 1;
    if ($name =~ /gather4/) {
        return 'gather4 with other than one bit of DMASK' if $count != 1;
        $width = 4;
    }
    if ($name =~ /atomic/) {
        my %with_tfe = $name =~ /cmpswap/ ? (1 => 2, 3 => 3, 15 => 3) : (1 => 3, 3 => 3, 15 => 2);
                 # bit 0: without, bit 1: with
        return 'an atomic with another DMASK' if !(($with_tfe{$dmask} // 0) >> $tfe & 1);
    }
    my ($least) = sort { $a <=> $b } map { substr $_->[1], 1 } @lists;
    my $why = dest_reason('s8', 4 * ($second >> 16 & 31))
        || ($sampled ? dest_reason('s4', 4 * ($second >> 21 & 31)) : $second >> 21 & 31
        ? 'a sampler the opcode does not have' : '');
    return $why || vgpr_bytes([$second & 255, $least], [$second >> 8 & 255, $width + $tfe]);
}

sub export ($row, $w, $second) {
    my ($en, $target, $compr) = ($w & 15, $w >> 4 & 63, $w >> 10 & 1);
    return 'reserved bits' if $w >> 13 & 0x1fff;
    return 'no such target' if $target == 10 || $target == 11 || ($target >= 16 && $target < 32);
    return 'a half of a compressed pair' if $compr && $en != 0 && $en != 3 && $en != 12 && $en != 15;
    my @on = $compr ? ($en & 1, $en >> 2 & 1, 0, 0) : map { $en >> $_ & 1 } 0 .. 3;
    return vgpr_bytes(map { [$second >> 8 * $_ & 255, $on[$_]] } 0 .. 3);
}

# ---------------------------------------------------------------------------------------------------------------------

my %RULES = (VOP1 => \&vop1, VOP2 => \&vop2, VOPC => \&vopc, VOP3 => \&vop3, VINTRP => \&vintrp, SOP2 => \&sop2,
    SOP1 => \&sop1, SOPC => \&sopc, SOPK => \&sopk, SOPP => \&sopp, SMRD => \&smrd, DS => \&ds, FLAT => \&flat,
    MUBUF => \&buffer, MTBUF => \&buffer, MIMG => \&mimg, EXP => \&export);

# The reason why the assembler has no text for this instruction (its 4 or 8 bytes); empty if it has.
sub unproducible ($bytes) {
    my $format = word_format($bytes);
    return 'no such encoding' if $format eq '';
    my $row = $ROW{"$format " . word_opcode($bytes)} or return 'no such opcode';
    my ($w, $second) = unpack 'V2', $bytes;
    return $RULES{$format}->($row, $w, $second);
}

1;
