/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conversation.c: begin and end; see conversation.h. */
#include "session/conversation.h"
#include "out/say.h"
#include "session/script.h"
#include "session/session.h"

#define CONVERSATION 1 /* of the rules in share/help/conversation; a change that a client must know of raises it */

/* A reader learns of each at once: of the first, that the line was read and can be interrupted. */
struct line_begun conversation_begin(struct gpudbg *g, const char *line, struct gpudbg_out *out)
{
    const struct line_begun told = {.begun = g->settings.conversation && !g->conversation.within, .errors = g->errors};
    g->conversation.within++;
    if (!told.begun) return told;
    g->conversation.id++;
    RECORD(out, "begin", NULL, NUMBER("id", g->conversation.id), STRING("command", line),
        STRING("version", GPUDBG_VERSION), NUMBER("conversation", CONVERSATION));
    out_flush(out);
    return told;
}

void conversation_end(struct gpudbg *g, const struct line_begun *told, struct gpudbg_out *out)
{
    g->conversation.within--;
    if (!told->begun) return;
    const char *status = g->errors > told->errors ? "failed" : block_open(g) ? "open" : "done";
    RECORD(out, "end", NULL, NUMBER("id", g->conversation.id), STRING("status", status),
        IF(block_open(g), STRING("block", block_open(g))));
    out_flush(out);
}
