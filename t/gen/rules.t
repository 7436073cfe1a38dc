#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `check regions`: every rule on both sides of its border.  A row names the rule, the instruction sets it holds in, an
# instruction that breaks it and one next to it that does not; the words are made here.  Compilers' code breaks none.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;
use lib "$FindBin::Bin/../lib";
use GenWords qw(word gen7 gen7_16 gen7_ternary gen12 gen12_ternary);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);

# The rules that each word of a file breaks.
sub broken {
    my ($isa, @words) = @_;
    open my $f, '>:raw', "$dir/code" or die;
    print $f @words;
    close $f;
    my @rules = map { [] } @words;
    for (`$gpudbg --batch --json --isa $isa --raw $dir/code -e disassemble`) {
        my $r = decode_json($_);
        next unless $r->{type} eq 'insn' && $r->{problems};
        $rules[hex($r->{addr}) / 16] = [map { $_->{rule} } @{ $r->{problems} }];
    }
    return @rules;
}

# The word with bits changed: [hi, lo, value].
sub with { my ($word, @changes) = @_;
    my @bit = split //, unpack 'b128', $word;
    for (@changes) { my ($hi, $lo, $value) = @$_; $bit[$_] = $value >> ($_ - $lo) & 1 for $lo .. $hi }
    return pack 'b*', join '', @bit;
}

sub d { my ($type, $reg, $sub, $h) = @_; return {type => $type, reg => $reg, sub => $sub // 0, h => $h // 1} }
sub s_ {
    my ($type, $reg, $sub, $v, $w, $h) = @_;
    return {type => $type, reg => $reg, sub => $sub, v => $v, w => $w, h => $h}
}
sub arf { my ($o, $number) = @_; return {%$o, file => 0, reg => $number} }
my $f8 = s_('f', 4, 0, 8, 8, 1);
my $scalar = s_('f', 4, 0, 0, 1, 0);
sub mov { return (exec => 8, dst => d('f', 10), src0 => $f8, @_) }
sub add { return (exec => 8, dst => d('f', 10), src0 => $f8, src1 => s_('f', 6, 0, 8, 8, 1), op => 0x40, @_) }
sub ter {
    return (exec => 8, type => 0, dst => {reg => 10, sub => 0, mask => 15},
        map({ $_ => {reg => 20, sub => 0, rep => 0, swizzle => 0xe4} } qw(src0 src1 src2)), @_);
}
# An instruction with a 32-bit constant as its last source.
sub constant7 {
    my ($type, $value, %i) = @_;
    return with(gen7(mov(), %i, src0 => undef), [38, 37, 3], [41, 39, $type], [127, 96, $value]);
}
sub constant12 {
    my ($type, $value, %i) = @_;
    return with(gen12(mov(), %i, src0 => undef), [46, 46, 1], [43, 40, $type], [127, 96, $value]);
}
# send: mlen, rlen, EOT; gen7.
sub send7 { my ($src, $mlen, $rlen, $eot, $dst) = @_;
    return word([6, 0, 0x31], [23, 21, 3], [27, 24, 5], [33, 32, 1], [36, 34, 0], [60, 53, $dst // 10], [62, 61, 1],
        [38, 37, 1], [76, 69, $src], [88, 85, 4], [84, 82, 3], [81, 80, 1], [43, 42, 3],
        [124, 96, $mlen << 25 | $rlen << 20], [127, 127, $eot // 0]) }
sub send12 { my ($src, $mlen, $rlen, $eot, $file) = @_;
    my $desc = $mlen << 25 | $rlen << 20;
    return word([6, 0, 0x31], [18, 16, 3], [34, 34, $eot // 0], [50, 50, 1], [63, 56, 10], [66, 66, $file // 1],
        [79, 72, $src], [95, 92, 0xc], [91, 81, $desc & 0x7ff], [121, 113, $desc >> 11 & 0x1ff],
        [55, 51, $desc >> 20 & 31], [71, 67, $desc >> 25 & 31], [123, 122, $desc >> 30]) }

my @old = ('gen7', 'gen7.5');
my @all = (@old, 'gen12');
my @rows; # [rule, sets, word that breaks it, word that does not]
sub rule { push @rows, [@_] }
# The same operands in both layouts.
sub both {
    my ($rule, $bad, $good) = @_;
    rule($rule, \@old, gen7(%$bad), gen7(%$good));
    rule($rule, ['gen12'], gen12(gen12_op(%$bad)), gen12(gen12_op(%$good)));
}
my %op12 = (1 => 0x61, 0x40 => 0x40, 2 => 0x62, 5 => 0x65, 0x43 => 0x43);
sub gen12_op {
    my (%i) = @_;
    $i{op} = $op12{ $i{op} // 1 };
    for (qw(dst src0 src1)) { $i{$_} = { %{ $i{$_} } } if $i{$_} } return %i;
}

rule('exec-size', \@old, with(gen7(mov()), [23, 21, 6]), gen7(mov()));
rule('exec-size', ['gen12'], with(gen12(mov()), [18, 16, 6]), gen12(mov()));
rule('channels', ['gen12'], with(gen12(mov()), [21, 19, 1]), with(gen12(mov()), [21, 19, 2]));
rule('channels', \@old, gen7(mov(first => 4)), gen7(mov(first => 8)));
rule('type', ['gen12'], with(gen12(mov()), [43, 40, 8]), gen12(mov()));
rule('region', \@old, with(gen7(mov()), [84, 82, 5]), gen7(mov()));
rule('region', \@old, with(gen7(mov()), [88, 85, 15]), gen7(mov()));
rule('region', ['gen12'], with(gen12(mov()), [83, 81, 5]), gen12(mov()));
rule('register', \@old, with(gen7(mov()), [60, 53, 128]), with(gen7(mov()), [60, 53, 127]));
rule('register', ['gen12'], with(gen12(mov()), [63, 56, 128]), with(gen12(mov()), [63, 56, 127]));
rule('register', ['gen12'], gen12(mov(dst => arf(d('f', 0), 0xe0))), gen12(mov(dst => arf(d('f', 0), 0x20))));
rule('register', \@old, gen7(mov(dst => arf(d('f', 0), 0x22))), gen7(mov(dst => arf(d('f', 0), 0x21))));
rule('register', \@old, gen7(mov(exec => 1, dst => d('ud', 10), src0 => arf(s_('ud', 0, 0, 0, 1, 0), $_->[0]))),
    gen7(mov(exec => 1, dst => d('ud', 10), src0 => arf(s_('ud', 0, 0, 0, 1, 0), $_->[1]))))
    for [0x11, 0x10], [0x32, 0x31], [0x71, 0x70], [0x91, 0x90];
rule('register', ['gen7'], gen7(mov(exec => 1, dst => d('ud', 10), src0 => arf(s_('ud', 0, 0, 0, 1, 0), 0x60))),
    gen7(mov(exec => 1, dst => d('ud', 10), src0 => arf(s_('ud', 0, 0, 0, 1, 0), 0x70))));
rule('register', ['gen12'], gen12(mov(dst => arf(d('f', 0), 0x2a))), gen12(mov(dst => arf(d('f', 0), 0x29))));
rule('predicate', \@old, gen7(mov(pred => 14)), gen7(mov(pred => 1)));
rule('predicate', \@old, with(gen7_16(exec => 8, dst => {type => 'f', reg => 1, sub => 0, mask => 15},
    src0 => {type => 'f', reg => 2, sub => 0, v => 4, swizzle => 0xe4}), [19, 16, 8]),
    with(gen7_16(exec => 8, dst => {type => 'f', reg => 1, sub => 0, mask => 15},
    src0 => {type => 'f', reg => 2, sub => 0, v => 4, swizzle => 0xe4}), [19, 16, 7]));
rule('predicate', ['gen12'], gen12(mov(pred => 14)), gen12(mov(pred => 13)));
rule('condition', \@old, gen7(mov(cmod => 10)), gen7(mov(cmod => 9)));
rule('condition', ['gen12'], gen12(mov(cmod => 7)), gen12(mov(cmod => 6)));
rule('math-function', \@old, gen7(mov(op => 0x38, cmod => 0)), gen7(mov(op => 0x38, cmod => 1)));
rule('math-function', ['gen12'], gen12(mov(op => 0x38, cmod => 0)), gen12(mov(op => 0x38, cmod => 1)));
rule('sync-function', ['gen12'], word([6, 0, 1], [95, 92, 1]), word([6, 0, 1], [95, 92, 0]));
rule('thread-control', \@old, with(gen7(mov()), [15, 14, 3]), with(gen7(mov()), [15, 14, 1]));
rule('destination-file', \@old, with(gen7(mov()), [33, 32, 2]), gen7(mov()));
rule('source-file', \@old, with(gen7(mov()), [38, 37, 2]), gen7(mov()));
rule('scoreboard', ['gen12'], gen12(mov(swsb => 0x08)), gen12(mov(swsb => 0x07)));
rule('scoreboard', ['gen12'], gen12(mov(swsb => 0x13)), gen12(mov(swsb => 0x23)));
rule('scoreboard', ['gen12'], gen12(mov(swsb => 0x43)), gen12(mov(swsb => 0x33)));
rule('immediate-place', \@old, with(gen7(add()), [38, 37, 3]), with(gen7(add()), [43, 42, 3]));
rule('immediate-words', \@old, constant7(2, 0x00010002, dst => d('uw', 10)),
    constant7(2, 0x00020002, dst => d('uw', 10)));
rule('immediate-words', ['gen12'], constant12(1, 0x00010002, dst => d('uw', 10)),
    constant12(1, 0x00020002, dst => d('uw', 10)));
rule('vector-alignment', \@old, constant7(6, 0x76543210, dst => d('w', 10, 2)),
    constant7(6, 0x76543210, dst => d('w', 10, 16)));
rule('vector-alignment', ['gen12'], constant12(4, 0x76543210, dst => d('w', 10, 2)),
    constant12(4, 0x76543210, dst => d('w', 10, 16)));
rule('vector-stride', \@old, constant7(6, 0x76543210, dst => d('d', 10)), constant7(6, 0x76543210, dst => d('w', 10)));
rule('vector-stride', \@old, constant7(6, 0x76543210, dst => d('w', 10, 0, 2)),
    constant7(6, 0x76543210, dst => d('b', 10, 0, 2)));
rule('vector-stride', \@old, constant7(5, 0x30303030, dst => d('w', 10)), constant7(5, 0x30303030, dst => d('f', 10)));
both('width', {mov(exec => 4, src0 => s_('f', 4, 0, 8, 8, 1))}, {mov(exec => 4, src0 => s_('f', 4, 0, 4, 4, 1))});
both('one-row', {mov(src0 => s_('f', 4, 0, 4, 8, 1))}, {mov(src0 => s_('f', 4, 0, 8, 8, 1))});
both('narrow-row', {mov(src0 => s_('f', 4, 0, 1, 1, 1))}, {mov(src0 => s_('f', 4, 0, 1, 1, 0))});
both('one-channel', {mov(exec => 1, src0 => s_('f', 4, 0, 1, 1, 0))}, {mov(exec => 1, src0 => s_('f', 4, 0, 0, 1, 0))});
both('scalar-width', {mov(src0 => s_('f', 4, 0, 0, 4, 0))}, {mov(src0 => $scalar)});
both('row-crosses', {mov(src0 => s_('f', 4, 4, 8, 8, 1))}, {mov(src0 => s_('f', 4, 0, 8, 8, 1))});
both('source-span', {mov(src0 => s_('f', 4, 0, 16, 4, 1), exec => 16, dst => d('w', 10))},
    {mov(src0 => s_('f', 4, 0, 8, 4, 1), dst => d('w', 10))});
both('past-the-end', {mov(dst => d('f', 127, 4))}, {mov(dst => d('f', 127, 0))});
both('alignment', {mov(dst => d('f', 10, 2))}, {mov(dst => d('f', 10, 4))});
rule('ternary-scalar', ['gen12'], gen12_ternary(exec => 8, dst => {reg => 10, sub => 0, h => 1},
    src0 => {reg => 20, sub => 0, v => 0, h => 1}, src1 => {reg => 30, sub => 0, v => 8, h => 1},
    src2 => {reg => 40, sub => 0, h => 1}), gen12_ternary(exec => 8, dst => {reg => 10, sub => 0, h => 1},
    src0 => {reg => 20, sub => 0, v => 0, h => 0}, src1 => {reg => 30, sub => 0, v => 8, h => 1},
    src2 => {reg => 40, sub => 0, h => 1}));
rule('destination-stride', \@old, with(gen7(mov()), [62, 61, 0]), gen7(mov()));
rule('destination-stride', ['gen12'], with(gen12(mov()), [49, 48, 0]), gen12(mov()));
both('destination-span', {mov(exec => 16, dst => d('f', 10, 0, 2), src0 => s_('w', 4, 0, 16, 16, 1))},
    {mov(exec => 16, dst => d('f', 10), src0 => s_('w', 4, 0, 16, 16, 1))});
both('packed-bytes', {mov(dst => d('b', 10), src0 => s_('w', 4, 0, 8, 8, 1))},
    {mov(dst => d('b', 10, 0, 2), src0 => s_('w', 4, 0, 8, 8, 1))});
both('packed-bytes', {add(dst => d('b', 10), src0 => s_('b', 4, 0, 8, 8, 1), src1 => s_('b', 4, 0, 8, 8, 1))},
    {mov(dst => d('b', 10), src0 => s_('b', 4, 0, 8, 8, 1))});
sub a16 {
    return gen7_16(exec => 8, dst => {type => 'f', reg => 1, sub => 0, mask => 15},
        src0 => {type => 'f', reg => 2, sub => 0, v => 4, swizzle => 0xe4}, @_);
}
rule('align16-stride', \@old, with(a16(), [88, 85, 4]), with(a16(), [88, 85, 3]));
rule('align16-stride', \@old, with(a16(), [88, 85, 2]), with(a16(), [88, 85, 0]));
rule('align16-destination', \@old, with(a16(), [62, 61, 2]), a16());
rule('align16-three-sources', \@old, with(gen7_ternary(ter()), [8, 8, 0]), gen7_ternary(ter()));
rule('align16-bytes', \@old, a16(src0 => {type => 'ub', reg => 2, sub => 0, v => 4, swizzle => 0xe4}),
    a16(src0 => {type => 'uw', reg => 2, sub => 0, v => 4, swizzle => 0xe4}));
rule('accumulator-swizzle', \@old, with(a16(src0 => {type => 'f', reg => 0x20, sub => 0, v => 4, swizzle => 0}),
    [38, 37, 0]), with(a16(src0 => {type => 'f', reg => 0x20, sub => 0, v => 4, swizzle => 0xe4}), [38, 37, 0]));
rule('double-channels', ['gen7'], gen7(mov(exec => 1, dst => d('df', 10), src0 => s_('df', 4, 0, 0, 1, 0))),
    gen7(mov(exec => 2, dst => d('df', 10), src0 => s_('df', 4, 0, 2, 2, 1))));
rule('double-width', ['gen7'], gen7(mov(dst => d('df', 10), src0 => s_('df', 4, 0, 0, 1, 0))),
    gen7(mov(dst => d('df', 10), src0 => s_('df', 4, 0, 0, 2, 1))));
rule('double-enables', ['gen7'], a16(dst => {type => 'df', reg => 1, sub => 0, mask => 1},
    src0 => {type => 'df', reg => 2, sub => 0, v => 4, swizzle => 0xe4}),
    a16(dst => {type => 'df', reg => 1, sub => 0, mask => 3},
    src0 => {type => 'df', reg => 2, sub => 0, v => 4, swizzle => 0xe4}));
my $df4 = s_('df', 4, 0, 4, 4, 1);
rule('double-nibbles', ['gen7.5'], gen7(mov(exec => 4, first => 4, src0 => s_('f', 4, 0, 4, 4, 1))),
    gen7(mov(exec => 4, first => 4, dst => d('df', 10), src0 => $df4)));
rule('double-replicated', ['gen7.5'], gen7_ternary(ter(exec => 4, type => 3,
    src0 => {reg => 20, sub => 0, rep => 1, swizzle => 0xe4})), gen7_ternary(ter(exec => 4, type => 3)));
rule('double-mad', ['gen7'], gen7_ternary(ter(type => 3)), gen7_ternary(ter(type => 0)));
sub by_row {
    my ($word, $w, $exec) = @_;
    return {type => 'd', indirect => 1, reg => $word, sub => 0, v => 'x', w => $w, h => $w == 1 ? 0 : 1}
}
rule('address-group', \@old, gen7(mov(dst => d('d', 10), src0 => by_row(3, 4))),
    gen7(mov(dst => d('d', 10), src0 => by_row(2, 4))));
rule('address-end', \@old, gen7(mov(exec => 16, dst => d('d', 10), src0 => by_row(0, 1))),
    gen7(mov(exec => 8, dst => d('d', 10), src0 => by_row(0, 1))));
rule('address-channels', \@old, gen7(mov(exec => 16, dst => d('d', 10), src0 => by_row(0, 1))),
    gen7(mov(exec => 8, dst => d('d', 10), src0 => by_row(0, 1))));
rule('address-source', ['gen12'], map { my $up = $_;
    with(gen12(add()), [65 + $up, 64 + $up, 0], [75 + $up, 66 + $up, 0], [79 + $up, 76 + $up, 0],
    [80 + $up, 80 + $up, 1], [83 + $up, 81 + $up, 0], [87 + $up, 84 + $up, 15]) } 32, 0);
rule('address-source', \@old, map { gen7(%$_) } {add(dst => d('d', 10), src0 => s_('d', 4, 0, 8, 8, 1),
    src1 => by_row(0, 1))}, {add(dst => d('d', 10), src0 => by_row(0, 1), src1 => s_('d', 4, 0, 8, 8, 1))});
rule('architecture-source', \@old, gen7(add(dst => d('uw', 10), src0 => s_('uw', 4, 0, 8, 8, 1),
    src1 => arf(s_('uw', 0, 0, 0, 1, 0), 0x10))), gen7(add(dst => d('uw', 10),
    src0 => arf(s_('uw', 0, 0, 0, 1, 0), 0x10), src1 => s_('uw', 4, 0, 8, 8, 1))));
rule('accumulator-type', \@old, gen7(mov(dst => arf(d('d', 0), 0x21))), gen7(mov(dst => arf(d('f', 0), 0x21))));
rule('accumulator-type', \@old, gen7(mov(dst => arf(d('b', 0, 0, 2), 0x20))), gen7(mov(dst => arf(d('w', 0), 0x20))));
rule('register-crosses', \@old, gen7(mov(dst => arf(d('uw', 0, 2), 0x10), src0 => s_('uw', 4, 0, 8, 8, 1))),
    gen7(mov(dst => arf(d('uw', 0, 0), 0x10), src0 => s_('uw', 4, 0, 8, 8, 1))));
rule('accumulator-source', \@old, gen7(add(src1 => arf($f8, 0x20))), gen7(add(src0 => arf($f8, 0x20))));
rule('accumulator-differs', \@old, gen7(add(dst => arf(d('f', 0), 0x21), src0 => arf($f8, 0x20))),
    gen7(add(dst => arf(d('f', 0), 0x20), src0 => arf($f8, 0x20))));
rule('accumulator-byte', \@old, gen7(mov(dst => arf(d('f', 0, 4), 0x20), exec => 4, src0 => s_('f', 4, 0, 4, 4, 1))),
    gen7(mov(dst => arf(d('f', 0, 0), 0x20), exec => 4, src0 => s_('f', 4, 0, 4, 4, 1))));
rule('accumulator-dwords', \@old, gen7(mov(exec => 16, dst => d('d', 10), src0 => arf(s_('d', 0, 0, 8, 8, 1), 0x20))),
    gen7(mov(exec => 8, dst => d('d', 10), src0 => arf(s_('d', 0, 0, 8, 8, 1), 0x20))));
rule('control-switch', \@old, gen7(mov(exec => 1, dst => arf(d('ud', 0), 0x80), src0 => s_('ud', 4, 0, 0, 1, 0))),
    with(gen7(mov(exec => 1, dst => arf(d('ud', 0), 0x80), src0 => s_('ud', 4, 0, 0, 1, 0))), [15, 14, 2]));
both('operand-types', {add(op => 5)}, {add(op => 5, dst => d('d', 10), src0 => s_('d', 4, 0, 8, 8, 1),
    src1 => s_('d', 6, 0, 8, 8, 1))});
both('operand-types', {mov(op => 0x43, src0 => s_('d', 4, 0, 8, 8, 1))}, {mov(op => 0x43)});
rule('no-64-bit', ['gen12'], gen12(exec => 4, op => 0x40, dst => d('q', 10), src0 => s_('q', 4, 0, 4, 4, 1),
    src1 => s_('q', 6, 0, 4, 4, 1)), gen12(exec => 4, dst => d('q', 10), src0 => s_('q', 4, 0, 4, 4, 1)));
rule('exec-32', \@old, gen7(mov(exec => 32, dst => d('w', 10), src0 => $scalar)),
    gen7(mov(exec => 32, dst => d('w', 10), src0 => s_('w', 4, 0, 0, 1, 0))));
rule('exec-bytes', ['gen12'], gen12(mov(exec => 32, dst => d('w', 10), src0 => $scalar)),
    gen12(mov(exec => 32, dst => d('w', 10), src0 => s_('w', 4, 0, 0, 1, 0))));
rule('exec-bytes', ['gen12'], gen12(mov(exec => 16, dst => arf(d('q', 0), 0), src0 => s_('d', 4, 0, 8, 8, 1))),
    gen12(mov(exec => 16, dst => arf(d('d', 0), 0), src0 => s_('d', 4, 0, 8, 8, 1))));
rule('sel-32', \@old, gen7(add(op => 2, exec => 32, pred => 1, dst => d('w', 10), src0 => s_('w', 4, 0, 16, 16, 1),
    src1 => s_('w', 6, 0, 16, 16, 1))), gen7(add(op => 2, exec => 16, pred => 1, dst => d('w', 10),
    src0 => s_('w', 4, 0, 16, 16, 1), src1 => s_('w', 6, 0, 16, 16, 1))));
both('sel-both', {add(op => 2, pred => 1, cmod => 4)}, {add(op => 2, cmod => 4)});
rule('math-operands', ['gen7'], with(gen7(mov(op => 0x38, cmod => 1)), [78, 78, 1]), gen7(mov(op => 0x38, cmod => 1)));
rule('math-integer', \@old, gen7(add(op => 0x38, cmod => 12, exec => 16, dst => d('d', 10),
    src0 => s_('d', 4, 0, 8, 8, 1), src1 => s_('d', 6, 0, 8, 8, 1))),
    gen7(add(op => 0x38, cmod => 12, dst => d('d', 10), src0 => s_('d', 4, 0, 8, 8, 1),
    src1 => s_('d', 6, 0, 8, 8, 1))));
rule('shared-function', ['gen12'], with(send12(20, 1, 1), [95, 92, 15]), send12(20, 1, 1));
rule('message-length', \@old, send7(20, 0, 1), send7(20, 1, 1));
rule('message-length', \@old, send7(126, 3, 1), send7(126, 2, 1));
rule('message-length', ['gen12'], send12(126, 3, 1), send12(126, 2, 1));
sub register7 {
    my ($byte) = @_;
    return with(send7(20, 0, 0), [43, 42, 0], [46, 44, 0], [120, 96, 0], [108, 101, 0x10], [100, 96, $byte]);
}
rule('message-descriptor', \@old, register7(4), register7(0));
rule('message-source', ['gen12'], send12(0x20, 1, 1, 0, 0), send12(0x20, 1, 1, 0, 1));
rule('message-end', \@old, send7(111, 1, 0, 1), send7(112, 1, 0, 1));
rule('message-end', ['gen12'], send12(111, 1, 0, 1), send12(112, 1, 0, 1));
rule('message-end', ['gen12'], with(send12(112, 1, 0, 1), [98, 98, 1], [111, 104, 10], [99, 99, 1]),
    with(send12(112, 1, 0, 1), [98, 98, 1], [111, 104, 113], [99, 99, 1]));

for my $isa (@all) {
    my @mine = grep { my $r = $_; grep { $_ eq $isa } @{ $r->[1] } } @rows;
    my @got = broken($isa, map { @$_[2, 3] } @mine);
    for my $k (0 .. $#mine) {
        my ($rule, $bad, $good) = ($mine[$k][0], @got[2 * $k, 2 * $k + 1]);
        ok((grep { $_ eq $rule } @$bad), "$isa: $rule is broken") or diag "reported: @$bad";
        is("@$good", '', "$isa: $rule: beside its border nothing is");
    }
}

# What is no rule of Gen12, and what a message without an answer names as its destination, in code that Intel ships.
{
    my $by_row = sub { my ($first) = @_; return with(gen12(mov()), [65, 64, 0], [75, 66, 0], [79, 76, $first],
        [80, 80, 1], [83, 81, 2], [87, 84, 15]) };
    is join(' ', map { @$_ } broken('gen12', $by_row->(3), $by_row->(2))), '',
        'gen12: addresses from any word of a0 on';
    for my $isa (@old) {
        my $send = sub { my ($rlen, $file) = @_; return with(send7(20, 2, $rlen, 0, 0x20), [33, 32, $file], [36, 34, 0],
            [23, 21, 4]) };
        my @got = broken($isa, $send->(0, 0), $send->(2, 0));
        ok !(grep { /^accumulator-/ } @{ $got[0] }), "$isa: no answer goes to an accumulator" or diag "@{ $got[0] }";
        ok +(grep { $_ eq 'accumulator-dwords' } @{ $got[1] }), '... and an answer does';
    }
}

# Rules without a row here cannot be reached by a word: the layouts have no such encoding.
{
    open my $f, '<', "decoders/gen/check/rules.def" or die;
    my @names = map { /^RULE\([A-Z]+(?:\([\d, ]+\))?, "([^"]+)"/ ? $1 : () } <$f>;
    my %tested = map { $_->[0] => 1 } @rows;
    cmp_ok scalar @names, '>', 50, 'there are rules';
    is_deeply [grep { !$tested{$_} } @names], ['immediate-bytes', 'no-half'],
        'every rule that words can break has a row';
}

# What ocloc writes for Broadwell and Skylake: a macro, whose destination has no stride; an address for each of 16
# channels; eight doubles among three sources, the last of them in the last register; a vector constant in dwords.
{
    my @words = map { pack 'V4', map { hex } split } '0e400138 0de032ca 32400648 00400ee8',
        '00800001 21400a28 01e08000 00000000', '0060015b 521ed800 390091c8 0c8720ee',
        '0060315b 3e1ed800 3900f1c8 018720fa', '00200001 20a0260c 00000000 00000400';
    for my $isa ('gen8', 'gen9') {
        is join(' ', map { @$_ } broken($isa, @words)), '', "$isa: no rule is broken by a compiler's code";
        is join(' ', map { @$_ } broken($isa, with($words[3], [125, 118, 127]))), 'past-the-end',
            '... and one is by a register more';
    }
}

# Compilers know the rules.
for my $kernel (glob "t/data/kernels/gen12/*.bin t/data/kernels/gen12/*.ze") {
    my ($name) = $kernel =~ m{([^/]+)$};
    is `$gpudbg --batch $kernel -e 'check regions'`, "check regions: nothing found\n", "$name breaks no rule";
}

# The report: where, what, and by which source.
{
    open my $f, '>:raw', "$dir/code" or die;
    print $f gen7(mov(exec => 4, src0 => s_('f', 4, 0, 8, 8, 1)));
    close $f;
    my $text = `$gpudbg --batch --isa gen7 --raw $dir/code -e 'check regions' -e 'info checks' 2>/dev/null`;
    like $text, qr/width: src0: Width 8 is more than ExecSize 4/, 'check regions says what is wrong';
    like `$gpudbg --batch --isa gen7 -e "decode ${\ join '', unpack '(H8)*',
        join '', map { scalar reverse } unpack '(a4)*', gen7(mov(exec => 4))}"`,
        qr/breaks +width: src0/,
        'so does the view of fields';
}

done_testing;
