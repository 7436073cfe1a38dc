/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packet.c: what packets of command processors have in common: parts of a payload, and one line of text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "gpudbg.h"
#include "gpudbg/text.h"

void gpudbg_packet_parts(struct gpudbg_insn *insn, const struct gpudbg_format *const *words, unsigned payload,
    const struct gpudbg_format *data)
{
    unsigned at = 0, alike;
    for (; at < payload && *words && insn->nparts + 1 < GPUDBG_PARTS; words += alike) {
        const unsigned dwords = words[0]->bits / 32, room = (payload - at) / dwords;
        for (alike = 1; words[alike] == words[0];) alike++;
        const bool repeats = !words[alike] && (words[0] == data || dwords > 1);
        const unsigned count = repeats || alike > room ? room : alike;
        if (!room) break;
        insn->parts[insn->nparts++] = (struct gpudbg_part){
            .format = words[0], .bit = 32 * (at + 1), .count = GPUDBG_PART_COUNT(count)};
        at += dwords * count;
    }
    if (at < payload)
        insn->parts[insn->nparts++] = (struct gpudbg_part){
            .format = data, .bit = 32 * (at + 1), .count = GPUDBG_PART_COUNT(payload - at)};
}

/* ---- Text ---- */

/* Of a header only what is not its shape; of a long payload only what is not zero. */
static bool tells(const struct gpudbg_field_iter *it, bool in_header, bool header, bool brief)
{
    const uint8_t kind = it->field->kind;
    if (strcmp(it->field->name, "-") == 0 || kind == GPUDBG_MBZ || (!it->value && (kind == GPUDBG_FLAG || brief)))
        return false;
    return !in_header ||
           (header && (kind == GPUDBG_FLAG || kind == GPUDBG_ENUM || (kind == GPUDBG_POINTER && it->value)));
}

#define BRIEF 16    /* fields of a payload that are shown with their zeros */
#define FOREMOST 12 /* of a long structure: the first ones say what it is */

static bool is_long(const struct gpudbg_insn *insn, const struct gpudbg_format *data)
{
    struct gpudbg_field_iter it;
    unsigned n = 0;
    const bool structure = insn->op->flags & GPUDBG_OP_STRUCTURE;
    for (gpudbg_insn_fields(&it, insn); n <= BRIEF && gpudbg_next_field(&it);)
        n += (it.bit || structure) && it.format != data && strcmp(it.field->name, "-") != 0 &&
             it.field->kind != GPUDBG_FLAG;
    return n > BRIEF;
}

int gpudbg_packet_text(const struct gpudbg_insn *insn, const char *more, bool header, const struct gpudbg_format *data,
    const struct gpudbg_format *silent, char *buf, size_t size)
{
    struct text line = text_in(buf, size);
    struct gpudbg_field_iter it;
    char meaning[256];
    unsigned ndata = 0, foremost = insn->op->flags & GPUDBG_OP_STRUCTURE ? FOREMOST : 0;
    const bool brief = is_long(insn, data);
    text_add(&line, "%s%s", insn->op->name, more);
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);) {
        const bool first = foremost && it.field->kind != GPUDBG_FLAG;
        foremost -= first;
        if (!tells(&it, it.bit == 0 && !(insn->op->flags & GPUDBG_OP_STRUCTURE), header,
                brief && !first && it.format != data) ||
            it.format == silent)
            continue;
        if (it.format == data) {
            if (++ndata <= 8) text_add(&line, " 0x%" PRIx64, it.value);
        } else if (it.field->kind == GPUDBG_FLAG) {
            text_add(&line, " %s", it.field->name);
        } else {
            gpudbg_field_meaning(it.field, insn, it.value, meaning, sizeof meaning);
            text_add(&line, " %s=%s", it.field->name, meaning);
        }
    }
    if (ndata > 8) text_add(&line, " and %u more", ndata - 8);
    return text_length(&line);
}
