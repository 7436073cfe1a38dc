/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ops.h: the operations by name, one number each, whatever the generation codes them as.  A file that needs this asks
 * for single operations; all others ask what ops.def says of them (GEN_IS).  gen_rows.inc is made of ops.def.
 */
#ifndef GEN_OPS_H
#define GEN_OPS_H

enum gen_op {
#include "gen_rows.inc"
    GEN_OPS
};

#endif
