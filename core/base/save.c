/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * save.c: a new file is written beside the old one and takes its place once all of it is on the disk.  The new one has
 * no name while it is filled (O_TMPFILE), so nothing is left of it whatever ends the program; where the file system
 * cannot do that, it is called NAME.PID.part, and a signal that would end the program waits until that is removed.
 */
#include "base/save.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "gpudbg/text.h"

#define PIECE ((size_t)1 << 20) /* bytes between two looks at the signals that wait */
#define LINKS_MOST 40           /* as Linux counts them */
#define WAIT 50                 /* milliseconds between two looks at the ticker */

/* ---- Signals ---- */

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU};

static void signals_wait(sigset_t *before)
{
    sigset_t wait;
    sigemptyset(&wait);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) sigaddset(&wait, ending[i]);
    sigprocmask(SIG_BLOCK, &wait, before);
}

static bool signal_waits(const sigset_t *before)
{
    sigset_t come;
    sigpending(&come);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigismember(&come, ending[i]) && !sigismember(before, ending[i])) return true;
    return false;
}

/* ---- Filling: on failure errno says why; ECANCELED when the user had enough ---- */

/* before: the signals that were blocked before those that end the program had to wait. */
static bool write_all(int file, const uint8_t *bytes, size_t size, const sigset_t *before)
{
    while (size) {
        const ssize_t n = write(file, bytes, size < PIECE ? size : PIECE);
        if (signal_waits(before)) {
            errno = ECANCELED;
            return false;
        }
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* Pipes and some file systems cannot. */
static bool synced(int file) { return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS; }

/* Waits until the file takes bytes (-1: a moment).  poll returns at once for files that never make anybody wait. */
static bool wait_for(int file, const struct ticker *ticker)
{
    struct pollfd wait = {.fd = file, .events = POLLOUT};
    for (uint64_t waited = 0; ticker_goes_on(ticker, waited, 0); waited++)
        if (poll(&wait, 1, WAIT) > 0 || file < 0) return true;
    errno = ECANCELED;
    return false;
}

/* O_NONBLOCK: a named pipe cannot be opened before somebody reads it. */
static int open_straight(const char *path, const struct ticker *ticker)
{
    struct stat st;
    for (;;) {
        const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
        if (file >= 0 || errno != ENXIO || stat(path, &st) != 0 || !S_ISFIFO(st.st_mode)) return file;
        if (!wait_for(-1, ticker)) return -1;
    }
}

static bool write_waiting(int file, const uint8_t *bytes, size_t size, const struct ticker *ticker)
{
    while (size) {
        if (!wait_for(file, ticker)) return false;
        const ssize_t n = write(file, bytes, size < PIECE ? size : PIECE);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n <= 0) return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static bool write_straight(const char *path, const void *bytes, size_t size, const struct ticker *ticker)
{
    const int file = open_straight(path, ticker);
    if (file < 0) return false;
    fflush(stdout); /* which may be the same pipe */
    const bool written = write_waiting(file, bytes, size, ticker) && synced(file);
    const int why = errno;
    const bool closed = close(file) == 0;
    if (!written) errno = why;
    return written && closed;
}

/* ---- Beside ---- */

/* Where the file is and will be. */
struct target {
    char path[PATH_MAX], folder[PATH_MAX]; /* path: behind all symbolic links */
    char part[PATH_MAX];                   /* the name of the new one until it takes its place */
};

/* Follows links, also one to a file that is not there yet. */
static bool resolve(const char *path, char *real)
{
    char link[PATH_MAX];
    struct stat st;
    snprintf(real, PATH_MAX, "%s", path);
    for (int i = 0; i < LINKS_MOST; i++) {
        if (strlen(real) >= PATH_MAX - 1) break;
        if (lstat(real, &st) != 0) return errno == ENOENT;
        if (!S_ISLNK(st.st_mode)) return true;
        const ssize_t n = readlink(real, link, sizeof link - 1);
        if (n < 0) return false;
        link[n] = 0;
        const char *slash = strrchr(real, '/');
        struct text t = {real, PATH_MAX, *link != '/' && slash ? (size_t)(slash + 1 - real) : 0};
        text_add(&t, "%s", link);
        if (text_is_cut(&t)) break;
    }
    errno = strlen(real) >= PATH_MAX - 1 ? ENAMETOOLONG : ELOOP;
    return false;
}

static bool name_beside(struct target *t)
{
    const char *slash = strrchr(t->path, '/'), *name = slash ? slash + 1 : t->path;
    const size_t n = (size_t)(name - t->path);
    struct text folder = text_in(t->folder, sizeof t->folder), part = text_in(t->part, sizeof t->part);
    text_add(&folder, "%.*s", (int)(n ? n : 1), n ? t->path : ".");
    text_add(&part, "%.*s%.200s.%ld.part", (int)n, t->path, name, (long)getpid()); /* names have 255 bytes */
    return !text_is_cut(&folder) && !text_is_cut(&part);
}

/* A new file in the folder, without a name if there is such a thing; -1: errno says why. */
static int open_beside(const struct target *t, bool *named)
{
    int file = open(t->folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    *named = file < 0;
    if (file < 0) file = open(t->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file;
}

/* Gives a file without a name its place: by a name, because linkat replaces nothing. */
static bool put_in_place(const struct target *t, int file, bool *named)
{
    char open_file[64];
    snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", file);
    if (!*named && linkat(AT_FDCWD, open_file, AT_FDCWD, t->part, AT_SYMLINK_FOLLOW) != 0) return false;
    *named = true;
    if (rename(t->part, t->path) != 0) return false;
    *named = false;
    return true;
}

/* The new name is on the disk, too; what cannot be had of a file system is not missed. */
static void folder_sync(const struct target *t)
{
    const int folder = open(t->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    fsync(folder);
    close(folder);
}

/* old: the file that is there, or NULL. */
static bool write_beside(
    struct target *t, const struct stat *old, const void *bytes, size_t size, const struct ticker *ticker)
{
    sigset_t before;
    bool named;
    if (!name_beside(t)) {
        errno = ENAMETOOLONG;
        return false;
    }
    signals_wait(&before);
    const int file = open_beside(t, &named);
    if (file < 0) { /* the folder takes no new file */
        sigprocmask(SIG_SETMASK, &before, NULL);
        return write_straight(t->path, bytes, size, ticker);
    }
    if (old && (fchown(file, old->st_uid, old->st_gid) != 0 || fchmod(file, old->st_mode & 07777) != 0)) {
        /* another's file, or a file system without modes */
    }
    const bool done = write_all(file, bytes, size, &before) && synced(file) && put_in_place(t, file, &named);
    const int why = errno;
    if (named) unlink(t->part);
    close(file);
    if (done) folder_sync(t);
    sigprocmask(SIG_SETMASK, &before, NULL); /* a signal that waited may end the program here */
    errno = why;
    return done;
}

bool save_bytes(const char *path, const void *bytes, size_t size, const struct ticker *ticker, struct gpudbg_error *err)
{
    struct target t;
    struct stat old;
    const bool there = stat(path, &old) == 0, known = there || errno == ENOENT || errno == ELOOP; /* ELOOP: resolve */
    const bool straight = there && (!S_ISREG(old.st_mode) || access(path, W_OK) != 0);
    if (!known) return gpudbg_fail(err, "io", "%s: %s", path, strerror(errno));
    if (straight ? write_straight(path, bytes, size, ticker)
                 : resolve(path, t.path) && write_beside(&t, there ? &old : NULL, bytes, size, ticker))
        return true;
    if (errno == ECANCELED) return gpudbg_fail(err, "interrupt", "%s: interrupted", path);
    return gpudbg_fail(err, "io", "%s: %s", path, strerror(errno));
}

bool gpudbg_save(const char *path, const void *bytes, size_t size, struct gpudbg_error *err)
{
    return save_bytes(path, bytes, size, NULL, err);
}
