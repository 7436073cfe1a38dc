#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Looking changes nothing: every command of `help`, with an assignment wherever an expression may stand, leaves the
# state of the machine as it was.  `set`, `print` and `output` are the exceptions, and the proof that the assignments
# would be seen.  With `set observer on` these are refused, too, and so is everything else that changes something.
use v5.36;
use lib 't/lib';
use Cwd 'abs_path';
use Dap;
use Files;
use Gpudbg;
use JSON::PP;
use Test::More;

my $top = abs_path('.');
$ENV{GPUDBG} = abs_path($ENV{GPUDBG} // 'build/gpudbg');
chdir $dir or die $!; # an assignment may be taken for the name of a file to write


# Runs lines as a script; the records.
sub script ($demo, @lines) {
    spill('script', join '', map { "$_\n" } @lines);
    return records("--demo=$demo", '-x', 'script');
}

my @names = map { $_->{name} } grep { $_->{type} eq 'help' && $_->{name} ne 'info' }
    records(commands('help', 'help info'));
cmp_ok scalar @names, '>', 150, 'commands that help lists';

# What each demo has that may be written: a register, memory, the pc, a variable.
my %writes = (
    matmul => ['$v0[0] = 5', '*(u32*)a = 9', '$pc = matmul', '$kept = 9', '$s1 += 1'],
    il => ['$r0.x = 5', '*(u32*)uav0 = 9', '$kept = 9'],
    dg1 => ['$r10.0 = 5', '*(u32*)out = 9', '$kept = 9'],
);
my @forms = ('%s', '(%s)', '*(%s)', '1 (%s)', '1 if %s', '*$pc if %s', '/x %s', '(%s),+8', '0 (%s) 1', 'pane (%s)',
    '$fresh = (%s)');

sub hash_of ($r) { return $r->{value} // $r->{hash} }

for my $demo (sort keys %writes) {
    my ($register, @other) = @{ $writes{$demo} };
    my @assignments = sampled($register, @other);
    my @start = ('set shell off', 'set $kept = 4', 'stepi 60', 'reverse-stepi 30', 'break *$pc', 'display 1');
    my %changes = map { $_ => 1 } qw(set print output quit);
    my (@lines, @cases);
    for my $name (grep { !$changes{$_} } @names) {
        for my $form (@forms) {
            for my $assignment (@assignments) {
                push @cases, sprintf "%s $form", $name, $assignment;
                push @lines, $cases[-1], 'end', 'info hash', 'printf "kept %d", $kept';
            }
        }
    }
    my @seen = script($demo, @start, 'info hash', @lines);
    my @hash = map { hash_of($_) } grep { $_->{type} eq 'hash' } @seen;
    my @kept = map { $_->{type} eq 'text' && $_->{text} =~ /^kept (\d+)/ ? $1 : () } @seen;
    my $want = shift @hash;
    is scalar @hash, scalar @cases, "$demo: " . @cases . ' questions were asked';
    my @wrong = map { $cases[$_] } grep { $hash[$_] ne $want } 0 .. $#hash;
    is_deeply \@wrong, [], '... and none of them changed the machine';
    is_deeply \@kept, [(4) x @cases], '... or a variable';
    my $refused = grep { $_->{type} eq 'error' && $_->{message} =~ /use == to compare; set changes a value/ } @seen;
    cmp_ok $refused, '>', @cases / 10, "... $refused were refused for that reason";

    for my $assignment (@{ $writes{$demo} }) {
        for my $command (qw(set print output)) {
            my @r = script($demo, @start, 'info hash', "$command $assignment", 'info hash', 'output $kept');
            my ($before, $after) = map { hash_of($_) } grep { $_->{type} eq 'hash' } @r;
            my $changed = $assignment =~ /kept/ ? $r[-1]{text} eq '9' : $before ne $after;
            ok $changed, "$demo: $command $assignment is made";
            @r = script($demo, @start, 'info hash', 'set observer on', "$command $assignment", 'info hash');
            my ($error) = grep { $_->{type} eq 'error' } @r;
            ($before, $after) = map { hash_of($_) } grep { $_->{type} eq 'hash' } @r;
            is $before, $after, '... and not in observer mode';
            $assignment =~ /kept/ ? is($error, undef, '... but for variables')
                : like $error->{message}, qr/^observer mode: /, '... for that reason';
        }
    }
}

subtest 'what is refused says so when it is set, and is of kind usage' => sub {
    my @refused = ('break *0x1708 if $v0[0] = 5', 'tbreak *0x1708 if $v0[0] = 5', 'find-time ($v0[0] = 5)',
        'find-time $position > 99 && ($v0[0] = 5)', 'display $v0[0] = 5', 'watch *(u32*)a if $v0[0] = 1',
        'last-write ($s5 = 1)', 'next-write ($s5 = 1)', 'origin ($s5 = 1)', 'info writes ($s5 = 1)',
        'info line *($s5 = 1)', 'list *($s5 = 1)', 'disassemble ($s5 = 1)', 'goto ($s5 = 1)', 'x ($s5 = 1)',
        'printf "%d", $s5 = 1', 'info symbol ($s5 = 1)', 'lane ($s5 = 1)', 'print count($v0 += 1) = 3');
    for my $line (@refused) {
        my @error = grep { $_->{type} eq 'error' } records('--demo', commands('stepi 20', $line));
        is $error[0] && $error[0]{kind}, $line =~ /^print / ? 'syntax' : 'usage', $line;
    }
    my $co = "$top/share/demo/matmul.co";
    for my $line ('break matmul if $v0[0] = 5', 'display $v0[0] = 5', 'break matmul if $vvc != 0') {
        my @error = grep { $_->{type} eq 'error' } records($co, commands($line));
        is scalar @error, 1, "$line, while nothing is launched";
    }
};

subtest 'a session from a stranger writes nothing' => sub {
    my ($plain) = map { hash_of($_) } grep { $_->{type} eq 'hash' } records('--demo', commands('stepi 9', 'info hash'));
    records('--demo', commands('stepi 9', 'display $v0', 'break *0x1708 if $v0 == 1', 'save session mine.gpudbg'));
    my $text = do { local (@ARGV, $/) = 'mine.gpudbg'; <> };
    my $changed = $text =~ s/^display .*$/display - 0 "*(u32*)a = 9"/mr =~ s/"?\$v0 == 1"?/"*(u32*)a = 9"/r;
    isnt $changed, $text, 'it assigns in a display and in a condition';
    spill('theirs.gpudbg', $changed);
    my @r = records('theirs.gpudbg',
        commands('info hash', 'display', 'reverse-stepi 9', 'continue', 'goto 9', 'info hash'));
    my @hash = map { hash_of($_) } grep { $_->{type} eq 'hash' } @r;
    is_deeply \@hash, [$plain, $plain], 'the machine is as it was saved, also after a stop at that condition';
    my ($display) = grep { $_->{type} eq 'display' } @r;
    like $display->{text}, qr/use == to compare/, 'the display says why it shows nothing';
    my @stop = grep { $_->{type} eq 'stop' && $_->{reason} eq 'breakpoint' } @r;
    like $stop[0]{message}, qr/cannot be evaluated: use == to compare/, '... and so does the breakpoint';
};

subtest 'an editor' => sub {
    my $c = Dap->start('--demo');
    $c->launch({});
    $c->event('stopped');
    my $hash = sub { $c->ask('evaluate', { expression => 'info hash', context => 'repl' })->{result} };
    my $frame = $c->ask('stackTrace', { threadId => 1 })->{stackFrames}[0]{id};
    my $before = $hash->();
    for my $context (undef, qw(hover watch variables clipboard)) {
        my $r = $c->request('evaluate', { expression => '$v0[0] = 5', frameId => $frame,
            $context ? (context => $context) : () });
        ok !$r->{success}, 'an assignment fails in context ' . ($context // 'none');
        is $hash->(), $before, '... and changes nothing';
    }
    $c->ask('evaluate', { expression => '$v0[0] = 5', context => 'repl' });
    my $after = $hash->();
    isnt $after, $before, 'at the prompt it is made';
    $c->ask('evaluate', { expression => 'set observer on', context => 'repl' });
    my %scope = map { $_->{name} => $_->{variablesReference} } @{ $c->ask('scopes', { frameId => $frame })->{scopes} };
    my ($reference) = grep { $_ } @scope{grep { /register|scalar/i } sort keys %scope};
    my $list = $c->ask('variables', { variablesReference => $reference })->{variables};
    my ($variable) = grep { $_->{name} =~ /^s\d/ } @$list;
    my $memory = $c->ask('evaluate', { expression => 'a' })->{memoryReference};
    for my $request (['setVariable', { variablesReference => $reference, name => $variable->{name}, value => '7' }],
        ['setExpression', { expression => '$s1', value => '7', frameId => $frame }],
        ['writeMemory', { memoryReference => $memory, data => 'AAAA' }],
        ['evaluate', { expression => '$v0[0] = 6', context => 'repl' }], ['restart', {}]) {
        my $r = $c->request(@$request);
        ok !$r->{success}, "observer mode refuses $request->[0]";
        like encode_json($r), qr/observer mode/, '... and says why';
        is $hash->(), $after, '... and nothing has changed';
    }
    $c->finish;
};

subtest 'observer mode' => sub {
    spill('bytes', 'x' x 16);
    records('--demo', commands('save session saved.gpudbg'));
    my @changes = ('set $pc = matmul', 'patch *0x1708 s_nop 0', 'patch nop *0x1708', "load $top/share/demo/il.il",
        "file $top/share/demo/dg1.co", 'launch matmul -g 16,16 -l 16,16 zero:1024 zero:1024 zero:1024 16', 'run',
        'kill', 'restore bytes binary a', 'barrier', "add-code bytes", 'load saved.gpudbg', 'set il dmovc manual');
    for my $change (@changes) {
        my @r = records('--demo', commands('stepi 9', 'info hash', 'set observer on', $change, 'info hash'));
        my ($error) = grep { $_->{type} eq 'error' } @r;
        like $error->{message} // '', qr/^observer mode: nothing may be changed/, $change;
        is $error->{kind}, 'not-now', '... is not possible now';
        my ($before, $after) = map { hash_of($_) } grep { $_->{type} eq 'hash' } @r;
        is $after, $before, '... and changes nothing';
    }
    my @r = records('--demo', commands('stepi 9', 'info hash', 'set observer on', 'stepi', 'continue', 'goto 0',
        'until', 'find-time $scc == 1', 'reverse-continue', 'goto 9', 'info hash', 'set $x = 1', 'break *$pc',
        'display $x',
        'set observer off', 'set $v0[0] = 5', 'info hash'));
    is_deeply [map { $_->{message} } grep { $_->{type} eq 'error' } @r], [], 'running, time travel and variables work';
    my @hash = map { hash_of($_) } grep { $_->{type} eq 'hash' } @r;
    is $hash[1], $hash[0], '... and come back to the same state';
    isnt $hash[2], $hash[0], 'with observer off, changes are made again';
    my ($text, $errors) = gpudbg("$top/share/demo/collatz.co", commands('set observer on', 'load saved.gpudbg'));
    is $errors, '', 'with nothing launched, a session can be opened';
};

chdir $top;
done_testing;
