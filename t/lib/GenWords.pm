# SPDX-License-Identifier: GPL-3.0-or-later
# Words of EU instructions from field values, for tests.  Bit positions are written down here once more, from the
# manuals' layouts; nothing of the decoder is used.
package GenWords;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(word to_gen7 gen7 gen7_16 gen7_ternary gen12 gen12_ternary TYPES7 TYPES12 SIZE vcode wcode hcode);

our %SIZE = (ub => 1, b => 1, uw => 2, w => 2, hf => 2, ud => 4, d => 4, f => 4, uq => 8, q => 8, df => 8);
our %TYPES7 = (ud => 0, d => 1, uw => 2, w => 3, ub => 4, b => 5, df => 6, f => 7);
our %TYPES12 = (ub => 0, uw => 1, ud => 2, uq => 3, b => 4, w => 5, d => 6, q => 7, hf => 9, f => 10, df => 11);

# word([hi, lo, value], ...): 16 bytes.
sub word {
    my @bit = (0) x 128;
    for (@_) {
        my ($hi, $lo, $value) = @$_;
        $bit[$_] = $value >> ($_ - $lo) & 1 for $lo .. $hi;
    }
    return pack 'b*', join '', @bit;
}

# A program for Haswell as Ivy Bridge has it: jmpi and call count eight bytes, messages of data port 1 go to the only
# one.
sub to_gen7 {
    my ($code) = @_;
    return join '', map {
        my @w = unpack 'L<4', $_;
        die 'a compacted instruction' if $w[0] >> 29 & 1;
        my $op = $w[0] & 0x7f;
        $w[3] = unpack 'L<', pack 'l<', unpack('l<', pack 'L<', $w[3]) / 8 if ($op == 0x20 || $op == 0x2c)
            && ($w[1] >> 10 & 3) == 3;
        if (($op == 0x31 || $op == 0x32) && ($w[0] >> 24 & 15) == 12) {
            my %type = (1 => 5, 2 => 6, 9 => 13);
            my $type = $type{ $w[3] >> 14 & 15 } // die 'a message that Ivy Bridge lacks';
            $w[0] = ($w[0] & ~(15 << 24)) | 10 << 24;
            $w[3] = ($w[3] & ~(15 << 14)) | $type << 14;
        }
        pack 'L<4', @w;
    } unpack '(a16)*', $code;
}

sub vcode { my %c = (0 => 0, 1 => 1, 2 => 2, 4 => 3, 8 => 4, 16 => 5, 32 => 6); return $c{ $_[0] } }
sub wcode { my %c = (1 => 0, 2 => 1, 4 => 2, 8 => 3, 16 => 4); return $c{ $_[0] } }
sub hcode { my %c = (0 => 0, 1 => 1, 2 => 2, 4 => 3); return $c{ $_[0] } }
sub log2 { my $n = 0; $n++ while 1 << $n < $_[0]; return $n }

# One and two sources, Align1.  dst: type, reg, sub (bytes), h, file; src0, src1: type, reg, sub, v, w, h, file; v 'x':
# by row. indirect => 1: reg is the word of a0, sub the signed distance.
sub gen7 {
    my (%i) = @_;
    my ($d, @s) = ($i{dst}, $i{src0}, $i{src1});
    my @f = ([6, 0, $i{op} // 1], [23, 21, log2($i{exec})], [9, 9, $i{no_mask} // 0], [13, 12, ($i{first} // 0) >> 3],
        [47, 47, ($i{first} // 0) >> 2 & 1], [33, 32, $d->{file} // 1], [36, 34, $TYPES7{ $d->{type} }],
        [62, 61, hcode($d->{h})], [19, 16, $i{pred} // 0], [27, 24, $i{cmod} // 0]);
    push @f, $d->{indirect} ? ([63, 63, 1], [60, 58, $d->{reg}], [57, 48, $d->{sub} & 0x3ff])
        : ([60, 53, $d->{reg}], [52, 48, $d->{sub}]);
    for my $k (0, 1) {
        my ($s, $up) = ($s[$k], 32 * $k);
        push @f, [$k ? (43, 42) : (38, 37), $s ? $s->{file} // 1 : 0];
        next unless $s;
        push @f, [$k ? (46, 44) : (41, 39), $TYPES7{ $s->{type} }],
            [88 + $up, 85 + $up, $s->{v} eq 'x' ? 15 : vcode($s->{v})], [84 + $up, 82 + $up, wcode($s->{w})],
            [81 + $up, 80 + $up, hcode($s->{h})];
        push @f, $s->{indirect} ? ([79 + $up, 79 + $up, 1], [76 + $up, 74 + $up, $s->{reg}],
            [73 + $up, 64 + $up, $s->{sub} & 0x3ff])
                                : ([76 + $up, 69 + $up, $s->{reg}], [68 + $up, 64 + $up, $s->{sub}]);
    }
    return word(@f);
}

# The same in Align16: dst has mask; sources v (0, 2, 4), swizzle (8 bits, x lowest); sub is 0 or 16.
sub gen7_16 {
    my (%i) = @_;
    my ($d, @s) = ($i{dst}, $i{src0}, $i{src1});
    my @f = ([6, 0, $i{op} // 1], [8, 8, 1], [23, 21, log2($i{exec})], [33, 32, 1], [36, 34, $TYPES7{ $d->{type} }],
        [62, 61, 1], [60, 53, $d->{reg}], [52, 52, $d->{sub} / 16], [51, 48, $d->{mask}]);
    for my $k (0, 1) {
        my ($s, $up) = ($s[$k], 32 * $k);
        push @f, [$k ? (43, 42) : (38, 37), $s ? 1 : 0];
        next unless $s;
        push @f, [$k ? (46, 44) : (41, 39), $TYPES7{ $s->{type} }], [88 + $up, 85 + $up, vcode($s->{v})],
            [76 + $up, 69 + $up, $s->{reg}], [68 + $up, 68 + $up, $s->{sub} / 16],
            [67 + $up, 64 + $up, $s->{swizzle} & 15], [83 + $up, 80 + $up, $s->{swizzle} >> 4];
    }
    return word(@f);
}

# Three sources: type of all 0 f, 1 d, 2 ud, 3 df; sub in dwords; rep.
sub gen7_ternary {
    my (%i) = @_;
    my ($d, @s) = ($i{dst}, @i{qw(src0 src1 src2)});
    my @f = ([6, 0, $i{op} // 0x5b], [8, 8, 1], [23, 21, log2($i{exec})], [43, 42, $i{type}], [45, 44, $i{type}],
        [52, 49, $d->{mask}], [55, 53, $d->{sub}], [63, 56, $d->{reg}]);
    for my $k (0 .. 2) {
        my $up = 21 * $k;
        push @f, [64 + $up, 64 + $up, $s[$k]{rep}], [72 + $up, 65 + $up, $s[$k]{swizzle}],
            [75 + $up, 73 + $up, $s[$k]{sub}], [83 + $up, 76 + $up, $s[$k]{reg}];
    }
    return word(@f);
}

sub gen12 {
    my (%i) = @_;
    my ($d, @s) = ($i{dst}, $i{src0}, $i{src1});
    my @f = ([6, 0, $i{op} // 0x61], [15, 8, $i{swsb} // 0], [18, 16, log2($i{exec})], [21, 19, ($i{first} // 0) >> 2],
        [31, 31, $i{no_mask} // 0], [39, 36, $TYPES12{ $d->{type} }], [49, 48, hcode($d->{h})],
        [50, 50, $d->{file} // 1], [55, 51, $d->{sub}], [63, 56, $d->{reg}], [95, 92, $i{cmod} // 0],
        [27, 24, $i{pred} // 0]);
    for my $k (0, 1) {
        my ($s, $up) = ($s[$k], 32 * $k);
        next unless $s;
        push @f, [$k ? (91, 88) : (43, 40), $TYPES12{ $s->{type} }], [65 + $up, 64 + $up, hcode($s->{h})],
            [66 + $up, 66 + $up, $s->{file} // 1], [71 + $up, 67 + $up, $s->{sub}], [79 + $up, 72 + $up, $s->{reg}],
            [83 + $up, 81 + $up, wcode($s->{w})], [87 + $up, 84 + $up, vcode($s->{v})];
    }
    return word(@f);
}

# mad: sources are floats; src0, src1 v (0, 1, 4, 8) and h (0, 1, 2, 4), src2 h alone, dst h 1 or 2.
sub gen12_ternary {
    my (%i) = @_;
    my ($d, $a, $b, $c) = @i{qw(dst src0 src1 src2)};
    my %v = (0 => 0, 1 => 1, 4 => 2, 8 => 3);
    return word([6, 0, $i{op} // 0x5b], [15, 8, $i{swsb} // 0], [18, 16, log2($i{exec})], [39, 39, 1], [38, 36, 2],
        [42, 40, 2], [82, 80, 2], [90, 88, 2], [48, 48, $d->{h} - 1], [50, 50, 1], [55, 51, $d->{sub}],
        [63, 56, $d->{reg}], [43, 43, $v{ $a->{v} } >> 1], [35, 35, $v{ $a->{v} } & 1], [65, 64, hcode($a->{h})],
        [66, 66, 1], [71, 67, $a->{sub}], [79, 72, $a->{reg}], [91, 91, $v{ $b->{v} } >> 1],
        [83, 83, $v{ $b->{v} } & 1], [97, 96, hcode($b->{h})], [98, 98, 1], [103, 99, $b->{sub}], [111, 104, $b->{reg}],
        [113, 112, hcode($c->{h})], [114, 114, 1], [119, 115, $c->{sub}], [127, 120, $c->{reg}]);
}

1;
