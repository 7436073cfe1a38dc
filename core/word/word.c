/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * word.c: bits cut into named fields.  Everything that shows a word, an instruction, a register or a descriptor walks
 * it here, so text, field pane and JSON cannot disagree.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "gpudbg.h"
#include "gpudbg/lanes.h"
#include "gpudbg/text.h"

uint64_t gpudbg_bits(const uint8_t *bytes, uint32_t bit, const struct gpudbg_run *run)
{
    uint64_t value = 0;
    unsigned at = 0;
    for (unsigned r = 0; r < GPUDBG_RUNS && run[r].len; r++) {
        for (unsigned done = 0; done < run[r].len && at < 64;) {
            uint32_t from = bit + run[r].lo + done;
            unsigned in_byte = from & 7, take = 8 - in_byte;
            if (take > run[r].len - done) take = run[r].len - done;
            value |= ((uint64_t)(bytes[from >> 3] >> in_byte) & ((1u << take) - 1)) << at;
            done += take;
            at += take;
        }
    }
    return value;
}

const char *gpudbg_enum_name(const struct gpudbg_enum *names, uint64_t value)
{
    if (names)
        for (size_t i = 0; i < names->count; i++)
            if (names->values[i].value == value ||
                (names->last && names->values[i].value < value && value <= names->last[i]))
                return names->values[i].name;
    return NULL;
}

static unsigned field_width(const struct gpudbg_field *field)
{
    unsigned width = 0;
    for (unsigned r = 0; r < GPUDBG_RUNS && field->run[r].len; r++) width += field->run[r].len;
    return width;
}

/* Names of the bits that are set, "INVALID|OVERFLOW"; bits without a name in hex. */
static int bits_meaning(const struct gpudbg_enum *names, uint64_t value, char *buf, size_t size)
{
    uint64_t left = value;
    struct text t = text_in(buf, size);
    if (!value) return snprintf(buf, size, "none");
    for (size_t i = 0; names && i < names->count && !text_is_cut(&t); i++) {
        if (!names->values[i].value || (left & names->values[i].value) != names->values[i].value) continue;
        left &= ~names->values[i].value;
        text_add(&t, "%s%s", t.n ? "|" : "", names->values[i].name);
    }
    if (left) text_add(&t, "%s0x%" PRIx64, t.n ? "|" : "", left);
    return text_length(&t);
}

static const struct gpudbg_enum *database_enum(const struct gpudbg_insn *insn, const char *name)
{
    return gpudbg_enum_named(
        insn->databases, insn->isa->traits.database ? insn->isa->traits.database : insn->isa->name, name);
}

int gpudbg_field_meaning(
    const struct gpudbg_field *field, const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    unsigned width = field_width(field);
    const char *name;
    const struct gpudbg_enum *names;
    if (size) buf[0] = 0;
    if (field->describe) {
        int n = field->describe(insn, value, buf, size);
        if (n) return n;
    }
    switch ((enum gpudbg_field_kind)field->kind) {
    case GPUDBG_OPCODE:
        if (insn && insn->op) return snprintf(buf, size, "%s", insn->op->name);
        return snprintf(buf, size, "no such opcode");
    case GPUDBG_ENUM:
        names = field->meaning;
        if (!names->count && !(insn && insn->databases && (names = database_enum(insn, names->name))))
            break; /* only a number */
        name = gpudbg_enum_name(names, value);
        return snprintf(buf, size, "%s", name ? name : "undefined");
    case GPUDBG_BITS: return bits_meaning(field->meaning, value, buf, size);
    case GPUDBG_POINTER:
    case GPUDBG_TARGET: return snprintf(buf, size, "0x%" PRIx64, value << field->scale);
    case GPUDBG_BUSY: return snprintf(buf, size, "%s", value ? "busy" : "idle");
    case GPUDBG_DONE: return snprintf(buf, size, "%s", value ? "idle" : "busy");
    case GPUDBG_FLAG: return snprintf(buf, size, "%s", value ? "yes" : "no");
    case GPUDBG_MBZ: return snprintf(buf, size, "%s", value ? "reserved, should be 0" : "reserved");
    case GPUDBG_SINT: {
        int64_t s = width && width < 64 ? (int64_t)(value << (64 - width)) >> (64 - width) : (int64_t)value;
        return snprintf(buf, size, "%" PRId64, s * ((int64_t)1 << field->scale));
    }
    case GPUDBG_FLOAT:
        return snprintf(buf, size, "%.9g",
            width == 16 ? (double)lanes_f32(lanes_f32_from_f16((uint16_t)value, true))
                        : (double)lanes_f32((uint32_t)value));
    case GPUDBG_UINT:
    case GPUDBG_OPERAND: break;
    }
    return snprintf(buf, size, "%" PRIu64, value << field->scale);
}

/* ---- Walking ---- */

static void start_part(struct gpudbg_field_iter *it)
{
    it->next = 0;
    memset(it->claimed, 0, sizeof it->claimed);
    if (it->insn) {
        const struct gpudbg_part *part = &it->insn->parts[it->part];
        it->format = part->format;
        it->derived = part->derived;
        it->bit = part->bit + it->repeat * part->format->bits;
        if (part->derived) {
            it->bit = part->bit;
            for (unsigned i = 0; i < 16; i++) it->word[i] = (uint8_t)(it->insn->derived[i / 8] >> (i % 8 * 8));
        }
    }
}

void gpudbg_insn_fields(struct gpudbg_field_iter *it, const struct gpudbg_insn *insn)
{
    memset(it, 0, sizeof *it);
    if (!insn->nparts) return;
    it->insn = insn;
    it->bytes = insn->raw;
    start_part(it);
}

void gpudbg_word_fields(struct gpudbg_field_iter *it, const struct gpudbg_format *format, const uint8_t *bytes)
{
    memset(it, 0, sizeof *it);
    it->format = format;
    it->bytes = bytes;
}

static bool claimed(const struct gpudbg_field_iter *it, unsigned bit)
{
    return it->claimed[bit >> 6] >> (bit & 63) & 1;
}

static void claim(struct gpudbg_field_iter *it, const struct gpudbg_run *run)
{
    for (unsigned r = 0; r < GPUDBG_RUNS && run[r].len; r++)
        for (unsigned b = run[r].lo; b < (unsigned)run[r].lo + run[r].len; b++)
            it->claimed[b >> 6] |= (uint64_t)1 << (b & 63);
}

/* The next run of bits that no field has claimed, at most 64 of them. */
static bool next_hole(struct gpudbg_field_iter *it)
{
    unsigned lo = 0, len = 0, bits = it->format->bits;
    while (lo < bits && claimed(it, lo)) lo++;
    if (lo == bits) return false;
    while (lo + len < bits && len < 64 && !claimed(it, lo + len)) len++;
    it->hole = (struct gpudbg_field){
        .name = "-", .run = {{(uint8_t)lo, (uint8_t)len}}, .kind = GPUDBG_MBZ, .doc = "no field claims these bits"};
    it->field = &it->hole;
    return true;
}

static bool next_part(struct gpudbg_field_iter *it)
{
    if (!it->insn) return false;
    if (++it->repeat >= it->insn->parts[it->part].count) {
        it->repeat = 0;
        if (++it->part >= it->insn->nparts) return false;
    }
    start_part(it);
    return true;
}

bool gpudbg_next_field(struct gpudbg_field_iter *it)
{
    if (!it->format) return false;
    for (;;) {
        if (it->next < it->format->count)
            it->field = &it->format->fields[it->next++];
        else if (!next_hole(it)) {
            if (next_part(it)) continue;
            it->format = NULL;
            return false;
        }
        claim(it, it->field->run);
        it->value = gpudbg_bits(it->derived ? it->word : it->bytes, it->bit, it->field->run);
        return true;
    }
}

/* ---- Decoding with data as the fall-back ---- */

static const struct gpudbg_format data_word = {
    .name = "DATA", .source = "-", .doc = "bytes that are no instruction", .bits = 32};
static const struct gpudbg_format data_byte = {
    .name = "DATA", .source = "-", .doc = "bytes that are no instruction", .bits = 8};

bool gpudbg_insn_at(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    out->databases = NULL;
    int size = isa->decode(isa, p, n, addr, out);
    if (size > 0) return true;
    size_t unit = size == GPUDBG_ILLEGAL && out->size && out->size <= n ? out->size : isa->align;
    if (unit > n) unit = n;
    const struct gpudbg_part seen = size == GPUDBG_ILLEGAL && out->nparts ? out->parts[0] : (struct gpudbg_part){0};
    out->addr = addr;
    out->isa = isa;
    out->op = NULL;
    out->raw = p;
    out->size = (uint32_t)unit;
    out->noperands = 0;
    out->nparts = 1;
    if (seen.format && seen.format->bits == unit * 8) {
        out->parts[0] = seen; /* an instruction by its layout, without a meaning: its fields still tell something */
    } else if (seen.format && seen.format->bits == 32 && unit % 4 == 0 && unit > 4) {
        out->parts[out->nparts++] = (struct gpudbg_part){
            &data_word, 32, GPUDBG_PART_COUNT((uint32_t)(unit / 4 - 1)), false};
        out->parts[0] = seen; /* ... and so does a packet's header */
    } else
        out->parts[0] = unit % 4 == 0
                            ? (struct gpudbg_part){&data_word, 0, GPUDBG_PART_COUNT((uint32_t)(unit / 4)), false}
                            : (struct gpudbg_part){&data_byte, 0, GPUDBG_PART_COUNT((uint32_t)unit), false};
    return false;
}
