/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * uninitialised_memory.c: loads of unwritten bytes, and stores of unwritten bits.
 *
 * A load is a copy, and so is a store: bits that are missing stay so on their way through memory.  Which ones they are
 * afterwards is found out by doing it: the instruction is executed again, on copies of the wave as it was before, with
 * missing bits of memory and of registers filled in several ways.  So it does not matter what the instruction does on
 * the way: formats, signs, swizzles.
 *
 * What leaves the wave for memory that others see is a use, if nothing of it was written: a vector of three elements
 * takes the room of four.  An atomic that has to know what was there uses it.
 */
#include "gpudbg/text.h"
#include "check/uninitialised.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/machine.h"

#define ORIGINS_MOST 4096

void uninitialised_place(unsigned space, const struct gpudbg_segment *s, uint64_t addr, char *buf, size_t size)
{
    if (space == GPUDBG_LOCAL)
        snprintf(buf, size, "local memory 0x%" PRIx64, addr);
    else
        text_put(buf, size, "%s+0x%" PRIx64, s->name, addr - s->base);
}

const struct origin *uninitialised_first(const struct uninitialised *u, uint32_t origin)
{
    const struct origin *o = &u->origin[origin];
    while (o->given && o->from) o = &u->origin[o->from];
    return o;
}

#define CHAIN 4 /* most instructions of a chain that are named: the last ones */

void uninitialised_origin(const struct uninitialised *u, uint32_t origin, char *buf, size_t size)
{
    const struct origin *o = &u->origin[origin], *first = uninitialised_first(u, origin);
    const struct origin *chain[CHAIN];
    char place[100], where[160];
    unsigned n = 0;
    struct text t = text_in(buf, size);
    if (first->given) {
        gpudbg_register_name(&u->machine->isa->files[first->file], first->index, place, sizeof place);
        text_add(&t, "%s was never written", place);
    } else {
        uninitialised_place(first->space, first->segment, first->addr, place, sizeof place);
        check_where(u->machine->image, first->pc, where, sizeof where);
        text_add(&t, "%s was loaded at %s", place, where);
    }
    for (; o->given && n < CHAIN; o = &u->origin[o->from]) {
        chain[n++] = o;
        if (!o->from) break;
    }
    for (unsigned i = n; i-- > 0;) {
        check_where(u->machine->image, chain[i]->pc, where, sizeof where);
        text_add(&t, i + 1 == n ? "; given on at %s" : ", %s", where);
    }
}

uint32_t uninitialised_fill(unsigned trial, uint64_t place)
{
    if (trial < 2) return trial ? UINT32_MAX : 0;
    return UINT32_C(0x9e3779b9) * (uint32_t)(place + 1); /* in no order */
}

/* ---- Holding ---- */

void memory_hold(struct uninitialised *u, const struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct held *h = &u->held;
    uint32_t *words = h->wave.words;
    h->wave = *w;
    h->wave.words = words;
    memcpy(words, w->words, (size_t)w->machine->wave_words * 4);
    h->insn = *insn;
    h->n = 0;
    h->on = true;
}

void memory_touched(struct uninitialised *u, const struct gpudbg_access *a)
{
    struct held *h = &u->held;
    if (!h->on || !a->size) return;
    if (h->n == h->room) {
        h->room = h->room ? 2 * h->room : 64;
        h->of = xrealloc(h->of, h->room, sizeof *h->of);
    }
    h->of[h->n++] = *a;
}

/* Loads of wholly written memory are done with. */
void memory_touched_all(struct uninitialised *u, const struct gpudbg_accesses *all)
{
    if (!u->held.on || !(all->write || unwritten_in(u->memory, u->held.wave.group, all))) return;
    for (uint64_t m = all->lanes; m; m &= m - 1) {
        const struct gpudbg_access a = gpudbg_access_of(all, (unsigned)__builtin_ctzll(m));
        memory_touched(u, &a);
    }
}

/* ---- Bytes ---- */

static uint8_t bits_at(const struct uninitialised *u, const struct gpudbg_access *a, uint64_t i)
{
    return unwritten_bits(u->memory, u->held.wave.group, a->segment, a->addr - a->segment->base + i);
}

static bool misses(const struct uninitialised *u, const struct gpudbg_access *a)
{
    return unwritten_within(u->memory, u->held.wave.group, a->segment, a->addr - a->segment->base, a->size);
}

/* The first load of unwritten bytes; NULL: none. */
static const struct gpudbg_access *unwritten_load(const struct uninitialised *u)
{
    for (size_t i = 0; i < u->held.n; i++)
        if (!u->held.of[i].write && misses(u, &u->held.of[i])) return &u->held.of[i];
    return NULL;
}

static uint8_t *bytes_of(const struct gpudbg_access *a) { return a->segment->bytes + (a->addr - a->segment->base); }

static uint32_t origin_of(struct uninitialised *u, const struct gpudbg_access *a)
{
    const uint64_t pc = u->held.wave.pc;
    for (uint32_t i = u->norigins; i > 0; i--)
        if (!u->origin[i].given && u->origin[i].pc == pc &&
            (u->origin[i].addr == a->addr || u->norigins == ORIGINS_MOST))
            return i;
    if (u->norigins < ORIGINS_MOST) u->norigins++;
    u->origin = xrealloc(u->origin, u->norigins + 1, sizeof *u->origin);
    u->origin[u->norigins] = (struct origin){.pc = pc, .addr = a->addr, .segment = a->segment, .space = a->space};
    return u->norigins;
}

/* ---- Trials ---- */

/* The data of a trial's stores, one after another. */
struct stored {
    uint8_t *bytes;
    size_t n, room;
    bool more;
};

static void told(void *data, const struct gpudbg_access *a)
{
    struct stored *s = data;
    if (!a->write) return;
    s->more |= a->size > s->room - s->n;
    if (s->more) return;
    memcpy(s->bytes + s->n, a->bytes, (size_t)a->size);
    s->n += (size_t)a->size;
}

/* Fills what is missing in memory. */
static void fill_memory(const struct uninitialised *u, unsigned trial)
{
    for (size_t k = 0; k < u->held.n; k++) {
        const struct gpudbg_access *a = &u->held.of[k];
        for (uint64_t i = 0; !a->write && i < a->size; i++) {
            const uint8_t bits = bits_at(u, a, i);
            uint8_t *to = bytes_of(a) + i;
            if (bits) *to = (uint8_t)((*to & ~bits) | (uninitialised_fill(trial, a->addr + i) & bits));
        }
    }
}

static bool try_again(struct uninitialised *u, unsigned trial, struct stored *stored)
{
    const struct held *h = &u->held;
    struct gpudbg_wave *t = &u->trial[trial];
    uint32_t *words = t->words;
    *t = h->wave;
    t->words = words;
    memcpy(words, h->wave.words, (size_t)u->machine->wave_words * 4);
    for (unsigned i = 0; i < h->stored.n; i++) {
        const struct missing *m = &h->stored.of[i];
        words[m->at] = (words[m->at] & ~m->bits) | (uninitialised_fill(trial, m->at) & m->bits);
    }
    fill_memory(u, trial);
    return machine_try(t, told, stored);
}

/* Bytes of all accesses, as they are; to put them back. */
static uint8_t *save_bytes(const struct held *h, size_t size)
{
    uint8_t *all = xalloc(size ? size : 1), *p = all;
    for (size_t k = 0; k < h->n; p += h->of[k++].size) memcpy(p, bytes_of(&h->of[k]), (size_t)h->of[k].size);
    return all;
}

static void restore_bytes(const struct held *h, const uint8_t *p)
{
    for (size_t k = 0; k < h->n; p += h->of[k++].size) memcpy(bytes_of(&h->of[k]), p, (size_t)h->of[k].size);
}

/* ---- What was done ---- */

/* `size` bytes of it, from the i-th on, miss these bits now. */
static void wrote(struct uninitialised *u, const struct gpudbg_access *a, uint64_t i, uint64_t size, uint8_t bits)
{
    unwritten_set(u->memory, u->held.wave.group, a->segment, a->addr - a->segment->base + i, size, bits);
}

static void report(struct uninitialised *u, const struct gpudbg_access *a, const char *format, const char *origin)
{
    char place[100], message[200];
    uninitialised_place(a->space, a->segment, a->addr, place, sizeof place);
    snprintf(message, sizeof message, format, place);
    gpudbg_report(u->checks, &(struct gpudbg_report){.pc = u->held.wave.pc,
                                 .by = u->held.wave.id + 1,
                                 .lanes = a->lane >= 0 && a->lane < 64 ? UINT64_C(1) << a->lane : 0,
                                 .message = message,
                                 .cause = format,
                                 .origin = origin});
}

static void report_stored(struct uninitialised *u, const struct gpudbg_access *a)
{
    char origin[300] = "", name[40];
    const struct missing *m = u->held.stored.of;
    for (unsigned i = 0; i < u->held.stored.n && m->lane != a->lane; i++) m = &u->held.stored.of[i];
    if (u->held.stored.n && m->origin) {
        uninitialised_origin(u, m->origin, origin, sizeof origin);
    } else if (u->held.stored.n) {
        gpudbg_register_name(&u->machine->isa->files[m->file], m->index, name, sizeof name);
        snprintf(origin, sizeof origin, "nothing was ever written to %s", name);
    }
    report(u, a, "what is stored to %s was never written", *origin ? origin : NULL);
}

/* Bits that trials stored in different ways. */
static void learn_stored(struct uninitialised *u, const struct stored stored[TRIALS])
{
    size_t at = 0;
    for (size_t k = 0; k < u->held.n; k++) {
        const struct gpudbg_access *a = &u->held.of[k];
        bool whole = true;
        if (!a->write) continue;
        for (uint64_t i = 0; i < a->size; i++, at++) {
            uint8_t bits = 0;
            for (unsigned t = 1; t < TRIALS; t++) bits |= stored[0].bytes[at] ^ stored[t].bytes[at];
            wrote(u, a, i, 1, bits);
            whole &= bits != 0;
        }
        if (whole && a->space == GPUDBG_GLOBAL && !(a->segment->flags & GPUDBG_SEG_PRIVATE)) report_stored(u, a);
    }
}

/* ... and loaded, in registers. */
static void learn_loaded(struct uninitialised *u, const struct gpudbg_access *from)
{
    struct shadow *s = &u->wave[u->held.wave.id];
    const uint32_t origin = origin_of(u, from);
    for (uint32_t k = 0; s->missing && k < u->machine->wave_words; k++) {
        uint32_t bits = 0;
        for (unsigned t = 1; t < TRIALS; t++) bits |= u->trial[0].words[k] ^ u->trial[t].words[k];
        if (k == u->machine->hidden_word) bits &= ~u->machine->hidden_bits;
        if (!bits) continue;
        s->missing[k] |= bits;
        s->origin[k] = origin;
    }
}

static void copied(struct uninitialised *u, const struct gpudbg_access *from)
{
    const struct held *h = &u->held;
    struct stored stored[TRIALS] = {{0}};
    size_t all = 0, writes = 0;
    bool good = true;
    for (size_t k = 0; k < h->n; k++) {
        all += (size_t)h->of[k].size;
        if (h->of[k].write) writes += (size_t)h->of[k].size;
    }
    uint8_t *saved = save_bytes(h, all);
    for (unsigned t = 0; t < TRIALS; t++) {
        stored[t] = (struct stored){.bytes = xalloc(writes ? writes : 1), .room = writes};
        good = good && try_again(u, t, &stored[t]) && !stored[t].more && stored[t].n == writes;
        restore_bytes(h, saved);
    }
    free(saved);
    if (good) learn_stored(u, stored);
    if (good && from) learn_loaded(u, from);
    for (unsigned t = 0; t < TRIALS; t++) free(stored[t].bytes);
}

void memory_settle(struct uninitialised *u)
{
    const uint32_t both = GPUDBG_OP_LOAD | GPUDBG_OP_STORE;
    struct held *h = &u->held;
    if (!h->on) return;
    h->on = false;
    const struct gpudbg_access *from = unwritten_load(u);
    const uint64_t does = gpudbg_insn_does(&h->insn);
    const bool atomic = (does & both) == both;
    if (atomic && from && !(does & GPUDBG_OP_COPY))
        report(u, from, "nothing was ever written to %s, which is updated", NULL);
    if (!atomic && (from || h->stored.n)) {
        copied(u, from);
        return;
    }
    for (size_t k = 0; k < h->n; k++)
        if (h->of[k].write) wrote(u, &h->of[k], 0, h->of[k].size, 0);
}
