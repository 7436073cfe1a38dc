#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Files of strangers that would hold the program up, fill memory or disk, or end it: names of pipes in debug
# information, tables that unpack to gigabytes, files that become shorter while they are open; work without an end, and
# signals.
use v5.36;
use Compress::Zlib qw(compress memGzip);
use Cwd qw(realpath);
use Fcntl qw(O_RDWR O_NOCTTY);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use IO::Handle;
use JSON::PP ();
use POSIX qw(WNOHANG mkfifo setsid);
use Test::More;
use Time::HiRes qw(sleep time);
use lib "$FindBin::Bin/../lib";
use AmdElf;
use Files qw(slurp spill);
use Gpudbg qw(sampled sampled_from every_case);

my $program = realpath($ENV{GPUDBG} // 'build/gpudbg');
my $demo = "$FindBin::Bin/../../share/demo";
my $dir = realpath(tempdir(CLEANUP => 1));
my $launch = 'launch collatz -g 64 -l 64 zero:256 64';
my $many = 'launch collatz -g 2147483648 -l 64 zero:256 64'; # 33,554,432 waves


# Starts it with its output in a file; before: run in the child.
my $out = "$dir/out";
sub start ($before, @arguments) {
    my $pid = fork // die "fork: $!";
    return $pid if $pid;
    $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP QUIT);    # whatever the tests were started by
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', $out;
    open STDERR, '>&', \*STDOUT;
    $before->() if $before;
    exec $program, @arguments or POSIX::_exit(127);
}

# Waits until it catches SIGINT: on a busy machine that takes longer than any time that one would wait for.
sub listening ($pid) {
    for (1 .. 1000) {
        open my $status, '<', "/proc/$pid/status" or return;
        my $text = join '', <$status>;
        return if $text =~ /^State:\s*Z/m || $text !~ /^SigCgt:\s*\w*(\w)$/m || hex($1) & 2;
        sleep 0.01;
    }
}

# Waits for its end: seconds, and the status, which is 'stuck' where it had to be killed.
sub ended ($pid, $most) {
    my $begin = time;
    while (time - $begin < $most) {
        return (time - $begin, $? & 127 ? 'signal ' . ($? & 127) : $? >> 8) if waitpid($pid, WNOHANG) == $pid;
        sleep 0.01;
    }
    kill 'KILL', $pid;
    waitpid $pid, 0;
    return ($most, 'stuck');
}

# What it says and its status, where it has to end by itself.
sub said ($most, @arguments) {
    my ($seconds, $status) = ended(start(undef, '--batch', @arguments), $most);
    return (slurp($out), $status, $seconds);
}

# Waits until a condition holds.
sub wait_until ($condition) {
    my $end = time + 20;
    while (time < $end) { return 1 if $condition->(); sleep 0.01 }
    return 0;
}

sub state_of ($pid) { my ($state) = slurp("/proc/$pid/stat") =~ /\) (\w)/; return $state }

# ---- Names of source files ----

# A copy of the demo, whose line table names collatz.cl, in a folder of its own.
sub own_folder ($name) { mkdir "$dir/$name" or die; copy("$demo/collatz.co", "$dir/$name/collatz.co") or die;
    return "$dir/$name" }
{
    my $d = own_folder('fifo');
    mkfifo("$d/collatz.cl", 0600) or die;
    for my $command ('list', 'info source', 'disassemble /s', $launch) {
        my ($text, $status) = said(10, '-e', $command, '-e', 'print 77', "$d/collatz.co");
        isnt $status, 'stuck', "$command: a pipe in the place of a source file is not opened";
        like $text, qr/^\$1 = 77$/m, '... and the next command runs';
    }
    my ($text) = said(10, '-e', 'list', "$d/collatz.co");
    like $text, qr/collatz\.cl: the source cannot be read/, '... list says so';
}
{
    my $d = own_folder('linked');
    mkdir "$dir/outside";
    spill("$dir/outside/collatz.cl", "outside\n" x 30);
    symlink "$dir/outside/collatz.cl", "$d/collatz.cl" or die;
    my @file = "$d/collatz.co";
    unlike((said(10, '-e', 'list', @file))[0], qr/outside$/m, 'a link out of the folder of the file is not followed');
    like((said(10, '-e', "directory $dir/outside", '-e', 'list', @file))[0], qr/^>?\s*\d+\s+outside$/m,
        '... but where `directory` allows it');
    like((said(10, '-e', "set source-path $dir/outside", '-e', 'list', @file))[0], qr/^>?\s*\d+\s+outside$/m,
        '... and `set source-path`');
    unlike((said(10, '-e', "directory $dir/outside", '-e', 'directory', '-e', 'list', @file))[0], qr/outside$/m,
        '... until it is emptied');
    like((said(10, '-e', "directory $dir/outside", '-e', 'info source', @file))[0],
        qr{collatz\.cl  \(\Q$dir\E/outside/collatz\.cl\)},
        'info source shows the file that was opened');
    my ($row) = map { JSON::PP::decode_json($_) } (said(10, '--json', '-e', "directory $dir/outside:$d", '-e',
        'show source-path', @file))[0] =~ /^(\{.*)$/m;
    is $row->{value}, "$dir/outside:$d", 'show source-path shows the folders in their order';
    like((said(10, '-e', 'directory /nowhere/at/all', @file))[0], qr{/nowhere/at/all: No such file},
        'directory wants folders that are there');
}
{
    my $d = own_folder('absolute'); # a name with folders, made by hand in the place of the name in the file
    my $bytes = slurp("$d/collatz.co");
    ok $bytes =~ s/\0collatz\.cl\0/\0\/dev\/zero\0\0/g, 'the name can be exchanged';
    spill("$d/collatz.co", $bytes);
    for my $allow ([], ['-e', 'set source-path $cdir']) {
        my ($text, $status) = said(10, @$allow, '-e', 'list', '-e', 'print 77', "$d/collatz.co");
        like $text, qr/^\$1 = 77$/m, "a device is not read as a source (@$allow)";
    }
}
{
    # DWARF may name a second file, which libdw opens by itself.
    my $fifo = "$dir/alt";
    mkfifo($fifo, 0600) or die;
    my $info = pack('VvVCC V', 4 + 2 + 4 + 1 + 1 + 4 - 4 + 0, 4, 0, 8, 1, 0);
    substr($info, 0, 4) = pack('V', length($info) - 4);
    my $abbrev = pack('C*', 1, 0x11, 0, 0x03, 0xa1, 0x3e, 0, 0, 0); # DW_AT_name as DW_FORM_GNU_strp_alt (0x1f21)
    spill("$dir/alt.co", elf(2, ['.text', 1, 6, 0x1000, 0, 0, 0, "\0\0\x81\xbf"], ['.debug_info', 1, 0, 0, 0,
        0, 0, $info],
        ['.debug_abbrev', 1, 0, 0, 0, 0, 0, $abbrev], ['.gnu_debugaltlink', 1, 0, 0, 0, 0, 0, "$fifo\0" . 'x' x 20]));
    my ($text, $status) = said(10, '-e', 'info locals', '-e', 'print 77', "$dir/alt.co");
    isnt $status, 'stuck', 'a second file that debug information names is not opened';
}

# ---- Pipes that the user names ----
{
    spill("$dir/script", "print 5+6\n");
    my ($text) = said(10, '-x', '/dev/null', '-e', 'print 1');
    my $bash = `bash -c '"$program" --batch -x <(echo print 5+6)' 2>&1`;
    like $bash, qr/= 11/, 'a script may come from a pipe';
    my $commands = "-e 'launch collatz -g 64 -l 64 \@/dev/stdin 64' -e 'x/1xw steps'";
    my $buffer = `printf abcd | "$program" --batch $commands "$demo/collatz.co" 2>&1`;
    like $buffer, qr/0x64636261/, 'so may the bytes of a buffer' or diag $buffer;
    my $code = `cat "$demo/collatz.co" | "$program" --batch -e 'info kernels' /dev/stdin 2>&1`;
    like $code, qr/collatz/, 'and a file';
    mkfifo("$dir/silent", 0600) or die;
    for (['a script', 'source %s'], ['a buffer', 'launch collatz -g 64 -l 64 @%s 64'], ['a file', 'file %s'],
        ['a dump', 'file --format log %s']) {
        my ($what, $command) = @$_;
        my $pid = start(undef, '--batch', '-e', sprintf($command, "$dir/silent"), '-e', 'print 77', "$demo/collatz.co");
        listening($pid);
        sleep 0.5;
        kill 'INT', $pid;
        my ($seconds, $status) = ended($pid, 5);
        isnt $status, 'stuck', "the wait for $what that nobody writes ends with Ctrl-C";
        like slurp($out), qr/interrupted.*\n\$1 = 77/, '... and the next command runs';
    }
    for my $signal (qw(TERM HUP)) {
        my $pid = start(undef, '--batch', '-x', "$dir/silent");
        sleep 0.3;
        kill $signal, $pid;
        my ($seconds, $status) = ended($pid, 5);
        like $status, qr/^signal/, "SIG$signal ends it there";
        cmp_ok $seconds, '<', 4, '... soon';
    }
}

# ---- Work without an end ----

chdir $demo or die;
my ($il) = slurp("$demo/il.gdb") =~ /^(launch.*)$/m;
for my $command ('next 0xffffffff', 'step 0xffffffff') {
    my ($text, $status, $seconds) = said(20, '-e', $il, '-e', $command, '-e', 'print 77', 'il.il');
    isnt $status, 'stuck', "$command ends with the wave";
    like $text, qr/ended|Done/, '... and says so';
}
chdir "$FindBin::Bin/../.." or die;
my $which = 0;
for my $command ('info waves', 'info groups', 'wave apply all print 1', 'wave apply all wave apply all print $pc',
    'wave apply active print 1') {
    for my $json (sampled_from($which++, [], ['--json'])) {
        my $pid = start(undef, '--batch', @$json, '-e', $many, '-e', $command, '-e', 'print 77', "$demo/collatz.co");
        listening($pid);
        sleep 0.7;
        my $done = waitpid($pid, WNOHANG) == $pid;
        kill 'INT', $pid unless $done;
        my ($seconds, $status) = $done ? (0, $? >> 8) : ended($pid, 5);
        cmp_ok $seconds, '<', 8, "@$json $command with 33,554,432 waves can be stopped"
            . ($done ? ', or is done at once' : '');
        open my $tail, '-|', 'tail', '-n', '2', $out or die;
        my $last = do { local $/; <$tail> };
        like $last, qr/= 77|"text":"77"/, '... and the next command runs';
        like $last, qr/interrupted/, '... after an error that says it' unless $done;
    }
}
{
    spill("$dir/conditions", "$launch\n" . "break *0x1958 if 0\n" x 4000 . "continue\nprint 77\n");
    my ($text, $status, $seconds) = said(60, '-x', "$dir/conditions", "$demo/collatz.co");
    like $text, qr/^\$1 = 77/m, '4,000 conditions at one place';
    cmp_ok $seconds, '<', 60, '... cost what evaluating them costs';
    spill("$dir/deep", "if 1\n" x 30 . "print 1\n" x 9000 . "end\n" x 30 . "print 77\n");
    ($text, $status, $seconds) = said(60, '-x', "$dir/deep");
    like $text, qr/^\$9001 = 77/m, '9,000 lines in 30 blocks';
    cmp_ok $seconds, '<', 60, '... cost what running them costs';
    spill("$dir/loops", join '', map { "define a$_\n" . ($_ ? 'a' . ($_ - 1) . "\n" : "echo\n") x 5000
        . "end\n" } 0 .. 20);
    my $pid = start(undef, '--batch', '-x', "$dir/loops", '-e', 'a20', '-e', 'print 77');
    sleep 1;
    kill 'INT', $pid;
    ($seconds, $status) = ended($pid, 5);
    isnt $status, 'stuck', '5000 ** 20 lines of defined commands can be stopped';
}

# ---- Long ways through recorded time ----
{
    # A loop of a thousand million instructions; the whole way is run again where history has no checkpoints.
    spill("$dir/loop.bin", pack 'V*', 0xbe8003ff, 0x0fffffff, 0x8100c100, 0xbf018000, 0xbf85fffd, 0x7e000200,
        0xbf810000);
    my @begin = ('--batch', '--raw', '--isa', 'gfx7', '-e', 'set history-budget 1', '-e', 'launch -g 64 -l 64');
    # So long a way that it takes this machine some two seconds: an interrupt is sent after 0.3.
    my $before = time;
    system $program, @begin, '-e', 'stepi 20000000', "$dir/loop.bin";
    my $steps = int(20e6 * 2 / (time - $before + 0.01));
    $steps = $steps > 900e6 ? 900_000_000 : $steps < 2e6 ? 2_000_000 : $steps;
    my $target = $steps - 1_000_000;
    my @loop = (@begin, '-e', "stepi $steps");
    my %ways = ("goto $target" => qr/^Interrupted/m, 'reverse-stepi 1000000' => qr/^Interrupted/m,
        'last-write $v0' => qr/interrupted while looking/, 'info profile' => qr/interrupted/,
        'patch 0x14 v_mov_b32 v0, s1' => qr/interrupted while looking for the first execution/);
    for my $command (sampled(sort keys %ways)) {
        unlink "$dir/begun";
        my $pid = start(undef, @loop, '-e', "shell touch $dir/begun", '-e', $command, '-e', 'info history', '-e',
            'info patches', '-e', 'print 77', "$dir/loop.bin");
        wait_until(sub { -e "$dir/begun" });
        listening($pid);
        sleep 0.3;
        kill 'INT', $pid;
        my ($seconds, $status) = ended($pid, 20);
        my $text = slurp($out);
        like $text, $ways{$command}, "$command can be interrupted";
        cmp_ok $seconds, '<', 10, '... at once';
        like $text, qr/^position $steps of $steps recorded/m, '... and is back where it was';
        unlike $text, qr/v_mov/, '... with nothing changed';
        like $text, qr/^\$\d+ = 77$/m, '... and the next command runs';
    }
    unlink "$dir/begun";
    my $pid = start(undef, @loop, '-e', "shell touch $dir/begun", '-e', "goto $target", "$dir/loop.bin");
    wait_until(sub { -e "$dir/begun" });
    listening($pid);
    sleep 0.3;
    kill 'TERM', $pid;
    my ($seconds, $status) = ended($pid, 20);
    is $status, 'signal 15', 'SIGTERM ends the program on such a way';
    cmp_ok $seconds, '<', 10, '... at once';
}

# ---- Files that change ----
{
    my $big = "$dir/big.bin";
    my $make = sub { spill($big, "\0\0\x80\xbf" x (1 << 20)) }; # s_nop 0: 4 MB, which is mapped
    $make->();
    my @open = ('--batch', '--raw', '--isa', 'gfx7', '-e', 'print 1', '-e', "source $dir/go", '-e', 'x/4xw 0x300000',
        '-e', 'print 77', $big);
    mkfifo("$dir/go", 0600) or die;
    my $pid = start(undef, @open);
    open my $go, '>', "$dir/go" or die; # opens when the program does
    truncate $big, 5000;
    close $go;
    my ($seconds, $status) = ended($pid, 10);
    my $text = slurp($out);
    is $status, 1, 'a file that became shorter is an error of the commands that follow, not SIGBUS' or diag $text;
    like $text, qr/became shorter while it was open/, '... which says what happened';
    $make->();
    $pid = start(undef, '--batch', '--raw', '--isa', 'gfx7', '-e', "source $dir/go", '-e', 'disassemble', '-e',
        "file $demo/collatz.co", '-e', 'print 77', $big);
    open $go, '>', "$dir/go" or die;
    truncate $big, 0;
    close $go;
    ($seconds, $status) = ended($pid, 10);
    like slurp($out), qr/^\$1 = 77/m, 'after another file is opened all is well';
}

# ---- Bombs ----

# A line table of `rows` rows, packed: DW_LNS_copy again and again.
sub line_bomb ($rows) {
    my $tables = "\1\1\1\0\0\0\1\0\0\1\0\0" ;
    my $head = pack('CCCcCC', 4, 1, 1, -5, 14, 13) . pack('C12', 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1) . "\0"
        . "a.cl\0\0\0\0" . "\0";
    my $program = "\0\x09\x02" . pack('Q<', 0x1000) . "\x01" x $rows . "\0\1\1";
    my $line = pack('vV', 4, length $head) . $head . $program;
    $line = pack('V', length $line) . $line;
    my $abbrev = pack('C*', 1, 0x11, 0, 0x10, 0x17, 0x11, 0x01, 0, 0, 0);
    my $info = pack('vVC', 4, 0, 8) . pack('CVQ<', 1, 0, 0x1000);
    $info = pack('V', length $info) . $info;
    my $packed = pack('VVQ<2', 1, 0, length $line, 1) . compress($line, 9); # Elf64_Chdr, ELFCOMPRESS_ZLIB
    return elf(2, ['.text', 1, 6, 0x1000, 0, 0, 0, "\0\0\x81\xbf" x 4], ['.debug_info', 1, 0, 0, 0, 0, 0, $info],
        ['.debug_abbrev', 1, 0, 0, 0, 0, 0, $abbrev], ['.debug_line', 1, 0x800, 0, 0, 0, 0, $packed]);
}
{
    spill("$dir/small.co", line_bomb(100));
    my ($text, $status) = said(10, '-e', 'info source', "$dir/small.co");
    like $text, qr/a\.cl/, 'a line table of 100 rows is read' or diag $text;
    my $bomb = line_bomb(25 << 20);
    cmp_ok length $bomb, '<', 60_000, 'one of 26,214,400 rows is ' . length($bomb) . ' bytes';
    spill("$dir/bomb.co", $bomb);
    my $seconds;
    ($text, $status, $seconds) = said(30, '-e', 'info file', '-e', 'print 77', "$dir/bomb.co");
    cmp_ok $seconds, '<', 20, 'it does not take for ever';
    like $text, qr/line table.*left out.*memory-limit.*^\$1 = 77/ms, '... and says why there are no lines'
        or diag $text;
    spill("$dir/inner.co", line_bomb(5 << 20)); # within the limit, but not within the memory there is
    SKIP: {
    skip 'a sanitizer needs more room than that', 2 if `ldd '$program' 2>&1` =~ /libasan|libclang_rt/;
    my $pid = fork // die;
    if (!$pid) {
        open STDOUT, '>', $out;
        open STDERR, '>&', \*STDOUT;
        exec 'sh', '-c', 'ulimit -v 400000; exec "$0" "$@"', $program, '--batch', '-e', 'print 77', "$dir/inner.co";
    }
    ($seconds, $status) = ended($pid, 30);
    is $status, 0, 'with less memory than that it goes on without lines' or diag slurp($out);
    like slurp($out), qr/^\$1 = 77/m, '... and the command runs';
    }
    ($text, $status) = said(30, '-e', 'set memory-limit 16M', '-e', "file $dir/inner.co", '-e', 'info file',
        "$dir/small.co");
    like $text, qr/left out/, 'set memory-limit is a limit';
}
# A code object whose function give_int returns what `types` says: entries of debug information behind the function's,
# the first of which is the type.  They are at 0x60 of the unit, so that they can name each other.
sub returning ($abbreviations, $types) {
    my $bytes = slurp('t/data/kernels/gfx7/returns-O1-g.co');
    my ($symbol) = grep { $_->{name} eq 'give_int' } map { /^\{/ ? JSON::PP::decode_json($_) : () } split /\n/,
        qx("$program" --batch --json -e 'info symbols' t/data/kernels/gfx7/returns-O1-g.co);
    my ($low, $size) = (hex $symbol->{addr}, $symbol->{size});
    my $abbrev = pack('C*', 1, 0x11, 1, 0x11, 1, 0x12, 7, 0, 0,    # unit: low_pc, high_pc
        2, 0x2e, 0, 3, 8, 0x11, 1, 0x12, 7, 0x49, 0x13, 0, 0)      # function: name, low_pc, high_pc, type
        . $abbreviations . "\0";
    my $unit = pack('CQ<2', 1, $low, $size) . pack('C', 2) . "give_int\0" . pack('Q<2V', $low, $size, 0x60);
    my $info = pack('VvVC', 0, 4, 0, 8) . $unit;
    $info .= "\3" . 'x' x (0x60 - 2 - length $info) . "\0" . $types . "\0";
    substr $info, 0, 4, pack 'V', length($info) - 4;
    my ($at, $count, $names) = (unpack('Q<', substr $bytes, 40, 8), unpack 'v2', substr $bytes, 60, 4);
    my $header = sub ($i) { unpack 'VVQ<4VVQ<2', substr $bytes, $at + 64 * $i, 64 };
    my $strings = ($header->($names))[4];
    for my $i (0 .. $count - 1) {
        my ($name) = unpack 'Z*', substr $bytes, $strings + ($header->($i))[0];
        my $new = $name eq '.debug_info' ? $info : $name eq '.debug_abbrev' ? $abbrev : next;
        substr $bytes, $at + 64 * $i + 24, 16, pack 'Q<2', length $bytes, length $new;
        $bytes .= $new;
    }
    return $bytes;
}
{
    my $padding = pack 'C*', 3, 0x34, 0, 3, 8, 0, 0;          # variable: name
    my $structure = pack 'C*', 4, 0x13, 1, 3, 8, 0x0b, 0x0b, 0, 0,   # structure: name, bytes
        5, 0x0d, 0, 0x49, 0x13, 0x38, 0x0f, 0, 0;             # member: type, place
    my $vector = pack 'C*', 6, 1, 1, 0x87, 0x42, 0x0c, 0x49, 0x13, 0, 0,   # array: vector, type
        7, 0x21, 0, 0x2f, 7, 0, 0,                            # its last index
        8, 0x24, 0, 3, 8, 0x3e, 0x0b, 0x0b, 0x0b, 0, 0;       # base type: name, encoding, bytes
    my $nested = "\4self\0" . pack('C', 64) . pack('CVC', 5, 0x60, 0) x 60 . "\0";
    my $wide = pack('CCV', 6, 1, 0x60 + 6 + 10) . pack('CQ<', 7, 2**62) . "\0" . "\x08int\0" . pack('CC', 5, 4);
    my $both = "\4both\0" . pack('C', 64) . pack('CVC', 5, 0x60 + 7 + 6 + 1, 0) . "\0" . pack('CCV', 6, 1, 0x60)
        . pack('CQ<', 7, 2**62) . "\0";
    for my $case (['a structure of sixty of itself', $nested], ['a vector of 2^62', $wide],
        ['a structure of a vector of itself', $both]) {
        my ($name, $types) = @$case;
        spill("$dir/type.co", returning($padding . $structure . $vector, $types));
        my ($text, $status, $seconds) = said(30, '-e', 'launch returns -g 64 -l 64 zero:256 zero:512', '-e',
            'tbreak give_int', '-e', 'continue', '-e', 'finish', '-e', 'print 77', "$dir/type.co");
        like $text, qr/^give_int returned \S/m, "a function that returns $name";
        like $text, qr/^\$1 = 77$/m, '... and the session goes on';
        cmp_ok $seconds, '<', 20, '... soon';
    }
}
{
    # A log of 3 GB, packed: members one after another.
    my $member = memGzip("[drm] GPU fault detected: 146 0x0000480c\n" . "x" x (30 << 20) . "\n");
    spill("$dir/log.gz", $member x 100);
    my ($pid, $seconds, $status, $text);
    if (every_case()) {
        $pid = start(sub { $ENV{TMPDIR} = $dir }, '--batch', '-e', 'info dump', "$dir/log.gz");
        ($seconds, $status) = ended($pid, 200);
        like slurp($out), qr/unpacks to more than 1024 MB/, 'a packed log is read up to the limit'
            or diag substr slurp($out), 0, 2000;
    }
    ($text) = said(60, '-e', 'set memory-limit 64M', '-e', "file $dir/log.gz", '-e', 'info dump');
    like $text, qr/unpacks to more than 64 MB/, 'a packed log is read up to the limit that is set';
    spill("$dir/code.gz", memGzip("\0" x (300 << 20)));
    ($text, $status) = said(60, '-e', 'set memory-limit 100M', '-e', "file $dir/code.gz");
    like $text, qr/unpacks to more than 100 MB/, 'so is packed code';
    $pid = start(undef, '--batch', '-e', 'set memory-limit 32M', '-e', 'file /dev/zero', '-e',
        'file --format umr-ring /dev/zero');
    ($seconds, $status) = ended($pid, 20);
    my @limits = slurp($out) =~ /more than 32 MB/g;
    is scalar @limits, 2, 'and what a device gives';
}

# ---- On a terminal ----

my ($TIOCGPTN, $TIOCSPTLCK, $TIOCSWINSZ) = (0x80045430, 0x40045431, 0x5414); # Linux

sub terminal (@arguments) {
    sysopen(my $master, '/dev/ptmx', O_RDWR | O_NOCTTY) or return;
    my $n = pack 'i', 0;
    ioctl($master, $TIOCSPTLCK, $n) or return;
    ioctl($master, $TIOCGPTN, $n) or return;
    my $name = '/dev/pts/' . unpack 'i', $n;
    sysopen(my $slave, $name, O_RDWR | O_NOCTTY) or return;
    my $size = pack 'S4', 24, 80, 0, 0;
    ioctl($slave, $TIOCSWINSZ, $size) or return;
    my $pid = fork // die;
    if (!$pid) {
        setsid();
        sysopen(my $own, $name, O_RDWR) or POSIX::_exit(126);
        POSIX::dup2(fileno $own, $_) for 0 .. 2;
        @ENV{qw(TERM HOME LC_ALL)} = ('xterm', $dir, 'C');
        exec $program, @arguments or POSIX::_exit(127);
    }
    $master->blocking(0);
    return { master => $master, slave => $slave, pid => $pid, text => '' };
}

sub take ($t) { while (sysread $t->{master}, my $part, 65536) { $t->{text} .= $part } return $t->{text} }
sub sees ($t, $want) { return wait_until(sub { take($t) =~ $want }) }
sub flags ($t) { my $termios = POSIX::Termios->new; $termios->getattr(fileno $t->{slave});
    return $termios->getlflag & (POSIX::ECHO | POSIX::ICANON) }
sub finish ($t, $most) {
    my $begin = time;
    while (time - $begin < $most) {
        take($t);
        return time - $begin if waitpid($t->{pid}, WNOHANG) == $t->{pid};
        sleep 0.01;
    }
    kill 'KILL', $t->{pid};
    waitpid $t->{pid}, 0;
    return $most;
}
SKIP: {
    my $probe = terminal('--batch', '-e', 'print 1') or skip 'no pseudo-terminals', 1;
    finish($probe, 10);
    my $cooked = POSIX::ECHO | POSIX::ICANON;
    # What it does when the signal comes: [name, arguments, what is seen when it does it, keys].
    my @states = (
        ['at the screen', ["$demo/collatz.co"], qr/collatz/, ''],
        ['while it waits for a pipe', ['-x', "$dir/silent", "$demo/collatz.co"], qr/1049h/, ''],
        ['while it runs', ['--isa', 'gfx7', '--raw', '-e', 'launch -g 64 -l 64', '-e', 'continue', "$dir/endless.bin"],
            qr/1049h/, ''],
        ['while it lists', ['-e', $many, '-e', 'info waves', "$demo/collatz.co"], qr/1049h/, ''],
    );
    spill("$dir/endless.bin", pack 'V2', 0xbf82ffff, 0xbf810000); # s_branch to itself, s_endpgm
    for my $state (@states) {
        my ($name, $arguments, $sign) = @$state;
        for my $signal (qw(TERM HUP)) {
            my $t = terminal('-n', @$arguments) or next;
            ok sees($t, $sign), "$name: it is there";
            sleep 0.3;
            kill $signal, $t->{pid};
            cmp_ok finish($t, 5), '<', 4, "... SIG$signal ends it soon";
            is flags($t), $cooked, '... and the terminal is as it was';
            like take($t), qr/\e\[\?1049l/, '... with its own screen';
        }
        next if $name eq 'at the screen';
        my $t = terminal('-n', @$arguments) or next;
        sees($t, $sign);
        sleep 0.5;
        syswrite $t->{master}, "\cC";
        sleep 0.5;
        take($t);
        $t->{text} = '';
        syswrite $t->{master}, ":print 70+7\r";
        ok sees($t, qr/= 77/), "$name: Ctrl-C gives the prompt back";
        syswrite $t->{master}, "quit\r";
        kill 'TERM', $t->{pid};
        finish($t, 5);
    }
    # A signal where no question is asked: a mapped file is cut off under the screen.
    my $big = "$dir/shown.bin";
    spill($big, "\0\0\x80\xbf" x (1 << 20));
    my $t = terminal('-n', '--raw', '--isa', 'gfx7', $big);
    ok sees($t, qr/s_nop/), 'a mapped file on the screen';
    truncate $big, 0;
    syswrite $t->{master}, ':pane move 100' . "\r" . "print 70+7\r";
    ok sees($t, qr/became shorter/), '... that becomes shorter: the screen says it';
    kill 'TERM', $t->{pid};
    finish($t, 5);
    is flags($t), $cooked, '... and the terminal is as it was afterwards';
}
done_testing;
