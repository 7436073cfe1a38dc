# SPDX-License-Identifier: GPL-3.0-or-later
#
# A program in a pseudo-terminal, of 80 by 24 unless @Pty::size says another, for tests.
#
#   my $t = terminal({ HOME => $dir }, $program, @arguments) or skip 'no pseudo-terminals', 1;
#   sees($t, qr/ready/) and type_($t, 'q');
#   my $seconds = finish($t, 10);      # it is killed after ten
#   is flags($t), $before;             # echo and lines, as the terminal has them now
#   settles($t, 5);                    # until it waits for keys, or has ended
package Pty;
use v5.36;
use Exporter 'import';
use Fcntl qw(O_RDWR O_NOCTTY);
use IO::Handle;
use POSIX qw(WNOHANG setsid);
use Time::HiRes qw(sleep time);

our @EXPORT = qw(terminal take sees settles type_ finish flags);

my ($TIOCGPTN, $TIOCSPTLCK, $TIOCSWINSZ, $FIONREAD) = (0x80045430, 0x40045431, 0x5414, 0x541b); # Linux

our @size = (24, 80); # rows and columns

# undef: there are no pseudo-terminals.  {text}: all that came out, {flags}: those before the program began, {status}:
# how it ended, as $? has it.
sub terminal ($env, @command) {
    sysopen(my $master, '/dev/ptmx', O_RDWR | O_NOCTTY) or return;
    my $n = pack 'i', 0;
    ioctl($master, $TIOCSPTLCK, $n) or return;
    ioctl($master, $TIOCGPTN, $n) or return;
    my $name = '/dev/pts/' . unpack 'i', $n;
    sysopen(my $slave, $name, O_RDWR | O_NOCTTY) or return;
    my $size = pack 'S4', @size, 0, 0;
    ioctl($slave, $TIOCSWINSZ, $size) or return;
    my $flags = flags({ slave => $slave });
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        setsid();
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP QUIT);
        sysopen(my $own, $name, O_RDWR) or POSIX::_exit(126);
        POSIX::dup2(fileno $own, $_) for 0 .. 2;
        @ENV{qw(TERM LC_ALL)} = ('xterm', 'C');
        @ENV{ keys %$env } = values %$env;
        exec { $command[0] } @command or POSIX::_exit(127);
    }
    $master->blocking(0);
    return { master => $master, slave => $slave, pid => $pid, text => '', flags => $flags };
}

# select fetches what the kernel has from the program and has not passed on yet; read alone does not.
sub take ($t) {
    vec(my $master = '', fileno $t->{master}, 1) = 1;
    while (select(my $ready = $master, undef, undef, 0) > 0 && sysread $t->{master}, my $part, 65536) {
        $t->{text} .= $part;
    }
    return $t->{text};
}

# Waits until all that came out matches, at most so many seconds.
sub sees ($t, $want, $most = 20) {
    my $end = time + $most;
    while (time < $end) { return 1 if take($t) =~ $want; sleep 0.01 }
    return 0;
}

sub word ($path) { open my $f, '<', $path or return ''; return scalar(<$f>) // '' }

# How many bytes the program has not read.  The kernel passes what was written here on some time later, and FIONREAD
# alone does not count it until then: select hurries it.
sub typed ($t) {
    vec(my $slave = '', fileno $t->{slave}, 1) = 1;
    select $slave, undef, undef, 0;
    my $n = pack 'i', 0;
    return ioctl($t->{slave}, $FIONREAD, $n) ? unpack('i', $n) : 0;
}

# Whether the program, or what runs in its place below a tracer, has ended or sleeps until a key comes, and has read all
# that was typed.
sub waits ($t) {
    my $pid = $t->{pid};
    while (my ($child) = word("/proc/$pid/task/$pid/children") =~ /^(\d+)/) { $pid = $child }
    my ($state) = word("/proc/$pid/stat") =~ /.*\) (\S)/;
    return 1 if !defined $state || $state eq 'Z';
    return $state eq 'S' && word("/proc/$pid/wchan") =~ /poll|select|tty|wait_woken|^0?$/ && !typed($t);
}

# Waits until it has nothing more to do than to wait for keys, at most so many seconds: twice in a row, with no output
# between.
sub settles ($t, $most) {
    my $end = time + $most;
    for (my $before = -1; time < $end; sleep 0.003) {
        my $is = waits($t) ? length take($t) : -1;
        return 1 if $is >= 0 && $is == $before;
        $before = $is;
        take($t);
    }
    return 0;
}

sub type_ ($t, $keys) { return syswrite $t->{master}, $keys }

# Waits for its end, kills it after so many seconds; returns the seconds.
sub finish ($t, $most) {
    my $begin = time;
    while (time - $begin < $most) {
        take($t);
        if (waitpid($t->{pid}, WNOHANG) == $t->{pid}) {
            $t->{status} = $?;
            take($t);
            return time - $begin;
        }
        sleep 0.005;
    }
    kill 'KILL', $t->{pid};
    waitpid $t->{pid}, 0;
    $t->{status} = $?;
    return $most;
}

sub flags ($t) {
    my $termios = POSIX::Termios->new;
    $termios->getattr(fileno $t->{slave});
    return $termios->getlflag & (POSIX::ECHO | POSIX::ICANON);
}

1;
