#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Code beside the loaded file: a vertex shader whose fetch shader is a file of its own, as emulators dump them.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use lib 't/lib';
use Gpudbg;

my $dir = tempdir(CLEANUP => 1);
sub file ($name, @words) { open my $f, '>:raw', "$dir/$name" or die "$name: $!\n"; print $f pack 'V*', @words; close $f;
    return "$dir/$name" }

# s_swappc_b64 s[0:1], s[0:1]; v_add_f32 v4, v4, v4; exp pos0 v4, v5, v6, v7 done; s_endpgm
my $vs = file('vs.bin', 0xbe802100, 0x06080904, 0xf80008cf, 0x07060504, 0xbf810000);
# buffer_load_format_xyzw v[4:7], v0, s[4:7], 0 idxen; s_waitcnt vmcnt(0); s_setpc_b64 s[0:1]
my $fetch = file('fs 1.bin', 0xe00c2000, 0x80010400, 0xbf8c0f70, 0xbe802000);
my $vertices = join '', map { unpack 'H*', pack 'f<4', $_, $_ + 0.25, $_ + 0.5, 1 } 0 .. 3;
my $launch = "launch -g 4 -l 4 buf0=hex:$vertices s[0:1]=&fs_1 s[4:7]=&buf0,u32:4,u32:0x77fac v[0]=hex:" . unpack 'H*',
    pack 'V4', 0 .. 3;

# What it says, errors first.
sub run (@commands) {
    my ($text, $errors) = gpudbg(qw(--raw --isa gfx7), map { -e $_ ? $_ : commands($_) } @commands);
    return $errors . $text;
}

my @with = ($vs, "add-code \"$fetch\"");
like(run(@with, 'disassemble fs_1'),
    qr/^fs_1:\n\s+buffer_load_format_xyzw v\[4:7\], v0, s\[4:7\], 0 idxen\s+\/\/ 10000\n.*s_setpc_b64 s\[0:1\]/ms,
    'the code stands behind all else and has a name');
like(run(@with, 'info sections'), qr/^fs_1\s+0x10000\s+16\s+loaded, code/m, '... and a section');
# The V#: stride 16 is in the second dword, so the address is set there by hand.
my @go = ("$launch", 'set $s5 = $s5 | 16 << 16');
my $exports = run(@with, @go, 'continue', 'info exports');
for my $lane (0 .. 3) {
    my $want = sprintf '%g', 2 * $lane;
    like($exports, qr/pos0\s+0xf\s+$lane\s.*\s$want \d\.\d+ /, "lane $lane exports x doubled, $want") or diag $exports;
}
like(run(@with, @go, 'stepi', 'print $pc'), qr/0x10000/, 'a step goes into it');
like(run(@with, @go, 'nexti', 'print/x $pc'), qr/= 0x4\b/, 'nexti runs over it');
like(run(@with, @go, 'break fs_1+8', 'continue'), qr/Breakpoint 1.*fs_1\+0x8/s, 'a breakpoint stops in it');
like(run(@with, @go, 'break fs_1+8', 'continue', 'reverse-stepi', 'print/x $pc'), qr/= 0x10000/,
    'time runs back in it');
like(run($vs, "add-code \"$fetch\" 0x2340000 fetch", $launch =~ s/fs_1/fetch/r, 'stepi', 'print/x $pc'),
    qr/= 0x2340000/, 'an address and a name of ones own');
like(run(@with, @go, 'continue', "add-code \"$vs\"", 'info waves'), qr/vs at 0x20000/, 'more code ends the launch');
like(run($vs, 'add-code'), qr/a file is missing|missing/, 'a file is wanted');
like(run($vs, "add-code \"$fetch\" 8"), qr/0x8 to 0x18: 'code' lies there/, 'not over other code');
like(run($vs, "add-code \"$fetch\" 0x10002"), qr/0x10002: code starts at a multiple of 4/, 'nor between words');
like(run(@with, "add-code \"$fetch\""), qr/the name 'fs_1' is already in use/, 'a name is taken once');
like(run($vs, "add-code \"$fetch\" 0xfffffffffffffff8"), qr/16 bytes at 0xfffffffffffffff8: no code/,
    'nor past the end of memory');
like(run($vs, 'launch -g 4 -l 4 s[0:1]=&nothing'), qr/no buffer and no code has this name/, 'a name that nothing has');
like(run($vs, 'add-code /nonexistent'), qr/nonexistent/, 'a file that is not there');
done_testing;
