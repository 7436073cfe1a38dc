#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# A register has one type, by its last writer: print, displays, watchpoints and the screen's panes say the same
# number, and what the program computes stays as it is.  Answers follow from the files' own numbers.
use v5.36;
use File::Temp qw(tempfile);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my $demo = "$FindBin::Bin/../../share/demo";
sub floats ($file) { open my $f, '<:raw', "$demo/$file" or die $!; local $/; return unpack 'f<*', <$f> }
my (@a, @b) = floats('matmul_a.bin');
@b = floats('matmul_b.bin');
sub said ($open, @commands) { return (gpudbg(@$open, commands(@commands)))[0] }
sub prints ($open, @commands) { return [said($open, @commands) =~ /^\$\d+ = (.*)/mg] }

# After one product of the loop: v12 and v13 were read from the tiles, v0 is their product, v14 was loaded from a.
my @at = ('break *0x17fc', 'continue', 'stepi');
my @product = map { real(unpack 'f', pack 'f', $a[0] * $b[$_]) } 0 .. 3;

subtest 'gfx7: arithmetic, loads, local memory, constants, integers' => sub {
    is_deeply prints(['--demo=matmul'], @at, map { "print $_" } '$v0[0:3]', '$v0[1]', '$v14[0:3]', '$v12[2]',
        '$v13[0:3]', '$v1[0]', '$s4', '$v5[17]'),
        ['{' . join(', ', @product) . '}', $product[1], '{' . join(', ', map { real($_) } @a[0 .. 3]) . '}',
            real($a[0]), '{' . join(', ', map { real($_) } @b[0 .. 3]) . '}', 0, 64, 64], 'print';
    is_deeply prints(['--demo=matmul'], @at[0, 1], 'print $v0[1]'), ['0.0'], 'a 0 that is moved is what reads it';
    is_deeply prints(['--demo=matmul'], @at, 'print/x $v0[1]', 'print/d $v0[1]', 'print/f $v0[1]', 'print $v0[1] + 0',
        'print $v0[1] == ' . unpack('V', pack 'f', $product[1]), 'print $v0[1]', 'print $$1', 'print $', 'print/x $'),
        [sprintf('0x%x', unpack 'V', pack 'f', $product[1]), unpack('l', pack 'f', $product[1]), $product[1] + 0,
            unpack('V', pack 'f', $product[1]), 1, $product[1], 1, 1, '0x1'], 'formats and arithmetic as ever';
    my ($record) = grep { $_->{type} eq 'value' } records('--demo=matmul', commands(@at, 'print $v0[1]'));
    is "@$record{qw(type_name value text)}", 'f32 ' . sprintf('0x%x', unpack 'V', pack 'f', $product[1])
        . " $product[1]", 'JSON: the type, the bits, the text';
    my @hash = said(['--demo=matmul'], @at, 'info hash', 'print $v0', 'display $v14', 'info hash') =~ /^(hash .*)/mg;
    is $hash[0], $hash[1], 'looking changes nothing';
};

subtest 'print, display, watch and pane agree' => sub {
    my $text = said(['--demo=matmul'], @at[0, 1], 'delete', 'watch $v0', 'continue', 'lane 2', 'display $v0',
        'display $v0[0:3]', 'print $v0');
    my ($shown) = $text =~ /^1: \$v0 = (.*)/m;
    is $shown, $product[2], 'a display';
    like $text, qr/^  \$v0\[0\]: 0\.0 -> \Q$product[0]\E, and \d+ more lanes$/m, 'a watchpoint names the lane';
    like $text, qr/^2: .* \Q$product[3]\E|^2: /m, '... a display of lanes';
    my @low = sort { $a <=> $b } @product;
    like $text, qr/^2: \$v0\[0:3\] = \S+  \Q$low[0]\E to \Q$low[3]\E$/m, '... from the least to the largest';
    my ($picture) = gpudbg('--screen', '120x40', '--demo=matmul', commands(@at, 'screenshot'));
    my ($row) = $picture =~ /[|\xe2\x94\x82]+ *v0 +(.*)/;
    my @pane = map { s/^\*//r } split ' ', $row // '';
    is_deeply [@pane[0 .. 3]], \@product, 'the pane lanes';
    my ($scalar) = gpudbg('--screen', '120x40', '--demo=matmul', commands(@at, 'pane format v0 x', 'print $v0[0]'));
    like $scalar, qr/^\$1 = [0-9a-f]{8}$/m, 'what the user chooses goes before';
};

# v12 is an address of the tile, then what ds_read loads from it: before and after, each has its own type.
subtest 'a watched register: what it was and what it is' => sub {
    my $said = said(['--demo=matmul'], 'until *0x17fc', 'watch $v12[0]', 'continue', 'print $v12[0]',
        'info watchpoints', 'delete', 'watch $v12', 'continue', 'last-write $v12[0]');
    my ($first, $next) = map { real($_) } @a[0, 1];
    my $bits = sub ($x) { sprintf '0x%08x', unpack 'V', pack 'f', $x };
    like $said, qr/^  old \Q$first (${\$bits->($first)})\E\n  new 4 \(0x00000004\)$/m, 'one lane';
    like $said, qr/^\$1 = 4$/m, '... as print';
    like $said, qr/^1 +watchpoint .* 4 +1 /m, '... and info watchpoints';
    like $said, qr/^  \$v12\[0\]: 4 -> \Q$next\E, and 63 more lanes$/m, 'all lanes';
    like $said, qr/^  old 4 \(0x00000004\)\n  new \Q$next\E /m, 'last-write';
    my $wide = said(['--demo=dg1'], 'stepi 30', 'watch $r22', 'continue', 'print $r22', 'info watchpoints');
    my ($value) = $wide =~ /^\$1 = (\{.*\})$/m;
    like $wide, qr/^  new \Q$value\E$/m, 'a wide register, as print shows it';
    like $wide, qr/^1 +watchpoint .* \Q$value\E /m, '... and info watchpoints';
};

# A mask has all of its digits, 16 of 64 lanes and 8 of a wave of 32, wherever it stands.
subtest 'masks have one notation' => sub {
    my %same = ("print \$vcc" => '^\$1 = ', 'display $vcc' => '^1: \$vcc = ', 'info registers vcc' => '^vcc +',
        'screenshot' => '[|\xe2\x94\x82]\s*\*?vcc +\*? *', 'watch $vcc' => undef);
    for ([['--demo=matmul'], [], '0x0000000000000005'],
        [["$FindBin::Bin/../data/kernels/gfx10/divergence-O2.co"],
            ['launch nested_ifs -g 32 -l 32 zero:1024 zero:1024'], '0x00000005']) {
        my ($open, $before, $want) = @$_;
        my $said = (gpudbg('--screen', '80x24', @$open, commands(@$before, 'stepi 2', 'set $vcc = 5',
            'print $vcc', 'display $vcc', 'info registers vcc', 'watch $vcc', 'info watchpoints', 'screenshot')))[0];
        like $said, qr/$same{$_}\Q$want\E\b/m, "@$open: $_" for grep { $same{$_} } sort keys %same;
        like $said, qr/^1 +watchpoint .* \Q$want\E /m, '... a watchpoint';
    }
    is_deeply prints(['--demo=matmul'], 'set $vcc = 5', 'print $vcc & $exec', 'print $vcc[2]', 'print/x $vcc'),
        ['5', '1', '0x5'], 'what is made of one is a number';
};

subtest 'lanes may differ' => sub {
    my $code = File::Temp->new;
    print $code pack 'V*', 0x7e060285, 0xbefe03ff, 0xf, 0x060606f2, 0xbefe03c1, 0x7e080303, 0xbf810000;
    close $code;
    # v3 = 5; exec = 0xf; v3 = 1.0 + v3 (a float, in four lanes); exec = -1; v4 = v3
    my $got = prints(['--isa', 'gfx7', '--raw', "$code"], 'launch -g 64 -l 64', 'stepi 5', 'print $v3[2:5]',
        'print $v3[5]');
    is_deeply $got, ['{1.0, 1.0, 5, 5}', '5'], 'lanes that did not run keep their integers' or diag "@$got";
};

# v2 = 5, v3 = 6; exec = 0xf; v[2:3] = 7 as a double; exec = -1; s_nop (llvm-mc-19).  The same, with exec left at 0xf.
subtest 'lanes may differ: doubles and integers' => sub {
    my @begin = (0x7e040285, 0x7e060286, 0xbefe048f, 0x7e040887);
    for ([[@begin, 0xbefe04c1, 0xbf800000, 0xbf810000], 5], [[@begin, 0xbf800000, 0xbf800000, 0xbf810000], 5]) {
        my $code = File::Temp->new;
        print $code pack 'V*', @{ $_->[0] };
        close $code;
        my $got = prints(['--isa', 'gfx7', '--raw', "$code"], 'launch -g 64 -l 64', "stepi $_->[1]", 'print $v2[3]',
            'print $v2[4]', 'print $v2[2:5]');
        is_deeply $got, ['7.0', 5, '{7.0, 7.0, 5, 5}'], 'lanes that did not run keep their integers' or diag "@$got";
    }
};

# Logic of waves of 32 lanes: with EXEC or VCC, or of such masks alone; other logic is of integers.
subtest 'masks of waves of 32 lanes show their digits' => sub {
    my $file = "$FindBin::Bin/../data/kernels/gfx10/divergence-O2.co";
    my $said = said([$file], 'launch nested_ifs -g 32 -l 32 zero:1024 zero:1024', 'break *0x292c', 'continue',
        'print $s1', 'break *0x2a10', 'continue', 'stepi 2', 'print $s0', 'print $s2', 'info registers s0');
    my ($size, @masks) = $said =~ /^\$\d+ = (.*)/mg;
    is $size, 32, 'the size of a group and 0xffff is a number';
    like $_, qr/^0x[0-9a-f]{8}$/, 'a mask' for @masks;
    is scalar(@masks), 2, '... of s_and_saveexec_b32 and of s_xor_b32 with exec_lo';
    like $said, qr/^s0 +0x[0-9a-f]{8}$/m, '... in info registers';
    # v0 is 0: v_cmp_gt_u32 s4, 5, v0; v_cmp_gt_u32 s5, 3, v0; s_and_b32 s6, s4, s5; s_mov_b32 s7, exec_lo;
    # s_and_b32 s8, s9, 7
    my $code = File::Temp->new;
    print $code pack 'V*', 0xd4c40004, 0x00020085, 0xd4c40005, 0x00020083, 0x87060504, 0xbe87037e, 0x87088709,
        0xbf800000, 0xbf810000;
    close $code;
    is_deeply prints(['--isa', 'gfx10', '--raw', "$code"], 'launch -g 32 -l 32', 'set $s9 = 12', 'stepi 5',
        map { "print \$s$_" } 4 .. 8), [('0xffffffff') x 4, 4],
        'logic of two registers that hold masks';
};

subtest 'AMD IL: literals, doubles, integers' => sub {
    is_deeply prints(['--demo=il'], 'break *0x2c8', 'continue', 'continue',
        'print $r7.x', 'print $r7.y', 'print $r1.z'),
        ['1.25', unpack('V', substr pack('d', 1.25), 4), '4096'], 'pairs of words are doubles';
    is_deeply prints(['--demo=il'], 'continue', 'print $r9.x'), ['16'], 'of waves that have ended, too';
};

# c[0] is a sum of products of doubles of both files; its last step adds a[0][31] * b[31][0].
subtest 'where a double comes from: a pair of registers is one value' => sub {
    my $doubles = sub ($file) { open my $f, '<:raw', "$demo/$file" or die $!; local $/; return unpack 'd<*', <$f> };
    my @x = $doubles->('il_a.bin');
    my @y = $doubles->('il_b.bin');
    my $sum = 0;
    $sum += $x[$_] * $y[32 * $_] for 0 .. 30;
    my @want = (real($sum + $x[31] * $y[992]), real($x[31]), real($y[992]), real($sum));
    for ('$r3.x', '$r3.xy') {
        my @lines = split /\n/, said(['--demo=il'], 'continue', 'wave 0', "origin $_");
        is_deeply [map { / = (\S+) \(0x/ } @lines[-4 .. -1]], \@want, "AMD IL: $_ and its inputs" or diag "@lines";
        is_deeply [map { /^  (\S+) =/ } @lines[-3 .. -1]], [map { "\$r$_.xy[0]" } 6, 7, 3], '... and their names';
    }
    my $got = said(["$FindBin::Bin/../data/kernels/gfx7/double-O2.co"], 'launch double_arith -g 32 -l 32 zero:8192 '
        . 'fill:256:64 fill:256:65 fill:256:66 32', 'break *0x2e60', 'continue', 'origin $v14', 'origin arg0[2]');
    like $got, qr/^\$v14 = \S+ \(0x\w{16}\): .* v_fma_f64 .*\n(?:  .*\n){3}/m, 'gfx7: three inputs, not six halves';
    for (1 .. 3) {
        my ($name, $bits) = (sprintf('$v[%d:%d][0]', 2 * $_, 2 * $_ + 1), sprintf('%02x', 63 + $_) x 8);
        like $got, qr/^  \Q$name\E = \S+ \(0x$bits\): arg$_\[0\] as launched/m, "... $name";
    }
    like $got, qr/^arg0\[2\] = .* v_add_f64 .* \(through 1 copy\)/m, '... a store of a pair is a copy';
};

# v_add_f64 v[14:15] = x - y; later v_add_i32 writes v14 alone and v_addc_u32 v15 alone.
subtest 'a register that shows a double is the double for watch, last-write and next-write' => sub {
    my ($x, $y) = map { unpack 'd<', chr($_) x 8 } 64, 65;
    my ($was, $bits) = (sprintf('%.17g', $x - $y), sprintf '0x%016x', unpack 'Q<', pack 'd<', $x - $y);
    my $got = said(["$FindBin::Bin/../data/kernels/gfx7/double-O2.co"], 'launch double_arith -g 32 -l 32 zero:8192 '
        . 'fill:256:64 fill:256:65 fill:256:66 32', 'break *0x2e30', 'continue', 'last-write $v14',
        'last-write $v14[3:4]', 'watch $v14', 'info watchpoints', ('continue') x 3, 'goto 0', 'next-write $v[14:15]');
    like $got, qr/^\$v14: .* v_add_f64 v\[14:15\].*\n  old .*\n  new \Q$was ($bits)\E$/m, 'gfx7: last-write';
    like $got, qr/^  new \{\Q$was, $was\E\}$/m, '... of lanes';
    like $got, qr/^2 +watchpoint .* \$v14 +\Q$was\E in lane 0, 2 values/m, 'info watchpoints';
    like $got, qr/ v_fma_f64 v\[14:15\].*\n  \$v\[14:15\]\[0\]: \Q$was\E -> \S+\.\d+, and 31 more lanes$/m,
        'both halves';
    like $got, qr/ v_add_i32_e32 v14, .*\n  \$v\[14:15\]\[0\]: \S+\.\d+ -> 0x\w{16}, /m, 'the low half';
    like $got, qr/ v_addc_u32_e32 v15, .*\n  \$v\[14:15\]\[0\]: 0x(\w{8})\w{8} -> 0x(?!\1)\w{16}, /m,
        'the high half alone';
    like $got, qr/^\$v\[14:15\]: .* v_add_f64 .*\n  old .*\n  new \Q$was ($bits)\E$/m, 'next-write';
    $got = said(['--demo=il'], 'break *0x2c8', ('continue') x 2, 'last-write $r7.x', 'watch $r7.x',
        'continue');
    like $got, qr/^\$r7\.x: .*\n  old .*\n  new 1\.25 \(0x3ff4000000000000\)$/m, 'AMD IL: last-write';
    like $got, qr/^Watchpoint 2 .*\n  \$r7\.xy\[0\]: 1\.25 -> -?\d+\.\d+, and 63 more lanes$/m, '... and watch';
};

# Where ways join, each brought another type: what the register holds decides among them, and it looks the same at the
# join as behind its writer, whether anything reads it or not.
subtest 'a register that nobody reads looks the same behind a join as on the way there' => sub {
    my ($code, $path) = tempfile(UNLINK => 1);
    # v3 = 1.0; s4 == 0: skip v3 = 5; v3 is dead: s_nop, s_nop, s_endpgm
    print $code pack 'V*', 0x7e0602f2, 0xbf068004, 0xbf850001, 0x7e060285, 0xbf800000, 0xbf800000, 0xbf810000;
    close $code;
    for ([0, 3, '1.0'], [1, 4, '5']) {
        my ($s4, $steps, $is) = @$_;
        my $shown = prints(['--isa', 'gfx7', '--raw', $path], 'launch -g 64 -l 64', "set \$s4 = $s4", "stepi $steps",
            'print $v3[0]', 'stepi', 'print $v3[0]');
        is "@$shown", "$is $is", "of the way that made it $is";
    }
};

# Masks of mandelbrot: of a comparison, of logic, of EXEC that was saved; a constant that is moved.
subtest 'what logic of 64 bits writes shows its digits, in halves and as a pair' => sub {
    my $got = said(['--demo=mandelbrot'], 'break *0x1948', 'continue', 'display $s0', 'print $s0', 'print $',
        'print $s1', 'print $s[0:1]', 'print $s2', 'print/u $s0', 'print $s0 + 0',
        'last-write $s0', 'watch $s0', 'info watchpoints', 'continue', 'origin $s0');
    is_deeply [$got =~ /^\$\d+ = (.*)/mg],
        ['0xffffffff', '0xffffffff', '0xffffffff', '0xffffffffffffffff', '0xffffffff', '4294967295', '4294967295'],
        'print; arithmetic and letters are as they were';
    like $got, qr/^1: \$s0 = 0xffffffff$/m, 'displays';
    like $got, qr/^\$s0: .* s_and_b64 s\[0:1\].*\n  old 0xffffffff\n  new 0xffffffff$/m, 'last-write';
    like $got, qr/^2 +watchpoint .* \$s0 +0xffffffff +0 /m, 'info watchpoints';
    like $got, qr/^Watchpoint 2 .* s_mov_b64 s\[0:1\], 0.*\n  old 0xffffffff\n  new 0x00000000$/m, 'where it stops';
    like $got, qr/^\$s0 = 0x00000000: .* s_mov_b64 /m, 'origin';
    my ($scalar) = gpudbg('--screen', '120x40', '--demo=mandelbrot',
        commands('break *0x1948', 'continue', 'screenshot'));
    like $scalar, qr/ s0 +\*?0xffffffff s1 +\*?0xffffffff /, 'the pane scalar';
};

# Until the products of the first tile are summed up, 30 steps go by.  uav_raw_load_id puts bits of any kind into r6 and
# r7, lds_store_vec_id hands them on, and dmad reads what comes back as doubles.
subtest 'AMD IL: nothing but a write changes the type that is shown' => sub {
    my @names = map { my $r = $_; map { "\$r$r.$_" } qw(x y z w) } 0 .. 9;
    my %was = map { $_ => '' } @names;
    my ($next, $changed) = ('', 0);
    my $text = said(['--demo=il'], map { ('stepi', map { ("print $_", "output/x $_", 'echo \n') } @names) } 1 .. 60);
    my @left = @names;
    for (split /\n/, $text) {
        if (/^Wave \d+ at \S+ (.*)/) { ($next, @left) = ($1, @names); $was{done} = $was{next}; $was{next} = $next }
        elsif (/^\$\d+ = (.*)/) { $was{shown} = $1 }
        elsif (/^0x/) {
            my ($name, $now) = (shift @left, "$was{shown} $_");
            my ($register) = $name =~ /(r\d)/;
            $changed++, note "$name: $was{$name} -> $now by $was{done}"
                if $was{$name} && $was{$name} ne $now && ($was{done} // '') !~ /^\S+ $register\b/;
            $was{$name} = $now;
        }
    }
    is $changed, 0, 'in 60 steps of the demo';
    is_deeply prints(['--demo=il'], 'break *0x258', 'continue', 'print $r6.x', 'print $r7.x'), ['5.0', '1.25'],
        'raw data is of the type that comes back from local memory';
};

subtest 'Intel: moves of any type hand on what they move' => sub {
    is_deeply prints(['--demo=dg1'], 'stepi 24', 'print $r14', 'print $r1'), ['{0, 2, 3, 4, 5, 6, 7, 8}',
        '{' . join(', ', 0 .. 15) . '}'], 'integers that mov :f copies';
};

# Lane l of v0 is l modulo 16 there, of v1 it is the row, of s4 nothing: heights follow from that.
subtest 'all lanes in one look' => sub {
    local $ENV{LC_ALL} = 'C';
    my $look = sub ($size, @commands) {
        return (gpudbg('--screen', $size, '--demo=matmul', commands('layout lanes', 'focus lanes', @commands,
            'screenshot')))[0];
    };
    my $heights = join '', map { int(int($_ % 16 / 15 * 7.999) * 9 / 7) } 0 .. 63;
    my $picture = $look->('80x24', 'lane 5', 'pane heat');
    like $picture, qr/^ v0 +\w \Q$heights\E +5$/m, 'a cell a lane, in 80 columns, and the value of the selected one';
    like $picture, qr/^ exec +#{5}\|#{58} +runs$/m, 'who runs';
    like $look->('80x24', 'pane heat', 'set $exec = 0xffff00ff'), qr/^ exec +\|#{7}\.{8}#{16}\.{32} /m, '. is off';
    like $look->('80x24', 'set $v0[:] = 7', 'pane heat'), qr/^\*?\s?v0 +\w 7 in all lanes +7$/m, 'alike in all lanes';
    like $look->('80x24', 'pane format v0 f', 'set $v0[3] = 0x7fc00000', 'pane heat'), qr/^\*v0 +f \d\d\d!\d{60}/m,
        '! is NaN';
    my $sorted = join '', map { my $x = $_; (int(int($x / 15 * 7.999) * 9 / 7)) x 4 } 0 .. 15;
    like $look->('80x24', 'pane heat', 'pane differing'), qr/by v0, least first.*^ v0 +\w \Q$sorted\E /ms, 'sorted';
    like $look->('80x24', 'pane heat', 'pane right', 'pane right'), qr/\[2\]$/m, 'Right goes to the next lane';
    like $look->('50x20', 'pane heat'), qr/^ v0 +\w [0-9]{32} /m, 'two lanes a cell where there is no room';
};

# Gen12: local ids as words in r1, then sums as dwords in two registers, channel beside channel; 16 and 32 channels.
subtest 'all channels in one look' => sub {
    local $ENV{LC_ALL} = 'C';
    my $look = sub ($open, $size, @commands) {
        return (gpudbg('--screen', $size, @$open, commands(@commands, 'layout lanes', 'focus lanes', 'screenshot')))[0];
    };
    my $heights = sub ($n) { join '', map { int(int($_ / ($n - 1) * 7.999) * 9 / 7) } 0 .. $n - 1 };
    my $heat = $look->(['--demo=dg1'], '80x24', 'stepi 12', 'lane 5', 'focus lanes', 'pane heat');
    my $row = $heights->(16);
    like $heat, qr/^.r1 +u \Q$row\E +5$/m, '16 channels of words';
    like $heat, qr/^.r6 +d \Q$row\E +5$/m, '... of dwords in two registers';
    unlike $heat, qr/^.r7 /m, '... the second of which is no row of its own';
    like $heat, qr/^ exec +#{5}\|#{10} +runs$/m, '... and who runs';
    my $numbers = $look->(['--demo=dg1'], '80x24', 'stepi 12', 'lane 5');
    like $numbers, qr/^ lane( +\d){5} +\[5\] +6 +7$/m, 'eight numbers in 80 columns';
    like $numbers, qr/^.r6 +d +0( +\*?\d){7}$/m, '... as print has them';
    my ($control) = $numbers =~ /^(.*)\n.*lanes :a/ms;
    is scalar(() = $control =~ /\bcr0\.[0-3] +\*?\d+\b/g), 4, 'cr0 beside it: a dword is an entry';
    unlike $control, qr/ [*>]>? *$/m, '... and no value has vanished';
    my $wide = ["$FindBin::Bin/../data/kernels/gen12/matmul.ze"];
    my $picture = $look->($wide, '80x24',
        'launch matmul_naive -g 32,32 -l 32,1 zero:4096 fill:4096:1 fill:4096:2 32', 'stepi 60', 'lane 9',
        'focus lanes', 'pane heat');
    my $all = $heights->(32);
    like $picture, qr/^.r1 +u \Q$all\E +9$/m, '32 channels';
    like $picture, qr/^.r10 +d \Q$all\E +9$/m, '... in four registers, written by halves';
    my $there = (gpudbg('--screen', '80x24', '--demo=dg1', commands('stepi 60', 'layout lanes', 'focus lanes', 'lane 5',
        'pane down', 'pane down', 'pane down', 'pane origin', 'screenshot')))[0];
    like $there, qr/^.*\$r8\.5:d = 5 /m, 'y asks about the selected channel';
};

# Two registers that are no one number: their digits, as the pane fields and watchpoints have them.
my $pairs = said(['--screen', '120x40', '--demo=matmul'], 'stepi 200', map({ "print \$$_" } 's[4:5]', 'v[11:12]', '1'),
    'print $s[4:5] + 1', 'focus fields', 'screenshot');
my ($read) = $pairs =~ /reads v\[11:12\]=(0x\w+)/;
is_deeply [($pairs =~ /^\$\d+ = (.*)/mg)[0 .. 3]], ['0x0000001000000040', $read, '0x0000001000000040', 68719476801],
    'a pair without a type: the digits of the fields pane; arithmetic has a number';

# ... of several lanes, too, wherever they stand.
{
    my $open = ['--demo=matmul'];
    my @lanes = @{prints($open, 'stepi 100', map { "print \$v[11:12][$_]" } 0 .. 2)};
    like "@lanes", qr/^(?:0x\w{16} ?){3}$/, 'pairs of three lanes';
    my $all = join ', ', @lanes;
    my $said = said($open, 'stepi 100', 'print $v[11:12][0:2]', 'display $v[11:12][0:2]', 'watch $v[11:12][0:2]',
        'info watchpoints', 'continue', 'last-write $v[11:12][0:2]');
    like $said, qr/^\$1 = \{\Q$all\E\}$/m, '... are the same in braces';
    like $said, qr/^1: .*  $lanes[0] to $lanes[2]$/m, '... in a display';
    like $said, qr/^1 +watchpoint .*  $lanes[0] in lane 0, 3 values/m, '... in info watchpoints';
    like $said, qr/^  \$v\[11:12\]\[0\]: $lanes[0] -> 0x\w{16}, and 2 more lanes$/m, '... where a watchpoint stops';
    like $said, qr/^  old \{\Q$all\E\}\n  new \{0x\w{16}, /m, '... and in last-write';
}

# More code than is followed: integers, and print says so, once.
my ($code, $big) = tempfile(UNLINK => 1);
binmode $code;
print $code pack 'V*', 0x7e0202f2, (0x7e040301) x ((1 << 18) + 100), 0xbf810000; # v_mov v1, 1.0; v_mov v2, v1 ...
close $code;
like said(['--isa', 'gfx7', '--raw', $big], 'launch -g 64 -l 64', 'stepi 3', ('print $v1') x 2),
    qr/^\$1 = 1065353216\n\(The code is too large to follow [^\n]*\n\$2 = 1065353216$/m,
    'code that is too large to follow: integers, and it is said once';
done_testing;
