#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Where the program finds its data: GPUDBG_DATA, beside itself, then the prefix; never where it was built.  Each copy of
# the data has one sentence of its own in a topic of `help`, so what the program prints says which copy it read.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Pty;
use Test::More;

my $source = abs_path("$FindBin::Bin/../..");
my $built = abs_path(Gpudbg::program());
my $dir = abs_path(tempdir(CLEANUP => 1));
delete @ENV{qw(MAKEFLAGS MAKELEVEL GPUDBG_DATA)};

sub shell { my ($command) = @_; system('sh', '-ec', $command) == 0 or die "$command: $?" }
sub mark { my ($folder, $word) = @_; shell("echo '$word was here.' >>'$folder/help/time'") }

# (the folder that --version names, the words that `help time` has of us).
sub uses {
    my ($program) = @_;
    local $ENV{GPUDBG} = $program;
    my ($said, $errors, $status) = Gpudbg::run('--version');
    my ($first, $second, @more) = split /\n/, $said;
    like($first, qr/^gpudbg \d+\.\d+\.\d+$/, 'the first line is the version');
    is(scalar @more . $errors . $status, '00', '... the second is the last');
    my ($help) = gpudbg(commands('help time'));
    return ($second =~ s/^data: //r, join ' ', $help =~ /^(\w+) was here\.$/mg);
}

# A tree as it is built, copied twice.
for my $name (qw(one two)) {
    shell("mkdir -p '$dir/$name/build'; cp '$built' '$dir/$name/build/gpudbg'; "
        . "cp -r '$source/share' '$dir/$name/share'");
    mark("$dir/$name/share", $name);
}
is_deeply([uses("$dir/$_/build/gpudbg")], ["$dir/$_/share", $_], "a copied tree ($_) uses its own data")
    for qw(one two);
shell("ln -s '$dir/one/build/gpudbg' '$dir/link'");
is_deeply([uses("$dir/link")], ["$dir/one/share", 'one'], '... also through a link');

# Installed from a tree, which is altered afterwards.
shell("cp -r '$source/GNUmakefile' '$source/core' '$dir/one'");
my $log = `make -s -C '$dir/one' BUILD=build PREFIX='$dir/usr' -o build/gpudbg install 2>&1`;
is($?, 0, 'make install') or diag $log;
mark("$dir/one/share", 'later');
is_deeply([uses("$dir/usr/bin/gpudbg")], ["$dir/usr/share/gpudbg", 'one'],
    'an installed program uses what was installed with it');
is_deeply([uses("$dir/one/build/gpudbg")], ["$dir/one/share", 'one later'], '... and the tree what is in the tree');

# GPUDBG_DATA.
{
    local $ENV{GPUDBG_DATA} = "$dir/two/share";
    is_deeply([uses("$dir/usr/bin/gpudbg")], ["$dir/two/share", 'two'], 'GPUDBG_DATA comes before all others');
    $ENV{GPUDBG_DATA} = "$dir/nowhere";
    is_deeply([uses("$dir/usr/bin/gpudbg")], ["$dir/nowhere (not found: it has no keys/default)", ''],
        '... and is named also where it is wrong');
    $ENV{GPUDBG_DATA} = '';
    is_deeply([uses("$dir/usr/bin/gpudbg")], ["$dir/usr/share/gpudbg", 'one'],
        '... and means nothing where it is empty');
}

# What has no keys/default belongs to somebody else.
shell("mkdir -p '$dir/two/share/gpudbg/help'");
is_deeply([uses("$dir/two/build/gpudbg")], ["$dir/two/share", 'two'], 'a folder without keys/default is passed over');
shell("rm '$dir/two/share/keys/default'");
my ($folder, $words) = uses("$dir/two/build/gpudbg");
unlike($folder, qr/^\Q$dir\E/, '... the last is the prefix');
is($words, '', '... and nothing of the tree is read');

# Nobody leaves a screen without keys.
SKIP: {
    my $t = terminal({ GPUDBG_DATA => "$dir/nowhere", HOME => $dir, XDG_CONFIG_HOME => '', XDG_STATE_HOME => '' },
        $built, "$source/share/demo/collatz.co") or skip 'no pseudo-terminals', 4;
    ok settles($t, 20), 'on a terminal, without keys';
    type_($t, "print 6*7\rquit\r");
    cmp_ok finish($t, 20), '<', 20, '... the program is left';
    like $t->{text}, qr{gpudbg: \Q$dir\E/nowhere/keys/default: no such file\r?\n.*= 42\r?\n}s,
        '... it says what is missing, and has a prompt';
    is flags($t), $t->{flags}, '... and the terminal is as it was';
}
done_testing;
