#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `check array` in code of ocloc with debug information, in both containers, optimised and not: overruns that are
# planted are found at their line, with the array's name, and nothing else is; the same kernels without them, and
# kernels that go far with pointers, are silent.  Where a compiled form cannot be looked at, the table says why, and
# silence is held to that.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

if (!-x '/usr/bin/ocloc') {
    die "ocloc is required\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'no ocloc (package intel-opencl-icd)';
}
my $dir = tempdir(CLEANUP => 1);
Kernels::write_file("$dir/in.bin", pack 'l<64', map { $_ % 4 } 0 .. 63);

my $memory = 'optimised: in memory the arrays of lanes are interleaved, and have no place in the debug information';
my $unplaced = 'optimised: the debug information has no place for it';
my $halves = 'optimised: numbers of 64 bits may be two halves apart';

# [name, helper, body, text of the guilty line, variable, why the optimised form is silent].  Of several lines, and
# variables, the compiler's lines choose one, and each may be overrun.  i is the work-item, in[] is 0 1 2 3 0 1 2 3 ...,
# n is 8, wrong is 1 or 0.
my @planted = (
    ['past_write', '', 'int a[8]; for (int k = 0; k < n; k++) a[in[k]] = 0;
    for (int k = 0; k < n; k++)
        a[k + wrong] = k + i;
    out[i] = a[i & 7];', 'a[k + wrong]', 'a (int[8])'],
    ['past_read', '', 'int a[8]; for (int k = 0; k < 8; k++) a[k] = in[k] + i;
    int s = 0;
    for (int k = 0; k < n; k++)
        s += a[k + wrong];
    out[i] = s;', 'a[k + wrong]', 'a (int[8])'],
    ['before_read', '', 'int a[8]; for (int k = 0; k < 8; k++) a[k] = in[k] + i;
    int s = 0;
    for (int k = 0; k < n; k++)
        s += a[k - wrong];
    out[i] = s;', 'a[k - wrong]', 'a (int[8])'],
    ['before_write', '', 'int a[8]; for (int k = 0; k < 8; k++) a[k] = in[k] + i;
    for (int k = 0; k < n; k++)
        a[in[k] - wrong] = k;
    out[i] = a[i & 7];', 'a[in[k] - wrong]', 'a (int[8])'],
    ['by_lane', '', 'int a[8]; for (int k = 0; k < 8; k++) a[k] = in[k] + i;
    a[in[i] + 5 * wrong] = n;
    out[i] = a[i & 7];', 'a[in[i] + 5', 'a (int[8])'],
    ['neighbours', '', 'int a[6], b[10];
    for (int k = 0; k < 6; k++) a[k] = in[k] + i;
    for (int k = 0; k < 10; k++) b[k] = in[k] * i;
    for (int k = 0; k < n; k++) {
        b[k + 1] += i;
        b[k + 3 * wrong] ^= k;
    }
    out[i] = a[in[i]] + b[in[i] + 6];', 'b[k + 3', 'b (int[10])'],
    ['helper', 'static int pick(int *p, int k)
{
    return p[k];
}', 'int a[6]; for (int k = 0; k < 6; k++) a[k] = in[k] + i;
    int s = 0;
    for (int k = 0; k < 6; k++)
        s += pick(a, k + wrong);
    out[i] = s;', 'return p[k]|s += pick', 'a (int[6])'],
    ['deep_helper', 'static void put(int *p, int k)
{
    *(p + k) = k;
}
static void both(int *p, int *q, int k)
{
    put(p + 1, k - 1);
    put(q, k);
}', 'int a[6], b[8]; for (int k = 0; k < 6; k++) a[k] = in[k] + i;
    for (int k = 0; k < 8; k++) b[k] = in[k] + i;
    for (int k = 0; k < n - 2; k++)
        both(a, b, k + wrong);
    out[i] = a[in[i]] + b[in[i]];', '*(p + k) = k', 'a (int[6])'],
    ['structure', 'struct s { int head; int a[5]; };', 'struct s v; v.head = n;
    for (int k = 0; k < 5; k++) v.a[k] = in[k];
    for (int k = 0; k < 5; k++)
        v.a[k + wrong] += i;
    out[i] = v.a[in[i]] + v.head;', 'v.a[k + wrong]', 'v (struct s)', $unplaced],
    ['matrix', '', 'int m[3][4];
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 4; j++)
            m[in[k] + wrong][in[j]] = k + i;
    out[i] = m[in[i & 1]][in[i]];', 'm[in[k] + wrong]', 'm (int[3][4])'],
    ['vectors', '', 'float4 v[3];
    for (int k = 0; k < 3; k++)
        v[in[k] + wrong] = (float4)(i + k);
    out[i] = v[in[i & 1]].y;', 'v[in[k] + wrong]', 'v (float4[3])'],
    ['bytes', '', 'char c[20]; for (int k = 0; k < 20; k++) c[k] = in[k];
    for (int k = 0; k < n; k++)
        c[in[k] + 17 * wrong] = i;
    out[i] = c[in[i] + 8];', 'c[in[k] + 17', 'c (char[20])'],
    ['shorts', '', 'ushort h[7]; for (int k = 0; k < 7; k++) h[k] = in[k] * i;
    for (int k = 0; k < n; k++)
        h[in[k] + 4 * wrong] = i;
    out[i] = h[in[i]];', 'h[in[k] + 4', 'h (ushort[7])'],
    ['longs', '', 'long l[5]; for (int k = 0; k < 5; k++) l[k] = in[k] * (long)i;
    for (int k = 0; k < n; k++)
        l[in[k] + 2 * wrong] = i;
    out[i] = l[in[i]];', 'l[in[k] + 2', 'l (long[5])', $halves],
    ['large', '', 'int a[300]; for (int k = 0; k < 300; k++) a[k] = in[k & 7] + i;
    for (int k = 0; k < n; k++)
        a[in[k] + 297 * wrong] = k;
    out[i] = a[in[i]];', 'a[in[k] + 297', 'a (int[300])', $memory],
    ['pointer', '', 'int a[8], *p = a + 2; for (int k = 0; k < 8; k++) a[k] = in[k] + i;
    for (int k = 0; k < n; k++)
        p[in[k] + 3 * wrong] = k;
    out[i] = a[i & 7];', 'p[in[k] + 3', 'a (int[8])'],
    ['chosen', '', 'int a[8], b[9]; for (int k = 0; k < 8; k++) { a[k] = in[k]; b[k] = i; }
    int *p = in[i] & 1 ? a : b;
    for (int k = 0; k < n; k++)
        p[k + 2 * wrong] += i;
    out[i] = a[in[i]] + b[in[i]];', 'p[k + 2', 'a (int[8])|b (int[9])', $memory],
);

# Sound kernels with pointers of every kind; n is 8, in[] as above, and no access is outside.
my @sound = (
    ['ends', '', 'int a[8], s = 0; for (int *p = a; p < a + n; p++) *p = in[p - a] + i;
    for (int *p = a + n; p-- != a;) s += *p * (int)(p - a);
    int *q = a + 4; s += q[-4] + q[3] + *(q - 2);
    out[i] = s;'],
    ['cases', '', 'int a[8], b[6]; for (int k = 0; k < 8; k++) a[k] = in[k];
    for (int k = 0; k < 6; k++) b[k] = in[k] * 3;
    for (int k = 0; k < n; k++) a[in[k] & 7] += k;
    int j = in[i] * 3 + 5, x = j < 8 ? a[j] : 7, y = 0, z = 5;
    if (j < 6 && j > n) y = b[j];
    if (n < 6) z = b[n];
    if (j < 8) a[j] = x + 1;
    for (int k = 0; k < 12; k++) {
        if (k < 8) z += a[k] * y;
        if (k + n < 6) z -= b[k + n];
        y = k + n < 8 ? a[k + n] : y;
    }
    out[i] = x + y + z + a[i & 7];'],
    ['distances', '', 'int a[8], b[12]; for (int k = 0; k < 8; k++) a[k] = in[k]; for (int k = 0; k < 12; k++) b[k] = k;
    int *p = a + in[i]; ptrdiff_t d = p - a;
    b[d + 8] = *p; b[(&a[7] - p) + 1] += 2;
    ulong n1 = (ulong)(a + 3) - (ulong)a;
    out[i] = b[n1 - 1] + b[d] + *(int *)((uintptr_t)a + 4 * in[i]);'],
    ['kept', 'struct node { int *at; int n; struct node *next; };
static int sum(struct node *l)
{
    int s = 0;
    for (; l; l = l->next) for (int k = 0; k < l->n; k++) s += l->at[k];
    return s;
}',
        'int a[4], b[7], c[3], *all[3] = { a, b, c }; int lengths[3] = { 4, 7, 3 };
    struct node nodes[3];
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < lengths[k]; j++) all[k][j] = in[j] + k;
        nodes[k].at = all[k]; nodes[k].n = lengths[k]; nodes[k].next = k < 2 ? &nodes[k + 1] : 0;
    }
    int *t = all[in[i] % 3]; all[in[i] % 3] = all[0]; all[0] = t;
    out[i] = sum(nodes) + all[0][in[i] % 3] + all[1][in[i] & 1];'],
    ['chosen_by_lane', 'static void swap(int **p, int **q) { int *t = *p; *p = *q; *q = t; }',
        'int a[3], b[8], s = 0; for (int k = 0; k < 8; k++) b[k] = in[k]; for (int k = 0; k < 3; k++) a[k] = i;
    int *p = i & 1 ? a : b, *q = i & 1 ? b : a, length = i & 1 ? 3 : 8;
    for (int round = 0; round < 4; round++) {
        for (int k = 0; k < length; k++) p[k] += k;
        if (in[i] & 2) { swap(&p, &q); length = 11 - length; }
        s += p[length - 1];
    }
    out[i] = s + a[2] + b[7];'],
    ['other_types', 'union u { int w[4]; char b[16]; float4 v; };', 'union u x[2]; uint a[6]; char16 bytes; int s = 0;
    for (int k = 0; k < 32; k++) ((char *)x)[k] = in[k] + k;
    vstore4((uint4)(in[i], 1, 2, 3), 0, a); vstore2((uint2)(n, i), 2, a);
    x[1].v = vload4(0, (float *)x[0].w);
    bytes = vload16(0, x[1].b);
    for (int k = 0; k < 6; k++) s += a[k] * x[k & 1].b[15 - k];
    out[i] = s + bytes.sf + ((short *)&x[1])[7];'],
    ['lanes_by_number', '', 'int a[16], b[32]; uint l = get_local_id(0) & 15;
    for (int k = 0; k < 16; k++) a[k] = in[k]; for (int k = 0; k < 32; k++) b[k] = in[k];
    int *p = a; b[l * 2] = p[l]; p = b + 8; p[l] += p[l + 8]; a[(l * 8) & 15] = 3;
    out[i] = p[l + 8] + b[l] + a[15 - l];'],
    ['calls', 'struct pair { int x[3]; int y; };
static struct pair make(int x) { struct pair p; for (int k = 0; k < 3; k++) p.x[k] = x + k; p.y = x; return p; }
static int fold(struct pair p, int *w)
{
    int l[3];
    for (int k = 0; k < 3; k++) l[k] = p.x[k] * w[k];
    return l[p.y % 3];
}
static int twice(int *w, int k) { return fold(make(k), w) + fold(make(k + 1), w + 1); }',
        'int a[5], s = 0; for (int k = 0; k < 5; k++) a[k] = in[k] + i;
    for (int k = 0; k < n; k++) s += twice(a + (k & 1), in[i] + k);
    out[i] = s + a[4];'],
    ['apart', '', 'int a[8]; if (in[i] == 3) { out[i] = -1; return; }
    for (int k = 0; k < 8; k++) a[k] = in[k];
    for (int k = in[i]; k < 8; k += in[i] + 1) { if (k == 6 && i & 1) continue; a[k] += a[7 - k]; }
    out[i] = a[in[i]];'],
    ['shuffled', '', 'int a[8], c[3]; for (int k = 0; k < 8; k++) a[k] = in[k];
    int x = a[in[i]], y = intel_sub_group_shuffle(x, in[i] + 2), z = 0;
    for (int k = 0; k < 3; k++) c[k] = intel_sub_group_shuffle(a[k + in[i]], (in[i] + k) & 7);
    for (int k = 0; k < n; k++) z += sub_group_broadcast(y, k & 7) * a[k & 7] + intel_sub_group_shuffle(y, k);
    out[i] = x + y + z + c[in[i] % 3];'],
);

my @forms = (['', ''], ['-cl-opt-disable', ' not optimised']);
my (%count, $turn);
sub compiled {
    my ($case, $options, $internal) = @_;
    my ($name, $helper, $body) = @$case;
    my $head = 'kernel void f(global int *out, global const int *in, int n, int wrong)';
    Kernels::write_file("$dir/$name.cl", "$helper\n$head\n{\n    int i = get_global_id(0);\n    $body\n}\n");
    unlink "$dir/$name";
    system("cd $dir && ocloc compile -q -file $name.cl -device dg1 -options '-g -cl-std=CL2.0 $options' "
            . "-internal_options '$internal' -output $name -output_no_suffix >$dir/log 2>&1");
    return -f "$dir/$name" ? "$dir/$name" : undef;
}

# The reports of a run, and whether it came to its end.
sub reports {
    my ($file, $wrong) = @_;
    my @r = records($file, commands('check array on', "launch f -g 40 -l 20 zero:160 \@$dir/in.bin 8 $wrong",
        ('continue') x 30, 'info checks'));
    return (!!(grep { $_->{type} eq 'stop' && $_->{reason} eq 'done' } @r), grep { $_->{type} eq 'check' } @r);
}

for my $container (['patch tokens', ''], ['zebin', '-ze-allow-zebin']) {
    for my $form (@forms) {
        my ($options, $said) = @$form;
        my $title = "$container->[0]$said";
        $turn++;
        for my $case (sampled_from($turn, @planted)) {
            my ($name, undef, undef, $text, $variable, $silent) = @$case;
            my $file = compiled($case, $options, $container->[1]);
            ok($file, "$title: $name is compiled") or next;
            my @lines = split /\n/, Kernels::read_file("$dir/$name.cl");
            my $guilty = join '|', map { quotemeta } split /\|/, $text;
            my %line = map { $_ => 1 } grep { $lines[$_ - 1] =~ /$guilty/ } 1 .. @lines;
            my $which = join '|', map { quotemeta } split /\|/, $variable;
            my (undef, @found) = reports($file, 1);
            if ($silent && !$options) {
                is(join('; ', map { $_->{message} } @found), '', "$title: $name: silent, $silent");
            } else {
                my @there = grep { $_->{frames} && $line{ $_->{frames}[0]{line} } && $_->{message}
                    =~ /of (?:.* or )?(?:$which)(?: or .*)?, which/ } @found;
                ok(scalar @there, "$title: $name: found at its line") or diag(map { "$_->{message}\n" } @found);
                is(scalar(@there), scalar(@found), "$title: $name: and nothing else")
                    or diag(map { "$_->{message}\n" } @found);
                $count{$title}++ if @there;
            }
            my ($done, @none) = reports($file, 0);
            ok($done, "$title: $name: its twin ends");
            is(join('; ', map { $_->{message} } @none), '', "$title: $name: its twin is silent");
        }
        for my $case (sampled_from($turn, @sound)) {
            my $file = compiled($case, $options, $container->[1]);
            ok($file, "$title: $case->[0] is compiled") or diag(Kernels::read_file("$dir/log")), next;
            my ($done, @none) = reports($file, 0);
            ok($done, "$title: $case->[0] ends");
            is(join('; ', map { $_->{message} } @none), '', "$title: $case->[0] is silent");
        }
    }
}
# Recorded time is shown by several processes: what is known of arrays at its end goes on to the rest of the run.
my $long = 'int a[8], b[8], s = 0;
    for (int k = 0; k < 8; k++) { a[k] = in[(i + k) & 31]; b[k] = k; }
    for (int r = 0; r < n; r++)
        for (int k = 0; k < 8; k++) { s += a[(k + r) & 7] * b[k]; a[(k + s) & 7] ^= r; }
    if (i % 32 == 5) a[8 + (wrong & 1)] = s;
    s += a[7 + wrong];
    out[i] = s + b[0];';
my @processes = (1, 2, every_case() ? 3 : ());
for my $form (sampled(@forms)) {
    my ($options, $said) = @$form;
    my $file = compiled(['long', '', $long], $options, '');
    ok($file, "a long run$said is compiled") or next;
    my $rounds = $options ? 100 : 1500;
    my @said;
    for my $threads (@processes) {
        my @r = records($file, commands("set threads $threads", "launch f -g 40 -l 20 zero:160 \@$dir/in.bin $rounds 1",
            'set step-limit 70000', 'continue', 'set step-limit 0', 'check all on', ('continue') x 30, 'info checks'));
        push @said, join "\n", map { join ' ', @$_{qw(kind pc position count message)} }
            grep { $_->{type} eq 'check' } @r;
        is((grep { $_->{type} eq 'stop' } @r)[0]{position}, 70000, "... it is stopped, $threads processes");
    }
    like($said[0], qr/array/, '... its overruns are found');
    is($said[$_], $said[0], "... the same by $processes[$_] processes") for 1 .. $#processes;
}
diag("$_: $count{$_} of " . @planted . ' overruns are found') for sort keys %count;
done_testing();
