/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_mark.h: bookmarks, for `goto`. */
#ifndef GPUDBG_CMD_MARK_H
#define GPUDBG_CMD_MARK_H

#include "session/marks.h"

/* Says what and where it is, as `info bookmarks` does. */
void mark_show(struct gpudbg *, const struct bookmark *, struct gpudbg_out *);

#endif
