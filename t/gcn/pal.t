#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Pipelines of PAL: LLVM assembles them with their metadata, from which a launch knows the stage, its registers and what
# the driver puts into user data.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $assembler = $ENV{LLVM_MC} // 'llvm-mc-19';
plan skip_all => "no $assembler" if system("command -v $assembler >/dev/null 2>&1") != 0;

sub facts { my ($file) = grep { $_->{type} eq 'file' } @_; return $file->{facts} // {} }
sub first_word { return (split ' ', $_[0] // '')[0] }

# A pipeline with stages [name, entry] and registers.
sub pipeline {
    my ($name, $stages, %registers) = @_;
    my $text = ".text\n" . join('', map { ".globl $_->[1]\n.type $_->[1],\@function\n$_->[1]:\nv_mov_b32 v9, v0\n" .
        "s_endpgm\n.size $_->[1], .-$_->[1]\n" } @$stages) .
        ".amdgpu_pal_metadata\n---\namdpal.version:\n  - 2\n  - 6\n" .
        "amdpal.pipelines:\n  - .name: p\n    .hardware_stages:\n" .
        join('', map { "      .$_->[0]:\n        .entry_point: $_->[1]\n" } @$stages) . "    .registers:\n" .
        join('', map { "      $_: $registers{$_}\n" } sort keys %registers) . "...\n.end_amdgpu_pal_metadata\n";
    my $source = spill("$name.s", $text);
    system("$assembler -triple amdgcn--amdpal -mcpu=gfx700 -filetype=obj $source -o $dir/$name.o") == 0 or die;
    return "$dir/$name.o";
}
my $pixel = pipeline('pixel', [['ps', 'shade']], '0x2c0a' => '0x2c0001', '0x2c0b' => 8, '0x2c0c' => '0x10000000',
    '0x2c0d' => 3, '0x2c0e' => '0x1000000f', '0x2c0f' => '0x1fffffff', '0xa1b4' => '0x102');

subtest 'one stage' => sub {
    my @all = records($pixel, commands('info file', 'launch -g 8,8 -l 8,8 s[0:3]=0', 'continue'));
    my $facts = facts(@all);
    is $facts->{stage}, 'pixel', 'the stage';
    is $facts->{entry}, 'shade', '... its entry';
    is join(' ', map { first_word($facts->{$_}) } 'rsrc1', 'rsrc2', 'ps input'), '0x002c0001 0x00000008 0x00000102',
        '... its registers';
    is_deeply [map { $facts->{"input $_"} } 0 .. 4], ['global table in s0', 'dword 3 of user data in s1',
        'vertex buffer table in s2', '0x1fffffff, not known, in s3', undef], '... what user data are to hold';
    like((grep { $_->{type} eq 'launch' } @all)[0]{assumed}, qr/^one triangle/, '... and it starts as pixels do');
    is((grep { $_->{type} eq 'stop' } @all)[-1]{reason}, 'done', '... and runs');
};

subtest 'compute' => sub {
    my @all = records(pipeline('compute', [['cs', 'go']], '0x2e12' => '0x2c0002', '0x2e13' => 2 << 1 | 1 << 7,
        '0x2e07' => 64, '0x2e08' => 2, '0x2e09' => 1), commands('info file', 'launch -g 256 -l 64', 'wave 3',
        'print $s2', 'print $v0[9]'));
    is facts(@all)->{'group size'}, '64,2,1', "the group's size";
    is join(' ', map { $_->{value} } grep { $_->{type} eq 'value' } @all), '0x3 0x9',
        'ids of group and thread are there';
};

subtest 'several stages' => sub {
    my $facts = facts(records(pipeline('both', [['vs', 'place'], ['ps', 'shade']], '0x2c0a' => 1, '0x2c4a' => 2,
        '0x2c4c' => '0x10000003'), commands('info file')));
    like $facts->{stages}, qr/several/, 'are said';
    is $facts->{stage}, undef, '... and none is taken';
    is join(' ', map { first_word($facts->{$_}) } 'ps.rsrc1', 'vs.rsrc1', 'vs.entry'), '0x00000001 0x00000002 place',
        '... each with its registers';
    is $facts->{'vs.input 0'}, 'base vertex in s0', '... and user data';
};

# The note is not believed: cut, or any of its bytes changed.
subtest 'hostile notes' => sub {
    open my $f, '<:raw', $pixel or die;
    my $bytes = do { local $/; <$f> };
    my $at = index $bytes, 'amdpal.pipelines';
    ok $at > 0, 'the note is there';
    for my $i (sampled(0 .. 59)) {
        my $bad = $bytes;
        substr($bad, $at - 8 + 3 * $i, 1) = chr(0xff - $i * 4);
        qx(timeout 20 '@{[Gpudbg::program()]}' --batch '@{[spill('bad.o', $bad)]}' -e 'info file' 2>&1);
        my $status = $? >> 8;
        ok $status == 0 || $status == 3, "byte $i is another" or diag $status;
    }
};

done_testing;
