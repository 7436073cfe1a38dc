#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `patch`, `unpatch`, `info patches`, `save code`: a kernel with a wrong instruction is mended while it runs.  What the
# kernel must leave is worked out here, in Perl.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use JSON::PP ();
use Test::More;

my $save = "save arg 0 $dir/out";
my $demo = "$FindBin::Bin/../../share/demo/collatz.co";
my $launch = 'launch collatz -g 64 -l 64 zero:256 64';

sub run_of { my ($out, $err, $status) = gpudbg(@_); return { out => $out, err => $err, status => $status } }
sub add { return "patch *0x$_[0] s_add_i32 s8, s8, $_[1]" }    # steps are counted by this many
sub of { my ($file, @commands) = @_; return run_of(commands(@commands), $file) }

# Steps of 3n + 1 (or 3n + k) down to 1, by counts of `by`.
sub steps {
    my ($by) = @_;
    return map { my ($n, $s) = ($_, 0); while ($n != 1) { $n = $n % 2 ? 3 * $n + 1 : $n / 2; $s += $by } $s } 1 .. 64;
}
sub result { return unpack 'V*', slurp("$dir/out") }

# The count of steps stands in one instruction of the listing.
my ($count) = output('-e', 'disassemble', $demo) =~ /^\s*s_add_i32 s8, s8, 1\s+\/\/ (\w+)$/m;
ok($count, 'the demo has its instruction');

is(of($demo, $launch, 'continue', $save)->{status}, 0, 'the demo runs');
is_deeply([result()], [steps(1)], '... and counts the steps');

# Patched before the launch.
my $run = of($demo, add($count, 2), $launch, 'continue', $save);
is($run->{status}, 0, 'an instruction is patched') or diag $run->{err};
is_deeply([result()], [steps(2)], '... and the launch runs the patch');

# Patched after the run: time goes back to where the instruction was first executed, and all before it stays.
$run = of($demo, $launch, 'continue', add($count, 2), 'print $pc', 'continue', $save, 'info hash', 'run',
    'continue', 'info hash');
is($run->{status}, 0, 'an instruction that was executed is patched') or diag $run->{err};
like($run->{out}, qr/time went back to (\d+)/, '... and time goes back');
like($run->{out}, qr/= 0x$count\b/i, '... to the instruction');
is_deeply([result()], [steps(2)], '... and running goes on with the patch');
my @hashes = $run->{out} =~ /^hash (\w+)/mg;
is($hashes[0], $hashes[1], '... to the state that a new launch ends in');

# Back and forth across a patch.
$run = of($demo, $launch, 'stepi 100', 'info hash', 'stepi 400', add($count, 2), 'continue', 'goto 20', 'info hash',
    'goto 1000000', $save);
is_deeply([result()], [steps(2)], 'going back and forward repeats the patched program');
$run = of($demo, $launch, "break *0x$count", 'continue', add($count, 3), 'delete', 'continue', $save);
is_deeply([result()], [steps(3)], 'the instruction that a breakpoint stands before is patched');
$run = of($demo, $launch, "break *0x$count", 'continue', add($count, 3), 'continue', 'print $s8');
like($run->{out}, qr/= 3\b/, '... and the breakpoint stays');

# A wrong kernel is mended in the middle of its run, and saved.
is(of($demo, add($count, 2), "save code $dir/wrong.co")->{status}, 0, 'a patched file is saved');
my ($was, $is) = (slurp($demo), slurp("$dir/wrong.co"));
is(length $is, length $was, '... as large as it was');
is(scalar(grep { substr($was, $_, 1) ne substr($is, $_, 1) } 0 .. length($was) - 1), 1, '... with one byte changed');
$run = of("$dir/wrong.co", $launch, 'continue', $save);
is_deeply([result()], [steps(2)], '... and it runs');
$run = of("$dir/wrong.co", $launch, 'stepi 300', "patch -f *0x$count ssrc1=129", 'continue', $save,
    "save code $dir/right.co", 'info patches');
is_deeply([result()], [steps(1)], 'a field is mended in the middle of the run, and the result is right');
is(slurp("$dir/right.co"), $was, '... and what is saved is the file that was never wrong');
like($run->{out}, qr/0x$count +4 .*ssrc1=129/, '... and `info patches` lists it');

# unpatch.
$run = of($demo, add($count, 2), $launch, 'continue', "unpatch *0x$count", 'continue', $save, 'info patches');
is_deeply([result()], [steps(1)], 'a patch is taken back, and the run goes on without it');
like($run->{out}, qr/^No patches\.$/m, '... and is listed no more');
is(of($demo, 'unpatch all')->{err} =~ /no patches/ ? 1 : 0, 1, 'there must be one');

# nop, sizes, places.
$run = of($demo, 'info symbol collatz', 'patch nop collatz', 'disassemble collatz');
like($run->{out}, qr/s_nop 0/, 'an instruction becomes one that does nothing');
$run = of($demo, "patch *0x$count s_add_i32 s8, s8, 0x12345");
like($run->{err}, qr/4 bytes are missing: the text takes 8, and the instruction at 0x$count has 4/i,
    'a longer text is refused, with the bytes that are missing');
$run = of($demo, 'patch *0x1 s_nop 0');
is($run->{status}, 1, 'a place without code is refused');
$run = of($demo, sprintf('patch *0x%x s_nop 0', 1 + hex $count));
like($run->{err}, qr/inside of an instruction/, 'a place inside of an instruction is refused');
my ($long) = output('-e', 'disassemble', $demo) =~ /^\s*v_mad_u64_u32 .*\/\/ (\w+)$/m; # of 8 bytes
for my $command ('patch *0x%x s_nop 0', 'break *0x%x') {
    $run = of($demo, sprintf $command, 4 + hex $long);
    like($run->{err}, qr/0x[0-9a-f]+ is inside of the instruction at 0x$long/,
        "$command: its second half is refused, too");
}
$run = of($demo, "patch *0x$count s_add_i33 s8");
like($run->{err}, qr/gfx7 has no instruction "s_add_i33"; "s_add_i32"/, 'what is no instruction is refused');
$run = of($demo, "patch -f *0x$count sscr1=1");
like($run->{err}, qr/no field "sscr1"; it has ssrc0 ssrc1 sdst op encoding/, 'a field that is not there is refused,
    and those that are there are named');
$run = of($demo, "patch -f *0x$count ssrc1=256");
like($run->{err}, qr/8 bits: 0 to 0xff/, 'a value that is too large is refused');

# A free place: bare code with room behind its end.
sub bare { open my $f, '>:raw', "$dir/bare.bin" or die; print $f pack 'V*', @_; close $f; return "$dir/bare.bin" }
# s_mov_b32 s0, 1; s_add_u32 s0, s0, 1; s_endpgm
my $bare = bare(0xbe800381, 0x80008100, 0xbf810000, (0) x 8);
$run = run_of('--isa', 'gfx7', '--raw', commands('patch -m *4 s_add_u32 s0, s0, 0x12345', 'disassemble',
    'launch -g 64 -l 64', 'stepi 4', 'print $s0'), $bare);
is($run->{status}, 0, 'a longer text is moved to a free place') or diag $run->{err};
like($run->{out}, qr/s_branch.*s_endpgm.*s_add_u32 s0, s0, 0x12345.*s_branch/s, '... with a jump there and one back');
like($run->{out}, qr/= (?:0x12346|74566)\b/, '... and it runs there');
$run = run_of('--isa', 'gfx7', '--raw', commands('patch -m *4 s_add_u32 s0, s0, 0x12345'), bare(0xbe800381,
    0x80008100, 0xbf810000));
like($run->{err}, qr/no free place of 12 bytes/, 'where there is no free place, that is said');

# Records.
my ($record) = records(commands(add($count, 2)), $demo);
is($record->{type}, 'patch', 'a patch is a record');
is($record->{size}, 4, '... with its size');
done_testing;
