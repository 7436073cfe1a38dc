/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pro.c: gfx7-pro, the later console's chip: execution against a model in whole numbers.  words.def has its
 * words.
 */
#include <inttypes.h>
#include "gpudbg.h"
#include "tap.h"
#include "wave.h"

/* ---- A model of halves: whole numbers of 2^-24, or of 2^-48 ---- */

__extension__ typedef __int128 int128;

/* The sum or product of two exact numbers n * 2^-48 as a half, to the nearest, ties to even. */
static uint32_t to_half(int128 n)
{
    const uint32_t sign = n < 0 ? 0x8000 : 0;
    int128 m = n < 0 ? -n : n;
    unsigned shift = 24; /* of denormals and the least normals: units of 2^-24 */
    while (m >> shift >= 2048) shift++;
    int128 q = m >> shift, rest = m - (q << shift), half = (int128)1 << (shift - 1);
    if (rest > half || (rest == half && q & 1)) q++;
    if (q == 2048) {
        q = 1024;
        shift++;
    }
    if (q < 1024) return sign | (uint32_t)q;
    const uint32_t exponent = shift - 24 + 1;
    return exponent > 30 ? sign | 0x7c00 : sign | exponent << 10 | ((uint32_t)q & 0x3ff);
}

/* In units of 2^-24; the half is finite. */
static int64_t units(uint32_t half)
{
    const uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3ff;
    const int64_t m = exponent ? (int64_t)(mantissa | 0x400) << (exponent - 1) : mantissa;
    return half & 0x8000 ? -m : m;
}

static bool finite(uint32_t half) { return (half & 0x7c00) != 0x7c00; }

/* Smaller: -0 is below 0. */
static bool below(uint32_t a, uint32_t b) { return units(a) != units(b) ? units(a) < units(b) : a > b; }

static uint32_t lesser(uint32_t a, uint32_t b) { return below(b, a) ? b : a; }
static uint32_t greater(uint32_t a, uint32_t b) { return below(a, b) ? b : a; }

/* ---- The rows of pro_model.def ---- */

/* The sign of a 0 is another test's. */
#define OPEN_SIGN 0xffffu

/* An operation on 16 bits; s: its sources; those of floats are finite.  false: not of this table. */
static bool model16(const char *name, const uint32_t s[3], bool clamp, uint32_t *r)
{
    const int32_t a = (int16_t)s[0], b = (int16_t)s[1], c = (int16_t)s[2];
#define A s[0]
#define B s[1]
#define C s[2]
#define U(x) ((int128)units(x) * (1 << 24))
#define MODEL32(row, value)
#define MODEL16(row, value)                                                                             \
    if (!strcmp(name, #row)) {                                                                          \
        const int64_t whole = (value), most = strstr(#row, "i16") ? 32767 : 0xffff;                     \
        const int64_t least = strstr(#row, "i16") ? -32768 : 0;                                         \
        *r = (uint32_t)(!clamp ? whole : whole < least ? least : whole > most ? most : whole) & 0xffff; \
        return true;                                                                                    \
    }
#define MODELF(row, value, zero)                                                        \
    if (!strcmp(name, #row)) {                                                          \
        *r = (value);                                                                   \
        if (!(*r & 0x7fff)) *r = (zero);                                                \
        if (clamp && *r != OPEN_SIGN) *r = *r & 0x8000 ? 0 : *r > 0x3c00 ? 0x3c00 : *r; \
        return true;                                                                    \
    }
#include "pro_model.def"
#undef MODEL32
#undef MODEL16
#undef MODELF
    return false;
}

static bool model32(const char *name, const uint32_t s[3], uint32_t *r)
{
#define MODEL16(row, value)
#define MODELF(row, value, zero)
#define MODEL32(row, value)    \
    if (!strcmp(name, #row)) { \
        *r = (value);          \
        return true;           \
    }
#include "pro_model.def"
#undef MODEL32
#undef MODEL16
#undef MODELF
#undef A
#undef B
#undef C
    return false;
}

static uint64_t state = 7;
static uint32_t any(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 32);
}

/* Halves of all sizes, the least and the greatest among them; infinities and NaNs are not. */
static uint32_t any_half(void)
{
    uint32_t h = any() & 0xffff;
    if (any() % 8 == 0) h &= 0x83ff;
    if (any() % 16 == 0) h &= 0x8000;
    return finite(h) ? h : h & 0xbfff;
}

static enum gpudbg_ran run(struct wave7 *t)
{
    t->image.isa = t->machine.isa = &gcn_chips[GCN_CHIP_gfx7_pro].isa;
    t->wave.pc = CODE_BASE;
    t->wave.state = GPUDBG_READY;
    return gcn_chips[GCN_CHIP_gfx7_pro].isa.run->run(&t->wave, 1, false);
}

/* The launch's code knows its instruction set from the machine: made again. */
static void open_pro(struct wave7 *t, const uint32_t *code, size_t dwords)
{
    struct gpudbg_error err = {0};
    wave7_open(t, code, dwords, 16);
    gcn_code_free(&t->machine);
    t->machine.isa = &gcn_chips[GCN_CHIP_gfx7_pro].isa;
    if (!gcn_code_new(&t->machine, &gcn_families, 16, 104, &err)) exit(1);
}

/* One row with random registers, halves and a mask of lanes; in words v0 = OP v1, v2, v3. */
static bool check_row(const struct gpudbg_op *op, uint32_t low, uint32_t high)
{
    const uint32_t code[3] = {low, high, 0xbf810000};
    const bool longer = high != 0,
               packed = strcmp(gcn_chips[GCN_CHIP_gfx7_pro].isa.rows[op->id].format->name, "VOP3P") == 0;
    const bool floats = strstr(op->name, "f16") != NULL;
    uint32_t before[64][4];
    struct wave7 t;
    bool good = true, known = true;
    open_pro(&t, code, 3);
    const uint64_t exec = any() | (uint64_t)any() << 32;
    gcn_set_pair(t.s, GCN_EXEC, exec);
    for (unsigned l = 0; l < 64; l++)
        for (unsigned r = 0; r < 4; r++)
            before[l][r] = wave7_row(&t, r)[l] = floats ? any_half() | any_half() << 16 : any();
    if (run(&t) != GPUDBG_RAN_LIMIT) {
        fprintf(stderr, "# %s: %s\n", op->name, t.machine.stop.message);
        good = false;
    }
    for (unsigned l = 0; l < 64 && good; l++) {
        const uint32_t *v = before[l], got = wave7_row(&t, 0)[l];
        uint32_t want = v[0], s[3];
        const bool clamp = low >> (packed ? 15 : 11) & 1 && longer;
        for (unsigned half = 0; half < 2 && exec >> l & 1; half++) {
            uint32_t r = 0;
            const unsigned select = packed   ? half ? (high >> 27 & 3) | (low >> 14 & 1) << 2 : low >> 11 & 7
                                    : longer ? low >> 12 & 7
                                             : 0;
            const unsigned sign = packed && half ? low >> 8 & 7 : longer ? high >> 29 : 0;
            const bool to_high = !packed && longer && low >> 15 & 1;
            if (model32(op->name, v + 1, &r)) {
                want = r;
                break;
            }
            if (!packed && half != to_high) continue;
            for (unsigned n = 0; n < 3; n++) {
                s[n] = v[n + 1] >> (select >> n & 1 ? 16 : 0) & 0xffff;
                if (floats && !packed && longer && low >> (8 + n) & 1) s[n] &= 0x7fff;
                if (floats && sign >> n & 1) s[n] ^= 0x8000;
            }
            known = model16(op->name, s, clamp, &r);
            if (r == OPEN_SIGN && floats) r = got >> (half ? 16 : 0) & 0x8000;
            want = half ? (want & 0xffff) | r << 16 : (want & 0xffff0000) | r;
        }
        good = known && got == want;
        if (!good)
            fprintf(stderr, "# %s %08x %08x lane %u: v0 %08x v1 %08x v2 %08x v3 %08x: %08x, not %08x\n", op->name, low,
                high, l, v[0], v[1], v[2], v[3], got, want);
    }
    wave7_close(&t);
    return good;
}

/* The words of a row's forms, with random modifiers where it has them.  high 0: a short form. */
static void words_of(const struct gpudbg_op *op, bool longer, uint32_t *low, uint32_t *high)
{
    const char *word = gcn_chips[GCN_CHIP_gfx7_pro].isa.rows[op->id].format->name;
    const bool vop3p = !strcmp(word, "VOP3P"), carry = strstr(op->name, "_co_") != NULL;
    const bool halves = strstr(op->name, "16") != NULL, floats = strstr(op->name, "f16") != NULL;
    *high = 257 | 258u << 9 | 259u << 18;
    if (!strcmp(word, "VOP2") && !longer) {
        *low = (uint32_t)gcn_chips[GCN_CHIP_gfx7_pro].isa.rows[op->id].code << 25 | 2u << 9 | 257;
        *high = 0;
        return;
    }
    if (vop3p) {
        *low = 0xcc000000 | (uint32_t)gcn_chips[GCN_CHIP_gfx7_pro].isa.rows[op->id].code << 16 | (any() & 0xf800);
        *high |= any() & 3u << 27;
        if (floats) *low |= any() & 0x700, *high |= any() & 7u << 29;
        return;
    }
    *low = !strcmp(word, "VOP2")
               ? 0xd0000000 | (256u + (unsigned)gcn_chips[GCN_CHIP_gfx7_pro].isa.rows[op->id].code) << 17
               : 0xd0010000 | (uint32_t)gcn_chips[GCN_CHIP_gfx7_pro].isa.rows[op->id].code << 17;
    if (carry) *low |= 10u << 8;
    if (halves) *low |= any() & 0xf800;
    if (floats) *low |= any() & 0x700, *high |= any() & 7u << 29;
}

static void check_rows(void)
{
    unsigned ran = 0, named = 0;
    for (unsigned id = 0; id < GCN_OPS; id++) {
        if (!(gcn_ops[id].flags & GCN_OPSEL) || !gpudbg_has_op(&gcn_chips[GCN_CHIP_gfx7_pro].isa, id)) continue;
        const struct gpudbg_op *op = &gcn_ops[id];
        const bool mix = strstr(op->name, "_mix") != NULL;
        for (unsigned longer = 0; longer < 2; longer++) {
            uint32_t low, high, zero[3] = {1, 1, 1}, r;
            const bool shorter = !strcmp(gcn_chips[GCN_CHIP_gfx7_pro].isa.rows[op->id].format->name, "VOP1") ||
                                 !strcmp(gcn_chips[GCN_CHIP_gfx7_pro].isa.rows[op->id].format->name, "VOP2");
            if (!longer && !shorter) continue;
            words_of(op, longer, &low, &high);
            if (!strcmp(gcn_chips[GCN_CHIP_gfx7_pro].isa.rows[op->id].format->name, "VOP1"))
                low = longer ? 0xd0000000 | (384u + (unsigned)gcn_chips[GCN_CHIP_gfx7_pro].isa.rows[op->id].code) << 17
                             : 0x7e000000 | (uint32_t)gcn_chips[GCN_CHIP_gfx7_pro].isa.rows[op->id].code << 9 | 257;
            if (mix) continue;
            if (strstr(op->source, "not") || !(model16(op->name, zero, false, &r) || model32(op->name, zero, &r))) {
                const uint32_t code[3] = {
                    longer ? low & ~0xff00u : low, longer ? 257 | 258u << 9 | 259u << 18 : 0xbf810000, 0xbf810000};
                struct wave7 t;
                char want[100];
                snprintf(want, sizeof want, "%s: not implemented", op->name);
                open_pro(&t, code, 3);
                is_int(run(&t), GPUDBG_RAN_FAULT, "%s stops", op->name);
                ok(strstr(t.machine.stop.message, want) != NULL, "%s stops with its name: %s", op->name,
                    t.machine.stop.message);
                wave7_close(&t);
                named++;
                continue;
            }
            bool good = true;
            for (unsigned turn = 0; turn < 40 && good; turn++) {
                words_of(op, longer, &low, &high);
                good = check_row(op, low, high);
            }
            ok(good, "%s, %s form", op->name, longer ? "long" : "short");
            ran++;
        }
    }
    ok(ran >= 40 && named >= 30, "%u forms ran, %u stopped by name", ran, named);
}

/* ---- What was run on the chip ---- */

/* Two runs that an author of an open emulator made on a console (shadPS4, pull request 4338). */
static void check_mix(void)
{
    static const struct {
        uint32_t low, high, want;
    } runs[] = {
        {0xcc200004, 256 | 257u << 9 | 258u << 18, 0x41200000},
        {0xcc200005 | 1u << 11, 259 | 259u << 9 | 258u << 18 | 3u << 27, 0x41d00000},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const uint32_t code[3] = {runs[i].low, runs[i].high, 0xbf810000};
        struct wave7 t;
        open_pro(&t, code, 3);
        const uint32_t v[4] = {0x40000000, 0x40400000, 0x40800000, 0x51803800}; /* 2, 3, 4, 44 : 0.5 */
        for (unsigned r = 0; r < 4; r++) wave7_row(&t, r)[7] = v[r];
        is_int(run(&t), GPUDBG_RAN_LIMIT, "v_mad_mix_f32 %zu runs", i);
        is_int(wave7_row(&t, runs[i].low & 255)[7], runs[i].want, "v_mad_mix_f32 %zu", i);
        wave7_close(&t);
    }
}

/* What is read and not run stops with what it is. */
static void check_stops(void)
{
    static const struct {
        uint32_t code[3];
        const char *want;
    } stops[] = {
        {{0x060206f9, 0x06051102, 0xbf810000}, "v_add_f32 with parts of dwords (SDWA): not implemented"},
        {{0x7e0202fa, 0xff00d802, 0xbf810000}, "v_mov_b32 with other lanes (DPP): not implemented"},
        {{0xd28d0800, 0x040a0300, 0xbf810000}, "v_lshl_add_u32 with clamp, omod or op_sel: not implemented"},
        {{0xd28d0000, 0x240a0300, 0xbf810000}, "v_lshl_add_u32 with signs: not implemented"},
        {{0xd2db1000, 0x040a0300, 0xbf810000}, "v_add3_u32 with op_sel: not implemented"},
        {{0xcc024001, 0x18020d02, 0xbf810000}, NULL},
        {{0xcc024001, 0x18018302, 0xbf810000},
            "v_pk_add_i16 with the high half of a negative constant: not implemented"},
        {{0xf0800f01, 0x00000100, 0xbf810000}, "image_sample: bit 0 is reserved in MIMG on gfx7-pro"},
    };
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        struct wave7 t;
        open_pro(&t, stops[i].code, 3);
        const enum gpudbg_ran ran = run(&t);
        is_int(ran, stops[i].want ? GPUDBG_RAN_FAULT : GPUDBG_RAN_LIMIT, "word %zu", i);
        if (stops[i].want)
            ok(strstr(t.machine.stop.message, stops[i].want) != NULL, "%s: %s", stops[i].want, t.machine.stop.message);
        wave7_close(&t);
    }
}

int main(void)
{
    check_rows();
    check_mix();
    check_stops();
    return tap_done();
}
