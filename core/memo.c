/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions met before; see memo.h. */
#include "memo.h"
#include <string.h>

static struct memo_bucket *bucket(struct memo *m, uint32_t first)
{
    return &m->bucket[first * UINT32_C(0x9e3779b1) >> 16 & (MEMO_BUCKETS - 1)];
}

char *memo_text(struct memo *m, const struct memo_entry *e)
{
    size_t i = (size_t)((const char *)e - (const char *)m->bucket) / sizeof *m->bucket;
    return m->text[i][e - m->bucket[i].entry];
}

struct memo_entry *memo_find(struct memo *m, const uint8_t *p, size_t n)
{
    uint32_t first, second = 0;
    if (n < 4)
        return NULL;
    memcpy(&first, p, 4);
    if (n >= 8)
        memcpy(&second, p + 4, 4);
    struct memo_entry *e = bucket(m, first)->entry;
    for (unsigned i = 0; i < MEMO_WAYS; i++, e++)
        if (e->word[0] == first && (e->size == 4 || (e->size == 8 && n >= 8 && e->word[1] == second)))
            return e;
    return NULL;
}

struct memo_entry *memo_keep(struct memo *m, const struct gpudbg_insn *insn)
{
    uint32_t word[2] = {0};
    if (!insn->op || insn->op->flags & GPUDBG_OP_BRANCH || (insn->size != 4 && insn->size != 8))
        return NULL;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_CODE)
            return NULL;
    struct memo_entry *known = memo_find(m, insn->raw, insn->size);
    if (known)
        return known;
    memcpy(word, insn->raw, insn->size);
    struct memo_bucket *b = bucket(m, word[0]);
    struct memo_entry *e = &b->entry[b->next++ % MEMO_WAYS];
    *e = (struct memo_entry){.word = {word[0], word[1]}, .size = (uint8_t)insn->size};
    return e;
}
