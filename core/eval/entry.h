/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.h: a kernel's parameters as the launch gave them: NAME@entry, as gdb writes it. */
#ifndef GPUDBG_ENTRY_H
#define GPUDBG_ENTRY_H

#include "eval/dwarf_place.h"
#include "image/dwarf_scope.h"

#define ENTRY_SUFFIX "@entry"

/* The place of a parameter of the launched kernel at its entry; false: the variable is none, or its argument has no
 * value that a variable can have (an image, memory in LDS). */
bool entry_place(struct eval *, struct scopes *, Dwarf_Die *variable, struct dwarf_place *);

#endif
