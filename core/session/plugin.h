/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.h: plug-ins in shared objects: opened, checked against this program's ABI, registered, started. */
#ifndef GPUDBG_SESSION_PLUGIN_H
#define GPUDBG_SESSION_PLUGIN_H

#include "gpudbg.h"

struct plugin_loaded; /* the shared objects of a session, the latest first */

/* false: the file does not fit or did not start; the session is as it was. */
bool plugin_load(struct gpudbg *, const char *path, struct gpudbg_error *);
/* Unmaps them, at the end of a session, when it knows nothing of theirs any more. */
void plugins_close(struct plugin_loaded *);

#endif
