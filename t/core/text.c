/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts in buffers of a fixed size, and memory: what core/base and core/include/gpudbg/text.h promise. */
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/pool.h"
#include "gpudbg/text.h"
#include "tap.h"

/* AddressSanitizer needs more memory than any limit, and says in its own words that there is none. */
#ifndef __has_feature /* clang's; gcc has a macro instead */
#define __has_feature(name) 0
#endif
#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static volatile size_t huge = SIZE_MAX / 2; /* not known to the compiler */

/* Under AddressSanitizer what is too much is NULL, as elsewhere. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

#define GUARD '~' /* stands behind each buffer and must stay */

/* "abc", "12", "-", "xy" in a buffer of each size: what is kept is the beginning, the length is that of all. */
static void test_every_size(void)
{
    static const char whole[] = "abc12-xy";
    const size_t all = sizeof whole - 1;
    for (size_t size = 0; size <= all + 3; size++) {
        char buf[sizeof whole + 8], want[sizeof whole] = "";
        memset(buf, GUARD, sizeof buf);
        struct text t = text_in(size ? buf : NULL, size);
        text_add(&t, "%s", "abc");
        text_add(&t, "%d", 12);
        text_add_char(&t, '-');
        text_add_bytes(&t, "xyz", 2);
        const size_t kept = size > all ? all : size ? size - 1 : 0;
        memcpy(want, whole, kept);
        if (size) is_str(buf, want, "size %zu keeps the beginning", size);
        is_int(text_length(&t), all, "size %zu: the length is that of all", size);
        is_int(text_is_cut(&t), size <= all, "size %zu: cut or not", size);
        is_int(text_room(&t), size > all ? size - all : 0, "size %zu: what is left", size);
        ok(text_end(&t) == (size > all ? buf + all : NULL), "size %zu: where it ends", size);
        is_int(buf[size], GUARD, "size %zu: nothing is written behind it", size);
    }
}

static void test_pieces(void)
{
    char buf[8] = "old";
    struct text t = text_in(buf, sizeof buf);
    is_str(buf, "", "a new text is empty");
    text_add_bytes(&t, "a\0b", 3);
    is_int(t.n, 3, "bytes may be 0");
    is_int(memcmp(buf, "a\0b\0", 4), 0, "... and are kept");
    t = text_behind(strcpy(buf, "one"), sizeof buf);
    is_int(t.n, 3, "a text goes on behind what is there");
    text_add(&t, ",%s", "two");
    is_str(buf, "one,two", "... up to the last byte");
    is_int(text_is_cut(&t), false, "which is no cut");
    memset(buf, 'x', sizeof buf);
    t = text_behind(buf, sizeof buf);
    is_int(t.n, 7, "a buffer without an end has one byte for it");
    t = text_behind(NULL, 0);
    is_int(t.n, 0, "no buffer is an empty text");
    text_add(&t, "%s", "four");
    is_int(t.n, 4, "... that counts");
    t = text_in(buf, sizeof buf);
    text_wrote(&t, snprintf(text_end(&t), text_room(&t), "%s%s", huge ? "abcdefgh" : "", "ij"));
    is_int(t.n, 10, "a function that writes like snprintf tells the length of all");
    is_str(buf, "abcdefg", "... and keeps the beginning");
    text_wrote(&t, -1);
    is_int(t.n, 10, "a failure adds nothing");
    is_int(text_shown('\033'), '?', "control characters are not shown");
    is_int(text_shown('\177'), '?', "nor is DEL");
    is_int((unsigned char)text_shown('\303'), 0303, "bytes of UTF-8 are");
}

/* Whole, or what fits and "...", which never takes a part of a character with it. */
static void test_cut(void)
{
    static const struct {
        size_t size;
        const char *text, *want;
    } cases[] = {
        {8, "1234567", "1234567"}, {8, "12345678", "1234..."}, {9, "", ""}, {8, "123\u00e4\u00f6\u00fc", "123..."}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buf[16];
        memset(buf, 'x', sizeof buf);
        text_put(buf, cases[i].size, "%s", cases[i].text);
        is_str(buf, cases[i].want, "\"%s\" in %zu bytes", cases[i].text, cases[i].size);
        is_int(buf[cases[i].size], 'x', "... and nothing behind them is written");
    }
}

static void test_alloc(void)
{
    const char *p = xalloc(1000), *none = xalloc(0);
    size_t set = 0, room = 0;
    for (size_t i = 0; i < 1000; i++) set += p[i] != 0;
    is_int(set, 0, "xalloc clears");
    ok(none != NULL, "no bytes are a pointer, too");
    free((void *)(uintptr_t)p);
    free((void *)(uintptr_t)none);
    uint16_t *array = NULL;
    for (uint16_t i = 0; i < 1000; i++) {
        array = xgrow(array, i, &room, sizeof *array);
        array[i] = i;
    }
    size_t wrong = 0;
    for (uint16_t i = 0; i < 1000; i++) wrong += array[i] != i;
    is_int(wrong, 0, "an array grows and keeps what it has");
    is_int(room, 1024, "... by doubling");
    free(array);
    char *copy = xstrndup("abcdef", 3);
    is_str(copy, "abc", "xstrndup");
    free(copy);
}

static void test_arena(void)
{
    struct arena a = {.most = 200000};
    char *first = arena_string(&a, "a\033b\nc", 5);
    is_str(first, "a?b?c", "a string of an arena may be shown");
    is_int(a.taken, 16, "pieces are of 16 bytes");
    size_t misplaced = 0, set = 0;
    uint8_t *seen[64];
    for (size_t i = 0; i < 64; i++) {
        seen[i] = arena_alloc(&a, i + 1);
        misplaced += (uintptr_t)seen[i] % 16;
        for (size_t b = 0; b <= i; b++) set += seen[i][b];
        memset(seen[i], (int)i + 1, i + 1);
    }
    for (size_t i = 0; i < 64; i++)
        for (size_t b = 0; b <= i; b++) set += seen[i][b] != i + 1;
    is_int(misplaced, 0, "they lie at multiples of 16");
    is_int(set, 0, "they are cleared, and none lies in another");
    uint8_t *large = arena_alloc(&a, 100000);
    ok(large != NULL, "a piece may be larger than a block");
    memset(large, 1, 100000);
    const size_t taken = a.taken;
    ok(arena_alloc(&a, 100000) == NULL, "not more than it may give");
    ok(arena_alloc(&a, SIZE_MAX) == NULL && arena_alloc(&a, SIZE_MAX - 14) == NULL, "nor sizes that overflow");
    is_int(a.taken, taken, "which take nothing");
    is_str(first, "a?b?c", "what was given stays");
    arena_free(&a);
    is_int(a.taken, 0, "it is empty afterwards");
    is_str(arena_string(&a, "again", 5), "again", "... and may be used again");
    arena_free(&a);
    struct arena endless = {.most = 0};
    ok(arena_alloc(&endless, 1 << 20) != NULL, "without a limit");
    ok(arena_alloc(&endless, SIZE_MAX / 2) == NULL, "no memory is NULL");
    arena_free(&endless);
}

static int told;

static void tell(void)
{
    ssize_t n = write(told, "hook.", 5);
    (void)n;
}

/* What a process that asks for too much says, and how it ends. */
static void ends(void (*ask)(void), const char *name)
{
    int ends[2], status = -1;
    char said[200] = "";
    size_t n = 0;
    fflush(stdout);
    if (pipe(ends) != 0) return;
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        told = ends[1];
        xalloc_at_end(tell);
        ask();
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t got; n < sizeof said - 1 && (got = read(ends[0], said + n, sizeof said - 1 - n)) > 0;)
        n += (size_t)got;
    close(ends[0]);
    waitpid(child, &status, 0);
    is_str(said, "hook.gpudbg: out of memory\n", "%s: the hook is called once, then it is said", name);
    is_int(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 1, "%s: status 1", name);
}

/* What a worker makes in a pool, who forked it finds; pieces are taken again, cleared; of what a pool is too small for,
 * malloc gives, and it says so. */
static void test_pool(void)
{
    struct pool *p = pool_new((size_t)1 << 20);
    char **list = pool_alloc(p, 100, sizeof *list);
    const pid_t worker = fork();
    if (worker == 0) {
        for (size_t i = 0; i < 100; i++) {
            list[i] = pool_alloc(p, i + 1, 3);
            memset(list[i], (int)i, 3 * (i + 1));
        }
        for (size_t i = 0; i < 100; i += 2) {
            pool_free(p, list[i]);
            list[i] = NULL;
        }
        _exit(0);
    }
    waitpid(worker, NULL, 0);
    bool good = true, zero = true, apart = true;
    for (size_t i = 0; i < 100; i += 2) {
        list[i] = pool_alloc(p, 1, 3 * (i + 1));
        for (size_t k = 0; k < 3 * (i + 1); k++) zero &= !list[i][k];
        memset(list[i], (int)i, 3 * (i + 1));
    }
    for (size_t i = 0; i < 100; i++) {
        apart &= (uintptr_t)list[i] % 16 == 0;
        for (size_t k = 0; k < 3 * (i + 1); k++) good &= list[i][k] == (char)i;
    }
    ok(good, "what a worker made is there, and does not overlap");
    ok(zero, "what was free is cleared");
    ok(apart, "all of it is aligned");
    ok(pool_whole(p), "all of it lies in the pool");
    char *large = pool_alloc(p, 2, (size_t)1 << 20);
    ok(large && !large[0] && !large[(2 << 20) - 1], "what does not fit comes from elsewhere");
    ok(!pool_whole(p), "... and that is known");
    pool_free(p, large);
    pool_free(p, NULL);
    pool_end(p);
    char *none = pool_alloc(NULL, 5, 1);
    ok(none && !pool_whole(NULL), "without a pool it comes from elsewhere, too");
    pool_free(NULL, none);
    ok(!pool_new(SIZE_MAX / 4), "a pool may be too large");
}

static void ask_overflow(void) { free(xrealloc(NULL, huge, 3)); }
static void ask_array(void) { free(xcalloc(huge, 3)); }
#if !SANITIZED
static void ask_much(void)
{
    const struct rlimit none = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_AS, &none);
    for (;;) xalloc(1 << 20);
}
#endif

int main(void)
{
    test_every_size();
    test_pieces();
    test_cut();
    test_alloc();
    test_arena();
    test_pool();
    ends(ask_overflow, "a size that overflows");
    ends(ask_array, "an array that overflows");
#if !SANITIZED
    ends(ask_much, "more than there is");
#endif
    struct gpudbg_error err = {0};
    ok(!alloc_failed(&err, 7, "it"), "what a file decides fails");
    is_str(err.kind, "memory", "... with the kind memory");
    return tap_done();
}
