/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_printed.h: what the program printed, for commands that run it. */
#ifndef GPUDBG_COMMAND_PRINTED_H
#define GPUDBG_COMMAND_PRINTED_H

#include "gpudbg.h"

/* Shows the messages that are new since the last call, one a line: "[5,0,0] text". */
void printed_show_new(struct gpudbg *, struct gpudbg_out *);

#endif
