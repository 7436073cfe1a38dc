/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locals.h: variables of the source, by debug information: what is in scope where a wave stands, where it is, what it
 * holds. */
#ifndef GPUDBG_LOCALS_H
#define GPUDBG_LOCALS_H

#include "eval/eval.h"
#include "eval/expr_parser.h"

struct local_row {
    const char *name, *function;   /* of the function it belongs to */
    bool parameter, global, parts; /* parts: locals_parts has them */
    const char *file;              /* of its declaration; NULL: not known */
    uint32_t line;
    char type[128], value[1024], place[96]; /* value: in angle brackets why there is none */
};

/* Calls each(to, row) for what is in scope at the wave's pc, the innermost first, until it returns false. */
void locals_each(struct eval *, uint32_t wave, int lane, bool (*each)(void *to, const struct local_row *), void *to);

/* What a wave is in: the function at pc and those that were inlined there, the innermost first. */
struct local_frame {
    const char *name, *file; /* file NULL: no source */
    uint32_t line;
    bool inlined; /* into the next one */
};
size_t locals_frames(struct eval *, uint64_t pc, struct local_frame *, size_t most);

/* The frame that the user selected, where the selected wave still stands as it did then; 0: the innermost.  Variables
 * are looked for from it outwards.  *pc: where it stands; *inner: it is one of those inlined at the wave's pc, and the
 * registers are its own; those of a caller are as they were at its call. */
unsigned locals_frame(struct eval *, uint64_t *pc, bool *inner);
/* Selects it; depth: how many are inlined into it at its pc; caller: of locals_keep_wave, NULL for an inner frame;
 * taken over. */
void locals_select_frame(struct eval *, unsigned number, unsigned depth, uint64_t pc, struct gpudbg_wave *caller,
    const struct local_frame *);
/* A copy of the selected wave with its registers as they are now (free it); NULL: they are gone. */
struct gpudbg_wave *locals_keep_wave(struct eval *, struct gpudbg_error *);
struct gpudbg_wave *locals_copy_wave(const struct gpudbg_wave *, struct gpudbg_error *);
/* Selects the innermost frame: the machine ends. */
void locals_forget_frame(struct eval *);

/* What the function whose code is at pc has returned, now that it has: name, type, place and value as of a variable.
 * called: the wave as it was at the call, for values in memory, or NULL.  false: nothing, or its debug information does
 * not say what. */
bool locals_returned(
    struct eval *, uint64_t pc, uint32_t wave, int lane, struct gpudbg_wave *called, struct local_row *);
/* Whether that is in memory that the call chose. */
bool locals_returns_in_memory(struct eval *, uint64_t pc);

/* The i-th variable that is in scope where the selected wave stands, or NULL. */
const char *locals_name(struct eval *, size_t i);

/* Does the expression name a variable that is in scope at pc? */
bool locals_named(struct eval *, uint64_t pc, const char *expr);

/* A variable's name stands at p->at, perhaps with [i], .member and ->member behind it, or one that points into the
 * work-item's own memory with a * before it: LOCAL_VALUE: taken, v is its value; LOCAL_TEXT: it has many parts;
 * LOCAL_NONE: no variable of that name; LOCAL_LOST: there is one, and err says why it has no value, p->at is where it
 * was; LOCAL_FAILED: the rest makes no sense, see err. */
enum local_found { LOCAL_NONE, LOCAL_VALUE, LOCAL_TEXT, LOCAL_LOST, LOCAL_FAILED };
enum local_found locals_parse(struct parser *, struct value *);

struct memory_piece {
    uint64_t addr, size;
};
/* Where a variable, or a part of one, lies in memory. */
struct local_memory {
    unsigned space;
    uint64_t size;
    struct memory_piece *piece; /* in the order of its bytes; malloc'ed */
    size_t npieces;
    struct value_type type; /* bits 0: it is no number */
    uint64_t shape;         /* the type, for locals_shape_text; 0: none */
    uint64_t count;         /* of such, one behind another; 0: one */
};
/* The memory of a variable that is all of the expression: LOCAL_VALUE; LOCAL_NONE: it is something else; LOCAL_LOST,
 * LOCAL_FAILED: err says why it is in no memory. */
enum local_found locals_memory(struct eval *, const char *expr, struct local_memory *, struct gpudbg_error *);

/* Bytes that were kept of memory of that shape, as the variable is shown; "": there is no such type. */
void locals_shape_text(
    struct eval *, const struct local_memory *, const uint8_t *bytes, size_t n, char *buf, size_t size);

/* "&" before a variable of many parts: its address.  "sizeof" before a variable or a type, in brackets or not.  What is
 * returned is as for locals_parse. */
enum local_found locals_address(struct parser *, struct value *);
enum local_found locals_sizeof(struct parser *, struct value *);

/* The text of a variable that has many parts, where it stands alone ("own", "p[2]", "*p"), its numbers as the letter
 * says (0: their types), or of several behind one another ("*p@4"); false: it is none. */
bool locals_text(struct eval *, const char *expr, char letter, char *buf, size_t size);

/* Puts such a value into the history, as value_remember does. */
unsigned locals_remember(struct eval *, const char *expr);

/* A part of a variable that has many: an element or a member. */
struct local_part {
    const char *name; /* what stands behind the variable: "[3]", ".x" */
    bool parts;       /* it has parts, too */
    char type[128], value[1024];
};
/* Calls each(to, part) for the parts of the variable that is all of the expression, at most `most` from `first` on,
 * until it returns false.  *count: how many it has.  false: it has none. */
bool locals_parts(struct eval *, const char *expr, uint64_t first, uint64_t most, uint64_t *count,
    bool (*each)(void *to, const struct local_part *), void *to);

#endif
