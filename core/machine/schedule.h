/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * schedule.h: whose turn it is, and the log of whose turn it was.
 *
 * By default groups run one after another, and the waves of a group in turn: a turn ends at a barrier, a sleep, the
 * wave's end or after SCHEDULE_QUANTUM instructions.  The cursor says where that stands; it always names a wave that
 * can run. Runs of another wave by the user do not move it, except off a wave that can no longer run.
 *
 * The log holds runs of turns and edits.  It is all that is needed to repeat time from the launch.
 */
#ifndef GPUDBG_SCHEDULE_H
#define GPUDBG_SCHEDULE_H

#include "gpudbg.h"

#define SCHEDULE_QUANTUM 4096

struct cursor {
    uint32_t group; /* ngroups: all have ended */
    uint32_t wave;  /* in the group */
    uint32_t left;  /* instructions of its turn */
};

struct edit; /* something the user changed; edit.c has it */

struct log_entry {
    uint64_t n;        /* instructions; 0 for an edit */
    struct edit *edit; /* or NULL */
    uint32_t wave;     /* MACHINE_NO_WAVE: whoever's turn it was */
};

struct log_place {
    size_t entry;
    uint64_t done;  /* instructions of that entry */
    uint64_t edits; /* passed since the launch */
};

struct schedule {
    struct cursor cursor;
    uint64_t position, recorded;
    struct log_entry *log;
    size_t nlog, log_room;
    struct log_place place;
    uint64_t nedits;
    uint64_t futures; /* times that recorded time was cut off */
    struct cut {
        uint64_t future, position; /* that cut time off there; later ones are at later positions */
    } * cut;
    size_t ncuts, cuts_room;
    const struct gpudbg_wave *runs; /* the wave that runs, in schedule_run; it began when it had executed `ran` */
    uint64_t ran;
    uint64_t barriers;                                          /* met while running; of no meaning but its change */
    void (*edit)(struct gpudbg_machine *, const struct edit *); /* makes it again */
    void (*edit_free)(struct edit *);
};

/* Who may run now, for how many instructions at most, and how the log will call it. */
struct turn {
    struct gpudbg_wave *wave;
    uint64_t limit;
    uint32_t as;
};

void schedule_open(struct gpudbg_machine *);
void schedule_close(struct gpudbg_machine *);

/* false: nobody can, or there is no memory for the group (then schedule_ended is false). */
bool schedule_recorded(struct gpudbg_machine *, struct turn *);             /* as the log says; position < recorded */
bool schedule_default(struct gpudbg_machine *, struct turn *);              /* by the cursor */
bool schedule_alone(struct gpudbg_machine *, uint32_t wave, struct turn *); /* it, or while it waits one it waits for */
const struct log_entry *schedule_upcoming(const struct gpudbg_machine *);   /* NULL: recorded time ends here */
bool schedule_ended(const struct gpudbg_machine *);

/* Runs a turn for at most `limit` instructions, and records it unless it was recorded.  *n: instructions executed. */
enum gpudbg_ran schedule_run(struct gpudbg_machine *, const struct turn *, uint64_t limit, bool over, uint64_t *n);

/* The cursor goes to the start of a group (in a copy of the machine that runs ahead). */
void schedule_leap(struct gpudbg_machine *, uint32_t group);
/* The cursor's group has ended without running here, after n instructions, which are recorded.  There was room for
 * that, as schedule_room says. */
void schedule_passed(struct gpudbg_machine *, uint64_t n);
bool schedule_room(struct gpudbg_machine *);

bool schedule_edit_due(const struct gpudbg_machine *); /* the next thing in the log is an edit */
void schedule_edit(struct gpudbg_machine *);           /* makes it */
/* Appends an edit that was made now; the log must end here. */
bool schedule_log_edit(struct gpudbg_machine *, struct edit *);
void schedule_truncate(struct gpudbg_machine *);                                         /* forgets what follows */
bool schedule_forgot(const struct gpudbg_machine *, uint64_t future, uint64_t position); /* machine_forgot */

#endif
