#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `check hazard` on RDNA: each rule reports its pair of instructions, in a run and over code without a run, and is
# silent when what ends it is between them, and on RDNA 2.  The pairs and what ends them are those of LLVM's and Mesa's
# hazard recognizers, which are named in decoders/gcn/check/hazards.def.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

# The bytes of lines of text; the assembler is held against llvm-mc elsewhere.
my %made;
sub code ($isa, @lines) {
    return $made{"$isa @lines"} //= do {
        Kernels::write_file("$dir/text.s", join "\n", @lines, '');
        my $out = "$dir/" . keys(%made);
        gpudbg('--isa', $isa, commands("assemble $dir/text.s $out"));
        die "@lines: not assembled\n" if !-e $out;
        $out;
    };
}

# What is reported: without a run, and in one; a program with image operations has no run.
sub reports ($isa, @lines) {
    my @open = ('--isa', $isa, '--raw', code($isa, @lines, 's_endpgm'));
    my @said = grep { $_->{type} eq 'check' } records(@open, commands('check hazard'));
    return @said if "@lines" =~ /image/;
    my @run = records(@open, commands('check hazard on', 'launch -g 64 -l 64 exec=hex:' . '00' x 8, ('continue') x 4,
        'info checks'));
    my ($end) = grep { $_->{type} eq 'stop' } reverse @run;
    is($end->{reason}, 'done', 'the program comes to its end') or diag("@lines");
    is_deeply([map { "$_->{pc} $_->{message}" } grep { $_->{type} eq 'check' } @run],
        [map { "$_->{pc} $_->{message}" } @said], 'a run reports what the code does') or diag("@lines");
    return @said;
}

my $buffer = 'buffer_load_dword v1, off, s[4:7], s8';
my $scattered = 'image_sample_d v[0:3], [v4, v6, v8, v9, v11, v13], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D';
my $two = 'image_load v[0:3], [v4, v6], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm';
# First, second, what ends it, what does not, the report.
my @rules = (
    ['VMEMtoScalarWriteHazard', ['global_load_dword v1, v0, s[4:5]'], 's_mov_b32 s4, s20',
        ['v_mov_b32 v5, v6', 's_waitcnt vmcnt(0)', 's_waitcnt_depctr 0xffe3', 's_waitcnt 0'],
        ['s_nop 7', 's_mov_b32 s22, s20', 's_waitcnt lgkmcnt(0)', 's_waitcnt_depctr 0xfffe',
            's_waitcnt_vscnt null, 0x0'],
        qr/^s_mov_b32 writes s4, which global_load_dword reads: a vector operation, s_waitcnt vmcnt\(0\) or /],
    ['VMEMtoScalarWriteHazard', ['ds_read_b32 v1, v0'], 's_mov_b32 exec_lo, s21', ['v_nop'], ['s_nop 7'],
        qr/^s_mov_b32 writes exec_lo, which ds_read_b32 reads/],
    ['VMEMtoScalarWriteHazard', [$buffer], 's_load_dword s8, s[20:21], 0x0', ['v_nop'], ['s_nop 7'],
        qr/^s_load_dword writes s8, which buffer_load_dword reads/],
    ['SMEMtoVectorWriteHazard', ['s_load_dword s22, s[4:5], 0x0'], 'v_readfirstlane_b32 s4, v0',
        ['s_mov_b32 s23, s20', 's_mov_b32 null, 0', 's_waitcnt lgkmcnt(0)', 's_waitcnt_lgkmcnt null, 0x0'],
        ['v_mov_b32 v5, v6', 's_nop 7', 's_waitcnt vmcnt(0)', 's_waitcnt_vscnt null, 0x0', 's_waitcnt lgkmcnt(1)'],
        qr/^v_readfirstlane_b32 writes s4, which s_load_dword reads: a scalar operation or s_waitcnt lgkmcnt\(0\) is/],
    ['SMEMtoVectorWriteHazard', ['s_load_dword s22, vcc, 0x0'], 'v_cmp_eq_u32_e32 vcc_lo, 0, v0',
        ['s_mov_b32 s23, s20'], ['v_nop'], qr/^v_cmp_eq_u32 writes vcc_lo, which s_load_dword reads/],
    ['VcmpxExecWARHazard', ['s_mov_b32 s22, exec_lo'], 'v_cmpx_eq_u32_e32 0, v0',
        ['v_cmp_eq_u32_e64 s4, 0, v0', 'v_readfirstlane_b32 s4, v0', 's_waitcnt_depctr 0xfffe'],
        ['v_mov_b32 v5, v6', 's_nop 7', 's_waitcnt_depctr 0xffe3', 's_mov_b32 s22, s20'],
        qr/^v_cmpx_eq_u32 writes exec_lo, which s_mov_b32 reads: a vector operation that writes scalars, or /],
    ['VcmpxExecWARHazard', ['global_load_dword v1, v0, s[4:5]'], 'v_cmpx_eq_u32_e32 0, v0',
        ['v_readfirstlane_b32 s22, v0'], ['s_waitcnt vmcnt(0)'],
        qr/^v_cmpx_eq_u32 writes exec_lo, which global_load_dword/],
    ['VcmpxPermlaneHazard', ['v_cmpx_eq_u32_e32 0, v0'], 'v_permlane16_b32 v1, v2, s0, s1', ['v_mov_b32 v5, v6'],
        ['v_nop', 's_nop 7', 's_mov_b32 s22, s20'],
        qr/^v_permlane16_b32 follows v_cmpx_eq_u32: a vector operation that is no v_nop is needed/],
    ['VcmpxPermlaneHazard', ['v_cmpx_eq_u32_e32 0, v0'], 'v_permlanex16_b32 v1, v2, s0, s1', ['v_mov_b32 v5, v6'], [],
        qr/^v_permlanex16_b32 follows/],
    ['LdsBranchVmemWARHazard', ['global_load_dword v1, v0, s[4:5]', 's_branch 0'], 'ds_read_b32 v2, v0',
        ['s_waitcnt_vscnt null, 0x0', 'global_load_dword v3, v0, s[4:5]'],
        ['s_nop 7', 's_waitcnt vmcnt(0)', 's_waitcnt_vscnt null, 0x1', 'v_mov_b32 v5, v6'],
        qr/^ds_read_b32 comes by a branch after global_load_dword: s_waitcnt_vscnt null, 0x0 is needed/],
    ['LdsBranchVmemWARHazard', ['ds_read_b32 v2, v0', 's_cbranch_scc0 0'], $buffer,
        ['s_waitcnt_vscnt null, 0x0', 'ds_read_b32 v3, v0'], ['v_nop'],
        qr/^buffer_load_dword comes by a branch after ds_read_b32/],
    ['NSAtoVMEMBug', [$scattered], "$buffer offset:6", ['s_nop 0', 'v_nop'], [],
        qr/^buffer_load_dword follows image_sample_d 0 wait states later; 1 is needed/],
    ['waNsaCannotFollowWritelane', ['v_writelane_b32 v1, s5, 3'], $two, ['s_nop 0'], [],
        qr/^image_load follows v_writelane_b32 0 wait states later; 1 is needed/],
    ['FPAtomicToDenormModeHazard', ['global_atomic_fmin v0, v1, s[4:5]'], 's_denorm_mode 0x3',
        ['s_nop 2', 'v_nop', 's_waitcnt_vscnt null, 0x0'], ['s_nop 1', 's_mov_b32 s22, s20'],
        qr/^s_denorm_mode follows global_atomic_fmin \d wait states? later; 3 are needed/],
);
for my $rule (@rules) {
    my ($name, $first, $second, $ends, $others, $message) = @$rule;
    for my $between ([], map { [$_] } @$others) {
        my @lines = (@$first, @$between, $second);
        my @said = reports('gfx10', @lines);
        is(scalar @said, 1, join('; ', @lines) . ': one report') or diag join "\n", map { $_->{message} } @said;
        like($said[0]{message} // '', $message, '... in words');
        like($said[0]{message} // '', qr/\(\Q$name\E\)$/, '... and by its name');
        like($said[0]{origin} // '', qr/^(?:read|executed) at 0x0$/, '... which names the first');
    }
    is(scalar reports('gfx10', @$first, $_, $second), 0, "... and none with $_ between them") for @$ends;
    is(scalar reports('gfx10.3', @$first, $second), $name =~ /^FP/ ? 1 : 0, '... RDNA 2 has it or has it not');
}

# By themselves.
my %alone = ('s_branch 63' => 'Offset3fBug', 's_inst_prefetch 0x1' => 'InstFwdPrefetchBug');
for my $line (sort keys %alone) {
    my @said = grep { $_->{type} eq 'check' } records('--isa', 'gfx1013', '--raw', code('gfx1013', $line,
        ('s_nop 0') x 64, 's_endpgm'), commands('check hazard'));
    like($said[0]{message} // '', qr/\Q($alone{$line})\E$/, $line);
    is(scalar reports('gfx10.3', $line, ('s_nop 0') x 64), 0, '... not on RDNA 2');
}

subtest 'no hazard' => sub {
    for my $case (
        ['another register', 'global_load_dword v1, v0, s[4:5]', 's_mov_b32 s6, s20'],
        ['exec, where it is no operand', 'ds_read_b32 v1, v0', 's_and_saveexec_b32 s22, s23'],
        ['a comparison that keeps exec', 'v_cmp_eq_u32_e32 vcc_lo, 0, v0', 'v_permlane16_b32 v1, v2, s0, s1'],
        ['FLAT words and branches', 'flat_load_dword v1, v[2:3]', 's_branch 0', 'ds_read_b32 v2, v0'],
        ['no branch', 'global_load_dword v1, v0, s[4:5]', 'ds_read_b32 v2, v0'],
        ['an even offset', $scattered, "$buffer offset:8"],
        ['few addresses', $two, "$buffer offset:6"],
        ['vcc_hi, which is no mask here', 's_load_dword s22, s[20:21], 0x0', 's_load_dword vcc_hi, s[20:21], 0x0',
            'v_cmp_eq_u32_e32 vcc_lo, 0, v0'],
    ) {
        my ($name, @lines) = @$case;
        my @said = reports('gfx10', @lines);
        is(scalar @said, 0, $name) or diag($said[0]{message});
    }
    is(scalar reports('gfx10-wave64', 'ds_read_b32 v1, v0', 's_mov_b32 exec_hi, s21'), 1,
        'in a wave of 64, exec_hi, too');
};
done_testing();
