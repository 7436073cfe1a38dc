/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pieces.h: text that is written faster than print can: collected in a big buffer, whose end is the writer's to fill.
 * For listings of whole files.
 *
 *     struct pieces t = {.out = out};
 *     pieces_open(&t);
 *     pieces_room(&t);
 *     pieces_hex(&t, addr, 4);       room for PIECES_ROOM bytes is there
 *     pieces_put(&t, name, n);       any length, any time
 *     pieces_close(&t);
 */
#ifndef GPUDBG_PIECES_H
#define GPUDBG_PIECES_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "out/out.h"

#define PIECES_SIZE (256u << 10) /* bytes that are usually written at once */
#define PIECES_ROOM 4096         /* behind them: for a line without its symbols */

struct pieces {
    struct gpudbg_out *out;
    /* Takes what is written, instead of `out`; or NULL.  clean: it has nothing that a terminal would obey. */
    void (*sink)(void *to, const char *text, size_t n, bool clean);
    void *to;
    size_t size; /* bytes that are written at once; 0: PIECES_SIZE, when it is opened */
    char *buf;   /* size + PIECES_ROOM bytes */
    size_t n;
    size_t clean; /* the first so many bytes need no look for what a terminal would obey */
    bool dirty;   /* there was something before */
};

void pieces_open(struct pieces *); /* out or sink is set */
void pieces_flush(struct pieces *);
void pieces_close(struct pieces *); /* flushes and frees */
/* Any number of bytes. */
void pieces_put(struct pieces *, const char *, size_t n);
void pieces_puts(struct pieces *, const char *);

/* The writer knows that what it adds now is clean: pieces_look before, pieces_clean behind it. */
void pieces_look(struct pieces *);
static inline void pieces_clean(struct pieces *t) { t->clean = t->n; }

/* Makes sure that PIECES_ROOM bytes can be added by what does not check: hex, spaces, few. */
static inline void pieces_room(struct pieces *t)
{
    if (t->n > t->size) pieces_flush(t);
}

/* Eight digits at once, the first one in the lowest byte. */
static inline uint64_t pieces_eight_digits(uint32_t value)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t x = __builtin_bswap32(value);
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x >> 4 | x << 8) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    uint64_t letters = (x + 6 * ones) >> 4 & ones;
    return x + '0' * ones + letters * ('a' - '0' - 10);
}

/* At least so many digits; writes 16 bytes. */
__attribute__((always_inline)) static inline char *pieces_digits(char *p, uint64_t value, unsigned digits)
{
    unsigned needed = (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
    if (digits < needed) digits = needed;
    if (digits <= 8) {
        uint64_t text = htole64(pieces_eight_digits((uint32_t)value) >> 8 * (8 - digits));
        memcpy(p, &text, 8);
    } else {
        for (unsigned i = 0; i < digits; i++) p[i] = "0123456789abcdef"[value >> 4 * (digits - 1 - i) & 15];
    }
    return p + digits;
}

static inline void pieces_hex(struct pieces *t, uint64_t value, unsigned digits)
{
    t->n = (size_t)(pieces_digits(t->buf + t->n, value, digits) - t->buf);
}

static inline void pieces_spaces(struct pieces *t, size_t n)
{
    memset(t->buf + t->n, ' ', n);
    t->n += n;
}

static inline void pieces_few(struct pieces *t, const char *s, size_t n)
{
    memcpy(t->buf + t->n, s, n);
    t->n += n;
}

#endif
