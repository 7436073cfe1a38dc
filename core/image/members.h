/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * members.h: code files inside another, by the path FILE(MEMBER): lib.a(kernels.o), and lib.a(kernels.o)(2) where
 * the member contains others.  MEMBER is its name; or its number from 1 on, where an earlier one has the same name.
 */
#ifndef GPUDBG_MEMBERS_H
#define GPUDBG_MEMBERS_H

#include "gpudbg.h"

#define MEMBERS_MOST 10000u /* of one file that are listed */
#define MEMBERS_DEEP 4u     /* containers in containers */

struct members {
    struct gpudbg_member *member;
    size_t n, room;
};

/* All that a container holds; false: it is damaged.  To be freed either way. */
bool members_read(struct members *, struct gpudbg_image *, const struct gpudbg_loader *, struct gpudbg_error *);
void members_free(struct members *);
/* The member that the image's path names behind the first *file bytes, which are the container's own path; SIZE_MAX:
 * they are counted here.  *behind: where the path goes on.  n: there is no such member, and *asked says whether the
 * path names one. */
size_t members_asked(const struct members *, const struct gpudbg_image *, size_t *file, size_t *behind, bool *asked);
/* The path of the i-th, of a file whose own path is the first n bytes of the image's; malloc'ed. */
char *members_path(const struct members *, const struct gpudbg_image *, size_t n, size_t i);
/* Length of the file's own path in a path that may name a member; 0: no such file. */
size_t members_file(const char *path);

#endif
