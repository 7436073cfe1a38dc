/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.c: a child process, and the wait for it; see child.h. */
#include "session/child.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/alloc.h"
#include "session/session.h"

#define TEXT_MOST ((size_t)1 << 20) /* bytes that are taken of what it prints */
#define PATIENCE 1000               /* ms between the signal that asks it to end and the one that ends it */

/* ---- Starting ---- */

/* gpudbg ignores some signals and blocks none for long: a child has them all as a shell would start it with. */
static void signals_as_new(posix_spawnattr_t *attributes)
{
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setsigmask(attributes, &none);
}

static const char *shell_path(void)
{
    const char *shell = getenv("SHELL");
    return shell && *shell == '/' && access(shell, X_OK) == 0 ? shell : "/bin/sh";
}

static int spawn(struct program *p, const char *command, int in, int out)
{
    extern char **environ;
    const char *shell = shell_path(), *slash = strrchr(shell, '/');
    char *const typed[] = {xstrdup(slash ? slash + 1 : shell), *command ? xstrdup("-c") : NULL, xstrdup(command), NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    signals_as_new(&attributes);
    posix_spawnattr_setflags(
        &attributes, (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (p->alone ? POSIX_SPAWN_SETPGROUP : 0)));
    if (in >= 0)
        posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    else if (p->alone)
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (out >= 0) posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    const int why = posix_spawn(&p->pid, shell, &files, &attributes, typed, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    for (size_t i = 0; i < 3; i++) free(typed[i]);
    return why;
}

bool program_start(struct program *p, const char *command, int in, bool take, struct gpudbg_error *err)
{
    int ends[2] = {-1, -1};
    *p = (struct program){.out = -1, .alone = !isatty(STDIN_FILENO)};
    if (take && pipe2(ends, O_CLOEXEC) != 0) return gpudbg_fail(err, "io", "pipe: %s", strerror(errno));
    const int why = spawn(p, command, in, ends[1]);
    if (take) close(ends[1]);
    p->out = ends[0];
    if (!why) return true;
    if (take) close(ends[0]);
    return gpudbg_fail(err, "io", "%s: %s", shell_path(), strerror(why));
}

/* ---- Waiting ---- */

struct taken {
    char *text;
    size_t size, room;
};

/* Reads what there is; false: it printed more than is taken. */
static bool take_some(struct program *p, struct taken *taken)
{
    if (taken->room - taken->size < 4096) {
        taken->room = 2 * taken->room + 8192;
        taken->text = xrealloc(taken->text, taken->room, 1);
    }
    const ssize_t n = read(p->out, taken->text + taken->size, taken->room - taken->size - 1);
    if (n < 0 && errno == EINTR) return true;
    if (n <= 0) {
        close(p->out);
        p->out = -1;
    }
    taken->size += n > 0 ? (size_t)n : 0;
    return taken->size <= TEXT_MOST;
}

/* Up to so many ms, or until it prints something. */
static bool pause_or_take(struct program *p, int ms, struct taken *taken)
{
    struct pollfd fd = {.fd = p->out, .events = POLLIN};
    return poll(&fd, p->out >= 0 ? 1 : 0, ms) <= 0 || take_some(p, taken);
}

static void end_it(const struct program *p, int number) { kill(p->alone ? -p->pid : p->pid, number); }

/* Its wait status; *enough: why it was ended before, or NULL. */
static int wait_for(struct gpudbg *g, struct program *p, struct taken *taken, const char **enough)
{
    int status = 0, waited = 0, ms = 1;
    for (;;) {
        const pid_t ended = p->out < 0 ? waitpid(p->pid, &status, WNOHANG) : 0;
        if (ended == p->pid || (ended < 0 && errno != EINTR)) return status;
        if (!*enough && !ticker_goes_on(&g->ticker, 0, 0)) *enough = "interrupt";
        if (!pause_or_take(p, ms, taken) && !*enough) *enough = "too-large";
        if (*enough && waited == 0) end_it(p, !strcmp(*enough, "interrupt") ? SIGINT : SIGTERM);
        if (*enough && waited >= PATIENCE) {
            end_it(p, SIGKILL);
            if (p->out >= 0) close(p->out);
            p->out = -1;
        }
        waited += *enough ? ms : 0;
        ms = ms < 50 ? 2 * ms : 50;
    }
}

bool program_wait(struct gpudbg *g, struct program *p, struct program_end *end, struct gpudbg_error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, was;
    struct taken taken = {0};
    const char *enough = NULL;
    const bool take = p->out >= 0;
    if (!p->alone) sigaction(SIGINT, &ignore, &was); /* at a terminal Ctrl-C is for the program */
    const int status = wait_for(g, p, &taken, &enough);
    if (!p->alone) sigaction(SIGINT, &was, NULL);
    if (take) taken.text = taken.text ? taken.text : xstrdup("");
    if (taken.room) taken.text[taken.size] = 0;
    *end = (struct program_end){.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
        .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
        .text = taken.text};
    if (!enough) return true;
    if (strcmp(enough, "interrupt") == 0) return gpudbg_fail(err, "interrupt", "interrupted");
    return gpudbg_fail(err, "too-large", "the program printed more than %zu bytes; it was ended", TEXT_MOST);
}
