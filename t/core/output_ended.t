# SPDX-License-Identifier: GPL-3.0-or-later
#
# When the reader of the output has gone, or its device is full, every loop of commands ends, and so does the program:
# each kind of loop, each way in which output ends, as text and with --json.  A loop that went on would never end, so
# an alarm ends the program here.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use POSIX qw(mkfifo);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
my $PATIENCE = 60;

sub script ($name, @lines) {
    open my $f, '>', "$dir/$name" or die $!;
    print $f map { "$_\n" } @lines;
    close $f;
    return "$dir/$name";
}

my @forever = ('while 1', 'print 1', 'end');
my $again = script('again', 'print 1', "source $dir/again");
# name => [arguments, what standard input is].  Each prints without end while its output is read.
my %loops = (
    while => ['-x ' . script('while', @forever)],
    'while within while and if' => ['-x ' . script('nested', 'while 1', 'if 1', @forever, 'end', 'end')],
    'a defined command' => ['-x ' . script('define', 'define forever', @forever, 'end', 'forever')],
    'an alias' => ['-x ' . script('alias', 'define forever', @forever, 'end', 'alias f = forever', 'f')],
    'lane apply' => ['--demo=matmul -x ' . script('lanes', 'define forever', 'while 1', 'lane apply all print 1',
        'end', 'end', 'forever')],
    'wave apply' => ['--demo=matmul -x ' . script('waves', 'while 1', 'wave apply all print 1', 'end')],
    'with' => ['-x ' . script('with', 'define forever', @forever, 'end', 'with width 60 -- forever')],
    'commands of a breakpoint' => ['--demo=matmul -x ' . script('commands', 'stepi 2', 'break *$pc', 'reverse-stepi 2',
        'define forever', @forever, 'end', 'commands 1', 'forever', 'end', 'continue')],
    'source' => ['-x ' . script('source', 'source /dev/stdin'), 'yes print 1'],
    '-x' => ['-x /dev/stdin', 'yes print 1'],
    'standard input' => ['-x -', 'yes print 1'],
    'listings' => ['-x ' . script('listings', 'while 1', 'info isa', 'info settings', 'end')],
    'echo and printf' => ['-x ' . script('echo', 'while 1', 'echo a\\n', 'printf "%d\\n", 1', 'end')],
);

sub ends ($arguments, $input, $to) {
    my $pid = fork // die;
    if (!$pid) {
        setpgrp;
        exec 'sh', '-c', ($input ? "$input 2>/dev/null | " : '') . "$gpudbg --batch $arguments $to";
        exit 127;
    }
    my $late = 0;
    local $SIG{ALRM} = sub { $late = 1; kill KILL => -$pid };
    alarm $PATIENCE;
    waitpid $pid, 0;
    alarm 0;
    return !$late;
}

for my $name (sort keys %loops) {
    my ($arguments, $input) = @{$loops{$name}};
    for my $json ('', '--json ') {
        ok ends("$json$arguments", $input, "2>$dir/err | head -1 >$dir/out"), "$name $json| head -1: it ends";
        like qx(cat $dir/out), qr/\S/, '... after it had printed';
        unlike qx(cat $dir/err), qr/Broken pipe|standard output/, '... and nothing is said of the reader';
        ok ends("$json$arguments", $input, "2>$dir/err >/dev/full; echo \$? >$dir/status"), "... >/dev/full: it ends";
        like qx(cat $dir/err), qr/^gpudbg: standard output: No space left on device$/m, '... which is said';
        is qx(cat $dir/status), "1\n", '... and the status tells';
    }
}

for my $option ('--version', '--help') {
    is qx($gpudbg $option 2>&1 >/dev/full), "gpudbg: standard output: No space left on device\n",
        "$option to a full device says so";
    is $? >> 8, 1, '... and the status tells';
    is qx(($gpudbg $option 2>&1; echo \$? >$dir/status) | head -0; cat $dir/status), "0\n",
        '... and a reader that has gone is no error';
}
done_testing;
