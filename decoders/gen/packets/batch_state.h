/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_state.h: state and programs that commands of batches point at, relative to bases that earlier commands set
 * (state.def). */
#ifndef BATCH_STATE_H
#define BATCH_STATE_H

#include "packets/batch.h"

extern const struct gpudbg_pointing gen_pointing[GEN_BATCHES];

#endif
