/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler_state.c: a sampler as its state in memory says: SAMPLER_STATE and the border's colour. */
#include "files/gen_binary.h"
#include "gpudbg/lanes.h"

static enum gen_address address_of(unsigned code, const struct gen_eu *eu)
{
    static const uint8_t known[] = {GEN_ADDRESS_WRAP, GEN_ADDRESS_MIRROR, GEN_ADDRESS_EDGE, GEN_ADDRESS_CUBE,
        GEN_ADDRESS_BORDER, GEN_ADDRESS_MIRROR_ONCE, GEN_ADDRESS_HALF_BORDER, GEN_ADDRESS_MIRROR_101};
    return code < 6 || eu->mirrors_more ? known[code & 7] : GEN_ADDRESS_OTHER;
}

void gen_sampler_decode(
    const uint32_t w[4], const uint32_t colour[4], const struct gen_eu *eu, struct gen_sampler_state *s)
{
    const int16_t given = s->given;
    const unsigned near = gen_field(w[0], 19, 17), far = gen_field(w[0], 16, 14);
    *s = (struct gen_sampler_state){.linear = near == 1,
        .linear_far = far == 1,
        .filter = (uint8_t)(near > 1  ? near
                            : far > 1 ? far
                                      : 0),
        .unnormalised = gen_field(w[3], 10, 10),
        .compares = true,
        .compare = (uint8_t)gen_field(w[1], 3, 1),
        .given = given};
    for (unsigned i = 0; i < 3; i++) {
        s->address[i] = (uint8_t)address_of(gen_field(w[3], 8 - 3 * i, 6 - 3 * i), eu);
    }
    for (unsigned c = 0; colour && c < 4; c++) /* the older form has four bytes */
        s->border[c] = w[0] >> 29 & 1 ? lanes_bits32((float)(colour[0] >> 8 * c & 255) / 255) : colour[c];
}
