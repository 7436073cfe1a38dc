/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * terminal.h: the real terminal: a grid of cells out, named keys in.  One a process: signals know no other way.
 *
 * Keys: a printable character is its own name; else Space Enter Tab BackTab Escape Backspace Delete Insert Up Down Left
 * Right Home End PgUp PgDn F1..F12, C-x with Ctrl, M-x with Alt (C-Left and M-Up alike, where the terminal tells).
 * The mouse is Click, WheelUp and WheelDown.
 */
#ifndef UI_TERMINAL_H
#define UI_TERMINAL_H

#include "theme.h"

enum event_kind {
    EVENT_NONE,      /* time is over */
    EVENT_KEY,       /* name */
    EVENT_PASTE,     /* text, malloc'ed: free it */
    EVENT_MOUSE,     /* name, x, y */
    EVENT_RESIZE,    /* draw all again */
    EVENT_INTERRUPT, /* Ctrl-C */
    EVENT_CLOSED,    /* hang-up, termination, or the input ended */
};

struct event {
    enum event_kind kind;
    char name[24];
    int x, y;
    char *text;
};

/* How many cells the screen may have; 0: no limit.  Of a larger terminal it is the upper left corner.  It holds for
 * terminal_open, and for changes of size that come later. */
void terminal_cells_most(uint64_t);
/* The size that the terminal has, where that is more; false: it is not. */
bool terminal_is_larger(int *columns, int *rows);
bool terminal_open(bool colour, struct gpudbg_error *);
void terminal_close(void); /* gives the terminal back as it was; may be called at any time */
void terminal_theme(const struct theme *);
int terminal_palette(void); /* how many colours it has; 0: none, or none are wanted */
void terminal_size(int *columns, int *rows);
void terminal_show(const struct cells *);              /* sends what has changed */
void terminal_redraw(void);                            /* the next terminal_show sends everything */
void terminal_event(struct event *, int milliseconds); /* waits; -1: for ever */
void terminal_typed(const char *bytes, size_t n);      /* what was read and is for terminal_event */
void terminal_mouse(bool on);                          /* at first it is on */
void terminal_suspend(void);                           /* stops the process, as Ctrl-Z does, and comes back */
/* A program gets the terminal as it was before the screen; then the screen comes back, once Enter was pressed. */
void terminal_leave(void);
void terminal_return(const char *question);
/* For long work: whether Ctrl-C or an end was asked for (told once); a wish to be suspended is granted here. */
bool terminal_wants_stop(void);
bool terminal_resized(
    void);                /* for long work: whether the size has changed (told once); the next picture is drawn whole */
int terminal_ended(void); /* the signal that ended us (SIGHUP, SIGTERM), or 0 */

#endif
