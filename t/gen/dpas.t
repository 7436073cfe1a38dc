# SPDX-License-Identifier: GPL-3.0-or-later
#
# dpas of gen12.5 with its types, depths and rows, against sums of products written here.
use v5.36;
use Test::More;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use OracleRandom qw(generator);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
my $random = generator(0xd9a5);

# Depth, rows, types of dst, src0 and the factors.
my @cases = ([8, 8, qw(d d b b)], [8, 4, qw(d d ub b)], [4, 3, qw(ud d b ub)], [2, 1, qw(d d ub ub)],
    [8, 8, qw(d d u4 u4)], [8, 2, qw(d d s4 u4)], [1, 5, qw(d d s4 s4)], [8, 8, qw(f f hf hf)], [8, 3, qw(f f bf bf)],
    [4, 8, qw(hf f hf hf)], [8, 2, qw(bf bf bf bf)], [8, 6, 'd', 'null', qw(b b)],
    # Factors of two sizes: four elements a step beside bytes, else eight.
    [8, 8, qw(d d s4 b)], [8, 3, qw(d d b u4)], [8, 4, qw(d d u2 b)], [8, 8, qw(ud ud ub u2)], [8, 8, qw(d d s2 s2)],
    [8, 5, qw(d d u2 s4)], [8, 2, qw(d d s4 s2)], [4, 2, qw(d d s2 ub)], [1, 1, qw(d d u2 u2)]);
my %bits = (b => 8, ub => 8, u4 => 4, s4 => 4, u2 => 2, s2 => 2, hf => 16, bf => 16);
# Small whole numbers, which all of these types hold exactly, sums too.
sub half ($v) { return 0 if !$v; my $e = int(log(abs $v) / log(2) + 1e-9);
    return ($v < 0 ? 0x8000 : 0) | ($e + 15) << 10 | (abs($v) / 2**$e - 1) * 1024 }
sub encode ($type, $v) {
    return $type eq 'hf' ? half($v) : $type eq 'bf' ? unpack('L', pack 'f', $v) >> 16
        : $type eq 'f' ? unpack('L', pack 'f', $v)
        : $v & ($type =~ /2$/ ? 3 : $type =~ /4$/ ? 15 : $type =~ /b$/ ? 255 : 0xffffffff);
}
sub value ($type) { my $n = $type =~ /2$/ ? 4 : 8; return $type =~ /^u/ ? $random->($n) : $random->($n) - $n / 2 }
# Elements side by side from the lowest bit on, as bits in the order of memory.
sub bits_of ($type, @v) { return join '', map { my $e = encode($type, $_);
    map { $e >> $_ & 1 } 0 .. $bits{$type} - 1 } @v }
sub hex_of (@dwords) { return unpack 'H*', pack 'L<*', @dwords }
sub size ($type) { return $type =~ /f$/ && $type ne 'f' ? 2 : 4 }
sub packed ($type, @v) { return size($type) == 2 ? unpack('H*', pack 'S<*', map { encode($type, $_) } @v)
    : hex_of(map { encode($type, $_) } @v) }

for my $case (@cases) {
    my ($depth, $rows, $d, $s, $a, $b) = @$case;
    my $n = $bits{$a} == 16 ? 2 : $bits{$a} == 8 || $bits{$b} == 8 ? 4 : 8;
    my @src0 = map { $s eq 'null' ? 0 : value($s) } 1 .. 8 * $rows;
    my @one = map { [map { value($a) } 1 .. $n] } 1 .. 8 * $depth;
    my @two = map { [map { value($b) } 1 .. $n] } 1 .. $depth * $rows;
    my @want;
    for my $r (0 .. $rows - 1) {
        for my $c (0 .. 7) {
            my $sum = $src0[8 * $r + $c];
            for my $k (0 .. $depth - 1) {
                $sum += $one[8 * $k + $c][$_] * $two[$depth * $r + $k][$_] for 0 .. $n - 1;
            }
            push @want, $sum;
        }
    }
    # A channel's elements of all steps lie in its dwords of one register after another; a row's are all in a row.
    my @channel = map { my $c = $_; bits_of($a, map { $one[8 * $_ + $c]->@* } 0 .. $depth - 1) } 0 .. 7;
    my $one = '';
    for my $at (map { 32 * $_ } 0 .. (length($channel[0]) - 1) / 32) {
        $one .= unpack 'H*', pack 'b32', substr($_, $at, 32) . 0 x 32 for @channel;
    }
    my $two = unpack 'H*', pack 'b*', bits_of($b, map { @$_ } @two);
    $two .= 0 x (-length($two) % 8);
    my $from = $s eq 'null' ? "null:$d" : "r20:$s";
    open my $text, '>', "$dir/k.asm" or die;
    print $text "(W) dpas.${depth}x$rows (8|M0) r40:$d $from r60:$a r90.0:$b {\$1}\n"
        . "(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT,A\@1}\n";
    close $text;
    my $made = `$gpudbg --batch --isa gen12.5 -e 'set syntax iga' -e 'assemble $dir/k.asm $dir/k.bin' 2>&1`;
    my @e = ("launch -g 8 -l 8 simd=8" . ($s eq 'null' ? '' : ' r20=hex:' . packed($s, @src0)) . " r60=hex:$one"
        . " r90=hex:$two", 'stepi 1',
        map { "info registers r$_" } 40 .. 47);
    open my $p, '-|', $gpudbg, '--batch', '--raw', '--isa', 'gen12.5', "$dir/k.bin", map { ('-e', $_) } @e or die;
    my $said = do { local $/; <$p> };
    my @got = map { hex } map { /^r4\d\s.*?((?:0x[0-9a-f]{8}\s*){8})$/ ? $1 =~ /0x([0-9a-f]+)/g : () }
        split /\n/, $said;
    my $bytes = pack 'L<*', @got;
    my @is = unpack size($d) == 2 ? 'S<*' : 'L<*', $bytes;
    is_deeply([@is[0 .. 8 * $rows - 1]], [map { encode($d, $_) } @want], "dpas.${depth}x$rows $d $s $a $b")
        or diag("$made\n$said");
}

# What the manual has no products of, and what needs the other thread of a pair.
sub stop_of ($text) {
    open my $to, '>', "$dir/s.asm" or die;
    print $to "$text\n";
    close $to;
    my $made = `$gpudbg --batch --isa gen12.5 -e 'set syntax iga' -e 'assemble $dir/s.asm $dir/s.bin' 2>&1`;
    like $made, qr/bytes/, "$text is assembled";
    return `$gpudbg --batch --raw --isa gen12.5 $dir/s.bin -e 'launch -g 8 -l 8 simd=8' -e 'stepi 1' 2>&1`;
}
my @stops = (['dpas.8x8 (8|M0) r40:f r20:f r60:bf r90.0:hf', 'dpas has no factors of bf and hf'],
    ['dpas.8x8 (8|M0) r40:f r20:f r60:hf r90.0:bf', 'dpas has no factors of hf and bf'],
    ['dpas.8x8 (8|M0) r40:bf r20:f r60:hf r90.0:hf', 'dpas adds no products of hf to bf'],
    ['dpas.8x8 (8|M0) r40:f r20:hf r60:bf r90.0:bf', 'dpas adds no products of bf to hf'],
    ['dpasw.8x8 (8|M0) r40:f r20:f r60:hf r90.0:hf',
        'dpasw: this thread has no other one to form a pair with: its group has 1 threads']);
like stop_of("(W) $_->[0] {\$1}"), qr/\Q$_->[1]\E/, $_->[0] for @stops;

# ---- Pairs of threads ----

# The table of DPASW in the documentation of vISA: how many registers of src2 are the first thread's and the second's.
my %share = (8 => [4, 4], 7 => [4, 3], 6 => [3, 3], 5 => [3, 2], 4 => [2, 2], 3 => [2, 1], 2 => [1, 1], 1 => [1, 0]);
sub run_pair ($text, $launch, @then) {
    open my $to, '>', "$dir/p.asm" or die;
    print $to "$text(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT,A\@1}\n";
    close $to;
    my $made = `$gpudbg --batch --isa gen12.5 -e 'set syntax iga' -e 'assemble $dir/p.asm $dir/p.bin' 2>&1`;
    open my $p, '-|', "$gpudbg --batch --raw --isa gen12.5 $dir/p.bin "
        . join(' ', map { "-e '$_'" } $launch, @then) . ' 2>&1' or die;
    local $/;
    return <$p>;
}
sub dwords ($row) { return map { hex } $row =~ /((?:0x[0-9a-f]{8}\s*){8})$/ ? $1 =~ /0x([0-9a-f]+)/g : () }

for my $rows (1 .. 8) {
    # Two products after each other, with other factors, by four threads: two pairs.
    my (@parts, %reg);
    for my $t (0 .. 3) {
        for my $r (20 .. 27, 60 .. 67, 70 .. 77, 90 .. 93, 100 .. 103) {
            $reg{$t}{$r} = [map { $random->(256) } 1 .. 32];
            $reg{$t}{$r} = [(0) x 32] if $r < 28;
            push @parts, "r$r/$t=hex:" . unpack 'H*', pack 'C*', $reg{$t}{$r}->@*;
        }
    }
    my $text = "(W) dpasw.8x$rows (8|M0) r40:d r20:d r60:b r90.0:b {\$1}\nsync.nop null {\$1.dst}\n"
        . "(W) dpasw.8x$rows (8|M0) r50:d r40:d r70:b r100.0:b {\$2}\nsync.nop null {\$2.dst}\n";
    my ($n0, $n1) = $share{$rows}->@*;
    my @sum = map { [] } 0 .. 3;
    for my $of ([60, 90], [70, 100]) {
        for my $t (0 .. 3) {
            my ($first, $second) = ($t & ~1, $t | 1);
            my @two = map { $_ > 127 ? $_ - 256 : $_ }
                (map { $reg{$first}{ $of->[1] + $_ }->@* } 0 .. $n0 - 1),
                (map { $reg{$second}{ $of->[1] + $_ }->@* } 0 .. $n1 - 1);
            for my $r (0 .. $rows - 1) {
                for my $c (0 .. 7) {
                    $sum[$t][8 * $r + $c] //= 0;
                    for my $k (0 .. 7) {
                        for my $e (0 .. 3) {
                            my $one = $reg{$t}{ $of->[0] + $k }[4 * $c + $e];
                            $sum[$t][8 * $r + $c] += ($one > 127 ? $one - 256 : $one) * $two[32 * $r + 4 * $k + $e];
                        }
                    }
                }
            }
        }
    }
    my @ask = map { my $t = $_; ("wave $t", map { "info registers r$_" } 50 .. 49 + $rows) } 0 .. 3;
    my $said = run_pair($text, "launch -g 32 -l 32 simd=8 @parts", 'break 0x40', 'continue', 'delete',
        (map { ("wave $_", 'stepi 4') } 0 .. 3), @ask);
    my @all = $said =~ /^(r5\d\s.*)$/mg;
    is_deeply([map { dwords($_) } @all], [map { $_ & 0xffffffff } map { @$_ } @sum], "dpasw, $rows rows")
        or diag($said);
}
done_testing;
