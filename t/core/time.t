#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Time on real kernels: the state at a position is the same whether one came to it from the launch, from the end, or by
# steps back and forth.  Names after `::` choose files or kernels, as in kernels.t.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Basename 'basename';
use File::Temp 'tempdir';
use Gpudbg 'sampled';
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my %only = map { $_ => 1 } @ARGV;

# Everything that a batch of commands prints; a command that fails is shown and gives nothing.
sub batch {
    my ($object, @commands) = @_;
    my $text = eval { Kernels::run($ENV{GPUDBG} // 'build/gpudbg', '--batch', $object, map { ('-e', $_) } @commands) };
    diag $@ unless defined $text;
    return $text // '';
}

sub hashes { return $_[0] =~ /^hash (0x[0-9a-f]+)/mg }

my $turn = 0;
for my $case (sampled(Kernels::cases())) {
    next if %only && !$only{ $case->{file} } && !$only{ $case->{kernel} };
    my @objects = @{ $case->{objects} } or next;
    my $object = $objects[$turn++ % @objects];
    my $title = Kernels::title($case) . ', ' . basename($object);
    my $launch = 'launch ' . join ' ', Kernels::launch_words($case, $dir);
    my ($end) = batch($object, $launch, 'continue') =~ /^Done: .*, (\d+) instructions/m;
    ok($end, "$title ends") or next;

    my $random = Kernels::generator($turn);
    my @at = sort { $a <=> $b } (0, map { ($random->() << 16 | $random->()) % ($end + 1) } 1 .. 6), $end;
    my @want = hashes(batch($object, $launch, map { ("goto $_", 'info hash') } @at));
    is(scalar @want, @at, "$title: a hash at each of " . @at . ' positions');

    my @order = map { $random->() % @at } 1 .. 14;
    my @back = hashes(batch($object, $launch, 'continue', map { ("goto $at[$_]", 'info hash') } @order));
    is_deeply(\@back, [@want[@order]], "$title: the same ones in any order, from the end");

    # The wave that is stepped is one that has run by then: wave 0.
    my @steps = hashes(batch($object, $launch, 'continue', 'wave 0', map {
        my $n = 1 + $random->() % 300;
        ("goto $at[$_]", "reverse-stepi $n", "stepi $n", "goto $at[$_]", 'info hash')
    } @order));
    is_deeply(\@steps, \@back, "$title: and after steps back and forth");

    # Nothing but the result may be left of a journey: memory at its end is that of a run without any.
    my @save = map { "save arg $_ $dir/gpudbg$_.bin" } sort keys %{ $case->{save} };
    batch($object, $launch, 'continue', @save);
    my %plain = Kernels::collect($case, $dir, 'gpudbg');
    batch($object, $launch, 'set history-budget 1', "goto $at[-2]", "goto $at[1]", "goto $at[3]", 'reverse-stepi',
        'continue', @save);
    my %journey = Kernels::collect($case, $dir, 'gpudbg');
    is_deeply(\%journey, \%plain, "$title: buffers after a journey are those of a plain run");
}

done_testing();
