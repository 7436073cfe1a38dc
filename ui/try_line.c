/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "try_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/form.h"
#include "machine/machine.h"
#include "session/session.h"
#include "gpudbg/text.h"

#define INPUTS 16

/* What is written so far; the text of a register is written once. */
struct line {
    const struct gpudbg_isa *isa;
    struct gpudbg_wave *wave; /* NULL: nothing is launched */
    struct text text;
    struct {
        unsigned file, reg;
    } done[INPUTS];
    unsigned n;
};

/* false: it was written before, or there is no room. */
static bool begin(struct line *l, unsigned file, unsigned reg)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->done[i].file == file && l->done[i].reg == reg) return false;
    if (l->n == INPUTS) return false;
    l->done[l->n].file = file;
    l->done[l->n++].reg = reg;
    return true;
}

/* The value that all lanes have that run; false: they differ, or nobody has the register. */
static bool same_value(const struct line *l, unsigned file, unsigned reg, uint64_t *value)
{
    const struct gpudbg_regfile *f = &l->isa->files[file];
    size_t n;
    const uint32_t *words = l->wave ? machine_register(l->wave, file, reg, &n) : NULL;
    *value = 0;
    if (!l->wave) return true;
    if (!words) return false;
    if (f->lanes <= 1) {
        *value = words[0] | (f->bits == 64 ? (uint64_t)words[1] << 32 : 0);
        return true;
    }
    const uint64_t active = l->isa->run->active(l->wave);
    if (!active) return false;
    *value = words[__builtin_ctzll(active)];
    for (unsigned lane = 0; lane < f->lanes; lane++)
        if (active >> lane & 1 && words[lane] != *value) return false;
    return true;
}

/* Not a constant of the program. */
static bool is_state(const struct line *l, unsigned file, unsigned reg)
{
    size_t n;
    const struct gpudbg_wave *w = l->wave;
    const uint32_t *words = w ? machine_register(l->wave, file, reg, &n) : NULL;
    return !words || ((uintptr_t)words >= (uintptr_t)w->words &&
                         (uintptr_t)words < (uintptr_t)(w->words + w->machine->wave_words));
}

static bool is_float(const struct gpudbg_insn *insn, unsigned operand)
{
    uint32_t which;
    return insn->isa->floats && insn->isa->floats(insn, operand, &which) == 32;
}

static void add_value(struct line *l, uint64_t value, const char *type)
{
    const struct form *form = form_named(type);
    char number[64] = "";
    if (form && form->kind == 'f' && form_plausible(form, &value)) form_text(form, &value, number, sizeof number);
    if (*number && !strpbrk(number, ".en"))
        text_add(&l->text, "=%s.0", number);
    else if (*number)
        text_add(&l->text, "=%s", number);
    else
        text_add(&l->text, value < 10 ? "=%" PRIu64 : "=0x%" PRIx64, value);
}

/* A register, or two that are one number. */
static void add_register(struct line *l, unsigned file, unsigned reg, unsigned count, const char *type)
{
    const struct gpudbg_regfile *f = &l->isa->files[file];
    uint64_t value, high = 0;
    char name[64];
    if (!is_state(l, file, reg)) return;
    if (!same_value(l, file, reg, &value) || (count == 2 && !same_value(l, file, reg + 1, &high))) return;
    if (!begin(l, file, reg)) return;
    gpudbg_register_name(f, reg, name, sizeof name);
    if (count == 2)
        text_add(&l->text, " %s[%u:%u]", f->name, reg, reg + 1);
    else
        text_add(&l->text, " %s", name);
    add_value(l, value | high << 32, type);
}

static void add_operand(struct line *l, const struct gpudbg_insn *insn, unsigned i)
{
    const struct gpudbg_operand *o = &insn->operands[i];
    if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ) || o->file >= l->isa->nfiles || o->index >= 0) return;
    const struct gpudbg_regfile *f = &l->isa->files[o->file];
    const unsigned count = o->count ? o->count : 1;
    const char *mask = l->isa->alone ? l->isa->alone->mask : NULL;
    if (f->bits > 64 || (o->flags & GPUDBG_IMPLICIT && mask && strcmp(f->name, mask) == 0)) return;
    if (count == 2 && f->bits == 32 && !f->parts) {
        add_register(l, o->file, o->reg, 2, "");
        return;
    }
    for (unsigned k = 0; k < count; k++) add_register(l, o->file, o->reg + k, 1, is_float(insn, i) ? "f" : "");
}

/* The elements of one wide register, or one number where all are equal. */
static void add_elements(struct line *l, unsigned file, unsigned reg, const char *type)
{
    const struct gpudbg_regfile *f = &l->isa->files[file];
    const struct form *form = form_named(type);
    size_t dwords;
    const uint8_t *bytes = l->wave ? (const uint8_t *)machine_register(l->wave, file, reg, &dwords) : NULL;
    const size_t n = f->bits / 8u;
    char name[64], text[600];
    if (!form || form->kind == 'a' || !begin(l, file, reg)) return;
    bool equal = true;
    for (size_t at = form->size; bytes && at < n; at++) equal &= bytes[at] == bytes[at - form->size];
    gpudbg_register_name(f, reg, name, sizeof name);
    text_add(&l->text, " %s:%s=", name, form->name);
    if (bytes && form_elements(form, bytes, equal ? form->size : n, ",", text, sizeof text) > 0)
        text_add(&l->text, "%s", text);
    else
        text_add(&l->text, "0");
}

static bool add_footprints(struct line *l, const struct gpudbg_insn *insn)
{
    if (!l->isa->regions.elements) return false;
    struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
    const unsigned n = l->isa->regions.elements(insn, l->wave, f, GPUDBG_FOOTPRINTS);
    for (unsigned i = 0; i < n; i++) {
        const unsigned bytes = f[i].file < l->isa->nfiles ? l->isa->files[f[i].file].bits / 8u : 0;
        if (strcmp(f[i].role, "dst") == 0 || bytes < 16) continue;
        for (unsigned k = 0; k < f[i].n; k++)
            if (f[i].element[k].at >= 0)
                add_elements(l, f[i].file, (unsigned)f[i].element[k].at / bytes, *f[i].type ? f[i].type : "ud");
    }
    free(f);
    return n;
}

int try_line(struct gpudbg *g, const struct gpudbg_insn *insn, char *buf, size_t size)
{
    const unsigned syntax = settings_syntax(&g->settings, insn->isa);
    struct gpudbg_wave *w = gpudbg_session_wave(g);
    char code[512];
    if (insn->isa->text(insn, syntax, GPUDBG_ASSEMBLER, NULL, code, sizeof code) < 0)
        insn->isa->text(insn, syntax, GPUDBG_READABLE, NULL, code, sizeof code);
    const bool now = w && w->machine->isa == insn->isa && w->state != GPUDBG_ENDED;
    struct line l = {.isa = insn->isa, .wave = now ? w : NULL, .text = text_in(buf, size)};
    text_add(&l.text, "try %s ", code);
    if (!insn->isa->alone || !insn->isa->alone->before) text_add(&l.text, " pc=0x%" PRIx64, insn->addr);
    const bool regions = add_footprints(&l, insn);
    for (unsigned i = 0; i < insn->noperands; i++)
        if (!regions || insn->isa->files[insn->operands[i].file].bits <= 64) add_operand(&l, insn, i);
    if (now) text_add(&l.text, " start=now");
    return text_length(&l.text);
}
