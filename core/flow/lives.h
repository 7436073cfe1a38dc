/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lives.h: the life of each register at each instruction of a section: where it is born, used, and dies.  For columns
 * beside the code, and pictures of them.
 */
#ifndef GPUDBG_LIVES_H
#define GPUDBG_LIVES_H

#include "flow/pressure.h"

enum life {
    LIFE_DEAD,
    LIFE_ALIVE,   /* it passes through */
    LIFE_PERHAPS, /* ... but only for a read that may not happen */
    LIFE_BORN,    /* written; it was dead before */
    LIFE_WRITTEN, /* written, a part of it or once more */
    LIFE_USED,    /* read; alive behind the instruction */
    LIFE_DIES,    /* read for the last time */
    LIFE_UNREAD,  /* written, and nothing reads it */
    LIFE_KINDS
};
extern const char life_mark[LIFE_KINDS]; /* a character for each */

struct lives_register {
    uint8_t file;
    uint32_t number;
    enum pressure_kind kind;
};

struct lives {
    const struct gpudbg_isa *isa;
    uint64_t from, to; /* the section */
    uint32_t n;        /* instructions that can be reached, by address */
    uint64_t *addr;
    struct pressure_at *at;
    struct lives_register *reg; /* vector registers first, then scalar ones */
    uint32_t nregs;
    uint8_t *life; /* enum life: nregs for each instruction */
};

/* Of the section of code that holds an address; NULL with an error: "unsupported", "too-large", "memory". */
struct lives *lives_new(const struct gpudbg_image *, uint64_t addr, struct gpudbg_error *);
void lives_free(struct lives *);
/* The number of the instruction at an address; UINT32_MAX: no way leads there. */
uint32_t lives_find(const struct lives *, uint64_t addr);
static inline enum life lives_of(const struct lives *l, uint32_t insn, uint32_t reg)
{
    return (enum life)l->life[(size_t)insn * l->nregs + reg];
}

#endif
