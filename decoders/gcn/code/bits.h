/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bits.h: the bits of a field, by the names of its layout and of the field.  GET(word, MUBUF, vdata) is the number in
 * the field vdata of a MUBUF word.  Positions are written only in formats.def, descriptors.def and registers.def; other
 * names do not compile, and all positions are constants.
 *
 * A word is an integer, or dwords in a row, lowest first: the two of an instruction, or a descriptor in SGPRs.
 */
#ifndef GCN_BITS_H
#define GCN_BITS_H

#include <stdint.h>

/* "hi:lo" is the second half of a conditional expression: 0 chooses lo, 1 chooses hi. */
#define RANGE_LO(range) (0 ? range)
#define RANGE_LEN(range) ((1 ? range) - (0 ? range) + 1)

/* A structure for each layout, with a member for each field; the member's sizes are the field's position.  There are no
 * objects of these structures. */
#define FORMAT(layout, word, bits, mask, match, doc) struct gcn_bits_##layout {
#define FIELD(name, range, how, doc)                         \
    struct {                                                 \
        char lo[RANGE_LO(range) + 1], len[RANGE_LEN(range)]; \
    } name;
#define REST(range, how, doc)
/* clang-format off */
#define END };
/* clang-format on */
#include "formats.def"
#define FORMAT(layout, word, bits, mask, match, doc) struct gcn_bits_##layout {
#define FIELD(name, range, how, doc)                         \
    struct {                                                 \
        char lo[RANGE_LO(range) + 1], len[RANGE_LEN(range)]; \
    } name;
#define REST(range, how, doc)
#define REST_AS(name, range, how, doc) FIELD(name, range, how, doc)
/* clang-format off */
#define END };
/* clang-format on */
#include "descriptors.def"
#define FORMAT(layout, word, bits, mask, match, doc) struct gcn_bits_##layout {
#define FIELD(name, range, how, doc)                         \
    struct {                                                 \
        char lo[RANGE_LO(range) + 1], len[RANGE_LEN(range)]; \
    } name;
/* clang-format off */
#define END };
/* clang-format on */
#include "registers.def"

#define FIELD_OF(layout, name) (((const struct gcn_bits_##layout *)0)->name)
#define LO_OF(layout, name) ((unsigned)sizeof FIELD_OF(layout, name).lo - 1)
#define LEN_OF(layout, name) ((unsigned)sizeof FIELD_OF(layout, name).len)
#define ONES(len) ((UINT64_C(2) << ((len)-1)) - 1)

static inline uint32_t gcn_bits(uint64_t word, unsigned lo, unsigned len) { return (uint32_t)(word >> lo & ONES(len)); }

static inline uint64_t gcn_bits_of_dwords(const uint32_t *dword, unsigned lo, unsigned len)
{
    uint64_t bits = dword[lo / 32] >> lo % 32;
    if (lo % 32 + len > 32) bits |= (uint64_t)dword[lo / 32 + 1] << (32 - lo % 32);
    return bits & ONES(len);
}

static inline uint32_t gcn_dword_bits(const uint32_t *dword, unsigned lo, unsigned len)
{
    return (uint32_t)gcn_bits_of_dwords(dword, lo, len);
}

/* Puts a value into a field that is 0 and spans at most two dwords. */
static inline void gcn_set_dword_bits(uint32_t *dword, unsigned lo, unsigned len, uint64_t value)
{
    const uint64_t bits = value & ONES(len);
    dword[lo / 32] |= (uint32_t)(bits << lo % 32);
    if (lo % 32 + len > 32) dword[lo / 32 + 1] |= (uint32_t)(bits >> (32 - lo % 32));
}

/* The number in a field, of at most 32 bits. */
#define GET(word, layout, name) \
    (_Generic((word), uint32_t *: gcn_dword_bits, const uint32_t *: gcn_dword_bits, default: gcn_bits)( \
        word, LO_OF(layout, name), LEN_OF(layout, name)))
/* The same for a field of dwords, which may be longer. */
#define GET_LONG(dwords, layout, name) gcn_bits_of_dwords(dwords, LO_OF(layout, name), LEN_OF(layout, name))
#define SET(dwords, layout, name, value) \
    gcn_set_dword_bits(dwords, LO_OF(layout, name), LEN_OF(layout, name), (uint64_t)(value))
/* MASK: all bits of a field in a word of 64 bits.  IN_PLACE: a value moved to the place of its field, which was 0. */
#define MASK(layout, name) (ONES(LEN_OF(layout, name)) << LO_OF(layout, name))
#define IN_PLACE(value, layout, name) ((uint64_t)(value) << LO_OF(layout, name))

#endif
