# SPDX-License-Identifier: GPL-3.0-or-later
#
# What RDNA's operations mean, by LLVM: expressions of its language, whose meaning its manual defines, are compiled by
# llc-19 for gfx1010, gfx1012 and gfx1030, run by gpudbg, and compared with the same expressions compiled for this
# processor.  The rows of ops.def that say RDNA_SHOWN are those that this test runs.
use v5.36;
no warnings "portable"; # numbers of 64 bits
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

if (grep { system("command -v $_ >/dev/null 2>&1") != 0 } qw(llc-19 clang-19 ld.lld-19)) {
    die "llc-19, clang-19 or ld.lld-19 is missing\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'no llc-19, clang-19 or ld.lld-19 (make deps-oracle)';
}
my $dir = tempdir(CLEANUP => 1);
my $N = 128;

# ---- Expressions: [class of its values, type of the result, types of its sources, lines that make %r] ----

my (@ROWS, %declared);
my %SHORT = (float => 'f32', double => 'f64', half => 'f16', '<2 x half>' => 'v2f16', '<2 x i16>' => 'v2i16');
sub row ($class, $type, $from, @lines) { push @ROWS, [$class, $type, $from, @lines]; return }
sub intrinsic ($name, $type, $from, @more) {
    my $full = "llvm.$name." . ($SHORT{$type} // $type);
    $full = "llvm.$name" if $name =~ /^amdgcn/;
    my $types = join ', ', @$from, map { s/ .*//r } @more;
    $declared{$full} = "declare $type \@$full($types)";
    my @names = qw(%a %b %c);
    return "call $type \@$full(" . join(', ', (map { "$from->[$_] $names[$_]" } 0 .. $#$from), @more) . ')';
}
# The sources of shifts are below the width; others are not defined.
sub shift_by ($type, $op, $to) {
    my $most = $type =~ /64/ ? 63 : $type =~ /32/ ? 31 : 15;
    my $mask = $type =~ /x/ ? "<i16 $most, i16 $most>" : $most;
    return ("%shift = and $type %b, $mask", "$to = $op $type %a, %shift");
}
my @COMPARES = qw(eq ne slt sle sgt sge ult ule ugt uge);
my @ORDERS = qw(oeq one olt ole ogt oge ueq une ult ule ugt uge ord uno);
# scalar: sources are the same for all lanes of a wave, and LLVM knows it.
for my $scalar (0, 1) {
    my $class = $scalar ? 'scalar' : 'whole';
    for my $type (qw(i32 i64), $scalar ? () : qw(i16)) {
        my @two = ($type) x 2;
        row($class, $type, \@two, "%r = $_ $type %a, %b") for qw(add sub mul and or xor);
        row($class, $type, \@two, shift_by($type, $_, '%r')) for qw(shl lshr ashr);
        row($class, $type, \@two, '%r = ' . intrinsic($_, $type, \@two)) for qw(smin smax umin umax);
        row($class, $type, [$type], '%r = ' . intrinsic($_, $type, [$type])) for qw(ctpop bitreverse);
        row($class, $type, [$type], '%r = ' . intrinsic($_, $type, [$type], 'i1 false')) for qw(cttz ctlz abs);
        row($class, 'i32', \@two, "%x = icmp $_ $type %a, %b", '%r = select i1 %x, i32 77, i32 1234') for @COMPARES;
        row($class, 'i32', [$type], "%x = icmp $_ $type %a, 4660", '%r = select i1 %x, i32 77, i32 1234') for @COMPARES;
        row($class, $type, \@two, "%x = $_ $type %a, %b", "%r = xor $type %x, -1") for qw(and or xor);
        row($class, $type, \@two, "%x = xor $type %b, -1", "%r = $_ $type %a, %x") for qw(and or);
        row($class, $type, [$type], "%r = xor $type %a, -1");
        row($class, $type, [$type], "%x = lshr $type %a, 5", "%r = and $type %x, 1023");
        row($class, $type, [$type], "%x = shl $type %a, 9", "%r = ashr $type %x, 12");
        row($class, $type, ['i32', $type, $type], '%x = and i32 %a, 1024', '%y = icmp eq i32 %x, 0',
            "%r = select i1 %y, $type %b, $type %c");
        for my $op (qw(add or and xor)) {
            row($class, $type, [($type) x 3], shift_by($type, 'shl', '%x'), "%r = $op $type %x, %c");
            row($class, $type, [($type) x 3], "%x = $_ $type %a, %b", "%r = $op $type %x, %c")
                for qw(add and or xor mul);
        }
    }
    row($class, 'i32', [qw(i32 i32)], "%x = shl i32 %a, $_", '%r = add i32 %x, %b') for 1 .. 4;
    row($class, 'i32', [qw(i32 i32 i32)], '%x = add i32 %a, %b', '%y = and i32 %c, 31', '%r = shl i32 %x, %y');
    row($class, 'i32', ['i32'], "%x = trunc i32 %a to $_", "%r = sext $_ %x to i32") for qw(i8 i16);
    for my $ext (qw(zext sext)) {
        row($class, 'i32', [qw(i32 i32)], "%x = $ext i32 %a to i64", "%y = $ext i32 %b to i64", '%z = mul i64 %x, %y',
            '%s = lshr i64 %z, 32', '%r = trunc i64 %s to i32');
        row($class, 'i64', [qw(i32 i32 i64)], "%x = $ext i32 %a to i64", "%y = $ext i32 %b to i64",
            '%z = mul i64 %x, %y', '%r = add i64 %z, %c');
        row($class, 'i32', [qw(i16 i16 i32)], "%x = $ext i16 %a to i32", "%y = $ext i16 %b to i32",
            '%z = mul i32 %x, %y', '%r = add i32 %z, %c');
    }
    for my $type (qw(i32 i64)) {
        my $most = $type eq 'i64' ? 63 : 31;
        row($class, $type, [$type, $type], "%s = and $type %a, $most", "%t = and $type %b, $most",
            "%x = shl $type 1, %s",
            "%y = sub $type %x, 1", "%r = shl $type %y, %t");
        row($class, 'i32', [$type, $type], "%s = and $type %b, $most", "%x = lshr $type %a, %s", "%y = and $type %x, 1",
            "%z = icmp eq $type %y, $_", '%r = select i1 %z, i32 5, i32 9') for 0, 1;
    }
    row($class, 'i32', ['i32'], "%r = $_") for 'add i32 %a, 4660', 'mul i32 %a, 4660', 'sub i32 4660, %a';
    row($class, 'i32', [qw(i32 i32)], '%x = lshr i32 %a, ' . $_->[0], '%y = lshr i32 %b, ' . $_->[1],
        '%p = and i32 %x, 65535', '%q = shl i32 %y, 16', '%r = or i32 %p, %q') for [0, 0], [0, 16], [16, 16];
    row($class, 'i64', [qw(i64 i64)], "%r = $_ i64 %a, %b") for qw(add sub);
}
for my $type (qw(i32 i16)) {
    my @two = ($type) x 2;
    row('whole', $type, \@two, '%r = ' . intrinsic($_, $type, \@two)) for qw(uadd.sat usub.sat sadd.sat ssub.sat);
    for my $op (qw(smin smax umin umax)) {
        row('whole', $type, [($type) x 3], '%x = ' . intrinsic($op, $type, \@two),
            '%r = ' . (intrinsic($op, $type, \@two) =~ s/%a/%x/r =~ s/%b/%c/r));
    }
    for my $s (qw(s u)) { # the middle of three
        my ($min, $max) = map { intrinsic("$s$_", $type, \@two) } qw(min max);
        row('whole', $type, [($type) x 3], "%p = $min", "%q = $max", '%o = ' . ($min =~ s/%a/%q/r =~ s/%b/%c/r),
            '%r = ' . ($max =~ s/%a/%p/r =~ s/%b/%o/r));
    }
}
my ($pair, @pairs) = ('<2 x i16>', ('<2 x i16>') x 2);
row('whole', $pair, \@pairs, "%r = $_ $pair %a, %b") for qw(add sub mul);
row('whole', $pair, \@pairs, shift_by($pair, $_, '%r')) for qw(shl lshr ashr);
row('whole', $pair, \@pairs, '%r = ' . intrinsic($_, $pair, \@pairs)) for qw(smin smax umin umax uadd.sat ssub.sat);
row('whole', $pair, [($pair) x 3], "%x = mul $pair %a, %b", "%r = add $pair %x, %c");
row('whole', 'i32', [qw(i32 i32 i32)], '%x = xor i32 %b, %c', '%y = and i32 %x, %a', '%r = xor i32 %y, %c');
row('whole', 'i32', [qw(i32 i32 i32)], '%r = ' . intrinsic('fshr', 'i32', [qw(i32 i32 i32)]));
row('whole', 'i32', [qw(i32 i32 i32)], '%x = and i32 %a, 16777215', '%y = and i32 %b, 16777215', '%z = mul i32 %x, %y',
    '%r = add i32 %z, %c');
row('whole', 'i32', [qw(i32 i32)], '%x = and i32 %a, 16777215', '%y = and i32 %b, 16777215', '%r = mul i32 %x, %y');
row('whole', 'i32', [qw(i32 i32)], '%x = and i32 %a, 16777215', '%y = and i32 %b, 16777215', '%p = zext i32 %x to i64',
    '%q = zext i32 %y to i64', '%z = mul i64 %p, %q', '%s = lshr i64 %z, 32', '%r = trunc i64 %s to i32');
my @SIGNED24 = ('%m = shl i32 %a, 8', '%x = ashr i32 %m, 8', '%n = shl i32 %b, 8', '%y = ashr i32 %n, 8');
row('whole', 'i32', [qw(i32 i32 i32)], @SIGNED24, '%z = mul i32 %x, %y', '%r = add i32 %z, %c');
row('whole', 'i32', [qw(i32 i32)], @SIGNED24, '%r = mul i32 %x, %y');
row('whole', 'i32', [qw(i32 i32)], @SIGNED24, '%p = sext i32 %x to i64', '%q = sext i32 %y to i64',
    '%z = mul i64 %p, %q', '%s = lshr i64 %z, 32', '%r = trunc i64 %s to i32');
row('whole', 'float', ['i32'], "%s = lshr i32 %a, $_", '%x = and i32 %s, 255', '%r = uitofp i32 %x to float')
    for 0, 8, 16, 24;
for my $w (0, 1, 2) { # bytes of two words in another order
    my @order = ([3, 2, 1, 0], [4, 1, 6, 3], [7, 0, 5, 2])[$w]->@*;
    row('whole', 'i32', [qw(i32 i32)], '%x = bitcast i32 %a to <4 x i8>', '%y = bitcast i32 %b to <4 x i8>',
        '%z = shufflevector <4 x i8> %x, <4 x i8> %y, <4 x i32> <' . join(', ', map { "i32 $_" } @order) . '>',
        '%r = bitcast <4 x i8> %z to i32');
}
my %NEXT = (half => 'i16', float => 'i32', double => 'i64');
for my $type (qw(float double half)) {
    my $class = $type;
    my @two = ($type) x 2;
    row($class, $type, \@two, "%r = $_ $type %a, %b") for qw(fadd fsub fmul fdiv);
    row($class, $type, \@two, '%r = ' . intrinsic($_, $type, \@two)) for qw(minnum maxnum copysign);
    row($class, $type, [$type], '%r = ' . intrinsic($_, $type, [$type])) for qw(floor ceil trunc rint sqrt fabs);
    row($class, $type, [($type) x 3], '%r = ' . intrinsic('fma', $type, [($type) x 3])) if $type ne 'half';
    row($class, $type, [$type], "%r = fneg $type %a");
    row($class, $type, [$type], "%x = call $type \@llvm.floor.$SHORT{$type}($type %a)", "%r = fsub $type %a, %x");
    row($class, 'i32', \@two, "%x = fcmp $_ $type %a, %b", '%r = select i1 %x, i32 5, i32 9') for @ORDERS;
    $declared{"ldexp$type"} = "declare $type \@llvm.ldexp.$SHORT{$type}.i32($type, i32)";
    row($class, $type, [$type, 'i8'], '%n = sext i8 %b to i32',
        "%r = call $type \@llvm.ldexp.$SHORT{$type}.i32($type %a, i32 %n)");
    $declared{"frexp$type"} = "declare {$type, i32} \@llvm.frexp.$SHORT{$type}.i32($type)";
    row($class, $type, [$type], "%x = call {$type, i32} \@llvm.frexp.$SHORT{$type}.i32($type %a)",
        "%r = extractvalue {$type, i32} %x, 0");
    $declared{"class$type"} = "declare i1 \@llvm.is.fpclass.$SHORT{$type}($type, i32)";
    row($class, 'i32', [$type], "%x = call i1 \@llvm.is.fpclass.$SHORT{$type}($type %a, i32 $_)",
        '%r = select i1 %x, i32 5, i32 9') for 3, 36, 264, 144, 96, 516;
    for my $whole ('i32', $type eq 'half' ? 'i16' : ()) {
        for my $to (qw(fptosi fptoui)) {
            $declared{"$to$type$whole"} = "declare $whole \@llvm.$to.sat.$whole.$SHORT{$type}($type)";
            row($class, $whole, [$type], "%r = call $whole \@llvm.$to.sat.$whole.$SHORT{$type}($type %a)");
        }
        row('whole', $type, [$whole], "%r = $_ $whole %a to $type") for qw(sitofp uitofp);
    }
    next if $type eq 'double';
    for my $op (qw(minnum maxnum)) {
        my $call = intrinsic($op, $type, \@two);
        row($class, $type, [($type) x 3], "%x = $call", '%r = ' . ($call =~ s/%a/%x/r =~ s/%b/%c/r));
    }
}
row('float', 'half', ['float'], '%r = fptrunc float %a to half');
row('half', 'float', ['half'], '%r = fpext half %a to float');
row('double', 'float', ['double'], '%r = fptrunc double %a to float');
row('float', 'double', ['float'], '%r = fpext float %a to double');
row('float', 'float', [qw(float float)], '%r = call float @llvm.fma.f32(float %a, float %b, float 0x400A666660000000)');
row('float', 'float', [qw(float float)], '%r = call float @llvm.fma.f32(float %a, float 0x400A666660000000, float %b)');
my $halves = '<2 x half>';
row('half', $halves, [($halves) x 2], "%r = $_ $halves %a, %b") for qw(fadd fmul);
row('half', $halves, [($halves) x 2], '%r = ' . intrinsic($_, $halves, [($halves) x 2])) for qw(minnum maxnum);
# A product of halves and a sum in float are exact, or rounded once.
row('half', 'float', [qw(half half float)], '%x = fpext half %a to float', '%y = fpext half %b to float',
    '%r = call float @llvm.fma.f32(float %x, float %y, float %c)');
row('half', 'half', [qw(half half float)], '%x = fpext half %a to float', '%y = fpext half %b to float',
    '%z = call float @llvm.fma.f32(float %x, float %y, float %c)', '%r = fptrunc float %z to half');

# ---- Programs: batches of expressions, each with its own part of the output ----

my $BATCH = 48;
sub batches () {
    my %of;
    push $of{ $_->[0] }->@*, $_ for @ROWS;
    my @batches;
    for my $class (sort keys %of) {
        push @batches, [$class, splice $of{$class}->@*, 0, $BATCH] while $of{$class}->@*;
    }
    return @batches;
}

# The lines of a batch for the processor or the GPU ($space): source i of 8 bytes, output (row * N + i) of 8 bytes.
sub body ($space, $rows) {
    my $text = '';
    for my $n (0 .. $#$rows) {
        my (undef, $type, $from, @lines) = $rows->[$n]->@*;
        my $own = sub ($line) { return $line =~ s/%(\w+)/%$1.$n/gr };
        my @names = qw(a b c);
        $text .= "  %$names[$_].p$n = getelementptr i64, ptr$space %S$_, i64 %i\n"
            . "  %$names[$_].$n = load $from->[$_], ptr$space %$names[$_].p$n, align 8\n" for 0 .. $#$from;
        $text .= '  ' . $own->($_) . "\n" for @lines;
        $text .= "  %at.$n = add i64 %i, " . $n * $N . "\n  %out.$n = getelementptr i64, ptr$space %O, i64 %at.$n\n"
            . "  store $type %r.$n, ptr$space %out.$n, align 8\n";
    }
    return $text;
}

sub gpu_source ($class, $rows) {
    my $space = ' addrspace(1)';
    my $parameters = join ', ', map { "ptr$space noalias $_" } qw(%S0 %S1 %S2 %O);
    my $i = $class eq 'scalar' ? "  %g = call i32 \@llvm.amdgcn.workgroup.id.x()\n  %i = zext i32 %g to i64\n"
        : "  %g = call i32 \@llvm.amdgcn.workgroup.id.x()\n  %l = call i32 \@llvm.amdgcn.workitem.id.x()\n"
        . "  %m = shl i32 %g, 6\n  %k = add i32 %m, %l\n  %i = zext i32 %k to i64\n";
    return "target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void \@k($parameters) #0 {\n$i"
        . body($space, $rows) . "  ret void\n}\nattributes #0 = { \"amdgpu-flat-work-group-size\"=\"1,64\" }\n"
        . join("\n", (sort values %declared), 'declare i32 @llvm.amdgcn.workgroup.id.x()',
        'declare i32 @llvm.amdgcn.workitem.id.x()') . "\n";
}

sub host_source ($rows) {
    return "define void \@k(ptr %S0, ptr %S1, ptr %S2, ptr %O, i64 %i) {\n" . body('', $rows) . "  ret void\n}\n"
        . join("\n", sort values %declared) . "\n";
}

# ---- Values ----

my $state = 12345;
sub bits32 () { $state = ($state * 1103515245 + 12345) & 0x7fffffff; my $high = $state >> 8;
    $state = ($state * 1103515245 + 12345) & 0x7fffffff; return ($high << 16 ^ $state >> 7) & 0xffffffff }
my %CORNERS = (
    whole => [map { ($_, $_ | $_ << 32) } 0, 1, 2, 31, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 4660, 0x7fffff,
        0x800000, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe],
    float => [0, 0x80000000, 1, 0x7fffff, 0x800000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40200000, 0x4b000001,
        0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x477fe000,
        0x477ff000, 0x33000001, 0x38800000, 0x00012345],
    double => [0, 1 << 63, 1, 0x10 << 48, 0x3ff0 << 48, 0xbff0 << 48, 0x4004 << 48, 0x41dfffffffc00000,
        0x41efffffffe00000, 0xc1e0000000000000, 0x7fefffffffffffff, 0x7ff0 << 48, 0xfff0 << 48, 0x7ff8 << 48,
        0x47efffffe0000000, 0x36a0 << 48, 0x380fffffffffffff],
    half => [map { my $h = $_; map { $h | $_ << 16 } $h, 0x3c00 } 0, 0x8000, 1, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x3800,
        0x4100, 0x63ff, 0x77ff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00]);
sub quiet ($class, $value) {
    return $value | (($value & 0x7f800000) == 0x7f800000 && $value & 0x7fffff ? 0x400000 : 0) if $class eq 'float';
    return $value | (($value >> 52 & 0x7ff) == 0x7ff && $value & 0xfffffffffffff ? 1 << 51 : 0) if $class eq 'double';
    return $value if $class ne 'half';
    for my $at (0, 16) {
        my $h = $value >> $at & 0xffff;
        $value |= 0x200 << $at if ($h & 0x7c00) == 0x7c00 && $h & 0x3ff;
    }
    return $value;
}
sub value_of ($class) {
    my $as = $class eq 'scalar' ? 'whole' : $class;
    my $value = bits32() | bits32() << 32;
    $value = $CORNERS{$as}[bits32() % $CORNERS{$as}->@*] if bits32() % 3 == 0;
    $value = ($value & 0x807fffff) | (115 + bits32() % 30) << 23 if $class eq 'float' && bits32() % 2;
    $value = ($value & 0x800fffffffffffff) | (1000 + bits32() % 50) << 52 if $class eq 'double' && bits32() % 2;
    $value = ($value & 0x83ff83ff) | (8 + bits32() % 14) << 10 | (8 + bits32() % 14) << 26
        if $class eq 'half' && bits32() % 2;
    return quiet($class, $value);
}

# ---- Comparing ----

my %BYTES = (i16 => 2, half => 2, i32 => 4, float => 4, '<2 x i16>' => 4, '<2 x half>' => 4, i64 => 8, double => 8);
sub same ($type, $got, $want) {
    return 1 if $got eq $want;
    return 0 if $type !~ /float|double|half/;
    if ($type eq '<2 x half>') {
        return same('half', substr($got, 0, 2), substr $want, 0, 2) && same('half', substr($got, 2), substr $want, 2);
    }
    my ($exponent, $fraction) = $type eq 'half' ? (0x7c00, 0x3ff) : $type eq 'float' ? (0x7f800000, 0x7fffff)
        : (0x7ff0 << 48, (1 << 52) - 1);
    my $letter = $type eq 'half' ? 'S<' : $type eq 'float' ? 'L<' : 'Q<';
    my @value = map { unpack $letter, $_ } $got, $want;
    my @nan = grep { ($_ & $exponent) == $exponent && $_ & $fraction } @value;
    return @nan == 2;
}

sub command (@words) { system(@words) == 0 or die "@words: status $?\n"; return }
sub spew ($name, $text) {
    open my $out, '>:raw', "$dir/$name" or die "$name: $!\n";
    print $out $text;
    close $out or die "$name: $!\n";
    return;
}

spew('driver.c', <<"END");
#include <stdio.h>
void k(void *, void *, void *, void *, long);
int main(int argc, char **argv)
{
    static char s[3][8 * $N], out[8 * $N * $BATCH];
    for (int i = 0; i < 3; i++) {
        FILE *f = fopen(argv[1 + i], "rb");
        if (!f || fread(s[i], 1, sizeof s[i], f) != sizeof s[i]) return 1;
        fclose(f);
    }
    for (long i = 0; i < $N; i++) k(s[0], s[1], s[2], out, i);
    FILE *f = fopen(argv[4], "wb");
    return !f || fwrite(out, 1, sizeof out, f) != sizeof out || fclose(f);
}
END

my %seen;
my @CPUS = (['gfx1010', 32], ['gfx1010', 64], ['gfx1030', 32]);
my $number = 0;
for my $batch (batches()) {
    my ($class, @rows) = @$batch;
    spew("s$_", pack 'Q<*', map { value_of($class) } 1 .. $N) for 0 .. 2;
    spew('host.ll', host_source(\@rows));
    command('clang-19', '-w', '-O1', '-ffp-contract=off', '-o', "$dir/host", "$dir/host.ll", "$dir/driver.c", '-lm');
    command("$dir/host", (map { "$dir/s$_" } 0 .. 2), "$dir/want");
    my $want = Kernels::read_file("$dir/want");
    spew('gpu.ll', gpu_source($class, \@rows));
    for my $on (sampled_from($number++, @CPUS)) {
        my ($cpu, $lanes) = @$on;
        my @waves = $lanes == 64 ? '-mattr=+wavefrontsize64' : ();
        command('llc-19', "-mcpu=$cpu", @waves, '-filetype=obj', '-o', "$dir/gpu.o", "$dir/gpu.ll");
        command('ld.lld-19', '-shared', '-o', "$dir/gpu.co", "$dir/gpu.o");
        my @launch = $class eq 'scalar' ? ('-g', 64 * $N, '-l', 64) : ('-g', $N, '-l', 64);
        my %got = eval {
            Kernels::continue_gpudbg({ save => { 3 => 1 } }, $dir, "$dir/gpu.co", '-e',
                "launch k @launch \@$dir/s0 \@$dir/s1 \@$dir/s2 zero:" . 8 * $N * @rows);
        };
        is($@, '', "$class, $cpu, waves of $lanes: runs") or next;
        my @wrong;
        for my $n (0 .. $#rows) {
            my (undef, $type, undef, @lines) = $rows[$n]->@*;
            for my $i (0 .. $N - 1) {
                my ($g, $w) = map { substr $_, 8 * ($n * $N + $i), $BYTES{$type} } $got{3}, $want;
                next if same($type, $g, $w);
                my @sources = map { unpack 'H*', scalar reverse substr $_, 8 * $i, 8 }
                    map { Kernels::read_file("$dir/s$_") } 0 .. 2;
                push @wrong, "@lines: @sources: " . unpack('H*', reverse $g) . ', not ' . unpack('H*', reverse $w);
                last;
            }
        }
        is(scalar @wrong, 0, "$class, $cpu, waves of $lanes: " . @rows . ' expressions mean what LLVM says');
        diag($_) for @wrong > 12 ? @wrong[0 .. 11] : @wrong;
        $seen{ $_->{mnemonic} // '' } = 1 for records(commands('disassemble'), "$dir/gpu.co");
    }
}
# Rows that run on some of these chips, by what they say.
if (every_case()) {
    open my $in, '<', 'decoders/gcn/ops.def' or die "ops.def: $!\n";
    my $table = do { local $/; <$in> };
    my %shown;
    for my $row (split /^(?=OP(?:_AS)?\()/m, $table) {
        next if $row !~ /^OP(?:_AS)?\(\w+, (?:CODES\([^)]*\)|\d+), (\w+)(?:, "(\w+)")?/;
        my $name = $2 // $1;
        $shown{$name} = 1 if $row =~ /RDNA_SHOWN/;
    }
    my @lost = grep { !$seen{$_} } sort keys %shown;
    is("@lost", '', scalar(keys %shown) . ' operations that say RDNA_SHOWN are used');
}
done_testing;
