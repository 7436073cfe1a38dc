# SPDX-License-Identifier: GPL-3.0-or-later
#
# Ranges of addresses may be as large as numbers are: what is in them is listed, and nothing is made as large as the
# range.  The text is that of the range which the file fills, for every instruction set, in every form, by one process
# and by several.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $dir = tempdir(CLEANUP => 1);
my $base = 0x1000;

# Random words: some decode, some do not.
my $seed = 12345;
my $bytes = join '', map { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; pack 'V', $seed * 2 } 1 .. 256;
open my $f, '>:raw', "$dir/code" or die $!;
print $f $bytes;
close $f;

sub listed ($isa, @commands) {
    my $e = join ' ', map { "-e '$_'" } @commands;
    my $text = qx(ulimit -v 4000000; $gpudbg --batch --raw --base 0x1000 --isa $isa $e $dir/code 2>&1);
    return ($text, $? >> 8);
}

my @isas = map { /^(\S+)/ ? $1 : () } grep { !/^name\b/ } split /\n/, qx($gpudbg --batch -e 'info isa');
cmp_ok scalar @isas, '>=', 6, 'all instruction sets: ' . join ' ', @isas;
my $end = sprintf '0x%x', $base + length $bytes;
for my $isa (@isas) {
    for my $form ('', '/r ', '/a ', '/f ') {
        my ($exact) = listed($isa, "disassemble ${form}0x1000,$end");
        cmp_ok length $exact, '>', 1000, "$isa $form: the code that is there";
        for my $threads (1, 2) {
            for my $range ('0,0xffffffffffffffff', '0x10,+0x100000000000000', '0x1000,+0xffffffffffffffff',
                '0x1000,0x8000000000000000') {
                my ($text) = listed($isa, "set threads $threads", "disassemble $form$range");
                is $text, $exact, "... $form$range, $threads";
            }
        }
    }
    my ($text, $status) = listed($isa, 'disassemble 0xfffffffffffffff0,+0x100000000000000');
    like $text, qr/has no code at/, '... and where there is none, that is said';
    is $status, 1, '... which is an error';
    ($text, $status) = listed($isa, 'patch nop 0x1000,0xffffffffffffffff');
    like $text, qr/at most a megabyte/, '... patch nop does not walk over all of it';
}
done_testing;
