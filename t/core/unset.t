#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What nobody wrote, in compiled code (t/data/kernels/unset.cl): `check uninitialised` is silent about vectors of three,
# whose fourth element is computed with, and finds values of which a part was never written where they leave or decide.
# The report names where the value was born, which the source says, and the variable.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Kernels;
use Test::More;

my $kernels = Kernels::source_dir();
my @source = split /\n/, Kernels::read_file("$kernels/unset.cl");
my ($born) = grep { $source[$_ - 1] =~ m{// born} } 1 .. @source;
my %found = (stored_wider => qr/^what is stored to out\+0x0 was never written/,
    stored_from_local => qr/^what is stored to out\+0x0 was never written/,
    summed => qr/^what is stored to out\+0x0 was never written/, decided => qr/nothing was ever written there$/);
my %origin = (stored_from_local => qr/^local memory 0x0, of p \(ushort\[64\]\), was loaded at .*unset\.cl/,
    summed => qr/^scratch\+0x\w+, of a \(int\[8\]\), was loaded at summed\+0x\w+ \(unset\.cl:$born\); given on at/,
    decided => qr/^scratch\+0x\w+, of a \(int\), was loaded at decided/);
my @sound = map { my $type = $_; map { "sound_${type}_$_" } qw(add swizzle condition convert loop) }
    qw(uchar short int float);

sub checks ($file, $launch) {
    return grep { $_->{type} eq 'check' } records($file,
        commands('check uninitialised on', "launch $launch", ('continue') x 4, 'info checks'));
}

for my $level ('O0', 'O2') {
    my $file = "$kernels/gfx7/unset-$level-g.co";
    for my $kernel (sampled(@sound)) {
        is(join('; ', map { $_->{message} } checks($file, "$kernel -g 64 -l 64 zero:1024 random:1024 1")), '',
            "$level $kernel: silence");
    }
    for my $kernel (sort keys %found) {
        # The optimiser takes a value that nobody wrote for any that it likes: only the LDS keeps it.
        next if $level eq 'O2' && $kernel ne 'stored_from_local';
        my ($check) = checks($file, "$kernel -g 64 -l 64 zero:1024 0");
        like($check->{message} // 'nothing', $found{$kernel}, "$level $kernel: found");
        like($check->{origin} // '', $origin{$kernel}, '... where it was born') if $origin{$kernel};
        my @written = checks($file, "$kernel -g 64 -l 64 zero:1024 1");
        is(join('; ', map { $_->{message} } @written), '', '... silence, written');
    }
}
done_testing();
