/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoders that are built in: one line each, the same descriptor as a plug-in's. */
#include "decoders.h"

extern const struct gpudbg_plugin amdil_plugin;
extern const struct gpudbg_plugin gen_plugin;
extern const struct gpudbg_plugin gfx7_plugin;
extern const struct gpudbg_plugin dumps_plugin;

const struct gpudbg_plugin *const builtin_plugins[] = {
    &gfx7_plugin,
    &gen_plugin,
    &amdil_plugin,
    &dumps_plugin,
    NULL,
};
