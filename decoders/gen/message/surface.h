/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface.h: elements of surfaces: their formats, and where they lie in linear memory. */
#ifndef GEN_SURFACE_H
#define GEN_SURFACE_H

#include "message/gen_setup.h"

/* "float4/16:4x2" and the like, as written after ':' of an argument; NULL: bytes. */
bool gen_surface_format(const char *text, struct gen_surface_state *, struct gpudbg_error *);

struct gen_texel {
    uint32_t c[4]; /* R G B A: bits of F, or integers */
};

/* Byte distance of an element, or -1: outside. */
int64_t gen_surface_offset(const struct gen_surface_state *, int64_t u, int64_t v, int64_t r);
/* The type and order of the surface's channels, as OpenCL numbers them. */
uint32_t gen_surface_cl_type(const struct gen_surface_state *);
uint32_t gen_surface_cl_order(const struct gen_surface_state *);
unsigned gen_surface_bytes(const struct gen_surface_state *); /* of an element */
bool gen_surface_is_float(const struct gen_surface_state *);
void gen_surface_decode(const struct gen_surface_state *, const uint8_t *bytes, struct gen_texel *);
void gen_surface_encode(const struct gen_surface_state *, const struct gen_texel *, uint8_t *bytes);

#endif
