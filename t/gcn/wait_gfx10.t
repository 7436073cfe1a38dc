#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `check wait` on RDNA: which counter covers which access, six bits wide; stores and atomics that return nothing are
# counted apart.  In a run and over code without one; what comes in which order is LLVM's (SIInsertWaitcnts).
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

sub code ($isa, @lines) {
    Kernels::write_file("$dir/text.s", join "\n", @lines, 's_endpgm', '');
    unlink "$dir/code";
    gpudbg('--isa', $isa, commands("assemble $dir/text.s $dir/code"));
    die "@lines: not assembled\n" if !-e "$dir/code";
    return ('--isa', $isa, '--raw', "$dir/code");
}
sub checks (@words) { return grep { $_->{type} eq 'check' } records(@words) }

# s[4:5] points to memory, v0 is 0.
my @launch = ('check wait on', 'launch -g 64 -l 64 lds=4096 buf0=zero:65536 s[4:5]=&buf0 v[0]=0', ('continue') x 6,
    'info checks');

my @cases = (
    ['vmcnt, loads in order', ['global_load_dword v1, v0, s[4:5]', 'global_load_dword v4, v0, s[4:5] offset:4',
        's_waitcnt vmcnt(1)', 'v_mov_b32 v6, v1']],
    ['... and one too few', ['global_load_dword v1, v0, s[4:5]', 'global_load_dword v4, v0, s[4:5] offset:4',
        's_waitcnt vmcnt(1)', 'v_mov_b32 v6, v4'],
        qr/^v4 is read, and nothing has waited \(vmcnt\) until global_load_dword/],
    ['six bits of vmcnt', [(map { "global_load_dword v$_, v0, s[4:5]" } 1, 10 .. 26), 's_waitcnt vmcnt(17)',
        'v_mov_b32 v6, v1']],
    ['... one of them too few', [(map { "global_load_dword v$_, v0, s[4:5]" } 1, 10 .. 26), 's_waitcnt vmcnt(18)',
        'v_mov_b32 v6, v1'], qr/^v1 is read/],
    ['a store does not count in vmcnt', ['global_load_dword v1, v0, s[4:5]', 'global_store_dword v0, v0, s[4:5]',
        's_waitcnt vmcnt(1)', 'v_mov_b32 v6, v1'], qr/^v1 is read/],
    ['... nor does an atomic that returns nothing', ['global_load_dword v1, v0, s[4:5]',
        'global_atomic_add v0, v0, s[4:5]', 's_waitcnt vmcnt(1)', 'v_mov_b32 v6, v1'], qr/^v1 is read/],
    ['... but one that returns', ['global_load_dword v1, v0, s[4:5]', 'global_atomic_add v4, v0, v0, s[4:5] glc',
        's_waitcnt vmcnt(1)', 'v_mov_b32 v6, v1']],
    ['vscnt is no wait for loads', ['global_load_dword v1, v0, s[4:5]', 's_waitcnt_vscnt null, 0x0',
        'v_mov_b32 v6, v1'], qr/^v1 is read/],
    ['s_waitcnt_vmcnt', ['global_load_dword v1, v0, s[4:5]', 's_waitcnt_vmcnt null, 0x0', 'v_mov_b32 v6, v1']],
    ['scalar loads in no order', ['s_load_dword s8, s[4:5], 0x0', 's_load_dword s9, s[4:5], 0x4',
        's_waitcnt lgkmcnt(1)', 's_mov_b32 s10, s8'], qr/^s8 is read, and nothing has waited \(lgkmcnt\)/],
    ['... all of them', ['s_load_dword s8, s[4:5], 0x0', 's_load_dword s9, s[4:5], 0x4', 's_waitcnt lgkmcnt(0)',
        's_mov_b32 s10, s8']],
    ['... s_waitcnt_lgkmcnt', ['s_load_dword s8, s[4:5], 0x0', 's_waitcnt_lgkmcnt null, 0x0', 's_mov_b32 s10, s8']],
    ['LDS in order, six bits', ['ds_read_b32 v1, v0', (map { "ds_read_b32 v$_, v0" } 10 .. 26),
        's_waitcnt lgkmcnt(17)', 'v_mov_b32 v6, v1']],
    ['... one too few', ['ds_read_b32 v1, v0', (map { "ds_read_b32 v$_, v0" } 10 .. 26), 's_waitcnt lgkmcnt(18)',
        'v_mov_b32 v6, v1'], qr/^v1 is read, and nothing has waited \(lgkmcnt\) until ds_read_b32/],
    ['LDS before a barrier', ['ds_write_b32 v0, v0', 's_barrier'], qr/^the LDS may not have been written/],
    ['... waited for', ['ds_write_b32 v0, v0', 's_waitcnt lgkmcnt(0)', 's_barrier']],
    ['a load before many stores', ['s_load_dword s8, s[4:5], 0x0', ('global_store_dword v0, v0, s[4:5]') x 80,
        's_mov_b32 s10, s8'], qr/^s8 is read, and nothing has waited \(lgkmcnt\) until s_load_dword/],
    ['... before many loads', ['s_load_dword s8, s[4:5], 0x0', ('global_load_dword v1, v0, s[4:5]') x 80,
        's_mov_b32 s10, s8'], qr/^s8 is read, and nothing has waited \(lgkmcnt\) until s_load_dword/],
    ['a register that a load and an atomic write in order', ['global_load_dword v1, v0, s[4:5]',
        'global_atomic_add v1, v0, v0, s[4:5] glc', 's_waitcnt vmcnt(0)', 'v_mov_b32 v6, v1']],
    ['depctr is no wait for a load', ['global_load_dword v1, v0, s[4:5]', 's_waitcnt_depctr 0x0', 'v_mov_b32 v6, v1'],
        qr/^v1 is read/],
    ['FLAT in order, in both counters', ['flat_load_dword v1, v[4:5]', 'flat_load_dword v7, v[4:5]',
        's_waitcnt vmcnt(1) lgkmcnt(1)', 'v_mov_b32 v6, v1']],
    ['... one too few', ['flat_load_dword v1, v[4:5]', 'flat_load_dword v7, v[4:5]',
        's_waitcnt vmcnt(1) lgkmcnt(1)', 'v_mov_b32 v6, v7'], qr/^v7 is read, and nothing has waited \(vmcnt\)/],
    ['... with a scalar load between them', ['flat_load_dword v1, v[4:5]', 's_load_dword s8, s[4:5], 0x0',
        's_waitcnt vmcnt(0) lgkmcnt(1)', 's_mov_b32 s10, s8'], qr/^s8 is read/],
    ['... behind the LDS', ['ds_read_b32 v1, v0', 'flat_load_dword v7, v[4:5]', 's_waitcnt lgkmcnt(1)',
        'v_mov_b32 v6, v1']],
    ['... and one too few', ['ds_read_b32 v1, v0', 'flat_load_dword v7, v[4:5]', 's_waitcnt lgkmcnt(2)',
        'v_mov_b32 v6, v1'], qr/^v1 is read, and nothing has waited \(lgkmcnt\) until ds_read_b32/],
    ['written too early', ['global_load_dword v1, v0, s[4:5]', 'v_mov_b32 v1, 0'], qr/^v1 is written/],
    ['vcc_hi is no mask of 32 lanes', ['s_load_dword vcc_hi, s[4:5], 0x0', 'v_cmp_eq_u32_e32 vcc_lo, 0, v0',
        's_waitcnt lgkmcnt(0)']],
);
for my $isa ('gfx10', 'gfx10.3-wave64') {
    for my $case (@cases) {
        my ($name, $lines, $want) = @$case;
        next if $name =~ m{^vcc_hi} && $isa =~ m{64}; # llvm-mc has no vcc_hi there alone
        my @open = code($isa, @$lines);
        my @static = checks(@open, commands('check wait'));
        is(scalar @static, $want ? 1 : 0, "$isa: $name") or diag join "\n", map { $_->{message} } @static;
        like($static[0]{message} // '', $want, '... in words') if $want;
        my @run = checks(@open, commands(@launch));
        is(join("\n", map { "$_->{pc} $_->{message}" } @run), join("\n", map { "$_->{pc} $_->{message}" } @static),
            '... the same in a run');
    }
}

# Loads of a sampler come in an order of their own: only in code, as images do not run.
for my $pair (['image_load', 'image_load', 0], ['image_sample', 'image_sample', 0], ['image_load', 'image_sample', 1]) {
    my %text = (image_load => 'image_load v1, v[4:5], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm',
        image_sample => 'image_sample v1, v[4:5], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D');
    my @said = checks(code('gfx10', @text{ @$pair[0, 1] }), commands('check wait'));
    is(scalar @said, $pair->[2], "$pair->[0] and $pair->[1] to one register");
}
done_testing();
