#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# catch and why off.  Where a NaN, an infinity or a denormal appears first follows from the programs below by the rules
# of IEEE 754; which lanes part follows from their conditions.  t/gcn, t/gen and t/il/past.c ask about random programs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use GenWords qw(gen12);
use Gpudbg;
use JSON;
use Test::More;



sub run {
    my ($files, @commands) = @_;
    my ($text) = gpudbg('--json', commands(@commands), @$files);
    return map { decode_json($_) } split /\n/, $text;
}

sub of { my ($type, @records) = @_; return grep { $_->{type} eq $type } @records }
sub seen { return map { join ' ', grep { defined } @{$_}{qw(reason catch by lanes register)} } of('stop', @_) }

# A program for an instruction set, assembled: arguments that open it.
sub program {
    my ($isa, $text) = @_;
    my $name = "$isa-" . length $text;
    my $file = spill("$name.s", $text);
    my (undef, $errors) = gpudbg('--isa', $isa, '-e', "assemble $file $dir/$name.bin");
    die "$isa: $errors" if $errors;
    return ['--isa', $isa, '--raw', "$dir/$name.bin"];
}

subtest 'Sea Islands' => sub {
    my $gfx7 = program('gfx7', <<'END');
v_cvt_f32_u32 v1, v0
v_rcp_f32 v2, v1
v_mul_f32 v3, v1, v2
v_add_f32 v4, v3, v3
s_mov_b32 s8, 1
s_mov_b32 s9, 0x7ff00000
v_add_f64 v[8:9], s[8:9], s[8:9]
v_mov_b32 v6, 0x00400000
v_max_f32 v6, v6, v6
v_cmp_gt_u32 vcc, 8, v0
s_and_saveexec_b64 s[0:1], vcc
v_mov_b32 v7, 1
s_mov_b64 exec, 0
s_barrier
s_mov_b64 exec, s[0:1]
s_endpgm
END
    my $launch = 'launch -g 64 -l 64 v[0]=hex:' . unpack 'H*', pack 'V*', 0 .. 63;
    my @r = run($gfx7, $launch, 'catch nan', 'catch inf', ('continue') x 3, 'reverse-continue', 'reverse-continue');
    is_deeply([seen(@r)], ['catch inf 0x4 0x1 $v2[0]', 'catch nan 0x8 0x1 $v3[0]', 'done', 'catch nan 0x8 0x1 $v3[0]',
        'catch inf 0x4 0x1 $v2[0]'], '1/0 is the infinity, 0 * infinity the NaN; what is added to it is no new one');
    is((of('stop', @r))[0]{lane}, 0, 'the lane is selected');
    is((of('stop', @r))[1]{value} =~ /^0x[7f]fc/, 1, 'the value is told');
    @r = run($gfx7, $launch, 'catch divergence', 'catch exec==0', 'catch barrier', ('continue') x 4);
    is_deeply([seen(@r)], ['catch divergence 0x34 0xffffffffffffff00', 'catch exec==0 0x3c 0xff',
        'catch barrier 0x40', 'done'],
        'lanes part, none is left, a barrier');
    @r = run($gfx7, $launch, 'catch divergence if $lane > 40', 'catch inf lane 3', 'catch nan if $position > 100',
        'continue', 'continue', 'info breakpoints');
    is((of('stop', @r))[0]{lane}, 41, 'a condition chooses among the lanes that it is about');
    is_deeply([map { "$_->{kind} $_->{what} $_->{hits}" } (of('breakpoint', @r))[-3 .. -1]],
        ['catchpoint divergence 1', 'catchpoint inf 0', 'catchpoint nan 0'],
        'info breakpoints lists them, with their hits');
    my ($text) = gpudbg(commands($launch, 'catch divergence', 'commands 1', 'print $v0[5]', 'end', 'continue'), @$gfx7);
    like($text, qr/= 5\b/, 'commands of a catchpoint are run');
    @r = run($gfx7, $launch, 'break *0x38', 'continue', 'why off 5', 'why off 9', 'why off 64');
    my @off = of('off', @r);
    is($off[0]{how}, 'runs', 'a lane that runs');
    is_deeply([@{$off[1]}{qw(how pc position returns_pc)}], ['turned-off', '0x34', 10, '0x3c'],
        'a lane that is off: by whom, and where the mask is written next');
    my @why = of('origin', @r);
    is_deeply([map { "$_->{expression} $_->{value}" } @why[0, 1]], ['$vcc[9] 0', '$v0[9] 9 (0x00000009)'],
        'it is the compare of 8 and 9');
    is($why[0]{pc}, '0x30', '... with its address');
    is((of('error', @r))[0]{kind}, 'out-of-range', 'a wave has 64 lanes');
    @r = run($gfx7, $launch, 'continue', 'goto 11', 'why off 9');
    is_deeply([@{(of('off', @r))[0]}{qw(returns returns_pc)}], [14, '0x44'], 'in recorded time it runs again');
    @r = run($gfx7, 'launch -g 40 -l 40', 'why off 50', 'continue', 'why off 1');
    is_deeply([map { $_->{how} } of('off', @r)], ['absent', 'ended'],
        'lanes without work-items, waves that have ended');
    @r = run($gfx7, $launch, 'catch message', 'catch nonsense', 'catch');
    is_deeply([map { $_->{kind} } of('error', @r)], ['unsupported', 'usage', 'usage'], 'what there is not is refused');
};

subtest 'denormals' => sub {
    # Half of the smallest normal double is a denormal, and what is made of one is no new one; what is flushed is none.
    my $gfx7 = program('gfx7', <<'END');
v_cvt_f64_u32 v[2:3], v0
s_mov_b32 s8, 0
s_mov_b32 s9, 0x00100000
v_mul_f64 v[4:5], s[8:9], v[2:3]
v_mul_f64 v[6:7], 0.5, s[8:9]
v_add_f64 v[10:11], v[6:7], v[6:7]
s_endpgm
END
    my $launch = 'launch -g 64 -l 64 v[0]=hex:' . unpack 'H*', pack 'V*', 0 .. 63;
    my @r = run($gfx7, $launch, 'catch denormal', ('continue') x 2);
    is_deeply([seen(@r)], ['catch denormal 0x18 0xffffffffffffffff $v6[0]', 'done'],
        'half of the smallest normal number');
    @r = run($gfx7, $launch, 'catch denormal wave 0 lane 7', 'continue');
    is((of('stop', @r))[0]{lane}, 7, 'of one lane');
};

subtest 'a fault' => sub {
    my $short = 'launch matmul -g 64,64 -l 16,16 zero:1024 @share/demo/matmul_a.bin @share/demo/matmul_b.bin 64';
    my ($text, $errors, $status) = gpudbg('--json', commands($short, 'catch fault', 'continue', 'info breakpoints'),
        'share/demo/matmul.co');
    my @r = map { decode_json($_) } split /\n/, $text;
    my ($stop) = of('stop', @r);
    is_deeply([@{$stop}{qw(reason catch by)}], ['catch', 'fault', $stop->{pc}], 'it is caught before its instruction');
    is($status, 1, 'the exit status is that of a fault');
};

# v_mac and mac read what they add to: an infinity there is no new one.  The last one overflows.
subtest 'accumulators' => sub {
    my $gfx7 = program('gfx7', <<'END');
v_mov_b32 v1, 0x7f800000
v_mov_b32 v2, 1.0
v_mac_f32 v1, v2, v2
v_mov_b32 v3, 0x7f7fffff
v_mov_b32 v4, 0x7f7fffff
v_mac_f32 v3, v4, v2
s_endpgm
END
    my @r = run($gfx7, 'launch -g 64 -l 64', 'catch inf', ('continue') x 2);
    is_deeply([seen(@r)], ['catch inf 0x20 0xffffffffffffffff $v3[0]', 'done'], 'v_mac');
    my $gen = program('gen12', <<'END');
mov (8|M0) r10.0<1>:f 1.0:f
mov (8|M0) acc0.0<1>:ud 0x7f800000:ud
mac (8|M0) r11.0<1>:f r10.0<8;8,1>:f 2.0:f {@1}
mov (8|M0) acc0.0<1>:ud 0x7f7fffff:ud
mac (8|M0) r12.0<1>:f r10.0<8;8,1>:f 0x7f7fffff:f {@1}
(W) mov (8|M0) r112.0<1>:f r0.0<8;8,1>:f
(W) send.ts (8|M0) null r112 null 0x10000000 0x02000010 {EOT,@1}
END
    @r = run($gen, 'launch -g 8 -l 8 simd=8', 'catch inf', ('continue') x 2);
    is_deeply([seen(@r)], ['catch inf 0x40 0xff $r12', 'done'], 'mac');
};

subtest 'Gen' => sub {
    # r2 * r3 is too large in channel 2 only; times 0 that is a NaN, which is added to itself.
    my $float = sub { return {type => 'f', reg => $_[0], sub => 0, v => 8, w => 8, h => 1} };
    my $op = sub {
        my ($op, $d, $a, $b) = @_;
        return gen12(op => $op, exec => 8, swsb => 1, dst => $float->($d), src0 => $float->($a), src1 => $float->($b));
    };
    my $bin = ['--isa', 'gen12', '--raw', spill('float.bin', join '', $op->(0x41, 4, 2, 3), $op->(0x41, 6, 4, 5),
        $op->(0x40, 7, 6, 6),
        pack 'V4', 0x80030131, 0x00000004, 0x70087f0c, 0x00000000)];
    my @r2 = (1) x 8;
    $r2[2] = 1e38;
    my $launch = 'launch -g 8 -l 8 simd=8 r2=hex:' . unpack('H*', pack 'f<8', @r2) . ' r3=hex:' . unpack('H*',
        pack 'f<8', (10) x 8);
    my @r = run($bin, $launch, 'catch nan', 'catch inf', 'catch message', ('continue') x 3, 'reverse-continue',
        'reverse-continue');
    is_deeply([seen(@r)], ['catch inf 0x0 0x4 $r4', 'catch nan 0x10 0x4 $r6', 'catch message 0x30',
        'catch nan 0x10 0x4 $r6', 'catch inf 0x0 0x4 $r4'],
        'an infinity and a NaN where they appear first, the message that ends the thread; and backwards');
    @r = run($bin, $launch, 'catch exec==0');
    is((of('error', @r))[0]{kind}, 'unsupported', 'threads never run without channels');

    # climb of share/demo: work-item 0 has no neighbour on its left and goes another way.
    @r = run(['--demo=dg1'], 'catch divergence', 'continue', 'why off 3', 'reverse-stepi', 'why off 3', 'why off 0');
    is_deeply([map { $_->{lanes} } grep { $_->{catch} } of('stop', @r)], ['0xfffe'],
        'channels 1 to 15 part from channel 0');
    my @off = of('off', @r);
    is_deeply([map { $_->{how} } @off], ['turned-off', 'runs', 'runs'],
        'channel 3 is off behind the branch, and runs before it');
    my @why = of('origin', @r);
    like($why[0]{text}, qr/^cmp .*\(eq\)f0\.0/, 'by the flag that a compare wrote');
    is($why[1]{value}, '3 (0x00000003)', '... of its number');
};

subtest 'AMD IL' => sub {
    my $il = spill('catch.il', <<'END');
il_cs_2_0
dcl_num_thread_per_group 64
dcl_raw_uav_id(0)
dcl_literal l0, 4, 2, 7, 20
dcl_literal l1, 0x3f800000, 0x7f800000, 0, 0
ilt r1.x, vaTid.x, l0.w
if_logicalnz r1.x
  ilt r1.y, vaTid.x, l0.z
  if_logicalnz r1.y
    mov r2.x, l0.y
  else
    mov r2.x, l0.z
  endif
else
  mov r2.x, l0.x
endif
itof r3.x, vaTid.x
mul_ieee r3.y, r3.x, l1.y
sub r4.x, r3.y, r3.y
dp2 r4.y, r4.xyxx, r4.xyxx
end
END
    my @r = run([$il], 'launch -g 64 -l 64 uav0=zero:256', 'catch nan', 'catch divergence', ('continue') x 5);
    my @seen = seen(@r);
    is_deeply([map { s/ by.*//r =~ s/0x[0-9a-f]+ (?=0x)//r } @seen],
        ['catch divergence 0xfffffffffff00000', 'catch divergence 0xfff80', 'catch nan 0x1 $r3.y[0]',
            'catch nan 0xfffffffffffffffe $r4.x[1]', 'done'],
        'lanes part twice; 0 * infinity; infinity - infinity in the other lanes; a product of NaNs is no new one');
    @r = run([$il], 'launch -g 64 -l 64 uav0=zero:256', 'catch divergence', 'continue', 'why off 30', 'continue',
        'why off 10', 'why off 30');
    my @off = of('off', @r);
    is_deeply([map { $_->{text} } @off], ['if_logicalnz r1.x', 'if_logicalnz r1.y', 'if_logicalnz r1.x'],
        'each lane is off by its own branch');
    is($off[0]{returns_pc}, $off[2]{returns_pc}, 'both tell the else of the outer one');
    isnt($off[1]{returns_pc}, $off[2]{returns_pc}, '... but not the inner');
    @r = run([$il], 'launch -g 64 -l 64 uav0=zero:256', 'catch exec==0', 'catch message');
    is_deeply([map { $_->{kind} } of('error', @r)], [('unsupported') x 2], 'what there is not is refused');
};
done_testing;
