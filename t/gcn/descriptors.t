#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Descriptors in SGPRs are words with fields: made here from the manual's words (SQ_BUF_RSRC_WORD0 and so on, chapters 5
# to 8), read back as fields of the whole.  Hardware registers too.
use v5.36;
no warnings 'portable'; # addresses have 40 bits and more
use Test::More;
use File::Temp qw(tempdir);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
open my $code, '>:raw', "$dir/code.bin" or die "$dir: $!\n";
print $code pack 'V', 0xbf810000; # s_endpgm
close $code;

# The fields a command prints: name => [bits, value, meaning].
sub fields ($words, $from, $command) {
    my $last = $from + @$words - 1;
    my $hex = unpack 'H*', pack 'V*', @$words;
    open my $out, '-|', $gpudbg, qw(--batch --raw --isa gfx7), '-e', "launch -g 64 -l 64 s[$from:$last]=hex:$hex", '-e',
        $command, "$dir/code.bin" or die "$gpudbg: $!\n";
    my %fields;
    while (<$out>) {
        $fields{$1} //= [$2, hex $3, $4] if /^\s+(\w+)\s+(\d+:\d+) = (0x[0-9a-f]+)\s+(.*?)\s+\(/;
    }
    close $out;
    return \%fields;
}

sub check ($fields, $name, $bits, $value, $meaning) {
    is_deeply($fields->{$name}, [$bits, $value, $meaning], "$name is $meaning");
}

my $v = fields([0x3456789a, 0x0012 | 16 << 16 | 1 << 31, 100,
    4 | 5 << 3 | 6 << 6 | 7 << 9 | 7 << 12 | 14 << 15 | 1 << 19 | 3 << 21 | 1 << 23], 4, 'print/V $s[4:7]');
check($v, 'base_address', '47:0', 0x123456789a, '0x123456789a');
check($v, 'stride', '61:48', 16, '16 B');
check($v, 'swizzle_enable', '63:63', 1, 'yes');
check($v, 'cache_swizzle', '62:62', 0, 'no');
check($v, 'num_records', '95:64', 100, '100');
check($v, 'dst_sel_x', '98:96', 4, 'SQ_SEL_X');
check($v, 'dst_sel_w', '107:105', 7, 'SQ_SEL_W');
check($v, 'num_format', '110:108', 7, 'BUF_NUM_FORMAT_FLOAT');
check($v, 'data_format', '114:111', 14, 'BUF_DATA_FORMAT_32_32_32_32');
check($v, 'element_size', '116:115', 1, '4 B');
check($v, 'index_stride', '118:117', 3, '64 records');
check($v, 'add_tid_enable', '119:119', 1, 'yes');
check($v, 'type', '127:126', 0, 'SQ_RSRC_BUF');

my $t = fields([0x00abcdef, 0x12 | 0x180 << 8 | 10 << 20 | 9 << 26, (640 - 1) | (480 - 1) << 14,
    4 | 5 << 3 | 6 << 6 | 7 << 9 | 3 << 16 | 13 << 28, (6 - 1) | (704 - 1) << 13, 1 | 5 << 13, 0x80, 0], 8,
    'print/T $s[8:15]');
check($t, 'base_address', '39:0', 0x1200abcdef, '0x1200abcdef00');
check($t, 'min_lod', '51:40', 0x180, '1.5');
check($t, 'data_format', '57:52', 10, 'IMG_DATA_FORMAT_8_8_8_8');
check($t, 'num_format', '61:58', 9, 'IMG_NUM_FORMAT_SRGB');
check($t, 'width', '77:64', 639, '640');
check($t, 'height', '91:78', 479, '480');
check($t, 'last_level', '115:112', 3, '3');
check($t, 'type', '127:124', 13, 'SQ_RSRC_IMG_2D_ARRAY');
check($t, 'depth', '140:128', 5, '6');
check($t, 'pitch', '154:141', 703, '704');
check($t, 'base_array', '172:160', 1, '1');
check($t, 'last_array', '185:173', 5, '5');
check($t, 'min_lod_warn', '203:192', 0x80, '0.5');

my $s = fields([2 | 6 << 3 | 3 << 12, 0x40 | 0xf00 << 12, 0x3f80 | 1 << 20 | 1 << 22 | 2 << 26, 0x123 | 3 << 30], 16,
    'print/S $s[16:19]');
check($s, 'clamp_x', '2:0', 2, 'SQ_TEX_CLAMP_LAST_TEXEL');
check($s, 'clamp_y', '5:3', 6, 'SQ_TEX_CLAMP_BORDER');
check($s, 'depth_compare_func', '14:12', 3, 'SQ_TEX_DEPTH_COMPARE_LESSEQUAL');
check($s, 'min_lod', '43:32', 0x40, '0.25');
check($s, 'max_lod', '55:44', 0xf00, '15');
check($s, 'lod_bias', '77:64', 0x3f80, '-0.5');
check($s, 'xy_mag_filter', '85:84', 1, 'SQ_TEX_XY_FILTER_BILINEAR');
check($s, 'mip_filter', '91:90', 2, 'SQ_TEX_Z_FILTER_LINEAR');
check($s, 'border_color_ptr', '107:96', 0x123, '291');
check($s, 'border_color_type', '127:126', 3, 'SQ_TEX_BORDER_COLOR_REGISTER');

my $mode = fields([0], 0, 'print/fields $mode');
like($mode->{denorm_f64}[0] // '', qr/^7:6$/, 'MODE has its denormal field for doubles');
is($mode->{ieee}[0] // '', '9:9', 'MODE has its IEEE bit');
is($mode->{vskip}[0] // '', '28:28', 'MODE has its VSKIP bit');
# Fields that contradict each other stop a wave that uses the buffer's format, with the field's name.
# buffer_load_format_xyzw v[4:7], v0, s[4:7], 0 idxen; tbuffer_load_format_x v4, v0, s[4:7], 0 format:[8_8_8_8,FLOAT]
# idxen
open my $loads, '>:raw', "$dir/loads.bin" or die "$dir: $!\n";
print $loads pack 'V*', 0xe00c2000, 0x80010400, 0xebd02000, 0x80010400, 0xbf810000;
close $loads;
sub load_with ($word3) {
    my $hex = unpack 'H*', pack 'V*', 0, 0x100000, 0, $word3;
    return scalar `$gpudbg --batch --raw --isa gfx7 -e 'launch -g 4 -l 4 s[4:7]=hex:$hex' \\
        -e continue $dir/loads.bin 2>&1`;
}
my $plain = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 4 << 12 | 14 << 15;
for my $bad (
    [$plain | 15 << 15, 'V#.data_format is 15: no format'],
    [4 | 5 << 3 | 6 << 6 | 7 << 9 | 7 << 12 | 10 << 15, 'V#.num_format is 7: does not fit the data format'],
    [($plain & ~7) | 3, 'V#.dst_sel_x is 3: reserved'],
    [$plain | 1 << 31, 'V#.type is 2: no buffer'],
    [$plain, 'tbuffer_load_format_x: num_format is 7: does not fit the data format']) {
    like(load_with($bad->[0]), qr/Fault.*\Q$bad->[1]\E/, "refused: $bad->[1]");
}

done_testing;
