#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Every library that the build links is named in the recipe of every package; in man pages a sentence begins a line.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Files qw(slurp);
use Test::More;

my @rows = map { [split] } slurp('share/scripts/deps.sh') =~ /^(build +pkg:.*\n.*)/mg;
cmp_ok scalar @rows, '>=', 8, 'deps.sh names the libraries';
my $packaging = 'share/packaging';
for my $row (@rows) {
    my (undef, $module, undef, $debian, undef, $arch, $alpine, $nix, $brew) = @$row;
    $module =~ s/^pkg://;
    like slurp("$packaging/debian/control.in"), qr/^ \Q$debian\E,$/m, "$debian: Debian";
    like slurp("$packaging/fedora/gpudbg.spec"), qr/^BuildRequires: +pkgconfig\(\Q$module\E(?:-c)?\)$/m,
        "$module: Fedora";
    like slurp("$packaging/arch/PKGBUILD"), qr/^(?:make)?depends=.*'\Q$arch\E'/m, "$arch: Arch";
    like slurp("$packaging/alpine/APKBUILD"), qr/^makedepends='[^']*(?<!\S)\Q$alpine\E(?![^\s'])/m, "$alpine: Alpine";
    like slurp("$packaging/nix/default.nix"), qr/buildInputs = with .*\b\Q$nix\E\b/, "$nix: Nix";
    like slurp("$packaging/brew/gpudbg.rb"), qr/^  depends_on "\Q$brew\E"$/m, "$brew: Homebrew";
}
for my $recipe (qw(debian/rules fedora/gpudbg.spec arch/PKGBUILD alpine/APKBUILD nix/default.nix brew/gpudbg.rb)) {
    my $text = slurp("$packaging/$recipe");
    is(scalar(() = $text =~ /PREFIX=/g), scalar(() = $text =~ /PREFIX=[^\n]*PIE=-pie/g),
        "$recipe: a program that is loaded anywhere");
}
my ($linked) = slurp('GNUmakefile') =~ /^LIBS = (.*)/m;
my @modules = map { $_->[1] =~ s/^pkg://r } @rows;
# cairo is loaded when a picture is written as PNG: the build needs its headers alone.
is_deeply [sort 'cairo', split ' ', $linked], [sort map { $_ eq 'msgpack' ? '$(MSGPACK)' : $_ } @modules],
    'deps.sh names what is linked';

# The hash that the test of the installed package knows is that of this program.
my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my ($hash) = `$gpudbg --batch --demo=matmul -e continue -e 'info hash'` =~ /^hash (0x\w+)$/m;
is slurp("$packaging/debian/tests/known-hash"), "$hash\n", 'the known hash of the package is right';

# Who owns this and where it is at home is said in one place, and filled in elsewhere.
like slurp('GNUmakefile'), qr/^HOMEPAGE = \S+\nMAINTAINER = \S/m, 'one place for the owners';
my @described = map { glob "$_/* $_/*/* $_/*/*/*" } $packaging, 'share/desktop';
my @said = grep { -f && slurp($_) =~ /gpudbg\.example/ } @described;
is_deeply \@said, [], '... and no other';

# The version stands in GNUmakefile; a release needs its heading in CHANGES, and its tag says what that has.
my ($version, $released) = slurp('GNUmakefile') =~ /^VERSION = (\S+)\nRELEASED = (.*)/m;
is system('sh', 'share/scripts/version.sh', 'check', $version, $released, 'tree'), 0, 'one version everywhere';
my $tree = tempdir(CLEANUP => 1);
system "cp --parents CHANGES.md share/scripts/version.sh share/python/gpudbg.py share/editors/vscode/package.json " .
    "share/editors/emacs/gpudbg-dap.el share/help/conversation share/doc/manual/python.rst $tree";
sub version { my ($what) = @_; return `cd $tree && sh share/scripts/version.sh $what 12.3.4 'May 6, 2031' 2>&1` }
like version('check'), qr/^gpudbg: share\/help\/conversation does not have version 12.3.4; .*CHANGES/ms,
    'a version that is nowhere is refused';
is version('set') . version('check'), '', '... and written everywhere';
like version('tag'), qr/\Agpudbg 12\.3\.4\n\n\w.*?:\n\n- \w/s, '... with the text of its tag';
unlike version('tag'), qr/^#/m, '... in which git sees no comment';
unlike version('tag'), qr/\n\n\n/, '... and no hole';

# mdoc(7): a sentence begins a line.  mandoc says so, too; it is not everywhere.
my $pages = tempdir(CLEANUP => 1);
is system('perl', 'share/scripts/pages.pl', $ENV{GPUDBG} // 'build/gpudbg', 'January 1, 2026', $pages), 0, 'pages.pl';
my @inside;
for my $page (glob "$pages/*.[1-7]") {
    my $literal;
    for my $line (split /\n/, slurp($page)) {
        $literal = 1 if $line =~ /^\.Bd -literal/;
        $literal = 0 if $line =~ /^\.Ed/;
        push @inside, $line if !$literal && $line !~ /^\./ && $line =~ /\w[.?!]\s+[A-Z]/;
    }
}
cmp_ok scalar(glob "$pages/*.[1-7]"), 'ne', '', 'there are pages';
is_deeply \@inside, [], 'no sentence begins inside a line';
done_testing;
