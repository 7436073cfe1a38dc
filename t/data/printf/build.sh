#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles the sources here into the files that t/core/printf.t reads: clang 14 and 19 for gfx7 and gfx1030, ocloc 1.0
# for DG1.  The host is called by rocm-device-libs.
cd "$(dirname "$0")" || exit 1
libraries=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode
amd() # COMPILER VERSION LEVEL
{
    "$1" -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -w -target amdgcn-amd-amdhsa -mcpu=gfx700 \
        -mcode-object-version="$2" \
        -nogpulib "-O$3" -DABI="$2" prints.cl -o "prints-v$2.co" && strip -s "prints-v$2.co" 2>/dev/null
}
newer() # FILE OPTION...
{
    file=$1
    shift
    clang-19 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -w -target amdgcn-amd-amdhsa -mcpu=gfx1030 \
        -mcode-object-version=5 -nogpulib -O2 -DABI=5 "$@" prints.cl -o "$file" && strip -s "$file" 2>/dev/null
}
hosted() # VERSION LEVEL CHIP FILE
{
    clang-19 -x hip --offload-device-only --no-gpu-bundle-output -nogpuinc -w --offload-arch="$3" \
        -mcode-object-version="$1" -mprintf-kind=hostcall --rocm-device-lib-path="$libraries" \
        "-O$2" hosted.hip -o "$4" && strip -s "$4" 2>/dev/null
}
clang-19 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -w -target amdgcn-amd-amdhsa -mcpu=gfx700 \
    -mcode-object-version=5 --rocm-device-lib-path="$libraries" -ffile-compilation-dir=. -O1 empty.cl -o empty.co
hosted 4 1 gfx700 hosted-v4.co
hosted 5 2 gfx700 hosted-v5.co
hosted 5 2 gfx1030 hosted-gfx1030.co
newer prints-gfx1030.co
newer prints-gfx1030-wave64.co -mwavefrontsize64
amd clang-14 2 1
amd clang-14 3 2
amd clang-19 4 0
amd clang-19 5 2
ocloc compile -q -file prints.cl -device dg1 -options -w -output prints.bin -output_no_suffix -out_dir .
ocloc compile -q -file prints.cl -device dg1 -options -w -output prints.ze -output_no_suffix -out_dir . \
    -internal_options -cl-intel-allow-zebin
rm -f prints*.spv prints*.gen
