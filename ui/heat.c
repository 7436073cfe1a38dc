/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heat.c: a register a row, a lane a cell, as high as its value is between the least and the largest of the lanes that
 * run (in ASCII a digit, 0 to 9).
 *
 *     lane 0       8       16      24             [11]
 *     exec ###########.....################       off     # runs, . off, | the selected lane
 *    *v2 f 1111222233.......11112222333344       0.042   * changed by the last step; f its type
 *     v3 f 9776543211!......7765432111111        3       ! NaN or infinite
 *     v4 d 16 in all lanes                       16
 */
#include "heat.h"

#include <stdlib.h>
#include <string.h>

#include "gpudbg/endian.h"
#include "gpudbg/lanes.h"
#include "gpudbg/text.h"
#include "machine/machine.h"

#define HEAD 2      /* rows above the registers */
#define SENTENCE 32 /* "4294967295 in all lanes that run" */

/* Columns of the selected lane's value.  Where not all cells have room beside it and the names, first the letters of
 * types go, then the value is rounded, then names are cut: so 64 lanes have a cell each in 80 columns. */
#define VALUE 8
#define NAME_LEAST 4 /* "lane", "exec"; "[63]" and "runs" above the values */

static const struct form *row_form(struct pane *p, const struct heat_view *h, unsigned reg)
{
    return h->channels ? channels_form(h->channels, p->g, reg, h->form)
                       : register_lanes_form(p->g, h->file, reg, h->active, h->form);
}

/* The bits of a lane's value, and the form that it has there; NULL: they cannot be read. */
static const struct form *lane_bits(
    struct pane *p, const struct heat_view *h, unsigned reg, unsigned lane, const struct form *of_row, uint64_t *bits)
{
    *bits = 0;
    if (h->channels) {
        const uint8_t *from = channel_bytes(p->g, reg, of_row->size, lane);
        if (from) *bits = le_get(from, of_row->size);
        return from ? of_row : NULL;
    }
    const uint32_t *words = register_words(p->g, h->file, reg);
    const struct form *form = register_lane_form(p->g, h->file, reg, (int)lane, h->form, of_row);
    const uint32_t *high = form->size == 8 ? register_words(p->g, h->file, reg + 1) : NULL;
    if (words) *bits = words[lane] | (uint64_t)(high ? high[lane] : 0) << 32;
    return words && (high || form->size < 8) ? form : NULL;
}

/* The value of a lane, and whether it is a finite number. */
static bool lane_value(
    struct pane *p, const struct heat_view *h, unsigned reg, unsigned lane, const struct form *of_row, double *value)
{
    uint64_t bits;
    const struct form *form = lane_bits(p, h, reg, lane, of_row, &bits);
    *value = 0;
    if (!form) return false;
    const unsigned unused = h->channels || form->size == 8 ? 64 - 8u * form->size : 32;
    const int64_t with_sign = (int64_t)(bits << unused) >> unused;
    if (form->kind == 'f' && form->size == 8)
        *value = lanes_f64(bits);
    else if (form->kind == 'f')
        *value = (double)lanes_f32(form->size == 2 ? lanes_f32_from_f16((uint16_t)bits, true) : (uint32_t)bits);
    else if (form->kind == 'd' || (form->kind == 'i' && with_sign < 0 && with_sign > -FORM_SMALL_NEGATIVE))
        *value = (double)with_sign;
    else
        *value = (double)(bits << unused >> unused);
    return *value - *value == 0;
}

static bool runs(const struct heat_view *h, unsigned lane) { return h->active >> lane & 1; }

struct extent {
    double least, most;
    bool any, odd; /* odd: a lane is NaN or infinite */
};

static struct extent extent_of(struct pane *p, const struct heat_view *h, unsigned reg, const struct form *form)
{
    struct extent e = {0, 0, false, false};
    for (unsigned lane = 0; lane < h->lanes; lane++) {
        double v;
        if (!runs(h, lane)) continue;
        if (!lane_value(p, h, reg, lane, form, &v)) {
            e.odd = true;
            continue;
        }
        if (!e.any || v < e.least) e.least = v;
        if (!e.any || v > e.most) e.most = v;
        e.any = true;
    }
    return e;
}

/* ---- The order of lanes ---- */

static void order_lanes(struct pane *p, struct heat_view *h)
{
    double value[64];
    for (unsigned i = 0; i < h->lanes; i++) h->order[i] = (uint8_t)i;
    if (h->sorted < 0) return;
    const unsigned reg = (unsigned)h->sorted;
    const struct form *form = row_form(p, h, reg);
    for (unsigned i = 0; i < h->lanes; i++)
        if (!lane_value(p, h, reg, i, form, &value[i])) value[i] = 1e308; /* NaNs behind all others */
    for (unsigned i = 1; i < h->lanes; i++) /* those that run first; equal ones as they are numbered */
        for (unsigned k = i; k > 0; k--) {
            const unsigned a = h->order[k - 1], b = h->order[k];
            if (runs(h, a) != runs(h, b) ? runs(h, a) : value[a] <= value[b]) break;
            h->order[k - 1] = (uint8_t)b;
            h->order[k] = (uint8_t)a;
        }
}

/* ---- Drawing ---- */

/* A level from 0 to 7, of the lanes of a cell the highest; -1: none runs; 8: one is NaN or infinite. */
static int level_of(
    struct pane *p, const struct heat_view *h, unsigned reg, unsigned cell, const struct form *form, struct extent e)
{
    int level = -1;
    for (unsigned i = cell * (unsigned)h->each; i < (cell + 1) * (unsigned)h->each && i < h->lanes; i++) {
        const unsigned lane = h->order[i];
        double v;
        if (!runs(h, lane)) continue;
        if (!lane_value(p, h, reg, lane, form, &v)) return 8;
        const int own = e.most > e.least ? (int)((v - e.least) / (e.most - e.least) * 7.999) : 0;
        level = own > level ? own : level;
    }
    return level;
}

static bool holds_selected(const struct heat_view *h, unsigned cell)
{
    for (unsigned i = cell * (unsigned)h->each; i < (cell + 1) * (unsigned)h->each && i < h->lanes; i++)
        if (h->order[i] == h->selected) return true;
    return false;
}

static unsigned cells_of(const struct heat_view *h) { return (h->lanes + (unsigned)h->each - 1) / (unsigned)h->each; }

/* The column behind the cells, or behind the sentence that stands for them. */
static int cells_end(const struct area *a, const struct heat_view *h)
{
    const int room = a->w - h->left - h->value - 1, wanted = (int)cells_of(h) < SENTENCE ? SENTENCE : (int)cells_of(h);
    return h->left + (wanted <= room ? wanted : (int)cells_of(h));
}

static void draw_cells(struct pane *p, const struct area *a, int y, const struct heat_view *h, unsigned reg,
    const struct form *form, struct extent e)
{
    static const enum style styles[] = {STYLE_heat1, STYLE_heat2, STYLE_heat3, STYLE_heat4};
    for (unsigned c = 0; c < cells_of(h); c++) {
        const int level = level_of(p, h, reg, c, form, e), x = h->left + (int)c;
        const enum style style = holds_selected(h, c) ? STYLE_current
                                 : level < 0          ? STYLE_masked
                                 : level > 7          ? STYLE_error
                                                      : styles[level / 2];
        if (level < 0)
            area_repeat(a, x, y, 1, style, '.', '.');
        else if (level > 7)
            area_repeat(a, x, y, 1, style, '!', '!');
        else
            area_repeat(a, x, y, 1, style, 0x2581 + (uint32_t)level, (char)('0' + level * 9 / 7));
    }
}

/* A lane's value: of the selected one, or of one that stands for all where they are alike. */
static void value_text(struct pane *p, const struct area *a, const struct heat_view *h, unsigned reg, int lane,
    const struct form *form, int width, char *buf, size_t size)
{
    uint64_t bits;
    const struct form *own = lane_bits(p, h, reg, (unsigned)lane, form, &bits);
    buf[0] = 0;
    if (own && own->kind != 'h')
        pane_elements(a->cells, own, &bits, h->channels || own->size == 8 ? own->size : 4, width, buf, size);
}

/* ---- Numbers ---- */

#define NUMBER 9 /* columns of one: eight have room in 80 */

static int numbers_shown(const struct area *a, const struct heat_view *h)
{
    const int n = (a->w - h->left) / NUMBER;
    return n < 1 ? 1 : n < (int)h->lanes - h->first ? n : (int)h->lanes - h->first;
}

static void numbers_row(
    struct pane *p, const struct area *a, int y, const struct heat_view *h, unsigned reg, const struct form *form)
{
    char text[64];
    for (int i = 0; i < numbers_shown(a, h); i++) {
        const unsigned lane = h->order[h->first + i];
        const uint8_t *from = channel_bytes(p->g, reg, form->size, lane);
        const int x = h->left + i * NUMBER;
        const uintptr_t in_word = (uintptr_t)from % 4;
        const bool changed = from && before_changed(&p->screen->settled, p->g,
                                         (const uint32_t *)(const void *)(from - in_word), form->size == 8 ? 2 : 1);
        value_text(p, a, h, reg, (int)lane, form, NUMBER - 2, text, sizeof text);
        const enum style style = !runs(h, lane) ? STYLE_masked : changed ? changed_style(p->screen) : STYLE_value;
        const int n = text_columns(text, a->cells->utf8);
        if (changed) area_text(a, x + NUMBER - 1 - n, y, style, "*");
        area_right(a, x + 1, y, NUMBER - 1, style, text);
    }
}

static void numbers_head(const struct area *a, const struct heat_view *h)
{
    area_text(a, 1, 0, STYLE_address, "lane");
    for (int i = 0; i < numbers_shown(a, h); i++) {
        char name[16];
        const unsigned lane = h->order[h->first + i];
        const bool here = (int)lane == h->selected;
        snprintf(name, sizeof name, here ? "[%u]%s" : "%u%s", lane, runs(h, lane) ? "" : ".");
        area_right(a, h->left + i * NUMBER + 1, 0, NUMBER - 1,
            here            ? STYLE_current
            : runs(h, lane) ? STYLE_address
                            : STYLE_masked,
            name);
    }
}

static void draw_row(struct pane *p, const struct area *a, int y, const struct heat_view *h, unsigned reg)
{
    char text[256];
    const struct form *form = row_form(p, h, reg);
    const bool changed = h->channels ? channels_changed(p->screen, reg, form->size, h->lanes)
                                     : register_changed(p->screen, h->file, reg, -1);
    const int right = cells_end(a, h), room = a->w - right - 1;
    if (!register_words(p->g, h->file, reg)) return;
    if (changed) area_text(a, 0, y, changed_style(p->screen), "*");
    register_name(p->g, h->file, reg, text, sizeof text);
    area_left(a, 1, y, h->left - 2 - (h->kinds ? 2 : 0), changed ? changed_style(p->screen) : STYLE_name, text);
    if (form->kind == 'h') return; /* it stands in the row above */
    const char kind[2] = {form->kind == 'i' ? 'd' : form->kind, 0};
    if (h->kinds) area_text(a, h->left - 2, y, STYLE_comment, kind);
    if (h->numbers) {
        numbers_row(p, a, y, h, reg, form);
        return;
    }
    const struct extent e = extent_of(p, h, reg, form);
    if (e.any && !e.odd && e.least == e.most) {
        char all[300];
        value_text(p, a, h, reg, __builtin_ctzll(h->active), form, 24, text, sizeof text); /* it may be off itself */
        snprintf(all, sizeof all, "%s in all lanes%s", text,
            (h->lanes < 64 ? h->active & ((UINT64_C(1) << h->lanes) - 1) : h->active) ==
                    (h->lanes < 64 ? (UINT64_C(1) << h->lanes) - 1 : UINT64_MAX)
                ? ""
                : " that run");
        area_text(a, h->left, y, STYLE_value, all);
    } else {
        draw_cells(p, a, y, h, reg, form, e);
    }
    value_text(p, a, h, reg, h->selected, form, room < VALUE ? room : VALUE, text, sizeof text);
    if (room > 3)
        area_right(a, right + 1, y, room < VALUE ? room : VALUE,
            runs(h, (unsigned)h->selected) ? STYLE_value : STYLE_masked, text);
}

/* Numbers of lanes above every eighth of them; in another order, the register that gives it. */
static void draw_head(struct pane *p, const struct area *a, const struct heat_view *h)
{
    char name[40];
    const int right = cells_end(a, h), room = a->w - right - 1;
    area_text(a, 1, 0, STYLE_address, "lane");
    if (h->sorted >= 0) {
        register_name(p->g, h->file, (unsigned)h->sorted, name, sizeof name);
        area_put(a, h->left, 0, STYLE_address, "by %s, least first", name);
    }
    const unsigned step = 8u * (unsigned)h->each;
    for (unsigned i = 0; h->sorted < 0 && i < h->lanes; i += step)
        area_put(a, h->left + (int)(i / (unsigned)h->each), 0, STYLE_address, "%u", i);
    snprintf(name, sizeof name, "[%d]", h->selected);
    if (room > 3) area_right(a, right + 1, 0, room < VALUE ? room : VALUE, STYLE_current, name);
    area_text(a, 1, 1, STYLE_name, "exec");
    for (unsigned c = 0; c < cells_of(h); c++) {
        unsigned on = 0, all = 0;
        for (unsigned i = c * (unsigned)h->each; i < (c + 1) * (unsigned)h->each && i < h->lanes; i++, all++)
            on += runs(h, h->order[i]);
        const bool here = holds_selected(h, c);
        const bool alone = here && h->each == 1;
        area_repeat(a, h->left + (int)c, 1, 1,
            here ? STYLE_current
            : on ? STYLE_address
                 : STYLE_masked,
            alone       ? on ? '|' : LANE_OFF_SELECTED
            : on == all ? 0x2588
            : on        ? ':'
                        : '.',
            alone       ? on ? '|' : ':'
            : on == all ? '#'
            : on        ? ':'
                        : '.');
    }
    if (room > 3)
        area_right(a, right + 1, 1, room < VALUE ? room : VALUE, STYLE_comment,
            runs(h, (unsigned)h->selected) ? "runs" : "off");
}

int heat_lane(const struct heat_view *h, int x)
{
    if (h->numbers) {
        const int at = x < h->left ? -1 : h->first + (x - h->left) / NUMBER;
        return at < 0 || at >= (int)h->lanes ? -1 : h->order[at];
    }
    const int i = (x - h->left) * h->each;
    return x < h->left || i < 0 || i >= (int)h->lanes ? -1 : h->order[i];
}

/* Columns in which a value is more than a mark. */
static int value_least(struct pane *p, const struct area *a, const struct heat_view *h, unsigned reg)
{
    char text[64];
    for (int width = NAME_LEAST; width < VALUE; width++) {
        value_text(p, a, h, reg, h->selected, row_form(p, h, reg), width, text, sizeof text);
        if (strcmp(text, a->cells->utf8 ? "…" : ">") != 0) return width;
    }
    return VALUE;
}

/* Shares the columns between names, types, cells and values. */
static void measure(struct pane *p, const struct area *a, struct heat_view *h)
{
    int name = NAME_LEAST - 1, least = NAME_LEAST;
    for (int i = 0; i < h->rows; i++) {
        char text[40];
        const int n = register_name(p->g, h->file, h->row[i], text, sizeof text);
        name = n > name ? n : name;
    }
    const int room = a->w - (int)h->lanes - 3; /* without the mark and the gaps beside the cells */
    h->value = VALUE;
    h->kinds = h->numbers || room >= name + 2 + VALUE;
    for (int i = 0; i < h->rows && !h->kinds; i++) {
        const int n = value_least(p, a, h, h->row[i]);
        least = n > least ? n : least;
    }
    if (room < NAME_LEAST + least) h->kinds = true; /* two lanes or more share a cell */
    if (!h->kinds) {
        name = name < NAME_LEAST ? NAME_LEAST : name > room - least ? room - least : name;
        h->value = room - name < VALUE ? room - name : VALUE;
    }
    h->left = 1 + name + 1 + (h->kinds ? 2 : 0);
    int cells = a->w - h->left - h->value - 1;
    if (cells < 8) cells = a->w - h->left;
    if (cells < 1) cells = 1;
    h->each = ((int)h->lanes + cells - 1) / cells;
}

int heat_head(const struct heat_view *h) { return h->numbers ? 1 : HEAD; }

void heat_draw(struct pane *p, const struct area *a, struct heat_view *h)
{
    if (h->lanes > 64) h->lanes = 64;
    measure(p, a, h);
    order_lanes(p, h);
    if (h->numbers) {
        const int n = (a->w - h->left) / NUMBER < 1 ? 1 : (a->w - h->left) / NUMBER;
        for (int i = h->first = 0; i < (int)h->lanes; i++)
            if (h->order[i] == h->selected && i >= n) h->first = i - n + 1;
        numbers_head(a, h);
    } else {
        draw_head(p, a, h);
    }
    const int head = heat_head(h);
    for (int i = 0; i < h->rows && head + i < a->h; i++) {
        draw_row(p, a, head + i, h, h->row[i]);
        if (i == h->cursor) area_cursor(a, 0, head + i, a->w, STYLE_cursor);
    }
}
