/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open_file.c: see open_file.h. */
#include "base/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

#define PIECE 65536 /* bytes */
#define WAIT 50     /* ms between two questions to the ticker */

static const char *reason(int number) { return number == ENOENT ? "no such file" : strerror(number); }

static const char *kind_of(int number) { return number == ENOENT ? "missing" : "io"; }

/* ---- What a file names ---- */

int open_named(const char *path, uint64_t most, uint64_t *size, struct gpudbg_error *err)
{
    struct stat st = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) != 0)
        gpudbg_fail(err, kind_of(errno), "%s: %s", path, reason(errno));
    else if (!S_ISREG(st.st_mode))
        gpudbg_fail(err, "io", "%s: not a regular file", path);
    else if ((uint64_t)st.st_size > most)
        gpudbg_fail(err, "too-large", "%s: %jd bytes, at most %" PRIu64, path, (intmax_t)st.st_size, most);
    else {
        *size = (uint64_t)st.st_size;
        return fd;
    }
    if (fd >= 0) close(fd);
    return -1;
}

static FILE *stream_of(int fd, const char *path, struct gpudbg_error *err)
{
    FILE *f = fdopen(fd, "r");
    if (f) return f;
    gpudbg_fail(err, "io", "%s: %s", path, strerror(errno));
    close(fd);
    return NULL;
}

FILE *stream_named(const char *path, uint64_t most, struct gpudbg_error *err)
{
    uint64_t size;
    const int fd = open_named(path, most, &size, err);
    return fd < 0 ? NULL : stream_of(fd, path, err);
}

char *text_named(const char *path, uint64_t most, size_t *n, struct gpudbg_error *err)
{
    uint64_t size;
    const int fd = open_named(path, most, &size, err);
    if (fd < 0) return NULL;
    char *text = malloc((size_t)size + 1);
    ssize_t got = 1;
    int why = 0;
    for (*n = 0; text && *n < size && got; *n += got > 0 ? (size_t)got : 0) {
        got = read(fd, text + *n, (size_t)size - *n);
        why = got < 0 ? errno : 0;
        if (why && why != EINTR) break;
    }
    close(fd);
    if (!text) {
        alloc_failed(err, size, path);
    } else if (why && why != EINTR) {
        gpudbg_fail(err, "io", "%s: %s", path, strerror(why));
        free(text);
        text = NULL;
    } else {
        text[*n] = 0;
    }
    return text;
}

/* ---- What the user names ---- */

/* O_NONBLOCK: a named pipe is opened before somebody writes to it; read_chosen waits for that. */
int open_chosen(const char *path, struct gpudbg_error *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) gpudbg_fail(err, kind_of(errno), "%s", reason(errno));
    return fd;
}

ssize_t read_chosen(int fd, void *to, size_t n, const struct ticker *ticker)
{
    for (uint64_t waited = 0;; waited++) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (!ticker_goes_on(ticker, waited, 0)) {
            errno = ECANCELED;
            return -1;
        }
        const int ready = poll(&wait, 1, WAIT);
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        const ssize_t got = ready < 0 ? -1 : read(fd, to, n);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
    }
}

bool read_failed(int number, struct gpudbg_error *err)
{
    if (number == ECANCELED) return gpudbg_fail(err, "interrupt", "interrupted");
    return gpudbg_fail(err, "io", "%s", strerror(number));
}

int kept_copy(int fd, uint64_t most, const struct ticker *ticker, struct gpudbg_error *err)
{
    FILE *copy = tmpfile();
    const int kept = copy ? dup(fileno(copy)) : -1;
    bool good = kept >= 0 || read_failed(errno, err);
    char block[PIECE / 8]; /* on the stack */
    uint64_t size = 0;
    for (ssize_t n; good && (n = read_chosen(fd, block, sizeof block, ticker)) != 0; size += (uint64_t)n) {
        if (n > 0 && most && size >= most)
            good = limit_over(err, "what the pipe gives", most, "memory-limit");
        else if (n < 0 || write(kept, block, (size_t)n) != n)
            good = read_failed(errno, err);
        if (good) ticker_shows(ticker, kept, size + (uint64_t)n);
    }
    if (copy) fclose(copy);
    close(fd);
    if (good && lseek(kept, 0, SEEK_SET) == 0) return kept;
    if (kept >= 0) close(kept);
    return -1;
}

bool stream_ended(FILE *f, struct gpudbg_error *err)
{
    const int why = errno;
    if (feof(f)) return true;
    return gpudbg_fail(err, why == ENOMEM ? "memory" : "io", "%s", why ? strerror(why) : "cannot be read");
}

uint8_t *all_chosen(int fd, uint64_t most, size_t *n, const struct ticker *ticker, struct gpudbg_error *err)
{
    uint8_t *bytes = NULL;
    size_t room = 0;
    bool good = true;
    *n = 0;
    for (ssize_t got = 1; good && got > 0; *n += got > 0 ? (size_t)got : 0) {
        if (*n + 1 >= room) {
            room = room ? 2 * room : PIECE;
            uint8_t *grown = realloc(bytes, room);
            good = grown || alloc_failed(err, room, "what the pipe gives");
            if (!grown) break;
            bytes = grown;
        }
        got = read_chosen(fd, bytes + *n, room - *n - 1, ticker);
        if (got < 0) good = read_failed(errno, err);
        if (got > 0 && *n + (size_t)got > most)
            good = gpudbg_fail(err, "too-large", "more than %" PRIu64 " bytes", most);
    }
    if (good) {
        bytes[*n] = 0;
        uint8_t *fits = realloc(bytes, *n + 1);
        return fits ? fits : bytes;
    }
    free(bytes);
    return NULL;
}

const char *size_text(uint64_t bytes, char buf[32])
{
    const bool mega = bytes && bytes % (1 << 20) == 0;
    snprintf(buf, 32, "%" PRIu64 " %s", mega ? bytes >> 20 : bytes, mega ? "MB" : "bytes");
    return buf;
}

bool limit_over(struct gpudbg_error *err, const char *what, uint64_t limit, const char *setting)
{
    char size[32];
    return gpudbg_fail(err, "too-large", "%s: more than %s (set %s)", what, size_text(limit, size), setting);
}

uint8_t *all_within(
    int fd, uint64_t most, uint64_t memory_limit, size_t *n, const struct ticker *ticker, struct gpudbg_error *err)
{
    const bool limited = memory_limit && memory_limit < most;
    uint8_t *bytes = all_chosen(fd, limited ? memory_limit : most, n, ticker, err);
    if (!bytes && limited && strcmp(err->kind, "too-large") == 0)
        limit_over(err, "all of it", memory_limit, "memory-limit");
    return bytes;
}

ssize_t line_of(FILE *f, char **text, size_t *room, uint64_t most, struct gpudbg_error *err)
{
    size_t n = 0;
    int c;
    for (; (c = getc_unlocked(f)) != EOF && c != '\n'; (*text)[n++] = (char)c) {
        if (n == most) return limit_over(err, "the line", most, "line-limit"), -2;
        if (n + 1 < *room) continue;
        const size_t want = *room ? 2 * *room : 256;
        char *grown = realloc(*text, want);
        if (!grown) return alloc_failed(err, want, "a line"), -2;
        *text = grown;
        *room = want;
    }
    if (!n && c == EOF) return -1;
    if (!*room && !(*text = malloc(*room = 256))) return *room = 0, alloc_failed(err, 256, "a line"), -2;
    (*text)[n] = 0;
    return (ssize_t)n;
}

struct chosen {
    int fd;
    struct ticker ticker;
};

static ssize_t chosen_read(void *data, char *to, size_t n)
{
    const struct chosen *c = data;
    return read_chosen(c->fd, to, n, &c->ticker);
}

static int chosen_close(void *data)
{
    struct chosen *c = data;
    const int closed = close(c->fd);
    free(c);
    return closed;
}

FILE *stream_chosen(const char *path, const struct ticker *ticker, struct gpudbg_error *err)
{
    static const cookie_io_functions_t functions = {.read = chosen_read, .close = chosen_close};
    const int fd = open_chosen(path, err);
    if (fd < 0) return NULL;
    struct stat st;
    const bool known = fstat(fd, &st) == 0;
    if (known && S_ISREG(st.st_mode)) return stream_of(fd, path, err);
    if (known && S_ISDIR(st.st_mode)) {
        close(fd);
        gpudbg_fail(err, "io", "%s", strerror(EISDIR));
        return NULL;
    }
    struct chosen *c = xalloc(sizeof *c);
    *c = (struct chosen){fd, *ticker};
    FILE *f = fopencookie(c, "r", functions);
    if (f) return f;
    chosen_close(c);
    alloc_failed(err, BUFSIZ, path);
    return NULL;
}
