/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unknown.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine_core.h"

struct unknown {
    uint32_t at;       /* first dword of the bits in a wave's words */
    uint32_t bits;     /* how many */
    uint32_t *first;   /* of each file: its first bit */
};

static struct unknown *unknown_of(const struct gpudbg_machine *m) { return core_of(m)->unknown; }

bool unknown_open(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    struct unknown *u = calloc(1, sizeof *u);
    core_of(m)->unknown = u;
    if (!u || !(u->first = calloc(m->isa->nfiles + 1, sizeof *u->first)))
        return gpudbg_fail(err, "too-large", "out of memory");
    for (unsigned f = 0; f < m->isa->nfiles; f++) {
        u->first[f] = u->bits;
        u->bits += m->isa->run->count(m, f);
    }
    u->first[m->isa->nfiles] = u->bits;
    u->at = m->wave_words;
    m->wave_words += (u->bits + 31) / 32;
    return true;
}

void unknown_close(struct gpudbg_machine *m)
{
    if (unknown_of(m))
        free(unknown_of(m)->first);
    free(unknown_of(m));
    core_of(m)->unknown = NULL;
}

bool unknown_any(const struct gpudbg_machine *m) { return unknown_of(m) != NULL; }

void unknown_start(struct gpudbg_wave *w)
{
    const struct unknown *u = unknown_of(w->machine);
    if (u)
        memset(w->words + u->at, 0xff, (u->bits + 31) / 32 * 4);
}

static uint32_t *word_of(const struct gpudbg_wave *w, unsigned file, unsigned index, uint32_t *bit)
{
    const struct unknown *u = unknown_of(w->machine);
    if (!u || file >= w->machine->isa->nfiles || index >= u->first[file + 1] - u->first[file])
        return NULL;
    const uint32_t at = u->first[file] + index;
    *bit = UINT32_C(1) << at % 32;
    return w->words + u->at + at / 32;
}

bool unknown_is(const struct gpudbg_wave *w, unsigned file, unsigned index)
{
    uint32_t bit, *word = word_of(w, file, index, &bit);
    return word && (*word & bit);
}

void unknown_learn(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    uint32_t bit, *word = word_of(w, file, index, &bit);
    if (word)
        *word &= ~bit;
}

bool unknown_decode(const struct gpudbg_wave *w, struct gpudbg_insn *insn)
{
    size_t n;
    const uint8_t *bytes = w->machine->image ? gpudbg_image_bytes(w->machine->image, w->pc, &n) : NULL;
    return bytes && n && gpudbg_insn_at(w->machine->isa, bytes, n, w->pc, insn);
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
    if (!unknown_any(w->machine) || !unknown_decode(w, &insn))
        return false;
    /* What works on lanes needs to know which. */
    for (unsigned f = 0; insn.op->flags & GPUDBG_OP_VECTOR && f < isa->nfiles; f++)
        if (isa->files[f].mask && strcmp(isa->files[f].name, "exec") == 0 && unknown_is(w, f, 0))
            return named(w, f, 0, buf, size);
    for (unsigned i = 0; i < insn.noperands; i++) {
        const struct gpudbg_operand *o = &insn.operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ))
            continue;
        for (unsigned k = 0; k < (o->count ? o->count : 1u); k++)
            if (unknown_is(w, o->file, o->reg + k))
                return named(w, o->file, o->reg + k, buf, size);
    }
    return false;
}

void unknown_executed(struct gpudbg_wave *w, const struct gpudbg_insn *insn, uint64_t active)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        const struct gpudbg_regfile *f = &w->machine->isa->files[o->file];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE))
            continue;
        if (f->lanes > 1 && active != w->lanes && !(o->flags & GPUDBG_ALL_LANES))
            continue; /* the other lanes are as unknown as before */
        for (unsigned k = 0; k < (o->count ? o->count : 1u); k++)
            unknown_learn(w, o->file, o->reg + k);
    }
}
