#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Source modifiers in compiled code: t/data/kernels/gen12/negated.cl, compiled here by ocloc for every Gen12 device that
# it knows and for one of each other generation, optimised and not, in both containers, on values at the bounds of their
# types: the buffers that PoCL leaves.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/cache";
$ENV{POCL_CACHE_DIR} = "$dir/cache";
my $source = 't/data/kernels/gen12/negated.cl';
my @devices = qw(dg1 tgllp rkl adl-s adl-p adl-n acm-g10 icllp skl bdw);

# Each value beside each other one.
my %values = (char => [ 'c', -128, -127, -1, 0, 1, 127, 100, -50 ], uchar => [ 'C', 0, 1, 127, 128, 129, 254, 255, 50 ],
    short => [ 's<', -32768, -32767, -129, -1, 0, 1, 32767, 256 ], ushort => [ 'S<', 0, 1, 255, 32767, 32768, 32769,
    65534, 65535 ], int => [ 'l<', -2147483648, -2147483647, -65536, -1, 0, 1, 32768, 2147483647 ],
    uint => [ 'L<', 0, 1, 65535, 65536, 2147483647, 2147483648, 2147483649, 4294967295 ]);
my @cases;
for my $type (sort keys %values) {
    my ($form, @v) = @{ $values{$type} };
    my @args = map { 'hex:' . unpack 'H*', pack "($form)*", @$_ } [ map { ($_) x @v } @v ], [ (@v) x @v ];
    push @cases, { kernel => "${_}_$type", global => 64, local => 32, args => [ 'zero:4096', @args ],
        save => { 0 => 'bits' }, source => $source, options => '' } for 'neg', $type eq 'int' ? 'wraps' : ();
}

my $pocl = eval { Kernels::run_opencl($cases[0], $dir) };
if (!$pocl || !-x '/usr/bin/ocloc') {
    die "PoCL and ocloc are required: $@" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'PoCL (pocl-opencl-icd, ocl-icd-opencl-dev) or ocloc (intel-opencl-icd) is not installed';
}
my %want = map { $_->{kernel} => { eval { Kernels::run_opencl($_, $dir) } } } @cases;
my @builds = map { my $device = $_; map { [ $device, @$_ ] } [ '', '' ], [ '', '-ze-allow-zebin' ],
    [ '-cl-opt-disable', '-ze-allow-zebin' ] } @devices;
for my $build (sampled_from(3, @builds)) {
    my ($device, $level, $container) = @$build;
    my $name = join ' ', grep { $_ } @$build;
    system qw(ocloc compile -q -file), $source, '-device', $device, '-options', "-cl-std=CL3.0 $level",
        '-internal_options', $container, qw(-output k -out_dir), "$dir/$name";
    my ($object) = glob "'$dir/$name'/k*.bin";
    ok($object, "ocloc compiles for $name") or next;
    for my $case (@cases) {
        my %got = eval { Kernels::run_gpudbg($object, $case, $dir) };
        is($@ || Kernels::difference($got{0}, $want{ $case->{kernel} }{0}, 'bits'), undef,
            "$name: $case->{kernel} leaves what PoCL leaves");
    }
}
done_testing;
