#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `diffrun` and `diff`, on the demo that counts the steps of 3n + 1: what each run stores is worked out here.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $demo = "$FindBin::Bin/../../share/demo/collatz.co";
my $launch = 'launch collatz -g 64 -l 64 zero:256 64';
my ($count) = output('-e', 'disassemble', $demo) =~ /^\s*s_add_i32 s8, s8, 1\s+\/\/ (\w+)$/m;
my @steps = map { my ($n, $s) = ($_, 0); while ($n != 1) { $n = $n % 2 ? 3 * $n + 1 : $n / 2; $s++ } $s } 1 .. 64;
sub status { my (undef, undef, $status) = gpudbg(@_); return $status }
sub first {
    my ($type, @arguments) = @_;
    my ($record) = grep { $_->{type} eq $type } records(@arguments);
    return $record // {};
}
sub value { return $_[0]{value} =~ /^(-?\d+)/ ? $1 : undef }

# The same, and with a patch.
my $same = first('run-difference', commands($launch, qq(diffrun "$demo")), $demo);
ok($same->{equal}, 'a program is equal to itself');
is($same->{length}, $same->{other_length}, '... and both run as long');
is(status(commands($launch, qq(diffrun "$demo")), $demo), 0, '... exit status 0');
my @patched = ($launch, "patch *0x$count s_add_i32 s8, s8, 2", 'diffrun -n');
my $patch = first('run-difference', commands(@patched), $demo);
is($patch->{differ}, scalar(grep { $_ } @steps), 'with steps of 2, a byte of each count differs that is not 0');
my ($first) = grep { $steps[$_] } 0 .. 63;
is($patch->{element}, "steps[$first]", '... the first of them');
is(value($patch->{a}), 2 * $steps[$first], '... with the value of the patched run');
is(value($patch->{b}), $steps[$first], '... and of the one without it');
is($patch->{a}{lane}, $first, '... stored by its lane');
like($patch->{a}{text}, qr/store/, '... by a store');
my @origin = grep { $_->{type} eq 'origin' && $_->{depth} == 0 } records(commands(@patched), $demo);
like($origin[0]{text}, qr/s_add_i32 s8, s8, 2/, 'the origin in the first run is the patched instruction');
is(hex $origin[0]{pc}, hex $count, '... at its place');
like($origin[1]{text}, qr/s_add_i32 s8, s8, 1/, '... and in the other run the one that was there');
is(status(commands(@patched), $demo), 1, '... exit status 1');
my $changed = first('register-difference-run', commands(@patched), $demo);
is_deeply([hex $changed->{pc}, @$changed{qw(name a b)}], [hex $count, 's8', '0x2', '0x1'],
    'the first register that differs is what the patched instruction wrote');
my @way = grep { $_->{type} eq 'difference-step' } records(commands(@patched), $demo);
like($way[0]{text}, qr/store/, 'the way back begins with the store');
is_deeply([hex $way[-1]{pc}, @{$way[-1]}{qw(how name text other_text)}],
    [hex $count, 'value', '$s8', 's_add_i32 s8, s8, 2', 's_add_i32 s8, s8, 1'], '... and ends at the patch');
is(scalar(grep { $_->{other_text} } @way), 1, '... where alone the code differs');

# The patched file against the original, and another argument.
gpudbg(commands($patched[1], "save code $dir/wrong.co"), $demo);
my $file = first('run-difference', commands($launch, "diffrun $dir/wrong.co"), $demo);
is_deeply([$file->{element}, value($file->{b})], ["steps[$first]", 2 * $steps[$first]],
    'another file is compared alike');
my @fewer = commands($launch, 'diffrun -- collatz -g 64 -l 64 zero:256 60');
my $fewer = first('run-difference', @fewer, $demo);
is($fewer->{element}, 'steps[60]', 'with 60 numbers, the first that differs is number 60');
is(value($fewer->{a}), $steps[60], '... which the first run counts');
ok(!exists $fewer->{b}{position}, '... and the other run does not store');
my $register = first('register-difference-run', @fewer, $demo);
is_deeply([$register->{a}, $register->{b}], ['0x40', '0x3c'], 'the first register that differs holds the argument');
like($register->{text}, qr/s_load_dword/, '... which was just loaded');
@way = grep { $_->{type} eq 'difference-step' } records(@fewer, $demo);
my ($off) = grep { $_->{how} eq 'lane' } @way;
is($off->{lane}, 60, 'the way back passes the instruction that turned lane 60 off in one run');
like($off->{text}, qr/saveexec/, '... which writes the mask');
is_deeply([$way[-1]{how}, map { /^(\d+) \(/ } @{$way[-1]}{qw(a b)}], ['launch', 64, 60],
    '... and ends at the argument of the launches');

# An instruction that is not there.
@way = grep { $_->{type} eq 'difference-step' } records(commands($launch, "patch nop *0x$count", 'diffrun -n'), $demo);
is(hex $way[-1]{pc}, hex $count, 'an instruction that is not there is found');
like($way[-1]{text}, qr/s_nop/, '... in the first run');

# A run that ends early, by s_endpgm where the store's address was loaded, and by a fault at the store: its address's
# high half was v3.
sub last_step { return (grep { $_->{type} eq 'difference-step' } records(@_))[-1] // {} }
sub code_at {
    my ($text) = @_;
    return output('-e', 'disassemble', $demo) =~ m{^\s*\Q$text\E\s+// (\w+)$}m ? $1 : die $text;
}
my $load = code_at('s_load_dwordx2 s[0:1], s[4:5], 0x0');
my $last = last_step(commands($launch, "patch *0x$load s_endpgm", 'diffrun -n'), $demo);
is_deeply([$last->{how}, hex $last->{pc}, $last->{text}], ['way', hex $load, 's_endpgm'],
    'a wave that ends early: the instruction that ended it');
my $carry = code_at('v_addc_u32_e32 v1, vcc, v3, v1, vcc');
@way = grep { $_->{type} eq 'difference-step' }
    records(commands($launch, "patch *0x$carry v_mov_b32_e32 v1, 64", 'diffrun -n'), $demo);
is_deeply([$way[0]{how}, $way[0]{lane}, $way[0]{text} =~ /^(flat_store)/], ['ended', 1, 'flat_store'],
    'a fault: the instruction that the run did not get over, in the lane whose store is missing');
is_deeply([hex $way[-1]{pc}, $way[-1]{name}], [hex $carry, '$v1[1]'], '... back to where its address went astray');

# Rounds of a loop: a point of the Mandelbrot set leaves the loop in another round.  Its count differs, which no round
# computed wrongly; the loop's end does, for its sum, back to the patched subtraction.
my $mandelbrot = "$FindBin::Bin/../data/kernels/il/mandelbrot.il";
my @rounds = commands('patch *0x16c sub r4.x___, r4.y, r4.x',
    'launch -g 64,16 -l 16,4 uav0=zero:1024 cb0=hex:40000000100000002000000000000000', 'diffrun -n');
@way = grep { $_->{type} eq 'difference-step' } records(@rounds, $mandelbrot);
my ($out) = grep { $way[$_]{how} =~ /way|lane/ } 0 .. $#way;
like($way[$out // 0]{text}, qr/^breakc_relop\(ge\) r4\.z/, 'another round of a loop: the branch that leaves it');
is($way[$out // 0]{name}, '$r2.x[63]', '... is named for the count');
like($way[($out // 0) + 1]{text}, qr/^add r4\.__z_, r4\.x, r4\.y/, '... and what it tests comes next');
is($way[-1]{other_text}, 'sub r4.x___, r4.x, r4.y', '... back to the patch');

# The order of waves: without its first barrier the product is made of a tile that is not whole yet.
my ($barrier) = output('--demo=matmul', '-e', 'disassemble') =~ m{^\s*s_barrier\s+// (\w+)$}m;
my @early = ('--demo=matmul', commands("patch nop *0x$barrier", 'diffrun -n'));
@way = grep { $_->{type} eq 'difference-step' } records(@early);
is_deeply([$way[-1]{how}, hex $way[-1]{pc}, $way[-1]{other_text}], ['order', hex $barrier, 's_barrier'],
    'a barrier that is not there: where another wave goes on');
like($way[-1]{name}, qr/^lds:0x/, '... is named for what was not in LDS yet');
my ($told) = gpudbg(@early);
my ($more) = $told =~ /^  \.\.\. (\d+) more rounds of this instruction$/m;
my $alike = grep { $_->{name} eq '$v0[0]' } @way;
is($more, $alike - 2, 'steps that are alike are the first, the last and a count');

# A float stays one on its way: the last product of a sum goes astray (v_mac as v_sub), so the first element holds the
# difference of its factors.
my $share = "$FindBin::Bin/../../share/demo";
sub floats { my ($path) = @_; local (@ARGV, $/) = $path; return unpack 'f<*', <> }
my @product = ('--demo=matmul', commands('patch *0x17fc v_sub_f32 v0, v12, v13', 'diffrun -n'));
@way = grep { $_->{type} eq 'difference-step' } records(@product);
my $astray = (floats("$share/matmul_a.bin"))[63] - (floats("$share/matmul_b.bin"))[63 * 64];
is_deeply([map { [$_->{name}, $_->{a} =~ /^(\S+) \(/] } @way], [['c[0]', $astray], ['$v0[0]', $astray]],
    'an input is shown in the form of the element that was computed from it');

# A buffer and a file.
my @right = @steps;
$right[17]++;
spill("$dir/right", pack 'V*', @right);
spill("$dir/equal", pack 'V*', @steps);
my $buffer = first('buffer-difference', commands($launch, 'continue', "diff $dir/right arg 0"), $demo);
is($buffer->{element}, 'steps[17]', 'the first wrong element of a buffer');
is_deeply([map { /^(\d+)/ } @{$buffer}{qw(value expected_value)}], [$steps[17], $steps[17] + 1], '... both its values');
is($buffer->{lane}, 17, '... and the lane that wrote it');
is(status(commands($launch, 'continue', "diff $dir/right arg 0"), $demo), 1, '... exit status 1');
is(status(commands($launch, 'continue', "diff $dir/equal arg steps"), $demo), 0, 'an equal buffer: exit status 0');

# Positions, waves, exit status.
is(status(commands($launch, 'stepi 50', 'diff positions 20 20'), $demo), 0, 'a position is equal to itself');
my @state = grep { $_->{type} eq 'state-difference' }
    records(commands($launch, 'stepi 50', 'diff positions 36 37'), $demo);
is_deeply([map { [@$_{qw(name a b)}] } grep { $_->{name} eq 's8' } @state], [['s8', '0x0', '0x1']],
    'two positions differ in the count');
is(status(commands($launch, 'diff waves 0 0'), $demo), 0, 'a wave is equal to itself');
is(status(commands($launch, 'diff waves 0 7'), $demo), 2, 'a wave that is not there: exit status 2');
is(status(commands($launch, "diff $dir/nothing arg 0"), $demo), 3, 'a file that is not there: exit status 3');

# Two buffers: the first floats of the demo's matrices by Perl.
my $matrices = "$FindBin::Bin/../../share/demo";
my @floats = map { [unpack 'f<*', slurp("$matrices/matmul_$_.bin")] } qw(a b);
my ($apart) = grep { $floats[0][$_] != $floats[1][$_] } 0 .. $#{ $floats[0] };
my $product = "launch matmul -g 64,64 -l 16,16 zero:16384 \@$matrices/matmul_a.bin \@$matrices/matmul_b.bin 64";
my $pair = first('buffer-difference', commands($product, 'diff a b'), "$matrices/matmul.co");
is_deeply([@$pair{qw(name file element)}, map { ($pair->{$_} =~ /^(\S+)/)[0] + 0 } qw(value expected_value)],
    ['a', 'b', "a[$apart]", $floats[0][$apart], $floats[1][$apart]], 'two buffers, and the first element that differs');
is(status(commands($product, 'diff a a'), "$matrices/matmul.co"), 0, '... a buffer is equal to itself');
is(status(commands($product, 'diff a'), "$matrices/matmul.co"), 2, '... and one alone is asked for the other');
is(status(commands($launch, "diffrun $dir/nothing"), $demo), 3, '... also for diffrun');
is(status(commands('diffrun -n'), $demo), 2, 'no launch: exit status 2');

# A store of another value that a later store hides: alike at the end, and found among all stores.
my $hidden = spill("$dir/hidden.asm", <<~'END');
    v_mov_b32 v1, s0
    v_mov_b32 v2, s1
    v_mov_b32 v3, 5
    v_mov_b32 v4, 9
    flat_store_dword v[1:2], v3
    s_waitcnt vmcnt(0)
    flat_store_dword v[1:2], v4
    s_waitcnt vmcnt(0)
    s_endpgm
    END
gpudbg('--isa', 'gfx7', commands("assemble $hidden $dir/hidden.bin"));
sub hidden {
    my ($command) = @_;
    return ('--isa', 'gfx7', '--raw', commands('patch *8 v_mov_b32 v3, 6', 'launch -g 1 -l 1 buf0=zero:64 s[0:1]=&buf0',
        $command), "$dir/hidden.bin");
}
is(status(hidden('diffrun -n')), 0, 'a store that another one hides is no difference');
for my $command ('diffrun/all -n', 'diffrun /all -n', 'diff/all -n', 'diff /all -n') {
    my $all = first('run-difference', hidden($command));
    is_deeply([$all->{differ}, map { value($all->{$_}) } qw(a b)], [0, 6, 5], "... but for $command");
    is(status(hidden($command)), 1, '... exit status 1');
}
is(status(hidden($_)), 2, "$_ is refused: exit status 2")
    for 'diffrun/other -n', 'diff/other -n', 'diff/all waves 0 0', 'diffrun /all';
done_testing;
