# SPDX-License-Identifier: GPL-3.0-or-later
#
# AMD IL a second time, from the manual's tables and not from the program's: opcode numbers and operand counts from
# t/data/amdil-opcodes.tsv, operands and controls encoded here.  Gives lines of text with the tokens they must become.
package ILModel;
use v5.36;
use Exporter 'import';
use Gpudbg;

our @EXPORT_OK = qw(rows operand lines specials assemble disassemble words error_of);

# { number, enum, text, name, dst, src, controls, extra } in the order of numbers.
sub rows () {
    state @rows;
    return @rows if @rows;
    open my $in, '<', 't/data/amdil-opcodes.tsv' or die "amdil-opcodes.tsv: $!";
    local $_;
    while (<$in>) {
        chomp;
        my %row;
        @row{qw(number enum text dst src controls extra)} = split /\t/;
        ($row{name} = $row{text}) =~ s/[?\[( ].*//;
        $row{name} = $1 if $row{text}
            =~ /^([a-z0-9_]+?)_(?:relop|matrix|stage|type|elem|id|resource|exportStream|usage|param|x|zeroop)\(/;
        $row{name} = lc $row{enum} =~ s/^IL_(?:OP_)?//r if $row{name} eq '';
        push @rows, \%row;
    }
    return @rows;
}

# ---- Operands ----

my %type = (r => 4, x => 30, cb => 31, l => 32, v => 33, o => 34, icb => 35, g => 38, mem => 47, b => 0, c => 1, i => 2,
    vAbsTidFlat => 44, oC => 25, v2 => 5);
my %comp = (x => 0, y => 1, z => 2, w => 3, 0 => 4, 1 => 5);

# Tokens of an operand in the forms that the tests use:
#   r5  r5.xyzw  r5.x_z_ (dst)  r5.wzyx_abs_neg(xw)  cb0[6].y  x1[r2.y+3]  v[1][2]  o[r0.x+1]  g[2]
sub operand ($text, $dst = 0) {
    my ($name, $number, $index, $mods) = $text =~ /^([a-zA-Z]+)(\d*)((?:\[[^\]]*\])*)(.*)$/ or die "operand $text";
    my @index = $index =~ /\[([^\]]*)\]/g;
    my $type = $type{$name . (@index == 2 ? '2' : '')} // $type{$name} // die "type of $text";
    my (@after, @mod);
    my $token = $type << 16;
    my $one = sub ($x) { # flags and tokens of an index between brackets
        my ($reg, $swizzle, $offset) = $x =~ /^r(\d+)(?:\.(\w))?(?:\+(\d+))?$/ or return (1 << 26, $x);
        my $c = defined $swizzle ? $comp{$swizzle} : undef;
        return (2 << 23 | (defined $offset ? 1 << 26 : 0), 4 << 16 | $reg | (defined $c ? 1 << 22 : 0),
            (defined $c ? $c * 0x1111 : ()), $offset // ());
    };
    if (@index == 2) {
        $token |= 1 << 25 | $index[0];
        @after = ($type << 16 | $index[1]);
    } elsif (@index && $number eq '' && $name =~ /^[vol]$/ && $index[0] =~ /^\d+$/) {
        $token |= $index[0];
    } elsif (@index) {
        my ($flags, @tokens) = $one->($index[0]);
        $token |= $flags;
        @after = @tokens;
    }
    $token |= $number if $number ne '';
    if ($dst) {
        if ($mods =~ /^\.(.{4})$/) {
            my ($mask, $k) = (0, 0);
            for my $c (split //, $1) { $mask |= ({ _ => 0, 0 => 2, 1 => 3 }->{$c} // 1) << 2 * $k++ }
            @mod = ($mask);
        }
    } elsif ($mods ne '') {
        my $mod = 0x3210;
        if ($mods =~ s/^\.([xyzw01]+)//) {
            my @s = split //, $1;
            push @s, $s[-1] while @s < 4;
            $mod = 0;
            $mod |= $comp{ $s[$_] } << 4 * $_ for 0 .. 3;
        }
        $mod |= { invert => 1 << 16, bias => 1 << 17, x2 => 1 << 18, bx2 => 3 << 17, sign => 1 << 19,
            abs => 1 << 20 }->{$1} while $mods =~ s/^_(invert|bias|x2|bx2|sign|abs)(?![a-z0-9])//;
        $mod |= { y => 1, z => 2, w => 3, unknown => 4 }->{$1} << 21 if $mods =~ s/^_divcomp\((\w+)\)//;
        $mod |= 1 << 20 if $mods =~ s/^_abs//;
        if ($mods =~ s/^_neg\(([xyzw]+)\)//) { $mod |= 8 << 4 * $comp{$_} for split //, $1 }
        die "modifiers $mods of $text" if $mods ne '';
        @mod = ($mod);
    }
    $token |= 1 << 22 if @mod;
    return ($token, @mod, @after);
}

# ---- Opcodes whose controls follow a pattern ----

my @dst = ('r5', 'r5.x_z_', 'r300.xyzw', 'x1[r2.y+3]', 'o[r0.x+1]', 'g[2].01_w');
my @src = ('r1', 'r2.x', 'cb0[r2.x+6].y', 'r4.wzyx', 'x1[3]', 'r9.xy01', 'v[1][2]', 'icb[r3.w]', 'l0', 'cb0[0]',
    'v3.xyzw', 'r6_neg(xw)');
my @float = ('r1.x_abs', 'r7_bx2_neg(y)', 'r8.y_invert_sign_divcomp(w)', 'cb0[6]_x2');

sub control_bits ($spec, $values) {
    my $bits = 0;
    while ($spec =~ /(\w+)\[(\d+)(?::(\d+))?\]/g) {
        my ($name, $lo) = ($1, $3 // $2);
        $bits |= ($values->{$name} // 0) << $lo;
    }
    return $bits;
}

# The ways to spell a row's controls: [text, values].
sub spellings ($row) {
    my $spec = $row->{controls};
    my %names = (
        'relop[18:16]' => [map { ["_relop(" . (qw(ne eq ge gt le lt))[$_] . ")", { relop => $_ }] } 0 .. 5],
        'zeroop[17:16]' => [['', {}], map { ["_zeroop(" . (qw(fltmax zero infinity inf_else_max))[$_] . ")",
        { zeroop => $_ }] } 1 .. 3], 'ieee[16]' => [['', {}], ['_ieee', { ieee => 1 }]],
        'fine[23]' => [['', {}], ['_fine', { fine => 1 }]],
        'stage[23:16]' => [['_stage(3)', { stage => 3 }]],
        'elem[21:16]' => [['_elem(3)', { elem => 3 }]],
        'id[29:16]' => [['_id(3)', { id => 3 }]],
        'id[19:16]' => [['_id(3)', { id => 3 }], ['_resource(3)', { id => 3 }]],
        'id[25:16]' => [['_id(3)', { id => 3 }]],
        'normalize[16]' => [['', {}], ['_normalize', { normalize => 1 }]],
        'matrix[29:16]' => [map { ["_matrix(" . (qw(4x4 4x3 3x4 3x3 3x2))[$_] . ")", { matrix => $_ }] } 0 .. 4],
        'type[19:16]' => [map { ["_type(perlin${\($_ + 1)}d)", { type => $_ }] } 0 .. 3],
        'id[29:16] arena[31]' => [['_id(3)', { id => 3 }], ['_id(3)_arena', { id => 3, arena => 1 }]],
        'res[23:16] uint[24]' => [['_resource(3)', { res => 3 }], ['_resource(3)_uint', { res => 3, uint => 1 }]],
    );
    return [['', {}]] if $spec eq '0' || $spec =~ /^matrix = /;
    return $names{$spec};
}

# Every row of a pattern gives lines [text, tokens...]; others are in specials.
sub lines ($row) {
    my $spellings = spellings($row) or return;
    return if $row->{extra} ne '0' || special_of($row);
    my ($k, @lines) = ($row->{number});
    my $class_float = $row->{text} =~ /^(?:add|mul|mad|max|min|sub|div|dp|lrp|mov|frc|set|clamp)/;
    for my $round (0 .. 2) {
        for my $s (@$spellings) {
            my ($text, $values) = @$s;
            my ($suffix, $result) = ('', undef);
            my @texts = ((map { $dst[$k++ % @dst] } 1 .. $row->{dst}),
                map { my @all = $class_float ? (@src, @float) : @src; $all[$k++ % @all] } 1 .. $row->{src});
            $texts[0] = 'mem.xy__' if $row->{dst} && $row->{name} =~ /_store(?:_vec)?$|write_vec/;
            my @tokens = map { [operand($texts[$_], $_ < $row->{dst})] } 0 .. $#texts;
            if ($round == 2 && $row->{dst} && $texts[0] !~ /mem/ && $row->{enum} !~ /DCL/) { # a result modifier
                my ($name, $scale) = ([qw(x2 1)], [qw(x4 2)], [qw(x8 3)], [qw(d2 4)], [qw(d4 5)],
                    [qw(d8 6)])[$k % 6]->@*;
                ($suffix, $result) = ("_${name}_sat", $scale << 9 | 1 << 8);
                my $token = $tokens[0];
                if ($token->[0] >> 22 & 1) { $token->[1] |= $result }
                else { $token->[0] |= 1 << 22; splice @$token, 1, 0, 0x55 | $result }
            }
            push @lines, ["$row->{name}$text$suffix" . (@texts ? ' ' . join(', ', @texts) : ''),
                $row->{number} | control_bits($row->{controls}, $values), map { @$_ } @tokens];
        }
    }
    return @lines;
}

# ---- Rows with a shape of their own, by hand: number => [[text, tokens...], ...] ----

sub specials () {
    my ($r1, $r2, $r3, $r4) = map { 4 << 16 | $_ } 1 .. 4;
    return {
        7 => [['breakc_relop(lt) r1, r2', 0x50007, $r1, $r2]],
        8 => [['call 7', 8, 7]],
        9 => [['callnz b2, 7', 9, 2, 7]],
        13 => [['cmp_relop(ge)_cmpval(-0.5) r1, r2, r3, r4', 13 | 2 << 16 | 3 << 21, $r1, $r2, $r3, $r4],
        ['cmp_relop(ne)_cmpval(1.0) r1, r2, r3, r4', 13 | 2 << 21, $r1, $r2, $r3, $r4]],
        20 => [['dclarray vT1, vT4', 20, 17 << 16 | 1, 17 << 16 | 4]],
        21 => [['dcldef_x(*)_y(0)_z(1)_w(*) r1', 21 | 1 << 18 | 2 << 20, $r1]],
        22 => [['dclpi_x(1)_y(0)_z(*)_w(-)_center_centered vT0', 22 | 2 << 16 | 1 << 18 | 3 << 20 | 1 << 24 | 1 << 27,
        17 << 16]], 23 => [['dclpin_usage(color)_usageIndex(3)_x(*)_y(*)_z(0)_w(1)_centroid vPixIn2',
        23 | 2 << 16 | 3 << 21 | 1 << 31, 3 | 3 << 2 | 1 << 4 | 2 << 6 | 1 << 8, 12 << 16 | 2],
            ['dclpin_usage(generic)_usageIndex(255) vPixIn2', 23 | 6 << 16 | 255 << 21, 12 << 16 | 2]],
        24 => [['dclpp_param(7) vPixIn2', 24 | 7 << 16, 12 << 16 | 2]],
        25 => [['dclpt_stage(3)_type(cubemap)_coordmode(normalized)', 25 | 3 << 16 | 4 << 24 | 1 << 27]],
        26 => [['dclv_elem(3) v1', 26 | 3 << 16, 5 << 16 | 1],
        ['dclv_elem(3)_x(*)_y(0)_z(1)_w(-) v2', 26 | 3 << 16 | 1 << 31, 3 | 1 << 2 | 2 << 4, 5 << 16 | 2]],
        27 => [['dclvout_usage(position)_usageIndex(1)_x(*)_y(*)_z(*)_w(*) oVtxOut0', 27 | 1 << 21 | 1 << 31, 255,
        11 << 16]], 28 => [['def c2, 0.5, 1, -2, 0x10', 28, 1 << 16 | 2, 0x3f000000, 0x3f800000, 0xc0000000, 0x10],
        ['def i2, 1, -1, 0x7f, 0', 28, 2 << 16 | 2, 1, 0xffffffff, 0x7f, 0]], 29 => [['defb b2, 1', 29, 2, 1]],
        30 => [['det r1, r2', 30, $r1, $r2]],
        45 => [['exp r1, r2', 45, $r1, $r2]],
        52 => [['ifc_relop(gt) r1, r2', 0x30034, $r1, $r2]],
        55 => [['kill r1', 55, $r1], ['kill_stage(2)_sample r1', 55 | 2 << 16 | 1 << 24, $r1]],
        62 => [['loop i1', 62, 2 << 16 | 1], ['loop_rep i1', 62 | 1 << 16, 2 << 16 | 1]],
        66 => [['memexport_exportStream(2)_elemOffset(5) r1, r2', 66 | 2 << 16 | 5 << 23, $r1, $r2]],
        76 => [['nrm r1, r2', 76, $r1, $r2], ['nrm_nrm3 r1, r2', 76, $r1, $r2],
        ['nrm_nrm4_zeroop(infinity) r1, r2', 76 | 2 << 16 | 1 << 18, $r1, $r2]],
        93 => [['texld_stage(3) r1, r2', 93 | 3 << 16, $r1, $r2],
            ['texld_stage(3)_centroid_shadowmode(z)_mag(linear)_min(point)_volmag(aniso)_mip(base)_aniso(16)'
                . '_lodbias(-1.5)_xoffset(1)_yoffset(-0.5)_zoffset(2.5) r1, r2',
                93 | 3 << 16 | 1 << 24 | 1 << 26 | 3 << 30, 2 | 1 << 3 | 3 << 6 | 3 << 12 | 6 << 15 | (128 - 24) << 18,
                2 | 0xff << 8 | 5 << 16, $r1, $r2]],
        94 => [['texldb_stage(3)_absolute_mag(unknown)_qualitybias r1, r2, r3', 94 | 3 << 16 | 1 << 25 | 1 << 31,
        1 << 25, $r1, $r2, $r3]], 95 => [['texldd_stage(3)_xoffset(-64) r1, r2, r3, r4', 95 | 3 << 16 | 1 << 30, 0x80,
        $r1, $r2, $r3, $r4]], 96 => [['texldms_stage(3) r1, r2', 96 | 3 << 16, $r1, $r2]],
        103 => [['call_logicalz r1.x, 7', 103, $r1 | 1 << 22, 0, 7]],
        104 => [['call_logicalnz r1.x, 7', 104, $r1 | 1 << 22, 0, 7]],
        105 => [['case 5', 105, 5], ['case -1', 105, 0xffffffff]],
        118 => [['dcl_cb cb5[17]', 118, 31 << 16 | 5 | 1 << 26, 17],
        ['dcl_cb icb[3] = {1, 2.5, 0xffffffff}', 118 | 1 << 31, 3, 1, 0x40200000, 0xffffffff]],
        119 => [['dcl_indexed_temp_array x7[64]', 119, 30 << 16 | 7 | 1 << 26, 64]],
        120 => [['dcl_input_primitive triangle', 120 | 2 << 16], ['dcl_input_primitive patch32', 120 | 36 << 16],
        ['dcl_input_primitive prim_type(line_adj)', 120 | 3 << 16]],
        121 => [['dcl_literal l9, 1, 1.0, 0xdeadbeef, -2', 121, 32 << 16 | 9, 1, 0x3f800000, 0xdeadbeef, 0xfffffffe],
        ['dcl_literal l9, 1.5f, 1e3, .25, 4294967295', 121, 32 << 16 | 9, 0x3fc00000, 0x447a0000, 0x3e800000,
        0xffffffff]], 122 => [['dcl_max_output_vertex_count 4', 122 | 4 << 16]],
        124 => [['dcl_output_topology triangle_strip', 124 | 2 << 16]],
        125 => [['dcl_output_position o1', 125, 34 << 16 | 1],
        ['dcl_output o1.xy__', 125 | 6 << 16, 34 << 16 | 1 | 1 << 22, 5],
        ['dcl_output_rendertarget_array_index o2', 125 | 17 << 16, 34 << 16 | 2],
        ['dcl_output_usage(fog) o2', 125 | 4 << 16, 34 << 16 | 2]],
        126 => [['dcl_input_generic_interp(linear) v1.xy__', 126 | 6 << 16 | 2 << 21, 33 << 16 | 1 | 1 << 22, 5],
        ['dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__', 126 | 4 << 21, 22 << 16 | 1 << 22, 5],
            ['dcl_input_inside_tessfactor_interp(noper_sample) v2', 126 | 22 << 16 | 7 << 21, 33 << 16 | 2],
            ['dcl_input v[3][2]', 126 | 6 << 16, 5 << 16 | 1 << 25 | 3, 5 << 16 | 2]],
        128 => [['dcl_resource_id(200)_type(2d,unnorm)_fmtx(float)_fmty(uint)_fmtz(sint)_fmtw(srgb)',
        128 | 200 << 16 | 2 << 24 | 1 << 31, 5 << 20 | 4 << 23 | 3 << 26 | 6 << 29],
            ['dcl_resource_id(201)_type(buffer)_fmtx(unorm)_fmty(unorm)_fmtz(unorm)_fmtw(unorm)',
            128 | 201 << 16 | 7 << 24, 2 << 20 | 2 << 23 | 2 << 26 | 2 << 29]],
        190 => [['scatter_quad r1', 190 | 1 << 16, $r1], ['scatter_pixel r1', 190, $r1]],
        202 => [['dcl_persistent p[4]', 202, 37 << 16 | 1 << 26, 4]],
        209 => [['dcl_shared_temp sr4', 209, 40 << 16 | 4]],
        212 => [['dcl_num_thread_per_group 64', 212 | 1 << 16, 64],
        ['dcl_num_thread_per_group 8, 8', 212 | 2 << 16, 8, 8],
        ['dcl_num_thread_per_blk 4, 4, 4', 212 | 3 << 16, 4, 4, 4]],
        213 => [['dcl_total_num_thread_group 8, 2', 213 | 2 << 16, 8, 2]],
        214 => [['dcl_lds_size_per_thread 8', 214 | 8 << 16]],
        215 => [['dcl_lds_sharing_mode _wavefrontAbs', 215 | 1 << 16]],
        216 => [['lds_read_vec_sharingMode(rel) r1, r2', 216, $r1, $r2],
        ['lds_read_vec_neighborExch_sharingMode(abs) r1, r2', 216 | 1 << 16 | 1 << 18, $r1, $r2]],
        217 => [['lds_write_vec_lOffset(12)_sharingMode(abs) mem.xy__, r2', 217 | 1 << 16 | 12 << 18,
        47 << 16 | 1 << 22, 5, $r2]], 218 => [['fence_threads', 218 | 1 << 16],
        ['fence_threads_lds_gds_memory_sr_mem_write_only_mem_read_only', 218 | 127 << 16],
        ['fence_memory_mem_read_only', 218 | 1 << 18 | 1 << 21]],
        221 => [['dcl_uav_id(7)_type(2d)_fmtx(float)', 221 | 7 << 16 | 5 << 20 | 2 << 24]],
        223 => [['dcl_struct_uav_id(7) 16', 223 | 7 << 16, 16]],
        225 => [['uav_raw_load_id(3) r1, r2', 225 | 3 << 16, $r1, $r2],
        ['uav_raw_load_id(3)_cached r1, r2', 225 | 3 << 16 | 1 << 26, $r1, $r2],
        ['uav_raw_load_id(3)_uncached r1, r2', 225 | 3 << 16 | 2 << 26, $r1, $r2],
        ['uav_raw_load_id(3)_arena r1, r2', 225 | 3 << 16 | 1 << 31, $r1, $r2]],
        227 => [['uav_store_id(3) r1, r2', 227 | 3 << 16, $r1, $r2]], 230 => [['dcl_arena_uav_id(8)', 230 | 8 << 16]],
        231 => [['uav_arena_load_id(3)_size(short)_cached r1, r2', 231 | 3 << 16 | 1 << 26 | 1 << 28, $r1, $r2],
        ['uav_arena_load_id(3)_size(dword) r1, r2', 231 | 3 << 16, $r1, $r2]],
        232 => [['uav_arena_store_id(3)_size(byte) r1, r2', 232 | 3 << 16 | 2 << 26, $r1, $r2]],
        259 => [['dcl_struct_srv_id(7) 12', 259 | 7 << 16, 12]],
        260 => [['srv_raw_load_id(3) r1, r2', 260 | 3 << 16, $r1, $r2],
        ['srv_raw_load_ext_id(3) r1, r2, r3', 260 | 3 << 16 | 1 << 28, $r1, $r2, $r3]],
        261 => [['srv_struct_load_id(3) r1, r2', 261 | 3 << 16, $r1, $r2]],
        262 => [['dcl_lds_id(7) 1024', 262 | 7 << 16, 1024]],
        263 => [['dcl_struct_lds_id(7) 16, 8', 263 | 7 << 16, 16, 8]],
        265 => [['lds_store_id(3) r1, r2', 265 | 3 << 16, $r1, $r2]], 289 => [['cut_stream 1', 289 | 1 << 16]],
        290 => [['emit_stream 3', 290 | 3 << 16]], 291 => [['emitcut_stream 2', 291 | 2 << 16]],
        296 => [['ffb_lo r1, r2', 296, $r1, $r2], ['ffb_hi r1, r2', 296 | 1 << 16, $r1, $r2],
        ['ffb_shi r1, r2', 296 | 2 << 16, $r1, $r2]], 302 => [['dcl_num_icp 7', 302, 7]],
        303 => [['dcl_num_ocp 7', 303, 7]], 304 =>
        [['dcl_num_instances 2', 304 | 2 << 16], ['dcl_num_instance 2', 304 | 2 << 16]],
        306 => [['hs_fork_phase 2', 306 | 2 << 16]], 307 => [['hs_join_phase 2', 307 | 2 << 16]],
        309 => [['dcl_ts_domain tri', 309 | 1 << 16], ['dcl_ts_domain ts_domain_quad', 309 | 2 << 16]],
        310 => [['dcl_ts_partition fractional_odd', 310 | 2 << 16]],
        311 => [['dcl_ts_output_primitive triangle_ccw', 311 | 3 << 16]],
        312 => [['dcl_max_tessfactor 64', 312, 0x42800000]], 313 => [['dcl_function_body 5', 313, 5]],
        314 => [['dcl_function_table_id(3) = {4, 7, 10}', 314 | 3 << 16, 3, 4, 7, 10]],
        315 => [['dcl_interface_ptr_id(1)_dynamic(1)[9][3] = {3, 4}', 315 | 1 << 16 | 1 << 29, 9, 3, 2, 3, 4],
        ['dcl_interface_ptr_dynamic(0)_id(2)[1][2] = {0}', 315 | 2 << 16, 1, 2, 1, 0]],
        316 => [['fcall_id(3) r1, 2', 316 | 3 << 16, $r1, 2]],
        318 => [['bufinfo_resource(3) r1', 318 | 3 << 16, $r1],
        ['bufinfo_ext_resource(3) r1, r2, r3', 318 | 3 << 16 | 1 << 28, $r1, $r2, $r3]],
        348 => [['dcl_stream 1', 348 | 1 << 16]], 349 =>
        [['dcl_global_flags refactoringAllowed enableDoublePrecisionFloatOps', 349 | 9 << 16],
        ['dcl_global_flags', 349]], 352 => [['dcl_max_thread_per_group 256', 352, 256]],
        353 => [['add_prec(yw) r1, r2, r3', 353 | 10 << 16, 3, $r1, $r2, $r3],
        ['uav_load_prec_id(3) r1, r2', 353 | 15 << 16, 224 | 3 << 16, $r1, $r2]],
        354 => [['dcl_gds_id(7) 64', 354 | 7 << 16, 64]], 355 => [['dcl_struct_gds_id(7) 16, 4', 355 | 7 << 16, 16, 4]],
        423 => [['dcl_typed_uav_id(30)_type(2d)_fmtx(float)', 423 | 30 << 16, 5 | 2 << 4]],
        424 => [['dcl_typeless_uav_id(30)_stride(16)_length(9)_access(ro)', 424 | 30 << 16, 16, 9 | 1 << 30]],
        map { ($_->{number} => sampling($_)) } grep { $_->{controls} =~ /samp\[|uint\[/ || $_->{name}
        =~ /^fetch4/ } rows(),
    };
}

# Samples, loads and gathers: plain, with an offset, indexed.
sub sampling ($row) {
    my $load = $row->{name} =~ /^load/ || $row->{controls} =~ /uint/;
    my $name = $row->{name} =~ s/_resource$//r;
    my @operands = map { 4 << 16 | $_ } 1 .. $row->{dst} + $row->{src};
    my $texts = join ', ', map { "r$_" } 1 .. @operands;
    my ($sampler, $bits) = $load ? ('', 3 << 16) : ('_sampler(2)', 3 << 16 | 2 << 24);
    my $n = @operands;
    my @more = map { 4 << 16 | $_ } $n + 1, $n + 2;
    return [
        ["${name}_resource(3)$sampler $texts", $row->{number} | $bits, @operands],
        ["${name}_resource(3)${sampler}_aoffimmi(1,0,-0.5) $texts", $row->{number} | $bits | 1 << 29, 0xff0002,
        @operands],
        ["${name}_ext_resource(3)${sampler}"
            . "_resourcetype(3d)_coordtype(unnormalized)_addroffimmi(0.5, -64, 63.5) " . "$texts, r" . ($n + 1)
            . ', r' . ($n + 2),
            $row->{number} | $bits | 1 << 28 | 1 << 29 | 1 << 31, 2 << 2, 3, 1 | 0x80 << 8 | 0x7f << 16, @operands,
            @more],
    ];
}

sub special_of ($row) { state $specials = specials(); return $specials->{ $row->{number} } }

# ---- The program ----

sub words ($path) {
    open my $in, '<:raw', $path or return;
    return unpack 'V*', do { local $/; <$in> };
}

sub assemble ($dir, $text) {
    open my $out, '>', "$dir/in.il" or die;
    print $out $text;
    close $out;
    unlink "$dir/out.bin";
    my (undef, $err, $status) = gpudbg('-e', "assemble $dir/in.il $dir/out.bin");
    return ($err, $status, words("$dir/out.bin"));
}

sub disassemble ($dir, @words) {
    open my $out, '>:raw', "$dir/in.bin" or die;
    print $out pack 'V*', @words;
    close $out;
    return gpudbg('--isa', 'amdil', '-e', 'disassemble /a', "$dir/in.bin");
}

1;
