/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Images of gfx10: MIMG instructions executed alone and held against the model of image_model.h, with what differs
 * there: formats by their names; places by equations, bit by bit, as AMD's address library has them; addresses in any
 * VGPRs and in halves, packed here by the rules of LLVM's intrinsics.
 */
#include "decoders/gcn/gcn_ops.h"
#include "image_rig.h"

enum { UNORM = 1 << 12, GLC = 1 << 13, R128 = 1 << 15, TFE = 1 << 16, LWE = 1 << 17 };
enum { NOT_HIGH = 128 }; /* opcodes from here on have bit 0 set */

static enum gcn_chip_number chip;

/* ---- An instruction, its address and its descriptors ---- */

struct word {
    unsigned opcode, dim, dmask;
    uint32_t flags;
    bool a16, d16, g16, nsa;
};

/* The numbers of an address of one lane, and what VGPRs they are in. */
struct numbers {
    unsigned extra, derivatives, own;
    int bias;
    double value[16][64]; /* or integers */
    uint8_t vgpr[16];
    unsigned vgprs;
};

static uint32_t half_bits(double x)
{
    uint32_t sign = x < 0 ? 0x8000 : 0;
    int e;
    x = fabs(x);
    if (x == 0) return sign;
    double m = frexp(x, &e); /* [0.5, 1) */
    if (e < -13) return sign | (uint32_t)rint(ldexp(x, 24));
    return sign | ((uint32_t)((e + 14) << 10) + (uint32_t)rint(ldexp(m, 11)) - 1024);
}

static uint32_t float_bits(double x)
{
    float f = (float)x;
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

/* The nearest number that a half has, for inputs that are given as halves. */
static double as_half(double x)
{
    int e;
    frexp(x, &e);
    return x == 0 ? 0 : ldexp(rint(ldexp(x, 11 - e)), e - 11);
}

static unsigned vgprs_of(const struct numbers *n, const struct word *w)
{
    const unsigned by = w->g16 ? (n->derivatives + 1) / 2 : n->derivatives, own = w->a16 ? (n->own + 1) / 2 : n->own;
    return n->extra + 2 * by + own;
}

/* VGPRs for an address: a row of them, or any below the data's. */
static void choose_vgprs(struct numbers *n, struct word *w)
{
    n->vgprs = vgprs_of(n, w);
    w->nsa = w->nsa && n->vgprs > 1;
    for (unsigned i = 0; i < n->vgprs; i++) n->vgpr[i] = (uint8_t)i;
    for (unsigned i = 0; w->nsa && i < n->vgprs; i++) {
        const unsigned with = random32() % 24;
        for (unsigned k = 0; k < n->vgprs; k++) /* registers must not meet */
            if (n->vgpr[k] == with) n->vgpr[k] = n->vgpr[i];
        n->vgpr[i] = (uint8_t)with;
    }
}

static bool met[GCN_OPS]; /* rows that some test has executed */

static bool rig_open(const struct word *w, const struct numbers *n)
{
    uint32_t words[6] = {0};
    const unsigned more = w->nsa ? (n->vgprs + 2) / 4 : 0;
    words[0] = 0xf0000000u | (w->opcode % NOT_HIGH) << 18 | w->dmask << 8 | w->flags | w->dim << 3 | more << 1 |
               (w->opcode >= NOT_HIGH);
    words[1] = n->vgpr[0] | DATA << 8 | 2u << 21 | (uint32_t)w->a16 << 30 | (uint32_t)w->d16 << 31;
    for (unsigned i = 1; w->nsa && i < n->vgprs; i++)
        words[2 + (i - 1) / 4] |= (uint32_t)n->vgpr[i] << 8 * ((i - 1) % 4);
    words[2 + more] = 0xbf810000;
    struct gpudbg_insn insn;
    if (gcn_decode(&gcn_chips[chip].isa, (const uint8_t *)words, sizeof words, 0, &insn) > 0) met[insn.op->id] = true;
    return rig_begin(chip, words, 3 + more);
}

/* Packs the numbers: floats, or with `whole` integers. */
static void put_numbers(const struct numbers *n, const struct word *w, bool whole)
{
    const unsigned lanes = gcn_chips[chip].isa.lanes;
    unsigned at = 0, k = 0;
    for (unsigned i = 0; i < n->extra; i++, k++, at++)
        for (unsigned l = 0; l < lanes; l++) {
            const bool half = w->a16 && n->bias == (int)i;
            const bool integer = n->bias != (int)i && n->value[15][0] != 0 && i == 0;
            v(n->vgpr[at])[l] = half      ? half_bits(n->value[k][l]) | 0x7e000000 /* the other half does not count */
                                : integer ? (uint32_t)(int64_t)n->value[k][l]
                                          : float_bits(n->value[k][l]);
        }
    const unsigned parts[3] = {n->derivatives, n->derivatives, n->own};
    for (unsigned p = 0; p < 3; p++) {
        const bool halves = p < 2 ? w->g16 : w->a16;
        for (unsigned i = 0; i < parts[p]; i++, k++) {
            for (unsigned l = 0; l < lanes; l++) {
                const double x = n->value[k][l];
                const uint32_t full = whole ? (uint32_t)(int64_t)x : float_bits(x),
                               half = whole ? (uint32_t)(int64_t)x & 0xffff : half_bits(x);
                uint32_t *to = &v(n->vgpr[at])[l];
                *to = !halves ? full : i % 2 ? (*to & 0xffff) | half << 16 : half | 0xdead0000;
            }
            if (!halves || i % 2 || i + 1 == parts[p]) at++;
        }
    }
}

static void field(uint32_t *words, unsigned lo, unsigned bits, uint64_t value)
{
    for (unsigned i = 0; i < bits; i++)
        if (value >> i & 1) words[(lo + i) / 32] |= 1u << (lo + i) % 32;
}

/* dfmt is the one number of the format there; tiling SW_MODE; last and depth mean slices as they do on gfx7. */
static void make_t(const struct t_sharp *t, uint64_t base, unsigned max_mip, uint32_t words[8])
{
    memset(words, 0, 32);
    field(words, 0, 40, base >> 8);
    field(words, 52, 9, t->dfmt);
    field(words, 62, 14, t->width - 1);
    field(words, 78, 14, t->height - 1);
    field(words, 95, 1, 1);
    field(words, 96, 12, t->sel);
    field(words, 108, 4, t->base_level);
    field(words, 112, 4, t->last_level);
    field(words, 116, 5, t->tiling);
    field(words, 124, 4, t->type);
    field(words, 128, 13, t->type == 10 ? t->depth - 1 : t->last);
    field(words, 144, 13, t->first);
    field(words, 164, 4, max_mip);
}

static void put_t(const struct t_sharp *t, unsigned max_mip) { make_t(t, r.buf->base, max_mip, gcn_s(r.w)); }

static const struct t_sharp newer = {
    .dfmt = 20, .width = 64, .height = 16, .depth = 1, .tiling = 0, .type = 9, .sel = 07654};

static bool faulted(const struct gpudbg_stop *stop) { return stop->reason == GPUDBG_STOP_FAULT; }

/* ---- Places ---- */

/* Letters and numbers of the bits of a place, from the element's size on; of 64 KB, of which smaller blocks have the
 * first ones. */
static const char *const equations[4][5] = {
    {"x0x1x2x3y0y1y2y3y4x4y5x5y6x6y7x7", "x0x1x2y0y1y2x3y3x4y4x5y5x6y6x7", "x0x1y0y1y2x2y3x3y4x4y5x5y6x6",
        "x0y0y1x1x2y2x3y3x4y4x5y5x6", "y0y1x0x1y2x2y3x3y4x4y5x5"},
    {"x0x1x2y1y0y2x3y3y4x4y5x5y6x6y7x7", "x0x1x2y0y1y2x3y3x4y4x5y5x6y6x7", "x0x1y0y1y2x2y3x3y4x4y5x5y6x6",
        "x0y0x1x2y1y2x3y3x4y4x5y5x6", "x0y0x1y1y2x2y3x3y4x4y5x5"},
    {"x0x1x2y1y0y2x3y3y4x4y5x5y6x6y7x7", "x0x1x2y0y1y2x3y3x4y4x5y5x6y6x7", "x0x1y0y1x2y2y3x3y4x4y5x5y6x6",
        "x0y0x1x2y1y2x3y3x4y4x5y5x6", "x0y0x1y1y2x2y3x3y4x4y5x5"},
    {"x0x1z0y0z1y1x2z2y2x3z3y3x4z4y4x5", "x0z0y0z1y1x1z2y2x2z3y3x3z4y4x4", "x0y0z0y1x1z1y2x2z2y3x3z3y4x4",
        "x0z0y0x1z1y1x2z2y2x3z3y3x4", "z0y0x0z1y1x1z2y2x2z3y3x3"},
};
enum { STANDARD, DISPLAY, DISPLAY_10_3, VOLUME };

struct tile {
    const char *text;
    unsigned log, size; /* of the block's bytes, of the element's */
    uint32_t width, height, depth, unit[2];
};

static struct tile tile_of(const struct t_sharp *t, unsigned bytes)
{
    struct tile tile = {.width = 1, .height = 1, .depth = 1, .unit = {1, 1}};
    const bool display = t->tiling % 4 == 2;
    tile.log = t->tiling < 3 ? 8 : t->tiling < 7 ? 12 : 16;
    while (1u << tile.size < bytes) tile.size++;
    tile.text = equations[t->type == 10                                          ? VOLUME
                          : !display                                             ? STANDARD
                          : gcn_chips[chip].isa.rows && chip >= GCN_CHIP_gfx10_3 ? DISPLAY_10_3
                                                                                 : DISPLAY][tile.size];
    for (unsigned i = 0; tile.size + i < tile.log; i++) {
        const char c = tile.text[2 * i];
        *(c == 'x' ? &tile.width : c == 'y' ? &tile.height : &tile.depth) *= 2;
        if (tile.size + i < 8 && c != 'z') tile.unit[c == 'y'] *= 2;
    }
    return tile;
}

static uint32_t in_tile(const struct tile *tile, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t place = 0;
    for (unsigned i = 0; tile->size + i < tile->log; i++) {
        const char c = tile->text[2 * i];
        const uint32_t from = c == 'x' ? x : c == 'y' ? y : z;
        place |= (from >> (tile->text[2 * i + 1] - '0') & 1) << (tile->size + i);
    }
    return place;
}

static uint32_t halved(uint32_t v, unsigned level)
{
    while (level--) v = (v + 1) / 2;
    return v;
}

/* Levels from the smallest up; base_level and last_level are those of the image here. */
static uint64_t place_newer(
    const struct t_sharp *t, unsigned bytes, unsigned level, uint32_t x, uint32_t y, uint32_t slice)
{
    const bool volume = t->type == 10;
    const struct tile tile = tile_of(t, bytes);
    const uint32_t deep = volume ? tile.depth : 1;
    uint64_t at = 0, mine = 0;
    unsigned tail = t->last_level + 1;
    if (!t->tiling) { /* linear */
        uint64_t here = 0;
        for (unsigned l = t->last_level + 1; l-- > 0;) {
            const uint64_t pitch = up(halved(t->width, l) * bytes, 256);
            if (l == level) here = at + y * pitch + x * bytes;
            at += pitch * halved(t->height, l);
        }
        return here + at * slice;
    }
    const unsigned log = tile.log - (volume ? (tile.log - 8) / 3 : 0), most = log < 9     ? 0
                                                                              : log <= 11 ? 1 + (1u << (log - 9))
                                                                                          : log - 4;
    for (unsigned l = 0; t->last_level && tile.log > 8 && l <= t->last_level; l++) {
        const uint32_t width = !volume || tile.log % 3 == 1 ? tile.width / 2 : tile.width,
                       height = volume && tile.log % 3 == 0 ? tile.height / 2 : tile.height;
        if (halved(t->width, l) <= width && halved(t->height, l) <= height && t->last_level + 1 - l <= most) {
            tail = l;
            break;
        }
    }
    if (tail <= t->last_level) at = (uint64_t)1 << tile.log;
    for (unsigned l = tail; l-- > 0;) {
        const uint64_t across = (halved(t->width, l) + tile.width - 1) / tile.width,
                       down = (halved(t->height, l) + tile.height - 1) / tile.height;
        if (l == level)
            mine = at + ((uint64_t)(y / tile.height * across + x / tile.width) << tile.log) +
                   in_tile(&tile, x, y, slice);
        at += across * down << tile.log;
    }
    if (level >= tail) {
        static const unsigned places[16] = {0, 256, 512, 768, 1024, 1280, 1536, 2048, 4096, 8192, 16384, 32768, 65536};
        const uint32_t offset = places[most - 1 - (level - tail)];
        uint32_t tx = 0, ty = 0;
        for (unsigned i = 0; i < 6; i++) {
            ty |= (offset >> (8 + 2 * i) & 1) << i;
            tx |= (offset >> (9 + 2 * i) & 1) << i;
        }
        mine = in_tile(&tile, x + tx * tile.unit[0], y + ty * tile.unit[1], slice);
    }
    return mine + at * (slice / deep);
}

static unsigned format_of(unsigned bytes)
{
    return bytes == 1 ? 5 : bytes == 2 ? 11 : bytes == 4 ? 20 : bytes == 8 ? 62 : 75;
}

static const struct gcn_tiling unknown;

static void test_places(unsigned mode, unsigned bytes, unsigned type)
{
    unsigned wrong = 0;
    for (unsigned round = 0; round < 6; round++) {
        struct t_sharp t = newer;
        struct gcn_image im;
        struct gcn_image_problem problem;
        uint32_t words[8];
        t.type = type;
        t.tiling = mode;
        t.width = 1 + random32() % 600;
        t.height = 1 + random32() % 300;
        t.dfmt = format_of(bytes);
        t.depth = type == 10 ? 1 + random32() % 70 : 1;
        t.first = type == 13 ? random32() % 3 : 0;
        t.last = type == 13 ? t.first + random32() % 4 : 0;
        while (round && 2u << t.last_level <= (t.width > t.height ? t.width : t.height) && random32() % 8)
            t.last_level++;
        make_t(&t, 0x10000, t.last_level, words);
        if (!gcn_image_read(words, GCN_IMAGE_NEWER, &gcn_chips[chip], &unknown, &im, &problem)) {
            ok(false, "mode %u, %u bytes: T#.%s is %u: %s", mode, bytes, problem.field, problem.value, problem.why);
            return;
        }
        for (unsigned i = 0; i < 400; i++) {
            const unsigned l = random32() % im.levels;
            const struct gcn_level_place *p = &im.level[l];
            const uint32_t x = random32() % p->width, y = random32() % p->height,
                           slice = type == 10 ? random32() % p->depth : t.first + random32() % im.slices;
            const uint64_t want = 0x10000 + place_newer(&t, bytes, l, x, y, slice),
                           got = gcn_image_place(&im, l, x, y, slice, 0);
            if (got != want && wrong++ == 0)
                fprintf(stderr, "# %ux%ux%u, %u levels: level %u, %u %u %u is at 0x%llx, not 0x%llx\n", t.width,
                    t.height, t.depth, im.levels, l, x, y, slice, (unsigned long long)got, (unsigned long long)want);
        }
    }
    ok(!wrong, "%s: SW_MODE %u, type %u, %u bytes: %u wrong", gcn_chips[chip].isa.name, mode, type, bytes, wrong);
}

/* ---- Modes that mix bits by the pipes of the chip ---- */

static const struct mixed {
    enum gcn_chip_number chip;
    uint32_t config; /* GB_ADDR_CONFIG */
    unsigned mode, type, size;
    const char *bits;
} mixed[] = {
#define PLACE(chip, config, mode, type, size, bits) {GCN_CHIP_##chip, config, mode, type, size, bits},
#include "mixed_places.def"
#undef PLACE
};

static uint32_t mixed_place(const char *bits, uint32_t x, uint32_t y, uint32_t z, uint32_t sample)
{
    const uint32_t from[4] = {x, y, z, sample};
    uint32_t place = 0;
    for (unsigned at = 0; *bits; at++) {
        for (; *bits && *bits != ' '; bits += strcspn(bits + 1, " ^xyzs") + 1)
            if (*bits != '0' && *bits != '^')
                place ^= (from[*bits == 's' ? 3 : *bits - 'x'] >> atoi(bits + 1) & 1) << at;
        bits += *bits == ' ';
    }
    return place;
}

static unsigned count_bits(const char *bits)
{
    unsigned n = 1;
    for (; *bits; bits++) n += *bits == ' ';
    return n;
}

/* The place of a texel of an image of one level in flat blocks, of a volume slice by slice. */
static uint64_t flat_place(const struct mixed *m, const struct t_sharp *t, uint32_t x, uint32_t y, uint32_t z)
{
    const unsigned log = count_bits(m->bits), n = log - m->size, wide = (n + 1) / 2, high = n / 2;
    const uint64_t across = (t->width + (1u << wide) - 1) >> wide, down = (t->height + (1u << high) - 1) >> high;
    return ((z * down + (y >> high)) * across + (x >> wide)) << log;
}

/* The block is that of the plain mode; in the tail of levels, so are the coordinates in it.  Modes for what is drawn
 * have flat blocks in volumes, too. */
static void test_mixed(const struct mixed *m)
{
    const unsigned bytes = 1u << m->size, log = count_bits(m->bits);
    const bool drawn = m->mode == 24 || m->mode > 26, flat = drawn && (m->type == 10 || m->mode > 27);
    const bool small_tails = m->mode == 24 && m->size < 2 && m->chip != GCN_CHIP_gfx10; /* see test_tails */
    const struct gcn_tiling tiling = {.config = m->config};
    unsigned wrong = 0;
    chip = m->chip;
    for (unsigned round = 0; round < 6; round++) {
        struct t_sharp t = newer;
        struct gcn_image im;
        struct gcn_image_problem problem;
        uint32_t words[8];
        const uint32_t own = m->mode > 18 ? random32() % (1u << (log - 8)) << 8 : 0; /* the image's own mix */
        t.type = m->type == 9 && round & 1 ? 13 : m->type;
        t.width = 1 + random32() % 900;
        t.height = 1 + random32() % 500;
        t.dfmt = format_of(bytes);
        t.depth = t.type == 10 ? 1 + random32() % 70 : 1;
        t.last = t.type == 13 ? random32() % 20 : 0;
        while (!flat && !small_tails && round > 2 && 2u << t.last_level <= (t.width > t.height ? t.width : t.height) &&
               random32() % 8)
            t.last_level++;
        t.tiling = m->mode;
        make_t(&t, 0x1000000 + own, t.last_level, words);
        if (!gcn_image_read(words, GCN_IMAGE_NEWER, &gcn_chips[chip], &tiling, &im, &problem)) {
            ok(false, "mode %u, %u bytes: T#.%s is %u: %s", m->mode, bytes, problem.field, problem.value, problem.why);
            return;
        }
        t.tiling = log == 12 ? 5 : 9;
        const struct tile tile = tile_of(&t, bytes);
        for (unsigned i = 0; i < 400; i++) {
            const unsigned l = random32() % im.levels;
            const uint32_t x = random32() % im.level[l].width, y = random32() % im.level[l].height,
                           slice = t.type == 10 ? random32() % im.level[l].depth : random32() % im.slices;
            const uint64_t unmixed = flat ? flat_place(m, &t, x, y, slice) : place_newer(&t, bytes, l, x, y, slice);
            uint32_t at[3] = {x / tile.width * tile.width, y / tile.height * tile.height, slice};
            if (t.type == 10) at[2] = slice / tile.depth * tile.depth;
            for (unsigned b = 0; !flat && tile.size + b < log; b++) {
                const char c = tile.text[2 * b];
                if (c == 'z' && t.type != 10) continue;
                at[c - 'x'] |= (uint32_t)(unmixed >> (tile.size + b) & 1) << (tile.text[2 * b + 1] - '0');
            }
            const uint64_t in = own ^ (flat ? mixed_place(m->bits, x, y, slice, 0)
                                            : mixed_place(m->bits, at[0], at[1], at[2], 0)),
                           want = 0x1000000 + (unmixed >> log << log) + in,
                           got = gcn_image_place(&im, l, x, y, slice, 0);
            if (got != want && wrong++ == 0)
                fprintf(stderr, "# %ux%ux%u, %u levels: level %u, %u %u %u is at 0x%llx, not 0x%llx\n", t.width,
                    t.height, t.depth, im.levels, l, x, y, slice, (unsigned long long)got, (unsigned long long)want);
        }
    }
    ok(!wrong, "%s, 0x%x: SW_MODE %u, type %u, %u bytes: %u wrong", gcn_chips[chip].isa.name, m->config, m->mode,
        m->type, bytes, wrong);
}

/* Tails of other chips than Navi 10, and in blocks that are no squares. */
static void test_tails(void)
{
    static const struct {
        enum gcn_chip_number chip;
        uint32_t config;
        unsigned mode, bytes, width, height, levels, level, x, y;
        uint64_t place;
    } rows[] = {
#define TAIL(chip, ...) {GCN_CHIP_##chip, __VA_ARGS__},
#include "mixed_places.def"
#undef TAIL
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct gcn_tiling tiling = {.config = rows[i].config};
        struct t_sharp t = newer;
        struct gcn_image im;
        struct gcn_image_problem problem;
        uint32_t words[8];
        t.width = rows[i].width;
        t.height = rows[i].height;
        t.dfmt = format_of(rows[i].bytes);
        t.tiling = rows[i].mode;
        t.last_level = rows[i].levels - 1;
        make_t(&t, 0x1000000, t.last_level, words);
        const bool read = gcn_image_read(words, GCN_IMAGE_NEWER, &gcn_chips[rows[i].chip], &tiling, &im, &problem);
        const uint64_t got = read ? gcn_image_place(&im, rows[i].level, rows[i].x, rows[i].y, 0, 0) - 0x1000000 : 0;
        ok(read && got == rows[i].place, "%s, 0x%x: SW_MODE %u, %u bytes, %ux%u: level %u at %u %u: 0x%llx",
            gcn_chips[rows[i].chip].isa.name, rows[i].config, rows[i].mode, rows[i].bytes, rows[i].width,
            rows[i].height, rows[i].level, rows[i].x, rows[i].y, (unsigned long long)got);
    }
}

/* ---- Several samples ---- */

/* The bits of dwords, as the library lists them for Navi 10 and for chips of 8 and of 32 pipes and packers; a block's
 * width and height, logarithms. */
static const struct several {
    enum gcn_chip_number chip;
    uint32_t config;
    unsigned mode, samples, wide, high;
    const char *bits;
} several[] = {
    {GCN_CHIP_gfx10, 0x44, 27, 2, 6, 7, "0 0 x0 x1 y0 y1 y2 x2 x3^y3^z3 x4^y4^z2 x6^y5^z1 x5^y6^z0 y3 x4 y6 y7^s0"},
    {GCN_CHIP_gfx10, 0x44, 27, 8, 5, 6, "0 0 x0 x1 y0 y1 y2 x2 x3^y3^z2 x4^y4^z1 x6^y5^z0 x5^y6^s2 y3 x4 y6^s0 y7^s1"},
    {GCN_CHIP_gfx10, 0x44, 24, 4, 6, 6, "0 0 s0 s1 x0 y0 x1 y1 x3^y3^z3 x4^y4^z2 x6^y5^z1 x5^y6^z0 y3 x4 y2^y6 x2^y7"},
    {GCN_CHIP_gfx10, 0x44, 24, 8, 5, 6, "0 0 s0 s1 s2 x0 y0 x1 x3^y3^z2 x4^y4^z1 x6^y5^z0 x5^y2^y6 x3 y4 x2^y6 y1^y7"},
    {GCN_CHIP_gfx10_3_64, 0x343, 24, 4, 6, 6,
        "0 0 s0 s1 x0 y0 x1 y1 x7^y4^y7 x4^y4^z1 x6^y5^z0 x3 y3 x2^x7^y6 x6^y2^y7 x5^y6"},
    {GCN_CHIP_gfx10_3_64, 0x343, 24, 8, 5, 6,
        "0 0 s0 s1 s2 x0 y0 x1 x7^y4^y7 x4^y4^z1 x6^y5^z0 x3 y3 x2^x7^y6 x6^y1^y7 x5^y2^y6"},
    {GCN_CHIP_gfx10_3_64, 0x545, 27, 2, 6, 7,
        "0 0 x0 x1 y0 y1 x2 y2 x9^y4^y9 x4^y4^z3 x8^y5^z2 x5^y8^z1 x7^y6^z0 x3 y3 x6^y7^s0"},
};

static uint64_t several_place(
    const struct several *m, const struct t_sharp *t, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample)
{
    const uint64_t across = (t->width + (1u << m->wide) - 1) >> m->wide,
                   down = (t->height + (1u << m->high) - 1) >> m->high;
    return (((slice * down + (y >> m->high)) * across + (x >> m->wide)) << 16) +
           mixed_place(m->bits, x, y, slice, sample);
}

/* Texels of images of 2, 4 and 8 samples, in slices, of 1 to 16 bytes, against what the library answers. */
static void test_sums(void)
{
    static const struct {
        enum gcn_chip_number chip;
        uint32_t config;
        unsigned mode;
        uint64_t sum;
    } rows[] = {
#define SAMPLES(chip, ...) {GCN_CHIP_##chip, __VA_ARGS__},
#include "mixed_places.def"
#undef SAMPLES
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct gcn_tiling tiling = {.config = rows[i].config};
        uint64_t sum = 0, state = 1;
        unsigned refused_ = 0;
        for (unsigned n = 0; n < 1500; n++) {
            uint32_t at[7] = {0}, words[8]; /* width, height, slices, then what is below them, and the sample */
            struct t_sharp t = newer;
            struct gcn_image im;
            struct gcn_image_problem problem;
            const uint32_t log = 1 + n / 5 % 3;
            for (unsigned k = 0; k < 7; k++) {
                const uint32_t most[7] = {900, 500, 20, at[0], at[1], at[2], 1u << log};
                state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                at[k] = (uint32_t)(state >> 33) % most[k] + (k < 3);
            }
            t.type = 15;
            t.width = at[0];
            t.height = at[1];
            t.last = at[2] - 1;
            t.last_level = log;
            t.tiling = rows[i].mode;
            t.dfmt = format_of(1u << n % 5);
            make_t(&t, 0x1000000, log, words);
            if (gcn_image_read(words, GCN_IMAGE_NEWER, &gcn_chips[rows[i].chip], &tiling, &im, &problem))
                sum = (sum ^ (gcn_image_place(&im, 0, at[3], at[4], at[5], at[6]) - 0x1000000)) *
                      UINT64_C(0x100000001b3);
            else
                refused_++;
        }
        ok(!refused_ && sum == rows[i].sum, "%s, 0x%x: SW_MODE %u, images of several samples: 0x%llx, %u refused",
            gcn_chips[rows[i].chip].isa.name, rows[i].config, rows[i].mode, (unsigned long long)sum, refused_);
    }
}

/* ---- Formats ---- */

static const char *const numbers[] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "", "FLOAT", "", "SRGB"};

/* Whether it is the mask that tells which fragment each sample of a texel has. */
static bool is_mask(const char *name) { return strncmp(name, "IMG_FMT_FMASK", 13) == 0; }

static void test_format(const char *name, unsigned number, bool d16)
{
    char widths[32];
    const char *end = strrchr(name, '_');
    unsigned bits[4] = {0}, nfmt = 0, total = 0;
    snprintf(widths, sizeof widths, "%.*s", (int)(end - name - 8), name + 8);
    if (is_mask(name)) { /* its bits as they are in memory, 64 of them as two numbers */
        const int mask_bits = atoi(name + strlen("IMG_FMT_FMASK"));
        snprintf(widths, sizeof widths, mask_bits == 64 ? "32_32" : "%d", mask_bits);
        end = "_UINT";
    }
    while (nfmt < 10 && strcmp(numbers[nfmt], end + 1) != 0) nfmt++;
    const unsigned n = widths_of(widths, bits);
    for (unsigned i = 0; i < n; i++) total += bits[i];
    if (strcmp(widths, "X24_8_32") == 0) total = 64;
    const bool integer = nfmt == 4 || nfmt == 5;
    if (d16 && bits[0] > 16) return; /* what becomes of them no source says */
    struct word w = {.opcode = 0, .dim = 1, .dmask = 15, .d16 = d16};
    struct numbers at = {.own = 2, .bias = -1};
    struct t_sharp t = newer;
    t.dfmt = number;
    choose_vgprs(&at, &w);
    if (!rig_open(&w, &at)) return;
    const unsigned lanes = gcn_chips[chip].isa.lanes;
    put_t(&t, 0);
    for (unsigned i = 0; i < 64 * 1024; i++) r.buf->bytes[i] = (uint8_t)random32();
    for (unsigned l = 0; l < lanes; l++) {
        at.value[0][l] = l % 16;
        at.value[1][l] = l / 16;
    }
    put_numbers(&at, &w, true);
    const struct gpudbg_stop stop = rig_run();
    const uint32_t pitch = up(64 * total / 8, 256);
    unsigned wrong = 0;
    for (unsigned l = 0; l < lanes && !faulted(&stop); l++) {
        const uint8_t *texel = r.buf->bytes + l / 16 * pitch + l % 16 * total / 8;
        unsigned bit = 0;
        for (unsigned i = 0; i < 4; i++) {
            uint32_t want = i == 3 ? integer ? 1 : 0x3f800000 : 0, x = 0;
            for (unsigned k = 0; i < n && k < bits[i]; k++, bit++) x |= (uint32_t)(texel[bit / 8] >> bit % 8 & 1) << k;
            if (i < n && !(nfmt == 7 && bits[i] == 8)) want = component(x, bits[i], nfmt, i);
            uint32_t got = d16 ? v(DATA + i / 2)[l] >> 16 * (i % 2) & 0xffff : v(DATA + i)[l];
            if (d16) {
                float f;
                memcpy(&f, &want, 4);
                if (!integer && (f != f || fabsf(f) > 65000)) continue;
                want = integer ? want & 0xffff : half_bits((double)f);
                wrong += abs((int)(got & 0x7fff) - (int)(want & 0x7fff)) > (nfmt == 9) || (got ^ want) >> 15;
            } else if (!(i < n && nfmt == 7 && bits[i] == 8)) {
                wrong += !close_words(got, want, nfmt != 9);
            }
        }
    }
    ok(!faulted(&stop) && !wrong, "image_load of %s%s: %u wrong %s", name, d16 ? ", halves" : "", wrong,
        faulted(&stop) ? stop.message : "");
    rig_close();
}

static void test_formats(void)
{
    const struct gpudbg_enum *e = &gcn_enum[GCN_E_IMG_FORMAT_NEWER];
    unsigned tested = 0;
    for (size_t i = 0; i < e->count; i++) {
        const char *name = e->values[i].name, *end = strrchr(name, '_');
        bool plain_bits = name[8] == 'X' || (name[8] >= '1' && name[8] <= '9');
        for (const char *p = name + 9; p < end; p++) plain_bits = plain_bits && strchr("0123456789_", *p);
        if (!(plain_bits || is_mask(name)) || e->values[i].value > 182 || !strcmp(end, "_CLAMP") ||
            strstr(name, "5_9_9_9") || strstr(name, "FMT_1_UNORM"))
            continue;
        test_format(name, (unsigned)e->values[i].value, false);
        test_format(name, (unsigned)e->values[i].value, true);
        tested++;
    }
    ok(tested > 98, "%u formats", tested);
}

/* ---- Loads, stores and atomics by dimensions ---- */

/* Coordinates by DIM: how many there are of x, y and z, whether a slice follows, and the number of a sample. */
static const struct {
    unsigned type, dims;
    bool slice, sample;
} shapes[8] = {{8, 1, 0, 0}, {9, 2, 0, 0}, {10, 3, 0, 0}, {11, 2, 1, 0}, {12, 1, 1, 0}, {13, 2, 1, 0}, {14, 2, 0, 1},
    {15, 2, 1, 1}};

/* One of the layouts of several samples that the chip has. */
static const struct several *some_several(unsigned n)
{
    const size_t count = sizeof several / sizeof *several;
    while (several[n % count].chip != chip) n++;
    return &several[n % count];
}

/* From MIMG 15 on; m is what is there, a and b the data. */
enum { SWAP = 15, CMPSWAP, FCMPSWAP = 29, FMIN, FMAX };

static uint32_t modified(unsigned opcode, uint32_t m, uint32_t a, uint32_t b)
{
    const int32_t sm = (int32_t)m, sa = (int32_t)a;
    float fm, fa, fb;
    memcpy(&fm, &m, 4), memcpy(&fa, &a, 4), memcpy(&fb, &b, 4);
    switch (opcode) {
    case SWAP: return a;
    case CMPSWAP: return m == b ? a : m;
    case 17: return m + a;
    case 18: return m - a;
    case 20: return sm < sa ? m : a;
    case 21: return m < a ? m : a;
    case 22: return sm > sa ? m : a;
    case 23: return m > a ? m : a;
    case 24: return m & a;
    case 25: return m | a;
    case 26: return m ^ a;
    case 27: return m >= a ? 0 : m + 1;
    case 28: return m == 0 || m > a ? a : m - 1;
    case FCMPSWAP: return fm == fb ? a : m;
    case FMIN: return fa < fm ? a : m;
    default: return fa > fm ? a : m;
    }
}

static bool has_mip(unsigned opcode)
{
    return opcode == 1 || opcode == 4 || opcode == 5 || opcode == 9 || opcode == 11;
}

static void test_access(unsigned opcode, unsigned dim, unsigned round)
{
    const bool mip = has_mip(opcode), store = opcode >= 8 && opcode < 12, atomic = opcode >= SWAP;
    const unsigned lanes = gcn_chips[chip].isa.lanes, dims = shapes[dim].dims;
    const struct several *m = shapes[dim].sample ? some_several(round) : NULL;
    struct t_sharp t = newer;
    struct word w = {.opcode = opcode,
        .dim = dim,
        .dmask = opcode == CMPSWAP || opcode == FCMPSWAP ? 3 : 1,
        .a16 = round & 1,
        .nsa = round & 2};
    struct numbers at = {.own = dims + shapes[dim].slice + shapes[dim].sample + mip, .bias = -1};
    static uint8_t before[1 << 20];
    static const uint8_t modes[4] = {0, 5, 9, 1};
    t.type = shapes[dim].type;
    t.height = dims > 1 ? t.type == 11 ? 64 : 16 : 1;
    t.depth = t.type == 10 ? 8 : 1;
    t.tiling = dims == 1 ? 0 : t.type == 10 ? modes[round % 3] : modes[round % 4];
    t.first = shapes[dim].slice && t.type != 11 ? 1 : 0;
    t.last = t.type == 11 ? 5 : shapes[dim].slice ? 3 : 0;
    t.last_level = mip ? 2 : m ? (unsigned)__builtin_ctz(m->samples) : 0;
    if (m) t.tiling = m->mode;
    if (atomic) w.flags = GLC;
    if (!atomic && !store && round & 4) w.flags = TFE;
    choose_vgprs(&at, &w);
    if (!rig_open(&w, &at)) return;
    const uint64_t skipped = m ? -r.buf->base & 0xffff : 0; /* to where a block begins */
    make_t(&t, r.buf->base + skipped, t.last_level, gcn_s(r.w));
    if (m) gcn_of(r.w)->setup->tiling.config = m->config;
    for (unsigned i = 0; i < 1 << 20; i++) r.buf->bytes[i] = (uint8_t)random32();
    memcpy(before, r.buf->bytes, sizeof before);
    const unsigned slices = t.last - t.first + 1, sizes[3] = {t.width, t.height, t.depth};
    for (unsigned l = 0; l < lanes; l++) {
        unsigned k = 0, level = mip ? random32() % 4 : 0;
        for (unsigned i = 0; i < dims; i++)
            at.value[k++][l] = random32() % ((sizes[i] >> (level % 3)) + 1u + (l % 8 ? 0 : 3));
        if (atomic) at.value[0][l] = l; /* no two lanes at one place */
        if (shapes[dim].slice) at.value[k++][l] = random32() % (slices + 1);
        if (m) at.value[k][l] = random32() % (m->samples + 1);
        if (mip) at.value[k][l] = level;
        for (unsigned i = 0; i < 3; i++) v(DATA + i)[l] = random32();
    }
    put_numbers(&at, &w, true);
    uint32_t data[2][64];
    for (unsigned i = 0; i < 2; i++) memcpy(data[i], v(DATA + i), 256);
    const struct gpudbg_stop stop = rig_run();
    unsigned wrong = 0;
    for (unsigned l = 0; l < lanes && !faulted(&stop); l++) {
        uint32_t c[5] = {0}, k = 0;
        for (unsigned i = 0; i < dims; i++) c[i] = (uint32_t)at.value[k++][l];
        const uint32_t slice = shapes[dim].slice ? (uint32_t)at.value[k++][l] : 0,
                       sample = m ? (uint32_t)at.value[k][l] : 0, level = mip ? (uint32_t)at.value[k][l] : 0;
        bool in = level <= t.last_level && slice < slices && (!m || sample < m->samples);
        for (unsigned i = 0; i < 3 && in; i++) in = c[i] < (sizes[i] >> level ? sizes[i] >> level : 1);
        const uint64_t place = !in ? 0
                               : m ? skipped + several_place(m, &t, c[0], c[1], t.first + slice, sample)
                                   : place_newer(&t, 4, level, c[0], c[1], t.first + slice + c[2]);
        uint32_t old = 0, now = 0;
        if (in) memcpy(&old, before + place, 4), memcpy(&now, r.buf->bytes + place, 4);
        if (store) {
            wrong += in && now != data[0][l]; /* of lanes at one place the last counts */
            for (unsigned k2 = l + 1; k2 < lanes && in && now != data[0][l]; k2++) wrong -= now == data[0][k2] && wrong;
        } else if (atomic) {
            const uint32_t want = modified(opcode, old, data[0][l], data[1][l]);
            wrong += v(DATA)[l] != old || (in && now != want);
        } else {
            wrong += v(DATA)[l] != old || (w.flags & TFE && v(DATA + 1)[l] != 0);
        }
    }
    ok(!faulted(&stop) && !wrong, "%s: opcode %u, dim %u, %s%s, SW_MODE %u: %u wrong %s", gcn_chips[chip].isa.name,
        opcode, dim, w.a16 ? "a16 " : "", w.nsa ? "nsa" : "", t.tiling, wrong, faulted(&stop) ? stop.message : "");
    rig_close();
}

/* Four samples of a texel, dwords, of each eight samples the first or the second four. */
static void test_four(unsigned dim, unsigned round)
{
    const struct several *m = some_several(round);
    const bool slices = shapes[dim].slice;
    struct t_sharp t = newer;
    struct word w = {.opcode = NOT_HIGH, .dim = dim, .dmask = 15, .a16 = round & 1, .nsa = round & 2, .d16 = round & 4};
    struct numbers at = {.own = 3u + slices, .bias = -1};
    unsigned wrong = 0;
    if (m->samples < 4) return;
    t.type = shapes[dim].type;
    t.tiling = m->mode;
    t.last = slices ? 2 : 0;
    t.last_level = (unsigned)__builtin_ctz(m->samples);
    choose_vgprs(&at, &w);
    if (!rig_open(&w, &at)) return;
    const uint64_t skipped = -r.buf->base & 0xffff;
    make_t(&t, r.buf->base + skipped, t.last_level, gcn_s(r.w));
    gcn_of(r.w)->setup->tiling.config = m->config;
    for (unsigned i = 0; i < 1 << 20; i++) r.buf->bytes[i] = (uint8_t)random32();
    const unsigned lanes = gcn_chips[chip].isa.lanes;
    for (unsigned l = 0; l < lanes; l++) {
        const uint32_t own[4] = {
            random32() % 66, random32() % 18, slices ? random32() % 4 : 4 * (random32() % 3), 4 * (random32() % 3)};
        for (unsigned k = 0; k < at.own; k++) at.value[k][l] = own[k];
    }
    put_numbers(&at, &w, true);
    const struct gpudbg_stop stop = rig_run();
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t x = (uint32_t)at.value[0][l], y = (uint32_t)at.value[1][l],
                           slice = slices ? (uint32_t)at.value[2][l] : 0,
                           sample = (uint32_t)at.value[at.own - 1][l] + i;
            uint32_t want = 0;
            if (x < t.width && y < t.height && slice <= t.last && sample < m->samples)
                memcpy(&want, r.buf->bytes + skipped + several_place(m, &t, x, y, slice, sample), 4);
            const uint32_t got = v(DATA + (w.d16 ? i / 2 : i))[l];
            wrong += w.d16 ? (got >> 16 * (i % 2) & 0xffff) != (want & 0xffff) : got != want;
        }
    ok(!faulted(&stop) && !wrong, "%s: image_msaa_load, dim %u, %u samples%s: %u wrong %s", gcn_chips[chip].isa.name,
        dim, m->samples, w.d16 ? ", halves" : "", wrong, stop.message);
    rig_close();
}

/* Texels of 16 bits as they are in memory, without their sign or with it. */
static void test_short_texels(void)
{
    for (unsigned opcode = 2; opcode < 4; opcode++) {
        struct word w = {.opcode = opcode, .dim = 0, .dmask = 1};
        struct numbers at = {.own = 1, .bias = -1};
        struct t_sharp t = newer;
        t.type = 8;
        t.height = 1;
        t.dfmt = 12; /* 16_SINT */
        choose_vgprs(&at, &w);
        if (!rig_open(&w, &at)) return;
        put_t(&t, 0);
        const unsigned lanes = gcn_chips[chip].isa.lanes;
        for (unsigned l = 0; l < lanes; l++) {
            const int16_t x = (int16_t)random32();
            memcpy(r.buf->bytes + 2 * l, &x, 2);
            at.value[0][l] = l;
        }
        put_numbers(&at, &w, true);
        const struct gpudbg_stop stop = rig_run();
        unsigned wrong = 0;
        for (unsigned l = 0; l < lanes; l++) {
            const uint32_t x = r.buf->bytes[2 * l] | (uint32_t)r.buf->bytes[2 * l + 1] << 8;
            wrong += v(DATA)[l] != (opcode == 3 && x >> 15 ? x | 0xffff0000 : x);
        }
        ok(!faulted(&stop) && !wrong, "%s: opcode %u, texels of 16 bits: %u wrong", gcn_chips[chip].isa.name, opcode,
            wrong);
        rig_close();
    }
}

/* Every row of images that runs has a model here, but the rays of t/gcn/graphics_newer.c. */
static void test_all_met(void)
{
    unsigned missing = 0;
    for (unsigned id = 0; id < GCN_OPS; id++) {
        const struct gpudbg_op *op = &gcn_ops[id];
        if (!gpudbg_has_op(&gcn_chips[chip].isa, id) || !gcn_is_checked(&gcn_chips[chip], op)) continue;
        if (met[id] || strncmp(op->name, "image_", 6) || strstr(op->name, "_intersect_ray")) continue;
        missing++;
        fprintf(stderr, "# no model: %s\n", op->name);
    }
    is_int(missing, 0, "%s: every row of images has a model", gcn_chips[chip].isa.name);
    memset(met, 0, sizeof met);
}

/* ---- Samples ---- */

static void test_sample(const struct gpudbg_op *op, unsigned dim, unsigned round)
{
    const char *name = op->name;
    const bool gather = strstr(name, "gather4"), lod_only = strcmp(name, "image_get_lod") == 0;
    const bool coarse = has_part(name, "cd"), derived = coarse || has_part(name, "d"), array = shapes[dim].slice;
    const unsigned dims = shapes[dim].dims, lanes = gcn_chips[chip].isa.lanes, component_ = round % 4;
    const unsigned code = (unsigned)gcn_chips[chip].isa.rows[op->id].code;
    const bool high = gcn_chips[chip].isa.rows[op->id].format == &gcn_layouts[GCN_W_MIMG_HIGH];
    struct word w = {.opcode = code + (high ? NOT_HIGH : 0),
        .dim = dim,
        .dmask = gather ? 1u << component_ : 15,
        .a16 = round & 1,
        .g16 = strstr(name, "g16"),
        .nsa = round & 2};
    struct numbers at = {.extra = (unsigned)has_part(name, "o") + has_part(name, "b") + has_part(name, "c"),
        .bias = has_part(name, "b") ? has_part(name, "o") : -1,
        .derivatives = derived ? dims : 0,
        .own = dims + array + (has_part(name, "l") || has_part(name, "cl"))};
    struct t_sharp t = newer;
    struct s_sharp s;
    at.value[15][0] = has_part(name, "o"); /* the first number is whole */
    t.place = place_newer;
    t.dfmt = 77;
    t.type = shapes[dim].type;
    t.width = 16;
    t.height = dims > 1 ? 8 : 1;
    t.depth = dims == 3 ? 4 : 1;
    t.first = array ? 1 : 0;
    t.last = array ? 2 : 0;
    t.last_level = 3;
    t.tiling = dims == 1 ? 0 : round & 4 ? 5 : 0;
    choose_vgprs(&at, &w);
    if (!rig_open(&w, &at)) return;
    random_sampler(&s, name);
    put_t(&t, 3);
    put_s(&s);
    for (unsigned i = 0; i < 65536; i += 4) {
        float f = (float)(random32() % 1024) / 1024;
        memcpy(r.buf->bytes + i, &f, 4);
    }
    struct ask ask[64];
    for (unsigned l = 0; l < lanes; l++) {
        struct ask *a = &ask[l];
        unsigned row = 0;
        *a = (struct ask){.mem = r.buf->bytes,
            .compares = has_part(name, "c"),
            .given = has_part(name, "l"),
            .limited = has_part(name, "cl"),
            .zero = has_part(name, "lz")};
        if (has_part(name, "o")) {
            for (unsigned i = 0; i < 3; i++) a->offset[i] = i < dims ? (int)(random32() % 16) - 8 : 0;
            at.value[row++][l] = ((uint32_t)a->offset[0] & 63) | ((uint32_t)a->offset[1] & 63) << 8 |
                                 ((uint32_t)a->offset[2] & 63) << 16;
        }
        if (has_part(name, "b")) at.value[row++][l] = a->bias = w.a16 ? as_half(some(-1, 1)) : some(-1, 1);
        if (a->compares) at.value[row++][l] = a->reference = some(0, 1);
        for (unsigned i = 0; derived && i < dims; i++) {
            a->dx[i] = w.g16 ? as_half(some(-0.4, 0.4)) : some(-0.4, 0.4);
            a->dy[i] = w.g16 ? as_half(some(-0.4, 0.4)) : some(-0.4, 0.4);
            at.value[row + i][l] = a->dx[i];
            at.value[row + dims + i][l] = a->dy[i];
        }
        row += derived ? 2 * dims : 0;
        for (unsigned i = 0; i < dims; i++) {
            a->at[i] = s.unnormalized ? some(-6, 22) : some(-1.5, 2.5);
            if (w.a16) a->at[i] = as_half(a->at[i]);
            at.value[row++][l] = a->at[i];
        }
        if (array) {
            const double x = some(-0.6, 1.9), slice = w.a16 ? as_half(x) : x;
            a->slice = slice > 0.5;
            at.value[row++][l] = slice;
        }
        if (a->given || a->limited) at.value[row++][l] = a->level = w.a16 ? as_half(some(-0.5, 3.5)) : some(-0.5, 3.5);
    }
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned i = 0; i < dims; i++) {
            if (!derived) {
                ask[l].dx[i] = ask[l / 4 * 4 + 1].at[i] - ask[l / 4 * 4].at[i];
                ask[l].dy[i] = ask[l / 4 * 4 + 2].at[i] - ask[l / 4 * 4].at[i];
            } else if (coarse) {
                ask[l].dx[i] = ask[l / 4 * 4].dx[i];
                ask[l].dy[i] = ask[l / 4 * 4].dy[i];
            }
        }
    put_numbers(&at, &w, false);
    const struct gpudbg_stop stop = rig_run();
    unsigned wrong = 0;
    for (unsigned l = 0; l < lanes && !faulted(&stop); l++)
        for (unsigned c = 0; c < 4; c++) {
            const struct ask *a = &ask[l];
            const double lod = limited_lod(&s, a, raw_lod(&t, &s, a, dims)),
                         level_at = fmin(fmax(lod, 0), t.last_level), got = get_float(DATA + c, l);
            double want;
            if (lod_only) {
                want = c == 1       ? raw_lod(&t, &s, a, dims)
                       : c          ? 0
                       : s.mip == 0 ? 0
                       : s.mip == 1 ? floor(level_at + 0.5)
                                    : level_at;
            } else if (gather) {
                static const int ox[4] = {0, 1, 1, 0}, oy[4] = {1, 1, 0, 0};
                const unsigned level = s.mip == 0 ? 0 : (unsigned)floor(level_at + 0.5);
                const int width = sizes_of(&t, 0, level), height = sizes_of(&t, 1, level);
                const int i[3] = {clamped(s.clamp[0], (int)floor(scaled(&s, a, 0, width) - 0.5) + ox[c], width),
                    clamped(s.clamp[1], (int)floor(scaled(&s, a, 1, height) - 0.5) + oy[c], height), 0};
                want = texel_at(&t, &s, a, level, i, component_);
            } else {
                want = sample_value(&t, &s, a, dims, c);
            }
            if (fabs(got - want) > 2e-5 && wrong++ == 0)
                fprintf(stderr, "# lane %u component %u: %g, not %g (clamp %u %u, mag %u min %u mip %u, level %g)\n", l,
                    c, got, want, s.clamp[0], s.clamp[1], s.mag, s.min, s.mip, lod);
        }
    ok(!faulted(&stop) && !wrong, "%s: %s, dim %u%s%s%s, %u: %u wrong %s", gcn_chips[chip].isa.name, name, dim,
        w.a16 ? ", a16" : "", w.g16 ? ", g16" : "", w.nsa ? ", nsa" : "", round, wrong,
        faulted(&stop) ? stop.message : "");
    rig_close();
}

static void test_samples(void)
{
    static const unsigned dims[] = {1, 5, 2, 0, 4};
    unsigned rows = 0;
    for (size_t i = 0; i < gcn_chips[chip].isa.nops; i++) {
        const struct gpudbg_op *op = &gcn_chips[chip].isa.ops[i];
        const bool gather = strncmp(op->name, "image_gather4", 13) == 0;
        if (!gpudbg_has_op(&gcn_chips[chip].isa, i) || !strcmp(op->name, "image_gather4h")) continue;
        if (strncmp(op->name, "image_sample", 12) != 0 && !gather && strcmp(op->name, "image_get_lod") != 0) continue;
        rows++;
        for (unsigned k = 0; k < 5; k++)
            for (unsigned round = 0; round < 8; round += k ? 3 : 1)
                if (!gather || dims[k] == 1 || dims[k] == 5) test_sample(op, dims[k], round);
    }
    is_int(rows, 81, "rows with a sampler");
}

/* ---- Queries, refusals ---- */

static void test_info(unsigned dim)
{
    struct t_sharp t = newer;
    struct word w = {.opcode = 14, .dim = dim, .dmask = 15, .a16 = dim & 1};
    struct numbers at = {.own = 1, .bias = -1};
    const unsigned dims = shapes[dim].dims, lanes = gcn_chips[chip].isa.lanes;
    t.type = shapes[dim].type;
    t.height = dims > 1 ? t.type == 11 ? 64 : 16 : 1;
    t.depth = dims == 3 ? 8 : 1;
    t.last = t.type == 11 ? 11 : shapes[dim].slice ? 4 : 0;
    t.last_level = 3;
    t.tiling = shapes[dim].sample ? 27 : 0;
    choose_vgprs(&at, &w);
    if (!rig_open(&w, &at)) return;
    put_t(&t, 4);
    gcn_of(r.w)->setup->tiling.config = some_several(0)->config;
    const unsigned levels = shapes[dim].sample ? 1 : 4;
    for (unsigned l = 0; l < lanes; l++) at.value[0][l] = l % 5;
    put_numbers(&at, &w, true);
    const struct gpudbg_stop stop = rig_run();
    unsigned wrong = 0;
    for (unsigned l = 0; l < lanes; l++) {
        const unsigned level = l % 5;
        uint32_t want[4] = {64u >> level, dims > 1 ? t.height >> level : 0, dims > 2 ? t.depth >> level : 0, levels};
        want[1] += dims > 1 && !want[1];
        want[2] += dims > 2 && !want[2];
        if (shapes[dim].slice) want[dims] = t.last + 1;
        for (unsigned i = 0; i < 3; i++) want[i] = level >= levels ? 0 : want[i];
        for (unsigned i = 0; i < 4; i++) wrong += v(DATA + i)[l] != want[i];
    }
    ok(!faulted(&stop) && !wrong, "sizes, dim %u: %u wrong %s", dim, wrong, faulted(&stop) ? stop.message : "");
    rig_close();
}

static void refused(
    const char *what, const struct t_sharp *t, struct word w, unsigned lo, uint32_t value, const char *why)
{
    struct numbers at = {.own = 4, .bias = -1};
    choose_vgprs(&at, &w);
    if (!rig_open(&w, &at)) return;
    put_t(t, t->last_level);
    field(gcn_s(r.w), lo, 13, value);
    if (t->type >= 14) gcn_of(r.w)->setup->tiling.config = some_several(0)->config;
    for (unsigned l = 0; l < 64; l++) v(at.vgpr[2])[l] = 1;
    const struct gpudbg_stop stop = rig_run();
    ok(faulted(&stop) && strstr(stop.message, why), "%s: %s", what, stop.message);
    rig_close();
}

static void test_refused(void)
{
    const struct word load = {.opcode = 0, .dim = 1, .dmask = 15};
    struct t_sharp t = newer;
    t.tiling = 27;
    refused("a mode that mixes bits", &t, load, 0, 0, "its places depend on the chip");
    t.tiling = 3;
    refused("no mode", &t, load, 0, 0, "T#.sw_mode is 3: no swizzle mode");
    t.tiling = 0;
    refused("compression", &t, load, 213, 1, "T#.compression_en is 1");
    refused("a volume where the instruction has two dimensions", &t, (struct word){.dim = 2, .dmask = 1}, 0, 0,
        "T#.type is 9: the instruction is for images of type 10");
    t.dfmt = 140;
    refused("a format whose texels are not known", &t, load, 0, 0, "T#.format is 140");
    t = newer;
    t.type = 14;
    t.last_level = 2;
    const struct word several_ = {.dim = 6, .dmask = 1};
    refused("several samples in lines", &t, several_, 0, 0, "T#.sw_mode is 0: images of several samples are in modes");
    t.tiling = 27;
    chip = GCN_CHIP_gfx10_3_64;
    refused(
        "one component of samples", &t, (struct word){.opcode = NOT_HIGH, .dim = 6, .dmask = 2}, 0, 0, "dmask is 0x2");
    refused(
        "a sample between fours", &t, (struct word){.opcode = NOT_HIGH, .dim = 6, .dmask = 15}, 0, 0, "sample 1 on");
    t.last_level = 1;
    refused("four of two samples", &t, (struct word){.opcode = NOT_HIGH, .dim = 6, .dmask = 15}, 0, 0, "has 2 samples");
    t.last_level = 4;
    refused("16 samples", &t, several_, 0, 0, "T#.sw_mode is 27: at most 8 samples are stored");
}

/* Descriptors and words with random bits: whatever they say, the wave goes on or stops with a reason. */
static void test_hostile(void)
{
    unsigned ran = 0, stopped = 0, other = 0;
    for (unsigned n = 0; n < 3000; n++) {
        const struct gpudbg_op *op = &gcn_chips[chip].isa.ops[random32() % gcn_chips[chip].isa.nops];
        if (!gpudbg_has_op(&gcn_chips[chip].isa, op->id) || strncmp(op->name, "image_", 6) != 0) continue;
        const bool high = gcn_chips[chip].isa.rows[op->id].format == &gcn_layouts[GCN_W_MIMG_HIGH];
        struct word w = {.opcode = (unsigned)gcn_chips[chip].isa.rows[op->id].code + (high ? NOT_HIGH : 0),
            .dim = random32() % 8,
            .dmask = random32() % 16,
            .flags = random32() & (UNORM | GLC | R128 | TFE | LWE),
            .a16 = random32() & 1,
            .d16 = random32() & 1,
            .nsa = random32() & 1};
        struct numbers at = {.own = 13, .bias = -1};
        struct t_sharp t = newer;
        struct s_sharp s = {.most = 0xfff};
        t.width = 1 + random32() % 200;
        t.type = random32() % 4 ? 8 + w.dim : 8 + random32() % 8;
        t.tiling = (const uint8_t[]){0, 0, 1, 2, 5, 6, 9, 10}[random32() % 8];
        if (random32() % 2) t.dfmt = 1 + random32() % 190;
        choose_vgprs(&at, &w);
        if (!rig_open(&w, &at)) return;
        put_t(&t, random32() % 6);
        put_s(&s);
        for (unsigned k = random32() % 6; k > 0; k--) gcn_s(r.w)[random32() % 12] ^= 1u << random32() % 32;
        for (unsigned i = 0; i < 12 && n % 4 == 0; i++) gcn_s(r.w)[i] = random32();
        for (unsigned i = 0; i < 24; i++)
            for (unsigned l = 0; l < 64; l++) v(i)[l] = random32() % 2 ? random32() : random32() % 64;
        const struct gpudbg_stop stop = rig_run();
        ran += !faulted(&stop);
        stopped += faulted(&stop) && *stop.message;
        other += faulted(&stop) && !*stop.message;
        rig_close();
    }
    ok(ran && stopped && !other, "%s: random descriptors: %u ran, %u stopped with a reason", gcn_chips[chip].isa.name,
        ran, stopped);
}

int main(void)
{
    static const unsigned modes[] = {0, 1, 5, 9, 2, 6, 10};
    static const enum gcn_chip_number chips[] = {GCN_CHIP_gfx10, GCN_CHIP_gfx10_3_64};
    struct gpudbg_error err = {0};
    r.g = session_open(command_families, builtin_plugins, &err);
    if (!r.g) return 1;
    for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++) test_mixed(&mixed[i]);
    test_tails();
    test_sums();
    for (unsigned k = 0; k < 2; k++) {
        chip = chips[k];
        for (unsigned i = 0; i < 7; i++)
            for (unsigned bytes = 1; bytes <= 16; bytes *= 2) {
                test_places(modes[i], bytes, 9);
                test_places(modes[i], bytes, 13);
                if (i == 0 || i == 2 || i == 3) test_places(modes[i], bytes, 10);
            }
        for (unsigned dim = 0; dim < 8; dim++) {
            for (unsigned opcode = 0; opcode < 32; opcode++)
                for (unsigned round = 0; round < 8; round++)
                    if ((opcode < 6 || (opcode > 7 && opcode < 12) || (opcode > 14 && opcode != 19)) &&
                        (dim < 6 || !has_mip(opcode)))
                        test_access(opcode, dim, round);
            test_info(dim);
            for (unsigned round = 0; round < 12 && dim > 5 && chip != GCN_CHIP_gfx10; round++) test_four(dim, round);
        }
        test_samples();
        test_short_texels();
        test_all_met();
        test_hostile();
    }
    test_formats();
    test_refused();
    session_close(r.g);
    return tap_done();
}
