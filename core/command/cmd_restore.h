/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_restore.h: what `restore` and a saved session do. */
#ifndef GPUDBG_CMD_RESTORE_H
#define GPUDBG_CMD_RESTORE_H

#include "gpudbg.h"

/* A launch of so many waves in place of what was launched, each a group of its own, whose registers nobody knows yet.
 * The loaded code's instruction set can restore waves (isa->dumped). */
bool restore_machine(struct gpudbg *, size_t waves, struct gpudbg_error *);

#endif
