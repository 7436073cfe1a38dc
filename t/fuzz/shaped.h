/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shaped.h: damage that keeps the shape of a file, for the fuzzer of loaders: libFuzzer calls it in place of its own
 * half of the time.
 *
 * The file is an ELF or one piece; of an ELF the headers, or one section, are damaged.  A piece that is text (zebin's
 * YAML, AMD IL) is damaged by lines, numbers and words; one of tokens or records (patch tokens, notes, Catalyst, PAL's
 * MessagePack, the consoles' headers, IL streams) by whole words at their places, and by runs of words that a size at
 * their front spans.  So what a loader reads first stays right, and what it reads later is wrong.
 */
#ifndef SHAPED_H
#define SHAPED_H

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "gpudbg/endian.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

struct shaped {
    uint8_t *at; /* the file */
    size_t size, most;
    size_t from, n; /* the piece */
    uint64_t chance;
};

static size_t any(struct shaped *s, size_t n)
{
    s->chance ^= s->chance << 13;
    s->chance ^= s->chance >> 7;
    s->chance ^= s->chance << 17;
    return n ? (size_t)(s->chance >> 20) % n : 0;
}

static uint64_t edge(struct shaped *s)
{
    static const uint64_t edges[] = {0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 64, 127, 128, 255, 256, 4095, 4096, 65535,
        65536, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0xfffffffffffffff8,
        UINT64_MAX};
    return any(s, 3) ? edges[any(s, sizeof edges / sizeof *edges)] : s->size - any(s, 16);
}

/* Puts `n` bytes in place of the `old` bytes at `at`; false: there is no room. */
static bool replace(struct shaped *s, size_t at, size_t old, const void *bytes, size_t n)
{
    uint8_t kept[4096];
    if (n > sizeof kept || at > s->size || old > s->size - at || s->size - old + n > s->most) return false;
    memcpy(kept, bytes, n); /* they may be the file's own */
    memmove(s->at + at + n, s->at + at + old, s->size - at - old);
    memcpy(s->at + at, kept, n);
    s->size = s->size - old + n;
    return true;
}

/* ---- Where ---- */

/* A section of an ELF of either class, or its headers. */
static void choose_piece(struct shaped *s)
{
    s->from = 0;
    s->n = s->size;
    if (s->size < 64 || memcmp(s->at, "\177ELF", 4) != 0) return;
    const bool wide = s->at[4] == 2;
    const uint64_t table = wide ? le_u64(s->at + 40) : le_u32(s->at + 32);
    const size_t each = wide ? 64 : 40, count = le_u16(s->at + (wide ? 60 : 48)), which = any(s, count + 2);
    if (which >= count || table > s->size || each > (s->size - table) / (count ? count : 1)) {
        s->n = 64;
        return;
    }
    const uint8_t *h = s->at + table + which * each;
    const uint64_t at = wide ? le_u64(h + 24) : le_u32(h + 16), size = wide ? le_u64(h + 32) : le_u32(h + 20);
    if (!any(s, 4)) {
        s->from = (size_t)table + which * each;
        s->n = each;
    } else if (at < s->size && size && size <= s->size - at) {
        s->from = (size_t)at;
        s->n = (size_t)size;
    }
}

/* ---- Text ---- */

static bool is_text(const struct shaped *s)
{
    size_t odd = 0, n = s->n < 512 ? s->n : 512;
    for (size_t i = 0; i < n; i++) odd += s->at[s->from + i] < 9 || s->at[s->from + i] > 126;
    return n && odd < n / 16 + 1;
}

static size_t line_start(const struct shaped *s, size_t at)
{
    while (at > s->from && s->at[at - 1] != '\n') at--;
    return at;
}

static size_t line_end(const struct shaped *s, size_t at)
{
    while (at < s->from + s->n && s->at[at] != '\n') at++;
    return at < s->from + s->n ? at + 1 : at;
}

static size_t word_end(const struct shaped *s, size_t at)
{
    while (at < s->from + s->n && (isalnum(s->at[at]) || s->at[at] == '_')) at++;
    return at;
}

static size_t next_word(const struct shaped *s, size_t at)
{
    at = word_end(s, at);
    while (at < s->from + s->n && !isalnum(s->at[at])) at++;
    return at;
}

static void damage_text(struct shaped *s)
{
    const size_t at = s->from + any(s, s->n), first = line_start(s, at), end = line_end(s, at), word = next_word(s, at),
                 other = s->from + any(s, s->n), stop = word_end(s, word);
    char text[32];
    switch (any(s, 6)) {
    case 0: /* a line is away */ replace(s, first, end - first, "", 0); break;
    case 1: /* a line stands elsewhere, too */ replace(s, line_start(s, other), 0, s->at + first, end - first); break;
    case 2: /* it belongs to another block */
        if (any(s, 2))
            replace(s, first, 0, "  ", 2);
        else if (end - first > 2)
            replace(s, first, 2, "", 0);
        break;
    case 3: { /* a word is another one of the file */
        const size_t from = next_word(s, other);
        replace(s, word, stop - word, s->at + from, word_end(s, from) - from);
        break;
    }
    default:
        snprintf(text, sizeof text, any(s, 4) ? "%lld" : "0x%llx", (long long)edge(s));
        for (size_t i = word; i < s->from + s->n; i = next_word(s, i)) /* the next number */
            if (isdigit(s->at[i])) {
                replace(s, i, word_end(s, i) - i, text, strlen(text));
                return;
            }
        break;
    }
}

/* ---- Words ---- */

/* How long a record at `at` may be: by a size in one of its first words, in bytes or dwords, with or without them. */
static size_t record_at(struct shaped *s, size_t at)
{
    const size_t left = s->from + s->n - at;
    for (unsigned i = 0; i < 3 && 4 * i + 4 <= left; i++) {
        const uint32_t n = le_u32(s->at + at + 4 * i);
        const size_t size = any(s, 3) ? n : 4 * (size_t)(n & 0xffff) + 4 * i;
        if (size >= 4 && size <= left && size % 4 == 0) return size;
    }
    return left < 4 ? left : 4;
}

static void damage_words(struct shaped *s)
{
    const size_t at = s->from + (any(s, s->n) & ~(size_t)3), left = s->from + s->n - at, size = record_at(s, at);
    const uint64_t value = edge(s);
    switch (any(s, 8)) {
    case 0: replace(s, at, size, "", 0); break;
    case 1: replace(s, at, 0, s->at + at, size); break;
    case 2: replace(s, s->from + (any(s, s->n) & ~(size_t)3), 0, s->at + at, size); break;
    case 3: /* one more, or one less */
        if (left) s->at[at] = (uint8_t)(s->at[at] + (any(s, 2) ? 1 : -1));
        break;
    case 4: /* MessagePack: another kind or length at a byte that may be a head */
        for (size_t i = s->from + any(s, s->n); i < s->from + s->n; i++)
            if (s->at[i] >= 0x80) {
                s->at[i] = (uint8_t)(any(s, 2) ? s->at[i] ^ (1 + any(s, 15)) : 0x80 + any(s, 128));
                return;
            }
        break;
    case 5: { /* a word of elsewhere */
        const size_t from = s->from + (any(s, s->n) & ~(size_t)3);
        if (left >= 4 && s->from + s->n - from >= 4) memmove(s->at + at, s->at + from, 4);
        break;
    }
    case 6: /* two bytes, or a byte */
        if (left >= 2) memcpy(s->at + at + (left >= 4 ? any(s, 3) : 0), &value, 1 + any(s, 2));
        break;
    default: memcpy(s->at + at, &value, left >= 8 && !any(s, 3) ? 8 : left < 4 ? left : 4); break;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    struct shaped s = {.at = data, .size = size, .most = most, .chance = seed * UINT64_C(0x9e3779b97f4a7c15) | 1};
    any(&s, 2);
    if (!size || (any(&s, 2) && LLVMFuzzerMutate)) return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, most) : size;
    for (size_t times = 1 + any(&s, 3); times && s.size; times--) {
        choose_piece(&s);
        if (is_text(&s))
            damage_text(&s);
        else
            damage_words(&s);
    }
    return s.size ? s.size : 1;
}

#endif
