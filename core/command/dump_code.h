/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_code.h: the code that the waves of a dump stand in. */
#ifndef GPUDBG_DUMP_CODE_H
#define GPUDBG_DUMP_CODE_H

#include "gpudbg.h"

/* The instructions at which waves of a capture (-1: of each) stand: with how many of them, what they wait for, the
 * descriptors that they use, and the code around in the file that has it, of those that are open. */
void dump_code_show(struct gpudbg *, const struct gpudbg_dump *, long capture, struct gpudbg_out *);

#endif
