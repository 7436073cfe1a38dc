/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * eu_state.c: the registers of a thread in saved states (EU state records): NAME.N as they are addressed, in dwords, or
 * for flags, addresses and dependencies in words, two to a dword; the surfaces and samplers that a message uses, and
 * errors in them.
 */
#include "code/message.h"
#include "gen.h"
#include "gpudbg/endian.h"
#include <stdio.h>
#include <string.h>

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

/* Records do not show channels that wait elsewhere: all dispatched channels are taken as running.  ip comes after ce,
 * because it moves the channels that run. */
#define REGISTERS                                                                                                     \
    {.record = "ip", .file = "pc"}, {.record = "r[]", .file = "r"}, DWORDS4("sr0", "sr0", 0),                         \
        DWORDS4("cr0", "cr0", 0), {.record = "sr0.2", .file = "ce"},                                                  \
        {.record = "ce", .file = "ce", .otherwise = "the dispatched channels (sr0.2) are taken as those that run"},   \
        {.record = "ip", .file = "ip"}, DWORDS3("n0", "n0", 0), WORDS4("tdr0", "tdr0"), WORDS("f0", "f", 0, 0, 0, 1), \
        WORDS("f1", "f", 1, 0, 0, 1), DWORDS8("acc0", "acc", 0), DWORDS8("acc1", "acc", 1)

static const struct gpudbg_dumped_register registers_e1[] = {REGISTERS, WORDS4("a0", "a0"), {.record = NULL}};
static const struct gpudbg_dumped_register registers_e2[] = {REGISTERS, WORDS8("a0", "a0"), {.record = NULL}};
/* ---- Descriptors: entries of the tables that commands set ---- */

static bool field_of(const struct gpudbg_format *format, uint32_t word, const char *name, unsigned *value)
{
    struct gpudbg_field_iter it;
    uint8_t bytes[8] = {0};
    le_put(bytes, word, 4);
    for (gpudbg_word_fields(&it, format, bytes); gpudbg_next_field(&it);)
        if (strcmp(it.field->name, name) == 0) {
            *value = (unsigned)it.value;
            return true;
        }
    return false;
}

/* The surface, then the sampler, of a message.  Indices above the tables mean memory without a surface (messages.def).
 * If the index is in a0, no dump has the value of a0 at the time of the message. */
static bool used(const struct gpudbg_insn *insn, unsigned i, struct gpudbg_dumped_descriptor *d)
{
    enum { FIRST_SPECIAL = 240 }; /* binding table indices end below (PRM, binding table state) */
    struct gen_insn g;
    unsigned surface, sampler;
    if (!(insn->op->flags & GPUDBG_OP_MESSAGE)) return false;
    gen_unpack(insn, &g);
    *d = (struct gpudbg_dumped_descriptor){.view = 'T', .table = "BINDING_TABLE"};
    if (g.desc_is_reg) {
        snprintf(d->hidden, sizeof d->hidden, "the message's descriptor is in a0.%u", g.desc_reg / 2u);
        return !i && gen_function_has(g.eu, g.sfid, "surface");
    }
    const struct gen_request *m = gen_request_of(g.eu, g.sfid, g.desc);
    if (!m || !field_of(m->format, g.desc, "surface", &surface)) return false;
    const bool bindless = surface == GEN_BTI_BINDLESS && g.eu->bindless;
    if (surface >= FIRST_SPECIAL && !bindless) return false;
    d->first = surface;
    if (bindless && g.ex_desc_is_reg)
        snprintf(d->hidden, sizeof d->hidden, "the surface is bindless: a0.%u says where it lies", g.ex_desc_reg / 2u);
    else if (bindless)
        snprintf(d->hidden, sizeof d->hidden, "the surface is bindless");
    if (!i) return true;
    if (i > 1 || !field_of(m->format, g.desc, "sampler", &sampler)) return false;
    *d = (struct gpudbg_dumped_descriptor){.view = 'S', .first = sampler, .table = "SAMPLER_STATE"};
    return true;
}

enum { TYPE_BUFFER = 4, TYPE_STRUCTURED = 5, TYPE_RESERVED = 6, TYPE_NULL = 7 }; /* PRM, RENDER_SURFACE_STATE */

static unsigned surface_type(const uint8_t *bytes) { return le_u32(bytes) >> 29; }

/* A buffer's entries, less one, are spread over width (7 bits), height (14) and depth; each is pitch + 1 bytes. */
static bool range(bool long_address, const uint8_t *bytes, uint64_t *start, uint64_t *bytes_of)
{
    const uint32_t sizes = le_u32(bytes + 8), more = le_u32(bytes + 12);
    *start = long_address ? le_u64(bytes + 32) : le_u32(bytes + 4);
    *bytes_of = 0;
    if (surface_type(bytes) == TYPE_BUFFER || surface_type(bytes) == TYPE_STRUCTURED)
        *bytes_of = ((uint64_t)(sizes & 0x7f) + ((sizes >> 16 & 0x3fff) << 7) + ((uint64_t)(more >> 21) << 21) + 1) *
                    ((more & 0x3ffff) + 1);
    return surface_type(bytes) < TYPE_RESERVED;
}

static bool range_e1(char view, const uint8_t *bytes, uint64_t *start, uint64_t *n)
{
    return view == 'T' && range(false, bytes, start, n);
}

static bool range_e2(char view, const uint8_t *bytes, uint64_t *start, uint64_t *n)
{
    return view == 'T' && range(true, bytes, start, n);
}

static bool bad_surface(bool long_address, const uint8_t *bytes, char *buf, size_t size)
{
    uint64_t start, n, any = 0;
    for (unsigned i = 0; i < 32; i += 8) any |= le_u64(bytes + i);
    if (!any)
        snprintf(buf, size, "it is all zeros");
    else if (surface_type(bytes) == TYPE_RESERVED)
        snprintf(buf, size, "its type, 6, is reserved");
    else if (range(long_address, bytes, &start, &n) && !start)
        snprintf(buf, size, "its address is 0");
    else
        return false;
    return true;
}

static bool bad_e1(char view, const uint8_t *bytes, char *buf, size_t size)
{
    return view == 'T' && bad_surface(false, bytes, buf, size);
}

static bool bad_e2(char view, const uint8_t *bytes, char *buf, size_t size)
{
    return view == 'T' && bad_surface(true, bytes, buf, size);
}

/* ---- What a thread waits for ---- */

#define DEPENDS(i)                                                                                        \
    {                                                                                                     \
        .record = "tdr0." #i, .field = "VALID" #i, .words = "for the thread in tdr0." #i, .is_flag = true \
    }
static const struct gpudbg_dumped_wait waits[] = {
    DEPENDS(0), DEPENDS(1), DEPENDS(2), DEPENDS(3), DEPENDS(4), DEPENDS(5), DEPENDS(6), DEPENDS(7), {.record = NULL}};

const struct gpudbg_dumped gen_e1_dumped = {.mask = "ce",
    .launch = "simd=32",
    .registers = registers_e1,
    .waits = waits,
    .descriptor = used,
    .bad = bad_e1,
    .range = range_e1,
    .interlocked = true};
const struct gpudbg_dumped gen_e8_dumped = {.mask = "ce",
    .launch = "simd=32",
    .registers = registers_e2,
    .waits = waits,
    .descriptor = used,
    .bad = bad_e2,
    .range = range_e2,
    .interlocked = true};
const struct gpudbg_dumped gen_e2_dumped = {.mask = "ce",
    .launch = "simd=32",
    .registers = registers_e2,
    .waits = waits,
    .descriptor = used,
    .bad = bad_e2,
    .range = range_e2};
