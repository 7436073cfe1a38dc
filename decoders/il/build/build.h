/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * build.h: the state of building a program, shared by:
 *
 *     build.c    packets to ops, in two passes     declare.c   what declarations say
 *     place.c    registers in places               link.c      blocks, subroutines, the stack
 */
#ifndef IL_BUILD_H
#define IL_BUILD_H

#include "run/il_run.h"

#define IL_CP_SCOPE 0x8000 /* outputs of a hull shader's control-point phase */

/* A register that is kept in slots; or all of a type, up to the largest (`whole`). */
struct il_use {
    uint16_t scope;
    uint8_t type;
    bool whole;
    uint32_t number, count; /* count: of an indexed array */
};

struct il_making {
    struct il *r;
    const struct gpudbg_isa *isa;
    struct gpudbg_error *err;
    const uint8_t *code;
    uint16_t scope;      /* of the packet at hand */
    bool control_points; /* it is in the control-point phase */
    struct il_use *use;
    size_t nuses, use_room;
    struct il_constant *constant;
    size_t nconstants, constant_room;
    uint64_t pc;
    uint32_t *tail;  /* of each opener: the op whose partner is to be set by the next one of its block */
    uint32_t *macro; /* mdef of each number */
    uint32_t macro_arguments[1 << 14]; /* the token of each mdef + 1, or 0 */
};

bool il_no_memory(const struct il_making *); /* fails */
/* Makes room for one more element of an array that has n. */
bool il_grow(void **array, size_t *room, size_t n, size_t size);

/* ---- place.c ---- */

uint16_t il_scope_of(const struct il_making *, unsigned type);
/* First pass: notes registers that need places. */
bool il_note_use(struct il_making *, unsigned type, uint32_t number, uint32_t count, bool whole);
bool il_note_operand(struct il_making *, const struct il_operand *);
bool il_place_registers(struct il_making *);
/* Second pass: where an operand's register is. */
bool il_place_operand(const struct il_making *, const struct il_operand *, struct il_location *);
/* What a source's modifier says. */
void il_take_source(const struct il_operand *, struct il_source *);

/* ---- declare.c ---- */

bool il_declare(struct il_making *, const struct il_packet *);
/* Once registers have places: what they hold at first. */
bool il_declare_defaults(struct il_making *);
/* Copies n tokens that follow a packet's operands. */
bool il_extra_words(struct il_making *, const struct il_packet *, uint32_t from, uint32_t n, const uint32_t **out);

/* ---- link.c ---- */

bool il_link(struct il_making *);
bool il_measure_stack(struct il_making *);

#endif
