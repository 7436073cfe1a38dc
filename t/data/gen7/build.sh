#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Assembles the programs of this folder for Gen7.5 with iga64 1.1 (package intel-graphics-compiler's tools); they use
# nothing that Ivy Bridge lacks but for `store`, whose data port is Haswell's.
set -e
cd "$(dirname "$0")"
for source in *.asm; do
    iga64 -p=7p5 -a $source -o ${source%.asm}.krn
done
