# SPDX-License-Identifier: GPL-3.0-or-later
#
# The files of a test.
#
#   use Files;
#   my $path = spill('kernel.bin', $bytes);   in $dir, a folder of the test's own, which goes when it ends
#   spill("$other/kernel.bin", $bytes);       elsewhere
#   is slurp($path), $bytes;                  '' where there is no such file
package Files;
use v5.36;
use Exporter 'import';
use File::Temp qw(tempdir);

our @EXPORT = qw($dir spill slurp);
our $dir = tempdir(CLEANUP => 1);

sub spill ($name, $bytes) {
    my $path = $name =~ m{^/} ? $name : "$dir/$name";
    open my $out, '>:raw', $path or die "$path: $!\n";
    print $out $bytes;
    close $out or die "$path: $!\n";
    return $path;
}

sub slurp ($path) {
    open my $in, '<:raw', $path or return '';
    local $/;
    return scalar <$in>;
}

1;
