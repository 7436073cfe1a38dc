#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What only graphics shaders do, on bare code: exports, interpolation, messages, the global data share.  Words are
# LLVM's.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);

sub shader {
    my ($name, @words) = @_;
    open my $file, '>:raw', "$dir/$name" or die "$dir/$name: $!\n";
    print $file pack 'L<*', @words, 0xbf810000;
    close $file;
    return "$dir/$name";
}

# The records of one type that the commands give.
sub records {
    my ($type, $file, @commands) = @_;
    my @words = ($gpudbg, qw(--batch --json --isa gfx7 --raw), $file, map { ('-e', $_) } @commands);
    open my $pipe, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @words or die "$gpudbg: $!\n";
    my @records = map { /^\{/ ? decode_json($_) : () } <$pipe>;
    close $pipe;
    return grep { $_->{type} eq $type } @records;
}

my $isa = 'gfx7';
sub text {
    my ($file, @commands) = @_;
    my @words = ($gpudbg, qw(--batch --isa), $isa, '--raw', $file, map { ('-e', $_) } @commands);
    open my $pipe, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @words or die "$gpudbg: $!\n";
    local $/;
    return scalar <$pipe>;
}

sub bits { return sprintf '0x%08x', unpack 'L<', pack 'f<', shift }

# Two attributes of two primitives: P0, P10, P20 of four components each, the numbers 0 to 47.
my $params = unpack 'H*', pack 'f<*', 0 .. 47;
my $pixel = shader('pixel',
    0x7e0202f0,                # v_mov_b32 v1, 0.5
    0xc8080001, 0xc8090001,    # v_interp_p1_f32, _p2_f32 v2, v1, attr0.x
    0xc80e0502,                # v_interp_mov_f32 v3, p0, attr1.y
    0xf8001007, 0x00000302,    # exp mrt0 v2, v3, v0, off vm
    0xf8000c1f, 0x00000302,    # exp mrt1 v2, v2, v3, v3 done compr
);

subtest 'a pixel shader interpolates and exports' => sub {
    my $launch = "launch -g 64 -l 64 v[0]=3 m0=0x10000 params=hex:$params"; # quad 1 begins a primitive
    my ($refused) = records('error', $pixel, 'launch -g 128 -l 128 v[0]/2=3');
    like($refused->{message}, qr/'v\[0\]\/2': waves of a group are numbered 0 to 1/,
        'a register of a wave that no group has is refused');
    my @rows = records('export', $pixel, $launch, 'continue', 'info exports mrt0');
    is(scalar @rows, 64, 'a row a lane');
    is($rows[0]{x}, bits(0 + 0.5 * 4 + 0.5 * 8), 'P0 + i P10 + j P20 of the first primitive');
    is($rows[4]{x}, bits(12 + 0.5 * 16 + 0.5 * 20), 'and of the second');
    is($rows[0]{y}, bits(25), 'attribute 1 of two primitives starts at 24; its y, P0');
    is($rows[63]{y}, bits(37), 'the second primitive, in the last quad');
    is($rows[0]{z}, '0x3', 'a register as it was') or diag explain $rows[0];
    ok(!exists $rows[0]{w}, 'the fourth was not sent');
    is($rows[0]{mask}, '0x7', 'the mask');
    is($rows[0]{valid}, '0xffffffffffffffff', 'vm: EXEC is the valid mask');
    is($rows[0]{done}, 0, 'not the last');
    my @pairs = records('export', $pixel, $launch, 'continue', 'info exports mrt1');
    is("$pairs[0]{x} $pairs[0]{y}", '0x0 0x40c0', 'halves of v2, low and high');
    is("$pairs[0]{z} $pairs[0]{w}", '0x0 0x41c8', 'halves of v3');
    is($pairs[0]{done}, 1, 'done');
    is(scalar records('export', $pixel, $launch, 'continue', 'goto 5', 'info exports'), 64,
        'going back takes an export back');
    is(scalar records('export', $pixel, $launch, 'continue', 'goto 4', 'info exports'), 0, 'and the first');
    is(scalar records('export', $pixel, $launch, 'continue', 'goto 4', 'continue', 'info exports'), 128,
        'running again brings both, once');
    is(scalar records('export', $pixel, "$launch exec=5", 'continue', 'info exports mrt0'), 2,
        'inactive lanes export nothing');
    like(text($pixel, 'launch -g 64 -l 64', 'continue'), qr/the launch has no parameters to interpolate: add params=/,
        'without parameters it stops');
    like(text($pixel, 'launch -g 64 -l 64 params=hex:00000000', 'continue'), qr/params has 4 bytes, this is byte 16/,
        'too few are named');
};

subtest 'parameters may stand in LDS' => sub {
    my $file = shader('lds',
        0x7e0402f4,             # v_mov_b32 v2, 2.0
        0xd8340000, 0x00000201, # ds_write_b32 v1, v2
        0xbefc0380,             # s_mov_b32 m0, 0
        0xc80e0002,             # v_interp_mov_f32 v3, p0, attr0.x
        0xf8000801, 0x00000003, # exp mrt0 v3, off, off, off done
    );
    my @rows = records('export', $file, 'launch -g 64 -l 64 lds=64 m0=0xffffffff', 'continue', 'info exports');
    is($rows[63]{x}, bits(2), 'P0 of attribute 0 is the first word');
};

subtest 'a geometry shader sends messages' => sub {
    my $file = shader('geometry', 0xbf900122, 0xbf900012, 0xbf900003); # emit to stream 1, cut, gs_done nop
    my @rows = records('sendmsg', $file, 'launch -g 64 -l 64 m0=0x42', 'continue', 'info messages');
    is_deeply([map { [@$_{qw(message operation stream m0)}] } @rows],
        [['gs', 'emit', 1, '0x42'], ['gs', 'cut', 0, '0x42'], ['gs_done', 'nop', 0, '0x42']], 'what they say');
    is(scalar records('sendmsg', $file, 'launch -g 64 -l 64', 'continue', 'goto 1', 'info messages'), 1,
        'and they are taken back');
};

subtest 'the global data share' => sub {
    my $file = shader('gds',
        0xd8820004, 0x06000505, # ds_add_rtn_u32 v6, v5, v5 offset:4 gds
        0xd8fa0000, 0x07000000, # ds_append v7 gds
        0xd8da0004, 0x08000005, # ds_read_b32 v8, v5 offset:4 gds
        );
    my $launch = 'launch -g 64 -l 64 gds=1024 m0=0x00100100 v[5]=4';
    my @run = ($launch, 'stepi 3');
    like(text($file, @run, 'print $v6[0]', 'print $v6[63]'), qr/\$1 = 0\n\$2 = 252\n/, 'lanes add one after another');
    like(text($file, @run, 'print $v8[5]'), qr/= 256\n/, 'all of it is there');
    like(text($file, $launch, 'stepi 2', 'print $v7[9]'), qr/= 0\n/, 'append returns what was before');
    like(text($file, @run, 'x/1dw gds+16'), qr/64\n/, 'append counted 64 lanes at the base that M0 names');
    like(text($file, 'launch -g 64 -l 64', 'continue'),
        qr/the instruction uses GDS, and the launch has none: add gds=BYTES/,
        'without GDS it stops');
    like(text($file, 'launch -g 64 -l 64 gds=1024 m0=0x00100004 v[5]=4', 'stepi', 'print $v6[63]'), qr/= 0\n/,
        'outside the part of M0: 0');
    like(text($file, 'launch -g 64 -l 64 gds=hex:6162636465 m0=0x00050000', 'set *(u8*)gds = 0x7a', 'x/5xb gds'),
        qr/0x7a\s+0x62/, 'one that a file or digits fill is written, too, whatever its size');
};

for my $set (qw(gfx7 gfx10-wave64 gfx10.3-wave64)) {
    $isa = $set;
    subtest "waves wait for each other on $set" => sub { semaphores() };
    $isa = 'gfx7';
}
sub semaphores {
    my $barrier = shader('barrier',
        0xd8760003, 0x00000005, # ds_gws_barrier v5 offset:3 gds
        0xd8fa0000, 0x07000000, # ds_append v7 gds
    );
    like(text($barrier, 'launch -g 128 -l 128 gds=64 m0=0x00000040 v[5]=2', 'continue'), qr/Done: 2 waves/,
        'a barrier of two waves opens');
    like(text($barrier, 'launch -g 128 -l 64 gds=64 m0=0x00000040 v[5]=2', 'continue'),
        qr/waits for 2 waves; groups run one after another/, 'one that cannot open is named');
    my $take = shader('take',
        0xd86a0004, 0x00000000, # ds_gws_sema_v offset:4 gds
        0xd8720004, 0x00000000, # ds_gws_sema_p offset:4 gds
        0xd8720004, 0x00000000, # and again
    );
    like(text($take, 'launch -g 64 -l 64 gds=64', 'continue'), qr/at 0x10: .*the semaphore is 0/,
        'a semaphore gives what it has');
    my $init = shader('init',
        0xd8660003, 0x00000005, # ds_gws_init v5 offset:3 gds
        0xd8720003, 0x00000000, 0xd8720003, 0x00000000, # ds_gws_sema_p offset:3 gds, twice
    );
    like(text($init, 'launch -g 64 -l 64 gds=64 v[5]=1', 'continue'), qr/at 0x10: .*the semaphore is 0/,
        'init sets a semaphore');
    my $more = shader('more',
        0xd86e0004, 0x00000005, # ds_gws_sema_br v5 offset:4 gds
        0xd8720004, 0x00000000, 0xd8720004, 0x00000000, 0xd8720004, 0x00000000,
    );
    like(text($more, 'launch -g 64 -l 64 gds=64 v[5]=2', 'continue'), qr/at 0x18: .*the semaphore is 0/,
        'sema_br gives as many as it says');
    my $release = shader('release',
        0xbf068000, 0xbf840003, # s_cmp_eq_u32 s0, 0; s_cbranch_scc0 to the last
        0xd8720004, 0x00000000, # ds_gws_sema_p offset:4 gds
        0xbf810000,             # s_endpgm
        0xd8620004, 0x00000000, # ds_gws_sema_release_all offset:4 gds
    );
    like(text($release, 'launch -g 128 -l 128 gds=64 s0/1=1', 'set step-limit 100000', 'continue'), qr/Done: 2 waves/,
        'who waits on a semaphore is released');
}

subtest 'ordered counts' => sub {
    my $ordered = shader('ordered', 0xd8fe0100, 0x09000004); # ds_ordered_count v9, v4 offset:256 gds
    my $manual = 'set gfx7 ordered_count manual';
    like(text($ordered, $manual, 'launch -g 192 -l 192 gds=64 exec=0xff', 'continue', 'wave 2', 'print $v9[0]'),
        qr/= 16\n/,
        'counts in the order of waves');
    my $twice = shader('twice', 0xd8fe0100, 0x09000004, 0xd8fe0100, 0x09000004);
    like(text($twice, $manual, 'launch -g 64 -l 64 gds=64', 'continue'),
        qr/Fault, wave 0 at 0x8: .*it was its last count/,
        'not after the last count');
    my $kept = shader('kept', 0xd8fe0000, 0x09000004);
    for my $choice ('manual', 'compilers') {
        like(text($kept, "set gfx7 ordered_count $choice", 'launch -g 128 -l 64 gds=64 m0=0', 'continue'),
            qr/Fault, wave 1 at 0x0: .*the turn of wave 0, of an earlier group/, "nor where a turn was kept ($choice)");
    }
};

# What LLVM makes of llvm.amdgcn.ds.ordered.add and .swap, as its own tests have it: offset:772 is index 1, release and
# done; 4868 the same as an exchange; M0[31:16] is where the counters are.
subtest 'ordered counts as compilers make them' => sub {
    my $count = sub { my ($offset) = @_; return (0xd8fe0000 | $offset, 0x09000004) }; # ds_ordered_count v9, v4
    my @go = ('launch -g 256 -l 64 gds=64 m0=0x80000 v[4]=31', 'continue');
    my $gds = sub { my ($place) = @_; return "print *(u32*)(gds + $place)" };
    my $add = shader('ordered_add', $count->(772));
    my $text = text($add, @go, 'wave 3', 'print $v9[7]', $gds->(12), $gds->(8));
    like($text, qr/= 93\n.*= 124\n.*= 0\n/s, 'adds a VGPR at M0 and index, in the order of waves');
    my $swap = shader('ordered_swap', $count->(4868));
    like(text($swap, @go, 'wave 1', 'print $v9[7]', $gds->(12)), qr/= 31\n.*= 31\n/s, 'exchanges');
    my $both = shader('ordered_both', $count->(0x100), $count->(0x304)); # index 0, release; index 1, release and done
    like(text($both, 'launch -g 256 -l 256 gds=64 m0=0x80000 v[4]=5', 'continue', $gds->(8), $gds->(12)),
        qr/Done: 4 waves.*= 20\n.*= 20\n/s, 'each index has turns of its own');
    like(text(shader('after', $count->(772), $count->(772)), @go), qr/Fault, wave 0 at 0x8: .*it was its last count/,
        'not after the last count');
    like(text(shader('wrap', $count->(772 | 2 << 12)), @go), qr/operation 2 .*others are not described/,
        'operations that nobody describes stop');
    like(text(shader('lanes', 0x7e080d00, $count->(772)), @go, 'print 1'), # v_cvt_f32_u32 v4, v0
        qr/= 1\n/, 'lanes with one value are one');
    like(text($add, 'launch -g 64 -l 64 gds=64 m0=0 v[4]=hex:01000000', 'continue'),
        qr/lane 1 at .*active lanes have different values/, 'lanes with several stop');
    like(text($add, 'launch -g 64 -l 64 gds=64 m0=0x400000 v[4]=1', 'continue'), qr/Fault/, 'nor outside of GDS');
};

subtest 'a trap handler' => sub {
    my $file = shader('trap',
        0xbf920003,                         # s_trap 3
        0xbe870386,                         # s_mov_b32 s7, 6
        0xbf810000,                         # s_endpgm
        0xbe860371,                         # the handler, at 12: s_mov_b32 s6, ttmp1
        0x80708470,                         # s_add_u32 ttmp0, ttmp0, 4
        0x8771ff71, 0x0000ffff,             # s_and_b32 ttmp1, ttmp1, 0xffff
        0xbe802270,                         # s_rfe_b64 ttmp[0:1]
    );
    my $launch = 'launch -g 64 -l 64 tba=12';
    like(text($file, $launch, 'stepi', 'info where'), qr/s_mov_b32 s6, ttmp1/, 'it is entered');
    like(text($file, $launch, 'stepi 2', 'print/x $s6'), qr/= 0x30000/, 'TTMP1 holds the number in 23:16');
    like(text($file, $launch, 'stepi', 'print $status & 0x20'), qr/= 32/, 'privileged');
    like(text($file, $launch, 'stepi 6', 'print $s7', 'print $status & 0x20'), qr/= 6\n.* = 0/,
        'and left, behind the trap');
};

subtest 'exceptions' => sub {
    my @code = (
        0x7e020280,             # v_mov_b32 v1, 0
        0x7e045501,             # v_rcp_f32 v2, v1
        0x7e0602ff, 0x7f7fffff, # v_mov_b32 v3, the largest float
        0x10080703,             # v_mul_f32 v4, v3, v3
    );
    my $file = shader('exceptions', @code);
    my $launch = 'launch -g 64 -l 64';
    like(text($file, $launch, 'continue', 'print/fields $trapsts'), qr/divide_by_zero overflow inexact/,
        'those met since the launch, asked for at the end');
    like(text($file, $launch, 'stepi 2', 'print/x $trapsts', 'stepi 2', 'print/x $trapsts', 'reverse-stepi',
        'print/x $trapsts'), qr/= 0x4\n(?s:.*)= 0x2c\n(?s:.*)= 0x4\n/, 'as they are met, and back');
    like(text($file, 'launch -g 64 -l 64 exec=0', 'continue', 'reverse-stepi', 'print $trapsts'), qr/= 0x00000000\n/,
        'inactive lanes raise none');
    my ($plain) = text($file, $launch, 'stepi 4', 'info hash') =~ /hash (\w+)/;
    my ($asked) = text($file, $launch, 'stepi 2', 'print $trapsts', 'stepi 2', 'info hash') =~ /hash (\w+)/;
    is($asked, $plain, 'the state is the same whether one looked or not');
    unlike(text($file, $launch, 'continue', 'info registers'), qr/trapsts/, 'they are not shown before they are kept');

    my $reads = shader('reads', @code, 0xb9054003); # s_getreg_b32 s5, hwreg(TRAPSTS, 0, 9)
    like(text($reads, $launch, 'stepi 5', 'print/x $s5'), qr/= 0x2c\n/, 'code that reads them gets them');

    my $taken = shader('taken',
        0xba804301, 0x00000004, # s_setreg_imm32_b32 hwreg(MODE, 12, 9), 4
        @code,
        0xbf810000,             # s_endpgm
        0xbe860370,             # the handler, at 32: s_mov_b32 s6, ttmp0
        0xbe802270,             # s_rfe_b64 ttmp[0:1]
    );
    my $handled = 'launch -g 64 -l 64 tba=32';
    like(text($taken, $handled, 'stepi 3', 'print $status & 0x20', 'print $pc'), qr/= 32\n(?s:.*)= 0x20\b/,
        'an enabled one enters the handler');
    like(text($taken, $handled, 'stepi 4', 'print $s6'), qr/= 16\n/, 'which finds the next instruction in TTMP0');
    like(text($taken, $handled, 'continue', 'info events'), qr/exception +division by zero/, 'and it is an event');
    like(text($taken, $launch, 'continue', 'info events'), qr/exception +division by zero/,
        'without a handler it is an event alone');
    like(text($file, $launch, 'stepi', 'set $mode = $mode | 0x4000', 'set $tba = 4', 'stepi', 'print/d $pc'), qr/= 4\n/,
        'enabled by hand');
};

subtest 'a patch goes through a local, a hull and a domain shader' => sub {
    my $local = shader('local',
        0xc2860500,              # s_buffer_load_dwordx4 s[12:15], s[4:7], 0x0
        0xe00c2000, 0x80000400,  # buffer_load_format_xyzw v[4:7], v0, s[0:3], 0 idxen
        0x34060284,              # v_lshlrev_b32_e32 v3, 4, v1
        0xbefc03c1,              # s_mov_b32 m0, -1
        0xbf8c0070,              # s_waitcnt vmcnt(0) lgkmcnt(0)
        0x1008080c,              # v_mul_f32_e32 v4, s12, v4
        0x100a0a0d,              # v_mul_f32_e32 v5, s13, v5
        0x100c0c0e,              # v_mul_f32_e32 v6, s14, v6
        0x3e0e080f,              # v_mac_f32_e32 v7, s15, v4
        0xd9340000, 0x00000403,  # ds_write_b64 v3, v[4:5]
        0xd9340008, 0x00000603,  # ds_write_b64 v3, v[6:7] offset:8
        0xbf8c007f,              # s_waitcnt lgkmcnt(0)
    );
    my $hull = shader('hull', # v1: the patch, the control point from bit 8 on
        0xbefc03c1,              # s_mov_b32 m0, -1
        0xd2900002, 0x02151101,  # v_bfe_u32 v2, v1, 8, 5
        0x360602ff, 0x000000ff,  # v_and_b32_e32 v3, 0xff, v1
        0x16080683,              # v_mul_u32_u24_e32 v4, 3, v3
        0x4a080504,              # v_add_i32_e32 v4, vcc, v4, v2
        0x340a0884,              # v_lshlrev_b32_e32 v5, 4, v4
        0xdbfc0000, 0x08000005,  # ds_read_b128 v[8:11], v5
        0xbf8c007f,              # s_waitcnt lgkmcnt(0)
        0x101010f0,              # v_mul_f32_e32 v8, 0.5, v8
        0xe0781000, 0x08000805,  # buffer_store_dwordx4 v[8:11], v5, s[0:3], s8 offen
        0x4a180aff, 0x00000400,  # v_add_i32_e32 v12, vcc, 0x400, v5
        0xd8340000, 0x0000080c,  # ds_write_b32 v12, v8
        0xbf8c0070,              # s_waitcnt vmcnt(0) lgkmcnt(0)
        0xbf8a0000,              # s_barrier
        0x7d840480,              # v_cmp_eq_u32_e32 vcc, 0, v2
        0xbe8a246a,              # s_and_saveexec_b64 s[10:11], vcc
        0xbf88000f,              # s_cbranch_execz done
        0xd8d80000, 0x0d00000c,  # ds_read_b32 v13, v12
        0xd8d80010, 0x0e00000c,  # ds_read_b32 v14, v12 offset:16
        0xd8d80020, 0x0f00000c,  # ds_read_b32 v15, v12 offset:32
        0xbf8c007f,              # s_waitcnt lgkmcnt(0)
        0x06201d0d,              # v_add_f32_e32 v16, v13, v14
        0x06221f0e,              # v_add_f32_e32 v17, v14, v15
        0x06241b0f,              # v_add_f32_e32 v18, v15, v13
        0xd2a80013, 0x044a2310,  # v_max3_f32 v19, v16, v17, v18
        0x34280684,              # v_lshlrev_b32_e32 v20, 4, v3
        0xe0785000, 0x09011014,  # buffer_store_dwordx4 v[16:19], v20, s[4:7], s9 offen glc
        0xbf8c0f70,              # s_waitcnt vmcnt(0)
    );
    my $domain = shader('domain', # v0 u, v1 v, v2 the patch
        0x160804b0,              # v_mul_u32_u24_e32 v4, 48, v2
        0xe0381000, 0x80000804,  # buffer_load_dwordx4 v[8:11], v4, s[0:3], 0 offen
        0xe0381010, 0x80000c04,  # buffer_load_dwordx4 v[12:15], v4, s[0:3], 0 offen offset:16
        0xe0381020, 0x80001004,  # buffer_load_dwordx4 v[16:19], v4, s[0:3], 0 offen offset:32
        0x080a00f2,              # v_sub_f32_e32 v5, 1.0, v0
        0x080a0305,              # v_sub_f32_e32 v5, v5, v1
        0xbf8c0f70,              # s_waitcnt vmcnt(0)
        0x10280108,              # v_mul_f32_e32 v20, v8, v0
        0x102a0109,              # v_mul_f32_e32 v21, v9, v0
        0x102c010a,              # v_mul_f32_e32 v22, v10, v0
        0x102e010b,              # v_mul_f32_e32 v23, v11, v0
        0x3e28030c,              # v_mac_f32_e32 v20, v12, v1
        0x3e2a030d,              # v_mac_f32_e32 v21, v13, v1
        0x3e2c030e,              # v_mac_f32_e32 v22, v14, v1
        0x3e2e030f,              # v_mac_f32_e32 v23, v15, v1
        0x3e280b10,              # v_mac_f32_e32 v20, v16, v5
        0x3e2a0b11,              # v_mac_f32_e32 v21, v17, v5
        0x3e2c0b12,              # v_mac_f32_e32 v22, v18, v5
        0x3e2e0b13,              # v_mac_f32_e32 v23, v19, v5
        0xf80008cf, 0x17161514,  # exp pos0 v20, v21, v22, v23 done
        0xf8000207, 0x00050100,  # exp param0 v0, v1, v5, off
        0x5e0c2b14,              # v_cvt_pkrtz_f16_f32_e32 v6, v20, v21
        0xf800061f, 0x00000606,  # exp param1 v6, v6, v6, v6 compr
    );
    my $file = sub {
        my ($name, $template, @values) = @_;
        open my $out, '>:raw', "$dir/$name" or die "$dir/$name: $!\n";
        print $out pack $template, @values;
        close $out;
        return "\@$dir/$name";
    };
    my $floats = sub {
        open my $in, '<:raw', "$dir/$_[0]" or die "$dir/$_[0]: $!\n";
        local $/;
        return unpack 'f<*', <$in>;
    };
    # 21 patches of 3 vertices; the vertices are taken in backward order.
    my @vertex = map { [3 * $_ - 7, $_ / 4 + 1, 4.5 - $_, 1] } 0 .. 20;
    my @point = map { my ($x, $y, $z, $w) = @{ $vertex[20 - $_ % 21] };
        [2 * $x, -3 * $y, $z / 4, $w + 10 * 2 * $x] } 0 .. 62;
    my $vertices = $file->('vertices', 'f<*', map { @$_ } @vertex);
    my $launch = "launch -g 63 -l 63 buf0=$vertices buf1=" . $file->('constants', 'f<*', 2, -3, 0.25, 10) .
        ' s[0:1]=&buf0|0x0010000000000000 s[2]=21 s[3]=0x77fac s[4:5]=&buf1 s[6]=16 s[7]=0x77fac' .
        ' v[0]=' . $file->('index', 'L<*', map { 20 - $_ % 21 } 0 .. 63) . ' v[1]=' . $file->('place', 'L<*', 0 .. 63)
        . ' lds=4096';
    text($local, $launch, 'continue', "dump memory $dir/lds lds:0 lds:4096");
    is_deeply [($floats->('lds'))[0 .. 251]], [map { @$_ } @point], 'what the local shader leaves in LDS, as a file';

    $launch = "launch -g 63 -l 63 lds=\@$dir/lds v[1]="
        . $file->('ids', 'L<*', map { int($_ / 3) | ($_ % 3) << 8 } 0 .. 62) .
        ' buf0=zero:2048 buf1=zero:512 s[0:1]=&buf0 s[2]=2048 s[3]=0x77fac s[4:5]=&buf1 s[6]=512 s[7]=0x77fac s[9]=16';
    my $ran = text($hull, $launch, 'stepi', 'stepi 9', 'goto 0', 'continue', 'info hash', 'reverse-continue',
        'continue', 'info hash', "save arg buf0 $dir/points", "save arg buf1 $dir/factors");
    is(scalar(() = $ran =~ /(?<=hash )(\w+)/g), 2, 'the hull shader runs') or diag $ran;
    my ($once, $again) = $ran =~ /(?<=hash )(\w+)/g;
    is $again, $once, 'and again from the start, with the LDS that it was given';
    $_->[0] /= 2 for @point;
    is_deeply [($floats->('points'))[0 .. 251]], [map { @$_ } @point], 'the control points';
    my @factors = map {
        my @x = map { $point[$_][0] } 3 * $_ .. 3 * $_ + 2;
        my @sums = ($x[0] + $x[1], $x[1] + $x[2], $x[2] + $x[0]);
        (@sums, (sort { $b <=> $a } @sums)[0])
    } 0 .. 20;
    is_deeply [($floats->('factors'))[4 .. 87]], \@factors, 'the factors, behind the control word of the ring';

    my (@u, @v);
    push(@u, $_ % 5 / 8), push(@v, $_ % 4 / 8) for 0 .. 63;
    $launch = 'launch -g 64 -l 64 v[0]=' . $file->('u', 'f<*', @u) . ' v[1]=' . $file->('v', 'f<*', @v) . ' v[2]='
        . $file->('patch', 'L<*', map { $_ % 21 } 0 .. 63) .
        " buf0=\@$dir/points s[0:1]=&buf0 s[2]=2048 s[3]=0x77fac";
    my @rows = records('export', $domain, $launch, 'continue', 'info exports pos0');
    my @want = map {
        my ($i, @p) = ($_, map { $point[$_] } 3 * ($_ % 21) .. 3 * ($_ % 21) + 2);
        join ' ', map { bits($p[0][$_] * $u[$i] + $p[1][$_] * $v[$i] + $p[2][$_] * (
            1 - $u[$i] - $v[$i])) } 0 .. 3 # exact in so few bits
    } 0 .. 63;
    is_deeply [map { "$_->{x} $_->{y} $_->{z} $_->{w}" } @rows], \@want, 'positions between the control points';
    is((records('export', $domain, $launch, 'continue', 'info exports param0'))[9]{z}, bits(1 - $u[9] - $v[9]),
        'a parameter');
    my ($refused) = records('error', $hull, 'launch -g 64 -l 64 lds=65537');
    like($refused->{message}, qr/lds=65537 is not 0 to 65536 bytes/, 'more LDS than there is');
    like(text($hull, "launch -g 64 -l 64 lds=\@$dir/lds", "dump memory $dir/none lds:4 lds:4"),
        qr/the end, 0x4, is not after the start, 0x4/, 'nothing to write');
};

done_testing;
