/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.c: see parts.h.  Workers take the next part from a number in a page that all share, and answer by sockets. */
#include "base/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/alloc.h"

#define WORKERS_MOST 256
#define ASK_EVERY 64 /* questions whether to go on between looks whether the parent lives */
#define WAIT_MS 20   /* between questions whether to go on */

/* In the page that is shared. */
struct counters {
    _Atomic size_t next;   /* the first part that no worker has taken */
    _Atomic uint64_t done; /* by all workers */
};

struct parts_worker {
    struct counters *shared;
    pid_t parent;
    int fd;
    unsigned asked; /* whether to go on */
    uint8_t *bytes; /* the answer: a struct head, and what the part said */
    size_t size, room;
};

struct head {
    size_t part, size;
};

/* What came from a worker, and is not whole yet. */
struct line {
    pid_t pid;
    int fd; /* -1: it has ended */
    uint8_t *bytes;
    size_t size, room;
};

struct answer {
    uint8_t *bytes; /* NULL: not there yet */
    size_t size;
};

struct parts_crew {
    const struct parts_work *parts;
    struct counters *shared;
    struct line line[WORKERS_MOST];
    size_t n;
    struct answer *answer; /* one a part */
    size_t taken;          /* parts whose answers were taken */
    bool enough, failed;
};

/* ---- In a worker ---- */

static void leave(void) { _exit(1); }

/* Signals and files of the terminal are the parent's: none of its handlers runs here.  SIGBUS stays guarded: files may
 * shrink. */
static void be_alone(void)
{
    static const int ignored[] = {SIGINT, SIGQUIT, SIGPIPE};
    struct sigaction was;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
    for (int n = 1; n <= SIGRTMAX; n++)
        if (n != SIGBUS && sigaction(n, NULL, &was) == 0 && was.sa_handler != SIG_IGN) signal(n, SIG_DFL);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; nothing >= 0 && fd < 3; fd++) dup2(nothing, fd);
    xalloc_at_end(leave);
}

static bool send_all(int fd, const void *data, size_t size)
{
    for (const uint8_t *bytes = data; size;) {
        const ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

void parts_answer(struct parts_worker *w, const void *bytes, size_t size)
{
    while (w->room - w->size < size) w->bytes = xgrow(w->bytes, w->room, &w->room, 1);
    if (size) memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

bool parts_goes_on(struct parts_worker *w, uint64_t more)
{
    if (more) atomic_fetch_add(&w->shared->done, more);
    return ++w->asked % ASK_EVERY || getppid() == w->parent;
}

/* false: the other side has ended. */
static bool receive_all(int fd, void *to, size_t size)
{
    for (uint8_t *bytes = to; size;) {
        const ssize_t n = recv(fd, bytes, size, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

bool parts_obey(struct parts_worker *w, void *order, size_t size) { return receive_all(w->fd, order, size); }

bool parts_report(struct parts_worker *w, const void *bytes, size_t size) { return send_all(w->fd, bytes, size); }

__attribute__((noreturn)) static void work(const struct parts_crew *c, pid_t parent, int fd, const sigset_t *signals)
{
    struct parts_worker w = {.shared = c->shared, .parent = parent, .fd = fd};
    be_alone();
    pthread_sigmask(SIG_SETMASK, signals, NULL);
    if (c->parts->lead) _exit(!c->parts->work(c->parts->data, c->n, &w));
    const bool one = c->parts->meanwhile;
    for (size_t part, done = 0; !(one && done) && (part = atomic_fetch_add(&c->shared->next, 1)) < c->parts->n;
         done++) {
        struct head head = {.part = part};
        w.size = 0;
        parts_answer(&w, &head, sizeof head);
        if (!c->parts->work(c->parts->data, part, &w)) _exit(1);
        head.size = w.size - sizeof head;
        memcpy(w.bytes, &head, sizeof head);
        if (!send_all(fd, w.bytes, w.size)) _exit(1);
    }
    _exit(0);
}

/* ---- Here ---- */

/* Signals wait meanwhile: a handler of the parent's must not run in the worker. */
static bool start(struct parts_crew *c)
{
    const pid_t parent = getpid();
    sigset_t all, signals;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &signals);
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        work(c, parent, ends[1], &signals);
    }
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    close(ends[1]);
    if (pid < 0)
        close(ends[0]);
    else
        c->line[c->n++] = (struct line){.pid = pid, .fd = ends[0]};
    return pid >= 0;
}

/* *number: the signal that ended it; else as it was. */
static bool succeeded(pid_t pid, int *number)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) *number = WTERMSIG(status);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The worker has ended, or is to. */
static void hang_up(struct parts_crew *c, struct line *line, bool now)
{
    if (line->fd < 0) return;
    close(line->fd);
    line->fd = -1;
    free(line->bytes);
    if (now) kill(line->pid, SIGKILL);
    int number = 0;
    if (succeeded(line->pid, &number) || now) return;
    c->failed = true;
    if (c->parts->killed) *c->parts->killed = number;
}

/* Takes the answers whose turn it is. */
static void take(struct parts_crew *c)
{
    const struct parts_work *p = c->parts;
    while (!c->enough && c->taken < p->n && c->answer[c->taken].bytes) {
        const struct answer *a = &c->answer[c->taken];
        if (!p->take(p->data, c->taken++, a->bytes + sizeof(struct head), a->size)) c->enough = true;
    }
}

/* Keeps the whole answers at the start of what came. */
static void keep(struct parts_crew *c, struct line *line)
{
    struct head head;
    size_t at = 0;
    for (; line->size - at >= sizeof head; at += sizeof head + head.size) {
        memcpy(&head, line->bytes + at, sizeof head);
        if (line->size - at - sizeof head < head.size) break;
        struct answer *a = &c->answer[head.part];
        const size_t whole = sizeof head + head.size;
        *a = (struct answer){malloc(whole), head.size};
        if (!a->bytes) {
            c->failed = true;
            return;
        }
        memcpy(a->bytes, line->bytes + at, whole);
    }
    line->size -= at;
    if (at) memmove(line->bytes, line->bytes + at, line->size);
}

static void hear(struct parts_crew *c, struct line *line)
{
    uint8_t bytes[16384];
    const ssize_t n = read(line->fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) {
        hang_up(c, line, false);
        return;
    }
    if (line->room - line->size < (size_t)n) {
        const size_t room = 2 * line->room + (size_t)n;
        uint8_t *grown = realloc(line->bytes, room);
        if (!grown) {
            c->failed = true;
            return;
        }
        line->bytes = grown;
        line->room = room;
    }
    memcpy(line->bytes + line->size, bytes, (size_t)n);
    line->size += (size_t)n;
    keep(c, line);
}

/* Waits up to WAIT_MS for answers.  false: every worker has ended. */
static bool listen_to(struct parts_crew *c)
{
    struct pollfd fd[WORKERS_MOST];
    size_t busy = 0;
    for (size_t i = 0; i < c->n; i++) {
        fd[i] = (struct pollfd){.fd = c->line[i].fd, .events = POLLIN};
        busy += c->line[i].fd >= 0;
    }
    if (busy && poll(fd, (nfds_t)c->n, WAIT_MS) > 0)
        for (size_t i = 0; i < c->n; i++)
            if (fd[i].fd >= 0 && fd[i].revents) hear(c, &c->line[i]);
    return busy;
}

static enum parts_end wait_for(struct parts_crew *c)
{
    const struct parts_work *p = c->parts;
    if (c->n < (p->meanwhile || p->lead ? p->n : 1)) return PARTS_FAILED;
    if (p->lead) return p->lead(p->data, c);
    if (p->meanwhile && !p->meanwhile(p->data)) return PARTS_INTERRUPTED;
    while (c->taken < p->n && !c->enough) {
        if (!ticker_goes_on(p->ticker, atomic_load(&c->shared->done), p->todo)) return PARTS_INTERRUPTED;
        const bool any = listen_to(c);
        take(c);
        if (c->failed || (!any && c->taken < p->n && !c->enough)) return PARTS_FAILED;
    }
    return PARTS_DONE;
}

bool parts_order(struct parts_crew *c, size_t worker, const void *order, size_t size)
{
    return send_all(c->line[worker].fd, order, size);
}

enum parts_end parts_hear(struct parts_crew *c, size_t worker, void *report, size_t size)
{
    struct pollfd fd = {.fd = c->line[worker].fd, .events = POLLIN};
    while (poll(&fd, 1, WAIT_MS) <= 0)
        if (!ticker_goes_on(c->parts->ticker, atomic_load(&c->shared->done), c->parts->todo)) return PARTS_INTERRUPTED;
    return receive_all(fd.fd, report, size) ? PARTS_DONE : PARTS_FAILED;
}

enum parts_end parts_do(const struct parts_work *p)
{
    struct parts_crew c = {.parts = p};
    const size_t most = p->workers < WORKERS_MOST ? p->workers : WORKERS_MOST;
    c.shared = mmap(NULL, sizeof *c.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c.shared == MAP_FAILED) return PARTS_FAILED;
    c.answer = xcalloc(p->n, sizeof *c.answer);
    while (c.n < most && c.n < p->n && start(&c)) {
    }
    const enum parts_end end = wait_for(&c);
    for (size_t i = 0; i < c.n; i++) hang_up(&c, &c.line[i], true);
    for (size_t i = 0; i < p->n; i++) free(c.answer[i].bytes);
    free(c.answer);
    munmap(c.shared, sizeof *c.shared);
    return end;
}

unsigned parts_processors(void)
{
    cpu_set_t set;
    const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n > 1 ? (unsigned)n : 1;
}
