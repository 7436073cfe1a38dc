/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sampler.c: messages to the sampler, on linear surfaces of one mip level.  Samplers are those of the kernel's file or
 * of the launch; a sampler that neither defines takes the nearest element, or the one at the edge. Order of parameters,
 * and contents of the header: as drivers send them; compilers leave trailing parameters out.
 */
#include "message/sampler.h"

#include <math.h>

enum type {
    SAMPLE,
    SAMPLE_B,
    SAMPLE_L,
    SAMPLE_C,
    SAMPLE_D,
    SAMPLE_B_C,
    SAMPLE_L_C,
    LD,
    GATHER4,
    LOD,
    RESINFO,
    SAMPLEINFO,
    GATHER4_C = 16,
    GATHER4_PO,
    GATHER4_PO_C,
    SAMPLE_D_C = 20,
    SAMPLE_LZ = 24,
    SAMPLE_C_LZ,
    LD_LZ,
};

static bool is_known(unsigned type, const struct gen_eu *eu)
{
    switch (type) {
    case SAMPLE_D_C: return eu->sample_d_c;
    case SAMPLE_LZ:
    case SAMPLE_C_LZ:
    case LD_LZ: return eu->sample_lz;
    default: return type <= SAMPLEINFO || (type >= GATHER4_C && type <= GATHER4_PO_C);
    }
}

/* ---- Parameters ---- */

static uint32_t parameter(const struct gen_sampling *q, unsigned n, unsigned lane)
{
    if (n >= q->parameters) return 0;
    return q->u ? gen_payload(q->m, q->first + n * q->u, lane)
                : gen_payload(q->m, q->first + n / 4, (lane & 4) + n % 4);
}

static float number(const struct gen_sampling *q, unsigned n, unsigned lane)
{
    return lanes_f32(parameter(q, n, lane));
}

static bool has_reference(unsigned type)
{
    return type == SAMPLE_C || type == SAMPLE_B_C || type == SAMPLE_L_C || type == SAMPLE_D_C || type == GATHER4_C ||
           type == GATHER4_PO_C || type == SAMPLE_C_LZ;
}

static bool has_level(unsigned type) /* or a bias */
{
    return type == SAMPLE_B || type == SAMPLE_L || type == SAMPLE_B_C || type == SAMPLE_L_C;
}

static bool has_slopes(unsigned type) { return type == SAMPLE_D || type == SAMPLE_D_C; }

/* Number of the first coordinate: a reference and a level come before; two vectors have them after it. */
static unsigned coordinates(const struct gen_sampling *q)
{
    return q->u ? (unsigned)has_reference(q->type) + has_level(q->type) : 0;
}

static unsigned before(const struct gen_sampling *q) /* of the reference, then the level */
{
    return q->u ? 0 : has_slopes(q->type) && has_reference(q->type) ? 10 : 4;
}

/* Number of a slope along x or y: three a coordinate, or two vectors of pairs. */
static unsigned slope(const struct gen_sampling *q, unsigned axis, bool y)
{
    return q->u ? coordinates(q) + 3 * axis + 1 + y : 4 + 2 * axis + y;
}

static void places(const struct gen_sampling *q, unsigned lane, double at[4])
{
    const bool placed = q->type == GATHER4_PO || q->type == GATHER4_PO_C;
    const unsigned first = coordinates(q), step = q->u && has_slopes(q->type) ? 3 : 1;
    for (unsigned i = 0; i < 4; i++) at[i] = number(q, first + step * i + (placed && i > 1 ? 2 : 0), lane);
}

/* ---- Levels of detail: there is one level, so they choose between the filters alone ---- */

/* By how much the place moves, in elements, from pixel to pixel: within groups of 2 x 2 channels. */
static double computed_level(const struct gen_sampling *q, unsigned lane)
{
    double longest = 0;
    const unsigned first = lane & ~3u;
    for (unsigned y = 0; y < 2; y++) {
        double sum = 0;
        for (unsigned i = 0; i < 3; i++) {
            const unsigned n = coordinates(q) + i;
            const double d = has_slopes(q->type) ? number(q, slope(q, i, y), lane)
                             : q->u              ? number(q, n, first + (y ? 2 : 1)) - number(q, n, first)
                                                 : 0;
            const double scaled = d * (q->sampler->unnormalised ? 1 : gen_extent(q->surface, i));
            sum += scaled * scaled;
        }
        longest = sum > longest ? sum : longest;
    }
    return log2(longest) / 2;
}

static bool is_linear(const struct gen_sampling *q, unsigned lane)
{
    const struct gen_sampler_state *s = q->sampler;
    if (s->linear == s->linear_far || q->type == SAMPLE_LZ || q->type == SAMPLE_C_LZ) return s->linear;
    double level = 0;
    if (q->type != SAMPLE_L && q->type != SAMPLE_L_C) level = computed_level(q, lane);
    if (has_level(q->type)) level += number(q, before(q) + has_reference(q->type), lane);
    return level > 0 ? s->linear_far : s->linear;
}

/* ---- The messages ---- */

/* u, level, v, r, or u, v, level, r; two vectors have the level last.  A buffer's u alone will do. */
static bool load(struct gen_sampling *q, unsigned lane, struct gen_texel *t)
{
    bool behind = gen_of(q->m->wave)->eu->level_behind_v, no_lod = q->type == LD_LZ;
    unsigned v = !q->u || behind || no_lod ? 1 : 2, r = !q->u || no_lod ? 2 : 3;
    int64_t at[3] = {(int32_t)parameter(q, 0, lane), (int32_t)parameter(q, v, lane), (int32_t)parameter(q, r, lane)};
    return gen_fetch(q, at[0] + q->offset[0], at[1] + q->offset[1], at[2] + q->offset[2], lane, t);
}

static bool gather(struct gen_sampling *q, unsigned lane, struct gen_texel *t)
{
    double at[4];
    places(q, lane, at);
    if (q->type == GATHER4_PO || q->type == GATHER4_PO_C)
        for (unsigned i = 0; i < 2; i++) /* six bits */
            q->offset[i] = (int32_t)(parameter(q, coordinates(q) + 2 + i, lane) << 26) >> 26;
    return gen_gather(q, at, lane, t);
}

static bool serve(struct gen_sampling *q, unsigned lane, struct gen_texel *t)
{
    double at[4];
    q->reference = has_reference(q->type) ? number(q, before(q), lane) : 0;
    switch (q->type) {
    case RESINFO:
        *t = (struct gen_texel){{gen_extent(q->surface, 0), gen_extent(q->surface, 1), gen_extent(q->surface, 2), 1}};
        return true;
    case SAMPLEINFO: *t = (struct gen_texel){{1, 0, 0, 0}}; return true;
    case LOD: *t = (struct gen_texel){{0, lanes_bits32((float)computed_level(q, lane)), 0, 0}}; return true;
    case LD:
    case LD_LZ: return load(q, lane, t);
    case GATHER4:
    case GATHER4_C:
    case GATHER4_PO:
    case GATHER4_PO_C: return gather(q, lane, t);
    default: places(q, lane, at); return gen_filter(q, at, is_linear(q, lane), lane, t);
    }
}

/* Two vectors: RGBA of each in one register. */
static enum gen_served two_vectors(struct gen_sampling *q, unsigned masked)
{
    struct gen_message *m = q->m;
    for (unsigned i = 0; i < 8; i += 4) {
        struct gen_texel t;
        if (!(m->lanes >> i & 15)) continue;
        if (!serve(q, i, &t)) return GEN_FAULTED;
        for (unsigned c = 0; c < 4; c++)
            if (m->lanes >> (i + c) & 1 && !(masked >> c & 1)) gen_answer(m, 0, i + c, t.c[c]);
    }
    return GEN_SERVED;
}

static enum gen_served all_lanes(struct gen_sampling *q, unsigned masked)
{
    struct gen_message *m = q->m;
    for (uint32_t l = m->lanes & (q->u == 2 ? 0xffffu : 0xffu); l; l &= l - 1) {
        unsigned i = (unsigned)__builtin_ctz(l), reg = 0;
        struct gen_texel t;
        if (!serve(q, i, &t)) return GEN_FAULTED;
        for (unsigned c = 0; c < 4; c++)
            if (!(masked >> c & 1)) gen_answer(m, reg++ * q->u, i, t.c[c]);
    }
    return GEN_SERVED;
}

static int small(uint32_t v) /* four bits */ { return (int)((v & 15) ^ 8) - 8; }

/* Whether this sampler can serve messages of this type; false: machine->stop says why not. */
static bool serves(const struct gen_message *m, const struct gen_sampler_state *s, unsigned number_of, unsigned type)
{
    const bool places = type != LD && type != LD_LZ && type != RESINFO;
    const bool filters = places && type != SAMPLEINFO && type != LOD && type != GATHER4 && type != GATHER4_C &&
                         type != GATHER4_PO && type != GATHER4_PO_C;
    for (unsigned i = 0; i < 3; i++)
        if (places && s->address[i] == GEN_ADDRESS_OTHER) {
            gpudbg_fault(m->wave, -1, "sampler %u: its addressing mode does not exist in this generation", number_of);
            return false;
        }
    if (filters && s->filter)
        gpudbg_fault(m->wave, -1, "sampler %u: filter %u%s is not implemented", number_of, s->filter,
            s->filter == 2   ? ", anisotropic,"
            : s->filter == 6 ? ", mono,"
                             : "");
    return !filters || !s->filter;
}

enum gen_served gen_sampler(struct gen_message *m)
{
    unsigned mode = gen_field(m->desc, 18, 17), type = gen_field(m->desc, 16, 12), bti = m->desc & 255;
    const unsigned number_of = gen_field(m->desc, 11, 8);
    const struct gen_sampler_state *sampler = &gen_setup_of(m->wave)->samplers[number_of];
    if (!gen_needs(m, m->header)) return GEN_FAULTED;
    const uint32_t header = m->header ? m->payload[0][2] : 0;
    const bool halves = gen_of(m->wave)->eu->half_samples &&
                        gen_field(m->desc, 30, 29); /* parameters or answers of 16 bits */
    if (mode == 3 || halves || !is_known(type, gen_of(m->wave)->eu)) return GEN_UNKNOWN;
    struct gen_sampling q = {.m = m,
        .type = type,
        .first = m->header,
        .u = mode,
        .surface = gen_surface_of(m, bti),
        .sampler = sampler,
        .gathers = gen_field(header, 17, 16),
        .offset = {small(header >> 8), small(header >> 4), small(header)},
        .compares = has_reference(type)};
    if (!serves(m, sampler, number_of, type)) return GEN_FAULTED;
    const unsigned registers = m->have - m->header;
    q.parameters = mode ? registers / q.u : 4 * registers;
    if (!gen_port_open(m, bti, &q.port) || !q.surface) return GEN_FAULTED;
    const unsigned masked = gen_field(header, 15, 12);
    return mode ? all_lanes(&q, masked) : two_vectors(&q, masked);
}
