#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# AMD IL that is wrong: its kind, its place and the exit status, for text and for streams.
use v5.36;
use Files;
use Test::More;
use JSON::PP;
use Gpudbg;

my $json = JSON::PP->new;

sub errors (@arguments) {
    my ($out, $err, $status) = gpudbg('--json', @arguments);
    my @errors = grep { $_->{type} eq 'error' } map { $json->decode($_) } grep { /\S/ } split /\n/, $out;
    return ($status, $err, @errors);
}


# [what, text, kind, line, column]
my $cs = "il_cs_2_0\n";
my @texts = (
    ['no such mnemonic', "${cs}frobnicate r0, r1\nend\n", 'unknown-opcode', 2, 1],
    ['a mnemonic with a letter too many', "$cs  movx r0, r1\nend\n", 'unknown-opcode', 2, 3],
    ['an opcode whose layout nobody knows', "${cs}div_fixup r0, r1\nend\n", 'unknown-opcode', 2, 1],
    ['too few operands', "${cs}add r0, r1\nend\n", 'operand-count', 2, 1],
    ['no operand', "${cs}  mov\nend\n", 'operand-count', 2, 3],
    ['too many operands', "${cs}mov r0, r1, r2\nend\n", 'operand-count', 2, 1],
    ['an operand for what has none', "${cs}fence_threads r0\nend\n", 'operand-count', 2, 1],
    ['too few numbers', "${cs}dcl_literal l0, 1, 2, 3\nend\n", 'operand-count', 2, 1],
    ['too many numbers', "${cs}dcl_literal l0, 1, 2, 3, 4, 5\nend\n", 'operand-count', 2, 1],
    ['an open bracket', "${cs}mov r0, cb0[1\nend\n", 'syntax', 2, 14],
    ['an open parenthesis', "${cs}uav_load_id(1 r0, r1\nend\n", 'syntax', 2, undef],
    ['no such control', "${cs}add_ieee r0, r1, r2\nend\n", 'syntax', 2, 4],
    map({ ["$_->[0]: given twice", "$cs$_->[0]\nend\n", 'syntax', 2, $_->[1]] } ['mov r0, r1_divcomp(y)_divcomp(z)',
    22], ['mov r0, r1_neg(x)_neg(y)', 18], ['mov r0, r1_x2_bx2', 14], ['mov r0, r1_abs_abs', 15],
        ['add_x2_d2 r0, r1, r2', 7], ['add_sat_sat r0, r1, r2', 8], ['mul_ieee_ieee r0, r1, r2', 9],
        ['uav_raw_load_id(1)_id(0) r0, r1', 19], ['mdef(0)_out(1)_in(1)_out(2)', 21],
        ['add_prec(x)_prec(y) r0, r1, r2', 12]),
    map({ ["$_: there is one", "${cs}mov $_\nend\n", 'syntax', 2, undef] } 'r0, Tmr4', 'r0, Tmr[4]', 'oDepth2, r0',
    'oMask9, r0', 'r0, vTid[r1.x]', 'r0, sr[r0.x]', 'r0, sr1[r0.x]'),
    ['no such register', "${cs}mov r0, q1\nend\n", 'syntax', 2, 9],
    ['an extra comma', "${cs}mov, r0, r1\nend\n", 'syntax', 2, 4],
    ['a number where a register belongs', "${cs}mov r0, 1\nend\n", 'syntax', 2, 9],
    ['an offset of one part, and a blank', "${cs}sample_resource(0)_sampler(0)_aoffimmi(62 ) r0, r1\nend\n", 'syntax',
    2, undef], ['text behind end', "${cs}end\nmov r0, r1\n", 'syntax', 3, 1],
    ['mask out of order', "${cs}mov r0.yx, r1\nend\n", 'bad-write-mask', 2, 5],
    ['mask repeated', "${cs}mov r0.xx, r1\nend\n", 'bad-write-mask', 2, 5],
    ['mask of five columns', "${cs}mov r0.xyzw0, r1\nend\n", 'bad-write-mask', 2, 5],
    ['no mask letters', "${cs}mov r0.q, r1\nend\n", 'bad-write-mask', 2, 5],
    ['a constant written', "${cs}dcl_cb cb0[2]\nmov cb0[1], r1\nend\n", 'not-writable', 3, 5],
    ['a literal written', "${cs}dcl_literal l0, 1, 2, 3, 4\nmov l0, r1\nend\n", 'not-writable', 3, 5],
    ['an input written', "${cs}mov vTid.x, r1\nend\n", 'not-writable', 2, 5],
    ['a literal not declared', "${cs}mov r0, l3\nend\n", 'undeclared-register', 2, 9],
    ['a literal declared too late', "${cs}mov r0, l3\ndcl_literal l3, 1, 2, 3, 4\nend\n", 'undeclared-register', 2, 9],
    ['an array not declared', "${cs}mov x0[1], r1\nend\n", 'undeclared-register', 2, 5],
    ['a constant buffer not declared', "${cs}mov r1, cb2[1]\nend\n", 'undeclared-register', 2, 9],
    ['a uav not declared', "${cs}uav_raw_load_id(4) r0, r1\nend\n", 'undeclared-register', 2, 1],
    ['lds not declared', "${cs}lds_load_id(4) r0, r1\nend\n", 'undeclared-register', 2, 1],
    ['a resource not declared', "il_ps_2_0\nsample_resource(0)_sampler(0) r0, r1\nend\n", 'undeclared-register', 2, 1],
    ['a literal of another macro',
    "mdef(0)_out(1)_in(0)\ndcl_literal l0, 1, 2, 3, 4\nmov out0, l0\nmend\n${cs}mov r0, l0\nend\n",
    'undeclared-register', 6, 9], ['a literal declared twice',
    "${cs}dcl_literal l0, 1, 2, 3, 4\ndcl_literal l0, 1, 2, 3, 4\nend\n", 'redefinition', 3, 1],
    ['an array declared twice', "${cs}dcl_indexed_temp_array x0[4]\ndcl_indexed_temp_array x0[4]\nend\n",
    'redefinition', 3, 1], ['a constant buffer declared twice', "${cs}dcl_cb cb1[4]\ndcl_cb cb1[4]\nend\n",
    'redefinition', 3, 1], ['a subroutine defined twice', "${cs}endmain\nfunc 1\nret\nfunc 1\nret\nend\n",
    'redefinition', 5, 1], ['a call of nothing', "${cs}call 5\nendmain\nfunc 1\nret\nend\n", 'undefined-label', 2, 1],
    ['a call with too few arguments', "mdef(0)_out(1)_in(2)\nmov out0, in1\nmend\n${cs}mcall(0) (r1), (r2)\nend\n",
    'operand-count', 5, 1], ['outputs and inputs exchanged',
    "mdef(0)_out(1)_in(2)\nmov out0, in1\nmend\n${cs}mcall(0) (r1, r3), (r2)\nend\n", 'operand-count', 5, 1],
    ['a macro that calls itself', "mdef(0)_out(1)_in(1)\nmcall(0) (out0), (in0)\nmend\n${cs}mcall(0) (r1), (r2)\nend\n",
    'undefined-label', 2, 1], ['a constant buffer without a size', "${cs}dcl_cb cb0\nend\n", 'operand-count', 2, 1],
    ['a call of no macro', "${cs}mcall(5) (r1), (r2)\nend\n", 'undefined-label', 2, 1],
    ['else without if', "${cs}else\nend\n", 'unmatched-block', 2, 1],
    ['endif without if', "${cs}endif\nend\n", 'unmatched-block', 2, 1],
    ['endloop without loop', "$cs endloop\nend\n", 'unmatched-block', 2, 2],
    ['endswitch without switch', "${cs}endswitch\nend\n", 'unmatched-block', 2, 1],
    ['case without switch', "${cs}case 1\nend\n", 'unmatched-block', 2, 1],
    ['default without switch', "${cs}default\nend\n", 'unmatched-block', 2, 1],
    ['endfunc without func', "${cs}endfunc\nend\n", 'unmatched-block', 2, 1],
    ['a second else', "${cs}if_logicalz r0.x\nelse\nelse\nendif\nend\n", 'unmatched-block', 4, 1],
    ['an open if', "${cs}if_logicalz r0.x\nend\n", 'unclosed-block', 2, 1],
    ['an open loop', "${cs}whileloop\nbreak\nend\n", 'unclosed-block', 2, 1],
    ['an open loop inside an if', "${cs}if_logicalz r0.x\nwhileloop\nendif\nend\n", 'unclosed-block', 3, 1],
    ['an open switch before func', "${cs}switch r0.x\nendmain\nfunc 1\nret\nend\n", 'unclosed-block', 2, 1],
    ['an open subroutine', "${cs}endmain\nfunc 1\nmov r0, r1\nend\n", 'unclosed-block', 3, 1],
    ['an open if and no end', "${cs}if_logicalz r0.x\n", 'unclosed-block', 2, 1],
    ['no end', "${cs}mov r0, r1\n", 'missing-end', 3, undef],
    ['no version', "mov r0, r1\nend\n", 'bad-version', 1, undef],
    ['no kind of shader', "il_xx_2_0\nend\n", 'bad-version', 1, undef],
    ['nothing but comments', "; nothing\n", 'bad-version', 1, undef],
    ['code behind ret', "${cs}endmain\nfunc 1\nret\nmov r0, r1\nendfunc\nend\n", 'syntax', 5, 1],
    ['a second version', "${cs}il_ps_2_0\nend\n", 'syntax', 2, 1],
    ['a macro inside main', "${cs}mdef(1)_out(0)_in(0)\nmend\nend\n", 'syntax', 2, 1],
    ['a value past its field', "${cs}dcl_lds_id(15) 64\nlds_load_id(16) r0, r1\nend\n", 'syntax', 3, undef],
    ['no such value', "${cs}rcp_zeroop(none) r0, r1\nend\n", 'syntax', 2, undef],
);
for my $case (@texts) {
    my ($what, $text, $kind, $line, $column) = @$case;
    my $file = spill("$dir/bad.il", $text);
    my ($status, $err, @errors) = errors('-e', "assemble $file $dir/bad.out");
    my $e = $errors[0] // {};
    my $good = $status == 1 && !-e "$dir/bad.out" && 1 == (() = $err =~ /\n/g) && ($e->{kind} // '') eq $kind
        && ($e->{line} // 0) == $line
        && (!defined $column || ($e->{column} // 0) == $column) && $err =~ /^gpudbg: \Q$file\E:$line:\d+: $kind: /;
    ok($good, "$what: $kind, line $line" . (defined $column ? ", column $column" : '')) or diag "status $status, $err";
    ($status) = errors('--isa', 'amdil', $file);
    isnt($status, 0, '... and loading fails');
}

# [what, tokens, kind, token at fault]
my @s = (0, 0x30200);
my ($r0, $r1, $end) = (0x40000, 0x40001, 40);
my @streams = (
    ['opcode 0', [@s, 0x00010000, $end], 'unknown-opcode', 2],
    ['opcode 483', [@s, 483, $end], 'unknown-opcode', 2],
    ['opcode 660', [@s, 660, $r0, $end], 'unknown-opcode', 2],
    ['an opcode of unknown layout', [@s, 473, $end], 'unknown-opcode', 2],
    ['reserved bits of the language', [0x100, 0x30200, $end], 'reserved-bits', 0],
    ['reserved bits of the version', [0, 0x4030200, $end], 'reserved-bits', 1],
    ['shader type 6', [0, 0x60200, $end], 'bad-version', 1],
    ['version 0', [0, 0x30000, $end], 'bad-version', 1],
    ['controls that mov has not', [@s, 71 | 1 << 16, $r0, $r1, $end], 'reserved-bits', 2],
    ['reserved bits of a destination', [@s, 71, $r0 | 1 << 27, $r1, $end], 'reserved-bits', 3],
    ['reserved bits of a source', [@s, 71, $r0, $r1 | 1 << 30, $end], 'reserved-bits', 4],
    ['reserved bits of a destination modifier', [@s, 71, $r0 | 1 << 22, 0x2055, $r1, $end], 'reserved-bits', 4],
    ['reserved bits of a source modifier', [@s, 71, $r0, $r1 | 1 << 22, 0x2003210, $end], 'reserved-bits', 5],
    ['register type 63', [@s, 71, $r0, 63 << 16, $end], 'bad-register-type', 4],
    ['component 6', [@s, 71, $r0, $r1 | 1 << 22, 0x3216, $end], 'bad-enum', 5],
    ['divComp 5', [@s, 71, $r0, $r1 | 1 << 22, 0x3210 | 5 << 21, $end], 'bad-enum', 5],
    ['shift scale 7', [@s, 71, $r0 | 1 << 22, 0x55 | 7 << 9, $r1, $end], 'bad-enum', 4],
    ['relative 3', [@s, 71, $r0, $r1 | 3 << 23, $end], 'bad-enum', 4],
    ['a relation past its enumeration', [@s, 86 | 6 << 16, $r0, $r1, $r1, $end], 'bad-enum', 2],
    ['cut off inside an instruction', [@s, 3, $r0, $r1], 'truncated', 5],
    ['cut off inside the opening', [0], 'truncated', 1],
    ['no end', [@s, 71, $r0, $r1], 'missing-end', 5],
    ['tokens after the end', [@s, $end, 71, $r0, $r1], 'syntax', 3],
    ['a literal written', [@s, 71, 32 << 16, $r1, $end], 'not-writable', 3],
    ['a literal not declared', [@s, 71, $r0, 32 << 16 | 3, $end], 'undeclared-register', 4],
    ['endif without if', [@s, 41, $end], 'unmatched-block', 2],
    ['an open loop', [@s, 113, $end], 'unclosed-block', 2],
    ['a call of nothing', [@s, 8, 7, $end], 'undefined-label', 2],
    ['a call with three arguments for two', [345, 0x101, 71, 62 << 16, 61 << 16, 346, @s, 347, 0x20001, $r0, $r0, $r1,
    $end], 'operand-count', 8],
);
for my $case (@streams) {
    my ($what, $tokens, $kind, $at) = @$case;
    my $file = spill("$dir/bad.bin", pack 'V*', @$tokens);
    for my $command ('disassemble', 'check il') {
        my ($status, $err, @errors) = errors('--isa', 'amdil', '-e', $command, $file);
        my ($e) = grep { $_->{kind} eq $kind } @errors;
        ok($status == 1 && $e && $e->{offset} eq sprintf('0x%x', 4 * $at) && $err =~ /$kind: token $at: /,
            "$what: $command: $kind at token $at")
            or diag "status $status: $err";
    }
}
for my $bytes (1 .. 3) {
    my $file = spill("$dir/bad.bin", pack('V*', @s, $end) . "\1" x $bytes);
    my ($status, $err, @errors) = errors('--isa', 'amdil', '-e', 'disassemble', $file);
    is_deeply([$status, map { ($_->{kind}, $_->{offset}) } @errors], [1, 'truncated', '0xc'], "$bytes stray bytes")
        or diag $err;
}
{ # Many errors: the first ones, how many more there are, and all of them when asked.
    my $file = spill("$dir/many.bin", pack 'V*', @s, (71 | 1 << 20, $r0, $r1) x 50, $end);
    my ($out, $err, $status) = gpudbg('--isa', 'amdil', '-e', 'disassemble', $file);
    is(() = $err =~ /reserved-bits/g, 20, '20 of 50 errors are shown');
    like($err, qr/: 30 more errors: disassemble \/e shows all$/m, '... and how many more there are');
    (undef, $err) = gpudbg('--isa', 'amdil', '-e', 'disassemble /e', $file);
    is(() = $err =~ /reserved-bits/g, 50, '/e shows all');
    my (undef, undef, @errors) = errors('--isa', 'amdil', '-e', 'disassemble', $file);
    is(scalar @errors, 50, 'so do records');
}
{ # The listing goes on behind what is not known.
    my $file = spill("$dir/bad.bin", pack 'V*', @s, 660, $r0, 71, $r0, $r1, 145, $r0, $r1, $r1, $end);
    my ($out) = gpudbg('--isa', 'amdil', '-e', 'disassemble /a', $file);
    like($out, qr/il_cs_2_0.*0x00000294.*mov r0, r1.*iadd r0, r1, r1.*end/s,
        'instructions behind an unknown opcode are listed');
}
done_testing;
