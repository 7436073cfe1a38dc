/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compact.c: compacted instructions.  Each index of the stored word chooses a row of a table; the rows' bits become
 * bits of the native word.  The tables hold them at their final places, so that expanding takes a few ORs.
 */
#include "code/gen_decoder.h"

/* Bits hi..lo of x, moved to bit `to` of the native word, in its low or high half. */
#define PIECE(x, hi, lo) ((uint64_t)(x) >> (lo) & (((uint64_t)2 << ((hi) - (lo))) - 1))
#define LOW(x, hi, lo, to) ((to) < 64 ? PIECE(x, hi, lo) << ((to)&63) : 0)
#define HIGH(x, hi, lo, to) ((to) < 64 ? 0 : PIECE(x, hi, lo) << ((to)&63))

/* The places of a row's bits in the native word, from its highest bit: M(x, hi, lo, to). */
#define LAY_c1_control(M, x) M(x, 18, 18, 90) | M(x, 17, 17, 89) | M(x, 16, 16, 31) | M(x, 15, 0, 8)
#define LAY_c1_datatype(M, x) M(x, 17, 15, 61) | M(x, 14, 0, 32)
#define LAY_c1_subreg(M, x) M(x, 14, 10, 96) | M(x, 9, 5, 64) | M(x, 4, 0, 48)
#define LAY_c1_src(M, x) M(x, 11, 0, 77) /* source 0; source 1: 32 bits higher */
#define LAY_c8_control(M, x) M(x, 18, 16, 31) | M(x, 15, 4, 12) | M(x, 3, 2, 9) | M(x, 1, 1, 34) | M(x, 0, 0, 8)
#define LAY_c8_datatype(M, x) M(x, 20, 18, 61) | M(x, 17, 12, 89) | M(x, 11, 0, 35)
#define LAY_c11_datatype(M, x) LAY_c8_datatype(M, x)
#define LAY_c8_3control(M, x) M(x, 25, 21, 32) | M(x, 20, 0, 8)
#define LAY_c8_3source(M, x)                                                                          \
    M(x, 48, 47, 125) | M(x, 46, 45, 104) | M(x, 44, 44, 84) | M(x, 43, 43, 83) | M(x, 42, 35, 107) | \
        M(x, 34, 27, 86) | M(x, 26, 19, 65) | M(x, 18, 0, 37)
#define LAY_c2_control(M, x)                                                                                          \
    M(x, 20, 17, 92) | M(x, 16, 16, 34) | M(x, 15, 15, 33) | M(x, 14, 14, 32) | M(x, 13, 13, 31) | M(x, 12, 12, 28) | \
        M(x, 11, 8, 24) | M(x, 7, 6, 22) | M(x, 5, 3, 19) | M(x, 2, 0, 16)
#define LAY_c2_datatype(M, x)                                                                                         \
    M(x, 19, 19, 98) | M(x, 18, 15, 88) | M(x, 14, 14, 66) | M(x, 13, 13, 50) | M(x, 12, 11, 48) | M(x, 10, 10, 47) | \
        M(x, 9, 9, 46) | M(x, 8, 5, 40) | M(x, 4, 1, 36) | M(x, 0, 0, 35)
#define LAY_c2_subreg(M, x) M(x, 14, 10, 99) | M(x, 9, 5, 67) | M(x, 4, 0, 51)
#define LAY_c2_src0(M, x) M(x, 11, 8, 84) | M(x, 7, 5, 81) | M(x, 4, 4, 80) | M(x, 3, 2, 64) | M(x, 1, 0, 44)
#define LAY_c2_src1(M, x) M(x, 11, 10, 120) | M(x, 9, 6, 116) | M(x, 5, 3, 113) | M(x, 2, 2, 112) | M(x, 1, 0, 96)
#define LAY_c2_3control(M, x)                                                                                         \
    M(x, 35, 32, 92) | M(x, 31, 29, 88) | M(x, 28, 26, 80) | M(x, 25, 25, 50) | M(x, 24, 24, 48) | M(x, 23, 21, 40) | \
        M(x, 20, 20, 39) | M(x, 19, 17, 36) | M(x, 16, 16, 34) | M(x, 15, 15, 33) | M(x, 14, 14, 32) |                \
        M(x, 13, 13, 31) | M(x, 12, 12, 28) | M(x, 11, 8, 24) | M(x, 7, 7, 23) | M(x, 6, 6, 22) | M(x, 5, 3, 19) |    \
        M(x, 2, 0, 16)
#define LAY_c2_3source(M, x)                                                                                      \
    M(x, 20, 20, 114) | M(x, 19, 18, 112) | M(x, 17, 17, 98) | M(x, 16, 15, 96) | M(x, 14, 14, 91) |              \
        M(x, 13, 12, 86) | M(x, 11, 10, 84) | M(x, 9, 9, 83) | M(x, 8, 8, 66) | M(x, 7, 6, 64) | M(x, 5, 5, 47) | \
        M(x, 4, 4, 46) | M(x, 3, 2, 44) | M(x, 1, 1, 43) | M(x, 0, 0, 35)
#define LAY_c2_3subreg(M, x) M(x, 19, 15, 115) | M(x, 14, 10, 99) | M(x, 9, 5, 67) | M(x, 4, 0, 51)

#define LAY_c5_src0(M, x) LAY_c2_src0(M, x)
#define LAY_c5_src1(M, x) LAY_c2_src1(M, x)
#define LAY_c5_3source(M, x) LAY_c2_3source(M, x)
/* dpas has its depth in 49:48, others the step of the destination in 48. */
#define LAY_c5_3control(M, x)                                                                                         \
    M(x, 36, 33, 92) | M(x, 32, 30, 88) | M(x, 29, 27, 80) | M(x, 26, 26, 50) | M(x, 25, 24, 48) | M(x, 23, 21, 40) | \
        M(x, 20, 20, 39) | M(x, 19, 17, 36) | M(x, 16, 16, 34) | M(x, 15, 15, 33) | M(x, 14, 14, 32) |                \
        M(x, 13, 13, 31) | M(x, 12, 12, 28) | M(x, 11, 8, 24) | M(x, 7, 7, 23) | M(x, 6, 6, 22) | M(x, 5, 3, 19) |    \
        M(x, 2, 0, 16)

struct row {
    uint64_t bits, lo, hi;
};

/* ROW does not know its table: first come the bits of the rows, then each table is laid out by its own macro. */
#define TABLE(name, rows, bits) enum { name##_rows = rows, name##_bits = bits };
#define ROW(bits)
#define END
#include "code/compact.def"
#undef TABLE
#undef ROW
#undef END

#define TABLE(name, rows, bits) static const uint64_t name##_row[rows] = {
#define ROW(bits) UINT64_C(bits),
/* clang-format off */
#define END };
/* clang-format on */
#include "code/compact.def"
#undef TABLE
#undef ROW
#undef END

static const struct {
    const uint64_t *row;
    uint8_t rows, bits;
} tables[GEN_TABLES] = {
#define TABLE(name, count, width) [GEN_T_##name] = {name##_row, count, width},
#define ROW(bits)
#define END
#include "code/compact.def"
#undef TABLE
#undef ROW
#undef END
};

int64_t gen_table_row(enum gen_table t, unsigned row, unsigned *bits)
{
    *bits = tables[t].bits;
    return row < tables[t].rows ? (int64_t)tables[t].row[row] : -1;
}

/* The bits of a row that become bits of the native word m. */
#define GATHER(m, hi, lo, to) ((m[(to) / 64] >> ((to)&63) & (((uint64_t)2 << ((hi) - (lo))) - 1)) << (lo))

static uint64_t row_mask(enum gen_table t, const uint64_t m[2])
{
    switch (t) {
#define TABLE(name, rows, bits) \
    case GEN_T_##name:          \
        return LAY_##name(GATHER, m);
#define ROW(bits)
#define END
#include "code/compact.def"
#undef TABLE
#undef ROW
#undef END
    case GEN_TABLES: break;
    }
    return 0;
}

bool gen_row_is_usual(enum gen_table t, unsigned row, const uint64_t m[2])
{
    const uint64_t *rows = tables[t].row, own = rows[row], nothing = row_mask(t, m);
    if (!(own & nothing)) return true;
    for (unsigned n = 0; n < tables[t].rows; n++) {
        bool twin = n != row && !((own ^ rows[n]) & ~nothing);
        if (twin && (n < row || !(rows[n] & nothing))) return false;
    }
    return true;
}

bool gen_row_fits(enum gen_table t, unsigned row, const uint64_t w[2], const uint64_t m[2])
{
    return row < tables[t].rows && !((tables[t].row[row] ^ row_mask(t, w)) & ~row_mask(t, m));
}

int gen_row_of(enum gen_table t, const uint64_t w[2], const uint64_t m[2])
{
    const uint64_t *rows = tables[t].row, wanted = row_mask(t, w), nothing = row_mask(t, m);
    for (unsigned n = 0; n < tables[t].rows; n++)
        if (!((rows[n] ^ wanted) & ~nothing) && gen_row_is_usual(t, n, m)) return (int)n;
    return -1;
}

/* Adds the bits of row `i` of a table to w. */
#define LAY(name, i)                  \
    do {                              \
        uint64_t x_ = name##_row[i];  \
        w[0] |= LAY_##name(LOW, x_);  \
        w[1] |= LAY_##name(HIGH, x_); \
    } while (0)

static unsigned piece(uint64_t x, unsigned hi, unsigned lo) { return (unsigned)PIECE(x, hi, lo); }

void gen_lay_row(enum gen_table t, unsigned row, uint64_t w[2])
{
    switch (t) {
#define TABLE(name, rows, bits) \
    case GEN_T_##name:          \
        LAY(name, row);         \
        break;
#define ROW(bits)
#define END
#include "code/compact.def"
#undef TABLE
#undef ROW
#undef END
    case GEN_TABLES: break;
    }
}

/* Before Gen12, but for three sources: e8 has other places for the bits of two tables. */
static bool expand_typed(const struct gen_eu *eu, enum gen_shape shape, uint64_t c, uint64_t w[2])
{
    const unsigned e = eu->column;
    const bool e8 = e == GEN_COLUMN_e8;
    w[0] = piece(c, 6, 0) | (uint64_t)piece(c, 7, 7) << 30 | (uint64_t)piece(c, 27, 24) << 24 |
           (uint64_t)piece(c, 23, 23) << 28 | (uint64_t)piece(c, 47, 40) << 53;
    w[1] = (uint64_t)piece(c, 55, 48) << 5;
    if (shape == GEN_NONE) return true;
    gen_lay_row(e8 ? GEN_T_c8_control : GEN_T_c1_control, piece(c, 12, 8), w);
    gen_lay_row((enum gen_table)eu->datatype_table, piece(c, 17, 13), w);
    LAY(c1_subreg, piece(c, 22, 18));
    w[1] |= LAY_c1_src(HIGH, c1_src_row[piece(c, 34, 30)]);
    if (GET(e, w, src0_file) == 3 || GET(e, w, src1_file) == 3) {
        int32_t value = gen_signed(piece(c, 39, 35) << 8 | piece(c, 63, 56), 13);
        w[1] = (w[1] & 0xffffffff) | (uint64_t)(uint32_t)value << 32;
    } else {
        w[1] |= LAY_c1_src(HIGH, c1_src_row[piece(c, 39, 35)]) << 32;
        w[1] |= (uint64_t)piece(c, 63, 56) << 37;
    }
    return true;
}

static bool expand_ternary_e8(uint64_t c, uint64_t w[2])
{
    w[0] = piece(c, 6, 0) | (uint64_t)piece(c, 30, 30) << 30 | (uint64_t)piece(c, 31, 31) << 31 |
           (uint64_t)piece(c, 18, 12) << 56;
    w[1] = piece(c, 28, 28) | (uint64_t)piece(c, 32, 32) << 21 | (uint64_t)piece(c, 33, 33) << 42 |
           (uint64_t)piece(c, 36, 34) << 9 | (uint64_t)piece(c, 39, 37) << 30 | (uint64_t)piece(c, 42, 40) << 51 |
           (uint64_t)piece(c, 49, 43) << 12 | (uint64_t)piece(c, 56, 50) << 33 | (uint64_t)piece(c, 63, 57) << 54;
    LAY(c8_3control, piece(c, 9, 8));
    LAY(c8_3source, piece(c, 11, 10));
    return true;
}

/* The constant that the 12 bits of a compacted constant abbreviate, by its type. */
static uint32_t expand_imm12(unsigned type, uint32_t c)
{
    switch (type) {
    case GEN_F32: return c << 20;
    case GEN_HF: return (c << 4) * 0x10001u;
    case GEN_UW: return c * 0x10001u;
    case GEN_D: return (uint32_t)gen_signed(c, 12);
    case GEN_W: return ((uint32_t)gen_signed(c, 12) & 0xffff) * 0x10001u;
    }
    return c;
}

uint32_t gen_imm12(unsigned type, uint32_t value)
{
    return type == GEN_F32 ? value >> 20 : type == GEN_HF ? value >> 4 & 0xfff : value & 0xfff;
}

static bool expand_e2(const struct gen_eu *eu, enum gen_shape shape, uint64_t c, uint64_t w[2])
{
    w[0] = piece(c, 6, 0) | (uint64_t)piece(c, 15, 8) << 8 | (uint64_t)piece(c, 7, 7) << 30 |
           (uint64_t)piece(c, 23, 16) << 56;
    w[1] = (uint64_t)piece(c, 47, 40) << 8;
    switch (shape) {
    case GEN_NONE: return true;
    case GEN_TERNARY:
    case GEN_DPAS:
        if (eu->unit_rows) {
            LAY(c5_3control, piece(c, 28, 24));
            LAY(c5_3source, piece(c, 34, 30));
        } else {
            LAY(c2_3control, piece(c, 28, 24));
            LAY(c2_3source, piece(c, 34, 30));
        }
        LAY(c2_3subreg, piece(c, 39, 35));
        w[1] |= (uint64_t)piece(c, 63, 56) << 40 | (uint64_t)piece(c, 55, 48) << 56;
        return true;
    case GEN_UNARY:
    case GEN_BINARY:
    case GEN_MATH:
    case GEN_SYNC: break;
    default: return false;
    }
    LAY(c2_control, piece(c, 28, 24));
    LAY(c2_datatype, piece(c, 34, 30));
    LAY(c2_subreg, piece(c, 39, 35));
    if (eu->unit_rows)
        LAY(c5_src0, piece(c, 51, 48));
    else
        LAY(c2_src0, piece(c, 51, 48));
    if (w[0] >> 46 & 3) {
        unsigned type = w[0] >> 46 & 1 ? gen_e2_imm_types[w[0] >> 40 & 15] : gen_e2_imm_types[w[1] >> 24 & 15];
        w[1] = (w[1] & 0xffffffff) | (uint64_t)expand_imm12(type, piece(c, 63, 52)) << 32;
    } else {
        if (eu->unit_rows)
            LAY(c5_src1, piece(c, 55, 52));
        else
            LAY(c2_src1, piece(c, 55, 52));
        w[1] |= (uint64_t)piece(c, 63, 56) << 40;
    }
    return true;
}

bool gen_expand(const struct gen_eu *eu, enum gen_shape shape, uint64_t c, uint64_t w[2])
{
    if (eu->column == GEN_COLUMN_e2) return expand_e2(eu, shape, c, w);
    if (!gen_compactable(eu, shape)) return false;
    return shape == GEN_TERNARY ? expand_ternary_e8(c, w) : expand_typed(eu, shape, c, w);
}

bool gen_compactable(const struct gen_eu *eu, enum gen_shape shape)
{
    if (gen_has_three(shape)) return eu->compacts_three;
    return eu->column != GEN_COLUMN_e2 || shape == GEN_NONE || shape == GEN_UNARY || shape == GEN_BINARY ||
           shape == GEN_MATH || shape == GEN_SYNC;
}
