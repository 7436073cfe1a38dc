#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The kinds of mistakes that checkers of GPU programs are measured by (t/core/bugs.t), as programs of AMD IL.  Each is
# its own sound twin: cb0[0].x is 1 where the mistake is made, else 0.  Found by the checker, at its line; and not a
# word about the twin, with all checkers on.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use IL;

my $head = "il_cs_2_0\ndcl_num_thread_per_group 128\ndcl_cb cb0[1]\ndcl_raw_uav_id(0)\n"
    . "dcl_literal l0, 0, 1, 2, 3\ndcl_literal l1, 4, 7, 127, 64\n";
my $tail = "ishl r9.x, vaTid.x, l0.z\nuav_raw_store_id(0) mem.x, r9.x, r1.x\nend\n";
my $wrong = 'cb0[0].x';

# name, who finds it, [declarations, body; the guilty line begins with "!"], further arguments
my @table = (
    ['a raw UAV, past the end', 'extent', "dcl_raw_uav_id(1)\n",
        "iadd r0.x, vTid.x, $wrong\nishl r0.x, r0.x, l0.z\n!uav_raw_load_id(1) r1.x, r0.x\n", 'uav1=zero:512'],
    ['a raw UAV, before the start', 'extent', "dcl_raw_uav_id(1)\n",
        "inegate r0.x, $wrong\niadd r0.x, r0.x, vTid.x\nishl r0.x, r0.x, l0.z\n!uav_raw_store_id(1) mem.x, r0.x, l0.y\n"
        . "mov r1, l0\n", 'uav1=zero:512'],
    ['a struct of a UAV', 'extent', "dcl_struct_uav_id(1) 8\n",
        "mov r0.x, vTid.x\nimul r0.y, $wrong, l1.x\niadd r0.y, r0.y, l1.x\n!uav_struct_load_id(1) r1.x, r0.xy\n",
        'uav1=zero:1024'],
    ['a typed UAV', 'extent', "dcl_uav_id(1)_type(1d)_fmtx(uint)\n",
        "iadd r0.x, vTid.x, $wrong\n!uav_load_id(1) r1, r0.x\n", 'uav1=zero:512:r32_uint'],
    ['a read-only buffer', 'extent', "dcl_raw_srv_id(1)\n",
        "iadd r0.x, vTid.x, $wrong\nishl r0.x, r0.x, l0.z\n!srv_raw_load_id(1) r1.x, r0.x\n", 'srv1=zero:512'],
    ['a constant buffer', 'extent', "dcl_cb cb1[128]\n",
        "iadd r0.x, vTid.x, $wrong\n!mov r1, cb1[r0.x]\n", 'cb1=zero:2048'],
    ['LDS, past the end', 'extent', "dcl_lds_id(0) 512\n",
        "iadd r0.x, vTid.x, $wrong\nishl r0.x, r0.x, l0.z\n!lds_store_id(0) r0.x, l0.y\nmov r1, l0\n"],
    ['GDS, past the end', 'extent', "dcl_gds_id(0) 512\n",
        "iadd r0.x, vTid.x, $wrong\nishl r0.x, r0.x, l0.z\n!gds_store_id(0) r0.x, l0.y\nmov r1, l0\n"],
    ['an indexed temporary that is read', 'extent', "dcl_indexed_temp_array x0[4]\n",
        (join '', map { "mov x0[$_], l0\n" } 0 .. 3)
        . "iand r0.x, vTid.x, l0.w\niadd r0.x, r0.x, $wrong\n!mov r1, x0[r0.x]\n"],
    ['an indexed temporary that is written', 'extent', "dcl_indexed_temp_array x0[4]\n",
        "iand r0.x, vTid.x, l0.w\niadd r0.x, r0.x, $wrong\n!mov x0[r0.x], l0\nmov r1, l0\n"],
    ['an indexed temporary, before its start', 'extent', "dcl_indexed_temp_array x0[4]\n",
        "inegate r0.x, $wrong\n!mov x0[r0.x], l0\nmov r1, l0\n"],
    ['the immediate constant buffer', 'extent', "dcl_cb icb[8] = {0, 1, 2, 3, 4, 5, 6, 7}\n",
        "iand r0.x, vTid.x, l0.y\niadd r0.x, r0.x, $wrong\n!mov r1, icb[r0.x]\n"],
    ['a store to a read-only UAV', 'fault', "dcl_raw_uav_id(1)\n",
        "ishl r0.x, vTid.x, l0.z\nif_logicalnz $wrong\n!uav_raw_store_id(1) mem.x, r0.x, l0.y\nendif\nmov r1, l0\n",
        'uav1=read-only:zero:512'],
    ['a load from a write-only UAV', 'fault', "dcl_raw_uav_id(1)\n",
        "mov r1, l0\nishl r0.x, vTid.x, l0.z\nif_logicalnz $wrong\n!uav_raw_load_id(1) r1.x, r0.x\nendif\n",
        'uav1=write-only:zero:512'],
    ['a typed load from a write-only UAV', 'fault', "dcl_uav_id(1)_type(1d)_fmtx(uint)\n",
        "mov r1, l0\nif_logicalnz $wrong\n!uav_load_id(1) r1, vTid.x\nendif\n",
        'uav1=write-only:zero:512:r32_uint'],
    ['an atomic of a write-only UAV', 'fault', "dcl_raw_uav_id(1)\n",
        "mov r1, l0\nishl r0.x, vTid.x, l0.z\nif_logicalnz $wrong\n!uav_add_id(1) r0.x, l0.y\nendif\n",
        'uav1=write-only:zero:512'],
    ['an atomic of a write-only UAV that returns', 'fault', "dcl_raw_uav_id(1)\n",
        "mov r1, l0\nishl r0.x, vTid.x, l0.z\nif_logicalnz $wrong\n!uav_read_add_id(1) r1.x, r0.x, l0.y\nendif\n",
        'uav1=write-only:zero:512'],
    ['a write-only texture', 'fault',
        "dcl_resource_id(1)_type(1d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n",
        "mov r1, l0\nif_logicalnz $wrong\n!load_resource(1) r1, r1\nendif\n", 'res1=write-only:zero:512:float:128x1'],
    ['two waves and LDS', 'race', "dcl_lds_id(0) 512\n",
        "ishl r0.x, vTid.x, l0.z\nlds_store_id(0) r0.x, vTid.x\nieq r0.y, $wrong, l0.x\nif_logicalnz r0.y\n"
        . "fence_threads_lds\nendif\nixor r0.z, vTid.x, l1.w\nishl r0.z, r0.z, l0.z\n!lds_load_id(0) r1.x, r0.z\n"],
    ['two waves and a UAV', 'race', "dcl_raw_uav_id(1)\n",
        "ishl r0.x, vTid.x, l0.z\nuav_raw_store_id(1) mem.x, r0.x, vTid.x\nieq r0.y, $wrong, l0.x\nif_logicalnz r0.y\n"
        . "fence_threads_memory\nendif\nixor r0.z, vTid.x, l1.w\nishl r0.z, r0.z, l0.z\n"
        . "!uav_raw_load_id(1) r1.x, r0.z\n",
        'uav1=zero:512'],
    ['groups and a UAV', 'race', "dcl_raw_uav_id(1)\n",
        "ieq r0.y, $wrong, l0.x\niand r0.y, r0.y, vaTid.x\nishl r0.y, r0.y, l0.z\nmov r1, l0\n"
        . "!uav_raw_store_id(1) mem.x, r0.y, vaTid.x\n", 'uav1=zero:1024'],
    ['a barrier that one wave passes by', 'barrier', "dcl_lds_id(0) 512\n",
        "mov r1, l0\nilt r0.x, vTid.x, l1.w\nieq r0.y, $wrong, l0.x\nior r0.x, r0.x, r0.y\nif_logicalnz r0.x\n"
        . "!fence_threads\nendif\n"],
    ['a register', 'uninitialised', '', "if_logicalz $wrong\nmov r5, l0\nendif\n!iadd r1, r5, l0.y\n"],
    ['a component', 'uninitialised', '',
        "mov r5.x__w, l0\nif_logicalz $wrong\nmov r5.yz, l0\nendif\n!iadd r1.x, r5.y, l0.y\n"],
    ['LDS that nobody wrote', 'uninitialised', "dcl_lds_id(0) 512\n",
        "ishl r0.x, vTid.x, l0.z\nif_logicalz $wrong\nlds_store_id(0) r0.x, vTid.x\nendif\nfence_threads_lds\n"
        . "lds_load_id(0) r1.x, r0.x\n!iadd r1.x, r1.x, l0.y\n"],
    ['a buffer that nobody filled', 'uninitialised', "dcl_raw_uav_id(1)\n",
        "ishl r0.x, vTid.x, l0.z\nif_logicalz $wrong\nuav_raw_store_id(1) mem.x, r0.x, vTid.x\nendif\n"
        . "uav_raw_load_id(1) r1.x, r0.x\n!iadd r1.x, r1.x, l0.y\n", 'uav1=uninit:512'],
    ['an element of an indexed temporary', 'uninitialised', "dcl_indexed_temp_array x0[4]\n",
        "mov x0[0], l0\nmov x0[1], l0\nmov x0[3], l0\nif_logicalz $wrong\nmov x0[2], l0\nendif\n"
        . "iand r0.x, vTid.x, l0.w\nmov r1, x0[r0.x]\n!iadd r1.x, r1.x, l0.y\n"],
    ['an element that other lanes wrote', 'uninitialised', "dcl_indexed_temp_array x0[4]\n",
        "iand r0.x, vTid.x, l0.w\niadd r0.y, r0.x, $wrong\niand r0.y, r0.y, l0.w\nmov x0[r0.x], l0\n"
        . "mov r1, x0[r0.y]\n!iadd r1.x, r1.x, l0.y\n"],
    ['a component of an element', 'uninitialised', "dcl_indexed_temp_array x0[4]\n",
        "mov x0[1].x__w, l0\nif_logicalz $wrong\nmov x0[1]._yz_, l0\nendif\nmov r1, x0[1]\n!iadd r1.x, r1.y, l0.y\n"],
    ['an address that is not aligned', 'alignment', "dcl_raw_uav_id(1)\n",
        "ishl r0.x, vTid.x, l0.z\nishl r0.y, $wrong, l0.y\niadd r0.x, r0.x, r0.y\n!uav_raw_load_id(1) r1.x, r0.x\n",
        'uav1=zero:1024'],
    ['an address in LDS that is not aligned', 'alignment', "dcl_lds_id(0) 1024\n",
        "ishl r0.x, vTid.x, l0.z\niadd r0.x, r0.x, $wrong\n!lds_store_id(0) r0.x, vTid.x\nmov r1, l0\n"],
);

for my $n (0 .. $#table) {
    my ($name, $kind, $declared, $body, $arguments) = @{ $table[$n] };
    my $text = "$head$declared$body$tail";
    my @lines = split /\n/, $text;
    my ($line) = grep { $lines[ $_ - 1 ] =~ /^!/ } 1 .. @lines;
    # Computing is no use: what is unwritten is reported where it leaves.
    ($line) = reverse grep { $lines[ $_ - 1 ] =~ /^uav_raw_store/ } 1 .. @lines if $lines[$line - 1] =~ /^!iadd r1/;
    $text =~ s/^!//mg;
    my $file = IL::write_file("bug$n.il", $text);
    for my $wrong (1, 0) {
        my $flag = IL::write_file("flag$wrong", pack 'V4', $wrong, 0, 0, 0);
        my @commands = commands('check all on',
            'launch -g ' . ($name =~ /groups/ ? 256 : 128) . " -l 128 uav0=zero:1024 cb0=\@$flag "
                . ($arguments // ''), ('continue') x 8, 'info checks');
        my @r = records($file, @commands);
        my @reports = grep { $_->{type} eq 'check' } @r;
        my @faults = grep { $_->{type} eq 'stop' && $_->{reason} eq 'fault' } @r;
        my @errors = grep { $_->{type} eq 'error' } @r;
        if ($wrong) {
            my @found = $kind eq 'fault' ? @faults : grep { $_->{kind} eq $kind } @reports;
            my @at = map { @{ $_->{frames} // [] } ? $_->{frames}[0]{line} : $_->{line} // '?' } @found;
            ok(scalar(grep { $_ eq $line } @at), "$name: found by $kind, at its line")
                or diag join "\n", "found at: @at, not $line", $text, map { $_->{message} } @errors, @reports, @faults;
        } else {
            is(join('; ', map { $_->{message} // '' } @errors, @reports, @faults), '', "$name: silence about the twin");
        }
    }
}
done_testing;
