/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unpack.c: any bytes as a packed file: no crash, no more than the limit, and the head is what the file begins with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/packed.h"

#define MOST 300000
#define HEAD 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct gpudbg_error err = {.offset = -1};
    uint8_t head[HEAD], same[HEAD];
    struct stat st;
    const char *problem;
    FILE *file = tmpfile();
    if (!file) return 0;
    int fd = dup(fileno(file));
    if (n && fwrite(data, 1, n, file) != n) abort();
    fclose(file);
    lseek(fd, 0, SEEK_SET);
    file_kind(data, n);
    const size_t got = unpack_head(fd, head, sizeof head);
    const bool packed = unpack_kind(data, n);
    if (got > sizeof head || (got && !packed)) abort();
    fd = unpack_file(fd, MOST, NULL, &problem, &err);
    if (fd < 0) return 0;
    if (fstat(fd, &st) != 0 || (packed && st.st_size > MOST)) abort();
    const ssize_t have = read(fd, same, sizeof same);
    const char *inner = have > 0 ? unpack_kind(head, got) : NULL;
    if (packed && !inner && !problem && (have < 0 || (size_t)have < got || memcmp(head, same, got) != 0)) abort();
    close(fd);
    return 0;
}
