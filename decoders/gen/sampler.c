/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sampler.c: ld and sample on linear surfaces of one mip level.  Samplers are those of the kernel's file or of the launch; one
 * of which neither speaks takes the nearest element, or the one at the edge.
 * Order of parameters: Ivy Bridge and Haswell as drivers send them; compilers leave trailing ones out.
 */
#include <math.h>

#include "message_run.h"
#include "surface.h"

enum { SAMPLE, SAMPLE_B, SAMPLE_L, LD = 7, RESINFO = 10, SAMPLE_LZ = 24, LD_LZ = 26 };

struct request {
    struct gen_message *m;
    const struct gen_surface_state *surface;
    struct gen_port port;
    unsigned type, first, u, parameters; /* registers: of the first parameter, of each; how many there are */
    const struct gen_sampler_state *sampler;
};

static float as_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static uint32_t from_float(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static uint32_t parameter(const struct request *q, unsigned n, unsigned lane)
{
    return n < q->parameters ? gen_payload(q->m, q->first + n * q->u, lane) : 0;
}

/* An element, or zeros outside. */
static bool fetch(struct request *q, int64_t u, int64_t v, int64_t r, unsigned lane, struct gen_texel *t)
{
    const struct gen_surface_state *s = q->surface;
    int64_t at = gen_surface_offset(s, u, v, r);
    uint8_t bytes[16] = {0};
    unsigned size = gen_surface_bytes(s);
    *t = (struct gen_texel){{0, 0, 0, 0}};
    if (at < 0 || (uint64_t)at + size > s->segment->size)
        return true;
    if (!gen_port_read(q->m, &q->port, (uint64_t)at, bytes, size, (int)(q->m->insn->chan_off + lane)))
        return false;
    gen_surface_decode(s, bytes, t);
    return true;
}

static uint32_t extent(const struct gen_surface_state *s, unsigned axis)
{
    uint32_t pitch = s->pitch ? s->pitch : gen_surface_bytes(s);
    if (s->size[0])
        return s->size[axis];
    return axis ? 1 : (uint32_t)(s->segment->size / pitch);
}

/* The element of n that stands at x, a whole number or none; -1: no colour. */
static int64_t element(enum gen_address address, double x, uint32_t n)
{
    if (x >= 0 && x < n)
        return (int64_t)x;
    if (address == GEN_ADDRESS_BORDER || !n)
        return -1;
    if (address == GEN_ADDRESS_EDGE || !isfinite(x))
        return x > 0 ? (int64_t)n - 1 : 0;
    double period = address == GEN_ADDRESS_MIRROR ? 2.0 * n : n, rest = fmod(x, period);
    int64_t at = (int64_t)(rest < 0 ? rest + period : rest);
    return at < n ? at : 2 * (int64_t)n - 1 - at;
}

/* Whether the surface lacks the axis.  A surface of one line may be 1D, with v left out; one element deep it is 2D. */
static bool is_flat(unsigned axis, double at, uint32_t n)
{
    return n == 1 && (axis == 2 || (axis == 1 && at == 0));
}

/* Nearest element, or the weighted 8 around the place. */
static bool filter(struct request *q, const double at[3], unsigned lane, struct gen_texel *out)
{
    const struct gen_sampler_state *s = q->sampler;
    int64_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    float weight[3] = {0, 0, 0};
    for (unsigned i = 0; i < 3; i++) {
        uint32_t n = extent(q->surface, i);
        if (is_flat(i, at[i], n))
            continue;
        double x = at[i] * (s->unnormalised ? 1 : n) - (s->linear ? 0.5 : 0), whole = floor(x);
        low[i] = element(s->address[i], whole, n);
        high[i] = s->linear ? element(s->address[i], whole + 1, n) : low[i];
        weight[i] = s->linear && isfinite(x) ? (float)(x - whole) : 0;
    }
    if (!s->linear || !gen_surface_is_float(q->surface))
        return fetch(q, low[0], low[1], low[2], lane, out);
    float sum[4] = {0, 0, 0, 0};
    for (unsigned k = 0; k < 8; k++) {
        struct gen_texel t;
        float w = (k & 1 ? weight[0] : 1 - weight[0]) * (k & 2 ? weight[1] : 1 - weight[1]) * (k & 4 ? weight[2] : 1 - weight[2]);
        if (w == 0)
            continue;
        if (!fetch(q, k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2], lane, &t))
            return false;
        for (unsigned c = 0; c < 4; c++)
            sum[c] += w * as_float(t.c[c]);
    }
    for (unsigned c = 0; c < 4; c++)
        out->c[c] = from_float(sum[c]);
    return true;
}

/* u, lod, v, r before gen12; u, v, lod, r there.  A buffer's u alone is as good. */
static bool load(struct request *q, unsigned lane, struct gen_texel *t)
{
    bool new = gen_of(q->m->wave)->version == GEN12, no_lod = q->type == LD_LZ;
    unsigned v = new || no_lod ? 1 : 2, r = no_lod ? 2 : 3;
    return fetch(q, (int32_t)parameter(q, 0, lane), (int32_t)parameter(q, v, lane), (int32_t)parameter(q, r, lane), lane, t);
}

static bool sample(struct request *q, unsigned lane, struct gen_texel *t)
{
    unsigned first = q->type == SAMPLE_B || q->type == SAMPLE_L; /* a bias or level of detail comes before the coordinates */
    double at[3];
    for (unsigned i = 0; i < 3; i++)
        at[i] = as_float(parameter(q, first + i, lane));
    return filter(q, at, lane, t);
}

static void resinfo(const struct request *q, struct gen_texel *t)
{
    *t = (struct gen_texel){{extent(q->surface, 0), extent(q->surface, 1), extent(q->surface, 2), 1}};
}

static bool serve(struct request *q, unsigned lane, struct gen_texel *t)
{
    if (q->type == RESINFO)
        resinfo(q, t);
    else if (q->type == LD || q->type == LD_LZ)
        return load(q, lane, t);
    else
        return sample(q, lane, t);
    return true;
}

/* Two vectors: u in dwords 0 and 4, RGBA of each in one register. */
static enum gen_served ld_4x2(struct request *q)
{
    struct gen_message *m = q->m;
    for (unsigned i = 0; i < 8; i += 4) {
        struct gen_texel t;
        if (!(m->lanes >> i & 15))
            continue;
        if (!fetch(q, (int32_t)m->payload[q->first][i], 0, 0, i, &t))
            return GEN_FAULTED;
        for (unsigned c = 0; c < 4; c++)
            if (m->lanes >> (i + c) & 1)
                gen_answer(m, 0, i + c, t.c[c]);
    }
    return GEN_SERVED;
}

enum gen_served gen_sampler(struct gen_message *m)
{
    unsigned mode = gen_field(m->desc, 18, 17), type = gen_field(m->desc, 16, 12), bti = m->desc & 255;
    const unsigned number = gen_field(m->desc, 11, 8);
    const struct gen_sampler_state *sampler = &gen_setup_of(m->wave)->samplers[number];
    bool lz = gen_of(m->wave)->version == GEN12 && (type == SAMPLE_LZ || type == LD_LZ);
    if (mode == 3 || (type != SAMPLE && type != SAMPLE_B && type != SAMPLE_L && type != LD && type != RESINFO && !lz))
        return GEN_UNKNOWN;
    struct request q = {.m = m, .type = type, .first = m->header, .u = mode == 2 ? 2 : 1, .surface = gen_surface_of(m, bti), .sampler = sampler};
    for (unsigned i = 0; i < 3; i++)
        if (sampler->address[i] == GEN_ADDRESS_OTHER && type != LD && type != LD_LZ && type != RESINFO) {
            gpudbg_fault(m->wave, -1, "sampler %u: the addressing modes cube, half border and mirror once: not implemented", number);
            return GEN_FAULTED;
        }
    q.parameters = (m->mlen + m->ex_mlen - m->header) / q.u;
    if (!gen_port_open(m, bti, &q.port) || !q.surface)
        return GEN_FAULTED;
    if (mode == 0)
        return type == LD ? ld_4x2(&q) : GEN_UNKNOWN;
    for (uint32_t l = m->lanes & (mode == 2 ? 0xffffu : 0xffu); l; l &= l - 1) {
        unsigned i = (unsigned)__builtin_ctz(l);
        struct gen_texel t;
        if (!serve(&q, i, &t))
            return GEN_FAULTED;
        for (unsigned c = 0; c < 4; c++)
            gen_answer(m, c * q.u, i, t.c[c]);
    }
    return GEN_SERVED;
}
