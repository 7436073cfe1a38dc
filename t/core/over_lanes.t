#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Expressions over lanes, waves and memory.  The answers are worked out here: at the entry of `matmul` a work-item's v0
# and v1 are its local id in a group of 16 by 16, and `a` is the file of the demo.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files qw(slurp);
use Gpudbg;
use JSON::PP;
use List::Util qw(sum min max uniq);
use Test::More;

my @demo = ('--demo=matmul');

sub lines (@commands) {
    my ($out, $err) = gpudbg(@demo, map { ('-e', $_) } @commands);
    return grep { !/at entry/ } split /\n/, $out . $err;
}
sub one (@commands) { return join "\n", map { s/^\$\d+ = //r } lines(@commands) }
sub found ($type, @commands) {
    my ($out) = gpudbg(@demo, '--json', map { ('-e', $_) } @commands);
    return grep { $_->{type} eq $type } map { decode_json($_) } split /\n/, $out;
}
sub col ($item) { $item % 16 }
sub row ($item) { int($item / 16) }
sub marks (@holds) { join '', map { $_ ? '#' : '-' } @holds }
sub mask (@holds) { my $m = 0; $holds[$_] and $m |= 1 << $_ for 0 .. $#holds; return sprintf '0x%016x', $m }

my @wave = (0 .. 63);

subtest 'a comparison is a bitmap' => sub {
    my @holds = map { col($_) > 3 ? 1 : 0 } @wave;
    is one('print $v0[:] > 3'), mask(@holds) . '  48 of 64 lanes' . "\n  " . marks(@holds), 'of all lanes';
    @holds = map { col($_) > row($_) ? 1 : 0 } @wave;
    is one('print $v0[:] > $v1[:]'), mask(@holds) . '  ' . sum(@holds) . " of 64 lanes\n  " . marks(@holds),
        'of two registers';
    is one('print $v0[4:7] > 5'), "0x000000c0  2 of 4 lanes\n  --##", 'of some lanes';
    is one('lane 5', 'print $v0[:] != $v0') =~ s/.*  //sr, marks(map { col($_) != 5 } @wave), '$v0 alone is one lane';
    is one('set $exec = 0xff', 'print $v0[:] > 3') =~ s/.*  //sr,
        join('', map { $_ < 8 ? ($_ > 3 ? '#' : '-') : col($_) > 3 ? '+' : '.' } @wave),
        'lanes that are off are marked';
    is one('set $vcc = 5', 'print $vcc[:]') =~ s/.*  //sr, marks(1, 0, 1, (0) x 61), 'the bits of a mask';
    like one('print $v0[0:3] + $v1[0:7]'), qr/a range of 8 elements meets one of 4/, 'two lengths do not fit';
};

subtest 'other values are values' => sub {
    is one('print $v0[:] * 2 + $lane'), '{' . join(', ', map { 2 * col($_) } @wave) . '}', '$lane is the selected one';
    is one('print -$v0[0:3]'), '{' . join(', ', map { -$_ % 2**32 } 0 .. 3) . '}', 'as C has them';
    is one('set $exec = 3', 'print $v0[0:3] + 1'), '{1, 2, (3), (4)}', 'of lanes that are off in brackets';
    is one('print/x $v0[14:17] + 1'), '{0xf, 0x10, 0x1, 0x2}', 'in a format';
    is one('print (f32)$v0[1:2] * 0.0 == 0'), "0x00000006  2 of 2 lanes\n  ##", 'behind a cast';
};

subtest 'one number of all lanes' => sub {
    my @wanted = (['count($v0 > 3)', 48], ['any($v0 > 14)', 1], ['any($v0 > 15)', 0], ['all($v0 < 16)', 1],
        ['all($v0)', 0], ['max($v0[:])', 15], ['min($v0 + 1)', 1], ['sum($v0)', 480], ['uniq($v0) + 0', 16],
        ['where($v0 == 2) & -1', mask(map { col($_) == 2 } @wave) =~ s/^0x0*/0x/r], ['count($lane == 3)', 1],
        ['count($v0[0:15] > 3)', 12],
        ['max($v0) - min($v1) * 2', 15], ['count($v0 == max($v0))', 4], ['count($vcc[:]) + 0', 0]);
    is one("print $_->[0]") =~ s/^(\d{4,})$/sprintf '0x%x', $1/er, $_->[1], $_->[0] for @wanted;
    is one('set $exec = 0xff', 'print count($v0 > 3)'), 4, 'those that execute';
    is one('set $exec = 0xff', 'print count($v0 > 3, masked)'), 48, 'with `masked`, all';
    is one('set $v0[:] = 0x3f000000', 'set $v0[7] = 0x7fc00000', 'print sum((f32)$v0[0:3])', 'print max((f32)$v0)'),
        "2.0\n0.5", 'floats; NaN is no maximum';
    like one('set $exec = 0', 'print max($v0)'), qr/max: no lane executes/, 'of nothing there is no maximum';
    is one('set $exec = 0', 'print all($v0 > 99)', 'print any(1)', 'print sum($v0)'), "1\n1\n0", 'but all and sum';
};

subtest 'over waves and the group' => sub {
    is one('print count($v0 > 3, group)'), 192, 'count';
    is one('print max($v1, wave 1-2)'), max(map { row($_) } 64 .. 191), 'some waves';
    is one('print max($v1, wave 2)'), 11, 'one wave';
    is one('print sum($v1, group 1)'), sum(map { row($_) } 0 .. 255), 'another group';
    is one('print sum($s8 * 0 + 1, group)'), 4, 'a scalar counts once a wave';
    like one('print count($v0, wave 3-99)'), qr/waves 3 to 99: there are 64, numbered from 0/, 'those that exist';
    like one('print count($v0, wave 3-1)'), qr/waves 3 to 1/, 'in order';
    like one('print count($v0, lane 3)'), qr/"wave N", "wave N-M", "group", "group N" or "masked"/, 'what may follow';
    is one('print $v1[:] > 3, wave 0-1'),
        "64 of 128 lanes\n  wave 0  " . marks((0) x 64) . "\n  wave 1  " . marks((1) x 64), 'a line a wave';
    is one('print $s8 * 0 + $wave, wave 1-2'), "2 waves\n  wave 1  1\n  wave 2  2", 'a number a wave';
};

subtest 'lists' => sub {
    is one('print uniq($v0 & 3)'), "4 distinct\n" . join("\n",
        map { my $k = $_; "  $k  16 lanes: " . join ',', grep { $_ % 4 == $k } @wave } 0 .. 3), 'distinct values';
    is one('print where($v0 > 13)'), mask(map { col($_) > 13 } @wave) . "  8 of 64 lanes\n  14-15,30-31,46-47,62-63",
        'where it holds';
    is one('print where($v1 == 5, group)'), "16 of 256 lanes\n  wave 1  " . mask((0) x 16, (1) x 16) . '  16-31',
        'in which wave';
};

subtest 'a grid by local id' => sub {
    my $wide = sub ($width, $of) {
        return join "\n", map { my $row = $_; '  ' . join ' ', map { sprintf '%2d', $of->($row * $width + $_) }
                0 .. $width - 1 } 0 .. 256 / $width - 1;
    };
    is one('print/grid $v0[:]'), "16x16\n" . $wide->(16, \&col), 'as wide as the group';
    is one('print/grid 32x8 $v1'), "32x8\n" . $wide->(32, \&row), 'as wide as was asked';
    is one('print/grid 16x2 $v0[:] > $v1[:]'), "16x2\n" . join "\n",
        map { my $y = $_; '  ' . marks(map { $_ > $y } 0 .. 15) } 0, 1;
    is one('set $exec = 1', 'print/grid 4x1 $v0, wave 0'), "4x1\n    0 (1) (2) (3)", 'lanes that are off in brackets';
    my $off = sub ($item) { my $n = col($item) + 100; $item && $item < 64 ? "($n)" : $n };
    is one('set $exec = 1', 'print/grid 16x16 $v0 + 100') =~ s/16x16\n//r,
        join("\n", map { my $row = $_; join '', map { sprintf '%5s', $off->(16 * $row + $_) } 0 .. 15 } 0 .. 15),
        '... which are the gap where a line would be longer than 80';
    like one('print/grid 0x4 $v0'), qr/\/grid: 0x4: 1 to/, 'not of no size';
    like one('print/grid 16x16 a[0:7]'), qr/the expression has none/, 'of lanes alone';
};

subtest 'memory' => sub {
    my @a = unpack 'f<*', slurp("$FindBin::Bin/../../share/demo/matmul_a.bin");
    my $list = sub (@v) { '{' . join(', ', @v) . '}' };
    my @real = map { real($_) } @a;
    is one('print a[3:9]'), $list->(@real[3 .. 9]), 'a range';
    is one('print a[3]@7', 'print/x *(u32*)a@2'), $list->(@real[3 .. 9]) . "\n" .
        $list->(map { sprintf '0x%x', unpack 'V', pack 'f<', $_ } @a[0, 1]), 'as gdb writes it';
    is one('print sum(a[0:99])', 'print max(a[:])', 'print count(a[:] < 0)'),
        join("\n", real(sum(@a[0 .. 99])), real(max(@a)), scalar grep { $_ < 0 } @a), 'one number of them';
    is one('print a[0:3] * 2'), $list->(map { real(2 * $_) } @a[0 .. 3]), 'reckoned with';
    is one('print a[0:63] == (i32)$v0[:]') =~ s/.*  //sr, marks(map { $a[$_] == col($_) } @wave), 'against lanes';
    is one('set c[2:4] = 7', 'print c[0:5]'), '{0.0, 0.0, 7.0, 7.0, 7.0, 0.0}', 'stored to';
    is one('print count(a[$v0 + 16 * $v1] == a[$v0], group)'),
        scalar(grep { $a[col($_) + 16 * row($_)] == $a[col($_)] } 0 .. 255), 'indexed by lanes';
    like one('print a[5:3]'), qr/\[5:3\]: the last element is before the first/, 'in order';
    like one('print a[0]@0'), qr/0 elements: 1 to/, 'at least one';
    like one('print a[0:99999]'), qr/at most|1 to 65536/, 'not too many';
    like one('print a[4090:4100]'), qr/0x[0-9a-f]+/, 'not behind the end';
    like one('print 3@4'), qr/\@ needs a value in memory/, 'of memory alone';
};

subtest 'names of addresses' => sub {
    my @a = unpack 'f<*', slurp("$FindBin::Bin/../../share/demo/matmul_a.bin");
    is one('x/4fw a+8', 'print $__', 'print *$_', 'print $_ - a') =~ s/^.*\n//r,
        join("\n", (real($a[5])) x 2, 20), 'after x';
    is one('set $s[8:9] = b+0x44', 'print/a $s[8:9]') =~ s/.*</</r, '<b+0x44>', 'in a pair of registers';
    is one('set $s[8:9] = *$pc', 'set $s[8:9] = matmul+8', 'print/a $s[8:9]') =~ s/.*</</r, '<matmul+0x8>', 'of code';
};

subtest 'a condition' => sub {
    my @stop = lines('break *$pc+4 if count($v0 > 3) > 40', 'continue');
    like $stop[-1], qr/Breakpoint 1, wave 0 /, 'of all lanes names no lane';
    @stop = lines('break *$pc+4 if any($v1 > 11)', 'continue');
    like $stop[-1], qr/Breakpoint 1, wave 3 /, 'is asked in each wave';
    like((lines('break *$pc if $v0[:] > 3'))[0], qr/ask any\(...\), all\(...\)/, 'of many values is none');
};

subtest 'display, JSON, history' => sub {
    is one('display $v0[:] > 3'), '1: $v0[:] > 3 = ' . marks(map { col($_) > 3 } @wave) . '  48 of 64', 'one line';
    is one('display $v0[:] * 2'),
        '1: $v0[:] * 2 = ' . join('', map { int(col($_) * 2 / 30 * 9.999) } @wave) . '  0 to 30', 'of heights';
    local $ENV{LC_ALL} = 'C.UTF-8';
    my ($low, $full, $shade) = map { "\xe2\x96$_" } "\x81", "\x88", "\x92";
    my ($screen) = gpudbg('--screen', '200x40', @demo,
        map { ('-e', $_) } 'set $exec = 0xff', 'display $v0[0:11] > 3', 'screenshot');
    like $screen, qr/ = (?:$low){4}(?:$full){4}(?:$shade){4}  4 of 8/,
        'blocks on the screen, shaded where a lane is off';
    is one('display a[0:1]') =~ s/ = .*//r, '1: a[0:1]', 'memory is listed';
    my ($r) = found('lanes', 'print $v0[:] > 3, wave 0-1');
    is $r->{type_name}, 'bool', 'JSON: the type';
    is_deeply [map { $_->{wave} } @{ $r->{waves} }], [0, 1], '... the waves';
    is $r->{waves}[0]{holds}, mask(map { col($_) > 3 } @wave) =~ s/^0x0*/0x/r, '... the bitmap';
    is_deeply [map { hex } @{ $r->{waves}[1]{values} }], [map { col($_) > 3 ? 1 : 0 } @wave], '... the values';
    ($r) = found('lanes', 'print uniq($v0)');
    is_deeply [map { $_->{count} } @{ $r->{distinct} }], [(4) x 16], '... how often';
    ($r) = found('display', 'display $v0[:] > 3');
    is scalar @{ $r->{waves}[0]{values} }, 64, 'a display, too';
    like one('print $v0[:] > 3', 'print $1 + 1') =~ s/.*\n//sr, qr/\$1 was several lanes/, 'the history keeps none';
};

subtest 'registers without lanes' => sub {
    my ($out, $err) = gpudbg('--demo=dg1', map { ('-e', $_) } 'set $r20.0:f = 1.5', 'set $r20.7:f = 4',
        'set $r21.0:f = 9',
        'print $r20:f[7]', 'print $r20:f[8]', 'print $r20:ud[0:15] != 0', 'print max($r20:f[0:8])',
        'print count($r20:f > 1)');
    my @said = map { s/^\$\d+ = //r } grep { !/at entry/ } split /\n/, $out . $err;
    is_deeply [@said[0, 1]], ['4.0', '9.0'], 'an element a lane, over registers';
    like $said[-2], qr/^9\.0$/, 'the largest';
    unlike $err, qr/./, 'no error';
};

subtest 'what is wrong' => sub {
    for (['count($v0', 'expected "\)" at the end'], ['count()', 'unexpected "\)"'], ['count($x = 3)', 'must not store'],
        ['count(any(all($v0)))', 'nested deeper than 2'], ['where(a[0:7]) + 1', 'print where\(...\) alone'],
        ['$v0[:] > 3, wave', 'a comma is followed by'], ['count($v0 > 3, wave 1, wave 0-2x)', 'expected']) {
        like one("print $_->[0]"), qr/^gpudbg: -e: .*$_->[1]/, $_->[0];
    }
};

done_testing;
