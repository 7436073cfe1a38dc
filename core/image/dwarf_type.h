/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_type.h: what is asked of a type of the source.  A type is its DIE; those of variables come without typedefs and
 * qualifiers. */
#ifndef GPUDBG_DWARF_TYPE_H
#define GPUDBG_DWARF_TYPE_H

#include <elfutils/libdw.h>
#include "gpudbg.h"
#include "word/value_type.h"

/* The type of a variable, a member, or what a pointer or an array is of; false: void. */
bool die_type(Dwarf_Die *, Dwarf_Die *type);
/* Its bytes; 0: not known. */
uint64_t die_bytes(Dwarf_Die *type);
bool die_is_pointer(Dwarf_Die *type);
bool die_is_group(Dwarf_Die *type); /* a structure or union */
bool die_is_vector(Dwarf_Die *type);
/* The class of the memory that a pointer points into; 0: any. */
unsigned die_class(Dwarf_Die *pointer);
/* What numbers of this type are; bits 0: it is none. */
struct value_type die_number(Dwarf_Die *type);
/* The type of a DIE as the source spells it, nearly; depth: 0. */
void die_type_text(Dwarf_Die *, char *buf, size_t size, int depth);
/* The next member of a structure that has a name and a place; first: from the beginning. */
bool die_next_member(Dwarf_Die *group, Dwarf_Die *member, bool first, uint64_t *offset);

/* An array of which some dimensions are indexed already. */
struct die_array {
    Dwarf_Die element;
    uint64_t length, each; /* of the next dimension: how many, bytes of one */
    unsigned left;         /* dimensions behind it */
};

bool die_array(Dwarf_Die *type, unsigned indexed, struct die_array *);

#endif
