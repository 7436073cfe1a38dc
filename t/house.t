#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The floors of the house: ui -> core <- decoders.  A decoder sees what a plug-in sees; core names no instruction set; only
# one file knows each terminal library.
use strict;
use warnings;
use File::Basename qw(basename dirname);
use FindBin;
use Test::More;

chdir "$FindBin::Bin/.." or die;

sub text { open my $f, '<', $_[0] or die "$_[0]: $!"; local $/; return scalar <$f> }
sub includes { return text($_[0]) =~ /^\s*#\s*include\s*([<"][^>"]+)[>"]/mg }

# What of a file's includes is neither public, nor a header of its own folder, nor the system's.
sub foreign {
    my ($file) = @_;
    return grep {
        my ($kind, $name) = /^(.)(.*)/;
        my $public = $name =~ m{^gpudbg(?:/(?:lanes|text|endian))?\.h$};
        my $own = $kind eq '"' && $name !~ m{/} && -e dirname($file) . "/$name";
        my $system = $kind eq '<' && $name !~ /curses|readline/;
        !($public || $own || $system);
    } includes($file);
}

my @decoders = glob 'decoders/*/*.[ch] decoders/*/*.def';
my @plugins = glob 'plugins/*/*.[ch] plugins/*/*.def';
cmp_ok(scalar @decoders, '>', 20, 'there are decoders');
is_deeply([map { my $f = $_; map { "$f: $_" } foreign($f) } @decoders], [],
    'decoders include gpudbg.h, the header-only parts beside it and their own headers only');
is_deeply([map { my $f = $_; map { "$f: $_" } foreign($f) } @plugins], [], 'so do plug-ins');

# Names of instruction sets, their makers and their registers.
my $names = qr/gfx\d|\bgcn|sea.islands|southern.islands|\bamd|radeon|intel\b|\bgen ?(?:7|12)|amdil|[sv]gpr|\bgrf\b/i;
my %allowed = (
    'core/image/elf.c' => ['STT_AMDGPU_HSA_KERNEL'],       # the name of a constant of ELF
    'core/include/gpudbg/image.h' => ['AMDGPU HSA', '"sgprs"'],
    'core/include/gpudbg/isa.h' => ['hstride> in elements, Intel'], # examples in comments
);
my @core = glob 'core/*/*.[ch] core/*/*/*.[ch]';
cmp_ok(scalar @core, '>', 40, 'there is a core');
my @named;
for my $file (@core) {
    my $text = text($file);
    for my $allowed (@{ $allowed{$file} // [] }) { $text =~ s/\Q$allowed\E//g }
    push @named, map { "$file: $_" } grep { $_ =~ $names } split /\n/, $text;
}
is_deeply(\@named, [], 'core names no instruction set');
is_deeply([map { my $f = $_; map { "$f: $_" } grep { m{decoders/|\.\./ui/|/(?:screen|pane|cells)\.h|curses|readline} } includes($f) } @core],
    [], 'core includes nothing of decoders or the screen');

my @all = glob 'core/*/*.[ch] core/*/*/*.[ch] ui/*.[ch] decoders/*.c decoders/*/*.[ch]';
is_deeply([grep { grep { /curses\.h/ } includes($_) } @all], ['ui/curses.c'], 'one file knows curses');
is_deeply([grep { grep { /readline/ } includes($_) } @all], ['ui/line.c'], 'one file knows readline');
# ---- One way for text, one for memory ----

# Folders that keep to it, and what a file may have all the same.
my @tidy = qw(core);
my %ways = (
    'text is put together with gpudbg/text.h' => qr/\bstr(?:cat|ncat|cpy)\(|\bv?sprintf\(|\+= *(?:\([a-z_ ]+\) *)?\(?v?snprintf\(|\bsnprintf\(\w+ \+ strlen\(/,
    'nothing ends with abort()' => qr/\babort\(/,
    'copies and small blocks are those of base/alloc.h' => qr/\bstrn?dup\(|\bcalloc\(1,|\bmalloc\(sizeof/,
);
my %allowed_here = (
    'core/base/alloc.c' => qr/\bstrn?dup\(|\bcalloc\(1,/,
    'core/machine/argument.c' => qr/\bcalloc\(1, sizeof \*o \+ 64 \+ size\)/, # sizes that a user decides
    'core/machine/edit.c' => qr/\bmalloc\(sizeof \*e \+ what->size\)/,
);
my @kept = grep { my $f = $_; grep { $f =~ m{^$_/} } @tidy } glob '{core,ui,decoders}/*.[ch] {core,ui,decoders}/*/*.[ch] {core,ui,decoders}/*/*/*.[ch]';
for my $way (sort keys %ways) {
    my @found;
    for my $file (@kept) {
        my $text = text($file) =~ s{/\*.*?\*/}{}gsr;
        $text =~ s/$allowed_here{$file}//g if $allowed_here{$file};
        push @found, map { "$file: $_" } grep { $_ =~ $ways{$way} } split /\n/, $text;
    }
    is_deeply(\@found, [], $way);
}
done_testing;
