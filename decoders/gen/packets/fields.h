/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fields.h: what the rows of batch.def and of state.def are as fields, and the enumerations that they bring. */
#ifndef FIELDS_H
#define FIELDS_H

#include "gen.h"
#include <inttypes.h>
#include <stdio.h>

/* A number with `fraction` bits behind the point; it has a sign if `bits` is not 0, and that many bits. */
static inline int fixed_text(uint64_t value, unsigned bits, unsigned fraction, char *buf, size_t size)
{
    const double whole = bits && value >> (bits - 1) & 1 ? -(double)((UINT64_C(1) << bits) - value) : (double)value;
    return snprintf(buf, size, "%g", whole / (double)(UINT64_C(1) << fraction));
}
#define FIXED_TEXT(id, bits_, fraction)                                                         \
    static int say_##id(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size) \
    {                                                                                           \
        (void)insn;                                                                             \
        return fixed_text(value, bits_, fraction, buf, size);                                   \
    }
#define NAMED_ENUM(id, name_) \
    static const struct gpudbg_enum id##_enum = {.name = name_, .source = "PRM, enumerations"};
#define V(value, meaning) {value, meaning, NULL},
#define OWN_ENUM(id, from, ...)                                     \
    static const struct gpudbg_value id##_values[] = {__VA_ARGS__}; \
    static const struct gpudbg_enum id##_enum = {.name = #id,       \
        .source = "PRM, " from,                                     \
        .values = id##_values,                                      \
        .count = sizeof id##_values / sizeof *id##_values};

#define F(name_, hi_, lo_, kind_) {.name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_##kind_},
#define E(name_, hi_, lo_, enum_) \
    {.name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_ENUM, .meaning = &enum_##_enum},
#define A(name_, hi_, lo_) {.name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_POINTER, .scale = lo_ % 32},
#define X(name_, hi_, lo_, format_) \
    {.name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_UINT, .describe = say_##format_},
/* A layout of so many bits. */
#define FIELDS(id, bits_, source_, doc_, ...)                       \
    static const struct gpudbg_field fields_##id[] = {__VA_ARGS__}; \
    static const struct gpudbg_format word_##id = {.name = #id,     \
        .source = source_,                                          \
        .doc = doc_,                                                \
        .bits = bits_,                                              \
        .fields = fields_##id,                                      \
        .count = sizeof fields_##id / sizeof *fields_##id};

#endif
