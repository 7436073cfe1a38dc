/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shapes.h: handlers of the usual instructions, one for each operation, number of channels and kind of sources.
 * shapes_simd.c is compiled once for each vector width, so that a handler and its loop are one function.
 *
 * Such an instruction has no predicate (but for sel), and writes a whole row of dwords, or, if it compares, flags.  Its
 * sources are rows of dwords, or one dword for all channels, of a register or the instruction.  A source and the
 * destination are apart, or the same row.  If channels are off, or the float mode is not the usual one, the handler
 * calls `other`.
 */
#ifndef GEN_SHAPES_H
#define GEN_SHAPES_H

#include "engine/gen_exec.h"

enum gen_row_number {
#define ROW(number, sources, modes, value) GEN_R_##number,
#include "gen_fast.inc"
#undef ROW
    GEN_ROWS,
};

/* The comparisons of two sources; the other conditions are these with the sources exchanged or the answer inverted.
 * Comparisons of floats come last. */
enum gen_order_number {
    GEN_O_EQUAL,
    GEN_O_LESS,
    GEN_O_BELOW,
    GEN_O_FEQUAL,
    GEN_O_FLESS,
    GEN_O_FLESS_EQUAL,
    GEN_ORDERS
};

/* A product: signed sources; whether the low half is the result; whether the accumulator keeps the sum. */
struct gen_product {
    bool a_signed, b_signed, low, keeps;
};

/* The start of the data prepared for an instruction: everything that its handler reads. */
struct gen_hot {
    gen_fn *other;
    uint32_t need;                  /* channels of the thread that must be active */
    uint32_t keeps;                 /* the bit of cr0 that keeps denormals of floats; 0: they are never kept */
    uint16_t d, at[3];              /* of the destination and the sources: dwords of the wave's words */
    uint8_t constant;               /* bit k: source k is k[k] */
    uint8_t flag, flag_shift, from; /* as in struct gen_gate */
    uint8_t word[3], shift[3];      /* comparisons of two values: 1 a word, 2 a signed word, at this bit of the dword */
    uint32_t k[3];
    uint32_t ones;   /* a bit for each channel */
    uint32_t forced; /* comparisons: all ones if all channels run, active or not; else 0 */
    struct gen_product product;
    uint32_t flip; /* comparisons and sel: inverts the flag bits */
};

/* Handlers by the sources that are one dword for all channels: bit k for source k.  There is no shape of 8 or 16
 * channels with only such sources; with one channel all sources are such.  Comparisons with two such sources have any
 * number of channels. */
enum { GEN_SHAPE_ONE, GEN_SHAPE_8, GEN_SHAPE_16 = GEN_SHAPE_8 + 8, GEN_SHAPES = GEN_SHAPE_16 + 8 };
enum { GEN_PAIR_ALL, GEN_PAIR_8, GEN_PAIR_16 = GEN_PAIR_8 + 3, GEN_PAIRS = GEN_PAIR_16 + 3 };
/* mul_acc, mach: products of dwords in an accumulator, of 1, 8 and 16 channels (channels_simd.h).  mul: source 1 is one
 * word; mach: one dword.  They need all channels active, and an accumulator that holds dwords. */
struct gen_shapes {
    gen_fn *row[GEN_ROWS][GEN_SHAPES];
    gen_fn *compare[GEN_ORDERS][GEN_PAIRS];
    gen_fn *select[GEN_SHAPES];
    gen_fn *mul_acc[3], *mach[3];
};
extern const struct gen_shapes gen_shapes_1;
extern const struct gen_shapes gen_shapes_3, gen_shapes_4;

#endif
