/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.h: DWARF line tables, through libdw. */
#ifndef GPUDBG_LINES_H
#define GPUDBG_LINES_H

#include "gpudbg.h"

/* Adds the rows of every unit, their addresses counted from `base`; a file without DWARF, or with damaged DWARF, has no (or fewer)
 * lines.  elf: an Elf *. */
void lines_load(struct gpudbg_image *, void *elf, uint64_t base);

#endif
