/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info about the machine: registers, waves, lanes, groups, buffers, launch, history, hash, events. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "command.h"
#include "expr.h"
#include "insn.h"
#include "machine.h"
#include "out.h"
#include "session.h"
#include "value.h"

/* ---- info registers ---- */

#define WORDS_MAX 2048
#define PER_LINE 8

/* One register: its name, and its values: one, or one a lane. */
static bool show_register(struct gpudbg *g, const struct value *v, char letter, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_regfile *file = &g->machine->isa->files[v->file];
    uint32_t words[WORDS_MAX];
    char name[64], text[128];
    unsigned each = (file->bits + 31u) / 32;
    size_t n = value_words(g, g->wave, v, words, WORDS_MAX, err);
    if (!n)
        return false;
    if (file->indexed)
        snprintf(name, sizeof name, "%s%u", file->name, v->reg);
    else
        snprintf(name, sizeof name, "%s", file->name);
    gpudbg_out_begin(out, "register");
    gpudbg_out_string(out, "name", name);
    gpudbg_out_string(out, "file", file->name);
    gpudbg_out_number(out, "wave", g->wave);
    bool lanes = file->lanes > 1;
    if (lanes) {
        gpudbg_out_number(out, "lane", v->lane);
        gpudbg_out_array(out, "values");
    }
    for (size_t i = 0; i + each <= n; i += each) {
        struct value e = {.type = {v->type.kind, (uint8_t)(each > 1 ? 64 : 32)}, .place = PLACE_REGISTER};
        size_t lane = (size_t)v->lane + i / each;
        value_set_bits(&e, words[i] | (each > 1 ? (uint64_t)words[i + 1] << 32 : 0));
        value_text(g, &e, letter ? letter : 'z', text, sizeof text);
        if (lanes && i / each % PER_LINE == 0)
            gpudbg_out_print(out, "%s%-8s [%2zu]", i ? "\n" : "", i ? "" : name, lane);
        else if (!lanes)
            gpudbg_out_print(out, "%-12s", name);
        gpudbg_out_print(out, " %s", text);
        gpudbg_out_hex(out, lanes ? NULL : "value", value_bits(&e));
    }
    if (lanes)
        gpudbg_out_close(out);
    else if (file->format) {
        struct gpudbg_field_iter it;
        uint8_t bytes[8];
        for (int i = 0; i < 8; i++)
            bytes[i] = (uint8_t)((i < 4 ? words[0] : n > 1 ? words[1] : 0) >> 8 * (i % 4));
        gpudbg_out_array(out, "fields");
        for (gpudbg_word_fields(&it, file->format, bytes); gpudbg_out_json(out) && gpudbg_next_field(&it);)
            field_record(out, &it);
        gpudbg_out_close(out);
    }
    gpudbg_out_print(out, "\n");
    gpudbg_out_end(out);
    return true;
}

/* Numbered scalar registers as text: several a line. */
static bool show_scalars(
    struct gpudbg *g, unsigned f, unsigned count, char letter, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_regfile *file = &g->machine->isa->files[f];
    char name[64], text[128];
    for (unsigned r = 0; r < count; r++) {
        struct value v = {.type = {VALUE_UNSIGNED, file->bits > 32 ? 64 : 32}, .place = PLACE_REGISTER, .file = (uint16_t)f,
            .reg = (uint16_t)r, .count = 1, .lanes = 1};
        if (!value_load(g, g->wave, &v, err))
            return false;
        snprintf(name, sizeof name, "%s%u", file->name, r);
        value_text(g, &v, letter ? letter : 'z', text, sizeof text);
        bool last = r % 4 == 3 || r + 1 == count;
        gpudbg_out_print(out, last ? "%-12s %s\n" : "%-12s %-16s ", name, text);
    }
    return true;
}

/* All registers of a file. */
static bool show_file(struct gpudbg *g, unsigned f, char letter, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = g->machine->isa;
    unsigned count = isa->run->count(g->machine, f);
    if (isa->files[f].indexed && isa->files[f].lanes <= 1 && !gpudbg_out_json(out))
        return show_scalars(g, f, count, letter, out, err);
    for (unsigned r = 0; r < count && !out_broken(out); r++) {
        struct value v = {.type = {VALUE_UNSIGNED, isa->files[f].bits > 32 ? 64 : 32}, .place = PLACE_REGISTER, .file = (uint16_t)f,
            .reg = (uint16_t)r, .count = 1, .lanes = (int16_t)(isa->files[f].lanes > 1 ? isa->files[f].lanes : 1)};
        if (!show_register(g, &v, letter, out, err))
            return false;
    }
    return true;
}

static bool show_pc(struct gpudbg *g, struct gpudbg_out *out)
{
    struct machine_wave_info info;
    char where[256];
    machine_wave_info(g->machine, g->wave, &info);
    session_where(g, info.pc, where, sizeof where);
    gpudbg_out_print(out, "%-12s 0x%08" PRIx64 " <%s>\n", "pc", info.pc, where);
    gpudbg_out_begin(out, "register");
    gpudbg_out_string(out, "name", "pc");
    gpudbg_out_string(out, "file", "pc");
    gpudbg_out_number(out, "wave", g->wave);
    gpudbg_out_hex(out, "value", info.pc);
    gpudbg_out_string(out, "where", where);
    gpudbg_out_end(out);
    return true;
}

static int file_named(const struct gpudbg_isa *isa, const char *name)
{
    for (size_t f = 0; f < isa->nfiles; f++)
        if (strcmp(isa->files[f].name, name) == 0)
            return (int)f;
    return -1;
}

/* "v", "s", "exec", "v3", "v[0:3]", "v3[0:7]", "pc", with a $ or not. */
static bool show_named(struct gpudbg *g, const char *word, char letter, struct gpudbg_out *out, struct gpudbg_error *err)
{
    char expr[256];
    struct value v;
    if (*word == '$')
        word++;
    int f = file_named(g->machine->isa, word);
    if (f >= 0)
        return show_file(g, (unsigned)f, letter, out, err);
    if (strcmp(word, "pc") == 0)
        return show_pc(g, out);
    snprintf(expr, sizeof expr, "$%s", word);
    if (!expr_value(g, expr, &v, err))
        return false;
    if (v.place != PLACE_REGISTER || v.first || v.mask_bit)
        return gpudbg_fail(err, "command", "no register \"%.60s\"", word);
    const struct gpudbg_regfile *file = &g->machine->isa->files[v.file];
    unsigned count = v.count;
    size_t len = strlen(word);
    /* A lane in brackets behind a number or another bracket; without one, all lanes. */
    const char *bracket = strchr(word, '[');
    bool said = bracket && (isdigit((unsigned char)bracket[-(bracket > word)]) || (len > 1 && strstr(bracket, "][")));
    if (file->lanes > 1 && !said) {
        v.lane = 0;
        v.lanes = file->lanes;
    }
    v.count = 1;
    for (; count; count--, v.reg++)
        if (!show_register(g, &v, letter, out, err))
            return false;
    return true;
}

static bool run_info_registers(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    uint64_t count;
    unsigned size;
    char letter;
    const char *word;
    if (!session_need_machine(g, err) || !machine_wave(g->machine, g->wave, err) || !args_letters(a, &count, &letter, &size, err))
        return false;
    if (letter && !strchr("xduotfacz", letter))
        return gpudbg_fail(err, "command", "/%s: formats are x d u o t f a c z", a->format);
    if (*gpudbg_args_rest(a)) {
        while ((word = gpudbg_args_word(a)))
            if (!show_named(g, word, letter, out, err))
                return false;
        return true;
    }
    const struct gpudbg_isa *isa = g->machine->isa;
    if (file_named(isa, "pc") < 0)
        show_pc(g, out);
    for (unsigned f = 0; f < isa->nfiles; f++)
        if (isa->files[f].lanes <= 1 && !show_file(g, f, letter, out, err))
            return false;
    return true;
}

static const struct gpudbg_command info_registers = {
    .name = "info registers", .usage = "[/FMT] [REGISTER | FILE]...", .summary = "registers of the selected wave",
    .help = "Without names: all but those with lanes.  v: all of a file; v3, v[0:3]: all lanes; v3[0:7]: lanes 0 to 7.\n"
            "/f as floats, /d signed, and so on as in `print`.",
    .family = "Info", .run = run_info_registers, .complete = expr_complete,
};

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
    return snprintf(buf, size, "0x%016" PRIx64, ((const struct wave_row *)row)->info.active);
}

static int wave_executed(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct wave_row *)row)->info.executed);
}

static int wave_pc(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct wave_row *)row)->info.pc);
}

static int wave_where(const void *row, char *buf, size_t size)
{
    const struct wave_row *r = row;
    return session_where(r->g, r->info.pc, buf, size);
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
static bool take_range(struct gpudbg *g, const char *args, const char *what, uint64_t count, uint64_t *first, uint64_t *last,
    struct gpudbg_error *err)
{
    char text[128];
    *first = 0;
    *last = count ? count - 1 : 0;
    if (!*args)
        return true;
    const char *dash = strchr(args, '-');
    snprintf(text, sizeof text, "%.*s", (int)(dash ? dash - args : (long)strlen(args)), args);
    if (!gpudbg_evaluate(g, text, first, err))
        return false;
    *last = *first;
    if (dash && !gpudbg_evaluate(g, dash + 1, last, err))
        return false;
    if (*first > *last || *last >= count)
        return gpudbg_fail(err, "command", "no %s %.60s: there are %" PRIu64 ", from 0", what, args, count);
    return true;
}

static bool wave_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    uint64_t first, last;
    if (!session_need_machine(g, err) || !take_range(g, args, "wave", g->machine->nwaves, &first, &last, err))
        return false;
    for (uint64_t i = first; i <= last && i < g->machine->nwaves; i++) {
        struct wave_row row = {.g = g, .selected = i == g->wave};
        machine_wave_info(g->machine, (uint32_t)i, &row.info);
        if (!each(to, &row))
            break;
    }
    return true;
}

static const struct gpudbg_listing waves = {
    .name = "waves", .summary = "waves of the launch; 3 or 0-7 picks some", .type = "wave", .columns = wave_columns,
    .ncolumns = sizeof wave_columns / sizeof *wave_columns, .rows = wave_rows,
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
    return snprintf(buf, size, "%s", (int)r->lane == r->g->lane ? ">" : "");
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

/* Work-items of a group are counted x fastest; a group at the edge of the grid is as small as what is left of it. */
static void work_item(const struct gpudbg_launch *l, const struct machine_wave_info *info, unsigned lanes, struct lane_row *row)
{
    uint64_t linear = (uint64_t)info->index * lanes + row->lane;
    for (int i = 0; i < 3; i++) {
        uint64_t start = (uint64_t)info->group_id[i] * l->local[i];
        uint64_t left = l->global[i] > start ? l->global[i] - start : 1;
        uint64_t size = left < l->local[i] ? left : l->local[i];
        if (!size)
            size = 1;
        row->local[i] = (uint32_t)(i < 2 ? linear % size : linear);
        row->global[i] = (uint32_t)(start + row->local[i]);
        linear /= size;
    }
}

static bool lane_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    struct machine_wave_info info;
    uint64_t first, last;
    if (!session_need_machine(g, err) || !take_range(g, args, "lane", g->machine->isa->lanes, &first, &last, err))
        return false;
    machine_wave_info(g->machine, g->wave, &info);
    for (uint64_t i = first; i <= last; i++) {
        struct lane_row row = {.g = g, .info = &info, .lane = (unsigned)i, .exists = info.lanes >> i & 1,
            .executes = info.active >> i & 1};
        work_item(g->machine->launch, &info, g->machine->isa->lanes, &row);
        if (!each(to, &row))
            break;
    }
    return true;
}

static const struct gpudbg_listing lanes = {
    .name = "lanes", .summary = "lanes of the selected wave and their work-items", .type = "lane", .columns = lane_columns,
    .ncolumns = sizeof lane_columns / sizeof *lane_columns, .rows = lane_rows,
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
    if (r->waves == 1)
        return snprintf(buf, size, "%" PRIu32, r->first);
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
    if (!session_need_machine(g, err))
        return false;
    uint32_t per = g->machine->waves_per_group ? g->machine->waves_per_group : 1;
    if (!take_range(g, args, "group", g->machine->nwaves / per, &first, &last, err))
        return false;
    for (uint64_t n = first; n <= last && n * per < g->machine->nwaves; n++) {
        struct group_row row = {.group = n, .first = (uint32_t)(n * per), .waves = per};
        for (uint32_t w = 0; w < per; w++) {
            struct machine_wave_info info;
            machine_wave_info(g->machine, row.first + w, &info);
            memcpy(row.id, info.group_id, sizeof row.id);
            row.ended += info.state == GPUDBG_ENDED;
            row.at_barrier += info.state == GPUDBG_AT_BARRIER;
        }
        if (!each(to, &row))
            break;
    }
    return true;
}

static const struct gpudbg_listing groups = {
    .name = "groups", .summary = "groups of the launch", .type = "group", .columns = group_columns,
    .ncolumns = sizeof group_columns / sizeof *group_columns, .rows = group_rows,
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
    if (!session_need_machine(g, err))
        return false;
    for (int bound = 1; bound >= 0; bound--) /* arguments first, then what else there is */
        for (size_t s = 0; s < g->machine->nspaces; s++)
            for (size_t i = 0; i < g->machine->space[s].count; i++) {
                struct buffer_row row = {g->machine->space[s].name, g->machine->space[s].segment[i]};
                if ((row.segment->param >= 0) != bound)
                    continue;
                if (*args && (!row.segment->name || strcmp(row.segment->name, args) != 0))
                    continue;
                if (!each(to, &row))
                    return true;
            }
    return true;
}

static const struct gpudbg_listing buffers = {
    .name = "buffers", .summary = "memory of the launch, by argument", .type = "buffer", .columns = buffer_columns,
    .ncolumns = sizeof buffer_columns / sizeof *buffer_columns, .rows = buffer_rows,
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
    if (!session_need_machine(g, err))
        return false;
    const struct gpudbg_launch *l = g->machine->launch;
    for (size_t i = 0; i < l->nbound && each(to, &l->bound[i]);)
        i++;
    return true;
}

static const struct gpudbg_listing launch = {
    .name = "launch", .summary = "what the kernel was launched with", .type = "argument", .columns = bound_columns,
    .ncolumns = sizeof bound_columns / sizeof *bound_columns, .rows = bound_rows, .empty = "no arguments",
};

/* ---- history, hash, events ---- */

static bool run_info_history(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct machine_history h;
    if (!session_need_machine(g, err) || !args_end(a, err))
        return false;
    machine_history(g->machine, &h);
    gpudbg_out_print(out, "position %" PRIu64 " of %" PRIu64 " recorded; %" PRIu64 " checkpoints, %" PRIu64 " page copies, %" PRIu64
        " bytes, %" PRIu64 " edits\n", h.position, h.recorded, h.checkpoints, h.pages, h.bytes, h.edits);
    gpudbg_out_begin(out, "history");
    gpudbg_out_number(out, "position", (int64_t)h.position);
    gpudbg_out_number(out, "recorded", (int64_t)h.recorded);
    gpudbg_out_number(out, "checkpoints", (int64_t)h.checkpoints);
    gpudbg_out_number(out, "pages", (int64_t)h.pages);
    gpudbg_out_number(out, "size", (int64_t)h.bytes);
    gpudbg_out_number(out, "edits", (int64_t)h.edits);
    gpudbg_out_end(out);
    return true;
}

static const struct gpudbg_command info_history = {
    .name = "info history", .usage = "", .summary = "where in recorded time we are, and what recording costs", .family = "Info",
    .run = run_info_history,
};

static bool run_info_hash(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!session_need_machine(g, err) || !args_end(a, err))
        return false;
    uint64_t hash = machine_hash(g->machine);
    gpudbg_out_print(out, "hash 0x%016" PRIx64 "\n", hash);
    gpudbg_out_begin(out, "hash");
    gpudbg_out_hex(out, "value", hash);
    gpudbg_out_end(out);
    return true;
}

static const struct gpudbg_command info_hash = {
    .name = "info hash", .usage = "", .summary = "one number for the whole state of the machine", .family = "Info",
    .run = run_info_hash,
};

static int event_position(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct machine_event *)row)->position);
}

static int event_wave(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32, ((const struct machine_event *)row)->wave);
}

static int event_pc(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct machine_event *)row)->pc);
}

static int event_kind(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct machine_event *)row)->kind);
}

static int event_text(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct machine_event *)row)->text);
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
    const struct machine_event *events = NULL;
    (void)args;
    if (!session_need_machine(g, err))
        return false;
    size_t n = machine_events(g->machine, &events);
    for (size_t i = 0; i < n && each(to, &events[i]);)
        i++;
    return true;
}

static const struct gpudbg_listing events = {
    .name = "events", .summary = "messages and traps that the program made", .type = "event", .columns = event_columns,
    .ncolumns = sizeof event_columns / sizeof *event_columns, .rows = event_rows, .empty = "no events",
};

static const struct gpudbg_command *const commands[] = {&info_registers, &info_history, &info_hash, NULL};
static const struct gpudbg_listing *const listings[] = {&waves, &lanes, &groups, &buffers, &launch, &events, NULL};
COMMAND_FAMILY(cmd_state, "state", .summary = "state of the machine", .commands = commands, .listings = listings);
