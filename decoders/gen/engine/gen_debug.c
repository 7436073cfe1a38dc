/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_debug.c: the meaning of Intel's debug information.  DWARF numbers r0 to r255 from 16 to 271, in threads of 128
 * and of 256 registers (IGC, DebugInfo/DIE.hpp).  Variables have a place for each lane, in registers or in the frame,
 * which is in memory that any lane can address; so expressions ask for the lane.  The three operations and these
 * numbers are those that ocloc writes (IGC 1.0.12504, -g, with and without -cl-opt-disable), compared with the
 * results of the code: t/oracle/gen_variables.t.  Two things that it writes are wrong, and corrected here: bytes and
 * words in registers are 32 bits apart in its expressions but consecutive in its code; a pointer into local memory in
 * code without optimisation is the low half of the pointer's own address.
 */
#include <string.h>
#include "code/footprint.h"
#include "gen.h"

enum { FIRST_GRF = 16, GRFS = 256 };

static bool debug_register(unsigned number, unsigned *file, unsigned *reg)
{
    if (number < FIRST_GRF || number >= FIRST_GRF + GRFS) return false;
    *file = GEN_GRF;
    *reg = number - FIRST_GRF;
    return true;
}

/* R_ZE_SYM_ADDR and R_ZE_SYM_ADDR_32 of zebin (its specification, "Relocations"). */
static unsigned relocated(uint64_t type) { return type == 1 ? 8 : type == 2 ? 4 : 0; }

/* The stack calls of IGC return values from r26 on: all lanes of the first component, consecutively, then all of the
 * second. */
static bool returned_in(
    unsigned width, unsigned lane, unsigned before, unsigned bytes, unsigned *file, unsigned *reg, unsigned *byte)
{
    const unsigned at = before * width + lane * bytes;
    *file = GEN_GRF;
    *reg = 26 + at / 32;
    *byte = at % 32;
    return lane < width && *reg < GRFS;
}

/* ---- Addresses of variables ---- */

/* Code of ocloc without optimisation writes 0 to 7 as a vector of words, adds 8 for the next eight lanes, widens them,
 * and multiplies them by the size of a variable: the lane's copy is that far after the first one. */
#define FIRST_LANES UINT64_C(0x76543210)

static bool plain(const struct gen_operand *o) { return !o->neg && !o->abs; }

static bool whole(const struct gen_operand *o)
{
    return plain(o) && !gen_type_is_float(o->type) && o->type != GEN_V && o->type != GEN_UV && o->type < GEN_NF;
}

static struct gpudbg_step moved(const struct gen_insn *x)
{
    const struct gen_operand *from = &x->src[0];
    if (from->mode == GEN_IMMEDIATE)
        return (struct gpudbg_step){
            .kind = (from->type == GEN_V || from->type == GEN_UV) && (uint32_t)from->imm == FIRST_LANES
                        ? GPUDBG_STEP_NUMBERS
                        : GPUDBG_STEP_OTHER};
    const bool same = plain(from) && from->type == x->dst.type;
    const bool wider = whole(from) && whole(&x->dst) && gen_type_size[x->dst.type] >= gen_type_size[from->type];
    return (struct gpudbg_step){.kind = same || wider ? GPUDBG_STEP_MOVE : GPUDBG_STEP_OTHER};
}

static int64_t constant(const struct gen_operand *o)
{
    switch (o->type) {
    case GEN_W: return (int16_t)o->imm;
    case GEN_UW: return (uint16_t)o->imm;
    case GEN_D: return (int32_t)o->imm;
    default: return (uint32_t)o->imm;
    }
}

static struct gpudbg_step address_step(const struct gpudbg_insn *insn)
{
    struct gpudbg_step step = {.kind = GPUDBG_STEP_OTHER};
    struct gen_insn x;
    gen_unpack(insn, &x);
    if (x.saturate) return step;
    if (GEN_IS(x.op, MOVE)) return moved(&x);
    if ((!GEN_IS(x.op, SUM) && !GEN_IS(x.op, PRODUCT)) || !whole(&x.src[0]) || !whole(&x.src[1]) || !whole(&x.dst))
        return step;
    for (unsigned i = 0; i < 2; i++) {
        if (x.src[i].mode != GEN_IMMEDIATE) continue;
        step.constant = true;
        step.by = constant(&x.src[i]);
    }
    if (GEN_IS(x.op, SUM))
        step.kind = GPUDBG_STEP_ADD;
    else if (step.constant)
        step.kind = GPUDBG_STEP_SCALE;
    return step;
}

static int address_word(const struct gpudbg_insn *insn, const char *role, unsigned i)
{
    struct gen_insn x;
    gen_unpack(insn, &x);
    const bool destination = strcmp(role, "dst") == 0;
    if (x.shape == GEN_SEND || (!destination && (strncmp(role, "src", 3) != 0 || role[3] < '0' || role[3] > '2')))
        return -1;
    const struct gen_operand *o = destination ? &x.dst : &x.src[role[3] - '0'];
    if (o->mode != GEN_INDIRECT || o->addr_imm) return -1;
    return o->addr_sub + (o->vx ? (int)(i / (o->width ? o->width : 1u)) : 0);
}

const struct gpudbg_dwarf gen_dwarf = {.reg = debug_register,
    .relocated = relocated,
    .lane_op = 0xed,
    .register_op = 0xeb,
    .bits_op = 0xec,
    .bits_least = 32,
    .width = 0x2400,
    .returned_in = returned_in,
    .step = address_step,
    .through = address_word,
    .pointers = GEN_A0};
