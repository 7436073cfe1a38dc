/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.h: commands of Intel's rings and batch buffers as instructions, an instruction set a generation (batch.def). */
#ifndef BATCH_H
#define BATCH_H

#include "gen.h"

extern const struct gen_batch {
    struct gpudbg_isa isa;
    const struct gen_eu *eu;
} gen_batches[GEN_EUS];

#endif
