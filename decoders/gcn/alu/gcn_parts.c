/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_parts.c: vector instructions on parts of dwords, or with sources of other lanes.
 *
 * The sources are copied, a row each; DPP takes them from other lanes, SDWA and op_sel parts of them; the row function
 * computes whole rows; the results go to the part and the lanes that the instruction writes.
 *
 * Sources for RDNA: LLVM 19 (which modifiers an instruction has; GCNSubtarget::zeroesHigh16BitsOfDest: no operation
 * changes the half that it does not write; getInlineEncodingV216: what constants are in halves), Mesa's ACO (DPP8 reads
 * 0 of lanes that do not run).
 */
#include "alu/gcn_parts.h"
#include "alu/gcn_lanes_simd.h"
#include "code/gcn_decoder.h"
#include "engine/gcn_predecode.h"
#include "gpudbg/lanes.h"

typedef uint32_t row_t[64];

/* What follows the instruction's word. */
enum follows { NOTHING, AN_SDWA, A_DPP, A_DPP8, A_DPP8_FI };

/* ---- Sources ---- */

static unsigned code_of(const struct gcn_op *op, unsigned n) { return n == 0 ? op->a : n == 1 ? op->b : op->c; }

static bool selects(const struct gcn_op *op, unsigned first, unsigned n) { return op->mods >> (first + n) & 1; }

/* A whole source.  half: constants are halves. */
static void fetch(const struct gpudbg_wave *w, const struct gcn_op *op, unsigned n, bool half, uint32_t *row)
{
    const unsigned code = code_of(op, n);
    uint64_t value;
    if (code >= GCN_CODE_VGPR) {
        memcpy(row, gcn_v(w, code - GCN_CODE_VGPR), sizeof(row_t));
        return;
    }
    uint32_t dword = code == GCN_CODE_LITERAL ? op->imm : gcn_s(w)[code];
    if (half && code == GCN_CODE_INV_2PI) dword = (uint32_t)gcn_inv_2pi(GCN_F16);
    if (half && code >= GCN_CODE_FLOAT && gcn_inline(code, GCN_F16, &value)) dword = (uint32_t)value;
    for (unsigned l = 0; l < 64; l++) row[l] = dword;
}

static void high_halves(uint32_t *row)
{
    for (unsigned l = 0; l < 64; l++) row[l] >>= 16;
}

static void change_sign(uint32_t *row, bool abs, bool neg, uint32_t sign)
{
    for (unsigned l = 0; l < 64; l++) row[l] = (row[l] & ~(abs ? sign : 0)) ^ (neg ? sign : 0);
}

/* The lane that DPP reads for a lane; 64: there is none in the row of 16. */
static unsigned lane_of_dpp(unsigned control, unsigned lane)
{
    const unsigned row = lane & ~15u, i = lane & 15, n = control & 15;
    if (control < 0x100) return (lane & ~3u) | (control >> (2 * (lane & 3)) & 3);
    switch (control >> 4) {
    case 0x10: return i + n < 16 ? lane + n : 64;
    case 0x11: return i >= n ? lane - n : 64;
    case 0x12: return row | ((i - n) & 15);
    case 0x14: return row | (n ? i ^ 7 : 15 - i);
    case 0x15: return row | n;
    case 0x16: return row | (i ^ n);
    }
    return 64;
}

static bool knows_control(unsigned control)
{
    const unsigned kind = control >> 4, n = control & 15;
    return control < 0x100 || (kind >= 0x10 && kind <= 0x12 && n) || (kind == 0x14 && n < 2) || kind == 0x15 ||
           kind == 0x16;
}

/* Takes a row from other lanes; returns the lanes that are written. */
static uint64_t move_lanes(uint32_t *row, uint32_t word, uint64_t exec)
{
    const bool fi = GET(word, DPP_NEWER, fi), zero = GET(word, DPP_NEWER, bound_ctrl);
    row_t from;
    uint64_t written = 0;
    memcpy(from, row, sizeof from);
    for (unsigned l = 0; l < 64; l++) {
        const unsigned lane = lane_of_dpp(GET(word, DPP_NEWER, dpp_ctrl), l);
        const bool there = lane < 64 && (fi || exec >> lane & 1);
        row[l] = there ? from[lane] : 0;
        if ((there || zero) && GET(word, DPP_NEWER, row_mask) >> (l / 16) & 1 &&
            GET(word, DPP_NEWER, bank_mask) >> (l / 4 % 4) & 1)
            written |= (uint64_t)1 << l;
    }
    return written;
}

static void move_in_eights(uint32_t *row, uint32_t word, uint64_t exec, bool fi)
{
    row_t from;
    memcpy(from, row, sizeof from);
    for (unsigned l = 0; l < 64; l++) {
        const unsigned lane = (l & ~7u) | (word >> (LO_OF(DPP8, lane0) + 3 * (l & 7)) & 7);
        row[l] = fi || exec >> lane & 1 ? from[lane] : 0;
    }
}

/* ---- Parts: SDWA ---- */

enum { BYTE_0 = 0, WORD_0 = 4, WORD_1, DWORD };

static unsigned part_at(unsigned select) { return select < WORD_0 ? 8 * select : select == WORD_1 ? 16 : 0; }

static unsigned part_bits(unsigned select) { return select < WORD_0 ? 8 : select < DWORD ? 16 : 32; }

static void take_part(uint32_t *row, unsigned select, bool sext)
{
    const unsigned up = 32 - part_at(select) - part_bits(select), down = 32 - part_bits(select);
    for (unsigned l = 0; l < 64; l++)
        row[l] = sext ? (uint32_t)((int32_t)(row[l] << up) >> down) : row[l] << up >> down;
}

/* A result in its part; what the other bits become. */
static uint32_t put_part(uint32_t result, uint32_t old, unsigned select, unsigned unused)
{
    enum { PAD, SEXT, PRESERVE };
    const unsigned at = part_at(select), bits = part_bits(select);
    const uint32_t mask = (uint32_t)ONES(bits) << at, part = result << at & mask;
    const uint32_t above = at + bits < 32 ? UINT32_MAX << (at + bits) : 0;
    if (select == DWORD || unused == PAD) return part;
    if (unused == PRESERVE) return part | (old & ~mask);
    return part | (part >> (at + bits - 1) & 1 ? above : 0);
}

/* ---- Computing ---- */

struct work {
    row_t source[3], high[3], result, result_high, in, out;
    uint64_t unknown;
};

static void compute(struct work *k, const struct gcn_op *op, uint32_t mode, row_t *source, uint32_t *result)
{
    struct gcn_lanes x = {.a = source[0],
        .b = source[1],
        .c = source[2],
        .in = k->in,
        .d = result,
        .out = k->out,
        .mode = mode,
        .clamp = op->mods & GCN_CLAMP};
    gcn_run_row(op, &x);
    k->unknown |= x.unknown;
}

static void unpack(uint64_t mask, uint32_t *row)
{
    for (unsigned l = 0; l < 64; l++) row[l] = mask >> l & 1 ? UINT32_MAX : 0;
}

static uint64_t pack(const uint32_t *row)
{
    uint64_t mask = 0;
    for (unsigned l = 0; l < 64; l++) mask |= (uint64_t)(row[l] & 1) << l;
    return mask;
}

static bool is_half(const struct gcn_op *op, unsigned n) { return GCN_KIND(op->mods, n) == GCN_KIND_F16; }

/* The first lane of the mask cannot be computed. */
static const struct gcn_op *not_known(struct gpudbg_wave *w, const struct gcn_op *op, uint64_t lanes, const char *why)
{
    const struct gpudbg_op *row = gcn_row(w, op);
    return GCN_FAULT(w, op, (int)gcn_first_lane(lanes), "%s: %s", row ? row->name : "instruction", why);
}

#define HOW_SUMS "the result of these sources is not known: no source says how its sums are rounded"

/* Sources as the row function reads them; returns the lanes that are written. */
static uint64_t prepare(struct gpudbg_wave *w, const struct gcn_op *op, enum follows follows, row_t *source)
{
    const uint64_t exec = gcn_active(w);
    uint64_t written = exec;
    for (unsigned n = 0; n < 3; n++) {
        fetch(w, op, n, is_half(op, n), source[n]);
        if (n == 0 && follows == A_DPP) written &= move_lanes(source[0], op->imm, exec);
        if (n == 0 && follows >= A_DPP8) move_in_eights(source[0], op->imm, exec, follows == A_DPP8_FI);
        if (n == 0 && follows == AN_SDWA)
            take_part(source[0], GET(op->imm, SDWA, src0_sel), GET(op->imm, SDWA, src0_sext));
        if (n == 1 && follows == AN_SDWA)
            take_part(source[1], GET(op->imm, SDWA, src1_sel), GET(op->imm, SDWA, src1_sext));
    }
    return written;
}

static void change_signs(const struct gcn_op *op, row_t *source)
{
    for (unsigned n = 0; n < 3; n++)
        if (gcn_kind_float(GCN_KIND(op->mods, n)))
            change_sign(source[n], GCN_ABSS(op->mods) >> n & 1, GCN_NEGS(op->mods) >> n & 1,
                is_half(op, n) ? 0x8000 : LANES_SIGN32);
}

/* Masks that the instruction writes.  false: some lane's bit is not known. */
static bool write_masks(
    struct gpudbg_wave *w, const struct gcn_op *op, const struct work *k, uint64_t exec, uint64_t written)
{
    uint32_t *s = gcn_s(w);
    const bool compares = op->d < GCN_CODE_VGPR;
    const uint64_t mask = pack(k->out) & exec;
    if (!compares && !(op->mods & GCN_OUT)) return true;
    if (exec & ~written) {
        not_known(w, op, exec & ~written, "the mask's bit of a lane that DPP does not write is not known");
        return false;
    }
    gcn_set_mask(s, compares ? op->d : GCN_SDST(op->mods), mask);
    if (compares && op->mods & GCN_CMPX) gcn_set_mask(s, GCN_EXEC, mask);
    return true;
}

/* Rows on whole dwords or on one half of each. */
static inline const struct gcn_op *one(
    struct gpudbg_wave *w, const struct gcn_op *op, enum follows follows, bool halves, bool half_result)
{
    struct work k = {.unknown = 0};
    uint32_t *s = gcn_s(w);
    const uint64_t exec = gcn_active(w), written = prepare(w, op, follows, k.source);
    for (unsigned n = 0; n < 3 && halves; n++)
        if (selects(op, GCN_SELECTS, n)) high_halves(k.source[n]);
    change_signs(op, k.source);
    if (op->mods & GCN_IN) unpack(gcn_pair(s, gcn_wide(GCN_KIND(op->mods, 2) ? GCN_VCC : op->c)), k.in);
    compute(&k, op, s[GCN_MODE], k.source, k.result);
    if (k.unknown & written) return not_known(w, op, k.unknown & written, HOW_SUMS);
    if (!write_masks(w, op, &k, exec, written)) return NULL;
    if (op->d < GCN_CODE_VGPR) return gcn_next(op);
    uint32_t *d = gcn_v(w, op->d - GCN_CODE_VGPR);
    const unsigned high = half_result && selects(op, GCN_SELECTS, 3) ? 16 : 0;
    for (unsigned l = 0; l < 64; l++) {
        uint32_t value = k.result[l];
        if (!(written >> l & 1)) continue;
        if (follows == AN_SDWA)
            value = put_part(half_result ? value & 0xffff : value, d[l], GET(op->imm, SDWA, dst_sel),
                GET(op->imm, SDWA, dst_unused));
        else if (half_result)
            value = (value & 0xffff) << high | (d[l] & (high ? 0xffff : 0xffff0000));
        d[l] = value;
    }
    return gcn_next(op);
}

/* clang-format off */
#define HANDLER(name, ...) \
    static const struct gcn_op *name(struct gpudbg_wave *w, const struct gcn_op *op) { return one(w, op, __VA_ARGS__); }
/* clang-format on */
HANDLER(dword_sdwa, AN_SDWA, false, false)
HANDLER(dword_dpp, A_DPP, false, false)
HANDLER(dword_dpp8, A_DPP8, false, false)
HANDLER(dword_dpp8_fi, A_DPP8_FI, false, false)
HANDLER(dword, NOTHING, true, false)
HANDLER(half, NOTHING, true, true)
HANDLER(half_sdwa, AN_SDWA, false, true)
HANDLER(half_dpp, A_DPP, false, true)
HANDLER(half_dpp8, A_DPP8, false, true)
HANDLER(half_dpp8_fi, A_DPP8_FI, false, true)

/* Rows on both halves: of each the sources that op_sel and op_sel_hi choose, with signs of its own. */
static const struct gcn_op *both(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct work k = {.unknown = 0};
    const uint64_t written = prepare(w, op, NOTHING, k.source);
    uint32_t *d = gcn_v(w, op->d - GCN_CODE_VGPR);
    for (unsigned n = 0; n < 3; n++) {
        memcpy(k.high[n], k.source[n], sizeof k.high[n]);
        if (selects(op, GCN_SELECTS, n)) high_halves(k.source[n]);
        if (selects(op, GCN_SELECTS_HIGH, n)) high_halves(k.high[n]);
        if (!is_half(op, n)) continue;
        change_sign(k.source[n], false, GCN_NEGS(op->mods) >> n & 1, 0x8000);
        change_sign(k.high[n], false, GCN_ABSS(op->mods) >> n & 1, 0x8000);
    }
    compute(&k, op, gcn_s(w)[GCN_MODE], k.source, k.result);
    compute(&k, op, gcn_s(w)[GCN_MODE], k.high, k.result_high);
    for (unsigned l = 0; l < 64; l++)
        if (written >> l & 1) d[l] = (k.result[l] & 0xffff) | k.result_high[l] << 16;
    return gcn_next(op);
}

/* Rows whose sources are floats or halves.  part: what of the result is written, as a half. */
static const struct gcn_op *mixed(struct gpudbg_wave *w, const struct gcn_op *op, enum gcn_halves part)
{
    struct work k = {.unknown = 0};
    const uint32_t mode = gcn_s(w)[GCN_MODE];
    const uint64_t written = gcn_active(w);
    uint32_t *d = gcn_v(w, op->d - GCN_CODE_VGPR);
    struct gcn_op unclamped = *op;
    if (part != GCN_MIXED) unclamped.mods &= ~GCN_CLAMP;
    for (unsigned n = 0; n < 3; n++) {
        const bool half = selects(op, GCN_SELECTS_HIGH, n);
        fetch(w, op, n, half, k.source[n]);
        for (unsigned l = 0; l < 64 && half; l++)
            k.source[n][l] = lanes_f32_from_f16(
                k.source[n][l] >> (selects(op, GCN_SELECTS, n) ? 16 : 0) & 0xffff, mode & GCN_DENORM_IN_F64);
    }
    change_signs(op, k.source);
    compute(&k, &unclamped, mode, k.source, k.result);
    for (unsigned l = 0; l < 64; l++)
        if (part != GCN_MIXED)
            k.result[l] = lanes_f16_from_f32(
                k.result[l], (enum lanes_round)GET(mode, MODE, round_f64), mode & GCN_DENORM_OUT_F64);
    if (part != GCN_MIXED && op->mods & GCN_CLAMP) gcn_clamp_halves(k.result, mode);
    for (unsigned l = 0; l < 64; l++)
        if (written >> l & 1)
            d[l] = part == GCN_MIXED       ? k.result[l]
                   : part == GCN_MIXED_LOW ? (d[l] & 0xffff0000) | (k.result[l] & 0xffff)
                                           : (d[l] & 0xffff) | k.result[l] << 16;
    return gcn_next(op);
}

static const struct gcn_op *mixed_whole(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return mixed(w, op, GCN_MIXED);
}

static const struct gcn_op *mixed_low(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return mixed(w, op, GCN_MIXED_LOW);
}

static const struct gcn_op *mixed_high(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return mixed(w, op, GCN_MIXED_HIGH);
}

/* ---- Predecoding ---- */

static enum follows follows_of(const struct gpudbg_insn *insn)
{
    if (insn->nparts < 2) return NOTHING;
    const struct gpudbg_format *format = insn->parts[1].format;
    if (strcmp(format->name, "SDWA") == 0) return AN_SDWA;
    if (strcmp(format->name, "DPP") == 0) return A_DPP;
    if (strcmp(format->name, "DPP8") != 0) return NOTHING;
    return GET(le_u32(insn->raw), VOP1, src0) == GCN_CODE_DPP8_FI ? A_DPP8_FI : A_DPP8;
}

bool gcn_lanes_word(const struct gpudbg_insn *insn, uint32_t *word)
{
    if (follows_of(insn) == NOTHING) return false;
    *word = le_u32(insn->raw + 4);
    return true;
}

bool gcn_sdwa_word(const struct gpudbg_insn *insn, uint32_t *word)
{
    return follows_of(insn) == AN_SDWA && gcn_lanes_word(insn, word);
}

gcn_fn *gcn_parts_fn(const struct gpudbg_insn *insn, const struct gcn_half_row *row)
{
    static gcn_fn *const shapes[] = {[GCN_BOTH_HALVES] = both,
        [GCN_MIXED] = mixed_whole,
        [GCN_MIXED_LOW] = mixed_low,
        [GCN_MIXED_HIGH] = mixed_high};
    static gcn_fn *const dwords[] = {NULL, dword_sdwa, dword_dpp, dword_dpp8, dword_dpp8_fi};
    static gcn_fn *const halves[] = {half, half_sdwa, half_dpp, half_dpp8, half_dpp8_fi};
    const enum follows follows = follows_of(insn);
    if (row && row->shape < GCN_DOTS && shapes[row->shape]) return shapes[row->shape];
    if (row && row->result <= GCN_HALF_WHOLE) return halves[follows];
    return row && follows == NOTHING ? dword : dwords[follows];
}

uint32_t gcn_parts_mods(const struct gpudbg_insn *insn, const struct gcn_half_row *row)
{
    const uint64_t w = is_long((int)insn->variant) ? word_of(insn) : 0;
    if (row && row->shape == GCN_BOTH_HALVES && insn->variant != GCN_VOP3P) return 7u << GCN_SELECTS_HIGH;
    if (!row || row->shape == GCN_DOTS || !w) return 0;
    if (insn->variant != GCN_VOP3P) return insn->op->flags & GCN_OPSEL ? GET(w, VOP3H, op_sel) << GCN_SELECTS : 0;
    const uint32_t signs = row->floats || row->shape >= GCN_MIXED ? GET(w, VOP3P, neg_lo) | GET(w, VOP3P, neg_hi) << 3
                                                                  : 0;
    return signs | GET(w, VOP3P, op_sel) << GCN_SELECTS | GET(w, VOP3P, op_sel_hi) << GCN_SELECTS_HIGH |
           GET(w, VOP3P, op_sel_hi2) << (GCN_SELECTS_HIGH + LEN_OF(VOP3P, op_sel_hi));
}

/* Whether a sign would change a part of a float, or a whole number. */
static bool odd_signs(const struct gpudbg_insn *insn, uint32_t word)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        const unsigned n = o->swizzle - GCN_IN_SRC0;
        if (n > 1 || !(o->mods & (GCN_NEG | GCN_ABS))) continue;
        const unsigned select = n ? GET(word, SDWA, src1_sel) : GET(word, SDWA, src0_sel);
        if (o->type == GCN_F16 ? part_bits(select) < 16 : select != DWORD) return true;
    }
    return false;
}

/* Chips before RDNA: cases that the open sources do not describe. */
static const char *refused_before(const struct gpudbg_insn *insn, const struct gcn_half_row *row, uint64_t w)
{
    const bool pairs = insn->variant == GCN_VOP3P;
    const bool whole_number = row->result == GCN_HALF_WHOLE;
    if (row->shape == GCN_ONE_HALF && GET(w, VOP3H, omod)) return " with omod";
    for (unsigned i = 0; i < insn->noperands && whole_number; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        const unsigned n = o->swizzle - GCN_IN_SRC0;
        const unsigned high = pairs ? GET(w, VOP3P, op_sel) | GET(w, VOP3P, op_sel_hi) |
                                          GET(w, VOP3P, op_sel_hi2) << LEN_OF(VOP3P, op_sel_hi)
                                    : GET(w, VOP3H, op_sel);
        if (n < 3 && o->kind == GPUDBG_INTEGER && o->imm < 0 && high >> n & 1)
            return " with the high half of a negative constant";
    }
    return NULL;
}

const char *gcn_parts_refuse(const struct gpudbg_insn *insn)
{
    const struct gcn_half_row *row = gcn_half_row(insn->op);
    const uint64_t w = is_long((int)insn->variant) ? word_of(insn) : 0;
    const bool newer = gcn_chip_of(insn->isa)->newer_vop3, pairs = insn->variant == GCN_VOP3P;
    const enum follows follows = follows_of(insn);
    const uint32_t word = follows ? le_u32(insn->raw + 4) : 0;
    if (follows && !newer) return follows == AN_SDWA ? " with parts of dwords (SDWA)" : " with other lanes (DPP)";
    if (follows == A_DPP && !knows_control(GET(word, DPP_NEWER, dpp_ctrl))) return " with a reserved dpp_ctrl";
    if (follows == AN_SDWA && odd_signs(insn, word)) return " with a sign of a part of a number";
    if (!w || !(insn->op->flags & GCN_OPSEL)) return NULL;
    if (GCN_EMULATED_DWORDS(insn->op->id) && !newer) return GET(w, VOP3H, op_sel) ? " with op_sel" : NULL;
    const bool signs = GET(w, VOP3H, neg) || GET(w, VOP3H, abs);
    const bool floats = row && (row->floats || row->shape == GCN_MIXED || row->shape == GCN_MIXED_LOW ||
                                   row->shape == GCN_MIXED_HIGH);
    if (!is_vop3b(insn->op) && !floats && signs) return " with signs";
    if (row && row->shape == GCN_DOTS && (signs || GET(w, VOP3P, op_sel) || GET(w, VOP3P, op_sel_hi) != 3))
        return " with other halves";
    if (!row && !is_vop3b(insn->op) &&
        (GET(w, VOP3H, op_sel) || (!newer && (GET(w, VOP3H, clamp) || GET(w, VOP3H, omod)))))
        return " with clamp, omod or op_sel";
    if (row && !pairs && row->result > GCN_HALF_WHOLE && GET(w, VOP3H, op_sel) >> 3)
        return " with op_sel of the whole result";
    return row && !newer ? refused_before(insn, row, w) : NULL;
}
