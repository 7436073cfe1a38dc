#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Live registers: what is dead may be overwritten before each instruction of real kernels, and they store the same
# (live.c has the runs).  The registers that compilers allocated are at least as many as are alive, and hardly more.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use GenKernels;
use Gpudbg;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $build = $ENV{BUILD} // 'build';

# ---- Rubbish in dead registers ----

open my $script, '>', "$dir/script" or die;
my $n = 0;
for my $case (Kernels::cases()) {
    my $launch = join ' ', 'launch', Kernels::launch_words($case, "$dir/" . $n++);
    my $step = $ENV{GPUDBG_NIGHTLY} ? 1 : 4 * ($ENV{GPUDBG_SAMPLE} || 1);
    # On RDNA masks of waves of 32 are single registers.
    for my $object (grep { -e } glob "t/data/kernels/gfx10/$case->{file}-O2{,-w64}.co") {
        print $script "file $object\n$launch\n";
    }
    for my $objects ([grep { !/-v\d\.co$/ } @{ $case->{objects} }], [GenKernels::objects($case)]) {
        next if $n % $step || !@$objects;
        my ($object) = sampled_from($n, @$objects);
        print $script "file $object\n$launch\n";
    }
}
close $script;
SKIP: {
    skip 'live.c is not built', 5 unless -x "$build/t/core/live";
    # Programs in IL: those of the tests of flow and memory, but for launches that fail there, too.
    for my $test (qw(flow memory)) {
        mkdir "$dir/il-$test" or die;
        local $ENV{IL_RUNS} = "$dir/il-$test";
        system("$^X -It/lib t/il/$test.t >/dev/null 2>&1");
        my @il = grep { !/launches$/ } `$build/t/core/live $dir/il-$test/script 2>&1`;
        is_deeply([grep { /^not ok/ } @il], [], "AMD IL: programs of t/il/$test.t store the same");
        cmp_ok(scalar(grep { /^ok .* [1-9]\d* dead parts/ } @il), '>', 20 / ($ENV{GPUDBG_SAMPLE} || 1),
            '... many of them');
    }
    my @said = `$build/t/core/live $dir/script 2>&1`;
    is($?, 0, 'kernels store the same with rubbish in dead registers') or diag(grep { /^not ok|^#/ } @said);
    cmp_ok(scalar(grep { /^ok .* [1-9]\d* dead parts/ } @said), '>', 5 / ($ENV{GPUDBG_SAMPLE} || 1),
        '... in many of them');
}

# ---- Against what compilers say of their kernels ----

# Of a kernel without calls: the registers that are alive are among those that it declares.
for my $file ((map { "gfx7/$_-O2" } qw(matmul integer loops divergence reduce scan)), 'gfx10/divergence-O2') {
    my @kernels = records(commands('info kernels'), "t/data/kernels/$file.co");
    for my $kernel (grep { $_->{type} eq 'kernel' } @kernels) {
        my ($vgprs, $sgprs) = @{ $kernel }{qw(vgprs sgprs)};
        next unless $vgprs;
        my ($v, $s) = (0, 0);
        for (records(commands("info pressure $kernel->{name}"), "t/data/kernels/$file.co")) {
            $v = $_->{vector} if $_->{vector} > $v;
            $s = $_->{scalar} if $_->{scalar} > $s;
        }
        cmp_ok($v, '<=', $vgprs, "$kernel->{name}: $v vector registers alive of $vgprs");
        cmp_ok($v, '>=', $vgprs - 4, "$kernel->{name}: hardly fewer"); # they are allocated by fours
        cmp_ok($s, '<=', $sgprs, "$kernel->{name}: $s scalar registers alive of $sgprs");
    }
}

# ---- Listings ----

my @blocks = records(commands('info blocks matmul_dynamic'), 't/data/kernels/gfx7/matmul-O2.co');
my @loops = records(commands('info loops matmul_dynamic'), 't/data/kernels/gfx7/matmul-O2.co');
is(scalar @loops, 2, 'two loops');
is($loops[1]{parent}, $loops[0]{loop}, 'one in the other');
my %at = map { $_->{block} => $_ } @blocks;
for my $block (@blocks) {
    for my $next (grep { /^\d+$/ && $at{$_} } split ' ', $block->{next} // '') {
        ok((grep { $_ eq $block->{block} } split ' ', $at{$next}{before}),
            "block $next comes after block $block->{block}");
    }
}
is_deeply([map { $_->{register} } records(commands('info live *0x2700'), 't/data/kernels/gfx7/matmul-O2.co')],
    [qw(s4 s5 s6 s7 v0 v1 exec)], 'alive at its entry is what a kernel is given: its arguments, groups and work-items');
my (undef, $errors) = gpudbg(commands('info live *0x2702'), 't/data/kernels/gfx7/matmul-O2.co');
like($errors, qr/no way from an entry/, 'the middle of an instruction');

# Lives beside the code: a register is born where it is written while dead, and dies at its last read.
my %alive;
my $wrong = 0;
for my $i (records(commands('disassemble /l matmul_naive'), 't/data/kernels/gfx7/matmul-O2.co')) {
    next if $i->{text} =~ /^s_nop|^s_endpgm/;
    $wrong++ if grep { $_ !~ /^[sv]\d+$/ } map { @$_ } @$i{qw(born dies used alive)};
    $wrong++ if $i->{text} =~ /^v_mov_b32_e32 (v\d+),/ && !grep { $_ eq $1 } @{ $i->{born} }, @{ $i->{used} };
    $alive{ $i->{pc} } = scalar grep { /^v/ } @{ $i->{used} }, @{ $i->{alive} }, @{ $i->{born} };
}
is($wrong, 0, 'disassemble /l: what is written is born or used');
my %most = map { $_->{pc} => $_->{vector} }
    records(commands('info pressure matmul_naive'), 't/data/kernels/gfx7/matmul-O2.co');
is_deeply([grep { $alive{$_} > $most{$_} } grep { defined $most{$_} } sort keys %alive], [],
    '... never more than info pressure counts');

# AMD IL: components of temporaries; blocks are nested in the text.
my @il = records(commands('info live *0x2a8'), 't/data/kernels/il/matmul.il');
is_deeply([grep { /^r(?:1|7\.x|8)/ } map { $_->{register} } @il], [qw(r1.x r8.x)],
    'AMD IL: the addresses that are read, not the component that is written');
my @in = records(commands('info loops'), 't/data/kernels/il/matmul.il');
is_deeply([map { $_->{depth} } @in], [1, 2], 'its loops');
my ($spills) = grep { $_->{type} eq 'occupancy' && $_->{kernel} eq 'calls_many' }
    records(commands('info occupancy'), 't/data/kernels/gfx7/calls-O0.co');
is_deeply([@$spills{qw(scratch by_scratch)}], [288, 10], 'scratch is told: it is no limit below what a field can say');
like((gpudbg(commands('info occupancy'), 't/data/kernels/il/matmul.il'))[1],
    qr/waves of amdil fit at once is not known/,
    'what is not known is said');

done_testing;
