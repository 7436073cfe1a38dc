#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Assembles the programs of programs.asm for Gen7.5 with iga64 1.1 (package intel-graphics-compiler's tools); they use
# nothing that Ivy Bridge lacks but for `store`, whose data port is Haswell's.  `// == NAME` begins a program.
set -e
cd "$(dirname "$0")"
sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT
awk -v dir="$sources" '/^\/\/ == / { file = dir "/" $3; next } { print >file }' programs.asm
for source in "$sources"/*; do
    iga64 -p=7p5 -a "$source" -o "${source##*/}.krn"
done
