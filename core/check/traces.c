/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/traces.h"
#include <string.h>

#define TRACES_MOST ((size_t)1 << 30) /* bytes */
#define READERS 4                     /* waves whose loads of a line are kept, and as many with atomics: the latest */

struct traces {
    struct gpudbg_checks *checks;
    size_t bytes;
    bool full;
};

struct traces *traces_new(struct gpudbg_checks *checks)
{
    struct traces *t = gpudbg_checks_alloc(checks, 1, sizeof *t);
    t->checks = checks;
    return t;
}

void traces_free(struct traces *t) { gpudbg_checks_free(t->checks, t); }

bool traces_full(const struct traces *t) { return t->full; }

void area_free(struct traces *t, struct area *a)
{
    for (size_t i = 0; i < a->n; i++) {
        if (!a->block[i]) continue;
        for (unsigned k = 0; k < BLOCK; k++) {
            t->bytes -= a->block[i][k].room * sizeof(struct trace);
            gpudbg_checks_free(t->checks, a->block[i][k].many);
        }
        t->bytes -= BLOCK * sizeof(struct line);
        gpudbg_checks_free(t->checks, a->block[i]);
    }
    gpudbg_checks_free(t->checks, a->block);
    *a = (struct area){NULL, 0};
}

/* Whether so many bytes more may be used. */
static bool take(struct traces *t, size_t bytes)
{
    if (t->bytes + bytes > TRACES_MOST) t->full = true;
    if (!t->full) t->bytes += bytes;
    return !t->full;
}

struct line *area_make(struct traces *t, struct area *a, const struct gpudbg_segment *s, uint64_t at)
{
    if (!a->n) {
        a->n = (size_t)((s->size + LINE * BLOCK - 1) / (LINE * BLOCK));
        a->block = gpudbg_checks_alloc(t->checks, a->n, sizeof(struct line *));
    }
    struct line **b = &a->block[at / (LINE * BLOCK)];
    if (!*b && take(t, BLOCK * sizeof(struct line))) *b = gpudbg_checks_alloc(t->checks, BLOCK, sizeof(struct line));
    return area_line(a, at);
}

static void append(struct traces *t, struct line *l, const struct trace *new)
{
    const unsigned room = l->many ? l->room : FEW;
    if (l->n == room) {
        if (room > UINT16_MAX / 2 || !take(t, 2 * room * sizeof *new)) return;
        struct trace *many = gpudbg_checks_alloc(t->checks, 2 * room, sizeof *many);
        memcpy(many, line_traces(l), l->n * sizeof *many);
        t->bytes -= l->room * sizeof *new;
        gpudbg_checks_free(t->checks, l->many);
        l->many = many;
        l->room = (uint16_t)(2 * room);
    }
    line_traces(l)[l->n++] = *new;
}

void trace_merge(struct trace *to, const struct trace *new)
{
    if (to->lane != new->lane) to->lane = SEVERAL_LANES;
    if (to->place != new->place && !to->several && to->place <= UINT16_MAX) {
        to->several = true;
        for (unsigned i = 0; i < LINE / 4; i++) to->place_of[i] = (uint16_t)to->place;
    }
    for (uint64_t left = to->several ? new->bytes : 0; left;) {
        const unsigned dword = (unsigned)__builtin_ctzll(left) / 4;
        if (new->place <= UINT16_MAX) to->place_of[dword] = (uint16_t) new->place;
        left &= ~(UINT64_C(0xf) << 4 * dword);
    }
    to->bytes |= new->bytes;
}

void line_add(struct traces *t, struct line *l, const struct trace *new, uint32_t epoch,
    bool (*keeps)(void *with, const struct trace *), void *with)
{
    struct trace *of = line_traces(l);
    unsigned n = 0, alike = 0, oldest = 0;
    uint8_t kinds = (uint8_t)(1 << new->kind);
    bool merged = false;
    l->kinds |= kinds;
    if (new->kind == TRACE_STORE || new->kind == TRACE_OWNER || new->same) l->stored = new->time;
    for (unsigned i = 0; i < l->n; i++) {
        struct trace *one = &of[i];
        const bool like = one->kind == new->kind && one->same == new->same;
        if (like && one->wave == new->wave) {
            const bool joins = new->kind == TRACE_LOAD && !new->same && !keeps && one->time >= epoch;
            if (one->time == new->time || joins) {
                trace_merge(one, new);
                if (joins && n == i) return; /* it is the only one of the wave since then */
                merged = true;
            } else if (!keeps || !keeps(with, one)) {
                one->bytes &= ~new->bytes;
            }
        }
        if (!one->bytes) continue;
        kinds |= (uint8_t)(1 << one->kind);
        if (n != i) of[n] = *one;
        if (like && one->wave != new->wave) {
            if (!alike++ || of[n].time < of[oldest].time) oldest = n;
        }
        n++;
    }
    l->n = (uint16_t)n;
    l->kinds = kinds;
    if (merged) return;
    if (alike >= READERS && (new->kind == TRACE_LOAD || new->kind == TRACE_UPDATE)) {
        of[oldest] = *new;
        return;
    }
    append(t, l, new);
}
