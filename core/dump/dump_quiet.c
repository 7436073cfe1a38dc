/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_quiet.c: lines that say nothing, passed over by their shape.  Most lines of a log are of other programs and
 * differ from an earlier one in digits alone.  Where no reader took the earlier one, none will take the next one,
 * unless a reader is in the middle of something: dump_read.c asks only where none took a line for long.
 */
#include "dump/dump.h"
#include <ctype.h>
#include <string.h>

/* The bytes with each digit as '0', as a number; 0 stands for none. */
static uint64_t shape_of(const char *text, size_t n)
{
    const uint64_t ones = UINT64_MAX / 0xff;
    uint64_t hash = n, eight;
    for (size_t i = 0; i < n; i += 8) {
        eight = 0;
        memcpy(&eight, text + i, n - i < 8 ? n - i : 8);
        const uint64_t low = eight & ~(ones << 7), from = low + ones * (0x80 - '0'), to = low + ones * (0x80 - '9' - 1);
        const uint64_t digits = (from & ~to & ~eight & ones << 7) >> 7; /* 1 in each byte that is a digit */
        hash = (hash ^ ((eight & ~(digits * 0xff)) | digits * '0')) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash ? hash : 1;
}

bool dump_is_quiet(struct dump_quiet *q, const char *text, size_t n)
{
    q->last = shape_of(text, n);
    return q->shape[q->last % DUMP_QUIET] == q->last;
}

/* What a mail's marks are made of, whose digits mean something: "=3D", "=20" at a line's end. */
static bool may_be_quoted(const char *text, size_t n)
{
    for (const char *at = text; (at = memchr(at, '=', (size_t)(text + n - at))) && at + 2 < text + n; at++)
        if (isdigit((unsigned char)at[1]) && (isupper((unsigned char)at[2]) || at + 3 == text + n)) return true;
    return false;
}

void dump_quiet_add(struct dump_quiet *q, const char *text, size_t n)
{
    if (!may_be_quoted(text, n)) q->shape[q->last % DUMP_QUIET] = q->last;
}
