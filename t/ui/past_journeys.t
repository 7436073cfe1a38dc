#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Journeys back in time, in a terminal of 80x24: from a wrong result to its planted cause, a lane that is off, two
# builds of one kernel, another vendor's chip, and a session that goes on in another folder.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Copy qw(copy);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg ();
use Terminal;
use Test::More;

plan skip_all => 'no tmux' unless Terminal::available();
my $demo = abs_path("$FindBin::Bin/../../share/demo");
my $kernels = "$dir/kernels"; # words typed below are not quoted, and the path may have blanks
symlink abs_path("$FindBin::Bin/../data/kernels"), $kernels or die;
mkdir "$dir/one";
copy("$demo/$_", "$dir/one/$_") or die for qw(matmul.co matmul_a.bin matmul_b.bin);
my $launch = 'launch matmul -g 64,64 -l 16,16 zero:16384 @matmul_a.bin @matmul_b.bin 64';
my @read = map { my ($name) = $_; local (@ARGV, $/) = "$demo/$name"; [unpack 'f<*', <>] } qw(matmul_a.bin matmul_b.bin);

# What the result must be: float sums over k upwards.
my @want = map {
    my ($row, $col, $sum) = (int($_ / 64), $_ % 64, 0);
    $sum = unpack 'f<', pack 'f<', $sum + $read[0][$row * 64 + $_] * $read[1][$_ * 64 + $col] for 0 .. 63;
    $sum;
} 0 .. 4095;
open my $f, '>:raw', "$dir/one/expected.bin" or die;
print $f pack 'f<*', @want;
close $f;

# Escape and a key behind it, if they come together, are another key.
sub escape { keys_('Escape'); return wait_for(qr/^\?help /m) }

sub on { my ($sees, $name) = @_; keys_('y'); sees($sees, $name) }

# ---- Time as a picture: a watched element, and to where it was written, by keys ----
start(80, 24);
line("cd $dir/one; clear; $gpudbg matmul.co -e '$launch'");
sees(qr/16 groups of 256 work-items/, 'a launch');
keys_(':');
line('watch c[17]');
line('continue');
sees(qr/c\[17\]/, 'it is written');
line('continue');
sees(qr/Done: 64 waves/, 'the end');
my ($said) = Gpudbg::gpudbg("$dir/one/matmul.co",
    map { ('-e', $_) } "cd $dir/one", $launch, 'continue', 'info writes c[17]');
my ($written) = $said =~ /^\s*(\d+)\s+\d+ /m;
ok(defined $written, "... by the instruction at $written");
line('layout timeline');
sees(qr/^ 0-3 +BBBB[^B]+$/m, 'a row of waves that look alike');
my $cell = int($written * 64 / 45760);
my $grouped = reverse join ',', unpack '(A3)*', reverse $written;
sees(qr/^ c\[17\] (?: {$cell})W$/m, 'the write is marked in its cell');
escape();
keys_('Tab');
keys_('Left') for 1 .. 63 - $cell;
sees(qr/Enter: $grouped /, 'Enter will go to it');
keys_('Enter');
sees(qr/step $grouped of 45,760/, '... and does');

# ---- A wrong element, back to its cause, a key a step ----
# Planted: the row of b's element lacks the work-item's own row (v_add_i32 v13, s5, v1 was).
start(80, 24);
line("cd $dir/one; clear; $gpudbg matmul.co");
sees(qr/code  matmul/, 'a kernel');
keys_(':');
line('patch *0x1768 v_mov_b32_e32 v13, s5');
sees(qr/v_mov_b32_e32 v13, s5/, 'a planted bug');
line($launch);
sees(qr/16 groups of 256 work-items/, 'a launch');
line('continue');
sees(qr/Done: 64 waves/, 'its end');
line('diff expected.bin arg 0');
my $right = $want[0];
sees(qr/^c\[0\] is \S+, \S+ has \Q$right\E;/m, 'the first wrong element');
sees(qr/^=memory  c\+0x0/m, '... has the cursor in the pane memory, whose keys are in force');
keys_('y');
sees(qr/^>\d+ 0:0 - c\[0\] = \S+ +v_mac_f32_e32 v0, v12, v13/m, 'y: the last product that was added');
# Its factor of b is not the one that the sum needs: element 63,0.
sees(qr/\$v13\[0\] = \S+ +b\[@{[48 * 64]}\] as launched \(row 48, column 0\)/,
    '... with an element of row 48 where 63 is due');
# In ten keys with the first: y on the factor, which was only copied, asks for the address that chose its element.
keys_(qw(Down Down y y y y y a));
sees(qr/^ \d+ 3:48 +. \$v13\[48\] = 48 +v_mov_b32_e32 v13, s5/m, 'nine keys show the planted instruction, a copy');
keys_('y');
sees(qr/^  >1768   v_mov_b32_e32 v13, s5/m, '... and ten stand on it');
keys_('BSpace');
sees(qr/step 45,760 /, 'back');
keys_('y');
sees(qr/\$v13\[0\] = \S+ +b\[/, 'again, step by step');
keys_('a');
sees(qr/with copies .*\n \d+ 0:0 - c\[0\] = \S+ +flat_store_dword/, 'a: how it came there');
# Each step goes to an instruction in time; the code pane stands there.  Arrow keys choose another input.
for (
    ['v_mac_f32_e32 v0, v12, v13', 'the product'],
    ['ds_read_b32 v13, v11', 'its factor, read from the tile of b', 'Down', 'Down'],
    ['ds_write_b32 v8, v12', 'the write of the tile, by another wave'],
    ['flat_load_dword v12, v[11:12]', 'the load from b'],
    ['v_add_i32_e32 v11, vcc, s8, v11', 'its address'],
    ['v_lshl_b64 v[11:12], v[11:12], 2', '... from an index', 'Down'],
    ['v_add_i32_e32 v11, vcc, v13, v3', '... a row and a column'],
    ['v_mul_lo_u32 v13, v13, s4', '... the row times the width'],
    ['v_mov_b32_e32 v13, s5', 'the planted instruction'],
) {
    my ($insn, $name, @arrows) = @$_;
    keys_(@arrows, 'y');
    sees(qr/^  >17\w\w   \Q$insn\E/m, $name);
}
keys_('BSpace');
sees(qr/step 45,760 .*\n(?:.*\n)*=memory  c\+0x0/, 'Backspace: back to the question');
line(':quit');

# ---- A lane that is off ----
start(80, 24);
line("clear; $gpudbg --demo=collatz");
sees(qr/step 0 /, 'another demo');
keys_(':');
line('stepi 200');
line('focus lanes');
escape();
sees(qr/step 200 /, 'in its loop');
keys_('.');
sees(qr/^ 14 0:0 - lane 0 off +s_and_saveexec_b64 .*\n.*\$vcc\[0\] \(choice\) = 0 +v_cmp_ne_u32_e32 vcc, 1, v1/m,
    'a point: what turned the lane off, and the compare before that');
sees(qr/^lane 0 may run again at collatz\+0x7c$/m, '... and where it may run again');
keys_('y');
sees(qr/step 14 of 200 /, 'y goes there');
on(qr/^>13 0:0 +- \$vcc\[0\] \(choice\) = 0 /m, '... and on to the compare');

# ---- Two builds, two chips ----
# Planted: the last product of a tile takes the wrong factor (v15 was).
for (['gfx7/matmul-O0.co', qr/v_mac_f32_e64 v0, v1, v2/], ['gen12/matmul.bin', qr/add\s+\(16\|M0\)\s+r64\.0<1>:f/]) {
    my ($other, $computes) = @$_;
    start(160, 24);
    line("cd $dir/one; clear; $gpudbg $kernels/gfx7/matmul-O2.co");
    sees(qr/code  matmul/, "against $other");
    keys_(':');
    line($launch);
    sees(qr/16 groups of 256 work-items/, 'a launch');
    line("diffrun $kernels/$other");
    sees(qr/equal: 49152 bytes of buffers hold the same/, 'unchanged they agree');
    line('patch *0x29d4 v_mac_f32_e32 v4, v21, v14');
    line("diffrun $kernels/$other");
    sees(qr/other: \Q$want[0]\E /, 'with a planted bug: the other one is right');
    sees(qr/^\?help .* y why /m, '... and the keys are for what differs');
    keys_('y');
    sees(qr/^>? *\d+ arg0\[0\] +\S+ +\Q$want[0]\E +v_mac_f32_e32 v4, v21/m,
        '... y: it begins with the planted instruction, both values beside each other');
    sees(qr/v_mac_f32_e32 v4, v21, v14 \| $computes/, '... beside the instruction of the other');
}

# ---- A session in another folder ----
start(80, 24);
line("cd $dir/one; clear; $gpudbg matmul.co");
sees(qr/code  matmul/, 'a kernel again');
keys_(':');
line($launch);
sees(qr/16 groups of 256 work-items/, 'a launch');
line('break *0x17fc wave 2 if $v13[37] > 1');
line('display (f32)$v0[37]');
line('continue');
sees(qr/Breakpoint 1, wave 2, lane 37/, 'a breakpoint');
mkdir "$dir/two";
line("save session $dir/two/mine.gpudbg");
sees(qr/mine\.gpudbg: \d+ bytes/, 'a session is saved');
stop();
rename "$dir/one", "$dir/gone" or die;
start(80, 24);
line("cd $dir/two; clear; $gpudbg mine.gpudbg");
sees(qr/wave 2\/64 lane 37 .* step 480 /, 'in another folder, without the files: the same position, wave and lane');
sees(qr/^B >17fc /m, '... the breakpoint');
keys_('c');
sees(qr/step 489 .*\n(?:.*\n)*.*1: \(f32\)\$v0\[37\] = -9\b/, 'it goes on, and displays');
line(':pane origin (f32)$v0[37]');
sees(qr/^>480 2:37 - \(f32\)\$v0\[37\] = -9\.0 +v_mac_f32_e32/m, 'and recorded time can be asked');
done_testing;
