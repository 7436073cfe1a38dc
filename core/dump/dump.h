/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump.h: the inside of struct gpudbg_dump.  dump.c keeps what readers find, in bounded memory; dump_line.c cleans a
 * line of text; dump_read.c streams a file through the readers and finds a line's text again.
 */
#ifndef GPUDBG_DUMP_H
#define GPUDBG_DUMP_H

#include <stdio.h>
#include "gpudbg.h"
#include "base/ticker.h"
#include "word/registry.h"

/* Bytes of what is kept of one file, so that a program with a log of any size stays under 50 MB. */
#define DUMP_BUDGET ((size_t)36 << 20)
#define DUMP_LINE_MOST ((size_t)12 << 20) /* a longer line is cut */
#define DUMP_NOTES 10000
#define DUMP_HEAD 65536 /* first bytes, for probing */

/* What a dump needs of its surroundings.  All is borrowed for as long as the dump lives, but for the ticker, which is
 * asked only while the dump is opened: bytes of the file. */
struct dump_env {
    const struct registry *registry;     /* readers, instruction sets */
    struct regdb *databases;             /* what registers are called */
    const struct gpudbg_isa *const *isa; /* where the instruction set stands that the user chose; NULL there: none */
    struct gpudbg_image *const *image;   /* where the file stands that is loaded beside the dump; NULL there: none */
    struct ticker ticker;
    uint64_t memory_limit; /* bytes that are unpacked of it, or copied from a pipe; 0: no limit */
};

/* Opens a file of captured state; format: a reader's name, or NULL to go by content.  NULL with err if nothing of a GPU
 * is in it.  Interrupted by the ticker, it keeps what it has read, with a note. */
struct gpudbg_dump *dump_open(
    const struct dump_env *, const char *path, const char *format, uint64_t base, struct gpudbg_error *);
/* The same from memory (copied). */
struct gpudbg_dump *dump_from(const struct dump_env *, const char *name, const uint8_t *bytes, size_t n,
    const char *format, uint64_t base, struct gpudbg_error *);
void dump_close(struct gpudbg_dump *);
const struct dump_env *dump_env_of(const struct gpudbg_dump *);

/* The reader with the most specific evidence in the first bytes of a file (unpacked): 0 if none. */
int dump_probe(
    const struct registry *, const uint8_t *bytes, size_t n, const struct gpudbg_reader **, const char **why);
/* The first n bytes of a file, unpacked; how many there are.  *why: errno where it is there and cannot be read, else 0.
 */
size_t dump_head(const char *path, uint8_t *bytes, size_t n, int *why);

/* The first stream that holds the address, of a dump that is read; SIZE_MAX: none. */
size_t dump_stream_holding(const struct gpudbg_dump *, uint64_t addr);

/* Where the code that was loaded stands in the dump, remembered by dump_place.c. */
struct dump_placed {
    const struct gpudbg_image *image; /* it was looked for in this one; NULL: not yet */
    bool ok;
    uint64_t shift; /* what to take from the dump's addresses to get the image's */
};
struct dump_placed *dump_placed_of(const struct gpudbg_dump *);

/* ---- For dump_read.c ---- */

struct gpudbg_dump *dump_new(const struct dump_env *, const char *path);
bool dump_empty(const struct gpudbg_dump *);                      /* nothing was found */
void dump_set_device(struct gpudbg_dump *, const char *device);   /* of the line about to be read; NULL: as before */
const char *dump_device(const struct gpudbg_dump *);              /* the one set last, or NULL */
void dump_leave_device(struct gpudbg_dump *, const char *before); /* back to what dump_device said */
/* What a capture of the device says that it is of, the first that does; NULL: none, or no device. */
const char *dump_device_family(const struct gpudbg_dump *, const char *device);
void dump_sort_out(struct gpudbg_dump *); /* at the end of the file */

/* Where the bytes come from, again and again: a file through zlib, or memory. */
struct dump_source {
    void *gz;    /* gzFile */
    int fd;      /* its file */
    FILE *copy;  /* of what a packed file unpacks to, or NULL */
    bool replay; /* it is read from the copy */
    uint8_t *bytes;
    size_t n, at;
    uint64_t size;       /* of the file as stored, for progress */
    const char *problem; /* why what was unpacked of it ends early, or NULL */
    int why;             /* errno where reading failed before the end; 0: it did not */
};
void dump_source_close(struct dump_source *);
/* errno where its file, which is read again for what is shown of it, could not be since this was asked; else 0. */
int dump_unread(struct gpudbg_dump *);

/* All that the dump was read from, unpacked, malloc'ed, *n bytes; NULL with an error, also where it is more than
 * `most`.
 */
uint8_t *dump_contents(struct gpudbg_dump *, uint64_t most, size_t *n, struct gpudbg_error *);

/* Parts that dump_read.c owns, in the dump. */
struct dump_text {
    struct dump_source source;
    uint64_t *mark; /* offset of every DUMP_MARK-th line */
    size_t nmarks, room;
    uint32_t lines;
};
#define DUMP_MARK 64
struct dump_text *dump_text_of(const struct gpudbg_dump *);
void dump_set_format(struct gpudbg_dump *, const char *format, const char *why, uint64_t base);
const char *dump_why(const struct gpudbg_dump *); /* what in the file made it so */

/* ---- dump_clock.c ---- */

struct dump_clock { /* of the latest line with a date or a time of day */
    int year, month;
    long day;      /* from 1970 on */
    double time;   /* of that day */
    bool counted;  /* the day is only known to differ from others */
    char date[32]; /* as the line has it, where it is in words that are not read */
};
/* Whether the n bytes hold a time of day, "23:16"; *end is set to the character after it. */
bool dump_has_clock(const char *at, size_t n, const char **end);
/* The date and the time of day in what a logger put in front of a line, in seconds; negative: it has none.  Without a
 * year they are those of 2000. */
double dump_clock(struct dump_clock *, const char *front, size_t n);
/* By how many seconds the second time is the later one; not a number where that is not known: one is a date's and the
 * other a kernel's own. */
double dump_later_by(double, double);

/* ---- dump_line.c ---- */

struct dump_cleaner {
    bool quoted;  /* quoted-printable: "=3D", lines that end with "=" go on */
    bool decoded; /* ... of which the lines that come are rid */
    char device[32], tag[64], module[24];
    int8_t level; /* of a record that carries the message; negative: it does not say it */
    /* Of the latest line: the machine and the driver that it names, "" if none; whether anything stood in front of it
     * that loggers write. */
    char host[64], driver[24];
    bool stamped, carried; /* carried: it is a message taken out of a record */
    char export_host[64];  /* of journald's export format: the entry's, told before its message */
    double export_time;
    struct dump_clock clock;
};
/* Takes the message out of a record that carries it, in place; the new length.  There is room for a 0 at text[n]. */
size_t dump_carried(struct dump_cleaner *, char *text, size_t n, double *time);
/* Lines that stand in a string of JSON, as the reports of bug trackers and the logs of containers hold them: unescaped
 * in place, with real ends of lines; the new length, or 0: the text is no such line. */
size_t dump_unescape(char *text, size_t n);
/* When the line was written, as the log tells it: in buf ("" if it does not), and in seconds if it is a number, else
 * negative.  Changes the text. */
double dump_when(char *text, size_t n, char *buf, size_t size);
/* Where the next message begins in a line of several, as web pages make of many lines: the first front like the line's
 * own behind the message that begins at `from`; 0: there is none. */
size_t dump_next_message(const char *text, size_t n, size_t from);
/* Whether a logger has put something in front of the line; the text ends with 0. */
bool dump_is_stamped(const char *text);
/* Whether the line is ASCII85, all of whose characters mean something: "~...", ":...", "[effeffff7000].data: ...". */
bool dump_is_packed(const char *text, size_t n);
/* Whether the line begins with the name of a program ("Xorg: ", "driver/device: ", "(EE) ") and not with a stamp. */
bool dump_has_writer(const char *text);

/* ---- dump_quiet.c ---- */

#define DUMP_QUIET 4096
struct dump_quiet {
    uint64_t shape[DUMP_QUIET], last; /* shapes of lines that no reader took; that of the line asked for last */
};
/* Whether a line that differs in digits alone said nothing. */
bool dump_is_quiet(struct dump_quiet *, const char *text, size_t n);
/* The line that was asked for last says nothing. */
void dump_quiet_add(struct dump_quiet *, const char *text, size_t n);
/* ---- dump_mail.c ---- */

/* Undoes quoted-printable in place, once a line has shown that the file is so; the new length. */
size_t dump_unquote(struct dump_cleaner *, char *text, size_t n);
/* Whether the line, which ends with "=", was broken there and goes on in the next one. */
bool dump_goes_on(const struct dump_cleaner *, const char *text, size_t n);

/* ---- dump_line.c ---- */

/* Cleans text[0, n) in place (it has room for a 0 at text[n]) and describes it. */
void dump_clean(struct dump_cleaner *, char *text, size_t n, uint32_t number, struct gpudbg_dump_line *);

#endif
