/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts.c: vector instructions of RDNA on parts of dwords (SDWA, op_sel), with sources of other lanes (DPP, DPP8,
 * v_permlane16_b32), with clamp, and with registers by number: random words against sentences of the manuals, written
 * another way here.  Arithmetic of whole registers is exec_vector's.
 */
#include <inttypes.h>
#include <math.h>
#include "tap.h"
#include "wave.h"

static uint64_t seed = 0x2545f4914f6cdd1du;

static uint32_t any(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 16);
}

#define LANES (gcn_chips[wave7_chip].isa.lanes)

/* v0 to v3 and EXEC with random values, or those of `values`; runs one instruction. */
static uint32_t before[8][64];
static uint64_t exec_before;

static bool run(struct wave7 *t, const uint32_t *code, size_t dwords, uint32_t m0)
{
    wave7_open(t, code, dwords, 8);
    exec_before = any() | (uint64_t)any() << 32;
    gcn_set_pair(t->s, GCN_EXEC, exec_before);
    if (LANES == 32) exec_before = (uint32_t)exec_before;
    for (unsigned r = 0; r < 8; r++)
        for (unsigned l = 0; l < 64; l++) wave7_row(t, r)[l] = before[r][l] = any();
    t->s[GCN_M0] = m0;
    t->s[6] = 0x76543210u ^ any();
    t->s[7] = any();
    return wave7_run(t, 1) == GPUDBG_RAN_LIMIT;
}

static bool on(unsigned lane) { return exec_before >> lane & 1; }

/* ---- DPP ---- */

/* The lane that lane l reads, by the sentence of each control; -1: none. */
static int source_lane(const char *control, unsigned n, unsigned l)
{
    const int row = (int)(l / 16 * 16), i = (int)(l % 16), by = (int)n;
    if (!strcmp(control, "row_shl")) return i + by > 15 ? -1 : row + i + by;
    if (!strcmp(control, "row_shr")) return i - by < 0 ? -1 : row + i - by;
    if (!strcmp(control, "row_ror")) return row + (i + 16 - by) % 16;
    if (!strcmp(control, "row_mirror")) return row + 15 - i;
    if (!strcmp(control, "row_half_mirror")) return row + i / 8 * 8 + 7 - i % 8;
    if (!strcmp(control, "row_share")) return row + by;
    if (!strcmp(control, "row_xmask")) return row + (i ^ by);
    return (int)(l / 4 * 4 + (n >> (2 * (l % 4)) & 3)); /* quad_perm */
}

static const struct {
    const char *name;
    unsigned base, least, most;
} controls[] = {{"quad_perm", 0, 0, 255}, {"row_shl", 0x100, 1, 15}, {"row_shr", 0x110, 1, 15},
    {"row_ror", 0x120, 1, 15}, {"row_mirror", 0x140, 0, 0}, {"row_half_mirror", 0x141, 0, 0},
    {"row_share", 0x150, 0, 15}, {"row_xmask", 0x160, 0, 15}};

/* v0 = v1 of other lanes + v2, u32. */
static void check_dpp(void)
{
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        bool good = true;
        for (unsigned turn = 0; turn < 64 && good; turn++) {
            const unsigned n = controls[i].least + any() % (controls[i].most - controls[i].least + 1);
            const unsigned rows = any() & 15, banks = any() & 15, zero = any() & 1, fi = any() & 1;
            const uint32_t code[] = {37u << 25 | 2u << 9 | 250,
                1 | (controls[i].base + n) << 8 | fi << 18 | zero << 19 | banks << 24 | rows << 28, 0xbf810000};
            struct wave7 t;
            good = run(&t, code, 3, 0);
            for (unsigned l = 0; l < LANES && good; l++) {
                const int from = source_lane(controls[i].name, n, l);
                const bool read = from >= 0 && (fi || on((unsigned)from));
                const bool written = on(l) && (rows >> l / 16 & 1) && (banks >> l % 16 / 4 & 1) && (read || zero);
                const uint32_t want = !written ? before[0][l] : (read ? before[1][from] : 0) + before[2][l];
                good = wave7_row(&t, 0)[l] == want;
            }
            wave7_close(&t);
        }
        ok(good, "%s: %s: the lane that is read, those that are written", gcn_chips[wave7_chip].isa.name,
            controls[i].name);
    }
}

static void check_dpp8(void)
{
    bool good = true;
    for (unsigned turn = 0; turn < 64 && good; turn++) {
        const bool fi = any() & 1;
        const uint32_t lanes = any() & 0xffffff;
        const uint32_t code[] = {37u << 25 | 2u << 9 | (fi ? 234 : 233), 1 | lanes << 8, 0xbf810000};
        struct wave7 t;
        good = run(&t, code, 3, 0);
        for (unsigned l = 0; l < LANES && good; l++) {
            const unsigned from = l / 8 * 8 + (lanes >> (3 * (l % 8)) & 7);
            const uint32_t read = fi || on(from) ? before[1][from] : 0;
            good = wave7_row(&t, 0)[l] == (on(l) ? read + before[2][l] : before[0][l]);
        }
        wave7_close(&t);
    }
    ok(good, "%s: dpp8: lanes of eight; 0 of those that do not run", gcn_chips[wave7_chip].isa.name);
}

/* A carry of a lane that is not written is not known: v_add_co_ci_u32_dpp. */
static void check_unknown_carry(void)
{
    const uint32_t code[] = {40u << 25 | 2u << 9 | 250, 1 | 0x101u << 8 | 15u << 24 | 15u << 28, 0xbf810000};
    struct wave7 t;
    ok(!run(&t, code, 3, 0) && strstr(t.machine.stop.message, "v_add_co_ci_u32: the mask's bit of a lane"),
        "a carry that no source describes stops");
    wave7_close(&t);
}

static void check_permlane(void)
{
    for (unsigned x = 0; x < 2; x++) {
        bool good = true;
        for (unsigned turn = 0; turn < 64 && good; turn++) {
            const unsigned fi = any() & 1, zero = any() & 1;
            const uint32_t code[] = {
                0xd7770000u + (x << 16) + (fi << 11) + (zero << 12), 257 | 6u << 9 | 7u << 18, 0xbf810000};
            struct wave7 t;
            good = run(&t, code, 3, 0);
            for (unsigned l = 0; l < LANES && good; l++) {
                const uint32_t lanes = t.s[l % 16 < 8 ? 6 : 7];
                const unsigned row = l / 16,
                               from = 16 * (x ? row % 2 ? row - 1 : row + 1 : row) + (lanes >> (4 * (l % 8)) & 15);
                const bool there = fi || on(from);
                const uint32_t want = on(l) && (there || zero) ? (there ? before[1][from] : 0) : before[0][l];
                good = wave7_row(&t, 0)[l] == want;
            }
            wave7_close(&t);
        }
        ok(good, "%s: v_permlane%s16_b32", gcn_chips[wave7_chip].isa.name, x ? "x" : "");
    }
}

/* ---- SDWA ---- */

static uint32_t part(uint32_t x, unsigned select, bool sext)
{
    const unsigned at = select < 4 ? 8 * select : 16 * (select - 4);
    if (select == 6) return x;
    if (select < 4) return sext ? (uint32_t)(int8_t)(x >> at) : (uint8_t)(x >> at);
    return sext ? (uint32_t)(int16_t)(x >> at) : (uint16_t)(x >> at);
}

/* v0 = part of v1 + part of v2 or s6, in a part. */
static void check_sdwa(void)
{
    bool good = true;
    for (unsigned turn = 0; turn < 512 && good; turn++) {
        const unsigned sel[3] = {any() % 7, any() % 7, any() % 7}, unused = any() % 3, sext = any() & 3,
                       scalar = any() & 1;
        const uint32_t code[] = {37u << 25 | (scalar ? 6u : 2u) << 9 | 249,
            1 | sel[2] << 8 | unused << 11 | sel[0] << 16 | (sext & 1) << 19 | sel[1] << 24 | (sext >> 1) << 27 |
                scalar << 31,
            0xbf810000};
        struct wave7 t;
        good = run(&t, code, 3, 0);
        for (unsigned l = 0; l < LANES && good; l++) {
            const uint32_t b = scalar ? t.s[6] : before[2][l];
            const uint32_t sum = part(before[1][l], sel[0], sext & 1) + part(b, sel[1], sext >> 1);
            uint8_t bytes[4];
            const unsigned n = sel[2] == 6  ? 4
                               : sel[2] < 4 ? 1
                                            : 2,
                           at = sel[2] == 6  ? 0
                                : sel[2] < 4 ? sel[2]
                                             : 2 * (sel[2] - 4);
            memcpy(bytes, &before[0][l], 4);
            if (on(l)) {
                const uint8_t fill = unused == 1 && sum >> (8 * n - 1) & 1 ? 255 : 0;
                for (unsigned i = 0; i < 4; i++) {
                    if (i >= at && i < at + n)
                        bytes[i] = (uint8_t)(sum >> (8 * (i - at)));
                    else if (unused != 2)
                        bytes[i] = i < at ? 0 : fill;
                }
            }
            good = !memcmp(bytes, &wave7_row(&t, 0)[l], 4);
        }
        wave7_close(&t);
    }
    ok(good, "%s: SDWA: parts of sources and of the result", gcn_chips[wave7_chip].isa.name);

    for (unsigned turn = 0; turn < 128 && good; turn++) { /* s[4:5] or VCC = part of v1 < part of v2, signed */
        const unsigned sel[2] = {any() % 7, any() % 7}, sd = any() & 1;
        const uint32_t code[] = {0x7c000000u | 129u << 17 | 2u << 9 | 249,
            1 | sd << 15 | 4u << 8 | sel[0] << 16 | 1u << 19 | sel[1] << 24 | 1u << 27, 0xbf810000};
        struct wave7 t;
        good = run(&t, code, 3, 0);
        const uint64_t mask = gcn_pair(t.s, sd ? 4 : GCN_VCC) & (LANES == 32 ? UINT32_MAX : UINT64_MAX);
        for (unsigned l = 0; l < LANES && good; l++)
            good = (mask >> l & 1) ==
                   (on(l) && (int32_t)part(before[1][l], sel[0], true) < (int32_t)part(before[2][l], sel[1], true));
        wave7_close(&t);
    }
    ok(good, "%s: SDWA: a comparison, to VCC or SGPRs", gcn_chips[wave7_chip].isa.name);
}

/* ---- op_sel, clamp ---- */

static int64_t limited(int64_t x, int64_t least, int64_t most) { return x < least ? least : x > most ? most : x; }

/* A row of whole numbers in VOP3 with clamp and, of halves, op_sel. */
static void check_clamp(
    const char *name, uint32_t number, bool halves, bool is_signed, int64_t (*exact)(const int64_t *))
{
    bool good = true;
    for (unsigned turn = 0; turn < 64 && good; turn++) {
        const unsigned select = halves ? any() & 15 : 0;
        const bool clamp = any() & 1;
        const uint32_t code[] = {0xd4000000u | number << 16 | select << 11 | (uint32_t)clamp << 15,
            257 | 258u << 9 | 259u << 18, 0xbf810000};
        struct wave7 t;
        good = run(&t, code, 3, 0);
        for (unsigned l = 0; l < LANES && good; l++) {
            int64_t s[3];
            for (unsigned i = 0; i < 3; i++) {
                const uint32_t v = before[i + 1][l], h = v >> (select >> i & 1 ? 16 : 0) & 0xffff;
                s[i] = halves ? (is_signed ? (int16_t)h : (int64_t)h) : is_signed ? (int32_t)v : (int64_t)v;
            }
            int64_t r = exact(s);
            const int bits = halves ? 16 : 32;
            if (clamp)
                r = is_signed ? limited(r, -((int64_t)1 << (bits - 1)), ((int64_t)1 << (bits - 1)) - 1)
                              : limited(r, 0, ((int64_t)1 << bits) - 1);
            uint32_t want = (uint32_t)r;
            if (halves)
                want = select & 8 ? (before[0][l] & 0xffff) | want << 16
                                  : (before[0][l] & 0xffff0000) | (want & 0xffff);
            good = wave7_row(&t, 0)[l] == (on(l) ? want : before[0][l]);
        }
        wave7_close(&t);
    }
    ok(good, "%s: %s: clamp%s", gcn_chips[wave7_chip].isa.name, name, halves ? " and op_sel" : "");
}

static int64_t plus(const int64_t *s) { return s[0] + s[1]; }
static int64_t minus(const int64_t *s) { return s[0] - s[1]; }
static int64_t times_plus(const int64_t *s) { return s[0] * s[1] + s[2]; }

/* v_fma_mix_f32 with sources of which each is a float or a half: a sum of small whole numbers is exact. */
static void check_mixed(void)
{
    bool good = true;
    for (unsigned turn = 0; turn < 128 && good; turn++) {
        const unsigned op = any() % 3, select = any() & 7, half = any() & 7, neg = any() & 7, abs = any() & 7;
        const uint32_t code[] = {0xcc200000u | op << 16 | abs << 8 | select << 11 | (half >> 2) << 14,
            257 | 258u << 9 | 259u << 18 | (half & 3) << 27 | neg << 29, 0xbf810000};
        struct wave7 t;
        int value[3][64][2];
        wave7_open(&t, code, 3, 8);
        for (unsigned l = 0; l < 64; l++) {
            for (unsigned r = 0; r < 3; r++) {
                uint32_t bits = 0;
                for (unsigned h = 0; h < 2; h++) {
                    value[r][l][h] = (int)(any() % 31) - 15;
                    /* A half is a float of eleven bits. */
                    const float f = (float)value[r][l][h];
                    uint32_t b;
                    memcpy(&b, &f, 4);
                    const uint32_t h16 = f == 0
                                             ? 0
                                             : (b >> 16 & 0x8000) | ((b >> 23 & 255) - 112) << 10 | (b >> 13 & 0x3ff);
                    if (half >> r & 1)
                        bits |= h16 << (16 * h);
                    else
                        bits = b;
                }
                wave7_row(&t, r + 1)[l] = bits;
            }
            wave7_row(&t, 0)[l] = before[0][l] = any();
        }
        good = wave7_run(&t, 1) == GPUDBG_RAN_LIMIT;
        for (unsigned l = 0; l < LANES && good; l++) {
            int s[3];
            for (unsigned r = 0; r < 3; r++) {
                s[r] = value[r][l][half >> r & 1 ? select >> r & 1 : 1];
                if (abs >> r & 1) s[r] = s[r] < 0 ? -s[r] : s[r];
                if (neg >> r & 1) s[r] = -s[r];
            }
            const int want = s[0] * s[1] + s[2];
            const uint32_t d = wave7_row(&t, 0)[l], h16 = op == 1 ? d & 0xffff : d >> 16;
            const uint32_t kept = op == 1 ? 0xffff0000 : op == 2 ? 0xffff : 0;
            float f;
            memcpy(&f, &d, 4);
            const float of_half = (h16 & 0x8000 ? -1.0f : 1.0f) *
                                  (h16 & 0x7fff ? ldexpf((float)((h16 & 0x3ff) | 0x400), (int)(h16 >> 10 & 31) - 25)
                                                : 0);
            good = (op == 0 ? f : of_half) == (float)want && (d & kept) == (before[0][l] & kept);
        }
        wave7_close(&t);
    }
    ok(good, "v_fma_mix: each source a float or a half, with signs; the half that is written");
}

/* v_dot2_f32_f16: known where the order of its sums makes no difference. */
static void check_dot(void)
{
    const uint32_t code[] = {0xcc134000u, 257 | 258u << 9 | 259u << 18 | 3u << 27, 0xbf810000};
    struct wave7 t;
    wave7_open(&t, code, 3, 8);
    for (unsigned l = 0; l < 64; l++) {
        wave7_row(&t, 1)[l] = 0x44003c00; /* 4, 1 */
        wave7_row(&t, 2)[l] = 0x42004500; /* 3, 5 */
        wave7_row(&t, 3)[l] = 0x40e00000; /* 7 */
    }
    ok(wave7_run(&t, 1) == GPUDBG_RAN_LIMIT && wave7_row(&t, 0)[3] == 0x41c00000, "4 * 3 + 1 * 5 + 7 = 24");
    wave7_row(&t, 1)[5] = 0x3c007800; /* 1, 32768 */
    wave7_row(&t, 2)[5] = 0x3c007800; /* 1, 32768 */
    wave7_row(&t, 3)[5] = 0xce800000; /* - 2^30 */
    wave7_row(&t, 1)[6] = 0x14007800; /* 2^-10, 32768 */
    wave7_row(&t, 2)[6] = 0x14007800;
    wave7_row(&t, 3)[6] = 0xce800000;
    ok(wave7_run(&t, 1) == GPUDBG_RAN_FAULT && strstr(t.machine.stop.message, "v_dot2_f32_f16: the result"),
        "... and where the order matters it stops");
    wave7_close(&t);
}

/* ---- Registers by number ---- */

static void check_by_number(void)
{
    static const struct {
        const char *name;
        uint32_t op;
        bool swaps;
    } rows[] = {{"v_swap_b32", 101, true}, {"v_swaprel_b32", 104, true}, {"v_movrelsd_2_b32", 72, false}};
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t code[] = {0x7e000000u | 1u << 17 | rows[i].op << 9 | 258, 0xbf810000};
        const uint32_t m0 = 3u << 16 | 4;
        const unsigned d = i ? 4 : 1, a = i ? 6 : 2;
        struct wave7 t;
        bool good = run(&t, code, 2, m0);
        for (unsigned l = 0; l < LANES && good; l++)
            good = wave7_row(&t, d)[l] == before[on(l) ? a : d][l] &&
                   wave7_row(&t, a)[l] == before[on(l) && rows[i].swaps ? d : a][l];
        wave7_close(&t);
        ok(good, "%s", rows[i].name);
    }
}

int main(void)
{
    static const enum gcn_chip_number chips[] = {GCN_CHIP_gfx10, GCN_CHIP_gfx10_3_64};
    for (unsigned i = 0; i < 2; i++) {
        wave7_chip = chips[i];
        check_dpp();
        check_dpp8();
        check_permlane();
        check_sdwa();
        check_clamp("v_add_nc_u32", 256 + 37, false, false, plus);
        check_clamp("v_sub_nc_u32", 256 + 38, false, false, minus);
        check_clamp("v_add_nc_i32", 512 + 383, false, true, plus);
        check_clamp("v_sub_nc_i32", 512 + 374, false, true, minus);
        check_clamp("v_add_nc_u16", 512 + 259, true, false, plus);
        check_clamp("v_sub_nc_u16", 512 + 260, true, false, minus);
        check_clamp("v_add_nc_i16", 512 + 269, true, true, plus);
        check_clamp("v_sub_nc_i16", 512 + 270, true, true, minus);
        check_clamp("v_mad_u16", 512 + 320, true, false, times_plus);
        check_clamp("v_mad_i16", 512 + 350, true, true, times_plus);
    }
    check_unknown_carry();
    check_mixed();
    check_dot();
    check_by_number();
    return tap_done();
}
