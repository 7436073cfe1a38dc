/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scalars.h: the sources of scalar values, from the code alone: over moves, scalar arithmetic and scalar loads,
 * over all ways through a program.
 *
 * A value is a node: the value of a register at the start, a constant, a dword that was loaded, the result of a scalar
 * instruction.  Equal nodes are the same node, and a node's inputs have lower numbers than itself.  Where two ways meet
 * with different values, and after instructions that cannot be followed, the value is a node of its own kind without
 * inputs.
 *
 *     scalars.c     the nodes of a program           flow_text.c   a value as a path, "user s[2:3] + 0x20 -> T#"
 *     flow_value.c  their values, by registers at    flow_describe.c   a descriptor as text
 *                   the start and memory             resources.c, shader_inputs.c   `info resources`, `info inputs`
 */
#ifndef GCN_FLOW_H
#define GCN_FLOW_H

#include "gcn.h"
#include "gpudbg/text.h"

enum flow_kind {
    FLOW_START,  /* imm: the scalar's operand code */
    FLOW_CONST,  /* imm */
    FLOW_LOAD,   /* of an address in in[0], in[1]; in[2]: a register added to it, or 0; imm: bytes added,
                  * part 1: less than 0 */
    FLOW_BUFFER, /* the same of a V# whose first dwords are in[0] to in[2]; in[3]: the register, or 0 */
    FLOW_OP,     /* dword `part` of the result of row op with in[]; FLOW_SCC: its carry */
    FLOW_MEET,   /* imm: the operand code of a register that depends on the way to addr */
    FLOW_LOST,   /* the instruction at addr, of row op, cannot be followed */
};
enum { FLOW_SCC = 3, FLOW_INPUTS = 5 };

struct flow_node {
    uint8_t kind, part, n; /* n: number of inputs */
    uint16_t op;           /* enum gcn_row */
    uint32_t imm;
    uint32_t in[FLOW_INPUTS]; /* nodes; 0: none */
    uint32_t lost;            /* the node that cannot be followed: this one or an input's; 0: all can be */
    uint64_t addr;            /* of the first instruction found that makes the value */
};

/* Registers as nodes: operand codes 0 to 127, then SCC, then the latest call that was stepped over (0: none). */
enum { FLOW_SCC_AT = 128, FLOW_CALL_AT, FLOW_SLOTS };
struct flow_state {
    uint32_t at[FLOW_SLOTS];
};

struct flow;
/* The program from entry on, malloc'ed; NULL with an error: no code is there, it is too large, or the user has
 * interrupted it.  user: SGPRs that have user data at the start. */
struct flow *flow_new(
    struct gpudbg *, const struct gpudbg_image *, uint64_t entry, unsigned user, struct gpudbg_error *);
void flow_free(struct flow *);
const struct flow_node *flow_nodes(const struct flow *, size_t *n); /* [0] is not a node */
unsigned flow_user(const struct flow *);
const struct gpudbg_isa *flow_isa(const struct flow *);

/* Calls each(to, ...) for every instruction that can be reached, in the order of addresses, with the state before it,
 * until it returns false. */
typedef bool flow_insn_fn(void *to, const struct gpudbg_insn *, const struct flow_state *);
void flow_walk(const struct flow *, flow_insn_fn *each, void *to);
/* The node of dword k of an operand; 0: it is not a scalar. */
uint32_t flow_operand(struct flow *, const struct flow_state *, const struct gpudbg_operand *, unsigned k);

/* flow_text.c: n dwords as a path, "user s[2:3] + 0x20 -> T#"; what: the name of a descriptor, or NULL.  And the
 * instruction at which they cannot be followed further; nothing: all can be followed. */
void flow_path(const struct flow *, struct text *, const uint32_t *nodes, unsigned n, const char *what);
void flow_lost(const struct flow *, struct text *, const uint32_t *nodes, unsigned n);

/* flow_value.c: values of all nodes, malloc'ed.  start: scalars at the start by operand code, 128 of them, and a bit of
 * known for each; read: a dword of memory as it is now, false: it is not known. */
struct flow_values {
    uint32_t *value;
    uint8_t *known;
};
typedef bool flow_read_fn(void *from, uint64_t addr, uint32_t *dword);
bool flow_values(const struct flow *, const uint32_t *start, const uint8_t known[16], flow_read_fn *read, void *from,
    struct flow_values *, struct gpudbg_error *);
void flow_values_free(struct flow_values *);

/* The values with the scalars at the start and the memory of a launch, or of the file alone (flow_value.c). */
bool flow_values_now(struct gpudbg *, const struct flow *, struct flow_values *, struct gpudbg_error *);
unsigned flow_user_registers(const struct gpudbg_image *, const struct gpudbg_kernel *);

/* A descriptor that an instruction uses (flow_describe.c). */
struct flow_use {
    const struct flow *flow;
    const struct flow_values *values;
    const struct gpudbg_isa *isa; /* whose descriptors they are */
    char kind;                    /* V, T or S; c: the address of code */
    uint8_t n;                    /* dwords */
    uint32_t node[8];
};
/* Texts, as snprintf writes them; 0: its words are not known, or there is none. */
int flow_use_path(const struct flow_use *, char *buf, size_t size);
int flow_use_format(const struct flow_use *, char *buf, size_t size);
int flow_use_size(const struct flow_use *, char *buf, size_t size);
int flow_use_address(const struct flow_use *, char *buf, size_t size);

extern const struct gpudbg_listing gcn_resources; /* resources.c */
extern const struct gpudbg_listing gcn_inputs;    /* shader_inputs.c */

#endif
