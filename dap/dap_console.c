/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug console: commands and expressions, what they change, and completions. */
#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "dap/client.h"
#include "image/overlay.h"
#include "machine/machine.h"
#include "out/out.h"
#include "session/command.h"
#include "session/script.h"

#define COMPLETIONS 500

/* ---- What a command has changed ---- */

/* What a command of the user may have changed. */
struct before {
    const struct gpudbg_machine *machine;
    const struct gpudbg_image *image;
    uint64_t runs, position, edits, futures;
    uint32_t wave;
    int lane;
    size_t patches;
    uint64_t settings; /* a hash of them */
};

/* FNV-1a */
static uint64_t hash_on(uint64_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The choices are a list that `set` fills in when it first looks at it: only values that were chosen count. */
static uint64_t hash_of(const struct settings *s)
{
    uint64_t hash = hash_on(UINT64_C(0xcbf29ce484222325), s, offsetof(struct settings, choice));
    for (size_t i = 0; i < sizeof s->choice / sizeof *s->choice; i++)
        if (s->choice[i].value) hash = hash_on(hash, &s->choice[i].value, sizeof s->choice[i].value);
    return hash;
}

static struct before before_now(struct dap *d)
{
    const struct gpudbg *g = d->g;
    struct before b = {.machine = g->running.machine,
        .image = g->loaded.image,
        .runs = g->control.runs,
        .position = g->running.machine ? machine_position(g->running.machine) : 0,
        .wave = g->selection.wave,
        .lane = g->selection.lane,
        .settings = hash_of(&g->settings)};
    struct machine_history history = {0};
    if (b.machine) machine_history(b.machine, &history);
    if (b.machine) b.futures = machine_futures(b.machine);
    b.edits = history.edits;
    if (b.image) image_overlays(b.image, &b.patches);
    return b;
}

/* Tells the client what has changed; the answer has been sent. */
static void tell_changes(struct dap *d, const struct before *was)
{
    const struct before is = before_now(d);
    d_points_compare(d);
    d_reports(d);
    if (is.image != was->image || is.patches != was->patches) d_listings_free(d);
    const bool quit = d->g->quit;
    d->g->quit = false;
    if (quit || (was->machine && !is.machine)) {
        d_forget(d);
        if (!d->told_end) d_event(d, "terminated", NULL);
        d->told_end = true;
    } else if (is.machine != was->machine || is.runs != was->runs || is.position != was->position) {
        if (is.machine != was->machine) {
            d->launched = true;
            d->told_end = false;
            free(d->words);
            d->words = xstrdup(d->g->running.launched);
            d_points_again(d);
        }
        d_stopped(d, is.machine != was->machine ? "entry" : is.runs != was->runs ? NULL : "goto");
    } else if (is.wave != was->wave) {
        d_stopped(d, "goto"); /* the protocol has no other way to tell a client which thread it should show */
    } else if (is.patches != was->patches || is.settings != was->settings) {
        d_invalidate(d, "all");
    } else if (is.lane != was->lane || is.edits != was->edits || is.futures != was->futures) {
        d_invalidate(d, "variables"); /* with their scopes, one of which has the lane's name */
    }
}

/* ---- evaluate ---- */

/* An expression that is typed as a line; where it is no name, *err is what was said of it as a command. */
static bool run_expression(
    struct dap *d, const char *line, json_t *body, const struct gpudbg_error *said, struct gpudbg_error *err)
{
    json_t *value = json_object();
    *err = (struct gpudbg_error){.offset = -1};
    const bool good = d_evaluate(d, line, true, value, "result", err);
    if (good) {
        gpudbg_out_print(d->said, "%s\n", d_string(value, "result"));
        json_object_update(body, value);
    } else if (isalpha((unsigned char)line[strspn(line, " ")]) && err->kind && strcmp(err->kind, "no-such-name") == 0) {
        *err = *said;
    }
    json_decref(value);
    return good;
}

/* A name alone that is no command of gpudbg's: a variable of that name comes before a word of another debugger. */
static bool is_name(struct dap *d, const char *line)
{
    const size_t n = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return n && !line[n] && !isdigit((unsigned char)*line) && !command_own(d->g, line);
}

/* Lines of commands, as at the prompt; where the first word is no command, an expression. */
static bool run_lines(struct dap *d, const char *text, json_t *body, struct gpudbg_error *err)
{
    bool good = true;
    struct gpudbg_error unsaid = {0};
    char title[64];
    while (good && *text && !d->g->quit) {
        const size_t n = strcspn(text, "\n");
        char *line = xstrndup(text, n);
        const bool variable = is_name(d, line) && run_expression(d, line, body, &unsaid, err);
        if (!variable) *err = (struct gpudbg_error){.offset = -1};
        good = variable || gpudbg_execute(d->g, line, d->said, err);
        if (!good && err->kind && strcmp(err->kind, "unknown-command") == 0) {
            const struct gpudbg_error said = *err;
            good = run_expression(d, line, body, &said, err);
        }
        free(line);
        text += n + (text[n] == '\n');
    }
    if (!block_open(d->g)) return good;
    /* Each input is a whole: the next one may be another command, and must not vanish into this one. */
    snprintf(title, sizeof title, "%s", block_open(d->g));
    block_drop(d->g);
    return good && gpudbg_fail(err, "syntax", "\"%s\" has no `end`: enter all its lines at once", title);
}

static bool repl(struct dap *d, const char *text, json_t *body, struct gpudbg_error *err)
{
    const struct before was = before_now(d);
    const bool good = run_lines(d, text, body, err);
    char *said = out_taken(d->said, NULL);
    size_t n = strlen(said);
    while (n && said[n - 1] == '\n') said[--n] = 0;
    if (good) {
        json_object_set_new(body, "result", d_text(said));
        if (!json_object_get(body, "variablesReference"))
            json_object_set_new(body, "variablesReference", json_integer(0));
        d_answer(d, json_incref(body));
    } else if (n) {
        d_output(d, "console", said);
    }
    free(said);
    if (!good) d_refuse(d, err);
    tell_changes(d, &was);
    return true;
}

bool d_evaluate_request(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const char *expr = d_string(args, "expression"), *context = d_string(args, "context");
    d->quiet = true; /* clients show it in place: beside a name in the source, a watch, or in the console */
    if (!expr) return gpudbg_fail(err, "usage", "\"expression\" is missing");
    if (!d_select_frame(d, args, err)) return false;
    if (context && strcmp(context, "repl") == 0) return repl(d, expr, body, err);
    return d_evaluate_as(d, expr, args, body, err);
}

/* ---- completions ---- */

/* Bytes of the first `units` UTF-16 units of a text; and the other way round. */
static size_t bytes_of(const char *text, json_int_t units)
{
    size_t n = 0;
    while (text[n] && units > 0) {
        const unsigned char c = (unsigned char)text[n];
        const size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
        units -= length == 4 ? 2 : 1;
        for (size_t i = 0; i < length && text[n]; i++) n++;
    }
    return n;
}

static json_int_t units_of(const char *text, size_t n)
{
    json_int_t units = 0;
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];
        units += (c & 0xc0) != 0x80 ? 1 : 0;
        units += c >= 0xf0;
    }
    return units;
}

bool d_completions(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const char *text = d_string(args, "text");
    json_int_t column, line = d_number_or(args, "line", d->line0 ? 0 : 1);
    json_t *list = json_array();
    json_object_set_new(body, "targets", list);
    if (!text) return gpudbg_fail(err, "usage", "\"text\" is missing");
    if (!d_number(args, "column", &column, err) || !d_select_frame(d, args, err)) return false;
    for (line -= d->line0 ? 0 : 1; line > 0 && strchr(text, '\n'); line--) text = strchr(text, '\n') + 1;
    char *head = xstrndup(text, bytes_of(text, column - (d->column0 ? 0 : 1)));
    head[strcspn(head, "\n")] = 0;
    size_t start;
    char *found;
    for (unsigned i = 0; i < COMPLETIONS && (found = command_complete(d->g, head, &start, i)); i++) {
        json_array_append_new(list,
            json_pack("{s:o, s:I, s:I}", "label", d_text(found), "start", units_of(head, start) + (d->column0 ? 0 : 1),
                "length", units_of(head + start, strlen(head + start))));
        free(found);
    }
    free(head);
    return true;
}
