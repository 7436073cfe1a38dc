#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# picture and save image: the pixels of the PNG file are held against the buffer's own numbers.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use MIME::Base64;
use Png;
use Pty;
use Test::More;

my $share = "$FindBin::Bin/../../share";

sub lines ($open, @commands) {
    my ($out, $err) = gpudbg(@$open, map { ('-e', $_) } @commands);
    return grep { !/at entry/ } split /\n/, $out . $err;
}

my @demo = ('--demo=matmul');
my @bytes = map { ($_ * 37 + 11) & 255 } 0 .. 16 * 8 * 4 - 1;
my $rgba = spill('rgba.bin', pack 'C*', @bytes);

subtest 'save image' => sub {
    my @said = lines(\@demo, "restore $rgba binary c", "save image $dir/a.png c unorm8x4 16x8");
    like $said[-2], qr/^c: 8_8_8_8_unorm, 16x8, rgba from 0.0 to 1.0$/, 'says what it is';
    my ($w, $h, $pixels) = png("$dir/a.png");
    is "$w $h", '16 8', 'its size';
    is_deeply [map { @$_ } @$pixels], \@bytes, 'bytes of normalised components are those of the file';
    my @a = unpack 'f<64', slurp("$share/demo/matmul_a.bin");
    lines(\@demo, "save image $dir/b.png a r32_float 8x8 channels r range -8 8");
    (undef, undef, $pixels) = png("$dir/b.png");
    is_deeply [map { $_->[0] } @$pixels], [map { int(($_ + 8) / 16 * 255 + 0.5) } @a], 'floats in a range, in grey';
    like +(lines(\@demo, "save image $dir/c.png a r32_float 8x8 channels r"))[-2],
        qr/r from -8\.0 to 8\.0$/, 'or from least to most';
    lines(\@demo, "restore $rgba binary c", "save image $dir/d.png c unorm8x4 16x8 channels g");
    (undef, undef, $pixels) = png("$dir/d.png");
    is_deeply [map { @$_[0 .. 2] } @$pixels],
        [map { my $g = $bytes[4 * $_ + 1]; ($g, $g, $g) } 0 .. 127], 'one channel';
    lines(\@demo, "restore $rgba binary c", "save image $dir/e.png c unorm8x4 4x4x4 slice 2");
    (undef, undef, $pixels) = png("$dir/e.png");
    is_deeply [map { @$_ } @$pixels], [@bytes[128 .. 191]], 'a slice of a volume';
    lines(\@demo, "restore $rgba binary c", "save image $dir/f.png c unorm8x4/64 4x4");
    (undef, undef, $pixels) = png("$dir/f.png");
    is_deeply [map { @$_ } @$pixels], [map { @bytes[64 * $_ .. 64 * $_ + 15] } 0 .. 3], 'lines further apart';
};

subtest 'picture' => sub {
    my $black = spill('bw.bin', pack 'C*', map { $_ < 8 ? (0, 0, 0, 255) : (255, 255, 255, 255) } 0 .. 15);
    my @said = lines(\@demo, "restore $black binary c", 'picture c unorm8x4 4x4');
    is_deeply [@said[-4 .. -1]], [(' ' x 8) x 2, ('@' x 8) x 2], 'dark and bright';
    for (['c nothing 4x4', "'nothing' is not an image format"], ['c unorm8x4 0x4', 'does not give the 2 sizes'],
        ['c unorm8x4 9999x9999', 'takes'],
        ['c unorm8x4', 'the size, WxH is missing|size'],
        ['c unorm8x4 4x4 level 1', 'level 1: the image has 1'], ['c unorm8x4 4x4 slice 1', 'slice 1: this level has 1'],
        ['$s[0:3]', 'has 8 dwords'], ['c unorm8x4 4x4 channels q', 'write rgba'],
        ['c unorm8x4 4x4 range 1 0', 'is not above'],
        ['$s[0:7]', 'T#\.\w+ is|wide|'], ['nobody', 'no buffer']) {
        like +(lines(\@demo, "picture $_->[0]"))[-1], qr/^gpudbg: .*(?:$_->[1])/, "picture $_->[0]";
    }
};

# A byte v of 0 to 255 is the grey v, whatever the format is called and whoever the kernel is for; also where no image
# of the chip could begin.
subtest 'one channel is grey' => sub {
    my @ramp = map { $_ * 5 & 255 } 0 .. 255;
    my $ramp = spill('ramp.bin', pack 'x4C*', @ramp);
    for (['gfx7', 'c', @demo], ['Gen12', 'out', '--demo=dg1'], ['AMD IL', 'uav0', '--demo=il']) {
        my ($isa, $buffer, @open) = @$_;
        for my $format (qw(u8 uchar uint8 8_uint r8_uint R8_UINT unorm8 8_unorm r8_unorm R8_UNORM)) {
            lines(\@open, "restore $ramp binary $buffer", "save image $dir/grey.png $buffer+4 $format 16x16");
            my (undef, undef, $pixels) = png("$dir/grey.png");
            is_deeply [map { @$_ } @{ $pixels // [] }], [map { ($_) x 3, 255 } @ramp], "$isa: $format";
        }
        like +(lines(\@open, "restore $ramp binary $buffer", "picture $buffer u8x2 8x8"))[-5 - 4], qr/, rg from /,
            "$isa: two channels are two colours";
    }
};

# In a terminal, half blocks have the colours of two texels; on the screen they have the terminal to themselves.
subtest 'in a terminal' => sub {
    my @texels = ([255, 0, 0], [0, 128, 0], [0, 0, 255], [200, 200, 200]);
    my $four = spill('four.bin', pack 'C*', map { @$_, 255 } @texels);
    my %colour = ('truecolor', [map { join ';', 2, @$_ } @texels], '', [map { "5;$_" } 196, 28, 21, 251]);
    # A column has texel 0 above 2, the other 1 above 3.
    my $cells = sub (@c) { join '', map { "\e[38;$c[$_]m\e[48;$c[$_ + 2]m\xe2\x96\x80" } 0, 1 };
    for my $depth (sort keys %colour) {
        my %env = (TERM => 'xterm-256color', COLORTERM => $depth, LC_ALL => 'C.UTF-8', HOME => $dir, NO_COLOR => '');
        my $want = $cells->(@{ $colour{$depth} });
        my @start = ('--demo', '-e', "restore $four binary c");
        my $t = terminal(\%env, Gpudbg::program(), '-n', @start) or plan skip_all => 'no pseudo-terminals';
        sees($t, qr/help/, 10) or diag 'no screen';
        type_($t, ":picture c unorm8x4 2x2\r");
        ok sees($t, qr/\Q$want\E/, 10), "half blocks in colours ($depth)" or diag $t->{text};
        ok sees($t, qr/press Enter/, 10), '... until a key';
        type_($t, "\r:print 6*7\r");
        ok sees($t, qr/\$1 = 42/, 10), '... and the screen is back';
        type_($t, "quit\ry\r");
        finish($t, 10);
    }
    my $t = terminal({ TERM => 'xterm', LC_ALL => 'C.UTF-8', HOME => $dir, COLORTERM => '' }, Gpudbg::program(), '-n',
        '--demo', '-e', "restore $four binary c");
    sees($t, qr/help/, 10);
    type_($t, ":picture c unorm8x4 2x2\r");
    ok sees($t, qr/from 0\.0 to 1\.0/, 10), 'eight colours: characters, on the screen';
    unlike $t->{text}, qr/press Enter/, '... which stays';
    type_($t, "quit\ry\r");
    finish($t, 10);
};

# ---- Graphics: a pseudo-terminal that answers as such terminals do; what is sent is decoded here ----

# Sixels (VT330/VT340 Programmer Reference Manual, volume 2, chapter 14): width, height, [r, g, b] in 255 of each pixel.
sub sixels ($bytes) {
    my ($body) = $bytes =~ /\eP[\d;]*q(.*?)\e\\/s or return;
    my ($width, $height) = $body =~ s/^"1;1;(\d+);(\d+)// ? ($1, $2) : return;
    my (%colour, @at, $now, $x, $y);
    ($x, $y) = (0, 0);
    while ($body =~ /\G(?:#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)([?-~])|([?-~])|(\$)|(-))/gc) {
        if (defined $1) { $colour{$1} = [map { $_ * 255 / 100 } $2, $3, $4]; next }
        if (defined $5) { $now = $colour{$5} // return; next }
        if ($9) { $x = 0; next }
        if ($10) { ($x, $y) = (0, $y + 6); next }
        my ($n, $bits) = defined $6 ? ($6, ord($7) - 63) : (1, ord($8) - 63);
        for (1 .. $n) { $bits >> $_ & 1 and $at[$y + $_][$x] = $now for 0 .. 5; $x++ }
    }
    return if pos($body) != length $body;
    return ($width, $height, [map { my $row = $at[$_]; map { $row->[$_] } 0 .. $width - 1 } 0 .. $height - 1]);
}

# Kitty's pieces: one PNG file, and nothing that asks for an answer; `place` is how it is placed.
sub kitty ($bytes, $place = '') {
    my ($png, $first, $more) = ('', 1, 1);
    while ($bytes =~ /\e_G([^;]*);([^\e]*)\e\\/g) {
        my ($keys, $data) = ($1, $2);
        next if $keys =~ /a=[qd]/;
        return if $first && $keys !~ /^a=T,f=100,q=2,${place}m=[01]$/ || !$first && $keys !~ /^m=[01]$/;
        return if !$more || length $data > 4096;
        ($more) = $keys =~ /m=([01])/;
        return if $more && length($data) % 4;
        $png .= decode_base64($data);
        $first = 0;
    }
    return if $more;
    return png(spill('kitty.png', $png));
}

# A picture of width by height is w by h texels of the wanted colours, each a square.
sub shows ($got, $w, $h, $texels, $off, $name) {
    my ($width, $height, $pixels) = @$got;
    return fail "$name: it can be decoded" if !$width;
    my $k = $width / $w;
    is "$width $height", $k * $w . ' ' . $k * $h, "$name: $k pixels a texel" or return;
    my $far = 0;
    for my $i (0 .. $width * $height - 1) {
        my $texel = $texels->[$w * int($i / $width / $k) + int($i % $width / $k)];
        $far++ if grep { !defined $pixels->[$i][$_] || abs($pixels->[$i][$_] - $texel->[$_]) > $off } 0 .. 2;
    }
    is $far, 0, "$name: each pixel has its texel's colour";
}

my @sixteen = map { [$_ * 17, 255 - $_ * 13, $_ * $_ % 256] } 0 .. 15;
my $gradient = spill('gradient.bin', pack 'C*', map { @$_, 255 } @sixteen);
my %terminal = (
    sixel => { da1 => "\e[?62;4;22c", cell => "\e[6;20;10t", colours => "\e[?1;0;256S" },
    kitty => { da1 => "\e[?62;c", cell => "\e[6;20;10t", kitty => "\e_Gi=31;OK\e\\" },
    plain => { da1 => "\e[?6c" },
    'kitty that refuses' => { da1 => "\e[?62;22c", kitty => "\e_Gi=31;ENOTSUPPORTED:no\e\\" },
);

# Answers the program's questions that have come since; `typed` are keys that somebody presses meanwhile.
sub answer ($t, $of, $typed = '') {
    my $end = time + 10;
    while (time < $end) {
        take($t);
        my $asked = substr $t->{text}, $t->{answered} // 0;
        if ($asked =~ /\e\[c/) {
            my ($end, $say) = ($+[0], $typed);
            $say .= $of->{kitty} // '' if $asked =~ /\e_G[^\e]*a=q/;
            $say .= $of->{cell} // '' if $asked =~ /\e\[16t/;
            $say .= $of->{colours} // '' if $asked =~ /\e\[\?1;1;0S/;
            type_($t, $say . $of->{da1});
            $t->{answered} = ($t->{answered} // 0) + $end;
            return 1;
        }
        select undef, undef, undef, 0.01;
    }
    return 0;
}

sub drawn ($kind, $sent, $name) {
    if ($kind eq 'kitty') { shows([kitty($sent)], 4, 4, \@sixteen, 0, $name) }
    elsif ($kind eq 'sixel') { shows([sixels($sent)], 4, 4, \@sixteen, 1.3, $name) }
    else { like $sent, qr/\e\[38;5;\d+m/, "$name: half blocks"; unlike $sent, qr/\eP|\e_G/, '... and no graphics' }
}

my %asks = (TERM => 'xterm-256color', COLORTERM => '', LC_ALL => 'C.UTF-8', HOME => $dir, NO_COLOR => '', TMUX => '');
my @four = ('--demo', '-e', "restore $gradient binary c");
my $picture = 'picture c unorm8x4 4x4';

subtest 'graphics on the screen' => sub {
    for my $kind (sort keys %terminal) {
        my $of = $terminal{$kind};
        my $t = terminal(\%asks, Gpudbg::program(), '-n', @four) or plan skip_all => 'no pseudo-terminals';
        sees($t, qr/help/, 10) or diag 'no screen';
        unlike $t->{text}, qr/\e\[c/, "$kind: nobody asks before a picture is wanted";
        type_($t, ":$picture\r");
        ok answer($t, $of, 'print 6*'), "$kind: it asks";
        answer($t, $of) if $of->{da1} =~ /;4[;c]/;
        ok sees($t, qr/press Enter/, 10), "$kind: a picture has the terminal";
        drawn($kind, substr($t->{text}, $t->{answered}), $kind);
        type_($t, "\r7\r");
        ok sees($t, qr/\$1 = 42/, 10), "$kind: no key is lost, and no answer is a key" or diag $t->{text};
        type_($t, "$picture\r");
        ok sees($t, qr/press Enter.*press Enter/s, 10), '... a second time';
        is scalar(() = take($t) =~ /\e\[16t/g), 1, "$kind: the terminal is asked once";
        type_($t, "\r\e\e_Gi=31;OK\e\\\e[?62;4c:print 5*5\r");
        ok sees($t, qr/= 25/, 10), '... an answer that comes late is no key, either';
        type_($t, "quit\ry\r");
        cmp_ok finish($t, 10), '<', 10, '... and it ends';
    }
};

# The pane: the picture stands over its cells, comes again only when it has changed, and is gone with the pane.
subtest 'graphics in the pane' => sub {
    my @pane = ('layout picture', 'pane picture type c unorm8x4 4x4');
    my ($shot) = gpudbg('--screen', '80x24', @four, map { ('-e', $_) } @pane, 'key Escape', 'screenshot');
    my @rows = split /\n/, $shot =~ s/.*(?=^ matmul\.co )//msr;
    my ($rule) = grep { $rows[$_] =~ /picture  c 8_8_8_8_unorm 4x4/ } 0 .. $#rows;
    ok defined $rule, 'the pane is on the screen' or diag $shot;
    my ($foot) = grep { $rows[$_] =~ /^ \[0,0\] = / } 0 .. $#rows;
    my $row = ($rule // 0) + 2;
    # Cells of 10 by 20 pixels, half of one a square: so many columns a texel, as often as the rows have room for four.
    my $columns = int(2 * (($foot // 0) - ($rule // 0) - 1) / 4);
    cmp_ok $columns, '>', 2, 'a texel has several columns';
    my $place = qr/\e7\e\[$row;1H/; # rows count from 1; the picture begins below the rule
    my $delete = qr/\e_Ga=d,d=I,i=(\d+),q=2\e\\/;
    for my $kind (sort keys %terminal) {
        my $of = $terminal{$kind};
        my $t = terminal(\%asks, Gpudbg::program(), '-n', @four, map { ('-e', $_) } @pane)
            or plan skip_all => 'no pseudo-terminals';
        my $answers = sub {
            ok answer($t, $of), "$kind: it asks";
            answer($t, $of) if $of->{da1} =~ /;4[;c]/;
        };
        my $since = 0;
        my $mark = sub { settles($t, 20); $since = length take($t) };
        my $new = sub { substr take($t), $since };
        my $comes = sub ($what) {
            for (1 .. 1000) { return 1 if $new->() =~ $what; select undef, undef, undef, 0.01 }
            return 0;
        };
        $answers->();
        settles($t, 20);
        if ($kind !~ /^(?:kitty|sixel)$/) {
            like $t->{text}, qr/\xe2\x96\x80/, "$kind: half blocks";
            unlike substr($t->{text}, $t->{answered}), qr/\eP|\e_G/, '... and no graphics';
            type_($t, "\e:quit\ry\r");
            finish($t, 10);
            next;
        }
        my $begin = $kind eq 'kitty' ? qr/$place\e_Ga=T/ : qr/$place\eP0;1q/;
        my $gone = $kind eq 'kitty' ? $delete : qr/\e7\e\[0m\e\[$row;1H {@{[4 * $columns]}}\e/;
        my $check = sub ($name) {
            my ($last) = $new->() =~ /.*($begin.*)/s;
            ok defined $last, "$kind: $name" or return;
            my @got = $kind eq 'kitty' ? kitty($last, 'i=\d+,p=1,C=1,z=-\d+,') : sixels($last);
            shows(\@got, 4, 4, \@sixteen, $kind eq 'kitty' ? 0 : 1.3, "$kind: $name");
            is $got[0], 4 * 10 * $columns, '... as large as its cells';
        };
        $check->('the pane has its texels');
        type_($t, "\e");
        $mark->();
        for my $key ("\e[C", "\e[B", 'i') { # cursor to the right, down; an instruction that writes no texel
            type_($t, $key);
            settles($t, 20);
        }
        unlike $new->(), qr/\eP|\e_G/, "$kind: moving and stepping send nothing again";
        $mark->();
        type_($t, '?');
        ok $comes->($gone), "$kind: help takes it away";
        $mark->();
        type_($t, '?');
        settles($t, 20);
        $check->('... and gives it back');
        $mark->();
        type_($t, ":layout code\r");
        ok $comes->($gone), "$kind: another layout takes it away";
        $mark->();
        type_($t, "layout picture\r");
        settles($t, 20);
        $check->('the layout brings it back');
        $mark->();
        type_($t, "\e\cZ");
        my $stopped = sub { open my $f, '<', "/proc/$t->{pid}/stat" or return 1; <$f> =~ /\) T/ };
        for (1 .. 1000) { last if $stopped->(); select undef, undef, undef, 0.01 }
        like $new->(), $gone, "$kind: Ctrl-Z takes it away";
        $mark->();
        kill 'CONT', $t->{pid};
        $answers->();
        settles($t, 20);
        $check->('... and it is back');
        $mark->();
        ioctl $t->{slave}, 0x5414, my $size = pack 'S4', 23, 80, 0, 0; # TIOCSWINSZ
        $answers->();
        settles($t, 20);
        like $new->(), qr/$gone.*$begin/s, "$kind: a new size draws it again";
        $mark->();
        type_($t, ":quit\ry\r");
        finish($t, 10);
        my ($ended) = $new->() =~ /(.*?)\e\[\?1049l/s;
        like $ended, $gone, "$kind: it is gone before the shell has the terminal";
    }
    my $t = terminal({ %asks, TERM => 'tmux-256color', TMUX => '/tmp/x,1,0' }, Gpudbg::program(), '-n', @four,
        map { ('-e', $_) } @pane);
    answer($t, { da1 => "\e[?1;2c" });
    settles($t, 20);
    unlike $t->{text}, qr/\eP|\e_G/, 'tmux has no such graphics';
    like $t->{text}, qr/\xe2\x96\x80/, '... but half blocks';
    type_($t, "\e:quit\ry\r");
    finish($t, 10);
};

subtest 'graphics of a batch' => sub {
    for my $kind (sort keys %terminal) {
        my $of = $terminal{$kind};
        my $t = terminal(\%asks, Gpudbg::program(), '-n', '--batch', @four, '-e', $picture, '-e', 'print 6*7')
            or plan skip_all => 'no pseudo-terminals';
        ok answer($t, $of), "$kind: it asks";
        answer($t, $of) if $of->{da1} =~ /;4[;c]/;
        finish($t, 10);
        drawn($kind, substr($t->{text}, $t->{answered}), $kind);
        like $t->{text}, qr/\$1 = 42/, '... and the rest follows';
        is flags($t) & POSIX::ECHO(), POSIX::ECHO(), '... the terminal is as it was';
    }
    for my $env ({ TERM => 'dumb' }, { NO_COLOR => 1 }) {
        my $t = terminal({ %asks, %$env }, Gpudbg::program(), '-n', '--batch', @four, '-e', $picture);
        finish($t, 10);
        unlike $t->{text}, qr/\e/, join '=', %$env, ': nothing is asked, and no colour is sent';
    }
    my $t = terminal({ %asks, TERM => 'tmux-256color' }, Gpudbg::program(), '-n', '--batch', @four, '-e', $picture);
    answer($t, $terminal{plain});
    finish($t, 10);
    unlike $t->{text}, qr/\e_/, 'tmux would take the question for a title';
    $t = terminal(\%asks, Gpudbg::program(), '-n', '--batch', @four, '-e', $picture);
    cmp_ok finish($t, 10), '<', 8, 'a terminal that does not answer is not waited for';
    drawn('plain', $t->{text} =~ s/^.*?\e\[c//sr, 'it');
};

subtest 'graphics that were asked for' => sub {
    my ($sixel) = gpudbg(@four, '-e', 'set picture sixel', '-e', $picture);
    drawn('sixel', $sixel, 'sixel in a pipe');
    my ($kitty) = gpudbg(@four, '-e', 'set picture kitty', '-e', $picture);
    drawn('kitty', $kitty, 'kitty in a pipe');
    my ($none) = gpudbg(@four, '-e', $picture);
    unlike $none, qr/\e/, 'nothing of it unless asked';
    my ($out, $err) = gpudbg(@four, '-e', 'set picture photo');
    like $err, qr/^gpudbg: .*picture "photo": auto, characters, blocks, sixel, kitty$/m, 'ways that are none';
    # More colours than a terminal has: each pixel is near its own.
    my @many = map { my $i = $_; [$i % 64 * 4, int($i / 64) * 4, ($i * 7) % 256] } 0 .. 4095;
    my $many = spill('many.bin', pack 'C*', map { @$_, 255 } @many);
    my ($wide, $high, $pixels) = sixels((gpudbg('--demo=matmul', '-e', "restore $many binary c",
        '-e', 'set picture sixel', '-e', 'picture c unorm8x4 64x64'))[0]);
    is "$wide $high", '256 256', 'a picture of 4096 colours';
    my ($sum, $most) = (0, 0);
    for my $i (0 .. 65535) {
        my $want = $many[64 * int($i / 1024) + int($i % 256 / 4)];
        my $off = 0;
        $off += abs(($pixels->[$i][$_] // 999) - $want->[$_]) for 0 .. 2;
        $sum += $off;
        $most = $off if $off > $most;
    }
    cmp_ok $sum / 65536, '<', 45, '... is near in the mean';
    cmp_ok $most, '<', 200, '... and everywhere';
    # A large one is made smaller, colours are means.
    my $half = spill('half.bin', pack 'C*', map { ($_ & 1 ? 255 : 0) x 3, 255 } 0 .. 1279);
    ($wide, $high, $pixels) = sixels((gpudbg('--demo=matmul', '-e', "restore $half binary c",
        '-e', 'set picture sixel', '-e', 'picture c unorm8x4 1280x1'))[0]);
    is "$wide $high", '640 1', 'a wide one is as wide as the terminal';
    ok !(grep { abs($_->[0] - 127.5) > 1.5 } @$pixels), '... and mixed';
};

done_testing;
