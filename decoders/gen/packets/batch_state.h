/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_state.h: state and programs that commands of batches point at, relative to bases that earlier commands set
 * (state.def). */
#ifndef BATCH_STATE_H
#define BATCH_STATE_H

#include <gpudbg.h>

extern const struct gpudbg_pointing batch7_pointing, batch75_pointing, batch12_pointing;

/* For tables that say of each row in which of Gen7, Gen7.5, Gen12 it is, as in batch.def: IF_(OF7 (1, 0, 1))(ROW) is
 * ROW, for OF75 nothing. */
#define IF_0(...)
#define IF_1(...) __VA_ARGS__
#define IF__(n) IF_##n
#define IF_(n) IF__(n)
#define OF7(a, b, c) a
#define OF75(a, b, c) b
#define OF12(a, b, c) c
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#endif
