#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What the screen looks like: each demo, and two dumps, at four sizes, in UTF-8 and in ASCII, with colours and without.
# t/data/screens/golden has a file for each scene: for each size the two texts, and under each other for both themes
# which style every cell has, a letter a cell.  GPUDBG_UPDATE_SCREENS=1 writes them anew: look at the difference
# before you believe it.  That numbers on them are right is checked by t/ui/screen.t and t/ui/panes.c.
use strict;
use warnings;
use utf8;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use ConsoleShader;
use Gpudbg qw(gpudbg commands);
use Test::More;

my $dir = tempdir(CLEANUP => 1);
delete @ENV{qw(NO_COLOR XDG_CONFIG_HOME)};
$ENV{HOME} = $dir;
binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

sub slurp { open my $f, '<:utf8', $_[0] or return ''; local $/; <$f> }
sub text { my ($t) = @_; $t =~ s/&lt;/</g; $t =~ s/&gt;/>/g; $t =~ s/&quot;/"/g; $t =~ s/&amp;/&/g; return $t }

# The styles of a page, a letter a cell and a row a line; first what each letter looks like.
sub styles {
    my ($page) = @_;
    my ($pre) = $page =~ m{<pre [^>]*>\n(.*)</pre>}s or return '';
    my (%letter, @legend, $rows);
    for my $row (split /\n/, $pre) {
        my ($looks, $line) = ('', '');
        for my $piece ($row =~ /(<[^>]*>|[^<]+)/g) {
            if ($piece =~ /^<\//) { $looks = '' }
            elsif ($piece =~ /^<\w+ (?:class|style)="([^"]*)"/) { $looks = $1 }
            else {
                if (length $looks && !$letter{$looks}) {
                    my $n = keys %letter; # pictures have more colours than there are letters
                    $letter{$looks} = ('A' .. 'Z', 'a' .. 'z')[$n] // chr 0x100 + $n;
                    push @legend, "$letter{$looks} $looks\n";
                }
                $line .= ($letter{$looks} // '.') x length text($piece);
            }
        }
        $rows .= ($line =~ s/\.+\z//r) . "\n";
    }
    return join('', @legend) . $rows;
}

open my $pixel, '>:raw', "$dir/pixel.bin" or die;
print $pixel ConsoleShader::pixel();
close $pixel;

my $histogram = 'launch histogram -g 256 -l 128 zero:1024 @share/demo/histogram.cl 700';
my @scenes = (
    # name, how to open, commands, the sizes if not all four
    (map { [$_, ["--demo=$_"], ['stepi 24', 'stepi']] } qw(collatz dg1 histogram il mandelbrot matmul)),
    # A multiplication that waits for three loads by their tokens, on DG2.
    ['dg2', ['t/data/kernels/gen12.5/saxpy.bin'], ['launch saxpy -g 64 -l 32 fill:256:1 fill:256:2 2.5 64', 'stepi 22'],
        '80x24 160x50'],
    ['umr', ['t/data/dumps/umr.txt'], []],
    ['kernel-log', ['t/data/explain/fault-interrupt-gfx7.log'], []],
    (map { [$_->[0], ['t/data/kernels/gfx10/histogram-O2-w64.co'], [$histogram, @$_[1 .. $#$_]], '80x24 160x50'] } (
        ['compare', 'continue', 'diff positions 20 60', 'key s', 'key ]', 'key y'],
        ['ribbon', 'watch arg0[97]', 'continue', 'layout timeline', 'key y'])),
    ['wave32', ['t/data/kernels/gfx10/divergence-O2.co'],
        ['launch nested_ifs -g 64 -l 64 zero:256 @share/demo/histogram.cl', 'stepi 30', 'stepi'], '80x24'],
    ['waves-gfx1030', ['t/data/kernels/gfx10/divergence-O2.co', 't/data/dumps/waves-gfx1030.txt'], [], '80x24'],
    # A pixel shader of the console, run past its export and stepped back from it.
    ['console-pixel', ["$dir/pixel.bin"], [ConsoleShader::launch('@share/demo/histogram.cl'), 'break *0x20', 'continue',
        'stepi', 'reverse-stepi'], '80x24 160x50'],
    ['picture', ['--demo=mandelbrot'], ['continue', 'goto 9000', 'set picture blocks', 'layout picture'],
        '80x24 160x50'],
);
my @shots = qw(shot.txt shot.html plain shot-plain.html); # under the usual theme, and under the one without colours
for my $scene (@scenes) {
    my ($name, $open, $commands, $sizes) = @$scene;
    my $all = '';
    for my $size (split / /, $sizes // '50x15 80x24 120x40 200x60') {
        my ($columns, $rows) = split /x/, $size;
        my $got = '';
        for my $locale (qw(C.UTF-8 C)) {
            unlink glob "$dir/shot*";
            local $ENV{LC_ALL} = $locale;
            gpudbg('--screen', $size, @$open,
                commands(@$commands, map { $_ eq 'plain' ? 'theme plain' : "screenshot $dir/$_" } @shots));
            my $text = slurp("$dir/shot.txt");
            my @lines = split /\n/, $text, -1;
            is scalar(@lines) - 1, $rows, "$name $size $locale: as many rows as the screen has";
            my ($longest) = sort { $b <=> $a } map { length } @lines;
            cmp_ok($longest, '<=', $columns, '... none longer than it') if $locale eq 'C';
            unlike $text, qr/[^\x20-\x7e\n]/, '... in ASCII' if $locale eq 'C';
            my ($with, $without) = map { styles(slurp("$dir/$_")) } 'shot.html', 'shot-plain.html';
            $got .= "== $locale\n$text";
            $got .= "== colours\n$with== no colours\n$without" if $locale ne 'C';
        }
        $all .= "=== $size\n$got";
    }
    my $file = "t/data/screens/golden/$name.txt";
    if ($ENV{GPUDBG_UPDATE_SCREENS}) {
        open my $f, '>:utf8', $file or die "$file: $!";
        print $f $all;
        close $f;
    }
    is $all, slurp($file), "$name: text and styles, in UTF-8 and ASCII";
}
done_testing;
