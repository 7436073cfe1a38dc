#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Random programs, compiled by clang-19 for gfx7 and by the host's compiler for the host, give the same numbers.
#   prove t/oracle/kernels_random.t :: FIRST COUNT      other programs than the usual ones
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Kernels;
use RandomKernel;
use Test::More;

my ($first, $count) = (@ARGV, 1, $ENV{GPUDBG_NIGHTLY} ? 200 : 12);
my $dir = tempdir(CLEANUP => 1);
my ($libraries) = grep { -d } $ENV{DEVICE_LIBS} // (), '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode',
    glob('/usr/lib/*/amdgcn/bitcode');
if (!$libraries || !eval { Kernels::run('clang-19', '--version') }) {
    die "clang-19 and rocm-device-libs are required\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'clang-19 or rocm-device-libs is not installed';
}
my @clang = ('clang-19', '-x', 'cl', '-w', '-Xclang', '-finclude-default-header', '-target', 'amdgcn-amd-amdhsa',
    '-mcpu=bonaire', "--rocm-device-lib-path=$libraries");

my $ran = 0;
for my $seed ($first .. $first + $count - 1) {
    my ($case, $want) = RandomKernel::answer($seed, $dir);
    for my $level (qw(-O0 -O1 -O2)) {
        SKIP: {
            skip "program $seed: clang-19 gives up at $level",
                1 if !eval { Kernels::run(@clang, $level, '-o', "$dir/f.co", "$dir/f.c"); 1 };
            $ran++;
            my %got = eval { Kernels::run_gpudbg("$dir/f.co", $case, $dir) };
            is($@ || Kernels::difference($got{0}, $want, 'bits'), undef, "program $seed at $level");
            # They are sound: checkers have nothing to say.
            my @words = Kernels::launch_words($case, "$dir/f");
            my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
            my $run = "-e 'check all on' -e 'launch @words' -e continue -e 'info checks'";
            my $said = `$gpudbg --batch $run $dir/f.co 2>&1`;
            like($said, qr/^Done.*^No reports/ms, '... and no checker reports anything');
        }
    }
}
cmp_ok($ran, '>=', 2 * $count, 'clang-19 compiles most of them');
done_testing();
