/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uninitialised_trial.c: what an instruction makes of missing bits, by executing it with these bits filled in several
 * ways: zeros, ones, and in no order; and as another operand is, so that a comparison for equality may be true. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "check/uninitialised.h"
#include "code/walk.h"
#include "machine/machine.h"

static_assert(TRIALS == 4, "uninitialised_differs compares four");
#define SMALL 1024 /* dwords: fewer are copied as one */

uint32_t uninitialised_fill(unsigned trial, uint64_t place)
{
    if (trial < 2) return trial ? UINT32_MAX : 0;
    return UINT32_C(0x9e3779b9) * (uint32_t)(place + trial - 1); /* in no order */
}

/* ---- The words of an instruction ---- */

size_t uninitialised_dwords(
    const struct uninitialised *u, struct gpudbg_wave *w, unsigned file, unsigned index, unsigned *n)
{
    return file < u->machine->isa->nfiles && u->follows[file] ? machine_register_at(w, file, index, n) : SIZE_MAX;
}

static bool span_add(struct spans *s, size_t at, size_t n)
{
    for (unsigned i = 0; i < s->n; i++)
        if (at >= s->of[i].at && at + n <= s->of[i].at + s->of[i].n) return true;
    if (s->n && s->of[s->n - 1].at + s->of[s->n - 1].n == at) {
        s->of[s->n - 1].n += (uint32_t)n;
        return true;
    }
    if (s->n == SPANS) return false;
    s->of[s->n].at = (uint32_t)at;
    s->of[s->n++].n = (uint32_t)n;
    return true;
}

static void whole(const struct uninitialised *u, struct spans *s)
{
    s->n = 1;
    s->of[0].at = 0;
    s->of[0].n = u->machine->wave_words;
}

/* Finds the words that are not registers of lanes. */
static void find_small(struct uninitialised *u, struct gpudbg_wave *w)
{
    const struct gpudbg_machine *m = u->machine;
    bool *lanes = xcalloc((size_t)m->wave_words + 1, sizeof *lanes), good = true;
    for (unsigned f = 0; f < m->isa->nfiles; f++)
        for (unsigned i = 0; m->isa->files[f].lanes > 1 && i < m->isa->run->count(m, f); i++) {
            unsigned n;
            const size_t at = machine_register_at(w, f, i, &n);
            for (unsigned d = 0; at != SIZE_MAX && d < n; d++) lanes[at + d] = true;
        }
    for (uint32_t k = 0, end; k < m->wave_words && good; k = end) {
        end = k + 1;
        while (end < m->wave_words && lanes[end] == lanes[k]) end++;
        if (!lanes[k]) good = u->small.n < SPANS / 4 && span_add(&u->small, k, end - k);
    }
    if (!good || m->wave_words <= SMALL || !u->small.n) whole(u, &u->small);
    free(lanes);
}

/* Whether the wave's state has put other operands in place of those of the code: then it reads registers, too, that are
 * no operands. */
static bool replaced(struct uninitialised *u, const struct gpudbg_insn *insn)
{
    struct gpudbg_insn *as = &u->as_decoded[insn->addr >> 2 & (DECODED_MOST - 1)];
    if (!u->machine->isa->run->actual) return false;
    if ((!as->op || as->addr != insn->addr) && !insn_at(u->machine->image, insn->addr, as)) return true;
    return as->noperands != insn->noperands ||
           memcmp(as->operands, insn->operands, insn->noperands * sizeof as->operands[0]) != 0;
}

void spans_of(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct spans *s)
{
    if (!u->small.n) find_small(u, w);
    *s = u->small;
    if (s->of[0].n == u->machine->wave_words) return;
    bool good = !u->footprint && !replaced(u, insn);
    for (unsigned i = 0; i < insn->noperands && good; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        good = o->kind != GPUDBG_SPECIAL && (o->kind != GPUDBG_REGISTER || o->index < 0);
        for (unsigned r = o->reg; o->kind == GPUDBG_REGISTER && good && r < o->reg + (o->count ? o->count : 1u); r++) {
            unsigned n;
            const size_t at = machine_register_at(w, o->file, r, &n);
            if (at != SIZE_MAX) good = span_add(s, at, n);
        }
    }
    if (!good) whole(u, s);
}

void spans_copy(const struct spans *s, uint32_t *to, const uint32_t *from)
{
    for (unsigned i = 0; i < s->n; i++) memcpy(to + s->of[i].at, from + s->of[i].at, s->of[i].n * sizeof *to);
}

/* ---- Trials ---- */

/* What another operand has where a missing dword is in its own. */
static uint32_t other(
    const struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct missing *m)
{
    unsigned part = 0, n;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_REGISTER && o->file == m->file && m->index >= o->reg && m->index < o->reg + o->count)
            part = m->index - o->reg;
    }
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_NUMBER || o->kind == GPUDBG_LITERAL)
            return (uint32_t)((uint64_t)o->imm >> (part & 1) * 32);
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ) || o->flags & GPUDBG_IMPLICIT) continue;
        if (o->file == m->file && m->index >= o->reg && m->index < o->reg + (o->count ? o->count : 1u)) continue;
        const size_t at = uninitialised_dwords(u, w, o->file, o->reg + (part < o->count ? part : 0), &n);
        if (at != SIZE_MAX) return w->words[at + (m->lane >= 0 && (unsigned)m->lane < n ? (unsigned)m->lane : 0)];
    }
    return uninitialised_fill(TRIALS - 1, m->at);
}

/* Executes the instruction on a copy of the wave; false: it cannot be executed so. */
static bool try_out(struct uninitialised *u, const struct gpudbg_wave *w, const struct spans *spans, unsigned trial)
{
    struct gpudbg_wave *t = &u->trial[trial];
    uint32_t *words = t->words;
    *t = *w;
    t->words = words;
    spans_copy(spans, words, w->words);
    for (unsigned i = 0; i < u->missing.n; i++) {
        const struct missing *m = &u->missing.of[i];
        const uint32_t fill = trial == TRIALS - 1 ? m->other : uninitialised_fill(trial, m->at);
        words[m->at] = (words[m->at] & ~m->bits) | (fill & m->bits);
    }
    return machine_try(t, NULL, NULL);
}

void uninitialised_differs(struct uninitialised *u, const struct spans *spans, unsigned trials)
{
    const struct gpudbg_machine *m = u->machine;
    for (unsigned s = 0; s < spans->n; s++) {
        const uint32_t n = spans->of[s].n, at = spans->of[s].at;
        uint32_t *restrict to = u->differs + at;
        const uint32_t *a = u->trial[0].words + at, *b = u->trial[1].words + at, *c = u->trial[2].words + at,
                       *d = u->trial[trials - 1].words + at;
        uint32_t k = 0;
        for (; k + 8 <= n; k += 8) /* a vector at a time */
            for (uint32_t i = k; i < k + 8; i++) to[i] = (a[i] ^ b[i]) | (a[i] ^ c[i]) | (a[i] ^ d[i]);
        for (; k < n; k++) to[k] = (a[k] ^ b[k]) | (a[k] ^ c[k]) | (a[k] ^ d[k]);
        if (m->hidden_word >= at && m->hidden_word < at + n) u->differs[m->hidden_word] &= ~m->hidden_bits;
    }
}

bool uninitialised_depends(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct spans *spans, bool *control)
{
    const struct gpudbg_machine *m = w->machine;
    bool good = true;
    spans_of(u, w, insn, spans);
    for (unsigned i = 0; i < u->missing.n; i++) u->missing.of[i].other = other(u, w, insn, &u->missing.of[i]);
    for (unsigned i = 0; i < TRIALS && good; i++) good = try_out(u, w, spans, i);
    if (!good) return false;
    *control = false;
    uninitialised_differs(u, spans, TRIALS);
    for (unsigned i = 1; i < TRIALS; i++)
        *control |= u->trial[i].pc != u->trial[0].pc ||
                    m->isa->run->active(&u->trial[i]) != m->isa->run->active(&u->trial[0]);
    return true;
}

/* Whether an operand of a copy is copied, and not the number of a lane: the first source, and a destination that keeps
 * a part. */
static bool carries(const struct gpudbg_insn *insn, unsigned operand)
{
    const struct gpudbg_operand *o = &insn->operands[operand];
    if (!(o->flags & GPUDBG_READ)) return false;
    if (o->flags & GPUDBG_WRITE) return true;
    for (unsigned i = 0; i < operand; i++)
        if (!(insn->operands[i].flags & GPUDBG_WRITE)) return false;
    return true;
}

/* Which lanes run may be decided by it. */
static bool writes_mask(const struct uninitialised *u, const struct gpudbg_operand *o)
{
    return o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_WRITE && u->machine->isa->files[o->file].mask;
}

bool uninitialised_is_copy(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct spans *spans)
{
    if (!(insn->op->flags & GPUDBG_OP_COPY) || u->footprint) return false;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->mods || o->index >= 0 || writes_mask(u, o)) return false;
        if (!carries(insn, i)) continue;
        if (o->kind != GPUDBG_REGISTER) return false; /* a constant misses nothing */
        for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++) {
            unsigned n;
            if (uninitialised_dwords(u, w, o->file, r, &n) == SIZE_MAX) return false;
        }
    }
    spans_of(u, w, insn, spans);
    return spans->of[0].n != u->machine->wave_words;
}

/* A number for each dword that no value is likely to be: every number is that of one dword. */
#define NUMBER_OF(word) ((word)*UINT32_C(2654435769))
#define WORD_OF(number) ((number)*UINT32_C(340573321))

bool uninitialised_copies(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct spans *spans, bool numbers)
{
    struct gpudbg_wave *t = &u->trial[0];
    uint32_t *words = t->words;
    const uint32_t *missing = u->wave[w->id].missing;
    *t = *w;
    t->words = words;
    spans_copy(spans, words, w->words);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        for (unsigned r = o->reg; carries(insn, i) && r < o->reg + (o->count ? o->count : 1u); r++) {
            unsigned n;
            const size_t at = uninitialised_dwords(u, w, o->file, r, &n);
            if (!numbers) memcpy(words + at, missing + at, n * sizeof *words);
            for (unsigned k = 0; numbers && k < n; k++) words[at + k] = NUMBER_OF((uint32_t)at + k);
        }
    }
    return machine_try(t, NULL, NULL) && t->pc == w->pc + insn->size &&
           w->machine->isa->run->active(t) == w->machine->isa->run->active(w);
}

bool uninitialised_is_fixed(const struct uninitialised *u, const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (!(o->flags & GPUDBG_READ) || carries(insn, i)) continue;
        if (o->kind == GPUDBG_SPECIAL || o->kind == GPUDBG_MEMORY) return false;
        if (o->kind == GPUDBG_REGISTER && !u->machine->isa->files[o->file].mask) return false;
    }
    return true;
}

bool uninitialised_moves(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    struct plan *plan, const struct named *to, uint64_t lanes)
{
    if (!uninitialised_copies(u, w, insn, plan->copy, true)) return false;
    if (!plan->moves) plan->moves = xalloc(sizeof *plan->moves);
    struct moves *moves = plan->moves;
    moves->lanes = lanes;
    moves->n = 0;
    for (unsigned d = 0; d < to->n; d++) {
        const uint32_t from = WORD_OF(u->trial[0].words[to->at + d]);
        bool known = false;
        if ((to->laned && !(lanes >> d & 1)) || from == to->at + d) continue;
        for (unsigned i = 0; i < plan->n; i++)
            known |= plan->of[i].reads && from >= plan->of[i].at && from < plan->of[i].at + plan->of[i].n;
        if (!known) return false;
        moves->to[moves->n] = (uint8_t)d;
        moves->from[moves->n++] = from;
    }
    return true;
}
