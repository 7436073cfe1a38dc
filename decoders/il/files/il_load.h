/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_load.h: IL files as images; text assembled and checked against the rules. */
#ifndef IL_LOAD_H
#define IL_LOAD_H

#include "code/assemble.h"

/* gpudbg_loader.probe and .load; the image has its instruction set already. */
int il_probe(const uint8_t *, size_t n, const char **why);
bool il_load(struct gpudbg_image *, struct gpudbg_error *);

/* Assembles text and checks what it says as a whole; the first error fails it.  *bytes: the stream, malloc'ed, 4 * n
 * bytes. */
bool il_assemble_checked(const char *text, size_t size, struct il_program *, uint8_t **bytes, struct gpudbg_error *);
/* Where in the text a token comes from; for a token after the last one, the line after it. */
struct il_place il_place_of(const struct il_program *, uint32_t token);

#endif
