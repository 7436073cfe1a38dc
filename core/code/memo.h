/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memo.h: what has been decoded before.  The text of an instruction follows from its bytes alone unless it names a code
 * address; programs repeat themselves, so a listing remembers the instructions it met last instead of decoding them
 * again. Only instructions of 4, 8 and 16 bytes are kept.
 */
#ifndef GPUDBG_MEMO_H
#define GPUDBG_MEMO_H

#include "gpudbg.h"

struct memo_entry {
    uint32_t word[2]; /* as in memory; the second is 0 for 4 bytes */
    uint8_t size;     /* 0: empty */
    uint8_t len;      /* of its text, 0: not written yet */
};

/* The entries of a bucket fill one cache line; a new entry replaces the oldest of them.  Texts are in an array of their
 * own.  The whole fits the second level of caches: a larger memo knows more texts and is slower. */
#define MEMO_BUCKETS 2048
#define MEMO_WAYS 4
#define MEMO_TEXT 120
struct memo {
    bool wide; /* no instruction is shorter than 8 bytes: all of them tell where it belongs */
    struct memo_bucket {
        struct memo_entry entry[MEMO_WAYS];
        uint32_t next, pad[3];
    } bucket[MEMO_BUCKETS];
    uint64_t tail[MEMO_BUCKETS][MEMO_WAYS]; /* bytes 8 to 15 of those of 16 */
    char text[MEMO_BUCKETS][MEMO_WAYS][MEMO_TEXT];
};

/* An empty memo for instructions of so many bytes at least.  Free it with free(). */
struct memo *memo_new(unsigned unit);
/* Where the text of an entry stands. */
char *memo_text(struct memo *, const struct memo_entry *);
/* The entry of the instruction that stands at p (n bytes are there), or NULL. */
struct memo_entry *memo_find(struct memo *, const uint8_t *p, size_t n);
/* Keeps an instruction, unless its text depends on where it stands; returns its entry or NULL. */
struct memo_entry *memo_keep(struct memo *, const struct gpudbg_insn *);
/* The same for those, too: what the caller keeps of the text must not depend on it. */
struct memo_entry *memo_keep_any(struct memo *, const struct gpudbg_insn *);

#endif
