#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# However the program ends, the terminal is as it was: where nobody reads what it shows, while it asks the terminal a
# question, while a line is typed and there is no memory for it.  The kernel's flags of the terminal tell.
use v5.36;
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use POSIX qw(SIGHUP SIGINT SIGTERM WNOHANG);
use Test::More;
use Time::HiRes qw(sleep time);
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Pty;

my $home = tempdir(CLEANUP => 1);
my $program = Gpudbg::program();
my %plain = (HOME => $home, XDG_CONFIG_HOME => '', XDG_STATE_HOME => '');
terminal({}, '/bin/true') or plan skip_all => 'no pseudo-terminals';

# Its end, without reading what it shows; returns what waitpid says, or undef after so many seconds.
sub ended ($t, $most) {
    for (my $end = time + $most; time < $end; sleep 0.01) { return $? if waitpid($t->{pid}, WNOHANG) == $t->{pid} }
    return;
}
sub restored ($t, $name) { is flags($t), $t->{flags}, "$name: the terminal is as it was" }

for my $signal (SIGTERM, SIGHUP) {
    subtest "a terminal that takes nothing, signal $signal" => sub {
        my $t = terminal({ %plain, TERM => 'xterm' }, $program, '--demo');
        ok settles($t, 20), 'the screen is there';
        for (1 .. 400) { type_($t, 'iiiIII'); sleep 0.004 }
        sleep 0.2;
        kill $signal, $t->{pid};
        is ended($t, 10), $signal, 'it ends by the signal all the same';
        restored($t, 'then');
        like take($t), qr/\e\[\?1049l/, 'its screen is given back';
        kill 'KILL', $t->{pid};
    };
}

for my $signal (SIGINT, SIGTERM) {
    subtest "a terminal that does not answer, signal $signal" => sub {
        my $t = terminal({ %plain, TERM => 'xterm', LC_ALL => 'C.UTF-8' }, $program, '--batch', '--demo=matmul',
            '-e', 'picture c unorm8x4 2x2');
        ok sees($t, qr/\e\[c/), 'it asks';
        isnt flags($t), $t->{flags}, '... without echo';
        kill $signal, $t->{pid};
        my $end = ended($t, 10); # Ctrl-C ends the command, as it does everywhere, and the command was the last
        ok defined $end && ($signal == SIGINT || $end == $signal), 'it ends at once';
        restored($t, 'then');
        kill 'KILL', $t->{pid};
    };
}

subtest 'no memory while a line is typed' => sub {
    my $library = ($ENV{BUILD} // "$FindBin::Bin/../../build") . '/t/inject/memory.so';
    plan skip_all => 'not with sanitizers, which have their own malloc' if `nm -D $program 2>/dev/null` =~ /__[au]san_/;
    plan skip_all => "$library is not built (make check builds it)" unless -e $library;
    copy($library, "$home/memory.so") or die "memory.so: $!"; # LD_PRELOAD takes no path with blanks
    my $typed = sub ($keys, %env) {
        my $t = terminal({ %plain, TERM => 'dumb', LD_PRELOAD => "$home/memory.so", %env }, $program, '--demo');
        settles($t, 20);
        type_($t, "${keys}quit\r");
        finish($t, 20);
        return $t;
    };
    my $count = sub ($keys) {
        $typed->($keys, INJECT_LOG => "$home/log");
        open my $f, '<', "$home/log" or die "log: $!";
        return <$f> =~ /^calls (\d+)/ ? $1 : 0;
    };
    my ($first, $last) = map { $count->($_) } '', "print 6*7\r";
    cmp_ok $last - $first, '>', 5, 'a line takes memory';
    my $left = 0;
    for my $n ($first - 10 .. $last) {
        my $t = $typed->("print 6*7\r", INJECT_FAIL => $n);
        $left++, diag "allocation $n: status $t->{status}" if flags($t) != $t->{flags};
    }
    is $left, 0, 'the terminal is as it was, wherever memory ends';
};
done_testing;
