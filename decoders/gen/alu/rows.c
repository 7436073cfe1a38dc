/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c: see rows.h; the conditions on instructions in the fast columns of ops.def. */
#include "alu/rows.h"

#include "alu/elements.h"
#include "ops.h"

/* ---- Conditions of ops.def ---- */

static unsigned size_of(const struct gen_insn *insn, unsigned n)
{
    return n < insn->nsrc ? gen_type_size[insn->src[n].type] : 0;
}

static bool is_signed(const struct gen_insn *insn, unsigned n)
{
    return n < insn->nsrc && gen_type_is_signed(insn->src[n].type);
}

/* A move that flushes denormals. */
static bool changes_floats(const struct gen_insn *insn)
{
    return insn->dst.type == GEN_F32 && (!gen_is_plain(insn, 0) || insn->cmod);
}

/* Whether only the low word of source 1 is used. */
static bool low_word(const struct gen_insn *insn)
{
    return size_of(insn, 1) == 4 && !insn->eu->whole_dwords && (insn->eu->cuts_dwords || size_of(insn, 0) == 4);
}

static bool all_dwords(const struct gen_insn *insn) { return gen_exec_size(insn) == 4 && size_of(insn, 0) == 4; }

/* Whether the bits above source 0, extended to 32 bits, may be taken as zeros; or as its sign. */
static bool zeros_above(const struct gen_insn *insn) { return !is_signed(insn, 0) || all_dwords(insn); }
static bool sign_above(const struct gen_insn *insn) { return is_signed(insn, 0) || size_of(insn, 0) < 4; }

/* ---- Rows of ops.def that depend on more ---- */

static unsigned chosen_integer(const struct gen_insn *insn)
{
    /* Signs after extension to 32 bits: a narrow unsigned number is a positive signed one. */
    const bool both_signed = (is_signed(insn, 0) || size_of(insn, 0) < 4) &&
                             (is_signed(insn, 1) || size_of(insn, 1) < 4),
               both_unsigned = !is_signed(insn, 0) && !is_signed(insn, 1);
    const bool greater = insn->cmod == 3 || insn->cmod == 4, less = insn->cmod == 5 || insn->cmod == 6;
    if (!insn->cmod) return GEN_R_COPY;
    if (both_signed && (greater || less)) return greater ? GEN_R_IMAX : GEN_R_IMIN;
    return both_unsigned && (greater || less) ? greater ? GEN_R_UMAX : GEN_R_UMIN : GEN_ROWS;
}

static unsigned chosen_float(const struct gen_insn *insn)
{
    return !insn->cmod ? GEN_R_COPY : insn->cmod == 4 ? GEN_R_FMAX : insn->cmod == 5 ? GEN_R_FMIN : GEN_ROWS;
}

static unsigned function_row(const struct gen_insn *insn)
{
    return insn->func == GEN_MATH_INV   ? GEN_R_INV
           : insn->func == GEN_MATH_SQT ? GEN_R_SQT
           : insn->func == GEN_MATH_RSQ ? GEN_R_RSQ
                                        : GEN_ROWS;
}

/* ---- The columns ---- */

/* A column as its kind, a condition and a row: OWN is the operation's own row. */
#define IS_X(result) OWN, true, GEN_ROWS
#define IS_WHEN(condition, result, row) OWN, condition, row
#define IS_PICK(row) OTHER, true, row
#define IS_TEST OTHER, true, GEN_COMPARISON
#define IS_NONE OTHER, true, GEN_ROWS
#define RETURN_OWN(own, condition, row) return (condition) ? (unsigned)own : (unsigned)(row)
#define RETURN_OTHER(own, condition, row) return row
#define RETURN_(own, kind, condition, row) RETURN_##kind(own, condition, row)
#define RETURN(...) RETURN_(__VA_ARGS__)

unsigned gen_int_row(const struct gen_insn *insn)
{
    switch ((enum gen_op)insn->op) {
#define INTEGERS_NONE IS_NONE
#define INTEGERS_ALU(integers, floats, fast, fast_float) IS_##fast
#define OP(name, codes, shape, flags, operands, doc, traits, may, types, alu) \
    case GEN_OP_##name:                                                       \
        RETURN(GEN_R_I_##name, INTEGERS_##alu);
#include "ops.def"
#undef OP
    default: return GEN_ROWS;
    }
}

unsigned gen_float_row(const struct gen_insn *insn)
{
    switch ((enum gen_op)insn->op) {
#define FLOATS_NONE IS_NONE
#define FLOATS_ALU(integers, floats, fast, fast_float) IS_##fast_float
#define OP(name, codes, shape, flags, operands, doc, traits, may, types, alu) \
    case GEN_OP_##name:                                                       \
        RETURN(GEN_R_F_##name, FLOATS_##alu);
#include "ops.def"
#undef OP
    default: return GEN_ROWS;
    }
}
