#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The same OpenCL source on PoCL and, compiled by ocloc, on gen12: equal buffers.  The kernels of the repository first;
# then, where ocloc is installed, random programs, against the host's own compiler.
#   prove t/oracle/gen_pocl.t :: FIRST COUNT      other programs than the usual ones
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Basename 'basename';
use File::Temp 'tempdir';
use GenKernels;
use Gpudbg;
use Kernels;
use RandomKernel;
use Test::More;

my ($first, $count) = (@ARGV, 1, $ENV{GPUDBG_NIGHTLY} ? 100 : 5);
my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/cache";
$ENV{POCL_CACHE_DIR} = "$dir/cache";

my @cases = grep { !$_->{why} && GenKernels::objects($_) } Kernels::cases();
if (!eval { Kernels::run_opencl($cases[0], $dir) }) {
    die "PoCL is required and does not run: $@" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'PoCL (pocl-opencl-icd, ocl-icd-opencl-dev) is not installed';
}
my %kernels;
my @sample = sampled_from(2, @cases);
for my $case (@sample) {
    subtest Kernels::title($case) => sub {
        my %pocl = eval { Kernels::run_opencl($case, $dir) };
        is($@, '', 'PoCL runs it') or return;
        for my $object (GenKernels::objects($case)) {
            my ($name, %got) = (basename($object), eval { Kernels::run_gpudbg($object, $case, $dir) });
            is($@, '', "$name runs") or next;
            $kernels{ $case->{kernel} } = 1;
            for (sort keys %pocl) {
                my $want = GenKernels::as_compiled($case, $name, $pocl{$_});
                is(Kernels::difference($got{$_}, $want, $case->{save}{$_}), undef,
                    "$name: argument $_ is as PoCL has it");
            }
        }
    };
}
cmp_ok(scalar keys %kernels, '>=', @sample / 2, scalar(keys %kernels) . ' kernels ran on both');

# ---- Random programs ----

my $has_ocloc = eval { Kernels::run('ocloc', '--help') } || -x '/usr/bin/ocloc';
if (!$has_ocloc) {
    die "ocloc is required\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    diag('no ocloc (package intel-opencl-icd): no random programs');
    $count = 0;
}
# DG1 has no doubles, so that constants are floats to its compiler.
sub without_doubles {
    my ($text) = @_;
    $text =~ s/^\s*d\d = DKEEP.*\n//mg;
    $text =~ s/^double D.*\n|^#define D(?!BITS|IV).*\n|^#pragma OPENCL EXTENSION.*\n//mg;
    $text =~ s/(\d+)((?:\.\d+)?) \* 1\.0f/$1 . ($2 || '.0') . 'f'/ge;
    $text =~ s/double d0 = .*;/ulong d0 = in[i], d1 = i;/;
    $text =~ s/(#define DBITS\(a\)).*/$1 (a)/;
    $text =~ s/^static ulong DBITS.*/#define DBITS(a) (a)/m;
    return $text;
}

my $ran = 0;
for my $seed ($first .. $first + $count - 1) {
    my ($case, $want) = RandomKernel::answer($seed, $dir, \&without_doubles);
    for my $options ('', '-cl-opt-disable') {
        my $compiled = system(
            "cd $dir && ocloc compile -q -file f.c -device dg1 "
                . "-options '-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt $options' " .
            '-output f -output_no_suffix >/dev/null 2>&1');
        SKIP: {
            skip "program $seed: ocloc gives up", 1 if $compiled || !-f "$dir/f";
            # A shift of 64 bits by a constant 0 becomes one by 32 here, whose low five bits, which count, are 0 again.
            my $code = `@{[$ENV{GPUDBG} // 'build/gpudbg']} --batch $dir/f -e disassemble`;
            skip "program $seed: the compiler shifts 32 bits by 32",
                1 if $options && $code =~ / (?:shl|shr|asr) [^\n]* 32:w\b/;
            $ran++;
            my %got = eval { Kernels::run_gpudbg("$dir/f", $case, $dir) };
            is($@ || Kernels::difference($got{0}, $want, 'bits'), undef,
                "program $seed" . ($options && ', not optimised'));
        }
        unlink "$dir/f";
    }
}
cmp_ok($ran, '>=', $count, 'ocloc compiles most of them') if $count;
done_testing();
