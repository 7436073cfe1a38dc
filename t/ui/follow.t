#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Registers on the screen lead to what they point to, and are changed in place; bookmarks are listed and gone to.
# Addresses are those that `print` tells.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
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
# T# and S# where they stand: of a kernel's arguments, and on gfx10 in words made here of the fields' places.
my $tall = 'layout scalar:16;code:4';
my @images = "$FindBin::Bin/../data/kernels/gfx7/images-O2.co";
my $image = qr/^ .*\bs\[4:11\] T# of arg0, 32_32_32_32_float, 4x1\b/m;
for ([0x13, 'POINT, clamp_x clamp_y CLAMP_LAST_TEXEL'], [0x15, 'POINT, clamp_x clamp_y CLAMP_BORDER'],
    [0x12, 'POINT, force_unnormalized, clamp_x'], [0x27, 'BILINEAR, clamp_x clamp_y WRAP']) { # by OpenCL's bits
    my ($sampler, $said) = @$_;
    my $launch = "launch by_argument -g 16 -l 16 zero:64:float4:4x1 $sampler zero:256";
    my $shown = screen(\@images, $launch, 'stepi 20', $tall);
    like $shown, $image, 'T# of an image that is an argument';
    like $shown, qr/^ .*\bs\[16:19\] S# xy_mag_filter \Q$said\E/m, "... S# of sampler $sampler";
    unlike screen(\@images, $launch, 'stepi 5', $tall), qr/T# of|S#/, '... neither before they are loaded';
    $shown = screen(\@images, $launch, 'stepi 40', $tall);
    like $shown, $image, '... T# after the sample';
    unlike $shown, qr/S#/, '... S# no more, where no code ahead samples';
    $shown = screen(\@images, $launch, 'stepi 20', 'set $s7 = 0', 'set $s18 = 0xffffffff', $tall);
    unlike $shown, qr/T# of/, '... and no image with a type that is none';
}
like screen(\@images, 'launch by_argument -g 16 -l 16 zero:64:float4:4x1 0x15 zero:256', 'stepi 20', 'focus scalar',
    'key Down', 'pane find s11', 'key z'), qr/scalar +all +s\[4:11\] T# of arg0/,
    'under the cursor: in the rule, to its last register';
sub words ($bytes, @fields) {
    my $word = '0' x (8 * $bytes);
    substr $word, 8 * $bytes - $_->[0] - $_->[1], $_->[1], sprintf "%0$_->[1]b", $_->[2] for @fields;
    return 'hex:' . unpack 'H*', scalar reverse pack 'B*', $word;
}
my $dir = tempdir(CLEANUP => 1);
open my $f, '>:raw', "$dir/code" or die;
print $f pack 'V*', 0x7e040280, 0xf0800f08, 0x00820402, 0xbf8c3f70, 0xbf810000; # image_sample .. s[8:15], s[16:19]
close $f;
for my $case ([64, 'T# of buf0, 8_8_8_8_unorm, 64x2'], [63, 'T# of buf0, 8_8_8_8_unorm, 63x2'], [65, undef]) {
    my ($wide, $said) = @$case; # lines have a multiple of 256 bytes: 65 texels have no room in 512
    my $shown = screen(['--raw', '--isa', 'gfx10', "$dir/code"],
        'launch -g 32 -l 32 buf0=zero:512 s[8:15]=' . words(32, [0, 40, 0x1000000], [52, 9, 56], [62, 14, $wide - 1],
            [78, 14, 1], [95, 1, 1], [96, 12, 4 | 5 << 3 | 6 << 6 | 7 << 9], [124, 4, 9])
        . ' s[16:19]=' . words(16, [0, 3, 6], [3, 3, 1], [44, 12, 0xfff], [84, 2, 1]), 'stepi', $tall);
    like $shown, qr/^ .*\bs\[16:19\] S# xy_mag_filter BILINEAR, clamp_x CLAMP_BORDER, clamp_y MIRROR/m, "gfx10: S#";
    like $shown, qr/^ .*\bs\[8:15\] \Q$said\E/m, "... T# of $wide texels" if $said;
    unlike $shown, qr/T# of/, '... none past the end of the buffer' if !$said;
}
like screen(@on_s4, 'key e'), qr/^\(gpudbg\) set \$s4 = 0(?: |$)/m, 'e changes it in place';
like screen('lane 5', 'focus lanes', 'key Down', 'key e'), qr/^\(gpudbg\) set \$v0\[5\] = 5(?: |$)/m,
    '... of a lane, as it is shown';
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
