#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The launch line that the screen offers: its arguments have names and types, it is accepted as it stands, and what it
# launches does something.  Types of arguments: those of the sources in t/data/kernels.
use v5.36;
use File::Temp;
use FindBin;
use lib "$FindBin::Bin/../lib";
use ConsoleShader;
use Gpudbg;
use Test::More;

my $data = "$FindBin::Bin/../data";
sub offered (@open) {
    my ($out) = gpudbg('--screen', '600x8', @open, '-e', 'key s', '-e', 'screenshot');
    return $out =~ /^\(gpudbg\) (launch .*?) *$/m ? $1 : '';
}
sub run ($file, @commands) {
    my ($out, $err) = gpudbg($file, map { ('-e', $_) } @commands);
    return $out . $err;
}

like offered('share/demo/matmul.co'),
    qr/^launch matmul -g 16,16 -l 16,16 c:float\*=zero:1024 a:float\*=zero:1024 b:float\*=zero:1024 n:int=16$/,
    'two-dimensional ids: a square; n is its width';
for my $file (glob("share/demo/*.co share/demo/*.bin share/demo/*.il "
    . "$data/kernels/gfx7/*-O2.co $data/kernels/gen12/*.ze")) {
    my $line = offered($file);
    my $name = $file =~ s{.*/}{}r;
    next unless $line; # not code, or no kernels
    my $got = run($file, $line);
    like $got, qr/work-items?, .*at entry|at entry/, "$name: accepted as it stands" or diag "$line\n$got";
}
# Bare code has no metadata: it is launched from its first instruction.
for (['gen7.5', "$data/eu/break.7p5.krn"], ['gen12', "$data/eu/break.12p1.krn"]) {
    my @open = ('--isa', $_->[0], '--raw', $_->[1]);
    my $line = offered(@open);
    is $line, 'launch -g 64 -l 64 simd=8 r20=zero:32 r127=zero:32', "bare code of $_->[0] has its line";
    my ($out, $err) = gpudbg(@open, '-e', $line, '-e', 'continue');
    like $out . $err, qr/^Done: \d+ waves?, \d{2,} instructions/m, '... and runs' or diag $out . $err;
}
# The stage gives a pixel shader I and J in v0 and v1, and a scalar behind its user data: they are not offered.  It
# writes v2 and v3 before image_sample reads them in all lanes of a quad.
my $pixel = File::Temp->new(SUFFIX => '.bin');
binmode $pixel;
print $pixel ConsoleShader::pixel();
close $pixel;
is offered("$pixel"), 'launch -g 64 -l 64 s[8:19]=zero:48', 'not what the stage gives, nor what the code writes';
for (qw(matmul mandelbrot collatz)) {
    my $file = "share/demo/$_.co";
    like run($file, offered($file), 'continue'), qr/^Done: \d+ waves?, \d{3,} instructions/m, "$_ runs to its end";
}
like run('share/demo/matmul.co', 'launch -g 16,16 -l 16,16 '
    . 'a:float*=zero:1024 b:float*=zero:1024 c:float*=zero:1024 n:int=16'), qr/at entry/, 'in any order';
my $launch = 'launch -g 16,16 -l 16,16 zero:1024 zero:1024 zero:1024';
like run('share/demo/matmul.co', "$launch n:float=1"), qr/argument 3 'n' \(int\) is not of type float; it is int/,
    'a wrong type';
like run('share/demo/matmul.co', "$launch n:int*=zero:4"), qr/'n' \(int\) is not of type int\*; it is int/,
    'no pointer';
like run('share/demo/matmul.co', "$launch n:colour=1"), qr/'colour' is not a type of OpenCL C/, 'no type';
like run('share/demo/matmul.co', "$launch m:int=1"), qr/matmul has no argument 'm' \(c, a, b, n\)/, 'no argument';
done_testing;
