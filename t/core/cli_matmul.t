#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# A matrix multiply from end to end: launched, broken into at its inner loop in lane 37 of wave 2, stepped and stepped
# back, a register changed, continued, and its buffer saved; the product was computed here.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $demo    = "share/demo";
my $dir     = tempdir(CLEANUP => 1);

sub floats { my ($path) = @_; open my $f, '<:raw', $path or die "$path: $!"; local $/; return unpack 'f<*', <$f> }

# Wave 2 of group 0 has work-items 128 to 191; lane 37 is number 165 of 16 x 16: column 5, row 10.
my ($row, $column) = (10, 5);
my @commands = (
    "launch matmul -g 64,64 -l 16,16 zero:16384 \@$demo/matmul_a.bin \@$demo/matmul_b.bin 64",
    'break matmul.cl:20 wave 2 lane 37', 'continue', 'info hash', 'stepi 3', 'reverse-stepi 3',
    'info hash', 'lane', 'continue 5', 'stepi 7', 'print $s3', 'delete', 'set $v0[37] = (f32)$v0[37] + 1000',
    'continue', "save arg c $dir/c", 'reverse-continue', 'info history',
);
my @records = map { decode_json($_) } split /\n/, do {
    open my $out, '-|', $program, '--batch', '--json', (map { ('-e', $_) } @commands), "$demo/matmul.co" or die;
    local $/;
    <$out>;
};
my %of;
push @{$of{$_->{type}}}, $_ for @records;
is_deeply [map { $_->{message} } @{$of{error} // []}], [], 'no command fails';

my ($met) = @{$of{stop}};
is_deeply [@$met{qw(reason wave lane number)}], ['breakpoint', 2, 37, 1], 'it stops in lane 37 of wave 2';
is_deeply $met->{group}, [0, 0, 0], '... of the first group';
is $of{lane}[0]{lane}, 37, '... which is then selected';
is $of{lane}[0]{local}, "$column,$row,0", '... and is the work-item it should be';
is $of{hash}[0]{value}, $of{hash}[1]{value}, 'three steps and three back are the same state';
# Five more times round the loop of 9 instructions, then 7 of them: s3 counts 4 a time, and has counted 6 times.
is hex $of{value}[0]{value}, 24, 'continue 5 and stepi 7 stop where they should';
is $of{stop}[-2]{reason}, 'done', 'it runs to its end';
is $of{stop}[-1]{reason}, 'history-start', 'and back to its launch';
is $of{history}[0]{position}, 0, '... which is position 0';

my @a = floats("$demo/matmul_a.bin");
my @b = floats("$demo/matmul_b.bin");
my @want;
for my $y (0 .. 63) {
    for my $x (0 .. 63) {
        my $sum = 0;
        $sum += $a[$y * 64 + $_] * $b[$_ * 64 + $x] for 0 .. 63;
        push @want, $sum;
    }
}
$want[$row * 64 + $column] += 1000;
my @got = floats("$dir/c");
is_deeply \@got, \@want, 'the product is right, and 1000 more where the register was changed';
done_testing;
