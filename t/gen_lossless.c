/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_lossless.c: the manual's syntax loses nothing.  Of random instructions of every row each bit is turned over: either the
 * text differs, or the field view says of that bit that it is reserved or not used.
 */
#include <stdlib.h>
#include "../decoders/gen/gen.h"
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
    for (unsigned n = 0; n < 60; n++) {
        uint64_t w[2] = {random64(), random64()};
        if (n % 3 == 1) w[1] &= random64();
        w[0] = (w[0] & ~UINT64_C(0x200000ff)) | op->code; /* native */
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
            if (*failed < 30 || shown++ < 1) fprintf(stderr, "# %s bit %u: %016llx%016llx prints as its twin: %s\n", isa->name, bit,
                (unsigned long long)w[1], (unsigned long long)w[0], text);
        }
    }
}

int main(void)
{
    const struct gpudbg_isa *const isas[] = {&gen7_isa, &gen75_isa, &gen12_isa};
    for (unsigned n = 0; n < 3; n++) {
        unsigned checked = 0, failed = 0;
        for (size_t i = 0; i < isas[n]->nops; i++) test_row(isas[n], &isas[n]->ops[i], &checked, &failed);
        ok(checked > 100000 && failed == 0, "%s: two words that differ print differently (%u pairs, %u alike)", isas[n]->name, checked, failed);
    }
    return tap_done();
}
