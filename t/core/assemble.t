#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `assemble`: one instruction and whole files, labels, data, constants and errors.  The bytes are written here from the
# manual's layouts; t/oracle/gfx7_assemble.t asks LLVM about all instructions.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;


sub run_of { my ($out, $err, $status) = gpudbg(@_); return { out => $out, err => $err, status => $status } }
sub assembled {
    my ($text, @options) = @_;
    my $from = spill('text.s', $text);
    unlink "$dir/out";
    my $run = run_of('--isa', 'gfx7', @options, '-e', "assemble $from $dir/out");
    return (slurp("$dir/out"), $run);
}

# One instruction.
my $run = run_of('--isa', 'gfx7', '-e', 'assemble /i s_mov_b32 s1, 0xdeadbeef');
is($run->{status}, 0, 'one instruction is assembled');
like($run->{out}, qr/^0000: s_mov_b32 s1, 0xdeadbeef\n.*sdst.*s1.*bytes +0xbe8103ff 0xdeadbeef\n/s,
    '... and shown with its fields and bytes');
like(run_of('-e', 'assemble /i gfx7 s_endpgm')->{out}, qr/bytes +0xbf810000$/m,
    'the instruction set may be named before the text');
is(run_of('--isa', 'gfx7', '--json', '-e', 'assemble /i s_endpgm')->{out} =~ /"bytes":"(\w+)"/ && $1, '000081bf',
    'with --json it is a record with the bytes');
$run = run_of('--isa', 'gfx7', '-e', 'assemble /i v_add_f33 v0, v1, v2');
is($run->{status}, 1, 'what is no instruction fails');
like($run->{err}, qr/gfx7 has no instruction "v_add_f33"; "v_add_f32" is the nearest name/,
    '... and the nearest name is offered');
like(run_of("-e", "assemble /i gen7 MAAD (8) r1.0<1>:f")->{err},
    qr/gen7 has no instruction "MAAD"; "mad" is the nearest name/,
    '... of every instruction set, in any case');
like(run_of('-e', 'assemble /i gen7 xyz (8) r1.0<1>:f')->{err}, qr/gen7 has no instruction "xyz"$/m,
    '... unless no name is near');

# The shortest form moves labels; the bytes are those that `iga64 -Xautocompact` makes of the text.
{
    my $from = spill('short.s', <<'END');
L0:
(f0.0) if (8|M0) L1 L2
mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f
L1:
else (8|M0) L2
add (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f
L2:
endif (8|M0) L3
L3:
while (8|M0) L0
(W) jmpi L0
END
    for my $how ('/c', '/c ') {
        unlink "$dir/out";
        my $run = run_of('--isa', 'gen7.5', '-e', 'set syntax iga', '-e', "assemble $how $from $dir/out");
        is($run->{err}, '', 'a file is assembled in the shortest form');
        is(unpack('H*', slurp("$dir/out") // ''), '22006100e00100200000000003000600' . '010b012007010200'
            . '24006000e00100200000000003000000' . '404b0220e7010203' . '25006000001c00200000000002000000'
            . '27006000001c002000000000f8ff0000' . '20020000001c003400140000a0ffffff', '... as IGA does it');
    }
}

# A file.
my ($bytes, $done) = assembled(<<'END');
// a remark; s_nop 1
start:  s_mov_b32 s0, count * (1 + 2)   ; 6
.set count, 2
loop:
L0008:
    s_sub_u32 s0, s0, 1 /* over
    two lines */
    s_cbranch_scc0 loop
    s_branch end
    .long 0x12345678, end - start, -1
    .byte 1, 2
    .p2align 2
end: s_endpgm
END
is($done->{status}, 0, 'a file with labels, data and comments is assembled') or diag $done->{err};
is(unpack('H*', $bytes // ''), join('', map { unpack 'H*', pack 'V', $_ } 0xbe800386, 0x80808100, 0xbf84fffe,
    0xbf820004, 0x12345678, 0x20, 0xffffffff, 0x0201, 0xbf810000), '... to the bytes of the manual');
like($done->{out}, qr{/out: 36 bytes$}, '... and their number is said');

# Text of a listing gives the file back.
my $listing = output('--isa', 'gfx7', '--raw', '-e', 'disassemble /a', "$dir/out");
my ($again) = assembled($listing);
is($again, $bytes, 'what `disassemble /a` prints gives the same bytes');

# Errors: every wrong line, with line and column, and the file stays.
spill('out2', 'as it was');
my $from = spill('wrong.s', "s_nop 0\n  s_nop nothing\ns_endpgm x y\nv_mov_b32 v0, v1\nlabel:\nlabel: s_nop 70000\n");
$run = run_of('--isa', 'gfx7', '-e', "assemble $from $dir/out2");
is($run->{status}, 1, 'a file with wrong lines fails');
my @errors = $run->{err} =~ /^gpudbg: \Q$from\E:(\d+(?::\d+)?): /mg;
is("@errors", '2:9 3:10 6:1', '... and each wrong line is named with its column') or diag $run->{err};
is(slurp("$dir/out2"), 'as it was', '... and the file that was to be written is as it was');
like(run_of('--isa', 'gfx7', '-e', "assemble $dir/none $dir/out2")->{err}, qr/none/,
    'a file that is not there is named');
like(run_of('--isa', 'gfx7', '-e', 'assemble one')->{err}, qr/two files/, 'one file is not enough');
like(run_of('--isa', 'gfx7', '-e', 'assemble/q one two')->{err}, qr{/q: assemble knows /i and /c},
    'another letter is refused, and the known ones are named');

# A bit of the status is one scalar source, also where one operand reads it in 64 bits and another in 32; a pair and its
# low half are two.
like(output('--isa', 'gfx7', '-e', 'assemble /i v_trig_preop_f64 v[5:6], -|src_scc|, src_scc mul:4'),
    qr/^0000: v_trig_preop_f64 v\[5:6\], -\|src_scc\|, src_scc mul:4\n/, 'src_scc in two widths counts once');
like(run_of('--isa', 'gfx7', '-e', 'assemble /i v_trig_preop_f64 v[5:6], s[2:3], s2')->{err}, qr/one scalar register/,
    '... s[2:3] and s2 do not');

# Hostile text ends soon, with an error.
for my $case (['a label that never settles', "x = y + 1\ny = x + 1\n s_nop 0\n"],
    ['brackets without end', 's_mov_b32 s0, ' . '(' x 100000], ['a long line', 's_nop ' . '1' x 70000],
    ['a byte 0', "s_nop \0 1\n"], ['too much space', ".space 0xffffffffffff\n"],
    ['much space', ".space 0x3000000\n.space 0x3000000\n"],
    ['a comment without end', "/* \n" x 1000 . 's_nop 99999999']) {
    my ($out, $result) = assembled($case->[1]);
    ok($result->{status} == 1 || $case->[0] =~ /comment/, "$case->[0] is refused");
    ok(length $result->{err} < 4000, '... in few words') or diag substr $result->{err}, 0, 400;
}

# AMD IL: the file's name decides, and one packet can be assembled.
$from = spill('text.il', "il_cs_2_0\ndcl_num_thread_per_group 64\nmov r0, r1\nend\n");
$run = run_of('--isa', 'gfx7', '-e', "assemble $from $dir/il.bin");
is($run->{status}, 0, 'NAME.il is AMD IL, whatever the session is') or diag $run->{err};
like(output('--isa', 'amdil', '-e', 'assemble /i mov r0, r1'), qr/^0000: mov r0, r1\n/,
    'one packet of AMD IL is assembled');
like(run_of('--isa', 'amdil', '-e', 'assemble /i mov r0')->{err}, qr/mov/, '... or refused');
done_testing;
