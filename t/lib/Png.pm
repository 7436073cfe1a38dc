# SPDX-License-Identifier: GPL-3.0-or-later
# PNG files taken apart (PNG specification, second edition): 8 bits a channel, with or without alpha.
package Png;
use v5.36;
use Compress::Zlib;
use Exporter 'import';
use Test::More;
our @EXPORT = qw(png);

# Width, height, and a reference to [r, g, b] or [r, g, b, a] of each pixel.
sub png ($path) {
    my $bytes = do { local (@ARGV, $/) = $path; <> } // '';
    is substr($bytes, 0, 8), "\x89PNG\r\n\x1a\n", 'it is a PNG file';
    my ($at, $data, $sound, $width, $height, $n) = (8, '', 1);
    while ($at < length $bytes) {
        my ($size, $kind) = unpack 'Na4', substr $bytes, $at, 8;
        my $chunk = substr $bytes, $at + 8, $size;
        ($width, $height, $n) = (unpack('NN', $chunk), ord(substr $chunk, 9) == 2 ? 3 : 4) if $kind eq 'IHDR';
        $data .= $chunk if $kind eq 'IDAT';
        $at += 8 + $size;
        $sound &&= unpack('N', substr $bytes, $at, 4) == crc32($kind . $chunk);
        $at += 4;
    }
    ok $sound, 'the sums of its chunks are right';
    my (@pixels, @up);
    my @raw = unpack 'C*', uncompress($data);
    for (1 .. $height) {
        my ($filter, @row) = splice @raw, 0, 1 + $n * $width;
        for my $i (0 .. $#row) {
            my ($a, $b, $c) = ($i >= $n ? $row[$i - $n] : 0, $up[$i] // 0, $i >= $n ? $up[$i - $n] // 0 : 0);
            my $p = $a + $b - $c;
            my ($pa, $pb, $pc) = map { abs($p - $_) } $a, $b, $c;
            my $paeth = $pa <= $pb && $pa <= $pc ? $a : $pb <= $pc ? $b : $c;
            $row[$i] = ($row[$i] + (0, $a, $b, int(($a + $b) / 2), $paeth)[$filter]) & 255;
        }
        @up = @row;
        push @pixels, [splice @row, 0, $n] while @row;
    }
    return ($width, $height, \@pixels);
}

1;
