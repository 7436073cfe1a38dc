/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts.h: work cut into parts that several processes do at once.
 *
 * A worker is a fork of this process.  It sees everything as it is now, changes nothing here, and ends without a word;
 * so a part may call whatever the same work would call without workers, and nothing needs a lock.  Memory that neither
 * side writes is there once.  Answers are taken here in the order of the parts, whoever had one first.
 */
#ifndef GPUDBG_PARTS_H
#define GPUDBG_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/ticker.h"

struct parts_worker;
struct parts_crew;

enum parts_end {
    PARTS_DONE,
    PARTS_INTERRUPTED, /* the ticker had enough */
    PARTS_FAILED,      /* a worker could not be made, or did not do its part: do it here */
};

struct parts_work {
    size_t n;         /* parts, from 0 */
    unsigned workers; /* at most so many at a time */
    uint64_t todo;    /* of what parts_goes_on is told, for the ticker */
    const struct ticker *ticker;
    int *killed; /* set where a signal ended a worker: its number; NULL: nobody wants to know */
    /* In a worker: does a part and says what came of it by parts_answer.  false: it could not. */
    bool (*work)(void *data, size_t part, struct parts_worker *);
    /* Here: takes the answer of a part, valid during the call.  false: the parts behind it are not wanted. */
    bool (*take)(void *data, size_t part, const void *answer, size_t size);
    /* Here, while workers work, if set: does a share of its own.  Then each part has a worker, which does nothing else.
     * false: interrupted. */
    bool (*meanwhile)(void *data);
    /* Here, instead of `take`, if set: leads n workers by orders until it returns; they end then.  To them, `part` is
     * the worker's number, and the work is to obey and to report. */
    enum parts_end (*lead)(void *data, struct parts_crew *);
    void *data;
};
enum parts_end parts_do(const struct parts_work *);

/* Adds to the answer of the part. */
void parts_answer(struct parts_worker *, const void *bytes, size_t size);
/* The worker's ticks call this: `more` has been done.  false: the asking process has ended. */
bool parts_goes_on(struct parts_worker *, uint64_t more);
/* In a worker that is led: parts_obey waits for an order, parts_report answers it.  Both sides know the sizes in bytes.
 * false: the leading process has ended. */
bool parts_obey(struct parts_worker *, void *order, size_t size);
bool parts_report(struct parts_worker *, const void *, size_t size);
/* In parts_work.lead: gives a worker an order, and waits for a report of it.  false: the worker has ended. */
bool parts_order(struct parts_crew *, size_t worker, const void *order, size_t size);
enum parts_end parts_hear(struct parts_crew *, size_t worker, void *report, size_t size);
/* Processors that this process may use, at least 1. */
unsigned parts_processors(void);

#endif
