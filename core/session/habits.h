/* SPDX-License-Identifier: GPL-3.0-or-later */
/* habits.h: what people type from other debuggers does the same here, or answers with the line that does. */
#ifndef GPUDBG_HABITS_H
#define GPUDBG_HABITS_H

#include "gpudbg.h"

enum habit_kind { HABIT_SAME, HABIT_PLACE, HABIT_TELL, HABIT_MUTE, HABIT_LIKE, HABIT_FORM, HABIT_ALSO };

struct habit {
    enum habit_kind kind;
    const char *program, *words; /* several spellings have commas between them */
    const char *text;            /* the command, or the sentence; NULL: of a setting */
    const char *with; /* SAME: the command where arguments follow, NULL: the same command; PLACE, FORM: the sentence */
};

const struct habit *habit_at(size_t i); /* NULL: there are no more */

/* The row that a line's first words are of, or an option of the command line; *words: how many, *rest: behind them.
 * NULL: none. */
const struct habit *habit_of(const char *line, const char **rest, unsigned *words);
/* The row of words that begin as this one does; NULL: none. */
const struct habit *habit_like(const char *word);
/* What the line means in another program, although its first word is a command of gpudbg; NULL: no row says so. */
const char *habit_also(const char *line);
/* The line that does the same here, malloc'ed; NULL: there is none, and habit_tell says so. */
char *habit_line(const struct habit *, const char *rest);
/* The error that says what does it here.  Returns false. */
bool habit_tell(const struct habit *, const char *line, const char *rest, struct gpudbg_error *);

#endif
