/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_memory.h: `restore FILE binary ADDRESS`, for the command restore. */
#ifndef GPUDBG_CMD_MEMORY_H
#define GPUDBG_CMD_MEMORY_H

#include "session/session.h"

bool restore_is_binary(const char *rest); /* the second word is "binary" */
bool restore_binary(struct gpudbg *, struct gpudbg_args *, struct gpudbg_out *, struct gpudbg_error *);

#endif
