#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# explain: the dumps of t/data/explain, which are invented, and the rules that speak of each; every sentence has its
# evidence on a line that exists; every rule has a dump where it fires and one where it does not.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $folder = "t/data/explain";
$ENV{XDG_CONFIG_HOME} = '/nonexistent';

# FILE, or FILE [OPTION... CODE]: what the file does not say, and the code beside it.
sub findings {
    my ($file, $more) = $_[0] =~ /^(\S+)(?: \[(.*)\])?$/;
    my @more = map { -e "$folder/$_" ? "$folder/$_" : $_ } split ' ', $more // '';
    open my $out, '-|', 'sh', '-c', 'exec "$0" "$@" 2>/dev/null', $program, '--batch', '--json', @more, "$folder/$file",
        '-e', 'explain' or die $!;
    my @records = map { JSON->new->decode($_) } <$out>;
    close $out;
    return grep { $_->{type} eq 'finding' } @records;
}
sub lines { open my $f, '<', $_[0] or die "$_[0]: $!"; my @lines = <$f>; return @lines }

my %expect;
for (lines("$folder/EXPECT")) {
    next if /^(?:#|\s*$)/;
    my ($file, $rules) = /^(\S+(?: \[.*?\])?):\s*(.*)$/ or die "EXPECT: $_";
    $expect{$file} = [split ' ', $rules];
}
my (%fires, %silent, %finding);
for my $file (sort keys %expect) {
    my @found = findings($file);
    my %rule = map { $_->{rule} => 1 } @found;
    is_deeply [sort keys %rule], [sort @{ $expect{$file} }], "$file: the rules that speak";
    $finding{$file} = \@found;
    $fires{$_} = 1 for keys %rule;
    $silent{$file} = \%rule;
    my $last = () = lines("$folder/" . $file =~ s/ .*//r);
    my @bad = grep { !@{ $_->{evidence} } || grep { !$_->{register} || ($_->{line} // 1) > $last } @{ $_->{evidence} } }
        @found;
    is_deeply [map { $_->{rule} } @bad], [], '... with evidence, on lines that there are';
}
# More than a dump keeps: 10001 notes, and the one that says so.
my $long = tempdir(CLEANUP => 1) . '/long.log';
open my $to, '>', $long or die $!;
print $to "amdgpu 0000:01:00.0: GPU reset begin!\n", "amdgpu 0000:01:00.0: VM fault (0xzz\n" x 10100;
close $to;
my ($limit) = grep { $_->{rule} eq 'note-limit' } map { JSON->new->decode($_) }
    `$program --batch --json $long -e explain`;
like $limit->{text}, qr/^more than 10000 notes: the others are not kept$/, 'what a dump leaves out is said';
$fires{'note-limit'} = 1 if $limit->{evidence}[0]{line} == 10002;
my %rules = map { /^rule (\S+)/ ? ($1 => 1) : () } map { lines($_) } glob "share/explain/*.rules";
# What is told of packets and commands needs their tables.
my $tables = `$program --batch -e 'info isa'` =~ /pm4/;
my %exempt = map { $_ => 1 } $tables ? () : qw(active-head ring-stands ring-waits stands-at unknown-command
    waits-for-event waits-for-engine waits-for-engine-by-mailbox);
is_deeply [grep { !$fires{$_} && !$exempt{$_} } sort keys %rules], [], 'every rule has a dump where it fires';
is_deeply [grep { my $rule = $_; !grep { !$silent{$_}{$rule} } keys %silent } sort keys %rules], [],
    '... and one where it does not';

# Sentences, causes and evidence, one of each kind.
sub finding { my ($file, $rule) = @_; my ($f) = grep { $_->{rule} eq $rule } @{ $finding{$file} }; return $f // {} }
for my $case (
    ['fault-read.log', 'page-fault', 'page-fault',
        qr/TC0 .*read 0x51200000 in address space 3; checks that failed: VALID\|READ/,
        'VM_CONTEXT1_PROTECTION_FAULT_STATUS', 4],
    ['fault-null.log', 'null-page', 'null-page', qr/read page 0 of address space 5: likely a null pointer/,
        'VM_CONTEXT1_PROTECTION_FAULT_ADDR', 3],
    ['fault-write.log', 'write-fault', 'write-fault', qr/CB0 .*write 0x200400000/,
        'VM_CONTEXT1_PROTECTION_FAULT_STATUS', 4],
    ['fault-mixed.log', 'note-mixed', 'mixed-capture', qr/vmid 6.*line 4 says 3/, 'mixed', 5],
    ['threads.bin.gz [--isa gen7 --format eu-state]', 'thread-illegal', 'illegal-instruction',
        qr/thread2 at 0x200 met an opcode.*system routine/, 'cr0.1', 0],
    ['threads-code.bin.gz [--isa gen7 --raw --format eu-state threads-code.krn]', 'thread-waits', 'waiting-barrier',
        qr/thread0 at 0x0 stands at wait /, 'n0.0', 0],
    ['fault-radeon.log', 'page-fault-without-name', 'page-fault',
        qr/^memory client 315 could not read 0x300202000 in address space 14;/, 'VM_CONTEXT1_PROTECTION_FAULT_STATUS',
        12],
    ['fault-radeon.log', 'write-fault', 'write-fault',
        qr/TC1 .*write 0x300200000 in address space 2; checks that failed: VALID\|WRITE$/,
        'VM_CONTEXT1_PROTECTION_FAULT_STATUS', 4],
    ['fault-radeon.log', 'page-protected', 'page-fault', qr/0x300201000 is mapped, but not for writing/,
        'VM_CONTEXT1_PROTECTION_FAULT_STATUS', 8],
    ['error-semaphore.txt', 'waits-for-engine-by-mailbox', 'waiting-register', qr/waits for a semaphore/, 'IPEHR', 21],
    ['ones.log', 'device-lost', 'device-lost', qr/all 20 registers/, 'registers', 1],
    ['idle.log', 'no-hang', 'no-hang', qr/idle/, 'status', 1],
    ['older.log', 'other-generation', 'other-generation', qr/a generation before gfx7: .*not its code/, undef,
        undef],
    ['cut-off.log', 'note-cut-off', 'cut-off', qr/CP_CPC_STATUS/, 'cut-off', 20],
    ['reset-shaders.log', 'busy', 'engine-busy', qr/GRBM_STATUS: busy: SPI, CP/, 'GRBM_STATUS', 4],
    ['reset-command-processor.log', 'stalled-units', 'engine-waiting', qr/RCIU_HALTED_BY_REG_VIOLATION/,
        'CP_STALLED_STAT1', 13],
    ['waves.log', 'wave-vector-memory', 'waiting-memory', qr/0x800102340 waits for vector memory: s_waitcnt vmcnt\(0\)/,
        'SQ_WAVE_IB_STS', 5],
    ['waves.log', 'wave-barrier', 'waiting-barrier', qr/0x8001023a0 waits at a barrier/, 'SQ_WAVE_STATUS', 8],
    ['waves.log', 'wave-parity', 'parity', qr/not corrected/, 'SQ_WAVE_STATUS', 12],
    ['command-stream.log', 'illegal-packet', 'illegal-instruction', qr/does not know/, 'illegal-instruction', 3],
    ['error-draw.txt', 'page-fault', 'page-fault', qr/Invalid PD Fault at 0x123000 through the GGTT/, 'FAULT_REG', 31],
    ['error-draw.txt', 'busy', 'engine-busy', qr/INSTDONE of rcs0: not done: VS, CS/, 'INSTDONE', 22],
    ['hang-line.log', 'hang-guess', 'engine-busy', qr/likely .*PIPE_CONTROL of 6 dwords .*0xffdfffff/, 'gpu-hang', 1],
    ['hang-fault.log', 'access-fault', 'page-fault',
        qr/0x1fe5b7e0c3000 in the PPGTT failed, fault type 2, asked for by unit 42/, 'gpu-fault', 2],
    ['hang-fault.log', 'access-fault-null', 'null-page', qr/page 0/, 'gpu-fault', 9],
    ['jobs.log', 'access-fault-of-class', 'page-fault', qr/bcs: a write at 0x7f12deadb000, address space 7/,
        'gpu-fault', 2],
    ['fault-cut-name.log', 'page-fault', 'page-fault', qr/^TC4 .*could not read 0x2f01000 in address space 4; /,
        'VM_CONTEXT1_PROTECTION_FAULT_ADDR', 2],
    ['hang-region.log', 'hang-region', 'engine-busy', qr/^command 4711 began and did not end: Dispatch \(8, 8, 1\); /,
        'hang-region', 7],
    ['ring-then-device.log', 'open-generation-of-lines', 'other-generation',
        qr/of gfx10, gfx10\.3, gfx11 or gfx12, and does not say which: what its lines say is explained$/, 'told', 1],
    ['ring-then-device.log', 'reset-of-engine', 'reset', qr/resets comp_1\.2\.0 alone; how that ended is not told$/,
        'reset', 3],
    ['pasted-front.log', 'fence-late', 'engine-waiting', qr/^ring bsd: /, 'fence-late', 2],
    ['backports.log', 'hang-without-code', 'engine-busy', qr/generation 12; it captured no engine that hung$/,
        'gpu-hang', 2],
    ['backports.log', 'reset-failed-of-engine', 'reset', qr/^a reset of rcs0 alone did not help/, 'reset-failed', 1],
    ['error-state-debugfs.log', 'error-state-in-debugfs', 'missing', qr{calls /debug/dri/0/i915_error_state,},
        'error-state', 2],
    ['unserved.log', 'fault-unserved', 'page-fault', qr/could not be given to it: -EINVAL$/, 'fault-unserved', 1],
    ['errors-logged.log', 'iommu-fault', 'page-fault', qr/of the GPU to 0x7f0012345600: /, 'iommu-fault', 5],
    ['virtual.log', 'hung-at-command', 'engine-busy', qr/^the graphics engine hung .* virtual GPU$/, 'block-hung', 2],
    ['blocks.log', 'eviction-of-all', 'engine-busy', qr/^the queues of process 4711 could not/, 'eviction-failed', 3],
    ['titles.log', 'generation-in-part', 'other-generation', qr/of gen9: .*reads and runs its code/, 'told', 1],
    ['blocks.log', 'other-generation', 'other-generation', qr/this capture is of gfx11:/, 'told', 1],
    ['freebsd.log', 'owner-without-name', 'owner', qr/leaves out, pid 100777$/, 'process', 1],
    ['freebsd.log', 'note-assumed', 'assumed-generation',
        qr/as gfx9: the driver of this generation writes faults so, and its faults come from client 27$/, 'assumed', 1],
    ['coredump-alone.log', 'failed-untold', 'reason', qr/kept a core dump of it/, 'coredump', 1],
    ['titles.log', 'hang-engine', 'engine-busy', qr/vcs0 hung: generation 9, ecode 0xa8dfbffd/, 'gpu-hang', 1],
    ['jobs.log', 'job-timeout', 'engine-busy', qr/of cube, pid 3456/, 'job-timeout', 12],
    # 0x13: address bits 47:44 are 3, the page tables are global; Linux, gen8_check_faults.
    ['error-fault-gen12.txt', 'page-fault-of-the-device', 'page-fault',
        qr/engine number 2: an access to 0x300012345000 through the GGTT failed, fault type 1, asked for by unit 42/,
        'FAULT_TLB_DATA0', 6],
    ['error-fault-gen12.txt', 'null-page-of-the-device', 'null-page', qr/page 0 through the PPGTT/, 'FAULT_REG', 26],
    ['error-in-ring.txt', 'active-head-in-ring', 'engine-waiting', qr/in its ring, where HEAD points/, 'ACTHD', 9],
    ['ring-video.txt', 'ring-of-another-engine', 'engine-busy', qr/ring uvd holds commands/, 'ring', 4],
    ['ring-dma-wait.txt', 'ring-polls', 'waiting-register', qr/sdma0 of a DMA engine stands in POLL_REG_MEM/,
        'ring', 4],
    ['ring-tests.log', 'ring-test-without-error', 'no-answer', qr/^ring gfx did/, 'ring-test-failed', 2],
    ['ring-tests.log', 'ring-test', 'no-answer', qr/^ring gfx did .*error -35/, 'ring-test-failed', 4],
    ['ring-tests.log', 'ring-test-of-some-ring', 'no-answer', qr/^a ring did .*error -35/, 'ring-test-failed', 7],
    ['lockup-older.log', 'stalled-at-all', 'engine-busy', qr/10000 ms/, 'stalled', 2],
    ['lockup-older.log', 'lockup-of-a-ring', 'engine-busy', qr/fence 0x1 was the last .* 0x3 has been asked for/,
        'lockup', 3],
    ['recovery.log', 'commands-refused', 'owner', qr/error -125/, 'commands-refused', 3],
    ['recovery.log', 'context-told', 'owner', qr/is lost \(This context is guilty.*\), likely because .* line 4/,
        'context-told', 6],
    # 0x0c63d00c: protections 7:0, client 15:8, write 16, address space 20:17.
    ['fault-interrupt-gfx7.log', 'fault-without-address', 'page-fault',
        qr/a write in address space 1; checks that failed: VALID\|READ;/, 'vm-fault', 2],
    ['fault-interrupt-only.log', 'fault-untold', 'page-fault', qr/neither the page nor who asked/, 'vm-fault', 1],
    ['error-state-kept.log', 'error-state-kept', 'missing', qr{`cat /sys/class/drm/card1/error > }, 'error-state', 2],
    ['fault-of-either.log', 'fault-of-either', 'page-fault', qr/^an access to page 0x3000 or address 0x3000 failed: /,
        'vm-fault', 3],
    # 0x0c06480c: bits 20:17 are 3 as the status says; one fault alone may agree by chance, so nothing is decided.
    ['fault-either.log', 'note-assumed', 'assumed-generation', qr/taken as gfx7 or gfx8: nothing in its lines decides/,
        'assumed', 1],
    ['fault-either.log', 'page-fault', 'page-fault',
        qr/TC0 .*read 0x51200000 in address space 3; checks that failed: VALID\|READ$/,
        'VM_CONTEXT1_PROTECTION_FAULT_STATUS', 3],
    # 0x00401031: more 0, walker 3:1, permissions 7:4, mapping 8, client 17:9, write 18, address space 23:20
    # (gc_9_0_sh_mask.h).
    ['hub-faults.log', 'hub-fault-of-name', 'page-fault',
        qr/^TCP \(the texture cache.*could not read 0x800100052000 in address space 4; checks that failed: (?#
        )VALID\|READ$/,
        'page-fault', 1],
    ['hub-faults.log', 'hub-fault-cleared', 'page-fault', qr/0x800100053000 in address space 4 failed; .*cleared/,
        'page-fault', 10],
    ['hub-faults.log', 'hub-page-protected', 'page-fault', qr/0x7f1200000000 is mapped, but not for writing/,
        'page-fault', 15],
    ['hub-faults.log', 'hub-null-page-of-name', 'null-page', qr/^SQC \(data\) .*read page 0 of address space 6/,
        'page-fault', 21],
    ['hub-faults.log', 'hub-null-page-of-driver', 'null-page',
        qr/client 5 \(CPC\) could not read page 0 of address space 0/, 'page-fault', 25],
    ['hub-faults.log', 'hub-fault-of-number', 'page-fault',
        qr/client 8 could not write 0x800103e79000 in address space 3; checks that failed: VALID\|WRITE/, 'page-fault',
        29],
    ['hub-faults.log', 'hub-null-page-of-number', 'null-page', qr/client 8 could not read page 0 of address space 2/,
        'page-fault', 32],
    ['hub-faults.log', 'hub-fault-status-alone', 'page-fault', qr/client 8 made a read that failed in address space 7/,
        'page-fault', 35],
    ['mesa-hub.log', 'hub-page-among-buffers', 'page-fault',
        qr/0x800100043000 lies 0x1000 bytes past the end of the buffer 0x800100040000-0x800100042000, CONST_BUFFER/,
        'buffer', 11],
    ['bo-history.log', 'hub-page-among-buffers', 'page-fault',
        qr/0x800100041000 lies inside the buffer 0x800100040000-0x800100042000, freed at 2500 ns/, 'buffer', 5],
    ['queues.log', 'firmware-silent', 'no-answer',
        qr/^MES \(the scheduler of queues\) did not answer the driver's message REMOVE_QUEUE/, 'firmware-silent', 1],
    ['queues.log', 'eviction', 'engine-busy', qr/^queue 3 /, 'eviction-failed', 4],
    ['queues.log', 'vital-buffer', 'owner', qr/0x7f1230800000/, 'vital-buffer', 9],
    ['runtime.log', 'hub-fault-of-runtime', 'page-fault', qr/0x7f1200040000 failed: Page not present/, 'page-fault', 1],
    ['runtime.log', 'context-lost-why', 'owner', qr/This context is innocent/, 'context-lost', 2],
    ['runtime.log', 'program-stopped', 'owner', qr/could not go on: No space left/, 'context-lost', 6],
    ['hang-kicked.log', 'wait-ended', 'waiting-register', qr/render ring waited in vain \(wait\)/, 'wait-ended', 1],
    ['hang-kicked.log', 'hardware-error', 'engine-busy', qr/render engine: EIR is 0x10/, 'hardware-error', 3],
    ['other-vendor.log', 'not-ours', 'other-vendor', qr/does not know, Xid 31: .*NVIDIA's driver/, 'not-ours', 1],
    ['older.log', 'soft-reset', 'reset', qr/resets CP$/, 'soft-reset', 1],
    ['coredump-null.txt', 'hub-null-page', 'null-page', qr/page 0 fail, status 0x604800c/, 'page-fault', 7],
    # 0x0604800c: protections 7:0, client 19:12, write 24, address space 28:25; 0x0704800c writes.
    ['coredump-null.txt', 'hub-fault-of-client', 'page-fault',
        qr/client 72 could not read 0x0 in address space 3; checks that failed: VALID\|READ$/, 'page-fault', undef],
    ['fault-registers.txt', 'fault-in-registers', 'page-fault',
        qr/client 72 could not write 0x123400000 in address space 3/, 'VM_CONTEXT1_PROTECTION_FAULT_ADDR', 2],
    ['fault-registers.txt', 'null-page-in-registers', 'null-page',
        qr/client 72 could not read page 0 of address space 3/, 'VM_CONTEXT1_PROTECTION_FAULT_STATUS', 3],
    ['mesa-waves.log', 'wave-waits-untold', 'engine-waiting',
        qr/0x102340 stands at s_waitcnt vmcnt\(0\) lgkmcnt\(0\); what is under way is not told/, 'SQ_WAVE_INST_DW0',
        11],
    ['mesa-waves.log', 'wave-stands-untold', 'engine-busy', qr/0x102344 stands at v_mov_b32/, 'SQ_WAVE_INST_DW0', 12],
    ['waves-unsaid.log', 'wave-of-another-generation', 'other-generation',
        qr/0xc40008cf, which is not an instruction of gfx7: perhaps/, 'assumed', 2],
    ['hang-level.log', 'access-fault-at-level', 'page-fault', qr/0x12345000 in the PPGTT failed at level 1 .* unit 5/,
        'gpu-fault', 1],
    ['xe-coredump.txt', 'process-of-coredump', 'owner', qr/that of ffmpeg \[812\]/, 'Process', 5],
    ['xe-coredump.txt', 'reason-of-coredump', 'reason', qr/Timeout - schedule disable/, 'Reason', 2],
    ['lost.log', 'hub-fault-of-ones', 'device-lost', qr/at 0x800100777000 whose status register reads as ones: likely/,
        'page-fault', 1],
    ['lost.log', 'device-silent', 'device-lost', qr/controller of power\): likely the device does not answer/,
        'device-silent', 10],
    ['lost.log', 'device-gone', 'device-lost', qr/gone from the bus/, 'device-silent', 11],
    ['lost.log', 'hardware-error-named', 'hardware-error', qr/could not correct: ERREVENT_ATHUB_INTERRUPT$/,
        'hardware-error', 12],
    ['fault-either.log', 'open-generation', 'other-generation',
        qr/of gfx7 or gfx8, and does not say which: .*--isa gfx7/, undef, undef],
    ['lost-fault.log', 'device-lost', 'device-lost', qr/all 2 registers read as ones/, 'registers', 2],
    ['lost-fault.log', 'fault-of-ones', 'device-lost', qr/reads as ones: likely/, 'vm-fault', 1],
    ['pager.log', 'hub-null-page-untold', 'null-page', qr/^an access to page 0 failed; who made it is not told/,
        'page-fault', 1],
    ['pager.log', 'hub-fault-of-the-driver', 'page-fault', qr/0xe8601000 is in address space 0/, 'page-fault', 3],
    ['error-xe2.txt', 'stands-at-of-another', 'engine-waiting', qr/last command parsed is PIPELINE_SELECT/,
        'IPEHR', 21],
    ['hang-line.log', 'reset-of-hung-engine', 'reset',
        qr/found \w+ hung, and resets \w+ alone \(.*\); how that ended/, 'reset', undef],
    ['reset-for.log', 'reset-of-engine-for', 'reset',
        qr/^the driver resets bcs0 alone \(context closure in demo\); how that ended/, 'reset', 2],
    ['kernel-job.log', 'job-timeout-of-kernel', 'engine-busy', qr/^a job of the driver itself on bcs, seqno 24496, did/,
        'job-timeout', 2],
    ['phrases.log', 'wave-error-memory', 'page-fault', qr/not allowed: shader array 0, CU 3, SIMD 1, slot 2/,
        'wave-error', 15],
    ['phrases.log', 'unknown-line', 'unknown-lines', qr/amdgpu_frobnicate: the frobnicator would not turn$/,
        'unknown-error', 12],
    ['mesa.log', 'busy-by-names', 'engine-busy', qr/^GRBM_STATUS: busy: CP$/, 'GRBM_STATUS', 3],
    ['mesa.log', 'note-assumed', 'assumed-generation', qr/taken as gfx7 or gfx8: /, 'assumed', 1],
    ['coredump-wait.txt', 'hub-fault-undecoded', 'page-fault', qr/0x12340000/, 'page-fault', undef],
) {
    my ($file, $rule, $cause, $text, $register, $line) = @$case;
    my $f = finding($file, $rule);
    is $f->{cause}, $cause, "$file: $rule has its cause";
    like $f->{text}, $text, '... and its sentence';
    ok scalar(grep { $_->{register} eq $register && (!defined $line || ($_->{line} // 0) == $line) }
        @{ $f->{evidence} }), "... from $register" if $register;
}
is finding('waves.log', 'wave-vector-memory')->{count}, 2, 'waves at one place are one finding';
like finding('jobs-newer.log', 'access-fault-somewhere')->{text}, qr/^an access of \w+ to memory failed/,
    'newer kernels of xe number the error, and say whose it was';
is_deeply [map { "$_->{text}: $_->{count} to $_->{evidence}[0]{line}" } grep { $_->{rule} eq 'stalled' }
        @{ $finding{'stall-storm.log'} }],
    ['ring gfx made no progress for 24868 ms: 30 to 117', 'ring dma0 made no progress for 25120 ms: 30 to 119'],
    'a ring that stalls and stalls is one finding, told as it was last';
is finding('fault-null.log', 'null-page')->{count}, 2, 'so is a fault told twice';
ok !scalar(grep { $_->{text} =~ /busy/ } @{ $finding{'ones.log'} }), 'of a device that is lost nothing else is said';

# Headers that ecodes are taken for are commands of those lengths to the tables of commands.
if ($tables) {
    my (@bad, $list);
    my $own = tempdir(CLEANUP => 1);
    for (lines("share/explain/intel.rules")) {
        $list = $1 if /^(?:words|rule) (\S+)/;
        my ($generation) = $list && $list =~ /^header-?(\d*)$/ or next;
        my ($header, $name, $dwords) = /^  0x(\w{8})  (\w+)(?: of (\d+) dwords)?/ or next;
        for my $isa ($generation eq 7 ? qw(gen7 gen7.5) : $generation eq 12 ? 'gen12'
            : $generation ? () : qw(gen7 gen7.5 gen12)) {
            open my $out, '>:raw', "$own/batch" or die $!;
            print $out pack 'V*', hex $header, (0) x 40;
            close $out;
            my ($insn) = grep { $_->{type} eq 'insn' } map { JSON->new->decode($_) }
                `$program --batch --json --isa $isa --format batch-buffer $own/batch -e packets`;
            push @bad, "$isa $header" unless $insn && $insn->{mnemonic} eq $name
                && (!$dwords || $insn->{size} == 4 * $dwords);
        }
    }
    is_deeply \@bad, [], 'headers of hangs are commands';
}

# The panes: Enter on a sentence leads to its register, unfolded; finding unfolds; fields of the databases without a
# dump.
sub screen { my @commands = @_; my $text = `$program @commands`; return $text }
my $picture = screen("--batch --screen 100x40 $folder" . ("/reset-shaders.log -e 'layout hang' -e 'focus explain' -e "
    . "'pane find GRBM_STATUS:' -e 'pane follow' -e screenshot"));
like $picture, qr/engine-busy +GRBM_STATUS: busy: SPI, CP/, 'the pane explain has the sentences';
like $picture, qr/GRBM_STATUS, line 4: /, '... and the lines of the evidence';
like $picture, qr/- GRBM_STATUS +0xa0403028 .*\n +3:0 +ME0PIPE0_CMDFIFO_AVAIL +0x8/,
    'Enter shows the register with its fields';
$picture = screen("--batch --screen 100x40 $folder"
    . "/reset-shaders.log -e 'layout regs' -e 'focus regs' -e 'pane find ME_WAITING_ON_MC_READ_DATA' -e screenshot");
like $picture, qr/14:14 +ME_WAITING_ON_MC_READ_DATA +0x1 +yes/, 'finding a field unfolds its register';
$picture = screen(
    "--batch --isa gfx7 --screen 100x40 -e 'layout regs' -e 'focus regs' -e 'pane find TESS_MODE' -e screenshot");
like $picture, qr/- VGT_HOS_CNTL +0x28a14 .*\n +1:0 +TESS_MODE/, 'without a dump the pane shows the databases';
$picture = screen("--batch --isa gfx7 --screen 100x40 -e 'layout regs' -e 'focus regs' -e 'pane find TESS_MODE' -e "
    . "'pane left' -e screenshot");
like $picture, qr/\+ VGT_HOS_CNTL/, 'left folds';

# A user's own rules, and broken ones.
my $own = tempdir(CLEANUP => 1);
mkdir "$own/gpudbg"; mkdir "$own/gpudbg/explain";
open my $f, '>', "$own/gpudbg/explain/mine.rules" or die;
print $f "rule mine\n  subject register GRBM_STATUS\n  when SPI_BUSY = 1\n  cause mine\n  text {name} is {value:x}\n"
    . "  source me\nrule broken\n  subject nothing\n";
close $f;
$ENV{XDG_CONFIG_HOME} = $own;
my ($mine) = grep { $_->{rule} eq 'mine' } findings("reset-shaders.log");
is $mine->{text}, 'GRBM_STATUS is 0xa0403028', "a rule of the user's own";
my $said = `$program --batch $folder/idle.log -e explain 2>&1 >/dev/null`;
like $said, qr{^gpudbg: \S+/mine\.rules:8: [^\n]+\n\z}, 'a broken rule is named once, with its line';
done_testing;
