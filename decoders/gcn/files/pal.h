/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pal.h: metadata of PAL pipelines: facts of the image by which a launch knows the stage and its registers. */
#ifndef GCN_PAL_H
#define GCN_PAL_H

#include "gpudbg.h"
#include "files/notes.h"

/* Adds the facts of the first pipeline; nothing if there is none.  metadata may be NULL. */
void gcn_pal_facts(struct gpudbg_image *, const json_t *metadata);

/* The older note, dwords in pairs (register, value), as the same kind of tree.  A new reference, or NULL. */
json_t *gcn_pal_pairs(const uint8_t *bytes, size_t n);

/* The lanes of a wave on chips with two sizes, of the first stage that says it; 0: none does, or it is no pipeline. */
unsigned gcn_pal_lanes(const json_t *metadata);

#endif
