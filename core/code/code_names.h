/* SPDX-License-Identifier: GPL-3.0-or-later */
/* code_names.h: names for addresses of code: labels of a listing, or symbols with offsets. */
#ifndef GPUDBG_CODE_NAMES_H
#define GPUDBG_CODE_NAMES_H

#include "gpudbg.h"
#include "base/ticker.h"

struct memo;   /* memo.h */
struct starts; /* code_names.c */

/* Names for gpudbg_isa.text: symbols of the image, else labels L0080 for branch targets that start a printed
 * instruction. */
struct code_names {
    struct gpudbg_names names;
    const struct gpudbg_image *image;
    uint64_t from, to; /* the range being printed */
    uint64_t *targets; /* sorted branch targets inside it that start an instruction */
    size_t ntargets;
    struct starts *labels; /* the same as bits; NULL: none */
};
/* Finds the branch targets of a range; only for ranges that are printed as a whole.  memo: keeps the instructions that
 * had to be decoded for that; the ticker counts bytes; both may be NULL. */
bool code_names_open(struct code_names *, const struct gpudbg_image *, uint64_t from, uint64_t to, struct memo *,
    const struct ticker *, struct gpudbg_error *);
/* Names without labels: symbol+offset for readable text. */
void code_names_plain(struct code_names *, const struct gpudbg_image *);
void code_names_close(struct code_names *);
/* An instruction as readable text with symbols, in the syntax of that name (records.h).  As gpudbg_isa.text. */
int code_insn_text(const struct gpudbg_image *, const struct gpudbg_insn *, const char *syntax, char *buf, size_t size);
/* The same of the instruction at an address; 0 and "": none starts there. */
int code_text_at(const struct gpudbg_image *, uint64_t addr, const char *syntax, char *buf, size_t size);
/* The symbol that labels `addr` in a listing: a function, a kernel, a label, of a name that an assembler takes; or
 * NULL. */
const struct gpudbg_symbol *code_symbol(const struct gpudbg_image *, uint64_t addr);

#endif
