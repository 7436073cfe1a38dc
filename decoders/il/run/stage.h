/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stage.h: what a kind of shader has besides registers.
 *
 *     compute    a lane is a thread
 *     pixel      a lane is a pixel; a wavefront is 8 x 8 of them, a quad is lanes 4n to 4n + 3: (0,0) (1,0) (0,1)
 *                (1,1).  Pixels outside the domain help their quad and store nothing
 *     vertex     a lane is a vertex
 *     geometry   a lane is a primitive (x of the launch) and an instance (y)
 *     hull       a lane is a patch; phases are repeated for its control points or instances
 *     domain     a lane is a point (x) of a patch (y)
 *
 * An input or output register bound to a buffer has 16 bytes an element: pixel y * width + x, vertex, point.
 */
#ifndef IL_STAGE_H
#define IL_STAGE_H

#include "run/il_run.h"

/* Types of bound resources that are not registers. */
enum { IL_BOUND_EXPORT = 200, IL_BOUND_SCATTER };

/* Whether a register of this type holds what the launch gives.  What both can be (il_register.access) is an input of
 * pixel shaders and an output of the others. */
bool il_is_input(unsigned type, unsigned shader);

void il_position(const struct gpudbg_wave *, unsigned lane, uint32_t out[3]); /* in the launch */
/* Element of a buffer that belongs to the lane. */
uint64_t il_element_of(const struct gpudbg_wave *, unsigned lane);
/* The buffer that is bound to an input or output register; NULL: none. */
struct gpudbg_segment *il_bound_to(const struct il *, unsigned type, uint64_t number, bool output);
/* Whether the lane has no pixel or thread of its own. */
static inline bool il_is_helper(const struct gpudbg_wave *w, unsigned l)
{
    return !(il_pair(w->words, IL_REAL) >> l & 1);
}
/* Stores a register into an element of a buffer; nothing where there is no such element.  false: the store failed. */
bool il_store_register(struct gpudbg_wave *, uint32_t slot, struct gpudbg_segment *, uint64_t element, unsigned lane);
/* Where the centroid of the lane's pixel is, from its centre, in pixels: x to the right, y down. */
void il_centroid(struct gpudbg_wave *, const struct il *, unsigned lane, double out[2]);
/* The place of sample n of so many, from the pixel's centre, in pixels. */
void il_sample_place(unsigned samples, unsigned n, double out[2]);
void il_discard_and_end(struct gpudbg_wave *, struct il *, uint64_t lanes);

#endif
