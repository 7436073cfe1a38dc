/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_memory.c: memory of the launch, a named segment at a time: buffers by argument name, the group's LDS, code.
 *
 *     0040  3f800000 40000000 *40400000 40800000  ...?...@..@@...@
 *
 * Offsets are in the segment, whose name and address are in the rule; `*` is what the last step changed.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "eval/expr.h"
#include "machine/machine.h"
#include "eval/value.h"

#define WINDOW 8192 /* bytes shown at most */

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
    const struct form *form; /* NULL: x */
    size_t across;           /* bytes a row */
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
    m->addr = value.u & ~(uint64_t)3;
    m->top = m->addr;
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

/* Columns of a cell, which has a dword (or what is larger), with the gap and the mark before it. */
static int cell_width(const struct memory_pane *m)
{
    static const int bytes_of[] = {[1] = 17, [2] = 14, [4] = 12};
    if (!m->form || m->form->kind == 'x') return 9;
    return m->form->size == 8 ? 22 : bytes_of[m->form->size];
}

static void row_draw(
    struct pane *p, const struct area *a, int y, const struct gpudbg_segment *s, uint64_t addr, int digits)
{
    struct memory_pane *m = p->own;
    const struct form *form = m->form ? m->form : form_named("x");
    const size_t step = form->size > 4 ? form->size : 4; /* bytes of a cell */
    const int cell = cell_width(m), x0 = area_put(a, 1, y, STYLE_address, "%0*" PRIx64, digits, addr - s->base) + 1;
    int x = x0;
    for (size_t i = 0; i < m->across; i += step) {
        uint64_t at = addr + i;
        size_t n = s->base + s->size - at < step ? (size_t)(s->base + s->size - at) : step;
        if (at >= s->base + s->size || at + n > m->now.addr + m->now.size) break;
        uint8_t bytes[8] = {0};
        char text[256];
        memcpy(bytes, m->now.bytes + (at - m->now.addr), n);
        bool changed = word_changed(m, at, n);
        pane_elements(a->cells, form, bytes, step, cell - 1, text, sizeof text);
        const int right = x + (int)(i / step + 1) * cell, w = text_columns(text, a->cells->utf8);
        if (right > a->w + 1 && i) break;
        if (changed) area_text(a, right - w - 1, y, changed_style(p->screen), "*");
        area_right(a, right - cell + 1, y, cell - 1, changed ? changed_style(p->screen) : STYLE_value, text);
        if (p->active && m->addr >= at && m->addr < at + step)
            area_cursor(a, right - cell + 1, y, cell - 1, STYLE_cursor);
    }
    x = x0 + (int)(m->across / step) * cell + 2;
    if (x + (int)m->across > a->w) return;
    for (size_t i = 0; i < m->across && addr + i < m->now.addr + m->now.size; i++) {
        unsigned char c = m->now.bytes[addr + i - m->now.addr];
        area_put(a, x + (int)i, y, STYLE_comment, "%c", c >= 0x20 && c < 0x7f ? c : '.');
    }
}

static void memory_draw(struct pane *p, const struct area *a)
{
    struct memory_pane *m = memory_ready(p);
    const struct gpudbg_segment *s = m->machine ? segment_of(p, m->space, m->addr) : NULL;
    if (!s) {
        const char *none = p->kind == &pane_lds ? "this group has no LDS" : "no memory";
        area_text(a, 1, 0, STYLE_comment, m->machine ? none : "nothing is launched");
        m->now.size = 0;
        return;
    }
    int digits = 4;
    while (digits < 12 && (s->size - 1) >> (4 * digits)) digits++;
    const int cell = cell_width(m), step = m->form && m->form->size == 8 ? 8 : 4;
    m->across = 32;
    while ((int)m->across > step && 1 + digits + 1 + (int)m->across / step * cell + 2 + (int)m->across > a->w &&
           (m->across > 8 || 1 + digits + 1 + (int)m->across / step * cell > a->w))
        m->across /= 2;
    uint64_t across = m->across, rows = (uint64_t)a->h, rows_all = (s->size + across - 1) / across;
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
    for (int y = 0; y < a->h && (uint64_t)y * across < m->now.size; y++)
        row_draw(p, a, y, s, m->top + (uint64_t)y * across, digits);
}

static int memory_title(struct pane *p, char *buf, size_t size)
{
    struct memory_pane *m = memory_ready(p);
    const struct gpudbg_segment *s = m->machine ? segment_of(p, m->space, m->addr) : NULL;
    if (!s) return snprintf(buf, size, "%s", "");
    return snprintf(buf, size, "%s+0x%" PRIx64 "  %s 0x%" PRIx64 "%s%s", s->name, m->addr - s->base,
        space_of(p, m->space)->name, m->addr, m->form ? " :" : " ", m->form ? m->form->name : "");
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

static void cursor_move(struct memory_pane *m, const struct gpudbg_segment *s, int64_t bytes)
{
    uint64_t offset = m->addr - s->base, last = (s->size - 1) & ~(uint64_t)3;
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
    m->addr = m->top = pointer & ~(uint64_t)3;
    return true;
}

static bool memory_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct memory_pane *m = memory_ready(p);
    const struct gpudbg_segment *s = m->machine ? segment_of(p, m->space, m->addr) : NULL;
    if (!s || !m->across) return gpudbg_fail(err, "no-launch", "nothing is launched");
    int64_t row = (int64_t)m->across, page = row * (p->shown > 1 ? p->shown - 1 : 1);
    switch (action) {
    case PANE_UP: cursor_move(m, s, -row); return true;
    case PANE_DOWN: cursor_move(m, s, row); return true;
    case PANE_LEFT: cursor_move(m, s, -4); return true;
    case PANE_RIGHT: cursor_move(m, s, 4); return true;
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
    case PANE_BOTTOM: m->addr = s->base + ((s->size - 1) & ~(uint64_t)3); return true;
    case PANE_FIND:
    case PANE_FIND_NEXT: return segment_go(p, arg, 1, err);
    case PANE_FIND_PREVIOUS: return segment_go(p, arg, -1, err);
    case PANE_GOTO: return memory_show(p->screen, arg, err);
    case PANE_FOLLOW: return pointer_follow(p, err);
    case PANE_ROW:
        if (atoi(arg) >= 0 && m->top + (uint64_t)atoi(arg) * m->across < s->base + s->size)
            m->addr = m->top + (uint64_t)atoi(arg) * m->across;
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
    .summary = "the LDS of the selected wave's group",
    .own = sizeof(struct memory_pane),
    .draw = memory_draw,
    .title = memory_title,
    .act = memory_act,
    .remember = memory_remember,
};

const struct pane_kind pane_memory = {
    .name = "memory",
    .summary = "buffers, LDS and other memory",
    .own = sizeof(struct memory_pane),
    .draw = memory_draw,
    .title = memory_title,
    .act = memory_act,
    .remember = memory_remember,
};
