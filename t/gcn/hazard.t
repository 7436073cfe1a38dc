#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# `check hazard`: each rule reports with one wait state too few and is silent with enough; what compilers made is
# silent, and is not when one of their s_nop is shortened.  Words are llvm-mc 19's (-mcpu=bonaire), in the order of the
# text beside them.
use v5.36;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Basename 'basename';
use File::Temp 'tempdir';
use Gpudbg;
use Kernels;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

# Bare code, no lane active: what is stored goes nowhere.
sub reports (@words) {
    Kernels::write_file("$dir/code", pack 'V*', @words, 0xbf810000);
    my @records = records('--isa', 'gfx7', '--raw', "$dir/code",
        commands('check hazard on', 'launch -g 64 -l 64 exec=hex:' . '00' x 8, ('continue') x 4, 'info checks'));
    my ($end) = grep { $_->{type} eq 'stop' } reverse @records;
    is($end->{reason}, 'done', 'the program comes to its end');
    return grep { $_->{type} eq 'check' } @records;
}

# Ways to fill n wait states.
sub by_nop ($n) { return $n ? (0xbf800000 + $n - 1) : () }
sub by_others ($n) { return (0xbe940303) x $n } # s_mov_b32 s20, s3

my @set_mode = (0xb9831801);           # s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s3
my @skips = (0xbf108081);              # s_setvskip 1, 0
my @set_skip = (0xb9830701);           # s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s3
my @cmp_vcc = (0x7d840080);            # v_cmp_eq_u32_e32 vcc, 0, v0
my @cmp_s8 = (0xd1840008, 0x00020080); # v_cmp_eq_u32_e64 s[8:9], 0, v0
my @div_scale = (0xd2da6a01, 0x04020100); # v_div_scale_f32 v1, vcc, v0, v0, v0
my @fmas32 = (0xd2de0002, 0x04020100); # v_div_fmas_f32 v2, v0, v0, v0
my @fmas64 = (0xd2e00002, 0x04020100); # v_div_fmas_f64 v[2:3], v[0:1], v[0:1], v[0:1]
my @first_s5 = (0x7e0a0500);           # v_readfirstlane_b32 s5, v0
my @lane_s5 = (0x020c0b00);            # v_readlane_b32 s6, v0, s5
my @store4 = (0xe0780000, 0x80000000); # buffer_store_dwordx4 v[0:3], off, s[0:3], 0
my @get_mode = (0xb904f801);           # s_getreg_b32 s4, hwreg(HW_REG_MODE)
my @move_v2 = (0x7e040280);            # v_mov_b32_e32 v2, 0

my @rules = (
    [\@set_mode, \@get_mode, 2, qr/^s_getreg_b32 reads mode 1 wait state after s_setreg_b32 set it; 2 are needed$/],
    [[0xba800901, 3], \@get_mode, 2, qr/after s_setreg_imm32_b32 set it/],
    [\@set_mode, \@set_mode, 1, qr/^s_setreg_b32 sets mode 0 wait states after s_setreg_b32 set it; 1 is needed$/],
    [\@set_skip, \@move_v2, 2, qr/^v_mov_b32 obeys mode.vskip 1 wait state after s_setreg_b32 set it; 2 are needed$/],
    [[0xb983f801], \@store4, 2, qr/^buffer_store_dwordx4 obeys mode.vskip/], # s_setreg_b32 hwreg(HW_REG_MODE), s3
    [[0xbf108080], \@move_v2, 1, qr/^v_mov_b32 obeys mode.vskip 0 wait states after s_setvskip set it; 1 is needed$/],
    # s_setvskip 0, 0
    [\@skips, \@move_v2, 1, qr/^v_mov_b32 obeys mode.vskip 0 wait states after s_setvskip set it/],
    # which is passed over
    [\@cmp_vcc, \@fmas32, 4, qr/^v_div_fmas_f32 reads vcc 3 wait states after v_cmp_eq_u32 wrote it; 4 are needed$/],
    [\@div_scale, \@fmas64, 4, qr/^v_div_fmas_f64 reads vcc 3 wait states after v_div_scale_f32 wrote it/],
    [[0x4a020100], \@fmas32, 4, qr/after v_add_i32 wrote it/],
                                # v_add_i32_e32 v1, vcc, v0, v0
    [\@cmp_vcc, [0x7e0202fb], 5, qr/^v_mov_b32 reads the zero flag of vcc 4 wait states/],
      # v_mov_b32_e32 v1, src_vccz
    [[0x7da40100], [0x7e0202fc], 5, qr/^v_mov_b32 reads the zero flag of exec 4 wait states after v_cmpx_eq_u32/],
    # ..., src_execz
    [\@first_s5, \@lane_s5, 4,
    qr/^v_readlane_b32 takes its lane from s5 3 wait states after v_readfirstlane_b32 wrote it; 4 are needed$/],
    [[0x020b0700], \@lane_s5, 4, qr/after v_readlane_b32 wrote it/],                       # v_readlane_b32 s5, v0, 3
    [\@cmp_vcc, [0x020cd500], 4, qr/^v_readlane_b32 takes its lane from vcc_lo/],
              # v_readlane_b32 s6, v0, vcc_lo
    [\@store4, \@move_v2, 1, qr/^v_mov_b32 writes v2 0 wait states after buffer_store_dwordx4 stores it; 1 is needed$/],
    [[0xe0180000, 0x80000000], \@move_v2, 1, qr/after buffer_store_format_xyz /],
              # buffer_store_format_xyz v[0:2], ...
    [[0xdc7c0000, 0x00000004], \@move_v2, 1, qr/after flat_store_dwordx3 /],
                   # flat_store_dwordx3 v[4:5], v[0:2]
    [[0xdd440000, 0x00000004], \@move_v2, 1, qr/after flat_atomic_cmpswap_x2 /],
               # flat_atomic_cmpswap_x2 v[4:5], v[0:3]
);

my $rules = 0;
for my $rule (@rules) {
    $rules++;
    my ($first, $second, $states, $message) = @$rule;
    for my $fill (sampled_from($rules, \&by_nop, \&by_others)) {
        my @short = (@$first, $fill->($states - 1));
        my @checks = reports(@short, @$second);
        is(scalar @checks, 1, "$message: one report") or diag($_->{message}) for @checks ? @checks
            : {message => 'none'};
        like($checks[0]{message}, $message, '... in words');
        is($checks[0]{pc}, sprintf('0x%x', 4 * @short), '... at the second instruction');
        like($checks[0]{origin}, qr/^(?:set|written|stored) at 0x0$/, '... which names the first');
        is(scalar reports(@$first, $fill->($states), @$second), 0, '... and none with enough');
    }
}

subtest 'other registers, other instructions' => sub {
    my @quiet = (
        ['another hardware register', @set_mode, 0xb904f803],       # s_getreg_b32 s4, hwreg(HW_REG_TRAPSTS)
        ['a field without vskip', @set_mode, @move_v2],
        ['a scalar instruction behind vskip', @set_skip, by_others(2)],
        ['what vskip passes over', @cmp_vcc, @skips, by_nop(1), @fmas32],
        ['SGPRs, not vcc', @cmp_s8, @fmas32],
        ['vcc written by a scalar instruction', 0xbeea0303, @fmas32], # s_mov_b32 vcc_lo, s3
        ['another SGPR as the lane', @cmp_s8, @lane_s5],
        ['a constant lane, the SGPR being the data', @first_s5, 0x04030605], # v_writelane_b32 v1, s5, 3
        ['vcc as a carry', @cmp_vcc, 0x50020100],                 # v_addc_u32_e32 v1, vcc, v0, v0, vcc
        ['64 bits', 0xe0740000, 0x80000000, 0x7e020280],
                  # buffer_store_dwordx2 v[0:1], ...; v_mov_b32_e32 v1, 0
        ['an offset in a register', 0xe0780000, 0x08000000, @move_v2], # buffer_store_dwordx4 v[0:3], off, s[0:3], s8
        ['another VGPR', @store4, 0x7e120280],                     # v_mov_b32_e32 v9, 0
        ['two dwords of data', 0xdcc40000, 0x00000004, 0x7e020280],
        # flat_atomic_cmpswap v[4:5], v[0:1]; v_mov_b32_e32 v1, 0
    );
    for my $case (@quiet) {
        my ($name, @words) = @$case;
        my @checks = reports(@words);
        is(scalar @checks, 0, $name) or diag($checks[0]{message});
    }
    my @checks = reports(@cmp_vcc, by_others(3), @cmp_vcc, @fmas32);
    is(scalar @checks, 1, 'of two that are too close the nearer one');
    is($checks[0]{origin}, 'written at 0x10', '... is named');
};

my @cases = Kernels::cases();
sub checks_of ($object, @words) {
    my @records = records($object, commands('check hazard on', "launch @words", ('continue') x 4, 'info checks'));
    return grep { $_->{type} eq 'check' } @records;
}

subtest 'what compilers made' => sub {
    for my $case (sampled(@cases), Kernels::demos()) {
        my @words = Kernels::launch_words($case, $dir);
        my @objects = $case->{objects} ? @{ $case->{objects} } : $case->{source} =~ s/cl$/co/r;
        for my $object (sampled_from(length $case->{kernel}, @objects)) {
            my @checks = checks_of($object, @words);
            is(scalar @checks, 0, basename($object) . " $case->{kernel}: no report") or diag($checks[0]{message});
        }
    }
};

# LLVM puts no more wait states than are needed: where its s_nop in front of v_div_fmas is of two, one is too few.
subtest 'what compilers made, damaged' => sub {
    my $damaged = 0;
    for my $case (grep { $_->{kernel} eq 'double_divide' } @cases) {
        my @words = Kernels::launch_words($case, $dir);
        for my $object (@{ $case->{objects} }) {
            my @lines = split /\n/, output('-e', 'disassemble /r', $object);
            my @after = map { $lines[$_] =~ /s_nop 1$/ && $lines[$_ + 1] =~ /^\s*([0-9a-f]+):.*v_div_fmas/ ? "0x$1"
                : () } 0 .. $#lines - 1;
            my $bytes = Kernels::read_file($object);
            for my $pc (@after) {
                die "$object: no s_nop" unless $bytes =~ /\x01\x00\x80\xbf(?=..[\xde\xe0]\xd2)/gs;
                Kernels::write_file("$dir/damaged.co", substr($bytes, 0, $-[0]) . "\0" . substr($bytes, $-[0] + 1));
                my @checks = checks_of("$dir/damaged.co", @words);
                my $executed = grep { $_->{pc} eq $pc } @checks;
                ok(@checks == $executed, basename($object) . ": nothing but $pc is reported");
                $damaged += $executed;
            }
        }
    }
    ok($damaged >= 4, "$damaged were executed");
};

done_testing();
