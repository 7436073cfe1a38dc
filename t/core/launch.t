#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `launch`: every form of an argument as the bytes that a kernel finds, and one clear line for each thing that can be
# wrong.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Files;
use Gpudbg;
use Test::More;

my $kernels = "t/data/kernels/gfx7";
my $vadd = "$kernels/vector_add-O2.co";

sub run {
    my ($file, @commands) = @_;
    my ($text, $errors, $status) = gpudbg(commands(@commands), ref $file ? @$file : $file);
    return ($status, $text, $errors);
}


sub read_file {
    my ($name) = @_;
    open my $f, '<:raw', "$dir/$name" or return undef;
    local $/;
    return scalar <$f>;
}

# ---- What is wrong is said in one line ----

my $empty = spill('empty', '');
my $args = 'zero:256 zero:256 zero:256';
for my $case (
    ['launch' => qr/the file has several kernels, name one \(vadd_f32, vadd_i32, vadd_f64, saxpy\)/],
    ['launch vadd -g 64' => qr/no kernel named 'vadd'/],
    ["launch vadd_f32 $args 1" => qr/-g is missing/],
    ["launch vadd_f32 -g $args 1" => qr/-g 'zero:256'/],
    ["launch vadd_f32 -g 64,0 $args 1" => qr/: 0: a size is 1 to/],
    ["launch vadd_f32 -g 64,1,1,1 $args 1" => qr/'64,1,1,1' is not a size/],
    ["launch vadd_f32 -g 4294967296 $args 1" => qr/: 4294967296: a size is 1 to/],
    ["launch vadd_f32 -g 1024 -l 512 $args 1" => qr/512 work-items, vadd_f32 allows 256/],
    ["launch vadd_f32 -g 4294967295,4294967295,4294967295 -l 1 $args 1" => qr/too many/],
    ["launch vadd_f32 -q 64 $args 1" => qr/unknown option '-q'/],
    ["launch vadd_f32 -g 64 $args" => qr/argument 3 \(uint\): missing/],
    ["launch vadd_f32 -g 64 $args 1 2" => qr/'2': vadd_f32 takes 4 arguments/],
    ["launch vadd_f32 -g 64 $args n=1" => qr/no argument 'n' \(arg0, arg1, arg2, arg3\)/],
    ["launch vadd_f32 -g 64 arg0=zero:4 $args 1" => qr/argument 0 \(float\*\) is given twice/],
    ["launch vadd_f32 -g 64 $args many" => qr/argument 3 \(uint\): 'many': not an integer/],
    ["launch vadd_f32 -g 64 $args 1.5" => qr/'1.5': not an integer/],
    ["launch vadd_f32 -g 64 $args 4294967296" => qr/4294967296 does not fit in 4 bytes/],
    ["launch vadd_f32 -g 64 $args -2147483649" => qr/-2147483649 does not fit in 4 bytes/],
    ["launch vadd_f32 -g 64 $args 99999999999999999999" => qr/does not fit in 64 bits/],
    ["launch saxpy -g 64 zero:256 zero:256 1e39 64" => qr/1e39 does not fit in a float of 4 bytes/],
    ["launch saxpy -g 64 zero:256 zero:256 f64:-1e309 64" => qr/-1e309 does not fit in a float of 8 bytes/],
    ["launch saxpy -g 64 zero:256 zero:256 f16:65520,f16:0 64" => qr/65520 does not fit in a float of 2 bytes/],
    ["launch vadd_f32 -g 64 $args u64:1" => qr/8 bytes given, 4 wanted/],
    ["launch vadd_f32 -g 64 $args 1,2" => qr/8 bytes given, 4 wanted/],
    ["launch vadd_f32 -g 64 $args hex:010" => qr/3 hex digits/],
    ["launch vadd_f32 -g 64 $args hex:0x01" => qr/'x' is not a hex digit/],
    ["launch vadd_f32 -g 64 5 zero:4 zero:4 1" => qr/argument 0 \(float\*\): '5' is not a buffer/],
    ["launch vadd_f32 -g 64 local:16 zero:4 zero:4 1" => qr/'local:16' is only for pointers to local memory/],
    ["launch vadd_f32 -g 64 zero: zero:4 zero:4 1" => qr/not a size in bytes/],
    ["launch vadd_f32 -g 64 zero:0 zero:4 zero:4 1" => qr/0 bytes/],
    ["launch vadd_f32 -g 64 zero:4x zero:4 zero:4 1" => qr/'x' after the size/],
    ["launch vadd_f32 -g 64 zero:5000000000 zero:4 zero:4 1" => qr/5000000000 bytes: more than 4294967296/],
    ["launch vadd_f32 -g 64 zero:3000000000 zero:3000000000 zero:4 1" => qr/together exceed 4294967296/],
    ["launch vadd_f32 -g 64 fill:4 zero:4 zero:4 1" => qr/'fill:4' is not fill:BYTES:VALUE/],
    ["launch vadd_f32 -g 64 fill:4:256 zero:4 zero:4 1" => qr/0 to 255/],
    ["launch vadd_f32 -g 64 zero:4:float4 zero:4 zero:4 1" => qr/has a format, but only images have one/],
    ["launch vadd_f32 -g 64 \@$dir/none zero:4 zero:4 1" => qr/none: No such file/],
    ["launch vadd_f32 -g 64 \@$dir zero:4 zero:4 1" => qr/not a file/],
    ["launch vadd_f32 -g 64 \@$empty zero:4 zero:4 1" => qr/0 bytes/],
    ) {
    my ($command, $want) = @$case;
    my ($status, $text, $errors) = run($vadd, $command);
    subtest $command => sub {
        is($status, 1, 'it fails');
        like($errors, $want, 'and says why');
        is(scalar(() = $errors =~ /\n/g), 1, 'in one line');
    };
}

# ---- Names, where the file has them ----

my $matmul = "share/demo/matmul.co";
my ($code, $out, $why) = run($matmul, 'launch -g 8,8 zero:256 b=zero:256 a=zero:256');
like($why, qr/argument 3 'n' \(int\): missing/, 'an argument that is missing, with its name');
($code, $out, $why) = run($matmul, 'launch -g 8,8 c=zero:256 b=zero:256 a=zero:256 n=8 k=1');
like($why, qr/no argument 'k' \(c, a, b, n\)/, 'a name that is none');

# ---- Arguments arrive as they were given ----

sub kernarg {
    my ($file, $launch, $n) = @_;
    my ($status, $text, $errors) = run($file, $launch, "x/${n}xw kernarg");
    is($errors, '', "$launch: no error");
    return join ' ', map { /:\s+(.*)/ ? split ' ', $1 : () } grep { /kernarg/ && /0x/ && /:/ } split /\n/, $text;
}
like(kernarg($vadd, 'launch saxpy -g 64 zero:256 zero:256 -1.5 64', 6), qr/0xbfc00000 0x00000040$/,
    'a float by its type, an integer by its');
like(kernarg($vadd, 'launch saxpy -g 64 zero:256 zero:256 f32:0.1 hex:40000000', 6), qr/0x3dcccccd 0x00000040$/,
    'typed by the word; hex');
like(kernarg($vadd, 'launch saxpy -g 64 arg3=-1 arg2=inf zero:256 zero:256', 6), qr/0x7f800000 0xffffffff$/,
    'by name in any order; negative');
like(kernarg($vadd, 'launch saxpy -g 64 zero:256 zero:256 f16:65519,f16:-inf 64', 6), qr/0xfc007bff 0x00000040$/,
    'the largest half, and an infinity that is meant');
# A half has ten bits: 1 + 2^-11 lies between two, and what is more goes up; a float cannot tell the two apart.
like(kernarg($vadd, 'launch saxpy -g 64 zero:256 zero:256 f16:1.00048828125,f16:1.0004882812501 64', 6),
    qr/0x3c013c00 0x00000040$/, 'halves are rounded once');
like(kernarg($vadd, 'launch saxpy -g 64 zero:256 zero:256 f16:-1.0014648437499,f16:1e-40 64', 6),
    qr/0x0000bc01 0x00000040$/, '... downwards too');
like(kernarg($vadd, 'launch saxpy -g 64 0 null 1 1', 4), qr/^0x00000000 0x00000000 0x00000000 0x00000000$/,
    'null pointers');

# small_arguments(buffer, char, uchar, short, ushort, int, uint, long, ulong, float or double, float2, uchar4)
my ($status, $text, $errors);
my $small = 'launch small_arguments -g 64 zero:512 -3 250 -30000 60000 -2 4000000000 -5 9000000000000 -1.25';
my @words = split ' ', kernarg("$kernels/structs-O2.co", "$small 1.5,-2 1,2,3,4", 15);
is(hex($words[2]) & 0xffff, 0xfafd, 'char and uchar');
is(hex($words[2]) >> 16, 0x8ad0, 'short');
is_deeply([@words[12, 13, 14]], [qw(0x3fc00000 0xc0000000 0x04030201)], 'vectors as lists');
@words = split ' ', kernarg("$kernels/structs-O2.co", "$small 1.5,-2 5", 15);
is_deeply([@words[12, 13, 14]], [qw(0x3fc00000 0xc0000000 0x05050505)],
    'one number for a vector stands in every element');
($status, $text, $errors) = run("$kernels/structs-O2.co", "$small 1,2,3 1,2,3,4");
like($errors, qr/12 bytes given, 8 wanted/, 'a list that is too long');

spill('in.bin', pack 'f<64', 1 .. 64);
($status, $text, $errors) = run($vadd, "launch vadd_f32 -g 64 zero:256 \@$dir/in.bin fill:256:63 64", 'continue',
    "save arg 0 $dir/out.bin",
    "save arg 1 $dir/in2.bin", "save arg 2 $dir/fill.bin");
is($status, 0, 'a launch of all forms runs') or diag $errors;
is(read_file('in2.bin'), read_file('in.bin'), 'a file arrives');
is(read_file('fill.bin'), "\x3f" x 256, 'so does a fill');
is_deeply([unpack 'f<64', read_file('out.bin')], [map { unpack 'f<', pack 'f<', $_ + unpack 'f<', "\x3f" x 4 } 1 .. 64],
    'the sum is right') or diag $errors;

# ---- A bad access stops, names its argument, and leaves the buffers alone ----

($status, $text, $errors) = run($vadd, 'launch vadd_f32 -g 64 fill:256:7 zero:100 zero:256 64', 'continue',
    "save arg 0 $dir/kept.bin");
is($status, 1, 'a fault is a failure');
like($text, qr/lane 25\b/, 'the first lane outside');
like($text, qr/'arg1' \(100 bytes\)/, 'the argument');
is(read_file('kept.bin'), "\7" x 256, 'nothing was stored');

# ---- Local memory, and groups that fit ----

# 17 dwords of its own; uint*, long16*, uchar*, int8*: each at a multiple of its elements, of 16 at least.
my $locals = "$kernels/locals-O2.co";
($status, $text, $errors) = run($locals, 'launch locals -g 4 -l 4 zero:80 local:20 local:512 local:5 local:128',
    'continue', "save arg 0 $dir/out.bin");
is_deeply([unpack 'L<*', read_file('out.bin')], [(map { (100 + $_, 200 + $_, 300 + $_, 40 + $_) } 0 .. 3), 80,
    128, 640, 672],
    'local arguments are aligned as what they lead to') or diag $text, $errors;
($status, $text, $errors) = run($locals, 'launch locals -g 4 -l 4 zero:80 local:20 local:512 local:5 local:64864');
is($errors, '', 'all 65536 bytes of LDS may be used: 672 + 64864');
for ('local:5 local:64865', 'local:64880 local:16', 'local:64896 local:1') {
    ($status, $text, $errors) = run($locals, "launch locals -g 4 -l 4 zero:80 local:20 local:512 $_");
    like($errors, qr/argument 4 '' takes \d+ bytes of LDS after \d+: a group has 65536/,
        "$_: not one more, places between arguments counted");
}

# Without -l groups are no larger than the program allows, whatever the dimensions.
for (['64', 16], ['8,8', 16], ['4,4,4', 16], ['6,6', 6], ['16,2', 4], ['8,8', 1]) {
    my ($global, $most) = @$_;
    my $il = spill('most.il', "il_cs_2_0\ndcl_max_thread_per_group $most\ndcl_raw_uav_id(0)\ndcl_literal l0, "
        . "4,0,0,0\numul r0.x, vAbsTid.x, l0.x\n"
        . "uav_raw_store_id(0) mem.x, r0.x, vAbsTid.x\nend\n");
    ($status, $text, $errors) = run($il, "launch -g $global uav0=zero:256");
    my ($items) = $text =~ /groups? of (\d+) work-item/;
    ok($items && $items <= $most, "-g $global: groups of at most $most") or diag $text, $errors;
}

# ---- Kernels whose file does not describe them ----

($status, $text, $errors) = run("$kernels/mesa-O2.co", 'launch mesa_scale -g 64 zero:256 fill:256:1 u32:7 250',
    'continue', 'x/2xw arg0');
is($status, 0, 'Mesa: arguments by what they look like') or diag $errors;
like($text, qr/0x07070707\s+0x07070708/, 'they arrive');

# ---- Bare code ----

# v1 = s0, v2 = s1, v3 = s2 + v4; store v3 at v[1:2]; end.
my $bare = [spill('bare.bin', pack 'L<*', 0x7e020200, 0x7e040201, 0x4a060802, 0xdc700000, 0x00000301, 0xbf810000)];
unshift @$bare, '--isa', 'gfx7', '--raw';
my $go = 'launch -g 1 -l 1 buf0=zero:64 s[0:1]=&buf0+16';
($status, $text, $errors) = run($bare, "$go s[2]=0x1234", 'continue', 'x/8xw buf0');
is($status, 0, 'bare code runs') or diag $errors;
like($text, qr/buf0\+0x10>:\s+0x00001234/, 'with the address of a buffer and a number in registers');
($status, $text, $errors) = run($bare, "$go s2=hex:34120000 v[4]=hex:01000000", 'continue', 'x/8xw buf0');
like($text, qr/buf0\+0x10>:\s+0x00001235/, 'hex bytes, and a vector register');
($status, $text, $errors) = run($bare, "$go s2=1 s2/0=5 v4=2", 'continue', 'x/8xw buf0');
like($text, qr/buf0\+0x10>:\s+0x00000007/, 'one wave of the group alone');
($status, $text, $errors) = run($bare, "$go s2=1 s2/1=5", 'continue', 'x/8xw buf0');
like($errors, qr/'s2\/1': waves of a group are numbered 0 to 0/, 'not of another, which the group has not');
($status, $text, $errors) = run($bare,
    'launch -g 1 -l 1 buf0@0x7f001000=zero:64 buf1=zero:4 s[0:1]=&buf0+16 s2=hex:34120000 v[4]=hex:01000000',
    'info buffers', 'continue', 'x/8xw buf0');
like($text, qr/buf0\s+global\s+0x7f001000\s+64/, 'a buffer lies where it is told to');
like($text, qr/buf0\+0x10>:\s+0x00001235/, '... and is found there');
($status, $text, $errors) = run($bare, 'launch -g 1 -l 1 buf0@0x7f001000=zero:64 s[0:1]=&buf0>>8|0xa0000000000000+1',
    'print/x $s[0:1]');
like($text, qr/0xa00000007f0011/, 'an address shifted, with other bits beside it') or diag $errors;
# ds_write_b32 v0, v1
my $lds = ['--isa', 'gfx7', '--raw', spill('lds.bin', pack 'L<*', 0xd8340000, 0x00000100, 0xbf810000)];
($status, $text, $errors) = run($lds, 'launch -g 1 -l 1', 'continue');
like($text, qr/lds=BYTES/, 'LDS that the launch does not give is asked for');
($status, $text, $errors) = run($lds, 'launch -g 1 -l 1 lds=64 m0=-1 v[1]=77', 'continue');
is($status, 0, 'and taken') or diag $text, $errors;
($status, $text, $errors) = run($bare, "$go s2=-2147483648 s3=4294967295 v1=-1", 'print/x $s2', 'print/x $s3',
    'print/x $v1[63]');
is($errors, '', 'the least and the largest number of a register');
for my $case (
    ["$go s2=0x100000002" => qr/s2=0x100000002 does not fit in 4 bytes/],
    ["$go s2=-2147483649" => qr/does not fit in 4 bytes/],
    ["$go m0=0x1ffffffff" => qr/m0=0x1ffffffff does not fit in 4 bytes/],
    ["$go v[4]=0x1ffffffff" => qr/does not fit in 4 bytes/],
    ["$go v[4:5]=0x1ffffffff" => qr/does not fit in 4 bytes/],
    ["$go s[2:1]=1" => qr/'s\[2:1\]'/],
    ["$go s104=1" => qr/'s104'/],
    ["$go q1=1" => qr/'q1' is not one of/],
    ["$go s2=hex:0102030405" => qr/5 bytes do not fit into 4/],
    ["$go s2/x=1" => qr/a wave's number must follow/],
    ["$go lds=65537" => qr/0 to 65536/],
    ["launch -g 1 -l 1 s[0:1]=&buf1" => qr/'&buf1': no buffer and no code has this name/],
    ['launch -g 1 -l 1 buf0@0=zero:4' => qr/would overlap 'buf0'/],
    ['launch -g 1 -l 1 buf0@here=zero:4' => qr/has no address after '@'/],
    ['launch -g 1 -l 1 bti0@64=zero:4' => qr/only bufN can be given an address/],
    ['launch -g 1 -l 1 buf0=zero:4 s[0:1]=&buf0>9' => qr/'&buf0>9': not an address/],
    ["$go buf0=7" => qr/given twice/],
    ["$go buf1=7" => qr/'7' is not a buffer/],
    ["$go 7" => qr/'7' has no name: bare code needs NAME=VALUE/],
    ['launch 0x4000 -g 1' => qr/neither a symbol nor an address/],
    ) {
    my ($command, $want) = @$case;
    my ($status, $text, $errors) = run($bare, $command);
    is($status, 1, "$command fails");
    like($errors, $want, '... and says why');
}

# y[i] = a * x[i] + y[i]
for my $file ("$kernels/vector_add-O2.co", 't/data/kernels/gen12/saxpy.bin', 't/data/kernels/gen12/saxpy.ze') {
    for my $case (
        ['fill:256:1 read-only:zero:256', qr/^/],
        ['read-only:zero:256 read-only:zero:256',
            qr/store of \d+ bytes at 0x[0-9a-f]+, lane \d+: '[^']+' is read-only/],
        ['zero:256 write-only:fill:256:1', qr/load of \d+ bytes at 0x[0-9a-f]+, lane \d+: '[^']+' is write-only/],
        ['write-only:@' . spill('writeonly', "\1" x 256) . ' zero:256', qr/load of .*is write-only/],
    ) {
        my ($arguments, $want) = @$case;
        unlink "$dir/saved";
        my ($status, $text, $errors) = run($file, "launch saxpy -g 64 -l 64 $arguments 1.0 64", 'continue',
            'save arg 0 ' . "$dir/saved");
        like($text . $errors, $want, "$file $arguments: what it does is said");
        is($status, $want eq qr/^/ ? 0 : 1, '... and ends so');
        is(length(read_file('saved') // ''), 256, '... the user reads and saves it');
    }
}
{
    my ($status, undef, $errors) = run($vadd, 'launch vadd_f32 -g 64 zero:256 zero:256 zero:256 read-only:64');
    like($errors, qr/argument 3 \(uint\): 'read-only:64': only buffers are read-only or write-only/,
        'a number is neither');
}

# ---- `run` with words: the same as the launch line that one would type ----

my $file = spill('two words', 'abcd' x 64);
for my $case (
    ['-g 128', "saxpy -g 128 -l 32 zero:256 fill:256:1 2.0 64"],
    ['-l 16 -o 4', "saxpy -g 64 -l 16 -o 4 zero:256 fill:256:1 2.0 64"],
    ['-l16 -g 32', "saxpy -g 32 -l 16 zero:256 fill:256:1 2.0 64"],
    ['arg3=7', "saxpy -g 64 -l 32 zero:256 fill:256:1 2.0 7"],
    ['arg2=-1.5 arg0=zero:512', "saxpy -g 64 -l 32 zero:512 fill:256:1 -1.5 64"],
    [qq(arg1="\@$file"), qq(saxpy -g 64 -l 32 zero:256 "\@$file" 2.0 64)],
    [qq("arg1=\@$file" -g 48 -l 16), qq(saxpy -g 48 -l 16 zero:256 "\@$file" 2.0 64)],
    ['zero:128 zero:128 3.0 32', "saxpy -g 64 -l 32 zero:128 zero:128 3.0 32"],
    ['', "saxpy -g 64 -l 32 zero:256 fill:256:1 2.0 64"],
) {
    my ($changes, $whole) = @$case;
    my @ask = ('info launch', 'continue', 'x/8x arg0', 'x/8x arg1');
    my $launch = 'launch saxpy -g 64 -l 32 zero:256 fill:256:1 2.0 64';
    my (undef, $got, $errors) = run($vadd, $launch, "run $changes", @ask);
    my (undef, $want) = run($vadd, "launch $whole", @ask);
    is($errors, '', "run $changes: no complaint");
    $got =~ s/\A[^\n]*\n//; # what the first launch said
    is($got, $want, '... is that launch');
}
{
    my @launch = ($vadd, 'launch saxpy -g 64 arg3=64 arg0=zero:256 arg1=zero:256 arg2=1.0');
    my (undef, $text, $errors) = run(@launch, 'run arg7=1', 'run -g 0', 'run 1', 'run -g 128');
    like($errors, qr/no argument 'arg7'.*\n.*'0': 0: a size is.*\n.*argument 1 .*missing\n\z/, 'what is wrong is said');
    like($text, qr/: 2 groups of 64 /, 'and what was launched stays, for the next one');
}

done_testing();
