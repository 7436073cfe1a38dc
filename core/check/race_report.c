/* SPDX-License-Identifier: GPL-3.0-or-later */
/* race_report.c: what `check race` says: both accesses, and the edge between them that is missing. */
#include <inttypes.h>
#include <stdio.h>
#include "check/race.h"
#include "machine/row.h"
#include "gpudbg/text.h"

static void name_place(bool local, const struct gpudbg_segment *s, uint64_t addr, char *buf, size_t size)
{
    if (local)
        snprintf(buf, size, "local memory 0x%" PRIx64, addr);
    else
        text_put(buf, size, "%s+0x%" PRIx64, s->name, addr - s->base);
}

void race_note(const struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a, const char *message)
{
    gpudbg_report(r->checks, &(struct gpudbg_report){.pc = w->pc,
                                 .by = w->id + 1,
                                 .lanes = a->lane >= 0 && a->lane < 64 ? UINT64_C(1) << a->lane : 0,
                                 .note = true,
                                 .message = message});
}

/* The plain load of the two, where the other is atomic. */
static const struct plain_load *load_of(const struct race *r, const struct gpudbg_wave *w,
    const struct gpudbg_access *a, enum trace_kind mine, const struct trace *by, struct plain_load *load)
{
    *load = (struct plain_load){.wave = w->id, .insn = r->time, .addr = a->addr, .size = a->size};
    if (mine == TRACE_LOAD && by->kind == TRACE_UPDATE) return load;
    uint32_t barrier;
    load->wave = by->wave;
    load->insn = by->time;
    load->barriers = clocks_barriers(r->clocks, by->wave, &barrier);
    load->earlier = true;
    return mine == TRACE_UPDATE && by->kind == TRACE_LOAD && !by->same ? load : NULL;
}

/* "; flag+0x0 was stored at ... without release (no s_waitcnt vmcnt(0) between), and loaded at ..." */
static void add_edge(const struct race *r, struct text *t, const struct gpudbg_wave *w, const struct trace *by,
    const struct clocks_edge *edge)
{
    struct clocks_edge e;
    char word[100], published[160], acquired[160];
    const struct gpudbg_ordering *model = clocks_model(r->clocks);
    const char *release = model->release ? model->release : "fence";
    const char *acquire = model->acquire ? model->acquire : "fence";
    const bool same_group = by->wave / r->machine->waves_per_group == w->group;
    if (edge)
        e = *edge;
    else
        clocks_missing(r->clocks, w, by->wave, by->time, &e);
    if (e.missing == EDGE_NONE) {
        text_add(t, "; nothing orders the two: no %sword that one of them releases and the other acquires",
            same_group ? "barrier, and no " : "");
        return;
    }
    if (same_group && model->near_acquire) acquire = model->near_acquire;
    if (e.missing == EDGE_BARRIER_RELEASE) {
        text_add(t, "; it was not waited for before the barrier that its wave met next (no %s before it)", release);
        return;
    }
    if (e.missing == EDGE_BARRIER_ACQUIRE) {
        text_add(t, "; a barrier is between the two, but no %s after it", acquire);
        return;
    }
    name_place(e.local, e.segment, e.addr, word, sizeof word);
    check_where(r->machine->image, r->place[e.published].pc, published, sizeof published);
    check_where(r->machine->image, r->place[e.acquired].pc, acquired, sizeof acquired);
    if (e.missing == EDGE_NOT_TAKEN) {
        text_add(t, "; wave %" PRIu32 " updated %s at %s, and wave %" PRIu32 " has not acquired it since", by->wave,
            word, published, w->id);
        return;
    }
    if (e.missing == EDGE_NOT_GIVEN) {
        text_add(t, "; wave %" PRIu32 " updated %s at %s, and wave %" PRIu32 " has released nothing to it", w->id, word,
            acquired, by->wave);
        return;
    }
    const char *did = e.stored ? "stored" : "updated";
    if (e.missing == EDGE_BLIND)
        text_add(t, "; %s was %s at %s, and loaded at %s by a load that sees no more than its own group's stores", word,
            did, published, acquired);
    else if (e.missing == EDGE_RELEASE)
        text_add(t, "; %s was %s at %s without release (no %s between), and loaded at %s", word, did, published,
            release, acquired);
    else
        text_add(t, "; %s was %s at %s, and loaded at %s without acquire (no %s after it)", word, did, published,
            acquired, acquire);
}

/* edge: that is missing; NULL: what the clocks say. */
static void report(const struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a,
    const struct meeting *m, const struct trace *by, const struct clocks_edge *edge)
{
    static const char *const does[] = {"stores to", "stores to", "loads from", "updates"};
    static const char *const did[] = {"stored to", "stored to", "loaded", "updated"};
    const uint32_t other = by->wave, group = other / r->machine->waves_per_group;
    const uint64_t pc = r->place[trace_place(by, by->bytes & m->me.bytes)].pc;
    const enum trace_kind mine = m->me.kind, past = by->same ? TRACE_STORE : by->kind;
    const bool at_once = other == w->id && by->time == r->time;
    char message[240], origin[700], where[160], cause[80], place[100], who[40];
    struct text t = text_in(origin, sizeof origin);
    name_place(m->local, a->segment, a->addr, place, sizeof place);
    if (other == w->id)
        snprintf(who, sizeof who, "another lane");
    else
        snprintf(who, sizeof who, "wave %" PRIu32, other);
    if (at_once)
        snprintf(
            message, sizeof message, "lanes of wave %" PRIu32 " store different values to %s at once", w->id, place);
    else if (group == w->group)
        snprintf(message, sizeof message, "wave %" PRIu32 " %s %s, which %s %s since the last barrier", w->id,
            does[mine], place, who, did[past]);
    else
        snprintf(message, sizeof message,
            "wave %" PRIu32 " of group %" PRIu32 " %s %s, which wave %" PRIu32 " of group %" PRIu32 " %s", w->id,
            w->group, does[mine], place, other, group, did[past]);
    check_where(w->machine->image, pc, where, sizeof where);
    text_add(&t, "the other one was at %s", where);
    if (other != w->id) add_edge(r, &t, w, by, edge);
    if (edge) text_add(&t, "; this run is in order, another order of the waves that take the lock is not");
    snprintf(cause, sizeof cause, "%d %d %d 0x%" PRIx64, (int)mine, (int)past, group == w->group, pc);
    struct plain_load load;
    const struct plain_load *waits = load_of(r, w, a, mine, by, &load);
    const struct gpudbg_report what = {
        .pc = r->place[m->me.place].pc,
        .by = w->id + 1,
        .lanes = a->lane >= 0 && a->lane < 64 ? UINT64_C(1) << a->lane : 0,
        .message = message,
        .origin = at_once ? NULL : origin,
        .cause = cause,
    };
    if (!waits || !plain_loads_wait(r->loads, waits, &what)) gpudbg_report(r->checks, &what);
}

void race_report(struct race *r, const struct gpudbg_wave *w, const struct meeting *m, const struct trace *by)
{
    const uint64_t bytes = m->me.bytes & by->bytes, from = m->at + first_byte(bytes),
                   to = m->at + LINE - (unsigned)__builtin_clzll(bytes);
    r->settle(r, w);
    if (!m->all) {
        report(r, w, m->one, m, by, NULL);
        return;
    }
    const uint64_t size = row_access_size(m->all);
    for (uint64_t i = 0, lanes = m->all->lanes; i < m->all->size;) {
        struct gpudbg_access a = gpudbg_access_of(m->all, (unsigned)__builtin_ctzll(lanes));
        a.addr += i;
        a.bytes = (const uint8_t *)a.bytes + i;
        a.size = size;
        lanes &= lanes - 1;
        if (!lanes) { /* dword by dword */
            lanes = m->all->lanes;
            i += size;
        }
        const uint64_t at = a.addr - a.segment->base, lo = at > from ? at : from,
                       hi = at + a.size < to ? at + a.size : to;
        if (lo >= hi) continue;
        const uint64_t own = (hi - lo == LINE ? UINT64_MAX : (UINT64_C(1) << (hi - lo)) - 1) << (lo - m->at);
        struct meeting one = *m;
        one.me.bytes = own;
        if (own & bytes) report(r, w, &a, &one, by, NULL);
    }
}

void race_report_order(struct race *r, const struct gpudbg_wave *w, const struct lock_race *found)
{
    r->settle(r, w);
    const struct lock_access *mine = &found->mine, *other = &found->other;
    const struct gpudbg_access a = {
        .lane = -1, .addr = mine->addr, .size = 4, .segment = (struct gpudbg_segment *)mine->segment};
    const struct meeting m = {.segment = a.segment,
        .local = mine->local,
        .me = {.bytes = 1,
            .time = mine->time,
            .wave = mine->wave,
            .place = mine->place,
            .kind = mine->write ? TRACE_STORE : TRACE_LOAD,
            .lane = NO_LANE}};
    const struct trace by = {.bytes = 1,
        .time = other->time,
        .wave = other->wave,
        .place = other->place,
        .kind = TRACE_STORE,
        .lane = NO_LANE};
    report(r, w, &a, &m, &by, &found->edge);
}
