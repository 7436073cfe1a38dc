/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attempt_read.c: which registers an instruction reads that nobody has set, and which it writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attempt/attempt.h"
#include "base/alloc.h"
#include "machine/machine.h"
#include "machine/touch.h"

size_t attempt_dwords(struct attempt *a, unsigned file, unsigned reg, unsigned *n)
{
    const struct gpudbg_runner *run = a->env->isa->run;
    *n = 0;
    return run->fixed && run->fixed(file) ? SIZE_MAX : machine_register_at(a->wave, file, reg, n);
}

static uint32_t bits_of(const struct gpudbg_regfile *f)
{
    return f->lanes <= 1 && f->bits < 32 ? (UINT32_C(1) << f->bits) - 1 : UINT32_MAX;
}

/* ---- Reads ---- */

struct reading {
    struct attempt *a;
    const struct gpudbg_insn *insn;
    struct trial trial;
    bool opened;
    /* Bits of one register that the operands name, by dword, and that were not asked about yet. */
    bool pending, vague;
    unsigned file, reg;
    uint32_t bits[64];
};

/* Whether the instruction reads the set: as its operands say, or as it shows when it is tried out. */
static bool is_read(struct reading *r, const struct touch_set *set)
{
    uint32_t touched[TOUCH_MOST];
    if (!r->opened && !(r->opened = trial_open(&r->trial, r->a->machine, true))) return true;
    return touch_does(&r->trial, r->a->wave, r->insn, set, false, touched) == TOUCH_YES;
}

/* Of a register whose lanes are all named, which an instruction may read one of: those that it reads. */
static uint64_t read_lanes(struct reading *r, struct touch_set *all)
{
    unsigned ignored;
    const size_t at = attempt_dwords(r->a, r->file, r->reg, &ignored);
    struct touch_set kept = {.file = r->file};
    uint64_t lanes = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct touch_set one = {.file = r->file, .n = 1, .bit = {all->bit[i]}};
        if (!is_read(r, &one)) continue;
        kept.bit[kept.n++] = all->bit[i];
        lanes |= UINT64_C(1) << (all->bit[i].at - at);
    }
    *all = kept;
    return lanes;
}

/* Asks about the bits of a register that were noted.  Bits that are known are left out. */
static void ask(struct reading *r)
{
    struct attempt *a = r->a;
    const struct gpudbg_regfile *f = &a->env->isa->files[r->file];
    struct touch_set set = {.file = r->file};
    unsigned n = 0;
    const size_t at = r->pending ? attempt_dwords(a, r->file, r->reg, &n) : SIZE_MAX;
    uint64_t lanes = 0;
    bool whole = true;
    r->pending = false;
    if (at == SIZE_MAX) return;
    for (unsigned d = 0; d < n && d < 64; d++) {
        const uint32_t asked = r->bits[d] & bits_of(f) & ~a->known[at + d];
        whole &= asked == bits_of(f);
        if (!asked) continue;
        set.bit[set.n++] = (struct trial_bits){(uint32_t)(at + d), asked};
        lanes |= UINT64_C(1) << d;
    }
    if (!set.n || !is_read(r, &set)) return;
    if (r->vague) lanes = read_lanes(r, &set);
    for (size_t i = 0; i < set.n; i++) a->known[set.bit[i].at] |= set.bit[i].bits;
    for (size_t i = 0; i < a->nassumed; i++)
        if (a->assumed[i].file == r->file && a->assumed[i].reg == r->reg) {
            a->assumed[i].lanes |= f->lanes > 1 ? lanes : 0;
            return;
        }
    a->assumed = xgrow(a->assumed, a->nassumed, &a->assumed_room, sizeof *a->assumed);
    a->assumed[a->nassumed++] = (struct attempt_assumed){
        .file = (uint16_t)r->file, .reg = (uint16_t)r->reg, .lanes = f->lanes > 1 ? lanes : 0, .whole = whole};
}

/* Notes bits of each dword in `dwords`, a bit for each; of a register with lanes, those are the lanes. */
static void note(struct reading *r, unsigned file, unsigned reg, uint64_t dwords, uint32_t bits)
{
    if (!r->pending || r->file != file || r->reg != reg) {
        ask(r);
        r->pending = true;
        r->vague = false;
        r->file = file;
        r->reg = reg;
        memset(r->bits, 0, sizeof r->bits);
    }
    for (unsigned d = 0; d < 64; d++)
        if (dwords >> d & 1) r->bits[d] |= bits;
}

/* A register that the text does not name, and that a launch fills in, is no assumption: which lanes run, the modes. */
static bool filled_in(const struct attempt *a, size_t at, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (a->before[at + i] && !a->known[at + i]) return true;
    return false;
}

static void ask_operand(struct reading *r, const struct gpudbg_operand *o, bool regions)
{
    struct attempt *a = r->a;
    const struct gpudbg_isa *isa = a->env->isa;
    if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ) || o->flags & GPUDBG_NO_MATTER || o->index >= 0) return;
    if (o->file >= isa->nfiles || (regions && !(o->flags & GPUDBG_IMPLICIT))) return;
    const bool laned = isa->files[o->file].lanes > 1;
    const uint64_t lanes = laned && !(o->flags & GPUDBG_ALL_LANES) ? isa->run->active(a->wave) : UINT64_MAX;
    for (unsigned reg = o->reg; reg < o->reg + (o->count ? o->count : 1u); reg++) {
        unsigned n;
        const size_t at = attempt_dwords(a, o->file, reg, &n);
        if (at == SIZE_MAX || (o->flags & GPUDBG_IMPLICIT && filled_in(a, at, n))) continue;
        note(r, o->file, reg, lanes, UINT32_MAX);
        r->vague = laned && o->flags & GPUDBG_ALL_LANES;
    }
}

static void ask_element(struct reading *r, unsigned file, const struct gpudbg_element *e)
{
    const int32_t bytes = r->a->env->isa->files[file].bits / 8;
    for (int32_t at = e->at; bytes && at >= 0 && at < e->at + e->size;) {
        const int32_t in = at % 4, left = e->at + e->size - at, n = left < 4 - in ? left : 4 - in;
        const uint32_t bits = (n == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * n) - 1) << 8 * in;
        note(r, file, (unsigned)(at / bytes), UINT64_C(1) << (at % bytes / 4), bits);
        at += n;
    }
}

static struct gpudbg_footprint *footprints(struct attempt *a, const struct gpudbg_insn *insn, unsigned *n)
{
    const struct gpudbg_isa *isa = a->env->isa;
    *n = 0;
    if (!isa->regions.elements) return NULL;
    struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
    *n = isa->regions.elements(insn, a->wave, f, GPUDBG_FOOTPRINTS);
    return f;
}

void attempt_reads(struct attempt *a, const struct gpudbg_insn *insn)
{
    struct reading r = {.a = a, .insn = insn};
    unsigned n;
    struct gpudbg_footprint *f = footprints(a, insn, &n);
    for (unsigned i = 0; i < n; i++) {
        if (f[i].file >= a->env->isa->nfiles || strcmp(f[i].role, "dst") == 0) continue;
        for (unsigned k = 0; k < f[i].n; k++)
            if (!f[i].element[k].off) ask_element(&r, f[i].file, &f[i].element[k]);
    }
    free(f);
    for (unsigned i = 0; i < insn->noperands; i++) ask_operand(&r, &insn->operands[i], n > 0);
    ask(&r);
    if (r.opened) trial_close(&r.trial);
}

/* ---- Writes ---- */

static void written(struct attempt *a, unsigned file, unsigned reg, unsigned count, const char *type)
{
    for (size_t i = 0; i < a->nwritten; i++) {
        struct attempt_written *w = &a->written[i];
        if (w->file != file || w->reg != reg || w->count != count) continue;
        snprintf(w->type, sizeof w->type, "%s", type);
        return;
    }
    a->written = xgrow(a->written, a->nwritten, &a->written_room, sizeof *a->written);
    struct attempt_written *w = &a->written[a->nwritten++];
    *w = (struct attempt_written){.file = (uint16_t)file, .reg = (uint16_t)reg, .count = (uint16_t)count};
    snprintf(w->type, sizeof w->type, "%s", type);
}

static void know(struct attempt *a, unsigned file, unsigned reg, uint64_t dwords)
{
    unsigned n;
    const size_t at = attempt_dwords(a, file, reg, &n);
    for (unsigned d = 0; at != SIZE_MAX && d < n && d < 64; d++)
        if (dwords >> d & 1) a->known[at + d] = UINT32_MAX;
}

static void write_operand(struct attempt *a, const struct gpudbg_insn *insn, unsigned i, uint64_t active, bool regions)
{
    const struct gpudbg_isa *isa = a->env->isa;
    const struct gpudbg_operand *o = &insn->operands[i];
    uint32_t which = 0;
    if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE) || o->file >= isa->nfiles || o->index >= 0) return;
    if (regions && !(o->flags & GPUDBG_IMPLICIT)) return;
    const unsigned bits = isa->floats ? isa->floats(insn, i, &which) : 0, count = o->count ? o->count : 1u;
    const bool laned = isa->files[o->file].lanes > 1;
    for (unsigned k = 0; k < count; k++)
        know(a, o->file, o->reg + k, laned && !(o->flags & GPUDBG_ALL_LANES) ? active : UINT64_MAX);
    if (!(o->flags & GPUDBG_IMPLICIT))
        written(a, o->file, o->reg, count, bits == 16 ? "hf" : bits == 32 ? "f" : bits == 64 ? "df" : "");
}

void attempt_writes(struct attempt *a, const struct gpudbg_insn *insn)
{
    const uint64_t active = a->env->isa->run->active(a->wave);
    unsigned n;
    struct gpudbg_footprint *f = footprints(a, insn, &n);
    for (unsigned i = 0; i < n; i++) {
        if (f[i].file >= a->env->isa->nfiles || strcmp(f[i].role, "dst") != 0) continue;
        const int32_t bytes = a->env->isa->files[f[i].file].bits / 8;
        for (unsigned k = 0; bytes && k < f[i].n; k++) {
            const struct gpudbg_element *e = &f[i].element[k];
            if (e->off || e->at < 0) continue;
            for (int32_t at = e->at; at < e->at + e->size; at++) {
                unsigned dwords;
                const size_t word = attempt_dwords(a, f[i].file, (unsigned)(at / bytes), &dwords);
                if (word != SIZE_MAX) a->known[word + (unsigned)(at % bytes) / 4] |= UINT32_C(0xff) << 8 * (at % 4);
            }
            written(a, f[i].file, (unsigned)(e->at / bytes), 1, f[i].type ? f[i].type : "");
        }
    }
    free(f);
    for (unsigned i = 0; i < insn->noperands; i++) write_operand(a, insn, i, active, n > 0);
}
