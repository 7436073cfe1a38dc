/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * log_reading.h: a log that is still being read, on the screen: its text can be scrolled while what it means is being
 * found out, which takes the last line.
 *
 * Nothing of the session is there yet, so that keys do no more than move in the text, fill the screen with it,
 * and quit.
 */
#ifndef UI_LOG_READING_H
#define UI_LOG_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <sys/types.h>

struct screen;

/* The lines of the part of a file that is there so far; whole ones, and no more are looked for than are shown. */
struct reading {
    int fd; /* a copy of the worker's; -1: no text yet */
    dev_t device;
    ino_t inode;
    uint64_t size;    /* bytes that are there */
    uint64_t scanned; /* of which lines were counted in so many */
    uint64_t *mark;   /* where every 64th line begins */
    size_t nmarks, room;
    uint32_t lines;
    bool moved;   /* the user has looked around in it */
    bool stopped; /* by Ctrl-C, of the file that was read then */
    bool ended;   /* by quitting, or the terminal is gone */
};

#define READING_NONE \
    {                \
        .fd = -1     \
    }

/* The first `size` bytes of the file are there now; true: they are text. */
bool reading_shows(struct reading *, int fd, uint64_t size);
/* How many lines there are, as far as is known once `wanted` were looked for, in at most 16 MB more. */
uint32_t reading_lines(struct reading *, uint32_t wanted);
/* Line `line`, from 1, as gpudbg_dump_text gives it; false: it is not there. */
bool reading_line(struct reading *, uint32_t line, char *buf, size_t size);
void reading_close(struct reading *);

/* Takes what was typed, and draws where a picture is due; false: stop reading. */
bool reading_tick(struct screen *, uint64_t done, uint64_t todo);
/* All is read: who has looked around in the log stays where he is. */
void reading_end(struct screen *);

#endif
