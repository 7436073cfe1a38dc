#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Every row of every instruction set can be tried, by the examples that `help insn` gives; what changes is what changes
# in a launched kernel of the same bytes, stepped once.  One row in three; TRY_ALL=1 takes all.
use strict;
use warnings;
no warnings 'portable'; # numbers of 64 bits
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $json = eval { require JSON::XS; JSON::XS->new } // JSON::PP->new; # the other is slow
my %table = (gfx6 => 'gcn', gfx7 => 'gcn', 'gfx7-pro' => 'gcn', gen7 => 'gen', 'gen7.5' => 'gen', gen12 => 'gen');
my %inputs = (
    gcn => 'v0=0x40400000 v1=3 v2=-5 v3=7 s0=0x3fc00000 s1=9 s2=0 s3=0x27fac m0=64 vcc=0xf0f0 lds=256',
    gen => 'r0=0x3f800000 r1=3 r2=5 r3=7 f0=0x5555',
);
my %launch = (
    gcn => '-g 64 -l 64 v[0]=0x40400000 v[1]=3 v[2]=-5 v[3]=7 s[0]=0x3fc00000 s[1]=9 s[2]=0 s[3]=0x27fac m0=64 '
        . 'vcc=0xf0f0 lds=256',
    gen => '-g 32 -l 32 simd=32 ' . join(' ', map { "r$_->[0]=" . join ',', ("u32:$_->[1]") x 8 }
        [0, 0x3f800000], [1, 3], [2, 5], [3, 7]),
);

for my $isa (sort keys %table) {
    my $set = $table{$isa};
    my $source = slurp("decoders/$set/ops.def");
    my @name = $set eq 'gcn' ? $source =~ /^OP\(\w+, (?:\d+|CODES\([^)]*\)), (\w+)/mg : $source =~ /^OP\(\w+, (\w+)/mg;
    my %name = map { $_ => 1 } @name;
    SKIP: {
        skip 'no source beside the tests', 1 unless %name;
        my $script = spill("$dir/help", join '', map { "help insn $_\n" } sort keys %name);
        my ($help) = gpudbg('--json', '--isa', $isa, '-x', $script);
        my @rows = grep { /^\{"type":"opcode","isa":"\Q$isa\E"/ } split /\n/, $help;
        my @all = map { /"example":"([^"]+)"/g } @rows;
        my @examples = sampled($ENV{TRY_ALL} ? @all : @all[grep { $_ % 3 == 0 } 0 .. $#all]);
        cmp_ok(scalar @examples, '>', 13 / ($ENV{GPUDBG_SAMPLE} || 1), "$isa: " . @examples . ' examples');
        my $cases = spill("$dir/cases", join '', map { "$_  $inputs{$set}\n" } @examples);
        my ($out, $err, $status) = gpudbg('--json', '--isa', $isa, '-e', "try -f $cases");
        like($status, qr/^[02]$/, "$isa: all are tried");
        my @tried = grep { $_->{type} eq 'tried' } map { $json->decode($_) } grep { /^\{/ } split /\n/, $out;
        cmp_ok(scalar @tried, '>=', 0.8 * @examples, "$isa: " . @tried . ' have an answer')
            or diag join "\n", (split /\n/, $err)[0 .. 5];
        next unless $launch{$set};
        my ($n, @lines, @want) = (0);
        for my $t (grep { $_->{ended} eq 'done' } @tried) {
            my $file = spill("$dir/" . $n++ . '.bin', pack 'H*', $t->{bytes});
            my @changed = grep { $_->{register} !~ /^(?:status|ip)$/ } @{ $t->{changed} };
            push @lines, "file --raw --isa $isa $file", 'launch ' . $launch{$set}, 'stepi';
            for my $c (@changed) {
                my $lane = $c->{lanes} ? index(scalar reverse(sprintf '%b', hex $c->{lanes}), '1') : undef;
                push @lines, "output/x \$$c->{register}" . (defined $lane ? "[$lane]" : ''), 'echo \n';
                push @want, [$t->{text}, $c->{register}, $c->{after}];
            }
        }
        my ($said) = gpudbg('--isa', $isa, '-x', spill("$dir/script", join "\n", @lines, ''));
        my @got = $said =~ /^(0x[0-9a-f]+|\{.*\})$/mg;
        is(scalar @got, scalar @want, "$isa: " . @want . ' registers changed in the launched kernels, too');
        my @differ = grep { normal($got[$_] // '') ne $want[$_][2] } 0 .. $#want;
        is(scalar @differ, 0, '... to the same values')
            or diag map { "$want[$_][0]: $want[$_][1]: $got[$_], not $want[$_][2]\n" } grep { defined } @differ[0 .. 4];
    }
}
# A wide register is shown as its dwords, the lowest first.
sub normal {
    my ($value) = @_;
    return $value =~ s/^0x0*(?=.)/0x/r if $value !~ /^\{/;
    my $all = join '', reverse map { sprintf '%08x', hex } $value =~ /0x([0-9a-f]+)/g;
    return '0x' . ($all =~ s/^0+(?=.)//r);
}
done_testing();
