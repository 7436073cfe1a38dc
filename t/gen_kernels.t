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

# Where the optimised code does not compute what the source says, as its instructions show; nothing else may differ.
my %compiler = (
    # round is rndz(x + (x < 0 ? -h : h)) with h just below a half, and -0 < 0 is false: -0 becomes +0 (row 4 of 512).  frexp of a
    # number that equals 0 is `sel` of a constant 0.0 (row 9).
    float_round => sub { my ($want, $x) = @_; $x->[$_] == 0x80000000 and $want->[$_ + 4 * 512] = $want->[$_ + 9 * 512] = 0 for 0 .. 511 },
    # x < 0 ? -x : x is a move of (abs)x, which -0 does not survive.  Row 5 of 512.
    float_compare => sub { my ($want, $x) = @_; $x->[$_] == 0x80000000 and $want->[5 * 512 + $_] = 0 for 0 .. 511 },
    # full_sum stores r.wide (two dwords at 8) and r.real (at 16), not r.sum and r.carry (at 0 and 4): they stay zeros.
    calls_results => sub { my ($want) = @_; $want->[6 * $_ + 4] = 0 for 0 .. 255 },
);

# What the compiled code gives: as plain C has it, but for the above.
sub as_compiled {
    my ($case, $object, $bytes) = @_;
    my $rule = $compiler{ $case->{kernel} };
    return $bytes if !$rule || $object =~ /-O0/ || !defined $bytes;
    my @want = unpack 'L<*', $bytes;
    my ($kind, @more) = ref $case->{args}[1] ? @{ $case->{args}[1] } : ();
    $rule->(\@want, [unpack 'L<*', Kernels::bytes($kind, @more)]);
    return pack 'L<*', @want;
}

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
            next if ($file =~ /flush/) != ($case->{kernel} eq 'float_flush'); # one file flushes denormals, the others keep them
            my %got = eval { Kernels::run_gpudbg($object, $case, $dir) };
            is($@, '', "$file runs") or next;
            for (sort keys %want) {
                my ($plain, $other) = map { as_compiled($case, $file, $_) } $want{$_}, $gfx7{$_};
                is(Kernels::difference($got{$_}, $plain, $case->{save}{$_}), undef, "$file: argument $_ is as plain C has it");
                is(Kernels::difference($got{$_}, $other, $case->{save}{$_}), undef, "$file: argument $_ is as gfx7 has it") if %gfx7;
            }
            next if $seen{$file}++ || $file !~ /\.bin$/;
            my $all = hash_of($object, $case, 'all');
            ok($all, "$file ends in some state");
            is(hash_of($object, $case, $_), $all, "$file: region by region ($_) the state is the same") for qw(generic table);
        }
    };
}
done_testing;
