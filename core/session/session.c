/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session: opened with everything built in registered, closed with everything freed; see session.h. */
#include "session/session.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "control/check.h"
#include "session/command.h"
#include "command/display.h"
#include "control/device.h"
#include "image/image.h"
#include "dump/dump.h"
#include "code/insn.h"
#include "machine/machine.h"
#include "out/out.h"
#include "word/registers.h"
#include "word/registry.h"
#include "session/script.h"
#include "control/stop.h"
#include "eval/value.h"

#define SCRIPT_DEPTH 32

/* It holds this program's data: every copy has the file of keys. */
static bool is_data(const char *folder)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/keys/default", folder);
    return access(path, R_OK) == 0;
}

/* Where share/ is: GPUDBG_DATA; beside the program itself, where it was installed or in a tree that it was built in; PREFIX.  Never
 * a folder only because the program was built there: what lies in it may be somebody else's by now. */
static char *data_folder(void)
{
    static const char *const beside[] = {"/../share/gpudbg", "/../share"};
    const char *said = getenv("GPUDBG_DATA");
    char path[PATH_MAX];
    if (said && *said)
        return strdup(said);
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof "/../share/gpudbg");
    if (n > 0) {
        path[n] = 0;
        char *end = strrchr(path, '/');
        for (size_t i = 0; end && i < sizeof beside / sizeof *beside; i++) {
            strcpy(end, beside[i]);
            if (is_data(path))
                return strdup(path);
        }
    }
    return strdup(GPUDBG_SHARE);
}

static bool add_all(struct gpudbg *g, const struct gpudbg_plugin *const *plugins, struct gpudbg_error *err)
{
    for (; *plugins; plugins++) {
        if (!registry_add(g->registry, *plugins, err))
            return false;
        if ((*plugins)->start && !(*plugins)->start(g, err))
            return false;
    }
    return true;
}

struct gpudbg *session_open(const struct gpudbg_plugin *const *families, const struct gpudbg_plugin *const *decoders, struct gpudbg_error *err)
{
    struct gpudbg *g = calloc(1, sizeof *g);
    if (!g) {
        gpudbg_fail(err, "command", "out of memory");
        return NULL;
    }
    g->registry = registry_new();
    g->stops = stops_new();
    g->script = script_new();
    g->checks = checks_new(g);
    g->eval = (struct eval){&g->loaded, &g->running, &g->selection, NULL};
    g->data = data_folder();
    g->settings.confirm = true;
    g->selection.examine.letter = 'x';
    g->selection.examine.size = 4;
    g->settings.history_budget = UINT64_C(256) << 20;
    if (!g->registry || !g->stops || !g->script || !g->checks || !add_all(g, families, err) || !add_all(g, decoders, err)) {
        session_close(g);
        return NULL;
    }
    return g;
}

void session_end_machine(struct gpudbg *g)
{
    checks_end(g->checks);
    machine_free(g->running.machine);
    g->running.machine = NULL;
}

/* Everything that belongs to what is loaded. */
static void forget_image(struct gpudbg *g)
{
    session_end_machine(g);
    checks_clear(g->checks);
    image_close(g->loaded.image);
    g->loaded.image = NULL;
    g->loaded.placed.image = NULL;
    if (g->registry)
        registry_for(g->registry, NULL);
    g->selection.wave = 0;
    g->selection.lane = 0;
    g->selection.cursor = 0;
    g->running.unsaved = false;
    g->selection.listed.file = NULL;
    g->selection.listed.line = 0;
    g->selection.frame.number = 0; /* its file was the image's */
    g->running.last = (struct gpudbg_stop){0};
    free(g->running.launched);
    g->running.launched = NULL;
    free(g->running.base);
    g->running.base = NULL;
}

void session_close(struct gpudbg *g)
{
    if (!g)
        return;
    const struct gpudbg_plugin *plugin;
    for (size_t i = 0; g->registry && (plugin = registry_plugin(g->registry, i)); i++)
        if (plugin->stop)
            plugin->stop(g);
    forget_image(g);
    checks_free(g->checks);
    for (size_t i = 0; i < g->loaded.ndumps; i++)
        dump_close(g->loaded.dumps[i]);
    free(g->loaded.dumps);
    stops_free(g->stops);
    displays_free(g->displays);
    defines_free(g->defines);
    script_free(g->script);
    values_free(g->eval.values);
    registers_free(g->registers);
    device_free(g);
    registry_free(g->registry);
    plugins_close(g->plugins);
    free(g->data);
    free(g);
}

/* The first instruction to look at: a kernel's, else the first code there is. */
static uint64_t first_code(const struct gpudbg_image *image)
{
    if (image->nkernels)
        return image->kernels[0].entry;
    for (size_t i = 0; i < image->nsections; i++)
        if (image->sections[i].flags & GPUDBG_CODE_BYTES)
            return image->sections[i].addr;
    return 0;
}

void session_take(struct gpudbg *g, struct gpudbg_image *image)
{
    struct gpudbg_error err = {0};
    stops_remove(g, 0, &err); /* they belong to the old code */
    forget_image(g);
    g->loaded.image = image;
    registry_for(g->registry, image->isa ? image->isa->name : NULL);
    g->selection.cursor = first_code(image);
}

bool session_rows(
    struct gpudbg *g, const struct gpudbg_listing *l, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = g->running.machine ? g->running.machine->isa : g->loaded.image ? g->loaded.image->isa : NULL;
    if (isa && !listing_is_of(l, isa->name))
        return gpudbg_fail(err, "command", "%s: %s has none (%s has)", l->name, isa->name, l->isas[0]);
    return l->rows(g, args, each, to, err);
}

bool session_add_code(struct gpudbg *g, const char *path, uint64_t addr, const char *name, struct gpudbg_error *err)
{
    struct gpudbg_image *image = eval_need_image(&g->eval, err);
    struct load_options options = {.raw = true};
    if (!image)
        return false;
    if (!(options.isa = image->isa))
        return gpudbg_fail(err, "command", "the loaded file is of no instruction set");
    struct gpudbg_image *beside = image_open(g, path, &options, err);
    if (!beside)
        return false;
    session_end_machine(g);
    bool added = image_add_code(image, name, addr, beside->bytes, beside->size, err);
    image_close(beside);
    g->loaded.placed.image = NULL;
    return added;
}

bool session_load(
    struct gpudbg *g, const char *path, const struct load_options *options, struct gpudbg_error *err)
{
    struct gpudbg_image *image = image_open(g, path, options, err);
    if (!image)
        return false;
    session_take(g, image);
    return true;
}

static bool add_one(struct gpudbg *g, const char *path, const char *format, uint64_t base, struct gpudbg_error *err)
{
    struct gpudbg_dump *dump = dump_open(g, path, format, base, err);
    if (!dump)
        return false;
    struct gpudbg_dump **grown = realloc(g->loaded.dumps, (g->loaded.ndumps + 1) * sizeof *grown);
    if (!grown)
        abort();
    g->loaded.dumps = grown;
    g->loaded.dumps[g->loaded.ndumps++] = dump;
    return true;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Every file of a folder that a reader knows, in the order of their names. */
static bool add_folder(struct gpudbg *g, const char *folder, struct gpudbg_error *err)
{
    struct dirent **entry;
    const size_t before = g->loaded.ndumps;
    char path[PATH_MAX];
    int n = scandir(folder, &entry, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        struct gpudbg_error ignored = {.offset = -1};
        struct stat st;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        free(entry[i]);
        if (length > 0 && (size_t)length < sizeof path && stat(path, &st) == 0 && S_ISREG(st.st_mode))
            add_one(g, path, NULL, 0, &ignored);
    }
    if (n >= 0)
        free(entry);
    if (g->loaded.ndumps > before)
        return true;
    snprintf(err->file, sizeof err->file, "%s", folder);
    return gpudbg_fail(err, "not-recognised", "no file of this folder is a dump");
}

bool session_add_dump(
    struct gpudbg *g, const char *path, const char *format, uint64_t base, struct gpudbg_error *err)
{
    struct stat st;
    if (!format && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return add_folder(g, path, err);
    return add_one(g, path, format, base, err);
}

bool session_is_dump_format(struct gpudbg *g, const char *format)
{
    const struct gpudbg_reader *r;
    for (size_t i = 0; (r = registry_reader(g->registry, i)); i++)
        if (strcmp(r->name, format) == 0)
            return true;
    return false;
}

/* How sure the readers of dumps and the loaders are that a file is theirs, by its head. */
static void probe_both(struct gpudbg *g, const char *path, int *dump, int *code, bool *text)
{
    const struct gpudbg_reader *r;
    const struct gpudbg_loader *l;
    uint8_t *head = malloc(DUMP_HEAD);
    const char *why = NULL;
    if (!head)
        abort();
    size_t n = dump_head(path, head, DUMP_HEAD);
    *dump = dump_probe(g, head, n, &r, &why);
    *code = 0;
    for (size_t i = 0; n && (l = registry_loader(g->registry, i)); i++) {
        int s = l->probe(head, n, &why);
        if (s > *code)
            *code = s;
    }
    *text = dump_is_text(head, n);
    free(head);
}

bool session_is_code(struct gpudbg *g, const char *path)
{
    int dump, code;
    bool text;
    probe_both(g, path, &dump, &code, &text);
    return code > dump;
}

/* The surer of a loader and a reader of dumps decides; text that neither knows by its head may still be a log. */
static bool is_dump(struct gpudbg *g, const char *path, const struct load_options *o)
{
    if (o->format && session_is_dump_format(g, o->format))
        return true;
    if (o->raw || o->format)
        return false;
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return true;
    int dump, code;
    bool text;
    probe_both(g, path, &dump, &code, &text);
    return dump ? dump > code : !code && !o->isa && text;
}

bool session_open_file(
    struct gpudbg *g, const char *path, const struct load_options *options, struct gpudbg_error *err)
{
    if (!is_dump(g, path, options))
        return session_load(g, path, options, err);
    if (session_add_dump(g, path, options->format, options->base, err))
        return true;
    if (err->kind && strcmp(err->kind, "not-recognised") == 0 && !options->format) { /* say it as of any file */
        err->kind = NULL;
        return session_load(g, path, options, err);
    }
    return false;
}

bool session_may_lose(struct gpudbg *g, const char *question)
{
    return !g->running.unsaved || !g->settings.confirm || !g->front.ask || g->front.ask(g->front.data, question);
}

/* ---- Lines and scripts ---- */

void session_failed(
    struct gpudbg *g, struct gpudbg_error *err, const char *name, long line, struct gpudbg_out *out)
{
    g->errors++;
    if (!err->file[0]) {
        snprintf(err->file, sizeof err->file, "%s", name);
        err->line = line;
    }
    out_error(out, err);
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
    g->script->behind = 0;
    if (!gpudbg_execute(g, text, out, &err)) {
        const long behind = (long)g->script->behind;
        session_failed(g, &err, name, line > behind ? line - behind : line, out);
        if (g->settings.stop_on_error)
            return false;
    }
    return !g->quit && !out_broken(out);
}

bool session_finish(struct gpudbg *g, const char *name, struct gpudbg_out *out)
{
    struct gpudbg_error err = {.offset = -1};
    if (g->script->open && g->script->open->refused) /* that was said */
        block_drop(g);
    if (!block_open(g))
        return true;
    gpudbg_fail(&err, "command", "%s: no `end` before the end of the script", block_open(g));
    block_drop(g);
    session_failed(g, &err, name, 0, out);
    return !g->settings.stop_on_error;
}

bool session_script(struct gpudbg *g, void *stream, const char *name, struct gpudbg_out *out)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t n;
    bool more = true;
    if (g->depth >= SCRIPT_DEPTH) {
        struct gpudbg_error err = {.offset = -1};
        gpudbg_fail(&err, "command", "scripts nested deeper than %d", SCRIPT_DEPTH);
        session_failed(g, &err, name, 0, out);
        g->abandon = true;
        return false;
    }
    const unsigned loops = g->script->loops;
    g->script->loops = 0; /* one around it is not left from inside */
    g->depth++;
    for (long line = 1; more && !g->abandon && (n = getline(&text, &room, stream)) >= 0; line++) {
        if (n && text[n - 1] == '\n')
            text[n - 1] = 0;
        more = session_line(g, text, name, line, out);
        if (stream == stdin)
            out_flush(out); /* whoever sends lines may want each answer before the next */
    }
    if (ferror((FILE *)stream)) {
        struct gpudbg_error err = {.offset = -1};
        gpudbg_fail(&err, "io", "%s", strerror(errno));
        session_failed(g, &err, name, 0, out);
        more &= !g->settings.stop_on_error;
    }
    more &= session_finish(g, name, out);
    g->abandon &= --g->depth > 0;
    g->script->loops = loops;
    free(text);
    return more;
}

/* ---- Names ---- */

const struct gpudbg_isa *session_isa(struct gpudbg *g, const char *name)
{
    const struct gpudbg_isa *isa;
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++) {
        if (strcasecmp(isa->name, name) == 0)
            return isa;
        for (const char *const *alias = isa->aliases; alias && *alias; alias++)
            if (strcasecmp(*alias, name) == 0)
                return isa;
    }
    return NULL;
}

const struct gpudbg_isa *session_any_isa(struct gpudbg *g, struct gpudbg_error *err)
{
    if (g->loaded.image && g->loaded.image->isa)
        return g->loaded.image->isa;
    const struct gpudbg_isa *isa = g->loaded.isa;
    if (!isa && !registry_isa(g->registry, 1)) /* there is only one */
        isa = registry_isa(g->registry, 0);
    if (!isa)
        gpudbg_fail(err, "command", "no file and no instruction set: say which with --isa or `isa NAME`");
    return isa;
}

unsigned session_syntax(const struct gpudbg *g, const struct gpudbg_isa *isa)
{
    int syntax = insn_syntax(isa, g->settings.syntax);
    return syntax < 0 ? 0 : (unsigned)syntax;
}

