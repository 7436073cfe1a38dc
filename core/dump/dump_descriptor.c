/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dump/dump_descriptor.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "code/walk.h"
#include "dump/dump_place.h"
#include "gpudbg/endian.h"
#include "gpudbg/text.h"

/* Whether the dump has all bits of a field of a word. */
static bool has_field(const struct gpudbg_field_iter *it, uint64_t mask)
{
    struct gpudbg_field_iter of_mask;
    uint8_t bytes[8];
    le_put(bytes, ~mask, sizeof bytes);
    for (gpudbg_word_fields(&of_mask, it->format, bytes); gpudbg_next_field(&of_mask);)
        if (of_mask.field == it->field) return !of_mask.value;
    return false;
}

static const struct gpudbg_view *view_of(const struct gpudbg_isa *isa, char letter)
{
    for (const struct gpudbg_view *v = isa->traits.views; v && v->letter; v++)
        if (v->letter == letter) return v;
    return NULL;
}

static bool take(const struct gpudbg_dump_wave *w, const struct gpudbg_dumped_descriptor *at, uint8_t *bytes)
{
    memset(bytes, 0, DUMP_DESCRIPTOR_BYTES);
    for (unsigned i = 0; i < at->n; i++) {
        if (w->s.lanes != 1 || at->first + i >= w->s.count || !w->s.known[at->first + i]) return false;
        le_put(bytes + 4 * (size_t)i, w->s.values[at->first + i], 4);
    }
    return true;
}

bool dump_descriptor(
    const struct gpudbg_insn *insn, unsigned i, const struct gpudbg_dump_wave *w, struct dump_descriptor *d)
{
    const struct gpudbg_dumped *dumped = insn->isa->dumped;
    if (!dumped || !dumped->descriptor || !dumped->descriptor(insn, i, &d->at)) return false;
    if (!d->at.n || d->at.n > DUMP_DESCRIPTOR_BYTES / 4) return false;
    d->view = d->at.view ? view_of(insn->isa, d->at.view) : NULL;
    if (d->at.view && (!d->view || d->view->format->bits > 8 * DUMP_DESCRIPTOR_BYTES)) return false;
    d->known = take(w, &d->at, d->bytes);
    return true;
}

void dump_descriptor_text(const struct dump_descriptor *d, char *buf, size_t size)
{
    struct gpudbg_field_iter it;
    struct text t = text_in(buf, size);
    char meaning[96];
    if (!d->view) {
        text_add(&t, "0x%" PRIx64, le_u64(d->bytes));
        return;
    }
    for (gpudbg_word_fields(&it, d->view->format, d->bytes); gpudbg_next_field(&it);) {
        if (!it.value || strcmp(it.field->name, "-") == 0 || it.field->kind == GPUDBG_MBZ) continue;
        if (gpudbg_field_meaning(it.field, NULL, it.value, meaning, sizeof meaning) <= 0)
            snprintf(meaning, sizeof meaning, "0x%" PRIx64, it.value);
        text_add(&t, "%s%s %s", text_length(&t) ? ", " : "", it.field->name, meaning);
    }
}

bool dump_descriptor_bad(const struct gpudbg_isa *isa, const struct dump_descriptor *d, char *buf, size_t size)
{
    return isa->dumped->bad && isa->dumped->bad(d->at.view, d->bytes, buf, size);
}

bool dump_descriptor_range(
    const struct gpudbg_isa *isa, const struct dump_descriptor *d, uint64_t *start, uint64_t *bytes)
{
    return isa->dumped->range && isa->dumped->range(d->at.view, d->bytes, start, bytes);
}

/* ---- When registers hold them ---- */

static bool writes(const struct gpudbg_insn *other, const struct gpudbg_insn *insn)
{
    struct gpudbg_dumped_descriptor d;
    for (unsigned k = 0; k < other->noperands; k++) {
        const struct gpudbg_operand *o = &other->operands[k];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE) ||
            strcmp(insn->isa->files[o->file].name, "s") != 0)
            continue;
        for (unsigned i = 0; insn->isa->dumped->descriptor(insn, i, &d); i++)
            if (o->reg < d.first + d.n && d.first < o->reg + o->count) return true;
    }
    return false;
}

bool dump_descriptor_stays(const struct gpudbg_image *image, const struct gpudbg_insn *insn, uint64_t pc)
{
    const uint32_t leaves = GPUDBG_OP_BRANCH | GPUDBG_OP_CALL | GPUDBG_OP_RETURN | GPUDBG_OP_END;
    struct gpudbg_dumped_descriptor d;
    struct gpudbg_insn other;
    if (!insn->isa->dumped || !insn->isa->dumped->descriptor || !insn->isa->dumped->descriptor(insn, 0, &d))
        return false;
    const uint64_t to = insn->addr < pc ? pc : insn->addr;
    for (uint64_t at = insn->addr < pc ? insn->addr : pc; at < to; at += other.size)
        if (!insn_at(image, at, &other) || gpudbg_insn_does(&other) & leaves || writes(&other, insn)) return false;
    return true;
}

/* ---- What is under way ---- */

bool dump_wave_wait(const struct gpudbg_isa *isa, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w,
    const struct gpudbg_dumped_wait *row, uint64_t *value)
{
    struct gpudbg_record r;
    struct gpudbg_field_iter it;
    uint8_t bytes[8];
    const struct gpudbg_reg *reg = gpudbg_reg_named(gpudbg_dump_databases(d), isa->name, row->record);
    if (!reg || !dump_wave_register(d, w, row->record, &r)) return false;
    le_put(bytes, r.value, sizeof bytes);
    for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);)
        if (strcmp(it.field->name, row->field) == 0) {
            *value = it.value;
            return has_field(&it, r.mask);
        }
    return false;
}

bool dump_scalars_to_come(const struct gpudbg_isa *isa, const struct gpudbg_dump *d, const struct gpudbg_dump_wave *w)
{
    uint64_t value;
    for (const struct gpudbg_dumped_wait *row = isa->dumped->waits; row && row->record; row++)
        if (row->to_scalars && (!dump_wave_wait(isa, d, w, row, &value) || value)) return true;
    return false;
}
