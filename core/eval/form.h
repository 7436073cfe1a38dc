/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * form.h: how the elements of a register are shown: as integers of some size, floats or hex.  Panes and `print` share
 * the forms, and the forms that the user chose for single registers (`pane format v12 f`).
 */
#ifndef GPUDBG_FORM_H
#define GPUDBG_FORM_H

#include "eval/eval.h"

struct form {
    const char *name; /* "uw", "hf" */
    uint8_t size;     /* bytes of an element */
    char kind;        /* u unsigned, d signed, f float, x hex, a as the type says (typed.h).  Only typed.h has i, an
                       * integer that shows a sign if it is small; h, a number's high half; m, digits after 0x */
};

#define FORM_SMALL_NEGATIVE 100000 /* of an integer that may have a sign: from minus this to -1 it has */

/* The i-th form, or NULL; the first is `a`. */
const struct form *form_at(size_t i);
/* NULL: there is none of this name.  u is ud, p (doubles of two registers) is df. */
const struct form *form_named(const char *name);
/* The names of all forms, with blanks between them, for messages. */
const char *form_names(void);

/* One element of a form other than `a`, of form->size bytes, low byte first, as `print` shows such a value.  Returns
 * the length, like snprintf. */
int form_text(const struct form *, const void *bytes, char *buf, size_t size);
/* The elements in so many bytes, with `between` between them: a dword has two of hf. */
int form_elements(const struct form *, const void *bytes, size_t n, const char *between, char *buf, size_t size);

/* Whether all bits of the form `f`, `hf` or `df` read as a float that someone may have computed: zero, infinite or of
 * ordinary size.  Small integers are denormals as floats, so they do not. */
bool form_plausible(const struct form *, const void *bytes);
/* The form that the user chose for a register, or NULL; choosing NULL or `a` forgets it.  Forms last as long as the
 * session; a file of another instruction set has its own. */
const struct form *form_chosen(const struct eval *, const struct gpudbg_isa *, unsigned file, unsigned index);
void form_choose(struct eval *, const struct gpudbg_isa *, unsigned file, unsigned index, const struct form *);
/* The user has stored a word of a register of 32 bits in these lanes (-1: it has no lanes) as a number of a form: until
 * something else is there, that is its type.  The last FORMS_STORED stores are known. */
#define FORMS_STORED 64
void form_store(struct eval *, const struct gpudbg_wave *, unsigned file, unsigned index, int lane, unsigned lanes,
    uint32_t word, const struct form *);
/* That form; NULL: the user has not stored what is there. */
const struct form *form_stored(
    const struct eval *, const struct gpudbg_wave *, unsigned file, unsigned index, int lane, uint32_t word);
void forms_free(struct forms *);

#endif
