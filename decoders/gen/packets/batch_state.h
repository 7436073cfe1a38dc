/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_state.h: state and programs that commands of batches point at, relative to bases that earlier commands set
 * (state.def). */
#ifndef BATCH_STATE_H
#define BATCH_STATE_H

#include "gen.h"

extern const struct gpudbg_pointing gen_pointing[GEN_EUS];

/* For tables that say of each row in which of Gen7, Gen7.5, Gen12 it is, as in batch.def: IF_(OFGEN7 (1, 0, 1))(ROW) is
 * ROW, for OFGEN75 nothing. */
#define IF_0(...)
#define IF_1(...) __VA_ARGS__
#define IF__(n) IF_##n
#define IF_(n) IF__(n)
#define OFGEN7(a, b, c) a
#define OFGEN75(a, b, c) b
#define OFGEN12(a, b, c) c
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#endif
