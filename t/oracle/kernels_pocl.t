#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The same kernels from the same source and inputs on PoCL: its buffers equal ours, and those of the plain C form.  Ours
# are of the objects of t/data for gfx7, and of what clang-19 makes of the source for gfx6.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Basename 'basename';
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my %only = map { $_ => 1 } @ARGV;
mkdir "$dir/cache";
$ENV{POCL_CACHE_DIR} = "$dir/cache";

my @cases = grep { !$_->{why} && (!%only || $only{ $_->{file} } || $only{ $_->{kernel} }) } Kernels::cases();
if (!eval { Kernels::run_opencl($cases[0], $dir) }) {
    die "PoCL is required and does not run: $@" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'PoCL (pocl-opencl-icd, ocl-icd-opencl-dev) is not installed';
}

# The case's source for Tahiti, at two levels; compiled once.  The library's vload_half4 has pointers of any space,
# which only the optimiser makes into others.
my ($library) = glob '/usr/lib/*/amdgcn/bitcode';
my $clang = $library && qx(clang-19 --version 2>/dev/null) =~ /version 19/;
die "clang-19 or its device library is missing\n" if !$clang && $ENV{GPUDBG_ORACLE_REQUIRED};
sub objects_of_gfx6 {
    my ($case) = @_;
    my @made;
    for my $level ($clang ? $case->{file} eq 'vectors' ? 'O2' : qw(O0 O2) : ()) {
        my $object = "$dir/" . basename($case->{file}) . "-gfx6-$level.co";
        my @options = split ' ', $case->{options} // '';
        system('clang-19', '-x', 'cl', '-Xclang', '-finclude-default-header', '-target', 'amdgcn-amd-amdhsa',
            '-mcpu=gfx600', "--rocm-device-lib-path=$library", '-w', @options, "-$level", '-o', $object,
            $case->{source})
            if !-e $object;
        ok(-s $object, basename($object) . ' is compiled') and push @made, $object;
    }
    return @made;
}

# gfx6 rounds no doubles: what clang makes of floor subtracts v_fract_f64, whose results for NaN and for numbers just
# below 0 are not known; what it makes of ceil adds 0 to -0, which is taken as 0 here.
sub rounded_by_gfx6 {
    my ($bytes) = @_;
    return pack 'Q<*', map { $_ == 1 << 63 ? 0 : $_ } unpack 'Q<*', $bytes;
}

for my $case (%only ? @cases : sampled_from(1, @cases)) {
    subtest Kernels::title($case) => sub {
        my %pocl = eval { Kernels::run_opencl($case, $dir) };
        is($@, '', 'PoCL runs it') or return;
        my %plain = Kernels::run_reference($case, $dir);
        for my $n (sort keys %pocl) {
            is(Kernels::difference($pocl{$n}, $plain{$n}, $case->{save}{$n}), undef,
                "argument $n: PoCL agrees with plain C");
        }
        for my $object (@{ $case->{objects} }, objects_of_gfx6($case)) {
            my %got = eval { Kernels::run_gpudbg($object, $case, $dir) };
            my $name = basename($object);
            my @input = map { ref ? @$_ : $_ } $case->{args}[1];
            if ("$name $case->{kernel} @input" =~ /gfx6\S+ double_round round64/) {
                like($@, qr/v_fract_f64: the result of this input on gfx6 is not known: an erratum/, "$name stops");
                next;
            }
            is($@, '', "$name runs") or next;
            my %want = %pocl;
            $_ = rounded_by_gfx6($_) for "$name $case->{kernel}" =~ /gfx6\S+ double_round/ ? (values %got, values %want)
                : ();
            is(Kernels::difference($got{$_}, $want{$_}, $case->{save}{$_}), undef,
                "$name: argument $_ is as PoCL has it")
                for sort keys %pocl;
        }
    };
}
done_testing();
