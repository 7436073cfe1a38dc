/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compact_index.c: the indices of a compacted word that its text has to name.  Rows of a table may differ only in bits
 * that mean nothing in an instruction; then words with different indices would have the same text.  Of such rows the
 * one that assemblers choose is not named; any other is named, so that each text is of one word only.  And the inverse:
 * the compacted word for a native one.
 */
#include "text/gen_assembly.h"

/* ---- Bits of the native word that mean nothing ---- */

#define RESERVED 1
#define UNUSED 1
#define NUMBER 0
#define SIGNED 0
#define FLAG 0
#define CODE 0
#define NAMED(id) 0
#define SAY(what) 0
#define SPLIT(layout, name, at, how, doc, ...)
#define END ,

#define MASK(range) ((UINT64_MAX >> (64 - GEN_LEN(range))) << (GEN_LO(range) & 63))
#define FORMAT(layout, word, at, bits, doc) [GEN_L_##layout] = 0
#define FIELD(layout, name, at, range, how, doc) | (how && GEN_LO(range) < 64 ? MASK(range) : 0)
static const uint64_t unused_low[GEN_LAYOUTS] = {
#include "code/fields.def"
};
#undef FIELD
#define FIELD(layout, name, at, range, how, doc) | (how && GEN_LO(range) >= 64 ? MASK(range) : 0)
static const uint64_t unused_high[GEN_LAYOUTS] = {
#include "code/fields.def"
};

static uint64_t bits(unsigned hi, unsigned lo) /* both in the same half */
{
    return (UINT64_MAX >> (63 - (hi - lo))) << (lo & 63);
}

static bool uses_flag(const struct gen_insn *i)
{
    return i->pred || (i->cmod && i->shape < GEN_JUMP) || gen_is_macro(i);
}

static void unused_e1(const struct gen_insn *i, uint64_t m[2])
{
    if (!i->pred) m[0] |= bits(20, 20);
    if (!uses_flag(i)) m[1] |= bits(90, 89);
    for (unsigned n = 0; n < 2; n++) {
        if (!gen_uses_file(i, n)) m[0] |= n ? bits(43, 42) : bits(38, 37);
        if (!gen_uses_type(i, n)) m[0] |= n ? bits(46, 44) : bits(41, 39);
    }
    /* either of them may say constant */
    if (GEN_IS(i->op, EITHER) && i->jip_is_imm) m[0] |= bits(38, 37) | bits(43, 42);
    if (GEN_IS(i->op, IMM64) && i->src[0].mode == GEN_IMMEDIATE) {
        m[0] |= bits(41, 39);
        m[1] &= ~UINT64_C(0xffffffff); /* its constant */
    }
}

static void unused_e2(const struct gen_insn *i, uint64_t m[2])
{
    bool imm0 = i->src[0].mode == GEN_IMMEDIATE, imm2 = i->src[2].mode == GEN_IMMEDIATE;
    if (!i->pred) m[0] |= bits(28, 28);
    if (!uses_flag(i)) m[0] |= bits(23, 22);
    if (imm0) m[0] |= bits(45, 44);
    if (i->shape == GEN_TERNARY) {
        if (imm0) m[0] |= bits(35, 35) | bits(43, 43);
        if (imm2) m[1] |= bits(85, 84);
        return;
    }
    if (i->nsrc < 2) {
        m[0] |= bits(47, 47);
        m[1] |= bits(91, 88);
    }
}

static void unused(const struct gpudbg_insn *insn, const struct gen_insn *i, uint64_t m[2])
{
    m[0] = m[1] = 0;
    for (unsigned n = 0; n < insn->nparts; n++) {
        const struct gpudbg_format *f = insn->parts[n].format;
        if (!insn->parts[n].derived || f < gen_layouts || f >= gen_layouts + GEN_LAYOUTS) continue;
        m[0] |= unused_low[f - gen_layouts];
        m[1] |= unused_high[f - gen_layouts];
    }
    (i->eu->e2 ? unused_e2 : unused_e1)(i, m);
}

static bool has_constant(const struct gen_insn *i)
{
    if (i->eu->e2) return i->shape != GEN_TERNARY && i->w[0] >> 46 & 3;
    return GET(i->w, e1_DST, src0_file) == 3 || GET(i->w, e1_DST, src1_file) == 3;
}

/* Bits of the native word that are a constant are not from a row. */
void gen_unused_bits(const struct gpudbg_insn *insn, const struct gen_insn *i, uint64_t m[2])
{
    unused(insn, i, m);
    if (has_constant(i)) m[1] |= bits(127, 96);
}

/* ---- Indices ---- */

struct index {
    const char *name;
    uint8_t table, lo, len;
    uint8_t shift; /* source 1 uses the rows of source 0, 32 bits higher */
};

static const struct index indices_e1[] = {{"control", GEN_T_c1_control, 8, 5, 0},
    {"datatype", GEN_T_c1_datatype, 13, 5, 0}, {"subreg", GEN_T_c1_subreg, 18, 5, 0}, {"src0", GEN_T_c1_src, 30, 5, 0},
    {"src1", GEN_T_c1_src, 35, 5, 32}, {0}};
static const struct index indices_e2[] = {{"control", GEN_T_c2_control, 24, 5, 0},
    {"datatype", GEN_T_c2_datatype, 30, 5, 0}, {"subreg", GEN_T_c2_subreg, 35, 5, 0}, {"src0", GEN_T_c2_src0, 48, 4, 0},
    {"src1", GEN_T_c2_src1, 52, 4, 0}, {0}};
static const struct index indices_e2_3[] = {{"control", GEN_T_c2_3control, 24, 5, 0},
    {"source", GEN_T_c2_3source, 30, 5, 0}, {"subreg", GEN_T_c2_3subreg, 35, 5, 0}, {0}};

static const struct index *indices_of(const struct gen_eu *eu, unsigned shape)
{
    return !eu->e2 ? indices_e1 : shape == GEN_TERNARY ? indices_e2_3 : indices_e2;
}

void gen_named_indices(const struct gpudbg_insn *insn, const struct gen_insn *i, int16_t index[5])
{
    uint64_t m[2], stored = le_u64(insn->raw);
    if (i->shape == GEN_NONE) return;
    gen_unused_bits(insn, i, m);
    bool imm = i->eu->e2 ? i->w[0] >> 46 & 3 : (i->w[0] >> 37 & 3) == 3 || (i->w[0] >> 42 & 3) == 3;
    if (!imm && !(i->w[0] & m[0]) && !(i->w[1] & m[1])) return; /* none of the meaningless bits is set */
    for (const struct index *x = indices_of(i->eu, i->shape); x->name; x++, index++) {
        unsigned row = (unsigned)(stored >> x->lo & ((1u << x->len) - 1));
        uint64_t own[2] = {m[0], m[1] >> x->shift};
        bool constant = imm && !strcmp(x->name, "src1"); /* these bits are the constant's */
        if (!constant && !gen_row_is_usual(x->table, row, own)) *index = (int16_t)row;
    }
}

char *gen_put_indices(char *p, const struct gpudbg_insn *insn, const struct gen_insn *i)
{
    int16_t index[5] = {-1, -1, -1, -1, -1};
    const struct index *x = indices_of(i->eu, i->shape);
    gen_named_indices(insn, i, index);
    for (unsigned n = 0; x[n].name; n++) {
        if (index[n] < 0) continue;
        p = put(PUT(p, ", "), x[n].name);
        p = gen_put_number(PUT(p, "=#"), index[n]);
    }
    return p;
}

/* ---- The compacted word ---- */

const char *gen_index_name(const struct gen_assembly *a, unsigned n) { return indices_of(a->eu, a->shape)[n].name; }

/* The fields of a compacted word that are not indices. */
static uint64_t stored_fields(const struct gen_insn *i, bool imm)
{
    const uint64_t *w = i->w, high = w[1] >> 32;
    uint64_t c = (w[0] & 0x7f) | UINT64_C(1) << 29 | (w[0] >> 30 & 1) << 7;
    if (!i->eu->e2) {
        c |= (w[0] >> 24 & 15) << 24 | (w[0] >> 28 & 1) << 23 | (w[0] >> 53 & 0xff) << 40 | (w[1] >> 5 & 0xff) << 48;
        return c | (imm ? (high & 0xff) << 56 | (high >> 8 & 31) << 35 : (w[1] >> 37 & 0xff) << 56);
    }
    c |= (w[0] >> 8 & 0xff) << 8 | w[0] >> 56 << 16 | (w[1] >> 8 & 0xff) << 40;
    if (i->shape == GEN_TERNARY) return c | (w[1] >> 40 & 0xff) << 56 | w[1] >> 56 << 48;
    if (!imm) return c | (w[1] >> 40 & 0xff) << 56;
    const unsigned type = gen_e2_imm_types[w[0] >> 46 & 1 ? w[0] >> 40 & 15 : w[1] >> 24 & 15];
    return c | (uint64_t)gen_imm12(type, (uint32_t)high) << 52;
}

/* Tries a row of the second table, which holds files and types. */
static bool with_row(
    const struct gen_insn *i, const uint64_t m[2], const int16_t index[5], unsigned second, uint64_t *stored)
{
    uint64_t expanded[2];
    const struct index *x = indices_of(i->eu, i->shape);
    unsigned width;
    const uint64_t types = (uint64_t)gen_table_row((enum gen_table)x[1].table, second, &width);
    const uint64_t seven = types & 0x7fff; /* bits 46:32 */
    const bool imm = !i->eu->e2                ? (seven >> 5 & 3) == 3 || (seven >> 10 & 3) == 3
                     : i->shape == GEN_TERNARY ? false
                                               : types >> 9 & 3;
    if (GEN_IS(i->op, EITHER) && !i->eu->e2 && imm != i->jip_is_imm) return false;
    uint64_t c = stored_fields(i, imm);
    for (unsigned n = 0; x[n].name; n++) {
        const uint64_t high = imm ? m[1] | bits(127, 96) : m[1];
        const uint64_t w[2] = {i->w[0], i->w[1] >> x[n].shift}, own[2] = {m[0], high >> x[n].shift};
        if (imm && !strcmp(x[n].name, "src1")) continue; /* these bits are the constant's */
        const int row = n == 1          ? (int)second
                        : index[n] >= 0 ? index[n]
                                        : gen_row_of((enum gen_table)x[n].table, w, own);
        if (row < 0 || row >> x[n].len) return false;
        c |= (uint64_t)row << x[n].lo;
    }
    if (!gen_expand(i->eu, i->shape, c, expanded)) return false;
    *stored = c;
    return !((expanded[0] ^ i->w[0]) & ~m[0]) && !((expanded[1] ^ i->w[1]) & ~m[1]);
}

bool gen_find_compacted(
    const struct gpudbg_isa *isa, const uint64_t native[2], const int16_t index[5], uint64_t *stored)
{
    uint8_t bytes[16];
    struct gpudbg_insn insn;
    struct gen_insn i;
    uint64_t m[2];
    le_put(bytes, native[0], 8);
    le_put(bytes + 8, native[1], 8);
    if (gen_decode_words(isa, bytes, 16, 0, &insn, &i) != 16 || !gen_compactable(i.eu, i.shape)) return false;
    if (i.shape == GEN_NONE) {
        *stored = (native[0] & 0x7f) | UINT64_C(1) << 29;
        return !(native[0] & ~UINT64_C(0x7f)) && !native[1];
    }
    for (unsigned n = 0; n < insn.nparts; n++) insn.parts[n].derived = 1;
    unused(&insn, &i, m);
    /* Where a file means nothing, rows with a constant and rows without one may both fit. */
    const struct index *x = indices_of(i.eu, i.shape);
    const uint64_t own[2] = {m[0], has_constant(&i) ? m[1] | bits(127, 96) : m[1]};
    const int usual = index[1] >= 0 ? index[1] : gen_row_of((enum gen_table)x[1].table, native, own);
    if (usual < 0) return false;
    if (with_row(&i, m, index, (unsigned)usual, stored)) return true;
    for (unsigned row = 0; index[1] < 0 && row < 1u << x[1].len; row++)
        if (gen_row_fits((enum gen_table)x[1].table, row, native, own) && with_row(&i, m, index, row, stored))
            return true;
    return false;
}
