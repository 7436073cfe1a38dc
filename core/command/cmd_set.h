/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_set.h: settings that are part of a saved session: those that decide what is computed or shown. */
#ifndef GPUDBG_CMD_SET_H
#define GPUDBG_CMD_SET_H

#include "gpudbg.h"

/* The table of limits (control/limits.def) with the values that they have now. */
void limits_help(struct gpudbg *, struct gpudbg_out *);
/* Name and value of the i-th; false: there are no more. */
bool setting_text(struct gpudbg *, size_t i, char *name, size_t room, char *value, size_t size);
/* Sets one of them. */
bool setting_put(struct gpudbg *, const char *name, const char *value, struct gpudbg_error *);

#endif
