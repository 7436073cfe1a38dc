#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `info resources`: the paths of descriptors.  Of one program they are written here by hand; of random ones they are
# held against a trace of every scalar load, made by a small interpreter below, whose registers the machine's run
# confirms.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

sub descriptors { return grep { $_->{type} eq 'descriptor' } @_ }

# Words as the manual has them.
sub s_load {
    my ($op, $dst, $base, $dwords) = @_;
    return 0xc0000100 | $op << 22 | $dst << 15 | $base / 2 << 9 | $dwords;
}
sub sop2 { my ($op, $dst, $a, $b) = @_; return 0x80000000 | $op << 23 | $dst << 16 | $b << 8 | $a }
sub sop1 { my ($op, $dst, $a) = @_; return 0xbe800000 | $dst << 16 | $op << 8 | $a }
my ($x2, $x4, $x8, $buffer_x1, $buffer_x8) = (1, 2, 3, 8, 11);
my ($add, $addc, $or, $lshl) = (0, 4, 16, 30);
my $end = 0xbf810000;

my @program = (
    s_load($x2, 4, 2, 8),                               # 00 s[4:5] = user s[2:3] + 0x20
    s_load($x8, 8, 4, 16),                              # 04 T#
    s_load($x4, 16, 4, 0),                              # 08 V#
    sop2($add, 20, 2, 128 + 64), sop2($addc, 21, 3, 128),   # 0c s[20:21] = s[2:3] + 64
    sop2($lshl, 7, 6, 128 + 4),                         # 14 s7 = s6 << 4
    sop2($add, 22, 20, 7), sop2($addc, 23, 21, 128),    # 18
    s_load($x4, 24, 22, 0),                             # 20 S#
    s_load($buffer_x8, 28, 16, 4),                      # 24 a T# out of a buffer
    0xf0800f00, 2 << 16 | 6 << 21,                      # 28 image_sample v[0:3], v0, s[8:15], s[24:27]
    0xf0000f00, 7 << 16,                                # 30 image_load v[0:3], v0, s[28:35]
    0xbf068006, 0xbf850001, sop1(3, 24, 0),             # 38 s_cmp_eq_u32 s6, 0; s_cbranch_scc1; s_mov_b32 s24, s0
    0xe0301000, 0x80060400,                             # 44 buffer_load_dword v4, v0, s[24:27], 0 offen
    0xe0701000, 0x80030400,                             # 4c buffer_store_dword v4, v0, s[12:15], 0 offen
    0x7e240500, sop2($or, 19, 19, 0xc1),                # 54 v_readfirstlane_b32 s18, v0; s_or_b32 s19, s19, -1
    0xe0c81000, 0x80040400,                             # 5c buffer_atomic_add v4, v0, s[16:19], 0 offen
    sop1(33, 30, 30),                                   # 64 s_swappc_b64 s[30:31], s[30:31]
    0xe0301000, 0x80020400,                             # 68 buffer_load_dword v4, v0, s[8:11], 0 offen
    0xe0301000, 0x80000400,                             # 70 ... s[0:3]
    $end);
my $sampler = '((user s[2:3] + 0x40) + s_lshl_b32 at 0x14 (user s6, 0x4)) + 0x0 ->';
my $meet = 's24, which differs by the way to 0x44';
my $call = 'if the code called at 0x64 keeps registers';
my @want = (
    ['0x24', 'V#', 's[16:19]', 'load', 'user s[2:3] + 0x20 -> + 0x0 -> V#', ''],
    ['0x28', 'T#', 's[8:15]', 'sample', 'user s[2:3] + 0x20 -> + 0x40 -> T#', ''],
    ['0x28', 'S#', 's[24:27]', 'sample', "$sampler S#", ''],
    ['0x30', 'T#', 's[28:35]', 'load', '(user s[2:3] + 0x20 -> + 0x0 -> V#) + 0x10 -> T#', ''],
    ['0x44', 'V#', 's[24:27]', 'load', "[0] ($meet), [1:3] " . ($sampler =~ s/0x0 ->/0x4 ->/r), $meet],
    ['0x4c', 'V#', 's[12:15]', 'store', 'user s[2:3] + 0x20 -> + 0x50 -> V#', ''],
    ['0x5c', 'V#', 's[16:19]', 'atomic', '[0:1] user s[2:3] + 0x20 -> + 0x0 ->, [2] (v_readfirstlane_b32 at 0x54), ' .
        '[3] s_or_b32 at 0x58 (user s[2:3] + 0x20 -> + 0xc ->, 0xffffffff)', 'v_readfirstlane_b32 at 0x54'],
    ['0x68', 'V#', 's[8:11]', 'load', 'user s[2:3] + 0x20 -> + 0x40 -> V#', $call],
    ['0x70', 'V#', 's[0:3]', 'load', 'user s[0:3]', $call],
);
my $file = spill('paths.bin', pack 'V*', @program);
my @raw = ('--isa', 'gfx7', '--raw', $file);

subtest 'paths' => sub {
    my @rows = descriptors(records(@raw, commands('info resources')));
    is scalar @rows, scalar @want, 'a row for each descriptor';
    for my $i (0 .. $#want) {
        is join(' | ', map { $rows[$i]{$_} // '' } qw(pc kind registers access path unfollowed)),
            join(' | ', @{ $want[$i] }), $want[$i][0];
    }
    is_deeply [grep { exists $_->{format} || exists $_->{size} } @rows], [], 'nothing is described without data';
};

# The same on RDNA, whose scalar loads have a signed offset in bytes, and a register beside it; llvm-mc's words.
subtest 'paths of newer words' => sub {
    my @newer = (
        0xf4040101, 0xfa000020, 0xf40c0202, 0xfa000040, # 00 s_load_dwordx2 s[4:5], s[2:3], 0x20; s[8:15]
        0xf4080402, 0xfa000000,                         # 10 s_load_dwordx4 s[16:19], s[4:5], null
        0x8f078406, 0xf4080601, 0x0e000000,             # 18 s_lshl_b32 s7, s6, 4; s_load_dwordx4 s[24:27], s[2:3], s7
        0xf4080a01, 0xfa1ffff0,                         # 24 s_load_dwordx4 s[40:43], s[2:3], -0x10
        0xf42c0708, 0xfa000010,                         # 2c s_buffer_load_dwordx8 s[28:35], s[16:19], 0x10
        0xf0800f08, 0x00c20000,                         # 34 image_sample v[0:3], v[0:1], s[8:15], s[24:27]
        0xf0001f08, 0x00070000,                         # 3c image_load v[0:3], v[0:1], s[28:35]
        0xe0301000, 0x800a0400,                         # 44 buffer_load_dword v4, v0, s[40:43], 0 offen
        0xe8b41000, 0x80030400,                         # 4c tbuffer_store_format_x v4, v0, s[12:15], 0 offen
        0xe0c81000, 0x80040400,                         # 54 buffer_atomic_add v4, v0, s[16:19], 0 offen
        0xbeac037d, 0xf4040b81, 0x58000000,             # 5c s_mov_b32 s44, null; s_load_dwordx2 s[46:47], s[2:3], s44
        0xf4080d17, 0xfa000000, 0xe0301000, 0x800d0400, # 68 s_load_dwordx4 s[52:55], s[46:47], null; buffer_load_dword
        0xbee60468, 0xe0301000, 0x80190400,             # 78 s_mov_b64 s[102:103], s[104:105]; buffer_load_dword
        0xbf810000);
    my $table = 'user s[2:3] + 0x20 ->';
    my @want_newer = (
        ['0x2c', 'V#', 's[16:19]', 'load', "$table + 0x0 -> V#", ''],
        ['0x34', 'T#', 's[8:15]', 'sample', "$table + 0x40 -> T#", ''],
        ['0x34', 'S#', 's[24:27]', 'sample', 'user s[2:3] + 0x0 + s_lshl_b32 at 0x18 (user s6, 0x4) -> S#', ''],
        ['0x3c', 'T#', 's[28:35]', 'load', "($table + 0x0 -> V#) + 0x10 -> T#", ''],
        ['0x44', 'V#', 's[40:43]', 'load', 'user s[2:3] - 0x10 -> V#', ''],
        ['0x4c', 'V#', 's[12:15]', 'store', "$table + 0x50 -> V#", ''],
        ['0x54', 'V#', 's[16:19]', 'atomic', "$table + 0x0 -> V#", ''],
        ['0x70', 'V#', 's[52:55]', 'load', 'user s[2:3] + 0x0 -> + 0x0 -> V#', ''],
        ['0x7c', 'V#', 's[100:103]', 'load', '[0:1] s[100:101] at the start, [2:3] s[104:105] at the start', ''],
    );
    my $newer = spill('newer.bin', pack 'V*', @newer);
    for my $isa ('gfx10', 'gfx10-wave64', 'gfx10.3') {
        my @rows = descriptors(records('--isa', $isa, '--raw', $newer, commands('info resources')));
        is_deeply [map { my $row = $_; join ' | ', map { $row->{$_} // '' }
            qw(pc kind registers access path unfollowed) } @rows], [map { join ' | ', @$_ } @want_newer], $isa;
    }
};

# What the descriptors describe, by registers and memory of a launch.
subtest 'format and size' => sub {
    my $table = 0x20000000;
    my @t = (0x123456, 10 << 20 | 9 << 26, 255 | 127 << 14,
        9 << 28 | 04 | 05 << 3 | 06 << 6 | 07 << 9 | 4 << 16 | 2 << 12,
        255 << 13, 0, 0, 0);    # 256 by 128, 8_8_8_8 sRGB, 3 levels, 2D, at 0x12345600
    my $memory = "\0" x 4096;
    substr $memory, 0x20, 8, pack 'V2', $table + 0x100, 0;
    substr $memory, 0x100, 16, pack 'V4', $table + 0x200, 16 << 16, 32, 14 << 15 | 7 << 12 | 04; # 32_32_32_32 float
    substr $memory, 0x140, 32, pack 'V8', @t;
    substr $memory, 0x210, 32, pack 'V8', $t[0] + 1, @t[1 .. 7];
    substr $memory, 0x40 + 5 * 16, 16, pack 'V4', 0, 0, 1 << 20 | 1 << 22, 0; # bilinear
    my $saved = spill('table.bin', $memory);
    my @rows = descriptors(records(@raw, commands(
        sprintf("launch -g 64 -l 64 buf0\@0x%x=\@$saved s[2:3]=0x%x s6=5", $table, $table), 'info resources')));
    is join(' | ', map { $_ // '' } @{ $rows[0] }{qw(format size address)}),
        '32_32_32_32 FLOAT | 32 of 16 bytes | 0x20000200', 'a V#';
    is join(' | ', map { $_ // '' } @{ $rows[1] }{qw(format size address)}),
        '8_8_8_8 SRGB | 256x128 2D, 3 levels | 0x12345600', 'a T#';
    is $rows[2]{format}, 'BILINEAR', 'an S#, where a register counts';
    is $rows[3]{address}, '0x12345700', 'a T# out of a buffer';
    ok !exists $rows[4]{format}, 'none where the way decides';
    # The same from a dump of registers and their data, without a launch.
    my $block = sub { my ($reg, $bytes) = @_; return pack('v2', $reg, length($bytes) / 4 - 1) . $bytes };
    substr $memory, 0x20, 8, pack 'V2', 0x100000 + 2 * 0x80000 + 0x100, 0; # where the loader lays the table of s[2:3]
    my @dumped = descriptors(records(spill('paths.dump', $block->(0x2c08, pack 'V*', @program) .
        $block->(0x2c0e, $memory) . $block->(0x2c12, pack 'V', 5)), commands('info resources')));
    is $dumped[1]{size}, '256x128 2D, 3 levels', 'a dump needs no launch';
};

# ---- Random programs ----

my $base = 0x10000000;
srand 7;
my @memory = map { ($base + 16 * int rand 1024, 0) } 0 .. 0x4000 / 8 + 0x800; # pointers into itself
my $memory = spill('memory.bin', pack 'V*', @memory);
my @start = map { ($base + 16 * int rand 1024, 0) } 0 .. 31;
my $start = spill('start.bin', pack 'V*', @start);

# A list of [word, what it does to the interpreter's state].  A state is {s, p}: values and origins of 64 registers.
# An origin is [place, dword] (place: text of an address) or undef, where it is not a dword loaded or given.
sub pair_text {
    my ($state, $r) = @_;
    my ($lo, $hi) = @{ $state->{p} }[$r, $r + 1];
    return undef unless $lo && $hi && $lo->[0] eq $hi->[0] && $hi->[1] == $lo->[1] + 1;
    return $lo->[2] ? $lo->[0] : range($lo, 2);
}
# [place, dword, sum]: place '' is the start; sum: a computed pair, which has the whole text in place.
sub range {
    my ($from, $n) = @_;
    return sprintf '%s + 0x%x ->', $from->[0], 4 * $from->[1] if $from->[0] ne '';
    my ($first, $last) = ($from->[1], $from->[1] + $n - 1);
    return $last < 16 ? "user s[$first:$last]" : "s[$first:$last] at the start";
}
sub random_program {
    my @list;
    my $even = sub { 2 * int rand 32 };
    while (@list < 30) {
        my $kind = int rand 10;
        if ($kind < 4) {
            my ($op, $n) = @{ ([$x2, 2], [$x4, 4], [$x8, 8])[int rand 3] };
            my ($dst, $from, $at) = ($n * int rand 64 / $n, $even->(), 4 * int rand 16);
            push @list, [s_load($op, $dst, $from, $at), sub {
                my ($s) = @_;
                my $place = pair_text($s, $from);
                my $value = $s->{s}[$from] + 4 * $at - $base;
                $s->{s}[$dst + $_] = $memory[$value / 4 + $_] for 0 .. $n - 1;
                $s->{p}[$dst + $_] = defined $place ? [$place, $at + $_] : undef for 0 .. $n - 1;
            }];
        } elsif ($kind < 5) {
            my ($dst, $from) = ($even->(), $even->());
            push @list, [sop1(4, $dst, $from), sub {
                my ($s) = @_;
                @{ $s->{$_} }[$dst, $dst + 1] = @{ $s->{$_} }[$from, $from + 1] for qw(s p);
            }];
        } elsif ($kind < 6) {
            my ($dst, $from, $n) = ($even->(), $even->(), 16 * (1 + int rand 4));
            push @list, [sop2($add, $dst, $from, 128 + $n), sub {
                my ($s) = @_;
                my $place = pair_text($s, $from);
                $s->{sum} = [$s->{s}[$from] + $n, defined $place ? "($place + " . sprintf('0x%x)', $n) : undef];
                $s->{high} = $s->{s}[$from + 1];
                $s->{s}[$dst] = $s->{sum}[0];
                $s->{p}[$dst] = undef;
                $s->{scc} = 0;
            }], [sop2($addc, $dst + 1, $from + 1, 128), sub {
                my ($s) = @_;
                $s->{s}[$dst + 1] = $s->{high};
                @{ $s->{p} }[$dst, $dst + 1] = ([$s->{sum}[1], 0, 1], [$s->{sum}[1], 1, 1]) if defined $s->{sum}[1];
                @{ $s->{p} }[$dst, $dst + 1] = () unless defined $s->{sum}[1];
            }, 'second'] if $dst != $from && $dst + 1 != $from;
        } elsif ($kind < 7) {
            my ($of, $over) = (2 * int rand 32, 1 + int rand 3);
            my $value = int rand 2;     # the high dword of a pointer is 0
            push @list, [0xbf060000 | (128 + $value) << 8 | ($of + 1), sub { $_[0]{scc} = $value == 0 }],
                [0xbf850000, sub { $_[0]{skip} = $over if $_[0]{scc} }, \$over];
        } else {
            my ($dst, $from, $at) = (64 + int rand 8, 4 * int rand 16, int rand 16);
            push @list, [s_load($buffer_x1, $dst, $from, $at), sub { push @{ $_[0]{used} }, [$from] }];
        }
    }
    for my $i (grep { ref $list[$_][2] } 0 .. $#list) { # no way leads between the two halves of a sum
        my $over = $list[$i][2];
        my $to = $list[$i + 1 + $$over];
        ++$$over if $to && ($to->[2] // '') eq 'second';
        $list[$i][0] |= $$over;
    }
    return @list;
}
sub interpret {
    my (@list) = @_;
    my $s = { s => [@start], p => [map { ['', $_] } 0 .. 63], used => [], scc => 0 };
    for (my $i = 0; $i < @list; $i++) {
        my $before = @{ $s->{used} };
        $list[$i][1]->($s);
        if (@{ $s->{used} } > $before) {
            my $from = $s->{used}[-1][0];
            my @p = @{ $s->{p} }[$from .. $from + 3];
            my $run = !grep { !$p[$_] || $p[$_][2] || $p[$_][0] ne $p[0][0] || $p[$_][1] != $p[0][1] + $_ } 0 .. 3;
            $s->{used}[-1] = { pc => sprintf('0x%x', 4 * $i), path => $run ? range($p[0], 4) : undef,
                address => $s->{s}[$from] };
            $s->{used}[-1]{path} .= ' V#' if $run && $p[0][0] ne '';
        }
        $i += delete $s->{skip} // 0;
    }
    return $s;
}

subtest 'random programs and their trace' => sub {
    my ($followed, $rows, $wrong, $unnamed) = (0, 0, 0, 0);
    for my $turn (sampled(1 .. 40)) {
        my @list = random_program();
        my $traced = interpret(@list, ([$end, sub {}]) x 4);
        my $code = spill('random.bin', pack 'V*', (map { $_->[0] } @list), ($end) x 4);
        my @all = records('--isa', 'gfx7', '--raw', $code, commands("launch -g 64 -l 64 buf0\@0x10000000=\@$memory " .
            "s[0:63]=\@$start", 'info resources', 'continue', map { "print \$s$_" } 0 .. 63));
        my @values = map { my $text = $_->{value}; $text =~ /^0x/ ? hex $text : $text }
            grep { $_->{type} eq 'value' } @all;
        is "@values", "@{ $traced->{s} }", "program $turn: the run ends with the trace's registers" ;
        my %by = map { $_->{pc} => $_ } descriptors(@all);
        for my $use (@{ $traced->{used} }) {
            my $row = $by{ $use->{pc} };
            $rows++;
            # Two ways meet where an instruction begins; nothing else ends a path in these programs.
            $unnamed++ if $row->{unfollowed} && $row->{unfollowed} !~ /which differs by the way to 0x[0-9a-f]+/;
            next if $row->{unfollowed};
            $followed++;
            my $ok = hex($row->{address} // 'f') == $use->{address} &&
                (!defined $use->{path} || $row->{path} eq $use->{path});
            $wrong++ unless $ok;
            is "$row->{address} $row->{path}", sprintf('0x%x %s', $use->{address}, $use->{path}), $use->{pc} unless $ok;
        }
    }
    is $wrong, 0, 'every path that is named is the trace\'s';
    is $unnamed, 0, 'what is not followed says where ways meet';
    cmp_ok $followed, '>', $rows / 2, "most are followed: $followed of $rows";
};

# A ladder of loops within loops, and a value that grows with each turn.
subtest 'code that would take long' => sub {
    my @long;
    push @long, sop2($add, $_ % 64, ($_ + 1) % 64, ($_ + 7) % 64), 0xbf840000 | (-($_ % 500) - 2 & 0xffff)
        for 1 .. 15000;
    my $long = spill('long.bin', pack 'V*', @long, 0xe0301000, 0x80060400, $end);
    my $from = time;
    my ($text, $errors, $status) = gpudbg('--batch', '--isa', 'gfx7', '--raw', $long, commands('info resources'));
    cmp_ok time - $from, '<', 20, 'ends';
    like "$text$errors", qr/which differs by the way|too many ways/, '... and says what it is';
};

# It takes seconds; where a machine is quick the next one is interrupted.
subtest 'Ctrl-C' => sub {
    my $pid = open(my $said, '-|') // die;
    if (!$pid) {
        open STDERR, '>&', \*STDOUT;
        exec Gpudbg::program(), '--batch', '--isa', 'gfx7', '--raw', "$dir/long.bin",
            commands(('info resources') x 4, 'print 7 * 11') or POSIX::_exit(9);
    }
    select undef, undef, undef, .7;
    kill 'INT', $pid;
    my $text = do { local $/; <$said> };
    close $said;
    like $text, qr/interrupted while following the program\'s ways/, 'it is interrupted';
    like $text, qr/^\$1 = 77$/m, '... and the next command runs';
};

done_testing;
