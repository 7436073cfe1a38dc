/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a wave may be sent, what a line calls, and where a value was written or a variable declared. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/code_names.h"
#include "code/walk.h"
#include "control/frames.h"
#include "dap/client.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/machine.h"
#include "past/origin.h"

#define TARGETS_MOST 100 /* of a line */

/* ---- Goto ---- */

bool d_goto_targets(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    struct code_places places;
    json_int_t line;
    json_t *list = json_array();
    json_object_set_new(body, "targets", list);
    if (!d_number(args, "line", &line, err) || !d_line_places(d, json_object_get(args, "source"), line, &places, err))
        return false;
    free(d->target);
    d->target = places.addr;
    d->ntargets = places.n;
    const json_int_t taken = places.line ? (json_int_t)places.line - d->line0 : line;
    for (size_t i = 0; i < places.n; i++) {
        char where[256];
        image_where(d->g->loaded.image, places.addr[i], where, sizeof where);
        json_array_append_new(list, json_pack("{s:I, s:o, s:I, s:o}", "id", (json_int_t)i + 1, "label", d_text(where),
                                        "line", taken, "instructionPointerReference", d_hex(places.addr[i])));
    }
    return true;
}

/* ---- Step in ---- */

void d_step_targets_free(struct dap *d)
{
    for (size_t i = 0; i < d->nstep_targets; i++) location_places_free(&d->step_target[i].places);
    free(d->step_target);
    d->step_target = NULL;
    d->nstep_targets = 0;
}

const struct dap_step_target *d_step_target(struct dap *d, json_int_t id, struct gpudbg_error *err)
{
    if (id >= 1 && id <= (json_int_t)d->nstep_targets) return &d->step_target[id - 1];
    gpudbg_fail(err, "no-such-name", "%" JSON_INTEGER_FORMAT ": stepInTargets gave no such number", id);
    return NULL;
}

static void add_place(struct dap *d, const char *name, bool call, uint64_t addr)
{
    struct dap_step_target *t = NULL;
    for (size_t i = 0; i < d->nstep_targets; i++)
        if (!call && !d->step_target[i].call && strcmp(d->step_target[i].name, name) == 0) t = &d->step_target[i];
    if (!t && d->nstep_targets >= TARGETS_MOST) return;
    if (!t) {
        d->step_target = xrealloc(d->step_target, d->nstep_targets + 1, sizeof *d->step_target);
        t = &d->step_target[d->nstep_targets++];
        *t = (struct dap_step_target){.call = call};
        text_put(t->name, sizeof t->name, "%s", name);
    }
    t->places.addr = xrealloc(t->places.addr, t->places.n + 1, sizeof *t->places.addr);
    t->places.addr[t->places.n++] = addr;
}

/* The function that a call leads to, or, where a register says that, the call itself. */
static void add_call(struct dap *d, const struct gpudbg_insn *insn)
{
    const struct gpudbg_image *image = d->g->loaded.image;
    char name[200];
    uint64_t target;
    struct text t = text_in(name, sizeof name);
    if (insn_target(insn, &target)) {
        text_wrote(&t, image_where(image, target, name, sizeof name));
    } else {
        text_add(&t, "call at 0x%" PRIx64 ": ", insn->addr);
        text_wrote(&t, code_insn_text(image, insn, d->g->settings.syntax, text_end(&t), text_room(&t)));
    }
    add_place(d, name, true, insn->addr);
}

/* What the line that frame `here` (of n, from the outermost) stands in calls: functions inlined there, and calls. */
static void find_targets(struct dap *d, uint64_t pc)
{
    const struct gpudbg_image *image = d->g->loaded.image;
    struct local_frame here[FRAMES_MOST], there[FRAMES_MOST];
    const size_t n = locals_frames(&d->g->eval, pc, here, FRAMES_MOST);
    const struct gpudbg_symbol *function = gpudbg_image_symbol_at(image, pc);
    struct code_walk walk;
    struct gpudbg_insn insn;
    if (!n || !here[0].line || !function || !function->size) return;
    code_walk_open(&walk, image, function->addr, function->addr + function->size);
    while (code_walk_next(&walk, &insn)) {
        const size_t m = walk.is_insn ? locals_frames(&d->g->eval, insn.addr, there, FRAMES_MOST) : 0;
        if (m < n || there[m - n].line != here[0].line || !there[m - n].name || !here[0].name ||
            strcmp(there[m - n].name, here[0].name) != 0)
            continue;
        if (m > n && there[m - n - 1].name) add_place(d, there[m - n - 1].name, false, insn.addr);
        if (m == n && insn.op && insn.op->flags & GPUDBG_OP_CALL) add_call(d, &insn);
    }
}

bool d_step_in_targets(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    json_int_t id;
    struct machine_wave_info info;
    json_t *list = json_array();
    json_object_set_new(body, "targets", list);
    if (!d_number(args, "frameId", &id, err) || !d_select_frame(d, args, err)) return false;
    d_step_targets_free(d);
    machine_wave_info(d->g->running.machine, d->g->selection.wave, &info);
    if (d->g->selection.frame.number || info.state == GPUDBG_ENDED) return true; /* a step begins where the wave is */
    find_targets(d, info.pc);
    for (size_t i = 0; i < d->nstep_targets; i++) {
        json_t *one = json_pack("{s:I, s:o}", "id", (json_int_t)i + 1, "label", d_text(d->step_target[i].name));
        json_array_append_new(list, one);
    }
    return true;
}

/* ---- Locations ---- */

void d_add_writer(struct dap *d, json_t *to, const char *expr)
{
    const struct dap_handle handle = {.what = WHAT_WRITER,
        .wave = d->g->selection.wave,
        .frame = d->g->selection.frame.number,
        .lane = d->g->selection.lane,
        .expr = xstrdup(expr)};
    json_object_set_new(to, "valueLocationReference", json_integer(d_handle(d, &handle)));
}

void d_add_declaration(struct dap *d, json_t *to, const char *file, uint32_t line)
{
    if (!file || !line) return;
    const struct dap_handle handle = {.what = WHAT_LINE, .n = line, .expr = xstrdup(file)};
    json_object_set_new(to, "declarationLocationReference", json_integer(d_handle(d, &handle)));
}

/* The instruction that wrote the value last. */
static bool find_writer(struct dap *d, const struct dap_handle *of, uint64_t *pc, struct gpudbg_error *err)
{
    struct past_place place = {0};
    struct past_write write;
    char text[512], leaf[200];
    bool found = false;
    if (!d_select(d, of->wave, of->frame, err)) return false;
    d->g->selection.lane = of->lane;
    text_put(text, sizeof text, "%s", of->expr);
    bool good = past_named(&d->g->eval, of->wave, text, &place, err) &&
                past_last(&d->g->eval, &place, &write, &found, err);
    if (good && !found) {
        origin_leaf(&d->g->eval, &place, leaf, sizeof leaf);
        good = gpudbg_fail(err, "no-such-name", "no instruction has written %.100s: %s", of->expr, leaf);
    }
    past_free(&place);
    *pc = write.pc;
    return good;
}

static bool locate(struct dap *d, const struct dap_handle *of, json_t *body, struct gpudbg_error *err)
{
    struct local_frame frame = {0};
    uint64_t pc;
    if (of->what == WHAT_LINE) {
        d_place(d, body, 0, of->expr, (uint32_t)of->n, false);
        return true;
    }
    if (of->what != WHAT_WRITER) return gpudbg_fail(err, "usage", "this number is not of a location");
    if (!find_writer(d, of, &pc, err)) return false;
    locals_frames(&d->g->eval, pc, &frame, 1);
    d_place(d, body, pc, frame.file, frame.line, true);
    return json_object_get(body, "source") ||
           gpudbg_fail(err, "no-such-name", "it was written at 0x%" PRIx64 ", which has no source and no listing", pc);
}

bool d_locations(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    json_int_t number;
    const int lane = d->g->selection.lane;
    if (!d_number(args, "locationReference", &number, err)) return false;
    const struct dap_handle *h = d_handle_of(d, number, err);
    if (!h || !eval_need_machine(&d->g->eval, err)) return false;
    struct dap_handle of = *h; /* numbers that are given meanwhile move the list */
    of.expr = xstrdup(h->expr ? h->expr : "");
    const bool good = locate(d, &of, body, err);
    free(of.expr);
    d->g->selection.lane = lane;
    return good;
}
