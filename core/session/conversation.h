/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * conversation.h: records around what a line prints, for programs that send lines and read records: `begin` before, and
 * `end` after.  See share/help/conversation.
 */
#ifndef GPUDBG_CONVERSATION_H
#define GPUDBG_CONVERSATION_H

#include "gpudbg.h"

/* Of one session. */
struct conversation {
    uint64_t id;     /* of the latest line; the first is 1 */
    unsigned within; /* lines inside each other: scripts, defined commands */
};

/* What conversation_begin keeps for conversation_end. */
struct line_begun {
    bool begun;      /* there was a `begin` */
    unsigned errors; /* of the session, then */
};

struct line_begun conversation_begin(struct gpudbg *, const char *line, struct gpudbg_out *);
void conversation_end(struct gpudbg *, const struct line_begun *, struct gpudbg_out *);

#endif
