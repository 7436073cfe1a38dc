#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Assembles the programs of programs.asm with iga64 1.1: `// == NAME.7p5` begins one for Haswell, NAME.12p1 one for DG1.
set -e
cd "$(dirname "$0")"
sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT
awk -v dir="$sources" '/^\/\/ == / { file = dir "/" $3; next } { print >file }' programs.asm
for source in "$sources"/*; do
    iga64 -p="${source##*.}" -a "$source" -o "${source##*/}.krn"
done
