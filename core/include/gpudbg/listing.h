/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * listing.h: the loop that makes the lines of a long listing, for a decoder that has a quick `print`.  Header-only, no
 * part of the ABI: the compiler puts `print` into the loop.
 *
 *     unsigned my_lines(void *printer, struct gpudbg_lines *lines)
 *     {
 *         return gpudbg_lines_print(printer, lines, my_print);
 *     }
 */
#ifndef GPUDBG_LISTING_H
#define GPUDBG_LISTING_H

#include <string.h>
#include "isa.h"
#include "unset.h"

#define GPUDBG_LINE_INDENT 4
#define GPUDBG_LINE_WIDTH 52 /* the column in which the address stands, counted from the text */

/* The two digits of a byte. */
static const char gpudbg_two_digits[513] =
#define DIGITS(high)                                                                                                 \
    high "0" high "1" high "2" high "3" high "4" high "5" high "6" high "7" high "8" high "9" high "a" high "b" high \
         "c" high "d" high "e" high "f"
    DIGITS("0") DIGITS("1") DIGITS("2") DIGITS("3") DIGITS("4") DIGITS("5") DIGITS("6") DIGITS("7") DIGITS("8")
        DIGITS("9") DIGITS("a") DIGITS("b") DIGITS("c") DIGITS("d") DIGITS("e") DIGITS("f");
#undef DIGITS

/* The end of lines for the page of an address, which has four digits at least. */
__attribute__((noinline, unused)) static struct gpudbg_line_end gpudbg_line_end_at(uint64_t addr)
{
    struct gpudbg_line_end end = {addr & ~UINT64_C(255), 3, "// "};
    int shift = 12;
    while (shift < 60 && addr >> shift >> 4) shift += 4;
    for (; shift >= 8; shift -= 4) end.text[end.n++] = "0123456789abcdef"[addr >> shift & 15];
    return end;
}

/* Ends the line whose text of n bytes is at p, with its address where `ends` says so; returns the end of the line.  A
 * line of usual width ends at a place that does not depend on n, so that the next one need not wait for it. */
__attribute__((always_inline)) static inline char *gpudbg_line_put_end(
    struct gpudbg_line_end *end, bool ends, char *p, uint64_t addr, size_t n)
{
    char *behind = p + n;
    if (ends) {
        if (__builtin_expect(n < GPUDBG_LINE_WIDTH, 1)) {
            memset(behind, ' ', GPUDBG_LINE_WIDTH);
            behind = p + GPUDBG_LINE_WIDTH;
        } else {
            *behind++ = ' ';
        }
        if (__builtin_expect((addr ^ end->page) > 255 || !end->n, 0)) *end = gpudbg_line_end_at(addr);
        memcpy(behind, end->text, sizeof end->text);
        memcpy(behind + end->n, gpudbg_two_digits + 2 * (addr & 255), 2);
        behind += end->n + 2;
    }
    *behind++ = '\n';
    return behind;
}

/* The loop with `ends` known. */
__attribute__((always_inline)) static inline unsigned gpudbg_lines_loop(void *printer, struct gpudbg_lines *lines,
    bool ends,
    int (*print)(
        void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *, char *buf, size_t *len))
{
    const struct gpudbg_names *const names = lines->names;
    const char *const full = lines->full;
    const uint64_t from = lines->at, last = from + lines->left, to = lines->to < last ? lines->to : last;
    const uint8_t *const bytes = lines->bytes;
    const unsigned most = lines->most;
    uint64_t at = from;
    char *p = lines->text;
    struct gpudbg_line_end end = lines->end; /* a copy that no text can be in */
    unsigned done = 0;
    for (; done < most && at < to && p <= full; done++) {
        size_t n GPUDBG_UNSET;
        memcpy(p, "    ", GPUDBG_LINE_INDENT);
        const int size = print(printer, bytes + (at - from), last - at, at, names, p + GPUDBG_LINE_INDENT, &n);
        if (size <= 0) break;
        p = gpudbg_line_put_end(&end, ends, p + GPUDBG_LINE_INDENT, at, n);
        at += (unsigned)size;
    }
    lines->end = end;
    lines->text = p;
    lines->bytes = bytes + (at - from);
    lines->left = last - at;
    lines->at = at;
    return done;
}

__attribute__((always_inline)) static inline unsigned gpudbg_lines_print(void *printer, struct gpudbg_lines *lines,
    int (*print)(
        void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *, char *buf, size_t *len))
{
    return lines->ends ? gpudbg_lines_loop(printer, lines, true, print)
                       : gpudbg_lines_loop(printer, lines, false, print);
}

#endif
