/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.c: the one way to say what went wrong. */
#include <stdio.h>
#include "gpudbg.h"
#include "gpudbg/text.h"

bool gpudbg_fail(struct gpudbg_error *err, const char *kind, const char *fmt, ...)
{
    va_list ap;
    err->kind = kind;
    if (!err->file[0] && !err->line && !err->offset) err->offset = -1; /* fresh from zeros: nothing is known of the place */
    va_start(ap, fmt);
    vsnprintf(err->message, sizeof err->message, fmt, ap);
    va_end(ap);
    for (char *p = err->message; *p; p++) /* one line, whatever names from a file hold */
        *p = text_shown(*p);
    return false;
}
