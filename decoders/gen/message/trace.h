/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h: every message a launch has sent, for `info messages`.  This costs a run nothing: the run is repeated to list
 * them. */
#ifndef GEN_TRACE_H
#define GEN_TRACE_H

#include "message/message_run.h"

void gen_trace_add(const struct gen_message *);
extern const struct gpudbg_listing gen_messages;

#endif
