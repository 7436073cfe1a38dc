#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Registers and enumerations: every row of the tables of facts in t/data/registers against `reg` and `enum`; ways to
# name a
# register; values made from fields; a user's own files; damaged ones.
use strict;
use warnings;
use Math::BigInt;
use FindBin;
use File::Temp qw(tempdir);
use lib "$FindBin::Bin/../lib";
use Gpudbg;
use JSON;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
$ENV{XDG_CONFIG_HOME} = "$dir/none";

# Runs commands of one session; records, and lines of errors.
my $errors = ''; # of the latest run

sub run {
    my ($options, @commands) = @_;
    my $script = "$dir/script";
    open my $f, '>', $script or die "$script: $!";
    print $f "$_\n" for @commands;
    close $f;
    (my $text, $errors) = gpudbg(@$options, '--json', '-x', $script);
    return map { JSON->new->decode($_) } split /\n/, $text;
}
sub errors { return $errors }

sub table {
    my ($name) = @_;
    open my $f, '<', "t/data/registers/$name.tsv" or die "$name: $!";
    chomp(my @lines = <$f>);
    my @keys = split /\t/, shift @lines;
    return map { my %row; @row{@keys} = split /\t/, $_, -1; \%row } @lines;
}
sub number { my ($text) = @_; return $text =~ /^0x/i ? hex lc $text : $text + 0 }
sub big { return Math::BigInt->new($_[0]) }
sub values_of { return map { [split /=/, $_, 2] } grep { /=/ } split /;/, $_[0] // '' }

# Rows of a table by register, in order: [isa, name, address or undef, rows].
sub by_register {
    my ($isa, $name, $address, @rows) = @_;
    my (%at, @all);
    for my $row (@rows) {
        my $key = $isa->($row) . ' ' . $name->($row);
        push @all, $at{$key} = [$isa->($row), $name->($row), $address->($row), []] unless $at{$key};
        push @{ $at{$key}[3] }, $row;
    }
    return @all;
}

# Compares all registers of a table with what `reg` says of them and of values made from the k-th value of each field.
sub compare {
    my ($title, @registers) = @_;
    my (@commands, @expect);
    for my $r (@registers) {
        my ($isa, $name, $address, $rows) = @$r;
        push @commands, "reg --isa $isa $name";
        push @expect, [$r];
        my $most = 1;
        for my $row (@$rows) { my $n = () = values_of($row->{values}); $most = $n if $n > $most }
        $most = 1 if ($rows->[0]{array} // '') =~ /\[[1-9]/; # elements of an array are alike
        for my $k (0 .. $most - 1) {
            my ($value, %want) = (big(0));
            for my $row (@$rows) {
                next if ($row->{hi} // '') eq '';
                my @values = values_of($row->{values});
                my $ones = big(2)->bpow($row->{hi} - $row->{lo} + 1)->bsub(1);
                my $bits = $k < @values ? big($values[$k][0] =~ /^0x/ ? hex $values[$k][0] : $values[$k][0]) : $ones;
                $want{"$row->{hi}:$row->{lo}"} = [$bits->as_hex, $k < @values ? $values[$k][1] : undef];
                $value->bior($bits->copy->blsft($row->{lo}));
            }
            push @commands, "reg --isa $isa $name " . $value->as_hex;
            push @expect, [$r, $value->as_hex, \%want];
        }
    }
    my @records = run([], @commands);
    is scalar @records, scalar @commands, "$title: a record for each of " . @commands . ' commands' or diag errors();
    my @wrong;
    for my $i (0 .. $#expect) {
        my ($r, $value, $want) = @{ $expect[$i] };
        my ($isa, $name, $address, $rows) = @$r;
        my $got = $records[$i] // {};
        my %field = map { ("$_->{hi}:$_->{lo}" => $_) } @{ $got->{fields} // [] };
        my $say = sub { push @wrong, "$commands[$i]: $_[0]" };
        $say->("named " . ($got->{name} // 'nothing')) if ($got->{name} // '') ne $name || ($got->{isa} // '') ne $isa;
        $say->("at " . ($got->{addr} // 'nowhere')) if defined $address && hex($got->{addr} // 0) != $address;
        $say->("access $got->{access}") if !defined $value && defined $rows->[0]{access}
            && $got->{access} ne $rows->[0]{access};
        for my $row (@$rows) {
            next if ($row->{hi} // '') eq '';
            my $f = $field{"$row->{hi}:$row->{lo}"};
            my ($called) = $row->{field} =~ /^(.*?)(?: \((?!in pages).*)?$/ ? $1 : '';
            if (!$f) { $say->("no field $row->{hi}:$row->{lo}"); next }
            $say->("field $f->{name}, not $called") if $f->{name} ne $called;
            if (defined $value) {
                my ($bits, $meaning) = @{ $want->{"$row->{hi}:$row->{lo}"} };
                $say->("$called is $f->{value}, not $bits") if $f->{value} ne $bits;
                $say->("$called means $f->{meaning}, not $meaning") if defined $meaning && $f->{meaning} ne $meaning;
                next;
            }
            my %named = map { (hex($_->{value}) => $_->{meaning}) } @{ $f->{values} // [] };
            for my $v (values_of($row->{values})) {
                my $n = number($v->[0]);
                $say->("$called: $n is " . ($named{$n} // 'nothing') . ", not $v->[1]")
                    if ($named{$n} // '') ne $v->[1];
            }
            next if !defined $row->{default} || $row->{default} eq 'none';
            my $default = hex($row->{default}) & ((1 << $row->{hi} - $row->{lo} + 1) - 1);
            $say->("$called: default") if hex($f->{default} // 'ffffffffff') != $default;
        }
        if (defined $value) {
            my $sum = big(0);
            $sum->bior(big($_->{value})->blsft($_->{lo})) for @{ $got->{fields} };
            $say->("fields make " . $sum->as_hex) if $sum->as_hex ne $value;
        }
    }
    is scalar @wrong, 0, "$title: all rows agree" or diag join "\n", @wrong[0 .. ($#wrong > 9 ? 9 : $#wrong)];
}

compare('the register guide', by_register(sub { 'gfx7' }, sub { $_[0]{name} },
    sub { $_[0]{address} eq 'code' ? undef : hex $_[0]{address} }, table('sea-islands-regs')));
compare('status registers', by_register(sub { 'gfx7' }, sub { $_[0]{name} }, sub { hex $_[0]{address} },
    table('gfx7-hang-regs')));
compare('Intel registers', by_register(sub { $_[0]{generation} }, sub { $_[0]{register} }, sub { hex $_[0]{address} },
    table('intel-hang-regs')));
compare("registers of a thread, $_", by_register(sub { $_[0]{isa} }, sub { $_[0]{name} }, sub { undef },
    map { my $isa = $_; map { { %$_, isa => $isa, name => $_->{subregister}
    =~ s/-\d+(?=:)|:.*$//gr } } table('gen7-arf') } $_))
    for 'gen7', 'gen7.5';

# AMD's generations beside Sea Islands: what logs of hangs hold, against the fields of the kernel's headers.
{
    open my $f, '<', 't/data/registers/amd-hang-regs.tsv' or die $!;
    my @rows = map { chomp; /^#/ ? () : [split /\t/] } <$f>;
    my %got;
    $got{ $_->{isa} }{ $_->{name} } = $_
        for grep { $_->{type} eq 'register' } run([], map { "reg $_->[0]:$_->[1] 0" } @rows);
    my @wrong;
    for (@rows) {
        my ($isa, $name, $fields) = @$_;
        my %bits = map { $_->{name} => $_->{bits} } @{ $got{$isa}{$name}{fields} // [] };
        push @wrong, map { my ($field, $bits) = split /=/; ($bits{$field} // 'none') eq $bits ? ()
            : "$isa $name.$field: $bits, and not " . ($bits{$field} // 'none') } split / /, $fields;
    }
    is join("\n", @wrong), '', 'registers of hangs of AMD: ' . @rows;
}

# A description belongs to a field of one register, not to a name: one that stands in two blocks is listed as meant.
{
    my (%blocks, $block, $fields);
    open my $f, '<', 'share/registers/gfx7.regs' or die $!;
    while (<$f>) {
        $block = $1 if /^block (\S+)/;
        undef $fields if /^enum /;
        $fields = 1 if /^[A-Z]\w*\S* /;
        $blocks{$1}{$block} = 1 if $fields && /^  \d+:\d+ (?:"[^"]*"|\S+)(?: \S+)*?  (.+)$/;
    }
    my @several = grep { keys %{ $blocks{$_} } > 1 } keys %blocks;
    open my $meant, '<', 't/data/registers/same-descriptions' or die $!;
    is_deeply [sort map { join(' ', sort keys %{ $blocks{$_} }) . ": $_" } @several], [sort map { chomp; /^#/ ? ()
        : $_ } <$meant>],
        'a description of two blocks is listed as meant';
    is_deeply [grep { /^(?:switch|which (?:kind|[A-Z]+)|waves|address|what is done)$/ } sort keys %blocks], [],
        'no description says nothing';
}

# What the guide says of fields whose names occur in several blocks.
for my $case (
    ['PA_SU_POINT_MINMAX', 'MAX_SIZE', qr/largest radius.*1\/16 pixel/],
    ['PA_SU_LINE_CNTL', 'WIDTH', qr/half the width.*1\/16 pixel/],
    ['CB_COLOR0_INFO', 'ROUND_MODE', qr/colours are rounded/],
    ['SPI_RESOURCE_RESERVE_CU_0', 'LDS', qr/kept free, in 4 KB/],
    ['SPI_RESOURCE_RESERVE_EN_CU_0', 'EN', qr/keeps its reserve/],
    ['VGT_DMA_BASE_HI', 'BASE_ADDR', qr/bits 39:32/],
    ['VGT_GROUP_VECT_0_CNTL', 'STRIDE', qr/16-bit words/],
    ['SPI_PS_INPUT_CNTL_0', 'DUP', qr/both halves of the parameter cache/],
    ['PA_SU_SC_MODE_CNTL', 'MULTI_PRIM_IB_ENA', qr/several strips/],
    ['SQ_RANDOM_WAVE_PRI', 'RET', qr/threshold; 127 switches them off/],
    ['SQ_MUBUF_0', 'LDS', qr/from or to LDS, not a VGPR/],
    ['COMPUTE_DISPATCH_INITIATOR', 'ORDER_MODE', qr/out of order/],
) {
    my ($register, $name, $text) = @$case;
    my ($record) = run([], "reg --isa gfx7 $register");
    my ($field) = grep { $_->{name} eq $name } @{ $record->{fields} // [] };
    like $field->{description} // $field->{doc} // '', $text, "$register.$name is described as the guide does";
}

# Every row of the enumerations, by value and by name.
{
    my @rows = table('intel-enums');
    my @commands = map { my ($n) = $_->{value} =~ /(\d+)$/; ("enum --isa $_->{generation} \"$_->{enumeration}\" $n",
        "enum --isa $_->{generation} \"$_->{enumeration}\" \"$_->{name}\"") } @rows;
    my (%answer, @wrong);
    for my $r (run([], @commands)) {
        push(@wrong, $r->{message} // $r->{type}), next if $r->{type} ne 'enum';
        for my $n (hex $r->{value}, $r->{last} ? hex $r->{last} : ()) {
            $answer{join '|', $r->{isa}, $r->{name}, $n, $r->{meaning}, $r->{condition} // '', $r->{default}
                ? 'default' : ''} = 1;
        }
    }
    for my $row (@rows) {
        for my $n (split /-/, $row->{value}) {
            my $key = join '|', @$row{qw(generation enumeration)}, $n, @$row{qw(name condition default)};
            push @wrong, $key unless $answer{$key};
        }
    }
    is scalar @wrong, 0, 'every row of the enumerations is answered' or diag join "\n", @wrong[0 .. ($#wrong > 9 ? 9
        : $#wrong)];
    my %size;
    $size{"$_->{generation}|$_->{enumeration}"}++ for @rows;
    my %count = map { ("$_->{isa}|$_->{name}" => $_->{count}) } grep { $_->{isa} =~ /^gen(?:7\.5|12)$/ } run([],
        'enum');
    is_deeply({map { ($_ => $count{$_}) } keys %size}, \%size, '... and there are no more values than rows');
}

# Command streamers, as i915 knows them.
for my $isa ('gen7', 'gen7.5', 'gen12') {
    my ($head, $header, $length) = run(['--isa', $isa], 'reg RCS_RING_BUFFER_HEAD 0x01a03ab8',
        'reg BCS_IPEHR 0x7a000004', 'reg BCS_RING_BUFFER_CTL 0x1f001');
    is_deeply [map { $_->{meaning} } @{ $head->{fields} }[0, 1]], ['0x3ab8', 13],
        "$isa: where a ring's head stands, and how often it came round";
    is $header->{fields}[1]{meaning}, 'RENDER', '... whose command was parsed last';
    is_deeply [map { $_->{meaning} } grep { $_->{name} =~ /Length|Enable$/ } @{ $length->{fields} }], ['yes', 31],
        '... and how long the ring is';
}

# Numbers as the manuals write them; searching where only a name is known.
is_deeply [map { $_->{meaning} } run([], 'enum --isa gen7.5 SFID 1001b', 'enum --isa haswell EU_OPCODE 2Ah',
    'enum --isa gen12 SURFACE_FORMAT 0C8h')],
    ['SFID_DP_CC', 'halt', 'R8G8B8A8_UNORM_SRGB'], 'values in hex and binary as manuals write them';
is_deeply [sort map { "$_->{isa} $_->{name} $_->{value} $_->{meaning}" } run([], 'enum -s sfid_sampler')],
    ['gen12 SFID 0x2 SFID_SAMPLER', 'gen7.5 SFID 0x2 SFID_SAMPLER'], 'a value whose enumeration one does not know';
is_deeply [map { $_->{name} } grep { $_->{type} eq 'enumeration' } run([], 'enum --isa gen7.5 -s 3d_co')],
    [qw(3D_Color_Buffer_Blend_Factor 3D_Color_Buffer_Blend_Function 3D_Compare_Function)],
    'enumerations by a part of their name';
is((run([], 'enum -s nosuchthing'))[0]{type}, 'error', '... none');
is((run(['--isa', 'gfx7'], 'enum SFID 2'))[0]{isa}, 'gen12',
    'an enumeration that the instruction set in use does not have is looked for in others');
is((run([], 'enum --isa gfx7 SFID 2'))[0]{type}, 'error', '... but not where one is asked for');

# Names and addresses.
for my $case (['VGT_GS_MODE', 'VGT_GS_MODE'], ['mmVGT_GS_MODE', 'VGT_GS_MODE'], ['regVGT_GS_MODE', 'VGT_GS_MODE'],
    ['vgt_gs_mode', 'VGT_GS_MODE'],
    ['gfx720.mmGRBM_STATUS', 'GRBM_STATUS'], ['ixSQ_WAVE_STATUS', 'SQ_WAVE_STATUS'], ['R_008010_GRBM_STATUS',
    'GRBM_STATUS'],
    ['0x28a40', 'VGT_GS_MODE'], ['0xa290', 'VGT_GS_MODE'], ['0x290', 'VGT_GS_MODE'], ['context:0x290', 'VGT_GS_MODE'],
    ['sh:0x48', 'SPI_SHADER_PGM_LO_VS'],
    ['dword:0x2004', 'GRBM_STATUS'], ['byte:0x8010', 'GRBM_STATUS'], ['ix:0x12', 'SQ_WAVE_STATUS'], ['uconfig:0x242',
    'VGT_PRIMITIVE_TYPE'],
    ['CB_COLOR_INFO[3]', 'CB_COLOR3_INFO'], ['CB_COLOR[7]_INFO', 'CB_COLOR7_INFO'], ['PA_CL_VPORT_XSCALE',
    'PA_CL_VPORT_XSCALE_0'],
    ['PA_CL_VPORT_XSCALE[15]', 'PA_CL_VPORT_XSCALE_15'], ['gen12:INSTDONE', 'INSTDONE_1'], ['0x2206c',
    'BCS_INSTDONE']) {
    my ($text, $want) = @$case;
    my ($got) = run([], "reg $text");
    is $got->{name}, $want, "reg $text";
}
is join(' ', map { $_->{isa} } run([], 'reg INSTDONE_1')), 'gen8 gen9 gen11 gen12.5 gen7 gen7.5 gen12',
    'a name of three generations is described for each';
is join(' ', map { $_->{name} } run([], 'reg --isa gen7 cr0')), 'cr0.0 cr0.1 cr0.2 cr0.3',
    'a register of a thread is its parts';
is((run([], 'reg CB_COLOR_INFO[8]'))[0]{type}, 'error', 'an index too far is an error');
is((run([], 'reg 0x12345'))[0]{type}, 'error', 'an address where nothing is: an error');
is((run([], 'reg VGT_GS_MODE 0x100000000'))[0]{type}, 'error', 'a value too wide is an error');

# Columns: an address and bits for each instruction set.
my $columns = own("$dir/columns.regs", <<'END');
isa one two three
STATUS 0x10 . - R  what is up
  3:0 . 7:4 FIFO  entries
    1 FULL
  . . 0:0 LATE
  31:31 BUSY :busy
BOTH 0x20 R
  1:0 3:2 . PART
END
for my $case (['one STATUS 0x80000001', 'FIFO=FULL', 'BUSY=busy'],
    ['three STATUS 0x80000011', 'FIFO=FULL', 'LATE=yes', 'BUSY=busy'],
    ['two STATUS 1'], ['two BOTH 0xc', 'PART=3'], ['three BOTH 0xc']) {
    my ($what, @want) = @$case;
    my ($got) = grep { $_->{type} eq 'register' } run([], "reg load $columns", "reg --isa $what");
    is join(' ', map { "$_->{name}=$_->{meaning}" } grep { $_->{name} ne '-' } @{ $got->{fields} }), "@want",
        "columns: $what";
}
for my $field ('', '3:0 F', 'F =1') {
    my $file = own("$dir/bad-columns.regs", "isa one two\nX 1 2 R\n  3:0 F\n  1:0 2:0 $field\n");
    is((run([], "reg load $file"))[-1]{type}, 'error', "columns: $field is an error");
}
is((run([], 'reg --isa two 0x10 1'))[0]{type}, 'error', 'columns: no register there in this one');

# The tables of AMD's generations, held against the drivers' headers (Linux, amd/include/asic_reg).
for my $case (['gfx6 GRBM_STATUS2 0x100', 'RLC_BUSY'], ['gfx8 GRBM_STATUS2 0x01000000', 'RLC_BUSY'],
    ['gfx11 GRBM_STATUS2 0x04000000', 'RLC_BUSY'], ['gfx10 GRBM_STATUS 0x00200000', 'GE_BUSY'],
    ['gfx8 GRBM_STATUS 0x00200000', 'WD_BUSY'], ['gfx11 SQ_WAVE_IB_STS 0xfc00', 'VM_CNT'],
    ['gfx8 SQ_WAVE_IB_STS 0xf', 'VM_CNT'], ['gfx12 SQ_WAVE_STATE_PRIV 0x4000', 'HALT'],
    ['gfx12 SQ_WAVE_EXCP_FLAG_PRIV 0x10', 'MEMVIOL'], ['gfx12 SQ_WAVE_IB_STS 0x7e00', 'LOAD_CNT'],
    ['gfx12 GCVM_L2_PROTECTION_FAULT_STATUS_LO32 0x40000000', 'PRT'],
    ['gfx11 GCVM_L2_PROTECTION_FAULT_STATUS 0x40000000', 'FED'],
    ['gfx9 VM_L2_PROTECTION_FAULT_STATUS 0x20000000', 'UCE'],
    ['gfx8 VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x1000000', 'MEMORY_CLIENT_RW'], ['gfx10 SDMA0_STATUS_REG 1', 'IDLE']) {
    my ($got) = grep { $_->{type} eq 'register' } run([], "reg --isa $case->[0]");
    is join(' ', map { $_->{name} } grep { $_->{value} ne '0x0' } @{ $got->{fields} }), $case->[1],
        "reg --isa $case->[0]";
}

# The way back: fields to values.
for my $case (['VGT_HOS_CNTL.TESS_MODE=ADAPTIVE', '0x2'], ['VGT_HOS_CNTL 0xff TESS_MODE=0', '0xfc'],
    ['CB_COLOR0_INFO.FORMAT=0x1a COMP_SWAP=SWAP_ALT FAST_CLEAR=1', '0x2868'],
    ['PA_CL_VPORT_XSCALE_0.VPORT_XSCALE=1.5', '0x3fc00000'],
    ['SQ_WAVE_TRAPSTS.EXCP=INVALID|OVERFLOW', '0x9'], ['"RCS_FAULT_REG.Valid Bit=1" GTTSEL=GGTT', '0x801'],
    ['PA_SC_WINDOW_OFFSET.WINDOW_X_OFFSET=-1', '0xffff'],
    ['VGT_GS_MODE.MODE=1 VGT_GS_MODE.ONCHIP=3', '0x600001'], ['VGT_GS_MODE MODE=1 ONCHIP=3', '0x600001']) {
    my ($got) = run([], "reg $case->[0]");
    is $got->{value} // $got->{message}, $case->[1], "reg $case->[0]";
}
is((run([], "reg $_"))[0]{type}, 'error', "reg $_ is an error")
    for 'VGT_HOS_CNTL.TESS_MODE=4', 'VGT_HOS_CNTL.NOTHING=1', 'VGT_HOS_CNTL.TESS_MODE=',
    'VGT_HOS_CNTL.TESS_MODE=NONE', 'VGT_GS_MODE.MODE=1 VGT_HOS_CNTL.TESS_MODE=1';

# Differences.
my @diff = run([], 'reg diff GRBM_STATUS 0xa0003028 0x3028');
is join(' ', map { $_->{field} } @diff), 'CP_BUSY GUI_ACTIVE', 'what two values differ in';
@diff = run([], 'reg diff gen7:INSTDONE_1 gen7.5:INSTDONE_1');
is join(',', map { $_->{field} } @diff), 'RS Done,CS Done', 'what two layouts differ in';
my ($search) = grep { $_->{name} eq 'GRBM_STATUS' } run([], 'reg -s gui_active');
is $search->{field}, 'GUI_ACTIVE', 'a search finds fields';

# A user's own files.
mkdir "$dir/config"; mkdir "$dir/config/gpudbg"; mkdir "$dir/config/gpudbg/registers";
sub own { open my $f, '>', $_[0] or die; print $f $_[1]; close $f; return $_[0] }
$ENV{XDG_CONFIG_HOME} = "$dir/config";
own("$dir/config/gpudbg/registers/mine.regs", <<'END');
isa gfx7
block MINE
MY_REGISTER 0x12340 R/W  only here
  3:0 LOW =5  a part
    1 ONE  2 "TWO WORDS" -- more
  31:31 TOP :busy
MY_RANGES 0x12344 R  values with one name
  3:0 LISTED =2  values of its own
    1-3 SOME  9 ONE
  7:4 NAMED {MY_KINDS}  values of an enumeration
VGT_HOS_CNTL 0x28a14 R/W  another layout
  7:0 ALL  everything
enum ENDIAN 2
  0 MINE *
enum MY_KINDS 4
  0 FIRST
  4-6 REST
END
my @own = grep { ($_->{isa} // '') eq 'gfx7' }
    run([], 'reg MY_REGISTER 0x80000002', 'reg VGT_HOS_CNTL 3', 'enum --isa gfx7 ENDIAN', 'reg 0x12340');
is $own[0]{fields}[0]{meaning}, 'TWO WORDS', 'a register of the user';
is $own[0]{fields}[1]{meaning}, 'busy', '... with a kind';
is $own[1]{fields}[0]{name}, 'ALL', 'a register that takes the place of another';
is $own[2]{meaning}, 'MINE', 'an enumeration that does';
is $own[3]{name}, 'MY_REGISTER', 'found by address';
for (['3', 'SOME FIRST'], ['49', 'ONE REST'], ['64', 'undefined REST'], ['74', 'undefined undefined']) {
    my ($register) = run([], "reg MY_RANGES 0x$_->[0]");
    is join(' ', map { $_->{meaning} } @{ $register->{fields} }[0, 1]), $_->[1],
        "a range names each of its values: 0x$_->[0]";
}
my ($ranges) = run([], 'reg MY_RANGES');
is $ranges->{fields}[0]{values}[0]{last}, '0x3', 'a description lists a range as one';
my ($told) = gpudbg('--batch', '-e', 'reg MY_RANGES');
my %column = map { /^ +[0-9:]+ +(\w+) +(?:=0x\w+ +)?(values)/ ? ($1 => $-[2]) : () } split /\n/, $told;
ok $column{LISTED} && $column{LISTED} == ($column{NAMED} // 0),
    'descriptions stand in one column, with a default and without' or diag $told;

# Many of one place, of one name, of one array: each is told, in the order of the file, and the last definition alone.
my $many = own("$dir/many.regs", join('', "isa gfx7\n", "AGAIN 0x999990 R\n" x 50000, map {
    "MANY${_}_\[0-4095] 0x999994+0 R\n  3:0 F\n" } 1 .. 10));
my @told = run([], "reg load $many", 'reg AGAIN', 'reg 0x999994', 'reg MANY7_[5]', 'reg gfx7:MANY7');
is scalar(grep { ($_->{name} // '') eq 'AGAIN' } @told), 1, 'what is defined 50000 times is there once';
is_deeply [map { $_->{name} } @told[1 .. 40960]], [map { my $n = $_; map { "MANY${n}_$_" } 0 .. 4095 } 1 .. 10],
    'all registers of one address';
is_deeply [map { $_->{name} } @told[40961 .. $#told]], ["MANY7_5", "MANY7_0"], 'an element, and the first of an array';

# Damaged files: one line with file and number, the rest is used.
my $n = 0;
for my $bad (["isa gfx7\nNOWHERE\n", 2], ["X 0x10 R\n", 1], ["isa gfx7\n  3:0 F\n", 2],
    ["isa gfx7\nX 0x10 R\n  0:3 F\n", 3], ["isa gfx7\nX 0x10 R\n  64:0 F\n", 3],
    ["isa gfx7\nX 0x10 R\n  3:0 F =16\n", 3], ["isa gfx7\nX 0x10 R\n  3:0 F :sort\n", 3],
    ["isa gfx7\nX 0x10 R\n  3:0 F {NONE_SUCH}\n", 3],
    ["isa gfx7\nX 0x10 R\n  3:0 \"F\n", 3], ["isa gfx7\nX[0-99999] 0x10 R\n  3:0 F\n", 2],
    ["isa gfx7\nX[3-1] 0x10 R\n", 2], ["isa gfx7\nX zzz R\n", 2],
    ["isa gfx7\nX 0x10 R\n  3:0 F\n    1\n", 4], ["isa gfx7\nX 0x10 R\n  3:0 F\n    5-1 Y\n", 4], ["isa gfx7\nenum\n",
    2], ["isa gfx7\nenum E 99\n", 2],
    ["isa\n", 1], [join('', map { "isa i$_\n" } 1 .. 80), 60], ["isa gfx7\n" . join('', map {
    "Q$_ 0x10 R\n  alias QQ\n" } 1 .. 300), 516], ["packet\n", 1], ["isa gfx7\nX 0x10 R\n  3:0\n", 3],
        ["\xff\xfe\x00\x00\n", 1], ["isa gfx7\n  note x\n", 2], ["isa gfx7\n  alias x\n", 2]) {
    my $file = own("$dir/bad" . $n++ . '.regs', "$bad->[0]\nisa gfx7\nAFTERWARDS 0x999990 R\n  0:0 F\n");
    my @records = run([], "reg load $file", 'reg AFTERWARDS 1');
    my ($line) = errors() =~ /^gpudbg: \Q$file\E:(\d+): [^\n]*\n\z/;
    (my $shown = substr $bad->[0], 0, 60) =~ s/([^ -~])/sprintf '\\%02x', ord $1/ge;
    is $line, $bad->[1], "one line names line $bad->[1] of $shown" or diag errors();
    is $records[-1]{name}, 'AFTERWARDS', '... and the rest is read';
}
{
    my $file = own("$dir/last.regs", "isa gfx7\n" . join('', map { "Q$_ 0x10 R\n  alias QQ\n" } 1 .. 257));
    run([], "reg load $file");
    like errors(), qr/^gpudbg: \Q$file\E:515: too many registers are called "QQ"\n\z/,
        'what is only seen at the end of a file has a line, too';
}
own("$dir/config/gpudbg/registers/broken.regs", "isa gfx7\nBROKEN\n");
my @rest = run([], 'reg MY_REGISTER', 'reg MY_REGISTER');
like errors(), qr{^gpudbg: \S+/broken\.regs:2: [^\n]+\n\z}, "a broken file of the user's own is named once";
is scalar(grep { $_->{type} eq 'register' } @rest), 2, '... and what else there is, is used';
done_testing;
