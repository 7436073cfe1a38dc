/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hazard.h: the rules of `check hazard` (hazards.def), and what instructions are in them. */
#ifndef GCN_HAZARD_H
#define GCN_HAZARD_H

#include "gcn.h"

/* What an instruction ends (hazards.def). */
enum {
    ENDS_AGE = 1,
    ENDS_VALU = 2,
    ENDS_VALU_WORK = 4,
    ENDS_VALU_SCALAR = 8,
    ENDS_SALU = 16,
    ENDS_WAIT_VM = 32,
    ENDS_WAIT_LGKM = 64,
    ENDS_WAIT_VS = 128,
    ENDS_WAIT = 256,
    ENDS_VM_VSRC = 512,
    ENDS_SA_SDST = 1024,
    ENDS_LOCAL = 2048,
    ENDS_MEMORY = 4096,
    ENDS_CALL = 8192, /* all that age does not end: nobody knows what callers and functions leave to each other */
};

enum hazard_first {
#define FIRST(id, ends) id,
#include "hazards.def"
    HAZARD_FIRSTS
};
extern const uint16_t hazard_ends[HAZARD_FIRSTS];

enum hazard_second {
    GETREG_SAME,
    SETREG_SAME,
    VECTOR, /* any vector instruction */
    DIV_FMAS,
    ZERO_FLAG,   /* VCCZ or EXECZ as a source of a vector operation */
    LANE_SELECT, /* of v_readlane, v_writelane */
    VALU_VECTOR, /* a vector operation that writes VGPRs */
    SCALAR_LOAD,
    SCALAR_WRITE,     /* a scalar instruction whose operand is written */
    SCALAR_BY_VECTOR, /* a vector operation that writes scalars */
    EXEC_BY_VECTOR,   /* ... EXEC */
    PERMLANE,
    LOCAL_ACCESS,
    MEMORY_ACCESS, /* by a word that is not FLAT */
    ODD_BUFFER,    /* a buffer access whose offset has bit 1 or 2 */
    ANY_SCATTERED, /* an image access with addresses in any VGPRs */
    BRANCH_BY_3F,
    PREFETCH,
    DENORM_MODE,
};

/* Registers: SCALAR by operand code, HARDWARE by number.  NONE: the rule is about no register. */
enum hazard_space { SCALAR, VGPR, HARDWARE, SKIP, NONE };
struct range {
    uint8_t space;
    uint16_t first, count;
};

struct rule {
    const char *name;
    uint16_t from, until; /* chips: struct gcn_chip.isa's, by their age */
    uint8_t first, second, states;
    const char *does, *did, *since, *remedy;
};
#define HAZARD_RULES_MOST 24
extern const struct rule hazard_rules[];
extern const unsigned hazard_nrules;
bool hazard_applies(const struct rule *, const struct gcn_chip *);

typedef void hazard_fn(void *to, const struct gpudbg_insn *, unsigned which, struct range);
/* Calls each() with what the instruction is as a first, and the registers for it. */
void hazard_firsts(const struct gpudbg_insn *, hazard_fn *each, void *to);
bool hazard_is_second(const struct gpudbg_insn *, enum hazard_second);
/* Calls each() with the registers by which a second meets its firsts; `which` is passed on. */
void hazard_ranges(const struct gpudbg_insn *, enum hazard_second, unsigned which, hazard_fn *each, void *to);
unsigned hazard_ending(const struct gpudbg_insn *); /* ENDS_ bits */
bool hazard_is_branch(const struct gpudbg_insn *);

#endif
