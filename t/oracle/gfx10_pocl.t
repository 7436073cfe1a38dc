#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels that clang-19 compiles for RDNA 1 and 2, in waves of 32 and of 64, at four levels: equal buffers on PoCL, on
# plain C where PoCL lacks something.  Then random programs against the host's compiler.
#   prove t/oracle/gfx10_pocl.t :: 1 300           300 random programs at all levels, from the first on, and no others
#   prove t/oracle/gfx10_pocl.t :: trace floyd     the kernels whose names these are, on all chips and levels
#   prove t/oracle/gfx10_pocl.t :: each            every kernel at each level in both sizes of waves, the chips in turn
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Basename 'basename';
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use RandomKernel;
use Test::More;

my ($first, $count) = @ARGV && $ARGV[0] =~ /^\d+$/ ? @ARGV : ();
my $each = @ARGV == 1 && $ARGV[0] eq 'each';
my %only = map { $_ => 1 } defined $first || $each ? () : @ARGV;
my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/cache";
$ENV{POCL_CACHE_DIR} = "$dir/cache";
my ($library) = grep { -d } $ENV{DEVICE_LIBS} // (), glob '/usr/lib/*/amdgcn/bitcode';
my @cases = grep { !%only || $only{ $_->{file} } || $only{ $_->{kernel} } } Kernels::cases();
my $pocl = eval { Kernels::run_opencl((grep { !$_->{why} } Kernels::cases())[0], $dir); 1 };
if (!$library || !$pocl || (`clang-19 --version 2>/dev/null` // '') !~ /version 19/) {
    die "clang-19, its device library and PoCL are required\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'clang-19, rocm-device-libs or PoCL is not installed';
}

my @CHIPS = qw(gfx1010 gfx1030 gfx1013);
my @HOW = map { my $chip = $_; map { my $lanes = $_; map { [$chip, $lanes, $_] } 0 .. 3 } 32, 64 } @CHIPS;

# The object of a source, '' when clang gives up: at -O0 the library's group functions are for older chips alone.
my %made;
sub compiled ($source, $how, @options) {
    my ($chip, $lanes, $level) = @$how;
    my $object = "$dir/" . join('-', basename($source, '.cl', '.c'), @$how, @options) . '.co';
    return $made{"$source @$how @options"} //= eval {
        Kernels::run('clang-19', '-x', 'cl', '-Xclang', '-finclude-default-header', '-target', 'amdgcn-amd-amdhsa',
            "-mcpu=$chip", $lanes == 64 ? '-mwavefrontsize64' : (), '-mcode-object-version=' . (4 + $level % 2),
            "--rocm-device-lib-path=$library", '-w', @options, "-O$level", '-o', $object, $source);
        $object;
    } // '';
}

# clang 19 folds a shift of an SDWA result by 8 and then by 16 into one whose dst_sel has the 16 alone; without the pass
# the kernel is right.
my @NO_SDWA = qw(-mllvm -amdgpu-sdwa-peephole=0);
my %wrong_with_sdwa = (vec_swizzle => 1);
# Scratch words in place of buffers.
my @FLAT_SCRATCH = qw(-Xclang -target-feature -Xclang +enable-flat-scratch);

# gfx10 keeps denormals as PoCL does, where plain C has what older chips make of them.
sub reference ($case) {
    return !$case->{why} || $case->{kernel} eq 'float_flush' ? Kernels::run_opencl($case, $dir)
        : Kernels::run_reference($case, $dir);
}

my ($ran, $gave_up) = (0, 0);
my $number = 0;
for my $case (defined $first ? () : %only || $each ? @cases : sampled_from(1, @cases)) {
    my @how = $ENV{GPUDBG_NIGHTLY} || %only ? @HOW : @HOW[map { ($number * 7 + $_ * 5) % @HOW } 0, 1];
    @how = map { my $n = $number + $_; [$CHIPS[$n % @CHIPS], $_ < 4 ? 32 : 64, $_ % 4] } 0 .. 7 if $each;
    $number++;
    subtest Kernels::title($case) => sub {
        my %want = eval { reference($case) };
        is($@, '', 'the reference runs it') or return;
        for my $how (@how) {
            my @options = (split(' ', $case->{options} // ''), $wrong_with_sdwa{ $case->{kernel} } ? @NO_SDWA : (),
                $case->{file} eq 'scratch' && $number % 2 ? @FLAT_SCRATCH : ());
            my $object = compiled($case->{source}, $how, @options);
            $gave_up++, next if !$object;
            $ran++;
            my %got = eval { Kernels::run_gpudbg($object, $case, $dir) };
            my $said = $@ || join '', map { Kernels::difference($got{$_}, $want{$_}, $case->{save}{$_}) // () }
                sort keys %want;
            is($said, '', "$how->[0], waves of $how->[1], -O$how->[2]");
        }
        ok(1, 'done');
    };
}
diag("$ran kernels ran, clang gave up on $gave_up") if !defined $first;

# ---- Random programs ----

$count //= %only || $each ? 0 : $ENV{GPUDBG_NIGHTLY} ? 60 : 4;
($ran, $gave_up, my $sdwa) = (0, 0, 0);
for my $seed (($first // 1) .. ($first // 1) + $count - 1) {
    my ($case, $want) = RandomKernel::answer($seed, $dir);
    %made = ();
    my @how = map { $HOW[$_ * 4 + $seed % 4] } 0 .. @HOW / 4 - 1;
    for my $how (defined $first || $ENV{GPUDBG_NIGHTLY} ? @how : $how[$seed / 4 % @how]) {
        my $name = "program $seed: $how->[0], waves of $how->[1], -O$how->[2]";
        my $object = compiled("$dir/f.c", $how);
        $gave_up++, next if !$object;
        my ($got, $said);
        for my $options ([], \@NO_SDWA) {
            my %got = eval { Kernels::run_gpudbg(compiled("$dir/f.c", $how, @$options), $case, $dir) };
            $said = $@ || Kernels::difference($got{0}, $want, 'bits') // '';
            last if $said !~ /element/;
            $sdwa++ if !@$options;
        }
        $ran++;
        is($said, '', $name);
    }
}
diag("$ran programs ran, clang gave up on $gave_up, its SDWA was wrong in $sdwa") if $count;
cmp_ok($sdwa, '<=', 1 + $ran / 20, 'few programs are only right without SDWA') if $count;
cmp_ok($ran, '>=', $gave_up, 'clang-19 compiles most of them') if $count;
done_testing;
