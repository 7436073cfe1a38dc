/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions met before; see memo.h. */
#include "code/memo.h"
#include <string.h>
#include "base/alloc.h"

struct memo *memo_new(unsigned unit)
{
    struct memo *m = xcalloc(1, sizeof *m);
    m->wide = unit >= 8;
    return m;
}

/* Returns the bucket of an instruction: a hash of all of its bytes chooses it. */
static struct memo_bucket *bucket(struct memo *m, const uint8_t *p, size_t size)
{
    static const uint32_t factor[4] = {0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f};
    uint32_t word[4], sum = 0;
    memcpy(word, p, size);
    for (size_t i = 0; i < size / 4; i++) sum += word[i] * factor[i];
    return &m->bucket[(sum ^ sum >> 15) * factor[0] >> 16 & (MEMO_BUCKETS - 1)];
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

static inline struct memo_entry *find_sized(struct memo *m, const uint8_t *p, size_t size)
{
    uint32_t word[2] = {0};
    memcpy(word, p, size < 8 ? size : 8);
    struct memo_entry *e = bucket(m, p, size)->entry;
    for (unsigned i = 0; i < MEMO_WAYS; i++, e++)
        if (e->word[0] == word[0] && e->word[1] == word[1] && e->size == size &&
            (size < 16 || memcmp(tail_of(m, e), p + 8, 8) == 0))
            return e;
    return NULL;
}

struct memo_entry *memo_find(struct memo *m, const uint8_t *p, size_t n)
{
    struct memo_entry *e = NULL;
    if (!m->wide && n >= 4) e = find_sized(m, p, 4);
    if (!e && n >= 8) e = find_sized(m, p, 8);
    if (!e && m->wide && n >= 16) e = find_sized(m, p, 16);
    return e;
}

struct memo_entry *memo_keep_any(struct memo *m, const struct gpudbg_insn *insn)
{
    uint32_t word[2] = {0};
    if (insn->size != 8 && insn->size != (m->wide ? 16 : 4)) return NULL;
    struct memo_entry *known = memo_find(m, insn->raw, insn->size);
    if (known) return known;
    memcpy(word, insn->raw, insn->size < 8 ? insn->size : 8);
    struct memo_bucket *b = bucket(m, insn->raw, insn->size);
    struct memo_entry *e = &b->entry[b->next++ % MEMO_WAYS];
    *e = (struct memo_entry){.word = {word[0], word[1]}, .size = (uint8_t)insn->size};
    if (insn->size == 16) memcpy(tail_of(m, e), insn->raw + 8, 8);
    return e;
}

struct memo_entry *memo_keep(struct memo *m, const struct gpudbg_insn *insn)
{
    if (!insn->op || insn->op->flags & GPUDBG_OP_BRANCH) return NULL;
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_CODE) return NULL;
    return memo_keep_any(m, insn);
}
