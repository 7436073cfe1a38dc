#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The help of every command and every subject of `info` has an example, and each does what it says: its lines are pasted
# in an empty folder, by a user who has nothing set.
use strict;
use warnings;
use Test::More;
use Cwd qw(abs_path getcwd);
use File::Temp qw(tempdir);
use JSON;

my $gpudbg = abs_path($ENV{GPUDBG} // 'build/gpudbg');
my @clean = grep { !/^(?:PATH|HOME|USER|LANG|TERM)$/ } keys %ENV;
delete @ENV{@clean};

my @help = map { decode_json($_) } `'$gpudbg' --batch --json -e help`;
my @commands = map { $_->{name} } grep { $_->{type} eq 'help' } @help;
push @commands, `'$gpudbg' --batch -e 'help info'` =~ /^  (info [a-z]+)/mg;
my %seen;
@commands = grep { !$seen{$_}++ } @commands;
cmp_ok(scalar @commands, '>', 180, 'there are commands');
for my $command (@commands) {
    my ($page) = map { decode_json($_) } `'$gpudbg' --batch --json -e 'help $command'`;
    my $example = $page->{example};
    next if $command eq 'keys'; # `help keys` lists the keys themselves
    ok($example, "$command: its help has an example") or next;
    my $text = `'$gpudbg' --batch -e 'help $command'`;
    my $last = (split /\n/, $example)[-1];
    like($text, qr/^Example:\n(?:    .*\n)*    \Q$last\E$/m, "$command: and shows it");
    my $folder = tempdir(CLEANUP => 1);
    $ENV{HOME} = $folder;
    open my $f, '>', "$folder/lines" or die;
    print $f "$example\n";
    close $f;
    my $errors = `cd $folder && timeout 60 '$gpudbg' --batch --screen 100x40 -e - <lines 2>&1 >out`;
    is($errors, '', "$command: it works") or diag $example; # `diff` says by its exit status that something differs
    like($last, qr/^(?:\Q$command\E\b|end|[a-z])/, "$command: its last line is a command");
    my $names = $command =~ s/^info .*/info/r;
    $names = 'plugins' if $command eq 'plugin'; # a plug-in is compiled first: gpudbg-plugins(3)
    like($example, qr/\b\Q$names\E\b/, "$command: the example uses it");
}
done_testing;
