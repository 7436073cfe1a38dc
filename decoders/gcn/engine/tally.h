/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tally.h: how often instructions run, for profiles (runner->tally).
 *
 * The code between two jumps or changes of EXEC is a stretch: its ops run equally often and with the same lanes.  So a
 * stretch is noted once, at its ends, as differences from op to op; the sums are made when they are needed.
 */
#ifndef GCN_TALLY_H
#define GCN_TALLY_H

#include "engine/gcn_exec.h"

bool gcn_tally(struct gpudbg_machine *, bool on);
bool gcn_tallied(const struct gpudbg_machine *, void (*each)(void *to, const struct gpudbg_tally *), void *to);

/* Executes up to n instructions from *op on as run_ops in gcn_exec.c does, and counts them. */
uint64_t gcn_run_tallied(struct gpudbg_wave *, const struct gcn_op **op, uint64_t n);
/* One op was executed (or skipped) by other means, with that EXEC; next: where it led, or NULL. */
void gcn_tally_one(struct gpudbg_wave *, const struct gcn_op *, uint64_t exec, const struct gcn_op *next);

#endif
