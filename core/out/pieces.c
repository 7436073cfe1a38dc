/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/pieces.h"
#include <stdlib.h>
#include "base/alloc.h"

void pieces_open(struct pieces *t)
{
    t->buf = xrealloc(NULL, PIECES_SIZE + PIECES_ROOM, 1);
    t->n = 0;
}

void pieces_flush(struct pieces *t)
{
    if (t->sink)
        t->sink(t->to, t->buf, t->n);
    else
        out_write(t->out, t->buf, t->n);
    t->n = 0;
}

void pieces_close(struct pieces *t)
{
    pieces_flush(t);
    free(t->buf);
    t->buf = NULL;
}

void pieces_put(struct pieces *t, const char *s, size_t n)
{
    if (t->n + n > PIECES_SIZE) pieces_flush(t);
    for (; n > PIECES_SIZE; s += PIECES_SIZE, n -= PIECES_SIZE) {
        memcpy(t->buf, s, PIECES_SIZE);
        t->n = PIECES_SIZE;
        pieces_flush(t);
    }
    memcpy(t->buf + t->n, s, n);
    t->n += n;
}

void pieces_puts(struct pieces *t, const char *s) { pieces_put(t, s, strlen(s)); }
