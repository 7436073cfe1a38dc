/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keys.h: which key is which command line.  The table is a file, share/keys/default, then the user's own over it; the
 * key bar and the help screen are drawn from the same table.  A line is
 *
 *     KEY[,KEY]  COMMAND LINE  #label for the key bar
 *
 * under a heading [keys] (single-key mode), [prompt], [any], or [pane NAME...]: single keys that belong to the panes of
 * those names and come before those of [keys].  A command of "-" leaves the key to the line editor; no command at all
 * takes a binding out.  KEY may be Count,KEY: the key with a number typed before it.  In a command line %n is that
 * number, %a the address under the cursor.
 */
#ifndef UI_KEYS_H
#define UI_KEYS_H

#include "gpudbg.h"

enum keys_mode { KEYS_SINGLE, KEYS_PROMPT, KEYS_ANY, KEYS_MODES };

struct binding {
    char key[48];      /* as in the file: "s", "C-x,1" */
    char command[160]; /* "": taken out */
    char label[32];    /* "": not in the bar */
    enum keys_mode mode;
    char panes[96]; /* that it belongs to, a blank behind each; "": all */
    unsigned file;  /* the how manieth table it stood in last */
};

struct keys {
    struct binding *binding; /* in the order of the file */
    size_t count;
    unsigned files; /* read so far */
};

/* Adds the lines of a file; on an error those before it hold.  A key of all panes takes the place of those of some
 * panes that earlier files have. */
bool keys_read(struct keys *, const char *path, struct gpudbg_error *);
void keys_free(struct keys *);
/* The binding of a key sequence in a mode and a pane (NULL: none), or NULL; *prefix says whether a longer sequence
 * begins like this. */
const struct binding *keys_find(
    const struct keys *, enum keys_mode, const char *pane, const char *sequence, bool *prefix);
/* Whether the binding is one of that pane, or of all. */
bool binding_holds(const struct binding *, const char *pane);

#endif
