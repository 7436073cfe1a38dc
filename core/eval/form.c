/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "eval/form.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/value.h"
#include "gpudbg/text.h"

static const struct form table[] = {
    {"a", 4, 'a'},
    {"x", 4, 'x'},
    {"ub", 1, 'u'},
    {"b", 1, 'd'},
    {"uw", 2, 'u'},
    {"w", 2, 'd'},
    {"ud", 4, 'u'},
    {"d", 4, 'd'},
    {"uq", 8, 'u'},
    {"q", 8, 'd'},
    {"hf", 2, 'f'},
    {"f", 4, 'f'},
    {"df", 8, 'f'},
};
#define FORMS (sizeof table / sizeof *table)

const struct form *form_at(size_t i) { return i < FORMS ? &table[i] : NULL; }

const struct form *form_named(const char *name)
{
    if (!strcmp(name, "u")) name = "ud";
    if (!strcmp(name, "p")) name = "df";
    for (size_t i = 0; i < FORMS; i++)
        if (!strcmp(table[i].name, name)) return &table[i];
    return NULL;
}

const char *form_names(void) { return "a x ub b uw w ud d uq q hf f df"; }

int form_text(const struct form *form, const void *bytes, char *buf, size_t size)
{
    uint64_t bits = 0;
    memcpy(&bits, bytes, form->size);
    if (form->kind == 'x' || form->kind == 'a' || form->kind == 'h')
        return snprintf(buf, size, "%0*" PRIx64, 2 * form->size, bits);
    if (form->kind == 'm') return snprintf(buf, size, "0x%0*" PRIx64, 2 * form->size, bits);
    const bool sign = form->kind == 'd' || (form->kind == 'i' && bits > (uint32_t)-FORM_SMALL_NEGATIVE);
    const enum value_kind kind = form->kind == 'f' ? VALUE_FLOAT : sign ? VALUE_SIGNED : VALUE_UNSIGNED;
    struct value v = {.type = {(uint8_t)kind, (uint8_t)(8 * form->size)}};
    value_set_bits(&v, bits);
    return value_text(NULL, &v, 0, buf, size);
}

int form_elements(const struct form *form, const void *bytes, size_t n, const char *between, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (size_t at = 0; at + form->size <= n; at += form->size) {
        if (at) text_add(&t, "%s", between);
        text_wrote(&t, form_text(form, (const uint8_t *)bytes + at, text_end(&t), text_room(&t)));
    }
    return text_length(&t);
}

bool form_plausible(const struct form *form, const void *bytes)
{
    /* Bits of the fraction, and how far an ordinary exponent is from the middle. */
    const unsigned fraction = form->size == 8 ? 52 : form->size == 4 ? 23 : 10;
    const unsigned middle = form->size == 8 ? 1023 : form->size == 4 ? 127 : 15;
    const unsigned far = form->size == 8 ? 200 : form->size == 4 ? 40 : 14;
    uint64_t bits = 0;
    memcpy(&bits, bytes, form->size);
    bits &= (UINT64_C(1) << (8 * form->size - 1)) - 1; /* without its sign */
    const uint64_t exponent = bits >> fraction;
    return !bits || (exponent > middle - far && exponent < middle + far) ||
           bits == (uint64_t)(2 * middle + 1) << fraction;
}

/* ---- Those that the user chose ---- */

struct forms {
    struct chosen {
        const struct gpudbg_isa *isa;
        unsigned file, index;
        const struct form *form;
    } * chosen;
    size_t n;
    struct stored {
        const struct gpudbg_machine *machine;
        uint32_t wave, word;
        uint16_t file, index;
        int16_t lane;
        uint16_t lanes;
        const struct form *form;
    } stored[FORMS_STORED];
    unsigned nstored, next; /* how many; where the next one goes */
};

static struct forms *forms_of(struct eval *ev)
{
    if (!ev->forms) ev->forms = xcalloc(1, sizeof *ev->forms);
    return ev->forms;
}

static struct chosen *find(const struct forms *f, const struct gpudbg_isa *isa, unsigned file, unsigned index)
{
    for (size_t i = 0; f && i < f->n; i++)
        if (f->chosen[i].isa == isa && f->chosen[i].file == file && f->chosen[i].index == index) return &f->chosen[i];
    return NULL;
}

const struct form *form_chosen(const struct eval *ev, const struct gpudbg_isa *isa, unsigned file, unsigned index)
{
    const struct chosen *c = find(ev->forms, isa, file, index);
    return c ? c->form : NULL;
}

void form_choose(struct eval *ev, const struct gpudbg_isa *isa, unsigned file, unsigned index, const struct form *form)
{
    struct chosen *c = find(ev->forms, isa, file, index);
    const bool forget = !form || form->kind == 'a';
    if (forget && c) *c = ev->forms->chosen[--ev->forms->n];
    if (forget) return;
    struct forms *f = forms_of(ev);
    if (!c) {
        f->chosen = xrealloc(f->chosen, f->n + 1, sizeof *f->chosen);
        c = &f->chosen[f->n++];
    }
    *c = (struct chosen){isa, file, index, form};
}

void form_store(struct eval *ev, const struct gpudbg_wave *w, unsigned file, unsigned index, int lane, unsigned lanes,
    uint32_t word, const struct form *form)
{
    struct forms *f = forms_of(ev);
    f->stored[f->next] = (struct stored){.machine = w->machine,
        .wave = w->id,
        .word = word,
        .file = (uint16_t)file,
        .index = (uint16_t)index,
        .lane = (int16_t)lane,
        .lanes = (uint16_t)lanes,
        .form = form};
    f->next = (f->next + 1) % FORMS_STORED;
    if (f->nstored < FORMS_STORED) f->nstored++;
}

const struct form *form_stored(
    const struct eval *ev, const struct gpudbg_wave *w, unsigned file, unsigned index, int lane, uint32_t word)
{
    const struct forms *f = ev->forms;
    for (unsigned i = 1; f && i <= f->nstored; i++) { /* the last one first: what it replaced may be back */
        const struct stored *s = &f->stored[(f->next + FORMS_STORED - i) % FORMS_STORED];
        if (s->machine != w->machine || s->wave != w->id || s->file != file || s->index != index) continue;
        if (lane < s->lane || lane >= s->lane + (int)s->lanes) continue;
        if (s->word == word) return s->form;
    }
    return NULL;
}

void forms_free(struct forms *f)
{
    if (f) free(f->chosen);
    free(f);
}
