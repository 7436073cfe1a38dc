#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The floors of the house: ui -> core <- decoders, and dap beside ui.  A decoder sees what a plug-in sees; core names no
# instruction set; only one file knows each terminal library.
use strict;
use warnings;
use File::Basename qw(basename dirname);
use FindBin;
use Test::More;

chdir "$FindBin::Bin/.." or die;

sub text { open my $f, '<', $_[0] or die "$_[0]: $!"; local $/; return scalar <$f> }
sub includes { return text($_[0]) =~ /^\s*#\s*include\s*([<"][^>"]+)[>"]/mg }

# What of a file's includes is neither public, nor of its own folder or decoder (lists that are made when the program is
# built are), nor the system's.
my $build = $ENV{BUILD} // 'build';
sub foreign {
    my ($file) = @_;
    my ($root) = $file =~ m{^(\w+/\w+)/};
    return grep {
        my ($kind, $name) = /^(.)(.*)/;
        my $public = $name =~ m{^gpudbg(?:/(?:lane_set|lanes|listing|text|endian|steps|sampling|unset))?\.h$};
        my $own = $kind eq '"' && $name !~ m{\.\.} && grep { -e "$_/$name" } dirname($file), $root, "$build/$root";
        my $system = $kind eq '<' && $name !~ /curses|readline/;
        !($public || $own || $system);
    } includes($file);
}

my @decoders = glob 'decoders/*/*.[ch] decoders/*/*.def decoders/*/*/*.[ch] decoders/*/*/*.def';
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
is_deeply([map { my $f = $_;
    map { "$f: $_" } grep { m{decoders/|\.\./ui/|/(?:screen|pane|cells)\.h|curses|readline} } includes($f) } @core],
    [], 'core includes nothing of decoders or the screen');

# Which chip of a family it is, only tables say: chips.def names them, and other code asks it for facts.  Comments may
# name a chip, where they say which one showed something.
my %chips;
for my $row (text('decoders/gcn/chips.def') =~ /^CHIP\((.*?\([^()]*\)),/msg) {
    $chips{$_} = 1 for $row =~ /"(gfx[\w-]+|[a-z]+)"/g, $row =~ /^(\w+)/;
}
cmp_ok(scalar keys %chips, '>', 12, 'chips.def has chips');
my $chip = join '|', map { quotemeta } sort { length $b <=> length $a || $a cmp $b } keys %chips;
my @chip_named;
for my $file (grep { /\.[ch]$/ } glob 'decoders/gcn/*.[ch] decoders/gcn/*/*.[ch]') {
    my $code = text($file) =~ s{/\*.*?\*/}{}gsr =~ s{//.*}{}gr;
    push @chip_named, map { "$file: $_" } grep { /(?<![a-z0-9])(?:GCN_)?(?:$chip|pro)(?![a-z0-9])/i } split /\n/, $code;
}
is_deeply(\@chip_named, [], 'no code of decoders/gcn names a chip');

is_deeply([map { my $f = $_; map { "$f: $_" } grep { m{"dap/} } includes($f) } @core], [],
    '... or of the debug adapter');
my @dap = glob 'dap/*.[ch] dap/*.def';
cmp_ok(scalar @dap, '>', 8, 'there is a debug adapter');
sub seen_by_dap { my $name = substr $_[0], 1; return $name =~ m{^(?:dap|gpudbg)/|^gpudbg\.h$} || -e "core/$name" }
is_deeply([map { my $f = $_; map { "$f: $_" } grep { /^"/ && !seen_by_dap($_) } includes($f) } @dap], [],
    'the debug adapter sees core and itself: no screen and no decoder');
is_deeply([map { my $f = $_; map { "$f: $_" } grep { m{"dap/} && $_ ne '"dap/dap.h' } includes($f) }
    glob 'ui/*.[ch]'], [], 'the screen knows how to start it, and no more of it');

my @all = glob 'core/*/*.[ch] core/*/*/*.[ch] ui/*.[ch] dap/*.[ch] decoders/*.c decoders/*/*.[ch] decoders/*/*/*.[ch]';
is_deeply([grep { grep { /curses\.h/ } includes($_) } @all], ['ui/curses.c'], 'one file knows curses');
is_deeply([grep { grep { /readline/ } includes($_) } @all], ['ui/line.c'], 'one file knows readline');
is_deeply([grep { text($_) =~ m{^\h*"?-{5,}}m } @all, glob 'core/*/*.def ui/*.def dap/*.def decoders/*/*.def'], [],
    'no heading is wrapped');
# ---- The rooms of core, and which rooms each may use (share/doc/design.md has the picture) ----

my @rooms = (
    [base    => ''],
    [word    => 'base'],
    [image   => 'base word'],
    [out     => 'base word'],
    [code    => 'base word image out'],
    [flow    => 'base word image'],
    [assemble => 'base word image'],
    [machine => 'base word image'],
    [dump    => 'base word image out code'],
    [explain => 'base word image out code dump'],
    [eval    => 'base word image out code flow machine'],
    [check   => 'base word image out code flow machine eval'],
    [past    => 'base word image out code machine eval'],
    [control => 'base word image out code machine dump eval check past'],
    [attempt => 'base word image out code assemble machine eval'],
    [session => 'base word image out code flow assemble machine dump explain eval check past control'],
    [command => 'base word image out code flow assemble machine dump explain eval check past control attempt session'],
);
my %may = map { my ($room, $uses) = @$_; $room => { map { $_ => 1 } $room, split / /, $uses } } @rooms;
is_deeply([sort grep { -d "core/$_" && $_ ne 'include' } map { s{core/}{}r } glob 'core/*'], [sort keys %may],
    'core consists of the rooms of the table');

# By includes: "room/file.h".
my @wrong;
for my $file (glob 'core/*/*.[ch]') {
    my ($from) = $file =~ m{^core/(\w+)/};
    next if $from eq 'include';
    for (includes($file)) {
        my ($name) = /^"(.*)/ or next;
        next if $name =~ m{^gpudbg(?:\.h|/\w+\.h)$};
        my ($room) = $name =~ m{^(\w+)/\w+\.\w+$};
        push @wrong, "$file includes $name" unless $room && $may{$from}{$room} && -e "core/$name";
    }
}
is_deeply(\@wrong, [], 'a file includes headers of the rooms that its room may use');

# ---- The folders of each decoder, and which each may use ----

# A folder may use those that it names.  `top` are the files that are in no folder: descriptors, which name everything.
# Only who finds out which chip code is for names them.
my %folders = (
    dumps => [[phrases => ''], [top => 'phrases']],
    containers => [[top => '']],
    gcn => [
        [code    => ''],
        [packets => 'code'],
        [files   => 'code top'],        # loaders name the chip that is meant where nothing says another
        [engine  => 'code files'],
        [alu     => 'code engine'],
        [memory  => 'code engine'],
        [image   => 'code files engine alu memory'],
        [launch  => 'code files engine alu memory image'],
        [flow    => 'code files engine launch top'],
        [check   => 'code top'],
        [top     => 'code packets files engine image launch flow check'],
    ],
    gen => [
        [code    => ''],
        [text    => 'code'],
        [packets => 'top'],             # commands of a generation have its facts
        [check   => 'code'],
        [files   => 'code check top'],  # loaders try generations, and refuse code that is none
        [engine  => 'code'],
        [alu     => 'code engine'],
        [message => 'code files engine alu'],
        [launch  => 'code files engine alu message'],
        [top     => 'code text packets check files engine message launch'],
    ],
    il => [
        [code    => ''],
        [check   => 'code'],
        [run     => 'code'],
        [texture => 'code run'],
        [build   => 'code run texture'],
        [launch  => 'code check run texture build'],
        [files   => 'code check run launch'],
        [top     => 'code check run launch files'],
    ],
);

for my $decoder (map { s{decoders/}{}r } grep { -d } glob 'decoders/*') {
    my %uses = map { my ($folder, $uses) = @$_; $folder => { map { $_ => 1 } $folder, split / /, $uses } }
        @{ $folders{$decoder} // [] };
    is_deeply([sort map { s{.*/}{}r } grep { -d } glob "decoders/$decoder/*"], [sort grep { $_ ne 'top' } keys %uses],
        "decoders/$decoder consists of the folders of its table");
    my @foreign;
    for my $file (glob "decoders/$decoder/*/*.[ch]") {
        my ($from) = $file =~ m{^decoders/\w+/(\w+)/};
        push @foreign, map { "$file includes $_" } grep { !$uses{$from}{$_} }
            map { m{^"(\w+)/\w+\.\w+$} && -d "decoders/$decoder/$1" ? $1 : () } includes($file);
    }
    is_deeply(\@foreign, [], "a file of decoders/$decoder includes headers of the folders that its folder may use");
    $may{"$decoder/$_"} = { map { ("$decoder/$_" => 1) } keys %{ $uses{$_} } } for keys %uses;
}

# The room of core or the folder of a decoder that a file is in; none for those without a table.
sub room_of {
    my ($file) = @_;
    return $1 if $file =~ m{^core/(\w+)/};
    my ($decoder, $folder) = $file =~ m{^decoders/(\w+)/(?:(\w+)/)?\w+$} or return;
    return "$decoder/" . ($folder // 'top');
}

# gpudbg_fail looks at what an error holds, so a variable for one begins with zeros, or with a place that is not known.
my @unset;
for my $file (glob 'core/*/*.c ui/*.c dap/*.c decoders/*/*.c decoders/*/*/*.c plugins/*/*.c t/*/*.c') {
    my $fields = 0;
    for (split /\n/, text($file)) {
        $fields = 1 if /^(?:static |typedef )?struct[\w ]*\{/;
        $fields = 0 if /^\}/;
        push @unset, "$file: $_" if !$fields && /^\s+struct gpudbg_error \w+(?:\[\w+\])?;/;
    }
}
is_deeply(\@unset, [], 'variables for errors begin with zeros');

# By the linker's symbols: who defines one, who leaves it undefined.
# Of a file that `make` and `make dev` compiled, the later object counts.  A file that is compiled for several vector
# widths (FILE.4.o) is one.
my %object;
for my $dir ($build, "$build-dev") {
    for my $made (glob "$dir/core/*/*.o $dir/ui/*.o $dir/decoders/*/*.o $dir/decoders/*/*/*.o") {
        my ($file) = $made =~ m{^\Q$dir\E/(.*?)(?:\.\d)?\.o$};
        $object{$file} = $made if !$object{$file} || -M $made < -M $object{$file};
    }
}
delete @object{grep { !-e "$_.c" } keys %object};    # of files that have moved since
# Pointers that a start writes although nothing uses them: those of libraries are left.
SKIP: {
    my $type = -e "$build/gpudbg" ? `readelf -hW '$build/gpudbg'` : '';
    skip "$build/gpudbg is not there, or may be loaded anywhere (PIE=-pie)", 1 unless $type =~ /EXEC/;
    my $written = () = `readelf -rW '$build/gpudbg'` =~ /^[0-9a-f]+ +[0-9a-f]+ R_/mg;
    cmp_ok($written, '<', 1000, 'a table that is not used costs nothing at the start of the program');
}

SKIP: {
    skip 'nothing is built in ' . $build, 2 unless %object;
    my (%defined, %wanted);
    # One nm for all: each start of it costs more than what it reads.
    my %file_of = reverse %object;
    open my $nm, '-|', 'nm', '-A', '-P', sort values %object or die "nm: $!";
    while (<$nm>) {
        my ($object, $symbol, $kind) = /^(.*?): (\S+) (\S)/ or next;
        my $file = $file_of{$object};
        $kind eq 'U' ? $wanted{$file}{$symbol} = 1 : $kind =~ /^[A-TV-Z]$/ ? $defined{$symbol} = $file : ();
    }
    close $nm or die "nm: $?";
    my (@calls, %uses);
    for my $file (sort keys %wanted) {
        my ($tree, $from) = ($file =~ m{^(core|ui|decoders/\w+)/}, room_of($file));
        for my $symbol (sort keys %{ $wanted{$file} }) {
            my $to = $defined{$symbol} // next;
            next if $to !~ m{^$tree/};
            my $room = room_of($to);
            push @calls, "$file.c uses $symbol of $to.c" if $from && !$may{$from}{$room};
            $uses{$file}{$to} = 1 if $to ne $file;
        }
    }
    is_deeply(\@calls, [], 'a file uses symbols of the rooms that its room may use');

    # Files that need each other are one module; in core these are meant to be.
    my @honest = map { join ' ', sort split } (
        'core/image/image core/image/image_find',
        'core/word/registers core/word/register_file',
        'core/machine/edit core/machine/history core/machine/launch core/machine/machine core/machine/memory'
            . ' core/machine/schedule core/machine/unknown core/machine/waves', # time, memory and waves are one
        'core/eval/cursor core/eval/expr core/eval/expr_assign core/eval/expr_names core/eval/expr_unknown '
            . 'core/eval/expr_where core/eval/local_frames '
            . 'core/eval/locals core/eval/locals_expr core/eval/location core/eval/over_lanes',
        'core/dump/dump core/dump/dump_read',
        'core/session/command core/session/define core/session/script',  # a command runs lines of commands
        'core/session/folder core/session/session', # opening a folder opens a file of it
    );
    # Elsewhere a circle may have so many files.
    my %most = (gcn => 12, gen => 15, il => 12, ui => 15, dumps => 12, containers => 12);
    my (%index, %low, @stack, %on, @circles, $n);
    my $visit; $visit = sub {
        my ($v) = @_;
        $index{$v} = $low{$v} = ++$n;
        push @stack, $v;
        $on{$v} = 1;
        for my $w (sort keys %{ $uses{$v} // {} }) {
            if (!$index{$w}) { $visit->($w); $low{$v} = $low{$w} if $low{$w} < $low{$v} }
            elsif ($on{$w}) { $low{$v} = $index{$w} if $index{$w} < $low{$v} }
        }
        if ($low{$v} == $index{$v}) {
            my (@circle, $w);
            do { $w = pop @stack; delete $on{$w}; push @circle, $w } until $w eq $v;
            push @circles, [sort @circle] if @circle > 1;
        }
    };
    $index{$_} or $visit->($_) for sort keys %object;
    is_deeply([sort map { "@$_" } grep { $_->[0] =~ /^core/ } @circles], [sort @honest],
        'files of core that call each other in a circle are the ones that are meant to');
    is_deeply([map { scalar(@$_) . " files: @$_" }
        grep {
            my ($tree) = $_->[0] =~ m{^(?:decoders/)?(\w+)/};
            $tree ne 'core' && @$_ > $most{$tree};
        } @circles], [],
        'no circle elsewhere has more files than it may');
}

# ---- Code of gen asks for facts, never for a generation ----

# A generation or a chip is named in tables (eu.def, facts.def and the other *.def), comments and sources of tables.
# Everywhere else code asks for a fact by its name.
my $generation = qr/(?<![a-z0-9])(?:gen|g)[_ ]?(?:[4-9]|1[0-2]|75)(?![0-9])|ivb|ivy.?bridge|hsw|haswell|broadwell
    |skylake|ice.?lake|tiger.?lake|tgl|\bdg[12]|\bxe/xi;
my %says_generation = (
    'check/gen_rules.c' => ['mad of doubles exists on Haswell only'],
    'check/scoreboard.c' => ['only code of gen12 has a scoreboard'],
    'check/unwaited.c' => ['Gen12: registers that are used without a wait of the scoreboard'],
    'code/footprint.c' => ['Ivy Bridge: a double takes two channels, its region counts dwords'],
    'code/message_layout.c' => ['dword 2: barrier 27:24 (gen7.5 and gen12: 30:24), 15 count enabled, 14:9 count'],
    'text/iga_can.c' => ['IGA has no compacted math on gen12'],
    'text/mesa_read.c' => ['g10', 'register of Gen6 (Sandy Bridge) and older'], # g10 is a register
);
my @generations;
for my $file (glob 'decoders/gen/*.[ch] decoders/gen/*/*.[ch]') {
    my $text = text($file);
    # Comments go, but for their lines; strings that name a source do too.
    $text =~ s{("(?:[^"\\\n]|\\.)*")|/\*.*?\*/}{ defined $1 ? $1 : $& =~ s/[^\n]//gr }sge;
    $text =~ s/"[^"\n]*\b(?:volume|vol\.|PRM|EU_OPCODE)\b[^"\n]*"//g;
    $text =~ s/\Q$_\E//g for @{ $says_generation{ $file =~ s{^decoders/gen/}{}r } // [] };
    my $n = 0;
    push @generations, map { $n++; /$generation/ ? "$file:$n: $_" : () } split /\n/, $text;
    push @generations, $file if $file !~ m{/gen\.h$} && $text =~ /eu->number|GEN_(?:FROM|UNTIL|IN)\(/; # its number
}
is_deeply(\@generations, [], 'no code of gen names a generation');

# ---- Names of files, and headers that stand alone ----

# A base name says which file is meant, in an editor and in a message of the compiler.  A public part and the header of
# the room that fills it share theirs: gpudbg/image.h is what everybody may know of an image, image/image.h what core
# adds for itself; who includes one of them writes which.  No pair but these.
my %pair = map { $_ => 1 } qw(check.h command.h dump.h image.h machine.h);
my %of_name;
push @{ $of_name{ basename($_) } },
    $_ for glob '{core,ui,dap,decoders}/*.[ch] {core,ui,decoders}/*/*.[ch] {core,ui,decoders}/*/*/*.[ch]';
cmp_ok(scalar keys %of_name, '>', 300, 'there are files');
my @public = grep { $pair{$_} && grep({ m{^core/include/gpudbg/} } @{ $of_name{$_} }) == 1 && @{ $of_name{$_} } == 2 }
    sort keys %of_name;
is_deeply(\@public, [sort keys %pair], 'five headers of rooms have the name of a public one');
is_deeply([map { "@{ $of_name{$_} }" } grep { @{ $of_name{$_} } > 1 && !$pair{$_} } sort keys %of_name], [],
    'a base name occurs once');

# Each public header compiles by itself, in C and in C++ (17: lanes.h has hexadecimal floats), without a warning and
# with nothing but -Icore/include.
for (['C', ($ENV{CC} // 'cc') . ' -std=c11 -x c'], ['C++', ($ENV{CXX} // 'g++') . ' -std=c++17 -x c++']) {
    my ($language, $compiler) = @$_;
    my @failed;
    SKIP: {
        skip "no compiler of $language", 1 if system("echo | $compiler -fsyntax-only - >/dev/null 2>&1") != 0;
        for my $header (map { s{^core/include/}{}r } glob 'core/include/*.h core/include/*/*.h') {
            my $said = readpipe("echo '#include <$header>' | $compiler"
                . " -fsyntax-only -Wall -Wextra -Wpedantic -Werror -Icore/include - 2>&1");
            push @failed, "$header: $said" if $?;
        }
        is_deeply(\@failed, [], "each public header alone compiles as $language");
    }
}

# ---- One reader and writer of little-endian words: gpudbg/endian.h ----

my @words;
for my $file (grep { $_ ne 'core/include/gpudbg/endian.h' }
    glob '{core,ui,dap,decoders}/*.[ch] {core,ui,decoders,plugins}/*/*.[ch] {core,decoders}/*/*/*.[ch]') {
    next if $file =~ /_simd\.c$/;    # loops over lanes
    push @words, map { "$file: $_" } grep {
        /\] << 8 \* \(?\w|\b(\w+)\[0\] \| .*\b\1\[1\] << 8\b|\(uint8_t\)\([^()]* >> 8 \* i\)|\b[lb]e(?:16|32|64)toh\(/ }
        split /\n/, text($file);
}
is_deeply(\@words, [], 'nobody else takes words apart into bytes, or makes them of bytes');

# ---- One way for text, one for memory ----

# Folders that keep to it, and what a file may have all the same.
my @tidy = qw(core ui dap decoders);
my %ways = (
    'text is put together with gpudbg/text.h' =>
        qr/\bstr(?:cat|ncat|cpy)\(|\bv?sprintf\(|\+= *(?:\([a-z_ ]+\) *)?\(?v?snprintf\(|\bsnprintf\(\w+ \+ strlen\(/,
    'nothing ends with abort()' => qr/\babort\(/,
    'sentences name lanes by gpudbg/lane_set.h, not by a mask' => qr/\blanes? (?:mask )?0x%|\blanes? \{lanes\}/,
    'copies and small blocks are those of base/alloc.h' => qr/\bstrn?dup\(|\bcalloc\(1,|\bmalloc\(sizeof/,
);
my %allowed_here = (
    'core/base/alloc.c' => qr/\bstrn?dup\(|\bcalloc\(1,/,
    'core/machine/argument.c' => qr/\bcalloc\(1, sizeof \*o \+ 64 \+ size\)/, # sizes that a user decides
    'core/machine/edit.c' => qr/\bmalloc\(sizeof \*e \+ what->size\)/,
);
my @kept = grep { my $f = $_; grep { $f =~ m{^$_/} } @tidy }
    glob '{core,ui,dap,decoders}/*.[ch] {core,ui,decoders}/*/*.[ch] {core,ui,decoders}/*/*/*.[ch]';
for my $way (sort keys %ways) {
    my @found;
    for my $file (@kept) {
        next if $way =~ m{base/alloc} && $file =~ m{^decoders|^core/include}; # which do not see it
        my $text = text($file) =~ s{/\*.*?\*/}{}gsr;
        $text =~ s/$allowed_here{$file}//g if $allowed_here{$file};
        push @found, map { "$file: $_" } grep { $_ =~ $ways{$way} } split /\n/, $text;
    }
    is_deeply(\@found, [], $way);
}

# ---- Numbers from code, and order of evaluation ----

# The number of a register comes from code: one function of core asks the launch whether there is such a register.
is_deeply([grep { text($_) =~ /\brun->reg\(/ } @core, glob '{ui,dap}/*.c'], ['core/machine/register_words.c'],
    'one file goes from the number of a register to its words');

# What is raised or lowered on the left of an assignment may not be read on its right: no compiler warns of `a[n++] =
# (struct x){.at = n}`.  Nor may what a macro that describes a record gets.
my @unsequenced;
for my $file (@kept) {
    my $text = text($file) =~ s{/\*.*?\*/}{}gsr;
    while ($text =~ /[\w>.\]]\[((?:\w+(?:->|\.))*\w+)(?:\+\+|--)\] *=(?!=)(.*?)(?:;|\)\n|\) \{)/gs) {
        my ($counter, $value) = ($1, $2);
        push @unsequenced, "$file: $counter" if $value =~ /(?<![\w>.])\Q$counter\E(?!\w)/;
    }
    push @unsequenced, "$file: $1" while $text =~ /\b((?:NUMBER|HEX|STRING|BOOL|REAL)\("\w+", *(?:\+\+|--)[^)]*\))/g;
}
is_deeply(\@unsequenced, [], 'no value is read in the assignment that changes it');

# ---- Records that are described once: core/out/say.h ----

# A text names members that stand behind it in the same call; a line for field_record names those that it gives.
my $members = qr/\b(?:STRING|NUMBER|HEX|HEX_DIGITS|REAL|BOOL|FLAG|NUMBERS|BYTES|TEXT)\(\s*"(\w+)"/;
my %field_members = map { $_ => 1 } qw(word name lo hi bits value meaning derived doc);
my ($calls, @unnamed) = (0);
for my $file (@core) {
    my $text = text($file) =~ s{/\*.*?\*/}{}gsr;
    while ($text =~ /\b(RECORD|BEGIN|BEGIN_ITEM|ITEM|SAY|field_record)(\((?:[^()"]|"(?:[^"\\]|\\.)*"|(?2))*\))/g) {
        my ($what, $call) = ($1, $2);
        my %has = $what eq 'field_record' ? %field_members : map { $_ => 1 } $call =~ /$members/g;
        my @wanted = map { /\{!?(\w+)/g } $call =~ /("(?:[^"\\]|\\.)*\{(?:[^"\\]|\\.)*")/g;
        $calls++ if @wanted;
        push @unnamed, map { "$file: {$_}" } grep { !$has{$_} } @wanted;
    }
}
cmp_ok($calls, '>', 10, 'there are records with a text');
is_deeply(\@unnamed, [], 'the text of a record names members that stand behind it');
# ---- Other C libraries: glibc's headers bring <endian.h> along, musl's do not ----

my @order = grep { my $code = text($_); $code =~ /\b(?:htole|le|htobe|be)\d\d(?:toh)?\s*\(/ && $code !~ /<endian\.h>/ }
    split /\n/, `git ls-files '*.c' '*.h'`;
is_deeply(\@order, [], 'files that swap bytes by <endian.h> include it');

# ---- CHANGES says a thing once: merges of a file that was put in another order leave both orders ----

my %said;
my @again = grep { $said{ substr $_, 0, 70 }++ } text('CHANGES.md') =~ /^(### .*|- .*)/mg;
is_deeply(\@again, [], 'CHANGES has a heading and an entry once');

done_testing;
