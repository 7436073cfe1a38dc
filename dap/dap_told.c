/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the client is told of breakpoints: each as the protocol has it, which of them a run has met, and what the user
 * sets, changes and deletes in the console.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "check/check.h"
#include "control/point.h"
#include "dap/client.h"
#include "eval/locals.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/machine.h"

/* ---- Modes ---- */

static const struct {
    enum dap_mode mode;
    const char *word, *label, *description;
} modes[] = {
    {MODE_WAVE, "wave", "This Wave", "Stop only the wave that is selected when the breakpoint is set"},
    {MODE_LANE, "lane", "This Lane", "Stop only where the selected lane of the selected wave executes"},
};

enum dap_mode d_mode(const char *word)
{
    for (size_t i = 0; word && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].word, word) == 0) return modes[i].mode;
    return MODE_ALL;
}

void d_breakpoint_modes(json_t *body)
{
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:[s, s, s]}", "mode", modes[i].word, "label", modes[i].label,
                      "description", modes[i].description, "appliesTo", "source", "instruction", "data"));
    json_object_set_new(body, "breakpointModes", list);
}

/* ---- A breakpoint ---- */

/* What an editor has no mark for: "2 locations: ...; only wave 5; off" */
static void add_message(struct dap *d, json_t *b, const struct dap_point *mine, const struct stop_point *p)
{
    char message[700], where[200];
    struct text t = text_in(message, sizeof message);
    if (p->nlocations > 1) {
        text_add(&t, "%zu locations:", p->nlocations);
        for (size_t i = 0; i < p->nlocations; i++) {
            image_where(d->g->loaded.image, p->location[i].pc, where, sizeof where);
            text_add(&t, "%s %s", i ? "," : "", where);
        }
    }
    if (mine->kind == DAP_CONSOLE) text_add(&t, "%s%s", *message ? "; " : "", p->what);
    if (mine->kind == DAP_CONSOLE && *p->condition) text_add(&t, " if %s", p->condition);
    if (p->wave >= 0 && p->kind == STOP_BREAK) text_add(&t, "%sonly wave %d", *message ? "; " : "", p->wave);
    if (p->lane >= 0) text_add(&t, "%slane %d", *message ? ", " : "only ", p->lane);
    if (p->temporary) text_add(&t, "%suntil it is hit", *message ? "; " : "");
    if (!p->on) text_add(&t, "%soff", *message ? "; " : "");
    if (*message) json_object_set_new(b, "message", d_text(message));
}

/* The breakpoint as the protocol has it. */
json_t *d_point_shown(struct dap *d, const struct dap_point *mine)
{
    const struct stop_point *p = mine->number ? stops_find(&d->g->control, mine->number) : NULL;
    json_t *b = json_pack("{s:i, s:b}", "id", mine->id, "verified", p != NULL);
    if (!p) {
        json_object_set_new(b, "message", d_text(mine->why));
        json_object_set_new(b, "reason", json_string("pending"));
        return b;
    }
    add_message(d, b, mine, p);
    if (p->kind != STOP_BREAK) return b;
    const uint64_t pc = p->location[0].pc;
    json_object_set_new(b, "instructionReference", d_hex(pc));
    struct local_frame f = {0};
    const bool framed = locals_frames(&d->g->eval, pc, &f, 1) > 0;
    if (mine->kind == DAP_SOURCE) {
        json_t *asked = json_loads(mine->asked, 0, NULL);
        const json_int_t line = d_number_or(asked, "line", 0);
        json_object_set_new(b, "line", json_integer(p->line ? (json_int_t)p->line - d->line0 : line));
        json_decref(asked);
    } else if (framed && f.file) {
        d_place(d, b, pc, f.file, f.line, false);
    }
    return b;
}

static void tell(struct dap *d, const char *reason, struct dap_point *mine)
{
    json_t *b = d_point_shown(d, mine);
    d_point_told(mine, b);
    d_event(d, "breakpoint", json_pack("{s:s, s:o}", "reason", reason, "breakpoint", b));
}

void d_point_told(struct dap_point *mine, const json_t *as)
{
    free(mine->told);
    mine->told = json_dumps(as, JSON_COMPACT | JSON_SORT_KEYS);
}

void d_point_changed(struct dap *d, struct dap_point *mine) { tell(d, "changed", mine); }

/* ---- What a run has met ---- */

/* A temporary one is deleted already when its stop is told of. */
static bool was_met(struct dap *d, const struct dap_point *mine)
{
    const struct gpudbg_stop *s = &d->g->running.last;
    const struct stop_point *p = mine->number ? stops_find(&d->g->control, mine->number) : NULL;
    const bool point = s->reason == GPUDBG_STOP_BREAKPOINT || s->reason == GPUDBG_STOP_WATCHPOINT ||
                       s->reason == GPUDBG_STOP_CATCH;
    return mine->number && ((p && p->met) || (point && s->number == mine->number));
}

json_t *d_hit_ids(struct dap *d)
{
    json_t *ids = json_array();
    const struct check_report *r = d->g->running.last.reason == GPUDBG_STOP_CHECK ? checks_said(d->g->control.checks)
                                                                                  : NULL;
    for (size_t i = 0; i < d->npoints; i++)
        if (was_met(d, &d->point[i])) json_array_append_new(ids, json_integer(d->point[i].id));
    if (r && json_object_get(d->filter_ids, r->kind)) json_array_append(ids, json_object_get(d->filter_ids, r->kind));
    return ids;
}

/* ---- What the user does beside the client ---- */

static bool is_known(const struct dap *d, int number)
{
    for (size_t i = 0; i < d->npoints; i++)
        if (d->point[i].number == number) return true;
    return false;
}

void d_points_compare(struct dap *d)
{
    for (size_t i = 0; i < d->npoints; i++) {
        struct dap_point *mine = &d->point[i];
        if (!mine->number) continue;
        if (stops_find(&d->g->control, mine->number)) {
            json_t *now = d_point_shown(d, mine);
            char *text = json_dumps(now, JSON_COMPACT | JSON_SORT_KEYS);
            if (!mine->told || strcmp(text, mine->told) != 0) tell(d, "changed", mine);
            free(text);
            json_decref(now);
            continue;
        }
        mine->number = 0;
        mine->gone = true;
        snprintf(mine->why, sizeof mine->why, "it was deleted");
        tell(d, "removed", mine);
    }
    for (struct stop_point *p = stops_next(&d->g->control, 0); p; p = stops_next(&d->g->control, p->number)) {
        if (is_known(d, p->number)) continue;
        tell(d, "new", d_point_of_console(d, p->number));
    }
    d_points_tidy(d);
}
