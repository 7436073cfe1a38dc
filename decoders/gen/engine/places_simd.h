/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places_simd.h: the IPs of a thread's 32 channels, in loops that a compiler can widen: places_simd.c is compiled once
 * for each vector width. */
#ifndef GEN_PLACES_SIMD_H
#define GEN_PLACES_SIMD_H

#include "engine/gen_exec.h"
#include "gpudbg/lanes.h"

struct gen_places {
    /* Sets the IP of some channels; the lowest IP of some channels (UINT32_MAX: no channel), and the channels there. */
    void (*send)(uint32_t *place, uint32_t channels, uint32_t ip);
    uint32_t (*lowest)(const uint32_t *place, uint32_t channels, uint32_t *there);
};
extern const struct gen_places gen_places_1 LANES_MISSING, gen_places_3 LANES_MISSING, gen_places_4 LANES_MISSING;

#endif
