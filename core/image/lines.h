/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.h: DWARF line tables, through libdw. */
#ifndef GPUDBG_LINES_H
#define GPUDBG_LINES_H

#include "gpudbg.h"

/* A file opened for libdw.  It puts what it unpacks of compressed sections into the headers it is given, so those of
 * such a file are a copy. */
struct debug_file {
    void *elf;      /* an Elf *; NULL: none, or it is not read */
    void *copy;     /* malloc'ed, or NULL */
    bool too_large; /* its sections would unpack to more than the image may take */
};
struct debug_file debug_open(const struct gpudbg_image *, const uint8_t *bytes, size_t size);
void debug_close(struct debug_file *);
/* A Dwarf *, for dwarf_end; NULL: it has no debug information. */
void *debug_dwarf(const struct debug_file *);

/* Adds the rows of every unit, their addresses counted from `base`; a file without DWARF, or with damaged DWARF, has no
 * (or fewer) lines.  What would take more memory than the image may is left out, and the image has a fact that says
 * so. */
void lines_load(struct gpudbg_image *, const struct debug_file *, uint64_t base);

#endif
