/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guc_log.c: the log that the firmware of Intel's scheduler, GuC, keeps in memory: in error states of i915 ("GuC log
 * buffer"), in core dumps of Xe and its file guc_log in debugfs ("[LOG].data: ..."), in i915's file guc_log_dump, four
 * words a line.  Public is what the drivers need: a page of state headers of nine words each, and behind it the parts
 * that they describe (i915: struct guc_log_buffer_state of intel_guc_fwif.h; the markers: xe_guc_log.c).  Public too
 * are captures of registers (guc_capture_fwif.h): a group has lists, a list an engine and offsets with their values.
 * What else the firmware writes into the parts is its own: it stays words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dumps.h"
#include "gpudbg/text.h"

enum { MARK, MARK_2, READ, WRITE, SIZE, SAMPLED, WRAP, FLAGS, VERSION, HEADER_WORDS };
enum { PARTS = 3, HEADERS_PAGE = 4096 };
#define LOG_NAME "GuC log"
#define STATE_CAPTURE 0xbeeffeedu

static uint32_t word(const uint8_t *bytes, unsigned header, unsigned at)
{
    return (uint32_t)le_get(bytes + 4 * (header * HEADER_WORDS + at), 4);
}

/* What the part holds, by its second marker; NULL: none that is known. */
static const char *part_name(uint32_t marker)
{
    return marker == 0xdeadfeed      ? "events"
           : marker == 0x8086dead    ? "crash dump"
           : marker == STATE_CAPTURE ? "state capture"
                                     : NULL;
}

/* What the driver writes in place of each value before a capture (i915, xe: guc_capture_list_init). */
#define NEVER_WRITTEN 0xdeadf00du

/* The captures of n bytes, the oldest first. */
static void captures_tell(struct gpudbg_dump *d, uint32_t line, const uint8_t *bytes, size_t n)
{
    enum { GROUP_WORDS = 2, LIST_WORDS = 5, ENTRY_WORDS = 4, MOST = 256, A_LINE = 6 };
    size_t at = 0;
    unsigned told = 0;
    for (unsigned lists; at + 4 * GROUP_WORDS <= n;) {
        const uint32_t group = (uint32_t)le_get(bytes + at + 4, 4);
        at += 4 * GROUP_WORDS;
        for (lists = group & 255; lists && at + 4 * LIST_WORDS <= n && told < MOST; lists--, told++) {
            const uint8_t *list = bytes + at;
            const uint32_t info = (uint32_t)le_get(list + 4, 4), id = (uint32_t)le_get(list + 12, 4);
            const unsigned kind = info & 15, entries = (unsigned)le_get(list + 16, 4) & 1023;
            char text[240];
            struct text t = text_in(text, sizeof text);
            at += 4 * LIST_WORDS;
            if (at + 4 * ENTRY_WORDS * (size_t)entries > n) {
                gpudbg_dump_note(d, line, "cut-off", "a capture of GuC ends early: %u registers, %zu words are there",
                    entries, (n - at) / 4);
                return;
            }
            text_add(&t, "%s capture, ", group >> 8 & 255 ? "partial" : "full");
            if (le_get(list, 4) & 255) text_add(&t, "of virtual function %u, ", (unsigned)(le_get(list, 4) & 255));
            if (kind == 0) text_add(&t, "global registers");
            if (kind == 1) text_add(&t, "registers of engine class %u", info >> 4 & 15);
            if (kind == 2)
                text_add(&t, "engine %u.%u, context %u, LRCA 0x%x", info >> 4 & 15, info >> 8 & 15, id,
                    (uint32_t)le_get(list + 8, 4));
            if (kind > 2) text_add(&t, "a list of kind %u, which no public source has", kind);
            text_add(&t, ": %u by offset", entries);
            gpudbg_dump_fact(d, line, "guc-capture", text, 0);
            for (unsigned i = 0; i < entries; i++, at += 4 * ENTRY_WORDS) {
                const uint32_t value = (uint32_t)le_get(bytes + at + 4, 4);
                if (i % A_LINE == 0) t = text_in(text, sizeof text);
                text_add(&t, value == NEVER_WRITTEN ? "%s0x%x=(never written)" : "%s0x%x=0x%x", i % A_LINE ? " " : "",
                    (uint32_t)le_get(bytes + at, 4), value);
                if (i % A_LINE == A_LINE - 1 || i + 1 == entries) gpudbg_dump_fact(d, line, "guc-capture", text, 0);
            }
        }
        if (lists) return;
    }
}

/* Their part is a ring of bytes without gaps, from `read` to `write`; it begins at `from`. */
static void capture_ring(
    struct gpudbg_dump *d, const struct gpudbg_stream *s, uint64_t from, uint32_t size, uint32_t read, uint32_t write)
{
    if (from + size > s->size) size = s->size > from ? (uint32_t)(s->size - from) : 0;
    if (read > size || write > size) return; /* the dump ends before them, which is told */
    if (read <= write) {
        captures_tell(d, s->line, s->bytes + from + read, write - read);
        return;
    }
    uint8_t *straight = malloc(size);
    if (!straight) return;
    memcpy(straight, s->bytes + from + read, size - read);
    memcpy(straight + (size - read), s->bytes + from, write);
    captures_tell(d, s->line, straight, (size_t)(size - read) + write);
    free(straight);
}

static void log_tell(struct gpudbg_dump *d, const struct gpudbg_stream *s)
{
    uint64_t end = HEADERS_PAGE;
    unsigned parts = 0;
    char text[256];
    for (unsigned i = 0; i < PARTS && s->size >= 4 * HEADER_WORDS * (i + 1); i++) {
        const char *name = part_name(word(s->bytes, i, MARK_2));
        if (!name) break;
        const uint32_t size = word(s->bytes, i, SIZE), flags = word(s->bytes, i, FLAGS);
        const uint32_t read = word(s->bytes, i, READ), write = word(s->bytes, i, WRITE);
        const unsigned full = flags >> 1 & 15;
        struct text t = text_in(text, sizeof text);
        text_add(&t, "%s: 0x%x bytes from 0x%llx on, ", name, size, (unsigned long long)end);
        if (read > size || write > size)
            text_add(&t, "pointers past its end (read 0x%x, written 0x%x)", read, write);
        else
            text_add(&t, "written up to 0x%x, read by the driver up to 0x%x", write, read);
        if (read > write && read <= size)
            text_add(&t, "; it has wrapped: behind 0x%x it goes on at 0",
                word(s->bytes, i, MARK_2) == STATE_CAPTURE ? size : word(s->bytes, i, WRAP));
        if (full) text_add(&t, "; it ran full %u time%s (counted up to 15)", full, full == 1 ? "" : "s");
        if (flags & 1)
            text_add(&t, "; GuC has asked the driver to take what is there up to 0x%x", word(s->bytes, i, SAMPLED));
        text_add(&t, "; format %u.%u", word(s->bytes, i, VERSION) >> 16, word(s->bytes, i, VERSION) & 0xffff);
        gpudbg_dump_fact(d, s->line, "guc-log", text, 0);
        if (word(s->bytes, i, MARK_2) == STATE_CAPTURE && read <= size && write <= size)
            capture_ring(d, s, end, size, read, write);
        end += size;
        parts++;
    }
    if (!parts) {
        gpudbg_dump_note(d, s->line, "assumed", "the log of GuC begins with no header that is known: it stays words");
        return;
    }
    gpudbg_dump_fact(d, s->line, "guc-log",
        "events and crash dumps are in a form that only its makers have: nothing public says what an entry means", 0);
    if (s->size < end)
        gpudbg_dump_note(
            d, s->line, "cut-off", "the log of GuC: 0x%zx of 0x%llx bytes are there", s->size, (unsigned long long)end);
}

/* Those that other readers found are among them. */
static void logs_tell(struct gpudbg_dump *d)
{
    const struct gpudbg_stream *s;
    for (size_t i = 0; (s = gpudbg_dump_stream_at(d, i)); i++)
        if (s->name && begins(s->name, LOG_NAME)) log_tell(d, s);
}

/* ---- The reader ---- */

struct guc_text {
    size_t stream; /* of the lines with four words, or NO_STREAM */
};

static size_t new_stream(struct gpudbg_dump *d, uint32_t line)
{
    const struct gpudbg_stream s = {.kind = "object",
        .name = LOG_NAME,
        .addr = GPUDBG_NO_ADDR,
        .read = GPUDBG_NO_ADDR,
        .write = GPUDBG_NO_ADDR,
        .vmid = UINT32_MAX,
        .line = line};
    return gpudbg_dump_stream(d, &s);
}

/* "[LOG].data: " and ASCII85; ".length" and other properties stand before it. */
static bool take_data(struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    const char *end;
    if (!scan_word(&p, "[LOG].")) return false;
    if (!scan_word(&p, "data: ")) return true;
    const size_t left = line->n - (size_t)(p - line->text);
    uint8_t *bytes = malloc(left * 4 + 4);
    if (!bytes) {
        gpudbg_dump_note(d, line->number, "limit", "the log of GuC is too large to unpack");
        return true;
    }
    const size_t n = unpack_ascii85(p, left, bytes, &end), stream = new_stream(d, line->number);
    if (*end)
        gpudbg_dump_note(d, line->number, "cut-off", "character %zu of the log of GuC is not an ASCII85 character",
            (size_t)(end - line->text) + 1);
    gpudbg_dump_stream_add(d, stream, bytes, n, line->number);
    free(bytes);
    return true;
}

/* "0xcabba9e6 0xdeadfeed 0x00000000 0x00001a40" */
static bool take_words(struct guc_text *g, struct gpudbg_dump *d, const struct gpudbg_dump_line *line, const char *p)
{
    uint64_t words[4];
    for (unsigned i = 0; i < 4; i++) {
        if (!scan_0x(&p, 8, &words[i])) return false;
        scan_blanks(&p);
    }
    if (*p || (g->stream == NO_STREAM && !part_name((uint32_t)words[1]))) return false;
    if (g->stream == NO_STREAM) g->stream = new_stream(d, line->number);
    for (unsigned i = 0; i < 4; i++) stream_add(d, g->stream, words[i], 4, line->number);
    return true;
}

static bool take(void *state, struct gpudbg_dump *d, const struct gpudbg_dump_line *line)
{
    const char *p = line->text + line->indent;
    return take_data(d, line, p) || take_words(state, d, line, p);
}

static int probe(const uint8_t *bytes, size_t n, const char **why)
{
    *why = "the log of Intel's GuC";
    return head_has(bytes, n, "0xcabba9e6 0xdeadfeed") ? 90 : head_has(bytes, n, "[LOG].data: ") ? 60 : 0;
}

static void *open_log(struct gpudbg_dump *d)
{
    (void)d;
    return reader_state(&(struct guc_text){.stream = NO_STREAM}, sizeof(struct guc_text));
}

static void close_log(void *state, struct gpudbg_dump *d)
{
    logs_tell(d);
    free(state);
}

const struct gpudbg_reader reader_guc_log = {
    .name = "guc-log",
    .summary = "log of Intel's GuC: where its parts are and how full they ran; its entries are the firmware's own",
    .probe = probe,
    .open = open_log,
    .line = take,
    .close = close_log,
};
