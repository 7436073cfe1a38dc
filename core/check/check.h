/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check.h: checkers and what they reported.  Code is checked at once; a run is watched by the checkers that are
 * switched on.
 *
 * The watchers have seen every instruction from the launch to some position, in the order of time.  Going back does not
 * change that, and going forward again over what they saw tells them nothing.  If they missed something (they were
 * switched on late, recorded time was jumped over, the past was changed), it is replayed to them first.
 */
#ifndef GPUDBG_CHECK_H
#define GPUDBG_CHECK_H

#include "eval/eval.h"

#define CHECK_CALLS 8

/* What `set` changes in the checkers of this room. */
struct check_options {
    bool equal_stores; /* check race reports stores of the value that is already in memory */
    bool lanes_race;   /* check race reports lanes of one wave that OpenCL wants a barrier between */
};

struct check_report {
    struct gpudbg_report what; /* texts malloc'ed */
    const char *kind;
    bool running; /* found by watching: wave and position count */
    uint32_t wave;
    uint64_t position;
    uint64_t count; /* how often it was reported */
    char *cause;    /* malloc'ed; NULL: the message */
    /* Running: the calls that led to its function, the innermost first; ncalls of them. */
    uint64_t call[CHECK_CALLS];
    unsigned ncalls;
    /* ... and what came before it: of what watchers are told, and of the watchers. */
    uint64_t event;
    size_t watcher;
};

/* Checkers that do not depend on the instruction set. */
extern const struct gpudbg_checker check_uninitialised, check_race, check_barrier, check_array;

/* Whether the image has debug information of a kernel, without which check_array has nothing to check. */
bool check_array_can(const struct gpudbg_image *);

/* The calls that a wave is in, the innermost first; returns how many. */
unsigned check_calls(const struct gpudbg_checks *, uint32_t wave, uint64_t call[CHECK_CALLS]);

struct gpudbg_checks *checks_new(struct eval *, const struct check_options *); /* both borrowed */
void checks_free(struct gpudbg_checks *);
void checks_end(struct gpudbg_checks *);   /* the machine is about to be freed: watchers end, their reports stay */
void checks_clear(struct gpudbg_checks *); /* ... and reports are dropped: another file is loaded */

/* Switches a watching checker on or off. */
bool checks_switch(struct gpudbg_checks *, const struct gpudbg_checker *, bool on, struct gpudbg_error *);
bool checks_on(const struct gpudbg_checks *, const struct gpudbg_checker *);
bool checks_any(const struct gpudbg_checks *); /* at least one is on */
/* Whether there is memory for what checkers keep of the machine's waves: the user decides how many there are. */
bool checks_room(const struct gpudbg_machine *, struct gpudbg_error *);
/* Checks the loaded code now; drops this checker's earlier reports about code. */
bool checks_code(struct gpudbg_checks *, const struct gpudbg_checker *, struct gpudbg_error *);

/* In a new launch, and before a run forwards: starts the checkers that are on.  Returns whether any watches. */
bool checks_watch(struct gpudbg_checks *);
/* Replays to the watchers what they missed up to the present.  May be interrupted: an error, and the present is kept.
 * */
bool checks_catch_up(struct gpudbg_checks *, struct gpudbg_error *);
/* To be called where a checker starts: it may be told of several dwords of a lane at once, with ROW_DWORDS. */
void checks_hear_dwords(struct gpudbg_checks *);
/* Grows an array of gpudbg_checks_alloc as xgrow does. */
void *checks_grow(struct gpudbg_checks *, void *, size_t n, size_t *room, size_t size);
/* Counts a report that was made before.  Only its place, its lanes and its cause (without one: the message) have to be
 * known.  false: it is a new one, for gpudbg_report. */
bool checks_again(struct gpudbg_checks *, const struct gpudbg_report *);
const struct check_options *checks_options(const struct gpudbg_checks *);
struct eval *checks_eval(const struct gpudbg_checks *);
/* A setting of checkers has changed: those that watch begin anew. */
void checks_changed(struct gpudbg_checks *);
/* The first report at the latest stop, or NULL. */
const struct check_report *checks_said(const struct gpudbg_checks *);
/* The program has ended: returns whether its last instruction was reported; that report is then the latest stop. */
bool checks_left(struct gpudbg_checks *);
/* "reduce.cl:12, from reduce.cl:30 in reduce": the lines that a report is about, from its instruction out through
 * inlined functions and calls.  "" where there is no source. */
int check_source(struct eval *, const struct check_report *, char *buf, size_t size);
int check_source_at(struct eval *, uint64_t pc, char *buf, size_t size);
/* The same as an array "frames" of the record being written; nothing without a source. */
void check_frames(struct eval *, const struct check_report *, struct gpudbg_out *);
/* "reduce+0x40 (reduce.cl:12)" */
int check_where(const struct gpudbg_image *, uint64_t pc, char *buf, size_t size);

bool checks_at(const struct gpudbg_checks *, uint64_t pc); /* this instruction has a report that is not a note */
/* The i-th report in the order they were added; NULL past the end. */
const struct check_report *checks_report(const struct gpudbg_checks *, size_t i);

#endif
