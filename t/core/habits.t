#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Words that other debuggers document: each is known here.  t/data/habits has the lists, facts from their manuals.
use strict;
use warnings;
use Test::More;
use Cwd qw(abs_path getcwd);
use File::Temp qw(tempdir);

my $top = getcwd;
my $gpudbg = abs_path($ENV{GPUDBG} // 'build/gpudbg');
my $folder = tempdir(CLEANUP => 1);

sub lines_of {
    my ($path) = @_;
    open my $f, '<', $path or die "$path: $!";
    return grep { !/^(?:# |$)/ } map { chomp; $_ } <$f>;
}

# What standard error says of each line of a script, by its number.
sub errors_of {
    my (@lines) = @_;
    open my $f, '>', "$folder/script" or die;
    print $f "$_\n" for @lines;
    close $f;
    my %error;
    for (`cd $folder && timeout 60 '$gpudbg' --batch --demo=collatz -x script 2>&1 >out </dev/null`) {
        $error{$1} = $2 if /^gpudbg: script:(\d+)(?::\d+)?: (.*)/;
    }
    return %error;
}

for my $list (sort glob "$top/t/data/habits/*") {
    my ($name) = $list =~ m{([^/]+)$};
    # Blocks end at once; what leaves the program, or waits for a run, is known by the rest of this file.
    my $block = qr/^(?:if|while|doc|document|commands|define(?!-)|breakpoint command add|watchpoint command|dbc)\b/;
    my @script = map { /$block/ ? ($_, 'end') : ($_) }
        grep { !/^(?:q|qq|q!|quit|exit|\(.*|\* x|while-stepping)$/ } lines_of($list);
    my %error = errors_of(@script, "echo end\\n");
    my $out = do { local @ARGV = "$folder/out"; local $/; <> };
    like($out, qr/end$/, "$name: every line is reached");
    my @unknown;
    for my $i (1 .. @script) {
        push @unknown, "$script[$i - 1]: $error{$i}"
            if ($error{$i} // '') !~ /; if it is [^,]+'s, / &&
                ($error{$i} // '') =~ /unknown (?:command|subject)|ambiguous|neither a setting|no setting/
            || ($error{$i} // '') =~ /second word is missing|does not accept|no such option/;
    }
    is(join("\n", @unknown), '', "$name: every line is known, or answered with the line that does it");
}

sub ran { my ($words) = @_; return scalar `cd $folder && timeout 60 '$gpudbg' --batch $words 2>&1 </dev/null` }

# The same, with the same result.
sub both { my ($habit, $here, $what) = @_;
    my $run = sub { ran("--demo=matmul-O0 -e 'stepi 40' -e '$_[0]'") };
    my $same = $run->($here);
    is($run->($habit), $same, $what // "$habit: $here");
}
both('t 3', 'wave 3');
both('info address matmul', 'info symbol matmul');
both('alias -a pp=print', 'alias pp = print');
like(ran("-e 'alias p2=print 1 +' -e 'p2 2'"), qr{= 3$}m, 'an alias without blanks');
both('e asm.syntax', 'set syntax');
like(ran('-e rocgdb'), qr/`shell PROGRAM WORD...` runs other programs/, 'the name of another program');
both('thread apply all p 1', 'wave apply all p 1');
both('thread apply 1-2 -q p $pc', 'wave apply 1,2 -q p $pc');
like(ran("--demo=matmul-O0 -e 'wave apply 0-2 -q p \$wave'"), qr/^\$1 = 0\n\$2 = 1\n\$3 = 2\n/m, 'apply -q');
like(ran("--demo=matmul-O0 -e 'thread apply 0 1 -c p nothing' -e 'p 7'"), qr/^wave 0: .*"nothing"\nwave 1: (?#
    ).*"nothing"\n\$1 = 7$/m, 'apply -c goes on');
unlike(ran("--demo=matmul-O0 -e 'thread apply 0 1 -s p nothing' -e 'taas p nothing'"), qr/^wave \d|nothing/m,
    'apply -s says nothing');
both('info threads', 'info waves');
both('p {u32} b', 'p *(u32*)b');
both('thread step-inst-over', 'nexti');
both('frame variable', 'info locals');
both('info cuda warps', 'info waves');
both('pd', 'disassemble');
both('set print pretty on', 'echo');
both('break 12 thread 2', 'break 12 wave 2');
both('print -pretty -elements 4 -- 1 + 2', 'print 1 + 2');
both('i lo', 'info locals');
both('taas p 1', 'wave apply all p 1');
both('disassemble /m matmul', 'disassemble /s matmul');
both('hb 12', 'break 12');
both('--waves', 'info waves');
both('pd 10', 'x/10i $pc');
both('pd 3 @ matmul', 'x/3i matmul');
both('pd @ matmul', 'x/16i matmul');
both('pdf @ matmul', 'disassemble matmul');
both('px 6 @ matmul', 'x/6xb matmul');
both('pxw 16 @ matmul', 'x/4xw matmul');
both('pxq 17', 'x/3xg $pc');
both('frame variable a', 'print a');
both('i th', 'info waves');
both('-p=7p5', 'isa gen7.5');
both('-p=skl', 'isa gen9'); # the platform is what follows: a spelling that ends in dots
both('step over', 'next');
like(ran("-e 'e asm.bits=32'"), qr/of rizin, not of gpudbg: `show` lists/,
    'two words before one, also an open one');
both('px4', 'x/16xw');
like(ran('-e -Xprint-pc'), qr/"-Xprint-pc" is a command of IGA, not of gpudbg: `disassemble/,
    'one of many options of IGA');
like(ran('-e --clock-scan'), qr/"--clock-scan" is a command of umr, /, '... and of umr');
both('thread apply 0 1 p 1', 'wave apply 0,1 p 1');
both('bt -past-main on -frame-arguments all 1', 'backtrace 1');
both('bt -full', 'backtrace full');
both('x/-3xw a+64', 'x/3xw a+52');
both('x/-2xg a+64', 'x/2xg a+48');
both('tbreak -f matmul', 'tbreak matmul');
both('break -source matmul.cl -line 12 if n == 64', 'break matmul.cl:12 if n == 64');
both('b -line 12 -force-condition', 'break 12');
both('breakpoint set -n matmul -c "n == 64"', 'break matmul if n == 64');
both("br s --file matmul.cl --line 12 -c 1", 'break matmul.cl:12 if 1');
both('breakpoint set -a 0x1b00', 'break *0x1b00');
both('x/4x local#0', 'x/4x lds:0');
both('p threadIdx.x + 100 * blockDim.y', 'p $threadIdx.x + 100 * $blockDim.y');
both('p warpSize', 'p 64');
both('memory read 0x1b00 0x1b10', 'x/16xb 0x1b00');
like(ran("--demo=matmul-O0 -e 'memory read a a+16'"), qr/lldb, not of gpudbg: `x\/COUNT /, '... of numbers');
both('disassemble --start-address 0x1b00 --end-address 0x1b10', 'disassemble 0x1b00,0x1b10');
both('di -s 0x1b00 -c 3', 'x/3i 0x1b00');
both('di -f -b', 'disassemble /r $pc');
both('memory read --gdb-format 2xw 0x1b00', 'x/2xw 0x1b00');
both('thread backtrace -c 1', 'backtrace 1');
like(ran("--demo=matmul-O0 -e 'watch del 1'"), qr/; lldb's watch del is `delete N`/, 'two words that are ours, too');
both('--disasm 1b00 10', 'disassemble 0x1b00,+0x10', "umr's numbers are hexadecimal");
both('-vdis 1@1b00 10', 'disassemble 0x1b00,+16', '... after a VMID');
both('--vm-disasm 1b00 0', 'disassemble 0x1b00', '... 0 stands for the whole shader');
both('--vm-read 1b00 10', 'x/16xb 0x1b00');
both('--vm-decode 1@1b00 2', 'info address 0x1b00');
both('cuda block 1 thread 3', 'workitem 19,0');
both('cuda block (1,1) thread (3,2,0)', 'workitem 19,18');
both('cuda kernel 0 block 1 thread 3', 'workitem 19,0');
both('cuda thread 15', 'workitem 15,0');
both('cuda sm 0 warp 1', 'wave 1');
both('laas p 1', 'lane apply all p 1');
like(ran("--demo=matmul-O0 -e 'cuda warp 1 lane 2'"), qr/of cuda-gdb, .*`wave N` .*`lane N`/, 'a warp and a lane');
like(ran("--demo=matmul-O0 -e 'thread 1 3'"), qr/of ROCgdb, .*`wave N` .*`lane N`/, 'a thread and a lane');
like(ran("--demo=matmul-O0 -e 'f main'"), qr/label "main"; rizin's f is `bookmark NAME`/, "rizin's f");
like(ran("--demo=matmul-O0 -e 'w hello'"), qr/label "hello"; rizin's w is `patch /, "rizin's w");
unlike(ran("--demo=matmul-O0 -e 'w 99' -e 'frame main'"), qr/rizin/,
    '... not where the argument is a number, or another word');
like(ran("--demo=matmul-O0 -e 'x/4x private_lane#0'"), qr/private_lane#: a lane's own bytes are not in one piece/,
    "ROCgdb's memory of lanes");
like(ran("--demo=matmul-O0 -e 'x/4x region#0'"), qr/has no GDS/, '... and of the chip');
like(ran("--demo=matmul-O0 -e 'breakpoint set -r x'"), qr/is a command of lldb.*`break NAME`/,
    'another option of lldb');
like(ran("--demo=matmul-O0 -e 'p *(\@shared int*)0'"), qr/\*\(i32\*\)lds:0/, "cuda-gdb's memory");
my $bare = do {
    open my $f, '>', "$folder/nop.bin" or die;
    print $f pack('V2', 0xbf800000, 0xbf810000);
    close $f;
    "--isa gfx7 --raw -e 'launch -g 64 -l 64 gds=hex:0011223344556677'";
};
is(ran("$bare -e 'x/2xw region#0' nop.bin"), ran("$bare -e 'x/2xw gds' nop.bin"), 'region#: GDS');
like(ran("$bare -e 'print *(u32*)region#4' nop.bin"), qr/^\$1 = @{[0x77665544]}$/m, '... in an expression');
{ # A function that has the name of cuda-gdb's word; 0x37b0 is what `nm` says of it.
    my $code = do { local (@ARGV, $/) = "$top/t/data/kernels/gfx7/calls-O0-g.co"; <> };
    $code =~ s/full_sum/blockIdx/g;
    open my $f, '>:raw', "$folder/named.co" or die;
    print $f $code;
}
my $named = "-e 'launch calls_results -g 64 -l 64 zero:1024 zero:1024' -e 'print blockIdx' -e 'print \$blockIdx' "
    . "-e 'print threadIdx' named.co";
like(ran($named), qr/^\$1 = 0x37b0 <blockIdx>\n\$2 = "\(0,0,0\)"\n\$3 = "\(0,0,0\)"$/m,
    "a symbol comes before cuda-gdb's word, which a dollar always means");
like(ran("-e '? 1+2'"), qr/`print 1\+2` computes/, "rizin's ?");
like(ran("-e wv4"), qr/unknown command "wv4"; if it is rizin's, .*writes memory/,
    'a word that begins as others of rizin');
unlike(ran("-e contineu"), qr/rizin/, '... not a mistyped command');
like(ran("-e 'is~matmul'"), qr/"is~matmul" is a command of rizin, /, '... a filter behind a command of rizin');

my $said = `'$gpudbg' --batch -e 'contineu' -e 'info wavse' 2>&1`;
like($said, qr/"contineu"; the nearest is `continue`/, 'a mistyped command is answered with the nearest');
like($said, qr/"wavse"; the nearest is `info waves`/, 'and a mistyped subject of info');
like(ran("--demo=collatz -e 'set p = 3'"), qr/no buffer, symbol or label "p"/, 'an assignment is no habit');
like(ran("--demo=matmul-O0 -e 'stepi 40' -e 'whatis row'"), qr/^row: int$/m, 'whatis of a variable');
like(ran("--demo=matmul-O0 -e 'stepi 40' -e 'whatis 1 + 1'"), qr/^1 \+ 1: i64$/m, '... of an expression');
is(ran("--demo=dg1 -e 'whatis \$r1.0' -e 'whatis \$r1'"), ran("--demo=dg1 -e 'echo \$r1.0: u32\\n\$r1: u16[16]\\n'"),
    '... of a register: as `print` shows it');
like(ran("-e 'print \$v3' $top/share/demo/matmul.co"), qr/\$v3: nothing is launched/, 'a refusal names the register');
like(ran("t/data/kernels/gfx7/variables-O0-g.co -e 'ptype struct particle'" =~ s{t/data}{$top/t/data}r),
    qr/^particle: a type of 20 bytes$/m, '... of a type');
like(ran("-e end"), qr/`end` ends the lines of/, 'an end of nothing');
like(ran("-e 'define t' -e 'echo mine' -e end -e t"), qr/mine/, 'a command of the user comes before a habit');

# Options of gdb's commands, as `help COMMAND` of GDB 13.1 lists them (explicit locations: `help list`).  None is taken
# as an expression or a pattern: the line does what it does without the option, or is answered by name.
my %options = (
    'print:64' => [(map { ("-$_", "-$_ on", "-$_ off --") } qw(address array array-indexes memory-tag-violations
        nibbles null-stop object pretty raw-values static-members symbol union vtbl)),
        map { ("-$_ 3", "-$_ unlimited", "-$_ 3 --") } qw(elements max-depth repeats)],
    'backtrace:' => [qw(-past-main -past-entry -no-filters -hide -raw-frame-arguments), '-past-main on',
        '-entry-values no', '-frame-arguments all', '-frame-info location'],
    'info functions:mat' => ['-q', '-n', '-t int'],
    'info variables:mat' => ['-q', '-n', '-t int'],
    'info locals:' => ['-q', '-t int'],
    'info args:' => ['-q', '-t int'],
    'info threads:' => ['-gid'],
    'info sources:' => [qw(-dirname -basename)],
    'info types:' => ['-q'],
    'thread apply all:print 1' => [qw(-ascending -q -c -s)],
    'frame apply all:print 1' => [qw(-q -c -s)],
    'watch:*a' => ['-location'],
    'rwatch:*a' => ['-location'],
    'awatch:*a' => ['-location'],
    'apropos:wave' => ['-v'],
    'continue:' => ['-a'],
    "source:$folder/empty" => ['-v', '-s'],
    'compile print:1' => ['-object', '-pretty'],
);
{ open my $f, '>', "$folder/empty" or die }
for my $command (sort keys %options) {
    my ($words, $behind) = split /:/, $command, 2;
    my $said = sub { ran("--demo=matmul-O0 -e 'stepi 40' -e '$words $_[0]$behind'") };
    my $plain = $said->('');
    my @taken = grep { my $text = $said->("$_ "); $text ne $plain && $text !~ /command of gdb, not of gpudbg/ }
        @{ $options{$command} };
    is("@taken", '', "$words: no option of gdb is an expression");
}
like(ran("-e 'set \$array = 5' -e 'print -array + 1' -e 'print -\$array + 1'"), qr/no buffer.*"array".*\n\$1 = -4$/ms,
    'what goes on as an expression is one');
both("$_->[0] -line 12", "$_->[1] 12") for ['until', 'until'], ['advance', 'advance'], ['list', 'list'], ['l', 'list'],
    ['info line', 'info line'];
both('list -function matmul', 'list matmul');
both('condition -force 1 n', 'condition 1 n');
like(ran("--demo=matmul-O0 -e 'stepi 40' -e '$_ 0x99999' -e 'print \$position'"),
    qr/0x99999: no instruction starts there\n\$1 = 40$/, "$_ to where no code is: refused, and nothing ran")
    for 'until', 'advance', 'reverse-advance';

# Every command that a row or a sentence names exists.
my (%row, @wrong);
my $table = join "\n", lines_of("$top/core/session/habits.def");
$table =~ s/"\n +"//g;
$table =~ s/,\n +"/, "/g;
for (split /\n/, $table) {
    push @wrong, $1 if /^SAME\("[^"]*", "[^"]*", "([^"]*)"\)/ && ran("-e 'help $1'") =~ /unknown command/;
    push @wrong, $1 if /^FORM\("[^"]*", *"[^"]*", "([a-z]+)[^"]*", "/ && ran("-e 'help $1'") =~ /unknown command/;
    next unless /^(?:TELL|ALSO|FORM)\("[^"]*", *"[^"]*", (?:"[^"]*", |NULL, )?"((?:[^"\\]|\\.)*)"\)/;
    for my $command ($1 =~ /`([a-z][^`]*)`/g) {
        my ($words) = $command =~ /^([a-z-]+(?: [a-z-]+)?)/;
        my ($first) = $words =~ /^([a-z-]+)/;
        next if $first =~ /^gpudbg$/ || $row{$first}++;
        push @wrong, $command if ran("-e 'help $first'") =~ /unknown command/;
    }
}
is("@wrong", '', 'every command that the table names exists');

# scheduler-locking: which waves run.
sub executed { ran("--demo=collatz -e 'set scheduler-locking $_[0]' -e 'wave 1' -e '$_[1]' -e 'info waves'") }
my $step = (executed(step => 'stepi 5') =~ /^> +1 .* (\d+)  0x/mg)[-1];
my $off = (executed(off => 'stepi 5') =~ /^> +1 .* (\d+)  0x/mg)[-1];
is($step, 5, 'step: the selected wave executes 5 instructions');
is($off, 5, 'off: so it does');
like(executed(off => 'stepi 5'), qr/^ +0  ended/m, '... and wave 0 ran in its turn');
like(executed(step => 'stepi 5'), qr/^ +0  (?:unstarted|ready)/m, '... which it does not do otherwise');
is(scalar(() = executed(on => 'continue') =~ /^>? +\d+  ended/gm), 1,
    'on: `continue` runs the selected wave alone to its end');
my $break = ran("share/demo/collatz.co -e 'complete break co'" =~ s{share}{$top/share}r);
like($break, qr/^collatz$/m, '`break` completes functions');
like($break, qr/^collatz\.cl:16$/m, '... and lines');
unlike($break, qr/_DYNAMIC|\.kd/, '... and nothing that is not code');

# The command line, as gdb and umr take it.
sub run { my ($words) = @_; return scalar `timeout 60 '$gpudbg' $words 2>&1 </dev/null` }
is(run("-q -nx -batch -ex 'print 6*7' --args t/../share/demo/collatz.co"),
    run("--batch -n -e 'print 6*7' share/demo/collatz.co"),
    '-q -nx -batch -ex --args: as in gdb');
is(run('-V'), run('--version'), '-V');
is(run('-h'), run('--help'), '-h');
like(run('--waves'), qr/umr; here it is the command `info waves`/, 'an option of umr names the command');
is(run("--batch -e -q"), run("--batch -e '-q'"), 'what follows -e is a command');
done_testing;
