#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# AMD IL: every rule that is a warning is met by a program that breaks it, on the right line, and by none that keeps it;
# what real kernels do is no error.  And the brackets of blocks on the screen.
use v5.36;
use Test::More;
use File::Temp 'tempdir';
use JSON::PP;
use Gpudbg;

my $dir = tempdir(CLEANUP => 1);
my $json = JSON::PP->new;

# [rule, line, text]: broken on that line.
my @broken = (
    ['shader-kind', 2, "il_vs_2_0\ndiscard_logicalz r0.x\nmov oPos, r0\nend"],
    ['shader-model', 3, "il_ps_2_0\ndcl_literal l0, 1, 2, 3, 4\nmov oC0, c1\nend"],
    ['source-modifier', 2, "il_cs_2_0\niadd r0, r1_abs, r2\nend"],
    ['source-modifier', 2, "il_cs_2_0\ndadd r0.xy__, r1_bias, r2\nend"],
    ['source-modifier', 2, "il_cs_2_0\nbytealign r0, r1_x2, r2, r3\nend"],
    ['source-modifier', 2, "il_cs_2_0\ni64add r0.xy, r1_neg(xy), r2\nend"],
    ['result-modifier', 2, "il_cs_2_0\niadd_sat r0, r1, r2\nend"],
    ['result-modifier', 2, "il_cs_2_0\ndadd_sat r0.xy, r1, r2\nend"],
    ['condition-swizzle', 2, "il_cs_2_0\nif_logicalnz r0\nendif\nend"],
    ['constant-operand', 2, "il_cs_2_0\nifnz r0\nendif\nend"],
    ['constant-operand', 2, "il_cs_2_0\nloop r1\nendloop\nend"],
    ['group-size', 2, "il_cs_2_0\ndcl_num_thread_per_group 64, 32\nend"],
    ['group-size', 2, "il_cs_2_0\ndcl_max_thread_per_group 0\nend"],
    ['lds-size', 3, "il_cs_2_0\ndcl_lds_id(1) 32768\ndcl_lds_id(2) 4\nend"],
    ['lds-size', 2, "il_cs_2_0\ndcl_lds_size_per_thread 6\nend"],
    ['lds-models', 3, "il_cs_2_0\ndcl_lds_id(1) 64\ndcl_lds_size_per_thread 4\nend"],
    ['fence-empty', 2, "il_cs_2_0\nfence\nend"], ['fence-flow', 3,
    "il_cs_2_0\nif_logicalz r0.x\nfence_threads\nendif\nend"], ['cb-range', 2, "il_cs_2_0\ndcl_cb cb16[1]\nend"],
    ['cb-range', 2, "il_cs_2_0\ndcl_cb cb1[4097]\nend"],
    ['array-size', 3, "il_cs_2_0\ndcl_indexed_temp_array x0[4000]\ndcl_indexed_temp_array x1[97]\nend"],
    ['geometry-declarations', 4, "il_gs_2_0\ndcl_input_primitive point\ndcl_output_topology point_list\nend"],
    ['pixel-output', 3, "il_ps_2_0\nmov r0, r1\nend"], ['vertex-position', 3, "il_vs_2_0\nmov r0, r1\nend"],
    ['break-outside', 2, "il_cs_2_0\nbreak\nend"],
    ['break-outside', 3, "il_cs_2_0\nswitch r0.x\ncontinue\nendswitch\nend"],
    ['return-in-block', 5, "il_cs_2_0\nendmain\nfunc 1\nif_logicalz r0.x\nret\nendif\nret\nend"],
    ['after-endmain', 3, "il_cs_2_0\nendmain\nmov r0, r1\nend"], ['after-endmain', 2, "il_cs_2_0\nfunc 1\nret\nend"],
    ['default-twice', 4, "il_cs_2_0\nswitch r0.x\ndefault\ndefault\nendswitch\nend"],
    ['write-only', 2, "il_ps_2_0\nmov o0, o1\nend"],
    ['vertex-undeclared', 3, "il_vs_2_0\ndclv_elem(0) v0\nmov oPos, v1\nend"],
    ['interpolator-undeclared', 2, "il_ps_2_0\nmov oC0, vT0\nend"],
    ['usage-undeclared', 2, "il_ps_2_0\nmov oC0, vPixIn1\nend"],
    ['usage-undeclared', 2, "il_vs_2_0\nmov oVtxOut1, r0\nend"],
    ['stage-undeclared', 2, "il_ps_2_0\ntexld_stage(1) oC0, r0\nend"], ['real-time', 1, "il_cs_2_0_rt\nend"],
    ['real-time', 2, "il_ps_2_0_rt\ndclpi_x(*)_y(*)_z(*)_w(*) vT0\nmov oC0, r0\nend"],
    ['streams', 6,
    "il_gs_2_0\ndcl_input_primitive point\ndcl_output_topology point_list\n"
    . "dcl_max_output_vertex_count 4\nemit\nemit_stream 1\nend"],
    ['group-forms', 3, "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_max_thread_per_group 64\nend"], ['import-forms', 3,
    "il_ps_2_0\ndclpi_x(*)_y(*)_z(*)_w(*) vT0\ndclpin_usage(color)_usageIndex(0) vPixIn0\nmov oC0, vT0\nend"],
    ['scatter-uav', 4, "il_ps_2_0\ndcl_raw_uav_id(1)\nuav_raw_store_id(1) mem, r0.x, r1\nscatter_quad r0\nend"],
    ['input-forms', 3, "il_ps_2_0\ndcl_input_generic v1\ndclpi_x(*)_y(*)_z(*)_w(*) vT0\nmov oC0, vT0\nend"],
    ['store-mask', 3, "il_cs_2_0\ndcl_lds_id(1) 64\nlds_store_vec_id(1) mem.x_z_, r0, r1, r2\nend"],
    ['pair-mask', 2, "il_cs_2_0\ndmul r0.x, r1, r2\nend"], ['pair-mask', 2, "il_cs_2_0\nd_frexp_mant r0.x, r1\nend"],
    ['gds-size', 3, "il_cs_2_0\ndcl_gds_id(0) 32768\ndcl_struct_gds_id(1) 4, 1\nend"],
    ['gds-size', 2, "il_cs_2_0\ndcl_gds_id(0) 6\nend"], ['lds-size', 2, "il_cs_2_0\ndcl_lds_id(0) 5\nend"],
    map({ ['struct-stride', 2, "il_cs_2_0\n$_\nend"] } 'dcl_struct_uav_id(1) 0', 'dcl_struct_srv_id(1) 6',
    'dcl_struct_lds_id(1) 6, 4', 'dcl_struct_gds_id(1) 0, 4'),
    map({ ['declared-register', 2, "il_ps_2_0\n$_\nmov oC0, r0\nend"] } 'dcl_literal r0, 1, 2, 3, 4', 'dcl_cb r0[2]',
    'dcl_indexed_temp_array cb0[3]', 'def r0, 1, 2, 3, 4', 'defb c0, 1', 'dcl_output_generic l3',
    'dcl_input_generic r1', 'dclarray r0, r1', 'dclpi_x(*)_y(*)_z(*)_w(*) r1'),
    map({ ['buffer-kind', 3, "il_cs_2_0\n$_->[0]\n$_->[1]\nend"] } ['dcl_struct_uav_id(1) 16',
    'uav_raw_load_id(1) r0, r1'], ['dcl_raw_uav_id(1)', 'uav_struct_store_id(1) mem, r0, r1'],
    ['dcl_raw_uav_id(1)', 'uav_load_id(1) r0, r1'],
        ['dcl_raw_uav_id(1)', 'uav_arena_load_id(1)_size(byte) r0, r1'],
        ['dcl_struct_srv_id(1) 4', 'srv_raw_load_id(1) r0, r1']),
    ['single-register', 2, "il_ps_2_0\nmov oC0, Tmr.y ;! 0x00000047 0x00190000 0x003B0004\nend"],
    map({ ['log-zeroop', 2, "il_cs_2_0\n${_}_zeroop(zero) r0, r1\nend"] } 'log', 'ln', 'logp'),
    ['divcomp-unknown', 2, "il_cs_2_0\nmov r0, r1_divcomp(unknown)\nend"],
    ['tess-factor', 2, "il_hs_2_0\ndcl_max_tessfactor 65\nend"],
    ['declared-twice', 3, "il_cs_2_0\ndcl_raw_uav_id(1)\ndcl_raw_uav_id(1)\nend"],
    ['icb-undeclared', 2, "il_cs_2_0\nmov r0, icb[1]\nend"],
    ['macro-argument', 2, "mdef(0)_out(1)_in(1)\nmov out0, in1\nmend\nil_cs_2_0\nend"],
    ['timer', 2, "il_cs_2_0\niadd r0, Tmr, r1\nend"], ['by-name', 2, "il_cs_2_0\nldexp r0, r1, r2\nend"],
    ['loop-index', 3, "il_vs_2_0\nmov oPos, r0\nmov r1, r[aL]\nend"],
);

# [rule, text]: kept, by as little as can be.
my @kept = (
    ['shader-kind', "il_ps_2_0\ndiscard_logicalz r0.x\nmov oC0, r0\nend"],
    ['shader-model', "il_ps_2_0\ndef c1, 1, 2, 3, 4\nmov oC0, c1\nend"],
    ['shader-model', "il_ps_2_0\ndcl_literal l0, 1, 2, 3, 4\nmov o0, l0\nend"],
    ['source-modifier', "il_cs_2_0\niadd r0, r1_neg(x), r2\nend"],
    ['source-modifier', "il_cs_2_0\ndadd r0.xy__, r1_abs_neg(y), r2\nend"],
    ['source-modifier', "il_cs_2_0\nadd r0, r1_bx2_sign, r2_invert\nend"],
    ['source-modifier', "il_cs_2_0\nbytealign r0, r1.wzyx, r2, r3\nend"],
    ['result-modifier', "il_cs_2_0\nadd_x2_sat r0, r1, r2\nend"],
    ['result-modifier', "il_cs_2_0\ndadd_x2 r0.xy, r1, r2\nend"],
    ['condition-swizzle', "il_cs_2_0\nif_logicalnz r0.w\nendif\nend"],
    ['constant-operand', "il_cs_2_0\ndefb b0, 1\nifnz b0\nendif\nend"],
    ['constant-operand', "il_cs_2_0\ndef i1, 1, 0, 1, 0\nloop i1\nendloop\nend"],
    ['group-size', "il_cs_2_0\ndcl_num_thread_per_group 32, 32\nend"],
    ['group-size', "il_cs_2_0\ndcl_max_thread_per_group 1024\nend"],
    ['lds-size', "il_cs_2_0\ndcl_lds_id(1) 32764\ndcl_lds_id(2) 4\nend"],
    ['lds-size', "il_cs_2_0\ndcl_lds_size_per_thread 64\nend"],
    ['lds-models', "il_cs_2_0\ndcl_lds_id(1) 64\ndcl_struct_lds_id(2) 4, 4\nend"],
    ['fence-empty', "il_cs_2_0\nfence_mem_read_only\nend"], ['fence-empty', "il_cs_2_0\nfence_mem_write_only\nend"],
    ['fence-flow', "il_cs_2_0\nif_logicalz r0.x\nfence_memory\nendif\nfence_threads\nend"],
    ['cb-range', "il_cs_2_0\ndcl_cb cb15[4096]\nend"],
    ['array-size', "il_cs_2_0\ndcl_indexed_temp_array x0[4000]\ndcl_indexed_temp_array x1[96]\nend"],
    ['geometry-declarations',
    "il_gs_2_0\ndcl_input_primitive point\ndcl_output_topology point_list\ndcl_max_output_vertex_count 1\nend"],
    ['pixel-output', "il_ps_2_0\nmov oDepth, r1.x\nend"],
    ['vertex-position', "il_vs_2_0\ndcl_output_position o3\nmov o3, r1\nend"],
    ['break-outside', "il_cs_2_0\nwhileloop\nswitch r0.x\ncase 1\ncontinue\nbreak\nendswitch\nbreak\nendloop\nend"],
    ['return-in-block', "il_cs_2_0\nendmain\nfunc 1\nif_logicalz r0.x\nret_dyn\nendif\nret\nend"],
    ['after-endmain', "il_cs_2_0\ncall 1\nendmain\nfunc 1\nret\nend"],
    ['default-twice', "il_cs_2_0\nswitch r0.x\ndefault\nswitch r1.x\ndefault\nendswitch\nendswitch\nend"],
    ['write-only', "il_ps_2_0\nmov o0, r1\nmov o1, v1\nend"],
    ['vertex-undeclared', "il_vs_2_0\ndclv_elem(0) v1\nmov oPos, v1\nend"],
    ['interpolator-undeclared', "il_ps_2_0\ndclpi_x(*)_y(*)_z(*)_w(*) vT0\nmov oC0, vT0\nend"],
    ['usage-undeclared', "il_ps_2_0\ndclpin_usage(color)_usageIndex(0) vPixIn1\nmov oC0, vPixIn1\nend"],
    ['usage-undeclared', "il_vs_2_0\ndclvout_usage(position)_usageIndex(0) oVtxOut1\nmov oVtxOut1, r0\nend"],
    ['stage-undeclared', "il_ps_2_0\ndclpt_stage(1)_type(2d)_coordmode(normalized)\ntexld_stage(1) oC0, r0\nend"],
    ['real-time', "il_ps_2_0_rt\nmov oC0, r0\nend"],
    ['streams',
    "il_gs_2_0\ndcl_input_primitive point\ndcl_output_topology point_list\ndcl_max_output_vertex_count 4\n"
    . "emit_stream 0\ncut_stream 0\nemit_stream 1\nend"],
    ['group-forms', "il_cs_2_0\ndcl_max_thread_per_group 64\nend"],
    ['import-forms', "il_ps_2_0\ndclpi_x(*)_y(*)_z(*)_w(*) vT0\nmov oC0, vT0\nend"],
    ['scatter-uav', "il_ps_2_0\nscatter_quad r0\nmov oC0, r0\nend"],
    ['input-forms', "il_ps_2_0\ndcl_input_generic v1\nmov o0, v1\nend"],
    ['store-mask', "il_cs_2_0\ndcl_lds_id(1) 64\nlds_store_vec_id(1) mem.xyz_, r0, r1, r2\nend"],
    ['pair-mask', "il_cs_2_0\ndmul r0.__zw, r1, r2\nend"],
    map({ ['pair-mask', "il_cs_2_0\n$_\nend"] } 'dtoi r0.x, r1', 'dtou r0.y, r1', 'd_class r0.x, r1, r2',
    'd_frexp_exp r0.z, r1', 'dfrexp r0.y, r1', 'd2f r0.x, r1'),
    map({ ['store-mask', "il_cs_2_0\n$_\nend"] } "dcl_raw_uav_id(1)\nuav_raw_store_id(1) mem.x_z_, r0, r1",
    "dcl_struct_uav_id(1) 16\nuav_struct_store_id(1) mem.x_z_, r0, r1"),
    ['gds-size', "il_cs_2_0\ndcl_gds_id(0) 32764\ndcl_struct_gds_id(1) 4, 1\nend"],
    map({ ['struct-stride', "il_cs_2_0\n$_\nend"] } 'dcl_struct_uav_id(1) 4', 'dcl_struct_srv_id(1) 12',
    'dcl_struct_lds_id(1) 8, 4', 'dcl_struct_gds_id(1) 4, 4'),
    map({ ['declared-register', "il_ps_2_0\n$_\nmov oC0, r0\nend"] } 'dcl_cb cb0[2]', 'def i0, 1, 2, 3, 4',
    'defb b0, 1', 'dcl_output_generic o3', 'dcl_input_position vWinCoord0', 'dclarray vT0, vT1',
    'dclpi_x(*)_y(*)_z(*)_w(*) vFog', 'dcl_persistent 4', 'dcl_shared_temp sr4'),
    map({ ['buffer-kind', "il_cs_2_0\n$_->[0]\n$_->[1]\nend"] } ['dcl_struct_uav_id(1) 16',
    'uav_struct_load_id(1) r0, r1'], ['dcl_arena_uav_id(8)', 'uav_raw_load_id(8) r0, r1'],
    ['dcl_typeless_uav_id(1)_stride(4)_length(4)_access(rw)', 'uav_raw_load_id(1) r0, r1'],
    ['dcl_struct_uav_id(1) 16', 'uav_add_id(1) r0, r1']),
    ['single-register', "il_ps_2_0\nmov oC0, Tmr\nmov oDepth, vTid0\nend"],
    ['log-zeroop', "il_cs_2_0\nlog_zeroop(infinity) r0, r1\nrcp_zeroop(zero) r0, r1\nend"],
    ['divcomp-unknown',
    "il_ps_2_0\ndclpt_stage(0)_type(2d)_coordmode(normalized)\ntexld_stage(0) oC0, r0_divcomp(unknown)\n"
    . "project_stage(0) r0, r1_divcomp(unknown)\nend"], ['tess-factor', "il_hs_2_0\ndcl_max_tessfactor 64\nend"],
    ['declared-twice', "il_cs_2_0\ndcl_raw_uav_id(1)\ndcl_raw_srv_id(1)\nend"],
    ['icb-undeclared', "il_cs_2_0\ndcl_cb icb[4] = {1, 2, 3, 4}\nmov r0, icb[0]\nend"],
    ['macro-argument', "mdef(0)_out(1)_in(2)\nmov out0, in1\nmend\nil_cs_2_0\nend"],
    ['timer', "il_cs_2_0\nmov r0, Tmr\nend"], ['by-name', "il_cs_2_0\nadd r0, r1, r2\nend"],
    ['shader-model',
    "il_ps_2_0\ndcl_input_position_interp(linear_noperspective) vWinCoord0.xy__\nmov o0, vWinCoord0\nend"],
    ['loop-index', "il_vs_2_0\nmov oPos, r0\nmov oT[aL], r0\nmov r1, c[a0.x+1]\nend"],
);

sub reports ($text) {
    open my $out, '>', "$dir/rule.il" or die;
    print $out "$text\n";
    close $out;
    my ($records, $err, $status) = gpudbg('--json', '-e', 'check il', "$dir/rule.il");
    return ($status, $err, grep { $_->{type} eq 'check' } map { $json->decode($_) } grep { /\S/ } split /\n/, $records);
}

my %met;
for my $case (@broken) {
    my ($rule, $line, $text) = @$case;
    my ($status, $err, @reports) = reports($text);
    my ($it) = grep { $_->{message} =~ /\(\Q$rule\E, / } @reports;
    $met{$rule} = 1;
    ok($status == 0 && $it && $it->{kind} eq 'il' && $it->{line} == $line, "$rule: " . ($text =~ s/\n/ | /gr))
        or diag $err, map { "$_->{line}: $_->{message}\n" } @reports;
}
open my $rules, '<', 'decoders/il/check/rules.def' or die;
my @rules = map { /^RULE\(\w+, "([^"]+)"/ ? $1 : () } <$rules>;
is_deeply([sort keys %met], [sort @rules], 'every rule is met');

my %held;
for my $case (@kept) {
    my ($rule, $text) = @$case;
    my ($status, $err, @reports) = reports($text);
    my @it = grep { $_->{message} =~ /\(\Q$rule\E, / } @reports;
    $held{$rule} = 1;
    ok($status == 0 && !@it, "$rule kept: " . ($text =~ s/\n/ | /gr)) or diag $err,
        map { "$_->{line}: $_->{message}\n" } @it;
}
is_deeply([sort keys %held], [sort @rules], 'every rule is kept');

# What real kernels mix with the other shader model is a note: [the lines noted, text].
my $model4 = 'dcl_literal l0, 1, 2, 3, 4';
for my $case (
    ['transpose', [3], "il_cs_2_0\n$model4\ntranspose r4, r0\nend"],
    ['transpose above', [2], "il_cs_2_0\ntranspose r4, r0\n$model4\nend"],
    ['det, twice', [3], "il_cs_2_0\n$model4\ndet r4, r0\ndet r5, r0\nend"],
    ['def, and reads of its constant', [2], "il_cs_2_0\ndef c1, 1, 2, 3, 4\n$model4\nadd r0, c1, l0\nend"],
    ['all three', [2, 4, 5], "il_cs_2_0\ndef c1, 1, 2, 3, 4\n$model4\ntranspose r4, r0\ndet r0, r4\nend"],
    ['... in their own model', [], "il_vs_2_0\ndef c1, 1, 2, 3, 4\ntranspose r4, r0\nmov oPos, c1\nend"]) {
    my ($name, $lines, $text) = @$case;
    my ($status, $err, @reports) = reports($text);
    is_deeply([map { [$_->{line}, $_->{note} ? 1 : 0] } sort { $a->{line} <=> $b->{line} } @reports],
        [map { [$_, 1] } @$lines], "$name: a note at its line, and nothing else")
        or diag $err, map { "$_->{line}: $_->{message}\n" } @reports;
}
{
    my ($status, $err, @reports) = reports("il_ps_2_0\ndef c1, 1, 2, 3, 4\n$model4\nmov oC0, c2\nend");
    is_deeply([map { $_->{note} ? () : $_->{line} } @reports], [4], 'a constant that no def gives is still a finding');
    open my $out, '>', "$dir/note.il" or die;
    print $out "il_cs_2_0\n$model4\ntranspose r4, r0\nend\n";
    close $out;
    my ($said) = gpudbg('-e', 'check il', "$dir/note.il");
    like($said, qr/^3:1: il: note: transpose is of shader model 3.*\(shader-model,.*\ncheck il: nothing found$/m,
        'a note says that it is one, and is no finding');
}

my %clean = (
    'a compute kernel' =>
    "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_cb cb0[4]\ndcl_raw_uav_id(11)\ndcl_lds_id(1) 1024\n"
    . "dcl_literal l0, 4, 2, 0, 0\nimul r0.x, vaTid0.x, l0.x\nlds_store_vec_id(1) mem.xy, r0.x, r0.x, r1\n"
    . "fence_threads_lds\nwhileloop\nige r2.x, r0.x, cb0[0].x\n"
    . "break_logicalnz r2.x\niadd r0.x, r0.x, l0_neg(xyzw).x\nendloop\nuav_raw_store_id(11) mem.xyz_, r0.x, r1\nend",
    'a pixel shader' => "il_ps_2_0\ndcl_input_generic_interp(linear) v0.xy__\n"
    . "dcl_output_generic o0\ndcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
    . "sample_resource(0)_sampler(0) r0, v0.xy00\nmul_ieee_sat o0, r0_abs, r0\nend",
    'a vertex shader of model 3' => "il_vs_2_0\ndclv_elem(0) v0\nmmul_matrix(4x4) oPos, v0, c[0]\nend",
    'subroutines and doubles' =>
    "il_cs_2_0\nf2d r0.xy, r1.x\ndadd r0.zw, r0.xy, r0.xy_neg(y)\ncall_logicalnz r0.x, 1\nendmain\nfunc 1\nret\n"
    . "func 2\nif_logicalz r1.x\nret_dyn\nendif\nret\nendfunc\nend",
);
$clean{'a compute kernel'} =~ s/l0_neg\(xyzw\)\.x/l0.x_neg(x)/;
for my $name (sort keys %clean) {
    my ($status, $err, @reports) = reports($clean{$name});
    ok($status == 0 && !@reports, "$name keeps all rules") or diag $err, map { "$_->{line}: $_->{message}\n" } @reports;
}

{
    local $ENV{LC_ALL} = 'C';
    open my $out, '>', "$dir/blocks.il" or die;
    print $out "il_cs_2_0\nwhileloop\nif_logicalnz r0.x\nmov r1, r2\nelse\nbreak\nendif\nendloop\nswitch r1.x\ncase 1\n"
        . "mov r3, r4\nendswitch\nend\n";
    close $out;
    my ($picture) = gpudbg('--screen', '120x80', '-e', 'screenshot', "$dir/blocks.il");
    my $code = join "\n", map { substr $_, 0, 64 } split /\n/, $picture;
    like($code, qr/\+whileloop/, 'a loop opens a bracket');
    like($code, qr/\| \+if_logicalnz.*\| \| mov r1, r2.*\| \+else.*\| \| break.*\| \+endif.*\+endloop/s,
        '... an if inside it another');
    like($code, qr/\+switch r1\.x.*\+case 1.*\| mov r3, r4.*\+endswitch/s, 'a switch is divided by its cases');
}
done_testing;
