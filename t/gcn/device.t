#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Registers of the device: `set device`, a dump beside the code, and the driver's values decide how a launch tiles an
# image.
use v5.36;
use Test::More;
use lib 't/lib';
use Files;
use Gpudbg;


# image_store v2, v[0:1], s[0:7] dmask:0x1 unorm; s_endpgm
my $code = spill('code.bin', pack 'V*', 0xf0201100, 0x00000200, 0xbf810000);

# Lane n stores n + 1 at x = n, y = 9: the dwords of memory where it came to rest, by lane.
sub places (@commands) {
    my $x = unpack 'H*', pack 'V*', 0 .. 63;
    my $y = unpack 'H*', pack 'V*', (9) x 64;
    my $n = unpack 'H*', pack 'V*', 1 .. 64;
    my @t = (0, 0x10400000, 0x000fc03f, 0x90e00fac, 0x0007e000, 0, 0, 0);
    my ($text) = gpudbg(qw(--raw --isa gfx7), $code, (grep { -e } @commands), commands((grep { !-e } @commands),
        "launch -g 64 -l 64 buf0=zero:16384 v[0]=hex:$x v[1]=hex:$y v[2]=hex:$n s[0:7]=hex:"
        . unpack('H*', pack 'V*', @t), 'set $s0 = (u64)buf0 >> 8', 'set $s1 = 0x10400000 | (u64)buf0 >> 40', 'continue',
        "save arg buf0 $dir/out"));
    open my $f, '<:raw', "$dir/out" or return $text;
    my @words = unpack 'V*', do { local $/; <$f> };
    my @at;
    $at[$words[$_] - 1] = $_ for grep { $words[$_] } 0 .. $#words;
    unlink "$dir/out";
    return \@at;
}

my @linear = map { 9 * 64 + $_ } 0 .. 63;
# 1D thin: tiles of 8x8 in rows; in a tile the bits of x and y take turns; y = 9 is line 1 of the second row of tiles.
my @thin = map { my $x = $_; (8 + int $x / 8) * 64 + ($x & 1 | ($x & 2) << 1 | ($x & 4) << 2) + 2 } 0 .. 63;
my $tiled = places();
is(scalar @$tiled, 64, 'row 14 as the driver sets it: every lane has stored');
isnt("@$tiled", "@linear", '... not line by line');
isnt("@$tiled", "@thin", '... nor tile by tile');
is_deeply(places('set device GB_TILE_MODE14 0x144'), \@linear, 'GB_TILE_MODE14 set to linear aligned: line by line');
is_deeply(places('set device gb_tile_mode14 = 0x400148'), \@thin, '... to 1D thin: tile by tile');
is_deeply(places('set device GB_TILE_MODE14 0x144', 'set device GB_TILE_MODE14 default'), $tiled,
    '... and to its default again');
my $dump = spill('regs.txt', "gfx720.mmGRBM_STATUS => 0xa0003028\ngfx720.mmGB_TILE_MODE14 => 0x00400148\n");
is_deeply(places($dump), \@thin, 'a dump beside the code tells the register');
is_deeply(places($dump, 'set device GB_TILE_MODE14 0x144'), \@linear, 'what the user sets counts more');
my $other = spill('gfx9.txt', "gfx900.mmGB_TILE_MODE14 => 0x00400148\n");
is_deeply(places($other), $tiled, 'a dump of another family does not');
my $banks = places('set device GB_MACROTILE_MODE2 0x90');
isnt("@$banks", "@$tiled", 'eight banks: other places');
is(scalar(grep { defined } @$banks), 64, '... for all');

sub text (@commands) { my ($text, $errors) = gpudbg(qw(--raw --isa gfx7), $code, $dump, commands(@commands));
    return $errors . $text }
like(text('info device GB_TILE_MODE14'), qr/GB_TILE_MODE14\s+0x00400148\s+\S*regs\.txt\s+.*ARRAY_1D_TILED_THIN1/,
    '`info device` says where the value is from');
like(text('set device GB_TILE_MODE14 0x144', 'info device GB_TILE_MODE14'),
    qr/0x00000144\s+set\s+ARRAY_MODE=ARRAY_LINEAR_ALIGNED/, '... and what was set');
like(text('set device GB_TILE_MODE32 1'), qr/no register "GB_TILE_MODE32"/,
    'a register that no launch depends on is refused');
like(text('set device GB_TILE_MODE1 0x100000000'), qr/more than 32 bits/, 'a value too wide is refused');
like(text('set device GB_TILE_MODE1'), qr/a value is missing/, 'a value must be there');

# RDNA's chips: GB_ADDR_CONFIG alone, of the instruction set in use.
my $newer = spill('newer.txt', "gfx1030.mmGRBM_STATUS => 0xa0003028\ngfx1030.mmGB_ADDR_CONFIG => 0x00000344\n");
sub newer ($isa, @commands) { my ($text, $errors) = gpudbg('--isa', $isa, (grep { -e } @commands),
    commands((grep { !-e } @commands), 'info device')); return $errors . $text }
like(newer('gfx10'), qr/^GB_ADDR_CONFIG\s+0x00100044\s+default/m, 'gfx10: that of Navi 10');
unlike(newer('gfx10'), qr/GB_TILE_MODE/, '... and no tables of older chips');
like(newer('gfx1011-wave64'), qr/0x00000043\s+default/, 'gfx1011: that of Navi 14');
like(newer("gfx10.3$_", $newer), qr/0x00000344\s+\S*newer\.txt/, "gfx10.3$_: of the dump") for '', '-wave64';
like(newer('gfx10', $newer), qr/0x00100044\s+default/, '... which does not count for gfx10');
like(newer('gfx10.3', 'set device GB_ADDR_CONFIG 0x242'), qr/0x00000242\s+set/, '... and as it is set');
done_testing;
