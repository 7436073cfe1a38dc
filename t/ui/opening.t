#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# A file that takes long to open shows how far that is, and Ctrl-C ends it: a log that comes through a pipe, in parts.
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
my $line = "[    5.000000] amdgpu 0000:01:00.0: GPU fault detected: 147 0x001c3b02\n";
local $SIG{PIPE} = 'IGNORE';

# A terminal in which the log is being opened, and the end of the pipe from which it comes.
sub opening_log () {
    my $pipe = "$dir/log";
    unlink $pipe;
    mkfifo($pipe, 0600) or die "$pipe: $!";
    my $t = terminal({ HOME => $dir }, Gpudbg::program(), $pipe) or return;
    open my $to, '>', $pipe or die "$pipe: $!";
    $to->autoflush;
    return ($t, $to);
}

# Writes until the terminal shows it.
sub write_until ($t, $to, $want) {
    for (1 .. 2000) {
        print $to $line x 1000;
        return 1 if take($t) =~ $want;
        sleep 0.005;
    }
    return 0;
}

my ($t, $to) = opening_log();
plan skip_all => 'no pseudo-terminals' unless $t;
ok write_until($t, $to, qr/gpudbg: opening.*\(Ctrl-C ends\)/), 'it says that it opens the file' or diag $t->{text};
close $to;
ok sees($t, qr/\r {50}\r/), '... takes the line away';
ok sees($t, qr/\e\[\?1049h.*GPU fault/s), '... and the screen comes';
type_($t, 'q');
isnt finish($t, 20), 20, 'q leaves';
is $t->{status}, 0, '... and all was well';

($t, $to) = opening_log();
write_until($t, $to, qr/gpudbg: opening/);
type_($t, "\cC");
isnt finish($t, 20), 20, 'Ctrl-C ends it';
is $t->{status} & 127, 2, '... as a signal does';
is flags($t), $t->{flags}, '... and the terminal is as it was';
done_testing;
