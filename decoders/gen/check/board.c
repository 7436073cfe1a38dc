/* SPDX-License-Identifier: GPL-3.0-or-later */
/* board.c: see board.h.  Two boards are one if no instruction can tell them apart: rings of pipes are turned so that
 * the latest instruction comes first, ages are ranks, and bytes are kept once for all boards.  Producers with a token
 * count even after they are done, because waiting for the token again looks at them. */
#include "check/board.h"
#include <stddef.h>
#include <string.h>

enum {
    METS = 4096,   /* most boards */
    NEXTS = 16384, /* most of what instructions make of them */
    BYTES = 1024,  /* most bytes of producers that are kept */
    SLOTS = 1024,  /* of the tables: a power of two */
};

/* A producer, and the board before it: all bytes of these are set, because they are compared. */
struct entry {
    uint64_t pc, age;
    const char *name;
    const struct gen_touched *of;
    uint32_t channels;
    uint8_t at, function, depth, overtaken;
};
struct image {
    uint64_t writing, reading, put, follows;
    uint32_t nameless, n;
    struct entry entry[ALL];
};
static_assert(sizeof(struct entry) == 40, "no gaps");

/* Bytes of a producer that are not those kept of its instruction. */
struct kept_bytes {
    struct kept_bytes *chain;
    struct gen_touched of;
};

struct boards {
    struct gpudbg_checks *checks;
    struct met *met[SLOTS];
    struct kept_bytes *bytes[SLOTS];
    unsigned nmet, nnext, nbytes;
};

static uint32_t hash_add(uint32_t hash, uint64_t word)
{
    const uint64_t h = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

struct boards *boards_new(struct gpudbg_checks *checks)
{
    struct boards *b = gpudbg_checks_alloc(checks, 1, sizeof *b);
    b->checks = checks;
    return b;
}

void boards_free(struct boards *b)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        for (struct met *m = b->met[i], *chain; m; m = chain) {
            for (struct next *n = m->next, *more; n; n = more) {
                more = n->more;
                gpudbg_checks_free(b->checks, n);
            }
            chain = m->chain;
            gpudbg_checks_free(b->checks, m);
        }
        for (struct kept_bytes *k = b->bytes[i], *chain; k; k = chain) {
            chain = k->chain;
            gpudbg_checks_free(b->checks, k);
        }
    }
    gpudbg_checks_free(b->checks, b);
}

/* ---- Bytes ---- */

static uint32_t hash_bytes(uint32_t hash, const struct grf_bytes *b)
{
    hash = hash_add(hash, b->rows);
    for (uint64_t m = b->rows; m; m &= m - 1) {
        const int i = 2 * __builtin_ctzll(m);
        hash = hash_add(hash_add(hash, b->word[i]), b->word[i + 1]);
    }
    return hash;
}

static bool same_bytes(const struct grf_bytes *a, const struct grf_bytes *b)
{
    if (a->rows != b->rows) return false;
    for (uint64_t m = a->rows; m; m &= m - 1) {
        const int i = 2 * __builtin_ctzll(m);
        if (a->word[i] != b->word[i] || a->word[i + 1] != b->word[i + 1]) return false;
    }
    return true;
}

/* The same bytes at a place where they stay; NULL: there is no room. */
static const struct gen_touched *keep_bytes(struct boards *b, const struct gen_touched *of)
{
    struct kept_bytes **slot = &b->bytes[hash_bytes(hash_bytes(0, &of->read), &of->written) % SLOTS];
    for (struct kept_bytes *k = *slot; k; k = k->chain)
        if (same_bytes(&k->of.read, &of->read) && same_bytes(&k->of.written, &of->written)) return &k->of;
    if (b->nbytes == BYTES) return NULL;
    struct kept_bytes *new = gpudbg_checks_alloc(b->checks, 1, sizeof *new);
    copy_bytes(&new->of.read, &of->read);
    copy_bytes(&new->of.written, &of->written);
    new->chain = *slot;
    *slot = new;
    b->nbytes++;
    return &new->of;
}

/* ---- Boards ---- */

/* How many of the producers with a token are older. */
static uint64_t rank(const struct board *b, unsigned i)
{
    uint64_t older = 0;
    for (uint64_t m = b->put; m; m &= m - 1) older += b->all[__builtin_ctzll(m)].age < b->all[i].age;
    return older;
}

/* Adds producer i, which is at `at` in the image. */
static bool add(struct boards *to, struct board *b, unsigned i, unsigned at, struct image *image)
{
    struct producer *p = &b->all[i];
    if (p->of == &p->own) {
        const struct gen_touched *kept = keep_bytes(to, &p->own);
        if (!kept) return false;
        p->of = kept;
    }
    image->writing |= (b->writing >> i & 1) << at;
    image->reading |= (b->reading >> i & 1) << at;
    image->entry[image->n++] = (struct entry){.pc = p->pc,
        .age = at < IN_ORDER ? rank(b, i) : 0,
        .name = p->name,
        .of = p->of,
        .channels = p->channels,
        .at = (uint8_t)at,
        .function = p->function,
        .depth = p->depth,
        .overtaken = p->overtaken};
    return true;
}

struct met *boards_meet(struct boards *to, struct board *b)
{
    static const struct board empty;
    struct image image;
    bool room = true;
    image.writing = image.reading = 0;
    image.put = b->put;
    image.follows = b->follows;
    image.nameless = b->nameless % NAMELESS;
    image.n = 0;
    for (uint64_t m = b->put; m && room; m &= m - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(m);
        room = add(to, b, i, i, &image);
    }
    for (unsigned pipe = 0; pipe < GEN_PIPES; pipe++)
        for (unsigned d = 1; d <= ring_size(pipe) && room; d++) {
            const unsigned i = before_last(b, pipe, d);
            if ((b->writing | b->reading) & BIT(i)) room = add(to, b, i, before_last(&empty, pipe, d), &image);
        }
    if (!room) return NULL;
    const uint32_t size = (uint32_t)(offsetof(struct image, entry) + image.n * sizeof image.entry[0]);
    uint32_t hash = 0;
    for (uint32_t i = 0; i < size; i += 8) {
        uint64_t word;
        memcpy(&word, (const unsigned char *)&image + i, 8);
        hash = hash_add(hash, word);
    }
    struct met **slot = &to->met[hash % SLOTS];
    for (struct met *m = *slot; m; m = m->chain)
        if (m->hash == hash && m->size == size && !memcmp(m->image, &image, size)) return m;
    if (to->nmet == METS) return NULL;
    struct met *new = gpudbg_checks_alloc(to->checks, 1, sizeof *new + size);
    new->hash = hash;
    new->size = size;
    memcpy(new->image, &image, size);
    new->chain = *slot;
    to->nmet++;
    return *slot = new;
}

void boards_fill(const struct met *from, struct board *b)
{
    struct image image;
    memcpy(&image, from->image, from->size);
    memset(b, 0, offsetof(struct board, all));
    b->writing = image.writing;
    b->reading = image.reading;
    b->put = image.put;
    b->follows = image.follows;
    b->nameless = image.nameless;
    b->issued = ALL; /* more than any rank */
    for (uint32_t k = 0; k < image.n; k++) {
        const struct entry *e = &image.entry[k];
        struct producer *p = &b->all[e->at];
        p->pc = e->pc;
        p->name = e->name;
        p->of = e->of;
        p->age = e->age;
        p->function = e->function;
        p->depth = e->depth;
        p->channels = e->channels;
        p->overtaken = e->overtaken;
        b->written[e->at] = e->of->written.rows;
        b->read[e->at] = e->of->read.rows;
        b->may_write |= b->written[e->at];
        b->may_read |= b->read[e->at];
    }
}

void boards_learn(struct boards *b, struct met *from, struct next next)
{
    if (b->nnext == NEXTS) return;
    struct next *new = gpudbg_checks_alloc(b->checks, 1, sizeof *new);
    *new = next;
    new->more = from->next;
    from->next = new;
    b->nnext++;
}
