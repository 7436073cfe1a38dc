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
# 64 x 64 floats: small whole numbers, and quarters of them.
perl -e 'print pack "f<*", map { ($_ * 7 + int($_ / 64)) % 17 - 8 } 0 .. 4095' > matmul_a.bin
perl -e 'print pack "f<*", map { (($_ * 5 + int($_ / 64) * 3) % 13 - 6) / 4 } 0 .. 4095' > matmul_b.bin
