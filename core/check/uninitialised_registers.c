/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uninitialised_registers.c: which registers an instruction reads and writes, and what of them is missing. */
#include <string.h>
#include "check/uninitialised.h"
#include "machine/machine.h"

bool uninitialised_is_stored(const struct gpudbg_insn *insn, unsigned operand)
{
    const uint64_t does = gpudbg_insn_does(insn) & (GPUDBG_OP_STORE | GPUDBG_OP_LOAD);
    if (does == GPUDBG_OP_LOAD) {
        const unsigned kept = GPUDBG_READ | GPUDBG_WRITE;
        return (insn->operands[operand].flags & kept) == kept;
    }
    if (does != GPUDBG_OP_STORE) return false;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_MEMORY && insn->operands[i].index == (int)operand)
            return false; /* the address */
    return true;
}

static void add(struct missings *to, struct missing missing)
{
    if (missing.bits && to->n < MISSING_MOST) to->of[to->n++] = missing;
}

/* Whether any of these words of a block misses something; those that do not are not marked any more. */
static bool block_misses(const struct uninitialised *u, struct shadow *s, size_t block, uint64_t words)
{
    for (uint64_t m = s->some[block] & words; m; m &= m - 1) {
        if (s->missing[64 * block + (unsigned)__builtin_ctzll(m) + u->phase - 64]) return true;
        s->some[block] &= ~(m & -m);
    }
    return false;
}

bool uninitialised_any_missing(const struct uninitialised *u, struct shadow *s, size_t at, unsigned n)
{
    const size_t end = at + 64 - u->phase + n;
    for (size_t k = at + 64 - u->phase, more; k < end; k += more) {
        more = 64 - k % 64 < end - k ? 64 - k % 64 : end - k;
        if (block_misses(u, s, k / 64, UINT64_MAX >> (64 - more) << k % 64)) return true;
    }
    return false;
}

bool uninitialised_any_lane(const struct uninitialised *u, struct shadow *s, size_t at, uint64_t lanes)
{
    const size_t b = block_of(u, at);
    const unsigned lo = (at + 64 - u->phase) % 64;
    return block_misses(u, s, b, lanes << lo) || (lo && block_misses(u, s, b + 1, lanes >> (64 - lo)));
}

/* Where one lane is read or written among all (a readlane, a spill to a lane), the operand does not say which: outside
 * of trials all of them must be missing. */
static void read_register(struct uninitialised *u, struct gpudbg_wave *w, struct missings *to,
    const struct gpudbg_insn *insn, const struct gpudbg_operand *o, unsigned index)
{
    const struct shadow *s = &u->wave[w->id];
    unsigned n;
    const size_t at = uninitialised_dwords(u, w, o->file, index, &n);
    if (at == SIZE_MAX || !uninitialised_any_missing(u, &u->wave[w->id], at, n)) return;
    const bool laned = u->machine->isa->files[o->file].lanes > 1, all = o->flags & GPUDBG_ALL_LANES;
    const uint64_t lanes = all ? UINT64_MAX : w->machine->isa->run->active(w);
    const unsigned first = to->n;
    bool whole = true;
    for (unsigned d = 0; d < n; d++) {
        if (laned && !(d < 64 && lanes >> d & 1)) continue;
        whole &= s->missing[at + d] != 0;
        add(to,
            (struct missing){at + d, s->missing[at + d], s->origin[at + d], o->file, index, laned ? (int)d : -1, 0});
    }
    if (all && insn->op->flags & UNINITIALISED_OUTSIDE && (!whole || o->flags & GPUDBG_WRITE)) to->n = first;
}

static void read_operands(
    struct uninitialised *u, struct gpudbg_wave *w, struct missings *to, const struct gpudbg_insn *insn, bool stored)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ) || o->flags & GPUDBG_NO_MATTER || o->index >= 0 ||
            uninitialised_is_stored(insn, i) != stored)
            continue;
        for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++) read_register(u, w, to, insn, o, r);
    }
}

/* The bytes of an element, in the dwords of its registers. */
static void read_element(
    struct uninitialised *u, struct gpudbg_wave *w, struct missings *to, unsigned file, const struct gpudbg_element *e)
{
    const struct shadow *s = &u->wave[w->id];
    const struct gpudbg_regfile *f = &u->machine->isa->files[file];
    const int32_t bytes = f->bits / 8;
    for (int32_t at = e->at; at < e->at + e->size; at++) {
        unsigned n;
        if (at < 0 || !bytes) continue;
        const unsigned index = (unsigned)(at / bytes), byte = (unsigned)(at % bytes);
        const size_t word = uninitialised_dwords(u, w, file, index, &n);
        if (word == SIZE_MAX) continue;
        const size_t dword = word + byte / 4;
        const uint32_t bits = s->missing[dword] & UINT32_C(0xff) << 8 * (byte % 4);
        if (to->n && to->of[to->n - 1].at == dword)
            to->of[to->n - 1].bits |= bits;
        else
            add(to, (struct missing){dword, bits, s->origin[dword], file, index, e->lane, 0});
    }
}

/* Whether any register that an operand reads misses anything: the footprints cost more. */
static bool may_miss(
    const struct uninitialised *u, struct gpudbg_wave *w, struct shadow *s, const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ)) continue;
        if (o->index >= 0) return true;
        for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++) {
            unsigned n;
            const size_t at = uninitialised_dwords(u, w, o->file, r, &n);
            if (at != SIZE_MAX && uninitialised_any_missing(u, s, at, n)) return true;
        }
    }
    return false;
}

void uninitialised_find(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, bool stored, struct missings *to)
{
    to->n = 0;
    if (u->footprint && !may_miss(u, w, &u->wave[w->id], insn)) return;
    const unsigned n = u->footprint ? u->machine->isa->regions.elements(insn, w, u->footprint, GPUDBG_FOOTPRINTS) : 0;
    if (!n) {
        read_operands(u, w, to, insn, stored);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        const struct gpudbg_footprint *f = &u->footprint[i];
        if (f->file >= u->machine->isa->nfiles || strcmp(f->role, "dst") == 0 || f->stored != stored) continue;
        for (unsigned k = 0; k < f->n; k++)
            if (!f->element[k].off && !f->element[k].ignored) read_element(u, w, to, f->file, &f->element[k]);
    }
}

/* Whether of what an instruction writes all bits above the first that is unwritten count. */
static bool computes(const struct gpudbg_insn *insn)
{
    return !(insn->op->flags & (GPUDBG_OP_COPY | GPUDBG_OP_BITWISE));
}

/* What of a destination counts as unwritten, where these bits of it depend on what is. */
static uint32_t smeared(const struct uninitialised *u, const struct gpudbg_insn *insn, unsigned file, uint32_t bits)
{
    const struct gpudbg_regfile *f = &u->machine->isa->files[file];
    const bool lanes = f->lanes > 1, number = lanes || !(insn->op->flags & GPUDBG_OP_VECTOR); /* else a bit a lane */
    if (!bits || !computes(insn) || f->bits != 32 || !f->indexed || !number) return bits;
    return ~((bits & -bits) - 1);
}

/* Bytes of a register are written for a lane: `bits` of one of its dwords.  results: see uninitialised_write. */
static void write_bits(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, unsigned file,
    size_t at, uint32_t bits, int lane, unsigned nth, uint32_t *results)
{
    struct shadow *s = &u->wave[w->id];
    const uint32_t unwritten = results ? smeared(u, insn, file, results[at]) & bits : 0;
    s->missing[at] = (s->missing[at] & ~bits) | unwritten;
    if (results) results[at] &= ~bits;
    if (!unwritten) return;
    some_add(u, s, at);
    const struct missing *from = missing_source(&u->missing, lane, nth);
    s->origin[at] = from ? uninitialised_given(u, w->pc, from, insn->op->flags) : 0;
}

static void write_element(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, unsigned file,
    const struct gpudbg_element *e, uint32_t *results)
{
    const int32_t bytes = u->machine->isa->files[file].bits / 8;
    const bool number = results && computes(insn);
    bool above = false; /* a bit of the number has differed */
    for (int32_t at = e->at, more; at < e->at + e->size; at += more) {
        more = 4 - at % 4 < e->at + e->size - at ? 4 - at % 4 : e->at + e->size - at;
        unsigned n;
        const size_t word = uninitialised_dwords(u, w, file, (unsigned)(at / bytes), &n);
        if (word == SIZE_MAX) continue;
        const uint32_t mask = UINT32_MAX >> (32 - 8 * more) << 8 * (at % 4);
        uint32_t *differs = number ? &results[word + (unsigned)(at % bytes) / 4] : NULL;
        const uint32_t bits = number ? *differs & mask : 0;
        if (number) *differs |= above ? mask : bits ? mask & ~((bits & -bits) - 1) : 0;
        above |= bits != 0;
        write_bits(u, w, insn, file, word + (unsigned)(at % bytes) / 4, mask, e->lane, 0, results);
    }
}

/* Destinations that are regions.  In *which goes a bit for each file of registers whose elements are known. */
static void write_elements(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, uint32_t *results, uint64_t *which)
{
    const unsigned n = u->machine->isa->regions.elements(insn, w, u->footprint, GPUDBG_FOOTPRINTS);
    for (unsigned i = 0; i < n; i++) {
        const struct gpudbg_footprint *f = &u->footprint[i];
        if (f->file >= u->machine->isa->nfiles || f->file >= 64 || strcmp(f->role, "dst") != 0 || !f->n) continue;
        *which |= UINT64_C(1) << f->file;
        if (u->machine->isa->files[f->file].bits < 8) continue;
        for (unsigned k = 0; k < f->n; k++)
            if (!f->element[k].off && f->element[k].at >= 0)
                write_element(u, w, insn, f->file, &f->element[k], results);
    }
}

/* A register that has no regions is written, in these lanes. */
static void write_register(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct gpudbg_operand *o, unsigned r, uint64_t lanes, uint32_t *results)
{
    unsigned n;
    const bool laned = u->machine->isa->files[o->file].lanes > 1;
    const size_t at = uninitialised_dwords(u, w, o->file, r, &n);
    if (at == SIZE_MAX) return;
    if (!results && (!laned || (n == 64 && lanes == UINT64_MAX))) {
        memset(u->wave[w->id].missing + at, 0, n * sizeof(uint32_t));
        return;
    }
    for (unsigned d = 0; d < n; d++)
        if (!laned || (d < 64 && lanes >> d & 1))
            write_bits(u, w, insn, o->file, at + d, UINT32_MAX, laned ? (int)d : -1, r - o->reg, results);
}

void uninitialised_write(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, uint32_t *results)
{
    const uint64_t active = w->machine->isa->run->active(w);
    uint64_t regions = 0;
    if (u->footprint) write_elements(u, w, insn, results, &regions);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE)) continue;
        if (o->file >= u->machine->isa->nfiles || (o->file < 64 && regions >> o->file & 1)) continue;
        const bool some = u->machine->isa->files[o->file].lanes > 1 && !(o->flags & GPUDBG_ALL_LANES);
        for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++)
            write_register(u, w, insn, o, r, some ? active : UINT64_MAX, results);
    }
}

/* Flags and accumulators that depend on unwritten bits: they are written without being destinations. */
void uninitialised_write_others(struct uninitialised *u, const struct gpudbg_wave *w, struct shadow *s,
    const struct spans *spans, uint32_t *results)
{
    for (unsigned i = 0; i < u->missing.n; i++) results[u->missing.of[i].at] &= ~u->missing.of[i].bits;
    for (unsigned i = 0; i < spans->n; i++)
        for (uint32_t k = spans->of[i].at; k < spans->of[i].at + spans->of[i].n; k++) {
            if (!results[k]) continue;
            s->missing[k] |= results[k];
            some_add(u, s, k);
            s->origin[k] = uninitialised_given(u, w->pc, &u->missing.of[0], 0);
        }
}
