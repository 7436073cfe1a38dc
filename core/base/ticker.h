/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ticker.h: how long work shows its progress, and learns that the user has had enough of it. */
#ifndef GPUDBG_TICKER_H
#define GPUDBG_TICKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ticker {
    bool (*tick)(
        void *data, uint64_t done, uint64_t todo); /* todo 0: nobody knows; false: give up.  NULL: nobody is asked */
    void *data;
};

/* Whether to go on; t may be NULL. */
static inline bool ticker_goes_on(const struct ticker *t, uint64_t done, uint64_t todo)
{
    return !t || !t->tick || t->tick(t->data, done, todo);
}

#endif
