/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_note.c: notes about lines, and the budget, whose end is noted. */
#include "dump/dump_own.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LIMITS 16 /* notes of limits beyond the others' most */

void dump_add_note(struct gpudbg_dump *d, uint32_t capture, uint32_t line, const char *kind, const char *text)
{
    char more[80];
    const bool limit = strcmp(kind, "limit") == 0; /* few, and they say what the others leave out */
    if (d->nnotes > DUMP_NOTES + (limit ? LIMITS : 0)) return;
    if (d->nnotes == DUMP_NOTES && !limit) {
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

bool dump_spend(struct gpudbg_dump *d, size_t bytes, uint32_t line)
{
    if (d->used + bytes <= DUMP_BUDGET) {
        d->used += bytes;
        return true;
    }
    if (!d->full) {
        d->full = true;
        gpudbg_dump_note(d, line, "limit", "more than %zu MB to keep: what follows is dropped", DUMP_BUDGET >> 20);
    }
    return false;
}
