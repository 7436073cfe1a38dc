#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gen_corpus.pl PLATFORM COUNT OUT.asm [SEED]: writes lines in IGA's syntax for 7p5, 8, 9, 11, 12p1 or 12p71, drawn from
# the whole space of its instructions: opcode, types, regions, modifiers, sizes, predicates, conditions, constants,
# messages, branches, options.  It knows neither gpudbg nor its tables; what IGA refuses is dropped by OracleGen.
# Always the same lines for the same arguments.  A line is an instruction; the targets of branches are labels B0 to B39,
# the places of lines in their piece of 40.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use OracleRandom qw(generator);

@ARGV >= 3 or die "usage: gen_corpus.pl 7p5|8|9|11|12p1|12p71 COUNT OUT.asm [SEED]\n";
my ($platform, $count, $path, $seed) = (@ARGV, 0);
my ($g8, $g11, $g12) = (scalar($platform =~ /^(?:8|9|11)$/), $platform eq '11', scalar($platform =~ /^12/));
my $g125 = $platform eq '12p71';
my $split = $platform eq '9' || $g11;
my $random = generator($seed ^ ($g125 ? 0x125c0ffe : $g12 ? 0x12c0ffee : $g8 ? hex "${platform}c0ffee" : 0x75c0ffee));
sub rnd ($n) { return $random->($n) }
sub pick (@list) { return $list[rnd(scalar @list)] }
sub chance ($of) { return rnd($of) == 0 }

my @INTS = qw(ub b uw w ud d);
my @TYPES = (@INTS, 'f', $g12 || $g8 ? qw(hf q uq df) : 'df', $g125 ? 'bf' : ());
my %SIZE = (ub => 1, b => 1, uw => 2, w => 2, ud => 4, d => 4, f => 4, hf => 2, q => 8, uq => 8, df => 8, bf => 2);
my @PRED = ('', '', qw(.anyv .allv .any2h .all2h .any4h .all4h .any8h .all8h .any16h .all16h .any32h .all32h));
my @COND = qw(eq ne gt ge lt le ov un);
my @UNARY = (qw(mov not bfrev frc rndu rndd rnde rndz lzd fbh fbl cbit), $g12 || $g8 ? () : qw(f32to16 f16to32));
my @BINARY = (qw(sel and or xor shr shl asr cmp cmpn bfi1 add mul avg mac mach addc subb),
    $g12 || $g11 ? qw(rol ror) : qw(sad2 sada2 dp4 dph dp3 dp2 line pln), $g8 ? 'smov' : ());
my @TERNARY = $g12 || $g11 ? (qw(mad csel bfe bfi2), $g12 ? 'dp4a' : (), $g125 ? qw(add3 bfn dpas dpas) : ())
    : (qw(mad lrp bfe bfi2), $g8 ? 'csel' : ());
my @MATH1 = qw(inv log exp sqt rsqt sin cos);
my @MATH2 = (qw(idiv iqot irem), $g12 ? () : qw(fdiv pow));
my %LOGIC = map { $_ => 1 } qw(and or xor not);

sub predicate () {
    my $w = chance(3) ? 'W' : '';
    my $p = chance(3) ? (chance(2) ? '~' : '') . 'f' . rnd(2) . '.' . rnd(2) . pick(@PRED) : '';
    return $w || $p ? '(' . join('&', grep { $_ ne '' } $w, $p) . ') ' : '';
}

my $size;       # of the instruction being made
sub sizes () {
    $size = pick(1, 2, 4, 8, 8, 8, 16, 16, 32);
    my $step = $size < 4 ? 4 : $size;
    return "($size|M" . ($step >= 32 ? 0 : $step * rnd(32 / $step)) . ')';
}

# What takes no condition: IGA forgets it, but for the number of its flag.
my %PLAIN = map { $_ => 1 } $g12 ? qw(bfrev bfe bfi1 bfi2 fbh fbl cbit movi dp4a mach)
    : qw(bfrev bfe bfi1 bfi2 fbh fbl cbit mach addc subb smov);
sub condition ($op = '') {
    return '' if $PLAIN{$op};
    return chance(3) ? '(' . pick(@COND) . ')f' . rnd(2) . '.' . rnd(2) . ' ' : '';
}

my %ARF = $g8 ? (a0 => 16, acc0 => 8, acc1 => 8, f0 => 1, f1 => 1, sr0 => 4, cr0 => 3, n0 => 3, tdr0 => 4, tm0 => 4,
    sp => 2) : $g12
    ? (a0 => 16, acc0 => 8, acc1 => 8, acc5 => 8, f0 => 1, f1 => 1, sr0 => 4, cr0 => 3, n0 => 3, tdr0 => 8,
    tm0 => 4, $g125 ? () : (sp => 2), fc0 => 2, dbg0 => 2)
               : (a0 => 8, acc0 => 8, acc1 => 8, f0 => 1, f1 => 1, sr0 => 4, cr0 => 3, n0 => 3, tdr0 => 4, tm0 => 4,
               sp => 2);

sub place ($type) {
    return 'null' if chance(30);
    if (chance(8)) {
        my $name = pick(sort keys %ARF);
        my $bytes = $name eq 'a0' ? $ARF{a0} * 2 : $name =~ /^tdr/ ? $ARF{$name} * 2 : $ARF{$name} * 4;
        my $most = int($bytes / $SIZE{$type}) || 1;
        return "$name." . rnd($most);
    }
    return pick('ip', 'ce') if chance(60);
    return 'r' . rnd(128) . '.' . (chance(2) ? 0 : rnd(32 / $SIZE{$type}));
}

sub indirect () {
    my $sub = rnd($g12 || $g8 ? 16 : 8);
    return chance(3) ? "r[a0.$sub]" : "r[a0.$sub," . (rnd(1024) - 512) . ']';
}

sub destination ($type) {
    my $at = chance(8) ? indirect() : place($type);
    return (chance(5) ? '(sat)' : '') . "$at<" . pick(1, 1, 1, 2, 4) . ">:$type";
}

sub region ($vx) {
    my $width = pick(1, 2, 4, 8, 16);
    $width = 1 if chance(4);
    return '<' . $width . ',' . pick(0, 1, 2, 4) . '>' if $vx;
    return pick('<0;1,0>', '<8;8,1>', '<16;16,1>', '<4;4,1>', '<2;2,1>', '<1;1,0>') if chance(2);
    return '<' . pick(0, 1, 2, 4, 8, 16, 32) . ";$width," . pick(0, 1, 2, 4) . '>';
}

sub modifiers ($op) {
    return chance(5) ? '~' : '' if $LOGIC{$op};
    return pick('', '', '', '-', '(abs)', '-(abs)');
}

sub source ($op, $type) {
    my $mods = modifiers($op);
    return $mods . indirect() . region(chance(2)) . ":$type" if chance(8);
    return $mods . place($type) . region(0) . ":$type";
}

my @FLOATS = qw(0x0 0x3F800000 0xBF800000 0x40490FDB 0x7F800000 0x7FC00000 0x7F800001 0x80000000 0x3DCCCCCD 0x00000001);
sub constant ($type) {
    return pick(@FLOATS) . ':f' if $type eq 'f' && chance(2);
    return sprintf('0x%08X:f', rnd(65536) << 16 | rnd(65536)) if $type eq 'f';
    return sprintf('0x%04X:hf', rnd(65536)) if $type eq 'hf';
    return sprintf('0x%08X:%s', rnd(65536) << 16 | rnd(65536), pick('v', 'uv', 'vf')) if chance(6);
    $type = 'ud' if $type eq 'bf';
    my $small = chance(2);
    my $bits = $small ? rnd(32) : $SIZE{$type} == 8
        ? (rnd(65536) << 48 | rnd(65536) << 32 | rnd(65536) << 16 | rnd(65536)) : rnd(65536) << 16 | rnd(65536);
    $bits &= 0xffff if $SIZE{$type} <= 2;
    $bits &= 0xff if $SIZE{$type} == 1;
    return sprintf('0x%X:%s', $bits, $type);
}

sub options (@more) {
    my @all = @more;
    push @all, 'AccWrEn' if chance(8);
    push @all, 'Breakpoint' if chance(20);
    push @all, 'Atomic' if chance(12);
    if ($g125) {
        push @all, pick(of_pipe(), '$' . rnd(16) . '.dst', '$' . rnd(16) . '.src',
            '@' . (1 + rnd(7)) . ',$' . rnd(16) . '.dst') if chance(2);
    } elsif ($g12) {
        push @all, pick('@' . (1 + rnd(7)), '$' . rnd(16) . '.dst', '$' . rnd(16) . '.src',
            '@' . (1 + rnd(7)) . ',$' . rnd(16) . '.dst') if chance(3);
    } else {
        push @all, 'NoDDClr' if chance(8);
        push @all, 'NoDDChk' if chance(8);
        push @all, 'Switch' if chance(12);
        push @all, 'NoPreempt' if $g11 && chance(12);
    }
    return @all ? ' {' . join(',', @all) . '}' : '';
}
sub of_pipe () { return pick('', qw(A F I L)) . '@' . (1 + rnd(7)) }
sub token ($all = 0) {
    return $g12 && !chance(3) ? '$' . rnd(16)
        : $g12 && chance(2) ? ($g125 && $all ? 'A' : '') . '@' . (1 + rnd(7)) . ',$' . rnd(16) : ();
}

sub unary ($op) {
    my ($d, $s) = (pick(@TYPES), pick(@TYPES));
    $d = $s if chance(3);
    ($d, $s) = (pick(qw(w uw ud)), 'f') if $op eq 'f32to16';
    ($d, $s) = ('f', pick(qw(w uw))) if $op eq 'f16to32';
    my $from = chance(4) ? constant($s) : source($op, $s);
    my $wide = $from =~ /^0x\w+:(?:u?q|df)$/;    # the constant takes the place of the condition
    return predicate() . "$op " . sizes() . ' ' . ($wide ? '' : condition($op)) . destination($d) . " $from"
        . options();
}

sub binary ($op) {
    my $d = pick(@TYPES);
    my $s = chance(3) ? pick(@TYPES) : $d;
    my $t = chance(3) ? pick(@TYPES) : $s;
    my $float = $op =~ /^dp|^line|^pln/;
    ($d, $s, $t) = ('f', 'f', 'f') if $float;
    my $first = $op eq 'line' || $op eq 'pln' ? place('f') . '<0;1,0>:f' : source($op, $s);
    return predicate() . "$op " . sizes() . ' ' . condition($op) . destination($d) . " $first "
        . (chance(4) ? constant($t) : source($op, $t)) . options();
}

sub math () {
    my $two = chance(3);
    my $fc = $two ? pick(@MATH2) : pick(@MATH1);
    my $type = $fc =~ /^i[dqr]/ ? pick(qw(d ud)) : $g12 && chance(3) ? 'hf' : 'f';
    if (($g12 || $g11) && chance(5)) {
        my $mme = sub { 'r' . rnd(128) . '.' . pick('nomme', map { "mme$_" } 0 .. 7) };
        my $line = predicate() . (chance(2) ? 'math.invm ' : 'math.rsqtm ') . sizes() . ' (eo)f' . rnd(2) . '.' . rnd(2)
            . ' ' . $mme->() . ':f ' . $mme->() . ':f';
        $line .= ' ' . $mme->() . ':f' if $line =~ /invm/;
        return $line . options(token());
    }
    my @sources = map { (chance(4) ? '' : '') . place($type) . region(0) . ":$type" } 1 .. ($two ? 2 : 1);
    $sources[-1] = constant($type) if $two && chance(6);
    return predicate() . "math.$fc " . sizes() . ' ' . destination($type) . ' ' . join(' ', @sources)
        . ($g12 ? options(token()) =~ s/,\$\d+\.\w+//r =~ s/\{\$\d+\.\w+\}//r : options());
}

sub ternary7 ($op) {
    my $type = $op =~ /^b/ ? pick(qw(d ud)) : $op eq 'mad' && chance(6) ? 'df' : $g8 && chance(4) ? 'hf' : 'f';
    my $mods = sub { $op =~ /^b/ ? '' : pick('', '', '-', '(abs)', '-(abs)') };
    my $src = sub ($last) { my $rep = chance(3); $mods->() . 'r' . rnd(128) . '.'
        . ($rep ? rnd(32 / $SIZE{$type}) : chance(2) ? 0 : 4)
        . ($last ? $rep ? '<0>' : '<1>' : $rep ? '<0;0>' : '<2;1>') . ":$type" };
    my $sizes = sizes();
    my $dst = (chance(5) ? '(sat)' : '') . 'r' . rnd(128) . '.'
        . ($size == 1 && $type ne 'df' ? rnd(8) : chance(2) ? 0 : 4) . "<1>:$type";
    return "$op $sizes " . condition($op) . "$dst " . join(' ', $src->(0), $src->(0), $src->(1)) . options()
        if $op eq 'csel';
    return predicate() . "$op $sizes "  . condition($op) . "$dst " . join(' ', $src->(0), $src->(0), $src->(1))
        . options();
}

# Gen11: rows step by 0, 2, 4 or 8, the destination is at a multiple of 8 bytes, source 1 may be an accumulator.
sub macro_step () {
    my $mme = sub { 'r' . rnd(128) . '.' . pick('nomme', map { "mme$_" } 0 .. 7) . ':f' };
    return predicate() . 'madm ' . sizes() . ' ' . join(' ', map { $mme->() } 0 .. 3) . options();
}

# Depth and rows, types of sums and of factors, whole registers or not.
sub dpas () {
    my $op = pick('dpas', 'dpas', 'dpasw') . '.' . pick(1, 2, 4, 8) . 'x' . (1 + rnd(8));
    my $float = chance(2);
    my $sums = sub { $float ? pick(qw(f hf bf)) : pick(qw(d ud)) };
    my @factor = map { $float ? pick(qw(hf bf)) : pick(qw(ub b u4 s4 u2 s2)) } 0, 1;
    my $sub = sub ($type) { chance(3) ? '.' . rnd(4) * ($type =~ /4$/ ? 2 : $type =~ /2$/ ? 4 : 1) : '' };
    my ($d, $s) = ($sums->(), $sums->());
    return (chance(3) ? '(W) ' : '') . "$op " . sizes() . ' r' . rnd(128) . $sub->($d) . ":$d "
        . (chance(5) ? 'null' : 'r' . rnd(128) . $sub->($s)) . ":$s " .
        join(' ', map { 'r' . rnd(128) . $sub->($_) . ":$_" } @factor)
        . ' {' . join(',', (chance(4) ? 'Atomic' : ()), (chance(9) ? 'AccWrEn' : ()), token() || '$' . rnd(16)) . '}';
}

# Eight bits, or an expression of them.
sub truth ($depth) {
    return pick('s0', 's1', 's2') if $depth > 2 || chance(3);
    return '~' . truth($depth + 1) if chance(3);
    return '(' . truth($depth + 1) . pick('&', '|', '^') . truth($depth + 1) . ')';
}
sub bfn () {
    my $type = pick(qw(ud d uw w));
    my $src = sub ($n) { sprintf '%s', $n != 1 && chance(6) ? sprintf('0x%X:uw', rnd(65536)) : 'r' . rnd(128) . '.0'
        . ($n == 2 ? '<' . pick(0, 1, 2, 4) . '>' : '<' . pick(0, 1, 4, 8) . ';' . pick(0, 1, 2, 4) . '>') . ":$type" };
    my $function = chance(2) ? sprintf('0x%02X', rnd(256)) : truth(0) =~ s/^(?!\()(.*)/($1)/r;
    return predicate() . "bfn.$function " . sizes() . ' '
        . (chance(3) ? '(' . pick(qw(eq gt lt)) . ')f' . rnd(2) . '.' . rnd(2) . ' ' : '') . (chance(5) ? '(sat)' : '')
        . 'r' . rnd(128) . '.0<' . pick(1, 2) . ">:$type " . join(' ', map { $src->($_) } 0 .. 2) . options();
}

sub ternary12 ($op) {
    return dpas() if $op eq 'dpas';
    return bfn() if $op eq 'bfn';
    return macro_step() if $g11 && $op eq 'mad' && chance(8);
    my $float = $op =~ /^(?:mad|csel)$/ && chance(2);
    my @types = $float ? (qw(f hf f df), $g125 ? 'bf' : ()) : @INTS;
    my $d = pick(@types);
    my $type = sub { chance(4) ? pick(@types) : $d };
    my $mods = sub { pick('', '', '-', '(abs)', '-(abs)') };
    my $src = sub ($n) {
        my $t = $type->();
        return sprintf('0x%X:%s', rnd(65536), $float ? 'hf' : pick('w', 'uw')) if $n != 1 && chance(6);
        my $at = chance(10) && ($g12 || $n == 1) ? 'acc' . rnd(2) . '.' . rnd(4)
            : 'r' . rnd(128) . '.' . rnd(32 / $SIZE{$t});
        return $mods->() . $at . ($n == 2 ? '<' . pick(0, 1, 2, 4) . '>' : '<' . pick(0, $g11 ? 2 : 1, 4, 8) . ';'
            . pick(0, 1, 2, 4) . '>') . ":$t";
    };
    my $dst = (chance(5) ? '(sat)' : '') . 'r' . rnd(128) . '.' . ($g11 ? rnd(4) * 8 / $SIZE{$d} : rnd(32 / $SIZE{$d}))
        . '<' . pick(1, 2) . ">:$d";
    return ($op eq 'csel' ? chance(3) ? '(W) ' : '' : predicate()) . "$op " . sizes() . ' ' . condition($op) . "$dst "
        . join(' ', map { $src->($_) } 0 .. 2) . options();
}

sub message () {
    my $op = pick('send', 'sendc');
    my $desc = sprintf '0x%08X', rnd(16) << 25 | rnd(32) << 20 | rnd(2) << 19 | rnd(8) << 16 | rnd(65536);
    if ($g125) {
        my $fc = pick(qw(null smpl gtwy dc2 rc urb btd rta dcro dc0 pixi dc1), qw(ugm ugm ugm slm slm tgm ugml));
        my $reg = chance(4) ? 'a0.' . rnd(8) : '';
        my $whole = $reg && chance(3);
        my $high = chance(3) ? rnd(65536) << 16 | rnd(16) << 12 : chance(3) ? rnd(256) << 24 : 0;
        $desc = 'a0.0' if chance(6);
        return predicate() . "$op.$fc " . sizes() . ' ' . (chance(4) ? 'null' : 'r' . rnd(128)) . ' r' . rnd(128) . ' '
            . (chance(2) ? 'null' . ($whole ? '' : ':0') : 'r' . rnd(128) . ($whole ? '' : ':' . rnd(32))) . ' '
            . ($reg || sprintf '0x%X', $high) . " $desc {" . join(',', (chance(6) ? 'EOT' : ()),
            ($reg && !$whole && chance(3) ? 'CPS' : ()), (chance(9) ? 'Serialize' : ()),
            token(1) || '$' . rnd(16)) . '}';
    }
    if ($g12) {
        my $fc = pick(qw(null smpl gtwy dc2 rc urb ts vme dcro dc0 pixi dc1 cre));
        my $ex = chance(4) ? 'a0.' . 2 * rnd(4) : sprintf '0x%X', rnd(16) << 6 | (chance(3) ? rnd(65536) << 12 : 0);
        my $dst = chance(4) ? 'null' : 'r' . rnd(128);
        my $second = chance(2) ? 'null' : 'r' . rnd(128);
        $desc = 'a0.0' if chance(6);
        return predicate() . "$op.$fc " . sizes() . " $dst r" . rnd(128) . " $second $ex $desc" . ' {'
            . join(',', (chance(6) ? 'EOT' : ()), token() || '$' . rnd(16)) . '}';
    }
    my $eot = chance(6);
    my $high = $split && chance(3) ? rnd(65536) << 16 : 0;
    if ($split && chance(2)) {
        my $ex = chance(4) ? 'a0.' . rnd(8) : sprintf '0x%X', pick(2 .. 13) | ($eot ? 0x20 : 0) | rnd(16) << 6 | $high;
        $eot = 0 if $ex =~ /^a/;
        $desc = 'a0.0' if chance(6);
        return predicate() . "${op}s" =~ s/sendcs/sendsc/r . ' ' . sizes() . ' '
            . (chance(4) ? 'null' : 'r' . rnd(128)) . ':' . pick(qw(f ud d uw w hf q)) . ' r' . rnd(128) . ' '
            . (chance(4) ? 'null' : 'r' . rnd(128)) . " $ex $desc" . ($eot ? ' {EOT}' : '');
    }
    my $sfid = sprintf '0x%X', pick(2 .. 13) | ($eot ? 0x20 : 0) | $high;
    $desc = 'a0.0' if chance(6);
    my $dst = (chance(4) ? 'null' : 'r' . rnd(128)) . ':' . pick(qw(f ud d uw w));
    return predicate() . "$op " . sizes() . " $dst r" . rnd(128) . (chance(3) ? ':' . pick(qw(f d uw)) : '')
        . " $sfid $desc" . options($eot ? 'EOT' : ());
}

my $line;
sub label () { return 'B' . rnd(40) }
sub flow () {
    my $op = pick(qw(if else endif while break cont halt jmpi call ret brd calla),
        $g12 || $g8 ? qw(goto join brc) : ());
    my $pred = predicate();
    if ($op eq 'jmpi') {
        my $p = $pred =~ /(~?f[^)]*)/ ? "(W&$1) " : '(W) ';
        my $reg = $g12 ? pick('a0.0', 'r' . rnd(128) . '.0') : 'r' . rnd(128) . '.0';
        return "${p}jmpi " . (chance(5) ? $reg : label());
    }
    $pred = '' if $op =~ /^(?:else|endif)$/;
    my $head = $pred . $op
        . (($g12 || $g8) && $op =~ /^(?:goto|if|else)$/ && chance(4) ? '.b' : '') . ' ' . sizes() . ' ';
    my $tail = $g12 ? chance(4) ? ' {@' . (1 + rnd(7)) . '}' : '' : chance(8) ? ' {Switch}' : '';
    return $head . label() . $tail if $op =~ /^(?:endif|while|join)$/ || ($op eq 'else' && !$g12 && !$g8);
    return $head . (chance(3) ? 'r' . rnd(128) . '.0' : label() . ($g12 || $g8 ? '' : ':w')) . $tail if $op eq 'brd';
    return $head . 'r' . rnd(128) . '.0 ' . (chance(4) ? 'r' . rnd(128) . '.0' : label()) . $tail if $op eq 'call';
    return $head . 'r' . rnd(128) . '.0 ' . 16 * rnd(4096) . $tail if $op eq 'calla';
    return $head . 'r' . rnd(128) . '.0' . $tail if $op eq 'ret';
    return $head . label() . ' ' . label() . $tail;
}

sub other () {
    return pick('nop', 'illegal') if chance(3);
    return '(W) wait n0.' . rnd(3) . '<0;1,0>:ud' if !$g12;
    my $swsb = chance(2) ? ' {' . pick('@' . (1 + rnd(7)), '$' . rnd(16) . '.dst', '$' . rnd(16) . '.src') . '}' : '';
    my $p = chance(3) ? '(W) ' : '';
    return $p . pick('sync.nop null', 'sync.bar null', 'sync.host null', 'sync.allrd null', 'sync.allwr null',
        'sync.allrd ($' . rnd(8) . ',$' . (8 + rnd(8)) . ')', 'sync.allwr ($' . rnd(16) . ')') . $swsb;
}

open my $out, '>', $path or die "$path: $!\n";
for ($line = 0; $line < $count; $line++) {
    my $kind = rnd(20);
    my $text = $kind < 5 ? unary(chance(3) ? 'mov' : pick(@UNARY)) : $kind < 11 ? binary(pick(@BINARY)) : $kind < 14
        ? ($g12 || $g11 ? ternary12(pick(@TERNARY)) : ternary7(pick(@TERNARY)))
        : $kind < 16 ? math() : $kind < 18 ? message() : $kind < 19 ? flow() : other();
    print $out "$text\n";
}
close $out or die "$path: $!\n";
