/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tap.h: checks in C that print TAP.  A failed check prints both sides and where; a test ends with `return
 * tap_done();`.
 *
 *     is_str(text, row->want, "%s", row->hex);
 */
#ifndef TAP_H
#define TAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

static bool tap_check(bool pass, const char *where, int line, const char *name)
{
    printf("%sok %d - %s\n", pass ? "" : "not ", ++tap_count, name);
    if (!pass) {
        tap_failed++;
        fprintf(stderr, "#   failed: %s\n#   at %s:%d\n", name, where, line);
    }
    return pass;
}

/* Of things that are alike a test takes one in so many: Gpudbg.pm, `sampled`. */
static inline unsigned tap_sample(void)
{
    const char *said = getenv("GPUDBG_SAMPLE");
    const unsigned n = said ? (unsigned)strtoul(said, NULL, 10) : 1;
    return n ? n : 1;
}

static char *tap_name(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static char *tap_name(const char *fmt, ...)
{
    static char name[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(name, sizeof name, fmt, ap);
    va_end(ap);
    for (char *p = name; *p; p++)
        if (*p == '\n' || *p == '#') *p = ' ';
    return name;
}

static inline bool tap_same_str(const char *got, const char *want, const char *where, int line, const char *name)
{
    bool pass = got && want ? strcmp(got, want) == 0 : got == want;
    tap_check(pass, where, line, name);
    if (!pass) fprintf(stderr, "#        got: %s\n#   expected: %s\n", got ? got : "NULL", want ? want : "NULL");
    return pass;
}

static inline bool tap_same_int(uint64_t got, uint64_t want, const char *where, int line, const char *name)
{
    bool pass = got == want;
    tap_check(pass, where, line, name);
    if (!pass)
        fprintf(stderr, "#        got: %" PRIi64 " (0x%" PRIx64 ")\n#   expected: %" PRIi64 " (0x%" PRIx64 ")\n",
            (int64_t)got, got, (int64_t)want, want);
    return pass;
}

#define ok(pass, ...) tap_check((pass), __FILE__, __LINE__, tap_name(__VA_ARGS__))
#define is_str(got, want, ...) tap_same_str((got), (want), __FILE__, __LINE__, tap_name(__VA_ARGS__))
#define is_int(got, want, ...) \
    tap_same_int((uint64_t)(got), (uint64_t)(want), __FILE__, __LINE__, tap_name(__VA_ARGS__))
#define note(...) printf("# %s\n", tap_name(__VA_ARGS__))

static int tap_done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed ? 1 : 0;
}

#endif
