/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pro.c: gfx7-pro, the later console's chip: words against LLVM's text, execution against a model in whole numbers.
 *
 * The words are what llvm-mc 19 -mcpu=gfx1010 -mattr=+wavefrontsize64 writes for the text, with the fields of VOP3
 * moved to where this chip has them: the encoding 110100, the opcode's low nine bits at 17, its tenth at 16, clamp at
 * 11, op_sel at 12.  VOP1, VOP2, VOP3P, SDWA and DPP are as they come.
 */
#include <inttypes.h>
#include "gpudbg.h"
#include "tap.h"
#include "wave.h"

/* ---- Text ---- */

static const struct {
    const char *text;
    uint32_t word[2];
} golden[] = {
    {"v_add3_u32 v0, v1, v2, v3", {0xd2db0000, 0x040e0501}},
    {"v_lshl_add_u32 v5, s4, 3, v7", {0xd28d0005, 0x041d0604}},
    {"v_add_lshl_u32 v5, v6, v7, 2", {0xd28f0005, 0x020a0f06}},
    {"v_lshl_or_b32 v9, v8, v7, v6", {0xd2df0009, 0x041a0f08}},
    {"v_and_or_b32 v9, v8, v7, v6", {0xd2e30009, 0x041a0f08}},
    {"v_or3_b32 v9, v8, s7, v6", {0xd2e50009, 0x04180f08}},
    {"v_add_nc_u16 v1, v2, v3", {0xd2070001, 0x00020702}},
    {"v_add_nc_i16 v1, v2, v3 op_sel:[1,0,1] clamp", {0xd21b9801, 0x00020702}},
    {"v_lshlrev_b16 v1, v2, v3", {0xd2290001, 0x00020702}},
    {"v_lshrrev_b16 v1, v2, v3", {0xd20f0001, 0x00020702}},
    {"v_mad_i16 v1, v2, v3, v4 op_sel:[0,1,0,1]", {0xd2bda001, 0x04120702}},
    {"v_min3_f16 v1, -v2, |v3|, v4", {0xd2a30201, 0x24120702}},
    {"v_max3_f16 v1, v2, v3, v4 clamp", {0xd2a90801, 0x04120702}},
    {"v_med3_f16 v1, v2, 1.0, v4", {0xd2af0001, 0x0411e502}},
    {"v_sub_co_u32 v1, s[2:3], v4, v5", {0xd2210201, 0x00020b04}},
    {"v_pk_mul_lo_u16 v1, v2, v3", {0xcc014001, 0x18020702}},
    {"v_pk_add_i16 v1, v2, v3 op_sel:[1,0] op_sel_hi:[0,1] clamp", {0xcc02c801, 0x10020702}},
    {"v_pk_fma_f16 v1, v2, v3, v4 neg_lo:[1,0,0] neg_hi:[0,1,0]", {0xcc0e4201, 0x3c120702}},
    {"v_pk_add_f16 v1, v2, s3", {0xcc0f4001, 0x18000702}},
    {"v_pk_mad_u16 v1, v2, v3, v4", {0xcc094001, 0x1c120702}},
    {"v_pk_max_u16 v1, v2, 5 op_sel_hi:[1,0]", {0xcc0c4001, 0x08010b02}},
    {"v_perm_b32 v1, v2, v3, v4", {0xd2890001, 0x04120702}},
    {"v_pk_ashrrev_i16 v1, v2, v3", {0xcc064001, 0x18020702}},
    {"v_xad_u32 v1, v2, v3, v4", {0xd28b0001, 0x04120702}},
    {"v_lshlrev_b64 v[0:1], v2, v[4:5]", {0xd1ff0000, 0x00020902}},
    {"v_pack_b32_f16 v1, v2, v3", {0xd2230001, 0x00020702}},
    {"v_mad_u32_u16 v1, v2, v3, v4", {0xd2e70001, 0x04120702}},
    {"v_add_f16_e32 v1, v2, v3", {0x64020702}},
    {"v_mul_f16_e32 v1, 0.5, v3", {0x6a0206f0}},
    {"v_max_f16_e64 v1, |v2|, -v3 clamp", {0xd2720901, 0x40020702}},
    {"v_sqrt_f16_e32 v1, v2", {0x7e02ab02}},
    {"v_ldexp_f16_e32 v1, v2, v3", {0x76020702}},
    {"v_mov_b32_e32 v0, 0.15915494", {0x7e0002f8}},
    {"v_pk_add_f16 v0, 0, 0.15915494", {0xcc0f4000, 0x1801f080}},
    {"v_add_f32_sdwa v1, v2, v3 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:DWORD",
        {0x060206f9, 0x06051102}},
    {"v_mov_b32_sdwa v1, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3", {0x7e0202f9, 0x000b0602}},
    {"v_mov_b32_dpp v1, v2 quad_perm:[0,2,1,3] row_mask:0xf bank_mask:0xf", {0x7e0202fa, 0xff00d802}},
    {"v_cmp_lt_u32_sdwa s[4:5], v2, v3 src0_sel:BYTE_0 src1_sel:WORD_1", {0x7d8206f9, 0x05008402}},
    {"v_add_f32_sdwa v1, s2, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD",
        {0x060206f9, 0x06850602}},
};

/* The text of all but SDWA and DPP gives the word back. */
static void check_back(const char *text, const uint32_t word[2], size_t n)
{
    struct gpudbg_error err = {0};
    uint32_t back[GPUDBG_INSN_BYTES / 4] = {0};
    struct gpudbg_reading r = {.text = text, .at = text, .isa = &gfx7_pro_isa, .err = &err};
    if (strstr(text, "_sdwa") || strstr(text, "_dpp")) return;
    const int size = gcn_assemble(&r, (uint8_t *)back, sizeof back);
    ok(size == (int)n && !memcmp(back, word, n), "%s: assembled (%s)", text, err.message);
}

static void check_text(void)
{
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        const size_t n = golden[i].word[1] ? 8 : 4;
        struct gpudbg_insn insn;
        char text[300] = "";
        const int size = gcn_decode(&gfx7_pro_isa, (const uint8_t *)golden[i].word, n, 0, &insn);
        if (size > 0) gcn_text(&insn, 0, GPUDBG_READABLE, NULL, text, sizeof text);
        is_int((uint64_t)size, n, "%s: its size", golden[i].text);
        is_str(text, golden[i].text, "%s", golden[i].text);
        check_back(golden[i].text, golden[i].word, n);
        const bool base = gcn_decode(&gfx7_isa, (const uint8_t *)golden[i].word, n, 0, &insn) > 0;
        const bool marked = base && gcn_reserved_text(&insn, NULL, 0);
        const bool lanes = (golden[i].word[0] & 0x1ff) - 248u < 3; /* a source that gfx7 lacks */
        const bool longer = base && insn.variant == GCN_VOP3 && golden[i].word[0] >> 16 & 1;
        ok(!base || marked || lanes || longer, "gfx7 does not take it for code of its own");
    }
}

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
    t->image.isa = t->machine.isa = &gfx7_pro_isa;
    t->wave.pc = CODE_BASE;
    t->wave.state = GPUDBG_READY;
    return gfx7_pro_isa.run->run(&t->wave, 1, false);
}

/* The launch's code knows its instruction set from the machine: made again. */
static void open_pro(struct wave7 *t, const uint32_t *code, size_t dwords)
{
    struct gpudbg_error err = {0};
    wave7_open(t, code, dwords, 16);
    gcn_code_free(&t->machine);
    t->machine.isa = &gfx7_pro_isa;
    if (!gcn_code_new(&t->machine, 16, 104, &err)) exit(1);
}

/* One row with random registers, halves and a mask of lanes; in words v0 = OP v1, v2, v3. */
static bool check_row(const struct gpudbg_op *op, uint32_t low, uint32_t high)
{
    const uint32_t code[3] = {low, high, 0xbf810000};
    const bool longer = high != 0, packed = strcmp(gfx7_pro_isa.rows[op->id].format->name, "VOP3P") == 0;
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
    const char *word = gfx7_pro_isa.rows[op->id].format->name;
    const bool vop3p = !strcmp(word, "VOP3P"), carry = strstr(op->name, "_co_") != NULL;
    const bool halves = strstr(op->name, "16") != NULL, floats = strstr(op->name, "f16") != NULL;
    *high = 257 | 258u << 9 | 259u << 18;
    if (!strcmp(word, "VOP2") && !longer) {
        *low = (uint32_t)gfx7_pro_isa.rows[op->id].code << 25 | 2u << 9 | 257;
        *high = 0;
        return;
    }
    if (vop3p) {
        *low = 0xcc000000 | (uint32_t)gfx7_pro_isa.rows[op->id].code << 16 | (any() & 0xf800);
        *high |= any() & 3u << 27;
        if (floats) *low |= any() & 0x700, *high |= any() & 7u << 29;
        return;
    }
    *low = !strcmp(word, "VOP2") ? 0xd0000000 | (256u + (unsigned)gfx7_pro_isa.rows[op->id].code) << 17
                                 : 0xd0010000 | (uint32_t)gfx7_pro_isa.rows[op->id].code << 17;
    if (carry) *low |= 10u << 8;
    if (halves) *low |= any() & 0xf800;
    if (floats) *low |= any() & 0x700, *high |= any() & 7u << 29;
}

static void check_rows(void)
{
    unsigned ran = 0, named = 0;
    for (unsigned id = GCN_BASE_OPS; id < GCN_OPS; id++) {
        const struct gpudbg_op *op = &gcn_ops[id];
        const bool mix = strstr(op->name, "_mix") != NULL;
        for (unsigned longer = 0; longer < 2; longer++) {
            uint32_t low, high, zero[3] = {1, 1, 1}, r;
            const bool shorter = !strcmp(gfx7_pro_isa.rows[op->id].format->name, "VOP1") ||
                                 !strcmp(gfx7_pro_isa.rows[op->id].format->name, "VOP2");
            if (!longer && !shorter) continue;
            words_of(op, longer, &low, &high);
            if (!strcmp(gfx7_pro_isa.rows[op->id].format->name, "VOP1"))
                low = longer ? 0xd0000000 | (384u + (unsigned)gfx7_pro_isa.rows[op->id].code) << 17
                             : 0x7e000000 | (uint32_t)gfx7_pro_isa.rows[op->id].code << 9 | 257;
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
    check_text();
    check_rows();
    check_mix();
    check_stops();
    return tap_done();
}
