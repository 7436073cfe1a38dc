# SPDX-License-Identifier: GPL-3.0-or-later
#
# OpenCL sources out of packages of Debian, and what compilers make of them.  Nothing of a package is kept in the
# repository: apt-get downloads it into $GPUDBG_ORACLE_CACHE, or into build/oracle.
package Debian;
use v5.36;
use Cwd ();
use File::Basename 'basename';
use File::Path 'make_path';
use File::Temp 'tempdir';
use Kernels;
use Test::More ();

# A tool or a package is not there: the test is left out, or fails where the oracles must run.
sub missing ($what) {
    die "$what\n" if $ENV{GPUDBG_ORACLE_REQUIRED};
    Test::More::plan(skip_all => $what);
}

# The folder with a package's files *.cl and *.h; undef: it cannot be downloaded, see apt.log beside.  A folder appears
# when it is complete, so that what a download left half done is never taken for a package.
sub package_folder ($package) {
    my $cache = $ENV{GPUDBG_ORACLE_CACHE} // ($ENV{BUILD} // 'build') . '/oracle';
    make_path($cache);
    $cache = Cwd::abs_path($cache);
    my $top = "$cache/$package";
    return $top if -d $top;
    my $new = tempdir("$package.XXXX", DIR => $cache, CLEANUP => 1);
    my $done = !system "cd '$new' && apt-get download $package >../apt.log 2>&1 && "
        . 'dpkg-deb --fsys-tarfile *.deb >all.tar && tar -tf all.tar | grep "[.]\\(cl\\|h\\)\$" >names && '
        . 'mkdir files && tar -xf all.tar -C files -T names';
    rename "$new/files", $top if $done;    # a peer may have been faster: its folder is as good
    return -d $top ? $top : undef;
}

my $libraries;

# Asks for the compilers: clang-19 with the library of AMD's devices, and ocloc.
sub need_compilers () {
    ($libraries) = grep { -d } $ENV{DEVICE_LIBS} // (), glob('/usr/lib/*/amdgcn/bitcode');
    missing('clang-19 and rocm-device-libs are required')
        if !$libraries || !eval { Kernels::run('clang-19', '--version') };
    missing('ocloc is required (package intel-opencl-icd)') if !-x '/usr/bin/ocloc';
    return;
}

# The object files of a source in $dir: name of the target => path, or nothing where a compiler refuses.  @debug: also
# with debug information, with each of these options.
sub objects ($path, $options, $dir, @debug) {
    my %made;
    my $double = Kernels::read_file($path) =~ /\bdouble|fp64/;
    my $base = "$dir/" . basename($path, '.cl');
    my ($standard) = $options =~ /-cl-std=(\S+)/;
    my $clang = "clang-19 -x cl -w -Xclang -finclude-default-header -target amdgcn-amd-amdhsa -mcpu=hawaii -O2 "
        . "-cl-std=" . ($standard // 'CL1.2') . " --rocm-device-lib-path=$libraries "
        . '-Dcl_khr_fp64 -Dcl_khr_int64_base_atomics ' . ($options =~ s/-cl-std=\S+//r);
    $made{'gfx7'} = "$base.co" if !system("$clang -o $base.co '$path' >$dir/clang.log 2>&1");
    return %made if $double;    # DG1 has none
    my @kinds = (['dg1 patch tokens', '', ''], ['dg1 zebin', '-ze-allow-zebin', '']);
    push @kinds, map { my ($name, $internal) = @$_; map { ["$name $_", $internal, " $_"] } @debug } @kinds;
    for (@kinds) {
        my ($name, $internal, $more) = @$_;
        my $out = $base . ($internal ? '-ze' : '-bin') . $more =~ tr/a-zA-Z0-9//cdr;
        $made{$name} = $out
            if !system("cd $dir && ocloc compile -q -file '$path' -device dg1 -options '$options$more' "
                . "-internal_options '$internal' -output " . basename($out)
                . " -output_no_suffix -out_dir $dir >$dir/ocloc.log 2>&1") && -f $out;
    }
    return %made;
}

1;
