# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random kernels in OpenCL C 1.2 whose every operation is defined, so that all compilers and devices must agree bit for
# bit: integers of all widths with values at their bounds, vectors of 2 to 16, half, float, double, LDS and barriers,
# atomics, structures by value, unions, switch, pointers, calls, conversions with saturation.
#
#   my $source = RandomCl::source($seed, { double => 1 });
#   kernel f(global uint *out, global const uint *in, global uint *sums, uint zero, int few, ulong wide, float real)
#
# out has FIELDS words an item, in has WORDS words, sums SUMS words that all items add to.  zero is 0, which no compiler
# knows.  Signed sums are done unsigned, divisors are positive, shifts are below the width, indices are masked; floats
# stay between 1e-6 and 1e9, so that nothing is rounded to a denormal.  What an item does depends on no other item but
# behind a barrier, and atomics that others see commute.
#
# Left out, because compilers have them wrong: abs of the lowest number and abs_diff of int and long (rocm-device-libs
# says that nothing overflows: `llvm.abs(x, true)`, `sub nsw`; ocloc believes that (abs) has no 17th bit); mad_sat of
# long (`add nsw` there; Intel's library gives LONG_MIN for 0 times a negative number); mul_hi and mad_hi of ushort
# (ocloc takes the product for an int that does not overflow, and adds 0x8000 to it by `or`).  Without doubles, which
# is for Intel: structures that a function gives back without being inlined (ocloc leaves out stores); sub_sat of
# signed numbers (of a constant its unoptimised code looks for the overflow of a sum, its optimised code saturates to
# the wrong side); rhadd of 64 bits (it adds 1 before it looks for a carry); rotate of abs (the rol has no (abs));
# shifts of 64 bits whose count it finds to be 0 (it makes `shr 32`, which the EU takes for 0); rounding _rte, _rtp and
# _rtn (1.5 _rtp is 1, where it moves the conversion into a select); 0 - x and ~(x - 1) (of
# bytes and words it makes `cmp -r`, as if -r had their width, and as if it had more).
package RandomCl;

use v5.36;
use Kernels;

use constant { WORDS => 256, FIELDS => 40, SUMS => 16 };

my ($random, $double, @vars, @functions, @structs, $local, $names, $words, @loops);

sub chance ($n) { return (Kernels::bits32($random) >> 5) % $n }
sub pick (@of) { return $of[chance(scalar @of)] }
sub name ($of) { return $of . $names++ }

# ---- Types: [element, count] ----

my %bits = (char => 8, uchar => 8, short => 16, ushort => 16, int => 32, uint => 32, long => 64, ulong => 64,
    float => 32, double => 64);
my @integers = qw(char uchar short ushort int uint long ulong);

sub is_float ($e) { return $e eq 'float' || $e eq 'double' }
sub is_signed ($e) { return !is_float($e) && $e !~ /^u/ }
sub unsigned ($e) { return is_float($e) ? { 32 => 'uint', 64 => 'ulong' }->{ $bits{$e} } : $e =~ s/^(?!u)/u/r }
sub signed ($e) { return unsigned($e) =~ s/^u//r }
sub text ($e, $n) { return $n == 1 ? $e : "$e$n" }
sub some_integer () { return pick(@integers, 'int', 'uint', 'uint') }
sub some_float () { return $double && !chance(3) ? 'double' : 'float' }
sub some_element () { return chance(4) ? some_integer() : some_float() }
sub some_count () { return pick(1, 1, 1, 1, 2, 3, 4, 4, 8, 16) }
my @digit = split //, '0123456789abcdef';

sub reinterpret ($from, $to, $n, $x) { return $from eq $to ? $x : 'as_' . text($to, $n) . "($x)" }

# ---- Leaves ----

sub number ($e) {
    return sprintf pick('%.3ff', '%.1ff', '%.6ff'), (chance(2) ? -1 : 1) * (chance(100000) + 1) / pick(1, 16, 1000)
        if $e eq 'float';
    return sprintf '%.7f', (chance(2) ? -1 : 1) * (chance(1000000) + 1) / pick(1, 64, 1000) if $e eq 'double';
    my $w = $bits{$e};
    my $v = pick(0, 1, 2, 3, 7, $w - 1, $w, (1 << ($w - 1)) - 1, 1 << ($w - 1), (1 << ($w - 1)) + 1,
        $w == 64 ? ~0 : (1 << $w) - 1, $w == 64 ? ~1
            : (1 << $w) - 2, Kernels::bits64($random), Kernels::bits64($random));
    $v &= (1 << $w) - 1 if $w < 64;
    return sprintf '(%s)0x%x%s', $e, $v, $w == 64 ? 'ul' : 'u';
}

sub constant ($e, $n) {
    return number($e) if $n == 1;
    return '(' . text($e, $n) . ')(' . join(', ', map { number($e) } 1 .. (chance(3) ? $n : 1)) . ')';
}

sub of_type ($e, $n) { return grep { $_->[1] eq $e && $_->[2] == $n } @vars }

# A component of a vector, or a few: .s3, .xyz, .hi.  Of three components, lo and hi have one that is not defined.
sub component ($e, $n) {
    my @from = grep { $_->[1] eq $e && $_->[2] > 1 && ($n == 1 || $_->[2] >= 2) } @vars;
    return if !@from || $n == 3 && chance(2);
    my $v = pick(@from);
    return $v->[0] . '.' . pick(qw(lo hi even odd)) if $n > 1 && $v->[2] == 2 * $n && chance(2);
    return $v->[0] . '.s' . join '', map { $digit[chance($v->[2])] } 1 .. $n;
}

sub leaf ($e, $n) {
    my @same = of_type($e, $n);
    my $kind = chance(10);
    return pick(@same)->[0] if @same && $kind < 5;
    if ($kind < 7) { my $c = component($e, $n); return $c if $c }
    my @others = grep { $_->[2] == $n && $_->[1] ne $e && !is_float($_->[1]) } @vars;
    if (@others && $kind < 9 && !is_float($e)) {
        my $v = pick(@others);
        return $n == 1 ? "($e)$v->[0]" : 'convert_' . text($e, $n) . "($v->[0])";
    }
    return constant($e, $n);
}

# ---- Expressions ----

# An integer operation on the bits: unsigned, in a width that does not overflow as int.
sub wrapped ($e, $n, $a, $op, $b) {
    my $u = unsigned($e);
    $a = hidden($e, $n, $a) if $op eq '-';
    if ($n == 1) {
        my $wide = $bits{$e} < 32 ? 'uint' : $u;
        return "($e)(($wide)($a) $op ($wide)($b))";
    }
    return reinterpret($u, $e, $n, '(' . reinterpret($e, $u, $n, $a) . " $op " . reinterpret($e, $u, $n, $b) . ')');
}

# The same number, which the compiler does not know.
sub hidden ($e, $n, $x) { return $double ? $x : '(' . wrapped($e, $n, $x, '+', $n == 1 ? "($e)zero" : '('
    . text($e, $n) . ")(($e)zero)") . ')' }

sub below_width ($e, $n, $x) {
    $x = hidden($e, $n, $x) if $bits{$e} == 64;
    return $n == 1 ? "($x & " . ($bits{$e} - 1) . ')'
        : "($x & ($e)" . ($bits{$e} - 1) . ')';
}

# Positive and not 0, and the compiler does not know what it is.
sub divisor ($e, $n, $x) {
    my $most = is_signed($e) ? sprintf('0x%x%s', (1 << ($bits{$e} - 1)) - 1, $bits{$e} == 64 ? 'l' : '') : undef;
    $x = "($x & ($e)$most)" if $most;
    return $n == 1 ? "($e)(($e)($x + ($e)zero) | 1)" : "(($x + ($e)zero) | ($e)1)";
}

# -1 and 0 of the same shape; of one element 1 and 0, as int.  Compilers leave a comparison with 0 to the instruction
# that makes the value, which may convert or saturate it.
sub condition ($n, $depth, $e = undef) {
    $e //= $n == 1 ? some_element() : some_integer();
    my ($a, $b) = (any($e, $n, $depth), any($e, $n, $depth));
    ($a, $b) = (is_float($e) ? 'clamp(' . ($n == 1 ? "($e)" : '') . "$a, ($e)0, ($e)1)"
        : chance(2) ? saturated($e, $n, $depth) : $n == 1 ? "($e)$a" : $a,
        $n == 1 ? "($e)0" : '(' . text($e, $n) . ")0") if !chance(3);
    return "($a " . pick(qw(< > <= >= == !=)) . " $b)";
}

sub saturated ($e, $n, $depth) {
    my $from = chance(3) ? some_integer() : some_float();
    my $mode = is_float($from) ? pick('', '_rtz', $double ? qw(_rte _rtp _rtn) : ()) : '';
    return 'convert_' . text($e, $n) . "_sat$mode(" . any($from, $n, $depth) . ')';
}

sub built ($e, $n, $depth) {
    return any($e, 1, $depth) if $n == 1;
    my @parts;
    for (my $left = $n; $left;) {
        my $k = pick(grep { $_ <= $left } 1, 1, 2, 4, 8);
        push @parts, $k == 1 ? "($e)" . any($e, 1, $depth > 1 ? 1 : 0) : any($e, $k, $depth > 1 ? 1 : 0);
        $left -= $k;
    }
    return '(' . text($e, $n) . ')(' . join(', ', @parts) . ')';
}

sub shuffled ($e, $n, $depth) {
    my @m = (2, 4, 8, 16);
    return leaf($e, $n) if !grep { $_ == $n } @m;
    my $m = pick(@m);
    my $mask = any(unsigned($e), $n, $depth);
    return "shuffle(" . any($e, $m, $depth) . ", $mask)" if chance(2);
    return 'shuffle2(' . any($e, $m, $depth) . ', ' . any($e, $m, $depth) . ", $mask)";
}

# A type of as many bits.
sub retyped ($e, $n, $depth) {
    my @to;
    for my $o (@integers, 'float') {
        my $k = $bits{$e} * $n / $bits{$o};
        push @to, [$o, $k] if grep { $_ == $k } 1, 2, 4, 8, 16;
    }
    return leaf($e, $n) if $n == 3 || !@to;
    my ($o, $k) = pick(@to)->@*;
    return 'as_' . text($e, $n) . '(' . any($o, $k, $depth) . ')';
}

sub integer ($e, $n, $depth) {
    my ($t, $u) = (text($e, $n), unsigned($e));
    my $x = sub { ($n == 1 ? "($e)" : '') . any($e, $n, $depth - 1) };
    my $kind = chance(46);
    if ($kind < 10) { return wrapped($e, $n, $x->(), pick('+', '-', '*', '+', '-', '^', '&', '|'), $x->()) }
    if ($kind < 12) { my ($a, $b) = ($x->(), $x->());
        return $n == 1 ? "($e)(~" . hidden($e, $n, $a) . ')' : '(~' . hidden($e, $n, $a) . ')' if chance(2);
        return wrapped($e, $n, $a, '<<', below_width($e, $n, $b)) }
    if ($kind < 14) { my ($a, $b) = ($x->(), $x->()); my $s = below_width($e, $n, $b);
        return $n == 1 ? "($e)($a >> $s)" : "($a >> $s)" }
    if ($kind < 17) { my ($a, $b) = ($x->(), divisor($e, $n, $x->()));
        my $op = pick('/', '%');
        return $n == 1 ? "($e)(($e)($a + ($e)zero) $op $b)" : "($a $op $b)" }
    if ($kind < 19) { my $x1 = wrapped($e, $n, $x->(), '|', "($t)(($e)1)");
        return reinterpret($u, $e, $n, "abs($x1)") if chance(2) || is_signed($e) && $bits{$e} > 16;
        return reinterpret($u, $e, $n, 'abs_diff(' . $x->() . ', ' . $x->() . ')') }
    if ($kind < 24) { my $f = pick(qw(add_sat sub_sat hadd rhadd max min rotate), $e eq 'ushort' ? 'max' : 'mul_hi');
        my ($a, $b) = ($x->(), $x->());
        $a = hidden($e, $n, $a) if $f eq 'rotate';
        $f = 'add_sat' if $f eq 'sub_sat' && is_signed($e) && !$double;
        $f = 'hadd' if $f eq 'rhadd' && $bits{$e} == 64 && !$double;
        return "$f($a, $b)" }
    if ($kind == 24) { return pick('clz', 'popcount') . '(' . $x->() . ')' }
    if ($kind == 25) { my @m = map { $x->() } 1 .. 3;
        return "add_sat($m[0], mul_hi($m[1], $m[2]))" if $e eq 'long';
        return "mad_sat($m[0], $m[1], $m[2])" if chance(2) || $e ne $u;
        return $e eq 'ushort' ? 'rotate(' . hidden($e, $n, $m[0]) . ", $m[1])" : "mad_hi($m[0], $m[1], $m[2])" }
    if ($kind == 26) { my ($a, $b) = map { reinterpret($e, $e, $n, number($e)) } 1, 2;
        return 'clamp(' . $x->() . ", min($a, $b), max($a, $b))" }
    if ($kind == 27 && $bits{$e} == 32) { my $m = is_signed($e) ? '0x7fffff' : '0xffffff';
        my @m = map { '(' . $x->() . " & ($e)$m)" } 1, 2;
        return $e eq 'uint' ? "mul24($m[0], $m[1])"
            : "mul24($m[0] & ($e)0x7ff, $m[1] & ($e)0x7ff)" }
    if ($kind == 28 && $bits{$e} > 8) { my %half = (ushort => 'uchar', uint => 'ushort', ulong => 'uint',
        short => 'char', int => 'short', long => 'int');
        my $h = $half{$e};
        return 'upsample(' . ($n == 1 ? "($h)" : '') . any($h, $n, $depth - 1) . ', '
            . ($n == 1 ? '(' . unsigned($h) . ')' : '') . any(unsigned($h), $n, $depth - 1) . ')' }
    if ($kind < 32) { return saturated($e, $n, $depth - 1) }
    if ($kind < 34) { my $o = some_integer(); my $y = any($o, $n, $depth - 1);
        return $n == 1 ? "($e)($y)" : 'convert_' . text($e, $n) . "($y)" }
    if ($kind < 37) { # as wide a mask as the value
        return "($e)(" . condition(1, $depth - 1) . ' ? ' . $x->() . ' : ' . $x->() . ')' if $n == 1;
        return 'select(' . $x->() . ', ' . $x->() . ', ' . condition($n, $depth - 1, $e) . ')' if chance(2);
        return 'bitselect(' . $x->() . ', ' . $x->() . ', ' . $x->() . ')' }
    if ($kind == 37) { my $c = condition($n, $depth - 1, $e);
        return $n == 1 ? "($e)$c" : reinterpret(signed($e), $e, $n, $c) }
    if ($kind == 38 && $n == 1) { my $k = pick(2, 3, 4, 8); my $i = pick(qw(char short int long));
        return "($e)" . pick('any', 'all') . '(' . any($i, $k, $depth - 1) . ')' }
    if ($kind < 41) { return built($e, $n, $depth - 1) }
    if ($kind == 41) { return shuffled($e, $n, $depth - 1) }
    if ($kind < 44) { return retyped($e, $n, $depth - 1) }
    if ($kind == 44 && $n == 1) { my $f = pick(qw(isless isgreater islessequal isequal isnotequal isordered));
        return "($e)$f(" . any('float', 1, $depth - 1) . ', ' . any('float', 1, $depth - 1) . ')' }
    return call($e, $n, $depth) // leaf($e, $n);
}

sub kept ($e, $n, $x) { return ($e eq 'float' ? 'keep' : 'keepd') . $n . "($x)" }

sub floating ($e, $n, $depth) {
    my $t = text($e, $n);
    my $x = sub { any($e, $n, $depth - 1) };
    my $kind = chance(24);
    if ($kind < 9) { return kept($e, $n, '(' . $x->() . ' ' . pick('+', '-', '*', '+', '*') . ' ' . $x->() . ')') }
    if ($kind < 11) { return kept($e, $n, 'fma(' . join(', ', map { "($t)" . $x->() } 1 .. 3) . ')') }
    if ($kind < 13) { return kept($e, $n, pick(qw(floor ceil trunc rint round)) . "(($t)" . $x->() . ')') }
    if ($kind < 16) { my $f = pick(qw(fmin fmax copysign fmin fmax)); return "$f(($t)" . $x->() . ", ($t)" . $x->()
        . ')' }
    if ($kind == 16) { return "fabs(($t)" . $x->() . ')' }
    if ($kind < 19) { my $i = some_integer(); my $y = any($i, $n, $depth - 1);
        return kept($e, $n, $n == 1 && chance(2) ? "($e)$y" : "convert_$t" . pick('', '_rte', '_rtz', '_rtp', '_rtn')
            . "($y)") }
    if ($kind == 19) { return kept($e, $n, "as_$t(" . any(pick(unsigned($e), signed($e)), $n, $depth - 1) . ')') }
    if ($kind == 20) { my $i = signed($e);
        return '(' . condition(1, $depth - 1) . ' ? ' . $x->() . ' : ' . $x->() . ')' if $n == 1;
        return "select(" . $x->() . ', ' . $x->() . ', ' . condition($n, $depth - 1, $i) . ')' }
    if ($kind == 21) { return built($e, $n, $depth - 1) }
    if ($kind == 22 && $e eq 'float' && $n != 3) { my $to = $n == 1 ? '' : $n;
        return kept($e, $n, "rounded$n(" . $x->() . ", " . chance(5) . ')') }
    return kept($e, $n, "convert_$t(" . any($e eq 'float' && $double ? 'double' : 'float', $n, $depth - 1) . ')')
        if $kind == 23;
    return call($e, $n, $depth) // leaf($e, $n);
}

sub any ($e, $n, $depth) {
    return leaf($e, $n) if $depth <= 0;
    return is_float($e) ? floating($e, $n, $depth) : integer($e, $n, $depth);
}

# ---- Calls ----

sub call ($e, $n, $depth) {
    my @to = grep { $_->{e} eq $e && $_->{n} == $n && ($words || !grep { $_->{pointer} } $_->{parameters}->@*) }
        @functions;
    return if !@to;
    my $f = pick(@to);
    return "$f->{name}(" . join(', ', map { argument($_) } $f->{parameters}->@*) . ')';
}

sub argument ($p) {
    return $p->{struct}{value}->() if $p->{struct};
    return 'words' if $p->{pointer};
    return 'zero' if $p->{zero};
    return ($p->{n} == 1 ? "($p->{e})" : '') . any($p->{e}, $p->{n}, 1);
}

# A function of a few values, maybe of a structure and of private memory; its own variables are its parameters.
sub function () {
    my ($e, $n) = (some_element(), some_count());
    my @p = map { { name => name('p'), e => some_element(), n => some_count() } } 1 .. 1 + chance(5);
    my $s = @structs && chance(2) ? { name => name('p'), struct => pick(@structs) } : undef;
    my $w = chance(3) ? undef : { name => 'words', pointer => 1 };
    my @outer = @vars;
    @vars = map { [$_->{name}, $_->{e}, $_->{n}] } @p;
    push @vars, map { ["$s->{name}.$_->[0]", @$_[1, 2]] } $s->{struct}{fields}->@* if $s;
    my $body = '';
    $words = $w;
    $body .= "    words[" . any('uint', 1, 1) . " & 15] ^= " . any('uint', 1, 1) . ";\n" if $w;
    $body .= '    if ' . condition(1, 1) . ' return ' . any($e, $n, 1) . ";\n" if chance(2);
    $body .= $w && $e eq 'uint' && $n == 1 ? '    return words[' . any('uint', 1, 1) . " & 15];\n"
        : '    return ' . any($e, $n, 2) . ";\n";
    @vars = @outer;
    my $f = { name => name('call'), e => $e, n => $n, parameters => [@p, $s // (), $w // ()] };
    my $text = join '', pick('__attribute__((noinline)) ', '__attribute__((noinline)) ', ''), text($e, $n),
        " $f->{name}(", join(', ', (map { text($_->{e}, $_->{n}) . " $_->{name}" } @p),
        ($s ? "struct $s->{struct}{name} $s->{name}" : ()), ($w ? 'uint *words' : ()), 'uint zero'), ") {\n$body}\n\n";
    push $f->{parameters}->@*, { zero => 1 };
    push @functions, $f;
    return $text;
}

# A structure, a function that makes one and one that changes one by value.
sub structure () {
    my $s = { name => name('pair'),
        fields => [map { [name('m'), some_element(), pick(1, 1, 2, 4)] } 1 .. 2 + chance(4)] };
    my @ints = grep { !is_float($_->[1]) } $s->{fields}->@*;
    my $text = "struct $s->{name} {\n" . join('', map { '    ' . text(@$_[1, 2]) . " $_->[0];\n" } $s->{fields}->@*)
        . "    uchar tail[3];\n};\n";
    my @outer = @vars;
    $words = undef;
    @vars = (['x', 'uint', 1], ['y', 'int', 4]);
    $text .= ($double ? '__attribute__((noinline)) ' : '')
        . "struct $s->{name} make_$s->{name}(uint x, int4 y, uint zero) {\n"
        . "    struct $s->{name} s;\n" . join('', map { "    s.$_->[0] = " . any(@$_[1, 2], 1)
            . ";\n" } $s->{fields}->@*)
        . "    s.tail[0] = x; s.tail[1] = x >> 8; s.tail[2] = x >> 16;\n    return s;\n}\n\n";
    @vars = @outer;
    $s->{value} = sub { "make_$s->{name}(" . any('uint', 1, 0) . ', ' . any('int', 4, 0) . ', zero)' };
    push @structs, $s;
    return $text;
}

# ---- Statements ----

sub assignment ($in) {
    my $v = pick(@vars);
    my ($to, $e, $n) = @$v;
    return "$in$to.s" . $digit[chance($n)] . ' = ' . any($e, 1, 2) . ";\n" if $n > 1 && chance(4) == 0;
    return "$in$to " . pick('^=', '|=', '&=') . ' ' . any($e, $n, 2) . ";\n" if !is_float($e) && chance(4) == 0;
    return "$in$to = " . any($e, $n, 2 + (chance(3) == 0)) . ";\n";
}

sub array ($in) {
    my @kinds = (
        sub { "${in}words[" . any('uint', 1, 1) . ' & 15] = ' . any('uint', 1, 2) . ";\n" },
        sub { my $v = pick(of_type('uint', 1)); "$in$v->[0] += words[" . any('uint', 1, 1) . " & 15];\n" },
        sub { "${in}bytes[" . any('uint', 1, 1) . ' & 31] = ' . any('uchar', 1, 1) . ";\n" },
        sub { my $v = pick(of_type('uint', 1)); "$in$v->[0] ^= bytes[" . any('uint', 1, 1) . " & 31];\n" },
        sub { my $v = pick(of_type('int', 4)); "$in$v->[0] = vload4(" . any('uint', 1, 1)
            . " & 3, (int *)words);\n" },
        sub { my $n = pick(2, 3, 4, 8); "${in}vstore$n(" . any('uchar', $n, 1) . ', ' . any('uint', 1, 1)
            . " & 3, bytes);\n" },
        sub { my $p = name('at'); my $k = chance(8); "${in}{\n$in    uint *$p = &words[" . any('uint', 1, 1)
            . " & 7];\n$in    $p" . "[$k] = *$p + " . any('uint', 1, 1) . ";\n$in    " . pick(of_type('uint', 1))->[0]
            . " ^= $p\[" . chance(8) . "];\n$in}\n" },
        sub { my $v = pick(of_type('short', 8)); "$in$v->[0] = vload8(0, (global const short *)in + ("
            . any('uint', 1, 1) . " & 255));\n" },
        sub { my $v = pick(of_type('uint', 1)); "$in$v->[0] = pairs[" . any('uint', 1, 1) . ' & 3].a + pairs['
            . any('uint', 1, 0) . " & 3].b.y;\n" },
        sub { my $i = any('uint', 1, 1); "${in}pairs[$i & 3].b = " . any('ushort', 2, 1) . ";\n" },
    );
    return pick(@kinds)->();
}

sub punned ($in) {
    my @m = (['u', 'uint', 1], ['c', 'uchar', 4], ['s', 'short', 2], ['l', 'ulong', 1], ['h', 'uchar', 8]);
    my ($from, $to) = (pick(@m), pick(@m));
    my $v = pick(@vars);
    return "${in}mixed.l = 0x0123456789abcdeful ^ " . any('ulong', 1, 1) . ";\n${in}mixed.$from->[0] = "
        . any(@$from[1, 2], 2) . ";\n$in" . do { my ($w) = of_type('ulong', 1);
        "$w->[0] += " . ($to->[2] == 1 ? "mixed.$to->[0]" : "(ulong)mixed.$to->[0].s" . chance($to->[2])) } . ";\n";
}

sub structured ($in) {
    my $s = pick(@structs) or return assignment($in);
    my $v = name('s');
    my $m = pick($s->{fields}->@*);
    my @outer = @vars;
    my $text = "$in    struct $s->{name} $v = " . $s->{value}->() . ";\n";
    push @vars, map { ["$v.$_->[0]", @$_[1, 2]] } $s->{fields}->@*;
    $text .= join('', map { assignment("$in    ") } 1 .. 2);
    my @to = grep { $_->[1] eq $m->[1] && $_->[2] == $m->[2] } @outer;
    $text .= "$in    " . pick(@to)->[0] . " = $v.$m->[0];\n" if @to;
    my $w = name('s');
    $text .= "$in    struct $s->{name} $w = $v, *at = &$w;\n"
        . "$in    at->tail[1] ^= $v.tail[2];\n$in    u0 += at->tail[1];\n";
    @vars = @outer;
    return "$in\{\n$text$in}\n";
}

sub loop ($depth, $in) {
    my $k = name('k');
    my $leave = chance(2) ? '' : "$in    if " . condition(1, 1) . ' ' . pick('break', 'continue') . ";\n";
    my $body = block(1 + chance(3), $depth - 1, "$in    ");
    my $limit = '((' . any('uint', 1, 0) . ' & 7) + 1)';
    return "${in}for (uint $k = 0, n$k = $limit; $k < n$k; $k++) {\n$body$leave$in}\n" if chance(2);
    return "${in}uint $k = $limit;\n${in}do {\n$body$in} while (--$k && u1 != $k);\n" if chance(2);
    return "${in}uint $k = 0;\n${in}while ($k++ < 5 && " . condition(1, 1) . ") {\n$body$leave$in}\n";
}

sub choice ($depth, $in) {
    my $e = pick('uint', 'int', 'uchar', 'ulong', 'short');
    my $text = "${in}switch ((" . any($e, 1, 1) . ') & ' . pick(3, 7) . ") {\n";
    my @cases = grep { chance(4) } 0 .. 7;
    for my $c (@cases) {
        $text .= "${in}case $c:\n" . block(1, 0, "$in    ") . (chance(4) ? "$in    break;\n" : '');
    }
    return "$text${in}default:\n" . block(1, 0, "$in    ") . "$in}\n";
}

sub branch ($depth, $in) {
    my $else = chance(2) ? '' : " else {\n" . block(1 + chance(3), $depth - 1, "$in    ") . "$in}";
    return "${in}if " . condition(1, 1) . " {\n" . block(1 + chance(3), $depth - 1, "$in    ") . "$in}$else\n";
}

sub atomic ($in) {
    my $t = pick('uint', 'int');
    my $f = pick(qw(add sub xor or and min max inc dec xchg cmpxchg));
    my %slot = (add => 0, sub => 1, xor => 2, or => 3, and => 4, min => 5, max => 6, inc => 7, dec => 8);
    if (exists $slot{$f} && chance(3)) { # seen by all, so nobody looks at what was there
        my $slot = ($t eq 'int' && $f =~ /^m/ ? 9 : 0) + $slot{$f};
        my $p = chance(2) ? "sums + " . ($slot % 16) : "shared + " . ($slot % 16);
        $slot = $slot % 16;
        my %fixed = (5 => 'uint', 6 => 'uint', 14 => 'int', 15 => 'int');
        my %does = (0 => 'add', 1 => 'sub', 2 => 'xor', 3 => 'or', 4 => 'and', 5 => 'min', 6 => 'max', 7 => 'inc',
            8 => 'dec', 14 => 'min', 15 => 'max');
        my ($does, $type) = ($does{$slot} // 'add', $fixed{$slot} // 'uint');
        my $space = $p =~ /sums/ ? 'global' : 'local';
        my $value = $does =~ /inc|dec/ ? '' : ', ' . any($type, 1, 1);
        return "${in}atomic_$does((volatile $space $type *)($p)$value);\n";
    }
    my $v = pick(of_type('uint', 1));
    my $value = $f =~ /inc|dec/ ? '' : $f eq 'cmpxchg' ? ', ' . any('uint', 1, 0) . ', ' . any('uint', 1, 1)
        : ', ' . any($t, 1, 1);
    return "$in$v->[0] ^= (uint)atomic_$f((volatile local " . ($f eq 'cmpxchg' ? 'uint' : $t)
        . " *)&own[item]$value);\n";
}

# All items write, all wait, and each reads what another wrote.
sub exchange ($in) {
    my ($e, $n) = (some_element(), pick(1, 1, 2, 4));
    my $v = [of_type($e, $n)];
    return barrier_of('uint', $in) if !@$v;
    my $a = name('lds');
    $local .= "    local " . text($e, $n) . " $a\[$RandomCl::group];\n";
    my $by = pick('1', '3', 'few', "($RandomCl::group / 2)");
    my $loop = chance(3) == 0 ? name('k') : undef;
    my $step = "$a\[item] = " . any($e, $n, 1) . '; barrier(CLK_LOCAL_MEM_FENCE); ' . pick(@$v)->[0]
        . " = $a\[(item ^ $by) % ${RandomCl::group}u]; barrier(CLK_LOCAL_MEM_FENCE);";
    return $loop ? "${in}for (int $loop = 0; $loop < few; $loop++) { $step }\n" : "$in\{ $step }\n";
}

sub barrier_of ($e, $in) { return "${in}barrier(CLK_LOCAL_MEM_FENCE);\n" }

sub statement ($depth, $in) {
    my $kind = chance($depth > 0 ? 22 : 16);
    return assignment($in) if $kind < 9;
    return array($in) if $kind < 12;
    return punned($in) if $kind == 12;
    return structured($in) if $kind == 13;
    return atomic($in) if $kind < 16;
    return branch($depth, $in) if $kind < 19;
    return choice($depth, $in) if $kind == 21 || @loops > 3;
    push @loops, 1;
    return loop($depth, $in);
}

sub block ($count, $depth, $in) { return join '', map { statement($depth, $in) } 1 .. $count }

# ---- The whole ----

# One word of a value.
sub folded ($v) {
    my ($name, $e, $n) = @$v;
    my @parts = $n == 1 ? ($name) : map { "$name.s$digit[$_]" } 0 .. $n - 1;
    my $h = '0u';
    for my $p (@parts) {
        my $u = $e eq 'float' ? "as_uint($p)" : $e eq 'double' ? "fold(as_ulong($p))"
            : $bits{$e} == 64 ? "fold((ulong)$p)" : "(uint)$p";
        $h = $h eq '0u' ? $u : "($h) * 31u + $u";
    }
    return $h;
}

our $group;

sub frame ($used) {
    my %uses = map { $_ => 1 } $used =~ /\b(keepd?\d+|rounded\d+)\b/g;
    my $text = "#pragma OPENCL FP_CONTRACT OFF\n";
    $text .= "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" if $double;
    $text .= "uint fold(ulong x) { return (uint)x ^ (uint)(x >> 32) * 31u; }\n";
    for my $e ('float', $double ? 'double' : ()) {
        my ($f, $i, $lo, $hi) = $e eq 'float' ? ('keep', 'int', '1e-6f', '1e9f') : ('keepd', 'long', '1e-60', '1e60');
        $text .= !$uses{"${f}1"} ? '' : "$e ${f}1($e x) {\n    $e a = fabs(x);\n"
            . "    return a > $lo && a < $hi ? x : ($e)1.5f;\n}\n";
        for my $n (2, 3, 4, 8, 16) {
            next if !$uses{"$f$n"};
            $text .= "$e$n $f$n($e$n x) {\n    $e$n a = fabs(x);\n"
                . "    return select(($e$n)1.5f, x, (a > ($e$n)$lo) & (a < ($e$n)$hi));\n}\n";
        }
    }
    for my $n (1, 2, 4, 8, 16) {
        my ($t, $s, $one) = $n == 1 ? ('float', '', 1) : ("float$n", $n, $n);
        next if !$uses{"rounded$n"};
        $text .= "$t rounded$n($t x, int way) {\n    ushort at[$one];\n    half *h = (half *)at;\n    switch (way) {\n"
            . join('', map { "    case $_->[0]: vstore_half$s$_->[1](x, 0, h); break;\n"
                } [0, ''], [1, '_rte'], [2, '_rtz'],
            [3, '_rtp']) . "    default: vstore_half$s" . "_rtn(x, 0, h);\n    }\n    return vload_half$s(0, h);\n}\n";
    }
    return $text;
}

sub source ($seed, $o = {}) {
    $random = Kernels::generator($seed);
    Kernels::bits32($random) for 1 .. 8;
    ($double, $names, $local, $group) = ($o->{double}, $o->{names} // 0, '', $o->{group} // 32);
    (@vars, @functions, @structs, @loops) = ();
    my $text = '';
    $text .= structure() for 1 .. 1 + chance(2);
    $text .= function() for 1 .. 2 + chance(3);
    $words = 1;
    # Two of the kinds that statements need, and some of all.
    my @fixed = (['u0', 'uint', 1], ['u1', 'uint', 1], ['s0', 'int', 1], ['l0', 'ulong', 1], ['v0', 'int', 4],
        ['v1', 'short', 8], ['b0', 'uchar', 1], ['f0', 'float', 1], ['g0', 'float', 4], ['c0', 'uchar', 4]);
    push @fixed, ['d0', 'double', 1] if $double;
    my $given = "    float r0 = keep1(real);\n";
    push @vars, ['r0', 'float', 1];
    push @fixed, map { [name('x'), some_element(), some_count()] } 1 .. 8;
    my $start = '';
    for my $v (@fixed) {
        my ($n, $e, $k) = @$v;
        my $from = "in[(i * 7 + " . chance(256) . ") & 255]";
        my $value = is_float($e) ? ($k == 1 ? ($e eq 'float' ? 'keep1' : 'keepd1') . "(($e)(int)$from * ($e)0.0078125f)"
            : kept($e, $k, 'convert_' . text($e, $k) . '((' . text('int', $k) . ")((int)$from) ^ " . constant('int', $k)
                . ')')) : $k == 1 ? "($e)($from + (($bits{$e} == 64 ? (ulong)$from << 32 : 0)))"
            : '(' . text($e, $k) . ")(($e)$from) + " . constant($e, $k);
        $start .= '    ' . text($e, $k) . " $n = $value;\n";
        push @vars, $v;
    }
    my $body = join '', map { chance(4) ? statement(3, '    ') : exchange('    ') } 1 .. 12 + chance(6);
    my @fields = map { folded($_) } @vars;
    push @fields, 'fold(mixed.l)', 'own[item]', 'wordsum', 'bytesum', 'pairs[1].a ^ pairs[2].b.x';
    $text .= 'kernel void ' . ($o->{entry} // 'f') . '(global uint *out, global const uint *in, global uint *sums, '
        . "uint zero, int few, ulong wide, float real) {\n    local uint shared[16], own[$group];\n$local"
        . "    const uint i = get_global_id(0), item = get_local_id(0);\n"
        . "    uint words[16], wordsum = 0, bytesum = 0;\n    uchar bytes[32];\n    struct pair pairs[4];\n"
        . "    union mixed mixed;\n    mixed.l = wide;\n"
        . "    for (uint k = 0; k < 16; k++) words[k] = in[(i + k * 5) & 255];\n"
        . "    for (uint k = 0; k < 32; k++) bytes[k] = (uchar)(in[(i + k) & 255] >> (k & 7));\n"
        . "    for (uint k = 0; k < 4; k++) { pairs[k].a = in[(i ^ k) & 255]; "
        . "pairs[k].b = (ushort2)((ushort)k, (ushort)i); }\n"
        . "    if (item < 16) shared[item] = in[item];\n    own[item] = i;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        . "$given$start$body"
        . "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        . "    for (uint k = 0; k < 16; k++) wordsum = wordsum * 31u + words[k];\n"
        . "    for (uint k = 0; k < 32; k++) bytesum = bytesum * 31u + bytes[k];\n"
        . "    uint all[" . @fields . "] = {" . join(",\n        ", @fields) . "};\n"
        . "    for (uint k = 0; k < " . @fields . "; k++) out[i * " . FIELDS . " + k] = all[k];\n"
        . "    if (item < 16) atomic_xor(sums + (item & 15), 0u);\n"
        . "    if (item < 10) out[i * " . FIELDS . " + 39] = shared[item];\n}\n";
    return $o->{part} ? $text : program($text);
}

# The source of parts, each made by source() with `part`, with names and an `entry` that no other has.
sub program (@parts) {
    my $text = join "\n", "struct pair { uint a; ushort2 b; };\n"
        . "union mixed { uint u; uchar4 c; short2 s; ulong l; uchar8 h; };\n", @parts;
    return frame($text) . $text;
}

1;
