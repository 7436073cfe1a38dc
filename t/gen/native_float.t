# SPDX-License-Identifier: GPL-3.0-or-later
#
# Native floats (nf) of accumulators on gen12: the words with which Intel's render copy (IGT, gen12_render_copy) puts
# two mads in place of pln, decoded, executed and compared with sums that doubles hold exactly.
use v5.36;
use Test::More;
use File::Temp 'tempdir';

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir    = tempdir(CLEANUP => 1);

my @first  = (0x8003005b, 0x200002f0, 0x0a0a0664, 0x06040205);
my @second = (0x8003005b, 0x71040fa8, 0x0a0a2001, 0x06240305);
my @copy   = (0x00030061, 0x72050aa0, 0x00462001, 0x00000000);    # mov (8) r114:f acc0.0<8;8,1>:f
my @end    = (0x80030131, 0x00000004, 0x70087f0c, 0x00000000);    # send to the thread spawner, EOT

sub program (@words) {
    open my $f, '>:raw', "$dir/nf.krn" or die;
    print $f pack 'L<*', @words;
    close $f;
    return "$dir/nf.krn";
}
sub gpudbg (@words) { my @e = map { ('-e', $_) } @words[1 .. $#words]; open my $p, '-|', $gpudbg, '--batch', '--raw',
    '--isa', 'gen12', $words[0], @e or die; local $/; return <$p> }
sub floats (@f) { unpack 'H*', pack 'f<*', @f }
sub bits ($v) { sprintf '%08x', unpack 'L', pack 'f', $v }

is(gpudbg(program(@first, @second), 'disassemble /a'), <<'END', 'the text is what iga64 reads');
    (W) mad (8|M0) acc0.0<1>:nf r6.3<0;0>:f r2.0<8;1>:f r6.0<0>:f
    (W) mad (8|M0) r113.0<1>:f acc0.0<8;1>:nf r3.0<8;1>:f r6.1<0>:f
END

# r6 holds a, b, -, c: c + u * a + v * b, rounded once.
my @cases = (
    [2, 3, 5, [map { $_ / 8 } 0 .. 7], [map { -$_ / 4 } 0 .. 7]],
    [1, 1, 1, [(2**-25) x 8], [(2**-25 + 2**-40) x 8]],       # rounded to F in between it would be 1
    [2**-13, 1, 1024.5, [map { $_ + 2**-10 } 0 .. 7], [map { 2**-15 * $_ } 0 .. 7]],
);
for my $case (@cases) {
    my ($a, $b, $c, $u, $v) = @$case;
    my $said = gpudbg(program(@first, @second), 'launch -g 8 -l 8 simd=8 r2=hex:' . floats(@$u) . ' r3=hex:'
        . floats(@$v) . ' r6=hex:' . floats($a, $b, 0, $c), 'stepi 2', 'info registers r113');
    my ($row) = $said =~ /^r113\s.*?((?:0x[0-9a-f]{8}\s*){8})$/m;
    is_deeply([($row // '') =~ /0x([0-9a-f]+)/g], [map { bits($c + $u->[$_] * $a + $v->[$_] * $b) } 0 .. 7],
        "c $c: the sum of two products is rounded once");
}

# 1 + 2^-60 is more than a double holds; with + 2^-24 it is above the middle of two floats only if those bits count.
my $launch = 'launch -g 8 -l 8 simd=8 r2=hex:' . floats((2**-60) x 8) . ' r3=hex:';
my $said = gpudbg(program(@first, @second), $launch . floats((2**-24) x 8) . ' r6=hex:' . floats(1, 1, 0, 1),
    'stepi 2');
like($said, qr/depends on how many bits a native float/, 'what depends on unknown bits stops');
$said = gpudbg(program(@first, @second), $launch . floats((2**-20) x 8) . ' r6=hex:' . floats(1, 1, 0, 1), 'stepi 2',
    'info registers r113');
like($said, qr/^r113\s.*0x3f800008/m, '... and where they do not matter the sum is there');

$said = gpudbg(program(@first, @copy), $launch . floats((0) x 8) . ' r6=hex:' . floats(1, 1, 0, 1), 'stepi 2');
like($said, qr/holds native floats \(nf\), and is read as another type/,
    'an accumulator of native floats is not read as :f');
$said = gpudbg(program(@second), $launch . floats((0) x 8) . ' r6=hex:' . floats(1, 1, 0, 1), 'stepi 1');
like($said, qr/does not hold native floats/, '... nor the other way round');

my $hash = qr/^hash (\S+)/m;
my @launch = ($launch . floats((2**-20) x 8) . ' r6=hex:' . floats(1, 1, 0, 1));
my ($there) = gpudbg(program(@first, @second), @launch, 'stepi 2', 'info hash') =~ $hash;
my ($again) = gpudbg(program(@first, @second), @launch, 'stepi 2', 'goto 1', 'goto 2', 'info hash') =~ $hash;
is($again, $there, 'back and forth the state is the same');

my ($ours) = grep { -x } map { "$_/iga64" } split /:/, $ENV{PATH};
SKIP: {
    skip 'no iga64', 1 if !$ours;
    my $text = gpudbg(program(@first, @second), 'disassemble /a');
    open my $f, '>', "$dir/nf.asm" or die;
    print $f $text;
    close $f;
    is(scalar qx($ours -p=12p1 -a $dir/nf.asm -o $dir/back.krn 2>&1; cmp $dir/nf.krn $dir/back.krn 2>&1), '',
        'iga64 gives the bytes back');
}
done_testing;
