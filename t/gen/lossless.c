/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_lossless.c: the manual's syntax loses nothing.  Of random instructions of every row each bit is turned over:
 * either the text differs, or the field view says of that bit that it is reserved or not used.  Of compacted
 * instructions all indices of the tables are tried, two tables at a time: no two words print alike.
 */
#include <stdlib.h>
#include "isa.h"
#include "tap.h"

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t random64(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static unsigned prm_of(const struct gpudbg_isa *isa)
{
    for (unsigned n = 0; isa->syntaxes[n]; n++)
        if (strcmp(isa->syntaxes[n], "prm") == 0) return n;
    return 0;
}

/* Does the field that holds this bit say that it means nothing? */
static bool said_so(const struct gpudbg_insn *insn, unsigned bit)
{
    struct gpudbg_field_iter it;
    char meaning[512];
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);) {
        for (unsigned r = 0; !it.derived && r < GPUDBG_RUNS && it.field->run[r].len; r++) {
            unsigned lo = it.bit + it.field->run[r].lo;
            if (bit < lo || bit >= lo + it.field->run[r].len) continue;
            if (it.field->kind == GPUDBG_MBZ) return true;
            gpudbg_field_meaning(it.field, insn, it.value, meaning, sizeof meaning);
            return strstr(meaning, "not used") != NULL;
        }
    }
    return false;
}

static void test_row(const struct gpudbg_isa *isa, const struct gpudbg_op *op, unsigned *checked, unsigned *failed)
{
    unsigned prm = prm_of(isa), shown = 0;
    for (unsigned n = 0; n < 60; n += tap_sample()) {
        uint64_t w[2] = {random64(), random64()};
        if (n % 3 == 1) w[1] &= random64();
        w[0] = (w[0] & ~UINT64_C(0x200000ff)) | (uint64_t)isa->rows[op->id].code; /* native */
        if (n & 1) w[0] &= ~UINT64_C(0x0f000000);
        uint8_t bytes[16], other[16];
        char text[2048], changed[2048];
        struct gpudbg_insn insn, twin;
        memcpy(bytes, w, 16);
        if (isa->decode(isa, bytes, 16, 0x1000, &insn) != 16) continue;
        isa->text(&insn, prm, GPUDBG_READABLE, NULL, text, sizeof text);
        for (unsigned bit = 7; bit < 128; bit++) {
            if (bit == 29) continue;
            memcpy(other, bytes, 16);
            other[bit / 8] ^= (uint8_t)(1u << bit % 8);
            if (isa->decode(isa, other, 16, 0x1000, &twin) != 16) continue;
            isa->text(&twin, prm, GPUDBG_READABLE, NULL, changed, sizeof changed);
            ++*checked;
            if (strcmp(text, changed) != 0 || said_so(&insn, bit) || said_so(&twin, bit)) continue;
            ++*failed;
            if (*failed < 30 || shown++ < 1)
                fprintf(stderr, "# %s bit %u: %016llx%016llx prints as its twin: %s\n", isa->name, bit,
                    (unsigned long long)w[1], (unsigned long long)w[0], text);
        }
    }
}

/* ---- Compacted words ---- */

static bool prints(const struct gpudbg_isa *isa, uint64_t word, unsigned prm, struct gpudbg_insn *insn,
    uint8_t bytes[8], char *text, size_t size)
{
    memcpy(bytes, &word, 8);
    if (isa->decode(isa, bytes, 8, 0x1000, insn) != 8) return false;
    isa->text(insn, prm, GPUDBG_ASSEMBLER, NULL, text, size);
    return true;
}

struct printed {
    uint64_t hash, word;
};

static int by_hash(const void *a, const void *b)
{
    const struct printed *x = a, *y = b;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static uint64_t hash_of(const char *text)
{
    uint64_t h = 0xcbf29ce484222325;
    while (*text) h = (h ^ (uint8_t)*text++) * 0x100000001b3;
    return h;
}

/* Of a word every pair of index fields with all their values: 1,024 words, no two of them alike. */
static void test_indices(const struct gpudbg_isa *isa, uint64_t word, const uint8_t (*field)[2], unsigned fields,
    unsigned *checked, unsigned *failed)
{
    static struct printed all[1024];
    unsigned prm = prm_of(isa);
    struct gpudbg_insn insn;
    uint8_t bytes[8];
    char text[2048];
    for (unsigned a = 0; a < fields; a++)
        for (unsigned b = a + 1; b < fields; b++) {
            unsigned n = 0;
            for (uint64_t x = 0; x < 1u << field[a][1]; x++)
                for (uint64_t y = 0; y < 1u << field[b][1]; y++) {
                    uint64_t w = word & ~(((UINT64_C(1) << field[a][1]) - 1) << field[a][0]) &
                                 ~(((UINT64_C(1) << field[b][1]) - 1) << field[b][0]);
                    w |= x << field[a][0] | y << field[b][0];
                    if (prints(isa, w, prm, &insn, bytes, text, sizeof text))
                        all[n++] = (struct printed){hash_of(text), w};
                }
            qsort(all, n, sizeof *all, by_hash);
            *checked += n;
            for (unsigned i = 1; i < n; i++) {
                if (all[i].hash != all[i - 1].hash) continue;
                bool said = true; /* the bits that differ are a constant nobody looks at */
                prints(isa, all[i].word, prm, &insn, bytes, text, sizeof text);
                for (unsigned bit = 0; bit < 64; bit++)
                    said = said && (!((all[i].word ^ all[i - 1].word) >> bit & 1) || said_so(&insn, bit));
                if (!said && ++*failed < 20)
                    fprintf(stderr, "# %s %016llx and %016llx: %s\n", isa->name, (unsigned long long)all[i].word,
                        (unsigned long long)all[i - 1].word, text);
            }
        }
}

static void test_compacted(
    const struct gpudbg_isa *isa, const struct gpudbg_op *op, unsigned *checked, unsigned *failed)
{
    static const uint8_t seven[][2] = {{8, 5}, {13, 5}, {18, 5}, {30, 5}, {35, 5}},
                         twelve[][2] = {{24, 5}, {30, 5}, {35, 5}, {48, 4}, {52, 4}};
    unsigned prm = prm_of(isa);
    struct gpudbg_insn insn, twin;
    uint8_t bytes[8], other[8];
    char text[2048], changed[2048];
    for (unsigned n = 0; n < 24; n += tap_sample()) {
        uint64_t w = (random64() & ~UINT64_C(0x7f)) | (uint64_t)isa->rows[op->id].code | UINT64_C(1) << 29;
        if (n & 1) w &= ~UINT64_C(0x0f000000);
        if (!prints(isa, w, prm, &insn, bytes, text, sizeof text)) return;
        if (n < 6) test_indices(isa, w, isa == GEN_ISA(12) ? twelve : seven, 5, checked, failed);
        for (unsigned bit = 7; bit < 64; bit++) {
            if (bit == 29 || !prints(isa, w ^ UINT64_C(1) << bit, prm, &twin, other, changed, sizeof changed)) continue;
            ++*checked;
            if (strcmp(text, changed) != 0 || (said_so(&insn, bit) && said_so(&twin, bit))) continue;
            if (++*failed < 20)
                fprintf(stderr, "# %s %016llx bit %u prints as its twin: %s\n", isa->name, (unsigned long long)w, bit,
                    text);
        }
    }
}

int main(void)
{
    const struct gpudbg_isa *const isas[] = {GEN_ISA(7), GEN_ISA(75), GEN_ISA(12)};
    for (unsigned n = 0; n < 3; n++) {
        unsigned checked = 0, failed = 0;
        for (size_t i = 0; i < isas[n]->nops; i++) test_row(isas[n], &isas[n]->ops[i], &checked, &failed);
        ok(checked > 100000 / tap_sample() && failed == 0,
            "%s: two words that differ print differently (%u pairs, %u alike)", isas[n]->name, checked, failed);
        checked = failed = 0;
        for (size_t i = 0; i < isas[n]->nops; i++) test_compacted(isas[n], &isas[n]->ops[i], &checked, &failed);
        ok(checked > 1000000 / tap_sample() && failed == 0,
            "%s: compacted words that differ print differently (%u, %u alike)", isas[n]->name, checked, failed);
    }
    return tap_done();
}
