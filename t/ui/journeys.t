#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing that is typed is lost: questions, empty lines, pasted text, vi's keys, long output, a terminal whose size
# changes while the program runs.  All of it in a real terminal.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Terminal;
use Test::More;
use Time::HiRes qw(sleep);

plan skip_all => 'no tmux' unless Terminal::available();

sub paste { my ($text) = @_; tmux('set-buffer', '-b', 'p', $text); tmux('paste-buffer', '-p', '-b', 'p', '-t', 'x') }
sub lines_of { return split /\n/, screen(), -1 }

# ---- A dump, from opening to the line of evidence: one key, in a log of which only the beginning is in sight ----
{
    open my $f, '>', "$dir/long.log" or die;
    my @line = ('[drm] initializing kernel modesetting (LIVERPOOL 0x1002:0x9920 0x1002:0x9920 0x00).',
        (map {"[drm] unrelated message $_"} 1 .. 60), 'GPU fault detected: 147 0x001c3b02',
        '  VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x00300400', '  VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x1C03B002');
    printf $f "[%12.6f] amdgpu 0000:00:01.0: %s\n", $_ / 10, $line[$_] for 0 .. $#line;
    close $f;
    start(80, 24, TERM => 'screen');
    line("clear; $gpudbg $dir/long.log");
    sees(qr/could not read 0x300400000.*log.*\n +63 +6\.20 +VM_CONTEXT1_PROTECTION_FAULT_ADDR +0x00300400\n/s,
        'a dump opens on what it means, and on the line that tells it: its message, with a short time');
    like(screen(), qr/- \S*PROTECTION_FAULT_ADDR 0x00300400 .*\n +27:0 +LOGICAL_PAGE_ADDR +0x300400 /,
        '... and its register, unfolded');
    keys_('j', 'j', 'j');
    sees(qr/- \S*PROTECTION_FAULT_STATUS 0x1c03b002 .*\n +7:0 +PROTECTIONS +0x2 /, 'the cursor drags them along');
    keys_('k', 'k', 'k', 'Enter');
    sees(qr/=regs .*- \S*PROTECTION_FAULT_ADDR 0x00300400 /s, 'Enter: its register');
    keys_('q');
    sees(qr/^\$/m, 'q leaves');
}

# ---- Questions ----
start(80, 24, TERM => 'screen');
line("clear; $gpudbg --demo");
sees(qr/step 0 .*\n.*code  matmul/, 'the demo');
keys_(':');
line('break *0x17f0');
sees(qr/Breakpoint 1 at/, 'a breakpoint');
line('delete');
sees(qr/^Delete all breakpoints\? \(y or n\)$/m, 'delete asks');
line('maybe');
sees(qr/^Please answer y or n\.\nDelete all breakpoints\? \(y or n\)$/m, '... takes nothing but an answer');
type('yx');
keys_('BSpace', 'Enter');
sees(qr/^Delete all breakpoints\? \(y or n\) y\n\(gpudbg\)$/m, '... which is a line, with Enter');
line('info breakpoints');
sees(qr/^\(gpudbg\) info breakpoints\nno breakpoints\n\(gpudbg\)$/m, '... and the prompt is still the prompt');
line('break *0x17f0');
line('delete');
keys_('Escape');
sees(qr/^Delete all breakpoints\? \(y or n\) n$/m, 'Escape is no');
line('delete 2');

# ---- What would be lost ----
line('patch *0x17f8 s_nop 0');
sees(qr/s_nop 0/, 'a patch');
line('quit');
sees(qr/^You patched the code and did not save it\.  Quit\? \(y or n\)$/m, 'quit asks while a patch is not saved');
line('n');
line("save code $dir/patched.co");
sees(qr/patched\.co: \d+ bytes/, '... it is saved');
line('quit');
sees(qr/^\$/m, '... and quit asks nothing');
start(80, 24, TERM => 'screen');
line("clear; $gpudbg --demo");
sees(qr/step 0 .*\n.*code  matmul/, 'the demo again');
keys_(':');

# ---- Empty lines ----
line('stepi');
sees(qr/Wave 0 at matmul\+0x4:/, 'a step');
keys_('Enter');
sees(qr/Wave 0 at matmul\+0x8:/, 'Enter repeats it');
line('x/2xw a');
sees(qr/^0x200000000 <a>:?/m, 'x shows words');
keys_('Enter');
sees(qr/^0x200000008 <a\+0x8>/m, '... and Enter the next ones');
line('print 6*7');
sees(qr/^\$1 = 42$/m, 'print is no step');
keys_('Enter', 'Enter', 'Enter');
line('print 6*8');
sees(qr/^\(gpudbg\) print 6\*7\n\$1 = 42\n\(gpudbg\) print 6\*8\n\$2 = 48\n\(gpudbg\)$/m,
    '... so Enter does nothing, and never leaves the prompt');

# ---- Completion ----
type('brea');
keys_('Tab');
sees(qr/\(gpudbg\) break $|\(gpudbg\) break$/m, 'Tab completes');
keys_('Tab');
sees(qr/^matmul +matmul\.cl:10/m, 'Tab lists what there is');
keys_('Tab', 'Tab');
sleep 0.3;
is(scalar(() = screen() =~ /^matmul +matmul\.cl:10/mg), 1, '... once');
keys_('C-u');

# ---- Long output ----
line('help print');
sees(qr/^=pager  help print  1-\d+ of \d+ /m, 'help that has no room opens in a pager');
unlike(join("\n", grep { length > 80 } lines_of()), qr/./, '... no line is longer than the screen');
unlike(screen(), qr/^\s*(?:with|zeros)$/m, '... and none is broken twice');
keys_('/');
line('descriptor');
sees(qr/^=pager/m, '/ searches in it');
keys_('Escape');
sees(qr/^=prompt.*\n(?:.*\n)*\(gpudbg\)$/m, 'Escape closes it, and the prompt goes on');
line('help');
sees(qr/^=pager  help  1-\d+ of \d+/m, 'a long listing opens in a pager, too');
keys_('NPage');
sees(qr/^=pager  help  [12]\d-/m, '... and scrolls');
keys_('q');
# A search in a page that a small window had no room to draw, after a longer one.
tmux('resize-window', '-t', 'x', '-x', 80, '-y', 2);
sleep 0.5;
keys_('Escape', ':');
line('help print');
keys_('/');
line('zzzz');
tmux('resize-window', '-t', 'x', '-x', 80, '-y', 24);
sees(qr/'zzzz' is not in pane pager/, 'a page that was never drawn can be searched');
keys_('q');
line('print 6*9');
sees(qr/^\$3 = 54$/m, '... q closes it, and the prompt goes on');
keys_('Escape');
sleep 0.3;

# ---- Pasted text ----
paste('print 1+1');
sees(qr/^=prompt(?:.*\n)*\(gpudbg\) print 1\+1$/m, 'text pasted in key mode opens the prompt with it');
sees(qr/step 2 /, '... and presses no keys');
keys_('C-u');
paste("print 10+1\nprint 10+2\nprint 10+");
sees(qr/^3 lines were pasted: Enter runs them, Escape drops them\n\(gpudbg\) print 10\+1$/m,
    'several lines wait for Enter');
keys_('Enter');
sees(qr/^\$4 = 11\n\(gpudbg\) print 10\+2\n\$5 = 12\n\(gpudbg\) print 10\+$/m,
    '... run, and the one that has no end stays');
keys_('C-u', 'Escape');
sleep 0.3;

# ---- A pane that fills the screen ----
keys_('z', 'i');
sees(qr/^Wave 0 at matmul\+0xc: .*\nEscape back \?help/m, 'where a pane fills the screen, messages are above the keys');
keys_('Down', 'Down');
sees(qr/^Wave 0 at matmul\+0xc: .*\nEscape back \?help/m, '... and stay');
keys_('q');
sees(qr/^\$/m, 'nothing is unsaved: q asks nothing');

# ---- The size changes while the program runs ----
spill("$dir/loop.bin", pack 'V*', 0xbf82ffff, 0xbf810000); # s_branch to itself
start(80, 24);
line("clear; $gpudbg --raw --isa gfx7 -e 'launch -g 64 -l 64' $dir/loop.bin");
sees(qr/step 0 /, 'an endless loop, launched');
keys_('c');
sees(qr/\A working [\d,]+ /, 'it runs');
tmux('resize-window', '-t', 'x', '-x', 120, '-y', 40);
sees(qr/\A working [\d,]+ .*\n[-=]code[-=]{60}.*\+-scalar-+\n(?:.*\n){37}\?help/,
    'a larger terminal: the layout is drawn anew at once');
like(screen(), qr/\A working .*\n.*\n   L0000:\s+\| s0             0/, '... with what the panes showed');
tmux('resize-window', '-t', 'x', '-x', 60, '-y', 14);
sees(qr/\A working [\d,]+ .*\n(?:.{1,60}\n){12}\?help/, 'a smaller one');
like(screen(), qr/\| s0             0 s1     >$/m, '... and no number is cut');
keys_('C-c');
sees(qr/Interrupted, wave 0/, 'Ctrl-C still ends it');
keys_('q');

# ---- vi's keys ----
spill("$dir/home/.inputrc", "set editing-mode vi\n");
start(80, 24);
line("clear; $gpudbg --demo");
sees(qr/step 0 /, 'with vi\'s keys');
keys_(':');
type('xprint 12');
keys_('Escape');
sleep 0.3;
keys_('0', 'x', 'A');
type('+1');
keys_('Enter');
sees(qr/^\(gpudbg\) print 12\+1\n\$1 = 13$/m, 'Escape, 0, x and A edit the line');
type('print');
keys_('Escape');
sleep 0.3;
sees(qr/^Enter run Escape keys/m, 'the first Escape ends inserting');
keys_('Escape');
sees(qr/^\?help/m, 'the second leaves the prompt');
keys_(':');
line('print 5');
sees(qr/^\$2 = 5$/m, 'it opens again for inserting');
keys_('Escape');
sleep 0.3;
keys_('Escape');
sleep 0.3;
keys_('q');
unlink "$dir/home/.inputrc";
stop();
done_testing;
