#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What bare code starts with, by stage: vertices, instances, control points, primitives, pixels; which scalars behind
# user data are named as assumed.  And compute: kernels that clang compiled, launched once with their descriptors (whose
# results t/oracle/kernels_pocl.t holds against PoCL) and once as bare code with RSRC1, RSRC2 and user data alone.
use strict;
use warnings;
no warnings 'portable';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $end = spill('end.bin', pack 'V*', 0xbf810000);
sub values_of { return map { $_->{value} =~ /^0x/ ? hex $_->{value} : $_->{value} } grep { $_->{type} eq 'value' } @_ }
sub floats_of { return map { unpack 'f<', pack 'V', $_ } values_of(@_) }
sub start {
    my ($stage, $launch, @values) = @_;
    my @all = records('--isa', 'gfx7', '--raw', $end, commands("set gfx7 stage $stage", $launch,
        map { "print $_" } @values));
    my ($launched) = grep { $_->{type} eq 'launch' } @all;
    return ($launched->{assumed} // '', join ' ', values_of(@all));
}

subtest 'vertices' => sub {
    my $rsrc1 = 'rsrc1=0x3000000';      # VGPR_COMP_CNT 3
    my ($assumed) = start('vertex', "launch -g 128,2 -l 64,1 $rsrc1 rsrc2=8");
    like $assumed, qr/^v0 counts vertices from 0 along x; instances count .* along y; user data is 0 in s\[0:3\]$/,
        'what is taken for granted';
    my @all = records('--isa', 'gfx7', '--raw', $end, commands('set gfx7 stage vertex',
        "launch -g 128,2 -l 64,1 $rsrc1 rsrc2=8", 'wave 3', map { "print \$v$_\[5]" } 0 .. 4));
    is join(' ', values_of(@all)), '69 1 0 1 0', 'vertex, instance, instance';
    @all = records('--isa', 'gfx7', '--raw', $end, commands('set gfx7 stage vertex',
        'launch -g 128,2 -l 64,1 rsrc1=0 rsrc2=8 v[0]=7 s[0:3]=hex:00', 'wave 3', map { "print \$v$_\[5]" } 0 .. 1));
    is join(' ', values_of(@all)), '7 0', 'no more than RSRC1 asks for';
    is((grep { $_->{type} eq 'launch' } @all)[0]{assumed}, undef, '... and what is named is not assumed');
    my $rsrc2 = 1 | 4 << 1 | 1 << 8 | 1 << 10 | 1 << 12;
    my @scalars = (start('vertex', "launch -g 64 -l 64 rsrc2=$rsrc2 s[0:3]=hex:00 s6=9"))[0] =~ /(s\d+ is 0 \([^)]*)/g;
    is_deeply \@scalars, ["s4 is 0 (stream output's configuration", "s5 is 0 (stream output's index",
        "s7 is 0 (stream output's offset 2", "s8 is 0 (offset of the wave's scratch"],
        'scalars behind user data, in order';
};

subtest 'other stages' => sub {
    my ($assumed, $values) = start('local', 'launch -g 128,2 -l 64,1', '$v0[9]', '$v1[9]', '$v2[9]');
    is $values, '9 9 0', 'local: vertex, its place in the group, instance';
    ($assumed, $values) = start('hull', 'launch -g 4,16 -l 4,16 rsrc2=' . (2 << 1 | 1 << 7), '$v0[6]', '$v1[6]');
    is $values, '1 ' . (1 | 2 << 8), 'hull: patch; patch in the group and control point';
    like $assumed, qr/s2 is 0 \(offset into off-chip LDS\); s3 is 0 \(offset into the ring of tessellation factors\)/,
        '... and its offsets are named';
    ($assumed, $values) = start('geometry', 'launch -g 64,2 -l 64,2 rsrc2=4', '$v2[9]', '$v7[9]', '$v0[9]');
    is $values, '9 0 0', 'geometry: primitive, instance';
    like $assumed, qr/vertices .* are 0; .*s2 is 0 \(offset into the ring of geometry shaders\); s3 is 0 \(number of/,
        '... offsets';
    # As Mesa declares them (radv_shader_args.c): without stream output a register stands unused before off-chip LDS.
    for my $case (['domain', 1 << 7, 's2 unnamed', 's3 off-chip'], ['domain', 1 << 7 | 1 << 12, 's4 off-chip'],
        ['domain-export', 1 << 7, 's2 off-chip', 's3 unnamed', 's4 es-ring'], ['domain-export', 0, 's2 es-ring'],
        ['export', 0, 's2 es-ring'], ['geometry', 0, 's2 gs-ring', 's3 gs-wave']) {
        my ($stage, $bits, @want) = @$case;
        my %name = ('off-chip' => 'offset into off-chip LDS', unnamed => 'which drivers leave alone',
            'es-ring' => 'offset into the ring of export shaders',
            'gs-ring' => 'offset into the ring of geometry shaders',
            'gs-wave' => "number of the geometry shader's wave");
        ($assumed) = start($stage, 'launch -g 64 -l 64 s[0:1]=hex:00 rsrc2=' . (2 << 1 | $bits));
        for (@want) {
            my ($register, $what) = split ' ';
            like $assumed, qr/\b$register is 0 \(\Q$name{$what}\E\)/, "$stage, RSRC2 $bits: $_";
        }
    }
    ($assumed, $values) = start('domain', 'launch -g 64 -l 64', '$v0[9]');
    like $assumed, qr/v0 and v1 \(u and v\) are 0/, 'domain: u and v are assumed';
    like((start('export', 'launch -g 64 -l 64 rsrc2=6'))[0], qr/s3 is 0 \(offset into the ring of export shaders\)/,
        'export: its ring');
    like((start('pixel', 'launch -g 64 -l 64 rsrc2=2'))[0], qr/s1 is 0 \(where primitives begin, for M0\)/, 'pixel');
};

# Perspective centre (bit 1), position x y w (8, 9, 11), front face (12), coverage (14), fixed position (15).
subtest 'pixels' => sub {
    my $input = 1 << 1 | 1 << 8 | 1 << 9 | 1 << 11 | 1 << 12 | 1 << 14 | 1 << 15;
    my @words = (0x7e000280, 0x7e0202f2, 0xf800180f, 0x01000100, 0xbf810000);
    my $header = 'Shdr' . pack('v2 C4 V', 7, 2, 2, 15, 0, 1, 0) . pack('V v2 V*', 4 * @words, 0, 0, 60, 0, 0, 0, 4, 4,
        $input, $input, 2, 0, 0, 0, 0) . pack 'V*', @words;
    my @all = records(spill('pixel.sb', $header), commands('launch -g 16,8 -l 8,8', 'wave 1',
        map { "print \$v$_\[6]" } 0 .. 7));
    my @want = ((8 + 2 + 0.5) / 16, 1.5 / 8, 10.5, 1.5, 1);     # lane 6 is (2,1) of its block, which begins at (8,0)
    is join(' ', (floats_of(@all))[0 .. 4]), "@want", 'I and J of the centre, position';
    is join(' ', (values_of(@all))[5 .. 7]), join(' ', 0xffffffff, 1, 10 | 1 << 16), 'face, coverage, fixed position';
    my ($launch) = grep { $_->{type} eq 'launch' } @all;
    like $launch->{assumed}, qr/one triangle, from the grid's first corner/, 'the triangle is assumed';
    @all = records(spill('pixel.dump', pack('v2 V*', 0x2c08, $#words, @words) . pack('v2 V', 0xa1b4, 0, 1 << 9)),
        commands('launch -g 8,8 -l 8,8', 'print $v0[6]'));
    is((floats_of(@all))[0], 1.5, 'a dump of registers says its inputs, too');
};

# 0 where the chip would put ids is a value that nobody gave: the launch says so.
subtest 'no stage' => sub {
    my $launched = sub { return (grep { $_->{type} eq 'launch' } records('--isa', 'gfx7', '--raw', $end,
        commands(@_)))[0]{assumed} };
    like $launched->('launch -g 128,2 -l 64,1'),
        qr/^no stage is known: .* are 0, .*ids of groups and threads, coverage/,
        'what the launch does not name is said to be 0';
    unlike $launched->('set gfx7 stage compute', 'launch -g 128,2 -l 64,1'), qr/no stage/,
        '... with a stage, what it is';
    unlike $launched->('launch -g 128,2 -l 64,1 rsrc2=8') // '', qr/no stage/, '... or where RSRC2 says what there is';
};

subtest 'parts by wave and by group' => sub {
    my @all = records('--isa', 'gfx7', '--raw', $end, commands('launch -g 384,2 -l 128,1 s0=1 s0/1=2 ' .
        's0/g4=3 s0/g4/1=4 v[1]/g5=7', (map { ("wave $_", 'print $s0') } 0, 1, 8, 9, 10, 11), 'print $v1[3]',
        'wave 9', 'print $v1[3]'));
    is join(' ', values_of(@all)), '1 2 3 4 1 2 7 0', 'the later one counts where both mean a wave';
    @all = records('--isa', 'gfx7', '--raw', $end, commands('launch -g 384,2 -l 128,1 lds=hex:0100000002000000 ' .
        'lds/g4=hex:07000000', map { ("wave $_", 'print *(u32*)lds:0', 'print *(u32*)lds:4') } 1, 8, 11));
    is join(' ', values_of(@all)), '1 2 7 2 1 2', 'LDS by group';
    for my $case (['s0/g6=1', qr/groups of this launch are numbered 0 to 5/],
        ['lds/g6=4', qr/groups of this launch are numbered 0 to 5/], ['lds/1=4', qr/the waves of a group share/],
        ['s0/g=1', qr/group's number must follow/],
        ['s0/g1/2=1', qr/waves of a group are numbered 0 to 1/], ['s0/g1/x=1', qr/wave's number must follow/]) {
        my ($error) = grep { $_->{type} eq 'error' } records('--isa', 'gfx7', '--raw', $end,
            commands("launch -g 384,2 -l 128,1 $case->[0]"));
        like $error->{message} // '', $case->[1], $case->[0];
    }
};

# Group ids in s[4:6], thread ids in v0 to v2, in groups that the edge cuts: compiled kernels as bare code.
my $kernels = "$FindBin::Bin/../data/kernels/gfx7";
for my $case (['grid-O2.co', 'grid_ids', '-g 20,9,6 -l 8,4,3', 34560], ['grid-O2.co', 'grid_groups', '-g 37,11 -l 16,4',
    3256]) {
    my ($file, $kernel, $grid, $bytes) = @$case;
    subtest "$kernel as bare code" => sub {
        my @all = records("$kernels/$file", commands('info symbols', "launch $kernel $grid zero:$bytes", 'info buffers',
            'info kernels', (map { "print \$s$_" } 0 .. 15)));
        my %symbol = map { $_->{name} => hex $_->{addr} } grep { $_->{type} eq 'symbol' } @all;
        my %at = map { $_->{name} => [hex $_->{addr} // $_->{address}, $_->{size} // $_->{bytes}] }
            grep { $_->{type} eq 'buffer' } @all;
        my @s = map { $_->{value} =~ /^0x/ ? hex $_->{value} : $_->{value} } grep { $_->{type} eq 'value' } @all;
        my $kd = $symbol{"$kernel.kd"};
        my @saves = map { sprintf 'dump memory %s/%s.bin 0x%x 0x%x', $dir, $_, $at{$_}[0], $at{$_}[0] + $at{$_}[1] }
            qw(kernarg packet queue .text);
        my @rsrc = records("$kernels/$file", commands("launch $kernel $grid zero:$bytes", @saves,
            sprintf('print *(u32*)0x%x', $kd + 48), sprintf('print *(u32*)0x%x', $kd + 52), 'continue',
            "save arg 0 $dir/want.bin"));
        my ($rsrc1, $rsrc2) = map { $_->{value} =~ /^0x/ ? hex $_->{value} : $_->{value} }
            grep { $_->{type} eq 'value' } @rsrc;
        my $user = $rsrc2 >> 1 & 31;
        spill('user.bin', pack 'V*', @s[0 .. $user - 1]);
        my $entry = $symbol{$kernel} - $at{'.text'}[0];
        my @bare = records('--isa', 'gfx7', '--raw', "$dir/.text.bin", commands('set gfx7 stage compute',
            sprintf("launch 0x%x $grid rsrc1=0x%x rsrc2=0x%x m0=0xffffffff lds=64 s[0:%d]=\@$dir/user.bin " .
                "buf0\@0x%x=zero:$bytes " . join(' ', map { "buf$_\@0x%x=\@$dir/%s.bin" } 1 .. 3),
                $entry, $rsrc1, $rsrc2, $user - 1, $at{arg0}[0],
                map { ($at{$_}[0], $_) } qw(kernarg packet queue)), 'continue',
            sprintf("dump memory $dir/got.bin 0x%x 0x%x", $at{arg0}[0], $at{arg0}[0] + $bytes)));
        is((grep { $_->{type} eq 'stop' } @bare)[-1]{reason}, 'done', 'it ends');
        my ($got, $want) = map { slurp("$dir/$_") } qw(got.bin want.bin);
        ok $got eq $want, 'with the results of the kernel that clang described';
        unlike $want, qr/\A\0*\z/, '... which are not all 0';
        is((grep { $_->{type} eq 'launch' } @bare)[0]{assumed}, undef, '... and nothing is assumed');
    };
}

done_testing;
