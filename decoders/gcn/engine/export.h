/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.h: the data that waves send out of the machine, and its listings. */
#ifndef GCN_EXPORT_H
#define GCN_EXPORT_H

#include "engine/gcn_exec.h"

extern const struct gpudbg_listing gcn_exports, gcn_messages;

/* s_sendmsg, s_sendmsghalt: op->imm is the message. */
const struct gcn_op *gcn_message(struct gpudbg_wave *, const struct gcn_op *, bool halt);

#endif
