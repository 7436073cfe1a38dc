/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spans.c: walks over the addresses from start to start and end to end, with a heap of the ranges that are open there.
 */
#include "base/spans.h"
#include <stdlib.h>
#include "base/alloc.h"

static int by_start(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Open ranges: a heap, the smallest number first. */
struct open {
    struct span *span;
    size_t n;
};

static void open_push(struct open *o, struct span s)
{
    size_t at = o->n++;
    for (; at && o->span[(at - 1) / 2].number > s.number; at = (at - 1) / 2) o->span[at] = o->span[(at - 1) / 2];
    o->span[at] = s;
}

static void open_pop(struct open *o)
{
    const struct span s = o->span[--o->n];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < o->n; at = child) {
        if (child + 1 < o->n && o->span[child + 1].number < o->span[child].number) child++;
        if (o->span[child].number >= s.number) break;
        o->span[at] = o->span[child];
    }
    o->span[at] = s;
}

static void add(struct spans *to, struct span s)
{
    struct span *before = to->count ? &to->span[to->count - 1] : NULL;
    if (before && before->number == s.number && before->last + 1 == s.from)
        before->last = s.last;
    else
        to->span[to->count++] = s;
}

struct spans spans_make(struct span *in, size_t n)
{
    struct spans to = {calloc(2 * n + 1, sizeof *to.span), 0};
    struct open open = {calloc(n + 1, sizeof *open.span), 0};
    if (!to.span || !open.span) {
        free(to.span);
        free(open.span);
        return (struct spans){NULL, 0};
    }
    qsort(in, n, sizeof *in, by_start);
    uint64_t at = 0;
    for (size_t i = 0; i < n || open.n;) {
        if (!open.n) at = in[i].from;
        for (; i < n && in[i].from <= at; i++) open_push(&open, in[i]);
        while (open.n && open.span[0].last < at) open_pop(&open);
        if (!open.n) continue;
        uint64_t last = open.span[0].last;
        if (i < n && in[i].from <= last) last = in[i].from - 1;
        add(&to, (struct span){at, last, open.span[0].number});
        if (last == UINT64_MAX) break;
        at = last + 1;
    }
    free(open.span);
    return to;
}

size_t spans_to(const struct spans *s, uint64_t addr)
{
    size_t lo = 0, hi = s->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->span[mid].last < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}
