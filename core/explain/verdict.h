/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * verdict.h: what of an explained dump matters most, in one line; when it happened; and a signature by which the same
 * hang is found again in another dump.  Which finding weighs most is in the rules: `words weight`, by rule or cause.
 */
#ifndef GPUDBG_VERDICT_H
#define GPUDBG_VERDICT_H

#include "explain/explain.h"

struct verdict {
    const struct finding *finding; /* what failed; borrowed from the explanation */
    const char *process;           /* whose work it was, or NULL; borrowed from the dump, as the log wrote it */
    uint64_t pid;                  /* 0: not told */
    char outcome[200];             /* what came of it, a phrase; "" if the dump does not tell */
    bool likely;                   /* inferred, not read from the dump */
};

/* false: no finding says what failed. */
bool verdict_of(const struct explain *, const struct gpudbg_dump *, struct verdict *);
/* The verdict as one line, without the process unless names are wanted; the length it has or would have. */
int verdict_text(const struct verdict *, bool names, char *buf, size_t size);
/* Stable under times, addresses, counts and names: 16 hexadecimal digits and a 0. */
void verdict_signature(const struct verdict *, char buf[17]);

/* Something that happened, or the same again and again. */
struct moment {
    const struct gpudbg_incident *incident; /* the first */
    uint32_t count, last;                   /* last: line of the last */
    char when[40];                          /* in the log's own time, "" if it tells none */
};
/* In the order of the log's time, storms folded; *n of them, to be freed.  *more: how many were left out in the middle.
 */
/* What happened; names: of processes, and of the device where there are several, which may name a machine. */
void moment_text(const struct gpudbg_dump *, const struct moment *, bool names, char *buf, size_t size);
struct moment *moments_of(const struct gpudbg_dump *, size_t *n, size_t *more);

#endif
