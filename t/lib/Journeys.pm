# SPDX-License-Identifier: GPL-3.0-or-later
#
# Journeys through the program, for tests that let something fail on the way: each is short, touches a part of the
# program that others do not, and ends in the same state whenever nothing fails.
#
#   for my $journey (journeys($dir)) { run(@{ $journey->{arguments} }) }
#
# {name}, {arguments} behind the program, {fails} (its exit status is not 0), {input} (a file for standard input),
# {saves} (files that it writes over; {view}: pictures of the screen), and for those in a terminal {keys}: what is typed
# when the first screen is there; {shows}: what comes of it; {term}: the terminal's type, where it is not xterm.
package Journeys;
use v5.36;
use Compress::Zlib qw(memGzip);
use Exporter 'import';
use File::Copy qw(copy);

our @EXPORT = qw(journeys);

sub spew ($path, $bytes) {
    open my $f, '>:raw', $path or die "$path: $!";
    print $f $bytes;
    close $f or die;
    return $path;
}
sub slurp ($path) { open my $f, '<:raw', $path or die "$path: $!"; local $/; return scalar <$f> }
sub commands (@lines) { return map { ('-e', $_) } @lines }

# The test stands in the top folder; dir holds what the journeys read and write.
sub journeys ($dir) {
    my $demo = 'share/demo';
    my $kernels = 't/data/kernels';
    copy("$demo/$_", "$dir/$_") or die "$_: $!" for qw(collatz.co collatz.cl histogram.co histogram.cl);
    my $gz = spew("$dir/collatz.co.gz", memGzip(slurp("$demo/collatz.co")));
    my $co = "$dir/collatz.co";
    my $script = spew("$dir/script", <<~'END');
        define twice
          stepi
          stepi
        end
        document twice
          two steps
        end
        set $i = 0
        while $i < 3
          twice
          if $i == 1
            printf "at %d\n", $i
          else
            echo other\n
          end
          set $i = $i + 1
        end
        break collatz
        commands
          silent
          print $pc
        end
        display $pc
        info breakpoints
        help twice
        END
    my $il = spew("$dir/k.il",
        "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_literal l0, 1, 2, 3, 4\nmov r0, l0\nadd r1, r0, l0\nend\n");
    my @launch = 'launch collatz -g 128 -l 64 zero:512 128';
    my @all;
    my $add = sub ($name, %journey) { push @all, { name => $name, saves => [], %journey } };

    # Opening: every container and instruction set.
    my $opened = sub ($name, @arguments) {
        $add->("open $name",
            arguments => ['--batch', commands('info file', 'info kernels', 'info symbols'), @arguments]);
    };
    $opened->('HSA', $co);
    $opened->('gzip', $gz);
    $opened->('patch tokens', "$kernels/gen12/atomics.bin");
    $opened->('zebin', "$kernels/gen12/atomics.ze");
    $opened->('IL', "$demo/il.il");
    $add->('bare code',
        arguments => ['--batch', '--raw', '--isa', 'gen7.5', commands('disassemble'), 't/data/eu/calls.7p5.krn']);
    $add->('what is not there', fails => 1, arguments => ['--batch', commands('print 1'), "$dir/none"]);
    $add->('what is nothing', fails => 1, arguments => ['--batch', commands('print 1'), $script]);
    $add->('a plug-in', arguments => ['--batch', '--plugin', ($ENV{BUILD} // 'build') . '/plugins/toy.so',
        commands('info isa', 'help plugin')]);

    # Code and its source.
    $add->('listing',
        arguments => ['--batch', commands('disassemble /s', 'list', 'info source', 'info line collatz'), $co]);
    $add->('fields', arguments => ['--batch', '--json', commands('disassemble /f collatz'), $co]);
    $add->('decode', arguments => ['--batch', commands('decode 7e000280', 'set syntax llvm', 'disassemble /a'),
        '--isa', 'gfx7', $co]);
    $add->('assemble', arguments => ['--batch', commands("assemble $il $dir/k.bin", 'check il'), $il],
        saves => ["$dir/k.bin"]);

    # Running.
    $add->('run', arguments => ['--batch', commands('break *collatz+0x20', @launch, 'watch *0x100000000', 'continue',
        'stepi 5', 'reverse-stepi 3', 'reverse-continue',
        'goto 100', 'info history', 'info waves', 'info registers', 'delete', 'continue', 'x/8xw steps', 'info hash'),
        $co]);
    $add->('small memory of the past', arguments => ['--batch',
        commands('set memory-limit 2M', @launch, 'continue', 'goto 300', 'goto 20', 'info hash'), $co]);
    $add->('values', arguments => ['--batch',
        commands(@launch, 'step 3', 'info locals', 'backtrace', 'ptype n', 'print $v0', 'print/x $s0', 'set $v1[3] = 7',
        'print $v1[3]', 'info buffers', 'info lanes', 'lane apply all print $v0', 'tbreak collatz+0x40', 'continue'),
        $co]);
    $add->('checks', arguments => ['--batch',
        commands('check all on', @launch, 'continue', 'info checks', 'check bounds off', 'info checkers'), $co]);
    $add->('checks by two processes', arguments => ['--batch',
        commands('set threads 2', 'launch collatz -g 2048 -l 64 zero:8192 2048', 'continue', 'check all on',
            'continue', 'info checks', 'info hash'), "$demo/collatz.co"]);
    $add->('profile', arguments => ['--batch', commands('set profile on', @launch, 'continue', 'info profile'), $co]);
    $add->('demo of DG1', arguments => ['--batch', '--demo=dg1',
        commands('stepi 20', 'reverse-stepi 3', 'continue', 'info hash', 'info scoreboard')]);
    $add->('demo of IL',
        arguments => ['--batch', '--demo=il', commands('stepi 3', 'continue', 'info hash', 'info resources')]);
    $add->('demo in JSON', arguments => ['--batch', '--json', '--demo=histogram',
        commands('break 10', 'continue', 'info locals', 'info registers', 'info hash')]);

    # Scripts.
    $add->('a script', arguments => ['--batch', commands(@launch), '-x', $script, $co]);
    $add->('standard input', arguments => ['--batch', commands(@launch), '-x', '-', $co], input => $script);
    $add->('source', arguments => ['--batch', commands(@launch, "source $script", 'print 1'), $co]);

    # Dumps.
    for my $name (qw(devcoredump.txt i915.txt mesa.log ring.txt softreset.log umr.txt waves1.txt)) {
        $add->("dump $name", arguments => ['--batch', commands('info dump', 'explain'), "t/data/dumps/$name"]);
    }
    $add->('two dumps', arguments => ['--batch', '--json', commands('info dump diff t/data/dumps/waves2.txt'),
        't/data/dumps/waves1.txt']);
    $add->('packets', arguments => ['--batch', commands('packets/f'), 't/data/dumps/ring.txt']);

    # Data.
    $add->('registers',
        arguments => ['--batch', '--isa', 'gfx7', commands('reg VGT_GS_MODE 0x1', 'reg -s GS_MODE', 'enum -s GS')]);
    $add->('help', arguments => ['--batch', commands('help', 'help break', 'help errors', 'apropos breakpoint')]);
    $add->('formats', arguments => ['--batch', '--format', 'list']);

    # Saving.
    $add->('save', arguments => ['--batch',
        commands(@launch, 'continue', "save arg 0 $dir/out.bin", "dump memory $dir/part.bin steps steps+64"), $co],
        saves => ["$dir/out.bin", "$dir/part.bin"]);
    $add->('save through a link', arguments => ['--batch', commands(@launch, "save arg 0 $dir/link"), $co],
        saves => ["$dir/target"]);
    symlink 'target', "$dir/link" or die;
    $add->('screen', arguments => ['--batch', '--screen', '100x30', '--demo',
        commands('stepi 3', 'layout lanes', 'screenshot', "screenshot $dir/shot", 'focus lanes', 'screenshot')],
        saves => ["$dir/shot"], view => 1);

    # In a terminal.
    mkdir "$dir/home" or die;
    mkdir "$dir/home/.config" or die;
    mkdir "$dir/home/.config/gpudbg" or die;
    spew("$dir/home/.config/gpudbg/gpudbgrc", "set confirm off\nprint 70+7\n");
    spew("$dir/home/.config/gpudbg/keys", "[keys]\ne  stepi 3  #three\n");
    $add->('terminal', arguments => ['--demo'], keys => "iii:print 6*7\rbreak *0x1718\rcontinue\r",
        shows => qr/Breakpoint 1, wave/, home => "$dir/home");
    $add->('plain prompt', arguments => ['--demo'], keys => "print 6*7\rpri\t 3*5\rbreak *0x1718\rcontinue\r",
        shows => qr/Breakpoint 1, wave/, home => "$dir/home", term => 'dumb');
    return @all;
}

1;
