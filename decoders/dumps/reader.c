/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.c: what the readers of text share: their state, words that go into a stream. */
#include <stdlib.h>
#include <string.h>
#include "dumps.h"

void *reader_state(const void *first, size_t size)
{
    void *state = calloc(1, size);
    if (state && first) memcpy(state, first, size);
    return state;
}

void reader_state_free(void *state, struct gpudbg_dump *d)
{
    (void)d;
    free(state);
}

void stream_add(struct gpudbg_dump *d, size_t stream, uint64_t value, unsigned bytes, uint32_t line)
{
    uint8_t word[8];
    le_put(word, value, bytes);
    gpudbg_dump_stream_add(d, stream, word, bytes, line);
}
