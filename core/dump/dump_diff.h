/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_diff.h: what differs between two dumps, or two captures of one. */
#ifndef GPUDBG_DUMP_DIFF_H
#define GPUDBG_DUMP_DIFF_H

#include "gpudbg.h"

struct dump_env; /* dump.h */

/* The words behind `info dump diff`: N [M], captures of the first of the dumps, of which there is one at least; FILE,
 * the first dump against it, which is opened in env if it is none of them; NULL: no file may be opened. */
bool dump_diff(const struct dump_env *, struct gpudbg_dump *const *dumps, size_t ndumps, struct gpudbg_args *,
    struct gpudbg_out *, struct gpudbg_error *);
/* Decimal digits and nothing else. */
bool dump_number(const char *text, long *n);

#endif
