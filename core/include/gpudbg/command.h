/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h: output as text and JSON Lines, commands, and listings. */
#ifndef GPUDBG_PUBLIC_COMMAND_H
#define GPUDBG_PUBLIC_COMMAND_H

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Output ---- */

/* With --json a command prints records, otherwise lines of text.  Ask which of the two, or write a listing, which does
 * both. */
GPUDBG_PUBLIC bool gpudbg_out_json(const struct gpudbg_out *);
GPUDBG_PUBLIC void gpudbg_out_print(struct gpudbg_out *, const char *fmt, ...)
    GPUDBG_PRINTF(2, 3); /* text; ignored in JSON */
/* A record: {"type":type, ...}.  Members keep their order; objects and arrays nest.  Ignored in text. */
GPUDBG_PUBLIC void gpudbg_out_begin(struct gpudbg_out *, const char *type);
GPUDBG_PUBLIC void gpudbg_out_end(struct gpudbg_out *);
GPUDBG_PUBLIC void gpudbg_out_string(
    struct gpudbg_out *, const char *key, const char *value);                            /* key NULL inside an array */
GPUDBG_PUBLIC void gpudbg_out_hex(struct gpudbg_out *, const char *key, uint64_t value); /* "0x..." */
GPUDBG_PUBLIC void gpudbg_out_number(struct gpudbg_out *, const char *key, int64_t value);
GPUDBG_PUBLIC void gpudbg_out_real(struct gpudbg_out *, const char *key, double value);
GPUDBG_PUBLIC void gpudbg_out_bool(struct gpudbg_out *, const char *key, bool value);
GPUDBG_PUBLIC void gpudbg_out_bytes(
    struct gpudbg_out *, const char *key, const uint8_t *bytes, size_t n);  /* hex digits in memory order */
GPUDBG_PUBLIC void gpudbg_out_array(struct gpudbg_out *, const char *key);  /* ... until gpudbg_out_close */
GPUDBG_PUBLIC void gpudbg_out_object(struct gpudbg_out *, const char *key); /* ... until gpudbg_out_close */
GPUDBG_PUBLIC void gpudbg_out_close(struct gpudbg_out *);

/* Writes a file completely, or leaves the old one as it was. */
GPUDBG_PUBLIC bool gpudbg_save(const char *path, const void *bytes, size_t size, struct gpudbg_error *);

/* ---- Commands ---- */

/* What the lines after a command are, up to a line `end`. */
enum gpudbg_block {
    GPUDBG_BLOCK_NONE,     /* it takes no lines */
    GPUDBG_BLOCK_COMMANDS, /* commands; a nested block has an `end` of its own */
    GPUDBG_BLOCK_TEXT,     /* text, which is not read as commands */
};

/* What a command does to what is loaded and launched.  t/fuzz/script.c holds every row to it. */
enum gpudbg_effect {
    GPUDBG_LOOKS,   /* nothing: it is a question, or sets how gpudbg works; `info hash` stays as it is */
    GPUDBG_MOVES,   /* it goes to another position in time; each recorded position keeps its state */
    GPUDBG_CHANGES, /* it may change them, or runs commands that do */
};

struct gpudbg_command {
    const char *name, *aliases; /* aliases: words separated by blanks, or NULL */
    /* What follows the name: "[/FMT] EXPR".  A format after the name is accepted only if this contains '/'; if it
     * begins with "[/", a blank may precede the format. */
    const char *usage;
    const char *summary; /* one line, for lists */
    const char *help;    /* more, for `help NAME`; NULL: the summary is enough */
    const char *family;  /* heading in `help` */
    bool (*run)(struct gpudbg *, struct gpudbg_args *, struct gpudbg_out *, struct gpudbg_error *);
    /* Returns completion number `state` of `text`, malloc'ed; NULL: there are no more.  No function: no completion. */
    char *(*complete)(struct gpudbg *, const char *text, unsigned state);
    /* It writes a file or loads code.  Keys, demos and whatever else is data cannot run it; see SECURITY.md. */
    bool writes;
    uint8_t block;  /* enum gpudbg_block; today only commands of gpudbg itself can collect lines */
    uint8_t effect; /* enum gpudbg_effect */
};

GPUDBG_PUBLIC const char *gpudbg_args_format(struct gpudbg_args *); /* what was typed after the name and '/', or "" */
GPUDBG_PUBLIC const char *gpudbg_args_word(struct gpudbg_args *);   /* next word, without its quotes; NULL at the end */
GPUDBG_PUBLIC const char *gpudbg_args_rest(struct gpudbg_args *);   /* the rest of the line, as typed */
GPUDBG_PUBLIC bool gpudbg_args_number(
    struct gpudbg_args *, uint64_t *value, struct gpudbg_error *); /* value of the next word, an expression */

/* The session, for commands. */
GPUDBG_PUBLIC struct gpudbg_image *gpudbg_session_image(struct gpudbg *);     /* NULL: nothing loaded */
GPUDBG_PUBLIC struct gpudbg_machine *gpudbg_session_machine(struct gpudbg *); /* NULL: nothing launched */
GPUDBG_PUBLIC struct gpudbg_wave *gpudbg_session_wave(struct gpudbg *);       /* the selected one, or NULL */
GPUDBG_PUBLIC int gpudbg_session_lane(struct gpudbg *);
/* Runs the launch again from its start to where it is now, for a runner that watches; *watching is true meanwhile. Then
 * everything is as before.  false: it was interrupted, or nothing is launched. */
GPUDBG_PUBLIC bool gpudbg_rerun(struct gpudbg *, bool *watching, struct gpudbg_error *);
/* For work that may take long: call it now and then.  false: the user has interrupted it.  todo 0: the amount is not
 * known. */
GPUDBG_PUBLIC bool gpudbg_goes_on(struct gpudbg *, uint64_t done, uint64_t todo);
GPUDBG_PUBLIC bool gpudbg_execute(struct gpudbg *, const char *line, struct gpudbg_out *, struct gpudbg_error *);
/* The bytes of a file that the user named and a 0, malloc'ed, *n of them, at most `most`.  It may be a pipe: Ctrl-C
 * ends the wait for it.  NULL with an error, which does not contain the path. */
GPUDBG_PUBLIC char *gpudbg_read_file(struct gpudbg *, const char *path, size_t most, size_t *n, struct gpudbg_error *);
GPUDBG_PUBLIC bool gpudbg_evaluate(struct gpudbg *, const char *expr, uint64_t *value, struct gpudbg_error *);

/* ---- Listings ---- */

enum gpudbg_cell_style {
    GPUDBG_PLAIN,
    GPUDBG_ADDRESS,
    GPUDBG_COUNT,
    GPUDBG_NAME,
    GPUDBG_HEXVALUE,
    GPUDBG_NOTE,
};

/* A column: `cell` writes the text of a cell, like snprintf.  JSON has the same under `key` (ADDRESS and HEXVALUE as
 * "0x...", COUNT as a number).  width 0: as wide as its widest cell. */
struct gpudbg_column {
    const char *key, *title;
    uint8_t width, style;
    int (*cell)(const void *row, char *buf, size_t size);
};

typedef bool gpudbg_row_fn(void *to, const void *row); /* false: enough */

/* A listing is declared once and shown in three ways: `info NAME`, JSON Lines, a pane. */
struct gpudbg_listing {
    const char *name, *summary;
    const char *type; /* of the JSON record; NULL: name */
    const struct gpudbg_column *columns;
    size_t ncolumns;
    /* Calls each(to, row) for every row, until it returns false.  args: what the user typed after the name, or "". */
    bool (*rows)(struct gpudbg *, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *);
    const char *empty; /* what to print if there is no row */
    /* Names of the instruction sets whose files have this listing, NULL-terminated; NULL: all.  Two listings of
     * different instruction sets may share a name: the instruction set of the loaded file decides. */
    const char *const *isas;
    /* May be NULL.  is_part: the row shows more of the one before it, and has no record of its own; record: writes
     * members of a row's record that are not columns. */
    bool (*is_part)(const void *row);
    void (*record)(const void *row, struct gpudbg_out *);
};

#ifdef __cplusplus
}
#endif
#endif
