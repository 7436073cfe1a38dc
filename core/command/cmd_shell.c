/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell and pipe: programs of the user's; cd and pwd. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "eval/value.h"
#include "gpudbg/text.h"
#include "out/say.h"
#include "session/command.h"
#include "session/child.h"
#include "session/script.h"
#include "session/session.h"

/* ---- Around a program ---- */

static bool may_run(const struct gpudbg *g, const char *what, struct gpudbg_error *err)
{
    return !g->settings.no_shell ||
           gpudbg_fail(err, "not-now",
               "%s: `set shell off`, or an editor's session, forbids programs for the rest of this run", what);
}

/* The screen leaves the terminal to the program, and comes back. */
static void front_away(struct gpudbg *g, bool away)
{
    if (g->front.away) g->front.away(g->front.data, away);
}

static void set_number(struct gpudbg *g, const char *name, int number)
{
    const struct value v = value_signed(number);
    struct gpudbg_error ignored = {0};
    value_set_variable(&g->eval, name, &v, &ignored);
}

/* Waits, shows what was taken, and keeps how it went. */
static bool finish(struct gpudbg *g, struct program *p, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct program_end end;
    const bool ended = program_wait(g, p, &end, err);
    set_number(g, "_shell_exitcode", end.status);
    set_number(g, "_shell_exitsignal", end.signal);
    if (end.text && *end.text) RECORD(out, "text", NULL, STRING("text", end.text));
    free(end.text);
    if (ended && end.signal)
        gpudbg_out_print(out, "the program was ended by signal %d (%s)\n", end.signal, strsignal(end.signal));
    return ended;
}

/* ---- shell ---- */

static bool run_shell(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct program p;
    const char *command = gpudbg_args_rest(a);
    if (!may_run(g, "shell", err)) return false;
    if (!*command && !isatty(STDIN_FILENO)) return gpudbg_fail(err, "usage", "shell: a command is missing");
    out_flush(out);
    front_away(g, true);
    const bool done = program_start(&p, command, -1, gpudbg_out_json(out), err) && finish(g, &p, out, err);
    front_away(g, false);
    return done;
}

static const struct gpudbg_command shell = {
    .name = "shell",
    .aliases = "!",
    .usage = "[COMMAND]",
    .summary = "run a command of the shell",
    .help = "The shell ($SHELL, else /bin/sh) gets COMMAND as it is typed.  Without COMMAND a shell starts, at a\n"
            "terminal.  Afterwards $_shell_exitcode is the status, or $_shell_exitsignal the signal that ended it.\n"
            "With --json a record `text` holds what it printed.\n"
            "`set shell off` forbids `shell` and `pipe` for the rest of the run.  Keys, demos and sessions cannot\n"
            "use them.",
    .family = "Scripts",
    .run = run_shell,
    .complete = complete_file,
    .writes = true,
};

/* ---- pipe ---- */

/* The two sides of `COMMAND | PROGRAM`; -d DELIMITER before them replaces the bar.  command: malloc'ed. */
static bool sides(struct gpudbg_args *a, char **command, const char **program, struct gpudbg_error *err)
{
    const char *rest = gpudbg_args_rest(a), *delimiter = "|";
    if (strncmp(rest, "-d", 2) == 0 && (rest[2] == ' ' || rest[2] == '\t')) {
        gpudbg_args_word(a);
        if (!(delimiter = args_need(a, "the delimiter", err))) return false;
        rest = gpudbg_args_rest(a);
    }
    const char *bar = strstr(rest, delimiter);
    if (!bar) return gpudbg_fail(err, "usage", "pipe: no \"%.40s\" before a program: COMMAND | PROGRAM", delimiter);
    *program = bar + strlen(delimiter);
    *program += strspn(*program, " \t");
    if (rest + strspn(rest, " \t") == bar) return gpudbg_fail(err, "usage", "pipe: a command is missing");
    if (!**program) return gpudbg_fail(err, "usage", "pipe: a program is missing");
    *command = xstrndup(rest, (size_t)(bar - rest));
    return true;
}

/* What the command prints goes to the stream; a reader that leaves ends it quietly. */
static bool print_to(struct gpudbg *g, const char *command, FILE *to, bool json, struct gpudbg_error *err)
{
    struct gpudbg_out *out = out_stream(to, json);
    const bool block = block_open(g) != NULL;
    bool done = gpudbg_execute(g, command, out, err);
    if (done && !block && block_open(g)) {
        block_drop(g);
        done = gpudbg_fail(err, "usage", "pipe: %.60s takes lines, which a pipe does not give", command);
    }
    out_close(out);
    return done;
}

/* A file without a name, of what the command prints. */
static int printed_file(struct gpudbg *g, const char *command, bool json, struct gpudbg_error *err)
{
    FILE *f = tmpfile();
    if (!f) {
        gpudbg_fail(err, "io", "a temporary file: %s", strerror(errno));
        return -1;
    }
    const bool done = print_to(g, command, f, json, err);
    const int copy = done ? fcntl(fileno(f), F_DUPFD_CLOEXEC, 3) : -1;
    fclose(f);
    if (copy >= 0) lseek(copy, 0, SEEK_SET);
    return copy;
}

/* With --json the program's output is taken, so its input must be there before. */
static bool pipe_taken(
    struct gpudbg *g, const char *command, const char *program, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct program p;
    const int in = printed_file(g, command, true, err);
    if (in < 0) return false;
    const bool started = program_start(&p, program, in, true, err);
    close(in);
    return started && finish(g, &p, out, err);
}

/* Both run at the same time. */
static bool pipe_through(
    struct gpudbg *g, const char *command, const char *program, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct program p;
    struct gpudbg_error failed = {.offset = -1};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return gpudbg_fail(err, "io", "pipe: %s", strerror(errno));
    const bool started = program_start(&p, program, ends[0], false, err);
    close(ends[0]);
    FILE *to = started ? fdopen(ends[1], "w") : NULL;
    if (!to) close(ends[1]);
    if (!started) return false;
    const bool ran = to ? print_to(g, command, to, false, &failed) : gpudbg_fail(&failed, "memory", "no memory");
    if (to) fclose(to);
    if (!finish(g, &p, out, err)) return false;
    if (!ran) *err = failed;
    return ran;
}

static bool run_pipe(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    char *command = NULL;
    const char *program = NULL;
    if (!may_run(g, "pipe", err) || !sides(a, &command, &program, err)) return false;
    out_flush(out);
    front_away(g, true);
    const bool done = gpudbg_out_json(out) ? pipe_taken(g, command, program, out, err)
                                           : pipe_through(g, command, program, out, err);
    front_away(g, false);
    free(command);
    return done;
}

static const struct gpudbg_command pipe_command = {
    .name = "pipe",
    .aliases = "|",
    .usage = "[-d DELIMITER] COMMAND | PROGRAM",
    .summary = "give what a command prints to a program",
    .help = "    pipe info waves | grep barrier\n"
            "    | disassemble | less\n"
            "    pipe -d @@ print $v0 | 1 @@ cat        for a command that has a | itself\n"
            "The shell gets PROGRAM as it is typed.  With --json it reads records, and a record `text` holds what it\n"
            "printed.  See `help shell`.",
    .family = "Scripts",
    .effect = GPUDBG_CHANGES,
    .run = run_pipe,
    .complete = complete_command,
    .writes = true,
};

/* ---- cd, pwd ---- */

static bool say_folder(struct gpudbg_out *out, struct gpudbg_error *err)
{
    char *folder = getcwd(NULL, 0);
    if (!folder) return gpudbg_fail(err, "io", "the current folder: %s", strerror(errno));
    RECORD(out, "folder", "{path}\n", STRING("path", folder));
    free(folder);
    return true;
}

static bool run_cd(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *word = gpudbg_args_word(a), *home = getenv("HOME");
    char path[PATH_MAX];
    struct text t = text_in(path, sizeof path);
    (void)g;
    if (!args_end(a, err)) return false;
    const bool at_home = !word || (word[0] == '~' && (!word[1] || word[1] == '/'));
    if (at_home && !(home && *home)) return gpudbg_fail(err, "missing", "cd: HOME is not set");
    if (at_home)
        text_add(&t, "%s%s", home, word ? word + 1 : "");
    else
        text_add(&t, "%s", word);
    if (text_is_cut(&t)) return gpudbg_fail(err, "too-large", "cd: the path has more than %d bytes", PATH_MAX - 1);
    if (chdir(path) != 0) return gpudbg_fail(err, errno == ENOENT ? "missing" : "io", "%s: %s", path, strerror(errno));
    return say_folder(out, err);
}

static const struct gpudbg_command cd = {
    .name = "cd",
    .usage = "[FOLDER]",
    .summary = "go to another folder: names of files in commands count from there",
    .help = "Without FOLDER it is the home folder.  Files that are open stay open.",
    .family = "Scripts",
    .run = run_cd,
    .complete = complete_file,
    .writes = true,
};

static bool run_pwd(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)g;
    return args_end(a, err) && say_folder(out, err);
}

static const struct gpudbg_command pwd = {
    .name = "pwd",
    .usage = "",
    .summary = "show the current folder",
    .family = "Scripts",
    .run = run_pwd,
};

static const struct gpudbg_command *const commands[] = {&shell, &pipe_command, &cd, &pwd, NULL};
COMMAND_FAMILY(cmd_shell, "shell", .summary = "programs and folders", .commands = commands);
