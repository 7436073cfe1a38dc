#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Values of many elements with long symbols are shown whole, whatever room they take: 32 registers of 64 lanes that all
# hold the address of a function.  The text is made here from its parts; nothing of it comes from the program.
use v5.36;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
sub file ($name, @words) { open my $f, '>:raw', "$dir/$name" or die "$name: $!\n"; print $f pack 'V*', @words; close $f;
    return "$dir/$name" }

# v_mov_b32 vN, 0x1000 for N = 0 to 31 (VOP1, opcode 1, source 255 is the literal behind the word); s_endpgm.
my $code = file('addresses.bin', (map { (0x7e0002ff | $_ << 17, 0x1000) } 0 .. 31), 0xbf810000);
my $other = file('other.bin', 0xbf810000);

for my $letters (1, 102, 400) {
    my $name = 'n' x $letters;
    my @start = ('--raw', '--isa', 'gfx7', $code, commands("add-code \"$other\" 0x1000 $name", 'launch -g 64',
        'stepi 32'));
    my $all = '{' . join(', ', ("0x1000 <$name>") x (32 * 64)) . '}';
    my $said = sub ($command) {
        my ($out, $err, $status) = gpudbg(@start, commands($command));
        is "$status $err", '0 ', "$command with a name of $letters letters succeeds";
        return (split /\n/, $out)[-1] // '';
    };
    # ok, not is: a failure would print half a megabyte twice.
    my $expression = '$v[0:31][0:63]';
    ok $said->("print/a $expression") eq "\$1 = $all", 'print shows it whole';
    ok $said->("output/a $expression") eq $all, '... and output';
    ok $said->("display/a $expression") eq "1: /a $expression = $all", '... and display';
    my ($value) = grep { $_->{type} eq 'value' } records(@start, commands("print/a $expression"));
    ok $value->{text} eq $all, '... and the record';
    is scalar @{ $value->{values} }, 32 * 64, 'which has all elements';
}

my ($text) = gpudbg('--raw', '--isa', 'gfx7', $code,
    commands('launch -g 64', 'stepi 32', "printf \"%s|%5d|%-4c|\\n\", \$v[0:31][0:63], 7, 65"));
ok $text =~ /^\{\Q${\join ', ', (4096) x 2048}\E\}\|    7\|A   \|$/m,
    'printf shows it whole, and what stands behind it';
my $script = "$dir/long.gdb";
open my $f, '>', $script or die;
print $f "launch -g 64\nstepi 32\nprintf \"", '%s;' x 30, "\\n\"", ', $v[0:31][0:63]' x 30, "\n";
close $f;
($text) = gpudbg('--raw', '--isa', 'gfx7', $code, '-x', $script);
my $line = (split /\n/, $text)[-1];
ok $line eq ('{' . join(', ', (4096) x 2048) . '};') x 30, 'a text of 360,000 letters has no end cut off';
# Data that is too long for a line says how long it is, wherever instructions are shown: a batch command that nobody
# knows, of 214 dwords (the header's length field counts them without two).
my $batch = file('batch.bin', 0x7f5e5fd4, (0x11223344) x 213);
for my $command ('x/i 0', 'disassemble') {
    my ($out) = gpudbg('--raw', '--isa', 'gen7-batch', $batch, commands($command));
    like $out, qr{// 856 bytes}, "$command says how many bytes of data there are";
}
done_testing;
