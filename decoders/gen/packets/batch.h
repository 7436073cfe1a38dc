/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.h: commands of Intel's rings and batch buffers as instructions, an instruction set a generation (batch.def). */
#ifndef BATCH_H
#define BATCH_H

#include "gen.h"
#include "packets/commands.def"

enum {
    GEN_COMMANDS_BEFORE = GEN_EUS - 1,
#define EU(x, id, ...) id,
    GEN_EACH_COMMANDS(EU, )
#undef EU
        GEN_BATCHES
};

extern const struct gen_batch {
    struct gpudbg_isa isa;
    const struct gen_eu *eu; /* of generations whose code is not read: the number, and the facts that are yes or no */
} gen_batches[GEN_BATCHES], gen_video_batches[GEN_BATCHES], gen_enhancer_batches[GEN_BATCHES];

#endif
