/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expr_parser.h: the inside of expressions, for expr.c (grammar), expr_names.c (what names mean), expr_where.c ($lane
 * and its like), expr_unknown.c (names that mean nothing) and expr_assign.c (stores).  Functions take what they know
 * from the left of the text; false with an error in the parser's `err`.
 */
#ifndef GPUDBG_EXPR_PARSER_H
#define GPUDBG_EXPR_PARSER_H

#include "eval/eval.h"
#include "eval/expr.h"

struct lane_walk; /* over_lanes.h */

struct parser {
    struct eval *ev;
    const char *at;
    uint32_t wave;
    int lane, depth;
    bool inside;            /* a bracket that may be the source's, "(p + 1)->id": those in it are not tried again */
    int functions;          /* over lanes, inside each other */
    struct lane_walk *over; /* the text is read for one element of many: over_lanes.h; NULL: it is not */
    int skip;               /* above 0: read on, but touch neither registers nor memory */
    bool changes;           /* an assignment assigns; else it is an error */
    bool strict;            /* a $name that is not set is an error where `skip` is set, too */
    bool *refused;          /* becomes true where it assigns and may not, or a $name is not set; NULL: nobody asks */
    uint64_t entry; /* the first variable is this one of the debug information, even if another hides it; 0: any */
    bool asks_void, is_void; /* inside $_isvoid(...); something there has no value */
    struct gpudbg_error *err;
};

void parser_blanks(struct parser *);
bool parser_accept(struct parser *, const char *text); /* takes it if it stands there */
bool parser_expect(struct parser *, const char *text);
/* The instruction set whose registers are meant, or NULL. */
const struct gpudbg_isa *parser_isa(const struct parser *);

bool parse_expression(struct parser *, struct value *);
bool parse_unary(struct parser *, struct value *);
bool parse_dollar(struct parser *, struct value *); /* behind '$': a register, the history, a variable */
bool parse_name(struct parser *, struct value *);   /* a buffer, a symbol, a label, a space and an address in it */
bool parse_pc(struct parser *, struct value *);
/* A $name of where one is.  *known false: another name. */
bool parse_where(struct parser *, const char *name, struct value *, bool *known);
bool where_bare(const char *name); /* one that programs write without $, too: threadIdx.x */
const char *where_name(size_t i);  /* the i-th of these names, or NULL */
/* Whether a name behind a '$' is one that is different in each lane. */
bool where_laned(const char *name);
/* Says that `name` means nothing; what is like it is offered.  Returns false. */
bool parse_unknown(struct parser *, const char *name, bool dollar);
/* The i-th name that may stand behind a '$', or alone; NULL: there are no more. */
const char *expr_dollar_name(const struct eval *, size_t i);
const char *expr_plain_name(struct eval *, size_t i);

size_t type_name_length(const char *at);
bool type_named(const char *at, size_t len, struct value_type *);
/* How many elements a type such as "float" or "int3" has, and their type; 0: the name is no such type. */
unsigned vector_named(const char *at, size_t len, struct value_type *);
/* The elements that it has room for: OpenCL C gives three the room of four. */
static inline unsigned vector_room(unsigned n) { return n == 3 ? 4 : n; }

/* Elements of so many bytes from the address to the end of its array, or of the segment, or section, that it is in. */
uint64_t parser_elements_to_end(struct parser *, const struct value *, uint64_t each);

bool expr_store(struct parser *, const struct value *place, const struct value *);

#endif
