/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * local_watch.h: a variable of the source, of one lane, followed through registers.  Its place is asked for again at
 * every instruction of its wave, so that it is found where the debug information moves it.
 */
#ifndef GPUDBG_LOCAL_WATCH_H
#define GPUDBG_LOCAL_WATCH_H

#include "eval/locals.h"

#define LOCAL_WATCHED 512 /* bytes of a variable that is followed */

/* An instruction of the function that the variable belongs to. */
struct local_step {
    uint64_t pc;
    bool has;   /* the debug information gives the variable a place before it */
    bool ahead; /* ... or before an instruction that may come later */
};

struct local_watch {
    uint32_t wave;
    int lane;
    char expr[512];
    uint64_t at;             /* the variable is the one that has this name at this address */
    uint64_t entry;          /* of the variable in the debug information: scopes_number */
    uint64_t size, shape;    /* as in struct local_memory */
    struct value_type type;  /* bits 0: it is no number */
    struct local_step *step; /* ascending */
    size_t nsteps;
    /* What was seen of it. */
    enum { LOCAL_UNSEEN, LOCAL_NOWHERE, LOCAL_SEEN } seen; /* UNSEEN: time was changed since */
    uint64_t executed;                                     /* by the wave, when it will be asked about next */
    bool asked;                  /* it was asked about the instruction before that, which has not been executed yet */
    bool fresh;                  /* what was seen is what is there now */
    uint8_t held[LOCAL_WATCHED]; /* when it was seen last */
    char where[96], was[96];     /* its place then; and before that */
};

/* Follows the variable, or a part of one, that is all of the expression, as it is called at an address.  Free it.
 * NULL: it is no variable, a pointer, too large, or the debug information gives it no place from there on. */
struct local_watch *local_watch_new(struct eval *, uint32_t wave, int lane, uint64_t at, const char *expr);
struct local_watch *local_watch_copy(const struct local_watch *);
void local_watch_free(struct local_watch *);
/* Looks at it where the wave stands.  false: it has no place there, or its lane is off. */
bool local_watch_read(struct eval *, const struct local_watch *, uint8_t *bytes, char *where, size_t size);
/* A run begins: the user may have changed it. */
void local_watch_begin(struct local_watch *);
/* Before an instruction of its wave. */
void local_watch_before(struct eval *, struct local_watch *, const struct gpudbg_wave *);
/* After that instruction, which stood at pc.  FIRST: it has a place for the first time since it is followed; ENDED: it
 * has none from here on.  CHANGED: *was holds what it held. */
enum local_change { LOCAL_SAME, LOCAL_CHANGED, LOCAL_FIRST, LOCAL_ENDED };
enum local_change local_watch_after(
    struct eval *, struct local_watch *, const struct gpudbg_wave *, uint64_t pc, uint8_t was[LOCAL_WATCHED]);
/* The addresses of all instructions, which are to be traced for it, ascending; malloc'ed. */
size_t local_watch_traces(const struct eval *, uint64_t **pc);

#endif
