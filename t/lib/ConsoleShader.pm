# SPDX-License-Identifier: GPL-3.0-or-later
#
# A pixel shader in the form of the console with RDNA: it samples a texture at two attributes and exports what it finds.
#
#   my $bytes = ConsoleShader::pixel();                  the file: header, registers, code; the export is at 0x20
#   my $words = ConsoleShader::launch('@FILE');          `launch` for 8 x 4 pixels; FILE has 64 x 2 texels of unorm8x4
package ConsoleShader;

use v5.36;
no warnings 'portable';

sub hex_of (@bytes) { return 'hex:' . unpack 'H*', join '', @bytes }

# Bytes of fields, each [low bit, bits, value].
sub fields ($bytes, @fields) {
    my $word = '0' x (8 * $bytes);
    for (@fields) {
        my ($low, $bits, $value) = @$_;
        substr $word, 8 * $bytes - $low - $bits, $bits, sprintf "%0${bits}b", $value;
    }
    return scalar reverse pack 'B' . 8 * $bytes, $word;
}

# T# of a linear image, S# without repetition; their fields by Mesa's names.
sub image ($base, $format, $width, $height) {
    return fields(32, [0, 40, $base >> 8], [52, 9, $format], [62, 14, $width - 1], [78, 14, $height - 1], [95, 1, 1],
        [96, 12, 4 | 5 << 3 | 6 << 6 | 7 << 9], [124, 4, 9]);
}
sub sampler () { return fields(16, [0, 9, 0222], [44, 12, 0xfff]) }

sub pixel () {
    my $code = pack 'V*', 0xbefc0304,                   # s_mov_b32 m0, s4
        0xc8080000, 0xc8090001, 0xc80c0100, 0xc80d0101, # v_interp_p1_f32, _p2_f32 v2: attr0.x, v3: attr0.y
        0xf0800f08, 0x00820402, 0xbf8c3f70,             # image_sample v[4:7], v[2:3], s[8:15], s[16:19]; s_waitcnt
        0xf800180f, 0x07060504, 0xbf810000;             # exp mrt0 v4, v5, v6, v7 done vm; s_endpgm
    my $tables = pack 'V8', 0x1b6, 1 << 15, 0x1b4, 1 << 1, 0x00a, 0, 0x00b, 4 << 1;
    return pack('V2 Q<7 V5 v3 C3', 0x34333231, 0x18, 0, 0, 0x60 - 0x18, 0x70 - 0x20, 0, 0, 0, 0x80, length $code, 0, 0,
        0, 0, 0, 0, 1, 2, 2) . "\0" x 3 . $tables . $code;
}

# The texture is buf0, the first buffer; its attributes grow from 0 to 1 along x and along y.
sub launch ($texels) {
    return "launch -g 8,4 -l 8,4 buf0=$texels s[8:15]=" . hex_of(image(0x100000000, 56, 64, 2)) . ' s[16:19]='
        . hex_of(sampler()) . ' params=' . hex_of(pack 'f<12', 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0);
}

1;
