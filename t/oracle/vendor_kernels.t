# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels that the vendors ship inside their runtimes: they go through gpudbg's text and the assembler and come back
# byte for byte, and they do what their names say.  What a copy must give is the input's bytes, put in order here.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use Gpudbg;
use OracleGen qw(need_iga instructions reassembly_failures write_file read_file);
use OracleGfx7 qw(need_assembler listing_failures elf_text);

need_iga();
need_assembler();
my $dir = tempdir(CLEANUP => 1);

# The library's bytes, or '' where it is not installed, which fails where oracles are required.
sub library ($package, @places) {
    my ($path) = map { glob } @places;
    return read_file($path) if $path;
    diag("no library of package $package");
    fail($package) if $ENV{GPUDBG_ORACLE_REQUIRED};
    return '';
}

# Runs a kernel to its end and returns the bytes of argument `save`.
sub after ($file, $launch, $save) {
    unlink "$dir/out";
    my ($text, $errors, $status) = gpudbg('-e', 'check bounds on', '-e', "launch $launch", '-e', 'continue', '-e',
        "save arg $save $dir/out", $file);
    diag("$launch: $text$errors") if $status ne '0';
    return -e "$dir/out" ? read_file("$dir/out") : '';
}

my $bytes = join '', map { chr($_ * 37 % 251 ^ $_ >> 5) } 0 .. 4095;
my $input = write_file("$dir/input", $bytes);

# ---- Intel's OpenCL runtime: device binaries for Gen12 LP, which start with a magic number and the device 18 ----

my $intel = library('intel-opencl-icd', '/usr/lib/*/intel-opencl/libigdrcl.so');
my %with; # kernel => file
while ($intel =~ /CTNI(?=.{4}\x12\0\0\0\x08\0\0\0)/sg) {
    my $at = $-[0];
    my $file = write_file(sprintf('%s/intel-%x.bin', $dir, $at), substr $intel, $at, 65536);
    $with{ $_->{name} } //= $file for records('-e', 'info kernels', $file);
}
if (%with) {
    cmp_ok(scalar keys %with, '>=', 30, keys(%with) . ' kernels of Gen12');
    for my $kernel (sort keys %with) {
        my $text = output('-e', "disassemble /a $kernel", $with{$kernel});
        my $code = join '', map { pack 'H*', $_->{bytes} } records('-e', "disassemble $kernel", $with{$kernel});
        my @failures = reassembly_failures('gen12', $text, $code);
        is(scalar @failures, 0, "$kernel: " . scalar(instructions($code)) . ' instructions')
            or diag("$failures[0][1] became $failures[0][2]: $failures[0][3]");
    }
    my $run = sub ($kernel, $launch, $save) { return after($with{$kernel}, "$kernel $launch", $save) };
    is($run->('CopyBufferToBufferMiddleMisaligned', "-g 64 -l 32 \@$input zero:1024 0 0 8", 1), substr($bytes, 1, 1024),
        'a copy from an odd address');
    my $rows = join '', map { substr($bytes, 64 * $_, 16) . "\0" x 16 } 0 .. 7;
    is($run->('CopyBufferRectBytes2d', "-g 16,8 -l 16,1 \@$input zero:256 0,0,0,0 0,0,0,0 64,0 32,0", 1), $rows,
        'a rectangle');
    my $pattern = write_file("$dir/pattern", substr $bytes, 0, 64);
    is($run->('FillBufferMiddle', "-g 64 -l 32 zero:320 16 \@$pattern 16", 0),
        "\0" x 16 . substr($bytes, 0, 64) x 4 . "\0" x 48, 'a pattern, from byte 16 on');
    is($run->('CopyBufferToImage3d4Bytes', "-g 4,4,2 -l 4,4,1 \@$input zero:128:r32_uint:4x4x2 0 0,0,0,0 16,64", 1),
        substr($bytes, 0, 128), 'a buffer into a volume');
    is($run->('CopyImage3dToBuffer16Bytes', "-g 4,4,2 -l 4,4,1 \@$input:uint4:4x4x16 zero:512 0,0,0,0 0 64,256", 1),
        substr($bytes, 0, 512), 'a volume into a buffer');
    is($run->('CopyImageToImage3d', "-g 4,4,2 -l 4,4,1 \@$input:uint4:4x4x16 zero:512:uint4:4x4x2 0,0,0,0 0,0,0,0", 1),
        substr($bytes, 0, 512), 'a volume into another');
    is($run->('FillImage3d', '-g 4,4,2 -l 4,4,1 zero:512:uint4:4x4x2 1,2,3,4 0,0,0,0', 0), pack('V4', 1 .. 4) x 32,
        'a volume filled');
}

# ---- AMD's HSA runtime: code objects for gfx700 to gfx702, and one of the finaliser's ----

my $amd = library('libhsa-runtime64-1', '/usr/lib/*/libhsa-runtime64.so.1');
my %object; # target => file
while ($amd =~ /\x7fELF\x02\x01\x01\x40.{10}\xe0\0/sg) {
    my $at = $-[0];
    my ($table, $flags, $size, $count) = unpack 'x40 Q< V x6 v2', substr $amd, $at, 64;
    my $end = $table + $size * $count;
    my $file = write_file(sprintf('%s/amd-%x.co', $dir, $at), substr $amd, $at, $end);
    my ($known) = map { $_->{facts} } grep { ($_->{isa} // '') eq 'gfx7' } records('-e', 'info file', $file);
    $object{"$known->{target}, $known->{container}"} = $file if $known;
}
if (%object) {
    is_deeply([sort keys %object], ['gfx700, code object 1', map { "gfx70$_, code object 4" } 0 .. 2],
        'those of Sea Islands are read, the others are not');
    for my $title (sort keys %object) {
        next if $title =~ /object 1$/; # its section of code has another name
        my @failures = listing_failures(output('-e', 'disassemble /a', $object{$title}), elf_text($object{$title}), 1);
        is(scalar @failures, 0, "$title: comes back byte for byte");
        # One image of each kind in and out, of which the last argument chooses: 1 is 2D.
        my @kinds = ('64:r32_uint:16x1', '256:r32_uint:8x8', '64:r32_uint:4x2x2', '64:r32_uint:4x4',
            '64:r32_uint:4x2x2');
        my @in = map { "zero:$_" } @kinds;
        my $picture = write_file("$dir/picture", substr $bytes, 0, 256);
        $in[1] = "\@$picture:r32_uint:8x8";
        my $launch = join ' ', 'copy_image_default -g 8,8 -l 8,8', @in, (map { "zero:$_" } @kinds),
            '0,0,0,0 0,0,0,0 1 1';
        is(after($object{$title}, $launch, 6), substr($bytes, 0, 256), '... and copies a picture');
    }
}

plan(skip_all => 'no runtime of a vendor') if !%with && !%object && !$ENV{GPUDBG_ORACLE_REQUIRED};
done_testing();
