#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Files for chips that are not read are refused by the chip's name, forced ones carry a warning, and what code is made
# from is refused with the command that makes code of it.  Numbers of chips: what LLVM 19 and ocloc 22.43 write
# (t/oracle/products.t compiles for all of them).
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Dap;
use Files;
use Gpudbg;
use Test::More;

sub facts (@more) { my ($info) = records(@more, commands('info file')); return $info->{facts} // {} }

# Refused: status 3, one line.
sub refused ($file, $why, $name) {
    my ($out, $err, $status) = gpudbg($file, commands('info file'));
    is "$status $out", '3 ', "$name is refused";
    like $err, qr/\Agpudbg: \Q$file\E: $why[^\n]*\n\z/, '... by its name';
    unlike $err, qr/all the same/, '... without bad advice';
}

# ---- AMD: the low byte of e_flags ----

my $object = slurp('t/data/kernels/gfx7/loops-O2.co');
sub amd ($machine) { my $b = $object; substr($b, 48, 4) = pack 'V', 0x100 | $machine;
    return spill("machine-$machine.co", $b) }
for ([0x2a, 'gfx803', 'gfx8'], [0x2c, 'gfx900', 'gfx9'], 
    [0x41, 'gfx1100', 'gfx11'], [0x4e, 'gfx1201', 'gfx12']) {
    my ($machine, $name, $family) = @$_;
    refused(amd($machine), qr/this is code for $name \($family\): not read/, $name);
}
refused(amd(0xfe), qr/this is code for AMD's machine 0xfe: not read/, 'a machine that nobody knows');
is facts(amd(0x3b))->{target}, 'gfx705', 'gfx705 is read';
for ([0x20, 'gfx600'], [0x21, 'gfx601'], [0x3a, 'gfx602']) {
    my ($info) = records(amd($_->[0]), commands('info file'));
    is "$info->{isa} $info->{facts}{target}", "gfx6 $_->[1]", "$_->[1] is read as gfx6";
}

for ([0x33, 'gfx10', 'gfx1010'], [0x34, 'gfx1011', 'gfx1011'], [0x35, 'gfx1011', 'gfx1012'],
    [0x42, 'gfx1013', 'gfx1013'], [0x36, 'gfx10.3', 'gfx1030'], [0x45, 'gfx10.3', 'gfx1036']) {
    my ($machine, $isa, $target) = @$_;
    my ($info) = records(amd($machine), commands('info file'));
    like "$info->{isa} $info->{facts}{target}", qr/\A\Q$isa\E(?:-wave64)? $target\z/, "$target is read as $isa";
}

my $polaris = amd(0x2a);
my $facts = facts('--isa', 'gfx7', $polaris);
like $facts->{warning}, qr/\Athe file says gfx803 \(gfx8\), and is read as gfx7 /, 'forced, it has a warning';
my ($out, $err, $status) = gpudbg('--isa', 'gfx7', $polaris, commands('print 1'));
like $err, qr/\Agpudbg: \Q$polaris\E: warning: the file says gfx803[^\n]*\n\z/, '... which is said on opening';
is "$status $out", "0 \$1 = 1\n", '... and the session goes on';
like +(gpudbg(commands("file --isa gfx7 $polaris")))[0], qr/^warning: the file says gfx803/m, '... by `file`, too';
is facts('--isa', 'gfx7', amd(0x22))->{warning}, undef, 'the right name has none';
my ($info) = records('--isa', 'gfx7-pro', amd(0x22), commands('info file'));
is $info->{isa}, 'gfx7-pro', '--isa gfx7-pro reads a file for gfx700 as that';
ok $info->{facts}{warning}, '... with a warning';
($info) = records('--isa', 'gen12', amd(0x22), commands('info file'));
is "$info->{isa} $info->{kernels}", 'gen12 0', "another maker's instruction set has no kernels to launch";

# ---- Intel: a zebin's note, a device number of patch tokens ----

my $zebin = slurp('t/data/kernels/gen12/atomics.ze');
my $note = index $zebin, pack 'V3Z8', 8, 4, 1, 'IntelGT';
cmp_ok $note, '>', 0, 'the note of the product';
sub zebin ($product) {
    my $b = $zebin;
    substr($b, $note + 20, 4) = pack 'V', $product;
    return spill("p$product.ze", $b);
}
for ([29, 'Tiger Lake'], [30, 'Rocket Lake'], [31, 'Alder Lake S'], [32, 'Alder Lake P'], [33, 'Alder Lake N'],
    [1210, 'DG1']) {
    ($info) = records(zebin($_->[0]), commands('info file'));
    is "$info->{isa} $info->{facts}{target}", "gen12 $_->[1]", "product $_->[0] is read as $_->[1]";
}
for ([16, 'Broadwell', 8], [17, 'Cherry View', 8], [18, 'Skylake'], [19, 'Kaby Lake'], [20, 'Coffee Lake'],
    [22, 'Apollo Lake'], [23, 'Gemini Lake'], [25, 'Ice Lake', 11], [26, 'Ice Lake LP', 11],
    [27, 'Lakefield', 11], [28, 'Elkhart Lake', 11], [1250, 'Xe HP SDV', 12.5],
    [1270, 'DG2', 12.5], [1272, 'Meteor Lake', 12.5], [1273, 'Arrow Lake', 12.5]) {
    ($info) = records(zebin($_->[0]), commands('info file'));
    is "$info->{isa} $info->{facts}{target}", 'gen' . ($_->[2] // 9) . " $_->[1]", "product $_->[0] is read as $_->[1]";
}
refused(zebin($_->[0]), qr/this is code for $_->[1]: not read/, $_->[1])
    for [24, 'Cannon Lake \(gen10\)'], [1271, 'Ponte Vecchio \(Xe-HPC\)'],
        [1274, 'Battlemage \(Xe2\)'], [77, "Intel's product family 77"];
like facts('--isa', 'gen12', zebin(18))->{warning}, qr/the file says Skylake/, 'forced, it has a warning';

# Newer compilers write the architecture and release alone (note 6).
sub config ($architecture, $release) {
    my $b = $zebin;
    substr($b, $note + 8, 4) = pack 'V', 6;
    substr($b, $note + 20, 4) = pack 'V', $architecture << 22 | $release << 14;
    return spill("c$architecture.$release.ze", $b);
}
is facts(config(12, 10))->{target}, 'DG1', 'architecture 12.10 is DG1';
is facts(config(12, 55))->{target}, 'DG2', 'architecture 12.55 is DG2';
refused(config(12, 60), qr/this is code for Ponte Vecchio \(Xe-HPC\): not read/, 'architecture 12.60');
refused(config(40, 1), qr/this is code for Intel's architecture 40.1: not read/, 'an architecture of the future');

my $tokens = slurp('t/data/kernels/gen12/calls.bin');
my $at = index $tokens, 'CTNI';
cmp_ok $at, '>=', 0, 'a device binary';
sub tokens ($device) { my $b = $tokens; substr($b, $at + 8, 4) = pack 'V', $device; return spill("d$device.bin", $b) }
refused(tokens($_->[0]), qr/this is code for $_->[1]: not read/, "device $_->[0]")
    for [13, 'gen10'], [0x0c08, 'Xe-HPC'], [99, "Intel's device 99"];
like facts('--isa', 'gen12', tokens(12))->{warning}, qr/the file says gen9, and is read as gen12/,
    'forced, it has a warning';
like facts('--isa', 'gen7', $at ? tokens(18) : tokens(18))->{warning}, qr/the file says gen12, and is read as gen7/,
    '... where the other is read, too';

# ---- Chips that --isa names ----

# What each is, by its maker's own tables; undef: the chip's code is read, by the instruction set that stands there.
my $gen = qr/gen7, gen7\.5, gen8, gen9, gen11, gen12 and gen12\.5/;
my $gcn = qr/gfx6, gfx7, gfx10, gfx1011, gfx1013 and gfx10\.3/;
my %unread = (pvc => [qr/Ponte Vecchio \(Xe-HPC\)/, $gen], CNL => [qr/Cannon Lake \(gen10\)/, $gen],
    gen10 => [qr/gen10 \(Cannon Lake\)/, $gen], gen6 => [qr/gen6 \(Sandy Bridge\)/, $gen], gen5 => [qr/Gen5/, $gen],
    gen4 => [qr/Gen4/, $gen], xe2 => [qr/Xe2 \(Battlemage and others\)/, $gen], bmg => [qr/Battlemage \(Xe2\)/, $gen],
    lnl => [qr/Lunar Lake \(Xe2\)/, $gen], ptl => [qr/Panther Lake \(Xe3\)/, $gen],
    gfx8 => [qr/gfx8 \(gfx801 and others\)/, $gcn], gfx9 => [qr/gfx9 \(gfx900 and others\)/, $gcn],
    gfx11 => [qr/gfx11 \(gfx1100 and others\)/, $gcn], gfx12 => [qr/gfx12 \(gfx1200 and others\)/, $gcn],
    gfx90a => [qr/gfx90a \(gfx9\)/, $gcn], cdna => [qr/gfx908 \(gfx9\)/, $gcn], mi300x => [qr/gfx942 \(gfx9\)/, $gcn],
    rdna3 => [qr/gfx1100 \(gfx11\)/, $gcn], polaris10 => [qr/gfx803 \(gfx8\)/, $gcn], r600 => [qr/r600/, $gcn]);
for my $name (sampled(sort keys %unread)) {
    my ($is, $read) = @{ $unread{$name} };
    my $why = qr/(?:\Q$name\E is $is, whose code|code for $is) is not read; of its relatives gpudbg reads $read/;
    my ($said, $wrong, $rc) = gpudbg('--isa', $name, commands('print 1'));
    is "$rc $said", '2 ', "--isa $name";
    like $wrong, qr/\Agpudbg: --isa: $why\n\z/, '... says which chip that is, and which are read';
}
my %read = (mtl => 'gen12.5', 'gen12.7' => 'gen12.5', rkl => 'gen12', 'adl-p' => 'gen12', byt => 'gen7',
    'Coffee Lake' => 'gen9', gfx704 => 'gfx7', 'gfx10-3-generic' => 'gfx10.3');
is +(records('--isa', $_, commands('isa')))[0]{name}, $read{$_}, "--isa $_: $read{$_}" for sort keys %read;
for my $line ('isa pvc', 'info isa pvc', 'info coverage pvc', 'try --isa pvc mov', 'assemble /i pvc mov (8) r1 r2',
    'file --isa pvc nothing') {
    my ($error) = map { "$_->{kind}: $_->{message}" } grep { $_->{type} eq 'error' }
        records('--isa', 'gen9', commands($line));
    like $error, qr/^unsupported: pvc is Ponte Vecchio \(Xe-HPC\)/, $line;
}
my $client = Dap->start;
$client->ask('initialize', { adapterID => 'gpudbg' });
is eval { $client->ask('launch', { program => 'x', isa => 'pvc' }); '' } // $@,
    "launch: pvc is Ponte Vecchio (Xe-HPC), whose code is not read; of its relatives gpudbg reads gen7, gen7.5, gen8, "
    . "gen9, gen11, gen12 and gen12.5\n", 'an editor that asks for it';

# ---- What code is made from ----

my $cl = spill('x.cl', "// a kernel\n__kernel void f(__global int *a) { a[0] = 1; }\n");
my $asm = spill('x.s', "start:\n    v_mov_b32 v0, v1\n    s_endpgm\n");
refused($cl, qr/this is OpenCL C: compile it first.*clang-19.* \Q$cl\E .*ocloc compile .*\Q$cl\E/, 'OpenCL C');
refused($asm, qr/this is assembly: assemble it first: gpudbg --isa CHIP .*assemble \Q$asm\E.*does not say which/,
    'assembly');
refused(spill('y2.s', "; for gfx1030\n" . slurp($asm)), qr/this.*: gpudbg --isa gfx1030 .*with --isa gfx1030 --raw/,
    '... of a chip');
refused(spill('y.s', ".text\n.amdhsa_kernel f\n.end_amdhsa_kernel\n"),
    qr/this is assembly of a whole object.*-mcpu=CHIP/, 'assembly with a descriptor');
refused(spill('y3.s', ".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n.amdhsa_kernel f\n"), qr/this.*-mcpu=gfx90a/,
    '... with its target');
refused(spill('z.asm', "(W) mov (16|M0) r1.0<1>:d r2.0<1;1,0>:d\nsend.ts (1|M0) null r0 null 0x0 0x0 {EOT}\n"),
    qr/this is assembly: .*--isa GENERATION .*does not say which/, "Intel's assembly");
refused(spill('k.visaasm', ".version 4.1\n.kernel \"add\"\n"), qr/this is vISA, .*not read/, 'vISA as text');
refused(spill('k.isa', "CISA\4\1\1\0\0\3\0add"), qr/this is vISA, .*not read/, 'vISA as bytes');
refused(spill('k.ll', "; ModuleID = 'x'\ndefine void \@f() { ret void }\n"), qr/this is LLVM's/, "LLVM's code");
refused(spill('k.spvasm', "; SPIR-V\n; Version: 1.4\n"), qr/this is SPIR-V as text/, 'SPIR-V as text');

# The command that the message names works.
($out, $err, $status) = gpudbg('--isa', 'gfx7', commands("assemble $asm $dir/code.bin"));
is "$status $err", '0 ', 'the command of the message works';
like +(gpudbg('--isa', 'gfx7', '--raw', "$dir/code.bin", commands('disassemble')))[0],
    qr/v_mov_b32.* v0, v1.*s_endpgm/s, '... and its file opens';
my $text = spill('numbers.txt', "1 2 3\n4 5 6\n");
($out, $err, $status) = gpudbg('--isa', 'gfx7', $text, commands('info file'));
is $status, 3, 'text is not taken for code because --isa is there';
like $err, qr/this is text: `assemble /, '... and that is said';
is +(gpudbg('--isa', 'gfx7', '--raw', $text, commands('info file')))[2], 0, '... but by --raw it is';
done_testing;
