/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores of expressions: to registers, memory, the pc and variables. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg/endian.h"
#include "eval/expr_parser.h"
#include "code/walk.h"
#include "eval/form.h"
#include "machine/machine.h"
#include "eval/typed.h"
#include "eval/value.h"

/* The pattern of `value` for a place of type `type`: a float goes into untyped bits as a float of that width. */
static uint64_t bits_for(const struct value *value, struct value_type type)
{
    if (value->type.kind == VALUE_FLOAT && type.kind != VALUE_FLOAT && type.bits >= 32) type.kind = VALUE_FLOAT;
    struct value converted = value_convert(value, type);
    return value_bits(&converted);
}

static bool assign_mask_bit(struct parser *p, const struct value *place, bool on)
{
    struct value all = *place;
    uint32_t words[2] = {0};
    all.mask_bit = false;
    size_t n = value_words(p->ev, p->wave, &all, words, 2, p->err);
    if (!n) return false;
    uint32_t bit = UINT32_C(1) << (place->lane & 31), *word = &words[place->lane / 32];
    *word = on ? *word | bit : *word & ~bit;
    return machine_set_register(p->ev->running->machine, p->wave, place->file, place->reg, 0, words, n, p->err);
}

/* The bits around the element stay. */
static bool assign_element(struct parser *p, const struct value *place, uint64_t pattern)
{
    const unsigned bits = place->type.bits;
    const uint64_t mask = (bits < 64 ? UINT64_C(1) << bits : 0) - 1;
    uint32_t words[2] = {0};
    const size_t n = value_words(p->ev, p->wave, place, words, bits > 32 ? 2 : 1, p->err);
    if (!n) return false;
    const uint64_t all = ((words[0] | (uint64_t)words[1] << 32) & ~(mask << place->shift)) | (pattern & mask)
                                                                                                 << place->shift;
    for (unsigned d = 0; d < 2; d++) words[d] = (uint32_t)(all >> 32 * d);
    return machine_set_register(
        p->ev->running->machine, p->wave, place->file, place->reg, place->first, words, n, p->err);
}

/* From now on the register shows the float, or the number below zero, that the user typed: he wrote it last.  Any other
 * number may be a pattern of bits, 0x447a0000, and shows as the register's type has it. */
static void keep_type(struct parser *p, const struct value *place, const struct value *value, uint32_t word)
{
    struct gpudbg_error ignored = {0};
    const struct gpudbg_regfile *file = &parser_isa(p)->files[place->file];
    const struct gpudbg_wave *w = machine_wave(p->ev->running->machine, p->wave, &ignored);
    if (!w || file->bits != 32 || file->mask || place->count != 1) return;
    const bool real = value->type.kind == VALUE_FLOAT || place->type.kind == VALUE_FLOAT, many = file->lanes > 1;
    if (!real && !(value->type.kind == VALUE_SIGNED && value->i < 0)) return;
    form_store(p->ev, w, place->file, place->reg, many ? place->lane : -1, many ? (unsigned)place->lanes : 1, word,
        form_named(real ? "f" : "d"));
}

static bool assign_register(struct parser *p, const struct value *place, const struct value *value)
{
    const struct gpudbg_regfile *file = &parser_isa(p)->files[place->file];
    unsigned each = (file->bits + 31u) / 32;
    bool many = file->lanes > 1;
    if (place->mask_bit) return assign_mask_bit(p, place, expr_true(value));
    if (place->part) return assign_element(p, place, bits_for(value, place->type));
    if (file->bits > 64 && value->type.kind == VALUE_FLOAT) {
        char name[64];
        gpudbg_register_name(file, place->reg, name, sizeof name);
        return gpudbg_fail(p->err, "syntax", "$%s has %u bits: a float goes to one of its elements, $%s.0:f = 1.5",
            name, file->bits, name);
    }
    uint64_t pattern = bits_for(value, place->type);
    if (place->type.kind == VALUE_SIGNED && place->type.bits < 32 && pattern >> (place->type.bits - 1))
        pattern |= UINT32_MAX << place->type.bits;
    const uint32_t above = value->type.kind == VALUE_SIGNED && value->i < 0 ? UINT32_MAX : 0;
    unsigned total = each * place->count;
    if (total > 2 && each < 2 &&
        pattern >> 32) /* of several registers; one of many bytes takes 64 bits, then the sign */
        return gpudbg_fail(p->err, "too-large", "$%s[%u:%u]: set at most two dwords at a time", file->name, place->reg,
            place->reg + place->count - 1u);
    for (int lane = 0; lane < (many ? place->lanes : 1); lane++)
        for (unsigned d = 0; d < total; d++) {
            uint32_t word = d < 2 ? (uint32_t)(pattern >> 32 * d) : above;
            unsigned first = d % each;
            if (many) first += (unsigned)(place->lane + lane) * file->bits / 32;
            if (!machine_set_register(
                    p->ev->running->machine, p->wave, place->file, place->reg + d / each, first, &word, 1, p->err))
                return false;
        }
    keep_type(p, place, value, (uint32_t)pattern);
    return true;
}

bool expr_store(struct parser *p, const struct value *place, const struct value *value)
{
    struct gpudbg_insn insn;
    uint8_t bytes[8];
    if (!(place->place == PLACE_VARIABLE && value->is_text) && !value_one(value, p->err)) return false;
    switch (place->place) {
    case PLACE_VARIABLE: {
        struct value kept = *value;
        typed_keep(p->ev, &kept);
        return value_set_variable(p->ev, place->name, &kept, p->err);
    }
    case PLACE_REGISTER:
        if (!p->ev->running->machine) break;
        return assign_register(p, place, value);
    case PLACE_PC:
        if (!p->ev->running->machine) break;
        if (!insn_at(p->ev->loaded->image, value->u, &insn))
            return gpudbg_fail(p->err, "out-of-range", "$pc: no instruction starts at 0x%" PRIx64, value->u);
        return machine_set_pc(p->ev->running->machine, p->wave, value->u, p->err);
    case PLACE_MEMORY: {
        if (!p->ev->running->machine) break;
        uint64_t bits = bits_for(value, place->type);
        le_put(bytes, bits, 8);
        const size_t low = place->above ? 4 : place->type.bits / 8u;
        if (place->many) { /* all of them, as one edit */
            uint8_t *all = xcalloc(place->elements, low);
            for (uint32_t i = 0; i < place->elements; i++) memcpy(all + i * low, bytes, low);
            const bool ok = machine_set_memory(
                p->ev->running->machine, p->wave, place->space, place->addr, all, place->elements * low, p->err);
            free(all);
            return ok;
        }
        return machine_set_memory(p->ev->running->machine, p->wave, place->space, place->addr, bytes, low, p->err) &&
               (!place->above || machine_set_memory(p->ev->running->machine, p->wave, place->space, place->above,
                                     bytes + 4, 4, p->err));
    }
    default: return gpudbg_fail(p->err, "syntax", "the left side of = must be a register, memory or a variable");
    }
    return gpudbg_fail(p->err, "no-launch", "nothing is launched: there is nothing to set");
}
