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
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "check/uninitialised.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/row.h"
#include "machine/machine.h"

#define MEMORY_TRIALS 3 /* nothing is compared */
#define BOTH (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)

/* ---- Holding ---- */

/* What is written of the wave is as it was before. */
static void swap_written(const struct plan *plan, uint32_t *to, const uint32_t *from)
{
    for (unsigned i = 0; i < plan->n; i++)
        if (plan->of[i].writes) memcpy(to + plan->of[i].at, from + plan->of[i].at, plan->of[i].n * sizeof *to);
}

/* Keeps all of the wave that the instruction may use, as it was before. */
static void keep(struct uninitialised *u, struct gpudbg_wave *w)
{
    struct held *h = &u->held;
    if (h->kept) return;
    h->kept = true;
    spans_of(u, w, h->insn, &h->spans);
    if (!h->plan) {
        spans_copy(&h->spans, h->wave.words, w->words);
        return;
    }
    uint32_t *before = u->results; /* free until the instruction's results are written */
    swap_written(h->plan, before, h->wave.words);
    spans_copy(&h->spans, h->wave.words, w->words);
    swap_written(h->plan, h->wave.words, before);
}

void memory_hold(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct plan *plan)
{
    struct held *h = &u->held;
    uint32_t *words = h->wave.words;
    const uint64_t does = gpudbg_insn_does(insn);
    h->wave = *w;
    h->wave.words = words;
    h->atomic = (does & BOTH) == BOTH;
    h->plan = plan && !h->atomic ? plan : NULL;
    h->kept = false;
    if (!plan) h->own = *insn;
    h->insn = plan ? insn : &h->own;
    if (h->plan && does & GPUDBG_OP_LOAD)
        swap_written(plan, words, w->words);
    else if (!h->atomic && (h->stored.n || does & GPUDBG_OP_LOAD)) /* an atomic is not executed again */
        keep(u, w);
    h->n = 0;
    h->on = true;
    if (h->plan && h->plan->copied) memset(h->passed, 0, sizeof h->passed);
}

/* ---- What leaves ---- */

/* The report without its texts, for checks_again. */
static struct gpudbg_report report_of(const struct uninitialised *u, const struct gpudbg_access *a, const char *format)
{
    return (struct gpudbg_report){.pc = u->held.wave.pc,
        .by = u->held.wave.id + 1,
        .lanes = a->lane >= 0 && a->lane < 64 ? UINT64_C(1) << a->lane : 0,
        .cause = format};
}

static void report(struct uninitialised *u, const struct gpudbg_access *a, const char *format, const char *origin)
{
    char place[100], message[200];
    struct gpudbg_report what = report_of(u, a, format);
    uninitialised_place(a->space, a->segment, a->addr, place, sizeof place);
    snprintf(message, sizeof message, format, place);
    what.message = message;
    what.origin = origin;
    gpudbg_report(u->checks, &what);
}

/* from: what is missing first of what the lane stores. */
static void report_stored(struct uninitialised *u, const struct gpudbg_access *a, const struct missing *from)
{
    static const char format[] = "what is stored to %s was never written";
    char origin[420] = "", name[40];
    const struct gpudbg_report what = report_of(u, a, format);
    if (checks_again(u->checks, &what)) return;
    if (from && from->origin) {
        uninitialised_origin(u, &u->held.wave, from->origin, origin, sizeof origin);
    } else if (from) {
        gpudbg_register_name(&u->machine->isa->files[from->file], from->index, name, sizeof name);
        snprintf(origin, sizeof origin, "nothing was ever written to %s", name);
    }
    report(u, a, format, *origin ? origin : NULL);
}

/* Memory that others see: what is stored there leaves. */
static bool leaves_space(unsigned space, const struct gpudbg_segment *s)
{
    return space == GPUDBG_GLOBAL && !(s->flags & GPUDBG_SEG_PRIVATE);
}

/* The missing bits of what is stored, byte by byte.  Of what leaves, nothing may be missing that is a value of its own:
 * all of it, or its first byte, or a part of a dword that was computed.  Padding follows what it pads, as the fourth
 * element follows a vector of three. */
struct leaving {
    uint64_t n;
    bool partly, low, any, part, some;
};

static void leaving_add(struct leaving *l, uint8_t bits)
{
    l->partly |= !bits;
    l->any |= bits != 0;
    l->low |= !l->n && bits == 0xff;
    l->part |= l->n % 4 && (bits != 0) != l->some;
    l->some = bits != 0;
    l->n++;
}

static void leaves(
    struct uninitialised *u, const struct gpudbg_access *a, const struct leaving *l, const struct missing *from)
{
    if (l->any && from)
        unwritten_came(u->memory, u->held.wave.group, a->segment, a->addr - a->segment->base, a->size,
            uninitialised_given(u, u->held.wave.pc, from, GPUDBG_OP_COPY));
    const bool number = l->part && from && uninitialised_computed(u, from->origin);
    if (l->any && (!l->partly || l->low || number) && leaves_space(a->space, a->segment)) report_stored(u, a, from);
}

/* ---- Copies of dwords ---- */

/* A lane loads dwords of which some may be unwritten: so are those of its registers. */
static void copy_loaded(struct uninitialised *u, const struct gpudbg_access *a, unsigned first)
{
    const struct held *h = &u->held;
    struct shadow *s = &u->wave[h->wave.id];
    uint32_t origin = 0;
    for (unsigned i = 0; i < a->size / 4; i++) {
        const uint64_t from = a->addr - a->segment->base + 4 * i;
        const uint32_t bits = unwritten_dword(u->memory, h->wave.group, a->segment, from);
        const size_t at = h->plan->copy_at + 64 * (size_t)(first + i) + (unsigned)a->lane;
        if (!bits) continue;
        if (!origin) origin = unwritten_origin(u->memory, h->wave.group, a->segment, from);
        if (!origin) origin = uninitialised_loaded(u, h->wave.pc, a);
        s->missing[at] = bits;
        some_add(u, s, at);
        s->origin[at] = origin;
    }
}

/* A lane stores registers of which some may be unwritten. */
static void copy_stored(struct uninitialised *u, const struct gpudbg_access *a, unsigned first)
{
    const struct held *h = &u->held;
    const struct shadow *s = &u->wave[h->wave.id];
    struct leaving all = {0};
    struct missing from = {0};
    for (unsigned i = 0; i < a->size / 4; i++) {
        const size_t at = h->plan->copy_at + 64 * (size_t)(first + i) + (unsigned)a->lane;
        unwritten_set_dword(u->memory, h->wave.group, a->segment, a->addr - a->segment->base + 4 * i, s->missing[at]);
        uint8_t byte[4];
        le_put(byte, s->missing[at], 4);
        for (unsigned k = 0; k < 4; k++) leaving_add(&all, byte[k]);
        if (s->missing[at] && !from.bits)
            from = (struct missing){.bits = s->missing[at],
                .origin = s->origin[at],
                .file = h->plan->file,
                .index = h->plan->reg + first + i,
                .lane = a->lane};
    }
    leaves(u, a, &all, from.bits ? &from : NULL);
}

/* Whether any lane's registers miss anything of what it stores. */
static bool stores_missing(const struct uninitialised *u, uint64_t lanes)
{
    const struct plan *plan = u->held.plan;
    for (unsigned i = 0; i < plan->copied; i++)
        if (uninitialised_any_lane(u, &u->wave[u->held.wave.id], plan->copy_at + 64 * i, lanes)) return true;
    return false;
}

/* Lanes in a row load dwords, one each, from `at` of the wave's words on. */
static void row_loaded(struct uninitialised *u, const struct gpudbg_accesses *all, size_t at, unsigned n)
{
    const struct held *h = &u->held;
    struct shadow *s = &u->wave[h->wave.id];
    const unsigned lane = (unsigned)__builtin_ctzll(all->lanes);
    uint32_t bits[64], came[64];
    unwritten_dwords(u->memory, h->wave.group, all->segment, all->offset[lane], n, bits, came);
    for (unsigned i = 0; i < n; i++) {
        if (!bits[i]) continue;
        if (!came[i]) {
            const struct gpudbg_access a = gpudbg_access_of(all, lane + i);
            came[i] = uninitialised_loaded(u, h->wave.pc, &a);
        }
        s->missing[at + i] = bits[i];
        s->origin[at + i] = came[i];
        some_add(u, s, at + i);
    }
}

/* ... or store them, where others do not see it. */
static void row_stored(struct uninitialised *u, const struct gpudbg_accesses *all, size_t at, unsigned n, unsigned reg)
{
    const struct held *h = &u->held;
    const struct shadow *s = &u->wave[h->wave.id];
    const unsigned lane = (unsigned)__builtin_ctzll(all->lanes);
    struct missing from = {.file = h->plan->file, .index = h->plan->reg + reg};
    uint32_t came[64] = {0}, known = 0;
    for (unsigned i = 0; i < n; i++) {
        if (!s->missing[at + i]) continue;
        if (!from.bits || from.origin != s->origin[at + i]) {
            from.bits = s->missing[at + i];
            from.origin = s->origin[at + i];
            known = uninitialised_given(u, h->wave.pc, &from, GPUDBG_OP_COPY);
        }
        came[i] = known;
    }
    unwritten_set_dwords(u->memory, h->wave.group, all->segment, all->offset[lane], n, s->missing + at, came);
}

/* Done with the accesses, because they copy dwords of lanes in a row. */
static bool copy_row(struct uninitialised *u, const struct gpudbg_accesses *all)
{
    struct held *h = &u->held;
    uint64_t offset, size;
    if (all->size != 4 || (all->write && leaves_space(all->space, all->segment))) return false;
    if (!accesses_in_row(all, &offset, &size) || offset % 4) return false;
    const unsigned lane = (unsigned)__builtin_ctzll(all->lanes), n = (unsigned)size / 4, reg = h->passed[lane];
    for (unsigned i = lane; i < lane + n; i++)
        if (h->passed[i] != reg) return false;
    if (reg >= h->plan->copied) return false;
    memset(h->passed + lane, (int)reg + 1, n);
    if (all->write)
        row_stored(u, all, h->plan->copy_at + 64 * (size_t)reg + lane, n, reg);
    else
        row_loaded(u, all, h->plan->copy_at + 64 * (size_t)reg + lane, n);
    return true;
}

/* Done with the access, because it copies dwords. */
static bool copy_lane(struct uninitialised *u, const struct gpudbg_access *a)
{
    struct held *h = &u->held;
    if (!h->plan || !h->plan->copied || a->lane < 0 || a->lane >= 64 || a->size % 4) return false;
    const unsigned first = h->passed[a->lane];
    if (first + a->size / 4 > h->plan->copied) return false;
    h->passed[a->lane] = (uint8_t)(first + a->size / 4);
    if (a->write)
        copy_stored(u, a, first);
    else
        copy_loaded(u, a, first);
    return true;
}

void memory_touched(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct held *h = &u->held;
    if (!h->on || !a->size || copy_lane(u, a)) return;
    if (h->plan && !a->write) {
        const struct gpudbg_segment *s = a->segment;
        if (!unwritten_within(u->memory, h->wave.group, s, a->addr - s->base, a->size)) return;
        keep(u, w);
    }
    if (h->n == h->room) {
        h->room = h->room ? 2 * h->room : 64;
        h->of = xrealloc(h->of, h->room, sizeof *h->of);
    }
    h->of[h->n++] = *a;
}

struct touching {
    struct uninitialised *u;
    struct gpudbg_wave *wave;
};

static bool touched_dwords(void *with, const struct gpudbg_accesses *all)
{
    const struct touching *t = with;
    memory_touched_all(t->u, t->wave, all);
    return true;
}

/* Loads of wholly written memory, and stores of what is wholly written, are done with. */
void memory_touched_all(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct held *h = &u->held;
    if (!h->on) return;
    const bool copies = h->plan && h->plan->copied && !(all->size % 4);
    const bool whole = !all->write || h->atomic ? !unwritten_in(u->memory, h->wave.group, all)
                                                : !h->stored.n && !(copies && stores_missing(u, all->lanes));
    if (all->row & ROW_DWORDS && (copies || !whole)) {
        row_each_dword(all, touched_dwords, &(struct touching){u, w});
        return;
    }
    if (whole) {
        if (all->write) unwritten_store(u->memory, h->wave.group, all);
        for (unsigned i = 0; copies && h->plan->copied > all->size / 4 && i < 64; i++)
            h->passed[i] = (uint8_t)(h->passed[i] + (all->lanes >> i & 1) * (all->size / 4));
        return;
    }
    if (copies && copy_row(u, all)) return;
    for (uint64_t m = all->lanes; m; m &= m - 1) {
        const struct gpudbg_access a = gpudbg_access_of(all, (unsigned)__builtin_ctzll(m));
        memory_touched(u, w, &a);
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

/* The first load of unwritten bytes; NULL: all bytes were written. */
static const struct gpudbg_access *unwritten_load(const struct uninitialised *u)
{
    for (size_t i = 0; i < u->held.n; i++)
        if (!u->held.of[i].write && misses(u, &u->held.of[i])) return &u->held.of[i];
    return NULL;
}

static uint8_t *bytes_of(const struct gpudbg_access *a) { return a->segment->bytes + (a->addr - a->segment->base); }

/* Where the unwritten bits come from that an access finds: what was stored there, or nothing. */
static uint32_t origin_of(struct uninitialised *u, const struct gpudbg_access *a)
{
    const uint64_t at = a->addr - a->segment->base;
    for (uint64_t i = 0; i < a->size; i += 4) {
        const uint64_t n = a->size - i < 4 ? a->size - i : 4;
        if (!unwritten_within(u->memory, u->held.wave.group, a->segment, at + i, n)) continue;
        const uint32_t origin = unwritten_origin(u->memory, u->held.wave.group, a->segment, at + i);
        if (origin) return origin;
    }
    return uninitialised_loaded(u, u->held.wave.pc, a);
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
    spans_copy(&h->spans, words, h->wave.words);
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

/* Whether all trials stored the same bytes. */
static bool alike(const struct stored stored[MEMORY_TRIALS], size_t at, uint64_t size)
{
    for (unsigned t = 1; t < MEMORY_TRIALS; t++)
        if (memcmp(stored[0].bytes + at, stored[t].bytes + at, (size_t)size) != 0) return false;
    return true;
}

/* Bits that trials stored in different ways. */
static void learn_stored(struct uninitialised *u, const struct stored stored[MEMORY_TRIALS])
{
    size_t at = 0;
    for (size_t k = 0; k < u->held.n; k++) {
        const struct gpudbg_access *a = &u->held.of[k];
        struct leaving all = {0};
        if (!a->write) continue;
        if (alike(stored, at, a->size)) {
            wrote(u, a, 0, a->size, 0);
            at += a->size;
            continue;
        }
        for (uint64_t i = 0; i < a->size; i++, at++) {
            uint8_t bits = 0;
            for (unsigned t = 1; t < MEMORY_TRIALS; t++) bits |= stored[0].bytes[at] ^ stored[t].bytes[at];
            wrote(u, a, i, 1, bits);
            leaving_add(&all, bits);
        }
        leaves(u, a, &all, missing_source(&u->held.stored, a->lane, 0));
    }
}

/* The access of a lane that found unwritten bytes, else the first that did. */
static const struct gpudbg_access *access_of(const struct uninitialised *u, const struct gpudbg_access *first, int lane)
{
    for (size_t i = 0; lane >= 0 && i < u->held.n; i++)
        if (u->held.of[i].lane == lane && !u->held.of[i].write && misses(u, &u->held.of[i])) return &u->held.of[i];
    return first;
}

/* The lane whose register a word is; -1: it belongs to no lane. */
static int lane_of(struct uninitialised *u, uint32_t word)
{
    const struct gpudbg_insn *insn = u->held.insn;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE) || u->machine->isa->files[o->file].lanes <= 1)
            continue;
        for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++) {
            unsigned n;
            const size_t at = uninitialised_dwords(u, &u->held.wave, o->file, r, &n);
            if (at != SIZE_MAX && word >= at && word < at + n) return (int)(word - at);
        }
    }
    return -1;
}

/* Where the missing bits of a word come from: the part that a load keeps of its register, or memory. */
static uint32_t loaded_origin(struct uninitialised *u, uint32_t word, const struct gpudbg_access *from)
{
    const struct missings *kept = &u->held.stored;
    for (unsigned i = 0; i < kept->n; i++)
        if (kept->of[i].at == word && kept->of[i].bits & u->differs[word]) return kept->of[i].origin;
    return from ? origin_of(u, access_of(u, from, lane_of(u, word))) : 0;
}

/* ... and loaded, in registers. */
static void learn_loaded(struct uninitialised *u, const struct gpudbg_access *from)
{
    struct shadow *s = &u->wave[u->held.wave.id];
    const struct spans *spans = &u->held.spans;
    if (!s->missing) return;
    uninitialised_differs(u, spans, MEMORY_TRIALS);
    for (unsigned i = 0; i < spans->n; i++)
        for (uint32_t k = spans->of[i].at; k < spans->of[i].at + spans->of[i].n; k++) {
            if (!u->differs[k]) continue;
            s->missing[k] |= u->differs[k];
            some_add(u, s, k);
            s->origin[k] = loaded_origin(u, k, from);
        }
}

static void copied(struct uninitialised *u, const struct gpudbg_access *from)
{
    const struct held *h = &u->held;
    struct stored stored[MEMORY_TRIALS] = {{0}};
    size_t all = 0, writes = 0;
    bool good = true;
    for (size_t k = 0; k < h->n; k++) {
        all += (size_t)h->of[k].size;
        if (h->of[k].write) writes += (size_t)h->of[k].size;
    }
    uint8_t *saved = save_bytes(h, all);
    for (unsigned t = 0; t < MEMORY_TRIALS; t++) {
        stored[t] = (struct stored){.bytes = xalloc(writes ? writes : 1), .room = writes};
        good = good && try_again(u, t, &stored[t]) && !stored[t].more && stored[t].n == writes;
        restore_bytes(h, saved);
    }
    free(saved);
    if (good) learn_stored(u, stored);
    if (good && (from || !writes)) learn_loaded(u, from);
    for (unsigned t = 0; t < MEMORY_TRIALS; t++) free(stored[t].bytes);
}

void memory_settle(struct uninitialised *u)
{
    struct held *h = &u->held;
    if (!h->on) return;
    h->on = false;
    const struct gpudbg_access *from = unwritten_load(u);
    const uint64_t does = gpudbg_insn_does(h->insn);
    if (h->atomic && from && !(does & GPUDBG_OP_COPY))
        report(u, from, "nothing was ever written to %s, which is updated", NULL);
    if (!h->atomic && (from || h->stored.n)) {
        copied(u, from);
        return;
    }
    for (size_t k = 0; k < h->n; k++)
        if (h->of[k].write) wrote(u, &h->of[k], 0, h->of[k].size, 0);
}
