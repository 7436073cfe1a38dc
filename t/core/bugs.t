#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The kinds of mistakes that checkers of OpenCL are measured by, a kernel each (t/data/kernels/bugs.cl), as clang made
# it for gfx7 and ocloc for DG1 in both containers: found where the table says so, by the checker, with its line where
# the file has lines; and not a word about its sound twin, with all checkers on.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $dir = Kernels::source_dir();
my @files = ("$dir/gfx7/bugs-O0-g.co", "$dir/gfx7/bugs-O2-g.co", "$dir/gen12/bugs.bin", "$dir/gen12/bugs.ze");
my @source = split /\n/, Kernels::read_file("$dir/bugs.cl");

# Kernels of the source that are no row here: nothing of the two machines' manuals says what a load that is not aligned
# in local memory brings.
my %unknown = map { $_ => 1 } qw(unaligned_local);

# Why a mistake cannot be seen in a file.
my $registers = 'the compiler keeps the array in registers';

my $unknown_array = 'the file has no debug information';

my @names = map { m{([^/]+)$} } @files;
my $waits = 'the waves of a group share a cache that takes their accesses in order, whatever the fence is about';
my $inside   = 'inside a group an atomic load is compiled to the same load of a lane';
my $volatile = 'a volatile load is an atomic one in the code: the bit glc';
my $part = 'what is stored is written in part, as padding and vectors of three are';

# [kernel, arguments, who finds it on gfx7, on gen12, text of the guilty line, {file => why not}]
my @table = (
    ['global_past', 'zero:512', 'fault', 'bounds', 'out[i + wrong] = i'],
    ['global_before', 'zero:512', 'fault', 'bounds', 'out[i - 2'],
    ['constant_past', 'zero:512 zero:512', 'fault', 'bounds', 'in[i + wrong]'],
    ['local_past', 'zero:512', 'range', 'fault', 'p[i + wrong] = i'],
    ['private_past', 'zero:512', 'fault', 'fault', 'a[(k + i) % 8', { 'bugs-O2-g.co' => $registers,
        'bugs.bin' => $registers, 'bugs.ze' => $registers }],
    ['null_load', 'zero:512 null', 'fault', 'fault', 'wrong ? in[i]'],
    ['stores_argument', 'zero:512 read-only:zero:512', 'fault', 'fault', 'in[i] = i'],
    ['loads_argument', 'zero:512 write-only:zero:512', 'fault', 'fault', 'wrong ? in[(i + 1)'],
    ['race_groups', 'zero:2048', 'race', 'race', 'out[wrong ? 256'],
    ['race_waves', 'zero:2048', 'race', 'race', 'out[i] = i + 1'],
    ['race_local', 'zero:512', 'race', 'race', 'p[i] = i + 1'],
    ['race_lanes', 'zero:512', 'race', 'race', 'p[wrong ?'],
    ['race_atomic', 'zero:2048', 'race', 'race', 'out[300];', { 'bugs-O0-g.co' => $inside }],
    ['race_compare', 'zero:2048', 'race', 'race', 'int old = *sum', { map { $_ => $volatile } grep { /co$/ } @names }],
    ['diverged_barrier', 'zero:512', 'barrier', 'barrier', 'barrier(CLK_LOCAL_MEM_FENCE)'],
    ['unset_local', 'zero:512', 'uninitialised', 'uninitialised', 'out[get_global_id(0)] = p[i]'],
    ['unset_branch', 'zero:512', 'uninitialised', 'uninitialised', 'if (p[127 - i]'],
    ['unset_address', 'zero:512', 'uninitialised', 'uninitialised', 'out[p[i] & 127]'],
    ['unset_private', 'zero:512', 'uninitialised', 'uninitialised', 'out[i] = a[(i + 7)',
        { 'bugs.bin' => $registers, 'bugs.ze' => $registers }],
    ['unset_buffer', 'zero:512 uninit:512', 'uninitialised', 'uninitialised', 'wrong ? in[i] * 3'],
    (map { [$_, 'zero:512', 'array', 'array', 'out[i] = a', { 'bugs.bin' => $unknown_array,
        'bugs.ze' => $unknown_array }] } qw(array_past array_before)),
    ['copy_in', 'zero:512 zero:512', 'uninitialised', 'uninitialised', 'out[get_global_id(0)] = p'],
    ['copy_out', 'zero:512', 'race', 'race', 'p[127 - i] = 0'],
    ['copy_past', 'zero:512', 'fault', 'bounds', 'async_work_group_copy(out + wrong', { line => 'a library has none' }],
    ['copy_some', 'zero:512 zero:512', 'uninitialised', 'uninitialised', 'out[get_global_id(0)] = p[i]'],
    ['atomic_past', 'zero:512', 'fault', 'fault', 'atomic_inc(&out[get_global_id(0) + wrong])'],
    ['two_barriers', 'zero:512', 'barrier', 'barrier', 'CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE'],
    ['race_hidden', 'zero:512', 'race', 'race', 'p[0] += 2'],
    ['race_after', 'zero:516', 'race', 'race', 'out[128] = 3'],
    ['fence_other', 'zero:1024', 'race', 'race', 'barrier', { map { $_ => $waits } grep { /co$/ } @names }],
    ['unset_padding', 'zero:1024', 'uninitialised', 'uninitialised', 'out[i] = s', { map { $_ => $part } @names }],
    ['unset_byte', 'zero:512', 'uninitialised', 'uninitialised', '((local int *)p)[i] + 1'],
);

# Tests of Oclgrind (tests/kernels of its repository) that hold a mistake: the kernels above that make it, or why it is
# not seen.
my $copies = 'compilers make loads and stores of a copy, each work-item its own part: what the calls said is not there';
my $members = 'of a structure the whole is checked: the code does not show where a member ends';
my %oclgrind = (
    alignment => { unaligned => 'no manual says what is not allowed; AMD IL has `check alignment`' },
    async_copy => { async_copy_divergent => $copies, async_copy_loop_divergent => $copies,
        async_copy_single_wi => $copies, async_copy_unwaited => [qw(copy_in copy_out)],
        async_copy_global_race => $copies, async_copy_local_race => $copies },
    atomics => { atomic_cmpxchg_race => ['race_after'], atomic_cmpxchg_read_race => ['race_after'],
        atomic_cmpxchg_write_race => ['race_after'], atomic_global_fence_race => ['race_atomic'],
        atomic_intergroup_race => [qw(race_atomic race_groups)], atomic_race_after => ['race_after'],
        atomic_race_before => ['race_atomic'] },
    barrier => { barrier_different_instructions => ['two_barriers'], barrier_divergence => ['diverged_barrier'] },
    'data-race' => { global_only_fence => ['fence_other'], global_read_write_race => ['race_waves'],
        global_write_write_race => ['race_groups'], intergroup_hidden_race => ['race_groups'],
        intergroup_race => ['race_groups'],
        intragroup_hidden_race => ['race_hidden'], local_only_fence => ['fence_other'],
        local_read_write_race => ['race_local'], local_write_write_race => ['race_lanes'],
        uniform_write_race => 'stores of equal values: `set equal-stores on` reports them (t/core/checks.t)' },
    memcheck => { async_copy_out_of_bounds => ['copy_past'], atomic_out_of_bounds => ['atomic_past'],
        casted_static_array => $members, dereference_null => ['null_load'],
        read_out_of_bounds => [qw(global_past global_before constant_past local_past private_past)],
        read_write_only_memory => ['loads_argument'], static_array => $members, static_array_padded_struct => $members,
        write_out_of_bounds => [qw(global_past local_past private_past)],
        write_read_only_memory => ['stores_argument'] },
    uninitialized => { partially_uninitialized_fract => ['unset_private'], uninitialized_address => ['unset_address'],
        uninitialized_global_buffer => ['unset_buffer'], uninitialized_local_array => ['unset_local'],
        uninitialized_local_ptr => ['unset_local'], uninitialized_local_variable => [qw(unset_branch unset_byte)],
        uninitialized_packed_struct_memcpy => $part, uninitialized_private_array => ['unset_private'],
        uninitialized_padded_nested_struct_memcpy => $part, uninitialized_padded_struct_memcpy => $part },
);

# What was found, by the first of each kind, with the line: "race:12".
sub found {
    my ($file, $kernel, $arguments, $wrong) = @_;
    my $global = $kernel eq 'race_groups' ? 256 : 128;
    my @r = records($file, commands('check all on', "launch $kernel -g $global -l 128 $arguments $wrong",
        ('continue') x 12, 'info checks'));
    my %by;
    for (@r) {
        my $line = @{ $_->{frames} // [] } ? $_->{frames}[0]{line} : 0;
        $by{ $_->{kind} } //= $line if $_->{type} eq 'check';
        $by{fault} //= $line if $_->{type} eq 'stop' && $_->{reason} eq 'fault';
    }
    my $done = !!grep { $_->{type} eq 'stop' && $_->{reason} eq 'done' } @r;
    return ($done, \%by, [grep { $_->{type} eq 'check' } @r]);
}

my %kernels = map { /^kernel void (\w+)/ && !$unknown{$1} ? ($1 => 1) : () } @source;
is(join(' ', sort keys %kernels), join(' ', sort map { $_->[0] } @table), 'the table has every kernel');
my %row = map { $_->[0] => 1 } @table;
for my $folder (sort keys %oclgrind) {
    for my $test (sort keys %{ $oclgrind{$folder} }) {
        my $how = $oclgrind{$folder}{$test};
        ok(ref $how ? !grep { !$row{$_} } @$how : length $how,
            "Oclgrind's $folder/$test: " . (ref $how ? "@$how" : $how));
    }
}
my $rows = 0;
for my $row (@table) {
    $rows++;
    my ($kernel, $arguments, $gfx7, $gen12, $text, $not) = @$row;
    subtest $kernel => sub {
        my ($start) = grep { $source[$_] =~ /^kernel void $kernel\(/ } 0 .. $#source;
        my ($line) = grep { $_ > $start + 1 && $source[$_ - 1] =~ /\Q$text/ } 1 .. @source;
        for my $file (sampled_from($rows, @files)) {
            my ($name, $want) = ($file =~ m{([^/]+)$}, $file =~ /gfx7/ ? $gfx7 : $gen12);
            my ($done, $by, $reports) = found($file, $kernel, $arguments, 1);
            if ($not && $not->{$name}) {
                is(join(' ', sort keys %$by), '', "$name: not found: $not->{$name}");
            }
            else {
                ok(exists $by->{$want}, "$name: found: $want") or diag join ' ', %$by;
                my ($check) = grep { $_->{kind} eq $want && $_->{frames} && $_->{frames}[0]{line} == $line } @$reports;
                ok($want eq 'fault' ? $by->{fault} == $line : $check, "$name: ... at line $line")
                    if $name =~ /-g\.co$/ && !$not->{line};
            }
            ($done, $by, $reports) = found($file, $kernel, $arguments, 0);
            is($done, 1, "$name: the twin comes to its end");
            is(join('; ', map { $_->{message} } @$reports), '', "$name: ... in silence");
        }
    };
}

# Arrays in scratch of RDNA, compiled here: buffer and scratch words, waves of 32 and 64, in a kernel and in a function
# with a frame of its own.
subtest 'arrays of RDNA' => sub {
    my ($library) = grep { -d } $ENV{DEVICE_LIBS} // (), glob '/usr/lib/*/amdgcn/bitcode';
    plan skip_all => 'clang-19 or rocm-device-libs is not installed' if !$library || !-x '/usr/bin/clang-19';
    my $made = tempdir(CLEANUP => 1);
    Kernels::write_file("$made/deep.cl", <<'END');
__attribute__((noinline)) int deep(int i, int n) {
    int first[8], second[8];
    for (int k = 0; k < n; k++) {
        first[k & 15] = k;
        second[k & 7] = k * 2;
    }
    return first[i & 7] + second[i & 7];
}
kernel void calls(global int *out, int wrong) {
    int more[5];
    const int i = get_global_id(0);
    for (int k = 0; k < 5; k++)
        more[k] = k;
    out[i] = deep(i, wrong ? 16 : 8) + more[i % 5];
}
END
    for my $how (['gfx1010'], ['gfx1030', '-mwavefrontsize64'],
        ['gfx1030', qw(-Xclang -target-feature -Xclang +enable-flat-scratch)]) {
        my ($cpu, @more) = @$how;
        for my $case (["$dir/bugs.cl", 'array_past', 'out[i] = a'], ["$dir/bugs.cl", 'array_before', 'out[i] = a'],
            ["$made/deep.cl", 'calls', 'first[k & 15]']) {
            my ($from, $kernel, $text) = @$case;
            Kernels::run('clang-19', '-x', 'cl', '-Xclang', '-finclude-default-header', '-target',
                'amdgcn-amd-amdhsa', "-mcpu=$cpu", @more, "--rocm-device-lib-path=$library", '-w', '-g', '-O0',
                '-cl-std=CL2.0', '-o', "$made/code.co", $from);
            my @lines = split /\n/, Kernels::read_file($from);
            my ($done, $by, $reports) = found("$made/code.co", $kernel, 'zero:512', 1);
            like($lines[($by->{array} // 0) - 1], qr/\Q$text/, "@$how: $kernel is found in its line");
            ($done, $by, $reports) = found("$made/code.co", $kernel, 'zero:512', 0);
            is($done, 1, '... its twin comes to its end');
            is(join('; ', map { $_->{message} } @$reports), '', '... in silence');
        }
    }
};

# What a checker cannot look at is said, so that its silence is not taken for praise.
for (['array', $files[2], 'without debug information (compile with -g)'],
    ['wait', $files[3], 'in gen12 code (help check)'], ['scoreboard', $files[0], 'in gfx7 code (help check)']) {
    my ($kind, $file, $where) = @$_;
    my ($said) = gpudbg($file, commands("check $kind on"));
    is($said, "check $kind: it looks at nothing $where\n", "$kind on: $where");
    ($said) = gpudbg($file, commands('check race on', 'check all on'));
    is($said, '', 'no word of those that do look');
}
done_testing;
