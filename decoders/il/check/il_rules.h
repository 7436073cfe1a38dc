/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_rules.h: what the manual asks of a stream as a whole.  Errors have one of the fixed words of the command-line
 * contract for their kind; all else is a warning, named by its rule in rules.def.
 */
#ifndef IL_RULES_H
#define IL_RULES_H

#include "il.h"

struct il_finding {
    const char *kind;   /* NULL: a warning */
    const char *rule;   /* short name; of an error, its kind */
    const char *source; /* manual and section */
    bool note;          /* not an error: real programs differ from the manual in this way */
    uint32_t token;     /* the token at fault, from the first of the stream */
    uint32_t packet;    /* first token of the instruction it belongs to */
    char message[240];
};

typedef bool il_finding_fn(void *to, const struct il_finding *); /* false: enough */

/* Checks the stream of n bytes and calls each(to, ...) for every finding; those of one rule come in the order of
 * tokens. */
void il_check(const uint8_t *raw, size_t n, il_finding_fn *each, void *to);

extern const struct gpudbg_checker il_checker;

#endif
