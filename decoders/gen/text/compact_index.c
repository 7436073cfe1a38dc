/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compact_index.c: the indices of a compacted word that its text has to name.  Rows of a table may differ only in bits
 * that mean nothing in an instruction; then words with different indices would have the same text.  Of such rows the
 * one that assemblers choose is not named; any other is named, so that each text is of one word only.  And the inverse:
 * the compacted word for a native one.
 */
#include "text/gen_assembly.h"

/* ---- Indices ---- */

struct index {
    const char *name;
    uint8_t table, lo, len;
    uint8_t shift; /* source 1 uses the rows of source 0, 32 bits higher */
};

#define TYPED(control, datatype)                                                         \
    {                                                                                    \
        {"control", GEN_T_##control, 8, 5, 0}, {"datatype", GEN_T_##datatype, 13, 5, 0}, \
            {"subreg", GEN_T_c1_subreg, 18, 5, 0}, {"src0", GEN_T_c1_src, 30, 5, 0},     \
            {"src1", GEN_T_c1_src, 35, 5, 32},                                           \
        {                                                                                \
            0                                                                            \
        }                                                                                \
    }
static const struct index indices_e1[] = TYPED(c1_control, c1_datatype);
static const struct index indices_e8[] = TYPED(c8_control, c8_datatype);
static const struct index indices_e11[] = TYPED(c8_control, c11_datatype);
static const struct index indices_e8_3[] = {
    {"control", GEN_T_c8_3control, 8, 2, 0}, {"source", GEN_T_c8_3source, 10, 2, 0}, {0}};
static const struct index indices_e2[] = {{"control", GEN_T_c2_control, 24, 5, 0},
    {"datatype", GEN_T_c2_datatype, 30, 5, 0}, {"subreg", GEN_T_c2_subreg, 35, 5, 0}, {"src0", GEN_T_c2_src0, 48, 4, 0},
    {"src1", GEN_T_c2_src1, 52, 4, 0}, {0}};
static const struct index indices_e2_3[] = {{"control", GEN_T_c2_3control, 24, 5, 0},
    {"source", GEN_T_c2_3source, 30, 5, 0}, {"subreg", GEN_T_c2_3subreg, 35, 5, 0}, {0}};

static const struct index indices_e125[] = {{"control", GEN_T_c2_control, 24, 5, 0},
    {"datatype", GEN_T_c2_datatype, 30, 5, 0}, {"subreg", GEN_T_c2_subreg, 35, 5, 0}, {"src0", GEN_T_c5_src0, 48, 4, 0},
    {"src1", GEN_T_c5_src1, 52, 4, 0}, {0}};
static const struct index indices_e125_3[] = {{"control", GEN_T_c5_3control, 24, 5, 0},
    {"source", GEN_T_c5_3source, 30, 5, 0}, {"subreg", GEN_T_c2_3subreg, 35, 5, 0}, {0}};

static const struct index *indices_of(const struct gen_eu *eu, unsigned shape)
{
    static const struct index *const two[GEN_COLUMNS] = {indices_e1, indices_e8, indices_e2},
                                     *const three[GEN_COLUMNS] = {indices_e1, indices_e8_3, indices_e2_3};
    if (shape != GEN_TERNARY && eu->datatype_table == GEN_T_c11_datatype) return indices_e11;
    if (eu->unit_rows) return gen_has_three(shape) ? indices_e125_3 : indices_e125;
    return (gen_has_three(shape) ? three : two)[eu->column];
}

void gen_named_indices(const struct gpudbg_insn *insn, const struct gen_insn *i, int16_t index[5])
{
    uint64_t m[2], stored = le_u64(insn->raw);
    if (i->shape == GEN_NONE) return;
    gen_unused_bits(insn, i, m);
    const bool imm = gen_has_constant(i);
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
    if (i->eu->column == GEN_COLUMN_e8 && i->shape == GEN_TERNARY)
        return c | (w[0] >> 56 & 0x7f) << 12 | (w[1] & 1) << 28 | (w[0] >> 31 & 1) << 31 | (w[1] >> 21 & 1) << 32 |
               (w[1] >> 42 & 1) << 33 | (w[1] >> 9 & 7) << 34 | (w[1] >> 30 & 7) << 37 | (w[1] >> 51 & 7) << 40 |
               (w[1] >> 12 & 0x7f) << 43 | (w[1] >> 33 & 0x7f) << 50 | (w[1] >> 54 & 0x7f) << 57;
    if (i->eu->column != GEN_COLUMN_e2) {
        c |= (w[0] >> 24 & 15) << 24 | (w[0] >> 28 & 1) << 23 | (w[0] >> 53 & 0xff) << 40 | (w[1] >> 5 & 0xff) << 48;
        return c | (imm ? (high & 0xff) << 56 | (high >> 8 & 31) << 35 : (w[1] >> 37 & 0xff) << 56);
    }
    c |= (w[0] >> 8 & 0xff) << 8 | w[0] >> 56 << 16 | (w[1] >> 8 & 0xff) << 40;
    if (gen_has_three(i->shape)) return c | (w[1] >> 40 & 0xff) << 56 | w[1] >> 56 << 48;
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
    struct gen_insn laid = *i;
    laid.w[0] = laid.w[1] = 0;
    gen_lay_row((enum gen_table)x[1].table, second, laid.w);
    const bool imm = gen_has_constant(&laid);
    if (GEN_IS(i->op, EITHER) && i->eu->column != GEN_COLUMN_e2 && imm != i->jip_is_imm) return false;
    uint64_t c = stored_fields(i, imm);
    for (unsigned n = 0; x[n].name; n++) {
        const uint64_t high = imm ? m[1] | GEN_CONSTANT_BITS : m[1];
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
    gen_meaningless_bits(&insn, &i, m);
    /* Where a file means nothing, rows with a constant and rows without one may both fit. */
    const struct index *x = indices_of(i.eu, i.shape);
    uint64_t own[2];
    gen_unused_bits(&insn, &i, own);
    const int usual = index[1] >= 0 ? index[1] : gen_row_of((enum gen_table)x[1].table, native, own);
    if (usual < 0) return false;
    if (with_row(&i, m, index, (unsigned)usual, stored)) return true;
    for (unsigned row = 0; index[1] < 0 && row < 1u << x[1].len; row++)
        if (gen_row_fits((enum gen_table)x[1].table, row, native, own) && with_row(&i, m, index, row, stored))
            return true;
    return false;
}
