/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dap.h: the Debug Adapter Protocol, by which editors use the debugger:
 * https://microsoft.github.io/debug-adapter-protocol
 *
 * A floor beside the screen: it sees core, and nothing of ui.  One conversation has one session.
 */
#ifndef DAP_DAP_H
#define DAP_DAP_H

#include <stddef.h>
#include "gpudbg.h"

/* Who makes sessions: one a conversation. */
struct dap_sessions {
    /* A new session with what the command line names loaded; NULL with an error.  What it prints goes to out. */
    struct gpudbg *(*open)(void *data, struct gpudbg_out *out, struct gpudbg_error *);
    void *data;
};

/* A conversation on standard input and output.  What else would be printed there goes to standard error.  Returns an
 * exit status. */
int dap_standard(const struct dap_sessions *);
/* Listens on a port of the loopback address (0: a free one, which is printed) for one client after another, until a
 * signal ends the process.  Returns an exit status if it cannot. */
int dap_listen(const struct dap_sessions *, unsigned port);
/* A conversation of which everything that the client sends is known; what is sent to it is dropped.  For fuzzers. */
void dap_given(const struct dap_sessions *, const char *bytes, size_t n);

#endif
