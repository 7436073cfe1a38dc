/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printed.h: what the program printed (OpenCL's printf), as text, and which work-item printed it. */
#ifndef GPUDBG_PRINTED_H
#define GPUDBG_PRINTED_H

#include "machine/machine.h"

/* A call of printf.  Borrowed until each() returns. */
struct printed {
    uint64_t position; /* of the last instruction that wrote a part of it */
    uint32_t wave;
    int lane; /* -1: not known */
    uint32_t group[3], local[3], item[3];
    const char *text;    /* what it prints, with what a program may have put there: show it through shown.h */
    const char *problem; /* why there is no text, or why messages may be missing from here on; NULL: all is well */
};
typedef bool printed_fn(void *to, const struct printed *);

/* Calls each(to, ...) for every message that is whole at the present position, in the order of the buffer, until it
 * returns false.  fresh: only for those that no such call has given before. */
void printed_each(struct gpudbg_machine *, bool fresh, printed_fn *each, void *to);

#endif
