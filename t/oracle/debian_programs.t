#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# OpenCL kernels of programs that Debian ships, silx, darktable, hashcat and PoCL's examples and tests, compiled by
# clang-19 for gfx7 (Hawaii) and by ocloc for DG1 in both containers, launched as t/data/oracle/launches says.  Results
# are PoCL's; with all checkers on there is not one report, since the programs are sound.  See Debian.pm.  For DG1 also
# with debug information, optimised and not, which `check array` needs.
# Without GPUDBG_NIGHTLY it is a part of them:
#   GPUDBG_NIGHTLY=1 prove t/oracle/debian_programs.t :: STEP FIRST    each STEPth launch from FIRST on (1 and 0)
#   GPUDBG_ONLY=REGEX                                                  those whose line matches
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Debian;
use Gpudbg;
use Kernels;
use Test::More;

my $all = @ARGV || $ENV{GPUDBG_NIGHTLY} || $ENV{GPUDBG_ONLY};
my ($step, $first) = @ARGV ? @ARGV : $all ? (1, 0) : (14, 1);
my $whole = $all && $step == 1 && !$ENV{GPUDBG_ONLY};
my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/cache";
$ENV{POCL_CACHE_DIR} = "$dir/cache";
Debian::need_compilers();

my %package = (
    silx => ['python3-silx', 'usr/lib/python3/dist-packages/silx/resources/opencl'],
    darktable => ['darktable', 'usr/share/darktable/kernels'],
    hashcat => ['hashcat-data', 'usr/share/hashcat/OpenCL'],
    pocl => ['pocl-tests', 'usr/share/pocl-tests'],
);

# What hashcat says to a compiler: it quotes the name of a file by macros, which no option of a command line keeps.
my %prelude = (hashcat => <<'END');
#define XM2S(x) #x
#define M2S(x) XM2S(x)
#define INCLUDE_PATH .
#define KERNEL_STATIC
#define VECT_SIZE 1
#define DEVICE_TYPE 4
#define VENDOR_ID 0x80000000u
#define DGST_R0 0
#define DGST_R1 1
#define DGST_R2 2
#define DGST_R3 3
#define DGST_ELEM 4
#define ATTACK_EXEC 11
#define ATTACK_KERN 0
#define ATTACK_MODE 0
END

# ---- Arguments ----

my $seed = 1;
sub one ($below) { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; return ($seed >> 8) % $below }
sub some ($n, $below) { return map { one($below) } 1 .. $n }
sub floats ($n) { return map { $_ / 65536 } some($n, 65536) }

sub scalar_word ($text) {
    return 'hex:' . unpack 'H*', pack 'f<*', split /,/, $1 if $text =~ /^f4:(.*)/;
    return 'hex:' . unpack 'H*', pack 'l<*', split /,/, $1 if $text =~ /^i2:(.*)/;
    return 'hex:' . unpack 'H*', pack 'c', $1 if $text =~ /^c(.*)/;
    return 'hex:' . unpack 'H*', pack 'q<', $1 if $text =~ /^L(.*)/;
    return $1 if $text =~ /^S(.*)/;
    return 'hex:' . unpack 'H*', $text =~ /^(.*)f$/ ? pack 'f<', $1 : pack 'l<', $text;
}

# The word of `launch` for an argument.
sub word ($text, $n) {
    return scalar_word($1) if $text =~ /^=(.*)/;
    return "local:$1" if $text =~ /^local(\d+)$/;
    return "zero:$1" if $text =~ /^z(\d+)$/;
    my ($bytes, $format) = ('', '');
    if ($text =~ /^(img|out)(\d+)x(\d+)(:r)?$/) {
        my $values = $2 * $3 * ($4 ? 1 : 4);
        $format = ($4 ? ':r32_float' : ':float4') . ":$2x$3";
        return 'zero:' . 4 * $values . $format if $1 eq 'out';
        $bytes = pack 'f<*', floats($values);
    } elsif ($text =~ /^([fFics])(\d+)(?::(\d+))?$/) {
        $bytes = $1 eq 'f' ? pack 'f<*', floats($2) : $1 eq 'F' ? pack 'f<*', map { 2 * $_ - 1 } floats($2)
            : pack { i => 'l<*', c => 'C*', s => 'S<*' }->{$1}, some($2, $3);
    } elsif ($text =~ /^css(\d+)$/) {
        $bytes = pack 'l<*', map { some(256, 26), 26 } 1 .. $1;
    } elsif ($text =~ /^cols(\d+)$/) {    # rows of eight, each to another column
        $bytes = pack 'l<*', map { 5 * $_ % 32 } 1 .. $1;
    } elsif ($text eq 'row') {
        $bytes = pack 'l<*', map { 8 * $_ } 0 .. 8;
    } else {
        die "argument $text\n";
    }
    Kernels::write_file("$dir/in$n", $bytes);
    return "\@$dir/in$n$format";
}

# Where numbers are apart; undef: nowhere.  $how: see the file of launches.
sub apart ($how, $want, $got) {
    return 'nothing was saved' if !defined $got;
    return 'of other sizes' if length $got != length $want;
    return $want eq $got ? undef : 'bytes differ' if $how eq 'bits';
    my $near = $how =~ /^float:(\d+)/ ? $1 * 2**-22 : 2e-6;
    my @w = unpack 'f<*', $want;
    my @g = unpack 'f<*', $got;
    for my $i (0 .. $#w) {
        next if $w[$i] != $w[$i] && $g[$i] != $g[$i] || $w[$i] == $g[$i];
        return "number $i: $g[$i], PoCL has $w[$i]" if !(abs($w[$i] - $g[$i]) <= $near + 2e-5 * abs $w[$i]);
    }
    return;
}

# ---- Launches ----

Kernels::write_file("$dir/for_eclipse.h", '');    # silx includes it, and does not ship it

open my $in, '<', "$FindBin::Bin/../data/oracle/launches" or die;
my @launches = grep { !/^\s*(?:#|$)/ } <$in>;
@launches = grep { /$ENV{GPUDBG_ONLY}/ } @launches if $ENV{GPUDBG_ONLY};
@launches = grep { !/ (?:basic|extended|negadoctor|shared)\.cl / } @launches if !$all;    # long to compile
my $kinds = 'uninitialised|race|barrier|wait|hazard|range|regions|bounds|scoreboard|array|extent';
# All of them, or one by turns.
my @debug = ('-g', '-g -cl-opt-disable');
my (%count, %objects, %kernels);
for my $n (0 .. $#launches) {
    next if $n % $step != $first % $step;
    my ($line, $options) = split /\s*\|\s*/, $launches[$n] =~ s/\s+$//r;
    my ($from, $file, $kernel, @words) = split ' ', $line;
    my (undef, $global, undef, $local, $how, @arguments) = @words;
    my ($package, $folder) = @{ $package{$from} };
    my $top = Debian::package_folder($package);
    if (!$top) {
        die "package $package cannot be downloaded\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
        SKIP: { skip "package $package cannot be downloaded", 1 }
        next;
    }
    my $path = "$top/$folder/$file";
    if ($prelude{$from}) {
        Kernels::write_file("$dir/$from-$file", qq($prelude{$from}#include "$file"\n));
        $path = "$dir/$from-$file";
    }
    $options = join ' ', grep { defined } $options, "-I $top/$folder -I $dir";
    my %not = map { $_ => 1 } $how =~ /\+(\w+)/g;
    $how =~ s/\+.*//;
    my @compared = grep { $arguments[$_] =~ /!$/ } 0 .. $#arguments;
    $seed = 1;
    my @args = map { word($arguments[$_] =~ s/!$//r, $_) } 0 .. $#arguments;
    my %pocl = eval {
        Kernels::run_opencl({ kernel => $kernel, global => $global, local => $local, args => [@args], source => $path,
            options => $options, save => { map { $_ => 'bits' } @compared } }, "$dir/pocl");
    };
    ok(scalar(keys %pocl), "$from: $kernel: PoCL runs it") or diag $@;
    my $made = "$dir/objects" . keys %objects;    # a file may be compiled with several options
    mkdir $made if !$objects{"$path $options"};
    my @also = $all ? @debug : $debug[$n % @debug];
    my %object = %{ $objects{"$path $options"} //= { Debian::objects($path, $options, $made, @also) } };
    my @more = grep { / -g/ } sort keys %object;
    for my $target ((grep { !/ -g/ } sort keys %object), $all ? @more : @more ? $more[$n % @more] : ()) {
        unlink glob "$dir/out*";
        my ($said) = gpudbg($object{$target}, commands('check all on', "launch $kernel -g $global -l $local @args",
            ('continue') x 6, 'info checks', map { "save arg $_ $dir/out$_" } @compared));
        my @reports = grep { /^Fault/ || (/: ($kinds): / && !$not{$1}) } split /\n/, $said;
        my @wrong = map {
            my $where = apart($how, $pocl{$_}, -e "$dir/out$_" ? Kernels::read_file("$dir/out$_") : undef);
            $where ? "argument $_: $where" : ();
        } grep { defined $pocl{$_} } @compared;
        $count{$target}{launches}++;
        $kernels{$target}{"$from $file $kernel"} = $from;
        $count{$target}{reports} += @reports;
        $count{$target}{pocl} += !!%pocl;
        is(scalar(@reports), 0, "$from, $target: $kernel: no report") or diag join "\n", @reports;
        like($said, qr/: $_: /, "$from, $target: $kernel: ... but $_, which is true") for sort keys %not;
        is(join('; ', @wrong), '', "$from, $target: $kernel: PoCL's results") or diag substr $said, 0, 600;
    }
}
for my $target (sort keys %count) {
    my %of;
    $of{$_}++ for values %{ $kernels{$target} };
    diag(sprintf '%s: %d kernels (%s), %d launches, %d of them also by PoCL, %d reports', $target,
        scalar keys %{ $kernels{$target} }, join(', ', map { "$_ $of{$_}" } sort keys %of),
        @{ $count{$target} }{qw(launches pocl reports)});
    cmp_ok(scalar keys %{ $kernels{$target} }, '>=', 100, "$target: kernels") if $whole && $target !~ / -g/;
}
done_testing();
