/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_note.c: incidents, facts and notes. */
#include "dump/dump_own.h"
#include <stdarg.h>
#include <stdio.h>

void gpudbg_dump_incident_in(struct gpudbg_dump *d, uint32_t capture, const struct gpudbg_incident *what)
{
    if (capture >= d->ncaptures || !dump_spend(d, sizeof *what, what->line)) return;
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

void dump_add_note(struct gpudbg_dump *d, uint32_t capture, uint32_t line, const char *kind, const char *text)
{
    char more[80];
    if (d->nnotes > DUMP_NOTES) return;
    if (d->nnotes == DUMP_NOTES) {
        snprintf(more, sizeof more, "more than %d notes: the others are not kept", DUMP_NOTES);
        text = more;
        kind = "limit";
    }
    d->notes = dump_grow(d->notes, d->nnotes, sizeof *d->notes);
    d->notes[d->nnotes++] = (struct gpudbg_dump_note){dump_string(d, text), kind, capture, line};
}

void gpudbg_dump_note(struct gpudbg_dump *d, uint32_t line, const char *kind, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    uint32_t capture = d->ncaptures ? (uint32_t)d->ncaptures - 1 : 0;
    const struct dump_device *device = dump_device_of(d, d->device);
    if (device) capture = device->capture;
    dump_add_note(d, capture, line, kind, text);
}

const struct gpudbg_dump_note *gpudbg_dump_notes(const struct gpudbg_dump *d, size_t *n)
{
    *n = d->nnotes;
    return d->notes;
}
