/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bare.c: code without a kernel's description: the launch names first contents of registers (s[N:M]=, v[N]=, m0=),
 * vgprs=, sgprs= (how many a wave has), lds=, gds= (their size, or first contents), rsrc1=, rsrc2=, psinput=
 * (stage_start.c), params= (interp.c), borders= (image_sample.c).
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/setup.h"
#include "engine/gcn_exec.h"
#include "gcn.h"

#define LDS UINT_MAX /* as the file of a part */

struct gcn_part {
    unsigned file;        /* GCN_FILE_S or _V, or LDS; others by their words */
    unsigned first, last; /* registers (operand codes for scalars) */
    int32_t wave, group;  /* of its group; of the launch, x fastest; or -1: all */
    const uint8_t *bytes;
    uint64_t size, value; /* size 0: every register, or every lane, holds value */
};

/* Reads the part after a register: "/2", "/g5", "/g5/2". */
static bool part_place(const char *name, const char *at, struct gcn_part *p, struct gpudbg_error *err)
{
    int end = 0;
    p->wave = p->group = -1;
    if (!*at) return true;
    if (at[1] == 'g') {
        if (sscanf(at, "/g%d%n", &p->group, &end) != 1 || p->group < 0)
            return gpudbg_fail(err, "bad-argument", "launch: '%s': a group's number must follow '/g'", name);
        at += end;
        if (!*at) return true;
    }
    if (sscanf(at, "/%d%n", &p->wave, &end) != 1 || at[end] || p->wave < 0)
        return gpudbg_fail(err, "bad-argument", "launch: '%s': a wave's number must follow '/'", name);
    return true;
}

/* "s[4:7]", "v[3]", "s4", "vcc", "m0", each perhaps followed by "/2", "/g5" or "/g5/2". */
static bool part_name(const struct gcn_chip *chip, const char *name, struct gcn_part *p, struct gpudbg_error *err)
{
    static const struct place {
        const char *name;
        unsigned first, last;
    } older[] = {{"vcc", GCN_VCC, GCN_VCC + 1}, {"m0", GCN_M0, GCN_M0}, {"exec", GCN_EXEC, GCN_EXEC + 1},
        {"flat_scratch", GCN_FLAT_SCRATCH, GCN_FLAT_SCRATCH + 1}, {"tba", GCN_TBA, GCN_TBA + 1},
        {"tma", GCN_TMA, GCN_TMA + 1}};
    static const struct place newer[] = {{"vcc", GCN_VCC, GCN_VCC + 1}, {"m0", GCN_M0, GCN_M0},
        {"exec", GCN_EXEC, GCN_EXEC + 1}, {"flat_scratch", GCN_SCRATCH_BASE, GCN_SCRATCH_BASE + 1},
        {"tba", GCN_TRAP_BASE, GCN_TRAP_BASE + 1}, {"tma", GCN_TRAP_MEMORY, GCN_TRAP_MEMORY + 1}};
    const bool has_newer = chip->newer_hwregs; /* TTMPs are where TBA and TMA were */
    const struct place *words = has_newer ? newer : older;
    const size_t nwords = has_newer ? sizeof newer / sizeof *newer : sizeof older / sizeof *older;
    char base[32], file;
    int end = 0;
    size_t n = strcspn(name, "/");
    if (!part_place(name, name + n, p, err)) return false;
    if (n < sizeof base) {
        memcpy(base, name, n);
        base[n] = 0;
        for (size_t i = 0; i < nwords; i++)
            if (strcmp(base, words[i].name) == 0) {
                p->first = words[i].first;
                p->last = words[i].last;
                p->file = GCN_FILE_S;
                return true;
            }
        end = 0;
        if ((sscanf(base, "%c[%u:%u]%n", &file, &p->first, &p->last, &end) == 3 && end && !base[end]) ||
            (sscanf(base, "%c[%u]%n", &file, &p->first, &end) == 2 && end && !base[end] &&
                ((p->last = p->first), true)) ||
            (sscanf(base, "%c%u%n", &file, &p->first, &end) == 2 && end && !base[end] &&
                ((p->last = p->first), true))) {
            unsigned most = file == 's' ? chip->sgprs : file == 'v' ? 256 : 0;
            p->file = file == 's' ? GCN_FILE_S : GCN_FILE_V;
            if (most && p->first <= p->last && p->last < most) return true;
        }
    }
    return gpudbg_fail(err, "no-such-name",
        "launch: '%s' is not one of s[N:M], v[N], vcc, m0, exec, flat_scratch, tba, tma, "
        "vgprs, sgprs, lds, gds, rsrc1, rsrc2, psinput, params, borders, bufN",
        name);
}

static bool add_gds(
    struct gcn_setup *s, struct gpudbg_machine *m, const struct gpudbg_bound *b, struct gpudbg_error *err)
{
    const uint64_t size = b->size ? b->size : b->value;
    if (!size || size > GCN_LDS_MAX)
        return gpudbg_fail(err, "bad-argument", "launch: gds=%s is not 1 to %u bytes", b->text, GCN_LDS_MAX);
    s->gds = gpudbg_machine_segment(m, "gds", size, b->size ? b->bytes : NULL, 0, err);
    s->gws = s->gds ? gpudbg_machine_segment(m, "gws", GCN_GWS_BYTES, NULL, 0, err) : NULL;
    return s->gws != NULL;
}

static bool is_group(
    const struct gpudbg_machine *m, const char *name, const struct gcn_part *p, struct gpudbg_error *err)
{
    const uint32_t groups = m->nwaves / m->waves_per_group;
    return p->group < 0 || (uint32_t)p->group < groups ||
           gpudbg_fail(
               err, "out-of-range", "launch: '%s': groups of this launch are numbered 0 to %" PRIu32, name, groups - 1);
}

bool gcn_part_covers(const struct gcn_setup *s, uint32_t i, unsigned file, unsigned first, unsigned last)
{
    const struct gcn_part *p = &s->part[i];
    return p->file == file && p->first <= last && first <= p->last;
}

/* "lds", or "lds/g5": the size of every group's, and its first bytes. */
static bool add_lds(struct gcn_setup *s, const struct gpudbg_machine *m, const struct gpudbg_bound *b, uint32_t *lds,
    struct gpudbg_error *err)
{
    struct gcn_part *p = &s->part[s->nparts];
    const uint64_t size = b->size ? b->size : b->value;
    if (!part_place(b->name, b->name + 3, p, err)) return false;
    if (p->wave >= 0)
        return gpudbg_fail(err, "bad-argument", "launch: '%s': the waves of a group share its LDS", b->name);
    const uint32_t most = gcn_chip_of(m->isa)->lds;
    if (size > most)
        return gpudbg_fail(err, "bad-argument", "launch: %s=%s is not 0 to %u bytes", b->name, b->text, most);
    if (!is_group(m, b->name, p, err)) return false;
    if (*lds == UINT32_MAX || size > *lds) *lds = (uint32_t)size; /* UINT32_MAX: not yet given */
    if (p->group < 0) {
        s->lds = b->bytes;
        s->lds_size = b->size;
        return true;
    }
    p->file = LDS;
    p->bytes = b->bytes;
    p->size = b->size;
    s->nparts += b->size > 0;
    return true;
}

/* How many registers of a kind a wave has, at most `most`. */
static bool add_count(const struct gpudbg_bound *b, uint32_t most, uint32_t *count, struct gpudbg_error *err)
{
    if (b->size || !b->value || b->value > most)
        return gpudbg_fail(err, "bad-argument", "launch: %s=%s is not 1 to %" PRIu32, b->name, b->text, most);
    *count = (uint32_t)b->value;
    return true;
}

/* Whether a number fits in its place: the register, or the first two of a range; for vector registers each lane's. */
static bool fits(const struct gcn_part *p, const struct gpudbg_bound *b)
{
    const bool wide = p->file != GCN_FILE_V && p->last > p->first;
    return b->size || wide || (b->text[0] == '-' ? (int64_t)b->value >= INT32_MIN : b->value <= UINT32_MAX);
}

static bool add_part(struct gcn_setup *s, struct gpudbg_machine *m, const struct gpudbg_bound *b, uint32_t *lds,
    struct gpudbg_error *err)
{
    struct gcn_part *p = &s->part[s->nparts];
    if (strncmp(b->name, "lds", 3) == 0 && (!b->name[3] || b->name[3] == '/')) return add_lds(s, m, b, lds, err);
    if (strcmp(b->name, "gds") == 0) return add_gds(s, m, b, err);
    if (strcmp(b->name, "vgprs") == 0) return add_count(b, 256, &s->vgprs, err);
    if (strcmp(b->name, "sgprs") == 0) return add_count(b, gcn_chip_of(m->isa)->sgprs, &s->sgprs, err);
    struct gcn_told *told = strcmp(b->name, "rsrc1") == 0     ? &s->rsrc1
                            : strcmp(b->name, "rsrc2") == 0   ? &s->rsrc2
                            : strcmp(b->name, "psinput") == 0 ? &s->psinput
                                                              : NULL;
    if (told) {
        if (b->size || b->value > UINT32_MAX)
            return gpudbg_fail(err, "bad-argument", "launch: %s=%s is not a number of 32 bits", b->name, b->text);
        *told = (struct gcn_told){true, (uint32_t)b->value};
        return true;
    }
    if (strcmp(b->name, "params") == 0) {
        if (!b->size) return gpudbg_fail(err, "bad-argument", "launch: params=%s is not hex:BYTES or @FILE", b->text);
        s->params = b->bytes;
        s->params_size = b->size;
        return true;
    }
    if (strcmp(b->name, "borders") == 0) {
        if (!b->size) return gpudbg_fail(err, "bad-argument", "launch: borders=%s is not hex:BYTES or @FILE", b->text);
        s->borders = b->bytes;
        s->borders_size = b->size;
        return true;
    }
    if (!part_name(gcn_chip_of(m->isa), b->name, p, err)) return false;
    if (p->wave >= 0 && (uint32_t)p->wave >= m->waves_per_group)
        return gpudbg_fail(err, "out-of-range", "launch: '%s': waves of a group are numbered 0 to %" PRIu32, b->name,
            m->waves_per_group - 1);
    if (!is_group(m, b->name, p, err)) return false;
    uint64_t room = (uint64_t)(p->last - p->first + 1) * (p->file == GCN_FILE_V ? 256 : 4);
    if (b->size > room)
        return gpudbg_fail(
            err, "bad-argument", "launch: %s: %" PRIu64 " bytes do not fit into %" PRIu64, b->name, b->size, room);
    if (!fits(p, b)) return gpudbg_fail(err, "bad-argument", "launch: %s=%s does not fit in 4 bytes", b->name, b->text);
    p->bytes = b->bytes;
    p->size = b->size;
    p->value = b->value;
    s->nparts++;
    return true;
}

bool gcn_bare_new(struct gcn_setup *s, struct gpudbg_machine *m, uint32_t *lds, struct gpudbg_error *err)
{
    const struct gpudbg_launch *launch = m->launch;
    if (!(s->part = calloc(launch->nbound + 1, sizeof *s->part)))
        return gpudbg_fail(err, "memory", "launch: out of memory");
    for (size_t i = 0; i < launch->nbound; i++)
        if (launch->bound[i].kind == GPUDBG_BOUND_PART && !add_part(s, m, &launch->bound[i], lds, err)) return false;
    for (uint32_t i = 0; i < s->nparts; i++) {
        const struct gcn_part *p = &s->part[i];
        const bool vector = p->file == GCN_FILE_V, numbered = vector || p->last < gcn_chip_of(m->isa)->sgprs;
        const uint32_t most = vector ? s->vgprs : s->sgprs;
        if (p->file != LDS && numbered && p->last >= most)
            return gpudbg_fail(err, "out-of-range", "launch: %c%u: the launch has %" PRIu32 " %s", vector ? 'v' : 's',
                p->last, most, vector ? "VGPRs" : "SGPRs");
    }
    return true;
}

static void start_part(struct gpudbg_wave *w, const struct gcn_part *p)
{
    if (p->wave >= 0 && (uint32_t)p->wave != w->index) return;
    if (p->group >= 0 && (uint32_t)p->group != w->group) return;
    if (p->file == LDS) {
        if (w->index == 0 && w->lds) memcpy(w->lds->bytes, p->bytes, p->size);
        return;
    }
    unsigned dwords = (p->last - p->first + 1) * (p->file == GCN_FILE_V ? 64 : 1);
    uint32_t *to = p->file == GCN_FILE_V ? gcn_v(w, p->first) : gcn_s(w) + p->first;
    if (p->size) {
        memcpy(to, p->bytes, p->size);
    } else if (p->file == GCN_FILE_V) {
        for (unsigned i = 0; i < dwords; i++) to[i] = (uint32_t)p->value;
    } else {
        for (unsigned i = 0; i < dwords; i++) to[i] = i < 2 ? (uint32_t)(p->value >> 32 * i) : 0;
    }
}

void gcn_bare_start(struct gpudbg_wave *w, const struct gcn_setup *s)
{
    if (s->lds_size && w->index == 0 && w->lds) memcpy(w->lds->bytes, s->lds, s->lds_size);
    for (uint32_t i = 0; i < s->nparts; i++) start_part(w, &s->part[i]);
}
