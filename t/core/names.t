#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Names behind a $: one that was never set is an error, which offers the name that is like it; those of where one is
# have the values that follow from the sizes of the launch, in every lane, in the words of each debugger.
use v5.36;
use lib 't/lib';
use Dap;
use Gpudbg;
use Test::More;

sub answers ($files, @lines) {
    my @r = grep { $_->{type} =~ /^(?:value|error)$/ } records(@$files, commands(@lines));
    return map { $_->{type} eq 'error' ? "$_->{kind}: $_->{message}" : $_->{text} } @r;
}

# ---- Nothing unset is zero ----

for my $row (
    ['--demo=matmul', '$vcx', 'did you mean $vcc?'], ['--demo=matmul', '$vvc', 'did you mean $vcc?'],
    ['--demo=matmul', '$exce', 'did you mean $exec?'], ['--demo=matmul', '$_lan', 'did you mean $_lane?'],
    ['--demo=matmul', '$a', 'did you mean a?'], ['--demo=matmul', '$matmull', 'did you mean matmul?'],
    ['--demo=matmul', '$VCC', 'did you mean $vcc?'], ['--demo=dg1', '$tdr1', 'did you mean $tdr0?'],
    ['--demo=il', '$exex', 'did you mean $exec?'], ['--demo=il', '$uav0', 'did you mean uav0?'],
    ['--demo=matmul', '$counter', undef], ['--demo=matmul', '$_', undef], ['--demo=matmul', '$__', undef],
) {
    my ($demo, $name, $offer) = @$row;
    my ($error) = answers([$demo], "print $name");
    my $text = $offer ? "not set; $offer" : 'not set, and no register has this name';
    is $error, "no-such-name: $name: $text", "$demo: $name";
}
is((answers(['--demo=matmul'], 'set $counted = 1', 'print $counter'))[0],
    'no-such-name: $counter: not set; did you mean $counted?', 'a variable that was set is offered, too');
is((answers(['--demo=matmul'], 'print nosuch'))[0], 'no-such-name: no buffer, symbol or label "nosuch"',
    'an unknown word sends nobody to $nosuch');
is((answers(['--demo=matmul'], 'print vcc'))[0],
    'no-such-name: no buffer, symbol or label "vcc"; did you mean $vcc?', '... but to what there is');

# Nowhere, and never as "does not hold".
for my $line ('break *0x1708 if $vvc != 0', 'find-time $vcx == 1', 'find-time $position > 3 && $vcx == 1',
    'display $vcx', 'printf "%d", $vcx', 'x $vcx', 'set $v0[0] = $vcx', 'set $new += 1', 'print count($v0 > $vcx)',
    'print $v0[:] > $vcx', 'goto $vcx', 'watch *(u32*)a if $vcx') {
    my ($error) = answers(['--demo=matmul'], 'stepi 20', 'set $exec = 0', $line);
    like $error, qr/^no-such-name: \$(?:vcx|vvc|new): not set/, $line;
}
my ($text, $errors) = gpudbg('--demo',
    commands('stepi 20', 'if $vcx', 'echo yes', 'else', 'echo no', 'end', 'while $vcx', 'end'));
like $errors, qr/(?:\$vcx: not set.*\n.*){2}/, 'if and while';
unlike $text, qr/yes|no$/, '... and neither branch runs';

is_deeply [answers(['--demo=matmul'], 'print $_isvoid($x)', 'set $x = 0', 'print $_isvoid($x)', 'print $_isvoid($vcc)',
    'print $_isvoid($_)', 'x a', 'print $_isvoid($_)', 'print $_ == a', 'print $_isvoid($y) ? 7 : $y',
    'print $_isvoid($y) || $y > 3', 'init-if-undefined $x = 5', 'print $x', 'init-if-undefined $y = 5', 'print $y')],
    [1, 0, 0, 1, 0, 1, 7, 1, 0, 5], '$_isvoid asks, init-if-undefined sets';
is_deeply [answers(['--demo=matmul'], 'print $_isvoid($)', 'print $_isvoid($)', 'print $_isvoid($7)')], [1, 0, 1],
    '... of the value history, too';
my @malformed = map { "init-if-undefined $_" } '', '5', '$x', '$x == 3', 'a = 1';
is_deeply [map { s/: .*//r } answers(['--demo=matmul'], @malformed)], [('usage') x 5],
    'init-if-undefined wants a variable and its value';

my @code = answers(['--demo=matmul'], 'print $_exitcode', 'print $_isvoid($_exitcode)', 'continue', 'print $_exitcode',
    'reverse-stepi', 'print $_exitcode');
like $code[0], qr/^no-such-name: \$_exitcode: not set: the launch has not ended/, '$_exitcode before the end';
is_deeply [@code[1, 2]], [1, 0], '... which $_isvoid asks for; at the end it is 0';
like $code[3], qr/not set/, '... and before the end again it is not set';

# ---- Where one is ----

# Demo, groups, work-items of a group, lanes of a wave: as its .gdb launches it.
for my $row (['matmul', [4, 4, 1], [16, 16, 1], 64], ['il', [2, 2, 1], [16, 16, 1], 64],
    ['dg1', [4, 1, 1], [64, 1, 1], 16], ['mandelbrot', [5, 6, 1], [16, 4, 1], 64]) {
    my ($demo, $groups, $local, $lanes) = @$row;
    my $each = $local->[0] * $local->[1] / $lanes;
    for my $spot ([0, 0], [$each, 5], [$each > 1 ? $each + 1 : 2, $lanes - 1]) {
        my ($wave, $lane) = @$spot;
        my ($group, $index) = (int($wave / $each), $wave % $each);
        my $item = $index * $lanes + $lane;
        my @g = ($group % $groups->[0], int($group / $groups->[0]), 0);
        my @l = ($item % $local->[0], int($item / $local->[0]), 0);
        my %want = (
            '$_wave' => $wave, '$_thread' => $wave, '$_lane' => $lane, '$_group' => $group,
            '$_thread_workgroup_pos' => $index,
            '$_dispatch_pos' => "($g[0],$g[1],0)/$index", '$_workgroup_pos' => "($g[0],$g[1],0)",
            '$_lane_workgroup_pos' => "[$l[0],$l[1],0]",
            '$threadIdx' => "($l[0],$l[1],0)", '$blockIdx' => "($g[0],$g[1],0)",
            '$blockDim' => '(' . join(',', @$local) . ')', '$gridDim' => '(' . join(',', @$groups) . ')',
            (map { my $i = $_; ('$threadIdx.' . qw(x y z)[$i] => $l[$i], '$blockIdx.' . qw(x y z)[$i] => $g[$i],
                '$blockDim.' . qw(x y z)[$i] => $local->[$i], '$gridDim.' . qw(x y z)[$i] => $groups->[$i]) } 0 .. 2),
        );
        my @names = sort keys %want;
        my @is = answers(["--demo=$demo"], "wave $wave", "lane $lane", map { "print $_" } @names);
        is_deeply \@is, [@want{@names}], "$demo: wave $wave, lane $lane";
    }
    my @stop = grep { $_->{type} eq 'stop' && $_->{reason} eq 'breakpoint' } records("--demo=$demo",
        commands('stepi', 'break *$pc if $_lane_workgroup_pos == "[6,0,0]" && $blockIdx.x == 1', 'continue'));
    is $stop[0]{lane}, 6, "$demo: a condition is about each lane, and stops for the one that it holds for";
    is $stop[0]{group}[0], 1, '... in the group';
    is_deeply [answers(["--demo=$demo"], 'lane apply 3-5 print $_lane_workgroup_pos', 'print count($threadIdx.x < 3)')],
        ['[3,0,0]', '[4,0,0]', '[5,0,0]', 3 * ($local->[1] > 1 ? $lanes / $local->[0] : 1)], '... and so is lane apply';
}

like((answers(['--demo=il'], 'print $_lane_workgroup_pos + 1'))[0], qr/^syntax: "\[0,0,0\]" is a text/,
    'a text is no number');
is_deeply [answers(['--demo=il'], 'set $pos = $_lane_workgroup_pos', 'print $pos == "[0,0,0]"',
    'print $pos != "[0,0,0]"',
    'print "a" == "b"')], [1, 0, 0], 'a text is kept and compared';
is((gpudbg('--demo=il', commands('printf "%s;", $_dispatch_pos')))[0] =~ s/.*\n//r, '(0,0,0)/0;', 'printf %s');
like((answers(['--demo=il'], 'print $_lane_workgroup_pos == 3'))[0], qr/^syntax: a text is compared with a text/,
    '... and compared with a number, an error');
like((answers([], 'print $_lane'))[0], qr/^no-launch: /, 'without a launch they are errors');
my ($names) = gpudbg('--demo=matmul', commands('complete print $_', 'complete print $thr', 'help expressions'));
like $names, qr/^\Q$_\E$/m, "completion of $_" for qw($_lane_workgroup_pos $_exitcode $_isvoid $threadIdx);
like $names, qr/\Q$_\E/, "help of $_" for qw($_lane $_wave $_thread $_group $_dispatch_pos $_workgroup_pos
    $_lane_workgroup_pos $_exitcode $threadIdx.x $blockIdx.x $_isvoid);

my $c = Dap->start('--demo');
$c->launch({});
$c->event('stopped');
my $frame = $c->ask('stackTrace', { threadId => 1 })->{stackFrames}[0]{id};
my $said = $c->ask('evaluate', { expression => '$_lane_workgroup_pos', context => 'watch', frameId => $frame });
is "$said->{result} $said->{type}", '"[0,0,0]" text', 'an editor';
my $no = $c->request('evaluate', { expression => '$vcx', context => 'hover', frameId => $frame });
like JSON::PP::encode_json($no), qr/\$vcx: not set; did you mean \$vcc/, '... and a name that is not set';
$c->finish;

done_testing;
