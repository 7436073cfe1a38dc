/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * operand_names.c: the names of the 512 operand codes, as operands of one dword and of two.  The code is the index; all
 * texts have the same size, so that a listing copies them without a test of their length.
 */
#include "code/gcn_decoder.h"

#define NAME(text)            \
    {                         \
        text, sizeof text - 1 \
    }

/* X(n, n + 1) for runs of decimal numbers. */
#define TEN_UP_FROM(X, t, next)                                                                              \
    X(t##0, t##1), X(t##1, t##2), X(t##2, t##3), X(t##3, t##4), X(t##4, t##5), X(t##5, t##6), X(t##6, t##7), \
        X(t##7, t##8), X(t##8, t##9), X(t##9, next##0)
#define FOUR_UP_FROM(X, t) X(t##0, t##1), X(t##1, t##2), X(t##2, t##3), X(t##3, t##4)
#define UP_TO_9(X) X(0, 1), X(1, 2), X(2, 3), X(3, 4), X(4, 5), X(5, 6), X(6, 7), X(7, 8), X(8, 9), X(9, 10)
#define UP_TO_59(X)                                                                                     \
    UP_TO_9(X), TEN_UP_FROM(X, 1, 2), TEN_UP_FROM(X, 2, 3), TEN_UP_FROM(X, 3, 4), TEN_UP_FROM(X, 4, 5), \
        TEN_UP_FROM(X, 5, 6)
#define UP_TO_99(X) UP_TO_59(X), TEN_UP_FROM(X, 6, 7), TEN_UP_FROM(X, 7, 8), TEN_UP_FROM(X, 8, 9), TEN_UP_FROM(X, 9, 10)
#define UP_TO_255(X)                                                                                              \
    UP_TO_99(X), TEN_UP_FROM(X, 10, 11), TEN_UP_FROM(X, 11, 12), TEN_UP_FROM(X, 12, 13), TEN_UP_FROM(X, 13, 14),  \
        TEN_UP_FROM(X, 14, 15), TEN_UP_FROM(X, 15, 16), TEN_UP_FROM(X, 16, 17), TEN_UP_FROM(X, 17, 18),           \
        TEN_UP_FROM(X, 18, 19), TEN_UP_FROM(X, 19, 20), TEN_UP_FROM(X, 20, 21), TEN_UP_FROM(X, 21, 22),           \
        TEN_UP_FROM(X, 22, 23), TEN_UP_FROM(X, 23, 24), TEN_UP_FROM(X, 24, 25), FOUR_UP_FROM(X, 25), X(254, 255), \
        X(255, 256)

#define SGPR(n, next) NAME("s" #n)
#define SGPRS(n, next) NAME("s[" #n ":" #next "]")
#define VGPR(n, next) NAME("v" #n)
#define VGPRS(n, next) NAME("v[" #n ":" #next "]")
#define TTMP(n, next) NAME("ttmp" #n)
#define TTMPS(n, next) NAME("ttmp[" #n ":" #next "]")
#define NUMBER(n, next) NAME(#n)
#define MINUS(n, next) NAME("-" #n)
#define RESERVED(n, next) NAME("reserved_" #n)

/* From 112 on, with the names of TTMPs as asked. */
#define FROM_TTMP(X) \
    X(0, 1), X(1, 2), X(2, 3), X(3, 4), X(4, 5), X(5, 6), X(6, 7), X(7, 8), X(8, 9), X(9, 10), X(10, 11), X(11, 12)
/* Constants: 128 to 208, then reserved codes, floats, bits of the status, LDS. */
#define CONSTANTS                                                                                                   \
    UP_TO_59(NUMBER), FOUR_UP_FROM(NUMBER, 6), NUMBER(64, 65), MINUS(1, 2), MINUS(2, 3), MINUS(3, 4), MINUS(4, 5),  \
        MINUS(5, 6), MINUS(6, 7), MINUS(7, 8), MINUS(8, 9), MINUS(9, 10), FOUR_UP_FROM(MINUS, 1), MINUS(14, 15),    \
        MINUS(15, 16), MINUS(16, 17), RESERVED(209, 210), TEN_UP_FROM(RESERVED, 21, 22),                            \
        TEN_UP_FROM(RESERVED, 22, 23), TEN_UP_FROM(RESERVED, 23, 24), NAME("0.5"), NAME("-0.5"), NAME("1.0"),       \
        NAME("-1.0"), NAME("2.0"), NAME("-2.0"), NAME("4.0"), NAME("-4.0"), RESERVED(248, 249), RESERVED(249, 250), \
        RESERVED(250, 251), NAME("src_vccz"), NAME("src_execz"), NAME("src_scc"), NAME("src_lds_direct"),           \
    {                                                                                                               \
        "reserved_255", 12 + GCN_NAME_ODD                                                                           \
    }

const struct gcn_name gcn_names[1025] = {UP_TO_99(SGPR), FOUR_UP_FROM(SGPR, 10), NAME("flat_scratch_lo"),
    NAME("flat_scratch_hi"), NAME("vcc_lo"), NAME("vcc_hi"), NAME("tba_lo"), NAME("tba_hi"), NAME("tma_lo"),
    NAME("tma_hi"), FROM_TTMP(TTMP), NAME("m0"), RESERVED(125, 126), NAME("exec_lo"), NAME("exec_hi"), CONSTANTS,
    UP_TO_255(VGPR), UP_TO_99(SGPRS), FOUR_UP_FROM(SGPRS, 10), NAME("flat_scratch"), NAME("flat_scratch"), NAME("vcc"),
    NAME("vcc"), NAME("tba"), NAME("tba"), NAME("tma"), NAME("tma"), FROM_TTMP(TTMPS), NAME("m0"), RESERVED(125, 126),
    NAME("exec"), NAME("exec"), CONSTANTS, UP_TO_255(VGPRS), NAME("")};

/* Chips with 106 SGPRs, 16 TTMPs and null. */
#define FOUR_MORE(X) X(12, 13), X(13, 14), X(14, 15), X(15, 16)
const struct gcn_name gcn_newer_names[1025] = {UP_TO_99(SGPR), FOUR_UP_FROM(SGPR, 10), SGPR(104, 105), SGPR(105, 106),
    NAME("vcc_lo"), NAME("vcc_hi"), FROM_TTMP(TTMP), FOUR_MORE(TTMP), NAME("m0"), NAME("null"), NAME("exec_lo"),
    NAME("exec_hi"), CONSTANTS, UP_TO_255(VGPR), UP_TO_99(SGPRS), FOUR_UP_FROM(SGPRS, 10), SGPRS(104, 105),
    SGPRS(105, 106), NAME("vcc"), NAME("vcc"), FROM_TTMP(TTMPS), FOUR_MORE(TTMPS), NAME("m0"), NAME("null"),
    NAME("exec"), NAME("exec"), CONSTANTS, UP_TO_255(VGPRS), NAME("")};

const char *const gcn_aperture_names[5] = {
    "src_shared_base", "src_shared_limit", "src_private_base", "src_private_limit", "src_pops_exiting_wave_id"};
