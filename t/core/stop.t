#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Breakpoints, watchpoints and what is said at a stop, on the matrix multiply of share/demo.  What registers must hold
# at a stop is worked out here from the two matrices.
use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use JSON;
use Test::More;

my $gpudbg = Gpudbg::program();
my $demo = 'share/demo';
my $launch = "launch matmul -g 64,64 -l 16,16 zero:16384 \@$demo/matmul_a.bin \@$demo/matmul_b.bin 64";

# Output lines (records with --json) of a batch of commands, and the exit status.
sub batch {
    my ($json, @commands) = @_;
    my ($text, undef, $status) = gpudbg($json ? '--json' : (), commands(@commands), "$demo/matmul.co");
    my @lines = split /\n/, $text;
    return ($json ? [map { decode_json($_) } @lines] : \@lines, $status);
}

sub stops { return grep { $_->{type} eq 'stop' } @{(batch(1, $launch, @_))[0]} }

sub floats {
    my ($file) = @_;
    open my $in, '<:raw', "$demo/$file" or die "$file: $!";
    local $/;
    return unpack 'f<*', <$in>;
}
my @a = floats('matmul_a.bin');
my @b = floats('matmul_b.bin');

# The first n products of an element of the result, summed in order.
sub partial_sum {
    my ($row, $col, $n) = @_;
    my $sum = 0;
    $sum = unpack 'f<', pack 'f<', $sum + $a[$row * 64 + $_] * $b[$_ * 64 + $col] for 0 .. $n - 1;
    return $sum;
}

# The instruction that adds the next product, found by its text.
my ($listing) = batch(0, 'disassemble /r matmul');
my ($mac) = map { /^\s*(?:0x)?([0-9a-f]+):.*v_mac_f32\S* (v\d+),/ ? [$1, $2] : () } @$listing;
my ($at, $sum) = @$mac;

# Wave 2 of a group of 16 x 16 holds rows 8 to 11: lane 37 is row 10, column 5.
my $values = sub {
    my ($lines) = batch(0, $launch, "break *0x$at wave 2", @_);
    return map { /^\$\d+ = (-?[\d.]+)/ ? $1 + 0 : () } @$lines;
};
is_deeply([$values->('ignore 1 20', 'continue', "print/f \$${sum}[37]")], [partial_sum(10, 5, 20)],
    'a breakpoint of one wave, its first 20 hits ignored, stops before the 21st product is added');
is_deeply([$values->('ignore 1 20', 'continue', 'reverse-continue', "print/f \$${sum}[37]")], [partial_sum(10, 5, 19)],
    'reverse-continue stops at the hit before');
is_deeply([$values->('ignore 1 20', 'continue', 'goto 0', 'continue', "print/f \$${sum}[37]")],
    [partial_sum(10, 5, 0)], 'from the launch on again it stops at the first hit, since nothing is ignored any more');
is_deeply([$values->('ignore 1 20', 'continue', 'stepi', "print/f \$${sum}[37]", 'reverse-stepi',
    "print/f \$${sum}[37]")], [partial_sum(10, 5, 21), partial_sum(10, 5, 20)],
    'a step adds one product, a step back takes it off');

# ---- Lanes ----

# At the entry v0 and v1 are the work-item's x and y: y = 6 is lanes 32 to 47 of wave 1.
my ($lines) = batch(0, $launch, 'break *0x1704 if $v1 == 6', 'continue');
is($lines->[-1], 'Breakpoint 1, wave 1, lane 32 at matmul+0x4: s_load_dwordx2 s[8:9], s[4:5], 0x4',
    'a condition on a vector register stops at the first wave and lane where it holds');
is((stops('break *0x1704 if $v1[20] == 5', 'continue'))[0]{lane}, 20, 'a condition that names a lane reports it');
is((stops('break *0x1704 if($v1[20]==5)', 'continue'))[0]{lane}, 20, '... also where no blank is behind the if');
is((stops('break *0x1704 lane 50 if $v1 == 3 || $v1 == 7', 'continue'))[0]{lane}, 50, 'as does a breakpoint of a lane');
my @never = stops('break *0x1704 if $v1 == 99', 'continue');
is($never[0]{reason}, 'done', 'a condition that never holds does not stop');
is($never[0]{position}, 45760, 'and the whole program runs');

# ---- Temporary, deleted, disabled ----

is_deeply([map { $_->{reason} } stops('tbreak *0x1704', 'continue', 'continue')], ['breakpoint', 'done'],
    'a temporary breakpoint stops once');
is_deeply([map { $_->{reason} } stops('break *0x1704', 'continue', 'disable 1', 'continue')], ['breakpoint', 'done'],
    'a disabled one does not stop');
is_deeply([map { $_->{wave} } stops('break *0x1704', 'disable 1', 'enable 1', 'continue', 'continue', 'continue')],
    [0, 1, 2], 'enabled again it stops every wave once, in order');

# ---- Watchpoints ----

my ($watch) = stops('watch *(u32*)(c + 4 * (10 * 64 + 5))', 'continue');
is($watch->{reason}, 'watchpoint', 'a watchpoint stops');
is($watch->{wave}, 2, 'in the wave that stores there');
is($watch->{old}, '00000000', 'with what was there');
is(unpack('f<', pack('H*', $watch->{new})), partial_sum(10, 5, 64), 'and what is there now: the whole sum');
like($watch->{message}, qr/after matmul\+0x138: flat_store_dword/, 'naming the instruction that stored');
is($watch->{lane}, 37, 'the lane that stored is selected');
is("$watch->{old_value} $watch->{new_value}", '0 ' . unpack('V', pack 'H*', $watch->{new}),
    'the values as the watched type has them');
is($watch->{elements}, 1, 'one element of it was stored');
my ($buffer) = stops('watch c', 'continue');
is("@$buffer{qw(wave lane element elements)}", '0 0 c[0] 64',
    'a whole buffer: which element, by which lane, and how many more');
is("@$buffer{qw(old_value new_value)}", '0.0 ' . real(sprintf '%.9g', partial_sum(0, 0, 64)),
    '... in the type of its elements');
my ($element) = stops('watch c[17]', 'continue');
is("@$element{qw(wave lane element elements)}", '4 1 c[17] 1', 'an element: the wave and the lane that stored it');
my $said = join "\n", @{(batch(0, $launch, 'watch c', 'continue', 'watch c[17]', 'delete 1', 'continue'))[0]};
like($said, qr/^  c\[0\]: 0\.0 -> [-\d.]+, wave 0, lane 0 \(and 63 more elements\)$/m, 'in words');
like($said, qr/^  c\[17\]: 0\.0 -> -3\.75, wave 4, lane 1$/m, '... of an element');
# An element that is named by its address is that element, wherever it is spoken of.
my %place = ('c+68' => ['c[17]', 4], 'a+452' => ['a[113]', 4], '&c[3]' => ['c[3]', 4], 'c+68,4' => ['c[17]', 4],
    'c+66' => ['c+66', 4], 'c+72,8' => ['c+72,8', 8], 'c' => ['c', 16384]);
for my $typed (sort keys %place) {
    my ($name) = @{$place{$typed}};
    my $text = join "\n", @{(batch(0, $launch, "watch $typed", 'info watchpoints', 'delete', 'continue',
        "last-write $typed"))[0]};
    like($text, qr/^Watchpoint 1 at \Q$name\E$/m, "$typed: the watchpoint is at $name");
    like($text, qr/^1 +watchpoint +on +0x[0-9a-f]+ +\Q$name\E /m, '... in the table');
    like($text, qr/^\Q$name\E: (?:position|no instruction)/m, '... and its last write');
}
my $one = join "\n", @{(batch(0, $launch, 'watch c+68', 'continue', 'origin c+68', 'info writes c+68'))[0]};
like($one, qr/^Watchpoint 1 \(c\[17\]\), .*\n  c\[17\]: 0\.0 -> -3\.75, wave 4, lane 1$/m, 'a stop names it once');
like($one, qr/^c\[17\] = -3\.75 \(0xc0700000\): position/m, 'where it comes from, in its type');
like($one, qr/^ *\d+ +4 +1 +0\.0 \(0x00000000\) +-3\.75 \(0xc0700000\) /m, 'its writes, too');
my @twice = stops('watch *(u32*)(c + 4 * (10 * 64 + 5))', 'continue', 'continue', 'reverse-continue');
is_deeply([map { $_->{reason} } @twice], ['watchpoint', 'done', 'watchpoint'], 'backwards it is found too');
is($twice[2]{position}, $twice[0]{position}, 'at the same position');

# ---- A change in the middle ----

my $dir = tempdir(CLEANUP => 1);
batch(0, $launch, "break *0x$at wave 2", 'ignore 1 20', 'continue', 'stepi 3', 'reverse-stepi 3',
    "set \$${sum}[37] = 0", 'delete', 'goto +1000', 'goto -700', 'continue', "save arg 0 $dir/c.bin");
open my $saved, '<:raw', "$dir/c.bin" or die "$dir/c.bin: $!";
my @c = unpack 'f<*', do { local $/; <$saved> };
my @want = map { my $row = $_; map { partial_sum($row, $_, 64) } 0 .. 63 } 0 .. 63;
$want[10 * 64 + 5] -= partial_sum(10, 5, 20); # exact: the matrices hold quarters
is_deeply(\@c, \@want, 'a sum set to 0 after 20 products lacks them in the end, and nothing else is changed');

# ---- Faults and ends ----

my $small = "launch matmul -g 64,64 -l 16,16 zero:1000 \@$demo/matmul_a.bin \@$demo/matmul_b.bin 64";
my ($fault, $status) = batch(1, $small, 'continue', 'continue');
my @faults = grep { $_->{type} eq 'stop' } @$fault;
is($faults[0]{reason}, 'fault', 'a store past the end of a buffer is a fault');
# Row 4, the first of wave 1, begins at byte 1024.
my $past = qr/24 bytes past the end of 'c' \(1000 bytes\)/;
like($faults[0]{message},
    qr/^Fault, wave 1, lane 0 at matmul\+0x138: flat_store_dword .* \(matmul\.cl:23\): store of 4 (?#
        )bytes at 0x[0-9a-f]+, lane 0: $past$/,
    'which names kernel, instruction, lane, argument and offset');
is($status, 1, 'the exit status is 1');
is($faults[1]{position}, $faults[0]{position}, 'going on is the same fault again');
my ($limited) = stops('set step-limit 1000', 'continue');
is_deeply([@$limited{'reason', 'position'}], ['interrupt', 1000], 'a limit on steps interrupts, to the instruction');
my @start = stops('stepi 7', 'reverse-continue');
is_deeply([map { $_->{reason} } @start], ['step', 'history-start'], 'back to the start of history');
is($start[1]{position}, 0, 'which is position 0');

# A breakpoint on an instruction that VSKIP passes over: s_setvskip 1, 0; v_mov_b32 v1, 7; s_endpgm (assembled by LLVM).
open my $skip, '>:raw', "$dir/skip" or die;
print $skip pack 'V*', 0xbf108081, 0x7e020287, 0xbf810000;
close $skip;
for my $break ('break *4', 'info isa') {
    open my $out, '-|', $gpudbg, '--batch', '--json', '--isa', 'gfx7', '--raw', "$dir/skip",
        map { ('-e', $_) } 'launch -g 64 -l 64', $break, 'continue', 'stepi', 'print $v1[0]' or die;
    my ($printed) = grep { /"type": *"value"/ } <$out>;
    is($printed && decode_json($printed)->{value}, '0x0', "$break: a skipped instruction stays skipped");
}

# ---- Several points at one place ----

my $near = sub { my ($type, @commands) = @_; return grep { $_->{type} eq $type } @{(batch(1, $launch, @commands))[0]} };
{
    my @both = ("break *0x$at wave 2", "tbreak *0x$at wave 2", 'continue');
    my ($stop) = $near->('stop', @both);
    like($stop->{message}, qr/^Breakpoint 1, .*; breakpoint 2, too$/, 'two breakpoints at one place stop together');
    my %points = map { $_->{number} => $_ } $near->('breakpoint', @both, 'info breakpoints');
    my @left = grep { $_->{hits} } $near->('breakpoint', @both, 'info breakpoints');
    is_deeply([map { [@$_{qw(number hits)}] } @left], [[1, 1]], '... both are hit, and the temporary one is gone');
    ok(!grep({ $_->{state} eq 'on, once' && $_->{hits} } values %points), '... at once');
}
{
    # The store of c[0] .. by the watchpoint's own stop, and a breakpoint on the instruction behind it.
    my ($watch) = $near->('stop', 'watch c+64', 'continue');
    my ($stop, $next) = $near->('stop', 'watch c+64', "break *$watch->{pc} wave $watch->{wave}", 'continue',
        'continue');
    like($stop->{message}, qr/^Watchpoint 1 .*; breakpoint 2, too$/,
        'a breakpoint behind the store is met with the watchpoint');
    is($next->{reason}, 'done', '... and not once more');
    my ($point) = grep { $_->{number} == 2 && $_->{hits} } $near->('breakpoint', 'watch c+64',
        "break *$watch->{pc} wave $watch->{wave}", 'continue', 'info breakpoints');
    is($point->{hits}, 1, '... which counts');
    my ($number) = $near->('stop', 'watch c+64', 'continue');
    is_deeply([@$number{qw(element old_value)}], ['c[16]', '0.0'],
        'an address in a buffer is its element, in its type');
    isnt($number->{new_value}, undef, '... before and after');
    # Lane 16 of the wave holds row 1, so c+64 is stored by lane 0 of the wave that has column 16, row 0.
    my ($lane) = $near->('stop', 'watch c+64 lane 0', 'continue');
    is($lane->{wave}, $watch->{wave}, 'a watchpoint of the lane that stores is met');
    ($lane) = $near->('stop', 'watch c+64 lane 5', 'continue');
    is($lane->{reason}, 'done', '... and one of a lane that stores elsewhere is not');
}
{
    my @stops = $near->('stop', 'break *matmul+4', 'stepi', 'stepi', 'continue');
    is_deeply([map { $_->{reason} } @stops[0, 1]], ['breakpoint', 'step'], 'a step that comes to a breakpoint says so');
    my ($point) = grep { $_->{hits} } $near->('breakpoint', 'break *matmul+4', 'stepi', 'info breakpoints');
    is($point->{hits}, 1, '... and counts it');
    @stops = $near->('stop', 'break *matmul+4 if $s0 == 12345', 'stepi');
    is($stops[0]{reason}, 'step', '... unless its condition does not hold');
}
{
    my @there = ("break *0x$at wave 2", ('continue') x 6);
    my @positions = map { $_->{position} } $near->('stop', @there);
    my ($back) = ($near->('stop', @there, 'reverse-continue 3'))[-1];
    is($back->{position}, $positions[2], 'reverse-continue N goes back over N - 1 hits');
    my ($again) = ($near->('stop', @there, 'reverse-continue 3', 'continue'))[-1];
    is($again->{position}, $positions[3], '... and leaves nothing behind');
}

# What can never be met is refused where it is set.
for my $case (['--demo', 'break matmul wave 999', 'no wave 999: there are 64'],
    ['--demo', 'break matmul lane 64', 'no lane 64: a wave has 64'],
    ['--demo=dg1', 'break *0x10 lane 40', 'no lane 40: a wave has 16'], ['--demo=dg1', 'break *0x10 lane 15', '']) {
    my ($demo, $command, $message) = @$case;
    my $said = `$gpudbg --batch $demo -e '$command' 2>&1 >/dev/null`;
    like($said, $message ? qr/\Q$message\E/ : qr/^$/, "$command: " . ($message || 'may be met'));
}
like(`$gpudbg --batch --demo=il -e 'break *\$pc if \$r0.x[3] > 0' -e 'break *\$pc if \$r0.xy[5] > 0'`,
    qr/, lane 3\n.*, lane 5\n/, 'the lane that a condition names behind parts');

# A stop's line is whole, or ends with what says that it is cut: breakpoints in functions with names of any length.
{
    my $dir = tempdir(CLEANUP => 1);
    my $file = sub {
        my ($name, @words) = @_;
        open my $f, '>:raw', "$dir/$name" or die;
        print $f pack 'V*', @words;
        close $f;
        return "$dir/$name";
    };
    # s_branch to 0x1000; there: v_mov_b32_e32 v0, 1, s_endpgm.
    my @raw = ('--raw', '--isa', 'gfx7', $file->('main', 0xbf8203ff, 0xbf810000));
    my $callee = $file->('callee', 0x7e000281, 0xbf810000);
    for my $letters (1, 100, 200, 300, 1000) {
        my $name = 'n' x $letters;
        my $whole = "Breakpoint 1, wave 0 at $name: v_mov_b32_e32 v0, 1";
        my ($text) = gpudbg(@raw, commands("add-code \"$callee\" 0x1000 $name", 'launch -g 64', 'break *0x1000',
            'continue'));
        my ($line) = grep { /^Breakpoint 1, wave/ } split /\n/, $text;
        ok $line eq $whole || ($letters > 200 && $line =~ /\.\.\.$/ && index($whole, substr($line, 0, -3)) == 0),
            "a stop in a function with a name of $letters letters is whole or marked as cut" or diag $line;
    }
}

# What is watched now: the column `value` is what `print` says, lane by lane.
{
    my @to = ($launch, 'watch c[17]', 'watch $v3', 'watch $s4', 'break *$pc', 'continue', 'continue', 'lane 5');
    my ($records) = batch(1, @to, 'print c[17]', 'print $v3[5]', 'print $s4', 'print count($v3 == $v3)',
        'info watchpoints');
    my @print = map { $_->{value} } grep { $_->{type} eq 'value' } @$records;
    my %watched = map { $_->{what} => $_->{value} } grep { $_->{type} eq 'breakpoint' && $_->{value} } @$records;
    my ($text) = batch(0, @to, 'print c[17]', 'print $v3[5]', 'print $s4', 'info watchpoints', 'info breakpoints');
    my ($c, $v3, $s4) = map { /^\$\d+ = (\S+)/ ? $1 : () } @$text;
    is $watched{'c[17]'}, $c, 'the value of memory is that of print';
    is $watched{'$s4'}, $s4, '... of a scalar register';
    like $watched{'$v3'}, qr/^\Q$v3\E in (?:lane 5, \d+ values in )?64 lanes$/, '... of the selected lane of a vector';
    is scalar(grep { /^ *\d+ +watchpoint/ } @$text), 6, 'both listings have the watchpoints';
    is scalar(grep { /^ *\d+ +breakpoint/ } @$text), 1, '... and one of them the breakpoint';
    is scalar(grep { /^ *\d+ +watchpoint .*c\[17\] +\Q$c\E( |$)/ } @$text), 2, '... with the value';
    # On the screen: a mark where it has changed, and y goes to what wrote it.
    my ($screen) = gpudbg('--screen', '120x30', commands($launch, 'watch c[17]', 'layout breakpoints', 'screenshot',
        'continue', 'screenshot', 'key Escape', 'focus breakpoints', 'pane origin', 'screenshot'), "$demo/matmul.co");
    my @rows = $screen =~ /^ *(1 +watchpoint.*)$/mg;
    my $last = partial_sum(0, 17, 64);
    unlike $rows[0] // '', qr/\*/, 'no mark before';
    like $rows[1] // '', qr/c\[17\] +\*\Q$last\E/, 'the new value is marked';
    my ($narrow) = gpudbg('--screen', '80x24', commands($launch, 'watch c[17]', 'continue',
        'layout code|breakpoints:30', 'screenshot'), "$demo/matmul.co");
    like $narrow, qr/\s\*?\Q$last\E\s/, 'in a narrow pane the address gives way, not the value';
    like $screen, qr/^\W*origin  c\[17\]  asked at /m, 'y asks where it comes from';
}
# A write of the value that was there does not stop `watch`, and stops `awatch`: in the order of these words, the
# addresses behind which something was accessed, and whether it was another value then.
{
    my @words = (
        0xbefc03c1,                                 # 00 s_mov_b32 m0, -1
        0x7e0202ff, 0, 0x7e040280,                  # 04 v_mov_b32 v1, 0; 0c v_mov_b32 v2, 0
        0xd8340000, 0x0201,                         # 10 ds_write_b32 v1, v2     0, as before
        0x7e040300, 0xd8340000, 0x0201,             # 18 v_mov_b32 v2, v0; 1c ds_write_b32: 64 lanes, the last wins: 5
        0x7e040285, 0xd8340000, 0x0201,             # 24 v_mov_b32 v2, 5; 28 ds_write_b32  5, as before
        0xbe800381, 0xbe800381, 0xbe800382,         # 30 s_mov_b32 s0, 1; 34 the same; 38 s_mov_b32 s0, 2
        0xd8d80000, 0x03000001, 0xbf8c0000,         # 3c ds_read_b32 v3, v1; 44 s_waitcnt
        0xbf810000);
    my $dir = tempdir(CLEANUP => 1);
    open my $code, '>:raw', "$dir/writes.bin" or die;
    print $code pack 'V*', @words;
    close $code;
    my $lanes = unpack 'H*', pack 'V*', (map { $_ + 9 } 0 .. 62), 5;
    my @launch = ("launch -g 64 -l 64 lds=64 v[0]=hex:$lanes");
    for my $case (
        ['watch lds:0', 0x1c], ['awatch lds:0', 0x10, 0x1c, 0x28, 0x3c], ['rwatch lds:0', 0x3c],
        ['watch lds:4,8'], ['watch lds:0,64', 0x1c], ['watch lds:0 lane 3', 0x1c], ['watch lds:0 if 1 == 2'],
        ['watch $s0', 0x30, 0x38], ['awatch $s0', 0x30, 0x34, 0x38], ['watch $s[0:1]', 0x30, 0x38],
        ['watch $v2', 0x18, 0x24], ['watch $v2[63]', 0x18], ['watch $v[0:2]', 0x18, 0x24],
        ['awatch $v2[63]', 0x0c, 0x10, 0x18, 0x1c, 0x24, 0x28],
    ) {
        my ($watch, @at) = @$case;
        my @run = ('continue') x (@at + 1);
        my @back = ('reverse-continue') x (@at + 1);
        my @stops = grep { $_->{type} eq 'stop' } records('--isa', 'gfx7', '--raw', "$dir/writes.bin",
            commands(@launch, $watch, @run, @back));
        my @met = map { $_->{message} =~ /after 0x([0-9a-f]+):/ ? hex $1 : $_->{reason} } @stops;
        is "@met", join(' ', @at, 'done', reverse(@at), 'history-start'), "$watch stops there, forwards and back";
    }
}

done_testing;
