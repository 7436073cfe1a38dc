#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# find, restore FILE binary, save breakpoints.  What is found is held against Perl's own search in the same bytes.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $share = "$FindBin::Bin/../../share";
my $a = slurp("$share/demo/matmul_a.bin");

sub lines (@commands) {
    my ($out, $err) = gpudbg('--demo=matmul', map { ('-e', $_) } @commands);
    return grep { !/at entry/ } split /\n/, $out . $err;
}
# The offsets in `a` that a `find` prints.
sub offsets (@commands) { return map { /<a(?:\+0x(\w+))?>/ ? hex($1 // 0) : () } lines(@commands) }
sub places ($bytes, $pattern, $first = 0) {
    my @at;
    for (my $at = index $bytes, $pattern, $first; $at >= 0; $at = index $bytes, $pattern, $at + 1) { push @at, $at }
    return @at;
}

subtest 'find looks for' => sub {
    my $size = length $a;
    for (['-8.0', pack 'f<', -8], ['0x40400000', pack 'V', 0x40400000], ['-8.0, -1.0', pack 'f<2', -8, -1],
        ['hex:c0c0', "\xc0\xc0"], ['"\0@"', "\0@"], ['(u8)0x41', 'A'], ["'A', 'B'", pack 'V2', 65, 66],
            ['1 << 40', pack 'Q<', 1 << 40]) {
        is_deeply [offsets("find a, +$size, $_->[0]")], [places($a, $_->[1])], $_->[0];
    }
    is_deeply [offsets("find/h a, +$size, 0x4040")], [places($a, "\x40\x40")], 'a size';
    is_deeply [offsets("find/g a, +$size, -3.0")], [places($a, pack 'd<', -3)], 'a double';
    is_deeply [offsets("find/b a, +$size, 0, 0, 0x40")], [places($a, "\0\0\x40")], 'bytes, one behind the other';
    is_deeply [offsets("find/3 a, +$size, 0x40400000")], [(places($a, pack 'V', 0x40400000))[0 .. 2]],
        'at most so many';
    is_deeply [offsets('find a, a+99, -8.0')], [grep { $_ <= 96 } places($a, pack 'f<', -8)],
        'up to and with the last byte';
    # Bytes that are nearly everywhere, rare ones, only zeros, and places at both ends.
    my $few = join '', map { ("\0", "\xff", 'a', 'b')[(($_ * 7919) ^ ($_ >> 3)) % 4] } 0 .. $size - 1;
    $few = 'aa' . substr($few, 2, $size - 5) . "\0ab";
    my $filled = 'restore ' . spill('few.bin', $few) . ' binary a';
    for ("a", "ab", "aab", "\0\0a", "\xff\xff", "\0", "\0\0\0", "\0\xffa", "aaaa", "b\0ab", "aaaaaaaaab") {
        my @want = places($few, $_);
        $#want = 199 if @want > 200;
        my $hex = unpack 'H*', $_;
        my (undef, @got) = offsets($filled, "find/200 a, +$size, hex:$hex"); # restore says <a>, too
        is_deeply \@got, \@want, "$hex among few others";
    }
    my @words = unpack 'V*', $a;
    is_deeply [offsets('find a, +256, nonzero')], [map { 4 * $_ } grep { $words[$_] } 0 .. 63], 'what is not zero';
    my $want = $a;
    substr($want, 40, 1) = 'x';
    substr($want, 2001, 1) = 'y';
    my $other = spill('want.bin', $want);
    is_deeply [offsets("find a, +$size, differs $other")], [40, 2000], 'what differs from a file';
    is_deeply [offsets('set *(u32*)(a+64) = 0x7f800001', 'set *(u32*)(a+128) = 0xffc00000',
        'set *(u32*)(a+132) = 0x7f800000',
        "find a, +$size, nan")], [64, 128], 'NaN, not infinity';
    is_deeply [offsets('set *(u16*)(a+6) = 0x7c01', 'find/h a, +8, nan')], [6], 'a NaN of two bytes';
};

subtest 'find says' => sub {
    is((lines('find a, +64, 12345'))[-1], 'Pattern not found.', 'nothing is there');
    is((lines('find a, +64, -8.0'))[-1], '1 pattern found.', 'one');
    my @at = places($a, pack 'f<', -8);
    is((lines('find a, +4096, -8.0', 'print $_ - a', 'print $numfound'))[-2],
        "\$1 = $at[-1]" =~ s/\d+$/(grep { $_ < 4096 } @at)[-1]/er, '$_');
    for (['a', 'needs START'], ['a, +0, 1', 'at least 1'], ['a+4, a, 1', 'is before the first'], ['a, +4, "x',
        'a quote is missing'],
        ['a, +4, hex:0', 'two hexadecimal digits'], ['a, +4,', 'is missing'], ['a, +4, 1,', 'is missing'],
            ['1, +4, 1', 'no global memory'],
        ['/b a, +4, 300', 'does not fit in 8 bits'], ['/q a, +4, 1', 'takes b, h, w or g'],
            ['a, +4, differs /nonexistent', '/nonexistent: no such'],
        ["a, +@{[1 << 20]}, 12345", 'no global memory'], ['/b a, +4, nan', 'no float has one']) {
        like((lines("find$_->[0]" =~ s{^find(?!/)}{find }r))[-1], qr/^gpudbg: .*\Q$_->[1]/, "find $_->[0]");
    }
};

subtest 'restore FILE binary' => sub {
    my $bytes = spill('b.bin', pack 'f<*', 1 .. 8);
    is((lines("restore $bytes binary c", 'print c[0:8]'))[-1],
        '$1 = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 0.0}', 'loads a file');
    is((lines("restore $bytes binary c+8 4 12", 'print c[0:4]'))[-1],
        '$1 = {0.0, 0.0, 2.0, 3.0, 0.0}', 'or a part of it');
    is((lines('stepi 5', "restore $bytes binary c", 'stepi', 'goto 4', 'print c[0]'))[-1], '$1 = 0.0',
        'going back undoes it');
    is((lines('stepi 5', "restore $bytes binary c", 'stepi', 'goto 4', 'goto 6', 'print c[0]'))[-1], '$1 = 1.0',
        'and forward does it again');
    is((lines("restore $bytes binary lds:16", 'print *(f32*)lds:44'))[-1], '$1 = 8.0', 'into the LDS');
    for (["$bytes binary", 'the address'], ["$bytes binary c 4 99", 'it has 0x20'],
        ["$bytes binary c 8 4", 'it has 0x20'],
        ['/nonexistent binary c', '/nonexistent: no such'], ["$bytes binary 1", '0x1: a null pointer'],
            ["$bytes binary c 0 4 5", '']) {
        like((lines("restore $_->[0]"))[-1], qr/^gpudbg: .*\Q$_->[1]/, $_->[1] || 'too many words');
    }
};

subtest 'save breakpoints' => sub {
    my @set = ('break matmul+0x24 if $v0[3] > 1', 'ignore 1 2', 'tbreak *$pc+4 wave 2', 'lane 9', 'watch $v0',
        'rwatch a,4', 'disable 4',
        'break *$pc+8 lane 5', 'watch *(u32*)(c+16) if $v0 > 3');
    my $file = "$dir/points.gdb";
    my @was = grep { /^ ?\d/ } lines(@set, 'info breakpoints');
    my @is = grep { /^ ?\d/ } lines(@set, "save breakpoints $file", 'lane 0', 'wave 1', 'delete',
        "source $file", 'wave 0', 'lane 9', 'info breakpoints'); # a watched register's value is the selected lane's
    s/^ *\d+ +// for @was, @is;
    is_deeply [map { s/ +/ /gr } @is], [map { s/ +/ /gr } @was], 'sets them again, whatever is selected';
    like slurp($file), qr/^break matmul\+0x24 if \$v0\[3\] > 1\nignore \$bpnum 2\n/, 'in words that can be read';
    like((lines("save breakpoints $file"))[-1], qr/no breakpoints to save/, 'without any, none');
};

done_testing;
