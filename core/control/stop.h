/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.h: breakpoints and watchpoints as the user knows them: numbers, conditions, ignore and hit counts, on and off.
 */
#ifndef GPUDBG_STOP_H
#define GPUDBG_STOP_H

#include "past/catch.h"
#include "control/control.h"
#include "past/past.h"
#include "eval/locals.h"
#include "machine/machine.h"

/* One of the addresses that a breakpoint stops before; the first is N.1, as the user counts. */
struct stop_location {
    uint64_t pc;
    bool on;
};

struct stop_point {
    int number;
    enum { STOP_BREAK, STOP_WATCH, STOP_CATCH } kind;
    bool on, temporary, reads, writes;
    bool once; /* it is switched off when it has stopped the program; temporary: it is deleted then */
    struct stop_location *location; /* BREAK: at least one, the lowest address first, each address once */
    size_t nlocations;
    uint32_t line; /* BREAK: of the source, taken because the one that was asked for has no code; 0: as asked */
    struct past_place place;        /* WATCH */
    struct catching_state catching; /* CATCH: of the instruction being met, */
    struct catching_state caught;   /* ... and as it was at the latest hit, without results */
    uint64_t pc;     /* WATCH of registers or of a variable that is followed: of the instruction that was met last */
    uint64_t its_pc; /* ... of the one being met */
    char what[512];  /* as the user named it; sessions keep it: point_named */
    char condition[256]; /* "" : none */
    int wave, lane;      /* only there; -1: anywhere */
    uint64_t ignore, hits;
    bool first, ended; /* WATCH of a variable that is followed: it has its first value; it has no place any more */
    bool met;          /* by the latest run */
    struct line_list commands;                      /* run when it stops */
    bool commands_off;                              /* ... but not these: a session brought them */
    unsigned char old[PAST_BYTES], now[PAST_BYTES]; /* WATCH: before and after the latest hit; the first bytes */
    unsigned char before[PAST_BYTES];               /* ... of registers: before the one being met */
    uint64_t before_sum;                            /* ... and a sum of all of it, where it is larger */
    struct past_stored stored;                      /* WATCH of memory: the element that the latest hit is about */
};

/* A stop that a point, a checker or a fault made. */
struct stop_made {
    uint64_t future, position; /* as machine_futures had it */
    int number;                /* of the point; 0: a checker or a fault */
};
#define STOPS_MADE 256 /* that are kept: the latest */
/* The i-th of those kept that belong to the recorded time of the machine that runs, the latest first; NULL: no more. */
const struct stop_made *stops_made(const struct control *, size_t i);
void stops_forget(struct control *); /* the machine is about to be freed */

struct stops *stops_new(void);
void stops_free(struct stops *);
/* Numbers it (a number above all others is kept), arms it, takes over what it points to; NULL: nothing was taken. */
struct stop_point *stops_add(struct control *, const struct stop_point *, struct gpudbg_error *);
bool stops_remove(struct control *, int number, struct gpudbg_error *); /* 0: all */
struct stop_point *stops_find(struct control *, int number);
struct stop_point *stops_next(struct control *, int after); /* in order of number; NULL: no more */
struct stop_point *stops_at(struct control *, uint64_t pc); /* the first breakpoint with a location there */
/* The breakpoint's location at pc, or NULL. */
struct stop_location *stop_location_at(const struct stop_point *, uint64_t pc);
void stops_arm(struct control *); /* after a new launch, or after `on` of a point was changed */
/* The lane that a condition names ($v3[37] > 1); -1: none; -2: it is another in every lane ($v3 > 1). */
int stop_condition_lane(const struct gpudbg_isa *, const char *condition);
/* machine_run with conditions, ignore counts, temporaries and the front end's ticks; fills ctl->last and selects the
 * wave (and lane) that stopped. */
bool stops_run(struct control *, struct machine_want *, struct gpudbg_error *);
/* What stopped, without the place: "Breakpoint 1.1", "Watchpoint 2 (c[17])", "Done: 64 waves".  Like snprintf. */
int stop_brief(struct control *, char *buf, size_t size);
/* Prints where and why, or the "stop" record. */
void stop_report(struct control *, struct gpudbg_out *);

#endif
