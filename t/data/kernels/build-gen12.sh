#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compiles kernels of this folder for DG1 and keeps the bare code of some of them in gen12/NAME.krn.  Needs ocloc
# (package intel-opencl-icd; version 22.43 made those in the repository).
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
keep() {
    source=$1
    shift
    ocloc compile -q -file "$source.cl" -device dg1 -output "$source" -output_no_suffix -out_dir "$work"
    ocloc disasm -file "$work/$source" -device dg1 -dump "$work/$source.parts" >/dev/null
    for name; do cp "$work/$source.parts/${name}_KernelHeap.dat" "gen12/$name.krn"; done
}
mkdir -p gen12
keep matmul matmul matmul_dynamic
keep loops collatz gcd
keep divergence break_continue switch_cases
keep reduce reduce_f32
keep integer int_bits int_divide
keep histogram histogram
rm -rf "$work"
