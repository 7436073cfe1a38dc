/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * told.h: the instructions that watchers are told of.  They are decoded once, know which watchers want them, and are
 * numbered by their addresses, so that a watcher can keep something for each in an array.
 */
#ifndef GPUDBG_TOLD_H
#define GPUDBG_TOLD_H

#include "gpudbg.h"

#define TOLD_LIST 8

struct watcher; /* watch.h */

struct told {
    bool is_insn;
    bool known;      /* `wants` is */
    bool flows;      /* a call, or the end of the wave */
    uint32_t number; /* TOLD_NO_NUMBER: it is not numbered */
    uint64_t wants;  /* of the watchers of this process, those to be told: a bit each, and the last for all others */
    uint64_t always; /* ... of those, the ones that want it in an idle wave, too */
    struct watcher *list[TOLD_LIST]; /* those of `wants`; nlist is 0 where they are too many */
    uint8_t nlist;
    struct gpudbg_insn insn;
};

#define TOLD_SINGLE 63 /* watchers with a bit of their own */
#define TOLD_NO_NUMBER UINT32_MAX

/* A section of code. */
struct told_section {
    uint64_t base, size;
    uint32_t first;   /* number of the instruction at base; one every 4 bytes */
    struct told **at; /* by number; or NULL: not decoded yet */
};

struct told_code {
    const struct gpudbg_image *image;
    struct told_section *section, *latest;
    size_t n;
    uint32_t numbers; /* that there are */
};

void told_open(struct told_code *, const struct gpudbg_image *);
void told_close(struct told_code *);
/* Which watchers want what is to be found out again. */
void told_forget(struct told_code *);
/* The place at pc, whether or not it decodes; NULL: it is in no section. */
struct told *told_find(struct told_code *, uint64_t pc);

static inline struct told *told_at(struct told_code *c, uint64_t pc)
{
    const struct told_section *s = c->latest;
    if (s && pc - s->base < s->size && s->at[(pc - s->base) / 4]) return s->at[(pc - s->base) / 4];
    return told_find(c, pc);
}

#endif
