/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_wave.c: the state of a wave before a launch fills it: constants, modes, the places of its lanes and of its
 * scratch. */
#include <string.h>

#include "engine/gcn_exec.h"
#include "engine/setup.h"
#include "gcn.h"

void gcn_constants(uint32_t constants[GCN_MODE - GCN_INLINE], const struct gcn_chip *chip)
{
    static const uint32_t floats[8] = {
        0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000};
    for (unsigned code = GCN_INLINE; code < GCN_LITERAL; code++) {
        uint64_t value = 0;
        if (gcn_inline(code, GCN_U64, &value)) {
            gcn_set_pair(constants, gcn_wide(code) - GCN_INLINE, value);
            constants[code - GCN_INLINE] = code < GCN_CODE_FLOAT ? (uint32_t)value : floats[code - GCN_CODE_FLOAT];
        }
    }
    for (unsigned i = 0; i < 4 && chip->apertures; i++) {
        const uint64_t base = i < 2 ? GCN_SHARED_BASE(chip) : GCN_PRIVATE_BASE(chip);
        gcn_set_pair(constants, gcn_wide(GCN_CODE_APERTURE + i) - GCN_INLINE, base << 32 | (i & 1 ? UINT32_MAX : 0));
    }
    if (!chip->inv_2pi) return;
    gcn_set_pair(constants, gcn_wide(GCN_CODE_INV_2PI) - GCN_INLINE, gcn_inv_2pi(GCN_U64));
    const unsigned inv_2pi = GCN_CODE_INV_2PI;
    constants[inv_2pi - GCN_INLINE] = (uint32_t)gcn_inv_2pi(GCN_U32);
}

void gcn_wave_reset(struct gpudbg_wave *w, uint32_t mode)
{
    const struct gcn_run *g = gcn_of(w);
    uint32_t *s = gcn_s(w);
    memcpy(s + GCN_INLINE, g->constants, sizeof g->constants);
    gcn_set_pair(s, GCN_EXEC, w->lanes);
    gcn_set_pair(s, GCN_LANES, w->machine->isa->lanes < 64 ? UINT32_MAX : UINT64_MAX);
    s[GCN_MODE] = mode;
    s[GCN_STATUS] = 1u << 16 | (w->machine->waves_per_group > 1 ? 1u << 11 : 0);
    s[GCN_HW_ID_WORD] = (w->index / 4 & 15) | (w->index & 3) << 4 | (w->group & 15) << 16;
    s[GCN_GPR_ALLOC_WORD] = ((g->vgprs + 3) / 4 - 1) << 8 | ((g->sgprs + 7) / 8 - 1) << 24;
    const uint32_t unit = gcn_chip_of(w->machine->isa)->lds_unit;
    s[GCN_LDS_ALLOC_WORD] = (w->machine->lds_size + unit - 1) / unit << 12;
}

void gcn_item_ids(uint32_t rows[3][64], uint32_t wave, unsigned lanes, const uint32_t size[3])
{
    uint32_t item = wave * lanes, x = item % size[0], y = item / size[0] % size[1], z = item / size[0] / size[1];
    for (unsigned l = 0; l < 64; l++) {
        rows[0][l] = x;
        rows[1][l] = y;
        rows[2][l] = z;
        if (++x == size[0]) {
            x = 0;
            if (++y == size[1]) {
                y = 0;
                z++;
            }
        }
    }
}

void gcn_group_size(const struct gpudbg_wave *w, uint32_t size[3])
{
    const struct gpudbg_launch *l = w->machine->launch;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t left = l->global[i] - (uint64_t)w->group_id[i] * l->local[i];
        size[i] = left < l->local[i] ? (uint32_t)left : l->local[i];
    }
}

uint32_t gcn_scratch_place(const struct gcn_setup *s, const struct gpudbg_wave *w)
{
    return s->scratch_waves ? w->id % s->scratch_waves * s->scratch_wave : 0;
}
