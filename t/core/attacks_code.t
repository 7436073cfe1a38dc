#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Data files that would load code or write files: tables of keys, demos, and what they leave behind for later (defined
# commands, commands of breakpoints).  Only the user may, at the prompt, with -e and -x, in the gpudbgrc.  And names of
# files that would be commands, were they pasted into a line.
use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

my $gpudbg = abs_path(Gpudbg::program());
my $share = abs_path("$FindBin::Bin/../../share");
my ($marker, $written, $evil) = ("$dir/owned", "$dir/written", "$dir/evil.so");

sub quiet {
    my ($name) = @_;
    ok(!-e $marker, "$name: no code ran");
    ok(!-e $written, "$name: nothing was written");
    unlink $marker, $written;
}

# A plug-in that says it was there as soon as it is mapped.
spill("$dir/evil.c",
    qq{#include <fcntl.h>\n#include <unistd.h>\n__attribute__((constructor)) static void come(void)\n}
        . qq{{ close(open("$marker", O_CREAT | O_WRONLY, 0600)); }\n});
my $cc = $ENV{CC} // 'cc';
plan skip_all => 'no C compiler' if system("$cc -shared -fPIC -o $evil $dir/evil.c 2>/dev/null") != 0;

# Installed data with one file of ours.
sub data {
    my ($name, $bytes) = @_;
    system('rm', '-rf', "$dir/share") == 0 && system('cp', '-r', $share, "$dir/share") == 0 or die;
    spill("$dir/share/$name", $bytes);
    $ENV{GPUDBG_DATA} = "$dir/share";
}
my $demo = slurp("$share/demo/matmul.gdb");
my @attacks = (
    ['plugin', "plugin $evil"], ['save arg', "save arg 0 $written"], ['dump memory', "dump memory $written c c+16"],
    ['screenshot', "screenshot $written"], ['assemble', "assemble \"$share/demo/il.il\" $written"],
    ['lane apply', "lane apply 0 plugin $evil"], ['wave apply', "wave apply 0 save arg 0 $written"],
    ['sourced', "source $dir/more"], ['abbreviated', "plug $evil"],
    ['of the screen', "key : p l u g i n Space " . join(' ', split //, $evil) . ' Enter'],
);
spill("$dir/more", "plugin $evil\nsave arg 0 $written\n");

subtest 'the attacks are ones: the user may do all of this' => sub {
    data('demo/matmul.gdb', $demo);
    for my $attack (@attacks) {
        my ($name, $line) = @$attack;
        gpudbg('--demo', '--screen', '80x24', '-e', $line);
        ok(-e $marker || -e $written, $name);
        unlink $marker, $written;
    }
    gpudbg('--demo', '-x', "$dir/more");
    ok(-e $marker && -e $written, 'a script named with -x');
    unlink $marker, $written;
    mkdir "$dir/config";
    mkdir "$dir/config/gpudbg";
    spill("$dir/config/gpudbg/gpudbgrc", "plugin $evil\n");
    local @ENV{qw(XDG_CONFIG_HOME TERM)} = ("$dir/config", 'dumb');
    Gpudbg::run('--demo');
    ok(-e $marker, 'the gpudbgrc');
    unlink $marker, $written;
    chmod 0666, "$dir/config/gpudbg/gpudbgrc";
    my (undef, $err) = Gpudbg::run('--demo');
    ok(!-e $marker, '... but not one that everybody may write');
    like($err, qr/gpudbgrc: not read/, '... which is said');
    chmod 0600, "$dir/config/gpudbg/gpudbgrc";
    for my $folder ("$dir/config/gpudbg", "$dir/config") {
        my $before = (stat $folder)[2] & 07777;
        chmod 0777, $folder;
        (undef, $err) = Gpudbg::run('--demo');
        ok(!-e $marker, "... nor one where others may write to $folder");
        like($err, qr/gpudbgrc: not read: others own its folder or may write to it/, '... which is said');
        chmod $before, $folder;
    }
    unlink "$dir/config/gpudbg/gpudbgrc";
    POSIX::mkfifo("$dir/config/gpudbg/gpudbgrc", 0600) or die;
    (undef, $err) = Gpudbg::run('--demo');
    like($err, qr/gpudbgrc: not read: it is not a regular file/, 'a pipe is refused at once');
    unlink "$dir/config/gpudbg/gpudbgrc";
};

subtest 'demos' => sub {
    for my $attack (@attacks) {
        my ($name, $line) = @$attack;
        data('demo/matmul.gdb', "$demo$line\n");
        my ($out, $err, $status) = gpudbg('--screen', '80x24', '--demo', '-e', 'print 6 * 7');
        quiet($name);
        like($out, qr/= 42$/m, '... and the session goes on');
        isnt($status, 0, '... and it is an error') unless $name eq 'of the screen' || $name eq 'screenshot';
        gpudbg('-e', 'demo');
        quiet("$name, by the command");
    }
    data('demo/matmul.gdb', "${demo}plugin $evil\n");
    like((gpudbg('--demo'))[1], qr/matmul\.gdb:2: plugin: .*only you may/, 'the error says who may');
};

subtest 'what a demo leaves for later' => sub {
    for my $attack (@attacks[0 .. 3, 7]) {
        my ($name, $line) = @$attack;
        for my $later (["define innocent\n$line\nend\n", 'innocent'],
            ["break *0x1704\ncommands\n$line\nend\n", 'stepi', 'continue'],
            ["define innocent\nif 1\n$line\nend\nend\n", 'innocent'],
            ["define a\n$line\nend\ndefine innocent\na\nend\n", 'wave apply 0 innocent'],
            ["break *0x1704\ncommands\nsilent\nwhile 1\n$line\nloop_break\nend\nend\n", 'continue']) {
            my ($lines, @then) = @$later;
            data('demo/matmul.gdb', "$demo$lines");
            gpudbg('--screen', '80x24', '--demo', commands(@then));
            quiet("$name in " . $lines =~ s/\n.*//sr);
        }
    }
    data('demo/matmul.gdb', "${demo}define helper\nprint 3\nend\n");
    like((gpudbg('--demo', '-e', 'helper', '-e', "define mine\nhelper\nplugin $evil\nend", '-e', 'mine'))[0],
        qr/= 3.*= 3/s, 'a demo may define commands');
    ok(-e $marker, '... and what the user defines beside them may do all');
    unlink $marker;
};

subtest 'keys' => sub {
    my $keys = slurp("$share/keys/default");
    for my $attack (@attacks) {
        my ($name, $line) = @$attack;
        data('keys/default', $keys =~ s/^s .*$/s  $line/mrg);
        gpudbg('--screen', '80x24', '--demo', commands('key s', 'key i', 'key s'));
        quiet($name);
    }
    my $typed = join ' ', split m{}, $evil;
    my $keys_of_define = "key : d e f i n e Space q q Enter p l u g i n Space $typed Enter e n d Enter";
    data('keys/default', $keys =~ s/^s .*$/s  $keys_of_define/mrg);
    gpudbg('--screen', '80x24', '--demo', commands('key s', 'qq'));
    quiet('a key that defines a command');
    data('keys/default', $keys =~ s/^s .*$/s  stepi/mrg);
    like((gpudbg('--screen', '80x24', '--demo', commands('key s', 'print $pc')))[0], qr/1704/, 'a key may do the rest');
};

my ($tmux) = grep { -x } map { "$_/tmux" } split /:/, $ENV{PATH};
my $socket = "$dir/tmux";
sub tmux { return system($tmux, '-S', $socket, @_) == 0 }
sub seen { return scalar `$tmux -S $socket capture-pane -p -t x` }
sub wait_for {
    my ($want) = @_;
    for (my $end = time + 20; time < $end; sleep 0.05) { return 1 if seen() =~ $want } diag seen();
    return 0;
}
END { local $?; system("$tmux -S $socket kill-server 2>/dev/null") if $tmux && -e $socket }

subtest 'on a terminal: keys of XDG_CONFIG_HOME, and names with quotes' => sub {
    plan skip_all => 'no tmux' unless $tmux;
    delete $ENV{GPUDBG_DATA};
    my $config = "$dir/con\"fig' \\x";
    mkdir $config;
    mkdir "$config/gpudbg";
    spill("$config/gpudbg/keys",
        "[keys]\ns  plugin $evil\ni  key : s a v e Space a r g Space 0 Space @{[join ' ', split m{}, $written]} "
        . "Enter\nu  type plugin $evil\n");
    spill("$config/gpudbg/gpudbgrc", "echo rc was read\\n\n");
    my $script = spill("$dir/a \"quoted\" 'name' \\", "echo script was read\\n\n");
    spill("$dir/env", "export XDG_CONFIG_HOME='" . $config =~ s/'/'\\''/gr
        . "' HOME='$dir' GPUDBG_DATA='$share' TERM=screen PS1='\$ '\nunset XDG_STATE_HOME\n");
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'x', '-x', 100, '-y', 30, "env ENV='$dir/env' sh -i") or die;
    ok(wait_for(qr/^\$/), 'a shell is there');
    tmux('send-keys', '-t', 'x', '-l', "'$gpudbg' --demo -x '" . $script =~ s/'/'\\''/gr . "'");
    tmux('send-keys', '-t', 'x', 'Enter');
    ok(wait_for(qr/^script was read/m), 'a script whose name has quotes is read on the screen');
    ok(wait_for(qr/^rc was read/m), '... and so is a gpudbgrc');
    tmux('send-keys', '-t', 'x', 's');
    ok(wait_for(qr/only you may/), 'a key of the user\'s own table says who may');
    tmux('send-keys', '-t', 'x', 'i');
    sleep 0.5;
    quiet('keys of XDG_CONFIG_HOME');
    tmux('send-keys', '-t', 'x', 'Escape');
    sleep 0.2;
    tmux('send-keys', '-t', 'x', 'u');
    ok(wait_for(qr/^\(gpudbg\) plugin/m), 'a key may fill in the prompt');
    quiet('... which runs nothing');
    tmux('send-keys', '-t', 'x', 'Enter');
    for (my $end = time + 10; time < $end && !-e $marker; sleep 0.05) { }
    ok(-e $marker, '... until the user has seen it and pressed Enter');
    unlink $marker;
    tmux('kill-server');
};

subtest 'a plain prompt, and names with quotes' => sub {
    my $script = spill("$dir/b \"quoted\" 'name' \\", "echo script was read\\n\n");
    local @ENV{qw(TERM HOME)} = ('dumb', $dir);
    my ($out) = Gpudbg::run('-x', $script);
    is($out, "script was read\n", 'it is read');
    ($out) = gpudbg('-x', $script);
    is($out, "script was read\n", '... in a batch');
    ($out) = gpudbg('--screen', '80x24', '-x', $script);
    is($out, "script was read\n", '... of a screen');
};
done_testing;
