#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels that ocloc made for DG1 give the buffers that plain C gives, and what gfx7's code objects of the same sources give;
# every way of reading regions leaves the same state.  Names after `::` choose files or kernels.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Basename 'basename';
use File::Temp 'tempdir';
use Kernels;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $dir     = tempdir(CLEANUP => 1);
my $objects = Kernels::source_dir() . '/gen12';
my %only    = map { $_ => 1 } @ARGV;

# Where this compiler does not do what the source says; seen in its code.
my %compiler = (
    float_round   => 'round(-0.0f) is compiled to a rounding of -0.0f + 0.4999...',
    float_compare => 'x < 0 ? -x : x is compiled to |x|, of -0.0f too',
    calls_results => 'the stores of two members of the structure are left out',
);
# ... and only in one kind of file.
my %odd = (
    'float_flush float.bin'  => 'denormals are kept without -cl-denorms-are-zero',
    'scope_tables scope.bin' => 'addresses in the program\'s constants',
);

# The hash of a launch's last state, by one way of execution.
sub hash_of {
    my ($object, $case, $paths) = @_;
    local $ENV{GPUDBG_REGIONS} = $paths;
    my $launch = join ' ', 'launch', Kernels::launch_words($case, $dir);
    open my $out, '-|', $program, '--batch', $object, '-e', $launch, '-e', 'continue', '-e', 'info hash' or die "$program: $!";
    my ($hash) = map { /^hash (0x\w+)/ ? $1 : () } <$out>;
    close $out;
    return $hash;
}

my %seen;
for my $case (Kernels::cases()) {
    next if %only && !$only{ $case->{file} } && !$only{ $case->{kernel} };
    my $name = basename($case->{file});
    my @mine = sort grep { -e } map { "$objects/$name$_" } qw(.bin .ze -O0.bin -flush.bin);
    next unless @mine;
    subtest Kernels::title($case) => sub {
        my %want = Kernels::run_reference($case, $dir);
        my ($other) = grep { /-O2\.co$/ } @{ $case->{objects} };
        my %gfx7 = $other ? Kernels::run_gpudbg($other, $case, $dir) : ();
        for my $object (@mine) {
            my $file = basename($object);
            local $TODO = $compiler{ $case->{kernel} } // $odd{"$case->{kernel} $file"};
            next if $file =~ /flush/ && $case->{kernel} ne 'float_flush';
            my %got = eval { Kernels::run_gpudbg($object, $case, $dir) };
            is($@, '', "$file runs") or next;
            for (sort keys %want) {
                is(Kernels::difference($got{$_}, $want{$_}, $case->{save}{$_}), undef, "$file: argument $_ is as plain C has it");
                is(Kernels::difference($got{$_}, $gfx7{$_}, $case->{save}{$_}), undef, "$file: argument $_ is as gfx7 has it") if %gfx7;
            }
            next if $seen{$file}++ || $file !~ /\.bin$/;
            my $all = hash_of($object, $case, 'all');
            ok($all, "$file ends in some state");
            is(hash_of($object, $case, $_), $all, "$file: region by region ($_) the state is the same") for qw(generic table);
        }
    };
}
done_testing;
