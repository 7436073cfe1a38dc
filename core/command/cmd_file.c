/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about what is loaded: file, isa, plugin. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "out/say.h"
#include "command/session_file.h"
#include "dump/dump_place.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "session/command.h"
#include "session/plugin.h"
#include "session/session.h"

/* ---- Files of the list by an address ---- */

/* A wave of an open dump stands at the address, and the words of code that it tells are the file's. */
static bool holds_wave(const struct gpudbg *g, const struct gpudbg_image *image, uint64_t addr)
{
    for (size_t i = 0; i < g->loaded.ndumps; i++) {
        size_t n;
        const struct gpudbg_dump_wave *w = gpudbg_dump_waves(g->loaded.dumps[i], &n);
        for (size_t k = 0; k < n; k++) {
            uint64_t pc, shift;
            if (dump_wave_pc(image->isa, g->loaded.dumps[i], &w[k], &pc) && pc == addr &&
                dump_wave_place(image, g->loaded.dumps[i], &w[k], &shift))
                return true;
        }
    }
    return false;
}

static bool holds(const struct gpudbg *g, const struct gpudbg_image *image, uint64_t addr)
{
    const struct gpudbg_section *s = gpudbg_image_at(image, addr);
    return (s && s->flags & GPUDBG_CODE_BYTES) || (image->isa && holds_wave(g, image, addr));
}

/* The one file of the list that has code at the address which `*ADDR` names; NULL with err. */
static const char *file_at(struct gpudbg *g, const char *word, struct gpudbg_error *err)
{
    const struct load_env env = {g->registry, g->ticker, g->settings.memory_limit};
    const struct load_options options = g->folder.options;
    char numbers[200];
    struct text t = text_in(numbers, sizeof numbers);
    uint64_t addr;
    size_t n = 0, found = 0;
    if (!gpudbg_evaluate(g, word + 1, &addr, err)) return NULL;
    for (size_t i = 0; i < g->folder.n; i++) {
        struct gpudbg_error ignored = {.offset = -1};
        if (!gpudbg_goes_on(g, i, g->folder.n)) return gpudbg_fail(err, "interrupt", "stopped"), NULL;
        struct gpudbg_image *image = image_open(&env, g->folder.path[i], &options, &ignored);
        if (image && holds(g, image, addr)) {
            text_add(&t, "%s%zu", n ? ", " : "", i + 1);
            found = i;
            n++;
        }
        if (image) image_close(image);
    }
    text_mark_cut(&t);
    if (n == 1) return g->folder.path[found];
    if (n)
        gpudbg_fail(err, "ambiguous", "%s: %zu files of the list have code there: %s", word, n, numbers);
    else if (g->folder.n)
        gpudbg_fail(err, "no-such-name", "%s: no file of the list has code there (info folder)", word);
    else
        gpudbg_fail(err, "no-such-name", "%s: one file of code, or none, was opened: there is no list", word);
    return NULL;
}

/* ---- Commands ---- */

static bool run_file(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct load_options options = {0};
    const char *path = NULL, *word;
    while ((word = gpudbg_args_word(a))) {
        if (strcmp(word, "--raw") == 0) {
            options.raw = true;
        } else if (strcmp(word, "--isa") == 0) {
            const char *name = args_need(a, "the instruction set's name", err);
            if (!name || !(options.isa = session_isa_asked(g, name, err))) return false;
        } else if (strcmp(word, "--base") == 0) {
            if (!gpudbg_args_number(a, &options.base, err)) return false;
        } else if (strcmp(word, "--format") == 0) {
            if (!(options.format = args_need(a, "the format's name", err))) return false;
        } else if (path) {
            return gpudbg_fail(err, "usage", "\"%.60s\": one file at a time", word);
        } else {
            path = word;
        }
    }
    if (!path) return gpudbg_fail(err, "usage", "a file is missing");
    bool listed;
    path = folder_path(&g->folder, path, &listed);
    if (!listed && *path == '*' && access(path, F_OK) != 0) {
        if (!(path = file_at(g, path, err))) return false;
        listed = true;
    }
    if (listed && !options.isa && !options.raw && !options.format && !options.base) options = g->folder.options;
    if (g->sealed) return gpudbg_fail(err, "not-now", "this session must not open files");
    if (options.raw && !options.isa) options.isa = g->loaded.isa;
    if (!session_may_lose(g, true, "Load another file?")) return true;
    if (!(path = session_input(g, path, err))) return false;
    if (session_file_is(path)) return session_read(g, path, out, err);
    const size_t dumps = g->loaded.ndumps;
    if (!session_open_file(g, path, &options, err)) return false;
    if (g->loaded.ndumps > dumps) {
        gpudbg_out_print(out, "%s: %s, %" PRIu32 " lines, %zu register values\n", path,
            gpudbg_dump_format(g->loaded.dumps[dumps]), gpudbg_dump_lines(g->loaded.dumps[dumps]),
            gpudbg_dump_records(g->loaded.dumps[dumps]));
        return true;
    }
    gpudbg_out_print(out, "%s: %s, %s\n", g->loaded.image->path, g->loaded.image->kind,
        g->loaded.image->isa ? g->loaded.image->isa->title : "no instruction set");
    const char *warning = image_warning(g->loaded.image);
    if (warning) gpudbg_out_print(out, "warning: %s\n", warning);
    return true;
}

static const struct gpudbg_command file = {
    .name = "file",
    .aliases = "load",
    .usage = "[--isa ISA] [--raw] [--base ADDR] [--format NAME] FILE|*ADDR",
    .summary = "load a file, or add a dump to the loaded code",
    .help = "Code replaces the code that was loaded.  A dump is added beside it.  A saved session replaces all.\n"
            "A folder of code opens as a list: its first file is loaded, `info folder` shows the others, and\n"
            "`file NUMBER` or `file NAME` loads one of them, and `file *ADDR` the one with code at the address, or\n"
            "the file whose code a dumped wave was executing.  Several files of code on the command line do the same.\n"
            "Archives, offload bundles, Catalyst binaries and host programs with GPU code open the same way: the\n"
            "first loadable member is loaded.  FILE(MEMBER) picks one by its name or number:\n"
            "lib.a(kernels.o), lib.a(kernels.o)(3).\n"
            "`info file` says what was recognised and why.  `info dump` shows what the dumps contain.",
    .family = "Files",
    .effect = GPUDBG_CHANGES,
    .run = run_file,
    .complete = complete_file,
};

/* A file's name as a name of code: "dir/vs fetch.bin" is vs_fetch. */
static const char *code_name(const char *path, char *buf, size_t size)
{
    const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
    size_t n = strcspn(from, ".");
    n = n < size ? n : size - 1;
    for (size_t i = 0; i < n; i++) buf[i] = isalnum((unsigned char)from[i]) ? from[i] : '_';
    buf[n] = 0;
    return n ? buf : "code2";
}

/* Behind all that is loaded, at the next multiple of 64 KB. */
static uint64_t free_address(const struct gpudbg_image *image)
{
    uint64_t end = 0;
    for (size_t i = 0; image && i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (s->flags & GPUDBG_LOADED && s->addr + s->size > end) end = s->addr + s->size;
    }
    return (end + 0xffff) & ~UINT64_C(0xffff);
}

static bool run_add_code(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    char buf[120];
    const char *path = args_need(a, "a file", err), *word = path ? gpudbg_args_word(a) : NULL, *name;
    uint64_t addr = free_address(g->loaded.image);
    if (!path) return false;
    if (g->sealed) return gpudbg_fail(err, "not-now", "this session must not open files");
    if (word && isdigit((unsigned char)*word)) {
        if (!gpudbg_evaluate(g, word, &addr, err)) return false;
        word = gpudbg_args_word(a);
    }
    name = word ? word : code_name(path, buf, sizeof buf);
    if (!args_end(a, err) || !session_may_lose(g, false, "End the run?")) return false;
    if (!session_add_code(g, path, addr, name, err)) return false;
    gpudbg_out_print(out, "%s: %s at 0x%" PRIx64 "\n", path, name, addr);
    return true;
}

static const struct gpudbg_command add_code = {
    .name = "add-code",
    .usage = "FILE [ADDR] [NAME]",
    .summary = "add a file of bare code to the loaded code",
    .help = "Use it for code that other code jumps to, such as a fetch shader that a vertex shader calls.  You\n"
            "can list it, run it and set breakpoints in it.  Without ADDR it is placed after all other code.\n"
            "&NAME is its address in `launch`: s[0:1]=&fetch.  This command ends the present launch.",
    .family = "Files",
    .effect = GPUDBG_CHANGES,
    .run = run_add_code,
    .complete = complete_file,
};

/* ---- Files of a folder ---- */

struct file_row {
    const struct gpudbg *g;
    size_t number; /* from 1 */
    const char *path;
    const struct gpudbg_image *image; /* NULL: it cannot be loaded */
    const struct gpudbg_error *err;
};

static const char *fact_text(const struct gpudbg_image *image, const char *key)
{
    for (size_t i = 0; image && i < image->nfacts; i++)
        if (strcmp(image->facts[i].key, key) == 0 && image->facts[i].text) return image->facts[i].text;
    return "";
}

static int file_mark(const void *row, char *buf, size_t size)
{
    const struct file_row *r = row;
    const struct gpudbg_image *loaded = r->g->loaded.image;
    return snprintf(buf, size, "%s", loaded && strcmp(loaded->path, r->path) == 0 ? ">" : "");
}

static int file_number(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%zu", ((const struct file_row *)row)->number);
}

static int file_name(const void *row, char *buf, size_t size)
{
    const char *path = ((const struct file_row *)row)->path, *slash = strrchr(path, '/');
    return snprintf(buf, size, "%s", slash ? slash + 1 : path);
}

static int file_stage(const void *row, char *buf, size_t size)
{
    const struct file_row *r = row;
    return snprintf(buf, size, "%s", r->image ? fact_text(r->image, "stage") : r->err->message);
}

static int file_form(const void *row, char *buf, size_t size)
{
    const struct file_row *r = row;
    return snprintf(
        buf, size, "%s", r->image ? image_file(r->image)->kind : "not loaded"); /* of a member: its container's */
}

static int file_bytes(const void *row, char *buf, size_t size)
{
    const struct file_row *r = row;
    return snprintf(buf, size, "%zu", r->image ? r->image->size : 0);
}

static const struct gpudbg_column file_columns[] = {
    {"selected", "", 0, GPUDBG_PLAIN, file_mark},
    {"number", "number", 0, GPUDBG_COUNT, file_number},
    {"name", "file", 0, GPUDBG_NAME, file_name},
    {"form", "form", 0, GPUDBG_PLAIN, file_form},
    {"bytes", "bytes", 0, GPUDBG_COUNT, file_bytes},
    {"stage", "stage", 0, GPUDBG_NOTE, file_stage},
};

static bool file_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct load_env env = {g->registry, g->ticker, g->settings.memory_limit};
    const struct load_options options = g->folder.options;
    bool more = true;
    (void)args;
    (void)err;
    for (size_t i = 0; i < g->folder.n && more; i++) {
        struct gpudbg_error problem = {.offset = -1};
        struct gpudbg_image *image = image_open(&env, g->folder.path[i], &options, &problem);
        const struct file_row row = {g, i + 1, g->folder.path[i], image, &problem};
        more = each(to, &row);
        if (image) image_close(image);
    }
    return true;
}

static const struct gpudbg_listing files = {
    .name = "folder",
    .summary = "list the files of code that were opened together; `file NUMBER` loads one",
    .type = "code-file",
    .columns = file_columns,
    .ncolumns = sizeof file_columns / sizeof *file_columns,
    .rows = file_rows,
    .empty = "one file of code, or none, was opened: there is no list",
};

static bool run_isa(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *name = gpudbg_args_word(a);
    const struct gpudbg_isa *isa = name ? session_isa_asked(g, name, err) : session_any_isa(g, err);
    if (!isa || !args_end(a, err)) return false;
    g->loaded.isa = isa;
    if (name) return true;
    RECORD(out, "isa", "{name}, {title}\n", STRING("name", isa->name), STRING("title", isa->title));
    return true;
}

static const struct gpudbg_command isa = {
    .name = "isa",
    .usage = "[NAME]",
    .summary = "set the default instruction set",
    .help = "Bare code and `decode` use it.  A file that names its instruction set overrides it.\n"
            "Without NAME, the command shows the instruction set in use.",
    .family = "Files",
    .effect = GPUDBG_CHANGES,
    .run = run_isa,
    .complete = complete_isa,
};

static bool run_plugin(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    if (g->settings.no_plugins)
        return gpudbg_fail(err, "not-now",
            "plugin: an editor's session loads no code: start it with --plugin FILE, or name it in your gpudbgrc");
    const char *path = args_need(a, "a shared object", err);
    return path && args_end(a, err) && plugin_load(g, path, err);
}

static const struct gpudbg_command plugin = {
    .name = "plugin",
    .usage = "FILE",
    .summary = "load a plug-in",
    .help = "A plug-in is a shared object made with gpudbg.h.  `info plugins` lists the plug-ins that are loaded.",
    .family = "Files",
    .effect = GPUDBG_CHANGES,
    .run = run_plugin,
    .complete = complete_file,
    .writes = true,
};

static const struct gpudbg_command *const commands[] = {&file, &add_code, &isa, &plugin, NULL};
static const struct gpudbg_listing *const listings[] = {&files, NULL};
COMMAND_FAMILY(
    cmd_file, "files", .summary = "commands about what is loaded", .commands = commands, .listings = listings);
