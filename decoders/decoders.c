/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoders that are built in, one line each.  A folder decoders/NAME exports NAME_plugin, the same descriptor as a
 * plug-in's. */
#include "decoders.h"

#define DECODERS(X) \
    X(gcn)          \
    X(gen)          \
    X(il)           \
    X(dumps)        \
    X(containers)

#define DECLARE(name) extern const struct gpudbg_plugin name##_plugin;
DECODERS(DECLARE)

#define LIST(name) &name##_plugin,
const struct gpudbg_plugin *const builtin_plugins[] = {DECODERS(LIST) NULL};
