/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uninitialised_regions.c: which bits of registers each lane of an instruction reads and writes, found once, where
 * operands are regions.  So an instruction costs nothing more where other lanes run each time. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "check/uninitialised.h"
#include "machine/machine.h"

/* ---- Finding them ---- */

/* Whether the lanes that run say which elements it touches: no flag and no address does, which are in registers of a
 * few bytes. */
static bool fixed(const struct gpudbg_isa *isa, const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_SPECIAL || o->index >= 0) return false;
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ)) continue;
        if (o->file >= isa->nfiles || isa->files[o->file].bits <= 64) return false;
    }
    return true;
}

/* A table of regions that is being made. */
struct making {
    struct uninitialised *u;
    struct gpudbg_wave *w;
    const struct plan *plan;
    struct region *of;
    uint32_t n, room;
    bool good; /* all of them are in registers of the plan, or in none that is followed */
};

static void add(struct making *m, size_t at, uint32_t bits, int lane)
{
    struct region *last = m->n ? &m->of[m->n - 1] : NULL;
    bool named = false;
    for (unsigned i = 0; i < m->plan->n; i++)
        named |= at >= m->plan->of[i].at && at < m->plan->of[i].at + m->plan->of[i].n;
    m->good &= named;
    if (last && last->at == at && last->lane == lane) {
        last->bits |= bits;
        return;
    }
    if (m->n == m->room) {
        m->room = m->room ? 2 * m->room : 64;
        m->of = xrealloc(m->of, m->room, sizeof *m->of);
    }
    m->of[m->n++] = (struct region){(uint32_t)at, bits, lane};
}

static void add_element(struct making *m, unsigned file, const struct gpudbg_element *e)
{
    const int32_t bytes = m->u->machine->isa->files[file].bits / 8;
    if (e->at < 0 || bytes < 4) return;
    for (int32_t at = e->at, more; at < e->at + e->size; at += more) {
        unsigned n;
        more = 4 - at % 4 < e->at + e->size - at ? 4 - at % 4 : e->at + e->size - at;
        const size_t word = uninitialised_dwords(m->u, m->w, file, (unsigned)(at / bytes), &n);
        if (word == SIZE_MAX) continue;
        add(m, word + (unsigned)(at % bytes) / 4, UINT32_MAX >> (32 - 8 * more) << 8 * (at % 4),
            e->lane >= 0 && e->lane < 32 ? e->lane : -1);
    }
}

/* Elements that are read, or written, of n footprints.  *files: a bit for each file that they are in. */
static void add_elements(struct making *m, unsigned n, bool writes, uint64_t *files)
{
    for (unsigned i = 0; i < n; i++) {
        const struct gpudbg_footprint *f = &m->u->footprint[i];
        if (f->file >= m->u->machine->isa->nfiles || f->file >= 64 || !f->n) continue;
        if ((strcmp(f->role, "dst") == 0) != writes || (!writes && f->stored && !m->plan->memory)) continue;
        *files |= UINT64_C(1) << f->file;
        for (unsigned k = 0; k < f->n; k++)
            if (!f->element[k].off && (writes || !f->element[k].ignored)) add_element(m, f->file, &f->element[k]);
    }
}

/* Registers that are written and have no regions. */
static void add_registers(struct making *m, const struct gpudbg_insn *insn, uint64_t files)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE)) continue;
        if (o->file >= m->u->machine->isa->nfiles || (o->file < 64 && files >> o->file & 1)) continue;
        m->good &= m->u->machine->isa->files[o->file].lanes <= 1;
        for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++) {
            unsigned n;
            const size_t at = uninitialised_dwords(m->u, m->w, o->file, r, &n);
            for (unsigned d = 0; at != SIZE_MAX && d < n; d++) add(m, at + d, UINT32_MAX, -1);
        }
    }
}

/* Whether all that it writes is whole dwords in a row: then which ones, and where they are in `some`. */
static void find_row(const struct uninitialised *u, struct regions *r)
{
    const struct region *of = r->of + r->nreads;
    uint32_t at = r->nwrites ? of[0].at : 0, n = 0, bits = UINT32_MAX;
    for (uint32_t i = 0; i < r->nwrites; i++) {
        const bool next = i == 0 || (of[i].at == at + n && bits == UINT32_MAX);
        if (!next && of[i].at != at + n - 1) return;
        bits = next ? of[i].bits : bits | of[i].bits;
        n += next;
    }
    if (bits != UINT32_MAX) return;
    for (uint32_t k = at; k < at + n; k++) {
        const uint32_t block = (uint32_t)block_of(u, k);
        if (!r->nwhole || r->whole[r->nwhole - 1].at != block) {
            if (r->nwhole == WHOLE_MOST) return;
            r->whole[r->nwhole].at = block;
            r->whole[r->nwhole++].bits = 0;
        }
        r->whole[r->nwhole - 1].bits |= block_bit(u, k);
    }
    r->row_at = at;
    r->row = n;
}

struct regions *regions_new(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct plan *plan)
{
    struct making m = {.u = u, .w = w, .plan = plan, .good = true};
    uint64_t files = 0, read = 0;
    if (!fixed(w->machine->isa, insn)) return NULL;
    const unsigned n = w->machine->isa->regions.elements(insn, NULL, u->footprint, GPUDBG_FOOTPRINTS);
    if (!n || n == GPUDBG_FOOTPRINTS) return NULL;
    add_elements(&m, n, false, &read);
    const uint32_t nreads = m.n;
    add_elements(&m, n, true, &files);
    add_registers(&m, insn, files);
    struct regions *r = m.good ? xalloc(sizeof *r + m.n * sizeof r->of[0]) : NULL;
    if (r) {
        *r = (struct regions){.nreads = nreads, .nwrites = m.n - nreads};
        if (m.n) memcpy(r->of, m.of, m.n * sizeof r->of[0]);
        for (uint32_t i = 0; i < m.n; i++) r->lanes |= m.of[i].lane >= 0 ? UINT64_C(1) << m.of[i].lane : 0;
        find_row(u, r);
    }
    free(m.of);
    return r;
}

/* ---- Using them ---- */

/* Finds out which lanes take part, from what the instruction touches while these lanes run: not all that it names. */
static void find_which(const struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    struct regions *r, uint64_t lanes)
{
    const struct gpudbg_isa *isa = w->machine->isa;
    struct gpudbg_footprint *now = u->footprint + GPUDBG_FOOTPRINTS;
    const unsigned n = isa->regions.elements(insn, NULL, u->footprint, GPUDBG_FOOTPRINTS);
    const unsigned nnow = isa->regions.elements(insn, w, now, GPUDBG_FOOTPRINTS);
    bool run = nnow >= n, all = nnow >= n;
    for (unsigned i = 0; i < n && run | all; i++) {
        const struct gpudbg_footprint *a = &u->footprint[i], *b = &now[i];
        if (a->n != b->n || a->file != b->file || strcmp(a->role, b->role) != 0) run = all = false;
        for (unsigned k = 0; k < a->n && run | all; k++) {
            const struct gpudbg_element *x = &a->element[k], *y = &b->element[k];
            const bool idle = x->lane >= 0 && x->lane < 32 && !(lanes >> x->lane & 1);
            all &= x->off == y->off && x->at == y->at;
            run &= (x->off || idle) == y->off && x->at == y->at;
        }
    }
    r->which = run ? LANES_RUN : all ? LANES_ALL : LANES_OTHER;
}

/* The lanes that take part, if these run; false: more than that decides. */
static bool take_part(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct regions *r, uint64_t *lanes)
{
    if (!(r->lanes & ~*lanes)) return true;
    if (r->which == LANES_UNKNOWN) find_which(u, w, insn, r, *lanes);
    if (r->which == LANES_ALL) *lanes = UINT64_MAX;
    return r->which != LANES_OTHER;
}

bool regions_miss(struct uninitialised *u, struct gpudbg_wave *w, const struct shadow *s,
    const struct gpudbg_insn *insn, const struct plan *plan, uint64_t lanes)
{
    const struct regions *r = plan->regions;
    uint32_t any = 0;
    if (!take_part(u, w, insn, plan->regions, &lanes)) return true;
    for (const struct region *e = r->of; e < r->of + r->nreads; e++)
        if (e->lane < 0 || lanes >> e->lane & 1) any |= s->missing[e->at] & e->bits;
    return any;
}

bool regions_clear(struct uninitialised *u, struct gpudbg_wave *w, struct shadow *s, const struct gpudbg_insn *insn,
    const struct plan *plan, uint64_t lanes)
{
    const struct regions *r = plan->regions;
    if (!take_part(u, w, insn, plan->regions, &lanes)) return false;
    if (r->row && !(r->lanes & ~lanes)) {
        memset(s->missing + r->row_at, 0, r->row * sizeof *s->missing);
        for (unsigned i = 0; i < r->nwhole; i++) s->some[r->whole[i].at] &= ~r->whole[i].bits;
        return true;
    }
    for (const struct region *e = r->of + r->nreads, *end = e + r->nwrites; e < end; e++)
        if (e->lane < 0 || lanes >> e->lane & 1) s->missing[e->at] &= ~e->bits;
    return true;
}
