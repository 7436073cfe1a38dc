/* SPDX-License-Identifier: GPL-3.0-or-later */
/* records.h: instructions, their fields and data, for `disassemble`, x/i, panes and JSON alike. */
#ifndef GPUDBG_RECORDS_H
#define GPUDBG_RECORDS_H

#include "gpudbg.h"
#include "code/code_names.h"

/* The number of the syntax called `name` ("": the default); -1: the isa has none of that name. */
int insn_syntax(const struct gpudbg_isa *, const char *name);
/* The same; 0, the default, in place of -1. */
unsigned insn_syntax_or_first(const struct gpudbg_isa *, const char *name);

/* Data as an assembler takes it: ".long 0x...", ".byte 0x.., 0x..".  Returns the length; -1 where there is no room for
 * it, and then buf says how many bytes there are. */
int data_text(const uint8_t *bytes, size_t n, char *buf, size_t size);

#define INSN_PROBLEMS 8 /* broken rules that are shown of one instruction */

/* Writes the {"type":"insn"} or {"type":"data"} record; names may be NULL.  As text, it is what `decode` shows: a line
 * for each field, the operands, the rules that are broken, and the row's sentence. */
void insn_record(
    struct gpudbg_out *, const struct gpudbg_insn *, bool is_insn, unsigned syntax, const struct code_names *);
/* Writes a field object F into the open array or object; `text` is a line of say.h with its members and `doc`, or NULL.
 */
void field_record(struct gpudbg_out *, const struct gpudbg_field_iter *, const char *text);
/* Writes all fields: objects of the open array, or a line each behind the indent: layout, name, bits, value, meaning.
 */
void insn_fields_say(struct gpudbg_out *, const struct gpudbg_insn *, const char *indent);
/* The field's runs of bits counted from the instruction's first bit, most significant run first: "31:28,7:0". */
int field_bits_text(const struct gpudbg_field_iter *, char *buf, size_t size);
/* Its lowest and highest bit, counted so. */
void field_ends(const struct gpudbg_field_iter *, unsigned *lo, unsigned *hi);

#endif
