/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image.h: making and ending images; what loaders call is in gpudbg.h, how files become images in load.h. */
#ifndef GPUDBG_IMAGE_H
#define GPUDBG_IMAGE_H

#include "gpudbg.h"

struct image_own;   /* arena, mapping, indices */
struct image_index; /* what image_find.c has sorted, so that it finds quickly */

struct gpudbg_image *image_new(const char *path);
/* The file's bytes: `mapped` ones are unmapped at the end, others freed (malloc). */
void image_give(struct gpudbg_image *, uint8_t *bytes, size_t size, bool mapped);
/* The file that the image was opened from, by its loader and its bytes: a container's (members.h), else its own. */
const struct gpudbg_image *image_file(const struct gpudbg_image *);
/* What the container holds: paths by which each can be opened; NULL past the end, and of what is in no container. */
const char *image_member_path(const struct gpudbg_image *, size_t i);
/* For load.c: the image is of a member of `container`, which goes with it; paths (copied) of all members. */
void image_inside(struct gpudbg_image *, struct gpudbg_image *container);
void image_give_members(struct gpudbg_image *, char **paths, size_t n);
/* Bytes that what the file unpacks to may take; 0: only the program's own limits. */
void image_budget(struct gpudbg_image *, uint64_t bytes);
uint64_t image_most(const struct gpudbg_image *);
/* Counts bytes that debug information is about to take; false: that would be more than the image may, or than there
 * are. */
bool image_take(struct gpudbg_image *, uint64_t bytes);
/* Says in a fact that lines are missing because their table would be too large; and whether any are. */
void image_lines_too_large(struct gpudbg_image *);
bool image_lines_left_out(const struct gpudbg_image *);
const char *image_no_lines(const struct gpudbg_image *); /* why it has none, to stand behind its name */
/* What the user must know before he trusts anything that is shown of the file; NULL: nothing. */
#define IMAGE_WARNING "warning" /* the key of that fact */
const char *image_warning(const struct gpudbg_image *);
/* The file became shorter while it was open; what is missing reads as 0.  And the error for that; returns false. */
bool image_cut(const struct gpudbg_image *);
bool image_cut_failed(const struct gpudbg_image *, struct gpudbg_error *);
/* The made-up address of a symbol that the file does not contain and needs at `place`; the same for one name.
 * GPUDBG_UNDEFINED: there are too many. */
uint64_t image_undefined(struct gpudbg_image *, const char *name, uint64_t place);
/* The i-th place, in the order met, where such a symbol is needed; false: no more. */
bool image_needed(const struct gpudbg_image *, size_t i, uint64_t *place, const char **name);
void image_sort(struct gpudbg_image *); /* once loading ends */
void image_free(struct gpudbg_image *);
/* Bare code (copied) beside what was loaded, as a section and a function of that name. */
bool image_add_code(
    struct gpudbg_image *, const char *name, uint64_t addr, const uint8_t *bytes, size_t size, struct gpudbg_error *);
/* The lowest address of a loaded section at `addr` or above; false: none. */
bool image_next(const struct gpudbg_image *, uint64_t addr, uint64_t *next);
/* Where an address is, in words: "vadd+0x40"; the bare hex where no symbol covers it, or no image is given.  Length as
 * snprintf. */
int image_where(const struct gpudbg_image *, uint64_t pc, char *buf, size_t size);
/* Where image_find.c keeps its index, and its end. */
struct image_index **image_index(const struct gpudbg_image *);
void image_index_free(struct image_index *);
/* What elf.c keeps while loading; the debug information of a relocatable file, once its instruction set is known; and
 * its end. */
void **image_elf(struct gpudbg_image *);
void image_elf_debug(struct gpudbg_image *);
void image_elf_end(struct gpudbg_image *);
/* What overlay.c keeps of the image. */
struct overlays;
struct overlays **image_overlays_of(const struct gpudbg_image *);
/* What dwarf_scope.c keeps of the image. */
struct image_debug;
struct image_debug **image_debug(const struct gpudbg_image *);
/* Calls fn(data) when the image is freed, before its bytes go; the latest that was given first. */
void image_on_close(const struct gpudbg_image *, void (*fn)(void *data), void *data);
/* Where an address is, in words: "vadd+0x40"; the bare hex if no symbol covers it, or if there is no image.  As
 * snprintf. */
int image_where(const struct gpudbg_image *, uint64_t pc, char *buf, size_t size);

#endif
