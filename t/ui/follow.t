#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Registers on the screen lead to what they point to, and are changed in place; bookmarks are listed and gone to.
# Addresses are those that `print` tells.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;
no warnings 'portable'; # addresses have 64 bits

sub screen (@commands) {
    my @files = ref $commands[0] ? @{ shift @commands } : '--demo=matmul';
    my ($out, $err) = gpudbg('--screen', '80x24', @files, map({ ('-e', $_) } @commands), '-e', 'screenshot');
    return $out . $err;
}
sub value ($expr, @before) {
    my ($out) = gpudbg('--demo=matmul', map({ ('-e', $_) } @before), '-e', "print/x $expr");
    return $out =~ /^\$\d+ = 0x([0-9a-f]+)/m ? oct("0x$1") : undef;
}
my ($kernarg, $a) = (value('$s[4:5]'), value('a'));
my @on_s4 = ('focus scalar', 'key Down', ('key Right') x 4);

like screen(@on_s4, 'key m'), qr/━memory  kernarg\+0x0 /, 'an address in a pair of registers';
like screen(@on_s4, 'key Enter'), qr/━memory  kernarg\+0x0 /, '... also by Enter, where there are no fields';
like screen(@on_s4, 'key Right', 'key m'), qr/━memory  kernarg\+0x0 /, '... and from its upper half';
like screen('focus scalar', 'key Down', 'key m'), qr/s0 points to no memory/, 'a register that points nowhere';
like screen('key m'), qr/type view|view/, 'elsewhere the key asks for an address';
like screen('focus scalar', 'pane find mode', 'key Enter', 'key m'), qr/mode points to no memory/,
    'a register with fields opens them first';
like screen('set $v3 = 0', sprintf('set $v2 = 0x%x', $a & 0xffffffff), sprintf('set $v3 = 0x%x', $a >> 32),
    'focus lanes', 'key Down', 'key j', 'key j', 'key m'), qr/━memory  a\+0x0 /, 'of the selected lane';
my @sharp = map { sprintf "set \$s%d = 0x%x", @$_ }
    [8, $a & 0xffffffff], [9, $a >> 32 | 4 << 16], [10, 64], [11, 0x27fac];
like screen(@sharp, 'focus scalar', 'key Down', ('key Right') x 8, 'key m'), qr/━memory  a\+0x0 /,
    'the buffer of a descriptor with a stride';
like screen(@on_s4, 'key e'), qr/^\(gpudbg\) set \$s4 = 0x[0-9a-f]{8}/m, 'e changes it in place';
like screen('lane 5', 'focus lanes', 'key Down', 'key e'), qr/^\(gpudbg\) set \$v0\[5\] = 0x00000005/m, '... of a lane';
like screen('key e', 'key Escape', 'focus scalar', 'key e'), qr/no register is under the cursor/, 'without a cursor';

like screen('bookmark start', 'stepi 5', q{key "'"}), qr/━bookmarks.*start/s, 'bookmarks have a pane';
like screen('bookmark start', 'stepi 5', 'bookmark later', q{key "'"}, 'key Down', 'key Enter'),
    qr/step 0 of 5 .*━bookmarks/s, 'Enter goes there';
like screen('key B'), qr/^\(gpudbg\) bookmark *$/m, 'a key makes one';
like screen('bookmark matmul *0x1710', 'goto matmul'), qr/bookmark matmul, not the symbol of that name: matmul\+0x10/,
    'a bookmark wins over a symbol, and says so';

# The line that newcomers see at the first launch says of checks what is.
my $kernel = ["$FindBin::Bin/../data/kernels/gfx7/returns-O2-g.co"];
my $launch = 'launch returns -g 64 -l 64 zero:256 zero:512';
for my $case (['check all off', qr/Checks are off: `check all on`/], ['check all on', qr/Checks are on: `info checks`/],
    ['check race on', qr/Checks are on: `info checks`/]) {
    like screen($kernel, $case->[0], $launch) =~ s/\n +/ /gr, $case->[1], "$case->[0]: so says the first launch";
}
done_testing;
