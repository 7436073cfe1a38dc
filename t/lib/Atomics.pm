# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kernels that synchronise by OpenCL 2's atomics, made from a table: shapes (locks, flags, tickets, ...) with words and
# data of several types, at the scopes of a work-group, the device and the system.  As C11 says, each is free of races;
# each of its marks @ACQ@, @REL@ and @BOTH@ is needed.  So its twins, which have one of them relaxed, race.
#
#   my @programs = Atomics::programs();      { name, shape, source, twins => [{ name, mark, source }], launch, scope }
#   my $text = Atomics::file(@sources);      one file of many kernels
#
# A program's kernel takes (word, data, out), buffers of zeros; `launch` has the words behind the name.
package Atomics;
use v5.36;
use Kernels;

use constant PRELUDE => <<'END';
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define BOTH memory_order_acq_rel
#define GLOBAL CLK_GLOBAL_MEM_FENCE
#define LOCAL CLK_LOCAL_MEM_FENCE
END

# A shape: [name, scopes, body].  W is the type of words, D that of data, SC the scope.  One item of each group, or of
# each half of a group at the scope of a work-group, is an actor: ME is its number, of ACTORS.
my @between = qw(device all_svm_devices);
my @any = ('work_group', @between);
my @shapes = (
    ['lock_cas', \@any, <<'END'],
    for (int i = 0; i < 3; i++) {
        W none = 0;
        while (!atomic_compare_exchange_strong_explicit(word, &none, (W)1, @ACQ@, RELAXED, SC))
            none = 0;
        data[0] += (D)(ME + i);
        atomic_store_explicit(word, (W)0, @REL@, SC);
    }
END
    ['lock_weak', \@any, <<'END'],
    W none;
    do
        none = 0;
    while (!atomic_compare_exchange_weak_explicit(word, &none, (W)(ME + 1), @ACQ@, RELAXED, SC));
    data[0] += (D)1;
    data[1] = data[0] + (D)ME;
    atomic_store_explicit(word, (W)0, @REL@, SC);
END
    ['lock_exchange', \@any, <<'END'],
    while (atomic_exchange_explicit(word, (W)1, @ACQ@, SC))
        ;
    data[0] += (D)(ME + 1);
    atomic_exchange_explicit(word, (W)0, @REL@, SC);
END
    ['lock_looks_first', \@any, <<'END'],
    W none;
    do {
        while (atomic_load_explicit(word, RELAXED, SC))
            ;
        none = 0;
    } while (!atomic_compare_exchange_strong_explicit(word, &none, (W)1, @ACQ@, RELAXED, SC));
    data[0] += (D)(ME + 1);
    atomic_store_explicit(word, (W)0, @REL@, SC);
END
    ['lock_tries', \@any, <<'END'],
    for (int i = 0; i < 4; i++) {
        W none = 0;
        if (!atomic_compare_exchange_strong_explicit(word, &none, (W)1, @ACQ@, RELAXED, SC))
            continue;
        data[0] += (D)1;
        atomic_store_explicit(word, (W)0, @REL@, SC);
        out[ME] = (D)i;
    }
END
    ['two_locks', \@any, <<'END'],
    for (int i = 0; i < 4; i++) {
        global WORD *lock = &word[64 * ((ME + i) & 1)];
        W none = 0;
        while (!atomic_compare_exchange_strong_explicit(lock, &none, (W)1, @ACQ@, RELAXED, SC))
            none = 0;
        data[64 * ((ME + i) & 1)] += (D)(ME + 1);
        atomic_store_explicit(lock, (W)0, @REL@, SC);
    }
END
    ['lock_of_readers', \@any, <<'END'],
    W was;
    if (ME & 1) {
        while (atomic_fetch_add_explicit(word, (W)2, @ACQ@, SC) & 1)
            atomic_fetch_sub_explicit(word, (W)2, RELAXED, SC);
        out[ME] = data[0];
        atomic_fetch_sub_explicit(word, (W)2, @REL@, SC);
    } else {
        do
            was = 0;
        while (!atomic_compare_exchange_strong_explicit(word, &was, (W)1, @ACQ@, RELAXED, SC));
        data[0] = (D)(ME + 1);
        atomic_fetch_sub_explicit(word, (W)1, @REL@, SC);
    }
END
    ['ticket', \@any, <<'END'],
    const W mine = atomic_fetch_add_explicit(&word[64], (W)1, RELAXED, SC);
    while (atomic_load_explicit(word, @ACQ@, SC) != mine)
        ;
    data[0] += (D)mine;
    atomic_store_explicit(word, mine + 1, @REL@, SC);
END
    ['ticket_adds', \@any, <<'END'],
    const W mine = atomic_fetch_add_explicit(&word[64], (W)1, RELAXED, SC);
    while (atomic_load_explicit(word, @ACQ@, SC) != mine)
        ;
    data[0] += (D)mine;
    atomic_fetch_add_explicit(word, (W)1, @REL@, SC);
END
    ['flag', \@any, <<'END'],
    if (ME == 0) {
        data[0] = (D)42;
        atomic_store_explicit(word, (W)1, @REL@, SC);
    } else {
        while (!atomic_load_explicit(word, @ACQ@, SC))
            ;
        out[ME] = data[0];
    }
END
    ['flag_fences', \@any, <<'END'],
    if (ME == 0) {
        data[0] = (D)42;
        atomic_work_item_fence(GLOBAL, @REL@, SC);
        atomic_store_explicit(word, (W)1, RELAXED, SC);
    } else {
        while (!atomic_load_explicit(word, RELAXED, SC))
            ;
        atomic_work_item_fence(GLOBAL, @ACQ@, SC);
        out[ME] = data[0];
    }
END
    ['flag_or', \@any, <<'END'],
    if (ME == 0) {
        data[0] = (D)42;
        atomic_fetch_or_explicit(word, (W)4, @REL@, SC);
    } else {
        while (!(atomic_fetch_or_explicit(word, (W)0, @ACQ@, SC) & 4))
            ;
        out[ME] = data[0];
    }
END
    ['flag_added_to', \@any, <<'END'],
    if (ME == 0) {
        data[0] = (D)42;
        atomic_store_explicit(word, (W)1, @REL@, SC);
    } else {
        while (atomic_fetch_add_explicit(word, (W)0, @ACQ@, SC) == 0)
            ;
        out[ME] = data[0];
    }
END
    ['flags_in_a_chain', \@any, <<'END'],
    if (ME)
        while (!atomic_load_explicit(&word[16 * ME], @ACQ@, SC))
            ;
    data[0] += (D)(ME + 1);
    atomic_store_explicit(&word[16 * ME + 16], (W)1, @REL@, SC);
END
    ['turns', \@any, <<'END'],
    while (atomic_load_explicit(word, @ACQ@, SC) != (W)ME)
        ;
    data[0] = data[0] + data[0] + (D)1;
    atomic_store_explicit(word, (W)(ME + 1), @REL@, SC);
END
    ['once', \@any, <<'END'],
    W none = 0;
    if (atomic_compare_exchange_strong_explicit(word, &none, (W)1, RELAXED, RELAXED, SC)) {
        data[0] = (D)7;
        atomic_store_explicit(word, (W)2, @REL@, SC);
    } else
        while (atomic_load_explicit(word, @ACQ@, SC) != 2)
            ;
    out[ME] = data[0];
END
    ['last_one', \@any, <<'END'],
    data[16 * ME] = (D)(ME + 1);
    if (atomic_fetch_add_explicit(word, (W)1, @BOTH@, SC) == ACTORS - 1)
        for (int i = 0; i < ACTORS; i++)
            out[0] += data[16 * i];
END
    ['last_one_down', \@any, <<'END'],
    data[16 * ME] = (D)(ME + 1);
    if (atomic_fetch_sub_explicit(word, (W)1, @BOTH@, SC) == (W)(1 - ACTORS))
        for (int i = 0; i < ACTORS; i++)
            out[0] += data[16 * i];
END
    ['last_one_fences', \@any, <<'END'],
    data[16 * ME] = (D)(ME + 1);
    atomic_work_item_fence(GLOBAL, @REL@, SC);
    const W n = atomic_fetch_add_explicit(word, (W)1, RELAXED, SC);
    atomic_work_item_fence(GLOBAL, @ACQ@, SC);
    if (n == ACTORS - 1)
        for (int i = 0; i < ACTORS; i++)
            out[0] += data[16 * i];
END
    ['queue', \@any, <<'END'],
    const W at = atomic_fetch_add_explicit(&word[64], (W)1, RELAXED, SC);
    data[at] = (D)(ME + 1);
    atomic_store_explicit(&word[128 + at], (W)1, @REL@, SC);
    for (int i = 0; i <= (int)at; i++)
        if (atomic_load_explicit(&word[128 + i], @ACQ@, SC))
            out[ACTORS * ME + i] = data[i];
END
    ['stack', \@any, <<'END'],
    data[16 * ME] = (D)(ME + 1);
    W top = atomic_load_explicit(word, RELAXED, SC);
    do
        data[16 * ME + 1] = (D)top;
    while (!atomic_compare_exchange_strong_explicit(word, &top, (W)(ME + 1), @BOTH@, RELAXED, SC));
    if (top)
        out[ME] = data[16 * (top - 1)];
END
    ['produced', \@any, <<'END'],
    if (ME == 0)
        for (int i = 0; i < 4; i++) {
            data[i] = (D)(i + 1);
            atomic_store_explicit(word, (W)(i + 1), @REL@, SC);
        }
    else
        for (int i = 0; i < 4; i++) {
            while (atomic_load_explicit(word, @ACQ@, SC) <= i)
                ;
            out[4 * ME + i] = data[i];
        }
END
    ['counts', \@any, <<'END'],
    const W was = atomic_fetch_add_explicit(word, (W)1, RELAXED, SC);
    atomic_fetch_max_explicit(&word[64], was, RELAXED, SC);
    atomic_fetch_xor_explicit(&word[65], (W)(1 << (ME & 7)), RELAXED, SC);
    out[ME] = (D)(was >= 0) + (D)(atomic_load_explicit(word, RELAXED, SC) > 0);
END
    ['largest', \@any, <<'END'],
    W old = atomic_load_explicit(word, RELAXED, SC);
    const W mine = (W)((ME * 37 + 5) & 63);
    while (old < mine && !atomic_compare_exchange_weak_explicit(word, &old, mine, RELAXED, RELAXED, SC))
        ;
    out[ME] = (D)mine;
END
    ['unique', \@any, <<'END'],
    const W at = atomic_fetch_add_explicit(word, (W)1, RELAXED, SC);
    data[at] = (D)(ME + 1);
    out[ME] = data[at];
END
);

# Shapes of all items of the groups.
my @whole = (
    ['float_sum', ['device'], <<'END'],
    W old = atomic_load_explicit(word, RELAXED, SC);
    while (!atomic_compare_exchange_weak_explicit(word, &old,
        (W)as_uint(as_float((uint)old) + (float)(get_global_id(0) & 3)), RELAXED, RELAXED, SC))
        ;
END
    ['last_group', ['device', 'all_svm_devices'], <<'END'],
    local D part[128];
    local int last;
    const int l = get_local_id(0), g = get_group_id(0);
    part[l] = (D)(l + g);
    barrier(LOCAL);
    for (int n = 64; n; n /= 2) {
        if (l < n)
            part[l] += part[l + n];
        barrier(LOCAL);
    }
    if (l == 0) {
        data[g] = part[0];
        last = atomic_fetch_add_explicit(word, (W)1, @BOTH@, SC) == (W)get_num_groups(0) - 1;
    }
    barrier(LOCAL);
    if (last && l == 0)
        for (int i = 0; i < (int)get_num_groups(0); i++)
            out[0] += data[i];
END
    ['flag_of_group', ['device', 'all_svm_devices'], <<'END'],
    const int l = get_local_id(0);
    if (get_group_id(0) == 0) {
        data[l] = (D)l;
        barrier(GLOBAL);
        if (l == 0)
            atomic_store_explicit(word, (W)1, @REL@, SC);
    } else {
        if (l == 0)
            while (!atomic_load_explicit(word, @ACQ@, SC))
                ;
        barrier(GLOBAL);
        out[get_global_id(0)] = data[l];
    }
END
    ['histogram', ['device'], <<'END'],
    local atomic_uint bin[16];
    const int l = get_local_id(0);
    if (l < 16)
        atomic_init(&bin[l], 0u);
    barrier(LOCAL);
    atomic_fetch_add_explicit(&bin[(l * 7 + get_group_id(0)) & 15], 1u, RELAXED, memory_scope_work_group);
    barrier(LOCAL);
    if (l < 16)
        atomic_fetch_add_explicit(&word[l], (W)atomic_load_explicit(&bin[l], RELAXED, memory_scope_work_group),
            RELAXED, SC);
END
    ['compaction', ['device'], <<'END'],
    local atomic_int count;
    local int base;
    const int l = get_local_id(0);
    if (l == 0)
        atomic_init(&count, 0);
    barrier(LOCAL);
    int at = -1;
    if ((l * 5 & 7) < 3)
        at = atomic_fetch_add_explicit(&count, 1, RELAXED, memory_scope_work_group);
    barrier(LOCAL);
    if (l == 0)
        base = (int)atomic_fetch_add_explicit(word, (W)atomic_load_explicit(&count, RELAXED, memory_scope_work_group),
            RELAXED, SC);
    barrier(LOCAL);
    if (at >= 0)
        out[base + at] = (D)l;
END
);

my @types = (['int', 'int'], ['uint', 'float'], ['long', 'int'], ['int', 'long'], ['ulong', 'uint']);

sub kernel ($name, $shape, $w, $d, $scope, $body) {
    my ($actor, $me, $actors) = $scope eq 'work_group' ? ('get_local_id(0) & 63 || get_group_id(0)',
        '((int)get_local_id(0) / 64)', '((int)get_local_size(0) / 64)') : ('get_local_id(0)', '((int)get_group_id(0))',
        '((int)get_num_groups(0))');
    my $all = grep { $_->[0] eq $shape } @whole;
    my $text = "kernel void $name(global WORD *word, global D *data, global D *out) {\n";
    $text .= "    if ($actor)\n        return;\n" if !$all;
    $text .= $body . "}\n";
    my %is = (WORD => "atomic_$w", W => $w, D => $d, SC => "memory_scope_$scope", ME => $me, ACTORS => $actors);
    $text =~ s/\b(WORD|W|D|SC|ME|ACTORS)\b/$is{$1}/g;
    return $text;
}

my %order = (ACQ => 'ACQUIRE', REL => 'RELEASE', BOTH => 'BOTH');
# What is left of a mark: of BOTH either half is taken away.
my %less = (ACQ => ['RELAXED'], REL => ['RELAXED'], BOTH => ['ACQUIRE', 'RELEASE']);

sub programs () {
    my ($turn, @list) = 0;
    for my $shape (@shapes, @whole) {
        my ($which, $scopes, $body) = @$shape;
        for my $scope (@$scopes) {
            # Types take turns; each shape and scope comes with two of them.
            for (1 .. 2) {
                my ($w, $d) = $types[$turn++ % @types]->@*;
                ($w, $d) = ('uint', 'float') if $which eq 'float_sum';
                my $name = "${which}_${w}_${d}_" . substr $scope, 0, 6;
                next if grep { $_->{name} eq $name } @list;
                my $sound = $body =~ s/\@(\w+)\@/$order{$1}/gr;
                my $n = () = $body =~ /\@/g;
                my @twins;
                for my $mark (0 .. $n / 2 - 1) {
                    my $at = 0;
                    my ($kind) = ($body =~ /\@(\w+)\@/g)[$mark];
                    for my $rest ($less{$kind}->@*) {
                        $at = 0;
                        my $text = $body =~ s/\@(\w+)\@/$at++ == $mark ? $rest : $order{$1}/ger;
                        my $lost = $kind eq 'BOTH' ? ($rest eq 'ACQUIRE' ? 'REL' : 'ACQ') : $kind;
                        my $twin = "${name}_no$mark" . lc $lost;
                        push @twins, { name => $twin, mark => $lost,
                            source => kernel($twin, $which, $w, $d, $scope, $text) };
                    }
                }
                my $sizes = $scope eq 'work_group' ? '-g 256 -l 256' : '-g 384 -l 128';
                push @list, { name => $name, shape => $which, scope => $scope, twins => \@twins,
                    source => kernel($name, $which, $w, $d, $scope, $sound),
                    launch => "$sizes zero:4096 zero:4096 zero:4096" };
            }
        }
    }
    return @list;
}

sub file (@sources) { return join "\n", PRELUDE, @sources }

# The objects of a file of kernels: what they are for => path.  A compiler that is not there leaves out its own.
sub compile ($dir, $text, @levels) {
    my %file;
    # "gfx10 O2" is for RDNA 1; "gfx10.3-cu O2" for RDNA 2 with groups on one compute unit, in waves of 64.
    my %cpu = (gfx7 => ['bonaire'], gfx10 => ['gfx1010'], 'gfx10.3-cu' => ['gfx1030', '-mcumode', '-mwavefrontsize64']);
    my ($library) = grep { -d } $ENV{DEVICE_LIBS} // (), '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode',
        glob('/usr/lib/*/amdgcn/bitcode');
    Kernels::write_file("$dir/atomics.cl", $text);
    my @clang = ('clang-19', '-x', 'cl', '-cl-std=CL2.0', '-w', '-Xclang', '-finclude-default-header', '-target',
        'amdgcn-amd-amdhsa', '-gline-tables-only');
    for my $level (map { my $chip = $_; map { [$chip, $_] } @levels ? @levels : qw(O0 O1 O2) } sort keys %cpu) {
        my ($chip, $o) = @$level;
        my ($cpu, @mode) = $cpu{$chip}->@*;
        next if @levels && "$chip $o" =~ /gfx10.* O0/ && !$ENV{GPUDBG_NIGHTLY};
        $file{"$chip $o"} = "$dir/$chip-$o.co" if $library && eval { Kernels::run(@clang, "-mcpu=$cpu", @mode,
            "--rocm-device-lib-path=$library", "-$o", '-o', "$dir/$chip-$o.co", "$dir/atomics.cl"); 1 };
    }
    my $made = eval { Kernels::run(qw(ocloc compile -q -device dg1 -options), '-cl-std=CL2.0', '-file',
        "$dir/atomics.cl", '-out_dir', "$dir/ocloc"); 1 };
    my ($bin) = glob "$dir/ocloc/*.bin";
    $file{gen12} = $bin if $made && $bin;
    return %file;
}

# Work-items of a wave of such an object.
sub lanes ($label) { return $label =~ /gfx7|-cu/ ? 64 : $label =~ /gfx10/ ? 32 : 16 }

# The waves that do something: of each group the first, or inside a group each that has an actor.
sub actors ($p, $lanes) {
    my ($all, $group) = $p->{launch} =~ /-g (\d+) -l (\d+)/;
    my $step = $p->{scope} eq 'work_group' ? 64 : $group;
    return [map { $_ * $step / $lanes } 0 .. $all / $step - 1];
}

# In CU mode clang 19 waits for no store before a barrier (LLVM's pull request 160501), so no wave releases what others
# of its group stored.
sub unreleased ($p, $label) { return $label =~ /-cu/ && $p->{shape} eq 'flag_of_group' }

# Inside a group gfx7, and gfx10 in CU mode, have no other loads than plain ones.
sub with_plain_loads ($p) {
    my ($w) = $p->{source} =~ /atomic_(\w+) \*word/;
    return $p->{source} =~ s/(kernel void \w+)/$1_plain/r
        =~ s/atomic_load_explicit\(([^,]+), \w+, \w+\)/(*(global $w *)($1))/gr;
}

# ---- AMD IL ----

# Words are uav1, data uav0, results uav2: raw buffers.  l0 is 0, 1, 2, 16; r0.x the group, r0.y its byte in a dword
# buffer.  Lines @ are fence_memory; `free` lines are needed, too: the twins lack one of them each.
my %il = (
    lock => <<'END',
whileloop
    uav_read_cmp_xchg_id(1) r1.x, l0.x, l0.y, l0.x
    break_logicalz r1.x
endloop
@
uav_raw_load_id(0) r2.x, l0.x
iadd r2.x, r2.x, r0.x
iadd r2.x, r2.x, l0.y
uav_raw_store_id(0) mem.x, l0.x, r2.x
@
uav_read_xchg_id(1) r1.x, l0.x, l0.x
END
    lock_again => <<'END' x 3,
whileloop
    uav_read_cmp_xchg_id(1) r1.x, l0.x, l0.y, l0.x
    break_logicalz r1.x
endloop
@
uav_raw_load_id(0) r2.x, l0.x
iadd r2.x, r2.x, r0.x
iadd r2.x, r2.x, l0.y
uav_raw_store_id(0) mem.x, l0.x, r2.x
@
uav_read_xchg_id(1) r1.x, l0.x, l0.x
END
    exchange => <<'END',
whileloop
    uav_read_xchg_id(1) r1.x, l0.x, l0.y
    break_logicalz r1.x
endloop
@
uav_raw_load_id(0) r2.x, l0.w
iadd r2.x, r2.x, l0.y
uav_raw_store_id(0) mem.x, l0.w, r2.x
@
uav_and_id(1) l0.x, l0.x
END
    flag => <<'END',
if_logicalz r0.x
    uav_raw_store_id(0) mem.x, l0.x, l0.w
    @
    uav_or_id(1) l0.x, l0.y
else
    whileloop
        uav_read_or_id(1) r1.x, l0.x, l0.x
        break_logicalnz r1.x
    endloop
    @
    uav_raw_load_id(0) r2.x, l0.x
    uav_raw_store_id(2) mem.x, r0.y, r2.x
endif
END
    turns => <<'END',
whileloop
    uav_read_or_id(1) r1.x, l0.x, l0.x
    ieq r1.y, r1.x, r0.x
    break_logicalnz r1.y
endloop
@
uav_raw_load_id(0) r2.x, l0.x
iadd r2.x, r2.x, r2.x
iadd r2.x, r2.x, l0.y
uav_raw_store_id(0) mem.x, l0.x, r2.x
@
uav_read_add_id(1) r1.x, l0.x, l0.y
END
    ticket => <<'END',
uav_read_add_id(1) r3.x, l0.w, l0.y
whileloop
    uav_read_add_id(1) r1.x, l0.x, l0.x
    ieq r1.y, r1.x, r3.x
    break_logicalnz r1.y
endloop
@
uav_raw_load_id(0) r2.x, l0.x
iadd r2.x, r2.x, r3.x
iadd r2.x, r2.x, l0.y
uav_raw_store_id(0) mem.x, l0.x, r2.x
@
uav_read_add_id(1) r1.x, l0.x, l0.y
END
    last => <<'END',
iadd r2.x, r0.x, l0.y
uav_raw_store_id(0) mem.x, r0.y, r2.x
@
uav_read_add_id(1) r1.x, l0.x, l0.y
@
ieq r1.y, r1.x, l0.z
if_logicalnz r1.y
    uav_raw_load_id(0) r2.x, l0.x
    uav_raw_load_id(0) r2.y, l1.x
    uav_raw_load_id(0) r2.z, l1.y
    iadd r2.x, r2.x, r2.y
    iadd r2.x, r2.x, r2.z
    uav_raw_store_id(2) mem.x, l0.x, r2.x
endif
END
    queue => <<'END',
uav_read_add_id(1) r3.x, l0.w, l0.y
ishl r3.y, r3.x, l0.z
iadd r3.z, r3.y, l1.z
iadd r2.x, r0.x, l0.y
uav_raw_store_id(0) mem.x, r3.y, r2.x
@
uav_read_xchg_id(1) r1.x, r3.z, l0.y
uav_read_or_id(1) r1.x, l1.z, l0.x
if_logicalnz r1.x
    @
    uav_raw_load_id(0) r2.x, l0.x
    uav_raw_store_id(2) mem.x, r0.y, r2.x
endif
END
);

sub il_text ($name, $body, $without) {
    my $at = 0;
    $body =~ s/^ *\@$/$at++ == $without ? '' : 'fence_memory'/gme;
    return <<"END";
; $name
il_cs_2_0
dcl_num_thread_per_group 64
dcl_raw_uav_id(0)
dcl_raw_uav_id(1)
dcl_raw_uav_id(2)
dcl_literal l0, 0, 1, 2, 16
dcl_literal l1, 4, 8, 64, 0
mov r0.x, vTGroupid.x
ishl r0.y, vTGroupid.x, l0.z
if_logicalz vTid.x
${body}endif
end
END
}

# Programs of AMD IL as those of `programs`, each a file of its own.
sub il_programs ($dir) {
    my @list;
    for my $shape (sort keys %il) {
        my $n = () = $il{$shape} =~ /\@/g;
        my @files = map { my $file = "$dir/$shape" . ($_ < 0 ? '' : "_no$_") . '.il';
            Kernels::write_file($file, il_text($shape, $il{$shape}, $_)); $file } -1 .. $n - 1;
        my $file = shift @files;
        push @list, { name => "il $shape", file => $file, twins => [map { { name => s{.*/}{}r, file => $_ } } @files],
            launch => '-g 192 -l 64 uav0=zero:4096 uav1=zero:4096 uav2=zero:4096' };
    }
    return @list;
}

1;
