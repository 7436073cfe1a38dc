# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random words of the encodings of gfx10 that are read: what gpudbg prints of them for the assembler, llvm-mc 19 and
# gpudbg assemble to the same words, on RDNA 1 and 2, with waves of 32 and of 64.
use v5.36;
use Files;
use Gpudbg;
use OracleRandom 'generator';
use Test::More;

my ($assembler, $copy) = ($ENV{LLVM_MC} // 'llvm-mc-19', 'llvm-objcopy-19');
if (grep { system("command -v $_ >/dev/null 2>&1") != 0 } $assembler, $copy) {
    die "$assembler and $copy are required\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => "$assembler or $copy is not installed (make deps-oracle)";
}

# Leading bits: SOP1, SOP2, SOPC, SOPK, SOPP, VOP1, VOPC, VOP2, DS, VINTRP, SMEM, FLAT, MUBUF, MTBUF, MIMG, EXP.
my @MEMORY = ([0xfc000000, 0xf4000000], [0xfc000000, 0xdc000000], [0xfc000000, 0xe0000000], [0xfc000000, 0xe8000000],
    [0xfc000000, 0xf0000000], [0xfc000000, 0xf8000000]);
my @LEADING = ([0xff800000, 0xbe800000], [0xc0000000, 0x80000000], [0xff800000, 0xbf000000], [0xf0000000, 0xb0000000],
    [0xff800000, 0xbf800000], [0xfe000000, 0x7e000000], [0xfe000000, 0x7c000000], [0x80000000, 0],
    [0xfc000000, 0xd8000000], [0xfc000000, 0xc8000000], @MEMORY);
# Values that some fields of memory words must have: null as the base or offset, no reserved bits, an image's dmask.
my %FITTING = (
    0xf4000000 => [[0, 0x2a000, 0], [32, 0xffe00000, 0xfa000000]],
    0xdc000000 => [[0, 0x02002000, 0], [32, 0xff0000, 0x7d0000]],
    0xe0000000 => [[0, 0x30000, 0], [32, 0xa00000, 0]], 0xe8000000 => [[32, 0x800000, 0]],
    0xf0000000 => [[0, 0x14f46, 0x100], [32, 0xbc000000, 0]], 0xf8000000 => [[0, 0x03ffe400, 0]]);

# A source of a long vector word: a VGPR, a scalar, a constant, a literal.
sub source ($random) {
    my $kind = $random->(16);
    return $kind < 8 ? 256 + $random->(256) : $kind < 11 ? $random->(128) : $kind < 13 ? 128 + $random->(81)
        : $kind < 14 ? 235 + $random->(14) : $kind < 15 ? 255 : $random->(512);
}

# VOP3 or VOP3P, few of whose bits beside the operands are set: nearly all operations refuse most of them.
sub long_word ($random, $packed) {
    my $first = $packed ? 0xcc004000 | $random->($random->(4) ? 40 : 128) << 16 : 0xd4000000 | $random->(1024) << 16;
    $first |= $random->(256) | ($random->(3) ? (0, 0x8000, 0x100, 0x800, 0x4000, 0x6a00)[$random->(6)]
        : $random->(256) << 8);
    my $second = source($random) | source($random) << 9 | ($random->(2) ? source($random) << 18 : 0);
    $second |= 0x18000000 if $packed && $random->(2);
    $second |= $random->(32) << 27 if !$random->(4);
    $first = $first & 0xffffff00 | 126 if !$packed && $random->(4) == 0; # EXEC, to which v_cmpx writes
    return ($first, $second);
}

# VOP1, VOP2 or VOPC with an SDWA, DPP16 or DPP8 word.
sub lanes_word ($random) {
    my $kind = (249, 250, 233, 234)[$random->(4)];
    my $vgprs = $random->(256) << 17;
    my ($first, $one, $compare) = ([0x7e000000 | $random->(128) << 9 | $vgprs, 1, 0],
        [$random->(62) << 25 | $vgprs | $random->(256) << 9, 0, 0],
        [0x7c000000 | $random->(256) << 17 | $random->(256) << 9, 0, 1])[$random->(3)]->@*;
    my $second = $random->(256);
    if ($kind == 249) {
        $second |= $compare ? $random->(2) * ($random->(128) << 8 | 0x8000)
            : $random->(7) << 8 | $random->(3) << 11 | ($random->(4) ? 0 : $random->(8) << 13);
        $second |= $random->(7) << 16 | ($one ? 0 : $random->(7) << 24);
        $second |= $random->(1 << 32) & ($one ? 0xb80000 : 0xb8b80000) if $random->(2);
    } elsif ($kind == 250) {
        $second |= ($random->(2) ? $random->(256) : 0x100 + $random->(0x70)) << 8 | $random->(256) << 24;
        $second |= $random->(64) << 18 if $random->(2);
    } else {
        $second |= $random->(1 << 24) << 8;
    }
    return ($first | $kind, $second);
}

my $each = $ENV{GPUDBG_NIGHTLY} ? 30000 : 1000;

for (['gfx10', 'gfx1010', 32], ['gfx10-wave64', 'gfx1010', 64], ['gfx1011', 'gfx1012', 32], ['gfx1013', 'gfx1013', 32],
    ['gfx1013-wave64', 'gfx1013', 64], ['gfx10.3', 'gfx1030', 32], ['gfx10.3-wave64', 'gfx1030', 64]) {
    my ($isa, $cpu, $width) = @$_;
    my $random = generator($ENV{ORACLE_SEED} // 0x10303);
    my $code = '';
    for my $i (1 .. $each) {
        for my $lead (@LEADING) {
            my ($first, $second) = ($random->(1 << 32), $random->(1 << 32));
            $first &= $random->(1 << 32) if $i % 2;
            $first |= 255 if $i % 8 == 0;
            $second &= $random->(1 << 32) & $random->(1 << 32) if $i % 3;
            for my $fit (($i % 3 ? $FITTING{$lead->[1]} // [] : [])->@*) {
                my $half = $fit->[0] ? \$second : \$first;
                $$half = $$half & ~$fit->[1] | $fit->[2];
            }
            $code .= pack 'V2', $first & ~$lead->[0] & 0xffffffff | $lead->[1], $second;
        }
        # A word of no instruction behind them, so that a literal is no part of the next.
        my $literal = ($random->(1 << 32), $random->(70), 0x3f800000, $random->(65536), 0xfff0 + $random->(16))[
            $random->(5)];
        $code .= pack 'V*', long_word($random, 0), $literal, 0xbf800000, long_word($random, 0), 0xbf800000,
            long_word($random, 1), $literal, 0xbf800000, lanes_word($random), 0xbf800000, lanes_word($random);
    }
    my %file = map { $_ => "$dir/words.$_" } qw(bin s o out own);
    open my $words, '>:raw', $file{bin} or die "$file{bin}: $!\n";
    print $words $code;
    close $words or die "$file{bin}: $!\n";
    my ($text) = gpudbg('--isa', $isa, '--raw', commands('disassemble /a'), $file{bin});
    open my $source, '>', $file{s} or die "$file{s}: $!\n";
    print $source $text;
    close $source or die "$file{s}: $!\n";
    my $lines = () = $text =~ /^ +[sdv]\w*_/mg;
    cmp_ok($lines, '>', $each * 5, "$isa: $lines words have a text");
    my $waves = $width == 64 ? '-mattr=-wavefrontsize32,+wavefrontsize64' : '';
    my $said = qx($assembler -arch=amdgcn -mcpu=$cpu $waves -filetype=obj -o $file{o} $file{s} 2>&1);
    is($said, '', "... that llvm-mc takes for $cpu") or next;
    system($copy, '-O', 'binary', '-j', '.text', $file{o}, $file{out});
    ok(slurp($file{out}) eq $code, '... and which are these words');
    my (undef, $err) = gpudbg('--isa', $isa, commands("assemble $file{s} $file{own}"));
    is($err, '', '... that gpudbg takes');
    ok(slurp($file{own}) eq $code, '... as the same words');
}
done_testing;
