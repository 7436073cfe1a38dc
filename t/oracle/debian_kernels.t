#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# OpenCL kernels of strangers: Piglit's tests, as Debian ships them, compiled by clang-19 for gfx7 (Hawaii) and by ocloc
# for DG1 in both containers.  Results are those that each test says, and PoCL's; with all checkers on there is not one
# report, since the programs are sound.  Debian.pm downloads the package.
# Without GPUDBG_NIGHTLY it is a part of them, within a minute; all of them take an hour and more:
#   GPUDBG_NIGHTLY=1 prove t/oracle/debian_kernels.t :: STEP FIRST      each STEPth file from FIRST on (1 and 0)
#   GPUDBG_TABLE=FILE                                  also writes a line for each kernel
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Basename 'basename';
use File::Temp 'tempdir';
use Debian;
use Gpudbg;
use Kernels;
use Piglit;
use Test::More;

my ($step, $first) = @ARGV ? @ARGV : $ENV{GPUDBG_NIGHTLY} ? (1, 0) : (26 * ($ENV{GPUDBG_SAMPLE} // 1), 5);
my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/cache";
$ENV{POCL_CACHE_DIR} = "$dir/cache";

# ---- The package ----

Debian::need_compilers();
my $folder = Debian::package_folder('piglit') // Debian::missing('package piglit cannot be downloaded');
my ($top) = glob "$folder/usr/lib/*/piglit";
my @files = sort glob "$top/{generated_tests,tests}/cl/{*,*/*,*/*/*,*/*/*/*}.cl";
cmp_ok(scalar @files, '>', 400, 'files of Piglit');

# What is not asked of a kernel, by "FILE:KERNEL", and why.  "results": those of the test; PoCL's count.
my @apart = (
    [qr/^builtin-float-fmod-/, 'results', 'fmod(3, inf) is 3 by C, and Piglit wants a NaN'],
    [qr/^builtin-float-tgamma-/, 'results', 'tgamma(0) is infinite by C, and Piglit wants a NaN'],
    [qr/lgamma_r/, 'results pocl', 'the sign of what has none: libraries differ'],
    [qr/:test_\d+_\w+_local_float$/, 'race results pocl', 'its work-items store to one variable in local memory'],
    [qr/^builtin-long-abs_diff-.*:test_\d+_abs_diff_long$/, 'results pocl',
        'clang-19 for gfx7 takes the absolute value of a difference that overflows'],
    [qr/^vstorea_half-.*:vstorea_half3_/, 'results range', 'the library for gfx7 stores a fourth half'],
    [qr/^global-offset:dynamic$/, 'results', 'ocloc reads register bytes behind the three offsets for a fourth'],
    [qr/^vload-.*:vload3_/, 'uninitialised', 'ocloc stores the fourth element, which nobody wrote'],
);

sub left_out ($name, $what) {
    return !!grep { $name =~ $_->[0] && $_->[1] =~ /\b$what\b/ } @apart;
}

# ---- Running ----

# Words of `launch`; inputs are files.  Kernels of Piglit go past their ends by an element (vload3_private_offset takes
# 8 floats of 7), and ocloc loads 16 bytes for 12 of a constant buffer: drivers have room there.
sub words ($test, $n) {
    my @words;
    for my $i (0 .. $#{ $test->{args} }) {
        my $a = $test->{args}[$i];
        if ($a->{null} && !$a->{bytes}) { push @words, 'null' }
        elsif ($a->{buffer}) {
            my $bytes = $a->{bytes} // '';
            my $size = ($a->{size} + 63) & ~63;
            $bytes .= "\0" x ($size - length $bytes) if length $bytes < $size;
            Kernels::write_file("$dir/in-$n-$i", $bytes);
            push @words, "\@$dir/in-$n-$i";
        } else {
            push @words, 'hex:' . unpack 'H*', $a->{bytes};
        }
    }
    return @words;
}

# All tests of a file in one run of the program: what each saved, and what checkers reported.
sub run_all ($object, @tests) {
    my @lines = ('check all on');
    for my $n (0 .. $#tests) {
        my $t = $tests[$n];
        push @lines, "printf \"=test $n=\\n\"", join(' ', 'launch', $t->{kernel}, '-g', $t->{global}, '-l', $t->{local},
            '-o', $t->{offset}, words($t, $n)), ('continue') x 4, 'info checks';
        push @lines, "save arg $_ $dir/out-$n-$_" for sort keys %{ $t->{want} };
    }
    unlink glob "$dir/out-*";
    Kernels::write_file("$dir/script", join "\n", @lines, '');
    my $text = readpipe("timeout 600 @{[Gpudbg::program()]} --batch $object -x $dir/script 2>&1");
    return map { (split /\n/, $_, 2)[1] // '' } (split /^=test \d+=/m, $text)[1 .. @tests];
}

my $kinds = 'uninitialised|race|barrier|wait|hazard|range|regions|bounds|scoreboard';
my (%count, @table, %kernels);
for my $number (0 .. $#files) {
    next if $number % $step != $first % $step;
    my $path = $files[$number];
    next if $ENV{GPUDBG_ONLY} && basename($path) !~ /$ENV{GPUDBG_ONLY}/;
    my %options;
    my @tests = Piglit::tests($path) or next;
    push @{ $options{ $_->{options} } }, $_ for @tests;
    for my $options (sort keys %options) {
        my @same = @{ $options{$options} };
        my %object = Debian::objects($path, $options, $dir);
        my $name = basename($path, '.cl');
        my %pocl;
        for my $n (0 .. 0) {    # one of them, PoCL takes seconds
            my $t = $same[$n];
            my $case = { kernel => $t->{kernel}, global => $t->{global}, local => $t->{local}, args => [words($t, $n)],
                source => $path, options => $options, save => { map { $_ => 'bits' } keys %{ $t->{want} } } };
            %pocl = eval { Kernels::run_opencl($case, "$dir/pocl") } if $t->{offset} !~ /[1-9]/;
        }
        for my $target (sort keys %object) {
            my @said = run_all($object{$target}, @same);
            for my $n (0 .. $#same) {
                my $t = $same[$n];
                my $title = "$name, $target: $t->{kernel} ($t->{name})";
                my $kernel = "$name:$t->{kernel}";
                my @reports = grep { /^Fault/ || (/: ($kinds): / && !left_out($kernel, $1)) } split /\n/, $said[$n];
                my (@wrong, @others);
                for my $i (sort keys %{ $t->{want} }) {
                    my $want = $t->{want}{$i};
                    my $got = -e "$dir/out-$n-$i" ? Kernels::read_file("$dir/out-$n-$i") : undef;
                    my $where = Piglit::difference($want, $got);
                    push @wrong, "argument $i: $where" if $where && !left_out($kernel, 'results');
                    next if $n || !defined $pocl{$i} || left_out($kernel, 'pocl');
                    my $from = Piglit::difference({ %$want, bytes => $pocl{$i} }, $got);
                    push @others, "argument $i: $from" if $from;
                }
                $count{$target}{tests}++;
                $kernels{$target}{$kernel} = 1;
                $count{$target}{reports} += @reports;
                $count{$target}{pocl}++ if !$n && %pocl;
                is(scalar(@reports), 0, "$title: no report") or diag(join "\n", @reports);
                is(join('; ', @wrong), '', "$title: its results") or diag(substr $said[$n], 0, 600);
                is(join('; ', @others), '', "$title: PoCL's results") if !$n && %pocl;
                push @table, join "\t", $target, $name, $t->{kernel}, $t->{name}, scalar(@reports),
                    @wrong ? 'wrong' : 'right';
            }
        }
    }
}
Kernels::write_file($ENV{GPUDBG_TABLE}, join "\n", @table, '') if $ENV{GPUDBG_TABLE};
for my $target (sort keys %count) {
    diag(sprintf '%s: %d kernels, %d tests, %d of them also by PoCL, %d reports', $target,
        scalar keys %{ $kernels{$target} }, @{ $count{$target} }{qw(tests pocl reports)});
    cmp_ok(scalar keys %{ $kernels{$target} }, '>=', 100 / ($ENV{GPUDBG_SAMPLE} // 1), "$target: kernels")
        if !$ENV{GPUDBG_ONLY};
}
done_testing();
