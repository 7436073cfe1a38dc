#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# AMD IL on the screen: registers as x y z w, every file of them, doubles, declarations and resources, tokens of a
# packet.
use v5.36;
use Test::More;
use Gpudbg;
use File::Temp 'tempdir';

my $dir = tempdir(CLEANUP => 1);
open my $il, '>', "$dir/k.il" or die;
print $il <<'IL';
il_cs_2_0
dcl_num_thread_per_group 64
dcl_literal l3, 1.5, 7, 0x80000000, 2.0
dcl_indexed_temp_array x0[2]
dcl_raw_uav_id(2)
mov r0, l3
f2d r1.xy, r0.x
itof r2, vAbsTidFlat
mov x0[1], r2
whileloop
break_logicalnz l3.x
endloop
end
IL
close $il;

sub screen ($size, @commands) {
    my ($picture) = gpudbg('--screen', $size, (map { ('-e', $_) } 'launch -g 64 -l 64 uav2=zero:64', @commands), '-e',
        'screenshot', "$dir/k.il");
    return $picture;
}

my $small = screen('80x24', 'stepi 4');
like($small, qr/lanes  r :a/, 'the pane says whose registers it shows');
like($small, qr/\[0\] +x,z +y,w.*r0 +\*1\.5 +\*7\s.*\*2147483648 +\*1073741824\s.*r1 +\*?1\.5/s,
    'components stand side by side, in two lines where there is no room; a double over two of them');
like(screen('160x24', 'stepi 4'), qr/\[0\] +x +y +z +w.*r0 +\*1\.5 +\*7 +\*2147483648 +\*1073741824\s/s,
    '... or in one');
like(screen('80x24', 'stepi 4', 'pane file next'), qr/lanes  x :a.*x1(?: +\*?0\.0){4}/s, 'the next file');
like(screen('80x24', 'stepi 4', 'pane file l', 'focus lanes', 'pane format x'),
    qr/\[0\].*l3 +3fc00000 +00000007.*80000000 +40000000/s, 'literals, as hex');
like(screen('80x24', 'stepi 4', 'lane 5', 'pane file vAbsTidFlat'), qr/vAbsTidFlat +5/, 'identifiers');
like(screen('140x24', 'stepi 2', 'focus lanes', 'pane format p'), qr/r1 +\*?1\.5 /, 'pairs as doubles');
like(screen('80x24', 'stepi 3', 'focus lanes', 'pane format v'), qr/r2\.x +\*?0\.0 +\*?1\.0 +\*?2\.0/,
    'components in rows of their own, lanes side by side');
like(screen('150x44', 'stepi 4', 'pane file x', 'layout declarations', 'pane lanes format v'), qr/\[0\].* w 1 .* z +w/,
    'a wide pane shows more lanes');
# Where a part a row gives room to eight lanes, and parts side by side do not, parts have rows of their own; a double
# has one row, which is marked if either half changed.
my ($parts) = gpudbg('--screen', '80x24', '--demo=il', map { ('-e', $_) } 'break *0x2c8', ('continue') x 2,
    'layout lanes', 'focus lanes', 'print $r3.x[0:7]', 'screenshot');
my ($doubles) = $parts =~ /^\$\d+ = \{(.*)\}/m;
unlike($parts, qr/\+\d+ changed/, 'nothing that changed is hidden: a high half is in the row of its double');
like($parts, qr/^ lane +\[0\] +1 .* 7 /m, 'eight lanes have room in 80 columns');
like($parts, qr/^ r8\.y +@{[join ' +', map { sprintf '\\*%d', 2176 + 8 * $_ } 0 .. 7]} /m, '... a part a row');
my ($row) = $parts =~ /^ r3\.x +(.*)$/m;
is_deeply([map { s/^\*//r } (split / +/, $row // '')[0 .. 7]], [split /, /, $doubles // ''], '... and a double a row');
unlike($parts, qr/^ r3\.y /m, '... not two');
my (undef, $err) = gpudbg('--screen', '80x24', '-e', 'launch -g 64 -l 64 uav2=zero:64', '-e', 'pane file q',
    "$dir/k.il");
like($err, qr/no registers 'q' with lanes/, 'no such file');

my $declared = screen('80x24', 'layout declarations');
like($declared, qr/resources.*uav2 +0x\w+ +dcl_raw_uav_id\(2\)/s, 'resources');
like($declared, qr/declarations.*dcl_literal l3, 0x3FC00000/s, 'declarations');
like(screen('80x24', 'stepi 4'), qr/\+whileloop|┌whileloop/, 'brackets stand beside blocks');
like(screen('120x40'), qr/fields  mov.*code 15:0 mov/s, 'fields of the tokens');

($small, $err) = gpudbg('-e', 'launch -g 64 -l 64 uav2=zero:64', '-e', 'set $l3.x = 4', '-e', 'print $l3.x',
    "$dir/k.il");
like($err, qr/l cannot be changed: the program or its launch fixes it/, 'literals cannot be set');
like($small, qr/= 1\.5/, '... and keep their value');
done_testing;
