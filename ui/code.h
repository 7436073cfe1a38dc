/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * code.h: walking through the code of an image without decoding more than is looked at: a file of a gigabyte opens at
 * once. A unit is one instruction, or the few bytes passed over where none decodes.
 */
#ifndef UI_CODE_H
#define UI_CODE_H

#include "gpudbg.h"
#include "code/code_names.h"

/* The unit at addr; *is_insn tells which kind.  false: no code there. */
bool code_at(const struct gpudbg_image *, uint64_t addr, struct gpudbg_insn *, bool *is_insn);
/* The lowest (highest) code address; false: the image has no code. */
bool code_first(const struct gpudbg_image *, uint64_t *addr);
bool code_last(const struct gpudbg_image *, uint64_t *addr);
/* The unit after the one at *addr, in the next section of code if need be; false (and *addr as it was): it was the
 * last. */
bool code_forward(const struct gpudbg_image *, uint64_t *addr);
/* As many as `n` units back; returns how many there were.  Far from a symbol or a section's start it decodes forward
 * from a little before and takes the boundaries that come out, as every disassembler of unmarked code must. */
int code_back(const struct gpudbg_image *, uint64_t *addr, int n);
/* The section of code that holds addr, or NULL; the one that begins lowest above addr, or at it. */
const struct gpudbg_section *code_section(const struct gpudbg_image *, uint64_t addr);
const struct gpudbg_section *code_section_from(const struct gpudbg_image *, uint64_t addr);
/* The one that begins highest below addr. */
const struct gpudbg_section *code_section_below(const struct gpudbg_image *, uint64_t addr);

/* Names for the code around addr: labels for the branch targets of its function, or of some 64 KB where none is known.
 * They hold from `from` to before `to`, whichever address there was asked for. */
struct code_labels {
    const struct gpudbg_image *image;
    struct code_names names;
    uint64_t from, to;
    bool open;
};
void code_labels_around(struct code_labels *, const struct gpudbg_image *, uint64_t addr);
void code_labels_close(struct code_labels *);
/* Whether a label line stands before addr, and its text. */
bool code_label(const struct code_labels *, uint64_t addr, char *buf, size_t size);
/* Text of a unit as people read it. */
int code_text(
    struct gpudbg *, const struct code_labels *, const struct gpudbg_insn *, bool is_insn, char *buf, size_t size);

#endif
