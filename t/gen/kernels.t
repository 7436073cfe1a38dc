#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels that ocloc made for DG1 give the buffers that plain C gives, and what gfx7's code objects of the same sources
# give; every way of reading regions leaves the same state.  Names after `::` choose files or kernels.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Basename 'basename';
use File::Temp 'tempdir';
use GenKernels;
use Gpudbg 'sampled';
use Kernels;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $dir     = tempdir(CLEANUP => 1);
my %only    = map { $_ => 1 } @ARGV;

# The hash of a launch's last state, by one way of execution.
sub hash_of {
    my ($object, $case, $paths) = @_;
    local $ENV{GPUDBG_REGIONS} = $paths;
    my $launch = join ' ', 'launch', Kernels::launch_words($case, $dir);
    open my $out, '-|', $program, '--batch', $object, '-e', $launch, '-e', 'continue', '-e',
        'info hash' or die "$program: $!";
    my ($hash) = map { /^hash (0x\w+)/ ? $1 : () } <$out>;
    close $out;
    return $hash;
}

my %seen;
for my $case (sampled(Kernels::cases())) {
    next if %only && !$only{ $case->{file} } && !$only{ $case->{kernel} };
    my @mine = GenKernels::objects($case);
    next unless @mine;
    subtest Kernels::title($case) => sub {
        my %want = Kernels::run_reference($case, $dir);
        my ($other) = grep { /-O2\.co$/ } @{ $case->{objects} };
        my %gfx7 = $other ? Kernels::run_gpudbg($other, $case, $dir) : ();
        for my $object (@mine) {
            my $file = basename($object);
            my %got = eval { Kernels::run_gpudbg($object, $case, $dir) };
            is($@, '', "$file runs") or next;
            for (sort keys %want) {
                my ($plain, $other) = map { GenKernels::as_compiled($case, $file, $_) } $want{$_}, $gfx7{$_};
                is(Kernels::difference($got{$_}, $plain, $case->{save}{$_}), undef,
                    "$file: argument $_ is as plain C has it");
                is(Kernels::difference($got{$_}, $other, $case->{save}{$_}), undef,
                    "$file: argument $_ is as gfx7 has it") if %gfx7;
            }
            next if $seen{$file}++ || $file !~ /\.bin$/;
            my $all = hash_of($object, $case, 'all');
            ok($all, "$file ends in some state");
            is(hash_of($object, $case, $_), $all, "$file: region by region ($_) the state is the same")
                for qw(generic table);
        }
    };
}
done_testing;
