/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ticker.h: whoever works long says how far it is, and asks whether it shall go on. */
#ifndef GPUDBG_TICKER_H
#define GPUDBG_TICKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ticker {
    /* done of todo, in a unit of the caller's own; false: stop.  NULL: nobody listens. */
    bool (*fn)(void *data, uint64_t done, uint64_t todo);
    void *data;
};

/* false: the user wants it to end.  The ticker may be NULL. */
static inline bool ticker_goes_on(const struct ticker *t, uint64_t done, uint64_t todo)
{
    return !t || !t->fn || t->fn(t->data, done, todo);
}

#endif
