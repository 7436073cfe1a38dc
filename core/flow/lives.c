/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow/lives.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

#define LIVES_MOST (UINT64_C(1) << 28) /* bytes */

const char life_mark[LIFE_KINDS] = {' ', '|', ':', '+', 'w', 'o', 'x', '!'};

struct making {
    struct lives *l;
    const struct live *live;
    uint64_t addr;    /* in the section that is wanted */
    uint32_t *reg_of; /* of each cell; UINT32_MAX: it is not shown */
    bool found;
};

/* Registers of one kind, in the order of files and numbers. */
static void add_registers(struct making *m, enum pressure_kind kind)
{
    const struct used *u = m->live->used;
    struct lives *l = m->l;
    for (uint32_t c = 0; c < u->ncells; c++) {
        if (pressure_kind_of(l->isa, u->cell[c].file) != kind) continue;
        const struct lives_register *last = l->nregs ? &l->reg[l->nregs - 1] : NULL;
        const uint32_t number = live_register(u, c);
        if (!last || last->kind != kind || last->file != u->cell[c].file || last->number != number)
            l->reg[l->nregs++] = (struct lives_register){u->cell[c].file, number, kind};
        m->reg_of[c] = l->nregs - 1;
    }
}

/* What an instruction and its surroundings do to a register: bits. */
enum { WAS = 1, IS = 2, READS = 4, WRITES = 8, SURELY = 16 };

static enum life life_of(unsigned does)
{
    if (does & READS) return does & IS ? (does & WRITES ? LIFE_WRITTEN : LIFE_USED) : LIFE_DIES;
    if (does & WRITES) return does & IS ? (does & WAS ? LIFE_WRITTEN : LIFE_BORN) : LIFE_UNREAD;
    if (!(does & WAS && does & IS)) return LIFE_DEAD;
    return does & SURELY ? LIFE_ALIVE : LIFE_PERHAPS;
}

static bool see(void *to, uint32_t number, const live_need *before, const live_need *after)
{
    const struct making *m = to;
    const struct used *u = m->live->used;
    uint8_t *row = m->l->life + (size_t)number * m->l->nregs;
    for (uint32_t c = 0; c < u->ncells; c++) {
        if (m->reg_of[c] == UINT32_MAX) continue;
        const bool surely = (before[c] && !(before[c] & LIVE_MAYBE)) || (after[c] && !(after[c] & LIVE_MAYBE));
        row[m->reg_of[c]] |= (uint8_t)((before[c] ? WAS : 0) | (after[c] ? IS : 0) | (surely ? SURELY : 0));
    }
    const struct used_insn *insn = &u->insn[number];
    for (uint32_t k = insn->use; k < insn->use + insn->nuses; k++) {
        const struct used_use *use = &u->use[k];
        if (use->flags & GPUDBG_USE_MAYBE) continue;
        for (uint32_t c = use->cell; c < use->cell + use->n; c++)
            if (m->reg_of[c] != UINT32_MAX)
                row[m->reg_of[c]] |= (uint8_t)((use->flags & GPUDBG_USE_READ ? READS : 0) |
                                               (use->flags & GPUDBG_USE_WRITE ? WRITES : 0));
    }
    for (uint32_t r = 0; r < m->l->nregs; r++) row[r] = (uint8_t)life_of(row[r]);
    return true;
}

static bool make(struct making *m, const struct gpudbg_ways *w, struct gpudbg_error *err)
{
    struct lives *l = m->l;
    const struct used *u = m->live->used;
    l->isa = w->isa;
    l->from = w->base;
    l->to = w->base + w->size;
    l->n = w->ninsns;
    l->reg = xcalloc((size_t)u->ncells + 1, sizeof *l->reg);
    m->reg_of = xalloc(((size_t)u->ncells + 1) * sizeof *m->reg_of);
    memset(m->reg_of, 0xff, ((size_t)u->ncells + 1) * sizeof *m->reg_of);
    add_registers(m, PRESSURE_VECTOR);
    add_registers(m, PRESSURE_SCALAR);
    const uint64_t size = (uint64_t)l->n * l->nregs + 1;
    if (size > LIVES_MOST)
        return gpudbg_fail(err, "too-large", "the code is too large to show the lives of its registers");
    l->addr = malloc(((size_t)l->n + 1) * sizeof *l->addr);
    l->life = calloc((size_t)size, 1);
    if (!l->addr || !l->life) return gpudbg_fail(err, "memory", "the lives of registers: out of memory");
    memcpy(l->addr, u->addr, l->n * sizeof *l->addr);
    for (uint32_t b = 0; b < w->nblocks; b++) live_walk(m->live, b, see, m);
    l->at = pressure_new(m->live);
    return true;
}

static bool take_section(void *to, const struct gpudbg_ways *w, struct gpudbg_error *err)
{
    struct making *m = to;
    if (m->addr - w->base >= w->size) return true;
    m->found = true;
    struct live *live = live_new(w, err);
    m->live = live;
    const bool good = live && make(m, w, err);
    free(m->reg_of);
    live_free(live);
    return good;
}

struct lives *lives_new(const struct gpudbg_image *image, uint64_t addr, struct gpudbg_error *err)
{
    struct making m = {.l = xcalloc(1, sizeof *m.l), .addr = addr};
    if (gpudbg_image_ways(image, 0, take_section, &m, err) &&
        (m.found || gpudbg_fail(err, "out-of-range", "no code is at 0x%llx", (unsigned long long)addr)))
        return m.l;
    lives_free(m.l);
    return NULL;
}

void lives_free(struct lives *l)
{
    if (!l) return;
    free(l->addr);
    free(l->at);
    free(l->reg);
    free(l->life);
    free(l);
}

uint32_t lives_find(const struct lives *l, uint64_t addr)
{
    uint32_t lo = 0, hi = l->n;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (l->addr[mid] < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < l->n && l->addr[lo] == addr ? lo : UINT32_MAX;
}
