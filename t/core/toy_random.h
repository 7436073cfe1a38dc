/* SPDX-License-Identifier: GPL-3.0-or-later */
/* toy_random.h: random programs of toy.h, and random numbers for their tests. */
#ifndef TOY_RANDOM_H
#define TOY_RANDOM_H

#include "toy.h"

static uint64_t seed = 1;

static uint32_t pick(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

static size_t random_program(struct toy_op *op, size_t room, bool barriers)
{
    static const uint8_t body[] = {TOY_ADD, TOY_MIX, TOY_VADD, TOY_MASK, TOY_STORE, TOY_LOAD, TOY_ATOM, TOY_LSTORE,
        TOY_LLOAD, TOY_STORE, TOY_YIELD, TOY_EVENT, TOY_ATOM, TOY_MIX};
    size_t n = 0;
    op[n++] = (struct toy_op){TOY_ADD, 15, 0, 0, (int32_t)(20 + pick(200))};
    const size_t top = n, size = 6 + pick(10);
    for (size_t i = 0; i < size && n < room - 4; i++) {
        struct toy_op o = {body[pick(sizeof body)], (uint8_t)pick(14), (uint8_t)pick(14), 0, (int32_t)(pick(5000) * 4)};
        if (o.code == TOY_MASK) o.imm = 1 + (int32_t)pick(62);
        if (o.code == TOY_EVENT && pick(8)) o.code = TOY_NOP;
        if (barriers && pick(6) == 0) o = (struct toy_op){.code = TOY_BARRIER};
        op[n++] = o;
    }
    op[n] = (struct toy_op){TOY_LOOP, 15, 0, 0, (int32_t)top - (int32_t)n};
    n++;
    op[n++] = (struct toy_op){.code = TOY_END};
    return n;
}

#define TOY_RANDOM_OPS 32

/* A program with its memory; op has TOY_RANDOM_OPS of room. */
static inline struct toy_program random_launch(struct toy_op *op)
{
    struct toy_program program = {
        .op = op, .buffer = 1000 + pick(80000), .lds = pick(3) ? 512 + 4 * pick(9000) : 0, .plain = pick(2)};
    program.n = random_program(op, TOY_RANDOM_OPS, pick(2));
    if (!program.lds)
        for (size_t i = 0; i < program.n; i++)
            if (op[i].code == TOY_LSTORE || op[i].code == TOY_LLOAD) op[i].code = TOY_NOP;
    return program;
}

#endif
