/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places_simd.c: see places_simd.h. */
#include "engine/places_simd.h"

static void send(uint32_t *place, uint32_t channels, uint32_t ip)
{
    for (unsigned i = 0; i < 32; i++) place[i] = channels >> i & 1 ? ip : place[i];
}

static uint32_t lowest(const uint32_t *place, uint32_t channels, uint32_t *there)
{
    uint32_t least = UINT32_MAX, at = 0;
    for (unsigned i = 0; i < 32; i++) {
        uint32_t here = channels >> i & 1 ? place[i] : UINT32_MAX;
        least = here < least ? here : least;
    }
    for (unsigned i = 0; i < 32; i++) at |= (uint32_t)(place[i] == least) << i;
    *there = at & channels;
    return least;
}

#define PLACES_(n) gen_places_##n
#define PLACES(n) PLACES_(n)

const struct gen_places PLACES(SIMD) = {.send = send, .lowest = lowest};
