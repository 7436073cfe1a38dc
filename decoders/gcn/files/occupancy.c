/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * occupancy.c: `info occupancy`: how many waves a SIMD holds, by the needs of a kernel, from its file.
 *
 * A SIMD of Sea Islands has 10 places for waves, 256 VGPRs a lane, given by fours, and 512 SGPRs, given by eights; a
 * compute unit has four SIMDs and 64 KB of LDS, given by 512 bytes, and at most 16 groups of several waves.  More than
 * 80 SGPRs leave five waves.  Sources: Sea Islands 3D register reference, COMPUTE_PGM_RSRC1 and 2 (granules); LLVM's
 * AMDGPU backend, which prints the same numbers for SGPRs and VGPRs ("Occupancy").
 */
#include <stdio.h>
#include <string.h>
#include "code/gcn_decoder.h"
#include "gpudbg/text.h"

enum { WAVES = 10, SIMDS = 4, VGPRS = 256, SGPRS = 512, LDS = 65536, GROUPS = 16, LANES = 64 };

struct row {
    const struct gpudbg_kernel *kernel;
    uint32_t vgprs, sgprs, lds, group; /* group: work-items; 0: not known */
    unsigned waves, by_vgprs, by_sgprs, by_lds;
};

static uint32_t up(uint32_t n, uint32_t to) { return (n + to - 1) / to * to; }
static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned waves_of_vgprs(uint32_t n) { return least(WAVES, VGPRS / up(n ? n : 1, 4)); }

static unsigned waves_of_sgprs(uint32_t n)
{
    const unsigned waves = least(WAVES, SGPRS / up(n ? n : 1, 8));
    return waves < 5 ? 5 : waves;
}

/* Groups are as many as fit in LDS and in the table of barriers; their waves spread over the SIMDs. */
static unsigned waves_of_groups(uint32_t lds, uint32_t group)
{
    const uint32_t waves = up(group ? group : LANES, LANES) / LANES;
    uint32_t groups = waves > 1 ? GROUPS : WAVES * SIMDS;
    if (lds) groups = least(groups, LDS / up(lds, 512));
    return least(WAVES, (groups * waves + SIMDS - 1) / SIMDS);
}

static bool fact(const struct gpudbg_kernel *k, const char *key, uint32_t *value)
{
    for (size_t i = 0; i < k->nfacts; i++)
        if (strcmp(k->facts[i].key, key) == 0 && !k->facts[i].text) {
            *value = (uint32_t)k->facts[i].value;
            return true;
        }
    return false;
}

/* ---- Cells ---- */

#define NUMBER_CELL(name, member)                                                    \
    static int name##_cell(const void *r, char *buf, size_t size)                    \
    {                                                                                \
        return snprintf(buf, size, "%u", (unsigned)((const struct row *)r)->member); \
    }
NUMBER_CELL(waves, waves)
NUMBER_CELL(vgprs, vgprs)
NUMBER_CELL(sgprs, sgprs)
NUMBER_CELL(lds, lds)
NUMBER_CELL(by_vgprs, by_vgprs)
NUMBER_CELL(by_sgprs, by_sgprs)
NUMBER_CELL(by_lds, by_lds)

static int kernel_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)r)->kernel->name);
}

static int group_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    return row->group ? snprintf(buf, size, "%u", (unsigned)row->group) : snprintf(buf, size, "%s", "");
}

static int limit_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    struct text t = text_in(buf, size);
    if (row->waves == WAVES) {
        text_add(&t, "waves");
        return (int)t.n;
    }
    if (row->by_vgprs == row->waves) text_add(&t, "vgprs");
    if (row->by_sgprs == row->waves) text_add(&t, "%ssgprs", t.n ? " " : "");
    if (row->by_lds == row->waves) text_add(&t, "%s%s", t.n ? " " : "", row->lds ? "lds" : "groups");
    return (int)t.n;
}

/* The registers and bytes of LDS that must be saved for one wave more. */
static int less_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    struct text t = text_in(buf, size);
    const unsigned more = row->waves + 1;
    uint32_t n;
    if (more > WAVES) return (int)t.n;
    for (n = row->vgprs; n && waves_of_vgprs(n) < more;) n--;
    if (n < row->vgprs) text_add(&t, "%u VGPRs less", (unsigned)(row->vgprs - n));
    for (n = row->sgprs; n && waves_of_sgprs(n) < more;) n--;
    if (n < row->sgprs) text_add(&t, "%s%u SGPRs less", t.n ? " and " : "", (unsigned)(row->sgprs - n));
    for (n = row->lds; n && waves_of_groups(n, row->group) < more;) n--;
    if (n < row->lds) text_add(&t, "%s%u bytes of LDS less", t.n ? " and " : "", (unsigned)(row->lds - n));
    if (waves_of_groups(0, row->group) < more) {
        t = text_in(buf, size);
        text_add(&t, "larger groups");
    }
    return (int)t.n;
}

static const struct gpudbg_column columns[] = {
    {"kernel", "kernel", 0, GPUDBG_NAME, kernel_cell},
    {"waves", "waves", 0, GPUDBG_COUNT, waves_cell},
    {"limit", "limited by", 0, GPUDBG_PLAIN, limit_cell},
    {"less", "one more with", 0, GPUDBG_NOTE, less_cell},
    {"vgprs", "vgprs", 0, GPUDBG_COUNT, vgprs_cell},
    {"by_vgprs", "allow", 0, GPUDBG_COUNT, by_vgprs_cell},
    {"sgprs", "sgprs", 0, GPUDBG_COUNT, sgprs_cell},
    {"by_sgprs", "allow", 0, GPUDBG_COUNT, by_sgprs_cell},
    {"lds", "lds", 0, GPUDBG_COUNT, lds_cell},
    {"group", "group", 0, GPUDBG_COUNT, group_cell},
    {"by_lds", "allow", 0, GPUDBG_COUNT, by_lds_cell},
};

/* ---- Rows ---- */

static bool take_group(const char *args, uint32_t *group, struct gpudbg_error *err)
{
    unsigned n = 0;
    int used = 0;
    *group = 0;
    if (!*args) return true;
    if (sscanf(args, "-l %u%n", &n, &used) != 1 || args[used] || !n || n > 1024)
        return gpudbg_fail(err, "usage", "info occupancy [-l N]: N is the size of a group, 1 to 1024 work-items");
    *group = n;
    return true;
}

static bool rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = gpudbg_session_image(g);
    uint32_t group;
    if (!image) return gpudbg_fail(err, "no-file", "no file is loaded");
    if (!take_group(args, &group, err)) return false;
    for (size_t i = 0; i < image->nkernels; i++) {
        const struct gpudbg_kernel *k = &image->kernels[i];
        struct row r = {.kernel = k, .lds = k->lds, .group = group ? group : k->max_local};
        if (!fact(k, "vgprs", &r.vgprs) || !fact(k, "sgprs", &r.sgprs)) continue;
        const uint32_t wanted = k->reqd_local[0] * k->reqd_local[1] * k->reqd_local[2];
        if (!group && wanted) r.group = wanted;
        r.by_vgprs = waves_of_vgprs(r.vgprs);
        r.by_sgprs = waves_of_sgprs(r.sgprs);
        r.by_lds = waves_of_groups(r.lds, r.group);
        r.waves = least(least(r.by_vgprs, r.by_sgprs), r.by_lds);
        if (!each(to, &r)) break;
    }
    return true;
}

const struct gpudbg_listing gcn_occupancy = {
    .name = "occupancy",
    .summary =
        "list how many waves of each kernel a SIMD holds, and what limits them; `-l N`: in groups of N work-items",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = rows,
    .empty = "no kernel of the file says how many registers it has",
    .isas = gcn_chip_names,
};
