#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of the screen: SVG and HTML hold the rows of the plain picture, each glyph at its place, with the theme's
# colours.
use strict;
use warnings;
use utf8;
use File::Temp qw(tempdir);
use Test::More;

my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
delete @ENV{qw(NO_COLOR XDG_CONFIG_HOME)};
@ENV{qw(HOME LC_ALL)} = ($dir, 'C.UTF-8');
binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

sub slurp { open my $f, '<:utf8', "$dir/$_[0]" or return ''; local $/; <$f> }
sub text { my ($t) = @_; $t =~ s/&lt;/</g; $t =~ s/&gt;/>/g; $t =~ s/&amp;/&/g; return $t }
sub trimmed { return map { s/ +\z//r } @_ }

for my $demo (qw(mandelbrot dg1 il)) {
    my @shots = map { ('-e', "screenshot $dir/$_") } 'a.txt', 'a.svg', 'light.svg light', 'a.html', 'light.html light';
    # A bracket that HTML must not take for a tag.
    open my $said, '-|', $program, '--batch', "--demo=$demo", '--screen', '100x30', '-e', 'stepi 20', '-e',
        'echo <b>&amp;</b>', @shots
        or die $!;
    my @said = <$said>;
    ok close $said, "$demo: pictures are written";
    my @want = split /\n/, slurp('a.txt');
    cmp_ok scalar(@want), '>', 25, '... of a whole screen';
    for my $name ('a.html', 'light.html') {
        my ($pre) = slurp($name) =~ m{<pre [^>]*>\n(.*)</pre>}s;
        is_deeply [trimmed(split /\n/, text($pre =~ s/<[^>]*>//gr))], \@want, "$demo: $name has the same text";
    }
    for my $name ('a.svg', 'light.svg') {
        my @grid = map { [(' ') x 100] } @want;
        for (slurp($name) =~ m{(<text .*?</text>)}g) {
            my ($x, $y, $length, $said) = /x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"[^>]*>(.*?)</ or die $_;
            my @glyph = split //, text($said);
            is scalar @glyph, sprintf('%.0f', $length / 8.4),
                "a run is as long as its glyphs: $said" if @glyph != sprintf '%.0f', $length / 8.4;
            $grid[int($y / 17)][sprintf('%.0f', $x / 8.4) + $_] = $glyph[$_] for 0 .. $#glyph;
        }
        is_deeply [trimmed(map { join '', @$_ } @grid)], [trimmed(map { tr/\x{2500}-\x{257f}/ /r } @want)],
            "$demo: $name has each glyph at its place; lines are drawn";
        my ($rows) = map { scalar grep { /\x{2502}/ } @$_ } \@want;
        cmp_ok scalar(() = slurp($name) =~ /<path /g), '>=', 2 * $rows, '... as lines';
    }
    isnt slurp('a.svg'), slurp('light.svg'), 'the grounds differ';
    unlike slurp($_), qr/[\x00-\x09\x0b-\x1f\x7f-\x9f]/, "$_ has no control characters" for 'a.svg', 'a.html';
}
like `$program --batch --demo --screen 80x24 -e 'screenshot $dir/x.svg blue' 2>&1`,
    qr/the ground is dark or light, not 'blue'/, 'another ground is refused';
ok !-e "$dir/x.svg", '... and nothing is written';
done_testing;
