/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/pieces.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/shown.h"

void pieces_open(struct pieces *t)
{
    if (!t->size) t->size = PIECES_SIZE;
    t->buf = xrealloc(NULL, t->size + PIECES_ROOM, 1);
    t->n = t->clean = 0;
    t->dirty = false;
}

void pieces_look(struct pieces *t)
{
    const size_t n = t->n - t->clean;
    if (!t->dirty && shown_clean(t->buf + t->clean, n, SHOWN_TEXT) != n) t->dirty = true;
    t->clean = t->n;
}

void pieces_flush(struct pieces *t)
{
    pieces_look(t);
    if (t->sink)
        t->sink(t->to, t->buf, t->n, !t->dirty);
    else if (t->dirty)
        out_write(t->out, t->buf, t->n);
    else
        out_clean(t->out, t->buf, t->n);
    t->n = t->clean = 0;
    t->dirty = false;
}

void pieces_close(struct pieces *t)
{
    pieces_flush(t);
    free(t->buf);
    t->buf = NULL;
}

void pieces_put(struct pieces *t, const char *s, size_t n)
{
    if (t->n + n > t->size) pieces_flush(t);
    for (; n > t->size; s += t->size, n -= t->size) {
        memcpy(t->buf, s, t->size);
        t->n = t->size;
        pieces_flush(t);
    }
    memcpy(t->buf + t->n, s, n);
    t->n += n;
}

void pieces_puts(struct pieces *t, const char *s) { pieces_put(t, s, strlen(s)); }
