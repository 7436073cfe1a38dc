/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child.h: programs that the user runs from here: `shell` and `pipe`.  A command is given to the shell as it was
 * typed; nothing of gpudbg's is pasted into it.
 */
#ifndef GPUDBG_CHILD_H
#define GPUDBG_CHILD_H

#include <sys/types.h>
#include "gpudbg.h"

struct program {
    pid_t pid;
    int out;    /* what it prints, to read; -1: it prints where gpudbg does */
    bool alone; /* at no terminal: in a group of its own, so that Ctrl-C's signal can be sent to all of it */
};

/* How it went. */
struct program_end {
    int status, signal; /* one of them is 0 */
    char *text;         /* what it printed, if it was to be taken; malloc'ed */
};

/* Starts $SHELL (or /bin/sh) with the command; "": a shell to type to.  in: what it reads, -1: the terminal, if
 * standard input is one, else nothing.  take: what it prints is to be taken. */
bool program_start(struct program *, const char *command, int in, bool take, struct gpudbg_error *);
/* Waits for its end.  false: the user had enough of it, or it printed too much; then it was ended. */
bool program_wait(struct gpudbg *, struct program *, struct program_end *, struct gpudbg_error *);

#endif
