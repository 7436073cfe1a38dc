/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * typing.h: what registers hold at each place of some code, by their last writer: a float, an integer, and how wide.
 *
 * The writer says it, by the types of its operands; a move hands on what it moves, a load the element of the buffer
 * that its address points into, or what was stored to the group's memory.  What is then not known (masks, what the
 * launch leaves) is what its first reader takes it for.  Where several writers reach a place, all of their types do.
 * Nothing of this costs time while code runs: the code is read once, when somebody asks, and states stay as long as
 * its bytes.
 */
#ifndef GPUDBG_TYPING_H
#define GPUDBG_TYPING_H

#include "gpudbg.h"

/* Sets of types are bits. */
enum typing_type {
    TYPING_WHOLE = 1, /* an integer of 32 bits, with a sign or without */
    TYPING_U8 = 1 << 1,
    TYPING_S8 = 1 << 2,
    TYPING_U16 = 1 << 3,
    TYPING_S16 = 1 << 4,
    TYPING_U32 = 1 << 5,
    TYPING_S32 = 1 << 6,
    TYPING_U64 = 1 << 7,
    TYPING_S64 = 1 << 8,
    TYPING_F16 = 1 << 9,
    TYPING_F32 = 1 << 10,
    TYPING_F64 = 1 << 11,
    TYPING_HIGH = 1 << 12, /* the high half of the number in front of it */
    TYPING_ARGUMENTS = 1 << 13,
    TYPING_DIGITS = 1 << 14, /* a mask, or half of one */
};

/* `now`: of the writers that reach the place.  `before`: of earlier ones, whose values are left in lanes that did not
 * run when it was written.  0: nobody says.  `to`: it is the low word of a pointer to these, or (TYPING_ARGUMENTS) to
 * the kernel's arguments. */
struct typed {
    uint16_t now, before, to;
};

/* What the launch puts into registers and behind them. */
struct typing_start {
    uint64_t entry;
    bool arguments; /* the register at unit `at` of `file` holds the low word of the address of the arguments */
    uint8_t file;
    uint32_t at;
    struct typing_argument {
        uint32_t offset, size; /* bytes */
        uint16_t types, to;    /* `to`: it is a pointer to these */
    } * argument;
    size_t n;
};

struct typing;

/* Of the code that control reaches from an entry on, in the bytes of one section.  NULL with an error: "memory",
 * "too-large", "not-now". */
struct typing *typing_new(
    const struct gpudbg_isa *, const struct gpudbg_section *, const struct typing_start *, struct gpudbg_error *);
void typing_free(struct typing *);
/* Whether an instruction of this code begins at pc; `behind`: ends there. */
bool typing_has(struct typing *, uint64_t pc, bool behind);
/* Of a unit (uses.h) before the instruction at pc, or after the one that ends there. */
struct typed typing_of(struct typing *, uint64_t pc, bool behind, unsigned file, uint32_t at);

#endif
