/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stage_assumed.c: the assumptions of a launch of bare code, in words: registers that the chip would fill and that
 * neither the file nor the launch names. */
#include "gpudbg/text.h"
#include "files/shader.h"
#include "engine/gcn_exec.h"
#include "engine/setup.h"

static const char *const scalar_names[] = {
    [GCN_GIVES_STREAM_CONFIG] = "stream output's configuration",
    [GCN_GIVES_STREAM_INDEX] = "stream output's index",
    [GCN_GIVES_STREAM_OFFSET] = "stream output's offset 0",
    [GCN_GIVES_STREAM_OFFSET + 1] = "stream output's offset 1",
    [GCN_GIVES_STREAM_OFFSET + 2] = "stream output's offset 2",
    [GCN_GIVES_STREAM_OFFSET + 3] = "stream output's offset 3",
    [GCN_GIVES_OFF_CHIP] = "offset into off-chip LDS",
    [GCN_GIVES_FACTORS] = "offset into the ring of tessellation factors",
    [GCN_GIVES_ES_RING] = "offset into the ring of export shaders",
    [GCN_GIVES_GS_RING] = "offset into the ring of geometry shaders",
    [GCN_GIVES_GS_WAVE] = "number of the geometry shader's wave",
    [GCN_GIVES_PRIMITIVES] = "where primitives begin, for M0",
    [GCN_GIVES_WAVE_COUNT] = "count of waves",
    [GCN_GIVES_SCRATCH] = "offset of the wave's scratch",
    [GCN_GIVES_UNNAMED] = "which drivers leave alone",
};

/* Vector registers of a stage that a launch alone cannot know, and the values that are assumed. */
static const struct {
    uint8_t stage, first, last; /* registers */
    const char *what;
} vectors[] = {
    {GCN_STAGE_VERTEX, 0, 0, "v0 counts vertices from 0 along x"},
    {GCN_STAGE_VERTEX, 1, 3, "instances count from 0 along y"},
    {GCN_STAGE_EXPORT, 0, 0, "v0 counts vertices from 0 along x"},
    {GCN_STAGE_EXPORT, 1, 3, "instances count from 0 along y"},
    {GCN_STAGE_LOCAL, 0, 0, "v0 counts vertices from 0 along x"},
    {GCN_STAGE_LOCAL, 2, 3, "instances count from 0 along y"},
    {GCN_STAGE_HULL, 0, 1, "control points count along x, patches along y"},
    {GCN_STAGE_DOMAIN, 0, 1, "v0 and v1 (u and v) are 0"},
    {GCN_STAGE_DOMAIN, 2, 3, "patches count along y"},
    {GCN_STAGE_DOMAIN_EXPORT, 0, 1, "v0 and v1 (u and v) are 0"},
    {GCN_STAGE_DOMAIN_EXPORT, 2, 3, "patches count along y"},
    {GCN_STAGE_GEOMETRY, 0, 1, "offsets of the primitive's vertices (v0 v1 v3 to v6) are 0"},
    {GCN_STAGE_GEOMETRY, 2, 2, "primitives count along x"},
    {GCN_STAGE_GEOMETRY, 7, 7, "instances count along y"},
    {GCN_STAGE_COPY, 0, 0, "v0 counts vertices from 0 along x"},
};

/* The same where stages are merged. */
#define TRIANGLES "each three vertices of the group are a triangle, whose vertices are in halves of v0 and v1"
static const struct {
    uint8_t stage, first, last;
    const char *what;
} merged[] = {
    {GCN_STAGE_GEOMETRY, 0, 1, TRIANGLES},
    {GCN_STAGE_GEOMETRY, 2, 2, "primitives count along x"},
    {GCN_STAGE_GEOMETRY, 5, 5, "v5 counts vertices from 0 along x"},
    {GCN_STAGE_GEOMETRY, 8, 8, "instances count along y"},
    {GCN_STAGE_EXPORT, 0, 1, TRIANGLES},
    {GCN_STAGE_EXPORT, 2, 2, "primitives count along x"},
    {GCN_STAGE_EXPORT, 5, 5, "v5 counts vertices from 0 along x"},
    {GCN_STAGE_EXPORT, 8, 8, "instances count along y"},
    {GCN_STAGE_HULL, 0, 1, "control points count along x, patches along y"},
    {GCN_STAGE_HULL, 2, 2, "v2 counts vertices from 0 along x"},
    {GCN_STAGE_LOCAL, 0, 1, "control points count along x, patches along y"},
    {GCN_STAGE_LOCAL, 2, 2, "v2 counts vertices from 0 along x"},
};

static void put(struct text *t, const char *what) { text_add(t, "%s%s", t->n ? "; " : "", what); }

/* Whether the launch names one of the registers. */
static bool named(const struct gcn_setup *s, unsigned file, unsigned first, unsigned last)
{
    for (uint32_t i = 0; i < s->nparts; i++)
        if (gcn_part_covers(s, i, file, first, last)) return true;
    return false;
}

static void put_scalars(struct text *t, const struct gcn_setup *s)
{
    struct gcn_stage_scalar list[GCN_STAGE_SCALARS];
    const unsigned n = gcn_stage_scalars(s, list);
    const unsigned user = gcn_stage_user(s);
    unsigned free_registers = 0;
    for (unsigned i = 0; i < n; i++)
        if (list[i].what > GCN_GIVES_KNOWN && !named(s, GCN_FILE_S, list[i].reg, list[i].reg))
            text_add(t, "%ss%u is 0 (%s)", t->n ? "; " : "", list[i].reg, scalar_names[list[i].what]);
    for (unsigned i = 0; s->rsrc2.given && i < GET(s->rsrc2.value, RSRC2, user_sgpr) && i < 16; i++)
        if (!(s->user_given >> i & 1) && !named(s, GCN_FILE_S, user + i, user + i)) free_registers |= 1u << i;
    if (free_registers) put(t, "user data is 0 in");
    for (unsigned i = 0; i < 16; i++) {
        unsigned last = i;
        if (!(free_registers >> i & 1)) continue;
        while (last < 15 && free_registers >> (last + 1) & 1) last++;
        text_add(t, last > i ? " s[%u:%u]" : " s%u", user + i, user + last);
        i = last;
    }
}

int gcn_assumed(const struct gpudbg_machine *m, char *buf, size_t size)
{
    const struct gcn_setup *s = ((const struct gcn_run *)m->runner)->setup;
    struct text t = text_in(buf, size);
    if (s->abi) return 0;
    if (s->stage == GCN_STAGES && !s->rsrc2.given) {
        put(&t,
            "no stage is known: registers that the launch does not name are 0, also where the chip would put ids of "
            "groups and threads, coverage and the face (`set " GCN_FAMILY " stage` says which)");
        return (int)t.n;
    }
    const bool is_merged = gcn_stage_user(s);
    for (size_t i = 0; is_merged && i < sizeof merged / sizeof *merged; i++)
        if (merged[i].stage == s->stage && !named(s, GCN_FILE_V, merged[i].first, merged[i].last))
            put(&t, merged[i].what);
    for (size_t i = 0; !is_merged && i < sizeof vectors / sizeof *vectors; i++)
        if (vectors[i].stage == s->stage && vectors[i].first < gcn_stage_vectors(s) &&
            !named(s, GCN_FILE_V, vectors[i].first, vectors[i].last))
            put(&t, vectors[i].what);
    if (s->stage == GCN_STAGE_PIXEL && s->psinput.given)
        put(&t, "one triangle, from the grid's first corner to those right of it and below; it faces front and covers "
                "sample 0 of every pixel, z is 0");
    if (s->stage == GCN_STAGE_PIXEL && !s->psinput.given)
        put(&t, "barycentrics, position and every register that the launch does not name are 0 "
                "(psinput=NUMBER of the launch says which they are)");
    if (!s->rsrc2.given && s->stage == GCN_STAGE_COMPUTE)
        put(&t, "v0 to v2 are thread ids; no register has the group's ids (rsrc2=NUMBER of the launch says which)");
    else if (!s->rsrc2.given)
        put(&t, "scalars that the launch does not name are 0 (rsrc2=NUMBER of the launch says what they hold)");
    put_scalars(&t, s);
    return (int)t.n;
}
