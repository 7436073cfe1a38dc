#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The screen for code whose operands are regions: the picture of the pane is that of `print region`; rows of registers
# are cut by type; a thread that runs moves indirect operands and masks.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;
use lib "$FindBin::Bin/../lib";
use GenWords qw(word gen7);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
my $kernel = "t/data/kernels/gen12/saxpy.ze";
delete @ENV{qw(NO_COLOR XDG_CONFIG_HOME)};
$ENV{HOME} = $dir;

sub run {
    my ($locale, @args) = @_;
    local $ENV{LC_ALL} = $locale;
    open my $f, '-|', 'sh', '-c', 'exec "$0" "$@" 2>&1', $gpudbg, '--batch', @args or die;
    local $/;
    return scalar <$f>;
}
sub commands { map { ('-e', $_) } @_ }
sub picture {
    my ($size, $open, @c) = @_;
    unlink "$dir/shot";
    run('C', '--screen', $size, @$open, commands(@c, "screenshot $dir/shot"));
    open my $f, '<', "$dir/shot" or return '';
    local $/;
    return scalar <$f>;
}

my @launch = ('launch saxpy -g 64 -l 32 zero:256 fill:256:1 2.0 50');
for my $size ('80x40', '200x60') {
    my $screen = picture($size, [$kernel], @launch, 'stepi 5');
    my ($region) = $screen =~ /^-region[^\n]*\n(.*?)^-prompt/ms;
    my $printed = run('C', $kernel, commands(@launch, 'stepi 5', $size eq '200x60' ? 'set width 200' : 'echo',
        'print region'));
    my @want = grep { /^ *(?:r\d|src|dst|mask|0 )/ && !/instruction/ } split /\n/, $printed;
    my @missing = grep { my $row = $_; $row =~ s/\s+$//; index($region // '', $row) < 0 } @want;
    cmp_ok scalar @want, '>', 5, "$size: there is a picture to compare";
    is_deeply \@missing, [], "$size: the pane shows what print region prints";
}

# Rows of registers.
my $screen = picture('200x60', [$kernel], @launch, 'stepi 7', 'focus rows', 'pane format d');
like $screen, qr/r12 +\| +0\| +\*1\| +\*2\| +\*3\| +\*4\| +\*5\| +\*6\| +\*7\|/, 'r12 as eight dwords between borders';
$screen = picture('200x60', [$kernel], @launch, 'stepi 7', 'focus rows', 'pane format uw');
like $screen, qr/r12 +\| +0\| +0\| +\*1\| +\*0\| +\*2\| +\*0\|/, '... and as sixteen words';
like $screen, qr/f0 +-{8} -{8} -{8} -{8}/, 'flags as channel bits';
like $screen, qr/runs +#{8} #{8} #{8} #{8}/, 'so is the mask of those that run';

# At 80 columns a row of 32 bytes stands on one line where its elements have room, else on two; masks keep all their
# channels.
my %want = (f => qr/^ r1 +(\|[^|]{7}){8}\|$/m, d => qr/^ r1 +(\|[^|]{7}){8}\|$/m, df => qr/^ r1 +(\|[^|]{15}){4}\|$/m,
    uw => qr/^ r1 +(\| +\d+){8}\|\n +(\| +\d+){8}\|$/m, hf => qr/^ r1 +(\|[^|]{7}){8}\|\n +(\|[^|]{7}){8}\|$/m);
like picture('80x24', [$kernel], @launch, 'stepi 7', 'focus rows', "pane format $_", 'pane down', 'zoom'), $want{$_},
    "80 columns, :$_" for sort keys %want;
like picture('80x24', [$kernel], @launch, 'stepi 7'), qr/runs #{8} #{8} #{8}\s*\n.*\| +#{8}\s*$/m,
    'a narrow pane shows all channels of a mask';

# Lines of the scoreboard: of each instruction under the cursor the heavy ones end at those that it waits for and that
# wait for it, as the listing says; across branches, too.
my $loops = "t/data/kernels/gen12/floyd_warshall.bin";
my %with;
for my $row (map { /"type":"scoreboard"/ ? decode_json($_) : () } split /\n/,
    run('C', '--json', $loops, commands('info scoreboard'))) {
    my $at = sprintf '%04x', hex $row->{addr};
    for my $producer (($row->{producers} // '') =~ /0x([0-9a-f]{4,})/g) {
        $with{$at}{$producer} = $with{$producer}{$at} = 1 }
}
my $lines = 0;
for my $at ((sort { keys %{ $with{$b} } <=> keys %{ $with{$a} } || $a cmp $b } keys %with)[0 .. 19]) {
    my $shot = picture('150x400', [$loops], "focus code", "pane goto 0x$at", 'zoom');
    my %ends = map { /^.{3}([0-9a-f]{4,}) .*?[#=][o>*] / ? ($1 => 1) : () } split /\n/, $shot;
    my @want = grep { $_ ne $at } sort keys %{ $with{$at} };
    is_deeply [grep { $_ ne $at } sort keys %ends], \@want, "$at: lines to " . join(' ', @want) or diag $shot;
    $lines += @want;
}
cmp_ok $lines, '>', 40, 'lines were compared';

# Indirect: a0.0 = 64, then an element a channel from where a0 says; a flag masks two channels of four.
my $code = join '', gen7(exec => 1, no_mask => 1, dst => {type => 'uw', file => 0, reg => 0x10, sub => 0, h => 1},
    src0 => {type => 'uw', reg => 20, sub => 0, v => 0, w => 1, h => 0}),
    gen7(exec => 8, dst => {type => 'd', reg => 1, sub => 0, h => 1},
    src0 => {type => 'd', indirect => 1, reg => 0, sub => 8, v => 8, w => 8, h => 1});
open my $f, '>:raw', "$dir/code" or die;
print $f $code;
close $f;
my $out = run('C', '--json', '--isa', 'gen7', '--raw', "$dir/code",
    commands('launch -g 8 -l 8', 'set $r20 = 64', 'stepi', 'print region'));
my ($record) = map { decode_json($_) } grep { /"type":"region"/ } split /\n/, $out;
my ($source) = grep { $_->{role} eq 'src0' } @{ $record->{operands} // [] };
is join(' ', map { "$_->{channel}:$_->{register}+$_->{byte}" } @{ $source->{elements} // [] }),
    join(' ', map { my $at = 64 + 8 + 4 * $_; "$_:r" . ($at >> 5) . '+' . ($at & 31) } 0 .. 7),
    'an indirect operand is where a0 points while the thread runs' or diag $out;

# What has to run again is not run for every picture.
my $long = picture('180x20', ['--demo=dg1'], 'launch -g 1048576 -l 64 zero:8388608 250', 'continue',
    'layout code:8|messages:20;prompt:4');
like $long, qr/instructions would run again for each look: ask with `info`/,
    'messages of a long run are not looked for while drawing';
# Hex is never cut off at its end, where the digits are that count.
{
    my $rows = `@{[$ENV{GPUDBG} // 'build/gpudbg']} --batch --screen 160x45 t/data/kernels/gen12/saxpy-g.bin \\
        -e 'launch -g 32 -l 32 zero:128 zero:128 2 32' -e 'stepi 8' -e 'focus rows' -e 'pane format x' -e screenshot`;
    my ($first, $second) = $rows =~ /\*r6 +(.*?)\s*\n[^\n]*?\W{3,8}(\s*0000000c.*?)\s*\n/;
    is_deeply [($first // '') =~ /\b([0-9a-f]{8})\b/g, ($second // '') =~ /\b([0-9a-f]{8})\b/g],
        [map { sprintf '%08x', $_ } 8 .. 15], 'a wide pane shows whole dwords of hex';
}

done_testing;
