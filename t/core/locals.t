#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Variables of the source, by debug information, and who called.  What they hold is worked out here.
use strict;
use warnings;
use Compress::Zlib ();
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg qw(real);
use JSON::PP;
use Test::More;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
our $kernels = "t/data/kernels/gfx7";
open my $source, '<', "t/data/kernels/variables.cl" or die "variables.cl: $!\n";
my @lines = <$source>;
sub line { my $text = shift; return 1 + (grep { index($lines[$_], $text) >= 0 } 0 .. $#lines)[0] }

my @particles = map { { pos => [$_ + 0.5, $_ * 2.25, -$_], id => 10 + $_, flags => $_ } } 0 .. 3;
open my $file, '>:raw', "$dir/particles" or die "$dir/particles: $!\n";
print $file pack 'f<3l<Sx2', @{ $_->{pos} }, $_->{id}, $_->{flags} for @particles;
close $file;
my $launch = "launch -g 64 -l 64 zero:256 3 -7 hex:01020304 \@$dir/particles local:256";

sub run {
    my ($object, $json, @commands) = @_;
    my @words = ($gpudbg, '--batch', $json ? '--json' : (), "$kernels/variables-$object-g.co",
        map { ('-e', $_) } @commands);
    open my $pipe, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @words or die "$gpudbg: $!\n";
    local $/;
    return scalar <$pipe>;
}
sub text { return run(shift, 0, @_) }
sub locals {
    return map { $_->{type} eq 'local' ? ($_->{name} => $_->{value}) : () } map { decode_json($_) } grep {
        /^\{/ } split /\n/, run(shift, 1, @_);
}
sub printed { return map { /^\$\d+ = (.*)/ ? $1 : () } split /\n/, text(@_) }

my $stop = 'tbreak variables.cl:' . line('sum += (int)own');

subtest 'in memory, as compilers leave them that do not optimise' => sub {
    my %got = locals('O0', $launch, $stop, 'continue', 'lane 7', 'info locals');
    is_deeply \%got, { g => 7, pair => '{7, 14}', even => 0, d => '0.75', big => 7 * 2**33, u => '{i = ' . unpack('l<',
        pack 'f<', 6.75) . ', f = 6.75}',
        own => '{8.0, 9.0, 11.0, -1.0, 8.0}', grid => '{{70, 71, 72}, {73, 74, 75}}', sum => 56 * 56 - 8, fixed => '{'
        . join(', ', map { -$_ } 0 .. 63) . '}' }, 'info locals, of lane 7';
    my %given = locals('O0', $launch, $stop, 'continue', 'lane 7', 'info args');
    is_deeply [@given{qw(c h v)}], [q(3), -7, '{1, 2, 3, 4}'], 'info args';
    is_deeply [printed('O0', $launch, $stop, 'continue', 'lane 7', map { "print $_" } 'own[2] * 2', 'p[3].pos[1]',
        'p->id + 1', 'shared[5]', 'fixed[9]', 'steps[3]',
            'u.f', 'even ? 1 : g << 1', 'v[2]', 'grid[1][2]', 'grid[0][1] + 1')],
        ['22.0', 6.75, 11, 25, -9, '-8.0', 6.75, 14, 3, 75, 72], 'in expressions';
    like text('O0', $launch, $stop, 'continue', 'lane 7', 'print grid[1]', 'whatis grid', 'print grid[0][3]'),
        qr/^\$1 = \{73, 74, 75\}\ngrid: int\[2\]\[3\]\n.*\[3\]: the array has 3 elements/m, 'an array of arrays';
    like text('O0', $launch, $stop, 'continue', 'lane 7', 'print own', 'print $1[2] + 1', 'print p[3]',
        'print $.pos[1]', 'continue', 'print $1', 'print $1 + 1'),
        qr/^\$1 = (\{8.0, 9.0, 11.0, -1.0, 8.0\})\n\$2 = 12.0\n\$3 = .*\n\$4 = 6.75\n(?s:.*)(?#
        )\$5 = \1\n(?s:.*)several parts/m,
        'they go into the history, and stay what they were';
    like text('O0', $launch, $stop, 'continue', 'print p[2]', 'print *p'), qr/\$1 = \{pos = \{2.5, 4.5, -2.0\}, (?#
        )id = 12, flags = 2\}\n\$2 = \{pos = \{0.5, 0.0, -?0.0\}, id = 10, flags = 0\}\n/, 'structures';
    like text('O0', $launch, $stop, 'continue', 'print own[5]', 'print p[0].nothing', 'print nothing'),
        qr/\[5\]: the array has 5 elements\n.*no member "nothing"\n.*no buffer, symbol or label "nothing"/,
        'what is not there';
    like text('O0', $launch, 'tbreak *deep', 'continue', 'print x'),
        qr/x: it has no value before the end of the function's prologue/, 'no value before the frame is set up';
    like text('O0', $launch, $stop, 'continue', 'lane 7', 'set var sum = 1000', 'print sum', 'watch sum', 'continue'),
        qr/= 1000\n(?s:.*)\n  sum: 1000 -> 1018, wave 0, lane 7\n/, 'set, and watched';
    is_deeply [printed('O0', $launch, $stop, 'continue', 'lane 7', 'set big = -5', 'set d = 2.5', 'print big',
        'print d', 'print big += 0x100000001', 'lane 6', 'print big', 'print d',
            'lane 8', 'print big')], [-5, 2.5, 2**32 - 4, 6 * 2**33, 0.5, 8 * 2**33],
            'numbers of 64 bits are set, and those of other lanes are as they were';
    like text('O0', $launch, $stop, 'continue', 'print &big', 'x big'),
        qr/(.*the value lies in two places, \*\(u32\*\)0x\w+ and .*\n){2}/, '... but have no one address';
    is_deeply [printed('O0', $launch, $stop, 'continue', 'lane 7', 'print own[1.0]', 'print p[1.0].id',
        'print shared[1.0]')], ['9.0', 11, 1], 'an index is a whole number, however it is written';
};

subtest 'pointers count as buffers do' => sub {
    is_deeply [printed('O0', $launch, 'print out + 4', $stop, 'continue', 'print out + 4', 'print &out[2] - out',
        'print *shared', 'print shared[1]')],
        ['0x100000004 <out+0x4>', '0x100000004 <out+0x4>', 8, 0, 1], 'bytes behind +, elements in [ ]';
    my @p = ($launch, $stop, 'continue', 'lane 7');
    is_deeply [printed('O0', @p, map { "print $_" } '(p+1)->id', '(p + g - 5)->pos[1]', '(*(p+3)).id', 'p[2].pos[0]',
        'v.y', '(own)[2]')],
        [$particles[1]{id}, $particles[2]{pos}[1], $particles[3]{id}, $particles[2]{pos}[0], 2, '11.0'],
        'pointers with elements added, in brackets';
    like text('O0', @p, 'print *(p+1)', 'print *p@2'), qr/^\$1 = \{pos = \{[^}]*\}, id = $particles[1]{id}, (?#
        ).*\n\$2 = \{\{.*\}, \{pos = .*id = $particles[1]{id}, /m, '... followed whole';
    is_deeply [printed('O0', @p, map { "print $_" } 'sizeof(p)', 'sizeof(*p)', 'sizeof p[0].pos', 'sizeof(particle)',
        'sizeof(own)', 'sizeof(grid[0])', 'sizeof(long)', 'sizeof v')],
        [8, 20, 12, 20, 20, 12, 8, 4], 'sizeof, of variables and types';
    is_deeply [map { [printed($_, map { "print $_" } 'sizeof(grid[0])', 'sizeof *p', 'sizeof(p->pos)', 'sizeof(float3)',
        'sizeof sum * 2')] } 'O0', 'O2'], [([12, 20, 12, 16, 8]) x 2],
        '... which needs no values: nothing is launched, or the compiler kept none';
    like text('O0', 'print sum', 'print own[1]', 'x/2 p', 'print grid[0]', 'print steps[3]', 'print sizeof nothing'),
        qr/\A(.*: (sum|own|p|grid): nothing is launched; .*\n){4}\$1 = -8.0\n.*: sizeof: no variable or type "nothing"/,
        'before a launch a variable has a value only where the file holds it';
    is_deeply [printed('O0', @p, 'print p', 'print &p[1]', 'print &p[1].pos', 'print &fixed', 'print &fixed[3]')],
        ['0x200000000 <p>', '0x200000014 <p+0x14>', '0x200000014 <p+0x14>', '0x0', '0xc'],
        'addresses, and whose they are';
    like text('O0', @p, 'print &own', 'x/1fw &own'), qr/^\$1 = (0x7\w+) <scratch\+0x\w+>\n\1 <[^>]*>: +8$/m,
        'an array in memory of the work-item';
    like text('O0', @p, 'print ' . '(p+' x 45 . '1' . ')' x 45), qr/./, 'many brackets end soon';
};

subtest 'where the file does not say' => sub {
    my $alone = tempdir(CLEANUP => 1);
    copy('share/demo/matmul.co', $alone) or die "$alone: $!\n";
    open my $pipe, '-|', "$gpudbg --batch $alone/matmul.co -e 'launch matmul -g 64,64 -l 16,16 zero:16384 "
        . "zero:16384 zero:16384 64' -e 'break *0x17fc' -e continue -e 'print tile_b[1][2]' 2>&1"
        or die "$gpudbg: $!\n";
    local $/;
    like <$pipe>, qr/tile_b: the file does not say where in LDS it is/,
        'without its source, code with more than one variable in LDS: linkers leave their addresses out';
};

# A work-item's own memory lies in dwords that are 256 bytes apart.
subtest 'watched' => sub {
    my @start = ($launch, 'tbreak variables.cl:' . line('float own[5]'), 'continue', 'lane 7');
    my $watched = sub {
        my ($name, @more) = @_;
        return map { [@$_{qw(message old new old_value new_value)}] } grep { $_->{type} eq 'stop'
            && $_->{reason} eq 'watchpoint' }
            map { decode_json($_) } grep { /^\{/ } split /\n/, run('O0', 1, @start, @more, "watch $name",
                ('continue') x 9);
    };
    my $floats = sub { return unpack 'H*', pack 'f<*', @_ };
    my @own = $watched->('own');
    is_deeply [map { $_->[2] } @own],
        [map { my $n = $_; $floats->(map { $_ < $n ? 7 + (1, 2, 4, -8, 1)[$_] : 0 } 0 .. 4) } 1 .. 5],
        'an array: each store into it';
    is_deeply [map { $_->[3] } @own], [map { '{' . join(', ', map { real($_) } @$_) . '}' } [0, 0, 0, 0, 0],
        [8, 0, 0, 0, 0], [8, 9, 0, 0, 0], [8, 9, 11, 0, 0], [8, 9, 11, -1, 0]], '... shown as an array';
    is $own[4][4], '{8.0, 9.0, 11.0, -1.0, 8.0}', '... before and after';
    like text('O0', @start, 'watch own', 'continue'), qr/^  old \{0.0(?:, 0.0){4}\}\n  new \{8.0(?:, 0.0){4}\}$/m,
        '... in words';
    my @one = $watched->('own[2]');
    is_deeply [@{ $one[0] }[3, 4]], ['0.0', '11.0'], 'a float as a float';
    is scalar(@one), 1, '... once';
    like text('O0', @start, 'watch own[2]', 'continue'), qr/^  own\[2\]: 0.0 -> 11.0, wave 0, lane 7$/m, '... in words';
    my $line = line('long big');
    my ($big) = map { [@$_{qw(old_value new_value)}] } grep { $_->{type} eq 'stop'
        && $_->{reason} eq 'watchpoint' } map { decode_json($_) } grep { /^\{/ }
        split /\n/, run('O0', 1, $launch, "tbreak variables.cl:$line", 'continue', 'lane 7', 'watch big',
            ('continue') x 2);
    is $big->[1] // 'none', 7 * 2**33, 'a number whose halves lie apart';
    my ($flags) = $watched->('p[1]', 'set var p[1].flags = 0');
    is $flags, undef, 'what nobody stores into';
    like text('O0', @start, 'watch u', 'watch pair', 'watch *p@2', 'watch grid', 'info breakpoints'),
        qr/(?:\d +watchpoint +on +0x\w+ +(?:u|pair|\*p\@2|grid) +\{.*\} +0 *\n){4}/,
        'unions, vectors, several behind one another';
};

# Where clang -O2 left the variables of calls.cl and of share/demo/matmul.cl, by llvm-dwarfdump-19: stir's x is in v0
# between 0x2a40 and 0x2ac0 with a gap around its call; chain's x moves from v0 to v5 at 0x2aec, and v0 is used again;
# matmul's sum is the constant 0 until 0x1760, nowhere until 0x17b4, then in v0 until 0x1818.
subtest 'watched in registers' => sub {
    my $m32 = 0xffffffff;
    my $twist = sub { my $x = shift; $x ^ ($x << 13 & $m32) ^ $x >> 7 };
    my @in = map { $_ * 2654435761 & $m32 } 1 .. 64;
    open my $to, '>:raw', "$dir/calls" or die;
    print $to pack 'L<*', @in;
    close $to;
    my $asked = sub {
        my ($json, $file, @commands) = @_;
        my $words = join ' ', map { "-e '$_'" } @commands;
        return scalar qx($gpudbg --batch @{[$json ? '--json' : '']} $file $words 2>&1);
    };
    my $stops = sub { return grep { $_->{type} eq 'stop' && $_->{reason} eq 'watchpoint' } map { decode_json($_) }
        grep { /^\{/ } split /\n/, $asked->(1, @_) };
    my $calls = "$kernels/calls-O2-g.co";
    my @calls = ("launch calls_chain -g 64 -l 64 zero:256 \@$dir/calls", 'tbreak *0x2a40', 'continue', 'lane 6');

    my ($x, @x) = ($in[6]);
    for my $k (0 .. ($in[6] & 7) - 1) {
        my $next = $twist->(($x + $k) & $m32) * 5 & $m32;
        push @x, [$x, $next];
        $x = $next;
    }
    my @found = $stops->($calls, @calls, 'watch x', ('continue') x 9);
    my $end = pop @found;
    is_deeply [map { [@$_{qw(old_value new_value)}] } @found], \@x, 'every change, over the calls between them';
    is_deeply [map { @$_{qw(wave lane element)} } @found], [(0, 6, 'x') x @x], '... with its wave and lane';
    is unpack('L<', pack 'H*', $found[-1]{new}), $x, '... its bytes';
    like $end->{message}, qr/x has no place from here on; its last value was $x; the watchpoint is deleted$/,
        '... and once that it ends';
    my @back = $stops->($calls, @calls, 'watch x', ('continue') x 3, ('reverse-continue') x 2);
    is_deeply [map { [@$_{qw(old_value new_value)}] } @back[3, 4]], [@x[1, 0]], 'backwards, too';
    is_deeply [map { $_->{new_value} } ($stops->($calls, @calls, "watch x if x > 0xc0000000", 'continue'))[0]],
        [(grep { $_ > 0xc0000000 } map { $_->[1] } @x)[0] // ()], 'with a condition';
    is_deeply [map { [@$_{qw(old_value new_value)}] } ($stops->($calls, @calls, 'watch x', 'continue', 'set var x = 77',
        'continue'))[1]], [[77, $twist->(78) * 5 & $m32]], 'set by hand, and then changed';
    my $text = $asked->(0, $calls, @calls, 'watch x', 'continue', 'info breakpoints');
    like $text, qr/^  x: $x[0][0] -> $x[0][1], wave 0, lane 6, in v0$/m, 'in words';
    like $text, qr/^2 +watchpoint +on +x +$x[0][1] +1 +wave 0 lane 6 *$/m, 'in the list';

    @found = $stops->($calls, $calls[0], 'tbreak *0x2ae8', 'continue', 'lane 6', 'watch x', 'continue', 'continue');
    is_deeply [map { $_->{message} =~ /: (x .*)/ } @found],
        ["x has no place from here on; its last value was $in[6]; the watchpoint is deleted"],
        'followed from v0 to v5: that v0 is used again is no change';

    my ($n, @a, @b) = (64);
    for ([\@a, 'a'], [\@b, 'b']) {
        open my $f, '<:raw', "share/demo/matmul_$_->[1].bin" or die;
        local $/;
        @{ $_->[0] } = unpack 'f<*', <$f>;
    }
    my ($sum, @sum) = (0);
    for my $k (0 .. $n - 1) {
        push @sum, unpack 'f<', pack 'f<', $sum + $a[$k] * $b[$k * $n + 3];
        $sum = $sum[-1];
    }
    my @steps = grep { $sum[$_] != ($_ ? $sum[$_ - 1] : 0) } 0 .. $n - 1;
    my @matmul = ("launch matmul -g 64,64 -l 16,16 zero:16384 \@share/demo/matmul_a.bin \@share/demo/matmul_b.bin 64",
        'tbreak *0x1724', 'continue', 'lane 3', 'watch sum');
    @found = $stops->('share/demo/matmul.co', @matmul, ('continue') x 70);
    like pop(@found)->{message}, qr/sum has no place from here on; its last value was @{[quotemeta real($sum)]};/,
        'from a constant to a register: the end';
    is_deeply [map { $_->{new_value} } @found], [map { real($sum[$_]) } @steps], '... the values, as floats';
    is_deeply [map { @$_{qw(wave lane)} } @found], [(0, 3) x @steps], '... of one wave and lane';

    $asked->(0, 'share/demo/matmul.co', @matmul, ('continue') x 3, "save session $dir/followed.session");
    @found = $stops->("$dir/followed.session", 'continue', 'reverse-continue', 'reverse-continue');
    is_deeply [map { $_->{new_value} } @found], [map { real($sum[$steps[$_]]) } 3, 2, 1], 'saved and opened again';

    like $asked->(0, $calls, @calls, 'rwatch x'), qr/x is in no memory here, so only its changes can be watched/,
        'reads of one are refused';
    like $asked->(0, $calls, @calls, 'continue', 'goto 0', 'watch x'), qr/no buffer, symbol or label "x"/,
        'one that is out of scope is not known';
    like $asked->(0, 'share/demo/collatz.co', 'launch collatz -g 128 -l 128 zero:512 1000', 'tbreak *0x1974',
        'continue', 'watch x'), qr/x: optimised out here/, 'one that has no place at all is refused';
    like $asked->(0, $calls, @calls, 'info writes x'), qr/^ +\d+ +0 +6 +\$v0\[6\] /m,
        'who wrote it: asked of the register, which is named';
    my $gen = "t/data/kernels/gen12/saxpy-g.bin";
    like $asked->(0, $gen, 'break saxpy.cl:4', 'launch -g 32 -l 32 zero:128 zero:128 2 32', 'continue', 'lane 21',
        'watch i', 'continue'), qr/: i has no place from here on; its last value was 21; the watchpoint is deleted$/m,
        'in another instruction set';
};

# computed.cl: what -O2 leaves is operations on the register of `seen` (llvm-dwarfdump-19: plus, xor, and, shra, eq,
# convert).
subtest 'computed from registers' => sub {
    my @in = map { $_ * 37 - 300 } 0 .. 63;
    open my $to, '>:raw', "$dir/in" or die;
    print $to pack 'l<*', @in;
    close $to;
    for my $level (1, 2) {
        for my $lane (0, 5, 12, 63) {
            my $s = $in[$lane];
            my @commands = ("launch -g 64 -l 64 zero:512 \@$dir/in", 'break *0x1640', 'continue', "lane $lane",
                'info locals');
            my $options = join ' ', map { "-e '$_'" } @commands;
            my $said = qx($gpudbg --batch --json $kernels/computed-O$level-g.co $options 2>&1);
            my %got = map { $_->{name} => $_->{value} } grep { $_->{type} eq 'local' } map { decode_json($_) } grep {
                /^\{/ } split /\n/, $said;
            my $narrow = unpack 'c', pack 'C', $s & 255;
            is_deeply [@got{qw(seen next other bits wide less odd)}], [$s, $s + 4, -$s - 1, ($s & 12) >> 2, $narrow,
                $s - 9, $s & 1], "-O$level, lane $lane";
        }
    }
};

subtest 'parts and counts' => sub {
    my $said = text('O0', $launch, $stop, 'continue', 'lane 7', map { "print $_" } '*p@2', 'own[1]@2', '*shared@3',
        'v.x + v.w', 'v.s2', 'pair.y', 'v.q', 'p[1].pos[1] * 2',
        'own[1]@0', 'grid[1]@1');
    like $said, qr/^\$1 = \{\{pos = \{0.5, 0.0, -?0.0\}, id = 10, flags = 0\}, \{pos = \{1.5, 2.25, -1.0\}, id = 11, (?#
        )flags = 1\}\}$/m, '*p@2';
    like $said, qr/^\$2 = \{9.0, 11.0\}\n\$3 = \{0, 1, 4\}$/m, 'an element and those behind it';
    is_deeply [$said =~ /^\$\d+ = ([^{\n]+)$/mg], [5, 3, 14, 4.5], 'components of vectors, members of elements';
    like $said, qr/no component "q"/, '... that there are';
    like $said, qr/^\$\d+ = \{\{73, 74, 75\}\}$/m, 'a row';
};

subtest 'slices' => sub {
    my @at = ($launch, $stop, 'continue', 'lane 7');
    is_deeply [printed('O0', @at, map { "print $_" } 'own[1:3]', 'own[:]', 'grid[1][0:1]', 'grid[0:0]', 'fixed[2:g]',
        'count(fixed[:] < -60)', 'shared[2 + 1:4]', 'p[2:3]', 'p[:]', 'p[1].pos[:]', 'p[even ? 1 : 2].pos[0:1]',
        'sizeof(p[1:2])')],
        ['{9.0, 11.0, -1.0}', '{8.0, 9.0, 11.0, -1.0, 8.0}', '{73, 74}', '{{70, 71, 72}}',
        '{' . join(', ', map { -$_ } 2 .. 7) . '}', 3, '{9, 16}', structures(2, 3), structures(0 .. 3),
        '{1.5, 2.25, -1.0}', '{2.5, 4.5}', 40], 'of arrays and pointers, wherever they lie';
    my $said = text('O0', @at, map { "print $_" } 'own[3:5]', 'fixed[60:64]', 'p[1].pos[3:3]', 'fixed[64]', 'own[3:2]',
        'own[1:2] + 1', 'p[2:3].id');
    like $said, qr/\Q$_\E\n/, "... no further: $_"
        for '[5]: the array has 5 elements', '[64]: the array has 64 elements',
        '[3]: the array has 3 elements', '[3:2]: the last element is before the first';
    unlike $said, qr/^\$/m, '... and no number is made of them';
    like text('O0', @at, 'watch p[1:2]', 'info breakpoints'), qr/ p\[1:2\] +\Q${\ structures(1, 2)}\E /, 'watched';
};

sub structures {
    return '{' . join(', ', map { structure($_) } @_) . '}';
}

sub structure {
    my $p = $particles[shift];
    my @pos = map { /\./ ? $_ : "$_.0" } @{ $p->{pos} };
    return sprintf '{pos = {%s}, id = %d, flags = %d}', join(', ', @pos), @$p{qw(id flags)};
}

subtest 'a buffer of structures outlives its variable' => sub {
    my @at = ($launch, 'tbreak variables.cl:' . line('out[g] ='), 'continue', 'print p[3].id', 'continue');
    is_deeply [printed('O2', @at, map { "print $_" }
        'p[1]', 'p[2:2]', 'p->id', 'p', 'p[3].pos[1]', '*p', 'h@entry')],
        [13, structure(1), structures(2), 10, '0x200000000 <p>', 6.75,
        structure(0), -7], 'where no register holds it, and when the wave has ended';
    like text('O2', $launch, 'continue', 'print g'), qr/no buffer, symbol or label "g"/, '... which others do not';
};

subtest 'shown again and again' => sub {
    like text('O0', $launch, $stop, 'continue', 'lane 2', 'display/x fixed[3]', 'display own', 'print/x p[1].pos',
        'print/x v', 'next'),
        qr/= 0xfffffffd\n2: own = \{3.0, 4.0, 6.0, -6.0, 3.0\}\n\$\d+ = \{0x3fc00000, 0x40100000, 0xbf800000\}\n(?#
        )\$\d+ = \{0x1, 0x2, 0x3, 0x4\}\n(?s:.*)2: own = /,
        'parts in a format, displays of them';
    is text('O0', $launch, 'info threads'), text('O0', $launch, 'info waves'),
        'waves by the name that gdb gives threads';
};

subtest 'conditions' => sub {
    my $at = 'break variables.cl:' . line('own[i] = g');
    like text('O0', $launch, "$at if g == 9 && i == 3", 'continue', 'print g', 'print i', 'print $lane'),
        qr/lane 9 at .*(?s:.*)= 9\n\$2 = 3\n\$3 = 9\n/,
        'of a variable that is not yet in scope: the lane where it holds';
    like text('O0', $launch, "$at if nothing == 9"), qr/no buffer, symbol or label "nothing"/, 'of none';
};

subtest 'in registers' => sub {
    my $text = text('O2', $launch, 'tbreak deepest', 'continue', 'lane 4', 'info args', 'print x', 'lane 10', 'print x',
        'whatis x');
    like $text, qr/^x +int +v0 +17$/m, 'info args says where';
    like text('O2', $launch, 'tbreak deepest', 'continue', 'lane 5', 'info args'), qr/^x .* v0 \(the lane is off\) /m,
        'that of a lane that EXEC masks off is old';
    is_deeply [$text =~ /^\$\d+ = (.*)/mg], [4 * 3 + 5, 10 * 3 + 5], 'each lane has its own';
    like $text, qr/^x: int$/m, 'its type';
    like text('O2', $launch, 'print own', 'print out[0]'), qr/own: optimised out(?s:.*)\$1 = 0\n/,
        'what is optimised out is said to be; buffers have the names of the source';
    like text('O2', 'info kernels'), qr/0 out .*buffer(?s:.*)4 p +.*buffer(?s:.*)5 shared +.*local/,
        'so have arguments';
};

for my $object (qw(O0 O2)) {
    subtest "who called, $object" => sub {
        my @all = map { $_->{type} eq 'frame' ? $_ : () } map { decode_json($_) } grep { /^\{/ } split /\n/,
            run($object, 1, $launch, 'tbreak deepest', 'continue', 'tbreak deepest', 'continue', 'backtrace');
        is join(' ', map { $_->{function} . ($_->{inlined} ? '*' : '') } @all), 'deepest deep inner* variables',
            'the second time';
        is join(' ', text($object, $launch, 'tbreak deepest', 'continue', 'tbreak deepest', 'continue', 'bt 3')
            =~ /^#\d+ +(?:.*? in )?(\w+)/mg), 'deepest deep inner', 'three of them';
        is_deeply [map { $_->{line} } @all[1 .. 3]], [line('twice = deepest'), line('return deep(t)'),
            line('sum += inner')], 'each at its call';
        my $text = text($object, $launch, 'tbreak deepest', 'continue', 'tbreak deepest', 'continue', 'info hash', 'bt',
            'info hash', 'finish', 'bt', 'reverse-finish');
        my ($before, $after) = $text =~ /^hash (\S+)/mg;
        is $after, $before, 'looking changes nothing';
        like $text, qr/^#0 .* in deep at .*\n#1 .* in inner at .*inlined\)\n#2 .* in variables at .*\n(?#
            ).* at variables\+\S+ s_swappc/m, 'reverse-finish: to the call of deep, not one that deep made';
    };
}

# inner(g, c) stands in variables(): q is g, r is c, t is q * r + 5.
subtest 'frames' => sub {
    my @there = ($launch, 'tbreak deep', 'continue', 'lane 6');
    my @call = (@there, 'reverse-finish', 'lane 6');
    my $sum = 57 * 57 - 7 + (6 + 2) + 0 + 6; # of shared, fixed, own, d and big
    my $top = "2 variables @{[line('sum += inner')]}";
    is_deeply [printed('O0', @call, 'print q', 'print t', 'up', 'print g', 'print c', 'print sum += 2', 'print sum',
        'down', 'print r')], [6, 6 * 3 + 5, 6, 3, $sum + 2, $sum + 2, 3],
        'variables of the function that another was inlined into, to be read and set';
    like text('O0', @call, 'print g', 'up', 'print q'), qr/"g"(?s:.*)"q"/, 'each has its own';
    like text('O0', @call, 'up', 'frame', 'stepi', 'frame'), qr/^#1 .* in variables at .*\n#1 (?s:.*)\n#0 /m,
        'a step selects the innermost again';
    my @all = map { decode_json($_) } grep { /^\{/ } split /\n/, run('O0', 1, @there, 'frame 2', 'frame 0',
        'up 2', 'down 1', 'down -1', 'up -2');
    is join(' ', map { "$_->{number} $_->{function} $_->{line}" } grep { $_->{type} eq 'frame' } @all),
        join(' ', $top, "0 deep @{[line('int deep(') + 2]}", $top, "1 inner @{[line('return deep(t)')]}",
            $top, "0 deep @{[line('int deep(') + 2]}"), 'by number, up and down';
    # A caller's variables are as they are once its callees have returned: s, u and v of the frames around deep().
    my @back = (@call, 'info locals', 'info args');
    my %returned = (locals('O0', @back), locals('O0', @call, 'up', 'info locals', 'info args'));
    my %shown = (locals('O0', @there, 'up', 'info locals', 'info args'), locals('O0', @there, 'up 2', 'info locals',
        'info args'));
    is_deeply \%shown, \%returned, 'a caller has the values that it has where it calls';
    is_deeply [@shown{qw(q t g c sum)}], [6, 6 * 3 + 5, 6, 3, $sum], '... and they are those worked out here';
    is_deeply [printed('O0', @there, 'up 2', 'print g + 1', 'print own[1]', 'set var sum = 5', 'print sum', 'down 2',
        'print x')], [7, '8.0', 5, 6 * 3 + 5],
        'in expressions; what is in memory can be set';
    like text('O0', @there, 'down', 'frame 9', 'up 3'),
        qr/this is the innermost frame\n.*no frame 9: 3 of them, from 0\n.*no frame 3: 3 of them, from 0/,
        'what there is not';
    symlink "$FindBin::Bin/../data/kernels/variables.cl", "$dir/variables.cl";
    symlink "$FindBin::Bin/../../$kernels/variables-O0-g.co", "$dir/variables-listed-g.co";
    local $kernels = $dir;
    my $sources = qq(directory "$FindBin::Bin/../data/kernels");
    like text('listed', $sources, @there, 'frame 2', 'list'),
        qr/^#2 .*\n@{[line('sum += inner')]}  +sum \+= inner\(g, c\);\n(?:.*\n){5}.*sum \+= inner/m,
        'its line, and lines around it';
    my @words = map { ('-e', $_) } $sources, @there, 'layout split', 'up', 'screenshot', 'up', 'screenshot', 'stepi',
        'screenshot';
    open my $pipe, '-|', $gpudbg, '--batch', '--screen', '160x40', "$dir/variables-listed-g.co",
        @words or die "$gpudbg: $!\n";
    my @shown = map { /^.?source +variables\.cl:(\d+)|^\W+source +variables\.cl:(\d+)/ ? $1 // $2 : () } <$pipe>;
    is_deeply \@shown, [line('return deep(t)'), line('sum += inner'), line('int deep(') + 2],
        'the pane of the source shows it, until the wave moves';
};

# As compilers leave them with -gz: every debug section behind an Elf64_Chdr, packed by zlib.
sub compressed {
    my ($elf) = @_;
    my ($at, $size, $n, $names) = unpack 'x40 Q< x10 S<3', $elf;
    my $strings = (unpack 'x24 Q<', substr $elf, $at + $names * $size, $size)[0];
    for my $i (0 .. $n - 1) {
        my @header = unpack 'V2 Q<4 V2 Q<2', substr $elf, $at + $i * $size, $size;
        next unless unpack('Z*', substr $elf, $strings + $header[0]) =~ /^\.debug_/;
        my $packed = pack('VVQ<2', 1, 0, $header[5], 1) . Compress::Zlib::compress(substr $elf, $header[4], $header[5]);
        $header[2] |= 0x800;
        @header[4, 5] = (length $elf, length $packed);
        substr $elf, $at + $i * $size, $size, pack 'V2 Q<4 V2 Q<2', @header;
        $elf .= $packed . "\0" x (-length($packed) % 8);
    }
    return $elf;
}

subtest 'compressed debug information, in a small file and in one that is mapped' => sub {
    open my $in, '<:raw', "$kernels/variables-O0-g.co" or die;
    my $small = compressed(do { local $/; <$in> });
    my @commands = ($launch, $stop, 'continue', 'lane 7', 'info locals');
    my %whole = locals('O0', @commands);
    for my $file (['small', $small], ['large', $small . "\0" x (4 << 20)]) {
        open my $to, '>:raw', "$dir/$file->[0]-g.co" or die;
        print $to $file->[1];
        close $to;
        local $kernels = $dir;
        symlink "$dir/$file->[0]-g.co", "$dir/variables-$file->[0]-g.co";
        my %got = locals($file->[0], @commands);
        is_deeply \%got, \%whole, "$file->[0]: the variables of the file without compression";
    }
};

# calls_many, for work-item 3: v0 is x and x shifted by 3, 5, 7.  llvm-dwarfdump-19: v8 to v11 from 2c38 on, the last
# three of them from 2c98 on, the last two from 2cb4 on, each by DW_OP_bregx with a class behind it.
subtest 'pieces, some of them nowhere' => sub {
    my @in = map { 132 + 977 * $_ } 0 .. 255;
    open my $to, '>:raw', "$dir/in" or die;
    print $to pack 'V*', @in;
    close $to;
    my ($x, $none) = ($in[3], '<a part of it is optimised out here>');
    my @words = map { ('-e', $_) } "launch calls_many -g 256 -l 64 zero:1024 \@$dir/in", 'break *0x2c38',
        'continue', 'lane 3',
        map { ("advance *$_", 'print v0') } qw(0x2c3c 0x2c98 0x2cb4);
    my @got = grep { s/^\$\d+ = (?=\{)// } split /\n/,
        qx($gpudbg --batch $kernels/calls-O2-g.co @{[map { "'$_'" } @words]} 2>&1);
    is_deeply \@got, [map { '{' . join(', ', @$_) . '}' } [map { $x >> $_ } 0, 3, 5, 7], [$none, map { $x >> $_ } 3, 5,
        7], [$none, $none, $x >> 5, $x >> 7]],
        'a vector in registers, as its parts go';
};

subtest 'pointers into memory of the work-item' => sub {
    my @in = map { 132 + 977 * $_ } 0 .. 255;
    my ($quotient, $other) = (int($in[9] / (9 + 3)), int($in[8] / (8 + 3)));
    my $run = sub {
        # the quotient is stored
        my @words = map { ('-e', $_) } "launch calls_results -g 256 -l 64 zero:6144 \@$dir/in", 'tbreak both',
            'continue', 'next', 'next', 'lane 9', @_;
        return qx($gpudbg --batch $kernels/calls-O0-g.co @{[map { "'$_'" } @words]} 2>&1);
    };
    like $run->('print *quotient'), qr/^\$1 = $quotient$/m, '*p is what was stored there';
    like $run->('print *quotient * 2 + 1'), qr/^\$1 = @{[2 * $quotient + 1]}$/m, '... also inside an expression';
    my @set = $run->('set *quotient = 5', 'print quotient[0]', 'lane 8', 'print *quotient') =~ /^\$\d+ = (\d+)$/mg;
    is_deeply \@set, [5, $other], '... and can be set, for this lane alone';
    like $run->('x/1dw quotient'), qr/own memory is not an address/, 'the number itself is no address';
};

# What lane 9 is given there is what its sum is made of; lane 8's is of what it got itself.
subtest 'numbers of all widths in registers' => sub {
    my @in = map { 132 + 977 * $_ } 0 .. 63;
    my $sum = sub { my ($w, $h, $d, $c, $u) = @_; return ($w >> 3) + $h * $d + $c * $u };
    my @given = map { [$in[$_] << 20 | $_, $in[$_] - 700, $in[$_] * 0.25, $in[$_] + 1 & 255, int($in[$_] / 3)] } 8, 9;
    open my $to, '>:raw', "$dir/words" or die;
    print $to pack 'V*', @in;
    close $to;
    my @set = (2**40 + 12345, -5, -1.75, 44, 7);
    my @words = map { ('-e', $_) } "launch widths_all -g 64 -l 64 zero:512 \@$dir/words", 'tbreak widths', 'continue',
        'lane 9', (map { "print $_" } qw(w h d c u)),
        'set w = 12345', 'print w += 1 << 40', 'set h = -5', 'set d = -1.75', 'set c = 300', 'set u = 7',
        (map { "print $_" } qw(w h d c u)), 'print/x $v2',
        'continue', 'print (f64)out[8]', 'print (f64)out[9]';
    my @got = qx($gpudbg --batch $kernels/widths-O2-g.co @{[map { "'$_'" } @words]} 2>&1);
    my @printed = map { /^\$\d+ = (.*)/ ? $1 : () } @got;
    is_deeply [@printed[0 .. 4]], $given[1], 'as they were given';
    is_deeply [@printed[5 .. 10]], [$set[0], @set], '... and as they are set';
    is $printed[11], '0xfffffffb', 'a small number fills its register, as functions take it';
    is_deeply [@printed[12, 13]], [map { real($sum->(@$_)) } $given[0], \@set],
        'the function reckons with them, for this lane alone' or diag @got;
};

# Lanes 0, 3, ... point into a buffer, 1, 4, ... into LDS, 2, 5, ... into memory of their own (generic.cl).
subtest 'pointers into memory that only their value tells' => sub {
    my $data = 0x01010101;
    my $run = sub {
        my @words = map { ('-e', $_) } 'launch generic_pointers -g 64 -l 64 zero:1024 fill:256:1', 'tbreak *store_any',
            'continue', 'next', @_;
        return qx($gpudbg --batch $kernels/generic-O0-g.co @{[map { "'$_'" } @words]} 2>&1);
    };
    my @got = $run->(map { ("lane $_", 'print *p', 'print *p + 1') } 0 .. 5) =~ /^\$\d+ = (\d+)$/mg;
    is_deeply \@got, [map { ($_, $_ + 1) } $data, $data ^ 0xff, $data + 2 * 2, $data, $data ^ 0xff, $data + 5 * 5],
        '*p of six lanes';
    @got = $run->('lane 2', 'print p[1]', 'set *p = 77', 'print *p', 'lane 5', 'print *p', 'lane 1', 'set *p = 5',
        'print p[0]', 'print p[1]', 'lane 4', 'print p[0]') =~ /^\$\d+ = (\d+)$/mg;
    is_deeply \@got, [$data + 3 * 3, 77, $data + 5 * 5, 5, $data ^ 0xff, $data ^ 0xff],
        'neighbours; set where they lead to, and nowhere else';
    my $said = $run->('lane 1', 'x/2xw p', 'print *(p + 4)', 'lane 2', 'info args', 'x/2xw p');
    like $said, qr/^lds:0x4: +0x010101fe +0x010101fe$/m, 'x of LDS';
    like $said, qr/^\$1 = @{[$data ^ 0xff]}$/m, 'an address beside';
    like $said, qr/^p +uint \* .* 0x20000001[0-9a-f]{8}$/m, 'info args: the pointer as it is';
    like $said, qr/own memory is not an address/, '... which x cannot follow';
};

# No compiler at hand writes entry values, so they are put in the place of registers of the same length.
subtest 'entry values' => sub {
    open my $in, '<:raw', "$kernels/variables-O2-g.co" or die;
    my $bytes = do { local $/; <$in> };
    my $n = $bytes =~ s/\x92([\x80-\xff])\x14\x00\x31\x16\x18/\x96\xa3\x03\x90$1\x14\x9f/g;
    cmp_ok($n, '>', 3, 'places that become entry values');
    my $path = tempdir(CLEANUP => 1) . '/entry.co';
    open my $out, '>:raw', $path or die;
    print $out $bytes;
    close $out;
    my $said = qx($gpudbg --batch $path -e 'launch -g 64 -l 64 zero:256 3 -7 hex:01020304 zero:80 local:256' \\
        -e 'tbreak deepest' -e continue -e 'info locals' -e 'info args' -e 'print x' 2>&1);
    like($said, qr/^x +int +<entry value not known: .*>$/m, 'they are said by name');
    like($said, qr/^gpudbg: -e: x: entry value not known: /m, '... in expressions, too');
};
done_testing;
