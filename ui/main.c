/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpudbg: options, then a batch of commands or the screen, and the exit status. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "command/measure_files.h"
#include "command/families.h"
#include "command/session_file.h"
#include "dap/dap.h"
#include "decoders/decoders.h"
#include "dump/dump_lanes.h"
#include "image/image.h"
#include "out/out.h"
#include "session/plugin.h"
#include "session/script.h"
#include "word/registry.h"
#include "session/session.h"
#include "demo.h"
#include "opening.h"
#include "options.h"
#include "pair.h"
#include "pane.h"
#include "screen.h"
#include "stack.h"
#include "base/alloc.h"
#include "base/open_file.h"
#include "base/shown.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_NO_FILE = 3 };

static void print_error(struct gpudbg *g, const struct gpudbg_error *err)
{
    if (g && opening_says(g, err)) return;
    fflush(stdout);
    if (err->line > 0 && err->column > 0)
        shown_print(stderr, "gpudbg: %s:%ld:%ld: %s\n", err->file, err->line, err->column, err->message);
    else if (err->line > 0)
        shown_print(stderr, "gpudbg: %s:%ld: %s\n", err->file, err->line, err->message);
    else
        shown_print(stderr, "gpudbg: %s%s%s\n", err->file, err->file[0] ? ": " : "", err->message);
}

static void print_version(void)
{
    bool found;
    char *data = session_data_folder(&found);
    printf("gpudbg %s\ndata: %s%s\n", GPUDBG_VERSION, data, found ? "" : " (not found: it has no keys/default)");
    free(data);
}

/* Whether what was printed is where it should be; a reader that left is no error. */
static bool printed(void)
{
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE) return true;
    fprintf(stderr, "gpudbg: standard output: %s\n", strerror(errno ? errno : EIO));
    return false;
}

/* Vector levels of the build, as lanes.h reads them. */
static bool known_level(void)
{
    const char *level = getenv("GPUDBG_SIMD");
    return !level || !*level || (strchr("134", *level) && !level[1]) ||
           options_wrong("no vector level; GPUDBG_SIMD takes 1 (any machine), 3 (AVX2) or 4 (AVX-512)", level);
}

/* ---- The session ---- */

static void list_format(struct gpudbg_out *out, const char *name, const char *summary)
{
    gpudbg_out_print(out, "%-16s %s\n", name, summary ? summary : "");
    gpudbg_out_begin(out, "format");
    gpudbg_out_string(out, "name", name);
    if (summary) gpudbg_out_string(out, "summary", summary);
    gpudbg_out_end(out);
}

static int list_formats(struct gpudbg *g, struct gpudbg_out *out)
{
    const struct gpudbg_loader *l;
    const struct gpudbg_reader *r;
    for (size_t i = 0; (l = registry_loader(g->registry, i)); i++) list_format(out, l->name, l->summary);
    for (size_t i = 0; (r = registry_reader(g->registry, i)); i++) list_format(out, r->name, r->summary);
    list_format(out, "raw", "bare code, with --isa");
    return EXIT_OK;
}

static bool is_format(struct gpudbg *g, const char *name)
{
    const struct gpudbg_loader *l;
    for (size_t i = 0; (l = registry_loader(g->registry, i)); i++)
        if (strcmp(l->name, name) == 0) return true;
    const struct gpudbg_reader *r;
    for (size_t i = 0; (r = registry_reader(g->registry, i)); i++)
        if (strcmp(r->name, name) == 0) return true;
    return strcmp(name, "raw") == 0;
}

/* Keys come from the terminal then. */
static const char *keep_standard_input(struct gpudbg *g, bool keys, struct gpudbg_error *err)
{
    const int pipe = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    if (!keys || freopen("/dev/tty", "r", stdin)) return session_input_from(g, pipe, err);
    close(pipe);
    return gpudbg_fail(err, "io", "no terminal to read keys from"), NULL;
}

/* Why the session could not be set up, of what; name NULL: it was said. */
struct failure {
    struct gpudbg_error err;
    const char *name;
};

static int failed(struct failure *f, const struct gpudbg_error *err, const char *name, int status)
{
    *f = (struct failure){*err, name};
    return status;
}

static void failure_say(struct gpudbg *g, struct failure *f, struct gpudbg_out *out)
{
    if (f->name) session_failed(g, &f->err, f->name, 0, out);
}

/* EXIT_OK: go on. */
/* What was forced upon the file: in batch mode results stay apart from it. */
static void warn_of_file(const struct gpudbg *g, const struct options *o, struct gpudbg_out *out)
{
    const char *warning = g->loaded.image ? image_warning(g->loaded.image) : NULL;
    if (warning && o->batch)
        shown_print(stderr, "gpudbg: %s: warning: %s\n", g->loaded.image->path, warning);
    else if (warning)
        gpudbg_out_print(out, "%s: warning: %s\n", g->loaded.image->path, warning);
}

static bool is_raw(const struct options *o) { return o->raw || (o->format && strcmp(o->format, "raw") == 0); }

static struct load_options load_options_of(const struct gpudbg *g, const struct options *o)
{
    return (struct load_options){
        .isa = g->loaded.isa, .format = is_raw(o) ? NULL : o->format, .raw = is_raw(o), .base = o->base};
}

static int set_up(struct gpudbg *g, const struct options *o, struct gpudbg_out *out, struct failure *failure)
{
    struct gpudbg_error err = {.offset = -1};
    if (!screen_commands(g, &err)) return failed(failure, &err, "screen", EXIT_USAGE);
    g->front.input = o->input;
    for (size_t i = 0; i < o->nplugins; i++) {
        err = (struct gpudbg_error){.offset = -1};
        if (!plugin_load(g, o->plugins[i], &err)) return failed(failure, &err, o->plugins[i], EXIT_NO_FILE);
    }
    err = (struct gpudbg_error){.offset = -1};
    if (o->isa && !(g->loaded.isa = session_isa_asked(g, o->isa, &err)))
        return failed(failure, &err, "--isa", EXIT_USAGE);
    if (o->format && !is_format(g, o->format)) {
        options_wrong("no such format (--format list names them)", o->format);
        return EXIT_USAGE;
    }
    if (is_raw(o) && !g->loaded.isa && o->nfiles) {
        options_wrong("--raw needs --isa ISA", o->files[0]);
        return EXIT_USAGE;
    }
    struct load_options load = load_options_of(g, o);
    /* Beside code, the format is that of the dumps. */
    const bool beside = o->format && o->nfiles > 1 && session_is_dump_format(g, o->format) &&
                        (o->raw || session_is_code(g, o->files[0]));
    if (beside) load.format = NULL;
    for (int i = 0; i < o->nfiles && !options_many(o); i++) {
        err = (struct gpudbg_error){.offset = -1};
        const char *name = strcmp(o->files[i], "-") == 0 ? keep_standard_input(g, !o->batch, &err)
                                                         : session_input(g, o->files[i], &err);
        if (!name)
            return failed(failure, &err, strcmp(o->files[i], "-") == 0 ? "standard input" : o->files[i], EXIT_NO_FILE);
        if (i == 0 && session_file_is(name)) {
            if (session_read(g, name, out, &err)) continue;
            return failed(failure, &err, o->files[i], EXIT_NO_FILE);
        }
        if (!(i == 0     ? session_open_file(g, name, &load, &err)
                : beside ? session_add_dump(g, name, o->format, o->raw ? 0 : o->base, &err)
                         : session_open_beside(g, name, &load, &err)))
            return failed(failure, &err, o->files[i], EXIT_NO_FILE);
    }
    if (o->has_demo && !demo_open(g, o->demo, out, &err))
        return failed(failure, &err, o->demo ? o->demo : "demo", EXIT_NO_FILE);
    warn_of_file(g, o, out);
    return EXIT_OK;
}

/* A line on the way to the session, or to the grid that shows it. */
static bool run_line(
    struct gpudbg *g, struct screen *screen, const char *text, const char *name, long line, struct gpudbg_out *out)
{
    struct gpudbg_error err = {.offset = -1};
    if (!screen) return session_line(g, text, name, line, out);
    const struct line_begun told = conversation_begin(g, text, out);
    bool ok = screen_execute(screen, text, out, &err);
    if (!ok) session_failed(g, &err, name, line, out);
    conversation_end(g, &told, out);
    return (ok || !g->settings.stop_on_error) && commands_go_on(g, out);
}

/* A -e may hold several lines. */
static bool run_command(struct gpudbg *g, struct screen *screen, const char *text, struct gpudbg_out *out)
{
    bool more = true;
    while (more && *text) {
        size_t n = strcspn(text, "\n");
        char *line = xstrndup(text, n);
        more = run_line(g, screen, line, "-e", 0, out);
        free(line);
        text += n + (text[n] == '\n');
    }
    return more;
}

static bool run_script(struct gpudbg *g, struct screen *screen, const char *path, struct gpudbg_out *out)
{
    bool standard = strcmp(path, "-") == 0, more = true;
    struct gpudbg_error err = {.offset = -1};
    FILE *f = standard ? stdin : stream_chosen(path, &g->ticker, &err);
    if (!f) {
        session_failed(g, &err, path, 0, out);
        return !g->settings.stop_on_error;
    }
    if (screen) {
        char *text = NULL;
        size_t room = 0;
        ssize_t n = 0;
        for (long line = 1; more; line++) {
            errno = 0;
            n = line_of(f, &text, &room, limit_most(g->settings.line_limit), &err);
            if (n < 0) break;
            more = run_line(g, screen, text, path, line, out);
        }
        if (n == -2 || (n < 0 && !stream_ended(f, &err))) {
            session_failed(g, &err, path, 0, out);
            more &= !g->settings.stop_on_error;
        }
        more &= session_finish(g, path, out);
        free(text);
    } else {
        more = session_script(g, f, standard ? "standard input" : path, out);
    }
    if (!standard) fclose(f);
    return more;
}

/* --signatures: a line for each file, whatever happens to the others. */
static int run_signatures(struct gpudbg *g, const struct options *o, struct gpudbg_out *out)
{
    int status = EXIT_OK;
    const struct load_options load = {.isa = g->loaded.isa, .format = o->format, .base = o->base};
    for (int i = 0; i < o->nfiles && !out_broken(out); i++) {
        struct gpudbg_error err = {.offset = -1};
        const char *name = session_input(g, o->files[i], &err);
        if (name && session_open_file(g, name, &load, &err) && g->loaded.ndumps) {
            char line[64];
            snprintf(line, sizeof line, "explain /signature %zu", g->loaded.ndumps - 1);
            session_line(g, line, "--signatures", 0, out);
            continue;
        }
        if (!err.kind) gpudbg_fail(&err, "not-recognised", "this is not a dump");
        session_failed(g, &err, o->files[i], 0, out);
        status = EXIT_NO_FILE;
    }
    return status;
}

static int run_batch(struct gpudbg *g, const struct options *o, struct gpudbg_out *out)
{
    struct screen_options so = {
        .panes = &pane_kinds, .columns = o->columns, .rows = o->rows, .color = o->color, .json = o->json};
    struct gpudbg_error err = {.offset = -1};
    struct screen *screen = o->screen ? screen_open(g, &so, &err) : NULL;
    if (o->screen && !screen) {
        session_failed(g, &err, "--screen", 0, out);
        return EXIT_FAILED;
    }
    if (!screen) script_interrupts(g);
    if (!screen) script_pictures(g, o->color);
    bool more = !screen || !dump_waves_fit(g->loaded.dumps, g->loaded.ndumps) ||
                run_line(g, screen, "restore", "restore", 0, out);
    for (size_t i = 0; more && i < o->njobs; i++)
        more = o->jobs[i].script ? run_script(g, screen, o->jobs[i].text, out)
                                 : run_command(g, screen, o->jobs[i].text, out);
    session_finish(g, "-e", out);
    session_warn(g);
    screen_close(screen);
    if (g->comparison) return g->comparison;
    return g->errors || g->running.faulted ? EXIT_FAILED : EXIT_OK;
}

static bool mine(const struct stat *st) { return st->st_uid == geteuid() || st->st_uid == 0; }

/* Whether only the user, or root, can have put a file where it is.  In a folder that everybody may write to, but where
 * only owners may rename (/tmp), nobody else can replace the folder that is looked at first. */
static bool folder_is_own(const char *path, unsigned above)
{
    char folder[4096];
    struct stat st;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash || slash == folder) return true;
    *slash = 0;
    const bool own = stat(folder, &st) == 0 && mine(&st) &&
                     (!(st.st_mode & S_IWOTH) || (above && st.st_mode & S_ISVTX));
    return own && (above || folder_is_own(folder, above + 1));
}

/* $XDG_CONFIG_HOME/gpudbg/gpudbgrc: never from the current folder, and only one that nobody else can have written, in a
 * folder of which the same holds. */
static bool rc_file(struct gpudbg *g, char *buf, size_t size)
{
    struct stat st;
    if (!session_own(g, "gpudbgrc", buf, size) || stat(buf, &st) != 0) return false;
    const char *why = !S_ISREG(st.st_mode)                 ? "it is not a regular file"
                      : !mine(&st) || st.st_mode & S_IWOTH ? "others own it or may write to it"
                      : !folder_is_own(buf, 0)             ? "others own its folder or may write to it"
                                                           : NULL;
    if (why) shown_print(stderr, "gpudbg: %s: not read: %s\n", buf, why);
    return !why;
}

/* greeting: what opening the files has printed; screen: opened meanwhile, or NULL. */
static int run_interactive(struct gpudbg *g, const struct options *o, const char *greeting, struct screen *screen)
{
    char rc[4096];
    struct screen_job *jobs = xcalloc(o->njobs + 2, sizeof *jobs);
    size_t n = 0;
    if (dump_waves_fit(g->loaded.dumps, g->loaded.ndumps)) jobs[n++] = (struct screen_job){false, "restore"};
    if (!o->no_rc && rc_file(g, rc, sizeof rc)) jobs[n++] = (struct screen_job){true, rc};
    for (size_t i = 0; i < o->njobs; i++) jobs[n++] = o->jobs[i];
    const struct screen_options so = {.panes = &pane_kinds,
        .color = o->color,
        .json = o->json,
        .jobs = jobs,
        .njobs = n,
        .greeting = greeting,
        .report = print_error,
        .screen = screen};
    const int status = screen_run(g, &so);
    free(jobs);
    return status;
}

/* ---- Numbers of many files ---- */

/* The old file is loaded, the pane compare has the new one beside it. */
static bool show_pair(struct gpudbg *g, const struct options *o, const struct batch_pair *pair, struct gpudbg_out *out)
{
    struct gpudbg_error err = {.offset = -1};
    const struct load_options load = load_options_of(g, o);
    if (!session_open_file(g, pair->file[0], &load, &err)) {
        session_failed(g, &err, pair->file[0], 0, out);
        return false;
    }
    char *line = pair_command(pair);
    struct screen_job job = {.script = false, .text = line};
    struct options shown = *o;
    shown.jobs = &job;
    shown.njobs = 1;
    run_interactive(g, &shown, NULL, NULL);
    free(line);
    return true;
}

static int run_stats(struct gpudbg *g, const struct options *o, struct gpudbg_out *out)
{
    const struct load_options load = load_options_of(g, o);
    struct batch_pairs pairs = {.n = 0};
    script_interrupts(g);
    if (!o->stats_diff) return batch_stats(g, o->files, (size_t)o->nfiles, &load, out);
    int status = batch_diff(g, o->files[0], o->files[1], &load, &pairs, out);
    if (o->asks && status == 1 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO)) {
        signal(SIGINT, SIG_DFL); /* it answers the question, too */
        g->front.input = false;
        const struct batch_pair *pair = pair_ask(&pairs);
        if (pair && !show_pair(g, o, pair, out)) status = 2;
    }
    batch_pairs_free(&pairs);
    return status;
}

/* What opening prints belongs on the screen, not below it; without success it is shown at once. */
static int open_interactive(struct gpudbg *g, const struct options *o, struct gpudbg_out *out)
{
    struct gpudbg_out *early = out_memory(o->json);
    const struct screen_options so = {.panes = &pane_kinds, .color = o->color};
    struct failure failure = {.name = NULL};
    struct opening opening;
    opening_begin(&opening, g, &so);
    int status = set_up(g, o, early, &failure);
    opening_end(&opening, g);
    if (status != EXIT_OK) opening_fail(&opening);
    if (g->quit) status = EXIT_OK; /* while a file was read */
    if (status != EXIT_OK) failure_say(g, &failure, early);
    char *greeting = out_taken(early, NULL);
    out_close(early);
    if (status == EXIT_OK)
        status = g->quit && !opening.screen ? EXIT_OK : run_interactive(g, o, greeting, opening.screen);
    else if (greeting)
        out_write(out, greeting, strlen(greeting));
    free(greeting);
    return status;
}

/* ---- The debug adapter ---- */

/* A session of its own for each conversation. */
static struct gpudbg *open_for_editor(void *data, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const struct options *o = data;
    struct gpudbg *g = session_open(command_families, builtin_plugins, err);
    if (g) g->settings.no_shell = true; /* lines of a socket run no programs */
    struct failure failure = {.name = NULL};
    const bool good = !g || set_up(g, o, out, &failure) == EXIT_OK;
    if (!good) failure_say(g, &failure, out);
    if (g) g->settings.no_plugins = true; /* and load no code, but what the command line and the gpudbgrc named */
    if (good) return g;
    session_close(g);
    char *said = out_taken(out, NULL);
    said[strcspn(said, "\n")] = 0;
    if (o->nfiles == 1) snprintf(err->file, sizeof err->file, "%.255s", o->files[0]);
    gpudbg_fail(err, "usage", "%.400s", *said ? said : "the command line is wrong: standard error says how");
    free(said);
    return NULL;
}

static int run_editor(struct options *o)
{
    const struct dap_sessions sessions = {open_for_editor, o};
    return o->dap_port < 0 ? dap_standard(&sessions) : dap_listen(&sessions, (unsigned)o->dap_port);
}

/* Of records that jansson has no memory for it would leave out members. */
static void *json_memory(size_t n)
{
    void *p = malloc(n);
    if (!p) xalloc_end();
    return p;
}

static int run(int argc, char **argv)
{
    struct options o = {0};
    struct gpudbg_error err = {.offset = -1};
    struct failure failure = {.name = NULL};
    signal(SIGPIPE, SIG_IGN); /* writes fail instead, and the run ends quietly */
    signal(SIGXFSZ, SIG_IGN); /* ... or with EFBIG */
    bool parsed = options_read(&o, argc, argv) && known_level();
    if (parsed && (o.version || o.help)) {
        o.help ? options_help() : print_version();
        options_free(&o);
        return printed() ? EXIT_OK : EXIT_FAILED;
    }
    if (parsed && o.dap) {
        json_set_alloc_funcs(json_memory, free);
        const int status = run_editor(&o);
        options_free(&o);
        return status;
    }
    struct gpudbg *g = parsed ? session_open(command_families, builtin_plugins, &err) : NULL;
    if (!g) {
        if (parsed) print_error(NULL, &err);
        options_free(&o);
        return parsed ? EXIT_FAILED : EXIT_USAGE;
    }
    static char results[1 << 16]; /* so that what is said when memory has ended needs none */
    setvbuf(stdout, results, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof results);
    struct gpudbg_out *out = out_stream(stdout, o.json);
    out_tee(out, &g->log.tee);
    g->report = print_error;
    json_set_alloc_funcs(json_memory, free);
    int status;
    if (o.format && strcmp(o.format, "list") == 0)
        status = list_formats(g, out);
    else if (o.demo && strcmp(o.demo, "list") == 0)
        status = demo_list(g, out) ? EXIT_OK : EXIT_FAILED;
    else if (!o.batch)
        status = open_interactive(g, &o, out);
    else if ((status = set_up(g, &o, out, &failure)) == EXIT_OK)
        status = o.signatures              ? run_signatures(g, &o, out)
                 : o.stats || o.stats_diff ? run_stats(g, &o, out)
                                           : run_batch(g, &o, out);
    else
        failure_say(g, &failure, out);
    out_flush(out);
    if (out_errno(out) && out_errno(out) != EPIPE) { /* a reader that left is no error */
        fprintf(stderr, "gpudbg: standard output: %s\n", strerror(out_errno(out)));
        status = EXIT_FAILED;
    }
    out_close(out);
    session_close(g);
    options_free(&o);
    return status;
}

int main(int argc, char **argv) { return stack_call(run, argc, argv); }
