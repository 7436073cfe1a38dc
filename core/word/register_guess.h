/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * register_guess.h: of which registers a number could be a value.
 *
 * A register rules a value out by a reserved bit that is set, or a field whose value has no name among those that it
 * has.  What does not rule it out agrees: a reserved bit that is 0 is one bit of agreement, and a field of n bits with
 * k named values n - log2 k.  A plain number agrees with everything, so it says nothing.
 */
#ifndef GPUDBG_REGISTER_GUESS_H
#define GPUDBG_REGISTER_GUESS_H

#include "word/registers.h"

struct register_guess {
    const struct gpudbg_reg *reg;
    unsigned agrees; /* bits */
    unsigned named;  /* fields that are not 0 and whose value has a name */
};

/* All registers of an instruction set (NULL: of any), the most plausible first, malloc'ed; *n of them. */
struct register_guess *register_guesses(struct regdb *, const char *isa, uint64_t value, size_t *n);

#endif
