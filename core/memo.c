/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions met before; see memo.h.  Direct-mapped: a newer one takes the slot. */
#include "memo.h"
#include <string.h>

static struct memo_entry *slot(struct memo *m, uint32_t first, uint32_t second)
{
    uint32_t hash = (first ^ second * UINT32_C(0x85ebca6b)) * UINT32_C(0x9e3779b1);
    return &m->slot[hash >> 16 & (MEMO_SLOTS - 1)];
}

struct memo_entry *memo_find(struct memo *m, const uint8_t *p, size_t n)
{
    uint32_t word[2];
    if (n < 4)
        return NULL;
    memcpy(word, p, 4);
    struct memo_entry *e = slot(m, word[0], 0);
    if (e->size == 4 && e->word[0] == word[0])
        return e;
    if (n < 8)
        return NULL;
    memcpy(&word[1], p + 4, 4);
    e = slot(m, word[0], word[1]);
    return e->size == 8 && e->word[0] == word[0] && e->word[1] == word[1] ? e : NULL;
}

struct memo_entry *memo_keep(struct memo *m, const struct gpudbg_insn *insn)
{
    uint32_t word[2] = {0};
    if (!insn->op || insn->op->flags & GPUDBG_OP_BRANCH || (insn->size != 4 && insn->size != 8))
        return NULL;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_CODE)
            return NULL;
    memcpy(word, insn->raw, insn->size);
    struct memo_entry *e = slot(m, word[0], word[1]);
    *e = (struct memo_entry){.word = {word[0], word[1]}, .size = (uint8_t)insn->size};
    return e;
}
