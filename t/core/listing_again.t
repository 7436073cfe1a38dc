#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# A listing remembers instructions that it met before, branches too.  Code that stands in a file several times has the
# text that it has alone, with its labels moved.
use v5.36;
use lib 't/lib';
use Test::More;
use File::Temp qw(tempdir);
use Kernels;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);

sub listing {
    my ($isa, $command, $bytes) = @_;
    Kernels::write_file("$dir/code.bin", $bytes);
    return `$gpudbg --batch --raw --isa $isa -e '$command' $dir/code.bin 2>&1` =~ s/^program\d+:\n//gmr;
}

# The text of code that stands `$by` bytes further on.
sub moved {
    my ($text, $by) = @_;
    return $text =~ s/\bL([0-9a-f]{4,})\b/sprintf 'L%04x', hex($1) + $by/ger =~
        s/^([0-9a-f]{4,}):/sprintf '%04x:', hex($1) + $by/germ;
}

my %code = (gfx7 => [pack 'L<*', 0x7e000280, 0xbf85fffe, 0xbf840002, 0xbf850001, 0xd2000000, 0x00010101, 0xbf82fff9,
    0xbf86fffd, 0xbf810000]);
for my $name (qw(break_continue histogram reduce_f32)) {
    my $bytes = Kernels::read_file(Kernels::source_dir() . "/gen12/$name.krn") =~ s/(?:\0{16})+\z//r;
    push @{$code{gen12}}, $bytes . "\0" x (-length($bytes) % 16);
}
# What begins a program has a name of its own: no branch goes to a first instruction, which is a nop.
my %first = (gfx7 => pack('L<*', (0xbf800000) x 4), gen12 => "\x60" . "\0" x 15);
for my $isa (sort keys %code) {
    for my $bytes (map { $first{$isa} . $_ } @{$code{$isa}}) {
        for my $command ('disassemble /a', 'disassemble /r') {
            my $alone = listing($isa, $command, $bytes);
            like $alone, qr/ \S.*\bL[0-9a-f]{4}\b/, "$isa, $command: there are branches";
            my $thrice = listing($isa, $command, $bytes x 3);
            is $thrice, join('', map { moved($alone, $_ * length $bytes) } 0 .. 2), '... three times: the same text';
        }
    }
}
done_testing;
