/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_hostcall.c: the host that a kernel calls, as ROCm's device libraries call it (ockl: __ockl_hostcall_internal),
 * for printf.  A wave takes a packet from the stack of free ones, fills it in, puts it on the stack of ready ones, and
 * waits until its flag READY is gone.  Here the host serves the packet as soon as it is on that stack, as a part of the
 * instruction that put it there; so the host has no state that going back in time would have to restore.
 *
 *     buffer    0 headers   8 payloads   16 doorbell   24 free stack   32 ready stack   40 mask of a packet's number
 *     header    0 next   8 lanes   16 service   20 flags (1: READY)         24 bytes
 *     payload   8 dwords of 8 bytes a lane: arguments; 0 and 1 become the answer
 *
 * Service 2 is printf: argument 0 is a descriptor (bit 0 begins a message, bit 1 ends it, bits 7:5 count the arguments
 * after it that belong to it, from bit 8 on its number, which the host gives), and the answer is the descriptor for the
 * next part.  The contents of the parts go into the segment `printf`, which core watches:
 *
 *     0 bytes used   4 bytes there are   then parts:  number, 2 for the last or 0, count, 0, arguments of 8 bytes
 *
 * A whole message is a number (0 stdout, 1 stderr), the format and its 0, filled up to 8 bytes, and the values: 8 bytes
 * a number, strings as the format.  Source: the bitcode of rocm-device-libs 5.2 and 6.0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpudbg/endian.h"
#include "engine/gcn_exec.h"
#include "engine/setup.h"
#include "gcn.h"

enum {
    PACKETS = 64, /* a power of two; more than the waves that run at a time */
    HEADER = 24,
    PAYLOAD = 64 * 64,
    SIGNAL_AT = 64, /* of HSA: no program waits for it */
    HEADERS_AT = 128,
    PAYLOADS_AT = HEADERS_AT + (PACKETS * HEADER + 63) / 64 * 64,
    BYTES = PAYLOADS_AT + PACKETS * PAYLOAD,
    FREE = 24,
    READY_STACK = 32,
    LOG_HEAD = 8,
    PART_HEAD = 16,
    SERVICE_PRINTF = 2,
    BEGIN = 1,
    END = 2,
    LOST = 4, /* of a part in the log: there was no room for one */
};

#define BASE UINT64_C(0x1fffffff00000000) /* below the flat apertures */

struct gpudbg_segment *gcn_hostcall_new(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    /* Kernels that never call the host have this segment, too: it does not move the other segments.  A packet is one
     * wave's at a time. */
    struct gpudbg_segment *s = gpudbg_machine_segment_at(m, "hostcall", BASE, BYTES, NULL, GPUDBG_SEG_PRIVATE, err);
    if (!s) return NULL;
    le_put(s->bytes, s->base + HEADERS_AT, 8);
    le_put(s->bytes + 8, s->base + PAYLOADS_AT, 8);
    le_put(s->bytes + 16, s->base + SIGNAL_AT, 8);
    le_put(s->bytes + FREE, PACKETS | (PACKETS - 1), 8); /* numbers carry a count above them, so that none is 0 */
    le_put(s->bytes + 40, PACKETS - 1, 8);
    for (uint64_t i = 1; i < PACKETS; i++) le_put(s->bytes + HEADERS_AT + i * HEADER, PACKETS | (i - 1), 8);
    return s;
}

/* ---- Serving ---- */

static uint64_t get(struct gpudbg_wave *w, uint64_t addr, unsigned bytes)
{
    uint8_t raw[8] = {0};
    return gpudbg_mem_read(w, GPUDBG_GLOBAL, addr, raw, bytes, -1) ? le_get(raw, bytes) : 0;
}

static bool set(struct gpudbg_wave *w, uint64_t addr, uint64_t value, unsigned bytes, int lane)
{
    uint8_t raw[8];
    le_put(raw, value, bytes);
    return gpudbg_mem_write(w, GPUDBG_GLOBAL, addr, raw, bytes, lane);
}

/* Adds a part to the log; a mark in its place where there is no room. */
static bool keep(struct gpudbg_wave *w, int lane, uint32_t number, uint32_t flags, const uint8_t *arguments, uint32_t n)
{
    const struct gpudbg_segment *log = gcn_of(w)->setup->printf;
    const uint64_t used = get(w, log->base, 4), at = LOG_HEAD + used;
    uint8_t part[PART_HEAD + 7 * 8] = {0};
    if (used > log->size - LOG_HEAD - PART_HEAD) return true; /* the mark is there */
    if (at + sizeof part + PART_HEAD > log->size) {
        n = 0;
        flags = LOST;
    }
    le_put(part, number, 4);
    le_put(part + 4, flags, 4);
    le_put(part + 8, n, 4);
    memcpy(part + PART_HEAD, arguments, 8 * n);
    return gpudbg_mem_write(w, GPUDBG_GLOBAL, log->base + at, part, PART_HEAD + 8 * n, lane) &&
           set(w, log->base, flags == LOST ? log->size - LOG_HEAD : used + PART_HEAD + 8 * n, 4, lane);
}

/* One lane's part of a message.  A new one is numbered by its place in the log. */
static bool print_part(struct gpudbg_wave *w, int lane, uint64_t slots)
{
    const struct gpudbg_segment *log = gcn_of(w)->setup->printf;
    uint8_t argument[64];
    if (!gpudbg_mem_read(w, GPUDBG_GLOBAL, slots, argument, sizeof argument, lane)) return false;
    const uint64_t descriptor = le_get(argument, 8);
    const uint32_t number = descriptor & BEGIN ? 1 + (uint32_t)get(w, log->base, 4) : (uint32_t)(descriptor >> 8);
    const uint64_t answer = descriptor & END ? 0 : (uint64_t)number << 8;
    return keep(w, lane, number, (uint32_t)descriptor & END, argument + 8, (uint32_t)(descriptor >> 5 & 7)) &&
           set(w, slots, answer, 8, lane) && set(w, slots + 8, 0, 8, lane);
}

static bool serve(struct gpudbg_wave *w, uint64_t packet)
{
    const uint64_t base = gcn_of(w)->setup->hostcall->base, number = packet & (PACKETS - 1),
                   header = base + HEADERS_AT + number * HEADER, payload = base + PAYLOADS_AT + number * PAYLOAD;
    const uint64_t lanes = get(w, header + 8, 8);
    const uint32_t service = (uint32_t)get(w, header + 16, 4), flags = (uint32_t)get(w, header + 20, 4);
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint64_t slots = payload + lane * 64;
        if (!(lanes >> lane & 1)) continue;
        if (service == SERVICE_PRINTF ? !print_part(w, (int)lane, slots)
                                      : !set(w, slots, 0, 8, (int)lane) || !set(w, slots + 8, 0, 8, (int)lane))
            return false;
    }
    if (service != SERVICE_PRINTF)
        gpudbg_event(w, "hostcall", "service %u of the host is not there: the answer is 0", service);
    return set(w, header + 20, flags & ~1u, 4, -1);
}

bool gcn_hostcall(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint64_t ready = gcn_of(w)->setup->hostcall->base + READY_STACK;
    const struct gpudbg_segment *s = gcn_of(w)->setup->hostcall;
    uint64_t packet = le_get(s->bytes + READY_STACK, 8);
    if (!packet) return true;
    gcn_sync(w, op);
    for (unsigned i = 0; packet && i < PACKETS; i++) {
        const uint64_t next = get(w, s->base + HEADERS_AT + (packet & (PACKETS - 1)) * HEADER, 8);
        if (!serve(w, packet)) break;
        packet = next;
    }
    if (set(w, ready, 0, 8, -1)) return true;
    gcn_stop(w, GPUDBG_RAN_FAULT);
    return false;
}

/* ---- Telling ---- */

/* A message whose parts are being collected. */
struct message {
    uint32_t number;
    uint8_t *bytes; /* malloc'ed; a 0 after them; NULL after it was reported */
    size_t n;
};

/* The messages that have begun, by number: print_part counts up, so a new one comes last.  A program may write whatever
 * it likes into the log, even a million messages that never end. */
struct messages {
    struct message *of;
    size_t n, room;
};

static struct message *message_of(struct messages *all, uint32_t number)
{
    size_t low = 0, high = all->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (all->of[middle].number == number) return &all->of[middle];
        if (all->of[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < all->n) return NULL; /* print_part has not written this */
    if (all->n == all->room) {
        struct message *of = realloc(all->of, (2 * all->room + 64) * sizeof *of);
        if (!of) return NULL;
        all->of = of;
        all->room = 2 * all->room + 64;
    }
    all->of[all->n] = (struct message){.number = number};
    return &all->of[all->n++];
}

static bool message_add(struct message *m, const uint8_t *bytes, size_t n)
{
    uint8_t *more = realloc(m->bytes, m->n + n + 1);
    if (!more) return false;
    memcpy(more + m->n, bytes, n);
    more[m->n + n] = 0;
    m->bytes = more;
    m->n += n;
    return true;
}

/* A string at *at and its 0; *at moves past it. */
static struct gpudbg_printf_value string_at(const struct message *m, size_t *at)
{
    const size_t from = *at < m->n ? *at : m->n, n = strlen((const char *)m->bytes + from) + 1;
    *at = from + (n + 7) / 8 * 8;
    return (struct gpudbg_printf_value){m->bytes + from, (uint32_t)n};
}

#define VALUES_MOST 256

/* The format with its `*` as numbers, for values follow one another; *values: of its conversions.  false: no memory. */
static bool take_apart(const struct message *m, char **format, struct gpudbg_printf_value *value, unsigned *values)
{
    size_t at = 8, size = 0;
    const struct gpudbg_printf_value given = string_at(m, &at);
    FILE *to = open_memstream(format, &size);
    *values = 0;
    if (!to) return false;
    for (const char *c = (const char *)given.bytes; *c;) {
        fputc(*c, to);
        if (*c++ != '%') continue;
        if (*c == '%') {
            fputc(*c++, to);
            continue;
        }
        bool wide = false;
        for (; *c && !strchr("diouxXcaAeEfFgGsp", *c); c++) {
            wide |= strchr("ljzt", *c) != NULL;
            if (*c != '*') {
                fputc(*c, to);
                continue;
            }
            fprintf(to, "%d", at + 8 <= m->n ? (int)le_u32(m->bytes + at) : 0);
            at += 8;
        }
        if (!*c || *values == VALUES_MOST) continue;
        if (*c == 's') {
            value[(*values)++] = string_at(m, &at);
        } else if (at + 8 <= m->n) {
            value[(*values)++] = (struct gpudbg_printf_value){m->bytes + at, wide || !strchr("diouxXc", *c) ? 8 : 4};
            at += 8;
        }
        fputc(*c++, to);
    }
    return fclose(to) == 0;
}

static bool tell(const struct message *m, struct gpudbg_printf *p, gpudbg_printf_fn *each, void *to)
{
    struct gpudbg_printf_value value[VALUES_MOST];
    char *format = NULL;
    if (m->n < 16) {
        p->problem = "a message of the host's printf has no format";
        return each(to, p);
    }
    if (take_apart(m, &format, value, &p->nvalues)) {
        p->format = format;
        p->values = value;
    } else {
        p->problem = "no memory for its text";
    }
    const bool more = each(to, p);
    free(format);
    return more;
}

void gcn_hostcall_printed(const struct gpudbg_segment *log, gpudbg_printf_fn *each, void *to)
{
    struct messages all = {0};
    uint64_t end = LOG_HEAD + (uint64_t)le_u32(log->bytes), next;
    if (end > log->size) end = log->size;
    bool more = true;
    for (uint64_t at = LOG_HEAD; more && at + PART_HEAD <= end; at = next) {
        const uint32_t flags = le_u32(log->bytes + at + 4), n = le_u32(log->bytes + at + 8);
        struct gpudbg_printf p = {.segment = log, .at = at, .size = PART_HEAD};
        next = at + PART_HEAD + 8 * (uint64_t)n;
        if (flags & LOST) p.problem = "the buffer is full: what was printed from here on is lost";
        if (p.problem || next > end) {
            if (p.problem) each(to, &p);
            break;
        }
        struct message *m = message_of(&all, le_u32(log->bytes + at));
        if (!m || !message_add(m, log->bytes + at + PART_HEAD, 8 * (size_t)n)) break;
        if (!(flags & END)) continue;
        more = tell(m, &p, each, to);
        free(m->bytes);
        *m = (struct message){.number = m->number};
    }
    for (size_t i = 0; i < all.n; i++) free(all.of[i].bytes);
    free(all.of);
}
