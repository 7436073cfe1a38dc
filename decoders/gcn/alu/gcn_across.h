/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_across.h: the handlers of gcn_across.c, which rows of ops.def name. */
#ifndef GCN_ACROSS_H
#define GCN_ACROSS_H

#include "engine/gcn_exec.h"

gcn_fn gcn_readlane, gcn_readfirstlane, gcn_writelane, gcn_movreld, gcn_movrels, gcn_movrelsd, gcn_movrelsd_2, gcn_swap,
    gcn_swaprel, gcn_permlane16, gcn_permlanex16, gcn_clrexcp;

/* op->mods of v_permlane16_b32. */
enum { GCN_PERMLANE_FI = 1, GCN_PERMLANE_BOUND_CTRL = 2 };

#endif
