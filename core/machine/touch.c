/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine/touch.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/hash.h"
#include "machine/machine.h"

/* ---- Registers as dwords of a wave ---- */

/* As machine_register_at; what the program or the launch fixes cannot be touched. */
static size_t dwords_of(struct gpudbg_wave *w, unsigned file, unsigned reg, unsigned *n)
{
    const struct gpudbg_runner *run = w->machine->isa->run;
    return run->fixed && run->fixed(file) ? SIZE_MAX : machine_register_at(w, file, reg, n);
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
    struct trial *t;
    struct gpudbg_wave *w;
    const struct touch_set *set;
    uint32_t *claimed; /* one for each of set->bit; NULL: only whether there are any */
    bool write, loose; /* loose: which of the register's bits are meant is not known */
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
        *(vague || c->loose ? &c->vague : &c->exact) = true;
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
        /* Several parts in a row are written as whole elements, perhaps of an index, whose mask may leave some out. */
        const bool named = r >= o->reg && r < o->reg + (o->count ? o->count : 1u) &&
                           (parts == 1 || o->count <= 1 || !c->write);
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
    struct gpudbg_footprint *f = c->t->footprint;
    const unsigned n = isa->regions.elements(insn, c->w, f, GPUDBG_FOOTPRINTS);
    for (unsigned i = 0; i < n; i++) {
        if (f[i].file >= isa->nfiles || (strcmp(f[i].role, "dst") == 0) != write) continue;
        for (unsigned k = 0; k < f[i].n; k++)
            if (!f[i].element[k].off) claim_element(c, f[i].file, &f[i].element[k]);
    }
    return n;
}

static const uint8_t flag_of[] = {GPUDBG_READ, GPUDBG_WRITE};

/* ---- Anywhere ---- */

bool touch_may(struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct touch_set *set, bool write)
{
    struct claim c = {.w = w, .set = set, .write = write};
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

static void claim_here(struct claim *c, const struct gpudbg_insn *insn)
{
    const bool regions = claim_footprints(c, insn, c->write);
    c->loose = c->w->machine->isa->regions.footprints && !c->write; /* half of a flag register may be read */
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (!(o->flags & flag_of[c->write])) continue;
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

/* A number that says where the instruction loads and stores, and what. */
static uint64_t accesses_of(const struct trial *t)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < t->naccess; i++) {
        const struct trial_access *a = &t->access[i];
        const uint64_t is[] = {a->space, a->addr, a->size, (uint64_t)a->lane, a->write};
        sum = hash_bytes(is, sizeof is, sum);
        if (a->after) sum = hash_bytes(a->after, (size_t)a->size, sum);
    }
    return sum;
}

/* What came out with the bits as they are. */
struct outcome {
    uint32_t *words;
    uint64_t pc, accesses;
};

/* Whether anything else comes out once these bits are flipped. */
static bool comes_otherwise(struct trial *t, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct trial_bits *flip, size_t n, const struct outcome *o)
{
    if (!trial_run(t, w, insn, flip, n) || t->wave.pc != o->pc || accesses_of(t) != o->accesses) return true;
    for (size_t i = 0; i < n; i++) { /* where it stayed flipped, that was not read */
        uint32_t *word = &t->wave.words[flip[i].at];
        if ((*word ^ o->words[flip[i].at]) == flip[i].bits) *word ^= flip[i].bits;
    }
    return memcmp(o->words, t->wave.words, (size_t)w->machine->wave_words * 4) != 0;
}

/* The bits are flipped, made 0 and made 1. */
static enum touch_answer comes_out(
    struct trial *t, struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct touch_set *set)
{
    const uint32_t words = w->machine->wave_words;
    struct trial_bits flip[TOUCH_MOST];
    bool differs = false;
    if (!trial_run(t, w, insn, NULL, 0)) return TOUCH_MAYBE;
    struct outcome o = {xcalloc(words ? words : 1, sizeof *o.words), t->wave.pc, accesses_of(t)};
    memcpy(o.words, t->wave.words, (size_t)words * 4);
    for (unsigned way = 0; way < 3 && !differs; way++) {
        size_t n = 0;
        for (size_t i = 0; i < set->n; i++) {
            const uint32_t is = w->words[set->bit[i].at], bits = way == 0 ? UINT32_MAX : way == 1 ? is : ~is;
            if (set->bit[i].bits & bits) flip[n++] = (struct trial_bits){set->bit[i].at, set->bit[i].bits & bits};
        }
        differs = n && comes_otherwise(t, w, insn, flip, n, &o);
    }
    free(o.words);
    return differs ? TOUCH_YES : TOUCH_NO;
}

/* A source that is computed with is read, also where the result would be the same with other bits there: a comparison.
 * Messages, loads and stores name more than some of their kinds use. */
static enum touch_answer is_read(struct trial *t, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct touch_set *set, const struct claim *c)
{
    const uint32_t moves = GPUDBG_OP_LOAD | GPUDBG_OP_STORE | GPUDBG_OP_MESSAGE;
    if (c->exact && !(gpudbg_insn_does(insn) & moves)) return TOUCH_YES;
    const enum touch_answer it = comes_out(t, w, insn, set);
    return it == TOUCH_MAYBE && (c->exact || t->memory) ? TOUCH_YES : it; /* the claim stands */
}

/* What is claimed to be written is a source, too: adding 0 to it is a write, though the value stays. */
static bool is_source(struct trial *t, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct touch_set *set, const uint32_t *written)
{
    uint32_t read[TOUCH_MOST] = {0};
    struct claim c = {.t = t, .w = w, .set = set, .claimed = read};
    claim_here(&c, insn);
    bool all = c.exact && !c.vague;
    for (size_t i = 0; i < set->n; i++) all &= !(written[i] & ~read[i]);
    return all;
}

enum touch_answer touch_does(struct trial *t, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct touch_set *set, bool write, uint32_t *touched)
{
    struct claim c = {.t = t, .w = w, .set = set, .claimed = touched, .write = write};
    memset(touched, 0, TOUCH_MOST * sizeof *touched);
    claim_here(&c, insn);
    if (!c.any) return TOUCH_NO;
    if (!write) return is_read(t, w, insn, set, &c);
    if (c.exact && !c.vague && is_source(t, w, insn, set, touched)) return TOUCH_YES;
    if (!try_write(t, w, insn, set, touched)) return c.exact ? TOUCH_YES : TOUCH_MAYBE;
    return any_of(touched, set->n) ? TOUCH_YES : TOUCH_NO;
}
