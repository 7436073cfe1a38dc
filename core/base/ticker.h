/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ticker.h: how long work shows its progress, and learns that the user has had enough of it. */
#ifndef GPUDBG_TICKER_H
#define GPUDBG_TICKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct ticker {
    bool (*tick)(
        void *data, uint64_t done, uint64_t todo); /* todo 0: nobody knows; false: give up.  NULL: nobody is asked */
    void *data;
    uint64_t until; /* when to give up, by ticker_now; 0: never (`set time-limit`) */
    /* Called with the first `n` bytes of the file `fd`, which the work reads, or has unpacked so far.  The function may
     * read fd with pread, and only until it returns: the file belongs to the work.  NULL: nobody is shown anything. */
    void (*shows)(void *data, int fd, uint64_t n);
};

/* Nanoseconds of a clock that nobody sets. */
static inline uint64_t ticker_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Whether to go on; t may be NULL. */
static inline bool ticker_goes_on(const struct ticker *t, uint64_t done, uint64_t todo)
{
    return !t || ((!t->tick || t->tick(t->data, done, todo)) && (!t->until || ticker_now() < t->until));
}

static inline void ticker_shows(const struct ticker *t, int fd, uint64_t n)
{
    if (t && t->shows) t->shows(t->data, fd, n);
}

#endif
