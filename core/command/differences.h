/* SPDX-License-Identifier: GPL-3.0-or-later */
/* differences.h: what all comparisons of two of something need: the other file, a place that differs, the answer. */
#ifndef GPUDBG_DIFFERENCES_H
#define GPUDBG_DIFFERENCES_H

#include "command/sides.h"
#include "past/past.h"

#define DIFFERENCE_STATUS                                                                                            \
    "With --batch the exit status is 0 if all is equal, 1 if something differs, 2 if the command is wrong, 3 if a\n" \
    "file cannot be read."

/* The command's answer, and the exit status of --batch; a comparison that could not be made decides it, too. */
bool difference_ended(struct gpudbg *, bool good, bool different, const struct gpudbg_error *);

struct difference_place {
    struct past_place place;
    char name[160]; /* "c[645]", "c byte 12" */
};

/* The element of a buffer that holds the byte at `offset`; past_free takes its place. */
void difference_element(const struct gpudbg_bound *, uint64_t offset, struct difference_place *);
/* The instruction at an address, as text; "?": none is there. */
void difference_insn(struct gpudbg *, const struct gpudbg_image *, uint64_t pc, char *buf, size_t size);

/* The loaded file without its patches, and another file read as it was; image_close.  NULL with an error. */
struct gpudbg_image *difference_unpatched(struct gpudbg *, struct gpudbg_error *);
struct gpudbg_image *difference_file(struct gpudbg *, const char *path, struct gpudbg_error *);
/* All code of both is at the same addresses, and no more of it differs than what a few patches change. */
bool difference_alike(const struct gpudbg_image *, const struct gpudbg_image *);

/* Names side s by what it is, and its file. */
void difference_title(struct sides *, int s, const char *what, const struct gpudbg_image *);
/* Opens the pane, if there is a screen; else their text is the answer, if `say`. */
bool difference_show(struct gpudbg *, const struct sides *, bool say, struct gpudbg_out *, struct gpudbg_error *);

/* `diff FILE`, as `diffrun FILE`. */
bool difference_of_runs(
    struct gpudbg *, struct gpudbg_args *, bool *different, struct gpudbg_out *, struct gpudbg_error *);

#endif
