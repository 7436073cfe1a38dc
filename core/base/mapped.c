/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mapped.c: see mapped.h. */
#include "base/mapped.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAPPED_MOST 64

/* All that the handler sees: `at` is written last when a mapping comes, and first when it goes. */
static struct mapped {
    const uint8_t *volatile at; /* NULL: this entry is free */
    size_t size;
    int fd; /* of the file, to ask for its size */
    volatile sig_atomic_t cut;
} mapped[MAPPED_MOST];
static struct sigaction before; /* what SIGBUS did */
static bool guarded;

static struct mapped *entry_of(const uint8_t *at)
{
    for (size_t i = 0; at && i < MAPPED_MOST; i++)
        if (mapped[i].at && (size_t)(at - mapped[i].at) < mapped[i].size) return &mapped[i];
    return NULL;
}

/* From the page that was read on, nothing is left of the file: zeros take its place. */
static void on_bus(int number, siginfo_t *info, void *context)
{
    (void)context;
    struct mapped *m = info->si_code > 0 ? entry_of(info->si_addr) : NULL;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)info->si_addr & ~(page - 1);
    if (m && mmap((void *)from, (uintptr_t)m->at + m->size - from, PROT_READ,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED) {
        m->cut = 1;
        return;
    }
    sigaction(number, &before, NULL); /* somebody else's: as if there were no guard */
    if (info->si_code <= 0) raise(number);
}

static void guard(void)
{
    struct sigaction action = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (!guarded) guarded = sigaction(SIGBUS, &action, &before) == 0;
}

const uint8_t *mapped_open(int fd, size_t size)
{
    struct mapped *m = mapped;
    while (m < mapped + MAPPED_MOST && m->at) m++;
    if (m == mapped + MAPPED_MOST) return NULL;
    const int kept = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    void *at = kept < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED) {
        if (kept >= 0) close(kept);
        return NULL;
    }
    guard();
    m->size = size;
    m->fd = kept;
    m->cut = 0;
    m->at = at;
    return at;
}

void mapped_close(const uint8_t *at)
{
    struct mapped *m = entry_of(at);
    if (!m) return;
    m->at = NULL;
    munmap((void *)(uintptr_t)at, m->size);
    close(m->fd);
}

bool mapped_cut(const uint8_t *at)
{
    struct mapped *m = entry_of(at);
    struct stat st;
    if (m && !m->cut && fstat(m->fd, &st) == 0 && (uintmax_t)st.st_size < m->size) m->cut = 1;
    return m && m->cut;
}
