#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Assembles the programs of this folder with iga64 1.1: NAME.7p5.asm for Haswell, NAME.12p1.asm for DG1.
set -e
cd "$(dirname "$0")"
for source in *.asm; do
    name=${source%.asm}
    iga64 -p=${name##*.} -a $source -o $name.krn
done
