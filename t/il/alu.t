#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Every arithmetic opcode of AMD IL in a kernel of its own, 64 lanes with special and random values, against a model in
# Perl that was written from the manual (chapter 7).  Floats are modelled in doubles, which round to the right float
# once.
use strict;
use warnings;
no warnings 'portable';
use POSIX qw(floor ceil fmod);
use Math::BigInt;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg 'sampled';
use IL;

my $PI = 4 * atan2(1, 1);
my ($ONE, $MOST, $INF, $NAN) = (0x3f800000, 0x7f7fffff, 0x7f800000, 0x7fc00000);
my $inf = 9**9**9;

# ---- Values ----
srand(7);
my @special = (0, 0x80000000, $ONE, 0xbf800000, 0x40490fdb, 0x3f000000, 0xbf000000, 0x40200000, 0xc0200000, $INF,
    0xff800000, 0x7fc00001, 0x00000001, 0x807fffff, 0x00800000, $MOST, 0xff7fffff, 0x4f000000, 0xcf000000, 0x3eaaaaab,
    0x42c80000, 0xc2c80000);
sub random_float { bits((rand(2) - 1) * 2**(int(rand(12)) - 4)) }
sub random_word { int(rand(65536)) << 16 | int(rand(65536)) }
my (@float, @small, @int, @double);
for my $i (0 .. 64 * 16 - 1) {
    $float[$i] = $i % 3 == 0 ? $special[rand @special] : random_float();
    $small[$i] = random_float();
    $int[$i] = $i % 4 == 0 ? (0, 1, 31, 32, 0x80000000, 0xffffffff, 0x7fffffff, 5)[rand 8] : random_word();
}
my @dspecial = (0, 0x8000000000000000, unpack('Q', pack('d', 1)), unpack('Q', pack('d', -2.5)),
    unpack('Q', pack('d', $inf)), unpack('Q', pack('d', -$inf)), 0x7ff8000000000001, 1, 0x000fffffffffffff,
    unpack('Q', pack('d', 1e300)), unpack('Q', pack('d', -1e-300)));
for my $i (0 .. 64 * 8 - 1) {
    my $q = $i % 3 == 0 ? $dspecial[rand @dspecial] : unpack('Q', pack('d', (rand(2) - 1) * 2**(int(rand(40)) - 20)));
    push @double, $q & 0xffffffff, $q >> 32;
}
my %set = (f => \@float, s => \@small, i => \@int, d => \@double);

# ---- The model: words in, words out ----
sub N { number(flush32($_[0])) }                         # a number, denormals flushed
sub F { my $b = bits($_[0]); flush32($b) }               # rounded to float, denormals flushed
sub R { my ($v, @from) = @_; $v != $v ? $NAN : F($v) }
sub mul { my ($a, $b, $ieee) = @_; return 0 if !$ieee && (N($a) == 0 || N($b) == 0); R(N($a) * N($b)) }
sub add { R(N($_[0]) + N($_[1])) }
sub sub_ { R(N($_[0]) - N($_[1])) }
sub dot {
    my ($a, $b, $n, $ieee) = @_;
    my $s = mul($a->[0], $b->[0], $ieee);
    $s = add($s, mul($a->[$_], $b->[$_], $ieee)) for 1 .. $n - 1;
    $s;
}
sub S { my $x = $_[0] & 0xffffffff; $x >= 0x80000000 ? $x - 4294967296 : $x }
sub U { $_[0] & 0xffffffff }
sub T { $_[0] ? 0xffffffff : 0 }
sub s24 { my $x = $_[0] & 0xffffff; $x >= 0x800000 ? $x - 0x1000000 : $x }
sub trunc { my $x = shift; abs($x) == $inf || $x != $x ? $x : $x < 0 ? -floor(-$x) : floor($x) }
sub whole {
    my ($f, $x) = @_;
    return $x if abs($x) == $inf || $x != $x || $x == 0;
    my $r = $f->($x);
    $r == 0 && $x < 0 ? -0.0 : $r;
}
sub even {
    my $x = shift;
    return $x if abs($x) >= 2**24 || $x != $x;
    my $f = floor($x);
    my $d = $x - $f;
    my $r = $d < 0.5 ? $f : $d > 0.5 ? $f + 1 : $f % 2 ? $f + 1 : $f;
    $r;
}
sub zero { my ($op) = @_; (0x7f7fffff, 0, $INF, $INF)[$op] }
sub root { my $x = N($_[0]); $x < 0 ? $NAN : R(sqrt $x) }
sub ldz { my $x = shift; my $n = 0; $n++ while $n < 32 && !($x & (0x80000000 >> $n)); $n }
sub q64 { my ($lo, $hi) = @_; Math::BigInt->new($hi)->blsft(32)->badd($lo) }
sub sq64 { my $q = q64(@_); $_[1] & 0x80000000 ? $q->bsub(Math::BigInt->new(2)->bpow(64)) : $q }
sub pair {
    my $q = Math::BigInt->new(shift);
    $q->bmod(Math::BigInt->new(2)->bpow(64));
    my $lo = $q->copy->bmod(4294967296)->numify;
    my $hi = $q->copy->brsft(32)->numify;
    ($lo, $hi, $lo, $hi);
}
sub D { unpack 'd<', pack 'VV', $_[0], $_[1] }
sub dpair { my $x = shift; my ($l, $h) = $x != $x ? (0, 0x7ff80000) : unpack 'VV', pack 'd<', $x; ($l, $h, $l, $h) }
sub dflush { my ($l, $h) = @_; $h & 0x7ff00000 ? ($l, $h) : (0, $h & 0x80000000) }
sub to_i { my $x = shift; $x != $x ? 0 : $x >= 2147483647 ? 0x7fffffff : $x <= -2147483648 ? 0x80000000 : U(int $x) }
sub to_u { my $x = shift; !($x > 0) ? 0 : $x >= 4294967295 ? 0xffffffff : int $x }
sub relop {
    my ($op, $x, $y) = @_;
    $op eq 'ne' ? $x != $y : $op eq 'eq' ? $x == $y : $op eq 'ge' ? $x >= $y : $op eq 'gt' ? $x > $y : $op eq 'le'
        ? $x <= $y : $x < $y;
}
sub half { # to half, to nearest even
    my ($b, $mode) = @_; my ($s, $x) = (($b >> 16) & 0x8000, abs N($b));
    return $s | 0x7e00 if is_nan($b);
    return $s | 0x7c00 if $x == $inf;
    my $e = $x == 0 ? -24 : POSIX::floor(log($x) / log(2) + 1e-12) - 10; $e = -24 if $e < -24;
    my $m = $x / 2**$e; my $f = floor($m); my $d = $m - $f;
    my $up = $mode eq 'up' ? ($d > 0 && !$s) : $mode eq 'down' ? ($d > 0 && $s) : $d > 0.5 || ($d == 0.5 && $f % 2);
    my $v = ($f + ($up ? 1 : 0)) * 2**$e;
    return $s | ($mode eq 'up' && $s || $mode eq 'down' && !$s ? 0x7bff : 0x7c00) if $v >= 65536;
    return $s | int($v * 2**24 + 0.5) if $v < 2**-14;
    my $k = POSIX::floor(log($v) / log(2) + 1e-12);
    return $s | (($k + 15) << 10) | (int($v / 2**($k - 10) + 0.5) - 1024);
}
sub unhalf {
    my $h = $_[0] & 0xffff;
    my ($s, $e, $m) = ($h & 0x8000 ? -1 : 1, $h >> 10 & 31, $h & 1023);
    return $m ? $NAN : bits($s * $inf) if $e == 31;
    bits($s * ($e ? (1024 + $m) * 2**($e - 25) : $m * 2**-24)) | ($s < 0 ? 0x80000000 : 0);
}
sub sad { my ($a, $b) = @_; my $s = 0; $s += abs(($a >> 8 * $_ & 255) - ($b >> 8 * $_ & 255)) for 0 .. 3; $s }
sub fmin { my ($a, $b, $max) = @_; my ($x, $y) = (N($a), N($b)); return is_nan($b) ? $NAN : flush32($b) if is_nan($a);
    return flush32($a) if is_nan($b);
    return ($max ? 0 : 0x80000000) & (flush32($a) | flush32($b)) | ($max && flush32($a) & flush32($b)) if $x == 0 && $y
        == 0;
    flush32(($max ? $x > $y : $x < $y) ? $a : $b) }
sub pow2 { my $x = shift; $x != $x ? $NAN : $x == $inf ? $INF : $x == -$inf ? 0 : F(2**$x) }
sub log2 { my $x = shift; $x != $x || $x < 0 ? $NAN : $x == 0 ? 0xff800000 : $x == $inf ? $INF : F(log($x) / log(2)) }

# name => [sources, code, error].  Code gets a hash: s0..s3 lists of four words; each component runs with $c, or returns
# four.
my %ops;
sub each_ {
    my ($name, $sets, $code, $error) = @_;
    $ops{$name} = [$sets, sub { my @s = @_; map { my $c = $_; $code->(map { $_->[$c] } @s) } 0 .. 3 }, $error];
}
sub all_ {
    my ($name, $sets, $code, $error) = @_;
    $ops{$name} = [$sets, sub { my @r = $code->(@_); @r == 1 ? (@r) x 4 : @r }, $error];
}

# 7.7, 7.8
each_('iadd', 'ii', sub { U($_[0] + $_[1]) }); each_('iand', 'ii', sub { $_[0] & $_[1] });
    each_('ior', 'ii', sub { $_[0] | $_[1] });
each_('and', 'ii', sub { $_[0] & $_[1] });
each_('ixor', 'ii', sub { $_[0] ^ $_[1] }); each_('inot', 'i', sub { U(~$_[0]) });
    each_('inegate', 'i', sub { U(-$_[0]) });
each_('iborrow', 'ii', sub { $_[0] < $_[1] ? 1 : 0 });
    each_('icarry', 'ii', sub { $_[0] + $_[1] > 0xffffffff ? 1 : 0 });
each_('ieq', 'ii', sub { T($_[0] == $_[1]) }); each_('ine', 'ii', sub { T($_[0] != $_[1]) });
each_('ige', 'ii', sub { T(S($_[0]) >= S($_[1])) }); each_('ilt', 'ii', sub { T(S($_[0]) < S($_[1])) });
each_('uge', 'ii', sub { T($_[0] >= $_[1]) }); each_('ult', 'ii', sub { T($_[0] < $_[1]) });
each_('imax', 'ii', sub { S($_[0]) > S($_[1]) ? $_[0] : $_[1] });
    each_('imin', 'ii', sub { S($_[0]) < S($_[1]) ? $_[0] : $_[1] });
each_('umax', 'ii', sub { $_[0] > $_[1] ? $_[0] : $_[1] }); each_('umin', 'ii', sub { $_[0] < $_[1] ? $_[0] : $_[1] });
sub low { Math::BigInt->new($_[0])->bmul($_[1])->bmod(4294967296)->numify }
sub high { my $p = Math::BigInt->new($_[0])->bmul($_[1]); U($p->bdiv(4294967296)->bmod(4294967296)->numify) }
each_('imul', 'ii', sub { low($_[0], $_[1]) }); each_('umul', 'ii', sub { low($_[0], $_[1]) });
each_('imad', 'iii', sub { U(low($_[0], $_[1]) + $_[2]) }); each_('umad', 'iii', sub { U(low($_[0], $_[1]) + $_[2]) });
each_('imul_high', 'ii', sub { high(S($_[0]), S($_[1])) }); each_('umul_high', 'ii', sub { high($_[0], $_[1]) });
each_('imul24', 'ii', sub { low(s24($_[0]), s24($_[1])) });
    each_('imad24', 'iii', sub { U(low(s24($_[0]), s24($_[1])) + $_[2]) });
each_('umul24', 'ii', sub { low($_[0] & 0xffffff, $_[1] & 0xffffff) });
    each_('umad24', 'iii', sub { U(low($_[0] & 0xffffff, $_[1] & 0xffffff) + $_[2]) });
each_('imul24_high', 'ii', sub { high(s24($_[0]), s24($_[1])) });
    each_('umul24_high', 'ii', sub { high($_[0] & 0xffffff, $_[1] & 0xffffff) });
each_('ishl', 'ii', sub { U($_[0] << ($_[1] & 31)) }); each_('ushr', 'ii', sub { $_[0] >> ($_[1] & 31) });
each_('ishr', 'ii', sub { U(floor(S($_[0]) / 2**($_[1] & 31))) });
each_('udiv', 'ii', sub { $_[1] ? int($_[0] / $_[1]) : 0xffffffff });
    each_('umod', 'ii', sub { $_[1] ? $_[0] % $_[1] : 0xffffffff });
all_('i64add', 'ii', sub { pair(q64(@{$_[0]}[0, 1])->badd(q64(@{$_[1]}[0, 1]))) });
all_('i64sub', 'ii', sub { pair(q64(@{$_[0]}[0, 1])->bsub(q64(@{$_[1]}[0, 1]))) });
all_('i64mul', 'ii', sub { pair(q64(@{$_[0]}[0, 1])->bmul(q64(@{$_[1]}[0, 1]))) });
    all_('u64mul', 'ii', sub { pair(q64(@{$_[0]}[0, 1])->bmul(q64(@{$_[1]}[0, 1]))) });
all_('i64negate', 'i', sub { pair(q64(@{$_[0]}[0, 1])->bneg) });
all_('i64eq', 'ii', sub { T(q64(@{$_[0]}[0, 1]) == q64(@{$_[1]}[0, 1])) });
    all_('i64ne', 'ii', sub { T(q64(@{$_[0]}[0, 1]) != q64(@{$_[1]}[0, 1])) });
all_('i64ge', 'ii', sub { T(sq64(@{$_[0]}[0, 1]) >= sq64(@{$_[1]}[0, 1])) });
    all_('i64lt', 'ii', sub { T(sq64(@{$_[0]}[0, 1]) < sq64(@{$_[1]}[0, 1])) });
all_('u64ge', 'ii', sub { T(q64(@{$_[0]}[0, 1]) >= q64(@{$_[1]}[0, 1])) });
    all_('u64lt', 'ii', sub { T(q64(@{$_[0]}[0, 1]) < q64(@{$_[1]}[0, 1])) });
all_('i64max', 'ii', sub { my ($a, $b) = map { sq64(@{$_}[0, 1]) } @_; pair($a > $b ? $a : $b) });
    all_('i64min', 'ii', sub { my ($a, $b) = map { sq64(@{$_}[0, 1]) } @_; pair($a < $b ? $a : $b) });
all_('u64max', 'ii', sub { my ($a, $b) = map { q64(@{$_}[0, 1]) } @_; pair($a > $b ? $a : $b) });
    all_('u64min', 'ii', sub { my ($a, $b) = map { q64(@{$_}[0, 1]) } @_; pair($a < $b ? $a : $b) });
all_('i64shl', 'ii', sub { pair(q64(@{$_[0]}[0, 1])->blsft($_[1][0] & 63)) });
    all_('u64shr', 'ii', sub { pair(q64(@{$_[0]}[0, 1])->brsft($_[1][0] & 63)) });
all_('i64shr', 'ii', sub { my $q = sq64(@{$_[0]}[0, 1]); pair($q->bdiv(Math::BigInt->new(2)->bpow($_[1][0] & 63))) });
sub sdiv { my ($a, $b) = @_; my ($q) = $a->copy->babs->bdiv($b->copy->babs); $q->bneg if $a->is_neg != $b->is_neg; $q }
all_('i64div', 'ii', sub { my ($a, $b) = map { sq64(@{$_}[0, 1]) } @_; pair($b->is_zero ? -1 : sdiv($a, $b)) });
all_('i64mod', 'ii', sub { my ($a, $b) = map { sq64(@{$_}[0, 1]) } @_;
    pair($b->is_zero ? -1 : $a - sdiv($a, $b) * $b) });
all_('u64div', 'ii', sub { my ($a, $b) = map { q64(@{$_}[0, 1]) } @_;
    pair($b->is_zero ? -1 : scalar $a->copy->bdiv($b)) });
all_('u64mod', 'ii', sub { my ($a, $b) = map { q64(@{$_}[0, 1]) } @_; pair($b->is_zero ? -1 : $a->copy->bmod($b)) });
# 7.9
each_('ibit_extract', 'iii', sub { my ($w, $o) = ($_[0] & 31, $_[1] & 31); return 0 if !$w; my $v = S($_[2]) / 2**$o;
    my $m = 2**$w; my $x = floor($v) - $m * floor(floor($v) / $m);
    U($x >= $m / 2 && $o + $w <= 32 ? $x - $m : $o + $w > 32 ? floor($v) : $x) });
each_('ubit_extract', 'iii', sub { my ($w, $o) = ($_[0] & 31, $_[1] & 31); $w ? ($_[2] >> $o) & (2**$w - 1) : 0 });
each_('ubit_insert', 'iiii', sub { my ($w, $o) = ($_[0] & 31, $_[1] & 31); my $m = U((2**$w - 1) << $o);
    (U($_[2] << $o) & $m) | ($_[3] & U(~$m)) });
each_('ubit_reverse', 'i', sub { oct '0b' . reverse sprintf '%032b', $_[0] });
    each_('icbits', 'i', sub { my $s = sprintf '%b', $_[0]; $s =~ tr/1// });
each_('ffb_lo', 'i', sub { my $n = 0; return 0xffffffff if !$_[0]; $n++ until $_[0] >> $n & 1; $n });
    each_('ffb_hi', 'i', sub { $_[0] ? ldz($_[0]) : 0xffffffff });
each_('ffb_shi', 'i', sub { my $x = $_[0] & 0x80000000 ? U(~$_[0]) : $_[0]; $x ? ldz($x) : 0xffffffff });
# 7.10
each_('ftoi', 'f', sub { to_i(trunc(N($_[0]))) }); each_('ftou', 'f', sub { to_u(trunc(N($_[0]))) });
each_('itof', 'i', sub { bits(S($_[0])) }); each_('utof', 'i', sub { bits($_[0]) });
each_('f2f16', 'f', sub { half($_[0], 'near') }); each_('f162f', 'i', sub { unhalf($_[0]) });
each_('f_2_f16_near', 'f', sub { half($_[0], 'near') }); each_('f_2_f16_neg_inf', 'f', sub { half($_[0], 'down') });
    each_('f_2_f16_plus_inf', 'f', sub { half($_[0], 'up') });
all_('d2f', 'd', sub { my $d = D(@{$_[0]}); $d != $d ? $NAN : F($d) }); all_('f2d', 'f', sub { dpair(N($_[0][0])) });
# 7.11
each_('abs', 'f', sub { flush32($_[0]) & 0x7fffffff }); each_('add', 'ff', \&add); each_('sub', 'ff', \&sub_);
for my $i (['', 0], ['_ieee', 1]) {
    my ($s, $ieee) = @$i;
    each_("mul$s", 'ff', sub { mul($_[0], $_[1], $ieee) });
        each_("mad$s", 'fff', sub { add(mul($_[0], $_[1], $ieee), $_[2]) });
    all_("dp2$s", 'ff', sub { dot(@_, 2, $ieee) }); all_("dp3$s", 'ff', sub { dot(@_, 3, $ieee) });
        all_("dp4$s", 'ff', sub { dot(@_, 4, $ieee) });
    all_("dp2add$s", 'fff', sub { add(dot($_[0], $_[1], 2, $ieee), $_[2][2]) });
    each_("max$s", 'ff', sub { fmin(@_, 1) }); each_("min$s", 'ff', sub { fmin(@_, 0) });
}
each_('fma', 'sss', sub { R(N($_[0]) * N($_[1]) + N($_[2])) }, 1.2e-7);
each_('clamp', 'fff', sub { my $v = $_[0]; $v = $_[1] if N($v) < N($_[1]); $v = $_[2] if N($v) > N($_[2]);
    flush32($v) });
each_('cmov_logical', 'iff', sub { $_[0] ? $_[1] : $_[2] });
for my $op (qw(ne eq ge gt le lt)) {
    my %v = ('0.0' => 0, '0.5' => 0.5, '1.0' => 1, '-0.5' => -0.5, '-1.0' => -1);
    my $v = {ne => '0.0', eq => '0.5', ge => '1.0', gt => '-0.5', le => '-1.0', lt => '0.0'}->{$op};
    each_("cmp_relop($op)_cmpval($v)", 'fff', sub { relop($op, N($_[0]), $v{$v}) ? $_[1] : $_[2] });
    each_("set_relop($op)", 'ff', sub { relop($op, N($_[0]), N($_[1])) ? $ONE : 0 });
}
each_('colorclamp', 'f', sub { flush32($_[0]) }); each_('invariant_move', 'f', sub { $_[0] });
    each_('mov', 'f', sub { $_[0] });
all_('crs', 'ff', sub { my ($a, $b) = @_;
    ((map { my ($i, $j) = @$_; sub_(mul($a->[$i], $b->[$j]), mul($a->[$j], $b->[$i])) } [1, 2], [2, 0], [0, 1]),
    undef) });
all_('dst', 'ff', sub { ($ONE, mul($_[0][1], $_[1][1]), flush32($_[0][2]), flush32($_[1][3])) });
all_('dist', 'ss', sub { my ($a, $b) = @_; my $s = 0;
    $s = add($s, do { my $d = sub_($a->[$_], $b->[$_]); mul($d, $d) }) for 0 .. 2; root($s) });
all_('len', 'f', sub { root(dot($_[0], $_[0], 3, 0)) });
for my $z (0 .. 3) {
    my $s = ('', '_zeroop(zero)', '_zeroop(infinity)', '_zeroop(inf_else_max)')[$z];
    each_("div$s", 'ff', sub { N($_[1]) == 0 ? zero($z) | (N($_[0]) < 0 ? 0x80000000 : 0)
        : do { my ($x, $y) = (N($_[0]), N($_[1])); R($x / $y) } });
    all_("rcp$s", 'f', sub { my $x = N($_[0][3]); $x == 0 ? zero($z) : R(1 / $x) });
        each_("rcp_vec$s", 'f', sub { my $x = N($_[0]); $x == 0 ? zero($z) : R(1 / $x) });
    all_("rsq$s", 'f', sub { my $x = N($_[0][3]); $x == 0 ? zero($z) : $x < 0 ? $NAN : R(1 / sqrt $x) });
    for my $n ("nrm$s", "nrm_nrm4$s") {
        all_($n, 's', sub { my $v = $_[0]; my $q = dot($v, $v, $n =~ /nrm4/ ? 4 : 3, 0);
            my $f = N($q) == 0 ? zero($z) : R(1 / sqrt N($q)); map { mul($_, $f) } @$v }, 3e-7);
    }
    next if $z == 1;
    my $minus = $z ? 0xff800000 : 0xff7fffff;
    all_("ln$s", 'f', sub { my $x = N($_[0][3]); $x == 0 ? $minus : $x < 0 || $x != $x ? $NAN : $x == $inf ? $INF
        : F(log $x) }, 1e-6);
    all_("log$s", 'f', sub { my $x = N($_[0][3]); $x == 0 ? $minus : log2($x) }, 1e-6);
    all_("logp$s", 's', sub { my $x = N($_[0][3]); my $l = number(log2($x));
        $x < 0 ? ($NAN, $NAN, $NAN, $ONE) : (F(floor($l)), F($x / 2**floor($l)), F($l), $ONE) }, 1e-5);
}
each_('eq', 'ff', sub { T(N($_[0]) == N($_[1])) }); each_('ne', 'ff', sub { T(N($_[0]) != N($_[1])) });
each_('ge', 'ff', sub { T(N($_[0]) >= N($_[1])) }); each_('lt', 'ff', sub { T(N($_[0]) < N($_[1])) });
all_('exn', 's', sub { F(exp N($_[0][3])) }, 1e-6); all_('exp', 'f', sub { pow2(N($_[0][3])) }, 1e-6);
    each_('exp_vec', 'f', sub { pow2(N($_[0])) }, 1e-6);
all_('expp', 's', sub { my $x = N($_[0][3]); (F(2**floor($x)), F($x - floor $x), F(2**$x), $ONE) }, 1e-5);
all_('faceforward', 'sss', sub { my $d = N(dot($_[0], $_[1], 4, 0));
    map { mul($_, $d < 0 ? 0xbf800000 : $d == 0 ? 0 : $ONE) } @{$_[2]} });
each_('flr', 'f', sub { R(whole(\&floor, N($_[0]))) }); each_('round_neginf', 'f', sub { R(whole(\&floor, N($_[0]))) });
each_('clg', 'f', sub { R(whole(\&ceil, N($_[0]))) }); each_('round_plusinf', 'f', sub { R(whole(\&ceil, N($_[0]))) });
each_('trc', 'f', sub { R(whole(\&trunc, N($_[0]))) }); each_('round_z', 'f', sub { R(whole(\&trunc, N($_[0]))) });
each_('round_nearest', 'f', sub { R(whole(\&even, N($_[0]))) });
    each_('rnd', 's', sub { R(floor(N(add($_[0], 0x3f000000)))) });
each_('frc', 's', sub { my $x = N($_[0]); R($x - floor $x) });
all_('lit', 's', sub { my ($x, $y, undef, $w) = map { N($_) } @{$_[0]}; my $m = 128 - 2**-23;
    $w = $w < -$m ? -$m : $w > $m ? $m : $w; ($ONE, $x > 0 ? bits($x) : 0, $x > 0 && $y > 0 ? F($y**$w) : 0, $ONE) },
    1e-5);
each_('log_vec', 'f', sub { log2(N($_[0])) }, 1e-6);
each_('lrp', 'fff', sub { add(mul($_[1], $_[0]), mul($_[2], sub_($ONE, $_[0]))) });
each_('mod', 'ss', sub { my ($x, $y) = (N($_[0]), N($_[1])); sub_($_[0], mul($_[1], F(trunc(N(F($x / $y)))))) });
each_('pireduce', 's', sub { my $t = N($_[0]) / (2 * $PI) + 0.5; F(($t - floor $t) * 2 * $PI - $PI) }, 1e-5);
all_('pow', 's', sub { my ($x, $y) = (N($_[0][3]), N($_[0][0])); }, 1e-5); delete $ops{pow};
all_('pow', 'ss', sub { my ($x, $y) = (N($_[0][3]), N($_[1][3])); $x < 0 ? $NAN : F($x**$y) }, 1e-5);
all_('reflect', 'ss', sub { my ($a, $b) = @_; my $f = mul(0x40000000, dot($a, $b, 4, 0));
    map { sub_($a->[$_], mul($f, $b->[$_])) } 0 .. 3 });
all_('reflect_normalize', 'ss', sub { my ($a, $b) = @_; my $f = mul(0x40000000, dot($a, $b, 4, 0));
    my $n = dot($b, $b, 4, 0); map { sub_(mul($n, $a->[$_]), mul($f, $b->[$_])) } 0 .. 3 });
each_('rsq_vec', 'f', sub { my $x = N($_[0]); $x == 0 ? $INF : $x < 0 ? $NAN : R(1 / sqrt $x) });
each_('sgn', 'f', sub { my $x = N($_[0]); $x < 0 ? 0xbf800000 : $x == 0 ? 0 : $ONE });
all_('sqrt', 'f', sub { root($_[0][3]) }); each_('sqrt_vec', 'f', sub { root($_[0]) });
my %trig = (sin => sub { sin $_[0] }, cos => sub { cos $_[0] }, tan => sub { sin($_[0]) / cos($_[0]) },
    atan => sub { atan2 $_[0], 1 });
for my $t (keys %trig) { all_($t, 's', sub { F($trig{$t}->(N($_[0][3]))) }, $t eq 'tan' ? 1e-4 : 1e-6) }
each_('sin_vec', 's', sub { F(sin N($_[0])) }, 1e-6); each_('cos_vec', 's', sub { F(cos N($_[0])) }, 1e-6);
all_('sincos', 's', sub { my $x = N($_[0][3]); (F(cos $x), F(sin $x), undef, undef) }, 1e-6);
    all_('dxsincos', 'sss', sub { my $x = N($_[0][3]); (F(cos $x), F(sin $x), undef, undef) }, 1e-6);
sub unit { my $x = N($_[0]); $x } # arguments of asin and acos beyond 1 give NaN
all_('asin', 's', sub { my $x = unit($_[0][3]); abs($x) > 1 ? $NAN : F(atan2 $x, sqrt(1 - $x * $x)) }, 1e-6);
    all_('acos', 's', sub { my $x = unit($_[0][3]); abs($x) > 1 ? $NAN : F(atan2 sqrt(1 - $x * $x), $x) }, 1e-6);
# 7.12
all_('dadd', 'dd', sub { dpair(D(@{$_[0]}) + D(@{$_[1]})) });
    all_('dmul', 'dd', sub { dpair(D(@{$_[0]}) * D(@{$_[1]})) });
all_('ddiv', 'dd', sub { my ($x, $y) = (D(@{$_[0]}), D(@{$_[1]})); my $s = ($_[0][1] ^ $_[1][1]) & 0x80000000;
    $y == 0 ? ($x == 0 || $x != $x ? dpair('nan') : (0, 0x7ff00000 | $s, 0, 0x7ff00000 | $s)) : dpair($x / $y) });
all_('dfrac', 'd', sub { my $x = D(dflush(@{$_[0]}[0, 1]));
    abs($x) == $inf || $x != $x ? dpair('nan') : $x == 0 ? dpair(0)
    : do { my $r = $x - floor $x; dpair($r == 1 ? 1 - 2**-53 : $r) } });
all_('dfrexp', 'd', sub { my @d = dflush(@{$_[0]}[0, 1]); my $x = D(@d);
    return (0, 0xffffffff, 0, 0x7ff80000) if $x != $x || abs($x) == $inf;
    return (0, 0, 0, $d[1] & 0x80000000) if $x == 0; my ($m, $e) = POSIX::frexp($x);
    (0, U($e), unpack 'VV', pack 'd<', $m) });
all_('dldexp', 'di', sub { my $x = D(@{$_[0]}); my $n = S($_[1][0]);
    $x != $x ? dpair('nan') : do { my $r = POSIX::ldexp($x, $n > 5000 ? 5000 : $n < -5000 ? -5000 : $n);
    my ($l, $h) = unpack 'VV', pack 'd<', $r; ($l, $h) = dflush($l, $h); ($l, $h, $l, $h) } });
all_('dmov', 'd', sub { my ($l, $h) = @{$_[0]}; ($l, $h, $l, $h) });
    all_('dmovc', 'idd', sub { my ($l, $h) = @{$_[0][0] ? $_[1] : $_[2]}; ($l, $h, $l, $h) });
all_('dmax', 'dd', sub { my ($x, $y) = map { D(@$_) } @_; my $w = $x != $x ? 1 : $y != $y ? 0 : $x >= $y ? 0 : 1;
    my ($l, $h) = @{$_[$w]}; ($l, $h, $l, $h) });
all_('dmin', 'dd', sub { my ($x, $y) = map { D(@$_) } @_; my $w = $x != $x ? 1 : $y != $y ? 0 : $x < $y ? 0 : 1;
    my ($l, $h) = @{$_[$w]}; ($l, $h, $l, $h) });
all_('deq', 'dd', sub { T(D(@{$_[0]}) == D(@{$_[1]})) }); all_('dne', 'dd', sub { T(D(@{$_[0]}) != D(@{$_[1]})) });
    all_('dge', 'dd', sub { T(D(@{$_[0]}) >= D(@{$_[1]})) }); all_('dlt', 'dd', sub { T(D(@{$_[0]}) < D(@{$_[1]})) });
all_('dsqrt', 'd', sub { my $x = D(@{$_[0]}); $x < 0 ? dpair('nan') : dpair(sqrt $x) });
my @dzero = ([0xffffffff, 0x7fefffff], [0, 0], [0, 0x7ff00000]);
for my $z (0 .. 2) {
    my $s = ('', '_zeroop(zero)', '_zeroop(infinity)')[$z];
    all_("drcp$s", 'd', sub { my $x = D(@{$_[0]}); $x == 0 ? (@{$dzero[$z]}, @{$dzero[$z]}) : dpair(1 / $x) });
    all_("drsq$s", 'd', sub { my $x = D(@{$_[0]});
        $x == 0 ? (@{$dzero[$z]}, @{$dzero[$z]}) : $x < 0 ? dpair('nan') : dpair(1 / sqrt $x) });
}
# 7.13
each_('bitalign', 'iii', sub { my $n = $_[2] & 31; U(($_[0] << (32 - $n)) | ($_[1] >> $n)) & 0xffffffff });
    each_('bytealign', 'iii', sub { my $n = 8 * ($_[2] & 3); $n ? U($_[0] << (32 - $n)) | $_[1] >> $n : $_[1] });
all_('f_2_u4', 's', sub { my $r = 0; $r |= (to_u(trunc(N($_[0][$_]))) & 255) << 8 * $_ for 0 .. 3; $r });
each_('sad', 'iii', sub { U(sad(@_) + $_[2]) }); each_('sadhi', 'iii', sub { U((sad(@_) << 16) + $_[2]) });
all_('sad4', 'iii', sub { my ($a, $b, $c) = @_; my $s = $c->[0]; $s += sad($a->[$_], $b->[$_]) for 0 .. 3; U($s) });
each_('u4lerp', 'iii', sub { my $r = 0; for my $k (0, 8, 16,
    24) { $r |= ((($_[0] >> $k & 255) + ($_[1] >> $k & 255) + ($_[2] >> $k & 1)) >> 1) << $k } $r });
for my $k (0 .. 3) { each_("unpack$k", 'i', sub { bits($_[0] >> 8 * $k & 255) }) }
# Appendix B: what the names say
each_('frexp_exp', 's', sub { U((POSIX::frexp(N($_[0])))[1]) });
    each_('frexp_mant', 's', sub { F((POSIX::frexp(N($_[0])))[0]) });
each_('ftoi_flr', 'f', sub { to_i(whole(\&floor, N($_[0]))) });
    each_('ftoi_rpi', 'f', sub { to_i(whole(\&floor, N($_[0]) + 0.5)) });
each_('i_min3', 'iii', sub { (sort { S($a) <=> S($b) } @_)[0] });
    each_('i_med3', 'iii', sub { (sort { S($a) <=> S($b) } @_)[1] });
    each_('i_max3', 'iii', sub { (sort { S($a) <=> S($b) } @_)[2] });
each_('u_min3', 'iii', sub { (sort { $a <=> $b } @_)[0] }); each_('u_med3', 'iii', sub { (sort { $a <=> $b } @_)[1] });
    each_('u_max3', 'iii', sub { (sort { $a <=> $b } @_)[2] });
each_('min3', 'sss', sub { bits((sort { $a <=> $b } map { N($_) } @_)[0]) });
    each_('med3', 'sss', sub { bits((sort { $a <=> $b } map { N($_) } @_)[1]) });
    each_('max3', 'sss', sub { bits((sort { $a <=> $b } map { N($_) } @_)[2]) });
all_('dtoi', 'd', sub { to_i(D(@{$_[0]})) }); all_('dtou', 'd', sub { to_u(D(@{$_[0]})) });
    all_('itod', 'i', sub { dpair(S($_[0][0])) }); all_('utod', 'i', sub { dpair($_[0][0]) });
each_('ldexp', 'si', sub { my $n = S($_[1]); F(POSIX::ldexp(N($_[0]), $n > 500 ? 500 : $n < -500 ? -500 : $n)) });
all_('d_frexp_exp', 'd', sub { my $x = D(@{$_[0]}); $x != $x || abs($x) == $inf ? 0 : U((POSIX::frexp($x))[1]) });
all_('d_frexp_mant', 'd', sub { my $x = D(@{$_[0]});
    abs($x) == $inf || $x == 0 ? (@{$_[0]}[0, 1], @{$_[0]}[0, 1]) : $x != $x ? dpair('nan')
    : dpair((POSIX::frexp($x))[0]) });
sub class {
    my $b = shift;
    my $m = $b & 0x7fffffff;
    return $b & 0x400000 ? 2 : 1 if is_nan($b);
    my $k = $m == $INF ? 0 : $m >= 0x800000 ? 1 : $m ? 2 : 3;
    1 << ($b >> 31 ? 2 + $k : 9 - $k);
}
each_('class', 'fi', sub { T(class($_[0]) & $_[1]) });
all_('d_class', 'di', sub { my ($l, $h) = @{$_[0]}; my $m = $h & 0x7fffffff;
    my $k = $m > 0x7ff00000 || $m == 0x7ff00000 && $l ? -1 : $m == 0x7ff00000 ? 0 : $m >= 0x100000 ? 1 : $m || $l ? 2
    : 3; my $bit = $k < 0 ? ($h & 0x80000 ? 2 : 1) : 1 << ($h >> 31 ? 2 + $k : 9 - $k); T($bit & $_[1][0]) });

# ---- Kernels ----
my $head = "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\n"
    . "dcl_raw_uav_id(1)\ndcl_literal l0, 16, 0x12345678, 1024, 4\n";
sub dnan { my ($l, $h) = @_; my $m = $h & 0x7fffffff; $m > 0x7ff00000 || ($m == 0x7ff00000 && $l) }
my @names = @ARGV ? @ARGV : sort keys %ops;
# Other vector levels take no part where rows.t only asks which opcodes run.
my %at_levels = map { $_ => 1 } $ENV{IL_SEEN} ? () : sampled(@names);
for my $name (@names) {
    my ($sets, $code, $error) = @{$ops{$name}};
    my @kind = split //, $sets;
    my ($in, @value) = ('');
    for my $k (0 .. $#kind) { # source k of lane l: words (k * 64 + l) * 4 of its set, turned round
        my $set = $set{$kind[$k]};
        for my $l (0 .. 63) { $value[$l][$k] = [map {
            $set->[(($l * 4 + $k * ($kind[$k] eq 'd' ? 36 : 37)) + $_) % @$set] } 0 .. 3] }
        $in .= pack 'V*', map { @{$value[$_][$k]} } 0 .. 63;
    }
    my $loads = join '', map { "iadd r10.x, r9.x, l1.$_->[1]\nuav_raw_load_id(1) r$_->[0], r10.x\n" } map {
        [$_, (qw(x y z w))[$_]] } 0 .. $#kind;
    my $sources = join ', ', map { "r$_" } 0 .. $#kind;
    my $double = $sets =~ /^d/ || $name =~ /^(f2d|itod|utod)$/;
    my $text = "${head}dcl_literal l1, 0, 1024, 2048, 3072\nimul r9.x, vTid.x, l0.x\n${loads}"
        . "mov r8, l0.yyyy\n$name r8, $sources\nuav_raw_store_id(0) mem.xyzw, r9.x, r8\nend\n";
    my @run = ($text, launch => '-g 64 -l 64', args => 'uav0=zero:1024', in => {uav1 => $in}, save => ['uav0']);
    my $got = run_il(@run);
    my @out = words($got->{uav0});
    my $bad = '';
    $bad = $got->{output} if @out != 256;
    for my $l (@out == 256 ? (0 .. 63) : ()) {
        my @want = $code->(@{$value[$l]});
        my @have = @out[4 * $l .. 4 * $l + 3];
        for my $c (0 .. 3) {
            my $want = $want[$c] // 0x12345678;
            my $ok = $want == $have[$c];
            $ok ||= $error ? near($have[$c], $want, $error) : $double ? dnan(@want[$c & 2, $c | 1])
                && dnan(@have[$c & 2, $c | 1]) : $name !~ /^(i|u|and|ftoi|ftou|ffb)/ && same_bits($have[$c], $want);
            $bad ||= sprintf('lane %d .%s: %s gives %08x, not %08x', $l, (qw(x y z w))[$c],
                join(', ', map { sprintf '(%08x %08x %08x %08x)', @$_ } @{$value[$l]}), $have[$c], $want) if !$ok;
        }
    }
    # Levels below the one that runs; the processor takes the widest that it has.
    for my $level ($at_levels{$name} ? (1, 3) : ()) {
        local $ENV{GPUDBG_SIMD} = $level;
        $bad ||= "vector level $level leaves other words" if run_il(@run)->{uav0} ne $got->{uav0};
    }
    is($bad, '', $name);
}

# The component that is written is read behind it, some lanes sleep, and sources are negated: the same four words as
# from registers apart.
my $way = 'iadd r0, r0.yzwx_neg(xyzw), r0';
my $swap = run_il("${head}dcl_literal l1, 1, 2, 3, 31\nimul r9.x, vTid.x, l0.x\nuav_raw_load_id(1) r0, r9.x\n"
    . "mov r1, r0\nult r2.x, vTid.x, l1.w\nif_logicalnz r2.x\n$way\nendif\n$way\n"
    . "uav_raw_store_id(0) mem.xyzw, r9.x, r0\nend\n", launch => '-g 64 -l 64', args => 'uav0=zero:1024',
    in => {uav1 => pack 'V*', @int[0 .. 255]}, save => ['uav0']);
my @turned = map {
    my @v = @int[4 * $_ .. 4 * $_ + 3];
    for my $turn (0 .. ($_ < 31 ? 1 : 0)) { @v = map { U($v[$_] - $v[($_ + 1) % 4]) } 0 .. 3 }
    @v
} 0 .. 63;
is(join(' ', words($swap->{uav0})), join(' ', @turned), 'a component that is written is read first')
    or diag $swap->{output};
done_testing();
