/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_scope.h: the scopes of the source that an address of an image is in. */
#ifndef GPUDBG_DWARF_SCOPE_H
#define GPUDBG_DWARF_SCOPE_H

#include <elfutils/libdw.h>
#include "gpudbg.h"

#define SCOPES 48 /* within each other */

/* What is in scope at an address. */
struct scopes {
    Dwarf_Die die[SCOPES]; /* as they stand in each other: the innermost first, inlined functions in their callers, the
                              unit last */
    int n;
    Dwarf_Die function; /* that the code was made for */
    bool has_function;
    uint64_t pc, ready; /* ready: from here on the function's frame holds what it should */
    uint64_t base;      /* where the addresses of this debug information count from */
};

/* Adds an ELF file whose debug information belongs to the image, while loading: its bytes live as long as the image's,
 * or are `owned` (malloc'ed, taken over).  It is opened when first asked for. */
void scopes_add_file(struct gpudbg_image *, const uint8_t *bytes, size_t size, uint64_t base, void *owned);
/* An entry of the image's debug information as a number that no other one has. */
uint64_t scopes_number(const struct gpudbg_image *, Dwarf_Die *);

/* The scopes at pc, good until those of another address are asked for; NULL: there are none. */
struct scopes *scopes_at(const struct gpudbg_image *, uint64_t pc);
/* The scope around scope i that code of scope i sees: of an inlined function the unit. */
int scopes_around(struct scopes *, int i);
/* The innermost function, inlined or not, whose code is at pc, as a number that no other one of the image has; 0: none
 * is known. */
uint64_t scopes_function(const struct gpudbg_image *, uint64_t pc);

/* The addresses [lo, hi) of its code; returns how many pieces there are, of which at most `most` are given. */
struct code_piece {
    uint64_t lo, hi;
};
size_t scopes_pieces(const struct gpudbg_image *, uint64_t function, struct code_piece *, size_t most);
/* The function inlined at pc that `depth` others are inlined into there, as scopes_function numbers it; 0: none. */
uint64_t scopes_inlined_at(const struct gpudbg_image *, uint64_t pc, unsigned depth);

/* Where a copy of a function begins: [entry, end) is its code; of an inlined one it may lie in several pieces, and end
 * is 0. */
struct function_copy {
    uint64_t entry, end;
    bool inlined;
};
/* Calls each(to, ...) for every copy of the functions of that name in the source, or of that symbol. */
void scopes_each_copy(
    const struct gpudbg_image *, const char *name, void (*each)(void *to, const struct function_copy *), void *to);
/* The i-th name of a function that was inlined somewhere, in no order and perhaps more than once; NULL: no more. */
const char *scopes_inlined(const struct gpudbg_image *, size_t i);
/* Adds symbols of functions that only the debug information of a kernel names, which lies in a file within the file. */
void scopes_add_functions(struct gpudbg_image *);
/* Gives parameters of kernels that the file does not name the names of the source. */
void scopes_name_parameters(struct gpudbg_image *);
/* The type that scopes_number gave that number; false: there is none. */
bool scopes_type(const struct gpudbg_image *, uint64_t number, Dwarf_Die *);
/* The type of that name in the source, of the unit that is the outermost scope; false: it has none. */
bool scopes_type_named(struct scopes *, const char *name, size_t len, Dwarf_Die *);
/* The next variable or parameter among a scope's children that has a name; first: from the beginning. */
bool die_next_variable(Dwarf_Die *scope, Dwarf_Die *die, bool first);

#endif
