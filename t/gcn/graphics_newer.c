/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What graphics shaders and waves of all groups do on RDNA, one instruction at a time, against models: exports,
 * interpolation, rays against boxes and triangles, the global wave sync and its ordered counts.
 */
#include "decoders/gcn/code/gcn_decoder.h"
#include "decoders/gcn/engine/export.h"
#include "decoders/gcn/engine/setup.h"
#include "launched.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>

static enum gcn_chip_number chip;
static bool met[GCN_OPS]; /* rows that some test has executed */

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

/* ---- A wave with a few instructions ---- */

static struct launched r;

static bool rig_open(const uint32_t *words, size_t n, const char *more)
{
    const struct gpudbg_isa *isa = &gcn_chips[chip].isa;
    static char text[20000];
    struct gpudbg_insn insn;
    for (size_t at = 0; at < n; at += insn.size / 4) {
        if (gcn_decode(isa, (const uint8_t *)(words + at), 4 * (n - at), 0, &insn) <= 0) break;
        if (insn.op) met[insn.op->id] = true;
    }
    snprintf(text, sizeof text, "-g %u -l %u buf0=zero:65536 %s", isa->lanes, isa->lanes, more);
    return launched_open(&r, chip, words, n, text);
}

static void rig_close(void) { launched_close(&r); }

static struct gpudbg_stop rig_run(uint64_t count)
{
    struct machine_want want = {.until = MACHINE_STEPS, .count = count};
    return machine_run(r.m, &want);
}

static uint32_t *v(unsigned row) { return gcn_v(r.w, row); }

static unsigned lanes(void) { return gcn_chips[chip].isa.lanes; }

static uint64_t choose_exec(void)
{
    const uint64_t exec = (uint64_t)random32() << 32 | random32();
    gcn_set_pair(gcn_s(r.w), GCN_EXEC, lanes() == 64 ? exec : exec & 0xffffffff);
    return lanes() == 64 ? exec : exec & 0xffffffff;
}

/* ---- Exports ---- */

struct shown {
    uint64_t exec;
    uint32_t value[4][64];
    unsigned enable, done;
    bool compressed, valid;
    const char *target;
    unsigned rows, wrong;
};

static bool compare_row(void *to, const void *row)
{
    static const char *const keys[4] = {"x", "y", "z", "w"};
    struct shown *s = to;
    char cell[13][64] = {{0}};
    unsigned lane = 0;
    for (size_t i = 0; i < gcn_exports.ncolumns; i++) gcn_exports.columns[i].cell(row, cell[i], sizeof cell[i]);
    for (size_t i = 0; i < gcn_exports.ncolumns; i++)
        if (!strcmp(gcn_exports.columns[i].key, "lane")) lane = (unsigned)atoi(cell[i]);
    s->wrong += s->exec && !(s->exec >> lane & 1);
    for (size_t i = 0; i < gcn_exports.ncolumns; i++) {
        const char *key = gcn_exports.columns[i].key;
        char want[64] = "";
        for (unsigned k = 0; k < 4; k++)
            if (!strcmp(key, keys[k])) {
                if (s->exec && s->enable >> k & 1)
                    snprintf(want, sizeof want, s->compressed ? "0x%04x" : "0x%08x", s->value[k][lane]);
                s->wrong += s->exec && strcmp(want, cell[i]) != 0;
            }
        if (!strcmp(key, "target")) s->wrong += strcmp(cell[i], s->target) != 0;
        if (!strcmp(key, "done")) s->wrong += (unsigned)atoi(cell[i]) != s->done;
        if (!strcmp(key, "valid")) s->wrong += s->valid != (cell[i][0] != 0);
    }
    s->rows++;
    return true;
}

static void test_export(unsigned target, const char *name)
{
    unsigned wrong = 0;
    for (unsigned round = 0; round < 12; round++) {
        struct shown s = {.target = name, .enable = random32() % 16, .done = random32() % 2};
        struct gpudbg_error err = {0};
        unsigned from[4];
        s.compressed = random32() % 2;
        s.valid = random32() % 2;
        for (unsigned i = 0; i < 4; i++) from[i] = random32() % 20;
        const uint32_t words[3] = {0xf8000000u | s.enable | target << 4 | (uint32_t)s.compressed << 10 | s.done << 11 |
                                       (uint32_t)s.valid << 12,
            from[0] | from[1] << 8 | from[2] << 16 | from[3] << 24, 0xbf810000};
        if (!rig_open(words, 3, "")) return;
        for (unsigned i = 0; i < 20; i++)
            for (unsigned l = 0; l < lanes(); l++) v(i)[l] = random32();
        s.exec = choose_exec();
        for (unsigned k = 0; k < 4; k++)
            for (unsigned l = 0; l < lanes(); l++)
                s.value[k][l] = s.compressed ? v(from[k / 2])[l] >> (k & 1 ? 16 : 0) & 0xffff : v(from[k])[l];
        rig_run(1);
        struct gpudbg_machine *before = r.g->running.machine;
        r.g->running.machine = r.m;
        gcn_exports.rows(r.g, "", compare_row, &s, &err);
        r.g->running.machine = before;
        wrong += s.wrong + (s.rows != (unsigned)(s.exec ? __builtin_popcountll(s.exec) : 1));
        rig_close();
    }
    ok(!wrong, "%s: exp %s: %u wrong", gcn_chips[chip].isa.name, name, wrong);
}

/* ---- Interpolation ---- */

enum { ATTRIBUTES = 3, PRIMITIVES = 3 };
static uint32_t params[ATTRIBUTES][PRIMITIVES][3][4]; /* P0, P10, P20 */

/* Floats between 2^-8 and 2^8, small ones and specials among them. */
static uint32_t some_float(void)
{
    static const uint32_t some[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000};
    if (random32() % 12 == 0) return some[random32() % 6];
    return (random32() & 0x807fffff) | (119 + random32() % 16) << 23;
}

static uint32_t some_halves(void)
{
    const uint32_t low = (random32() & 0x83ff) | (8 + random32() % 14) << 10, high = (random32() & 0x83ff) | 15u << 10;
    return low | high << 16;
}

static float half_value(uint32_t h)
{
    const int e = (int)(h >> 10 & 31);
    const float m = (float)((h & 1023) + (e ? 1024u : 0));
    const float x = ldexpf(m, (e ? e : 1) - 25);
    return h & 0x8000 ? -x : x;
}

/* x, which is exact, to a half, to the nearest even. */
static uint32_t to_half(long double x)
{
    const uint32_t sign = signbit(x) ? 0x8000 : 0;
    int e;
    x = fabsl(x);
    if (x == 0) return sign;
    frexpl(x, &e);
    const int unit = (e < -13 ? -13 : e) - 11;
    const long double n = rintl(ldexpl(x, -unit));
    if (n >= 2048 && unit + 11 >= 16) return sign | 0x7c00;
    const uint32_t whole = (uint32_t)n;
    return sign | (whole < 1024 ? whole : (uint32_t)(unit + 24) * 1024 + whole);
}

static float product_and_sum(float a, float b, float c)
{
    if (gcn_chips[chip].isa.rows[GCN_v_mad_f32].code < 0) return fmaf(a, b, c);
    const volatile float product = a * b;
    return product + c;
}

static bool same_float(uint32_t got, float want)
{
    return want != want ? (got & 0x7fffffff) > 0x7f800000 : got == bits_of(want);
}

/* kind: 0 p1, 1 p2, 2 mov, of short words and, with 8, of long ones; 3 p1ll, 4 p1lv, 5 p2_f16. */
static void test_interpolation(unsigned kind)
{
    static const unsigned opcodes[6] = {0x200, 0x201, 0x202, 0x342, 0x343, 0x35a};
    static const unsigned order[3] = {1, 2, 0}; /* of v_interp_mov: P10, P20, P0 */
    unsigned wrong = 0;
    const bool is_long = kind >= 3;
    const unsigned which = kind & 7;
    static char text[16 + sizeof params * 2];
    for (unsigned round = 0; round < 20; round++) {
        const unsigned attribute = random32() % ATTRIBUTES, channel = random32() % 4, high = random32() % 2;
        const unsigned negates = is_long && which != 2 ? random32() % 2 : 0, slot = random32() % 3;
        const bool halves = which > 2;
        uint32_t words[3] = {0, 0, 0xbf810000};
        if (is_long) {
            words[0] = 0xd4000000u | opcodes[which] << 16 | 2;
            words[1] = attribute | channel << 6 | (halves ? high << 8 : 0) | (which == 2 ? slot : 256u + 1u) << 9 |
                       (which > 3 ? 256u + 3u : 0) << 18 | negates << 30;
            if (which == 2) words[1] &= ~(256u << 9);
        } else {
            words[0] = 0xc8000000u | 2u << 18 | which << 16 | attribute << 10 | channel << 8 | (which == 2 ? slot : 1);
            words[1] = 0xbf810000;
        }
        char *to = text + snprintf(text, sizeof text, "params=hex:");
        for (unsigned i = 0; i < sizeof params / 4; i++) {
            uint32_t *p = &params[0][0][0][0] + i;
            *p = halves ? some_halves() : some_float();
            for (unsigned k = 0; k < 4; k++) to += sprintf(to, "%02x", *p >> 8 * k & 255);
        }
        if (!rig_open(words, is_long ? 3 : 2, text)) return;
        uint32_t starts = 0; /* two later quads begin a primitive */
        while (__builtin_popcount(starts) < PRIMITIVES - 1) starts |= 1u << random32() % 7;
        gcn_s(r.w)[GCN_M0] = starts << 16;
        for (unsigned l = 0; l < lanes(); l++)
            v(1)[l] = halves ? bits_of(half_value(some_halves() & 0xffff)) : some_float(), v(2)[l] = some_float(),
            v(3)[l] = which == 4 ? some_halves() : bits_of(half_value(some_halves() & 0xffff));
        const uint64_t exec = choose_exec();
        uint32_t old[64];
        memcpy(old, v(2), sizeof old);
        const struct gpudbg_stop stop = rig_run(1);
        wrong += stop.reason == GPUDBG_STOP_FAULT;
        for (unsigned l = 0; l < lanes(); l++) {
            const unsigned primitive = (unsigned)__builtin_popcount(starts & ((1u << l / 4) - 1));
            uint32_t(*p)[4] = params[attribute][primitive];
            float value[3], s = float_of(v(1)[l]);
            for (unsigned i = 0; i < 3; i++)
                value[i] = halves ? half_value(p[i][channel] >> (high ? 16 : 0) & 0xffff) : float_of(p[i][channel]);
            if (negates) s = -s;
            const uint32_t got = v(2)[l];
            bool right = got == old[l];
            if (exec >> l & 1) {
                if (which == 0 || which == 3) right = same_float(got, product_and_sum(value[1], s, value[0]));
                if (which == 1) right = same_float(got, product_and_sum(value[2], s, float_of(old[l])));
                if (which == 2) right = got == p[order[slot]][channel];
                if (which == 4)
                    right = same_float(
                        got, product_and_sum(value[1], s, half_value(v(3)[l] >> (high ? 16 : 0) & 0xffff)));
                if (which == 5)
                    right = got == ((old[l] & 0xffff0000) |
                                       to_half((long double)value[2] * s + (long double)float_of(v(3)[l])));
            }
            if (!right && !wrong++)
                fprintf(stderr, "# kind %u lane %u: 0x%x (P 0x%x 0x%x 0x%x, s %a, old 0x%x) %s\n", kind, l, got,
                    p[0][channel], p[1][channel], p[2][channel], (double)s, old[l], stop.message);
        }
        rig_close();
    }
    ok(!wrong, "%s: interpolation, kind %u: %u wrong", gcn_chips[chip].isa.name, kind, wrong);
}

/* ---- The global wave sync ---- */

/* A wave alone: what it takes from a semaphore must be there, and a barrier of one opens. */
static void test_sync(void)
{
    enum { INIT = 25, V = 26, BR = 27, P = 28, BARRIER = 29, RELEASE = 24, STEPS = 24 };
    static const unsigned codes[6] = {INIT, V, BR, P, BARRIER, RELEASE};
    unsigned wrong = 0;
    for (unsigned round = 0; round < 60; round++) {
        uint32_t words[2 * STEPS + 1], value[8] = {0}, n = 0, passes = STEPS;
        const uint32_t base = random32() % 4, given = 1 + random32() % 3;
        for (unsigned i = 0; i < STEPS; i++) {
            const unsigned code = codes[random32() % 6], resource = random32() % 4;
            words[2 * i] = 0xd8020000u | code << 18 | resource;
            words[2 * i + 1] = code == INIT || code == BR || code == BARRIER ? 1 : 0;
            if (passes < STEPS) continue;
            uint32_t *s = &value[resource + base];
            if (code == INIT) *s = given;
            if (code == V) ++*s;
            if (code == BR) *s += given;
            if ((code == P && !*s) || (code == BARRIER && given > 1)) passes = n;
            if (code == P && *s) --*s;
            n++;
        }
        words[2 * STEPS] = 0xbf810000;
        if (!rig_open(words, 2 * STEPS + 1, "gds=256")) return;
        gcn_s(r.w)[GCN_M0] = base << 16;
        for (unsigned l = 0; l < lanes(); l++) v(1)[l] = given;
        const struct gpudbg_stop stop = rig_run(STEPS);
        const uint64_t done = r.w->pc - 0x10000;
        if ((stop.reason == GPUDBG_STOP_FAULT) != (passes < STEPS) || done != 8u * passes) wrong++;
        rig_close();
    }
    ok(!wrong, "%s: semaphores and barriers: %u wrong", gcn_chips[chip].isa.name, wrong);
}

static void test_ordered_count(void)
{
    unsigned wrong = 0;
    for (unsigned round = 0; round < 60; round++) {
        enum { STEPS = 8 };
        uint32_t words[2 * STEPS + 1], want[64], model[16] = {0}, last = 0;
        const uint32_t base = 4 * (random32() % 8), given = random32();
        for (unsigned i = 0; i < STEPS; i++) {
            const uint32_t index = random32() % 4, swaps = random32() % 2;
            words[2 * i] = 0xd8020000u | 63u << 18 | index << 2 | swaps << 12;
            words[2 * i + 1] = 1 | (uint32_t)(8 + i) << 24;
            want[i] = model[index];
            model[index] = swaps ? given : model[index] + given;
            last = index;
        }
        words[2 * STEPS] = 0xbf810000;
        if (!rig_open(words, 2 * STEPS + 1, "gds=256")) return;
        gcn_s(r.w)[GCN_M0] = base << 16;
        for (unsigned l = 0; l < lanes(); l++) v(1)[l] = given;
        const uint64_t exec = choose_exec() | 1;
        gcn_set_pair(gcn_s(r.w), GCN_EXEC, exec);
        uint32_t old[STEPS][64];
        for (unsigned i = 0; i < STEPS; i++) memcpy(old[i], v(8 + i), sizeof old[i]);
        wrong += rig_run(STEPS).reason == GPUDBG_STOP_FAULT;
        for (unsigned i = 0; i < STEPS; i++)
            for (unsigned l = 0; l < lanes(); l++) wrong += v(8 + i)[l] != (exec >> l & 1 ? want[i] : old[i][l]);
        const uint8_t *gds = gcn_of(r.w)->setup->gds->bytes + base;
        wrong += memcmp(gds, model, 16) != 0 || last > 3;
        rig_close();
    }
    ok(!wrong, "%s: ordered counts: %u wrong", gcn_chips[chip].isa.name, wrong);
}

/* ---- Rays ---- */

/* The descriptor of a tree at s[4:7]. */
static void put_tree(uint64_t at, bool sorts, bool weights)
{
    uint32_t *t = gcn_s(r.w) + 4;
    t[0] = (uint32_t)(at >> 8);
    t[1] = (uint32_t)(at >> 40) | (uint32_t)sorts << 31;
    t[2] = 0xffff;
    t[3] = 8u << 28 | (uint32_t)weights << 24;
}

/* Boxes along x, each by itself; rays that meet all of them, some or none, well away from their edges. */
static void test_ray(bool wide, bool of_halves)
{
    unsigned wrong = 0;
    for (unsigned round = 0; round < 12; round++) {
        const uint32_t words[3] = {0xf1989f01u | (wide ? 1u << 18 : 0), 9u | 4u << 8 | 1u << 16, 0xbf810000};
        if (!rig_open(words, 3, "")) return;
        uint32_t child[4];
        double low[4][3], size[4][3];
        unsigned order[4] = {0, 1, 2, 3};
        uint8_t *node = r.buf->bytes + 256 + 64 * 2;
        for (unsigned i = 0; i < 4; i++) {
            const unsigned with = random32() % 4, keep = order[i];
            order[i] = order[with];
            order[with] = keep;
        }
        for (unsigned i = 0; i < 4; i++) {
            child[i] = random32();
            memcpy(node + 4 * i, &child[i], 4);
            for (unsigned a = 0; a < 3; a++) {
                low[i][a] = a ? (double)(random32() % 3) * 4 : 8.0 * order[i] + 8;
                size[i][a] = 2 + (a ? random32() % 2 : 0) * 4;
                const float f[2] = {(float)low[i][a], (float)(low[i][a] + size[i][a])};
                for (unsigned k = 0; k < 2; k++) {
                    const uint32_t h = to_half(f[k]);
                    const unsigned at = 6 * i + 3 * k + a;
                    memcpy(of_halves ? node + 16 + 2 * at : node + 16 + 4 * at,
                        of_halves ? (const void *)&h : (const void *)&f[k], of_halves ? 2 : 4);
                }
            }
        }
        const bool sorts = round % 3;
        put_tree(r.buf->base + 256, sorts, false);
        const unsigned n = wide ? 2 : 1;
        double y[64], z[64], extent[64];
        for (unsigned l = 0; l < lanes(); l++) {
            y[l] = (double)(random32() % 14) + 0.5;
            z[l] = (double)(random32() % 14) + 0.5;
            extent[l] = (double)(random32() % 48) + 1.5;
            const double from[3] = {1, y[l], z[l]}, inverse[3] = {1, 1048576, 1048576}; /* along x, hardly aside */
            v(9)[l] = 2u << 3 | (of_halves ? 4 : 5);
            if (wide) v(10)[l] = 0;
            v(9 + n)[l] = bits_of((float)extent[l]);
            for (unsigned a = 0; a < 3; a++) {
                v(10 + n + a)[l] = bits_of((float)from[a]);
                v(13 + n + a)[l] = bits_of((float)(1 / inverse[a]));
                v(16 + n + a)[l] = bits_of((float)inverse[a]);
            }
        }
        const struct gpudbg_stop stop = rig_run(1);
        if (stop.reason == GPUDBG_STOP_FAULT && !wrong++) fprintf(stderr, "# %s\n", stop.message);
        for (unsigned l = 0; l < lanes(); l++) {
            uint32_t want[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
            unsigned hits = 0;
            for (unsigned place = 0; place < 4; place++)
                for (unsigned i = 0; i < 4; i++)
                    if (order[i] == place && y[l] > low[i][1] && y[l] < low[i][1] + size[i][1] && z[l] > low[i][2] &&
                        z[l] < low[i][2] + size[i][2] && low[i][0] - 1 < extent[l])
                        want[sorts ? hits++ : i] = child[i];
            for (unsigned k = 0; k < 4; k++)
                if (v(4 + k)[l] != want[k] && !wrong++)
                    fprintf(stderr, "# lane %u, %u: 0x%x, not 0x%x\n", l, k, v(4 + k)[l], want[k]);
        }
        rig_close();
    }
    ok(!wrong, "%s: rays, %s, pointers of %u bits: %u wrong", gcn_chips[chip].isa.name, of_halves ? "halves" : "floats",
        wide ? 64 : 32, wrong);
}

static int64_t determinant(const int64_t a[3], const int64_t b[3], const int64_t c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1]);
}

/* Cramer's rule for origin + t * direction = corner 0 + u * edge 1 + v * edge 2: the common denominator, and the
 * numerators of t, u, v. */
struct meeting {
    int64_t d, t, u, v;
};

static struct meeting meet(const int64_t origin[3], const int64_t direction[3], int64_t *const corner[3])
{
    int64_t back[3], edge[2][3], from[3];
    for (unsigned k = 0; k < 3; k++) {
        back[k] = -direction[k];
        edge[0][k] = corner[1][k] - corner[0][k];
        edge[1][k] = corner[2][k] - corner[0][k];
        from[k] = origin[k] - corner[0][k];
    }
    return (struct meeting){determinant(back, edge[0], edge[1]), determinant(from, edge[0], edge[1]),
        determinant(back, from, edge[1]), determinant(back, edge[0], from)};
}

/* Rays against triangles of whole numbers, which floats hold exactly.  A quarter of the rays hit the middle, another an
 * edge, the others go anywhere; none lies in the plane of the triangle, which stops. */
static void test_triangle(unsigned type, bool weights)
{
    static const uint8_t corners[4][3] = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {2, 4, 0}};
    unsigned wrong = 0, hits = 0, misses = 0, edges = 0;
    for (unsigned round = 0; round < 20; round++) {
        const bool wide = round & 1;
        const uint32_t words[3] = {0xf1989f01u | (wide ? 1u << 18 : 0), 9u | 4u << 8 | 1u << 16, 0xbf810000};
        if (!rig_open(words, 3, "")) return;
        struct meeting met_at[64];
        int64_t corner[5][3], *const own[3] = {
                                  corner[corners[type][0]], corner[corners[type][1]], corner[corners[type][2]]};
        uint8_t *node = r.buf->bytes + 256 + 64 * 3;
        const uint32_t source[2] = {random32() % 3, random32() % 3},
                       id = (random32() & ~(15u << 8 * type)) | (source[0] | source[1] << 2) << 8 * type;
        for (unsigned i = 0; i < 5; i++)
            for (unsigned k = 0; k < 3; k++) {
                corner[i][k] = (int64_t)(random32() % 41) - 20;
                const float f = (float)corner[i][k];
                memcpy(node + 12 * i + 4 * k, &f, 4);
            }
        memcpy(node + 60, &id, 4);
        put_tree(r.buf->base + 256, true, weights);
        const unsigned n = wide ? 2 : 1;
        for (unsigned l = 0; l < lanes(); l++) {
            int64_t origin[3], direction[3];
            do {
                for (unsigned k = 0; k < 3; k++) {
                    origin[k] = (int64_t)(random32() % 41) - 20;
                    direction[k] = l % 4 == 0   ? own[0][k] + own[1][k] + own[2][k] - 3 * origin[k]
                                   : l % 4 == 1 ? own[1][k] + own[2][k] - 2 * origin[k]
                                                : (int64_t)(random32() % 9) - 4;
                }
                met_at[l] = meet(origin, direction, own);
            } while (!met_at[l].d && !met_at[l].u && !met_at[l].v);
            v(9)[l] = 3u << 3 | type;
            if (wide) v(10)[l] = 0;
            v(9 + n)[l] = bits_of(1);
            for (unsigned k = 0; k < 3; k++) {
                v(10 + n + k)[l] = bits_of((float)origin[k]);
                v(13 + n + k)[l] = bits_of((float)direction[k]);
                v(16 + n + k)[l] = bits_of(1 / (float)direction[k]);
            }
        }
        const struct gpudbg_stop stop = rig_run(1);
        for (unsigned l = 0; l < lanes(); l++) {
            const struct meeting m = met_at[l];
            const int64_t sign = m.d < 0 ? -1 : 1;
            const bool hit = m.d && sign * m.t >= 0 && sign * m.u >= 0 && sign * m.v >= 0 &&
                             sign * (m.u + m.v) <= sign * m.d;
            const int64_t weight[3] = {(hit ? m.d : 1) - m.u - m.v, m.u, m.v};
            const float numbers[4] = {
                hit ? (float)m.t : INFINITY, hit ? (float)m.d : 1, (float)weight[source[0]], (float)weight[source[1]]};
            hits += hit;
            misses += !hit;
            edges += hit && (!m.u || !m.v || m.u + m.v == m.d);
            for (unsigned k = 0; k < 4; k++) {
                const bool number = k < 2 || weights;
                const uint32_t got = v(4 + k)[l], want = number ? bits_of(numbers[k]) : k == 2 ? id : hit;
                const bool zero = number && numbers[k] == 0; /* of either sign */
                if ((zero ? got << 1 != 0 : got != want) && !wrong++)
                    fprintf(stderr, "# lane %u, %u: 0x%x, not 0x%x: %s\n", l, k, got, want, stop.message);
            }
        }
        rig_close();
    }
    ok(!wrong && hits > 100 && misses > 100 && edges > 50,
        "%s: triangle %u, %s: %u wrong, %u met, %u at an edge, %u not", gcn_chips[chip].isa.name, type,
        weights ? "weights" : "its number", wrong, hits, edges, misses);
}

/* Rows of these kinds that run have a model here. */
static void test_all_met(void)
{
    unsigned missing = 0;
    for (unsigned id = 0; id < GCN_OPS; id++) {
        const struct gpudbg_op *op = &gcn_ops[id];
        if (!gpudbg_has_op(&gcn_chips[chip].isa, id) || !gcn_is_checked(&gcn_chips[chip], op)) continue;
        const bool here = op->flags & GCN_GWS || !strcmp(op->name, "exp") || !strcmp(op->name, "ds_ordered_count") ||
                          !strncmp(op->name, "v_interp_", 9) || strstr(op->name, "_intersect_ray");
        if (!here || met[id]) continue;
        missing++;
        fprintf(stderr, "# no model: %s\n", op->name);
    }
    is_int(missing, 0, "%s: exports, interpolation, rays and the wave sync have models", gcn_chips[chip].isa.name);
    memset(met, 0, sizeof met);
}

int main(void)
{
    static const enum gcn_chip_number chips[] = {GCN_CHIP_gfx10, GCN_CHIP_gfx1013_64, GCN_CHIP_gfx10_3};
    struct gpudbg_error err = {0};
    r.g = session_open(command_families, builtin_plugins, &err);
    if (!ok(r.g != NULL, "a session")) return tap_done();
    for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++) {
        chip = chips[i];
        test_export(0, "mrt0");
        test_export(8, "mrtz");
        test_export(12, "pos0");
        test_export(16, "pos4");
        test_export(20, "prim");
        test_export(37, "param5");
        for (unsigned kind = 0; kind < 6; kind++) test_interpolation(kind);
        for (unsigned kind = 8; kind < 11; kind++) test_interpolation(kind);
        test_sync();
        test_ordered_count();
        for (unsigned k = 0; k < 4 && chip != GCN_CHIP_gfx10; k++) test_ray(k & 1, k & 2);
        for (unsigned k = 0; k < 8 && chip != GCN_CHIP_gfx10; k++) test_triangle(k / 2, k & 1);
        test_all_met();
    }
    session_close(r.g);
    return tap_done();
}
