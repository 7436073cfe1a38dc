#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# A file that takes long to open: its progress, and of a log its text, which can be scrolled before what it means is
# known.  A pipe that gives its log in parts, and a file of 4 TB that nobody can read to the end, so that nothing here
# depends on how fast the machine is.
use v5.36;
use File::Temp qw(tempdir);
use FindBin;
use POSIX qw(mkfifo);
use Test::More;
use Time::HiRes qw(sleep);
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Pty;

my $dir = tempdir(CLEANUP => 1);
my $fault = "[    5.000000] amdgpu 0000:01:00.0: GPU fault detected: 147 0x001c3b02\n";
my $log = join '', $fault,
    map { sprintf "[%5d.000000] sda%d: the line of number %d\n", $_, $_ * 7919 % 97, $_ } 2 .. 300;
local $SIG{PIPE} = 'IGNORE';

sub open_on_terminal ($path) { return terminal({ HOME => $dir }, Gpudbg::program(), $path) }

# A terminal in which what comes through a pipe is being opened, and the end of the pipe.
sub opening_pipe () {
    my $pipe = "$dir/log";
    unlink $pipe;
    mkfifo($pipe, 0600) or die "$pipe: $!";
    my $t = open_on_terminal($pipe) or return;
    open my $to, '>', $pipe or die "$pipe: $!";
    $to->autoflush;
    return ($t, $to);
}

# What is on the screen: all of it is drawn anew.
sub picture ($t, $want) {
    my $from = length take($t);
    type_($t, "\cL");
    for (1 .. 2000) {
        my $new = substr take($t), $from;
        return $new if $new =~ /\e\[H\e\[2?J.*$want/s;
        sleep 0.01;
    }
    return '';
}

my ($t, $to) = opening_pipe();
plan skip_all => 'no pseudo-terminals' unless $t;

subtest 'before anything is there' => sub {
    ok sees($t, qr/gpudbg: opening.*\(Ctrl-C ends\)/), 'a line says that it is opened' or diag $t->{text};
    type_($t, "\cC");
    isnt finish($t, 20), 20, 'Ctrl-C ends it';
    is $t->{status} & 127, 2, '... as a signal does';
    is flags($t), $t->{flags}, '... and the terminal is as it was';
};

subtest 'a log of which parts are there' => sub {
    ($t, $to) = opening_pipe();
    print $to $log;
    ok sees($t, qr/\e\[\?1049h.*reading.*GPU fault detected.*line of number 5\b/s), 'its first lines are on the screen'
        or diag $t->{text};
    unlike $t->{text}, qr/page-fault/, '... without an explanation';
    unlike $t->{text}, qr/line of number 40\b/, '... and no more than have room';
    type_($t, '40j');
    ok picture($t, qr/line of number 41\b/), 'keys move in it';
    type_($t, "\e[F");
    ok picture($t, qr/line of number 300\b/), '... to the end of what is there';
    print $to "[  301.000000] the latest line\n";
    for (1 .. 400) { # once it has come through the pipe
        type_($t, 'j');
        last if take($t) =~ /the latest/; # " line" may stand there from the row before
        sleep 0.05;
    }
    like $t->{text}, qr/the latest/, 'what comes later can be seen, too';
    type_($t, ':');
    ok sees($t, qr/: not before the log is read/), 'other keys say that they have to wait';
    type_($t, "\e[H");
    type_($t, '100j');
    ok picture($t, qr/line of number 101\b/), 'somewhere in the middle';
    close $to;
    ok sees($t, qr/page-fault/), 'all is there: the explanation comes';
    my $picture = picture($t, qr/line of number 101\b/);
    like $picture, qr/page-fault.*line of number 100\b.*line of number 101\b/s, 'and the log stands where it stood';
    type_($t, 'q');
    isnt finish($t, 20), 20, 'q leaves';
    is $t->{status}, 0, '... and all was well';
};

subtest 'a log of which the user has seen enough' => sub {
    ($t, $to) = opening_pipe();
    print $to $log;
    sees($t, qr/line of number 5\b/);
    type_($t, 'q');
    isnt finish($t, 20), 20, 'q leaves at once';
    is $t->{status}, 0, '... and that is no error';
    is flags($t), $t->{flags}, '... and the terminal is as it was';
    ($t, $to) = opening_pipe();
    print $to $log;
    sees($t, qr/line of number 5\b/);
    type_($t, "\cC");
    isnt finish($t, 20), 20, 'Ctrl-C ends a pipe that is not read to its end';
    is $t->{status} & 127, 2, '... as a signal does';
    is flags($t), $t->{flags}, '... and the terminal is as it was';
};

subtest 'a file without an end' => sub {
    open my $file, '>', "$dir/endless.log" or die "endless.log: $!";
    print $file $log;
    close $file;
    truncate "$dir/endless.log", 1 << 42 or plan skip_all => 'no files of 4 TB here';
    $t = open_on_terminal("$dir/endless.log");
    ok sees($t, qr/reading.*of 4.0 TB.*0%.*left.*GPU fault detected/s), 'its first lines, and how far it is'
        or diag $t->{text};
    type_($t, "\e[F");
    ok picture($t, qr/line of number 300\b/), 'the end key looks for the last line for a moment only';
    type_($t, "\cC");
    ok sees($t, qr/page-fault/), 'Ctrl-C stops the reading, and what was read is explained';
    type_($t, ":explain\r");
    ok sees($t, qr/stopped by the user after line 300\b/), '... with the reason why there is no more';
    type_($t, "q\cDq");
    finish($t, 20);
};

subtest 'what is no text' => sub {
    ($t, $to) = opening_pipe();
    print $to "\0" x 100_000;
    ok sees($t, qr/gpudbg: opening/), 'a line of progress';
    close $to;
    isnt finish($t, 20), 20, 'it ends';
    is $t->{status} >> 8, 3, '... as a file does that nobody knows';
    like $t->{text}, qr/\r {50}\rgpudbg: /, 'the line is taken away, and an error says why';
    unlike $t->{text}, qr/\e\[\?1049h/, 'there was no screen';
};
done_testing;
