#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Which byte of which register feeds which channel: `print region` against the addresses that the manual's text gives
# (Ivy Bridge, volume 4 part 3, 3.3.5 Region Parameters; Align16 and three sources: instruction formats).  The words are
# made here, the addresses computed here; and a picture of every example that the manual draws or spells out.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;
use lib "$FindBin::Bin/../lib";
use GenWords qw(gen7 gen7_16 gen7_ternary gen12 gen12_ternary);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
my %size = %GenWords::SIZE;

# Runs `print region` over all words of an instruction set; the records in order.
sub regions {
    my ($isa, @words) = @_;
    open my $f, '>:raw', "$dir/code" or die;
    print $f @words;
    close $f;
    open my $s, '>', "$dir/script" or die;
    printf $s "print region *0x%x\n", 16 * $_ for 0 .. $#words;
    close $s;
    my @records = map { decode_json($_) } grep {
        /"type":"region"/ } `$gpudbg --batch --json --isa $isa --raw $dir/code -x $dir/script 2>&1`;
    return @records;
}

# "channel: register+byte/size", sorted.
sub shown {
    my ($record, $role) = @_;
    my ($o) = grep { $_->{role} eq $role } @{ $record->{operands} };
    return [sort map { ($_->{channel} // '-') . ": $_->{register}+$_->{byte}/$_->{size}"
        . ($_->{masked} ? ' off' : '') } @{ $o->{elements} }];
}

sub at {
    my ($channel, $byte, $bytes, $off) = @_;
    return "$channel: r" . ($byte >> 5) . '+' . ($byte & 31) . "/$bytes" . ($off ? ' off' : '');
}

# The manual's words: a row has Width elements HorzStride apart, rows are VertStride apart, ExecSize / Width of them.
sub source {
    my ($exec, $first, $s) = @_;
    my @all;
    my $n = 0;
    my $bytes = $size{ $s->{type} };
    for (my $row = $s->{reg} * 32 + $s->{sub}; $n < $exec; $row += $s->{v} * $bytes) {
        my $element = $row;
        for (1 .. $s->{w}) {
            last if $n == $exec;
            push @all, at($first + $n++, $element, $bytes);
            $element += $s->{h} * $bytes;
        }
    }
    return [sort @all];
}

sub destination {
    my ($exec, $first, $d) = @_;
    my $bytes = $size{ $d->{type} };
    return [sort map { at($first + $_, $d->{reg} * 32 + $d->{sub} + $_ * $d->{h} * $bytes, $bytes) } 0 .. $exec - 1];
}

sub pick { return $_[rand @_] }

# ---- Align1, both generations ----

srand 7;
sub random_source {
    my ($exec, @types) = @_;
    my $type = pick(@types);
    my $w = pick(grep { $_ <= $exec } 1, 2, 4, 8, 16);
    return {type => $type, reg => 2 + int rand 100, sub => int(rand(32 / $size{$type})) * $size{$type},
        v => pick(0, 1, 2, 4, 8, 16, 32), w => $w, h => pick(0, 1, 2, 4)};
}
sub random_destination {
    my (@types) = @_;
    my $type = pick(@types);
    return {type => $type, reg => 2 + int rand 100, sub => int(rand(32 / $size{$type})) * $size{$type},
        h => pick(1, 2, 4)};
}

for my $isa ('gen7', 'gen7.5', 'gen12') {
    my @types = $isa eq 'gen12' ? qw(ub b uw w hf ud d f) : $isa eq 'gen7' ? qw(ub b uw w ud d f)
        : qw(ub b uw w ud d f df);
    my (@want, @words);
    for (1 .. 400) {
        my $exec = pick(1, 2, 4, 8, 16, 32);
        my $first = $exec == 32 ? 0 : $exec >= 8 ? $exec * int rand(32 / $exec) : 4 * int rand 8;
        my %i = (exec => $exec, first => $first, dst => random_destination(@types),
            src0 => random_source($exec, @types), src1 => random_source($exec, @types), op => 0x40);
        push @want, \%i;
        push @words, $isa eq 'gen12' ? gen12(%i) : gen7(%i);
    }
    my @got = regions($isa, @words);
    is scalar @got, scalar @words, "$isa: a picture for every word";
    my @wrong;
    for my $k (0 .. $#got) {
        my $i = $want[$k];
        for (['dst', destination($i->{exec}, $i->{first}, $i->{dst})],
            map { [$_, source($i->{exec}, $i->{first}, $i->{$_})] } 'src0', 'src1') {
            my ($role, $want) = @$_;
            my $have = shown($got[$k], $role);
            push @wrong, "$got[$k]{text}: $role: @$have, not @$want" if "@$have" ne "@$want";
        }
    }
    is scalar @wrong, 0, "$isa: every element of 400 random instructions is where the manual says" or diag join "\n",
        @wrong[0 .. ($#wrong > 3 ? 3 : $#wrong)];
}

# sad2 and sada2 add up pairs: every second channel is written (manual, instruction reference).
for my $op (0x50, 0x51) {
    my ($got) = regions('gen7', gen7(exec => 8, op => $op, dst => {type => 'uw', reg => 30, sub => 0, h => 1},
        map { $_ => {type => 'ub', reg => 20, sub => 0, v => 8, w => 8, h => 1} } 'src0', 'src1'));
    is_deeply shown($got, 'dst'), [sort map { at($_, 960 + 2 * $_, 2, $_ % 2) } 0 .. 7],
        sprintf 'opcode %02x writes every second channel', $op;
}

# ---- Align16 ----

# Element i of a group of four is the one the swizzle names; groups are VertStride apart.
sub swizzled {
    my ($exec, $origin, $v, $swizzle) = @_;
    return [sort map { at($_, $origin + int($_ / 4) * $v * 4 + ($swizzle >> 2 * ($_ % 4) & 3) * 4, 4) } 0 .. $exec - 1];
}
sub enabled {
    my ($exec, $origin, $mask) = @_;
    return [sort map { at($_, $origin + 4 * $_, 4, !($mask >> $_ % 4 & 1)) } 0 .. $exec - 1];
}

for my $isa ('gen7', 'gen7.5') {
    my (@want, @words);
    for (1 .. 200) {
        my $exec = pick(4, 8);
        my %i = (exec => $exec, op => 0x40, dst =>
            {type => pick('f', 'd', 'ud'), reg => 2 + int rand 100, sub => pick(0, 16), mask => 1 + int rand 15},
            map { $_ => {type => pick('f', 'd', 'ud'), reg => 2 + int rand 100, sub => pick(0, 16), v => pick(0, 4),
            swizzle => int rand 256} } 'src0', 'src1');
        push @want, [\%i, enabled($exec, $i{dst}{reg} * 32 + $i{dst}{sub}, $i{dst}{mask}),
            map { swizzled($exec, $i{$_}{reg} * 32 + $i{$_}{sub}, $i{$_}{v}, $i{$_}{swizzle}) } 'src0', 'src1'];
        push @words, gen7_16(%i);
    }
    for (1 .. 200) {
        my $exec = pick(4, 8, 16);
        my %i = (exec => $exec, type => 0, dst => {reg => 2 + int rand 100, sub => pick(0, 4), mask => 1 + int rand 15},
            map { $_ => {reg => 2 + int rand 100, sub => 0, rep => int rand 2, swizzle => int rand 256} } 'src0',
            'src1', 'src2');
        $i{$_}{sub} = $i{$_}{rep} ? int rand 8 : pick(0, 4) for 'src0', 'src1', 'src2';
        push @want, [\%i, enabled($exec, $i{dst}{reg} * 32 + 4 * $i{dst}{sub}, $i{dst}{mask}), map {
            my $origin = $i{$_}{reg} * 32 + 4 * $i{$_}{sub};
            $i{$_}{rep} ? [sort map { at($_, $origin, 4) } 0 .. $exec - 1]
                : swizzled($exec, $origin, 4, $i{$_}{swizzle})
        } 'src0', 'src1', 'src2'];
        push @words, gen7_ternary(%i);
    }
    my @got = regions($isa, @words);
    my @wrong;
    for my $k (0 .. $#got) {
        my ($i, @operands) = @{ $want[$k] };
        for my $o (0 .. $#operands) {
            my $role = $o ? 'src' . ($o - 1) : 'dst';
            my $have = shown($got[$k], $role);
            push @wrong, "$got[$k]{text}: $role: @$have, not @{$operands[$o]}" if "@$have" ne "@{$operands[$o]}";
        }
    }
    is scalar @got, 400, "$isa: Align16, a picture for every word";
    is scalar @wrong, 0, "$isa: swizzles, enables and replicated sources are where the manual says" or diag join "\n",
        @wrong[0 .. ($#wrong > 3 ? 3 : $#wrong)];
}

# ---- Three sources of Gen12: the width is implied ----

{
    my (@want, @words);
    for (1 .. 200) {
        my $exec = pick(4, 8, 16);
        my ($v0, $h0) = @{ pick([0, 0], [1, 0], [4, 1], [8, 1], [8, 2], [8, 4], [4, 2]) };
        my ($v1, $h1) = @{ pick([0, 0], [1, 0], [4, 1], [8, 1], [8, 2], [4, 4]) };
        my %i = (exec => $exec, dst => {reg => 10, sub => 0, h => pick(1, 2)},
            src0 => {reg => 20, sub => pick(0, 4), v => $v0, h => $h0},
            src1 => {reg => 30, sub => pick(0, 8), v => $v1, h => $h1},
            src2 => {reg => 40, sub => 0, h => pick(0, 1, 2)});
        $_->{w} = $_->{h} ? $_->{v} / $_->{h} : 1 for @i{'src0', 'src1'};
        @{ $i{src2} }{qw(v w)} = ($i{src2}{h}, 1);
        $_->{type} = 'f' for @i{qw(dst src0 src1 src2)};
        push @want, [destination($exec, 0, $i{dst}),
            map { source($exec, 0, { %{ $i{$_} }, $i{$_}{w} == 1 ? (h => 0) : () }) } qw(src0 src1 src2)];
        push @words, gen12_ternary(%i);
    }
    my @got = regions('gen12', @words);
    my @wrong;
    for my $k (0 .. $#got) {
        for my $o (0 .. 3) {
            my $have = shown($got[$k], $o ? 'src' . ($o - 1) : 'dst');
            push @wrong, "$got[$k]{text}: operand $o: @$have, not @{$want[$k][$o]}" if "@$have" ne "@{$want[$k][$o]}";
        }
    }
    is scalar @wrong, 0, 'gen12: regions of three sources' or diag join "\n", @wrong[0 .. ($#wrong > 3 ? 3 : $#wrong)];
}

# ---- Doubles of Ivy Bridge: everything counts dwords ----

{
    my ($r) = regions('gen7', gen7(exec => 8, dst => {type => 'df', reg => 10, sub => 0, h => 1},
        src0 => {type => 'df', reg => 2, sub => 0, v => 4, w => 4, h => 1}));
    is_deeply shown($r, 'src0'), [sort map { at($_, 64 + 4 * $_, 4) } 0 .. 7],
        'gen7: four doubles are eight channels of four bytes';
    ($r) = regions('gen7.5', gen7(exec => 4, dst => {type => 'df', reg => 10, sub => 0, h => 1},
        src0 => {type => 'df', reg => 2, sub => 0, v => 4, w => 4, h => 1}));
    is_deeply shown($r, 'src0'), [sort map { at($_, 64 + 8 * $_, 8) } 0 .. 3],
        'gen7.5: four doubles are four channels of eight';
}

# ---- The manual's examples, as pictures ----

my @examples = (
    ['3.3.5, first picture: r4.1<16;8,2>:w', {exec => 16, dst => {type => 'w', reg => 1, sub => 0, h => 1},
    src0 => {type => 'w', reg => 4, sub => 2, v => 16, w => 8, h => 2}}],
    ['3.3.5, second picture: interleaved rows, r5.0<1;8,2>:w',
    {exec => 16, dst => {type => 'w', reg => 1, sub => 0, h => 1},
    src0 => {type => 'w', reg => 5, sub => 0, v => 1, w => 8, h => 2}}],
    ['3.1 dual issue: contiguous', {exec => 8, dst => {type => 'f', reg => 10, sub => 0, h => 1},
    src0 => {type => 'f', reg => 11, sub => 0, v => 8, w => 8, h => 1}}],
    ['3.1 dual issue: strided source', {exec => 8, dst => {type => 'f', reg => 10, sub => 0, h => 1},
    src0 => {type => 'f', reg => 11, sub => 0, v => 4, w => 4, h => 2}}],
    ['3.1 dual issue: scattered destination', {exec => 8, dst => {type => 'w', reg => 10, sub => 0, h => 2},
    src0 => {type => 'f', reg => 11, sub => 0, v => 8, w => 8, h => 1}}],
    ['3.1 dual issue: destination one on', {exec => 8, dst => {type => 'f', reg => 10, sub => 4, h => 1},
    src0 => {type => 'f', reg => 11, sub => 0, v => 4, w => 4, h => 1}}],
    ['3.1 dual issue: both one on', {exec => 4, dst => {type => 'f', reg => 10, sub => 4, h => 1},
    src0 => {type => 'f', reg => 11, sub => 4, v => 4, w => 4, h => 1}}],
    ['3.3.3.4: eight words of a0', {exec => 8, dst => {type => 'uw', reg => 1, sub => 0, h => 1},
    src0 => {type => 'uw', file => 0, reg => 0x10, sub => 0, v => 8, w => 8, h => 1}}],
    ['3.3.3.4: a0.4 replicated', {exec => 8, dst => {type => 'uw', reg => 1, sub => 16, h => 1},
    src0 => {type => 'uw', file => 0, reg => 0x10, sub => 8, v => 0, w => 1, h => 0}}],
    ['3.3.3.4: four words to a0', {exec => 4, dst => {type => 'uw', file => 0, reg => 0x10, sub => 0, h => 1},
    src0 => {type => 'uw', reg => 1, sub => 0, v => 4, w => 4, h => 1}}],
    ['3.3.3.4: r1.4 replicated to a0.4', {exec => 4, dst => {type => 'uw', file => 0, reg => 0x10, sub => 8, h => 1},
    src0 => {type => 'uw', reg => 1, sub => 8, v => 0, w => 1, h => 0}}],
    ['3.3.3.4: an address a row, r[a0.2]<4,1>:d', {exec => 8, dst => {type => 'd', reg => 1, sub => 0, h => 1},
    src0 => {type => 'd', indirect => 1, reg => 2, sub => 0, v => 'x', w => 4, h => 1}}],
    ['3.2: the first eight of sixteen', {op => 0x40, exec => 8, dst => {type => 'f', reg => 18, sub => 0, h => 1},
    map { $_->[0] => {type => 'f', reg => $_->[1], sub => 0, v => 8, w => 8, h => 1} } ['src0', 4], ['src1', 14]}],
    ['3.2: the second eight of sixteen', {op => 0x40, exec => 8, first => 8,
    dst => {type => 'f', reg => 19, sub => 0, h => 1},
    map { $_->[0] => {type => 'f', reg => $_->[1], sub => 0, v => 8, w => 8, h => 1} } ['src0', 5], ['src1', 15]}],
);
{
    open my $f, '>:raw', "$dir/code" or die;
    print $f map { gen7(%{ $_->[1] }) } @examples;
    close $f;
    my $text = '';
    for my $k (0 .. $#examples) {
        $text .= "# $examples[$k][0]\n" . join('',
            `$gpudbg --batch --isa gen7 --raw $dir/code -e 'print region *${\ (16 * $k)}'`) . "\n";
    }
    my $golden = "t/data/regions.txt";
    if ($ENV{GPUDBG_UPDATE_SCREENS}) { open my $g, '>', $golden or die; print $g $text }
    open my $g, '<', $golden or die "$golden: $!";
    is $text, (do { local $/; <$g> }), 'the pictures of the manual\'s examples';
    my ($first) = regions('gen7', gen7(%{ $examples[1][1] }));
    my %place = map { ($_->{channel} => "$_->{register}.$_->{byte}") } map { @{ $_->{elements} } } grep {
        $_->{role} eq 'src0' } @{ $first->{operands} };
    is "$place{1} $place{8}", 'r5.4 r5.2',
        'interleaved rows: channel 1 at r5.2:w, channel 8 at r5.1:w, as the manual says';
}

done_testing;
