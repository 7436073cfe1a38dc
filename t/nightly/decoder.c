/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decoder SECONDS SEED [DIR]: decodes as many words as it can in that time, under the sanitizers, and prints
 * `executions N` and `written N`: units decoded with every field walked, and those of which all texts were written.
 *
 * Blocks of up to 4 KiB: bits at random; rows of the table with their other bits at random; the block before with a few
 * bits changed.  Each ends where its memory ends.  A block that fails is left in DIR/decoder-ISA (`.`).
 */
#include <stdio.h>
#include <time.h>
#include "decoders/decoders.h"
#include "fuzz/walk.h"

#define BLOCK 4096u
#define WRITTEN 16u /* one unit in so many is written in all styles */

static struct {
    const struct gpudbg_isa *isa;
    const uint8_t *bytes;
    size_t n;
    const char *dir;
} current;

/* Called by the sanitizer before it ends the program. */
void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));
static void keep_block(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/decoder-%s", current.dir, current.isa ? current.isa->name : "none");
    FILE *f = fopen(path, "wb");
    if (!f) return;
    fwrite(current.bytes, 1, current.n, f);
    fclose(f);
    fprintf(stderr, "the block is in %s\n", path);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* A row's word: what the format fixes, its opcode, and chance. */
static void put_row(const struct gpudbg_isa *isa, uint8_t *p, size_t n, uint64_t *random)
{
    size_t pick = next_random(random) % isa->nops;
    while (!gpudbg_has_op(isa, pick)) pick = (pick + 1) % isa->nops;
    const struct gpudbg_row *row = &isa->rows[pick];
    const struct gpudbg_format *format = row->format;
    uint8_t word[16];
    for (unsigned i = 0; i < 2; i++) {
        uint64_t bits = next_random(random);
        bits = (bits & ~format->mask[i]) | format->match[i];
        for (unsigned b = 0; b < 8; b++) word[8 * i + b] = (uint8_t)(bits >> 8 * b);
    }
    for (size_t f = 0; f < format->count; f++) {
        const struct gpudbg_field *field = &format->fields[f];
        uint64_t code = (uint64_t)row->code;
        for (unsigned r = 0; field->kind == GPUDBG_OPCODE && r < GPUDBG_RUNS && field->run[r].len; r++)
            for (unsigned b = 0; b < field->run[r].len; b++, code >>= 1) {
                const unsigned at = field->run[r].lo + b;
                if (at >= 128) break;
                word[at / 8] = (uint8_t)((word[at / 8] & ~(1u << at % 8)) | (code & 1) << at % 8);
            }
    }
    memcpy(p, word, n < sizeof word ? n : sizeof word);
}

static void fill(const struct gpudbg_isa *isa, uint8_t *p, size_t n, const uint8_t *before, uint64_t *random)
{
    const unsigned kind = next_random(random) % 4;
    if (kind == 0) {
        for (size_t i = 0; i < n; i++) p[i] = (uint8_t)next_random(random);
    } else if (kind < 3) {
        const size_t unit = (isa->rows[0].format->bits + 7u) / 8;
        for (size_t i = 0; i<n; i += unit> 16 ? 16 : unit) put_row(isa, p + i, n - i, random);
    } else {
        memcpy(p, before, n);
        for (unsigned i = 0; i < 64; i++) {
            const uint64_t where = next_random(random);
            p[where % n] ^= (uint8_t)(1u << (where >> 60 & 7));
        }
    }
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 1;
    uint64_t random = (argc > 2 ? strtoull(argv[2], NULL, 0) : 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
    uint64_t executions = 0, written = 0;
    const time_t end = time(NULL) + (time_t)seconds;
    static uint8_t before[BLOCK];
    current.dir = argc > 3 ? argv[3] : ".";
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(keep_block);
    while (time(NULL) < end)
        for (const struct gpudbg_plugin *const *p = builtin_plugins; *p; p++)
            for (const struct gpudbg_isa *const *isa = (*p)->isas; isa && *isa; isa++) {
                const size_t n = 1 + next_random(&random) % BLOCK;
                uint8_t *bytes = malloc(n);
                if (!bytes) return 2;
                fill(*isa, bytes, n, before, &random);
                current.isa = *isa, current.bytes = bytes, current.n = n;
                const uint64_t units = walk(*isa, bytes, n, WRITTEN);
                executions += units;
                written += (units + WRITTEN - 1) / WRITTEN;
                memcpy(before, bytes, n);
                free(bytes);
            }
    printf("executions %llu\nwritten %llu\n", (unsigned long long)executions, (unsigned long long)written);
    return 0;
}
