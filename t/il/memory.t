#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Memory of AMD IL: every load, store and atomic of UAVs, LDS, GDS and read-only buffers, with sums worked out in Perl.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/../lib";
use IL;

my $cs = "il_cs_2_0\ndcl_num_thread_per_group 64\n";
my $lit = "dcl_literal l0, 0, 1, 2, 3\ndcl_literal l1, 4, 8, 16, 64\ndcl_literal l2, 0xffffffff, 5, 100, 0x12345678\n";
my $store = "ishl r9.x, vaTid.x, l1.x\nuav_raw_store_id(0) mem.xyzw, r9.x, r1\nend\n"; # 16 bytes a thread
sub words_are {
    my ($got, $want, $name) = @_;
    is(join(' ', map { sprintf '%x', $_ & 0xffffffff } @$got), join(' ', map { sprintf '%x', $_ & 0xffffffff } @$want),
        $name);
}
# A program of 64 threads with four words of result each; model: lane -> words
sub program {
    my ($name, $dcl, $body, $model, %o) = @_;
    my $got = run_il("${cs}dcl_raw_uav_id(0)\n$dcl$lit$body$store", launch => '-g 64 -l 64',
        args => 'uav0=zero:1024 ' . ($o{args} // ''), in => $o{in}, format => $o{format},
        save => ['uav0', @{$o{save} // []}], before => $o{before});
    my @out = words($got->{uav0});
    my @want = map { my @w = $model->($_); map { ($w[$_] // 0) & 0xffffffff } 0 .. 3 } 0 .. 63;
    my ($at) = grep { ($out[$_] // -1) != $want[$_] } 0 .. 255;
    ok(!defined $at, $name) or diag(defined $out[$at] ? "lane " . int($at / 4)
        . ": @out[$at - $at % 4 .. $at - $at % 4 + 3], not @want[$at - $at % 4 .. $at - $at % 4 + 3]" : $got->{output});
    return $got;
}
my @data = map { ($_ * 2654435761 + 12345) & 0xffffffff } 0 .. 255;
my $data = pack 'V*', @data;
my %in = (in => {uav1 => $data});

# ---- UAVs ----
program('uav_raw_load', "dcl_raw_uav_id(1)\n", "ishl r0.x, vTid.x, l0.z\nuav_raw_load_id(1) r1, r0.x\n",
    sub { my $l = shift; @data[$l .. $l + 3] }, %in);
program('uav_raw_load, cached, masked; components not loaded stay', "dcl_raw_uav_id(1)\n",
    "mov r1, l2.wwww\nishl r0.x, vTid.x, l1.x\nuav_raw_load_id(1)_cached r1._y_w, r0.x\n",
    sub { my $l = 4 * shift; (0x12345678, $data[$l + 1], 0x12345678, $data[$l + 3]) }, %in);
program('uav_raw_load beyond the end', "dcl_raw_uav_id(1)\n",
    "ishl r0.x, vTid.x, l1.x\nishl r0.x, r0.x, l0.y\nuav_raw_load_id(1) r1, r0.x\n",
    sub { my $l = 8 * shift; map { $data[$l + $_] // 0 } 0 .. 3 }, %in);
program('uav_struct_load, uav_struct_store', "dcl_struct_uav_id(1) 32\ndcl_struct_uav_id(2) 16\n",
    "mov r0.x, vTid.x\nmov r0.y, l1.y\nuav_struct_load_id(1) r1, r0.xy\nmov r0.y, l1.x\n"
    . "uav_struct_store_id(2) mem.xy, r0.xy, r1\nmov r0.y, l0.x\nuav_struct_load_id(2) r2, r0.xy\nmov r1.z, r2.y\n"
    . "mov r1.w, r2.z\n",
    sub { my $l = shift; $l < 32 ? (@data[8 * $l + 2, 8 * $l + 3, 8 * $l + 2, 8 * $l + 3]) : (0, 0, 0, 0) }, %in,
    args => 'uav2=zero:1024');
program('a vector that leaves its struct', "dcl_struct_uav_id(1) 16\n",
    "mov r0.x, vTid.x\nmov r0.y, l1.y\nuav_struct_load_id(1) r1, r0.xy\n",
    sub { my $l = 4 * shift; (@data[$l + 2, $l + 3], 0, 0) }, %in);
program('uav_load, uav_store: r32_uint in one dimension',
    "dcl_uav_id(1)_type(1d)_fmtx(uint)\ndcl_uav_id(2)_type(1d)_fmtx(uint)\n",
    "uav_load_id(1) r2, vTid.x\nuav_store_id(2) vTid.x, r2\nuav_load_id(2) r1, vTid.x\n",
    sub { ($data[$_[0]], 0, 0, 1) }, %in, format => {uav1 => 'r32_uint'}, args => 'uav2=zero:256:r32_uint');
program('uav_load: float4 in two dimensions', "dcl_uav_id(1)_type(2d)_fmtx(float)\n",
    "iand r0.x, vTid.x, l0.w\nushr r0.y, vTid.x, l0.z\nuav_load_id(1) r1, r0.xy\n",
    sub { my $l = shift; my ($x, $y) = ($l & 3, $l >> 2); my $i = 4 * ($y * 4 + $x);
    $y < 16 ? @data[$i .. $i + 3] : (0, 0, 0, 0) }, %in, format => {uav1 => 'float4:4x16'});
program('uav_load: unorm8x4', "dcl_uav_id(1)_type(1d)_fmtx(unorm)\n", "uav_load_id(1) r1, vTid.x\n",
    sub { my $w = $data[$_[0]]; map { bits(($w >> 8 * $_ & 255) / 255) } 0 .. 3 }, %in, format => {uav1 => 'unorm8x4'});
program('uav_arena_load, uav_arena_store', "dcl_arena_uav_id(8)\n",
    "ishl r0.x, vTid.x, l0.z\nuav_arena_load_id(8)_size(dword) r1.x, r0.x\n"
    . "uav_arena_load_id(8)_size(short) r1.y, r0.x\nuav_arena_load_id(8)_size(byte) r1.z, r0.x\niadd r0.y, r0.x, l0.y\n"
    . "uav_arena_store_id(8)_size(byte) r0.y, vTid.x\nuav_arena_load_id(8)_size(dword) r1.w, r0.x\n",
    sub { my $d = $data[$_[0]]; my ($s, $b) = ($d & 0xffff, $d & 255);
    ($d, $s & 0x8000 ? $s - 65536 : $s, $b & 0x80 ? $b - 256 : $b, $d & ~0xff00 | $_[0] << 8) }, in => {uav8 => $data});
program('uav_byte_load and its like', "dcl_raw_uav_id(1)\n",
    "iadd r0.x, vTid.x, l0.w\nishl r0.y, vTid.x, l0.y\nuav_byte_load_id(1) r1.x, r0.x\n"
    . "uav_ubyte_load_id(1) r1.y, r0.x\nuav_short_load_id(1) r1.z, r0.y\nuav_ushort_load_id(1) r1.w, r0.y\n",
    sub { my $l = shift; my $b = unpack('C', substr $data, $l + 3, 1); my $s = unpack('v', substr $data, 2 * $l, 2);
    ($b & 0x80 ? $b - 256 : $b, $b, $s & 0x8000 ? $s - 65536 : $s, $s) }, %in);
program('uav_byte_store, uav_short_store', "dcl_raw_uav_id(1)\n",
    "ishl r0.x, vTid.x, l0.z\niadd r0.y, r0.x, l0.z\nuav_byte_store_id(1) r0.x, vTid.x\n"
    . "uav_short_store_id(1) r0.y, l2.w\nuav_raw_load_id(1) r1.x, r0.x\n",
    sub { ($data[$_[0]] & 0xff00 | $_[0] | 0x56780000) }, %in);

# ---- Atomics: 64 lanes on one word (old values in order), and each on its own ----
my @old = (7, 0xfffffff0, 100, 0x80000000, 3, 64, 5, 0);
my %atomic = (add => sub { $_[0] + $_[1] }, sub => sub { $_[0] - $_[1] }, rsub => sub { $_[1] - $_[0] },
    min => sub { S($_[0]) < S($_[1]) ? $_[0] : $_[1] }, max => sub { S($_[0]) > S($_[1]) ? $_[0] : $_[1] },
    umin => sub { $_[0] < $_[1] ? $_[0] : $_[1] }, umax => sub { $_[0] > $_[1] ? $_[0] : $_[1] },
    and => sub { $_[0] & $_[1] }, or => sub { $_[0] | $_[1] }, xor => sub { $_[0] ^ $_[1] },
    inc => sub { $_[0] >= $_[1] ? 0 : $_[0] + 1 }, dec => sub { $_[0] == 0 || $_[0] > $_[1] ? $_[1] : $_[0] - 1 },
    xchg => sub { $_[1] });
sub S { my $x = $_[0] & 0xffffffff; $x >= 0x80000000 ? $x - 4294967296 : $x }
my %three = (cmp => sub { $_[0] == $_[1] ? $_[2] : $_[0] }, mskor => sub { ($_[0] & ~$_[1]) | $_[2] });
# Lane l works on word l & 7 with value l.
sub atomics {
    my ($code, $returns, $swap) = @_;
    my @mem = map { $old[$_] } 0 .. 7;
    my @seen;
    for my $l (0 .. 63) { $seen[$l] = $mem[$l & 7]; $mem[$l & 7] = $code->($mem[$l & 7], $l, 64) & 0xffffffff }
    return (\@mem, \@seen);
}
for my $family (qw(uav lds gds)) {
    my $id = $family eq 'uav' ? 1 : 0;
    my $dcl = {uav => "dcl_raw_uav_id(1)\n", lds => "dcl_lds_id(0) 64\n", gds => "dcl_gds_id(0) 64\n"}->{$family};
    my $fill = $family eq 'uav' ? '' : "iand r2.x, vTid.x, l3.x\nishl r2.y, r2.x, l0.z\nmov r3, icb[r2.x]\n";
    my %op = %atomic;
    my $u = $family eq 'uav' ? 'u' : '';
    for my $name (sort(keys %atomic, keys %three)) {
        my $code = $atomic{$name} // $three{$name};
        my $three = $three{$name};
        next if $family eq 'uav' && $name eq 'mskor';
        my $text = $name =~ /^(inc|dec)$/ ? "$u$name" : $name;
        my $values = $three ? ($family eq 'uav' ? "l1.w, vTid.x" : "vTid.x, l1.w") : 'vTid.x';
        # Memory is set up by lanes 0 to 7 from the literals of the constant buffer.
        my $load = $family eq 'uav' ? "uav_raw_load_id(1) r4.x, r0.x\n" : "${family}_load_id(0) r4.x, r0.x\n";
        my $init = $family eq 'uav' ? ''
            : "ult r5.x, vTid.x, l1.y\nif_logicalnz r5.x\nishl r5.y, vTid.x, l0.z\nmov r6, cb0[vTid.x]\n"
                . "${family}_store_id(0) r5.y, r6.x\nendif\nfence_threads_lds_gds\n";
        for my $read (0, 1) {
            next if $name eq 'xchg' && !$read;
            my $mnemonic = $family . ($read ? '_read_' : '_')
                . ($name eq 'cmp' && $read ? 'cmp_xchg' : $name eq 'cmp' && $family eq 'gds' ? 'cmp_store' : $text);
            my $suffix = $family eq 'lds' && $read ? '_resource(0)' : "_id($id)";
            my $address = $family eq 'uav' ? 'r0.x' : 'r0.x';
            my $text_ = "iand r0.x, vTid.x, l3.x\nishl r0.x, r0.x, l0.z\n$init" . "$mnemonic$suffix "
                . ($read ? "r1.x, " : '') . "$address, $values\nfence_threads_lds_memory_gds\n$load"
                . "mov r1.y, r4.x\n";
            my ($mem, $seen) = atomics($code);
            program($mnemonic, "$dcl" . "dcl_cb cb0[8]\ndcl_literal l3, 7, 0, 0, 0\n", $text_,
                sub { my $l = shift; ($read ? $seen->[$l] : 0, $mem->[$l & 7]) },
                in => {cb0 => pack('V*', map { ($_, 0, 0, 0) } @old),
                $family eq 'uav' ? (uav1 => pack 'V*', @old) : ()});
        }
    }
}
program('atomics of a struct buffer, an arena and a typed one',
    "dcl_struct_uav_id(1) 8\ndcl_uav_id(2)_type(1d)_fmtx(uint)\ndcl_arena_uav_id(3)\n",
    "mov r0.x, l0.y\nmov r0.y, l1.x\nuav_add_id(1) r0.xy, vTid.x\nuav_add_id(2) l0.z, vTid.x\n"
    . "uav_add_id(3)_arena l1.x, vTid.x\nuav_struct_load_id(1) r1.x, r0.xy\nuav_load_id(2) r2, l0.z\n"
    . "mov r1.y, r2.x\nuav_arena_load_id(3)_size(dword) r1.z, l1.x\n", sub { (2016, 2016, 2016) },
    args => 'uav1=zero:16 uav2=zero:16:r32_uint uav3=zero:16');

# ---- Append and consume ----
program('append_buf_alloc', "dcl_raw_uav_id(1)\n", "append_buf_alloc_id(1) r1.x\n", sub { ($_[0]) },
    args => 'uav1=zero:4');
program('append_buf_consume gives the counter after the decrement', "dcl_raw_uav_id(1)\n",
    "append_buf_alloc_id(1) r2.x\nappend_buf_consume_id(1) r1.x\n", sub { (63 - $_[0]) }, args => 'uav1=zero:4');
program('... or before it: set il consume manual', "dcl_raw_uav_id(1)\n",
    "append_buf_alloc_id(1) r2.x\nappend_buf_consume_id(1) r1.x\n", sub { (64 - $_[0]) }, args => 'uav1=zero:4',
    before => ['set il consume manual']);

# ---- Read-only buffers ----
program('srv_raw_load, srv_struct_load', "dcl_raw_srv_id(0)\ndcl_struct_srv_id(1) 8\n",
    "ishl r0.x, vTid.x, l0.z\nsrv_raw_load_id(0) r1.xy, r0.x\nmov r0.x, vTid.x\n"
    . "mov r0.y, l1.x\nsrv_struct_load_id(1) r2, r0.xy\nmov r1.z, r2.x\n",
    sub { my $l = shift; (@data[$l, $l + 1], $data[2 * $l + 1], 0) }, in => {srv0 => $data, srv1 => $data});

# ---- LDS ----
program('lds_store_vec, lds_load_vec, structured', "dcl_struct_lds_id(1) 16, 64\n",
    "mov r2.x, vTid.x\niadd r2.y, vTid.x, l1.w\nmov r2.zw, l2.wwww\nlds_store_vec_id(1) mem.xyzw, vTid.x, l0.x, r2\n"
    . "fence_threads_lds\nixor r0.x, vTid.x, l0.y\nlds_load_vec_id(1) r1, r0.x, l0.x\n",
    sub { my $l = $_[0] ^ 1; ($l, $l + 64, 0x12345678, 0x12345678) });
program('lds_load_vec of a raw buffer', "dcl_lds_id(0) 1024\n",
    "ishl r0.x, vTid.x, l1.x\nmov r2, vTid.xxxx\niadd r2.w, vTid.x, l0.y\n"
    . "lds_store_vec_id(0) mem.xyzw, r0.x, l0.x, r2\nlds_load_vec_id(0) r1.x_zw, r0.x, l0.x\n",
    sub { ($_[0], 0, $_[0], $_[0] + 1) });
program('narrow LDS accesses', "dcl_lds_id(0) 256\n",
    "ishl r0.x, vTid.x, l0.z\nlds_store_id(0) r0.x, l2.x\nlds_store_byte_id(0) r0.x, vTid.x\niadd r0.y, r0.x, l0.z\n"
    . "lds_store_short_id(0) r0.y, l2.w\nlds_load_id(0) r1.x, r0.x\niadd r0.z, r0.x, l0.y\n"
    . "lds_load_byte_id(0) r1.y, r0.z\nlds_load_ubyte_id(0) r1.z, r0.z\n"
    . "lds_load_short_id(0) r2.x, r0.x\nlds_load_ushort_id(0) r2.y, r0.x\niadd r1.w, r2.x, r2.y\n",
    sub { my $s = 0xff00 | $_[0]; (0x56780000 | $s, 0xffffffff, 255, $s - 65536 + $s) });
{ # two wavefronts meet at a barrier
    my $got = run_il(
        "il_cs_2_0\ndcl_num_thread_per_group 128\ndcl_raw_uav_id(0)\ndcl_lds_id(0) 512\n" . $lit
            . ("dcl_literal l4, 127, 0, 0, 0\nmov r1, l0.xxxx\nishl r0.x, vTid.x, l0.z\nlds_store_id(0) r0.x, vaTid.x\n"
            . "fence_threads_lds\nixor r0.y, vTid.x, l4.x\nishl r0.y, r0.y, l0.z\nlds_load_id(0) r1.x, r0.y\n")
            . $store, launch => '-g 256 -l 128', args => 'uav0=zero:4096', save => ['uav0']);
    my @out = words($got->{uav0});
    words_are([map { $out[4 * $_] } 0 .. 255], [map { ($_ & 128) + (127 - ($_ & 127)) } 0 .. 255],
        'LDS and fence_threads: 2 groups of 2 wavefronts');
}
{ # LDS that threads own
    my $own = "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_lds_size_per_thread 8\ndcl_lds_sharing_mode _wavefrontRel\n"
        . "dcl_raw_uav_id(0)\n" . $lit;
    my $body = "mov r2.x, vTid.x\niadd r2.y, vTid.x, l1.w\niadd r2.z, r2.y, l1.w\niadd r2.w, r2.z, l1.w\n"
        . "lds_write_vec mem.xyzw, r2\nlds_write_vec_lOffset(4) mem._y__, r2\nfence_lds\nixor r3.x, vTid.x, l0.w\n"
        . "mov r3.y, l0.x\n";
    for my $k (['', sub { my $l = $_[0] ^ 3; map { $l + 64 * $_ } 0 .. 3 }],
        ['_neighborExch', sub { my ($l, $q) = ($_[0] & 3, $_[0] & ~3); map { (($q + $_) ^ 3) + 64 * $l } 0 .. 3 }]) {
        my $got = run_il("$own${body}lds_read_vec$k->[0]_sharingMode(rel) r1, r3.xy\n$store", launch => '-g 64 -l 64',
            args => 'uav0=zero:1024', save => ['uav0']);
        words_are([words($got->{uav0})], [map { $k->[1]->($_) } 0 .. 63], "lds_write_vec, lds_read_vec$k->[0]")
            or diag $got->{output};
    }
}
# ---- Registers that are memory ----
program('x#[n]: indexed temporaries, by register and constant', "dcl_indexed_temp_array x0[8]\n",
    "iand r0.x, vTid.x, l0.w\nmov x0[r0.x+2].xy, vTid.xxxx\nmov x0[7], l2.yyyy\n"
    . "mov r1.x, x0[r0.x+2].y\nmov r1.y, x0[3].x\nmov r1.z, x0[7].w\nmov r1.w, x0[r0.x+4].x\n",
    sub { my $k = $_[0] & 3; ($_[0], $k == 1 ? $_[0] : 0, 5, $k == 3 ? 5 : 0) });
program('constant buffers: constant and relative, beyond the end 0', "dcl_cb cb0[64]\n",
    "mov r1.x, cb0[3].y\nmov r2, cb0[r0.x+1]\nmov r0.x, vTid.x\nmov r1.yzw, cb0[r0.x+1].xxyz\n",
    sub { my $i = 4 * ($_[0] + 1); ($data[13], map { $data[$_] // 0 } $i, $i + 1, $i + 2) }, in => {cb0 => $data});
program('immediate constants', "dcl_cb icb[16] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}\n",
    "iand r0.x, vTid.x, l0.w\nmov r1, icb[r0.x]\n", sub { my $l = shift; map { ($l & 3) * 4 + $_ } 1 .. 4 });
{
    my $got = run_il(
        "il_cs_2_0\ndcl_num_thread_per_group 64\n" . $lit . ("mov r0.x, vaTid.x\nmov g[r0.x], r0.xxxx\nadd r1, r0, r0\n"
            . "mov g[r0.x+64].y, l2.y\nmov r2, g[r0.x]\niadd g[r0.x].w, r2.x, l0.y\nend\n"), launch => '-g 64 -l 64',
            args => 'g=zero:2048', save => ['g']);
    words_are([words($got->{g})], [(map { ($_, $_, $_, $_ + 1) } 0 .. 63), map { (0, 5, 0, 0) } 0 .. 63],
        'global memory g[]') or diag $got->{output};
    $got = run_il(
        "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\ndcl_shared_temp sr4\ndcl_cb cb0[1]\n" . $lit
            . "init_shared_registers\niadd sr1.x, sr1.x, l0.y\niadd sr1.y, sr1.y, vaTid.x\nmov r1, sr1\n" . $store,
            launch => '-g 128 -l 64', args => 'uav0=zero:2048', in => {cb0 => pack 'V4', 0, 2, 9, 0}, save => ['uav0']);
    my @out = words($got->{uav0});
    is("@out[4 .. 7] @out[260 .. 263]", join(' ', 0, 10, 0xffffffff, 0xffffffff, 0, 9 + 65, 0xffffffff, 0xffffffff),
        'shared registers: one copy for all wavefronts, init_shared_registers') or diag $got->{output};
}
program('p[n], this[n]', "dcl_persistent p[128]\n",
    "mov r0.x, vTid.x\niadd p[r0.x].x, p[r0.x].x, l0.y\nmov p[r0.x+64], r0.xxxx\nmov r1.x, p[r0.x].x\n"
    . "mov r1.y, p[r0.x+64].w\nmov r1.z, this[1].x\nmov r1.w, this[r0.y+1].y\n", sub { (1, $_[0], 3, 7) },
    in => {this => pack 'V8', 0, 0, 0, 0, 3, 7, 0, 0});
program('identifiers', '',
    "mov r1.x, vTidInGrp.x\nmov r1.y, vAbsTidFlat.z\nmov r1.z, vThreadGrpIdFlat.x\nmov r1.w, vThreadGrpId.y\n",
    sub { ($_[0], $_[0], 0, 0) });
{
    my $got = run_il(
        "il_cs_2_0\ndcl_num_thread_per_group 4, 2, 2\ndcl_raw_uav_id(0)\n" . $lit
            . ("mov r1.x, vTidInGrp.y\nmov r1.y, vTidInGrp.z\nmov r1.z, vAbsTid.y\nmov r1.w, vThreadGrpIdFlat.x\n"
            . "ishl r9.x, vAbsTidFlat.x, l1.x\nuav_raw_store_id(0) mem.xyzw, r9.x, r1\nend\n"),
            launch => '-g 8,4,2 -l 4,2,2', args => 'uav0=zero:1024', save => ['uav0']);
    my @want;
    for my $g (0 .. 3) { for my $t (0 .. 15) { push @want, ($t >> 2 & 1, $t >> 3, ($g >> 1) * 2 + ($t >> 2 & 1), $g) } }
    words_are([words($got->{uav0})], \@want, 'identifiers in three dimensions');
    # Groups at the edge of a grid are smaller, so the same lane is elsewhere in them.
    $got = run_il(
        "il_cs_2_0\ndcl_num_thread_per_group 4, 2\ndcl_raw_uav_id(0)\n" . $lit
            . ("mov r1.x, vTidInGrp.x\nmov r1.y, vTidInGrp.y\nmov r1.z, vAbsTid.x\nmov r1.w, vAbsTid.y\n"
            . "ishl r9.x, vAbsTid.y, l1.x\niadd r9.x, r9.x, vAbsTid.x\nishl r9.x, r9.x, l1.x\n"
            . "uav_raw_store_id(0) mem.xyzw, r9.x, r1\nend\n"),
            launch => '-g 6,3 -l 4,2', args => 'uav0=zero:768', save => ['uav0']);
    @want = map { my $y = $_; map { $_ < 6 ? ($_ % 4, $y % 2, $_, $y) : (0) x 4 } 0 .. 15 } 0 .. 2;
    words_are([words($got->{uav0})], \@want, 'groups at the edge') or diag $got->{output};
}
program('Tmr counts', '', "mov r2, Tmr\nnop\nmov r3, Tmr\ninegate r2.x, r2.x\niadd r1.x, r3.x, r2.x\nmov r1.y, r3.y\n",
    sub { (2, 0) });
program('dmad: one rounding', '', "itod r2.xy, vTid.x\ndmad r1.xy, r2.xy, r2.xy, r2.xy\nmov r1.zw, l0.xxxx\n",
    sub { my $l = shift; (unpack('VV', pack 'd<', $l * $l + $l), 0, 0) });
# Time goes both ways
my $got = run_il(
    "${cs}dcl_raw_uav_id(0)\ndcl_lds_id(0) 256\n" . $lit
        . ("mov r1, l0.xxxx\nwhileloop\niadd r1.x, r1.x, l0.y\nishl r0.x, vTid.x, l0.z\nlds_store_id(0) r0.x, r1.x\n"
        . "uav_add_id(0) l0.x, r1.x\nuge r2.x, r1.x, vTid.x\nbreak_logicalnz r2.x\nendloop\nend\n"),
        launch => '-g 128 -l 64', args => 'uav0=zero:1024', steps => ['goto 200', 'info hash', 'goto 50', 'goto +300',
        'goto 200', 'info hash', 'continue', 'info hash', 'goto 0', 'continue', 'info hash']);
my @hash = $got->{output} =~ /hash (0x\w+)/g;
is(scalar @hash, 4, 'hashes') or diag $got->{output};
is($hash[0], $hash[1], 'going back and forward again leads to the same state');
is($hash[2], $hash[3], '... to the end, too');
# A read-only buffer each lane chooses.
for my $s (['srv_raw_load_ext', 'dcl_raw_srv_id(%d)',
    "ushr r2.x, vTid.x, l0.z\nishl r2.x, r2.x, l0.z\nsrv_raw_load_ext_id(1) r1, r2.x, r0.x\n"],
    ['srv_struct_load_ext', 'dcl_struct_srv_id(%d) 16',
    "ushr r2.x, vTid.x, l1.x\nsrv_struct_load_ext_id(1) r1, r2.x0, r0.x\n"]) {
    my ($name, $dcl, $body) = @$s;
    program($name, join('', map { sprintf "$dcl\n", $_ } 1, 2, 3), "iand r0.x, vTid.x, l0.w\n$body",
        sub { my $l = shift; my ($b, $at) = ($l & 3, $name =~ /raw/ ? $l >> 2 : 4 * ($l >> 4));
        map { $b < 3 ? 1000 * $b + $at + $_ : 0 } 0 .. 3 },
        in => {map { my $b = $_; ("srv" . ($b + 1) => pack 'V*', map { 1000 * $b + $_ } 0 .. 31) } 0 .. 2});
}
# Ids beyond those of any hardware keep apart, and what is given too short is reported.
program('LDS ids 0 and 16', "dcl_lds_id(0) 64\ndcl_lds_id(16) 64\n",
    "lds_store_vec_id(0) mem.x, l0.x, l0.x, l0.y\nlds_store_vec_id(16) mem.x, l0.x, l0.x, l0.z\n"
    . "lds_load_vec_id(0) r1.x, l0.x, l0.x\nlds_load_vec_id(16) r2.x, l0.x, l0.x\nmov r1.y, r2.x\n", sub { (1, 2) });
like(run_il("${cs}dcl_lds_id(5000) 64\nend\n", launch => '-g 64')->{output}, qr/dcl_lds: id 5000 is not 0 to 1023/,
    '... up to a limit');
{
    my $got = program('GDS that is given too short', "dcl_gds_id(0) 64\n", "gds_read_add_id(0) r1.x, l1.z, l0.y\n",
        sub { (0) }, args => 'gds=zero:16');
    unlike($got->{output}, qr/gpudbg:/, '... stops nothing') ;
    $got = program('counters that are given too short', "dcl_raw_uav_id(1)\n", "append_buf_alloc_id(1) r1.x\n",
        sub { (0) }, args => 'counters=zero:4 uav1=zero:16');
    unlike($got->{output}, qr/gpudbg:/, '... stop nothing');
}
# The address of what is called raw is one number of bytes, whatever the buffer is declared as (7.16).
program('uav_raw_load of structs', "dcl_struct_uav_id(1) 16\n",
    "ishl r0.x, vTid.x, l0.z\nmov r0.y, l1.y\nuav_raw_load_id(1) r1, r0.xy\n",
    sub { my $l = shift; @data[$l .. $l + 3] }, %in);
{   # Pixels that only help are no news.
    my $got = run_il(
        "il_ps_2_0\ndcl_raw_uav_id(0)\ndcl_cb cb0[3]\ndcl_input_position vWinCoord0\ndcl_literal l0, 4, 0, 2, 0\n"
            . "ftoi r0.x, vWinCoord0.x\nmov r1, cb0[r0.x]\nimul r0.y, r0.x, l0.x\nuav_raw_load_id(0) r2.x, r0.y\n"
            . "uav_raw_store_id(0) mem.x, r0.y, r0\nend\n", launch => '-g 3,1', args => 'uav0=zero:12 cb0=zero:48',
            after => ['info events']);
    like($got->{output}, qr/no events/, 'pixels beyond the domain leave no buffer');
    $got = run_il(
        "il_ps_2_0\ndcl_raw_uav_id(0)\ndcl_cb cb0[2]\ndcl_input_position vWinCoord0\ndcl_literal l0, 4, 0, 2, 0\n"
            . "ftoi r0.x, vWinCoord0.x\nmov r1, cb0[r0.x]\nuav_raw_store_id(0) mem.x, l0.y, r1\nend\n",
            launch => '-g 3,1', args => 'uav0=zero:12 cb0=zero:32', after => ['info events']);
    like($got->{output}, qr/bounds  mov: lane 4 of wave 0: cb0 has no such place \(first: 0x2\)/, '... others do');
}
done_testing();
