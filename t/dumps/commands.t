#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands of Gen8 to Gen12.5: number, length and the positions of all fields, against those of Mesa's genxml
# (t/data/dumps/genxml.tsv) and of Intel's media driver (media_driver.tsv).  Commands of one number belong to different
# engines: the ring of an error state says which.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my %of;
for my $list (qw(genxml media_driver)) {
    open my $f, '<', "$FindBin::Bin/../data/dumps/$list.tsv" or die;
    while (<$f>) {
        next if /^#/;
        chomp;
        my ($generations, $name, $first, $dwords, $places) = split /\t/;
        push $of{$_}->@*, [$name, $first, $dwords, $places] for split /,/, $generations;
    }
}
my @runs = ([80, 'gen8'], [90, 'gen9'], [110, 'gen11'], [120, 'gen12'], [125, 'gen12.5']);
for my $run (@runs) {
    my ($number, $isa) = @$run;
    my @rows = $of{$number}->@*;
    # Commands of video engines share numbers with others.
    my $video = qr/^(?:VD|VDENC|MFX|MFD|MFC|HCP|HUC|HEVC|SFC|AVP)_/;
    my $enhancer = qr/^(?:VEBOX|VEB)_/;
    my @sets = ([[grep { $_->[0] !~ /$video|$enhancer/ } @rows], "$isa-batch"],
        [[grep { $_->[0] =~ $video } @rows], "$isa-video-batch"],
        [[grep { $_->[0] =~ /$enhancer|^SFC_/ } @rows], "$isa-enhancer-batch"]);
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

# Those that have no fields there: pipeline 2, opcode, command, dwords.
my @driver = (
    # isa, name, opcode in bits 26:23, number in 22:16, dwords
    ['gen12', 'VDENC_CMD1', 1, 10, 31], ['gen12', 'VDENC_CMD2', 1, 9, 51],
    ['gen12.5', 'VDENC_AVC_SLICE_STATE', 1, 12, 4], ['gen9', 'MFX_VP8_PIC_STATE', 8, 0, 38]);
for (@driver) {
    my ($isa, $name, $opcode, $number, $dwords) = @$_;
    my $first = 3 << 29 | 2 << 27 | $opcode << 23 | $number << 16 | $dwords - 2;
    my ($insn) = grep { $_->{type} eq 'insn' } records('--isa', "$isa-video-batch",
        commands(join ' ', 'decode', sprintf('%08x', $first), ('00000000') x ($dwords - 1)));
    is(($insn->{mnemonic} // '') . ' ' . ($insn->{size} // 0) / 4, "$name $dwords", "$isa: $name of the driver");
}

# One word on three engines of Skylake: what it is, and how i915 and xe write the engine.
my %on = (rcs0 => '', vcs0 => 'MFX_VP8_PIC_STATE', vecs0 => 'VEBOX_SURFACE_STATE', bsd => 'MFX_VP8_PIC_STATE',
    vebox => 'VEBOX_SURFACE_STATE');
for my $engine (sort keys %on) {
    my $state = spill("$engine.error", "GPU HANG: ecode 9:1:74000007, in demo [1]\nKernel: 5.15.0\nPCI ID: 0x1916\n"
        . "$engine command stream:\n  ACTHD: 0x00000000 00a01008\n" . ($engine =~ /0/ ? $engine : "$engine ring")
        . " --- gtt_offset = 0x00000000 00a01000\n" . join '', map { sprintf "%08x :  %08x\n", 4 * $_->[0], $_->[1] }
        ([0, 0], [1, 0], [2, 0x74000007], (map { [$_, 0] } 3 .. 10), [11, 0x05000000], [12, 0]));
    my ($said) = gpudbg($state, commands('packets'));
    my ($name) = $said =~ /\b(MFX_VP8\w+|VEBOX\w+)\b/;
    is $name // '', $on{$engine}, "74000007 on $engine" or diag $said;
}
done_testing;
