#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compiles the kernels of this folder to gfx6/*.co, gfx7/*.co and gfx10/*.co, which are kept in the repository: the
# tests need no compiler of their own.  Needs clang-19, lld-19, clang-14, lld-14 and rocm-device-libs of Debian 12
# (backports for the 19s).
# Names say how: NAME-O0.co, NAME-O2.co are code object v5; -v4, -v3, -v2 other versions (2 and 3 by clang-14, which 19
# no longer makes); -g has line tables; mesa-*.co is a relocatable object for Mesa's driver.
# Only relative names are given, so that no path of the machine gets into the objects.
#
#   sh build.sh            all of them
#   sh build.sh NAME...    those of NAME.cl, here or one folder down
set -e
cd "$(dirname "$0")"
libs=${DEVICE_LIBS:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
headers=$(clang-19 -print-resource-dir)/include
here="-ffile-compilation-dir=. -fdebug-prefix-map=$headers=include -Wno-unused-command-line-argument"
mkdir -p gfx6 gfx7 gfx10
cpu=bonaire into=gfx7

source() {
    ls "$1.cl" "unseen/$1.cl" "isa/$1.cl" 2>/dev/null | head -1
}

options() {
    sed -n 's,^// options: ,,p' "$(source $1)"
}

# hsa NAME SUFFIX FLAGS...
hsa() {
    name=$1 suffix=$2
    shift 2
    clang-19 -x cl -Xclang -finclude-default-header -target amdgcn-amd-amdhsa -mcpu=$cpu \
        --rocm-device-lib-path="$libs" $here $(options $name) "$@" $(source $name) -o $into/$name-$suffix.co
}

# six CPU NAME SUFFIX FLAGS...: for one of gfx6's three
six() {
    cpu=$1 into=gfx6
    shift
    hsa "$@"
    cpu=bonaire into=gfx7
}

# ten CPU NAME SUFFIX FLAGS...: for RDNA
ten() {
    cpu=$1 into=gfx10
    shift
    hsa "$@"
    cpu=bonaire into=gfx7
}

# old NAME SUFFIX FLAGS...: clang-14 cannot read the library's bitcode, so clang14.h stands in for it
old() {
    name=$1 suffix=$2
    shift 2
    clang-14 -x cl -Xclang -finclude-default-header -include clang14.h -target amdgcn-amd-amdhsa -mcpu=bonaire \
        -nogpulib $here $(options $name) "$@" $(source $name) -o gfx7/$name-$suffix.co
}

mesa() {
    clang-19 -x cl -Xclang -finclude-default-header -target amdgcn-mesa-mesa3d -mcpu=$1 -nogpulib $here \
        -O2 -c mesa.cl -o $2/mesa-O2.co
}

build() {
    case $1 in
    mesa)
        mesa bonaire gfx7
        mesa gfx601 gfx6
        return
        ;;
    unresolved)
        clang-19 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx700 -nogpulib $here -O1 -c $(source $1) \
            -o gfx7/$1-O1.co
        return
        ;;
    variables)
        hsa $1 O0-g -mcode-object-version=5 -O0 -g
        hsa $1 O2-g -mcode-object-version=5 -O2 -g
        return
        ;;
    computed | inlined | returns)
        for level in 0 1 2; do
            hsa $1 O$level-g -mcode-object-version=5 -O$level -g
        done
        return
        ;;
    wrong)
        hsa $1 O0-g -mcode-object-version=5 -O0 -g
        hsa $1 O1-g -mcode-object-version=5 -O1 -g
        return
        ;;
    bugs)
        hsa $1 O0-g -mcode-object-version=5 -O0 -g
        hsa $1 O2-g -mcode-object-version=5 -O2 -g
        return
        ;;
    fences | unset)
        hsa $1 O0-g -mcode-object-version=5 -O0 -g
        hsa $1 O2-g -mcode-object-version=5 -O2 -g
        [ $1 = unset ] && return
        ten gfx1010 $1 O2-g-w32 -mcode-object-version=5 -gline-tables-only -O2
        ten gfx1030 $1 O2-g-cu -mcode-object-version=5 -gline-tables-only -mwavefrontsize64 -mcumode -O2
        return
        ;;
    widths) hsa $1 O2-g -mcode-object-version=5 -O2 -g; return ;;
    isa | group | orders | locals) hsa $1 O2 -mcode-object-version=5 -O2; return ;;
    esac
    hsa $1 O0 -mcode-object-version=5 -O0
    hsa $1 O2 -mcode-object-version=5 -O2
    case $1 in
    vector_add | integer | matmul | scratch | structs | histogram) hsa $1 O2-v4 -mcode-object-version=4 -O2 ;;
    addresses | grid | generic)
        hsa $1 O0-v4 -mcode-object-version=4 -O0
        hsa $1 O2-v4 -mcode-object-version=4 -O2
        ;;
    esac
    case $1 in
    matmul | calls)
        hsa $1 O0-g -mcode-object-version=5 -O0 -g
        hsa $1 O2-g -mcode-object-version=5 -O2 -g
        [ $1 = matmul ] || hsa $1 O1-g -mcode-object-version=5 -O1 -g
        ;;
    divergence | generic) hsa $1 O0-g -mcode-object-version=5 -O0 -g ;;
    esac
    case $1 in
    vector_add | loops) six gfx600 $1 O2 -mcode-object-version=5 -O2 ;;
    scan) six gfx601 $1 O2 -mcode-object-version=5 -O2 ;;
    histogram) six gfx602 $1 O2-v4 -mcode-object-version=4 -O2 ;;
    scratch) six gfx602 $1 O0 -mcode-object-version=5 -O0 ;;
    esac
    case $1 in
    vector_add) ten gfx1010 $1 O2-v4 -mcode-object-version=4 -O2 ;;
    divergence) ten gfx1030 $1 O2 -mcode-object-version=5 -O2 ;;
    histogram) ten gfx1030 $1 O2-w64 -mcode-object-version=5 -mwavefrontsize64 -mcumode -O2 ;;
    esac
    case $1 in
    matmul | loops | scan)
        old $1 O2-v3 -mcode-object-version=3 -O2
        old $1 O2-v2 -mcode-object-version=2 -O2
        ;;
    structs) old $1 O2-v3 -mcode-object-version=3 -O2 ;;
    vector_add | bitonic) old $1 O0-v2 -mcode-object-version=2 -O0 ;;
    esac
}

[ $# -gt 0 ] || set -- $(ls *.cl */*.cl | sed 's,.*/,,; s,\.cl$,,')
for name; do
    build $name
done
chmod 644 gfx[67]/*.co
