/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "registers_shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "eval/value.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "machine/unknown.h"

const uint32_t *register_words(struct gpudbg *g, unsigned file, unsigned index)
{
    struct gpudbg_wave *wave = gpudbg_session_wave(g);
    const struct gpudbg_isa *isa = g->running.machine ? g->running.machine->isa : NULL;
    if (!wave || !wave->words || !isa || !isa->run || file >= isa->nfiles || !machine_kept(g->running.machine, file))
        return NULL;
    size_t n;
    return unknown_is(wave, file, index) ? NULL : machine_register(wave, file, index, &n);
}

int register_wide_file(struct gpudbg *g)
{
    const struct gpudbg_isa *isa = g->running.machine ? g->running.machine->isa : NULL;
    for (unsigned i = 0; isa && i < isa->nfiles; i++)
        if (isa->files[i].lanes <= 1 && isa->files[i].indexed && isa->files[i].bits >= 128 && isa->files[i].count != 1)
            return (int)i;
    return -1;
}

unsigned register_count(struct gpudbg *g, unsigned file)
{
    const struct gpudbg_isa *isa = g->running.machine ? g->running.machine->isa : NULL;
    if (!isa || !isa->run || file >= isa->nfiles) return 0;
    return isa->run->count(g->running.machine, file);
}

int register_name(struct gpudbg *g, unsigned file, unsigned index, char *buf, size_t size)
{
    const struct gpudbg_isa *isa = g->running.machine ? g->running.machine->isa
                                   : g->loaded.image  ? g->loaded.image->isa
                                                      : NULL;
    if (!isa || file >= isa->nfiles) return snprintf(buf, size, "?");
    return gpudbg_register_name(&isa->files[file], index, buf, size);
}

/* First dword of the lane's part of a register. */
static size_t lane_dword(const struct gpudbg_regfile *f, int lane)
{
    return f->lanes > 1 && lane > 0 ? ((size_t)lane * f->bits + 31) / 32 : 0;
}

int register_hex(struct gpudbg *g, unsigned file, unsigned index, int lane, char *buf, size_t size)
{
    const uint32_t *words = register_words(g, file, index);
    if (!words) return snprintf(buf, size, "?");
    const struct gpudbg_regfile *f = &g->running.machine->isa->files[file];
    words += lane_dword(f, lane);
    const char *prefix = value_in_hex(f) ? "0x" : ""; /* one notation, wherever they are */
    const uint64_t value = words[0] | (f->bits > 32 ? (uint64_t)words[1] << 32 : 0);
    const unsigned shown = f->mask ? value_mask_bits(g->running.machine, f->bits, value) : f->bits;
    return snprintf(buf, size, "%s%0*" PRIx64, prefix, (int)(shown + 3) / 4, value);
}

int register_typed(
    struct gpudbg *g, unsigned file, unsigned index, unsigned count, int lane, int w, char *buf, size_t size)
{
    const struct cells ascii = {.utf8 = false};
    const uint32_t *words = register_words(g, file, index),
                   *high = count > 1 ? register_words(g, file, index + 1) : words;
    if (!words || !high) return snprintf(buf, size, "?");
    const struct gpudbg_regfile *f = &g->running.machine->isa->files[file];
    const size_t at = lane_dword(f, lane);
    const uint32_t both[2] = {words[at], high[at]};
    const struct form *form = f->mask || f->bits != 32 ? NULL
                                                       : form_chosen(&g->eval, g->running.machine->isa, file, index);
    if (!form && !f->mask && f->bits == 32)
        form = typed_form(&g->eval, gpudbg_session_wave(g), file, index, f->lanes > 1 ? lane : -1, both);
    if (form && form->size == 4 * count) {
        pane_elements(&ascii, form, both, form->size, w, buf, size);
        return (int)strlen(buf);
    }
    const bool number = !value_in_hex(f) && f->bits == 32;
    if (number && count == 1) { /* what nobody says, as `print` shows it */
        pane_elements(&ascii, form_named("ud"), both, 4, w, buf, size);
        return (int)strlen(buf);
    }
    struct text t = text_in(buf, size);
    if (number) text_add(&t, "0x"); /* a pair: an address or a mask */
    for (unsigned k = count; k-- > 0;)
        text_wrote(&t, register_hex(g, file, index + k, lane, text_end(&t), text_room(&t)));
    return text_length(&t);
}

bool register_changed(struct screen *s, unsigned file, unsigned index, int lane)
{
    const uint32_t *words = register_words(s->g, file, index);
    if (!words) return false;
    const struct gpudbg_regfile *f = &s->g->running.machine->isa->files[file];
    size_t each = (f->bits + 31u) / 32;
    if (lane < 0) return before_changed(&s->settled, s->g, words, each * (f->lanes ? f->lanes : 1));
    return before_changed(&s->settled, s->g, words + lane_dword(f, lane), each);
}

const struct form *register_form(struct gpudbg *g, unsigned file, unsigned index, const struct form *of_pane)
{
    const struct form *chosen = g->running.machine ? form_chosen(&g->eval, g->running.machine->isa, file, index) : NULL;
    if (chosen || of_pane) return chosen ? chosen : of_pane;
    struct gpudbg_wave *wave = gpudbg_session_wave(g);
    const uint32_t *words = register_words(g, file, index);
    return words ? typed_form(&g->eval, wave, file, index, g->selection.lane, words) : NULL;
}

const struct form *register_lanes_form(
    struct gpudbg *g, unsigned file, unsigned index, uint64_t counts, const struct form *of_pane)
{
    const uint32_t *words = register_words(g, file, index);
    const struct gpudbg_regfile *f = words ? &g->running.machine->isa->files[file] : NULL;
    const struct form *chosen = f ? form_chosen(&g->eval, g->running.machine->isa, file, index) : NULL;
    if (chosen || of_pane) return chosen ? chosen : of_pane;
    if (!f) return form_named("x");
    return typed_form_of_lanes(&g->eval, gpudbg_session_wave(g), file, index, words, f->lanes, counts);
}

const struct form *register_lane_form(
    struct gpudbg *g, unsigned file, unsigned index, int lane, const struct form *of_pane, const struct form *of_row)
{
    const uint32_t *words = register_words(g, file, index);
    if (of_pane || !words || form_chosen(&g->eval, g->running.machine->isa, file, index)) return of_row;
    const struct form *own = typed_form(&g->eval, gpudbg_session_wave(g), file, index, lane, &words[lane]);
    return own ? own : form_named("ud");
}

const char *registers_missing(struct gpudbg *g, char *buf, size_t size)
{
    struct gpudbg_error err = {0};
    if (!g->running.machine)
        return g->loaded.image && g->loaded.image->nkernels ? "not launched yet: press s" : "nothing is launched";
    if (machine_wave(g->running.machine, g->selection.wave, &err)) return NULL;
    snprintf(buf, size, "%s", err.message);
    return buf;
}

static bool chosen(const struct register_choice *c, unsigned index)
{
    for (int i = 0; i < c->count; i++)
        if (c->index[i] == index) return true;
    return false;
}

/* Puts a register in front of all others. */
static void choose(struct register_choice *c, unsigned index)
{
    int at = 0;
    while (at < c->count && c->index[at] != index) at++;
    if (at == 256)
        at--;
    else if (at == c->count)
        c->count++;
    memmove(c->index + 1, c->index, (size_t)at * sizeof *c->index);
    c->index[0] = (uint16_t)index;
}

/* Puts the registers that the next instruction names in front: those that it reads, then those that it writes. */
static void choose_operands(struct screen *s, unsigned file, unsigned count, struct register_choice *c)
{
    struct gpudbg_wave *wave = gpudbg_session_wave(s->g);
    struct gpudbg_insn insn, own;
    const struct gpudbg_insn *now = wave && code_insn(s, wave->pc, &insn) ? machine_actual(wave, &insn, &own) : NULL;
    for (int reads = 0; now && reads < 2; reads++) /* those that are read last: they come to stand in front */
        for (int i = now->noperands - 1; i >= 0; i--) {
            const struct gpudbg_operand *o = &now->operands[i];
            if (o->kind != GPUDBG_REGISTER || o->file != file || (o->flags & GPUDBG_IMPLICIT)) continue;
            if (((o->flags & GPUDBG_READ) != 0) != reads) continue;
            for (unsigned k = o->count; k-- > 0;)
                if (o->reg + k < count) choose(c, o->reg + k);
        }
}

/* Puts those that changed in front of all others: first those that are named anyway, then by number. */
static void choose_changed(struct screen *s, unsigned file, unsigned count, struct register_choice *c)
{
    struct register_choice sorted = {.count = 0};
    bool changed[1024];
    if (count > 1024) return; /* constants of a buffer */
    for (unsigned i = 0; i < count; i++) {
        changed[i] = register_changed(s, file, i, -1);
        sorted.changed += changed[i];
    }
    for (int i = 0; i < c->count; i++)
        if (changed[c->index[i]]) sorted.index[sorted.count++] = c->index[i];
    for (unsigned i = 0; i < count && sorted.count < 256; i++)
        if (changed[i] && !chosen(c, i)) sorted.index[sorted.count++] = (uint16_t)i;
    for (int i = 0; i < c->count && sorted.count < 256; i++)
        if (!changed[c->index[i]]) sorted.index[sorted.count++] = c->index[i];
    *c = sorted;
}

void registers_choose(struct screen *s, unsigned file, struct register_choice *c, int n)
{
    const unsigned count = register_count(s->g, file);
    int kept = 0;
    if (n > 256) n = 256;
    for (int i = 0; i < c->count; i++) /* another launch may have fewer */
        if (c->index[i] < count) c->index[kept++] = c->index[i];
    c->count = kept;
    c->changed = 0;
    choose_operands(s, file, count, c);
    choose_changed(s, file, count, c);
    if (c->count > n) c->count = n;
    for (unsigned i = 0; i < count && c->count < n; i++)
        if (!chosen(c, i)) c->index[c->count++] = (uint16_t)i;
}

const char *register_cast(const struct form *form)
{
    static const char *const floats[] = {[2] = "(f16)", [4] = "(f32)"}, *const integers[] = {[4] = "(i32)"};
    if (form->kind == 'f' && form->size <= 4) return floats[form->size];
    return form->kind == 'd' && form->size == 4 ? integers[4] : "";
}

bool register_unchosen(struct gpudbg_error *err)
{
    return gpudbg_fail(err, "not-now", "nothing here has just changed: choose a value with the arrow keys first");
}
