/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * printed.c: a message of printf is a format, values that the instruction set's runner found in the buffer, and the
 * lane that stored them.  The format is C's with OpenCL's vectors (OpenCL C 3.0, 6.15.14: "v4", "hl").
 */
#include "machine/item.h"
#include "machine/printed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg/endian.h"
#include "gpudbg/lanes.h"
#include "machine/machine_core.h"

#define SPEC 40 /* of a conversion for C's printf: flags, width and precision of at most so many digits */
#define DIGITS 4
#define SINCE 256 /* instructions; the stores of a message stand close together */

/* ---- Text ---- */

struct conversion {
    char spec[SPEC]; /* "%-5.2": flags, width, precision */
    unsigned vector; /* elements; 1: no vector */
    unsigned bytes;  /* that the length modifier says an element has; 0: none */
    char letter;     /* 0: not understood */
};

/* Reads the conversion behind a '%'; returns the character behind it. */
static const char *read_conversion(const char *at, struct conversion *c)
{
    const size_t flags = strspn(at, "-+ #0"), width = strspn(at + flags, "0123456789");
    size_t n = flags + width, precision = 0;
    *c = (struct conversion){.vector = 1};
    if (at[n] == '.') precision = 1 + strspn(at + n + 1, "0123456789");
    n += precision;
    const bool fits = flags <= 5 && width <= DIGITS && precision <= DIGITS + 1;
    snprintf(c->spec, sizeof c->spec, "%%%.*s", fits ? (int)n : 0, at);
    at += n;
    if (*at == 'v') {
        c->vector = (unsigned)strtoul(at + 1, NULL, 10);
        at += 1 + strspn(at + 1, "0123456789");
    }
    static const struct {
        const char *word;
        unsigned bytes;
    } lengths[] = {{"hh", 1}, {"hl", 4}, {"h", 2}, {"ll", 8}, {"l", 8}, {"z", 8}, {"j", 8}, {"t", 8}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths && !c->bytes; i++)
        if (strncmp(at, lengths[i].word, strlen(lengths[i].word)) == 0) {
            c->bytes = lengths[i].bytes;
            at += strlen(lengths[i].word);
        }
    const bool known = *at && strchr("diouxXcaAeEfFgGsp", *at);
    c->letter = fits && known && c->vector >= 1 && c->vector <= 16 ? *at : 0;
    return *at ? at + 1 : at;
}

/* Bytes of an element: vectors of three are stored as they are, or take the room of four. */
static unsigned element_bytes(const struct conversion *c, uint32_t size)
{
    if (c->vector == 3) return size % 3 ? size / 4 : size / 3;
    return size / c->vector;
}

static void integer_text(FILE *to, const struct conversion *c, uint64_t bits, unsigned bytes)
{
    char spec[SPEC + 4];
    if (c->bytes && c->bytes < bytes) bytes = c->bytes;
    if (c->letter == 'c') bytes = 1;
    if (bytes < 8) {
        const uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
        bits &= (sign << 1) - 1;
        if (c->letter == 'd' || c->letter == 'i') bits = (bits ^ sign) - sign;
    }
    if (c->letter == 'c') {
        snprintf(spec, sizeof spec, "%sc", c->spec);
        fprintf(to, spec, (int)bits);
    } else {
        snprintf(spec, sizeof spec, "%sll%c", c->spec, c->letter);
        fprintf(to, spec, (unsigned long long)bits);
    }
}

static float half_of(uint64_t bits)
{
    const uint32_t word = lanes_f32_from_f16((uint32_t)bits, true);
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static bool element_text(FILE *to, const struct conversion *c, const uint8_t *bytes, unsigned size)
{
    char spec[SPEC + 4];
    if (size != 1 && size != 2 && size != 4 && size != 8) return false;
    const uint64_t bits = le_get(bytes, size);
    if (c->letter == 'p') {
        fprintf(to, "0x%" PRIx64, bits);
    } else if (strchr("diouxXc", c->letter)) {
        integer_text(to, c, bits, size);
    } else {
        double number;
        float single;
        const uint32_t word = (uint32_t)bits;
        if (size == 1) return false;
        if (size == 8)
            memcpy(&number, &bits, sizeof number);
        else if (size == 4)
            memcpy(&single, &word, sizeof single), number = (double)single;
        else
            number = (double)half_of(bits);
        snprintf(spec, sizeof spec, "%s%c", c->spec, c->letter);
        fprintf(to, spec, number);
    }
    return true;
}

static void string_text(FILE *to, const struct conversion *c, const struct gpudbg_printf_value *v)
{
    char spec[SPEC + 4];
    const size_t n = strnlen((const char *)v->bytes, v->size);
    char *copy = xstrndup((const char *)v->bytes, n);
    snprintf(spec, sizeof spec, "%ss", c->spec);
    fprintf(to, spec, copy);
    free(copy);
}

static void value_text(FILE *to, const struct conversion *c, const struct gpudbg_printf_value *v)
{
    const unsigned size = element_bytes(c, v->size);
    if (c->letter == 's') {
        string_text(to, c, v);
        return;
    }
    for (unsigned i = 0; i < c->vector; i++) {
        if (i) fputc(',', to);
        if (!element_text(to, c, v->bytes + (size_t)i * size, size)) fputs("<?>", to);
    }
}

/* Malloc'ed; NULL: no memory. */
static char *message_text(const struct gpudbg_printf *p)
{
    char *text = NULL;
    size_t n = 0;
    unsigned used = 0;
    FILE *to = open_memstream(&text, &n);
    if (!to) return NULL;
    for (const char *at = p->format ? p->format : ""; *at;) {
        struct conversion c;
        if (*at != '%') {
            fputc(*at++, to);
        } else if (at[1] == '%') {
            fputc('%', to);
            at += 2;
        } else {
            const char *end = read_conversion(at + 1, &c);
            if (!c.letter)
                fprintf(to, "%.*s", (int)(end - at), at); /* as C prints what it does not know */
            else if (used < p->nvalues)
                value_text(to, &c, &p->values[used++]);
            else
                fputs("<no value>", to);
            at = end;
        }
    }
    const bool good = !ferror(to);
    if (fclose(to) == 0 && good) return text; /* NULL, too, where its last growth failed */
    free(text);
    return NULL;
}

/* ---- Who wrote it ---- */

struct telling {
    struct gpudbg_machine *m;
    bool fresh;
    printed_fn *each;
    void *to;
    struct stored *stored;
    uint32_t *writer; /* for each dword of the buffer: 1 + the index in `stored` of who stored it; 0: nobody */
    uint64_t ndwords;
};

/* The latest store of the bytes [at, at + size); NULL: some were not stored yet. */
static struct stored *latest(const struct telling *t, uint64_t at, uint64_t size)
{
    uint32_t last = 0;
    for (uint64_t i = at / 4; i <= (at + (size ? size - 1 : 0)) / 4; i++) {
        if (i >= t->ndwords || !t->writer[i]) return NULL;
        if (t->writer[i] > last) last = t->writer[i];
    }
    return &t->stored[last - 1];
}

/* The conversion that takes value i. */
static struct conversion conversion_of(const char *format, unsigned i)
{
    struct conversion c = {.vector = 1};
    for (const char *at = format ? strchr(format, '%') : NULL; at; at = strchr(at, '%')) {
        if (at[1] == '%') {
            at += 2;
            continue;
        }
        at = read_conversion(at + 1, &c);
        if (c.letter && !i--) return c;
    }
    return (struct conversion){.vector = 1};
}

/* Bytes of a value that are stored for certain: a string's last zeros, and what fills up a vector of three, are not. */
static uint64_t bytes_stored(const struct gpudbg_printf *p, unsigned i)
{
    const struct conversion c = conversion_of(p->format, i);
    const uint32_t size = p->values[i].size;
    if (c.letter == 's') return size > 4 ? size - 4 : size;
    return c.vector == 3 ? 3 * element_bytes(&c, size) : size;
}

/* Whole: its head and every value that lies in the buffer was stored. */
static bool is_whole(const struct telling *t, const struct gpudbg_printf *p, uint64_t *position)
{
    const struct stored *s = latest(t, p->at, 4);
    if (!s) return false;
    *position = s->position;
    for (unsigned i = 0; i < p->nvalues; i++) {
        const struct gpudbg_printf_value *v = &p->values[i];
        if (!v->size || v->bytes < p->segment->bytes || v->bytes >= p->segment->bytes + p->segment->size) continue;
        if (!(s = latest(t, (uint64_t)(v->bytes - p->segment->bytes), bytes_stored(p, i)))) return false;
        if (s->position > *position) *position = s->position;
    }
    return true;
}

/* Who began it will store no more of it: the wave has ended, or has done much else since. */
static bool is_over(const struct telling *t, const struct gpudbg_printf *p, uint32_t wave)
{
    uint64_t last = 0;
    for (uint64_t at = p->at; at < p->at + p->size; at += 4) {
        const struct stored *s = latest(t, at, 4);
        if (s && s->position > last) last = s->position;
    }
    return machine_wave_ended(t->m, wave) || machine_position(t->m) > last + SINCE;
}

static bool tell_message(void *to, const struct gpudbg_printf *given)
{
    struct telling *t = to;
    struct gpudbg_printf p = *given;
    struct printed row = {.lane = -1, .text = "", .problem = p.problem};
    struct machine_wave_info info;
    struct stored *first = latest(t, p.at, 4);
    if (!first || (t->fresh && first->shown)) return true;
    row.wave = first->wave;
    row.lane = first->lane;
    if (!is_whole(t, &p, &row.position)) {
        if (!is_over(t, &p, row.wave)) return true;
        if (p.others) p.values = p.others;
        if (!p.others || !is_whole(t, &p, &row.position)) row.problem = "a part of this message was not stored";
    }
    first->shown |= t->fresh;
    machine_wave_info(t->m, row.wave, &info);
    memcpy(row.group, info.group_id, sizeof row.group);
    machine_work_item(t->m, &info, row.lane >= 0 ? (unsigned)row.lane : 0, row.local, row.item);
    const bool readable = !row.problem || row.problem == p.problem;
    char *text = readable ? message_text(&p) : NULL;
    if (text) row.text = text;
    if (readable && !text) row.problem = "no memory for its text";
    const bool more = t->each(t->to, &row);
    free(text);
    return more;
}

void printed_each(struct gpudbg_machine *m, bool fresh, printed_fn *each, void *to)
{
    struct telling t = {.m = m, .fresh = fresh, .each = each, .to = to};
    const size_t n = stores_now(m, &t.stored);
    if (!n || !m->isa->run->printed) return;
    for (size_t i = 0; i < n; i++) {
        const uint64_t end = ((uint64_t)t.stored[i].offset + t.stored[i].size + 3) / 4;
        if (end > t.ndwords) t.ndwords = end;
    }
    if (!(t.writer = calloc((size_t)t.ndwords + 1, sizeof *t.writer))) return;
    for (size_t i = 0; i < n; i++)
        for (uint64_t d = t.stored[i].offset / 4; d * 4 < (uint64_t)t.stored[i].offset + t.stored[i].size; d++)
            t.writer[d] = (uint32_t)i + 1;
    m->isa->run->printed(m, tell_message, &t);
    free(t.writer);
}
