/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_timeline.c: waves over recorded time: `info timeline`.  Time is cut into 64 cells of equally many instructions; a
 * row is a wave, or neighbours whose rows look alike.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "control/profile.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "session/command.h"
#include "session/session.h"

#define CELLS 64u
#define KNOWN 1024u /* instructions whose flags are remembered; a power of two */

struct wave_time {
    uint64_t first, last; /* positions before its first and its last instruction */
    uint64_t executed, lanes, barriers, waits;
    uint64_t runs, arrives; /* a bit a cell: it executes there; it comes to a barrier */
};

struct timing {
    struct gpudbg *g;
    struct wave_time *wave;
    uint32_t nwaves;
    uint64_t position, total;
    struct {
        uint64_t pc, does;
        bool known;
    } at[KNOWN];
};

static uint64_t does_at(struct timing *t, uint64_t pc)
{
    const size_t i = (size_t)(pc >> 2) & (KNOWN - 1);
    if (!t->at[i].known || t->at[i].pc != pc) {
        struct gpudbg_insn insn;
        t->at[i].known = true;
        t->at[i].pc = pc;
        t->at[i].does = insn_at(t->g->loaded.image, pc, &insn) && insn.op ? gpudbg_insn_does(&insn) : 0;
    }
    return t->at[i].does;
}

static bool see(void *data, struct gpudbg_wave *w)
{
    struct timing *t = data;
    const uint64_t position = t->position++;
    if (w->id >= t->nwaves) return false;
    struct wave_time *time = &t->wave[w->id];
    const unsigned cell = (unsigned)(position * CELLS / (t->total ? t->total : 1)) & (CELLS - 1);
    const uint64_t does = does_at(t, w->pc);
    if (!time->executed) time->first = position;
    time->last = position;
    time->executed++;
    if (does & GPUDBG_OP_VECTOR) time->lanes += (unsigned)__builtin_popcountll(w->machine->isa->run->active(w));
    time->barriers += (does & GPUDBG_OP_BARRIER) != 0;
    time->waits += (does & GPUDBG_OP_WAIT) != 0;
    time->runs |= UINT64_C(1) << cell;
    if (does & GPUDBG_OP_BARRIER) time->arrives |= UINT64_C(1) << cell;
    return false;
}

/* ---- Rows ---- */

struct timeline_row {
    uint32_t from, to; /* waves */
    struct wave_time sum;
    uint64_t total;
    uint64_t now;
};

static int row_waves(const void *row, char *buf, size_t size)
{
    const struct timeline_row *r = row;
    if (r->from == r->to) return snprintf(buf, size, "%" PRIu32, r->from);
    return snprintf(buf, size, "%" PRIu32 "-%" PRIu32, r->from, r->to);
}

/* B: it comes to a barrier; #: it runs; -: it has begun and has not ended; .: not so. */
static int row_cells(const void *row, char *buf, size_t size)
{
    const struct timeline_row *r = row;
    struct text t = text_in(buf, size);
    const uint64_t total = r->total ? r->total : 1;
    const unsigned first = (unsigned)(r->sum.first * CELLS / total), last = (unsigned)(r->sum.last * CELLS / total);
    for (unsigned i = 0; i < CELLS; i++)
        text_add(&t, "%c",
            !r->sum.executed          ? '.'
            : r->sum.arrives >> i & 1 ? 'B'
            : r->sum.runs >> i & 1    ? '#'
            : i >= first && i <= last ? '-'
                                      : '.');
    return (int)t.n;
}

#define ROW_NUMBER(name)                                                                      \
    static int row_##name(const void *row, char *buf, size_t size)                            \
    {                                                                                         \
        return snprintf(buf, size, "%" PRIu64, ((const struct timeline_row *)row)->sum.name); \
    }
ROW_NUMBER(first)
ROW_NUMBER(last)
ROW_NUMBER(executed)
ROW_NUMBER(lanes)
ROW_NUMBER(barriers)
ROW_NUMBER(waits)

static const struct gpudbg_column timeline_columns[] = {
    {"waves", "waves", 0, GPUDBG_NAME, row_waves},
    {"cells", "time", 0, GPUDBG_PLAIN, row_cells},
    {"first", "from", 0, GPUDBG_COUNT, row_first},
    {"last", "to", 0, GPUDBG_COUNT, row_last},
    {"executed", "executed", 0, GPUDBG_COUNT, row_executed},
    {"lanes", "lanes", 0, GPUDBG_COUNT, row_lanes},
    {"barriers", "barriers", 0, GPUDBG_COUNT, row_barriers},
    {"waits", "waits", 0, GPUDBG_COUNT, row_waits},
};

static bool alike(const struct wave_time *a, const struct wave_time *b)
{
    return a->runs == b->runs && a->arrives == b->arrives && !a->executed == !b->executed;
}

static void add(struct wave_time *sum, const struct wave_time *w)
{
    if (w->executed && (!sum->executed || w->first < sum->first)) sum->first = w->first;
    if (w->last > sum->last) sum->last = w->last;
    sum->executed += w->executed;
    sum->lanes += w->lanes;
    sum->barriers += w->barriers;
    sum->waits += w->waits;
    sum->runs |= w->runs;
    sum->arrives |= w->arrives;
}

static bool timeline_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    if (!eval_need_machine(&g->eval, err)) return false;
    if (*args) return gpudbg_fail(err, "usage", "info timeline takes no words");
    struct timing *t = xcalloc(1, sizeof *t);
    const struct machine_observer watcher = {.data = t, .before = see};
    *t = (struct timing){.g = g, .nwaves = g->running.machine->nwaves, .total = machine_position(g->running.machine)};
    t->wave = calloc((size_t)t->nwaves + 1, sizeof *t->wave);
    const bool good = t->wave ? profile_watch(&g->control, &watcher, err)
                              : gpudbg_fail(err, "memory", "the time of waves: out of memory");
    for (uint32_t i = 0; good && i < t->nwaves;) {
        struct timeline_row row = {.from = i, .total = t->total};
        uint32_t k = i;
        for (; k < t->nwaves && alike(&t->wave[k], &t->wave[i]); k++) add(&row.sum, &t->wave[k]);
        row.to = k - 1;
        i = k;
        if (!each(to, &row)) break;
    }
    free(t->wave);
    free(t);
    return good;
}

static const struct gpudbg_listing timeline = {
    .name = "timeline",
    .summary = "draw all waves over recorded time, a row for those that look alike: # runs, B barrier, - waits",
    .columns = timeline_columns,
    .ncolumns = sizeof timeline_columns / sizeof *timeline_columns,
    .rows = timeline_rows,
    .empty = "the launch has no waves",
};

static const struct gpudbg_listing *const listings[] = {&timeline, NULL};
COMMAND_FAMILY(cmd_timeline, "timeline", .summary = "waves over time", .listings = listings);
