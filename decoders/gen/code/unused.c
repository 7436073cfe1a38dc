/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unused.c: the bits of the native word that mean nothing in an instruction. */
#include "code/gen_decoder.h"

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
    return i->pred || (i->cmod && i->shape < GEN_JUMP) || gen_ends_early(i);
}

static void add_place(uint64_t m[2], const struct gen_place *at)
{
    if (at->len) m[at->lo >> 6] |= (UINT64_MAX >> (64 - at->len)) << (at->lo & 63);
}
#define NOTHING(name) add_place(m, &gen_places[e][GEN_P_##name])

/* In e8 a second target, or a constant of 64 bits, is where the file and the type of source 1 would be. */
static bool has_src1_fields(const struct gen_insn *i)
{
    const bool wide = i->src[0].mode == GEN_IMMEDIATE && gen_type_size[i->src[0].type] == 8;
    return i->eu->column == GEN_COLUMN_e1 || (!i->uip_is_imm && !(wide && i->shape == GEN_UNARY));
}

static void unused_typed(const struct gen_insn *i, uint64_t m[2])
{
    const unsigned e = i->eu->column;
    if (i->shape == GEN_TERNARY || gen_is_split(i)) return;
    if (!gen_uses_file(i, 0)) NOTHING(src0_file);
    if (!gen_uses_type(i, 0)) NOTHING(src0_type);
    if (has_src1_fields(i)) {
        if (!gen_uses_file(i, 1)) NOTHING(src1_file);
        if (!gen_uses_type(i, 1)) NOTHING(src1_type);
    }
    if (GEN_IS(i->op, EITHER) && i->jip_is_imm) { /* either of them may say constant */
        NOTHING(src0_file);
        if (has_src1_fields(i)) NOTHING(src1_file);
    }
    if (GEN_IS(i->op, IMM64) && i->src[0].mode == GEN_IMMEDIATE) {
        NOTHING(src0_type);
        m[1] &= ~UINT64_C(0xffffffff); /* its constant */
    }
}

static void unused_e2(const struct gen_insn *i, uint64_t m[2])
{
    const unsigned e = GEN_COLUMN_e2;
    bool imm0 = i->src[0].mode == GEN_IMMEDIATE, imm2 = i->src[2].mode == GEN_IMMEDIATE;
    if (i->shape == GEN_DPAS) return;
    if (imm0 && !GEN_IS(i->op, TRUTH)) {
        NOTHING(src0_abs);
        NOTHING(src0_neg);
    }
    if (i->shape == GEN_TERNARY) {
        if (imm0) m[0] |= bits(35, 35) | bits(43, 43); /* its row step */
        if (imm2 && !GEN_IS(i->op, TRUTH)) {
            NOTHING(ter_src2_abs);
            NOTHING(ter_src2_neg);
        }
        return;
    }
    if (i->nsrc < 2) {
        NOTHING(src1_is_imm);
        NOTHING(src1_type);
    }
}

void gen_meaningless_bits(const struct gpudbg_insn *insn, const struct gen_insn *i, uint64_t m[2])
{
    m[0] = m[1] = 0;
    for (unsigned n = 0; n < insn->nparts; n++) {
        const struct gpudbg_format *f = insn->parts[n].format;
        if ((i->compacted && !insn->parts[n].derived) || f < gen_layouts || f >= gen_layouts + GEN_LAYOUTS) continue;
        m[0] |= unused_low[f - gen_layouts];
        m[1] |= unused_high[f - gen_layouts];
    }
    const unsigned e = i->eu->column;
    if (!i->pred) NOTHING(pred_inv);
    if (!i->eu->align16) NOTHING(access_mode);
    if (uses_flag(i)) {
    } else if (i->shape == GEN_TERNARY && !i->eu->three_regions) {
        NOTHING(ter_flag_subreg);
        NOTHING(ter_flag_reg);
    } else {
        NOTHING(flag_subreg);
        NOTHING(flag_reg);
    }
    (e == GEN_COLUMN_e2 ? unused_e2 : unused_typed)(i, m);
}

bool gen_has_constant(const struct gen_insn *i)
{
    const unsigned e = i->eu->column;
    if (gen_has_three(i->shape) || (e != GEN_COLUMN_e2 && gen_is_split(i))) return false;
    if (e == GEN_COLUMN_e2) return GET(e, i->w, src0_is_imm) || GET(e, i->w, src1_is_imm);
    return GET(e, i->w, src0_file) == 3 || (has_src1_fields(i) && GET(e, i->w, src1_file) == 3);
}

void gen_unused_bits(const struct gpudbg_insn *insn, const struct gen_insn *i, uint64_t m[2])
{
    gen_meaningless_bits(insn, i, m);
    if (gen_has_constant(i)) m[1] |= GEN_CONSTANT_BITS;
}
