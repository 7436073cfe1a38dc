/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session: opened with everything built in registered, closed with everything freed; see session.h. */
#include "session/define.h"
#include "session/session.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "gpudbg/text.h"
#include <sys/stat.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/open_file.h"
#include "base/shown.h"
#include "check/check.h"
#include "session/command.h"
#include "control/device.h"
#include "image/image.h"
#include "image/members.h"
#include "dump/dump.h"
#include "dump/dump_place.h"
#include "code/records.h"
#include "explain/explain.h"
#include "machine/launch.h"
#include "machine/machine.h"
#include "out/out.h"
#include "word/registers.h"
#include "session/plugin.h"
#include "word/registry.h"
#include "session/script.h"
#include "control/stop.h"
#include "eval/form.h"
#include "eval/locals.h"
#include "eval/typed.h"
#include "eval/value.h"

#define SCRIPT_DEPTH 32
#define SESSION_LIMIT (UINT64_C(64) << 20) /* bytes: files that a saved session holds, unless the user says */

/* It holds this program's data: every copy has the file of keys. */
static bool is_data(const char *folder)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/keys/default", folder);
    return access(path, R_OK) == 0;
}

char *session_data_folder(bool *found)
{
    static const char *const beside[] = {"/../share/gpudbg", "/../share"};
    const char *said = getenv("GPUDBG_DATA");
    char path[PATH_MAX];
    *found = true;
    if (said && *said) {
        *found = is_data(said);
        char *whole = realpath(said, NULL); /* `cd` does not move it */
        return whole ? whole : xstrdup(said);
    }
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof "/../share/gpudbg");
    if (n > 0) {
        path[n] = 0;
        char *end = strrchr(path, '/');
        for (size_t i = 0; end && i < sizeof beside / sizeof *beside; i++) {
            snprintf(end, sizeof path - (size_t)(end - path), "%s", beside[i]);
            if (!is_data(path)) continue;
            char *plain = realpath(path, NULL); /* without the dots */
            return plain ? plain : xstrdup(path);
        }
    }
    *found = is_data(GPUDBG_SHARE);
    return xstrdup(GPUDBG_SHARE);
}

static bool add_all(struct gpudbg *g, const struct gpudbg_plugin *const *plugins, struct gpudbg_error *err)
{
    for (; *plugins; plugins++) {
        if (!registry_add(g->registry, *plugins, err)) return false;
        if ((*plugins)->start && !(*plugins)->start(g, err)) return false;
    }
    return true;
}

struct gpudbg *session_open(
    const struct gpudbg_plugin *const *families, const struct gpudbg_plugin *const *decoders, struct gpudbg_error *err)
{
    struct gpudbg *g = xalloc(sizeof *g);
    g->eval = (struct eval){.loaded = &g->loaded,
        .running = &g->running,
        .selection = &g->selection,
        .syntax = g->settings.syntax,
        .ticker = &g->ticker};
    g->control = (struct control){.eval = &g->eval, .settings = &g->settings};
    g->registry = registry_new();
    g->control.stops = stops_new();
    g->script = script_new();
    g->control.checks = checks_new(&g->eval, &g->settings.check);
    bool found;
    g->data = session_data_folder(&found);
    g->settings.confirm = true;
    g->settings.source_lines = true;
    g->selection.examine.letter = 'x';
    g->selection.examine.size = 4;
    settings_limits(&g->settings);
    g->settings.session_limit = SESSION_LIMIT;
    if (!g->registry || !g->control.stops || !g->script || !g->control.checks || !add_all(g, families, err) ||
        !add_all(g, decoders, err)) {
        session_close(g);
        return NULL;
    }
    return g;
}

bool session_may_change(const struct gpudbg *g, struct gpudbg_error *err)
{
    return !g->settings.observer || machine_only_observed(err);
}

bool session_may_replace(const struct gpudbg *g, struct gpudbg_error *err)
{
    return !g->running.machine || session_may_change(g, err);
}

void session_end_machine(struct gpudbg *g)
{
    if (g->forget_sides) g->forget_sides(g);
    checks_end(g->control.checks);
    stops_forget(&g->control);
    marks_end_launch(g);
    locals_forget_frame(&g->eval);
    machine_free(g->running.machine);
    g->running.machine = NULL;
    g->ended++;
}

static void places_anew(struct gpudbg *g)
{
    for (size_t i = 0; i < g->loaded.ndumps; i++) dump_place_anew(g->loaded.dumps[i]);
}

static void forget_brought(struct running *r)
{
    for (size_t i = 0; i < r->nbrought; i++) {
        free((char *)(uintptr_t)r->brought[i].name);
        free((uint8_t *)(uintptr_t)r->brought[i].bytes);
    }
    free(r->brought);
    r->brought = NULL;
    r->nbrought = 0;
}

/* Everything that belongs to what is loaded. */
static void forget_image(struct gpudbg *g)
{
    session_end_machine(g);
    checks_clear(g->control.checks);
    values_forget_parts(&g->eval);
    typed_forget(&g->eval);
    image_close(g->loaded.image);
    g->loaded.image = NULL;
    g->loaded.patched = false;
    for (size_t i = 0; i < g->loaded.nadded; i++) free(g->loaded.added[i].name);
    free(g->loaded.added);
    g->loaded.added = NULL;
    g->loaded.nadded = 0;
    places_anew(g);
    if (g->registry) registry_for(g->registry, NULL);
    g->selection.wave = 0;
    g->selection.lane = 0;
    g->selection.cursor = 0;
    g->running.unsaved = false;
    g->selection.listed.file = NULL;
    g->selection.listed.line = 0;
    g->running.last = (struct gpudbg_stop){0};
    free(g->running.launched);
    g->running.launched = NULL;
    free(g->running.base);
    g->running.base = NULL;
    forget_brought(&g->running);
}

struct at_close {
    void (*fn)(void *data);
    void *data;
    struct at_close *next;
};

void session_at_close(struct gpudbg *g, void (*fn)(void *data), void *data)
{
    struct at_close *at = xalloc(sizeof *at);
    *at = (struct at_close){fn, data, g->at_close};
    g->at_close = at;
}

/* What came through a pipe, in a file without a name that stays open. */
struct kept_input {
    struct kept_input *before;
    int fd;
    char name[24];
};

static void forget_inputs(struct kept_input *k)
{
    for (struct kept_input *before; k; k = before) {
        before = k->before;
        close(k->fd);
        free(k);
    }
}

const char *session_input_from(struct gpudbg *g, int fd, struct gpudbg_error *err)
{
    const int kept = kept_copy(fd, g->settings.memory_limit, &g->ticker, err);
    if (kept < 0) return NULL;
    struct kept_input *k = xalloc(sizeof *k);
    k->before = g->inputs;
    k->fd = kept;
    snprintf(k->name, sizeof k->name, "/dev/fd/%d", kept);
    g->inputs = k;
    return k->name;
}

const char *session_input(struct gpudbg *g, const char *path, struct gpudbg_error *err)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISFIFO(st.st_mode)) return path;
    const int fd = open_chosen(path, err);
    return fd < 0 ? NULL : session_input_from(g, fd, err);
}

void session_close(struct gpudbg *g)
{
    if (!g) return;
    const struct gpudbg_plugin *plugin;
    for (size_t i = 0; g->registry && (plugin = registry_plugin(g->registry, i)); i++)
        if (plugin->stop) plugin->stop(g);
    forget_image(g);
    checks_free(g->control.checks);
    for (size_t i = 0; i < g->loaded.ndumps; i++) dump_close(g->loaded.dumps[i]);
    free(g->loaded.dumps);
    folder_free(&g->folder);
    stops_free(g->control.stops);
    for (struct at_close *at = g->at_close, *next; at; at = next) {
        next = at->next;
        at->fn(at->data);
        free(at);
    }
    defines_free(g->defines);
    script_free(g->script);
    lines_free(&g->control.attached);
    lines_free(&g->warned);
    values_free(g->eval.values);
    forms_free(g->eval.forms);
    typed_forget(&g->eval);
    regdb_close(g->databases);
    forget_inputs(g->inputs);
    device_free(&g->device);
    marks_free(&g->marks);
    free(g->layout);
    free(g->saved.path);
    registry_free(g->registry);
    plugins_close(g->plugins);
    if (g->log.tee.stream) fclose(g->log.tee.stream);
    free(g->data);
    free(g);
}

/* The first instruction to look at: a kernel's, else the first code there is. */
static uint64_t first_code(const struct gpudbg_image *image)
{
    if (image->nkernels) return image->kernels[0].entry;
    for (size_t i = 0; i < image->nsections; i++)
        if (image->sections[i].flags & GPUDBG_CODE_BYTES) return image->sections[i].addr;
    return 0;
}

void session_drop(struct gpudbg *g)
{
    forget_image(g);
    free(g->saved.path);
    g->saved.path = NULL;
}

void session_take(struct gpudbg *g, struct gpudbg_image *image)
{
    struct gpudbg_error err = {0};
    stops_remove(&g->control, 0, &err); /* they belong to the old code */
    forget_image(g);
    marks_other_code(&g->marks);
    free(g->saved.path);
    g->saved.path = NULL;
    g->loaded.image = image;
    registry_for(g->registry, image->isa ? image->isa->name : NULL);
    g->selection.cursor = first_code(image);
}

struct explain *session_explain(struct gpudbg *g, const struct gpudbg_dump *d, uint32_t first, struct gpudbg_error *err)
{
    const struct folders folders = session_folders(g, "explain");
    const struct explain_options options = {g->settings.syntax, g->ticker, first};
    return explain_open(d, &folders, &options, err);
}

struct dump_env session_dump_env(struct gpudbg *g)
{
    return (struct dump_env){g->registry, gpudbg_session_databases(g), &g->loaded.isa, &g->loaded.image, g->ticker,
        g->settings.memory_limit};
}

struct gpudbg_dump *session_dump_from(
    struct gpudbg *g, const char *name, const uint8_t *bytes, size_t n, const char *format, struct gpudbg_error *err)
{
    const struct dump_env env = session_dump_env(g);
    return dump_from(&env, name, bytes, n, format, 0, err);
}

static struct load_env load_env(const struct gpudbg *g)
{
    return (struct load_env){g->registry, g->ticker, g->settings.memory_limit};
}

struct gpudbg_image *session_image_from(struct gpudbg *g, const char *name, const uint8_t *bytes, size_t n,
    const struct load_options *o, struct gpudbg_error *err)
{
    const struct load_env env = load_env(g);
    return image_from(&env, name, bytes, n, o, err);
}

bool session_add_code(struct gpudbg *g, const char *path, uint64_t addr, const char *name, struct gpudbg_error *err)
{
    struct gpudbg_image *image = eval_need_image(&g->eval, err);
    struct load_options options = {.raw = true};
    if (!image) return false;
    if (!(options.isa = image->isa))
        return gpudbg_fail(err, "not-recognised", "the loaded file has no instruction set");
    if (!session_may_replace(g, err)) return false;
    const struct load_env env = load_env(g);
    struct gpudbg_image *beside = image_open(&env, path, &options, err);
    if (!beside) return false;
    session_end_machine(g);
    bool added = session_add_bytes(g, beside->bytes, beside->size, addr, name, err);
    image_close(beside);
    places_anew(g);
    return added;
}

bool session_add_bytes(
    struct gpudbg *g, const uint8_t *bytes, size_t n, uint64_t addr, const char *name, struct gpudbg_error *err)
{
    struct loaded *l = &g->loaded;
    if (!image_add_code(l->image, name, addr, bytes, n, err)) return false;
    l->added = xrealloc(l->added, l->nadded + 1, sizeof *l->added);
    l->added[l->nadded++] = (struct added_code){xstrdup(name), addr, n};
    return true;
}

bool session_load(struct gpudbg *g, const char *path, const struct load_options *options, struct gpudbg_error *err)
{
    const struct load_env env = load_env(g);
    struct gpudbg_image *image = session_may_replace(g, err) ? image_open(&env, path, options, err) : NULL;
    if (!image) return false;
    session_take(g, image);
    folder_members(&g->folder, image);
    return true;
}

static bool add_one(struct gpudbg *g, const char *path, const char *format, uint64_t base, struct gpudbg_error *err)
{
    const struct dump_env env = session_dump_env(g);
    struct gpudbg_dump *dump = dump_open(&env, path, format, base, err);
    if (!dump) return false;
    g->loaded.dumps = xrealloc(g->loaded.dumps, g->loaded.ndumps + 1, sizeof *g->loaded.dumps);
    g->loaded.dumps[g->loaded.ndumps++] = dump;
    return true;
}

struct gpudbg_dump *session_dump_numbered(struct gpudbg *g, uint64_t number, struct gpudbg_error *err)
{
    if (number < g->loaded.ndumps) return g->loaded.dumps[number];
    if (!g->loaded.ndumps)
        gpudbg_fail(err, "no-file", "no dump is open; `load FILE` opens one");
    else if (g->loaded.ndumps == 1)
        gpudbg_fail(err, "out-of-range", "there is no dump %" PRIu64 ": one is open, dump 0", number);
    else
        gpudbg_fail(
            err, "out-of-range", "there is no dump %" PRIu64 ": dumps 0 to %zu are open", number, g->loaded.ndumps - 1);
    return NULL;
}

struct gpudbg_dump *session_dump_asked(
    struct gpudbg *g, struct gpudbg_args *a, uint64_t *number, struct gpudbg_error *err)
{
    const char *rest = gpudbg_args_rest(a);
    const bool asked = rest[0] == '-' && rest[1] == 'd' && (!rest[2] || rest[2] == ' ' || rest[2] == '\t');
    *number = 0;
    if (asked) gpudbg_args_word(a);
    return asked && !gpudbg_args_number(a, number, err) ? NULL : session_dump_numbered(g, *number, err);
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Every file of a folder that a reader knows, in the order of their names. */
static bool add_folder(struct gpudbg *g, const char *folder, struct gpudbg_error *err)
{
    struct dirent **entry;
    const size_t before = g->loaded.ndumps;
    char path[PATH_MAX];
    int n = scandir(folder, &entry, is_visible, alphasort);
    const int why = n < 0 ? errno : 0;
    bool full = false;
    for (int i = 0; i < n; i++) {
        struct gpudbg_error ignored = {.offset = -1};
        struct stat st;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        free(entry[i]);
        if (full || length <= 0 || (size_t)length >= sizeof path || stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
            !add_one(g, path, NULL, 0, &ignored))
            continue;
        full = g->loaded.ndumps - before > limit_most(g->settings.file_limit);
    }
    if (n >= 0) free(entry);
    if (full) {
        while (g->loaded.ndumps > before) dump_close(g->loaded.dumps[--g->loaded.ndumps]);
        snprintf(err->file, sizeof err->file, "%s", folder);
        return folder_full(g, err);
    }
    if (g->loaded.ndumps > before) return true;
    snprintf(err->file, sizeof err->file, "%s", folder);
    if (why) return gpudbg_fail(err, why == ENOMEM ? "memory" : "io", "%s", strerror(why));
    return gpudbg_fail(err, "not-recognised", "no file of this folder is a dump");
}

bool session_add_dump(struct gpudbg *g, const char *path, const char *format, uint64_t base, struct gpudbg_error *err)
{
    struct stat st;
    if (!format && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) return add_folder(g, path, err);
    return add_one(g, path, format, base, err);
}

bool session_is_dump_format(struct gpudbg *g, const char *format)
{
    const struct gpudbg_reader *r;
    for (size_t i = 0; (r = registry_reader(g->registry, i)); i++)
        if (strcmp(r->name, format) == 0) return true;
    return false;
}

/* How sure the readers of dumps and the loaders are that a file is theirs, by its head. */
static void probe_both(struct gpudbg *g, const char *path, int *dump, int *code, bool *text, int *failed)
{
    const struct gpudbg_reader *r;
    const struct gpudbg_loader *l;
    uint8_t *head = xalloc(DUMP_HEAD);
    const char *why = NULL;
    size_t n = dump_head(path, head, DUMP_HEAD, failed);
    *dump = dump_probe(g->registry, head, n, &r, &why);
    *code = 0;
    for (size_t i = 0; n && (l = registry_loader(g->registry, i)); i++) {
        int s = l->probe(head, n, &why);
        if (s > *code) *code = s;
    }
    *text = bytes_are_text(head, n);
    free(head);
}

bool session_is_code(struct gpudbg *g, const char *path)
{
    int dump, code, failed;
    bool text;
    probe_both(g, path, &dump, &code, &text, &failed);
    return code > dump;
}

/* The surer of a loader and a reader of dumps decides; text that neither knows by its head may still be a log. */
static bool is_dump(struct gpudbg *g, const char *path, const struct load_options *o, int *failed)
{
    if (o->format && session_is_dump_format(g, o->format)) return true;
    if (o->raw || o->format) return false;
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) return true;
    const size_t file = members_file(path);
    if (file && path[file]) return false; /* a member of a file */
    int dump, code;
    bool text;
    probe_both(g, path, &dump, &code, &text, failed);
    return dump ? dump > code : !code && !o->isa && text;
}

bool session_open_file(struct gpudbg *g, const char *path, const struct load_options *options, struct gpudbg_error *err)
{
    int failed = 0;
    alloc_watch();
    const bool dump = is_dump(g, path, options, &failed);
    if (alloc_short() || failed) { /* what it holds is not known, so nothing is guessed */
        snprintf(err->file, sizeof err->file, "%s", path);
        return gpudbg_fail(err, failed && failed != ENOMEM ? "io" : "memory", "%s", strerror(failed ? failed : ENOMEM));
    }
    if (!dump) return session_load(g, path, options, err);
    if (session_add_dump(g, path, options->format, options->base, err)) return true;
    if (err->kind && strcmp(err->kind, "not-recognised") == 0 && !options->format) { /* say it as of any file */
        struct stat st;
        err->kind = NULL;
        if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
            snprintf(err->file, sizeof err->file, "%s", path);
            return folder_open(g, path, options, err);
        }
        return session_load(g, path, options, err);
    }
    return false;
}

/* Bare code that no loader knows is taken for code where the files are said to be that. */
static bool is_code_beside(struct gpudbg *g, const char *path, const struct load_options *o)
{
    struct stat st;
    const size_t file = members_file(path);
    if (file && path[file]) return true;
    if (stat(path, &st) != 0 || S_ISDIR(st.st_mode)) return false;
    int dump, code, failed = 0;
    bool text;
    probe_both(g, path, &dump, &code, &text, &failed);
    return code > dump || (o->raw && !code && !dump && !text && !failed && st.st_size);
}

bool session_open_beside(
    struct gpudbg *g, const char *path, const struct load_options *options, struct gpudbg_error *err)
{
    if (!is_code_beside(g, path, options)) return session_add_dump(g, path, NULL, 0, err);
    return g->loaded.image ? folder_add(g, path, options, err) : session_load(g, path, options, err);
}

bool session_may_lose(struct gpudbg *g, bool code, const char *question)
{
    char buf[400];
    struct text t = text_in(buf, sizeof buf);
    struct machine_history history = {.edits = 0};
    if (!g->settings.confirm || !g->front.ask) return true;
    if (g->saved.path) { /* all of it can be had again, unless something came later */
        if (g->saved.digest(g) == g->saved.was) return true;
        text_add(&t, "The session has changed since it was saved to %.200s.  %s", g->saved.path, question);
        return g->front.ask(g->front.data, buf);
    }
    if (g->running.machine) machine_history(g->running.machine, &history);
    if (g->running.unsaved) text_add(&t, "Buffers were written and not saved.  ");
    if (history.edits) text_add(&t, "You changed registers or memory of the launch.  ");
    if (code && (g->marks.nbookmarks || g->marks.nnotes))
        text_add(&t, "You made bookmarks or notes and did not save the session.  ");
    if (code && g->loaded.patched) text_add(&t, "You patched the code and did not save it.  ");
    if (!*buf) return true;
    text_add(&t, "%s", question);
    return g->front.ask(g->front.data, buf);
}

/* ---- Databases ---- */

static void warn_unread(struct gpudbg *g, const char *path, int why)
{
    char text[FOLDER_NAME + 200];
    struct gpudbg_error ignored = {0};
    snprintf(text, sizeof text, "%s: warning: %s: gpudbg goes on without it", path, strerror(why));
    for (size_t i = 0; i < g->warned.n; i++)
        if (strcmp(g->warned.line[i], text) == 0) return;
    lines_add(&g->warned, text, 0, &ignored);
}

const char *session_warning(struct gpudbg *g) { return g->told < g->warned.n ? g->warned.line[g->told++] : NULL; }

void session_warn(struct gpudbg *g)
{
    for (const char *text; (text = session_warning(g)) != NULL;) {
        struct gpudbg_error err = {.offset = -1};
        gpudbg_fail(&err, "io", "%s", text);
        if (g->report) g->report(g, &err);
    }
}

bool session_own(struct gpudbg *g, const char *name, char *buf, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && *config == '/')
        snprintf(buf, size, "%s/gpudbg/%s", config, name);
    else if (home && *home == '/')
        snprintf(buf, size, "%s/.config/gpudbg/%s", home, name);
    else
        return false;
    const int fd = open(buf, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0) return close(fd), true;
    if (errno != ENOENT && errno != ENOTDIR) warn_unread(g, buf, errno);
    return false;
}

struct folders session_folders(struct gpudbg *g, const char *kind)
{
    struct folders f = {.n = 1};
    snprintf(f.path[0], sizeof f.path[0], "%s/%s", g->data ? g->data : ".", kind);
    if (!g->sealed && session_own(g, kind, f.path[1], sizeof f.path[1])) f.n++;
    return f;
}

struct regdb *gpudbg_session_databases(struct gpudbg *g)
{
    if (!g->databases) {
        const struct folders folders = session_folders(g, "registers");
        g->databases = regdb_open(&folders, g->registry);
    }
    return g->databases;
}

void session_report_databases(struct gpudbg *g, struct gpudbg_out *out)
{
    struct gpudbg_error err = {.offset = -1};
    while (registers_problem(gpudbg_session_databases(g), &err)) session_failed(g, &err, err.file, err.line, out);
}

/* ---- Lines and scripts ---- */

void session_log_error(struct gpudbg *g, const struct gpudbg_error *err)
{
    FILE *log = g->log.tee.why ? NULL : g->log.tee.stream;
    if (!log) return;
    if (err->line)
        shown_print(log, "gpudbg: %s:%ld: %s\n", err->file, err->line, err->message);
    else
        shown_print(log, "gpudbg: %s%s%s\n", err->file, *err->file ? ": " : "", err->message);
}

void session_failed(struct gpudbg *g, struct gpudbg_error *err, const char *name, long line, struct gpudbg_out *out)
{
    g->errors++;
    if (!err->file[0]) {
        snprintf(err->file, sizeof err->file, "%s", name);
        err->line = line;
    }
    out_error(out, err);
    if (g->report && !gpudbg_out_json(out)) session_log_error(g, err);
    if (g->report)
        g->report(g, err);
    else if (err->line && err->column)
        gpudbg_out_print(out, "%s:%ld:%ld: %s\n", err->file, err->line, err->column, err->message);
    else if (err->line)
        gpudbg_out_print(out, "%s:%ld: %s\n", err->file, err->line, err->message);
    else
        gpudbg_out_print(out, "%s\n", err->message);
}

bool session_line(struct gpudbg *g, const char *text, const char *name, long line, struct gpudbg_out *out)
{
    struct gpudbg_error err = {.offset = -1};
    const struct line_begun told = conversation_begin(g, text, out);
    g->script->behind = 0;
    const bool done = gpudbg_execute(g, text, out, &err);
    if (g->databases) session_report_databases(g, out); /* where it was the first to read them */
    if (!done) {
        const long behind = (long)g->script->behind;
        session_failed(g, &err, name, line > behind ? line - behind : line, out);
    }
    session_warn(g);
    conversation_end(g, &told, out);
    return (done || !g->settings.stop_on_error) && commands_go_on(g, out);
}

bool session_finish(struct gpudbg *g, const char *name, struct gpudbg_out *out)
{
    struct gpudbg_error err = {.offset = -1};
    if (g->script->open && g->script->open->refused) /* that was said */
        block_drop(g);
    if (!block_open(g)) return true;
    gpudbg_fail(&err, "unclosed-block", "%s: no `end` before the end of the script", block_open(g));
    block_drop(g);
    session_failed(g, &err, name, 0, out);
    return !g->settings.stop_on_error;
}

bool session_script(struct gpudbg *g, void *stream, const char *name, struct gpudbg_out *out)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t n = 0;
    bool more = true;
    struct gpudbg_error stopped = {.offset = -1};
    if (g->depth >= SCRIPT_DEPTH) {
        struct gpudbg_error err = {.offset = -1};
        gpudbg_fail(&err, "too-large", "scripts nested deeper than %d", SCRIPT_DEPTH);
        session_failed(g, &err, name, 0, out);
        g->abandon = true;
        return false;
    }
    const unsigned loops = g->script->loops;
    g->script->loops = 0; /* one around it is not left from inside */
    g->depth++;
    for (long line = 1; more && commands_go_on(g, out); line++) {
        errno = 0;
        n = line_of(stream, &text, &room, limit_most(g->settings.line_limit), &stopped);
        /* Between two lines of a conversation nothing runs that Ctrl-C could stop: it came too late. */
        const bool idle = stream == stdin && g->settings.conversation && !g->conversation.within;
        if (idle) ticker_goes_on(&g->ticker, 0, 0);
        if (n < 0 && errno == EINTR && idle) {
            clearerr(stream);
            line--;
            continue;
        }
        if (n < 0) break;
        if (!idle && !script_goes_on(g, (uint64_t)line, &stopped)) break;
        more = session_line(g, text, name, line, out);
        if (stream == stdin) out_flush(out); /* whoever sends lines may want each answer before the next */
    }
    struct gpudbg_error err = stopped;
    if (!stopped.kind && n < 0 && errno == ECANCELED) read_failed(errno, &err);
    if (err.kind || (n == -1 && !stream_ended(stream, &err))) {
        session_failed(g, &err, name, 0, out);
        more &= !g->settings.stop_on_error;
    }
    more &= session_finish(g, name, out);
    g->abandon &= --g->depth > 0;
    g->script->loops = loops;
    free(text);
    return more;
}

/* ---- Files that the user named ---- */

char *gpudbg_read_file(struct gpudbg *g, const char *path, size_t most, size_t *n, struct gpudbg_error *err)
{
    const int fd = open_chosen(path, err);
    if (fd < 0) return NULL;
    uint8_t *bytes = all_within(fd, most, g->settings.memory_limit, n, &g->ticker, err);
    close(fd);
    return (char *)bytes;
}

bool session_source(struct gpudbg *g, const char *path, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (g->sealed) return gpudbg_fail(err, "not-now", "this session must not open scripts");
    struct gpudbg_error why = {0};
    FILE *f = stream_chosen(path, &g->ticker, &why);
    if (!f) return gpudbg_fail(err, why.kind, "%s: %s", path, why.message);
    const bool ran = session_script(g, f, path, out);
    fclose(f);
    return ran || g->quit || g->abandon || out_broken(out) ||
           gpudbg_fail(err, "interrupt", "%s: ended by an error", path);
}

/* ---- Names ---- */

const struct gpudbg_isa *session_isa(struct gpudbg *g, const char *name)
{
    return registry_isa_named(g->registry, name);
}

const struct gpudbg_isa *session_isa_asked(struct gpudbg *g, const char *name, struct gpudbg_error *err)
{
    return registry_isa_asked(g->registry, name, err);
}

const struct gpudbg_isa *session_any_isa(struct gpudbg *g, struct gpudbg_error *err)
{
    if (g->loaded.image && g->loaded.image->isa) return g->loaded.image->isa;
    const struct gpudbg_isa *isa = g->loaded.isa;
    if (!isa && !registry_isa(g->registry, 1)) /* there is only one */
        isa = registry_isa(g->registry, 0);
    if (!isa)
        gpudbg_fail(
            err, "no-file", "no file is loaded and no instruction set is chosen; choose one with --isa or `isa NAME`");
    return isa;
}
