/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * texture.c: instructions that read textures and buffers, with a sampler or without (7.6), lane by lane.
 *
 * Sources, after the coordinates: reference (x), then bias (x; texldb: w), level (x) or two gradients, then with _ext
 * numbers that are added to those of resource and sampler.  Multisampled textures are loaded by sample w.
 */
#include "texture/texture.h"
#include "run/stage.h"

#include <math.h>
#include <string.h>

#include "gpudbg/sampling.h"

/* ---- What an instruction has ---- */

enum form { PLAIN = 0, BIAS = 1, LEVEL = 2, GRADIENTS = 4, COMPARE = 8, ZERO = 16, OFFSETS = 32, STAGE = 64 };

static unsigned form_of(unsigned code)
{
    switch (code) {
    case IL_OP_SAMPLE_B: return BIAS;
    case IL_OP_SAMPLE_G: return GRADIENTS;
    case IL_OP_SAMPLE_L: return LEVEL;
    case IL_OP_SAMPLE_C:
    case IL_OP_FETCH4_C: return COMPARE;
    case IL_OP_SAMPLE_C_LZ: return COMPARE | ZERO;
    case IL_OP_SAMPLE_C_L: return COMPARE | LEVEL;
    case IL_OP_SAMPLE_C_G: return COMPARE | GRADIENTS;
    case IL_OP_SAMPLE_C_B: return COMPARE | BIAS;
    case IL_OP_FETCH4_PO: return OFFSETS;
    case IL_OP_FETCH4_PO_C: return COMPARE | OFFSETS;
    case IL_OP_TEXLD:
    case IL_OP_TEXLDMS:
    case IL_OP_LOD:
    case IL_OP_KILL:
    case IL_OP_TEXWEIGHT:
    case IL_OP_PROJECT: return STAGE;
    case IL_OP_TEXLDB: return STAGE | BIAS;
    case IL_OP_TEXLDD: return STAGE | GRADIENTS;
    default: return PLAIN;
    }
}

/* Rows of the sources, and which is what. */
struct asking {
    struct gpudbg_wave *w;
    struct il *r;
    const struct il_exec_op *op;
    unsigned form;
    uint32_t rows[6][4][IL_LANES];
    unsigned reference, bias, level, gradients, offsets; /* number of the source */
    uint32_t resource[IL_LANES], sampler[IL_LANES];
    bool samples; /* sampler[] says something */
};

static void take_rows(struct asking *a)
{
    for (unsigned i = 0; i < a->op->nsrc && i < 6; i++) {
        const uint32_t *rows[4];
        const bool integers = a->op->code == IL_OP_LOAD || a->op->code == IL_OP_LOAD_FPTR ||
                              a->op->code == IL_OP_RESINFO || (a->op->indexed && i + 2u >= a->op->nsrc);
        il_fetch(a->w, a->r, &a->op->src[i], integers ? IL_INT : IL_FLOAT, 0, rows);
        for (unsigned c = 0; c < 4; c++) memcpy(a->rows[i][c], rows[c], sizeof a->rows[i][c]);
    }
}

bool il_takes_sampler(const struct il_exec_op *op)
{
    const struct gpudbg_format *format = il_rows[op->row->id].format;
    for (size_t i = 0; i < format->count; i++)
        if (strcmp(format->fields[i].name, "sampler") == 0)
            return op->code != IL_OP_LOAD && op->code != IL_OP_LOAD_FPTR;
    return false;
}

static void begin(struct asking *a, struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    memset(a, 0, sizeof *a);
    a->w = w;
    a->r = r;
    a->op = op;
    a->form = form_of(op->code);
    a->samples = il_takes_sampler(op);
    unsigned next = 1;
    if (a->form & COMPARE) a->reference = next++;
    if (a->form & (BIAS | LEVEL | GRADIENTS | OFFSETS)) a->bias = a->level = a->gradients = a->offsets = next;
    take_rows(a);
    const unsigned ext = op->indexed && op->nsrc >= 2 ? op->nsrc - 2u : 0;
    for (unsigned l = 0; l < IL_LANES; l++) {
        a->resource[l] = op->id + (op->indexed ? a->rows[ext][0][l] : 0);
        a->sampler[l] = a->form & STAGE ? op->id
                                        : (op->control >> 24 & 15) + (op->indexed ? a->rows[ext + 1][0][l] : 0);
    }
}

static double number(uint32_t bits) { return (double)lanes_f32(lanes_flush32(bits, false)); }

/* A texture stage's load that compares with z: _shadowmode(z) and (unknown), table 6.28. */
static bool is_shadow(const struct asking *a)
{
    const unsigned code = a->op->code;
    return (code == IL_OP_TEXLD || code == IL_OP_TEXLDB || code == IL_OP_TEXLDD) && a->op->control >> 26 & 3;
}

/* Signed numbers with one bit of fraction. */
static void constant_offsets(const struct asking *a, double out[3])
{
    const uint32_t token = a->form & STAGE ? a->op->sec : a->op->offsets;
    const bool have = a->form & STAGE ? a->op->has_sec && !is_shadow(a) : a->op->has_offsets;
    for (unsigned i = 0; i < 3; i++) out[i] = have ? (int8_t)(token >> 8 * i) / 2.0 : 0;
}

/* Differences in the quad: lanes 4n + 1 and 4n + 2 against 4n, for all of it. */
static void quad_derivatives(const struct asking *a, unsigned l, struct il_request *q)
{
    const unsigned first = l & ~3u;
    for (unsigned i = 0; i < 3; i++) {
        const double here = number(a->rows[0][i][first]);
        q->dx[i] = number(a->rows[0][i][first + 1]) - here;
        q->dy[i] = number(a->rows[0][i][first + 2]) - here;
    }
}

bool il_uses_centroid(const struct il_exec_op *op)
{
    const bool stage = op->code == IL_OP_TEXLD || op->code == IL_OP_TEXLDB || op->code == IL_OP_TEXLDD;
    return op->code == IL_OP_EVAL_CENTROID || (stage && op->control >> 24 & 1);
}

/* _centroid: the coordinates are those of the covered samples' place, on the plane through the quad. */
static void move_to_centroid(const struct asking *a, unsigned l, struct il_request *q)
{
    double place[2];
    if (!il_uses_centroid(a->op)) return;
    il_centroid(a->w, a->r, l, place);
    struct il_request quad;
    quad_derivatives(a, l, &quad);
    for (unsigned i = 0; i < 3 && (place[0] != 0 || place[1] != 0); i++)
        q->at[i] += quad.dx[i] * place[0] + quad.dy[i] * place[1];
}

static void request_of(const struct asking *a, unsigned l, struct il_request *q)
{
    memset(q, 0, sizeof *q);
    for (unsigned i = 0; i < 4; i++) q->at[i] = number(a->rows[0][i][l]);
    constant_offsets(a, q->offset);
    q->compares = a->form & COMPARE;
    q->reference = (float)number(a->rows[a->reference][0][l]);
    if (a->form & BIAS) q->bias = number(a->rows[a->bias][a->form & STAGE ? 3 : 0][l]);
    if (a->form & (LEVEL | ZERO)) {
        q->explicit_lod = true;
        q->lod = a->form & LEVEL ? number(a->rows[a->level][0][l]) : 0;
    } else if (a->form & GRADIENTS) {
        for (unsigned i = 0; i < 3; i++) {
            q->dx[i] = number(a->rows[a->gradients][i][l]);
            q->dy[i] = number(a->rows[a->gradients + 1][i][l]);
        }
    } else {
        quad_derivatives(a, l, q);
    }
    if (a->form & OFFSETS)
        for (unsigned i = 0; i < 2; i++) q->offset[i] = sampling_offset(a->rows[a->offsets][i][l]);
    if (a->form & STAGE && a->op->has_pri) q->late_bias = (int8_t)(a->op->pri >> 18 << 1) / 32.0;
    if (a->op->code == IL_OP_TEXLDB && a->op->control >> 25 & 1) { /* absolute */
        q->explicit_lod = true;
        q->lod = q->bias;
        q->bias = 0;
    }
    if (is_shadow(a)) {
        q->compares = true;
        q->reference = (float)q->at[2];
    }
    move_to_centroid(a, l, q);
}

/* Filters that the instruction itself names: 1 point, 2 linear, 3 anisotropic; 3 of mip: base level only.  aniso: 1
 * never, then 1 2 4 8 16 taps at most. */
static void override_filters(const struct asking *a, struct il_sampler *s)
{
    if (!(a->form & STAGE) || !a->op->has_pri) return;
    const unsigned mip = a->op->pri >> 12 & 7, aniso = a->op->pri >> 15 & 7;
    uint8_t *const filters[] = {&s->mag, &s->min, &s->volmag, &s->volmin};
    for (unsigned i = 0; i < 4 && !is_shadow(a); i++)
        if (a->op->pri >> 3 * i & 7) *filters[i] = (uint8_t)((a->op->pri >> 3 * i & 7) - 1);
    if (aniso && !is_shadow(a)) s->aniso = aniso < 3 ? 1 : (uint8_t)(1u << (aniso - 2));
    if (mip) {
        s->linear_mip = mip == 2;
        s->no_mips = mip == 3;
    }
}

bool il_names_srv(const struct il *r, const struct il_exec_op *op, uint32_t id)
{
    return op->code == IL_OP_BUFINFO && id < IL_SRVS && !r->res[id].layout && r->srv[id].layout;
}

/* The texture of a lane.  false: it was not given, or there is no such sampler. */
static bool texture_of(const struct asking *a, unsigned l, struct il_texture *t)
{
    const uint32_t id = a->resource[l], sampler = a->sampler[l];
    const bool uav = !(a->form & STAGE) && a->op->has_pri && a->op->pri >> 4 & 1;
    if (a->samples && sampler >= IL_SAMPLERS) return false;
    if (id >= (uav ? IL_IDS : IL_SRVS)) return false;
    const struct il_resource *res = uav                             ? &a->r->uav[id]
                                    : il_names_srv(a->r, a->op, id) ? &a->r->srv[id]
                                                                    : &a->r->res[id];
    if (!res->segment) return false;
    il_texture(t, a->w, res, a->op->pixtex);
    t->sampler = a->r->sampler[sampler & (IL_SAMPLERS - 1)];
    override_filters(a, &t->sampler);
    t->seamless = a->r->choice[IL_CHOICE_CUBE] == 0;
    const unsigned mode = !(a->form & STAGE) && a->op->has_pri ? a->op->pri >> 2 & 3 : 0;
    t->unnormalized = mode ? mode == 2 : t->unnormalized;
    return true;
}

/* The result of a lane, from its texture. */
typedef void lane_fn(const struct asking *, unsigned l, const struct il_texture *, uint32_t v[4]);

static enum gpudbg_ran missing(const struct asking *a, unsigned l)
{
    a->w->pc = a->op->pc;
    if (a->samples && a->sampler[l] >= IL_SAMPLERS)
        return gpudbg_fault(a->w, (int)l, "%s: sampler %u: samplers have numbers from 0 to %u", a->op->row->name,
            a->sampler[l], IL_SAMPLERS - 1);
    const char *family = il_names_srv(a->r, a->op, a->resource[l]) ? "srv" : "res";
    return gpudbg_fault(a->w, (int)l, "%s: the launch has no %s%u", a->op->row->name, family, a->resource[l]);
}

/* A helper pixel may hold any number, so the texture that it picks need not exist: it reads 0. */
static bool only_helps(const struct gpudbg_wave *w, unsigned l) { return !(il_storing(w) >> l & 1); }

/* Lanes that execute, one after another; `writes`: components that the instruction has. */
static enum gpudbg_ran each_lane(
    struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op, unsigned writes, lane_fn *result)
{
    struct asking a;
    struct il_texture t = {0};
    unsigned l;
    begin(&a, w, r, op);
    IL_EACH_LANE(l, il_exec(w))
    {
        uint32_t v[4] = {0};
        if (texture_of(&a, l, &t))
            result(&a, l, &t, v);
        else if (!only_helps(w, l))
            return missing(&a, l);
        for (unsigned c = 0; c < 4; c++) r->result[c][l] = v[c];
    }
    return il_store(w, r, &op->dst[0], IL_MOVED, writes, NULL, r->result) ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

static void floats(uint32_t v[4], double x, double y, double z, double w)
{
    const double from[4] = {x, y, z, w};
    for (unsigned c = 0; c < 4; c++) v[c] = lanes_bits32((float)from[c]);
}

/* ---- Instructions ---- */

static void sampled(const struct asking *a, unsigned l, const struct il_texture *t, uint32_t v[4])
{
    struct il_request q;
    request_of(a, l, &q);
    il_sample(t, &q, l, v);
}

enum gpudbg_ran il_do_sample(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    return each_lane(w, r, op, 15, sampled);
}

static void gathered(const struct asking *a, unsigned l, const struct il_texture *t, uint32_t v[4])
{
    struct il_request q;
    request_of(a, l, &q);
    il_gather(t, &q, a->op->has_pri ? a->op->pri & 3 : 0, l, v);
}

enum gpudbg_ran il_do_fetch4(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    return each_lane(w, r, op, 15, gathered);
}

/* getlod: x within the limits, y without.  lod: the limited one everywhere. */
static void level(const struct asking *a, unsigned l, const struct il_texture *t, uint32_t v[4])
{
    struct il_request q;
    double free;
    request_of(a, l, &q);
    const double lod = il_lod(t, &q, &free);
    if (a->op->code == IL_OP_LOD)
        floats(v, lod, lod, lod, lod);
    else
        floats(v, lod, free, 0, 0);
}

enum gpudbg_ran il_do_lod(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    return each_lane(w, r, op, 15, level);
}

static void weights(const struct asking *a, unsigned l, const struct il_texture *t, uint32_t v[4])
{
    struct il_request q;
    double weight[2];
    request_of(a, l, &q);
    il_weights(t, &q, weight);
    floats(v, weight[0], weight[1], 0, 0);
}

enum gpudbg_ran il_do_texweight(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    return each_lane(w, r, op, 3, weights);
}

static bool is_msaa(const struct il_resource *res)
{
    return res->dimension == IL_PIXTEX_2DMSAA || res->dimension == IL_PIXTEX_2DARRAYMSAA;
}

/* A texel's number; those beyond any image stay beyond it, and NaN is 0 as in conversions. */
static int64_t whole(uint32_t bits)
{
    const double x = floor(number(bits));
    return x != x ? 0 : (int64_t)(x > 0x1p40 ? 0x1p40 : x < -0x1p40 ? -0x1p40 : x);
}

/* load, load_fptr, texldms: one texel, by whole numbers; 0 where there is none. */
static void loaded(const struct asking *a, unsigned l, const struct il_texture *t, uint32_t v[4])
{
    const bool stage = a->form & STAGE, samples = is_msaa(t->res),
               pointers = a->op->code == IL_OP_LOAD_FPTR; /* these ignore w */
    double offset[3];
    int64_t at[4];
    constant_offsets(a, offset);
    for (unsigned i = 0; i < 4; i++) at[i] = stage ? whole(a->rows[0][i][l]) : (int32_t)a->rows[0][i][l];
    for (unsigned i = 0; i < t->axes && !t->cube; i++) at[i] += (int64_t)floor(offset[i]);
    const int64_t sample = !samples || pointers ? 0
                           : stage              ? at[2]
                                                : at[3],
                  mip = samples || pointers || t->res->levels <= 1 ? 0 : at[3];
    const unsigned axes = t->axes + (t->array && !t->cube);
    bool inside = mip >= 0 && mip < (t->res->levels ? t->res->levels : 1) && sample >= 0 &&
                  sample < (t->res->samples ? t->res->samples : 1);
    for (unsigned i = 0; i < axes && i < 3 && inside; i++)
        inside = at[i] >= 0 && at[i] < (i == t->axes ? il_slices(t) : il_level_size(t->res, i, (uint32_t)mip));
    if (!inside) return;
    if (pointers) {
        for (unsigned i = 0; i < t->res->samples && i < 8; i++) v[0] |= i << 4 * i;
        v[1] = v[2] = v[3] = v[0];
        return;
    }
    il_texel(t, (uint32_t)mip, (uint32_t)at[0], axes > 1 ? (uint32_t)at[1] : 0, axes > 2 ? (uint32_t)at[2] : 0,
        (uint32_t)sample, l, v);
}

enum gpudbg_ran il_do_load(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    return each_lane(w, r, op, 15, loaded);
}

/* kill: by the source, or by a stage's texel at the source's coordinates. */
enum gpudbg_ran il_do_kill(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct asking a;
    struct il_texture t = {0};
    struct il_request q;
    uint64_t lanes = 0;
    unsigned l;
    begin(&a, w, r, op);
    IL_EACH_LANE(l, il_exec(w))
    {
        uint32_t v[4] = {a.rows[0][0][l], a.rows[0][1][l], a.rows[0][2][l], a.rows[0][3][l]};
        if (op->control >> 24 & 1) {
            if (!texture_of(&a, l, &t)) {
                if (only_helps(w, l)) continue;
                return missing(&a, l);
            }
            request_of(&a, l, &q);
            il_sample(&t, &q, l, v);
        }
        for (unsigned c = 0; c < 4; c++) lanes |= (uint64_t)(number(v[c]) < 0) << l;
    }
    il_discard_and_end(w, r, lanes);
    return GPUDBG_RAN_LIMIT;
}

/* ---- Questions ---- */

static void answer(const struct asking *a, uint32_t v[4], uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    const uint32_t whole[4] = {x, y, z, w};
    if (a->op->control >> 24 & 1)
        memcpy(v, whole, sizeof whole);
    else
        floats(v, x, y, z, w);
}

static void sizes(const struct asking *a, unsigned l, const struct il_texture *t, uint32_t v[4])
{
    const struct il_resource *res = t->res;
    const uint32_t levels = res->levels ? res->levels : 1, mip = a->rows[0][0][l],
                   layers = t->cube ? res->depth / 6 : res->depth;
    if (mip >= levels) {
        answer(a, v, 0, 0, 0, levels);
        return;
    }
    answer(a, v, il_level_size(res, 0, mip),
        t->axes > 1 ? il_level_size(res, 1, mip)
        : t->array  ? res->height
                    : 0,
        t->axes > 2 && !t->cube   ? il_level_size(res, 2, mip)
        : t->array && t->axes > 1 ? layers
                                  : 0,
        levels);
}

enum gpudbg_ran il_do_resinfo(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    return each_lane(w, r, op, 15, sizes);
}

/* The number of elements, everywhere. */
static void elements(const struct asking *a, unsigned l, const struct il_texture *t, uint32_t v[4])
{
    const struct il_resource *res = t->res;
    const uint64_t pitch = res->layout == IL_STRUCT_ELEMENTS  ? res->stride
                           : res->layout == IL_TYPED_ELEMENTS ? res->pitch
                                                              : 1;
    (void)a;
    (void)l;
    v[0] = v[1] = v[2] = v[3] = (uint32_t)(res->size / (pitch ? pitch : 1));
}

enum gpudbg_ran il_do_bufinfo(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    return each_lane(w, r, op, 15, elements);
}

static void samples(const struct asking *a, unsigned l, const struct il_texture *t, uint32_t v[4])
{
    (void)l;
    answer(a, v, is_msaa(t->res) ? t->res->samples : 0, 0, 0, 0);
}

enum gpudbg_ran il_do_sampleinfo(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    return each_lane(w, r, op, 15, samples);
}

static void sample_place(const struct asking *a, unsigned l, const struct il_texture *t, uint32_t v[4])
{
    double place[2] = {0, 0};
    if (is_msaa(t->res)) il_sample_place(t->res->samples, a->rows[0][0][l], place);
    floats(v, place[0], place[1], 0, 0);
}

enum gpudbg_ran il_do_samplepos(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    return each_lane(w, r, op, 15, sample_place);
}

bool il_uses_texture(const struct il_exec_op *op)
{
    static il_fn *const functions[] = {il_do_sample, il_do_fetch4, il_do_lod, il_do_texweight, il_do_load,
        il_do_resinfo, il_do_bufinfo, il_do_sampleinfo, il_do_samplepos};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (op->fn == functions[i]) return true;
    return op->code == IL_OP_KILL && op->control >> 24 & 1;
}
