/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_source.h: the source path, for `set`. */
#ifndef GPUDBG_CMD_SOURCE_H
#define GPUDBG_CMD_SOURCE_H

#include "gpudbg.h"

/* Replaces the folders of `set source-path` by those, separated by ':'; false: they stay. */
bool source_path_set(struct gpudbg *, const char *folders, struct gpudbg_error *);
/* The setting was changed: what could not be read may be there now. */
void source_path_changed(struct gpudbg *);

#endif
