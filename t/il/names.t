#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# AMD IL: what the program's text names, expressions name so: registers without a $, elements of indexed temporaries and
# of constant buffers by their numbers, subroutines by their labels.
use v5.36;
use Test::More;
use File::Temp 'tempdir';
use Gpudbg;

my $dir = tempdir(CLEANUP => 1);
my $path = "$dir/k.il";
open my $f, '>', $path or die;
print $f <<'IL';
il_cs_2_0
dcl_num_thread_per_group 64
dcl_raw_uav_id(0)
dcl_cb cb0[2]
dcl_indexed_temp_array x0[3]
dcl_indexed_temp_array x2[4]
dcl_literal l0, 1, 2, 3, 4
mov r0, vAbsTidFlat.x
mov r5, r0
mov x0[1], l0
call 7
ishl r1.x, r0.x, l0.y
uav_raw_store_id(0) mem.x, r1.x, r2.x
endmain
; 2 i * cb0[1].y + 1
func 7
iadd r2.x, r0.x, r0.x
imad r2.x, r2.x, cb0[1].y, l0.x
mov x2[3].xy, r2
mov x2[3].y, r0.x
ret
endfunc
end
IL
close $f;
my $launch = 'launch -g 64 -l 64 uav0=zero:256 cb0=hex:' . unpack 'H*', pack 'L<8', 10 .. 17;
sub said ($file, @e) { return run_gpudbg([$file], @e) }
sub run_gpudbg ($files, @e) {
    my @words = map { ('-e', $_) } @e;
    open my $p, '-|', 'sh', '-c', 'exec "$0" "$@" 2>&1', $ENV{GPUDBG} // 'build/gpudbg', '--batch', @$files, @words
        or die;
    local $/;
    return <$p> // '';
}

# ---- Labels ----
like(said($path, 'info symbols'), qr/function\s+func7$/m, 'a subroutine is a function, called as its label');
like(said($path, 'break func7', $launch, 'continue', 'backtrace'), qr/^#0  func7 at \S+:17\n#1 .*:11$/m,
    'break func7 stops at its first instruction; the caller is the line of the call');
like(said($path, $launch, 'break func7', 'continue', 'disassemble func7'), qr{^// func7:\n.*iadd r2}m,
    'its name in the listing is a comment: the text has no labels but numbers');
my $listing = said($path, 'disassemble');
open $f, '>', "$dir/again.il" or die;
print $f $listing;
close $f;
like(run_gpudbg(['--isa', 'amdil', "$dir/again.il"], 'info symbols'), qr/function\s+func7$/m,
    '... so that the listing is a program');
like(said($path, 'break 16'), qr/that line has no code, line 17 was taken/, 'a label has no code: it is said');
like(said($path, 'break 4'), qr/that line has no code, line 8 was taken/, '... nor has a declaration');

# ---- Registers ----
my @at  = ($launch, 'break 21', 'continue', 'lane 5');
for my $case (['r2.x', 10 * 15 + 1], ['r0.x + 1', 6], ['r2.x[3]', 6 * 15 + 1], ['x2[3].x', 151], ['x2[3].y', 5],
    ['x2[3].x[2]', 61], ['x0[1].z', 3], ['l0.w', 4], ['r[5].x', 5], ['cb0[1].y', 15], ['cb0[0].x == 10', 1],
    ['cb0[1]', '{14, 15, 16, 17}'], ['x0[1]', '{1, 2, 3, 4}'], ['vAbsTidFlat.x', 5], ['max(x2[3].y)', 63],
    ['count(r0.x > 59)', 4], ['r2.x = 7', 7]) {
    my ($text, $want) = @$case;
    my $got = said($path, @at, "print $text");
    like($got, qr/^\$1 = \Q$want\E$/m, "$text is $want") or diag $got;
}
like(said($path, @at, 'x/4wd cb0[1]'), qr/14\s+15\s+16\s+17$/m, 'x looks at constants by their register');
like(said($path, @at, 'print &cb0[1].y'), qr/<cb0\+0x14>/, '... whose address is in the buffer');
like(said($path, @at, 'print x0[3]'), qr/x0\[3\] is not a register of this launch/, 'behind the array: said');
like(said($path, @at, 'print cb0[2].x'), qr/cb0\[2\] is not a register of this launch/, '... and behind the buffer');
like(said($path, @at, 'print r0.q'), qr/has no part/, 'a part that is none');
like(said($path, @at, 'print r77'), qr/no buffer, symbol or label "r77"/, 'a register that the program lacks');
like(said($path, $launch, 'watch x2[3].x', 'continue'), qr/after func7\S+: mov x2\[3\]/, 'watch takes an element');
like(said($path, $launch, 'break 18 if r0.x == 0 && cb0[1].y == 15', 'continue'), qr/^Breakpoint 1/m,
    'conditions take them');
like(said($path, $launch, 'break 18 if cb0[1].y == 16', 'continue'), qr/^Done/m, '... and hold or not');
like(said($path, $launch, 'break func7', 'continue', 'finish'), qr/^Wave 0 at \S+: ishl r1\.x/m,
    'finish passes over the ret that closes nothing: the lanes are back behind endfunc');
done_testing;
