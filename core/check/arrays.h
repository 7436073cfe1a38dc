/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arrays.h: the parts of `check array` for instruction sets whose code shows how the address of a variable is made
 * (gpudbg_dwarf.step): one for arrays in memory, one for arrays in registers.
 */
#ifndef GPUDBG_ARRAYS_H
#define GPUDBG_ARRAYS_H

#include <elfutils/libdw.h>
#include "check/check.h"

#define ARRAY_NAME 120
#define ARRAY_BLOCKS 32 /* most nested blocks that are searched */

/* A variable of a function. */
struct array_variable {
    Dwarf_Die die;
    uint64_t size; /* bytes */
    bool indexed;  /* an array or a structure: something can be overrun */
    bool placed;   /* debug information has a place for it, at some instructions at least */
};

/* A function that the code was made for, with the variables of all functions inlined in it. */
struct array_function {
    Dwarf_Die die;
    uint64_t low, base; /* as in struct scopes */
    bool fixed;         /* every known place holds at every instruction: the code is not optimised */
    struct array_variable *variable;
    size_t n;
};

struct array_functions {
    struct array_function *of;
    size_t n;
};

/* The function at pc; NULL: it is not known.  Valid until the next call. */
const struct array_function *array_function_at(struct array_functions *, const struct gpudbg_image *, uint64_t pc);
void array_functions_free(struct array_functions *);
/* All functions that were looked up so far.  The checkers free them when they end.  A checker must not keep their
 * addresses: each worker looks functions up itself. */
struct array_functions *checks_functions(struct gpudbg_checks *);
/* The variable of the wave's function that is at an address, for a lane that has loaded from there at pc.  NULL: debug
 * information knows none, or pc is of another function. */
const struct array_variable *array_variable_at(struct array_functions *, struct eval *, const struct gpudbg_wave *,
    int lane, uint64_t pc, unsigned space, uint64_t addr);
/* Writes "a (int[8])"; if buf has names already, appends: "a (int[8]) or b (int[8])". */
void array_name(const struct array_variable *, char buf[ARRAY_NAME]);

/* An instruction's accesses outside of an array. */
struct array_overrun {
    uint64_t pc, lanes, size, bytes; /* lanes 0: nothing; bytes: of one access */
    uint32_t wave;
    bool stores, registers;
    int64_t first; /* byte of the array that the first of them goes to */
    char name[ARRAY_NAME];
};

/* Reports it, if there is any, and forgets it. */
void array_report(struct gpudbg_checks *, struct array_overrun *);

/* What both parts share; borrowed. */
struct array_run {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    struct gpudbg_footprint *footprint; /* GPUDBG_FOOTPRINTS of them, for what an instruction reads and writes */
};

/* Memory. */
struct array_memory *array_memory_new(const struct array_run *);
void array_memory_free(struct array_memory *);
void array_memory_before(struct array_memory *, struct gpudbg_wave *, const struct gpudbg_insn *);
void array_memory_passed(struct array_memory *); /* an instruction that is not shown comes next */
void array_memory_access(struct array_memory *, struct gpudbg_wave *, const struct gpudbg_access *);
void array_memory_edit(struct array_memory *, struct gpudbg_wave *, unsigned file, unsigned index);

/* Registers. */
struct array_registers *array_registers_new(const struct array_run *);
void array_registers_free(struct array_registers *);
void array_registers_before(struct array_registers *, struct gpudbg_wave *, const struct gpudbg_insn *);

#endif
