# SPDX-License-Identifier: GPL-3.0-or-later
#
# PAL pipelines that llc-19 compiles for RDNA 2: the size of waves is what it was told, the stage what the code is.
use v5.36;
use File::Temp 'tempdir';
use Gpudbg;
use Test::More;

if (system('command -v llc-19 >/dev/null 2>&1') != 0) {
    die "llc-19 is required\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    plan skip_all => 'llc-19 is not installed (make deps-oracle)';
}
my $dir = tempdir(CLEANUP => 1);
my %code = (
    compute => "define amdgpu_cs void \@main(ptr addrspace(1) inreg %p, i32 inreg %a) {\n"
        . "  store i32 %a, ptr addrspace(1) %p\n  ret void\n}\n",
    pixel => "define amdgpu_ps <4 x float> \@main(<4 x float> %v) {\n  ret <4 x float> %v\n}\n");
for my $stage (sort keys %code) {
    for my $lanes (32, 64) {
        open my $out, '>', "$dir/code.ll" or die "code.ll: $!\n";
        print $out $code{$stage};
        close $out;
        system('llc-19', '-mtriple=amdgcn--amdpal', '-mcpu=gfx1030',
            $lanes == 64 ? '-mattr=-wavefrontsize32,+wavefrontsize64' : (), '-filetype=obj', '-o', "$dir/code.co",
            "$dir/code.ll") == 0 or die "llc-19 failed\n";
        my ($file) = grep { $_->{type} eq 'file' } records(commands('info file'), "$dir/code.co");
        is($file->{isa}, $lanes == 64 ? 'gfx10.3-wave64' : 'gfx10.3', "$stage, waves of $lanes");
        like($file->{facts}{stage}, qr/^$stage/, '... and its stage');
    }
}
done_testing;
