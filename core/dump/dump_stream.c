/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_stream.c: streams: words of rings, buffers and code, and the lines where they stand. */
#include "base/alloc.h"
#include "dump/dump_own.h"
#include <stdlib.h>
#include <string.h>

size_t gpudbg_dump_stream(struct gpudbg_dump *d, const struct gpudbg_stream *like)
{
    struct gpudbg_stream s = *like;
    s.capture = gpudbg_dump_current(d, like->line);
    if (d->nstreams && !dump_spend(d, sizeof s + sizeof *d->lines, like->line)) return d->nstreams - 1;
    s.kind = dump_string(d, like->kind);
    s.unit = dump_string(d, like->unit);
    s.name = dump_string(d, like->name);
    s.engine = dump_string(d, like->engine);
    s.bytes = NULL;
    s.size = 0;
    d->streams = dump_grow(d->streams, d->nstreams, sizeof *d->streams);
    d->lines = dump_grow(d->lines, d->nstreams, sizeof *d->lines);
    d->streams[d->nstreams] = s;
    d->lines[d->nstreams] = (struct stream_lines){0};
    return d->nstreams++;
}

/* Remembers that `n` bytes from `offset` on stand on a line. */
static void stream_line(struct gpudbg_dump *d, struct stream_lines *l, size_t offset, size_t n, uint32_t line)
{
    struct stream_stretch *last = l->count ? &l->span[l->count - 1] : NULL;
    if (last && last->step == n && (offset - last->offset) % n == 0 && line == last->line + (offset - last->offset) / n)
        return;
    if (!line || !dump_spend(d, sizeof *last, line)) return;
    l->span = dump_grow(l->span, l->count, sizeof *l->span);
    l->span[l->count++] = (struct stream_stretch){offset, line, n > UINT32_MAX ? UINT32_MAX : (uint32_t)n};
}

bool gpudbg_dump_stream_add(struct gpudbg_dump *d, size_t stream, const void *bytes, size_t n, uint32_t line)
{
    struct gpudbg_stream *s = &d->streams[stream];
    struct stream_lines *l = &d->lines[stream];
    if (!n) return true;
    if (!dump_spend(d, n, line)) {
        s->cut = true;
        return false;
    }
    if (s->size + n > l->bytes) {
        size_t room = l->bytes ? l->bytes : 1024;
        while (room < s->size + n) room *= 2;
        s->bytes = xrealloc((uint8_t *)(uintptr_t)s->bytes, room, 1);
        l->bytes = room;
    }
    memcpy((uint8_t *)(uintptr_t)s->bytes + s->size, bytes, n);
    stream_line(d, l, s->size, n, line);
    s->size += n;
    return true;
}

struct gpudbg_stream *gpudbg_dump_stream_at(struct gpudbg_dump *d, size_t stream)
{
    return stream < d->nstreams ? &d->streams[stream] : NULL;
}

const struct gpudbg_stream *gpudbg_dump_streams(const struct gpudbg_dump *d, size_t *n)
{
    *n = d->nstreams;
    return d->streams;
}

uint32_t gpudbg_dump_stream_line(const struct gpudbg_dump *d, size_t stream, size_t offset)
{
    if (stream >= d->nstreams || offset >= d->streams[stream].size) return 0;
    const struct stream_lines *l = &d->lines[stream];
    size_t low = 0, high = l->count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (l->span[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    if (!l->count || l->span[low].offset > offset) return 0;
    return l->span[low].line + (uint32_t)((offset - l->span[low].offset) / l->span[low].step);
}

size_t dump_stream_holding(const struct gpudbg_dump *dump, uint64_t addr)
{
    struct gpudbg_dump *d = (struct gpudbg_dump *)(uintptr_t)dump; /* what readers made stays as it is */
    if (!d->held.span) {
        struct span *all = xcalloc(d->nstreams + 1, sizeof *all);
        size_t n = 0;
        for (size_t i = 0; i < d->nstreams; i++) {
            const struct gpudbg_stream *s = &d->streams[i];
            if (s->addr != GPUDBG_NO_ADDR && s->size)
                all[n++] = (struct span){
                    s->addr, s->size - 1 > UINT64_MAX - s->addr ? UINT64_MAX : s->addr + (s->size - 1), (uint32_t)i};
        }
        d->held = spans_make(all, n);
        if (!d->held.span) xalloc_end(); /* nobody would be told that it holds more */
        free(all);
    }
    const size_t at = spans_to(&d->held, addr);
    return at < d->held.count && d->held.span[at].from <= addr ? d->held.span[at].number : SIZE_MAX;
}
