/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start.c: a wave's first registers. */
#include "engine/setup.h"

#include <stdlib.h>
#include <string.h>

#include "engine/gcn_exec.h"
#include "gcn.h"

static void start_items(struct gpudbg_wave *w, const struct gcn_setup *s, const uint32_t size[3])
{
    const uint32_t *local = w->machine->launch->local;
    uint32_t own[3][64];
    unsigned n = 1 + GET(s->abi->rsrc2, RSRC2, tidig_comp_cnt);
    bool whole = size[0] == local[0] && size[1] == local[1] && size[2] == local[2] && w->lanes == gcn_all_lanes(w);
    if (!whole) gcn_item_ids(own, w->index, w->machine->isa->lanes, size);
    for (unsigned i = 0; i < n && i < 3 && i < s->vgprs; i++)
        if (whole)
            memcpy(gcn_v(w, i), s->ids[w->index][i], 256);
        else
            for (unsigned l = 0; l < 64 && w->lanes >> l; l++) gcn_v(w, i)[l] = own[i][l];
}

/* Programs may not rely on M0, but it limits LDS accesses, and clang 19 does not set it where only FLAT reaches LDS.
 * So it starts without a limit. */
static void start_compiled(struct gpudbg_wave *w, const struct gcn_setup *s)
{
    uint32_t *sgpr = gcn_s(w), next = GET(s->abi->rsrc2, RSRC2, user_sgpr), size[3];
    const uint32_t lanes = w->machine->isa->lanes;
    memcpy(sgpr, s->user, 4 * s->nuser);
    for (unsigned i = 0; i < 3; i++)
        if (GET(s->abi->rsrc2, RSRC2, tgid_en) >> i & 1) sgpr[next++] = w->group_id[i];
    gcn_group_size(w, size);
    if (GET(s->abi->rsrc2, RSRC2, tg_size_en))
        sgpr[next++] = (w->index == 0 ? 1u << 31 : 0) | (size[0] * size[1] * size[2] + lanes - 1) / lanes;
    /* clang 19 sets up FLAT_SCRATCH with the register after the others in kernels that do not ask for it, too; they do
     * not use the sum. */
    sgpr[next] = GET(s->abi->rsrc2, RSRC2, scratch_en) ? gcn_scratch_place(s, w) : 0;
    if (gcn_chip_of(w->machine->isa)->lds_by_m0) sgpr[GCN_M0] = UINT32_MAX;
    start_items(w, s, size);
}

void gcn_start(struct gpudbg_wave *w)
{
    const struct gcn_setup *s = gcn_of(w)->setup;
    gcn_wave_reset(w, s->mode);
    w->pc = s->entry;
    if (s->abi)
        start_compiled(w, s);
    else
        gcn_stage_start(w, s);
    gcn_bare_start(w, s);
    gcn_status(w);
}

bool gcn_first_scalars(const struct gpudbg_wave *w, uint32_t scalars[128])
{
    const size_t size = ((size_t)w->machine->wave_words * 4 + 63) & ~(size_t)63;
    struct gpudbg_wave copy = *w;
    copy.lds = NULL; /* only registers are wanted */
    if (!(copy.words = aligned_alloc(64, size))) return false;
    memset(copy.words, 0, size);
    gcn_start(&copy);
    memcpy(scalars, gcn_s(&copy), 128 * sizeof *scalars);
    free(copy.words);
    return true;
}
