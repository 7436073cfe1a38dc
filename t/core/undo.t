#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# undo: what `set` changed is as it was, by `info hash`, which comes another way; the latest change first.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg qw(gpudbg commands);
use Test::More;

my @demo = ('--demo=matmul');
my @there = ('stepi 40', 'lane 5');

# The hashes that the commands print, and what is not one.
sub run {
    my ($out, $err) = gpudbg(@demo, commands(@there, @_));
    return ([$out =~ /^hash 0x([0-9a-f]+)$/mg], $out, $err // '');
}

my ($once) = run('info hash');
cmp_ok scalar @$once, '>', 0, 'there is a hash';
for my $set ('set $v3 = 77', 'set $v3[9] = 1.5', 'set $v1[:] = 0', 'set $s4 = 5', 'set $exec = 0xff',
    'set $exec[3] = 0', 'set $s[4:5] = 12345678901', 'set a[3] = 99.5', 'set *(u8*)(a+5) = 3', 'set a[0:7] = 1',
    'set *(u32*)lds:8 = 4') {
    my ($hash, $out, $err) = run('info hash', $set, 'info hash', 'undo', 'info hash');
    if (@$hash < 3) { # not a place of this kernel
        like $err, qr/\S/, "$set is refused";
        next;
    }
    my $n = @$hash / 3;
    isnt join(' ', @$hash[$n .. 2 * $n - 1]), join(' ', @$hash[0 .. $n - 1]), "$set changes something";
    is join(' ', @$hash[2 * $n .. 3 * $n - 1]), join(' ', @$hash[0 .. $n - 1]), '... and undo takes it back';
}
my (undef, $two) = run('set a[3] = 1', 'set a[3] += 1.5', 'undo', 'print a[3]', 'undo', 'print a[3]');
like $two, qr/^a\[3\]: 2\.5 -> 1\.0, as it was\n\$1 = 1\.0\na\[3\]: 1\.0 -> -4\.0, as it was\n\$2 = -4\.0$/m,
    'the latest first; it says what it does';
my (undef, undef, $none) = run('undo');
like $none, qr/no register and no memory was changed/, 'nothing was changed yet';
(undef, undef, $none) = run('set a[3] = 1', 'stepi', 'undo');
like $none, qr/a\[3\] was changed at position 40: `goto 40`/, 'time has gone on: it says where to go';
(undef, $two) = run('set a[3] = 1', 'stepi', 'goto 40', 'undo', 'print a[3]');
like $two, qr/^\$1 = -4\.0$/m, '... and does it there';
(undef, undef, $none) = run('set a[3] = 1', 'run', 'stepi 40', 'undo');
like $none, qr/no register and no memory was changed/, 'another launch: it knows nothing of that change';
my ($shown) = gpudbg('--screen', '80x24', @demo, commands(@there, 'set a[3] = 99.5', 'key U', 'screenshot'));
like $shown, qr/^a\[3\]: -4\.0 -> 99\.5$/m, 'on the screen `set` answers';
($shown) = gpudbg('--screen', '80x24', @demo, commands('set $v1[2] = 1.5', 'set $v1[3] = 7', 'screenshot'));
like $shown, qr/^\$v1\[2\]: 0 -> 1\.5$/m, '... and names the float whose bits it stored';
like $shown, qr/^\$v1\[3\]: 0 -> 7$/m, '... no other';
done_testing;
