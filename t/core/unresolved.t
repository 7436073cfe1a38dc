# SPDX-License-Identifier: GPL-3.0-or-later
#
# A file that was not linked needs names that it does not contain.  The listing, the symbols and a stop at such a name
# say it; which
# instruction needs which name is what readelf lists as relocations: 0x48 and 0x50 helper, 0x64 and 0x6c table.
use v5.36;
use Test::More;

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $file   = 't/data/kernels/gfx7/unresolved-O1.co';
sub said (@words) { my @e = map { ('-e', $_) } @words; open my $p, '-|',
    "$gpudbg --batch $file @{[map { qq('$_') } @e]} 2>&1" or die; local $/; return <$p> // '' }

my @lines = split /\n/, said('disassemble');
my %needs;
for my $i (1 .. $#lines) {
    my ($name) = $lines[$i - 1] =~ m{^    // needs (\w+), which the file does not contain$} or next;
    my ($at) = $lines[$i] =~ m{// ([0-9a-f]{4})$};
    $needs{$at} = $name;
}
is_deeply(\%needs, {'0044' => 'helper', '004c' => 'helper', '0060' => 'table', '0068' => 'table'},
    'the listing names what instructions need');
my $twice = said('disassemble 0x60,+16', 'disassemble/r');
like($twice, qr{^    // needs table,.*\n.*s_add_u32}m, '... from any address on, and with words');
like(said('info symbols'), qr/^\s*0x\w+\s+\d+\s+undefined\s+helper$/m, 'such symbols are listed as undefined');
like(said('info file'), qr/^undefined symbol helper$/m, 'the file says so');
like(said('launch k -g 4 -l 4 zero:16', 'continue'),
    qr/^Fault, wave 0 at helper: helper was called, and the file does not contain it$/m, 'a call says whom it calls');
my $read = said('launch k -g 4 -l 4 zero:16', 'stepi 25', 'set $pc = 0x58', 'continue');
like($read, qr/it belongs to table, which the file does not contain/, 'a load says whose memory is missing');
done_testing;
