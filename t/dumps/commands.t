#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands of Gen8 to Gen12.5: number, length and the positions of all fields, against those of Mesa's genxml
# (t/data/dumps/genxml.tsv).
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my %of;
open my $f, '<', "$FindBin::Bin/../data/dumps/genxml.tsv" or die;
while (<$f>) {
    next if /^#/;
    chomp;
    my ($generations, $name, $first, $dwords, $places) = split /\t/;
    push $of{$_}->@*, [$name, $first, $dwords, $places] for split /,/, $generations;
}
my @runs = ([80, 'gen8'], [90, 'gen9'], [110, 'gen11'], [120, 'gen12'], [125, 'gen12.5']);
for my $run (@runs) {
    my ($number, $isa) = @$run;
    my @rows = $of{$number}->@*;
    # Commands of video engines share numbers with others.
    my $video = qr/^(?:VD|VDENC|MFX|MFD|MFC|HCP|HUC|HEVC|SFC)_/;
    my @sets = ([[grep { $_->[0] !~ $video } @rows], "$isa-batch"],
        [[grep { $_->[0] =~ $video } @rows], "$isa-video-batch"]);
    @rows = map { $_->[0]->@* } @sets;
    my @got = grep { $_->{type} eq 'insn' } map { my ($of, $set) = @$_; !@$of ? () : records('--isa', $set,
        commands(map { join ' ', 'decode', $_->[1], ('00000000') x ($_->[2] - 1) } @$of)) } @sets;
    is scalar @got, scalar @rows, "$isa: each command is decoded" or next;
    for my $n (0 .. $#rows) {
        my ($name, $first, $dwords, $places) = $rows[$n]->@*;
        my $insn = $got[$n];
        my @fields = grep { $_->{name} ne '-' && $_->{word} ne 'DATA' && ($_->{meaning} // '') ne 'reserved' }
            $insn->{fields}->@*;
        my %is = map { ($_->{bits} => 1) } grep { $_->{lo} >= 32 || $places =~ /\b$_->{bits}\b/ } @fields;
        is "$insn->{mnemonic} " . $insn->{size} / 4 . ' ' . join(' ', sort keys %is),
            "$name $dwords " . join(' ', sort split / /, $places), "$isa: $name";
    }
}

# Those that Mesa lacks, from Intel's media driver (mhw_vdbox_*_hwcmd_*.h, mhw_vebox_hwcmd_*.h): pipeline 2, opcode,
# command, dwords.
my @driver = (
    # isa, name, opcode in bits 26:23, number in 22:16, dwords
    ['gen12', 'AVP_PIPE_MODE_SELECT', 3, 0, 6], ['gen12', 'AVP_SURFACE_STATE', 3, 1, 5],
    ['gen12', 'AVP_PIPE_BUF_ADDR_STATE', 3, 2, 188], ['gen12', 'AVP_IND_OBJ_BASE_ADDR_STATE', 3, 3, 6],
    ['gen12.5', 'AVP_VD_CONTROL_STATE', 3, 10, 3], ['gen12', 'AVP_INTER_PRED_STATE', 3, 18, 15],
    ['gen12', 'AVP_TILE_CODING', 3, 21, 6], ['gen12', 'AVP_BSD_OBJECT', 3, 32, 3],
    ['gen12.5', 'AVP_PAK_OBJECT', 3, 33, 5], ['gen12.5', 'AVP_PAK_INSERT_OBJECT', 3, 34, 2],
    ['gen12', 'AVP_PIC_STATE', 3, 48, 51], ['gen12', 'AVP_SEGMENT_STATE', 3, 50, 4],
    ['gen12', 'AVP_INLOOP_FILTER_STATE', 3, 51, 15], ['gen12.5', 'AVP_FILM_GRAIN_STATE', 3, 52, 45],
    ['gen12', 'HCP_PALETTE_INITIALIZER_STATE', 7, 9, 194], ['gen12', 'VDENC_CMD1', 1, 10, 31],
    ['gen12', 'VDENC_CMD2', 1, 9, 51], ['gen12', 'VDENC_CONTROL_STATE', 1, 11, 2],
    ['gen12.5', 'VDENC_AVC_SLICE_STATE', 1, 12, 4], ['gen8', 'VEBOX_STATE', 8, 2, 12],
    ['gen9', 'VEBOX_STATE', 8, 2, 16], ['gen9', 'MFX_VP8_PIC_STATE', 8, 0, 38],
    ['gen9', 'VEBOX_TILING_CONVERT', 8, 1, 5], ['gen8', 'VEB_DI_IECP', 8, 3, 20], ['gen12', 'VEB_DI_IECP', 8, 3, 24],
);
for (@driver) {
    my ($isa, $name, $opcode, $number, $dwords) = @$_;
    my $first = 3 << 29 | 2 << 27 | $opcode << 23 | $number << 16 | $dwords - 2;
    my ($insn) = grep { $_->{type} eq 'insn' } records('--isa', "$isa-video-batch",
        commands(join ' ', 'decode', sprintf('%08x', $first), ('00000000') x ($dwords - 1)));
    is(($insn->{mnemonic} // '') . ' ' . ($insn->{size} // 0) / 4, "$name $dwords", "$isa: $name of the driver");
}
done_testing;
