#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The real program in a real terminal (tmux): keys, resizing, stopping, closing, kinds of terminals.
use strict;
use warnings;
use Test::More;
use Time::HiRes qw(sleep time);

use FindBin;
use lib "$FindBin::Bin/../lib";
use Terminal;

plan skip_all => 'no tmux' unless Terminal::available();

# ---- A session on the demo ----
start(80, 24);
line("stty -g > $dir/before; clear; $gpudbg --demo");
sees(qr/wave 0\/64 lane 0.*step 0.*\n=code  matmul\+0x0 /, 'the demo opens at its entry');
keys_('i');
sees(qr/step 1 .*\n=code  matmul\+0x4/, 'i steps an instruction');
keys_('s');
sees(qr/step [2-9]\d* /, 's steps a source line');
keys_('S', 'I', 'I', 'I');
sees(qr/step 0 of \d+/, 'S and I go back to the beginning');
keys_(('Down') x 6, 'b');
sees(qr/Breakpoint 1 at matmul\+0x18/, 'b sets a breakpoint under the cursor');
sees(qr/^B  1718 /m, '... and B stands there');
keys_('c');
sees(qr/^B >1718 /m, 'c runs to it');
sees(qr/Breakpoint 1, wave 0 at matmul\+0x18/, '... and says so');
keys_('5', 'l');
sees(qr/wave 0\/64 lane 5 /, '5 l selects lane 5');
keys_('L');
sees(qr/lane 6 /, 'L selects the next');
keys_('d');
sees(qr/^b >1718 /m, 'd switches the breakpoint off: b');
keys_('b');
sees(qr/^  >1718 /m, 'b deletes it');
keys_('/');
sees(qr/\(gpudbg\) pane find$/m, '/ goes to the prompt, the command typed in');
line('barrier');
sees(qr/17d0   s_barrier/, '... and finds');
keys_('BSpace');
sees(qr/^  >1718 /m, 'Backspace comes back');
keys_('G', 'Up', 'Up', 'Up', 'Up', 'Home', '/');
line('cbranch');
sees(qr/172c v s_cbranch_scc1/, 'a branch');
keys_('Enter');
sees(qr/=code  matmul\+0x118 /, 'Enter follows it');
keys_('BSpace', 'w');
sees(qr/^  >1718 /m, 'w shows where the program is');
keys_('W');
sees(qr/wave 1\/64/, 'W selects the next wave');
keys_('Tab');
sees(qr/^=fields /m, 'Tab moves the focus');
for my $pane (qw(scalar fields)) {
    keys_(':');
    line("focus $pane");
    sees(qr/=$pane\b/, "the prompt moves it to $pane");
    keys_('Escape');
    sees(qr/=$pane\b.*^\?help/ms, '... where it stays when Escape leaves the prompt');
}
keys_('Right');
sees(qr/\[\d+\]/, 'a field is marked in the ruler');
keys_('z');
sees(qr/^=fields  \w+ =+\n(?!.*-scalar)/m, 'z fills the screen');
keys_('z', 'C-x', '2');
sees(qr/^[-=]lanes :a  64 of 64 run [-=]+$/m, 'C-x 2 is the layout of lanes');
keys_('C-x', '1', '?');
sees(qr/^=keys .*\n Single keys/m, '? lists the keys');
keys_('q');
sees(qr/=code|=fields/, 'q leaves the list');

# ---- The prompt ----
keys_(':');
sees(qr/^=prompt/m, ': goes to the prompt');
line('print 6*7');
sees(qr/^\$\d+ = 42$/m, 'a command is typed and its result shown');
type('print 6*8');
keys_('BSpace');
line('9');
sees(qr/= 54$/m, 'Backspace edits');
line('stepi');
sees(qr/Wave 1 at matmul\+0x4:/, 'a step is typed');
keys_('Enter');
sees(qr/Wave 1 at matmul\+0x8:/, 'an empty line repeats it');
line('print 6*9');
sees(qr/= 54\n\(gpudbg\)$/m, 'something else');
keys_('Up', 'Up', 'Up', 'Up', 'C-a', 'C-e', 'Enter');
sees(qr/= 54\n.*print 6\*7\n.*= 42/, 'Up brings back earlier lines');
keys_('C-r');
type('6*9');
sees(qr/i-search.*6\*9.*print 6\*9$/m, 'Ctrl-R looks through earlier lines');
keys_('C-g');
sees(qr/^\(gpudbg\)$/m, 'Ctrl-G gives that up');
line(':print 6*11');
sees(qr/^\$\d+ = 66$/m, 'a colon typed in the open prompt is not part of the command');
keys_('C-d');
sees(qr/^\?help/m, 'Ctrl-D on an empty line goes back to single keys');
keys_(':');
sees(qr/^=prompt/m, 'and : to the prompt');
type('disas');
keys_('Tab');
sees(qr/\(gpudbg\) disassemble$/m, 'Tab completes a command');
type('mat');
keys_('Tab');
sees(qr/\(gpudbg\) disassemble matmul/, '... and a symbol');
keys_('C-u', 'Escape');
sleep 0.2;
sees(qr/^\?help/m, 'Escape goes back to single keys');
keys_(':');
line('nonsense');
sees(qr/nonsense/, 'an error is a line in the prompt pane');
keys_('Escape');
sleep 0.2;

# ---- Size, stopping, leaving ----
tmux('resize-window', '-t', 'x', '-x', 132, '-y', 40);
sees(qr/^.{131}\S?\n/m, 'a larger window is filled');
sees(qr/-source /, '... with the layout for wide screens');
tmux('resize-window', '-t', 'x', '-x', 60, '-y', 12);
sees(qr/\A.{1,60}\n(?:.{0,60}\n){10}\?help/, 'a smaller one too');
tmux('resize-window', '-t', 'x', '-x', 80, '-y', 24);
sees(qr/(?:.*\n){23}\?help s step/, '... and back');
unlike(screen(), qr/-source /, '... to the layout for narrow screens');
keys_('C-s', 'i');
sees(qr/\(gpudbg\) stepi\n/, 'Ctrl-S stops nothing');
keys_('C-z');
sees(qr/^\$$/m, 'Ctrl-Z gives the shell back');
line('stty -a | grep -o " echo"; echo awake');
sees(qr/echo\nawake/, '... with its terminal as it was');
tmux('resize-window', '-t', 'x', '-x', 90, '-y', 26);
line('fg');
sees(qr/matmul\.co.*\n(?:.*\n){24}\?help s step/, 'fg brings the screen back, at the size of now');
keys_('q');
sees(qr/^\$$/m, 'q leaves');
line("echo status \$?; stty -g > $dir/after; echo restored");
sees(qr/status 0\nrestored/, '... with status 0');
is(slurp("$dir/after"), slurp("$dir/before"), 'the terminal is as it was before');
like(slurp("$dir/home/.local/state/gpudbg/history"), qr/^print 6\*7$/m, 'the history is kept');

# ---- A matrix multiply, from the breakpoint in its inner loop to its result ----
sub floats { open(my $f, '<:raw', $_[0]) or die "$_[0]: $!"; local $/; return unpack 'f<*', <$f> }
my $n = 64;
my @a = floats('share/demo/matmul_a.bin');
my @b = floats('share/demo/matmul_b.bin');
my @product = map { my ($row, $column) = (int $_ / $n, $_ % $n); my $sum = 0;
    $sum += $a[$row * $n + $_] * $b[$_ * $n + $column] for 0 .. $n - 1; $sum } 0 .. $n * $n - 1;
for my $size ([80, 24], [200, 60]) {
    my ($columns, $rows) = @$size;
    start($columns, $rows);
    line("clear; $gpudbg --demo");
    sees(qr/step 0 .*\n.*=code  matmul/, "${columns}x$rows: the demo");
    keys_(':');
    line('break *0x17f0 wave 2 lane 37');
    sees(qr/Breakpoint 1 at matmul\+0xf0/, '... with a breakpoint in the inner loop, in lane 37 of wave 2');
    keys_('Escape');
    sleep 0.3;
    keys_('c');
    sees(qr/wave 2\/64 lane 37 .*\n(?:.*\n)*.*B[ w]>17f0 /, '... runs to it');
    keys_('i', 'i');
    sees(qr/  [ w]>17f8 |>17f8 /, '... steps');
    keys_('I');
    sees(qr/>17f4 /, '... steps back');
    keys_('I');
    sees(qr/B[ w]>17f0 /, '... and again');
    keys_(':');
    line('set $v0[37] = 0x447a0000');
    sees(qr/\bv0\b.* \*1000\b/, 'a register changed by hand is marked');
    line('delete 1');
    line('continue');
    sees(qr/Done: 64 waves/, 'it runs to the end');
    line("save arg c $dir/c$columns.bin");
    sees(qr/c$columns\.bin(?:.*\n)*.*\(gpudbg\)$/m, 'the result is saved');
    my @expected = @product;
    $expected[10 * $n + 5] += 1000; # the work-item of that lane: row 10, column 5 of the first tile
    is_deeply([floats("$dir/c$columns.bin")], \@expected, '... and is the product, but for what was changed');
    keys_('Escape');
    sleep 0.3;
    keys_('q');
    sees(qr/^You changed registers or memory of the launch\.  Quit\? \(y or n\)$/m,
        'buffers are saved, but the launch was edited: q asks');
    line('perhaps');
    sees(qr/^Please answer y or n\.$/m, '... takes nothing but an answer');
    line('y');
    sees(qr/^\$/m, '... and leaves');
}
start(80, 24);

# ---- A long run ----
open(my $f, '>:raw', "$dir/loop.bin");
print $f pack 'V*', 0xbf82ffff, 0xbf810000; # s_branch to itself
close $f;
line("clear; sh -c 'echo \$\$ > $dir/pid; exec $gpudbg --raw --isa gfx7 -e \"launch -g 64 -l 64\" $dir/loop.bin'");
sees(qr/step 0 /, 'an endless loop, launched');
keys_('c');
sees(qr/working [\d,]+ .*\/s.*Ctrl-C stops/, 'the state line shows progress');
keys_('C-c');
sees(qr/Interrupted, wave 0/, 'Ctrl-C stops the run');
keys_('i');
sees(qr/\(gpudbg\) stepi\nWave 0 at/, '... in a state that goes on');
keys_(':');
line('while 1');
line('end');
sees(qr/working [\d,]+ /, 'a loop of commands shows progress, too');
keys_('C-c');
sees(qr/^interrupted$/m, '... and obeys Ctrl-C');
line('define never');
sees(qr/^\(define never\)/m, 'lines of a definition are asked for');
keys_('C-c');
sees(qr/^define never: given up$/m, '... until Ctrl-C gives it up');
keys_('Escape');
sleep 0.3;
keys_('c');
sees(qr/working/, 'it runs again');
keys_('C-z');
sees(qr/^\$$/m, 'Ctrl-Z stops the program in the middle of a run');
line('fg');
sees(qr/working/, '... and it goes on');
chomp(my $pid = slurp("$dir/pid"));
kill 'TERM', $pid if $pid;
sees(qr/^\$$/m, 'SIGTERM ends it even then');
line('echo status $?');
sees(qr/status 143/, '... with its status');
line('stty -a | grep -o " echo"; echo awake');
sees(qr/echo\nawake/, '... and the terminal is restored');

# ---- Keys of one's own ----
mkdir "$dir/home/.config";
mkdir "$dir/home/.config/gpudbg";
spill("$dir/home/.config/gpudbg/keys", "[keys]\ne  stepi 3  #three\ns\n");
spill("$dir/home/.config/gpudbg/gpudbgrc", "set stop-on-error off\nprint 77\n");
line("clear; $gpudbg --demo");
sees(qr/^\$1 = 77$/m, 'the rc file is read');
keys_('e');
sees(qr/step 3 .*\n/, 'a key of the user\'s own');
keys_('s');
sees(qr/s does nothing here/, '... and one taken out');
keys_('?', '/');
line('stepi 3');
sees(qr/^  e +stepi 3 /m, 'the list of keys knows it');
keys_('q', 'q');
sees(qr/^\$/m, 'q still leaves');
unlink "$dir/home/.config/gpudbg/$_" for qw(keys gpudbgrc);

# ---- A terminal that closes ----
line("clear; sh -c 'echo \$\$ > $dir/pid; exec $gpudbg --demo'");
sees(qr/step 0 .*\n=code  matmul/, 'once more');
chomp($pid = slurp("$dir/pid"));
ok($pid && kill(0, $pid), 'the program runs');
stop();
my $end = time + $patience;
sleep 0.05 while kill(0, $pid) && time < $end;
ok(!kill(0, $pid), 'it ends with its terminal');

# ---- Kinds of terminals ----
my (%picture, $first);
for my $term (qw(xterm-256color screen linux vt100)) {
    start(80, 24, TERM => $term);
    line("clear; $gpudbg --demo");
    sees(qr/step 0 .*\n=code  matmul.*\?help/s, "$term shows the screen");
    $first //= screen();
    keys_('i', 'Down', 'Up', 'PPage', 'NPage', 'Home', 'End', 'w');
    keys_(':');
    line('print 4242');
    sees(qr/step 1 .*\n-code  matmul\+0x4.*^\$1 = 4242$/ms, '... and keys work there');   # the last key is drawn
    $picture{$term} = screen();
    like(screen('-e'), qr/\e\[[0-9;]*3[0-7]/, "$term has colours") if $term ne 'vt100';
    unlike(screen('-e'), qr/\e\[(?:[0-9;]*;)?[34][0-7][;m]/, 'vt100 has none') if $term eq 'vt100';
    keys_('Escape', 'q');
}
is($picture{$_}, $picture{'xterm-256color'}, "$_ shows the same picture") for qw(screen linux vt100);

start(80, 24, NO_COLOR => 1, TERM => 'xterm-256color');
line("clear; $gpudbg --demo");
sees(qr/step 0 .*\n=code  matmul.*\?help/s, 'NO_COLOR: the screen opens');
unlike(screen('-e'), qr/\e\[(?:[0-9;]*;)?[34][0-7][;m]/, '... without colours');
is(screen(), $first, '... and the same marks');
keys_('q');

start(80, 24, LC_ALL => 'C.UTF-8', TERM => 'xterm-256color');
line("clear; $gpudbg --demo");
sees(qr/step 0 .*\n\xe2\x94\x81code/, 'UTF-8: rules are drawn with lines');
type("\e[<0;60;13M"); # a click, as xterm reports it
type("\e[<0;60;13m");
sees(qr/\xe2\x94\x81waves|\xe2\x94\x81lanes/, 'a click moves the focus');
keys_('q');

start(80, 24, LC_ALL => 'xx_YY.UTF-8', TERM => 'xterm-256color');
line("clear; $gpudbg --demo");
sees(qr/step 0 .*\n\xe2\x94\x81code/, 'a locale that is not there, of UTF-8: rules are drawn with lines');
keys_('q');

start(80, 24, LC_ALL => '', LANG => 'xx_YY.ISO-8859-1', TERM => 'xterm-256color');
line("clear; $gpudbg --demo");
sees(qr/step 0 .*\n=code/, 'a locale that is not there, of another coding: rules in ASCII');
like(screen() =~ s/\s*\n\s*/ /gr, qr/does not have the locale xx_YY\.ISO-8859-1: the screen is in ASCII/,
    '... and why');
keys_('q');

start(80, 24, TERM => 'nosuchterminal');
line("clear; $gpudbg --demo");
sees(qr/terminal type 'nosuchterminal' is not known here\n.*\n\(gpudbg\)$/m, 'an unknown terminal has a plain prompt');
line('quit');

start(80, 24, TERM => 'dumb');
line("clear; $gpudbg --demo");
sees(qr/^\(gpudbg\)$/m, 'a dumb terminal has a plain prompt');
line('stepi');
sees(qr/Wave 0 at matmul\+0x4: .*\n\(gpudbg\)$/m, '... that runs commands');
line('quit');
sees(qr/quit\n\$$/m, '... and ends');
stop();

is(`echo 'print 2+3' | $gpudbg 2>&1`, "\$1 = 5\n", 'commands may come through a pipe');
is(`echo 'print 2+3' | TERM= $gpudbg --json 2>&1 | grep -c '"type":"value"'`, "1\n", '... with --json as well');

# ---- The hint of the first launch, which a demo makes before the commands of the command line ----
for my $case (['check all on', qr/Checks are on: `info checks`/], ['p 1', qr/Checks are off: `check all on`/]) {
    start(80, 24);
    line("$gpudbg --demo=histogram -e '$case->[0]'");
    ok(wait_for(qr/Checks are/), "$case->[0] behind a launch: a hint");
    like(screen() =~ s/\s*\n\s*/ /gr, $case->[1], '... that says what is');
    is(scalar(() = screen() =~ /Checks are/g), 1, '... once');
}

# ---- Endings that nobody planned: no memory, a crash ----
if (`ldd '$gpudbg' 2>&1` =~ /libasan|libclang_rt/) { # which has crashes and memory of its own
    done_testing;
    exit;
}
start(90, 24, LC_ALL => 'C');
line("stty -g > $dir/before; clear");
for my $signal (qw(SEGV ABRT BUS FPE)) {
    line("clear; ulimit -c 0; $gpudbg --demo; stty -g > $dir/after-$signal; echo ended by $signal");
    sees(qr/wave 0\/64 lane 0.*step 0/, "$signal: the screen is there");
    my ($pid) = `pgrep -f '^$gpudbg --demo\$' 2>/dev/null` =~ /(\d+)/;
    SKIP: {
        skip 'no pgrep', 2 unless $pid;
        kill $signal, $pid;
        sees(qr/^ended by $signal/m, '... it is gone');
        is(slurp("$dir/after-$signal"), slurp("$dir/before"), '... and the terminal as it was');
    }
    keys_('q', 'C-u') unless $pid;
}
line("clear; i=30000; while [ \$i -lt 150000 ]; do (ulimit -v \$i; $gpudbg"
    . (" --demo -e 'set confirm off' -e continue -e disassemble -e 'info waves'"
    . " -e 'launch -g 64,64 -l 16,16 zero:60000000 zero:9000000 zero:1 64' -e quit); stty -g >> ")
    . "$dir/memory; i=\$((i+4000)); done 2> $dir/memory-errors; clear; echo all ended");
sees(qr/^all ended/m, 'without memory it ends, whenever that is');
is_deeply([keys %{ { map { $_ => 1 } split /\n/, slurp("$dir/memory") } }], [slurp("$dir/before") =~ s/\n//r],
    '... with the terminal as it was');

done_testing;
