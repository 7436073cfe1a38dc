/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marks.h: what the user wants to find again: bookmarks, which are spots with names, and notes, which are text about a
 * spot.  A spot is a position in time, an address of the code, or a line of a dump.  They are saved with a session.
 */
#ifndef GPUDBG_MARKS_H
#define GPUDBG_MARKS_H

#include "gpudbg.h"

#define MARK_NAME 40 /* letters of a bookmark's name, at most */

struct mark_spot {
    bool timed; /* the launch at that position, with this wave and lane selected */
    uint64_t position;
    uint64_t future; /* machine_futures() then */
    bool forgotten;  /* another state is there now; of the present launch marks_forgotten knows it */
    uint32_t wave;
    int lane;
    bool placed; /* that address of the code */
    uint64_t addr;
    uint32_t line; /* that line, from 1, of the dump of that number; 0: none */
    size_t dump;
};

struct bookmark {
    char *name;
    struct mark_spot spot;
};

struct note {
    char *text;
    struct mark_spot spot;
};

struct marks {
    struct bookmark *bookmark; /* in order of their names */
    size_t nbookmarks;
    struct note *note; /* in the order in which they were written; the first is number 1 */
    size_t nnotes;
};

/* Where the user is: in time if something is launched, else at the cursor in the code. */
struct mark_spot marks_here(const struct gpudbg *);
/* A name begins with a letter and has letters, digits, '-', '_' and '.'. */
bool marks_name_good(const char *name, struct gpudbg_error *);
const struct bookmark *marks_named(const struct gpudbg *, const char *name); /* NULL: none */
/* Adds it, or moves the one of that name. */
void marks_put(struct gpudbg *, const char *name, const struct mark_spot *);
bool marks_drop(struct gpudbg *, const char *name); /* false: there is none */
void marks_note(struct gpudbg *, const char *text, const struct mark_spot *);
bool marks_note_drop(struct gpudbg *, uint64_t number); /* from 1; false: there is none */
/* The state that it marked is gone: recorded time was cut off before it, by a change. */
bool marks_forgotten(const struct gpudbg *, const struct mark_spot *);
/* The launch ends, and what of it was forgotten stays so. */
void marks_end_launch(struct gpudbg *);
/* Other code comes: forgets positions and addresses. */
void marks_other_code(struct marks *);
void marks_free(struct marks *); /* empty afterwards */

#endif
