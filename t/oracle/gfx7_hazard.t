# SPDX-License-Identifier: GPL-3.0-or-later
#
# `check hazard` against LLVM's hazard recognizer: a kernel as clang-19 makes it is silent, and without any one of the
# s_nop that the recognizer put in, the instruction behind it is reported.  Then pairs that no compiler makes at will,
# given to the recognizer alone: what it parts is reported where it is not parted, and what it lets stand is not.
use v5.36;
use Files;
use Test::More;
use Gpudbg;

my ($library) = grep { -d } '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode',
    glob('/usr/lib/*/amdgcn/bitcode /usr/lib/llvm-*/lib/clang/*/lib/amdgcn/bitcode /usr/lib/clang/*/amdgcn/bitcode');
if ((grep { qx($_ --version 2>/dev/null) !~ /version 19/ } qw(clang-19 llc-19 llvm-mc-19)) || !$library) {
    die "clang-19, llc-19, llvm-mc-19 or the device library is missing\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'no clang-19, llc-19 and llvm-mc-19 with rocm-device-libs';
}

my $source = <<'END';
kernel void hazards(global float *f, global int *i, global double *d) {
    uint t = get_global_id(0);
    f[t] = f[t] / f[t + 64];
    int lane = __builtin_amdgcn_readfirstlane(i[t] & 63);
    i[t] = __builtin_amdgcn_readlane(i[t + 64], lane);
    __builtin_amdgcn_s_setreg(0x1801, __builtin_amdgcn_readfirstlane(i[t + 192])); /* MODE, 0, 4 */
    i[t + 128] = __builtin_amdgcn_s_getreg(0x1801);
    d[t] = d[t] / d[t + 64];
}
END

sub compile ($options, $from, $to) {
    my @command = ('clang-19', '-target', 'amdgcn-amd-amdhsa', '-mcpu=bonaire', @$options, $from, '-o', $to);
    system(@command) == 0 or die "@command\n";
    return;
}
sub checks ($text) {
    spill("$dir/damaged.s", $text);
    compile([], "$dir/damaged.s", "$dir/damaged.co");
    return grep { $_->{type} eq 'check' } records("$dir/damaged.co",
        commands('check hazard on', 'launch hazards -g 64 -l 64 zero:4096 zero:4096 zero:4096', ('continue') x 4,
        'info checks'));
}

spill("$dir/kernel.cl", $source);
my %seen;
for my $level (qw(-O0 -O1 -O2 -Os)) {
    compile(['-x', 'cl', '-Xclang', '-finclude-default-header', "--rocm-device-lib-path=$library",
        '-cl-fp32-correctly-rounded-divide-sqrt', '-w', $level, '-S'], "$dir/kernel.cl", "$dir/kernel.s");
    open my $in, '<', "$dir/kernel.s" or die "$dir/kernel.s: $!\n";
    my @lines = <$in>;
    my @whole = checks(join '', @lines);
    is(scalar @whole, 0, "$level: as compiled, no report") or diag("$whole[0]{pc} $whole[0]{message}");
    for my $n (grep { $lines[$_] =~ /^\s+s_nop/ } 0 .. $#lines) {
        my ($behind) = $lines[$n + 1] =~ /^\s+(v_div_fmas_f\d+|v_readlane_b32|\w+)/;
        my @checks = checks(join '', @lines[0 .. $n - 1, $n + 1 .. $#lines]);
        is(scalar @checks, 1, "$level: one report where the s_nop in front of $behind is missing")
            or diag(map { "$_->{pc} $_->{message}\n" } @checks);
        like($checks[0]{message} // '', qr/^\Q$behind\E .* wait states? after/, '... of that instruction');
        $seen{$behind}++;
    }
}
ok($seen{$_}, "$_ needed one somewhere") for qw(v_readlane_b32 s_getreg_b32);

subtest 'pairs' => sub {
    my $mir = <<'END';
--- |
  define amdgpu_cs void @pairs() { ret void }
...
---
name: pairs
body: |
  bb.0:
   BUFFER_STORE_DWORDX4_OFFSET_exact $vgpr0_vgpr1_vgpr2_vgpr3, $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec
   $vgpr3 = V_MOV_B32_e32 0, implicit $exec
   BUFFER_STORE_DWORDX4_OFFSET_exact $vgpr0_vgpr1_vgpr2_vgpr3, $sgpr0_sgpr1_sgpr2_sgpr3, $sgpr4, 0, 0, 0, implicit $exec
   $vgpr3 = V_MOV_B32_e32 1, implicit $exec
   BUFFER_STORE_DWORDX2_OFFSET_exact $vgpr0_vgpr1, $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec
   $vgpr0 = V_MOV_B32_e32 2, implicit $exec
   FLAT_STORE_DWORDX3 $vgpr4_vgpr5, $vgpr0_vgpr1_vgpr2, 0, 0, implicit $exec, implicit $flat_scr
   $vgpr2 = V_MOV_B32_e32 3, implicit $exec
   FLAT_STORE_DWORDX4 $vgpr4_vgpr5, $vgpr0_vgpr1_vgpr2_vgpr3, 0, 0, implicit $exec, implicit $flat_scr
   $vgpr4 = V_MOV_B32_e32 4, implicit $exec
   S_SETREG_B32 $sgpr3, 6145, implicit-def $mode, implicit $mode
   S_SETREG_B32 $sgpr4, 6145, implicit-def $mode, implicit $mode
   $sgpr6 = S_GETREG_B32 6145, implicit $mode
   $sgpr7 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec
   BUFFER_STORE_DWORD_OFFSET_exact $vgpr0, $sgpr0_sgpr1_sgpr2_sgpr3, $sgpr7, 0, 0, 0, implicit $exec
   $vgpr1 = V_WRITELANE_B32 1, $sgpr7, $vgpr1
   $m0 = S_MOV_B32 $sgpr3
   S_SENDMSG 1, implicit $exec, implicit $m0
   V_CMP_EQ_U32_e32 0, $vgpr0, implicit-def $vcc, implicit $exec
   $vgpr2 = V_DIV_FMAS_F32_e64 0, $vgpr0, 0, $vgpr0, 0, $vgpr0, 0, 0, implicit $mode, implicit $vcc, implicit $exec
   $sgpr20 = S_MOV_B32 0
   $sgpr20 = S_MOV_B32 0
   $sgpr20 = S_MOV_B32 0
   $vcc_lo = S_MOV_B32 $sgpr3
   $vgpr2 = V_DIV_FMAS_F32_e64 0, $vgpr0, 0, $vgpr0, 0, $vgpr0, 0, 0, implicit $mode, implicit $vcc, implicit $exec
   S_ENDPGM 0
...
END
    spill("$dir/pairs.mir", $mir);
    my @command = ('llc-19', '-mtriple=amdgcn', '-mcpu=bonaire', '-start-before=post-RA-hazard-rec', "$dir/pairs.mir",
        '-o', "$dir/pairs.s");
    system(@command) == 0 or die "@command\n";
    open my $in, '<', "$dir/pairs.s" or die "$dir/pairs.s: $!\n";
    my (@code, @parted, $nop);
    while (<$in>) {
        next unless my ($text) = /^\t([a-z]\w+ .*|s_endpgm)/;
        if ($text =~ /^s_nop/) { $nop = 1; next }
        push @parted, scalar @code if $nop;
        push @code, $text;
        $nop = 0;
    }
    my $words = join '',
        qx(printf '%s\\n' '@{[join "' '", @code]}' | llvm-mc-19 -triple=amdgcn -mcpu=bonaire -show-encoding);
    my @bytes = map { pack 'C*', map { hex } /0x([0-9a-f]+)/g } $words =~ /encoding: (\[.*?\])/g;
    is(scalar @bytes, scalar @code, 'all are assembled');
    spill("$dir/pairs.bin", join '', @bytes);
    my @at = map { my $n = $_; my $sum = 0; $sum += length for @bytes[0 .. $n - 1]; sprintf '0x%x', $sum } @parted;
    my @checks = grep { $_->{type} eq 'check' } records('--isa', 'gfx7', '--raw', "$dir/pairs.bin",
        commands('check hazard on', 'launch -g 64 -l 64 exec=hex:' . '00' x 8, ('continue') x 20, 'info checks'));
    my %reported = map { $_->{pc} => $_->{message} } @checks;
    ok(@at >= 6, 'the recognizer parts some') or diag("@parted");
    is_deeply([sort keys %reported], [sort @at], 'reported are those that it parts')
        or diag(map { "$_ $reported{$_}\n" } sort keys %reported);
};

diag("in front of: @{[map { \"$_ $seen{$_}\" } sort keys %seen]}") if $ENV{TEST_VERBOSE};
done_testing();
