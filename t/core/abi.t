#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The layout of everything that a plug-in and the program share, held against the table of GPUDBG_ABI at the end.
# Structures, members and enumerations are found in the public headers; a C compiler says where each one stands (64-bit
# pointers).
# `perl t/core/abi.t --print [INCLUDE]` prints the table as it is now.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Test::More;

my $include = $ARGV[1] // "$FindBin::Bin/../../core/include";
my %no_abi = map { $_ => 1 } qw(lanes text endian);    # header-only: what they have is the plug-in's own


# The headers in reading order, without comments and preprocessor lines.
my $front = slurp("$include/gpudbg.h");
my @parts = grep { !$no_abi{$_} } $front =~ m{^#include "gpudbg/(\w+)\.h"}mg;
my $code = '';
for (map({ "$include/gpudbg/$_.h" } @parts), "$include/gpudbg.h") {
    my $text = slurp($_);
    $text =~ s{/\*.*?\*/}{}gs;
    $text =~ s/^[ \t]*#(?:.*\\\n)*.*$//mg;
    $code .= $text;
}
my ($abi) = $front =~ /^#define GPUDBG_ABI (\d+)\b/m;

# What stands between braces, split where `by` stands outside of any brackets.
sub split_outside {
    my ($by, $body) = @_;
    my ($depth, @pieces) = (0, '');
    for my $c (split //, $body) {
        $depth++ if $c =~ /[({[]/;
        $depth-- if $c =~ /[)}\]]/;
        if ($c eq $by && !$depth) { push @pieces, ''; next }
        $pieces[-1] .= $c;
    }
    s/\s+/ /g, s/(?<=[(\[]) | (?=[)\]])//g, s/^ | $//g for @pieces;    # however it is laid out
    return grep { $_ ne '' } @pieces;
}

# A declaration as [member, type with the name left out]; bit-fields have no offset of their own.
sub members {
    my ($declaration) = @_;
    my ($first, @others) = split_outside(',', $declaration);
    if ($first =~ /^(.*?)\(\*(\w+)\)(\(.*)$/) { return [$2, "$1(*)$3"] }
    my ($type, $declarator) = $first =~ /^(.*?[\w*] ?)((?:\*const |\*)*\w+(?: ?\[.*\]| ?: ?\d+)?)$/
        or die "cannot read: $declaration";
    return map {
        my ($stars, $name, $rest) = /^((?:\*const |\* ?)*)(\w+)(.*)$/ or die "cannot read: $declaration";
        [$name, ($type . $stars . $rest) =~ s/ +$//r]
    } $declarator, @others;
}

my (@structs, @enums, @strange);
while ($code =~ /\b(struct|union|enum)\s*(\w*)\s*(\{(?:[^{}]++|(?3))*\})/g) {
    my ($kind, $name, $body) = ($1, $2, substr $3, 1, -1);
    if ($kind eq 'enum') {
        my @values = map { /^(\w+)/ } split_outside(',', $body);
        push @enums, [$name || "of_$values[0]", @values];
    }
    elsif ($kind eq 'union' || $name !~ /^gpudbg_/ || $body =~ /\{/) { push @strange, "$kind $name" }
    else { push @structs, [$name, map { members($_) } split_outside(';', $body)] }
}

# ---- What the compiler says ----

open my $c, '>', "$dir/abi.c" or die;
print $c "#include <gpudbg.h>\n#include <stdio.h>\nint main(void)\n{\n    if (sizeof(void *) != 8) return 77;\n";
for (@structs) {
    my ($name, @members) = @$_;
    print $c qq{    printf("\\nstruct $name, %zu bytes\\n", sizeof(struct $name));\n};
    for (@members) {
        my ($member, $type) = @$_;
        print $c $type =~ /:/ ? qq{    puts("      - $member $type");\n}
            : qq{    printf("%7zu $member $type\\n", offsetof(struct $name, $member));\n};
    }
}
for (@enums) {
    my ($name, @values) = @$_;
    print $c qq{    puts("\\nenum $name");\n};
    print $c qq{    printf("%7lld $_\\n", (long long)$_);\n} for @values;
}
print $c "    return 0;\n}\n";
close $c;
my $cc = $ENV{CC} // 'cc';
my $said = `$cc -std=c11 -Wall -Wextra -Wpedantic -I'$include' -o '$dir/abi' '$dir/abi.c' 2>&1`;
die "the public headers do not compile:\n$said" if $? || $said ne '';
my $now = `'$dir/abi'`;
my $status = $? >> 8;
$now =~ s/ +$//mg;
# A member whose type is long goes on in the next line, further in.
my $ON = ' ' x 12;
sub wrapped { my ($line) = @_; $line =~ s/^(.{60,118},) /$1\n$ON/ if length $line > 120; return $line }
$now = join "\n", map { wrapped($_) } split /\n/, $now, -1;
if (@ARGV && $ARGV[0] eq '--print') { print "GPUDBG_ABI $abi\n$now"; exit }
plan skip_all => 'the table is for 64-bit pointers' if $status == 77;
is($status, 0, 'the layout is known');

# ---- What the table says ----

my $table = do { local $/; <DATA> };
sub blocks { return map { /^((?:struct|enum) \w+)/ ? ($1 => $_) : () } split /\n\n/, $_[0] =~ s/\A\n+|\n+\z//gr }
my %want = blocks($table);
my %have = blocks($now);
is(scalar @structs, scalar(() = $code =~ /^struct gpudbg_\w+ \{/mg), 'every structure is found');
cmp_ok(scalar keys %have, '>', 50, 'there are public structures and enumerations');
is_deeply(\@strange, [], 'a public structure is a struct gpudbg_..., with no other one inside of it');
is($table =~ /^GPUDBG_ABI (\d+)\n/ && $1, $abi, 'the table is the one of this GPUDBG_ABI');
my @changed = grep { ($have{$_} // '') ne ($want{$_} // '') } sort keys %{ { %have, %want } };
is_deeply(\@changed, [], 'what plug-ins share with the program is as this GPUDBG_ABI says')
    or diag "change GPUDBG_ABI and this table (perl t/core/abi.t --print):\n",
    map { "was: " . ($want{$_} // 'not there') . "\nis: " . ($have{$_} // 'not there') . "\n" } @changed;

# The test notices what it is for: each change to a copy of the headers changes the printed table where it should.
for (['a new structure', 'check', 's/^struct gpudbg_report \{/struct gpudbg_new { int x; };\n$&/m',
    'struct gpudbg_new'],
    ['a member more', 'isa', 's/^struct gpudbg_fast \{/$&\n    const char *more;/m', 'struct gpudbg_fast'],
    ['another type of the same size', 'isa', 's/unsigned syntax, (?=enum gpudbg_style, const)/int syntax, /',
        'struct gpudbg_isa'],
    ['a value of an enumeration', 'machine', 's/^    GPUDBG_RAN_BARRIER,/    GPUDBG_RAN_NEW,\n$&/m',
        'enum gpudbg_ran']) {
    my ($what, $part, $change, $name) = @$_;
    my $copy = tempdir(CLEANUP => 1);
    system 'cp', '-r', "$include/.", $copy;
    system 'perl', '-0pi', '-e', $change, "$copy/gpudbg/$part.h";
    my %other = blocks(scalar `perl '$0' --print '$copy'`);
    my @differ = grep { ($other{$_} // '') ne ($have{$_} // '') } sort keys %{ { %have, %other } };
    ok(scalar(grep { $_ eq $name } @differ), "$what is seen") or diag "@differ";
}
done_testing;
__DATA__
GPUDBG_ABI 9

struct gpudbg_error, 800 bytes
      0 kind const char *
      8 file char [256]
    264 line long
    272 column long
    280 offset int64_t
    288 message char [512]

struct gpudbg_value, 24 bytes
      0 value uint64_t
      8 name const char *
     16 doc const char *

struct gpudbg_enum, 40 bytes
      0 name const char *
      8 source const char *
     16 values const struct gpudbg_value *
     24 count size_t
     32 last const uint64_t *

struct gpudbg_run, 2 bytes
      0 lo uint8_t
      1 len uint8_t

struct gpudbg_field, 48 bytes
      0 name const char *
      8 run struct gpudbg_run [GPUDBG_RUNS]
     20 kind uint8_t
     21 scale uint8_t
     24 meaning const struct gpudbg_enum *
     32 describe int (*)(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
     40 doc const char *

struct gpudbg_format, 80 bytes
      0 name const char *
      8 source const char *
     16 doc const char *
     24 bits uint16_t
     32 mask uint64_t [2]
     48 match uint64_t [2]
     64 fields const struct gpudbg_field *
     72 count size_t

struct gpudbg_reg, 104 bytes
      0 name const char *
      8 block const char *
     16 addr uint64_t
     24 access const char *
     32 doc const char *
     40 format const struct gpudbg_format *
     48 isa const char *
     56 space const char *
     64 reset uint64_t
     72 reset_mask uint64_t
     80 array const char *
     88 index unsigned
     96 note const char *

struct gpudbg_op, 48 bytes
      0 name const char *
      8 operands const char *
     16 flags uint64_t
     24 doc const char *
     32 source const char *
     40 id uint16_t

struct gpudbg_unit, 8 bytes
      0 file uint8_t
      4 at uint32_t

struct gpudbg_number, 32 bytes
      0 kind uint8_t
      1 bits uint8_t
      2 write bool
      3 guessed bool
      4 lanes bool
      5 how uint8_t
      6 nfrom uint8_t
      7 file uint8_t
      8 at uint32_t
     12 offset uint32_t
     16 from struct gpudbg_unit [2]

struct gpudbg_row, 16 bytes
      0 format const struct gpudbg_format *
      8 code int32_t

struct gpudbg_part, 16 bytes
      0 format const struct gpudbg_format *
      8 bit uint32_t
      - count uint32_t  : 31
      - derived uint32_t  : 1

struct gpudbg_region, 3 bytes
      0 vstride uint8_t
      1 width uint8_t
      2 hstride uint8_t

struct gpudbg_operand, 32 bytes
      0 kind uint8_t
      1 flags uint8_t
      2 file uint8_t
      3 type uint8_t
      4 mods uint8_t
      5 index int8_t
      6 reg uint16_t
      8 count uint16_t
     10 sub uint16_t
     12 swizzle uint16_t
     14 region struct gpudbg_region
     24 imm int64_t

struct gpudbg_insn, 1488 bytes
      0 addr uint64_t
      8 isa const struct gpudbg_isa *
     16 databases struct regdb *
     24 op const struct gpudbg_op *
     32 raw const uint8_t *
     40 size uint32_t
     44 variant uint32_t
     48 does uint64_t
     56 nparts uint8_t
     57 noperands uint8_t
     64 derived uint64_t [2]
     80 parts struct gpudbg_part [GPUDBG_PARTS]
    848 operands struct gpudbg_operand [GPUDBG_OPERANDS]

struct gpudbg_field_iter, 168 bytes
      0 insn const struct gpudbg_insn *
      8 format const struct gpudbg_format *
     16 bytes const uint8_t *
     24 part uint32_t
     28 repeat uint32_t
     32 next uint32_t
     40 claimed uint64_t [4]
     72 word uint8_t [16]
     88 field const struct gpudbg_field *
     96 hole struct gpudbg_field
    144 bit uint32_t
    152 value uint64_t
    160 derived bool

struct gpudbg_regfile, 48 bytes
      0 name const char *
      8 doc const char *
     16 count uint16_t
     18 bits uint16_t
     20 lanes uint8_t
     21 indexed bool
     22 mask bool
     24 format const struct gpudbg_format *
     32 parts const char *
     40 element uint8_t

struct gpudbg_choice, 32 bytes
      0 prefix const char *
      8 name const char *
     16 values const char *const *
     24 doc const char *

struct gpudbg_device_register, 16 bytes
      0 name const char *
      8 value uint32_t

struct gpudbg_names, 16 bytes
      0 name const char *(*)(const struct gpudbg_names *, uint64_t addr, char *buf, size_t size)
      8 data const void *

struct gpudbg_element, 12 bytes
      0 at int32_t
      4 size uint8_t
      5 ignored bool
      6 lane int16_t
      8 off bool

struct gpudbg_footprint, 3392 bytes
      0 role const char *
      8 part const char *
     16 type const char *
     24 text char [96]
    120 note char [192]
    312 file uint8_t
    313 size uint8_t
    314 stored bool
    316 n uint16_t
    320 element struct gpudbg_element [GPUDBG_ELEMENTS]

struct gpudbg_wait, 32 bytes
      0 consumer uint64_t
      8 producer uint64_t
     16 how char [16]

struct gpudbg_problem, 272 bytes
      0 rule const char *
      8 source const char *
     16 text char [256]

struct gpudbg_skim, 40 bytes
      0 starts uint8_t *
      8 first size_t
     16 targets uint64_t *
     24 ntargets size_t
     32 room size_t

struct gpudbg_bases, 72 bytes
      0 addr uint64_t [GPUDBG_BASES]
     64 known uint8_t

struct gpudbg_point, 64 bytes
      0 name const char *
      8 base const char *
     16 offset uint64_t
     24 addr uint64_t
     32 based bool
     40 op const struct gpudbg_op *
     48 words const struct gpudbg_format *const *
     56 count unsigned

struct gpudbg_pointing, 24 bytes
      0 set_bases void (*)(const struct gpudbg_insn *, struct gpudbg_bases *)
      8 points bool (*)(const struct gpudbg_insn *, const struct gpudbg_bases *, unsigned i, struct gpudbg_point *)
     16 stage unsigned (*)(const struct gpudbg_insn *)

struct gpudbg_indexed, 40 bytes
      0 file unsigned
      4 reg unsigned
      8 offset uint32_t
     16 base uint64_t
     24 framed bool
     28 frame_file unsigned
     32 frame_reg unsigned
     36 frame_shift unsigned

struct gpudbg_step, 16 bytes
      0 kind enum gpudbg_step_kind
      4 constant bool
      8 by int64_t

struct gpudbg_setting, 88 bytes
      0 key uint32_t
      4 at uint32_t
      8 size uint32_t
     12 says_work bool
     16 format const struct gpudbg_format *
     24 name char [64]

struct gpudbg_mark, 32 bytes
      0 kind enum gpudbg_mark_kind
      4 numbered bool
      8 point uint32_t
     16 text const char *
     24 n size_t

struct gpudbg_commands, 32 bytes
      0 starts bool (*)(const struct gpudbg_insn *)
      8 setting bool (*)(const struct gpudbg_insn *, unsigned i, struct gpudbg_setting *)
     16 mark bool (*)(const struct gpudbg_insn *, struct gpudbg_mark *)
     24 heads const char *const *

struct gpudbg_dwarf, 112 bytes
      0 reg bool (*)(unsigned number, unsigned *file, unsigned *reg)
      8 own_class unsigned
     12 local_class unsigned
     16 own bool (*)(struct gpudbg_wave *, unsigned lane, uint32_t frame, uint64_t at, uint64_t *addr)
     24 aperture unsigned (*)(const struct gpudbg_wave *, uint64_t *addr)
     32 returned bool (*)(unsigned i, unsigned *file, unsigned *reg)
     40 epilogue bool (*)(const struct gpudbg_image *, uint64_t pc, uint64_t from, uint64_t to, uint64_t ready,
            uint64_t *start, uint64_t *last)
     48 indexed bool (*)(const struct gpudbg_image *, uint64_t from, uint64_t to, uint64_t pc, struct gpudbg_indexed *)
     56 packed unsigned
     64 relocated unsigned (*)(uint64_t type)
     72 lane_op uint8_t
     73 register_op uint8_t
     74 bits_op uint8_t
     75 bits_least uint8_t
     76 width uint16_t
     80 returned_in bool (*)(unsigned width, unsigned lane, unsigned before, unsigned bytes, unsigned *file,
            unsigned *reg, unsigned *byte)
     88 step struct gpudbg_step (*)(const struct gpudbg_insn *)
     96 through int (*)(const struct gpudbg_insn *, const char *role, unsigned i)
    104 pointers uint8_t

struct gpudbg_view, 24 bytes
      0 letter char
      8 name const char *
     16 format const struct gpudbg_format *

struct gpudbg_traits, 64 bytes
      0 aliases const char *const *
      8 enums const struct gpudbg_enum *const *
     16 database const char *
     24 views const struct gpudbg_view *
     32 choices const struct gpudbg_choice *
     40 comment const char *
     48 program size_t (*)(const struct gpudbg_isa *, const uint8_t *p, size_t n)
     56 loader const struct gpudbg_loader *

struct gpudbg_masked, 8 bytes
      0 mask uint32_t
      4 value uint32_t

struct gpudbg_line_end, 40 bytes
      0 page uint64_t
      8 n size_t
     16 text char [24]

struct gpudbg_lines, 104 bytes
      0 names const struct gpudbg_names *
      8 bytes const uint8_t *
     16 left size_t
     24 at uint64_t
     32 to uint64_t
     40 text char *
     48 full const char *
     56 most unsigned
     60 ends bool
     64 end struct gpudbg_line_end

struct gpudbg_fast, 40 bytes
      0 skim size_t (*)(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *)
      8 printer void *(*)(const struct gpudbg_isa *, unsigned syntax, enum gpudbg_style)
     16 print int (*)(void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *, char *buf,
            size_t *len)
     24 lines unsigned (*)(void *printer, struct gpudbg_lines *)
     32 sieve int (*)(const struct gpudbg_isa *, const char *text, struct gpudbg_masked *, int most)

struct gpudbg_rules, 24 bytes
      0 problems unsigned (*)(const struct gpudbg_insn *, struct gpudbg_problem *, unsigned most)
      8 faults void (*)(const struct gpudbg_image *, bool (*each)(void *to, const struct gpudbg_report *), void *to)
     16 waits bool (*)(const struct gpudbg_image *, uint64_t addr, uint64_t range[2], gpudbg_wait_fn *each, void *to)

struct gpudbg_assembler, 72 bytes
      0 line int (*)(struct gpudbg_reading *, uint8_t *bytes, size_t room)
      8 file bool (*)(const char *text, size_t size, uint8_t **bytes, size_t *n, struct gpudbg_error *)
     16 suffix const char *
     24 comments const char *const *
     32 remark const char *
     40 unfinished bool (*)(const struct gpudbg_isa *, unsigned syntax, const char *line, size_t n)
     48 nop const char *
     56 jump const char *
     64 drops bool

struct gpudbg_regions, 16 bytes
      0 footprints unsigned (*)(const struct gpudbg_insn *, struct gpudbg_wave *, struct gpudbg_footprint *,
            unsigned most)
      8 elements unsigned (*)(const struct gpudbg_insn *, struct gpudbg_wave *, struct gpudbg_footprint *,
            unsigned most)

struct gpudbg_alone, 80 bytes
      0 before const char *
      8 after const char *
     16 whole const char *
     24 width const char *
     32 mask const char *
     40 local const char *
     48 repeating const char *
     56 repeated uint32_t
     64 resume void (*)(struct gpudbg_machine *to, const struct gpudbg_machine *from)
     72 gives bool (*)(struct gpudbg *, const struct gpudbg_image *, unsigned file, uint32_t reg)

struct gpudbg_picture, 96 bytes
      0 address uint64_t
      8 width uint32_t
     12 height uint32_t
     16 depth uint32_t
     20 slices uint32_t
     24 levels uint32_t
     28 block unsigned
     32 format char [48]
     80 normalized bool
     81 integer bool
     82 negative bool
     83 channels uint8_t
     88 own void *

struct gpudbg_pictures, 48 bytes
      0 words unsigned
      8 describe bool (*)(const struct gpudbg_bound *, uint32_t *words, struct gpudbg_error *)
     16 open bool (*)(struct gpudbg *, const struct gpudbg_isa *, const uint32_t *words, struct gpudbg_picture *,
            struct gpudbg_error *)
     24 level void (*)(const struct gpudbg_picture *, uint32_t level, uint32_t *width, uint32_t *height,
            uint32_t *depth)
     32 place uint64_t (*)(const struct gpudbg_picture *, uint32_t level, uint32_t x, uint32_t y, uint32_t slice)
     40 texel void (*)(const struct gpudbg_picture *, const uint8_t *block, uint32_t x, uint32_t y, uint32_t out[4])

struct gpudbg_isa, 448 bytes
      0 name const char *
      8 title const char *
     16 syntaxes const char *const *
     24 align uint8_t
     25 lanes uint8_t
     32 ops const struct gpudbg_op *
     40 nops size_t
     48 rows const struct gpudbg_row *
     56 formats const struct gpudbg_format *const *
     64 files const struct gpudbg_regfile *
     72 nfiles size_t
     80 decode int (*)(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
     88 text int (*)(const struct gpudbg_insn *, unsigned syntax, enum gpudbg_style, const struct gpudbg_names *,
            char *buf, size_t size)
     96 operand_text int (*)(const struct gpudbg_insn *, unsigned operand, char *buf, size_t size)
    104 run const struct gpudbg_runner *
    112 traits struct gpudbg_traits
    176 fast struct gpudbg_fast
    216 assembler struct gpudbg_assembler
    288 rules struct gpudbg_rules
    312 regions struct gpudbg_regions
    328 device const struct gpudbg_device_register *
    336 dumped const struct gpudbg_dumped *
    344 dwarf const struct gpudbg_dwarf *
    352 pointing const struct gpudbg_pointing *
    360 commands const struct gpudbg_commands *
    368 floats unsigned (*)(const struct gpudbg_insn *, unsigned operand, uint32_t *which)
    376 pictures const struct gpudbg_pictures *
    384 numbers void (*)(const struct gpudbg_insn *, gpudbg_number_fn *each, void *to)
    392 nexts void (*)(const struct gpudbg_insn *, struct gpudbg_nexts *)
    400 alone const struct gpudbg_alone *
    408 uses const struct gpudbg_using *
    416 costs const struct gpudbg_costing *
    424 ordering const struct gpudbg_ordering *
    432 jumps bool (*)(const struct gpudbg_isa *, const uint8_t *bytes, uint64_t size, uint64_t base,
            gpudbg_jump_fn *each, void *to)
    440 known const char *(*)(const struct gpudbg_isa *, const struct gpudbg_op *)

struct gpudbg_nexts, 40 bytes
      0 to uint64_t [GPUDBG_NEXTS]
     32 n uint8_t
     33 call bool
     34 returns bool
     35 unknown bool

struct gpudbg_basic_block, 48 bytes
      0 addr uint64_t
      8 end uint64_t
     16 first uint32_t
     20 ninsns uint32_t
     24 next uint32_t
     28 nnext uint32_t
     32 from uint32_t
     36 nfrom uint32_t
     40 place uint32_t
     44 entry bool
     45 call bool
     46 returns bool
     47 unknown bool

struct gpudbg_jump, 48 bytes
      0 addr uint64_t
      8 to struct gpudbg_nexts

struct gpudbg_ways, 88 bytes
      0 isa const struct gpudbg_isa *
      8 bytes const uint8_t *
     16 base uint64_t
     24 size uint64_t
     32 block struct gpudbg_basic_block *
     40 nblocks uint32_t
     44 ninsns uint32_t
     48 link uint32_t *
     56 order uint32_t *
     64 norder uint32_t
     68 returns uint32_t
     72 jump struct gpudbg_jump *
     80 njumps uint32_t

struct gpudbg_solver, 48 bytes
      0 size size_t
      8 backwards bool
     16 meet void (*)(void *with, const struct gpudbg_solution *, uint32_t block, void *in)
     24 pass void (*)(void *with, uint32_t block, void *state)
     32 goes_on bool (*)(void *with)
     40 most uint64_t

struct gpudbg_stepper, 32 bytes
      0 size size_t
      8 join void (*)(void *to, const void *from)
     16 step void (*)(void *state, const struct gpudbg_insn *)
     24 pack void (*)(void *state)

struct gpudbg_use, 12 bytes
      0 file uint8_t
      1 flags uint8_t
      2 lane uint8_t
      4 n uint16_t
      8 at uint32_t

struct gpudbg_mask_move, 4 bytes
      0 op uint8_t
      1 to uint8_t
      2 a uint8_t
      3 b uint8_t

struct gpudbg_uses, 56 bytes
      0 use struct gpudbg_use *
      8 n size_t
     16 room size_t
     24 move struct gpudbg_mask_move [4]
     40 nmoves uint8_t
     41 nest uint8_t
     42 full bool
     48 footprint struct gpudbg_footprint *

struct gpudbg_using, 24 bytes
      0 follows bool (*)(unsigned file)
      8 uses void (*)(const struct gpudbg_insn *, struct gpudbg_uses *)
     16 local_accesses bool (*)(const struct gpudbg_image *, const struct gpudbg_kernel *, gpudbg_local_fn *each,
            void *to)

struct gpudbg_order, 7 bytes
      0 done uint8_t [2]
      2 fresh uint8_t
      3 outer bool
      4 coherent uint8_t
      5 counted uint8_t
      6 of uint8_t

struct gpudbg_ordering, 48 bytes
      0 done uint8_t [2]
      2 fresh uint8_t
      3 repeats uint8_t
      8 order void (*)(const struct gpudbg_insn *, struct gpudbg_order *)
     16 release const char *
     24 acquire const char *
     32 near_acquire const char *
     40 of const struct gpudbg_ordering *(*)(const struct gpudbg_machine *)

struct gpudbg_reading, 80 bytes
      0 text const char *
      8 at const char *
     16 isa const struct gpudbg_isa *
     24 syntax unsigned
     32 addr uint64_t
     40 compact bool
     48 symbol bool (*)(const struct gpudbg_reading *, const char *name, size_t n, uint64_t *value, bool *known)
     56 data void *
     64 err struct gpudbg_error *
     72 furthest const char *

struct gpudbg_term, 40 bytes
      0 is_float bool
      1 is_address bool
      2 known bool
      8 value int64_t
     16 number double
     24 from const char *
     32 to const char *

struct gpudbg_section, 40 bytes
      0 name const char *
      8 addr uint64_t
     16 size uint64_t
     24 bytes const uint8_t *
     32 flags uint32_t

struct gpudbg_symbol, 32 bytes
      0 name const char *
      8 addr uint64_t
     16 size uint64_t
     24 kind uint8_t

struct gpudbg_param, 40 bytes
      0 name const char *
      8 type const char *
     16 kind uint8_t
     17 scalar char
     20 offset uint32_t
     24 size uint32_t
     28 align uint32_t
     32 optional bool

struct gpudbg_fact, 24 bytes
      0 key const char *
      8 text const char *
     16 value uint64_t

struct gpudbg_kernel, 104 bytes
      0 name const char *
      8 entry uint64_t
     16 size uint64_t
     24 params struct gpudbg_param *
     32 nparams size_t
     40 lds uint32_t
     44 scratch uint32_t
     48 kernarg uint32_t
     52 reqd_local uint32_t [3]
     64 max_local uint32_t
     68 fixed_local bool
     69 quads bool
     70 dimensions uint8_t
     72 facts struct gpudbg_fact *
     80 nfacts size_t
     88 abi const void *
     96 abi_name const char *

struct gpudbg_line, 24 bytes
      0 addr uint64_t
      8 file const char *
     16 line uint32_t
     20 column uint16_t
     22 flags uint16_t

struct gpudbg_patch, 24 bytes
      0 addr uint64_t
      8 value uint64_t
     16 size uint8_t

struct gpudbg_image, 160 bytes
      0 path const char *
      8 kind const char *
     16 why const char *
     24 isa const struct gpudbg_isa *
     32 bytes const uint8_t *
     40 size size_t
     48 sections struct gpudbg_section *
     56 nsections size_t
     64 symbols struct gpudbg_symbol *
     72 nsymbols size_t
     80 kernels struct gpudbg_kernel *
     88 nkernels size_t
     96 lines struct gpudbg_line *
    104 nlines size_t
    112 patches struct gpudbg_patch *
    120 npatches size_t
    128 facts struct gpudbg_fact *
    136 nfacts size_t
    144 own void *
    152 quads bool

struct gpudbg_chip, 40 bytes
      0 number uint32_t
      8 name const char *
     16 family const char *
     24 isa const struct gpudbg_isa *
     32 words const char *

struct gpudbg_elf, 16 bytes
      0 type uint16_t
      2 machine uint16_t
      4 osabi uint8_t
      5 abi_version uint8_t
      8 flags uint32_t
     12 relocatable bool

struct gpudbg_member, 96 bytes
      0 name const char *
      8 contents const char *
     16 refused const char *
     24 isa const char *
     32 bytes const uint8_t *
     40 size size_t
     48 facts const struct gpudbg_fact *
     56 nfacts size_t
     64 lines const struct gpudbg_line *
     72 nlines size_t
     80 symbols const struct gpudbg_symbol *
     88 nsymbols size_t

struct gpudbg_loader, 40 bytes
      0 name const char *
      8 summary const char *
     16 probe int (*)(const uint8_t *bytes, size_t n, const char **why)
     24 load bool (*)(struct gpudbg_image *, struct gpudbg_error *)
     32 members bool (*)(struct gpudbg_image *, gpudbg_member_fn *each, void *to, struct gpudbg_error *)

struct gpudbg_cost, 4 bytes
      0 work uint8_t
      1 rule uint8_t
      2 times uint16_t

struct gpudbg_cost_rule, 32 bytes
      0 name const char *
      8 value uint32_t
     16 doc const char *
     24 source const char *

struct gpudbg_limit, 24 bytes
      0 name const char *
      8 takes uint32_t
     12 less uint32_t
     16 allows unsigned

struct gpudbg_occupancy, 160 bytes
      0 waves unsigned
      4 most unsigned
      8 group uint32_t
     12 nlimits unsigned
     16 limit struct gpudbg_limit [GPUDBG_LIMITS]

struct gpudbg_costing, 64 bytes
      0 rules const struct gpudbg_cost_rule *
      8 cost void (*)(const struct gpudbg_insn *, struct gpudbg_cost *)
     16 occupancy bool (*)(const struct gpudbg_isa *, const struct gpudbg_kernel *, uint32_t group,
            struct gpudbg_occupancy *)
     24 vector const char *
     32 scalar const char *
     40 spilled const char *[2]
     56 waits int (*)(const struct gpudbg_insn *, char *buf, size_t size)

struct gpudbg_segment, 48 bytes
      0 name const char *
      8 base uint64_t
     16 size uint64_t
     24 bytes uint8_t *
     32 page uint32_t *
     40 flags uint32_t
     44 param int32_t

struct gpudbg_space, 24 bytes
      0 name const char *
      8 segment struct gpudbg_segment **
     16 count size_t

struct gpudbg_access, 48 bytes
      0 space unsigned
      4 write bool
      8 lane int
     16 addr uint64_t
     24 size uint64_t
     32 segment struct gpudbg_segment *
     40 bytes const void *

struct gpudbg_accesses, 56 bytes
      0 space unsigned
      4 write bool
      8 size uint64_t
     16 segment struct gpudbg_segment *
     24 lanes uint64_t
     32 offset const uint32_t *
     40 bytes const uint8_t *
     48 row uint8_t

struct gpudbg_stop, 432 bytes
      0 reason enum gpudbg_reason
      4 wave uint32_t
      8 lane int
     16 pc uint64_t
     24 number int
     28 message char [400]

struct gpudbg_wave, 80 bytes
      0 machine struct gpudbg_machine *
      8 id uint32_t
     12 group uint32_t
     16 index uint32_t
     20 group_id uint32_t [3]
     32 lds struct gpudbg_segment *
     40 lanes uint64_t
     48 state uint8_t
     56 pc uint64_t
     64 executed uint64_t
     72 words uint32_t *

struct gpudbg_bound, 88 bytes
      0 name const char *
      8 param const struct gpudbg_param *
     16 kind enum gpudbg_bound_kind
     24 text const char *
     32 bytes const uint8_t *
     40 size uint64_t
     48 value uint64_t
     56 segment struct gpudbg_segment *
     64 format const char *
     72 address uint64_t
     80 placed bool
     84 flags uint32_t

struct gpudbg_launch, 80 bytes
      0 kernel const struct gpudbg_kernel *
      8 global uint32_t [3]
     20 local uint32_t [3]
     32 groups uint32_t [3]
     44 dimensions unsigned
     48 bound struct gpudbg_bound *
     56 nbound size_t
     64 offset uint32_t [3]

struct gpudbg_machine, 552 bytes
      0 session struct gpudbg *
      8 isa const struct gpudbg_isa *
     16 image const struct gpudbg_image *
     24 launch const struct gpudbg_launch *
     32 space struct gpudbg_space *
     40 nspaces size_t
     48 stamp uint32_t
     52 wave_words uint32_t
     56 hidden_word uint32_t
     60 hidden_bits uint32_t
     64 lanes uint32_t
     68 waves_per_group uint32_t
     72 lds_size uint32_t
     76 nwaves uint32_t
     80 watch_hit int
     88 ask bool (*)(struct gpudbg_wave *)
     96 interrupt volatile int
    104 stop struct gpudbg_stop
    536 runner void *
    544 core void *

struct gpudbg_tally, 40 bytes
      0 pc uint64_t
      8 executed uint64_t
     16 lanes uint64_t
     24 partial uint64_t
     32 jumped uint64_t

struct gpudbg_printf_value, 16 bytes
      0 bytes const uint8_t *
      8 size uint32_t

struct gpudbg_printf, 64 bytes
      0 segment const struct gpudbg_segment *
      8 at uint64_t
     16 size uint64_t
     24 format const char *
     32 values const struct gpudbg_printf_value *
     40 others const struct gpudbg_printf_value *
     48 nvalues unsigned
     56 problem const char *

struct gpudbg_written, 16 bytes
      0 reg unsigned
      8 addr uint64_t

struct gpudbg_runner, 168 bytes
      0 launch bool (*)(struct gpudbg_machine *, struct gpudbg_error *)
      8 finish void (*)(struct gpudbg_machine *)
     16 start void (*)(struct gpudbg_wave *)
     24 run enum gpudbg_ran (*)(struct gpudbg_wave *, uint64_t limit, bool over)
     32 reg uint32_t *(*)(struct gpudbg_wave *, unsigned file, unsigned index)
     40 count unsigned (*)(const struct gpudbg_machine *, unsigned file)
     48 active uint64_t (*)(const struct gpudbg_wave *)
     56 breakpoint bool (*)(struct gpudbg_machine *, uint64_t pc, bool on)
     64 asks bool
     72 lanes unsigned (*)(const struct gpudbg_machine *)
     80 changed void (*)(struct gpudbg_wave *, unsigned file, unsigned index)
     88 fixed bool (*)(unsigned file)
     96 holds int (*)(struct gpudbg_wave *, unsigned file, unsigned index, unsigned *bits, char *buf, size_t size)
    104 keep bool (*)(struct gpudbg_machine *, unsigned file, bool edit, bool now)
    112 actual const struct gpudbg_insn *(*)(struct gpudbg_wave *, const struct gpudbg_insn *, struct gpudbg_insn *own)
    120 printed void (*)(const struct gpudbg_machine *, gpudbg_printf_fn *each, void *to)
    128 recode bool (*)(struct gpudbg_machine *, uint64_t from, uint64_t to, struct gpudbg_error *)
    136 tally bool (*)(struct gpudbg_machine *, bool on)
    144 tallied bool (*)(const struct gpudbg_machine *, void (*each)(void *to, const struct gpudbg_tally *), void *to)
    152 written enum gpudbg_written_as (*)(const struct gpudbg_machine *, unsigned file, long number,
            const uint64_t *index, struct gpudbg_written *)
    160 assumed int (*)(const struct gpudbg_machine *, char *buf, size_t size)

struct gpudbg_event, 56 bytes
      0 position uint64_t
      8 pc uint64_t
     16 wave uint32_t
     24 kind const char *
     32 text const char *
     40 data const void *
     48 size size_t

struct gpudbg_report, 80 bytes
      0 pc uint64_t
      8 lanes uint64_t
     16 line long
     24 column long
     32 error const char *
     40 note bool
     41 address bool
     48 message const char *
     56 origin const char *
     64 cause const char *
     72 by uint32_t

struct gpudbg_checker, 128 bytes
      0 kind const char *
      8 summary const char *
     16 applies bool (*)(const struct gpudbg_isa *)
     24 code bool (*)(const struct gpudbg_image *, struct gpudbg_checks *, struct gpudbg_error *)
     32 start void *(*)(struct gpudbg_machine *, struct gpudbg_checks *)
     40 stop void (*)(void *state)
     48 before void (*)(void *state, struct gpudbg_wave *, const struct gpudbg_insn *)
     56 heeds bool (*)(void *state, const struct gpudbg_insn *)
     64 access void (*)(void *state, struct gpudbg_wave *, const struct gpudbg_access *)
     72 accesses void (*)(void *state, struct gpudbg_wave *, const struct gpudbg_accesses *)
     80 barrier void (*)(void *state, struct gpudbg_wave *)
     88 edit void (*)(void *state, struct gpudbg_wave *, unsigned file, unsigned index)
     96 edit_memory void (*)(void *state, struct gpudbg_wave *, const struct gpudbg_access *)
    104 passed void (*)(void *state, struct gpudbg_wave *, const struct gpudbg_insn *)
    112 apart bool
    113 by_group bool
    120 rests bool (*)(void *state, const struct gpudbg_insn *)

struct gpudbg_command, 72 bytes
      0 name const char *
      8 aliases const char *
     16 usage const char *
     24 summary const char *
     32 help const char *
     40 family const char *
     48 run bool (*)(struct gpudbg *, struct gpudbg_args *, struct gpudbg_out *, struct gpudbg_error *)
     56 complete char *(*)(struct gpudbg *, const char *text, unsigned state)
     64 writes bool
     65 block uint8_t
     66 effect uint8_t

struct gpudbg_column, 32 bytes
      0 key const char *
      8 title const char *
     16 width uint8_t
     17 style uint8_t
     24 cell int (*)(const void *row, char *buf, size_t size)

struct gpudbg_listing, 80 bytes
      0 name const char *
      8 summary const char *
     16 type const char *
     24 columns const struct gpudbg_column *
     32 ncolumns size_t
     40 rows bool (*)(struct gpudbg *, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *)
     48 empty const char *
     56 isas const char *const *
     64 is_part bool (*)(const void *row)
     72 record void (*)(const void *row, struct gpudbg_out *)

struct gpudbg_capture, 48 bytes
      0 family const char *
      8 chip const char *
     16 device const char *
     24 title const char *
     32 line uint32_t
     36 ones uint32_t
     40 records uint32_t

struct gpudbg_record, 64 bytes
      0 name const char *
      8 unit const char *
     16 reg const char *
     24 addr uint64_t
     32 value uint64_t
     40 mask uint64_t
     48 capture uint32_t
     52 line uint32_t
     56 bits uint8_t
     57 flags uint8_t

struct gpudbg_stream, 96 bytes
      0 kind const char *
      8 unit const char *
     16 name const char *
     24 addr uint64_t
     32 read uint64_t
     40 write uint64_t
     48 vmid uint32_t
     52 capture uint32_t
     56 line uint32_t
     64 bytes const uint8_t *
     72 size size_t
     80 cut bool
     88 engine const char *

struct gpudbg_dump_gprs, 24 bytes
      0 values uint32_t *
      8 known uint8_t *
     16 count uint32_t
     20 lanes uint32_t

struct gpudbg_dump_wave, 144 bytes
      0 unit const char *
      8 se uint16_t
     10 sh uint16_t
     12 cu uint16_t
     14 simd uint16_t
     16 wave uint16_t
     20 capture uint32_t
     24 line uint32_t
     32 first size_t
     40 nrecords size_t
     48 s struct gpudbg_dump_gprs
     72 v struct gpudbg_dump_gprs
     96 t struct gpudbg_dump_gprs
    120 r struct gpudbg_dump_gprs

struct gpudbg_dumped_register, 32 bytes
      0 record const char *
      8 file const char *
     16 index uint8_t
     17 dword uint8_t
     18 lo uint8_t
     19 len uint8_t
     24 otherwise const char *

struct gpudbg_dumped_wait, 32 bytes
      0 record const char *
      8 field const char *
     16 words const char *
     24 is_flag bool
     25 to_scalars bool

struct gpudbg_dumped_lanes, 48 bytes
      0 record const char *
      8 field const char *
     16 lanes uint8_t [2]
     24 work const char *
     32 program const char *
     40 high uint32_t
     44 scale uint8_t

struct gpudbg_dumped_descriptor, 104 bytes
      0 view char
      4 first unsigned
      8 n unsigned
     16 table const char *
     24 hidden char [80]

struct gpudbg_level, 48 bytes
      0 what const char *
      8 index uint64_t
     16 addr uint64_t
     24 held bool
     32 value uint64_t
     40 format const struct gpudbg_format *

struct gpudbg_translation, 184 bytes
      0 whole bool
      8 physical uint64_t
     16 system bool
     17 why char [160]

struct gpudbg_paging, 32 bytes
      0 from void *
      8 family const char *
     16 reg bool (*)(void *from, const char *name, uint64_t *value)
     24 memory bool (*)(void *from, uint64_t addr, uint8_t *bytes, size_t n)

struct gpudbg_dumped, 104 bytes
      0 mask const char *
      8 launch const char *
     16 registers const struct gpudbg_dumped_register *
     24 waits const struct gpudbg_dumped_wait *
     32 descriptor bool (*)(const struct gpudbg_insn *, unsigned i, struct gpudbg_dumped_descriptor *)
     40 bad bool (*)(char view, const uint8_t *bytes, char *buf, size_t size)
     48 range bool (*)(char view, const uint8_t *bytes, uint64_t *start, uint64_t *bytes_of)
     56 interlocked bool
     64 translate bool (*)(const struct gpudbg_paging *, unsigned space, uint64_t addr, gpudbg_level_fn *each,
            void *to, struct gpudbg_translation *)
     72 paging_of const char *const *
     80 waves_of const char *const *
     88 lanes const struct gpudbg_dumped_lanes *
     96 of_lanes const struct gpudbg_isa *(*)(const struct gpudbg_isa *, unsigned lanes)

struct gpudbg_incident_kind, 104 bytes
      0 word const char *
      8 summary const char *
     16 keys const char *[GPUDBG_INCIDENT_VALUES + 1]

struct gpudbg_incident, 120 bytes
      0 kind const struct gpudbg_incident_kind *
      8 unit const char *
     16 text const char *
     24 capture uint32_t
     28 line uint32_t
     32 last uint32_t
     36 have uint32_t
     40 values uint64_t [GPUDBG_INCIDENT_VALUES]

struct gpudbg_dump_note, 24 bytes
      0 text const char *
      8 kind const char *
     16 capture uint32_t
     20 line uint32_t

struct gpudbg_dump_fact, 32 bytes
      0 key const char *
      8 text const char *
     16 value uint64_t
     24 capture uint32_t
     28 line uint32_t

struct gpudbg_dump_line, 80 bytes
      0 text const char *
      8 n size_t
     16 indent size_t
     24 number uint32_t
     32 device const char *
     40 tag const char *
     48 time double
     56 module const char *
     64 level int8_t
     72 driver const char *

struct gpudbg_reader, 64 bytes
      0 name const char *
      8 summary const char *
     16 probe int (*)(const uint8_t *bytes, size_t n, const char **why)
     24 open void *(*)(struct gpudbg_dump *)
     32 line bool (*)(void *state, struct gpudbg_dump *, const struct gpudbg_dump_line *)
     40 bytes bool (*)(struct gpudbg_dump *, const uint8_t *bytes, size_t n, struct gpudbg_error *)
     48 close void (*)(void *state, struct gpudbg_dump *)
     56 drivers const char *const *

struct gpudbg_plugin, 104 bytes
      0 abi uint32_t
      4 size uint32_t
      8 name const char *
     16 version const char *
     24 summary const char *
     32 isas const struct gpudbg_isa *const *
     40 loaders const struct gpudbg_loader *const *
     48 checkers const struct gpudbg_checker *const *
     56 commands const struct gpudbg_command *const *
     64 listings const struct gpudbg_listing *const *
     72 start bool (*)(struct gpudbg *, struct gpudbg_error *)
     80 stop void (*)(struct gpudbg *)
     88 readers const struct gpudbg_reader *const *
     96 chip bool (*)(size_t i, struct gpudbg_chip *)

enum gpudbg_field_kind
      0 GPUDBG_UINT
      1 GPUDBG_SINT
      2 GPUDBG_FLAG
      3 GPUDBG_ENUM
      4 GPUDBG_FLOAT
      5 GPUDBG_OPERAND
      6 GPUDBG_TARGET
      7 GPUDBG_MBZ
      8 GPUDBG_OPCODE
      9 GPUDBG_POINTER
     10 GPUDBG_BITS
     11 GPUDBG_BUSY
     12 GPUDBG_DONE

enum gpudbg_op_flags
      1 GPUDBG_OP_BRANCH
      2 GPUDBG_OP_COND
      4 GPUDBG_OP_CALL
      8 GPUDBG_OP_RETURN
     16 GPUDBG_OP_END
     32 GPUDBG_OP_BARRIER
     64 GPUDBG_OP_LOAD
    128 GPUDBG_OP_STORE
    256 GPUDBG_OP_WAIT
    512 GPUDBG_OP_VECTOR
   1024 GPUDBG_OP_OPEN
   2048 GPUDBG_OP_MIDDLE
   4096 GPUDBG_OP_CLOSE
   8192 GPUDBG_OP_MESSAGE
  16384 GPUDBG_OP_BITWISE
  32768 GPUDBG_OP_COPY
  65536 GPUDBG_OP_COMPARE
 131072 GPUDBG_OP_STRUCTURE
 262144 GPUDBG_OP_ORDER

enum gpudbg_number_kind
      0 GPUDBG_IS_BITS
      1 GPUDBG_IS_UNSIGNED
      2 GPUDBG_IS_SIGNED
      3 GPUDBG_IS_WHOLE
      4 GPUDBG_IS_FLOAT
      5 GPUDBG_IS_DIGITS

enum gpudbg_number_from
      0 GPUDBG_FROM_MOVE
      1 GPUDBG_FROM_SUM
      2 GPUDBG_FROM_ADDRESS
      3 GPUDBG_FROM_LOCAL
      4 GPUDBG_FROM_MASKS

enum gpudbg_operand_kind
      0 GPUDBG_REGISTER
      1 GPUDBG_INTEGER
      2 GPUDBG_NUMBER
      3 GPUDBG_LITERAL
      4 GPUDBG_CODE
      5 GPUDBG_MEMORY
      6 GPUDBG_SPECIAL

enum gpudbg_operand_flags
      1 GPUDBG_READ
      2 GPUDBG_WRITE
      4 GPUDBG_IMPLICIT
      8 GPUDBG_ALL_LANES
     16 GPUDBG_NO_MATTER

enum of_GPUDBG_SHORT
      0 GPUDBG_SHORT
     -1 GPUDBG_ILLEGAL

enum gpudbg_style
      0 GPUDBG_READABLE
      1 GPUDBG_ASSEMBLER
      2 GPUDBG_DROPPING

enum gpudbg_step_kind
      0 GPUDBG_STEP_OTHER
      1 GPUDBG_STEP_NUMBERS
      2 GPUDBG_STEP_MOVE
      3 GPUDBG_STEP_ADD
      4 GPUDBG_STEP_SCALE

enum gpudbg_mark_kind
      0 GPUDBG_MARK
      1 GPUDBG_MARK_BEGIN
      2 GPUDBG_MARK_END

enum gpudbg_ways_flags
      1 GPUDBG_WAYS_ALL

enum gpudbg_use_flags
      1 GPUDBG_USE_READ
      2 GPUDBG_USE_WRITE
      4 GPUDBG_USE_ALL
      8 GPUDBG_USE_PART
     16 GPUDBG_USE_MAYBE

enum gpudbg_mask_op
      0 GPUDBG_MASK_ANY
      1 GPUDBG_MASK_COPY
      2 GPUDBG_MASK_BELOW
      3 GPUDBG_MASK_AND
      4 GPUDBG_MASK_OR
      5 GPUDBG_MASK_XOR

enum of_GPUDBG_MASK_START
    252 GPUDBG_MASK_START
    253 GPUDBG_MASK_UNKNOWN
    254 GPUDBG_MASK_NO_LANE
    255 GPUDBG_MASK_ALL_LANES

enum gpudbg_nest
      0 GPUDBG_NEST_NONE
      1 GPUDBG_NEST_OPEN
      2 GPUDBG_NEST_ELSE
      3 GPUDBG_NEST_CLOSE
      4 GPUDBG_NEST_LOOP
      5 GPUDBG_NEST_AGAIN
      6 GPUDBG_NEST_LESS
      7 GPUDBG_NEST_JOIN

enum gpudbg_scope
      0 GPUDBG_SCOPE_WAVE
      1 GPUDBG_SCOPE_GROUP
      2 GPUDBG_SCOPE_AGENT
      3 GPUDBG_SCOPE_SYSTEM

enum gpudbg_counted
      0 GPUDBG_COUNTED_NOT
      1 GPUDBG_COUNTED_LOADS
      2 GPUDBG_COUNTED_STORES

enum gpudbg_section_flags
      1 GPUDBG_CODE_BYTES
      2 GPUDBG_LOADED
      4 GPUDBG_WRITABLE

enum gpudbg_symbol_kind
      0 GPUDBG_SYM_FUNCTION
      1 GPUDBG_SYM_KERNEL
      2 GPUDBG_SYM_OBJECT
      3 GPUDBG_SYM_LABEL
      4 GPUDBG_SYM_UNDEFINED

enum gpudbg_param_kind
      0 GPUDBG_PARAM_VALUE
      1 GPUDBG_PARAM_BUFFER
      2 GPUDBG_PARAM_LOCAL
      3 GPUDBG_PARAM_IMAGE
      4 GPUDBG_PARAM_SAMPLER
      5 GPUDBG_PARAM_HIDDEN
      6 GPUDBG_PARAM_OTHER
      7 GPUDBG_PARAM_TEXT

enum of_GPUDBG_LINE_INSIDE
      1 GPUDBG_LINE_INSIDE
      2 GPUDBG_LINE_READY
      4 GPUDBG_LINE_PASSED

enum gpudbg_work
      0 GPUDBG_WORK_SCALAR
      1 GPUDBG_WORK_VECTOR
      2 GPUDBG_WORK_CONSTANT
      3 GPUDBG_WORK_MEMORY
      4 GPUDBG_WORK_LOCAL
      5 GPUDBG_WORK_EXPORT
      6 GPUDBG_WORK_BRANCH
      7 GPUDBG_WORK_WAIT
      8 GPUDBG_WORK_OTHER
      9 GPUDBG_WORKS

enum gpudbg_rule
      0 GPUDBG_RULE_BANKS
      1 GPUDBG_RULE_BANK_BYTES
      2 GPUDBG_RULE_BANK_LANES
      3 GPUDBG_RULE_LINE_BYTES
      4 GPUDBG_RULE_LATENCY
      5 GPUDBG_RULE_LOCAL_LATENCY
      6 GPUDBG_RULES

enum gpudbg_segment_flags
      1 GPUDBG_SEG_READONLY
      2 GPUDBG_SEG_RWATCH
      4 GPUDBG_SEG_LOGGED
      8 GPUDBG_SEG_WRITEONLY
     16 GPUDBG_SEG_UNDEFINED
     32 GPUDBG_SEG_PRIVATE

enum of_GPUDBG_GLOBAL
      0 GPUDBG_GLOBAL
      1 GPUDBG_LOCAL

enum gpudbg_wave_state
      0 GPUDBG_UNSTARTED
      1 GPUDBG_READY
      2 GPUDBG_AT_BARRIER
      3 GPUDBG_ENDED

enum gpudbg_reason
      0 GPUDBG_STOP_NONE
      1 GPUDBG_STOP_BREAKPOINT
      2 GPUDBG_STOP_WATCHPOINT
      3 GPUDBG_STOP_STEP
      4 GPUDBG_STOP_DONE
      5 GPUDBG_STOP_FAULT
      6 GPUDBG_STOP_CHECK
      7 GPUDBG_STOP_INTERRUPT
      8 GPUDBG_STOP_HISTORY_START
      9 GPUDBG_STOP_CATCH

enum gpudbg_bound_kind
      0 GPUDBG_BOUND_BUFFER
      1 GPUDBG_BOUND_VALUE
      2 GPUDBG_BOUND_LOCAL
      3 GPUDBG_BOUND_PART

enum gpudbg_ran
      0 GPUDBG_RAN_LIMIT
      1 GPUDBG_RAN_BARRIER
      2 GPUDBG_RAN_END
      3 GPUDBG_RAN_BREAK
      4 GPUDBG_RAN_WATCH
      5 GPUDBG_RAN_FAULT
      6 GPUDBG_RAN_YIELD
      7 GPUDBG_RAN_EVENT

enum gpudbg_written_as
      0 GPUDBG_WRITTEN_NO
      1 GPUDBG_WRITTEN_REGISTER
      2 GPUDBG_WRITTEN_MEMORY
      3 GPUDBG_WRITTEN_INDEXED

enum gpudbg_block
      0 GPUDBG_BLOCK_NONE
      1 GPUDBG_BLOCK_COMMANDS
      2 GPUDBG_BLOCK_TEXT

enum gpudbg_effect
      0 GPUDBG_LOOKS
      1 GPUDBG_MOVES
      2 GPUDBG_CHANGES

enum gpudbg_cell_style
      0 GPUDBG_PLAIN
      1 GPUDBG_ADDRESS
      2 GPUDBG_COUNT
      3 GPUDBG_NAME
      4 GPUDBG_HEXVALUE
      5 GPUDBG_NOTE

enum gpudbg_record_flags
      1 GPUDBG_REC_REBUILT
      2 GPUDBG_REC_WRITE
      4 GPUDBG_REC_DRIVER
      8 GPUDBG_REC_INDIRECT
