/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line.h: the line editor: readline, fed with named keys and drawn by whoever asks for its text, or as a plain prompt.
 * The history lives in $XDG_STATE_HOME/gpudbg/history.  One a process, as readline is.
 */
#ifndef UI_LINE_H
#define UI_LINE_H

#include <signal.h>
#include "session/session.h"

struct line_user {
    void (*done)(void *, const char *line);           /* a line was entered; NULL: the end (Ctrl-D on an empty line) */
    void (*matches)(void *, char **match, int count); /* several completions: show them */
    void *data;
};

/* Within the screen.  history: keep lines over the end of the program. */
void line_open(struct gpudbg *, const struct line_user *, bool history);
void line_key(const char *name);    /* as terminal.h names keys */
const char *line_text(int *cursor); /* the text so far; *cursor is a byte of it */
const char *line_message(void);     /* what stands before it while readline asks for something; "": nothing */
void line_set(const char *text);    /* replaces the text; the cursor stands at its end */
/* The text from that byte on is selected: a letter or digit replaces it, any other key leaves it.  0: nothing is. */
void line_select(size_t from);
size_t line_selected(void);
void line_insert(const char *text); /* at the cursor */
/* Escape: in vi's way of editing (`set editing-mode vi` in ~/.inputrc) it first ends inserting; true: it did. */
bool line_escape(void);

/* A plain prompt: reads one line, malloc'ed; NULL at the end of input.  interrupted: what the handler of SIGINT sets;
 * the line that is half typed is dropped then, and the answer is "". */
void line_plain(struct gpudbg *, const volatile sig_atomic_t *interrupted);
char *line_ask(const char *prompt);

void line_close(void);

#endif
