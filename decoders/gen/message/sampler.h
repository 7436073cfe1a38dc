/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler.h: a request to the sampler: sampler.c takes messages apart, filter.c finds elements and weighs them. */
#ifndef GEN_SAMPLER_H
#define GEN_SAMPLER_H

#include "message/message_run.h"
#include "message/surface.h"
#include "gpudbg/lanes.h"

struct gen_sampling {
    struct gen_message *m;
    const struct gen_surface_state *surface;
    const struct gen_sampler_state *sampler;
    struct gen_port port;
    unsigned type;       /* of the message */
    unsigned first, u;   /* registers: where parameters start, of each */
    unsigned parameters; /* how many there are */
    unsigned gathers;    /* the channel that gather4 takes */
    int offset[3];       /* added to places, in elements */
    bool compares;       /* elements become 1 or 0, by `reference` */
    float reference;
};

/* Outside of the surface: zeros, and the defaults of channels that the format lacks.  false: the memory door has
 * stopped the thread. */
bool gen_fetch(struct gen_sampling *, int64_t u, int64_t v, int64_t r, unsigned lane, struct gen_texel *);
bool gen_filter(struct gen_sampling *, const double at[4], bool linear, unsigned lane,
    struct gen_texel *); /* at[3]: layer of cubes */
bool gen_gather(struct gen_sampling *, const double at[4], unsigned lane, struct gen_texel *);
uint32_t gen_extent(const struct gen_surface_state *, unsigned axis); /* elements along u, v, r */

#endif
