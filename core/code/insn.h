/* SPDX-License-Identifier: GPL-3.0-or-later */
/* insn.h: code as lines, for `disassemble`, x/i, the code pane and JSON alike. */
#ifndef GPUDBG_INSN_H
#define GPUDBG_INSN_H

#include "gpudbg.h"
#include "base/ticker.h"

struct memo; /* memo.h */

/* Walks [at, to) of an image in address order, one instruction or one unit of data at a time.  Objects inside code and
 * sections without code are data; no instruction reaches over the start of a function.  Addresses without bytes are passed over. */
struct code_walk {
    const struct gpudbg_image *image;
    uint64_t at, to;
    const uint8_t *bytes; /* of what is left of the run that `at` is in */
    size_t left;
    size_t symbol;        /* the first that starts behind `at` */
    bool data;
    bool is_insn;         /* what code_walk_next gave */
};
void code_walk_open(struct code_walk *, const struct gpudbg_image *, uint64_t from, uint64_t to);
bool code_walk_next(struct code_walk *, struct gpudbg_insn *); /* false: the end */
/* Passes over the next instruction without decoding it if the memo knows it; *bytes and *addr say where it stood. */
struct memo_entry *code_walk_known(struct code_walk *, struct memo *, const uint8_t **bytes, uint64_t *addr);

/* Names for gpudbg_isa.text: symbols of the image, else labels L0080 for branch targets that start a printed instruction. */
struct code_names {
    struct gpudbg_names names;
    const struct gpudbg_image *image;
    uint64_t from, to;       /* the range being printed */
    uint64_t *targets;       /* sorted branch targets inside it that start an instruction */
    size_t ntargets, found;  /* found: near which of them the last search ended */
};
/* Finds the branch targets of a range; only for ranges that are printed as a whole.  memo: keeps the instructions that had to be
 * decoded for that; the ticker counts bytes; both may be NULL. */
bool code_names_open(struct code_names *, const struct gpudbg_image *, uint64_t from, uint64_t to,
    struct memo *, const struct ticker *, struct gpudbg_error *);
/* Names without labels: symbol+offset for readable text. */
void code_names_plain(struct code_names *, const struct gpudbg_image *);
void code_names_close(struct code_names *);
/* The symbol that labels `addr` in a listing: a function, a kernel, a label, of a name that an assembler takes; or NULL. */
const struct gpudbg_symbol *code_symbol(const struct gpudbg_image *, uint64_t addr);

/* The number of the syntax called `name` ("": the default); -1: the isa has none of that name. */
int insn_syntax(const struct gpudbg_isa *, const char *name);
/* The same; 0, the default, in place of -1. */
unsigned insn_syntax_or_first(const struct gpudbg_isa *, const char *name);
/* The branch target of an instruction, if it is encoded. */
bool insn_target(const struct gpudbg_insn *, uint64_t *target);
/* The instruction before `addr` in decode order from the nearest symbol or section start; false at the start. */
bool insn_before(const struct gpudbg_image *, uint64_t addr, struct gpudbg_insn *);
/* The instruction at pc goes to the first of its function without calling it: a loop. */
bool insn_stays(const struct gpudbg_image *, uint64_t pc, const struct gpudbg_symbol *function);
bool insn_at(const struct gpudbg_image *, uint64_t addr, struct gpudbg_insn *); /* false: data */

/* Data as an assembler takes it: ".long 0x...", ".byte 0x.., 0x..".  Returns the length, -1 if it has no room. */
int data_text(const uint8_t *bytes, size_t n, char *buf, size_t size);

#define INSN_PROBLEMS 8 /* broken rules that are shown of one instruction */

/* Writes the {"type":"insn"} or {"type":"data"} record; names may be NULL. */
void insn_record(
    struct gpudbg_out *, const struct gpudbg_insn *, bool is_insn, unsigned syntax, const struct code_names *);
/* Writes a field object F into the open array or object. */
void field_record(struct gpudbg_out *, const struct gpudbg_field_iter *);
/* The field's runs of bits counted from the instruction's first bit, most significant run first: "31:28,7:0". */
int field_bits_text(const struct gpudbg_field_iter *, char *buf, size_t size);
/* Its lowest and highest bit, counted so. */
void field_ends(const struct gpudbg_field_iter *, unsigned *lo, unsigned *hi);

#endif
