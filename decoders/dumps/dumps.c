/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dumps.c: what gpudbg is told. */
#include "dumps.h"

static const struct gpudbg_reader *const readers[] = {
#define X(name) &reader_##name,
    READERS_OF_DUMPS(X)
#undef X
        NULL,
};

static const struct gpudbg_listing *const listings[] = {&listing_oa, &listing_phrases, NULL};

const struct gpudbg_plugin dumps_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof(struct gpudbg_plugin),
    .name = "dumps",
    .version = "1",
    .summary = "readers of captured GPU state",
    .listings = listings,
    .readers = readers,
};
