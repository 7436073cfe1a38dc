#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Blocks and loops against LLVM's: it writes into its assembly which blocks are headers of loops, and how deep.
# Rates of `info model` against LLVM's scheduling model.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Test::More;

my $clang = 'clang-19';
plan skip_all => "no $clang" if system("$clang --version >/dev/null 2>&1");
my $dir = tempdir(CLEANUP => 1);
my @flags = qw(-x cl -target amdgcn-amd-amdhsa -mcpu=bonaire -nogpulib -Xclang -finclude-default-header -w);

# ---- Loops and targets of branches ----

# Of each kernel's assembly: the depths of its loops; how many labels are branched to.
sub of_llvm ($path) {
    my (%of, %same, $name, $to, $label);
    open my $s, '<', $path or die;
    my @lines = <$s>;
    for (@lines) { # labels of one address are one
        $label = undef if /^\s+[a-z]\w*\s/ || /^\s+[a-z]\w*$/;
        $same{$1} = $label //= $1 if /^(\.?LBB\w+):/;
    }
    for (@lines) {
        ($name, $of{$1}) = ($1, { depth => [], target => {} }) if /^(\w+):\s+; \@\w+/;
        next if !$name;
        push @{ $of{$name}{depth} }, $1 if /Loop Header: Depth=(\d+)/;
        # A branch to the next instruction leads nowhere else.
        my $here = /^(\.?LBB\w+):/ ? $same{$1} : undef;
        my $insn = /^\s+[a-z]\w*(?:\s|$)/;
        $of{$name}{target}{$to} = 1 if defined $to && ($insn || (defined $here && $here ne $to));
        undef $to if $insn || defined $here;
        $to = $same{$1} if /^\s+s_c?branch\w*\s+(\.?LBB\w+)/;
        undef $name if /^\s*\.section|^\.Lfunc_end/;
    }
    return \%of;
}

my $text = <<'END';
#define ID __builtin_amdgcn_workitem_id_x()
kernel void one(global int *o, int n) { int s = 0; for (int i = 0; i < o[ID]; i++) s += o[i] ^ s; o[ID] = s; }
kernel void two(global int *o, int n)
{
    int s = 1;
    for (int i = 0; i < n; i++) { for (int k = 0; k < o[i]; k++) s = s * 3 + o[k]; o[i + ID] = s; }
}
kernel void three(global int *o, int n)
{
    int s = 1;
    while (s < n) {
        do { for (int k = ID; k < o[s & 63]; k += 7) s += o[k]; s++; } while (s & o[s & 31]);
        if (s > 100) break;
    }
    o[ID] = s;
}
kernel void follow(global int *o, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) s += o[i & s];
    for (int i = 0; i < o[ID]; i++) { if (o[i] & 1) continue; s ^= o[i] * s; if (s == 77) break; }
    o[ID] = s;
}
kernel void branches(global int *o, int n)
{
    int v = o[ID];
    if (v & 1) v = o[v & 63]; else if (v & 2) { v = v * o[1]; if (n > v) o[2] = v; } else o[3] = v;
    switch (v & 7) { case 0: o[4] = v; break; case 3: o[5] = v; case 5: o[6] = v; break; default: o[7] = n; }
}
kernel void many(global int *o, int n)
{
    for (int a = 0; a < n; a++) for (int b = a; b < o[a]; b++) {
        for (int c = 0; c < o[b]; c++) if (o[c] == ID) goto out;
        for (int d = 0; d < n; d++) { o[d] += b; if (o[d] < 0) goto next; }
    next:;
    }
out: o[ID] = n;
}
END
open my $cl, '>', "$dir/k.cl" or die;
print $cl $text;
close $cl;
my $all = 0;
for my $level (qw(-O1 -O2 -Os)) {
    my $compile = "$clang @flags $level $dir/k.cl";
    is(system("$compile -S -o $dir/k.s") || system("$compile -o $dir/k.co"), 0, "clang $level compiles");
    my $llvm = of_llvm("$dir/k.s");
    my @kernels = grep { $_->{type} eq 'kernel' } records(commands('info kernels'), "$dir/k.co");
    for my $kernel (map { $_->{name} } @kernels) {
        my @loops = grep { $_->{type} eq 'loop' } records(commands("info loops $kernel"), "$dir/k.co");
        my @blocks = grep { $_->{type} eq 'block' } records(commands("info blocks $kernel"), "$dir/k.co");
        is(join(' ', sort map { $_->{depth} } @loops), join(' ', sort @{ $llvm->{$kernel}{depth} }),
            "$level $kernel: loops and their depths");
        my %start = map { $_->{block} => $_->{from} } @blocks;
        my %jumped;
        for my $b (@blocks) { $jumped{$_} = 1 for grep { $start{$_} ne $b->{to} } split ' ', $b->{next} // '' }
        is(scalar keys %jumped, scalar keys %{ $llvm->{$kernel}{target} }, '... blocks that are branched to');
        $all += @loops;
    }
}
cmp_ok($all, '>', 15, 'there were loops');

# ---- Rates ----

SKIP: {
    my $mca = 'llvm-mca-19';
    skip "no $mca", 1 if system("$mca --version >/dev/null 2>&1");
    # LLVM's number is in instructions of the full rate; v_fma_f32 is left out: LLVM has it at the full rate.
    my %insn = ('v_add_f64' => 'v[0:1], v[2:3], v[4:5]', 'v_mul_f64' => 'v[0:1], v[2:3], v[4:5]',
        'v_fma_f64' => 'v[0:1], v[2:3], v[4:5], v[6:7]', 'v_rcp_f32' => 'v0, v1', 'v_sqrt_f32' => 'v0, v1',
        'v_exp_f32' => 'v0, v1', 'v_log_f32' => 'v0, v1', 'v_sin_f32' => 'v0, v1', 'v_rcp_f64' => 'v[0:1], v[2:3]',
        'v_sqrt_f64' => 'v[0:1], v[2:3]', 'v_cvt_f32_f64' => 'v0, v[2:3]', 'v_cvt_f64_f32' => 'v[0:1], v2',
        'v_mul_lo_u32' => 'v0, v1, v2', 'v_mul_hi_u32' => 'v0, v1, v2', 'v_lshl_b64' => 'v[0:1], v[2:3], v4',
        'v_add_f32' => 'v0, v1, v2', 'v_mad_f32' => 'v0, v1, v2, v3', 'v_and_b32' => 'v0, v1, v2',
        'v_min_f64' => 'v[0:1], v[2:3], v[4:5]', 'v_floor_f64' => 'v[0:1], v[2:3]',
        'v_cmp_lt_f64' => 'vcc, v[0:1], v[2:3]', 'v_mul_u32_u24' => 'v0, v1, v2');
    for my $name (sort keys %insn) {
        open my $s, '>', "$dir/one.s" or die;
        print $s "$name $insn{$name}\n";
        close $s;
        my @said = `$mca -mtriple=amdgcn -mcpu=bonaire -iterations=1 $dir/one.s 2>/dev/null`;
        my ($rate) = map { /^ \d+\s+(\d+)\s/ ? $1 : () } @said;
        next if !$rate;
        my ($hex) = map { $_->{bytes} // () } records('--isa', 'gfx7', commands("assemble /i $name $insn{$name}"));
        open my $c, '>:raw', "$dir/code" or die;
        print $c pack('H*', $hex), pack 'V', 0xbf810000;
        close $c;
        my ($got) = grep { ($_->{unit} // '') eq 'vector' }
            records('--isa', 'gfx7', '--raw', "$dir/code", commands('launch -g 64 -l 64', 'continue', 'info issue'));
        is($got->{cycles}, 4 * $rate, "$name: $rate times the full rate");
    }
}
done_testing;
