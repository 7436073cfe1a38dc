# SPDX-License-Identifier: GPL-3.0-or-later
# Reads lines "package|what it is for" and installs those that are missing, with apt-get where there is one.
missing= all=
while IFS='|' read -r package use; do
    [ -n "$package" ] || continue
    all="$all$(printf '  %-26s %s' "$package" "$use")
"
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
if ! command -v apt-get >/dev/null 2>&1; then
    printf 'gpudbg needs these (Debian names; find them in your system):\n%s' "$all"
    exit 0
fi
[ -n "$missing" ] || { echo "all packages are there"; exit 0; }
echo "installing:$missing"
root=
[ "$(id -u)" = 0 ] || root=sudo
$root apt-get update -q >/dev/null
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $root apt-get install -q -y --no-install-recommends $missing
