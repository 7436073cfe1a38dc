/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * origin.h: where a value comes from, as a tree.
 *
 * A node is a value in a place, and the instruction that wrote it; its children are the inputs of that instruction,
 * with the values that they had.  Copies, moves between lanes, loads and stores pass a value on unchanged: they are
 * skipped and counted.  A leaf is a value that no instruction has written: memory as launched, registers that the
 * launch fills, constants, and unwritten registers and memory.
 */
#ifndef GPUDBG_ORIGIN_H
#define GPUDBG_ORIGIN_H

#include "past/past.h"
#include "machine/inputs.h"

struct origin_node {
    unsigned depth; /* the root has 0; children follow their parent */
    enum input_role role;
    char name[96];           /* "$v0[37]", "*(u32*)0x100000018" */
    char value[PAST_TEXT];   /* "" : out of reach */
    int plain;               /* bytes of it before the bits in parentheses */
    bool found;              /* an instruction wrote it: */
    struct past_write write; /* the last one that did not only copy it */
    unsigned copies;         /* passed over */
    bool cut;                /* its inputs are not followed: deeper than was asked for, or too many rows */
    char leaf[160];          /* !found: what it is */
    /* Below the root: how to ask again what it comes from. */
    struct insn_input input;
    struct value_type type; /* as which it is shown */
    uint64_t asked;         /* the position at which it had this value */
    uint32_t wave;
};

struct origin_want {
    unsigned depth;
    size_t rows;
    bool copies;    /* follow them like other instructions */
    bool values;    /* of what is `depth` levels down, the values alone */
    bool addresses; /* below a value that was loaded or stored: what the address was computed from */
};

/* The nodes, parents first, malloc'ed; *n of them.  NULL with an error. */
struct origin_node *origin_of(
    struct eval *, const char *what, struct past_place *, const struct origin_want *, size_t *n, struct gpudbg_error *);

/* The same for an input: the first node is the input again, as deep as the first of a tree of its own. */
struct origin_node *origin_of_input(
    struct eval *, const struct origin_node *input, const struct origin_want *, size_t *n, struct gpudbg_error *);

/* The same for why a lane stopped running at the instruction after the position: that instruction is the root. */
struct origin_node *origin_of_lane(struct eval *, uint32_t wave, int lane, uint64_t position, const char *what,
    const struct origin_want *, size_t *n, struct gpudbg_error *);
/* What the address was computed from at which the lane (-1: any) loads or stores, by the instruction at `pc` before
 * which the position is, or nearly: one node.  NULL: it is not known. */
struct origin_node *origin_of_address(struct eval *, uint32_t wave, int lane, uint64_t position, uint64_t pc);
/* ... in words: "the address is from $v4[3] = 8192, computed at matmul+0x94 (position 825): ..."; 0: it is not known,
 * and the text is empty.  Like snprintf. */
int origin_address_text(struct eval *, uint32_t wave, int lane, uint64_t position, uint64_t pc, char *buf, size_t size);
/* ... and of why the lane is left out of the wave's next instruction, whose predicate says so; *n 0: it is not. */
struct origin_node *origin_of_predicate(
    struct eval *, uint32_t wave, int lane, const struct origin_want *, size_t *n, struct gpudbg_error *);

/* ---- Parts of it, for those who follow inputs themselves; the machine stays where it is ---- */

/* The inputs of the wave's next instruction that the place, which it writes, is computed from; p NULL: ... that decide
 * whether the lane runs behind it. */
size_t origin_inputs(
    struct eval *, uint32_t wave, const struct past_place *p, int lane, struct insn_input to[INPUTS_MOST]);
/* An input of the wave's as a place, to be freed, with its name; a value as large as the type is shown as it says (bits
 * 0: as a number).  false: it follows from the launch. */
bool origin_place(struct eval *, uint32_t wave, const struct insn_input *, struct value_type, struct past_place *,
    char *name, size_t size);
/* Describes a place that was never written. */
void origin_leaf(struct eval *, const struct past_place *, char *buf, size_t size);

#endif
