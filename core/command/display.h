/* SPDX-License-Identifier: GPL-3.0-or-later */
/* display.h: expressions that are shown whenever the machine stops. */
#ifndef GPUDBG_DISPLAY_H
#define GPUDBG_DISPLAY_H

#include "gpudbg.h"

/* Shows all of them; one that cannot be read now says so in its line. */
void displays_show(struct gpudbg *, struct gpudbg_out *);
/* Writes the i-th display (from 0) to buf as the screen shows it; *name: bytes before the value; false: no such one. */
bool displays_text(struct gpudbg *, size_t i, size_t *name, char *buf, size_t size);
/* The i-th as it was asked for; size: bytes of elements, or 0. */
bool displays_at(struct gpudbg *, size_t i, char *letter, unsigned *size, const char **text);
/* Adds one, without looking at its expression. */
bool displays_add(struct gpudbg *, char letter, unsigned size, const char *text, struct gpudbg_error *);
void displays_none(struct gpudbg *); /* ends all of them */

#endif
