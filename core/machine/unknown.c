/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/unknown.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/machine_core.h"

struct unknown {
    uint32_t at;     /* first dword of the masks in a wave's words */
    uint32_t dwords; /* how many */
    uint32_t *first; /* of each file: its first dword; behind the files: that of the program counter */
};

static struct unknown *unknown_of(const struct gpudbg_machine *m) { return core_of(m)->unknown; }

/* Dwords of a register's mask: a bit a lane. */
static uint32_t mask_dwords(const struct gpudbg_regfile *f) { return f->lanes > 32 ? 2 : 1; }

void unknown_open(struct gpudbg_machine *m)
{
    struct unknown *u = xalloc(sizeof *u);
    core_of(m)->unknown = u;
    u->first = xcalloc(m->isa->nfiles + 1, sizeof *u->first);
    for (unsigned f = 0; f < m->isa->nfiles; f++) {
        u->first[f] = u->dwords;
        u->dwords += m->isa->run->count(m, f) * mask_dwords(&m->isa->files[f]);
    }
    u->first[m->isa->nfiles] = u->dwords++;
    u->at = m->wave_words;
    m->wave_words += u->dwords;
}

void unknown_close(struct gpudbg_machine *m)
{
    if (unknown_of(m)) free(unknown_of(m)->first);
    free(unknown_of(m));
    core_of(m)->unknown = NULL;
}

bool unknown_any(const struct gpudbg_machine *m) { return unknown_of(m) != NULL; }

void unknown_start(struct gpudbg_wave *w)
{
    const struct unknown *u = unknown_of(w->machine);
    if (u) memset(w->words + u->at, 0xff, (size_t)u->dwords * 4);
}

static uint32_t *mask_of(const struct gpudbg_wave *w, unsigned file, unsigned index, bool *wide)
{
    const struct unknown *u = unknown_of(w->machine);
    const struct gpudbg_isa *isa = w->machine->isa;
    if (!u || file > isa->nfiles) return NULL;
    *wide = file < isa->nfiles && mask_dwords(&isa->files[file]) == 2;
    const uint32_t at = index * (*wide ? 2u : 1u), end = file < isa->nfiles ? u->first[file + 1] : u->dwords;
    return at < end - u->first[file] ? w->words + u->at + u->first[file] + at : NULL;
}

uint64_t unknown_lanes(const struct gpudbg_wave *w, unsigned file, unsigned index)
{
    bool wide;
    const uint32_t *mask = mask_of(w, file, index, &wide);
    if (!mask) return 0;
    const unsigned lanes = file < w->machine->isa->nfiles ? w->machine->isa->files[file].lanes : 1;
    const uint64_t bits = mask[0] | (wide ? (uint64_t)mask[1] << 32 : 0);
    return lanes >= 64 ? bits : bits & ((UINT64_C(1) << (lanes ? lanes : 1)) - 1);
}

bool unknown_is(const struct gpudbg_wave *w, unsigned file, unsigned index)
{
    return unknown_lanes(w, file, index) != 0;
}

void unknown_learn(struct gpudbg_wave *w, unsigned file, unsigned index, uint64_t lanes)
{
    bool wide;
    uint32_t *mask = mask_of(w, file, index, &wide);
    if (!mask) return;
    mask[0] &= ~(uint32_t)lanes;
    if (wide) mask[1] &= ~(uint32_t)(lanes >> 32);
}

bool unknown_mask(const struct gpudbg_wave *w)
{
    const struct gpudbg_isa *isa = w->machine->isa;
    for (unsigned f = 0; isa->dumped && f < isa->nfiles; f++)
        if (strcmp(isa->files[f].name, isa->dumped->mask) == 0) return unknown_is(w, f, 0);
    return false;
}

bool unknown_decode(struct gpudbg_wave *w, struct gpudbg_insn *insn)
{
    size_t n;
    const uint8_t *bytes = w->machine->image ? gpudbg_image_bytes(w->machine->image, w->pc, &n) : NULL;
    struct gpudbg_insn own;
    if (!bytes || !n || !gpudbg_insn_at(w->machine->isa, bytes, n, w->pc, insn)) return false;
    const struct gpudbg_insn *actual = machine_actual(w, insn, &own);
    if (actual == &own) *insn = own;
    return actual;
}

static bool named(const struct gpudbg_wave *w, unsigned file, unsigned index, char *buf, size_t size)
{
    const struct gpudbg_regfile *f = &w->machine->isa->files[file];
    snprintf(buf, size, f->indexed ? "%s%u" : "%s", f->name, index);
    return true;
}

bool unknown_needed(struct gpudbg_wave *w, char *buf, size_t size)
{
    struct gpudbg_insn insn;
    const struct gpudbg_isa *isa = w->machine->isa;
    if (!unknown_any(w->machine)) return false;
    if (unknown_is(w, (unsigned)isa->nfiles, 0)) {
        snprintf(buf, size, "pc");
        return true;
    }
    if (!unknown_decode(w, &insn)) return false;
    /* What works on lanes needs to know which. */
    if (insn.op->flags & GPUDBG_OP_VECTOR && unknown_mask(w)) {
        snprintf(buf, size, "%s", isa->dumped->mask);
        return true;
    }
    const uint64_t active = isa->run->active(w);
    for (unsigned i = 0; i < insn.noperands; i++) {
        const struct gpudbg_operand *o = &insn.operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ)) continue;
        const uint64_t lanes = isa->files[o->file].lanes > 1 && !(o->flags & GPUDBG_ALL_LANES) ? active : UINT64_MAX;
        for (unsigned k = 0; k < (o->count ? o->count : 1u); k++)
            if (unknown_lanes(w, o->file, o->reg + k) & lanes) return named(w, o->file, o->reg + k, buf, size);
    }
    return false;
}

void unknown_executed(struct gpudbg_wave *w, const struct gpudbg_insn *insn, uint64_t active)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE)) continue;
        const bool all = w->machine->isa->files[o->file].lanes <= 1 || (o->flags & GPUDBG_ALL_LANES);
        for (unsigned k = 0; k < (o->count ? o->count : 1u); k++)
            unknown_learn(w, o->file, o->reg + k, all ? UINT64_MAX : active);
    }
}
