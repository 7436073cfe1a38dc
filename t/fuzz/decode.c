/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes as code of every instruction set: see walk.h. */
#include "decoders/decoders.h"
#include "walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1); /* so that reading past the end is seen */
    if (!copy) return 0;
    if (size) memcpy(copy, data, size);
    /* The last byte chooses one of them, so that each is met as often; where it says so, all. */
    unsigned n = 0, chosen = size ? copy[size - 1] % 16 : 15;
    for (const struct gpudbg_plugin *const *p = builtin_plugins; *p; p++)
        for (const struct gpudbg_isa *const *isa = (*p)->isas; isa && *isa; isa++, n++)
            if (chosen == n || chosen > 7) {
                walk(*isa, copy, size, 1);
                if ((*isa)->traits.program && (*isa)->traits.program(*isa, copy, size) > size) abort();
            }
    free(copy);
    return 0;
}
