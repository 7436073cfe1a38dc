# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random words of the encodings of gfx10 that are read: what gpudbg prints of them for the assembler, llvm-mc 19
# assembles to the same words, on RDNA 1 and 2, with waves of 32 and of 64.
use v5.36;
use File::Temp 'tempdir';
use Gpudbg;
use OracleRandom 'generator';
use Test::More;

my ($assembler, $copy) = ($ENV{LLVM_MC} // 'llvm-mc-19', 'llvm-objcopy-19');
if (grep { system("command -v $_ >/dev/null 2>&1") != 0 } $assembler, $copy) {
    die "$assembler and $copy are required\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => "$assembler or $copy is not installed (make deps-oracle)";
}
my $dir = tempdir(CLEANUP => 1);

# Leading bits: SOP1, SOP2, SOPC, SOPK, SOPP, VOP1, VOPC, VOP2, DS, VINTRP.
my @LEADING = ([0xff800000, 0xbe800000], [0xc0000000, 0x80000000], [0xff800000, 0xbf000000], [0xf0000000, 0xb0000000],
    [0xff800000, 0xbf800000], [0xfe000000, 0x7e000000], [0xfe000000, 0x7c000000], [0x80000000, 0],
    [0xfc000000, 0xd8000000], [0xfc000000, 0xc8000000]);
my $each = $ENV{GPUDBG_NIGHTLY} ? 30000 : 1500;

for (['gfx10', 'gfx1010', 32], ['gfx10-wave64', 'gfx1010', 64], ['gfx10', 'gfx1013', 32], ['gfx10.3', 'gfx1030', 32],
    ['gfx10.3-wave64', 'gfx1030', 64]) {
    my ($isa, $cpu, $width) = @$_;
    my $random = generator($ENV{ORACLE_SEED} // 0x10303);
    my $code = '';
    for my $i (1 .. $each) {
        for my $lead (@LEADING) {
            my ($first, $second) = ($random->(1 << 32), $random->(1 << 32));
            $first &= $random->(1 << 32) if $i % 2;
            $first |= 255 if $i % 8 == 0;
            $second &= $random->(1 << 32) & $random->(1 << 32) if $i % 3;
            $code .= pack 'V2', $first & ~$lead->[0] & 0xffffffff | $lead->[1], $second;
        }
    }
    my %file = map { $_ => "$dir/words.$_" } qw(bin s o out);
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
    open my $out, '<:raw', $file{out} or die "$file{out}: $!\n";
    ok(do { local $/; <$out> } eq $code, '... and which are these words');
}
done_testing;
