/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_uninitialised.c: registers that are read before anything was written to them.
 *
 * Copies are no use of a register: saving what a caller may have left there is what every function does.  Nor is a use
 * what has no effect: where an instruction reads bits that nobody wrote, it is tried out on copies of the wave with
 * those bits filled in several ways.  Where all results are alike, nobody needs the bits: masks of lanes that a
 * compiler joins with EXEC, a shift that drops them.  Where results differ, and the instruction only moves bits (COPY,
 * BITWISE), the bits that differ are unwritten, too; any other instruction is reported.  Loads, stores, branches and
 * messages are not tried out: there every bit that lanes which run read counts, but for what is stored, which is a
 * copy.
 *
 * A shadow keeps for each bit of a wave's numbered registers whether it is missing.  What a launch writes is found by
 * letting it start a wave over two different fillings of its registers: what comes out alike was written.  A register
 * counts as written by the first instruction that names it as a destination, whatever part of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "control/check.h"
#include "machine/machine.h"

#define TRIALS 3
#define MISSING_MOST 1024 /* dwords of one instruction; of more, the first are looked at */

struct shadow {
    bool made;
    uint32_t *missing; /* a bit for each of wave->words; NULL: none, or the wave has ended */
};

/* Bits that an instruction reads and nobody wrote: of one dword of a register. */
struct missing {
    size_t at; /* in wave->words */
    uint32_t bits;
    unsigned file, index;
    int lane; /* -1: of no lane in particular */
};

struct uninitialised {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    bool *follows;                      /* a file of registers */
    struct shadow *wave;                /* by id */
    struct gpudbg_footprint *footprint; /* NULL: operands are whole registers */
    struct missing missing[MISSING_MOST];
    unsigned n;
    struct gpudbg_wave trial[TRIALS];
};

/* Registers that are names of their own (masks, modes) have a state from the start. */
static bool follows(const struct gpudbg_regfile *file)
{
    return file->indexed && !file->mask && (file->lanes <= 1 || file->bits == 32);
}

/* The dwords of a register that is followed, *n of them, a lane each where it has lanes; SIZE_MAX: it is not. */
static size_t dwords_of(
    const struct uninitialised *u, struct gpudbg_wave *w, unsigned file, unsigned index, unsigned *n)
{
    const struct gpudbg_machine *m = u->machine;
    if (file >= m->isa->nfiles || !u->follows[file] || index >= m->isa->run->count(m, file)) return SIZE_MAX;
    const struct gpudbg_regfile *f = &m->isa->files[file];
    const uint32_t *p = m->isa->run->reg(w, file, index);
    *n = f->lanes > 1 ? f->lanes : (f->bits + 31u) / 32;
    const bool inside = p && p >= w->words && p + *n <= w->words + m->wave_words;
    return inside ? (size_t)(p - w->words) : SIZE_MAX;
}

static size_t words_size(const struct gpudbg_machine *m)
{
    const size_t size = ((size_t)m->wave_words * 4 + 63) & ~(size_t)63;
    return size ? size : 64;
}

static void end(void *state)
{
    struct uninitialised *u = state;
    for (uint32_t i = 0; u->wave && i < u->machine->nwaves; i++) free(u->wave[i].missing);
    for (unsigned i = 0; i < TRIALS; i++) free(u->trial[i].words);
    free(u->wave);
    free(u->follows);
    free(u->footprint);
    free(u);
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct uninitialised *u = xalloc(sizeof *u);
    u->machine = m;
    u->checks = checks;
    u->follows = xcalloc(m->isa->nfiles, sizeof *u->follows);
    u->wave = xcalloc(m->nwaves, sizeof *u->wave);
    if (m->isa->regions.footprints) u->footprint = xcalloc(GPUDBG_FOOTPRINTS, sizeof *u->footprint);
    for (size_t f = 0; f < m->isa->nfiles; f++) u->follows[f] = follows(&m->isa->files[f]);
    for (unsigned i = 0; i < TRIALS; i++)
        if (!(u->trial[i].words = aligned_alloc(64, words_size(m)))) {
            end(u);
            return NULL;
        }
    return u;
}

/* ---- A wave from its launch ---- */

/* The wave as its launch makes it, over registers full of `fill`. */
static void started(const struct gpudbg_wave *w, uint8_t fill, struct gpudbg_wave *to)
{
    uint32_t *words = to->words;
    *to = *w;
    to->words = words;
    memset(words, fill, words_size(w->machine));
    w->machine->isa->run->start(to);
}

static void start_register(
    const struct uninitialised *u, struct gpudbg_wave *w, uint32_t *missing, unsigned file, unsigned index)
{
    unsigned n;
    const size_t at = dwords_of(u, w, file, index, &n);
    if (at == SIZE_MAX) return;
    const uint32_t *a = u->trial[0].words + at, *b = u->trial[1].words + at;
    const bool lanes = u->machine->isa->files[file].lanes > 1;
    bool any = false;
    for (unsigned d = 0; d < n; d++) any |= a[d] == b[d];
    for (unsigned d = 0; d < n; d++) missing[at + d] = (lanes ? a[d] == b[d] : any) ? 0 : UINT32_MAX;
}

static uint32_t *shadow(struct uninitialised *u, struct gpudbg_wave *w)
{
    const struct gpudbg_machine *m = w->machine;
    struct shadow *s = &u->wave[w->id];
    if (s->made) return s->missing;
    s->made = true;
    s->missing = xcalloc(m->wave_words ? m->wave_words : 1, sizeof *s->missing);
    started(w, 0x5a, &u->trial[0]);
    started(w, 0xa5, &u->trial[1]);
    for (unsigned f = 0; f < m->isa->nfiles; f++)
        for (unsigned i = 0; u->follows[f] && i < m->isa->run->count(m, f); i++) start_register(u, w, s->missing, f, i);
    return s->missing;
}

/* ---- What an instruction reads and writes ---- */

#define OUTSIDE                                                                                                    \
    (GPUDBG_OP_LOAD | GPUDBG_OP_STORE | GPUDBG_OP_MESSAGE | GPUDBG_OP_BRANCH | GPUDBG_OP_CALL | GPUDBG_OP_RETURN | \
        GPUDBG_OP_END | GPUDBG_OP_BARRIER | GPUDBG_OP_WAIT)

/* Whether an operand is what a store stores: that is a copy, too. */
static bool is_stored(const struct gpudbg_insn *insn, unsigned operand)
{
    if ((insn->op->flags & (GPUDBG_OP_STORE | GPUDBG_OP_LOAD)) != GPUDBG_OP_STORE) return false;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_MEMORY && insn->operands[i].index == (int)operand)
            return false; /* the address */
    return true;
}

static void add(struct uninitialised *u, struct missing missing)
{
    if (missing.bits && u->n < MISSING_MOST) u->missing[u->n++] = missing;
}

/* Where one lane is read or written among all (a readlane, a spill to a lane), the operand does not say which: outside
 * of trials all of them must be missing. */
static void read_register(struct uninitialised *u, struct gpudbg_wave *w, const uint32_t *missing,
    const struct gpudbg_insn *insn, const struct gpudbg_operand *o, unsigned index)
{
    unsigned n;
    const size_t at = dwords_of(u, w, o->file, index, &n);
    if (at == SIZE_MAX) return;
    const bool laned = u->machine->isa->files[o->file].lanes > 1, all = o->flags & GPUDBG_ALL_LANES;
    const uint64_t lanes = all ? w->lanes : w->machine->isa->run->active(w);
    const unsigned first = u->n;
    bool whole = true;
    for (unsigned d = 0; d < n; d++) {
        if (laned && !(d < 64 && lanes >> d & 1)) continue;
        whole &= missing[at + d] != 0;
        add(u, (struct missing){at + d, missing[at + d], o->file, index, laned ? (int)d : -1});
    }
    if (all && insn->op->flags & OUTSIDE && (!whole || o->flags & GPUDBG_WRITE)) u->n = first;
}

static void read_operands(
    struct uninitialised *u, struct gpudbg_wave *w, const uint32_t *missing, const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ) || o->flags & GPUDBG_NO_MATTER || o->index >= 0 ||
            is_stored(insn, i))
            continue;
        for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++)
            read_register(u, w, missing, insn, o, r);
    }
}

/* The bytes of an element, in the dwords of its registers. */
static void read_element(struct uninitialised *u, struct gpudbg_wave *w, const uint32_t *missing, unsigned file,
    const struct gpudbg_element *e)
{
    const struct gpudbg_regfile *f = &u->machine->isa->files[file];
    const int32_t bytes = f->bits / 8;
    for (int32_t at = e->at; at < e->at + e->size; at++) {
        unsigned n;
        if (at < 0 || !bytes) continue;
        const unsigned index = (unsigned)(at / bytes), byte = (unsigned)(at % bytes);
        const size_t word = dwords_of(u, w, file, index, &n);
        if (word == SIZE_MAX) continue;
        const size_t dword = word + byte / 4;
        const uint32_t bits = missing[dword] & UINT32_C(0xff) << 8 * (byte % 4);
        if (u->n && u->missing[u->n - 1].at == dword)
            u->missing[u->n - 1].bits |= bits;
        else
            add(u, (struct missing){dword, bits, file, index, e->lane});
    }
}

/* Whether any register that an operand reads misses anything: the footprints cost more. */
static bool may_miss(
    const struct uninitialised *u, struct gpudbg_wave *w, const uint32_t *missing, const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ)) continue;
        if (o->index >= 0) return true;
        for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++) {
            unsigned n;
            const size_t at = dwords_of(u, w, o->file, r, &n);
            for (unsigned d = 0; at != SIZE_MAX && d < n; d++)
                if (missing[at + d]) return true;
        }
    }
    return false;
}

/* Fills u->missing with what the lanes that run read and nobody wrote. */
static void find_missing(
    struct uninitialised *u, struct gpudbg_wave *w, const uint32_t *missing, const struct gpudbg_insn *insn)
{
    u->n = 0;
    if (u->footprint && !may_miss(u, w, missing, insn)) return;
    const unsigned n = u->footprint ? u->machine->isa->regions.footprints(insn, w, u->footprint, GPUDBG_FOOTPRINTS) : 0;
    if (!n) {
        read_operands(u, w, missing, insn);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        const struct gpudbg_footprint *f = &u->footprint[i];
        if (f->file >= u->machine->isa->nfiles || strcmp(f->role, "dst") == 0 || f->stored) continue;
        for (unsigned k = 0; k < f->n; k++)
            if (!f->element[k].off) read_element(u, w, missing, f->file, &f->element[k]);
    }
}

/* Its destinations are written; results: what of them is not (of a dword of wave->words), or NULL. */
static void write_operands(struct uninitialised *u, struct gpudbg_wave *w, uint32_t *missing,
    const struct gpudbg_insn *insn, const uint32_t *results)
{
    const uint64_t active = w->machine->isa->run->active(w);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE)) continue;
        const bool laned = o->file < u->machine->isa->nfiles && u->machine->isa->files[o->file].lanes > 1;
        const uint64_t lanes = !laned ? UINT64_MAX : o->flags & GPUDBG_ALL_LANES ? w->lanes : active;
        for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++) {
            unsigned n;
            const size_t at = dwords_of(u, w, o->file, r, &n);
            for (unsigned d = 0; at != SIZE_MAX && d < n; d++)
                if (!laned || (d < 64 && lanes >> d & 1)) missing[at + d] = results ? results[at + d] : 0;
        }
    }
}

/* ---- Trials ---- */

/* What the missing bits are filled with. */
static uint32_t fill(unsigned trial, const struct missing *m)
{
    if (trial < 2) return trial ? UINT32_MAX : 0;
    return UINT32_C(0x9e3779b9) * (uint32_t)(m->at + 1); /* in no order */
}

/* Executes the instruction on a copy of the wave; false: it could not be. */
static bool try_out(struct uninitialised *u, const struct gpudbg_wave *w, unsigned trial)
{
    struct gpudbg_wave *t = &u->trial[trial];
    uint32_t *words = t->words;
    *t = *w;
    t->words = words;
    memcpy(words, w->words, (size_t)w->machine->wave_words * 4);
    for (unsigned i = 0; i < u->n; i++) {
        const struct missing *m = &u->missing[i];
        words[m->at] = (words[m->at] & ~m->bits) | (fill(trial, m) & m->bits);
    }
    return w->machine->isa->run->run(t, 1, true) == GPUDBG_RAN_LIMIT && t->executed == w->executed + 1;
}

/* Whether the wave could be tried out, and what then depends on the missing bits: bits of its words go to differs (of
 * those that were filled only what is not the filling); *control: which instruction is next, or which lanes run. */
static bool depends(struct uninitialised *u, const struct gpudbg_wave *w, uint32_t *differs, bool *control)
{
    const struct gpudbg_machine *m = w->machine;
    const struct gpudbg_stop stop = m->stop;
    bool good = true;
    machine_tally(u->machine, false); /* trials do not count, and a profile starts anew */
    for (unsigned i = 0; i < TRIALS && good; i++) good = try_out(u, w, i);
    u->machine->stop = stop;
    if (!good) return false;
    *control = false;
    memset(differs, 0, (size_t)m->wave_words * 4);
    for (unsigned i = 1; i < TRIALS; i++) {
        for (uint32_t k = 0; k < m->wave_words; k++) differs[k] |= u->trial[0].words[k] ^ u->trial[i].words[k];
        *control |= u->trial[i].pc != u->trial[0].pc ||
                    m->isa->run->active(&u->trial[i]) != m->isa->run->active(&u->trial[0]);
    }
    if (m->wave_words > m->hidden_word) differs[m->hidden_word] &= ~m->hidden_bits;
    return true;
}

/* Whether a destination has bits that depend. */
static bool results_depend(
    const struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, uint32_t *differs)
{
    bool any = false;
    uint32_t *own = xcalloc(w->machine->wave_words, sizeof *own);
    write_operands((struct uninitialised *)u, w, own, insn, differs);
    for (uint32_t k = 0; k < w->machine->wave_words && !any; k++) any = own[k];
    /* What is no register that is followed (SCC, flags, accumulators) depends where it was not filled. */
    for (unsigned i = 0; i < u->n; i++) differs[u->missing[i].at] &= ~u->missing[i].bits;
    for (uint32_t k = 0; k < w->machine->wave_words && !any; k++) any = differs[k];
    free(own);
    return any;
}

/* ---- An instruction ---- */

/* One report a register.  Said once: then it counts as written. */
static void report_missing(struct uninitialised *u, struct gpudbg_wave *w, uint32_t *missing)
{
    for (unsigned i = 0; i < u->n; i++) {
        const struct missing first = u->missing[i];
        const struct gpudbg_regfile *file = &w->machine->isa->files[first.file];
        uint64_t lanes = 0;
        if (!(missing[first.at] & first.bits)) continue;
        for (unsigned k = i; k < u->n; k++) {
            const struct missing *m = &u->missing[k];
            if (m->file != first.file || m->index != first.index) continue;
            if (m->lane >= 0 && m->lane < 64) lanes |= UINT64_C(1) << m->lane;
            missing[m->at] = 0;
        }
        char name[40], message[120];
        gpudbg_register_name(file, first.index, name, sizeof name);
        snprintf(message, sizeof message, "%s is read, and nothing was ever written to it", name);
        gpudbg_report(u->checks, &(struct gpudbg_report){.pc = w->pc, .lanes = lanes, .message = message});
    }
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct uninitialised *u = state;
    uint32_t *missing = shadow(u, w);
    if (!missing) return;
    find_missing(u, w, missing, insn);
    uint32_t *differs = NULL;
    bool control;
    if (u->n && !(insn->op->flags & OUTSIDE)) {
        differs = xalloc((size_t)w->machine->wave_words * 4);
        if (!depends(u, w, differs, &control)) {
            free(differs);
            differs = NULL;
        }
    }
    if (differs) {
        const bool moves = insn->op->flags & (GPUDBG_OP_COPY | GPUDBG_OP_BITWISE) && !control;
        uint32_t *results = xalloc((size_t)w->machine->wave_words * 4);
        memcpy(results, differs, (size_t)w->machine->wave_words * 4);
        const bool used = !moves && (control || results_depend(u, w, insn, differs));
        if (used) report_missing(u, w, missing);
        write_operands(u, w, missing, insn, moves ? results : NULL);
        free(results);
    } else {
        report_missing(u, w, missing);
        write_operands(u, w, missing, insn, NULL);
    }
    free(differs);
    if (!(gpudbg_insn_does(insn) & GPUDBG_OP_END)) return;
    free(u->wave[w->id].missing);
    u->wave[w->id].missing = NULL;
}

static void edit(void *state, struct gpudbg_wave *w, unsigned file, unsigned index)
{
    struct uninitialised *u = state;
    uint32_t *missing = shadow(u, w);
    unsigned n;
    const size_t at = missing ? dwords_of(u, w, file, index, &n) : SIZE_MAX;
    if (at != SIZE_MAX) memset(missing + at, 0, n * sizeof *missing);
}

const struct gpudbg_checker check_uninitialised = {
    .kind = "uninitialised",
    .summary = "registers that are read before anything was written to them",
    .start = begin,
    .stop = end,
    .before = before,
    .edit = edit,
};
