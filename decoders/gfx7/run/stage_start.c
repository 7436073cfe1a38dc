/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stage_start.c: bare code whose stage or RSRC registers are known: the registers that the chip fills before the first
 * instruction, from the facts that a loader found (object/shader.h) and from rsrc1= and rsrc2= of the launch.  What the
 * launch names itself (s[N:M]=, v[N]=) is put over it (bare.c).
 *
 *     compute     s[user..]: group ids by RSRC2's TGID_X_EN, Y, Z, then the wave's place in its group by TG_SIZE_EN;
 *                 v0 to v2: thread ids, as many as TIDIG_COMP_CNT says; without RSRC2 all three
 *     vertex,     v0: the vertex's index, counted from 0
 *     export,
 *     local
 *
 * Source: Sea Islands register reference, COMPUTE_PGM_RSRC2 and SPI_SHADER_PGM_RSRC2_VS.
 */
#include <stdio.h>
#include <string.h>

#include "object/shader.h"
#include "run/gfx7_exec.h"
#include "run/setup.h"

static bool fact(const struct gpudbg_image *image, const char *key, uint64_t *value)
{
    for (size_t i = 0; i < image->nfacts; i++)
        if (strcmp(image->facts[i].key, key) == 0) {
            *value = image->facts[i].value;
            return true;
        }
    return false;
}

void gfx7_stage_read(struct gfx7_setup *s, const struct gpudbg_image *image)
{
    uint64_t value;
    char name[16];
    s->stage = (uint8_t)(fact(image, "stage", &value) && value < GFX7_STAGES ? value : GFX7_STAGES);
    if (fact(image, "rsrc2", &value)) {
        s->rsrc2 = (uint32_t)value;
        s->has_rsrc2 = true;
    }
    if (fact(image, "rsrc1", &value)) {
        const uint32_t rsrc1 = (uint32_t)value;
        s->mode = GFX7_RSRC1_FLOAT_MODE(rsrc1) | GFX7_RSRC1_DX10_CLAMP(rsrc1) << 8 | GFX7_RSRC1_IEEE(rsrc1) << 9;
    }
    for (unsigned i = 0; i < 16; i++) {
        snprintf(name, sizeof name, "user s%u", i);
        if (!fact(image, name, &value)) continue;
        s->user[i] = (uint32_t)value;
        s->user_given |= (uint16_t)(1u << i);
    }
}

/* Without a stage, RSRC2 is taken as compute's: it is the user who gave it. */
static bool is_compute(const struct gfx7_setup *s)
{
    return s->stage == GFX7_STAGE_COMPUTE || (s->stage == GFX7_STAGES && s->has_rsrc2);
}

uint32_t gfx7_stage_lds(const struct gfx7_setup *s)
{
    return s->has_rsrc2 && is_compute(s) ? (s->rsrc2 >> 15 & 0x1ff) * 512 : 0; /* in units of 128 dwords */
}

static void start_compute(struct gpudbg_wave *w, const struct gfx7_setup *s)
{
    const struct gpudbg_launch *l = w->machine->launch;
    uint32_t *sgpr = gfx7_s(w), ids[3][64], next = GFX7_RSRC2_USER_SGPRS(s->rsrc2);
    for (unsigned i = 0; i < 3 && s->has_rsrc2; i++)
        if (GFX7_RSRC2_GROUP_ID(s->rsrc2) >> i & 1) sgpr[next++] = w->group_id[i];
    if (s->has_rsrc2 && GFX7_RSRC2_GROUP_INFO(s->rsrc2))
        sgpr[next++] = (w->index == 0 ? 1u << 31 : 0) | w->index << 6 | w->machine->waves_per_group;
    gfx7_item_ids(ids, w->index, l->local);
    const unsigned n = s->has_rsrc2 ? 1 + GFX7_RSRC2_ITEM_IDS(s->rsrc2) : 3;
    for (unsigned i = 0; i < n && i < 3; i++)
        for (unsigned lane = 0; lane < 64 && w->lanes >> lane; lane++) gfx7_v(w, i)[lane] = ids[i][lane];
}

static void start_vertices(struct gpudbg_wave *w)
{
    const struct gpudbg_launch *l = w->machine->launch;
    const uint32_t first = (w->group_id[2] * l->groups[1] + w->group_id[1]) * l->groups[0] + w->group_id[0];
    for (unsigned lane = 0; lane < 64 && w->lanes >> lane; lane++)
        gfx7_v(w, 0)[lane] = first * l->local[0] * l->local[1] * l->local[2] + w->index * 64 + lane;
}

void gfx7_stage_start(struct gpudbg_wave *w, const struct gfx7_setup *s)
{
    for (unsigned i = 0; i < 16; i++) /* others stay as they are: nobody wrote them */
        if (s->user_given >> i & 1) gfx7_s(w)[i] = s->user[i];
    if (is_compute(s))
        start_compute(w, s);
    else if (s->stage == GFX7_STAGE_VERTEX || s->stage == GFX7_STAGE_EXPORT || s->stage == GFX7_STAGE_LOCAL)
        start_vertices(w);
}
