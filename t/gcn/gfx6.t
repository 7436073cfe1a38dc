# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels that clang-19 compiled for Tahiti (gfx600), Pitcairn (gfx601) and Oland (gfx602) open by what the file says,
# are read whole, and give what Perl computes from the same input.
use v5.36;
use File::Temp qw(tempdir);
use Test::More;
use Gpudbg;

plan skip_all => 'gfx6 is not read yet' if (gpudbg('--isa', 'gfx6', '-n'))[2] ne '0';
my $dir = tempdir(CLEANUP => 1);
sub object ($name) { return "t/data/kernels/gfx6/$name.co" }

sub put ($name, $bytes) {
    open my $file, '>:raw', "$dir/$name" or die "$dir/$name: $!\n";
    print $file $bytes;
    close $file or die "$dir/$name: $!\n";
    return "\@$dir/$name";
}

# The bytes of an argument after a launch.
sub result ($name, $launch, $argument = 0) {
    unlink "$dir/out";
    my ($text, $errors) = gpudbg(object($name), commands("launch $launch", 'continue',
        "save arg $argument $dir/out"));
    open my $file, '<:raw', "$dir/out" or return $text . $errors;
    local $/;
    return scalar <$file>;
}

sub same ($got, $want, $what) {
    return is_deeply([unpack 'L<*', $got], [map { $_ & 0xffffffff } @$want], $what);
}

my $state = 12345;
sub random () { $state = ($state * 1664525 + 1013904223) & 0xffffffff; return $state ^ $state >> 7 }
my @a = map { random() } 0 .. 255;
my @b = map { random() % 100000 + 1 } 0 .. 255;
my ($first, $second) = (put('a', pack 'L<*', @a), put('b', pack 'L<*', @b));

# ---- What the files say ----

my %cpu = ('vector_add-O2' => 'gfx600', 'loops-O2' => 'gfx600', 'scan-O2' => 'gfx601', 'mesa-O2' => 'gfx601',
    'histogram-O2-v4' => 'gfx602', 'scratch-O0' => 'gfx602');
for my $name (sort keys %cpu) {
    my ($file) = grep { $_->{type} eq 'file' } records(commands('info file'), object($name));
    is($file->{isa}, 'gfx6', "$name: the file says gfx6");
    my @insns = grep { $_->{type} eq 'insn' } records(commands('disassemble'), object($name));
    cmp_ok(scalar @insns, '>', 20, '... has ' . @insns . ' instructions');
    is_deeply([grep { !$_->{mnemonic} && $_->{bytes} !~ /^0+$/ } @insns], [], '... all of which are known');
}

# ---- What they compute ----

same(result('vector_add-O2', "vadd_i32 -g 256 -l 64 zero:1024 $first $second 250"),
    [(map { $a[$_] + $b[$_] } 0 .. 249), (0) x 6], 'sums, and none past the end');
my @doubles = map { $_ / 7 - 13 } 0 .. 127;
my $doubles = put('doubles', pack 'd<*', @doubles);
is_deeply([unpack 'd<*', result('vector_add-O2', "vadd_f64 -g 128 -l 64 zero:1024 $doubles $doubles 128")],
    [map { $_ + $_ } @doubles], 'sums of doubles');

sub collatz ($x) { my $n = 0; while ($x != 1) { $x = $x & 1 ? 3 * $x + 1 : $x >> 1; $n++ } return $n }
same(result('loops-O2', 'collatz -g 128 -l 64 zero:512 128'), [map { collatz($_) } 1 .. 128], 'loops by lane');
sub gcd ($x, $y) { ($x, $y) = ($y, $x % $y) while $y; return $x }
same(result('loops-O2', "gcd -g 256 -l 64 zero:1024 $first $second"), [map { gcd($a[$_], $b[$_]) } 0 .. 255],
    'divisions and remainders');

my ($sum, @scan) = (0);
for my $i (0 .. 255) { $sum = $i % 128 ? $sum + $b[$i] : $b[$i]; push @scan, $sum }
same(result('scan-O2', "scan_inclusive -g 256 -l 128 zero:1024 $second local:1024"), \@scan,
    'prefix sums in LDS, with barriers');

my @bytes = map { random() % 256 } 1 .. 3000;
my @bins = (0) x 256;
$bins[$_]++ for @bytes;
my $data = put('data', pack 'C*', @bytes);
same(result('histogram-O2-v4', "histogram -g 256 -l 128 zero:1024 $data 3000"), \@bins,
    'atomics in LDS and in memory');

my @signed = map { random() % 2001 - 1000 } 1 .. 24 * 64;
my $signed = put('signed', pack 'l<*', @signed);
is_deeply([unpack 'l<*', result('scratch-O0', "scratch_sort -g 64 -l 64 zero:6144 $signed")],
    [map { sort { $a <=> $b } @signed[24 * $_ .. 24 * $_ + 23] } 0 .. 63], 'sorting in scratch, unoptimised');

same(result('mesa-O2', "mesa_scale -g 256 -l 64 zero:1024 $first 7 256"), [map { $a[$_] * 7 + $_ % 64 } 0 .. 255],
    "Mesa's convention of calls");
my @sums = map { my $group = $_; my $n = 0; $n += $_ for @b[64 * $group .. 64 * $group + 63]; $n } 0 .. 3;
same(result('mesa-O2', "mesa_groups -g 256 -l 64 zero:16 $second"), \@sums, '... with LDS');

# ---- What gfx6 lacks ----

for my $case (['s_load_dword s4, s[2:3], 0x123', 'a scalar load with a literal'],
    ['flat_load_dword v1, v[2:3]', 'flat memory'], ['v_trunc_f64 v[0:1], v[2:3]', 'rounding of doubles'],
    ['s_mov_b32 flat_scratch_lo, 0', 'flat_scratch'], ['ds_read_b128 v[0:3], v4', 'four dwords of LDS at once'],
    ['buffer_wbinvl1_vol', 'such an order to the cache']) {
    my ($text, $what) = @$case;
    my (undef, $errors, $status) = gpudbg('--isa', 'gfx6', '-n', commands("assemble /i $text"));
    isnt($status, 0, "$text: gfx6 has no $what");
    (undef, $errors, $status) = gpudbg('--isa', 'gfx7', '-n', commands("assemble /i $text"));
    is($status, 0, '... and gfx7 has');
}
unlike(output('--isa', 'gfx6', '-n', commands('decode c00202ff 00000123')), qr/^0000: .*0x123/m,
    'offset 255 of a scalar load is no literal on gfx6');
like(output('--isa', 'gfx6', '-n', commands('decode e1c00000 00000000')), qr/^0000: buffer_wbinvl1_sc\b/,
    'what it has of its own');
done_testing;
