/* SPDX-License-Identifier: GPL-3.0-or-later */
/* try_line.h: the instruction under the cursor as a `try` command, with the values that it would read now. */
#ifndef UI_TRY_LINE_H
#define UI_TRY_LINE_H

#include "gpudbg.h"

/* Writes `try TEXT  pc=ADDR NAME=VALUE... start=now`: what differs from lane to lane is left to `start=now`.  Without a
 * launch of this instruction set all values are 0.  Returns the length, like snprintf. */
int try_line(struct gpudbg *, const struct gpudbg_insn *, char *buf, size_t size);

#endif
