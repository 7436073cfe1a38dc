# SPDX-License-Identifier: GPL-3.0-or-later
#
# The kernels of Kernels.pm as ocloc made them for DG1, and where its code departs from the source.
#
#   my @files = GenKernels::objects($case);                         both containers, optimised and not
#   my $file = GenKernels::made($source, $device, $how, $dir);      compiled here: how is bin, ze, O0 or O0.ze
#   my $bytes = GenKernels::as_compiled($case, $file, $bytes);      what the file's code gives where the source gives
#   $bytes
package GenKernels;

use strict;
use warnings;
use File::Basename 'basename';
use Kernels;

# One file flushes denormals and has float_flush alone; the others keep them.
sub objects {
    my ($case) = @_;
    my $name = Kernels::source_dir() . '/gen12/' . basename($case->{file});
    my @all = sort grep { -e } map { "$name$_" } qw(.bin .ze -O0.bin -flush.bin);
    return grep { (/-flush/ ? 1 : 0) == ($case->{kernel} eq 'float_flush' ? 1 : 0) } @all;
}

# The code of a file for a device; '' when the compiler gives up.
my %made;
sub made {
    my ($source, $to, $how, $dir) = @_;
    my $options = $how =~ /^O0/ ? '-cl-opt-disable' : $how =~ /^large/ ? '-cl-intel-256-GRF-per-thread' : '';
    my $internal = $how =~ /ze$/  ? '-ze-allow-zebin'
        : $how eq 'bindless' ? '-cl-intel-use-bindless-mode -cl-intel-use-bindless-advanced-mode'
        :                      '';
    return $made{"$source $to $how"} //= do {
        my $name = basename($source, '.cl') . "-$to-$how";
        system("ocloc compile -q -file $source -device $to -output $name -output_no_suffix -out_dir $dir "
                . "-options '-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt $options' "
                . "-internal_options '$internal' >$dir/log 2>&1") == 0 && -f "$dir/$name" ? "$dir/$name" : '';
    };
}

# Where the optimised code does not compute what the source says, as its instructions show; nothing else may differ.
my %compiler = (
    # round is rndz(x + (x < 0 ? -h : h)) with h just below a half, and -0 < 0 is false: -0 becomes +0 (row 4 of 512). 
    # frexp of a number that equals 0 is `sel` of a constant 0.0 (row 9).
    float_round => sub { my ($want, $x) = @_; $x->[$_] == 0x80000000
        and $want->[$_ + 4 * 512] = $want->[$_ + 9 * 512] = 0 for 0 .. 511 },
    # x < 0 ? -x : x is a move of (abs)x, which -0 does not survive.  Row 5 of 512.
    float_compare => sub { my ($want, $x) = @_; $x->[$_] == 0x80000000 and $want->[5 * 512 + $_] = 0 for 0 .. 511 },
    # full_sum stores r.wide (two dwords at 8) and r.real (at 16), not r.sum and r.carry (at 0 and 4): they stay zeros.
    calls_results => sub { my ($want) = @_; $want->[6 * $_ + 4] = 0 for 0 .. 255 },
);

# The same for Broadwell and Skylake, some of it not optimised, too: floor and ceil of a double add 0 or 1 to the
# truncated one, so that -0 becomes +0 (rows 0 and 1 of 256), and round and frexp do so with -0 alone
# (rows 4 and 7).
sub no_minus {
    my ($want, $i) = @_;
    $want->[2 * $i + 1] = 0 if $want->[2 * $i + 1] == 0x80000000 && !$want->[2 * $i];
    return;
}
my %compiler_e8 = (
    (map { $_ => $compiler{$_} } qw(float_round float_compare calls_results)),
    double_round => sub { my ($want, $x) = @_;
        no_minus($want, $_) for 0 .. 511;
        for (grep { $x->[2 * $_ + 1] == 0x80000000 && !$x->[2 * $_] } 0 .. 255) {
            no_minus($want, 1024 + $_);
            no_minus($want, 1792 + $_);
        } },
);

sub as_compiled_e8 {
    my ($case, $how, $bytes) = @_;
    return $bytes if $how =~ /O0/ && $case->{kernel} =~ /^(?:float_compare|calls_results)$/;
    my $rule = $compiler_e8{ $case->{kernel} };
    return $rule ? apply($rule, $case, $bytes) : $bytes;
}

sub apply {
    my ($rule, $case, $bytes) = @_;
    my @want = unpack 'L<*', $bytes;
    my ($kind, @more) = ref $case->{args}[1] ? @{ $case->{args}[1] } : ();
    $rule->(\@want, [unpack 'L<*', Kernels::bytes($kind, @more)]);
    return pack 'L<*', @want;
}

# What the compiled code gives: as plain C has it, but for the above.
sub as_compiled {
    my ($case, $object, $bytes) = @_;
    my $rule = $compiler{ $case->{kernel} };
    return $bytes if !$rule || $object =~ /-O0/ || !defined $bytes;
    return apply($rule, $case, $bytes);
}

1;
