/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.so, to be preloaded: counts the allocations of a program, and lets one of them fail.
 *
 *   INJECT_FAIL=N    the Nth allocation fails (from 1)
 *   INJECT_EVER=1    ... and every later one, as when memory has really ended
 *   INJECT_LOG=FILE  written at the end:
 *                      calls N
 *                      site N HASH     the Nth allocation is the first one of this place (INJECT_SITES=1)
 *                      live HASH N     N blocks that were allocated at this place are still there (INJECT_LIVE=1)
 *
 * A place is the chain of callers, as addresses in their files, so that it is the same in every run.  Names of HASH:
 * INJECT_NAMES=1 writes `frame HASH FILE+OFFSET...`.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What glibc has behind malloc and its family. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

#define FRAMES 10
#define SKIPPED 2         /* frames of this file */
#define BLOCKS (1u << 20) /* powers of two */
#define PLACES (1u << 15)
#define MODULES 64
#define MARK (-24301) /* a descriptor that nobody has: tells `calls` that the loader is done */

struct block {
    void *at; /* NULL: free; GONE: was taken */
    uint32_t place;
};
#define GONE ((void *)1)

struct place {
    uint64_t hash;
    uint64_t first; /* number of its first allocation; 0: there is none */
    uint64_t live;
    uint64_t frame[FRAMES];
    int frames;
};

static struct {
    struct block *block;
    struct place *place;
    uint64_t calls, fail;
    bool ready, ever, sites, live, names, busy;
    const char *log;
    struct module {
        uint64_t lo, hi;
        const char *name;
    } module[MODULES];
    size_t modules;
    int lock;
} s;

static void lock(void)
{
    while (__atomic_exchange_n(&s.lock, 1, __ATOMIC_ACQUIRE)) {
    }
}
static void unlock(void) { __atomic_store_n(&s.lock, 0, __ATOMIC_RELEASE); }

/* ---- Places ---- */

static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    uint64_t hi = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const uint64_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && end > hi) hi = end;
    }
    if (s.modules < MODULES) s.module[s.modules++] = (struct module){info->dlpi_addr, hi, info->dlpi_name};
    return 0;
}

/* An address, as one in its file. */
static uint64_t in_file(uint64_t address, size_t *module)
{
    for (size_t i = 0; i < s.modules; i++)
        if (address >= s.module[i].lo && address < s.module[i].hi) {
            *module = i;
            return address - s.module[i].lo;
        }
    *module = 0;
    return 0;
}

static uint32_t place_here(void)
{
    void *at[FRAMES + SKIPPED];
    uint64_t hash = UINT64_C(0xcbf29ce484222325), frame[FRAMES];
    const int n = backtrace(at, FRAMES + SKIPPED);
    int frames = 0;
    for (int i = SKIPPED; i < n; i++) {
        size_t module;
        const uint64_t offset = in_file((uint64_t)(uintptr_t)at[i], &module);
        frame[frames++] = offset | (uint64_t)module << 56;
        hash = (hash ^ offset ^ (uint64_t)module << 40) * UINT64_C(0x100000001b3);
    }
    for (uint32_t i = (uint32_t)(hash >> 32) % PLACES, tries = 0; tries < PLACES; i = (i + 1) % PLACES, tries++) {
        struct place *p = &s.place[i];
        if (p->hash == hash) return i;
        if (p->hash) continue;
        p->hash = hash;
        p->frames = frames;
        memcpy(p->frame, frame, sizeof frame);
        return i;
    }
    return 0;
}

/* ---- Blocks ---- */

static uint32_t slot_of(const void *p) { return (uint32_t)(((uintptr_t)p >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 40); }

static void take(void *p, uint32_t place)
{
    for (uint32_t i = slot_of(p) % BLOCKS, tries = 0; tries < BLOCKS; i = (i + 1) % BLOCKS, tries++)
        if (!s.block[i].at || s.block[i].at == GONE) {
            s.block[i] = (struct block){p, place};
            s.place[place].live++;
            return;
        }
}

static void give(const void *p)
{
    for (uint32_t i = slot_of(p) % BLOCKS, tries = 0; s.block[i].at && tries < BLOCKS; i = (i + 1) % BLOCKS, tries++)
        if (s.block[i].at == p) {
            s.place[s.block[i].place].live--;
            s.block[i].at = GONE;
            return;
        }
}

/* ---- The family ---- */

/* false: this one is to fail.  *place: where it is made, if that is noted. */
__attribute__((noinline)) static bool counts(uint32_t *place)
{
    *place = 0;
    if (!s.ready || s.busy) return true;
    const uint64_t n = ++s.calls;
    if (s.sites || s.live) {
        s.busy = true;
        lock();
        *place = place_here();
        if (!s.place[*place].first) s.place[*place].first = n;
        unlock();
        s.busy = false;
    }
    if (n != s.fail && !(s.ever && s.fail && n > s.fail)) return true;
    errno = ENOMEM;
    return false;
}

static void *taken(void *p, uint32_t place)
{
    if (p && s.live && s.ready && !s.busy) {
        lock();
        take(p, place);
        unlock();
    }
    return p;
}

void *malloc(size_t n)
{
    uint32_t place;
    return counts(&place) ? taken(__libc_malloc(n), place) : NULL;
}

void *calloc(size_t n, size_t size)
{
    uint32_t place;
    return counts(&place) ? taken(__libc_calloc(n, size), place) : NULL;
}

void free(void *p)
{
    if (p && s.live && s.ready && !s.busy) {
        lock();
        give(p);
        unlock();
    }
    __libc_free(p);
}

void *realloc(void *p, size_t n)
{
    uint32_t place;
    if (!counts(&place)) return NULL;
    void *q = __libc_realloc(p, n);
    if (s.live && s.ready && !s.busy && (q || !n) && p) {
        lock();
        give(p);
        unlock();
    }
    return taken(q, place);
}

void *reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, bytes);
}

void *memalign(size_t alignment, size_t n)
{
    uint32_t place;
    return counts(&place) ? taken(__libc_memalign(alignment, n), place) : NULL;
}
void *aligned_alloc(size_t alignment, size_t n) { return memalign(alignment, n); }
int posix_memalign(void **p, size_t alignment, size_t n)
{
    void *q = memalign(alignment, n);
    if (!q) return ENOMEM;
    *p = q;
    return 0;
}

/* ---- Begin and end ---- */

static void *pages(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) _exit(125);
    return p;
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value == '1';
}

__attribute__((constructor)) static void begin(void)
{
    const char *fail = getenv("INJECT_FAIL");
    s.fail = fail ? strtoull(fail, NULL, 10) : 0;
    s.ever = is_set("INJECT_EVER");
    s.sites = is_set("INJECT_SITES");
    s.live = is_set("INJECT_LIVE");
    s.names = is_set("INJECT_NAMES");
    s.log = getenv("INJECT_LOG");
    if (s.sites || s.live) {
        void *at[4];
        s.block = pages(BLOCKS * sizeof *s.block);
        s.place = pages(PLACES * sizeof *s.place);
        dl_iterate_phdr(add_module, NULL);
        backtrace(at, 4); /* loads what it needs */
    }
    s.ready = s.log || s.fail;
    syscall(SYS_close, MARK);
}

static void say(int fd, const char *text, uint64_t a, uint64_t b)
{
    char line[128];
    const int n = snprintf(line, sizeof line, text, (unsigned long long)a, (unsigned long long)b);
    if (n > 0 && write(fd, line, (size_t)n) < 0) return;
}

static void say_names(int fd, const struct place *p)
{
    dprintf(fd, "frame %016llx", (unsigned long long)p->hash);
    for (int i = 0; i < p->frames; i++)
        dprintf(
            fd, " %s+0x%llx", s.module[p->frame[i] >> 56].name, (unsigned long long)(p->frame[i] & 0xffffffffffffff));
    dprintf(fd, "\n");
}

__attribute__((destructor)) static void end(void)
{
    if (!s.ready) return;
    s.ready = false;
    const int fd = s.log ? open(s.log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (fd < 0) return;
    say(fd, "calls %llu\n", s.calls, 0);
    for (uint32_t i = 0; s.place && i < PLACES; i++) {
        const struct place *p = &s.place[i];
        if (!p->hash) continue;
        if (s.sites && p->first) say(fd, "site %llu %016llx\n", p->first, p->hash);
        if (s.live && p->live) say(fd, "live %016llx %llu\n", p->hash, p->live);
        if (s.names && (s.sites || p->live)) say_names(fd, p);
    }
    close(fd);
}
