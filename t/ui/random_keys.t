#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Random keys, clicks, pasted text and new sizes of the terminal, on ten inputs: the program neither crashes nor hangs,
# and gives the terminal back.  GPUDBG_KEYS says how many keys each input gets, GPUDBG_SEED which; a failure prints the
# keys since the program began, to be typed again.
use v5.36;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use FindBin;
use POSIX qw(WNOHANG);
use Test::More;
use lib "$FindBin::Bin/../lib";
use OracleRandom qw(generator);
use Pty;

my $keys = $ENV{GPUDBG_KEYS} // 120;
my $random = generator($ENV{GPUDBG_SEED} // 46);
my $program = abs_path($ENV{GPUDBG} // 'build/gpudbg');
my $data = "$FindBin::Bin/../data";
my $dir = tempdir(CLEANUP => 1);
my @inputs = ((map { ["--demo=$_"] } qw(matmul collatz mandelbrot histogram dg1 il matmul-O0)),
    ["$data/dumps/../explain/fault-interrupt-gfx7.log"], ["$data/dumps/waves-gfx1030.txt"],
    ["$data/kernels/gfx10/divergence-O2.co"]);
@inputs = grep { $_->[0] =~ /^--/ || -e $_->[0] } @inputs;
cmp_ok scalar @inputs, '>=', 9, 'inputs';

sub below ($n) { return $random->($n) }
sub one_of (@of) { return $of[below(scalar @of)] }

# Ctrl-Z and Ctrl-\ stop and end programs; q ends this one, so it comes seldom.
my @plain = grep { $_ ne 'q' } map { chr } 32 .. 126;
my @control = map { chr } grep { $_ != 26 && $_ != 28 } 1 .. 31;
my @often = split //, 'sSnNcCiIoObdyYkjhlHuUeEm.*WwLxXDAP|zrvVKt]';
my @escape = map { "\e$_" } qw([A [B [C [D [H [F [5~ [6~ [3~ [Z OP [1;5C [1;5D [1;2C [1;2D p n < > b f x), "\x7f", "";
my @lines = map { "$_\r" } 'layout lanes', 'layout timeline', 'layout picture', 'layout memory', 'layout split',
    'layout flow', 'layout strip', 'diffrun -n', 'watch $v3', 'break 1', 'pane heat', 'pane wrap', 'focus prompt',
    'info waves', 'help step', 'continue', 'goto 40', 'display $pc', 'theme light', 'theme plain', 'view',
    'diff positions 5 20', 'try', 'zoom';
sub key () {
    my $kind = below(100);
    return one_of(@often) if $kind < 40;
    return one_of(@plain) if $kind < 55;
    return one_of(@escape) if $kind < 72;
    return one_of(@control) if $kind < 82;
    return ':' . one_of(@lines) . "\e" if $kind < 89;
    return sprintf "\e[<%d;%d;%d%s", one_of(0, 0, 0, 64, 65), 1 + below(130), 1 + below(45), one_of('M', 'M', 'm')
        if $kind < 96;
    return "\e[200~" . join('', map { one_of(@plain) } 0 .. below(12)) . "\e[201~" if $kind < 98;
    return $kind < 99 ? 'q' : undef; # undef: a new size
}

sub resize ($t) {
    my $size = pack 'S4', 1 + below(60), 1 + below(200), 0, 0;
    ioctl $t->{master}, 0x5414, $size;
    return;
}

for my $input (@inputs) {
    my ($t, @typed, $wrong);
    my ($done, $starts) = (0, 0);
    while ($done < $keys && !$wrong) {
        if (!$t) {
            $t = terminal({ HOME => $dir, TERM => 'xterm-256color', LC_ALL => 'C.UTF-8' }, $program, '-n', @$input);
            plan skip_all => 'no pseudo-terminals' unless $t || $starts;
            settles($t, 60);
            @typed = ();
            $starts++;
        }
        for (1 .. 20) {
            my $key = key();
            push @typed, $key // '(size)';
            defined $key ? type_($t, $key) : resize($t);
            $done++;
        }
        if (!settles($t, 5)) { # something may run for long: Ctrl-C ends it
            type_($t, "\x03");
            $wrong = 'it hangs' unless settles($t, 60);
        }
        $t->{text} = '' if !$wrong;
        if (waitpid($t->{pid}, WNOHANG) == $t->{pid}) {
            $wrong = "it ended with status $?" if $? & 127 || $? >> 8 > 1;
            undef $t unless $wrong;
        }
    }
    ok !$wrong, "@$input: $keys keys" =~ s{\S*/}{}r
        or diag "$wrong; keys: ", join ' ', map { s/([^!-~])/sprintf '\\x%02x', ord $1/ger } @typed;
    next unless $t && !$wrong;
    kill TERM => $t->{pid};
    isnt finish($t, 30), 30, '... and it ends when it is told to';
    is flags($t), $t->{flags}, '... with the terminal as it was';
}
done_testing;
