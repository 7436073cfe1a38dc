/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_past.h: trees of where values come from, for those who show them beside something else. */
#ifndef GPUDBG_CMD_PAST_H
#define GPUDBG_CMD_PAST_H

#include "past/origin.h"

/* Shows the nodes as `origin` does; their code is that of what is loaded. */
void past_show_origin(struct gpudbg *, const struct origin_node *, size_t n, struct gpudbg_out *);

#endif
