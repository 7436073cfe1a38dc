/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export.c: the data that waves send out of the machine: exports and messages.  Both are events with the values; `info
 * exports` and `info messages` show them.  Going back in time takes them back.
 */
#include "engine/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpudbg/lane_set.h"
#include "gpudbg/lanes.h"
#include "gpudbg/text.h"

#include "code/bits.h"
#include "code/gcn_decoder.h"
#include "engine/gcn_exec.h"
#include "engine/setup.h"
#include "gcn.h"

/* ---- Exports ---- */

/* The data of an event "export". */
struct export
{
    uint8_t enable, target, compressed, done, valid, newer;
    uint64_t exec;
    uint32_t value[4][64];
};

static int target_name(const struct export *e, char *buf, size_t size)
{
    const unsigned target = e->target;
    if (e->newer) return snprintf(buf, size, "%s", gpudbg_enum_name(&gcn_enum[GCN_E_EXP_TARGET_NEWER], target));
    if (target == 8 || target == 9) return snprintf(buf, size, "%s", target == 8 ? "mrtz" : "null");
    const char *name = target < 8 ? "mrt" : target >= 12 && target < 16 ? "pos" : target >= 32 ? "param" : "target";
    return snprintf(buf, size, "%s%u", name,
        target < 8 || name[0] == 't' ? target
        : target < 16                ? target - 12
                                     : target - 32);
}

static const struct gcn_op *export(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct export e = {.enable = (uint8_t)GET(op->imm, EXP, en),
        .target = (uint8_t)GET(op->imm, EXP, tgt),
        .compressed = (uint8_t)GET(op->imm, EXP, compr),
        .done = (uint8_t)GET(op->imm, EXP, done),
        .valid = (uint8_t)GET(op->imm, EXP, vm),
        .newer = gcn_chip_of(w->machine->isa)->newer_hwregs,
        .exec = gcn_active(w)};
    const uint16_t from[4] = {op->a, op->b, op->c, op->d};
    char target[24], lanes[LANE_SET_TEXT];
    for (unsigned i = 0; i < 4; i++)
        for (uint64_t m = e.enable >> i & 1 ? e.exec : 0; m; m &= m - 1) {
            unsigned l = gcn_first_lane(m);
            e.value[i][l] = e.compressed ? gcn_v(w, from[i / 2])[l] >> 16 * (i % 2) & 0xffff : gcn_v(w, from[i])[l];
        }
    gcn_sync(w, op);
    target_name(&e, target, sizeof target);
    gpudbg_event_data(w, "export", &e, sizeof e, "exp %s%s%s%s%s", target, e.exec ? ", " : "",
        lane_set_text(e.exec, lanes, sizeof lanes), e.done ? ", done" : "", e.valid ? ", valid mask" : "");
    return gcn_leave(w, op, GPUDBG_RAN_EVENT);
}

bool gcn_export_op(const struct gpudbg_insn *insn, const uint32_t w[2], struct gcn_op *op)
{
    (void)insn;
    op->fn = export;
    op->imm = w[0];
    op->a = (uint16_t)GET(w, EXP, vsrc0);
    op->b = (uint16_t)GET(w, EXP, vsrc1);
    op->c = (uint16_t)GET(w, EXP, vsrc2);
    op->d = (uint16_t)GET(w, EXP, vsrc3);
    return true;
}

/* ---- info exports: a row a lane ---- */

struct export_row {
    const struct gpudbg_event *event;
    const struct export *e;
    unsigned lane;
};

static int export_position(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct export_row *)row)->event->position);
}

static int export_wave(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%u", ((const struct export_row *)row)->event->wave);
}

static int export_pc(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct export_row *)row)->event->pc);
}

static int export_target(const void *row, char *buf, size_t size)
{
    return target_name(((const struct export_row *)row)->e, buf, size);
}

static int export_mask(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%x", ((const struct export_row *)row)->e->enable);
}

static int export_lane(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%u", ((const struct export_row *)row)->lane);
}

static int component(const struct export_row *r, unsigned i, char *buf, size_t size)
{
    if (!(r->e->enable >> i & 1)) return snprintf(buf, size, "%s", "");
    return snprintf(buf, size, r->e->compressed ? "0x%04x" : "0x%08x", r->e->value[i][r->lane]);
}

static int export_x(const void *row, char *buf, size_t size) { return component(row, 0, buf, size); }

static int export_y(const void *row, char *buf, size_t size) { return component(row, 1, buf, size); }

static int export_z(const void *row, char *buf, size_t size) { return component(row, 2, buf, size); }

static int export_w(const void *row, char *buf, size_t size) { return component(row, 3, buf, size); }

/* The four components as floats, for the user. */
static int export_floats(const void *row, char *buf, size_t size)
{
    const struct export_row *r = row;
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < 4; i++)
        if (r->e->enable >> i & 1) {
            uint32_t v = r->e->value[i][r->lane];
            text_add(&t, "%s%g", t.n ? " " : "", (double)lanes_f32(r->e->compressed ? lanes_f32_from_f16(v, true) : v));
        }
    return text_length(&t);
}

static int export_done(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%u", ((const struct export_row *)row)->e->done);
}

static int export_valid(const void *row, char *buf, size_t size)
{
    const struct export_row *r = row;
    return r->e->valid ? snprintf(buf, size, "0x%" PRIx64, r->e->exec) : 0;
}

/* The first six and the floats fit in 80 columns, the others in a second line. */
static const struct gpudbg_column export_columns[] = {
    {"position", "step", 0, GPUDBG_COUNT, export_position},
    {"wave", "wave", 0, GPUDBG_COUNT, export_wave},
    {"pc", "pc", 0, GPUDBG_ADDRESS, export_pc},
    {"target", "target", 0, GPUDBG_NAME, export_target},
    {"mask", "mask", 0, GPUDBG_HEXVALUE, export_mask},
    {"lane", "lane", 0, GPUDBG_COUNT, export_lane},
    {"floats", "as floats", 0, GPUDBG_NOTE, export_floats},
    {"x", "x", 0, GPUDBG_HEXVALUE, export_x},
    {"y", "y", 0, GPUDBG_HEXVALUE, export_y},
    {"z", "z", 0, GPUDBG_HEXVALUE, export_z},
    {"w", "w", 0, GPUDBG_HEXVALUE, export_w},
    {"done", "done", 0, GPUDBG_COUNT, export_done},
    {"valid", "valid", 0, GPUDBG_HEXVALUE, export_valid},
};

static const struct gpudbg_event *events_of(struct gpudbg *g, size_t *n, struct gpudbg_error *err)
{
    const struct gpudbg_event *events = NULL;
    const struct gpudbg_machine *m = gpudbg_session_machine(g);
    if (!m) {
        gpudbg_fail(err, "no-launch", "nothing is launched");
        return NULL;
    }
    *n = gpudbg_events(m, &events);
    static const struct gpudbg_event none;
    return events ? events : &none;
}

/* An export without active lanes has a row with its first lane, so that `done` is shown. */
static bool export_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    size_t n = 0;
    const struct gpudbg_event *events = events_of(g, &n, err);
    char target[24];
    if (!events) return false;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(events[i].kind, "export") != 0 || events[i].size != sizeof(struct export)) continue;
        struct export_row row = {&events[i], events[i].data, 0};
        target_name(row.e, target, sizeof target);
        if (*args && strcmp(args, target) != 0) continue;
        for (uint64_t m = row.e->exec ? row.e->exec : 1; m; m &= m - 1) {
            row.lane = gcn_first_lane(m);
            if (!each(to, &row)) return true;
        }
    }
    return true;
}

const struct gpudbg_listing gcn_exports = {
    .name = "exports",
    .summary = "list what AMD waves exported, a row for each lane; TARGET picks one (mrt0, pos0, ...)",
    .type = "export",
    .columns = export_columns,
    .ncolumns = sizeof export_columns / sizeof *export_columns,
    .rows = export_rows,
    .empty = "no exports",
};

/* ---- Messages ---- */

/* The data of an event "message". */
struct message {
    uint32_t number, m0, halt, newer;
};

const struct gcn_op *gcn_message(struct gpudbg_wave *w, const struct gcn_op *op, bool halt)
{
    struct message m = {
        GET(op->imm, SOPP_PLAIN, simm16), gcn_s(w)[GCN_M0], halt, gcn_chip_of(w->machine->isa)->newer_hwregs};
    gcn_sync(w, op);
    gpudbg_event_data(
        w, "message", &m, sizeof m, "%s 0x%x, m0 0x%x", halt ? "s_sendmsghalt" : "s_sendmsg", m.number, m.m0);
    return gcn_leave(w, op, GPUDBG_RAN_EVENT);
}

static const struct message *message_of(const void *row) { return ((const struct gpudbg_event *)row)->data; }

static int message_position(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, ((const struct gpudbg_event *)row)->position);
}

static int message_wave(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%u", ((const struct gpudbg_event *)row)->wave);
}

static int message_pc(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, ((const struct gpudbg_event *)row)->pc);
}

/* m->number is the constant of s_sendmsg. */
#define OF_MESSAGE(m, name) GET((m)->number, SOPP_SENDMSG, name)

static bool is_geometry(const struct message *m) { return OF_MESSAGE(m, msg) == 2 || OF_MESSAGE(m, msg) == 3; }

/* The assembler's name without its prefix, in lower case. */
static int newer_name(unsigned kind, char *buf, size_t size)
{
    const char *name = gpudbg_enum_name(&gcn_enum[GCN_E_MESSAGE_NEWER], kind);
    const int n = snprintf(buf, size, "%s", strncmp(name, "MSG_", 4) == 0 ? name + 4 : name);
    for (char *c = buf; size && *c; c++) *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
    return n;
}

static int message_name(const void *row, char *buf, size_t size)
{
    static const char *const names[16] = {[1] = "interrupt", [2] = "gs", [3] = "gs_done", [15] = "sysmsg"};
    const unsigned kind = OF_MESSAGE(message_of(row), msg);
    const char *name = names[kind];
    if (message_of(row)->newer) return newer_name(kind, buf, size);
    return name ? snprintf(buf, size, "%s", name) : snprintf(buf, size, "%u", kind);
}

static int message_operation(const void *row, char *buf, size_t size)
{
    static const char *const names[4] = {"nop", "cut", "emit", "emit_cut"};
    const struct message *m = message_of(row);
    return snprintf(buf, size, "%s", is_geometry(m) ? names[OF_MESSAGE(m, msg_op) & 3] : "");
}

static int message_stream(const void *row, char *buf, size_t size)
{
    const struct message *m = message_of(row);
    return is_geometry(m) ? snprintf(buf, size, "%u", OF_MESSAGE(m, stream)) : snprintf(buf, size, "%s", "");
}

static int message_m0(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%x", message_of(row)->m0);
}

static const struct gpudbg_column message_columns[] = {
    {"position", "position", 0, GPUDBG_COUNT, message_position},
    {"wave", "wave", 0, GPUDBG_COUNT, message_wave},
    {"pc", "pc", 0, GPUDBG_ADDRESS, message_pc},
    {"message", "message", 0, GPUDBG_NAME, message_name},
    {"operation", "operation", 0, GPUDBG_NAME, message_operation},
    {"stream", "stream", 0, GPUDBG_COUNT, message_stream},
    {"m0", "m0", 0, GPUDBG_HEXVALUE, message_m0},
};

static bool message_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    size_t n = 0;
    const struct gpudbg_event *events = events_of(g, &n, err);
    (void)args;
    for (size_t i = 0; events && i < n; i++)
        if (strcmp(events[i].kind, "message") == 0 && events[i].size == sizeof(struct message) && !each(to, &events[i]))
            break;
    return events != NULL;
}

const struct gpudbg_listing gcn_messages = {
    .name = "messages",
    .summary = "list what waves sent: messages of " GCN_FAMILY " (geometry, interrupts) and of EU threads",
    .type = "sendmsg",
    .columns = message_columns,
    .ncolumns = sizeof message_columns / sizeof *message_columns,
    .rows = message_rows,
    .empty = "no messages",
    .isas = gcn_every_chip,
};
