/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * error_kind.h: the kinds of errors: the words of gpudbg_error.kind, each with what it means.  They are fixed: a script
 * may branch on one, so a word keeps its meaning, and a new one is a new row.  `help errors` prints the table,
 * share/schema/error.json lists the same words, and t/core/errors.t compares the schema and all calls with the table.
 */
#ifndef GPUDBG_ERROR_KIND_H
#define GPUDBG_ERROR_KIND_H

#include <stddef.h>

struct error_kind {
    const char *about; /* "Commands", "Files", ...: the table groups its kinds by this */
    const char *word, *meaning;
};

/* The i-th kind, in the order of `help errors`; static; NULL past the last. */
const struct error_kind *error_kind(size_t i);

/* The table's own copy of a word, static; "unsupported" for one that it does not have. */
const char *error_kind_word(const char *word);

#endif
