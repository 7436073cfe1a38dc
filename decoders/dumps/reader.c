/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.c: what the readers of text share: their state, words that go into a stream, packed objects. */
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

size_t unpack_ascii85(const char *text, size_t n, uint8_t *to, const char **end)
{
    size_t at = 0, out = 0;
    while (at < n) {
        uint32_t value = 0;
        if (text[at] == 'z') {
            at++;
        } else {
            uint64_t v = 0;
            size_t k = 0;
            while (k < 5 && at + k < n && text[at + k] >= '!' && text[at + k] <= 'u')
                v = v * 85 + (uint64_t)(text[at + k++] - '!');
            if (k < 5 || v > UINT32_MAX) break;
            value = (uint32_t)v;
            at += 5;
        }
        for (int b = 0; b < 4; b++) to[out++] = (uint8_t)(value >> 8 * b);
    }
    *end = text + at;
    return out;
}
