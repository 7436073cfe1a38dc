#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the demo kernels' code objects, with lines for the debugger, and the matrices.  Needs clang-19, lld-19 and
# rocm-device-libs.  Only relative names are given, so that no path of the machine gets into the objects.
set -e
cd "$(dirname "$0")"
libs=${DEVICE_LIBS:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
headers=$(clang-19 -print-resource-dir)/include
for name in matmul collatz histogram mandelbrot; do
    clang-19 -x cl -Xclang -finclude-default-header -target amdgcn-amd-amdhsa -mcpu=bonaire -mcode-object-version=5 \
        --rocm-device-lib-path="$libs" -ffile-compilation-dir=. -fdebug-prefix-map="$headers=include" \
        -cl-kernel-arg-info -O2 -g $name.cl -o $name.co
    chmod 644 $name.co
done
# The first one unoptimised: every variable of the source is somewhere.
clang-19 -x cl -Xclang -finclude-default-header -target amdgcn-amd-amdhsa -mcpu=bonaire -mcode-object-version=5 \
    --rocm-device-lib-path="$libs" -ffile-compilation-dir=. -fdebug-prefix-map="$headers=include" \
    -cl-kernel-arg-info -O0 -g matmul.cl -o matmul-O0.co
chmod 644 matmul-O0.co
# For DG1, by ocloc of intel-opencl-icd.
out=$(mktemp -d)
ocloc compile -device dg1 -options -cl-std=CL3.0 -file dg1.cl -output k -out_dir "$out" >/dev/null
cp "$out"/k_Gen12LPlp.bin dg1.co
chmod 644 dg1.co
rm -r "$out"
# 64 x 64 floats: small whole numbers, and quarters of them.
perl -e 'print pack "f<*", map { ($_ * 7 + int($_ / 64)) % 17 - 8 } 0 .. 4095' > matmul_a.bin
perl -e 'print pack "f<*", map { (($_ * 5 + int($_ / 64) * 3) % 13 - 6) / 4 } 0 .. 4095' > matmul_b.bin
