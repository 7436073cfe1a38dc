/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text.h: text put together piece by piece in a buffer of fixed size.  Header-only, no part of the ABI.
 *
 *     struct text t = text_in(buf, size);
 *     text_add(&t, "%s", name);
 *     if (more)
 *         text_add(&t, " %u", more);
 *     return text_length(&t);
 *
 * Nothing is ever written past the buffer, and it always ends with 0.  Lengths follow snprintf: `n` counts what the
 * whole text would take, so that n >= size says that the end was cut off.
 */
#ifndef GPUDBG_TEXT_H
#define GPUDBG_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "error.h"

struct text {
    char *at;    /* the buffer, borrowed; may be NULL where size is 0 */
    size_t size; /* of the buffer, bytes, its final 0 included */
    size_t n;    /* bytes of the whole text so far, without the final 0 */
};

/* An empty text in buf. */
static inline struct text text_in(char *buf, size_t size)
{
    struct text t = {buf, size, 0};
    if (size) buf[0] = 0;
    return t;
}

/* Continues the string that buf already holds. */
static inline struct text text_behind(char *buf, size_t size)
{
    struct text t = {buf, size, 0};
    while (t.n + 1 < size && buf[t.n]) t.n++;
    return t;
}

/* Where the next piece goes, and how many bytes there are for it and its final 0: for functions that write like
 * snprintf, whose result text_wrote takes. */
static inline char *text_end(const struct text *t) { return t->n < t->size ? t->at + t->n : NULL; }

static inline size_t text_room(const struct text *t) { return t->n < t->size ? t->size - t->n : 0; }

/* A function was given text_end and text_room, and returned this; negative results add nothing. */
static inline void text_wrote(struct text *t, int length)
{
    if (length > 0) t->n += (size_t)length;
}

static inline void text_add_v(struct text *t, const char *fmt, va_list ap)
{
    text_wrote(t, vsnprintf(text_end(t), text_room(t), fmt, ap));
}

static inline void GPUDBG_PRINTF(2, 3) text_add(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_add_v(t, fmt, ap);
    va_end(ap);
}

/* n bytes, whatever they are. */
static inline void text_add_bytes(struct text *t, const char *bytes, size_t n)
{
    const size_t room = text_room(t), take = room > n ? n : room ? room - 1 : 0;
    if (room) {
        memcpy(t->at + t->n, bytes, take);
        t->at[t->n + take] = 0;
    }
    t->n += n;
}

/* A text whose end was cut off says so: it ends with "...", which never splits a UTF-8 character. */
static inline void text_mark_cut(struct text *t)
{
    size_t at = t->size > 4 ? t->size - 4 : 0;
    if (!at || t->n < t->size) return;
    while (at && ((unsigned char)t->at[at] & 0xc0) == 0x80) at--;
    memcpy(t->at + at, "...", 4);
    t->n = at + 3;
}

/* One text in buf, whole or marked as cut. */
static inline void GPUDBG_PRINTF(3, 4) text_put(char *buf, size_t size, const char *fmt, ...)
{
    struct text t = text_in(buf, size);
    va_list ap;
    va_start(ap, fmt);
    text_add_v(&t, fmt, ap);
    va_end(ap);
    text_mark_cut(&t);
}

static inline void text_add_char(struct text *t, char c) { text_add_bytes(t, &c, 1); }

/* A byte of a name that a file or a user gave, as a terminal may be shown it: control characters become '?'. */
static inline char text_shown(char c) { return (unsigned char)c < 0x20 || c == 0x7f ? '?' : c; }

static inline bool text_is_cut(const struct text *t) { return t->n >= t->size; }

/* As snprintf returns it. */
static inline int text_length(const struct text *t) { return (int)t->n; }

#endif
