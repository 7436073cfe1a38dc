/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * walk.h: bytes as code of an instruction set, for fuzzers: each unit decodes or is data, has every bit in one field,
 * is written in all styles, and the walk goes on.
 */
#ifndef FUZZ_WALK_H
#define FUZZ_WALK_H

#include <stdlib.h>
#include <string.h>
#include "gpudbg.h"
#include "word/registry.h"

/* A text must fit what it says, in a buffer large and small. */
static void walk_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style)
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

/* Each bit is in exactly one field.  meanings: their texts, too. */
static void walk_fields(const struct gpudbg_insn *insn, bool meanings)
{
    struct gpudbg_field_iter it;
    char meaning[256];
    uint64_t bits = 0;
    gpudbg_insn_fields(&it, insn);
    while (gpudbg_next_field(&it)) {
        int n = meanings ? gpudbg_field_meaning(it.field, insn, it.value, meaning, sizeof meaning) : 0;
        if (n < 0 || (size_t)n >= sizeof meaning) abort();
        for (unsigned r = 0; r < GPUDBG_RUNS && it.field->run[r].len; r++)
            if (!it.derived) bits += it.field->run[r].len;
    }
    if (bits != 8 * (uint64_t)insn->size) abort();
}

/* What an instruction says beside its fields: its text, its operands, the rules that it breaks, what it touches. */
static void walk_words(const struct gpudbg_insn *insn)
{
    static struct gpudbg_problem problem[8];
    static struct gpudbg_footprint footprint[GPUDBG_FOOTPRINTS];
    const struct gpudbg_isa *isa = insn->isa;
    char operand[256];
    for (unsigned syntax = 0; isa->syntaxes[syntax]; syntax++) {
        walk_text(insn, syntax, GPUDBG_READABLE);
        walk_text(insn, syntax, GPUDBG_ASSEMBLER);
        if (isa->assembler.drops) walk_text(insn, syntax, GPUDBG_DROPPING);
    }
    for (unsigned i = 0; i < insn->noperands; i++)
        if (isa->operand_text(insn, i, operand, sizeof operand) < 0) abort();
    const unsigned problems = isa->rules.problems ? isa->rules.problems(insn, problem, 8) : 0;
    if (problems > 8) abort();
    for (unsigned i = 0; i < problems; i++)
        if (!problem[i].rule || !problem[i].text[0]) abort(); /* a broken rule says what is wrong */
    if (isa->regions.footprints &&
        isa->regions.footprints(insn, NULL, footprint, GPUDBG_FOOTPRINTS) > GPUDBG_FOOTPRINTS)
        abort();
}

/* Decodes all of it; of every `nth` unit all texts are written.  Returns how many units there were. */
static uint64_t walk(const struct gpudbg_isa *isa, const uint8_t *data, size_t size, unsigned nth)
{
    struct gpudbg_insn insn;
    uint64_t units = 0;
    for (size_t at = 0; at < size; at += insn.size, units++) {
        bool code = gpudbg_insn_at(isa, data + at, size - at, at, &insn);
        if (insn.size == 0 || insn.size > size - at) abort();
        const bool whole = units % nth == 0;
        walk_fields(&insn, whole);
        if (code && whole) walk_words(&insn);
    }
    return units;
}

#endif
