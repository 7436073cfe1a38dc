/* SPDX-License-Identifier: GPL-3.0-or-later */
/* atomic.h: the data port's atomic operations on integers, by the number in the descriptor. */
#ifndef GEN_ATOMIC_H
#define GEN_ATOMIC_H

#include <stdint.h>

enum gen_atomic {
    GEN_ATOMIC_AND = 1,
    GEN_ATOMIC_OR,
    GEN_ATOMIC_XOR,
    GEN_ATOMIC_MOV,
    GEN_ATOMIC_INC,
    GEN_ATOMIC_DEC,
    GEN_ATOMIC_ADD,
    GEN_ATOMIC_SUB,
    GEN_ATOMIC_REVSUB,
    GEN_ATOMIC_IMAX,
    GEN_ATOMIC_IMIN,
    GEN_ATOMIC_UMAX,
    GEN_ATOMIC_UMIN,
    GEN_ATOMIC_CMPWR,
    GEN_ATOMIC_PREDEC,
};

/* The number of its operands besides the value in memory. */
static inline unsigned gen_atomic_operands(unsigned op)
{
    return op == GEN_ATOMIC_INC || op == GEN_ATOMIC_DEC || op == GEN_ATOMIC_PREDEC ? 0
           : op == GEN_ATOMIC_CMPWR || op == 0                                     ? 2
                                                                                   : 1;
}

/* The new value in memory; cells of `size` bytes. */
static inline uint64_t gen_atomic(unsigned op, uint64_t old, uint64_t a, uint64_t b, unsigned size)
{
    unsigned shift = 64 - 8 * size;
    int64_t sold = (int64_t)(old << shift), sa = (int64_t)(a << shift);
    switch (op) {
    case GEN_ATOMIC_AND: return old & a;
    case GEN_ATOMIC_OR: return old | a;
    case GEN_ATOMIC_XOR: return old ^ a;
    case GEN_ATOMIC_MOV: return a;
    case GEN_ATOMIC_INC: return old + 1;
    case GEN_ATOMIC_DEC:
    case GEN_ATOMIC_PREDEC: return old - 1;
    case GEN_ATOMIC_ADD: return old + a;
    case GEN_ATOMIC_SUB: return old - a;
    case GEN_ATOMIC_REVSUB: return a - old;
    case GEN_ATOMIC_IMAX: return sold > sa ? old : a;
    case GEN_ATOMIC_IMIN: return sold < sa ? old : a;
    case GEN_ATOMIC_UMAX: return old > a ? old : a;
    case GEN_ATOMIC_UMIN: return old < a ? old : a;
    case GEN_ATOMIC_CMPWR: return old == a ? b : old;
    default: return old;
    }
}

/* The value that the message returns. */
static inline uint64_t gen_atomic_answer(unsigned op, uint64_t old, uint64_t now)
{
    return op == GEN_ATOMIC_PREDEC ? now : old;
}

#endif
