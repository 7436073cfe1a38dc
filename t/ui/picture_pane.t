#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The pane picture shows the bytes of the buffer as they are where the program stands, and names who wrote the texel
# under its cursor; the pane timeline, when a watched value is read and written, and what it comes from.  Looking at
# either changes nothing.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Pty;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $kernels = 't/data/kernels';
my $constants = 'cb0=hex:50000000180000003c00000000000000';
for (['sum_a', 7, 3], ['sum_b', 41, 5]) {
    my ($name, $by, $times) = @$_;
    open my $f, '>:raw', "$dir/$name" or die;
    print $f pack 'f<*', map { $_ * $times % $by } 0 .. 80 * 24 - 1;
    close $f;
}
# Name, how to open, launch, buffer; 80 x 24 bytes each.  Of floats their number of bytes, the words that choose it.
my @cases = (
    ['gfx7', "$FindBin::Bin/../../share/demo/mandelbrot.co", 'launch mandelbrot -g 80,24 -l 16,4 zero:1920 80 24 60',
        'picture', 80, 24],
    ['AMD IL', "$kernels/il/mandelbrot.il", "launch -g 80,24 -l 16,4 uav0=zero:1920 $constants", 'uav0', 80, 24],
    ['gfx10', "$kernels/gfx10/vector_add-O2-v4.co",
        "launch vadd_f32 -g 1920 -l 64 zero:7680 \@$dir/sum_a \@$dir/sum_b 1920", 'arg0', 80, 24, 4,
        'pane picture type arg0 32_float 80x24'],
);

sub shots ($open, $size, @commands) {
    my ($out) = gpudbg('--screen', $size, $open, map { ('-e', $_) } @commands);
    return $out;
}

for my $case (@cases) {
    my ($isa, $open, $launch, $buffer, $w, $h, $bytes, @choose) = @$case;
    for my $at ($bytes ? (200, 400) : (3000, 9000), 'end') {
        my @to = ($launch, 'continue', $at eq 'end' ? () : "goto $at");
        gpudbg($open, map { ('-e', $_) } @to, "save arg $buffer $dir/bytes");
        my @byte = unpack $bytes ? 'f<*' : 'C*', do { open my $f, '<:raw', "$dir/bytes" or die; local $/; <$f> };
        is scalar @byte, $w * $h, "$isa at $at: the buffer" or next;
        # With room for two columns a texel, each is two characters, from dark for the least byte to bright.
        my $out = shots($open, '162x40', @to, 'layout picture:30;prompt:4', @choose, 'focus prompt',
            'screenshot');
        my @rows = $out =~ /picture  \Q$buffer\E [^\n]*\n((?:[^\n]*\n){$h})/m ? split(/\n/, $1) : ();
        my ($least, $most) = (sort { $a <=> $b } @byte)[0, -1];
        my @wrong = grep {
            my ($x, $y) = ($_ % $w, int($_ / $w));
            my $want = substr ' .:-=+*#%@', int(int(($byte[$_] - $least) / ($most - $least) * 255 + 0.5) * 9 / 255), 1;
            substr(sprintf('%-160s', $rows[$y] // ''), 2 * $x, 2) ne $want x 2
        } 0 .. $#byte;
        is_deeply [@wrong[0 .. ($#wrong < 3 ? $#wrong : 3)]], [], '... each texel is as bright as its byte is large';
        # The texel under the cursor, and who wrote it: held against the buffer and `last-write`.
        my ($x, $y) = (37, 5);
        my $value = $byte[$y * $w + $x];
        $out = shots($open, '100x30', @to, 'info hash', @choose, 'layout picture', 'key Escape', 'focus picture',
            "pane right $x", "pane down $y", 'screenshot', 'info hash');
        like $out, qr/^ \[$x,$y\] = $value\b/m, '... a texel has the value of its byte';
        my ($said) = gpudbg($open, map { ('-e', $_) } @to, "last-write $buffer+@{[($bytes // 1) * ($y * $w + $x)]},1");
        if (my ($position, $wave, $lane) = $said =~ /position (\d+), wave (\d+), lane (\d+)/) {
            my $grouped = reverse join ',', unpack '(A3)*', reverse $position;
            my $item = $bytes ? $y * $w + $x : "$x,$y";
            like $out, qr/^ \[$x,$y\].* at \Q$grouped\E by wave $wave lane $lane, work-item $item$/m,
                '... and was written by the work-item of its place';
        } else {
            like $out, qr/^ \[$x,$y\].*nothing has written it$/m, '... and was not written';
        }
        my %hash;
        $hash{$_}++ for $out =~ /^hash (\S+)/mg;
        is scalar(keys %hash), 1, '... looking changes nothing';
    }
}

# Floats of Intel's kernel: a picture without being asked for, and its first format is the type of the argument.
for (['a', 7], ['b', 5]) {
    my ($name, $by) = @$_;
    open my $f, '>:raw', "$dir/$name" or die;
    print $f pack 'f<*', map { $_ % $by } 0 .. 1023;
    close $f;
}
my $out = shots("$kernels/gen12/matmul.ze", '80x24',
    "launch matmul_naive -g 32,32 -l 32,1 zero:4096 \@$dir/a \@$dir/b 32", 'continue', 'layout picture', 'screenshot',
    'focus picture', 'pane segment +', 'screenshot', 'pane format 8_8_8_8_unorm', 'screenshot', 'pane width 16',
    'screenshot');
like $out, qr/picture  c 32_float 32x32  r /, 'Gen12: c is a picture, and grey';
like $out, qr/picture  a 32_float 32x32  r 0\.0 to 6\.0/, '] shows the next buffer';
like $out, qr/picture  a 8_8_8_8_unorm 32x32  rgba 0\.0 to 1\.0/, '... in another format';
like $out, qr/picture  a 8_8_8_8_unorm 16x64  rgba/, '... in another width';

like shots('--demo=il', '80x24', 'layout picture', 'screenshot'), qr/`pane type uav0 float4 64x64`/,
    'without a picture it says what to type, with a buffer that is there';

# A size that is no multiple of what is left out stands as it is.
like shots($cases[0][1], '60x30', 'launch mandelbrot -g 800,600 -l 16,4 zero:480000 800 600 9', 'layout picture',
    'screenshot'), qr/picture  picture 800x600 .* one texel of (\d+)x\1\b/,
    'more texels than cells: the whole size';

# One channel is grey in 256 colours: every colour of the picture is.
my $svg = "$dir/shot.svg";
shots($cases[0][1], '100x30', $cases[0][2], 'continue', 'set picture blocks', 'layout picture', "screenshot $svg");
my %colour;
$colour{$_}++ for do { open my $f, '<', $svg or die; local $/; <$f> } =~ /height="8\.5" fill="#([0-9a-f]{6})"/g;
cmp_ok scalar(keys %colour), '>', 5, 'half blocks in several shades';
is_deeply [grep { !/^(..)\1\1$/ } keys %colour], [], '... all of them grey';

# While the program runs the picture fills in; Ctrl-C stops it, and what was drawn on the way has changed nothing.
SKIP: {
    my @long = ('cd ' . ($cases[0][1] =~ s{/[^/]*$}{}r), 'launch mandelbrot -g 80,24 -l 16,4 zero:1920 80 24 1000000');
    local @Pty::size = (30, 100);
    my $t = terminal({ HOME => $dir, TERM => 'xterm-256color', LC_ALL => 'C.UTF-8' },
        $ENV{GPUDBG} // 'build/gpudbg', '-n', $cases[0][1], map { ('-e', $_) } @long, 'layout picture')
        or skip 'no pseudo-terminals', 4;
    my $half = qr/\xe2\x96[\x80\x84]/;
    sees($t, $half) && settles($t, 20);
    $t->{text} = '';
    type_($t, ":continue\r");
    my $bar = qr/\e\[(?:1;\d+)?H/; # the first row: how far it is
    ok sees($t, qr/ stops.*?$half.*?$bar.*?$half/s, 60), 'the picture changes while the program runs'
        or diag $t->{text};
    unlike $t->{text}, qr/Done/, '... which has not ended';
    type_($t, "\x03");
    settles($t, 20);
    unlike take($t), qr/Done/, '... and Ctrl-C stops it';
    for ("layout prompt\r", "info hash\r", "print \$position\r", "screenshot $dir/live\r") {
        type_($t, $_);
        settles($t, 20);
    }
    kill TERM => $t->{pid};
    finish($t, 20);
    my $live = do { open my $f, '<', "$dir/live" or die; local $/; <$f> };
    my ($at) = $live =~ /^\$\d+ = ([\d,]+)/m;
    my ($dead) = gpudbg($cases[0][1], map { ('-e', $_) } @long, 'goto ' . ($at // '') =~ tr/,//dr, 'info hash');
    my @hashes = map { /^hash (\S+)/m } $live, $dead;
    is $hashes[0] // 'none', $hashes[1], '... what was drawn has changed nothing';
}

# ---- Time ----

my $matmul = "$FindBin::Bin/../../share/demo/matmul.co";
my @run = ('cd ' . ($matmul =~ s{/[^/]*$}{}r),
    'launch matmul -g 64,64 -l 16,16 zero:16384 @matmul_a.bin @matmul_b.bin 64',
    'watch a[113]', 'watch c[17]', ('continue') x 6);
my $time = shots($matmul, '80x30', @run, 'info hash', 'layout timeline', 'key Escape', 'pane left 40', 'pane origin',
    'screenshot', 'info hash', 'pane segment -', 'screenshot', 'info hash', 'key Enter', 'info history');
my %hash;
$hash{$_}++ for $time =~ /^hash (\S+)/mg;
is scalar(keys %hash), 1, 'scrubbing and chains change nothing';
my ($reads) = $time =~ /^ a\[113\] +([R ]+)$/m;
# Row 1 of a is read by the four groups of the first row of tiles, a group after the other.
is(($reads // '') =~ tr/R//, 4, 'a[113] is read by four groups');
my ($chain) = $time =~ /^ y c\[17\] +(y+)$/m;
cmp_ok length($chain // ''), '>=', 2, 'y marks what c[17] comes from';
like $time, qr/^.4-7 +\S*y+/m, '... in the row of its waves, too';
like $time, qr/\bEnter: [\d,]+ \S/, 'the rule says what Enter goes to';
# Waves that wait at a barrier are told from those that only do not run.
my ($list) = gpudbg($matmul, map { ('-e', $_) } @run[0, 1], 'continue', 'goto 700', 'info timeline');
like $list, qr/^ *0 +[#oB]*B=+/m, 'wave 0 waits at its barrier';
# Where there is room, a cell is two columns, and marks stand under what they mark.
my $wide = shots($matmul, '200x30', @run, 'layout timeline', 'screenshot');
my ($spread) = $wide =~ /^ a\[113\] +(R[R ]*R)/m;
is(($spread // '') =~ tr/R//, 4, 'at 200 columns: the same reads');
is length($spread // ''), 2 * length($reads =~ s/ +$//r) - 1, '... twice as far apart';
done_testing;
