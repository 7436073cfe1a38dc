/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.h: DWARF line tables, through libdw. */
#ifndef GPUDBG_LINES_H
#define GPUDBG_LINES_H

#include "gpudbg.h"

/* Adds the rows of every unit, their addresses counted from `base`; a file without DWARF, or with damaged DWARF, has no
 * (or fewer) lines.  elf: an Elf *. */
void lines_load(struct gpudbg_image *, void *elf, uint64_t base);

/* A file opened for libdw.  It puts what it unpacks of compressed sections into the headers it is given, so those of
 * such a file are a copy. */
struct debug_file {
    void *elf;  /* an Elf *; NULL: none, or too large to be copied */
    void *copy; /* malloc'ed, or NULL */
};
struct debug_file debug_open(const uint8_t *bytes, size_t size);
void debug_close(struct debug_file *);

#endif
