# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every limit of `help limits` holds: with a small value something that is just larger is refused, or cut, with a
# message that names the setting; with a larger value, or without a limit, the same is done.  A limit without a case
# here fails.  What comes without end (a device, a pipe) is refused at the limit and takes no more memory than that:
# each program has 4 GB of address space, and the limits are far below.
use v5.36;
use Test::More;
use lib 't/lib';
use Files;
use Gpudbg;
use Pty;

my $program = $ENV{GPUDBG} // 'build/gpudbg';


# (text with errors, status) of a shell's line.
sub shell ($line) {
    my $text = qx(exec 2>&1; ulimit -v 4000000; $line);
    return ($text, $? >> 8);
}

sub batch (@commands) {
    my $line = join ' ', 'timeout 60', $program, '--batch', map { ref $_ ? $$_ : "-e '$_'" } @commands;
    return shell($line);
}

mkdir "$dir/folder";
system 'cp', 'share/demo/matmul.co', "$dir/folder/$_.co" for 1 .. 3;
my $long = spill('long', 'print ' . ('1 + ' x 50) . "1\necho behind\\n\n");
my $block = spill('block', "define f\n" . "print 1\n" x 20 . "end\nf\n");
my $megabyte = spill('megabyte', "\0" x (1 << 20));
my $vadd = \'--demo=matmul';
my $memory = qr/more than 100000 bytes \(set memory-limit\)/;
my @small = ('set memory-limit 100000');

# name => cases [commands with a small limit, what they say, commands that pass, what those say].  undef: no such case.
my %cases = (
    'file-limit' => [[['set file-limit 2', "file $dir/folder"], qr/more than 2 files .*\(set file-limit\)/],
        [['set file-limit 3', "file $dir/folder", 'info folder'], qr/3\.co/]],
    'line-limit' => [[['set line-limit 100', "source $long"], qr/the line: more than 100 bytes \(set line-limit\)/],
        [['set line-limit 1000', "source $long"], qr/= 51\nbehind/]],
    'memory-limit' => [
        map { ([[@$_[0 .. $#$_]], $memory]) } (
            [$vadd, @small, "launch -g 16 -l 16 \@$megabyte zero:1024 zero:1024 4"],
            [$vadd, @small, 'launch -g 16 -l 16 @/dev/zero zero:1024 zero:1024 4'],
            [$vadd, @small, "diff $megabyte"],
            [$vadd, @small, 'diff /dev/zero'],
            [$vadd, @small, 'diff /dev/zero arg 2'],
            [$vadd, @small, "diff $megabyte arg 2"],
            [$vadd, @small, 'diffrun /dev/zero'],
            [$vadd, @small, "diffrun $megabyte"],
            [$vadd, @small, 'find a, +1000, differs /dev/zero'],
            [$vadd, @small, "find a, +1000, differs $megabyte"],
            [$vadd, @small, 'restore /dev/zero binary a'],
            [$vadd, @small, "restore $megabyte binary a"],
            [@small, 'isa gfx7', 'assemble /dev/zero /dev/null'],
            [@small, 'file /dev/zero'],
            [@small, 'load /dev/zero'],
        )],
    'range-limit' => [[[$vadd, 'set range-limit 64', 'x/17xw a'], qr/more than 64 bytes \(set range-limit\)/],
        [[$vadd, 'set range-limit 64', 'x/16xw a'], qr/^buf\S*|^0x|^a/m],
        [[$vadd, 'set range-limit 64', "dump memory $dir/m a a+65"], qr/more than 64 bytes \(set range-limit\)/],
        [[$vadd, 'set range-limit 64', 'x/65s a'], qr/more than 64|\(set range-limit\)/],
        [[$vadd, 'set range-limit 64', 'x/99999999999i $pc'], qr/\(set range-limit\)/],
        [[$vadd, 'set range-limit 65', "dump memory $dir/m a a+65"], qr/65 bytes/],
        [[$vadd, 'set range-limit 0', 'x/300000xw a', 'echo behind\n'], qr/behind/]],
    'row-limit' => [[[$vadd, 'set row-limit 3', 'info waves'], qr/info waves has more than 3 rows \(set row-limit\)/],
        [[$vadd, 'set row-limit 64', 'info waves'], qr/^ +63 /m],
        [[$vadd, 'set row-limit 0', 'info waves'], qr/^ +63 /m],
        [[$vadd, 'set row-limit 63', 'info waves'], qr/\(set row-limit\)/]],
    'script-limit' => [[['set script-limit 19', "source $block"], qr/more than 19 lines \(set script-limit\)/],
        [['set script-limit 20', "source $block"], qr/^\$20 = 1$/m],
        [['set script-limit 0', "source $block"], qr/^\$20 = 1$/m]],
    'step-limit' => [[[$vadd, 'set step-limit 10', 'continue', 'info history'], qr/limit/i],
        [[$vadd, 'set step-limit 0', 'continue'], qr/^Done/m]],
);

for my $name (sort keys %cases) {
    for my $case (@{$cases{$name}}) {
        my ($commands, $want) = @$case;
        my ($text, $status) = batch(@$commands);
        my $said = join '; ', map { ref $_ ? () : $_ } @$commands;
        like $text, $want, "$name: $said";
        unlike $text, qr/out of memory/, '... and memory has not ended';
        isnt $status, 0, '... which is an error' if $want =~ /set \\?\Q$name\E/;
    }
}

# Lines without end: from a device, a pipe, in a block; as text and on a screen.
for my $how ('-x /dev/zero', '-x - </dev/zero', "-e 'source /dev/zero'", '--screen 80x24 -x /dev/zero') {
    my ($text, $status) = shell("$program --batch -x $dir/limit $how") if spill('limit', "set line-limit 1M\n");
    like $text, qr/the line: more than 1 MB \(set line-limit\)/, "$how: a line without end ends";
    is $status, 1, '... with an error';
}
{
    my ($text) = shell("yes 'print 1' | head -100000 | "
            . "timeout 60 $program --batch -e 'set script-limit 1000' -e 'define f' -x - -e 'echo behind'");
    like $text, qr/\A[^\n]*more than 1000 lines \(set script-limit\)\nbehind\z/,
        'a long block is refused once, and its lines are not run';
    unlike $text, qr/\$\d/, '... none of them';
}

# A search without end: it looks at itself again and again.  The limit is a second, and it ends when that is over.
$cases{'time-limit'} = 1;
for my $case ([['set time-limit 1', \"-x $dir/while"], 'a loop'],
    [[\'--demo=collatz', 'set time-limit 1', "echo\n"], undef]) {
    my ($commands, $what) = @$case;
    next if !$what;
    spill('while', "while 1\nset \$x = 1\nend\nset time-limit 0\necho behind\\n\n");
    my ($text, $status) = batch(@$commands);
    like $text, qr/more than 1 second \(set time-limit\)\nbehind|behind\n.*more than 1 second/s, "time-limit: $what";
    is $status, 1, '... which is an error';
    my ($record) = grep { $_->{type} eq 'error' } records(map { ref $_ ? split(/ /, $$_) : ('-e', $_) } @$commands);
    is $record->{kind}, 'limit', '... of kind limit';
}

# More waves than there is memory for what checkers keep of them: a size that the user decides.
my $many = 'launch matmul -g 1048576,1024 -l 1,1 zero:64 zero:64 zero:64 4';
for my $case ([['--demo=matmul', 'check all on', $many, 'echo alive\n'], 'a launch under checkers'],
    [['share/demo/matmul.co', $many, 'check all on', 'echo alive\n'], 'checkers of a launch']) {
    my ($commands, $what) = @$case;
    my ($file, @rest) = @$commands;
    my ($text) = shell(join ' ', "timeout 60 $program --batch", $file, map { "-e '$_'" } @rest);
    like $text, qr/no memory for the checkers' notes on this many waves/, "$what: refused without memory";
    like $text, qr/alive/, '... and everything goes on';
}

# The screen: a terminal of ten thousand times ten thousand cells, and of more than a terminal can have.
$cases{'cell-limit'} = 1;
for my $size ([9999, 9999, 9999, 9999], [65535, 65535, 65535, 65535], [300, 65535, 300, 65535]) {
    local @Pty::size = @$size[0, 1];
    my $t = terminal({ HOME => $dir }, '/bin/sh', '-c', "ulimit -v 1000000; exec $program --demo=matmul");
    SKIP: {
        skip 'no pseudo-terminals', 2 if !$t;
        my $seen = sees($t, qr/the terminal has/, 30);
        like $t->{text}, qr/the terminal has $size->[3]x$size->[2] cells, the screen \d+x\d+ of them/,
            "a terminal of @Pty::size: a part of it is used, which is said";
        kill TERM => $t->{pid};
        cmp_ok finish($t, 20), '<', 20, '... and it ends as always';
    }
}
{
    my $t = terminal({ HOME => $dir, COLUMNS => 99999, LINES => 99999 }, '/bin/sh', '-c',
        "ulimit -v 1000000; exec $program --demo=matmul");
    SKIP: {
        skip 'no pseudo-terminals', 2 if !$t;
        ok sees($t, qr/the terminal has 99999x99999 cells/), 'sizes that the environment names are told as sizes';
        unlike $t->{text}, qr/terminal type/, '... not as an unknown terminal';
        kill TERM => $t->{pid};
        finish($t, 20);
    }
}

# A search that would take half a minute.
my $loop = spill('loop', pack 'V*', 0x80008100, 0xbf82fffe); # s_add_u32 s0, s0, 1; s_branch to it
my @loop = (\"--isa gfx7 --raw $loop", 'launch -g 64 -l 64');
{
    my ($text, $status) = batch(@loop, 'stepi 20000000', 'set threads 1', 'set time-limit 1', 'find-time $s0 == -5',
        'set time-limit 0', 'info history', 'goto 6', 'print $s0', 'echo behind\n');
    like $text, qr/more than 1 second \(set time-limit\)\nposition 20000000 of 20000000 .*^\$1 = 3\nbehind/ms,
        'time-limit: a search ends, and all is where it was';
    is $status, 1, '... which is an error';
}

# What is kept of recorded time: less than that, and every position is still reached.
my %kept;
for my $budget ('64K', '1M', '4M', 0) {
    my ($text, $status) = batch(@loop, "set history-budget $budget", 'stepi 20000000', 'info history', 'goto 12346',
        'print $s0', 'goto 19999999', 'print $s0');
    my ($kept) = $text =~ /checkpoints, \d+ page copies, (\d+) bytes/;
    my %unit = (K => 1 << 10, M => 1 << 20);
    $kept{$budget} = $kept;
    cmp_ok $kept, '<=', $1 * $unit{$2} + 50000, "history-budget $budget: it holds" if $budget =~ /^(\d+)([KM])/;
    like $text, qr/^\$1 = 6173\n.*^\$2 = 10000000\n/ms, "history-budget $budget: every position is reached";
}
cmp_ok $kept{0}, '>', $kept{'4M'}, 'history-budget 0: no limit';
$cases{'history-budget'} = 1;
my @rows = records('-e', 'help limits');
is_deeply [map { $_->{name} } grep { !$cases{$_->{name}} } @rows], [], 'no limit is without a case';
cmp_ok scalar @rows, '>=', 10, '... and there are as many as there should be';
for my $row (@rows) {
    my ($setting) = records('-e', "show $row->{name}");
    is $setting->{doc}, $row->{doc}, "$row->{name}: `show` says the same";
}
done_testing;
