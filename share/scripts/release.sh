#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# release.sh FOLDER VERSION HOMEPAGE [KEY]: writes beside the packages of a release what they consist of (SPDX 2.3, with
# the libraries that this machine has) and their checksums; KEY: a key of gpg's that signs the checksums.
set -eu
cd "$1"
version=$2 homepage=$3 key=${4-}
tar=gpudbg-$version.tar.gz sbom=gpudbg-$version.spdx
{
    printf 'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\nDocumentName: gpudbg-%s\n' "$version"
    printf 'DocumentNamespace: %s/spdx/gpudbg-%s-%s\n' "$homepage" "$version" "$(sha256sum "$tar" | cut -c1-16)"
    printf 'Creator: Tool: release.sh\nCreated: %s\n\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
    printf 'PackageName: gpudbg\nSPDXID: SPDXRef-gpudbg\nPackageVersion: %s\nPackageFileName: %s\n' "$version" "$tar"
    printf 'PackageDownloadLocation: %s/releases/%s\nFilesAnalyzed: false\n' "$homepage" "$tar"
    printf 'PackageChecksum: SHA256: %s\n' "$(sha256sum "$tar" | cut -d' ' -f1)"
    printf 'PackageLicenseConcluded: GPL-3.0-or-later\nPackageLicenseDeclared: GPL-3.0-or-later\n'
    printf 'PackageCopyrightText: NOASSERTION\nRelationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-gpudbg\n'
    for library in ncursesw readline libelf libdw msgpack msgpack-c yaml-0.1 zlib jansson libxxhash bzip2 liblz4 \
        liblzma libzstd libpng cairo; do
        found=$(pkg-config --modversion "$library" 2>/dev/null) || continue
        printf '\nPackageName: %s\nSPDXID: SPDXRef-%s\nPackageVersion: %s\n' "$library" "$library" "$found"
        printf 'PackageDownloadLocation: NOASSERTION\nFilesAnalyzed: false\nPackageLicenseConcluded: NOASSERTION\n'
        printf 'PackageLicenseDeclared: NOASSERTION\nPackageCopyrightText: NOASSERTION\n'
        printf 'Relationship: SPDXRef-gpudbg DYNAMIC_LINK SPDXRef-%s\n' "$library"
    done
} >"$sbom"
# shellcheck disable=SC2012
ls | grep -E '^(gpudbg[-_].*\.(tar\.gz|spdx|deb)|gpudbg\.(spec|rb)|PKGBUILD|default\.nix)$' |
    xargs sha256sum >SHA256SUMS
if [ "$key" ]; then gpg --batch --yes --local-user "$key" --armor --detach-sign SHA256SUMS; fi
ls -1 "$PWD/$sbom" "$PWD"/SHA256SUMS*
