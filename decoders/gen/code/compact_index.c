/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compact_index.c: which indices of a compacted word its text has to name.  Rows of a table may differ in nothing but
 * bits that mean nothing in an instruction; then words with different indices would print alike.  Of such rows the one
 * that assemblers choose goes without saying; another is named, so that no text stands for two words.
 */
#include "code/gen_decoder.h"

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
    return i->pred || (i->cmod && i->shape < GEN_JUMP) ||
           (i->shape == GEN_MATH && i->version == GEN12 && i->func >= 14);
}

static void unused7(const struct gen_insn *i, uint64_t m[2])
{
    if (!i->pred) m[0] |= bits(20, 20);
    if (!uses_flag(i)) m[1] |= bits(90, 89);
    for (unsigned n = 0; n < 2; n++) {
        if (!gen_uses_file(i, n)) m[0] |= n ? bits(43, 42) : bits(38, 37);
        if (!gen_uses_type(i, n)) m[0] |= n ? bits(46, 44) : bits(41, 39);
    }
    if ((i->op == GEN_OP_brd || i->op == GEN_OP_brc) && i->jip_is_imm)
        m[0] |= bits(38, 37) | bits(43, 42); /* either says so */
    if (GET(i->w, g7_DST, src0_file) == 3 || GET(i->w, g7_DST, src1_file) == 3)
        m[1] |= bits(127, 96); /* not by index */
}

static void unused12(const struct gen_insn *i, uint64_t m[2])
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
    if (i->w[0] >> 46 & 3) m[1] |= bits(127, 96); /* not by index */
}

void gen_unused_bits(const struct gpudbg_insn *insn, const struct gen_insn *i, uint64_t m[2])
{
    m[0] = m[1] = 0;
    for (unsigned n = 0; n < insn->nparts; n++) {
        const struct gpudbg_format *f = insn->parts[n].format;
        if (!insn->parts[n].derived || f < gen_layouts || f >= gen_layouts + GEN_LAYOUTS) continue;
        m[0] |= unused_low[f - gen_layouts];
        m[1] |= unused_high[f - gen_layouts];
    }
    (i->version == GEN12 ? unused12 : unused7)(i, m);
}

/* ---- Indices ---- */

struct index {
    const char *name;
    uint8_t table, lo, len;
    uint8_t shift; /* source 1 takes the rows of source 0, 32 bits higher */
};

static const struct index indices7[] = {{"control", GEN_T_c7_control, 8, 5, 0},
    {"datatype", GEN_T_c7_datatype, 13, 5, 0}, {"subreg", GEN_T_c7_subreg, 18, 5, 0}, {"src0", GEN_T_c7_src, 30, 5, 0},
    {"src1", GEN_T_c7_src, 35, 5, 32}, {0}};
static const struct index indices12[] = {{"control", GEN_T_c12_control, 24, 5, 0},
    {"datatype", GEN_T_c12_datatype, 30, 5, 0}, {"subreg", GEN_T_c12_subreg, 35, 5, 0},
    {"src0", GEN_T_c12_src0, 48, 4, 0}, {"src1", GEN_T_c12_src1, 52, 4, 0}, {0}};
static const struct index indices12_3[] = {{"control", GEN_T_c12_3control, 24, 5, 0},
    {"source", GEN_T_c12_3source, 30, 5, 0}, {"subreg", GEN_T_c12_3subreg, 35, 5, 0}, {0}};

char *gen_put_indices(char *p, const struct gpudbg_insn *insn, const struct gen_insn *i)
{
    uint64_t m[2], stored = le_u64(insn->raw);
    if (i->shape == GEN_NONE) return p;
    gen_unused_bits(insn, i, m);
    bool imm = i->version == GEN12 ? i->w[0] >> 46 & 3 : (i->w[0] >> 37 & 3) == 3 || (i->w[0] >> 42 & 3) == 3;
    if (!imm && !(i->w[0] & m[0]) && !(i->w[1] & m[1])) return p; /* nothing that means nothing is set */
    const struct index *x = i->version != GEN12 ? indices7 : i->shape == GEN_TERNARY ? indices12_3 : indices12;
    for (; x->name; x++) {
        unsigned row = (unsigned)(stored >> x->lo & ((1u << x->len) - 1));
        uint64_t own[2] = {m[0], m[1] >> x->shift};
        bool constant = imm && !strcmp(x->name, "src1"); /* these bits are the constant's */
        if (constant || gen_row_is_usual(x->table, row, own)) continue;
        p = put(PUT(p, ", "), x->name);
        p = gen_put_number(PUT(p, "=#"), row);
    }
    return p;
}
