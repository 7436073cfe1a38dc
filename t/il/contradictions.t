#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# AMD IL: what the manual says twice, or not at all, and the reading that gpudbg follows: one row each, with a check of
# its own, a setting, or the test that has it.
use v5.36;
use Test::More;
use IL;
use Gpudbg;
use ILModel qw(assemble disassemble);

my ($r0, $r1, $r2, $r3) = map { 4 << 16 | $_ } 0 .. 3;
my $mod = 1 << 22;

# ---- Ways to check ----

my @declared = ('dcl_raw_uav_id(1)', 'dcl_raw_uav_id(900)', 'dcl_lds_id(1) 64',
    'dcl_resource_id(1)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)');
sub hex_of (@words) { return join ' ', map { sprintf '%x', $_ & 0xffffffff } @words }
sub assembled ($text) {
    my ($err, $status, @words) = assemble($dir, join "\n", 'il_cs_2_0', @declared, $text, 'end');
    return $status ? "error: $err" : hex_of(@words);
}
(my $head = assembled('')) =~ s/ 28$//;

# Text becomes these tokens.
sub tokens ($text, @want) { return sub { is(assembled($text), "$head " . hex_of(@want, 40), $_[0]) } }

# A body leaves these words in r8 of lane 0; literals l0 = (x y z w) bits, l1 ...
sub gives ($literals, $body, $want, %o) {
    return sub ($name) {
        my $k = 0;
        my $text = "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\ndcl_lds_id(1) 1024\ndcl_gds_id(1) 1024\n"
            . "dcl_struct_uav_id(3) 32\n" . ($o{dcl} // '')
            . join('', map { my $v = join ', ', map { /^0x/ ? $_ : /[.n]/ ? "0x"
            . sprintf('%08X', unpack 'V', pack 'f<', $_) : $_ } @$_; 'dcl_literal l' . $k++ . ", $v\n" } @$literals)
            . "mov r8, r100\n$body\nuav_raw_store_id(0) mem.xyzw, r100.x, r8\n" . ($o{more} // '') . "end\n";
        my $got = run_il($text, launch => '-g 64 -l 64', args => 'uav0=zero:64 uav3=zero:1024', save => ['uav0'],
            before => $o{before} // []);
        my @w = (unpack 'V*', $got->{uav0} // '')[0 .. $#$want];
        is(hex_of(map { $_ // 0xbad } @w), hex_of(@$want), $name) or diag $got->{output};
    };
}

# `check il` says this of a program.
sub warns ($text, $like, $shader = 'il_cs_2_0') {
    return sub ($name) {
        open my $f, '>', "$dir/w.il" or die;
        print $f "$shader\n$text\nend\n";
        close $f;
        my ($out, $err) = gpudbg('-e', 'check il', "$dir/w.il");
        like("$out$err", $like, $name);
    };
}

# Another test has it: its file holds these words.
sub tested ($file, $words) {
    return sub ($name) {
        open my $f, '<', "t/il/$file" or die "t/$file: $!";
        ok((do { local $/; <$f> }) =~ /\Q$words\E/, "$name: t/$file, \"$words\"");
    };
}

my $one = 0x3f800000;
my $nan = 0x7fc00000;
my @dmovc = ([[0, 0, 1, 0], [1, 2, 3, 4], [5, 6, 7, 8]], 'dmovc r8, l0, l1, l2');

my @table = (
    ['opcodes', 'MOVA is missing in the printed list: MUL is 73', tokens('mul r0, r1, r2', 73, $r0, $r1, $r2)],
    ['shader types', 'comments are exchanged: 0 is vertex, 1 is pixel', sub ($name) {
        my (undef, undef, @w) = assemble($dir, "il_ps_2_0\nend\n");
        is($w[1], 0x10200, $name) }],
    ['clamp', 'a source modifier without a spelling: kept in an annotation', sub ($name) {
        my ($text) = disassemble($dir, 0, 0x30200, 71, $r0, $r1 | $mod, 0x1003210, 40);
        my (undef, undef, @w) = assemble($dir, $text);
        is(hex_of(@w), hex_of(0, 0x30200, 71, $r0, $r1 | $mod, 0x1003210, 40), $name);
        like($text, qr/^ *mov r0, r1\.xyzw ;!/m, "$name, and not as _sat") }],
    ['order of modifiers', 'swizzle invert bias x2 sign divComp abs neg',
    gives([['0.75', '-0.25', '2.0', '0.0']], 'mov r8, l0.yxxx_invert_bx2_sign_neg(x)',
    [map { unpack 'V', pack 'f<', $_ } -1, -1, -1, -1])],
    ['sign', 'about 0, not about 1', gives([['0.5', '-0.5', '0.0', '3.0']], 'mov r8, l0_sign',
    [$one, 0xbf800000, 0, $one])], ['neg on doubles', 'the letter of the high dword',
    gives([[0, 0x3ff00000, 0, 0]], 'dadd r8.xy, l0.xy_neg(x), l0.xy', [0, 0x40000000])],
    ['neg on doubles', '... which is y', gives([[0, 0x3ff00000, 0, 0]], 'dadd r8.xy, l0.xy_neg(y), l0.zzzz',
    [0, 0xbff00000])], ['neg on integers', "two's complement",
    gives([[5, 1, 0, 0]], 'iadd r8, l0_neg(xy), l0.zzzz', [-5, -1, 0, 0])],
    ['abs on integers', 'warned about', warns("iadd r0, r1_abs, r2", qr/source-modifier/)],
    ['neg of a 1 on integers', "two's complement of the bits of 1.0",
    gives([[0, 0, 0, 0]], 'iadd r8, l0.1111_neg(x), l0', [-$one, $one, $one, $one])],
    ['neg on iand', 'works', gives([[5, 0xff, 0, 0]], 'iand r8, l0.xxxx_neg(x), l0.yyyy', [0xfb, 5, 5, 5])],
    ['abs on iand', 'warned about', warns("iand r0, r1_abs, r2", qr/source-modifier/)],
    ['1 in swizzles', 'inserts the bits of 1.0 even for integers',
    gives([[1, 2, 3, 4]], 'iadd r8, l0.10xy, l0.0000', [$one, 0, 1, 2])],
    ['mask 0 and 1', 'written even where the instruction writes nothing',
    gives([['1.0', '2.0', '3.0', '4.0']], 'crs r8.xyz1, l0, l0', [0, 0, 0, $one])],
    ['mask 0 and 1', '... by a cmov that does not move they are not',
    gives([[0, 0, 0, 0], [5, 6, 7, 8]], "mov r8, l1\ncmov r8.x10w, l0, l1", [5, 6, 7, 8])],
    ['result modifiers', 'scale, then clamp', gives([['0.75', '0.25', '-1.0', '0.0']], 'mov_x2_sat r8, l0',
    [$one, 0x3f000000, 0, 0])], ['result modifiers', 'clamp of a NaN is 0',
    gives([[$nan, 0, 0, 0]], 'add_sat r8, l0.xxxx, l0', [0, 0, 0, 0])],
    ['break_logical', 'z when zero, nz when any bit is set', tested('flow.t', "kernel('break_logicalz'")],
    ['call_logicalz', 'of any register, when zero',
    gives([[0, 1, 7, 0]], 'call_logicalz l0.x, 1', [7, 7, 7, 7],
    more => "endmain\nfunc 1\nmov r8, l0.zzzz\nret\nendfunc\n")],
    ['continue_logical', 'has no label', tested('flow.t', "kernel('continue_logicalnz'")],
    ['conditions', 'component x after the swizzle',
    gives([[0, 1, 7, 0]], "if_logicalnz l0.yxxx\nmov r8, l0.zzzz\nendif", [7, 7, 7, 7])],
    ['conditions', '... and a swizzle of several is warned about',
    warns("if_logicalnz r0\nendif", qr/condition-swizzle/)],
    ['case', 'the value is a token, no source', tokens("switch r1.x\ncase 3\nbreak\nendswitch", 114, $r1 | $mod, 0, 105,
    3, 6, 109)], ['loop', 'count of 8 bits, aL from y by z', tested('flow.t', 'loop')],
    ['ret', 'optional before endfunc; nothing may stand behind it',
    gives([[3, 0, 0, 0]], 'call 1', [3, 3, 3, 3], more => "endmain\nfunc 1\nmov r8, l0.xxxx\nendfunc\n")],
    ['nesting', '32 calls, then calls are skipped', tested('flow.t', '32')],
    ['nesting', 'blocks nest without a limit of 4 or 32',
    gives([[1, 0, 0, 0]], ("if_logicalnz l0.x\n" x 100) . "mov r8, l0.xxxx\n" . ("endif\n" x 100), [1, 1, 1, 1])],
    ['dcl_ts_*', 'the value stands in the control', tokens('dcl_ts_partition pow2', 310 | 1 << 16)],
    ['dcl_total_num_thread_group', 'as many tokens as dimensions',
    tokens('dcl_total_num_thread_group 8, 2', 213 | 2 << 16, 8, 2)],
    ['dcl_output_topology', 'an enumeration of its own', tokens('dcl_output_topology line_strip', 124 | 1 << 16)],
    ['dcl_num_instances', 'a control, no token', tokens('dcl_num_instances 2', 304 | 2 << 16)],
    ['dcl_max_tessfactor', 'a token', tokens('dcl_max_tessfactor 64', 312, 0x42800000)],
    ['dcl_max_thread_per_group', 'a token', tokens('dcl_max_thread_per_group 64', 352, 64)],
    ['dcl_input_primitive', 'no literal behind it', tokens('dcl_input_primitive line', 120 | 1 << 16)],
    ['dcl_resource', 'dimension at 27:24, four formats',
    tokens('dcl_resource_id(9)_type(3d)_fmtx(snorm)_fmty(unorm)_fmtz(sint)_fmtw(uint)', 128 | 9 << 16 | 3 << 24,
    1 << 20 | 2 << 23 | 3 << 26 | 4 << 29)], ['dcl_uav', 'fmtx is the format, type the dimension',
    tokens('dcl_uav_id(2)_type(1d)_fmtx(sint)', 221 | 2 << 16 | 3 << 20 | 1 << 24)],
    ['dcl_lds', 'a token of bytes', tokens('dcl_lds_id(2) 1024', 262 | 2 << 16, 1024)],
    ['fence', 'flags at 22:16', tokens('fence_threads_gds', 218 | 1 << 16 | 1 << 22)],
    ['fence', 'at least one', warns('fence', qr/fence-empty/)],
    ['lds_load_vec', 'no more tokens', tokens('lds_load_vec_id(1) r0, r1, r2', 219 | 1 << 16, $r0, $r1, $r2)],
    ['lds_store_vec', 'masks with gaps are warned about',
    warns("dcl_lds_id(1) 64\nlds_store_vec_id(1) mem.x_z_, r0, r1, r2", qr/store-mask/)],
    ['lds_write_vec', 'masks of three columns are of four',
    tokens('lds_write_vec mem.xy_, r1', 217, 47 << 16 | $mod, 5, $r1)],
    ['lds_dec', 'counts down and wraps', gives([[0, 9, 4, 0]],
    "lds_store_id(1) l0.x, l0.z\nif_logicalz vTidInGrpFlat.x\nlds_dec_resource(1) l0.x, l0.y\nendif\n"
    . "lds_load_id(1) r8.x, l0.x", [3])], ['lds suffixes', '_id and _resource are one',
    tokens('lds_read_add_id(1) r0, r1, r2', 277 | 1 << 16, $r0, $r1, $r2)],
    ['lds addresses', 'bytes, rounded down to a dword',
    gives([[8, 10, 77, 0]], "lds_store_id(1) l0.x, l0.z\nlds_load_id(1) r8.x, l0.y", [77])],
    ['gds_load', 'one address, one value', gives([[8, 10, 77, 0]],
    "gds_store_id(1) l0.x, l0.z\ngds_load_id(1) r8.x, l0.y", [77])],
    ['gds_umax', 'the larger one', gives([[8, 5, 9, 0]],
    "gds_store_id(1) l0.x, l0.y\ngds_umax_id(1) l0.x, l0.z\ngds_load_id(1) r8.x, l0.x", [9])],
    ['uav_cmp', 'address, new value, value compared with', tested('memory.t', 'cmp')],
    ['cached', '1 is _cached, 2 is _uncached', tokens('uav_raw_load_id(1)_uncached r0, r1', 225 | 1 << 16 | 2 << 26,
    $r0, $r1)], ['_arena', 'bit 31 of atomics, which have no modifier',
    tokens('uav_add_id(1)_arena r0, r1', 233 | 1 << 16 | 1 << 31, $r0, $r1)],
    ['uav_max', 'the larger one', gives([[32, 5, 9, 0]],
    "uav_raw_store_id(0) mem.x, l0.x, l0.y\nuav_max_id(0) l0.x, l0.z\nuav_raw_load_id(0) r8.x, l0.x", [9])],
    ['uav_arena_store', 'two sources, no destination',
    tokens("dcl_arena_uav_id(8)\nuav_arena_store_id(8)_size(short) r0, r1", 230 | 8 << 16, 232 | 8 << 16 | 1 << 26, $r0,
    $r1)], ['struct addresses', "the uav's stride",
    gives([[2, 8, 77, 72]],
    "uav_struct_store_id(3) mem.x, l0.xy, l0.z\nuav_struct_load_id(3) r8, l0.xy\nmov r8.yzw, l0.0000", [77, 0, 0, 0])],
    ['append_buf_consume', 'a setting: il consume', tested('memory.t', 'consume')],
    ['sub', 'source 0 less source 1', gives([['5.0', '3.0', '0.0', '0.0']], 'sub r8.x, l0.x, l0.y', [0x40000000])],
    ['ne of a NaN', 'true', gives([[$nan, 0, 0, 0]], 'ne r8.x, l0.x, l0.x', [0xffffffff])],
    ['cmov', '-0 does not move', gives([[0x80000000, 0, '1.0', 0], [1, 1, 1, 1], [2, 2, 2, 2]],
    "mov r8, l2\ncmov r8, l0, l1", [2, 2, 1, 2])],
    ['dmovc', 'a setting: what is not 0 takes source 1', gives(@dmovc, [5, 6, 5, 6])],
    ['dmovc', '... or, set il dmovc manual, what is', gives(@dmovc, [1, 2, 1, 2], before => ['set il dmovc manual'])],
    ['dmov', 'copies pairs', gives([[1, 2, 3, 4]], 'dmov r8, l0', [1, 2, 1, 2])],
    ['dldexp', 'source 0 by 2 to source 1', gives([[0, 0x3ff00000, 3, 0]], 'dldexp r8.xy, l0.xy, l0.zz',
    [0, 0x40200000])], ['drcp', 'of xy', gives([[0, 0x40000000, 0, 0]], 'drcp r8.xy, l0.xy', [0, 0x3fe00000])],
    ['d_frexp', 'of infinity: exponent -1, a NaN', tested('alu.t', 'frexp')],
    ['i64', 'one pair in, xy or zw out', gives([[0xffffffff, 0, 1, 0]], 'i64add r8.xy, l0.xy, l0.zw', [0, 1])],
    ['i64 shifts', 'by six bits', gives([[1, 0, 33, 0]], 'i64shl r8.xy, l0.xy, l0.zz', [0, 2])],
    ['imax, imin', 'integers, without NaN', gives([[0x7fc00000, 0xffffffff, 0, 0]], 'imax r8.x, l0.x, l0.y',
    [0x7fc00000])], ['dlt', 'denormals are kept', gives([[0, 0x80000000, 1, 0]], 'dlt r8.x, l0.xy, l0.zw',
    [0xffffffff])], ['dge', '... here, too', gives([[0, 0, 1, 0]], 'dge r8.x, l0.xy, l0.zw', [0])],
    ['len', 'of xyz', gives([['3.0', '4.0', '0.0', '9.0']], 'len r8.x, l0', [0x40a00000])],
    ['dist', 'of xyz', gives([['3.0', '4.0', '0.0', '9.0'], ['0.0', '0.0', '0.0', '0.0']], 'dist r8.x, l0, l1',
    [0x40a00000])], ['reflect', 'by the formula, of xyzw; a setting: il reflect',
    tested('operands.t', 'set il reflect divide')],
    ['atan', 'of any number', gives([['1.0', '0.0', '0.0', '1e30']], 'atan r8.x, l0.w', [0x3fc90fdb])],
    ['pireduce', 'frac(x / 2pi + 0.5) 2pi - pi', gives([['0.0', '0.0', '0.0', '0.0']], 'pireduce r8.x, l0', [0])],
    ['nrm', 'zeroop at 17:16, nrm4 at 18', tokens('nrm_nrm4_zeroop(zero) r0, r1', 76 | 1 << 16 | 1 << 18, $r0, $r1)],
    ['zeroop', 'two bits', tokens('div_zeroop(inf_else_max) r0, r1, r2', 32 | 3 << 16, $r0, $r1, $r2)],
    ['inf_else_max', 'a setting: il inf-else-max',
    gives([['1.0', '0.0', 0, 0]], 'div_zeroop(inf_else_max) r8.x, l0.x, l0.y', [0x7f7fffff],
    before => ['set il inf-else-max max'])], ['ubit_extract', 'widths and offsets count to 31',
    gives([[36, 32, 0xab, 0]], 'ubit_extract r8.x, l0.x, l0.y, l0.z', [0xb])],
    ['ubit_insert', 'source 3 is what is inserted into',
    gives([[4, 8, 0xf, 0]], 'ubit_insert r8.x, l0.x, l0.y, l0.z, l0.w', [0xf00])],
    ['ubit_reverse', 'all 32 bits', gives([[0x12345678, 0, 0, 0]], 'ubit_reverse r8.x, l0.x', [0x1e6a2c48])],
    ['ffb_hi', 'from the highest bit on', gives([[0x00800000, 0, 0, 0]], 'ffb_hi r8.x, l0.x', [8])],
    ['ffb', 'lo is 0', tokens('ffb_lo r0, r1', 296, $r0, $r1)],
    ['bitalign', 'by bits of 4:0, each component',
    gives([[0x12345678, 0x9abcdef0, 36, 8]], 'bitalign r8, l0.xxxx, l0.yyyy, l0.zwzw',
    [0x89abcdef, 0x789abcde, 0x89abcdef, 0x789abcde])],
    ['bytealign', 'by bits 1:0', gives([[0x12345678, 0x9abcdef0, 5, 0]], 'bytealign r8.x, l0.x, l0.y, l0.z',
    [0x789abcde])], ['multimedia', 'modifiers are warned about',
    warns('bitalign r0, r1_abs, r2, r3', qr/source-modifier/)],
    ['multimedia', 'sad by components', gives([[0x01020304, 0x00000000, 1, 2]], 'sad r8, l0.xxxx, l0.yyyy, l0.zwzw',
    [11, 12, 11, 12])], ['sad4', 'the same everywhere', tested('alu.t', 'sad')],
    ['imul24_high', 'bits 47:32, with sign', gives([[0x800000, 2, 0, 0]], 'imul24_high r8.x, l0.x, l0.y',
    [0xffffffff])], ['utof', 'to the nearest', gives([[0x01000003, 0, 0, 0]], 'utof r8.x, l0.x', [0x4b800002])],
    ['f2d', 'exact', gives([['0.1', 0, 0, 0]], 'f2d r8.xy, l0.x',
    [unpack 'V2', pack 'd<', unpack 'f<', pack 'f<', 0.1])],
    ['udiv, umod by 0', 'all ones', gives([[5, 0, 0, 0]], "udiv r8.x, l0.x, l0.y\numod r8.y, l0.x, l0.y",
    [0xffffffff, 0xffffffff])], ['load', 'as many addresses as the dimension wants',
    tested('graphics.t', 'load, by whole numbers and level')],
    ['sample', 'w of the coordinates is ignored', tested('sampling.t',
    'sample_l_resource(0)_sampler(0) o0, v0.xyzz, v0.w')],
    ['resinfo', 'two more sources with _ext', tokens('resinfo_ext_resource(1)_uint r0, r1, r2, r3',
    135 | 1 << 16 | 1 << 24 | 1 << 28, 0, $r0, $r1, $r2, $r3)],
    ['sampleinfo', 'no source', tokens('sampleinfo_resource(1) r0', 200 | 1 << 16, $r0)],
    ['texldb, texldd', 'coordinates, then bias or gradients',
    tested('sampling.t', 'texldb_stage(0)_absolute o0, v0, l0')],
    ['numbers of UAVs', 'up to 1023', tokens('uav_raw_load_id(900) r0, r1', 225 | 900 << 16, $r0, $r1)],
    ['numbers of constant buffers', 'from 16 on warned about', warns('dcl_cb cb16[4]', qr/cb-range/)],
    ['shader models', 'mixtures are warned about', tested('rules.t', "'shader-model'")],
    ['vAbsTidFlat', 'number of the group by its size, and the number in it', sub ($name) {
        my $got = run_il(
            "il_cs_2_0\ndcl_num_thread_per_group 4, 2\ndcl_raw_uav_id(0)\ndcl_literal l0, 16, 2, 0, 0\n"
                . "mov r0.x, vAbsTid.y\nimad r1.x, r0.x, l0.x, vAbsTid.x\nishl r1.x, r1.x, l0.y\n"
                . "uav_raw_store_id(0) mem.x, r1.x, vAbsTidFlat.x\nend\n", launch => '-g 16,4 -l 4,2',
                args => 'uav0=zero:256', save => ['uav0']);
        my @want = map { my $y = $_; map { my $x = $_;
            (int($y / 2) * 4 + int($x / 4)) * 8 + $y % 2 * 4 + $x % 4 } 0 .. 15 } 0 .. 3;
        is(join(' ', unpack 'V*', $got->{uav0}), "@want", $name) }],
    ['divComp unknown', 'a setting: il divcomp', tested('sampling.t', 'set il divcomp z')],
    ['centroids', 'a setting: il samples', tested('sampling.t', 'set il samples 4')],
    ['cubes', 'a setting: il cube', tested('sampling.t', 'set il cube face')],
);
my $n = 0;
for my $row (@table) {
    my ($where, $reading, $check) = @$row;
    $check->(sprintf '%d %s: %s', ++$n, $where, $reading);
}
cmp_ok($n, '>=', 81, 'as many as are known');
done_testing;
