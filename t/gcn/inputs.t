#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `info inputs`, and a story: a folder with a vertex shader, its fetch shader and a pixel shader; launched with
# descriptors in memory, exports seen, the path of the texture's descriptor shown.
use strict;
use warnings;
no warnings 'portable';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

mkdir "$dir/dump";
sub inputs { return grep { $_->{type} eq 'input' } @_ }
sub line { my ($row, @keys) = @_; return join ' | ', map { $row->{$_} // '' } @keys }

# Words are LLVM's for -mcpu=bonaire.
my @fetch = (
    0xc0820300, 0xc0840304,         # s_load_dwordx4 s[4:7], s[2:3], 0x0; s_load_dwordx4 s[8:11], s[2:3], 0x4
    0xbf8c007f,                     # s_waitcnt lgkmcnt(0)
    0xe00c2000, 0x80010400,         # buffer_load_format_xyzw v[4:7], v0, s[4:7], 0 idxen
    0xe0042000, 0x80020803,         # buffer_load_format_xy v[8:9], v3, s[8:11], 0 idxen
    0xbf8c0f70,                     # s_waitcnt vmcnt(0)
    0xbe802000,                     # s_setpc_b64 s[0:1]
);
my @vertex = (
    0xbe802100,                     # s_swappc_b64 s[0:1], s[0:1]
    0xf80008cf, 0x07060504,         # exp pos0 v4, v5, v6, v7 done
    0xf8000203, 0x00000908,         # exp param0 v8, v9, off, off
    0xbf810000,
);
my @pixel = (
    0xc0c20100, 0xc0860508,         # s_load_dwordx8 s[4:11], s[0:1], 0x0 ; s_load_dwordx4 s[12:15], s[4:5], ...
    0xbefc0302,                     # s_mov_b32 m0, s2
    0xc8100000, 0xc8110001,         # v_interp_p1_f32 v4, v0, attr0.x; p2
    0xc8140100, 0xc8150101,         # v_interp_p1_f32 v5, v0, attr0.y; p2
    0xc81a0602,                     # v_interp_mov_f32 v6, p0, attr1.z
    0xf0800f00, 0x00610004,         # image_sample v[0:3], v[4:5], s[4:11], s[12:15] dmask:0xf
    0xbf8c0f70,
    0xf800180f, 0x03020100,         # exp mrt0 v0, v1, v2, v3 done vm
    0xbf810000,
);
$pixel[1] = 0xc0860108;             # s_load_dwordx4 s[12:15], s[0:1], 0x8
spill('dump/vs_0xaa.bin', pack 'V*', @vertex);
my $fetch = spill('dump/vs_0xaa.fetch.bin', pack 'V*', @fetch);
my $named = spill('fetch.bin', pack 'V*', @fetch);
spill('dump/fs_0xbb.bin', pack 'V*', @pixel);

my %number;
subtest 'the folder' => sub {
    my @all = grep { $_->{type} eq 'code-file' } records("$dir/dump", commands('info folder'));
    %number = map { $_->{name} => $_->{number} } @all;
    is_deeply [map { "$_->{name}: " . ($_->{stage} // '') =~ s/[,:].*//r } sort { $a->{name} cmp $b->{name} } @all],
        ['fs_0xbb.bin: pixel', 'vs_0xaa.bin: vertex', 'vs_0xaa.fetch.bin: fetch shader'], 'each by its name';
};

my @keys = qw(kind name registers index path pairs);
subtest 'from the code alone' => sub {
    my @rows = inputs(records($fetch, commands('info inputs')));
    is_deeply [map { line($_, @keys) } @rows], [
        'fetch | attribute 0 | v[4:7] | v0: vertex | user s[2:3] + 0x0 -> V# | ',
        'fetch | attribute 1 | v[8:9] | v3: instance | user s[2:3] + 0x10 -> V# | '], 'a fetch shader';
    my $alone = spill('vertex.bin', pack 'V*', @vertex);
    @rows = inputs(records('--raw', '--isa', 'gfx7', $alone, commands('info inputs')));
    is_deeply [map { line($_, @keys) } @rows], [
        'call | fetch shader |  |  | user s[0:1] | the code there, which add-code brings',
        'export | pos0 | x=v4 y=v5 z=v6 w=v7 |  |  | ',
        'export | param0 | x=v8 y=v9 |  |  | attr0 of the pixel shader, if that says no other'], 'a vertex shader';
    @rows = inputs(records("$dir/dump/vs_0xaa.bin", commands('info inputs')));
    is join(' ', map { $_->{kind} } @rows), 'call export export fetch fetch', 'with the fetch shader of the same hash';
    is $rows[0]{pairs}, 'fetch', '... which is code of the same file then';
    @rows = inputs(records("$dir/dump/fs_0xbb.bin", commands('info inputs')));
    is_deeply [map { line($_, @keys) } @rows], ['export | mrt0 | x=v0 y=v1 z=v2 w=v3 |  |  | ',
        'interp | attr0.xy | I in v0 |  |  | param0, unless SPI_PS_INPUT_CNTL_0 says another',
        'interp | attr1.z | not interpolated |  |  | param1, unless SPI_PS_INPUT_CNTL_1 says another'],
        'a pixel shader';
    my $block = sub { my ($reg, @words) = @_; return pack 'v2 V*', $reg, $#words, @words };
    @rows = inputs(records(spill('mapped.dump', $block->(0x2c08, @pixel) . $block->(0xa191, 3) .
        $block->(0xa192, 0x20)), commands('info inputs')));
    is join(' | ', map { $_->{pairs} } @rows[1, 2]),
        'param3, as SPI_PS_INPUT_CNTL_0 says | a constant, as SPI_PS_INPUT_CNTL_1 says', 'the map of a dump';
};

subtest 'launched with real descriptors' => sub {
    my $table = 0x20000000;
    my $memory = pack('V4', $table + 0x100, 16 << 16, 64, 14 << 15 | 7 << 12 | 04 | 05 << 3 | 06 << 6 | 07 << 9) .
        pack('V4', $table + 0x1000, 8 << 16, 1, 11 << 15 | 7 << 12 | 04 | 05 << 3 | 06 << 6 | 07 << 9);
    $memory .= "\0" x (0x100 - length $memory);
    $memory .= pack 'f<4', $_, 2 * $_, 0.5, 1 for 0 .. 63;
    $memory .= "\0" x (0x1000 - length $memory);
    $memory .= pack('f<2', 0.25, 0.75) . "\0" x 64;
    my $saved = spill('table.bin', $memory);
    my @all = records("$dir/dump", commands("file $number{'vs_0xaa.bin'}", "add-code $named",
        sprintf("launch -g 64 -l 64 buf0\@0x%x=\@%s s[0:1]=&fetch s[2:3]=0x%x", $table, $saved, $table),
        'info inputs', 'continue', 'info exports'));
    my @rows = inputs(@all);
    is_deeply [map { line($_, qw(name format size address)) } grep { $_->{kind} eq 'fetch' } @rows],
        ['attribute 0 | 32_32_32_32 FLOAT | 64 of 16 bytes | 0x20000100',
        'attribute 1 | 32_32 FLOAT | 1 of 8 bytes | 0x20001000'], 'attributes with their formats'
        or diag explain [grep { $_->{type} ne 'export' } @all];
    my %lane = map { ("$_->{target} $_->{lane}" => $_) } grep { $_->{type} eq 'export' } @all;
    is line($lane{'pos0 7'}, qw(x y z w)), '0x40e00000 | 0x41600000 | 0x3f000000 | 0x3f800000',
        'a position is exported';
    is line($lane{'param0 7'}, qw(x y)), '0x3e800000 | 0x3f400000', '... and a parameter';
    my @paths = grep { $_->{type} eq 'descriptor' } records("$dir/dump/fs_0xbb.bin", commands('info resources'));
    is_deeply [map { line($_, qw(kind path)) } @paths],
        ['T# | user s[0:1] + 0x0 -> T#', 'S# | user s[0:1] + 0x20 -> S#'], 'the path of the texture';
};

done_testing;
