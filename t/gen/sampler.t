#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Messages to the sampler on all generations, put together by hand: every kind of sample, two vectors, 8 and 16
# channels under an odd mask, all addressing modes with both filters and a border's colour, cubes, comparisons, offsets.
#  What they must give is worked out here from the positions, element by element.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use POSIX qw(floor);
use Test::More;
use lib "$FindBin::Bin/../lib";
use GenWords qw(word);
use Gpudbg qw(sampled_from);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);

# ---- Programs: one message from r20 to r60, and the end of the thread ----

sub lengths { my ($sent, $back, $header) = @_; return $sent << 25 | $back << 20 | $header << 19 }
sub program {
    my ($isa, $exec, $desc) = @_;
    my $end = 0x02000010;
    return word([6, 0, 0x31], [8, 8, !$exec], [23, 21, $exec || 3], [27, 24, 2], [33, 32, 1], [36, 34, 7], [38, 37, 1],
        [41, 39, 0], [43, 42, 3], [44, 44, 0], [60, 53, 60], [62, 61, 1], $exec ? () : ([51, 48, 15]), [76, 69, 20],
        [88, 85, $exec ? 4 : 3], $exec ? ([84, 82, 3], [81, 80, 1]) : ([67, 64, 4], [83, 80, 14]), [127, 96, $desc])
        . word([6, 0, 0x31], [9, 9, 1], [23, 21, 3], [27, 24, 7], [33, 32, 0], [36, 34, 0], [38, 37, 1], [41, 39, 0],
        [43, 42, 3], [62, 61, 1], [76, 69, 112], [88, 85, 4], [84, 82, 3], [81, 80, 1], [127, 96, 0x80000000 | $end])
        if $isa =~ /^gen7/;
    # Gen8 to Gen11: the positions of Mesa's brw_inst.h.
    return join '', map { my ($sfid, $d, $dst, $src, $e, $all) = @$_;
        word([6, 0, 0x31], [8, 8, !$e], [23, 21, $e || 3], [27, 24, $sfid], [34, 34, $all], [36, 35, $dst ? 1 : 0],
            [42, 41, 1], [90, 89, 3], [60, 53, $dst], [62, 61, 1], $e ? () : ([51, 48, 15]), [76, 69, $src],
            [88, 85, $e ? 4 : 3], $e ? ([84, 82, 3], [81, 80, 1]) : ([67, 64, 4], [83, 80, 14]), [127, 96, $d]) }
        [2, $desc, 60, 20, $exec, 0], [7, 0x80000000 | $end, 0, 112, 3, 1]
        if $isa =~ /^gen(?:8|9|11)$/;
    return join '', map { my ($sfid, $d, $eot, $src, $e, $all) = @$_;
        word([6, 0, 0x31], [18, 16, $e], [31, 31, $all], [34, 34, $eot], [50, 50, !$eot], [63, 56, $eot ? 0 : 60],
            [66, 66, 1], [79, 72, $src], [95, 92, $sfid], [123, 122, $d >> 30 & 3], [71, 67, $d >> 25 & 31],
            [55, 51, $d >> 20 & 31], [121, 113, $d >> 11 & 511], [91, 81, $d & 0x7ff]) }
        [2, $desc, 0, 20, $exec, 0], [$isa eq 'gen12.5' ? 3 : 7, $end, 1, 112, 3, 1];
}

# ---- The surface: 4 x 4 elements of four floats, 6 deep ----

my @size = (4, 4, 6);
my @element = map { my $i = $_; [map { sin($i * 4 + $_) * 8 } 0 .. 3] } 0 .. 95;
open my $picture, '>:raw', "$dir/picture" or die;
print $picture map { pack 'f<4', @$_ } @element;
close $picture;
@element = map { [unpack 'f<4', pack 'f<4', @$_] } @element;
my @border = (0.25, -2, 16, 0.5);

# ---- The model ----

my ($WRAP, $MIRROR, $CLAMP, $CUBE, $BORDER, $ONCE, $HALF, $MIRROR101) = 0 .. 7;

# An element's number along an axis; how: 0 inside, 1 half of the border, 2 border.
sub along {
    my ($mode, $i, $n) = @_;
    return ($i, 0) if $i >= 0 && $i < $n;
    my $edge = $i < 0 ? 0 : $n - 1;
    return ($edge, 2) if $mode == $BORDER;
    return ($edge, 1) if $mode == $HALF;
    return ($edge, 0) if $mode == $CLAMP || $mode == $CUBE;
    if ($mode == $ONCE) { $i = -1 - $i if $i < 0; return ($i < $n ? $i : $n - 1, 0) }
    my @walk = $mode == $WRAP ? (0 .. $n - 1) : $mode == $MIRROR ? (0 .. $n - 1, reverse 0 .. $n - 1)
        : (0 .. $n - 1, reverse 1 .. $n - 2);
    return ($walk[$i % @walk], 0);
}

sub at {
    my ($modes, @i) = @_;
    my ($offset, $stride, $how) = (0, 1, 0);
    for my $k (0 .. $#i) {
        my ($n, $h) = along($modes->[$k], $i[$k], $size[$k]);
        $offset += $n * $stride;
        $stride *= $size[$k];
        $how = $h if $h > $how;
    }
    my @e = @{ $element[$offset] };
    return $how == 2 ? @border : $how == 1 ? map { ($e[$_] + $border[$_]) / 2 } 0 .. 3 : @e;
}

sub blend { my ($w, $x, $y) = @_; return map { $x->[$_] * (1 - $w) + $y->[$_] * $w } 0 .. $#$x }

# $test: what becomes of an element before it is weighed.
sub linear {
    my ($modes, $test, $done, @rest) = @_;
    return $test->(at($modes, @$done)) if !@rest;
    my $x = pop(@rest) - 0.5;
    my $low = floor($x);
    return blend($x - $low, [linear($modes, $test, [$low, @$done], @rest)],
        [linear($modes, $test, [$low + 1, @$done], @rest)]);
}

my $same = sub { @_ };
sub sampled {
    my ($s, $test, @at) = @_; # elements
    return $s->{linear} ? linear($s->{modes}, $test, [], @at) : $test->(at($s->{modes}, map { floor($_) } @at));
}

# Faces of a cube: the axis that is longest, then s and t along two of the others with a sign.
my @faces = ([0, 1, [2, -1], [1, -1]], [0, -1, [2, 1], [1, -1]], [1, 1, [0, 1], [2, 1]], [1, -1, [0, 1], [2, -1]],
    [2, 1, [0, 1], [1, -1]], [2, -1, [0, -1], [1, -1]]);
sub on_cube {
    my (@v) = @_;
    my ($axis) = sort { abs($v[$b]) <=> abs($v[$a]) || $a <=> $b } 0 .. 2;
    my ($face) = grep { $faces[$_][0] == $axis && $faces[$_][1] * $v[$axis] > 0 } 0 .. 5;
    return ($face, map { ($faces[$face][$_][1] * $v[$faces[$face][$_][0]] / abs($v[$axis]) + 1) * 2 } 2, 3);
}
sub cube_element {
    my ($face, $i, $j) = @_;
    if ($i < 0 || $j < 0 || $i > 3 || $j > 3) { # the direction through its middle leads to a face next to this one
        return if ($i < 0 || $i > 3) && ($j < 0 || $j > 3);
        my @v;
        $v[$faces[$face][0]] = $faces[$face][1];
        $v[$faces[$face][2][0]] = $faces[$face][2][1] * (($i + 0.5) / 2 - 1);
        $v[$faces[$face][3][0]] = $faces[$face][3][1] * (($j + 0.5) / 2 - 1);
        ($face, $i, $j) = on_cube(@v);
    }
    return @{ $element[16 * $face + 4 * floor($j) + floor($i)] };
}
sub cubed {
    my ($s, @v) = @_;
    my ($face, $x, $y) = on_cube(@v);
    return cube_element($face, map { $_ < 4 ? floor($_) : 3 } $x, $y) if !$s->{linear};
    my ($i, $j, $total, @sum) = (floor($x - 0.5), floor($y - 0.5), 0);
    for my $k (0 .. 3) {
        my ($wx, $wy) = ($x - 0.5 - $i, $y - 0.5 - $j);
        my $w = ($k & 1 ? $wx : 1 - $wx) * ($k & 2 ? $wy : 1 - $wy);
        my @e = cube_element($face, $i + ($k & 1), $j + ($k >> 1)) or next;
        $sum[$_] += $w * $e[$_] for 0 .. 3;
        $total += $w;
    }
    return map { $_ / $total } @sum;
}

# ---- Samplers: the manual's states, with a colour for the border ----

sub sampler {
    my (%s) = @_;
    my @m = @{ $s{modes} };
    my $near = $s{linear} // 0;
    my $far = $s{far} // $near;
    return unpack 'H*', pack 'L<4f<4', $near << 17 | $far << 14, ($s{compare} // 0) << 1, 64,
        $m[0] << 6 | $m[1] << 3 | $m[2] | ($s{unnormalised} ? 1 << 10 : 0), @border;
}

# ---- One message ----

my %type = (sample => 0, sample_b => 1, sample_l => 2, sample_c => 3, sample_d => 4, sample_b_c => 5, sample_l_c => 6,
    ld => 7, gather4 => 8, lod => 9, resinfo => 10, sampleinfo => 11, gather4_c => 16, gather4_po => 17,
    gather4_po_c => 18, sample_d_c => 20, sample_lz => 24, sample_c_lz => 25, ld_lz => 26);
my $mask = 0xb6d5; # of 16 channels

# The answer: an array of channels for each lane, undef where it is off.  @$lanes: parameters in order, each a packed
# dword.
sub message {
    my ($isa, $mode, $type, $state, $header, $lanes, $surface) = @_;
    my $u = $mode == 2 ? 2 : 1;
    my $n = @{ $lanes->[0] };
    my $payload = defined $header ? pack('L<8', 0, 0, $header, (0) x 5) : '';
    if ($mode) {
        for my $p (0 .. $n - 1) { $payload .= join '', map { $lanes->[$_][$p] } 0 .. 8 * $u - 1 }
    } else {
        for my $r (0 .. int(($n - 1) / 4)) { for my $v (0, 4) { $payload .= join '',
            map { $lanes->[$v][4 * $r + $_] // pack 'L', 0 } 0 .. 3 } }
    }
    my $desc = lengths(length($payload) / 32, $mode ? 4 * $u : 1,
        defined $header ? 1 : 0) | $mode << 17 | $type{$type} << 12;
    open my $f, '>:raw', "$dir/code" or die;
    print $f program($isa, $mode == 2 ? 4 : $mode ? 3 : 0, $desc);
    close $f;
    my $simd = 8 * $u;
    my @lines = qx(
        $gpudbg --batch --isa $isa --raw $dir/code -e 'launch -g $simd -l $simd simd=$simd mask=@{[
            sprintf '0x%x', $mode ? $mask : 0xff]} bti0=\@$dir/picture:float4:@{[
            $surface // '4x4x6']} sampler0=hex:$state r20=hex:@{[unpack 'H*', $payload]} r60=hex:@{[
            'aa' x 256 ]}' -e continue @{[map { "-e 'info registers r$_'" } 60 .. 67]} 2>&1);
    my @r = map { /^r\d+\s+\[ *0\](.*)/ ? [map { hex } $1 =~ /0x([0-9a-f]+)/g] : () } @lines;
    return "@lines" if @r != 8 || grep { /Fault/ } @lines;
    return [map { my $v = $_; [map { my $c = $_; unpack 'f<', pack 'L<', $r[0][4 * $v + $c] } 0 .. 3] } 0, 1] if !$mode;
    return [map { my $l = $_; [map { my $bits = $r[$_ * $u + int $l / 8][$l % 8];
        $bits == 0xaaaaaaaa ? 'off' : unpack 'f<', pack 'L<', $bits } 0 .. 3] } 0 .. $simd - 1];
}

sub agrees {
    my ($got, $want, $mode, $title) = @_;
    my @wrong;
    if (!ref $got) {
        @wrong = $got;
    } else {
        for my $l (0 .. $#$want) {
            my $on = !$mode || $mask >> $l & 1;
            for my $c (0 .. $#{ $want->[$l] }) {
                my ($g, $w) = ($got->[$l][$c], $want->[$l][$c]);
                push @wrong, "lane $l, channel $c: $g, not " . ($on ? $w : 'off') if $on ? $g eq 'off'
                    || abs($g - $w) > 1e-5 * (1 + abs $w) : $g ne 'off';
            }
        }
    }
    is("@wrong[0 .. ($#wrong > 3 ? 3 : $#wrong)]", '', $title);
}

sub f { return map { pack 'f<', $_ } @_ }
sub d { return map { pack 'l<', $_ } @_ }

my @places = map { my $i = $_; [map { ($i * (13, 29, 7)[$_] % 32) / 8 - 1.46875 } 0 .. 2] } 0 .. 15;

my $turn = 0;
for my $isa (qw(gen7 gen7.5 gen9 gen12), $ENV{GPUDBG_NIGHTLY} ? qw(gen8 gen11 gen12.5) : ()) {
    my $new = $isa =~ /gen12/;
    my $without = $isa =~ /gen(?:9|1)/; # samples without a level, and ld has its level behind v (Mesa)
    for my $mode (sampled_from($turn++, $isa =~ /gen1/ ? (1, 2) : (0, 1, 2))) {
        my $name = ('4x2', 'SIMD8', 'SIMD16')[$mode];
        my @lanes = $mode == 0 ? (0, 4) : (0 .. 8 * $mode - 1);
        my $run = sub {
            my ($type, $s, $header, $parameters, $want, $title, $surface) = @_;
            my $got = message($isa, $mode, $type, sampler(%$s), $header, [map { [$parameters->($_)] } 0 .. 15],
                $surface);
            agrees($got, [map { [$want->($_)] } @lanes], $mode, "$isa $name $type: $title");
        };
        my $scaled = sub { my ($l) = @_; return map { $places[$l][$_] * $size[$_] } 0 .. 2 };

        # Addressing modes, all three axes and mixed, both filters.
        for my $linear (0, 1) {
            my @all = map { [($_) x 3] } $WRAP, $MIRROR, $CLAMP, $BORDER, $ONCE, $new ? ($HALF, $MIRROR101) : ();
            for my $modes (sampled_from($turn++, @all, [$WRAP, $BORDER, $ONCE], [$MIRROR, $CLAMP, $WRAP])) {
                my $s = { modes => $modes, linear => $linear };
                $run->('sample_l', $s, undef, $mode ? sub { f(0, @{ $places[$_[0]] }) }
                    : sub { f(@{ $places[$_[0]] }, 0, 0) }, sub { sampled($s, $same, $scaled->($_[0])) },
                    "modes @$modes, " . ($linear ? 'linear' : 'nearest'));
            }
            my $s = { modes => [($CUBE) x 3], linear => $linear };
            $run->('sample', $s, undef, sub { f(@{ $places[$_[0]] }) }, sub { cubed($s, @{ $places[$_[0]] }) },
                'a cube, ' . ($linear ? 'linear' : 'nearest'));
        }
        if (!$new) {
            like(message($isa, $mode, 'sample', sampler(modes => [$HALF, 0, 0]), undef, [map { [f(0, 0, 0)] } 0 .. 15]),
                qr/Fault.*sampler 0: its addressing mode does not exist/,
                "$isa $name: a mode that the generation lacks stops");
        }

        # Filters that are neither nearest nor linear stop where they would be needed, and only there.
        for my $filter (2, 6) {
            my $s = { modes => [($CLAMP) x 3], linear => $filter };
            like(message($isa, $mode, 'sample', sampler(%$s), undef, [map { [f(0, 0, 0)] } 0 .. 15]),
                qr/Fault.*sampler 0: filter $filter, /, "$isa $name: filter $filter stops");
            $run->('ld', $s, undef, sub { d(0, 0, 0, 0) }, sub { @{ $element[0] } }, "filter $filter does not matter");
        }

        # Coordinates that count elements, with offsets of the header.
        my $s = { modes => [($BORDER) x 3], linear => 1, unnormalised => 1 };
        $run->('sample', $s, 0x2 << 8 | 0xf << 4 | 0x1, sub { f(@{ $places[$_[0]] }) },
            sub { my @p = @{ $places[$_[0]] }; sampled($s, $same, $p[0] + 2, $p[1] - 1, $p[2] + 1) },
            'elements, offsets 2 -1 1');
        # Channels that the header masks: green and alpha; the others follow each other.
        my $c = { modes => [($CLAMP) x 3] };
        if ($mode) {
            $run->('sample', $c, 0xa000, sub { f(@{ $places[$_[0]] }) },
                sub { (at($c->{modes}, map { floor($_) } $scaled->($_[0])))[0, 2] }, 'red and blue alone');
        }

        # Other kinds: parameters in the order of each.
        my @at = map { $places[$_] } 0 .. 15;
        my $plain = sub { at($c->{modes}, map { floor($_) } $scaled->($_[0])) };
        $run->('sample_b', $c, undef, $mode ? sub { f(1.5, @{ $at[$_[0]] }) } : sub { f(@{ $at[$_[0]] }, 0, 1.5) },
            $plain, 'a bias');
        $run->('sample_lz', $c, undef, sub { f(@{ $at[$_[0]] }) }, $plain, 'no level')
            if $without && $mode;
        if ($mode < 2) {
            $run->('sample_d', $c, undef, $mode ? sub { f(map { ($at[$_[0]][$_], 0.1, 0.2) } 0 .. 2) }
                : sub { f(@{ $at[$_[0]] }, 0, 1 .. 6) }, $plain, 'slopes');
            # Slopes choose the filter: less than an element a pixel, and more.
            for my $slope (0.125, 0.5) {
                my $s = { modes => [($WRAP) x 3], linear => 0, far => 1 };
                $run->('sample_d', $s, undef, $mode
                    ? sub { f(map { ($at[$_[0]][$_], $_ ? (0, 0) : ($slope, 0)) } 0 .. 2) }
                    : sub { f(@{ $at[$_[0]] }, 0, $slope, 0, 0, 0, 0, 0) },
                    sub { sampled({ %$s, linear => $slope > 0.25 }, $same, $scaled->($_[0])) }, "slopes of $slope");
            }
        }
        for my $level (-1, 2) {
            my $s = { modes => [($WRAP) x 3], linear => 1, far => 0 };
            $run->('sample_l', $s, undef, $mode ? sub { f($level, @{ $at[$_[0]] }) }
                : sub { f(@{ $at[$_[0]] }, 0, $level) },
                sub { sampled({ %$s, linear => $level < 0 }, $same, $scaled->($_[0])) }, "level $level");
        }

        # Comparisons: the state's operation of element and reference gives 0 where it holds.
        my @op = (sub { 1 }, sub { 0 }, sub { $_[0] < $_[1] }, sub { $_[0] == $_[1] }, sub { $_[0] <= $_[1] },
            sub { $_[0] > $_[1] }, sub { $_[0] != $_[1] }, sub { $_[0] >= $_[1] });
        for my $compare (sampled_from($turn++, 0 .. 7)) {
            my $s = { modes => [($WRAP) x 3], linear => $compare & 1, compare => $compare };
            my $reference = sub { my ($l) = @_; return $l % 3 ? $l - 7
                : (at($s->{modes}, map { floor($_) } $scaled->($l)))[0] };
            my $test = sub { my ($r) = @_; return sub { ($op[$compare]->($_[0], $r) ? 0 : 1, 0, 0, 1) } };
            $run->('sample_c', $s, undef, $mode ? sub { f($reference->($_[0]), @{ $at[$_[0]] }) }
                : sub { f(@{ $at[$_[0]] }, 0, $reference->($_[0])) },
                sub { sampled($s, $test->($reference->($_[0])), $scaled->($_[0])) }, "comparison $compare");
            next if $compare != 2;
            my $want = sub { sampled($s, $test->($reference->($_[0])), $scaled->($_[0])) };
            $run->($_, $s, undef, $mode ? sub { f($reference->($_[0]), 0, @{ $at[$_[0]] }) }
                : sub { f(@{ $at[$_[0]] }, 0, $reference->($_[0]), 0) }, $want, 'a comparison') for 'sample_l_c',
                'sample_b_c';
            $run->('sample_c_lz', $s, undef, sub { f($reference->($_[0]), @{ $at[$_[0]] }) }, $want, 'a comparison')
                if $without && $mode;
            $run->('sample_d_c', $s, undef, $mode ? sub {
                f($reference->($_[0]), map { ($at[$_[0]][$_], 0, 0) } 0 .. 2) }
                : sub { f(@{ $at[$_[0]] }, 0, (0) x 6, $reference->($_[0])) }, $want, 'a comparison') if $isa ne 'gen7'
                && $mode < 2;
            my @plane = ([0, 1], [1, 1], [1, 0], [0, 0]);
            $run->('gather4_c', $s, undef, $mode ? sub { f($_[0] - 7, @{ $at[$_[0]] }[0, 1], 0) }
                : sub { f(@{ $at[$_[0]] }[0, 1], 0, 0, $_[0] - 7) },
                sub { my ($l) = @_; my ($x, $y) = $scaled->($l);
                map { $op[2]->((at($s->{modes}, floor($x - 0.5) + $_->[0], floor($y - 0.5) + $_->[1], 0))[0], $l - 7)
                ? 0 : 1 } @plane }, 'a comparison', '4x4');
        }

        # Four elements of one channel, with offsets from the header and, of a lane each, from parameters.
        for my $channel (0, 2) {
            my $s = { modes => [($MIRROR) x 3] };
            my $four = sub { my ($x, $y) = @_; map {
                (at($s->{modes}, floor($x - 0.5) + $_->[0], floor($y - 0.5) + $_->[1], 0))[$channel] } [0, 1], [1, 1],
                [1, 0], [0, 0] };
            $run->('gather4', $s, $channel << 16 | 0x30e << 2 & 0xff0, sub { f(@{ $at[$_[0]] }[0, 1], 0) },
                sub { my ($x, $y) = $scaled->($_[0]);
                my ($ox, $oy) = map { my $v = (0x30e << 2 & 0xff0) >> $_ & 15; $v > 7 ? $v - 16 : $v } 8, 4;
                $four->($x + $ox, $y + $oy) }, "channel $channel", '4x4');
            $run->('gather4_po', $s, $channel << 16, sub { (f(@{ $at[$_[0]] }[0, 1]), d($_[0] - 5, 3 - $_[0]), f(0)) },
                sub { my ($x, $y) = $scaled->($_[0]); $four->($x + $_[0] - 5, $y + 3 - $_[0]) }, "channel $channel",
                '4x4');
        }

        # By number, outside too; and what the surface is.
        my $load = sub { my ($l) = @_; return ($l % 5, $l * 3 % 5, $l % 7) };
        my $want = sub { my ($x, $y, $z) = $load->($_[0]);
            $x < 4 && $y < 4 && $z < 6 ? @{ $element[16 * $z + 4 * $y + $x] } : (0) x 4 };
        $run->('ld', $c, undef, $mode == 0 ? sub { my ($x, $y, $z) = $load->($_[0]); d($x, $y, $z, 0) } : $without
            ? sub { my ($x, $y, $z) = $load->($_[0]); d($x, $y, 0, $z) }
            : sub { my ($x, $y, $z) = $load->($_[0]); d($x, 0, $y, $z) }, $want, 'elements by number');
        $run->('ld_lz', $c, undef, sub { d($load->($_[0])) }, $want, 'elements by number')
            if $without && $mode;
        my $whole = sub { unpack 'f<4', pack 'L<4', @_ };
        $run->('resinfo', $c, undef, sub { d(0) }, sub { $whole->(4, 4, 6, 1) }, 'sizes');
        $run->('sampleinfo', $c, 0, sub { () }, sub { $whole->(1, 0, 0, 0) }, 'one sample');
        # A place that moves by an eighth of four elements along x, or half along y.
        $run->('lod', $c, undef, sub { my ($l) = @_; f(($l & 1) * 0.125, ($l >> 1 & 1) * 0.5, 0) }, sub { (0, 1) },
            'the level of slopes') if $mode;
    }
}

# Gen12 alone: parameters or an answer of 16 bits a value are another layout.
for my $high (29, 30) {
    open my $f, '>:raw', "$dir/code" or die;
    print $f program('gen12', 3, lengths(1, 4, 0) | 1 << 17 | $type{ld} << 12 | 1 << $high);
    close $f;
    like(scalar readpipe("$gpudbg --batch --isa gen12 --raw $dir"
        . "/code -e 'launch -g 8 -l 8 simd=8 bti0=\@$dir/picture:float4:4x4x6' -e continue 2>&1"),
        qr/Fault.*ld.*not implemented/, "bit $high of a sampler's descriptor stops");
}
done_testing;
