#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Every allocation and every system call of every journey (t/lib/Journeys.pm) fails once.  Whatever fails, the program
# does not crash or hang; it does all that it was asked for, or says in a line that it did not, with an exit status that
# is not 0; it shows nothing that it would not show otherwise; what it saves is there whole, or the file is what it was;
# it frees what it took; the terminal is as it was.
#
# `make check` tries some of them, and one in GPUDBG_SAMPLE of those; INJECT=all tries all (.ci/nightly), INJECT=JOURNEY
# all of that one.  INJECT=JOURNEY,KIND,N tries one and prints what came of it.
use v5.36;
use Cwd qw(realpath);
use Errno qw(EINTR EIO ENOMEM ENOSPC EMFILE EACCES EOPNOTSUPP);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use POSIX qw(WNOHANG);
use Test::More;
use Time::HiRes qw(sleep time);
use lib "$FindBin::Bin/../lib";
use Journeys;
use Pty;

chdir "$FindBin::Bin/../.." or die;
my $build = realpath($ENV{BUILD} // 'build');
my $program = realpath($ENV{GPUDBG} // 'build/gpudbg');
my ($built, $calls) = map { "$build/t/inject/$_" } qw(memory.so calls);
plan skip_all => "$built is not built (make check builds it)" unless -e $built && -x $calls;
plan skip_all => 'not with sanitizers, which have their own malloc' if `nm -D $program 2>/dev/null` =~ /__[au]san_/;
my $dir = realpath(tempdir(CLEANUP => 1));
my $library = "$dir/.memory.so"; # LD_PRELOAD takes no path with blanks
copy($built, $library) or die "$built: $!";
my $wanted = $ENV{INJECT} // '';
my $all = $wanted =~ /^[^,]+$/;
my $old = 'what was there before, and is longer than nothing';
my $most = 20; # seconds

# What fails and how.  Memory: `once`, and `ever`, when nothing comes after it.
my %errors = (read => [EIO, EINTR, 'short'], write => [ENOSPC, EINTR, 'short'], mmap => [ENOMEM],
    open => [EMFILE, EACCES], sync => [EIO],
    rename => [EIO], stat => [EIO], wait => [EINTR, EIO]);

sub slurp ($path) { open my $f, '<:raw', $path or return; local $/; return scalar(<$f>) // '' }
sub spew ($path, $bytes) { open my $f, '>:raw', $path or die "$path: $!"; print $f $bytes; close $f or die }

# Runs it; what came of it: {status} (a number or `signal N` or `hang`), {out}, {err}, {log}.
sub run_batch ($journey, $env, @command) {
    my ($out, $err, $log) = map { "$dir/.$_" } qw(out err log);
    unlink $log;
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        open STDIN, '<', $journey->{input} // '/dev/null';
        open STDOUT, '>', $out;
        open STDERR, '>', $err;
        $ENV{INJECT_LOG} = $log;
        $ENV{HOME} = "$dir/nobody";
        @ENV{ keys %$env } = values %$env;
        exec { $command[0] } @command or POSIX::_exit(127);
    }
    local $SIG{ALRM} = sub { kill 'KILL', $pid };
    my $begin = time;
    alarm $most;
    waitpid $pid, 0;
    my $status = $?;
    alarm 0;
    my $how = time - $begin >= $most - 0.5 && $status & 127 ? 'hang' : $status & 127
        ? 'signal ' . ($status & 127) : $status >> 8;
    $how = 'signal ' . ($how - 128) if $how =~ /^\d+$/ && $how > 128;
    return { status => $how, out => slurp($out), err => slurp($err), log => slurp($log) // '' };
}

sub run_terminal ($journey, $env, @command) {
    my $log = "$dir/.log";
    unlink $log;
    unlink "$journey->{home}/.local/state/gpudbg/history";
    my $t = terminal({ HOME => $journey->{home}, INJECT_LOG => $log, XDG_CONFIG_HOME => '', XDG_STATE_HOME => '',
        TERM => $journey->{term} // 'xterm', %$env }, @command) or return;
    settles($t, $most);
    type_($t, $journey->{keys});
    settles($t, $most);
    type_($t, "quit\r"); # where the prompt did not open, q is a key
    settles($t, $most) and type_($t, "quit\r"); # that could be what failed
    my $status = finish($t, $most) < $most ? $t->{status} : 'hang';
    $status = $status & 127 ? 'signal ' . ($status & 127) : $status >> 8 if $status ne 'hang';
    $status = 'signal ' . ($status - 128) if $status =~ /^\d+$/ && $status > 128;
    return { status => $status, out => '', err => $t->{text}, log => slurp($log) // '',
        terminal => flags($t) == $t->{flags}, text => $t->{text} };
}

sub run ($journey, $env, @before) {
    spew($_, $old) for @{ $journey->{saves} };
    my @command = (@before, $program, @{ $journey->{arguments} });
    my %env = (%$env, @before ? () : (LD_PRELOAD => $library));
    my $r = $journey->{keys} ? run_terminal($journey, \%env, @command) : run_batch($journey, \%env, @command);
    $r->{saved} = { map { $_ => slurp($_) } @{ $journey->{saves} } } if $r;
    return $r;
}

# ---- What must hold ----

# Lines of `part` that are not, in this order, lines of `whole`; the last one may be cut.
sub strange_lines ($part, $whole) {
    my @whole = split /\n/, $whole;
    my @strange;
    my $at = 0;
    my @part = split /\n/, $part, -1;
    my $last = pop @part // '';
    LINE: for my $line (@part) {
        for my $i ($at .. $#whole) { if ($whole[$i] eq $line) { $at = $i + 1; next LINE } }
        push @strange, $line;
    }
    push @strange, $last if length $last && !grep { index($_, $last) == 0 } @whole[$at .. $#whole];
    return @strange;
}

# Whether it says, on either way out, that it had no memory or that a file failed, where it says no such thing
# otherwise.
sub said ($base, $is) {
    my $reason =
        qr/memory|cannot create cache|failed to map|Input\/output error|Too many open files|Permission denied|No (?#
        )space left|Interrupted system call|stopped at a fault/;
    return !!grep { /$reason/ && index($base, $_) < 0 } split /\n/, $is;
}

sub live ($log) { return { $log =~ /^live (\w+) (\d+)$/mg } }

# What is wrong; what: what fails (a write to standard error cannot be reported); base: what comes when nothing does.
sub wrong ($journey, $what, $base, $r) {
    my @wrong;
    my $status = $r->{status};
    if ($status !~ /^\d+$/) {
        push @wrong, 'the terminal is not restored' if $journey->{keys} && $status ne 'hang' && !$r->{terminal};
        return ("it ends with $status", @wrong);
    }
    my $said = said("$base->{out}\n$base->{err}", "$r->{out}\n$r->{err}");
    if ($journey->{keys}) {
        push @wrong, 'the terminal is not restored' unless $r->{terminal};
        # Nobody tells curses that a write did nothing; no terminal's does.
        push @wrong, 'the screen is not given back'
            if $what !~ /^write.*=@{[ENOSPC]}/ && $r->{text} =~ /\e\[\?1049h(?!.*\e\[\?1049l)/s;
    } else {
        my @lines = grep { index($base->{err}, $_) < 0 } split /\n/, $r->{err};
        my $lost = $what =~ /^write/ && $status; # what would be said may be what was not written
        push @wrong, map { "an odd line: $_" } grep { !/^gpudbg: \S.*/ } @lines;
        my @errors = grep { !/^gpudbg: [^:]+: warning: / } @lines; # a folder of the user's is left out
        push @wrong, "status 0 with: $errors[0]" if $status eq '0' && @errors;
        push @wrong, "status $status without a reason" if $status ne $base->{status} && !$said && !$lost;
        push @wrong, 'other results' if $r->{out} ne $base->{out} && !$said && !$lost;
        my $out = join '', grep { !/^\{"type":"error"/ } $r->{out} =~ /(.*\n|.+)/g;
        my @strange = strange_lines($out, $base->{out});
        push @wrong, "it shows: $strange[0]" if @strange && !($said && $what =~ /^(?:once|ever|open|stat|read|mmap)/);
    }
    for my $path (@{ $journey->{saves} }) {
        my ($is, $new) = ($r->{saved}{$path} // '', $base->{saved}{$path} // '');
        # of a run that stopped early, and said so
        my $other = $said && $what !~ /^write/ && (length $is == length $new || $journey->{view});
        push @wrong, "$path is neither old nor new: " . length($is) . ' bytes' if $is ne $old && $is ne $new && !$other;
        push @wrong, "status 0, but $path is not saved"
            if $status eq '0' && $is ne $new && !($said && $journey->{view});
    }
    push @wrong, map { unlink $_; "left: $_" } glob "$dir/*.part";
    if ($r->{log} =~ /^calls/m && $r->{err} !~ /out of memory/ && !$journey->{keys}) {
        my ($was, $is) = (live($base->{log}), live($r->{log}));
        push @wrong, map { "it keeps $is->{$_} blocks of " . ($r->{log} =~ /^frame $_ (.*)/m ? places($1) : $_) }
            grep { !$was->{$_} } sort keys %$is;
    }
    return @wrong;
}

# What is wrong without the faults of libraries, which the program cannot mend: libdw (0.188) forgets its list of units,
# or follows a pointer that it did not get, where its search tree has no memory; libyaml (0.2.5) forgets what it was
# about to put on a stack; libtinfo (6.4) measures its copy of the terminal's name, reads an entry with parameters into
# a buffer, and looks up a name in a table, libncursesw (6.4) finds lines that moved by a table of theirs, all of which
# they did not get; the dynamic loader keeps what it made before it failed.
sub ours ($log, $hash, @wrong) {
    my ($frames) = $log =~ /^frame $hash (.*)/m or return @wrong;
    my %in = map { m{([^/]*?)(?:-[\d.]+)?\.so[^/]*\+0x} ? ($1 => 1) : () } (split / /, $frames)[0 .. 3];
    @wrong = grep { !/^it (?:ends with signal 11|keeps \d+ blocks of (?:libc|libdw)\b)/ } @wrong if $in{libdw};
    @wrong = grep { !/^it ends with signal 11/ } @wrong # strdup in setupterm, tparm, tigetstr, doupdate
        if $frames =~ m{^(?:\S*/libc\.\S+ )?\S*/lib(?:tinfo|ncursesw)\.};
    @wrong = grep { !/^it keeps \d+ blocks of libyaml\b/ } @wrong if $in{libyaml};
    @wrong = grep { !/^it keeps/ } @wrong if grep { /^ld-linux/ } keys %in;
    return @wrong;
}

# "FILE+0xOFFSET ..." as functions.
sub places ($frames) {
    my (%name, @places);
    my @own = map { /^\+(0x\w+)$/ ? sprintf '%#x', hex($1) - 1 : () } split / /, $frames;
    my @said = @own ? `addr2line -f -s -e '$program' @own 2>/dev/null` : ();
    chomp @said;
    return join ' < ', map { /^\+0x/ ? do { my ($function, $line) = splice @said, 0, 2; "$function ($line)" }
        : s{.*/}{}r } split / /, $frames;
}

# Numbers from the list: all, or about that many, at least one, evenly.
my $sample = $ENV{GPUDBG_SAMPLE} // 1;
sub some ($list, $count) {
    $count = int($count / $sample) || 1;
    return @$list if $all || @$list <= $count;
    return map { $list->[ $_ * @$list / $count ] } 0 .. $count - 1;
}

# ---- All of them ----

my @journeys = journeys($dir);
my $alone = $all && $wanted ne 'all';
@journeys = grep { $_->{name} eq $wanted } @journeys or die "no journey $wanted" if $alone;
if (my ($name, $kind, $n) = $wanted =~ /^(.+),(\w+?),(\d+)$/) {
    my ($journey) = grep { $_->{name} eq $name } @journeys or die "no journey $name";
    my %env = (INJECT_LIVE => 1, INJECT_NAMES => 1);
    my $base = run($journey, \%env);
    my $r = $kind =~ /^(?:once|ever)$/
        ? run($journey, { %env, INJECT_FAIL => $n, INJECT_EVER => $kind eq 'ever' ? 1 : 0 })
        : run($journey, {}, $calls, '-p', $library, '-k', $kind =~ s/\d+$//r, '-n', $n,
            '-e', $ENV{INJECT_ERROR} // $errors{$kind}[0]);
    say "status $r->{status}\n--- out\n$r->{out}--- err\n$r->{err}--- wrong";
    say for wrong($journey, $kind, $base, $r);
    exit;
}

my ($tried, $turn) = (0, 0);
for my $journey (@journeys) {
    next if $journey->{keys} && !terminal_works();
    my %live = (INJECT_LIVE => 1, INJECT_SITES => 1, INJECT_NAMES => 1);
    my $base = run($journey, \%live);
    my %count = do { my $l = "$dir/.calls"; run($journey, {}, $calls, '-p', $library, '-l', $l);
        map { /^(\w+) (\d+)$/ ? ($1, $2) : () } split /\n/, slurp($l) // '' };
    my ($total) = $base->{log} =~ /^calls (\d+)/m;
    my @first = sort { $a <=> $b } $base->{log} =~ /^site (\d+)/mg;
    my $slow = $journey->{keys} ? 4 : 1;
    # glibc (2.36) remembers for ever that it could not read a locale, and says that there is no such file.  Then the
    # screen is in ASCII, as where there really is none, and holds the same.
    my $ascii = $journey->{view} && { %$base, map { %$_{qw(out saved)} } run($journey, { LC_ALL => 'C' }) };
    ok $total && @first && !$base->{status} == !$journey->{fails},
        "$journey->{name}: it allocates, and ends as it is to" or diag $base->{err};
    like $base->{text}, $journey->{shows}, '... and shows what was asked for' if $journey->{shows};
    my %found; # what is wrong, and where it was seen first
    my $try = sub ($what, $env, @before) {
        my $r = run($journey, $env, @before);
        $tried++;
        my $as = $ascii && $r->{out} eq $ascii->{out} ? $ascii : $base;
        my @wrong = wrong($journey, $what, $as, $r) or return;
        my ($hash) = $what =~ /^(?:once|ever),(\d+)/ ? $base->{log} =~ /^site $1 (\w+)/m : ();
        @wrong = ours($base->{log}, $hash, @wrong) if $hash;
        my $where = $hash && $base->{log} =~ /^frame $hash (.*)/m ? ' in ' . places($1) : '';
        # Code opens without its lines where there is no memory for them; `info file` says so (t/core/attacks_files.t).
        @wrong = grep { !/^(?:other results|it shows)/ && !($journey->{view} && /\/shot\b/) } @wrong
            if $where =~ /\badd_lines /;
        $found{$_} //= "INJECT='$journey->{name},$what'$where" for @wrong;
    };
    my %noted = $journey->{keys} ? () : %live; # curses keeps what it took
    for my $n ($all ? 1 .. $total : some(\@first, 12 / $slow)) { $try->("once,$n", { %noted, INJECT_FAIL => $n }) }
    for my $n (some(\@first, 4 / $slow)) { $try->("ever,$n", { INJECT_FAIL => $n, INJECT_EVER => 1 }) }
    for my $kind (sort keys %errors) {
        for my $error (@{ $errors{$kind} }) {
            next if $sample > 3 && $turn++ % 3; # another third in each journey
            $try->("$kind,$_ INJECT_ERROR=$error", {}, $calls, '-p', $library, '-k', $kind, '-n', $_, '-e', $error)
                for some([1 .. $count{$kind} // 0], 2 / $slow);
        }
    }
    ok !%found, "$journey->{name}: whatever fails, it ends well" or diag map { "$found{$_}: $_\n" } sort keys %found;
}
# Where the file system has no files without names, the new file has one until it takes its place.
for my $journey (grep { $_->{name} =~ /^save/ } @journeys) {
    my $base = run($journey, {});
    my $r = run($journey, {}, $calls, '-p', $library, '-k', 'unnamed', '-n', 1, '-a', '-e', EOPNOTSUPP);
    is $r->{status}, 0, "$journey->{name}: it works where O_TMPFILE is refused";
    is_deeply $r->{saved}, $base->{saved}, '... and saves the same';
    is_deeply [glob "$dir/*.part"], [], '... and leaves nothing beside it';
}

cmp_ok $tried, '>', $alone ? 0 : 500 / $sample, 'many were tried';
note "$tried failures";
done_testing;

sub terminal_works () {
    my $t = terminal({}, '/bin/true') or return 0;
    finish($t, 5);
    return 1;
}
