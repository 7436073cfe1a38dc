/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_rows.c: registers of many bytes that belong to no lane: rows of bytes from left to right, cut into elements of a
 * type.
 *
 *     r12  | 1.5    | 2.25   | 0      | ...       values; * before what the last step changed
 *     f0   ####---- ..+.....     a bit a lane, lane 0 first; # set, - clear; + and . in lanes that do not run
 *
 * Formats are those of eval/form.h; a: what the last writer of the register says (eval/typed.h).  Where there is no
 * room for all registers, those that matter now are shown; moving the cursor lists all, `pane here` goes back.
 */
#include <stdlib.h>
#include <string.h>

#include "registers_shown.h"
#include "base/alloc.h"

#define NAME 6    /* columns of a name and its mark */
#define LINES 256 /* of the pane that a click finds */

struct rows_pane {
    bool listing;
    const struct form *form; /* NULL: by register */
    int hidden;              /* registers that changed and are not shown */
    int element;             /* of the register under the cursor */
    struct register_choice choice;
    struct line { /* what stands on each: a register, and the byte that the line begins with; columns a byte */
        uint16_t index, at, scale;
        bool there;
    } line[LINES];
};

static int rows_file(struct pane *p) { return register_wide_file(p->g); }

/* What nobody says is shown as dwords. */
static const struct form *form_of(struct pane *p, unsigned file, unsigned index)
{
    const struct rows_pane *r = p->own;
    const struct form *form = register_form(p->g, file, index, r->form);
    return form ? form : form_named("ud");
}

/* ---- Drawing ---- */

/* How a register is cut: bytes on a line, columns a byte. */
struct cut {
    int bytes, scale;
};

#define FLOAT_LEAST 6 /* columns that say enough of a float: its first digits and a mark */

/* Columns that every element of the register has room in. */
static int element_columns(const struct form *form, const uint32_t *words, int bytes)
{
    char text[64];
    int most = form->size == 1 ? 3 : form->size == 2 ? 4 : 6;
    for (int at = 0; words && at + form->size <= bytes; at += form->size) {
        int n = form_text(form, (const uint8_t *)words + at, text, sizeof text);
        if (form->kind == 'f' && n > FLOAT_LEAST) n = FLOAT_LEAST;
        most = n > most ? n : most;
    }
    return most;
}

/* The widest cut whose elements have room, with a border and a blank before each. */
static struct cut cut_for(struct pane *p, unsigned file, unsigned index, int width)
{
    const struct form *form = form_of(p, file, index);
    const int all = p->g->running.machine->isa->files[file].bits / 8, columns = width - NAME - 1;
    const int wanted = element_columns(form, register_words(p->g, file, index), all) + 1;
    int bytes = all;
    while (bytes > 8 && bytes > form->size && columns / bytes * form->size < wanted) bytes /= 2;
    while (bytes > 4 && bytes > form->size && columns / bytes < 1) bytes /= 2;
    int scale = columns / bytes;
    if (scale * form->size > wanted + 4)
        scale = (wanted + 4 + form->size - 1) / form->size; /* lines need not be longer */
    return (struct cut){bytes, scale < 1 ? 1 : scale};
}

static int lines_of(struct pane *p, unsigned file, unsigned index, int width)
{
    return p->g->running.machine->isa->files[file].bits / 8 / cut_for(p, file, index, width).bytes;
}

/* cursor: the byte of the line that the cursor is on; -1: it is elsewhere. */
static void line_draw(struct pane *p, const struct area *a, int y, const struct cut *c, const uint32_t *words,
    const struct form *form, int cursor)
{
    char text[256];
    int cell = form->size * c->scale;
    const bool border = cell >= 3;
    for (int at = 0; at + form->size <= c->bytes; at += form->size) {
        int x = NAME + at * c->scale;
        if (border) area_text(a, x, y, STYLE_rule, a->cells->utf8 ? "│" : "|");
        pane_elements(a->cells, form, (const uint8_t *)words + at, form->size, cell - border, text, sizeof text);
        const int n = text_columns(text, a->cells->utf8);
        const bool changed = before_changed(&p->screen->settled, p->g, words + at / 4, form->size == 8 ? 2 : 1);
        if (changed && n < cell - border) area_text(a, x + cell - n - 1, y, changed_style(p->screen), "*");
        area_right(a, x + border, y, cell - border, changed ? changed_style(p->screen) : STYLE_value, text);
        if (at == cursor) area_cursor(a, x + border, y, cell - border, STYLE_cursor);
    }
    area_text(a, NAME + c->bytes * c->scale, y, STYLE_rule, a->cells->utf8 ? "│" : "|");
}

/* What of the launch the register holds: behind its first line from column x on; or on a line of its own, which is
 * counted, while there are spare ones. */
static int holds_draw(
    struct pane *p, const struct area *a, int y, int lines, int x, int file, unsigned index, int *spare)
{
    const struct gpudbg_runner *run = p->g->running.machine->isa->run;
    struct gpudbg_wave *wave = gpudbg_session_wave(p->g);
    char text[128];
    unsigned bits;
    int n = wave && run->holds ? run->holds(wave, (unsigned)file, index, &bits, text, sizeof text) : 0;
    if (n <= 0) return 0;
    const bool behind = x + n <= a->w;
    if (!behind && --*spare < 0) return 0;
    area_text(a, behind ? x : NAME + 1, behind ? y : y + lines, STYLE_comment, text);
    return !behind;
}

/* The first line, of those cut as `c` says, that has something that changed; where all lines have room, 0. */
static int first_line(struct pane *p, const uint32_t *words, const struct cut *c, int lines, int rows)
{
    const struct before *then = &p->screen->settled;
    const size_t each = (size_t)c->bytes / 4;
    if (!words || lines <= rows) return 0;
    for (int i = 0; i < lines; i++)
        if (before_changed(then, p->g, words + (size_t)i * each, each ? each : 1))
            return i < lines - rows ? i : lines - rows;
    return 0;
}

static int register_draw(struct pane *p, const struct area *a, int y, int file, unsigned index, int *spare)
{
    struct rows_pane *r = p->own;
    const uint32_t *words = register_words(p->g, (unsigned)file, index);
    const struct form *form = form_of(p, (unsigned)file, index);
    int bytes = p->g->running.machine->isa->files[file].bits / 8;
    const struct cut c = cut_for(p, (unsigned)file, index, a->w);
    int lines = bytes / c.bytes, first = first_line(p, words, &c, lines, a->h - y);
    char name[32];
    register_name(p->g, (unsigned)file, index, name, sizeof name);
    bool changed = register_changed(p->screen, (unsigned)file, index, -1);
    if (changed) area_text(a, 0, y, changed_style(p->screen), "*");
    area_left(a, 1, y, NAME - 1, changed ? changed_style(p->screen) : STYLE_name, name);
    const bool here = p->active && r->listing && (int)index == p->cursor;
    if (here && (r->element + 1) * form->size > bytes) r->element = bytes / form->size - 1;
    for (int i = first; words && i < lines && y + i - first < a->h; i++) {
        if (first && i == first) /* the elements before are not shown */
            area_text(a, NAME - 1, y, STYLE_rule, a->cells->utf8 ? "…" : ">");
        if (y + i - first < LINES)
            r->line[y + i - first] = (struct line){(uint16_t)index, (uint16_t)(i * c.bytes), (uint16_t)c.scale, true};
        line_draw(
            p, a, y + i - first, &c, words + i * c.bytes / 4, form, here ? r->element * form->size - i * c.bytes : -1);
    }
    if (here) area_cursor(a, 0, y, NAME, STYLE_cursor);
    return lines + holds_draw(p, a, y, lines, NAME + c.bytes * c.scale + 2, file, index, spare);
}

/* Which lanes run, and the files that hold a bit a lane. */
static int masks_draw(struct pane *p, const struct area *a)
{
    const struct gpudbg_isa *isa = p->g->running.machine->isa;
    struct gpudbg_wave *wave = gpudbg_session_wave(p->g);
    unsigned all = p->g->running.machine->lanes ? p->g->running.machine->lanes : isa->lanes,
             lanes = all < 64 ? all : 64;
    int groups = (a->w - NAME + 1) / 9 < 1 ? 1 : (a->w - NAME + 1) / 9; /* of eight lanes, on a line */
    char name[32];
    int y = 0, lines = ((int)lanes / 8 + groups - 1) / groups,
        most = lines > 1 ? a->h / 2 : a->h; /* where they wrap, rows come first */
    for (int file = -1; wave && file < (int)isa->nfiles && y < a->h; file++) {
        if (file >= 0 && (!isa->files[file].mask || isa->files[file].lanes > 1)) continue;
        unsigned count = file < 0 ? 1 : register_count(p->g, (unsigned)file);
        for (unsigned i = 0; i < count && i < 4 && y < a->h; i++) {
            const uint32_t *words = file < 0 ? NULL : register_words(p->g, (unsigned)file, i);
            if (file >= 0 && (!words || y + lines > most)) continue;
            if (file < 0)
                snprintf(name, sizeof name, "runs");
            else
                register_name(p->g, (unsigned)file, i, name, sizeof name);
            bool changed = file >= 0 && register_changed(p->screen, (unsigned)file, i, -1);
            if (changed) area_text(a, 0, y, changed_style(p->screen), "*");
            area_left(a, 1, y, NAME - 1, changed ? changed_style(p->screen) : STYLE_name, name);
            uint64_t bits = file < 0     ? isa->run->active(wave)
                            : lanes > 32 ? words[0] | (uint64_t)words[1] << 32
                                         : words[0];
            char group_bits[9];
            for (unsigned lane = 0; lane < lanes; lane++) {
                const bool there = wave->lanes >> lane & 1, on = bits >> lane & 1;
                const bool runs = file < 0 ? on : isa->run->active(wave) >> lane & 1;
                int group = (int)lane / 8;
                if (lane && lane % 8 == 0 && group % groups == 0) y++;
                group_bits[lane % 8] = !there ? ' ' : runs ? on ? '#' : '-' : on ? '+' : '.';
                group_bits[lane % 8 + 1] = 0;
                if (lane % 8 == 7 || lane + 1 == lanes)
                    area_text(a, NAME + group % groups * 9, y, STYLE_value, group_bits);
            }
            y++;
        }
    }
    return y;
}

static void rows_draw(struct pane *p, const struct area *a)
{
    struct rows_pane *r = p->own;
    char text[160];
    const char *missing = registers_missing(p->g, text, sizeof text);
    int file = missing ? -1 : rows_file(p);
    p->count = r->hidden = 0;
    memset(r->line, 0, sizeof r->line);
    if (file < 0) {
        area_text(a, 1, 0, STYLE_comment, missing ? missing : "no registers of many bytes");
        return;
    }
    int y = masks_draw(p, a), spare = a->h;
    p->count = (int)register_count(p->g, (unsigned)file);
    if (r->listing) {
        int fit = 0; /* registers below the cursor's end that have room */
        for (int i = p->cursor < p->count ? p->cursor : 0, rows = a->h - y; i >= 0; i--, fit++)
            if ((rows -= lines_of(p, (unsigned)file, (unsigned)i, a->w)) < 0) break;
        pane_list_fit(p, fit < 1 ? 1 : fit);
        for (int i = p->top; i < p->count && y < a->h; i++) y += register_draw(p, a, y, file, (unsigned)i, &spare);
        return;
    }
    registers_choose(p->screen, (unsigned)file, &r->choice, a->h - y < 1 ? 1 : a->h - y);
    int n = 0, rows = a->h - y; /* as many of the most wanted as have room */
    for (; n < r->choice.count; n++) {
        const int lines = lines_of(p, (unsigned)file, r->choice.index[n], a->w);
        if (n && lines > rows) break;
        rows -= lines;
    }
    r->choice.count = n;
    r->hidden = r->choice.changed;
    spare = rows;
    for (unsigned index = 0; index < (unsigned)p->count && y < a->h; index++)
        for (int i = 0; i < n; i++)
            if (r->choice.index[i] == index) {
                y += register_draw(p, a, y, file, index, &spare);
                r->hidden -= register_changed(p->screen, (unsigned)file, index, -1);
            }
}

static int rows_title(struct pane *p, char *buf, size_t size)
{
    struct rows_pane *r = p->own;
    char more[32] = "";
    if (r->hidden > 0) snprintf(more, sizeof more, "  +%d changed", r->hidden);
    const bool unknown = !r->form && typed_too_large(&p->g->eval, gpudbg_session_wave(p->g));
    return snprintf(buf, size, ":%s%s%s%s", r->form ? r->form->name : "a", unknown ? " (types: too much code)" : "",
        r->listing ? " all" : "", more);
}

/* Elements of the register under the cursor. */
static int elements_of(struct pane *p)
{
    const int file = rows_file(p);
    if (file < 0) return 1;
    return p->g->running.machine->isa->files[file].bits / 8 / form_of(p, (unsigned)file, (unsigned)p->cursor)->size;
}

/* Puts the cursor on the first element that the last step changed; false: nothing did. */
static bool changed_choose(struct pane *p, int file)
{
    struct rows_pane *r = p->own;
    const int bytes = p->g->running.machine->isa->files[file].bits / 8;
    for (unsigned index = 0; index < register_count(p->g, (unsigned)file); index++) {
        const uint32_t *words = register_words(p->g, (unsigned)file, index);
        const int size = form_of(p, (unsigned)file, index)->size;
        if (!words || !register_changed(p->screen, (unsigned)file, index, -1)) continue;
        p->cursor = (int)index;
        r->element = 0;
        for (int at = 0; at + size <= bytes; at += size) {
            if (!before_changed(&p->screen->settled, p->g, words + at / 4, size == 8 ? 2 : 1)) continue;
            r->element = at / size;
            break;
        }
        return true;
    }
    return false;
}

static bool rows_value(struct pane *p, char *buf, size_t size, struct gpudbg_error *err)
{
    struct rows_pane *r = p->own;
    const int file = rows_file(p);
    char name[32];
    if (file < 0) return gpudbg_fail(err, "no-launch", "no registers of many bytes");
    if (!r->listing && !changed_choose(p, file)) {
        r->listing = true;
        p->cursor = p->top = 0;
        return register_unchosen(err);
    }
    const struct form *form = form_of(p, (unsigned)file, (unsigned)p->cursor);
    register_name(p->g, (unsigned)file, (unsigned)p->cursor, name, sizeof name);
    snprintf(buf, size, "$%s.%d:%s", name, r->element, form->kind == 'x' ? "ud" : form->name);
    return true;
}

/* To the element beside, and on in the next register. */
static void element_move(struct pane *p, int step)
{
    struct rows_pane *r = p->own;
    r->element += step;
    if (r->element < 0 && p->cursor > 0) {
        p->cursor--;
        r->element = elements_of(p) - 1;
    } else if (r->element >= elements_of(p) && p->cursor + 1 < p->count) {
        p->cursor++;
        r->element = 0;
    }
    r->element = r->element < 0 ? 0 : r->element < elements_of(p) ? r->element : elements_of(p) - 1;
}

/* A click: the cursor goes to that element, and its register stays where it is as far as the rows above allow. */
static void element_click(struct pane *p, int y, int x)
{
    struct rows_pane *r = p->own;
    if (y < 0 || y >= LINES || !r->line[y].there) return;
    const struct line *l = &r->line[y];
    const int size = form_of(p, (unsigned)rows_file(p), l->index)->size, byte = x < NAME ? 0 : (x - NAME) / l->scale;
    p->cursor = l->index;
    r->element = (l->at + byte) / size;
    r->element = r->element < elements_of(p) ? r->element : elements_of(p) - 1;
    if (!r->listing) p->top = p->cursor;
    r->listing = true;
}

static bool rows_act(struct pane *p, enum pane_action action, const char *arg, struct gpudbg_error *err)
{
    struct rows_pane *r = p->own;
    switch (action) {
    case PANE_FORMAT: return pane_form(p, arg, &r->form, err);
    case PANE_HERE:
    case PANE_BACK: r->listing = false; return true;
    case PANE_ROW: element_click(p, atoi(arg), pane_click_column(arg)); return true;
    default: break;
    }
    if (!r->listing) {
        r->listing = true;
        p->cursor = p->top = 0;
        r->element = 0;
        if (action == PANE_UP || action == PANE_DOWN || action == PANE_LEFT || action == PANE_RIGHT) return true;
    }
    if (action == PANE_LEFT || action == PANE_RIGHT) {
        element_move(p, action == PANE_LEFT ? -1 : 1);
        return true;
    }
    return pane_list_act(p, action, arg, err);
}

static int rows_row_text(struct pane *p, int row, char *buf, size_t size)
{
    int file = rows_file(p);
    return file < 0 ? snprintf(buf, size, "%s", "") : register_name(p->g, (unsigned)file, (unsigned)row, buf, size);
}

const struct pane_kind pane_rows = {
    .name = "rows",
    .across = true,
    .fits = true,
    .summary = "registers of many bytes, a row each, cut into elements",
    .own = sizeof(struct rows_pane),
    .draw = rows_draw,
    .title = rows_title,
    .act = rows_act,
    .row_text = rows_row_text,
    .value = rows_value,
};
