/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen.h: the screen as main.c sees it.
 *
 * Two ways to have one.  On a terminal: screen_run, until the user quits.  Without (`--batch --screen 80x24`):
 * screen_open, then every command through screen_execute, which shows it in the prompt pane of a grid of cells as if it
 * had been typed; the command `screenshot` prints that grid through g->front.screenshot.
 *
 * The screen fills g->front.  Commands that only a screen has (layout, focus, pane, press, ...) are rows of
 * ui/actions.c; screen_commands registers them like any plug-in's, so `help` and completion know them; core needs no
 * rows for them.
 */
#ifndef GPUDBG_SCREEN_H
#define GPUDBG_SCREEN_H

#include "session/session.h"

/* What to do first: a command, or a script by its name, which may hold any character. */
struct screen_job {
    bool script;
    const char *text;
};

struct reading;
struct pane_kinds;

struct screen_options {
    const struct pane_kinds *panes; /* pane.h */
    int columns, rows;              /* of a grid without a terminal; 0: the terminal's */
    enum screen_color { SCREEN_COLOR_AUTO, SCREEN_COLOR_ALWAYS, SCREEN_COLOR_NEVER } color;
    bool json;                     /* results as JSON Lines (plain prompt only) */
    const struct screen_job *jobs; /* shown as if typed ("source FILE" for a script) */
    size_t njobs;
    const char *greeting;   /* what opening the files has printed, or NULL */
    session_report *report; /* prints an error of the plain prompt to standard error */
    struct screen *screen;  /* that was opened early; it becomes screen_run's.  NULL: none */
};

/* Makes the screen's own commands known; call it once, whether or not a screen opens (they say so then). */
bool screen_commands(struct gpudbg *, struct gpudbg_error *);

/* The interactive program, until quit: the screen, or a plain prompt where standard input or output is no terminal or
 * TERM is dumb.  Returns the exit status. */
int screen_run(struct gpudbg *, const struct screen_options *);
/* Whether there is no screen here, but a plain prompt. */
bool screen_is_plain(void);
/* A screen on the terminal while files are still being opened, which shows what is there of them (log_reading.h).  The
 * options but for color come with screen_run. */
struct screen *screen_open_early(
    struct gpudbg *, const struct screen_options *, struct reading *, struct gpudbg_error *);
/* All files are open: the screen serves the session from now on. */
struct screen *screen_all_read(struct screen *);
/* Without a screen: Ctrl-C stops what runs, and the commands go on; a second one before that ends the program. */
void script_interrupts(struct gpudbg *);
/* ... where standard output is a terminal, pictures are as good as it has them. */
void script_pictures(struct gpudbg *, enum screen_color);

/* A grid without a terminal. */
struct screen *screen_open(struct gpudbg *, const struct screen_options *, struct gpudbg_error *);
/* gpudbg_execute, and the line and its text also appear in the prompt pane. */
bool screen_execute(struct screen *, const char *line, struct gpudbg_out *, struct gpudbg_error *);
/* The same with session_source. */
bool screen_source(struct screen *, const char *path, struct gpudbg_error *);
void screen_close(struct screen *);

#endif
