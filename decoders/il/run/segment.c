/* SPDX-License-Identifier: GPL-3.0-or-later */
/* segment.c: bytes of a segment, and what is reported of accesses that miss it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpudbg/lane_set.h"
#include "run/access.h"

static unsigned space_of(const struct gpudbg_wave *w, const struct gpudbg_segment *s)
{
    return s == w->lds ? GPUDBG_LOCAL : GPUDBG_GLOBAL;
}

bool il_read(struct gpudbg_wave *w, const struct gpudbg_segment *s, uint64_t offset, void *to, size_t n, unsigned lane)
{
    if (!s || offset > s->size || n > s->size - offset) {
        memset(to, 0, n);
        return false;
    }
    if (!(s->flags & GPUDBG_SEG_RWATCH)) {
        memcpy(to, s->bytes + offset, n);
        return true;
    }
    struct il *r = il_of(w);
    if (!r->refused && gpudbg_mem_read(w, space_of(w, s), s->base + offset, to, n, (int)lane)) return true;
    r->refused = true;
    memset(to, 0, n);
    return false;
}

void il_loads(struct gpudbg_wave *w, struct gpudbg_segment *s, uint64_t lanes, const uint32_t *offset, size_t n)
{
    const struct gpudbg_accesses all = {
        .space = space_of(w, s), .size = n, .segment = s, .lanes = lanes, .offset = offset};
    gpudbg_mem_loads(w, &all);
}

bool il_stores(
    struct gpudbg_wave *w, struct gpudbg_segment *s, uint64_t lanes, const uint32_t *offset, const uint32_t *row)
{
    const struct gpudbg_accesses all = {.space = space_of(w, s),
        .write = true,
        .size = 4,
        .segment = s,
        .lanes = lanes,
        .offset = offset,
        .bytes = (const uint8_t *)row};
    return gpudbg_mem_stores(w, &all);
}

bool il_write(
    struct gpudbg_wave *w, struct gpudbg_segment *s, uint64_t offset, const void *from, size_t n, unsigned lane)
{
    if (!s || offset > s->size || n > s->size - offset) return false;
    if (s->page[offset >> GPUDBG_PAGE_BITS] == w->machine->stamp &&
        s->page[(offset + n - 1) >> GPUDBG_PAGE_BITS] == w->machine->stamp) {
        memcpy(s->bytes + offset, from, n);
        return true;
    }
    return gpudbg_mem_write(w, space_of(w, s), s->base + offset, from, n, (int)lane);
}

/* Kept for the checkers, which ask when the instruction is done. */
static void note_miss(
    const struct gpudbg_wave *w, struct il_miss *miss, uint64_t lanes, uint64_t first, const char *what)
{
    const bool more = miss->lanes && miss->wave == w->id && miss->executed == w->executed;
    miss->lanes = more ? miss->lanes | lanes : lanes;
    if (more) return;
    miss->pc = w->pc;
    miss->wave = w->id;
    miss->executed = w->executed;
    miss->first = first;
    snprintf(miss->what, sizeof miss->what, "%s", what);
}

void il_outside(struct gpudbg_wave *w, struct il *r, const char *what, uint32_t id, uint64_t lanes, uint64_t at)
{
    char name[40], set[LANE_SET_TEXT];
    if (!lanes) return;
    if (id == IL_NO_ID)
        snprintf(name, sizeof name, "%s", what);
    else
        snprintf(name, sizeof name, "%s%" PRIu32, what, id);
    w->pc = r->now->pc;
    gpudbg_event(w, "bounds", "%s: %s of wave %u: %s has no such place (first: 0x%" PRIx64 ")", r->now->row->name,
        lane_set_text(lanes, set, sizeof set), w->id, name, at);
    note_miss(w, &r->outside, lanes, at, name);
    r->event = true;
}

void il_unaligned(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op, uint64_t lanes, uint64_t at)
{
    char set[LANE_SET_TEXT];
    if (!lanes) return;
    w->pc = op->pc;
    gpudbg_event(w, "alignment", "%s: %s of wave %u: low bits of the address are cut off (first: 0x%" PRIx64 ")",
        op->row->name, lane_set_text(lanes, set, sizeof set), w->id, at);
    note_miss(w, &r->unaligned, lanes, at, op->row->name);
    r->event = true;
}
