/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare.h: two runs of one launch, and the first store in which they differ.
 *
 * The stores to each byte of a buffer are numbered in each run, from the launch on.  A store differs if it leaves
 * another value in a byte than the other run's store of that number, or if the other run has none.  Only bytes that
 * hold other values at the end count, unless all are asked for: another compiler may store what is stored again later.
 */
#ifndef GPUDBG_COMPARE_H
#define GPUDBG_COMPARE_H

#include "eval/eval.h"

/* One of the two: a machine at its launch, and an evaluator for it. */
struct compared {
    struct loaded loaded;
    struct running running;
    struct selection selection;
    struct eval eval;
};

/* Fills it in from an image and a machine, both borrowed. */
void compared_open(
    struct compared *, const struct eval *like, struct gpudbg_image *image, struct gpudbg_machine *machine);

struct compared_store {
    bool there;        /* false: the run has no such store */
    uint64_t position; /* before it */
    uint32_t wave;
    int lane; /* -1: no lane in particular */
    uint64_t pc, addr;
    uint8_t value; /* of the byte */
};

struct comparison {
    struct gpudbg_stop end[2]; /* how the runs ended */
    uint64_t length[2];        /* instructions */
    uint64_t bytes, differ;    /* of buffers that both have; those that hold other values at the end */
    const char *unlike;        /* a buffer that has another size in the other run, which is not compared; NULL: none */
    bool found;                /* a store differs */
    const struct gpudbg_bound *bound; /* the buffer, of the first run */
    uint64_t offset;                  /* of the byte */
    struct compared_store store[2];
    bool limited; /* there were too many stores: only bytes up to `until` of all were looked at */
    uint64_t until;
};

/* Runs both to their ends (at most `limit` instructions each; 0: no limit) and compares.  all: see above.  false:
 * interrupted, or no memory. */
bool compare_runs(
    struct compared *a, struct compared *b, bool all, uint64_t limit, struct comparison *, struct gpudbg_error *);

/* The first instruction after which a register of its wave differs, where both run the same code. */
struct compared_register {
    bool found;
    bool flow; /* the runs execute other instructions from here on, and no register differs */
    uint64_t position;
    uint32_t wave;
    uint64_t pc;
    unsigned file, index;
    int lane; /* -1: the file has no lanes */
    uint64_t value[2];
};
/* Looks at most up to the position `to`. */
bool compare_registers(
    struct compared *a, struct compared *b, uint64_t to, struct compared_register *, struct gpudbg_error *);

/* Calls each() for every register that two waves have and that differs, a lane at a time, until it returns false. */
void compare_waves(struct gpudbg_wave *a, struct gpudbg_wave *b,
    bool (*each)(
        void *to, unsigned file, unsigned index, int lane, const uint32_t *a, const uint32_t *b, size_t dwords),
    void *to);

#endif
