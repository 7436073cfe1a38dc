#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Messages to memory on all generations that have these data ports, put together by hand from the sheets of messages:
# every kind, in every width, under odd masks, with addresses inside and outside, channels left out, lanes that meet.
# Memory and registers are worked out here, on strings of bytes, dword by dword.
use strict;
use warnings;
use File::Temp qw(tempdir);
use POSIX ();
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use GenWords qw(word);
use Gpudbg qw(sampled_from);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
srand 7;

sub r32 { return int(rand 65536) << 16 | int rand 65536 }
sub dwords { return map { r32() } 1 .. $_[0] }
sub type { return $_[0] << 14 }
sub from_float { return unpack 'L<', pack 'f<', $_[0] }
sub float { return unpack 'f<', pack 'L<', $_[0] }

# ---- Programs: messages one after another, and the end of the thread.  [sfid, function, sent, back, header, from, to,
# NoMask] ----

sub send_word {
    my ($isa, $exec, $sfid, $function, $sent, $back, $header, $from, $to, $all, $eot, $sixteen) = @_;
    my $d = $function | $header << 19 | $back << 20 | $sent << 25;
    return word([6, 0, 0x31], [18, 16, $exec], [31, 31, $all], [34, 34, $eot], [50, 50, !$eot],
        [63, 56, $eot ? 0 : $to], [66, 66, 1], [79, 72, $from], [95, 92, $sfid], [123, 122, $d >> 30 & 3],
        [71, 67, $d >> 25 & 31], [55, 51, $d >> 20 & 31], [121, 113, $d >> 11 & 511], [91, 81, $d & 0x7ff])
        if $isa eq 'gen12';
    # Gen8 to Gen11: the positions of Mesa's brw_inst.h.
    return word([6, 0, 0x31], [8, 8, $sixteen], [23, 21, $exec], [27, 24, $sfid], [34, 34, $all], [36, 35, !$eot],
        [42, 41, 1], [90, 89, 3], [60, 53, $eot ? 0 : $to], [62, 61, 1], $sixteen ? ([51, 48, 15]) : (),
        [76, 69, $from], $sixteen ? ([88, 85, 3], [67, 64, 4], [83, 80, 14])
        : ([88, 85, 4], [84, 82, 3], [81, 80, 1]), [127, 96, $d | ($eot ? 0x80000000 : 0)])
        if $isa !~ /^gen7/;
    return word([6, 0, 0x31], [8, 8, $sixteen], [9, 9, $all], [23, 21, $exec], [27, 24, $sfid], [33, 32, !$eot],
        [36, 34, $eot ? 0 : 7], [38, 37, 1], [41, 39, 0], [43, 42, 3], [44, 44, 0], [60, 53, $eot ? 0 : $to],
        [62, 61, 1], $sixteen ? ([51, 48, 15]) : (), [76, 69, $from],
        $sixteen ? ([88, 85, 3], [67, 64, 4], [83, 80, 14])
        : ([88, 85, 4], [84, 82, 3], [81, 80, 1]), [127, 96, $d | ($eot ? 0x80000000 : 0)]);
}

my $none = 0xaaaaaaaa; # what registers hold before
# Returns (what was said, memory, dwords from r60 on).  $registers: dwords from r20 on.
sub run {
    my ($isa, $exec, $mask, $sends, $registers, $more, $save) = @_;
    open my $f, '>:raw', "$dir/code" or die;
    print $f map { my ($sfid, $function, $sent, $back, $header, $from, $to, $all, $sixteen) = @$_;
        send_word($isa, $exec, $sfid, $function, $sent, $back, $header // 0, $from // 20, $to // 60, $all // 0, 0,
            $sixteen // 0) } @$sends;
    print $f send_word($isa, 3, 7, 0x10, 1, 0, 0, 112, 0, 1, 1, 0);
    close $f;
    my $simd = 1 << $exec;
    $simd = 8 if $simd < 8;
    unlink "$dir/out";
    my $keep = $save eq 'urb' ? 'x/128xw urb' : "save arg $save $dir/out";
    my $said = qx(
        $gpudbg --batch --isa $isa --raw $dir/code \\
            -e 'launch -g $simd -l $simd simd=$simd mask=@{[sprintf '0x%x', $mask]} $more r20=hex:@{[
            unpack 'H*', pack 'L<*', @$registers]} r60=hex:@{[ 'aa' x 512 ]}' \\
            -e continue -e '$keep' @{[map { "-e 'info registers r$_'" } 60 .. 75]} 2>&1);
    my @r = $said =~ /^r\d+\s+\[ *0\](.*)/mg;
    my $memory = $save eq 'urb' ? pack 'L<*', map { map { hex } /0x([0-9a-f]{8})/g }
        $said =~ /^0x[0-9a-f]+ <urb.*?>:(.*)/mg
        : -f "$dir/out" ? do { local (@ARGV, $/) = "$dir/out"; <> } : '';
    return ($said, $memory, map { map { hex } /0x([0-9a-f]+)/g } @r);
}

sub compare {
    my ($title, $said, $memory, $want_memory, $got, $want) = @_;
    my @wrong;
    push @wrong, $said =~ /^(Fault.*|gpudbg:.*)/m ? $1 : () if $said =~ /Fault|gpudbg:/;
    if ($memory ne $want_memory) {
        my @bytes = grep { substr($memory, $_, 1) ne substr($want_memory, $_, 1) } 0 .. length($want_memory) - 1;
        push @wrong, 'memory differs at ' . join ' ', @bytes[0 .. ($#bytes > 7 ? 7 : $#bytes)];
    }
    for (0 .. 127) {
        my $w = $want->[$_] // $none;
        push @wrong, sprintf 'r%d.%d is %x, not %x', 60 + $_ / 8, $_ % 8, $got->[$_] // 0,
            $w if ($got->[$_] // 0) != $w;
    }
    is join('; ', @wrong[0 .. ($#wrong > 3 ? 3 : $#wrong)]), '', $title;
}

# ---- Memory: a surface of 160 bytes; outside reads give 0 and writes nothing, dword by dword ----

my $SIZE = 160;
sub get {
    my ($m, $at, $n) = @_;
    return $at + $n <= length $$m ? unpack 'Q<', substr($$m, $at, $n) . "\0" x (8 - $n) : 0;
}
sub put { my ($m, $at, $n, $v) = @_; substr($$m, $at, $n) = substr pack('Q<', $v), 0, $n if $at + $n <= length $$m }
sub place { return int rand($SIZE + 40) }

sub atomic {
    my ($op, $old, $a, $b, $bits) = @_;
    my $all = $bits == 64 ? ~0 : (1 << $bits) - 1;
    my $signed = sub { my $v = $_[0]; return $bits == 64 ? unpack 'q', pack 'Q',
        $v : $v >> ($bits - 1) ? $v - 2**$bits : $v };
    use integer;
    my $v = $op == 1 ? $old & $a : $op == 2 ? $old | $a : $op == 3 ? $old ^ $a : $op == 4 ? $a : $op == 5 ? $old + 1
        : $op == 6 || $op == 15 ? $old - 1
        : $op == 7 ? $old + $a : $op == 8 ? $old - $a : $op == 9 ? $a - $old : undef;
    no integer;
    $v = $signed->($old) > $signed->($a) ? $old : $a if $op == 10;
    $v = $signed->($old) < $signed->($a) ? $old : $a if $op == 11;
    $v = $old > $a ? $old : $a if $op == 12;
    $v = $old < $a ? $old : $a if $op == 13;
    $v = $old == $a ? $b : $old if $op == 14;
    $v = unpack 'Q', pack 'q', $v if $v < 0;
    return $v & $all;
}
sub operands { my ($op) = @_; return $op == 5 || $op == 6 || $op == 15 ? 0 : $op == 14 ? 2 : 1 }

my $memory;
sub fresh { $memory = pack 'L<*', dwords($SIZE / 4); return "bti0=hex:" . unpack 'H*', $memory }

sub typed_surface {
    my ($format) = @_;
    fresh();
    open my $f, '>:raw', "$dir/surface" or die;
    print $f $memory;
    close $f;
    return "bti0=\@$dir/surface:$format";
}

my $turn = 0; # each way to the memory takes other sets of channels and other operations, where not all are taken
for my $isa (qw(gen7 gen7.5 gen9 gen12), $ENV{GPUDBG_NIGHTLY} ? qw(gen8 gen11) : ()) {
    my $new = $isa eq 'gen12';
    my $since8 = $isa !~ /^gen7/; # blocks of eight registers, addresses of 64 bits (Mesa, brw_eu_defines.h)
    my ($port, $read, $write, $op) = $isa eq 'gen7' ? (10, 5, 13, 6) : (12, 1, 9, 2);
    for my $simd (8, 16) {
        $turn += 4;
        my $u = $simd / 8;
        my $exec = $simd == 8 ? 3 : 4;
        my $mode = $simd == 16 ? 1 : 2;
        my $mask = $simd == 8 ? 0xb5 : 0xc5b6;
        my @on = grep { $mask >> $_ & 1 } 0 .. $simd - 1;

        # Untyped surfaces, every set of channels.
        for my $absent (sampled_from($turn, 0 .. 14)) {
            my $n = grep { !($absent >> $_ & 1) } 0 .. 3;
            next if $simd == 16 && $n == 4 && 2 + 8 > 15;
            my @channels = grep { !($absent >> $_ & 1) } 0 .. 3;
            my ($surface, @at) = (fresh(), map { place() } 1 .. $simd);
            my @want;
            for my $l (@on) { $want[$_ * $simd + $l] = get(\$memory, $at[$l] + 4 * $channels[$_], 4)
                for 0 .. $#channels }
            my ($said, $got, @r) = run($isa, $exec, $mask,
                [[$port, type($read) | $mode << 12 | $absent << 8, $u, $n * $u]], \@at, $surface, 'bti0');
            compare("$isa, SIMD$simd: untyped read, absent $absent", $said, $got, $memory, \@r, \@want);
            my @data = dwords($n * $simd);
            for my $c (0 .. $#channels) { put(\$memory, $at[$_] + 4 * $channels[$c], 4, $data[$c * $simd + $_])
                for @on }
            ($said, $got, @r) = run($isa, $exec, $mask,
                [[$port, type($write) | $mode << 12 | $absent << 8, $u + $n * $u, 0]], [@at, @data], $surface, 'bti0');
            compare("... untyped write", $said, $got, $memory, \@r, []);
        }

        # Bytes, words and dwords.
        for my $log (0 .. 2) {
            my ($surface, @at) = (fresh(), map { place() } 1 .. $simd);
            my @want;
            $want[$_] = get(\$memory, $at[$_], 1 << $log) for @on;
            my $f = ($simd == 16) << 8 | $log << 10;
            my ($said, $got, @r) = run($isa, $exec, $mask, [[10, type(4) | $f, $u, $u]], \@at, $surface, 'bti0');
            compare("$isa, SIMD$simd: byte scattered read of @{[1 << $log]}", $said, $got, $memory, \@r, \@want);
            my @data = dwords($simd);
            put(\$memory, $at[$_], 1 << $log, $data[$_]) for @on;
            ($said, $got, @r) = run($isa, $exec, $mask, [[10, type(12) | $f, 2 * $u, 0]], [@at, @data], $surface,
                'bti0');
            compare("... and write", $said, $got, $memory, \@r, []);
        }

        # Qwords, by their place in bytes.
        if ($since8) {
            my ($surface, @at) = (fresh(), map { int rand $SIZE - 7 } 1 .. $simd);
            my @want;
            for (@on) { my $v = get(\$memory, $at[$_], 8); @want[2 * $_, 2 * $_ + 1] = ($v & 0xffffffff, $v >> 32) }
            my $f = ($simd == 16 ? 3 : 2) << 8;
            my ($said, $got, @r) = run($isa, $exec, $mask, [[10, type(5) | $f, $u, 2 * $u]], \@at, $surface, 'bti0');
            compare("$isa, SIMD$simd: qword scattered read", $said, $got, $memory, \@r, \@want);
            my @data = dwords(2 * $simd);
            put(\$memory, $at[$_], 8, $data[2 * $_] | $data[2 * $_ + 1] << 32) for @on;
            ($said, $got, @r) = run($isa, $exec, $mask, [[10, type(13) | $f, 3 * $u, 0]], [@at, @data], $surface,
                'bti0');
            compare("... and write", $said, $got, $memory, \@r, []);
        }

        # Dwords by number, with a header; from the constant cache as well.
        for my $cache (10, 9) {
            my ($surface, @at) = (fresh(), map { int rand 46 } 1 .. $simd);
            my @header = (0, 0, 8, (0) x 5);
            my @want;
            $want[$_] = get(\$memory, 8 + 4 * $at[$_], 4) for @on;
            my $f = ($simd == 16 ? 3 : 2) << 8;
            my ($said, $got, @r) = run($isa, $exec, $mask, [[$cache, type(3) | $f, 1 + $u, $u, 1]], [@header, @at],
                $surface, 'bti0');
            compare("$isa, SIMD$simd: dword scattered read, function $cache", $said, $got, $memory, \@r, \@want);
            next if $cache == 9;
            my @data = dwords($simd);
            put(\$memory, 8 + 4 * $at[$_], 4, $data[$_]) for @on;
            ($said, $got, @r) = run($isa, $exec, $mask, [[10, type(11) | $f, 1 + 2 * $u, 0, 1]], [@header, @at, @data],
                $surface, 'bti0');
            compare("... and write", $said, $got, $memory, \@r, []);
        }

        # Atomics: lanes meet in few cells, one after another; with and without an answer; on a surface and in SLM.
        for my $o (sampled_from($turn, 1 .. 15)) {
            for my $returns (0, 1) {
                my ($surface, @at) = (fresh(), map { 4 * int rand 6 } 1 .. $simd);
                my $n = operands($o);
                my @data = map { rand() < 0.5 ? r32() : get(\$memory, $at[$_ % $simd], 4) } 0 .. $n * $simd - 1;
                my @want;
                for my $l (@on) {
                    my $old = get(\$memory, $at[$l], 4);
                    my $now = atomic($o, $old, $n ? $data[$l] : 0, $n > 1 ? $data[$simd + $l] : 0, 32);
                    put(\$memory, $at[$l], 4, $now);
                    $want[$l] = $o == 15 ? $now : $old if $returns;
                }
                my ($said, $got, @r) = run($isa, $exec, $mask,
                    [[$port, type($op) | $o << 8 | ($simd == 8) << 12 | $returns << 13, $u + $n * $u, $returns * $u]],
                    [@at, @data], $surface, 'bti0');
                compare("$isa, SIMD$simd: untyped atomic $o" . ($returns ? ', answered' : ''), $said, $got, $memory,
                    \@r, \@want);
            }
        }
        my @slot = sort { $a <=> $b } map { int rand 900 } 1 .. $simd;
        @slot = map { 4 * (100 * $_ + $slot[$_] % 100) } 0 .. $simd - 1;
        my @data = dwords($simd);
        my @want;
        for my $l (@on) { ($want[$l], $want[$simd + $l]) = ($data[$l], ($data[$l] + $slot[$l]) & 0xffffffff) }
        my ($said, $got, @r) = run($isa, $exec, $mask, [[$port, type($write) | $mode << 12 | 0xe00 | 0xfe, 2 * $u, 0],
            [$port, type($op) | 7 << 8 | ($simd == 8) << 12 | 1 << 13 | 0xfe, 2 * $u, $u, 0, 20 + 2 * $u, 60],
            [10, type(4) | ($simd == 16) << 8 | 2 << 10 | 0xfe, $u, $u, 0, 20, 60 + $u]], [@slot, @data, @slot, @slot],
            'slm=8192 ' . fresh(), 'bti0');
        compare("$isa, SIMD$simd: local memory, written, added to, read", $said, $got, $memory, \@r, \@want);

        # A header's pixel mask takes channels away, before Gen12.
        if (!$new) {
            my ($surface, $pixels, @at) = (fresh(), 0xa5c3, map { 4 * $_ } 0 .. $simd - 1);
            my @header = ((0) x 7, 0xffff0000 | $pixels);
            my @taken = grep { $pixels >> $_ & 1 } @on;
            my @data = dwords($simd);
            my @want;
            $want[$_] = get(\$memory, $at[$_], 4) for @taken;
            put(\$memory, $at[$_], 4, $data[$_]) for @taken;
            $want[$simd + $_] = $data[$_] for @taken;
            put(\$memory, $at[$_], 4, $data[$_] + 1 & 0xffffffff) for @taken;
            my ($said, $got, @r) = run($isa, $exec, $mask,
                [[$port, type($read) | $mode << 12 | 0xe00, 1 + $u, $u, 1],
                [$port, type($write) | $mode << 12 | 0xe00, 1 + 2 * $u, 0, 1],
                [$port, type($op) | 5 << 8 | ($simd == 8) << 12 | 1 << 13, 1 + $u, $u, 1, 20, 60 + $u]],
                [@header, @at, @data], $surface, 'bti0');
            compare("$isa, SIMD$simd: untyped messages under a header's pixel mask", $said, $got, $memory, \@r, \@want);
        }

        # Scratch of the thread: whole registers, or under the mask of channels.
        for my $code (0, 1, $since8 ? (2, 3) : 3) {
            my $registers = ({ 0 => 1, 1 => 2, 2 => 4, 3 => $since8 ? 8 : 4 })->{$code};
            for my $lanes (0, 1) {
                my @data = dwords(8 * $registers);
                my $f = 1 << 18 | $code << 12 | 3;
                my @header = (0, 0, 0, 0, 0, 1024, 0, 0);
                my ($said, $got, @r) = run($isa, $exec, $mask,
                    [[10, $f | 1 << 17 | $lanes << 16, 1 + $registers, 0, 1], [10, $f, 1, $registers, 1, 20, 60]],
                    [@header, @data], "scratch=4096 " . fresh(), 'bti0');
                compare("$isa, SIMD$simd: scratch, $registers registers" . ($lanes ? ' by channel' : ''), $said, $got,
                    $memory, \@r, [map { !$lanes || $mask >> ($_ % $simd) & 1 ? $data[$_] : 0 } 0 .. $#data]);
            }
        }

        # Blocks move everything, whatever the mask.
        for my $code (0 .. 4) {
            my @bytes = (16, 16, 32, 64, 128);
            for ([10, 0, 16], [10, 1, 4], [9, 0, 16], [9, 1, 4]) {
                my ($cache, $t, $unit) = @$_;
                my $surface = fresh();
                my $at = $unit == 16 ? 1 + int rand 9 : 3 + int rand 38;
                my @header = (0, 0, $unit == 16 ? $at : 4 * $at, (0) x 5);
                my @want;
                $want[($code == 1 ? 4 : 0) + $_] = get(\$memory, $unit * $at + 4 * $_, 4)
                    for 0 .. $bytes[$code] / 4 - 1;
                my $back = $bytes[$code] < 64 ? 1 : $bytes[$code] / 32;
                my ($said, $got, @r) = run($isa, $exec, $mask, [[$cache, type($t) | $code << 8, 1, $back, 1]], \@header,
                    $surface, 'bti0');
                compare("$isa, SIMD$simd: function $cache, oword block read $t, $bytes[$code] bytes", $said, $got,
                    $memory, \@r, \@want);
                next if $cache == 9 || $t;
                my @data = dwords(8 * $back);
                put(\$memory, 16 * $at + 4 * $_, 4, $data[($code == 1 ? 4 : 0) + $_]) for 0 .. $bytes[$code] / 4 - 1;
                ($said, $got, @r) = run($isa, $exec, $mask, [[10, type(8) | $code << 8, 1 + $back, 0, 1]],
                    [@header, @data], $surface, 'bti0');
                compare("... and write", $said, $got, $memory, \@r, []);
            }
        }
    }

    # Two blocks of owords.
    for my $code (0, 2) {
        my $count = $code ? 4 : 1;
        my ($surface, @at) = (fresh(), 1, 5);
        my @offsets = ($at[0], 0, 0, 0, $at[1], 0, 0, 0);
        my @want;
        for my $k (0 .. $count - 1) {
            for my $i (0 .. 7) { $want[8 * $k + $i] = get(\$memory, 16 * ($at[$i / 4] + $k) + 4 * ($i % 4), 4)
                if 0xb5 >> $i & 1 }
        }
        my ($said, $got, @r) = run($isa, 3, 0xb5, [[10, type(2) | $code << 8, 2, $count, 1]], [(0) x 8, @offsets],
            $surface, 'bti0');
        compare("$isa: oword dual block read of $count", $said, $got, $memory, \@r, \@want);
        my @data = dwords(8 * $count);
        for my $k (0 .. $count - 1) {
            for my $i (0 .. 7) { put(\$memory, 16 * ($at[$i / 4] + $k) + 4 * ($i % 4), 4, $data[8 * $k + $i])
                if 0xb5 >> $i & 1 }
        }
        ($said, $got, @r) = run($isa, 3, 0xb5, [[10, type(10) | $code << 8, 2 + $count, 0, 1]],
            [(0) x 8, @offsets, @data], $surface, 'bti0');
        compare("... and write", $said, $got, $memory, \@r, []);
    }

    # One of two blocks outside of SLM: the fault leaves the other as it was.
    {
        open my $f, '>:raw', "$dir/code" or die;
        print $f send_word($isa, 3, 10, type(10) | 0xfe, 3, 0, 1, 20, 60, 0, 0, 0),
            send_word($isa, 3, 7, 0x10, 1, 0, 0, 112, 0, 1, 1, 0);
        close $f;
        my $payload = unpack 'H*', pack 'L<*', (0) x 8, 0, 0, 0, 0, 100, 0, 0, 0, (0x11111111) x 8;
        my $said = qx($gpudbg --batch --isa $isa --raw $dir/code -e 'launch -g 8 -l 8 simd=8 slm=64 r20=hex:$payload' \\
            -e continue -e 'x/4xw lds:0' 2>&1);
        like($said, qr/Fault.*LDS 0x640.*^lds:0x0:(?:  0x00000000){4}$/ms,
            "$isa: oword dual block write, half outside, writes nothing");
    }

    # Two vectors, of the older generations: align16.
    if ($isa !~ /^gen1/) {
        my ($surface, @at) = (fresh(), 8, 60);
        my @addresses = ($at[0], 0, 0, 0, $at[1], 0, 0, 0);
        my @want = map { get(\$memory, $at[$_ / 4] + 4 * ($_ % 4), 4) } 0 .. 7;
        my ($said, $got, @r) = run($isa, 3, 0xff, [[$port, type($read), 1, 1, 0, 20, 60, 0, 1]], \@addresses, $surface,
            'bti0');
        compare("$isa: untyped read of two vectors", $said, $got, $memory, \@r, \@want);
        my @data = dwords(8);
        put(\$memory, $at[$_ / 4] + 4 * ($_ % 4), 4, $data[$_]) for 0 .. 7;
        ($said, $got, @r) = run($isa, 3, 0xff, [[$port, type($write), 2, 0, 0, 20, 60, 0, 1]], [@addresses, @data],
            $surface, 'bti0');
        compare("... and write", $said, $got, $memory, \@r, []);
        if ($isa =~ /^gen(?:7.5|8|9)$/) {
            my @cell = map { get(\$memory, $_, 4) } @at;
            my @operands = ($cell[0], 7, 0, 0, $cell[1] ^ 1, 9, 0, 0);
            @want = ($cell[0], undef, undef, undef, $cell[1]);
            $surface = 'bti0=hex:' . unpack 'H*', $memory;
            put(\$memory, $at[0], 4, 7);
            ($said, $got, @r) = run($isa, 3, 0xff, [[12, type(3) | 14 << 8 | 1 << 13, 2, 1, 0, 20, 60, 0, 1]],
                [@addresses, @operands], $surface, 'bti0');
            compare("$isa: atomic compare and write of two vectors", $said, $got, $memory, \@r, \@want);
        }
    }

    # Typed surfaces: 4 x 3 x 2 elements of four bytes, by number, inside and outside.
    my ($tport, $slots) = $isa eq 'gen7' ? (5, 0) : (12, 1);
    for my $absent (0, 0xa, 0x7) {
        my $surface = typed_surface('R8G8B8A8_UINT:4x3x2');
        my @channels = grep { !($absent >> $_ & 1) } 0 .. 3;
        my $mask = 0xd7;
        my @at = map { [int rand 5, int rand 4, int rand 3] } 0 .. 7;
        my @coordinates = map { my $k = $_; map { $_->[$k] } @at } 0 .. 2;
        my (@want, @offset);
        for my $l (0 .. 7) {
            my ($x, $y, $z) = @{ $at[$l] };
            $offset[$l] = $x < 4 && $y < 3 && $z < 2 ? 4 * ($x + 4 * ($y + 3 * $z)) : undef;
            next if !($mask >> $l & 1);
            $want[8 * $_ + $l] = defined $offset[$l] ? get(\$memory, $offset[$l] + $channels[$_], 1) : 0
                for 0 .. $#channels;
        }
        my @header = ((0) x 7, 0xffff);
        my ($said, $got, @r) = run($isa, 3, $mask,
            [[$tport, type(5) | $absent << 8 | $slots << 12, 4, scalar @channels, 1]], [@header, @coordinates],
            $surface, 'bti0');
        compare("$isa: typed read, absent $absent", $said, $got, $memory, \@r, \@want);
        my @data = dwords(8 * @channels);
        for my $l (grep { $mask >> $_ & 1 && defined $offset[$_] } 0 .. 7) {
            my @c = (0) x 4;
            $c[$channels[$_]] = $data[8 * $_ + $l] > 255 ? 255 : $data[8 * $_ + $l] for 0 .. $#channels;
            put(\$memory, $offset[$l] + $_, 1, $c[$_]) for 0 .. 3;
        }
        ($said, $got, @r) = run($isa, 3, $mask, [[$tport, type(13) | $absent << 8 | $slots << 12, 4 + @channels, 0, 1]],
            [@header, @coordinates, @data], $surface, 'bti0');
        compare("... and write", $said, $got, $memory, \@r, []);
    }
    # Bit 12 of an atomic says which half of the header's pixel mask counts, bit 13 that it answers.
    for ([7, 0], [12, 1], [14, 0], [5, 1]) {
        my ($o, $upper) = @$_;
        my $pixels = $upper ? 0xbe00 : 0x00be;
        my $surface = typed_surface('r32_uint:4x3x2');
        my @at = map { [int rand 2, int rand 2, 0] } 0 .. 7;
        my @coordinates = map { my $k = $_; map { $_->[$k] } @at } 0 .. 2;
        my $n = operands($o);
        my @data = map { rand() < 0.5 ? r32() : get(\$memory, 0, 4) } 1 .. 8 * $n;
        my @want;
        for my $l (grep { 0xd7 & 0xbe & 1 << $_ } 0 .. 7) {
            my $at = 4 * ($at[$l][0] + 4 * $at[$l][1]);
            $want[$l] = get(\$memory, $at, 4);
            put(\$memory, $at, 4, atomic($o, $want[$l], $data[$l] // 0, $data[8 + $l] // 0, 32));
        }
        my ($said, $got, @r) = run($isa, 3, 0xd7, [[$tport, type(6) | $o << 8 | $upper << 12 | 1 << 13, 4 + $n, 1, 1]],
            [(0) x 7, $pixels, @coordinates, @data], $surface, 'bti0');
        compare("$isa: typed atomic $o", $said, $got, $memory, \@r, \@want);
    }

    # Media blocks: rectangles of bytes; rows take a power of two of them; beyond the edge the nearest element is read,
    # nothing written.
    for my $case (['R8_UINT:12x8', 1, 12, 8], ['r32_uint:3x8', 4, 3, 8]) {
        my ($format, $size, $across, $down) = @$case;
        for my $block ([0, 0, 12, 2], [4, 3, 4, 8], [-4, -2, 8, 3], [8, 6, 16, 4], [0, 1, 20, 2]) {
            my ($x, $y, $width, $height) = @$block;
            my $pitch = 4;
            $pitch *= 2 while $pitch < $width;
            my $place = sub {
                my ($r, $b, $clamp) = @_;
                my ($u, $v) = (POSIX::floor(($x + $b) / $size), $y + $r);
                my $within = $x + $b - $u * $size;
                return if !$clamp && ($u < 0 || $v < 0 || $u >= $across || $v >= $down);
                ($u, $v) = map { my ($k, $most) = @$_; $k < 0 ? 0 : $k > $most ? $most : $k } [$u, $across - 1],
                    [$v, $down - 1];
                return ($v * $across + $u) * $size + $within;
            };
            my @header = (map({ $_ & 0xffffffff } $x, $y), $width - 1 | $height - 1 << 16, (0) x 5);
            my ($mport, $registers) = ($since8 ? 12 : 5, POSIX::ceil($pitch * $height / 32));
            my $surface = typed_surface($format);
            my @want;
            for my $r (0 .. $height - 1) {
                for my $b (0 .. $width - 1) {
                    $want[($r * $pitch + $b) / 4] |= get(\$memory, $place->($r, $b, 1), 1) << 8 * ($b % 4);
                }
            }
            my ($said, $got, @r) = run($isa, 3, 0x11, [[$mport, type(4), 1, $registers, 1]], \@header, $surface,
                'bti0');
            compare("$isa: media block read, $format, @$block", $said, $got, $memory, \@r, \@want);
            my @data = dwords(8 * $registers);
            for my $r (0 .. $height - 1) {
                for my $b (0 .. $width - 1) {
                    my $at = $place->($r, $b, 0);
                    put(\$memory, $at, 1, $data[($r * $pitch + $b) / 4] >> 8 * ($b % 4) & 255) if defined $at;
                }
            }
            ($said, $got, @r) = run($isa, 3, 0x11, [[$mport, type(10), 1 + $registers, 0, 1]], [@header, @data],
                $surface, 'bti0');
            compare("... and write", $said, $got, $memory, \@r, []);
        }
    }

    # A fence and a barrier's message pass; nothing changes.
    {
        my $surface = fresh();
        my ($said, $got, @r) = run($isa, 3, 0xff, [[10, type(7), 1, 0, 1], [3, 4, 1, 0]], [(0) x 8], $surface, 'bti0');
        compare("$isa: a memory fence and a barrier's message", $said, $got, $memory, \@r, []);
    }
    next if !$since8;

    # ---- The URB: a handle a lane (64 bytes from each other here), slots of 16 bytes (Mesa, brw_urb_desc) ----
    {
        $memory = pack 'L<*', dwords(8 * 16);
        my ($base, @handle) = (1, reverse 0 .. 7);
        my @offset = map { int rand 3 } 0 .. 7;
        my @channels = map { int rand 8 } 0 .. 7;
        my @data = dwords(24);
        my @on = grep { 0xb5 >> $_ & 1 } 0 .. 7;
        my $urb = 'urb=hex:' . unpack 'H*', $memory;
        my @want;
        for my $l (@on) { $want[8 * $_ + $l] = get(\$memory, 64 * $handle[$l] + 16 * $base + 4 * $_, 4) for 0 .. 3 }
        my ($said, $got, @r) = run($isa, 3, 0xb5, [[6, 8 | $base << 4, 1, 4]], \@handle, $urb, 'urb');
        compare("$isa: URB SIMD8 read", $said, $got, $memory, \@r, \@want);
        for my $l (@on) {
            my $at = 64 * $handle[$l] + 16 * ($base + $offset[$l]);
            $channels[$l] >> $_ & 1 and put(\$memory, $at + 4 * $_, 4, $data[8 * $_ + $l]) for 0 .. 2;
        }
        ($said, $got, @r) = run($isa, 3, 0xb5, [[6, 7 | $base << 4 | 1 << 15 | 1 << 17, 6, 0]],
            [@handle, @offset, map({ $_ << 16 } @channels), @data], $urb, 'urb');
        compare("... and write, offsets and channels a lane", $said, $got, $memory, \@r, []);
    }

    # ---- 64-bit addresses: a buffer at &buf0, which registers hold ----

    my ($high, $low) = qx($gpudbg --batch --isa $isa --raw $dir/code -e 'launch -g 8 -l 8 simd=8 buf0=zero:160' \\
        -e 'info buffers' 2>&1) =~ /^buf0.*0x([0-9a-f]+)([0-9a-f]{8})/m;
    my $base = hex($high) << 32 | hex $low; # where the machine puts the first buffer
    my $wide = sub { return map { my $a = $base + $_; ($a & 0xffffffff, $a >> 32) } @_ };
    my $buffer = sub { (my $s = fresh()) =~ s/bti0/buf0/; return $s };
    for my $simd (8, 16) {
        my ($u, $exec, $mask) = ($simd / 8, $simd == 8 ? 3 : 4, $simd == 8 ? 0xb5 : 0xc5b6);
        my @on = grep { $mask >> $_ & 1 } 0 .. $simd - 1;
        for my $kind (0 .. 2) {
            for my $log (0 .. ($kind ? 2 : 3)) {
                my $size = $kind == 0 ? 1 << $log : $kind == 1 ? 4 : 8;
                my $count = $kind == 0 ? 1 : 1 << $log;
                my $regs = $count * ($size == 8 ? 2 : 1) * $u;
                my ($surface, @at) = ($buffer->(), map { int rand 120 } 1 .. $simd);
                my $f = $kind << 8 | $log << 10 | ($simd == 16) << 12;
                my @want;
                if ($regs <= 16) {
                    for my $l (@on) {
                        for my $e (0 .. $count - 1) {
                            my $v = get(\$memory, $at[$l] + $e * $size, $size);
                            if ($size == 8) { @want[2 * $simd * $e + 2 * $l,
                                2 * $simd * $e + 2 * $l + 1] = ($v & 0xffffffff, $v >> 32) }
                            else { $want[$simd * $e + $l] = $v }
                        }
                    }
                    my ($said, $got, @r) = run($isa, $exec, $mask, [[12, type(0x10) | $f, 2 * $u, $regs]],
                        [$wide->(@at)], $surface, 'buf0');
                    compare("$isa, SIMD$simd: A64 scattered read, kind $kind, $log", $said, $got, $memory, \@r,
                        \@want);
                }
                next if 2 * $u + $regs > 15;
                @at = map { 8 * $_ } map { int rand 16 } 1 .. $simd;
                my @data = dwords(8 * $regs);
                for my $e (0 .. $count - 1) {
                    for my $l (@on) {
                        my $v = $size == 8 ? $data[2 * $simd * $e + 2 * $l] | $data[2 * $simd * $e + 2 * $l + 1] << 32
                            : $data[$simd * $e + $l];
                        put(\$memory, $at[$l] + $e * $size, $size, $v);
                    }
                }
                my ($said, $got, @r) = run($isa, $exec, $mask, [[12, type(0x1a) | $f, 2 * $u + $regs, 0]],
                    [$wide->(@at), @data], $surface, 'buf0');
                compare("$isa, SIMD$simd: A64 scattered write, kind $kind, $log", $said, $got, $memory, \@r, []);
            }
        }
        for my $absent (0, 9, 14) {
            my @channels = grep { !($absent >> $_ & 1) } 0 .. 3;
            my ($surface, @at) = ($buffer->(), map { 4 * int rand 36 } 1 .. $simd);
            my $f = ($simd == 16 ? 1 : 2) << 12 | $absent << 8;
            my @want;
            for my $l (@on) { $want[$_ * $simd + $l] = get(\$memory, $at[$l] + 4 * $channels[$_], 4)
                for 0 .. $#channels }
            my ($said, $got, @r) = run($isa, $exec, $mask, [[12, type(0x11) | $f, 2 * $u, @channels * $u]],
                [$wide->(@at)], $surface, 'buf0');
            compare("$isa, SIMD$simd: A64 untyped read, absent $absent", $said, $got, $memory, \@r, \@want);
            my @data = dwords(@channels * $simd);
            for my $c (0 .. $#channels) { put(\$memory, $at[$_] + 4 * $channels[$c], 4, $data[$c * $simd + $_])
                for @on }
            ($said, $got, @r) = run($isa, $exec, $mask, [[12, type(0x19) | $f, 2 * $u + @channels * $u, 0]],
                [$wide->(@at), @data], $surface, 'buf0');
            compare("... and write", $said, $got, $memory, \@r, []);
        }
    }
    my @on = grep { 0xb5 >> $_ & 1 } 0 .. 7;
    for my $bits ($new ? 16 : (), 32, 64) {
        my ($t, $bytes, $regs) = ($bits == 16 ? 0x13 : 0x12, $bits / 8, $bits == 64 ? 2 : 1);
        $turn += 4;
        for my $o (sampled_from($turn, 1 .. 15)) {
            my ($surface, @at) = ($buffer->(), map { 8 * int rand 3 } 0 .. 7);
            my $n = operands($o);
            my @operand = map { my $k = $_;
                [map { my $v = rand() < 0.5 ? r32() << 32 | r32() : get(\$memory, $at[$_], 8);
                $bits == 64 ? $v : $v & (1 << $bits) - 1 } 0 .. 7] } 1 .. $n;
            my @want;
            for my $l (@on) {
                my $old = get(\$memory, $at[$l], $bytes);
                my $now = atomic($o, $old, $n ? $operand[0][$l] : 0, $n > 1 ? $operand[1][$l] : 0, $bits);
                put(\$memory, $at[$l], $bytes, $now);
                my $v = $o == 15 ? $now : $old;
                if ($bits == 64) { @want[2 * $l, 2 * $l + 1] = ($v & 0xffffffff, $v >> 32) } else { $want[$l] = $v }
            }
            my @data = map { map { $bits == 64 ? ($_ & 0xffffffff, $_ >> 32) : $_ } @$_ } @operand;
            my ($said, $got, @r) = run($isa, 3, 0xb5,
                [[12, type($t) | $o << 8 | ($bits == 64) << 12 | 1 << 13, 2 + $n * $regs, $regs]],
                [$wide->(@at), @data], $surface, 'buf0');
            compare("$isa: A64 atomic $o of $bits bits", $said, $got, $memory, \@r, \@want);
        }
    }
    # Float atomics: the larger, the smaller, compare and write.
    for my $a64 ($isa eq 'gen8' ? () : (0, 1)) { # since Gen9
        for my $o (1 .. 3) {
            my @cell = map { from_float($_) } 1.5, -2, 0;
            my ($surface, @at) = (($a64 ? 'buf0' : 'bti0') . '=hex:' . unpack('H*', $memory = pack 'L<3', @cell),
                map { 4 * ($_ % 3) } 0 .. 7);
            my @x = map { from_float($_) } 2.5, -3, -0.5, 0.25, -2, 8, 2.5, 100;
            my @y = dwords(8);
            my @want;
            for my $l (@on) {
                my $old = get(\$memory, $at[$l], 4);
                $want[$l] = $old;
                my ($f, $g) = (float($old), float($x[$l]));
                put(\$memory, $at[$l], 4, $o == 1 ? ($g > $f ? $x[$l] : $old) : $o == 2 ? ($g < $f ? $x[$l] : $old) : $f
                    == $g ? $y[$l] : $old);
            }
            my ($said, $got, @r) = run($isa, 3, 0xb5,
                [[12, type($a64 ? 0x1d : 0x1b) | $o << 8 | ($a64 ? 0 : 1 << 12) | 1 << 13, ($a64 ? 3 : 2) + ($o == 3),
                1]], [$a64 ? $wide->(@at) : @at, @x, $o == 3 ? @y : ()], $surface, $a64 ? 'buf0' : 'bti0');
            compare("$isa: " . ($a64 ? 'A64 ' : '') . "float atomic $o", $said, $got, $memory, \@r, \@want);
        }
    }
    # Blocks at an address: owords of any place, owords, registers.
    for ([0, 0, 16, 4], [0, 1, 16, 4], [0, 4, 128, 4], [1, 2, 32, 16], [3, 1, 32, 32], [3, 2, 64, 32],
        [3, 3, 128, 32]) {
        my ($kind, $code, $bytes, $unit) = @$_;
        my $surface = $buffer->();
        my $at = $unit * int rand 160 / $unit - $bytes / $unit + 1;
        my $first = $kind < 2 && $code == 1 ? 4 : 0;
        my @want;
        $want[$first + $_] = get(\$memory, $at + 4 * $_, 4) for 0 .. $bytes / 4 - 1;
        my $back = $bytes < 64 ? 1 : $bytes / 32;
        my @header = ($wide->($at), (0) x 6);
        my ($said, $got, @r) = run($isa, 3, 0xb5, [[12, type(0x14) | $kind << 11 | $code << 8, 1, $back, 1]], \@header,
            $surface, 'buf0');
        compare("$isa: A64 block read, kind $kind, $bytes bytes", $said, $got, $memory, \@r, \@want);
        my @data = dwords(8 * $back);
        put(\$memory, $at + 4 * $_, 4, $data[$first + $_]) for 0 .. $bytes / 4 - 1;
        ($said, $got, @r) = run($isa, 3, 0xb5, [[12, type(0x15) | $kind << 11 | $code << 8, 1 + $back, 0, 1]],
            [@header, @data], $surface, 'buf0');
        compare("... and write", $said, $got, $memory, \@r, []);
    }
}
done_testing;
