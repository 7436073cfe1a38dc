/* SPDX-License-Identifier: GPL-3.0-or-later */
/* families.h: every command of core. */
#ifndef GPUDBG_FAMILIES_H
#define GPUDBG_FAMILIES_H

#include "gpudbg.h"

/* The families of commands, one file each; each is a plug-in like any other.  NULL-terminated; for session_open. */
extern const struct gpudbg_plugin *const command_families[];

#endif
