# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every signal that ends a process gives the terminal back: on the screen, and at the plain prompt.  Which those are is
# asked of a process that handles none.  The terminal is back when echo and lines are as they were, and when what was
# sent leaves the second screen, shows the cursor, and ends mouse reports and marks around pasted text.
use v5.36;
use Test::More;
use lib 't/lib';
use Config;
use File::Temp qw(tempdir);
use Pty;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $home = tempdir(CLEANUP => 1);
my @names = split / /, $Config{sig_name};

# Signals that end a process which does nothing about them.
sub is_ending ($number) {
    my $pid = fork // die;
    if (!$pid) {
        $SIG{$_} = 'DEFAULT' for grep { defined $SIG{$_} } keys %SIG;
        sleep 1 while getppid() != 1;
        POSIX::_exit(0);
    }
    kill $number, $pid;
    select undef, undef, undef, 0.02;
    my $ended = waitpid($pid, POSIX::WNOHANG()) == $pid;
    if (!$ended) { kill KILL => $pid; waitpid $pid, 0 }
    return $ended;
}
my %left = (9 => 1, 13 => 1, 25 => 1); # KILL; PIPE and XFSZ, which the program ignores
my @endings = grep { !$left{$_} && is_ending($_) } 1 .. 31, 34 .. 64;
cmp_ok scalar @endings, '>', 20, 'signals that end a process: ' . join ' ', map { $names[$_] // $_ } @endings;
$left{2} = 1; # Ctrl-C stops what runs
@endings = grep { !$left{$_} } @endings;
@endings = grep { $_ < 32 || $_ % 10 == 4 } @endings if ($ENV{GPUDBG_SAMPLE} // 1) > 1;

# What must be switched off again: [on, off].
my %modes = (
    'the second screen' => ["\e[?1049h", "\e[?1049l"],
    'marks around pasted text' => ["\e[?2004h", "\e[?2004l"],
    'the mouse' => ["\e[?1000h|\e[?1006;1000h", "\e[?1000l|\e[?1006;1000l"],
    'no cursor' => ["\e[?25l", "\e[?25h|\e[?12l\e[?25h"],
);
sub last_of ($text, $alternatives) {
    my $at = -1;
    for my $one (split /\|/, $alternatives) { my $k = rindex $text, $one; $at = $k if $k > $at }
    return $at;
}

sub check ($t, $number, $where) {
    my $name = "$where, SIG" . ($names[$number] // $number);
    kill $number, $t->{pid};
    cmp_ok finish($t, 30), '<', 30, "$name ends it";
    my ($signal, $status) = ($t->{status} & 127, $t->{status} >> 8);
    ok $signal == $number || $status == 128 + $number, '... and the status tells' or diag "$signal $status";
    is flags($t), $t->{flags}, '... echo and lines are as they were';
    for my $mode (sort keys %modes) {
        my ($on, $off) = map { last_of($t->{text}, $_) } @{$modes{$mode}};
        cmp_ok $off, '>', $on, "... $mode: over" if $on >= 0;
    }
}

for my $number (@endings) {
    my $t = terminal({ HOME => $home }, $gpudbg, '--demo=matmul') or plan skip_all => 'no pseudo-terminals';
    sees($t, qr/\e\[\?1049h/) && settles($t, 20) or diag 'the screen is late';
    check($t, $number, 'the screen');
}
for my $number (grep { $_ < 32 } @endings) {
    my $t = terminal({ HOME => $home, TERM => 'unknown' }, $gpudbg, '--demo=matmul');
    sees($t, qr/\(gpudbg\) /) && settles($t, 20) or diag 'the prompt is late';
    type_($t, 'print 1');
    settles($t, 20);
    check($t, $number, 'the plain prompt');
}
{
    my $t = terminal({ HOME => $home }, $gpudbg, '--demo=matmul');
    sees($t, qr/\e\[\?1049h/) && settles($t, 20);
    kill $_, $t->{pid} for 13, 25;
    select undef, undef, undef, 0.1;
    ok kill(0, $t->{pid}), 'SIGPIPE and SIGXFSZ are ignored';
    kill TERM => $t->{pid};
    finish($t, 30);
}

# Ctrl-C drops the line that is half typed.
for my $term ('dumb', 'unknown', 'vt100-unknown', '') {
    my $t = terminal({ HOME => $home, TERM => $term }, $gpudbg);
    sees($t, qr/\(gpudbg\) /) && settles($t, 20);
    my $n = length take($t);
    type_($t, 'echo half');
    sees($t, qr/echo half/) && settles($t, 20);
    type_($t, "\x03");
    settles($t, 20);
    type_($t, "echo whole\\n\n");
    ok sees($t, qr/\nwhole\r?\n/), "TERM='$term': behind Ctrl-C a line begins anew" or diag substr $t->{text}, $n;
    unlike substr($t->{text}, $n), qr/\nhalf|unknown command/, '... and the half one is not run';
    type_($t, "\n");
    settles($t, 20);
    type_($t, "quit\n");
    cmp_ok finish($t, 20), '<', 20, '... and the prompt goes on';
}
{
    my $t = terminal({ HOME => $home }, $gpudbg, '--demo=matmul');
    sees($t, qr/\e\[\?1049h/) && settles($t, 20);
    type_($t, ':echo half');
    settles($t, 20);
    type_($t, "\x03");
    settles($t, 20);
    type_($t, "set \$whole = 4711\nprint \$whole\n");
    ok sees($t, qr/= 4711|\$1/), 'on the screen, too';
    unlike $t->{text}, qr/halfset/, '... and nothing is left of the half line';
    kill TERM => $t->{pid};
    finish($t, 20);
}
# What readline waits for - more of a key, a search, a number - ends with another key, a click or an end of the line.
for (['a search, and half a key twice', "\x12\x18\x18\x06"], ['a search, and a click', "\x12ab\e[<0;3;3M\e[<0;3;3m:"],
    ['half a key, and a click', ":\x18\e[<0;3;3M\e[<0;3;3m:\x18\x18"],
    ['a number, and a click', "\e5\e[<0;3;3M\e[<0;3;3m:"],
    ['a search of lines, and help', "\ep\eOP\eOP"], ['a search, and Tab', "\x12e\t\x18\x05"],
    ['a search in the history, given up, and a change', "\e[A\ep\x07 \e[A\r"],
    ['a search in the history, a click, and a change', "\e<\en\e[<0;3;3M\e[<0;3;3m:\e[B \e[A\e[B\r"]) {
    my ($name, $keys) = @$_;
    my $t = terminal({ HOME => $home, TERM => 'xterm-256color', LC_ALL => 'C.UTF-8' }, $gpudbg, '-n', '--demo=matmul');
    sees($t, qr/\e\[\?1049h/) && settles($t, 20);
    for my $key (':', "echo one\r", $keys, $keys) {
        type_($t, $key);
        settles($t, 20);
    }
    type_($t, "\x03");
    settles($t, 20);
    type_($t, "print 40 + 2\r");
    ok sees($t, qr/\$1 = 42/, 10), "$name: the prompt goes on" or diag $t->{text};
    kill TERM => $t->{pid};
    finish($t, 20);
}
done_testing;
