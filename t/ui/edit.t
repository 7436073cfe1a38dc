#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# A kernel with one wrong instruction is mended on the screen: `e` in the code pane offers its text, `e` in the field
# pane a field; the run goes on to the right result, and what is saved is the file that was never wrong.  In a real
# terminal.  What the kernels must leave is worked out here.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files qw(slurp spill);
use Terminal;
use Test::More;

plan skip_all => 'no tmux' unless Terminal::available();

my $root = "$FindBin::Bin/../..";
sub result { my ($form) = @_; my @values = unpack $form, slurp("$dir/out"); unlink "$dir/out"; return \@values }

# Steps of 3n + 1 down to 1.
sub steps { my ($n, $s) = ($_[0], 0); while ($n != 1) { $n = $n % 2 ? 3 * $n + 1 : $n / 2; $s++ } return $s }

spill("$dir/x", pack 'f<*', map { 2 * $_ + 1 } 0 .. 31);
spill("$dir/y", pack 'f<*', map { 100 - $_ } 0 .. 31);
my @mended = map { [$_, "saxpy.$_", "launch saxpy -g 32 -l 32 \@$dir/y \@$dir/x 3.0 32", 'f<*',
        [map { 3 * (2 * $_ + 1) + 100 - $_ } 0 .. 31], "$root/t/data/kernels/gen12/saxpy.$_",
        # The store of the first half has another payload: register 21, not 25.
        'patch *0x100 send.dc1 (16|M0) null r16 r21 0x80 0x04025E00 {@1,$4}', '*0x100', 'src1_reg', '0x19',
        ['send.dc1 (16|M0) null r16 r21 0x80 0x04025E00 {@1,$4}', 'r21', 'r25']] } qw(ze bin);
my ($count) = qx('$gpudbg' --batch -n -e disassemble '$root/share/demo/collatz.co')
    =~ m{^\s*s_add_i32 s8, s8, 1\s+// (\w+)$}m;
push @mended, ['co', 'collatz.co', 'launch collatz -g 64 -l 64 zero:256 64', 'V*', [map { steps($_) } 1 .. 64],
    "$root/share/demo/collatz.co", "patch *0x$count s_add_i32 s8, s8, 2", "*0x$count", 'ssrc1', '0x81',
    ['s_add_i32 s8, s8, 2', '2', '1']];

# Opens the wrong file, has it run to its end, and puts the cursor on the wrong instruction.
sub broken {
    my ($file, $launch, $place) = @_;
    start(80, 24);
    line("clear; $gpudbg -n $file");
    sees(qr/not launched/, 'the screen opens');
    keys_(':');
    line($launch);
    sees(qr/step 0 /, '... the kernel is launched');
    line('continue');
    sees(qr/^All waves ended|ended/m, '... and runs');
    line("save arg 0 $dir/out");
    sees(qr/out: \d+ bytes/, '... and its result is saved');
    keys_('Escape');
    sees(qr/^=code/m, '... Escape leads to the code');
    keys_('g');
    line($place =~ s/\*//r);
    sees(qr/^=code  \w+\+0x/m, '... and the cursor stands on the instruction');
    return;
}

# The run goes on, and what is saved is the file that was never wrong.
sub rights {
    my ($m) = @_;
    my ($kind, undef, undef, $form, $right, $original) = @$m;
    keys_(':');
    line('continue');
    sees(qr/ended/, '... and the run goes on');
    line("save arg 0 $dir/out");
    sees(qr/out: \d+ bytes/, '... to its end');
    is("@{ result($form) }", "@$right", '... with the right result');
    line("save code $dir/right.$kind");
    sees(qr/right\.$kind: \d+ bytes/, '... and it is saved');
    ok(slurp("$dir/right.$kind") eq slurp($original), '... as the file that was never wrong');
    return;
}

for my $m (@mended) {
    my ($kind, $name, $launch, $form, $right, $original, $spoil, $place, $field, $value, $text) = @$m;
    system("'$gpudbg' --batch -n -e '$spoil' -e 'save code $dir/wrong.$kind' '$original' >/dev/null") == 0 or die;

    # The line.
    broken("$dir/wrong.$kind", $launch, $place);
    isnt("@{ result($form) }", "@$right", "$name: its result is wrong");
    keys_('e');
    sees(qr/^\(gpudbg\) patch \Q$place $text->[0]\E/m, 'e offers the text of the instruction');
    my ($before) = $text->[0] =~ /^(.*)\b\Q$text->[1]\E/;
    keys_('C-a', map({ 'Right' } 1 .. length "patch $place $before"), map({ 'DC' } 1 .. length $text->[1]));
    type($text->[2]);
    keys_('Enter');
    sees(qr/time went back to \d+, before\s+this code was executed/, '... it is changed, and time goes back');
    rights($m);

    # The field.
    broken("$dir/wrong.$kind", $launch, $place);
    isnt("@{ result($form) }", "@$right", "$name: once more its result is wrong");
    keys_('Tab');
    sees(qr/^=fields/m, 'the pane of fields');
    keys_('/');
    line($field);
    sees(qr/^ ?>$field\b|>$field\b/m, "... has $field");
    keys_('e');
    sees(qr/^\(gpudbg\) patch -f \Q$place\E $field=0x\w+$/m, 'e offers its value');
    keys_(map({ 'BSpace' } 1 .. 4));
    type($value);
    keys_('Enter');
    sees(qr/time went back to \d+, before\s+this code was executed/, '... it is changed, and time goes back');
    rights($m);
    tmux('kill-session', '-t', 'x');
}
done_testing;
