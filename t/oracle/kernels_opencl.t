#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Random kernels (t/lib/RandomCl.pm), each compiled once, at a random level for a random device: clang-19 for gfx7,
# gfx1010 and gfx1030 in waves of 32 and 64, at -O0 to -O3, ocloc for DG1 and Tiger Lake in both containers, optimised
# or not.  The buffers are those that PoCL leaves.
#   prove -It/lib t/oracle/kernels_opencl.t :: FIRST COUNT [WORDS OF A TARGET]      other kernels than the usual ones
# A seed repeats a case; with words of a target ("gfx7 -O0", "tgllp zebin") it is made for that, with several lists of
# words ("gfx10 wave32, gfx10 wave64") for one of each.  PoCL's compiler takes most of the time, and parsing OpenCL's
# header most of clang's: kernels are compiled together, for PoCL and for a target, and all targets share PoCL's answer.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Path ();
use File::Temp 'tempdir';
use Kernels;
use RandomCl;
use Test::More;

use constant TOGETHER => 16;
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
for my $device (qw(dg1 tgllp), @target ? qw(acm-g10 icllp skl bdw) : ()) {    # these if they are named
    for my $container ('patch tokens', 'zebin') {
        # Unoptimised code for Broadwell has opcode 33h, Ice Lake's shifts a dword by 32 (help gen9, gen11).
        for my $level ('optimised', $device =~ /^(?:bdw|icllp)$/ ? () : 'not optimised') {
            my $which = $container eq 'zebin' ? 'allow' : 'disable';
            my $options = '-cl-std=CL1.2' . ($level eq 'optimised' ? '' : ' -cl-opt-disable');
            $targets{"$device $container $level"} = sub ($source, $object) {
                unlink glob "$dir/ocloc/*";
                Kernels::run('ocloc', 'compile', '-q', '-file', $source, '-device', $device, '-options', $options,
                    '-internal_options', "-cl-intel-$which-zebin", '-out_dir', "$dir/ocloc");
                rename((glob "$dir/ocloc/*.bin")[0] // die("ocloc made nothing\n"), $object);
                return $object;
            };
        }
    }
}

# clang-19 drops `| -1` and leaves a move of a register to itself, which is written for nothing else.
sub lost_or ($object) {
    return Kernels::run($ENV{GPUDBG} // 'build/gpudbg', '--batch', $object, '-e', 'disassemble')
        =~ /^ +v_mov_b32_e32 (v\d+), \1 /m;
}

# The kernel of a seed and its launch: `doubles` says whether it has any, `of` the name of the file with its source.
sub entry ($seed) { return "f$seed" }
sub group_of ($seed) { return (16, 32, 64)[$seed / 7 % 3] }
sub part ($seed, $doubles) {
    return RandomCl::source($seed, { double => $doubles, group => group_of($seed), part => 1, entry => entry($seed),
        names => 1000 * $seed });
}

# The sources of seeds as one program, which is parsed once.
sub program ($doubles, @seeds) {
    my $name = "$dir/" . join('-', $doubles ? 'double' : 'float', @seeds[0, -1]) . '.cl';
    Kernels::write_file($name, RandomCl::program(map { part($_, $doubles) } @seeds)) if !-e $name;
    return $name;
}

sub case ($seed, $source) {
    my $in = "$dir/in.bin";
    Kernels::write_file($in, Kernels::bytes('edge32', RandomCl::WORDS, $seed));
    my $items = 64 * (1 + $seed % 2);
    return { kernel => entry($seed), source => $source, options => '-cl-std=CL1.2 -cl-opt-disable', global => $items,
        local => group_of($seed),
        args => ['zero:' . 4 * $items * RandomCl::FIELDS, "\@$in", 'fill:' . 4 * RandomCl::SUMS . ':165', 0, 3,
            '0x8000000080000001', '-2.75'], save => { 0 => 'bits', 2 => 'bits' } };
}

my $pocl = $have && eval { Kernels::run_opencl(case(1, program(0, 1)), $dir) };
if (!$pocl) {
    die "PoCL, ocloc, clang-19 and rocm-device-libs are required: $@\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'PoCL, ocloc, clang-19 or rocm-device-libs is not installed (make deps-oracle)';
}

sub difference ($got, $want) {
    return Kernels::difference($got->{0}, $want->{0}, 'bits') || Kernels::difference($got->{2}, $want->{2}, 'bits');
}

# The targets of a seed; those that share it are compiled together.
sub targets_of ($seed, @words) {
    my @of = grep { my $t = $_; !grep { index($t, $_) < 0 } @words } sort keys %targets;
    die "no target has all of the words @words\n" if !@of;
    my $random = Kernels::generator($seed ^ 0x5eed);
    $random->() for 1 .. 5;
    # AMD's as often as Intel's.
    my @half = grep { /gfx/ } @of;
    @half = @of if !@half || ($random->() >> 3 & 1) && !@words;
    return $half[($random->() >> 4) % @half];
}

# What ocloc 22.43 has wrong for all of Intel's chips, as its code was read: seed => [levels, what].
my $unsaturated = 'a saturating conversion in a loop does not saturate: the code has no .sat and no bound';
my $left_out = 'a saturating conversion in a loop, of a constant that does not fit, is left out with its assignment';
my %read = (
    75 => ['optimised', $unsaturated],
    103 => ['optimised', $unsaturated],
    182 => ['.*', 'add_sat of long: the code has the upper bound alone'],
    183 => ['not optimised', 'a vector of equal constants becomes floats by a mov of one channel, and 16 are read'],
    193 => ['optimised', 'a product of bytes is compared with 0 as a word, by the flag of its mul'],
    234 => ['optimised', $unsaturated],
    238 => ['optimised', $left_out],
    249 => ['optimised', 'channels that do not run are spilled, too, by a store without a mask'],
    283 => ['optimised', $unsaturated],
    284 => ['optimised', $unsaturated],
    291 => ['optimised', "$left_out; a function's stores to the structure that it gives back are left out, too"],
);

# undef, or how a seed differs on a target; what compilers have wrong is told and forgiven.
sub judged ($seed, $target, $object, $want) {
    my $together = case($seed, '');
    my %got = eval { Kernels::run_gpudbg($object, $together, $dir) };
    my $differs = $@ || difference(\%got, $want);
    return if !$differs;
    my $alone = program(scalar($target =~ /gfx/), $seed);
    my $again = sub ($on, @more) {
        my $made = eval { $targets{$on}->($alone, "$dir/alone.co", @more) } or return $@;
        my %now = eval { Kernels::run_gpudbg($made, case($seed, $alone), $dir) };
        return $@ || difference(\%now, $want);
    };
    diag("seed $seed, $target: differs only beside other kernels") if !$again->($target);
    if ($target =~ /^(gfx.*) -O[123]/ && lost_or("$dir/alone.co") && !$again->("$1 -O0")) {
        diag("seed $seed, $target: clang-19 lost `| -1`; -O0 is as PoCL has it");
        return;
    }
    if ($target =~ /gfx10/ && !$again->($target, qw(-mllvm -amdgpu-sdwa-peephole=0))) { # as t/oracle/gfx10_pocl.t says
        diag("seed $seed, $target: clang-19's SDWA is wrong; without it all is as PoCL has it");
        return;
    }
    if ($target !~ /gfx/ && $read{$seed} && $target =~ / (?:patch tokens|zebin) $read{$seed}[0]$/) {
        diag("seed $seed, $target: ocloc: $read{$seed}[1]");
        return;
    }
    return $differs;
}

my ($ran, $meant) = (0, 0);
for (my $seed = $first; $seed < $first + $count; $seed += TOGETHER) {
    my @seeds = grep { $_ < $first + $count } $seed .. $seed + TOGETHER - 1;
    my %seeds; # target => those that it has
    for my $set (split /,/, "@target" || ' ') {
        push @{ $seeds{ targets_of(@target ? $seed : $_, split ' ', $set) } }, $_ for @seeds;
    }
    my %want;
    for my $target (sort keys %seeds) {
        my $doubles = scalar($target =~ /gfx/);
        my @of = $seeds{$target}->@*;
        my $source = program($doubles, @of);
        my $object = eval { $targets{$target}->($source, "$dir/together.co") };
        diag("seeds @of, $target: one alone, " . substr $@, 0, 300) if !$object;
        for my $s (@of) {
            $meant++;
            $want{"$doubles $s"} //= eval { +{ Kernels::run_opencl(case($s, program($doubles, @seeds)), $dir) } } // $@;
            if (!ref $want{"$doubles $s"}) { diag("seed $s: PoCL: " . $want{"$doubles $s"}); next }
            my $made = $object // eval { $targets{$target}->(program($doubles, $s), "$dir/alone.co") };
            if (!$made) { diag("seed $s, $target: " . substr $@, 0, 300); next }
            $ran++;
            is judged($s, $target, $made, $want{"$doubles $s"}), undef, "seed $s, $target";
        }
    }
    unlink glob "$dir/*.cl";
    File::Path::remove_tree("$dir/cache", { keep_root => 1 });
}
cmp_ok $ran, '>=', $meant * 0.9, 'nearly all are compiled and run';
done_testing;
