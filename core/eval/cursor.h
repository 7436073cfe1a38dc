/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cursor.h: a place on a variable of the source, or on a part of one, and its type: what stands there, as value and as
 * text. */
#ifndef GPUDBG_CURSOR_H
#define GPUDBG_CURSOR_H

#include "eval/dwarf_place.h"
#include "eval/expr.h"
#include "gpudbg/text.h"
#include "image/dwarf_scope.h"

struct cursor {
    struct eval *ev;
    uint32_t wave;
    int lane;
    char letter;      /* of the format of numbers */
    const char *name; /* where it stands in the expression */
    struct dwarf_place place;
    struct gpudbg_wave *caller; /* whose variables they are: the wave at its call; NULL: as it is now */
    Dwarf_Die type;
    unsigned indexed;     /* dimensions of an array that are passed */
    int64_t plus;         /* elements that are added to a pointer */
    uint64_t count, each; /* elements that "[2:5]" or "@4" names, from the cursor on, and bytes of one; 0: one alone */
    bool shape_only;      /* the type is asked for: nothing is read */
    bool inside;          /* a variable of several parts: others may stand in the same register */
};

/* Puts the cursor on a variable; false: it has no value here. */
bool cursor_on(struct cursor *, struct scopes *, Dwarf_Die *variable, struct gpudbg_error *);
/* From a pointer to what it points at, which is of this type. */
bool cursor_follow(struct cursor *, const Dwarf_Die *to, struct gpudbg_error *);
/* It has elements or members. */
bool cursor_has_parts(const struct cursor *);

/* The value of a number or a pointer.  One into the work-item's own memory has no address of one number. */
bool cursor_value(const struct cursor *, struct value *, struct gpudbg_error *);
/* The text of all of it; depth: how many structures and arrays are around it. */
void cursor_text(const struct cursor *, struct text *, int depth);
/* `count` of what the cursor is on. */
void cursor_elements(const struct cursor *, struct text *, int depth);

/* Puts the cursor on the type of the variable, or of a part of one, that is all of the expression, as it is called at
 * an address; nothing is read.  *entry: the variable's in the debug information, as scopes_number counts. */
bool cursor_shape(
    struct eval *, uint32_t wave, int lane, uint64_t at, const char *expr, struct cursor *, uint64_t *entry);
/* ... on the variable itself where the wave stands.  The name is that of the entry, whatever hides it there. */
bool cursor_expression(
    struct eval *, uint32_t wave, int lane, const char *expr, uint64_t entry, struct cursor *, struct gpudbg_error *);

/* What is in scope for the wave in the frame that is selected, and from which scope outwards; NULL: nothing.  *caller:
 * as in struct cursor. */
struct scopes *locals_scopes(struct eval *, uint32_t wave, int *from, struct gpudbg_wave **caller);

#endif
