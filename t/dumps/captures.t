#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Real captures, where they lie beside the repository: every fault and register line of them is found, none is doubted,
# and other generations are refused by name.
use strict;
use warnings;
use FindBin;
use JSON;
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my ($folder) = grep { defined && -d } $ENV{GPUDBG_CAPTURES}, "$FindBin::Bin/../../../shared/captures";
plan skip_all => 'no captures beside the repository' unless $folder;

for my $file (sort glob "$folder/*") {
    my $name = $file =~ s{.*/}{}r;
    next if $name =~ /^README/ || !-f $file;
    open my $in, '<', $file or die;
    my @lines = <$in>;
    my @all = map { JSON->new->utf8->decode($_) } split /\n/,
        `'$program' --batch --json '$file' -e 'info dump' 2>/dev/null`;
    ok scalar(@all), "$name is read";
    my @status = grep { $_->{type} eq 'register' && $_->{name} eq 'VM_CONTEXT1_PROTECTION_FAULT_STATUS' } @all;
    my @written = grep { $lines[$_ - 1] =~ /FAULT_STATUS 0x/ } 1 .. @lines;
    is_deeply [map { $_->{line} } @status], \@written, "$name: every status of a fault, by line";
    is_deeply [grep { lc((split ' ', $lines[$_->{line} - 1])[-1]) ne sprintf '0x%08x', hex $_->{value} } @status], [],
        '... with its value';
    is scalar(grep { $_->{type} eq 'incident' && $_->{kind} eq 'vm-fault' } @all),
        scalar(grep { /VM fault \(/ } @lines), '... and every fault once';
    my @doubts = grep { $_->{type} eq 'note' && $_->{kind} =~ /mixed|disagrees|garbage|impossible/ } @all;
    is_deeply \@doubts, [], "$name: nothing in it is doubted";
    my ($capture) = grep { $_->{type} eq 'capture' } @all;
    my $foreign = $name =~ /gfx9-umr-(?:ring|test|wave)|gen4|gen5/;
    ok !$capture->{decoded}, "$name: another generation is not decoded" if $foreign;
    is $capture->{family}, 'gfx7', "$name: the generation" if $name =~ /gfx7/;
}
done_testing;
