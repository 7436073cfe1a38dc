#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What make does for people: `make install` puts everything in one place, once, into a folder whose name has a blank,
# and `make uninstall` takes away the same and nothing else; what is missing is said before anything is compiled; the
# count of what is left; hardened flags; other processors.
use strict;
use warnings;
use Cwd qw(abs_path);
use Digest::SHA;
use File::Find;
use File::Path qw(make_path);
use Files;
use Test::More;

delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL GPUDBG_DATA CPPFLAGS CFLAGS LDFLAGS)};
my $program = $ENV{GPUDBG} // 'build/gpudbg';
my $build = $program =~ m{(.*)/gpudbg$} ? $1 : die $program;
my $top = "$dir/a root";
my $prefix = '/opt/x';
my $at = $top . $prefix;

# make of what is built; (what it says, its exit status).
sub make { my ($words) = @_; my $said = `env -u BUILD -u LEVELS make $words 2>&1`; return ($said, $? >> 8) }
sub install { return make("-s BUILD='$build' -o '$build/gpudbg' DESTDIR='$top' PREFIX=$prefix @_") }

sub files { my %found; find({ no_chdir => 1, wanted => sub { $found{ s{^\Q$at\E/}{}r } = $_ if -f } }, $top) if -d $top;
    return %found }
sub folders { my @found; find({ no_chdir => 1, wanted => sub { push @found, $_ if -d && m{/gpudbg(?:/|\z)} } }, $top);
    return @found }

subtest 'install and uninstall' => sub {
    my ($said, $status) = install('install');
    is($status, 0, 'make install') or diag $said;
    my %file = files();
    ok($file{$_}, $_)
        for qw(bin/gpudbg include/gpudbg.h include/gpudbg/isa.h lib/pkgconfig/gpudbg.pc share/doc/gpudbg/design.md
        share/man/man1/gpudbg.1 share/man/man3/gpudbg-plugins.3 share/man/man5/gpudbg-keys.5 share/man/man5/gpudbgrc.5
        share/man/man5/gpudbg-registers.5 share/man/man5/gpudbg-rules.5 share/bash-completion/completions/gpudbg
        share/zsh/site-functions/_gpudbg share/fish/vendor_completions.d/gpudbg.fish share/applications/gpudbg.desktop
        share/icons/hicolor/scalable/apps/gpudbg.svg share/metainfo/gpudbg.metainfo.xml);
    for my $source (grep { !/\.sh$/ } sort map { glob "share/$_/*" } qw(demo explain help keys registers schema themes))
        {
        ok($file{"share/gpudbg/" . $source =~ s{^share/}{}r}, $source);
    }
    my %same;
    push @{ $same{ Digest::SHA->new(256)->addfile($file{$_})->hexdigest } }, $_ for sort keys %file;
    is_deeply([grep { @$_ > 1 } values %same], [], 'nothing is there twice');
    my ($odd) = grep { !-x $file{$_} } 'bin/gpudbg';
    is($odd, undef, 'the program can be run');
    is(`'$at/bin/gpudbg' --batch --demo=matmul -e 'print 1 + 1' 2>&1` =~ /^\$1 = 2$/m, 1,
        'it finds its demos beside itself');
    my $flags = `PKG_CONFIG_PATH='$at/lib/pkgconfig' pkg-config --cflags gpudbg`;
    like($flags, qr{^-I$prefix/include\s*$}, 'pkg-config knows the headers');

    spill("$at/share/gpudbg/help/mine", "a stranger's\n");
    spill("$at/bin/other", "a stranger's\n");
    ($said, $status) = install('uninstall');
    is($status, 0, 'make uninstall') or diag $said;
    my %left = files();
    is_deeply([sort keys %left], ['bin/other', 'share/gpudbg/help/mine'],
        '... leaves what others put there, and nothing else');
    unlink values %left;
    install('install');
    install('uninstall');
    is_deeply([values %{ { files() } }, folders()], [], 'no file and no folder of ours is left');

    ($said, $status) = install('install-strip');
    is($status, 0, 'make install-strip') or diag $said;
    cmp_ok(-s "$at/bin/gpudbg", '<', -s $program, '... installs less');
    is(`'$at/bin/gpudbg' --batch -e 'print 2' 2>&1`, "\$1 = 2\n", '... that runs');
};

subtest 'what is missing' => sub {
    my ($said, $status) = make("BUILD='$dir/none' PKG_CONFIG=no-such-program");
    is($status, 2, 'no pkg-config: make fails');
    my @lines = grep { !/^make/ } split /\n/, $said;
    is(scalar @lines, 1, '... with one line') or diag $said;
    like($lines[0], qr/^gpudbg: pkg-config is missing .*: package pkg\S*conf/, '... that names the package');
    spill("$dir/pkg-config", "#!/bin/sh\ncase \"\$*\" in *jansson*) exit 1 ;; esac\nexec pkg-config \"\$@\"\n");
    chmod 0755, "$dir/pkg-config";
    ($said) = make("BUILD='$dir/none' PKG_CONFIG='$dir/pkg-config'");
    like($said, qr/\Agpudbg: jansson is missing \(JSON output\): package \S*jansson\S*; .*\nmake: /,
        'a library that is missing');
    unlike($said, qr/ CC /, '... and nothing was compiled');
    ($said) = make("BUILD='$dir/none' CC=no-such-compiler");
    like($said, qr/^gpudbg: cc is missing \(compiling\): package gcc/m, 'no compiler');
};

# The manual compiles nothing: where no program is, it has its chapters, and a sentence for each list and picture that
# the program makes.
subtest 'the manual without a program' => sub {
    my ($said, $status) = make("-n V=1 BUILD='$dir/none' html");
    is($status, 0, 'make html');
    unlike($said, qr/ -c /, '... compiles nothing') or diag substr $said, 0, 2000;
    my $manual = "$dir/a manual";
    is(system("cp -r share/doc/manual '$manual' && sh share/doc/manual/no_program.sh '$manual' &&
        sh share/doc/manual/pictures.sh '' '$manual/pictures' light"), 0, 'lists and pictures without a program');
    my $named = 0;
    for my $chapter (glob 'share/doc/manual/*.rst') {
        open my $f, '<', $chapter or die "$chapter: $!";
        for (map { /^\.\. (?:include|image):: (\S+)/ } <$f>) {
            $named++;
            ok(-s "$manual/$_", "$chapter: $_");
        }
    }
    cmp_ok($named, '>', 8, 'chapters name them');
    SKIP: {
        skip 'no sphinx-build', 2 if system('command -v sphinx-build >/dev/null');
        ($said, $status) = make("BUILD='$dir/none' html");
        is($status, 0, 'html is made') or diag $said;
        ok(-s "$dir/none/manual/html/screen.html", '... with the chapter on the screen');
    }
};

# What a test may see, the objects that it is linked with may not, though they are compiled on its behalf.
subtest 'one test in a clean folder' => sub {
    for my $test (qw(t/gen/ops t/gcn/decode t/core/rows)) {
        my ($said, $status) = make("-n V=1 BUILD='$dir/none' '$dir/none/$test'");
        is($status, 0, "make $test");
        my ($gcn, $gen) = map { my $file = $_; grep { m/ -c .*\Q$file\E$/ } split /\n/, $said }
            'decoders/gcn/code/gcn_decode.c', 'decoders/gen/code/gen_decode.c';
        like($gcn // '', qr/ -Idecoders\/gcn /, '... compiles a decoder with its own folder');
        unlike($gcn // '', qr/ -I(?:decoders\/gen|core|t|\.) /, '... without those of others');
        unlike($gen // '', qr/ -I(?:decoders\/gcn|core|t|\.) /, '... nor does another');
    }
};

# A machine with these commands and no others.
sub on {
    my ($commands, $line) = @_;
    my $bin = "$dir/bin" . join '', @$commands;
    make_path($bin);
    for my $name (qw(sh cut sort tr grep id command perl), @$commands) {
        my ($real) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
        symlink $real, "$bin/$name" if $real;
        spill("$bin/$name", "#!/bin/sh\n" . ($name eq 'id' ? "echo 1000\n" : "exit 1\n")), chmod 0755, "$bin/$name"
            if !$real || $name eq 'id' && unlink "$bin/$name";
    }
    local $ENV{PATH} = $bin;
    my $said = `$line 2>&1`;
    return ($said, $? >> 8);
}

subtest 'deps where it cannot install' => sub {
    my ($said, $status) = on([], 'CC=sh sh share/scripts/deps.sh install build');
    is($status, 1, 'no apt-get: it fails');
    my %name = (Debian => 'libjansson-dev', Fedora => 'jansson-devel', Arch => 'jansson', Alpine => 'jansson-dev',
        Nix => 'jansson', brew => 'jansson');
    like($said, qr/^  $_ .*\b\Q$name{$_}\E\b/m, "names for $_") for sort keys %name;
    ($said, $status) = on(['apt-get', 'dpkg-query'], 'CC=sh PKG_CONFIG=none sh share/scripts/deps.sh install oracle');
    SKIP: {
        skip 'this machine has all packages', 2 if $said =~ /all packages are there/;
        is($status, 1, 'no root and no sudo: it fails');
        like($said, qr/^  apt-get install .*\bllvm-19\b/m, '... and says what to run');
    }
};

subtest 'deps installs one thing at a time' => sub {
    my $tree = "$dir/deps";
    make_path("$tree/share/scripts", "$tree/build/npm", "$tree/t/oracle/dap");
    symlink abs_path('GNUmakefile'), "$tree/GNUmakefile";
    spill("$tree/t/oracle/dap/package.json", "{}\n");
    spill("$tree/build/npm/installed", '');
    # As apt-get, it fails if another one is at work.
    spill("$tree/share/scripts/deps.sh",
        "echo \"\$@\"\nmkdir lock || exit 1\nsleep 0.3\nrmdir lock\n");
    my ($said, $status) = make("-C '$tree' -j3 deps-packages deps-oracle deps");
    is($status, 0, 'of all that is asked for');
    like($said, qr/^install $_\b/m, "... $_") for qw(build oracle packages);
    rmdir "$tree/lock";
    ($said, $status) = make("-C '$tree' -j3 deps-packages");
    unlike($said, qr/oracle/, '... and nothing else');
};

subtest 'the count of what is left' => sub {
    my $tree = "$dir/a tree";
    mkdir $tree;
    symlink abs_path($_), "$tree/$_" for qw(GNUmakefile core decoders ui share t plugins);
    my $cc = "$dir/cc"; # compiles nothing, writes what it is told to
    spill($cc, "#!/bin/sh\n[ \"\$1\" = -dumpmachine ] && exec cc -dumpmachine\nwhile [ \$# -gt 1 ]; do\n"
        . "[ \"\$1\" = -o ] && : >\"\$2\"\nshift\ndone\n");
    chmod 0755, $cc;
    my @sources = glob 'core/*/*.c ui/*.c decoders/*.c decoders/*/*.c decoders/*/*/*.c';
    my $levels = `cc -dumpmachine` =~ /^x86_64/ ? 3 : 1;
    my $want = @sources + ($levels - 1) * grep({ /_simd\.c$/ } @sources) + 1;
    my ($said) = make("-C '$tree' CC='$cc' CFLAGS='-O1 -g'");
    my @steps = $said =~ /^\[ *(\d+)\/(\d+)\] (?:CC|LD) /mg;
    is(scalar @steps / 2, $want, 'a line a file, and one for the program');
    is_deeply([sort { $a <=> $b } map { $steps[2 * $_] } 0 .. $#steps / 2], [1 .. $want], '... counted from one');
    is(scalar(grep { $steps[2 * $_ + 1] != $want } 0 .. $#steps / 2), 0, '... of that many');
    is((make("-C '$tree' CC='$cc'"))[0] =~ /\[/, '', 'nothing to do: no line');
    utime 1, 1, "$tree/build/core/image/elf.o"; # older than its source
    is_deeply([(make("-C '$tree' CC='$cc'"))[0] =~ /^(\[.*\] .*)$/mg], ['[  1/2] CC   core/image/elf.c',
        '[  2/2] LD   build/gpudbg'], 'one file');
    my ($verbose) = make("-C '$tree' -B CC='$cc' V=1 CPPFLAGS=-DUSERS_CPP CFLAGS='-O2 -DUSERS_C' LDFLAGS=-Wl,users "
        . "build/core/image/elf.o build/gpudbg");
    like($verbose, qr/-DUSERS_CPP.* -DUSERS_C.* -c -o build\/core\/image\/elf\.o/,
        'V=1 shows commands; CPPFLAGS and CFLAGS are in them');
    like($verbose, qr/-Wl,users.* -o build\/gpudbg/, 'LDFLAGS too');
    like($verbose, qr/-D_FORTIFY_SOURCE=[23] -fstack-protector-strong .*-fPIE/, 'hardened');
    for my $flag (qw(-fstack-clash-protection -fcf-protection -ftrivial-auto-var-init=zero)) {
        my $takes = system("$cc -Werror $flag -S -o /dev/null -x c /dev/null 2>/dev/null") == 0;
        is(scalar($verbose =~ /\Q$flag\E/), scalar($takes) || '', "... $flag, if the compiler has it");
    }
    like($verbose, qr/-no-pie -Wl,-z,relro,-z,now/, '... when it is linked');
    like((make("-C '$tree' -B CC='$cc' -n V=1 PIE=-pie build/gpudbg"))[0], qr/ -pie -Wl,-z,relro/, 'PIE=-pie');
    my ($plain) = make("-C '$tree' -B CC='$cc' V=1 HARDEN=0 build/core/image/elf.o");
    unlike($plain, qr/FORTIFY|stack-protector|PIE/, 'HARDEN=0 turns that off');
    my ($sanitized) = make("-C '$tree' -B CC='$cc' V=1 CFLAGS='-O1 -fsanitize=address' build/core/image/elf.o");
    unlike($sanitized, qr/FORTIFY/, 'a sanitizer goes without _FORTIFY_SOURCE');
    my ($zero) = make("-C '$tree' -B CC='$cc' V=1 CFLAGS=-O0 build/core/image/elf.o");
    unlike($zero, qr/FORTIFY/, '... and -O0 too');
};

subtest 'processors' => sub {
    my $big = '-U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__';
    my $said = `cc -std=c11 -fsyntax-only $big -Icore/include -xc core/include/gpudbg.h 2>&1`;
    isnt($?, 0, 'a big-endian one is refused');
    like($said, qr/#error.*little-endian/, '... with the reason');
    is(`cc -std=c11 -fsyntax-only -D_GNU_SOURCE -Icore/include -xc core/include/gpudbg.h 2>&1`, '', 'this one is not');
};

done_testing;
