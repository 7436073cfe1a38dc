#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `info scoreboard` against a model that walks programs: it visits every state that a thread can be in (where it is, who
# allocated each token last, which instructions ran in order last) and notes whom each instruction finds there.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;
use lib "$FindBin::Bin/lib";
use GenWords qw(word);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
srand 12;

# An instruction of a program: kind, scoreboard byte, and where it may go.
my %opcode = (mov => 0x61, math => 0x38, send => 0x31, sync => 1, jmpi => 0x20, while => 0x27, goto => 0x2e, end => 0x31);
sub encode {
    my ($i, $at) = @_;
    my @f = ([6, 0, $opcode{ $i->{kind} }], [15, 8, $i->{swsb}], [18, 16, 3]);
    push @f, [50, 50, 1], [63, 56, 10], [66, 66, 1], [79, 72, 20], [39, 36, 10], [43, 40, 10], [49, 48, 1], [87, 84, 4], [83, 81, 3], [65, 64, 1] if $i->{kind} =~ /mov|math/;
    push @f, [95, 92, 1] if $i->{kind} eq 'math';
    push @f, [50, 50, 1], [63, 56, 10], [66, 66, 1], [79, 72, $i->{kind} eq 'end' ? 120 : 20], [95, 92, 0xc], [71, 67, 2], [34, 34, $i->{kind} eq 'end'] if $i->{kind} =~ /send|end/;
    push @f, [46, 46, 1], [47, 47, $i->{kind} eq 'goto'], [127, 96, ($i->{to} - $at) * 16 & 0xffffffff], [95, 64, (($i->{uip} // $at) - $at) * 16 & 0xffffffff],
        [33, 33, $i->{b} // 0], [27, 24, $i->{pred} // 1] if defined $i->{to};
    return word(@f);
}

sub random_program {
    my $n = 6 + int rand 12;
    my @program;
    for my $k (0 .. $n - 1) {
        my $kind = (qw(mov mov mov math send sync jmpi while goto))[rand 9];
        my %i = (kind => $kind, swsb => 0);
        my ($token, $distance) = (int rand 3, 1 + int rand 7);
        if ($kind eq 'mov') { $i{swsb} = (0, $distance, 0x20 + $token, 0x30 + $token, 0x80 + 16 * $distance + $token)[rand 5] }
        if ($kind =~ /math|send/) { $i{swsb} = (0x40 + $token, 0x40 + $token, 0x80 + 16 * $distance + $token, 0x20 + $token)[rand 4] }
        if ($kind eq 'sync') { $i{swsb} = (0x20 + $token, 0x30 + $token, $distance)[rand 3] }
        if ($kind =~ /jmpi|while|goto/) {
            $i{to} = int rand $n;
            $i{pred} = $kind eq 'jmpi' ? int rand 2 : 1;
            $i{b} = 1, $i{uip} = int rand $n if $kind eq 'goto' && rand() < .5;
            $i{uip} //= $i{to};
            $i{swsb} = (0, $distance)[rand 2];
        }
        push @program, \%i;
    }
    push @program, {kind => 'end', swsb => 0};
    return @program;
}

# {"address dependency" => sorted producers}: by visiting states.
sub model {
    my (@program) = @_;
    my (%found, %seen);
    my @todo = ([0, {}, []]);
    while (my $state = pop @todo) {
        my ($at, $token, $order) = @$state;
        my $key = join '|', $at, (map { $token->{$_} // '-' } 0 .. 15), @$order;
        next if $at > $#program || $seen{$key}++;
        my $i = $program[$at];
        my $out = $i->{kind} =~ /math|send|end/;
        my ($distance, $wait, $allocates) = (0);
        my $byte = $i->{swsb};
        if ($byte >= 0x80) { $distance = $byte >> 4 & 7; if ($out) { $allocates = $byte & 15 } else { $wait = '$' . ($byte & 15) . '.dst' } }
        elsif ($byte >= 0x40) { $allocates = $byte & 15 }
        elsif ($byte >= 0x20) { $wait = '$' . ($byte & 15) . ($byte >= 0x30 ? '.src' : '.dst') }
        else { $distance = $byte }
        if ($distance) {
            my $set = $found{"$at \@$distance"} //= {};
            $set->{ $order->[$distance - 1] }++ if @$order >= $distance;
        }
        if ($wait) {
            my $set = $found{"$at $wait"} //= {};
            my ($n) = $wait =~ /(\d+)/;
            $set->{ $token->{$n} }++ if defined $token->{$n};
        }
        my %token = %$token;
        $token{$allocates} = $at if defined $allocates;
        my @order = $i->{kind} =~ /^(?:mov|jmpi|while|goto)$/ ? ($at, @$order) : @$order;
        splice @order, 7 if @order > 7;
        next if $i->{kind} eq 'end';
        my @next = $i->{kind} eq 'jmpi' && !$i->{pred} ? () : ($at + 1);
        push @next, $i->{to} if defined $i->{to};
        push @next, $i->{uip} if $i->{b};
        push @todo, [$_, \%token, \@order] for @next;
    }
    return { map { $_ => join ' ', sort { $a <=> $b } keys %{ $found{$_} } } keys %found };
}

my ($programs, $dependencies, $several, @wrong) = (0, 0, 0);
for (1 .. 120) {
    my @program = random_program();
    open my $f, '>:raw', "$dir/code" or die;
    print $f map { encode($program[$_], $_) } 0 .. $#program;
    close $f;
    my $want = model(@program);
    my %got;
    for (`$gpudbg --batch --json --isa gen12 --raw $dir/code -e 'info scoreboard'`) {
        my $r = decode_json($_);
        next unless ($r->{type} // '') eq 'scoreboard' && ($r->{dependency} // '') =~ /^@|\.(?:dst|src)$/;
        my $producers = $r->{producers} // '';
        next if $producers =~ /\.\.\.$/; # more than are listed
        $got{ hex($r->{addr}) / 16 . " $r->{dependency}" } = join ' ', map { hex($_) / 16 } $producers =~ /0x[0-9a-f]+/g;
    }
    $programs++;
    for my $key (sort keys %$want) {
        next unless exists $got{$key} || $want->{$key} !~ /(?: \d+){6}/;
        $dependencies++;
        $several++ if $want->{$key} =~ / /;
        push @wrong, "program $programs: $key waits for '" . ($got{$key} // 'nothing listed') . "', not '$want->{$key}'" if ($got{$key} // 'none') ne $want->{$key};
    }
}
cmp_ok $dependencies, '>', 500, "$programs programs with $dependencies dependencies";
cmp_ok $several, '>', 100, "... $several of them on several instructions, across branches";
is scalar @wrong, 0, 'every instruction waits for those that the model finds' or diag join "\n", @wrong[0 .. ($#wrong > 5 ? 5 : $#wrong)];

# What compilers mean by a distance across a branch: shl r72; csel; if; send of r72 with @3.
{
    open my $f, '>:raw', "$dir/branch" or die;
    print $f map { encode($_->[0], $_->[1]) } [{kind => 'mov', swsb => 0}, 0], [{kind => 'mov', swsb => 0}, 1], [{kind => 'goto', swsb => 0, to => 3, uip => 3}, 2],
        [{kind => 'send', swsb => 0xb0}, 3], [{kind => 'end', swsb => 0}, 4];
    close $f;
    like `$gpudbg --batch --isa gen12 --raw $dir/branch -e 'info scoreboard'`, qr/^ 0x0030 +send .*\@3 +0x0000 mov/m, 'a branch counts in a distance';
}

# A kernel of a compiler: every wait has somebody to wait for.
my $text = `$gpudbg --batch $FindBin::Bin/data/kernels/gen12/flow.ze -e 'info scoreboard'`;
unlike $text, qr/nothing before it/, 'flow: no wait without a producer';
like $text, qr/^ 0x[0-9a-f]+ +send +\|*o/m, 'tokens are drawn from where they are allocated';
done_testing;
