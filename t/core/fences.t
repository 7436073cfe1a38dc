#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Waves that synchronise through memory (t/data/kernels/fences.cl): `check race` is silent about the sound kernels, and
# finds the twins, each of which lacks what its name says; then it names the edge that is missing, and both lines.  What
# must be found follows from the memory models: LLVM's of gfx6 to gfx10, and Intel's compiler's use of fences.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Atomics;
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $kernels = Kernels::source_dir();
my @source = split /\n/, Kernels::read_file("$kernels/fences.cl");
my %arguments = (flag => '-g 384 -l 128 zero:512 zero:4 zero:2048', item => '-g 384 -l 128 zero:512 zero:4 zero:2048',
    or => '-g 384 -l 128 zero:512 zero:4 zero:2048', lock => '-g 384 -l 128 zero:4 zero:4',
    exchange => '-g 384 -l 128 zero:4 zero:4', ticket => '-g 384 -l 128 zero:4 zero:4 zero:4',
    last => '-g 512 -l 128 zero:64 zero:4 zero:4', float => '-g 384 -l 128 zero:4 zero:4096',
    counter => '-g 384 -l 128 zero:4 zero:4096', turns => '-g 384 -l 128 zero:4 zero:4 zero:4',
    local => '-g 128 -l 128 zero:512');

# Of the twins, what the report says is missing.
my ($release, $acquire) = (qr/without release \(no \S.* between\)/, qr/without acquire \(no \S.* after it\)/);
my %missing = (flag_no_acquire => $acquire,
    flag_wrong_scope => qr/by a load that sees no more than its own group's|nothing orders the two/,
    item_no_release => $release, item_no_acquire => $acquire, item_no_fence_before => $release,
    item_no_fence_after => $acquire, item_fence_of_group => $acquire, lock_no_acquire => $acquire,
    lock_no_release => $release, lock_not_taken => qr/updated (?:lock|arg1)\+0x0 at .* has not acquired it since/,
    ticket_no_acquire => $acquire, last_no_acquire => $acquire, last_no_release => $release,
    turns_no_release => $release, local_flag_missing => qr/nothing orders the two: no barrier/);
# What the code of a file has all the same: without optimisation every store is waited for; Intel's compiler puts
# a fence before the barrier that follows a flag, and knows no scope but the device.
my $waited = 'every call waits';
my %sound = ('fences-O0-g.co' => { map { $_ => $waited } qw(item_no_release item_no_fence_before lock_no_release
        last_no_release turns_no_release) },
    'fences.bin' => { flag_no_acquire => 'the barrier has a fence', flag_wrong_scope => 'there is no scope',
        item_fence_of_group => 'there is no scope' });
# Waves are of 16 lanes there, so one lane's flag says nothing of the other waves' data: that is a race.
my %only = (local_flag_sound => qr/fences-O\d-g(?!-w32)/);
# In CU mode clang 19 waits for no store before a barrier, so one wave's flag does not release what the others stored:
# LLVM's developers mended that later (pull request 160501, barriers of GFX10 and newer in CU mode).
my %broken = ('fences-O2-g-cu.co' => { map { $_ => qr/not waited for before the barrier/ }
        qw(flag_sound flag_system flag_sequential) });

my @names = map {
    /^(?:FLAG|ITEM|LOCK|LAST|TICKET|TURNS)\((\w+)/ && $1 ne 'name' || /^kernel void (\w+)/ ? $1 : ()
} @source;
cmp_ok(scalar @names, '>', 25, 'the source has kernels');
my @files = map { "$kernels/$_" } 'gfx10/fences-O2-g-w32.co', 'gfx10/fences-O2-g-cu.co', 'gfx7/fences-O2-g.co',
    'gfx7/fences-O0-g.co', 'gen12/fences.bin';
for my $file (@files) {
    my ($short) = $file =~ m{([^/]+)$};
    for my $kernel (sampled(@names)) {
        next if $only{$kernel} && $short !~ $only{$kernel};
        my ($kind) = $kernel =~ /^([a-z]+)/;
        my @r = records($file, commands('set step-limit 3000000', 'check race on', "launch $kernel $arguments{$kind}",
            ('continue') x 9, 'info checks'));
        my @checks = grep { $_->{type} eq 'check' } @r;
        my ($end) = reverse grep { $_->{type} eq 'stop' } @r;
        is($end->{reason}, 'done', "$short $kernel: comes to its end");
        my $missing = $broken{$short}{$kernel} // $missing{$kernel};
        if ($sound{$short}{$kernel} || !$missing) {
            is(join('; ', map { $_->{message} } @checks), '', '... in silence' . ($sound{$short}{$kernel}
                ? ": $sound{$short}{$kernel}" : ''));
            next;
        }
        ok(scalar(grep { $_->{origin} =~ $missing } @checks), '... the edge is named that is missing')
            or diag join "\n", map { "$_->{message}: $_->{origin}" } @checks;
        my ($stop) = grep { $_->{type} eq 'stop' && $_->{reason} eq 'check' } @r;
        is($stop->{origin}, $checks[0]{origin}, '... by the stop, too');
        my ($check) = grep { $_->{message} !~ /flag\+/ } @checks;
        next unless $short =~ /-g/ && $check;
        my ($line) = grep { $source[$_ - 1] =~ /\b\Q$kernel\E\b/ } 1 .. @source;
        cmp_ok($check->{frames}[0]{line}, '>=', $line, '... with the line of the one');
        like($check->{origin}, qr/^the other one was at \S+ \(fences\.cl:\d+\);/, '... and of the other');
    }
}
# AMD IL: nothing but its fences makes an order, so that each of them is needed.
my $dir = tempdir(CLEANUP => 1);
for my $program (sampled(Atomics::il_programs($dir))) {
    for my $file ($program->{file}, map { $_->{file} } $program->{twins}->@*) {
        my ($short) = $file =~ m{([^/]+)$};
        my @r = records($file, commands('check race on', "launch $program->{launch}", ('continue') x 9, 'info checks'));
        my @checks = grep { $_->{type} eq 'check' } @r;
        is((reverse grep { $_->{type} eq 'stop' } @r)[0]{reason}, 'done', "$short: comes to its end");
        is(join('; ', map { $_->{message} } @checks), '', '... in silence') if $short !~ /_no/;
        ok(scalar(grep { $_->{origin} =~ /without (?:release|acquire) \(no fence_memory/ } @checks),
            '... the fence that is missing is named') if $short =~ /_no/;
    }
}

# Inside a group of Sea Islands an atomic load is a plain load: beside atomics of other waves it is none that races, nor
# beside stores where what it gives is only tested.  Each wave stores to or updates a word of its own, and loads that of
# the other one.  s[0:1]: words; v1: own byte, v2: the other wave's.
my $begin = <<'END';
    v_and_b32 v1, 64, v0
    v_xor_b32 v2, 64, v1
    v_mov_b32 v3, 0
    v_mov_b32 v4, 1
    v_mov_b32 v6, s1
    v_add_i32 v5, vcc, s0, v1
    v_addc_u32 v6, vcc, 0, v6, vcc
    v_mov_b32 v8, s1
    v_add_i32 v7, vcc, s0, v2
    v_addc_u32 v8, vcc, 0, v8, vcc
    s_mov_b32 m0, -1
    s_mov_b64 exec, 1
END
my ($store, $update) = ('flat_store_dword v[5:6], v4', 'flat_atomic_add v[5:6], v4');
my ($load, $wait) = ('flat_load_dword v9, v[7:8]', 's_waitcnt 0');
for (['a load beside an atomic', '', $update, $load, $wait, 'v_add_f32 v4, v9, v9'],
    ['a load beside a store, which is tested', '', $store, $load, $wait, 'v_cmp_ne_u32 vcc, 0, v9'],
    ['... which is computed with', 'loaded since', $store, $load, $wait, 'v_add_f32 v4, v9, v9'],
    ['... which is tested, and then stored', 'loaded since', $store, $load, $wait, 'v_cmp_ne_u32 vcc, 0, v9',
        'flat_store_dword v[7:8], v9'],
    ['a load of local memory before the barrier', 'loaded since', 'ds_write_b32 v1, v4', 'ds_read_b32 v9, v2',
        's_waitcnt lgkmcnt(0)', 's_barrier'],
    ['a load of local memory beside an atomic', 'loaded since', 'ds_add_u32 v1, v4', 'ds_read_b32 v9, v2', $wait]) {
    my ($title, $says, @code) = @$_;
    Kernels::write_file("$dir/inside.s", $begin . join "\n", @code, 's_endpgm', '');
    my ($done, $err) = gpudbg('--isa', 'gfx7', commands("assemble $dir/inside.s $dir/inside.bin"));
    is($err, '', "$title: is assembled");
    my @found = grep { $_->{type} eq 'check' } records('--raw', '--isa', 'gfx7', "$dir/inside.bin",
        commands('check race on', 'launch -g 128 -l 128 buf0=zero:256 s[0:1]=&buf0 lds=256 v[0]/1=64', ('continue') x 3,
            'info checks'));
    $says ? like($found[0]{message}, qr/$says/, '... and is reported') : is(scalar @found, 0, '... and is silent');
    like($found[0]{origin}, qr/nothing orders the two: no barrier/, '... which the barrier after both does not change')
        if $code[-1] eq 's_barrier';
}
done_testing();
