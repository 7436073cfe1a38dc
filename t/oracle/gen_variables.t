#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Variables of the source in code of ocloc for DG1, in both containers, optimised and not: at each line, each lane's
# values are what the source says.  Optimised code may say that a variable is optimised out, and nothing wrong.
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
my $source = <<'END';
struct pair { int x; float n[3]; };
static int helper(int a, short k)
{
    int t = a * 2;
    t += k;
    return t;
}
static int twice(int a, int k)
{
    int u = helper(a, k + 1);
    u ^= 5;
    return u;
}
struct small { int a; float b; };
long r_long(int x) { return x * 0x100000001L; }
char r_char(int x) { return x - 3; }
float4 r_vector(int x) { return (float4)(x, x + 1, x + 2, x + 3); }
uchar4 r_bytes(int x) { return (uchar4)(x, x + 1, x + 2, x + 3); }
ushort2 r_shorts(int x) { return (ushort2)(x, x + 300); }
long2 r_longs(int x) { return (long2)(x, -x); }
struct small r_small(int x) { struct small s; s.a = x; s.b = x * 0.5f; return s; }
struct mixed { char a; short b; int c; float d; };
struct wide { long a; short b; };
struct nested { struct { char x; short y; } in; float4 v; };
struct large { int n[40]; };
struct mixed r_mixed(int x) { struct mixed s; s.a = x; s.b = x - 9; s.c = x << 20; s.d = x * 0.25f; return s; }
struct wide r_wide(int x) { struct wide s; s.a = (long)x << 33; s.b = x - 9; return s; }
struct nested r_nested(int x)
{
    struct nested s;
    s.in.x = x; s.in.y = -x;
    s.v = (float4)(x, 1, 2, x * 2);
    return s;
}
struct large r_large(int x) { struct large s; for (int k = 0; k < 40; k++) s.n[k] = x + k; return s; }
kernel void f(global const int *in, global int *out, int n, local int *tmp)
{
    int i = get_global_id(0);
    char c = i - 7;
    ushort w = i * 1000;
    long big = (long)i * 0x100000003L;
    struct pair p;
    p.x = in[i];
    p.n[0] = n; p.n[1] = i; p.n[2] = 0.5f;
    int s = twice(p.x, n);
    tmp[i & 15] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 v = (float4)(s, i, c, w);
    for (int j = 0; j < n; j++)
        v.x += v.y * j;
    big += s;
    out[i] = v.x + v.y + v.z + v.w + p.n[n % 3] + big;
    out[i] += r_long(i) + r_char(i) + r_vector(i).y + r_bytes(i).z + r_shorts(i).y + r_longs(i).x + r_small(i).a;
    out[i] += r_mixed(i).c + r_wide(i).b + r_nested(i).v.w + r_large(i).n[39];
}
END
Kernels::write_file("$dir/v.cl", $source);
Kernels::write_file("$dir/in.bin", pack 'l<16', map { 10 * $_ + 1 } 0 .. 15);
my @lines = split /\n/, $source;
sub line { my ($text) = @_; my ($n) = grep { index($lines[$_ - 1], $text) >= 0 } 1 .. @lines; return $n }

# What holds at the first instruction of a line: name, and its value for work-item i.
my $n = 3;
my %in = map { $_ => 10 * $_ + 1 } 0 .. 15;
my %s = map { $_ => (2 * $in{$_} + $n + 1) ^ 5 } 0 .. 15;
my @at = (
    ['t += k', { a => sub { $in{ $_[0] } }, k => sub { $n + 1 }, t => sub { 2 * $in{ $_[0] } } }],
    ['u ^= 5', { a => sub { $in{ $_[0] } }, k => sub { $n }, u => sub { $s{ $_[0] } ^ 5 } }],
    ['tmp[i & 15] = s', { i => sub { $_[0] }, c => sub { $_[0] - 7 }, w => sub { 1000 * $_[0] },
        big => sub { $_[0] * 4294967299 }, n => sub { $n }, 'p.x' => sub { $in{ $_[0] } },
        'p.n[2]' => sub { 0.5 }, 'p.n[1]' => sub { $_[0] }, s => sub { $s{ $_[0] } },
        'in[i]' => sub { $in{ $_[0] } } }],
    ['big += s', { i => sub { $_[0] }, 'v.x' => sub { $s{ $_[0] } + 3 * $_[0] }, 'v.z' => sub { $_[0] - 7 },
        s => sub { $s{ $_[0] } } }],
);
my %shown;
for my $container ('patch tokens', 'zebin') {
    for my $options ('', '-cl-opt-disable') {
        my $title = $container . ($options ? ', not optimised' : ', optimised');
        my $internal = $container eq 'zebin' ? '-ze-allow-zebin' : '';
        unlink "$dir/v";
        system("cd $dir && ocloc compile -q -file v.cl -device dg1 -options '-g $options' "
                . "-internal_options '$internal' -output v -output_no_suffix >/dev/null 2>&1");
        ok(-f "$dir/v", "$title: ocloc compiles it") or next;
        for my $at (@at) {
            my ($where, $values) = @$at;
            my $line = line($where);
            my @names = sort keys %$values;
            for my $lane (0, 5) {
                my ($text, $errors) = gpudbg("$dir/v", '-e', "launch f -g 16 -l 16 \@$dir/in.bin zero:64 $n local:64",
                    '-e', "break v.cl:$line", '-e', 'continue', '-e', "lane $lane",
                    map { ('-e', "printf \"=$_= \"", '-e', "print $_") } @names);
                my $out = $text . $errors;
                like($out, qr/Breakpoint 1, wave 0/, "$title: stops at line $line") or diag($out), last;
                for my $name (@names) {
                    my ($got) = $out =~ /=\Q$name\E= \$\d+ = (\S+)/;
                    $got =~ s/^'.*?'$/ord $got/e if defined $got;
                    my $want = $values->{$name}->($lane);
                    $want .= '.0' if $name =~ /^(?:p\.n|v\.)/ && $want !~ /\./; # a float
                    $shown{$title}{ defined $got ? 'shown' : 'not shown' }++;
                    next if !defined $got && !$options;
                    is($got, $want, "$title: line $line, lane $lane: $name");
                }
            }
        }
        next if !$options;
        my $i = 6;
        my %returned = (helper => 2 * $in{$i} + $n + 1, twice => $s{$i}, r_long => $i * 4294967297, r_char => $i - 3,
            r_vector => '{6.0, 7.0, 8.0, 9.0}', r_bytes => '{6, 7, 8, 9}', r_shorts => '{6, 306}', r_longs => '{6, -6}',
            r_small => '{a = 6, b = 3.0}', r_mixed => '{a = 6, b = -3, c = 6291456, d = 1.5}',
            r_wide => '{a = 51539607552, b = -3}', r_nested => '{in = {x = 6, y = -6}, v = {6.0, 1.0, 2.0, 12.0}}',
            r_large => '{n = {' . join(', ', 6 .. 45) . '}}');
        for my $function (sort keys %returned) {
            my ($out) = gpudbg("$dir/v", '-e', "launch f -g 16 -l 16 \@$dir/in.bin zero:64 $n local:64",
                '-e', "break $function", '-e', 'continue', '-e', "lane $i", '-e', 'backtrace', '-e', 'finish');
            like($out, qr/^\Q$function\E returned .*lane $i: \Q$returned{$function}\E$/m,
                "$title: what $function returned");
            like($out, qr/^#\d .* in f at .*v\.cl:\d+$/m, "$title: $function has its caller");
        }
    }
}
for (sort keys %shown) {
    diag(sprintf '%s: %d values shown, %d not', $_, $shown{$_}{shown} // 0, $shown{$_}{'not shown'} // 0);
    cmp_ok($shown{$_}{shown} // 0, '>=', 10, "$_: most variables have a value");
}
done_testing();
