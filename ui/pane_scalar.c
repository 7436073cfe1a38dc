/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_scalar.c: registers that the lanes of a wave share: numbered ones side by side, then the named ones.  `*` stands
 * before what the last step changed.  Where there is no room for all, those that matter now are shown; moving the
 * cursor lists all, `pane here` goes back.  Descriptors and addresses of memory are named in rows below, and in the
 * pane's rule if the cursor is on one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "registers_shown.h"
#include "eval/value.h"
#include "gpudbg/text.h"

#define ENTRIES 512
#define NAME 5 /* columns of a name */
#define POINTERS 16

struct scalar_pane {
    bool listing;            /* all registers, with a cursor */
    const struct form *form; /* NULL: floats as such, all else as x */
    int hidden;              /* registers that changed and are not shown */
    struct register_choice choice;
    struct entry {
        uint8_t file;
        uint16_t index;
        uint8_t part;  /* of a named register without room for all of it: a dword, from 1; 0: all */
        int row, x, w; /* w: columns, the gap to the next left out */
    } entry[ENTRIES];
    int rows;
    struct pointer {
        char text[160];
        unsigned index, n; /* registers */
        int w;
    } pointer[POINTERS];
    int pointers;
};

/* ---- Choosing and placing ---- */

static const struct gpudbg_regfile *file_of(struct pane *p, unsigned file)
{
    return &p->g->running.machine->isa->files[file];
}

/* Numbered registers of many bytes have the panes rows and lanes: here none has room. */
static bool is_scalar(struct pane *p, unsigned file)
{
    const struct gpudbg_regfile *f = file_of(p, file);
    return f->lanes <= 1 && !(f->indexed && f->bits >= 128);
}

#define VALUE 10 /* columns of 32 bits in any form */

/* As `print` shows it; NULL: in hex with all digits. */
static const struct form *scalar_form(struct pane *p, unsigned file, unsigned index)
{
    const struct scalar_pane *s = p->own;
    const struct form *chosen = form_chosen(&p->g->eval, p->g->running.machine->isa, file, index);
    const struct form *form = register_form(p->g, file, index, s->form);
    if (chosen || s->form) return form;
    if (value_in_hex(file_of(p, file))) return NULL;
    return form && form->kind != 'h' ? form : form_named("ud");
}

/* Columns of a value: those that all of its digits take in hex. */
static int value_width(struct pane *p, unsigned file, unsigned index)
{
    const struct gpudbg_regfile *f = file_of(p, file);
    const struct form *form = scalar_form(p, file, index);
    const int digits = (f->bits + 3) / 4;
    return form && form->kind != 'x' && f->bits == 32 && !f->mask ? VALUE : digits + (value_in_hex(f) ? 2 : 0); /* 0x */
}

static int entry_width(struct pane *p, unsigned file, unsigned index)
{
    const struct gpudbg_regfile *f = file_of(p, file);
    int name = (int)strlen(f->name) + (f->indexed ? 3 : 1);
    return (name > NAME ? name : NAME) + 1 + value_width(p, file, index);
}

static void entry_add(struct pane *p, unsigned file, unsigned index)
{
    struct scalar_pane *s = p->own;
    if (p->count < ENTRIES)
        s->entry[p->count++] = (struct entry){
            .file = (uint8_t)file, .index = (uint16_t)index, .w = entry_width(p, file, index)};
}

/* The numbered file that comes first (-1: none). */
static int main_file(struct pane *p)
{
    for (unsigned i = 0; i < p->g->running.machine->isa->nfiles; i++)
        if (is_scalar(p, i) && file_of(p, i)->indexed) return (int)i;
    return -1;
}

/* Columns of a dword of a wide one: most are small. */
static int part_width(struct pane *p, unsigned file, unsigned index, unsigned part)
{
    const uint32_t *words = register_words(p->g, file, index);
    return words && words[part - 1] > 99999999 ? VALUE : 8;
}

/* One of more than 64 bits stands as its dwords, cr0.0 and so on. */
static void named_add(struct pane *p, unsigned file, unsigned index)
{
    struct scalar_pane *s = p->own;
    const unsigned bits = file_of(p, file)->bits, parts = bits > 64 ? (bits + 31) / 32 : 1;
    for (unsigned i = 0; i < parts; i++) {
        const int before = p->count;
        entry_add(p, file, index);
        if (parts < 2 || p->count == before) continue;
        struct entry *e = &s->entry[before];
        e->part = (uint8_t)(i + 1);
        e->w = (int)strlen(file_of(p, file)->name) + (file_of(p, file)->indexed ? 5 : 3) + 1 +
               part_width(p, file, index, i + 1);
    }
}

/* Entries from..to stand in columns of one width, from row on; returns the row after. */
static int place_grid(struct pane *p, int from, int to, int row, int width)
{
    struct scalar_pane *s = p->own;
    if (from == to) return row;
    int w = 1;
    for (int i = from; i < to; i++) w = s->entry[i].w + 2 > w ? s->entry[i].w + 2 : w;
    const int columns = (width + 1) / w > 0 ? (width + 1) / w : 1;
    for (int i = from; i < to; i++) {
        s->entry[i].row = row + (i - from) / columns;
        s->entry[i].x = 1 + (i - from) % columns * (width / columns);
    }
    return row + (to - from + columns - 1) / columns;
}

/* The named ones stand where they fit, at most in `rows` rows (those that do not fit get row -1); returns the row
 * after. */
static int place_named(struct pane *p, int from, int to, int row, int rows, int width)
{
    struct scalar_pane *s = p->own;
    int end[64] = {0}, used = 0;
    for (int i = from; i < to; i++) {
        int r = 0;
        while (r < rows && r < 64 && end[r] && end[r] + 2 + s->entry[i].w > width) r++;
        if (r >= rows || r >= 64) {
            s->entry[i].row = -1;
            continue;
        }
        s->entry[i].row = row + r;
        s->entry[i].x = end[r] ? end[r] + 2 : 1;
        end[r] = s->entry[i].x + s->entry[i].w;
        used = r + 1 > used ? r + 1 : used;
    }
    return row + used;
}

static int sort_u16(const void *a, const void *b) { return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b; }

/* Whether a named register that changed has no place. */
static bool named_missing(struct pane *p, int from)
{
    const struct scalar_pane *s = p->own;
    for (int i = from; i < p->count; i++)
        if (s->entry[i].row < 0 && register_changed(p->screen, s->entry[i].file, s->entry[i].index, -1)) return true;
    return false;
}

/* Masks stay where they are: which lanes run is always worth a place. */
static void changed_first(struct pane *p, int from)
{
    struct scalar_pane *s = p->own;
    int next = from;
    for (int i = from; i < p->count; i++) {
        const struct entry e = s->entry[i];
        if (!file_of(p, e.file)->mask && !register_changed(p->screen, e.file, e.index, -1)) continue;
        memmove(&s->entry[next + 1], &s->entry[next], (size_t)(i - next) * sizeof e);
        s->entry[next++] = e;
    }
}

/* What registers point to. */
static void pointers_take(struct pane *p, unsigned file, unsigned all)
{
    struct scalar_pane *s = p->own;
    struct points points;
    points_open(&points, p->g, file);
    for (unsigned i = 0, n; i < all && s->pointers < POINTERS; i += n ? n : 1) {
        struct pointer *one = &s->pointer[s->pointers];
        one->w = points_text(&points, i, &n, one->text, sizeof one->text);
        one->index = i;
        one->n = n;
        s->pointers += n > 0;
    }
}

static bool has_descriptors(const struct scalar_pane *s)
{
    for (int i = 0; i < s->pointers; i++)
        if (s->pointer[i].n > 2) return true;
    return false;
}

/* Writes them from row `from` on, or with NULL only counts; returns the row after.  Descriptors come before addresses.
 */
static int pointers_place(const struct scalar_pane *s, const struct area *a, int from, int width)
{
    int x = 1, y = from;
    for (int i = 0; i < 2 * s->pointers; i++) {
        const struct pointer *one = &s->pointer[i % s->pointers];
        if ((one->n > 2) != (i < s->pointers)) continue;
        if (x > 1 && x + one->w > width) x = 1, y++;
        if (a && y < a->h) area_text(a, x, y, STYLE_comment, one->text);
        x += one->w + 3;
    }
    return s->pointers ? y + 1 : from;
}

/* Fills entries for an area of that size. */
static void entries_take(struct pane *p, int width, int height)
{
    struct scalar_pane *s = p->own;
    int file = main_file(p);
    unsigned all = file >= 0 ? register_count(p->g, (unsigned)file) : 0;
    p->count = 0;
    int each = 1;
    for (unsigned i = 0; i < all; i++) { /* one may have a form of its own, all stand below each other */
        const int w = entry_width(p, (unsigned)file, i) + 2;
        each = w > each ? w : each;
    }
    const int columns = (width + 1) / each > 0 ? (width + 1) / each : 1;
    int named = height > 3 ? 2 : 1, room = (height - named) * columns;
    bool few = !s->listing && (int)all > room;
    s->pointers = 0;
    if (file >= 0) pointers_take(p, (unsigned)file, all);
    const int below = pointers_place(s, NULL, 0, width);
    if (few && has_descriptors(s)) room -= columns * (below < height / 5 ? below : height / 5); /* values come first */
    if (few) {
        registers_choose(p->screen, (unsigned)file, &s->choice, room > 0 ? room : 0);
        uint16_t order[256];
        memcpy(order, s->choice.index, sizeof order);
        qsort(order, (size_t)s->choice.count, sizeof *order, sort_u16);
        for (int i = 0; i < s->choice.count; i++) entry_add(p, (unsigned)file, order[i]);
    } else {
        for (unsigned i = 0; i < all; i++) entry_add(p, (unsigned)file, i);
    }
    int numbered = p->count;
    for (unsigned i = 0; i < p->g->running.machine->isa->nfiles; i++)
        for (unsigned k = 0; (int)i != file && is_scalar(p, i) && k < register_count(p->g, i); k++) named_add(p, i, k);
    int row = place_grid(p, 0, numbered, 0, width), left = height - row;
    const int spare = left > 2 ? left - 2 : 0;
    left -= below < spare ? below : spare; /* most of the named ones never change */
    s->rows = place_named(p, numbered, p->count, row, s->listing ? 64 : left, width);
    if (named_missing(p, numbered)) { /* those that changed have the first places */
        changed_first(p, numbered);
        s->rows = place_named(p, numbered, p->count, row, left, width);
    }
    s->hidden = few ? s->choice.changed : 0;
    for (int i = 0; few && i < numbered; i++)
        s->hidden -= register_changed(p->screen, s->entry[i].file, s->entry[i].index, -1);
    for (int i = numbered; i < p->count; i++)
        s->hidden += s->entry[i].row < 0 && register_changed(p->screen, s->entry[i].file, s->entry[i].index, -1);
}

/* ---- Drawing ---- */

static void entry_text(struct pane *p, const struct cells *cells, const struct entry *e, int w, char *buf, size_t size)
{
    const uint32_t *words = register_words(p->g, e->file, e->index);
    const struct gpudbg_regfile *f = file_of(p, e->file);
    const struct form *form = scalar_form(p, e->file, e->index);
    const uint32_t *high = form && form->size == 8 ? register_words(p->g, e->file, e->index + 1u) : NULL;
    const uint32_t both[2] = {words ? words[0] : 0, high ? high[0] : 0};
    buf[0] = 0;
    if (words && e->part)
        snprintf(buf, size, "%" PRIu32, words[e->part - 1]);
    else if (!words || f->bits != 32 || f->mask || !form || form->kind == 'x')
        register_hex(p->g, e->file, e->index, -1, buf, size);
    else if (form->size < 8 || (high && e->index % 2 == 0)) /* of doubles the register with the low word has it */
        pane_elements(cells, form, both, form->size == 8 ? 8 : 4, w, buf, size);
}

static void entry_draw(struct pane *p, const struct area *a, const struct entry *e, int y)
{
    char name[32], text[256];
    const uint32_t *words = e->part ? register_words(p->g, e->file, e->index) : NULL;
    const bool changed = words ? before_changed(&p->screen->settled, p->g, words + e->part - 1, 1)
                               : register_changed(p->screen, e->file, e->index, -1);
    int w = e->part ? part_width(p, e->file, e->index, e->part) : value_width(p, e->file, e->index), x = e->x,
        right = e->x + e->w;
    struct text t = text_in(name, sizeof name);
    text_wrote(&t, register_name(p->g, e->file, e->index, name, sizeof name));
    if (e->part) text_add(&t, ".%d", e->part - 1);
    if (right > a->w) { /* a narrow pane: without the blanks around, then without the end of the name */
        x = 0;
        right = w < a->w ? a->w : w;
    }
    entry_text(p, a->cells, e, w, text, sizeof text);
    if (right - x > w) area_left(a, x, y, right - x - w - 1, STYLE_name, name);
    const int n = text_columns(text, a->cells->utf8);
    if (changed) area_text(a, right - (n < w ? n : w) - 1, y, changed_style(p->screen), "*");
    area_right(a, right - w, y, w, changed ? changed_style(p->screen) : STYLE_value, text);
}

static void scalar_draw(struct pane *p, const struct area *a)
{
    struct scalar_pane *s = p->own;
    char text[160];
    const char *missing = registers_missing(p->g, text, sizeof text);
    if (missing) {
        area_text(a, 1, 0, STYLE_comment, missing);
        p->count = 0;
        return;
    }
    entries_take(p, a->w, a->h);
    if (p->cursor >= p->count) p->cursor = p->count - 1;
    if (!s->listing || s->rows <= a->h)
        p->top = 0;
    else if (p->cursor >= 0) {
        int row = s->entry[p->cursor].row;
        p->top = row < p->top ? row : row >= p->top + a->h ? row - a->h + 1 : p->top;
    }
    for (int i = 0; i < p->count; i++) {
        const struct entry *e = &s->entry[i];
        int y = e->row - p->top;
        if (e->row < 0 || y < 0 || y >= a->h) continue;
        entry_draw(p, a, e, y);
        if (p->active && s->listing && i == p->cursor) area_cursor(a, e->x, y, e->w, STYLE_cursor);
    }
    if (!p->top) pointers_place(s, a, s->rows, a->w);
}

static int scalar_title(struct pane *p, char *buf, size_t size)
{
    const struct scalar_pane *s = p->own;
    char more[160] = "";
    unsigned n = 0;
    const bool chosen = s->listing && p->cursor >= 0 && p->cursor < p->count && p->g->running.machine;
    for (int i = 0; chosen && i < s->pointers; i++) {
        const struct entry *e = &s->entry[p->cursor];
        const struct pointer *at = &s->pointer[i];
        if ((int)e->file != main_file(p) || e->index - at->index >= at->n) continue;
        snprintf(more, sizeof more, "%s", at->text);
        n = at->n;
    }
    if (s->hidden > 0 && !n) snprintf(more, sizeof more, "+%d changed", s->hidden);
    return snprintf(buf, size, "%s%s%s%s%s", s->form ? ":" : "", s->form ? s->form->name : "",
        s->listing ? s->form ? " all" : "all" : "", *more && (s->form || s->listing) ? "  " : "", more);
}

/* ---- Actions ---- */

static struct pane_spot entry_spot(const struct pane *p, int item)
{
    const struct scalar_pane *s = p->own;
    return (struct pane_spot){s->entry[item].row, s->entry[item].x};
}

/* A click: the cursor goes there, and what was clicked stays where it is as far as there are rows above it. */
static void entry_click(struct pane *p, const char *arg)
{
    struct scalar_pane *s = p->own;
    const int i = pane_item_at(p, entry_spot, atoi(arg) + p->top, arg);
    if (i < 0) return;
    const struct entry clicked = s->entry[i];
    s->listing = true;
    entries_take(p, p->columns, p->shown);
    for (p->cursor = 0; p->cursor + 1 < p->count; p->cursor++)
        if (s->entry[p->cursor].file == clicked.file && s->entry[p->cursor].index == clicked.index &&
            s->entry[p->cursor].part == clicked.part)
            break;
    const int top = s->entry[p->cursor].row - atoi(arg), most = s->rows > p->shown ? s->rows - p->shown : 0;
    p->top = top < 0 ? 0 : top < most ? top : most;
}

static bool scalar_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct scalar_pane *s = p->own;
    if (action == PANE_FORMAT) return pane_form(p, arg, &s->form, err);
    if (action == PANE_HERE || action == PANE_BACK) {
        s->listing = false;
        return true;
    }
    const uint64_t finds = PANE_BIT(FIND) | PANE_BIT(FIND_NEXT) | PANE_BIT(FIND_PREVIOUS),
                   here = finds | PANE_BIT(TOP) | PANE_BIT(BOTTOM) | PANE_BIT(FOLLOW) | PANE_BIT(ROW);
    if (!pane_action_moves(action) && !(here >> action & 1)) return pane_list_act(p, action, arg, err); /* it has not */
    if (!p->count) return true;
    if (action == PANE_ROW) {
        entry_click(p, arg);
        return true;
    }
    if (!s->listing) { /* the first move shows all and a cursor */
        s->listing = true;
        p->cursor = 0;
        entries_take(p, p->columns, p->shown);
        if (action != PANE_FIND && action != PANE_BOTTOM) return true;
    }
    switch (action) {
    case PANE_UP: pane_cursor_row(p, entry_spot, -1); return true;
    case PANE_DOWN: pane_cursor_row(p, entry_spot, 1); return true;
    case PANE_LEFT: p->cursor -= p->cursor > 0; return true;
    case PANE_RIGHT: p->cursor += p->cursor + 1 < p->count; return true;
    case PANE_SCROLL_UP:
    case PANE_PAGE_UP:
    case PANE_HALF_UP:
        for (int i = 1; i < p->shown; i++) pane_cursor_row(p, entry_spot, -1);
        return true;
    case PANE_SCROLL_DOWN:
    case PANE_PAGE_DOWN:
    case PANE_HALF_DOWN:
        for (int i = 1; i < p->shown; i++) pane_cursor_row(p, entry_spot, 1);
        return true;
    case PANE_FOLLOW: { /* its fields; those it has not, or they are shown: what it points to */
        const unsigned file = s->entry[p->cursor].file, index = s->entry[p->cursor].index;
        if (!file_of(p, file)->format || fields_shows(p->screen, file, index))
            return register_follow(p->screen, file, index, err);
        fields_show_register(p->screen, file, index);
        return true;
    }
    default: return pane_list_act(p, action, arg, err);
    }
}

/* Without a cursor the first entry that the last step changed; of a mask the selected lane's bit. */
static bool scalar_value(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    struct scalar_pane *s = p->own;
    int i = p->cursor;
    char name[32];
    if (!p->count) return gpudbg_fail(err, "no-launch", "no registers");
    for (i = s->listing ? i : 0; !s->listing && i < p->count; i++)
        if (register_changed(p->screen, s->entry[i].file, s->entry[i].index, -1)) break;
    if (i >= p->count) {
        s->listing = true;
        p->cursor = 0;
        return register_unchosen(err);
    }
    const struct entry *e = &s->entry[i];
    register_name(p->g, e->file, e->index, name, sizeof name);
    if (file_of(p, e->file)->mask)
        snprintf(buf, size, "$%s[%d]", name, p->g->selection.lane < 0 ? 0 : p->g->selection.lane);
    else
        snprintf(buf, size, "$%s", name);
    return true;
}

static int scalar_row_text(struct pane *p, int row, char *buf, size_t size)
{
    struct scalar_pane *s = p->own;
    return register_name(p->g, s->entry[row].file, s->entry[row].index, buf, size);
}

static bool scalar_reg(struct pane *p, unsigned *file, unsigned *index)
{
    const struct scalar_pane *s = p->own;
    if (!s->listing || p->cursor < 0 || p->cursor >= p->count) return false;
    *file = s->entry[p->cursor].file;
    *index = s->entry[p->cursor].index;
    return true;
}

static void scalar_show(struct pane *p, unsigned file, unsigned index)
{
    struct scalar_pane *s = p->own;
    s->listing = true;
    entries_take(p, p->columns, p->shown);
    for (int i = 0; i < p->count; i++)
        if (s->entry[i].file == file && s->entry[i].index == index) p->cursor = i;
}

void registers_show(struct screen *s, unsigned file, unsigned index)
{
    struct gpudbg_error err = {0};
    const struct gpudbg_isa *isa = s->g->running.machine ? s->g->running.machine->isa : NULL;
    if (!isa) return;
    bool scalar = isa->files[file].lanes <= 1;
    struct pane *p = pane_named(s, scalar ? "scalar" : "lanes", &err);
    if (!p) return;
    if (scalar)
        scalar_show(p, file, index);
    else
        lanes_show(p, file, index);
    screen_focus(s, p);
}

const struct pane_kind pane_scalar = {
    .name = "scalar",
    .across = true,
    .fits = true,
    .summary = "registers that a wave's lanes share",
    .own = sizeof(struct scalar_pane),
    .draw = scalar_draw,
    .title = scalar_title,
    .act = scalar_act,
    .row_text = scalar_row_text,
    .value = scalar_value,
    .reg = scalar_reg,
};
