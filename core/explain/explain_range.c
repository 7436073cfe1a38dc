/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_range.c: findings that differ in a page alone are one where their pages are neighbours. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "explain/explain_keys.h"
#include "gpudbg/text.h"
#include "gpudbg/unset.h"

#define RANGE_TEXT 1600
#define PAGE ((uint64_t)4096)
#define NEAR_PAGES 16 /* between two faults of one range */

void range_of(struct context *c, char *shape, size_t size)
{
    char number[32];
    struct key_value v GPUDBG_UNSET;
    struct finding *f = &c->finding;
    if (!c->rule->range || !key_value(c, c->rule->range, &v) || v.is_text) return;
    const uint64_t address = strcmp(c->rule->range, "page") == 0 ? v.n * PAGE : v.n;
    key_hex(address, number);
    const size_t n = strlen(number);
    const char *at = strstr(f->text, number);
    if (!at || isxdigit((unsigned char)at[n])) return;
    struct text t = text_in(shape, size);
    text_add_bytes(&t, f->text, (size_t)(at - f->text));
    text_add_bytes(&t, (const char[]){FINDING_RANGE}, 1);
    text_add_bytes(&t, at + n, strlen(at + n));
    f->from = f->to = address & ~(PAGE - 1);
    f->shape = shape;
    f->pages = 1;
}

static bool are_near(const struct finding *a, const struct finding *b)
{
    return a->shape && b->shape && a->rule == b->rule && a->capture == b->capture && strcmp(a->shape, b->shape) == 0 &&
           a->from <= b->to + NEAR_PAGES * PAGE && b->from <= a->to + NEAR_PAGES * PAGE;
}

bool range_takes(struct finding *to, const struct finding *f)
{
    char text[RANGE_TEXT] GPUDBG_UNSET;
    if (!are_near(to, f)) return false;
    const bool apart = f->to < to->from || f->from > to->to;
    to->pages = apart ? to->pages + f->pages : to->pages > f->pages ? to->pages : f->pages;
    if (f->from < to->from) to->from = f->from;
    if (f->to > to->to) to->to = f->to;
    to->count += f->count;
    if (f->last > to->last) to->last = f->last;
    if (to->from == to->to) return true; /* one page, which the text has */
    const size_t at = strcspn(to->shape, (const char[]){FINDING_RANGE, 0});
    const bool all = to->pages == (to->to - to->from) / PAGE + 1;
    snprintf(text, sizeof text, "%.*spages %s0x%" PRIx64 "-0x%" PRIx64 " (%" PRIu32 " faults)%s", (int)at, to->shape,
        all ? "" : "within ", to->from, to->to, to->count, to->shape + at + 1);
    free(to->text);
    to->text = xstrdup(text);
    return true;
}

size_t range_join(struct finding *f, size_t n, uint32_t capture)
{
    size_t gone = 0;
    for (size_t i = n; i-- > 0 && f[i].capture == capture;)
        for (size_t k = i + 1; k < n - gone;) {
            if (!range_takes(&f[i], &f[k])) {
                k++;
                continue;
            }
            free(f[k].text);
            free(f[k].shape);
            memmove(&f[k], &f[k + 1], (n - gone - k - 1) * sizeof *f);
            gone++;
        }
    return gone;
}
