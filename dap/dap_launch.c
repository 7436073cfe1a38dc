/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The beginning and the end: what the client can do, what it launches, how it leaves. */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "command/session_file.h"
#include "dap/client.h"
#include "dump/dump_lanes.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "session/command.h"

#define WORDS_MOST (1 << 20) /* letters of a launch */

/* ---- initialize ---- */

static const struct {
    const char *name;
    bool on;
} abilities[] = {
#define ABILITY(name, on) {#name, on},
#include "dap/abilities.def"
#undef ABILITY
};

bool d_initialize(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const char *paths = d_string(args, "pathFormat");
    if (!d->g) {
        *err = d->failed;
        return false;
    }
    if (d->initialized) return gpudbg_fail(err, "not-now", "\"initialize\" has come before");
    if (paths && strcmp(paths, "path") != 0)
        return gpudbg_fail(err, "unsupported", "\"pathFormat\": \"%.20s\" is not supported: \"path\" is", paths);
    d->line0 = !d_bool(args, "linesStartAt1", true);
    d->column0 = !d_bool(args, "columnsStartAt1", true);
    d->shows_progress = d_bool(args, "supportsProgressReporting", false);
    d->invalidates = d_bool(args, "supportsInvalidatedEvent", false);
    d->told_memory = d_bool(args, "supportsMemoryEvent", false);
    d->initialized = true;
    for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++)
        json_object_set_new(body, abilities[i].name, json_boolean(abilities[i].on));
    json_object_set_new(body, "exceptionBreakpointFilters", d_exception_filters(d));
    d_breakpoint_modes(body);
    json_object_set_new(body, "completionTriggerCharacters", json_pack("[s, s]", "$", " "));
    return true;
}

/* ---- launch ---- */

/* A word as words.h reads it. */
static void add_word(FILE *f, const char *word)
{
    fputs(" \"", f);
    for (; *word; word++) {
        if (*word == '"' || *word == '\\') fputc('\\', f);
        fputc(*word, f);
    }
    fputc('"', f);
}

/* A number, a text, or an array of up to three numbers, as "X,Y,Z". */
static bool add_sizes(FILE *f, const json_t *args, const char *key, const char *option, struct gpudbg_error *err)
{
    const json_t *sizes = json_object_get(args, key);
    char text[100];
    struct text t = text_in(text, sizeof text);
    if (!sizes || json_is_null(sizes)) return true;
    if (json_is_string(sizes)) {
        text_add(&t, "%.90s", json_string_value(sizes));
    } else if (json_is_integer(sizes)) {
        text_add(&t, "%" JSON_INTEGER_FORMAT, json_integer_value(sizes));
    } else {
        for (size_t i = 0; i < json_array_size(sizes); i++) {
            const json_t *one = json_array_get(sizes, i);
            if (!json_is_integer(one) || i > 2)
                return gpudbg_fail(err, "usage", "\"%s\" must be up to three numbers", key);
            text_add(&t, "%s%" JSON_INTEGER_FORMAT, i ? "," : "", json_integer_value(one));
        }
    }
    if (!*text) return gpudbg_fail(err, "usage", "\"%s\" must be up to three numbers", key);
    fprintf(f, " %s", option);
    add_word(f, text);
    return true;
}

static bool add_arg(FILE *f, const char *name, const json_t *value, struct gpudbg_error *err)
{
    char number[64];
    const char *text = json_string_value(value);
    if (json_is_integer(value)) snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    if (json_is_real(value)) snprintf(number, sizeof number, "%#.17g", json_real_value(value));
    if (json_is_number(value)) text = number;
    if (!text) return gpudbg_fail(err, "usage", "an element of \"args\" is neither a text nor a number");
    char *word = xalloc(strlen(name) + strlen(text) + 2);
    struct text t = text_in(word, strlen(name) + strlen(text) + 2);
    text_add(&t, "%s%s%s", name, *name ? "=" : "", text);
    add_word(f, word);
    free(word);
    return true;
}

static bool add_args(FILE *f, const json_t *list, struct gpudbg_error *err)
{
    const char *key;
    json_t *value;
    if (json_is_object(list)) {
        json_object_foreach((json_t *)list, key, value) if (!add_arg(f, key, value, err)) return false;
        return true;
    }
    if (list && !json_is_array(list)) return gpudbg_fail(err, "usage", "\"args\" must be an array or an object");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!add_arg(f, "", json_array_get(list, i), err)) return false;
    return true;
}

/* The words behind `launch`, malloc'ed; NULL with an error. */
static char *launch_words(const json_t *args, struct gpudbg_error *err)
{
    const char *kernel = d_string(args, "kernel");
    char *words;
    size_t size;
    FILE *f = open_memstream(&words, &size);
    if (!f) xalloc_end();
    if (kernel) add_word(f, kernel);
    bool good = add_sizes(f, args, "global", "-g", err) && add_sizes(f, args, "local", "-l", err) &&
                add_sizes(f, args, "offset", "-o", err) && add_args(f, json_object_get(args, "args"), err);
    if (fclose(f) != 0) xalloc_end();
    if (good && size > WORDS_MOST)
        good = gpudbg_fail(err, "too-large", "the launch has more than %d letters", WORDS_MOST);
    if (good) return words;
    free(words);
    return NULL;
}

/* A path relative to the working folder of the launch. */
static void in_folder(const struct dap *d, const char *path, char *buf, size_t size)
{
    if (*path == '/' || !d->base)
        snprintf(buf, size, "%s", path);
    else
        snprintf(buf, size, "%s/%s", d->base, path);
}

static bool take_settings(struct dap *d, const json_t *args, struct gpudbg_error *err)
{
    struct gpudbg *g = d->g;
    const json_t *folders = json_object_get(args, "sourcePath");
    char path[PATH_MAX];
    if (json_is_string(folders)) {
        in_folder(d, json_string_value(folders), path, sizeof path);
        if (!source_path_add(g->settings.source_path, sizeof g->settings.source_path, path, err)) return false;
    }
    for (size_t i = json_array_size(folders); i-- > 0;) {
        const char *folder = json_string_value(json_array_get(folders, i));
        if (!folder) return gpudbg_fail(err, "usage", "\"sourcePath\" must be texts");
        in_folder(d, folder, path, sizeof path);
        if (!source_path_add(g->settings.source_path, sizeof g->settings.source_path, path, err)) return false;
    }
    g->loaded.source_path = g->settings.source_path;
    g->loaded.source_changes++;
    const json_int_t limit = d_number_or(args, "stepLimit", 0), budget = d_number_or(args, "historyBudget", 0);
    if (limit < 0 || budget < 0)
        return gpudbg_fail(err, "out-of-range", "\"stepLimit\" and \"historyBudget\" must not be negative");
    if (limit) g->settings.step_limit = (uint64_t)limit;
    if (budget) g->settings.history_budget = (uint64_t)budget;
    return true;
}

/* A program, a saved session, or captured state. */
static bool load_program(struct dap *d, const json_t *args, struct gpudbg_error *err)
{
    const char *program = d_string(args, "program"), *isa = d_string(args, "isa"), *base = d_string(args, "base");
    struct load_options load = {.format = d_string(args, "format"), .raw = d_bool(args, "raw", false)};
    char path[PATH_MAX], *end;
    if (!program && (d->g->loaded.image || d->g->loaded.ndumps)) return true; /* of the command line */
    if (!program) return gpudbg_fail(err, "usage", "\"program\" is missing: the file with the kernel, or a log");
    if (d->g->sealed) return gpudbg_fail(err, "not-now", "this session must not load code");
    if (isa && !(d->g->loaded.isa = session_isa_asked(d->g, isa, err))) return false;
    load.isa = d->g->loaded.isa;
    if (base) {
        load.base = strtoull(base, &end, 0);
        if (!isdigit((unsigned char)*base) || *end)
            return gpudbg_fail(err, "usage", "\"base\": \"%.40s\" is not an address", base);
    }
    in_folder(d, program, path, sizeof path);
    if (session_file_is(path) ? session_read(d->g, path, d->said, err) : session_open_file(d->g, path, &load, err))
        return true;
    if (!err->file[0]) snprintf(err->file, sizeof err->file, "%.255s", path);
    return false;
}

static bool launch(struct dap *d, struct gpudbg_error *err)
{
    free(d->g->running.base);
    d->g->running.base = d->base ? xstrdup(d->base) : NULL;
    if (!session_launch(d->g, d->words, err)) return false;
    d->told_end = d->told_limit = false;
    d->g->running.faulted = false;
    d_forget(d);
    d_points_again(d);
    return true;
}

/* Sizes are for a kernel.  Editors' configurations have them for whatever is opened: captured state ignores them, and
 * so does a saved session, which has its own launch. */
static bool sizes_asked(const struct dap *d, const json_t *args)
{
    if (!json_object_get(args, "global") || !d->g->loaded.image) return false;
    return !(json_object_get(args, "program") && d->g->running.machine);
}

/* Nothing runs: it is looked at. */
static void captured(struct dap *d, json_t *body)
{
    d->launched = true;
    d_said(d);
    d_answer(d, json_incref(body));
    d_event(d, "process",
        json_pack("{s:o, s:b, s:s}", "name", d_text(gpudbg_dump_path(d->g->loaded.dumps[0])), "isLocalProcess", 1,
            "startMethod", "launch"));
    d_event(d, "initialized", NULL);
}

bool d_launch(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const char *folder = d_string(args, "cwd");
    if (d->launched) return gpudbg_fail(err, "not-now", "something is launched already; \"restart\" repeats it");
    free(d->base);
    d->base = folder ? xstrdup(folder) : NULL;
    d->no_debug = d_bool(args, "noDebug", false);
    d->stop_on_entry = d_bool(args, "stopOnEntry", true) && !d->no_debug;
    d->ends = !d_bool(args, "stopAtEnd", true) || d->no_debug;
    if (!load_program(d, args, err) || !take_settings(d, args, err)) return false;
    const bool asked = sizes_asked(d, args);
    if (!asked && !d->g->running.machine && dump_waves_fit(d->g->loaded.dumps, d->g->loaded.ndumps) &&
        !gpudbg_execute(d->g, "restore", d->said, err))
        return false;
    if (!asked && d_is_captured(d)) {
        captured(d, body);
        return true;
    }
    if (!asked && d->g->running.machine) { /* --demo or a session has launched it */
        free(d->words);
        d->words = xstrdup(d->g->running.launched);
        d->base = d->base || !d->g->running.base ? d->base : xstrdup(d->g->running.base);
        d_points_again(d);
    } else {
        char *words = launch_words(args, err);
        if (!words) return false;
        free(d->words);
        d->words = words;
        if (!launch(d, err)) return false;
    }
    d->launched = true;
    d_said(d);
    const struct gpudbg_launch *l = d->g->running.machine->launch;
    const char *name = l->kernel && l->kernel->name ? l->kernel->name : "code";
    d_answer(d, json_incref(body));
    d_event(
        d, "process", json_pack("{s:o, s:b, s:s}", "name", d_text(name), "isLocalProcess", 1, "startMethod", "launch"));
    d_event(d, "initialized", NULL);
    return true;
}

bool d_attach(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    (void)d, (void)args, (void)body;
    return gpudbg_fail(err, "unsupported", "attach: a kernel runs in gpudbg itself, so it is launched: use \"launch\"");
}

bool d_configuration_done(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    (void)args;
    if (!d->launched) return gpudbg_fail(err, "no-launch", "configurationDone: nothing is launched yet");
    if (d->configured) return true;
    d->configured = true;
    d_answer(d, json_incref(body));
    d_begin(d);
    return true;
}

bool d_restart(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const json_t *other = json_object_get(args, "arguments");
    if (!d->launched) return gpudbg_fail(err, "no-launch", "restart: nothing was launched yet");
    if (json_is_object(other) && json_object_get(other, "global")) {
        char *words = launch_words(other, err);
        if (!words) return false;
        free(d->words);
        d->words = words;
    }
    if (!launch(d, err)) return false;
    d_answer(d, json_incref(body));
    d_begin(d);
    return true;
}

/* ---- The end ---- */

bool d_terminate(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    (void)args, (void)err;
    if (d->g) session_end_machine(d->g);
    d_forget(d);
    d_answer(d, json_incref(body));
    if (!d->told_end) d_event(d, "terminated", NULL);
    d->told_end = true;
    return true;
}

bool d_disconnect(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    (void)args, (void)body, (void)err;
    d->gone = true;
    return true;
}
