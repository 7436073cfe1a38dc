/* SPDX-License-Identifier: GPL-3.0-or-later */
/* set logging: what is printed goes to a file, too. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

#define FILE_ALONE "gpudbg.txt"

static const char *log_path(const struct gpudbg *g) { return *g->log.path ? g->log.path : FILE_ALONE; }

static void log_close(struct gpudbg *g)
{
    if (g->log.tee.stream) fclose(g->log.tee.stream);
    g->log.tee = (struct out_tee){0};
}

static bool log_open(struct gpudbg *g, struct gpudbg_error *err)
{
    if (g->log.tee.stream)
        return gpudbg_fail(err, "not-now", "logging to %s is on already; `set logging off` ends it", log_path(g));
    FILE *f = fopen(log_path(g), g->log.overwrite ? "we" : "ae");
    if (!f && errno == EINTR) return gpudbg_fail(err, "interrupt", "%s: interrupted", log_path(g));
    if (!f) return gpudbg_fail(err, errno == ENOENT ? "missing" : "io", "%s: %s", log_path(g), strerror(errno));
    setvbuf(f, NULL, _IOLBF, 0);
    g->log.tee = (struct out_tee){.stream = f, .only = g->log.redirect};
    return true;
}

static bool on_or_off(const char *word, bool *on, struct gpudbg_error *err)
{
    *on = !word || strcmp(word, "on") == 0;
    return *on || strcmp(word, "off") == 0 || gpudbg_fail(err, "no-such-name", "\"%.40s\" is neither on nor off", word);
}

static bool set_path(struct gpudbg *g, const char *path, struct gpudbg_error *err)
{
    if (!path) return gpudbg_fail(err, "usage", "set logging file: a file is missing");
    if (strlen(path) >= sizeof g->log.path)
        return gpudbg_fail(
            err, "too-large", "the path has %zu bytes, at most %zu are possible", strlen(path), sizeof g->log.path - 1);
    if (g->log.tee.stream)
        return gpudbg_fail(err, "not-now", "logging to %s is on; `set logging off` ends it", log_path(g));
    snprintf(g->log.path, sizeof g->log.path, "%s", path);
    return true;
}

static bool run_set_logging(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *what = gpudbg_args_word(a), *value = what ? gpudbg_args_word(a) : NULL;
    bool on;
    (void)out;
    if (!args_end(a, err)) return false;
    if (what && strcmp(what, "file") == 0) return set_path(g, value, err);
    const bool redirect = what && strcmp(what, "redirect") == 0, overwrite = what && strcmp(what, "overwrite") == 0;
    if (redirect || overwrite) {
        if (!on_or_off(value, &on, err)) return false;
        *(redirect ? &g->log.redirect : &g->log.overwrite) = on;
        if (redirect) g->log.tee.only = on;
        return true;
    }
    if (what && strcmp(what, "enabled") == 0) what = value, value = NULL;
    if (value) return gpudbg_fail(err, "usage", "set logging %.40s: it has no value", what);
    if (what && strcmp(what, "on") != 0 && strcmp(what, "off") != 0)
        return gpudbg_fail(
            err, "no-such-name", "set logging \"%.40s\": on, off, file, redirect, overwrite or enabled", what);
    if (!on_or_off(what, &on, err)) return false;
    if (on) return log_open(g, err);
    log_close(g);
    return true;
}

static const struct gpudbg_command set_logging = {
    .name = "set logging",
    .usage = "[on|off] | file FILE | redirect on|off | overwrite on|off",
    .summary = "also write what is printed to a file",
    .help = "file FILE        the file; " FILE_ALONE " in the current folder if it is not set\n"
            "overwrite on     begin with an empty file; off: add to its end\n"
            "redirect on      text goes to the file alone; with --json it goes to both\n"
            "The file gets results and errors, with --json records.  What `shell` and `pipe` print is not in it.",
    .family = "Settings",
    .run = run_set_logging,
    .complete = complete_file,
    .writes = true,
};

static bool run_show_logging(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!args_end(a, err)) return false;
    RECORD(out, "logging", "logging is {state}; file {file}, redirect {redirect}, overwrite {overwrite}\n",
        STRING("state", g->log.tee.stream ? "on" : "off"), STRING("file", log_path(g)),
        STRING("redirect", g->log.redirect ? "on" : "off"), STRING("overwrite", g->log.overwrite ? "on" : "off"));
    return true;
}

static const struct gpudbg_command show_logging = {
    .name = "show logging",
    .usage = "",
    .summary = "show whether results are written to a file",
    .family = "Settings",
    .run = run_show_logging,
};

static const struct gpudbg_command *const commands[] = {&set_logging, &show_logging, NULL};
COMMAND_FAMILY(cmd_logging, "logging", .summary = "results in a file", .commands = commands);
