# SPDX-License-Identifier: GPL-3.0-or-later
#
# Numbers that look random and are the same on every machine: a linear congruential generator, high bits used.
package OracleRandom;
use v5.36;
use Exporter 'import';

our @EXPORT_OK = qw(generator);

# generator($seed): a function of n that gives the next number below n (n up to 2^32).
sub generator ($seed) {
    my $state = $seed;
    my $next = sub { return ($state = ($state * 1664525 + 1013904223) & 0xffffffff) >> 8 };
    return sub ($n) { return $n <= 1 << 24 ? $next->() % $n : ($next->() << 16 ^ $next->()) % $n };
}

1;
