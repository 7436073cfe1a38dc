/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * typed.h: what a bare register shows: the form that the user chose for it (`pane format`), else the type that its last
 * writer gave it (flow/typing.h).  Panes, `print`, displays, watchpoints and the adapter ask here, so they agree.
 *
 * Where several writers may have been the last one, or the lane did not run when it was written, the value decides
 * among their types: small integers are no floats that anyone computes.
 */
#ifndef GPUDBG_TYPED_H
#define GPUDBG_TYPED_H

#include "eval/eval.h"
#include "eval/form.h"
#include "word/value_type.h"

/* The form of a register of a wave, in a lane (without lanes: any).  words: what it holds there; all of a wide one.
 * NULL: its type is not known, so it is a number without a sign. */
const struct form *typed_form(
    struct eval *, struct gpudbg_wave *, unsigned file, unsigned index, int lane, const uint32_t *words);
/* The same for a pane that has one form for all lanes. */
const struct form *typed_form_of_lanes(struct eval *, struct gpudbg_wave *, unsigned file, unsigned index,
    const uint32_t *words, size_t n, uint64_t counts);
/* The type of a bare register as a number, in one lane; bits 0: it is none, or nobody says. */
struct value;
struct value_type typed_value(struct eval *, uint32_t wave, const struct value *);
/* The same of a register that held these dwords where the wave, which may be a copy, stands. */
struct value_type typed_value_of(struct eval *, struct gpudbg_wave *, const struct value *, const uint32_t words[2]);
/* Whether a bare register without lanes shows its digits, as a part of a mask does. */
bool typed_digits(struct eval *, uint32_t wave, const struct value *);
/* Before a value of the selected wave is kept: what it shows now goes with it. */
void typed_keep(struct eval *, struct value *);
/* The form's type as records have it: "f32", "i32"; NULL: it is no one number. */
const char *typed_name(const struct form *);
/* Types were asked for, and the code is too large to follow: registers are shown as integers. */
bool typed_too_large(const struct eval *, const struct gpudbg_wave *);
bool typed_too_large_unsaid(const struct eval *, const struct gpudbg_wave *); /* the same, and true once */
/* The code has changed, or goes. */
void typed_forget(struct eval *);

#endif
