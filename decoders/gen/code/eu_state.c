/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * eu_state.c: which register of a thread is which in saved states (EU state records): NAME.N as they are addressed,
 * dwords, or for flags, addresses and dependencies words, two of which make a dword.
 */
#include "gen.h"

#define DWORD(name, of, n, i)                                     \
    {                                                             \
        .record = name "." #i, .file = of, .index = n, .dword = i \
    }
#define DWORDS3(name, of, n) DWORD(name, of, n, 0), DWORD(name, of, n, 1), DWORD(name, of, n, 2)
#define DWORDS4(name, of, n) DWORDS3(name, of, n), DWORD(name, of, n, 3)
#define DWORDS8(name, of, n) \
    DWORDS4(name, of, n), DWORD(name, of, n, 4), DWORD(name, of, n, 5), DWORD(name, of, n, 6), DWORD(name, of, n, 7)
#define WORDS(name, of, n, i, low, high)                             \
    {.record = name "." #low, .file = of, .index = n, .dword = i},   \
    {                                                                \
        .record = name "." #high, .file = of, .index = n, .dword = i \
    }
#define WORDS4(name, of) \
    WORDS(name, of, 0, 0, 0, 1), WORDS(name, of, 0, 1, 2, 3), WORDS(name, of, 0, 2, 4, 5), WORDS(name, of, 0, 3, 6, 7)
#define WORDS8(name, of)                                                                                         \
    WORDS4(name, of), WORDS(name, of, 0, 4, 8, 9), WORDS(name, of, 0, 5, 10, 11), WORDS(name, of, 0, 6, 12, 13), \
        WORDS(name, of, 0, 7, 14, 15)

/* Channels may wait elsewhere, which no record tells: those that were dispatched are taken as running.  ip comes behind
 * ce, for it moves the channels that run. */
#define REGISTERS                                                                                                     \
    {.record = "ip", .file = "pc"}, {.record = "r[]", .file = "r"}, DWORDS4("sr0", "sr0", 0),                         \
        DWORDS4("cr0", "cr0", 0), {.record = "sr0.2", .file = "ce"},                                                  \
        {.record = "ce", .file = "ce", .otherwise = "the dispatched channels (sr0.2) are taken as those that run"},   \
        {.record = "ip", .file = "ip"}, DWORDS3("n0", "n0", 0), WORDS4("tdr0", "tdr0"), WORDS("f0", "f", 0, 0, 0, 1), \
        WORDS("f1", "f", 1, 0, 0, 1), DWORDS8("acc0", "acc", 0), DWORDS8("acc1", "acc", 1)

static const struct gpudbg_dumped_register registers7[] = {REGISTERS, WORDS4("a0", "a0"), {.record = NULL}};
static const struct gpudbg_dumped_register registers12[] = {REGISTERS, WORDS8("a0", "a0"), {.record = NULL}};
const struct gpudbg_dumped gen7_dumped = {.mask = "ce", .launch = "simd=32", .registers = registers7};
const struct gpudbg_dumped gen12_dumped = {.mask = "ce", .launch = "simd=32", .registers = registers12};
