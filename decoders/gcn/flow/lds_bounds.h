/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lds_bounds.h: the least address in LDS that each instruction of a kernel can access. */
#ifndef GCN_LDS_BOUNDS_H
#define GCN_LDS_BOUNDS_H

#include "gcn.h"

/* See gpudbg_using.local_accesses. */
bool gcn_local_accesses(const struct gpudbg_image *, const struct gpudbg_kernel *, gpudbg_local_fn *each, void *to);

#endif
