/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listings of a launch: waves, lanes, groups, buffers, arguments, events. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "image/image.h"
#include "session/command.h"
#include "machine/item.h"
#include "machine/machine.h"
#include "session/session.h"

/* ---- waves ---- */

struct wave_row {
    const struct gpudbg *g;
    struct machine_wave_info info;
    bool selected;
};

static const char *state_word(uint8_t state)
{
    static const char *const words[] = {"unstarted", "ready", "barrier", "ended"};
    return state < 4 ? words[state] : "?";
}

static int wave_mark(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct wave_row *)row)->selected ? ">" : "");
}

static int wave_id(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32, ((const struct wave_row *)row)->info.id);
}

static int wave_state(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", state_word(((const struct wave_row *)row)->info.state));
}

static int wave_group(const void *row, char *buf, size_t size)
{
    const uint32_t *id = ((const struct wave_row *)row)->info.group_id;
    return snprintf(buf, size, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, id[0], id[1], id[2]);
}

static int wave_active(const void *row, char *buf, size_t size)
{
    const struct wave_row *r = row;
    const struct gpudbg_machine *m = r->g->running.machine;
    const unsigned lanes = m->lanes ? m->lanes : m->isa->lanes; /* a digit for four */
    return r->info.lost_mask ? snprintf(buf, size, "unknown")
                             : snprintf(buf, size, "0x%0*" PRIx64, (int)(lanes + 3) / 4, r->info.active);
}

static int wave_executed(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct wave_row *)row)->info.executed);
}

static int wave_pc(const void *row, char *buf, size_t size)
{
    const struct machine_wave_info *info = &((const struct wave_row *)row)->info;
    return info->lost_pc ? snprintf(buf, size, "unknown") : snprintf(buf, size, "0x%" PRIx64, info->pc);
}

static int wave_where(const void *row, char *buf, size_t size)
{
    const struct wave_row *r = row;
    if (r->info.state == GPUDBG_ENDED) return snprintf(buf, size, "not running");
    return r->info.lost_pc ? snprintf(buf, size, "unknown") : image_where(r->g->loaded.image, r->info.pc, buf, size);
}

static const struct gpudbg_column wave_columns[] = {
    {"selected", "", 0, GPUDBG_PLAIN, wave_mark},
    {"wave", "wave", 0, GPUDBG_COUNT, wave_id},
    {"state", "state", 0, GPUDBG_PLAIN, wave_state},
    {"where", "where", 0, GPUDBG_NAME, wave_where},
    {"group", "group", 0, GPUDBG_PLAIN, wave_group},
    {"active", "lanes that execute", 0, GPUDBG_HEXVALUE, wave_active},
    {"executed", "executed", 0, GPUDBG_COUNT, wave_executed},
    {"pc", "pc", 0, GPUDBG_ADDRESS, wave_pc},
};

/* "" or "3" or "0-7": first and last of `count`. */
static bool take_range(struct gpudbg *g, const char *args, const char *what, uint64_t count, uint64_t *first,
    uint64_t *last, struct gpudbg_error *err)
{
    char text[128];
    *first = 0;
    *last = count ? count - 1 : 0;
    if (!*args) return true;
    const char *dash = strchr(args, '-');
    snprintf(text, sizeof text, "%.*s", (int)(dash ? dash - args : (long)strlen(args)), args);
    if (!gpudbg_evaluate(g, text, first, err)) return false;
    *last = *first;
    if (dash && !gpudbg_evaluate(g, dash + 1, last, err)) return false;
    if (*first > *last || *last >= count)
        return gpudbg_fail(err, "out-of-range", "no %s %.60s: there are %" PRIu64 ", from 0", what, args, count);
    return true;
}

static bool wave_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    uint64_t first, last;
    int state = 0;
    while (state < 4 && strcmp(args, state_word((uint8_t)state)) != 0) state++;
    if (!eval_need_machine(&g->eval, err) ||
        !take_range(g, state < 4 ? "" : args, "wave", g->running.machine->nwaves, &first, &last, err))
        return false;
    for (uint64_t i = first, next; i <= last && i < g->running.machine->nwaves; i = next) {
        struct wave_row row = {.g = g, .selected = i == g->selection.wave};
        next = i + 1;
        machine_wave_info(g->running.machine, (uint32_t)i, &row.info);
        if (state < 4 && row.info.state != state)
            next = machine_waves_alike(g->running.machine, (uint32_t)i, &row.info);
        else if (!each(to, &row))
            break;
    }
    return true;
}

static const struct gpudbg_listing waves = {
    .name = "waves",
    .summary = "list the waves of the launch; `3`, `0-7`, `ready`, `barrier` or `ended` picks some",
    .type = "wave",
    .columns = wave_columns,
    .ncolumns = sizeof wave_columns / sizeof *wave_columns,
    .rows = wave_rows,
};

/* ---- lanes ---- */

struct lane_row {
    const struct gpudbg *g;
    const struct machine_wave_info *info;
    unsigned lane;
    bool exists, executes;
    uint32_t local[3], global[3]; /* work-item */
};

static int lane_mark(const void *row, char *buf, size_t size)
{
    const struct lane_row *r = row;
    return snprintf(buf, size, "%s", (int)r->lane == r->g->selection.lane ? ">" : "");
}

static int lane_number(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%u", ((const struct lane_row *)row)->lane);
}

static int lane_state(const void *row, char *buf, size_t size)
{
    const struct lane_row *r = row;
    return snprintf(buf, size, "%s", !r->exists ? "absent" : r->executes ? "executes" : "masked");
}

static int ids(const uint32_t *id, bool exists, char *buf, size_t size)
{
    return exists ? snprintf(buf, size, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, id[0], id[1], id[2]) : 0;
}

static int lane_local(const void *row, char *buf, size_t size)
{
    const struct lane_row *r = row;
    return ids(r->local, r->exists, buf, size);
}

static int lane_global(const void *row, char *buf, size_t size)
{
    const struct lane_row *r = row;
    return ids(r->global, r->exists, buf, size);
}

static const struct gpudbg_column lane_columns[] = {
    {"selected", "", 0, GPUDBG_PLAIN, lane_mark},
    {"lane", "lane", 0, GPUDBG_COUNT, lane_number},
    {"state", "state", 0, GPUDBG_PLAIN, lane_state},
    {"local", "local id", 0, GPUDBG_PLAIN, lane_local},
    {"global", "global id", 0, GPUDBG_PLAIN, lane_global},
};

static bool lane_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct machine_wave_info info;
    uint64_t first, last;
    if (!eval_need_machine(&g->eval, err) ||
        !take_range(g, args, "lane", g->running.machine->lanes, &first, &last, err))
        return false;
    machine_wave_info(g->running.machine, g->selection.wave, &info);
    for (uint64_t i = first; i <= last; i++) {
        struct lane_row row = {.g = g,
            .info = &info,
            .lane = (unsigned)i,
            .exists = info.lanes >> i & 1,
            .executes = info.active >> i & 1};
        machine_work_item(g->running.machine, &info, row.lane, row.local, row.global);
        if (!each(to, &row)) break;
    }
    return true;
}

static const struct gpudbg_listing lanes = {
    .name = "lanes",
    .summary = "list the lanes of the selected wave and their work-items",
    .type = "lane",
    .columns = lane_columns,
    .ncolumns = sizeof lane_columns / sizeof *lane_columns,
    .rows = lane_rows,
};

/* ---- groups ---- */

struct group_row {
    uint64_t group;
    uint32_t id[3], first, waves, ended, at_barrier;
};

static int group_number(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct group_row *)row)->group);
}

static int group_id(const void *row, char *buf, size_t size)
{
    return ids(((const struct group_row *)row)->id, true, buf, size);
}

static int group_waves(const void *row, char *buf, size_t size)
{
    const struct group_row *r = row;
    if (r->waves == 1) return snprintf(buf, size, "%" PRIu32, r->first);
    return snprintf(buf, size, "%" PRIu32 "-%" PRIu32, r->first, r->first + r->waves - 1);
}

static int group_ended(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32, ((const struct group_row *)row)->ended);
}

static int group_barrier(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32, ((const struct group_row *)row)->at_barrier);
}

static const struct gpudbg_column group_columns[] = {
    {"group", "group", 0, GPUDBG_COUNT, group_number},
    {"id", "id", 0, GPUDBG_PLAIN, group_id},
    {"waves", "waves", 0, GPUDBG_PLAIN, group_waves},
    {"at_barrier", "at barrier", 0, GPUDBG_COUNT, group_barrier},
    {"ended", "ended", 0, GPUDBG_COUNT, group_ended},
};

static bool group_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    uint64_t first, last;
    if (!eval_need_machine(&g->eval, err)) return false;
    uint32_t per = g->running.machine->waves_per_group ? g->running.machine->waves_per_group : 1;
    if (!take_range(g, args, "group", g->running.machine->nwaves / per, &first, &last, err)) return false;
    for (uint64_t n = first; n <= last && n * per < g->running.machine->nwaves; n++) {
        struct group_row row = {.group = n, .first = (uint32_t)(n * per), .waves = per};
        for (uint32_t w = 0; w < per; w++) {
            struct machine_wave_info info;
            machine_wave_info(g->running.machine, row.first + w, &info);
            memcpy(row.id, info.group_id, sizeof row.id);
            row.ended += info.state == GPUDBG_ENDED;
            row.at_barrier += info.state == GPUDBG_AT_BARRIER;
        }
        if (!each(to, &row)) break;
    }
    return true;
}

static const struct gpudbg_listing groups = {
    .name = "groups",
    .summary = "list the groups of the launch",
    .type = "group",
    .columns = group_columns,
    .ncolumns = sizeof group_columns / sizeof *group_columns,
    .rows = group_rows,
};

/* ---- buffers ---- */

struct buffer_row {
    const char *space;
    const struct gpudbg_segment *segment;
};

#define SEGMENT(row) (((const struct buffer_row *)(row))->segment)

static int buffer_name(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", SEGMENT(row)->name ? SEGMENT(row)->name : "");
}

static int buffer_arg(const void *row, char *buf, size_t size)
{
    return SEGMENT(row)->param < 0 ? 0 : snprintf(buf, size, "%d", (int)SEGMENT(row)->param);
}

static int buffer_space(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct buffer_row *)row)->space);
}

static int buffer_addr(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, SEGMENT(row)->base);
}

static int buffer_size(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, SEGMENT(row)->size);
}

static int buffer_flags(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", SEGMENT(row)->flags & GPUDBG_SEG_READONLY ? "read-only" : "");
}

static const struct gpudbg_column buffer_columns[] = {
    {"name", "name", 0, GPUDBG_NAME, buffer_name},
    {"arg", "arg", 0, GPUDBG_COUNT, buffer_arg},
    {"space", "space", 0, GPUDBG_PLAIN, buffer_space},
    {"addr", "address", 0, GPUDBG_ADDRESS, buffer_addr},
    {"size", "bytes", 0, GPUDBG_COUNT, buffer_size},
    {"flags", "", 0, GPUDBG_NOTE, buffer_flags},
};

static bool buffer_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    if (!eval_need_machine(&g->eval, err)) return false;
    for (int bound = 1; bound >= 0; bound--) /* arguments first, then what else there is */
        for (size_t s = 0; s < g->running.machine->nspaces; s++)
            for (size_t i = 0; i < g->running.machine->space[s].count; i++) {
                struct buffer_row row = {g->running.machine->space[s].name, g->running.machine->space[s].segment[i]};
                if ((row.segment->param >= 0) != bound) continue;
                if (*args && (!row.segment->name || strcmp(row.segment->name, args) != 0)) continue;
                if (!each(to, &row)) return true;
            }
    return true;
}

static const struct gpudbg_listing buffers = {
    .name = "buffers",
    .summary = "list the memory of the launch, by argument",
    .type = "buffer",
    .columns = buffer_columns,
    .ncolumns = sizeof buffer_columns / sizeof *buffer_columns,
    .rows = buffer_rows,
};

/* ---- launch ---- */

static int bound_name(const void *row, char *buf, size_t size)
{
    const struct gpudbg_bound *b = row;
    return snprintf(buf, size, "%s", b->name ? b->name : "");
}

static int bound_kind(const void *row, char *buf, size_t size)
{
    static const char *const kinds[] = {"buffer", "value", "local", "part"};
    const struct gpudbg_bound *b = row;
    return snprintf(buf, size, "%s", (unsigned)b->kind < 4 ? kinds[b->kind] : "other");
}

static int bound_text(const void *row, char *buf, size_t size)
{
    const struct gpudbg_bound *b = row;
    return snprintf(buf, size, "%s", b->text ? b->text : "");
}

static const struct gpudbg_column bound_columns[] = {
    {"name", "argument", 0, GPUDBG_NAME, bound_name},
    {"kind", "kind", 0, GPUDBG_PLAIN, bound_kind},
    {"given", "given", 0, GPUDBG_PLAIN, bound_text},
};

static bool bound_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    (void)args;
    if (!eval_need_machine(&g->eval, err)) return false;
    const struct gpudbg_launch *l = g->running.machine->launch;
    for (size_t i = 0; i < l->nbound && each(to, &l->bound[i]);) i++;
    return true;
}

static const struct gpudbg_listing launch = {
    .name = "launch",
    .summary = "show the arguments of the launch",
    .type = "argument",
    .columns = bound_columns,
    .ncolumns = sizeof bound_columns / sizeof *bound_columns,
    .rows = bound_rows,
    .empty = "no arguments",
};

/* ---- events ---- */

static int event_position(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct gpudbg_event *)row)->position);
}

static int event_wave(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32, ((const struct gpudbg_event *)row)->wave);
}

static int event_pc(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct gpudbg_event *)row)->pc);
}

static int event_kind(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct gpudbg_event *)row)->kind);
}

static int event_text(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct gpudbg_event *)row)->text);
}

static const struct gpudbg_column event_columns[] = {
    {"position", "position", 0, GPUDBG_COUNT, event_position},
    {"wave", "wave", 0, GPUDBG_COUNT, event_wave},
    {"pc", "pc", 0, GPUDBG_ADDRESS, event_pc},
    {"kind", "kind", 0, GPUDBG_PLAIN, event_kind},
    {"text", "what", 0, GPUDBG_NOTE, event_text},
};

static bool event_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_event *events = NULL;
    (void)args;
    if (!eval_need_machine(&g->eval, err)) return false;
    size_t n = gpudbg_events(g->running.machine, &events);
    for (size_t i = 0; i < n && each(to, &events[i]);) i++;
    return true;
}

static const struct gpudbg_listing events = {
    .name = "events",
    .summary = "list the messages and traps that the program made",
    .type = "event",
    .columns = event_columns,
    .ncolumns = sizeof event_columns / sizeof *event_columns,
    .rows = event_rows,
    .empty = "no events",
};

static const struct gpudbg_listing *const listings[] = {&waves, &lanes, &groups, &buffers, &launch, &events, NULL};
COMMAND_FAMILY(cmd_lists, "lists", .summary = "listings of a launch", .listings = listings);
