#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# share/python in the tools of others: its types by mypy, its notebook executed without a display, its wheel built
# without a network and used.  The picture of the Mandelbrot set and the rounds of Collatz's sequence are computed here.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Gpudbg;
use Test::More;

# Debian's Python has Debian's packages; another may come first in PATH.
my $python = $ENV{PYTHON} // (-x '/usr/bin/python3' ? '/usr/bin/python3' : 'python3');
my $dir = tempdir(CLEANUP => 1);
@ENV{qw(GPUDBG GPUDBG_DATA GPUDBG_PYTHON)} =
    map { abs_path($_) } Gpudbg::program(), $ENV{GPUDBG_DATA} // 'share', 'share/python';
delete @ENV{qw(DISPLAY WAYLAND_DISPLAY MPLBACKEND PYTHONPATH)};
@ENV{qw(HOME IPYTHONDIR MPLCONFIGDIR PYTHONDONTWRITEBYTECODE)} = ($dir, $dir, $dir, 1);

my $types = qx(MYPY_CACHE_DIR=$dir/mypy $python -m mypy --strict share/python/gpudbg.py 2>&1);
is $?, 0, 'mypy --strict finds nothing' or diag $types;
$ENV{MYPYPATH} = $ENV{GPUDBG_PYTHON};
$types = qx(cd $dir && $python -m mypy --strict $ENV{GPUDBG_PYTHON}/examples/first_wrong.py 2>&1);
is $?, 0, '... nor in the example' or diag $types;

# ---- The notebook ----

# C's arithmetic of the kernel, in single precision.
sub f32 ($x) { return unpack 'f', pack 'f', $x }
sub rounds ($px, $py) {
    my ($cr, $ci) = (f32(f32($px * f32(0.038)) - f32(2.2)), f32(f32($py * f32(0.1)) - f32(1.15)));
    my ($r, $i, $k) = (0, 0, 0);
    while ($k < 60 && f32(f32($r * $r) + f32($i * $i)) < 4) {
        my $t = f32(f32(f32($r * $r) - f32($i * $i)) + $cr);
        ($i, $r) = (f32(f32(f32(2 * $r) * $i) + $ci), $t);
        $k++;
    }
    return $k;
}
my @shades = split //, ' .,:;i1tfLCG08@#';
sub shade ($k) { return $shades[$k == 60 ? 15 : $k % 15] }
my $picture = '';
for my $y (0 .. 23) { $picture .= join('', map { shade(rounds($_, $y)) } 0 .. 78) . "\n" }
{
    local $ENV{PYTHONPATH} = $ENV{GPUDBG_PYTHON};
    my $said = qx($python t/python/run_notebook.py share/python/examples/divergence.ipynb $dir 2>$dir/errors);
    is $?, 0, 'the notebook runs' or diag qx(tail -n 30 $dir/errors);
    my ($drawn) = $said =~ /^Done: 30 waves, \d+ instructions\n((?:.{79}\n){24})/m;
    my $differ = () = ($drawn ^. $picture) =~ /[^\0]/g;
    cmp_ok $differ, '<=', 4, 'its kernel draws the Mandelbrot set (v_mac and v_mad may round otherwise)' or diag $drawn;
    like $said, qr/^2272 instructions of wave 0, 18% of its lanes took part$/m, 'all of wave 0 was stepped';
}
my @pictures = sort glob "$dir/*.png";
is scalar @pictures, 3, 'it draws three pictures';
# A lane is a square of about 38 by 38 pixels between white lines.  As many are grey as have left the loop by these
# rounds.
my $left = 0;
for my $round (2, 4, 6, 10) {
    for my $lane (0 .. 63) { $left++ if rounds(16 + $lane % 16, 8 + int($lane / 16)) < $round }
}
my ($pixels, $grey) = split ' ', qx($python t/python/look.py $dir/1.png);
cmp_ok abs(sqrt($grey / $left) - 36), '<', 1.5, "$left lanes of the first are grey" or diag "$grey pixels";
# The plot of lanes fills 0.57 of the second.
my (undef, undef, $dark) = split ' ', (my $second = qx($python t/python/look.py $dir/2.png));
($pixels) = split ' ', $second;
cmp_ok abs($dark / $pixels / 0.57 - 0.18), '<', 0.02, '18% of the lanes of the second are dark' or diag $second;

# ---- The wheel ----

my $wheel = qx(make -s wheel PYTHON=$python BUILD=$dir/build 2>$dir/errors);
chomp $wheel;
like $wheel, qr/gpudbg-\d[\d.]*-py3-none-any\.whl$/, 'a wheel is built without a network'
    or diag qx(cat $dir/errors);
my $used = qx(cd $dir && PYTHONPATH=$wheel $python -c 'import gpudbg
with gpudbg.demo("collatz") as g: g.run(); print(gpudbg.__file__, *g.buffer("steps")[:7])' 2>&1);
like $used, qr/^\Q$wheel\E\S* 0 1 7 2 5 8 16$/, '... and works';
my $installed = qx($python -m pip install -q --no-index --no-deps --target $dir/target $wheel 2>&1;
    cd $dir && PYTHONPATH=$dir/target $python -c 'import gpudbg, importlib.metadata as m; print(m.version("gpudbg"))');
like $installed, qr/^\d+\.\d+\.\d+$/m, '... and can be installed';
my @members = grep { !/dist-info/ } split ' ', qx($python -c 'import sys, zipfile
print(*zipfile.ZipFile(sys.argv[1]).namelist())' $wheel);
is "@members", 'gpudbg.py', '... and holds one module';
done_testing;
