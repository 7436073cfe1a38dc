#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Error states of Intel's generations beside those whose code is read: commands, fences and busy units.  Which commands
# and which busy units: as intel_error_decode of intel-gpu-tools 1.27.1 tells them of the same states.  It shows fences
# as numbers: their fields are read by hand, as i915 writes the fence registers of each generation.
use v5.36;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
sub error_state ($name, $id, $fence, $instdone, @batch) {
    my $at = 0;
    open my $f, '>', "$dir/$name" or die $!;
    print $f "Time: 1 s 2 us\nKernel: 3.8.0\nPCI ID: 0x$id\nEIR: 0x00000000\nIER: 0x00000000\n  fence[0] = $fence\n",
        "render command stream:\n  HEAD: 0x00000000\n  TAIL: 0x00000000\n  CTL: 0x0001f001\n  ACTHD: 0x00439018\n",
        "  IPEIR: 0x00000000\n  IPEHR: 0x02000000\n  INSTDONE: 0x$instdone\n",
        "render ring --- gtt_offset = 0x00439000\n",
        map { sprintf "%08x :  %08s\n", 4 * $at++, $_ } @batch;
    close $f;
    return "$dir/$name";
}
sub commands_of ($file) {
    return map { s/=.*//r } map { /^ +\d+  0x[0-9a-f]+  (\S+)/ ? $1 : () } split /\n/,
        (gpudbg($file, commands('packets')))[0];
}
sub says ($what, $file, $command, @like) {
    my ($text) = gpudbg($file, commands($command));
    like $text, $_, "$what: $_" for @like;
}

my @gen5 = qw(
    54300804 03000180 00000000 000f0145 048ce000 00000000 69040000 61010006 00847001 003fa001 00000000 00847001
    00000001 00000000 00000001 79000002 00000000 000e0144 00000000 78010004 00000000 00000000 00000000 00000000
    0003ffc0 78000005 000014c0 00000000 00000000 000014e0 00001540 0000e2c0 60002f01 10040100 18000180 60010000
    00000000 7b003c04 0000008d 00000000 00000001 00000000 00000000 05000000);
my @gen5_names = qw(XY_COLOR_BLT PIPELINE_SELECT STATE_BASE_ADDRESS 3DSTATE_DRAWING_RECTANGLE
    3DSTATE_BINDING_TABLE_POINTERS 3DSTATE_PIPELINED_POINTERS URB_FENCE CS_URB_STATE 3DPRIMITIVE MI_BATCH_BUFFER_END);
my $ilk = error_state('ilk', '0046', 'f6fc0000f6f800d', 'fffffffd', @gen5);
is_deeply [commands_of($ilk)], \@gen5_names, 'commands of Gen5';
says('Gen5', $ilk, 'packets', qr/general_state=0x847000 .*surface_state=0x3fa000 .*instruction=0x847000/,
    qr/vs_fence=256 gs_fence=256 clip_fence=256 sf_fence=384 vfe_fence=0 cs_fence=384/, qr/wm_table=0x3ffc0/,
    qr/vs_state=0x14c0 .*wm_state=0x1540 cc_state=0xe2c0/, qr/vertex_count=141 start_vertex=0 instance_count=1/);
says('Gen5', $ilk, 'info dump', qr/fence\[0\] +x-tiled, pitch 512, start 0xf6f8000, size 20480$/m,
    qr/ 1:1  AM Done +busy/);
says('Gen5', $ilk, 'explain', qr/rcs0 stands at rcs0 batch\+0x18: PIPELINE_SELECT/,
    qr/last command parsed is MI_FLUSH/);

# The first of Gen4 choose the pipeline in another way; G4x has units of its own.
is_deeply [commands_of(error_state('965', '2a02', '00000000', 'fffffffe', qw(61040001 79000002 0 0 0 05000000)))],
    [qw(PIPELINE_SELECT_965 3DSTATE_DRAWING_RECTANGLE MI_BATCH_BUFFER_END)], 'commands of Gen4';
says('G4x', error_state('gm45', '2a42', 'f6fc0000f6f800d', 'ff7fffff', '05000000'), 'explain',
    qr/INSTDONE of rcs0: busy: Strips and Fans$/m);

# Up to Gen5 flags of MI commands begin at bit 6: MI_BATCH_BUFFER_START in the global table is two dwords.
for my $case (['2a42', 'gen4'], ['0046', 'gen5']) {
    is_deeply [commands_of(error_state("$case->[1]-start", $case->[0], '00000000', 'ffffffff',
        qw(02000000 18800180 0043c000 02000022 00000000 05000000)))],
        [qw(MI_FLUSH MI_BATCH_BUFFER_START MI_FLUSH MI_NOOP MI_BATCH_BUFFER_END)], "lengths of MI on $case->[1]";
    # ... also where as many dwords follow as a length of 8 bits would take.
    is_deeply [commands_of(error_state("$case->[1]-long", $case->[0], '00000000', 'ffffffff',
        qw(02000000 18800180 0043c000), ('02000022', '00000000') x 80, '05000000'))],
        [qw(MI_FLUSH MI_BATCH_BUFFER_START), ('MI_FLUSH', 'MI_NOOP') x 80, 'MI_BATCH_BUFFER_END'], '... of many';
}

# The ring's head stands behind the command that is executed, which IPEHR names.  An empty ring has no such command.
sub ring_state ($name, $head, $tail) {
    open my $f, '>', "$dir/$name" or die $!;
    printf $f "Time: 1 s 2 us\nKernel: 3.8.0\nPCI ID: 0x0046\nEIR: 0x00000000\nIER: 0x00000000\n"
        . "render command stream:\n  HEAD: 0x%08x\n  TAIL: 0x%08x\n  CTL: 0x0001f001\n  ACTHD: 0x%08x\n"
        . "  IPEIR: 0x00000000\n  IPEHR: 0x02000000\n  INSTDONE: 0xffffffff\n"
        . "  ring->head: 0x00000000\n  ring->tail: 0x%08x\nrender ring --- ringbuffer = 0x00003000\n", $head, $tail,
        $head, $tail;
    my $at = 0;
    printf $f "%08x :  %08s\n", 4 * $at++, $_
        for qw(18800180 00439000 02000000 00000000 7a005402 00024004 1 0), (0) x 56;
    close $f;
    return "$dir/$name";
}
says('a head behind MI_FLUSH', ring_state('behind', 0x0940000c, 0x40), 'explain',
    qr/rcs0 stands at rcs0 ring\+0x8: MI_FLUSH; before it: MI_BATCH_BUFFER_START \(/);
my ($empty) = gpudbg(ring_state('empty', 0x09400010, 0x10), commands('explain'));
like $empty, qr/ring of rcs0 is empty/, 'an empty ring';
unlike $empty, qr/stands at/, '... where the engine stands at no command';

my $snb = error_state('snb', '0116', 'f6fc0300f6f8003', 'fffbffff', qw(7a000002 00101021 00000000 00000000 78100004
    00000000 00000000 00000000 00000000 00000000 780d1c02 00000000 00000000 00000000 05000000));
is_deeply [commands_of($snb)], [qw(PIPE_CONTROL 3DSTATE_VS 3DSTATE_VIEWPORT_STATE_POINTERS MI_BATCH_BUFFER_END)],
    'commands of Gen6';
says('Gen6', $snb, 'info dump', qr/fence\[0\] +y-tiled, pitch 6272, start 0xf6f8000, size 20480$/m,
    qr/18:18  EU 02 Done +busy/);

for my $case (['1616', 'gen8'], ['1916', 'gen9'], ['8a52', 'gen11']) {
    my ($id, $name) = @$case;
    my $file = error_state($name, $id, '00000000', 'fffffffb', qw(7a000004 00101021 0 0 0 0 78500003 0 0 0 0
        7b000005 4 3 0 1 0 0 18800101 00001000 00000000 05000000));
    is_deeply [commands_of($file)], [qw(PIPE_CONTROL 3DSTATE_RASTER 3DPRIMITIVE MI_BATCH_BUFFER_START
        MI_BATCH_BUFFER_END)], "commands of $name";
    says($name, $file, 'info dump', qr/ 2:2  VS Done +busy/);
    says("$name, units", $file, 'explain', qr/INSTDONE of rcs0: busy: VS$/m);
    says("$name, errors", $file, 'reg ' . "$name:PGTBL_ER 0x40001", qr/18:18  Cursor fetch +.*yes/,
        qr/ 0:0  Host fetch +.*yes/);
}
# Packets of AMD's gfx6 have no table: the ring is listed with this reason.
open my $tahiti, '>', "$dir/tahiti.log" or die $!;
print $tahiti "[    1.000000] [drm] initializing kernel modesetting (TAHITI 0x1002:0x6798 0x1043:0x3001).\n",
    "wptr: 0x00000003 [    3]\nrptr: 0x00000000 [    0]\n65533 free dwords in ring\n3 dwords in ring\n",
    "r[  0]=0xc0016900\nr[  1]=0x00000205\nr[  2]=0x00000000\n";
close $tahiti;
says('gfx6', "$dir/tahiti.log", 'info dump streams', qr/stream 0: ring, .*packets of gfx6 are not decoded$/m);

done_testing;
