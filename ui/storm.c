/* SPDX-License-Identifier: GPL-3.0-or-later */
/* storm.c: see storm.h. */
#include "storm.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define PERIOD_MOST 8 /* items of a run */
#define TIMES_LEAST 3 /* that it comes */
#define HIDDEN_LEAST 4

uint64_t storm_hash(const char *text)
{
    uint64_t h = UINT64_C(1469598103934665603);
    for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return h;
}

static bool is_open(const struct storms *s, uint32_t item)
{
    for (size_t i = 0; i < s->nopen; i++)
        if (s->open[i] == item) return true;
    return false;
}

/* How often the run of `period` items from `at` on comes there. */
static uint32_t times_of(const uint64_t *hash, uint32_t n, uint32_t at, uint32_t period)
{
    uint32_t end = at + period;
    while (end < n && hash[end] == hash[end - period]) end++;
    return (end - at) / period;
}

void storms_take(struct storms *s, const uint64_t *hash, uint32_t n)
{
    free(s->row);
    s->rows = 0;
    s->row = xcalloc(n, sizeof *s->row);
    for (uint32_t i = 0; i < n;) {
        uint32_t period = 1, times = 0;
        for (; period <= PERIOD_MOST && period <= n - i; period++) {
            times = times_of(hash, n, i, period);
            if (times >= TIMES_LEAST && (times - 1) * period >= HIDDEN_LEAST) break;
        }
        const bool storm = period <= PERIOD_MOST && period <= n - i, open = storm && is_open(s, i + period);
        const uint32_t shown = open ? times * period : storm ? period : 1;
        for (uint32_t k = 0; k < shown; k++) s->row[s->rows++] = (struct storm_row){.item = i + k};
        i += shown;
        if (!storm || open) continue;
        s->row[s->rows++] = (struct storm_row){i, (times - 1) * period, times - 1};
        i += (times - 1) * period;
    }
}

void storms_free(struct storms *s)
{
    free(s->row);
    free(s->open);
    *s = (struct storms){.row = NULL};
}

void storms_unfold(struct storms *s, uint32_t row)
{
    if (row >= s->rows || !s->row[row].items) return;
    s->open = xrealloc(s->open, s->nopen + 1, sizeof *s->open);
    s->open[s->nopen++] = s->row[row].item;
}

uint32_t storms_row_of(const struct storms *s, uint32_t item)
{
    uint32_t from = 0, to = s->rows; /* the row is in [from, to) */
    if (!s->row || !s->rows) return item;
    while (to - from > 1) {
        const uint32_t middle = from + (to - from) / 2;
        if (s->row[middle].item <= item)
            from = middle;
        else
            to = middle;
    }
    return from;
}
