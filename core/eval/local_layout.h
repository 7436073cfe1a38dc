/* SPDX-License-Identifier: GPL-3.0-or-later */
/* local_layout.h: where in LDS a variable of the launched kernel is. */
#ifndef GPUDBG_LOCAL_LAYOUT_H
#define GPUDBG_LOCAL_LAYOUT_H

#include "eval/eval.h"
#include "image/dwarf_scope.h"

/* false: the code does not say it for certain. */
bool local_base(struct eval *, struct scopes *, Dwarf_Die *variable, uint64_t *base);

#endif
