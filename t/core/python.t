#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# share/python/gpudbg.py: t/python/test_gpudbg.py, with numpy (where it is installed) and without; the example that
# finds a wrong element, whose numbers are those of Collatz's sequence; one version in all places.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd 'abs_path';
use Gpudbg;
use Test::More;

my $python = $ENV{PYTHON} // 'python3';
plan skip_all => "$python is not installed" if system("$python -c 0 >/dev/null 2>&1");
@ENV{qw(GPUDBG GPUDBG_DATA GPUDBG_PYTHON)} =
    map { abs_path($_) } Gpudbg::program(), $ENV{GPUDBG_DATA} // 'share', 'share/python';
@ENV{qw(PYTHONPATH PYTHONDONTWRITEBYTECODE)} = ($ENV{GPUDBG_PYTHON}, 1);

sub run_tests ($with) {
    my $said = qx($python -W error -m unittest -v t/python/test_gpudbg.py 2>&1);
    is $?, 0, "the tests pass $with" or diag $said;
    my @ok = $said =~ /^(\S+) \(.*\) \.\.\. ok$/mg;
    cmp_ok scalar @ok, '>=', 20, '... all of them';
    unlike $said, qr/skipped/, '... and none is left out';
}
run_tests('as Python is here');
$ENV{WITHOUT_NUMPY} = 1;
run_tests('without numpy');
delete $ENV{WITHOUT_NUMPY};

my ($wrong, $writer, @origin) = split /\n/, qx($python share/python/examples/first_wrong.py 2>&1);
is $wrong, 'steps[159486] is 205, should be 183', 'the first wrong element is that of 159487, the first to pass 2**32';
like $writer, qr/^written by flat_store_dword .* at collatz\+0xdc, wave 1, position \d+$/, '... and its writer';
like $origin[0], qr/steps\[159486\] = 205 .*: s_add_i32 s8, s8, 1$/, '... and what computed it';

my ($module) = qx($python -c 'import gpudbg; print(gpudbg.__version__)') =~ /(.*)/;
my ($program) = (Gpudbg::run('--version'))[0] =~ /gpudbg (\S+)/;
is $module, $program, 'the version of the module is that of the program';
done_testing;
