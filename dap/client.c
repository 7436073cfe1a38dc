/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conversation: requests in, answers and events out, and listening while the machine runs; see client.h. */
#include "dap/client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/alloc.h"
#include "base/error_kind.h"
#include "dap/dap.h"
#include "out/out.h"

#define LOOK 20           /* milliseconds between two looks at what the client has sent */
#define PROGRESS 500      /* ... until progress is shown */
#define PROGRESS_EACH 250 /* ... between two reports of it */
#define GIVEN_TICKS 800   /* questions after which what is under way ends, where nobody can end it */
#define WAITING_MOST 1000 /* requests */

static const struct request_row {
    const char *name;
    enum dap_when when;
    dap_request_fn *answer, *captured;
} rows[] = {
#define REQUEST(name, when, function, captured) {name, when, function, captured},
#include "dap/requests.def"
#undef REQUEST
};

static const struct request_row *row_of(const json_t *request)
{
    const char *name = d_string(request, "command");
    for (size_t i = 0; name && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- Out ---- */

static void send(struct dap *d, json_t *message)
{
    json_object_set_new(message, "seq", json_integer(++d->seq));
    wire_send(&d->wire, message);
}

void d_event(struct dap *d, const char *name, json_t *body)
{
    json_t *event = json_pack("{s:s, s:s}", "type", "event", "event", name);
    if (body) json_object_set_new(event, "body", body);
    send(d, event);
}

void d_output(struct dap *d, const char *category, const char *text)
{
    if (*text) d_event(d, "output", json_pack("{s:s, s:o}", "category", category, "output", d_text(text)));
}

void d_said(struct dap *d)
{
    char *text = out_taken(d->said, NULL);
    d_output(d, "console", text);
    free(text);
}

void d_invalidate(struct dap *d, const char *area)
{
    if (d->invalidates) d_event(d, "invalidated", json_pack("{s:[s]}", "areas", area));
}

void d_memory_changed(struct dap *d, json_t *reference, json_int_t offset, json_int_t count)
{
    if (d->told_memory && json_is_string(reference))
        d_event(
            d, "memory", json_pack("{s:O, s:I, s:I}", "memoryReference", reference, "offset", offset, "count", count));
    json_decref(reference);
}

/* Takes the body over. */
static void respond(struct dap *d, const json_t *request, json_t *body)
{
    json_t *response = json_pack("{s:s, s:I, s:b, s:O}", "type", "response", "request_seq",
        d_number_or(request, "seq", 0), "success", 1, "command", json_object_get(request, "command"));
    if (json_object_size(body)) json_object_set(response, "body", body);
    json_decref(body);
    send(d, response);
}

static int kind_number(const char *kind)
{
    const struct error_kind *k;
    for (size_t i = 0; (k = error_kind(i)); i++)
        if (kind && strcmp(k->word, kind) == 0) return (int)i + 1;
    return 0;
}

static void refuse(struct dap *d, const json_t *request, const char *word, const struct gpudbg_error *err)
{
    char text[900];
    if (err->line > 0)
        snprintf(text, sizeof text, "%s:%ld: %s", err->file, err->line, err->message);
    else if (err->file[0])
        snprintf(text, sizeof text, "%s: %s", err->file, err->message);
    else
        snprintf(text, sizeof text, "%s", err->message);
    const json_t *command = json_object_get(request, "command");
    json_t *response = json_pack("{s:s, s:I, s:b, s:o, s:o, s:{s:{s:i, s:s, s:{s:o, s:s}, s:b}}}", "type", "response",
        "request_seq", d_number_or(request, "seq", 0), "success", 0, "command",
        json_is_string(command) ? json_copy((json_t *)command) : json_string(""), "message",
        word ? json_string(word) : d_text(text), "body", "error", "id", kind_number(err->kind), "format", "{_message}",
        "variables", "_message", d_text(text), "_kind", err->kind ? err->kind : "", "showUser", !word && !d->quiet);
    send(d, response);
}

/* ---- Answering ---- */

/* The request under way; it is answered once. */
struct answering {
    const json_t *request;
    bool answered;
};

void d_answer(struct dap *d, json_t *body)
{
    if (d->under_way->answered)
        json_decref(body);
    else
        respond(d, d->under_way->request, body);
    d->under_way->answered = true;
}

void d_refuse(struct dap *d, const struct gpudbg_error *err)
{
    if (!d->under_way->answered) refuse(d, d->under_way->request, d->cancelled ? "cancelled" : NULL, err);
    d->under_way->answered = true;
}

static void progress_end(struct dap *d)
{
    char id[24];
    snprintf(id, sizeof id, "%u", d->progress);
    if (d->progress) d_event(d, "progressEnd", json_pack("{s:s}", "progressId", id));
    d->progress = 0;
}

static bool run_row(struct dap *d, const json_t *request, json_t *body, struct gpudbg_error *err)
{
    const struct request_row *row = row_of(request);
    const char *name = d_string(request, "command");
    json_t *args = json_object_get(request, "arguments");
    if (!name) return gpudbg_fail(err, "usage", "the request has no \"command\"");
    if (!row) return gpudbg_fail(err, "unsupported", "the request \"%.60s\" is not supported", name);
    if (args && !json_is_object(args)) return gpudbg_fail(err, "usage", "%s: \"arguments\" must be an object", name);
    if (!d->initialized && row->answer != d_initialize && row->answer != d_disconnect)
        return gpudbg_fail(err, "not-now", "%s: the first request must be \"initialize\"", name);
    return (d_is_captured(d) ? row->captured : row->answer)(d, args, body, err);
}

/* Takes the request over. */
static void answer(struct dap *d, json_t *request)
{
    struct gpudbg_error err = {.offset = -1};
    struct answering under_way = {.request = request}, *const outer = d->under_way;
    const char *type = d_string(request, "type");
    const bool alone = d->doing == DAP_IDLE, quiet = d->quiet;
    if (!type || strcmp(type, "request") != 0) { /* we ask nothing, so a response answers nothing */
        json_decref(request);
        return;
    }
    d->under_way = &under_way;
    d->quiet = false;
    if (alone) {
        d->answering = d_number_or(request, "seq", 0);
        d->doing = DAP_ANSWERING;
        d->title = d_string(request, "command");
        d->interrupt = d->cancelled = false;
        d->began = now();
    }
    json_t *body = json_object();
    if (run_row(d, request, body, &err)) {
        d_answer(d, body);
    } else {
        json_decref(body);
        if (under_way.answered)
            d_output(d, "important", err.message);
        else
            refuse(d, request, d->cancelled && alone ? "cancelled" : NULL, &err);
    }
    if (alone) {
        progress_end(d);
        d->doing = DAP_IDLE;
    }
    d->under_way = outer;
    d->quiet = quiet;
    json_decref(request);
}

/* ---- Listening ---- */

static void keep(struct dap *d, json_t *request)
{
    struct gpudbg_error err = {0};
    if (d->nwaiting >= WAITING_MOST) {
        gpudbg_fail(&err, "too-large", "%d requests wait already", WAITING_MOST);
        refuse(d, request, NULL, &err);
        json_decref(request);
        return;
    }
    d->waiting = xgrow(d->waiting, d->nwaiting, &d->waiting_room, sizeof(json_t *));
    d->waiting[d->nwaiting++] = request;
}

static json_t *drop(struct dap *d, size_t i)
{
    json_t *request = d->waiting[i];
    memmove(d->waiting + i, d->waiting + i + 1, (--d->nwaiting - i) * sizeof(json_t *));
    return request;
}

/* The next message; NULL: none has come. */
static json_t *receive(struct dap *d)
{
    char bad[300], text[400];
    json_t *message, *mended;
    while (!(message = wire_next(&d->wire, bad, sizeof bad, &mended)) && bad[0]) {
        if (mended) {
            struct gpudbg_error err = {0};
            gpudbg_fail(&err, "syntax", "the request is not text that can be read: %s", bad);
            refuse(d, mended, NULL, &err);
            json_decref(mended);
            continue;
        }
        snprintf(text, sizeof text, "gpudbg: a message is not JSON: %s\n", bad);
        d_output(d, "important", text);
    }
    return message;
}

static bool is(const json_t *request, dap_request_fn *what)
{
    const struct request_row *row = row_of(request);
    return row && row->answer == what;
}

/* It ends what is under way. */
static bool is_end(const json_t *request)
{
    return is(request, d_disconnect) || is(request, d_terminate) || is(request, d_restart);
}

/* A request that comes while something is under way. */
static void came(struct dap *d, json_t *request)
{
    const struct request_row *row = row_of(request);
    struct gpudbg_error err = {0};
    if (is(request, d_cancel) || is(request, d_pause)) {
        answer(d, request);
    } else if (d->doing == DAP_RUNNING && row && row->when == WHEN_STOPPED) {
        gpudbg_fail(&err, "not-now", "%s: the program runs", row->name);
        refuse(d, request, "notStopped", &err);
        json_decref(request);
    } else {
        if (is_end(request)) d->interrupt = true;
        if (d->doing == DAP_RUNNING && d->resumable) d->again = d->interrupt = true;
        keep(d, request);
    }
}

static void show_progress(struct dap *d, int64_t at, uint64_t done, uint64_t todo)
{
    char id[24], text[64];
    if (!d->shows_progress || !d->title || at - d->began < PROGRESS) return;
    if (d->progress && at - d->progressed < PROGRESS_EACH) return;
    const bool first = !d->progress;
    if (first) d->progress = ++d->nprogress;
    d->progressed = at;
    snprintf(id, sizeof id, "%u", d->progress);
    snprintf(text, sizeof text, "%" PRIu64 " done", done);
    json_t *body = json_pack("{s:s, s:s}", "progressId", id, "message", text);
    if (first) {
        json_object_set_new(body, "title", json_string(d->title));
        json_object_set_new(body, "cancellable", json_true());
        if (d->answering) json_object_set_new(body, "requestId", json_integer(d->answering));
    }
    if (todo && todo != UINT64_MAX && done <= todo)
        json_object_set_new(body, "percentage", json_integer((json_int_t)(100.0 * (double)done / (double)todo)));
    d_event(d, first ? "progressStart" : "progressUpdate", body);
}

/* Core asks whether to go on. */
static bool tick(void *data, uint64_t done, uint64_t todo)
{
    struct dap *d = data;
    const int64_t at = now();
    if (d->given && ++d->ticks % GIVEN_TICKS == 0) d->interrupt = true; /* there is nobody to do it */
    if (at - d->looked < LOOK) return !d->interrupt;
    d->looked = at;
    if (!d->wire.ended) wire_fill(&d->wire, 0);
    for (json_t *request; (request = receive(d));) came(d, request);
    if (d->wire.ended && !d->given) d->interrupt = true; /* nobody is there any more */
    show_progress(d, at, done, todo);
    return !d->interrupt;
}

void d_moment(struct dap *d)
{
    for (size_t i = 0; i < d->nwaiting;) {
        const struct request_row *row = row_of(d->waiting[i]);
        if (row && row->when != WHEN_STOPPED && !is_end(d->waiting[i]))
            answer(d, drop(d, i));
        else
            i++;
    }
}

bool d_leaving(const struct dap *d)
{
    for (size_t i = 0; i < d->nwaiting; i++)
        if (is_end(d->waiting[i])) return true;
    return d->wire.ended && !d->given;
}

bool d_cancel(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const json_int_t id = d_number_or(args, "requestId", 0);
    const char *shown = d_string(args, "progressId");
    struct gpudbg_error cancelled = {.offset = -1};
    char mine[24];
    (void)body, (void)err;
    snprintf(mine, sizeof mine, "%u", d->progress);
    if ((id && id == d->answering) || (shown && d->progress && strcmp(shown, mine) == 0))
        d->interrupt = d->cancelled = true;
    for (size_t i = 0; id && i < d->nwaiting; i++) {
        if (d_number_or(d->waiting[i], "seq", 0) != id) continue;
        json_t *request = drop(d, i);
        gpudbg_fail(&cancelled, "interrupt", "cancelled");
        refuse(d, request, "cancelled", &cancelled);
        json_decref(request);
        break;
    }
    return true;
}

/* ---- From beginning to end ---- */

static void forget_all(struct dap *d)
{
    d_points_free(d);
    d_forget(d);
    d_listings_free(d);
    d_step_targets_free(d);
    json_decref(d->filter_ids);
    for (size_t i = 0; i < d->nwaiting; i++) json_decref(d->waiting[i]);
    free(d->waiting);
    free(d->handle);
    free(d->target);
    free(d->words);
    free(d->base);
    wire_close(&d->wire);
    out_close(d->said);
    session_close(d->g);
}

void d_converse(const struct dap_sessions *sessions, struct wire *wire, bool given)
{
    struct gpudbg_error err = {.offset = -1};
    struct dap d = {.wire = *wire, .given = given, .said = out_memory(false), .handle_base = 1};
    d.g = sessions->open(sessions->data, d.said, &err);
    if (d.g) {
        d.g->ticker = (struct ticker){.tick = tick, .data = &d};
        d.g->control.asked.met = d_met;
        d.g->control.asked.data = &d;
    } else { /* its first request is answered with that */
        d.failed = err;
    }
    while (!d.gone) {
        json_t *request = d.nwaiting ? drop(&d, 0) : receive(&d);
        if (request)
            answer(&d, request);
        else if (d.wire.ended)
            break;
        else
            wire_fill(&d.wire, -1);
    }
    if (d.wire.broken) {
        char text[200];
        snprintf(text, sizeof text, "gpudbg: the conversation ends: %s\n", d.wire.broken);
        d_output(&d, "important", text);
    }
    if (d.g) d.g->ticker = (struct ticker){0};
    forget_all(&d);
}
