/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow/pressure.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

enum pressure_kind pressure_kind_of(const struct gpudbg_isa *isa, unsigned file)
{
    const struct gpudbg_regfile *f = &isa->files[file];
    if (f->lanes > 1 || (isa->regions.elements && f->indexed && f->bits == 256 && file == 0)) return PRESSURE_VECTOR;
    return f->indexed && !isa->regions.elements ? PRESSURE_SCALAR : PRESSURE_OTHER;
}

enum { DEAD, MAYBE, ALIVE };

/* Cells of one file and number that follow each other: a register. */
struct run {
    uint32_t end; /* behind its last cell */
    enum pressure_kind kind;
};

struct counting {
    const struct live *l;
    struct pressure_at *at;
    uint8_t *written; /* of each cell */
    struct run *run;
    uint32_t nruns;
};

static void find_runs(struct counting *k)
{
    const struct used *u = k->l->used;
    k->run = xcalloc((size_t)u->ncells + 1, sizeof *k->run);
    for (uint32_t c = 0, end; c < u->ncells; c = end) {
        const unsigned file = u->cell[c].file;
        const uint32_t reg = live_register(u, c);
        for (end = c; end < u->ncells && u->cell[end].file == file && live_register(u, end) == reg;) end++;
        k->run[k->nruns++] = (struct run){end, pressure_kind_of(u->ways->isa, file)};
    }
}

static int state_of(live_need need, bool written)
{
    return written || (need && !(need & LIVE_MAYBE)) ? ALIVE : need ? MAYBE : DEAD;
}

static struct pressure_at count(const struct counting *k, const live_need *needs, const uint8_t *written)
{
    struct pressure_at n = {0, 0, 0};
    for (uint32_t r = 0, c = 0; r < k->nruns; c = k->run[r++].end) {
        int state = DEAD;
        if (k->run[r].kind == PRESSURE_OTHER) continue;
        for (uint32_t i = c; i < k->run[r].end && state != ALIVE; i++) {
            const int is = state_of(needs[i], written && written[i]);
            if (is > state) state = is;
        }
        if (state == MAYBE) n.maybe++;
        if (state == ALIVE) *(k->run[r].kind == PRESSURE_VECTOR ? &n.vector : &n.scalar) += 1;
    }
    return n;
}

static uint16_t more(uint16_t a, uint16_t b) { return a > b ? a : b; }

static bool see(void *to, uint32_t number, const live_need *before, const live_need *after)
{
    struct counting *k = to;
    const struct used *u = k->l->used;
    const struct used_insn *insn = &u->insn[number];
    for (unsigned pass = 2; pass-- > 0;) {
        for (uint32_t i = insn->use; i < insn->use + insn->nuses; i++)
            if (u->use[i].flags & GPUDBG_USE_WRITE) memset(k->written + u->use[i].cell, (int)pass, u->use[i].n);
        if (!pass) break;
        const struct pressure_at in = count(k, before, NULL), out = count(k, after, k->written);
        k->at[number] = (struct pressure_at){
            more(in.vector, out.vector), more(in.scalar, out.scalar), more(in.maybe, out.maybe)};
    }
    return true;
}

struct pressure_at *pressure_new(const struct live *l)
{
    struct counting k = {.l = l,
        .at = xcalloc((size_t)l->ways->ninsns + 1, sizeof *k.at),
        .written = xcalloc((size_t)l->used->ncells + 1, 1)};
    find_runs(&k);
    for (uint32_t b = 0; b < l->ways->nblocks; b++) live_walk(l, b, see, &k);
    free(k.written);
    free(k.run);
    return k.at;
}
