/* SPDX-License-Identifier: GPL-3.0-or-later */
/* numbers.h: words of a command line as numbers: expressions of the line's session; gpudbg_args_number is public. */
#ifndef GPUDBG_NUMBERS_H
#define GPUDBG_NUMBERS_H

#include "base/words.h"

/* What is left as one expression; an error that says what is missing if nothing is. */
bool args_value(struct gpudbg_args *, const char *what, uint64_t *value, struct gpudbg_error *);

#endif
