/* SPDX-License-Identifier: GPL-3.0-or-later */
/* insn.h: code as lines, for `disassemble`, x/i, the code pane and JSON alike. */
#ifndef GPUDBG_INSN_H
#define GPUDBG_INSN_H

#include "gpudbg.h"

/* Names for gpudbg_isa.text: symbols of the image, else labels L0080 for branch targets that start a printed instruction. */
struct code_names {
    struct gpudbg_names names;
    const struct gpudbg_image *image;
    uint64_t from, to;       /* the range being printed */
    uint64_t *targets;       /* sorted branch targets inside it that start an instruction */
    size_t ntargets;
};
/* Finds the branch targets of a range (two passes); only for ranges that are printed as a whole. */
bool code_names_open(struct code_names *, const struct gpudbg_image *, uint64_t from, uint64_t to, struct gpudbg_error *);
/* Names without labels: symbol+offset for readable text. */
void code_names_plain(struct code_names *, const struct gpudbg_image *);
void code_names_close(struct code_names *);

/* The branch target of an instruction, if it is encoded. */
bool insn_target(const struct gpudbg_insn *, uint64_t *target);
/* The instruction before `addr` in decode order from the nearest symbol or section start; false at the start. */
bool insn_before(const struct gpudbg_image *, uint64_t addr, struct gpudbg_insn *);
bool insn_at(const struct gpudbg_image *, uint64_t addr, struct gpudbg_insn *); /* false: data */

/* Writes the {"type":"insn"} or {"type":"data"} record. */
void insn_record(struct gpudbg_out *, const struct gpudbg_image *, const struct gpudbg_insn *, bool is_insn, unsigned syntax);
/* Writes a field object F into the open array or object. */
void field_record(struct gpudbg_out *, const struct gpudbg_field_iter *);

#endif
