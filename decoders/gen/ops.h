/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ops.h: the operations by name, one number each, whichever code a generation has for them.  A file that includes this
 * asks for single operations; all other files ask for traits of ops.def (GEN_IS).  gen_rows.inc is made of ops.def.
 */
#ifndef GEN_OPS_H
#define GEN_OPS_H

enum gen_op {
#include "gen_rows.inc"
    GEN_OPS
};

#endif
