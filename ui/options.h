/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options.h: the options of the command line.  options.def is the one list: the parser, `gpudbg --help`, `info
 * options`, the man page and the shells' completion come from it.
 */
#ifndef UI_OPTIONS_H
#define UI_OPTIONS_H

#include "screen.h"

/* What the command line asked for.  Texts are borrowed from argv. */
struct options {
    struct screen_job *jobs; /* -e: commands; -x: scripts; in the order given */
    size_t njobs;
    char **plugins;
    size_t nplugins;
    char **files;
    int nfiles;
    const char *isa, *format, *screen, *demo;
    uint64_t base;
    bool batch, json, raw, no_rc, has_demo, version, help, signatures, stats, stats_diff, dap;
    bool asks;    /* of several results, which one to show, on a terminal */
    bool input;   /* nothing of the command line reads standard input: a command may */
    int dap_port; /* -1: standard input and output */
    int columns, rows;
    enum screen_color color;
};

/* Whether each of the files is looked at by itself; none is opened before that. */
static inline bool options_many(const struct options *o) { return o->signatures || o->stats || o->stats_diff; }

/* Reads argv, whose order it may change.  false: the usage was wrong, and standard error says how.  Free it either way.
 */
bool options_read(struct options *, int argc, char **argv);
void options_free(struct options *);
/* Says on standard error what is wrong with a word of the command line; false. */
bool options_wrong(const char *what, const char *word);
/* `gpudbg --help`, on standard output. */
void options_help(void);
/* `info options`; share/scripts/pages.pl reads its records. */
extern const struct gpudbg_listing options_listing;

#endif
