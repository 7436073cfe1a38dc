/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.h: what waves send out of the machine, and its listings. */
#ifndef GFX7_EXPORT_H
#define GFX7_EXPORT_H

#include "run/gfx7_exec.h"

extern const struct gpudbg_listing gfx7_exports, gfx7_messages;

/* s_sendmsg, s_sendmsghalt: op->imm is the message. */
const struct gfx7_op *gfx7_message(struct gpudbg_wave *, const struct gfx7_op *, bool halt);

#endif
