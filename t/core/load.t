#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Files: what is recognised and why, what readelf says of the same file, and files that lie.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use IO::Compress::Gzip qw(gzip);
use Test::More;

my @objects = sort glob 't/data/kernels/gfx7/*.co';
@objects or plan skip_all => 'no code objects';

sub spew { my ($name, $bytes) = @_; open(my $f, '>:raw', "$dir/$name"); print $f $bytes; close $f; "$dir/$name" }

# A file that cannot be loaded: status 3, one line that names it, nothing else.
sub refused {
    my ($file, $why, $name, @more) = @_;
    my ($out, $err, $status) = gpudbg(@more, '-e', 'info file', $file);
    is($status, 3, "$name: status 3");
    like($err, qr/\Agpudbg: \Q$file\E: [^\n]*$why[^\n]*\n\z/, "$name: one line that says why");
    is($out, '', "$name: no command ran");
}

# ---- Code object 2, and 1 made of it ----

{
    my $file = 't/data/kernels/gfx7/loops-O2-v2.co';
    my ($header) = map { hex } grep { defined } map {
        /\b0*([0-9a-f]+)\s+\d+\s+<OS specific>: 10.*\bcollatz$/ } split /\n/, `readelf -sW $file`;
    my %kind;
    $kind{ $_->{type} } += $_->{size} for records('-e', sprintf('disassemble 0x%x,0x%x', $header, $header + 264),
        $file);
    is_deeply(\%kind, {data => 256, insn => 8}, 'the header in front of a kernel is data, what follows is code');

    my $bytes = slurp($file);
    my $e_flags = sub { my ($b, $flags) = @_; substr($b, 48, 4) = pack 'V', $flags; return $b };
    my $note = index $bytes, pack 'V3Z4v2V3', 4, 0x1b, 3, 'AMD', 4, 7, 7, 0, 4;
    cmp_ok($note, '>', 0, 'the note of the instruction set');
    my ($old) = $e_flags->($bytes, 0);
    my ($info) = map { $_->{facts} } records('-e', 'info file', spew('noted.co', $old));
    is($info && $info->{target}, 'gfx704', 'without a machine in the header the note says which');
    substr($old, $note + 12 + 4 + 4, 4) = pack 'V', 8;
    refused(spew('gfx8.co', $old), 'code for gfx804: not read', 'a note of another generation');

    my $one = $bytes;
    my $version = index $one, pack 'V3Z4V2', 4, 8, 1, 'AMD', 2, 1;
    substr($one, $version + 16, 4) = pack 'V', 1;
    my ($at, $places) = (0, 0);
    while (($at = index $one, pack('V2v4', 1, 2, 1, 7, 0, 4), $at) >= 0) { substr($one, $at + 10, 6) = "\0" x 6;
        $at += 256; $places++ }
    cmp_ok($places, '>', 1, 'headers without the version of the machine');
    my $path = spew('v1.co', $one);
    my ($said) = map { $_->{facts} } records('-e', 'info file', $path);
    is($said && $said->{container}, 'code object 1', 'as a finaliser writes them: code object 1');
    is_deeply([map { "$_->{name} $_->{entry}" } records('-e', 'info kernels', $path)],
        [map { "$_->{name} $_->{entry}" } records('-e', 'info kernels', $file)], '... with the same kernels');
}

# ---- Code object 6, as later compilers write it: 5 with another number ----

{
    my $file = 't/data/kernels/gfx7/matmul-O2.co';
    my $bytes = slurp($file);
    is(ord(substr $bytes, 8, 1), 3, "$file: code object 5");
    substr($bytes, 8, 1) = chr 4;
    my $path = spew('v6.co', $bytes);
    my ($info) = map { $_->{facts} } records('-e', 'info file', $path);
    is($info && $info->{container}, 'code object 6', 'code object 6');
    my $kernels = sub { [map { join ' ', $_->{name}, $_->{entry}, scalar @{ $_->{params} // [] } } records('-e',
        'info kernels', $_[0])] };
    is_deeply($kernels->($path), $kernels->($file), '... with the same kernels');
    my $end = sub { output('-e', 'launch matmul -g 16,16 -l 16,16 zero:1024 fill:1024:1 fill:1024:2 16', '-e',
        'continue', '-e', 'info hash', $_[0]) };
    like($end->($path), qr/^Done: .*\nhash 0x/m, '... which run');
    is($end->($path), $end->($file), '... and end as with the old number');
}

# ---- What readelf says ----

for my $file (@objects) {
    my %code;
    for (split /\n/, `readelf -sW $file 2>/dev/null`) {
        $code{$3} = [hex $1, $2]
            if /^\s*\d+:\s+([0-9a-f]+)\s+(\d+)\s+(?:FUNC|<OS specific>: 10)\s+GLOBAL\s+\S+\s+\d+\s+(\S+)/;
    }
    my %kernel = map { $_->{name} => $_ } records('-e', 'info kernels', $file);
    my $header = `readelf -hW $file`;
    my $in_code = $header =~ /ABI Version:\s+0/;    # amd_kernel_code_t in front of the code
    my $good = keys %kernel > 0;
    for my $name (keys %kernel) {
        my $want = $code{$name} or do { $good = 0; diag "$file: readelf knows no $name"; next };
        my $at = $want->[0] + ($in_code ? 256 : 0);
        $good = 0, diag "$file $name: entry $kernel{$name}{entry}, readelf says $at"
            if hex($kernel{$name}{entry}) != $at;
    }
    ok($good, "$file: entries of " . keys(%kernel) . ' kernels are where readelf has their symbols');
}

# ---- Recognised, and packed ----

my ($out, $err, $status) = gpudbg('-e', 'info file', $objects[0]);
like($out, qr/HSA/, 'info file says why');
my $bytes = slurp($objects[0]);
gzip(\$bytes => \my $packed);
my $zipped = spew('k.co.gz', $packed);
is_deeply([map { $_->{name} } records('-e', 'info kernels', $zipped)],
    [map { $_->{name} } records('-e', 'info kernels', $objects[0])], 'a packed file has the same kernels');

# ---- Bare code ----

# Two programs, each s_nop and s_endpgm, padding between them, then a table that decodes to nothing.
my $programs = pack('V*', 0xbf800000, 0xbf810000, 0, 0, 0xbf800001, 0xbf810000);
my $raw = spew('raw.bin', $programs);
my @insns = records('--isa', 'gfx7', '-e', 'disassemble', $raw);
is(scalar(grep { ($_->{mnemonic} // '') eq 's_endpgm' } @insns), 2, 'both programs of a dump are listed');
my $covered = 0;
$covered += $_->{size} for grep { $_->{type} =~ /^(?:insn|data)$/ } @insns;
is($covered, length $programs, 'every byte is listed once');
my $tables = spew('tables.bin', pack('V*', 0xbf810000) . ("\xff" x 64));
my @listed = records('--isa', 'gfx7', '-e', 'disassemble', $tables);
is($listed[0]{mnemonic}, 's_endpgm', 'a program before a table');
my ($base) = records('--raw', '--isa', 'gfx7', '--base', '0x1000', '-e', 'disassemble', $raw);
is($base->{addr}, '0x1000', '--base places it');

# ---- Files that lie ----

refused("$dir/none", 'no such file', 'a file that is not there');
mkdir "$dir/nothing";
refused("$dir/nothing", 'folder', 'a folder without code');
refused(spew('empty', ''), 'empty', 'an empty file');
refused(spew('text', "hello\n"), 'no loader', 'a text file');
refused(spew('cut.gz', substr($packed, 0, length($packed) / 2)), 'cut off|truncated|damaged', 'a packed file cut off');
refused(spew('other.co', substr($bytes, 0, 48) . pack('V', 0x2c) . substr($bytes, 52)), 'gfx900 ',
    'another generation');
refused(spew('v9.co', substr($bytes, 0, 8) . chr(9) . substr($bytes, 9)), 'version', 'a code object of the future');
refused(spew('far.co', substr($bytes, 0, 40) . pack('Q<', 1 << 40) . substr($bytes, 48)), '.',
    'a section table past the end');

# Every truncation and some thousand flipped bits: loaded, or refused with one line; never a crash.
my $bad = 0;
my $seed = 1;
sub random { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; $seed % $_[0] }
my @damaged = map { substr($bytes, 0, int(length($bytes) * $_ / 40)) } 1 .. 39;
for (1 .. 120) {
    my $copy = $bytes;
    substr($copy, random(length $copy < 4096 ? length $copy : 4096), 1) = chr random(256) for 1 .. 1 + random(8);
    push @damaged, $copy;
}
for my $i (0 .. $#damaged) {
    my $file = spew('damaged', $damaged[$i]);
    my ($out, $err, $status) = gpudbg('-e', 'info kernels', '-e', 'disassemble', $file);
    next if $status eq '0' || $status =~ /^[123]$/ && $err =~ /\A(?:gpudbg: [^\n]+\n)+\z/;
    $bad++;
    diag "damaged file $i: status $status: $err";
}
is($bad, 0, scalar(@damaged) . ' damaged files: none crashes, each error is a line');

done_testing;
