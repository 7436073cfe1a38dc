#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Checkers that are switched on late are shown recorded time by several processes, each of which tells some of them.
# They report what they report where they watch the run from its launch, in the same order and as often, at any number
# of processes; and they go on from there.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Gpudbg;
use JSON::PP ();
use Kernels;
use Test::More;
use Time::HiRes qw(sleep time);

my $dir = tempdir(CLEANUP => 1);
my $kernels = Kernels::source_dir();
my $gcn = "$kernels/gfx7/bugs-O0-g.co";
my $gen = "$kernels/gen12/bugs.bin";
my @continue = ('continue') x 120;

sub of ($type, @records) { return grep { $_->{type} eq $type } @records }
sub checks (@records) { return join "\n", map { JSON::PP->new->canonical->encode($_) } of('check', @records) }

# What is said at a number of processes.  late: all is run before; from: the checkers are switched on at a position in
# the middle, and stop what comes then; neither: they watch from the launch.
sub reports ($threads, $files, $launch, %how) {
    my $on = 'check all on';
    my @when = exists $how{late} ? ($launch, 'continue', $on) : exists $how{from}
        ? ($launch, "set step-limit $how{from}", 'continue', 'set step-limit 0', $on) : ($launch, $on);
    return records(@$files, commands("set threads $threads", @when, @continue, 'info checks', 'info hash'));
}

# The stops behind those that the way there made.
sub stops ($skip, @records) {
    my @stops = of('stop', @records);
    return join "\n", map { "$_->{reason} $_->{pc} $_->{position}" } @stops[$skip .. $#stops];
}

my $shown = 0;
sub same ($title, $files, $launch, $middle) {
    my @live = reports(1, $files, $launch);
    my $live = checks(@live);
    my $n = of('check', @live);
    my @middle = reports(1, $files, $launch, from => $middle);
    $shown += $n;
    for my $threads (1, 2, 3, 8) {
        my $processes = $threads == 1 ? 'one process' : "$threads processes";
        my @late = reports($threads, $files, $launch, late => 1);
        is(checks(@late), $live, "$title: $n reports, $processes");
        next if $threads != 3;
        my @half = reports($threads, $files, $launch, from => $middle);
        is(checks(@half), $live, '... where the run goes on behind them');
        is(stops(1, @half), stops(1, @middle), '... with the same stops');
    }
    return;
}

# ---- Kernels with mistakes ----

for (sampled(
    ['race', $gcn, 'race_local -g 16384 -l 128 zero:65536 1', 90000],
    ['uninitialised', $gcn, 'unset_local -g 8192 -l 128 zero:32768 1', 90000],
    ['array', $gcn, 'array_past -g 1024 -l 128 zero:4096 1', 80000],
    ['barrier', $gcn, 'diverged_barrier -g 8192 -l 128 zero:32768 1', 80000],
    ['a compare and exchange', $gcn, 'race_compare -g 4096 -l 128 zero:16384 1', 80000],
    ['range', $gcn, 'local_past -g 16384 -l 128 zero:65536 1', 80000],
    ['race, DG1', $gen, 'race_local -g 65536 -l 128 zero:262144 1', 70000],
    ['uninitialised, DG1', $gen, 'unset_local -g 65536 -l 128 zero:262144 1', 70000],
)) {
    my ($title, $file, $launch, $middle) = @$_;
    same($title, [$file], "launch $launch", $middle);
}

# They were shown a part of it, and a jump passed over the rest: that is shown by several, too.
for my $case (sampled(['race_local -g 65536 -l 128 zero:262144 1', 250000],
    ['unset_local -g 65536 -l 128 zero:262144 1', 500000])) {
    my ($launch, $middle) = @$case;
    my $live = checks(reports(1, [$gcn], "launch $launch"));
    for my $threads (1, 2, 3) {
        my @late = records($gcn, commands("set threads $threads", "launch $launch", 'continue', "goto $middle",
            'check all on', 'stepi', 'goto +' . int($middle * 1.1), @continue, 'info checks', 'info hash'));
        is(checks(@late), $live, "$launch: behind a jump, $threads processes");
    }
}

# ---- A program of AMD IL: addresses that are no multiples of four, and some past the end ----

Kernels::write_file("$dir/far.il", join "\n", 'il_cs_2_0', 'dcl_num_thread_per_group 64, 1, 1', 'dcl_raw_uav_id(0)',
    'dcl_literal l0, 0, 1, 258, 3000', 'mov r0, l0.x', 'mov r1, l0.x', 'whileloop', 'ige r2.x, r0.x, l0.w',
    'break_logicalnz r2.x', 'iadd r0.x, r0.x, l0.y', 'ishl r3.x, vAbsTidFlat.x, l0.y',
    'uav_raw_load_id(0) r4.x, r3.x', 'iadd r1.x, r1.x, r4.x', 'iadd r5.x, r3.x, l0.z',
    'uav_raw_store_id(0) mem0.x, r5.x, r1.x', 'endloop', 'end', '');
same('extent and alignment', ["$dir/far.il"], 'launch -g 640 uav0=zero:1024', 100000);

# ---- Random programs for Sea Islands ----

# Waves of two groups load, store and add in a loop; some of the registers, and all of local memory, nobody has written,
# waits and barriers are missing here and there.
sub random_program ($seed) {
    my $random = Kernels::generator($seed);
    my $pick = sub ($n) { return $random->() % $n };
    my $v = sub { return 1 + $pick->(7) };
    my @op = (
        sub { return (0xd8d80000 | 4 * $pick->(4), $v->() << 24) },                          # ds_read_b32 v, v0
        sub { return (0xd8340000 | 4 * $pick->(4), $v->() << 8) },                           # ds_write_b32 v0, v
        sub { return (0xe0301000 | 4 * $pick->(4), 0x80010000 | $v->() << 8) },              # buffer_load_dword
        sub { return (0xe0701000 | 4 * $pick->(4), 0x80010000 | $v->() << 8) },              # buffer_store_dword
        sub { return (0x4a000100 | $v->() << 17 | $v->() << 9 | $v->()) },                   # v_add_i32 v, vcc, v, v
        sub { return (0x7e000300 | $v->() << 17 | $v->()) },                                 # v_mov_b32 v, v
        sub { return (0x81000000 | (8 + $pick->(4)) << 16 | (8 + $pick->(4)) << 8 | 8 + $pick->(4)) }, # s_add_i32
        sub { return (0xbf8a0000) },                                                         # s_barrier
        sub { return (0xbf8c0000) },                                                         # s_waitcnt 0
        sub { return (0xbf8c0000) },
    );
    my @body = map { $op[$pick->(scalar @op)]->() } 1 .. 30 + $pick->(40);
    my $rounds = int 17000 / @body;
    # s_mov_b32 m0, -1; s_mov_b32 s20, rounds; ...; s_sub_i32 s20, s20, 1; s_cmp_lg_u32 s20, 0; s_cbranch_scc1; s_endpgm
    my @code = (0xbefc03c1, 0xbe9403ff, $rounds, @body, 0x81948114, 0xbf078014);
    push @code, 0xbf850000 | (-(@body + 3) & 0xffff), 0xbf810000;
    Kernels::write_file("$dir/random.bin", pack 'V*', @code);
    my $places = unpack 'H*', pack 'V*', map { 4 * $pick->(40) } 1 .. 64;
    my $others = unpack 'H*', pack 'V*', map { 4 * $pick->(40) } 1 .. 64;
    return (['--isa', 'gfx7', '--raw', "$dir/random.bin"], 'launch -g 256 -l 128 lds=512 s[4:5]=&buf0 s[6:7]=hex:'
        . unpack('H*', pack 'V2', 512, 0) . " buf0=zero:512 v[0]=hex:$places v[0]/1=hex:$others v[1]=hex:"
        . '07000000' x 64);
}

my $programs = $ENV{GPUDBG_NIGHTLY} ? 60 : 6;
for my $seed (sampled(1 .. $programs)) {
    my ($files, $launch) = random_program($seed);
    same("random program $seed", $files, $launch, 66000 + 1000 * ($seed % 8));
}
cmp_ok($shown, '>', 20, "$shown reports in all") if every_case();

# ---- The text, and what goes wrong on the way ----

my @long = ($gcn, commands('launch race_local -g 65536 -l 128 zero:262144 1', 'continue', 'check all on', @continue,
    'info checks', 'info hash'));
my ($text) = gpudbg(commands('set threads 1'), @long);
is((gpudbg(commands('set threads 2'), @long))[0], $text, 'the same text');

# Starts commands with two processes, and calls `when` with its process and its workers, as soon as there is one.
sub disturbed ($when, @arguments) {
    @arguments = @long if !@arguments;
    my $pid = open(my $out, '-|') // die "fork: $!";
    if (!$pid) {
        open STDERR, '>', '/dev/null';
        exec Gpudbg::program(), '--batch', commands('set threads 2'), @arguments or die;
    }
    my $end = time + 60;
    my ($worker, @more);
    while (!$worker && time < $end) {
        open my $f, '<', "/proc/$pid/task/$pid/children" or last;
        ($worker, @more) = split ' ', <$f> // '';
        sleep 0.002;
    }
    $when->($pid, $worker, @more) if $worker;
    my $said = do { local $/; <$out> };
    close $out;
    return ($worker, $said, $? >> 8);
}

SKIP: {
    skip 'this system does not list the children of a process', 10 unless -r "/proc/$$/task/$$/children";
    my ($worker, $said) = disturbed(sub { });
    ok($worker, 'there is another process');
    is($said, $text, '... with the same text');
    ($worker, $said) = disturbed(sub ($pid, $worker) { kill 'KILL', $worker });
    is($said, $text, 'it is killed: its work is done here');
    # Ctrl-C ends `continue`; the next one begins anew.
    ($worker, $said) = disturbed(sub ($pid, $worker) { kill 'INT', $pid });
    my ($reports) = $text =~ /\n(race.*)/s;
    like($said, qr/\Q$reports\E$/, 'it is interrupted: afterwards all is looked at');

    # Searches: what a killed process had to look at is looked at here.
    my @run = ('--demo=matmul', commands('launch matmul -g 128,128 -l 16,16 zero:65536 fill:65536:1 fill:65536:2 128',
        'continue', 'bookmark end'));
    my @search = (@run, commands('find-time $position % 100003 == 7', 'goto end', 'info hash', 'info history'));
    my ($want) = gpudbg(commands('set threads 1'), @search);
    for my $how (1, 2) {
        my ($worker, $said, $status) = disturbed(sub ($pid, @workers) {
            kill 'KILL', $how == 1 ? $workers[0] : @workers }, @search);
        ok($worker, 'find-time: there is another process');
        is($said, $want, "... killed ($how): nothing is lost");
        is($status, 0, '... and that is no error');
    }
}
done_testing;
