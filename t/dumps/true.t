#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What explain says of logs is true: each case is a log, what must be said, and what must not.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
$ENV{XDG_CONFIG_HOME} = '/nonexistent';
my $n = 0;
sub said { # of a log's lines, by explain
    my (@lines) = @_;
    my $file = "$dir/" . $n++ . '.log';
    open my $f, '>', $file or die $!;
    print $f map { "$_\n" } @lines;
    close $f;
    return scalar `$program --batch $file -e explain 2>&1`;
}
sub says { # texts as patterns; those that begin with ! must not be there
    my ($name, $lines, @texts) = @_;
    my $said = said(@$lines);
    subtest $name => sub {
        for my $text (@texts) {
            my $not = $text =~ s/^!//;
            $not ? unlike $said, qr/$text/, "not: $text" : like $said, qr/$text/, $text;
        }
    };
}
my $amd = 'amdgpu 0000:03:00.0: amdgpu:';

# Generations: a set with reasons; signs against one another are both named.
says 'a block says the generation', ["$amd hw_init of IP block <gfx_v7_0> failed -110"], 'capture 0, gfx7', '!gfx1\d';
says 'firmware says the generation', ['[    4.1] amdgpu 0000:03:00.0: Direct firmware load for '
    . 'amdgpu/MULLINS_pfp.bin failed with error -2', "$amd Fatal error during GPU init"], 'gfx7';
says 'a chip, and a block of another generation',
    ["$amd initializing kernel modesetting (KAVERI 0x1002:0x130F 0x1002:0x0B00 0x00).",
    "$amd hw_init of IP block <gfx_v8_0> failed -110"], 'KAVERI, gfx7', 'KAVERI says gfx7 .*gfx_v8_0 says gfx8';
says 'the name of a function against the lines',
    ["$amd [gfxhub] page fault (src_id:0 ring:40 vmid:5 pasid:129)", "$amd   in page starting at address "
    . '0x00007f1200000000 from client 10', '[drm:gfx_v9_4_2_set_power_brake_sequence [amdgpu]] *ERROR* failed'],
    'gfx11 or gfx12', '!gfx9', '!signs of two';
says 'radeon does not say more than it knows', ['radeon 0000:01:00.0: ring 0 stalled for more than 10240msec'],
    'ring gfx made no progress', '!gfx7', '!fit it';
says 'a client without a name',
    ["amdgpu 0000:01:00.0: VM fault (0x04, vmid 3) at page 4660, read from '' (0x00000000) (72)"],
    'TC .* could not read', '! \(\) could';
my $late = "$amd ring gfx_0.0.0 timeout, signaled seq=4, emitted seq=6";
for (['gfx1201', 'gfx12'], ['(Navi 33)', 'gfx11'], ['my RX7900XT', 'gfx11'], ['an RX 5600', 'gfx10'],
    ['780M', 'gfx11'], ['gfx1036', 'gfx10.3'], ['RX 6800 XT', 'gfx10.3'], ['gfx1012', 'gfx10']) {
    says "a person's text names $_->[0]", ["It hangs: $_->[0]", $late],
        "capture 0, $_->[1],", 'the text beside the log';
}
says 'a board that the lines rule out', ['my RX 580 was fine', $late], 'gfx10, gfx10\.3, gfx11 or gfx12', '!gfx8';
says 'two boards', ['from RX 6600 to RX 7600', $late], 'capture 0, gfx10\.3 or gfx11,';
# gfx10 and gfx10.3 have one driver: its functions and blocks do not tell which.
for (["$amd hw_init of IP block <gfx_v10_0> failed -110", 'gfx10 or gfx10\.3'],
    ['[drm:gfx_v10_0_hw_fini [amdgpu]] *ERROR* KGQ disable failed in ring 0', 'gfx10 or gfx10\.3'],
    ['amdgpu 0000:03:00.0: Direct firmware load for amdgpu/navy_flounder_sos.bin failed with error -2', 'gfx10\.3'],
    ['amdgpu 0000:03:00.0: Direct firmware load for amdgpu/navi10_sos.bin failed with error -2', 'gfx10'],
    ['amdgpu 0000:03:00.0: Direct firmware load for amdgpu/gc_10_3_6_me.bin failed with error -2', 'gfx10\.3'],
    ["$amd initializing kernel modesetting (SIENNA_CICHLID 0x1002:0x73BF 0x1002:0x0E3A 0xC1).\n$late", 'gfx10\.3'],
    ["$amd initializing kernel modesetting (IP DISCOVERY 0x1002:0x164E 0x1002:0x0E3A 0xC1).\n$late", 'gfx10\.3']) {
    says "which gfx10: $_->[1]", [$_->[0]], "capture 0, (?:\\w+, )?$_->[1],";
}
says 'a chip, then a block that fits it', ["$amd initializing kernel modesetting (NAVI10 0x1002:0x731F 0x1DA2:0xE411).",
    "$amd detected ip block number 6 <gfx_v10_0>", $late], 'capture 0, NAVI10, gfx10,', '!mixed', '!signs of two';
# i915 counts several generations alike; firmware, an id, the text beside the log say which it is.
my $i915 = '[    1.0] i915 0000:03:00.0: [drm]';
for (['', 12, 'gen12 or gen12\.5'], ['', 7, 'gen7 or gen7\.5'], ['an Arc A770', 12, 'gen12\.5'],
    ['Tigerlake', 12, 'gen12'], ['Haswell', 7, 'gen7\.5'], ['A770, not Alder Lake', 12, 'gen12 or gen12\.5'],
    ['GPU: [8086:56a1] (rev 08)', 12, 'gen12\.5'], ['Skylake', 12, 'gen12 or gen12\.5'], ['', 9, 'gen9'],
    ["$i915 GuC firmware i915/adlp_guc_70.bin version 70.5.1", 12, 'gen12'],
    ["$i915 Found dg2/g10 (device ID 56a1) discrete display version 13.00", 12, 'gen12\.5']) {
    my ($text, $number, $family) = @$_;
    says "ecode $number, '$text'", [$text, "$i915 GPU HANG: ecode $number:1:85dffffb, in demo [42]"],
        "capture 0, $family,", '!mixed';
    next if $text =~ /770/; # what stands in front is read first
    says "ecode $number, then '$text'", ["$i915 GPU HANG: ecode $number:1:85dffffb, in demo [42]", '', $text],
        "capture 0, $family,", '!mixed';
}
says 'a board of xe', ['my B580', 'xe 0000:03:00.0: [drm] *ERROR* GT0: load failed: status = 0x80007134'],
    'capture 0, Xe2,';
says "engines by the mask's bits", ["$i915 GPU HANG: ecode 9:4:85dffffb"], 'found a video engine \(vcs\) hung';
my @core = ('**** AMDGPU Device Coredump ****', 'SOC Family: 143', 'SOC Revision id: 0');
says 'a core dump of gfx10.3', [@core, 'SOC External Revision id: 50',
    'IP Type: 0 Ring Name: gfx_0.0.0'], 'gfx10\.3,', '!gfx10 or';
says 'a core dump of gfx10', [@core, 'SOC External Revision id: 1',
    'IP Type: 0 Ring Name: gfx_0.0.0'], 'gfx10,', '!gfx10\.3';
# A device that is given up without a reset was not reset in vain.
says 'no reset was made', ['xe 0000:03:00.0: [drm] *ERROR* GT1: load failed: status = 0x80007134, time = 8ms',
    'xe 0000:03:00.0: [drm] *ERROR* CRITICAL: Xe has declared device 0000:03:00.0 as wedged.'],
    'the driver declared the device wedged', '!a reset of';
# xe tells of a whole reset in one line: a second one of the engine is another reset, not the first again.
my $xe = 'xe 0000:3d:00.0: [drm] Tile0: GT0: Engine reset: engine_class=';
says 'two resets of one engine', ["[ 10.1] ${xe}ccs, logical_mask: 0x1, guc_id=9, state=0x29",
    "[ 16.2] ${xe}bcs, logical_mask: 0x2, guc_id=0, state=0x209",
    "[ 90.3] ${xe}ccs, logical_mask: 0x1, guc_id=9, state=0x29"],
    'from reset-done line 1; told 2 times, the last on line 3', 'reset of bcs alone';
# i915's reason of a reset is what it found; a fence that did not come follows from that.
says 'an engine that hangs', ['[ 3759.9] Asynchronous wait on fence i915:X[882]:13ae0 timed out (hint:a+0x0/0x60)',
    '[ 3760.5] i915 0000:00:02.0: Resetting rcs0 for hang on rcs0'],
    'verdict: the driver found rcs0 hung, and resets rcs0 alone', 'a fence that somebody waits for';
says 'a reset of a ring alone that sufficed', ["$amd ring gfx_0.0.0 timeout, signaled seq=4, emitted seq=6",
    "$amd Ring gfx_0.0.0 reset succeeded", "$amd [drm] device wedged, but no recovery needed"],
    'a reset of gfx_0.0.0 alone followed and ended well', '!wedged', '!does not know';
# Instructions at page 0 are a jump, not a descriptor.
says 'instructions at page 0', ["$amd [gfxhub] page fault (src_id:0 ring:88 vmid:8 pasid:32787)",
    "$amd  Process demo pid 70131 thread worker 0 pid 70175",
    "$amd   in page starting at address 0x0000000000000000 from client 10",
    "$amd GCVM_L2_PROTECTION_FAULT_STATUS:0x008012B0", "$amd \t Faulty UTCL2 client ID: SQC (inst) (0x9)",
    "$amd \t PERMISSION_FAULTS: 0xb"], 'likely a jump to a null pointer', '!descriptor';
# A load from page 0 is none: its checks are those of a page that is there and of a read.
says 'a load from page 0', ["$amd [gfxhub] page fault (src_id:0 ring:24 vmid:8 pasid:32772)",
    "$amd   in page starting at address 0x0000000000000000 from client 0x1b (UTCL2)",
    "$amd GCVM_L2_PROTECTION_FAULT_STATUS:0x00801030", "$amd \t Faulty UTCL2 client ID: TCP (0x8)",
    "$amd \t PERMISSION_FAULTS: 0x3"], 'likely a null pointer or an empty descriptor', '!jump';
says 'a reset by BACO of an older kernel', ['amdgpu 0000:67:00.0: GPU reset begin!', 'Evicting PASID 0x8003 queues',
    'amdgpu 0000:67:00.0: GPU BACO reset', 'amdgpu 0000:67:00.0: GPU reset succeeded, trying to resume'],
    'a reset of the GPU \(BACO\) worked', 'the process with PASID 0x8003';
# Queues come and go: a failure of the kernel itself is the verdict.
says 'an oops behind queues that were taken off', ['[ 7.0] Evicting PASID 0x801a queues',
    '[ 9.0] BUG: kernel NULL pointer dereference, address: 0000000000000008',
    '[ 9.1] RIP: 0010:amdgpu_vm_sdma_commit+0x55/0x140 [amdgpu]'],
    'verdict: the kernel used a null pointer in amdgpu_vm_sdma_commit', 'PASID 0x801a were taken off the hardware';
# A pager cut the line: the message's number is whole.
says 'the message that the SMU is busy with',
    ["$amd SMU: I'm not done with your previous command: SMN_C2PMSG_66:0x00000029 SMN_C2PMS>"],
    'did not answer the driver.s message 0x00000029:', '!SMN';
# As many lines as wait for the kernel's are told beside its failure; for each of thousands the failure is not sought.
{
    my $log = "$dir/lost.log";
    open my $f, '>', $log or die $!;
    print $f "$amd ring gfx_0.0.0 timeout, signaled seq=4, emitted seq=6\n\n",
        map { "radv/amdgpu: The CS has been cancelled because the context is lost. number $_\n" } 1 .. 20000;
    close $f;
    my $said = `$program --batch $log -e 'info dump incidents'`;
    is scalar(() = $said =~ /context-told/g), 64, 'the first 64 lines of a lost context wait for the kernel';
    like $said, qr/context-lost "number 65"/, '... the next one is an incident of its own';
}
# In a journal that is sorted backwards the process that a fault names is on the fault's own lines.
says 'whose fault it was, backwards', [
    "Jul 23 10:14:37 box kernel: $amd Process information: process Xorg pid 21 thread X pid 22",
    "Jul 23 10:14:37 box kernel: $amd ring gfx timeout, signaled seq=1, emitted seq=2",
    "Jul 23 10:14:28 box kernel: $amd      RW: 0x0", "Jul 23 10:14:28 box kernel: $amd      PERMISSION_FAULTS: 0x3",
    "Jul 23 10:14:28 box kernel: $amd VM_L2_PROTECTION_FAULT_STATUS:0x00101031",
    "Jul 23 10:14:28 box kernel: $amd   in page starting at address 0x0000800104044000 from IH client 0x1b (UTCL2)",
    "Jul 23 10:14:28 box kernel: $amd [gfxhub0] no-retry page fault (src_id:0 ring:24 vmid:1 pasid:32770, for "
    . 'process game pid 92 thread game:cs0 pid 93)'], 'verdict: .*; work of game, pid 92';
# Of two faults the one that is known wins, and no shader reads through the hub of video.
my @video = ("$amd [mmhub0] no-retry page fault (src_id:0 ring:40 vmid:5 pasid:32770, for process f pid 1 thread "
    . 'f pid 2)',
    "$amd   in page starting at address 0x0000800102d0e000 from IH client 0x12 (VMC)");
says 'the known fault is the verdict', [@video, "$amd VM_L2_PROTECTION_FAULT_STATUS:0x00243851",
    "$amd \t Faulty UTCL2 client ID: VCN (0x1c)", @video],
    'verdict: VCN \(the video engine\) could not write', '!a shader';
# Clients that old kernels give as numbers: of the graphics hub they are known.
for (['', 8, 'TCP'], ['', 3, 'WD'], ['GC', 8, 'TCP'], ['GC', 2, 'GE1'], ['GC', 13, 'SDMA0']) {
    my ($front, $client, $name) = @$_;
    my $status = sprintf '0x%08X', 0x00101031 & ~0x3fe00 | $client << 9;
    says "client $client of ${front}VM", [$amd . ($front ? ' [gfxhub] ' : ' [gfxhub0] no-retry ')
        . 'page fault (src_id:0 ring:24 vmid:1 pasid:32769)',
        "$amd   in page starting at address 0x0000000102a02000 from 27",
        "$amd ${front}VM_L2_PROTECTION_FAULT_STATUS:$status"], "verdict: $name \\(.*could not read 0x102a02000";
}
says 'a client of the other hub has no name', [
    "$amd [mmhub0] no-retry page fault (src_id:0 ring:24 vmid:1 pasid:32769)",
    "$amd   in page starting at address 0x0000000102a02000 from 18", "$amd VM_L2_PROTECTION_FAULT_STATUS:0x00101031"],
    'verdict: client 8 could not read';
# The first version of rocm-debug-agent.
says 'waves of the first debug agent', ['[rocr debug agent]: ', 'Memory access fault by GPU agent: AMD gfx900',
    'Node: 1', 'Address: 0x18DB4xxx (page not present;write access to a read-only page;)', '',
    '64 wavefront(s) found in XNACK error state @PC: 0x0000001100E01310', 'printing the first one: ', '',
    '   EXEC: 0xFFFFFFFFFFFFFFFF', ' STATUS: 0x00412460', '     s0: 0x00C00000    s1: 0x80000010',
    '16 wavefront(s) found in @PC: 0x0000001100E01400'], 'capture 0, gfx9,',
    '0x18db4000 failed: page not present, write access to a read-only page',
    '64 waves stand at 0x1100e01310; stopped: met a page', '16 waves stand at 0x1100e01400';
says 'a queue of the first debug agent', ['Queue error state in GPU agent: AMD gfx906', 'Node: 2',
    'Queue ID: 7 (Debug trap;)', '1 wavefront(s) found in @PC: 0x0000001100E01310'],
    'the runtime stopped queue 7: Debug trap', 'a wave stands at 0x1100e01310';
says 'a queue whose number has 47 bits', ['Queue error state in GPU agent: AMD gfx906', 'Node: 1',
    'Queue ID: 139980058624000 (Out of VGPRs;)'], 'stopped queue 139980058624000: Out of VGPRs';
says 'code that the agent lists, and no wave', ['Disassembly for function void scan::kernel<true, int>(int*, long):',
    ' => 0x7f00a0001030 <+48>:    s_waitcnt lgkmcnt(0)', '    0x7f00a0001034 <+52>:    s_mov_b32 s9, s8',
    'End of disassembly.', 'aborting with error : HSA_STATUS_ERROR_MEMORY_FAULT: no access. code: 0x2b'],
    'a wave stands at void scan::kernel<true, int>\+0x30: s_waitcnt', '!a wave waits';
says 'what ROCR-Runtime says of a queue', ['Queue at 0x7f3899753000 inactivated due to async error:',
    "\tHSA_STATUS_ERROR_INVALID_ALLOCATION: The requested allocation is not valid."], 'asks for more LDS';
says 'the name of a status alone', ["$amd GPU reset begin!", 'hsa_init: HSA_STATUS_ERROR_INVALID_ISA (0x100f)'],
    '!stopped a queue';
# Told again with other numbers: the sentence is of the last line, and so is the line that is named.
my @waves = map { "[22340.22049$_] amdgpu: sq_intr: error, detail 0x00000000, type 1, sh 1, priv 1, wave_id $_, "
    . 'simd_id 0, wgp_id 0' } 4, 2, 7;
says 'the line of a sentence that changes', \@waves, 'slot 7; .*line 3\)', 'wave-error line 3; told 3 times';
says 'the line of a sentence that stays', [@waves[0, 0]], 'slot 4; .*line 1\)',
    'line 1; told 2 times, the last on line 2';
{
    open my $f, '>', "$dir/waves.log" or die;
    print $f map { "$_\n" } @waves;
    close $f;
    like scalar `$program --batch --screen 100x24 -e screenshot $dir/waves.log`,
        qr/slot 7.*wave-error, line 3:.*2 times before it, from line 1/s, 'the pane says where it began';
}
says 'an error of no function', ['[   12.3] [drm] *ERROR* a thing that nobody knows'],
    'does not know: .*a thing that nobody knows', '!drm: a thing';
says 'an error of the device of amdkfd', ["$amd GPU reset begin!", 'kfd kfd: amdgpu: a thing that nobody knows failed'],
    'does not know: .*a thing that nobody knows failed';
says 'a hang of the blitter', ['i915 0000:00:02.0: [drm] GPU HANG: ecode 11:2:84dffffb, in ffmpeg [1234]'],
    'engines 0x2', '!3DPRIMITIVE', '!PIPE_CONTROL';
says 'a hang of the render engine', ['i915 0000:00:02.0: [drm] GPU HANG: ecode 11:1:84dffffb, in ffmpeg [1234]'],
    'engines 0x1', 'PIPE_CONTROL';
says "MetaX's driver", ['[ 1234.100000] METAX.B10200.ATU.ERROR xpid 1 vfid 0 vf 0 page va 224200000'],
    "of MetaX's driver", '!page-fault';
says 'facility and level in front', [
    '2022-06-07T20:04:32.80709 kern.err: [  416.963373] [drm:amdgpu_job_timedout [amdgpu]] '
    . '*ERROR* ring vcn_dec_1 timeout, signaled seq=623, emitted seq=624'], 'ring vcn_dec_1: the job after 623';
says 'facility and level without a time', ["kern.warn: [  416.9] $late"], 'ring gfx_0.0.0: the job after 4';
says 'an unknown error of a device of FreeBSD', ['drmn0: [drm] *ERROR* GT0: GUC: a thing that nobody knows',
    'drmn0: [drm] *ERROR* GT0: GUC: CT: Failed to handle HXG message (0xffffffffffffff82e) ffff'],
    'does not know: .*a thing that nobody knows', 'a message of GuC could not be handled';
says 'a name of firmware ends', [
    '[   24.7] i915 0000:03:00.0: [drm] Failed to load DMC firmware i915/dg2_dmc_ver2_08.bin. '
    . 'Disabling runtime power management.'], "firmware i915/dg2_dmc_ver2_08.bin could not be loaded: the GPU is not";
says 'an indented line of a text', ['a text', '',
    '    [drm:intel_cpu_fifo_underrun_irq_handler [i915]] *ERROR* CPU pipe A '
    . 'FIFO underrun'], 'pipe A got its pixels too late';
says 'a host without a time', ['dom0 kernel: i915 0000:00:02.0: [drm] *ERROR* CPU pipe B FIFO underrun'], 'pipe B got';
says 'a reset that is switched off', ["$amd ring gfx timeout, signaled seq=1, emitted seq=2",
    "$amd GPU recovery disabled."],
    'that is switched off', '!does not know';
# Lines that differ from one that said nothing in digits alone are passed over; what follows them is not.
my @chatter = map { ("[ $_.5] usb 1-$_: new device number $_", "[ $_.6] audit: type=1400 audit(17.$_)") } 1000 .. 2999;
my @waits = ("[ 3001.0] WARNING: CPU: 2 PID: 5 at drivers/gpu/drm/i915/i915_vma.c:3",
    (map { ("[ 3001.$_] x: $_") } 1 .. 9), '[ 3002.0] RIP: 0010:i915_vma_pin+0x6e/0xa0 [i915]');
says 'behind chatter', [@chatter, "[ 3000.1] $late", @chatter, @waits, @chatter],
    'ring gfx_0.0.0: the job after 4 .*line 4001', 'the kernel warns in i915_vma_pin of i915';
says 'chatter alone', [@chatter], 'no loader recognises';
says "a log behind 'Kernel: 6.18'", ['Kernel: 6.18.2', 'Version: 7', '',
    '[    4.1] WARNING: /x/drivers/gpu/drm/i915/display/intel_dmc.c:696 at assert_dmc_loaded+0x1/0x2 [xe], CPU#1: w/3'],
    'the kernel warns in assert_dmc_loaded of xe \(intel_dmc.c:696\)';
# What people put around a line.
says "$_->[0] x $_->[1]", [$_->[0] x $_->[1], $late], 'ring gfx_0.0.0: the job after 4'
    for ['`', 81], ['# ', 300], ['> `', 200], ['- # ', 100];
says 'a level and a blank in front of the time', [
    '<3> [85.046836] [drm:fw_domains_get [i915]] *ERROR* render: timed out waiting for forcewake ack request.'],
    'power domain render did not wake up', '!85\.046836\]';
says 'a line in backticks', ['`[ 4168.4] i915 0000:00:02.0: [drm] *ERROR* CPU pipe A FIFO underrun: port,transcoder,`'],
    'pipe A got its pixels too late';
says 'a new context that gets no request', ['[drm:0xffffffff82d13431s] *ERROR* ring create req: -5'],
    'prepares a new context \(error -5\)', '!no place';
says 'objects of the display by name', [map { "[  1.1] [drm:drm_atomic_helper_wait_for_dependencies] *ERROR* $_" }
    '[PLANE:52:plane-20] flip_done timed out', '[CONNECTOR:32:HDMI-A-1] flip_done timed out',
    '[CRTC:32:pipe A] hw_done timed out'], 'plane 52:plane-20', 'connector 32:HDMI-A-1', 'CRTC 32:pipe A';
says 'firmware that FreeBSD does not find', ["drmn0: could not load firmware image 'amdgpu/navy_flounder_sos.bin'",
    'drmn0: failed to init sos firmware', 'drmn0: failed to load firmware with name: amdgpu/navi10_gpu_info.bin'],
    'firmware amdgpu/navy_flounder_sos.bin could not', 'part sos', 'navi10_gpu_info.bin could not be loaded';
says 'firmware by its number', ['[drm] failed to load ucode id (12)', '[drm] psp command failed and response status is '
    . '(-53233)', '[drm ERROR :psp_cmd_submit_buf] failed loading with status (-53233) and ucode id (10)'],
    'number 12', 'number 10 \(status -53233\)', 'answered a command with status -53233';
says 'a reset of one ring is told once', ["[  1.1] $late", "[  1.2] $amd Starting comp_1.1.0 ring reset",
    "[  1.3] $amd reset compute queue (1:1:0)", "[  1.4] $amd Ring comp_1.1.0 reset succeeded"],
    'a reset of comp_1.1.0 alone ended well', '!not told';
says 'what came before did not follow', ['[  3.1] i915 0000:00:02.0: [drm] Resetting chip for GuC failed to reset '
    . 'engine mask=0x1', '[  3.2] i915 0000:00:02.0: [drm] *ERROR* vdbox1: timed out waiting for '
    . 'forcewake ack request.'],
    'verdict: power domain vdbox1 did not wake', '!a reset followed';
says 'a step of a recovery is no failure', ["[  5.1] $late", "[  5.2] $amd GPU reset begin!",
    "[  5.3] $amd recover vram bo from shadow done"], '!does not know';
says 'a line behind the mark of a block', ['```[  7.1] i915 0000:00:02.0: [drm] Resetting rcs0 for preemption time out',
    '[  7.2] i915 0000:00:02.0: [drm] GPU HANG: ecode 11:1:85dffffb, in demo [7]'], 'resets rcs0 alone';
says 'a message to the SMU', ["$amd SMU: I'm not done with your previous command: SMN_C2PMSG_66:0x00000012 "
    . 'SMN_C2PMSG_82:0x00000005'], 'message 0x00000012:';
# Waves of any generation, by where they stand.
like scalar `$program --batch t/data/explain/debug-agent.txt -e explain`,
    qr/verdict: 2 waves stand at blur\+0x44: s_waitcnt vmcnt\(0\), which waits for vector memory; stopped: MEMORY_VIOL/,
    'waves of an agent';
# The agent's layouts: its versions 2.0 (to ROCm 5.4), that of ROCm 6.2, and those that name the kernel.
my @agent = ('wave_3: pc=0x7f0010d0e8', '', 'system registers:',
    '            m0: 00000000        status: 00012461       trapsts: 20000100          mode: 000003c0',
    '         ttmp4: 0000abcd         ttmp5: 00000000',
    '          exec: 00000000000000ff           vcc: 0000000000000003',
    '', 'vector registers:', '            v0: [0] 00000000 [1] f1002004', '', 'Local memory content:',
    '    0x0000: 22222222 11111111 22222222 11111111 22222222 11111111 22222222 11111111',
    '    0x0020: 00000009', '', 'Disassembly for function add(int*, int*):',
    '    code object: file:///a#offset=1&size=3',
    '    loaded at: [0x7f0010c000-0x7f0010e070]', '', '/tmp/add.cpp:', '53          __builtin_trap ();',
    '    0x7f0010d0e4 <+132>:    s_waitcnt lgkmcnt(0)', ' => 0x7f0010d0e8 <+136>:    s_trap 2', '',
    'End of disassembly.');
for (['5.4', ''], ['6.2', ''], ['6.3', ' (kernel_code_entry=not available)'],
    ['6.4', ' (kernel_code_entry=0x7f0010d060 <void n::add<128, w<4> >(int*)>)'],
    ['7.2', ' (kernel_code_entry=0x7f0010d060 <add>, kernargs=0x7f00a000)']) {
    my ($version, $entry) = @$_;
    my ($wave, @rest) = @agent;
    $wave .= "$entry (stopped, reason: ASSERT_TRAP)";
    my @front = $version eq '5.4'
        ? ('System event (HSA_AMD_GPU_MEMORY_FAULT_EVENT)', 'Faulting page: 0x7f0bcc0f000', '') : ();
    says "the agent of ROCm $version", [@front, '-' x 56, $wave, @rest],
        'a wave stands at add\+0x88: s_trap 2; met an access', 'ASSERT_TRAP \(for example wave_3\)',
        @front ? 'access to 0x7f0bcc0f000 failed' : '!failed', '!does not know';
    says "... without its code", [@front, $wave, @rest[0 .. 8]], $version eq '6.4'
        ? 'a wave stands at 0x7f0010d0e8 in void n::add<128, w<4> >;' : 'a wave stands at 0x7f0010d0e8';
}
my $agent = "$dir/agent.txt";
open my $to, '>', $agent or die $!;
print $to map { "$_\n" } "$agent[0] (running)", @agent[1 .. $#agent];
close $to;
my $held = `$program --batch --json $agent -e 'info dump'`;
like $held, qr/"name":"$_->[0]"[^\n]*"unit":"wave_3"[^\n]*"value":"$_->[1]"/, "an agent's wave: $_->[0]"
    for ['VCC_LO', '0x3'], ['SQ_WAVE_STATUS', '0x12461'], ['SQ_WAVE_EXEC_LO', '0xff'];
like $held, qr/"kind":"lds"[^\n]*"size":36\b/, '... and its local memory';
like $held, qr/"type":"dump-wave"[^\n]*"pc":"0x7f0010d0e8"/, '... and its pc';
says 'an agent of gfx12', [$agent[0] . ' (stopped, reason: MEMORY_VIOLATION)',
    '    state_priv: 00000000  excp_flag_priv: 00000010'], 'capture 0, gfx12,',
    'met an access to memory that is not all';
# Banks of errors of AMD's accelerators: bits of STATUS, IPID and MISC as amdgpu_aca.h has them.
sub bank { # of registers by name, under both forms of the line
    my ($form, %of) = @_;
    return map { sprintf "$amd {1}[Hardware Error]: %s.%s=0x%s", $form, $_, $of{$_} } sort keys %of;
}
my %umc = (STATUS => 'bea0000000040137', ADDR => '0000000000000123', MISC0 => 'd008000700000000',
    IPID => '0000d09600350f01', SYND => '000000000a800e04', CONFIG => '000001b700000077');
for my $form ('ACA[01/01]', 'aca entry[00]') {
    says "a bank of errors, $form", [bank($form, %umc)], 'verdict: an error was not corrected in a memory controller ',
        'of socket 5, die 3, STATUS 0xbea0000000040137: codes 0x137 and 0x4; the block\'s state .*a task\'s state',
        'address 0x123; syndrome 0xa800e04; counted: 7', '!does not know';
}
for (['9c20400000040137', 'an error was corrected.*; ECC corrected it;'],
    ['9820000000040137', 'an error was corrected in a memory controller', '!address', '!ECC'],
    ['dc20100000040137', 'left to whoever uses the data \(deferred\)'],
    ['9c20080000040137', 'damaged was used \(poison'], ['fc20000000040137', 'not corrected.*others were lost'],
    ['3c20000000040137', 'holds none that is valid: STATUS 0x3c2', '!UMC']) {
    my ($status, @texts) = @$_;
    says "STATUS $status", [bank('ACA[01/02]', %umc, STATUS => $status)], @texts;
}
says 'two banks', [bank('ACA[01/02]', %umc),
    bank('ACA[02/02]', STATUS => '9c20400000000000', IPID => '00010001abc00000')],
    'a memory controller', 'in the controller of power and clocks \(SMU\) of socket 0, die 0';
says 'a bank of a block that nobody knows', [bank('ACA[01/01]', %umc, IPID => '0003012300000000')],
    'block 0x123, type 0x3, which gpudbg does not know';
says 'a bank without its STATUS', [bank('ACA[01/01]', SYND => '12')], 'without its STATUS';
# A session of ROCgdb: where it stopped, the instruction there, registers, and its tables.
my $thread = 'Thread 6 "fee" received signal SIGBUS, Bus error.';
my @stop = ($thread, '[Switching to thread 6, lane 0 (AMDGPU Lane 1:2:1:1/0 (0,0,0)[0,0,0])]',
    '0x00007fffed269020 in jones (nmax=3) at ./fee.h:317', "317\t            out[i] = in[modified];");
my @at = ('(gdb) x/i $pc', "=> 0x7fffed269020 <jones+32>:\ts_waitcnt vmcnt(0)");
my @dump = ('Dump of assembler code for function jones:', "   0x00007fffed269018 <+24>:\ts_nop 0",
    "=> 0x00007fffed269020 <+32>:\t00 00 70 bf\ts_waitcnt vmcnt(0)", 'End of assembler dump.');
my @tables = ('(gdb) info threads', '  Id   Target Id                                 Frame',
    '  1    Thread 0x7fffed309180 (LWP 145680) "crux" 0x00007fffed4996a2 in ?? () from /opt/libhsa-runtime64.so.1',
    '* 6    AMDGPU Wave 1:2:1:1 (0,0,0)/0 "fee"     0x00007fffed269020 in jones (nmax=3) at ./fee.h:317',
    map({ "  $_  AMDGPU Wave 1:2:1:$_ (0,0,0)/1 \"a fee\"  0x00007fffed269020 in jones (n=3) at ./fee.h:317" } 7, 8),
    '  9    AMDGPU Wave 1:2:1:9 (1,0,0)/0 "fee"     jones () at ./fee.h:310',
    '  10   AMDGPU Wave 1:2:1:10 (1,0,0)/1 "fee"     (running)',
    '* 1  A     AMDGPU Agent (GPUID 35090) gfx1101       AMD Radeon RX 7800 XT 60   1920    0000:4a:00.0',
    '  2  A     AMDGPU Agent (GPUID 35091) gfx90a        AMD Instinct MI210 416   3328    0000:5a:00.0',
    '  1    AMDGPU Queue 1:1 (QID 0) HSA          2      2      4096     0x00007ffff626e000',
    '* 2    AMDGPU Queue 1:2 (QID 1) HSA          0      2      1048576  0x00007fffe5800000',
    '* 1    AMDGPU Dispatch 1:2:1 (PKID 0) [256,1,1] [128,1,1]   B|Aa|Ra jones(int)');
for (['x/i', @at], ['disassemble', @dump]) {
    my ($name, @code) = @$_;
    says "ROCgdb, $name", [@stop, @code, @tables],
        'a wave stands at jones\+0x20: s_waitcnt vmcnt\(0\).*SIGBUS, Bus error', 'capture 0, gfx11,',
        '2 waves wait for vector memory at jones\+0x20: s_waitcnt', 'a wave stands at jones, fee.h:310 ',
        'queue 1:2 of the runtime was at a dispatch of jones, grid=\[256,1,1\].*not taken: 2',
        '!0x7fffed4996a2', '!queue 1:1';
}
says "... of the processor's threads alone", [$thread, '[Switching to Thread 0x7fffed309180 (LWP 9)]',
    '0x00007fffed4996a2 in ioctl () from libc.so', "=> 0x7fffed4996a2 <ioctl+32>:\tmov %rax,%rbx", @tables[0 .. 2],
    $tables[7]], '!stands at 0x', '!ioctl';
my $session = "$dir/rocgdb.txt";
open $to, '>', $session or die $!;
print $to map { "$_\n" } @stop, 'pc             0x7fffed269020      0x7fffed269020 <jones+32>',
    'exec           0xff0f              65295', 's3             0x12345678          305419896',
    'v5             {0x0 <repeats 31 times>, 0x7}', @tables;
close $to;
$held = `$program --batch --json $session -e 'info dump'`;
is scalar(() = $held =~ /"type":"dump-wave"/g), 4, 'four waves, told once each';
like $held, qr/"type":"dump-wave","number":0,"unit":"wave 1:2:1:1","pc":"0x7fffed269020"[^\n]*"vectors":1/,
    '... with its pc and vector';
like $held, qr/"name":"SQ_WAVE_EXEC_LO"[^\n]*"unit":"wave 1:2:1:1"[^\n]*"value":"0xff0f"/, '... and EXEC';
my $tool = 't/data/explain/gputool.txt'; # its words are gfx8's s_waitcnt vmcnt(0) and s_barrier
my $tells = `$program --batch $tool -e explain`;
like $tells, qr/^verdict: 2 waves stand at 0x1000201c4: words bf8c0f70 7e000204; under way: vector memory; address sp/m,
    "gputool's waves";
like $tells, qr/a wave waits for the other waves of its group.* at 0x1000201d0: words bf8a0000/,
    '... and one at a barrier';
my $tools = `$program --batch --json $tool -e 'info dump'`;
is scalar(() = $tools =~ /"type":"dump-wave"/g), 3, '... and no more where a slot is empty';
like $tools, qr/"name":"SQ_WAVE_$_->[0]"[^\n]*"unit":"se$_->[1].simd0.wave0"[^\n]*"value":"$_->[2]"/,
    "... $_->[0] of $_->[1]" for ['EXEC_LO', '1.sh0.cu0', '0xffff'], ['STATUS', '1.sh0.cu1', '0x11100'],
    ['INST_DW0', '0.sh0.cu0', '0xbf8c0f70'];
like $tools, qr/"name":"CP_HQD_VMID"[^\n]*"unit":"me1.pipe0.queue$_->[0]"[^\n]*"value":"$_->[1]"/,
    "... and queue $_->[0]" for [0, '0x5'], [3, '0x7'];
unlike $tools, qr/"name":"SQ_WAVE_\w+"(?![^\n]*"unit")/, '... no register without its wave';
like $tools, qr/in 3 of 4 CUs/, '... and how many CUs have waves';
says "a wave of gputool's that is elsewhere", ['Wave SE(0) SH(0) CU(0):', '    SQ_WAVE_STATUS: 0x10100',
    '    SQ_WAVE_PC_LO: PC_LO 0x40', '    SQ_WAVE_HW_ID: 0x800', '      SE_ID: 0x0', '      CU_ID: 0x8', '',
    'Wave SE(0) SH(0) CU(1):', '      VALID: 0x1'],
    'CU_ID is 0x8, where the title has 0x0', 'without its SQ_WAVE_STATUS', 'a wave stands at 0x40';
like scalar `$program --batch t/data/explain/waves-later.txt -e explain`,
    qr/verdict: 3 waves wait for vector memory at 0x800000200900\+0x1c4: s_waitcnt vmcnt\(0\)/,
    "waves of umr's later layout";
like scalar `$program --batch t/data/explain/waves-gfx11.txt -e explain`,
    qr/^verdict: 40 waves wait for vector memory at 0x800000200900\+0x1c4: s_waitcnt vmcnt\(0\); halted, address sp/m,
    "waves of gfx11: what their registers say";
like scalar `$program --batch t/data/explain/waves-gfx11.txt -e 'info dump waves' -e 'info dump code'`,
    qr/^ +3   wave 0: se0.sa0.wgp0.simd0.wave0, pc 0x800000200ac4, 16 registers.*code of gfx11 is not decoded/ms,
    '... and where each stands';

# Resets: one entry, whose outcome is its last line.
my @reset = ("$amd GPU reset begin!. Source:  3", "$amd MODE1 reset", "$amd GPU smu mode1 reset",
    "$amd GPU reset succeeded, trying to resume");
says 'a reset that ended well', [@reset, "$amd GPU reset(1) succeeded!"],
    'a reset of the GPU .*MES, the scheduler of queues\) ended well', '!failed', '!not told';
says 'a log that ends before the driver is back', ["$amd ring gfx timeout, signaled seq=5, emitted seq=7", @reset],
    'verdict: .*a reset followed and worked; whether the driver came back', 'queues\) worked; whether', '!ended well';
for my $end (['succeeded!', 'ended well'], ['failed', 'GPU .* did not help']) {
    my @log = (@reset, "$amd GPU reset(1) $end->[0]");
    says "a reset that $end->[0], in a log that is sorted backwards",
        [map { sprintf '[  %d.5] %s', 300 - $_, $log[-1 - $_] } 0 .. $#log], $end->[1], '!whether';
}
for my $end ('resume of IP block <gfx_v11_0> failed -110', 'GPU reset(1) failed', 'GPU reset end with ret = -110') {
    says "a reset that ends with: $end", [@reset, "$amd $end"], 'reset-failed ', 'a reset of the GPU .*(?:failed|help)',
        '!ended well';
    is scalar(() = said(@reset, "$amd $end") =~ /^  reset  /mg), 1, '... is one finding';
}
# ... which line it is, in a journal that is sorted backwards.
my @back = map { sprintf '[  %d.5] %s', 300 - $_, ("$amd ring sdma0 timeout, signaled seq=9, emitted seq=12",
    "$amd GPU reset(4) failed", "$amd GPU reset begin!", "$amd ring gfx timeout, signaled seq=5, emitted seq=7")[$_] }
    0 .. 3;
says 'a reset before a timeout, backwards', [@back], 'verdict: ring gfx: .*a reset followed and failed',
    '!how (?:it|that) ended is not told';
says 'what follows a reset is not its cause, backwards', [@back[0 .. 2]], 'verdict: ring sdma0', '!verdict.*followed';
# A reset an hour later is of something else.
sub at { my ($clock, $text) = @_; return "May 25 $clock box kernel: $text" }
for my $then (['17:21:55', 'a reset followed and ended well'], ['18:20:14', '!followed']) {
    says "a reset at $then->[0]", [at('17:21:45', "$amd ring gfx timeout, signaled seq=5, emitted seq=7"),
        at($then->[0], "$amd GPU reset begin!"), at($then->[0], "$amd GPU reset(1) succeeded!")], $then->[1];
}
# Resets of an engine alone.
says 'an engine alone is reset', ["$amd ring gfx_0.1.0 timeout, signaled seq=5, emitted seq=7",
    "$amd Starting gfx_0.1.0 ring reset", "$amd Ring gfx_0.1.0 reset succeeded",
    "$amd [drm] device wedged, but recovered through reset", "$amd Fence fallback timer expired on ring gfx_0.1.0"],
    'verdict.*a reset of gfx_0\.1\.0 alone followed and ended well', 'ring gfx_0\.1\.0: a fence had been reached',
    '!a reset of the GPU';
says 'an engine alone, then the GPU', ["$amd ring gfx timeout, signaled seq=5, emitted seq=7",
    "$amd Ring gfx reset failed", "$amd GPU reset begin!"],
    'verdict.*a reset of gfx alone failed and one of the GPU followed; how that one ended is not told';
$i915 = '[   71.5] i915 0000:00:02.0: [drm]';
says 'i915 resets the chip before it says what hung', ["$i915 Resetting chip for GuC failed to reset engine mask=0x1",
    "$i915 GPU HANG: ecode 12:1:85dffffb, in game [77]", "$i915 *ERROR* GT0: GUC: Engine reset failed on 0:0 (rcs0) "
    . 'because 0x00000000'], 'verdict.*a reset of rcs0 alone failed and one of the GPU followed';
# xe: GuC resets the engine, and says so, before the driver gives the job up; another engine's reset is its own.
sub engine_reset { my ($class, $id) = @_;
    return "xe 0000:3d:00.0: [drm] Tile0: GT0: Engine reset: engine_class=$class, logical_mask: 0x1, guc_id=$id, "
        . 'state=0x29' }
says 'an engine that was reset already', ["[    7.1] @{[engine_reset('ccs', 9)]}",
    '[    7.1] xe 0000:3d:00.0: [drm] Tile0: GT0: Timedout job: seqno=1523, lrc_seqno=1523, guc_id=9, flags=0x20 in '
    . 'python [2693]', "[   13.2] @{[engine_reset('bcs', 0)]}"],
    'verdict: a job of python.*on ccs, did not end in time.*; a reset of ccs alone ended well', '!verdict.*bcs';
# A log that begins between the line of a job and the line of its process.
my $owner = '[drm:amdgpu_job_timedout [amdgpu]] *ERROR* Process information: process chrome pid 2379 thread '
    . 'chrome:cs0 pid 2391';
my $job = '[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx_0.0.0 timeout, signaled seq=4, emitted seq=6';
my @behind = ("$amd GPU reset begin!", "$amd [drm:amdgpu_ring_test_helper [amdgpu]] *ERROR* ring kiq_2.1.0 test "
    . 'failed (-110)');
says 'a job whose own line is cut off', [$owner, @behind],
    'verdict: a job did not end in time; which ring it was on is not told.*; work of chrome, pid 2379';
says '... and is not', [$job, $owner, @behind], 'verdict: ring gfx_0.0.0: the job after 4', '!which ring';
says '... nor in a log sorted backwards', [$owner, $job], 'verdict: ring gfx_0.0.0: the job after 4', '!which ring';
# Faults: neighbours are one, the runtime's line and the kernel's are one, the client's name says the generation.
sub hub_fault { my ($page) = @_;
    return ("$amd [gfxhub] page fault (src_id:0 ring:24 vmid:5 pasid:129)",
        "$amd   in page starting at address $page from client 0x1b (UTCL2)",
        "$amd GCVM_L2_PROTECTION_FAULT_STATUS:0x00501031", "$amd 	 Faulty UTCL2 client ID: TCP (0x8)");
}
says 'pages that are neighbours', [map { hub_fault(sprintf '0x00007f12%08x', $_) } 0x4000, 0x9000, 0x5000, 0x800000],
    'verdict: TCP .* could not read pages within 0x7f1200004000-0x7f1200009000 \(3 faults\) in address space 5',
    'could not read 0x7f1200800000 in';
says 'two ranges that grow together', [map { hub_fault(sprintf '0x00007f12%08x', $_ << 12) } 1, 40, 12, 30, 21],
    'verdict: TCP .* could not read pages within 0x7f1200001000-0x7f1200028000 \(5 faults\)';
says '... and one without gaps', [map { hub_fault(sprintf '0x00007f12%08x', $_ << 12) } 3, 1, 2, 2],
    'pages within 0x7f1200001000-0x7f1200003000 \(4 faults\)';
says '... in order', [map { hub_fault(sprintf '0x00007f12%08x', $_ << 12) } 1, 2, 3, 4],
    'could not read pages 0x7f1200001000-0x7f1200004000 \(4 faults\)';
my $told = 'Memory access fault by GPU node-1 (Agent handle: 0x55d0) on address';
says "a runtime's line of the kernel's fault", ["`$told 0x7f1200004000. Reason: Page not present.`",
    hub_fault('0x00007f1200004000')], 'verdict: TCP',
    'runtime was told of the fault at 0x7f1200004000: Page not present\n',
    '!that an access';
says "a runtime's line of another fault", ["$told 0x7f1200000000. Reason: unknown", hub_fault('0x00007f1200004000')],
    'verdict: TCP', 'was told that an access to 0x7f1200000000 failed: unknown';
# What a program was told of a lost context is the kernel's failure, if that is of one GPU.
my @lost = ('radv/amdgpu: The CS has been cancelled because the context is lost. This context is innocent.',
    'amdgpu: The CS has been rejected (-125), but the context is not robust.');
sub failure { my ($at) = @_;
    return ("amdgpu 0000:$at:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=4, emitted seq=6",
        "amdgpu 0000:$at:00.0: amdgpu: GPU reset begin!", "amdgpu 0000:$at:00.0: amdgpu: GPU reset(2) succeeded!") }
says 'lost contexts behind a failure', [failure('03'), @lost], 'verdict: ring gfx_0.0.0: the job after 4',
    'is lost \(This context is innocent\.\), likely because of the failure on line 2', 'context-told line 5',
    '!context-lost', '!commands-refused';
says 'lost contexts above it', [@lost, failure('03')], 'because of the failure on line 3', '!context-lost';
says 'lost contexts and two GPUs', [failure('03'), failure('09'), @lost], 'because its context is lost: This',
    'error -125', '!failure on line';
says 'lost contexts alone', [@lost], 'verdict: .*because its context is lost: This', '!failure on line';
says 'a refusal for another reason', [failure('03'), 'amdgpu: The CS has been rejected (-12), see dmesg'],
    'error -12\)', '!context-told';
says 'a lost context of iris', ['i915 0000:00:02.0: [drm] GPU HANG: ecode 12:1:85dffffb, in game [77]',
    'iris: Failed to submit batchbuffer: Input/output error'], 'is lost \(Input/output error\), likely .* line 1',
    '!context-lost';
says 'no lost context of iris', ['i915 0000:00:02.0: [drm] GPU HANG: ecode 12:1:85dffffb, in game [77]',
    'iris: Failed to submit batchbuffer: No space left on device'], '!context-told';
sub vm_fault { my ($client) = @_;
    return "amdgpu 0000:01:00.0: VM fault (0x0c, vmid 5, pasid 3) at page 77, read from $client" =~ s/, pasid 3//r }
says 'clients that have names', [vm_fault(q['TC3' (0x54433300) (200)])], '!gfx6';
says 'clients that have none', [vm_fault(q['' (0x00000000) (200)])], 'gfx6', 'TC .* could not read', '!gfx8';
my @repeats = map { ("$amd GPU fault detected: 146 0x082b3014", "$amd   VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x00133B41",
    "$amd   VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x0B030014",
    "$amd VM fault (0x14, vmid 5) at page 1260353, write from '' (0x00000000) (48)") } 1 .. 3;
says 'interrupts of Tahiti that repeat the status', ["$amd initializing kernel modesetting (TAHITI 0x1002:0x6798 "
    . '0x106B:0x0128 0x00).', @repeats], 'CP .* could not write 0x133b41000', '!signs of two generations';
says 'a client of Tahiti alone, on an unknown chip', [vm_fault(q['' (0x00000000) (64)])], 'memory client 64 could not';
says '... on Tahiti', ['[drm] initializing kernel modesetting (TAHITI 0x1002:0x6798 0x1002:0x3000 0x00).',
    vm_fault(q['' (0x00000000) (64)])], 'TC .* could not read';
says 'a status of two halves', ["$amd GCVM_L2_PROTECTION_FAULT_STATUS_LO32:0x00040B53"], 'capture 0, gfx12,',
    '!gfx11';
says '... and of one', ["$amd GCVM_L2_PROTECTION_FAULT_STATUS:0x00040B53"], 'gfx10, gfx10.3, gfx11 or gfx12';
# Numbers of clients of the hub of video and display, which each chip has its own of.
sub video_fault { my ($chip, $status) = @_;
    return (($chip ? "[drm] initializing kernel modesetting ($chip 0x1002:0x1 0x1002:0x1 0xC1)." : ()),
        "$amd [mmhub] VMC page fault (src_id:0 ring:157 vmid:1 pasid:32769, for process a pid 7 thread b pid 8)",
        "$amd   in page starting at address 0x0000000200000000 from 18", "$amd VM_L2_PROTECTION_FAULT_STATUS:$status") }
says 'a read of the hub of video', [video_fault('VEGA10', '0x00100231')], 'verdict: .*UVD .*could not read';
says 'a write of it', [video_fault('VEGA10', '0x00140A31')], 'verdict: .*XDP .*could not write';
says 'another chip', [video_fault('RENOIR', '0x00103831')], 'verdict: .*VCN .*could not read';
says 'a chip that is not known', [video_fault('', '0x00100231')], '!UVD', '!MP0';
# What is no failure.
says "a poster's sentence", ["$amd ring gfx timeout, signaled seq=5, emitted seq=7",
    'amdgpu card1 runs four instances; after the error all of them hang.'], '!amdgpu says';
says 'advice', ["$amd ring gfx timeout, signaled seq=5, emitted seq=7",
    'xe: Please file any bug report at https://example.org/'], '!Please';
says 'a module that nobody signed', ['i915: module verification failed: signature and/or required key missing - '
    . 'tainting kernel', 'i915 0000:00:02.0: [drm] *ERROR* GUC: mmio request 0x5507: no reply 5507'],
    'verdict: GuC \(the scheduler of contexts\) did not answer the driver.s message 0x5507', '!verification';
says "... of another vendor's", ['[    6.6] nvidia: module verification failed: signature and/or required key '
    . 'missing - tainting kernel', '[    7.0] amdgpu 0000:01:00.0: amdgpu: ring gfx uses VM inv eng 0 on hub 0'],
    '!verdict';
says 'a message whose number is hex without 0x', ["$amd SMU: No response msg_reg: 12 resp_reg: 0"],
    'did not answer the driver.s message 0x12:';
# Statuses are numbers of hsa.h and hsa_ext_amd.h.
my $stops = ':0:rocdevice.cpp            :2303: 768423197593 us: Device::callbackQueue aborting with status:';
says 'a queue stopped with a number', ["$stops 0x2b"], 'stopped a queue: a wave used an address that is not accessible';
says '... of code', ["$stops 0x100f"], 'stopped a queue: code that this GPU cannot run';
says '... that nobody knows', ["$stops 0x1029"], 'stopped a queue \(status 0x1029 of HSA\)';
says 'kfd of Linux 4.4', ['[  253.260002] kfd: qcm fence wait loop timeout expired ',
    '[  253.260025] kfd: unmapping queues failed. ',
    '[  253.26] kfd: the cp might be in an unrecoverable state due to'],
    'verdict: queues of a process could not be taken off', '!gpudbg does not know';
says 'a page of a process that the GPU asked for',
    ['kfd: Invalid PPR device 01:00.0, pasid 1 address 0x1000 flags 0x0'],
    'IOMMU', '!gpudbg does not know';
# Intel's own GPU is device 00:02.0 of every machine; what else an IOMMU refused is of other devices.
my $refused = '[fault reason 0x06] PTE Read access is not set';
says 'an access that the IOMMU refused', ["DMAR: [DMA Read NO_PASID] Request device [00:02.0] fault addr 0x9c6f1000 "
    . $refused], 'verdict: the IOMMU refused an access of the GPU to 0x9c6f1000';
says '... in older words', ["DMAR:[DMA Write] Request device [00:02.0] fault addr ff000 $refused"],
    'refused an access of the GPU to 0xff000';
says '... of another device', ["DMAR: [DMA Write] Request device [03:00.0] fault addr ff000 $refused",
    'i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in Xorg [4621]'], 'rcs0 hung', '!IOMMU';
# A whole log has lines of all devices; those of others are no GPU's, and its captures are not theirs.
my @ports = ('pcieport 0000:00:07.1: AER: enabled with IRQ 29', 'pci 0000:00:00.0: [1022:1705] type 00 class 0x060000',
    'xhci_hcd 0000:05:00.0: Unable to change power state from D3cold to D0, device inaccessible');
says 'a log without a failure of a GPU', [@ports, '[drm] initializing kernel modesetting '
    . '(SUMO 0x1002:0x9647 0x17AA:0x3971 0x00).', 'radeon 0000:00:01.0: VRAM: 512M 0x00 - 0x1F (512M used)'],
    '!verdict', '!does not name its generation';
says 'a log in which nothing failed', [@ports, '[    0.000000] Linux version 3.13.0-39-generic (root@box)'],
    'nothing in it says that anything failed', '!generation', '!verdict';
says 'the chip is that of the GPU', [@ports, '[drm] initializing kernel modesetting '
    . '(SUMO 0x1002:0x9647 0x17AA:0x3971 0x00).', 'radeon 0000:00:01.0: ring 0 stalled for more than 10134msec'],
    'capture 0, SUMO, evergreen', '!capture 1', '!the bus';
says 'a port of the bus that tells of the GPU', ["$amd ring gfx timeout, signaled seq=5, emitted seq=7",
    'pcieport 0000:00:01.1: AER: Uncorrected (Fatal) error message received from 0000:03:00.0',
    'pcieport 0000:00:01.2: AER: Uncorrected (Fatal) error message received from 0000:09:00.0'],
    'the bus reports an error: Uncorrected \(Fatal\) error message received from 0000:03:00.0',
    '!0000:09', '!capture 1';
says 'a display driver of another vendor', ['[drm:nv_drm_master_set [nvidia_drm]] *ERROR* [nvidia-drm] '
    . '[GPU ID 0x00000100] Failed to grab modeset ownership'], "NVIDIA's driver", '!unknown-lines';
says 'the encoder of old chips', ['radeon 0000:0a:00.0: failed VCE resume (-110).'], 'VCE did not come up .error -110';
# Fronts of the BSDs, firmware of their other devices, and messages that every healthy machine has.
says 'fronts of FreeBSD and OpenBSD',
    [q(error: [drm:pid12:gfx_v8_0_init_microcode] *ERROR* gfx8: Failed to load firmware "amdgpu/stoney_pfp.bin"),
    'drm:pid74308:intel_pipe_update_start *ERROR* [drm] *ERROR* Potential atomic update failure on pipe A'],
    'verdict: gfx8 could not load its firmware amdgpu/stoney_pfp.bin', '!ERROR', '!drm:pid';
says 'the front of NetBSD', ['[   4.1] kern error: [drm:(/usr/src/sys/external/bsd/drm2/dist/drm/radeon/radeon_bios.c:'
    . '677)radeon_get_bios] *ERROR* Unable to locate a BIOS ROM', 'kern info: [drm] GMBUS [i915 gmbus dpb] timed out, '
    . 'falling back to bit banging on pin 5'], 'verdict: no video BIOS was found', 'another way', '!drm2', '!dpb\\]';
says "firmware of a network card", ['bwn_v4_ucode5: could not load firmware image, error 2',
    'radeon/TURKS_pfp.bin: could not load firmware image, error 2'], 'verdict: firmware radeon/TURKS_pfp.bin', '!bwn';
my @names = map { "$_: could not load firmware image, error 2" } 'polaris12_mc.bin', 'amdgpu/polaris12_mc.bin',
    'amdgpu_polaris12_mc.bin';
says 'firmware that came under another name', [@names,
    "drmn0: successfully loaded firmware image 'amdgpu/polaris12_mc.bin'"], 'nothing in it says that anything failed';
says '... that came mapped', ['radeon/TURKS_pfp.bin: could not load firmware image, error 2',
    'drmn0: fail (0) to get firmware image with name: radeon/TURKS_pfp.bin',
    'drmn0: successfully loaded firmware image with mapped name: radeon_TURKS_pfp_bin'], '!verdict';
says '... of which another file came', [@names, "drmn0: successfully loaded firmware image 'amdgpu/polaris12_smc.bin'"],
    'verdict: firmware .*polaris12_mc.bin could not be loaded', '!told \d+ times';
says '... of which a file with a longer name came', ['radeon/CEDAR_pfp.bin: could not load firmware image, error 2',
    "drmn0: successfully loaded firmware image 'radeon/OLDCEDAR_pfp.bin'"], 'verdict: firmware radeon/CEDAR_pfp.bin';
my $missing = said(map { "radeon/CEDAR_$_.bin: could not load firmware image, error 2" } qw(pfp me rlc));
is join(' ', $missing =~ /init-failed +firmware radeon\/CEDAR_(\w+)/g), 'pfp me rlc', 'files are told in their order';
says 'boot lines of FreeBSD that begin as a warning', ['WARNING: WITNESS option enabled, expect reduced performance.',
    '#1 0xffffffff82e2 at i915_driver_probe+0xb3'], '!verdict';
says 'locks of FreeBSD', ['lock order reversal: (Giant after non-sleepable)',
    'lock order Giant -> vtdev established at:', '#0 0xffffffff80c72e21 at witness_debugger+0x71',
    '#1 0xffffffff82e2 at i915_driver_probe+0xb3'],
    'verdict: locks are taken in orders .* in i915_driver_probe of i915:', '!witness';
says 'what no failure is', ['[drm:radeon_device_init [radeon]] *ERROR* Unable to find PCI I/O BAR; using MMIO for ATOM '
    . 'IIO', "$amd SMU driver if version not matched", '[drm] Cannot find any crtc or sizes'],
    'nothing in it says that anything failed', 'has no I/O ports here', 'mostly harmless', '!verdict';
# Boots of machines that work, as whole logs have them.
my @lucienne = ('[    2.729] [drm] initializing kernel modesetting (RENOIR 0x1002:0x164C 0x1043:0x1832 0xC1).',
    '[    2.734] amdgpu 0000:04:00.0: amdgpu: MODE2 reset',
    '[    3.560] [drm] psp gfx command LOAD_TA(0x1) failed and response status is (0x7)',
    '[    3.561] [drm] psp gfx command INVOKE_CMD(0x3) failed and response status is (0x4)',
    '[    3.561] amdgpu 0000:04:00.0: amdgpu: Secure display: Generic Failure.',
    '[    3.561] amdgpu 0000:04:00.0: amdgpu: SECUREDISPLAY: query securedisplay TA failed. ret 0x0',
    '[    3.714] [drm] Initialized amdgpu 3.49.0 20150101 for 0000:04:00.0 on minor 0');
says 'a Lucienne that boots', \@lucienne, 'nothing in it says that anything failed', '!verdict',
    'resets the GPU \(MODE2\) before it sets it up', 'did not load one of its optional programs \(status 0x7\)';
says '... and is reset later', [@lucienne, '[  912.101] amdgpu 0000:04:00.0: amdgpu: MODE2 reset'],
    'verdict: the driver resets the GPU \(MODE2\); how that ended is not told';
says '... and a command that is not optional', [@lucienne,
    '[  912.101] [drm] psp gfx command SETUP_TMR(0x5) failed and response status is (0x7)'],
    'verdict: the security processor refused the command SETUP_TMR';
my @sleep = ('[ 900.1] PM: suspend entry (deep)', '[ 900.9] amdgpu 0000:03:00.0: amdgpu: MODE1 reset',
    '[ 900.9] amdgpu 0000:03:00.0: amdgpu: GPU mode1 reset',
    '[ 900.9] amdgpu 0000:03:00.0: amdgpu: GPU smu mode1 reset',
    '[ 901.4] ACPI: PM: Preparing to enter system sleep state S3', '[ 903.0] PM: suspend exit');
says 'a machine that sleeps', \@sleep, 'nothing in it says that anything failed', '!verdict',
    'resets the GPU \(MODE1\) before the machine sleeps';
says '... and is reset when it is awake', [@sleep, '[ 950.9] amdgpu 0000:03:00.0: amdgpu: MODE1 reset'],
    'verdict: the driver resets the GPU \(MODE1\)';
says '... and hangs on its way', ['[ 900.1] PM: suspend entry (deep)',
    '[ 900.3] amdgpu 0000:03:00.0: amdgpu: GPU reset begin!', '[ 900.9] amdgpu 0000:03:00.0: amdgpu: MODE1 reset'],
    'verdict: the driver resets the GPU \(MODE1\)';
my %boot = (
    'Mullins, radeon' => ['[drm] initializing kernel modesetting (MULLINS 0x1002:0x9851 0x1043:0x865E 0x00).',
        '[drm] GPU not posted. posting now...', '[drm] ring test on 0 succeeded in 2 usecs',
        'radeon 0000:00:01.0: remove_conflicting_pci_framebuffers: bar 0: 0xc0000000 -> 0xcfffffff',
        'snd_hda_intel 0000:00:01.1: Force to non-snoop mode', 'parport_pc parport_pc.956: Unable to set coherent dma '
        . 'mask: disabling DMA'],
    'Tiger Lake, i915' => ['i915 0000:00:02.0: [drm] Number of memory channels is zero',
        'i915 0000:00:02.0: [drm] Finished loading DMC firmware i915/tgl_dmc_ver2_06.bin (v2.6)',
        'platform regulatory.0: Direct firmware load for regulatory.db failed with error -2',
        'RTW: ERROR [HALMAC][ERR]Dump efuse in suspend'],
    "NVIDIA's driver" => ['nvidia: loading out-of-tree module taints kernel.',
        'nvidia 0000:0e:00.0: vgaarb: changed VGA decodes: olddecodes=io+mem,decodes=none:owns=io+mem',
        'nvidia-gpu 0000:0e:00.3: i2c timeout error e0000000', 'ucsi_ccg: probe of 2-0008 failed with error -110'],
    'Picasso, amdgpu' => ['[drm] initializing kernel modesetting (RAVEN 0x1002:0x15D8 0x1043:0x12F2 0xC1).',
        'ccp 0000:04:00.2: psp: unable to access the device: you might be running a broken BIOS.',
        q(amdgpu 0000:04:00.0: amdgpu: PSP runtime database doesn't exist),
        'asus_wmi: fan_curve_get_factory_default (0x00110024) failed: -19']);
for my $machine (sort keys %boot) {
    my $time = 1;
    says "boot: $machine", [map { sprintf '[ %8.3f] %s', $time++, $_ } @{$boot{$machine}}],
        'nothing in it says that anything failed', '!verdict', '!does not know';
}
says "modules that are no GPU's", ["[    3.3] intel_rng: Firmware space is locked read-only. If you can't or",
    '[    3.4] ni_pcimio: cannot find the board', '[    3.5] [drm] initializing kernel modesetting '
    . '(SUMO 0x1002:0x9647 0x17AA:0x3971 0x00).'], 'nothing in it says that anything failed', '!rng', '!pcimio';
says "what other vendors' drivers say where all works", ['[    3.9] nouveau 0000:01:00.0: DRM: Disabling PCI power '
    . 'management to avoid bug', '[    3.9] nouveau 0000:01:00.0: DRM: Pointer to flat panel table invalid',
    '[    3.7] nvidia-modeset: WARNING: GPU:0: Unable to read EDID for display device DP-2',
    '[    5.0] vmwgfx 0000:00:02.0: [drm] *ERROR* vmwgfx seems to be running on an unsupported hypervisor.'],
    '!verdict', '!other-vendor';
says 'windows that stay small', ["xe 0000:03:00.0: [drm] Failed to resize BAR2 to 4096M (-ENOTSUPP). Consider enabling "
    . "'Resizable BAR' support in your BIOS", "$amd Problem resizing BAR0 (-28).",
    "$amd Overdrive is enabled, please disable it before reporting any bugs unrelated to overdrive.",
    'amdgpu 0000:03:00.0: BAR 2: failed to assign [mem size 0x00200000 64bit pref]'],
    'nothing in it says that anything failed', '4096 MB large \(ENOTSUPP\)';
says 'a GPU that the driver does not know', ['[    3.5] i915 0000:00:02.0: Your graphics device 56a6 is not properly '
    . 'supported by i915 in this kernel version. To force driver probe anyway, use i915.force_probe=56a6'],
    "verdict: this kernel's driver does not know the device 56a6";
says 'a Raven that boots', ['[    6.0] amdgpu 0000:04:00.0: Direct firmware load for amdgpu/raven_ta.bin failed with '
    . 'error -2', '[    6.1] [drm] failed to load ucode id (18)',
    '[    6.1] [drm] psp command failed and response status is (-65521)',
    '[    6.2] [drm] failed to load ucode RLC_RESTORE_LIST_CNTL(0x12)',
    '[    6.2] [drm] psp gfx command LOAD_IP_FW(0x6) failed and response status is (0xFFFF000F)',
    '[    6.2] [drm] failed to load ucode id (19) <4>[drm] psp command failed and response status is (0xF)',
    'info: [drm] radeon_atrm_get_bios: Failed to get "ATRM" handle: AE_NOT_FOUND'],
    'nothing in it says that anything failed', '!verdict', 'raven_ta.bin. are not installed', '!does not know';
says '... and one that does not',
    ['[    6.2] [drm] psp gfx command LOAD_IP_FW(0x6) failed and response status is (0x0)',
    "$amd PSP firmware loading failed"], 'verdict: the security processor did not answer the command LOAD_IP_FW';
says 'compute that a device cannot have', ['[    5.0] kfd kfd: Failed to resume IOMMU for device 1002:15d8',
    '[    5.1] kfd kfd: device 1002:15d8 NOT added due to errors'], 'the IOMMU does not let it share their pages',
    'compute does not use the device 1002:15d8', '!does not know';
says '... without a failure', ['[    5.2] kfd kfd: amdgpu: skipped device 1002:67df, PCI rejects atomics 730<0'],
    'nothing in it says that anything failed', 'does not pass atomic accesses on', '!verdict';
says 'boards without a video BIOS of their own', ['[    2.1] i915 0000:00:02.0: Invalid PCI ROM data signature: '
    . 'expecting 0x52494350, got 0xe936aa55', '[    2.1] i915 0000:00:02.0: [drm] Failed to find VBIOS tables (VBT)',
    '[    2.2] radeon 0000:01:00.0: Invalid ROM contents',
    '[    2.3] i915 0000:00:02.0: [drm] [ENCODER:94:DDI A] failed to retrieve link info, disabling eDP',
    '[    2.4] [drm:construct [amdgpu]] *ERROR* construct: Invalid Connector ObjectID from Adapter Service for '
    . 'connector index:2! type 0 expected 3', '[    2.5] [drm:ironlake_irq_handler [i915]] *ERROR* The master control '
    . 'interrupt lied (SDE)!',
    q([    2.6] amdgpu 0000:0b:00.0: BAR 0: can't reserve [mem 0xd0000000-0xdfffffff 64bit])],
    'nothing in it says that anything failed', '!verdict', '!does not know', 'does not describe its displays';
my $gim = '[44217.86] gim error libgv: [0:3d:0:0][PF]';
says 'a host of virtual GPUs', [$gim . q([amdgv_psp_cmd_km_submit:525] PSP command fence wait failed.),
    $gim . q([mi300_reset_notify_engine_status:1224] Graphics Virtualization Scheduler has entered an abnormal state),
    $gim . q([amdgv_reset_gpu:142] Issuing Whole GPU reset.)],
    'verdict: the scheduler of virtual GPUs does not work any more; a reset followed',
    'gim says, which gpudbg does not know: PSP command fence wait failed';
says 'a core dump that is gone', ['xe 0000:03:00.0: [drm] Xe device coredump has been created',
    'xe 0000:03:00.0: [drm] Check your /sys/class/drm/card1/device/devcoredump/data',
    'xe 0000:03:00.0: [drm] Xe device coredump has been deleted.'], 'has dropped it again', '!the driver has kept what';
# A log whose top is missing, and in which nothing failed, is a log.
says 'a healthy log without a top', ['[    3.5] i915 0000:00:02.0: vgaarb: deactivate vga console',
    '[    3.6] [drm] Initialized i915 1.6.0 20200917 for 0000:00:02.0 on minor 0'],
    'nothing in it says that anything failed', '!no loader';
says '... of another vendor', ['[    3.5] usb 1-1: new USB device', '[    3.9] nouveau 0000:01:00.0: DRM: Pointer to '
    . 'flat panel table invalid'], 'nothing in it says that anything failed', '!no loader';
says '... of no GPU', ['[    3.5] ahci 0000:00:02.0: SATA link down'], 'no loader recognises it';
# A machine's GPU may be any card: a place that the log does not name is a pattern of the shell.
says 'the place of the next core dump', ['xe 0000:64:00.0: [drm] Xe device coredump has been created',
    'xe 0000:64:00.0: [drm] Check your /sys/class/drm/card2/device/devcoredump/data',
    'xe 0000:64:00.0: [drm] Xe device coredump has been deleted.'], 'cat /sys/class/drm/card\?/device', '!card0';
says 'words that a poster quotes', ["$amd ring gfx timeout, signaled seq=5, emitted seq=7",
    '   `Failed to reset chip` / `stopped heartbeat`)? Other reports have them.'], '!did not help';
# Numbers of rings are those of the generation whose function says them.
says 'ring 9 of gfx9 manages queues', ['[drm:gfx_v9_0_ring_test_ring [amdgpu]] *ERROR* amdgpu: ring 9 test failed '
    . '(scratch(0xC040)=0xCAFEDEAD)'], 'ring kiq did not run', '!sdma';
says 'ring 9 of gfx7 copies', ['[drm:cik_sdma_ring_test_ring [amdgpu]] *ERROR* amdgpu: ring 9 test failed '
    . '(0xCAFEDEAD)'], 'ring sdma0 did not run';
# A fault of xe whose lines are joined, or begin late.
says 'a fault of xe on fewer lines', ['xe 0000:04:00.0: [drm] Tile0: GT0: Faulted Address: 0x00007f5500010000',
    '      FaultType: 0, AccessType: 1, FaultLevel: 2', '      EngineClass: 3 bcs    EngineInstance: 0'],
    'verdict: bcs: a write at 0x7f5500010000 failed at level 2 of the page tables';
says 'a device that is given up without a reset', ['xe 0000:03:00.0: [drm] *ERROR* GT1: load failed: status = '
    . '0x80007134, time = 8ms',
    'xe 0000:03:00.0: [drm] *ERROR* CRITICAL: Xe has declared device 0000:03:00.0 as wedged.'],
    'verdict: GuC did not start \(status 0x80007134\); the driver gave the device up';
says 'a runtime that was told of a hang', ['HW Exception by GPU node-3 (Agent handle: 0x632d) reason :GPU Hang'],
    'verdict: the compute runtime was told that GPU node 3 hangs';
says 'the oldest chips', ['radeon 0000:00:10.0: ring 0 stalled for more than 10134msec',
    'radeon 0000:00:10.0: GPU lockup '
    . '(current fence id 0x000000000000002c last fence id 0x000000000000002e on ring 0)',
    'radeon: wait for empty RBBM fifo failed! Bad things might happen.', 'radeon 0000:00:10.0: failed to reset GPU'],
    'verdict: ring gfx was given up.*a reset followed and failed', 'the queue of register writes did not become empty';

# In the timeline only what is the same is counted together.
says 'two troubles are two', ["$amd KGQ disable failed", "$amd failed to halt cp gfx"], '!2 times';
# An error state whose registers make the code.
my @state = ('GPU HANG: ecode 7:0:0x86d0fffd, in game [77], reason: Hang on rcs0, action: reset', 'PCI ID: 0x0412',
    'render command stream:', '  START: 0x0012d000', '  ACTHD: 0x00000000 00a0000c', '  IPEHR: 0x79000002',
    '  INSTDONE: 0xffd0ffff');
says 'the command is in the verdict', \@state,
    'verdict: the driver found rcs0 hung at 3DSTATE_DRAWING_RECTANGLE \(header 0x79000002\)';
says '... where the registers are those of the hang', [map { s/ffd0ffff/ffd0fffe/r } @state], '!hung at';

# Drivers of others.
for my $other ('nouveau 0000:01:00.0: gr: TRAP ch 5 [00ffa3d000 game[1234]] error',
    'panfrost fde60000.gpu: gpu sched timeout',
    'etnaviv-gpu 130000.gpu: recover hung GPU!', '[drm:v3d_reset] *ERROR* Resetting GPU for hang.',
    '[drm:a6xx_idle] *ERROR* A619: a6xx_hw_init: timeout waiting for GPU to idle: status 00800005',
    'msm_dpu 5e01000.display-controller: [drm:hangcheck_handler] *ERROR* 5.0.6.1: hangcheck detected gpu lockup rb 0!',
    'NVRM: Xid (PCI:0000:01:00): 31, pid=12, name=game', 'Display driver nvlddmkm stopped responding') {
    says "another's: $other", [$other], 'verdict: a failure of a GPU that gpudbg does not know', '!gfx', '!amdgpu';
}
# Each ring has a reset of its own.
says 'three rings', [map { ("$amd ring $_ timeout, signaled seq=3, emitted seq=4", "$amd Starting $_ ring reset",
    "$amd Ring $_ reset succeeded") } qw(sdma0 gfx_0.0.0 comp_1.1.0)],
    'verdict: ring sdma0: .*; a reset of sdma0 alone followed and ended well';
# Nothing is silent.
says 'no reset', ["$amd ring gfx timeout, but soft recovered"],
    '; the driver ended the job.s waves, and gfx went on without a reset', '!reset of';
says 'a line that no row is for', ["$amd ring gfx timeout, but soft recovered",
    '[drm:amdgpu_frobnicate [amdgpu]] *ERROR* the frobnicator would not turn'], 'does not know: 1',
    'amdgpu_frobnicate: the frobnicator would not turn';
# Without a level and without its driver: the function's name tells whose it is.
says("a failure of $_->[0] alone", ["[    4.2] [drm] $_->[0] failed" . $_->[2]], 'does not know: 1',
    "$_->[1] says, which gpudbg does not know: $_->[0] failed")
    for ['amdgpu_device_frobnicate', 'amdgpu', ': -22'], ['i915_gem_frobnicate', 'i915', ' (-5)'],
    ['radeon_frobnicate', 'radeon', ''], ['gfx_v7_0_frobnicate', 'amdgpu', ''], ['xe_frobnicate_all', 'xe', ''];
says 'no failure', ["$amd ring gfx timeout, but soft recovered", 'i915 0000:00:02.0: registered panic notifier'],
    'verdict: ring gfx', '!does not know', '!panic';
says 'the driver alone', ['i915: Resetting rcs0 for preemption time out',
    'i915: find[981400] context reset due to GPU hang', 'i915: GPU HANG: ecode 9:1:8ed9fff2, in find [981400]'],
    'resets rcs0 alone .preemption time out', '!does not know', 'that of process find, pid 981400';
# A mail server that writes the ends of lines, too.
says 'quoted-printable with ends', ['The hang comes at random=0A=', '[ 1193.512989] hangcheck rcs0=0A=',
    '[ 1193.524171] hangcheck     IPEHR: 0x7a000004=0A=',
    '[ 1193.864797] i915 0000:00:02.0: GPU HANG: ecode 9:1:85dffffb=0A=',
    '[ 1193.875395] [drm] GPU crash dump saved to /sys/class/drm/card0/error=0A='],
    'PIPE_CONTROL of 6 dwords .header 0x7a000004', 'ecode 0x85dffffb', '!=', '/sys/class/drm/card0/error ';
# A mailer broke its lines where the text goes on; whoever wrote the text had wrapped it at fewer columns.
says 'quoted-printable of wrapped text',
    ['(libplacebo =E2=86=92 RADV =E2=86=92 `vkQueueSubmit2`) is involved. This ru=', 'les out',
    "$amd ring sdma0 timeout, signaled seq=3D11425,", 'emitted seq=3D11427'],
    'the job after 11425 did not end in time; jobs under way: 2';
my $radeon = '[  727.696571] radeon 0000:01:00.0:';
says 'an old radeon',
    ["$radeon GPU softreset ", "$radeon   R_008010_GRBM_STATUS=0xE57024E0", "$radeon GPU reset succeed"],
    'verdict: the driver resets the GPU; .* which blocks; it ended well';
# A suspend that fails: what takes no jobs is a consequence.  A mailer broke a line behind its mark.
says 'a resume', ['[ 52.40] amdgpu 0000:01:00.0: GPU pci config reset',
    '[ 52.47] amdgpu 0000:01:00.0: [drm:amdgpu_ring_test_helper [amdgpu]] *ERROR* ring gfx test failed (-110)',
    '[ 52.47] [drm:amdgpu_device_ip_resume_phase2 [amdgpu]] *ERROR* resume of IP block <gfx_v8_0> failed -110',
    '[ 52.48] [drm:amdgpu_device_resume [amdgpu]] *ERROR*', 'amdgpu_device_ip_resume failed (-110).',
    '[ 52.49] [drm] schedsdma0 is not ready, skipping'], 'verdict: the GPU could not be resumed .error -110',
    '!does not know';
says 'a ring of messages, whole', [map { "xe 0000:00:02.0: [drm] *ERROR* $_" } 'H2G CTB (all sizes in DW):',
    map { "\t$_" } 'size: 1024', 'resv_space: 0', 'head: 0', 'tail: 469', 'space: 554', 'broken: 0',
    'head (memory): 465', 'tail (memory): 469', 'status (memory): 0x0', 'cmd[465]: 0x80520003'],
    'GuC has not taken 4 dwords', '!does not know';
says 'behind a progress bar', ['Quantizing layer [1 of 47] ---| 0:19:08 4.2%Memory access fault by GPU node-1 '
    . '(Agent handle: 0x556e9b7e3360) on address 0x7f52c3f5f000. Reason: Page not present or supervisor privilege.'],
    'an access to 0x7f52c3f5f000 failed: Page not present';
# Answers of controllers: 0 is none in time, ones are a device that cannot be read; neither is a refusal.
for my $psp ("$amd psp gfx command SETUP_TMR(0x5)", "$amd psp command (0x5)") {
    says 'the security processor is silent', ["$psp failed and response status is (0x0)"],
        'did not answer the command .*0x5.* in time', '!refused';
    says 'the security processor refuses', ["$psp failed and response status is (0x117)"],
        'refused the command .*0x117';
    says 'the security processor reads as ones', ["$psp failed and response status is (0xFFFFFFFF)"],
        'the device does not answer', '!refused';
}
for (['0', '!refused', 'did not answer message 0x200', 'had not answered the message before'],
    ['254', 'refused message 0x200 \(answer 254\)', 'had refused'],
    ['65535', 'the device does not answer', '!refused']) {
    my ($answer, @texts) = @$_;
    says "a power controller's answer $answer", ['[ 9.1] amdgpu:', "       failed to send message 200 ret is $answer ",
        '[ 9.2] amdgpu:', "       last message was failed ret is $answer"], @texts;
}
# Processes that share their pages with the GPU (amdkfd, Kaveri).
says 'a page that a process lacks', ['kfd kfd: Invalid PPR device 0:1.0 pasid 7 address 0x7f5000 flags 0x120',
    'kfd kfd: HSA Process (PID 4711) got unhandled exception'], 'verdict: the IOMMU refused .* to 0x7f5000',
    'process 4711 has no handler';
says 'another device of the IOMMU', ['kfd2kgd: cp queue preemption time out', 'nvme 0000:02:00.0: Invalid PPR device '
    . '0:2.0 pasid 7 address 0x7f5000 flags 0x120'], '!IOMMU';
says 'queues that stay, by an older driver', ['kfd2kgd: cp queue preemption time out'], 'could not be taken off';
# What pages and mailers do to a fault's lines.
says 'a process without a name, whose blanks are lost',
    ['amdgpu c7e9:00:00.0: amdgpu: [gfxhub0] no-retry page fault (src_id:0 ring:217 vmid:3 pasid:9, for process pid 0 '
    . 'thread pid 0)', 'amdgpu c7e9:00:00.0: amdgpu: in page starting at address 0x000000f400100000 from client 27'],
    'access to 0xf400100000', '!thread, pid';
says 'a fault without its driver', ['[gfxhub0] no-retry page fault (src_id:0 ring:40 vmid:3 pasid:12)',
    'in page starting at address 0x000000000066d000 from IH client 0x1b (UTCL2)',
    'VM_L2_PROTECTION_FAULT_STATUS:0x00340A50', 'Faulty UTCL2 client ID: CPC (0x5)'],
    'CPC .* could not write 0x66d000 in address space 3', '!which page';
for ('# ', '[Issue]: ', '# [Issue]: ', '**', '') {
    says "a runtime's fault after '$_'", ["${_}Memory access fault by GPU node-2 (Agent handle: 0x38b6960) on address "
        . '0x1000. Reason: Page not present or supervisor privilege.'], 'verdict: the compute runtime .* 0x1000 failed';
}
says 'blanks that do not break', ["[\xc2\xa0 \xc2\xa0 2.6] [drm:r600_ib_test [radeon]] *ERROR* "
    . "radeon: fence wait\xc2\xa0timed out."], 'own test did not come', '!does not know';
says "a function's descriptor (PowerPC)", ['[ 2.6] [drm:.uvd_v1_0_ib_test] *ERROR* radeon: fence wait timed out.',
    '[ 2.7] [drm:.radeon_ib_ring_tests] *ERROR* radeon: failed testing IB on ring 5 (-110).'],
    'verdict: ring uvd did not run', '!does not know';
says 'FreeBSD: the device behind the level', ['drmn0: ring gfx timeout, signaled seq=4, emitted seq=7',
    '[drm] *ERROR* drmn0: psp gfx command UNLOAD_TA(0x2) failed and response status is (0x117)'],
    'refused the command UNLOAD_TA';
says 'a test of an indirect buffer', ['[drm:sdma_v6_0_ring_test_ib [amdgpu]] *ERROR* amdgpu: IB test timed out',
    "$amd Failed to terminate tmr", "$amd [drm] *ERROR* No EDID read."], 'test of an indirect buffer did not end',
    'memory for firmware back', 'description could not be read', '!does not know';
says 'a fault that the kernel did not tell', ['radv/amdgpu: Failed to query the last GPUVM fault (-9).',
    'radv/amdgpu: The CS has been cancelled because the context is lost.'], 'did not tell a program .*error -9';
# Fields of a fault whose heading is not in the log.
says 'fields alone, the latest first', ["$amd          RW: 0x0", "$amd          MAPPING_ERROR: 0x1",
    "$amd          PERMISSION_FAULTS: 0x3"], 'verdict: a read of memory failed; checks that failed: VALID\|READ',
    'not in the log';
says 'fewer fields', ["$amd          MAPPING_ERROR: 0x0", "$amd          RW: 0x1"],
    'verdict: a write of memory failed; which page', '!checks that';
says 'checks alone', ["$amd          PERMISSION_FAULTS: 0x5"],
    'verdict: an access to memory failed; checks that failed: VALID\|WRITE', '!read';
says 'a client without its status', ["$amd          Faulty UTCL2 client ID: TCP (0x8)", "$amd          RW: 0x1"],
    'client 8 \(TCP\) made a write that failed; which page', '!address space';
says 'fields of nothing', ["$amd ring gfx timeout, signaled seq=5, emitted seq=7", "$amd          RW: 0x0",
    "$amd          PERMISSION_FAULTS: 0x0"], '!memory failed';
# The agent of old runtimes: the fault leads, and the first wave's registers say what it met.
says "an old agent's waves", ['[rocr debug agent]: ', 'Memory access fault at GPU Node: 1',
    'Address: 0x7F10437BBxxx (page not present;)', '', '64 wavefront(s) found in @PC: 0x00007F10D440A844',
    'printing the first one: ', '', '   EXEC: 0x00000000FFFFFFFF', ' STATUS: 0x00012C61', 'TRAPSTS: 0x80000100',
    '     M0: 0x0000102C'],
    'verdict: the compute runtime was told that an access to 0x7f10437bb000 failed: page not present',
    '64 waves stand at 0x7f10d440a844; met an access to memory that is not allowed', '!wave 0\)';
# Ends of lines that a mailer wrapped, below lines that another one let be longer.
my $long = '> ' . join ' ', ('seventeen') x 9;
says 'a wrapped line among longer ones', [$long,
    '> amdgpu 0000:09:00.0: [drm:amdgpu_ring_test_helper [amdgpu]] *ERROR* ring uvd', '> test failed (-110)',
    '> [drm:amdgpu_device_init.cold [amdgpu]] *ERROR* hw_init of IP block',
    '> <uvd_v6_0> failed -110'], 'verdict: ring uvd did not run', 'could not set up uvd_v6_0', '!does not know';
says 'a wrapped line that ends with a blank', [$long, '[    2.600001] [drm:radeon_ib_ring_tests] *ERROR* radeon: '
    . 'failed ', 'testing IB on ring 5 (-110).'], 'ring uvd', '!does not know';
says 'a wrapped line whose end is a message, too', [$long,
    '[drm:drm_atomic_helper_wait_for_flip_done] *ERROR* [CRTC:51:crtc-2]', 'flip_done timed out'],
    'new picture in time \(CRTC 51:crtc-2\)', '!does not know';
says 'the column of one line is that of another', [$long,
    'Oct 11 22:32:06 here kernel: [drm] Fence fallback timer expired on ring', 'sdma1',
    'Oct 11 22:32:12 here kernel: amdgpu 0000:07:00.0: [drm] *ERROR* Turning',
    'every knob of it failed with -5'], 'ring sdma1: a fence had been',
    'not know: Turning every knob of it failed with -5';
says '... and a line that is narrower ends', [$long,
    'Oct 11 22:32:06 here kernel: [drm] Fence fallback timer expired on ring', 'sdma1',
    'Oct 11 22:32:12 here kernel: amdgpu 0000:07:00.0: [drm] *ERROR* Bad',
    'x failed'], 'not know: Bad\n';
# The fence is the cause, and not the reset that follows; a trap of nouveau is one of another vendor's.
says 'a fence of old kernels', ['radeon 0000:01:00.0: fence(ffff8800b4d3c3c0:0x000005A1) 510ms timeout going to '
    . 'reset GPU', 'radeon 0000:01:00.0: GPU softreset'], 'verdict: fence 0x5a1 did not come in time: the driver gives';
says 'a trap of nouveau', ['nouveau 0000:01:00.0: gr: TRAP ch 2 [001fa0d000 glxgears[1234]]'],
    "verdict: .*NVIDIA's GPUs";
# Requests of i915 without what stands above them; what runs for milliseconds is no trouble.
my @requests = ("\t\tE  2d9a:1402*-  prio=2 @ 10341ms: Xorg[1234]", "\t\tE  2d9a:1404  prio=2 @ 10340ms: Xorg[1234]",
    "\t\tQ  31f:52-  prio=0 @ 9021ms: gnome-shell[2211]");
for my $front ('', '[  312.101] heartbeat ', '[  312.101] hangcheck ') {
    says "requests behind '$front'", [map { $front . $_ } @requests], 'verdict: request 2d9a:1402 of Xorg\[1234\] has '
        . 'begun and has not ended, 10341 ms after', 'request 2d9a:1404 .* was given to the engine and has not ended',
        'request 31f:52 of gnome-shell\[2211\] waits, 9021 ms';
}
says 'requests of older kernels', ['[  312.1] hangcheck     active 1e5 [2f:1a] prio=1 @ 6520ms: Xorg[1051]/1'],
    'verdict: request 1e5 of Xorg\[1051\]/1 was given to the engine and has not ended, 6520 ms after';
says 'a request that runs for 3 ms', ["\t\tE  2d9a:1402*-  prio=2 @ 3ms: Xorg[1234]"], 'nothing in it says', '!verdict';
says "an engine's state behind 'heartbeat'", ['[  312.1] heartbeat rcs0',
    '[  312.1] heartbeat     RING_HEAD:  0x00003a10', '[  312.1] heartbeat     RING_TAIL:  0x00003a58'], 'rcs0',
    '!no loader';
says 'a request that has not begun', ['active request 2d9a:1402 not yet started'],
    'verdict: the request that an engine has taken \(2d9a:1402\) has not begun';
# What was typed alone, as titles of bug trackers are.
says 'a title alone', ['GPU lockup IPEHR: 0x0b160001'],
    'verdict: .*last command that an engine parsed, 0xb160001, which has no';
# A sentence that goes on is joined, whatever the columns of the mail.
my $wide = 'it happens each morning, when the screen of my laptop wakes up, and then nothing else helps, not even ssh';
for (['for stopped heartbeat on', 'rcs0'], ['for stopped heartbeat', 'on rcs0']) {
    says "'$_->[1]' in a line of its own", [$wide, "[ 3131.2] i915 0000:00:02.0: [drm] Resetting chip $_->[0]", $_->[1],
        'That is all.'], 'stopped heartbeat on rcs0\)';
}
says 'words of a person behind a message', [$wide,
    '[ 3131.2] i915 0000:00:02.0: [drm] Resetting rcs0 for preemption time out', 'on my laptop'], '!laptop',
    'preemption time out\)';
# The timeline's column is as wide as its widest stamp.
my $stamped = said("2026-11-21T23:16:01.123456789+01:00 h kernel: $amd GPU reset begin!",
    "2026-11-21T23:16:01+01:00 h kernel: $late");
my @column = $stamped =~ /^  (2026\S+ +)(?:reset|timeout)\b/mg;
is_deeply [map { length } @column], [30, 30], 'stamps of nanoseconds and of seconds have one column';
# Dots for numbers are no numbers: what a log says with its numbers left out, it says with them, too.
sub told_values { # of incidents, by line
    my ($file) = @_;
    my %told;
    for (map { JSON->new->decode($_) } `$program --batch --json $file -e 'info dump incidents' 2>/dev/null`) {
        next unless $_->{type} eq 'incident';
        my ($incident, $values) = ($_, $_->{values} // {});
        $told{"$incident->{kind} $_ $values->{$_}"} = $incident->{line} for keys %$values;
    }
    return \%told;
}
my @invented;
for my $file (glob 't/data/explain/*.log') {
    open my $in, '<', $file or die $!;
    my @lines = <$in>;
    for (@lines) {
        s/ecode (\d+):([0-9a-f]+):(?:0x)?[0-9a-f]+/ecode $1:$2:.../g || s/0x[0-9a-fA-F]{2,}/0x.../g;
        s/(?<==)\d+/.../g;
    }
    open my $out, '>', "$dir/dots.log" or die $!;
    print $out @lines;
    close $out;
    my ($with, $without) = (told_values($file), told_values("$dir/dots.log"));
    push @invented, map { "$file: $_" }
        grep { !exists $with->{$_} && $lines[$without->{$_} - 1] =~ /\.\.\./ } sort keys %$without;
}
is_deeply \@invented, [], 'no number is read out of dots';
done_testing;
