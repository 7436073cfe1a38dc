/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * debug.c: finds the registers that debug information names, and a work-item's own memory.  The numbers are those of
 * LLVM's AMDGPU backend: VGPRs have others in waves of 32 lanes.  The register of a frame counts bytes of the whole
 * wave.
 */
#include <string.h>
#include "code/bits.h"
#include "engine/setup.h"
#include "gpudbg/endian.h"
#include "engine/gcn_exec.h"
#include "gcn.h"

static bool debug_register(unsigned number, unsigned *file, unsigned *reg)
{
    static const struct {
        unsigned first, last, file, reg;
    } runs[] = {{32, 95, GCN_FILE_S, 0}, {1088, 1129, GCN_FILE_S, 64}, {1536, 1791, GCN_FILE_V, 0},
        {2560, 2815, GCN_FILE_V, 0}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (number >= runs[i].first && number <= runs[i].last) {
            *file = runs[i].file;
            *reg = number - runs[i].first + runs[i].reg;
            return true;
        }
    return false;
}

/* Dword i of a lane follows dword i of the lanes before it. */
static bool own_memory(struct gpudbg_wave *w, unsigned lane, uint32_t frame, uint64_t at, uint64_t *addr)
{
    const struct gcn_setup *s = gcn_of(w)->setup;
    const uint64_t offset = frame + (at >> 2) * 4 * w->machine->isa->lanes + lane * 4 + (at & 3);
    if (!s->scratch || at >= s->scratch_wave || offset >= s->scratch_wave) return false;
    *addr = s->scratch->base + gcn_scratch_place(s, w) + offset;
    return true;
}

enum { OWN = 1, LOCAL = 2 };

/* The aperture of an address, as FLAT decides it. */
static unsigned aperture(const struct gpudbg_wave *w, uint64_t *addr)
{
    const struct gcn_setup *s = gcn_of(w)->setup;
    const uint64_t high = *addr >> 32;
    if (high != s->shared_base && high != s->private_base) return 0;
    *addr &= UINT32_MAX;
    return high == s->shared_base ? LOCAL : OWN;
}

/* "Non-Kernel Functions" of LLVM's AMDGPUUsage: results are in v0 to v31; clang returns structures of at most 8 bytes
 * as integers (AMDGPUABIInfo::classifyReturnType). */
static bool returned(unsigned i, unsigned *file, unsigned *reg)
{
    *file = GCN_FILE_V;
    *reg = i;
    return i < 32;
}

const struct gpudbg_dwarf gcn_dwarf = {.reg = debug_register,
    .own_class = OWN,
    .local_class = LOCAL,
    .own = own_memory,
    .aperture = aperture,
    .returned = returned,
    .epilogue = gcn_epilogue,
    .indexed = gcn_indexed,
    .packed = 8};
