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

struct counting {
    const struct live *l;
    struct pressure_at *at;
    uint8_t *written; /* of each cell */
};

/* Registers are runs of cells of one file and number. */
static struct pressure_at count(const struct used *u, const live_need *needs, const uint8_t *written)
{
    struct pressure_at n = {0, 0, 0};
    const struct gpudbg_isa *isa = u->ways->isa;
    for (uint32_t c = 0, end; c < u->ncells; c = end) {
        const unsigned file = u->cell[c].file;
        const enum pressure_kind kind = pressure_kind_of(isa, file);
        const uint32_t reg = live_register(u, c);
        int state = DEAD;
        for (end = c; end < u->ncells && u->cell[end].file == file && live_register(u, end) == reg; end++) {
            const int is = (written && written[end]) || (needs[end] && !(needs[end] & LIVE_MAYBE)) ? ALIVE
                           : needs[end]                                                            ? MAYBE
                                                                                                   : DEAD;
            if (is > state) state = is;
        }
        if (kind == PRESSURE_OTHER) continue;
        if (state == MAYBE) n.maybe++;
        if (state == ALIVE) *(kind == PRESSURE_VECTOR ? &n.vector : &n.scalar) += 1;
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
        const struct pressure_at in = count(u, before, NULL), out = count(u, after, k->written);
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
    for (uint32_t b = 0; b < l->ways->nblocks; b++) live_walk(l, b, see, &k);
    free(k.written);
    return k.at;
}
