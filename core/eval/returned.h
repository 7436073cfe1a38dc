/* SPDX-License-Identifier: GPL-3.0-or-later */
/* returned.h: where a calling convention leaves what a function returns. */
#ifndef GPUDBG_RETURNED_H
#define GPUDBG_RETURNED_H

#include "eval/dwarf_place.h"

enum returned_how {
    RETURNED_UNKNOWN,   /* *why says why */
    RETURNED_REGISTERS, /* the place is there */
    RETURNED_MEMORY /* where part[0] of the place led to when the function was called, in the work-item's memory; with
                           a part[1], the high dword: in global memory */
};

/* For a value of that type, which function returns; as the lane has it. */
enum returned_how returned_place(const struct gpudbg_dwarf *, Dwarf_Die *function, Dwarf_Die *type, int lane,
    struct dwarf_place *, const char **why);

#endif
