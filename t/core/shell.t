#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs of the user's and what gdb's users type: shell, pipe, cd, alias, with, set logging, set listsize, enable
# once; who may run programs, and who may not.  What programs print is compared with the shell's own work.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd qw(abs_path getcwd);
use File::Temp 'tempdir';
use Gpudbg;
use JSON::PP;
use Kernels;
use POSIX 'mkfifo';
use Test::More;

my $dir = abs_path(tempdir(CLEANUP => 1));
my $data = abs_path($ENV{GPUDBG_DATA} // 'share');
$ENV{SHELL} = '/bin/sh';
my $demo = '--demo=collatz';

sub prints ($wanted, $what, @lines) {
    my ($text, $errors, $status) = gpudbg(commands(@lines));
    is $text, $wanted, $what;
    is "$errors$status", '0', '... without an error';
}
sub refused ($wanted, $what, @lines) {
    my ($text, $errors, $status) = gpudbg(commands(@lines));
    like $errors, $wanted, $what;
    is $status, 1, '... and the status says so';
    return $text;
}

# ---- shell ----

prints("7\n", 'shell', 'shell echo $((3 + 4))');
prints("a  b\n", 'the line is the shell\'s, as it was typed', q{shell echo "a  b" # | ; not gpudbg's});
prints("hi\nyou\n", '!', '!echo hi', '! echo you');
prints("\$1 = 3\n\$2 = 0\n\$3 = 0\n", 'how it went', 'shell exit 3', 'print $_shell_exitcode',
    'print $_shell_exitsignal',
    'shell true', 'print $_shell_exitcode');
prints("the program was ended by signal 9 (Killed)\n\$1 = 9\n", 'a signal', 'shell kill -9 $$',
    'print $_shell_exitsignal');
prints("\$1 = 1\nx\n\$2 = 2\n", 'results and programs print in their order', 'print 1', 'shell echo x', 'print 2');
refused(qr/a command is missing/, 'no command, where nobody could type', 'shell');
{
    # What a program reads is not the commands that follow.
    Kernels::write_file("$dir/lines", "shell cat\nprint 5\n");
    local $Gpudbg::input = "$dir/lines";
    my ($text) = gpudbg('-e', '-');
    is $text, "\$1 = 5\n", 'a program does not read the lines that follow';
}
{
    my @records = records(commands('shell printf "a\nb\377"', 'shell true'));
    is_deeply [map { [$_->{type}, $_->{text}] } @records], [['text', "a\nb\\xff"]],
        'with --json what it prints is a record';
    @records = records(commands('shell yes', 'shell echo still'));
    is_deeply [map { $_->{kind} // () } @records], ['too-large'], '... of a size that is bounded';
    is $records[-1]{text}, "still\n", '... and the session goes on';
}
{
    my ($text) = gpudbg(commands('shell yes | head -1', 'shell trap'));
    is $text, "y\n", 'signals that gpudbg ignores end programs';
}

# ---- pipe ----

prints("     1\t\$1 = 5\n", 'pipe', 'pipe print 5 | cat -n');
prints("2\n2\n", '|, which needs no blank', '| help errors | head -2 | wc -l', '|help errors | head -2 | wc -l');
prints("\$1 = 3\n", 'another delimiter', 'pipe -d @@ print 1 | 2 @@ cat');
prints("1\n", 'a reader that leaves early ends the command', 'pipe help | head -1 | wc -l', );
is scalar(refused(qr/^gpudbg: -e: no buffer/, 'a command that fails', 'pipe print nowhere | cat', 'print 1')),
    "\$1 = 1\n",
    '... is the only one';
refused(qr/no "\|" before a program/, 'no bar', 'pipe print 1');
refused(qr/a program is missing/, 'no program', 'pipe print 1 |');
refused(qr/a command is missing/, 'no command', 'pipe | cat');
refused(qr/pipe: if 1 +takes lines/, 'a block', 'pipe if 1 | cat', 'print 1');
{
    my @records = records(commands('pipe info isa | head -1'));
    is scalar @records, 1, 'with --json one record';
    is decode_json($records[0]{text})->{type}, 'isa', '... and the program reads records';
    my $big = (gpudbg(commands('pipe disassemble | md5sum'), 'share/demo/matmul.co'))[0];
    my $whole = (gpudbg(commands('disassemble'), 'share/demo/matmul.co'))[0];
    Kernels::write_file("$dir/whole", $whole);
    is $big, qx(md5sum < $dir/whole), 'all of it goes through';
}

# ---- Who may not ----

my $off = refused(qr/shell: `set shell off`.*\n.*pipe: `set shell off`.*\n.*switched off for the rest.*\n.*shell: `set/,
    'set shell off', 'set shell off', 'shell echo a', 'pipe print 1 | cat', 'set shell on', '!echo b');
is $off, '', '... holds';
refused(qr/cannot be set for a while/, '... also against with', 'with shell on -- shell echo a');
{
    # A demo is data: what it defines is, too, and whatever runs it later.
    my $other = "$dir/data";
    system "cp -r '$data' '$other'" and die;
    my @lines = ('shell touch DIR/1', 'pipe print 1 | touch DIR/2', '!touch DIR/3', "cd /", 'set logging file DIR/4',
        'set logging on', 'alias innocent = shell touch DIR/5', 'define kind', 'shell touch DIR/6', 'end',
        'alias friendly = kind', 'with width 3 -- shell touch DIR/7', 'if 1', 'shell touch DIR/8', 'end');
    Kernels::write_file("$other/demo/collatz.gdb", join '', map { s/DIR/$dir/r . "\n" } @lines);
    local $ENV{GPUDBG_DATA} = $other;
    my ($text, $errors) = gpudbg($demo, commands('innocent', 'kind', 'friendly', 'shell echo mine'));
    is_deeply [grep { -e "$dir/$_" } 1 .. 8], [], 'a demo runs no program, and writes no log';
    like $errors, qr/shell: it writes files, loads code or runs programs, which keys and demos may not/,
        '... and says why';
    my ($rest) = gpudbg(commands('shell echo mine'));
    is $rest, "mine\n", '... but I do';
    my @own = grep { /demo.*only you may/ } split /\n/, (gpudbg($demo, '-e', 'pwd'))[1];
    cmp_ok scalar @own, '>=', 1, '... a line of the demo is named';
}

{
    # Nor does the debug adapter, whose lines may come from a socket.
    my @requests = (['initialize', { adapterID => 'gpudbg' }],
        ['launch', { program => abs_path('share/demo/collatz.co') }],
        map({ ['evaluate', { context => 'repl', expression => $_ }] } "shell touch $dir/9", "!touch $dir/9",
            "set shell on", "pipe print 1 | touch $dir/9"), ['disconnect', {}]);
    my ($n, $bytes) = (0, '');
    for my $request (@requests) {
        my ($command, $arguments) = @$request;
        my $body = encode_json({ seq => ++$n, type => 'request', command => $command, arguments => $arguments });
        $bytes .= 'Content-Length: ' . length($body) . "\r\n\r\n$body";
    }
    Kernels::write_file("$dir/requests", $bytes);
    local $Gpudbg::input = "$dir/requests";
    my ($said) = Gpudbg::run('--dap');
    my @refused = $said =~ /(?:editor's session, forbids programs|switched off for the rest of this run)/g;
    cmp_ok scalar @refused, '>=', 4, 'the debug adapter refuses programs';
    ok !-e "$dir/9", '... and runs none';
}

# ---- cd, pwd ----

prints("$dir\n$dir\n", 'cd and pwd', "cd $dir", 'pwd');
{
    local $ENV{HOME} = $dir;
    prints("$dir\n$dir\n", 'home', 'cd', 'cd ~');
}
refused(qr{gpudbg: -e: /nonexistent: No such file}, 'no such folder', 'cd /nonexistent');
{
    local $ENV{GPUDBG_DATA} = 'share'; # as it was named, from here
    my ($text, $errors) = gpudbg(commands("cd $dir", 'reg VGT_GS_MODE', 'help places'));
    is $errors, '', 'the data folder stays where it was';
}

# ---- alias, with, complete ----

prints("\$1 = 0xff\n\$2 = 0x10\n", 'alias', 'alias px = print /x', 'px 255', 'alias again = px', 'again 16');
prints("\$1 = 0xa\n", '... with a format', 'alias show-it = print', 'show-it/x 10');
refused(qr/"px" is a command already/, 'a name that is taken', 'alias px = print', 'alias px = echo');
refused(qr/"print" is a command already/, '... by a command', 'alias print = echo');
refused(qr/unknown command "nothing"/, 'a command that does not exist', 'alias a1 = nothing');
refused(qr/if takes lines/, '... or takes lines', 'alias when = if');
refused(qr/is an alias of `print`/, 'define does not replace it', 'alias pp = print', 'define pp', 'end');
refused(qr/`= COMMAND` is missing/, 'half of it', 'alias pp');
like((gpudbg(commands('alias px = print /x', 'help px')))[0], qr/an alias of `print \/x`/, 'help knows it');
prints("watchpoints\nwaves\n", 'complete', 'complete info wa');
prints("ab", 'dont-repeat, as gdb\'s scripts have it', 'define ff', 'dont-repeat', 'echo a', 'end', 'ff', 'echo b');
{
    my ($text, $errors) = gpudbg($demo, commands('with width 20 -- info waves', 'show width'));
    is scalar(grep { length > 20 } grep { /^.   \s*\d+  uns/ } split /\n/, $text), 0, 'with sets it';
    like $text, qr/^width +0 /m, '... for one command';
    refused(qr/no setting "nothing"/, 'no such setting', 'with nothing 3 -- print 1');
    refused(qr/`-- COMMAND` is missing/, 'no command', 'with width 3 print 1');
}

# ---- set logging ----

sub log_of (@lines) {
    unlink "$dir/log";
    my ($text, $errors) = gpudbg(commands("set logging file $dir/log", @lines));
    return ($text, -e "$dir/log" ? Kernels::read_file("$dir/log") : undef, $errors);
}
{
    my ($text, $log) = log_of('print 1', 'set logging on', 'print 2', 'print nowhere', 'set logging off', 'print 3');
    is $text, "\$1 = 1\n\$2 = 2\n\$3 = 3\n", 'logging leaves the output alone';
    like $log, qr/\A\$2 = 2\ngpudbg: -e: no buffer.*nowhere.*\n\z/, '... and the file has results and errors';
    ($text, $log) = log_of('set logging redirect on', 'set logging enabled on', 'print 1', 'set logging off',
        'print 2');
    is $text, "\$2 = 2\n", 'redirect';
    is $log, "\$1 = 1\n", '... to the file alone';
    gpudbg(commands("set logging file $dir/log", 'set logging on', 'print 7'));
    is Kernels::read_file("$dir/log"), "\$1 = 1\n\$1 = 7\n", 'it is added to';
    gpudbg(commands("set logging file $dir/log", 'set logging overwrite on', 'set logging on', 'print 8'));
    is Kernels::read_file("$dir/log"), "\$1 = 8\n", '... unless overwrite is on';
    Kernels::write_file("$dir/script", "set logging on\nprint 1\nprint nowhere\nset logging off\nprint 2\n");
    ($text, $log) = log_of("source $dir/script");
    like $log, qr/\A\$1 = 1\ngpudbg: \S+script:3: .*nowhere.*\n\z/, 'within a script';
    my @records = records(commands("set logging file $dir/json", 'set logging on', 'print 1', 'print nowhere'));
    is_deeply [map { decode_json($_) } split /\n/, Kernels::read_file("$dir/json")], \@records, 'records, with --json';
    (undef, undef, my $errors) = log_of('set logging on', 'set logging on', 'set logging file other',
        'set logging maybe');
    like $errors, qr/is on already.*\n.*is on; `set.*\n.*"maybe": on, off, file/, 'what cannot be set';
    $errors = (gpudbg(commands('set logging file /dev/full', 'set logging on', 'print 1', 'print 2')))[1];
    like $errors, qr/\Agpudbg: -e: the log: No space left on device; logging is off now\n\z/,
        'a full disk is said once';
    like((gpudbg(commands("set logging file $dir", 'set logging on')))[1], qr/\Q$dir\E: Is a directory/,
        'a folder is no log');
    ($text, $log) = log_of('set logging on', 'pipe print 1 | cat', 'print 2');
    is $log, "\$2 = 2\n", 'what goes to a program does not go to the log';
}

# ---- What gdb's users type ----

{
    my ($text) = gpudbg($demo, commands('set listsize 3', 'list 6', 'f'));
    like $text, qr/^ +5  .*\n>? +6  .*\n +7  .*\n#0/m, 'set listsize, and f';
    ($text) = gpudbg($demo, commands('hbreak collatz+0x60', 'enable once 1', 'continue', 'info breakpoints',
        'continue'));
    like $text, qr/Breakpoint 1, wave 0.*^1  breakpoint  off .* 1 .*^Done/ms, 'enable once';
    ($text) = gpudbg($demo, commands('break collatz+0x60', 'enable delete 1', 'continue', 'info breakpoints',
        'continue'));
    like $text, qr/Breakpoint 1, wave 0.*^no breakpoints\nDone/ms, 'enable delete';
    refused(qr/a breakpoint's number is missing/, 'enable once, of nothing', 'enable once');
    refused(qr/"attach" is a command of gdb, not of gpudbg: .*`launch`/, 'a command of gdb names ours', 'attach 1');
    refused(qr/unknown command "frobnicate"/, '... others do not', 'frobnicate');
    prints("setting     value  what it does\n"
            . "pagination  off    on the screen, show text that is longer than the prompt pane in a pager\n",
        'set pagination', 'set pagination off', 'show pagination');
}

# ---- Ctrl-C ends a program that was started where there is no terminal ----

{
    mkfifo("$dir/fifo", 0600) or die;
    my $pid = fork // die;
    if (!$pid) {
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', "$dir/said";
        open STDERR, '>&', \*STDOUT;
        exec Gpudbg::program(), '--batch', commands("shell echo started >$dir/fifo; sleep 600", 'print 1');
    }
    open my $started, '<', "$dir/fifo" or die;
    readline $started;
    my $before = time;
    kill INT => $pid;
    is waitpid($pid, 0), $pid, 'Ctrl-C ends the program';
    cmp_ok time - $before, '<', 300, '... at once';
    like Kernels::read_file("$dir/said"), qr/interrupted\n/, '... gpudbg says so';
    like Kernels::read_file("$dir/said"), qr/^\$1 = 1$/m, '... and goes on';
}
done_testing;
