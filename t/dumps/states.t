#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Error states of Gen8 to Gen12.5 from the report to the code: a batch as Intel's OpenCL driver and one as Mesa builds
# it, in the lines that i915 prints (Linux 5.4), with packed objects.  The values of the fields are those that the batch
# is made of here; the kernels are ocloc's (t/data/dumps/saxpy.cl).
use v5.36;
use Compress::Zlib qw(compress);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;
no warnings 'portable';

my $dir = tempdir(CLEANUP => 1);
sub slurp ($name) { open my $f, '<:raw', "$FindBin::Bin/../data/dumps/$name" or die $name; local $/; return <$f> }

# As print_error_obj() of i915 writes an object: ":" is packed, each word as five characters of base 85, "z" is zero.
sub packed ($name, $addr, $bytes) {
    $bytes .= "\0" x (4096 - length($bytes) % 4096) if length($bytes) % 4096;
    my $z = compress($bytes);
    $z .= "\0" x (-length($z) % 4);
    my $text = join '', map {
        my ($v, $s) = ($_, '');
        $v ? (map { $s = chr(33 + $v % 85) . $s; $v = int($v / 85) } 1 .. 5) : ($s = 'z');
        $s;
    } unpack 'V*', $z;
    return sprintf "rcs0 --- %s = 0x%08x %08x\n:%s\n", $name, $addr >> 32, $addr & 0xffffffff, $text;
}
sub error_state ($name, $platform, $id, $gen, $batch, $acthd, $ipehr, @objects) {
    my @at = ($acthd >> 32, $acthd & 0xffffffff);
    my @values = ($gen, $ipehr ^ 0xffdffffb, $platform, $id, @at, $ipehr, $batch >> 32, $batch & 0xffffffff,
        $batch >> 32, ($batch & 0xffffffff) + 4096, $at[0], $at[1] | 1, @at);
    my $text = sprintf <<'END', @values;
GPU HANG: ecode %d:1:0x%08x, in luxmark.bin [4310], hang on rcs0
Kernel: 5.4.0-42-generic x86_64
Driver: 20190822
Time: 1594000000 s 123456 us
Boottime: 112 s 766352 us
Uptime: 108 s 773733 us
Epoch: 4294919000 jiffies (250 HZ)
Capture: 4294921296 jiffies; 1234 ms ago, 9184 ms after epoch
Active process (on ring rcs0): luxmark.bin [4310]
Reset count: 0
Suspend count: 0
Platform: %s
PCI ID: 0x%04x
PCI Revision: 0x06
PCI Subsystem: 1991:5594
IOMMU enabled?: 0
GT awake: yes
RPM wakelock: yes
PM suspended: no
EIR: 0x00000000
IER: 0x08000000
PGTBL_ER: 0x00000000
FORCEWAKE: 0xffff0001
DERRMR: 0x2077efef
  fence[0] = 00000000
ERROR: 0x00000000
DONE_REG: 0x07ffffff
rcs0 command stream:
  IDLE?: no
  START: 0x00fd5000
  HEAD:  0x000000c8 [0x00000068]
  TAIL:  0x000000f8 [0x000000a8, 0x000000d0]
  CTL:   0x00003001
  MODE:  0x00000000
  HWS:   0xfffe7000
  ACTHD: 0x%08x %08x
  IPEIR: 0x00000000
  IPEHR: 0x%08x
  INSTDONE: 0xffdffffb
  SC_INSTDONE: 0xffffffff
  SAMPLER_INSTDONE[0][0]: 0xffffffff
  ROW_INSTDONE[0][0]: 0xffffffff
  batch: [0x%08x_%08x, 0x%08x_%08x]
  BBADDR: 0x%08x_%08x
  BB_STATE: 0x00000020
  INSTPS: 0x00000000
  INSTPM: 0x00000000
  FADDR: 0x%08x %08x
  RC PSMI: 0x00000010
  FAULT_REG: 0x00000000
  GFX_MODE: 0x00008000
  PDP0: 0x0000000203dba000
  hung: 1
  engine reset count: 0
  Active context: luxmark.bin[4310] prio 0, guilty 0 active 0
END
    open my $f, '>', "$dir/$name" or die;
    print $f $text, @objects;
    close $f;
    return "$dir/$name";
}
sub wide ($addr, $more = 0) { return ($addr & 0xffffffff | $more, $addr >> 32) }
sub float ($x) { return unpack 'V', pack 'f<', $x }
sub words (@words) { return pack 'V*', map { $_ & 0xffffffff } @words }

my ($BATCH, $CODE, $DYNAMIC, $SURFACES) = (0x7fe24b000000, 0x110000000, 0x120000000, 0x130000000);
sub bases ($gen) {
    my @more = $gen >= 11 ? (wide(0x150000000, 1), 0xfffff000, wide(0x160000000, 1), 0xfffff000)
        : $gen == 9 ? (wide(0x150000000, 1), 0xfffff000) : ();
    my @all = (wide(0, 1), 4 << 16, wide($SURFACES, 1 | 4 << 4), wide($DYNAMIC, 1), wide(0x140000000, 1),
        wide($CODE, 1), (0xfffff001) x 4, @more);
    return (0x61010000 | @all - 1, @all);
}
# A table of two surfaces at 0x100, from the surface base on: a buffer of 4096 bytes, and a 64x32 picture.
sub surfaces ($gen) {
    my @buffer = (4 << 29 | 0x1ff << 18 | 3 << 14, 2 << 24, 31 << 16 | 127, 0, 0, 0, 0, 0x9770000, wide(0x7fe23000a000),
        0, 0, 0, 0, 0, 0);
    my @picture = (1 << 29 | 0xc0 << 18 | 1 << 14 | 1 << 16 | 3 << 12, 2 << 24, 31 << 16 | 63, 255, 0, 0, 0, 0x9770000,
        wide(0x7fe230010000), 0, 0, 0, 0, 0, 0);
    ($picture[10], @picture[12, 13]) = (1 << 10, wide(0x7fe230020040)) if $gen >= 11; # the colour of a clear is there
    return words(@buffer, @picture) . "\0" x (0x100 - 128) . words(0x00, 0x40);
}
my $descriptors = 0x40;
sub dynamic ($gen) { # an interface descriptor at 0x40, a sampler at 0x80, its border at 0x100, viewport at 0x140
    my @descriptor = (0x1000, 0, 1 << 19, 0x80 | 1 << 2, 0x100 | 2, 3 << 16, 8 | 1 << 21, 1);
    my @sampler = (1 << 17 | 1 << 14 | 3 << 20, 14 << 8, 0x100, 1 << 6 | 1 << 3 | 1);
    return "\0" x 0x40 . words(@descriptor, (0) x 8) . words(@sampler) . "\0" x 0x70 .
        words(map { float($_) } 0.25, 0.5, 0.75, 1) . "\0" x 0x30 . words(float(-1), float(1));
}
sub compute ($gen) {
    my @batch = (0x69041302, 0x7a000004, 1 << 20 | 1 << 5, 0, 0, 0, 0, bases($gen));
    push @batch, 0x70000007, wide(0x7fe250000000, 5), 167 << 16 | 64 << 8, 0, 782 << 16 | 0x30, 0, 0, 0;
    push @batch, 0x70010002, 0, 0x600, 0x800, 0x70020002, 0, 32, $descriptors;
    my $at = 4 * @batch;
    push @batch, 0x7105000d, 0, 0x40, 0, 2 << 30 | 7, 0, 0, 64, 0, 0, 1, 0, 1, 0xffffffff, 0xffffffff;
    push @batch, 0x70040000, 0, 0x7a000004, 1 << 20 | 1 << 14, wide(0x7fe260000008), 0x2a, 0, 0x05000000;
    return ($at, @batch);
}
sub walker { # Gen12.5: the descriptor stands in the command
    my @batch = (0x69041302, bases(12), 0x72000004, 0x10 << 6, 0, 511 << 16, 0, 0);
    my $at = 4 * @batch;
    push @batch, 0x72080025, 0, 0x40, 0, 2 << 30 | 1 << 29 | 7 << 26 | 2 << 17, 0xffffffff, 255, 64, 1, 1, (0) x 8,
        0x1000, 0, 1 << 19, 0x80 | 1 << 2, 0x100 | 2, 8 | 1 << 21, 0, 0, (0) x 5, (1 .. 8);
    return ($at, @batch, 0x05000000);
}
sub draw ($gen) {
    my @batch = (0x69040300, bases($gen), 0x78210000, 0, 0x78230000, 0x140);
    push @batch, 0x78100007, wide(0x1000), 1 << 18, wide(0), 0x1 << 20, 1 << 10 | 1, 0;   # 3DSTATE_VS
    push @batch, 0x782a0000, 0x100, 0x782f0000, 0x80;                                     # tables of the pixel shader
    push @batch, 0x7820000a, wide(0x1000), 1 << 27 | 2 << 18, wide(0), 63 << 23 | 1, 4 << 16, wide(0), wide(0);
    push @batch, 0x784b0000, 5, 0x784d0000, 1 << 30, 0x78490001, 1 << 8 | 3, 2;
    push @batch, 0x78080003, 2 << 26 | 1 << 14 | 16, wide(0x7fe230020000), 256;
    my $at = 4 * @batch;
    push @batch, 0x7b000005, 0, 6, 2, 1, 0, -1, 0x05000000;
    return ($at, @batch);
}
sub objects ($gen, $code, @batch) {
    return (packed('batch', $BATCH, words(@batch)), packed('user', $CODE, "\0" x 0x1000 . $code),
        packed('user', $DYNAMIC, dynamic($gen)), packed('user', $SURFACES, surfaces($gen)));
}
sub says ($what, $text, @like) { like $text, $_, "$what: " . "$_" =~ s/^\(\?\^:|\)$//gr for @like }
sub lines_of ($text) { return map { /^ +\d+  0x[0-9a-f]+  (.*)/ ? $1 : () } split /\n/, $text }

my @devices = ([8, 'BROADWELL', 0x1616, 'bdw'], [9, 'SKYLAKE', 0x191b, 'skl'], [11, 'ICELAKE', 0x8a52, 'icllp'],
    [12, 'TIGERLAKE', 0x9a49, 'dg1'], [12.5, 'DG2', 0x56a0, 'dg2']);
for my $device (@devices) {
    my ($gen, $platform, $id, $name) = @$device;
    my $code = slurp("saxpy.$name.krn");
    my $old = $gen < 12.5; # the descriptor is not in the command
    my ($at, @batch) = $old ? compute($gen) : walker();
    my $walker = $old ? 'GPGPU_WALKER' : 'COMPUTE_WALKER';
    my $file = error_state("compute$gen", $platform, $id, int $gen, $BATCH, $BATCH + $at, $batch[$at / 4],
        objects($gen, $code, @batch));
    my ($verdict) = gpudbg($file, commands('explain'));
    says("$platform, verdict", $verdict, qr/^verdict: .*rcs0.*$walker/m,
        qr/stands at rcs0 batch\+0x[0-9a-f]+: $walker/);
    my ($text) = gpudbg($file, commands('packets'));
    my @lines = lines_of($text);
    unlike join("\n", @lines), qr/ 0x[0-9a-f]+ 0x[0-9a-f]+$/m, "$platform: every dword has a name";
    says("$platform, batch", $text, qr/surface_state=0x130000000 .*instruction=0x110000000/);
    if ($old) {
        says("$platform, batch", $text,
            qr/PIPE_CONTROL .*dc_flush.* cs_stall/,
            qr/MEDIA_VFE_STATE .*scratch=0x7fe250000000 .*max_threads_minus_1=167 .*urb_entry_size=782/,
            qr/GPGPU_WALKER .*simd_size=SIMD32 .*dim_x=64 .*dim_y=1/,
            qr/PIPE_CONTROL .*post_sync=write a constant .*address=0x7fe260000008/,
            qr/0x120000040  INTERFACE_DESCRIPTOR kernel=0x1000 .*threads=8/,
            qr/0x120000080  SAMPLER_STATE .*mip_filter=linear mag_filter=linear/,
            qr/0x120000100  BORDER_COLOUR \S*red\S*=0\.25/);
    } else {
        says($platform, $text, qr/CFE_STATE scratch_space_buffer=1 .*max_threads_minus_1=511/,
            qr/COMPUTE_WALKER .*kernel=0x1000 .*threads=8/,
            qr/kernel 0x110001000/, qr/0x120000080  SAMPLER_STATE/);
    }
    says("$platform, tables", $text,
        qr/0x130000100  BINDING_TABLE surface=0x0\n +0x130000000  SURFACE_STATE type=buffer (?#
        )format=RAW .*address=0x7fe23000a000/,
        qr/BINDING_TABLE surface=0x40\n +0x130000040  SURFACE_STATE type=2D format=B8G8R8A8_UNORM tile_mode=[Y4] (?#
        ).*width=64 height=32 pitch=256 .*address=0x7fe230010000/);
    says("$platform, clear colour", $text, qr/(?:red_clear_color=at |clear_value=)0x7fe230020040/) if $gen >= 11;
    my ($shaders) = gpudbg($file, commands('info shaders'));
    says($platform, $shaders, qr/0x110001000/);
    my @insns = grep { $_->{type} eq 'insn' } records($file, commands('shader 0', 'disassemble'));
    is $insns[0]{addr}, '0x110001000', "$platform: the kernel opens at its address";
    my $n = 0;
    $n += $_->{size} for @insns;
    is $n, length $code, '... all of it';
    like $insns[-1]{text}, qr/^(?:send \(8\)|\(W\) send\.(?:ts|gtwy) \(8).*EOT/, '... to its end of thread';
    says("$platform, tables of its messages", (gpudbg($file, commands('info dump code')))[0],
        qr/entry 1 of BINDING_TABLE.*SURFACE_STATE at 0x130000040 type 2D, format B8G8R8A8_UNORM/) if $gen == 9;
    my @draws = grep { ($_->{kind} // '') eq 'work' } records($file, commands('info draws'));
    is scalar @draws, 1, "$platform: the walk is a draw";
    is $draws[0]{progress}, 'last', '... at which the engine stands';
    ($at, @batch) = draw($gen);
    $file = error_state("draw$gen", $platform, $id, int $gen, $BATCH, $BATCH + $at, 0x7b000005,
        objects($gen, $code, @batch));
    ($text) = gpudbg($file, commands('packets'));
    says("$platform, 3D", $text, qr/3DSTATE_VS kernel=0x1000 .*binding_table_entries=1 /,
        qr/kernel 0x110001000/,
        qr/3DSTATE_PS kernel=0x1000 .*samplers=1-4 samplers binding_table_entries=2 .*simd8/,
        qr/0x120000140  CC_VIEWPORT min_depth=-1(?:\.0)? max_depth=1/, qr/VF_TOPOLOGY topology=3DPRIM_TRISTRIP/,
        qr/VF_INSTANCING element=3 instancing instance_step=2/,
        qr/VERTEX_BUFFERS pitch=16 .*buffer=2 start=0x7fe230020000 size=256/,
        qr/3DPRIMITIVE .*vertex_count=6 start_vertex=2 instance_count=1 .*base_vertex=-1/);
    @draws = grep { ($_->{kind} // '') eq 'work' } records($file, commands('info draws'));
    like $draws[0]{text}, qr/^3DPRIMITIVE (?!.*undefined).*; 3DSTATE_VF_TOPOLOGY topology=3DPRIM_TRISTRIP$/,
        "$platform: a draw is listed with its topology";
    my @state = map { $_->{name} } grep { $_->{type} eq 'draw-state' } records($file, commands('info draw 0'));
    ok scalar(grep { $_ eq '3DSTATE_PS' } @state), "$platform: info draw has the pixel shader";
}

# The log of GuC is the same in each file that holds it: headers of nine words (i915: struct guc_log_buffer_state), then
# the parts.  The words of its entries are words.
my $log = words(0xcabba9e6, 0xdeadfeed, 0x40, 0x1a40, 0x2000, 0x1a00, 0x1fc0, 1 | 3 << 1, 0x10004,
    0xcabba9e6, 0x8086dead, 0, 0, 0x1000, 0, 0, 0, 0x10000, 0xcabba9f7, 0xbeeffeed, 0, 0x9000, 0x1000, 0, 0, 0, 0);
$log .= "\0" x (4096 - length $log) . words(map { 0xabcd0000 + $_ } 0 .. 4 * 1024 - 1);
my $base85 = join '', map { my ($v, $s) = ($_, ''); map { $s = chr(33 + $v % 85) . $s; $v = int($v / 85) } 1 .. 5; $s }
    unpack 'V*', $log;
my @lines = map { sprintf "0x%08x 0x%08x 0x%08x 0x%08x\n", unpack 'V4', $_ } unpack '(a16)*', $log;
my $state = "Kernel: 6.8.0\nPCI ID: 0x9a49\nrcs0 command stream:\n  ACTHD: 0x00000000 00a01014\n";
my %carrier = (
    'i915, guc_log_dump' => join('', @lines),
    'i915, error state' => $state . packed('GuC log buffer', 0xfee00000, $log) =~ s/^rcs0/global/r,
    'xe, guc_log' => "GuC firmware: xe/lnl_guc_70.bin\nLog level: 3\n[LOG].length: 0x5000\n[LOG].data: $base85\n",
    'xe, core dump' => "**** Xe Device Coredump ****\nkernel: 6.14.0\nmodule: xe\n\n**** GuC Log ****\n"
        . "Log level: 3\n[LOG].length: 0x5000\n[LOG].data: $base85\n");
for my $carrier (sort keys %carrier) {
    open my $g, '>', "$dir/guc" or die;
    print $g $carrier{$carrier};
    close $g;
    says($carrier, (gpudbg("$dir/guc", commands('info dump')))[0],
        qr/events: 0x2000 bytes from 0x1000 on, written up to 0x1a40, read by the driver up to 0x40; it ran full 3 t/,
        qr/GuC has asked the driver to take what is there up to 0x1a00; format 1\.4/,
        qr/crash dump: 0x1000 bytes from 0x3000 on, written up to 0x0/,
        qr/state capture: 0x1000 bytes from 0x4000 on, pointers past its end \(read 0x0, written 0x9000\)/,
        qr/guc-log .*nothing public says what an entry means/, qr/object GuC log.*20480 bytes/);
}

# The media pipe and the video engines give the same numbers to other commands.
my @video = (0x13000003, 0, 0, 0, 0, 0x70000003, 2 << 16 | 2, 0, 0, 0, 0x71000001, 0, 0x05000000);
my $both = "$dir/video";
open my $f, '>', $both or die;
print $f "GPU HANG: ecode 9:4:0xfffffffe, in vlc [77], hang on vcs0\nKernel: 5.4.0\nPCI ID: 0x191b\n",
    "vcs0 command stream:\n  ACTHD: 0x00000000 00a01014\n  IPEHR: 0x70000003\n",
    packed('batch', 0xb01000, words(0x70000007, (0) x 8, 0x05000000)),
    packed('batch', 0xa01000, words(@video)) =~ s/^rcs0/vcs0/r;
close $f;
my ($text) = gpudbg($both, commands('packets'));
says('Gen9, both engines', $text, qr/batch of rcs0.*\n.*MEDIA_VFE_STATE/,
    qr/batch of vcs0.*video.*\n.*MI_FLUSH_DW.*\n.*MFX_PIPE_MODE_SELECT standard_select=AVC codec_select=decode/);
says('Gen9, vcs0', (gpudbg($both, commands('explain')))[0], qr/stands at vcs0 batch\+0x14: MFX_PIPE_MODE_SELECT/,
    qr/the last command parsed is MFX_PIPE_MODE_SELECT/);
# Captures of registers in the log (i915: guc_capture_fwif.h): a group of two lists, of a class and of the engine that
# hung.
my @lists = (0, 2 | 1 << 8, 0, 1, ~0, ~0, 1, 0x2034, 0x5870, 0, ~0, 0, 2 | 3 << 8, 0x81230, 7, 2, 0x2074, 0x439018,
    0, 0,
    0x2068, 0x7105000d, 0, 0);
my $captured = words(0xcabba9f7, 0xbeeffeed, 0x20, 0x20 + 4 * @lists, 0x1000, 0, 0, 0, 0x10000);
$captured .= "\0" x (4096 + 0x20 - length $captured) . words(@lists);
$captured .= "\0" x (0x2000 - length $captured);
open my $capture, '>', "$dir/guc" or die;
print $capture map { sprintf "0x%08x 0x%08x 0x%08x 0x%08x\n", unpack 'V4', $_ } unpack '(a16)*', $captured;
close $capture;
says('captures in the log', (gpudbg("$dir/guc", commands('info dump')))[0],
    qr/partial capture, registers of engine class 0: 1 by offset\n.* 0x2034=0x5870\n/,
    qr/partial capture, engine 0\.3, context 7, LRCA 0x81230: 2 by offset\n.* 0x2074=0x439018 0x2068=0x7105000d\n/);
# The part is a ring of bytes without gaps: the same captures, cut anywhere in words, are the same.
for my $cut (4, 8, 28, 36, 60) {
    my $bytes = words(@lists);
    my $ring = words(0xcabba9f7, 0xbeeffeed, 0x1000 - $cut, length($bytes) - $cut, 0x1000, 0, 0, 0, 0x10000);
    $ring .= "\0" x (4096 - length $ring) . substr($bytes, $cut);
    $ring .= "\0" x (0x2000 - $cut - length $ring) . substr($bytes, 0, $cut);
    open my $wrapped, '>', "$dir/guc" or die;
    print $wrapped map { sprintf "0x%08x 0x%08x 0x%08x 0x%08x\n", unpack 'V4', $_ } unpack '(a16)*', $ring;
    close $wrapped;
    says("captures that wrap behind $cut bytes", (gpudbg("$dir/guc", commands('info dump')))[0],
        qr/it has wrapped: behind 0x1000 it goes on at 0/, qr/class 0: 1 by offset\n.* 0x2034=0x5870\n/,
        qr/engine 0\.3, context 7, LRCA 0x81230: 2 by offset\n.* 0x2074=0x439018 0x2068=0x7105000d\n/);
}
# What was never written is not a value; a list of an unknown kind is passed over; events wrap where GuC says.
my @odd = (0, 2, 3, 9, ~0, ~0, 1, 0x1111, 0x2222, 0, ~0, 0, 0, ~0, ~0, 1, 0xa188, 0xdeadf00d, 0, 0);
my $odd = words(0xcabba9e6, 0xdeadfeed, 0x800, 0x40, 0x1000, 0, 0xfe8, 0, 0x10000,
    0xcabba9f7, 0xbeeffeed, 0, 4 * @odd, 0x1000, 0, 0, 0, 0x10000);
$odd .= "\0" x (0x2000 - length $odd) . words(@odd);
$odd .= "\0" x (0x3000 - length $odd);
open my $g, '>', "$dir/guc" or die;
print $g map { sprintf "0x%08x 0x%08x 0x%08x 0x%08x\n", unpack 'V4', $_ } unpack '(a16)*', $odd;
close $g;
says('odd captures', (gpudbg("$dir/guc", commands('info dump')))[0], qr/0xa188=\(never written\)/,
    qr/full capture, of virtual function 3, a list of kind 9, which no public source has: 1 by offset/,
    qr/events: .*it has wrapped: behind 0xfe8 it goes on at 0/);
# Registers as xe_guc_capture.c names them: each is one of its engine, not a fact.
my @names = (qw(FORCEWAKE_GT HWSTAM RING_HWS_PGA RING_HEAD RING_TAIL RING_CTL RING_MI_MODE RING_MODE RING_ESR RING_EMR
    RING_EIR RING_IMR IPEHR RING_INSTDONE INDIRECT_RING_STATE ACTHD RING_BBADDR RING_START RING_DMA_FADD
    RING_EXECLIST_STATUS RING_EXECLIST_SQ_CONTENTS RCU_MODE SC_INSTDONE SC_INSTDONE_EXTRA SC_INSTDONE_EXTRA2),
    map { $_ . "[3]" } qw(SFC_DONE SAMPLER_INSTDONE ROW_INSTDONE SC_INSTDONE SC_INSTDONE_EXTRA SC_INSTDONE_EXTRA2
    INSTDONE_GEOM_SVGUNIT));
open $g, '>', "$dir/guc" or die;
print $g "**** Xe Device Coredump ****\nkernel: 6.15.0\nmodule: xe\nPCI ID: 0x64a0\n\n**** HW Engines ****\n",
    "rcs0 (physical), logical instance=0\n\tCapture_source: GuC\n\tCoverage: partial-capture\n",
    map { "\t$_: 0x0000abcd\n" } @names;
close $g;
my %told = map { $_->{name} => $_->{unit} } grep { $_->{type} eq 'register' && $_->{value} eq '0xabcd' }
    records("$dir/guc", commands('info dump'));
is_deeply [grep { ($told{$_} // '') ne 'rcs0' } @names], [], 'registers of a capture of xe';

# ---- Every device id that Linux has from Gen4 on names its generation ----
my %asked;
open my $ids, '<', "$FindBin::Bin/../data/dumps/pciids.tsv" or die "pciids.tsv: $!\n";
while (<$ids>) {
    next if /^#/;
    my ($family, @ids) = split;
    for my $id (@ids) {
        open my $state, '>', "$dir/pci.txt" or die;
        print $state "GPU HANG: ecode 0:1:0x84dffffe, in demo [42]\nPCI ID: 0x$id\nEIR: 0x00000000\n",
            "rcs0 command stream:\n  START: 0x0000a000\n  ACTHD: 0x00000000 00a01008\n  IPEHR: 0x7b000005\n";
        close $state;
        my ($capture) = grep { $_->{type} eq 'capture' } records("$dir/pci.txt", commands('info dump'));
        push $asked{$family}->@*, $id if ($capture->{family} // '') ne $family;
    }
    is_deeply $asked{$family} // [], [], "$family: @{[scalar @ids]} device ids";
}

# ---- A part of an error state that a person quotes below the driver's lines, with remarks behind its words ----
{
    open my $part, '>', "$dir/part.txt" or die;
    print $part "[  10.000000] [drm] GPU HANG: ecode 8:0:0x84dffffe, in demo [42]\n\n",
        "this is what the ring has:\nrender ring --- ringbuffer = 0x00015000\n00000000 :  18800001 // here\n",
        "00000004 :  00a01000  <-- and this\n00000008 :  00000000\n0000000c :  7a000004\n",
        map { sprintf "%08x :  00000000\n", 4 * $_ } 4 .. 9;
    close $part;
    my ($said) = gpudbg("$dir/part.txt", commands('packets', 'explain'));
    like $said, qr/0x15000  MI_BATCH_BUFFER_START address=0xa01000$/m, 'words with remarks are read';
    like $said, qr/0x1500c  PIPE_CONTROL/, '... to the last command';
    unlike $said, qr/only the driver's line is here/, '... and the verdict does not deny them';
}
done_testing;
