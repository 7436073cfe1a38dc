/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h: checkers, which look at loaded code or watch a run, and what they report. */
#ifndef GPUDBG_PUBLIC_CHECK_H
#define GPUDBG_PUBLIC_CHECK_H

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Checkers ---- */

/* What a checker has to say about one place in code. */
struct gpudbg_report {
    uint64_t pc;         /* the instruction */
    uint64_t lanes;      /* the lanes that it is about; 0: no lanes in particular */
    long line, column;   /* of a file of text; 0: use pc */
    const char *error;   /* NULL: a warning.  Otherwise the code is wrong: a word of `help errors` */
    bool note;           /* a remark: nothing is wrong, and it is not counted as a finding */
    bool address;        /* it is about addresses of the lanes: the report then also says what they were computed from
                            */
    const char *message; /* one line: what is wrong, with names and numbers */
    const char *origin;  /* where the trouble comes from, or NULL */
    const char *cause; /* what is wrong in words that are the same for every lane and wave: reports of one cause at one
                        * instruction are one report, the first is its example.  NULL: the message */
    uint32_t by;       /* id + 1 of the wave whose instruction it is; 0: of the wave that runs */
};

struct gpudbg_checks; /* collects reports */

/* Adds a report; its texts are copied.  The same cause at the same place is kept once, and counted.  While code runs, a
 * new one stops the run: before the instruction if the checker's `before` reports it, else after it. */
GPUDBG_PUBLIC void gpudbg_report(struct gpudbg_checks *, const struct gpudbg_report *);

/* Memory for the state of a watching checker (n elements of `size` bytes, all 0), to be called from its functions;
 * never NULL.  Its `stop` frees it with gpudbg_checks_free, which also takes NULL and memory of malloc. */
GPUDBG_PUBLIC void *gpudbg_checks_alloc(struct gpudbg_checks *, size_t n, size_t size);
GPUDBG_PUBLIC void gpudbg_checks_free(struct gpudbg_checks *, void *);

/* For `before`: the number of the instruction, below gpudbg_checks_numbers, so that something can be kept for each.  It
 * depends on the address alone.  UINT32_MAX: it has none, or its operands are others at present (runner->actual). */
GPUDBG_PUBLIC uint32_t gpudbg_checks_number(const struct gpudbg_checks *);
GPUDBG_PUBLIC uint32_t gpudbg_checks_numbers(const struct gpudbg_checks *); /* from `start` on */

/* For a checker with `rests`, in its `before`, `access` and `accesses`: it has nothing to remember of the wave (NULL:
 * of any), or has again.  No wave is idle at first. */
GPUDBG_PUBLIC void gpudbg_checks_idle(struct gpudbg_checks *, const struct gpudbg_wave *, bool idle);

/* A checker looks at loaded code (`code`), or watches a program run (the others), or does both.  It learns what an
 * instruction reads and writes from its operands (as runner->actual gives them), so it need not know the instruction
 * set.
 *
 * A checker that watches sees every instruction from the launch on, once, in the order of time, also if the user goes
 * back: core replays what it missed.  So it reports the same for the same program. */
struct gpudbg_checker {
    const char *kind, *summary;
    bool (*applies)(const struct gpudbg_isa *); /* NULL: to all */
    bool (*code)(const struct gpudbg_image *, struct gpudbg_checks *, struct gpudbg_error *);
    /* Watching.  start makes `state`, which is the checker's own, and stop frees it.  start returns NULL if there is
     * nothing to watch. */
    void *(*start)(struct gpudbg_machine *, struct gpudbg_checks *);
    void (*stop)(void *state);
    void (*before)(void *state, struct gpudbg_wave *, const struct gpudbg_insn *);
    /* Whether `before` is to be called for the instruction, whatever the state of the wave.  It is asked once or more,
     * and the answer must not change.  NULL: `before` is called for all.  Checkers with `barrier` are told of the
     * instruction after each barrier, too. */
    bool (*heeds)(void *state, const struct gpudbg_insn *);
    /* Called after `before`, for each load or store of the instruction, lane by lane or for the whole wave. */
    void (*access)(void *state, struct gpudbg_wave *, const struct gpudbg_access *);
    /* Called instead for those of several lanes at once; NULL: `access` is called for each of them. */
    void (*accesses)(void *state, struct gpudbg_wave *, const struct gpudbg_accesses *);
    void (*barrier)(void *state, struct gpudbg_wave *);                             /* the wave arrived at a barrier */
    void (*edit)(void *state, struct gpudbg_wave *, unsigned file, unsigned index); /* the user stored to a register */
    /* The user stored to memory: the access is called with the wave whose group's memory it is. */
    void (*edit_memory)(void *state, struct gpudbg_wave *, const struct gpudbg_access *);
    void (*passed)(void *state, struct gpudbg_wave *,
        const struct gpudbg_insn *); /* called instead of `before` if the instruction is passed over */
    /* Its whole state is in memory of gpudbg_checks_alloc, and contains no addresses but those of constants and of
     * objects that existed at the start.  So another process may replay recorded time to it. */
    bool apart;
    /* What it says of a group follows from what the waves of that group do: so groups may run, and be watched, before
     * their turn, in another process.  One in which it says something is run again in its turn. */
    bool by_group;
    /* Whether neither `before` nor `passed` has anything to do for the instruction in a wave that is idle
     * (gpudbg_checks_idle).  Asked as `heeds` is.  NULL: never. */
    bool (*rests)(void *state, const struct gpudbg_insn *);
};

#ifdef __cplusplus
}
#endif
#endif
