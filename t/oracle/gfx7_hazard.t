# SPDX-License-Identifier: GPL-3.0-or-later
#
# `check hazard` against LLVM's hazard recognizer: a kernel as clang-19 makes it is silent, and without any one of the s_nop that
# the recognizer put in, the instruction behind it is reported.
use v5.36;
use Test::More;
use File::Temp 'tempdir';
use Gpudbg;

my $dir = tempdir(CLEANUP => 1);
my ($library) = grep { -d } '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode', glob('/usr/lib/*/amdgcn/bitcode /usr/lib/llvm-*/lib/clang/*/lib/amdgcn/bitcode /usr/lib/clang/*/amdgcn/bitcode');
if (qx(clang-19 --version 2>/dev/null) !~ /version 19/ || !$library) {
    die "clang-19 or its device library is missing\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'no clang-19 with rocm-device-libs';
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
sub spill ($path, $text) { open my $out, '>', $path or die "$path: $!\n"; print $out $text; close $out or die "$path: $!\n"; return }
sub checks ($text) {
    spill("$dir/damaged.s", $text);
    compile([], "$dir/damaged.s", "$dir/damaged.co");
    return grep { $_->{type} eq 'check' } records("$dir/damaged.co",
        commands('check hazard on', 'launch hazards -g 64 -l 64 zero:4096 zero:4096 zero:4096', ('continue') x 4, 'info checks'));
}

spill("$dir/kernel.cl", $source);
my %seen;
for my $level (qw(-O0 -O1 -O2 -Os)) {
    compile(['-x', 'cl', '-Xclang', '-finclude-default-header', "--rocm-device-lib-path=$library", '-cl-fp32-correctly-rounded-divide-sqrt',
        '-w', $level, '-S'], "$dir/kernel.cl", "$dir/kernel.s");
    open my $in, '<', "$dir/kernel.s" or die "$dir/kernel.s: $!\n";
    my @lines = <$in>;
    my @whole = checks(join '', @lines);
    is(scalar @whole, 0, "$level: as compiled, no report") or diag("$whole[0]{pc} $whole[0]{message}");
    for my $n (grep { $lines[$_] =~ /^\s+s_nop/ } 0 .. $#lines) {
        my ($behind) = $lines[$n + 1] =~ /^\s+(v_div_fmas_f\d+|v_readlane_b32|\w+)/;
        my @checks = checks(join '', @lines[0 .. $n - 1, $n + 1 .. $#lines]);
        is(scalar @checks, 1, "$level: one report where the s_nop in front of $behind is missing") or diag(map { "$_->{pc} $_->{message}\n" } @checks);
        like($checks[0]{message} // '', qr/^\Q$behind\E .* wait states? after/, '... of that instruction');
        $seen{$behind}++;
    }
}
ok($seen{$_}, "$_ needed one somewhere") for qw(v_readlane_b32 s_getreg_b32);
diag("in front of: @{[map { \"$_ $seen{$_}\" } sort keys %seen]}") if $ENV{TEST_VERBOSE};
done_testing();
