#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# AMD IL: the comments of a program's text stand beside its code: those behind an instruction, and those on lines of
# their own, at the place where the text has them.
use v5.36;
use Test::More;
use File::Temp 'tempdir';
use Gpudbg;

my $dir = tempdir(CLEANUP => 1);
my $path = "$dir/k.il";
my $text = <<'IL';
; above everything
il_cs_2_0
dcl_literal l0, 1, 2, 3, 4 // behind an instruction

/* a block
   of two lines */
# the sum
mov r0, l0
; the label of the only function
call 7 ; label 7
endmain
func 7 // twice
   // inside it
iadd r0, r0, r0
ret
end
; the very last word
IL
open my $il, '>', $path or die;
print $il $text;
close $il;

my ($listed, $err, $status) = gpudbg('-e', 'disassemble /s', $path);
is($status, 0, 'the listing is no error') or diag $err;
my @source = map { m{^// \Q$path\E:(\d+): (.*)$} ? [$1, $2] : () } split /\n/, $listed;
my @lines = split /\n/, $text;
is_deeply(\@source, [map { [$_ + 1, $lines[$_]] } grep { $lines[$_] =~ /\S/ } 0 .. $#lines],
    'every line that is not empty is shown once, as it is, in order, with its number');
like($listed, qr{:7: \# the sum\n// \S+:8: mov r0, l0\n +mov r0, l0 },
    'a comment stands above the instruction it is about');
like($listed, qr{^ +end .*\n// \S+:17: ; the very last word$}m, '... and the last one behind the last');

my ($part) = gpudbg('-e', 'disassemble /s 0x2c,+4', $path);
is_deeply([map { m{^// \Q$path\E:(\d+): } ? $1 : () } split /\n/, $part], [9, 10],
    'a part shows the comments right above it, and none that stand elsewhere') or diag $part;

my ($plain) = gpudbg('-e', 'disassemble', $path);
unlike($plain, qr/the sum|label 7/, 'without /s a listing has no lines of the text');
done_testing;
