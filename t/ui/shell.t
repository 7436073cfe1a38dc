#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `shell` and `pipe` on the screen: the program has the terminal as it was, Ctrl-C and Ctrl-Z are its own, and the
# screen comes back when Enter was pressed; a log of a session on the screen; no pager after `set pagination off`.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Terminal;
use Test::More;

plan skip_all => 'tmux is not installed' unless Terminal::available();

start(80, 24, GPUDBG_DATA => $ENV{GPUDBG_DATA} // "$FindBin::Bin/../../share", SHELL => '/bin/sh');
my $back = qr/press Enter to go back to the screen/;

line("$gpudbg -n --demo=collatz");
ok(wait_for(qr/^ collatz\.co/m), 'the screen is there');
line(':shell stty -a | grep -c -e -icanon; echo from the shell');
ok(wait_for($back), 'a program runs');
like screen(), qr/^0\nfrom the shell$/m, '... in a terminal that is as it was';
unlike screen(), qr/collatz\.co/, '... and not on the screen';
keys_('Enter');
ok(wait_for(qr/^ collatz\.co.*^\(gpudbg\) *$/ms), 'Enter brings the screen back');
like screen(), qr/\(gpudbg\) shell stty/, '... whose prompt has the line';

line('pipe info waves | cat -n');
ok(wait_for(qr/^ +17\s.*15  unst.*\n\n?.*$back/m), 'what a command prints goes to a program');
keys_('Enter');
ok(wait_for(qr/^ collatz\.co/m), '... and the screen comes back');

line('shell cat');
ok(wait_for(qr/go back to the screen\]\s*\z/), 'a program has the terminal');
type('typed');
keys_('Enter');
ok(wait_for(qr/^typed\ntyped$/m), 'the program reads what is typed');
keys_('C-c');
ok(wait_for($back), 'Ctrl-C ends the program');
keys_('Enter');
ok(wait_for(qr/^ collatz\.co.*signal 2/ms), '... and not gpudbg');

line('shell cat');
ok(wait_for(qr/go back to the screen\]\s*\z/), 'a program has the terminal');
type('again');
keys_('Enter');
ok(wait_for(qr/^again\nagain$/m), 'another one runs');
keys_('C-z');
ok(wait_for(qr/^\$$/m), 'Ctrl-Z stops both');
line('fg');
type('more');
keys_('Enter');
ok(wait_for(qr/^more\nmore$/m), '... and fg goes on with both');
keys_('C-d');
ok(wait_for($back), 'the program ends');
keys_('Enter');
ok(wait_for(qr/^ collatz\.co/m), '... and the screen is there again');

line("set logging file $dir/log");
line('set logging on');
line('print 6 * 7');
line('print nowhere');
line('set logging off');
line('shell echo done'); # after all of them
ok(wait_for($back), 'the log is written');
keys_('Enter');
like slurp("$dir/log"), qr/\A\$\d+ = 42\ngpudbg: no buffer.*nowhere.*\n\z/, '... with results and errors of the screen';

line('help set');
ok(wait_for(qr/^Escape back/m), 'long text opens the pager');
keys_('q');
ok(wait_for(qr/^Enter run/m), '... and q leaves it');
line('set pagination off');
line('help set');
ok(wait_for(qr/^  set \w+ .*\n\(gpudbg\) *$/m), '... but not after set pagination off');
line('quit');
ok(wait_for(qr/^\$ *$/m), 'the end');
done_testing;
