/* SPDX-License-Identifier: GPL-3.0-or-later */
/* texture.h: single texels, and filtered texels. */
#ifndef IL_TEXTURE_H
#define IL_TEXTURE_H

#include "run/il_run.h"

/* A lane's request to a sampler. */
struct il_request {
    double at[4];        /* coordinates; array layer or cube in its place */
    double dx[3], dy[3]; /* by pixel */
    double offset[3];    /* texels */
    double bias, lod;
    double late_bias; /* added after the sampler's limits */
    float reference;
    bool explicit_lod, compares;
};

struct il_texture {
    struct gpudbg_wave *w;
    const struct il_resource *res;
    struct il_sampler sampler;
    bool unnormalized;
    unsigned axes; /* filtered coordinates: 1 to 3; of cubes 3 for the direction */
    bool cube, array;
    bool seamless; /* of a cube: filters cross edges */
};

/* Axes and kind of a resource.  type: of the instruction, or 0: as declared. */
void il_texture(struct il_texture *, struct gpudbg_wave *, const struct il_resource *, unsigned type);
uint32_t il_level_size(const struct il_resource *, unsigned axis, uint32_t level); /* texels; slices do not shrink */
uint32_t il_slices(const struct il_texture *);
/* A texel as floats or integers; the place must exist. */
void il_texel(const struct il_texture *, uint32_t level, uint32_t x, uint32_t y, uint32_t z, uint32_t sample,
    unsigned lane, uint32_t out[4]);
/* Level of detail before and after it is limited. */
double il_lod(const struct il_texture *, const struct il_request *, double *unclamped);
void il_sample(const struct il_texture *, const struct il_request *, unsigned lane, uint32_t out[4]);
/* The four texels that linear filtering would take, in the order (-,+) (+,+) (+,-) (-,-), one component of each. */
void il_gather(
    const struct il_texture *, const struct il_request *, unsigned component, unsigned lane, uint32_t out[4]);
/* Weights of linear filtering along x and y. */
void il_weights(const struct il_texture *, const struct il_request *, double out[2]);

#endif
