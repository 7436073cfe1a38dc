#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The key y: back from a value to the instruction that computed it, and on to its inputs.  What a sum must be after each
# product is worked out here from the two matrices; where the machine stands is asked with --json.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $share = "$FindBin::Bin/../../share";
delete @ENV{qw(NO_COLOR XDG_CONFIG_HOME)};
$ENV{HOME} = $dir;
my @a = unpack 'f<*', slurp("$share/demo/matmul_a.bin");
my @b = unpack 'f<*', slurp("$share/demo/matmul_b.bin");
my ($row, $column) = (10, 5); # wave 2, lane 37
my ($sum, @want) = 0;
push @want, $sum = unpack 'f<', pack 'f<', $sum + $a[$row * 64 + $_] * $b[$_ * 64 + $column] for 0 .. 63;
my $element = 4 * ($row * 64 + $column);

# The picture after some commands: {all}, {state} its first line, {rows} of the pane origin, {bar} its last line.
sub picture ($open, @commands) {
    unlink "$dir/shot";
    my ($out, $err) = gpudbg(@$open, '--screen', '80x24', map { ('-e', $_) } @commands, "screenshot $dir/shot");
    my $all = slurp("$dir/shot");
    my @lines = split /\n/, $all;
    my ($first) = grep { $lines[$_] =~ /[-=]origin/ } 0 .. $#lines;
    my ($end) = grep { $lines[$_] =~ /[-=]prompt/ } 0 .. $#lines;
    return {
        all => $all, err => $err, state => $lines[0], bar => $lines[-1],
        title => defined $first ? $lines[$first] : '',
        rows => [grep { /\S/ } defined $first ? @lines[$first + 1 .. $end - 1] : ()],
    };
}
sub step_of ($p) { return $p->{state} =~ /step ([\d,]+)/ ? $1 =~ s/,//gr : -1 }
local $ENV{LC_ALL} = 'C';
my @demo = ('--demo=matmul');
my @asked = ('continue', "view c+$element");

subtest 'one key a step, from an element of the result' => sub {
    for my $steps (1 .. 6) {
        my $p = picture(\@demo, @asked, ('key y') x $steps);
        my ($here) = grep { /^>/ } @{ $p->{rows} };
        my ($position, $value) = ($here // '') =~ /^>(\d+) 2:37 +- \S+ = (\S+) /;
        is $value, real($want[64 - $steps]), "step $steps: the sum after " . (65 - $steps) . ' products';
        is step_of($p), $position, '... and the machine stands there';
        like $p->{state}, qr/wave 2\/64 lane 37 /, '... in its wave and lane';
        my $next = real($want[63 - $steps]);
        ok scalar(grep { /^ \d+ 2:37 +\+ \$v0\[37\] = \Q$next\E / } @{ $p->{rows} }), '... before it the sum so far';
    }
    my $p = picture(\@demo, @asked, 'key y');
    my ($x, $y) = map { real($_) } $a[$row * 64 + 63], $b[63 * 64 + $column];
    my $rows = join "\n", @{ $p->{rows} };
    like $rows, qr/\$v12\[37\] = \Q$x\E +a\[@{[$row * 64 + 63]}\] as launched \(row $row, column 63\)/,
        'the element of a is where a value begins';
    like $rows, qr/\$v13\[37\] = \Q$y\E +b\[@{[63 * 64 + $column]}\] as launched/, '... and that of b';
    is $p->{all}, slurp("$FindBin::Bin/../data/screens/origin-80x24.txt"), 'the picture' unless update($p);
};

sub update ($p) {
    return 0 unless $ENV{GPUDBG_UPDATE_SCREENS};
    open my $f, '>:raw', "$FindBin::Bin/../data/screens/origin-80x24.txt" or die;
    print $f $p->{all};
    return close $f;
}

subtest 'in the tree' => sub {
    my $p = picture(\@demo, @asked, 'key y', 'key Down', 'key Enter');
    like $p->{all}, qr/^\$v12\[37\] begins here: a\[\d+\] as launched \(row \d+, column 63\)$/m,
        'a value that begins says so';
    my $there = step_of(picture(\@demo, @asked, 'key y'));
    is step_of($p), $there, '... and nothing moves';
    $p = picture(\@demo, @asked, 'key y', 'key Down', 'key y', 'key y');
    my ($chosen) = (grep { /\(address\)/ && !/\$v1\[37\]/ } @{ $p->{rows} })[-1] =~ /(\d+)/;
    is step_of($p), $chosen, 'y on a value that was only copied is for the address that chose it';
    $p = picture(\@demo, @asked, 'key y', 'key Right');
    is step_of($p), $there, 'Right does not move time';
    is scalar(grep { /\$v0\[37\] = / } @{ $p->{rows} }), 2, '... and shows the inputs of the sum so far';
    $p = picture(\@demo, @asked, 'key y', 'key Right', 'key Left');
    is scalar(@{ $p->{rows} }), 5, 'Left folds them';
    $p = picture(\@demo, @asked, 'key y', 'key Up', 'key Left');
    is scalar(@{ $p->{rows} }), 1, '... also of the first row';
    $p = picture(\@demo, @asked, 'key y', 'key Up', 'key Left', 'key Right');
    is_deeply $p->{rows}, picture(\@demo, @asked, 'key y')->{rows}, '... which Right unfolds as it was';
    $p = picture(\@demo, @asked, 'key y', 'key Enter');
    my ($below) = grep { /\$v0\[37\]/ } @{ $p->{rows} };
    like $below, qr/^>\d+ 2:37 +\+ /, 'Enter goes there and unfolds nothing';
    $p = picture(\@demo, @asked, 'key y', 'key a');
    like $p->{title}, qr/with copies/, 'a shows copies';
    like $p->{rows}[0], qr/flat_store_dword/, '... first the store';
    is scalar(grep { /\(address\)/ } @{ $p->{rows} }), 2, '... with its address, two registers';
    $p = picture(\@demo, @asked, 'key y', 'key y', 'key Backspace');
    like $p->{state}, qr/step 45,760 /, 'Backspace goes back to where it was asked';
    like $p->{all}, qr/[-=]memory  c\+0x/, '... and to the panes of then';
    like $p->{bar}, qr/ y origin /, 'the key bar has the key';
    like picture(\@demo, 'focus source', 'key y')->{all}, qr/^y belongs to the panes .*lanes/m,
        'where there are no values, it is said where they are';
    like picture(\@demo, 'continue', 'pane origin *(f32*)(c+4)')->{title}, qr/origin  \*\(f32\*\)\(c\+4\)  asked at/,
        'an expression may be typed';
    my $changed = picture(\@demo, @asked, 'key y', 'set $v0[37] = 0');
    is_deeply [grep { /v_mac/ } @{ $changed->{rows} }], [], 'after the past was changed the answers are gone';
    my $relaunched = picture(\@demo, @asked, 'key y', 'run');
    is_deeply [grep { /v_mac/ } @{ $relaunched->{rows} }], [], 'after another launch the answers are gone';
};

subtest 'other panes' => sub {
    my $p = picture(\@demo, 'wave 2', 'lane 37', 'break *0x1800 if $wave == 2', 'continue', 'stepi 1', 'reverse-stepi',
        'focus lanes', 'key Down', 'key y');
    like $p->{title}, qr/\$v0\[37\]/, 'lanes: the register under the cursor, in the selected lane';
    $p = picture(\@demo, 'wave 2', 'lane 37', 'break *0x17fc', 'continue', 'stepi', 'focus lanes', 'key y');
    like $p->{rows}[0], qr/^>\d+ +\d+:37 - .*\$v0\[37\] = .* v_mac_f32/, '... without a cursor, what just changed';
    $p = picture(\@demo, 'stepi 40', 'focus scalar', 'pane find s5', 'key y');
    like $p->{title}, qr/\$s5 /, 'scalar: the register under the cursor';
    $p = picture(['--demo=collatz'], 'stepi 200', 'lane 5', 'focus scalar', 'pane find vcc', 'key y');
    like $p->{rows}[0], qr/^>\d+ 0:5 +- \$vcc\[5\] = [01] +v_/, '... of a mask the bit of the selected lane';
    $p = picture(\@demo, 'continue', "display *(f32*)(c+$element)", 'focus display', 'key y');
    like $p->{rows}[0], qr/= \Q@{[real($want[63])]}\E /, 'display: its expression';
    $p = picture(['--demo=dg1'], 'stepi 60', 'focus rows', 'key y');
    like $p->{rows}[0], qr/^>37 0 +- \$r3\.1:d = 1 +\(W&f0\.0\.any16h\) add/, 'rows: the element that just changed';
    $p = picture(['--demo=dg1'], 'stepi 60', 'focus rows', 'pane find r3', 'key Right', 'key y');
    like $p->{rows}[0], qr/^>37 0 +- \$r3\.1:d = 1/, '... or that under the cursor';
    $p = picture(['--demo=il'], 'stepi 60', 'focus lanes', 'key y');
    like $p->{rows}[0], qr/^>\d+ 0:0 - .*\$r\d+\.[xyzw]\[0\] = /, 'AMD IL: a part of a register';
};

# 17fc: v_mac_f32_e32 v0, v12, v13, which reads v0, too.
subtest 'panes of code' => sub {
    my @here = ('break *0x17fc', 'continue', 'lane 37');
    for ([[], 'v0'], [['key 1'], 'v0'], [['key 2'], 'v12'], [['key 3'], 'v13']) {
        my ($count, $register) = @$_;
        my $p = picture(\@demo, @here, 'focus code', @$count, 'key y');
        like $p->{all}, qr/(^=origin  |^)\$$register\[37\] +(asked at|begins here)/m,
            @$count ? "code: a number is that of a register in the text: $register" : 'code: what is read first';
    }
    like picture(\@demo, @here, 'focus code', 'key 4', 'key y')->{all}, qr/^v_mac_f32 has no register 4 in lane 37$/m,
        '... one that is not there';
    like picture(\@demo, @here, 'focus code')->{bar}, qr/ y origin /, '... in the key bar';
    my $p = picture(\@demo, @here, 'layout split', 'focus fields', 'pane find vsrc1', 'key y');
    like $p->{all}, qr/\$v13\[37\]/, 'fields: the register of the field under the cursor';
    like picture(\@demo, @here, 'layout split', 'focus fields')->{bar}, qr/ y origin \.why off /, '... in the key bar';
    # 0050: add (16|M0) r8.0<1>:d r6.0<8;8,1>:d r4.0<0;1,0>:d
    my @channel = (['--demo=dg1'], 'until *0x50', 'lane 3', 'layout region');
    my @region = (@channel, 'focus region');
    like picture(@region)->{bar}, qr/ y origin \.why off /, 'region: in the key bar';
    my %seen;
    for my $down (0 .. 9) {
        my ($asked) = picture(@region, ('key Down') x $down, 'key y')->{all} =~ /(?:=origin  |^)(\$\w+\.\d+:\w+) /m;
        $seen{$asked}++ if $asked;
    }
    is_deeply [sort keys %seen], ['$r4.0:d', '$r6.3:d', '$r8.3:d'], '... its rows are elements of the selected lane';
    for (['src0_reg', '$r6.3:d'], ['src1_reg', '$r4.0:d'], ['dst_reg', '$r8.3:d']) {
        my ($field, $element) = @$_;
        like picture(@channel, 'focus fields', "pane find $field", 'key y')->{all}, qr/\Q$element\E /, "fields: $field";
    }
};

subtest 'a lane that is off' => sub {
    my @off = (['--demo=collatz'], 'stepi 200', 'lane 0', 'focus lanes', 'key .');
    my $p = picture(@off);
    like $p->{rows}[0], qr/^ 14 0:0 - lane 0 off +s_and_saveexec_b64/, 'the instruction that turned it off';
    like $p->{rows}[1], qr/\$vcc\[0\] \(choice\) = 0 +v_cmp_ne_u32_e32 vcc, 1, v1/, '... and the compare before it';
    like $p->{all}, qr/^lane 0 may run again at collatz\+0x/m, '... and where it may run again';
    $p = picture(@off, 'key y', 'key y');
    my ($here) = grep { /^>/ } @{ $p->{rows} };
    like $here, qr/v_cmp_ne_u32_e32/, 'y goes there, and on to the compare';
    $p = picture(['--demo=collatz'], 'stepi 200', 'lane 16', 'focus lanes', 'key .');
    like $p->{all}, qr/^lane 16 of wave 0 runs$/m, 'of a lane that runs it is said';
    is $p->{title}, '', '... and the panes stay';
    $p = picture(['--demo=dg1'], 'stepi 60', 'focus rows', 'key .');
    like $p->{rows}[0], qr/lane 0 off +else/, 'Gen: the branch';
    for my $pane (qw(code fields region)) {
        $p = picture(['--demo=dg1'], 'stepi 60', 'layout region', "focus $pane", 'key .');
        like $p->{rows}[0], qr/lane 0 off +else/, "... also in pane $pane";
    }
};
subtest 'in few keys' => sub {
    # v_sub instead of v_add: lane 17 stores a[113], of row 1, where c's row 0 reads it.
    my @planted = ('--demo=matmul', commands('patch *0x1744 v_sub_i32 v6, vcc, v5, v0'));
    my @keys = qw(c m c Enter y Down Right);
    my $p = picture(\@planted, "key @keys");
    like join("\n", @{ $p->{rows} }), qr/\$v12\[0\] = 2\.0 +a\[113\] as launched \(row 1, /,
        'a wrong product: the value that is of another row';
    like join("\n", @{ $p->{rows} }), qr/^ +15 0:17 +\+ \$v6\[17\] \(address\) = 60 +v_sub_i32/m,
        'seven keys name the planted instruction, which computed an address';
    $p = picture(\@planted, "key @keys Down Down y");
    is step_of($p), 15, '... and ten keys stand on it';
    unlike join("\n", @{ picture(\@planted, 'key c m c Enter y')->{rows} }), qr/v6/, 'what is below is folded at first';
    my $off = picture(['--demo=mandelbrot'], 'key 9 9 i 1 1 l .');
    like $off->{title}, qr/lane 11 off/, 'why lane 11 is off: seven keys from the start';
    like $off->{rows}[0], qr/^ +80 0:11 - lane 11 off +s_andn2_b64 exec, exec, s\[0:1\]/, '... and what did it';
};

done_testing;
