/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * board.h: what a wave has under way, as `check scoreboard` sees it in a run (unwaited.c), and the boards that
 * were met before.
 *
 * What an instruction makes of a board follows from the board and the instruction, and for messages and math from the
 * channels that take part.  Waves of a kernel execute the same instructions, and loops repeat them.  So a board that
 * comes again is kept once (struct met), with what instructions have made of it: then only a look at that is needed.
 * An instruction is looked at anew wherever more decides: it touches bytes that are under way, so that a report or its
 * channels matter, or its bytes depend on registers.
 */
#ifndef GEN_BOARD_H
#define GEN_BOARD_H

#include "check/unwaited.h"

enum {
    NAMELESS = 11, /* messages and math instructions without a token that are kept (the latest ones) */
    IN_ORDER = GEN_TOKENS + NAMELESS,
    ALL = IN_ORDER + (GEN_PIPES - 1) * IN_FLIGHT + WIDE_IN_FLIGHT, /* the last pipe is that of 64 bits */
};

struct producer {
    uint64_t pc;
    const char *name;
    const struct gen_touched *of; /* what is kept of the instruction, or: */
    struct gen_touched own;
    uint64_t age;      /* with a token: older ones have a lower age */
    uint8_t function;  /* shared function of the message; MATH */
    uint8_t depth;     /* see gen_issued */
    uint32_t channels; /* two messages are taken in order if this is equal; 0: in no order */
    bool overtaken;    /* a later message to the function has read its payload, so this one has, too, before any new
                          message */
};

/* Few producers are in flight at a time, and a producer is large: bit masks show which ones are. */
struct board {
    uint64_t writing, reading;        /* may still write or read, despite all waits so far: a bit for each of `all` */
    uint64_t put;                     /* with a token, or nameless: the wave has put it there, ever */
    uint64_t written[ALL], read[ALL]; /* rows of their bytes */
    uint64_t may_write, may_read;     /* all of these rows, and perhaps more: looked at for each instruction */
    unsigned nameless;                /* number put into the first ring so far */
    unsigned last[GEN_PIPES];         /* the place of the last one in each ring of a pipe */
    uint64_t issued;                  /* number with a token so far */
    uint64_t follows;                 /* the address after the last instruction */
    uint64_t odd;             /* producers whose channels are others each time: such a board hardly comes again */
    struct producer all[ALL]; /* by token; then those without a token, in a ring; from IN_ORDER on those in order, in a
                                 ring for each pipe.  What is in none of the three masks means nothing */
};
static_assert(ALL <= 64, "a bit for each");

#define BIT(i) (UINT64_C(1) << (i))
#define WITH_TOKENS (BIT(IN_ORDER) - 1)
#define OF_PIPE(p) ((BIT(ring_size(p)) - 1) << (IN_ORDER + IN_FLIGHT * (p)))

static inline unsigned ring_size(unsigned pipe) { return pipe == GEN_PIPES - 1 ? WIDE_IN_FLIGHT : IN_FLIGHT; }

/* The d-th instruction in order of a pipe before the next one; d is at least 1. */
static inline unsigned before_last(const struct board *b, unsigned pipe, unsigned d)
{
    const unsigned size = ring_size(pipe);
    return IN_ORDER + IN_FLIGHT * pipe + (b->last[pipe] + size - (d - 1)) % size;
}

static inline void copy_bytes(struct grf_bytes *to, const struct grf_bytes *from)
{
    to->rows = from->rows;
    for (uint64_t m = from->rows; m; m &= m - 1) {
        const int i = 2 * __builtin_ctzll(m);
        to->word[i] = from->word[i];
        to->word[i + 1] = from->word[i + 1];
    }
}

/* ---- Boards that were met ---- */

struct met;

/* What an instruction makes of a board. */
struct next {
    uint32_t number; /* of the instruction */
    bool masked;     /* it matters which channels take part, and if `predicated` what the flags are: */
    bool predicated;
    uint64_t lanes, flags; /* ... these; else 0 */
    struct met *to;
    struct next *more;
};

struct met {
    struct next *next; /* the latest first */
    struct met *chain; /* of the same hash */
    uint32_t hash, size;
    unsigned char image[]; /* the board, without what means nothing: `size` bytes */
};

struct boards;
struct boards *boards_new(struct gpudbg_checks *);
void boards_free(struct boards *);
/* The board as one that was met; NULL: there is no room for more.  Bytes of its producers may move. */
struct met *boards_meet(struct boards *, struct board *);
/* Fills a board with what such a one holds. */
void boards_fill(const struct met *, struct board *);
/* From now on the instruction makes this of `from`. */
void boards_learn(struct boards *, struct met *from, struct next);

static inline const struct next *boards_next(const struct met *from, uint32_t number, uint64_t lanes, uint64_t flags)
{
    const struct next *n = from->next;
    while (n && !(n->number == number && n->lanes == lanes && n->flags == flags)) n = n->more;
    return n;
}

#endif
