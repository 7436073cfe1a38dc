#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What is saved is there whole or not at all, whatever ends the program: kill -9, signals, limits, links; and nothing is
# left beside it.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

my $gpudbg = Gpudbg::program();
my $size = 12 << 20;
my $code = spill("$dir/end.bin", pack 'V', 0xbf810000);
my @open = ('--isa', 'gfx7', '--raw', $code);

sub left { opendir my $d, $_[0] or die; return sort grep { !/^\.\.?$/ } readdir $d }
sub folder { my ($name) = @_; mkdir "$dir/$name" or die; return "$dir/$name" }
sub commands_for {
    my ($path, $times) = @_;
    return commands("launch -g 64 -l 64 buf0=zero:$size", ("save arg buf0 $path") x $times);
}

# Runs saves and ends them by that signal after that time.
sub ended_by {
    my ($signal, $after, @arguments) = @_;
    my $pid = fork // die;
    if (!$pid) {
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
        open STDOUT, '>', '/dev/null';
        open STDERR, '>', '/dev/null';
        exec $gpudbg, '--batch', @arguments or POSIX::_exit(9);
    }
    sleep $after;
    kill $signal, $pid;
    my $sent = time;
    waitpid $pid, 0;
    return ($? & 127, time - $sent);
}

# How long such a run takes up to its first save.
my $began = time;
gpudbg(@open, commands("launch -g 64 -l 64 buf0=zero:$size"));
my $start = time - $began;
my $new = "\0" x $size;

for my $case (['KILL', 'through a link'], ['TERM', 'through a link'], ['KILL', 'straight'], ['INT', 'straight'],
    ['HUP', 'through a link']) {
    my ($signal, $way) = @$case;
    subtest "$signal, $way" => sub {
        my $in = folder("$signal-$way" =~ tr/ /_/r);
        my $old = 'x' x $size;
        my (%seen, $ended);
        for my $i (1 .. 8) {
            spill("$in/target", $old);
            symlink 'target', "$in/first" or 1;
            symlink "$in/first", "$in/second" or 1;
            my ($number) = ended_by($signal, $start * 0.6 + 0.01 * $i, @open,
                commands_for($way eq 'straight' ? "$in/target" : "$in/second", 40));
            $ended++ if $number;
            my $is = slurp("$in/target");
            $seen{ $is eq $old ? 'old' : $is eq $new ? 'new' : 'torn, ' . length $is }++;
        }
        is_deeply([grep { /torn/ } keys %seen], [], 'the file is all old or all new') or diag explain \%seen;
        ok(-l "$in/second" && -l "$in/first", 'links are links still') if $way ne 'straight';
        my @left = grep { !/^(?:target|first|second)$/ } left($in);
        # Between its name and its place the new file has two: SIGKILL may come there, and what is left is whole then.
        @left = grep { slurp("$in/$_") ne $new } @left if $signal eq 'KILL';
        is_deeply(\@left, [], 'nothing is left beside it');
        cmp_ok($ended // 0, '>', 0, 'the signal ended the program') if $signal eq 'TERM' || $signal eq 'KILL';
    };
}

subtest 'a limit for the sizes of files' => sub {
    my $in = folder('limit');
    spill("$in/target", 'what was there');
    symlink 'target', "$in/link";
    for my $path ("$in/target", "$in/link", "$in/none") {
        my $said = `(ulimit -f 8; exec $gpudbg --batch @open -e 'launch -g 64 -l 64 buf0=zero:100000' \\
            -e 'save arg buf0 $path' \\
            -e 'dump memory $path buf0 buf0+50000' -e 'echo still here\\n') 2>&1`;
        is($? >> 8, 1, 'it ends by itself');
        is(scalar(() = $said =~ /File too large/g), 2, 'with an error each');
        like($said, qr/^still here$/m, 'and goes on');
    }
    is(slurp("$in/target"), 'what was there', 'the file is as it was');
    is_deeply([left($in)], ['link', 'target'], 'nothing is left beside it');
    my $il = spill("$in/k.il", "il_cs_2_0\ndcl_num_thread_per_group 64\n" . "mov r0, r1\n" x 4000 . "end\n");
    my $said = `(ulimit -f 8; exec $gpudbg --batch -e 'assemble $il $in/target') 2>&1`;
    like($said, qr/File too large/, 'assemble, too');
    $said = `(ulimit -f 1; exec $gpudbg --batch --screen 200x100 --demo -e 'screenshot $in/target') 2>&1`;
    like($said, qr/File too large/, 'a screenshot, too');
    is(slurp("$in/target"), 'what was there', 'the file is as it was');
    is_deeply([left($in)], [qw(k.il link target)], 'nothing is left beside it');
    $said = `(ulimit -f 8; exec $gpudbg --batch @open -e 'x/1 0' \\
        -e 'help' -e 'help' -e 'help' -e 'help' -e 'help' -e 'help' > $in/text) 2>&1`;
    isnt($? & 127, 25, 'results that are too long do not kill the program');
};

subtest 'links' => sub {
    my $in = folder('links');
    mkdir "$in/sub";
    symlink 'sub/later', "$in/link";
    my ($out, $err) = gpudbg(@open, commands('launch -g 64 -l 64 buf0=hex:01020304', "save arg buf0 $in/link"));
    is(slurp("$in/sub/later"), "\1\2\3\4", 'a link to a file that is not there yet makes it');
    ok(-l "$in/link", '... and stays');
    symlink 'round', "$in/about";
    symlink 'about', "$in/round";
    ($out, $err) = gpudbg(@open, commands('launch -g 64 -l 64 buf0=hex:01020304', "save arg buf0 $in/round"));
    like($err, qr/symbolic links/, 'links that lead to themselves are an error');
    symlink '/dev/full', "$in/full";
    ($out, $err) = gpudbg(@open, commands('launch -g 64 -l 64 buf0=zero:100000', "save arg buf0 $in/full"))
        if -c '/dev/full';
    like($err, qr/No space left/, 'a link to a device is written to it');
    my $long = 'n' x 250;
    ($out, $err) = gpudbg(@open, commands('launch -g 64 -l 64 buf0=hex:05', "save arg buf0 $in/$long"));
    is(slurp("$in/$long"), "\5", 'a name of 250 bytes');
    chmod 0600, "$in/$long";
    gpudbg(@open, commands('launch -g 64 -l 64 buf0=hex:06', "save arg buf0 $in/$long"));
    is(sprintf('%o', (stat "$in/$long")[2] & 0777), '600', 'who may read it stays');
};

# Whoever reads a pipe may be late or slow; the user may have enough of waiting.
subtest 'pipes' => sub {
    my $in = folder('pipes');
    POSIX::mkfifo("$in/pipe", 0600) or die;
    my $slow = sub ($seconds) {
        my $pid = fork // die;
        return $pid if $pid;
        open my $pipe, '<', "$in/pipe" or POSIX::_exit(1);
        sleep $seconds;
        open my $kept, '>:raw', "$in/kept";
        print $kept $_ while sysread $pipe, $_, 1 << 16;
        close $kept;
        POSIX::_exit(0);
    };
    my $bytes = join '', map { pack 'V', $_ * 2654435761 & 0xffffffff } 1 .. 1 << 18;
    my @save = commands("launch -g 64 -l 64 buf0=\@$in/bytes", "save arg buf0 $in/pipe", 'print 40 + 2');
    spill("$in/bytes", $bytes);
    my $reader = $slow->(.3);
    my ($out, $err, $status) = gpudbg(@open, @save);
    waitpid $reader, 0;
    ok(slurp("$in/kept") eq $bytes && $status eq '0', 'all comes to a reader that is slow') or diag($err);
    for my $case (['no reader', 0], ['a reader that does not read', 20]) {
        my ($name, $sleeps) = @$case;
        $reader = $sleeps && $slow->($sleeps);
        my $pid = open(my $said, '-|') // die;
        if (!$pid) {
            open STDERR, '>&', \*STDOUT;
            exec $gpudbg, '--batch', @open, commands('no-such-command'), @save or POSIX::_exit(9);
        }
        my $text = '';
        $text .= <$said> // die 'it said nothing' while $text !~ /no-such-command/; # errors come at once
        sleep 1;
        kill 'INT', $pid;
        my $sent = time;
        $text .= do { local $/; <$said> } // '';
        close $said;
        cmp_ok(time - $sent, '<', 5, "$name: Ctrl-C ends the saving");
        like($text, qr/^gpudbg: -e: \Q$in\E\/pipe: interrupted\n\$1 = 42$/m, '... says so, and the script goes on');
        kill 'KILL', $reader if $reader;
        waitpid $reader, 0 if $reader;
    }
    open my $copied, '-|:raw', "$gpudbg --batch @open -e 'launch -g 64 -l 64 buf0=\@$in/bytes' "
        . "-e 'save arg buf0 /dev/stdout' | cat" or die;
    my $copy = do { local $/; <$copied> };
    close $copied;
    my $at = index($copy, $bytes);
    like($at < 0 ? '' : substr($copy, 0, $at), qr/\Acode: [^\n]+\n(?:[a-z]+: [^\n]+\n)*\z/,
        '/dev/stdout may be a pipe; what was said before comes before');
};

subtest 'what is on the disk' => sub {
    my ($strace) = grep { -x } map { "$_/strace" } split /:/, $ENV{PATH};
    plan skip_all => 'no strace' unless $strace;
    my $in = folder('sync');
    system("$strace -f -o $in/trace $gpudbg --batch @open -e 'launch -g 64 -l 64 buf0=hex:01' "
        . "-e 'save arg buf0 $in/file' >/dev/null 2>&1");
    my $trace = slurp("$in/trace");
    plan skip_all => 'strace may not trace here' unless $trace =~ /rename/;
    like($trace, qr/fsync\(\d+\)\s*= 0.*rename.*fsync\(\d+\)\s*= 0/s, 'the bytes before the name, the folder after it');
};
done_testing;
