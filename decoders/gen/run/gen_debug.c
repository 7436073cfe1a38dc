/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_debug.c: what Intel's debug information means.  DWARF numbers r0 to r127 from 16 on.  Variables have a place for
 * each lane, in registers or in the frame, which lies in memory that any lane can address; so expressions ask for the
 * lane.  The three operations and these numbers are what ocloc writes (IGC 1.0.12504, -g, with and without
 * -cl-opt-disable), held against what the code computes: t/oracle/gen_variables.t.  Two things it writes are wrong, and
 * not believed: bytes and words in registers stand 32 bits apart in its expressions and one behind another in its code;
 * a pointer into local memory that is not optimised is the low half of the address where the pointer stands.
 */
#include "code/footprint.h"
#include "gen.h"

enum { FIRST_GRF = 16, GRFS = 128 };

static bool debug_register(unsigned number, unsigned *file, unsigned *reg)
{
    if (number < FIRST_GRF || number >= FIRST_GRF + GRFS) return false;
    *file = GEN_GRF;
    *reg = number - FIRST_GRF;
    return true;
}

/* R_ZE_SYM_ADDR and R_ZE_SYM_ADDR_32 of zebin (its specification, "Relocations"). */
static unsigned relocated(uint64_t type) { return type == 1 ? 8 : type == 2 ? 4 : 0; }

/* The stack calls of IGC return values from r26 on: all lanes of the first component, one behind another, then all of
 * the second. */
static bool returned_in(
    unsigned width, unsigned lane, unsigned before, unsigned bytes, unsigned *file, unsigned *reg, unsigned *byte)
{
    const unsigned at = before * width + lane * bytes;
    *file = GEN_GRF;
    *reg = 26 + at / 32;
    *byte = at % 32;
    return lane < width && *reg < GRFS;
}

const struct gpudbg_dwarf gen_dwarf = {.reg = debug_register,
    .relocated = relocated,
    .lane_op = 0xed,
    .register_op = 0xeb,
    .bits_op = 0xec,
    .bits_least = 32,
    .width = 0x2400,
    .returned_in = returned_in};
