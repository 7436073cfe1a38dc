#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# version.sh set|check|tag VERSION DATE: GNUmakefile has the version and its date.  `set` writes them to the other
# places that name them, `check` says which differ, and `tag` prints the text of the release's tag, from CHANGES.md.
set -eu
what=$1 version=$2 date=$(LC_ALL=C date -u -I -d "$3")
heading="## $version ($date)"
# FILE|what stands before the version|what stands behind it
places='share/python/gpudbg.py|^__version__ = "|"$
share/editors/vscode/package.json|^  "version": "|",$
share/editors/emacs/gpudbg-dap.el|^;; Version: |$
share/help/conversation|"version":"|","conversation"
share/doc/manual/python.rst|"version":"|","conversation"'
case $what in
set)
    echo "$places" | while IFS='|' read -r file before behind; do
        sed -i "s/\($before\)[0-9][0-9.]*\($behind\)/\1$version\2/" "$file"
    done
    grep -qxF "$heading" CHANGES.md || sed -i "s/^## Unreleased\$/$heading/" CHANGES.md
    ;;
check)
    wrong=$(echo "$places" | while IFS='|' read -r file before behind; do
        there=$(grep -c "$before[0-9][0-9.]*$behind" "$file" || true)
        same=$(grep -c "$before$version$behind" "$file" || true)
        [ "$there" -gt 0 ] && [ "$there" = "$same" ] || echo "$file does not have version $version"
    done)
    [ "${4-}" = tree ] || grep -qxF "$heading" CHANGES.md || wrong="$wrong
CHANGES.md has no heading \"$heading\""
    [ -z "$wrong" ] || { echo "$wrong" | sed '/^$/d; s/^/gpudbg: /; s/$/; make version writes it/' >&2; exit 1; }
    ;;
tag)
    # git takes lines that begin with # for comments.
    printf 'gpudbg %s\n' "$version"
    awk -v heading="$heading" '/^## / { on = $0 == heading; next } on' CHANGES.md | sed 's/^### \(.*\)/\1:/' | cat -s
    ;;
esac
