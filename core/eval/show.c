/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values and addresses as commands show them; see show.h. */
#include "image/image.h"
#include "eval/form.h"
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

/* The form that the user chose for a register; else that of floats, if the screen shows it as floats now: `print` and a
 * pane beside it say the same number. */
static const struct form *form_wanted(const struct eval *ev, const struct gpudbg_isa *isa, const struct value *v)
{
    const struct form *form = form_chosen(ev, isa, v->file, v->reg);
    if (form || !ev->screen.of) return form;
    form = ev->screen.of(ev->screen.data, v->file, v->reg);
    return form && form->kind == 'f' ? form : NULL;
}

/* A register that nothing has given a type, in the form that is wanted for it; NULL: none is, or (with an error) it
 * cannot be read. */
static char *chosen_text(struct eval *ev, const struct value *v, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = ev->running->machine ? ev->running->machine->isa : NULL;
    if (!isa || v->place != PLACE_REGISTER || !v->whole || v->mask_bit || v->part) return NULL;
    const struct form *form = form_wanted(ev, isa, v);
    struct value all = *v;
    if (form && form->size == 8 && isa->files[v->file].bits == 32 && v->count == 1) all.count = 2; /* a pair */
    struct elements *e = form ? xalloc(sizeof *e) : NULL;
    const size_t n = e ? value_words(ev, ev->selection->wave, &all, e->words, WORDS_MAX, err) : 0;
    const size_t room = 48 * 4 * n + 8; /* a byte's text is shorter than that */
    char *text = n ? xalloc(room) : NULL;
    if (n) {
        const bool several = 4 * n > form->size;
        struct text t = text_in(text, room);
        text_add(&t, several ? "{" : "");
        text_wrote(&t, form_elements(form, e->words, 4 * n, ", ", text_end(&t), text_room(&t)));
        text_add(&t, several ? "}" : "");
    }
    free(e);
    return text;
}

#define TEXT_USUAL 4096 /* what is longer is written twice: symbols have names of any length */

char *show_text(struct eval *ev, const struct value *v, char letter, struct gpudbg_error *err)
{
    struct elements all = {.count = 0};
    struct gpudbg_error why = {0};
    char *chosen = letter ? NULL : chosen_text(ev, v, &why);
    if (chosen) return chosen;
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

void show_members(struct eval *ev, struct gpudbg_out *out, const struct value *v, const char *text)
{
    static const char *const kinds[] = {"u", "i", "f"};
    struct elements all = {.type = v->type};
    struct gpudbg_error err = {0};
    char type[8];
    const bool many = v->many && load_elements(ev, v, &all, &err);
    snprintf(type, sizeof type, "%s%u", kinds[v->type.kind], is_wide(ev, v) ? all.type.bits : v->type.bits);
    gpudbg_out_string(out, "type_name", v->is_text ? "text" : type);
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
