/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_sample.c: MIMG with a sampler: sample, gather4, get_lod.
 *
 * The address VGPRs are, as the form has them: offsets (six bits each in three bytes); bias; reference depth;
 * derivatives by x of all coordinates, then by y; coordinates, slice or face (8 * cube + face); level or the level's
 * lower limit.  Without derivatives the level comes from differences in a quad: lanes 4n + 1 and 4n + 2 against lane
 * 4n, whether active or not.
 *
 * Arithmetic is that of the OpenGL and Direct3D specifications in doubles, rounded once at the end: no weights of 8
 * bits.  Where one texel is taken, its coordinates are first rounded to 1/256 of a texel, unless TRUNC_COORD is set:
 * compiled kernels divide by the size with an error in the last bit and count on that.  Coordinates of cubes are those
 * of a face, from 1 to 2.  The number of taps of an anisotropic filter is the ratio of the longer axis of a pixel's
 * area to the shorter one, at most the limit in S#; the taps are side by side along the longer axis, in the level that
 * suits one tap (GL_EXT_texture_filter_anisotropic); the manual does not say how.  A level is worked out in this order:
 * derivatives or a given level, biases, limits of S#, of T#, of the instruction; then the existing levels.
 */
#include "image/gcn_image.h"

#include "gpudbg/sampling.h"

#include "alu/vector.h"

enum { BORDER = -1, CORNER = -2, TEXELS = 8 };

struct request {
    int32_t offset[3];
    float bias, reference;
    double dx[3], dy[3], at[3];
    uint32_t slice;
    float level; /* given, or the limit */
};

/* The values that all lanes of an instruction share. */
struct sampling {
    struct gpudbg_wave *w;
    const struct gcn_op *op;
    struct gcn_image im;
    struct gcn_sampler s;
    unsigned dimensions;
    bool slices;
    unsigned lane;
    struct gcn_image_address address;
};

/* ---- The address ---- */

static unsigned has(const struct gcn_op *op, unsigned form) { return op->imm & form ? 1 : 0; }

static bool is_integer(const struct sampling *c) { return gcn_texel_is_integer(&c->im.texel); }

/* filters: samples are blended, so they must not be integers. */
static bool begin(struct sampling *c, bool filters)
{
    const struct gcn_op *op = c->op;
    if (!gcn_image(c->w, op, &c->im)) return false;
    c->dimensions = gcn_image_dimensions(&c->im);
    if (!gcn_sampler(c->w, op, c->dimensions, &c->s)) return false;
    c->slices = gcn_image_takes_slice(&c->im, op);
    if (c->s.degamma && c->im.texel.nfmt == GCN_NUM_UNORM) c->im.texel.nfmt = GCN_NUM_SRGB;
    if (c->s.no_degamma && c->im.texel.nfmt == GCN_NUM_SRGB) c->im.texel.nfmt = GCN_NUM_UNORM;
    if (c->s.aniso_of_levels && c->im.levels == 1) c->s.aniso_mag = c->s.aniso_min = false;
    if (c->im.type >= GCN_IMAGE_2D_MSAA) {
        (void)GCN_FAULT(c->w, op, -1, "%s: T#.type is %u: multisampled images are not filtered",
            gcn_image_name(c->w, op), c->im.type);
        return false;
    }
    const bool blends = c->s.linear_mag || c->s.linear_min || c->s.aniso_mag || c->s.aniso_min ||
                        (c->dimensions == 3 && c->s.z_filter == 2) || (c->im.levels > 1 && c->s.mip_filter == 2);
    if (is_integer(c) && blends && filters) {
        (void)GCN_FAULT(c->w, op, -1, "%s: T#.num_format is %u: integers are not filtered", gcn_image_name(c->w, op),
            c->im.texel.nfmt);
        return false;
    }
    const bool derivatives = has(op, GCN_IMAGE_DERIVATIVES | GCN_IMAGE_COARSE);
    c->address = (struct gcn_image_address){
        .extra = has(op, GCN_IMAGE_OFFSET) + has(op, GCN_IMAGE_BIAS) + has(op, GCN_IMAGE_COMPARE),
        .bias = has(op, GCN_IMAGE_BIAS) ? (int)has(op, GCN_IMAGE_OFFSET) : -1,
        .derivatives = derivatives ? c->dimensions : 0,
        .own = c->dimensions + c->slices + has(op, GCN_IMAGE_LEVEL | GCN_IMAGE_CLAMP),
        .floats = true};
    return gcn_image_address(c->w, op, &c->address);
}

static float float_of(const struct sampling *c, unsigned row, unsigned lane)
{
    float v = lanes_f32(c->address.row[row][lane]);
    return v == v ? v : 0;
}

static double nearest(double v) { return v < 0 ? 0 : v > 1e6 ? 1e6 : lanes_rint(v); }

static uint32_t slice_of(const struct sampling *c, float v)
{
    uint32_t n = (uint32_t)nearest(v);
    if (c->im.type == GCN_IMAGE_CUBE) n = n / 8 * 6 + (n % 8 < 6 ? n % 8 : 5);
    return n < c->im.slices ? n : c->im.slices - 1;
}

static void read_request(const struct sampling *c, struct request *r)
{
    const struct gcn_op *op = c->op;
    unsigned row = 0, lane = c->lane, n = c->dimensions, quad = lane & ~3u;
    memset(r, 0, sizeof *r);
    if (has(op, GCN_IMAGE_OFFSET)) {
        uint32_t v = c->address.row[row++][lane];
        for (unsigned i = 0; i < 3; i++) r->offset[i] = sampling_offset(v >> 8 * i);
    }
    if (has(op, GCN_IMAGE_BIAS)) r->bias = float_of(c, row++, lane);
    if (has(op, GCN_IMAGE_COMPARE)) r->reference = lanes_f32(c->address.row[row++][lane]);
    if (has(op, GCN_IMAGE_DERIVATIVES | GCN_IMAGE_COARSE)) {
        unsigned from = has(op, GCN_IMAGE_COARSE) ? quad : lane;
        for (unsigned i = 0; i < n; i++) {
            r->dx[i] = float_of(c, row + i, from);
            r->dy[i] = float_of(c, row + n + i, from);
        }
        row += 2 * n;
    } else {
        for (unsigned i = 0; i < n; i++) {
            r->dx[i] = (double)float_of(c, row + i, quad + 1) - float_of(c, row + i, quad);
            r->dy[i] = (double)float_of(c, row + i, quad + 2) - float_of(c, row + i, quad);
        }
    }
    for (unsigned i = 0; i < n; i++) r->at[i] = float_of(c, row++, lane);
    if (c->slices) r->slice = slice_of(c, float_of(c, row++, lane));
    if (has(op, GCN_IMAGE_LEVEL | GCN_IMAGE_CLAMP)) r->level = float_of(c, row, lane);
}

/* ---- Level of detail ---- */

static double size_of(const struct gcn_level_place *p, unsigned axis)
{
    return axis == 0 ? p->width : axis == 1 ? p->height : p->depth;
}

static double by_derivatives(const struct sampling *c, const struct request *r, struct sampling_taps *taps)
{
    const double bias = (double)r->bias + (double)c->s.bias;
    double x = 0, y = 0;
    for (unsigned i = 0; i < c->dimensions; i++) {
        double size = size_of(&c->im.level[0], i);
        x += r->dx[i] * size * (r->dx[i] * size);
        y += r->dy[i] * size * (r->dy[i] * size);
    }
    double level = 0.5 * (double)lanes_log2((float)(x > y ? x : y));
    if (c->s.taps > 1 && (level + bias > 0 ? c->s.aniso_min : c->s.aniso_mag) && (x > 0 || y > 0))
        *taps = sampling_stretched(x, y, r->dx, r->dy, c->s.taps, &level);
    return level;
}

/* The level before the limits. */
static double raw_level(const struct sampling *c, const struct request *r, struct sampling_taps *taps)
{
    *taps = (struct sampling_taps){.n = 1};
    if (c->s.unnormalized || has(c->op, GCN_IMAGE_ZERO)) return 0;
    double level = has(c->op, GCN_IMAGE_LEVEL) ? (double)r->level : by_derivatives(c, r, taps);
    return level + (double)r->bias + (double)c->s.bias;
}

static double limited(const struct sampling *c, const struct request *r, double level)
{
    if (c->s.unnormalized || has(c->op, GCN_IMAGE_ZERO)) return 0;
    double least = c->s.min_lod, first = (double)c->im.min_lod - c->im.base_level, most = c->s.max_lod;
    least = first > least ? first : least;
    if (has(c->op, GCN_IMAGE_CLAMP) && (double)r->level > least) least = (double)r->level;
    level = level > most ? most : level;
    return level < least ? least : level;
}

/* The level or levels; returns the weight of the second. */
static double levels_of(const struct sampling *c, double level, uint32_t at[2])
{
    return sampling_levels((enum sampling_mip)c->s.mip_filter, level, c->im.levels - 1, at);
}

/* ---- Texels ---- */

static bool fetch(const struct sampling *c, uint32_t level, uint32_t x, uint32_t y, uint32_t slice, uint32_t out[4])
{
    uint8_t block[16];
    const struct gcn_texel *t = &c->im.texel;
    uint64_t addr = gcn_image_place(&c->im, level, x, y, slice, 0);
    gcn_sync(c->w, c->op);
    if (!gpudbg_mem_read(c->w, GPUDBG_GLOBAL, addr, block, t->bytes, (int)c->lane)) {
        gcn_stop(c->w, GPUDBG_RAN_FAULT);
        return false;
    }
    gcn_texel_load(t, block, x % t->width, y % t->height, out);
    return true;
}

/* A colour of the border table, which the hardware finds by a register and a launch takes from borders=: four words,
 * like the image's components in registers. */
static bool border_of_table(const struct sampling *c, uint32_t out[4])
{
    const struct gcn_setup *setup = gcn_of(c->w)->setup;
    const uint64_t at = UINT64_C(16) * c->s.border_entry;
    if (at + 16 <= setup->borders_size) {
        memcpy(out, setup->borders + at, 16);
        return true;
    }
    (void)GCN_FAULT(c->w, c->op, (int)c->lane,
        "%s: S#.border_color_ptr is %u: the launch has %llu border colours (borders=)", gcn_image_name(c->w, c->op),
        c->s.border_entry, (unsigned long long)setup->borders_size / 16);
    return false;
}

/* Colours outside the image. */
static bool border(const struct sampling *c, uint32_t out[4])
{
    uint32_t one = is_integer(c) ? 1 : 0x3f800000;
    uint32_t given[4];
    if (c->s.border == 3 && !border_of_table(c, given)) return false;
    for (unsigned i = 0; i < 4 && c->s.border != 3; i++)
        given[i] = c->s.border == 2 || (c->s.border == 1 && i == 3) ? one : 0;
    for (unsigned i = 0; i < 4; i++) out[i] = given[c->im.border_order[i]];
    return true;
}

/* Compares a depth, which becomes 1 or 0. */
static void compare(const struct sampling *c, const struct request *r, uint32_t texel[4])
{
    float reference = r->reference;
    if (!has(c->op, GCN_IMAGE_COMPARE)) return;
    if (c->im.texel.nfmt == GCN_NUM_UNORM) reference = !(reference > 0) ? 0 : reference > 1 ? 1 : reference;
    texel[0] = sampling_compares(c->s.compare, reference, lanes_f32(texel[0])) ? 0x3f800000 : 0;
    texel[1] = texel[2] = 0;
    texel[3] = 0x3f800000;
}

/* ---- Coordinates of texels ---- */

static double in_texels(
    const struct sampling *c, const struct request *r, const struct gcn_level_place *p, unsigned axis, bool point)
{
    double size = size_of(p, axis), u = r->at[axis];
    if (c->im.type == GCN_IMAGE_CUBE) u -= 1;
    u = (c->s.unnormalized ? u : u * size) + r->offset[axis];
    bool half = c->s.clamp[axis] == GCN_HALF_BORDER || c->s.clamp[axis] == GCN_MIRROR_HALF_BORDER;
    if (c->s.clamp[axis] == GCN_MIRROR_HALF_BORDER) u = u < 0 ? -u : u;
    if (half) u = u < 0 ? 0 : u > size ? size : u;
    u = u > 0x1p30 ? 0x1p30 : u < -0x1p30 ? -0x1p30 : u;
    return point && !c->s.truncates ? lanes_rint(u * 256) / 256 : u;
}

/* Half borders begin half a texel outside, which only a filter sees. */
static int32_t wrapped(enum gcn_clamp how, int32_t i, int32_t n, bool linear)
{
    static const uint8_t ways[] = {[GCN_WRAP] = SAMPLING_REPEAT,
        [GCN_MIRROR] = SAMPLING_MIRROR,
        [GCN_LAST_TEXEL] = SAMPLING_EDGE,
        [GCN_MIRROR_LAST_TEXEL] = SAMPLING_MIRROR_ONCE,
        [GCN_HALF_BORDER] = SAMPLING_BORDER,
        [GCN_MIRROR_HALF_BORDER] = SAMPLING_MIRROR_BORDER,
        [GCN_BORDER] = SAMPLING_BORDER,
        [GCN_MIRROR_BORDER] = SAMPLING_MIRROR_BORDER};
    const bool half = how == GCN_HALF_BORDER || how == GCN_MIRROR_HALF_BORDER;
    if (half && !linear && (i == n || (how == GCN_MIRROR_HALF_BORDER && i == -1 - n))) return n - 1;
    const int64_t at = sampling_wrapped((enum sampling_wrap)ways[how & 7], i, n);
    return at == SAMPLING_OUTSIDE ? BORDER : (int32_t)at;
}

/* Up to eight texels with weights. */
struct footprint {
    unsigned n;
    struct {
        int32_t x, y; /* BORDER if any of the three is; CORNER: where three faces of a cube meet */
        uint32_t slice;
        double weight;
    } texel[TEXELS];
};

/* The texel of a cube that lies one beyond the edge of a face.  Axes of faces +x -x +y -y +z -z: where s and t grow. */
static void cross_edge(int32_t *x, int32_t *y, uint32_t *slice, int32_t n)
{
    static const struct {
        int8_t major[3], s[3], t[3];
    } faces[6] = {{{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
        {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}}, {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},
        {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}}};
    uint32_t face = *slice % 6;
    /* Twice the distance from the centre, in texels: from -(n - 1) to n - 1 on a face, n on its plane. */
    int32_t s = 2 * *x - (n - 1), t = 2 * *y - (n - 1), v[3], ends[2] = {s, t};
    bool beyond_s = *x < 0 || *x >= n;
    ends[beyond_s ? 0 : 1] = (beyond_s ? s : t) < 0 ? -n : n;
    for (unsigned i = 0; i < 3; i++)
        v[i] = faces[face].major[i] * (n - 1) + faces[face].s[i] * ends[0] + faces[face].t[i] * ends[1];
    for (uint32_t f = 0; f < 6; f++) {
        int32_t major = 0, fs = 0, ft = 0;
        for (unsigned i = 0; i < 3; i++) {
            major += faces[f].major[i] * v[i];
            fs += faces[f].s[i] * v[i];
            ft += faces[f].t[i] * v[i];
        }
        if (major == n) {
            *x = (fs + n - 1) / 2;
            *y = (ft + n - 1) / 2;
            *slice = *slice - face + f;
            return;
        }
    }
}

static void find_texels(
    const struct sampling *c, const struct request *r, uint32_t level, bool linear, struct footprint *f)
{
    const struct gcn_level_place *p = &c->im.level[level];
    int32_t index[3][2] = {{0}};
    double part[3] = {0};
    unsigned count[3] = {1, 1, 1};
    bool cube = c->im.type == GCN_IMAGE_CUBE && c->s.cube_wrap;
    for (unsigned i = 0; i < c->dimensions; i++) {
        bool two = i == 2 && c->s.z_filter ? c->s.z_filter == 2 : linear;
        double u = in_texels(c, r, p, i, !two) - (two ? 0.5 : 0), whole = lanes_floor64(u);
        count[i] = two ? 2 : 1;
        part[i] = u - whole;
        for (unsigned k = 0; k < count[i]; k++) {
            int32_t n = (int32_t)size_of(p, i), at = (int32_t)whole + (int32_t)k;
            if (cube)
                index[i][k] = two ? (at < -1 ? -1 : at > n ? n : at) : at < 0 ? 0 : at >= n ? n - 1 : at;
            else
                index[i][k] = wrapped(c->s.clamp[i], at, n, two);
        }
    }
    f->n = 0;
    for (unsigned z = 0; z < count[2]; z++)
        for (unsigned y = 0; y < count[1]; y++)
            for (unsigned x = 0; x < count[0]; x++) {
                int32_t tx = index[0][x], ty = index[1][y], tz = index[2][z], n = (int32_t)p->width;
                uint32_t slice = c->im.base_slice + (c->dimensions == 3 ? (uint32_t)tz : r->slice);
                bool out_x = tx < 0 || tx >= n, out_y = ty < 0 || ty >= (int32_t)p->height;
                if (cube && out_x && out_y) {
                    tx = CORNER;
                } else if (cube && (out_x || out_y)) {
                    slice -= c->im.base_slice;
                    cross_edge(&tx, &ty, &slice, n);
                    slice += c->im.base_slice;
                } else if (tx < 0 || ty < 0 || tz < 0) {
                    tx = BORDER;
                }
                f->texel[f->n].x = tx;
                f->texel[f->n].y = ty;
                f->texel[f->n].slice = slice;
                f->texel[f->n].weight = (count[0] < 2 ? 1
                                            : x       ? part[0]
                                                      : 1 - part[0]) *
                                        (count[1] < 2 ? 1
                                            : y       ? part[1]
                                                      : 1 - part[1]) *
                                        (count[2] < 2 ? 1
                                            : z       ? part[2]
                                                      : 1 - part[2]);
                f->n++;
            }
}

/* A texel of the footprint, compared if the form compares. */
static bool texel_of(const struct sampling *c, const struct request *r, uint32_t level, const struct footprint *f,
    unsigned i, uint32_t out[4])
{
    if (f->texel[i].x == BORDER) {
        if (!border(c, out)) return false;
    } else if (f->texel[i].x == CORNER) { /* the mean of the three others */
        double sum[4] = {0};
        for (unsigned k = 0; k < f->n; k++)
            if (f->texel[k].x != CORNER) {
                if (!texel_of(c, r, level, f, k, out)) return false;
                for (unsigned j = 0; j < 4; j++) sum[j] += (double)lanes_f32(out[j]);
            }
        for (unsigned j = 0; j < 4; j++) out[j] = lanes_bits32((float)(sum[j] / 3));
        return true;
    } else if (!fetch(c, level, (uint32_t)f->texel[i].x, (uint32_t)f->texel[i].y, f->texel[i].slice, out)) {
        return false;
    }
    compare(c, r, out);
    return true;
}

/* ---- Filtering ---- */

struct blend {
    unsigned n;
    uint32_t word[4]; /* the first texel */
    double value[4];
};

static void add(const struct sampling *c, struct blend *b, const uint32_t texel[4], double weight)
{
    if (weight == 0) return;
    for (unsigned i = 0; i < 4; i++) {
        double v = lanes_f32(texel[i]);
        if (c->s.mode == 0)
            b->value[i] += weight * v;
        else if (b->n == 0 || (c->s.mode == 1 ? v < b->value[i] : v > b->value[i]))
            b->value[i] = v;
        if (b->n == 0) b->word[i] = texel[i];
    }
    b->n++;
}

static bool add_level(
    const struct sampling *c, const struct request *r, uint32_t level, bool linear, double weight, struct blend *b)
{
    struct footprint f;
    uint32_t texel[4];
    find_texels(c, r, level, linear, &f);
    for (unsigned i = 0; i < f.n; i++) {
        if (f.texel[i].weight * weight == 0) continue;
        if (!texel_of(c, r, level, &f, i, texel)) return false;
        add(c, b, texel, f.texel[i].weight * weight);
    }
    return true;
}

static bool sample_lane(struct sampling *c, uint32_t out[4])
{
    struct request r;
    uint32_t at[2], in[4];
    struct blend b = {.n = 0};
    struct sampling_taps taps;
    read_request(c, &r);
    double level = limited(c, &r, raw_level(c, &r, &taps)), second = levels_of(c, level, at);
    bool linear = level > 0 ? c->s.linear_min : c->s.linear_mag;
    for (unsigned tap = 0; tap < taps.n; tap++) {
        struct request here = r;
        for (unsigned i = 0; taps.n > 1 && i < c->dimensions; i++)
            here.at[i] += taps.along[i] * sampling_tap(tap, taps.n);
        if (!add_level(c, &here, at[0], linear, (1 - second) / taps.n, &b) ||
            (second > 0 && !add_level(c, &here, at[1], linear, second / taps.n, &b)))
            return false;
    }
    for (unsigned i = 0; i < 4; i++) in[i] = b.n == 1 ? b.word[i] : lanes_bits32((float)b.value[i]);
    gcn_image_select(&c->im, in, out);
    return true;
}

/* ---- Handlers ---- */

static bool no_dmask(struct gpudbg_wave *w, const struct gcn_op *op)
{
    if (op->mods & GCN_IMAGE_DMASK) return false;
    (void)GCN_FAULT(w, op, -1, "%s: dmask is 0: at least one component is needed", gcn_image_name(w, op));
    return true;
}

const struct gcn_op *gcn_image_sample(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    struct sampling c = {.w = w, .op = op};
    uint32_t rows[4][64] = {{0}}, out[4];
    if (!mask) return gcn_image_next(op);
    if (no_dmask(w, op) || !begin(&c, true)) return NULL;
    for (uint64_t m = mask; m; m &= m - 1) {
        c.lane = gcn_first_lane(m);
        if (!sample_lane(&c, out)) return NULL;
        for (unsigned i = 0; i < 4; i++) rows[i][c.lane] = out[i];
    }
    gcn_image_result(w, op, mask, rows, is_integer(&c));
    return gcn_image_done(w, op);
}

/* One component of the four texels that a linear filter would blend: (0, 1), (1, 1), (1, 0), (0, 0). */
const struct gcn_op *gcn_image_gather(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    struct sampling c = {.w = w, .op = op};
    uint32_t rows[4][64] = {{0}};
    if (!mask) return gcn_image_next(op);
    if (no_dmask(w, op) || !begin(&c, false)) return NULL;
    if (c.dimensions != 2)
        return GCN_FAULT(w, op, -1, "%s: T#.type is %u: four texels are gathered from two dimensions",
            gcn_image_name(w, op), c.im.type);
    unsigned component = (unsigned)__builtin_ctz(op->mods & GCN_IMAGE_DMASK);
    for (uint64_t m = mask; m; m &= m - 1) {
        struct request r;
        struct footprint f;
        uint32_t at[2], texel[4], out[4];
        c.lane = gcn_first_lane(m);
        struct sampling_taps taps; /* a gather has one place */
        read_request(&c, &r);
        double second = levels_of(&c, limited(&c, &r, raw_level(&c, &r, &taps)), at);
        uint32_t level = at[second >= 0.5];
        find_texels(&c, &r, level, true, &f);
        for (unsigned i = 0; i < 4; i++) {
            if (!texel_of(&c, &r, level, &f, sampling_gathered(i), texel)) return NULL;
            gcn_image_select(&c.im, texel, out);
            rows[i][c.lane] = out[component];
        }
    }
    struct gcn_op all = *op;
    all.mods |= GCN_IMAGE_DMASK;
    gcn_image_result(w, &all, mask, rows, is_integer(&c));
    return gcn_image_done(w, op);
}

/* x: the level that a sample would take, y: before limits and rounding. */
const struct gcn_op *gcn_image_get_lod(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    struct sampling c = {.w = w, .op = op};
    uint32_t rows[4][64] = {{0}};
    if (!mask) return gcn_image_next(op);
    if (no_dmask(w, op) || !begin(&c, false)) return NULL;
    for (uint64_t m = mask; m; m &= m - 1) {
        struct request r;
        uint32_t at[2];
        c.lane = gcn_first_lane(m);
        struct sampling_taps taps;
        read_request(&c, &r);
        double raw = raw_level(&c, &r, &taps), second = levels_of(&c, limited(&c, &r, raw), at);
        rows[0][c.lane] = lanes_bits32((float)(at[0] + second));
        rows[1][c.lane] = lanes_bits32((float)raw);
    }
    gcn_image_result(w, op, mask, rows, false);
    return gcn_image_done(w, op);
}
