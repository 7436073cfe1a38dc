#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that are named together: code becomes a list, of which one is loaded at a time by number, name or path; dumps
# are opened beside it, wherever they stand; a file that cannot be loaded is said at once.
use v5.36;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my $data = "$FindBin::Bin/../data";
my $demo = "$FindBin::Bin/../../share/demo";
my ($matmul, $collatz, $log) = ("$demo/matmul.co", "$demo/collatz.co", "$data/dumps/mesa.log");
my $dir = tempdir(CLEANUP => 1);

sub file ($name, $bytes) {
    open my $f, '>:raw', "$dir/$name" or die;
    print $f $bytes;
    close $f;
    return "$dir/$name";
}
my ($end, $nop) = (pack('V', 0xbf810000), pack('V2', 0xbf800000, 0xbf810000));
my ($one, $two) = (file('one.bin', $end), file('two.bin', $nop));

sub list (@records) {
    return join ' ', map { ($_->{selected} // '') . "$_->{number}=$_->{name}" }
        grep { $_->{type} eq 'code-file' } @records;
}
sub kernels (@records) { return join ' ', map { $_->{name} } grep { $_->{type} eq 'kernel' } @records }
sub texts (@records) { return join ' ', map { $_->{mnemonic} } grep { $_->{type} eq 'insn' } @records }

my $both = '>1=matmul.co 2=collatz.co';
is list(records($matmul, $collatz, commands('info folder'))), $both, 'two files of code are a list';
my @of = ([2, 'collatz'], ['collatz.co', 'collatz'], [$collatz, 'collatz'], ['matmul.co', 'matmul']);
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
    [file('cut.co', substr `cat $matmul`, 0, 200), qr/cut\.co: /]) {
    my ($path, $says) = @$bad;
    my ($out, $err, $status) = gpudbg($matmul, $path, commands('print 1'));
    is $status, 3, "$path: exit status 3";
    like $err, qr/\Agpudbg: [^\n]*$says[^\n]*\n\z/, '... and one line';
}
my (undef, $err, $status) = gpudbg($matmul, $collatz, commands('file 3', 'file ecco.co'));
is $status, 1, 'what is not in the list';
like $err, qr/3: no such file.*ecco\.co: no such file/s, '... is said';
done_testing;
