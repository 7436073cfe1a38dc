/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much was executed, and where: `info stats`, `info profile`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/words.h"
#include "image/image.h"
#include "out/say.h"
#include "session/command.h"
#include "code/code_names.h"
#include "machine/machine.h"
#include "control/profile.h"
#include "session/session.h"

/* ---- stats ---- */

static bool run_info_stats(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct profile p;
    if (!args_end(a, err) || !profile_take(&g->control, &p, err)) return false;
    RECORD(out, "stats",
        "{instructions} instructions, {lane_operations} lane operations; {seconds:.6} s of processor time for {timed} "
        "of "
        "them\n",
        NUMBER("instructions", p.instructions), NUMBER("lane_operations", p.lane_operations),
        REAL("seconds", g->running.stats.seconds), TEXT_ONLY(NUMBER("timed", g->running.stats.instructions)));
    profile_free(&p);
    return true;
}

static const struct gpudbg_command info_stats = {
    .name = "info stats",
    .usage = "",
    .summary = "count the executed instructions, by waves and by lanes, and their time",
    .help = "After `set profile on`, lane operations are counted while the code runs.  Without it, this command\n"
            "runs recorded time again to count them, as `info profile` does.",
    .family = "Info",
    .run = run_info_stats,
};

/* ---- profile ---- */

struct profile_row {
    const struct gpudbg *g;
    struct profile_place at; /* of an address, or the sums of a source line */
    const struct gpudbg_line *line;
    bool by_line;
};

static int row_pc(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct profile_row *)row)->at.pc);
}

static int row_executed(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct profile_row *)row)->at.executed);
}

static int row_lanes(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct profile_row *)row)->at.lanes);
}

static int row_partial(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct profile_row *)row)->at.partial);
}

static int row_jumped(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct profile_row *)row)->at.jumped);
}

static int row_where(const void *row, char *buf, size_t size)
{
    const struct profile_row *r = row;
    if (!r->by_line) return image_where(r->g->loaded.image, r->at.pc, buf, size);
    return r->line ? snprintf(buf, size, "%s:%" PRIu32, r->line->file, r->line->line) : snprintf(buf, size, "no line");
}

static int row_text(const void *row, char *buf, size_t size)
{
    const struct profile_row *r = row;
    return r->by_line ? 0 : code_text_at(r->g->loaded.image, r->at.pc, r->g->settings.syntax, buf, size);
}

static const struct gpudbg_column profile_columns[] = {
    {"pc", "address", 0, GPUDBG_ADDRESS, row_pc},
    {"executed", "executed", 0, GPUDBG_COUNT, row_executed},
    {"lanes", "lanes", 0, GPUDBG_COUNT, row_lanes},
    {"partial", "masked", 0, GPUDBG_COUNT, row_partial},
    {"jumped", "jumped", 0, GPUDBG_COUNT, row_jumped},
    {"where", "where", 0, GPUDBG_NAME, row_where},
    {"text", "instruction", 0, GPUDBG_PLAIN, row_text},
};

static bool same_line(const struct gpudbg_line *a, const struct gpudbg_line *b)
{
    return a == b || (a && b && a->line == b->line && strcmp(a->file, b->file) == 0);
}

/* Adds up the places of each source line; `place` is used up. */
static bool rows_by_line(struct gpudbg *g, struct profile *p, gpudbg_row_fn *each, void *to)
{
    for (size_t i = 0; i < p->count; i++) {
        struct profile_row row = {g, p->place[i], gpudbg_image_line(g->loaded.image, p->place[i].pc), true};
        if (!row.at.executed) continue; /* counted with an earlier place of its line */
        for (size_t j = i + 1; j < p->count; j++) {
            struct profile_place *more = &p->place[j];
            if (!more->executed || !same_line(row.line, gpudbg_image_line(g->loaded.image, more->pc))) continue;
            row.at.executed += more->executed;
            row.at.lanes += more->lanes;
            row.at.partial += more->partial;
            row.at.jumped += more->jumped;
            more->executed = 0;
        }
        if (!each(to, &row)) return false;
    }
    return true;
}

static bool profile_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct profile p;
    bool by_line = strcmp(args, "lines") == 0;
    if (*args && !by_line) return gpudbg_fail(err, "usage", "info profile: \"%s\" is not \"lines\"", args);
    if (!profile_take(&g->control, &p, err)) return false;
    if (by_line) rows_by_line(g, &p, each, to);
    for (size_t i = 0; !by_line && i < p.count; i++) {
        struct profile_row row = {g, p.place[i], NULL, false};
        if (!each(to, &row)) break;
    }
    profile_free(&p);
    return true;
}

static const struct gpudbg_listing profile = {
    .name = "profile",
    .summary = "count the instructions of each address, or with `lines` of each source line",
    .columns = profile_columns,
    .ncolumns = sizeof profile_columns / sizeof *profile_columns,
    .rows = profile_rows,
    .empty = "nothing was executed",
};

static const struct gpudbg_command *const commands[] = {&info_stats, NULL};
static const struct gpudbg_listing *const listings[] = {&profile, NULL};
COMMAND_FAMILY(cmd_stats, "stats", .summary = "what was executed", .commands = commands, .listings = listings);
