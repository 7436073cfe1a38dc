/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_ops.h: the names of the rows of ops.def.  Only code that names rows includes this, so that a new row recompiles
 * only that. */
#ifndef GCN_OPS_H
#define GCN_OPS_H

#include "gcn.h"

/* GCN_s_add_u32 and so on: the index of a row in gcn_ops, and op->id.  The build takes only the names from ops.def, so
 * that a change to a row that keeps its name recompiles only the files that use the row. */
enum gcn_row {
#include "gcn_rows.inc"
    GCN_OPS
};

#endif
