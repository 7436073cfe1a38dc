#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `export`: pictures are well-formed, show what the listings say, need nothing else, and names of files stay text in
# them.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Copy 'copy';
use File::Temp 'tempdir';
use Gpudbg;
use MIME::Base64 qw(decode_base64);
use Png;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $file = 't/data/kernels/gfx7/matmul-O2.co';
sub text ($name) { open my $f, '<', "$dir/$name" or return ''; local $/; return scalar <$f> // '' }

# Elements open and close, one inside the other; attributes are quoted; & begins an entity.
sub well_formed ($text) {
    my @open;
    $text =~ s/<!doctype html>//;
    $text =~ s/<(?:meta)\b[^>]*>//g;
    $text =~ s{<style>.*?</style>}{}gs;
    return 'a bare &' if $text =~ /&(?!(?:lt|gt|amp|quot);)/;
    while ($text =~ m{<(/?)([a-z0-9]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(/?)>|(<)}g) {
        return "a bare < at " . pos $text if $5;
        next if $4;
        if (!$1) { push @open, $2; next }
        my $last = pop @open // 'nothing';
        return "</$2> closes $last" if $last ne $2;
    }
    return @open ? "open: @open" : '';
}

my @run = ('launch matmul_dynamic -g 32,32 -l 16,16 zero:4096 zero:4096 zero:4096 32 local:1024 local:1024',
    'stepi 300');
my @said = gpudbg($file, commands(@run, "export svg $dir/flow.svg flow", "export html $dir/flow.html flow",
    "export dot $dir/flow.dot flow", "export svg $dir/live.svg live", "export svg $dir/fields.svg fields",
    "export svg $dir/lanes.svg lanes", "export svg $dir/strip.svg strip", "export html $dir/report.html report"));
is($said[2], 0, 'all are written') or diag $said[1];
for my $name (qw(flow.svg flow.html live.svg fields.svg lanes.svg strip.svg report.html)) {
    my $text = text($name);
    cmp_ok(length $text, '>', 1000, "$name is written");
    is(well_formed($text), '', '... well-formed');
    like($text, qr/prefers-color-scheme: dark.*\@media print/s, '... for the dark and for paper');
    unlike($text =~ s{xmlns="http://www.w3.org/2000/svg"}{}gr, qr/https?:|<script|<link|url\(/,
        '... and needs nothing else');
}

# What they show is what the listings say.
my @blocks = records($file, commands('info blocks matmul_dynamic'));
my %edge = map { my $b = $_; map { ("$b->{from} $_" => 1) } split ' ', $b->{next} // '' } @blocks;
my $dot = text('flow.dot');
is(scalar(() = $dot =~ /->/g), scalar keys %edge, 'dot: an edge for each way on');
is(scalar(() = $dot =~ /label=/g), scalar @blocks, '... a box for each block');
is(scalar(() = text('flow.svg') =~ /class="(?:box|here)"/g), scalar @blocks, 'svg: a box for each block');
like(text('flow.svg'), qr/the wave is here/, '... where the wave is');
my ($most) = sort { $b <=> $a } map { $_->{vector} } records($file, commands('info pressure matmul_dynamic'));
like(text('live.svg'), qr/\b$most vector registers alive at most/, 'live: the peak of info pressure');
my @lanes = grep { ($_->{state} // '') eq 'executes' } records($file, commands(@run, 'info lanes'));
is(scalar(() = text('lanes.svg') =~ /class="on"/g), scalar @lanes, 'lanes: as info lanes has them');
like(text('report.html'), qr/<h2>$_</, "report: $_") for 'Kernels', 'Flow', 'Live registers', 'Where it ran';

# PNG: two pixels for one of the SVG's, with the same boxes in the same colours.
my @png = qw(fields flow live region strip timeline explain);
gpudbg($file, commands(@run, map { "export png $dir/$_.png $_" } @png, "lanes"));
for my $name (@png) {
    my ($signature, $wide, $high) = unpack 'a8x8NN', text("$name.png");
    is($signature, "\x89PNG\r\n\x1a\n", "$name as PNG");
    cmp_ok($wide * $high, '>', 10_000, '... of a size');
}
my ($wide, $high, $pixels) = png("$dir/lanes.png");
my ($w, $h) = text('lanes.svg') =~ /width="(\d+)" height="(\d+)"/;
is("$wide $high", 2 * $w . ' ' . 2 * $h, 'PNG: twice the SVG');
my ($on) = text('lanes.svg') =~ /--on:#([0-9a-f]{6})/;
my @boxes = text('lanes.svg') =~ /<rect x="([\d.]+)" y="([\d.]+)" width="30.0" height="26.0" class="(?:on|off|page)"/g;
my $lit = grep {
    my ($x, $y) = splice @boxes, 0, 2;
    my $at = 2 * ($y + 8 + 2) * $wide + 2 * ($x + 8 + 2);
    sprintf('%02x%02x%02x', @{$pixels->[$at]}) eq $on;
} 1 .. @boxes / 2;
is($lit, scalar @lanes, '... as many lanes are lit');

# An image is in the page as the file that `save image` writes.
gpudbg('share/demo/mandelbrot.co', commands('launch mandelbrot -g 80,24 -l 16,4 zero:1920 80 24 60', 'continue',
    "export svg $dir/image.svg image picture 8_unorm 80x24", "save image $dir/image.png picture 8_unorm 80x24"));
is(well_formed(text('image.svg')), '', 'an image');
my ($png) = text('image.svg') =~ m{href="data:image/png;base64,([^"]*)"};
is(decode_base64($png // ''), do { local (@ARGV, $/) = "$dir/image.png"; <> }, '... is the file of save image');

# Names of files and symbols are text.
my $evil = "$dir/<script>alert(1)<%2fscript>&.co";
copy($file, $evil) or die;
gpudbg($evil, commands("export html $dir/evil.html report"));
is(well_formed(text('evil.html')), '', 'a name with tags in it');
unlike(text('evil.html'), qr/<script/, '... is text');

# A report is sent to others: the folder of a person is not in it.
{
    local $ENV{HOME} = "$dir/jane";
    mkdir $ENV{HOME};
    copy($file, "$ENV{HOME}/m.co") or die;
    gpudbg("$ENV{HOME}/m.co", commands("export html $dir/sent.html report"));
    like(text('sent.html'), qr{~/m\.co}, 'a report names its file');
    unlike(text('sent.html'), qr/jane/, '... but no home folder');
}

my (undef, $errors, $status) = gpudbg($file, commands("export png $dir/x.png report", "export svg $dir/x.svg nothing",
    "export gif $dir/x.gif flow", "export svg $dir/x.svg lanes"));
is($status, 1, 'what cannot be exported');
like($errors, qr/report is not exported as png.*nothing cannot be exported.*gif is not svg/s, '... is named');
ok(!-e "$dir/x.svg", '... and writes no file');
done_testing;
