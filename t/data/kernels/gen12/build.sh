#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the kernels for DG1 from their sources, in both containers: NAME.bin has patch tokens, NAME.ze is a zebin.
# Package intel-opencl-icd (its ocloc); compiler version 1.0.12504 made those that are here.
set -e
cd "$(dirname "$0")"
out=$(mktemp -d)
for name in saxpy kinds flow; do
    ocloc compile -device dg1 -options "-cl-std=CL3.0" -file $name.cl -output k -out_dir "$out/bin" >"$out/log" || cat "$out/log"
    ocloc compile -device dg1 -options "-cl-std=CL3.0" -internal_options "-ze-allow-zebin" -file $name.cl -output k -out_dir "$out/ze" >"$out/log" || cat "$out/log"
    cp "$out"/bin/k_Gen12LPlp.bin $name.bin
    cp "$out"/ze/k_Gen12LPlp.bin $name.ze
    chmod 644 $name.bin $name.ze
done
rm -r "$out"
