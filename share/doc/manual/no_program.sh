#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# no_program.sh MANUAL: a sentence for each list that the program writes into the manual, where there is no program.
set -eu
mkdir -p "$1/generated"
sed -n 's/^\.\. include:: //p' "$1"/*.rst | while read -r name; do
    echo 'The program writes this list: type ``make``, then ``make html``.' >"$1/$name"
done
