/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show.h: values and addresses as commands show them: of one lane or many, as text and in records. */
#ifndef GPUDBG_SHOW_H
#define GPUDBG_SHOW_H

#include "base/words.h"
#include "eval/eval.h"
#include "eval/value.h"

/* "7", or "{1, 2, 3}" of several lanes or registers: all of it, however long.  The caller frees it; NULL with an error:
 * the value cannot be read. */
char *show_text(struct eval *, const struct value *, char letter, struct gpudbg_error *);
/* The same of a bare register of 32 bits or many, as `print` shows it, that held these dwords, lane after lane, where
 * the wave, which may be a copy, stands.  NULL: it is another register. */
char *show_held(struct eval *, struct gpudbg_wave *, const struct value *, const uint32_t *words, size_t n);
/* The members "type_name", "value" or "values", and "text" of a record. */
void show_members(struct eval *, struct gpudbg_out *, const struct value *, const char *text);
/* "u32"; of many elements "u32[4]". */
void show_type(struct eval *, const struct value *, char *buf, size_t size);
/* The letter of a format that is one, and the bytes of its elements or 0; an error that names the letters that there
 * are. */
bool show_letter(struct eval *, struct gpudbg_args *, char *letter, unsigned *size, struct gpudbg_error *);
/* Makes a register that is wider than any number be shown as elements of so many bytes. */
void show_size(const struct eval *, struct value *, char letter, unsigned size);
/* "0x40 <vadd+0x40>", "lds:0x10", "0x7f00 <a+0x10>". */
void show_address(struct eval *, unsigned space, uint64_t addr, char *buf, size_t size);

#endif
