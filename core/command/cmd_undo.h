/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_undo.h: registers and memory that the user changes by an assignment: what they were before, and are now. */
#ifndef GPUDBG_CMD_UNDO_H
#define GPUDBG_CMD_UNDO_H

#include "gpudbg.h"

/* Makes the assignment "PLACE = EXPR".  On a screen it says what has changed: "a[3]: -4 -> 99.5"; `undo` takes it
 * back. */
bool change_assign(struct gpudbg *, const char *text, struct gpudbg_out *, struct gpudbg_error *);

#endif
