/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clocks_inside.h: what clocks.c, clock_words.c and clock_table.c share. */
#ifndef GPUDBG_CLOCKS_INSIDE_H
#define GPUDBG_CLOCKS_INSIDE_H

#include "check/clocks.h"
#include "check/known.h"

struct clock {
    uint32_t refs;
    struct known *far; /* ROW_AGENT of other groups */
    uint32_t row[];    /* of the own group: ROWS times as many as it has waves */
};

/* A wave's clock from a time on. */
struct past {
    uint32_t from, done[ROWS];
    struct clock *clock;
};

#define SEEN_MOST CLOCKS_HELD /* words of a wave that are kept for reports: the latest */
struct seen {
    const struct gpudbg_segment *segment;
    uint64_t addr;
    bool local, blind;
    uint32_t time, place;
};

struct wave_clock {
    struct clock *now; /* NULL: nothing is known of others */
    uint32_t done[ROWS];
    uint32_t first[3], loaded; /* by gpudbg_counted: the first access that is not done; loads are done up to `loaded` */
    uint32_t barriers, barrier_time, epoch;
    uint32_t near_fresh, outer_fresh; /* when the caches of the group were made fresh, and those beyond them */
    struct clock *near;               /* what is known once the group's caches are fresh; NULL: nothing */
    uint32_t near_from, near_time;    /* ... after this time, and what was loaded at that time is done */
    bool arrived;                     /* at a barrier that it has not gone on from */
    bool stored;                      /* since the last entry of `past` */
    struct known *pending;            /* what is acquired when loads become fresh; loaded until pending_time */
    uint32_t pending_time;
    bool pending_other;   /* ... by a word that keeps no lock */
    struct known *unused; /* what an atomic acquires whose value was not used yet: */
    struct clocks_word unused_word;
    struct past *past;
    uint32_t npast;
    size_t past_room;
    struct seen *seen, *made; /* words that it has loaded to acquire; that it has updated.  SEEN_MOST, or NULL */
    uint32_t nseen, nmade;    /* ever */
};

#define PUBLISHED_MOST 4 /* accesses of a word that are kept for reports: the latest */
struct published {
    uint32_t wave, time, place, done;
    bool stored;
};

struct word {
    uint64_t addr;
    uint32_t base;                       /* time of the store that the chain of atomics began with */
    uint32_t changed_by, changed;        /* wave + 1 (0: it takes no lock) and time of the latest change */
    bool lock;                           /* a lock was taken by it */
    uint32_t seen_by, seen;              /* ... of the latest that loaded it to acquire */
    uint32_t latest;                     /* time of the latest atomic that published */
    struct known *known;                 /* that is published: ROWS of each group; beside it: */
    struct publishing latest_of;         /* ... what the latest wave has published, again and again */
    bool more;                           /* `latest_of` is not in `known` yet: words_known */
    struct published of[PUBLISHED_MOST]; /* a ring */
    uint32_t npublished;                 /* ever */
};

/* A hash table of words, by address. */
struct words {
    struct word **slot;
    uint32_t n, bits;
};

struct group_clocks {
    struct clock *gather[2]; /* of the waves that have arrived at a barrier with an even, odd number */
    uint32_t barriers;       /* the number of the latest */
    struct words words;      /* in local memory */
};

struct clocks {
    struct gpudbg_checks *checks;
    const struct gpudbg_ordering *model;
    uint32_t per_group, nwaves, time;
    bool keeps, lost, counts; /* counts: accesses are counted apart */
    bool other;               /* a word that keeps no lock has made an order */
    bool in_order[ROWS];      /* what a wave does is done at once */
    struct wave_clock **wave;
    struct group_clocks *group;
    struct words words;
    size_t bytes; /* of words */
};

static inline uint32_t *clock_row(const struct clocks *c, struct clock *k, unsigned row)
{
    return k->row + row * c->per_group;
}
static inline void clocks_drop(struct clocks *c, struct clock *k)
{
    if (!k || --k->refs) return;
    known_drop(c->checks, k->far);
    gpudbg_checks_free(c->checks, k);
}
/* The time up to which loads are done. */
static inline uint32_t clocks_loaded(const struct clocks *c, const struct wave_clock *w)
{
    const uint32_t first = w->first[GPUDBG_COUNTED_LOADS];
    if (c->in_order[ROW_AGENT] || (c->counts && !first)) return c->time;
    return first > w->loaded ? first - 1 : w->loaded;
}
static inline uint32_t clocks_fresh_from(const struct wave_clock *w)
{
    return w->near_fresh < w->outer_fresh ? w->near_fresh : w->outer_fresh;
}
struct wave_clock *clocks_wave(struct clocks *, uint32_t id);
struct clock *clocks_write(struct clocks *, struct clock **); /* makes it its owner's alone */
/* Joins all rows of a clock, and what it holds of other groups, but for rows before `from`. */
void clocks_join(struct clocks *, struct clock **to, struct clock *from, unsigned first_row);
/* Adds what is known of other groups, and through them of its own. */
void clocks_learn(struct clocks *, struct clock **, uint32_t own_group, struct known *far);
void clocks_changed(struct clocks *, struct wave_clock *);
/* now: at the present time, else at a time of the past. */
struct publishing clocks_publishing(const struct clocks *, uint32_t wave, uint32_t time, bool now);
struct word *words_find(const struct words *, uint64_t addr); /* or NULL */
struct word *words_add(struct clocks *, struct words *, uint64_t addr);
void words_free(struct clocks *, struct words *);

#endif
