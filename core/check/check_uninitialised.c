/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_uninitialised.c: registers that are read before anything was written to them; for memory see
 * uninitialised_memory.c.
 *
 * Computing with an unwritten register does not use it: the results that depend on it are unwritten, too, bit by bit.
 * What depends on it is found out: where an instruction reads unwritten bits, it is tried out on copies of the
 * wave with those bits filled in several ways, and bits of the results that differ are unwritten.  So masks of lanes
 * that a compiler joins with EXEC are written, and what a shift drops does not matter.  Of arithmetic (neither COPY nor
 * BITWISE) all bits above the first that differs count, in a lane's register and in a scalar.
 *
 * Reported is what decides: which instruction is next, which lanes run, an address, a descriptor, a message; and what
 * leaves for memory that others see.  Loads, stores and messages are not tried out here: there every bit that lanes
 * which run read counts, but for what is stored or what a load keeps of its register: those are copies.
 *
 * A shadow keeps for each bit of a wave's registers whether it is missing.  What a launch writes is found by letting it
 * start a wave over two different fillings of its registers: what comes out alike was written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg/unset.h"
#include "check/uninitialised.h"
#include "machine/machine.h"

/* Registers without a number (masks, modes) have a value from the start. */
static bool starts(const struct gpudbg_regfile *file) { return file->indexed && !file->mask; }

static bool follows(const struct gpudbg_regfile *file) { return file->lanes <= 1 || file->bits == 32; }

static size_t words_size(const struct gpudbg_machine *m)
{
    const size_t size = ((size_t)m->wave_words * 4 + 63) & ~(size_t)63;
    return size ? size : 64;
}

static void end(void *state)
{
    struct uninitialised *u = state;
    for (uint32_t i = 0; u->wave && i < u->machine->nwaves; i++) {
        free(u->wave[i].missing);
        free(u->wave[i].some);
        free(u->wave[i].origin);
    }
    while (u->nspare) {
        const struct shadow *s = &u->spare[--u->nspare];
        free(s->missing);
        free(s->some);
        free(s->origin);
    }
    for (unsigned i = 0; i < STARTS; i++) {
        free(u->start[i].missing);
        free(u->start[i].some);
    }
    for (unsigned i = 0; i < TRIALS; i++) free(u->trial[i].words);
    free(u->wave);
    free(u->follows);
    free(u->starts);
    free(u->differs);
    free(u->as_decoded);
    for (uint32_t i = 0; i < u->nplans; i++) {
        if (u->plan[i]) free(u->plan[i]->copy);
        if (u->plan[i]) free(u->plan[i]->moves);
        if (u->plan[i]) free(u->plan[i]->regions);
        free(u->plan[i]);
    }
    free(u->plan);
    free(u->results);
    free(u->footprint);
    free(u->held.wave.words);
    free(u->held.of);
    free(u->origin);
    unwritten_free(u->memory);
    free(u);
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct uninitialised *u = xalloc(sizeof *u);
    u->machine = m;
    u->checks = checks;
    checks_hear_dwords(checks);
    u->follows = xcalloc(m->isa->nfiles, sizeof *u->follows);
    u->starts = xcalloc(m->isa->nfiles, sizeof *u->starts);
    u->wave = xcalloc(m->nwaves, sizeof *u->wave);
    u->differs = xalloc(words_size(m));
    u->as_decoded = xcalloc(DECODED_MOST, sizeof *u->as_decoded);
    u->results = xalloc(words_size(m));
    u->nplans = gpudbg_checks_numbers(checks);
    u->plan = xcalloc((size_t)u->nplans + 1, sizeof *u->plan);
    if (m->isa->regions.footprints) u->footprint = xcalloc(2 * GPUDBG_FOOTPRINTS, sizeof *u->footprint);
    for (size_t f = 0; f < m->isa->nfiles; f++) {
        u->follows[f] = follows(&m->isa->files[f]);
        u->starts[f] = u->follows[f] && starts(&m->isa->files[f]);
    }
    u->memory = unwritten_new(m);
    bool room = (u->held.wave.words = aligned_alloc(64, words_size(m))) != NULL;
    for (unsigned i = 0; i < TRIALS; i++) room &= (u->trial[i].words = aligned_alloc(64, words_size(m))) != NULL;
    if (!room) xalloc_end();
    return u;
}

/* ---- A wave from its launch ---- */

/* The wave as its launch makes it, over registers and local memory full of `fill`. */
static void started(const struct gpudbg_wave *w, uint8_t fill, struct gpudbg_wave *to, struct gpudbg_segment *local)
{
    uint32_t *words = to->words;
    *to = *w;
    to->words = words;
    memset(words, fill, words_size(w->machine));
    if (w->lds) {
        uint8_t *bytes = local->bytes;
        *local = *w->lds;
        local->bytes = memset(bytes, fill, (size_t)local->size);
        to->lds = local;
    }
    w->machine->isa->run->start(to);
    to->lds = w->lds;
}

static void start_register(
    const struct uninitialised *u, struct gpudbg_wave *w, uint32_t *missing, unsigned file, unsigned index)
{
    unsigned n;
    const size_t at = uninitialised_dwords(u, w, file, index, &n);
    if (at == SIZE_MAX) return;
    const uint32_t *a = u->trial[0].words + at, *b = u->trial[1].words + at;
    const bool lanes = u->machine->isa->files[file].lanes > 1;
    bool any = false;
    for (unsigned d = 0; d < n; d++) any |= a[d] == b[d];
    for (unsigned d = 0; d < n; d++) missing[at + d] = (lanes ? a[d] == b[d] : any) ? 0 : UINT32_MAX;
}

static void find_phase(struct uninitialised *u, struct gpudbg_wave *w)
{
    for (unsigned f = 0; f < u->machine->isa->nfiles; f++) {
        unsigned n;
        const size_t at = u->machine->isa->files[f].lanes > 1 ? uninitialised_dwords(u, w, f, 0, &n) : SIZE_MAX;
        if (at != SIZE_MAX) u->phase = at % 64;
    }
}

/* What the launch has written to local memory, if anything. */
static bool start_local(struct uninitialised *u, const struct gpudbg_wave *w, const uint8_t *a, const uint8_t *b)
{
    bool any = false;
    for (uint64_t i = 0, n; w->lds && i < w->lds->size; i += n) {
        uint8_t alike = 0;
        n = w->lds->size - i < 64 ? w->lds->size - i : 64;
        for (uint64_t k = i; k < i + n; k++) alike |= a[k] == b[k];
        for (uint64_t k = i; alike && k < i + n; k++)
            if (a[k] == b[k]) unwritten_set(u->memory, w->group, w->lds, k, 1, 0);
        any |= alike;
    }
    return any;
}

/* Whether waves of one number in their groups, with as many lanes, start with the same registers written: not if the
 * launch gives a register to one group alone (s[5]/g1=7), nor in a dump, where each wave has its own. */
static bool groups_alike(const struct gpudbg_machine *m)
{
    if (machine_restoring(m)) return false;
    for (size_t i = 0; m->launch && i < m->launch->nbound; i++)
        if (m->launch->bound[i].name && strstr(m->launch->bound[i].name, "/g")) return false;
    return true;
}

static struct start *start_of(struct uninitialised *u, const struct gpudbg_wave *w)
{
    struct start *s = &u->start[w->index % STARTS];
    const bool same = s->missing && s->lanes == w->lanes && s->index == w->index;
    return same && groups_alike(w->machine) ? s : NULL;
}

/* Finds what of a wave's registers and local memory its launch leaves unwritten. */
static void find_start(struct uninitialised *u, struct gpudbg_wave *w, uint32_t *missing, uint64_t *some)
{
    const struct gpudbg_machine *m = w->machine;
    find_phase(u, w);
    const size_t size = w->lds ? (size_t)w->lds->size + 64 : 1;
    struct gpudbg_segment local[2] = {{.bytes = xalloc(size)}, {.bytes = xalloc(size)}};
    started(w, 0x5a, &u->trial[0], &local[0]);
    started(w, 0xa5, &u->trial[1], &local[1]);
    const bool stores = start_local(u, w, local[0].bytes, local[1].bytes);
    free(local[0].bytes);
    free(local[1].bytes);
    for (unsigned f = 0; f < m->isa->nfiles; f++)
        for (unsigned i = 0; u->starts[f] && i < m->isa->run->count(m, f); i++) start_register(u, w, missing, f, i);
    for (uint32_t k = 0; k < m->wave_words; k++)
        if (missing[k]) some[block_of(u, k)] |= block_bit(u, k);
    struct start *keep = &u->start[w->index % STARTS];
    if (stores) return;
    if (!keep->some) keep->some = xcalloc(UNINITIALISED_BLOCKS(m->wave_words), sizeof *keep->some);
    memcpy(keep->some, some, UNINITIALISED_BLOCKS(m->wave_words) * sizeof *some);
    if (!keep->missing) keep->missing = xcalloc(m->wave_words ? m->wave_words : 1, sizeof *keep->missing);
    keep->lanes = w->lanes;
    keep->index = w->index;
    memcpy(keep->missing, missing, m->wave_words * sizeof *missing);
}

static uint32_t *shadow(struct uninitialised *u, struct gpudbg_wave *w)
{
    const size_t n = w->machine->wave_words ? w->machine->wave_words : 1;
    struct shadow *s = &u->wave[w->id];
    if (s->made) return s->missing;
    if (u->nspare) {
        *s = u->spare[--u->nspare];
        memset(s->origin, 0, n * sizeof *s->origin);
    } else {
        s->missing = xcalloc(n, sizeof *s->missing);
        s->origin = xcalloc(n, sizeof *s->origin);
        s->some = xcalloc(UNINITIALISED_BLOCKS(n), sizeof *s->some);
    }
    s->made = true;
    const struct start *start = start_of(u, w);
    if (start) {
        memcpy(s->missing, start->missing, n * sizeof *s->missing);
        memcpy(s->some, start->some, UNINITIALISED_BLOCKS(n) * sizeof *s->some);
    } else {
        memset(s->missing, 0, n * sizeof *s->missing);
        memset(s->some, 0, UNINITIALISED_BLOCKS(n) * sizeof *s->some);
        find_start(u, w, s->missing, s->some);
    }
    return s->missing;
}

/* The wave has ended: the next one that begins gets its memory. */
static void end_wave(struct uninitialised *u, struct shadow *s)
{
    if (u->nspare < SPARE_MOST) {
        u->spare[u->nspare++] = *s;
    } else {
        free(s->missing);
        free(s->origin);
        free(s->some);
    }
    s->missing = s->origin = NULL;
    s->some = NULL;
}

/* ---- An instruction ---- */

static void report_register(
    const struct uninitialised *u, const struct gpudbg_wave *w, const struct missing *m, uint64_t lanes)
{
    char name[40], place[100], message[240], cause[80], origin[420];
    gpudbg_register_name(&w->machine->isa->files[m->file], m->index, name, sizeof name);
    struct gpudbg_report report = {.pc = w->pc, .lanes = lanes, .message = message};
    const struct origin *o = m->origin ? uninitialised_first(u, m->origin) : NULL;
    if (o && o->given) {
        gpudbg_register_name(&w->machine->isa->files[o->file], o->index, place, sizeof place);
        if (strcmp(place, name) == 0) /* it moved back, or came from another lane */
            snprintf(message, sizeof message, "%s is read, and nothing was ever written to it", name);
        else
            snprintf(
                message, sizeof message, "%s is used, through %s, and nothing was ever written to it", place, name);
    } else if (o) {
        uninitialised_place(o->space, o->segment, o->addr, place, sizeof place);
        snprintf(message, sizeof message, "%s is used, which was loaded from %s, and nothing was ever written there",
            name, place);
        snprintf(cause, sizeof cause, "%s memory", name);
        report.cause = cause;
    } else {
        snprintf(message, sizeof message, "%s is read, and nothing was ever written to it", name);
    }
    if (checks_again(u->checks, &report)) return; /* the origin takes the most time */
    if (o) {
        uninitialised_origin(u, w, m->origin, origin, sizeof origin);
        report.origin = origin;
    }
    gpudbg_report(u->checks, &report);
}

/* One report a register; after it the register counts as written. */
static void report_missing(struct uninitialised *u, struct gpudbg_wave *w, uint32_t *missing)
{
    for (unsigned i = 0; i < u->missing.n; i++) {
        const struct missing first = u->missing.of[i];
        uint64_t lanes = 0;
        if (!(missing[first.at] & first.bits)) continue;
        for (unsigned k = i; k < u->missing.n; k++) {
            const struct missing *m = &u->missing.of[k];
            if (m->file != first.file || m->index != first.index) continue;
            if (m->lane >= 0 && m->lane < 64) lanes |= UINT64_C(1) << m->lane;
            missing[m->at] = 0;
        }
        report_register(u, w, &first, lanes);
    }
}

/* Keeps a load or store until it has been executed, if its memory or data may have missing bits. */
static void hold(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    if (!(gpudbg_insn_does(insn) & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE))) return;
    uninitialised_find(u, w, insn, true, &u->held.stored);
    if (u->held.stored.n || unwritten_any(u->memory)) memory_hold(u, w, insn, NULL);
}

#define NOT_TRIED \
    (GPUDBG_OP_LOAD | GPUDBG_OP_STORE | GPUDBG_OP_MESSAGE | GPUDBG_OP_END | GPUDBG_OP_BARRIER | GPUDBG_OP_WAIT)

static void executes(struct uninitialised *u, struct gpudbg_wave *w, struct shadow *s, const struct gpudbg_insn *insn)
{
    struct spans spans GPUDBG_UNSET;
    bool control = false;
    if (u->missing.n && uninitialised_is_copy(u, w, insn, &spans) && uninitialised_copies(u, w, insn, &spans, false)) {
        spans_copy(&spans, u->results, u->trial[0].words);
        uninitialised_write(u, w, insn, u->results);
        return;
    }
    const bool tried = u->missing.n && !(insn->op->flags & NOT_TRIED) &&
                       uninitialised_depends(u, w, insn, &spans, &control);
    if (u->missing.n && (!tried || control)) report_missing(u, w, s->missing);
    if (!tried || control) {
        uninitialised_write(u, w, insn, NULL);
        return;
    }
    spans_copy(&spans, u->results, u->differs);
    uninitialised_write(u, w, insn, u->results);
    uninitialised_write_others(u, w, s, &spans, u->results);
}

static __attribute__((noinline)) void look_at(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    if (u->held.on) memory_settle(u);
    struct shadow *s = &u->wave[w->id];
    if (s->made ? !s->missing : !shadow(u, w)) return;
    struct plan *plan = uninitialised_plan(u, w, insn);
    if (plan && plan->quick && !plan->memory && uninitialised_all_written(s, plan)) {
        if (plan->last) end_wave(u, s);
        return;
    }
    if (plan && plan->quick && !plan->last && uninitialised_quickly(u, w, s, insn, plan)) return;
    uninitialised_find(u, w, insn, false, &u->missing);
    hold(u, w, insn);
    executes(u, w, s, insn);
    if (!(gpudbg_insn_does(insn) & GPUDBG_OP_END)) return;
    end_wave(u, s);
}

/* Most instructions touch only registers that are written whole, and no memory. */
static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct uninitialised *u = state;
    const struct shadow *s = &u->wave[w->id];
    const uint32_t number = u->checks->number;
    const struct plan *plan = number < u->nplans ? u->plan[number] : NULL;
    if (u->held.on || !s->missing || !plan || !plan->plain || !uninitialised_all_written(s, plan)) look_at(u, w, insn);
}

static void access(void *state, struct gpudbg_wave *w, const struct gpudbg_access *a) { memory_touched(state, w, a); }

static void accesses(void *state, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    memory_touched_all(state, w, all);
}

static void edit(void *state, struct gpudbg_wave *w, unsigned file, unsigned index)
{
    struct uninitialised *u = state;
    uint32_t *missing = shadow(u, w);
    unsigned n;
    const size_t at = missing ? uninitialised_dwords(u, w, file, index, &n) : SIZE_MAX;
    if (at != SIZE_MAX) memset(missing + at, 0, n * sizeof *missing);
}

static void edit_memory(void *state, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct uninitialised *u = state;
    unwritten_set(u->memory, w->group, a->segment, a->addr - a->segment->base, a->size, 0);
}

const struct gpudbg_checker check_uninitialised = {
    .kind = "uninitialised",
    .summary = "registers and memory that are used before anything was written to them",
    .start = begin,
    .stop = end,
    .before = before,
    .access = access,
    .accesses = accesses,
    .edit = edit,
    .edit_memory = edit_memory,
};
