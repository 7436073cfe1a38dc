/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load.h: from a file to an image.  Files are mapped, not read; gzip is unpacked (bounded); the loader with the most
 * specific evidence wins.
 */
#ifndef GPUDBG_LOAD_H
#define GPUDBG_LOAD_H

#include "gpudbg.h"
#include "base/ticker.h"
#include "word/registry.h"

struct load_options {
    const struct gpudbg_isa *isa; /* NULL: the file says */
    const char *format;           /* NULL: by content */
    bool raw;
    uint64_t base;
};

/* What opening needs of its surroundings; borrowed. */
struct load_env {
    const struct registry *registry; /* whose loaders are asked */
    struct ticker ticker;            /* while a packed file is unpacked: bytes of it */
    uint64_t memory_limit;           /* bytes that one file may take unpacked; 0: only the program's own limits */
};

/* Opens FILE; NULL with kind, file and offset in err.  What the file does not say (an isa for bare code) is an error.
 */
struct gpudbg_image *image_open(
    const struct load_env *, const char *path, const struct load_options *, struct gpudbg_error *);
/* The same from memory (copied); for demos, tests and fuzzers. */
struct gpudbg_image *image_from(const struct load_env *, const char *name, const uint8_t *bytes, size_t n,
    const struct load_options *, struct gpudbg_error *);
void image_close(struct gpudbg_image *);

#endif
