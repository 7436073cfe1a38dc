#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The sessions of the manual are real.  In each `.. code-block:: console` of share/doc/manual/*.rst, a line `$ COMMAND`
# is run by a
# shell in a folder of the chapter's own, and what it prints is what the block shows.  After `$ gpudbg ...` lines
# `(gpudbg) COMMAND`
# are typed into that session.  A line `...` stands for any lines.  GPUDBG_UPDATE_MANUAL=1 writes what the commands
# print into
# the chapters, but for outputs with `...`: read the difference.
use strict;
use warnings;
use Cwd qw(abs_path getcwd);
use File::Basename qw(basename dirname);
use File::Glob ':bsd_glob'; # a blank in a path is part of it
use File::Temp qw(tempdir);
use Files qw(slurp);
use Test::More;

my $top = getcwd();
my $program = abs_path($ENV{GPUDBG} // 'build/gpudbg');
my $share = abs_path($ENV{GPUDBG_DATA} // 'share');
my $home = tempdir(CLEANUP => 1);
# What only tests set is not there: chapters are typed by users.
delete @ENV{qw(XDG_CONFIG_HOME NO_COLOR MAKEFLAGS GPUDBG GPUDBG_DATA)};
@ENV{qw(HOME LC_ALL COLUMNS)} = ($home, 'C.UTF-8', 80);
$ENV{PATH} = dirname($program) . ":$ENV{PATH}";

sub quoted { my ($w) = @_; return "'" . $w =~ s/'/'\\''/gr . "'" }
sub shell { my ($line) = @_; my $said = `exec 2>&1; $line`; $said =~ s/\n\z//; return [split /\n/, $said, -1] }

# Outputs of one block: the shell's line, then each command of its session.
sub outputs {
    my ($line, @typed) = @_;
    return shell($line) unless @typed;
    my $mark = '@@@';
    my $said = shell(join ' ', $line, '--batch', map { ('-e', quoted("echo $mark\\n"), '-e', quoted($_)) } @typed);
    my @part = ([]);
    for (@$said) { $_ eq $mark ? push(@part, []) : push @{ $part[-1] }, $_ }
    return @part;
}

# Does the output fit what the block shows, `...` being any lines?
sub fits {
    my ($got, $shown) = @_;
    my $pattern = join '', map { $_ eq '...' ? '(?:.*\n)*?' : quotemeta($_) . '\n' } @$shown;
    return join('', map { s/ +\z//r . "\n" } @$got) =~ /\A$pattern\z/;
}

sub check_block {
    my ($lines, $where) = @_; # of a block, without their indent; returns them as they should be
    my @new;
    while (@$lines) {
        my $first = shift @$lines;
        $first =~ /^\$ (.*)/ or do { fail("$where: not a command: $first"); return };
        my $command = $1;
        $command .= "\n" . shift @$lines while @$lines && ($command =~ /\\\z/ || $command =~ /<<'(\w+)'/
            && $command !~ /\n$1\z/);
        my @shown = ([]);
        my @typed;
        while (@$lines && $lines->[0] !~ /^\$ /) {
            my $next = shift @$lines;
            # A picture of the screen holds lines of its prompt.
            $next =~ /^\(gpudbg\) (.*)/ && $command !~ /-e screenshot$/
                ? (push(@typed, $1), push @shown, []) : push @{ $shown[-1] }, $next;
        }
        my @got = outputs($command, @typed);
        my @names = ("\$ $command", map { "(gpudbg) $_" } @typed);
        for my $i (0 .. $#names) {
            push @new, split(/\n/, $names[$i]);
            my $fits = fits($got[$i] // [], $shown[$i]);
            push @new, !$fits && $ENV{GPUDBG_UPDATE_MANUAL} && !grep({ $_ eq '...' } @{ $shown[$i] }) ? map {
                s/ +\z//r } @{ $got[$i] // [] } : @{ $shown[$i] };
            ok($fits, "$where: $names[$i]") or diag "shown:\n", map({ "  $_\n" } @{ $shown[$i] }), "printed:\n", map {
                "  $_\n" } @{ $got[$i] // [] };
        }
    }
    return @new;
}

for my $chapter (sort glob "$share/doc/manual/*.rst") {
    my $name = basename($chapter);
    my @lines = split /\n/, slurp($chapter);
    my @new;
    my $folder = tempdir(CLEANUP => 1);
    chdir $folder or die;
    while (@lines) {
        my $line = shift @lines;
        push @new, $line;
        next unless $line =~ /^\.\. code-block:: console/;
        push @new, shift @lines while @lines && $lines[0] eq '';
        my @block;
        push @block, shift @lines while @lines && $lines[0] =~ /^(?:   |$)/;
        my $after = 0;
        pop(@block), $after++ while @block && $block[-1] eq '';
        push @new, (map { $_ eq '' ? '' : "   $_" } check_block([map { s/^   //r } @block], $name)), ('') x $after;
    }
    chdir $top or die;
    next unless $ENV{GPUDBG_UPDATE_MANUAL};
    open my $f, '>:raw', $chapter or die "$chapter: $!";
    print $f map { "$_\n" } @new;
    close $f or die;
}
# The pictures of the README are what the program draws.
for my $ground (qw(dark light)) {
    my $drawn = tempdir(CLEANUP => 1);
    is(system('sh', "$share/doc/manual/pictures.sh", $program, $drawn, $ground), 0, "pictures are drawn, $ground");
    for my $name (qw(matmul hang)) {
        my ($want, $kept) = (slurp("$drawn/$name.svg"), "$share/doc/pictures/$name-$ground.svg");
        if ($ENV{GPUDBG_UPDATE_MANUAL}) {
            open my $f, '>:raw', $kept or die "$kept: $!";
            print $f $want;
            close $f or die;
        }
        ok(slurp($kept) eq $want, "$kept shows what the program draws (GPUDBG_UPDATE_MANUAL=1 draws it anew)");
    }
}
done_testing;
