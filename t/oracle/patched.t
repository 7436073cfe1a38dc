#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Binaries of Intel that were patched and saved: the tools that read the original read them, and show the patched
# instruction as IGA assembles it.  A zebin by LLVM and ocloc, a binary of patch tokens by ocloc; both run again to the
# result that is worked out here.  A code object of gfx7 by LLVM.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use Gpudbg;
use OracleGen qw(need_iga assemble write_file read_file);

need_iga();
my $dir = tempdir(CLEANUP => 1);
my $required = $ENV{GPUDBG_ORACLE_REQUIRED};
for my $tool (qw(ocloc llvm-readelf-19 llvm-objcopy-19 llvm-mc-19)) {
    next if grep { -x "$_/$tool" } split /:/, $ENV{PATH};
    die "no $tool\n" if $required;
    plan skip_all => "no $tool";
}
my $data = 't/data/kernels/gen12';
write_file("$dir/x", pack 'f<*', map { 2 * $_ + 1 } 0 .. 31);
write_file("$dir/y", pack 'f<*', map { 100 - $_ } 0 .. 31);
my @right = map { 3 * (2 * $_ + 1) + 100 - $_ } 0 .. 31;
my $launch = "launch saxpy -g 32 -l 32 \@$dir/y \@$dir/x 3.0 32";
my $store = 'send.dc1 (16|M0) null r16 r21 0x80 0x04025E00 {@1,$4}';
my ($insns) = assemble('12p1', [$store]);
is(length $insns->[0], 16, 'IGA assembles the patch');

# A section, as LLVM finds it.
sub code_of ($file, $section = '.text.saxpy') {
    system("llvm-objcopy-19 -O binary --only-section=$section $file $dir/text") == 0 or die "llvm-objcopy\n";
    return read_file("$dir/text");
}
sub result ($file) {
    unlink "$dir/out";
    gpudbg(commands($launch, 'continue', "save arg 0 $dir/out"), $file);
    return [unpack 'f<*', read_file("$dir/out")];
}

# A zebin.
gpudbg(commands("patch *0x100 $store", "save code $dir/patched.ze"), "$data/saxpy.ze");
my $want = code_of("$data/saxpy.ze");
substr($want, 0x100, 16) = $insns->[0];
ok(code_of("$dir/patched.ze") eq $want, 'zebin: LLVM finds the code with the patch in it');
my @sections = map { [qx(llvm-readelf-19 -S -s $_ 2>&1)] } "$data/saxpy.ze", "$dir/patched.ze";
is_deeply($sections[1], $sections[0], '... and all sections and symbols as they were');
mkdir "$dir/ze";
my $said = qx(ocloc disasm -file $dir/patched.ze -dump $dir/ze -device dg1 2>&1);
like(read_file("$dir/ze/sections.txt"), qr/^\.text\.saxpy, 1$/m, '... ocloc takes it apart') or diag $said;
my @wrong = map { $_ < 16 ? 2 * $_ + 1 : $right[$_] } 0 .. 31;
is_deeply(result("$dir/patched.ze"), \@wrong, '... and it runs as it was patched');

# A binary of patch tokens.
gpudbg(commands("patch *0x100 $store", "save code $dir/patched.bin"), "$data/saxpy.bin");
my %heap;
for my $file ("$data/saxpy.bin", "$dir/patched.bin") {
    my $to = "$dir/" . keys(%heap);
    mkdir $to;
    $said = qx(ocloc disasm -file $file -dump $to -device dg1 2>&1);
    $heap{$file} = read_file("$to/saxpy_KernelHeap.dat");
}
substr(my $patched = $heap{"$data/saxpy.bin"}, 0x100, 16) = $insns->[0];
cmp_ok(length $patched, '>', 0x188, 'patch tokens: ocloc takes it apart') or diag $said;
ok($heap{"$dir/patched.bin"} eq $patched, '... and finds the code with the patch in it');
is_deeply(result("$dir/patched.bin"), \@wrong, '... and it runs as it was patched');

# A code object: LLVM's assembler says what the patch is.
my $demo = 'share/demo/collatz.co';
my ($count) = output('-e', 'disassemble', $demo) =~ m{^\s*s_add_i32 s8, s8, 1\s+// (\w+)$}m;
gpudbg(commands("patch *0x$count s_add_i32 s8, s8, 2", "save code $dir/patched.co"), $demo);
my ($word) = qx(echo s_add_i32 s8, s8, 2 | llvm-mc-19 -triple=amdgcn -mcpu=bonaire --show-encoding)
    =~ /encoding: \[([0-9a-fx,]+)\]/;
my ($text) = qx(llvm-readelf-19 -S $demo) =~ /\.text\s+PROGBITS\s+([0-9a-f]+)/;
my @texts = map { code_of($_, '.text') } $demo, "$dir/patched.co";
substr($texts[0], hex($count) - hex $text, 4) = pack 'C*', map { hex } split /,/, $word;
ok($texts[1] eq $texts[0], 'code object: LLVM finds the code with the patch in it');
@sections = map { [qx(llvm-readelf-19 -S -s -n $_ 2>&1)] } $demo, "$dir/patched.co";
is_deeply($sections[1], $sections[0], '... and all else as it was');
done_testing;
