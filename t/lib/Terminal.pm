# SPDX-License-Identifier: GPL-3.0-or-later
# The real program in a real terminal: a shell in tmux, keys in, pictures out.
package Terminal;
use strict;
use warnings;
use Cwd qw(abs_path);
use Exporter qw(import);
use File::Temp qw(tempdir);
use Test::More;
use Time::HiRes qw(sleep time);

our @EXPORT = qw($dir $gpudbg $patience tmux screen stop start wait_for keys_ type line sees slurp spill);
our $patience = $ENV{GPUDBG_PATIENCE} // 30; # seconds; far more than anything takes
my ($tmux) = grep { -x } map { "$_/tmux" } split /:/, $ENV{PATH};
our $dir = tempdir(CLEANUP => 1);
our $gpudbg = "$dir/gpudbg"; # a name that a shell needs no quotes for
my ($socket, $started) = ("$dir/tmux", 0);
symlink abs_path($ENV{GPUDBG} // 'build/gpudbg'), $gpudbg or die;
mkdir "$dir/home";

sub available { return defined $tmux }

sub tmux { system($tmux, '-S', $socket, @_) == 0 }
sub screen {
    my ($flags) = @_;
    my @flags = $flags ? ($flags) : ();
    open(my $p, '-|', $tmux, '-S', $socket, 'capture-pane', '-p', @flags, '-t', 'x') or die;
    local $/;
    my $text = <$p> // '';
    close $p;
    return $text;
}

sub stop { system("$tmux -S $socket kill-server 2>/dev/null") }
END { local $?; stop() if $started }

# A shell in a terminal of that size; its variables first.
sub start {
    my ($columns, $rows, %env) = @_;
    stop() if $started;
    $socket = "$dir/tmux" . ++$started; # a server takes its time to go
    my %all = (HOME => "$dir/home", LC_ALL => 'C', PS1 => '$ ', TERM => 'screen', %env);
    local @ENV{qw(TMUX NO_COLOR)};
    delete @ENV{qw(TMUX NO_COLOR XDG_CONFIG_HOME XDG_STATE_HOME)};
    my @set = map { "$_='$all{$_}'" } sort keys %all;
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'x', '-x', $columns, '-y', $rows, "env @set sh -i");
    ok(wait_for(qr/^\$/), 'a shell is there');
}

# Waits until the screen matches.
sub wait_for {
    my ($want) = @_;
    my $end = time + $patience;
    while (time < $end) {
        return 1 if screen() =~ $want;
        sleep 0.03;
    }
    diag("waited for $want on\n" . screen());
    return 0;
}
# Escape and a key that comes at once behind it are one key.
sub keys_ { for my $key (@_) { tmux('send-keys', '-t', 'x', $key); sleep 0.2 if $key eq 'Escape' } }
sub type { my ($text) = @_; tmux('send-keys', '-t', 'x', '-l', $text) }
sub line { type($_[0]); keys_('Enter') }
sub sees { my ($want, $name) = @_; ok(wait_for($want), $name) }

sub slurp { open(my $f, '<', $_[0]) or return "no $_[0]"; local $/; <$f> }
sub spill { my ($name, $text) = @_; open(my $f, '>', $name) or die "$name: $!"; print $f $text; close $f }

1;
