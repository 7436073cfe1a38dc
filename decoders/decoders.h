/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decoders.h: the decoders that are built in. */
#ifndef GPUDBG_DECODERS_H
#define GPUDBG_DECODERS_H

#include "gpudbg.h"

extern const struct gpudbg_plugin *const builtin_plugins[]; /* NULL-terminated; for session_open */

#endif
