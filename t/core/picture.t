#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# picture and save image.  The PNG file is taken apart here (PNG specification, second edition), and its pixels are held
# against the buffer's own numbers.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Compress::Zlib;
use File::Temp 'tempdir';
use Gpudbg;
use Pty;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
sub slurp ($path) { local (@ARGV, $/) = $path; return <> }
sub spill ($name, $bytes) { open my $f, '>:raw', "$dir/$name" or die; print $f $bytes; close $f; return "$dir/$name" }
my $share = "$FindBin::Bin/../../share";

sub lines ($open, @commands) {
    my ($out, $err) = gpudbg(@$open, map { ('-e', $_) } @commands);
    return grep { !/at entry/ } split /\n/, $out . $err;
}

# Width, height, and a reference to [r, g, b, a] of each pixel.
sub png ($path) {
    my $bytes = slurp($path);
    is substr($bytes, 0, 8), "\x89PNG\r\n\x1a\n", 'it is a PNG file';
    my ($at, $data, $width, $height) = (8, '');
    while ($at < length $bytes) {
        my ($size, $kind) = unpack 'Na4', substr $bytes, $at, 8;
        my $chunk = substr $bytes, $at + 8, $size;
        ($width, $height) = unpack 'NN', $chunk if $kind eq 'IHDR';
        $data .= $chunk if $kind eq 'IDAT';
        $at += $size + 12;
    }
    my (@pixels, @up);
    my @raw = unpack 'C*', uncompress($data);
    for (1 .. $height) {
        my ($filter, @row) = splice @raw, 0, 1 + 4 * $width;
        for my $i (0 .. $#row) {
            my ($a, $b, $c) = ($i > 3 ? $row[$i - 4] : 0, $up[$i] // 0, $i > 3 ? $up[$i - 4] // 0 : 0);
            my $p = $a + $b - $c;
            my ($pa, $pb, $pc) = map { abs($p - $_) } $a, $b, $c;
            my $paeth = $pa <= $pb && $pa <= $pc ? $a : $pb <= $pc ? $b : $c;
            $row[$i] = ($row[$i] + (0, $a, $b, int(($a + $b) / 2), $paeth)[$filter]) & 255;
        }
        @up = @row;
        push @pixels, [splice @row, 0, 4] while @row;
    }
    return ($width, $height, \@pixels);
}

my @demo = ('--demo=matmul');
my @bytes = map { ($_ * 37 + 11) & 255 } 0 .. 16 * 8 * 4 - 1;
my $rgba = spill('rgba.bin', pack 'C*', @bytes);

subtest 'save image' => sub {
    my @said = lines(\@demo, "restore $rgba binary c", "save image $dir/a.png c unorm8x4 16x8");
    like $said[-2], qr/^c: 8_8_8_8_unorm, 16x8, rgba from 0 to 1$/, 'says what it is';
    my ($w, $h, $pixels) = png("$dir/a.png");
    is "$w $h", '16 8', 'its size';
    is_deeply [map { @$_ } @$pixels], \@bytes, 'bytes of normalised components are those of the file';
    my @a = unpack 'f<64', slurp("$share/demo/matmul_a.bin");
    lines(\@demo, "save image $dir/b.png a r32_float 8x8 channels r range -8 8");
    (undef, undef, $pixels) = png("$dir/b.png");
    is_deeply [map { $_->[0] } @$pixels], [map { int(($_ + 8) / 16 * 255 + 0.5) } @a], 'floats in a range, in grey';
    like +(lines(\@demo, "save image $dir/c.png a r32_float 8x8 channels r"))[-2],
        qr/r from -8 to 8$/, 'or from least to most';
    lines(\@demo, "restore $rgba binary c", "save image $dir/d.png c unorm8x4 16x8 channels g");
    (undef, undef, $pixels) = png("$dir/d.png");
    is_deeply [map { @$_[0 .. 2] } @$pixels],
        [map { my $g = $bytes[4 * $_ + 1]; ($g, $g, $g) } 0 .. 127], 'one channel';
    lines(\@demo, "restore $rgba binary c", "save image $dir/e.png c unorm8x4 4x4x4 slice 2");
    (undef, undef, $pixels) = png("$dir/e.png");
    is_deeply [map { @$_ } @$pixels], [@bytes[128 .. 191]], 'a slice of a volume';
    lines(\@demo, "restore $rgba binary c", "save image $dir/f.png c unorm8x4/64 4x4");
    (undef, undef, $pixels) = png("$dir/f.png");
    is_deeply [map { @$_ } @$pixels], [map { @bytes[64 * $_ .. 64 * $_ + 15] } 0 .. 3], 'lines further apart';
};

subtest 'picture' => sub {
    my $black = spill('bw.bin', pack 'C*', map { $_ < 8 ? (0, 0, 0, 255) : (255, 255, 255, 255) } 0 .. 15);
    my @said = lines(\@demo, "restore $black binary c", 'picture c unorm8x4 4x4');
    is_deeply [@said[-4 .. -1]], [(' ' x 8) x 2, ('@' x 8) x 2], 'dark and bright';
    for (['c nothing 4x4', "'nothing' is not an image format"], ['c unorm8x4 0x4', 'does not give the 2 sizes'],
        ['c unorm8x4 9999x9999', 'takes'], ['c+4 unorm8x4 4x4', 'multiple of 256'],
        ['c unorm8x4', 'the size, WxH is missing|size'],
        ['c unorm8x4 4x4 level 1', 'level 1: the image has 1'], ['c unorm8x4 4x4 slice 1', 'slice 1: this level has 1'],
        ['$s[0:3]', 'has 8 dwords'], ['c unorm8x4 4x4 channels q', 'write rgba'],
        ['c unorm8x4 4x4 range 1 0', 'is not above'],
        ['$s[0:7]', 'T#\.\w+ is|wide|'], ['nobody', 'no buffer']) {
        like +(lines(\@demo, "picture $_->[0]"))[-1], qr/^gpudbg: .*(?:$_->[1])/, "picture $_->[0]";
    }
    like +(lines(['--demo=dg1'], 'picture a r32_float 4x4'))[-1],
        qr/does not know the images of gen12/, 'Gen12 has none yet';
};

# In a terminal, half blocks have the colours of two texels; on the screen they have the terminal to themselves.
subtest 'in a terminal' => sub {
    my @texels = ([255, 0, 0], [0, 128, 0], [0, 0, 255], [200, 200, 200]);
    my $four = spill('four.bin', pack 'C*', map { @$_, 255 } @texels);
    my %colour = ('truecolor', [map { join ';', 2, @$_ } @texels], '', [map { "5;$_" } 196, 28, 21, 251]);
    # A column has texel 0 above 2, the other 1 above 3.
    my $cells = sub (@c) { join '', map { "\e[38;$c[$_]m\e[48;$c[$_ + 2]m\xe2\x96\x80" } 0, 1 };
    for my $depth (sort keys %colour) {
        my %env = (TERM => 'xterm-256color', COLORTERM => $depth, LC_ALL => 'C.UTF-8', HOME => $dir, NO_COLOR => '');
        my $want = $cells->(@{ $colour{$depth} });
        my @start = ('--demo', '-e', "restore $four binary c");
        my $t = terminal(\%env, Gpudbg::program(), '-n', @start) or plan skip_all => 'no pseudo-terminals';
        sees($t, qr/help/, 10) or diag 'no screen';
        type_($t, ":picture c unorm8x4 2x2\r");
        ok sees($t, qr/\Q$want\E/, 10), "half blocks in colours ($depth)" or diag $t->{text};
        ok sees($t, qr/press Enter/, 10), '... until a key';
        type_($t, "\r:print 6*7\r");
        ok sees($t, qr/\$1 = 42/, 10), '... and the screen is back';
        type_($t, "quit\ry\r");
        finish($t, 10);
    }
    my $t = terminal({ TERM => 'xterm', LC_ALL => 'C.UTF-8', HOME => $dir, COLORTERM => '' }, Gpudbg::program(), '-n',
        '--demo', '-e', "restore $four binary c");
    sees($t, qr/help/, 10);
    type_($t, ":picture c unorm8x4 2x2\r");
    ok sees($t, qr/from 0 to 1/, 10), 'eight colours: characters, on the screen';
    unlike $t->{text}, qr/press Enter/, '... which stays';
    type_($t, "quit\ry\r");
    finish($t, 10);
};

done_testing;
