/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traces.h: who touched which bytes of memory.  Memory is cut into lines of 64 bytes.  A trace is what one instruction
 * of a wave did to a line, all its lanes together; so most lines have one or two, and a row of lanes is looked at once.
 */
#ifndef GPUDBG_TRACES_H
#define GPUDBG_TRACES_H

#include "gpudbg.h"

#define LINE 64
#define LINE_AT (~(uint64_t)(LINE - 1))
enum { NO_LANE = 255, SEVERAL_LANES = 254 };

enum trace_kind {
    TRACE_STORE,
    TRACE_OWNER, /* a store by a wave that has just used the word atomically: of a lock that it frees */
    TRACE_LOAD,
    TRACE_UPDATE, /* an atomic that changed memory */
};

struct trace {
    uint64_t bytes; /* of the line, a bit each */
    uint32_t time, wave, place;
    uint8_t kind, lane;
    bool same;                   /* a store of what was there: counts among the loads */
    bool several;                /* loads of several places, the first at `time`: */
    uint16_t place_of[LINE / 4]; /* ... this one of each dword */
};

/* The place of the first of these bytes. */
static inline uint32_t trace_place(const struct trace *t, uint64_t bytes)
{
    return t->several ? t->place_of[__builtin_ctzll(bytes) / 4] : t->place;
}

#define FEW 2
struct line {
    struct trace *many; /* NULL: they are in `few` */
    uint16_t n, room;
    uint8_t kinds;   /* of its traces, a bit each, and perhaps more */
    uint32_t stored; /* time of the latest store by an instruction other than an atomic; 0: none */
    struct trace few[FEW];
};
static inline struct trace *line_traces(struct line *l) { return l->many ? l->many : l->few; }

/* The lines of a segment. */
struct area {
    struct line **block;
    size_t n;
};

struct traces; /* what all areas share */
struct traces *traces_new(struct gpudbg_checks *);
void traces_free(struct traces *);
void area_free(struct traces *, struct area *);
#define BLOCK 64 /* lines that are made together */
/* The line of a byte; NULL: no wave has touched its block, or (make) memory ran out: traces_full. */
static inline struct line *area_line(const struct area *a, uint64_t at)
{
    struct line *b = a->n ? a->block[at / (LINE * BLOCK)] : NULL;
    return b ? &b[at / LINE % BLOCK] : NULL;
}
struct line *area_make(struct traces *, struct area *, const struct gpudbg_segment *, uint64_t at);
bool traces_full(const struct traces *);
/* The earlier load becomes one of both. */
void trace_merge(struct trace *, const struct trace *);
/* Adds a trace.  What the wave did there before, and some of other waves, is forgotten; keeps(with, trace): this load
 * stays; NULL: no load has to.  A load is added to the wave's earlier one of time `epoch` or later. */
void line_add(struct traces *, struct line *, const struct trace *, uint32_t epoch,
    bool (*keeps)(void *with, const struct trace *), void *with);

#endif
