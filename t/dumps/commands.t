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
# ---- Names of values ----

# Ours for genxml's, where they differ by more than blanks and a word in front or behind.
my %ours = (RANDOM => 'yes', SEQUENTIAL => 'no', Alternate => 'yes', alternate => 'yes', 'IEEE-754' => 'no',
    BYTE => 'bytes', WORD => 'words', DWORD => 'dwords', RR_FREE => 'round robin, free',
    RR_STRICT => 'round robin, strict', Ftz => 'no', SetByKernel => 'yes', LINE => 'lines', POINT => 'points',
    TRI => 'triangles', LOWERLEFT => 'yes', UPPERLEFT => 'no', TASKREDISTRIB_BOM => 'bunch of meshes',
    MULTIPLIER_1 => '1 times', MULTIPLIER_2 => '2 times', MULTIPLIER_3 => '3 times', MULTIPLIER_4 => '4 times',
    TASKREDISTRIB_RR_FREE => 'round robin, free', TASKREDISTRIB_RR_STRICT => 'round robin, strict',
    TEDMODE_RR_FREE => 'round robin, free', TEDMODE_RR_STRICT => 'round robin, strict', TEDLEVEL_PATCH => '0',
    DRAWINDEXED => 'indexed draw', MESH_1D => '1D mesh', MESH_3D => '3D mesh', 'First level batch' => 'no',
    'Second level batch' => 'yes', SAD_EQUAL_SDD => 'memory == value', SAD_NOT_EQUAL_SDD => 'memory != value',
    SAD_GREATER_THAN_OR_EQUAL_SDD => 'memory >= value', SAD_GREATER_THAN_SDD => 'memory > value',
    SAD_LESS_THAN_OR_EQUAL_SDD => 'memory <= value', SAD_LESS_THAN_SDD => 'memory < value',
    'Global Graphics Address' => 'yes', 'Per Process Graphics Address' => 'no', 'MMIO Write Immediate Data' => 'yes',
    'No LRI Operation' => 'no', 'Write Immediate Data' => 'write a constant',
    'Write Timestamp' => 'write the timestamp', 'Close Batch' => 'yes', 'No Batch Closure' => 'no', UC => 'uncached',
    WB => 'write back', WBP => 'write bypass', WS => 'write streaming', WT => 'write through',
    'Force Disabled' => 'no', 'Normal Mode' => 'normal',
    'Force CPU Non-Coherent' => 'CPU', 'Force GPU Non-Coherent' => 'GPU', 'No Valid Data' => '0');
# Of a flag that says which address: it is set for the one, and clear for the other.
my %flags = ('MI_BATCH_BUFFER_START 8' => {GGTT => 'no', PPGTT => 'yes'},
    'PIPE_CONTROL 56' => {GGTT => 'yes', PPGTT => 'no'}, '3DSTATE_3D_MODE 32' => {Disable => 'disabled'},
    'STATE_COMPUTE_MODE 39' => {Disabled => 'none'});
sub plain ($text) { return lc $text =~ s/[^A-Za-z0-9]//gr }
sub alike ($theirs, $ours) {
    my ($a, $b) = (plain($theirs), plain($ours));
    return $a =~ /(?<!\d)$b$/ if $ours =~ /^\d+$/;
    return $a eq $b || ($ours !~ /^(?:yes|no|undefined|)$/ && length $b && (index($a, $b) >= 0 || index($b, $a) >= 0));
}
my %values;
open my $values, '<', "$FindBin::Bin/../data/dumps/genxml_values.tsv" or die;
while (<$values>) {
    next if /^#/;
    chomp;
    my ($generations, @row) = split /\t/;
    push $values{$_}->@*, [@row] for split /,/, $generations;
}
for my $run (@runs) {
    my ($number, $isa) = @$run;
    my (%asked, @wrong);
    for my $row ($values{$number}->@*) {
        my ($name, $first, $dwords, $bits, $named) = @$row;
        my ($high, $low) = split /:/, $bits;
        my $set = $name =~ /^(?:VD|VDENC|MFX|MFD|MFC|HCP|HUC|HEVC|SFC|AVP)_/ ? "$isa-video-batch" : "$isa-batch";
        for (split /, (?=\d+ )/, $named) {
            my ($value, $theirs) = split / /, $_, 2;
            my @words = (hex $first, (0) x ($dwords - 1));
            $words[$low >> 5] |= $value << $low % 32;
            push $asked{$set}->@*, [$name, $low, $theirs, join ' ', map { sprintf '%08x', $_ & 0xffffffff } @words];
        }
    }
    my $compared = 0;
    for my $set (sort keys %asked) {
        my @got = grep { $_->{type} eq 'insn' } records('--isa', $set,
            commands(map { "decode $_->[3]" } $asked{$set}->@*));
        is scalar @got, scalar $asked{$set}->@*, "$set: each value is decoded" or next;
        for my $n (0 .. $#got) {
            my ($name, $low, $theirs) = $asked{$set}[$n]->@*;
            my ($field) = grep { $_->{lo} == $low } $got[$n]{fields}->@*;
            my $ours = $field->{meaning} // 'no field';
            my $want = $flags{"$name $low"}{$theirs} // $ours{$theirs};
            $compared++;
            push @wrong, "$name, bit $low: $theirs is [$ours]"
                if defined $want ? $ours ne $want && !alike($theirs, $ours) : !alike($theirs, $ours);
        }
    }
    is_deeply \@wrong, [], "$isa: $compared values have genxml's meaning";
}
# ---- Values of surface states that differ by generation (genxml, RENDER_SURFACE_STATE) ----

sub object ($title, $at, @words) {
    return sprintf("rcs0 --- %s = 0x00000000 %08x\n", $title, $at)
        . join '', map { sprintf "%08x :  %08x\n", 4 * $_, $words[$_] } 0 .. $#words;
}
# ecode's generation, device, dwords of STATE_BASE_ADDRESS; what values 0 to 3 of alignment, 0 to 5 of the auxiliary
# mode and 0 and 1 of the compression's mode are.
my @lines = ('undefined', 'HALIGN 4', 'HALIGN 8', 'HALIGN 16');
my @surfaces = (
    [8, '1616', 16, \@lines, ['none', 'MCS', 'append', 'HIZ'], []],
    [9, '1916', 19, \@lines, ['none', 'CCS_D', 'append', 'HIZ', 'undefined', 'CCS_E'], ['horizontal', 'vertical']],
    [11, '8a52', 22, \@lines, ['none', 'CCS_D', 'append', 'HIZ', 'undefined', 'CCS_E'], ['horizontal', 'vertical']],
    [12, '9a49', 22, \@lines, ['none', 'CCS_D', 'append', 'undefined', 'MCS_LCE', 'CCS_E'], ['horizontal']],
    [12, '5690', 22, ['HALIGN 16', 'HALIGN 32', 'HALIGN 64', 'HALIGN 128'],
        ['none', 'CCS_D', 'append', 'undefined', 'MCS_LCE', 'CCS_E'], ['media', '3D']]);
for (@surfaces) {
    my ($generation, $id, $bases, $alignments, $modes, $compressions) = @$_;
    my @wrong;
    for my $n (0 .. 5) {
        my @base = (0x61010000 | $bases - 2, (0) x ($bases - 1));
        $base[4] = 0xb00001;
        my @heap = (0x40, (0) x 31);
        @heap[16 .. 24] = (1 << 29 | ($n & 3) << 14, 0, 0, 0, 0, 0, $n, ($n & 1) << 31, 0x1000);
        my $state = spill("surface-$id", "GPU HANG: ecode $generation:1:84dffffe, in demo [1]\nKernel: 5.15.0\n"
            . "PCI ID: 0x$id\nrcs0 command stream:\n  ACTHD: 0x00000000 00a01008\n"
            . object('batch', 0xa00000, @base, 0x782a0000, 0, 0x7b000005, (0) x 6, 0x05000000)
            . object('user', 0xb00000, @heap));
        my ($said) = (gpudbg($state, commands('packets')))[0] =~ /0xb00040  (SURFACE_STATE .*)/;
        my %want = (auxiliary_mode => $modes->[$n], surface_horizontal_alignment => $alignments->[$n & 3],
            memory_compression_mode => $compressions->[$n & 1]);
        for my $field (sort keys %want) {
            my ($is) = ($said // '') =~ /\b$field=(.*?)(?= \w+=| \w+$|$)/;
            push @wrong, "$field $n: $is, not $want{$field}"
                if defined $is && defined $want{$field} && $is !~ /^\Q$want{$field}\E\b/;
        }
        push @wrong, "$n: no surface" if !defined $said || ($n && $said !~ /auxiliary_mode=/);
    }
    is_deeply \@wrong, [], "$id: surface states";
}
done_testing;
