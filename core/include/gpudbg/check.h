/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h: checkers, which look at loaded code or watch a run, and what they report. */
#ifndef GPUDBG_PUBLIC_CHECK_H
#define GPUDBG_PUBLIC_CHECK_H

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Checkers ---- */

/* A checker's report about one place in code. */
struct gpudbg_report {
    uint64_t pc;         /* the instruction */
    uint64_t lanes;      /* the lanes that the report is about; 0: no lanes in particular */
    long line, column;   /* of a file of text; 0: see pc */
    const char *error;   /* NULL: a warning. Else the code is wrong: one of the fixed words for errors */
    const char *message; /* one line: what is wrong, with names and numbers */
    const char *origin;  /* where the cause is, or NULL */
};

struct gpudbg_checks; /* collects reports */

/* Adds a report; its texts are copied.  The same message at the same place is kept only once. While code runs, the
 * first report of this kind at a pc stops the run before the instruction. */
GPUDBG_PUBLIC void gpudbg_report(struct gpudbg_checks *, const struct gpudbg_report *);

/* A checker looks at loaded code (`code`), or watches a program run (the other functions), or does both. It learns what
 * an instruction reads and writes from its operands (as runner->actual gives them), so it does not need to know the
 * instruction set.
 *
 * A watching checker sees every instruction from the launch on exactly once, in the order of time, wherever the user
 * goes in time. Core runs again what the checker missed. So the same program always gives the same reports. */
struct gpudbg_checker {
    const char *kind, *summary;
    bool (*applies)(const struct gpudbg_isa *); /* NULL: to all */
    bool (*code)(const struct gpudbg_image *, struct gpudbg_checks *, struct gpudbg_error *);
    /* Watching: `state` is the checker's own; start makes it and stop frees it. If start returns NULL, there is nothing
     * to watch in this launch. */
    void *(*start)(struct gpudbg_machine *, struct gpudbg_checks *);
    void (*stop)(void *state);
    void (*before)(void *state, struct gpudbg_wave *, const struct gpudbg_insn *);
    /* A load or store that the instruction makes, lane by lane (-1: the whole wave), after `before`. */
    void (*access)(
        void *state, struct gpudbg_wave *, unsigned space, uint64_t addr, uint64_t size, bool write, int lane);
    void (*barrier)(void *state, struct gpudbg_wave *); /* the wave has arrived at a barrier */
    void (*edit)(void *state, struct gpudbg_wave *, unsigned file, unsigned index); /* the user stored to a register */
    void (*passed)(void *state, struct gpudbg_wave *,
        const struct gpudbg_insn *); /* called in place of `before` for an instruction that is skipped */
};

#ifdef __cplusplus
}
#endif
#endif
