/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * radeon_ring.c: a ring as text, from the debugfs files of radeon (radeon_ring_gfx and the like) and of amdgpu before
 * 2017; Linux, radeon_debugfs_ring_info.  What stands in the ring from 32 dwords before the read pointer on, in the
 * order of time:
 *
 *     wptr: 0x00000008 [    8]
 *     rptr: 0x00000005 [    5]
 *     16381 free dwords in ring
 *     3 dwords in ring
 *     r[    4]=0xffff1000
 *     r[    5]=0xc0012d00 *          the read pointer
 *
 * Before 2013 "wptr(0xc114): 0x00000008" and nothing at the read pointer.
 */
#include <stdlib.h>
#include <string.h>
#include "dumps.h"

struct pointer {
    uint64_t value;
    uint32_t line; /* 0: not told */
};

struct ring {
    bool inside;                /* behind the count of free dwords */
    struct pointer write, read; /* dwords, as told in front of it */
    uint64_t next, size;        /* the index that comes, how many there are */
    size_t stream;
    bool any;
};

/* "wptr: 0x00000008 [    8]", "rptr(0xc110): 0x00000005": remembered, until it is known that a ring follows. */
static bool take_pointer(struct ring *r, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    const bool write = scan_word(&p, "wptr");
    uint64_t value, reg;
    if (!write && !scan_word(&p, "rptr")) return false;
    const bool old = scan_word(&p, "(") && scan_0x(&p, 8, &reg) && scan_word(&p, ")");
    if (!scan_word(&p, ": ") || !scan_0x(&p, 8, &value) || (!old && !scan_word(&p, " ["))) return false;
    if (write) /* it comes first */
        *r = (struct ring){.stream = NO_STREAM, .any = r->any};
    *(write ? &r->write : &r->read) = (struct pointer){value, line->number};
    return true;
}

static void add_pointer(struct gpudbg_dump *d, const char *name, const struct pointer *p)
{
    struct gpudbg_record r = {
        .name = name, .addr = GPUDBG_NO_ADDR, .value = p->value, .line = p->line, .flags = GPUDBG_REC_DRIVER};
    if (p->line) gpudbg_dump_register(d, &r);
}

/* "16381 free dwords in ring", then "3 dwords in ring" */
static bool take_count(struct ring *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t count;
    if (!r->write.line || !scan_decimal(&p, &count)) return false;
    if (!r->inside && strcmp(p, " free dwords in ring") == 0) {
        gpudbg_dump_capture(d, r->write.line, "a ring");
        add_pointer(d, "wptr", &r->write);
        add_pointer(d, "rptr", &r->read);
        r->inside = true;
    } else if (!r->inside || strcmp(p, " dwords in ring") != 0) {
        return false;
    }
    r->size += count;
    return true;
}

/* "r[    5]=0xc0012d00 *" */
static bool take_word(struct ring *r, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    uint64_t index, word;
    if (!r->inside || !scan_word(&p, "r[")) return false;
    scan_blanks(&p);
    if (!scan_decimal(&p, &index) || !scan_word(&p, "]=")) return false;
    if (!scan_0x(&p, 8, &word)) {
        gpudbg_dump_note(d, line->number, "cut-off", "a word of a ring has no value");
        return true;
    }
    if (r->stream != NO_STREAM && !index &&
        r->next == r->size) /* packets go on, so the stream does, past the ring's end */
        gpudbg_dump_note(d, line->number, "wraps", "the ring begins again: 0x%llx is its beginning",
            (unsigned long long)(r->size * 4));
    else if (r->stream == NO_STREAM || index != r->next) {
        struct gpudbg_stream s = {.kind = "ring",
            .addr = index * 4,
            .read = GPUDBG_NO_ADDR,
            .write = GPUDBG_NO_ADDR,
            .vmid = UINT32_MAX,
            .line = line->number};
        r->stream = gpudbg_dump_stream(d, &s);
    }
    struct gpudbg_stream *s = gpudbg_dump_stream_at(d, r->stream);
    if (r->read.line && index == r->read.value) s->read = s->size;
    if (index == r->write.value) s->write = s->size;
    stream_add(d, r->stream, word, 4, line->number);
    r->next = index + 1;
    return r->any = true;
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    *why = "radeon's ring: counts of its dwords";
    return head_has(bytes, n, "free dwords in ring") && head_has(bytes, n, "wptr") ? 60 : 0;
}

static void *open_ring(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(&(struct ring){.stream = NO_STREAM}, sizeof(struct ring));
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    return take_pointer(state, line) || take_count(state, d, line) || take_word(state, d, line);
}

static void close_ring(void *state, struct gpudbg_dump *d)
{
    if (((struct ring *)state)->any)
        gpudbg_dump_assume(d, "gfx7", "radeon's rings name neither the chip nor the engine");
    free(state);
}

const struct gpudbg_reader reader_radeon_ring = {
    .name = "radeon-ring",
    .summary = "a ring as radeon's debugfs prints it",
    .probe = probe,
    .open = open_ring,
    .line = take,
    .close = close_ring,
};
