#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `gpudbg --dap`, as an editor uses it.  What values must be is worked out here from the kernels' sources and inputs;
# where lines are is asked of the sources.  t/oracle/dap.t holds all messages against the protocol's own types.
use v5.36;
use Cwd qw(getcwd);
use FindBin;
use JSON::PP;
use MIME::Base64 qw(encode_base64 decode_base64);
use Test::More;
use Time::HiRes qw(sleep);
use lib "$FindBin::Bin/../lib";
use Dap;
use Files;
use Gpudbg qw(real);

my $top = getcwd;
my ($yes, $no) = (JSON::PP::true, JSON::PP::false);
my %matmul = (program => 'matmul.co', kernel => 'matmul', global => [64, 64], local => '16,16',
    cwd => "$top/share/demo",
    args => ['zero:16384', '@matmul_a.bin', '@matmul_b.bin', 64]);

sub lines ($path) { open my $f, '<', $path or die "$path: $!"; return <$f> }
sub floats ($file) {
    open my $f, '<:raw', "share/demo/$file" or die "$file: $!";
    local $/;
    return unpack 'f<*', <$f>;
}
my ($a, $b) = ([floats('matmul_a.bin')], [floats('matmul_b.bin')]);

# The sum of the first n products of an element of the result, as the kernel rounds it.
sub product ($row, $column, $n) {
    my $sum = 0;
    $sum = unpack 'f<', pack 'f<', $sum + $a->[$row * 64 + $_] * $b->[$_ * 64 + $column] for 0 .. $n - 1;
    return $sum;
}

sub line_of ($path, $text) {
    my @line = lines($path);
    return 1 + (grep { index($line[$_], $text) >= 0 } 0 .. $#line)[0];
}
my $matmul = "$top/share/demo/matmul.cl";
my $adds = line_of($matmul, 'sum += tile_a');
my $stores = line_of($matmul, 'c[row * n');

sub top ($c, $thread = 1) { return $c->ask('stackTrace', { threadId => $thread })->{stackFrames}[0] }
sub scopes ($c, $frame) { return map { $_->{name} => $_ } @{ $c->ask('scopes', { frameId => $frame })->{scopes} } }
sub variables ($c, $reference, %more) {
    my $list = $c->ask('variables', { variablesReference => $reference, %more })->{variables};
    return map { $_->{name} => $_ } @$list;
}
sub value ($c, $expression, %more) { return $c->ask('evaluate', { expression => $expression, %more })->{result} }
sub stops ($c, $command, %more) {
    $c->ask($command, { threadId => 1, %more });
    return $c->event('stopped');
}
sub position ($c) { return value($c, '$position') }

subtest 'launch, lines, both ways in time' => sub {
    my $c = Dap->start;
    my $set;
    my $abilities = $c->launch({%matmul}, sub ($c) {
        $set = $c->ask('setBreakpoints', { source => { path => $matmul }, breakpoints => [{ line => $stores }] });
    });
    ok $abilities->{$_}, $_ for qw(supportsStepBack supportsDataBreakpoints supportsReadMemoryRequest);
    ok $set->{breakpoints}[0]{verified}, 'a breakpoint on a line is set before the program runs';
    is $set->{breakpoints}[0]{line}, $stores, '... there';
    is $c->event('stopped')->{reason}, 'entry', 'it stops at the entry';
    is position($c), 0, '... nothing was executed';
    my $threads = $c->ask('threads')->{threads};
    is scalar @$threads, 64, '16 groups of 4 waves are 64 threads';
    is_deeply [map { /^group (\d+,\d+) wave (\d+)/ ? "$1 $2" : $_ } map { $_->{name} } @$threads[0, 3, 4, 16, 63]],
        ['0,0 0', '0,0 3', '1,0 4', '0,1 16', '3,3 63'], '... named by group and wave';

    my $stop = stops($c, 'continue');
    is $stop->{reason}, 'breakpoint', 'continue comes to the breakpoint';
    is_deeply $stop->{hitBreakpointIds}, [$set->{breakpoints}[0]{id}], '... which is named';
    ok $stop->{allThreadsStopped}, '... all threads stand';
    my $frame = top($c);
    is $frame->{line}, $stores, '... at its line';
    is $frame->{source}{path}, $matmul, '... of the file, by its whole path';
    is $frame->{name}, 'matmul', '... in the kernel';
    my $here = position($c);

    is stops($c, 'stepBack')->{reason}, 'step', 'a step back';
    cmp_ok position($c), '<', $here, '... is earlier';
    isnt top($c)->{line}, $stores, '... in another line';
    is stops($c, 'next')->{reason}, 'breakpoint', 'a step forward is at the breakpoint again';
    is position($c), $here, '... at the same time';
    is stops($c, 'stepBack', granularity => 'instruction')->{reason}, 'step', 'one instruction back';
    is position($c), $here - 1, '... is one';
    is stops($c, 'reverseContinue')->{reason}, 'entry', 'back to the launch';
    is position($c), 0, '... nothing was executed';

    $c->ask('setBreakpoints', { source => { path => $matmul }, breakpoints => [] });
    my $end = stops($c, 'continue');
    is $end->{description}, 'Done: 64 waves', 'without breakpoints it runs to its end';
    like $end->{text}, qr/^Done: 64 waves, \d+ instructions$/, '... in all words';
    my $bytes = decode_base64($c->ask('readMemory', { memoryReference => '0x100000000', count => 16384 })->{data});
    my @c = unpack 'f<*', $bytes;
    is scalar(grep { $c[$_] != product(int($_ / 64), $_ % 64, 64) } 0 .. 4095), 0, '... and all products are right';
    is stops($c, 'stepBack')->{reason}, 'step', 'it steps back from its end';
    stops($c, 'continue');
    $c->ask('continue', { threadId => 1 });
    is $c->event('exited')->{exitCode}, 0, 'to continue at the end ends it';
    $c->event('terminated');
    is $c->quit, 0, 'the client leaves';
};

# A variable comes before a word of another debugger: `t` is also gdb's thread, which is `wave` here.
subtest 'a variable named as another debugger\'s command' => sub {
    my $c = Dap->start;
    $c->launch({ program => "$top/share/demo/mandelbrot.co", global => [80, 24], local => [16, 4],
        args => ['zero:1920', 80, 24, 60] });
    value($c, "break mandelbrot.cl:18\ncontinue", context => 'repl');
    my $t = value($c, 'print t', context => 'repl');
    ok length $t, 'a variable';
    is value($c, 't', context => 'repl'), $t =~ s/^\$\d+ = //r, '... is shown by its name';
    like value($c, 't 1', context => 'repl'), qr/\b1\b/, '... and with a word behind it, it is the command';
    $c->quit;
};

# Logs and dumps: nothing runs, so threads are captures and waves, and frames are what is known of them.
subtest 'captured state' => sub {
    my $log = "$dir/hang.log";
    spill($log, <<'END');
[    1.158000] amdgpu 0000:00:01.0: amdgpu: initializing kernel modesetting (BONAIRE 0x1002:0x6649)
[  100.000000] [drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, signaled seq=5, emitted seq=7
END
    my $c = Dap->start;
    $c->ask('initialize', { adapterID => 'gpudbg' });
    $c->ask('launch', { program => $log, kernel => 'none', global => [64], local => [64], args => [] });
    $c->ask('configurationDone');
    my $stop = $c->event('stopped');
    is $stop->{reason}, 'exception', 'a log of a hang opens, and stands at what failed';
    like $stop->{text}, qr/ring gfx/, '... which is named';
    like join('', $c->outputs('console')), qr/^verdict: .*ring gfx/m, '... after the report';
    my $threads = $c->ask('threads')->{threads};
    is scalar @$threads, 1, 'its one capture is a thread';
    my $frame = top($c, $stop->{threadId});
    is_deeply [$frame->{source}{path}, $frame->{line}], [$log, 2], '... whose first frame is the line of the log';
    is $c->ask('exceptionInfo', { threadId => 1 })->{description}, $stop->{text}, '... as the exception says';
    for my $what (qw(continue next stepBack pause)) {
        my $answer = $c->request($what, { threadId => 1 });
        ok !$answer->{success}, "$what: refused";
        like $answer->{body}{error}{variables}{_message}, qr/captured state/, '... because it is captured state';
    }
    like value($c, 'explain', context => 'repl'), qr/^verdict: /m, 'commands work in the console';
    my $point = $c->ask('setBreakpoints', { source => { path => $matmul }, breakpoints => [{ line => 3 }] });
    like $point->{breakpoints}[0]{message}, qr/captured state, and no code/, 'a breakpoint says why it cannot be set';
    $c->ask('restart');
    is $c->event('stopped')->{text}, $stop->{text}, 'restart tells it again';
    is $c->quit, 0, 'the client leaves';

    $c = Dap->start("$top/t/data/dumps/waves1.txt");
    $c->ask('initialize', { adapterID => 'gpudbg' });
    $c->ask('launch', {});
    $c->ask('configurationDone');
    $c->event('stopped');
    my @names = map { $_->{name} } @{ $c->ask('threads')->{threads} };
    is_deeply [@names[1, 2]], ['se0.sh0.cu1.simd2.wave0', 'se1.sh0.cu3.simd0.wave4'], 'waves of a dump are threads';
    my %scope = scopes($c, top($c, 2)->{id});
    my %records = variables($c, $scope{Registers}{variablesReference});
    my $status = $records{'SQ_WAVE_STATUS of se0.sh0.cu1.simd2.wave0'};
    is $status->{value}, '0x8012001', 'their registers are variables';
    my $line = $c->ask('locations', { locationReference => $status->{valueLocationReference} });
    is $line->{source}{path}, "$top/t/data/dumps/waves1.txt", '... that lead to the file';
    like +(lines($line->{source}{path}))[$line->{line} - 1], qr/8012001/, '... to the line of the register';
    my %fields = variables($c, $status->{variablesReference});
    is $fields{SCC}{value}, '0x1', '... with fields';
    my %scalars = variables($c, $scope{'Scalar registers'}{variablesReference});
    is_deeply [map { $scalars{"s$_"}{value} } 0 .. 3], [qw(0x5 0x7 0x640 0x27fac)], '... and scalars';
    is $c->quit, 0, 'the client leaves';
};

subtest 'a saved session' => sub {
    my $session = "$dir/s.gpudbg";
    my $program = $ENV{GPUDBG} // 'build/gpudbg';
    system("$program --batch --demo -e 'stepi 20' -e 'save session $session' >/dev/null") == 0
        or die "save session: $?\n";
    my $c = Dap->start;
    $c->ask('initialize', { adapterID => 'gpudbg' });
    $c->ask('launch', { program => $session, global => [128], local => [64], args => [] });
    $c->ask('configurationDone');
    $c->event('stopped');
    is position($c), 20, 'it stands where it was saved';
    is scalar @{ $c->ask('threads')->{threads} }, 64, '... with its waves';
    is stops($c, 'stepBack', granularity => 'instruction')->{reason}, 'step', '... and its past';
    is position($c), 19, '... one instruction back';
    is $c->quit, 0, 'the client leaves';
};

# AMD IL has no debug information: its text is the source.  Registers are vectors, of which each component has lanes.
subtest 'AMD IL' => sub {
    my $il = "$top/share/demo/il.il";
    my $c = Dap->start;
    my $set;
    my $at = line_of($il, 'imad r1.x');
    $c->launch({ program => $il, cwd => "$top/share/demo", global => [32, 32], local => [16, 16],
        args => { uav0 => 'zero:8192', uav1 => '@il_a.bin', uav2 => '@il_b.bin',
            cb0 => 'hex:20000000000000000000000000000000' } },
        sub ($c) { $set = $c->ask('setBreakpoints', { source => { path => $il }, breakpoints => [{ line => $at }] }) });
    is_deeply [@{ $set->{breakpoints}[0] }{qw(verified line)}], [$yes, $at], 'a breakpoint on a line of its text';
    $c->event('stopped');
    is stops($c, 'continue')->{reason}, 'breakpoint', '... stops';
    my $frame = top($c);
    is_deeply [$frame->{source}{path}, $frame->{line}], [$il, $at], '... there';
    value($c, 'lane 37', context => 'repl'); # column 5 and row 2 of the group's 16 x 16 items
    my $r0 = $c->ask('evaluate', { expression => 'r0', context => 'hover' });
    is_deeply [@$r0{qw(result type)}], ['{5, 2, 0, 0}', 'u32[4]'], 'under the mouse a register has its components';
    my $x = $c->ask('evaluate', { expression => '$r0.x' });
    is_deeply [@$x{qw(result type)}], ['5', 'i32'], '... one component is a number, of the type that `iadd` gave it';
    is stops($c, 'stepBack')->{reason}, 'step', 'a step back';
    is top($c)->{line}, $at - 2, '... over the comment to the line before';
    is $c->quit, 0, 'the client leaves';
};

# A lane's value ends the tree; what the console launches stands at its entry.
subtest 'lanes end, run begins' => sub {
    my $c = Dap->start('--demo');
    $c->ask('initialize', { adapterID => 'gpudbg' });
    $c->ask('launch', {});
    $c->ask('configurationDone');
    $c->event('stopped');
    my %scope = scopes($c, top($c)->{id});
    my %all = variables($c, $scope{'All lanes'}{variablesReference});
    my %lanes = variables($c, $all{v0}{variablesReference});
    is scalar(keys %lanes), 64, 'a register has its lanes';
    is_deeply [grep { $lanes{$_}{variablesReference} } keys %lanes], [], '... which have no parts';
    value($c, 'run', context => 'repl');
    is $c->event('stopped')->{reason}, 'entry', '`run` in the console stops at the entry';
    is $c->quit, 0, 'the client leaves';
};

subtest 'breakpoints' => sub {
    my $c = Dap->start("$top/share/demo/matmul.co");
    my $early = $c->request('setBreakpoints', { source => { path => $matmul }, breakpoints => [{ line => 1 }] });
    ok !$early->{success}, 'before initialize nothing is answered';
    delete $matmul{program};
    $c->launch({%matmul});
    $c->event('stopped');
    my $set = sub ($what, @points) { $c->ask("set${what}Breakpoints", { breakpoints => [@points] })->{breakpoints} };
    my $lines = sub (@points) {
        $c->ask('setBreakpoints', { source => { path => $matmul }, breakpoints => [@points] })->{breakpoints};
    };
    # A loop of 16 rounds, unrolled by the compiler or not: `k` counts its additions.
    is $lines->({ line => $adds, condition => 'no such thing' })->[0]{verified}, $no, 'a wrong condition is refused';
    like $lines->({ line => $adds, condition => '$nothing[' })->[0]{message}, qr/\S/, '... with a reason';
    ok !$lines->({ line => 4000 })->[0]{verified}, 'a line behind the end has no code';

    $lines->({ line => $stores, condition => '$wave == 5' });
    my $stop = stops($c, 'continue');
    is $stop->{threadId}, 6, 'a condition stops wave 5 alone';
    $c->ask('restart', {});
    is $c->event('stopped')->{reason}, 'entry', 'restart stands at the entry';
    is position($c), 0, '... of a new run';

    $lines->({ line => $stores, hitCondition => '3' });
    is stops($c, 'continue')->{threadId}, 3, 'the third hit is that of the third wave';
    is stops($c, 'continue')->{threadId}, 4, '... and each hit after it counts';
    $c->ask('restart', {});
    $c->event('stopped');
    $lines->({ line => $stores, hitCondition => '% 4' });
    is stops($c, 'continue')->{threadId}, 4, 'every fourth hit';
    is stops($c, 'continue')->{threadId}, 8, '... and again';
    like $lines->({ line => $stores, hitCondition => 'often' })->[0]{message}, qr/"often" is not a count/,
        'a hit condition that makes no sense';
    $c->ask('restart', {});
    $c->event('stopped');
    $c->outputs('console');

    $lines->({ line => $stores, logMessage => 'wave {$wave} has {2 * $lane + 7}, {{so}} {1 +}' });
    like stops($c, 'continue')->{description}, qr/^Done/, 'a log message does not stop';
    my @log = split /\n/, $c->outputs('console');
    is scalar @log, 64, '... each wave said it';
    is $log[0] =~ s/ <.*//r, 'wave 0 has 7, {so}', '... with values';
    like $log[0], qr/<.+>$/, '... and why there is none';
    $lines->();
    $c->ask('restart', {});
    $c->event('stopped');

    my $function = $set->('Function', { name => 'matmul' }, { name => 'nothing' });
    ok $function->[0]{verified}, 'a function';
    ok !$function->[1]{verified}, '... not one that does not exist';
    $stop = stops($c, 'continue');
    is_deeply [$stop->{reason}, $stop->{hitBreakpointIds}], ['function breakpoint', [$function->[0]{id}]],
        '... which stops the next wave there';
    $set->('Function');
    my $pc = top($c)->{instructionPointerReference};
    my $list = $c->ask('disassemble', { memoryReference => $pc, instructionCount => 6 })->{instructions};
    is scalar @$list, 6, 'six instructions';
    is $list->[0]{address}, $pc, '... the first is where the wave stands';
    is_deeply [map { hex($list->[$_]{address}) + split(' ', $list->[$_]{instructionBytes}) } 0 .. 4],
        [map { hex $list->[$_]{address} } 1 .. 5], '... one behind another';
    my $before = $c->ask('disassemble',
        { memoryReference => $list->[3]{address}, instructionOffset => -3, instructionCount => 6 })->{instructions};
    is_deeply [map { $_->{address} } @$before], [map { $_->{address} } @$list],
        '... and from the fourth on, three back';
    $set->('Instruction', { instructionReference => $list->[3]{address} });
    $stop = stops($c, 'continue');
    is $stop->{reason}, 'instruction breakpoint', 'a breakpoint on an instruction';
    is top($c)->{instructionPointerReference}, $list->[3]{address}, '... stops there';
    $set->('Instruction', { instructionReference => $list->[2]{address}, offset =>
        hex($list->[4]{address}) - hex($list->[2]{address}) });
    stops($c, 'continue');
    is top($c)->{instructionPointerReference}, $list->[4]{address}, '... with an offset, too';
    $set->('Instruction');

    # Data: the element of c that wave 0 stores for lane 5; a register of wave 0.
    my %scope = scopes($c, top($c)->{id});
    my %memory = variables($c, $scope{Memory}{variablesReference});
    my $info = $c->ask('dataBreakpointInfo',
        { variablesReference => $memory{c}{variablesReference}, name => '[5]' });
    like $info->{dataId}, qr/c\[5\]$/, 'an element of a buffer can be watched';
    $set->('Data', { dataId => $info->{dataId}, accessType => 'write' });
    $stop = stops($c, 'continue');
    is $stop->{reason}, 'data breakpoint', '... and stops where it is written';
    is value($c, 'c[5]'), product(0, 5, 64), '... with its value';
    like $stop->{text}, qr/after matmul\+0x\w+: \w+_store_dword /, '... after the instruction that stores';
    is stops($c, 'reverseContinue')->{reason}, 'entry', '... and it was never written before';
    my $sized = $c->ask('dataBreakpointInfo', { name => 'c+20', bytes => 8 });
    $set->('Data', { dataId => $sized->{dataId}, accessType => 'write' });
    like stops($c, 'continue')->{description}, qr/^Watchpoint \d+ \(c\+20,8\)$/, 'a stop is called what it is of';
    is stops($c, 'reverseContinue')->{reason}, 'entry', '... and back';
    my $register = $c->ask('dataBreakpointInfo', { name => '$s3' });
    ok defined $register->{dataId}, 'a register can be watched';
    $set->('Data', { dataId => $register->{dataId} });
    is stops($c, 'continue')->{reason}, 'data breakpoint', '... and stops';
    my $none = $c->ask('dataBreakpointInfo', { name => '1 + 1' });
    ok exists $none->{dataId} && !defined $none->{dataId}, 'a sum cannot be watched';
    ok length $none->{description}, '... with a reason';
    $set->('Data');
    my $places = $c->ask('breakpointLocations', { source => { path => $matmul }, line => 1, endLine => 100 });
    ok((grep { $_->{line} == $stores } @{ $places->{breakpoints} }), 'lines with code are listed');
    ok !(grep { $_->{line} == 2 } @{ $places->{breakpoints} }), '... and no others';
    my @listed = map { $_->{line} } @{ $places->{breakpoints} };
    ok !(grep { $listed[$_] <= $listed[$_ - 1] } 1 .. $#listed), '... each once, from the first to the last';
    is $c->quit, 0, 'the client leaves';
    $matmul{program} = 'matmul.co';
};

subtest 'a variable in registers is watched' => sub {
    my $c = Dap->start;
    $c->launch({%matmul});
    $c->event('stopped');
    $c->ask('setInstructionBreakpoints', { breakpoints => [{ instructionReference => '0x1724' }] });
    stops($c, 'continue');
    $c->ask('setInstructionBreakpoints', { breakpoints => [] });
    value($c, 'lane 3', context => 'repl');
    my $info = $c->ask('dataBreakpointInfo', { name => 'sum', frameId => top($c)->{id} });
    is $info->{description}, 'sum of wave 0, lane 3', 'whose it is';
    is_deeply $info->{accessTypes}, ['write'], 'its changes are, not its reads';
    my $set = $c->ask('setDataBreakpoints', { breakpoints => [{ dataId => $info->{dataId}, accessType => 'write' }] });
    ok $set->{breakpoints}[0]{verified}, 'set';
    my $first = (grep { product(0, 3, $_) } 1 .. 64)[0];
    my $stop = stops($c, 'continue');
    is $stop->{reason}, 'data breakpoint', 'stops';
    is value($c, 'sum'), real(product(0, 3, $first)), '... where it changes';
    my $end;
    for (1 .. 70) {
        $end = stops($c, 'continue');
        last if $end->{text} =~ /no place/;
    }
    like $end->{text}, qr/sum has no place from here on; its last value was @{[quotemeta real(product(0, 3, 64))]};/,
        'its end is told';
    my $removed = $c->event('breakpoint');
    is $removed->{reason}, 'removed', '... and that its breakpoint is gone';
    is $c->quit, 0, 'the client leaves';
};

subtest 'registers, lanes, memory' => sub {
    my $c = Dap->start;
    $c->launch({%matmul});
    $c->event('stopped');
    my %scope = scopes($c, top($c)->{id});
    my %lane = variables($c, $scope{'Lane 0'}{variablesReference});
    my %all = variables($c, $scope{'All lanes'}{variablesReference});
    my %mask = variables($c, $scope{Masks}{variablesReference});
    my %scalar = variables($c, $scope{'Scalar registers'}{variablesReference});
    ok $scalar{pc} && $scalar{s0}, 'scalar registers';
    is $mask{exec}{value}, '0xffffffffffffffff', 'masks';
    is $all{v0}{indexedVariables}, 64, 'a register of all lanes is an array';
    my %v0 = variables($c, $all{v0}{variablesReference});
    # Local ids of groups of 16 x 16: x is the lane modulo 16.
    is_deeply [map { $v0{"[$_]"}{value} } 0 .. 63], [map { $_ % 16 } 0 .. 63], '... which holds local ids';
    my %some = variables($c, $all{v0}{variablesReference}, start => 20, count => 3);
    is_deeply { map { $_ => $some{$_}{value} } keys %some }, { '[20]' => 4, '[21]' => 5, '[22]' => 6 },
        '... some of them';
    $c->ask('setVariable', { variablesReference => $scope{'Lane 0'}{variablesReference}, name => 'lane',
        value => '37' });
    $c->event('invalidated');
    is value($c, '$v0'), 37 % 16, 'another lane is selected by the variable lane';
    %scope = scopes($c, top($c)->{id});
    ok $scope{'Lane 37'}, '... and the scope says so';
    is $c->ask('setVariable', { variablesReference => $all{v0}{variablesReference}, name => '[3]',
        value => '99' })->{value},
        99, 'a lane is set';
    is value($c, '$v0[3]'), 99, '... and is';
    is $c->ask('setExpression', { expression => '$s0', value => '6 * 7' })->{value}, 42, 'an expression is set';
    is value($c, '$s0', format => { hex => $yes }), '0x2a', '... and shown in hex';
    ok !$c->request('setExpression', { expression => '1', value => '2' })->{success}, 'not what is no place';

    my %memory = variables($c, $scope{Memory}{variablesReference});
    is_deeply [sort keys %memory], [sort qw(a b c n lds)], 'memory by argument';
    is $memory{n}{value}, 64, '... a number';
    is $memory{a}{indexedVariables}, 4096, '... a buffer of floats';
    my %a = variables($c, $memory{a}{variablesReference}, start => 100, count => 2);
    is_deeply [map { $a{$_}{value} } sort keys %a], [map { real($_) } @$a[100, 101]], '... its elements';
    my $many = $c->ask('variables', { variablesReference => $memory{a}{variablesReference} })->{variables};
    is $many->[-1]{value}, (4096 - 1000) . ' more', 'a client that does not page is told what is left out';
    my $at = $memory{a}{memoryReference};
    is_deeply [unpack 'f<*', decode_base64($c->ask('readMemory', { memoryReference => $at, offset => 400,
        count => 8 })->{data})],
        [@$a[100, 101]], 'memory is read';
    my $past = $c->ask('readMemory', { memoryReference => $at, offset => 16380, count => 12 });
    is length decode_base64($past->{data}), 4, '... up to its end';
    is $past->{unreadableBytes}, 8, '... and no further';
    is $c->ask('writeMemory', { memoryReference => $at, offset => 4, data => encode_base64(pack('f<', 2.5), '') })
        ->{bytesWritten},
        4, 'memory is written';
    is value($c, 'a[1]'), 2.5, '... and is';
    ok !$c->request('writeMemory', { memoryReference => $at, offset => 16380, data => encode_base64('x' x 8,
        '') })->{success},
        'not past its end';
    is $c->ask('writeMemory', { memoryReference => $at, offset => 16380, allowPartial => $yes,
        data => encode_base64('x' x 8, '') })->{bytesWritten}, 4, '... but a part, if that is asked for';
    ok !$c->request('writeMemory', { memoryReference => $at, data => '!!!!' })->{success}, 'not what is not base 64';
    is $c->ask('writeMemory', { memoryReference => $memory{lds}{memoryReference}, data => encode_base64(pack('V',
        7), '') })
        ->{bytesWritten}, 4, 'local memory, too';
    my %lds = variables($c, $memory{lds}{variablesReference}, start => 0, count => 1);
    is $lds{'[0]'}{value}, 7, '... and is';

    is value($c, 'print 2 + 3', context => 'repl'), '$1 = 5', 'the console takes commands';
    like value($c, 'try s_mov_b32 s0, 5', context => 'repl'), qr/^s0 +0x00000005  5/, '... and tries instructions';
    is value($c, '2 + 3', context => 'repl'), 5, '... and expressions';
    ok !$c->request('evaluate', { expression => 'nothing at all', context => 'repl' })->{success}, '... not nonsense';
    ok !$c->request('evaluate', { expression => 'shell cat; echo', context => 'repl' })->{success},
        '... but starts no programs';
    my $refused = $c->request('evaluate', { expression => 'plugin /nowhere/evil.so', context => 'repl' });
    ok !$refused->{success}, '... and loads none';
    like $refused->{message} // $refused->{body}{error}{variables}{_message}, qr/an editor's session loads no code/,
        '... as it says';
    is value($c, '2 + 4', context => 'repl'), 6, '... and the conversation goes on';
    value($c, 'stepi', context => 'repl');
    is $c->event('stopped')->{reason}, 'step', 'a command that runs is a stop';
    ok !$c->request('variables', { variablesReference => $all{v0}{variablesReference} })->{success},
        'numbers of the stop before mean nothing now';
    my %label = map { $_->{label} => $_ } @{ $c->ask('completions', { text => 'info wav', column => 9 })->{targets} };
    is_deeply [@{ $label{waves} }{qw(start length)}], [6, 3], 'completions, and what they replace';
    is $c->ask('loadedSources')->{sources}[0]{path}, $matmul, 'the sources';
    is $c->ask('modules')->{totalModules}, 1, 'the file';
    like $c->ask('source', { source => { path => $matmul }, sourceReference => 0 })->{content}, qr/kernel void matmul/,
        'a source by its path';
    my $targets = $c->ask('gotoTargets', { source => { path => $matmul }, line => $stores })->{targets};
    $c->ask('goto', { threadId => 1, targetId => $targets->[0]{id} });
    is $c->event('stopped')->{reason}, 'goto', 'goto';
    is top($c)->{line}, $stores, '... goes there';
    value($c, 'goto 192', context => 'repl');
    $c->event('stopped');
    my $wide = $c->ask('evaluate', { expression => '$s[0:3]' });
    is $wide->{type}, 'u32[4]', 'four registers are four numbers';
    is value($c, '$v0') =~ /^-?\d+\.\d+$/, 1, 'a bare register has the type of its last writer';
    is $c->quit, 0, 'the client leaves';
};

subtest 'registers of an editor are those of print' => sub {
    my $demo = "$top/share/demo";
    my @il = ('uav0=zero:8192', "uav1=\@$demo/il_a.bin", "uav2=\@$demo/il_b.bin", 'cb0=hex:20' . '0' x 30);
    for ([collatz => 'co', 1024, 128, 'goto 100', 'zero:4096', 1000],
        [dg1 => 'co', 256, 64, 'goto 200', 'zero:2048', 250],
        [il => 'il', [32, 32], [16, 16], 'goto 130', @il]) {
        my ($name, $end, $global, $local, $there, @args) = @$_;
        my ($compared, @differ) = 0;
        my $c = Dap->start;
        $c->launch({ program => "$demo/$name.$end", global => $global, local => $local, args => \@args });
        $c->event('stopped');
        value($c, $there, context => 'repl');
        $c->event('stopped');
        value($c, 'lane 11', context => 'repl');
        my %scope = scopes($c, top($c)->{id});
        for my $v (map { my %v = variables($c, $_->{variablesReference}); values %v } values %scope) {
            my $register = $v->{evaluateName} // next;
            $register =~ /^\$/ or next;
            my $whole = value($c, "print $register", context => 'repl') =~ s/^\$\d+ = //r;
            my $shown = $v->{value} =~ s/\.\.\.$//r; # long ones are cut
            $compared++;
            push @differ, "$register: $v->{value}, $whole" if index($whole, $shown) != 0;
        }
        is "@differ", '', "$name: each register";
        cmp_ok $compared, '>', 50, '... of many';
        $c->quit;
    }
};

subtest 'frames, inlined functions, variables with parts' => sub {
    my $source = "$top/t/data/kernels/variables.cl";
    spill("$dir/particles", join '', map { pack 'f<3l<Sx2', $_ + 0.5, $_ * 2.25, -$_, 10 + $_, $_ } 0 .. 3);
    my $c = Dap->start;
    $c->launch({ program => "$top/t/data/kernels/gfx7/variables-O0-g.co", global => 64, local => 64, stopOnEntry => $no,
        args => ['zero:256', 3, -7, 'hex:01020304', "\@$dir/particles", 'local:256'],
            sourcePath => ["$top/t/data/kernels"],
        }, sub ($c) {
        $c->ask('setBreakpoints', { source => { path => $source }, breakpoints => [
            { line => line_of($source, 'sum += (int)own') }, { line => line_of($source, 'return x * 3 + 1') }] });
    });
    is $c->event('stopped')->{reason}, 'breakpoint', 'without stopOnEntry it runs';
    my $frame = top($c);
    $c->ask('evaluate', { expression => 'lane 3', context => 'repl' });
    $frame = top($c);
    my %scope = scopes($c, $frame->{id});
    my %local = variables($c, $scope{Locals}{variablesReference});
    my %argument = variables($c, $scope{Arguments}{variablesReference});
    is $argument{c}{value} =~ s/ .*//r, 3, 'an argument';
    is $argument{h}{value}, -7, '... and another';
    is $local{g}{value}, 3, 'a local, of the selected lane';
    is $local{d}{value}, 3 * 0.25 - 1, '... a double';
    my %own = variables($c, $local{own}{variablesReference});
    is_deeply [map { $own{"[$_]"}{value} } 0 .. 4], [map { real(3 + $_) } 1, 2, 4, -8, 1],
        'an array has elements';
    my %grid = variables($c, $local{grid}{variablesReference});
    my %row = variables($c, $grid{'[1]'}{variablesReference});
    is_deeply [map { $row{"[$_]"}{value} } 0 .. 2], [33, 34, 35], '... and rows of elements';
    my $p = $c->ask('evaluate', { expression => '*p', frameId => $frame->{id} });
    my %p = variables($c, $p->{variablesReference});
    is $p{id}{value}, 10, 'a structure behind a pointer has members';
    my %pos = variables($c, $p{pos}{variablesReference});
    is $pos{'[0]'}{value}, 0.5, '... with elements';
    is $c->ask('setVariable', { variablesReference => $local{own}{variablesReference}, name => '[2]',
        value => '1.5' })->{value},
        1.5, 'an element is set';
    is value($c, 'own[2]'), 1.5, '... and is';

    stops($c, 'next');
    is top($c)->{line}, line_of($source, 'if (even)'), 'the next line';
    stops($c, 'next');
    stops($c, 'stepIn');
    is top($c)->{line}, line_of($source, 'int t = q * r'), 'a step into an inlined function';
    is stops($c, 'continue')->{reason}, 'breakpoint', 'in the innermost function';
    my $stack = $c->ask('stackTrace', { threadId => 1 });
    is_deeply [map { $_->{name} } @{ $stack->{stackFrames} }], ['deepest', 'deep', 'inner (inlined)', 'variables'],
        'the frames, inlined ones too';
    is $stack->{totalFrames}, 4, '... all of them';
    my $some = $c->ask('stackTrace', { threadId => 1, startFrame => 1, levels => 2 });
    is_deeply [map { $_->{name} } @{ $some->{stackFrames} }], ['deep', 'inner (inlined)'], '... or some';
    # sum += inner(g, c) in lanes with an even g, so lane 3 is off.  q is g, r is c = 3; deep is called with q * r + 5.
    $c->ask('evaluate', { expression => 'lane 2', context => 'repl' });
    $some = $c->ask('stackTrace', { threadId => 1, startFrame => 1, levels => 2 });
    my @x = map { { scopes($c, $_->{id}) } } @{ $some->{stackFrames} };
    my %deep = variables($c, $x[0]{Arguments}{variablesReference});
    my %inner = variables($c, $x[1]{Arguments}{variablesReference});
    my $g = 2;
    is $inner{q}{value}, $g, 'an argument of an inlined function';
    is $deep{x}{value}, $g * 3 + 5, 'an argument of a caller';
    is value($c, 'x', frameId => $some->{stackFrames}[0]{id}), $g * 3 + 5, '... in an expression of its frame';
    ok !$c->request('restartFrame', { frameId => $some->{stackFrames}[1]{id} })->{success},
        'an inlined frame has no entry';
    my $entry = hex($c->ask('evaluate', { expression => 'deep' })->{memoryReference} // '0');
    $some = $c->ask('stackTrace', { threadId => 1, startFrame => 1, levels => 1 });
    $c->ask('restartFrame', { frameId => $some->{stackFrames}[0]{id} });
    is $c->event('stopped')->{reason}, 'restart', 'restartFrame';
    my $restarted = top($c);
    is $restarted->{name}, 'deep', '... is in the function';
    is hex $restarted->{instructionPointerReference}, $entry, '... at its entry';
    $c->ask('setBreakpoints', { source => { path => $source }, breakpoints => [] });
    stops($c, 'stepOut');
    is top($c)->{name}, 'inner (inlined)', 'step out of the function';
    like $c->outputs('console'), qr/deep returned int, lane 2: -?\d+/, '... which returned something';
    is $c->quit, 0, 'the client leaves';
};

subtest 'checkers and faults' => sub {
    my $bugs = "$top/t/data/kernels/bugs.cl";
    my %bug = (program => "$top/t/data/kernels/gfx7/bugs-O0-g.co", global => 128, local => 128,
        sourcePath => "$top/t/data/kernels");
    my $c = Dap->start;
    my $abilities = $c->launch({ %bug, kernel => 'race_waves', args => ['zero:2048', 1] }, sub ($c) {
        my $set = $c->ask('setExceptionBreakpoints', { filters => ['race', 'no-such-checker'] });
        is_deeply [map { !!$_->{verified} } @{ $set->{breakpoints} }], [!!1, !!0], 'a checker is switched on';
    });
    ok((grep { $_->{filter} eq 'race' } @{ $abilities->{exceptionBreakpointFilters} }), 'checkers are filters');
    $c->event('stopped');
    my $stop = stops($c, 'continue');
    is $stop->{reason}, 'exception', 'a report of a checker is an exception';
    is scalar @{ $stop->{hitBreakpointIds} }, 1, '... which names its filter';
    my $report = $c->event('output');
    is_deeply [$report->{source}{path}, $report->{line}, $report->{data}{check}],
        [$bugs, line_of($bugs, 'out[i] = i + 1'), 'race'], '... and an output at its line';
    my $info = $c->ask('exceptionInfo', { threadId => $stop->{threadId} });
    is $info->{exceptionId}, 'race', '... of its kind';
    is top($c, $stop->{threadId})->{line}, line_of($bugs, 'out[i] = i + 1'), '... at the guilty line';
    is $c->quit, 0, 'the client leaves';

    $c = Dap->start;
    $c->launch({ %bug, kernel => 'null_load', args => ['zero:512', 'null', 1] });
    $c->event('stopped');
    ok !$c->request('exceptionInfo', { threadId => 1 })->{success}, 'no exception yet';
    $stop = stops($c, 'continue');
    is $stop->{reason}, 'exception', 'a fault is an exception';
    is $c->ask('exceptionInfo', { threadId => $stop->{threadId} })->{exceptionId}, 'fault', '... a fault';
    is stops($c, 'stepBack', threadId => $stop->{threadId})->{reason}, 'step', 'and time goes back from it';
    is $c->quit, 0, 'the client leaves';

    $c = Dap->start;
    $c->launch({ %bug, kernel => 'race_waves', args => ['zero:2048', 1] }, sub ($c) {
        my $set = $c->ask('setExceptionBreakpoints',
            { filters => [], filterOptions => [{ filterId => 'no-such-checker' }, { filterId => 'race' }] });
        is_deeply [map { !!$_->{verified} } @{ $set->{breakpoints} }], [!!0, !!1], 'a filter that comes as an option';
    });
    $c->event('stopped');
    is stops($c, 'continue')->{reason}, 'exception', '... is on';
    is $c->quit, 0, 'the client leaves';
};

subtest 'hovers and copies' => sub {
    my $c = Dap->start('--demo=matmul-O0');
    $c->launch({});
    $c->event('stopped');
    $c->ask('setBreakpoints', { source => { path => $matmul }, breakpoints => [{ line => $adds }] });
    stops($c, 'continue');
    my $n = value($c, 'n', context => 'hover');
    is $n, 64, 'the value of what the mouse is over';
    for my $change ('n = 5', '$s0 = 5', 'set $s0 = 5', 'stepi', 'continue') {
        my $before = value($c, '$s0') . ' ' . position($c);
        ok !$c->request('evaluate', { expression => $change, context => 'hover' })->{success}, "$change: refused there";
        is value($c, '$s0') . ' ' . position($c) . ' ' . value($c, 'n'), "$before $n", '... and nothing has changed';
    }
    for my $context (qw(hover watch repl clipboard variables)) {
        my $refused = $c->request('evaluate', { expression => 'nothing_of_this_name', context => $context });
        is $refused->{body}{error}{showUser}, $no, "$context: an error is not shown in a window of its own";
    }
    my $copied = value($c, 'tile_a', context => 'clipboard');
    is_deeply [$copied =~ /([-\d.e]+)/g], [map { my $row = $_; map { real($a->[$row * 64 + $_]) } 0 .. 15 } 0 .. 15],
        'all elements of an array are copied';
    is $c->quit, 0, 'the client leaves';
};

subtest 'printf' => sub {
    my $c = Dap->start;
    $c->launch({ program => "$top/t/data/printf/prints-v5.co", kernel => 'prints', global => 4, local => 4,
        args => ['zero:64', 1.5], stopAtEnd => $no, stopOnEntry => $no });
    $c->event('terminated');
    my $text = $c->outputs('stdout');
    like $text, qr/^item $_: four\|    a\|bcd   \|/m, "item $_ prints" for 0, 3;
    unlike $text, qr/^item 1:/m, '... others do not';
    is $c->event('exited')->{exitCode}, 0, 'without stopAtEnd the end is the end';
    is $c->quit, 0, 'the client leaves';
};

# A loop without an end: s_branch to itself.
my %forever = (program => "$dir/forever", raw => $yes, isa => 'gfx7', global => 64, local => 64);
spill("$dir/forever", pack 'V*', 0xbf800000, 0xbf82ffff, 0xbf810000);

subtest 'code without source' => sub {
    my $c = Dap->start;
    $c->launch({%forever});
    $c->event('stopped');
    my $frame = top($c);
    my $reference = $frame->{source}{sourceReference};
    ok $reference, 'a listing is the source';
    my @text = split /\n/, $c->ask('source', { sourceReference => $reference })->{content};
    like $text[$frame->{line} - 1], qr/0000  s_nop 0$/, '... the frame is in its line';
    is stops($c, 'next')->{reason}, 'step', 'a step';
    like $text[top($c)->{line} - 1], qr/0004  s_branch/, '... is one instruction';
    my ($line) = grep { $text[$_ - 1] =~ /s_branch/ } 1 .. @text;
    my $set = $c->ask('setBreakpoints', { source => { sourceReference => $reference },
        breakpoints => [{ line => $line }] });
    ok $set->{breakpoints}[0]{verified}, 'a breakpoint in a listing';
    is stops($c, 'continue')->{reason}, 'breakpoint', '... stops';
    is $c->quit, 0, 'the client leaves';
};

# What the console sets, the editor shows; what it deletes is gone after a restart, too.
subtest 'breakpoints of the console' => sub {
    my $c = Dap->start;
    $c->launch({%matmul});
    $c->event('stopped');
    value($c, "break matmul.cl:$stores", context => 'repl');
    my $told = $c->event('breakpoint');
    is $told->{reason}, 'new', 'a breakpoint of the console is told';
    my $point = $told->{breakpoint};
    is_deeply [@$point{qw(verified line)}, $point->{source}{path}], [$yes, $stores, $matmul], '... with its place';
    my $stop = stops($c, 'continue');
    is_deeply $stop->{hitBreakpointIds}, [$point->{id}], '... and a stop names it';
    my $set = $c->ask('setBreakpoints', { source => { path => $matmul }, breakpoints => [{ line => $stores }] });
    my $id = $set->{breakpoints}[0]{id};
    is scalar(() = value($c, 'info breakpoints', context => 'repl') =~ /^\d+ +breakpoint/mg), 1,
        'the editor sends it as its own: there is still one';
    $stop = stops($c, 'continue');
    is_deeply $stop->{hitBreakpointIds}, [$id], '... which is the editor\'s';
    value($c, 'disable 1', context => 'repl');
    $told = $c->event('breakpoint');
    is_deeply [$told->{reason}, $told->{breakpoint}{id}], ['changed', $id], 'switched off: told';
    like $told->{breakpoint}{message}, qr/\boff$/, '... that it is off';
    value($c, 'delete 1', context => 'repl');
    is $c->event('breakpoint')->{reason}, 'removed', 'deleted: told';
    $c->ask('restart', {});
    $c->event('stopped');
    like stops($c, 'continue')->{description}, qr/^Done/, '... and after a restart it is still gone';
    $c->ask('restart', {});
    $c->event('stopped');
    value($c, "tbreak matmul.cl:$stores", context => 'repl');
    $id = $c->event('breakpoint')->{breakpoint}{id};
    $stop = stops($c, 'continue');
    is_deeply $stop->{hitBreakpointIds}, [$id], 'a temporary one is named by its stop';
    is $c->event('breakpoint')->{reason}, 'removed', '... and gone';
    my $targets = $c->ask('gotoTargets', { source => { path => $matmul }, line => $stores })->{targets};
    $c->ask('goto', { threadId => $stop->{threadId}, targetId => $targets->[0]{id} });
    ok !@{ $c->event('stopped')->{hitBreakpointIds} // [] }, 'after goto nothing was hit';
    value($c, "watch c[5]\ncontinue", context => 'repl');
    $id = $c->event('breakpoint')->{breakpoint}{id};
    is_deeply $c->event('stopped')->{hitBreakpointIds}, [$id], 'a watchpoint of the console, hit in the same breath';
    my $refused = $c->request('evaluate', { expression => 'define twice', context => 'repl' });
    like $refused->{message}, qr/"define twice" has no `end`/, 'a define without its end is refused';
    is value($c, '1 + 1', context => 'repl'), 2, '... and does not swallow what follows';
    value($c, "define twice\nprint 2 * \$arg0\nend", context => 'repl');
    like value($c, 'twice 4', context => 'repl'), qr/ = 8$/, 'a whole one is a command';
    ok !$c->request('evaluate', { expression => 'source /', context => 'repl' })->{success}, 'source of a folder fails';
    value($c, 'kill', context => 'repl');
    $c->event('terminated');
    ok !@{ $c->ask('threads')->{threads} }, 'kill ends the launch';
    $c->ask('restart', {});
    is $c->event('stopped')->{reason}, 'entry', '... and restart begins it again';
    is $c->quit, 0, 'the client leaves';
};

subtest 'invalidated: only what has changed' => sub {
    my $c = Dap->start;
    $c->launch({%matmul});
    $c->event('stopped');
    my $areas = sub ($line) {
        value($c, $line, context => 'repl');
        $c->ask('threads');
        my @areas = map { @{ $_->{body}{areas} } } grep { $_->{event} eq 'invalidated' } @{ $c->{events} };
        $c->{events} = [grep { $_->{event} ne 'invalidated' } @{ $c->{events} }];
        return "@areas";
    };
    is $areas->($_), '', "$_: nothing" for 'print 1', 'info waves', 'info registers', 'break matmul', 'x/4w 0x1700';
    is $areas->('lane 3'), 'variables', 'lane';
    is $areas->('print $v0 = 7'), 'variables', 'an assignment';
    is $areas->('set $s0 = 9'), 'variables', '... as a command';
    is $areas->('set picture blocks'), 'all', 'a setting';
    $areas->('wave 2');
    is $c->event('stopped')->{threadId}, 3, 'another wave: the client shows its thread';
    is $c->quit, 0, 'the client leaves';

    $c = Dap->start('--demo=matmul');
    $c->ask('initialize', { adapterID => 'gpudbg', supportsMemoryEvent => $yes });
    $c->ask('launch', {});
    $c->ask('configurationDone');
    $c->event('stopped');
    my $a = $c->ask('evaluate', { expression => 'a[1]' })->{memoryReference};
    $c->ask('setExpression', { expression => 'a[1]', value => '2.5' });
    my $told = { memoryReference => $a, offset => 0, count => 4 };
    is_deeply $c->event('memory'), $told, 'memory that changed is told, where the client wants that';
    $c->ask('writeMemory', { memoryReference => $a, offset => 8, data => encode_base64('x' x 8, '') });
    is_deeply $c->event('memory'), { memoryReference => $a, offset => 8, count => 8 }, '... written memory, too';
    is $c->quit, 0, 'the client leaves';
};

subtest 'data by address, modes, one wave alone' => sub {
    my $c = Dap->start;
    $c->launch({%matmul});
    $c->event('stopped');
    my $frame = top($c);
    my $set = sub ($what, @points) { $c->ask("set${what}Breakpoints", { breakpoints => [@points] })->{breakpoints} };
    my $info = $c->ask('dataBreakpointInfo', { name => '0x100000014', asAddress => $yes, bytes => 4 });
    ok defined $info->{dataId}, 'an address can be watched';
    my $data = $set->('Data', { dataId => $info->{dataId}, accessType => 'write' });
    my $stop = stops($c, 'continue');
    is_deeply [$stop->{reason}, $stop->{hitBreakpointIds}], ['data breakpoint', [$data->[0]{id}]], '... and stops';
    is value($c, 'c[5]'), product(0, 5, 64), '... where c[5] has been written';
    $info = $c->ask('dataBreakpointInfo', { name => 'lds:0x10@6', asAddress => $yes, bytes => 8 });
    like $info->{dataId}, qr/^6:/, 'local memory of the group of wave 6';
    my $none = $c->ask('dataBreakpointInfo', { name => '0x40', asAddress => $yes, bytes => 8 });
    ok length $none->{description}, 'where no memory is, there is an answer';
    ok !$c->request('dataBreakpointInfo', { name => 'sum', asAddress => $yes })->{success}, 'a name is no address';
    $set->('Data');
    $c->ask('restart', {});
    $c->event('stopped');

    my $abilities = $c->{abilities};
    is_deeply [sort map { $_->{mode} } @{ $abilities->{breakpointModes} }], [qw(lane wave)], 'modes';
    scopes($c, top($c, 6)->{id}); # wave 5 is selected
    my $lines = sub (@points) {
        $c->ask('setBreakpoints', { source => { path => $matmul }, breakpoints => [@points] })->{breakpoints};
    };
    my $point = $lines->({ line => $stores, mode => 'wave' })->[0];
    like $point->{message}, qr/^only wave 5$/, 'a breakpoint of this wave says so';
    is stops($c, 'continue')->{threadId}, 6, '... and stops it alone';
    like stops($c, 'continue')->{description}, qr/^Done/, '... once';
    $c->ask('restart', {});
    $c->event('stopped');
    is stops($c, 'continue')->{threadId}, 6, '... after a restart, too';
    $lines->();
    $c->ask('restart', {});
    $c->event('stopped');
    scopes($c, top($c, 3)->{id});
    value($c, 'lane 9', context => 'repl');
    $lines->({ line => $stores, mode => 'lane' });
    $stop = stops($c, 'continue');
    is $stop->{threadId}, 3, 'this lane: of its wave';
    like $stop->{text}, qr/wave 2, lane 9/, '... and the lane';
    $lines->();

    $c->ask('restart', {});
    $c->event('stopped');
    is $c->ask('continue', { threadId => 2, singleThread => $yes })->{allThreadsContinued}, $no, 'one wave alone';
    $stop = $c->event('stopped');
    my @ended = grep { $_->{name} =~ /ended/ } @{ $c->ask('threads')->{threads} };
    is_deeply [map { $_->{id} } @ended], [2], '... runs to its end, others only where it waits for them';
    is $c->quit, 0, 'the client leaves';
};

subtest 'step in targets, locations' => sub {
    my $source = "$top/t/data/kernels/variables.cl";
    spill("$dir/particles", join '', map { pack 'f<3l<Sx2', $_ + 0.5, $_ * 2.25, -$_, 10 + $_, $_ } 0 .. 3);
    my $calls = line_of($source, 'sum += inner(');
    my $c = Dap->start;
    $c->launch({ program => "$top/t/data/kernels/gfx7/variables-O0-g.co", global => 64, local => 64, stopOnEntry => $no,
        args => ['zero:256', 3, -7, 'hex:01020304', "\@$dir/particles", 'local:256'],
        sourcePath => ["$top/t/data/kernels"] },
        sub ($c) { $c->ask('setBreakpoints', { source => { path => $source }, breakpoints => [{ line => $calls }] }) });
    $c->event('stopped');
    my $frame = top($c);
    my $targets = $c->ask('stepInTargets', { frameId => $frame->{id} })->{targets};
    ok((grep { $_->{label} eq 'inner' } @$targets), 'the inlined function of the line is a target');
    my ($inner) = grep { $_->{label} eq 'inner' } @$targets;
    stops($c, 'stepIn', targetId => $inner->{id});
    is top($c)->{name}, 'inner (inlined)', '... and a step leads into it';
    my $deep = line_of($source, 'return deep(t)');
    $c->ask('setBreakpoints', { source => { path => $source }, breakpoints => [{ line => $deep }] });
    stops($c, 'continue') if top($c)->{line} != $deep;
    $targets = $c->ask('stepInTargets', { frameId => top($c)->{id} })->{targets};
    is scalar @$targets, 1, 'a call is a target';
    stops($c, 'stepIn', targetId => $targets->[0]{id});
    is top($c)->{name}, 'deep', '... and a step leads into the function';
    ok !$c->request('stepIn', { threadId => 1, targetId => 50 })->{success}, 'no such target';
    is $c->quit, 0, 'the client leaves';

    # Without optimisation a variable is in memory, so that the line that assigned it is the line of its last store.
    $c = Dap->start;
    $c->launch({ program => "$top/t/data/kernels/gfx7/variables-O0-g.co", global => 64, local => 64, stopOnEntry => $no,
        args => ['zero:256', 3, -7, 'hex:01020304', "\@$dir/particles", 'local:256'],
        sourcePath => ["$top/t/data/kernels"] },
        sub ($c) { $c->ask('setBreakpoints', { source => { path => $source }, breakpoints => [{ line => $calls }] }) });
    $c->event('stopped');
    my %scope = scopes($c, top($c)->{id});
    my %local = variables($c, $scope{Locals}{variablesReference});
    my $where = sub ($name, $what) {
        my $at = $c->ask('locations', { locationReference => $local{$name}{"${what}LocationReference"} });
        return join ':', $at->{source}{path}, $at->{line};
    };
    my %line = map { $_ => line_of($source, $_) } 'sum += (int)own', 'int sum =', 'double d';
    is $where->('sum', 'value'), "$source:$line{'sum += (int)own'}", 'the value of a variable: the line that stored it';
    is $where->('sum', 'declaration'), "$source:$line{'int sum ='}", '... its declaration';
    is $where->('d', 'value'), "$source:$line{'double d'}", '... and of another';
    my %own = variables($c, $local{own}{variablesReference});
    my $at = $c->ask('locations', { locationReference => $own{'[2]'}{valueLocationReference} });
    is $at->{line}, line_of($source, 'own[i] = g'), '... and of an element';
    is $c->quit, 0, 'the client leaves';

    $c = Dap->start;
    $c->launch({%matmul});
    $c->event('stopped');
    my $x = $c->ask('evaluate', { expression => 'a[3]' });
    like $c->request('locations', { locationReference => $x->{valueLocationReference} })->{message},
        qr/no instruction has written a\[3\]/, 'memory as it was launched has none, and says so';
    ok !$c->request('locations', { locationReference => top($c)->{id} })->{success}, 'a frame is no location';
    is $c->quit, 0, 'the client leaves';
};

subtest 'more waves than are listed' => sub {
    my $c = Dap->start;
    $c->launch({ %forever, global => 64 * 300 });
    $c->event('stopped');
    cmp_ok scalar @{ $c->ask('threads')->{threads} }, '<', 300, 'not all waves are listed';
    like $c->outputs('console'), qr/^Of 300 waves only .*`info waves` lists all/m, '... which is told';
    $c->ask('threads');
    is $c->outputs('console'), '', '... once';
    is $c->quit, 0, 'the client leaves';
};

subtest 'while the program runs' => sub {
    my $c = Dap->start;
    $c->launch({%forever});
    $c->event('stopped');
    $c->ask('continue', { threadId => 1 });
    is scalar @{ $c->ask('threads')->{threads} }, 1, 'threads are listed';
    my $refused = $c->request('stackTrace', { threadId => 1 });
    is $refused->{message}, 'notStopped', 'frames are not';
    ok !$c->request('evaluate', { expression => '1' })->{success}, 'nor values';
    $c->ask('pause', { threadId => 1 });
    is $c->event('stopped')->{reason}, 'pause', 'pause stops it';
    cmp_ok position($c), '>', 1, '... it has run';
    $c->ask('pause', { threadId => 1 });
    is $c->event('stopped')->{reason}, 'pause', '... and once more, though it stands';
    $c->ask('continue', { threadId => 1 });
    sleep 0.1;
    my $set = $c->ask('setInstructionBreakpoints', { breakpoints => [{ instructionReference => '0x4' }] });
    ok $set->{breakpoints}[0]{verified}, 'a breakpoint is set meanwhile';
    is $c->event('stopped')->{reason}, 'instruction breakpoint', '... and stops it';
    $c->ask('setInstructionBreakpoints', { breakpoints => [] });
    my $seq = $c->post('evaluate', { expression => 'continue', context => 'repl' });
    sleep 0.2;
    $c->ask('cancel', { requestId => $seq });
    ok $c->response($seq), 'a command that runs can be cancelled';
    $c->event('stopped');
    $c->ask('continue', { threadId => 1 });
    $c->ask('terminate');
    $c->event('terminated');
    ok !$c->request('threads', undef)->{body}{threads}[0], 'terminate ends the launch';
    ok !$c->request('continue', { threadId => 1 })->{success}, '... nothing can run then';
    is $c->quit, 0, 'the client leaves';

    $c = Dap->start;
    $c->launch({%forever});
    $c->event('stopped');
    $c->ask('continue', { threadId => 1 });
    is $c->quit, 0, 'a client may leave while it runs';

    $c = Dap->start;
    $c->launch({%forever});
    $c->event('stopped');
    $c->ask('continue', { threadId => 1 });
    is $c->finish, 0, '... and without a word';

    $c = Dap->start;
    $c->launch({ %forever, stepLimit => 5000 });
    $c->event('stopped');
    like stops($c, 'continue')->{description}, qr/Limit of 5000 instructions/, 'a limit of instructions';
    $c->quit;
};

subtest 'a port, two clients one after the other' => sub {
    my $pid = open(my $said, '-|') // die "fork: $!";
    if (!$pid) {
        open STDERR, '>&', \*STDOUT;
        exec $ENV{GPUDBG} // 'build/gpudbg', '--dap=0' or die;
    }
    my ($port) = <$said> =~ /listening on 127\.0\.0\.1:(\d+)/;
    ok $port, 'it says where it listens';
    my $first = Dap->connect($port) // die 'no connection';
    $first->launch({%forever});
    $first->event('stopped');
    $first->ask('continue', { threadId => 1 });
    $first->finish; # without a word, while it runs
    my $second = Dap->connect($port) // die 'no second connection';
    ok !$second->request('threads')->{success}, 'the second begins anew';
    $second->launch({%matmul});
    is $second->event('stopped')->{reason}, 'entry', '... and launches something else';
    is scalar @{ $second->ask('threads')->{threads} }, 64, '... which has nothing of the first';
    $second->quit;
    my $browser = Dap->connect($port) // die;
    $browser->raw("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}");
    $browser->take;
    ok !(grep { $_->{type} eq 'response' } @{ $browser->{all} }), 'a browser is not answered';
    $browser->finish;
    my $third = Dap->connect($port) // die;
    ok $third->ask('initialize', { adapterID => 'x' }), 'and another client is';
    $third->quit;
    kill 'TERM', $pid;
    close $said;
};

subtest 'what makes no sense' => sub {
    my $c = Dap->start;
    my $answer = sub (@r) { my $r = $c->request(@r); return $r->{success} ? 'good' : $r->{message} };
    like $answer->('threads'), qr/the first request must be "initialize"/, 'a request before initialize';
    is $answer->('initialize', { adapterID => 'x', pathFormat => 'path' }), 'good', 'initialize';
    like $answer->('initialize', { adapterID => 'x' }), qr/has come before/, '... once';
    like $answer->('noSuchRequest'), qr/"noSuchRequest" is not supported/, 'a request that does not exist';
    like $answer->('attach', {}), qr/"launch"/, 'attach';
    like $answer->('configurationDone'), qr/nothing is launched/, 'configurationDone before launch';
    like $answer->('continue', { threadId => 1 }), qr/nothing is launched|launch/, 'continue, too';
    like $answer->('launch', {}), qr/"program" is missing/, 'launch without a program';
    like $answer->('launch', { program => "$dir/none" }), qr/none/, '... of a file that does not exist';
    like $answer->('launch', { %matmul, global => ['x'] }), qr/"global" must be up to three numbers/, '... sizes';
    like $answer->('launch', { %matmul, args => [{}] }), qr/"args"/, '... arguments';
    like $answer->('launch', { %matmul, args => ['zero:1'] }), qr/\S/, '... too few of them';
    is $answer->('launch', {%matmul}), 'good', 'after all that it launches';
    like $answer->('launch', {%matmul}), qr/launched already/, '... once';
    is $answer->('configurationDone'), 'good', 'configurationDone';
    like $answer->('stackTrace', {}), qr/"threadId" is missing/, 'no thread';
    like $answer->('stackTrace', { threadId => 1000 }), qr/no thread 1000: there are 64/, 'no such thread';
    like $answer->('stackTrace', { threadId => 'one' }), qr/must be a whole number/, 'no number';
    like $answer->('variables', { variablesReference => 77777 }), qr/77777 is out of date/, 'no such number';
    ok !$c->request('variables', { variablesReference => 77777 })->{body}{error}{showUser},
        '... no message for the user';
    like $answer->('readMemory', { memoryReference => 'x:1', count => 4 }), qr/no such space/, 'no such memory';
    ok $c->request('readMemory', { memoryReference => 'x:1', count => 4 })->{body}{error}{showUser}, '... as here';
    like $answer->('goto', { threadId => 1, targetId => 9 }), qr/gotoTargets/, 'no such target';
    $c->send({ seq => 900, type => 'request', command => 'threads', arguments => [1] });
    ok !$c->response(900)->{success}, 'arguments that are no object';
    $c->send({ seq => 901, type => 'request' });
    ok !$c->response(901)->{success}, 'a request without a command';
    $c->send({ seq => 902, type => 'response', request_seq => 1, success => $yes, command => 'x' });
    my $junk = '{"seq": 1, ';
    $c->raw('Content-Length: ' . length($junk) . "\r\n\r\n$junk");
    is $answer->('threads'), 'good', 'after a message that is not JSON, the next is answered';
    my $seq = 910;
    for my $case (['\u0000', 'U+0000'], ['\ud800', 'a lone high surrogate'], ['\udc00x', 'a lone low one'],
        ['\ud800\ud800', 'two high ones'], ["\xff", 'a byte that is not UTF-8'], ["\xc3", 'a character that is cut'],
        ["\xed\xa0\x80", 'a surrogate as UTF-8'], ["a\0b", 'a bare zero']) {
        my ($text, $what) = @$case;
        my $body = qq({"seq":$seq,"type":"request","command":"evaluate","arguments":{"expression":"print 1 $text"}});
        $c->raw('Content-Length: ' . length($body) . "\r\n\r\n$body");
        my $response = $c->response($seq++);
        ok !$response->{success}, "$what: the request fails";
        is $response->{command}, 'evaluate', '... and is answered by name';
        like $response->{body}{error}{format} . $response->{message}, qr/cannot be read|not text/, '... with a reason';
    }
    is $answer->('threads'), 'good', '... and the next is answered';
    like $c->outputs('important'), qr/is not JSON: line 1/, '... and the client is told';
    $c->raw("Content-Length: 99999999999\r\n\r\n");
    $c->take;
    is $c->finish, 0, 'a length that is too much ends the conversation';
    like join('', map { $_->{body}{output} // '' } @{ $c->{all} }), qr/8 MiB/, '... with a reason';
};

subtest 'the command line' => sub {
    my $program = $ENV{GPUDBG} // 'build/gpudbg';
    for (['--dap', '--batch'], ['--dap', '-e', 'quit'], ['--dap=70000'], ['--dap=x'], ['--dap', '-']) {
        my $text = `$program @$_ 2>&1 </dev/null`;
        is $? >> 8, 2, "@$_ is refused";
        like $text, qr/^gpudbg: [^\n]+; see gpudbg --help\n\z/, '... in a line';
    }
    my $c = Dap->start('--demo=matmul');
    $c->launch({});
    is $c->event('stopped')->{reason}, 'entry', 'a demo that the command line names is launched';
    is scalar @{ $c->ask('threads')->{threads} }, 64, '... as it stands';
    is $c->quit, 0, 'the client leaves';
    $c = Dap->start("$dir/none");
    like $c->request('initialize', { adapterID => 'x' })->{message}, qr/none/,
        'a file that does not exist is said to the client';
    $c->quit;
};
# Every switch of the protocol.  What is on has a row here, which says whether an exchange of messages makes use of it;
# the subtests above must have had one that succeeded.  What is off is explained in the help.
my %uses = (
    supportsConfigurationDoneRequest => sub ($said, $asked, $body) { $said eq 'configurationDone' },
    supportsFunctionBreakpoints => sub ($said, $asked, $body) {
        $said eq 'setFunctionBreakpoints' && grep { $_->{verified} } @{ $body->{breakpoints} };
    },
    supportsConditionalBreakpoints => sub ($said, $asked, $body) { set_with($asked, $body, 'condition') },
    supportsHitConditionalBreakpoints => sub ($said, $asked, $body) { set_with($asked, $body, 'hitCondition') },
    supportsEvaluateForHovers => sub ($said, $asked, $body) { ($asked->{context} // '') eq 'hover' },
    supportsStepBack => sub ($said, $asked, $body) { $said eq 'stepBack' },
    supportsSetVariable => sub ($said, $asked, $body) { $said eq 'setVariable' },
    supportsRestartFrame => sub ($said, $asked, $body) { $said eq 'restartFrame' },
    supportsGotoTargetsRequest => sub ($said, $asked, $body) { $said eq 'goto' && $asked->{targetId} },
    supportsStepInTargetsRequest => sub ($said, $asked, $body) { $said eq 'stepIn' && $asked->{targetId} },
    supportsCompletionsRequest => sub ($said, $asked, $body) { $said eq 'completions' && @{ $body->{targets} } },
    supportsModulesRequest => sub ($said, $asked, $body) { $said eq 'modules' && @{ $body->{modules} } },
    supportsRestartRequest => sub ($said, $asked, $body) { $said eq 'restart' },
    supportsValueFormattingOptions => sub ($said, $asked, $body) { ($asked->{format} // {})->{hex} },
    supportsExceptionInfoRequest => sub ($said, $asked, $body) { $said eq 'exceptionInfo' },
    supportsDelayedStackTraceLoading => sub ($said, $asked, $body) {
        $said eq 'stackTrace' && $asked->{startFrame} && @{ $body->{stackFrames} };
    },
    supportsLoadedSourcesRequest => sub ($said, $asked, $body) { $said eq 'loadedSources' && @{ $body->{sources} } },
    supportsLogPoints => sub ($said, $asked, $body) { set_with($asked, $body, 'logMessage') },
    supportsSetExpression => sub ($said, $asked, $body) { $said eq 'setExpression' },
    supportsTerminateRequest => sub ($said, $asked, $body) { $said eq 'terminate' },
    supportsDataBreakpoints => sub ($said, $asked, $body) {
        $said eq 'setDataBreakpoints' && grep { $_->{verified} } @{ $body->{breakpoints} };
    },
    supportsDataBreakpointBytes => sub ($said, $asked, $body) {
        $said eq 'dataBreakpointInfo' && $asked->{bytes} && defined $body->{dataId};
    },
    supportsReadMemoryRequest => sub ($said, $asked, $body) { $said eq 'readMemory' && length $body->{data} },
    supportsWriteMemoryRequest => sub ($said, $asked, $body) { $said eq 'writeMemory' && $body->{bytesWritten} },
    supportsDisassembleRequest => sub ($said, $asked, $body) { $said eq 'disassemble' },
    supportsCancelRequest => sub ($said, $asked, $body) { $said eq 'cancel' },
    supportsBreakpointLocationsRequest => sub ($said, $asked, $body) { $said eq 'breakpointLocations' },
    supportsClipboardContext => sub ($said, $asked, $body) { ($asked->{context} // '') eq 'clipboard' },
    supportsSteppingGranularity => sub ($said, $asked, $body) { $asked->{granularity} },
    supportsInstructionBreakpoints => sub ($said, $asked, $body) {
        $said eq 'setInstructionBreakpoints' && grep { $_->{verified} } @{ $body->{breakpoints} };
    },
    supportsExceptionFilterOptions => sub ($said, $asked, $body) { $asked->{filterOptions} },
    supportsSingleThreadExecutionRequests => sub ($said, $asked, $body) { $asked->{singleThread} },
);

# A breakpoint on a line that was set with this member.
sub set_with ($asked, $body, $member) {
    my ($points, $set) = ($asked->{breakpoints} // [], $body->{breakpoints} // []);
    return grep { $points->[$_]{line} && length($points->[$_]{$member} // '') && $set->[$_]{verified} } 0 .. $#$points;
}

subtest 'what this adapter says that it can do' => sub {
    my $c = Dap->start;
    my $abilities = $c->ask('initialize', { adapterID => 'gpudbg' });
    my @switch = grep { JSON::PP::is_bool($abilities->{$_}) } sort keys %$abilities;
    is scalar @switch, 37, 'all 37 switches are answered';
    my $program = $ENV{GPUDBG} // 'build/gpudbg';
    my $help = `$program --batch -e 'help dap'`;
    for my $switch (@switch) {
        my $short = $switch =~ s/^supports?//r =~ s/Requests?$//r;
        my ($says) = $help =~ /^  \Q$short\E +(on|off)\b/m;
        is $says, $abilities->{$switch} ? 'on' : 'off', "$short: as help dap says";
    }
    is_deeply [sort keys %uses], [grep { $abilities->{$_} } @switch], 'each one that is on has a row of uses';
    my @good = grep { $_->[2]{success} } @Dap::answered;
    for my $switch (sort keys %uses) {
        ok((grep { $uses{$switch}->($_->[0], $_->[1], $_->[2]{body} // {}) } @good), "$switch: has been used");
    }
    for my $off (['terminateThreads', { threadIds => [1] }], ['attach', { processId => 1 }]) {
        ok !$c->request(@$off)->{success}, "$off->[0]: refused";
    }
    my %answered = map { $_->[0] => 1 } @good;
    my ($table) = join '', lines('dap/requests.def');
    is_deeply [grep { !$answered{$_} } $table =~ /^REQUEST\("(\w+)"/mg], ['attach'],
        'every request has been answered, but for attach, which says what to do';
    $c->quit;
};
done_testing;
