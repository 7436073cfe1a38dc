/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * witness.h: a slow tracer, whose notes answer the questions that core/past/past.h answers by searching.
 *
 * It knows nothing of operands.  Before each instruction it tries the instruction out on two copies of the wave: as the
 * wave is, and with the watched register's bits flipped.  If the register changes in the first, or does not stay
 * flipped in the second, the instruction writes it.  (Whether a register that is added 0 to is written is a matter of
 * words: both answers are right.)  Where the second cannot be executed (the register was an address),
 * nobody can tell, and both answers are right.  What a trial stores is put back from copies of all memory.
 */
#ifndef WITNESS_H
#define WITNESS_H

#include "code/walk.h"
#include "past/past.h"
#include "machine/inputs.h"
#include "machine/machine_core.h"
#include "tap.h"

#define TARGETS 40
#define STEPS 700

enum { NOT_WRITTEN, WRITTEN, EITHER };

struct target {
    char text[64];
    struct past_place place;
    bool is;
    uint8_t note[STEPS]; /* of the instruction at each position */
};

static uint64_t witness_seed = 1;

static uint32_t chance(uint32_t n)
{
    witness_seed = witness_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(witness_seed >> 33) % n;
}

static void chance_bytes(uint8_t *to, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] = (uint8_t)chance(256);
}

/* ---- Copies of all memory ---- */

struct memory_copy {
    struct gpudbg_segment *segment;
    uint8_t *bytes;
};

static struct gpudbg_segment *segment_at(struct gpudbg_wave *w, size_t i)
{
    const struct gpudbg_space *space = &w->machine->space[GPUDBG_GLOBAL];
    return i < space->count ? space->segment[i] : i == space->count ? w->lds : NULL;
}

static void copy_memory(struct gpudbg_wave *w, struct memory_copy *to)
{
    for (size_t i = 0; (to[i].segment = segment_at(w, i)); i++) {
        to[i].bytes = malloc(to[i].segment->size + 1);
        memcpy(to[i].bytes, to[i].segment->bytes, to[i].segment->size);
    }
}

static void put_back(const struct memory_copy *from)
{
    for (size_t i = 0; from[i].segment; i++) memcpy(from[i].segment->bytes, from[i].bytes, from[i].segment->size);
}

static void free_copies(struct memory_copy *copy)
{
    for (size_t i = 0; copy[i].segment; i++) free(copy[i].bytes);
}

/* ---- Trying out ---- */

/* Executes the next instruction on a copy whose registers go to `words`; false: it cannot be. */
static bool attempt(struct gpudbg_wave *w, uint32_t *words, const struct memory_copy *memory)
{
    struct gpudbg_wave copy = *w;
    const struct gpudbg_stop stop = w->machine->stop;
    copy.words = words;
    if (copy.state == GPUDBG_UNSTARTED) copy.state = GPUDBG_READY;
    core_of(w->machine)->door.deaf = true;
    const enum gpudbg_ran ran = w->machine->isa->run->run(&copy, 1, true);
    core_of(w->machine)->door.deaf = false;
    core_events_drop(w->machine);
    w->machine->stop = stop;
    w->machine->watch_hit = 0;
    put_back(memory);
    return ran != GPUDBG_RAN_FAULT && copy.executed == w->executed + 1;
}

/* The instruction has a register of the file as a source, and as its destination: then giving it its own value back may
 * be a write. */
static bool may_be_own(const struct gpudbg_wave *w, unsigned file)
{
    struct gpudbg_insn insn;
    size_t left;
    unsigned flags = 0;
    const uint8_t *bytes = gpudbg_image_bytes(w->machine->image, w->pc, &left);
    if (!bytes || !gpudbg_insn_at(w->machine->isa, bytes, left, w->pc, &insn)) return false;
    for (unsigned i = 0; i < insn.noperands; i++)
        if (insn.operands[i].file == file) flags |= insn.operands[i].flags;
    return (flags & GPUDBG_READ) && (flags & GPUDBG_WRITE);
}

/* What the wave's next instruction does to the bits of a register. */
static uint8_t observe(struct gpudbg_wave *w, const struct touch_set *set, const struct memory_copy *memory)
{
    const size_t size = ((size_t)w->machine->wave_words * 4 + 127) & ~(size_t)63;
    uint32_t *a = aligned_alloc(64, size), *b = aligned_alloc(64, size);
    bool changed = false, stays = true;
    memcpy(a, w->words, (size_t)w->machine->wave_words * 4);
    memcpy(b, w->words, (size_t)w->machine->wave_words * 4);
    for (size_t i = 0; i < set->n; i++) b[set->bit[i].at] ^= set->bit[i].bits;
    const bool first = attempt(w, a, memory), second = attempt(w, b, memory);
    for (size_t i = 0; i < set->n; i++) {
        const uint32_t was = w->words[set->bit[i].at], bits = set->bit[i].bits;
        changed |= ((a[set->bit[i].at] ^ was) & bits) != 0;
        stays &= ((b[set->bit[i].at] ^ was) & bits) == bits;
    }
    free(a);
    free(b);
    if (!first) return EITHER;
    if (changed) return WRITTEN;
    if (stays && second) return may_be_own(w, set->file) ? EITHER : NOT_WRITTEN;
    return set->loose || !second ? EITHER : WRITTEN; /* of loose ones changes are sure to count */
}

static void stand_at(struct gpudbg_machine *m, uint64_t position)
{
    machine_run(m, &(struct machine_want){.until = MACHINE_POSITION, .count = position});
}

/* Instructions are looked for where the code has them in address order.  Random programs also jump into the middle of
 * one; of such the notes do not speak. */
static bool is_listed(const struct gpudbg_machine *m, uint64_t pc)
{
    struct code_walk code;
    struct gpudbg_insn insn;
    code_walk_open(&code, m->image, 0, UINT64_MAX);
    while (code_walk_next(&code, &insn))
        if (insn.addr >= pc) return insn.addr == pc;
    return false;
}

/* The instruction that a wave executes at a position. */
static const struct gpudbg_insn *insn_there(struct gpudbg_machine *m, uint64_t at, uint32_t wave)
{
    static struct gpudbg_insn insn;
    struct machine_wave_info info;
    size_t left;
    stand_at(m, at);
    machine_wave_info(m, wave, &info);
    const uint8_t *bytes = gpudbg_image_bytes(m->image, info.pc, &left);
    return bytes && gpudbg_insn_at(m->isa, bytes, left, info.pc, &insn) ? &insn : NULL;
}

static const char *text_at(struct gpudbg_machine *m, uint64_t at, uint32_t wave)
{
    static char text[200];
    const struct gpudbg_insn *insn = insn_there(m, at, wave);
    text[0] = 0;
    if (insn) m->isa->text(insn, 0, GPUDBG_READABLE, NULL, text, sizeof text);
    return text;
}

/* It breaks a rule of its instruction set: what it writes is nobody's promise. */
static bool is_ruled_out(struct gpudbg_machine *m, uint64_t at, uint32_t wave)
{
    static struct gpudbg_problem problem[4];
    const struct gpudbg_insn *insn = insn_there(m, at, wave);
    return insn && m->isa->rules.problems && m->isa->rules.problems(insn, problem, 4);
}

/* ---- Registers to ask about ---- */

/* Of a lane that exists: what stands in others is nobody's. */
static void register_text(struct gpudbg_machine *m, uint32_t wave, char *text, size_t size)
{
    struct machine_wave_info info;
    const unsigned file = chance((uint32_t)m->isa->nfiles);
    const struct gpudbg_regfile *f = &m->isa->files[file];
    const unsigned count = m->isa->run->count(m, file);
    char name[40];
    text[0] = 0;
    machine_wave_info(m, wave, &info);
    const unsigned lanes = info.lanes ? 64 - (unsigned)__builtin_clzll(info.lanes) : 1;
    if (!count) return;
    gpudbg_register_name(f, chance(count < 24 ? count : 24), name, sizeof name);
    if (f->lanes > 1 || (f->mask && chance(2)))
        snprintf(text, size, "$%s[%u]", name, chance(lanes));
    else if (f->bits > 64)
        snprintf(text, size, "$%s.%u", name, chance(f->bits / 32u));
    else
        snprintf(text, size, "$%s", name);
}

static size_t choose(struct gpudbg *g, struct target *target)
{
    struct gpudbg_machine *m = g->running.machine;
    size_t n = 0;
    for (unsigned tries = 0; n < TARGETS && tries < 4000; tries++) {
        struct target *t = &target[n];
        struct gpudbg_error err = {0};
        char text[64];
        memset(t, 0, sizeof *t);
        const uint32_t wave = chance(m->nwaves < 4 ? m->nwaves : 4);
        register_text(m, wave, t->text, sizeof t->text);
        snprintf(text, sizeof text, "%s", t->text);
        if (!*text) continue;
        if (past_named(&g->eval, wave, text, &t->place, &err) && t->place.is_register)
            n++;
        else
            past_free(&t->place);
    }
    return n;
}

/* ---- Inputs ---- */

/* Registers that have numbers, and masks that do not say which lanes run, get other contents. */
static void scramble(struct gpudbg_wave *w, uint32_t *words)
{
    const struct gpudbg_machine *m = w->machine;
    for (unsigned f = 0; f < m->isa->nfiles; f++)
        for (unsigned r = 0; m->isa->files[f].indexed && r < m->isa->run->count(m, f); r++) {
            const uint32_t *p = m->isa->run->reg(w, f, r);
            const unsigned n = m->isa->files[f].lanes > 1 ? m->isa->files[f].lanes : (m->isa->files[f].bits + 31u) / 32;
            if (!p || p < w->words || p + n > w->words + m->wave_words) continue;
            for (unsigned d = 0; d < n; d++) words[p - w->words + d] = chance(UINT32_MAX);
        }
}

static void keep_input(struct gpudbg_wave *w, const struct insn_input *in, uint32_t *words)
{
    const struct gpudbg_regfile *f = &w->machine->isa->files[in->file];
    const uint32_t *p = w->machine->isa->run->reg(w, in->file, in->reg);
    if (!p || p < w->words || p >= w->words + w->machine->wave_words) return;
    const size_t at = (size_t)(p - w->words);
    if (in->mask_bit) {
        const uint32_t bit = UINT32_C(1) << (in->lane & 31);
        uint32_t *word = &words[at + (unsigned)in->lane / 32];
        *word = (*word & ~bit) | (w->words[at + (unsigned)in->lane / 32] & bit);
    } else if (f->lanes > 1) {
        words[at + (unsigned)in->lane] = w->words[at + (unsigned)in->lane];
    } else if (in->bits) {
        const uint32_t mask = (in->bits < 32 ? (UINT32_C(1) << in->bits) - 1 : UINT32_MAX) << in->shift;
        words[at + in->first] = (words[at + in->first] & ~mask) | (w->words[at + in->first] & mask);
    } else {
        for (unsigned d = 0; d < (f->bits + 31u) / 32; d++) words[at + d] = w->words[at + d];
    }
}

/* The register that the wave's next instruction writes gets the same value, bit for bit, from the listed inputs alone:
 * whatever stands in all other registers.  -1: the instruction cannot be executed so, 0: it does not, 1: it does. */
static int from_inputs(struct gpudbg_wave *w, const struct past_place *p, const struct memory_copy *memory)
{
    static struct insn_input in[INPUTS_MOST];
    const struct gpudbg_regfile *file = &w->machine->isa->files[p->value.file];
    const size_t size = ((size_t)w->machine->wave_words * 4 + 127) & ~(size_t)63;
    struct gpudbg_insn insn, own;
    struct trial t;
    uint64_t lanes;
    size_t left;
    const uint8_t *bytes = gpudbg_image_bytes(w->machine->image, w->pc, &left);
    if (!bytes || !gpudbg_insn_at(w->machine->isa, bytes, left, w->pc, &insn)) return -1;
    const struct gpudbg_insn *actual = machine_actual(w, &insn, &own);
    if (!actual || !trial_open(&t, w->machine, true)) return -1;
    const struct input_result of = {.set = p->set, .lane = file->lanes > 1 || p->value.mask_bit ? p->value.lane : -1};
    const size_t n = inputs_of(&t, w, actual, &of, in, &lanes);
    trial_close(&t);
    if (n == INPUTS_MOST) return -1; /* more than are listed */
    uint32_t *a = aligned_alloc(64, size), *b = aligned_alloc(64, size), *c = aligned_alloc(64, size);
    memcpy(a, w->words, (size_t)w->machine->wave_words * 4);
    memcpy(b, w->words, (size_t)w->machine->wave_words * 4);
    memcpy(c, w->words, (size_t)w->machine->wave_words * 4);
    for (size_t i = 0; i < p->set->n; i++) c[p->set->bit[i].at] ^= p->set->bit[i].bits;
    scramble(w, b);
    for (size_t i = 0; i < n; i++)
        if (in[i].is_register) keep_input(w, &in[i], b);
    int same = attempt(w, a, memory) && attempt(w, b, memory) && attempt(w, c, memory) ? 1 : -1;
    for (size_t i = 0; same > 0 && i < p->set->n; i++) {
        const uint32_t before = w->words[p->set->bit[i].at], after = a[p->set->bit[i].at];
        const uint32_t kept = ~(after ^ before) & (c[p->set->bit[i].at] ^ before); /* bits that it leaves alone */
        if ((after ^ b[p->set->bit[i].at]) & p->set->bit[i].bits & ~kept) same = 0;
    }
    free(a);
    free(b);
    free(c);
    return same;
}

/* ---- The questions ---- */

/* The last position before `to`, or the first from `to` on, that the notes allow as an answer; whether `got` is one. */
static bool allowed(const struct target *t, uint64_t to, uint64_t steps, bool back, bool found, uint64_t got)
{
    for (uint64_t i = 0; i < (back ? to : steps - to); i++) {
        const uint64_t at = back ? to - 1 - i : to + i;
        if (t->note[at] == NOT_WRITTEN) continue;
        if (found && got == at) return true;
        if (t->note[at] == WRITTEN) return false;
    }
    return !found;
}

/* Compares answers about a machine that has run with the notes; what: the program, for messages. */
static void witness(struct gpudbg *g, const char *what)
{
    static struct target target[TARGETS];
    struct gpudbg_machine *m = g->running.machine;
    const uint64_t recorded = machine_recorded(m), steps = recorded < STEPS ? recorded : STEPS;
    unsigned computed = 0, lost = 0, wrong = 0, asked = 0, writes = 0;
    stand_at(m, 0);
    const size_t n = choose(g, target);
    for (uint64_t at = 0; at < steps; at++) {
        struct memory_copy memory[24];
        struct gpudbg_error err = {0};
        stand_at(m, at);
        const uint32_t id = machine_next_wave(m);
        struct gpudbg_wave *w = id == MACHINE_NO_WAVE ? NULL : machine_wave(m, id, &err);
        if (!w) break;
        copy_memory(w, memory);
        for (size_t i = 0; i < n; i++) {
            if (target[i].place.wave != id) continue;
            target[i].note[at] = is_listed(m, w->pc) ? observe(w, target[i].place.set, memory) : EITHER;
            if (target[i].note[at] != WRITTEN || target[i].place.set->loose) continue;
            const int from = from_inputs(w, &target[i].place, memory);
            computed += from >= 0;
            if (from != 0) continue;
            fprintf(stderr, "# %s: %s of wave %u, position %" PRIu64 ": not from its inputs alone: %s\n", what,
                target[i].text, id, at, text_at(m, at, id));
            lost++;
        }
        free_copies(memory);
    }
    stand_at(m, recorded);
    const uint64_t hash = machine_hash(m);
    for (size_t i = 0; i < n; i++)
        for (unsigned turn = 0; turn < 4; turn++) {
            const uint64_t at = chance((uint32_t)steps + 1);
            const bool back = turn % 2 == 0;
            struct gpudbg_error err = {0};
            struct past_write w = {0};
            bool found = false;
            stand_at(m, at);
            if (machine_wave_ended(m, target[i].place.wave)) continue;
            if (recorded > steps && !back) continue; /* the notes end before the record */
            const bool good = (back ? past_last : past_next)(&g->eval, &target[i].place, &w, &found, &err);
            asked++;
            writes += found;
            if (good && machine_position(m) == at && allowed(&target[i], at, steps, back, found, w.position)) continue;
            uint64_t want = at - back;
            while (want < steps && target[i].note[want] != WRITTEN) want += back ? UINT64_MAX : 1;
            const uint32_t wave = target[i].place.wave;
            if ((found && is_ruled_out(m, w.position, wave)) || (want < steps && is_ruled_out(m, want, wave))) continue;
            wrong++;
            fprintf(stderr,
                "# %s: %s of wave %u, %s position %" PRIu64 ": got %s%" PRIi64 " %s, the notes say %" PRIi64, what,
                target[i].text, wave, back ? "before" : "from", at, found ? "" : "none, ", (int64_t)w.position,
                found ? text_at(m, w.position, wave) : "", (int64_t)want);
            fprintf(stderr, " %s%s%s\n", want < steps ? text_at(m, want, wave) : "", good ? "" : "; ",
                good ? "" : err.message);
        }
    for (size_t i = 0; i < n; i++) past_free(&target[i].place);
    ok(!lost, "%s: %u results come from the inputs that are listed, bit for bit", what, computed);
    stand_at(m, recorded);
    ok(!wrong && machine_hash(m) == hash, "%s: %u answers about %zu registers are the tracer's, %u found a write", what,
        asked, n, writes);
}

#endif
