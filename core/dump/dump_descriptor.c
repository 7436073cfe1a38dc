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

static bool from_registers(const struct gpudbg_insn *insn, const struct gpudbg_dump_wave *w, struct dump_descriptor *d)
{
    if (!d->at.n || d->at.n > DUMP_DESCRIPTOR_BYTES / 4) return false;
    d->view = d->at.view ? view_of(insn->isa, d->at.view) : NULL;
    if (d->at.view && (!d->view || d->view->format->bits > 8 * DUMP_DESCRIPTOR_BYTES)) return false;
    d->known = take(w, &d->at, d->bytes);
    return true;
}

static void from_table(const struct dump_program *p, struct dump_descriptor *d)
{
    d->program = p;
    snprintf(d->missing, sizeof d->missing, "%s", d->at.hidden);
    if (d->at.hidden[0]) return;
    d->known = dump_program_entry(p, d->at.table, d->at.first, &d->entry, d->missing, sizeof d->missing);
    if (d->known) memcpy(d->bytes, d->entry.bytes, sizeof d->entry.bytes);
}

static bool asked(const struct gpudbg_insn *insn, unsigned i, struct dump_descriptor *d)
{
    const struct gpudbg_dumped *dumped = insn->isa->dumped;
    *d = (struct dump_descriptor){.known = false};
    return dumped && dumped->descriptor && dumped->descriptor(insn, i, &d->at);
}

bool dump_descriptor(const struct gpudbg_insn *insn, unsigned i, size_t which, const struct dump_holder *holder,
    struct dump_descriptor *d)
{
    uint64_t pc;
    if (!asked(insn, i, d)) return false;
    if (!d->at.table) return !which && from_registers(insn, holder->w, d);
    if (!dump_wave_pc(insn->isa, holder->d, holder->w, &pc)) return false;
    const struct dump_program *p = dump_program_at(holder->programs, insn->isa, pc, which);
    if (p || d->at.hidden[0])
        from_table(p, d);
    else
        snprintf(d->missing, sizeof d->missing,
            "no command of an open dump starts code that holds 0x%" PRIx64 ", so its %s is not known", pc, d->at.table);
    return p || !which;
}

bool dump_descriptor_of_program(
    const struct gpudbg_insn *insn, unsigned i, const struct dump_program *p, struct dump_descriptor *d)
{
    if (!asked(insn, i, d) || !d->at.table) return false;
    from_table(p, d);
    return true;
}

void dump_descriptor_place(const struct dump_descriptor *d, char *buf, size_t size)
{
    if (d->at.hidden[0])
        snprintf(buf, size, "%s", d->at.table);
    else if (d->at.table)
        snprintf(buf, size, "entry %u of %s", d->at.first, d->at.table);
    else
        snprintf(buf, size, "s[%u:%u]", d->at.first, d->at.first + d->at.n - 1);
}

void dump_descriptor_kind(const struct dump_descriptor *d, char *buf, size_t size)
{
    if (d->at.table)
        snprintf(buf, size, "%s", d->known ? d->entry.structure : "not known");
    else
        snprintf(
            buf, size, "%.*s", d->view ? (int)strcspn(d->view->name, ",") : 7, d->view ? d->view->name : "address");
}

void dump_fields_text(
    struct text *t, const struct gpudbg_format *format, const struct gpudbg_insn *of, const uint8_t *bytes)
{
    struct gpudbg_field_iter it;
    char meaning[96];
    for (gpudbg_word_fields(&it, format, bytes); gpudbg_next_field(&it);) {
        if (!it.value || strcmp(it.field->name, "-") == 0 || it.field->kind == GPUDBG_MBZ) continue;
        if (gpudbg_field_meaning(it.field, of, it.value, meaning, sizeof meaning) <= 0)
            snprintf(meaning, sizeof meaning, "0x%" PRIx64, it.value);
        text_add(t, "%s%s %s", text_length(t) ? ", " : "", it.field->name, meaning);
    }
}

void dump_descriptor_text(const struct dump_descriptor *d, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    size_t at = 0;
    const struct gpudbg_insn structure = {.isa = d->program ? d->program->commands : NULL,
        .databases = d->program ? gpudbg_dump_databases(d->program->d) : NULL};
    if (d->at.table)
        for (size_t i = 0; d->known && d->entry.words[i] && at < d->entry.size; at += d->entry.words[i++]->bits / 8)
            dump_fields_text(&t, d->entry.words[i], d->program ? &structure : NULL, d->bytes + at);
    else if (d->view)
        dump_fields_text(&t, d->view->format, NULL, d->bytes);
    else
        text_add(&t, "0x%" PRIx64, le_u64(d->bytes));
}

bool dump_descriptor_bad(const struct gpudbg_isa *isa, const struct dump_descriptor *d, char *buf, size_t size)
{
    return d->known && isa->dumped->bad && isa->dumped->bad(d->at.view, d->bytes, buf, size);
}

bool dump_descriptor_range(
    const struct gpudbg_isa *isa, const struct dump_descriptor *d, uint64_t *start, uint64_t *bytes)
{
    return d->known && isa->dumped->range && isa->dumped->range(d->at.view, d->bytes, start, bytes);
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
        for (unsigned i = 0; insn->isa->dumped->descriptor(insn, i, &d) && !d.table; i++)
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
    if (!dump_wave_register(d, w, row->record, &r)) return false;
    const struct gpudbg_reg *reg = gpudbg_dump_reg(d, &r); /* by the family: isa may be for waves of one size */
    if (!reg) reg = gpudbg_reg_named(gpudbg_dump_databases(d), isa->name, row->record);
    if (!reg) return false;
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
