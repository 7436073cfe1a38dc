# SPDX-License-Identifier: GPL-3.0-or-later
#
# Files of the user's own that cannot be read (a service, a CI job, sudo -u): every command goes on without them, as if
# there were none, and a warning says once what is left out.  And the program makes no home folder where there is none.
# Root may read everything, so what cannot be read is a link to itself, too.
use v5.36;
use Test::More;
use lib 't/lib';
use File::Temp qw(tempdir);
use Gpudbg;
use Pty;

my $dir = tempdir(CLEANUP => 1);
my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
delete @ENV{qw(XDG_CONFIG_HOME XDG_STATE_HOME)};

# How a folder cannot be read: what makes it so.
my %unread = (
    'a home that is a loop' => sub { symlink "$dir/loop", "$dir/loop" or die; return "$dir/loop" },
    'a .config that is a loop' => sub {
        mkdir "$dir/h1";
        symlink "$dir/h1/.config", "$dir/h1/.config" or die;
        return "$dir/h1";
    },
    'folders of kinds that are loops' => sub {
        mkdir $_ for "$dir/h2", "$dir/h2/.config", "$dir/h2/.config/gpudbg";
        symlink "$dir/h2/.config/gpudbg/$_", "$dir/h2/.config/gpudbg/$_" for qw(registers explain themes keys gpudbgrc);
        return "$dir/h2";
    },
    'a home with a name that is too long' => sub { return "$dir/" . 'x' x 300 },
);
if ($> != 0) {
    $unread{'a home that nobody may enter'} = sub { mkdir "$dir/h3"; chmod 0, "$dir/h3"; return "$dir/h3" };
    $unread{'a folder that nobody may list'} = sub {
        mkdir $_ for "$dir/h4", "$dir/h4/.config", "$dir/h4/.config/gpudbg", "$dir/h4/.config/gpudbg/explain";
        chmod 0, "$dir/h4/.config/gpudbg/explain";
        return "$dir/h4";
    };
}
my @commands = (['explain', 't/data/dumps/golden.txt'], ['reg VGT_GS_MODE'], ['enum EXP_TARGET 0', '--isa', 'gfx7'],
    ['info dump', 't/data/dumps/golden.txt']);

for my $name (sort keys %unread) {
    my $home = $unread{$name}->();
    for my $case (@commands) {
        my ($command, @with) = @$case;
        my ($want, undef, $status) = do { local $ENV{HOME} = "$dir/none"; gpudbg(@with, '-e', $command) };
        local $ENV{HOME} = $home;
        my ($text, $err, $now) = gpudbg(@with, '-e', $command, '-e', $command);
        is $now, $status, "$name: $command goes on";
        is $text, $want x 2, '... with the same result';
        my @said = $err =~ /^(gpudbg: .*: warning: .*goes on without it)$/mg;
        my %once = map { $_ => 1 } @said;
        ok @said == keys %once, '... and what is said is said once' or diag $err;
        like $err, qr/\Q$home\E.*warning/, '... and is said' if $command !~ /info dump/ && $name !~ /nobody may list/;
    }
    my $t = terminal({ HOME => $home }, $gpudbg, '--demo=matmul');
    if ($t) {
        ok sees($t, qr/matmul/) && settles($t, 20), "$name: the screen opens";
        kill TERM => $t->{pid};
        finish($t, 20);
    }
}

# The history of the prompt.
for my $term ('dumb', 'xterm') {
    my $t = terminal({ HOME => "$dir/nobody", TERM => $term }, $gpudbg) or last;
    settles($t, 20);
    type_($t, ($term eq 'xterm' ? ':' : '') . "print 1\n");
    settles($t, 20);
    type_($t, ($term eq 'xterm' ? ':' : '') . "quit\n");
    finish($t, 20);
    ok !-e "$dir/nobody", "TERM=$term: a home that does not exist is not made";
    mkdir "$dir/somebody";
    $t = terminal({ HOME => "$dir/somebody", TERM => $term }, $gpudbg);
    settles($t, 20);
    type_($t, ($term eq 'xterm' ? ':' : '') . "print 1\n");
    settles($t, 20);
    type_($t, ($term eq 'xterm' ? ':' : '') . "quit\n");
    finish($t, 20);
    ok -s "$dir/somebody/.local/state/gpudbg/history", '... and in one that does the history is kept';
    system 'rm', '-rf', "$dir/somebody";
}
done_testing;
