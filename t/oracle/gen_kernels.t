# SPDX-License-Identifier: GPL-3.0-or-later
#
# Code that Intel's compiler made for DG1, DG2, Ice Lake, Skylake and Broadwell goes through gpudbg's text and IGA and
# comes back byte for byte: the kernels of the repository, and all others of t/data/kernels compiled afresh where ocloc
# is installed.
use v5.36;
use Test::More;
use File::Temp qw(tempdir);
use Gpudbg;
use OracleGen qw(need_iga instructions reassembly_failures read_file);

need_iga();
my $dir = tempdir(CLEANUP => 1);
my %isa = map { $_ => 'gen12' } glob 't/data/kernels/gen12/*.krn';    # file => instruction set

# Compiles kernels in many styles for a device, and adds their code.
sub compile ($device, $isa) {
    my @jobs = map { [$_, ''] } grep { !/images|mesa|clang14|generic/ } glob 't/data/kernels/*.cl';
    push @jobs, map { my $s = $_; map { [$s, "-options '-cl-std=CL2.0 $_'"] } '', '-cl-opt-disable',
        '-cl-fast-relaxed-math' } glob 't/data/kernels/gen12/{variety,textures}.cl';
    my @sample = sampled(0 .. $#jobs);
    my $compiled = 0;
    for my $n (@sample) {
        my ($source, $options) = @{ $jobs[$n] };
        my $name = "$device-" . ($source =~ m{(\w+)\.cl$})[0] . $n;
        system("ocloc compile -q -file $source -device $device -output $name "
            . "-output_no_suffix -out_dir $dir $options >/dev/null 2>&1") == 0 or next;
        mkdir "$dir/$name.parts";
        system("ocloc disasm -file $dir/$name -device $device -dump $dir/$name.parts >/dev/null 2>&1");
        $isa{$_} = $isa for glob "$dir/$name.parts/*_KernelHeap.dat";
        next if !$options;
        like(output('-e', 'check regions', "$dir/$name"), qr/nothing found/,
            "$device: $source $options breaks no rule");
        $compiled++;
    }
    cmp_ok($compiled, '>=', int(6 * @sample / @jobs), "$device: all variants compile");
    return;
}
if (`ocloc --help 2>&1` =~ /compile/i) {
    compile('dg1', 'gen12');
    compile('bdw', 'gen8');
    compile('skl', 'gen9');
    compile('icllp', 'gen11');
    compile('acm-g10', 'gen12.5');
} else {
    diag('no ocloc (package intel-opencl-icd): only the kernels of the repository');
    fail('ocloc') if $ENV{GPUDBG_ORACLE_REQUIRED};
}
my ($total, $short) = (0, 0);
for my $file (sampled(sort keys %isa)) {
    my $bytes = read_file($file);
    my $text = output('--isa', $isa{$file}, '--raw', '-e', 'set syntax iga', '-e', 'disassemble /a', $file);
    my @insns = instructions($bytes);
    $total += @insns;
    $short += grep { length $_ == 8 } @insns;
    # IGA cannot say the type that calls and returns have here, a bit of while, nor the region of a payload on Gen8,
    # which means nothing: they are data in its syntax.  So is opcode 0x33 on Gen8, of which ocloc makes calls' stores
    # although the split send came with Gen9.
    my @failures = grep { $_->[3] !~ m{^\s*(?://# )?\.long .*// (?:(?:\S+ )?(?:call|ret|while|sendc?)\b|UNKNOWN)} }
        reassembly_failures($isa{$file}, $text, join '', @insns);
    is(scalar @failures, 0, "$isa{$file}, " . ($file =~ s{.*/}{}r) . ': ' . @insns . ' instructions');
    diag("$_->[1] became $_->[2]: $_->[3]") for @failures > 10 ? @failures[0 .. 9] : @failures;
}
cmp_ok($total, '>', 500, "$total instructions, $short of them compacted");
done_testing;
