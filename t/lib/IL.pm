# SPDX-License-Identifier: GPL-3.0-or-later
# IL.pm: runs AMD IL kernels in gpudbg, and the arithmetic of their models: numbers as 32-bit words.
package IL;
use strict;
use warnings;
use Exporter 'import';
use File::Temp 'tempdir';
our @EXPORT = qw(run_il il_error bits number flush32 is_nan same_bits near words $dir);
# IL_RUNS: a folder that keeps programs, their inputs and a script of their launches, for other tests.
our $dir = $ENV{IL_RUNS} // tempdir(CLEANUP => 1);
our $program = $ENV{GPUDBG} // 'build/gpudbg';
my $runs = 0;

sub write_file {
    my ($name, $bytes) = @_;
    open(my $f, '>:raw', "$dir/$name") or die;
    print $f $bytes;
    close $f;
    "$dir/$name";
}
sub read_file { my ($path) = @_; local $/; open(my $f, '<:raw', $path) or return ''; <$f> }

# run_il(text, launch => '-g 64 -l 64', in => {uav1 => bytes}, args => 'o0=zero:64', save => [...], before =>
# [commands], after => [...]) -> hash of saved bytes; {output} what was printed.
sub run_il {
    my ($text, %o) = @_;
    my $n = $runs++;
    my $file = write_file("k$n.il", $text);
    my $args = $o{args} // '';
    for my $name (sort keys %{$o{in} // {}}) {
        my $path = write_file("k$n.$name", $o{in}{$name});
        my $format = $o{format}{$name} ? ":$o{format}{$name}" : '';
        $args .= " $name=\@$path$format";
    }
    my @e = (@{$o{before} // []}, "launch $o{launch} $args", @{$o{steps} // ['continue']});
    push @e, "save arg $_ $dir/k$n.$_.out" for @{$o{save} // []};
    push @e, @{$o{after} // []};
    if ($ENV{IL_RUNS}) {
        open(my $f, '>>', "$dir/script") or die;
        print $f "file $file\nlaunch $o{launch} $args\n" if !$o{before};
        close $f;
    }
    if ($ENV{IL_SEEN}) { # the row walk collects what tests execute
        open(my $f, '>>', $ENV{IL_SEEN}) or die;
        print $f $text;
        close $f;
    }
    my @command = ($program, '--batch', $file, map { ('-e', $_) } @e);
    my $pid = open(my $out, '-|') // die;
    if (!$pid) { open(STDERR, '>&', \*STDOUT); exec @command; die }
    local $/;
    my $printed = <$out>;
    close $out;
    my %result = (output => $printed, status => $? >> 8);
    $result{$_} = read_file("$dir/k$n.$_.out") for @{$o{save} // []};
    return \%result;
}

sub bits { unpack 'V', pack 'f<', $_[0] }
sub number { unpack 'f<', pack 'V', $_[0] }
sub flush32 { my $b = shift; ($b & 0x7f800000) ? $b : $b & 0x80000000 }
sub is_nan { ($_[0] & 0x7fffffff) > 0x7f800000 }
sub same_bits { my ($a, $b) = @_; $a == $b || (is_nan($a) && is_nan($b)) }
# Equal, or floats within a relative error.
sub near {
    my ($got, $want, $error) = @_;
    return 1 if same_bits($got, $want);
    return 0 if is_nan($got) || is_nan($want);
    my ($x, $y) = (number($got), number($want));
    return abs($x - $y) <= $error * (abs($y) > 1 ? abs($y) : 1);
}
sub words { unpack 'V*', $_[0] }
1;
