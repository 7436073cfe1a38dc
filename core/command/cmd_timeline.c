/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_timeline.c: waves over recorded time: `info timeline`.  A row is a wave, or neighbours whose rows look alike. */
#include <inttypes.h>
#include <stdio.h>
#include "control/timing.h"
#include "session/command.h"
#include "session/session.h"

struct timeline_row {
    uint32_t from, to; /* waves */
    struct wave_time sum;
    uint64_t total;
};

static int row_waves(const void *row, char *buf, size_t size)
{
    const struct timeline_row *r = row;
    if (r->from == r->to) return snprintf(buf, size, "%" PRIu32, r->from);
    return snprintf(buf, size, "%" PRIu32 "-%" PRIu32, r->from, r->to);
}

/* B: it comes to a barrier; #: it runs; o: with lanes off all the time; =: it waits at a barrier; -: others run; .: it
 * has not begun, or has ended. */
static int row_cells(const void *row, char *buf, size_t size)
{
    static const char marks[] = {'.', '-', '=', 'o', '#', 'B'};
    const struct timeline_row *r = row;
    char text[TIMING_CELLS];
    for (unsigned i = 0; i < TIMING_CELLS; i++) text[i] = marks[timing_mark(&r->sum, i, r->total)];
    return snprintf(buf, size, "%.*s", (int)TIMING_CELLS, text);
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

static bool timeline_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct timing t;
    if (!eval_need_machine(&g->eval, err)) return false;
    if (*args) return gpudbg_fail(err, "usage", "info timeline takes no words");
    if (!timing_take(&g->control, &t, err)) return false;
    for (uint32_t i = 0; i < t.n;) {
        struct timeline_row row = {.from = i, .total = t.total};
        i = timing_fold(&t, i, &row.sum);
        row.to = i - 1;
        if (!each(to, &row)) break;
    }
    timing_free(&t);
    return true;
}

static const struct gpudbg_listing timeline = {
    .name = "timeline",
    .summary = "draw all waves over recorded time, a row for those that look alike: # runs, o with lanes off, B "
               "arrives at a barrier, = waits there, - others run",
    .columns = timeline_columns,
    .ncolumns = sizeof timeline_columns / sizeof *timeline_columns,
    .rows = timeline_rows,
    .empty = "the launch has no waves",
};

static const struct gpudbg_listing *const listings[] = {&timeline, NULL};
COMMAND_FAMILY(cmd_timeline, "timeline", .summary = "waves over time", .listings = listings);
