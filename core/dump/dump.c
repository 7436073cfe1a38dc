/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump.c: a dump as a whole: its beginning and end, and what it was opened with; dump_own.h says how it is kept. */
#include "base/alloc.h"
#include "dump/dump_own.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct gpudbg_dump *dump_new(const struct dump_env *env, const char *path)
{
    struct gpudbg_dump *d = xalloc(sizeof *d);
    d->path = xstrdup(path);
    d->env = *env;
    return d;
}

void dump_close(struct gpudbg_dump *d)
{
    if (!d) return;
    dump_source_close(&d->text.source);
    free(d->text.mark);
    for (size_t i = 0; i < d->strings.count; i++) free(*(char **)dump_chunk_at(&d->strings, i));
    struct dump_chunks *all[] = {&d->strings, &d->places, &d->values, &d->seen, &d->incidents};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) dump_chunks_free(all[i]);
    free(d->string_at.slot);
    free(d->place_at.slot);
    free(d->seen_at.slot);
    free(d->device_at.slot);
    free(d->latest_at.slot);
    free(d->latest_any.slot);
    free(d->held.span);
    for (size_t i = 0; i < d->nstreams; i++) {
        free((uint8_t *)(uintptr_t)d->streams[i].bytes);
        free(d->lines[i].span);
    }
    for (size_t i = 0; i < d->nwaves; i++) {
        struct gpudbg_dump_gprs *files[] = {&d->waves[i].s, &d->waves[i].v, &d->waves[i].t, &d->waves[i].r};
        for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
            free(files[f]->values);
            free(files[f]->known);
        }
    }
    free(d->captures);
    free(d->streams);
    free(d->lines);
    free(d->waves);
    free(d->notes);
    free(d->facts);
    free(d->devices);
    free(d->path);
    free(d);
}

bool dump_empty(const struct gpudbg_dump *d)
{
    for (size_t i = 0; i < d->ncaptures; i++)
        if (d->captures[i].family) return false; /* it says whose it is, and no more that is decoded */
    return !d->values.count && !d->nstreams && !d->nwaves && !d->incidents.count && !d->nfacts;
}

/* A device that answers nothing answers all ones: said once a capture. */
void dump_sort_out(struct gpudbg_dump *d)
{
    for (size_t i = 0; i < d->ncaptures; i++) {
        const struct gpudbg_capture *c = &d->captures[i];
        if (c->records >= 2 && c->ones == c->records)
            gpudbg_dump_note(d, c->line, "lost",
                "all %u registers of capture %zu are all ones: the device does not answer", c->records, i);
    }
    for (size_t i = 0; i < d->nalike; i++) {
        const struct dump_alike *a = &d->alike[i];
        if (a->line)
            gpudbg_dump_note(d, a->line, "limit",
                "%" PRIu32 " incidents of the kind %s%s%s: the first %d are kept, the others counted", a->count,
                a->kind->word, a->device ? " of " : "", a->device ? a->device : "", DUMP_ALIKE_MOST);
    }
    if (d->values_line)
        gpudbg_dump_note(
            d, d->values_line, "limit", "more than %d values of a register: the first ones are kept", DUMP_VALUES_MOST);
}

struct dump_text *dump_text_of(const struct gpudbg_dump *d) { return (struct dump_text *)&d->text; }

const char *dump_why(const struct gpudbg_dump *d) { return d->why; }

void dump_set_format(struct gpudbg_dump *d, const char *format, const char *why, uint64_t base)
{
    d->why = why;
    d->format = format;
    d->base = base;
}

const struct dump_env *dump_env_of(const struct gpudbg_dump *d) { return &d->env; }
struct dump_placed *dump_placed_of(const struct gpudbg_dump *d)
{
    return (struct dump_placed *)&d->placed; /* no reader sees it */
}
struct regdb *gpudbg_dump_databases(const struct gpudbg_dump *d) { return d->env.databases; }
const struct gpudbg_isa *gpudbg_dump_isa_named(const struct gpudbg_dump *d, const char *name)
{
    return registry_isa_named(d->env.registry, name);
}
uint64_t gpudbg_dump_base(const struct gpudbg_dump *d) { return d->base; }
const char *gpudbg_dump_family_asked(const struct gpudbg_dump *d) { return *d->env.isa ? (*d->env.isa)->name : NULL; }
const char *gpudbg_dump_path(const struct gpudbg_dump *d) { return d->path; }
const char *gpudbg_dump_format(const struct gpudbg_dump *d) { return d->format; }
uint32_t gpudbg_dump_lines(const struct gpudbg_dump *d) { return d->text.lines; }
