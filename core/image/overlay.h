/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overlay.h: code that the user patched.  A section with patches gets a copy of its bytes, and everybody who reads the
 * image sees the copy; the file's own bytes are kept beside it.
 */
#ifndef GPUDBG_OVERLAY_H
#define GPUDBG_OVERLAY_H

#include "gpudbg.h"

/* A patch, in order of address; they do not overlap. */
struct image_overlay {
    uint64_t addr;
    size_t size;
    char *text; /* what the user wrote */
};

/* The patches, *n of them; borrowed until the next change. */
const struct image_overlay *image_overlays(const struct gpudbg_image *, size_t *n);
/* The patch that covers addr, or NULL. */
const struct image_overlay *image_overlay_at(const struct gpudbg_image *, uint64_t addr);
/* Puts n bytes over the code at addr.  Patches that lie in them whole go.  false: nothing changed, and the error says
 * what is in the way: another patch that is larger, a relocation, the end of the section. */
bool image_overlay_add(
    struct gpudbg_image *, uint64_t addr, const uint8_t *bytes, size_t n, const char *text, struct gpudbg_error *);
/* Puts the file's bytes back where the patch at addr is. */
void image_overlay_drop(struct gpudbg_image *, uint64_t addr);
/* Copies n bytes of code as the file has them. */
void image_overlay_original(const struct gpudbg_image *, uint64_t addr, uint8_t *to, size_t n);
/* The whole file with its patches, malloc'ed: the container that was loaded, unpacked if it was gzip.  Of a file whose
 * code was made while loading, the code alone.  NULL with an error. */
uint8_t *image_overlaid(const struct gpudbg_image *, size_t *n, struct gpudbg_error *);

#endif
