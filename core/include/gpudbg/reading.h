/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reading.h: text to bytes: the input of a syntax's parser, and functions for reading it. */
#ifndef GPUDBG_PUBLIC_READING_H
#define GPUDBG_PUBLIC_READING_H

#include "isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The text of one instruction while it is read from left to right.  Parsers move `at`, and report what they miss with
 * gpudbg_reading_wants; the report that got furthest is the one that the user sees.  All pointers are borrowed. */
struct gpudbg_reading {
    const char *text; /* the instruction without its comment, NUL-terminated */
    const char *at;   /* what is read next */
    const struct gpudbg_isa *isa;
    unsigned syntax; /* number of the syntax in isa->syntaxes */
    uint64_t addr;   /* address that the instruction will have */
    bool compact;    /* the shortest form is wanted, where the text leaves it open */
    /* Gives the value of a name; false: the name is not known.  *known is false while the value may still change (a
     * label further down); it then suffices to find the size of the instruction. */
    bool (*symbol)(const struct gpudbg_reading *, const char *name, size_t n, uint64_t *value, bool *known);
    void *data; /* for `symbol` */
    struct gpudbg_error *err;
    const char *furthest; /* where the error in *err was met; NULL: none yet */
};

/* A constant in the text. */
struct gpudbg_term {
    bool is_float;   /* `number` holds it: one number with a point or an exponent, and a sign perhaps */
    bool is_address; /* `value` comes from a label: it moves with the code */
    bool known;      /* false: a label whose address is not final */
    int64_t value;
    double number;
    const char *from, *to; /* its text */
};

/* Passes over blanks; says whether the text ends here. */
GPUDBG_PUBLIC bool gpudbg_reading_ends(struct gpudbg_reading *);
/* Passes over blanks and over c, if it is next. */
GPUDBG_PUBLIC bool gpudbg_reading_takes(struct gpudbg_reading *, char c);
/* Passes over blanks; returns the length of the name (letters, digits, _ . $ @) that follows, or 0. */
GPUDBG_PUBLIC size_t gpudbg_reading_name(struct gpudbg_reading *);
/* Passes over blanks and over the whole name `word`, if it is next, in any case. */
GPUDBG_PUBLIC bool gpudbg_reading_word(struct gpudbg_reading *, const char *word);
/* Reads a constant: a number, a name that `symbol` knows, `.` for the address of the instruction, and the operators of
 * GNU and LLVM assemblers with their ranks.  false: no constant follows, and the report says so. */
GPUDBG_PUBLIC bool gpudbg_reading_term(struct gpudbg_reading *, struct gpudbg_term *);
/* The same without binary operators: a number, a name, brackets, and signs before them. */
GPUDBG_PUBLIC bool gpudbg_reading_primary(struct gpudbg_reading *, struct gpudbg_term *);
/* A number alone, without signs. */
GPUDBG_PUBLIC bool gpudbg_reading_number(struct gpudbg_reading *, struct gpudbg_term *);
/* Reports that the text is wrong at `where`; the sentence says what would be accepted.  Keeps an earlier report that
 * got further.  Returns false. */
GPUDBG_PUBLIC bool gpudbg_reading_wants(
    struct gpudbg_reading *, const char *where, const char *kind, const char *fmt, ...) GPUDBG_PRINTF(4, 5);
/* Reports that no instruction of r->isa->ops has the name of n characters at `where`, and names the row that is nearest
 * to it.  Returns false. */
GPUDBG_PUBLIC bool gpudbg_reading_unknown_op(struct gpudbg_reading *, const char *where, size_t n);

#ifdef __cplusplus
}
#endif
#endif
