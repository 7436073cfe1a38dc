#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# AMD IL: text and streams made to do harm.  Each gives one line that names file, line and column (or token), an exit
# status, and no signal; programs that never end stop at the step limit.
use v5.36;
use Files;
use Test::More;
use Gpudbg;

my $kinds =
    qr/unknown-opcode|operand-count|unmatched-block|unclosed-block|undeclared-register|undefined-label|(?#
    )redefinition|not-writable|bad-write-mask|bad-register-type|bad-enum|bad-version|reserved-bits|(?#
    )missing-end|truncated|syntax|too-large/;

# ---- Text ----

my $cs = "il_cs_2_0\n";
my @lines = ( # each behind the version line
    'mov', 'mov ', 'mov r', 'mov r0', 'mov r0,', 'mov r0,,r1', 'mov r0, r1,', 'mov r0, r1 r2', ',', ',,,,', '(', ')',
    '[', ']', '{', '}', '=', '.', '_', '__', '___sat', 'mov_', 'mov__', 'mov_sat_', 'mov_sat_sat_sat_x2_x4 r0', 'mov(',
    'mov r0.', 'mov r0..x, r1', 'mov r0.x.y, r1', 'mov r0.xyzwxyzw, r1', 'mov r0.wzyx, r1', 'mov r0._____, r1',
    'mov r0.0x, r1.', 'mov r0, r1.', 'mov r0, r1.xyzwx', 'mov r0, r1.q', 'mov r0, r1_', 'mov r0, r1_neg',
    'mov r0, r1_neg(', 'mov r0, r1_neg(q)', 'mov r0, r1_neg(x', 'mov r0, r1_negx(x)', 'mov r0, r1_divcomp',
    'mov r0, r1_divcomp(', 'mov r0, r1_divcomp(x)', 'mov r0, r1_abs_abs_', 'mov r4294967296, r1',
    'mov r99999999999999999999999, r1', 'mov r-1, r1', 'mov r0, r1[', 'mov r0, x0[', 'mov r0, x0[]', 'mov r0, x0[[0]]',
    'mov r0, x0[r0', 'mov r0, x0[r0.x+', 'mov r0, x0[r0.x+]', 'mov r0, x0[r0.x+r1.x]', 'mov r0, x0[1][2][3]',
    'mov r0, x0[99999999999999]', 'mov r0, x0[-]', 'mov r0, v[1][2][3]', 'mov r0, cb0[r0.x.x]', 'mov r0, cb0[r0.xyzwx]',
    'mov r0, aL', 'mov r0, c[aL.x]', 'mov aL, r0', 'dcl_literal', 'dcl_literal l0', 'dcl_literal l0,',
    'dcl_literal l0, 1', 'dcl_literal l0, 1, 2, 3, 4, 5', 'dcl_literal l0, a, b, c, d', 'dcl_literal l0, 0x, 0, 0, 0',
    'dcl_literal l0, 0xfffffffff, 0, 0, 0', 'dcl_literal l0, 99999999999, 0, 0, 0', 'dcl_literal l0, 1e, 0, 0, 0',
    'dcl_literal l0, 1.2.3, 0, 0, 0', 'dcl_literal l0, --1, 0, 0, 0', 'dcl_literal l0, 1..., 0, 0, 0',
    'dcl_literal r0[, 0, 0, 0, 0', 'dcl_literal_float4, l1, 1, 2, 3, 4', 'dcl_cb', 'dcl_cb cb0', 'dcl_cb cb0[',
    'dcl_cb icb', 'dcl_cb icb[', 'dcl_cb icb[4]', 'dcl_cb icb[4] =', 'dcl_cb icb[4] = {', 'dcl_cb icb[4] = {1',
    'dcl_cb icb[4] = {1, 2}', 'dcl_cb icb[4294967295] = {}', 'dcl_cb icb[4] = {1, 2, 3, 4} 5', 'dcl_cb icb[x] = {}',
    'dcl_resource_id(', 'dcl_resource_id()', 'dcl_resource_id(256)_type(2d)_fmtx(float)', 'dcl_resource_id(1)_type(9d)',
    'dcl_resource_id(1)_type(2d,foo)_fmtx(float)', 'dcl_resource_id(-1)', 'dcl_resource_id(1)_type(2d',
    'dcl_num_thread_per_group', 'dcl_num_thread_per_group 1, 2, 3, 4', 'dcl_num_thread_per_group x',
    'dcl_function_table_id(0) = {', 'dcl_function_table_id(0) = 1', 'dcl_interface_ptr_id(0)_dynamic(0)[1] = {}',
    'dcl_interface_ptr_id(0)_dynamic(2)[1][1] = {}', 'dcl_global_flags nonsense', 'dcl_input_primitive',
    'dcl_input_primitive pyramid', 'dcl_input_primitive 99', 'dcl_ts_domain', 'dcl_max_output_vertex_count 99999999',
    'dcl_stream', 'sample_resource(0)_sampler(16) r0, r1', 'sample_resource(0)_aoffimmi(1,2) r0, r1',
    'sample_resource(0)_aoffimmi(1,2,3,4) r0, r1', 'sample_resource(0)_aoffimmi(0.25,0,0) r0, r1',
    'sample_resource(0)_aoffimmi(64,0,0) r0, r1', 'sample_resource(0)_aoffimmi(,,) r0, r1',
    'sample_resource(0)_aoffimmi( r0, r1', 'add_prec( r0, r1, r2', 'add_prec(q) r0, r1, r2', 'fence_nothing', 'relop',
    'ifc r0, r1 r2', 'ifc_relop(xx) r0, r1', 'case', 'case x', 'call', 'call x', 'call -1', 'func', 'fcall_id(0) r0',
    'mcall', 'mcall(0)', 'mcall(0) (', 'mcall(0) (r1', 'mcall(0) (r1)', 'mcall(0) (r1) (r2', 'mcall(0) (r1),, (r2)',
    'mcall(16384) (), ()', 'mdef', 'mdef(', 'mdef(0)_out(256)_in(0)', 'mdef(0)_out(', 'mdef(0) foo', 'prefix',
    'comment', 'mend', 'il_cs_2_0', 'il_', 'language', 'end end', 'end,', 'div_fixup r0, r1, r2', "mov r0, r1 \x01",
    "\xff\xfe\xfd", "mov r0, \xe2\x80\xa8r1", "m\xc3\xb6v r0, r1", 'mov r0; r1', 'A' x 100000,
    'mov r0, r1' . '_abs' x 20000 . '(', 'mov r0.' . 'x' x 100000 . ', r1',
    'dcl_literal l0, ' . '9' x 100000 . ', 0, 0, 0', '[' x 100000, '(' x 100000, 'mov r0, r1 ;! 0x00000047',
    ';! 0x00000047', ';! 0x00000071', ';! 0x00000028 0x00000028');
my $n = 0;
for my $line (@lines) {
    my $file = spill("$dir/bad.il", "$cs$line\nend\n");
    unlink "$dir/out.bin";
    my (undef, $err, $status) = gpudbg('-e', "assemble $file $dir/out.bin");
    my $said = length $line > 60 ? substr($line, 0, 57) . '...' : $line =~ s/[^ -~]/?/gr;
    my $good = $status == 1 && $err =~ /\Agpudbg: \Q$file\E:[1-4]:\d+: $kinds: [^\n]+\n\z/ && !-e "$dir/out.bin";
    ok($good, "text: $said") or diag "status $status: $err";
    $n++;
}
# Whole files: [text, what is said]
my @texts = (
    ['', 'an empty file'], ["\n" x 100000, 'only lines'], ["\0", 'a zero'],
    ["${cs}mov r0, r1\0\nend\n", 'a zero in a line'], ['/*', 'an open comment'], ["$cs/* end\n", 'an end in a comment'],
    [';', 'only a comment'], ["il_cs_2_0", 'no end'], ["il_cs_256_0\nend\n", 'version 256'],
    ["il_cs_0_1\nend\n", 'version 0'], ["il_cs_2_0_zz\nend\n", 'no such flag'],
    ["il_cs_2_0 x\nend\n", 'more behind the version'], ["il_cs_2_0\r\rend\r", 'old line ends'], ["end\n", 'no version'],
    ["mdef(0)_out(0)_in(0)\n", 'an open macro'], ["mdef(0)_out(0)_in(0)\nmend\n", 'a macro and no more'],
    ["mend\n$cs" . "end\n", 'mend first'], ["${cs}if_logicalz r0.x\n" . "else\n" x 2 . "endif\nend\n", 'two elses'],
    [$cs . "whileloop\n" x 100000 . "end\n", 'a hundred thousand open loops'],
    [$cs . "endif\n" x 1000 . "end\n", 'closers only'],
    [$cs . "func 1\n" x 1000 . "end\n", 'one label again and again'], ["${cs}call 1\nend\n", 'a call of nothing'],
    ["${cs}switch r0.x\ncase 1\nendloop\nendswitch\nend\n", 'blocks crossed'],
    ["${cs}dcl_literal l0, 1, 2, 3, 4\n" x 2, 'a second version line'], ["${cs}end\nend\n", 'two ends'],
    ["$cs" . 'mov r0, l0' . "\nend\n", 'not declared'], ["${cs}mov l0, r0\nend\n", 'not writable'],
    ["mdef(0)_out(1)_in(1)\nmcall(0) (out0), (in0)\nmend\n${cs}mcall(0) (r0), (r1)\nend\n",
    'a macro that calls itself'],
);
for my $case (@texts) {
    my ($text, $what) = @$case;
    my $file = spill("$dir/bad.il", $text);
    for my $command ("assemble $file $dir/out.bin", undef) {
        my (undef, $err, $status) = $command ? gpudbg('-e', $command)
            : gpudbg('--isa', 'amdil', '-e', 'launch -g 1', $file);
        my $lines = () = $err =~ /\n/g;
        ok($status >= 1 && $status <= 3 && $lines == 1 && $err =~ /^gpudbg: [^\n]*(?:$kinds|launch|empty)/,
            "file: $what" . ($command ? '' : ', loaded')) or diag "status $status: $err";
        $n++;
    }
}

# ---- Streams: [what, tokens] ----

my @s = (0, 0x30200);
my ($r0, $r1, $end) = (0x40000, 0x40001, 40);
my @streams = (
    ['nothing but the language', [0]], ['language and version', [@s]], ['all ones', [(0xffffffff) x 64]],
    ['zeros', [(0) x 64]], ['a comment longer than the file', [@s, 15, 0xffff, 1]],
    ['a comment with reserved bits', [@s, 15, 0xffff0000, $end]],
    ['icb of 4 G numbers', [@s, 118 | 1 << 31, 0xffffffff, 1, $end]],
    ['a table of 4 G entries', [@s, 314, 0xffffffff, $end]],
    ['an interface of 4 G entries', [@s, 315, 0xffffffff, 0xffffffff, 0xffffffff, $end]],
    ['a call of 65535 results', [@s, 347, 0xffffffff, $r0]],
    ['16383 dimensions', [@s, 212 | 0x3fff << 16, 1, 1, 1, $end]], ['no dimensions', [@s, 212, $end]],
    ['modifiers that mov has not', [@s, 71 | 3 << 30, 1, 2, $r0, $r1, $end]],
    ['an operand that never ends', [@s, 71, (0xffffffff) x 40]],
    ['dimension upon dimension', [@s, 71, $r0, (0x06050000) x 30]],
    ['relative 3 twice', [@s, 71, $r0 | 3 << 23, $r1 | 3 << 23, $end]],
    ['an index register with an index', [@s, 71, $r0, 30 << 16 | 2 << 23, $r0 | 2 << 23, $r1, $end]],
    ['register 4294967295', [@s, 71, $r0 | 0xffff | 1 << 31, 0xffff0000, $r1, 71]],
    ['prefix upon prefix', [@s, (353) x 50, $end, 1]], ['a prefix before an end that is missing', [@s, 353]],
    ['mend first', [346, @s, $end]], ['a macro in a macro', [345, 0, 345, 0, 346, 346, @s, $end]],
    ['a macro that is cut off', [345, 0, 71]], ['every opcode once, bare', [@s, 1 .. 482]],
    ['hull phases crossed', [@s, 305, 306, 308, $end]],
    ['type 63 as an index', [@s, 71, $r0, 30 << 16 | 2 << 23, 63 << 16, $end]], ['a label of a call cut off', [@s, 8]],
    ['versions only', [@s, (0x30200) x 40]], ['end first', [40, @s]],
    ['a literal array', [@s, 121, 32 << 16 | 1 << 25 | 1 << 26, 0xffffffff, $end]],
);
for my $case (@streams) {
    my ($what, $tokens) = @$case;
    my $file = spill("$dir/bad.bin", pack 'V*', @$tokens);
    for my $command ('disassemble', 'disassemble /a', 'check il', 'launch -g 1') {
        my (undef, $err, $status) = gpudbg('--isa', 'amdil', '-e', $command, $file);
        next if $command =~ /launch/ && $status == 0; # a program, with tokens that nothing meets
        my $good = $status == 1 && $err ne '' && !grep { !/^gpudbg: [ -~]+$/ } split /\n/, $err;
        ok($good, "stream: $what: $command") or diag "status $status: $err";
        $n++;
    }
}

# ---- Programs that never end ----

my @endless = (
    ['an empty loop', "whileloop\nendloop"], ['a loop that continues', "whileloop\ncontinue\nendloop"],
    ['loops in loops', "whileloop\n" x 20 . "endloop\n" x 20],
    ['a switch in a loop', "whileloop\nswitch r0.x\ncase 0\nbreak\nendswitch\nendloop"],
    ['recursion that comes back', "whileloop\ncall 1\nendloop", "func 1\ncall 1\nret\n"],
    ['recursion of two', "whileloop\ncall 1\nendloop", "func 1\ncall 2\nret\nfunc 2\ncall 1\nret\n"],
    ['a fence in a loop', "whileloop\nfence_threads\nendloop"],
);
for my $case (@endless) {
    my ($what, $body, $functions) = @$case;
    my $file = spill("$dir/endless.il", "${cs}dcl_num_thread_per_group 64\n$body\n"
        . ($functions ? "endmain\n$functions" : '') . "end\n");
    my ($out, $err, $status) = gpudbg('-e', 'set step-limit 100000', '-e', 'launch -g 128 -l 64', '-e', 'continue',
        $file);
    ok($status < 2 && "$out$err" =~ /limit/i, "never ends: $what") or diag "status $status: $out$err";
    $n++;
}
{ # 33 calls deep, each calling twice: the depth alone bounds nothing, the limit does
    my $file = spill("$dir/endless.il", "${cs}call 1\nendmain\nfunc 1\ncall 1\ncall 1\nret\nend\n");
    my ($out, $err, $status) = gpudbg('-e', 'set step-limit 1000000', '-e', 'launch -g 64 -l 64', '-e', 'continue',
        $file);
    ok($status < 2 && "$out$err" =~ /limit/i, 'two to the thirty-second calls') or diag "status $status: $out$err";
    $n++;
}
cmp_ok($n, '>', 300, 'that many');
done_testing;
