/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes as code of every instruction set: each unit decodes or is data, is written in both styles, has
 * fields, and the walk goes on. */
#include <stdlib.h>
#include <string.h>
#include "decoders/decoders.h"
#include "gpudbg.h"
#include "word/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A text must fit what it says, in a buffer large and small. */
static void write_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style)
{
    char large[2048], small[16];
    int n = insn->isa->text(insn, syntax, style, NULL, large, sizeof large);
    if (n < 0) {
        if (style == GPUDBG_READABLE) abort();
        return;
    }
    if ((size_t)n >= sizeof large) return; /* long lists of numbers */
    if (strlen(large) != (size_t)n) abort();
    if (insn->isa->text(insn, syntax, style, NULL, small, sizeof small) != n) abort();
    if (strncmp(large, small, sizeof small - 1) != 0) abort();
}

static void walk_fields(const struct gpudbg_insn *insn)
{
    struct gpudbg_field_iter it;
    char meaning[256];
    uint64_t bits = 0;
    gpudbg_insn_fields(&it, insn);
    while (gpudbg_next_field(&it)) {
        int n = gpudbg_field_meaning(it.field, insn, it.value, meaning, sizeof meaning);
        if (n < 0 || (size_t)n >= sizeof meaning) abort();
        for (unsigned r = 0; r < GPUDBG_RUNS && it.field->run[r].len; r++)
            if (!it.derived) bits += it.field->run[r].len;
    }
    if (bits != 8 * (uint64_t)insn->size) abort(); /* every bit once */
}

static void walk(const struct gpudbg_isa *isa, const uint8_t *data, size_t size)
{
    struct gpudbg_insn insn;
    for (size_t at = 0; at < size; at += insn.size) {
        bool code = gpudbg_insn_at(isa, data + at, size - at, at, &insn);
        if (insn.size == 0 || insn.size > size - at) abort();
        walk_fields(&insn);
        if (!code) continue;
        char operand[256];
        for (unsigned syntax = 0; isa->syntaxes[syntax]; syntax++) {
            write_text(&insn, syntax, GPUDBG_READABLE);
            write_text(&insn, syntax, GPUDBG_ASSEMBLER);
        }
        for (unsigned i = 0; i < insn.noperands; i++)
            if (isa->operand_text(&insn, i, operand, sizeof operand) < 0) abort();
    }
    if (isa->traits.program && isa->traits.program(isa, data, size) > size) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1); /* so that reading past the end is seen */
    if (!copy) return 0;
    if (size) memcpy(copy, data, size);
    /* The last byte chooses one of them, so that each is met as often; where it says so, all. */
    unsigned n = 0, chosen = size ? copy[size - 1] % 16 : 15;
    for (const struct gpudbg_plugin *const *p = builtin_plugins; *p; p++)
        for (const struct gpudbg_isa *const *isa = (*p)->isas; isa && *isa; isa++, n++)
            if (chosen == n || chosen > 7) walk(*isa, copy, size);
    free(copy);
    return 0;
}
