#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What explain says of logs is true: each case is a log, what must be said, and what must not.
use strict;
use warnings;
use File::Temp qw(tempdir);
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
    'memory client 72', '! \(\) could';
# Waves of any generation, by where they stand.
like scalar `$program --batch t/data/explain/debug-agent.txt -e explain`,
    qr/verdict: 2 waves stand at blur\+0x44: s_waitcnt vmcnt\(0\), which waits for vector memory; stopped: MEMORY_VIOL/,
    'waves of an agent';
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
says 'a reset that ended well', [@reset], 'a reset of the GPU .*MES, the scheduler of queues\) ended well', '!failed';
for my $end ('resume of IP block <gfx_v11_0> failed -110', 'GPU reset(1) failed', 'GPU reset end with ret = -110') {
    says "a reset that ends with: $end", [@reset, "$amd $end"], 'reset-failed ', 'a reset of the GPU .*(?:failed|help)',
        '!ended well';
    is scalar(() = said(@reset, "$amd $end") =~ /^  reset  /mg), 1, '... is one finding';
}
# Drivers of others.
for my $other ('nouveau 0000:01:00.0: gr: TRAP ch 5 [00ffa3d000 game[1234]] error',
    'panfrost fde60000.gpu: gpu sched timeout',
    'etnaviv-gpu 130000.gpu: recover hung GPU!', '[drm:v3d_reset] *ERROR* Resetting GPU for hang.',
    'msm_dpu 5e01000.display-controller: [drm:hangcheck_handler] *ERROR* 5.0.6.1: hangcheck detected gpu lockup rb 0!',
    'NVRM: Xid (PCI:0000:01:00): 31, pid=12, name=game', 'Display driver nvlddmkm stopped responding') {
    says "another's: $other", [$other], 'verdict: a failure of a GPU that gpudbg does not know', '!gfx', '!amdgpu';
}
# Nothing is silent.
says 'a line that no row is for', ["$amd ring gfx timeout, but soft recovered",
    '[drm:amdgpu_frobnicate [amdgpu]] *ERROR* the frobnicator would not turn'], 'does not know: 1',
    'amdgpu_frobnicate: the frobnicator would not turn';
done_testing;
