#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What drivers print, made from a table of their formats: each message with values of its own behind the prefixes of
# loggers, and the facts that it then holds.  Formats are those of the public sources that each row names.  Then they
# are damaged: two devices line by line, cut at every byte, begun at every line.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
$ENV{XDG_CONFIG_HOME} = '/nonexistent';
my $seed = 20;
sub pick { my ($n) = @_; $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; return ($seed >> 8) % $n }
sub one { return $_[pick(scalar @_)] }
sub bits { my ($n) = @_; return pick(1 << ($n < 20 ? $n : 20)) << ($n > 20 ? $n - 20 : 0) }

# What each of many logs holds, of one start of the program: lists of incidents, each with whether the log is said to be
# cut.  Every log begins with a line of another device, so that none is without a word of a GPU.
my $other = '0000:ff:00.0';
sub incidents_of {
    my (@texts) = @_;
    my (@arguments, @of);
    for my $i (0 .. $#texts) {
        open my $f, '>', "$dir/$i" or die $!;
        print $f "amdgpu $other: amdgpu: GPU reset begin!\n$texts[$i]";
        close $f;
        push @arguments, "$dir/$i";
    }
    push @arguments, map { ('-e', "print $_", '-e', "info dump -d $_ incidents", '-e', "info dump -d $_ notes") }
        0 .. $#texts;
    open my $out, '-|', $program, '--batch', '--json', @arguments or die $!;
    while (<$out>) {
        my $r = JSON->new->utf8->decode($_);
        push @of, { found => [] } if $r->{type} eq 'value';
        $of[-1]{cut} = 1 if $r->{type} eq 'note' && $r->{kind} eq 'cut-off';
        push @{ $of[-1]{found} }, $r if $r->{type} eq 'incident' && !($r->{kind} eq 'reset' && $r->{line} == 1);
    }
    close $out;
    is $?, 0, 'the program reads them all';
    return @of;
}

# Each makes lines without prefixes, and the facts: kind, unit (or undef), text (or undef), values.
my %words = (process => [qw(paint bake Xorg game.exe python3)], ring => [qw(gfx gfx_0.0.0 comp_1.0.0 sdma0 uvd)],
    engine => [qw(rcs0 bcs0 vcs0 vecs0)]);
sub process { return one(@{ $words{process} }) }
my @permissions = (0x1, 0x3, 0x5, 0x7);
my @drivers = (
    ['amdgpu/gmc_v7_0.c, gmc_v8_0.c', 'amdgpu', sub {
        my ($page, $vmid, $pasid, $client, $write, $bits) =
            (0x10 + bits(26), 1 + pick(15), 1 + pick(60000), 1 + pick(255), pick(2), one(1, 0xc, 0x14));
        my $status = $bits | $client << 12 | $write << 24 | $vmid << 25;
        my $data = $bits | $client << 8 | $write << 16 | $vmid << 17;
        my $name = one(qw(TC0 TC4 CB0 DB1 SDM0));
        my $tag = unpack 'N', pack 'a4', $name;
        return [sprintf('GPU fault detected: %d 0x%08x', one(146, 147), $data),
            sprintf('  VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x%08X', $page),
            sprintf('  VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x%08X', $status),
            sprintf(q{VM fault (0x%02x, vmid %d, pasid %d) at page %u, %s from '%s' (0x%08x) (%d)}, $bits, $vmid,
                $pasid, $page, $write ? 'write' : 'read', $name, $tag, $client)],
            ['vm-fault', undef, undef, { page => $page, status => $status, vmid => $vmid, pasid => $pasid,
                protections => $bits, client => $client, write => $write, tag => $tag }] }],
    ['amdgpu/gmc_v9_0.c before Linux 6.11', 'amdgpu', sub { hub('', one('no-retry ', 'retry '), 'for process') }],
    ['amdgpu/gmc_v11_0.c from Linux 6.11 on', 'amdgpu', sub { hub('GC', '', 'Process') }],
    ['amdgpu_job.c', 'amdgpu', sub {
        my ($ring, $seq) = (one(@{ $words{ring} }), 1 + bits(30));
        return ["ring $ring timeout, signaled seq=$seq, emitted seq=" . ($seq + 2)],
            ['timeout', $ring, undef, { signaled => $seq, emitted => $seq + 2 }] }],
    ['amdgpu_job.c', 'amdgpu', sub {
        my ($who, $pid) = (process(), 2 + pick(99999));
        return ["Process information: process $who pid $pid thread $who:cs0 pid " . ($pid + 1)],
            ['process', undef, $who, { pid => $pid }] }],
    ['amdgpu_device.c', 'amdgpu', sub { ['GPU reset begin!'], ['reset', undef, undef, {}] }],
    ['amdgpu_device.c', 'amdgpu', sub { my $n = 1 + pick(40); ["GPU reset($n) succeeded!"],
        ['reset-done', undef, undef, { number => $n }] }],
    ['amdgpu_device.c', 'amdgpu', sub { my $n = 1 + pick(130); ["GPU Recovery Failed: -$n"],
        ['reset-failed', undef, undef, { error => -$n }] }],
    ['amdgpu_ring.c', 'amdgpu', sub { my ($ring, $n) = (one(@{ $words{ring} }), 1 + pick(130));
        ["ring $ring test failed (-$n)"], ['ring-test-failed', $ring, undef, { error => -$n }] }],
    ['mes_v11_0.c', 'amdgpu', sub { my $m = one(qw(ADD_QUEUE REMOVE_QUEUE MISC));
        ["MES failed to respond to msg=$m"], ['firmware-silent', 'MES', $m, {}] }],
    ['mes_v12_0.c', 'amdgpu', sub { my $m = one('ADD_QUEUE', 'RESET', 'MISC (WAIT_REG_MEM)');
        ['MES(' . pick(2) . ") failed to respond to msg=$m"], ['firmware-silent', 'MES', $m, {}] }],
    ['kfd_device_queue_manager.c', 'amdgpu', sub { my $n = pick(30); ["Failed to evict queue $n"],
        ['eviction-failed', undef, undef, { queue => $n }] }],
    ['radeon_fence.c', 'radeon', sub {
        my ($ring, $a, $b) = (pick(5), bits(40), bits(40));
        return [sprintf('GPU lockup (current fence id 0x%016x last fence id 0x%016x on ring %d)', $a, $b, $ring)],
            ['lockup', [qw(gfx), 'compute 1', 'compute 2', qw(dma0 dma1)]->[$ring], undef,
                { current => $a, last => $b, ring => $ring }] }],
    ['radeon_ring.c', 'radeon', sub { my ($ring, $ms) = (pick(5), 10000 + bits(20));
        ["ring $ring stalled for more than ${ms}msec"],
        ['stalled', [qw(gfx), 'compute 1', 'compute 2', qw(dma0 dma1)]->[$ring], undef,
            { milliseconds => $ms, ring => $ring }] }],
    ['radeon/cik.c', 'radeon', sub { my $mask = 1 + bits(12); [sprintf 'GPU softreset: 0x%08X', $mask],
        ['soft-reset', undef, undef, { mask => $mask }] }],
    ['radeon_ring.c', 'radeon', sub { my ($n, $ring) = (pick(5000), pick(5));
        ["Saved $n dwords of commands on ring $ring."],
        ['saved', [qw(gfx), 'compute 1', 'compute 2', qw(dma0 dma1)]->[$ring], undef,
            { dwords => $n, ring => $ring }] }],
    ['i915_gpu_error.c from Linux 5.0 on', 'i915', sub {
        my ($gen, $mask, $code, $who, $pid) =
            (one(6, 7, 8, 9, 11, 12), 1 << pick(6), bits(32), process(), 2 + pick(99999));
        return [sprintf 'GPU HANG: ecode %d:%x:%08x, in %s [%d]', $gen, $mask, $code, $who, $pid],
            ['gpu-hang', undef, $who, { generation => $gen, engines => $mask, ecode => $code, pid => $pid }] }],
    ['i915/gt/intel_reset.c', 'i915', sub { my $e = one(@{ $words{engine} });
        ["Resetting $e for preemption time out"], ['reset', $e, 'preemption time out', {}] }],
    ['xe_guc_submit.c', 'xe', sub {
        my ($seq, $who, $pid) = (1 + bits(24), process(), 2 + pick(99999));
        return ["GT0: Timedout job: seqno=$seq, lrc_seqno=$seq, guc_id=" . pick(64) . ", flags=0x20 in $who [$pid]"],
            ['job-timeout', undef, $who, { seqno => $seq, pid => $pid }] }],
    ['xe_guc_submit.c', 'xe', sub { my $c = one(qw(rcs bcs vcs ccs));
        ["GT0: Engine reset: engine_class=$c, logical_mask: 0x1, guc_id=" . pick(64)],
        ['reset-done', $c, 'by GuC, which schedules its work', {}] }],
    ['i915_drv.c to Linux 4.14', 'i915', sub { ['GPU recovery failed'], ['reset-failed', undef, undef, {}] }],
    ['xe_guc_submit.c, numbers left out', 'xe', sub { ['GT0: Timedout job: seqno=..., lrc_seqno=..., guc_id=2'],
        ['job-timeout', undef, undef, {}] }],
    ['i915/gt/intel_gt.c: gen6_check_faults', 'i915', sub {
        my ($address, $source, $type, $space) = (bits(20) << 12, pick(256), pick(4), one(qw(GGTT PPGTT)));
        return ['Unexpected fault', sprintf("\tAddr: 0x%08x", $address), "\tAddress space: $space",
            "\tSource ID: $source", "\tType: $type"],
            ['gpu-fault', undef, $space, { address => $address, source => $source, fault => $type }] }],
    ['i915/gt/intel_gt.c: gen8_check_faults', 'i915', sub {
        my ($address, $engine, $source, $type) = ((1 + bits(34)) << 12, pick(5), pick(256), pick(4));
        my $space = one(qw(GGTT PPGTT));
        return ['Unexpected fault', sprintf("\tAddr: 0x%08x_%08x", $address >> 32, $address & 0xffffffff),
            "\tAddress space: $space", "\tEngine ID: $engine", "\tSource ID: $source", "\tType: $type"],
            ['gpu-fault', undef, $space, { address => $address, source => $source, fault => $type }] }],
    ['xe_gt_pagefault.c: faults', 'xe', sub {
        my ($asid, $address, $type, $access, $level) = (pick(4096), (1 + bits(34)) << 12, pick(4), pick(3), pick(5));
        my $class = one(qw(rcs bcs vcs vecs ccs));
        return ["ASID: $asid", "\tVFID: 0", sprintf("\tPDATA: 0x%04x", pick(65536)),
            sprintf("\tFaulted Address: 0x%08x%08x", $address >> 32, $address & 0xffffffff), "\tFaultType: $type",
            "\tAccessType: $access", "\tFaultLevel: $level", "\tEngineClass: 0 $class",
            "\tEngineInstance: 0"],
            ['gpu-fault', $class, undef, { address => $address, write => $access, fault => $type, asid => $asid,
                level => $level }] }],
    ['xe_guc_submit.c: a fault that cannot be served', 'xe', sub {
        my $class = one(qw(rcs bcs vcs ccs));
        return ["GT0: Engine memory cat error: engine_class=$class, logical_mask: 0x1, guc_id=" . pick(64)],
            ['gpu-fault', $class, undef, {}] }],
    ['xe_devcoredump.c', 'xe', sub { my $card = pick(8);
        ['Xe device coredump has been created', "Check your /sys/class/drm/card$card/device/devcoredump/data"],
            ['coredump', undef, "/sys/class/drm/card$card/device/devcoredump/data", {}] }],
    ['xe_devcoredump.c, its first line alone', 'xe', sub { ['Xe device coredump has been created'],
        ['coredump', undef, undef, {}] }],
    ['radeonsi and RADV to 23.2, chip of gfx6 to gfx8: ac_vm_fault_occurred gives the page', 'mesa', sub {
        my ($page, $chip) = (0x10 + bits(28), one('AMD TAHITI (DRM 2.50.0, LLVM 5.0.0)', 'AMD RADV POLARIS10 (LLVM 8)',
            'AMD Radeon R9 200 Series (hawaii, LLVM 15.0.7, DRM 3.49, 6.1.0)'));
        ['VM fault report.', '', "Device name: $chip", '', sprintf('Failing VM page: 0x%08x', $page), ''],
        ['vm-fault', undef, undef, { page => $page }] }],
    ['radeonsi and RADV to 23.2, chip of gfx9 on: it gives the address', 'mesa', sub {
        my ($address, $chip) = ((1 + bits(34)) << 12, one('AMD RADV VEGA10 (LLVM 8)',
            'AMD Radeon RX 6600 (navi23, LLVM 15.0.7, DRM 3.49, 6.1.0)', 'AMD Radeon RX 6800 XT (RADV NAVI21)'));
        ['VM fault report.', '', "Device name: $chip", '', sprintf('Failing VM page: 0x%08x', $address), ''],
        ['page-fault', undef, undef, { address => $address }] }],
    ['radeonsi and RADV to 23.2, no chip: an address begins a page', 'mesa', sub {
        my $page = 0x10000 + bits(15) * 4096 + 1 + pick(4000);
        ['VM fault report.', '', sprintf('Failing VM page: 0x%08x', $page), ''],
        ['vm-fault', undef, undef, { page => $page }] }],
    ['radeonsi and RADV to 23.2, no chip: a page has 28 bits', 'mesa', sub { my $address = (0x10000 + bits(34)) << 12;
        ['VM fault report.', '', sprintf('Failing VM page: 0x%08x', $address), ''],
        ['page-fault', undef, undef, { address => $address }] }],
    ['radeonsi and RADV to 23.2, no chip: either', 'mesa', sub { my $n = sprintf '0x%x', (1 + pick(1000)) << 12;
        ['VM fault report.', '', sprintf('Failing VM page: 0x%08x', hex $n), ''],
        ['vm-fault', undef, "page $n or address $n", {}] }],
    (map { my $heading = $_;
        ["RADV from 23.3 on, gfx10 on: $heading, ac_print_gpuvm_fault_status", 'mesa',
            sub { radv_hub($heading, 'GC') }],
        ["RADV from 23.3 on, gfx9: $heading, ac_print_gpuvm_fault_status", 'mesa', sub { radv_hub($heading, '') }],
        ["RADV from 23.3 on, gfx6 to gfx8: $heading, ac_print_gpuvm_fault_status", 'mesa', sub {
            my ($page, $bits, $client, $write, $vmid) =
                (1 + bits(28), one(1, 0xc, 0x14), 1 + pick(255), pick(2), 1 + pick(15));
            my $status = $bits | $client << 12 | $write << 24 | $vmid << 25;
            [radv_heading($heading, $page << 12), sprintf('VM_CONTEXT1_PROTECTION_FAULT_STATUS: 0x%x', $status)],
            ['vm-fault', undef, undef, { page => $page, status => $status, vmid => $vmid, protections => $bits,
                client => $client, write => $write }] }],
    } 'radv_device.c, radv_queue.c', 'radv_debug.c'),
    ['RADV without the kernel\'s query of faults', 'mesa', sub { my $address = (1 + bits(34)) << 12;
        [sprintf('radv: GPUVM fault detected at address 0x%08x.', $address)],
        ['page-fault', undef, undef, { address => $address }] }],
    ['i915_gpu_error.c from Linux 6.14 on, what it kept', 'i915', sub { my $card = pick(4);
        ["GPU error state saved to /sys/class/drm/card$card/error"],
            ['error-state', undef, undef, { card => $card }] }],
    ['i915_gpu_error.c before', 'i915', sub { my $card = pick(4);
        ["GPU crash dump saved to /sys/class/drm/card$card/error"], ['error-state', undef, undef, { card => $card }] }],
    ['xe_guc_submit.c: xe_guc_exec_queue_reset_failure_handler', 'xe', sub { my $class = pick(6);
        ['GT0: GuC engine reset request failed on ' . "$class:0 because 0x00000000"],
        ['reset-failed', (qw(rcs vcs vecs bcs ccs gsccs))[$class], undef, {}] }],
    ['i915/gt/uc/intel_guc_submission.c', 'i915', sub { my $engine = one(@{ $words{engine} });
        ["GuC engine reset request failed on 0:0 ($engine) because 0x00000000"],
        ['reset-failed', $engine, undef, {}] }],
    ['radeon/r100.c: r100_ring_test', 'radeon', sub {
        ['radeon: ring test failed (scratch(0x15E8)=0xCAFEDEAD)'], ['ring-test-failed', undef, undef, {}] }],
    ['nvidia, as others print it', 'NVRM', sub { my $x = one(13, 31, 43, 79);
        ["NVRM: Xid (PCI:0000:01:00): $x, pid=12, name=game"],
        ['not-ours', 'NVRM', "NVIDIA's driver; nvidia-bug-report.sh collects what NVIDIA reads", { xid => $x }] }],
);
sub radv_heading {
    my ($source, $address) = @_;
    return $source eq 'radv_debug.c' ? ('VM fault report.', '', sprintf 'Failing VM page: 0x%08x', $address)
        : sprintf 'radv: GPUVM fault detected at address 0x%08x.', $address;
}
sub radv_hub { # ... as RADV tells it: the fields from gfx10 on
    my ($source, $block) = @_;
    my ($address, $vmid, $client, $write, $permissions, $more) =
        ((1 + bits(28)) << 12, 1 + pick(15), pick(12), pick(2), one(@permissions), pick(2));
    my $status = $more | $permissions << 4 | $client << 9 | $write << 18 | $vmid << 20;
    my $name = (qw(CB/DB Reserved GE1 GE2 CPF CPC CPG RLC TCP), 'SQC (inst)', 'SQC (data)', 'SQG')[$client];
    my @fields = $block ? (sprintf('GCVM_L2_PROTECTION_FAULT_STATUS: 0x%x', $status),
        sprintf("\t CLIENT_ID: (%s) 0x%x", $name, $client), "\t MORE_FAULTS: $more", "\t WALKER_ERROR: 0",
        "\t PERMISSION_FAULTS: $permissions", "\t MAPPING_ERROR: 0", "\t RW: $write")
        : sprintf 'VM_CONTEXT1_PROTECTION_FAULT_STATUS: 0x%x', $status;
    return [radv_heading($source, $address), @fields],
        ['page-fault', undef, $block ? $name : undef, { address => $address, status => $status, vmid => $vmid,
            client => $client, write => $write, permissions => $permissions, 'more-faults' => $more }];
}
sub hub { # a fault of gfx9 on
    my ($block, $retry, $says) = @_;
    my ($address, $vmid, $pasid, $client, $write, $ring) =
        ((1 + bits(34)) * 4096, 1 + pick(15), 1 + pick(60000), pick(12), pick(2), pick(255));
    my ($walker, $permissions, $mapping) = (pick(8), one(@permissions), pick(2));
    my $more = pick(2);
    my $status = $more | $walker << 1 | $permissions << 4 | $mapping << 8 | $client << 9 | $write << 18 | $vmid << 20;
    my $name = (qw(CB DB IA WD CPF CPC CPG RLC TCP), 'SQC (inst)', 'SQC (data)', 'SQG')[$client];
    my ($who, $pid) = (process(), 2 + pick(99999));
    my $head = sprintf '[gfxhub%s] %spage fault (src_id:0 ring:%d vmid:%d pasid:%d', $block ? '' : '0', $retry, $ring,
        $vmid, $pasid;
    my @of = $says eq 'Process' ? ("$head)", " Process $who pid $pid thread $who pid $pid")
        : ("$head, for process $who pid $pid thread $who pid $pid)");
    return [@of, sprintf('  in page starting at address 0x%016x from %s', $address,
            $block ? 'client 10' : 'IH client 0x1b (UTCL2)'),
        sprintf('%sVM_L2_PROTECTION_FAULT_STATUS:0x%08X', $block, $status),
        sprintf("\t Faulty UTCL2 client ID: %s (0x%x)", $name, $client), sprintf("\t MORE_FAULTS: 0x%x", $more),
        sprintf("\t WALKER_ERROR: 0x%x", $walker), sprintf("\t PERMISSION_FAULTS: 0x%x", $permissions),
        sprintf("\t MAPPING_ERROR: 0x%x", $mapping), sprintf("\t RW: 0x%x", $write)],
        ['page-fault', $block ? 'gfxhub' : 'gfxhub0', $name, { address => $address, status => $status, vmid => $vmid,
            pasid => $pasid, client => $client, write => $write, permissions => $permissions,
            'mapping-error' => $mapping, 'walker-error' => $walker, 'more-faults' => $more }];
}

my @devices = ('0000:01:00.0', '0000:03:00.0', '0000:c5:00.0');
my $time = 100;
sub prefixed { # as one logger writes the driver's lines
    my ($logger, $driver, $device, @lines) = @_;
    my $front = $driver =~ /^(?:NVRM|mesa)$/ ? '' : $driver eq 'amdgpu' ? "amdgpu $device: amdgpu: "
        : $driver eq 'radeon' ? "radeon $device: " : "$driver $device: [drm] ";
    return map {
        $time += 0.001;
        my $line = $front . $_;
          $logger eq 'dmesg' ? sprintf('[%12.6f] %s', $time, $line)
        : $logger eq 'journal' ? "Nov 21 23:16:04 host kernel: $line"
        : $logger eq 'iso' ? "2026-11-21T23:16:04.123456+01:00 host kernel: $line"
        : $logger eq 'kmsg' ? sprintf('6,%d,%d,-;%s', $time * 1000, $time * 1e6, $line)
        : $logger eq 'quoted' ? "> $line"
        : $line
    } @lines;
}
my @loggers = qw(dmesg journal iso kmsg quoted none);

sub holds { # the facts among what was found, each once
    my ($what, $facts, @found) = @_;
    for my $fact (@$facts) {
        my ($kind, $unit, $text, $values) = @$fact;
        my ($at) = grep {
            my $x = $found[$_];
            $x->{kind} eq $kind && ($x->{unit} // '') eq ($unit // '') && ($x->{text} // '') eq ($text // '')
                && !grep {
                    my $got = $x->{values}{$_};
                    !defined $got || $got ne sprintf '0x%x', $values->{$_}
                } keys %$values
        } 0 .. $#found;
        ok defined $at, "$what: $kind" or diag explain $fact, [grep { $_->{kind} eq $kind } @found];
        splice @found, $at, 1 if defined $at;
    }
    return @found;
}

my (@what, @texts, @facts);
for my $driver (@drivers) {
    my ($source, $name, $make) = @$driver;
    for my $logger (@loggers) { # one file each, so that no message explains another
        my ($lines, @fact) = $make->();
        push @what, "$source, $logger";
        push @facts, \@fact;
        push @texts, join '', map { "$_\n" } prefixed($logger, $name, one(@devices), @$lines);
    }
}
my @all = incidents_of(@texts);
holds($what[$_], $facts[$_], @{ $all[$_]{found} }) for 0 .. $#what;

# Two devices, their lines in turns: the same facts, on the device that they are of.
my @faulty = grep { $_->[0] =~ /gmc/ } @drivers;
@texts = @facts = ();
for my $try (1 .. 6) {
    my @each;
    for my $i (0, 1) {
        my ($lines, $fact) = one(@faulty)->[2]->();
        push @each, [prefixed('dmesg', 'amdgpu', $devices[$i], @$lines)];
        push @{ $facts[$try - 1] }, $fact;
    }
    my $text = '';
    while (@{ $each[0] } || @{ $each[1] }) {
        my $from = !@{ $each[0] } ? 1 : !@{ $each[1] } ? 0 : pick(2);
        $text .= shift(@{ $each[$from] }) . "\n";
    }
    push @texts, $text;
}
@all = incidents_of(@texts);
for my $try (0 .. $#all) {
    my @rest = grep { $_->{kind} =~ /fault/ } holds("in turns, $try", $facts[$try], @{ $all[$try]{found} });
    is scalar @rest, 0, '... and no fault that nobody had';
}

# Cut anywhere, also inside of numbers, and begun anywhere: what a fault still tells is what it told whole, or the log
# is said to be cut.
for my $driver (grep { $_->[0] =~ /gmc|fault/i } @drivers) {
    my ($lines, $fact) = $driver->[2]->();
    my @log = prefixed('dmesg', $driver->[1], $devices[0], @$lines);
    my $whole = join '', map { "$_\n" } @log;
    my $step = $ENV{GPUDBG_NIGHTLY} ? 1 : 11;
    my @cut = map { substr $whole, 0, $_ * $step } 1 .. (length($whole) - 1) / $step;
    push @cut, map { join '', map { "$_\n" } @log[$_ .. $#log] } 1 .. $#log;
    my @wrong;
    for my $one (incidents_of(@cut)) {
        my $text = shift @cut;
        for my $x (grep { $_->{kind} eq $fact->[0] } @{ $one->{found} }) {
            push @wrong, map { "$_ is $x->{values}{$_} of ..." . substr $text, -40 } grep {
                defined $fact->[3]{$_} && $x->{values}{$_} ne sprintf '0x%x', $fact->[3]{$_}
            } keys %{ $x->{values} } unless $one->{cut};
        }
    }
    is_deeply \@wrong, [], "$driver->[0]: a fault that is cut tells no other values";
}
done_testing;
