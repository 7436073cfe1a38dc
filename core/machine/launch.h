/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.h: from `launch KERNEL -g .. -l .. ARG...` to a machine standing at entry, and buffers out again. */
#ifndef GPUDBG_LAUNCH_H
#define GPUDBG_LAUNCH_H

#include "gpudbg.h"
#include "base/ticker.h"

#define LAUNCH_MEMORY ((uint64_t)4 << 30) /* bytes that the arguments of a launch may hold in all */

/* Where @FILE of a launch is read: files that were brought along (of a saved session), by the name as the words have
 * it, then those of the disk, relative to `base` (NULL: the current folder). */
struct launch_files {
    const char *base;
    const struct launch_file {
        const char *name;
        const uint8_t *bytes;
        uint64_t size;
    } * file;
    size_t n;
    uint64_t most; /* bytes of a file of the disk (`set memory-limit`); 0: LAUNCH_MEMORY */
    bool only;     /* none of the disk: somebody else has chosen the names */
};

/* Parses the words after `launch`, checks them against the kernel's parameters, reads files.  The ticker, which may be
 * NULL, is asked while a pipe gives nothing. */
struct gpudbg_launch *launch_parse(const struct gpudbg_image *, const char *words, const struct launch_files *,
    const struct ticker *, struct gpudbg_error *);
/* The words of a launch with some of them changed, malloc'ed: -g, -l and -o take the place of those that were given,
 * NAME=ARG that of one argument, arguments without a name that of all.  NULL with an error: no such kernel. */
char *launch_words_changed(const struct gpudbg_image *, const char *words, const char *changes, struct gpudbg_error *);
/* The name of the file that a bound argument was read from, malloc'ed; NULL: it was not read from one. */
char *launch_file_of(const struct gpudbg_bound *);
void launch_free(struct gpudbg_launch *);
/* Makes a segment for every BUFFER of machine->launch, then puts their addresses where parts name them (&buf0).
 * machine_new calls it before runner->launch. */
bool launch_bind(struct gpudbg_machine *, struct gpudbg_error *);
/* A `launch` line for the kernel, filled in as far as the file says, which can be run as it stands: sizes fit the grid,
 * integers are the size of the grid in x, floats 1.  For the screen to offer.  NULL: bare code, 64 work-items.
 * offer.c */
int launch_offer(const struct gpudbg_kernel *, char *buf, size_t size);
/* The bound buffer by parameter number (from 0, all counted) or name; NULL with an error. */
struct gpudbg_segment *launch_buffer(const struct gpudbg_machine *, const char *which, struct gpudbg_error *);

#endif
