/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkers, which the client calls exception filters, and faults, which always stop the program. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "check/check.h"
#include "dap/client.h"
#include "eval/locals.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "word/registry.h"

#define REPORTS_MOST 100 /* that are told at one stop */

json_t *d_exception_filters(struct dap *d)
{
    json_t *list = json_array();
    const struct gpudbg_checker *c;
    for (size_t i = 0; d->g && (c = registry_checker(d->g->registry, i)); i++) {
        char label[80];
        if (!c->start) continue;
        snprintf(label, sizeof label, "Checker: %.60s", c->kind);
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:b}", "filter", c->kind, "label", d_text(label),
                                        "description", d_text(c->summary ? c->summary : ""), "default", 0));
    }
    return list;
}

/* The number that the client knows a filter by: the same whenever it is set. */
static json_t *filter_id(struct dap *d, const char *kind)
{
    if (!d->filter_ids) d->filter_ids = json_object();
    if (!json_object_get(d->filter_ids, kind)) json_object_set_new(d->filter_ids, kind, json_integer(++d->last_point));
    return json_object_get(d->filter_ids, kind);
}

bool d_set_exception_breakpoints(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const json_t *filters = json_object_get(args, "filters"), *options = json_object_get(args, "filterOptions");
    const struct gpudbg_checker *c;
    json_t *result = json_array();
    json_object_set_new(body, "breakpoints", result);
    if (!d->g) return true;
    size_t n = json_array_size(filters), m = json_array_size(options);
    json_t *wanted = json_array();
    for (size_t i = 0; i < n; i++) json_array_append(wanted, json_array_get(filters, i));
    for (size_t i = 0; i < m; i++) json_array_append(wanted, json_object_get(json_array_get(options, i), "filterId"));
    n = json_array_size(wanted);
    json_t **answers = xcalloc(n + 1, sizeof(json_t *));
    for (size_t k = 0; (c = registry_checker(d->g->registry, k)); k++) {
        bool on = false;
        struct gpudbg_error why = {.offset = -1};
        size_t at = n;
        if (!c->start) continue;
        for (size_t i = 0; i < n; i++) {
            const char *filter = json_string_value(json_array_get(wanted, i));
            if (!filter || strcmp(filter, c->kind) != 0) continue;
            on = true;
            at = i;
        }
        const bool good = on == checks_on(d->g->control.checks, c) || checks_switch(d->g->control.checks, c, on, &why);
        if (at == n) continue;
        json_decref(answers[at]);
        answers[at] = json_pack("{s:O, s:b}", "id", filter_id(d, c->kind), "verified", good);
        if (!good) json_object_set_new(answers[at], "message", d_text(why.message));
    }
    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            result, answers[i] ? answers[i]
                               : json_pack("{s:b, s:s}", "verified", 0, "message", "there is no checker of this name"));
    free(answers);
    json_decref(wanted);
    (void)err;
    return true;
}

bool d_exception_info(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    uint32_t wave;
    if (!d_thread(d, args, &wave, err)) return false;
    const struct gpudbg_stop *s = &d->g->running.last;
    const struct check_report *r = s->reason == GPUDBG_STOP_CHECK ? checks_said(d->g->control.checks) : NULL;
    if ((s->reason != GPUDBG_STOP_FAULT && !r) || s->wave != wave)
        return gpudbg_fail(
            err, "not-now", "thread %" PRIu32 " has not stopped at a fault or a checker's report", wave + 1);
    char source[400];
    const char *kind = r ? r->kind : "fault", *message = r ? r->what.message : s->message;
    json_object_set_new(body, "exceptionId", d_text(kind));
    json_object_set_new(body, "description", d_text(s->message));
    json_object_set_new(body, "breakMode", json_string("always"));
    json_t *details = json_pack(
        "{s:o, s:o, s:o}", "message", d_text(message), "typeName", d_text(kind), "fullTypeName", d_text(kind));
    if (r && check_source(&d->g->eval, r, source, sizeof source) > 0)
        json_object_set_new(details, "stackTrace", d_text(source));
    if (r && r->what.origin)
        json_object_set_new(details, "innerException", json_pack("[{s:o}]", "message", d_text(r->what.origin)));
    json_object_set_new(body, "details", details);
    return true;
}

/* ---- Reports ---- */

static void tell_report(struct dap *d, const struct check_report *r)
{
    char text[1200];
    struct local_frame frame = {0};
    json_t *body = json_object(), *data = json_pack("{s:o, s:b, s:o, s:o}", "check", d_text(r->kind), "note",
                                      r->what.note, "message", d_text(r->what.message), "pc", d_hex(r->what.pc));
    struct text t = text_in(text, sizeof text);
    text_add(&t, "%s: %s%s", r->kind, r->what.note ? "note: " : "", r->what.message);
    if (r->running) text_add(&t, " (wave %" PRIu32 ")", r->wave);
    text_add(&t, "\n");
    if (r->running) json_object_set_new(data, "wave", json_integer(r->wave));
    if (r->what.origin) json_object_set_new(data, "origin", d_text(r->what.origin));
    locals_frames(&d->g->eval, r->what.pc, &frame, 1);
    d_place(d, body, r->what.pc, frame.file, frame.line, true);
    if (!json_object_get(body, "source")) json_object_clear(body);
    json_object_set_new(body, "category", json_string(r->what.note ? "console" : "important"));
    json_object_set_new(body, "output", d_text(text));
    json_object_set_new(body, "data", data);
    d_event(d, "output", body);
}

void d_reports(struct dap *d)
{
    const struct check_report *r;
    size_t n = d->told_reports;
    while (n && !checks_report(d->g->control.checks, n - 1)) n = 0; /* they were dropped, and others were made */
    for (size_t most = n + REPORTS_MOST; n < most && (r = checks_report(d->g->control.checks, n)); n++)
        tell_report(d, r);
    d->told_reports = n;
    if (checks_report(d->g->control.checks, n)) d_output(d, "console", "There are more reports: `info checks`\n");
}
