/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_place.h: where DWARF says that a variable is, and its bytes. */
#ifndef GPUDBG_DWARF_PLACE_H
#define GPUDBG_DWARF_PLACE_H

#include <elfutils/libdw.h>
#include "eval/eval.h"
#include "gpudbg.h"

#define PLACE_PARTS 48

enum dwarf_where {
    DWARF_CONSTANT,  /* the value itself */
    DWARF_REGISTERS, /* in registers of 4 bytes, one after another */
    DWARF_MEMORY,    /* at an address of a space */
    DWARF_OWN,       /* in memory of the work-item */
    DWARF_BYTES,     /* bytes that somebody kept */
    DWARF_COMPUTED,  /* nowhere: operations on registers give its value */
};

#define DWARF_NOWHERE 0xffff

struct dwarf_place {
    enum dwarf_where where;
    uint64_t number; /* CONSTANT: the value; MEMORY: address; OWN: byte of the frame */
    unsigned space;  /* MEMORY: index in machine->space */
    struct dwarf_part {
        uint16_t file, reg; /* DWARF_NOWHERE in place of a file: optimised out */
        uint8_t first;      /* dword of the register; of the lane's, where it has lanes */
        uint8_t byte;       /* of the dword */
        uint8_t bytes;      /* from there on; 0: 4 */
        bool widened;       /* the dword holds as a float what is a half in memory */
    } part[PLACE_PARTS];    /* REGISTERS */
    unsigned parts;
    const uint8_t *bytes;       /* BYTES: `number` of them */
    unsigned argument;          /* CONSTANT, BYTES: of the launch, counted from 1; 0: of none */
    bool framed;                /* MEMORY: found through a register that the prologue sets */
    struct gpudbg_wave *caller; /* whose registers and frame are meant: the wave as it was at a call; NULL: as it is */
    Dwarf_Attribute attribute;  /* COMPUTED: of the operations, which live as long as the image */
    Dwarf_Op *op;
    size_t nops;
    uint64_t offset; /* of what is looked at, in bytes, behind the beginning; of MEMORY it is in number already */
};

/* The place of a variable for a lane at pc, which counts as the debug information does; false with an error that says
 * why it has none.  function: has the DW_AT_frame_base, or NULL.  caller: as in struct dwarf_place. */
bool dwarf_place(struct eval *, uint32_t wave, int lane, struct gpudbg_wave *caller, Dwarf_Die *variable,
    Dwarf_Die *function, uint64_t pc, struct dwarf_place *, struct gpudbg_error *);
/* Whether the debug information gives it a place at pc, without looking at any wave. */
bool dwarf_has_place(const struct eval *, Dwarf_Die *variable, uint64_t pc);
/* The part of REGISTERS that byte `at` is in, counted from the beginning; *byte: which of its bytes that is.  NULL: it
 * is behind the last. */
const struct dwarf_part *dwarf_part_at(const struct dwarf_place *, uint64_t at, unsigned *byte);
/* The bytes [offset, offset + size) of it, for one lane. */
bool dwarf_place_read(struct eval *, uint32_t wave, int lane, const struct dwarf_place *, uint8_t *to, size_t size,
    struct gpudbg_error *);
/* The address of `size` bytes of it, where they stand in memory one after another; false: they do not. */
bool dwarf_place_address(
    struct eval *, uint32_t wave, int lane, const struct dwarf_place *, size_t size, unsigned *space, uint64_t *addr);
/* Moves on by so many bytes. */
void dwarf_place_move(struct dwarf_place *, uint64_t bytes);
/* In words: "v3", "s[4:5]", "private 0x18", "lds:0x40", "constant". */
int dwarf_place_text(const struct eval *, const struct dwarf_place *, size_t size_of_value, char *buf, size_t size);

#endif
