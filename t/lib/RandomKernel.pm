# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random programs that are OpenCL C and plain C at once, to compare a kernel with what the host's own compiler makes of
# it.
#
#   my $source = RandomKernel::source($seed);    kernel f(global uint *out, global const uint *in), ITEMS work-items
#   my ($case, $want) = RandomKernel::answer($seed, $dir);    of $dir/f.c: a case of Kernels, what the host computes
#   my $source = RandomKernel::without_doubles($source);    for devices that have none: floats in their place
#
# As C it is a program: PROGRAM IN OUT.  IN is ITEMS words and a zero; OUT gets FIELDS words an item.  Every operation
# is defined in both languages: integers wrap or are unsigned, divisors are odd, floats stay away from denormals.
package RandomKernel;

use strict;
use warnings;
use Kernels;

use constant { ITEMS => 256, FIELDS => 20 };

my $random;

sub chance { return (Kernels::bits32($random) >> 4) % $_[0] }
sub pick { return $_[chance(scalar @_)] }

sub variable { my ($kind, $count) = @_; return $kind . chance($count) }

sub constant_u {
    return pick(0, 1, 2, 3, 7, 8, 31, 32, 255, 256, 65535, 0x7fffffff, 0x80000000, 0xffffffff, Kernels::bits32($random))
        . 'u';
}

# Expressions of one type each: a leaf at depth 0, else an operation on two of the same kind.
sub u32 {
    my ($depth) = @_;
    return pick(variable('u', 6), variable('u', 6), '(uint)' . variable('s', 3), constant_u(),
        '(uint)' . variable('l', 3), 'arr[' . variable('u', 6) . ' & 15]') if $depth <= 0;
    my ($a, $b) = (u32($depth - 1), u32($depth - 1));
    return pick(("($a + $b)") x 3, ("($a - $b)") x 2, ("($a * $b)") x 2, "($a & $b)", "($a | $b)", "($a ^ $b)",
        "($a << ($b & 31))", "($a >> ($b & 31))", "(($a + zero) / ($b + zero | 1))", "(($a + zero) % ($b + zero | 1))",
        "(~$a)", "($a < $b ? $a : $b)", "(uint)($a == $b)", '(uint)(' . i32($depth - 1) . ' < ' . i32($depth - 1) . ')',
        "ROTATE($a, $b)", "POPCOUNT($a)", "MULHI($a, $b)", "(uint)(uchar)$a", "(uint)(short)$a",
        '(uint)(' . u64($depth - 1) . ' >> ' . chance(33) . ')');
}

sub i32 {
    my ($depth) = @_;
    return pick(variable('s', 3), variable('s', 3), '(int)' . variable('u', 6), '(-' . chance(1000) . ')')
        if $depth <= 0;
    my ($a, $b) = (i32($depth - 1), i32($depth - 1));
    return pick(("(int)((uint)$a + (uint)$b)") x 2, "(int)((uint)$a * (uint)$b)",
        "($a >> (" . u32($depth - 1) . ' & 31))', "DIVIDE($a, $b)", "MODULO($a, $b)", "($a > $b ? $a : $b)",
        "(int)(CHAR)$a", '(int)' . u32($depth - 1));
}

sub u64 {
    my ($depth) = @_;
    return pick(variable('l', 3), variable('l', 3), '(ulong)' . variable('u', 6), '(ulong)(LONG)' . variable('s', 3))
        if $depth <= 0;
    my ($a, $b) = (u64($depth - 1), u64($depth - 1));
    my $shift = '(' . u32($depth - 1) . ' & 63)';
    return pick(("($a + $b)") x 3, "($a - $b)", ("($a * $b)") x 2, "($a ^ $b)", "($a << $shift)", "($a >> $shift)",
        "(ulong)((LONG)$a >> $shift)", "(($a + zero) / ($b + zero | 1))", "(($a + zero) % ($b + zero | 1))",
        "($a < $b ? $a : $b)", '((ulong)' . u32($depth - 1) . ' * ' . u32($depth - 1) . ')');
}

sub f32 {
    my ($depth) = @_;
    return pick(variable('f', 3), variable('f', 3), '(float)(' . variable('u', 6) . ' >> 9)',
        '(float)(' . variable('s', 3) . ' >> 8)', chance(100000) / 1024 . ' * 1.0f') if $depth <= 0;
    my ($a, $b) = (f32($depth - 1), f32($depth - 1));
    return pick(("($a + $b)") x 2, "($a - $b)", "($a * $b)", "FMA($a, $b, " . f32($depth - 1) . ')', "FABS($a)",
        "FLOOR($a)", "($a < $b ? $a : $b)");
}

sub f64 {
    my ($depth) = @_;
    return pick(variable('d', 2), variable('d', 2), '(double)' . variable('u', 6), '(double)' . variable('f', 3),
        chance(1000000) / 1024 . ' * 1.0')
        if $depth <= 0;
    my ($a, $b) = (f64($depth - 1), f64($depth - 1));
    return pick(("($a + $b)") x 2, "($a - $b)", "($a * $b)", "DFMA($a, $b, " . f64($depth - 1) . ')', "DDIVIDE($a, $b)",
        "DFLOOR($a)");
}

my $loops;

sub loop {
    my ($depth, $indent) = @_;
    my $k = 'k' . ++$loops;
    my $leave = chance(2) ? '' : "$indent    if (" . u32(1) . ' > ' . u32(1) . ') ' . pick('break', 'continue') . ";\n";
    return "${indent}for (uint $k = 0; $k < (" . variable('u', 6) . " & 7) + 1 && $k < 9; $k++) {\n" .
        block(1 + chance(3), $depth - 1, "$indent    ") . "$leave$indent}\n";
}

sub choice {
    my ($indent) = @_;
    my ($n, @case) = ("$indent    ", map { block(1, 0, "$indent        ") } 0 .. 3);
    return "${indent}switch (" . variable('u', 6)
        . " % 4) {\n${n}case 0:\n$case[0]$n    break;\n${n}case 1:\n$case[1]" .
        "${n}case 2:\n$case[2]$n    break;\n${n}default:\n$case[3]$n    break;\n$indent}\n";
}

sub branch {
    my ($depth, $indent) = @_;
    my $else = chance(2) ? '' : " else {\n" . block(1 + chance(3), $depth - 1, "$indent    ") . "$indent}";
    return "${indent}if (" . u32(1) . ' ' . pick('<', '>', '==', '!=') . ' ' . u32(1) . ") {\n" .
        block(1 + chance(3), $depth - 1, "$indent    ") . "$indent}$else\n";
}

sub statement {
    my ($depth, $indent) = @_;
    my $kind = chance($depth > 0 ? 16 : 12);
    return $indent . variable('u', 6) . ' = ' . u32(2) . ";\n" if $kind < 5;
    return $indent . variable('s', 3) . ' = ' . i32(2) . ";\n" if $kind == 5;
    return $indent . variable('l', 3) . ' = ' . u64(2) . ";\n" if $kind < 8;
    return $indent . variable('f', 3) . ' = KEEP(' . f32(2) . ");\n" if $kind == 8;
    return $indent . variable('d', 2) . ' = DKEEP(' . f64(2) . ");\n" if $kind == 9;
    return $indent . 'arr[' . u32(1) . ' & 15] = ' . u32(2) . ";\n" if $kind == 10;
    return $indent . variable('u', 6) . ' += callee' . chance(2) . '(' . u32(1) . ', ' . u64(1) . ", arr);\n" if $kind
        == 11;
    return branch($depth, $indent) if $kind < 14;
    return $kind == 14 && $loops < 4 ? loop($depth, $indent) : choice($indent);
}

sub block {
    my ($n, $depth, $indent) = @_;
    return join '', map { statement($depth, $indent) } 1 .. $n;
}

sub source {
    my ($seed) = @_;
    $random = Kernels::generator($seed);
    $loops = 0;
    my $body = block(14, 3, '    ');
    local $/;
    my $text = do { open my $in, '<', Kernels::source_dir() . '/random.frame' or die "random.frame: $!\n"; <$in> };
    $text =~ s/^BODY\n/$body/m;
    return $text;
}

# Writes the program to $dir/f.c, perhaps changed by $edit, and runs it on the host.
sub answer {
    my ($seed, $dir, $edit) = @_;
    Kernels::write_file("$dir/in.bin", Kernels::bytes('edge32', ITEMS, 777) . "\0" x 4) if !-e "$dir/in.bin";
    Kernels::write_file("$dir/f.c", $edit ? $edit->(source($seed)) : source($seed));
    Kernels::run($ENV{CC} // 'cc', '-std=gnu11', '-w', '-O1', '-ffp-contract=off', '-fwrapv', '-o', "$dir/host",
        "$dir/f.c", '-lm');
    Kernels::run("$dir/host", "$dir/in.bin", "$dir/want.bin");
    my $size = 4 * ITEMS * FIELDS;
    return ({ args => ["zero:$size", "\@$dir/in.bin"], save => { 0 => 'bits' }, kernel => 'f', global => ITEMS,
            local => 64 }, Kernels::read_file("$dir/want.bin"));
}

sub without_doubles {
    my ($text) = @_;
    $text =~ s/^#pragma OPENCL EXTENSION cl_khr_fp64.*\n//mg;
    $text =~ s/\bdouble\b/float/g;
    $text =~ s/1e(-?)60/1e${1}8/g;
    $text =~ s/1e-50/1e-4/g;
    $text =~ s/as_ulong\(a\)/as_uint(a)/;
    $text =~ s/ulong u; memcpy\(&u, &f, 8\)/ulong u = 0; memcpy(&u, &f, 4)/;
    $text =~ s/(DFMA\(a, b, c\)) fma\(a, b, c\)/$1 fmaf(a, b, c)/;
    $text =~ s/(DFLOOR\(a\)) floor\(a\)/$1 floorf(a)/;
    $text =~ s/(?<![\w.])(\d+\.\d+(?:e-?\d+)?|\d+e-?\d+)(?![\w.])/${1}f/g;
    # ocloc makes the 1 of a comparison by -(all ones), and from Gen12 on its rol loses the sign (IGA has none there).
    $text =~ s/rotate\(\(uint\)\(a\), \(uint\)\(b\)\)/rotate((uint)(a) + zero, (uint)(b) + zero)/;
    return $text;
}

1;
