/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * masks.h: which lanes run at each place, as far as code alone tells: one mask is a part of another.
 *
 * A mask is a *token*.  An instruction that changes the mask in a way that is not known makes a new one, and so does a
 * place where ways meet that come with different masks.  Each token has a parent: a mask of which it is a part.  A
 * token stands for what its maker made last; a maker that runs again makes another mask of the same token, so what was
 * said of the old one is then said of its parent.
 *
 * MASK_ROOT is the mask of all lanes, MASK_ENTRY the one with which the wave starts.
 */
#ifndef GPUDBG_MASKS_H
#define GPUDBG_MASKS_H

#include "flow/used.h"

enum { MASK_NONE, MASK_ROOT, MASK_ENTRY, MASK_FIRST };

struct masks {
    const struct used *used;
    uint32_t *parent, ntokens;
    uint32_t *before;        /* of each instruction: the mask under which it runs */
    bool *makes;             /* ... it makes a token, mask_made */
    bool *meets;             /* of each block: it makes a token, mask_met */
    bool *waits;             /* ... of lanes that come and of lanes that waited there */
    uint32_t *enter, *leave; /* of each block: the masks at its start and behind it */
    uint32_t *first, *last;  /* of each token: numbers of it and of its last part in the order of the tree */
    bool unknown;            /* nothing is known: jumps whose targets are not, or too many ways */
};

/* NULL with an error. */
struct masks *masks_new(const struct used *, struct gpudbg_error *);
void masks_free(struct masks *);

static inline uint32_t mask_made(uint32_t insn) { return MASK_FIRST + insn; }
static inline uint32_t mask_met(const struct masks *m, uint32_t block)
{
    return MASK_FIRST + m->used->ways->ninsns + block;
}
/* Whether a mask is another, or a part of it. */
static inline bool mask_within(const struct masks *m, uint32_t part, uint32_t whole)
{
    return m->first[whole] <= m->first[part] && m->first[part] <= m->last[whole];
}
/* The smallest mask that both are part of. */
static inline uint32_t mask_join(const struct masks *m, uint32_t a, uint32_t b)
{
    while (!mask_within(m, b, a)) a = m->parent[a];
    return a;
}

#endif
