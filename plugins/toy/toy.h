/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * toy.h: two instruction sets that share a table of eight operations, made to be read.  ops.def is the table,
 * toy_decode.c makes words readable, toy_run.c executes them, toy.c tells gpudbg.  The chip toy2 has no mul, and gives
 * mul's number to loop.
 *
 * A wave is eight lanes wide; each lane has registers v0 to v15 of 32 bits.  An instruction is one little-endian word:
 *
 *      31    28 27    24 23    20 19    16 15                0
 *     +--------+--------+--------+--------+-------------------+
 *     |   op   |   d    |   a    |   b    |   imm (signed)    |
 *     +--------+--------+--------+--------+-------------------+
 */
#ifndef TOY_H
#define TOY_H

#include <gpudbg.h>

#define TOY_LANES 8
#define TOY_REGISTERS 16
#define TOY_BUFFERS 16 /* buf0 to buf15 of the launch */

enum toy_op {
#define OP(toy, toy2, name, operands, flags, doc, lane) TOY_##name,
#include "ops.def"
    TOY_OPS
};

struct toy_word {
    uint8_t op, d, a, b;
    int32_t imm;
};

static inline struct toy_word toy_word(uint32_t bits)
{
    return (struct toy_word){(uint8_t)(bits >> 28), bits >> 24 & 15, bits >> 20 & 15, bits >> 16 & 15, (int16_t)bits};
}

extern const struct gpudbg_isa toy_isa, toy2_isa;
extern const struct gpudbg_op toy_ops[TOY_OPS];
extern const struct gpudbg_row toy_rows[TOY_OPS], toy2_rows[TOY_OPS];
/* The operation that has this number on a chip; NULL: none has it. */
const struct gpudbg_op *toy_op_of(const struct gpudbg_isa *, unsigned code);
extern const struct gpudbg_format *const toy_formats[];
extern const struct gpudbg_runner toy_runner;

int toy_decode(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *);
int toy_text(const struct gpudbg_insn *, unsigned syntax, enum gpudbg_style, const struct gpudbg_names *, char *buf,
    size_t size);
int toy_operand_text(const struct gpudbg_insn *, unsigned operand, char *buf, size_t size);

#endif
