/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save.c: a new file is written beside the old one and takes its place once it is complete. */
#include "base/save.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int file, const uint8_t *bytes, size_t size)
{
    while (size) {
        const ssize_t n = write(file, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* Writes and closes.  On failure errno says why. */
static bool fill(int file, const void *bytes, size_t size)
{
    const bool written = write_all(file, bytes, size);
    const int why = errno;
    const bool closed = close(file) == 0;
    if (!written) errno = why;
    return written && closed;
}

static bool write_straight(const char *path, const void *bytes, size_t size)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return file >= 0 && fill(file, bytes, size);
}

/* old: the file that is there, or NULL. */
static bool write_beside(const char *path, const struct stat *old, const void *bytes, size_t size)
{
    char beside[4096];
    const int n = snprintf(beside, sizeof beside, "%s.%ld.part", path, (long)getpid());
    const int file = n > 0 && (size_t)n < sizeof beside ? open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
                                                        : -1;
    if (file < 0) /* the folder takes no new file */
        return write_straight(path, bytes, size);
    if (old && fchmod(file, old->st_mode & 07777) != 0) {
        /* a file system without modes */
    }
    if (fill(file, bytes, size) && rename(beside, path) == 0) return true;
    const int why = errno;
    unlink(beside);
    errno = why;
    return false;
}

bool save_bytes(const char *path, const void *bytes, size_t size, struct gpudbg_error *err)
{
    struct stat old;
    const bool there = lstat(path, &old) == 0;
    const bool straight = there && (!S_ISREG(old.st_mode) || access(path, W_OK) != 0);
    if (straight ? write_straight(path, bytes, size) : write_beside(path, there ? &old : NULL, bytes, size))
        return true;
    return gpudbg_fail(err, "io", "%s: %s", path, strerror(errno));
}
