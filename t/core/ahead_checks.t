#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Groups that other processes run before their turn, under every checker: random programs for Sea Islands whose groups
# store to, load from and count in memory of other groups, at 1, 2, 3 and 8 processes.  Stops, reports, buffers, the
# hash of the state and answers about recorded time are those of one process.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Gpudbg;
use JSON::PP ();
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
use constant { GROUPS => 300, PART => 512 };    # bytes of a group's own

sub of ($type, @records) { return grep { $_->{type} eq $type } @records }

# A group is one wave.  s8: its number, by rsrc2; v0: 4 * the lane; s11: where the group's part begins, in bytes.
# It touches the part of an earlier group (s9), or places that all count in (s10), as often as `danger` says.  Programs
# of odd seeds wait for all that they load; the others forget some waits.  length: instructions of a group, about.
sub program ($seed, $danger, $length) {
    my $random = Kernels::generator($seed);
    my $pick = sub ($n) { return $random->() % $n };
    my $v = sub { return 1 + $pick->(7) };
    my $offset = sub { return 4 * $pick->(16) };
    my $buffer = sub ($op, $soffset) {    # offen, v0, s[4:7]
        return (0xe0001000 | $op << 18 | $offset->(), $soffset << 24 | 1 << 16 | $v->() << 8);
    };
    my @safe = (
        sub { return $buffer->(12, 11) },                                                    # buffer_load_dword
        sub { return $buffer->(28, 11) },                                                    # buffer_store_dword
        sub { return (0xd8d80000 | 4 * $pick->(4), $v->() << 24) },                          # ds_read_b32 v, v0
        sub { return (0xd8340000 | 4 * $pick->(4), $v->() << 8) },                           # ds_write_b32 v0, v
        sub { return (0x4a000100 | $v->() << 17 | $v->() << 9 | $v->()) },                   # v_add_i32 v, vcc, v, v
        sub { return (0x7e000300 | $v->() << 17 | $v->()) },                                 # v_mov_b32 v, v
        sub { return (0xbf8c0000) },                                                         # s_waitcnt 0
        sub { return (0xbf8c0000) },
        sub { return (0xbf8a0000) },                                                         # s_barrier
    );
    my @shared = (
        sub { return $buffer->(12, 9) }, sub { return $buffer->(28, 9) },                    # an earlier group's part
        sub { return $buffer->(50, 10) },                                                    # buffer_atomic_add
        sub { return $buffer->(12, 10) },                                                    # what all count in
    );
    # What an earlier group stored is loaded and stored to the group's own part: too early it is another value.
    my @meets = (0xe0301000, 0x09010700, 0xbf8c0000, 0xe0701100, 0x0b010700);
    my @once;    # in front of the loop
    push @once, @meets, $shared[$pick->(scalar @shared)]->() if $danger > 1;
    my @wait = $seed % 2 ? 0xbf8c0000 : ();
    my @body = map { ($safe[$pick->(scalar @safe)]->(), @wait) } 1 .. 20 + $pick->(30);
    push @body, @meets, $shared[$pick->(scalar @shared)]->() if $danger > 2;
    my $rounds = int $length / @body;
    my @code = (0xbefc03c1);    # s_mov_b32 m0, -1
    # s_mul_i32 s11, s8, PART; s_lshr_b32 s9, s11, 10; s_lshl_b32 s9, s9, 9: the part of half its number
    push @code, 0x930bff08, PART, 0x90098a0b, 0x8f098909;
    push @code, 0xbe8a03ff, PART * GROUPS;    # s_mov_b32 s10
    push @code, map { 0x4a000008 | $_ << 17 | ($_ - 1) << 9 } 1 .. 7;    # v_add_i32 v1, vcc, s8, v0 and so on
    # s_cmp_eq_u32 s8, 150; s_cbranch_scc0: one group of many conflicts, in the first round
    push @code, 0xbf06ff08, 150, 0xbf840000 | @meets, @meets if $danger == 1;
    push @code, @once, 0xbe9403ff, $rounds, @body, 0x81948114, 0xbf078014;
    push @code, 0xbf850000 | (-(@body + 3) & 0xffff), 0xbf810000;
    Kernels::write_file("$dir/random.bin", pack 'V*', @code);
    my $size = PART * (GROUPS + 1) + 4096;
    my $lanes = unpack 'H*', pack 'V*', map { 4 * $_ } 0 .. 63;
    return (['--isa', 'gfx7', '--raw', "$dir/random.bin"], 'launch -g ' . 64 * GROUPS . ' -l 64 lds=512 rsrc2=0x90'
        . " s[4:5]=&buf0 s[6:7]=hex:" . unpack('H*', pack 'V2', $size, 0) . " buf0=zero:$size v[0]=hex:$lanes");
}

# ---- The same at any number of processes ----

my @kinds = ('none', qw(wait hazard range barrier uninitialised race all));
my @danger = ('nothing shared', 'one group conflicts', 'each group once', 'each group all the time');
my $ahead = 0;    # groups, in all

sub story ($threads, $kind, $files, $launch) {
    my @on = $kind eq 'none' ? () : "check $kind on";
    my @records = records(@$files, commands("set threads $threads", 'set gfx7 stage compute', $launch, @on,
        ('continue') x 12, 'info checks', 'info hash', "save arg buf0 $dir/buffer", 'info history', 'goto 900000',
        'info hash', 'goto 1450000', 'info hash', 'info history'));
    my @rest = grep { $_->{type} ne 'history' } @records;
    $ahead += $_->{ahead} // 0 for (of('history', @records))[0] // ();
    my $text = join "\n", map { JSON::PP->new->canonical->encode($_) } @rest;
    return ($text, Kernels::read_file("$dir/buffer"), scalar of('check', @records), scalar of('hash', @records));
}

my @cases = map { my $danger = $_; map { [$danger, $_] } @kinds } 0 .. $#danger;
my $reports = 0;
for my $i (sampled(0 .. $#cases)) {
    my ($danger, $kind) = @{ $cases[$i] };
    # What follows several groups runs in one process, and is slow where nothing was written.
    my ($files, $launch) = program(100 + $i + $danger, $danger, $kind =~ /unin|all/ ? 650 : 6500);
    my ($one, $buffer, $n, $hashes) = story(1, $kind, $files, $launch);
    my $title = "program $i, $danger[$danger], checkers: $kind, $n reports";
    $reports += $n;
    is($hashes, 3, "$title: it runs to its end");
    for my $threads (2, 3, 8) {
        my ($many, $theirs) = story($threads, $kind, $files, $launch);
        is($many, $one, "... $threads processes: stops, reports, hashes, and the past");
        ok($theirs eq $buffer, '... and the buffer');
    }
}

# A checker that reports something in each group: the program forgets waits, and no group shares anything.
my ($files, $launch) = program(102, 0, 6500);
my @records = records(@$files, commands('set threads 2', 'set gfx7 stage compute', $launch, 'check wait on',
    ('continue') x 12, 'info history'));
my ($history) = of('history', @records);
is($history->{alone}, 'a checker reports what they do', 'why groups did not run ahead');
is($history->{ahead}, undef, '... none did');
# Two processes that would need too much memory.
@records = records('t/data/kernels/gfx7/floyd_warshall-O2.co', commands('set threads 2', 'set memory-limit 40M',
    'launch floyd_pass -g 2048,2048 -l 16,16 fill:16777216:0x11 zero:16777216 2048 3', 'continue', 'info history'));
($history) = of('history', @records);
like($history->{alone} // '', qr/need more than the setting memory-limit/, 'why one process does it all');
cmp_ok($ahead, '>', 100, "$ahead groups ran before their turn");
cmp_ok($reports, '>', 20, "$reports reports in all") if every_case();
done_testing;
