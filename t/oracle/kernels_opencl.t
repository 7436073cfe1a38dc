#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Random kernels (t/lib/RandomCl.pm), each compiled once, at a random level for a random device: clang-19 for gfx7,
# gfx1010 and gfx1030 in waves of 32 and 64, at -O0 to -O3, ocloc for DG1 and Tiger Lake in both containers, optimised
# or not.  The buffers are those that PoCL leaves.
#   prove -It/lib t/oracle/kernels_opencl.t :: FIRST COUNT [WORDS OF A TARGET]      other kernels than the usual ones
# A seed repeats a case; with words of a target ("gfx7 -O0", "tgllp zebin") it is made for that.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Kernels;
use RandomCl;
use Test::More;

my ($first, $count, @target) = @ARGV ? @ARGV : (1, $ENV{GPUDBG_NIGHTLY} ? 400 : 24);
my $dir = $ENV{KEEP} // tempdir(CLEANUP => 1);
mkdir "$dir/cache";
$ENV{POCL_CACHE_DIR} = "$dir/cache";
my ($libraries) = grep { -d } $ENV{DEVICE_LIBS} // (), '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode',
    glob('/usr/lib/*/amdgcn/bitcode');
my $have = $libraries && -x '/usr/bin/ocloc' && eval { Kernels::run('clang-19', '--version') };

# The targets: words, and the command that makes the object.
my %targets;
my %machines = (gfx7 => ['-mcpu=hawaii'], map { my $chip = $_; ("$chip wave32" => ["-mcpu=$chip"],
    "$chip wave64" => ["-mcpu=$chip", '-mwavefrontsize64']) } qw(gfx1010 gfx1030));
for my $case (map { my $machine = $_; map { [$machine, $_] } qw(-O0 -O1 -O2 -O3) } sort keys %machines) {
    my ($machine, $level) = @$case;
    $targets{"$machine $level"} = sub ($source, $object, @more) {
        Kernels::run('clang-19', '-x', 'cl', '-w', '-Xclang', '-finclude-default-header', '-target',
            'amdgcn-amd-amdhsa', $machines{$machine}->@*, @more, '-cl-std=CL1.2', $level, '-mcode-object-version=4',
            "--rocm-device-lib-path=$libraries", '-o', $object, $source);
        return $object;
    };
}
for my $device (qw(dg1 tgllp), @target ? 'acm-g10' : ()) {    # DG2 if it is named
    for my $container ('patch tokens', 'zebin') {
        for my $level ('optimised', 'not optimised') {
            my $which = $container eq 'zebin' ? 'allow' : 'disable';
            my $options = '-cl-std=CL1.2' . ($level eq 'optimised' ? '' : ' -cl-opt-disable');
            $targets{"$device $container $level"} = sub ($source, $object) {
                unlink glob "$dir/ocloc/*";
                Kernels::run('ocloc', 'compile', '-q', '-file', $source, '-device', $device, '-options', $options,
                    '-internal_options', "-cl-intel-$which-zebin", '-out_dir', "$dir/ocloc");
                return (glob "$dir/ocloc/*.bin")[0] // die "ocloc made nothing\n";
            };
        }
    }
}

# clang-19 drops `| -1` and leaves a move of a register to itself, which is written for nothing else.
sub lost_or ($object) {
    return Kernels::run($ENV{GPUDBG} // 'build/gpudbg', '--batch', $object, '-e', 'disassemble')
        =~ /^ +v_mov_b32_e32 (v\d+), \1 /m;
}

# The kernel of a seed and its launch.
sub case ($seed, $target) {
    my $group = (16, 32, 64)[$seed / 7 % 3];
    my $in = "$dir/in.bin";
    Kernels::write_file("$dir/f.cl", RandomCl::source($seed, { double => scalar($target =~ /gfx/), group => $group }));
    Kernels::write_file($in, Kernels::bytes('edge32', RandomCl::WORDS, $seed));
    my $items = 64 * (1 + $seed % 2);
    return { kernel => 'f', source => "$dir/f.cl", options => '-cl-std=CL1.2 -cl-opt-disable', global => $items,
        local => $group,
        args => ['zero:' . 4 * $items * RandomCl::FIELDS, "\@$in", 'fill:' . 4 * RandomCl::SUMS . ':165', 0, 3,
            '0x8000000080000001', '-2.75'], save => { 0 => 'bits', 2 => 'bits' } };
}

my $pocl = $have && eval { Kernels::run_opencl(case(1, 'dg1'), $dir) };
if (!$pocl) {
    die "PoCL, ocloc, clang-19 and rocm-device-libs are required: $@\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'PoCL, ocloc, clang-19 or rocm-device-libs is not installed (make deps-oracle)';
}

sub difference ($got, $want) {
    return Kernels::difference($got->{0}, $want->{0}, 'bits') || Kernels::difference($got->{2}, $want->{2}, 'bits');
}

my $ran = 0;
for my $seed ($first .. $first + $count - 1) {
    my @of = grep { my $t = $_; !grep { index($t, $_) < 0 } @target } sort keys %targets;
    my $random = Kernels::generator($seed ^ 0x5eed);
    $random->() for 1 .. 5;
    # AMD's as often as Intel's.
    my @half = grep { /gfx/ } @of;
    @half = @of if !@half || ($random->() >> 3 & 1) && !@target;
    my $target = $half[($random->() >> 4) % @half];
    my $case = case($seed, $target);
    my %want = eval { Kernels::run_opencl($case, $dir) };
    if (!%want) { diag("seed $seed: PoCL: $@"); next }
    my $object = eval { $targets{$target}->("$dir/f.cl", "$dir/f.co") };
    if (!$object) { diag("seed $seed, $target: " . substr $@, 0, 300); next }
    $ran++;
    my %got = eval { Kernels::run_gpudbg($object, $case, $dir) };
    my $differs = $@ || difference(\%got, \%want);
    if ($differs && $target =~ /^(gfx.*) -O[123]/ && lost_or($object)) {
        %got = eval { Kernels::run_gpudbg($targets{"$1 -O0"}->("$dir/f.cl", "$dir/f0.co"), $case, $dir) };
        my $still = difference(\%got, \%want);
        diag("seed $seed, $target: clang-19 lost `| -1`; -O0 is as PoCL has it") if !$still;
        $differs = $still;
    }
    if ($differs && $target =~ /gfx10/) { # as t/oracle/gfx10_pocl.t says
        my @without = qw(-mllvm -amdgpu-sdwa-peephole=0);
        %got = eval { Kernels::run_gpudbg($targets{$target}->("$dir/f.cl", "$dir/f1.co", @without), $case, $dir) };
        my $still = difference(\%got, \%want);
        diag("seed $seed, $target: clang-19's SDWA is wrong; without it all is as PoCL has it") if !$still;
        $differs = $still;
    }
    is $differs, undef, "seed $seed, $target";
}
cmp_ok $ran, '>=', $count * 0.9, 'nearly all are compiled and run';
done_testing;
