/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user means by a wave and a lane: workitem, group, pixel; and info where, waves by where they are. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/code_names.h"
#include "eval/expr.h"
#include "eval/location.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/item.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

/* ---- workitem, pixel, group ---- */

/* "37" or "37,12" or "37,12,0": up to three expressions, the others as they are; returns how many, 0 with an error. */
static unsigned take_place(
    struct gpudbg *g, const char *text, const char *what, uint64_t at[3], struct gpudbg_error *err)
{
    unsigned n = 0;
    while (n < 3) {
        char part[128];
        const size_t len = strcspn(text, ",");
        snprintf(part, sizeof part, "%.*s", (int)(len < sizeof part ? len : sizeof part - 1), text);
        if (len >= sizeof part || !part[strspn(part, " ")])
            return (void)gpudbg_fail(err, "usage", "%s needs X, X,Y or X,Y,Z", what), 0;
        if (!gpudbg_evaluate(g, part, &at[n++], err)) return 0;
        text += len;
        if (!*text++) return n;
    }
    return (void)gpudbg_fail(err, "usage", "%s: more than three numbers", what), 0;
}

static void show_item(struct gpudbg *g, struct gpudbg_out *out)
{
    const struct gpudbg_machine *m = g->running.machine;
    struct machine_wave_info info;
    uint32_t local[3], global[3];
    char item[64], inside[64], group[64], quad[32], where[300];
    const unsigned lane = (unsigned)g->selection.lane;
    machine_wave_info(g->running.machine, g->selection.wave, &info);
    machine_work_item(m, &info, lane, local, global);
    snprintf(item, sizeof item, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, global[0], global[1], global[2]);
    snprintf(inside, sizeof inside, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, local[0], local[1], local[2]);
    snprintf(
        group, sizeof group, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, info.group_id[0], info.group_id[1], info.group_id[2]);
    snprintf(quad, sizeof quad, "%u-%u", lane & ~3u, lane | 3u);
    if (info.state == GPUDBG_ENDED)
        snprintf(where, sizeof where, "has ended");
    else if (info.lost_pc)
        snprintf(where, sizeof where, "place unknown");
    else
        image_where(g->loaded.image, info.pc, where, sizeof where);
    const bool off = info.state != GPUDBG_ENDED && !info.lost_mask && !(info.active >> lane & 1);
    RECORD(out, "workitem",
        "work-item {global}: wave {wave}, lane {lane}[ of quad {quad}], group {group}, local {local}; {where}[, masked "
        "off{masked}]\n",
        STRING("global", item), NUMBER("wave", g->selection.wave), NUMBER("lane", lane),
        IF(machine_quads(m), STRING("quad", quad)), STRING("group", group), STRING("local", inside),
        STRING("where", where), FLAG("masked", off));
}

static bool select_item(struct gpudbg *g, const uint64_t at[3], const char *what, struct gpudbg_error *err)
{
    const struct gpudbg_launch *l = g->running.machine->launch;
    uint32_t wave;
    unsigned lane;
    if (!machine_item_lane(g->running.machine, at, &wave, &lane))
        return gpudbg_fail(err, "out-of-range",
            "no %s %" PRIu64 ",%" PRIu64 ",%" PRIu64 ": the grid is %" PRIu32 ",%" PRIu32 ",%" PRIu32 "%s", what, at[0],
            at[1], at[2], l->global[0], l->global[1], l->global[2],
            l->offset[0] || l->offset[1] || l->offset[2] ? " from the launch's offset on" : ", from 0");
    g->selection.wave = wave;
    g->selection.lane = (int)lane;
    g->selection.cursor = location_here(&g->eval);
    g->selection.listed.file = NULL;
    return true;
}

/* A group by its number or its id: at[] is its id. */
static bool take_group(struct gpudbg *g, const char *text, uint64_t at[3], struct gpudbg_error *err)
{
    const uint32_t *groups = g->running.machine->launch->groups;
    const unsigned n = take_place(g, text, "group", at, err);
    if (!n) return false;
    const uint64_t all = (uint64_t)groups[0] * groups[1] * groups[2];
    if (n == 1 && at[0] >= all)
        return gpudbg_fail(err, "out-of-range", "no group %" PRIu64 ": there are %" PRIu64 ", from 0", at[0], all);
    if (n == 1) {
        at[2] = at[0] / groups[0] / groups[1];
        at[1] = at[0] / groups[0] % groups[1];
        at[0] %= groups[0];
    }
    if (at[0] < groups[0] && at[1] < groups[1] && at[2] < groups[2]) return true;
    return gpudbg_fail(err, "out-of-range",
        "no group %" PRIu64 ",%" PRIu64 ",%" PRIu64 ": there are %" PRIu32 ",%" PRIu32 ",%" PRIu32 ", from 0", at[0],
        at[1], at[2], groups[0], groups[1], groups[2]);
}

/* "5,12 group 3,2": the work-item's id in that group, which `in` points at, becomes its global id. */
static bool in_group(struct gpudbg *g, const char *text, const char *in, uint64_t at[3], struct gpudbg_error *err)
{
    const struct gpudbg_machine *m = g->running.machine;
    struct machine_wave_info info;
    char local[128];
    uint64_t group[3] = {0};
    at[0] = at[1] = at[2] = 0;
    text_put(local, sizeof local, "%.*s", (int)(in - text), text);
    machine_wave_info(g->running.machine, g->selection.wave, &info);
    in += strlen("group");
    if (!take_place(g, local, "workitem", at, err)) return false;
    if (in[strspn(in, " ")]) {
        if (!take_group(g, in, group, err)) return false;
    } else
        for (unsigned i = 0; i < 3; i++) group[i] = info.group_id[i];
    for (unsigned i = 0; i < 3; i++) {
        if (at[i] >= m->launch->local[i])
            return gpudbg_fail(err, "out-of-range",
                "no work-item %" PRIu64 ",%" PRIu64 ",%" PRIu64 " in a group of %" PRIu32 ",%" PRIu32 ",%" PRIu32,
                at[0], at[1], at[2], m->launch->local[0], m->launch->local[1], m->launch->local[2]);
    }
    for (unsigned i = 0; i < 3; i++) at[i] += m->launch->offset[i] + group[i] * m->launch->local[i];
    return true;
}

/* Finds the word `group` in "5,12 group 3,2"; NULL: the text has none. */
static const char *group_word(const char *text)
{
    for (const char *at = text; (at = strstr(at, " group")); at++)
        if (!at[6] || at[6] == ' ') return at + 1;
    return NULL;
}

static bool run_workitem(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *text = gpudbg_args_rest(a), *in = group_word(text);
    if (!eval_need_machine(&g->eval, err)) return false;
    const uint32_t *o = g->running.machine->launch->offset;
    uint64_t at[3] = {o[0], o[1], o[2]};
    if (*text && !(in ? in_group(g, text, in, at, err) : take_place(g, text, "workitem", at, err) > 0)) return false;
    if (*text && !select_item(g, at, "work-item", err)) return false;
    show_item(g, out);
    return true;
}

static const struct gpudbg_command workitem = {
    .name = "workitem",
    .aliases = "gid",
    .usage = "[X[,Y[,Z]] [group [GROUP]]]",
    .summary = "select the wave and the lane of a work-item, by its global id",
    .help =
        "With `group`, X,Y,Z is the id in a group: in GROUP, its number or its id as the command `group` takes\n"
        "them, or in the selected group: workitem 5,12 group 3,2\n"
        "Without numbers, the command shows the work-item of the selected lane.  In expressions, and so in\n"
        "conditions, $gid.x $gid.y $gid.z are the global id of the lane, $lid.x ... the id in the group, $group.x ...\n"
        "the group; $gid, $lid and $group alone count all of them, x fastest: break L0080 if $gid.x == 37",
    .family = "Running",
    .run = run_workitem,
    .complete = complete_expression,
};

static bool run_pixel(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *text = gpudbg_args_rest(a);
    uint64_t at[3] = {0};
    if (!eval_need_machine(&g->eval, err)) return false;
    if (!machine_quads(g->running.machine))
        return gpudbg_fail(err, "not-now", "the program does not shade pixels; `workitem X,Y` selects by global id");
    if (*text) {
        const unsigned n = take_place(g, text, "pixel", at, err);
        if (n == 1 || n == 3) return gpudbg_fail(err, "usage", "pixel needs X,Y");
        if (!n || !select_item(g, at, "pixel", err)) return false;
    }
    show_item(g, out);
    return true;
}

static const struct gpudbg_command pixel = {
    .name = "pixel",
    .usage = "[X,Y]",
    .summary = "select the wave and the lane that shade a pixel",
    .help =
        "For pixel shaders: four lanes, 4n to 4n + 3, are a quad of pixels: (0,0) (1,0) (0,1) (1,1).  Bare code is\n"
        "a pixel shader if its file says so, and its lanes are quads if the local size is even in x and y: launch -g "
        "64,64 -l 8,8",
    .family = "Running",
    .run = run_pixel,
    .complete = complete_expression,
};

static bool run_group(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *text = gpudbg_args_rest(a);
    uint64_t at[3] = {0};
    if (!eval_need_machine(&g->eval, err)) return false;
    const struct gpudbg_machine *m = g->running.machine;
    const uint32_t *groups = m->launch->groups;
    if (*text) {
        if (!take_group(g, text, at, err)) return false;
        const uint64_t number = at[0] + groups[0] * (at[1] + groups[1] * at[2]);
        g->selection.wave = (uint32_t)number * m->waves_per_group;
        g->selection.lane = 0;
        g->selection.cursor = location_here(&g->eval);
        g->selection.listed.file = NULL;
    }
    show_item(g, out);
    return true;
}

static const struct gpudbg_command group = {
    .name = "group",
    .usage = "[N | X,Y[,Z]]",
    .summary = "select the first wave of a group",
    .help = "N is the number of the group, as `info groups` lists them; X,Y,Z is its id.  Without either, the command\n"
            "shows the selected one.",
    .family = "Running",
    .run = run_group,
    .complete = complete_expression,
};

/* ---- where ---- */

struct where_row {
    struct gpudbg *g;
    uint64_t pc;
    uint8_t state; /* of all its waves */
    bool selected, lost, full;
    uint64_t waves, executing, lanes; /* how many; lanes of all of them that execute, and that exist */
    char text[200];                   /* "0-3,7" */
    uint32_t from, last;              /* the run of waves that is not in it yet */
};

#define WHERE(row) ((const struct where_row *)(row))

static int where_mark(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", WHERE(row)->selected ? ">" : "");
}

static int where_place(const void *row, char *buf, size_t size)
{
    const struct where_row *r = row;
    if (r->state == GPUDBG_ENDED) return snprintf(buf, size, "(ended)");
    return r->lost ? snprintf(buf, size, "unknown") : image_where(r->g->loaded.image, r->pc, buf, size);
}

static int where_insn(const void *row, char *buf, size_t size)
{
    const struct where_row *r = row;
    if (r->state == GPUDBG_ENDED || r->lost) return 0;
    return code_text_at(r->g->loaded.image, r->pc, r->g->eval.syntax, buf, size);
}

static int where_state(const void *row, char *buf, size_t size)
{
    static const char *const words[] = {"unstarted", "ready", "barrier", "ended"};
    return snprintf(buf, size, "%s", words[WHERE(row)->state & 3]);
}

static int where_waves(const void *row, char *buf, size_t size) { return snprintf(buf, size, "%s", WHERE(row)->text); }

static int where_count(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, WHERE(row)->waves);
}

static int where_lanes(const void *row, char *buf, size_t size)
{
    const struct where_row *r = row;
    if (r->state == GPUDBG_ENDED) return 0;
    return snprintf(buf, size, "%" PRIu64 " of %" PRIu64, r->executing, r->lanes);
}

static int where_pc(const void *row, char *buf, size_t size)
{
    const struct where_row *r = row;
    return r->state == GPUDBG_ENDED || r->lost ? 0 : snprintf(buf, size, "0x%" PRIx64, r->pc);
}

static const struct gpudbg_column where_columns[] = {
    {"selected", "", 0, GPUDBG_PLAIN, where_mark},
    {"where", "where", 0, GPUDBG_NAME, where_place},
    {"insn", "instruction", 0, GPUDBG_PLAIN, where_insn},
    {"state", "state", 0, GPUDBG_PLAIN, where_state},
    {"count", "n", 0, GPUDBG_COUNT, where_count},
    {"waves", "waves", 0, GPUDBG_PLAIN, where_waves},
    {"lanes", "lanes run", 0, GPUDBG_PLAIN, where_lanes},
    {"pc", "pc", 0, GPUDBG_ADDRESS, where_pc},
};

struct places {
    struct gpudbg *g;
    struct where_row *row; /* malloc'ed */
    size_t n, room, latest;
};

static struct where_row *place_of(struct places *p, const struct machine_wave_info *w)
{
    const bool ended = w->state == GPUDBG_ENDED;
    for (size_t k = 0; k < p->n; k++) {
        struct where_row *r = &p->row[(p->latest + k) % p->n];
        if (r->state != w->state || (!ended && (r->lost != w->lost_pc || (!r->lost && r->pc != w->pc)))) continue;
        p->latest = (size_t)(r - p->row);
        return r;
    }
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 16;
        p->row = xrealloc(p->row, p->room, sizeof *p->row);
    }
    p->latest = p->n;
    p->row[p->n] = (struct where_row){.g = p->g, .pc = w->pc, .state = w->state, .lost = w->lost_pc};
    return &p->row[p->n++];
}

/* Adds the run of waves that just ended to the row.  A run that does not fit becomes "...", and later runs are left
 * out. */
static void run_write(struct where_row *r)
{
    const size_t n = strlen(r->text), room = sizeof r->text;
    if (n + 28 > room) {
        if (!r->full) snprintf(r->text + n, room - n, ",...");
        r->full = true;
    } else if (r->from == r->last)
        snprintf(r->text + n, room - n, "%s%" PRIu32, n ? "," : "", r->last);
    else
        snprintf(r->text + n, room - n, "%s%" PRIu32 "-%" PRIu32, n ? "," : "", r->from, r->last);
}

/* Adds a wave and those up to `end`, which are like it. */
static void place_add(struct where_row *r, const struct machine_wave_info *w, uint32_t end, bool selected)
{
    const uint32_t n = end - w->id;
    if (r->waves && w->id != r->last + 1) run_write(r);
    if (!r->waves || w->id != r->last + 1) r->from = w->id;
    r->last = end - 1;
    r->waves += n;
    r->selected |= selected;
    r->lanes += (uint64_t)n * (uint64_t)__builtin_popcountll(w->lanes);
    r->executing += (uint64_t)n * (uint64_t)__builtin_popcountll(w->active & w->lanes);
}

/* By address; the waves that have ended come last. */
static int by_place(const void *a, const void *b)
{
    const struct where_row *x = a, *y = b;
    const bool x_ended = x->state == GPUDBG_ENDED, y_ended = y->state == GPUDBG_ENDED;
    if (x_ended != y_ended) return x_ended ? 1 : -1;
    return x->pc != y->pc ? (x->pc < y->pc ? -1 : 1) : x->state - y->state;
}

static bool where_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct places p = {.g = g};
    if (!eval_need_machine(&g->eval, err)) return false;
    if (*args) return gpudbg_fail(err, "usage", "info where takes no argument");
    for (uint32_t i = 0, end; i < g->running.machine->nwaves; i = end) {
        struct machine_wave_info w;
        end = machine_waves_alike(g->running.machine, i, &w);
        place_add(place_of(&p, &w), &w, end, g->selection.wave - i < end - i);
    }
    for (size_t i = 0; i < p.n; i++) run_write(&p.row[i]);
    if (p.n) qsort(p.row, p.n, sizeof *p.row, by_place);
    for (size_t i = 0; i < p.n && each(to, &p.row[i]);) i++;
    free(p.row);
    return true;
}

static const struct gpudbg_listing where = {
    .name = "where",
    .summary = "list the waves by the instruction that they are at",
    .columns = where_columns,
    .ncolumns = sizeof where_columns / sizeof *where_columns,
    .rows = where_rows,
};

static const struct gpudbg_command *const commands[] = {&workitem, &pixel, &group, NULL};
static const struct gpudbg_listing *const listings[] = {&where, NULL};
COMMAND_FAMILY(
    cmd_item, "items", .summary = "work-items, pixels and groups", .commands = commands, .listings = listings);
