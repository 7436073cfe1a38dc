/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uses.c: the registers that an instruction uses, from its operands and what its instruction set adds, see
 * gpudbg/uses.h. */
#include <stdlib.h>
#include <string.h>
#include "gpudbg.h"

void gpudbg_use_add(struct gpudbg_uses *u, struct gpudbg_use use)
{
    if (!use.n || u->full) return;
    if (u->n == u->room) {
        const size_t room = u->room ? 2 * u->room : 64;
        struct gpudbg_use *more = realloc(u->use, room * sizeof *more);
        if (!more) {
            u->full = true;
            return;
        }
        u->use = more;
        u->room = room;
    }
    u->use[u->n++] = use;
}

static bool follows(const struct gpudbg_isa *isa, unsigned file)
{
    if (file >= isa->nfiles) return false;
    return isa->uses ? isa->uses->follows(file) : isa->files[file].indexed || isa->files[file].mask;
}

static unsigned use_flags(const struct gpudbg_operand *o)
{
    return (o->flags & GPUDBG_READ ? GPUDBG_USE_READ : 0) | (o->flags & GPUDBG_WRITE ? GPUDBG_USE_WRITE : 0);
}

/* Which registers it is, is not known: any may be read, none is sure to be written. */
static void add_unknown(struct gpudbg_uses *u, const struct gpudbg_operand *o)
{
    if (!(o->flags & GPUDBG_READ)) return;
    gpudbg_use_add(
        u, (struct gpudbg_use){
               .file = o->file, .flags = GPUDBG_USE_READ | GPUDBG_USE_ALL | GPUDBG_USE_MAYBE, .n = GPUDBG_USE_FILE});
}

/* Whole registers. */
static void add_operand(struct gpudbg_uses *u, const struct gpudbg_isa *isa, const struct gpudbg_operand *o)
{
    if ((o->kind != GPUDBG_REGISTER && o->kind != GPUDBG_SPECIAL) || !follows(isa, o->file)) return;
    if (o->kind == GPUDBG_SPECIAL || o->index >= 0) {
        add_unknown(u, o);
        return;
    }
    const struct gpudbg_regfile *file = &isa->files[o->file];
    const unsigned units = gpudbg_use_units(isa, o->file), n = (o->count ? o->count : 1u) * units;
    const bool own = file->lanes > 1;
    /* Where operands are regions, those that the text does not show may be a part of the register. */
    const bool part = isa->regions.elements && o->flags & GPUDBG_WRITE;
    gpudbg_use_add(u, (struct gpudbg_use){.file = o->file,
                          .flags = (uint8_t)(use_flags(o) | (!own || o->flags & GPUDBG_ALL_LANES ? GPUDBG_USE_ALL : 0) |
                                             (part ? GPUDBG_USE_PART : 0)),
                          .lane = own ? GPUDBG_USE_OWN : 0,
                          .at = o->reg * units,
                          .n = (uint16_t)(n < GPUDBG_USE_FILE ? n : GPUDBG_USE_FILE - 1)});
}

/* Adds bytes of an element to the latest use where they go on with it, or are the same bytes for another lane. */
static void add_element(struct gpudbg_uses *u, struct gpudbg_use use, size_t first)
{
    struct gpudbg_use *last = u->n > first ? &u->use[u->n - 1] : NULL;
    if (last && last->flags == use.flags && last->at + last->n == use.at && last->lane == use.lane) {
        last->n = (uint16_t)(last->n + use.n);
    } else if (last && last->at == use.at && last->n == use.n &&
               (last->flags | GPUDBG_USE_ALL) == (use.flags | GPUDBG_USE_ALL) && use.flags & GPUDBG_USE_READ) {
        last->flags |= GPUDBG_USE_ALL;
    } else {
        gpudbg_use_add(u, use);
    }
}

static void add_footprint(
    struct gpudbg_uses *u, const struct gpudbg_isa *isa, const struct gpudbg_footprint *f, bool all)
{
    const bool write = strcmp(f->role, "dst") == 0;
    const size_t first = u->n;
    if (!follows(isa, f->file)) return;
    for (unsigned i = 0; i < f->n; i++) {
        const struct gpudbg_element *e = &f->element[i];
        if (e->off || e->at < 0) continue;
        const bool whole = all || e->lane < 0;
        const struct gpudbg_use use = {.file = f->file,
            .flags = (uint8_t)((write ? GPUDBG_USE_WRITE : GPUDBG_USE_READ) | (whole ? GPUDBG_USE_ALL : 0)),
            .lane = (uint8_t)(whole ? 0 : e->lane),
            .at = (uint32_t)e->at,
            .n = e->size};
        add_element(u, use, first);
    }
}

static void add_regions(struct gpudbg_uses *u, const struct gpudbg_insn *insn)
{
    const struct gpudbg_isa *isa = insn->isa;
    if (!u->footprint) u->footprint = malloc(GPUDBG_FOOTPRINTS * sizeof *u->footprint);
    if (!u->footprint) {
        u->full = true;
        return;
    }
    bool all = false;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        all = all || o->flags & GPUDBG_ALL_LANES;
        if (o->kind == GPUDBG_SPECIAL && follows(isa, o->file)) add_unknown(u, o);
        if (o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_IMPLICIT && !isa->uses) add_operand(u, isa, o);
    }
    const unsigned n = isa->regions.elements(insn, NULL, u->footprint, GPUDBG_FOOTPRINTS);
    for (unsigned i = 0; i < n; i++) add_footprint(u, isa, &u->footprint[i], all);
}

void gpudbg_insn_uses(const struct gpudbg_insn *insn, struct gpudbg_uses *u)
{
    u->n = 0;
    u->nmoves = u->nest = 0;
    if (insn->isa->regions.elements)
        add_regions(u, insn);
    else
        for (unsigned i = 0; i < insn->noperands; i++) add_operand(u, insn->isa, &insn->operands[i]);
    if (insn->isa->uses) insn->isa->uses->uses(insn, u);
}
