/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command.h: finding the row of a command.  A name may have two words ("info line", "lane apply"); every listing NAME
 * is the command "info NAME"; what the user defined counts too.  A word may be shortened while it fits one name only.
 */
#ifndef GPUDBG_COMMAND_H
#define GPUDBG_COMMAND_H

#include "gpudbg.h"
#include "base/words.h"
#include "eval/numbers.h"
#include "session/habits.h"

/* What a line names: one of the three is set. */
struct command_found {
    const struct gpudbg_command *command;
    const struct gpudbg_listing *listing;
    const struct define *define;
};

/* A word that the name of a command or listing of the program's own, or an alias, begins with. */
bool command_own(struct gpudbg *, const char *word);
/* The row of another program's words that a line begins with, unless they are a command here or the user defined them;
 * *rest: behind those words.  NULL: none. */
const struct habit *command_habit(struct gpudbg *, const char *line, const char **rest);
/* Takes the name from the left of the line. */
bool command_find(struct gpudbg *, struct gpudbg_args *, struct command_found *, struct gpudbg_error *);

/* The state-th completion of the last word of `line` (what is left of the cursor): the word as it would then be,
 * malloc'ed; NULL: no more.  *start is where that word begins. */
char *command_complete(struct gpudbg *, const char *line, size_t *start, unsigned state);

/* Ready-made completions for rows. */
char *complete_file(struct gpudbg *, const char *text, unsigned state);
char *complete_symbol(struct gpudbg *, const char *text, unsigned state);
char *complete_code(struct gpudbg *, const char *text, unsigned state); /* functions, labels, lines */
char *complete_isa(struct gpudbg *, const char *text, unsigned state);
char *complete_command(struct gpudbg *, const char *text, unsigned state);
char *complete_expression(struct gpudbg *, const char *text, unsigned state);

/* Defines the list of a file of commands; core/command/families.c names it. */
#define COMMAND_FAMILY(symbol, title, ...)                  \
    const struct gpudbg_plugin symbol = {.abi = GPUDBG_ABI, \
        .size = sizeof(struct gpudbg_plugin),               \
        .name = title,                                      \
        .version = GPUDBG_VERSION,                          \
        __VA_ARGS__}

#endif
