#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that are named together: code becomes a list, of which one is loaded at a time by number, name or path; dumps
# are opened beside it, wherever they stand; a file that cannot be loaded is said at once.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use AmdElf;
use Files;
use Gpudbg;
use Test::More;

my $data = "$FindBin::Bin/../data";
my $demo = "$FindBin::Bin/../../share/demo";
my ($matmul, $collatz, $log) = ("$demo/matmul.co", "$demo/collatz.co", "$data/dumps/mesa.log");

my ($end, $nop) = (pack('V', 0xbf810000), pack('V2', 0xbf800000, 0xbf810000));
my ($one, $two) = (spill('one.bin', $end), spill('two.bin', $nop));

sub list (@records) {
    return join ' ', map { ($_->{selected} // '') . "$_->{number}=$_->{name}" }
        grep { $_->{type} eq 'code-file' } @records;
}
sub kernels (@records) { return join ' ', map { $_->{name} } grep { $_->{type} eq 'kernel' } @records }
sub texts (@records) { return join ' ', map { $_->{mnemonic} } grep { $_->{type} eq 'insn' } @records }

my $both = '>1=matmul.co 2=collatz.co';
is list(records($matmul, $collatz, commands('info folder'))), $both, 'two files of code are a list';
my @of = ([2, 'collatz'], ['collatz.co', 'collatz'], [qq("$collatz"), 'collatz'], ['matmul.co', 'matmul']);
for my $case (@of) {
    my ($word, $kernel) = @$case;
    my @all = records($matmul, $collatz, commands("file $word", 'info kernels', 'info folder'));
    is kernels(@all), $kernel, "file $word loads it";
    like list(@all), qr/>\d=$kernel\.co/, '... and the list stays, and says so';
}
my @dumps = grep { $_->{type} eq 'dump' } records($matmul, $log, $collatz, commands('info dump'));
is $dumps[0]{format}, 'mesa-log', 'a dump between them is opened beside them';
is list(records($log, $matmul, $collatz, commands('info folder'))), $both, '... or before them';
is list(records($matmul, $log, commands('info folder'))), '', 'one file of code is no list';

my @raw = ('--isa', 'gfx7', '--raw', $one, $two);
is list(records(@raw, commands('info folder'))), '>1=one.bin 2=two.bin', 'bare code, too';
is texts(records(@raw, commands('file 2', 'disassemble'))), 's_nop s_endpgm', '... is loaded as the first was';
is texts(records(@raw, $log, commands('file two.bin', 'disassemble'))), 's_nop s_endpgm', '... with a log beside it';

for my $bad ([$one, qr/no reader of dumps knows it/], ["$dir/none", qr/no such file/],
    [spill('cut.co', substr `cat '$matmul'`, 0, 200), qr/cut\.co: /]) {
    my ($path, $says) = @$bad;
    my ($out, $err, $status) = gpudbg($matmul, $path, commands('print 1'));
    is $status, 3, "$path: exit status 3";
    like $err, qr/\Agpudbg: [^\n]*$says[^\n]*\n\z/, '... and one line';
}
my (undef, $err, $status) = gpudbg($matmul, $collatz, commands('file 3', 'file ecco.co'));
is $status, 1, 'what is not in the list';
like $err, qr/3: no such file.*ecco\.co: no such file/s, '... is said';

# By an address: of the file that has code there, if one has.
my %elf = map { my ($name, $at, $words) = @$_;
    ($name => spill("$name.co", elf(2, ['.text', 1, 6, $at, 0, 0, 0, pack 'V*', @$words]))) }
    ['low', 0x1000, [0xbf800000, 0xbf810000]], ['high', 0x2000, [0xbf8a0000, 0xbf810000]],
    ['same', 0x2004, [0xbf810000, 0xbf810000]];
my @three = @elf{qw(low high same)};
for ([0x1004, 's_nop s_endpgm'], [0x2000, 's_barrier s_endpgm'], [0x2008, 's_endpgm s_endpgm']) {
    my ($at, $want) = @$_;
    is texts(records(@three, commands("file *$at", 'disassemble 0x1000,0x3000'))), $want, sprintf 'file *0x%x', $at;
}
for (['*0x2004', qr/\*0x2004: 2 files of the list have code there: 2, 3$/m],
    ['*0x3000', qr/\*0x3000: no file of the list has code there/], ['*', qr/./]) {
    my ($word, $want) = @$_;
    (undef, $err, $status) = gpudbg(@three, commands("file $word"));
    is $status, 1, "file $word fails";
    like $err, $want, '... and says why';
}
(undef, $err) = gpudbg($matmul, commands('file *0x1000'));
like $err, qr/there is no list/, 'one file is no list';
done_testing;
