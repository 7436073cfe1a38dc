# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compiled kernels: what `disassemble /a` prints of a code object assembles to the object's .text, byte for byte.  The
# objects are those of t/data and the same sources compiled afresh by clang-19 at four levels, for gfx7 and for gfx6.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use Gpudbg;
use OracleGfx7 qw(need_assembler chips listing_items listing_failures insn_length elf_text chip_cpu use_chip);
use OracleGfx7Rules qw(unproducible);

need_assembler();

# Where in .text the headers of 256 bytes stand, in front of kernels of code object 2 and Mesa's: data, not code.
sub headers ($path) {
    my ($base) = `readelf -SW $path` =~ /\s\.text\s+PROGBITS\s+([0-9a-f]+)/;
    my ($version) = `readelf -hW $path` =~ /ABI Version:\s+(\d+)/;
    return if $version != 0;
    return map { hex($_) - hex $base } `readelf -sW $path` =~ /^\s*\d+:\s+([0-9a-f]+)\s+\d+\s+<OS specific>: 10\s/mg;
}

sub round_trips ($path, $name) {
    my $code = elf_text($path);
    my @headers = headers($path);
    my $listing = output('-e', 'disassemble /a', $path);
    my @failures = listing_failures($listing, $code, 1);
    is(scalar @failures, 0, "$name: " . length($code) . ' bytes of code');
    diag(sprintf '%06x %s  %s -- %s', $_->[0], unpack('H*', $_->[1]), $_->[2], $_->[3]) for @failures > 5
        ? @failures[0 .. 4] : @failures;

    # The linker leaves literals that the assembler would make inline constants; nothing else is data but padding.
    my ($offset, @data) = (0);
    for my $item (listing_items([split /\n/, $listing])->@*) {
        my $bytes = $item->[2] // substr $code, $offset, insn_length($code, $offset);
        my $header = grep { $offset >= $_ && $offset < $_ + 256 } @headers;
        push @data, sprintf '%06x %s', $offset, $item->[1] if defined $item->[2] && $bytes =~ /[^\0]/ && !$header
            && unproducible($bytes) eq '';
        $offset += length $bytes;
    }
    is(scalar @data, 0, "$name: what the assembler has a text for is text") or diag("$data[0], and so on");
    return;
}

my $objects = 0;
for my $chip (chips()) {
    use_chip($chip);
    for my $object (sort glob "t/data/kernels/$chip/*.co") { round_trips($object, $object); $objects++ }
}

# unresolved.cl is for a linker that is never run.
my @sources = grep { !/unresolved/ } sort(glob 't/data/kernels/{,unseen/,isa/}*.cl'), glob 'share/demo/*.cl';
# Without flat memory clang has no code for these; and at -O0 none for group and vectors, whose library has pointers of
# any space.
my %needs_flat = map { ("t/data/kernels/$_.cl" => 1) } qw(addresses generic scope isa/isa);
my ($device_library) = grep { -d } '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode',
    glob('/usr/lib/*/amdgcn/bitcode /usr/lib/llvm-*/lib/clang/*/lib/amdgcn/bitcode /usr/lib/clang/*/amdgcn/bitcode');
my $clang = qx(clang-19 --version 2>/dev/null) =~ /version 19/;
my $dir = tempdir(CLEANUP => 1);
SKIP: {
    if (!$clang || !$device_library) {
        die "clang-19 or its device library is missing\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
        skip 'no clang-19 with rocm-device-libs', 1;
    }
    # The levels and the chips in turn, so that a sample has all of them.
    my @levels = qw(-O0 -O1 -O2 -Os);
    my @cases = map { my $i = $_; map { [$sources[$i], $levels[($i + $_) % 4], 'gfx7'] } 0 .. 3 } 0 .. $#sources;
    push @cases, map { [$sources[$_], $levels[$_ % 4], 'gfx6'], [$sources[$_], $levels[($_ + 2) % 4], 'gfx6'] }
        grep { !$needs_flat{$sources[$_]} } 0 .. $#sources;
    @cases = grep { "@$_" !~ m{/(?:group|vectors)\.cl -O0 gfx6} } @cases;
    for my $case (sampled(@cases)) {
        my ($source, $level, $chip) = @$case;
        use_chip($chip);
        open my $in, '<', $source or die "$source: $!\n";
        my ($options) = map { m{^// options: (.*)} } <$in>;
        my $object = "$dir/kernel.co";
        my @command = ('clang-19', '-x', 'cl', '-Xclang', '-finclude-default-header', '-target', 'amdgcn-amd-amdhsa',
            '-mcpu=' . chip_cpu(), "--rocm-device-lib-path=$device_library", '-w', split(' ', $options // ''), $level,
            '-o', $object, $source);
        is(system(@command), 0, "$source compiles for $chip at $level") or next;
        round_trips($object, "$source $chip $level");
    }
}
cmp_ok($objects + @sources, '>=', 1, 'there are kernels to test');
done_testing;
