#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the tree twice, in two folders (the second one entered through a link), and compares the programs and
# plug-ins byte for byte.  GNUMAKE, CC and CFLAGS are taken from the environment.  Exit status: 0 identical, 1 not, 2 a
# build failed.
set -u
source=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
trap 'exit 2' HUP INT TERM
export CCACHE_DISABLE=1
unset MAKE MAKEFLAGS MAKELEVEL

copy_to() {
    mkdir -p "$1" || exit 2
    tar -C "$source" --exclude=./build --exclude='./build-*' --exclude=./.git -cf - . | tar -C "$1" -xf - || exit 2
}
make_in() {
    (cd "$1" && ${GNUMAKE:-make} LEVELS=1 CC="${CC:-cc}" CFLAGS="${CFLAGS:--O2 -g}" all plugins) >"$dir/log" 2>&1 || {
        tail -20 "$dir/log"
        echo "not built: $1"
        exit 2
    }
}
copy_to "$dir/first"
copy_to "$dir/elsewhere/a-longer-name"
ln -s "elsewhere/a-longer-name" "$dir/link"
make_in "$dir/first"
make_in "$dir/link"

status=0
for file in gpudbg plugins/hello.so plugins/toy.so; do
    if cmp "$dir/first/build/$file" "$dir/link/build/$file"; then
        echo "identical: $file"
    else
        # The first object that differs says where to look.
        (cd "$dir/first/build" && find . -name '*.o' | sort) | while read -r object; do
            cmp "$dir/first/build/$object" "$dir/link/build/$object" && continue
            break
        done
        status=1
    fi
    if strings -a "$dir/first/build/$file" | grep -F "$dir"; then
        echo "names the folder of the build: $file"
        status=1
    fi
done
exit $status
