/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * watch.h: internal parts of check.h.  Reports are kept in check.c; check_watch.c tells watchers what the machine does;
 * check_share.c shows them recorded time, by several processes where that pays.
 *
 * What watchers are told is counted: it is the same in every process that runs the same again.  So a report knows its
 * place among those of other processes.
 */
#ifndef GPUDBG_WATCH_H
#define GPUDBG_WATCH_H

#include "base/pool.h"
#include "check/check.h"
#include "check/told.h"
#include "machine/machine.h"

struct watcher {
    const struct gpudbg_checker *checker;
    void (*before)(void *state, struct gpudbg_wave *, const struct gpudbg_insn *); /* the checker's */
    uint64_t bit;                                                                  /* in told.wants */
    void *state;       /* NULL: it has nothing to watch in this launch */
    struct pool *pool; /* holds its state; NULL: other processes cannot reach it */
    unsigned process;  /* that shows it recorded time: 0 is the one that was asked */
    bool here;         /* ... which is this one, and it has a state: it is told */
    bool dwords;       /* ... of several dwords of a lane at once: ROW_DWORDS */
    uint64_t spent;    /* nanoseconds of instructions measured; at the end without what looking at the clock takes */
    uint64_t calls;    /* that were measured */
};

struct listener {
    void (*access)(void *state, struct gpudbg_wave *, const struct gpudbg_access *);
    void (*accesses)(void *state, struct gpudbg_wave *, const struct gpudbg_accesses *); /* or NULL */
    void *state;
    struct watcher *watcher;
};

/* The calls that a wave is in, the outermost first; of more than there is room for, the innermost. */
struct calls {
    struct {
        uint64_t pc, back; /* of the call; where it comes back to */
    } of[CHECK_CALLS];
    unsigned n;
};

struct gpudbg_checks {
    struct eval *eval;
    const struct check_options *options;
    struct check_report *report;
    size_t count, room;
    struct watcher *now; /* whose function is being called */
    const char *kind;    /* ... where it is NULL: a checker of code */
    /* Watching. */
    struct watcher *watch;
    size_t nwatch;
    struct listener *listening; /* those that are told of loads and stores, which are many */
    size_t nlistening;
    struct machine_observer observer;
    bool started;      /* in this launch */
    bool rewound;      /* ... and shown it from there */
    uint64_t seen;     /* position up to which everything was shown */
    uint64_t futures;  /* of the recorded time that was seen */
    uint64_t event;    /* what they were told is counted */
    uint64_t spoken;   /* calls of gpudbg_report, of those that only count, too */
    unsigned sampling; /* one instruction in `sampling` is measured; 0: not measuring */
    bool measured;     /* ... and this is one: how long watchers take */
    uint32_t random;   /* it chooses them */
    uint64_t aside;    /* nanoseconds of the call that are not counted */
    bool fresh;        /* what happens now was not shown before */
    bool late;         /* recorded time is shown again: a report does not stop the run */
    bool told;         /* the latest instruction stopped the run when it was shown: it executes when that goes on */
    struct gpudbg_wave *wave;          /* of the instruction being shown */
    size_t before;                     /* reports there were before it */
    size_t said;                       /* the first report of the latest stop */
    struct array_functions *functions; /* checks_functions; or NULL */
    struct calls **calls;              /* by wave; NULL: it has called nothing */
    bool *arrived;                     /* by wave: its latest instruction was a barrier */
    uint64_t *busy;                    /* by wave: watchers that are not idle, as told.wants */
    uint64_t any_busy;                 /* ... in all waves */
    uint64_t after_barriers;           /* as told.wants: watchers of barriers */
    struct told_code code;
    uint32_t number; /* of the instruction being shown */
    const struct gpudbg_insn *(*actual)(
        struct gpudbg_wave *, const struct gpudbg_insn *, struct gpudbg_insn *own); /* the
        runner's, or NULL */
    struct gpudbg_insn own;                                                         /* ... where it puts one */
};

/* Whether a checker looks at code, or runs, of the instruction set. */
bool checks_apply(const struct gpudbg_checker *, const struct gpudbg_isa *);
/* Forgets what a checker (NULL: any) said of code, or of runs. */
void checks_forget(struct gpudbg_checks *, const char *kind, bool running);
/* Takes over reports of another process, n of them with texts malloc'ed, in the order in which they were made.  They
 * are merged with those after the first `from`. */
void checks_merge(struct gpudbg_checks *, size_t from, const struct check_report *, size_t n);

/* From now on only watchers of this process are called. */
void checks_tell(struct gpudbg_checks *, unsigned process);
/* Starts those that are on, to be told here.  pooled: other processes may come to what they know, where they allow it.
 */
void checks_start(struct gpudbg_checks *, bool pooled);
/* Replays recorded time to position `to` for the watchers.  false: interrupted, and the present may be anywhere. */
bool checks_show(
    struct gpudbg_checks *, uint64_t to, bool (*tick)(void *data, uint64_t done, uint64_t todo), void *data);
/* Starts to time one instruction in `of`.  0 stops; the times of all watchers are then known. */
void checks_sample(struct gpudbg_checks *, unsigned of);

#endif
