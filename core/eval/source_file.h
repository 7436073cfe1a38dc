/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * source_file.h: source files that debug information names, and their lines.
 *
 * Such a name is a stranger's choice.  A file is read only where it lies (links followed) in the folder of the loaded
 * file, or in a folder that the user named (`set source-path`, `directory`), and only if it is a regular file.
 */
#ifndef GPUDBG_SOURCE_H
#define GPUDBG_SOURCE_H

#include "eval/eval.h"
#include "gpudbg.h"

/* A source file in memory. */
struct source {
    const char *file;  /* as the line table names it; borrowed */
    unsigned searched; /* loaded->source_changes when it was looked for */
    char *path;        /* what was opened; malloc'ed */
    char *text;        /* NULL: it could not be read */
    size_t size, nlines;
    uint32_t *line; /* where each line starts */
};
/* Reads `file` unless it is the one that is open: in the folders of the source path, each with the whole name and with
 * its last part, then in the folder of the loaded file.  false: it cannot be read. */
bool source_open(struct source *, const struct loaded *, const char *file);
/* The error for that, with what to do.  Returns false. */
bool source_missing(const char *file, struct gpudbg_error *);
void source_close(struct source *);
/* Line n (from 1) without its end, NULL past the end; *len is its length. */
const char *source_line(const struct source *, uint32_t n, size_t *len);

/* Several of them, for code whose lines come from one file and another in turn: those used last, at most SOURCES, and
 * at most SOURCES_BYTES of text unless one file alone is larger. */
#define SOURCES 16
#define SOURCES_BYTES ((size_t)64 << 20)
struct sources {
    struct source file[SOURCES]; /* the one used last is the first */
    size_t n;
    uint64_t opened; /* how often a file was looked for on the disk */
};
/* The file, until the next call; its text is NULL where it cannot be read. */
const struct source *sources_of(struct sources *, const struct loaded *, const char *file);
void sources_close(struct sources *);

/* Prints one line with its number, where the file can be read; nothing in JSON. */
void source_print(const struct loaded *, const char *file, uint32_t line, struct gpudbg_out *);

/* The source path with these folders in front of it, separated by ':', each once and without links; "$cdir" stands for
 * the folder that the file names, "$cwd" for the current one.  false: one is no folder, or there is no room. */
bool source_path_add(char *path, size_t size, const char *folders, struct gpudbg_error *);

#endif
