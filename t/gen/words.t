# SPDX-License-Identifier: GPL-3.0-or-later
#
# Words of gen7 and gen7.5 built by hand from the positions of their fields, one test a field and format, Align16 above
# all, where no assembler helps.  This script knows nothing of the decoder: it lays numbers into 128 bits and says what
# the text in the manual's syntax must be, field by field from a plain word.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);

# Fields by the bits of the 128-bit word, as the sheets have them.
my %AT = (
    opcode => [6, 0], access => [8, 8], nomask => [9, 9], ddclr => [10, 10], ddchk => [11, 11], qtr => [13, 12],
    thread => [15, 14], pred => [19, 16], pinv => [20, 20], exec => [23, 21], cmod => [27, 24], acc => [28, 28],
    debug => [30, 30], sat => [31, 31], dfile => [33, 32], dtype => [36, 34], file0 => [38, 37], type0 => [41, 39],
    file1 => [43, 42], type1 => [46, 44], nib => [47, 47], dsub => [52, 48], dmask => [51, 48], dsub16 => [52, 52],
    dreg => [60, 53], dh => [62, 61], dind => [63, 63], dimm => [57, 48], dimm16 => [57, 52], da0 => [60, 58],
    sub0 => [68, 64], reg0 => [76, 69], abs0 => [77, 77], neg0 => [78, 78], ind0 => [79, 79], h0 => [81, 80],
    w0 => [84, 82], v0 => [88, 85], imm0 => [73, 64], imm016 => [73, 68], a00 => [76, 74], x0 => [65, 64],
    y0 => [67, 66], sub160 => [68, 68], z0 => [81, 80], ww0 => [83, 82], fsub => [89, 89], freg => [90, 90],
    sub1 => [100, 96], reg1 => [108, 101], abs1 => [109, 109], neg1 => [110, 110], ind1 => [111, 111], h1 => [113, 112],
    w1 => [116, 114], v1 => [120, 117], imm1 => [105, 96], imm116 => [105, 100], a01 => [108, 106], x1 => [97, 96],
    y1 => [99, 98], sub161 => [100, 100], z1 => [113, 112], ww1 => [115, 114], imm => [127, 96], jip => [111, 96],
    uip => [127, 112], eot => [127, 127], desc => [124, 96],
    # three sources
    tfsub => [33, 33], tfreg => [34, 34], tabs0 => [36, 36], tneg0 => [37, 37], tabs1 => [38, 38], tneg1 => [39, 39],
        tabs2 => [40, 40],
    tneg2 => [41, 41], tstype => [43, 42], tdtype => [45, 44], tmask => [52, 49], tdsub => [55, 53], tdreg => [63, 56],
    rep0 => [64, 64], swz0 => [72, 65], tsub0 => [75, 73], treg0 => [83, 76], rep1 => [85, 85], swz1 => [93, 86],
    tsub1 => [96, 94], treg1 => [104, 97], rep2 => [106, 106], swz2 => [114, 107], tsub2 => [117, 115],
    treg2 => [125, 118],
);

# The bytes of a word with these fields, as hex.
sub word (%fields) {
    my @bits = (0) x 128;
    for my $name (keys %fields) {
        my ($hi, $lo) = ($AT{$name} // die "no field $name\n")->@*;
        $bits[$lo + $_] |= $fields{$name} >> $_ & 1 for 0 .. $hi - $lo;
    }
    return unpack 'H*', pack 'b*', join '', @bits;
}

# Plain words: add (8) r10<1>:f r2<8;8,1>:f r4<8;8,1>:f, its Align16 and three-source cousins, and what they print.
my %ALIGN1 = (opcode => 0x40, exec => 3, dfile => 1, dtype => 7, file0 => 1, type0 => 7, file1 => 1, type1 => 7,
    dreg => 10, dh => 1, reg0 => 2, h0 => 1, w0 => 3, v0 => 4, reg1 => 4, h1 => 1, w1 => 3, v1 => 4);
my %ALIGN16 = (opcode => 0x40, access => 1, exec => 3, dfile => 1, dtype => 7, file0 => 1, type0 => 7, file1 => 1,
    type1 => 7, dreg => 10, dh => 1, dmask => 15, reg0 => 2, v0 => 3, x0 => 0, y0 => 1, z0 => 2, ww0 => 3, reg1 => 4,
    v1 => 3, x1 => 0, y1 => 1, z1 => 2, ww1 => 3);
my %THREE = (opcode => 0x5b, access => 1, exec => 3, tmask => 15, tdreg => 10, swz0 => 0xe4, treg0 => 2, swz1 => 0xe4,
    treg1 => 4, swz2 => 0xe4, treg2 => 6);
my $A1 = 'add (8) r10.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f {Q1}';
my $A16 = 'add (8) r10.0<1>.xyzw:f r2.0<4>.xyzw:f r4.0<4>.xyzw:f {Align16, Q1}';
my $MAD = 'mad (8) r10.0<1>.xyzw:f r2.0<4>.xyzw:f r4.0<4>.xyzw:f r6.0<4>.xyzw:f {Align16, Q1}';

my @cases;
# t(plain fields, changed fields, plain text, [what, becomes]...)
sub t ($plain, $change, $text, @edits) {
    while (my ($from, $to) = splice @edits, 0, 2) {
        index($text, $from) >= 0 or die "'$from' is not in '$text'\n";
        substr($text, index($text, $from), length $from) = $to;
    }
    push @cases, [word(%$plain, %$change), $text];
}
sub a1 ($change, @edits) { t(\%ALIGN1, $change, $A1, @edits) }
sub a16 ($change, @edits) { t(\%ALIGN16, $change, $A16, @edits) }
sub mad ($change, @edits) { t(\%THREE, $change, $MAD, @edits) }

a1({});
a16({});
mad({});

# Control, in every format.
for my $make ([\&a1, '', 0], [\&a16, 'Align16, ', 0], [\&mad, 'Align16, ', 1]) {
    my ($f, $a, $three) = @$make;
    my ($freg, $fsub) = $three ? qw(tfreg tfsub) : qw(freg fsub);
    my $name = $three ? 'mad' : 'add';
    $f->({nomask => 1}, "{${a}Q1}", "{${a}NoMask, Q1}");
    $f->({ddclr => 1}, "Q1}", "Q1, NoDDClr}");
    $f->({ddchk => 1}, "Q1}", "Q1, NoDDChk}");
    $f->({ddclr => 1, ddchk => 1}, "Q1}", "Q1, NoDDClr, NoDDChk}");
    $f->({qtr => 1}, 'Q1', 'Q2');
    $f->({qtr => 2}, 'Q1', 'Q3');
    $f->({qtr => 3}, 'Q1', 'Q4');
    $f->({exec => 4, qtr => 2}, '(8)', '(16)', 'Q1', 'H2');
    $f->({exec => 2, nib => 1}, '(8)', '(4)', 'Q1', 'N2');
    $f->({exec => 2, qtr => 3, nib => 1}, '(8)', '(4)', 'Q1', 'N8');
    $f->({exec => 0}, '(8)', '(1)', 'Q1', 'N1');
    $f->({thread => 1}, 'Q1}', 'Q1, Atomic}');
    $f->({thread => 2}, 'Q1}', 'Q1, Switch}');
    $f->({pred => 1}, $name, "(f0.0) $name");
    $f->({pred => 1, pinv => 1, $freg => 1}, $name, "(-f1.0) $name");
    $f->({pred => 1, $fsub => 1}, $name, "(f0.1) $name");
    $f->({pred => 6}, $name, "(f0.0.any4h) $name");
    $f->({pred => 7, $freg => 1, $fsub => 1}, $name, "(f1.1.all4h) $name");
    if ($a) {
        $f->({pred => 2 + $_}, $name, "(f0.0." . substr('xyzw', $_, 1) . ") $name") for 0 .. 3;
    } else {
        my @names = qw(anyv allv any2h all2h);
        $f->({pred => 2 + $_}, $name, "(f0.0.$names[$_]) $name") for 0 .. 3;
        $f->({pred => 8}, $name, "(f0.0.any8h) $name");
        $f->({pred => 11}, $name, "(f0.0.all16h) $name");
        $f->({pred => 12}, $name, "(f0.0.any32h) $name");
    }
    my %cond = (1 => 'z', 2 => 'nz', 3 => 'g', 4 => 'ge', 5 => 'l', 6 => 'le', 8 => 'o', 9 => 'u');
    $f->({cmod => $_}, $name, "$name.$cond{$_}.f0.0") for sort keys %cond;
    $f->({cmod => 5, $freg => 1, $fsub => 1}, $name, "$name.l.f1.1");
    $f->({acc => 1}, 'Q1}', 'Q1, AccWrEn}');
    $f->({debug => 1}, 'Q1}', 'Q1, Breakpoint}');
    $f->({sat => 1}, $name, "$name.sat");
    $f->({pred => 1, sat => 1, exec => 4}, $name, "(f0.0) $name.sat", '(8)', '(16)');
}

# Align16: masks, swizzles, halves, strides, modifiers, addresses.
for my $mask (0 .. 14) {
    a16({dmask => $mask}, 'r10.0<1>.xyzw', 'r10.0<1>.'
        . (join('', map { $mask >> $_ & 1 ? substr('xyzw', $_, 1) : '' } 0 .. 3) || 'none'));
}
a16({dsub16 => 1}, 'r10.0', 'r10.4');
a16({dreg => 127}, 'r10', 'r127');
a16({dtype => 1}, 'xyzw:f', 'xyzw:d');
a16({dfile => 0, dreg => 0x20}, 'r10.0', 'acc0.0');
a16({dfile => 0, dreg => 0, dmask => 1}, 'r10.0<1>.xyzw', 'null<1>.x');
a16({dind => 1, da0 => 0, dimm16 => 0, dreg => 0, dind => 1}, 'r10.0', 'r[a0.0]');
push @cases, [word(%ALIGN16, dreg => 0, dind => 1, da0 => 3, dimm16 => 2, dmask => 3),
    $A16 =~ s/r10\.0<1>\.xyzw/r[a0.3,32]<1>.xy/r];
push @cases, [word(%ALIGN16, dreg => 0, dind => 1, da0 => 7, dimm16 => 0x3f, dmask => 15),
    $A16 =~ s/r10\.0/r[a0.7,-16]/r];
for my $n (0, 1) {
    my $r = (2, 4)[$n];
    a16({"x$n" => 3}, "r$r.0<4>.xyzw", "r$r.0<4>.wyzw");
    a16({"y$n" => 0}, "r$r.0<4>.xyzw", "r$r.0<4>.xxzw");
    a16({"z$n" => 1}, "r$r.0<4>.xyzw", "r$r.0<4>.xyyw");
    a16({"ww$n" => 0}, "r$r.0<4>.xyzw", "r$r.0<4>.xyzx");
    a16({"x$n" => 2, "y$n" => 2, "z$n" => 2, "ww$n" => 2}, "r$r.0<4>.xyzw", "r$r.0<4>.zzzz");
    a16({"sub16$n" => 1}, "r$r.0", "r$r.4");
    a16({"v$n" => 0}, "r$r.0<4>", "r$r.0<0>");
    a16({"v$n" => 2}, "r$r.0<4>", "r$r.0<2>");
    a16({"abs$n" => 1}, "r$r.0", "(abs)r$r.0");
    a16({"neg$n" => 1}, "r$r.0", "-r$r.0");
    a16({"abs$n" => 1, "neg$n" => 1}, "r$r.0", "-(abs)r$r.0");
    a16({"reg$n" => 99}, "r$r.0", "r99.0");
    a16({"type$n" => 0}, "r$r.0<4>.xyzw:f", "r$r.0<4>.xyzw:ud");
    a16({"type$n" => 6}, "r$r.0<4>.xyzw:f", "r$r.0<4>.xyzw:df");
    push @cases, [word(%ALIGN16, "reg$n" => 0, "ind$n" => 1, "a0$n" => 5, "imm${n}16" => 3),
        $A16 =~ s/r$r\.0/r[a0.5,48]/r];
    push @cases, [word(%ALIGN16, "reg$n" => 0, "ind$n" => 1, "a0$n" => 2, "imm${n}16" => 0x3e),
        $A16 =~ s/r$r\.0/r[a0.2,-32]/r];
}
my %A16IMM = (%ALIGN16, file1 => 3);
delete @A16IMM{qw(reg1 v1 x1 y1 z1 ww1)};
push @cases, [word(%A16IMM, imm => 0x3f800000), $A16 =~ s/r4\.0<4>\.xyzw:f/1.0:f/r];
push @cases, [word(%A16IMM, type1 => 5, imm => 0x30384048), $A16 =~ s/r4\.0<4>\.xyzw:f/0x30384048:vf/r];
push @cases, [word(%A16IMM, type1 => 1, imm => 0xfffffffe), $A16 =~ s/r4\.0<4>\.xyzw:f/-2:d/r];

# Align1: types, subregisters, regions, addresses, constants.
my @types = qw(ud d uw w ub b df f);
my %size = (ud => 4, d => 4, uw => 2, w => 2, ub => 1, b => 1, df => 8, f => 4);
for my $type (0 .. 7) {
    a1({dtype => $type}, 'r10.0<1>:f', "r10.0<1>:$types[$type]");
    a1({type0 => $type, sub0 => 16}, 'r2.0<8;8,1>:f', 'r2.' . 16 / $size{$types[$type]} . "<8;8,1>:$types[$type]");
    a1({type1 => $type, sub1 => 8}, 'r4.0<8;8,1>:f', 'r4.' . 8 / $size{$types[$type]} . "<8;8,1>:$types[$type]");
}
a1({dsub => 4}, 'r10.0', 'r10.1');
a1({dsub => 5}, 'r10.0', 'r10.1+1');
a1({dh => 0}, '<1>', '<0>');
a1({dh => 2}, '<1>', '<2>');
a1({dh => 3}, '<1>', '<4>');
my @v = (0, 1, 2, 4, 8, 16, 32);
for my $n (0, 1) {
    my $r = (2, 4)[$n];
    a1({"v$n" => $_}, "r$r.0<8;", "r$r.0<$v[$_];") for 0 .. 6;
    a1({"v$n" => 7}, "r$r.0<8;", "r$r.0<#7;");
    a1({"w$n" => $_}, "r$r.0<8;8", "r$r.0<8;" . 2**$_) for 0 .. 4;
    a1({"w$n" => 5}, "r$r.0<8;8", "r$r.0<8;#5");
    a1({"h$n" => $_}, "r$r.0<8;8,1", "r$r.0<8;8," . (0, 1, 2, 4)[$_]) for 0 .. 3;
    a1({"neg$n" => 1}, "r$r", "-r$r");
    a1({"abs$n" => 1}, "r$r", "(abs)r$r");
    push @cases, [word(%ALIGN1, "reg$n" => 0, "ind$n" => 1, "a0$n" => 6, "imm$n" => 64), $A1 =~ s/r$r\.0/r[a0.6,64]/r];
    push @cases, [word(%ALIGN1, "reg$n" => 0, "ind$n" => 1, "a0$n" => 1, "imm$n" => 0x3ff),
        $A1 =~ s/r$r\.0/r[a0.1,-1]/r];
    push @cases, [word(%ALIGN1, "reg$n" => 0, "ind$n" => 1, "a0$n" => 4, "imm$n" => 0, "v$n" => 15, "w$n" => 0,
        "h$n" => 0), $A1 =~ s/r$r\.0<8;8,1>/r[a0.4]<1,0>/r];
    push @cases, [word(%ALIGN1, "reg$n" => 0, "ind$n" => 1, "a0$n" => 0, "imm$n" => 512, "v$n" => 15),
        $A1 =~ s/r$r\.0<8;8,1>/r[a0.0,-512]<8,1>/r];
}
push @cases, [word(%ALIGN1, dreg => 0, dind => 1, da0 => 2, dimm => 0x3f0), $A1 =~ s/r10\.0/r[a0.2,-16]/r];
my %arf = (0x00 => 'null', 0x10 => 'a0.0', 0x20 => 'acc0.0', 0x21 => 'acc1.0', 0x30 => 'f0.0', 0x31 => 'f1.0',
    0x40 => 'ce', 0x70 => 'sr0.0', 0x80 => 'cr0.0', 0x90 => 'n0.0', 0xa0 => 'ip', 0xb0 => 'tdr0.0', 0xc0 => 'tm0.0',
    0x50 => 'arf0x50.0', 0xd0 => 'arf0xD0.0');
a1({file0 => 0, reg0 => $_}, 'r2.0', $arf{$_}) for sort { $a <=> $b } keys %arf;
my %imm = (0 => ['0x12345678', '0x12345678:ud'], 1 => ['0xffffffff', '-1:d'], 2 => ['0x00070007', '0x7:uw'],
    3 => ['0xfff9fff9', '-7:w'], 4 => ['0x76543210', '0x76543210:uv'], 5 => ['0x00003800', '0x00003800:vf'],
    6 => ['0x89abcdef', '0x89ABCDEF:v'], 7 => ['0xbfc00000', '-1.5:f']);
my %A1IMM = (%ALIGN1, file1 => 3);
delete @A1IMM{qw(reg1 h1 w1 v1)};
push @cases, [word(%A1IMM, type1 => $_, imm => hex $imm{$_}[0]), $A1 =~ s/r4\.0<8;8,1>:f/$imm{$_}[1]/r]
    for sort keys %imm;
push @cases, [word(%A1IMM, type1 => 2, imm => 0x00080007), $A1 =~ s/r4\.0<8;8,1>:f/0x00080007:uw/r];
push @cases, [word(opcode => 0x0a, access => 1, exec => 2, dfile => 1, dtype => 6, dreg => 10, dh => 1, dmask => 15,
    file0 => 3, type0 => 7, imm => 0x3ff00000), 'dim (4) r10.0<1>.xyzw:df 1.0:df {Align16, N1}', 'gen7.5'];

# Three sources.
for my $mask (0 .. 14) {
    mad({tmask => $mask}, 'r10.0<1>.xyzw', 'r10.0<1>.'
        . (join('', map { $mask >> $_ & 1 ? substr('xyzw', $_, 1) : '' } 0 .. 3) || 'none'));
}
mad({tdsub => 4}, 'r10.0', 'r10.4');
mad({tdreg => 127}, 'r10', 'r127');
mad({tdtype => 1}, 'xyzw:f', 'xyzw:d');
push @cases, [word(%THREE, tstype => $_, tdtype => $_), $MAD =~ s/:f/':' . qw(f d ud df)[$_]/ger] for 1 .. 3;
for my $n (0 .. 2) {
    my $r = (2, 4, 6)[$n];
    mad({"rep$n" => 1}, "r$r.0<4>.xyzw", "r$r.0<0;1,0>");
    mad({"rep$n" => 1, "tsub$n" => 3}, "r$r.0<4>.xyzw", "r$r.3<0;1,0>");
    mad({"swz$n" => 0x00}, "r$r.0<4>.xyzw", "r$r.0<4>.xxxx");
    mad({"swz$n" => 0x1b}, "r$r.0<4>.xyzw", "r$r.0<4>.wzyx");
    mad({"tsub$n" => 4}, "r$r.0", "r$r.4");
    mad({"tsub$n" => 7}, "r$r.0", "r$r.7");
    mad({"treg$n" => 127}, "r$r", 'r127');
    mad({"tneg$n" => 1}, "r$r", "-r$r");
    mad({"tabs$n" => 1}, "r$r", "(abs)r$r");
    mad({"tneg$n" => 1, "tabs$n" => 1}, "r$r", "-(abs)r$r");
}
my %NAMES = (0x18 => 'bfe', 0x1a => 'bfi2', 0x5c => 'lrp');
push @cases, [word(%THREE, opcode => $_), $MAD =~ s/mad/$NAMES{$_}/r] for sort keys %NAMES;

# Align16 messages and branches, which vertex programs are made of.
push @cases, [word(opcode => 0x31, access => 1, exec => 3, cmod => 6, dtype => 7, dh => 1, dmask => 15, file0 => 1,
    type0 => 7, reg0 => 113, v0 => 3, y0 => 1, z0 => 2, ww0 => 3, file1 => 3, type1 => 0, desc => 0x0a08c000, eot => 1),
    'send (8) null<1>.xyzw:f r113.0<4>.xyzw:f 0x26 0x0A08C000 {Align16, Q1, EOT}'];
push @cases, [word(opcode => 0x22, access => 1, exec => 3, pred => 2, file1 => 3, type1 => 1, jip => 6, uip => 0xfffe),
    '(f0.0.x) if (8) 6 -2 {Align16, Q1}'];
push @cases, [word(opcode => 0x24, access => 1, exec => 3, jip => 4), 'else (8) 4 {Align16, Q1}'];
push @cases, [word(opcode => 0x28, access => 1, exec => 3, pred => 6, jip => 4, uip => 10),
    '(f0.0.any4h) break (8) 4 10 {Align16, Q1}'];

my %seen;
@cases = grep { !$seen{$_->[0] . ($_->[2] // '')}++ } @cases;
cmp_ok(scalar @cases, '>=', 300, @cases . ' words');
for my $isa (qw(gen7 gen7.5)) {
    my @mine = grep { !$_->[2] || $_->[2] eq $isa } @cases;
    my $file = "$dir/words.bin";
    open my $out, '>:raw', $file or die;
    print $out pack 'H*', join '', map { $_->[0] } @mine;
    close $out;
    # Each alone, so that branches have no labels: raw words give numbers where nothing stands at the target.
    my @text = map { s/^\s+|\s*\/\/.*$//gr } grep { !/^\S+:$/ } split /\n/,
        `$gpudbg --batch --isa $isa --raw -e 'set syntax prm' -e disassemble $file`;
    my $wrong = 0;
    for my $i (0 .. $#mine) {
        my $want = $mine[$i][1];
        my $got = $text[$i] // 'nothing';
        $got =~ s/L[0-9a-f]{4,}/LABEL/g, $want =~ s/(\) |\d )-?\d+(?= [-\d{])/$1LABEL/g if $want
            =~ /^(?:\(\S+ )?(?:if|else|break) /;
        $got =~ s/ -?\d+(?= )/ LABEL/g, $want =~ s/ -?\d+(?= )/ LABEL/g if $want =~ /^(?:\(\S+ )?(?:if|else|break) /;
        next if $got eq $want;
        diag("$mine[$i][0]: got $got, want $want") if $wrong++ < 20;
    }
    is($wrong, 0, "$isa: " . @mine . ' words built by hand print as the manual writes them');
}

# Macros of math with Align16: the number of an mme is in place of the components.  iga64 1.1.0 assembles these bytes of
# madm (4|M0) r10.mme0:df r2.mme1:df r3.nomme:df r4.mme2:df and math.invm (4|M0) r12.mme0:df r2.nomme:df r3.nomme:df.
my @macros = (['5d01400000d8000a0220000206100001',
    'madm (4) r10.mme0<1>:df r2.mme1<4>:df r3.nomme<4>:df r4.mme2<4>:df {Align16, N1}'],
    ['3801400ec83280014800403268004000',
    'math.invm.eo.f0.0 (4) r12.mme0<0>:df r2.nomme<2>:df r3.nomme<2>:df {Align16, N1}'],
    # Components that are no number of an mme stay components.
    ['5d01400000d8000a0220000206900001', 'r4.0<4>.zxyx:df']);
for my $isa (qw(gen8 gen9)) {
    for my $macro (@macros) {
        my $bytes = $macro->[0] =~ s/..\K(?=.)/ /gr;
        my $said = `$gpudbg --batch --isa $isa -e 'set syntax prm' -e 'decode $bytes' 2>&1`;
        like $said, qr/\Q$macro->[1]\E/, "$isa: $macro->[1]";
    }
}
done_testing;
