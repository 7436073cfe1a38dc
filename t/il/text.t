#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# AMD IL text: spellings of the manual and of real kernels, and what the manual leaves open or says twice, as tokens.
use v5.36;
use Test::More;
use POSIX ();
use File::Temp 'tempdir';
use Gpudbg;
use ILModel qw(assemble disassemble);

my $dir = tempdir(CLEANUP => 1);
my @declared = ('dcl_literal l0, 1, 2, 3, 4', 'dcl_cb cb0[16]', 'dcl_indexed_temp_array x5[16]',
    'dcl_resource_id(1)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)', 'dcl_raw_uav_id(1)',
    'dcl_raw_uav_id(11)', 'dcl_lds_id(1) 64');

sub hex_of (@words) { return join ' ', map { sprintf '%x', $_ & 0xffffffff } @words }

my (undef, undef, @head) = assemble($dir, join "\n", 'il_cs_2_0', @declared, 'end');
pop @head;

sub tokens_of ($text, $shader = 'il_cs_2_0') {
    my ($err, $status, @words) = assemble($dir, join "\n", $shader, @declared, $text, 'end');
    return "error: $err" if $status;
    pop @words;
    return hex_of(@words[@head .. $#words]);
}

my ($r0, $r1, $r2, $r3) = map { 4 << 16 | $_ } 0 .. 3;
my $mod = 1 << 22;

# Both spellings give the same tokens.
my @same = (
    ['and r0, r1, r2', 'iand r0, r1, r2'], ['MOV r0, r1', 'mov r0, r1'], ['mov r0 r1', 'mov r0, r1'],
    ["mov\tr0 ,\t r1", 'mov r0, r1'], ['mov r0.rgb1, r1.bgra', 'mov r0.xyz1, r1.zyxw'],
    ['mov r0.x, r1.xy', 'mov r0.x___, r1.xyyy'], ['mov r0.x_z, r1', 'mov r0.x_z_, r1'],
    ['mov r0.y_w, r1', 'mov r0._y_w, r1'], ['mov r0.y00, r1', 'mov r0._y00, r1'],
    ['mov r0.01z1, r1', 'mov r0.01z1, r1'], ['mov r0.z, r1', 'mov r0.__z_, r1'], ['mov r0, r1.x', 'mov r0, r1.xxxx'],
    ['mov r0, vaTid', 'mov r0, vAbsTidFlat'], ['mov r0, vaTid0.x', 'mov r0, vAbsTidFlat.x'],
    ['mov r0, vTid', 'mov r0, vTidInGrpFlat'], ['mov r0, vTgroupid', 'mov r0, vThreadGrpIdFlat'],
    ['mov r[3], r1', 'mov r3, r1'], ['mov r0, x5 [6] .y', undef], ['round_posinf r0, r1', 'round_plusinf r0, r1'],
    ['emitcut', 'emitthencut'], ['lds_read_add_id(1) r0, r1, r2', 'lds_read_add_resource(1) r0, r1, r2'],
    ['lds_add_resource(1) r1, r2', 'lds_add_id(1) r1, r2'],
    ['sample_resource(1)_sampler(2)_addroffimmi(1,0,0) r0, r1',
    'sample_resource(1)_sampler(2)_aoffimmi(1.0, 0, 0) r0, r1'],
    ['dcl_num_thread_per_blk 64', 'dcl_num_thread_per_group 64'], ['mov r0, r1_bias_x2', 'mov r0, r1_bx2'],
    ['mov r0, r1_neg(x)_abs', 'mov r0, r1_abs_neg(x)'], ['dcl_input_usage(generic) v1', 'dcl_input v1'],
    ['dcl_input_generic_interp(centroid) v1', 'dcl_input_generic_interp(linear_centroid) v1'],
    ['dcl_input_generic_interp(noperspective) v1', 'dcl_input_generic_interp(linear_noperspective) v1'],
    ['dcl_output_pos o0', 'dcl_output_position o0'], ['mov r0, r1 ; a comment', 'mov r0, r1'],
    ['mov r0, r1 ;! a comment', 'mov r0, r1'], ['mov r0, r1 ; ;! 0x12 more', 'mov r0, r1'],
    ['dcl_typeless_uav_id(2)_stride(4)_length(4)_access(read_write)',
    'dcl_typeless_uav_id(2)_stride(4)_length(4)_access(rw)'],
    ['uav_raw_store_id(1) mem0.x___, cb0[3].x, r0.0', 'uav_raw_store_id(1) mem.x, cb0[3].xxxx, r0.0000'],
    ['mul r0.xyz0, r1.xyyx, cb0[0].zwxz', 'mul r0.xyz0 r1.xyyx cb0[ 0 ] .zwxz'],
    ['sample_resource(1)_sampler(1)_aoffimmi(0.0, 1.0, 0.0) r1, r0.xy',
    'sample_resource(1)_sampler(1)_aoffimmi(0,1,0) r1, r0.xyyy'], ['mov r0, r1 // a comment', 'mov r0, r1'],
    ['mov r0, /* a comment */ r1', 'mov r0, r1'], ["# mov r9, r9\nmov r0, r1", 'mov r0, r1'],
    ['ffb(hi) r0, r1', 'ffb_hi r0, r1'], ['ffb(shi) r0, r1', 'ffb_shi r0, r1'],
    ['dcl_persistent 4', 'dcl_persistent p[4]'], ['dclpin_usage(wincoord)_usageIndex(0) vPixIn0',
    'dclpin_usage(pos)_usageIndex(0) vPixIn0'],
    ['dcl_resource_id(9)_type(2dms_array)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)',
    'dcl_resource_id(9)_type(2darraymsaa)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)'],
    ['mov r0, vWinCoord0', 'mov r0, vWinCoord[0]'], ["/* two\nlines */ mov r0, r1", 'mov r0, r1'],
    ['add_prec(xyzw) r0, r1, r2', 'add_prec r0, r1, r2'], ['add_sat_prec r0, r1, r2', 'add_prec_sat r0, r1, r2'],
    ['uav_arena_load_id(1)_cached_size(byte) r0, r1', 'uav_arena_load_id(1)_size(byte)_cached r0, r1'],
    ['dcl_global_flags refactoringAllowed, enableDoublePrecisionFloatOps',
    'dcl_global_flags enableDoublePrecisionFloatOps refactoringAllowed'],
    ['dcl_input_primitive prim_type(triangle)', 'dcl_input_primitive triangle'],
    ['dcl_ts_domain ts_domain_tri', 'dcl_ts_domain tri'],
    ['dcl_interface_ptr_dynamic(1)_id(2)[9][3] = {3, 4}', 'dcl_interface_ptr_id(2)_dynamic(1)[9][3] = {3, 4}'],
    ['dcl_resource_id(9)_type(2d, unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)',
    'dcl_resource_id(9)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)'],
);
for my $pair (@same) {
    my ($one, $two) = @$pair;
    is(tokens_of($one), tokens_of($two // $one =~ s/ \[/[/r =~ s/\] /]/r), $one =~ s/\n/ \\n /gr);
}

# Tokens of what facts about real streams and readings of the manual decide.
my @tokens = (
    ['example 1 of 2.2.8', 'mov r0, x5[6].y', 71, $r0, 30 << 16 | 5 | $mod | 1 << 26, 0x1111, 6],
    map({ my ($name, $code, $n, $d) = @$_; ["_arena of $name",
    "${name}_id(1)_arena " . join(', ', map { "r$_" } 0 .. $n + $d - 1), $code | 1 << 16 | 1 << 31,
    ($r0, $r1, $r2, $r3)[0 .. $n + $d - 1]] }
        ['uav_cmp', 243, 3, 0], ['uav_read_xchg', 254, 2, 1], ['uav_read_cmp_xchg', 255, 3, 1], ['uav_uinc', 390, 2, 0],
            ['uav_udec', 391, 2, 0], ['uav_read_uinc', 394, 2, 1], ['uav_read_udec', 395, 2, 1]),
    ['example 2', 'mov r0, x5[r2.x+6].y', 71, $r0, 30 << 16 | 5 | $mod | 2 << 23 | 1 << 26, 0x1111, $r2 | $mod, 0, 6],
    ['example 3', 'mov r0, v[1][2]', 71, $r0, 5 << 16 | 1 | 1 << 25, 5 << 16 | 2],
    ['example 4', 'mov r0, v[1][2].xyxx', 71, $r0, 5 << 16 | 1 | 1 << 25 | $mod, 0x0010, 5 << 16 | 2],
    ['example 5, the flag on the bare token', 'mov r0, cb[r6.w+2][r2.x+4].y', 71, $r0,
    31 << 16 | $mod | 2 << 23 | 1 << 25 | 1 << 26, 0x1111, 4 << 16 | 6 | $mod, 0x3333, 2, 2 << 23 | 1 << 26, $r2 | $mod,
    0, 4], ['a mixture of indices', 'mov r0, v[r0.x][2]', 71, $r0, 5 << 16 | 2 << 23 | 1 << 25, $r0 | $mod, 0,
    5 << 16 | 2], ['index 0 is a token', 'mov r0, cb0[0]', 71, $r0, 31 << 16 | 1 << 26, 0],
    ['no addend, no token', 'mov r0, cb0[r1.x]', 71, $r0, 31 << 16 | 2 << 23, $r1 | $mod, 0],
    ['an addend of 0 is one', 'mov r0, cb0[r1.x+0]', 71, $r0, 31 << 16 | 2 << 23 | 1 << 26, $r1 | $mod, 0, 0],
    ['a negative addend', 'mov r0, cb0[r1.x-4]', 71, $r0, 31 << 16 | 2 << 23 | 1 << 26, $r1 | $mod, 0, 0xfffffffc],
    ['a number in brackets', 'mov o[3], v[2]', 71, 34 << 16 | 3, 33 << 16 | 2],
    ['the loop counter', 'mov oT[aL], r1', 71, 17 << 16 | 1 << 23, 1, $r1],
    ['the address register', 'mov r0, c[a0.x+3]', 71, $r0, 1 << 16 | 1 << 23 | 1 << 26, 0, 3],
    ['a register number past 16 bits', 'mov r70000, r1', 71, 4 << 16 | 70000 & 0xffff | 1 << 31, 1 << 16, $r1],
    ['clamp only announces the modifier', 'add_sat r0, r1, r2', 3, $r0 | $mod, 0x155, $r1, $r2],
    ['scale, then clamp', 'add_x2_sat r0, r1, r2', 3, $r0 | $mod, 0x55 | 1 << 9 | 1 << 8, $r1, $r2],
    ['order of source modifiers', 'mov r0, r1.xyzw_invert_bx2_sign_divcomp(y)_abs_neg(xw)', 71, $r0, $r1 | $mod,
    0x3210 | 0x8008 | 1 << 16 | 3 << 17 | 1 << 19 | 1 << 20 | 1 << 21],
    ['_neg names slots', 'mov r0, r1.zw_neg(y)', 71, $r0, $r1 | $mod, 0x3332 | 0x80],
    ['xyzw alone is a token', 'mov r0.xyzw, r1.xyzw', 71, $r0 | $mod, 0x55, $r1 | $mod, 0x3210],
    ['mul is 73, for MOVA is 72', 'mul r0, r1, r2', 73, $r0, $r1, $r2], ['mova', 'mova a0, r1', 72, 3 << 16, $r1],
    ['case holds its value', "switch r1.x\ncase 3\nbreak\nendswitch", 114, $r1 | $mod, 0, 105, 3, 6, 109],
    ['dcl_lds holds bytes', 'dcl_lds_id(2) 1024', 262 | 2 << 16, 1024],
    ['dcl_input_primitive has no more tokens', 'dcl_input_primitive line', 120 | 1 << 16],
    ['dcl_num_instances is a control', 'dcl_num_instances 2', 304 | 2 << 16],
    ['dcl_max_tessfactor is a token', 'dcl_max_tessfactor 64', 312, 0x42800000],
    ['dcl_output_topology has its own enumeration', 'dcl_output_topology line_strip', 124 | 1 << 16],
    ['dcl_ts_partition is a control', 'dcl_ts_partition pow2', 310 | 1 << 16],
    ['dcl_resource: dimension at 27:24, four formats',
    'dcl_resource_id(9)_type(3d)_fmtx(snorm)_fmty(unorm)_fmtz(sint)_fmtw(uint)', 128 | 9 << 16 | 3 << 24,
    1 << 20 | 2 << 23 | 3 << 26 | 4 << 29], ['dcl_uav: format at 23:20, dimension at 29:24',
    'dcl_uav_id(2)_type(1d)_fmtx(sint)', 221 | 2 << 16 | 3 << 20 | 1 << 24],
    ['fence: flags at 22:16', 'fence_threads_gds', 218 | 1 << 16 | 1 << 22],
    ['lds_load_vec: no more tokens', 'lds_load_vec_id(1) r0, r1, r2', 219 | 1 << 16, $r0, $r1, $r2],
    ['lds_store_vec', 'lds_store_vec_id(1) mem.xyz_, r0, r1, r2', 220 | 1 << 16, 47 << 16 | $mod, 0x15, $r0, $r1, $r2],
    ['uav_arena_store has two sources', 'uav_arena_store_id(1)_size(short) r0, r1', 232 | 1 << 16 | 1 << 26, $r0, $r1],
    ['_arena is bit 31', 'uav_add_id(1)_arena r0, r1', 233 | 1 << 16 | 1 << 31, $r0, $r1],
    ['cached loads', 'uav_raw_load_id(11)_cached r0, r1', 225 | 11 << 16 | 1 << 26, $r0, $r1],
    ['bufinfo ext: two more sources, no dimension', 'bufinfo_ext_resource(1)_uav r0, r1, r2',
    318 | 1 << 16 | 1 << 28 | 1 << 31, 1 << 4, $r0, $r1, $r2],
    ['resinfo ext: two more sources and the dimension', 'resinfo_ext_resource(1)_uint r0, r1, r2, r3',
    135 | 1 << 16 | 1 << 24 | 1 << 28, 0, $r0, $r1, $r2, $r3],
    ['sampleinfo reads nothing', 'sampleinfo_resource(1) r0', 200 | 1 << 16, $r0],
    ['fma has three sources', 'fma r0, r1, r2, r3', 389, $r0, $r1, $r2, $r3],
    ['imul24_high is not imul24', 'imul24_high r0, r1, r2', 425, $r0, $r1, $r2],
    ['ffb_lo is 0', 'ffb_lo r0, r1', 296, $r0, $r1],
    ['1 in a literal is an integer', 'dcl_literal l9, 1, -1, 1.0, 0x1', 121, 32 << 16 | 9, 1, 0xffffffff, 0x3f800000,
    1], ['1 in def c is a float', 'def c9, 1, -1, 1.0, 0x1', 28, 1 << 16 | 9, 0x3f800000, 0xbf800000, 0x3f800000, 1],
    ['... in def i it is not', 'def i9, 1, 2, 3, 0', 28, 2 << 16 | 9, 1, 2, 3, 0],
    ['lds_write_vec takes the declared mode', "dcl_lds_sharing_mode _wavefrontAbs\nlds_write_vec mem, r1",
    215 | 1 << 16, 217 | 1 << 16, 47 << 16, $r1], ['zeroop of value 0', 'rcp_zeroop(fltmax) r0, r1', 81, $r0, $r1],
    ['nrm zeroop at 17:16', 'nrm_nrm4_zeroop(zero) r0, r1', 76 | 1 << 16 | 1 << 18, $r0, $r1],
);
for my $case (@tokens) {
    my ($what, $text, @want) = @$case;
    is(tokens_of($text), hex_of(@want), "$what: " . ($text =~ s/\n/ | /gr));
}

# Version lines.
for my $v (['il_ps', 0x10200], ['il_vs_2', 0x200], ['il_gs_3_1', 0x20301], ['il_ps_2_0_mp', 0x1010200],
    ['il_ps_2_0_rt', 0x2010200], ['IL_PS_2_0_mp_rt', 0x3010200], ['il_hs', 0x40200], ['il_ds', 0x50200]) {
    my (undef, undef, @words) = assemble($dir, "$v->[0]\nend\n");
    is(hex_of(@words[0, 1]), hex_of(0, $v->[1]), "$v->[0]: language 0, then the version");
}

# Whole programs.  The first two pairs do what the manual's examples of chapter 3 do.
my %programs = (
    'a vertex shader with a matrix' =>
    "il_vs\ndclv_elem(0) v0 ; position\ndclv_elem(1) v1\ndclv_elem(2) v2\nmmul_matrix(4x4) oPos, v0, c[0]\n"
    . "mov oPriColor0, v1\nmov oT0, v2\nend\n", 'green stripes' => "il_ps\ndclpi_x(1)_y(1)_z(1)_w(1) vPriColor0\n"
    . "dclpi_x(1)_y(1)_z(*)_w(*) vT0\ndef c0, 0.5, 1, 0, 0\ndef c1, 0.0, 1.0, 0.0, 1.0\nmod r0.x, vT0.x, c0.y\n"
    . "ifc_relop(lt) r0.x, c0.x\n    mov oC0, vPriColor0\nelse ; else\n    mov oC0.rgb1, c1\nendif\nend\n",
    'red squares, with a subroutine' =>
    "il_ps\ndclpi_x(1)_y(1)_z(1)_w(1) vPriColor0\ndclpi_x(1)_y(1)_z(*)_w(*) vT0\ndef c0, 0, 1, 0.5, 0\n"
    . "def c1, 2.0, 2.0, 0.0, 0.0\ndef c2, 1.0, 0.0, 0.0, 0.0\nmul r10.x, vT0.x, c1.x ; s\nmov r10.y, c0.y\n"
    . "call 1\nmov r1.x, r11.x\nmul r10.x, vT0.y, c1.y ; t\nmov r10.y, c0.y\ncall 1\nmov r2.x, r11.x\n"
    . "ifc_relop(lt) r1.x, c0.z\n  ifc_relop(lt) r2.x, c0.z\n    mov r0, vPriColor0\n  else\n    mov r0, c2\n  endif\n"
    . "else\n  ifc_relop(lt) r2.x, c0.z\n    mov r0, c2\n  else\n    mov r0, vPriColor0\n  endif\n"
    . "endif\nmov oC0, r0.rgb1\nendmain\nfunc 1 ; r11.x = r10.x mod r10.y\nrcp r12.y, r10.y\nmul r12.x, r10.x, r12.y\n"
    . "frc r12.z, r12.x\nsub r12.x, r12.x, r12.z\nmul r12.x, r12.x, r10.y\nsub r10.x, r10.x, r12.x\n"
    . "ifc_relop(lt) r10.x, c0.x\n  add r10.x, r10.x, r10.y\nendif\nmov r11.x, r10.x\nret\nend\n",
    'carry as a macro' => "mdef (0) _out (1) _in (2)\nINOT r1, in0\nULT r2, r1, in1\nDcl_literal l1, 1, 1, 1, 1\n"
    . "IAND out0, r2, l1\nmend\nil_cs_2_0\ndcl_literal l1, 2, 2, 2, 2\nmcall(0) (r1.x), (r2, l1)\nend\n",
    'a compute kernel' =>
    "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_cb cb0[2]\ndcl_raw_uav_id(11)\ndcl_lds_id(1) 1024\n"
    . "dcl_literal l0, 0x4, 0, 1.5f, -1\nimul r4106, vaTid0.x, l0.x\nwhileloop\n  uge r1.x, r1.x, cb0[0].x\n"
    . "  break_logicalnz r1.x\n  lds_store_id(1) r4106.x, r1\n  fence_threads_lds\n  iadd r1.x, r1.x, l0.x\n"
    . "endloop\nswitch r1.x\ncase 0\ncase 1\n  break\ndefault\n  discard_logicalz r1.x\n  break\nendswitch\n"
    . "uav_raw_store_id(11) mem.xy__, r4106.x, r1.xy01\nret_dyn\nend\n",
);
for my $name (sort keys %programs) {
    my ($err, $status, @words) = assemble($dir, $programs{$name});
    is($status, 0, "$name assembles") or diag $err;
    my ($text, $err2, $status2) = disassemble($dir, @words);
    is($status2, 0, '... disassembles') or diag $err2;
    my ($err3, undef, @again) = assemble($dir, $text);
    is(hex_of(@again), hex_of(@words), '... and comes back') or diag "$err3\n$text";
    my ($text2) = disassemble($dir, @again);
    is($text2, $text, '... as the same text');
    my ($listing, undef, $status4) = gpudbg('-e', 'disassemble', "$dir/in.il");
    is($status4, 0, '... and is loaded as text');
    my (undef, undef, @read) = assemble($dir, $listing);
    is(hex_of(@read), hex_of(@words), '... and the readable listing assembles, too');
}
{ # ... and the second pixel shader runs: squares, by the remainders of 2 s and 2 t.
    assemble($dir, $programs{'red squares, with a subroutine'});
    my @t = map { my $y = $_; map { [$_ * 0.13, $y * 0.21 - 0.5] } 0 .. 7 } 0 .. 7;
    for my $file (['colour', map { (0.25, 0.5, 0.75, 0.1) } @t], ['t', map { (@$_, 0, 0) } @t]) {
        my ($name, @values) = @$file;
        open my $out, '>:raw', "$dir/$name" or die;
        print $out pack 'f<*', @values;
        close $out;
    }
    my ($out, $err) = gpudbg('-e', "launch -g 8,8 oC0=zero:1024 vPriColor0=\@$dir/colour vT0=\@$dir/t", '-e',
        'continue', '-e', "save arg oC0 $dir/squares", '--isa', 'amdil', "$dir/out.bin");
    my @got = unpack 'f<*', pack 'V*', ILModel::words("$dir/squares");
    my @want = map { my ($s, $t) = map { 2 * $_ - POSIX::floor(2 * $_) < 0.5 ? 1 : 0 } @$_;
        $s == $t ? (0.25, 0.5, 0.75, 1) : (1, 0, 0, 1) } @t;
    is("@got", "@want", 'red squares are drawn') or diag "$out$err";
}
{ # Lists have no limit.
    my (undef, undef, @words) = assemble($dir, "il_cs_2_0\ndcl_cb icb[5000] = {" . join(', ', 1 .. 5000) . "}\nend\n");
    is(scalar(@words), 2 + 2 + 5000 + 1, 'an immediate buffer of 5000 numbers');
    my ($text) = disassemble($dir, @words);
    my (undef, undef, @again) = assemble($dir, $text);
    is("@again", "@words", '... comes back');
}
# Directives of an assembler, as AMD's OpenCL compiler leaves them between two comments, are none of IL's.
{
    my $left = ";DEBUGSTART\n\t.file\t\"a.cl\"\n\t.text\n.global\@f\n;DEBUGEND\n";
    my (undef, undef, @plain) = assemble($dir,
        "il_cs_2_0\nendmain\nfunc 1024 ; f\nmov r0, r1\nret\nendfunc ; f\nend\n");
    my ($err, undef, @words) = assemble($dir,
        "il_cs_2_0\nendmain\n${left}func 1024 ; f\nmov r0, r1\nret\nendfunc ; f\n${left}\nend\n");
    is("@words", "@plain", 'directives between ;DEBUGSTART and ;DEBUGEND are passed over') or diag $err;
    ($err) = assemble($dir, "il_cs_2_0\nendmain\n;DEBUGSTART\n;DEBUGEND\n\t.text\nend\n");
    like($err, qr/:5:2: unknown-opcode/, '... elsewhere they are no instruction');
}
# The language token of a driver's stream is kept.
{
    my ($text) = disassemble($dir, 9, 0x10200, 71, 34 << 16, $r1, 40);
    my (undef, undef, @again) = assemble($dir, $text);
    is(hex_of(@again), hex_of(9, 0x10200, 71, 34 << 16, $r1, 40), 'language 9 comes back');
}
# What is printed.
my @printed = (
    [[71, $r0, 4 << 16 | 4096 | $mod, 0x3210], 'mov r0, r4096.xyzw'],
    [[185, 4 << 16 | 4105 | $mod, 0x55, $r1], 'sin_vec r4105.xyzw, r1'],
    [[71, $r0 | $mod, 0x01, $r1 | $mod, 0x0000], 'mov r0.x___, r1.x'],
    [[71, 34 << 16 | $mod, 0xa9, 22 << 16 | $mod, 0x4440], 'mov o0.x000, vWinCoord0.x000'],
    [[3, $r0 | $mod, 0x155, $r1 | $mod, 0x3210 | 1 << 20, $r2], 'add_sat r0, r1_abs, r2'],
    [[32, $r0, $r1, $r2], 'div r0, r1, r2'], [[32 | 2 << 16, $r0, $r1, $r2], 'div_zeroop(infinity) r0, r1, r2'],
    [[126 | 4 << 21, 22 << 16 | $mod, 5], 'dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__'],
    [[349 | 1 << 16], 'dcl_global_flags refactoringAllowed'], [[71, 17 << 16, 17 << 16 | 1], 'mov oT0, vT1'],
    [[71, $r0, $r1 | $mod, 0x3210 | 1 << 24], 'mov r0, r1.xyzw'],
);
for my $case (@printed) {
    my ($out) = disassemble($dir, 0, 0x10200, $case->[0]->@*, 40);
    like($out, qr/^    \Q$case->[1]\E(?: ;!.*)?$/m, "printed: $case->[1]");
}

# Strings that a program puts together lack line ends: the next instruction begins behind a register or its swizzle.
for my $case (
    ['a swizzle of one letter', 'ftoi r8.y, r8.yitof r8.y, r8.y', "ftoi r8.y, r8.y\nitof r8.y, r8.y"],
    ['letters that a swizzle could have, too', 'mov r1.x, r2.xadd r1, r1, r2', "mov r1.x, r2.x\nadd r1, r1, r2"],
    ['three instructions', 'mov r1, r2.xyzwmov r2, r3.wmul r1, r2, r3',
        "mov r1, r2.xyzw\nmov r2, r3.w\nmul r1, r2, r3"],
    ['a register without a swizzle', 'mov r1, r2add r1, r1, r2', "mov r1, r2\nadd r1, r1, r2"],
    ['upper case', 'MOV r1, r2.YADD r1, r1, r2', "mov r1, r2.y\nadd r1, r1, r2"],
) {
    my ($what, $joined, $apart) = @$case;
    is(tokens_of($joined), tokens_of($apart), "no line end: $what");
}
like(tokens_of('add r1.x, r2.xmov r1, r2'), qr/operand-count: add wants 3 operands and has 2/,
    '... and an operand that is missing is missed');
like(tokens_of('mov r1.x, r2.xyadd2 r1, r1, r2'), qr/"xyadd2" is not a swizzle/, '... what is no name is an error');
{
    open my $out, '>', "$dir/joined.il" or die;
    print $out "il_ps_2_0\ndcl_input_generic_interp(linear) v0\ndcl_output_generic o0\nmov r8, v0\n"
        . "ftoi r8.y, r8.yitof r8.y, r8.y\nmov o0, r8\nadd o0, o0, r8\nend\n";
    close $out;
    my ($said, $err, $status) = gpudbg('-e', 'check il', "$dir/joined.il");
    like($said, qr/^5:16: il: note: no line end parts this instruction from the one before it/m,
        '... a note tells where');
    like($err, qr/joined\.il: warning: line 5 has no line end before column 16/, '... and a warning, when it is read');
    like($said, qr/^7:1: il: note: add reads o0, .*\(write-only, chapter 5\)/m,
        'an output that a pixel shader reads is a note');
    like($said, qr/^check il: nothing found$/m, '... neither is a finding');
}
done_testing;
