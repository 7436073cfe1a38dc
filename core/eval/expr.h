/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expr.h: the expression language.
 *
 *     1 + 2 * 3, a < b ? 1 : 2, (f32)$v1 * 0.5      C's operators and precedence
 *     $s4 $v1 $v1[3] $v1[0:7] $v1[:] $s[4:7]        registers: alone, in a lane, in lanes, several as one
 *     $r10.2 $r10.2:f                               an element of a wide register: the third dword, the third float
 *     a[0:7] a[:] a[3]@8                             several elements of memory
 *     count($v0 > 3) max($v0[:])                    over the lanes of waves: over_lanes.h
 *     $pc $wave $lane $position                     where we are; expr_where.c has all such names
 *     *(u32*)addr, *(f32*)lds:16, a[3]              memory; NAME: before an address is its space
 *     a, vadd, L0080                                buffers, symbols and labels are their addresses
 *     $x, $x = 5, $1, $, $$, $$3                    convenience variables and the value history
 *     $_isvoid($x)                                  1 if it was never set: to read it is an error then
 *
 * A register, and memory that has no type, holds unsigned words of 32 bits (64 where it is that wide).  A cast of a
 * bare register or of such memory says how to read its bits; a cast of anything else converts, as in C.  A number takes
 * the type of what it meets if it fits there, so $s4 - 1 is 32 bits wide and 1 << 40 is 64.
 */
#ifndef GPUDBG_EXPR_H
#define GPUDBG_EXPR_H

#include "eval/eval.h"
#include "gpudbg.h"
#include "word/value_type.h"

struct value {
    struct value_type type;
    struct value_type to;      /* it is a pointer to these: + and - count in them */
    struct value_type element; /* it names memory of these: only [] counts in them */
    struct value_type shown;   /* kept from a bare register: what it showed (typed.h), while it is `whole` */
    uint8_t space;             /* of the address that the value is, for x and * */
    bool untyped;              /* a literal, or made of literals */
    bool pattern;              /* a literal of base 16, 8 or 2: from 2^31 to 2^32-1 C has it unsigned */
    bool address;              /* shown in hex, with its symbol */
    bool mask;                 /* shown in hex */
    bool digits;               /* the same of a register of fields, or of an address: see value_in_hex */
    bool truth;                /* of a comparison, or a bit of a mask: 0 or 1 */
    bool own;                  /* a pointer into the work-item's own memory: no number to reckon with */
    union {
        uint64_t u;
        int64_t i;
        double f;
    };
    /* An lvalue: where it came from. */
    enum value_place { PLACE_NONE, PLACE_REGISTER, PLACE_MEMORY, PLACE_VARIABLE, PLACE_PC } place;
    uint16_t file, reg, count; /* REGISTER: first and how many */
    uint8_t first;             /* REGISTER: first dword of it (1: the high half) */
    bool part; /* REGISTER: only as many bits of it as the type has, from bit `shift` of dword `first` on */
    uint8_t shift;
    bool whole;    /* REGISTER, MEMORY: bits that nothing has given a type yet */
    bool mask_bit; /* REGISTER: bit `lane` of a mask */
    bool many;     /* REGISTER: several lanes, or more than 64 bits; MEMORY: several elements: to be shown or stored to,
                      not to reckon with */
    int16_t lane, lanes; /* REGISTER with lanes: first, and how many */
    uint64_t addr;       /* MEMORY */
    uint32_t elements; /* MEMORY: if many, how many, each of `type`; an address: how many its array has; 0: not known */
    uint64_t above;    /* MEMORY: where the high 4 of its 8 bytes are, if not behind the low ones; 0: they are */
    char name[32];     /* VARIABLE */
    bool is_text;      /* not a number: `text`, which only == and != accept */
    char text[48];
};

/*
 * Evaluates all of `text` for the selected wave and lane.  This changes nothing: an assignment in it is an error of
 * kind "usage", in every function here but expr_value_changing.
 */
bool expr_value(struct eval *, const char *text, struct value *, struct gpudbg_error *);
/* The same, and what it assigns is assigned: for commands that are there to change something, and for no other. */
bool expr_value_changing(struct eval *, const char *text, struct value *, struct gpudbg_error *);
/* Whether a text that is evaluated later could be: it assigns nothing, and every $name in it is known. */
bool expr_readable(struct eval *, const char *text, struct gpudbg_error *);
/* The same as one whole number. */
bool expr_number(struct eval *, const char *text, uint64_t *value, struct gpudbg_error *);
/* The same for another wave and lane: conditions, `lane apply`. */
bool expr_value_in(struct eval *, uint32_t wave, int lane, const char *text, struct value *, struct gpudbg_error *);
/* An address to look at: the place of what stands in memory, else the value. */
bool expr_place(struct eval *, const char *text, unsigned *space, uint64_t *addr, struct gpudbg_error *);
/* Of what the parameter points to, where the source spells it "float*"; bits 0: no number. */
struct value_type expr_element_type(const struct gpudbg_param *);
/* An element of a buffer of the launch, as people name it.  buffer_place.c */
struct buffer_place {
    const struct gpudbg_segment *segment; /* that the address is in; NULL: in none */
    struct value_type element;
    uint64_t index, row_length; /* row_length 0: it has no rows that one knows of */
    char name[160];             /* "c[17]" */
};
/* false: no element begins there, or nobody says what the elements are. */
bool buffer_place(const struct eval *, unsigned space, uint64_t addr, struct buffer_place *);
/* " (row 1, column 49)", or nothing.  Like snprintf. */
int buffer_place_row(const struct buffer_place *, char *buf, size_t size);
bool expr_true(const struct value *);
/* Whether a condition holds. */
bool expr_holds(struct eval *, uint32_t wave, int lane, const char *text, bool *holds, struct gpudbg_error *);
/* The state-th completion of the last name in text, malloc'ed. */
char *expr_complete(struct eval *, const char *text, unsigned state);

#endif
