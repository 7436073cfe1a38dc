# SPDX-License-Identifier: GPL-3.0-or-later
#
# The checker of listings that the other oracle tests trust notices what it should: wrong text, refused text, data,
# missing and surplus lines.  It is given listings written here, so gpudbg has no part in it.
use v5.36;
use Test::More;
use OracleGfx7 qw(need_assembler listing_failures split_code);

need_assembler();
my $code = pack 'V*', 0xbe8003ff, 0xdeadbeef, 0x06020300, 0xbf82fffd, 0xbf810000;
is(scalar split_code($code)->@*, 4, 'a literal belongs to its instruction');

my @right = ('s_mov_b32 s0, 0xdeadbeef', 'L0008:', 'v_add_f32_e32 v1, v0, v1 // sum', 's_branch L0000', 's_endpgm');
my @listing = ('L0000:', @right);
sub failures (@lines) { return map { "$_->[0] " . $_->[3]
    =~ s{, did you mean.*}{}r } listing_failures(join("\n", @lines), $code) }
sub with ($i, $text) { my @lines = @listing; $lines[$i] = $text; return @lines }

# -3 dwords from the branch's end is the literal, so the label cannot be right; the number is.
is_deeply([failures(with(4, 's_branch 65533'))], [], 'a right listing has no failures');
is_deeply([failures(@listing)], ['12 assembles to fcff82bf'], 'a label in the wrong place is found');
my @good = with(4, 's_branch 65533');
sub changed ($i, $text) { my @lines = @good; $lines[$i] = $text; return @lines }
is_deeply([failures(changed(3, 'v_add_f32_e32 v1, v0, v2'))], ['8 assembles to 00050206'], 'another register is found');
is_deeply([failures(changed(3, 'v_add_f33 v1, v0, v2'))], ['8 invalid instruction'],
    'what the assembler refuses is named');
is_deeply([failures(changed(3, '.long 0x06020300'))], ['8 shown as data'],
    'data in place of an instruction is a failure');
is_deeply([listing_failures(join("\n", changed(3, '.long 0x06020300')), $code, 1)], [],
    '... unless data is what is expected');
is_deeply([failures(@good[0 .. 4])], ['16 the listing ends here, 4 bytes early'], 'a missing line is found');
is_deeply([(failures(@good, 's_endpgm'))[0]], ['20 more lines than code'], 'a surplus line is found');
done_testing;
