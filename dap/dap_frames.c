/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waves as threads, by work-group; frames; scopes.  The number of a thread is that of its wave and 1. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "control/frames.h"
#include "dap/client.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/machine.h"

#define THREADS_ALL 256 /* waves that are listed whatever they do; of more, those that run */
#define THREADS_MOST 1024

/* ---- threads ---- */

static void add_thread(const struct gpudbg_machine *m, json_t *list, const struct machine_wave_info *info)
{
    static const char *const states[] = {", not started", "", ", at a barrier", ", ended"};
    char name[128];
    struct text t = text_in(name, sizeof name);
    const uint32_t *g = info->group_id;
    text_add(&t, "group %" PRIu32, g[0]);
    if (m->launch->dimensions > 1) text_add(&t, ",%" PRIu32, g[1]);
    if (m->launch->dimensions > 2) text_add(&t, ",%" PRIu32, g[2]);
    text_add(&t, " wave %" PRIu32 "%s", info->id, info->state < 4 ? states[info->state] : "");
    json_array_append_new(list, json_pack("{s:I, s:s}", "id", (json_int_t)info->id + 1, "name", name));
}

/* Once a launch. */
static void tell_limit(struct dap *d, uint32_t waves)
{
    char text[200];
    if (d->told_limit) return;
    d->told_limit = true;
    snprintf(text, sizeof text,
        "Of %" PRIu32 " waves only those are listed that have begun and have not ended, at most %d; "
        "`info waves` lists all, `wave N` selects any\n",
        waves, THREADS_MOST);
    d_output(d, "console", text);
}

bool d_threads(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = d->g ? d->g->running.machine : NULL;
    json_t *list = json_array();
    (void)args, (void)err;
    json_object_set_new(body, "threads", list);
    for (uint32_t i = 0; m && i < m->nwaves && json_array_size(list) < THREADS_MOST; i++) {
        struct machine_wave_info info;
        machine_wave_info(m, i, &info);
        const bool runs = info.state == GPUDBG_READY || info.state == GPUDBG_AT_BARRIER;
        if (m->nwaves <= THREADS_ALL || runs || i == d->g->selection.wave || i == machine_next_wave(m))
            add_thread(m, list, &info);
    }
    if (m && json_array_size(list) < m->nwaves) tell_limit(d, m->nwaves);
    return true;
}

/* ---- stackTrace ---- */

static void add_frame(
    struct dap *d, json_t *list, uint32_t wave, unsigned number, uint64_t pc, const struct local_frame *f)
{
    const struct dap_handle handle = {.what = WHAT_FRAME, .wave = wave, .frame = number};
    char name[400], where[300];
    image_where(d->g->loaded.image, pc, where, sizeof where);
    snprintf(name, sizeof name, "%s%s", f->name ? f->name : where, f->inlined ? " (inlined)" : "");
    json_t *frame = json_pack("{s:I, s:o, s:o, s:b, s:i}", "id", d_handle(d, &handle), "name", d_text(name),
        "instructionPointerReference", d_hex(pc), "canRestart", !f->inlined, "moduleId", 1);
    d_place(d, frame, pc, f->file, f->line, true);
    json_array_append_new(list, frame);
}

bool d_stack_trace(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const json_int_t first = d_number_or(args, "startFrame", 0), levels = d_number_or(args, "levels", 0);
    uint32_t wave;
    struct machine_wave_info info;
    json_t *list = json_array();
    json_object_set_new(body, "stackFrames", list);
    if (!d_thread(d, args, &wave, err)) return false;
    if (first < 0 || levels < 0)
        return gpudbg_fail(err, "out-of-range", "\"startFrame\" and \"levels\" must not be negative");
    machine_wave_info(d->g->running.machine, wave, &info);
    if (info.state == GPUDBG_ENDED || info.lost_pc) {
        const struct dap_handle handle = {.what = WHAT_FRAME, .wave = wave};
        char name[64];
        snprintf(
            name, sizeof name, info.lost_pc ? "(where it stands is unknown)" : "(wave %" PRIu32 " has ended)", wave);
        if (!first)
            json_array_append_new(list, json_pack("{s:I, s:s, s:i, s:i, s:s}", "id", d_handle(d, &handle), "name", name,
                                            "line", 0, "column", 0, "presentationHint", "label"));
        json_object_set_new(body, "totalFrames", json_integer(1));
        return true;
    }
    if (!d_select(d, wave, 0, err)) return false;
    struct frames *s = xalloc(sizeof *s);
    const json_int_t wanted = levels ? first + levels : FRAMES_MOST;
    frames_find(&d->g->control, wanted < FRAMES_MOST ? (unsigned)wanted : FRAMES_MOST, s, NULL);
    /* A checker's report is about an instruction that the wave may have passed: the client shows that. */
    const struct gpudbg_stop *stop = &d->g->running.last;
    if (s->n && stop->reason == GPUDBG_STOP_CHECK && stop->wave == wave && stop->pc != s->of[0].pc) {
        s->of[0].pc = stop->pc;
        s->of[0].frame = (struct local_frame){.name = NULL};
        locals_frames(&d->g->eval, stop->pc, &s->of[0].frame, 1);
    }
    for (unsigned i = (unsigned)(first < FRAMES_MOST ? first : FRAMES_MOST); i < s->n; i++)
        add_frame(d, list, wave, i, s->of[i].pc, &s->of[i].frame);
    if (s->n < wanted) json_object_set_new(body, "totalFrames", json_integer(s->n)); /* else there may be more */
    free(s);
    return true;
}

/* ---- scopes ---- */

static void add_scope(struct dap *d, json_t *list, const struct dap_handle *frame, enum dap_what what, const char *name,
    const char *hint, bool expensive)
{
    const struct dap_handle handle = {.what = what, .wave = frame->wave, .frame = frame->frame};
    json_t *scope = json_pack(
        "{s:s, s:I, s:b}", "name", name, "variablesReference", d_handle(d, &handle), "expensive", expensive);
    if (hint) json_object_set_new(scope, "presentationHint", json_string(hint));
    json_array_append_new(list, scope);
}

/* Whether the launch has registers of a kind. */
static bool has_files(const struct gpudbg_machine *m, bool lanes, bool mask)
{
    for (size_t i = 0; i < m->isa->nfiles; i++) {
        const struct gpudbg_regfile *f = &m->isa->files[i];
        if (f->mask == mask && (mask || (f->lanes > 1) == lanes) && m->isa->run->count(m, (unsigned)i)) return true;
    }
    return false;
}

bool d_scopes(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    json_int_t id;
    json_t *list = json_array();
    struct machine_wave_info info;
    char lane[32];
    json_object_set_new(body, "scopes", list);
    if (!eval_need_machine(&d->g->eval, err) || !d_number(args, "frameId", &id, err)) return false;
    const struct dap_handle *h = d_handle_of(d, id, err);
    if (!h) return false;
    const struct dap_handle frame = *h;
    if (frame.what != WHAT_FRAME)
        return gpudbg_fail(err, "usage", "%" JSON_INTEGER_FORMAT ": this number is not of a frame", id);
    const struct gpudbg_machine *m = d->g->running.machine;
    machine_wave_info(d->g->running.machine, frame.wave, &info);
    snprintf(lane, sizeof lane, "Lane %d", d->g->selection.lane);
    const bool stands = info.state != GPUDBG_ENDED && m->isa->dwarf;
    if (stands) {
        add_scope(d, list, &frame, WHAT_ARGUMENTS, "Arguments", "arguments", false);
        add_scope(d, list, &frame, WHAT_LOCALS, "Locals", "locals", false);
        add_scope(d, list, &frame, WHAT_GLOBALS, "Globals", NULL, false);
    }
    if (info.registers) {
        if (has_files(m, false, false)) add_scope(d, list, &frame, WHAT_SCALARS, "Scalar registers", "registers", true);
        if (has_files(m, true, false)) {
            add_scope(d, list, &frame, WHAT_LANE, lane, "registers", true);
            add_scope(d, list, &frame, WHAT_LANES, "All lanes", "registers", true);
        }
        if (has_files(m, false, true)) add_scope(d, list, &frame, WHAT_MASKS, "Masks", "registers", false);
    }
    add_scope(d, list, &frame, WHAT_MEMORY, "Memory", NULL, false);
    return true;
}
