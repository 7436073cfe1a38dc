#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Flow control of AMD IL: 64 lanes that go different ways, against the same program written in Perl for one lane.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/../lib";
use IL;

my $head = "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\ndcl_literal l0, 0, 1, 2, 3\n"
    . "dcl_literal l1, 4, 5, 7, 16\ndcl_literal l2, 0xffffffff, 10, 100, 1000\n"
    . "dcl_literal l3, 1.0f, 2.0f, 10.0f, 0.0f\nmov r0.x, vTid.x\nmov r1, l0.x\nutof r2, r0.x\n";
my $store = "imul r9.x, vTid.x, l1.w\nuav_raw_store_id(0) mem.xyzw, r9.x, r1\n";

# name, body (r0.x: lane, r2: lane as float; result r1), model: lane -> x y z w; what follows main
sub kernel {
    my ($name, $body, $model, $functions, $more) = @_;
    my $end = $functions ? "endmain\n$functions" : '';
    my $got = run_il(($more // '') . "$head$body$store${end}end\n", launch => '-g 64 -l 64', args => 'uav0=zero:1024',
        save => ['uav0']);
    my @out = words($got->{uav0});
    return fail($name) || diag $got->{output} if @out != 256;
    my $bad = '';
    for my $l (0 .. 63) {
        my @want = map { ($_ // 0) & 0xffffffff } ($model->($l))[0 .. 3];
        $bad ||= "lane $l: @out[4 * $l .. 4 * $l + 3], not @want" if "@want" ne "@out[4 * $l .. 4 * $l + 3]";
    }
    is($bad, '', $name);
}
my $if = "iand r3.x, r0.x, l0.y\nif_logicalnz r3.x\n";

kernel('if', "${if}iadd r1.x, r1.x, l2.y\nendif\niadd r1.y, r1.y, l0.y\n", sub { ($_[0] & 1 ? 10 : 0, 1) });
kernel('if, else', "${if}mov r1.x, l2.y\nelse\nmov r1.x, l2.z\nendif\n", sub { $_[0] & 1 ? 10 : 100 });
kernel('if_logicalz', "iand r3.x, r0.x, l0.z\nif_logicalz r3.x\nmov r1.x, l0.y\nendif\n", sub { $_[0] & 2 ? 0 : 1 });
kernel('nested ifs',
    $if . ("iand r3.x, r0.x, l0.z\nif_logicalnz r3.x\nmov r1.x, l0.y\nelse\nmov r1.x, l0.z\nendif\nelse\n"
    . "mov r1.x, l0.w\nendif\n"), sub { $_[0] & 1 ? $_[0] & 2 ? 1 : 2 : 3 });
kernel("ifc_relop($_->[0])", "ifc_relop($_->[0]) r2.x, l3.z\nmov r1.x, l0.y\nendif\n", $_->[1])
    for ['lt', sub { $_[0] < 10 ? 1 : 0 }], ['le', sub { $_[0] <= 10 ? 1 : 0 }], ['gt', sub { $_[0] > 10 ? 1 : 0 }],
    ['ge', sub { $_[0] >= 10 ? 1 : 0 }], ['eq', sub { $_[0] == 10 ? 1 : 0 }], ['ne', sub { $_[0] != 10 ? 1 : 0 }];
kernel('whileloop, break in if',
    "whileloop\nuge r3.x, r1.x, r0.x\nif_logicalnz r3.x\nbreak\nendif\niadd r1.x, r1.x, l0.y\nendloop\n",
    sub { $_[0] });
kernel('break_logicalnz', "whileloop\nuge r3.x, r1.x, r0.x\nbreak_logicalnz r3.x\niadd r1.x, r1.x, l0.z\nendloop\n",
    sub { $_[0] + ($_[0] & 1) });
kernel('break_logicalz', "whileloop\nult r3.x, r1.x, r0.x\nbreak_logicalz r3.x\niadd r1.x, r1.x, l0.w\nendloop\n",
    sub { 3 * int(($_[0] + 2) / 3) });
kernel('breakc',
    "mov r4, l3.w\nwhileloop\nbreakc_relop(ge) r4.x, r2.x\nadd r4.x, r4.x, l3.x\niadd r1.x, r1.x, l0.y\nendloop\n",
    sub { $_[0] });
my $count = "whileloop\nuge r3.x, r4.x, r0.x\nbreak_logicalnz r3.x\niadd r4.x, r4.x, l0.y\niand r3.x, r4.x, l0.y\n";
sub odd { my $n = 0; $_ & 1 and $n++ for 1 .. $_[0]; $n }
kernel('continue_logicalz', "mov r4, l0.x\n${count}continue_logicalz r3.x\niadd r1.x, r1.x, l0.y\nendloop\n",
    sub { odd($_[0]) });
kernel('continue_logicalnz', "mov r4, l0.x\n${count}continue_logicalnz r3.x\niadd r1.x, r1.x, l0.y\nendloop\n",
    sub { $_[0] - odd($_[0]) });
kernel('continue in if',
    "mov r4, l0.x\n${count}" . ("if_logicalnz r3.x\ncontinue\nelse\niadd r1.y, r1.y, l0.y\nendif\n"
    . "iadd r1.x, r1.x, l0.y\nendloop\n"), sub { my $n = $_[0] - odd($_[0]); ($n, $n) });
kernel('continuec',
    "mov r4, l3.w\nwhileloop\nbreakc_relop(ge) r4.x, l3.z\nadd r4.x, r4.x, l3.x\ncontinuec_relop(gt) r4.x, r2.x\n"
    . "iadd r1.x, r1.x, l0.y\nendloop\n", sub { $_[0] < 10 ? $_[0] : 10 });
kernel('loops in loops',
    "mov r4, l0.x\nwhileloop\nuge r3.x, r4.x, l0.w\nbreak_logicalnz r3.x\niadd r4.x, r4.x, l0.y\nmov r5, l0.x\n"
    . "whileloop\nuge r3.x, r5.x, r0.x\nbreak_logicalnz r3.x\niadd r5.x, r5.x, l0.y\niadd r1.x, r1.x, r4.x\nendloop\n"
    . "endloop\n", sub { 6 * $_[0] });
my $switch = "iand r3.x, r0.x, l1.z\nswitch r3.x\ncase 0\nmov r1.x, l2.y\nbreak\ncase 1\niadd r1.x, r1.x, l0.y\n"
    . "default\niadd r1.x, r1.x, l0.z\ncase 2\niadd r1.x, r1.x, l0.w\nbreak\ncase 3\nbreak\nendswitch\n"
    . "iadd r1.y, r1.y, l0.y\n";
kernel('switch, default in the middle, fall-through', $switch,
    sub { my $k = $_[0] & 7; ($k == 0 ? 10 : $k == 1 ? 6 : $k == 2 ? 3 : $k == 3 ? 0 : 5, 1) });
kernel('switch without default',
    "iand r3.x, r0.x, l0.w\nswitch r3.x\ncase 1\nmov r1.x, l0.y\nbreak\ncase 3\nmov r1.x, l0.w\nbreak\nendswitch\n",
    sub { my $k = $_[0] & 3; $k & 1 ? $k : 0 });
kernel('switch with no label for anyone', "switch l2.w\ncase 1\nmov r1.x, l0.y\nbreak\nendswitch\nmov r1.y, l0.y\n",
    sub { (0, 1) });
kernel('break in an if in a switch; continue in a switch in a loop',
    "mov r4, l0.x\nwhileloop\nuge r3.x, r4.x, l1.z\nbreak_logicalnz r3.x\niadd r4.x, r4.x, l0.y\n"
    . "iand r3.x, r4.x, l0.w\nswitch r3.x\ncase 1\n" . $if . ("break\nendif\niadd r1.x, r1.x, l0.y\nbreak\ncase 2\n"
    . "continue\nbreak\ndefault\niadd r1.y, r1.y, l0.y\nbreak\nendswitch\niadd r1.z, r1.z, l0.y\nendloop\n"),
    sub { my ($x, $y, $z) = (0, 0, 0); for my $i (1 .. 7) { my $k = $i & 3;
    if ($k == 1) { $x++ unless $_[0] & 1 } elsif ($k == 2) { next } else { $y++ } $z++ } ($x, $y, $z) });
kernel('a register that a switch tests may change inside',
    "iand r3.x, r0.x, l0.w\nswitch r3.x\ncase 0\nmov r3.x, l0.z\nmov r1.x, l0.y\nbreak\ncase 2\nmov r1.y, l0.y\nbreak\n"
    . "endswitch\n", sub { my $k = $_[0] & 3; ($k == 0 ? 1 : 0, $k == 2 ? 1 : 0) });
# Subroutines
my $double = "func 0\niadd r1.x, r1.x, r1.x\nret\nendfunc\n";
kernel('call', "mov r1.x, r0.x\ncall 0\ncall 0\n", sub { 4 * $_[0] }, $double);
kernel('call under a mask', "mov r1.x, r0.x\n${if}call 0\nendif\n", sub { $_[0] & 1 ? 2 * $_[0] : $_[0] }, $double);
kernel('call_logicalnz', "mov r1.x, r0.x\niand r3.x, r0.x, l0.z\ncall_logicalnz r3.x, 0\n",
    sub { $_[0] & 2 ? 2 * $_[0] : $_[0] }, $double);
kernel('call_logicalz', "mov r1.x, r0.x\niand r3.x, r0.x, l0.z\ncall_logicalz r3.x, 0\n",
    sub { $_[0] & 2 ? $_[0] : 2 * $_[0] }, $double);
kernel('callnz, ifnz and defb',
    "defb b0, 1\ndefb b1, 0\nmov r1.x, r0.x\ncallnz b0, 0\ncallnz b1, 0\nifnz b0\nmov r1.y, l0.y\nendif\nifnz b1\n"
    . "mov r1.z, l0.y\nendif\n", sub { (2 * $_[0], 1) }, $double);
kernel('nop, cmov: components that are not 0 in source 0',
    "mov r3.x, l3.w\nmov r3.yzw, l3.xxxx\nmov r1, l0.zzzz\nnop\ncmov r1.xyz1, r3, l1\n", sub { (2, 5, 7, 0x3f800000) });
kernel('ret_dyn', "call 1\niadd r1.y, r1.y, l0.y\n", sub { ($_[0] & 1 ? 1 : 3, 1) },
    "func 1\nmov r1.x, l0.y\n${if}ret_dyn\nendif\nmov r1.x, l0.w\nret\nendfunc\n");
kernel('ret_logicalnz, ret_logicalz', "call 1\ncall 2\n", sub { ($_[0] & 1 ? 0 : 1, $_[0] & 1 ? 1 : 0) },
    "func 1\niand r3.x, r0.x, l0.y\nret_logicalnz r3.x\nmov r1.x, l0.y\nret\nendfunc\nfunc 2\niand r3.x, r0.x, l0.y\n"
    . "ret_logicalz r3.x\nmov r1.y, l0.y\nret\nendfunc\n");
kernel('return from a loop in a subroutine', "call 1\nmov r1.y, l0.y\n", sub { ($_[0] < 10 ? $_[0] : 10, 1) },
    "func 1\nwhileloop\nuge r3.x, r1.x, r0.x\nif_logicalnz r3.x\nret_dyn\nendif\niadd r1.x, r1.x, l0.y\n"
    . "ieq r3.x, r1.x, l2.y\nbreak_logicalnz r3.x\nendloop\nret\nendfunc\n");
kernel('the thirty-third call is skipped', "call 1\n", sub { 32 },
    "func 1\niadd r1.x, r1.x, l0.y\ncall 1\nret\nendfunc\n");
kernel('recursion under masks', "mov r4.x, r0.x\ncall 1\n",
    sub { my ($n, $d) = ($_[0], 0); my $f; $f = sub { my $depth = shift; return if $n == 0; $n--; $d++;
    $f->($depth + 1) if $depth < 32 }; $f->(1); $d },
    "func 1\nif_logicalnz r4.x\niadd r4.x, r4.x, l2.x\niadd r1.x, r1.x, l0.y\ncall 1\nendif\nret\nendfunc\n");
kernel('a subroutine that calls another', "mov r1.x, l0.y\ncall 2\n", sub { 8 },
    "${double}func 2\ncall 0\ncall 0\ncall 0\nret\nendfunc\n");
# Counted loops (shader model 3)
my $i0 = "def i0, 5, 3, 2, 0\ndef i1, 0, 0, 0, 0\n";
kernel('loop over i#', "${i0}loop i0\niadd r1.x, r1.x, l0.y\nendloop\nloop i1\niadd r1.y, r1.y, l0.y\nendloop\n",
    sub { (5, 0) });
kernel('loop, continue and break',
    $i0 . ("mov r4, l0.x\nloop i0\niadd r4.x, r4.x, l0.y\nieq r3.x, r4.x, l0.z\nif_logicalnz r3.x\ncontinue\nendif\n"
    . "iadd r1.x, r1.x, r4.x\nieq r3.x, r4.x, l1.x\nand r3.x, r3.x, r0.x\nif_logicalnz r3.x\nbreak\nendif\nendloop\n"),
    sub { my $s = 0; for my $i (1 .. 5) { next if $i == 2; $s += $i; last if $i == 4 && $_[0] } $s });
kernel('loop in loop over the same i#', "${i0}loop i0\nloop i0\niadd r1.x, r1.x, l0.y\nendloop\nendloop\n", sub { 25 });
# The program's end
{
    my $got = run_il(
        $head . ("imul r9.x, vTid.x, l1.w\nuav_raw_store_id(0) mem.x, r9.x, l0.y\n"
            . "iand r3.x, r0.x, l0.y\nif_logicalnz r3.x\nret_dyn\nendif\nuav_raw_store_id(0) mem.x, r9.x, l0.z\nend\n"),
            launch => '-g 64 -l 64', args => 'uav0=zero:1024', save => ['uav0']);
    is(join('', (words($got->{uav0}))[map { 4 * $_ } 0 .. 7]), '21212121', 'ret_dyn in main ends the thread');
}
# Macros
kernel('macro', "mcall(0) (r1.x), (r0.x, l0.w)\n", sub { 3 * $_[0] + 3 }, '',
    "mdef(0)_out(1)_in(2)\nimad r0.x, in0.x, in1.x, in1.x\nmov out0, r0.x\nmend\n");
kernel('a macro in a macro, its registers its own',
    "mov r5, l0.y\nmcall(1) (r1.x, r1.y), (r0.x)\niadd r1.z, r1.z, r5.x\n", sub { (4 * $_[0], $_[0], 1) }, '',
    "mdef(0)_out(1)_in(1)\niadd r5, in0, in0\nmov out0, r5\nmend\nmdef(1)_out(2)_in(1)\nmcall(0) (r5), (in0)\n"
    . "mcall(0) (out0), (r5)\nmov out1, in0\nmend\n");
# Interfaces
{
    my $text = $head
        . ("dcl_function_body 0\ndcl_function_body 1\ndcl_function_body 2\ndcl_function_table_id(0) = {0, 1}\n"
        . "dcl_function_table_id(1) = {2, 1}\ndcl_interface_ptr_id(0)_dynamic(1)[2][2] = {0, 1}\n")
        . "iand r3.x, r0.x, l0.y\nfcall_id(0) r3.x, 0\nfcall_id(0) l0.x, 1\n" . $store
        . ("endmain\nfunc 0\nmov r1.x, l2.y\nret\nendfunc\nfunc 1\niadd r1.y, r1.y, l0.y\nret\nendfunc\nfunc 2\n"
        . "mov r1.x, l2.z\nret\nendfunc\nend\n");
    like(run_il($text, launch => '-g 64 -l 64', args => "uav0=zero:1024 interface0=$_")->{output},
        qr/interface0: '\Q$_\E' is not the number of a function table/, "interface0=$_ is no table")
        for qw(abc 1x -1 77);
    my $got = run_il($text, launch => '-g 64 -l 64', args => 'uav0=zero:1024 interface0=0 interface1=1',
        save => ['uav0']);
    my @out = words($got->{uav0});
    is("@out[0 .. 7]", '10 1 0 0 100 1 0 0', 'calls through interfaces, lanes to different bodies')
        or diag $got->{output};
}
# Faults
like(run_il("${head}whileloop\nendloop\nend\n", launch => '-g 64 -l 64', args => 'uav0=zero:1024',
    before => ['set step-limit 10000'])->{output}, qr/limit|interrupt/i, 'an endless loop ends at the step limit');
{   # Streams of one of the vendor's tools count a call's inputs in the lower half: the macro decides.
    my $text = "mdef(0)_out(1)_in(2)\niadd r0.x, in0.x, in1.x\nmov out0, r0\nmend\n"
        . "${head}mcall(0) (r1.x), (r0.x, l0.w)\n" . "${store}end\n";
    open(my $f, '>', "$dir/call.il") or die;
    print $f $text;
    close $f;
    my $program = $ENV{GPUDBG} // 'build/gpudbg';
    system "$program --batch -e 'assemble $dir/call.il $dir/call.bin'";
    open($f, '<:raw', "$dir/call.bin") or die;
    my @w = unpack 'V*', do { local $/; <$f> };
    my ($at) = grep { $w[$_] == 347 && $w[$_ + 1] == 0x20001 } 0 .. $#w;
    $w[$at + 1] = 0x10002;
    open($f, '>:raw', "$dir/call.bin") or die;
    print $f pack 'V*', @w;
    close $f;
    my $printed = readpipe("$program --batch --isa amdil $dir"
        . "/call.bin -e 'launch -g 64 -l 64 uav0=zero:1024' -e continue -e 'save arg uav0 $dir/call.out'"
        . " -e 'check il' 2>&1");
    open($f, '<:raw', "$dir/call.out") or die $printed;
    my @got = unpack 'V*', do { local $/; <$f> };
    is(join(' ', map { $got[4 * $_] } 0 .. 63), join(' ', map { $_ + 3 } 0 .. 63), 'a call that counts inputs first')
        or diag $printed;
}
done_testing();
