#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The variables that a student sees in the two demos of one source: all of them in unoptimised code, and a kernel's
# arguments where the optimiser kept none.  What they hold is worked out here, from the demo's matrices.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

sub floats ($path) { open my $f, '<:raw', "share/demo/$path" or die "$path: $!\n"; local $/; return unpack 'f<*', <$f> }
my @a = floats('matmul_a.bin');
my @b = floats('matmul_b.bin');
sub at ($demo, @more) {
    my @all = records("--demo=$demo", commands('tbreak matmul.cl:20', 'continue', @more));
    return @all;
}
sub locals (@records) { return map { ($_->{name} => $_->{value}) } grep { $_->{type} eq 'local' } @records }

# Wave 1, lane 37: item (5, 6) of the first group, before the sum's first product.
my %at = locals(records('--demo=matmul-O0',
    commands('tbreak matmul.cl:20', 'continue', 'tbreak *$pc wave 1', 'continue', 'lane 37', 'info locals')));
is_deeply [@at{qw(x y k t column row)}], [5, 6, 0, 0, 5, 6], 'unoptimised, all variables have their values';
sub tile (@m) {
    my @rows = map { my $r = $_; '{' . join(', ', map { real($m[$r * 64 + $_]) } 0 .. 15) . '}' } 0 .. 15;
    return '{' . join(', ', @rows) . '}';
}
# A long array is cut.
is substr($at{tile_a}, 0, 900), substr(tile(@a), 0, 900), 'the tile of A is in LDS, where ds_write says';
is substr($at{tile_b}, 0, 900), substr(tile(@b), 0, 900), '... and that of B';
my %still = locals(records('--demo=matmul',
    commands('tbreak matmul.cl:20', 'continue', 'tbreak *$pc wave 1', 'continue', 'lane 37', 'info locals')));
is substr($still{tile_a}, 0, 900), substr(tile(@a), 0, 900), 'in optimised code, by how low an address can be';
is substr($still{tile_b}, 0, 900), substr(tile(@b), 0, 900), '... for both tiles';

# Optimised: what the launch gave.
my %given = locals(at('matmul', 'info args'));
is_deeply [sort keys %given], [qw(a@entry b@entry c@entry n@entry)], 'info args names arguments at the entry';
is $given{'n@entry'}, 64, '... with the value of the launch';
like $given{'b@entry'}, qr/^0x300000000 <b>/, '... and a buffer';
my ($out, $err) = gpudbg('--demo=matmul', commands('tbreak matmul.cl:20', 'continue', 'print n@entry * 2',
    'print a@entry[65]', 'print *b@entry', 'print n', 'print x@entry', 'whatis n@entry'));
is_deeply [$out =~ /^\$\d+ = (.*)/mg], [128, map { real($_) } $a[65], $b[0]], 'they stand in expressions';
like $err, qr/n: optimised out here; n\@entry is what the launch gave/, 'a lost argument names it';
like $err, qr/\@entry follows a parameter of the launched kernel/, 'a variable has none';

# Into the history.
($out) = gpudbg('--demo=matmul-O0', commands('tbreak matmul.cl:20', 'continue', 'print tile_a[1]', 'print $1[3]',
    'print $', 'print $1', 'print $1[2] + $1[4]', 'continue', 'print $1'));
my @row = @a[64 .. 79];
my $row = '{' . join(', ', map { real($_) } @row) . '}';
is_deeply [$out =~ /^\$\d+ = (.*)/mg], [$row, real($row[3]), real($row[3]), $row, real($row[2] + $row[4]), $row],
    'an array goes into the history, and stays what it was';

# ---- finish, and faults ----

($out, $err) = gpudbg('--demo=matmul', commands('stepi 5', 'finish', 'print $position'));
like $err, qr/`finish` is not meaningful in the outermost frame/, 'finish has nowhere to go';
like $out, qr/^\$1 = 5$/m, '... and nothing ran';
($out) = gpudbg('share/demo/matmul.co', commands("launch matmul -g 64,64 -l 16,16 zero:1000 \@share/demo/matmul_a.bin "
    . "\@share/demo/matmul_b.bin 64", 'continue'));
like $out, qr/^Fault, wave 1, lane 0 at matmul\+0x138: flat_store_dword \S+ \S+ \(matmul\.cl:23\): store of 4 bytes/m,
    'the first line of a fault has the line';
done_testing;
