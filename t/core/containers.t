#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that contain code files: archives by ar, offload bundles by clang's bundler (and by hand), programs of the host,
# OpenCL binaries and CAL images of Catalyst.  One member opens without a flag, each by its name or number; no size and
# no offset is believed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my @code = (0x7e000280, 0x7e0202f2, 0xbf810000); # v_mov_b32 v0, 0; v_mov_b32 v1, 1.0; s_endpgm
my $machine = pack 'V*', @code;
my $other = pack 'V*', 0xbe800381, 0xbf8c007f, 0xbf810000; # s_mov_b32 s0, 1; s_waitcnt; s_endpgm

sub facts { my ($file) = grep { $_->{type} eq 'file' } @_; return $file->{facts} // {} }
sub mnemonics { return join ' ', map { $_->{mnemonic} } grep { $_->{type} eq 'insn' } @_ }
sub listed { return join ' ', map { $_->{name} } grep { $_->{type} eq 'code-file' } @_ }

# ELF of either class: [name, type, bytes, link, entry] sections; program headers [type, name of the section | bytes].
sub elf {
    my ($class, $machine, $sections, $programs) = @_;
    my ($head, $program, $section) = $class == 1 ? (52, 32, 40) : (64, 56, 64);
    my $word = $class == 1 ? 'V' : 'Q<';
    my @programs = @{ $programs // [] };
    my ($body, $names, %place, @headers) = ('', "\0");
    my $base = $head + $program * @programs;
    my $put = sub { my $at = $base + length $body; $body .= $_[0] . "\0" x (-length($_[0]) % 8); return $at };
    my $header = sub { my ($name, $type, $at, $size, $link, $entry) = @_;
        return $class == 1 ? pack('V10', $name, $type, 0, 0, $at, $size, $link, 0, 1, $entry)
            : pack('VVQ<4VVQ<2', $name, $type, 0, 0, $at, $size, $link, 0, 1, $entry) };
    push @headers, $header->(0, 0, 0, 0, 0, 0);
    for my $s (@$sections, ['.shstrtab', 3, undef]) {
        my ($name, $type, $bytes, $link, $entry) = @$s;
        my $at_name = length $names;
        $names .= "$name\0";
        $bytes //= $names;
        my $at = $put->($bytes);
        $place{$name} = [$at, length $bytes];
        push @headers, $header->($at_name, $type, $at, length $bytes, $link // 0, $entry // 0);
    }
    my $table = join '', map {
        my ($type, $from, $size) = @$_;
        ($from, $size) = @{ $place{$from} } unless defined $size;
        $class == 1 ? pack('V8', $type, $from, 0, 0, $size, $size, 0, 1) : pack('VVQ<6', $type, 0, $from, 0, 0, $size,
            $size, 1)
    } @programs;
    my $shoff = $base + length $body;
    my $ident = pack('a4C3x9', "\x7fELF", $class, 1, 1);
    return $ident . pack("vvV${word}3Vv6", 2, $machine, 1, 0, @programs ? $head : 0, $shoff, 0, $head, $program,
        scalar @programs, $section, scalar @headers, $#headers) . $table . $body . join('', @headers), \%place;
}

# What clang's bundler writes (documentation of clang-offload-bundler).
sub bundle {
    my @entries = @_;
    my $at = 32;
    $at += 24 + length $_->[0] for @entries;
    my ($head, $body) = ('', '');
    for (@entries) {
        $head .= pack('Q<3', $at + length $body, length $_->[1], length $_->[0]) . $_->[0];
        $body .= $_->[1];
    }
    return '__CLANG_OFFLOAD_BUNDLE__' . pack('Q<', scalar @entries) . $head . $body;
}
sub archive {
    my $out = "!<arch>\n";
    for (@_) {
        my ($name, $bytes) = @$_;
        $out .= sprintf('%-16s%-12d%-6d%-6d%-8d%-10d', $name, 0, 0, 0, 644, length $bytes) . "`\n" . $bytes;
        $out .= "\n" if length($bytes) & 1;
    }
    return $out;
}
sub offload {
    my ($triple, $arch, $image) = @_;
    my @texts = ('triple', $triple, 'arch', $arch);
    my $table = 32 + 40;
    my $at = $table + 32;
    my ($pairs, $strings) = ('', '');
    for (@texts) { $pairs .= pack 'Q<', $at + length $strings; $strings .= "$_\0" }
    my $body = $pairs . $strings;
    my $image_at = 72 + length $body;
    my $all = $image_at + length $image;
    my $pad = -$all % 8;
    return "\x10\xff\x10\xad" . pack('VQ<3', 1, $all + $pad, 32, 40) . pack('vvVQ<4', 1, 1, 0, $table, 2, $image_at,
        length $image) . $body . $image . "\0" x $pad;
}

# An image of CAL: dictionary of a chip of another generation and one of gfx7, notes with registers.
sub cal_note { my ($type, $bytes) = @_; return pack('V3', 8, length $bytes, $type) . "ATI CAL\0" . $bytes }
sub cal {
    my ($rsrc2) = @_;
    my $notes = cal_note(2, "\0" x 4) . cal_note(1, pack 'V*', 0x80001000, 2, 0x80001001, 2, 0x80001002, 0, 0x80001003,
        4, 0x80001004, 4, 0x80001005, 0x17, 0x80001006, 0, 0x80001007, 2, 0x80001008, 2, 0x80001041, 5, 0x80001042, 12,
        0x80001043, 0xc0, 0x80001044, 0, 0x2e13, $rsrc2, 0x8000001c, 64, 0x8000001d, 1, 0x8000001e, 1);
    my @sections = (['.text', 1, $machine], ['.one', 1, $notes], ['.text', 1, $other], ['.two', 1, $notes],
        ['.dictionary', 1, "\0" x 40]);
    my ($bytes, $place);
    my @ranges = ([0, 0], [0, 0]);
    for (1, 2) { # the second time the ranges are known; .text is named twice, so they are counted from the notes
        $sections[4][2] = pack 'V10', 0x1a, 1, @{ $ranges[0] }, 0, 0x27, 1, @{ $ranges[1] }, 0;
        ($bytes, $place) = elf(1, 125, \@sections, [[0x70000002, '.dictionary'], [4, '.one'], [4, '.two']]);
        my $one = $place->{'.one'}[0] - 16;
        my $two = $place->{'.two'}[0] - 16; # 12 bytes of code, padded
        @ranges = map { [$_, 16 + length $notes] } $one, $two;
    }
    return $bytes;
}
sub symbols32 {
    my ($table, $names) = ("\0" x 16, "\0");
    for (@_) {
        my ($name, $section, $value, $size) = @$_;
        $table .= pack 'VVVCCv', length $names, $value, $size, 2, 0, $section;
        $names .= "$name\0";
    }
    return ($table, $names);
}
sub catalyst {
    my $cal = cal(10 << 1 | 1 << 7 | 0 << 11);
    my $meta = ";ARGSTART:__OpenCL_fill_kernel\n;version:3:1:111\n";
    my $il = "il_cs_2_0\nmov r0, r1\nret_dyn\nend\n";
    my ($table, $names) = symbols32(['__OpenCL_fill_metadata', 1, 0, length $meta],
        ['__OpenCL_fill_kernel', 2, 0, length $cal], ['__OpenCL_fill_amdil', 3, 0, length $il]);
    return (elf(1, 0x408, [['.rodata', 1, $meta], ['.text', 1, $cal], ['.amdil', 1, $il], ['.symtab', 2, $table, 5, 16],
        ['.strtab', 3, $names]]))[0];
}

my $il = "il_ps_2_0\nmov o0, r0\nret_dyn\nend\n";
my $host = (elf(2, 62, [['.text', 1, "\x90" x 16]]))[0];

subtest 'a bundle by clang' => sub {
    my ($bundler) = grep { -x } glob '/usr/bin/clang-offload-bundler*';
    plan skip_all => 'no clang-offload-bundler' unless $bundler;
    my ($a, $b, $h) = (spill('one.bin', $machine), spill('two.bin', $other), spill('host.o', $host));
    my $out = "$dir/three.bundle";
    my @targets = qw(host-x86_64-unknown-linux hip-amdgcn-amd-amdhsa-gfx700 hip-amdgcn-amd-amdhsa-gfx701);
    is system($bundler, '-type=bc', '-targets=' . join(',', @targets), map({ "-inputs=$_" } $h, $a, $b),
        "-outputs=$out"), 0, 'the bundler makes it' or return;
    my @all = records($out, commands('info file', 'info folder', 'disassemble'));
    is mnemonics(@all), 'v_mov_b32 v_mov_b32 s_endpgm', 'the first code of a GPU opens';
    like facts(@all)->{member}, qr/^2 of 3, gfx700 in clang-bundle$/, 'info file says where from';
    is scalar(split ' ', listed(@all)), 3, 'info folder lists all';
    is mnemonics(records("$out($targets[2])", commands('disassemble'))), 's_mov_b32 s_waitcnt s_endpgm',
        'a member opens by its name';
    is mnemonics(records("$out(3)", commands('disassemble'))), 's_mov_b32 s_waitcnt s_endpgm', '... by its number';
    is mnemonics(records($out, commands('file 3', 'disassemble'))), 's_mov_b32 s_waitcnt s_endpgm',
        '... by its number in the list';
    my (undef, $errors, $status) = gpudbg("$out(gfx9)", commands('info file'));
    like $errors, qr/has no member of that name: it has host-x86_64.*gfx700.*gfx701/, 'another name is refused';
    is $status, 3, '... as an error of the file';
    (undef, $errors) = gpudbg("$out(1)", commands('info file'));
    like $errors, qr/code of the host, not of a GPU/, 'the host\'s code is refused by name';
};

subtest 'an archive by ar' => sub {
    spill('a_rather_long_name_of_a_member.bin', $machine);
    spill('il.txt', $il);
    spill('b.bundle', bundle(['host-x86_64', ''], ['hip-amdgcn--gfx906', ''], ['hip-amdgcn--gfx701', $other]));
    unlink "$dir/lib.a";
    is system("cd '$dir' && ar rcD lib.a b.bundle il.txt a_rather_long_name_of_a_member.bin"), 0, 'ar makes it';
    my @all = records("$dir/lib.a", commands('info folder', 'disassemble'));
    is mnemonics(@all), 's_mov_b32 s_waitcnt s_endpgm', 'a bundle in it opens, too';
    is mnemonics(records("$dir/lib.a(a_rather_long_name_of_a_member.bin)", commands('disassemble'))),
        'v_mov_b32 v_mov_b32 s_endpgm', 'a long name';
    like mnemonics(records("$dir/lib.a(il.txt)", commands('disassemble'))), qr/\bmov\b/, 'IL';
    is mnemonics(records("$dir/lib.a(b.bundle)(hip-amdgcn--gfx701)", commands('disassemble'))),
        's_mov_b32 s_waitcnt s_endpgm', 'a member of a member';
    my $twice = spill('twice.a', archive(['x/', $machine], ['x/', $other]));
    is mnemonics(records("$twice(2)", commands('disassemble'))), 's_mov_b32 s_waitcnt s_endpgm',
        'a name that occurs twice: by number';
    my $bsd = spill('bsd.a', archive(['#1/12', "long_name.o\0$machine"]));
    is mnemonics(records($bsd, commands('disassemble'))), 'v_mov_b32 v_mov_b32 s_endpgm', 'names as BSD has them';
};

subtest 'offload binaries, programs of the host' => sub {
    my $both = offload('x86_64-pc-linux', 'generic', $host) . offload('amdgcn-amd-amdhsa', 'gfx701', $other);
    my @all = records(spill('both.out', $both), commands('info folder', 'disassemble'));
    is mnemonics(@all), 's_mov_b32 s_waitcnt s_endpgm', 'the GPU\'s opens';
    my $fat = bundle(['hip-amdgcn--gfx700', $machine]);
    $fat .= "\0" x (-length($fat) % 4096) . bundle(['hip-amdgcn--gfx701', $other]);
    my $program = spill('program', (elf(2, 62, [['.text', 1, "\x90" x 16], ['.hip_fatbin', 1, $fat]]))[0]);
    @all = records($program, commands('info folder', 'disassemble'));
    is mnemonics(@all), 'v_mov_b32 v_mov_b32 s_endpgm', 'a program with .hip_fatbin';
    is listed(@all), 'program(.hip_fatbin.0) program(.hip_fatbin.1)', '... has two bundles';
    is mnemonics(records("$program(.hip_fatbin.1)", commands('disassemble'))), 's_mov_b32 s_waitcnt s_endpgm',
        '... of which the second opens';
    is mnemonics(records(spill('new', (elf(2, 62, [['.llvm.offloading', 1, $both]]))[0]),
        commands('disassemble'))),
        's_mov_b32 s_waitcnt s_endpgm', 'a program with .llvm.offloading';
    my (undef, $errors) = gpudbg(spill('plain', $host), commands('info file'));
    like $errors, qr/code of the host \(ELF for x86-64\), and it carries none of a GPU/, 'a program without';
};

subtest 'Catalyst' => sub {
    my $image = spill('kernel.cal', cal(10 << 1 | 1 << 7));
    my @all = records($image, commands('info file', 'info folder', 'disassemble', 'launch -g 128 -l 64', 'wave 1',
        'print $s10', 'print $v0[5]'));
    is mnemonics(@all), 's_mov_b32 s_waitcnt s_endpgm', 'the code of the chip that is known';
    is listed(@all), 'kernel.cal(Tahiti) kernel.cal(Hawaii)', '... of two';
    my $facts = facts(@all);
    is $facts->{rsrc2}, '0x00000094', 'RSRC2 of the notes';
    is $facts->{'group size'}, '64,1,1', '... the group\'s size';
    is $facts->{'input 0'}, 'constant buffer 0 in s[4:7] (V#)', '... user data';
    is $facts->{'input 1'}, 'pointer to the table of UAVs 0 in s[2:3]', '... of either class';
    is join(' ', map { $_->{value} =~ /^0x/ ? hex $_->{value} : $_->{value} } grep { $_->{type} eq 'value' } @all),
        '1 5', 'a launch starts with the ids that RSRC2 names';
    my (undef, $errors) = gpudbg("$image(Tahiti)", commands('info file'));
    like $errors, qr/code of a chip of another generation/, 'Tahiti is refused by name';

    my $binary = spill('fill.elf', catalyst());
    @all = records($binary, commands('info file', 'info folder', 'disassemble'));
    is mnemonics(@all), 's_mov_b32 s_waitcnt s_endpgm', 'a binary of OpenCL 1.2: its machine code';
    like facts(@all)->{metadata}, qr/^;ARGSTART:__OpenCL_fill_kernel/, '... its metadata';
    like facts(@all)->{'member 1'} // facts(@all)->{'member'}, qr/fill|1 of 2/, '... where it came from';
    is listed(@all), 'fill.elf(fill)(Tahiti) fill.elf(fill)(Hawaii) fill.elf(fill.il)', '... beside its IL';
    is mnemonics(records($binary, commands('file 3', 'disassemble'))) =~ s/.* //r, 'end', '... which the list opens';
    like mnemonics(records("$binary(fill.il)", commands('disassemble'))), qr/\bmov ret_dyn end$/, '... and its IL';
    my ($two) = elf(2, 0xaf5b, [['.text', 1, $host]]);
    (undef, $errors) = gpudbg(spill('two.elf', $two), commands('info file'));
    like $errors, qr/code of the host/, 'a binary of OpenCL 2.0 opens what is in .text';
};

subtest 'a session keeps the whole container' => sub {
    my $binary = spill('kept.cal', cal(10 << 1 | 1 << 7));
    my $saved = "$dir/kept.gpudbg";
    gpudbg($binary, commands('launch -g 128 -l 64', "save session $saved"));
    ok -s $saved, 'it is saved' or return;
    unlink $binary;
    my @all = records($saved, commands('info file', 'disassemble'));
    is facts(@all)->{rsrc2}, '0x00000094', 'what the container says is known again';
    is mnemonics(@all), 's_mov_b32 s_waitcnt s_endpgm', '... and the same member';
};

subtest 'refused, with what to do' => sub {
    for my $case (["\x03\x02\x23\x07" . "\0" x 40, qr/SPIR-V module.*open what a driver or compiler makes of it/],
        ["\x07\x23\x02\x03" . "\0" x 40, qr/SPIR-V/], ["CCOB\2\0" . "\1" x 40, qr/clang-offload-bundler --unbundle/],
        ["!<thin>\nabc", qr/thin archive.*open the files that it names/]) {
        my (undef, $errors, $status) = gpudbg(spill('refused', $case->[0]), commands('info file'));
        like $errors, $case->[1], 'by name';
        is $status, 3, '... as an error of the file';
    }
};

subtest 'no size or offset is believed' => sub {
    my %whole = (bundle => bundle(['host-x86_64', ''], ['hip-amdgcn--gfx701', $other]),
        archive => archive(['x/', $machine], ['y/', $other]), offload => offload('amdgcn', 'gfx701', $other),
        cal => cal(0x94), catalyst => catalyst(), host => (elf(2, 62, [['.llvm.offloading', 1,
        offload('amdgcn', 'gfx701', $other)]]))[0]);
    for my $form (sort keys %whole) {
        my @files; # all opened by one process: it is the last command that says whether it came so far
        my $try = sub { push @files, spill("bad$form" . @files, $_[0]) };
        my $n = int(length($whole{$form}) / 4);
        my $step = 1 + int($n / 24);
        for (my $at = 0; $at < $n; $at += $step) {
            for my $word (0, 0xffffffff, 0x80000000) {
                my $bytes = $whole{$form};
                substr $bytes, 4 * $at, 4, pack 'V', $word;
                $try->($bytes);
            }
            $try->(substr $whole{$form}, 0, 4 * $at + 1);
        }
        my ($text, undef, $status) = gpudbg(commands(map({ ("file $_", 'info folder') } @files), 'print 6 * 7'));
        like "$status: $text", qr/^[01]: .*\b42\n\z/s, "$form: words changed, cut anywhere";
    }
    my $deep = archive(['x/', $machine]);
    $deep = archive(['x/', $deep]) for 1 .. 8;
    my (undef, $errors) = gpudbg(spill('deep.a', $deep), commands('info file'));
    like $errors, qr/more than 4 deep/, 'archives in archives have an end';
};

# Files that would be read for hours if each of their parts were read for each of the others.
subtest 'work that is no work' => sub {
    my $hours = sub { my ($name, $bytes, $error, $what) = @_;
        my (undef, $errors) = gpudbg(spill($name, $bytes), commands('info file'));
        like $errors, $error, $what };
    my $entries = 300;
    my $size = 32 + $entries * (24 + length 'hip-amdgcn--gfx000');
    $hours->('self', '__CLANG_OFFLOAD_BUNDLE__' . pack('Q<', $entries) . join('', map {
        pack('Q<3', 0, $size, 18) . sprintf 'hip-amdgcn--gfx%03d', $_ } 1 .. $entries),
        qr/its members lie over each other/, 'each member of a bundle is the bundle');
    my ($sections, $symbols) = (60000, 60000);
    my $table = pack('VCCvQ<2', 1, 0, 0, 1, 0, 0) x $symbols;
    my $names = "\0__OpenCL_a_kernel\0" . 'x' x 1000000;
    my $head = sub { my ($type, $at, $length, $link) = @_;
        return pack 'VVQ<4VVQ<2', 0, $type, 0, 0, $at, $length, $link, 0, 1, 24 };
    $hours->('symbols', pack('a4C3x9vvVQ<3VvvvvvvZ0', "\x7fELF", 2, 1, 1, 2, 0x400, 1, 0, 0,
        64 + length($table) + length $names, 0, 64, 0, 0, 64, $sections, 0) . $table . $names
        . $head->(0, 0, 0, 0) x ($sections - 2) . $head->(3, 64 + length $table, length $names, 0)
        . $head->(2, 64, length $table, $sections - 2),
        qr/none of its \d+ members can be opened/, 'each symbol is a kernel, behind sixty thousand sections');
};

# Objects (type, key, data) as Mesa frames them: each at a multiple of 4, its data at one of 8.
sub cache {
    my ($vendor, $count, @objects) = @_;
    my $bytes = pack 'V4 a16 V', 32, 1, $vendor, 0x6658, 'build', $count // scalar @objects;
    for my $object (@objects) {
        my ($type, $key, $data) = @$object;
        $bytes .= "\0" x (-length($bytes) % 4) . pack('V3', $type, length $key, length $data) . $key;
        $bytes .= "\0" x (-length($bytes) % 8) . $data;
    }
    return $bytes;
}
subtest 'pipeline caches' => sub {
    my $object = slurp("$FindBin::Bin/../data/kernels/gfx7/grid-O2.co");
    my $file = spill('cache.bin', cache(0x1002, undef, [0, 'abcde', 'six by'], [0xffffffff, "\1" x 20,
        "\x7f" . 'head' . $object], [1, '', 'x']));
    my @all = records($file, commands('info file', 'info folder', 'info kernels'));
    is listed(@all), "cache.bin(6162636465) cache.bin(0101010101010101) cache.bin(no key)", 'each object is a member';
    is((grep { $_->{type} eq 'file' } @all)[0]{kind}, 'amdgpu-elf', '... the ELF file in one is opened')
        or diag explain $all[0];
    ok scalar(grep { ($_->{name} // '') eq 'grid_ids' } @all), '... with its kernels';
    my %case = ('no object opens' => [cache(0x8086, undef, [0, 'k', 'data']), qr/in its driver's own form/],
        'cut off' => [substr(cache(0x1002, undef, [0, 'abc', 'data' x 9]), 0, 60), qr/object 1 of .* 1 is not there/],
        'more objects than there are' => [cache(0x1002, 4000000000, [0, 'k', 'data']), qr/object 2 of .* is not there/],
        'a size that wraps' => [cache(0x1002, 1) . pack('V3', 0, 0xffffffff, 0xffffffff), qr/object 1 of/],
        'no object' => [cache(0x1002), qr/is empty/]);
    for my $name (sort keys %case) {
        my $bad = spill('bad.cache', $case{$name}[0]);
        my $said = qx(timeout 20 '@{[Gpudbg::program()]}' --batch '$bad' -e 'info file' 2>&1);
        like $said, $case{$name}[1], $name;
        is $? >> 8, 3, '... is an error of the file';
    }
};

done_testing;
