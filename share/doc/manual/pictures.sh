#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pictures.sh GPUDBG FOLDER GROUND: the pictures of the manual and the README, drawn by the program itself.  GPUDBG '':
# there is no program, so the pictures are those of the README, and a sentence instead of each other one.
set -eu
ground=$3
if [ -z "$1" ]; then
    mkdir -p "$2"
    for name in $(sed -n 's/^shot \([a-z0-9]*\) .*/\1/p' "$0"); do
        cp "$(dirname "$0")/../pictures/$name-$ground.svg" "$2/$name.svg" 2>/dev/null || cat >"$2/$name.svg" <<'END'
<svg xmlns="http://www.w3.org/2000/svg" width="640" height="40"><text x="8" y="25" font-family="sans-serif" font-size="15"
fill="#666">The program draws this picture: type make, then make html.</text></svg>
END
    done
    exit
fi
case $1 in */*) gpudbg=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;; *) gpudbg=$1 ;; esac
mkdir -p "$2"
folder=$(cd "$2" && pwd)
export LC_ALL=C.UTF-8
unset NO_COLOR
shot() { # name, size, arguments
    name=$1 size=$2
    shift 2
    "$gpudbg" --batch --screen "$size" "$@" -e "screenshot $folder/$name.svg $ground" >/dev/null
}
shot matmul 100x30 --demo=matmul -e 'break *0x17fc wave 2 if $v13[37] > 1' -e continue -e stepi
shot mandelbrot 100x30 --demo=mandelbrot -e 'stepi 90'
shot source 132x34 --demo=mandelbrot -e 'layout split' -e 'break mandelbrot.cl:18 if r < -1' -e continue
shot dg1 110x32 --demo=dg1 -e 'stepi 24'
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >hang.log <<'END'
[    3.100000] [drm] initializing kernel modesetting (HAWAII 0x1002:0x67B0 0x1002:0x0B00 0x00).
[  100.000000] amdgpu 0000:03:00.0: GPU fault detected: 146 0x0006480c for process game pid 4711 thread game:cs0 pid 4712
[  100.000004] amdgpu 0000:03:00.0:   VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x00051200
[  100.000008] amdgpu 0000:03:00.0:   VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x0604800C
[  100.000012] amdgpu 0000:03:00.0: VM fault (0x0c, vmid 3, pasid 32770) at page 332288, read from 'TC0' (0x54433000) (72)
END
shot hang 110x30 hang.log -e 'layout hang'
cat >triple.s <<'END'
v_lshlrev_b32_e32 v1, 2, v0
buffer_load_dword v2, v1, s[0:3], 0 offen
s_waitcnt vmcnt(0)
v_mul_u32_u24_e32 v2, 3, v2
buffer_store_dword v2, v1, s[0:3], 0 offen
s_endpgm
END
"$gpudbg" --batch --isa gfx7 -e 'assemble triple.s triple.bin' >/dev/null
shot bare 100x26 --isa gfx7 --raw triple.bin \
    -e 'launch -g 4 -l 4 buf0=hex:01000000020000000a00000014000000 s[0:3]=&buf0,u32:16,u32:0x27fac v[0]=hex:00000000010000000200000003000000' \
    -e 'stepi 4'
