# SPDX-License-Identifier: GPL-3.0-or-later
#
# The kernels that tests and benchmarks run: one table of cases, their inputs, and how results are compared.
#
#   use lib 't/lib';
#   use Kernels;
#   for my $case (Kernels::cases()) {
#       my @words = Kernels::launch_words($case, $dir);       KERNEL -g .. -l .. ARG...; writes the inputs below $dir
#       my %got   = Kernels::run_gpudbg($code_object, $case, $dir);     argument number => bytes
#       my %want  = Kernels::run_reference($case, $dir);                plain C
#       my $where = Kernels::difference($got{0}, $want{0}, $case->{save}{0});   undef when they agree
#   }
#
# A case is a hash:
#   file, kernel   t/data/kernels/FILE.cl and the kernel in it
#   global, local  sizes as `launch` takes them
#   args           in the kernel's order: words of `launch` (see cli.md), or [KIND, COUNT, SEED, ...], a generated
#   buffer save           argument number => how to compare it with another run's (see difference())
#   why            why PoCL cannot run it, where it cannot
#   objects        the code objects of the file, as paths: FILE-O0.co, FILE-O2.co and whatever else build.sh makes
#   source         the path of FILE.cl
#   options        compiler options, from the line `// options:` of the file
package Kernels;

use strict;
use warnings;
use File::Basename qw(basename);
use File::Path 'make_path';

my $tests = 't'; # tests run in the top folder, whose path may have blanks

sub source_dir { return "$tests/data/kernels" }

# ---- Inputs: a linear congruential generator, so that every machine has the same numbers ----

# Returns a function that gives the next 16 random bits, the better half of each step.
sub generator {
    my $state = (shift() * 2654435761 + 12345) & 0xffffffff;
    return sub {
        $state = ($state * 1664525 + 1013904223) & 0xffffffff;
        return $state >> 16;
    };
}

my @integer_edges = (0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 2, 0xfffffffe, 0x80000001, 255, 256, 65535, 65536,
    0xffff8000, 24);
my @float_edges = (0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000, 0xbf800000, 0x3f000000,
    0x40490fdb);
my @double_edges = (0, 1 << 63, 0x7ff << 52, 0xfff << 52, 0x7ff8 << 48, 0x3ff << 52, 0xbff << 52, 0x3fe << 52, 1,
    (1 << 52) - 1);

sub bits32 { my $r = shift; return $r->() << 16 | $r->() }
sub bits64 { my $r = shift; return bits32($r) << 32 | bits32($r) }

# A float of random sign and mantissa, and a power of two within +-$spread.
sub wide32 { my ($r,
    $spread) = @_; return ($r->() & 1) << 31 | 127 - $spread + $r->() % (2 * $spread + 1) << 23 | bits32(
    $r) & 0x7fffff }
sub wide64 { my ($r,
    $spread) = @_; return ($r->() & 1) << 63 | 1023 - $spread + $r->() % (2 * $spread + 1) << 52 | bits64($r) & (
    1 << 52) - 1 }

sub as_bits { my ($from, $to, $value) = @_; return unpack $to, pack $from, $value }

# KIND => [template of one element, function of (random source, index, further words of the kind)]
my %kinds = (
    u8  => ['C', sub { $_[0]->() & 0xff }],
    u16 => ['S<', sub { $_[0]->() }],
    u32 => ['L<', sub { bits32($_[0]) }],
    u64 => ['Q<', sub { bits64($_[0]) }],
    below => ['L<', sub { my ($r, $i, $limit) = @_; bits32($r) % $limit }],
    index => ['L<', sub { $_[1] }],
    # Integers of all magnitudes, with the edges of their types among them.
    edge32 => ['L<', sub { my ($r) = @_; my $pick = $r->();
        $pick % 4 == 0 ? $integer_edges[$r->() % @integer_edges] : bits32($r) >> ($pick % 4 == 1 ? $r->() % 32
            : 0) }],
    edge64 => ['Q<', sub { my ($r) = @_; my $pick = $r->();
        my $edge = $integer_edges[$r->() % @integer_edges];
        $pick % 8 == 0 ? $edge : $pick % 8 == 1 ? $edge << 32 | ($r->() & 1) * 0xffffffff
            : bits64($r) >> ($pick % 4 == 2 ? $r->() % 64 : 0) }],
    small16 => ['s<', sub { $_[0]->() % 4001 - 2000 }],
    # Floating point: between two bounds; of all magnitudes; the same with zeros, infinities and NaN; without zeros.
    f32 => ['L<', sub { my ($r, $i, $lo, $hi) = @_; as_bits('f<', 'L<',
        $lo + ($hi - $lo) * (bits32($r) >> 8) / 0x1000000) }],
    f64 => ['Q<', sub { my ($r, $i, $lo, $hi) = @_; as_bits('d<', 'Q<',
        $lo + ($hi - $lo) * (bits64($r) >> 11) / (1 << 53)) }],
    wide32 => ['L<', sub { my ($r, $i, $spread) = @_; wide32($r, $spread) }],
    wide64 => ['Q<', sub { my ($r, $i, $spread) = @_; wide64($r, $spread) }],
    special32 => ['L<', sub { my ($r, $i, $spread) = @_; $r->() % 4 ? wide32($r, $spread)
        : $float_edges[$r->() % @float_edges] }],
    special64 => ['Q<', sub { my ($r, $i, $spread) = @_; $r->() % 4 ? wide64($r, $spread)
        : $double_edges[$r->() % @double_edges] }],
    nonzero32 => ['L<', sub { my ($r, $i, $spread) = @_; $r->() % 4 ? wide32($r, $spread)
        : $float_edges[2 + $r->() % (@float_edges - 2)] }],
    nonzero64 => ['Q<', sub { my ($r, $i, $spread) = @_; $r->() % 4 ? wide64($r, $spread)
        : $double_edges[2 + $r->() % (@double_edges - 2)] }],
    # Numbers halfway between integers, near them, and special32 or special64.
    round32 => ['L<', sub { my ($r, $i) = @_; my $pick = $r->() % 3;
        $pick == 0 ? as_bits('f<', 'L<', ($r->() - 32768) / 2) : $pick == 1 ? as_bits('f<', 'L<',
            ($r->() - 32768) / 1024)
            : $r->() % 3 ? wide32($r, 30) : $float_edges[$r->() % @float_edges] }],
    round64 => ['Q<', sub { my ($r, $i) = @_; my $pick = $r->() % 3;
        $pick == 0 ? as_bits('d<', 'Q<', ($r->() - 32768) / 2) : $pick == 1 ? as_bits('d<', 'Q<',
            bits32($r) / 65536 - 32768)
            : $r->() % 3 ? wide64($r, 60) : $double_edges[$r->() % @double_edges] }],
    # The same without NaN, infinities and numbers just below 0.
    plain64 => ['Q<', sub { my ($r) = @_; my $pick = $r->() % 3;
        $pick == 0 ? as_bits('d<', 'Q<', ($r->() - 32768) / 2) : $pick == 1 ? as_bits('d<', 'Q<',
            bits32($r) / 65536 - 32768) : wide64($r, 30) }],
    # Denormals and their smallest normal neighbours.
    tiny32 => ['L<', sub { my ($r) = @_; ($r->() & 1) << 31 | ($r->() % 4) << 23 | bits32($r) & 0x7fffff }],
    tiny64 => ['Q<', sub { my ($r) = @_; ($r->() & 1) << 63 | ($r->() % 4) << 52 | bits64($r) & (1 << 52) - 1 }],
    # Distances of a graph: some ways are missing (a large number), none from a point to itself.
    ways => ['L<', sub { my ($r, $i, $n) = @_; my $far = $r->() % 4; my $way = 1 + $r->() % 1000;
        $i % ($n + 1) == 0 ? 0 : $far ? $way : 1_000_000 }],
    # The roots of unity that a transform of $n complex points needs: real and imaginary parts in turn.
    roots => ['f<', sub { my ($r, $i, $n) = @_; my $angle = -2 * atan2(0, -1) * int($i / 2) / $n; $i % 2
        ? sin $angle : cos $angle }],
    # Where rows of a sparse matrix begin: $step elements apart and up to 63 more, never fewer than before.
    starts => ['L<', sub { my ($r, $i, $step) = @_; $i * ($step + 63) + ($i ? $r->() % 64 : 0) }],
    # Words of small letters from a set of $n, $size bytes each with a zero byte or more at the end.
    words => ['C', sub { my ($r, $i, $size, $n) = @_; my $letter = 97 + $r->() % $n;
        $i % $size == $size - 1 || $r->() % 24 == 0 ? 0 : $letter }],
    # Keys that are all different.
    keys => ['L<', sub { my ($r, $i) = @_; ($r->() << 16) + $i }],
);

# The bytes of a generated buffer.
sub bytes {
    my ($kind, $count, $seed, @more) = @_;
    my ($template, $next) = @{ $kinds{$kind} or die "$kind: no such kind of input\n" };
    my $random = generator($seed);
    return pack "($template)*", map { $next->($random, $_, @more) } 0 .. $count - 1;
}

# ---- The table ----

my $uneven = 'PoCL 3.1 runs only whole groups';
my $spaces = 'PoCL 3.1 has no generic address space';
my $functions = 'OpenCL has no pointers to functions';
my $device = 'these are instructions of the device';
my $scope = 'PoCL 3.1 has no program-scope variables';
my $flushes = 'PoCL keeps denormals';

# [file, kernel, global, local, [args], {save}, more]; the options of a file stand in the file.
my @table = (
    ['vector_add', 'vadd_f32', 1024, 64, ['zero:4000', ['wide32', 1000, 1, 20], ['wide32', 1000, 2, 20], 1000],
        { 0 => 'f32' }],
    ['vector_add', 'vadd_i32', 1024, 256, ['zero:4000', ['u32', 1000, 3], ['u32', 1000, 4], 1000], { 0 => 'bits' }],
    ['vector_add', 'vadd_f64', 192, 64, ['zero:1200', ['wide64', 150, 5, 40], ['wide64', 150, 6, 40], 150],
        { 0 => 'f64' }],
    ['vector_add', 'saxpy', 256, 64, [['wide32', 256, 7, 10], ['wide32', 256, 8, 10], 2.5, 256], { 0 => 'f32' }],

    ['integer', 'int_arith', 512, 64, ['zero:61440', ['edge32', 512, 10], ['edge32', 512, 11], ['edge32', 512, 12],
        512], { 0 => 'bits' }],
    ['integer', 'int_bits', 512, 64, ['zero:49152', ['edge32', 512, 13], ['edge32', 512, 14], ['edge32', 512, 15],
        512], { 0 => 'bits' }],
    ['integer', 'int_divide', 512, 64, ['zero:16384', ['edge32', 512, 16], ['edge32', 512, 17], 512],
        { 0 => 'bits' }],
    ['integer', 'int64_arith', 512, 64, ['zero:94208', ['edge64', 512, 18], ['edge64', 512, 19], 512],
        { 0 => 'bits' }],
    ['integer', 'int64_divide', 512, 64, ['zero:28672', ['edge64', 512, 20], ['edge64', 512, 21], 512],
        { 0 => 'bits' }],
    ['integer', 'int_narrow', 512, 64, ['zero:47104', ['edge32', 512, 22], ['edge32', 512, 23], ['edge64', 512, 24],
        512], { 0 => 'bits' }],

    ['float', 'float_arith', 512, 64, ['zero:26624', ['special32', 512, 30, 20], ['special32', 512, 31, 20],
        ['special32', 512, 32, 20], 512], { 0 => 'f32' }],
    ['float', 'float_mad', 256, 64, ['zero:5120', ['small16', 256, 33], ['small16', 256, 34], ['wide32', 256, 35,
        20], 256], { 0 => 'f32' }],
    ['float', 'float_minmax', 512, 64, ['zero:16384', ['nonzero32', 512, 36, 20], ['nonzero32', 512, 37, 20],
        ['nonzero32', 512, 38, 20], 512], { 0 => 'f32' }],
    ['float', 'float_round', 512, 64, ['zero:30720', ['round32', 512, 39], ['special32', 512, 40, 20], 512],
        { 0 => 'f32' }],
    ['float', 'float_convert', 512, 64, ['zero:40960', ['f32', 512, 41, -1e9, 1e9], ['special32', 512, 42, 60],
        ['edge32', 512, 43], ['edge64', 512, 44], 512], { 0 => 'bits' }],
    ['float', 'float_compare', 512, 64, ['zero:16384', ['special32', 512, 45, 2], ['special32', 512, 46, 2], 512],
        { 0 => 'f32' }],
    ['float', 'float_divide', 512, 64, ['zero:12288', ['special32', 512, 47, 60], ['special32', 512, 48, 60], 512],
        { 0 => 'f32' }],
    ['float', 'float_flush', 512, 64, ['zero:12288', ['tiny32', 512, 49], ['tiny32', 512, 50], ['tiny32', 512, 51],
        512], { 0 => 'f32' }, why => $flushes],

    ['double', 'double_arith', 256, 64, ['zero:22528', ['special64', 256, 60, 40], ['special64', 256, 61, 40],
        ['special64', 256, 62, 80], 256], { 0 => 'f64' }],
    ['double', 'double_arith', 256, 64, ['zero:22528', ['tiny64', 256, 63], ['tiny64', 256, 64], ['tiny64', 256, 65],
        256], { 0 => 'f64' }],
    ['double', 'double_divide', 256, 64, ['zero:10240', ['special64', 256, 66, 400], ['special64', 256, 67, 400],
        256], { 0 => 'f64' }],
    ['double', 'double_divide', 256, 64, ['zero:10240', ['wide64', 256, 68, 1000], ['tiny64', 256, 69], 256],
        { 0 => 'f64' }],
    ['double', 'double_round', 256, 64, ['zero:26624', ['round64', 256, 70], ['nonzero64', 256, 71, 10], 256],
        { 0 => 'f64' }],
    ['double', 'double_round', 256, 64, ['zero:26624', ['plain64', 256, 90], ['nonzero64', 256, 91, 10], 256],
        { 0 => 'f64' }],
    ['double', 'double_convert', 256, 64, ['zero:26624', ['f64', 256, 72, -2e9, 2e9], ['special64', 256, 73, 100],
        ['edge64', 256, 74], 256], { 0 => 'bits' }],

    ['divergence', 'nested_ifs', 512, 64, ['zero:2048', ['edge32', 512, 80]], { 0 => 'bits' }],
    ['divergence', 'early_return', 512, 128, ['zero:2048', ['u32', 512, 81], 450], { 0 => 'bits' }],
    ['divergence', 'switch_cases', 512, 64, ['zero:2048', ['edge32', 512, 82]], { 0 => 'bits' }],
    ['divergence', 'break_continue', 128, 64, ['zero:512', ['u32', 300, 83], 300], { 0 => 'bits' }],

    ['loops', 'collatz', 512, 64, ['fill:2048:255', 500], { 0 => 'bits' }],
    ['loops', 'mandelbrot_fixed', '64,48', '8,8', ['zero:11280', 60, 47, 100], { 0 => 'bits' }],
    ['loops', 'gcd', 256, 64, ['zero:1024', ['edge32', 256, 84], ['edge32', 256, 85]], { 0 => 'bits' }],
    ['loops', 'integer_root', 256, 64, ['zero:1024', ['edge32', 256, 86]], { 0 => 'bits' }],

    ['matmul', 'matmul_naive', '32,32', '16,16', ['zero:4096', ['f32', 1024, 90, -1, 1], ['f32', 1024, 91, -1, 1],
        32], { 0 => 'f32' }],
    ['matmul', 'matmul', '64,64', '16,16', ['zero:16384', ['f32', 4096, 92, -1, 1], ['f32', 4096, 93, -1, 1], 64],
        { 0 => 'f32' }],
    ['matmul', 'matmul_dynamic', '32,32', '8,8', ['zero:4096', ['f32', 1024, 94, -1, 1], ['f32', 1024, 95, -1, 1],
        32, 'local:256', 'local:256'], { 0 => 'f32' }],

    ['reduce', 'reduce_uint4', 512, 128, ['zero:64', ['u32', 4096, 100], 'local:2048'], { 0 => 'bits' }],
    ['reduce', 'reduce_f32', 512, 128, ['zero:16', ['wide32', 512, 101, 10]], { 0 => 'f32' }],
    ['reduce', 'reduce_max', 256, 64, ['zero:4', ['u32', 3000, 102], 3000], { 0 => 'bits' }],
    ['scan', 'scan_inclusive', 512, 128, ['zero:2048', ['u32', 512, 103], 'local:1024'], { 0 => 'bits' }],
    ['scan', 'scan_exclusive', 512, 128, ['zero:4096', 'zero:16', ['u32', 1024, 104]], { 0 => 'bits', 1 => 'bits' }],
    ['histogram', 'histogram', 512, 128, ['zero:1024', ['u8', 5000, 105], 5000], { 0 => 'bits' }],

    ['atomics', 'atomics_shared', 512, 64,
        ['hex:00000000000000000000000000000000ffffffff0000000000000000ffffffff00000000ffffff7f0000008000000000',
        ['u32', 512, 110]], { 0 => 'bits' }],
    ['atomics', 'atomics_own', 256, 64, [['edge32', 3584, 111], 'zero:14336', ['edge32', 256, 112], 256],
        { 0 => 'bits', 1 => 'bits' }],
    ['atomics', 'atomics_tickets', 512, 64, ['zero:2048', 'fill:2052:255', 'hex:64000000', 512], { 0 => 'set32',
        1 => 'set32', 2 => 'bits' }],
    ['atomics', 'atomics_local', 512, 128, ['zero:192', ['u32', 512, 113]], { 0 => 'bits' }],
    ['atomics', 'atomics_shared64', 512, 64, [['u64', 12, 114], ['u64', 512, 115]], { 0 => 'bits' }],
    ['atomics', 'atomics_own64', 256, 64, [['edge64', 2816, 116], 'zero:22528', ['edge64', 256, 117], 256],
        { 0 => 'bits', 1 => 'bits' }],
    ['atomics', 'atomics_local64', 256, 128, ['zero:96', ['u64', 256, 118]], { 0 => 'bits' }],

    ['scratch', 'scratch_sort', 128, 64, ['zero:12288', ['edge32', 3072, 120]], { 0 => 'bits' }],
    ['scratch', 'scratch_bytes', 128, 64, ['zero:4096', ['u8', 2048, 121]], { 0 => 'bits' }],
    ['scratch', 'scratch_wide', 128, 64, ['zero:1024', ['u32', 128, 122]], { 0 => 'bits' }],
    ['scratch', 'scratch_spill', 128, 64, ['zero:512', ['u32', 1000, 123], 1000], { 0 => 'bits' }],

    ['calls', 'calls_chain', 256, 64, ['zero:1024', ['u32', 256, 130]], { 0 => 'bits' }],
    ['calls', 'calls_results', 256, 64, ['zero:6144', ['u32', 256, 131]], { 0 => 'bits' }],
    ['calls', 'calls_many', 256, 64, ['zero:1024', ['u32', 256, 132]], { 0 => 'bits' }],
    ['calls', 'calls_some', 256, 64, ['zero:1024', ['u32', 256, 133]], { 0 => 'bits' }],

    ['vectors', 'vec_swizzle', 128, 64, [['wide32', 512, 140, 10], ['u32', 512, 141], ['u8', 2048, 142]],
        { 0 => 'f32', 1 => 'xyz32', 2 => 'bits' }],
    ['vectors', 'vec_load_store', 128, 64, ['zero:384', 'zero:5632', ['u8', 1032, 143]], { 0 => 'bits',
        1 => 'bits' }],
    ['vectors', 'vec_half', 512, 64, ['zero:5120', 'zero:2048', ['u16', 512, 144], ['special32', 512, 145, 20], 512],
        { 0 => 'f16', 1 => 'f32' }],
    ['vectors', 'vec_half4', 128, 64, ['zero:1024', 'zero:2048', ['u16', 512, 146]], { 0 => 'f16', 1 => 'f32' }],
    ['vectors', 'vec_select', 128, 64, ['zero:8192', ['edge32', 512, 147], ['edge32', 512, 148]], { 0 => 'bits' }],
    ['vectors', 'vec_geometry', 128, 64, ['zero:4096', ['wide32', 512, 149, 10], ['wide32', 512, 150, 10]],
        { 0 => 'f32' }],

    ['structs', 'struct_by_value', 128, 64, ['zero:1024',
        'hex:85000000feffffff efcdab8967452301 f4ff0500fe7fc8000000000000000000 0000c03f000020c00000003e00008042',
        1000], { 0 => 'bits' }],
    ['structs', 'struct_records', 128, 64, [['u8', 896, 151], 'zero:512'], { 0 => 'bits', 1 => 'bits' }],
    ['structs', 'table_crc', 128, 64, ['zero:512', ['u8', 2560, 152], 20], { 0 => 'bits' }],
    ['structs', 'table_letters', 128, 64, ['zero:128', ['below', 4, 153, 100]], { 0 => 'bits' }],
    ['structs', 'small_arguments', 64, 64, ['zero:512', -3, 250, -30000, 60000, -2000000000, 4000000000,
        -5000000000000, 9000000000000, -1.25,
        'hex:0000404000002041', 'hex:01800380'], { 0 => 'bits' }],

    ['grid', 'grid_ids', '12,6,4', '4,3,2', ['zero:9216'], { 0 => 'bits' }],
    ['grid', 'grid_ids', '128', '64', ['zero:4096'], { 0 => 'bits' }],
    ['grid', 'grid_ids', '10,7,5', '4,3,2', ['zero:11200'], { 0 => 'bits' }, why => $uneven],
    ['grid', 'grid_groups', '48,20', '16,10', ['zero:7680'], { 0 => 'bits' }],
    ['grid', 'grid_groups', '37,21', '16,10', ['zero:6216'], { 0 => 'bits' }, why => $uneven],

    ['math', 'math_f32', 256, 64, ['zero:16384', ['f32', 256, 160, -10, 10], ['f32', 256, 161, 0.01, 100], 256],
        { 0 => 'ulp32:4,4,5,3,3,3,3,16,2,2,5,6,5,3,2.5,4' }],
    ['math', 'math_native', 256, 64, ['zero:6144', ['f32', 256, 162, -10, 10], ['f32', 256, 163, 0.01, 100], 256],
        { 0 => 'ulp32:8,8,8,8,8,8' }],
    ['math', 'math_f64', 128, 64, ['zero:7168', ['f64', 128, 164, -10, 10], ['f64', 128, 165, 0.01, 100], 128],
        { 0 => 'ulp64:4,4,3,3,16,2,6' }],

    ['floyd_warshall', 'floyd_pass', '32,32', '16,16', [['ways', 1024, 170, 32], 'zero:4096', 32, 5], { 0 => 'bits',
        1 => 'bits' }],
    ['floyd_warshall', 'floyd_group', 256, 256, [['ways', 576, 171, 24], 24], { 0 => 'bits' }],
    ['sha256', 'sha256_twice', 64, 64, ['zero:2048', ['u32', 1024, 172]], { 0 => 'bits' }],
    ['bitonic', 'bitonic_sort', 256, 128, [['keys', 512, 173], ['u16', 512, 174], 'local:1024', 'local:512'],
        { 0 => 'bits', 1 => 'bits' }],
    ['generic', 'generic_pointers', 192, 64, ['zero:3072', ['u32', 192, 175]], { 0 => 'bits', 1 => 'bits' },
        why => $spaces],
    ['addresses', 'pointer_calls', 128, 64, ['zero:512', 0], { 0 => 'bits' }, why => $functions],
    ['addresses', 'pointer_calls', 128, 64, ['zero:512', 1], { 0 => 'bits' }, why => $functions],
    ['addresses', 'pointer_local', 64, 64, ['zero:512', 'local:256', 0], { 0 => 'bits' }, why => $spaces],
    ['addresses', 'pointer_local', 64, 64, ['zero:512', 'local:256', 1], { 0 => 'bits' }, why => $spaces],

    ['mesa', 'mesa_scale', 256, 64, ['zero:1024', ['u32', 256, 176], 7, 250], { 0 => 'bits' }],
    ['mesa', 'mesa_groups', 256, 64, ['zero:16', ['u32', 256, 177]], { 0 => 'bits' }],
    ['mesa', 'mesa_table', 256, 64, ['zero:1024', ['u32', 256, 178]], { 0 => 'bits' }],

    ['scope', 'scope_tables', 64, 64, ['zero:256'], { 0 => 'bits' }, why => $scope],
    ['scope', 'scope_variables', 64, 64, ['zero:256'], { 0 => 'bits' }, why => $scope],
    ['scope', 'scope_large', 1024, 512, ['zero:4096'], { 0 => 'bits' }, why => $scope],
    ['scope', 'scope_private', 128, 64, ['zero:512', 300], { 0 => 'bits' }, why => $scope],
    ['group', 'group_functions', 256, 128, ['zero:4096', ['below', 256, 179, 5000]], { 0 => 'bits' },
        why => 'PoCL 3.1 lacks them'],

    # Rows of the lists in isa/ by items: 66, 33, 11, 15, 25, 46 rows of 32 bits; 212, 142 of 64.
    ['isa/isa', 'isa_vector_integer', 256, 64, ['zero:67584', ['edge32', 256, 200], ['edge32', 256, 201], ['edge32',
        256, 202], 256], { 0 => 'bits' }, why => $device],
    ['isa/isa', 'isa_vector_float', 512, 64, ['zero:67584', ['special32', 512, 203, 20], ['special32', 512, 204, 20],
        ['special32', 512, 205, 20], 512], { 0 => 'f32' }, why => $device],
    ['isa/isa', 'isa_vector_order', 512, 64, ['zero:22528', ['nonzero32', 512, 206, 5], ['nonzero32', 512, 207, 5],
        ['nonzero32', 512, 208, 5], 512], { 0 => 'f32' }, why => $device],
    ['isa/isa', 'isa_vector_near', 256, 64, ['zero:15360', ['f32', 256, 209, 0.01, 100], ['u32', 256, 210], ['u32',
        256, 211], 256], { 0 => 'ulp32:1' }, why => $device],
    ['isa/isa', 'isa_compare', 512, 64, ['zero:51200', ['special32', 512, 212, 1], ['special32', 512, 213, 1],
        ['special64', 512, 214, 1], ['special64', 512, 215, 1], 512], { 0 => 'bits' }, why => $device],
    ['isa/isa', 'isa_scalar', 8192, 64, ['zero:217088', ['edge64', 128, 216], ['edge64', 128, 217], 128],
        { 0 => 'bits' }, why => $device],
    ['isa/isa', 'isa_special', 256, 64, ['zero:47104', ['wide32', 256, 221, 20], ['wide32', 256, 222, 20], ['wide32',
        256, 223, 20], 256], { 0 => 'bits' }, why => $device],
    ['isa/isa', 'isa_memory', 256, 64, ['zero:290816', 'zero:4096', ['edge32', 256, 218], ['edge32', 256, 219],
        ['edge32', 256, 220], 256], { 0 => 'bits' }, why => $device],

    ['unseen/nbody', 'nbody', 128, 64, ['zero:2048', ['f32', 512, 180, 0.25, 4], ['f32', 512, 181, -1, 1], 0.125,
        128], { 0 => 'f32', 2 => 'f32' }],
    ['unseen/fourier', 'fourier256', 256, 128, [['f32', 1024, 182, -1, 1], ['roots', 256, 0, 256]], { 0 => 'f32' }],
    ['unseen/sparse', 'sparse_rows', 2048, 64, [['f64', 32, 183, -1, 1], ['starts', 33, 184, 10], ['below', 2400,
        185, 100], ['f64', 2400, 186, -5, 5],
        ['f64', 100, 187, -1, 1], 3.7], { 0 => 'f64' }],
    ['unseen/life', 'life', '64,32', '16,8', ['zero:2048', ['u8', 2048, 188], 64, 32], { 0 => 'bits' }],
    ['unseen/chacha', 'chacha20', 64, 64, [['u32', 1024, 189],
        'hex:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
        'hex:000000090000004a0000000000000000', 1], { 0 => 'bits' }],
    ['unseen/bignum', 'power_mod', 64, 64, ['zero:2048', ['u32', 512, 190], ['below', 64, 191, 70000],
        'hex:472b0ae9d5c1462b0ae9d5c1462b0ae9d5c1462b0ae9d5c1462b0ae9d5c1b7f3',
            'hex:b9d4f5162a3eb9d4f5162a3eb9d4f5162a3eb9d4f5162a3eb9d4f5162a3e480c',
            'hex:d517b80fbb8687d93151f8e47462425bd880c277f5688c61649f94babc65bccc', 1764225417], { 0 => 'bits' }],
    ['unseen/distance', 'edit_distance', 128, 64, ['zero:128', ['words', 4096, 192, 32, 7], 32,
        'hex:646562756767657200'], { 0 => 'bits' }],
    ['unseen/trace', 'trace', '32,32', '8,8', ['zero:16384',
        'hex:000000000000c9c200000040000000000000c842000000005aa03c000000000000000000000000000000003f00000000'
        . '3333333f0000003fc8282800000000009a9999bfcdcc4c3e0000803f000000009a99193fcdcc4c3ff0f0f00000000000'
        . 'cdcc8c3fcdccccbdcdcc4c3e000000006666e63e00000000283cdc00000000009a99993ecdcc8c3f0000c03f00000000'
        . '0000003f6666663ffadc500000000000', 5], { 0 => 'f32' }],
);

# The compiler options that a kernel file asks for.
sub file_options {
    my ($file) = @_;
    open my $in, '<', $file or die "$file: $!\n";
    while (defined(my $line = <$in>)) { return $1 if $line =~ m{^// options: (.*)} }
    return '';
}

sub cases {
    my %options;
    return map {
        my ($file, $kernel, $global, $local, $args, $save, @more) = @$_;
        { file => $file, kernel => $kernel, global => $global, local => $local, args => $args, save => $save,
          source => source_dir() . "/$file.cl",
          objects => [sort glob source_dir() . '/gfx7/' . basename($file) . '-*.co'],
              options => $options{$file} //= file_options(source_dir() . "/$file.cl"), @more };
    } grep { -f source_dir() . "/$_->[0].cl" } @table;
}

# The demos of share/demo, each as its script launches it, with argument 0 to be saved.
sub demos {
    my $folder = 'share/demo';
    return map {
        my ($name) = m{([^/]+)\.gdb$};
        my ($launch) = split /\n/, read_file($_);
        my (undef, $kernel, undef, $global, undef, $local, @args) = split ' ', $launch;
        s{^@}{\@$folder/} for @args;
        { file => $name, kernel => $kernel, global => $global, local => $local, args => \@args,
            save => { 0 => 'bits' },
          source => "$folder/$name.cl", options => '' };
    } grep { -f s/gdb$/cl/r } sort glob "$folder/*.gdb"; # those in OpenCL
}

# A name for test output.
sub title {
    my ($case) = @_;
    return "$case->{kernel} of $case->{global} by $case->{local}";
}

# ---- Running ----

sub write_file {
    my ($path, $bytes) = @_;
    open my $out, '>:raw', $path or die "$path: $!\n";
    print $out $bytes;
    close $out or die "$path: $!\n";
}

sub read_file {
    my ($path) = @_;
    open my $in, '<:raw', $path or return;
    local $/;
    return scalar <$in>;
}

# KERNEL -g .. -l .. ARG...; generated buffers are written to files below $dir.
sub launch_words {
    my ($case, $dir) = @_;
    my @words = ($case->{kernel}, '-g', $case->{global}, '-l', $case->{local});
    make_path($dir);
    for my $i (0 .. $#{ $case->{args} }) {
        my $arg = $case->{args}[$i];
        if (ref $arg) {
            write_file("$dir/in$i.bin", bytes(@$arg));
            $arg = "\@$dir/in$i.bin";
        }
        push @words, $arg =~ s/ //gr;
    }
    return @words;
}

# The arguments that the case saves, read from $dir/$prefix$N.bin; the files are gone afterwards.
sub collect {
    my ($case, $dir, $prefix) = @_;
    my %got;
    for my $n (keys %{ $case->{save} }) {
        my $path = "$dir/$prefix$n.bin";
        $got{$n} = read_file($path);
        unlink $path;
    }
    return %got;
}

# Runs words of a command; dies with its output if it fails.
sub run {
    my (@words) = @_;
    open my $pipe, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @words or die "$words[0]: $!\n";
    my $output = do { local $/; <$pipe> } // '';
    return $output if close $pipe;
    die sprintf "%s: status %d%s: %s\n", $words[0], $? >> 8, $? & 127 ? ' signal ' . ($? & 127) : '', substr $output,
        0, 2000;
}

# Runs gpudbg: these words, then to the end of the kernel, then save.
sub continue_gpudbg {
    my ($case, $dir, @words) = @_;
    my @save = map { ('-e', "save arg $_ $dir/gpudbg$_.bin") } sort keys %{ $case->{save} };
    make_path($dir);
    run($ENV{GPUDBG} // 'build/gpudbg', '--batch', @words, '-e', 'continue', @save);
    return collect($case, $dir, 'gpudbg');
}

sub run_gpudbg {
    my ($object, $case, $dir) = @_;
    return continue_gpudbg($case, $dir, $object, '-e', 'launch ' . join ' ', launch_words($case, $dir));
}

sub run_demo {
    my ($case, $dir) = @_;
    return continue_gpudbg($case, $dir, "--demo=$case->{file}");
}

# Compiles t/host/$name into $dir from the given files; returns the program's path, or dies with the compiler's words.
sub build_host {
    my ($dir, $name, $sources, @libraries) = @_;
    my $cc = $ENV{CC} // 'cc';
    make_path($dir);
    run('sh', '-c', 'exec ' . $cc . ' "$@"', 'cc', '-std=c11', '-D_POSIX_C_SOURCE=200809L', '-O1',
        '-ffp-contract=off',
        '-o', "$dir/$name", (map { "$tests/host/$_.c" } @$sources), @libraries);
    return "$dir/$name";
}

my %built;

sub run_host {
    my ($program, $prefix, $case, $dir, @before) = @_;
    my @save = map { ('--save', $_, "$dir/$prefix$_.bin") } sort keys %{ $case->{save} };
    run($program, @before, launch_words($case, $dir), @save);
    return collect($case, $dir, $prefix);
}

# The case in plain C.  $dir is a folder for the program and its files, the same in every call.
sub run_reference {
    my ($case, $dir) = @_;
    $built{reference} //= build_host($dir, 'reference',
        [qw(reference ref_integer ref_float ref_flow ref_memory ref_types ref_math ref_unseen ref_isa args)], '-lm');
    return run_host($built{reference}, 'reference', $case, $dir);
}

# The case on the installed OpenCL.
sub run_opencl {
    my ($case, $dir) = @_;
    $built{oclrun} //= build_host($dir, 'oclrun', [qw(oclrun args)], '-lOpenCL');
    return run_host($built{oclrun}, 'opencl', $case, $dir, $case->{source}, $case->{options});
}

# ---- Comparing ----

# The number of representable values from one float to another, given as bits of $width; huge if one is NaN alone.
sub ulps {
    my ($width, $x, $y) = @_;
    my $sign = 1 << ($width - 1);
    my $nan = $width == 32 ? 0x7f800000 : 0x7ff << 52;
    my @nan = map { ($_ & ~$sign) > $nan } $x, $y;
    return $nan[0] && $nan[1] ? 0 : 1e30 if $nan[0] || $nan[1];
    my @line = map { $_ & $sign ? -($_ & ~$sign) : $_ } $x, $y;
    return abs($line[0] - $line[1]);
}

sub is_nan {
    my ($width, $bits) = @_;
    return $width == 16 ? ($bits & 0x7fff) > 0x7c00 : $width == 32 ? ($bits & 0x7fffffff) > 0x7f800000
        : ($bits & ~(1 << 63)) > 0x7ff << 52;
}

# undef when the two buffers agree, else a line that says where they first differ.  $how is one of
#   bits              every byte equal
#   f16 f32 f64       equal bits, but any NaN equals any NaN: its payload is not defined
#   ulp32:A,B,...     one row a number, rows of equal length: at most so many units in the last place apart; ulp64
#   likewise xyz32             equal bits, every fourth 32-bit value left out: the padding of three-component vectors
#   set32             the same 32-bit values in any order
sub difference {
    my ($got, $want, $how) = @_;
    return 'nothing was saved' if !defined $got || !defined $want;
    return sprintf '%d bytes, expected %d', length $got, length $want if length $got != length $want;
    return if $got eq $want;
    my ($kind, @limits) = split /[:,]/, $how;
    my $width = $kind =~ /(\d+)$/ ? $1 : 32;
    my $template = { 16 => 'S<*', 32 => 'L<*', 64 => 'Q<*' }->{$width};
    my @pad = map { $_ . "\0" x (-length($_) % 4) } $got, $want;
    my @g = unpack $template, $pad[0];
    my @w = unpack $template, $pad[1];
    if ($kind eq 'set32') {
        @g = sort { $a <=> $b } @g;
        @w = sort { $a <=> $b } @w;
    }
    for my $i (0 .. $#w) {
        next if $g[$i] == $w[$i];
        next if $kind eq 'xyz32' && $i % 4 == 3;
        next if $kind =~ /^f/ && is_nan($width, $g[$i]) && is_nan($width, $w[$i]);
        my $apart = '';
        if ($kind =~ /^ulp/) {
            my $limit = $limits[$i * @limits / @w];
            my $ulps = ulps($width, $g[$i], $w[$i]);
            next if $ulps <= $limit;
            $apart = sprintf ', %g ulp apart, at most %g allowed', $ulps, $limit;
        }
        return sprintf '%d-bit element %d of %d: 0x%0*x, expected 0x%0*x%s', $width, $i, scalar @w,
            $width / 4, $g[$i], $width / 4, $w[$i], $apart;
    }
    return;
}

1;
