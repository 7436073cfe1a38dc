/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_state.h: state and programs that commands of batches point at, relative to bases that earlier commands set (state.def). */
#ifndef BATCH_STATE_H
#define BATCH_STATE_H

#include <gpudbg.h>

extern const struct gpudbg_pointing batch7_pointing, batch75_pointing, batch12_pointing;

#endif
