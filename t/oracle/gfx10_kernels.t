# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels that clang-19 compiles for RDNA 1 and 2 at four levels, for waves of 32 and of 64, as code objects 4 and 5:
# what `disassemble /a` prints of them, llvm-mc 19 and gpudbg assemble to the same bytes.  `info kernels` has the
# numbers of clang's descriptors.
#   prove t/oracle/gfx10_kernels.t :: all           every source at -O0 to -O3, gfx1010, gfx1013, gfx1030, both waves
#   prove t/oracle/gfx10_kernels.t :: all gfx1013   the same for one chip
use v5.36;
use Files;
use Gpudbg;
use Test::More;

my ($device_library) = grep { -d } '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode',
    glob('/usr/lib/*/amdgcn/bitcode /usr/lib/llvm-*/lib/clang/*/lib/amdgcn/bitcode /usr/lib/clang/*/amdgcn/bitcode');
if (!$device_library || grep { system("command -v $_ >/dev/null 2>&1") != 0 } qw(clang-19 llvm-mc-19 llvm-objcopy-19)) {
    die "clang-19, llvm-mc-19 or the device library is missing\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'no clang-19, llvm-mc-19 or device library (make deps-oracle)';
}
my @sources = grep { !/unresolved/ } sort(glob 't/data/kernels/{,unseen/}*.cl'), glob 'share/demo/*.cl';
my @levels = qw(-O0 -O1 -O2 -Os);
my @chips = (['gfx1010', 32], ['gfx1030', 32], ['gfx1030', 64], ['gfx1013', 64], ['gfx1012', 32]);


sub text_section ($object) {
    system('llvm-objcopy-19', '-O', 'binary', '-j', '.text', $object, "$object.text") == 0 or return '';
    return slurp("$object.text");
}

# The kernels' descriptors as clang's assembly has them, by name: the numbers that `info kernels` has, too.
my %DIRECTIVE = (lds => 'group_segment_fixed_size', scratch => 'private_segment_fixed_size', kernarg => 'kernarg_size',
    wgp_mode => 'workgroup_processor_mode', mem_ordered => 'memory_ordered', forward_progress => 'forward_progress',
    shared_vgprs => 'shared_vgpr_count');
sub descriptors ($assembly) {
    my %of;
    while ($assembly =~ /^\s*\.amdhsa_kernel (\S+)(.*?)\.end_amdhsa_kernel/msg) {
        my ($kernel, $said) = ($1, $2);
        my %number = map { my ($n) = $said =~ /\.amdhsa_$DIRECTIVE{$_} (\d+)/; ($_ => $n // 0) } keys %DIRECTIVE;
        $of{$kernel} = {%number, shared_vgprs => 8 * $number{shared_vgprs},
            wave_size => $said =~ /\.amdhsa_wavefront_size32 1/ ? 32 : 64};
    }
    return \%of;
}

# Every source, the levels and the chips in turn; every source at every level in the night.  At -O0 the code that the
# device library has for group.cl is for older chips alone.
my @of = $ENV{GPUDBG_NIGHTLY} ? 0 .. 3 : 0;
my @cases = map { my $i = $_; map { [$sources[$i], $levels[($i + $_) % 4], $chips[($i + $_) % @chips]->@*] } @of }
    0 .. $#sources;
@cases = map { my $s = $_; map { my $level = $_; map { my $c = $_; map { [$s, $level, $c, $_] } 32, 64 }
    @ARGV[1 .. $#ARGV] ? @ARGV[1 .. $#ARGV] : qw(gfx1010 gfx1013 gfx1030) } qw(-O0 -O1 -O2 -O3) } @sources if @ARGV;
@cases = grep { "@$_[0, 1]" !~ m{/group\.cl -O0} } @cases;
for my $case (@ARGV ? @cases : sampled(@cases)) {
    my ($source, $level, $cpu, $lanes) = @$case;
    my $name = "$source $cpu $level, waves of $lanes";
    my ($options) = slurp($source) =~ m{^// options: (.*)}m;
    my @waves = $lanes == 64 ? '-mwavefrontsize64' : ();
    my $version = 4 + length($source) % 2;
    my $object = "$dir/kernel.co";
    my @command = ('clang-19', '-x', 'cl', '-Xclang', '-finclude-default-header', '-target', 'amdgcn-amd-amdhsa',
        "-mcpu=$cpu", @waves, "-mcode-object-version=$version", "--rocm-device-lib-path=$device_library", '-w',
        split(' ', $options // ''), $level, '-S', '-o', "$dir/clang.s", $source);
    is(system(@command), 0, "$name: compiles") or next;
    system('clang-19', '-target', 'amdgcn-amd-amdhsa', "-mcpu=$cpu", @waves, "-mcode-object-version=$version", '-o',
        $object, "$dir/clang.s") == 0 or die "$name: clang-19 does not assemble its own text\n";
    my $code = text_section($object);
    my @kernels = grep { $_->{type} eq 'kernel' } records(commands('info kernels'), $object);
    my %got = map { my $k = $_; ($k->{name} => {map { $_ => $k->{$_} } keys %DIRECTIVE, 'wave_size'}) } @kernels;
    ok(%got, '... with kernels');
    is_deeply(\%got, descriptors(slurp("$dir/clang.s")), '... whose descriptors say what clang put into them');
    my $listing = output('-e', 'disassemble /a', $object);
    open my $out, '>', "$dir/kernel.s" or die "kernel.s: $!\n";
    print $out $listing;
    close $out;
    my @features = $lanes == 64 ? '-mattr=-wavefrontsize32,+wavefrontsize64' : ();
    my $said = join '',
        qx(llvm-mc-19 -arch=amdgcn -mcpu=$cpu @features -filetype=obj -o $dir/again.o $dir/kernel.s 2>&1);
    is($said, '', '... and a listing that llvm-mc takes') or next;
    ok(text_section("$dir/again.o") eq $code, '... as the same ' . length($code) . ' bytes');
    my $isa = ($cpu eq 'gfx1010' ? 'gfx10' : $cpu eq 'gfx1030' ? 'gfx10.3' : $cpu eq 'gfx1012' ? 'gfx1011' : $cpu)
        . ($lanes == 64 ? '-wave64' : '');
    gpudbg('--isa', $isa, commands("assemble $dir/kernel.s $dir/own"));
    ok(-e "$dir/own" && slurp("$dir/own") eq $code, '... as gpudbg does');
    unlink "$dir/own";
}
done_testing;
