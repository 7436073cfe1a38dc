/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values and addresses as commands show them; see show.h. */
#include "image/image.h"
#include "eval/form.h"
#include "eval/typed.h"
#include "eval/show.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/machine.h"
#include "gpudbg/text.h"

#define WORDS_MAX 2048 /* 32 registers of 64 lanes */

/* ---- The text of a value, which may be of many lanes or registers ---- */

/* A register of more bits than a number has: all of its elements are shown. */
static bool is_wide(const struct eval *ev, const struct value *v)
{
    return v->place == PLACE_REGISTER && !v->mask_bit && !v->part && ev->running->machine &&
           ev->running->machine->isa->files[v->file].lanes <= 1 && ev->running->machine->isa->files[v->file].bits > 64;
}

struct elements {
    uint32_t words[WORDS_MAX];
    uint8_t *bytes; /* of memory, malloc'ed; NULL: those are in `words` */
    size_t count;
    unsigned bits; /* of one */
    struct value_type type;
};

/* false with an error: they cannot be read. */
static bool load_elements(struct eval *ev, const struct value *v, struct elements *e, struct gpudbg_error *err)
{
    e->type = v->type;
    e->bytes = NULL;
    if (v->place == PLACE_MEMORY) {
        e->bits = v->type.bits;
        e->count = v->elements;
        e->bytes = xcalloc(v->elements, v->type.bits / 8u);
        if (value_read_memory(ev, ev->selection->wave, v->space, v->addr, e->bytes, e->count * e->bits / 8, err))
            return true;
        free(e->bytes);
        e->bytes = NULL;
        return false;
    }
    size_t n = value_words(ev, ev->selection->wave, v, e->words, WORDS_MAX, err);
    const bool wide = is_wide(ev, v);
    e->bits = wide ? v->whole ? 32 : v->type.bits : v->type.bits > 32 && v->count <= 2 ? 64 : 32;
    if (wide ? v->whole : e->bits == 32 && e->type.bits == 64) e->type.bits = 32;
    e->count = n * 32 / e->bits;
    return n != 0;
}

static struct value element(const struct value *v, const struct elements *e, size_t i)
{
    struct value one = {.type = e->type, .place = v->place, .address = v->address};
    uint64_t bits = 0;
    memcpy(&bits, (e->bytes ? e->bytes : (const uint8_t *)e->words) + i * e->bits / 8, e->bits / 8);
    value_set_bits(&one, bits);
    return one;
}

void show_size(const struct eval *ev, struct value *v, char letter, unsigned size)
{
    if (!is_wide(ev, v) || (!size && letter != 'f')) return;
    v->type.bits = size ? (uint8_t)(8 * size) : v->whole ? 32 : v->type.bits;
    v->whole = false;
}

static void add_value(const struct eval *ev, const struct value *v, char letter, struct text *t)
{
    text_wrote(t, value_text(ev, v, letter, text_end(t), text_room(t)));
}

static size_t elements_text(
    const struct eval *ev, const struct value *v, const struct elements *all, char letter, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    text_add(&t, "{");
    for (size_t i = 0; i < all->count; i++) {
        const struct value e = element(v, all, i);
        text_add(&t, i ? ", " : "");
        add_value(ev, &e, letter, &t);
    }
    text_add(&t, "}");
    return t.n;
}

/* A bare register: its words, lane after lane, and the form of each (NULL: it is not known). */
struct bare {
    uint32_t words[WORDS_MAX];
    const struct form *form[WORDS_MAX];
    size_t n, step; /* words; of a register */
    unsigned count; /* registers */
    bool any;
    bool doubles; /* one register was named, and a lane of it begins a double: each has two words */
    bool digits;  /* pairs that are no one number: all of their digits */
};

static void bare_forms(struct eval *ev, struct gpudbg_wave *w, const struct value *v, struct bare *b)
{
    const struct gpudbg_regfile *f = &w->machine->isa->files[v->file];
    b->any = b->doubles = false;
    for (size_t i = 0; i < b->n; i += b->step) {
        const size_t element = i / b->step;
        const int lane = f->lanes > 1 ? v->lane + (int)(element / v->count) : -1;
        const struct form *form = typed_form(
            ev, w, v->file, v->reg + (unsigned)(element % v->count), lane, &b->words[i]);
        b->form[i] = form && form->kind != 'h' ? form : NULL;
        b->any = b->any || b->form[i];
        b->doubles = b->doubles || (v->count == 1 && f->bits == 32 && form && form->size == 8);
    }
    b->digits = v->count == 2 && b->step == 1 && f->bits == 32 && (!b->form[0] || b->form[0]->size != 8) &&
                !form_chosen(ev, w->machine->isa, v->file, v->reg);
}

/* false: it is no bare register, its form is not known, or it cannot be read. */
static bool bare_read(struct eval *ev, const struct value *v, struct bare *b)
{
    struct gpudbg_machine *m = ev->running->machine;
    struct gpudbg_error ignored = {0};
    if (!m || v->place != PLACE_REGISTER || !v->whole || v->mask_bit || v->part) return false;
    const struct gpudbg_regfile *f = &m->isa->files[v->file];
    struct gpudbg_wave *w = machine_wave(m, ev->selection->wave, &ignored);
    if (!w || f->mask || (f->bits != 32 && f->bits < 128)) return false;
    struct value all = *v;
    b->step = (f->bits + 31u) / 32;
    b->n = value_words(ev, ev->selection->wave, &all, b->words, WORDS_MAX, &ignored);
    bare_forms(ev, w, &all, b);
    if (b->doubles) {
        all.count = 2;
        b->n = value_words(ev, ev->selection->wave, &all, b->words, WORDS_MAX, &ignored);
        bare_forms(ev, w, &all, b);
        b->doubles = true;
        b->digits = false;
    }
    b->count = all.count;
    /* A pair is one number, unless the user wants it otherwise. */
    return b->digits ? v->lanes > 1 : b->any;
}

/* The text of word i and of those that belong to it, which are counted. */
static size_t bare_element(const struct bare *b, size_t i, struct text *t)
{
    const struct form *form = b->form[i], *plain = form_named("ud");
    if (b->digits) {
        text_add(t, "0x%08" PRIx32 "%08" PRIx32, b->words[i + 1], b->words[i]);
        return 2;
    }
    if (b->step > 1) {
        text_wrote(t, form_elements(form ? form : plain, &b->words[i], 4 * b->step, ", ", text_end(t), text_room(t)));
        return b->step;
    }
    if (form && form->size == 8 && i % b->count + 1 < b->count) {
        text_wrote(t, form_text(form, &b->words[i], text_end(t), text_room(t)));
        return 2;
    }
    if (!form || form->size == 8) form = plain;
    text_wrote(t, form_elements(form, &b->words[i], 4, ", ", text_end(t), text_room(t)));
    return b->doubles ? 2 : 1;
}

static char *bare_elements(const struct bare *b)
{
    const size_t room = 48 * 4 * b->n + 8; /* a byte's text is shorter than that */
    size_t elements = 0;
    char *text = xalloc(room);
    struct text t = text_in(text, room);
    text_add(&t, "{");
    for (size_t i = 0; i < b->n; elements++) {
        if (i) text_add(&t, ", ");
        i += bare_element(b, i, &t);
    }
    const bool several = elements > 1 || b->step > 1 || (b->form[0] && b->form[0]->size < 4);
    text_add(&t, "}");
    if (!several) {
        memmove(text, text + 1, strlen(text));
        text[strlen(text) - 1] = 0;
    }
    return text;
}

static char *bare_text(struct eval *ev, const struct value *v)
{
    struct bare *b = xalloc(sizeof *b);
    char *text = bare_read(ev, v, b) ? bare_elements(b) : NULL;
    free(b);
    return text;
}

char *show_held(struct eval *ev, struct gpudbg_wave *w, const struct value *v, const uint32_t *words, size_t n)
{
    const struct gpudbg_regfile *f = &w->machine->isa->files[v->file];
    struct bare *b = xcalloc(1, sizeof *b);
    char *text = NULL;
    b->step = (f->bits + 31u) / 32;
    b->count = v->count;
    b->n = n < WORDS_MAX ? n - n % b->step : 0;
    memcpy(b->words, words, 4 * b->n);
    if (b->n && (f->bits == 32 || f->bits >= 128)) {
        bare_forms(ev, w, v, b);
        text = bare_elements(b);
    }
    free(b);
    return text;
}

/* The type of a bare register, where all of it has one; NULL: it is what the expression says. */
static const char *bare_type(struct eval *ev, const struct value *v)
{
    struct bare *b = xalloc(sizeof *b);
    const struct form *one = NULL;
    if (bare_read(ev, v, b) && !b->digits) {
        one = b->form[0];
        const size_t step = one && one->size == 8 && b->step == 1 ? 2 : b->step;
        for (size_t i = step; i < b->n; i += step)
            if (b->form[i] != one) one = NULL;
    }
    free(b);
    return typed_name(one);
}

#define TEXT_USUAL 4096 /* what is longer is written twice: symbols have names of any length */

char *show_text(struct eval *ev, const struct value *v, char letter, struct gpudbg_error *err)
{
    struct elements all = {.count = 0};
    char *bare = letter ? NULL : bare_text(ev, v);
    if (bare) return bare;
    if (v->many && !load_elements(ev, v, &all, err)) return NULL;
    char *buf = NULL;
    for (size_t size = 0, want = TEXT_USUAL; size < want;) {
        buf = xrealloc(buf, size = want, 1);
        want = 1 +
               (v->many ? elements_text(ev, v, &all, letter, buf, size) : (size_t)value_text(ev, v, letter, buf, size));
    }
    free(all.bytes);
    return buf;
}

/* The type of the value, or of one of its elements where it has many. */
static const char *element_type(
    struct eval *ev, const struct value *v, const struct elements *all, char *buf, size_t size)
{
    static const char *const kinds[] = {"u", "i", "f"};
    const char *named = v->is_text ? "text" : bare_type(ev, v);
    if (named) return named;
    snprintf(buf, size, "%s%u", kinds[v->type.kind], all->count ? all->type.bits : v->type.bits);
    return buf;
}

void show_type(struct eval *ev, const struct value *v, char *buf, size_t size)
{
    struct elements *all = xcalloc(1, sizeof *all);
    struct gpudbg_error ignored = {0};
    char type[8];
    if (!v->many || !load_elements(ev, v, all, &ignored)) all->count = 0;
    const char *name = element_type(ev, v, all, type, sizeof type);
    const unsigned long bits = strtoul(name + strcspn(name, "123456789"), NULL, 10);
    if (all->count && bits) /* elements of a register may have another size than those that were loaded */
        snprintf(buf, size, "%s[%zu]", name, all->count * all->bits / bits);
    else
        snprintf(buf, size, "%s", name);
    free(all->bytes);
    free(all);
}

void show_members(struct eval *ev, struct gpudbg_out *out, const struct value *v, const char *text)
{
    struct elements all = {.type = v->type};
    struct gpudbg_error err = {0};
    char type[8];
    const bool many = v->many && load_elements(ev, v, &all, &err);
    gpudbg_out_string(out, "type_name", element_type(ev, v, &all, type, sizeof type));
    if (v->is_text) {
        gpudbg_out_string(out, "text", v->text);
        return;
    }
    if (many) {
        gpudbg_out_array(out, "values");
        for (size_t i = 0; i < all.count; i++) {
            struct value e = element(v, &all, i);
            gpudbg_out_hex(out, NULL, value_bits(&e));
        }
        gpudbg_out_close(out);
        free(all.bytes);
    } else {
        gpudbg_out_hex(out, "value", value_bits(v));
    }
    gpudbg_out_string(out, "text", text);
}

/* The letter of an ordinary format; a letter nobody knows is an error that names those that are. */
bool show_letter(struct eval *ev, struct gpudbg_args *a, char *letter, unsigned *size, struct gpudbg_error *err)
{
    uint64_t count;
    const struct gpudbg_isa *isa = eval_isa(ev);
    if (!args_letters(a, &count, letter, size, err)) return false;
    if (*letter == 's') /* text, where there is any; else the value's own form */
        *letter = 0;
    if (!*letter || strchr("xduotfacz", *letter)) return true;
    char views[64];
    struct text t = text_in(views, sizeof views);
    for (const struct gpudbg_view *view = isa ? isa->traits.views : NULL; view && view->letter; view++)
        text_add(&t, ", /%c %s", view->letter, view->name);
    return gpudbg_fail(
        err, "usage", "/%s is not a format; the formats are x d u o t f a c z, /fields%s", a->format, views);
}

/* "0x40 <vadd+0x40>", "lds:0x10", "0x7f00 <a+0x10>". */
void show_address(struct eval *ev, unsigned space, uint64_t addr, char *buf, size_t size)
{
    char where[256];
    const struct gpudbg_segment *segment = NULL;
    for (size_t i = 0; ev->running->machine && space == GPUDBG_GLOBAL && i < ev->running->machine->space[space].count;
         i++) {
        const struct gpudbg_segment *s = ev->running->machine->space[space].segment[i];
        if (addr >= s->base && addr - s->base < s->size) segment = s;
    }
    image_where(ev->loaded->image, addr, where, sizeof where);
    if (space != GPUDBG_GLOBAL)
        snprintf(
            buf, size, "%s:0x%" PRIx64, ev->running->machine ? ev->running->machine->space[space].name : "?", addr);
    else if (strncmp(where, "0x", 2) != 0)
        snprintf(buf, size, "0x%04" PRIx64 " <%s>", addr, where);
    else if (segment && segment->name)
        snprintf(buf, size, addr == segment->base ? "0x%" PRIx64 " <%s>" : "0x%" PRIx64 " <%s+0x%" PRIx64 ">", addr,
            segment->name, addr - segment->base);
    else
        snprintf(buf, size, "0x%" PRIx64, addr);
}
