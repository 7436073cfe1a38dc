/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/touch.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/machine.h"

/* ---- Registers as dwords of a wave ---- */

/* The first dword of a register in wave->words, and how many it has; SIZE_MAX: it is not stored there. */
static size_t dwords_of(struct gpudbg_wave *w, unsigned file, unsigned reg, unsigned *n)
{
    const struct gpudbg_machine *m = w->machine;
    if (file >= m->isa->nfiles || reg >= m->isa->run->count(m, file)) return SIZE_MAX;
    if (m->isa->run->fixed && m->isa->run->fixed(file)) return SIZE_MAX;
    const struct gpudbg_regfile *f = &m->isa->files[file];
    const uint32_t *p = m->isa->run->reg(w, file, reg);
    *n = (f->lanes > 1 ? f->lanes * ((f->bits + 31u) / 32) : (f->bits + 31u) / 32);
    const bool inside = p && p >= w->words && p + *n <= w->words + m->wave_words;
    return inside ? (size_t)(p - w->words) : SIZE_MAX;
}

static bool laned(const struct gpudbg_wave *w, unsigned file) { return w->machine->isa->files[file].lanes > 1; }

bool touch_add(struct touch_set *set, struct gpudbg_wave *w, unsigned file, unsigned reg, unsigned dword, uint32_t bits)
{
    unsigned n;
    const size_t at = dwords_of(w, file, reg, &n);
    if (at == SIZE_MAX || dword >= n || set->n == TOUCH_MOST) return false;
    set->file = file;
    set->bit[set->n++] = (struct trial_bits){(uint32_t)(at + dword), bits};
    return true;
}

/* ---- Claims ---- */

struct claim {
    struct gpudbg_wave *w;
    const struct touch_set *set;
    uint32_t *claimed; /* one for each of set->bit; NULL: only whether there are any */
    bool any;
    bool exact, vague; /* some claims name these very bits, some do not: a swizzle, one lane of all, an index */
};

static void claim_dword(struct claim *c, size_t at, uint32_t bits)
{
    for (size_t i = 0; i < c->set->n; i++) {
        if (c->set->bit[i].at != at || !(c->set->bit[i].bits & bits)) continue;
        c->any = c->exact = true;
        if (c->claimed) c->claimed[i] |= c->set->bit[i].bits & bits;
    }
}

static void claim_register(struct claim *c, unsigned file, unsigned reg, uint64_t lanes, bool vague)
{
    unsigned n;
    const size_t at = dwords_of(c->w, file, reg, &n);
    if (at == SIZE_MAX) return;
    for (size_t i = 0; i < c->set->n; i++) {
        const size_t dword = c->set->bit[i].at - at;
        if (c->set->bit[i].at < at || dword >= n) continue;
        if (laned(c->w, file) && !(dword < 64 && lanes >> dword & 1)) continue;
        c->any = true;
        *(vague ? &c->vague : &c->exact) = true;
        if (c->claimed) c->claimed[i] |= c->set->bit[i].bits;
    }
}

/* The set is of this file, and any register of it may be meant. */
static void claim_file(struct claim *c, unsigned file)
{
    if (file != c->set->file) return;
    c->any = c->vague = true;
    for (size_t i = 0; c->claimed && i < c->set->n; i++) c->claimed[i] |= c->set->bit[i].bits;
}

/* where: the instruction stands here, or anywhere. */
static void claim_operand(struct claim *c, const struct gpudbg_operand *o, bool anywhere)
{
    const struct gpudbg_machine *m = c->w->machine;
    if ((o->kind != GPUDBG_REGISTER && o->kind != GPUDBG_SPECIAL) || o->file >= m->isa->nfiles) return;
    if (o->kind == GPUDBG_SPECIAL || o->index >= 0) {
        claim_file(c, o->file);
        return;
    }
    const unsigned parts = m->isa->files[o->file].parts ? (unsigned)strlen(m->isa->files[o->file].parts) : 1;
    unsigned from = o->reg, to = o->reg + (o->count ? o->count : 1u); /* of parts any may be meant: swizzles */
    from -= from % parts;
    to += (parts - to % parts) % parts;
    /* Where operands are regions, a register that none of them names stands for those behind it: accumulators. */
    if (m->isa->regions.footprints && o->flags & GPUDBG_IMPLICIT && !m->isa->files[o->file].mask)
        from = 0, to = m->isa->run->count(m, o->file);
    const bool all = anywhere || o->flags & GPUDBG_ALL_LANES;
    const uint64_t lanes = all ? UINT64_MAX : m->isa->run->active(c->w);
    for (unsigned r = from; r < to; r++) {
        /* Several parts in a row are whole elements, perhaps of an index, whose mask may leave some out. */
        const bool named = r >= o->reg && r < o->reg + (o->count ? o->count : 1u) && (parts == 1 || o->count <= 1);
        claim_register(c, o->file, r, lanes, !named || (laned(c->w, o->file) && all));
    }
}

static void claim_element(struct claim *c, unsigned file, const struct gpudbg_element *e)
{
    const int32_t bytes = c->w->machine->isa->files[file].bits / 8;
    for (int32_t at = e->at; bytes && at < e->at + e->size; at++) {
        unsigned n;
        if (at < 0) continue;
        const size_t word = dwords_of(c->w, file, (unsigned)(at / bytes), &n);
        const unsigned byte = (unsigned)(at % bytes);
        if (word != SIZE_MAX) claim_dword(c, word + byte / 4, UINT32_C(0xff) << 8 * (byte % 4));
    }
}

/* Operands as regions; false: they are whole registers. */
static bool claim_footprints(struct claim *c, const struct gpudbg_insn *insn, bool write)
{
    const struct gpudbg_isa *isa = c->w->machine->isa;
    if (!isa->regions.footprints) return false;
    struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
    const unsigned n = isa->regions.footprints(insn, c->w, f, GPUDBG_FOOTPRINTS);
    for (unsigned i = 0; i < n; i++) {
        if (f[i].file >= isa->nfiles || (strcmp(f[i].role, "dst") == 0) != write) continue;
        for (unsigned k = 0; k < f[i].n; k++)
            if (!f[i].element[k].off) claim_element(c, f[i].file, &f[i].element[k]);
    }
    free(f);
    return n;
}

static const uint8_t flag_of[] = {GPUDBG_READ, GPUDBG_WRITE};

/* ---- Anywhere ---- */

bool touch_may(struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct touch_set *set, bool write)
{
    struct claim c = {.w = w, .set = set};
    struct gpudbg_insn own;
    if (set->loose) return true;
    const bool moves = machine_actual(w, insn, &own) == &own; /* its registers depend on where the wave stands */
    for (unsigned i = 0; i < insn->noperands && !c.any; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (!(o->flags & flag_of[write])) continue;
        if (moves)
            claim_file(&c, o->file);
        else
            claim_operand(&c, o, true);
        /* How much a message brings may stand in a register. */
        if (insn->op->flags & GPUDBG_OP_MESSAGE) claim_file(&c, o->file);
    }
    return c.any;
}

/* ---- Here ---- */

static void claim_here(struct claim *c, const struct gpudbg_insn *insn, bool write)
{
    const bool regions = claim_footprints(c, insn, write);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (!(o->flags & flag_of[write])) continue;
        if (regions && !(o->flags & GPUDBG_IMPLICIT)) continue;
        claim_operand(c, o, false);
        if (regions && insn->op->flags & GPUDBG_OP_MESSAGE) c->vague = true, c->exact = false; /* not all messages do */
    }
}

static bool any_of(const uint32_t *bits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bits[i]) return true;
    return false;
}

/* What of the claimed bits is another after the instruction, or does not stay what it was flipped to.  false: that
 * cannot be tried out. */
static bool try_write(
    struct trial *t, struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct touch_set *set, uint32_t *to)
{
    const bool mask = w->machine->isa->files[set->file].mask;
    uint32_t changed[TOUCH_MOST];
    if (!trial_run(t, w, insn, NULL, 0)) return false;
    for (size_t i = 0; i < set->n; i++) changed[i] = t->wave.words[set->bit[i].at] ^ w->words[set->bit[i].at];
    if (!trial_run(t, w, insn, set->bit, set->n)) return false;
    for (size_t i = 0; i < set->n; i++) {
        const uint32_t other = w->words[set->bit[i].at] ^ set->bit[i].bits;
        changed[i] = (changed[i] | (t->wave.words[set->bit[i].at] ^ other)) & to[i];
        to[i] = mask ? changed[i] : changed[i] ? to[i] : 0; /* masks are bits, others numbers */
    }
    return true;
}

/* Whether anything else comes out differently once the bits are flipped. */
static bool is_read(struct trial *t, struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct touch_set *set)
{
    const struct gpudbg_machine *m = w->machine;
    if (!trial_run(t, w, insn, NULL, 0)) return true; /* the claim stands */
    uint32_t *words = xcalloc(m->wave_words ? m->wave_words : 1, sizeof *words);
    memcpy(words, t->wave.words, (size_t)m->wave_words * 4);
    const uint64_t pc = t->wave.pc;
    bool differs = !trial_run(t, w, insn, set->bit, set->n) || t->wave.pc != pc;
    for (size_t i = 0; i < set->n && !differs; i++) { /* where it stayed flipped, that was not read */
        uint32_t *word = &t->wave.words[set->bit[i].at];
        if ((*word ^ words[set->bit[i].at]) == set->bit[i].bits) *word ^= set->bit[i].bits;
    }
    differs = differs || memcmp(words, t->wave.words, (size_t)m->wave_words * 4) != 0;
    free(words);
    return differs;
}

/* What is claimed to be written is a source, too: adding 0 to it is a write, though the value stays. */
static bool is_source(
    struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct touch_set *set, const uint32_t *written)
{
    uint32_t read[TOUCH_MOST] = {0};
    struct claim c = {.w = w, .set = set, .claimed = read};
    claim_here(&c, insn, false);
    bool all = c.exact && !c.vague;
    for (size_t i = 0; i < set->n; i++) all &= !(written[i] & ~read[i]);
    return all;
}

enum touch_answer touch_does(struct trial *t, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct touch_set *set, bool write, uint32_t *touched)
{
    struct claim c = {.w = w, .set = set, .claimed = touched};
    memset(touched, 0, TOUCH_MOST * sizeof *touched);
    claim_here(&c, insn, write);
    if (!c.any) return TOUCH_NO;
    if (!write) return is_read(t, w, insn, set) ? TOUCH_YES : TOUCH_NO;
    if (c.exact && !c.vague && is_source(w, insn, set, touched)) return TOUCH_YES;
    if (!try_write(t, w, insn, set, touched)) return c.exact ? TOUCH_YES : TOUCH_MAYBE;
    return any_of(touched, set->n) ? TOUCH_YES : TOUCH_NO;
}
