/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h: output as text and JSON Lines, commands, and listings. */
#ifndef GPUDBG_PUBLIC_COMMAND_H
#define GPUDBG_PUBLIC_COMMAND_H

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Output ---- */

/* With --json a command prints records, otherwise lines of text. A command may ask which, or use a listing, which makes
 * both. */
GPUDBG_PUBLIC bool gpudbg_out_json(const struct gpudbg_out *);
GPUDBG_PUBLIC void gpudbg_out_print(struct gpudbg_out *, const char *fmt, ...)
    GPUDBG_PRINTF(2, 3); /* text; ignored in JSON */
/* A record: {"type":type, ...}. Members keep the order of the calls; objects and arrays may nest. These calls do
 * nothing in text. */
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

/* ---- Commands ---- */

struct gpudbg_command {
    const char *name, *aliases; /* aliases: words with blanks between, or NULL */
    const char *usage;          /* after the name: "[/FMT] EXPR" */
    const char *summary;        /* one line, for lists */
    const char *help;           /* more for `help NAME`; NULL: the summary is enough */
    const char *family;         /* heading in `help` */
    bool (*run)(struct gpudbg *, struct gpudbg_args *, struct gpudbg_out *, struct gpudbg_error *);
    /* Completion number `state` of `text`, counted from 0, malloc'ed; NULL: no more. A NULL function: no completion. */
    char *(*complete)(struct gpudbg *, const char *text, unsigned state);
};

GPUDBG_PUBLIC const char *gpudbg_args_format(
    struct gpudbg_args *);                                        /* the text after '/' that follows the name, or "" */
GPUDBG_PUBLIC const char *gpudbg_args_word(struct gpudbg_args *); /* next word, quotes taken off; NULL at the end */
GPUDBG_PUBLIC const char *gpudbg_args_rest(struct gpudbg_args *); /* what is left, as typed */
GPUDBG_PUBLIC bool gpudbg_args_number(
    struct gpudbg_args *, uint64_t *value, struct gpudbg_error *); /* next word as an expression */

/* The session, for commands. */
GPUDBG_PUBLIC struct gpudbg_image *gpudbg_session_image(struct gpudbg *);     /* NULL: nothing loaded */
GPUDBG_PUBLIC struct gpudbg_machine *gpudbg_session_machine(struct gpudbg *); /* NULL: nothing launched */
GPUDBG_PUBLIC struct gpudbg_wave *gpudbg_session_wave(struct gpudbg *);       /* the selected one, or NULL */
GPUDBG_PUBLIC int gpudbg_session_lane(struct gpudbg *);
/* Runs again, from the start of the launch, what has been executed until now, so that a runner can watch it. *watching
 * is true during that time. Afterwards the state is as before. false: interrupted, or nothing is launched. */
GPUDBG_PUBLIC bool gpudbg_rerun(struct gpudbg *, bool *watching, struct gpudbg_error *);
GPUDBG_PUBLIC bool gpudbg_execute(struct gpudbg *, const char *line, struct gpudbg_out *, struct gpudbg_error *);
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

/* A column: the text of a cell, and the same in JSON as member `key` (ADDRESS and HEXVALUE as "0x...", COUNT as a
 * number). width is in columns of the terminal; 0: as wide as the widest cell. */
struct gpudbg_column {
    const char *key, *title;
    uint8_t width, style;
    int (*cell)(const void *row, char *buf, size_t size);
};

typedef bool gpudbg_row_fn(void *to, const void *row); /* false: enough */

/* A listing is declared once and shown in three ways: `info NAME`, JSON Lines, and a pane. */
struct gpudbg_listing {
    const char *name, *summary;
    const char *type; /* of the JSON record; NULL: name */
    const struct gpudbg_column *columns;
    size_t ncolumns;
    /* Calls each(to, row) for every row, until it returns false. args is what the user wrote after the name, or "". */
    bool (*rows)(struct gpudbg *, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *);
    const char *empty; /* what to print when there is no row */
    /* Names of the instruction sets that the listing is for, ended by NULL; NULL: all. Two listings for different
     * instruction sets may have the same name; the loaded file's instruction set chooses. */
    const char *const *isas;
};

#ifdef __cplusplus
}
#endif
#endif
