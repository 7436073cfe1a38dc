/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_diff.h: what differs between two dumps, or two captures of one. */
#ifndef GPUDBG_DUMP_DIFF_H
#define GPUDBG_DUMP_DIFF_H

#include "gpudbg.h"

/* The words behind `info dump diff`: N [M], captures of the first dump; FILE, the first dump against it. */
bool dump_diff(struct gpudbg *, struct gpudbg_args *, struct gpudbg_out *, struct gpudbg_error *);
/* Decimal digits and nothing else. */
bool dump_number(const char *text, long *n);

#endif
