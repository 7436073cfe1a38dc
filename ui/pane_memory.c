/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_memory.c: memory of the launch, a named segment at a time: buffers by argument name, the group's LDS, code.
 *
 *     0040  3f800000 40000000 *40400000 40800000  ...?...@..@@...@
 *
 * Offsets are in the segment, whose name and address are in the rule; `*` is what the last step changed, `^` what
 * differs from the buffer that it is compared with.  Elements have the type of the argument, or the format that was
 * chosen; with `pane type` rows are records, counted from the segment's start:
 *
 *             x         y         z         w
 *     [4]     1       *2.5        0         1
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "base/alloc.h"
#include "eval/expr.h"
#include "machine/machine.h"
#include "eval/search.h"
#include "eval/table.h"
#include "eval/value.h"
#include "gpudbg/text.h"

#define ACROSS_UNSEEN 16 /* bytes of a row in a pane that was not drawn yet */
#define WINDOW 8192      /* bytes shown at most */
/* The columns where elements and the fields of a record begin, behind an offset of so many digits. */
#define ELEMENTS_AT(digits) ((digits) + 2)
#define FIELDS_AT(digits) ((digits) + 3)

struct window {
    unsigned space;
    uint64_t addr;
    size_t size;
    uint8_t bytes[WINDOW];
};

struct memory_pane {
    const struct gpudbg_machine *machine;
    unsigned space;
    uint64_t addr, top;      /* under the cursor; first shown */
    const struct form *form; /* NULL: as the argument's type says, else x */
    size_t across;           /* bytes a row */
    size_t width;            /* ... that were asked for; 0: as many as fit */
    struct table table;      /* n 0: no records */
    unsigned first_field;    /* shown, of a record that is wider than the pane */
    bool compared;           /* with `other` */
    unsigned other_space;
    uint64_t other; /* the start of that segment */
    struct window now, taken, settled;
};

/* ---- Segments ---- */

static const struct gpudbg_space *space_of(struct pane *p, unsigned space)
{
    struct gpudbg_machine *m = p->g->running.machine;
    return m && space < m->nspaces ? &m->space[space] : NULL;
}

/* The i-th segment that a user may look at: those of spaces, the selected wave's LDS. */
static const struct gpudbg_segment *segment_listed(struct pane *p, size_t i, unsigned *space)
{
    struct gpudbg_wave *wave = gpudbg_session_wave(p->g);
    for (*space = 0; p->g->running.machine && *space < p->g->running.machine->nspaces; ++*space) {
        if (*space == GPUDBG_LOCAL) {
            if (wave && wave->lds && i-- == 0) return wave->lds;
            continue;
        }
        const struct gpudbg_space *s = space_of(p, *space);
        if (i < s->count) return s->segment[i];
        i -= s->count;
    }
    return NULL;
}

static const struct gpudbg_segment *segment_of(struct pane *p, unsigned space, uint64_t addr)
{
    unsigned at;
    const struct gpudbg_segment *s;
    for (size_t i = 0; (s = segment_listed(p, i, &at)); i++)
        if (at == space && addr >= s->base && addr - s->base < s->size) return s;
    return NULL;
}

/* How elements are shown: as the user chose, else as the kernel's parameter has them. */
static const struct form *form_here(struct pane *p)
{
    const struct memory_pane *m = p->own;
    const struct gpudbg_segment *s = m->machine ? segment_of(p, m->space, m->addr) : NULL;
    const struct gpudbg_launch *launch = m->machine ? m->machine->launch : NULL;
    const struct gpudbg_kernel *k = launch ? launch->kernel : NULL;
    struct value_type type = {0};
    if (m->form) return m->form;
    if (s && k && s->param >= 0 && (size_t)s->param < k->nparams) type = expr_element_type(&k->params[s->param]);
    const struct form *form = table_form(type);
    return form ? form : form_named("x");
}

/* The field of a record that the address is in, and the record's start. */
static unsigned field_at(const struct memory_pane *m, const struct gpudbg_segment *s, uint64_t *record)
{
    const uint64_t offset = (m->addr - s->base) % m->table.size;
    unsigned field = 0;
    *record = m->addr - offset;
    for (unsigned i = 0; i < m->table.n; i++)
        if (m->table.field[i].offset <= offset) field = i;
    return field;
}

/* The element under the cursor: its bytes and how they are shown; the address is made to be its first byte's. */
static const struct form *element_here(struct pane *p, const struct gpudbg_segment *s)
{
    struct memory_pane *m = p->own;
    uint64_t record;
    const struct form *form = form_here(p);
    if (m->table.n) {
        const struct table_field *f = &m->table.field[field_at(m, s, &record)];
        m->addr = record + f->offset;
        return f->form;
    }
    m->addr -= (m->addr - s->base) % form->size;
    return form;
}

/* Looks at the first buffer of a new launch. */
static struct memory_pane *memory_ready(struct pane *p)
{
    struct memory_pane *m = p->own;
    if (m->machine == p->g->running.machine && (!m->machine || segment_of(p, m->space, m->addr))) return m;
    const struct gpudbg_segment *s, *first = NULL;
    unsigned space, first_space = 0;
    bool lds = p->kind == &pane_lds;
    for (size_t i = 0; (s = segment_listed(p, i, &space)); i++)
        if (lds ? !first && space == GPUDBG_LOCAL : !first || (first->param < 0 && s->param >= 0)) {
            first = s;
            first_space = space;
        }
    m->machine = p->g->running.machine;
    m->compared = false;
    m->space = first_space;
    m->addr = m->top = first ? first->base : 0;
    m->taken.size = m->settled.size = 0;
    return m;
}

bool memory_show(struct screen *screen, const char *expr, struct gpudbg_error *err)
{
    struct pane *p = pane_named(screen, "memory", err);
    struct value value;
    if (!p || !expr_value(&screen->g->eval, expr, &value, err) || !value_one(&value, err)) return false;
    struct memory_pane *m = memory_ready(p);
    if (!segment_of(p, value.space, value.u))
        return gpudbg_fail(err, "out-of-range", "no memory at 0x%" PRIx64, value.u);
    m->space = value.space;
    m->addr = m->top = value.u;
    element_here(p, segment_of(p, m->space, m->addr));
    return true;
}

/* ---- Drawing ---- */

static bool word_changed(const struct memory_pane *m, uint64_t addr, size_t size)
{
    const struct window *w = &m->settled;
    return w->size && w->space == m->space && addr >= w->addr && addr + size <= w->addr + w->size &&
           addr + size <= m->now.addr + m->now.size &&
           memcmp(w->bytes + (addr - w->addr), m->now.bytes + (addr - m->now.addr), size) != 0;
}

/* Columns of an element, with the gap and the mark before it. */
static int cell_width(const struct form *form)
{
    static const int columns_of[] = {[1] = 5, [2] = 8, [4] = 12, [8] = 22};
    return form->kind == 'x' ? 9 : columns_of[form->size];
}

/* Whether the bytes differ from those at the same place of the buffer that is compared with. */
static bool bytes_differ(struct pane *p, const struct gpudbg_segment *s, uint64_t addr, const uint8_t *bytes, size_t n)
{
    const struct memory_pane *m = p->own;
    const struct gpudbg_segment *o = m->compared ? segment_of(p, m->other_space, m->other) : NULL;
    const uint64_t offset = addr - s->base;
    if (!o) return false;
    return offset >= o->size || n > o->size - offset || memcmp(bytes, o->bytes + offset, n) != 0;
}

/* Digits of an offset in the segment. */
static int digits_of(const struct gpudbg_segment *s)
{
    int digits = 4;
    while (digits < 12 && (s->size - 1) >> (4 * digits)) digits++;
    return digits;
}

/* One element, its last column before `right`. */
static void element_draw(struct pane *p, const struct area *a, int right, int y, int cell, const struct form *form,
    const struct gpudbg_segment *s, uint64_t at)
{
    struct memory_pane *m = p->own;
    const uint64_t left = s->base + s->size - at;
    const size_t n = left < form->size ? (size_t)left : form->size;
    uint8_t bytes[8] = {0};
    char text[256];
    if (at + n > m->now.addr + m->now.size) return;
    memcpy(bytes, m->now.bytes + (at - m->now.addr), n);
    const bool changed = word_changed(m, at, n), differs = bytes_differ(p, s, at, bytes, n);
    pane_elements(a->cells, form, bytes, form->size, cell - 1, text, sizeof text);
    const int w = text_columns(text, a->cells->utf8);
    const enum style style = changed || differs ? changed_style(p->screen) : STYLE_value;
    if (changed || differs) area_text(a, right - w - 1, y, style, changed ? "*" : "^");
    area_right(a, right - cell + 1, y, cell - 1, style, text);
    if (p->active && m->addr >= at && m->addr < at + form->size)
        area_cursor(a, right - cell + 1, y, cell - 1, STYLE_cursor);
}

static void row_draw(
    struct pane *p, const struct area *a, int y, const struct gpudbg_segment *s, uint64_t addr, int digits)
{
    struct memory_pane *m = p->own;
    const struct form *form = form_here(p);
    const size_t step = form->size;
    const int cell = cell_width(form);
    const int x0 = ELEMENTS_AT(digits);
    int x = x0;
    area_put(a, 1, y, STYLE_address, "%0*" PRIx64, digits, addr - s->base);
    for (size_t i = 0; i < m->across && addr + i < s->base + s->size; i += step) {
        const int right = x + (int)(i / step + 1) * cell;
        if (right > a->w + 1 && i) {
            area_cut(a, y);
            break;
        }
        element_draw(p, a, right, y, cell, form, s, addr + i);
    }
    x = x0 + (int)(m->across / step) * cell + 2;
    if (x + (int)m->across > a->w) return;
    for (size_t i = 0; i < m->across && addr + i < m->now.addr + m->now.size; i++) {
        unsigned char c = m->now.bytes[addr + i - m->now.addr];
        area_put(a, x + (int)i, y, STYLE_comment, "%c", c >= 0x20 && c < 0x7f ? c : '.');
    }
}

/* ---- Records ---- */

static int field_width(const struct table_field *f)
{
    const int name = (int)strlen(f->name) + 1, cell = cell_width(f->form);
    return name > cell ? name : cell;
}

/* The first field to show, so that the one under the cursor is among those that fit. */
static void fields_fit(struct memory_pane *m, unsigned field, int width)
{
    if (field < m->first_field) m->first_field = field;
    for (;; m->first_field++) {
        int x = 0;
        for (unsigned i = m->first_field; i <= field; i++) x += field_width(&m->table.field[i]);
        if (x <= width || m->first_field >= field) return;
    }
}

/* A record, or (s NULL) the names of its fields. */
static void record_draw(
    struct pane *p, const struct area *a, int y, const struct gpudbg_segment *s, uint64_t addr, int digits)
{
    const struct memory_pane *m = p->own;
    int x = FIELDS_AT(digits);
    if (s) area_put(a, 1, y, STYLE_address, "[%" PRIu64 "]", (addr - s->base) / m->table.size);
    for (unsigned i = m->first_field; i < m->table.n; i++) {
        const struct table_field *f = &m->table.field[i];
        const int w = field_width(f);
        if (x + w > a->w + 1 && i > m->first_field) {
            area_cut(a, y);
            return;
        }
        if (!s)
            area_right(a, x + 1, y, w - 1, STYLE_label, f->name);
        else if (addr + f->offset + f->form->size <= s->base + s->size)
            element_draw(p, a, x + w, y, w, f->form, s, addr + f->offset);
        x += w;
    }
}

/* The byte of a row that stands in column x: of an element, of the text behind the elements, of a field. */
static uint64_t byte_in_row(struct pane *p, const struct gpudbg_segment *s, int x)
{
    const struct memory_pane *m = p->own;
    const struct form *form = form_here(p);
    const int cell = cell_width(form), elements = (int)m->across / form->size, digits = digits_of(s);
    const int at = x - ELEMENTS_AT(digits), text = at - elements * cell - 2;
    if (m->table.n) {
        unsigned i = m->first_field;
        for (int end = FIELDS_AT(digits); i + 1 < m->table.n; i++)
            if (x < (end += field_width(&m->table.field[i]))) break;
        return (uint64_t)m->table.field[i].offset;
    }
    if (at < 0) return 0;
    return (uint64_t)(at / cell < elements ? at / cell * form->size : text >= 0 && text < (int)m->across ? text : 0);
}

/* Bytes a row, as many as fit: a power of two, so that columns stay where they are. */
static size_t across_fit(struct pane *p, const struct area *a, int digits)
{
    const struct memory_pane *m = p->own;
    const struct form *form = form_here(p);
    const int cell = cell_width(form), step = form->size, least = step > 4 ? step : 4;
    size_t across = 32;
    if (m->table.n) return (size_t)m->table.size;
    if (m->width) return m->width < (size_t)step ? (size_t)step : m->width / (size_t)step * (size_t)step;
    while ((int)across > least && 1 + digits + 1 + (int)across / step * cell + 2 + (int)across > a->w &&
           (across > 8 || 1 + digits + 1 + (int)across / step * cell > a->w))
        across /= 2;
    return across;
}

static const char *nothing_here(const struct pane *p)
{
    return p->kind == &pane_lds ? "this group has no LDS" : "no memory";
}

static void memory_draw(struct pane *p, const struct area *a)
{
    struct memory_pane *m = memory_ready(p);
    const struct gpudbg_segment *s = m->machine ? segment_of(p, m->space, m->addr) : NULL;
    if (!s) {
        area_text(a, 1, 0, STYLE_comment, m->machine ? nothing_here(p) : "nothing is launched");
        m->now.size = 0;
        return;
    }
    const int digits = digits_of(s);
    element_here(p, s);
    m->across = across_fit(p, a, digits);
    const int head = m->table.n && a->h > 1; /* a row of names */
    uint64_t across = m->across, rows = (uint64_t)(a->h - head), rows_all = (s->size + across - 1) / across;
    uint64_t row = (m->addr - s->base) / across;
    uint64_t top = m->top >= s->base ? (m->top - s->base) / across : 0;
    if (row < top) top = row;
    if (row >= top + rows) top = row - rows + 1;
    if (top + rows > rows_all) top = rows_all > rows ? rows_all - rows : 0;
    m->top = s->base + top * across;
    struct gpudbg_error err = {0};
    uint64_t left = s->base + s->size - m->top, want = rows * across < WINDOW ? rows * across : WINDOW;
    m->now = (struct window){.space = m->space, .addr = m->top, .size = (size_t)(want < left ? want : left)};
    if (!machine_peek(
            p->g->running.machine, p->g->selection.wave, m->space, m->top, m->now.bytes, m->now.size, NULL, &err)) {
        area_text(a, 1, 0, STYLE_error, err.message);
        m->now.size = 0;
        return;
    }
    if (m->table.n) {
        uint64_t record;
        fields_fit(m, field_at(m, s, &record), a->w - digits - 3);
        if (head) record_draw(p, a, 0, NULL, 0, digits);
    }
    for (int y = 0; y < a->h - head && (uint64_t)y * across < m->now.size; y++)
        (m->table.n ? record_draw : row_draw)(p, a, y + head, s, m->top + (uint64_t)y * across, digits);
}

/* What stands at the same place of the buffer that is compared with. */
static void add_other(struct pane *p, const struct gpudbg_segment *s, const struct form *form, struct text *t)
{
    const struct memory_pane *m = p->own;
    const struct gpudbg_segment *o = m->compared ? segment_of(p, m->other_space, m->other) : NULL;
    const uint64_t offset = m->addr - s->base;
    if (!o) return;
    text_add(t, "  %s: ", o->name);
    if (offset >= o->size || form->size > o->size - offset)
        text_add(t, "ends at 0x%" PRIx64, o->size);
    else
        text_wrote(t, form_text(form, o->bytes + offset, text_end(t), text_room(t)));
}

static int memory_title(struct pane *p, char *buf, size_t size)
{
    struct memory_pane *m = memory_ready(p);
    const struct gpudbg_segment *s = m->machine ? segment_of(p, m->space, m->addr) : NULL;
    struct text t = text_in(buf, size);
    if (!s) return 0;
    const struct form *form = element_here(p, s);
    text_add(&t, "%s+0x%" PRIx64, s->name, m->addr - s->base);
    if (s->param >= 0 && !m->table.n) text_add(&t, " [%" PRIu64 "]", (m->addr - s->base) / form->size);
    add_other(p, s, form, &t);
    text_add(&t, "  %s 0x%" PRIx64, space_of(p, m->space)->name, m->addr);
    if (m->table.n)
        text_add(&t, " :%s", m->table.name);
    else if (form->kind != 'x' || m->form)
        text_add(&t, " :%s", form->name);
    struct buffer_place element;
    if (!m->table.n && buffer_place(&p->g->eval, m->space, m->addr, &element) &&
        element.element.bits == 8u * form->size)
        text_wrote(&t, buffer_place_row(&element, text_end(&t), text_room(&t)));
    return text_length(&t);
}

/* ---- Actions ---- */

/* The next segment (step 1) or the one before, or the next whose name holds `what`. */
static bool segment_go(struct pane *p, const char *what, int step, struct gpudbg_error *err)
{
    struct memory_pane *m = p->own;
    size_t n = 0, here = 0;
    unsigned space;
    const struct gpudbg_segment *s;
    for (; (s = segment_listed(p, n, &space)); n++)
        if (space == m->space && m->addr >= s->base && m->addr - s->base < s->size) here = n;
    for (size_t i = 1; i <= n; i++) {
        size_t at = step > 0 ? (here + i) % n : (here + n - i) % n;
        s = segment_listed(p, at, &space);
        if (strcasestr(s->name, what)) {
            m->space = space;
            m->addr = m->top = s->base;
            return true;
        }
    }
    return gpudbg_fail(err, "no-such-name", "no memory is called '%s'", what);
}

/* One element to the right (step 1) or left; of a record, one field. */
static void cursor_step(struct pane *p, const struct gpudbg_segment *s, int step)
{
    struct memory_pane *m = p->own;
    uint64_t record, to;
    if (m->table.n) {
        const unsigned field = field_at(m, s, &record), n = m->table.n;
        if (step < 0 && !field && record - s->base < m->table.size) return;
        if (step < 0 && !field) record -= m->table.size;
        if (step > 0 && field + 1 == n) record += m->table.size;
        to = record + m->table.field[(field + n + (unsigned)step) % n].offset;
    } else {
        const unsigned size = form_here(p)->size;
        if (step < 0 && m->addr - s->base < size) return;
        to = step < 0 ? m->addr - size : m->addr + size;
    }
    if (to - s->base < s->size) m->addr = to;
}

/* `what` from the cursor on, and then from the start on, to the cursor; step -1: the last one before it; `first`: the
 * first one of all. */
struct hit {
    uint64_t addr, before;
    bool any, last;
};

static bool hit(void *to, uint64_t addr)
{
    struct hit *h = to;
    if (h->last && addr >= h->before) return false;
    h->addr = addr;
    h->any = true;
    return h->last;
}

static bool bytes_find(struct pane *p, const struct gpudbg_segment *s, const struct search *what, const char *typed,
    int step, bool first, struct gpudbg_error *err)
{
    struct memory_pane *m = p->own;
    struct eval *ev = &p->g->eval;
    struct hit h = {.before = m->addr, .last = step < 0};
    const uint64_t end = s->base + s->size;
    const unsigned size = element_here(p, s)->size;
    const uint64_t next = first ? s->base : m->addr + (what->kind == SEARCH_BYTES ? 1 : size);
    const uint64_t from[2] = {step > 0 ? next : s->base, step > 0 ? s->base : next},
                   to[2] = {step > 0 ? end : m->addr, step > 0 ? next : end};
    for (int i = 0; i < 2 && !h.any; i++) {
        if (i && h.last) h.before = UINT64_MAX; /* round the beginning */
        if (from[i] < to[i] && !search_run(what, ev, &p->g->ticker, m->space, s->base, from[i], to[i], hit, &h, err))
            return false;
    }
    if (!h.any) return gpudbg_fail(err, "no-such-name", "%.60s: nothing like it is in %s", typed, s->name);
    m->addr = h.addr;
    return true;
}

static bool memory_compare(struct pane *p, const char *with, struct gpudbg_error *err)
{
    struct memory_pane *m = p->own;
    const struct gpudbg_segment *s;
    unsigned space;
    if (!*with) {
        m->compared = false;
        return true;
    }
    for (size_t i = 0; (s = segment_listed(p, i, &space)); i++)
        if (strcmp(s->name, with) == 0) {
            m->other_space = space;
            m->other = s->base;
            m->compared = true;
            return true;
        }
    return gpudbg_fail(err, "no-such-name", "no memory is called '%s'; `info buffers` lists the names", with);
}

/* Of the pane's element type, where a plain number was typed. */
static bool search_typed(
    struct pane *p, const struct gpudbg_segment *s, const char *what, struct search *search, struct gpudbg_error *err)
{
    const struct memory_pane *m = p->own;
    const struct form *form = element_here(p, s);
    const struct gpudbg_segment *o = m->compared ? segment_of(p, m->other_space, m->other) : NULL;
    char *end, text[160];
    if (strcmp(what, "differs") == 0) {
        if (!o) return gpudbg_fail(err, "not-now", "differs: name a file, or compare with a buffer: pane compare NAME");
        *search = (struct search){.kind = SEARCH_DIFFERS, .element = form->size, .n = (size_t)o->size};
        search->bytes = malloc(o->size ? (size_t)o->size : 1);
        if (!search->bytes) return alloc_failed(err, (size_t)o->size, "the buffer that is compared with");
        memcpy(search->bytes, o->bytes, (size_t)o->size);
        return true;
    }
    const bool word = strcmp(what, "nan") == 0 || strcmp(what, "nonzero") == 0 || strncmp(what, "differs ", 8) == 0;
    (void)strtod(what, &end);
    const bool number = !word && end > what && !*end && !strpbrk(what, "xX"), real = number && form->kind == 'f';
    snprintf(text, sizeof text, "(f%u)%.120s", 8u * form->size, what);
    return search_open(search, &p->g->eval, &p->g->ticker, p->g->settings.memory_limit, real ? text : what,
        word || (number && form->kind != 'x' && !real) ? form->size : 0, err);
}

/* The segment of that name; else values; else a segment whose name holds it. */
static bool memory_find(
    struct pane *p, const struct gpudbg_segment *s, const char *what, int step, bool anew, struct gpudbg_error *err)
{
    const struct gpudbg_segment *named;
    struct search search;
    struct gpudbg_error ignored = {.offset = -1};
    unsigned space;
    /* A buffer to compare with, or else a file. */
    if (strncmp(what, "differs ", 8) == 0 && memory_compare(p, what + 8 + strspn(what + 8, " "), &ignored))
        what = "differs";
    for (size_t i = 0; (named = segment_listed(p, i, &space)); i++)
        if (strcasecmp(named->name, what) == 0) return segment_go(p, what, step, err);
    if (search_typed(p, s, what, &search, err)) {
        const bool found = bytes_find(p, s, &search, what, step, anew && search.kind == SEARCH_DIFFERS, err);
        search_close(&search);
        return found;
    }
    if (!segment_go(p, what, step, &ignored)) return false;
    *err = (struct gpudbg_error){.offset = -1};
    return true;
}

static bool memory_width(struct memory_pane *m, const char *arg, struct gpudbg_error *err)
{
    char *end;
    const unsigned long n = strtoul(arg, &end, 10);
    if (*end || n > 256 || (*arg && !isdigit((unsigned char)*arg)))
        return gpudbg_fail(
            err, "out-of-range", "a row has 1 to 256 bytes, or 0 for as many as fit, not \"%.20s\"", arg);
    m->width = n;
    return true;
}

/* The element under the cursor, as an expression: c[17], or where it has another type "*(u32*)(c+0x44)". */
static bool memory_value(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    struct memory_pane *m = memory_ready(p);
    const struct gpudbg_segment *s = m->machine ? segment_of(p, m->space, m->addr) : NULL;
    char place[128];
    uint64_t at = 0;
    struct gpudbg_error none = {0};
    unsigned space;
    if (!s) return gpudbg_fail(err, "no-launch", "nothing is launched");
    const struct form *form = element_here(p, s);
    struct buffer_place element;
    if (buffer_place(&p->g->eval, m->space, m->addr, &element) && table_form(element.element) == form) {
        snprintf(buf, size, "%s", element.name); /* as people say it: c[17] */
        return true;
    }
    snprintf(place, sizeof place, "%.60s+0x%" PRIx64, s->name, m->addr - s->base);
    if (m->space != GPUDBG_GLOBAL)
        snprintf(place, sizeof place, "%s:0x%" PRIx64, space_of(p, m->space)->name, m->addr);
    else if (!expr_place(&p->g->eval, place, &space, &at, &none) || at != m->addr)
        snprintf(place, sizeof place, "0x%" PRIx64, m->addr);
    snprintf(buf, size, "*(%c%u*)%s%s%s",
        form->kind == 'f'   ? 'f'
        : form->kind == 'd' ? 'i'
                            : 'u',
        8u * form->size, m->space == GPUDBG_GLOBAL ? "(" : "", place, m->space == GPUDBG_GLOBAL ? ")" : "");
    return true;
}

/* The command that changes the element under the cursor, with the value that it has. */
bool memory_edit(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    struct memory_pane *m = p->own;
    char place[160], value[64];
    uint8_t bytes[8] = {0};
    if (!memory_value(p, place, sizeof place, err)) return false;
    const struct form *form = element_here(p, segment_of(p, m->space, m->addr));
    if (!machine_peek(p->g->running.machine, p->g->selection.wave, m->space, m->addr, bytes, form->size, NULL, err))
        return false;
    form_text(form, bytes, value, sizeof value);
    snprintf(buf, size, "set %s = %s%s", place, form->kind == 'x' ? "0x" : "", value);
    return true;
}

static void cursor_move(struct memory_pane *m, const struct gpudbg_segment *s, int64_t bytes)
{
    uint64_t offset = m->addr - s->base, last = s->size - 1;
    if (bytes < 0)
        offset = offset < (uint64_t)-bytes ? offset % m->across : offset - (uint64_t)-bytes;
    else if (offset + (uint64_t)bytes <= last)
        offset += (uint64_t)bytes;
    m->addr = s->base + offset;
}

/* The bytes under the cursor as a pointer. */
static bool pointer_follow(struct pane *p, struct gpudbg_error *err)
{
    struct memory_pane *m = p->own;
    uint64_t pointer = 0;
    if (!machine_peek(
            p->g->running.machine, p->g->selection.wave, m->space, m->addr, &pointer, sizeof pointer, NULL, err))
        return false;
    if (!segment_of(p, GPUDBG_GLOBAL, pointer))
        return gpudbg_fail(err, "out-of-range", "0x%" PRIx64 " points to no memory", pointer);
    m->space = GPUDBG_GLOBAL;
    m->addr = m->top = pointer;
    return true;
}

static bool memory_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct memory_pane *m = memory_ready(p);
    const struct gpudbg_segment *s = m->machine ? segment_of(p, m->space, m->addr) : NULL;
    if (!m->machine) return gpudbg_fail(err, "no-launch", "nothing is launched");
    if (!s) return gpudbg_fail(err, "not-now", "%s", nothing_here(p));
    if (!m->across) m->across = ACROSS_UNSEEN;
    int clicked;
    uint64_t at;
    int64_t row = (int64_t)m->across, page = row * (p->shown > 1 ? p->shown - 1 : 1);
    switch (action) {
    case PANE_UP: cursor_move(m, s, -row); return true;
    case PANE_DOWN: cursor_move(m, s, row); return true;
    case PANE_LEFT: cursor_step(p, s, -1); return true;
    case PANE_RIGHT: cursor_step(p, s, 1); return true;
    case PANE_SCROLL_UP: cursor_move(m, s, -3 * row); return true;
    case PANE_SCROLL_DOWN: cursor_move(m, s, 3 * row); return true;
    case PANE_HALF_UP: cursor_move(m, s, -(page / row / 2 + 1) * row); return true;
    case PANE_HALF_DOWN: cursor_move(m, s, (page / row / 2 + 1) * row); return true;
    case PANE_PAGE_UP:
        m->top -= m->top - s->base < (uint64_t)page ? m->top - s->base : (uint64_t)page;
        cursor_move(m, s, -page);
        return true;
    case PANE_PAGE_DOWN:
        m->top += (uint64_t)page;
        cursor_move(m, s, page);
        return true;
    case PANE_TOP: m->addr = s->base; return true;
    case PANE_BOTTOM: m->addr = s->base + s->size - 1; return true;
    case PANE_FIND: return memory_find(p, s, arg, 1, true, err); /* a difference: the first one of the buffer */
    case PANE_FIND_NEXT: return memory_find(p, s, arg, 1, false, err);
    case PANE_FIND_PREVIOUS: return memory_find(p, s, arg, -1, false, err);
    case PANE_SEGMENT: return segment_go(p, "", *arg == '-' ? -1 : 1, err);
    case PANE_COMPARE: return memory_compare(p, arg, err);
    case PANE_WIDTH: return memory_width(m, arg, err);
    case PANE_TYPE:
        m->first_field = 0;
        m->table.n = 0;
        return !*arg || table_named(&p->g->eval, arg, &m->table, err) || (m->table.n = 0, false);
    case PANE_GOTO: return memory_show(p->screen, arg, err);
    case PANE_FOLLOW: return pointer_follow(p, err);
    case PANE_ROW:
        clicked = atoi(arg) - (m->table.n && p->shown > 1); /* a row of names is above */
        if (clicked < 0) return true;
        at = m->top + (uint64_t)clicked * m->across + byte_in_row(p, s, pane_click_column(arg));
        if (at < s->base + s->size) m->addr = at;
        return true;
    case PANE_FORMAT: return pane_form(p, arg, &m->form, err);
    default: return gpudbg_fail(err, "unsupported", "pane memory has no action '%s'", pane_action_name(action));
    }
}

static void memory_remember(struct pane *p, bool settle)
{
    struct memory_pane *m = p->own;
    if (settle) {
        m->settled = m->taken;
        return;
    }
    m->taken.size = 0;
    struct gpudbg_error err = {0};
    if (m->machine && m->machine == p->g->running.machine && m->now.size) {
        m->taken = m->now;
        if (!machine_peek(p->g->running.machine, p->g->selection.wave, m->now.space, m->now.addr, m->taken.bytes,
                m->taken.size, NULL, &err))
            m->taken.size = 0;
    }
}

/* The same, beside it: it begins in the selected group's LDS. */
const struct pane_kind pane_lds = {
    .name = "lds",
    .across = true,
    .fits = true,
    .summary = "the LDS of the selected wave's group",
    .own = sizeof(struct memory_pane),
    .draw = memory_draw,
    .title = memory_title,
    .act = memory_act,
    .remember = memory_remember,
    .value = memory_value,
};

const struct pane_kind pane_memory = {
    .name = "memory",
    .across = true,
    .fits = true,
    .summary = "buffers, LDS and other memory",
    .own = sizeof(struct memory_pane),
    .draw = memory_draw,
    .title = memory_title,
    .act = memory_act,
    .remember = memory_remember,
    .value = memory_value,
};
