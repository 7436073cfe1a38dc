#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# A kernel compiled for every device that ocloc knows, in both containers, and for every chip that clang-19 knows: those
# of the generations that are read open, with their kernel, and the others are refused by a name.  Which generation a
# device has is asked of ocloc (`ocloc ids`) and read from LLVM's names.  --isa knows all of the names.
use v5.36;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

sub have ($name) { return scalar grep { -x } map { "$_/$name" } split /:/, $ENV{PATH} }
if (!have('ocloc') || !have('clang-19')) {
    die "ocloc and clang-19 are required\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'ocloc or clang-19 is not installed (make deps-oracle)';
}
my $dir = tempdir(CLEANUP => 1);
open my $source, '>', "$dir/k.cl" or die "k.cl: $!\n";
print $source "kernel void add(global int *a, int n) { a[ID] += n; }\n";
close $source;

# Sets of which a part is read: they open.
sub check_in_part ($file, $isa, $name) {
    my ($out, $err, $status) = gpudbg($file, commands('info file'));
    like $out, qr/^isa +\Q$isa\E/m, "$name opens";
    is "$status$err", '0', '... without a complaint';
}

# --isa NAME chooses the instruction set, or refuses the chip.
sub check_name ($name, $isa) {
    my ($out, $err, $status) = gpudbg('--isa', $name, commands('isa'));
    return like $out, qr/^\Q$isa\E,/, "--isa $name" if $isa;
    is "$status$out", '2', "--isa $name is refused";
    like $err, qr/code for [^;]+ is not read|is [^;]+, whose code is not read/, '... by a name';
    return;
}

# Opens with its kernel, or is refused by a name.
sub check ($file, $read, $name) {
    my ($out, $err, $status) = gpudbg($file, commands('info kernels'));
    if ($read) {
        like $out, qr/^add  entry/, "$name opens";
        is "$status$err", '0', '... without a complaint';
    } else {
        is "$status$out", '3', "$name is refused";
        like $err, qr/this is code for (?!AMD's machine|Intel's)[\w .()-]+: not read$/, '... by a name';
    }
}

my ($devices) = `ocloc compile --help` =~ /<device_type> can be: (.*?),\s*version/s;
my (%devices, $read);
for my $device (split /,\s*/, $devices) {
    my @ids = `ocloc ids $device` =~ /^(\d+)\.(\d+)\.\d+$/mg;
    next if @ids != 2; # a name for several
    my $ours = $ids[0] == 8 || $ids[0] == 9 || $ids[0] == 11 || ($ids[0] == 12 && $ids[1] < 60);
    check_name($device, $ours ? "gen$ids[0]" . ($ids[0] == 12 && $ids[1] >= 50 ? '.5' : '') : '');
    for my $container (qw(allow disable)) {
        my $out = "$dir/$device-$container";
        system("ocloc compile -q -file $dir/k.cl -device $device -options '-DID=get_global_id(0)' "
            . "-internal_options -cl-intel-$container-zebin -out_dir $out >$dir/log 2>&1");
        my ($file) = glob "$out/*.bin";
        next if !$file; # the name of a family
        check($file, $ours, "$device, " . ($container eq 'allow' ? 'zebin' : 'patch tokens'));
        $read += $ours;
        $devices{$device} = 1;
    }
}
cmp_ok $read, '>=', 12, 'six devices are read, in both containers';
cmp_ok keys %devices, '>=', 20, 'of twenty and more';

my ($chips) = `clang-19 --print-supported-cpus --target=amdgcn-amd-amdhsa -nogpulib 2>&1` =~ /(gfx.*)/s;
my $n = 0;
for my $chip (($chips // '') =~ /^\s*(gfx[0-9][\w-]*)$/mg) {
    my $generic = $chip =~ /generic/ ? '-mcode-object-version=6' : '';
    next if system("clang-19 -x cl -nogpulib -target amdgcn-amd-amdhsa -mcpu=$chip $generic -O1 "
        . "'-DID=__builtin_amdgcn_workitem_id_x()' $dir/k.cl -o $dir/$chip.co >$dir/log 2>&1");
    if ($chip =~ /^gfx10(?:-[13]-generic|[13]\d)/) {
        my $isa = $chip =~ /^gfx101([123])/ ? 'gfx101' . ($1 == 2 ? 1 : $1)
            : $chip =~ /^gfx10-?1/ ? 'gfx10' : 'gfx10.3';
        check_in_part("$dir/$chip.co", $isa, $chip);
        check_name($chip, $isa);
    } else {
        check("$dir/$chip.co", scalar($chip =~ /^gfx[67]0/), $chip);
        check_name($chip, $chip =~ /^(gfx[67])0/ ? $1 : '');
    }
    $n++;
}
cmp_ok $n, '>=', 40, 'clang-19 knows forty chips and more';
done_testing;
