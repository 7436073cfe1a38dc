/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * assembler.h: text to bytes.  The instruction set reads an instruction (gpudbg_assembler.line); this room knows what
 * stands around it: lines, comments, labels, data, and where names come from.
 */
#ifndef GPUDBG_ASSEMBLER_H
#define GPUDBG_ASSEMBLER_H

#include "gpudbg.h"
#include "base/ticker.h"

/* What text is assembled for. */
struct assembler {
    const struct gpudbg_isa *isa;
    unsigned syntax; /* number of the syntax */
    bool compact;    /* the shortest form, where the text leaves it open */
    /* Names that text may use besides its own labels: symbols of an image, and labels L0080 of its listing; or NULL. */
    const struct gpudbg_image *image;
    const struct ticker *ticker; /* or NULL */
};

/* Assembles one instruction, or one line of data (.long), at addr; a comment may follow.  Returns its bytes, at most
 * GPUDBG_INSN_BYTES and at most `room`, or 0 with an error that has a column. */
size_t assemble_line(
    const struct assembler *, uint64_t addr, const char *text, uint8_t *bytes, size_t room, struct gpudbg_error *);

#define ASSEMBLER_ERRORS 20 /* that one call reports; text with more of them is given up */

/* The bytes of a whole file, malloc'ed, *n of them, the first one at address 0.  false: errors has the reasons in the
 * order of lines, *nerrors of them, at least one. */
bool assemble_file(const struct assembler *, const char *text, size_t size, uint8_t **bytes, size_t *n,
    struct gpudbg_error errors[ASSEMBLER_ERRORS], unsigned *nerrors);

#endif
