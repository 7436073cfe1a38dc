/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script.h: lines of commands that are kept before they are run.  A block is a command that takes the lines behind it,
 * up to its `end`: define, document, commands, if, while; while it is open, lines are kept, not run.  What a block does
 * when it ends is its own; what stands in it is run line by line, and a block inside is then opened like any other.
 */
#ifndef GPUDBG_SCRIPT_H
#define GPUDBG_SCRIPT_H

#include "gpudbg.h"
#include "base/line_list.h"

/* ---- Lines ---- */

/* Runs lines from..to-1 until one fails, a loop is left or the program is; false: one failed. */
bool lines_run(
    struct gpudbg *, const struct line_list *, size_t from, size_t to, struct gpudbg_out *, struct gpudbg_error *);

/* ---- Blocks ---- */

struct block {
    char title[64];         /* "define twice", for the prompt and for messages */
    char *head;             /* what stood behind the command's name */
    struct line_list lines; /* without the `end` */
    bool text;              /* the lines are no commands: a block does not begin in them */
    bool refused;           /* its command has failed */
    bool (*end)(struct gpudbg *, struct block *, struct gpudbg_out *,
        struct gpudbg_error *); /* may keep the lines for itself */
    unsigned deep;              /* blocks open inside it */
    bool deep_text;             /* the innermost of them is of text */
    size_t other;               /* the number of its first line behind an `else`; 0: there is none */
};

/* Opens a block of which title, text and end are given.  Returns true. */
bool block_begin(struct gpudbg *, const struct block *, const char *head);
/* A command has failed: where it should have opened a block in a script, the lines behind it are dropped, not run.
 * Returns false. */
bool block_refuse(struct gpudbg *, const struct gpudbg_command *);
/* The title of the open block; NULL if none is. */
const char *block_open(const struct gpudbg *);
/* Keeps the line in the open block, or ends it. */
bool block_collect(struct gpudbg *, const char *line, struct gpudbg_out *, struct gpudbg_error *);
/* Forgets an open block that will not be finished. */
void block_drop(struct gpudbg *);

/* ---- Under way ---- */

struct script {
    struct block *open;
    bool attending; /* commands of breakpoints are being run */
    unsigned loops; /* `while` inside each other */
    enum loop { LOOP_ON, LOOP_BREAK, LOOP_CONTINUE } loop;
    size_t behind; /* how many lines of open blocks stand between the one that failed and the `end` that ran them */
};

struct script *script_new(void);
/* Whether commands may follow: nobody has left the program, and the output has not ended.  Every loop of commands asks
 * this before each of them, and ends without an error. */
bool commands_go_on(const struct gpudbg *, const struct gpudbg_out *);
void script_free(struct script *);
/* Between rounds of a loop: false with an error when the user wants it to stop. */
bool script_goes_on(struct gpudbg *, uint64_t rounds, struct gpudbg_error *);
/* Runs the commands of the breakpoint that the machine stopped at, and of those that they go on to. */
bool attached_run(struct gpudbg *, struct gpudbg_out *, struct gpudbg_error *);

#endif
