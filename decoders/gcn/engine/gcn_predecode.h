/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_predecode.h: the functions of gcn_predecode.c that gcn_exec.c needs besides those in gcn_exec.h. */
#ifndef GCN_PREDECODE_H
#define GCN_PREDECODE_H

#include "engine/gcn_exec.h"
#include "gcn.h"

bool gcn_breakpoint(struct gpudbg_machine *, uint64_t pc, bool on);
bool gcn_recode(struct gpudbg_machine *, uint64_t from, uint64_t to, struct gpudbg_error *);
gcn_fn *gcn_real_fn(const struct gpudbg_wave *, const struct gcn_op *); /* without the breakpoint */
extern gcn_fn *const gcn_break;                                         /* the handler of an op with a breakpoint */
bool gcn_is_vector(const struct gpudbg_wave *, const struct gcn_op *);  /* slow; for VSKIP */

/* The ops of the i-th section of code, how many, and the address of the first; NULL: there are no more. */
const struct gcn_op *gcn_code_section(const struct gpudbg_machine *, size_t i, size_t *n, uint64_t *base);

/* The ops of a section of code, and the address of the first. */
struct gcn_ops {
    const struct gcn_op *first, *end;
    uint64_t base;
};
/* That of an op; empty: it is of none. */
struct gcn_ops gcn_ops_of(const struct gpudbg_wave *, const struct gcn_op *);

/* The bytes of the op's instruction. */
const uint8_t *gcn_bytes(const struct gpudbg_wave *, const struct gcn_op *);
const struct gpudbg_op *gcn_row(const struct gpudbg_wave *, const struct gcn_op *); /* slow; for faults; or NULL */
void gcn_made(struct gpudbg_wave *, const struct gcn_op *); /* if it is not made yet; makes its fields valid */
/* Updates the sources that have no place of their own.  false: this faults, as executing the op will. */
bool gcn_prepare(struct gpudbg_wave *, const struct gcn_op *);

#endif
