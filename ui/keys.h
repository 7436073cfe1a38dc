/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keys.h: which key is which command line.  The table is a file, share/keys/default, then the user's own over it; the
 * key bar and the help screen are drawn from the same table.  A line is
 *
 *     KEY[,KEY]  COMMAND LINE  #label for the key bar
 *
 * under a heading [keys] (single-key mode), [prompt], or [any].  A command of "-" leaves the key to the line editor; no
 * command at all takes a binding out.  In a command line %n is the count typed before the key, %a the address under the
 * cursor of the code pane.
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
};

struct keys {
    struct binding *binding; /* in the order of the file */
    size_t count;
};

/* Adds the lines of a file; on an error those before it hold. */
bool keys_read(struct keys *, const char *path, struct gpudbg_error *);
void keys_free(struct keys *);
/* The binding of a key sequence in a mode, or NULL; *prefix says whether a longer sequence begins like this. */
const struct binding *keys_find(const struct keys *, enum keys_mode, const char *sequence, bool *prefix);

#endif
