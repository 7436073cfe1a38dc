#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the kernels for DG1 from their sources, in both containers: NAME.bin has patch tokens, NAME.ze is a zebin.
# Package intel-opencl-icd (its ocloc); compiler version 1.0.12504 made those that are here.
set -e
cd "$(dirname "$0")"
out=$(mktemp -d)
cp ../bugs.cl ../fences.cl .
for name in bugs fences saxpy kinds flow pictures edges layers prints; do
    ocloc compile -device dg1 -options "-cl-std=CL3.0" -file $name.cl -output k -out_dir "$out/bin" >"$out/log" \
        || cat "$out/log"
    ocloc compile -device dg1 -options "-cl-std=CL3.0" -internal_options "-ze-allow-zebin" -file $name.cl -output k \
        -out_dir "$out/ze" >"$out/log" || cat "$out/log"
    cp "$out"/bin/k_Gen12LPlp.bin $name.bin
    cp "$out"/ze/k_Gen12LPlp.bin $name.ze
    chmod 644 $name.bin $name.ze
done
rm bugs.cl fences.cl

# One for DG2, of the screen's tests.
ocloc compile -q -device acm-g10 -options "-cl-std=CL3.0" -file saxpy.cl -output saxpy.bin -output_no_suffix \
    -out_dir ../gen12.5
rm ../gen12.5/saxpy.bin.spv

# With lines of source; they name the folder it was made in.
mkdir -p /src
cp saxpy.cl /src
(cd /src && ocloc compile -device dg1 -options "-g -cl-std=CL3.0" -file saxpy.cl -output k -out_dir "$out/debug" \
    >"$out/log") || cat "$out/log"
cp "$out"/debug/k_Gen12LPlp.bin saxpy-g.bin
chmod 644 saxpy-g.bin

# Pointers among variables and in code, optimised and not: t/gen_binaries.t works out what they give.
for level in "" -O0; do
    options="-cl-std=CL3.0 ${level:+-cl-opt-disable}"
    ocloc compile -device dg1 -options "$options" -file pointers.cl -output k -out_dir "$out/bin" >"$out/log" \
        || cat "$out/log"
    ocloc compile -device dg1 -options "$options" -internal_options "-ze-allow-zebin" -file pointers.cl -output k \
        -out_dir "$out/ze" >"$out/log" || cat "$out/log"
    cp "$out"/bin/k_Gen12LPlp.bin pointers$level.bin
    cp "$out"/ze/k_Gen12LPlp.bin pointers$level.ze
    chmod 644 pointers$level.bin pointers$level.ze
done

# The kernels that gfx7 runs as well: t/gen_kernels.t compares them with plain C, and the two machines with each other.
# Those with doubles are left out: DG1 has none.  NAME-flush.bin has denormals flushed, NAME-O0.bin is not optimised.
both() {
    name=$1 suffix=$2 options=$3 internal=$4 ending=$5
    source=$(ls ../$name.cl ../unseen/$name.cl 2>/dev/null | head -1)
    ocloc compile -device dg1 -options "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt $options" \
        -internal_options "$internal" \
        -file $source -output k -out_dir "$out/both" >"$out/log" || cat "$out/log"
    cp "$out"/both/k_Gen12LPlp.bin $name$suffix.$ending
    chmod 644 $name$suffix.$ending
}
for name in atomics bitonic calls divergence float floyd_warshall generic grid group histogram integer loops matmul \
    mesa reduce scan \
    scope scratch sha256 structs vectors bignum chacha distance fourier life nbody trace; do
    both $name "" "" "" bin
done
for name in atomics calls divergence grid loops matmul reduce scope scratch structs vectors; do
    both $name "" "" "-ze-allow-zebin" ze
done
for name in calls divergence loops scan sha256; do
    both $name -O0 -cl-opt-disable "" bin
done
for name in locals orders; do # what they are told by the launch: t/gen_binaries.t
    both $name "" "" "" bin
    both $name "" "" "-ze-allow-zebin" ze
done
both float -flush -cl-denorms-are-zero "" bin
rm -r "$out"
