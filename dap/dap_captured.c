/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captured state that nothing can run: logs of hangs, error states, registers of waves.  A thread is a capture, whose
 * frames are the findings about it, the weightiest first, each at its line of the log; or a wave of it.  Their
 * variables are registers, and those have fields.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "dap/client.h"
#include "dump/dump_show.h"
#include "explain/verdict.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "session/command.h"

#define CAPTURED_MOST 1024  /* threads that are listed */
#define FINDINGS_MOST 100   /* frames of one */
#define VARIABLES_MOST 5000 /* that are given to a client that does not ask for some of them */

bool d_is_captured(const struct dap *d) { return d->g && !d->g->running.machine && d->g->loaded.ndumps; }

/* ---- Threads ---- */

/* A capture of a dump, or a wave of it. */
struct captured {
    struct gpudbg_dump *dump;
    uint32_t capture;
    const struct gpudbg_dump_wave *wave; /* NULL: the capture */
};

/* Thread number i, from 0: all captures and waves of a dump, then those of the next.  false: there are fewer. */
static bool captured_at(const struct dap *d, size_t i, struct captured *to)
{
    for (size_t k = 0; k < d->g->loaded.ndumps; k++) {
        size_t captures, waves;
        *to = (struct captured){.dump = d->g->loaded.dumps[k]};
        gpudbg_dump_captures(to->dump, &captures);
        const struct gpudbg_dump_wave *w = gpudbg_dump_waves(to->dump, &waves);
        if (i < captures) {
            to->capture = (uint32_t)i;
            return true;
        }
        i -= captures;
        if (i < waves) {
            to->wave = &w[i];
            to->capture = w[i].capture;
            return true;
        }
        i -= waves;
    }
    return false;
}

static bool captured_thread(const struct dap *d, json_int_t thread, struct captured *to, struct gpudbg_error *err)
{
    return (thread >= 1 && captured_at(d, (size_t)thread - 1, to)) ||
           gpudbg_fail(
               err, "out-of-range", "no thread %" JSON_INTEGER_FORMAT ": no capture or wave has this number", thread);
}

static void captured_name(const struct captured *c, char *buf, size_t size)
{
    size_t n;
    const struct gpudbg_capture *of = &gpudbg_dump_captures(c->dump, &n)[c->capture];
    struct text t = text_in(buf, size);
    if (c->wave) {
        text_add(&t, "%s", c->wave->unit);
        return;
    }
    text_add(&t, "%s", of->title ? of->title : gpudbg_dump_format(c->dump));
    if (of->chip || of->family) text_add(&t, ", %s", of->chip ? of->chip : of->family);
    if (of->device) text_add(&t, ", %s", of->device);
}

bool d_captured_threads(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    struct captured c;
    json_t *list = json_array();
    (void)args, (void)err;
    json_object_set_new(body, "threads", list);
    for (size_t i = 0; i < CAPTURED_MOST && captured_at(d, i, &c); i++) {
        char name[256];
        captured_name(&c, name, sizeof name);
        json_array_append_new(list, json_pack("{s:I, s:o}", "id", (json_int_t)i + 1, "name", d_text(name)));
    }
    return true;
}

/* ---- What happened ---- */

/* What is explained of a thread's dump; NULL: no rules can be read.  For explain_close. */
static struct explain *explained(struct dap *d, const struct captured *c)
{
    struct gpudbg_error ignored = {0};
    return session_explain(d->g, c->dump, 0, &ignored);
}

void d_captured_stop(struct dap *d)
{
    struct gpudbg_error ignored = {.offset = -1};
    struct captured c;
    struct verdict v;
    char text[1024] = "nothing in it says what failed";
    d_forget(d);
    gpudbg_execute(d->g, "explain", d->said, &ignored);
    d_said(d);
    struct explain *e = captured_at(d, 0, &c) ? explained(d, &c) : NULL;
    const bool failed = e && verdict_of(e, c.dump, &v);
    json_int_t thread = 1;
    if (failed) {
        verdict_text(&v, false, text, sizeof text);
        thread = (json_int_t)v.finding->capture + 1;
    }
    d_event(d, "stopped",
        json_pack("{s:s, s:s, s:o, s:I, s:b}", "reason", failed ? "exception" : "entry", "description",
            "captured state", "text", d_text(text), "threadId", thread, "allThreadsStopped", 1));
    if (e) explain_close(e);
}

bool d_captured_exception(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    json_int_t thread;
    struct captured c;
    struct verdict v;
    char text[1024];
    if (!d_number(args, "threadId", &thread, err) || !captured_thread(d, thread, &c, err)) return false;
    struct explain *e = explained(d, &c);
    const bool failed = e && verdict_of(e, c.dump, &v);
    if (failed) {
        verdict_text(&v, false, text, sizeof text);
        json_object_set_new(body, "exceptionId", json_string(v.finding->cause ? v.finding->cause : v.finding->rule));
        json_object_set_new(body, "description", d_text(text));
        json_object_set_new(body, "breakMode", json_string("always"));
    }
    if (e) explain_close(e);
    return failed || gpudbg_fail(err, "not-now", "nothing in this dump says what failed");
}

bool d_captured_restart(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    (void)args, (void)err;
    d_answer(d, json_incref(body));
    d_captured_stop(d);
    return true;
}

bool d_stands_still(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    (void)d, (void)args, (void)body;
    return gpudbg_fail(err, "not-now", "this is captured state: it cannot run or change");
}

/* ---- Frames ---- */

static json_t *dump_source(const struct gpudbg_dump *dump)
{
    const char *path = gpudbg_dump_path(dump), *slash = strrchr(path, '/');
    char whole[PATH_MAX];
    return json_pack(
        "{s:o, s:o}", "name", d_text(slash ? slash + 1 : path), "path", d_text(realpath(path, whole) ? whole : path));
}

static void add_frame(struct dap *d, json_t *list, const struct captured *c, size_t thread, unsigned number,
    const char *name, uint32_t line)
{
    const struct dap_handle handle = {.what = WHAT_FRAME, .wave = (uint32_t)thread, .frame = number};
    json_t *frame = json_pack("{s:I, s:o, s:I, s:i}", "id", d_handle(d, &handle), "name", d_text(name), "line",
        line ? (json_int_t)line - d->line0 : 0, "column", line ? 1 - d->column0 : 0);
    if (line)
        json_object_set_new(frame, "source", dump_source(c->dump));
    else
        json_object_set_new(frame, "presentationHint", json_string("label"));
    json_array_append_new(list, frame);
}

bool d_captured_frames(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const json_int_t first = d_number_or(args, "startFrame", 0), levels = d_number_or(args, "levels", 0);
    json_int_t thread, n = 0;
    struct captured c;
    json_t *list = json_array();
    json_object_set_new(body, "stackFrames", list);
    if (!d_number(args, "threadId", &thread, err) || !captured_thread(d, thread, &c, err)) return false;
    struct explain *e = c.wave ? NULL : explained(d, &c);
    const struct finding *f;
    for (size_t i = 0; e && n < FINDINGS_MOST && (f = explain_finding(e, i)); i++) {
        if (f->capture != c.capture) continue;
        if (n >= first && (!levels || n < first + levels))
            add_frame(d, list, &c, (size_t)thread - 1, (unsigned)n, f->text, f->line);
        n++;
    }
    if (e) explain_close(e);
    if (!n) {
        char name[300];
        captured_name(&c, name, sizeof name);
        const uint32_t line = c.wave ? c.wave->line : 0;
        if (!first) add_frame(d, list, &c, (size_t)thread - 1, 0, name, line);
        n = 1;
    }
    json_object_set_new(body, "totalFrames", json_integer(n));
    return true;
}

static void add_scope(struct dap *d, json_t *list, uint32_t thread, char file, const char *name)
{
    const struct dap_handle handle = {
        .what = file ? WHAT_CAPTURED_GPRS : WHAT_CAPTURED_RECORDS, .wave = thread, .file = (unsigned char)file};
    json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:b}", "name", name, "presentationHint", "registers",
                                    "variablesReference", d_handle(d, &handle), "expensive", 0));
}

bool d_captured_scopes(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    json_int_t id;
    struct captured c;
    json_t *list = json_array();
    json_object_set_new(body, "scopes", list);
    if (!d_number(args, "frameId", &id, err)) return false;
    const struct dap_handle *h = d_handle_of(d, id, err);
    if (!h || !captured_thread(d, (json_int_t)h->wave + 1, &c, err)) return false;
    const uint32_t thread = h->wave;
    add_scope(d, list, thread, 0, "Registers");
    if (c.wave && c.wave->s.count) add_scope(d, list, thread, 's', "Scalar registers");
    if (c.wave && c.wave->v.count) add_scope(d, list, thread, 'v', "Vector registers");
    if (c.wave && c.wave->t.count) add_scope(d, list, thread, 't', "Trap registers");
    if (c.wave && c.wave->r.count) add_scope(d, list, thread, 'r', "General registers");
    return true;
}

/* ---- Variables ---- */

struct captured_list {
    struct dap *d;
    json_t *list;
    uint64_t first, most, at;
};

static bool counts(struct captured_list *l)
{
    const uint64_t at = l->at++;
    return at >= l->first && at - l->first < l->most;
}

/* line: of the dump that has it; 0: none. */
static void give(
    struct captured_list *l, const char *name, json_t *value, json_int_t reference, uint32_t thread, uint32_t line)
{
    const struct dap_handle handle = {.what = WHAT_CAPTURED_LINE, .wave = thread, .n = line};
    json_t *variable = json_pack(
        "{s:o, s:o, s:I}", "name", d_text(name), "value", value, "variablesReference", reference);
    if (line) json_object_set_new(variable, "valueLocationReference", json_integer(d_handle(l->d, &handle)));
    json_array_append_new(l->list, variable);
}

static bool is_of(const struct captured *c, const struct gpudbg_record *r)
{
    return r->capture == c->capture && (!c->wave || (r->unit && strcmp(r->unit, c->wave->unit) == 0));
}

static void give_records(struct captured_list *l, const struct captured *c, uint32_t thread)
{
    struct gpudbg_record r;
    for (size_t i = 0; gpudbg_dump_record(c->dump, i, &r); i++) {
        char name[200];
        if (!is_of(c, &r) || !counts(l)) continue;
        const struct gpudbg_reg *reg = gpudbg_dump_reg(c->dump, &r);
        const struct dap_handle handle = {.what = WHAT_CAPTURED_FIELDS, .wave = thread, .n = i};
        dump_record_title(&r, name, sizeof name);
        give(l, name, d_hex(r.value), reg && reg->format ? d_handle(l->d, &handle) : 0, thread, r.line);
    }
}

static void give_fields(struct captured_list *l, const struct captured *c, size_t record)
{
    struct gpudbg_field_iter it;
    struct gpudbg_record r;
    uint8_t bytes[8];
    if (!gpudbg_dump_record(c->dump, record, &r)) return;
    const struct gpudbg_reg *reg = gpudbg_dump_reg(c->dump, &r);
    if (!reg || !reg->format) return;
    le_put(bytes, r.value, 8);
    for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);) {
        char text[300], meaning[256] = "";
        if (!it.field || !counts(l)) continue;
        if (it.field->meaning) gpudbg_field_meaning(it.field, NULL, it.value, meaning, sizeof meaning);
        snprintf(text, sizeof text, "0x%" PRIx64 "%s%s", it.value, *meaning ? "  " : "", meaning);
        give(l, it.field->name, d_text(text), 0, 0, 0);
    }
}

static void give_gprs(struct captured_list *l, const struct captured *c, uint32_t thread, char file)
{
    const struct gpudbg_dump_wave *w = c->wave;
    if (!w) return;
    const struct gpudbg_dump_gprs *g = file == 's' ? &w->s : file == 'v' ? &w->v : file == 't' ? &w->t : &w->r;
    for (uint32_t i = 0; i < g->count; i++) {
        char name[24], text[1200];
        struct text t = text_in(text, sizeof text);
        if (!g->known[i] || !counts(l)) continue;
        snprintf(name, sizeof name, "%c%" PRIu32, file, i);
        for (uint32_t k = 0; k < g->lanes; k++)
            text_add(&t, k ? " 0x%" PRIx32 : "0x%" PRIx32, g->values[i * g->lanes + k]);
        give(l, name, d_text(text), 0, thread, w->line);
    }
}

bool d_captured_locations(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    json_int_t number;
    struct captured c;
    if (!d_number(args, "locationReference", &number, err)) return false;
    const struct dap_handle *h = d_handle_of(d, number, err);
    if (!h || !captured_thread(d, (json_int_t)h->wave + 1, &c, err)) return false;
    if (h->what != WHAT_CAPTURED_LINE) return gpudbg_fail(err, "usage", "this number is not of a location");
    json_object_set_new(body, "source", dump_source(c.dump));
    json_object_set_new(body, "line", json_integer((json_int_t)h->n - d->line0));
    json_object_set_new(body, "column", json_integer(1 - d->column0));
    return true;
}

bool d_captured_variables(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const json_int_t first = d_number_or(args, "start", 0), count = d_number_or(args, "count", 0);
    json_int_t reference;
    struct captured c;
    json_t *list = json_array();
    json_object_set_new(body, "variables", list);
    const struct dap_handle *h = d_number(args, "variablesReference", &reference, err) ? d_handle_of(d, reference, err)
                                                                                       : NULL;
    if (!h || !captured_thread(d, (json_int_t)h->wave + 1, &c, err)) return false;
    const struct dap_handle of = *h; /* numbers that are given meanwhile move the list */
    struct captured_list l = {.d = d,
        .list = list,
        .first = first > 0 ? (uint64_t)first : 0,
        .most = count > 0 ? (uint64_t)count : VARIABLES_MOST};
    if (of.what == WHAT_CAPTURED_RECORDS)
        give_records(&l, &c, of.wave);
    else if (of.what == WHAT_CAPTURED_FIELDS)
        give_fields(&l, &c, (size_t)of.n);
    else if (of.what == WHAT_CAPTURED_GPRS)
        give_gprs(&l, &c, of.wave, (char)of.file);
    else
        return gpudbg_fail(err, "usage", "this number is of a frame: its scopes have the variables");
    if (l.at > l.first + l.most && count <= 0)
        give(&l, "...", json_sprintf("%" PRIu64 " more", l.at - l.first - l.most), 0, 0, 0);
    return true;
}
