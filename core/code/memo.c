/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions met before; see memo.h. */
#include "code/memo.h"
#include <string.h>

static struct memo_bucket *bucket(struct memo *m, uint32_t first, uint32_t second)
{
    if (m->wide) first ^= second * UINT32_C(0x85ebca6b);
    return &m->bucket[first * UINT32_C(0x9e3779b1) >> 16 & (MEMO_BUCKETS - 1)];
}

char *memo_text(struct memo *m, const struct memo_entry *e)
{
    size_t i = (size_t)((const char *)e - (const char *)m->bucket) / sizeof *m->bucket;
    return m->text[i][e - m->bucket[i].entry];
}

static uint64_t *tail_of(struct memo *m, const struct memo_entry *e)
{
    size_t i = (size_t)((const char *)e - (const char *)m->bucket) / sizeof *m->bucket;
    return &m->tail[i][e - m->bucket[i].entry];
}

/* Do bytes 8 to 15 agree? */
static bool same_tail(struct memo *m, const struct memo_entry *e, const uint8_t *p, size_t n)
{
    return n >= 16 && memcmp(tail_of(m, e), p + 8, 8) == 0;
}

struct memo_entry *memo_find(struct memo *m, const uint8_t *p, size_t n)
{
    uint32_t first, second = 0;
    if (n < 4) return NULL;
    memcpy(&first, p, 4);
    if (n >= 8) memcpy(&second, p + 4, 4);
    struct memo_entry *e = bucket(m, first, second)->entry;
    for (unsigned i = 0; i < MEMO_WAYS; i++, e++)
        if (e->word[0] == first && (e->size == 4 || (e->size == 8 && n >= 8 && e->word[1] == second) ||
                                       (e->size == 16 && e->word[1] == second && same_tail(m, e, p, n))))
            return e;
    return NULL;
}

struct memo_entry *memo_keep(struct memo *m, const struct gpudbg_insn *insn)
{
    uint32_t word[2] = {0};
    if (!insn->op || insn->op->flags & GPUDBG_OP_BRANCH || (insn->size != 4 && insn->size != 8 && insn->size != 16))
        return NULL;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_CODE) return NULL;
    struct memo_entry *known = memo_find(m, insn->raw, insn->size);
    if (known) return known;
    memcpy(word, insn->raw, insn->size < 8 ? insn->size : 8);
    struct memo_bucket *b = bucket(m, word[0], word[1]);
    struct memo_entry *e = &b->entry[b->next++ % MEMO_WAYS];
    *e = (struct memo_entry){.word = {word[0], word[1]}, .size = (uint8_t)insn->size};
    if (insn->size == 16) memcpy(tail_of(m, e), insn->raw + 8, 8);
    return e;
}
