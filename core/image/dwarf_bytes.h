/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_bytes.h: location expressions as bytes.  libdw refuses an expression with an operation that it does not know,
 * and with it the list that the expression is in. */
#ifndef GPUDBG_DWARF_BYTES_H
#define GPUDBG_DWARF_BYTES_H

#include <elfutils/libdw.h>
#include "base/bytes.h"

/* The expression of an attribute that holds at pc, which counts as the debug information does; false: there is none. */
bool die_expression(Dwarf_Attribute *, uint64_t pc, struct bytes *);

#endif
