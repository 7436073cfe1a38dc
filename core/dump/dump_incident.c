/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_incident.c: what happened, and facts. */
#include "dump/dump_own.h"
#include "dump/dump_show.h"

/* Whether there is room for one more of its kind.  More kinds than have a place are not counted. */
static bool few_alike(struct gpudbg_dump *d, const char *device, const struct gpudbg_incident *what)
{
    struct dump_alike *a = d->alike, *end = d->alike + d->nalike;
    while (a < end && (a->kind != what->kind || a->device != device)) a++;
    if (a == end) {
        if (d->nalike == DUMP_KINDS) return true;
        *a = (struct dump_alike){.kind = what->kind, .device = device};
        d->nalike++;
    }
    if (a->count++ == DUMP_ALIKE_MOST) a->line = what->line;
    return a->count <= DUMP_ALIKE_MOST;
}

unsigned long long dump_left_out(
    const struct gpudbg_dump *d, const struct gpudbg_incident_kind *kind, const char *device)
{
    for (size_t i = 0; i < d->nalike; i++)
        if (d->alike[i].kind == kind && d->alike[i].device == device)
            return d->alike[i].count > DUMP_ALIKE_MOST ? d->alike[i].count - DUMP_ALIKE_MOST : 0;
    return 0;
}

void gpudbg_dump_incident_in(struct gpudbg_dump *d, uint32_t capture, const struct gpudbg_incident *what)
{
    if (capture >= d->ncaptures || !few_alike(d, d->captures[capture].device, what) ||
        !dump_spend(d, sizeof *what, what->line))
        return;
    const char *unit = dump_string(d, what->unit), *text = dump_string(d, what->text);
    struct gpudbg_incident *i = dump_chunk_add(&d->incidents, sizeof *i);
    *i = *what;
    i->unit = unit;
    i->text = text;
    i->capture = capture;
    if (i->last < i->line) i->last = i->line;
}

void gpudbg_dump_incident(struct gpudbg_dump *d, const struct gpudbg_incident *what)
{
    gpudbg_dump_incident_in(d, gpudbg_dump_current(d, what->line), what);
}

size_t gpudbg_dump_incidents(const struct gpudbg_dump *d) { return d->incidents.count; }

const struct gpudbg_incident *gpudbg_dump_incident_at(const struct gpudbg_dump *d, size_t i)
{
    return i < d->incidents.count ? dump_chunk_at(&d->incidents, i) : NULL;
}

void gpudbg_dump_fact(struct gpudbg_dump *d, uint32_t line, const char *key, const char *text, uint64_t value)
{
    uint32_t capture = gpudbg_dump_current(d, line);
    if (!dump_spend(d, sizeof *d->facts, line)) return;
    d->facts = dump_grow(d->facts, d->nfacts, sizeof *d->facts);
    d->facts[d->nfacts++] = (struct gpudbg_dump_fact){dump_string(d, key), dump_string(d, text), value, capture, line};
}

const struct gpudbg_dump_fact *gpudbg_dump_facts(const struct gpudbg_dump *d, size_t *n)
{
    *n = d->nfacts;
    return d->facts;
}
