# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels that ocloc compiles for chips of which the repository has no binaries, in both containers, optimised and not:
# equal buffers on PoCL, on plain C where PoCL lacks something.  Then random programs against the host's compiler.
#   prove t/oracle/gen_devices.t :: skl         one device
#   prove t/oracle/gen_devices.t :: skl 1 300   300 random programs for it, from the first on, and no other kernels
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use GenKernels;
use Gpudbg;
use Kernels;
use RandomKernel;
use Test::More;

my ($device, $first, $count) = @ARGV;
my @devices = defined $device ? $device : qw(bdw skl kbl icllp acm-g10);
my %floats_only = map { $_ => 1 } qw(icllp acm-g10);
my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/cache";
$ENV{POCL_CACHE_DIR} = "$dir/cache";
if ((`ocloc --help 2>&1` // '') !~ /compile/i) {
    die "ocloc is required\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'ocloc (package intel-opencl-icd) is not installed';
}
my $pocl = eval { Kernels::run_opencl((grep { !$_->{why} } Kernels::cases())[0], $dir); 1 };
die "PoCL is required and does not run\n" if !$pocl && $ENV{GPUDBG_ORACLE_REQUIRED};

# What the checkers report of a launch: the compiler's own code is sound.
sub reports_of ($object, $case) {
    my @words = Kernels::launch_words($case, $dir);
    my $said = output(commands('check all on', "launch @words", 'continue', 'info checks'), $object);
    return $said =~ /^Done:.*^No reports/ms ? '' : $said;
}

# Where ocloc 22.43 makes code for bindless mode that cannot work: kernels, how they stop, why.
my @lost = (
    [qr/64|^int_narrow$|^float_convert$|^double_|^sparse_rows$/,
        qr/dc0, descriptor in a register, descriptor 0x\w+: not implemented/,
        'the offset of a state is added to the descriptor of a read of qwords'],
    [qr/^(?:fourier256|power_mod|edit_distance)$/, qr/no bindless surface has the state/,
        'the token of an argument in constant memory does not name the place of the payload that the code reads'],
    [qr/^atomics_(?:shared|own)$/, qr/(?:0x0414AEFF|0x0[48]200592).*(?:a null pointer|no buffer is near)/s,
        'compare and swap has the offset in a buffer for an address'],
);

# float_flush has options of its own; gen12 runs it.
my @cases = grep { $_->{file} !~ m{^isa/} && $_->{kernel} ne 'float_flush' } Kernels::cases();
for my $to (defined $first ? () : @devices) {
    my %kernels;
    for my $case (sampled_from(2, @cases)) {
        subtest "$to: " . Kernels::title($case) => sub {
            my %want = eval { $pocl && !$case->{why} ? Kernels::run_opencl($case, $dir)
                    : Kernels::run_reference($case, $dir) };
            is($@, '', 'the reference runs it') or return;
            # Unoptimised code for Broadwell has opcode 33h, which it lacks (help gen9).
            my @more = $to eq 'acm-g10' ? qw(large large.ze) : ();
            for my $how ($to eq 'bdw' ? qw(bin ze) : (qw(bin ze O0 O0.ze bindless), @more)) {
                my $object = GenKernels::made($case->{source}, $to, $how, $dir) or next;
                my %got = eval { Kernels::run_gpudbg($object, $case, $dir) };
                my ($why) = $how eq 'bindless' && $@ ? grep { $case->{kernel} =~ $_->[0] && $@ =~ $_->[1] } @lost : ();
                if ($why) {
                    note("bindless: $why->[2]");
                    next;
                }
                # ocloc 22.43 keeps the 256 bytes in registers then, and takes the byte that is the index for a signed
                # one (mul acc0:uw r5:b 16): bytes from 128 on are looked for in front of the registers.
                next if $how =~ /^large/ && $case->{kernel} eq 'scratch_bytes';
                is($@, '', "$how runs") or next;
                $kernels{ Kernels::title($case) } = 1;
                like(output('--json', commands('info kernels'), $object), qr/"grfs":256/, "$how: 256 registers")
                    if $how =~ /^large/;
                # Optimised code of this one loads what it has left out to store (GenKernels.pm).
                my $reports = $case->{kernel} eq 'calls_results' && $how eq 'ze'
                    ? qr/what is stored .* was never written/ : qr/\A\z/;
                like(reports_of($object, $case), $reports, "$how: the checkers are silent, or right")
                    if $how eq 'ze' || ($how eq 'O0' && $ENV{GPUDBG_NIGHTLY});
                my ($found, $broken) = gpudbg(commands('check regions'), $object);
                is($broken, '', '... and no rule of regions is broken');
                for (sort keys %want) {
                    my $right = GenKernels::as_compiled_e8($case, $how, $want{$_});
                    is(Kernels::difference($got{$_}, $right, $case->{save}{$_}), undef, "$how: argument $_");
                }
            }
            ok(1, 'not compiled') if !$kernels{ Kernels::title($case) };
        };
    }
    diag("$to: " . keys(%kernels) . ' kernels');
}

# ---- Random programs ----

my ($ran, $asked) = (0, 0);
$count //= $ENV{GPUDBG_NIGHTLY} ? 50 : 3;
$first //= 1;
for my $seed ($first .. $first + $count - 1) {
    my %made;
    for my $to (@devices) {
        my $floats = $floats_only{$to} // 0;
        $made{$floats} //= [RandomKernel::answer($seed, $dir, $floats ? \&RandomKernel::without_doubles : undef)];
        my ($case, $want) = @{ $made{$floats} };
        my $text = RandomKernel::source($seed);
        Kernels::write_file("$dir/f.c", $floats ? RandomKernel::without_doubles($text) : $text);
        # Unoptimised code for Ice Lake joins halves of 64 bits by a shift of a dword by 32 (help gen11).
        for my $options ('', $to =~ /^(?:bdw|icllp|acm-g10)$/ ? () : '-cl-opt-disable') {
            for my $container (qw(patch-tokens zebin)) {
                $asked++;
                my $internal = $container eq 'zebin' ? '-ze-allow-zebin' : '';
                my $failed = system("cd $dir && ocloc compile -q -file f.c -device $to "
                        . "-options '-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt $options' "
                        . "-internal_options '$internal' -output f -output_no_suffix >/dev/null 2>&1");
                SKIP: {
                    skip "program $seed: ocloc gives up", 1 if $failed || !-f "$dir/f";
                    $ran++;
                    my %got = eval { Kernels::run_gpudbg("$dir/f", $case, $dir) };
                    is($@ || Kernels::difference($got{0}, $want, 'bits'), undef,
                        "$to, $container, program $seed" . ($options && ', not optimised'));
                }
                unlink "$dir/f";
            }
        }
    }
}
cmp_ok($ran, '>=', $asked / 2, "ocloc compiles $ran of $asked") if $count;
done_testing();
