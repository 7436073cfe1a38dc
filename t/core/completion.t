#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion in shells: a command behind -e is completed by the program itself, for the file that is named.
use strict;
use warnings;
use Test::More;
use Cwd qw(abs_path getcwd);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);

my $top = getcwd;
my $program = abs_path($ENV{GPUDBG} // 'build/gpudbg');
my $folder = tempdir(CLEANUP => 1);
is(system('perl', 'share/scripts/pages.pl', $program, 'January 1', $folder), 0, 'the completions are made');
$ENV{PATH} = dirname($program) . ":$ENV{PATH}";
symlink $program, "$folder/gpudbg";
$ENV{PATH} = "$folder:$ENV{PATH}";
$ENV{GPUDBG_DATA} //= "$top/share";

sub shell_has { my ($name) = @_; return grep { -x "$_/$name" } split /:/, $ENV{PATH} }
sub script {
    my ($name, $text) = @_;
    open my $f, '>', "$folder/$name" or die;
    print $f $text;
    close $f;
    return "$folder/$name";
}

SKIP: {
    skip 'no bash', 4 unless shell_has('bash');
    my $script = script('t.bash', <<'B');
source "$1"
cd share/demo
t() { COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=(); _gpudbg; printf '<%s>' "${COMPREPLY[@]}"; echo; }
t gpudbg collatz.co -e "'info wav"
t gpudbg collatz.co -ex inf
t gpudbg collatz.co -e "'print \$exe"
t gpudbg --isa gfx7-
B
    my @said = split /\n/, `bash $script $folder/gpudbg.bash 2>&1`;
    is($said[0], '<info waves>', 'bash: the subject of info');
    is($said[1], '<info>', 'bash: a command, after -ex');
    is($said[2], '<print $exec>', 'bash: a register');
    is($said[3], '<gfx7-pro>', 'bash: the value of an option, as before');
}
SKIP: {
    skip 'no fish', 2 unless shell_has('fish');
    my $script = script('t.fish', <<'F');
source $argv[1]
cd share/demo
complete -C "gpudbg collatz.co -e 'info wav"
complete -C "gpudbg collatz.co -e inf"
F
    my @said = split /\n/, `HOME=$folder fish $script $folder/gpudbg.fish 2>&1`;
    like($said[0], qr/^info waves\b/, 'fish: the subject of info');
    like($said[1], qr/^info\b/, 'fish: a command');
}
SKIP: {
    skip 'no zsh', 1 unless shell_has('zsh');
    is(system('zsh', '-n', "$folder/_gpudbg"), 0, 'zsh: the function is read');
}
done_testing;
