#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Intel's OpenCL binaries: what `info kernels` says against the container's own text and against the other container of
# the same source; relocations; files that lie.
use strict;
use warnings;
use Files;
use POSIX qw(floor);
use JSON::PP;
use Test::More;
use Gpudbg qw(sampled sampled_from);

my $gpudbg = $ENV{GPUDBG} // 'build/gpudbg';
my $data = "t/data/kernels/gen12";

sub records {
    my ($file, @commands) = @_;
    return map { decode_json($_) } `$gpudbg --batch --json $file @{[map { "-e '$_'" } @commands]} 2>/dev/null`;
}
sub kernels { return { map { ($_->{name} => $_) } grep { $_->{type} eq 'kernel' } records($_[0], 'info kernels') } }

for my $name ('saxpy', 'kinds', 'flow') {
    my ($patch, $zebin) = map { kernels("$data/$name.$_") } 'bin', 'ze';
    is join(' ', sort keys %$patch), join(' ', sort keys %$zebin), "$name: both containers hold the same kernels";
    for my $k (sort keys %$zebin) {
        my ($p, $z) = ($patch->{$k}, $zebin->{$k});
        is_deeply [map { [@$_{qw(name type_name kind size)}] } @{ $p->{params} }],
            [map { [@$_{qw(name type_name kind size)}] } @{ $z->{params} }], "$k: the same arguments";
        is_deeply [@$p{qw(simd grfs slm barriers scratch_per_thread local_id_registers payload_register)}],
            [@$z{qw(simd grfs slm barriers scratch_per_thread local_id_registers payload_register)}],
            "$k: the same SIMD, SLM, barriers, scratch and layout";
    }
    # .ze_info in its own words.
    my ($info) = slurp("$data/$name.ze") =~ /(version: .*?)\n\.\.\./s;
    my ($kernels, $misc) = split /^kernels_misc_info:/m, $info;
    for my $text (split /^  - (?=name:)/m, $kernels) {
        my ($k) = $text =~ /^name: +(\S+)/ or next;
        next if $k eq 'Intel_Symbol_Table_Void_Program';
        my %said = map { $_ => $text =~ /\b$_: +(\d+)/ ? $1 : 0 } qw(simd_size grf_count slm_size barrier_count);
        is_deeply [@{ $zebin->{$k} }{qw(simd grfs slm barriers)}],
            [@said{qw(simd_size grf_count slm_size barrier_count)}], "$k: as .ze_info says";
        my ($ids) = $text =~ /local_id\s+offset: +0\s+size: +(\d+)/;
        is $zebin->{$k}{payload_register}, $ids ? 1 + $ids / 32 : 2, "$k: cross-thread data behind the local ids";
        my $rows = () = $text =~ /bti_value/g;
        is $zebin->{$k}{surfaces}, $rows, "$k: $rows surfaces";
        my ($args) = $misc =~ /- name: +$k\n(.*?)(?=^  - name:|\z)/ms;
        my @names = $args =~ /index: +\d+\s+name: +(\S+)/g;
        is join(' ', map { $_->{name} // '-' } @{ $zebin->{$k}{params} }), join(' ', @names),
            "$k: names of the arguments";
    }
}

# The device binary without its ELF.
{
    my $elf = slurp("$data/kinds.bin");
    my $at = index $elf, 'CTNI';
    my $bare = spill('bare', substr $elf, $at);
    is_deeply [sort keys %{ kernels($bare) }], [sort keys %{ kernels("$data/kinds.bin") }], 'a bare device binary';
    like join('', map { $_->{why} // '' } records($bare, 'info file')), qr/CTNI/, '... is recognised by its first word';
}

# Relocations: halves of the address of a constant, and a pointer among the variables.
{
    my %symbol = map { ($_->{name} => hex $_->{addr}) } grep { $_->{type} eq 'symbol' } records("$data/kinds.ze",
        'info symbols');
    my $word = sub { my ($addr) = @_; my ($text) = `$gpudbg --batch $data/kinds.ze -e 'x/1xw $addr'`
        =~ /:\s+0x([0-9a-f]+)/; return hex($text // 'ffffffff') };
    is $word->(0x8c), $symbol{table} & 0xffffffff, 'the low half of an address in code';
    is $word->(0xbc), 0, '... and the high half';
    is $word->($symbol{where}), $symbol{counter}, 'a pointer among the variables points at what it names';
}

# Pointers that a loader fills in, seen from the buffers that kernels make of what they point at.
{
    my @table = (9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 11 .. 16);
    my @other = (100, 200, 300, 400);
    my @fixed = (1000, 2000, 3000, 4000);
    my @where = ([@table[2 .. 15]], \@other, [@table[5 .. 15]]);
    my @chain = ([@fixed[2, 3]], \@fixed);
    my $pick = sub { $table[$_[0] & 15] + $fixed[$_[0] & 3] };
    my %want = (
        pointers => [map { $where[$_ % 3][$_ & 3] + $fixed[1 + ($_ & 1)] * 3 + $chain[$_ & 1][$_ >> 1 & 1] } 0 .. 15],
        picks => [map { $pick->($_) + $pick->($_ * 3) + 7 * $_ } 0 .. 15],
    );
    for my $file (qw(pointers.bin pointers.ze pointers-O0.bin pointers-O0.ze)) {
        for my $k (sort keys %want) {
            `$gpudbg --batch $data/$file -e 'launch $k -g 16 -l 16 zero:64' -e continue -e 'save arg 0 $dir/out' 2>&1`;
            is_deeply [unpack 'L<*', slurp("$dir/out")], $want{$k}, "$file: $k follows its pointers";
        }
    }
}

# Images and the program's samplers: 4 by 4 elements of four floats, element (x, y) from 16 y + 4 x on.
{
    spill('picture', pack 'f<*', 0 .. 63);
    my $edge = sub { my ($v) = @_; $v < 0 ? 0 : $v > 3 ? 3 : $v };
    my $texel = sub { my ($x, $y) = @_; map { 16 * $edge->($y) + 4 * $edge->($x) + $_ } 0 .. 3 };
    my %want = (
        twice => sub { map { 2 * $_ } $texel->(@_) },
        blend => sub { my ($x, $y) = @_; my @a = $texel->($x, $y); my @b = $texel->($x + 1, $y);
        map { ($a[$_] + $b[$_]) / 2 } 0 .. 3 }, shifted =>
        sub { my ($x, $y) = @_; $x < 1 || $y > 2 ? (0) x 4 : $texel->($x - 1, $y + 1) },
    );
    for my $file (qw(pictures.bin pictures.ze)) {
        for my $k (sort keys %want) {
            my $out = $k eq 'twice' ? 'zero:256:float4:4x4' : 'zero:256';
            readpipe("$gpudbg --batch $data/$file -e 'launch $k -g 4,4 -l 4,4 \@$dir/picture:float4:4x4 "
                . "$out' -e continue -e 'save arg 1 $dir/out' 2>&1");
            is_deeply [unpack 'f<*', slurp("$dir/out")],
                [map { my $y = $_; map { $want{$k}->($_, $y) } 0 .. 3 } 0 .. 3], "$file: $k samples its image";
        }
    }
}

# What lies outside: samplers of the program, of arguments, of bare code, worked out here from the positions alone.
{
    my @size = (4, 3, 2);
    my @element = map { sin($_) * 8 } 0 .. 4 * 4 * 3 * 2 - 1;
    my $outside = sub {
        my ($address, $i, $n) = @_;
        return $i < 0 ? 0 : $i >= $n ? $n - 1 : $i if $address eq 'edge';
        return $i < 0 || $i >= $n ? undef : $i if $address eq 'border';
        $i += $n * 2 while $i < 0; # walks, does not divide
        $i -= $n * 2 while $i >= 2 * $n;
        return $i < $n ? $i : $address eq 'repeat' ? $i - $n : 2 * $n - 1 - $i;
    };
    my $at = sub {
        my ($address, @place) = @_;
        my ($offset, $stride) = (0, 1);
        for my $k (0 .. $#place) {
            my $i = $outside->($address, $place[$k], $size[$k]) // return (0) x 4;
            $offset += $i * $stride;
            $stride *= $size[$k];
        }
        return @element[4 * $offset .. 4 * $offset + 3];
    };
    my $between; # one axis at a time, the last first
    $between = sub {
        my ($address, $done, @rest) = @_;
        return $at->($address, @$done) if !@rest;
        my $x = pop(@rest) - 0.5;
        my $low = floor($x);
        my @a = $between->($address, [$low, @$done], @rest);
        my @b = $between->($address, [$low + 1, @$done], @rest);
        return map { $a[$_] * (1 - ($x - $low)) + $b[$_] * ($x - $low) } 0 .. 3;
    };
    my %bits = (edge => 2, border => 4, repeat => 6, mirrored => 8);
    my $sample = sub {
        my ($v, @place) = @_;
        my ($address) = grep { $bits{$_} == ($v & 14) } keys %bits;
        @place = map { $place[$_] * ($v & 1 ? $size[$_] : 1) } 0 .. $#place;
        return $v & 0x20 ? $between->($address, [], @place) : $at->($address, map { floor($_) } @place);
    };
    my @x = map { my $i = $_; [map { ($i * (13, 29, 7)[$_] % 64) / 16 - 1.71875 } 0 .. 2] } 0 .. 31;
    my $near = sub { my ($got, $want) = @_; @$got == @$want
        && !grep { abs($got->[$_] - $want->[$_]) > 1e-5 } 0 .. $#$want };
    my $kernel = sub {
        my ($file, $name, $axes, $per, @args) = @_;
        my $image = join 'x', $axes == 1 ? (4, 1) : @size[0 .. $axes - 1];
        spill('picture', pack 'f<*', @element[0 .. 4 * ($axes == 1 ? 4 : $axes == 2 ? 12 : 24) - 1]);
        spill('places', pack 'f<*', map { $axes == 3 ? (@$_, 0) : @$_[0, 1] } @x);
        my $said =
        `$gpudbg --batch $data/$file -e 'launch $name -g 32 -l 32 \@$dir/picture:float4:$image \@$dir/places zero:@{[
            512 * $per]} @args' -e continue -e 'save arg 2 $dir/out' 2>&1`;
        return ([unpack 'f<*', slurp("$dir/out")], $said);
    };
    for my $file ('edges.bin', 'edges.ze') {
        my ($got, $said) = $kernel->($file, 'inside', 2, 2);
        ok $near->($got, [map { my @p = @$_[0, 1]; ($sample->(0x17, @p), $sample->(0x29, @p)) } @x]),
            "$file: samplers of the program that repeat and mirror" or diag $said;
        my @samplers = map { my $v = $_; map { my $to = $_; map { [$v | $bits{$to} | $_, $to] } 0, 1 } sort keys %bits }
            0x10, 0x20;
        for my $case (sampled_from($file =~ /ze$/ ? 1 : 0, @samplers)) {
            my ($v, $address) = @$case;
            for ([given => 2], [volume => 3]) {
                my ($name, $axes) = @$_;
                my ($got, $said) = $kernel->($file, $name, $axes, 1, $v);
                ok $near->($got, [map { $sample->($v, @$_[0 .. $axes - 1]) } @x]),
                    sprintf '%s: %s with sampler 0x%x, %s', $file, $name, $v, $address or diag $said;
            }
            my $other = $v ^ 0x30;
            my ($got, $said) = $kernel->($file, 'line', 1, 2, $v, $other);
            ok $near->($got, [map { ($sample->($v, $_->[0]), $sample->($other, $_->[0])) } @x]),
                sprintf '%s: line with samplers 0x%x and 0x%x', $file, $v, $other or diag $said;
        }
        my (undef, $refused) = $kernel->($file, 'given', 2, 1, '0x3f');
        like $refused, qr/0x3f is not a sampler/, "$file: a sampler that is none";
    }
}

# What kernels are told of their images, in OpenCL's numbers; layers of arrays, which samplers take as they are.
{
    spill('layers', pack 'f<*', 100 .. 195);
    spill('lines', pack 'f<*', 500 .. 559);
    for my $file ('layers.bin', 'layers.ze') {
        my $image = "zero:192:float4:4x3 zero:96:R8G8B8A8_UINT:4x3x2 \@"
            . "$dir/layers:float4:2x3x4 zero:32:R16G16_UNORM zero:128 \@"
            . "$dir/lines:float4:5x3 0x13 zero:64:unorm8x4:7x2";
        `$gpudbg --batch $data/$file -e 'launch info -g 16 -l 16 $image' -e continue -e 'save arg 4 $dir/out' 2>&1`;
        my ($clfloat, $rgba, $rg, $unorm16) = (0x10de, 0x10b5, 0x10b2, 0x10d3);
        my @got = unpack 'l<15 f<4 l<2', slurp("$dir/out");
        is_deeply [@got[0 .. 14]], [4, 3, $clfloat, $rgba, 4, 3, 2, 2, 3, 4, 8, $rg, $unorm16, 5, 3],
            "$file: widths, heights, depths, layers, formats";
        is_deeply [@got[15 .. 20]], [100 + 4 * (6 + 2 + 1), 500 + 4 * (5 + 2), 101 + 4 * (12 + 2 + 1),
            501 + 4 * (10 + 1), 7, 2], '... elements of layers 1 and 2, and a picture to write to';
        my $said = `$gpudbg --batch $data/$file -e 'launch info -g 16 -l 16 zero:192:float4 @{[
            substr $image, index($image, ' ') + 1]}' 2>&1`;
        like $said, qr/a: an image2d_t needs its size, :WxH/, '... an image without its size is refused';
    }
    # Of what order channels are: those of images of depth by the type, CLK_DEPTH, whatever the format.
    for my $file ('orders.bin', 'orders.ze') {
        my $image = 'zero:64:r32_float:4x4 zero:16:R16_UNORM:2x2x2 zero:64:B8G8R8A8_UNORM:4x4';
        readpipe("$gpudbg --batch $data/$file -e 'launch orders -g 1 -l 1 "
            . "$image zero:20' -e continue -e 'save arg 3 $dir/out' 2>&1");
        is_deeply [unpack 'L<*', slurp("$dir/out")], [0x10bd, 0x10bd, 0x10b6, 0x10de, 0x10d2],
            "$file: depth and BGRA, floats and bytes";
    }
    # Beyond the edge: a format without alpha gives 1 there.
    spill('places', pack 'f<*', -3, 0, 1, 1, (9) x 60);
    for ([r32_float => 4, [0, 0, 0, 1], [2.5, 0, 0, 1]], [float4 => 16, [(0) x 4], [(2.5) x 4]],
        [R16G16_FLOAT => 4, [0, 0, 0, 1], [2, 2, 0, 1]]) {
        my ($format, $bytes, @want) = @$_;
        spill('picture', $format =~ /16/ ? pack 'S<*', (0x4000) x 24 : pack 'f<*', (2.5) x (12 * $bytes / 4));
        readpipe("$gpudbg --batch $data/edges.ze -e 'launch given -g 32 -l 32 \@"
            . "$dir/picture:$format:4x3 \@$dir/places zero:512 0x14' -e continue -e 'save arg 2 $dir/out' 2>&1");
        is_deeply [unpack 'f<8', slurp("$dir/out")], [map { @$_ } @want], "$format: outside, and inside";
    }
}

# printf's buffer: bytes so far, then what each call appends; elements outside of a format without alpha.
for my $file ('prints.bin', 'prints.ze') {
    my $said = readpipe("$gpudbg --batch $data/$file"
        . " -e 'launch prints -g 16 -l 16 zero:64' -e continue -e 'save arg 0 $dir/out' -e 'x/8dw printf' 2>&1");
    is_deeply [unpack 'l<16', slurp("$dir/out")], [1 .. 16], "$file: a kernel that prints goes on";
    my ($bytes, @words) = map { split ' ' } $said =~ /<printf[^>]*>:\s+(.*)/g;
    ok $bytes > 4 && $bytes % 4 == 0 && $words[$bytes / 4 - 2] == 3,
        '... and has appended its item to the buffer' or diag $said;
    spill('volume', pack 's<*', 100 .. 147);
    readpipe("$gpudbg --batch $data/$file -e 'launch beside -g 4,3,2 -l 4,3,1 \@"
        . "$dir/volume:R16G16_SINT:4x3x2 zero:384' -e continue -e 'save arg 1 $dir/out' 2>&1");
    is_deeply [unpack 'l<96', slurp("$dir/out")], [map { my $x = $_ % 4;
        $x ? (98 + 2 * $_, 99 + 2 * $_, 0, 1) : (0, 0, 0, 1) } 0 .. 23], "$file: elements beside the volume";
}

# Local memory of the kernel's own beside that of arguments: uint*, long16*, uchar*, int8*, the kernel's own before them
# all.  Arguments are aligned among themselves; the code adds the size of its own.
for my $file ('locals.bin', 'locals.ze') {
    my $said = readpipe("$gpudbg --batch $data/$file"
        . " -e 'launch locals -g 4 -l 4 zero:80 local:20 local:512 local:5 local:128' -e continue -e 'save arg 0 "
        . "$dir/out' 2>&1");
    my @got = unpack 'L<*', slurp("$dir/out");
    is_deeply [@got[0 .. 15]], [map { (100 + $_, 200 + $_, 300 + $_, 40 + $_) } 0 .. 3],
        "$file: local memory of both kinds" or diag $said;
    is_deeply [map { $got[$_] - $got[16] } 17 .. 19], [128, 640, 672], '... aligned as what the arguments lead to';
    # 68 bytes of its own are rounded up by the compiler to 96.
    $said =
        `$gpudbg --batch $data/$file -e 'launch locals -g 4 -l 4 zero:80 local:20 local:512 local:5 local:64768' 2>&1`;
    unlike $said, qr/gpudbg:/, '... all 65536 bytes may be used: 96 + 672 + 64768';
    $said =
        `$gpudbg --batch $data/$file -e 'launch locals -g 4 -l 4 zero:80 local:20 local:512 local:5 local:64769' 2>&1`;
    like $said, qr/65537 bytes of local memory, a group has 65536/, '... and not one more';
}

# Damage: one line, or the file as far as it goes; never more.
my ($tried, @bad) = (0);
# Compiled with -g: the line table stands in a section of its own.  The addresses are those that readelf shows.
{
    my $g = "$data/saxpy-g.bin";
    my $text = `$gpudbg --batch $g -e 'info line 3' -e 'info line 4' -e 'info line 5' 2>&1`;
    is $text,
        "0x20 <saxpy+0x20> is /src/saxpy.cl:3\n0x60 <saxpy+0x60> is /src/saxpy.cl:4\n"
        . "0x140 <saxpy+0x140> is /src/saxpy.cl:5\n", 'lines of source';
    my @stops = grep { $_->{type} eq 'stop' } records($g, 'break saxpy.cl:4',
        'launch -g 32 -l 32 zero:128 zero:128 2 32', 'continue', 'step', 'reverse-step');
    is_deeply [map { $_->{pc} } @stops], ['0x60', '0x140', '0x60'],
        'stops at lines, and steps by them' or diag explain \@stops;
    my @i = grep { $_->{name} && $_->{name} eq 'i' } records($g, 'break saxpy.cl:4',
        'launch -g 32 -l 32 zero:128 zero:128 2 32', 'info locals', 'continue', 'lane 21', 'info locals');
    like $i[0]{value}, qr/optimised out here/, 'a variable has no value before it has one';
    is $i[1]{value}, 21, '... and each lane has its own then';
    my $bytes = slurp($g);
    my $at = index($bytes, 'CTNI') + 28 + 4;
    substr($bytes, $at, 4) = pack 'V', 0x7fffffff;
    like `$gpudbg --batch @{[spill('cut-debug.bin', $bytes)]} -e 'info file' 2>&1`,
        qr/ 0 lines\n.*^debug data +cut off in that of kernel number \(1\)$/ms,
        'debug data that is cut off is said, the code still read';
}

# Compilers ask which channels are on by comparing any register with itself: no use of what is in it.  With floats it is
# one (NaN).
{
    # ...; (W&f0.0) jmpi over the next; nop; the end
    my $code = spill('alike.krn', pack 'H*', '70000400500501000414001504140000' . '70010400a00a01000514461a05144600'
        . '20000081004000000000000020000000' . '60000000000000000000000000000000' . '31000380040000000c7f207000000000');
    my @said = map { $_->{message} } grep { $_->{type} eq 'check' }
        map { decode_json(
            $_) } readpipe("$gpudbg --batch --json --isa gen12 --raw $code"
                . (" -e 'check uninitialised on' -e 'launch -g 16 -l 16 r127=hex:00' -e continue"
                . " -e 'info checks' 2>/dev/null"));
    is_deeply \@said, ['r20 is used, through f0, and nothing was ever written to it'],
        'a word compared with itself is not used, a float is';
}

# Registers beside those that a region names: idiv's remainders, pln's v; and Ivy Bridge's doubles count dwords, two of
# them each.
{
    my $end = '31026007200c0020000e8d0010000082';
    my $said = sub {
        my $code = spill('beside.krn', pack 'H*', join('', @_) . $end);
        my $zeros = '00' x 32;
        return [map { $_->{message} =~ /^(r\d+) is (?:read|used)/ } grep { $_->{type} eq 'check' }
            map { decode_json($_) } readpipe("$gpudbg --batch --json --isa gen7 --raw $code"
                . " -e 'check uninitialised on' -e 'launch -g 8 -l 8 simd=8 r20=hex:$zeros$zeros r112=hex:$zeros"
                . "' -e continue -e continue -e continue -e 'info checks' 2>/dev/null")];
    };
    # math.idiv (8) r30:d r20 r21; jmpi r31.  mov (8) r30:df r20:df; jmpi r31.  pln (8) r30:f r20.0 r21; jmpi r30
    my $jump = '200000000014003400140000e0030000';
    is_deeply $said->('3800600ba514c02380028d00a0028d00', $jump), [], 'the remainders of idiv are written';
    is_deeply $said->('010060003903c02380028d0000000000', $jump), ['r31'],
        'eight dwords of doubles are one register on Ivy Bridge';
    is_deeply $said->('5a006000bd77c02380020000a0028d00', $jump =~ s/e003/c003/r), ['r22'], 'pln reads u and v';
}

sub try {
    my ($what, $bytes) = @_;
    my $file = spill('damaged', $bytes);
    my $error = `timeout 20 $gpudbg --batch $file -e 'info kernels' -e 'info payload' 2>&1 >/dev/null`;
    my $lines = () = $error =~ /\n/g;
    $tried++;
    push @bad, "$what: status $?, $lines lines: $error" if $? & 127 || $? >> 8 == 124 || $lines > 3
        || ($? >> 8 && !$lines);
    return $error;
}
srand 4;
for my $name ('kinds.bin', 'kinds.ze', 'saxpy.bin', 'saxpy.ze', 'saxpy-g.bin', 'pointers-O0.bin', 'pictures.bin',
    'pictures.ze', 'edges.bin', 'edges.ze') {
    my $bytes = slurp("$data/$name");
    try("$name cut at $_", substr $bytes, 0, $_) for map { int rand length $bytes } sampled(1 .. 15);
    for (sampled(1 .. 25)) {
        my $copy = $bytes;
        my $start = $name =~ /bin$/ ? index $bytes, 'CTNI' : 0;
        substr($copy, $start + int rand(length($bytes) - $start), 1) = chr int rand 256 for 1 .. 1 + int rand 4;
        try("$name with changed bytes", $copy);
    }
}
is scalar @bad, 0, "$tried damaged files: one line each" or diag join "\n", @bad[0 .. ($#bad > 4 ? 4 : $#bad)];
{
    my $bytes = slurp("$data/saxpy.bin");
    my $at = index $bytes, 'CTNI';
    my $lie = sub { my ($offset, $value) = @_; my $copy = $bytes; substr($copy, $at + $offset, 4) = pack 'V', $value;
        return $copy };
    like try('kernels', $lie->(16, 0x7fffffff)), qr/2147483647 kernels/, 'a number of kernels that cannot be';
    like try('name', $lie->(28 + 12, 0xfffffff0)), qr/kernel name takes 4294967280 bytes/,
        'a name longer than the file';
    like try('heap', $lie->(28 + 20, 0x10000000)), qr/kernel heap takes 268435456 bytes/, 'a heap longer than the file';
    like try('device', $lie->(8, 99)), qr/device 99/, 'a device nobody knows';
    (my $yaml = slurp("$data/saxpy.ze")) =~ s/simd_size:       32/simd_size:       33/;
    like try('simd', $yaml), qr/SIMD/, 'a width that cannot be';
    ($yaml = slurp("$data/saxpy.ze")) =~ s/arg_index:       3/arg_index: 9999999/;
    like try('argument', $yaml), qr/argument 9999999/, 'an argument that cannot be';
    ($yaml = slurp("$data/saxpy.ze")) =~ s/payload_arguments:/payload_arguments]/;
    like try('yaml', $yaml), qr/\.ze_info: line \d+/, 'YAML that is none';
}

# Kernels for threads of 256 registers, which Gen12.5 has.  ocloc's binaries, also those of
# -cl-intel-256-GRF-per-thread, have the number in dword 20 of token 23.
for my $gen ('gen12.5', 'gen12') {
    my $bytes = slurp("t/data/kernels/$gen/saxpy.bin");
    my $n = () = $bytes =~ /(\x17\0\0\0.\0\0\0.{80})\x80\0\0\0/sg;
    is $n, 1, "$gen: one kernel of 128 registers";
    $bytes =~ s/(\x17\0\0\0.\0\0\0.{80})\x80\0\0\0/$1\0\x01\0\0/s;
    my $file = spill("large-$gen.bin", $bytes);
    if ($gen eq 'gen12') {
        like `$gpudbg --batch $file -e 'info kernels' 2>&1`, qr/has 256 registers a thread, not 64 to 128/,
            'Gen12 has no threads of 256 registers';
        next;
    }
    my ($name) = keys kernels($file)->%*;
    is kernels($file)->{$name}{grfs}, 256, "$gen: 256 registers";
    my $said = `$gpudbg --batch $file -e 'launch $name -g 16 -l 16 zero:64 zero:64 1.0 16' -e 'info registers r255' \\
        -e 'set \$r255.3 = 7' -e 'info registers r255' \\
        -e continue 2>&1`;
    like $said, qr/^r255 .*(?:0x00000000 ?){8}.*^r255 .*(?:0x00000000 ){3}0x00000007.*^Done/ms,
        '... each of them is there';
    my $usual = 't/data/kernels/gen12.5/saxpy.bin';
    $said = `$gpudbg --batch $usual -e 'launch $name -g 16 -l 16 zero:64 zero:64 1.0 16' \\
        -e 'print \$r127.0' -e 'print \$r128.0' 2>&1`;
    like $said, qr/no register r128|r128.*128/, '... and a thread of 128 registers has no r128';
}
done_testing;
