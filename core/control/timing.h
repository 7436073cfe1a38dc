/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timing.h: waves over recorded time.  Time, from the launch to some position, is cut into 64 cells of equally many
 * instructions; for each wave one knows in which cells it runs and in which it comes to a barrier.
 */
#ifndef GPUDBG_TIMING_H
#define GPUDBG_TIMING_H

#include "control/control.h"

#define TIMING_CELLS 64u

struct wave_time {
    uint64_t first, last; /* positions before its first and its last instruction */
    uint64_t executed, lanes, barriers, waits;
    /* A bit a cell: it executes there; instructions by lane with all its lanes; ... with some of them off; it comes to
     * a barrier; it waits at one all the time. */
    uint64_t runs, full, partial, arrives, held;
    bool at_barrier; /* its latest instruction came to one */
};

struct timing {
    struct wave_time *wave; /* malloc'ed */
    uint32_t n;
    uint64_t total; /* instructions */
};

/* From the launch to the present: that time runs again.  false: interrupted, or it would take too long for a glance. */
bool timing_take(struct control *, struct timing *, struct gpudbg_error *);
void timing_free(struct timing *);

/* The cell that the instruction at a position is in; the position at which a cell begins. */
static inline unsigned timing_cell(uint64_t position, uint64_t total)
{
    const unsigned cell = total ? (unsigned)((__uint128_t)position * TIMING_CELLS / total) : 0;
    return cell < TIMING_CELLS ? cell : TIMING_CELLS - 1;
}
static inline uint64_t timing_position(unsigned cell, uint64_t total)
{
    return (uint64_t)(((__uint128_t)cell * total + TIMING_CELLS - 1) / TIMING_CELLS);
}

/* What a wave does in a cell. */
enum timing_mark {
    TIMING_NOT,    /* it has not begun, or has ended */
    TIMING_STANDS, /* others run */
    TIMING_HELD,   /* it waits at a barrier */
    TIMING_PARTLY, /* it runs, with lanes off all the time */
    TIMING_RUNS,
    TIMING_BARRIER, /* it runs, and comes to a barrier */
};
enum timing_mark timing_mark(const struct wave_time *, unsigned cell, uint64_t total);

/* The waves from number `from` on whose rows look alike are added up; returns the number of the first other one. */
uint32_t timing_fold(const struct timing *, uint32_t from, struct wave_time *sum);

#endif
