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
done_testing;
