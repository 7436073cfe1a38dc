/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program printed: the listing, and new messages at a stop. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "command/cmd_printed.h"
#include "machine/printed.h"
#include "out/out.h"
#include "session/command.h"
#include "session/session.h"

#define LINES 200 /* of new messages at a stop */
#define CELL 2304 /* of a message in them */

static int ids(const uint32_t id[3], char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, id[0], id[1], id[2]);
}

/* Without the end of the last line. */
static size_t text_length_shown(const struct printed *p)
{
    const size_t n = strlen(p->text);
    return n && p->text[n - 1] == '\n' ? n - 1 : n;
}

/* ---- info printf ---- */

static int printed_position(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct printed *)row)->position);
}

static int printed_item(const void *row, char *buf, size_t size)
{
    const struct printed *p = row;
    return p->lane < 0 ? 0 : ids(p->item, buf, size);
}

static int printed_wave(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32, ((const struct printed *)row)->wave);
}

static int printed_lane(const void *row, char *buf, size_t size)
{
    const struct printed *p = row;
    return p->lane < 0 ? 0 : snprintf(buf, size, "%d", p->lane);
}

static int printed_text(const void *row, char *buf, size_t size)
{
    const struct printed *p = row;
    return snprintf(buf, size, "%.*s", (int)text_length_shown(p), p->text);
}

static int printed_problem(const void *row, char *buf, size_t size)
{
    const struct printed *p = row;
    return p->problem ? snprintf(buf, size, "%s", p->problem) : 0;
}

static const struct gpudbg_column columns[] = {
    {"position", "position", 0, GPUDBG_COUNT, printed_position},
    {"wave", "wave", 0, GPUDBG_COUNT, printed_wave},
    {"lane", "lane", 0, GPUDBG_COUNT, printed_lane},
    {"item", "work-item", 0, GPUDBG_PLAIN, printed_item},
    {"text", "text", 0, GPUDBG_PLAIN, printed_text},
    {"problem", "", 0, GPUDBG_NOTE, printed_problem},
};

struct rows {
    gpudbg_row_fn *each;
    void *to;
};

static bool give_row(void *to, const struct printed *p)
{
    const struct rows *r = to;
    return r->each(r->to, p);
}

static bool rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct rows r = {each, to};
    if (*args) return gpudbg_fail(err, "usage", "\"%.60s\" is one word too many for this command", args);
    if (!eval_need_machine(&g->eval, err)) return false;
    printed_each(g->running.machine, false, give_row, &r);
    return true;
}

static const struct gpudbg_listing listing = {
    .name = "printf",
    .summary = "list what the program printed: each message, and the work-item that printed it",
    .type = "printf",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = rows,
    .empty = "nothing was printed",
};

/* ---- At a stop ---- */

struct showing {
    struct gpudbg *g;
    struct gpudbg_out *out;
    uint64_t n;
};

static bool show(void *to, const struct printed *p)
{
    struct showing *s = to;
    char who[64], text[CELL];
    if (!gpudbg_out_json(s->out) && s->n++ >= LINES) return true;
    const int n = printed_text(p, text, sizeof text);
    if (p->lane < 0)
        snprintf(who, sizeof who, "wave %" PRIu32, p->wave);
    else
        ids(p->item, who, sizeof who);
    gpudbg_out_print(s->out, "[%s] %s%s", who, text, (size_t)n >= sizeof text ? "... (cut)" : "");
    if (p->problem) gpudbg_out_print(s->out, " <%s>", p->problem);
    gpudbg_out_print(s->out, "\n");
    gpudbg_out_begin(s->out, "printf");
    gpudbg_out_number(s->out, "position", (int64_t)p->position);
    gpudbg_out_number(s->out, "wave", p->wave);
    if (p->lane >= 0) {
        gpudbg_out_number(s->out, "lane", p->lane);
        gpudbg_out_string(s->out, "item", who);
    }
    gpudbg_out_string(s->out, "text", text);
    if (p->problem) gpudbg_out_string(s->out, "problem", p->problem);
    gpudbg_out_end(s->out);
    return true;
}

void printed_show_new(struct gpudbg *g, struct gpudbg_out *out)
{
    struct showing s = {g, out, 0};
    if (!g->running.machine) return;
    printed_each(g->running.machine, true, show, &s);
    if (s.n > LINES) gpudbg_out_print(out, "... and %" PRIu64 " more messages: `info printf` lists all\n", s.n - LINES);
}

static const struct gpudbg_listing *const listings[] = {&listing, NULL};
COMMAND_FAMILY(cmd_printed, "printed", .summary = "what programs print", .listings = listings);
