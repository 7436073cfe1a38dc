/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * value.h: values of expressions: their bits, conversions, text by format letter, where they come from and go to; the
 * convenience variables and the value history of a session.
 */
#ifndef GPUDBG_VALUE_H
#define GPUDBG_VALUE_H

#include "eval/eval.h"
#include "eval/expr.h"

/* The pattern of the value's type, in its low bits; and the value that such a pattern is. */
uint64_t value_bits(const struct value *);
void value_set_bits(struct value *, uint64_t bits);
double value_real(const struct value *);
/* Fails for what is several lanes, or more than 64 bits, where one number is wanted. */
bool value_one(const struct value *, struct gpudbg_error *);
/* As C converts; the result is no lvalue. */
struct value value_convert(const struct value *, struct value_type);
struct value value_unsigned(uint64_t, unsigned bits);
struct value value_signed(int64_t);

/* Text as `print/LETTER` shows it: x d u o t f a c, or 0 for the type's own.  Returns the length like snprintf. */
int value_text(const struct eval *, const struct value *, char letter, char *buf, size_t size);

/* Whether a bare register of the file is shown in hex, with all of its digits, in `print` and panes alike: masks, words
 * of fields, addresses.  All others are numbers. */
bool value_in_hex(const struct gpudbg_regfile *);
/* The low bits of a mask that are shown: those of the lanes that a wave has, where the others are empty. */
unsigned value_mask_bits(const struct gpudbg_machine *, unsigned bits, uint64_t mask);

/* Bytes at an address for the user: memory of the machine, else of the file. */
bool value_read_memory(
    struct eval *, uint32_t wave, unsigned space, uint64_t addr, void *bytes, size_t size, struct gpudbg_error *);
/* Fails for memory of 8 bytes of which the high 4 are elsewhere, where one address is wanted. */
bool value_at_one_address(const struct value *, struct gpudbg_error *);
/* Index of the space of that name, or -1. */
int value_space(const struct eval *, const char *name, size_t len);

/* Loads the value from where it is, of the type it has. */
bool value_load(struct eval *, uint32_t wave, struct value *, struct gpudbg_error *);
/* All dwords of a register value, for one lane after another; returns how many, at most max. */
size_t value_words(
    struct eval *, uint32_t wave, const struct value *, uint32_t *words, size_t max, struct gpudbg_error *);

/* The same of a wave as it is given: a copy of what it was. */
size_t value_words_of(struct gpudbg_wave *, const struct value *, uint32_t *words, size_t max, struct gpudbg_error *);

struct values;
void values_free(struct values *);
/* Puts a value into the history and returns its number, from 1. */
unsigned value_remember(struct eval *, const struct value *);
/* The same for what has many parts: its bytes (malloc'ed, taken over), and its type as scopes_number has it, which is
 * good as long as the image is. */
struct value_parts {
    uint64_t shape;
    unsigned indexed; /* dimensions of an array that are passed */
    uint8_t *bytes;
    size_t n;
};
unsigned value_remember_parts(struct eval *, const struct value_parts *);
/* Those that number n of the history, or `back` from its end (n 0), has; NULL: it is another value. */
const struct value_parts *value_recall_parts(struct eval *, uint64_t n, uint64_t back);
void values_forget_parts(struct eval *); /* the image goes */
/* Number n of the history, or `back` from its end (n 0); an error if there is none, or it was no one number. */
bool value_recall(struct eval *, uint64_t n, uint64_t back, struct value *, struct gpudbg_error *);
/* A variable's value; false: it was never set, and *v is the place to set. */
bool value_variable(struct eval *, const char *name, struct value *v);
bool value_set_variable(struct eval *, const char *name, const struct value *, struct gpudbg_error *);
/* $_ becomes an address that was shown, and $__ the value of `type` there. */
void value_shown(struct eval *, unsigned space, uint64_t addr, struct value_type);
/* The i-th variable's name, or NULL. */
const char *value_variable_name(const struct eval *, size_t i);

#endif
