/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "eval/typed.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/value.h"
#include "flow/typing.h"
#include "machine/literal.h"
#include "machine/machine.h"

#define KEPT_MOST 8

/* Code that was read for a wave: from the launch's kernel, or the function that it is in. */
struct typings {
    struct {
        const struct gpudbg_image *image;
        const uint8_t *bytes;
        uint64_t entry;
        struct typing *typing; /* NULL: it cannot be followed */
        bool too_large;        /* ... because there is too much of it */
    } kept[KEPT_MOST];
    unsigned n, next;
    bool said; /* that there is too much of it */
};

void typed_forget(struct eval *ev)
{
    for (unsigned i = 0; ev->typings && i < ev->typings->n; i++) typing_free(ev->typings->kept[i].typing);
    free(ev->typings);
    ev->typings = NULL;
}

static const struct gpudbg_section *section_at(const struct gpudbg_image *image, uint64_t addr)
{
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (s->bytes && s->flags & GPUDBG_CODE_BYTES && addr - s->addr < s->size) return s;
    }
    return NULL;
}

/* ---- What the launch gives ---- */

static uint16_t type_bits(struct literal_scalar scalar)
{
    static const uint16_t table[][4] = {{TYPING_U8, TYPING_U16, TYPING_U32, TYPING_U64},
        {TYPING_S8, TYPING_S16, TYPING_S32, TYPING_S64}, {0, TYPING_F16, TYPING_F32, TYPING_F64}};
    const unsigned kind = scalar.kind == 'f' ? 2 : scalar.kind == 'i' ? 1 : 0;
    return scalar.kind ? table[kind][scalar.size == 1 ? 0 : scalar.size == 2 ? 1 : scalar.size == 8 ? 3 : 2] : 0;
}

/* What a parameter points to, by the last word before the star: "global float *". */
static uint16_t pointed_types(const struct gpudbg_param *p)
{
    struct literal_scalar scalar = {0, 0};
    const char *star = p->type ? strchr(p->type, '*') : NULL, *end = star;
    char word[32];
    if (!star) return 0;
    while (end > p->type && end[-1] == ' ') end--;
    const char *from = end;
    while (from > p->type && (isalnum((unsigned char)from[-1]) || from[-1] == '_')) from--;
    snprintf(word, sizeof word, "%.*s", (int)(end - from), from);
    return literal_element(word, &scalar) ? type_bits(scalar) : 0;
}

static void put_argument(const struct gpudbg_param *p, struct typing_argument *a)
{
    *a = (struct typing_argument){.offset = p->offset, .size = p->size, .to = pointed_types(p)};
    if (p->kind == GPUDBG_PARAM_VALUE && !a->to && p->size <= 8)
        a->types = type_bits((struct literal_scalar){p->scalar, p->size < 8 ? 4 : 8});
}

/* Finds the register that holds the address of the arguments when a wave starts. */
static void find_arguments(const struct gpudbg_wave *w, struct typing_start *start)
{
    struct gpudbg_machine *m = w->machine;
    const struct gpudbg_isa *isa = m->isa;
    const struct gpudbg_segment *s = NULL;
    for (size_t i = 0; i < m->space[GPUDBG_GLOBAL].count && !s; i++) {
        const struct gpudbg_segment *at = m->space[GPUDBG_GLOBAL].segment[i];
        if (at->param < 0 && at->name && strcmp(at->name, "kernarg") == 0) s = at;
    }
    if (!s || isa->regions.elements) return;
    struct gpudbg_wave fresh = *w;
    fresh.words = aligned_alloc(64, ((size_t)m->wave_words * 4 + 127) & ~(size_t)63);
    if (!fresh.words) return;
    memset(fresh.words, 0, (size_t)m->wave_words * 4);
    isa->run->start(&fresh);
    for (unsigned f = 0; f < isa->nfiles && !start->arguments; f++) {
        if (isa->files[f].lanes > 1 || isa->files[f].bits != 32 || !isa->files[f].indexed) continue;
        for (unsigned r = 0; r + 1 < isa->run->count(m, f) && !start->arguments; r++) {
            size_t n;
            const uint32_t *low = machine_register(&fresh, f, r, &n), *up = machine_register(&fresh, f, r + 1, &n);
            if (!low || !up || (low[0] | (uint64_t)up[0] << 32) != s->base) continue;
            start->arguments = true;
            start->file = (uint8_t)f;
            start->at = r;
        }
    }
    free(fresh.words);
}

static struct typing *typing_make(const struct gpudbg_section *s, const struct gpudbg_wave *w,
    const struct gpudbg_kernel *k, uint64_t entry, bool *too_large)
{
    struct gpudbg_error err = {0};
    struct typing_start start = {.entry = entry};
    struct typing_argument *all = xcalloc(k ? k->nparams + 1 : 1, sizeof *all);
    start.argument = all;
    for (size_t i = 0; k && k->entry == entry && i < k->nparams; i++) put_argument(&k->params[i], &all[start.n++]);
    if (start.n) find_arguments(w, &start);
    struct typing *t = typing_new(w->machine->isa, s, &start, &err);
    *too_large = !t && err.kind && strcmp(err.kind, "too-large") == 0;
    free(all);
    return t;
}

/* ---- Code that was read ---- */

static struct typing *typing_from(
    struct eval *ev, const struct gpudbg_wave *w, const struct gpudbg_kernel *k, uint64_t entry)
{
    const struct gpudbg_image *image = w->machine->image;
    const struct gpudbg_section *s = section_at(image, entry);
    if (!s) return NULL;
    if (!ev->typings) ev->typings = xcalloc(1, sizeof *ev->typings);
    struct typings *t = ev->typings;
    for (unsigned i = 0; i < t->n; i++)
        if (t->kept[i].image == image && t->kept[i].entry == entry && t->kept[i].bytes == s->bytes)
            return t->kept[i].typing;
    const unsigned at = t->next++ % KEPT_MOST;
    if (at < t->n)
        typing_free(t->kept[at].typing);
    else
        t->n = at + 1;
    t->kept[at].image = image;
    t->kept[at].bytes = s->bytes;
    t->kept[at].entry = entry;
    t->kept[at].typing = typing_make(s, w, k, entry, &t->kept[at].too_large);
    return t->kept[at].typing;
}

/* The code that the wave is in. */
static struct typing *typing_for(struct eval *ev, const struct gpudbg_wave *w, bool behind)
{
    const struct gpudbg_machine *m = w->machine;
    const struct gpudbg_image *image = m->image;
    const struct gpudbg_kernel *k = m->launch ? m->launch->kernel : NULL;
    if (!image || image->isa != m->isa || (!m->isa->numbers && !m->isa->regions.elements)) return NULL;
    struct typing *t = k ? typing_from(ev, w, k, k->entry) : NULL;
    if (t && typing_has(t, w->pc, behind)) return t;
    const struct gpudbg_symbol *s = behind ? NULL : gpudbg_image_symbol_at(image, w->pc);
    t = s && s->kind != GPUDBG_SYM_OBJECT ? typing_from(ev, w, NULL, s->addr) : NULL;
    if (t && typing_has(t, w->pc, behind)) return t;
    t = behind ? NULL : typing_from(ev, w, NULL, w->pc);
    return t && typing_has(t, w->pc, behind) ? t : NULL;
}

bool typed_too_large(const struct eval *ev, const struct gpudbg_wave *w)
{
    for (unsigned i = 0; ev->typings && w && i < ev->typings->n; i++)
        if (ev->typings->kept[i].image == w->machine->image && ev->typings->kept[i].too_large) return true;
    return false;
}

bool typed_too_large_unsaid(const struct eval *ev, const struct gpudbg_wave *w)
{
    const bool unsaid = typed_too_large(ev, w) && !ev->typings->said;
    if (unsaid) ev->typings->said = true;
    return unsaid;
}

/* ---- Choosing ---- */

static const struct form whole = {"i", 4, 'i'}, high = {"high", 4, 'h'}, digits = {"digits", 4, 'm'};

#define INTEGERS \
    (TYPING_WHOLE | TYPING_U8 | TYPING_S8 | TYPING_U16 | TYPING_S16 | TYPING_U32 | TYPING_S32 | TYPING_U64 | TYPING_S64)
#define FLOATS (TYPING_F16 | TYPING_F32 | TYPING_F64)

/* The form of integers in a register of 32 bits, or in elements of a wide one. */
static const struct form *integer_form(unsigned set, bool elements)
{
    static const struct {
        uint16_t of, without;
        const char *name;
    } sizes[] = {{TYPING_U8, TYPING_S8, "ub"}, {TYPING_S8, TYPING_U8, "b"}, {TYPING_U16, TYPING_S16, "uw"},
        {TYPING_S16, TYPING_U16, "w"}, {TYPING_U64, TYPING_S64, "uq"}, {TYPING_S64, TYPING_U64, "q"}};
    for (size_t i = 0; elements && i < sizeof sizes / sizeof *sizes; i++)
        if ((set & INTEGERS) == sizes[i].of) return form_named(sizes[i].name);
    if (set & TYPING_DIGITS) return &digits;
    const unsigned plus = TYPING_U8 | TYPING_U16 | TYPING_U32, minus = TYPING_S8 | TYPING_S16 | TYPING_S32;
    if (set & TYPING_WHOLE || (set & plus && set & minus)) return &whole;
    return set & minus ? form_named("d") : set & plus ? form_named("ud") : NULL;
}

static const struct form *float_form(unsigned set)
{
    return form_named(set & TYPING_F64 ? "df" : set & TYPING_F32 ? "f" : "hf");
}

/* Of the types that a value may have, the one that suits it; n bytes. */
static const struct form *choose(struct typed of, bool left, const uint32_t *words, size_t n, bool elements)
{
    const unsigned set = left ? of.now | of.before : of.now;
    const struct form *real = set & FLOATS ? float_form(set) : NULL;
    const unsigned integers = (set | (real ? of.before : 0)) & (INTEGERS | TYPING_DIGITS);
    bool plausible = real && n >= real->size, zero = true;
    for (size_t at = 0; plausible && at + real->size <= n; at += real->size)
        plausible = form_plausible(real, (const uint8_t *)words + at);
    for (size_t i = 0; i < n / 4; i++) zero = zero && !words[i];
    if (real && integers && (!plausible || (zero && set & (INTEGERS | TYPING_DIGITS))))
        return integer_form(integers, elements);
    if (real) return real;
    if (set == TYPING_HIGH) return &high;
    return integer_form(set, elements);
}

/* ---- Asking ---- */

static bool left_over(struct gpudbg_wave *w, int lane)
{
    const struct gpudbg_runner *run = w->machine->isa->run;
    return lane >= 0 && lane < 64 && run->active && !(run->active(w) >> lane & 1);
}

/* Of a register that is wider than any number: one type for all of its elements, as far as they have one. */
static const struct form *wide_form(
    struct typing *t, const struct gpudbg_wave *w, bool behind, unsigned file, unsigned index, const uint32_t *words)
{
    const struct gpudbg_isa *isa = w->machine->isa;
    const unsigned units = gpudbg_use_units(isa, file), bytes = isa->files[file].bits / 8u;
    struct typed all = {0, 0, 0};
    if (!isa->regions.elements) return NULL;
    for (unsigned at = 0; at < units; at++) {
        const struct typed one = typing_of(t, w->pc, behind, file, index * units + at);
        if (!one.now) continue;
        if (all.now && (all.now & FLOATS ? 1 : 0) != (one.now & FLOATS ? 1 : 0)) return NULL;
        all.now |= one.now;
        all.before |= one.before;
        const struct form *form = choose(one, false, words, 0, true);
        if (form && form->size > 1) at += form->size - 1u;
    }
    const unsigned dwords = TYPING_U32 | TYPING_S32 | TYPING_WHOLE, set = all.now & ~(unsigned)FLOATS;
    if (__builtin_popcount(set) > 1 && set & ~dwords) { /* of several sizes: as dwords */
        if (!(set & dwords)) return NULL;
        all.now = (uint16_t)(set & dwords);
        all.before = 0;
    }
    return all.now ? choose(all, false, words, bytes, true) : NULL;
}

/* Of a wide register that no code types, and that still holds what the launch gave. */
static const struct form *launched_form(struct gpudbg_wave *w, unsigned file, unsigned index)
{
    const struct gpudbg_runner *run = w->machine->isa->run;
    char text[100];
    unsigned bits = 0;
    if (!run->holds || run->holds(w, file, index, &bits, text, sizeof text) <= 0) return NULL;
    return bits == 8 ? form_named("ub") : bits == 16 ? form_named("uw") : bits == 32 ? form_named("ud") : NULL;
}

/* `lane`: where the register has lanes; words: its dword there, or all dwords of a wide one. */
static const struct form *form_by_writer(
    struct eval *ev, struct gpudbg_wave *w, unsigned file, unsigned index, int lane, const uint32_t *words)
{
    const struct gpudbg_regfile *f = &w->machine->isa->files[file];
    if (f->mask || !words || (f->bits != 32 && f->bits < 128)) return NULL;
    const bool behind = w->state == GPUDBG_ENDED;
    struct typing *t = typing_for(ev, w, behind);
    if (!t) return NULL;
    if (f->bits != 32) {
        const struct form *form = wide_form(t, w, behind, file, index, words);
        return form ? form : launched_form(w, file, index);
    }
    const unsigned at = index * gpudbg_use_units(w->machine->isa, file);
    const struct typed of = typing_of(t, w->pc, behind, file, at);
    const bool left = f->lanes > 1 && !behind && left_over(w, lane);
    const struct typed above = typing_of(t, w->pc, behind, file, at + 1);
    const unsigned set = left ? of.now | of.before : of.now, set_above = left ? above.now | above.before : above.now;
    if (set & TYPING_F64 && set_above & TYPING_HIGH) {
        size_t n;
        const uint32_t *high_words = machine_register(w, file, index + 1, &n);
        const uint32_t both[2] = {words[0], high_words ? high_words[f->lanes > 1 && lane > 0 ? lane : 0] : 0};
        const unsigned pair = TYPING_F64 | TYPING_HIGH;
        const bool alone = !((set | of.before) & ~pair), zero = !both[0] && !both[1] && !(set & ~pair);
        if (alone || zero || (both[1] && form_plausible(form_named("df"), both))) return form_named("df");
    }
    struct typed single = of;
    single.now &= (uint16_t)~TYPING_F64;
    single.before &= (uint16_t)~TYPING_F64;
    return choose(single, left, words, 4, false);
}

const struct form *typed_form(
    struct eval *ev, struct gpudbg_wave *w, unsigned file, unsigned index, int lane, const uint32_t *words)
{
    const struct gpudbg_regfile *f = &w->machine->isa->files[file];
    const struct form *form = form_chosen(ev, w->machine->isa, file, index);
    if (!form && words && f->bits == 32 && !f->mask)
        form = form_stored(ev, w, file, index, f->lanes > 1 ? lane : -1, words[0]);
    return form ? form : form_by_writer(ev, w, file, index, lane, words);
}

const struct form *typed_form_of_lanes(struct eval *ev, struct gpudbg_wave *w, unsigned file, unsigned index,
    const uint32_t *words, size_t n, uint64_t counts)
{
    const struct form *form = form_chosen(ev, w->machine->isa, file, index);
    bool signs = false;
    if (form) return form;
    for (size_t i = 0; i < n; i++) {
        const int lane = (int)i;
        if (!(counts >> (i & 63) & 1) || n > 64) continue;
        const struct form *of = form_by_writer(ev, w, file, index, lane, &words[i]);
        if (of && (of->kind == 'f' || of->kind == 'd' || of->kind == 'h')) {
            if (!form || form->kind != 'f') form = of;
            continue;
        }
        signs = signs || (of && of->kind == 'i');
    }
    return form ? form : signs ? &whole : form_named("ud");
}

struct value_type typed_value_of(struct eval *ev, struct gpudbg_wave *w, const struct value *v, const uint32_t words[2])
{
    const struct value_type none = {0, 0};
    const struct gpudbg_regfile *f = &w->machine->isa->files[v->file];
    if (!v->whole || v->many || v->mask_bit || v->part || v->mask || f->bits != 32 || v->count > 2) return none;
    const struct form *form = typed_form(ev, w, v->file, v->reg, f->lanes > 1 ? v->lane : -1, words);
    if (!form || strchr("hxm", form->kind) || form->size != 4 * v->count) return none;
    const bool sign = form->kind == 'd' || (form->kind == 'i' && words[0] > (uint32_t)-FORM_SMALL_NEGATIVE);
    const enum value_kind kind = form->kind == 'f' ? VALUE_FLOAT : sign ? VALUE_SIGNED : VALUE_UNSIGNED;
    return (struct value_type){(uint8_t)kind, (uint8_t)(8 * form->size)};
}

struct value_type typed_value(struct eval *ev, uint32_t wave, const struct value *v)
{
    struct gpudbg_machine *m = ev->running->machine;
    struct gpudbg_error ignored = {0};
    uint32_t words[2] = {0, 0};
    struct gpudbg_wave *w = m && v->place == PLACE_REGISTER && v->whole && !v->many && !v->mask
                                ? machine_wave(m, wave, &ignored)
                                : NULL;
    const bool known = w && v->count <= 2 && value_words(ev, wave, v, words, v->count, &ignored);
    return known ? typed_value_of(ev, w, v, words) : (struct value_type){0, 0};
}

bool typed_digits(struct eval *ev, uint32_t wave, const struct value *v)
{
    struct gpudbg_machine *m = ev->running->machine;
    struct gpudbg_error ignored = {0};
    uint32_t word;
    const bool one = m && v->place == PLACE_REGISTER && v->whole && !v->many && !v->mask && !v->mask_bit && !v->part &&
                     v->count == 1 && m->isa->files[v->file].bits == 32 && m->isa->files[v->file].lanes <= 1;
    struct gpudbg_wave *w = one ? machine_wave(m, wave, &ignored) : NULL;
    if (!w || value_words(ev, wave, v, &word, 1, &ignored) != 1) return false;
    const struct form *form = typed_form(ev, w, v->file, v->reg, -1, &word);
    return form && form->kind == 'm';
}

void typed_keep(struct eval *ev, struct value *v)
{
    const struct value_type shown = typed_value(ev, ev->selection->wave, v);
    if (shown.bits) v->shown = shown;
    v->digits = v->digits || typed_digits(ev, ev->selection->wave, v);
}

const char *typed_name(const struct form *form)
{
    static const struct {
        const char *form, *type;
    } names[] = {{"ub", "u8"}, {"b", "i8"}, {"uw", "u16"}, {"w", "i16"}, {"ud", "u32"}, {"d", "i32"}, {"uq", "u64"},
        {"q", "i64"}, {"hf", "f16"}, {"f", "f32"}, {"df", "f64"}, {"i", "i32"}};
    for (size_t i = 0; form && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].form, form->name) == 0) return names[i].type;
    return NULL;
}
